/* Which objects exist. A handle is a ticket (kind, slot, number of the slot's tenant), never an
   address: a stale or invented one is recognised without touching any memory, however often the
   slot has been let again since. */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Slot {
    void *object; /* null while the slot is free */
    uint32_t tenant, next_free;
    uint8_t kind, fate; /* the fate of the tenant before, while the slot is free */
};

/* A freed slot rests until this many others are free too, so that for a while its fate is known. */
enum { RESTING = 1024, SLOT_BITS = 24, TENANT_SHIFT = SLOT_BITS + 3, KIND_SHIFT = 59 };
#define NO_SLOT UINT32_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Slot *slots;
static uint32_t count, capacity, free_count, first_free, last_free;

void handles_lock(void)
{
    pthread_mutex_lock(&lock);
}

void handles_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void *ticket(uint32_t index)
{
    return (void *)((uint64_t)slots[index].kind << KIND_SHIFT |
                    (uint64_t)slots[index].tenant << TENANT_SHIFT | (uint64_t)index << 3);
}

static struct Slot *slot_of(enum Kind kind, const void *handle)
{
    uint64_t bits = (uint64_t)handle;
    uint32_t index = bits >> 3 & ((1u << SLOT_BITS) - 1);
    if ((bits & 7) || bits >> KIND_SHIFT != (uint64_t)kind || index >= count)
        return NULL;
    return &slots[index];
}

static uint32_t tenant_of(const void *handle)
{
    return (uint32_t)((uint64_t)handle >> TENANT_SHIFT);
}

/* A slot that nobody has, or NO_SLOT without memory. */
static uint32_t vacant(void)
{
    if (free_count > RESTING || (free_count && count == 1u << SLOT_BITS)) {
        uint32_t index = first_free;
        first_free = slots[index].next_free;
        free_count--;
        return index;
    }
    if (count == capacity) {
        uint32_t larger = capacity ? capacity * 2 : 256;
        struct Slot *grown = NULL;
        if (larger <= 1u << SLOT_BITS)
            grown = realloc(slots, larger * sizeof *slots);
        if (!grown)
            return NO_SLOT;
        slots = grown;
        capacity = larger;
    }
    slots[count] = (struct Slot){0};
    return count++;
}

void *handle_new(enum Kind kind, void *object)
{
    void *handle = NULL;
    if (!object)
        return NULL;
    handles_lock();
    uint32_t index = vacant();
    if (index != NO_SLOT) {
        slots[index].object = object;
        slots[index].kind = kind;
        handle = ticket(index);
    }
    handles_unlock();
    if (!handle) {
        free(object);
        fail(ACL_ERROR_BAD_ALLOC, "openaclnn", "no memory for another handle");
    }
    return handle;
}

void *handle_find(enum Kind kind, const void *handle)
{
    struct Slot *slot = slot_of(kind, handle);
    bool lives = slot && slot->kind == kind && slot->tenant == tenant_of(handle);
    return lives ? slot->object : NULL;
}

void *handle_replace(enum Kind kind, const void *handle, void *object)
{
    void *old = handle_find(kind, handle);
    if (old)
        slot_of(kind, handle)->object = object;
    return old;
}

void *handle_end(enum Kind kind, const void *handle, enum Fate fate)
{
    handles_lock();
    void *object = handle_find(kind, handle);
    if (object) {
        struct Slot *slot = slot_of(kind, handle);
        uint32_t index = slot - slots;
        slot->object = NULL;
        slot->fate = fate;
        slot->tenant++;
        if (free_count)
            slots[last_free].next_free = index;
        else
            first_free = index;
        last_free = index;
        free_count++;
    } else if (fate == DESTROYED && handle_fate(kind, handle) == HAS_RUN) {
        slot_of(kind, handle)->fate = DESTROYED;
    }
    handles_unlock();
    return object;
}

enum Fate handle_fate(enum Kind kind, const void *handle)
{
    struct Slot *slot = slot_of(kind, handle);
    uint32_t tenant = tenant_of(handle);
    if (!slot || tenant > slot->tenant || (tenant == slot->tenant && slot->kind != kind))
        return NEVER_LIVED;
    if (tenant == slot->tenant)
        return slot->object ? LIVES : NEVER_LIVED;
    if (tenant + 1 == slot->tenant && !slot->object)
        return slot->kind == kind ? (enum Fate)slot->fate : NEVER_LIVED;
    return LONG_GONE;
}

static const char *const NAMES[] = {
    [TENSOR] = "aclTensor", [SCALAR] = "aclScalar", [INT_ARRAY] = "aclIntArray",
    [FLOAT_ARRAY] = "aclFloatArray", [BOOL_ARRAY] = "aclBoolArray",
    [TENSOR_LIST] = "aclTensorList", [SCALAR_LIST] = "aclScalarList",
    [EXECUTOR] = "aclOpExecutor", [STREAM] = "aclrtStream", [EVENT] = "aclrtEvent",
    [CONTEXT] = "aclrtContext", [PHYSICAL_MEMORY] = "aclrtDrvMemHandle",
    [DATA_BUFFER] = "aclDataBuffer", [MODEL] = "aclmdlRI",
    [DESCRIPTOR] = "aclTensorDesc", [ATTRIBUTES] = "aclopAttr", [COMMUNICATOR] = "HcclComm",
};

const char *handle_trouble(enum Kind kind, const void *handle)
{
    static __thread char text[160];
    enum Kind other = (enum Kind)((uint64_t)handle >> KIND_SHIFT);
    handles_lock();
    enum Fate fate = handle_fate(kind, handle);
    bool is_other = other != kind && handle_find(other, handle);
    handles_unlock();
    if (is_other)
        snprintf(text, sizeof text, "is no %s but an %s", NAMES[kind], NAMES[other]);
    else if (fate == NEVER_LIVED)
        snprintf(text, sizeof text, "is no %s (%p)", NAMES[kind], handle);
    else if (fate == HAS_RUN)
        snprintf(text, sizeof text, "is an %s that has run already", NAMES[kind]);
    else
        snprintf(text, sizeof text, "is an %s that was destroyed%s", NAMES[kind],
                 kind == TENSOR || kind == SCALAR ? ", alone or with a list that owned it"
                 : kind == EXECUTOR && fate == LONG_GONE ? " or has run already" : "");
    return text;
}

int fail_handle(enum Kind kind, const void *handle, const char *function, const char *argument)
{
    bool runtime = kind >= STREAM;
    if (!handle)
        return fail(runtime ? ACL_ERROR_INVALID_PARAM : ACLNN_ERR_PARAM_NULLPTR, function,
                    "%s is null; expected an %s", argument, NAMES[kind]);
    int code = runtime ? ACL_ERROR_RT_INVALID_HANDLE
               : kind == EXECUTOR ? ACLNN_ERR_INNER : ACLNN_ERR_PARAM_INVALID;
    return fail(code, function, "%s %s", argument, handle_trouble(kind, handle));
}
