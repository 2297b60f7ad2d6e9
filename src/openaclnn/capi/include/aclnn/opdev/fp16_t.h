/* float16 as a C++ type: a number of 16 bits that computes in float and rounds to nearest even. */
#ifndef ACLNN_OPDEV_FP16_T_H
#define ACLNN_OPDEV_FP16_T_H

#include "acl/acl_base.h"

#ifdef __cplusplus
namespace op {

struct fp16_t {
    uint16_t val;

    fp16_t() : val(0) {}
    template <typename Number>
    fp16_t(const Number &number) : val(aclFloatToFloat16(static_cast<float>(number))) {}

    operator float() const { return aclFloat16ToFloat(val); }

    fp16_t &operator+=(const fp16_t &other) { return *this = float(*this) + float(other); }
    fp16_t &operator-=(const fp16_t &other) { return *this = float(*this) - float(other); }
    fp16_t &operator*=(const fp16_t &other) { return *this = float(*this) * float(other); }
    fp16_t &operator/=(const fp16_t &other) { return *this = float(*this) / float(other); }
};

} /* namespace op */
#endif

#endif
