/* float16 to and from float32, bit by bit, and the sizes of types. */
#include "internal.h"

#include <string.h>

float run_aclFloat16ToFloat(aclFloat16 value)
{
    uint32_t sign = (uint32_t)(value & 0x8000) << 16, exponent = value >> 10 & 31;
    uint32_t fraction = value & 0x3ff, bits;
    if (exponent == 31) {
        bits = sign | 0x7f800000 | fraction << 13 | (fraction ? 0x400000 : 0);
    } else if (exponent) {
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    } else { /* zero and subnormals: the fraction counts steps of 2^-24 */
        float magnitude = (float)fraction * 0x1p-24f;
        memcpy(&bits, &magnitude, sizeof bits);
        bits |= sign;
    }
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* Drop the lowest bits of a number, rounding to nearest, ties to even. */
static uint32_t rounded_shift(uint32_t number, int bits)
{
    uint32_t half = 1u << (bits - 1), rest = number & ((half << 1) - 1), kept = number >> bits;
    return kept + (rest > half || (rest == half && (kept & 1)));
}

aclFloat16 run_aclFloatToFloat16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (magnitude >= 0x47800000) /* 2^16: beyond what rounding could bring back */
        return sign | 0x7c00;
    if (magnitude >= 0x38800000) /* normal; rounding up from the largest gives infinity */
        return sign | (uint16_t)(rounded_shift(magnitude, 13) - (112u << 10));
    int shift = 126 - (int)(magnitude >> 23); /* subnormal: count steps of 2^-24 */
    if (shift > 24)
        return sign;
    return sign | (uint16_t)rounded_shift((magnitude & 0x7fffff) | 0x800000, shift);
}

size_t run_aclDataTypeSize(aclDataType dataType)
{
    for (size_t i = 0; i < TYPE_SIZES_COUNT; i++)
        if (TYPE_SIZES[i].code == (int)dataType)
            return TYPE_SIZES[i].size;
    return 0;
}
