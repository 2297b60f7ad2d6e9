/* The short cut of shortcut.py in C: what two calls have in common is read from the arrays into
   words; where an earlier call had the same words, its kernel runs on this one's addresses. Whatever
   is unusual, fails, or was never met is Python's: `slow` gets the same arguments, and says what is
   wrong with them.

   Python's headers are not needed: of its stable interface the few functions below. door.py has made
   sure of what is read of objects (NumPy's public layout; the place of a tensor in PyTorch's object,
   which it found by comparing). */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

extern char PyFloat_Type[], PyLong_Type[], PyTuple_Type[], _Py_NoneStruct[], _Py_FalseStruct[];
void Py_IncRef(Object *);
void Py_DecRef(Object *);
void PyErr_Clear(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
Object *PyCFunction_NewEx(struct Method *, Object *, Object *);
Object *PyCapsule_New(void *, const char *, void *);
void *PyCapsule_GetPointer(Object *, const char *);
double PyFloat_AsDouble(Object *);
long long PyLong_AsLongLongAndOverflow(Object *, int *);
unsigned long long PyLong_AsUnsignedLongLong(Object *);
Object *PyObject_CallNoArgs(Object *);
Object *PyObject_CallObject(Object *, Object *);
Object *PyObject_CallFunctionObjArgs(Object *, ...);
Object *PyObject_GetAttr(Object *, Object *);
Object *PyErr_Occurred(void);
Object *PyTuple_New(intptr_t);
intptr_t PyTuple_Size(Object *);
Object *PyTuple_GetItem(Object *, intptr_t);
int PyTuple_SetItem(Object *, intptr_t, Object *);

#define NONE ((Object *)_Py_NoneStruct)

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
    Object *type;
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
    Object *(*wrap)(void *);
    Object *modes;         /* how many modes see every function */
    Object *requires_grad; /* the attribute's name */
    Object *written;       /* what is to be told that a tensor was written to */
};

static struct Numpy numpy;
static struct Torch torch;

/* What calls must have in common, in words; `count` beyond WORDS: too much. */
enum { WORDS = 160, OPERANDS = 12, DIMS = 16, BLOCK = 512, KNOWN = 1024, ROOM = 2 * KNOWN };
struct Key {
    int count;
    uint64_t words[WORDS];
};

static void add(struct Key *key, uint64_t word)
{
    if (key->count < WORDS)
        key->words[key->count] = word;
    key->count++;
}

static void add_all(struct Key *key, const int64_t *words, int64_t count)
{
    for (int64_t i = 0; i < count && key->count <= WORDS; i++)
        add(key, (uint64_t)words[i]);
}

static bool read_numpy(Object *object, bool written, struct Key *key, uint64_t *address)
{
    const struct Array *array = (const struct Array *)object;
    add(key, (uint64_t)array->dtype);
    add(key, (uint64_t)array->dims);
    add_all(key, array->sizes, array->dims);
    add_all(key, array->strides, array->dims);
    if (written)
        add(key, array->flags & WRITEABLE);
    *address = (uint64_t)array->data;
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

static bool read_torch(Object *object, struct Key *key, uint64_t *address)
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
    add(key, keys_of(object));
    add(key, (uint64_t)(uint32_t)dtype << 32 | (uint32_t)index);
    add(key, (uint64_t)dims);
    add_all(key, sizes, dims);
    add_all(key, strides, dims);
    *address = (uint64_t)data;
    return true;
}

/* What PyTorch does otherwise just now: modes, transforms, inference. */
static bool read_torch_state(struct Key *key)
{
    static __thread const uint64_t *local_keys;
    if (!local_keys)
        local_keys = dlsym(torch.library, torch.local_keys);
    Object *modes = PyObject_CallNoArgs(torch.modes);
    unsigned long long count = modes ? PyLong_AsUnsignedLongLong(modes) : 1;
    Py_DecRef(modes);
    if (!local_keys || count)
        return false;
    add(key, local_keys[0]);
    add(key, local_keys[1]);
    return true;
}

static bool read_array(Object *array, Object *type, bool written, struct Key *key, uint64_t *address)
{
    if (array->type != type)
        return false;
    add(key, (uint64_t)type);
    return type == numpy.type ? read_numpy(array, written, key, address)
                              : read_torch(array, key, address);
}

/* An attribute: a number by its type and bits, anything else by being the same. */
static bool read_value(Object *value, struct Key *key)
{
    add(key, (uint64_t)value->type);
    if (value->type == (Object *)PyFloat_Type) {
        double number = PyFloat_AsDouble(value);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        add(key, bits);
    } else if (value->type == (Object *)PyLong_Type) {
        int overflow;
        add(key, (uint64_t)PyLong_AsLongLongAndOverflow(value, &overflow));
        return !overflow;
    } else if (value->type == (Object *)PyTuple_Type) {
        intptr_t count = PyTuple_Size(value);
        add(key, (uint64_t)count);
        for (intptr_t i = 0; i < count && key->count <= WORDS; i++)
            if (!read_value(PyTuple_GetItem(value, i), key))
                return false;
    } else {
        add(key, (uint64_t)value);
    }
    return true;
}

/* What the kernel of a call was, and how to run it on other addresses. */
struct Near { /* see _Near in shortcut.py */
    int64_t above, below, same_elements;
};
struct Launch {
    void *function;
    uint64_t *block; /* what it takes; first the operands' addresses */
    uint64_t block_words;
    const struct Near *near;
    Object *keep;   /* what the key's words are about */
    Object *stream; /* asked for a GPU's stream; else null */
    int (*on_gpu)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    uint32_t programs, threads, shared;
    int32_t holding; /* too short to give Python's lock away */
};
struct Recipe {
    struct Launch launch;
    struct Near near[OPERANDS];
    uint64_t offsets[OPERANDS]; /* from an operand's first element to what its kernel takes */
    uint64_t phases[OPERANDS];  /* that, modulo 16: what a GPU's kernel was made for */
    Object *dtype;              /* of a result that is to be made: NumPy's … */
    int32_t code, device_type, device_index; /* … or PyTorch's */
    int64_t dims, sizes[DIMS], strides[DIMS];
    int users;    /* calls that are about to launch it */
    bool dropped; /* the last of them ends it */
    int count;
    uint64_t words[]; /* its key */
};

struct Door {
    int tensors, attributes, operands;
    int changed;               /* the tensor that is read and written, -1: none */
    int output;                /* among the operands */
    int operand_of[OPERANDS];  /* of each tensor, -1: it is not read */
    bool optional[OPERANDS];   /* it may be None */
    Object *choice;
    struct Recipe *latest, *known[ROOM];
    int known_count;
};

static void end(struct Recipe *recipe)
{
    if (recipe->users) {
        recipe->dropped = true;
        return;
    }
    Object *kept[] = {recipe->launch.keep, recipe->launch.stream, recipe->dtype};
    free(recipe->launch.block);
    free(recipe);
    for (int i = 0; i < 3; i++) /* last: this may run anything */
        Py_DecRef(kept[i]);
}

static void leave(struct Recipe *recipe)
{
    if (--recipe->users == 0 && recipe->dropped)
        end(recipe);
}

static bool is_for(const struct Recipe *recipe, const struct Key *key)
{
    return recipe->count == key->count &&
           !memcmp(recipe->words, key->words, key->count * sizeof *key->words);
}

/* Where the recipe of a key is, or is to be. */
static struct Recipe **place_of(struct Door *door, const struct Key *key)
{
    uint64_t hash = 0;
    for (int i = 0; i < key->count; i++)
        hash = (hash ^ key->words[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    uint64_t place = hash % ROOM;
    while (door->known[place] && !is_for(door->known[place], key))
        place = (place + 1) % ROOM;
    return &door->known[place];
}

/* A call's words, and the addresses of its operands but for one that is to be made. */
static bool read_call(struct Door *door, Object *const *arguments, struct Key *key,
                      uint64_t *addresses)
{
    Object *type = NULL, *out = arguments[door->tensors + door->attributes];
    uint64_t unread;
    key->count = 0;
    Object *choice = PyObject_CallNoArgs(door->choice);
    add(key, (uint64_t)choice); /* settings live for ever */
    Py_DecRef(choice);
    for (int i = 0; i < door->tensors; i++) {
        Object *array = arguments[i];
        if (array == NONE && door->optional[i]) {
            add(key, 0);
            continue;
        }
        if (!type) {
            type = array->type;
            if (!(type == numpy.type || (type == torch.type && read_torch_state(key))))
                return false;
        }
        int operand = door->operand_of[i];
        if (!read_array(array, type, i == door->changed, key,
                        operand < 0 ? &unread : &addresses[operand]))
            return false;
    }
    for (int i = 0; i < door->attributes; i++)
        if (!read_value(arguments[door->tensors + i], key))
            return false;
    if (out == NONE)
        add(key, 0);
    else if (!type || !read_array(out, type, true, key, &addresses[door->output]))
        return false;
    return type && key->count <= WORDS;
}

static Object *make(const struct Recipe *recipe, uint64_t *address)
{
    if (recipe->dtype) {
        Py_IncRef(recipe->dtype); /* which NumPy takes over */
        Object *array = numpy.empty((int)recipe->dims, recipe->sizes, recipe->dtype, 0);
        *address = array ? (uint64_t)((struct Array *)array)->data : 0;
        return array;
    }
    void *tensor, *data = NULL;
    if (torch.empty(recipe->dims, recipe->sizes, recipe->strides, recipe->code, recipe->device_type,
                    recipe->device_index, &tensor))
        return NULL;
    torch.data(tensor, &data);
    *address = (uint64_t)data;
    Object *made = torch.wrap(tensor);
    torch.drop(tensor);
    return made;
}

/* Whether an output that was given touches another operand's bytes in a way that matters. */
static bool may_overlap(const struct Door *door, const struct Recipe *recipe,
                        const uint64_t *addresses)
{
    for (int i = 0; i < door->operands; i++) {
        const struct Near *near = &recipe->near[i];
        int64_t behind = (int64_t)(addresses[i] - addresses[door->output]);
        if (near->above < behind && behind < near->below && (behind || !near->same_elements))
            return true;
    }
    return false;
}

static bool launch_on_gpu(const struct Launch *launch, uint64_t *block)
{
    void *arguments[BLOCK];
    Object *stream = PyObject_CallNoArgs(launch->stream);
    if (!stream)
        return false;
    uint64_t number = PyLong_AsUnsignedLongLong(stream);
    Py_DecRef(stream);
    for (uint64_t i = 0; i < launch->block_words; i++)
        arguments[i] = &block[i];
    return !launch->on_gpu(launch->function, launch->programs, 1, 1, launch->threads, 1, 1,
                           launch->shared, (void *)number, arguments, NULL);
}

/* Run a recipe; false where Python is to try, and to say why it cannot be. */
static bool run(const struct Door *door, const struct Recipe *recipe, const uint64_t *addresses)
{
    const struct Launch *launch = &recipe->launch;
    uint64_t block[BLOCK];
    memcpy(block, launch->block, launch->block_words * sizeof *block);
    for (int i = 0; i < door->operands; i++) {
        block[i] = addresses[i] + recipe->offsets[i];
        if (!addresses[i] || (launch->on_gpu && block[i] % 16 != recipe->phases[i]))
            return false;
    }
    if (launch->on_gpu)
        return launch_on_gpu(launch, block);
    void (*kernel)(void *) = (void (*)(void *))launch->function;
    void *state = launch->holding ? NULL : PyEval_SaveThread();
    kernel(block);
    if (state)
        PyEval_RestoreThread(state);
    return true;
}

/* Make a call like an earlier one; false where it is not. A null result: Python has an error. */
static bool take(struct Door *door, Object *const *arguments, Object **result)
{
    struct Key key;
    uint64_t addresses[OPERANDS];
    if (!read_call(door, arguments, &key, addresses))
        return false;
    struct Recipe *recipe = door->latest;
    if (!recipe || !is_for(recipe, &key))
        recipe = *place_of(door, &key);
    if (!recipe)
        return false;
    door->latest = recipe;
    recipe->users++;
    Object *out = arguments[door->changed >= 0 ? door->changed : door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !recipe->dtype;
    if (given)
        Py_IncRef(out);
    else
        out = make(recipe, &addresses[door->output]);
    bool done = out && !(given && may_overlap(door, recipe, addresses)) &&
                run(door, recipe, addresses);
    leave(recipe);
    bool told = true;
    if (done && given && of_torch && torch.written) {
        Object *answer = PyObject_CallFunctionObjArgs(torch.written, out, NULL);
        told = answer;
        Py_DecRef(answer);
    }
    *result = done && told ? out : NULL;
    if (!*result)
        Py_DecRef(out);
    return done;
}

/* A function of Python's: the door, and what takes a call that it does not know. */
struct Entrance {
    struct Door *door;
    Object *slow;
};
static const char NAME[] = "openaclnn door";

static Object *enter(Object *self, Object *const *arguments, intptr_t count)
{
    const struct Entrance *entrance = PyCapsule_GetPointer(self, NAME);
    struct Door *door = entrance->door;
    Object *result = NULL;
    if (count == door->tensors + door->attributes + 1 && take(door, arguments, &result))
        return result;
    PyErr_Clear();
    Object *all = PyTuple_New(count);
    for (intptr_t i = 0; all && i < count; i++) {
        Py_IncRef(arguments[i]);
        PyTuple_SetItem(all, i, arguments[i]);
    }
    result = all ? PyObject_CallObject(entrance->slow, all) : NULL;
    Py_DecRef(all);
    return result;
}

/* What door.py calls, with Python's lock. */

#define EXPORT __attribute__((visibility("default")))

EXPORT void use_numpy(const struct Numpy *given)
{
    numpy = *given;
}

EXPORT void use_torch(const struct Torch *given)
{
    torch = *given;
}

EXPORT struct Door *new_door(const struct Door *given)
{
    struct Door *door = calloc(1, sizeof *door);
    if (door)
        memcpy(door, given, offsetof(struct Door, latest));
    return door;
}

/* A function that takes every argument of an operator by its place, then `out`. */
EXPORT Object *entrance(struct Door *door, Object *slow)
{
    static struct Method method = {"call", enter, METH_FASTCALL, NULL};
    struct Entrance *entrance = malloc(sizeof *entrance);
    if (!entrance)
        return NULL;
    Py_IncRef(slow);
    *entrance = (struct Entrance){door, slow};
    Object *self = PyCapsule_New(entrance, NAME, NULL);
    Object *function = self ? PyCFunction_NewEx(&method, self, NULL) : NULL;
    Py_DecRef(self);
    return function;
}

/* What a result is like, and where it lies. */
static bool read_result(struct Recipe *recipe, Object *result, uint64_t *address)
{
    if (result->type == numpy.type) {
        const struct Array *array = (const struct Array *)result;
        recipe->dims = array->dims;
        recipe->dtype = array->dtype;
        Py_IncRef(recipe->dtype);
        if (recipe->dims <= DIMS)
            memcpy(recipe->sizes, array->sizes, array->dims * sizeof *array->sizes);
        *address = (uint64_t)array->data;
        return recipe->dims <= DIMS;
    }
    void *tensor = (char *)result + torch.tensor, *data;
    int64_t *sizes, *strides;
    if (torch.dims(tensor, &recipe->dims) || recipe->dims > DIMS || torch.sizes(tensor, &sizes) ||
        torch.strides(tensor, &strides) || torch.dtype(tensor, &recipe->code) ||
        torch.device_type(tensor, &recipe->device_type) ||
        torch.device_index(tensor, &recipe->device_index) || torch.data(tensor, &data))
        return false;
    memcpy(recipe->sizes, sizes, recipe->dims * sizeof *sizes);
    memcpy(recipe->strides, strides, recipe->dims * sizeof *strides);
    *address = (uint64_t)data;
    return true;
}

static void forget_all(struct Door *door)
{
    struct Recipe *all[ROOM];
    memcpy(all, door->known, sizeof all);
    memset(door->known, 0, sizeof door->known);
    door->latest = NULL;
    door->known_count = 0;
    for (int i = 0; i < ROOM; i++) /* last: this may run anything */
        if (all[i])
            end(all[i]);
}

/* A recipe of a launch that is taken over, or null. */
static struct Recipe *new_recipe(const struct Door *door, const struct Key *key, Object *result,
                                 const struct Launch *launch, uint64_t *addresses)
{
    struct Recipe *recipe = calloc(1, sizeof *recipe + key->count * sizeof *key->words);
    size_t size = launch->block_words * sizeof *launch->block;
    uint64_t *block = recipe ? malloc(size) : NULL;
    if (!block || !read_result(recipe, result, &addresses[door->output])) {
        if (recipe)
            Py_DecRef(recipe->dtype);
        free(block);
        free(recipe);
        return NULL;
    }
    recipe->launch = *launch;
    recipe->launch.block = memcpy(block, launch->block, size);
    Py_IncRef(launch->keep);
    Py_IncRef(launch->stream);
    memcpy(recipe->near, launch->near, door->operands * sizeof *launch->near);
    for (int i = 0; i < door->operands; i++) {
        recipe->offsets[i] = block[i] - addresses[i];
        recipe->phases[i] = block[i] % 16;
    }
    recipe->count = key->count;
    memcpy(recipe->words, key->words, key->count * sizeof *key->words);
    return recipe;
}

/* Remember how a call that went well was launched. `arguments` is a tuple. */
EXPORT void learn(struct Door *door, Object *arguments, Object *result, const struct Launch *launch)
{
    struct Key key;
    uint64_t addresses[OPERANDS] = {0};
    int count = door->tensors + door->attributes + 1;
    Object *items[count];
    for (int i = 0; i < count; i++) {
        items[i] = PyTuple_GetItem(arguments, i);
        if (torch.type && items[i]->type == torch.type)
            learn_keys(items[i]);
    }
    if (launch->block_words > BLOCK || !read_call(door, items, &key, addresses)) {
        PyErr_Clear();
        return;
    }
    struct Recipe *recipe = new_recipe(door, &key, result, launch, addresses);
    if (!recipe)
        return;
    if (door->known_count >= KNOWN)
        forget_all(door);
    struct Recipe **place = place_of(door, &key), *before = *place;
    *place = door->latest = recipe;
    door->known_count += !before;
    if (before)
        end(before);
}
