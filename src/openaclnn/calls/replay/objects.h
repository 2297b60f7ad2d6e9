/* What of a call is read from Python's, NumPy's and PyTorch's objects: the words that two calls must
   have in common, addresses and layouts.

   Python's headers are not needed: of its stable interface the few functions below. native.py has made
   sure of what is read of objects (NumPy's public layout; the place of a tensor in PyTorch's object,
   which it found by comparing). */
#pragma once
#include "replay.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Object {
    intptr_t count;
    struct Object *type;
} Object;
struct Method {
    const char *name;
    Object *(*function)(Object *, Object *const *, intptr_t);
    int flags;
    const char *doc;
};
enum { METH_FASTCALL = 0x80 };

extern char PyFloat_Type[], PyLong_Type[], PyTuple_Type[], PyList_Type[];
extern char _Py_NoneStruct[], _Py_FalseStruct[], _Py_TrueStruct[];
void Py_IncRef(Object *);
void Py_DecRef(Object *);
void PyErr_Clear(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
Object *PyCFunction_NewEx(struct Method *, Object *, Object *);
Object *PyCapsule_New(void *, const char *, void (*)(Object *));
void *PyCapsule_GetPointer(Object *, const char *);
double PyFloat_AsDouble(Object *);
long long PyLong_AsLongLongAndOverflow(Object *, int *);
unsigned long long PyLong_AsUnsignedLongLong(Object *);
Object *PyObject_CallNoArgs(Object *);
Object *PyObject_CallObject(Object *, Object *);
Object *PyObject_CallFunctionObjArgs(Object *, ...);
Object *PyObject_GetAttr(Object *, Object *);
Object *PyDict_GetItemWithError(Object *, Object *);
Object *PyErr_Occurred(void);
Object *PyTuple_New(intptr_t);
intptr_t PyTuple_Size(Object *);
Object *PyTuple_GetItem(Object *, intptr_t);
int PyTuple_SetItem(Object *, intptr_t, Object *);
intptr_t PyList_Size(Object *);
Object *PyList_GetItem(Object *, intptr_t);

#define NONE ((Object *)_Py_NoneStruct)
static const char NAME[] = "openaclnn table"; /* of what functions know */

/* Of NumPy: the beginning of its array object, and one function of its table. */
struct Array {
    Object head;
    void *data;
    int dims;
    intptr_t *sizes, *strides;
    Object *base, *dtype;
    int flags;
};
enum { WRITEABLE = 0x0400 };
struct Numpy {
    Object *type;
    Object *(*empty)(int dims, const intptr_t *sizes, Object *dtype, int fortran);
};

/* Of PyTorch: the C functions that its own compiled programs call. They take the address of an
   at::Tensor, which is a pointer to what the tensor is. */
struct Torch {
    Object *type, *parameter; /* of which tensors are like any others */
    uint64_t tensor; /* where it lies in the object */
    uint64_t keys;   /* where its dispatch keys lie in what it points to */
    void *library;   /* in which the calling thread's keys are found by this name: */
    const char *local_keys;
    int32_t (*dtype)(void *, int32_t *);
    int32_t (*dims)(void *, int64_t *);
    int32_t (*sizes)(void *, int64_t **);
    int32_t (*strides)(void *, int64_t **);
    int32_t (*data)(void *, void **);
    int32_t (*device_type)(void *, int32_t *);
    int32_t (*device_index)(void *, int32_t *);
    int32_t (*empty)(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, void **);
    int32_t (*drop)(void *);
    bool (*grad_enabled)(void);
    bool (*watched)(void); /* whether a profiler is told of operators; null: who knows */
    Object *(*wrap)(void *);
    Object *modes;         /* how many modes see every function */
    Object *requires_grad; /* the attribute's name */
    Object *written;       /* what is to be told that a tensor was written to */
    Object *forward;       /* where forward mode keeps its level, by this name: */
    Object *level, *outside; /* … and what that is outside of forward mode */
};

static struct Numpy numpy;
static struct Torch torch;

enum { OPERANDS = 12, DIMS = 16, TRACED = 64 };

/* How an array lies in memory; strides in bytes or in elements. */
struct View {
    int64_t dims;
    const int64_t *sizes, *strides;
};

/* What equal calls have in common, in words; and what those have whose recordings are in one tree.
   Counts beyond the room: too much. */
enum { WORDS = 160, FACTS = 96 };
struct Key {
    int count, fact_count;
    uint64_t words[WORDS], facts[FACTS];
};

static void add(struct Key *key, uint64_t word)
{
    if (key->count < WORDS)
        key->words[key->count] = word;
    key->count++;
}

/* A word of both. */
static void add_fact(struct Key *key, uint64_t word)
{
    if (key->fact_count < FACTS)
        key->facts[key->fact_count] = word;
    key->fact_count++;
    add(key, word);
}

/* What recordings are given of a call: its operands' addresses and layouts, and attributes. */
struct Given {
    uint64_t addresses[OPERANDS];
    struct View views[OPERANDS];
    int64_t traced[TRACED];
    int count;
};

static bool trace(struct Given *given, struct Key *key, int64_t word)
{
    add(key, (uint64_t)word);
    if (given->count < TRACED)
        given->traced[given->count] = word;
    return given->count++ < TRACED;
}

static void add_layout(struct Key *key, int64_t dims, const int64_t *sizes, const int64_t *strides)
{
    add_fact(key, (uint64_t)dims);
    for (int64_t i = 0; i < dims && key->count <= WORDS; i++) {
        add(key, (uint64_t)sizes[i]);
        add(key, (uint64_t)strides[i]);
    }
}

static bool read_numpy(Object *object, bool written, struct Key *key, uint64_t *address,
                       struct View *view)
{
    const struct Array *array = (const struct Array *)object;
    add_fact(key, (uint64_t)array->dtype);
    add_layout(key, array->dims, array->sizes, array->strides);
    if (written)
        add_fact(key, array->flags & WRITEABLE);
    *address = (uint64_t)array->data;
    *view = (struct View){array->dims, array->sizes, array->strides};
    return true;
}

/* Dispatch keys of tensors on which calls went well: strided, with memory, nothing in between. */
static uint64_t usual_keys[8];
static int usual_keys_count;

static uint64_t keys_of(Object *tensor)
{
    const char *what = *(const char **)((char *)tensor + torch.tensor);
    return *(const uint64_t *)(what + torch.keys);
}

static bool has_usual_keys(Object *tensor)
{
    uint64_t keys = keys_of(tensor);
    for (int i = 0; i < usual_keys_count; i++)
        if (usual_keys[i] == keys)
            return true;
    return false;
}

static void learn_keys(Object *tensor)
{
    if (!has_usual_keys(tensor) && usual_keys_count < 8)
        usual_keys[usual_keys_count++] = keys_of(tensor);
}

/* Whether autograd would have to record this. */
static bool needs_gradient(Object *tensor)
{
    if (!torch.grad_enabled())
        return false;
    Object *found = PyObject_GetAttr(tensor, torch.requires_grad);
    Py_DecRef(found);
    if (!found)
        PyErr_Clear();
    return found != (Object *)_Py_FalseStruct;
}

static bool read_torch(Object *object, struct Key *key, uint64_t *address, struct View *view)
{
    void *tensor = (char *)object + torch.tensor;
    int32_t dtype, index;
    int64_t dims, *sizes, *strides;
    void *data;
    if (!has_usual_keys(object) || needs_gradient(object))
        return false;
    if (torch.dtype(tensor, &dtype) || torch.device_index(tensor, &index) ||
        torch.dims(tensor, &dims) || torch.sizes(tensor, &sizes) ||
        torch.strides(tensor, &strides) || torch.data(tensor, &data))
        return false;
    add_fact(key, keys_of(object));
    add_fact(key, (uint64_t)(uint32_t)dtype << 32 | (uint32_t)index);
    add_layout(key, dims, sizes, strides);
    *address = (uint64_t)data;
    *view = (struct View){dims, sizes, strides};
    return true;
}

/* What PyTorch does otherwise just now: transforms, inference, modes that see every operator; null
   where modes see every function, and in forward mode, in which tensors may have tangents. */
static const uint64_t *torch_state(void)
{
    static __thread const uint64_t *local_keys;
    if (!local_keys)
        local_keys = dlsym(torch.library, torch.local_keys);
    if (PyDict_GetItemWithError(torch.forward, torch.level) != torch.outside)
        return NULL;
    Object *modes = PyObject_CallNoArgs(torch.modes);
    unsigned long long count = modes ? PyLong_AsUnsignedLongLong(modes) : 1;
    Py_DecRef(modes);
    return count ? NULL : local_keys;
}

static bool read_torch_state(struct Key *key)
{
    const uint64_t *state = torch_state();
    if (!state)
        return false;
    add_fact(key, state[0]);
    add_fact(key, state[1]);
    return true;
}

/* Whether PyTorch's dispatcher would do nothing above autograd. */
static Object *is_quiet(Object *self, Object *const *arguments, intptr_t count)
{
    (void)self, (void)arguments, (void)count;
    const uint64_t *state = torch.watched && !torch.watched() ? torch_state() : NULL;
    PyErr_Clear();
    Object *answer = (Object *)(state && !state[0] && !state[1] ? _Py_TrueStruct : _Py_FalseStruct);
    Py_IncRef(answer);
    return answer;
}

static Object *type_of(const Object *array)
{
    return array->type == torch.parameter ? torch.type : array->type;
}

static bool read_array(Object *array, Object *type, bool written, struct Key *key,
                       uint64_t *address, struct View *view)
{
    if (type_of(array) != type)
        return false;
    add_fact(key, (uint64_t)type);
    return type == numpy.type ? read_numpy(array, written, key, address, view)
                              : read_torch(array, key, address, view);
}

/* An attribute: a number by its type and bits, a list as a tuple by what is in it, anything else by
   being the same. */
static bool read_value(Object *value, struct Key *key)
{
    bool list = value->type == (Object *)PyList_Type;
    add_fact(key, list ? (uint64_t)PyTuple_Type : (uint64_t)value->type);
    if (value->type == (Object *)PyFloat_Type) {
        double found = PyFloat_AsDouble(value);
        uint64_t bits;
        memcpy(&bits, &found, sizeof bits);
        add_fact(key, bits);
    } else if (value->type == (Object *)PyLong_Type) {
        int overflow;
        add_fact(key, (uint64_t)PyLong_AsLongLongAndOverflow(value, &overflow));
        return !overflow;
    } else if (list || value->type == (Object *)PyTuple_Type) {
        intptr_t count = list ? PyList_Size(value) : PyTuple_Size(value);
        add_fact(key, (uint64_t)count);
        for (intptr_t i = 0; i < count && key->count <= WORDS; i++)
            if (!read_value(list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i), key))
                return false;
    } else {
        add_fact(key, (uint64_t)value);
    }
    return true;
}

/* Which attributes are inputs of recordings: calls have their types and lengths in common. */
enum Tracing { NOT_TRACED, INTEGERS, NUMBER };

static bool read_integer(Object *value, struct Key *key, struct Given *given)
{
    int overflow;
    return value->type == (Object *)PyLong_Type &&
           trace(given, key, PyLong_AsLongLongAndOverflow(value, &overflow)) && !overflow;
}

static bool read_attribute(Object *value, enum Tracing tracing, struct Key *key, struct Given *given)
{
    bool list = value->type == (Object *)PyList_Type;
    if (tracing == NUMBER && value->type == (Object *)PyFloat_Type) {
        double found = PyFloat_AsDouble(value);
        int64_t bits;
        memcpy(&bits, &found, sizeof bits);
        add_fact(key, (uint64_t)value->type);
        return trace(given, key, bits);
    }
    if (tracing == INTEGERS && value->type == (Object *)PyLong_Type) {
        add_fact(key, (uint64_t)value->type);
        return read_integer(value, key, given);
    }
    if (tracing != INTEGERS || !(list || value->type == (Object *)PyTuple_Type))
        return read_value(value, key);
    intptr_t count = list ? PyList_Size(value) : PyTuple_Size(value);
    add_fact(key, (uint64_t)PyTuple_Type);
    add_fact(key, (uint64_t)count);
    for (intptr_t i = 0; i < count && key->count <= WORDS; i++)
        if (!read_integer(list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i), key, given))
            return false;
    return true;
}
