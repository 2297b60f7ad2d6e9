/* Arguments on their way to Python: a packer for each way of passing. Handles become what they stand
   for, null becomes None; a dead handle is refused by the argument's name and its place in a list. */
#include "internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One argument on its way. A packer that gives null has set the status. */
struct Packing {
    const struct Operator *op;
    const struct Parameter *parameter;
    int argument;
    struct Places *places;
    int status;
};
typedef PythonObject *Packer(struct Packing *packing, union Argument given);

static PythonObject *out_of_memory(struct Packing *packing)
{
    packing->status = fail(ACLNN_ERR_INNER_CREATE_EXECUTOR, packing->op->name, "out of host memory");
    return NULL;
}

static PythonObject *refuse(struct Packing *packing, enum Kind kind, const void *handle)
{
    packing->status = fail_handle(kind, handle, packing->op->name, packing->parameter->name);
    return NULL;
}

static PythonObject *refuse_member(struct Packing *packing, const void *handle, uint64_t member)
{
    char name[256];
    snprintf(name, sizeof name, "%s[%llu]", packing->parameter->name, (unsigned long long)member);
    packing->status = fail_handle(TENSOR, handle, packing->op->name, name);
    return NULL;
}

static bool add_place(struct Packing *packing, const struct Tensor *tensor, uint64_t member,
                      const void *handle)
{
    struct Places *places = packing->places;
    if (places->count == places->room) {
        int larger = places->room ? places->room * 2 : packing->op->count;
        struct Place *grown = realloc(places->items, larger * sizeof *grown);
        if (!grown)
            return false;
        places->items = grown;
        places->room = larger;
    }
    places->items[places->count++] =
        (struct Place){tensor->description.data, tensor->block, tensor_reach(&tensor->description),
                       packing->argument, member, handle};
    return true;
}

/* What Python gets to know of a tensor, null where the handle is dead. With the handles' lock. */
static PythonObject *description_of(struct Packing *packing, const void *handle, uint64_t member)
{
    struct Tensor *tensor = handle_find(TENSOR, handle);
    if (!tensor)
        return NULL;
    tensor_look(tensor);
    if (packing->parameter->used && !add_place(packing, tensor, member, handle))
        return out_of_memory(packing);
    return python_bytes(&tensor->description, tensor->size);
}

static PythonObject *pack_tensor(struct Packing *packing, union Argument given)
{
    if (!given.pointer)
        return python_none();
    handles_lock();
    PythonObject *result = description_of(packing, given.pointer, 0);
    handles_unlock();
    return result || packing->status ? result : refuse(packing, TENSOR, given.pointer);
}

static PythonObject *pack_tensor_list(struct Packing *packing, union Argument given)
{
    if (!given.pointer)
        return python_none();
    handles_lock();
    struct Items list = items_of(TENSOR_LIST, given.pointer);
    const void *const *members = list.items, *dead = NULL;
    PythonObject **items = members && list.count < INT_MAX ? malloc(list.bytes + 1) : NULL;
    uint64_t count = 0;
    while (items && count < list.count && !dead) {
        items[count] = members[count] ? description_of(packing, members[count], count) : python_none();
        dead = items[count] ? NULL : members[count];
        count += !dead;
    }
    handles_unlock();
    PythonObject *result = NULL;
    if (!members)
        refuse(packing, TENSOR_LIST, given.pointer);
    else if (!items)
        out_of_memory(packing);
    else if (!dead)
        result = python_tuple(items, (int)count);
    else if (!packing->status)
        refuse_member(packing, dead, count);
    while (items && !result && count)
        python_drop(items[--count]);
    free(items);
    return result;
}

static PythonObject *pack_scalar(struct Packing *packing, union Argument given)
{
    if (!given.pointer)
        return python_none();
    handles_lock();
    const struct Scalar *scalar = handle_find(SCALAR, given.pointer);
    PythonObject *result = scalar ? python_bytes(&scalar->dtype, scalar->size) : NULL;
    handles_unlock();
    return result ? result : refuse(packing, SCALAR, given.pointer);
}

/* Of every scalar of a list its dtype, its memory, and zeros up to 20 bytes; the caller frees them, and
   holds the handles' lock. Null where one does not live. */
enum { LISTED = 20 };
static unsigned char *listed_scalars(const void *handle, size_t *size)
{
    struct Items list = items_of(SCALAR_LIST, handle);
    const void *const *members = list.items;
    unsigned char *found = members && list.count < INT_MAX ? calloc(list.count + 1, LISTED) : NULL;
    for (uint64_t i = 0; found && i < list.count; i++) {
        const struct Scalar *scalar = members[i] ? handle_find(SCALAR, members[i]) : NULL;
        if (!scalar) {
            free(found);
            return NULL;
        }
        memcpy(found + i * LISTED, &scalar->dtype, scalar->size);
    }
    *size = list.count * LISTED;
    return found;
}

static PythonObject *pack_scalar_list(struct Packing *packing, union Argument given)
{
    if (!given.pointer)
        return python_none();
    size_t size;
    handles_lock();
    unsigned char *found = listed_scalars(given.pointer, &size);
    bool lives = found || handle_find(SCALAR_LIST, given.pointer);
    PythonObject *result = found ? python_bytes(found, size) : NULL;
    handles_unlock();
    free(found);
    if (!found && lives)
        packing->status = fail(ACLNN_ERR_PARAM_NULLPTR, packing->op->name,
                               "%s has a scalar that is null or was destroyed", packing->parameter->name);
    return found || lives ? result : refuse(packing, SCALAR_LIST, given.pointer);
}

static PythonObject *pack_array(struct Packing *packing, enum Kind kind, const void *handle)
{
    if (!handle)
        return python_none();
    handles_lock();
    struct Items found = items_of(kind, handle);
    PythonObject *result = found.items ? python_bytes(found.items, found.bytes) : NULL;
    handles_unlock();
    return result ? result : refuse(packing, kind, handle);
}

static PythonObject *pack_int_array(struct Packing *packing, union Argument given)
{
    return pack_array(packing, INT_ARRAY, given.pointer);
}

static PythonObject *pack_float_array(struct Packing *packing, union Argument given)
{
    return pack_array(packing, FLOAT_ARRAY, given.pointer);
}

static PythonObject *pack_bool_array(struct Packing *packing, union Argument given)
{
    return pack_array(packing, BOOL_ARRAY, given.pointer);
}

static PythonObject *pack_text(struct Packing *packing, union Argument given)
{
    (void)packing;
    return given.pointer ? python_bytes(given.pointer, strlen(given.pointer)) : python_none();
}

#define PACK_VALUE(name, member, made)                                                             \
    static PythonObject *name(struct Packing *packing, union Argument given)                       \
    {                                                                                              \
        (void)packing;                                                                             \
        return made(given.member);                                                                 \
    }
PACK_VALUE(pack_integer, integer, python_signed)
PACK_VALUE(pack_unsigned, natural, python_integer)
PACK_VALUE(pack_float, number, python_float)
PACK_VALUE(pack_double, wide, python_float)
PACK_VALUE(pack_bool, truth, python_bool)

static Packer *const PACKERS[] = {
    [PASS_TENSOR] = pack_tensor, [PASS_TENSOR_LIST] = pack_tensor_list,
    [PASS_SCALAR] = pack_scalar, [PASS_INT_ARRAY] = pack_int_array,
    [PASS_FLOAT_ARRAY] = pack_float_array, [PASS_BOOL_ARRAY] = pack_bool_array,
    [PASS_SCALAR_LIST] = pack_scalar_list,
    [PASS_TEXT] = pack_text, [PASS_INTEGER] = pack_integer, [PASS_UNSIGNED] = pack_unsigned,
    [PASS_FLOAT] = pack_float, [PASS_DOUBLE] = pack_double, [PASS_BOOL] = pack_bool,
};

PythonObject *pack(const struct Operator *op, const union Argument *arguments, struct Places *places,
                   int *status)
{
    PythonObject *items[op->count];
    struct Packing packing = {.op = op, .places = places};
    for (int i = 0; i < op->count; i++) {
        packing.argument = i;
        packing.parameter = &op->parameters[i];
        items[i] = PACKERS[packing.parameter->passing](&packing, arguments[i]);
        if (!items[i]) {
            *status = packing.status;
            while (i--)
                python_drop(items[i]);
            return NULL;
        }
    }
    return python_tuple(items, op->count);
}

#define NULL_SIZE UINT64_MAX /* of an argument that is null */

bool key_add(struct CallKey *key, const void *data, size_t size)
{
    uint64_t said = data ? size : NULL_SIZE;
    size_t padded = data ? (size + 7) / 8 * 8 : 0;
    if (padded + sizeof said > sizeof key->bytes - key->size)
        return false;
    unsigned char *end = key->bytes + key->size;
    memcpy(end, &said, sizeof said);
    if (data) {
        memset(end + sizeof said + size, 0, padded - size);
        memcpy(end + sizeof said, data, size);
    }
    key->size += sizeof said + padded;
    return true;
}

const void *key_next(const struct CallKey *key, size_t *at, size_t *size)
{
    uint64_t said;
    memcpy(&said, key->bytes + *at, sizeof said);
    *at += sizeof said;
    if (said == NULL_SIZE)
        return NULL;
    const void *found = key->bytes + *at;
    *size = said;
    *at += (said + 7) / 8 * 8;
    return found;
}

static bool add_tensor(struct Packing *packing, struct CallKey *key, const void *handle,
                       uint64_t member)
{
    struct Tensor *tensor = handle_find(TENSOR, handle);
    if (!tensor)
        return false;
    tensor_look(tensor);
    return (!packing->parameter->used || add_place(packing, tensor, member, handle)) &&
           key_add(key, &tensor->description, tensor->size);
}

/* How many members a list has, then each of them like an argument. */
static bool add_list(struct Packing *packing, struct CallKey *key, const void *handle)
{
    struct Items list = items_of(TENSOR_LIST, handle);
    const void *const *members = list.items;
    if (!members || !key_add(key, &list.count, sizeof list.count))
        return false;
    for (uint64_t i = 0; i < list.count; i++)
        if (members[i] ? !add_tensor(packing, key, members[i], i) : !key_add(key, NULL, 0))
            return false;
    return true;
}

static bool add_scalars(struct CallKey *key, const void *handle)
{
    size_t size;
    unsigned char *found = listed_scalars(handle, &size);
    bool added = found && key_add(key, found, size);
    free(found);
    return added;
}

/* The bytes that Python gets of an argument that is not null. */
static bool add_argument(struct Packing *packing, struct CallKey *key, union Argument given)
{
    const struct Scalar *scalar;
    struct Items found;
    switch (packing->parameter->passing) {
    case PASS_TENSOR:
        return add_tensor(packing, key, given.pointer, 0);
    case PASS_TENSOR_LIST:
        return add_list(packing, key, given.pointer);
    case PASS_SCALAR:
        scalar = handle_find(SCALAR, given.pointer);
        return scalar && key_add(key, &scalar->dtype, scalar->size);
    case PASS_INT_ARRAY:
    case PASS_FLOAT_ARRAY:
    case PASS_BOOL_ARRAY:
        found = items_of(packing->parameter->passing == PASS_INT_ARRAY     ? INT_ARRAY
                         : packing->parameter->passing == PASS_FLOAT_ARRAY ? FLOAT_ARRAY
                                                                           : BOOL_ARRAY,
                         given.pointer);
        return found.items && key_add(key, found.items, found.bytes);
    case PASS_SCALAR_LIST:
        return add_scalars(key, given.pointer);
    case PASS_TEXT:
        return key_add(key, given.pointer, strlen(given.pointer));
    case PASS_FLOAT:
        return key_add(key, &given.number, sizeof given.number);
    case PASS_BOOL:
        return key_add(key, &given.truth, sizeof given.truth);
    default:
        return key_add(key, &given, sizeof given);
    }
}

static bool is_pointer(enum Passing passing)
{
    return passing <= PASS_TEXT;
}

bool key_of(const struct Operator *op, const union Argument *arguments, struct CallKey *key,
            struct Places *places)
{
    struct Packing packing = {.op = op, .places = places};
    key->size = 0;
    for (int i = 0; i < op->count; i++) {
        packing.argument = i;
        packing.parameter = &op->parameters[i];
        bool null = is_pointer(packing.parameter->passing) && !arguments[i].pointer;
        if (null ? !key_add(key, NULL, 0) : !add_argument(&packing, key, arguments[i]))
            return false;
    }
    return true;
}

/* More bytes behind those of a buffer that grows. */
static bool append(struct Bytes *buffer, const struct CallKey *key)
{
    unsigned char *grown = realloc(buffer->items, buffer->size + key->size);
    if (!grown)
        return false;
    memcpy(grown + buffer->size, key->bytes, key->size);
    buffer->items = grown;
    buffer->size += key->size;
    return true;
}

static bool append_argument(struct Packing *packing, struct Bytes *buffer, union Argument given)
{
    struct CallKey key = {0};
    if (is_pointer(packing->parameter->passing) && !given.pointer)
        return key_add(&key, NULL, 0) && append(buffer, &key);
    if (packing->parameter->passing != PASS_TENSOR_LIST)
        return add_argument(packing, &key, given) && append(buffer, &key);
    struct Items list = items_of(TENSOR_LIST, given.pointer);
    const void *const *members = list.items;
    bool added = members && key_add(&key, &list.count, sizeof list.count) && append(buffer, &key);
    for (uint64_t i = 0; added && i < list.count; i++) {
        key.size = 0;
        added = (members[i] ? add_tensor(packing, &key, members[i], i) : key_add(&key, NULL, 0)) &&
                append(buffer, &key);
    }
    return added;
}

struct Bytes arguments_of(const struct Operator *op, const union Argument *arguments)
{
    struct Places places = {0};
    struct Packing packing = {.op = op, .places = &places};
    struct Bytes found = {0};
    handles_lock();
    for (int i = 0; i < op->count; i++) {
        packing.argument = i;
        packing.parameter = &op->parameters[i];
        if (!append_argument(&packing, &found, arguments[i])) {
            free(found.items);
            found = (struct Bytes){0};
            break;
        }
    }
    handles_unlock();
    free(places.items);
    return found;
}

/* The object that a packer made of the argument whose bytes these are. */
static PythonObject *object_of(enum Passing passing, const void *bytes, size_t size)
{
    union Argument value = {0};
    if (!bytes)
        return python_none();
    if (is_pointer(passing))
        return python_bytes(bytes, size);
    memcpy(&value, bytes, size);
    return PACKERS[passing](NULL, value);
}

PythonObject *pack_again(const struct Operator *op, const struct CallKey *key)
{
    PythonObject *items[op->count], *members[sizeof key->bytes / sizeof(uint64_t)];
    size_t at = 0, size = 0;
    for (int i = 0; i < op->count; i++) {
        const void *bytes = key_next(key, &at, &size);
        if (!bytes || op->parameters[i].passing != PASS_TENSOR_LIST) {
            items[i] = object_of(op->parameters[i].passing, bytes, size);
            continue;
        }
        uint64_t count;
        memcpy(&count, bytes, sizeof count);
        for (uint64_t k = 0; k < count; k++) {
            bytes = key_next(key, &at, &size);
            members[k] = object_of(PASS_TENSOR, bytes, size);
        }
        items[i] = python_tuple(members, (int)count);
    }
    return python_tuple(items, op->count);
}
