/* Arrays of numbers, and lists of tensors or scalars. A list owns its members. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct Collection {
    uint64_t count;
    size_t bytes;
    unsigned char items[];
};

static void *create(const char *function, enum Kind kind, const void *items, uint64_t count,
                    size_t item_size)
{
    struct Collection *collection = NULL;
    if (count && !items)
        fail(ACLNN_ERR_PARAM_NULLPTR, function, "value is null; expected %llu items",
             (unsigned long long)count);
    else if (count > (SIZE_MAX / 2) / item_size ||
             !(collection = malloc(sizeof *collection + count * item_size)))
        fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory for %llu items",
             (unsigned long long)count);
    if (collection) {
        collection->count = count;
        collection->bytes = count * item_size;
        if (count)
            memcpy(collection->items, items, collection->bytes);
    }
    return handle_new(kind, collection);
}

static aclnnStatus destroy(const char *function, enum Kind kind, const void *handle)
{
    struct Collection *found = handle_end(kind, handle, DESTROYED);
    free(found);
    return found || !handle ? 0 : fail_handle(kind, handle, function, "array");
}

static aclnnStatus size_of(const char *function, enum Kind kind, const void *handle,
                           uint64_t *size)
{
    handles_lock();
    struct Collection *found = handle_find(kind, handle);
    if (found)
        *size = found->count;
    handles_unlock();
    return found ? 0 : fail_handle(kind, handle, function, "array");
}

/* A list of dead members would be a trap: refuse it while the program can still be told. */
static void *create_list(const char *function, enum Kind kind, enum Kind member,
                         const void *const *items, uint64_t count)
{
    for (uint64_t i = 0; items && i < count; i++) {
        handles_lock();
        bool lives = !items[i] || handle_find(member, items[i]);
        handles_unlock();
        if (!lives) {
            fail(ACLNN_ERR_PARAM_INVALID, function, "value[%llu] %s", (unsigned long long)i,
                 handle_trouble(member, items[i]));
            return NULL;
        }
    }
    return create(function, kind, items, count, sizeof *items);
}

struct Items items_of(enum Kind kind, const void *handle)
{
    const struct Collection *found = handle_find(kind, handle);
    return found ? (struct Items){found->items, found->count, found->bytes} : (struct Items){0};
}

const void *tensor_of_list(const void *list, uint64_t index)
{
    struct Items found = items_of(TENSOR_LIST, list);
    return index < found.count ? ((const void *const *)found.items)[index] : NULL;
}

static aclnnStatus destroy_list(const char *function, enum Kind kind, enum Kind member,
                                const void *handle)
{
    struct Collection *found = handle_end(kind, handle, DESTROYED);
    if (!found)
        return handle ? fail_handle(kind, handle, function, "array") : 0;
    aclnnStatus status = 0;
    const void **members = (const void **)found->items;
    for (uint64_t i = 0; i < found->count; i++) {
        void *object = members[i] ? handle_end(member, members[i], DESTROYED) : NULL;
        if (members[i] && !object)
            status = fail(ACLNN_ERR_PARAM_INVALID, function,
                          "member %llu %s; the list owns its members, do not destroy them",
                          (unsigned long long)i, handle_trouble(member, members[i]));
        free(object);
    }
    free(found);
    return status;
}

#define ARRAY(Name, kind, Item)                                                                    \
    acl##Name *run_aclCreate##Name(const Item *value, uint64_t size)                               \
    {                                                                                              \
        return create(__func__, kind, value, size, sizeof *value);                                 \
    }                                                                                              \
    aclnnStatus run_aclDestroy##Name(const acl##Name *array)                                       \
    {                                                                                              \
        return destroy(__func__, kind, array);                                                     \
    }                                                                                              \
    aclnnStatus run_aclGet##Name##Size(const acl##Name *array, uint64_t *size)                     \
    {                                                                                              \
        return size_of(__func__, kind, array, size);                                               \
    }

#define LIST(Name, kind, Member, member)                                                           \
    acl##Name *run_aclCreate##Name(const Member *const *value, uint64_t size)                      \
    {                                                                                              \
        return create_list(__func__, kind, member, (const void *const *)value, size);              \
    }                                                                                              \
    aclnnStatus run_aclDestroy##Name(const acl##Name *list)                                        \
    {                                                                                              \
        return destroy_list(__func__, kind, member, list);                                         \
    }                                                                                              \
    aclnnStatus run_aclGet##Name##Size(const acl##Name *list, uint64_t *size)                      \
    {                                                                                              \
        return size_of(__func__, kind, list, size);                                                \
    }

ARRAY(IntArray, INT_ARRAY, int64_t)
ARRAY(FloatArray, FLOAT_ARRAY, float)
ARRAY(BoolArray, BOOL_ARRAY, bool)
LIST(TensorList, TENSOR_LIST, aclTensor, TENSOR)
LIST(ScalarList, SCALAR_LIST, aclScalar, SCALAR)
