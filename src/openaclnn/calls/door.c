/* The short cut of shortcut.py in C: what two calls have in common is read from the arrays into
   words; where an earlier call had the same words, its kernel runs on this one's addresses. A small
   call that differs from earlier ones in its layout or a number finds its kernel by plan.h, one that
   folds, or has several passes, by folds.h. Whatever
   is unusual, fails, or was never met is Python's: `slow` gets the same arguments, and says what is
   wrong with them.

   Python's headers are not needed: of its stable interface the few functions below. door.py has made
   sure of what is read of objects (NumPy's public layout; the place of a tensor in PyTorch's object,
   which it found by comparing). */
#include "folds.h"

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
Object *PyErr_Occurred(void);
Object *PyTuple_New(intptr_t);
intptr_t PyTuple_Size(Object *);
Object *PyTuple_GetItem(Object *, intptr_t);
int PyTuple_SetItem(Object *, intptr_t, Object *);
intptr_t PyList_Size(Object *);
Object *PyList_GetItem(Object *, intptr_t);

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
};

static struct Numpy numpy;
static struct Torch torch;

/* What calls must have in common, in words, and those of them that forms of calls have in common;
   counts beyond the room: too much. */
enum { WORDS = 160, FORM_WORDS = 64, KNOWN = 1024, ROOM = 2 * KNOWN, FORMS = 32, MET = 256 };
struct Key {
    int count, form_count;
    uint64_t words[WORDS], form[FORM_WORDS];
};

static void add(struct Key *key, uint64_t word)
{
    if (key->count < WORDS)
        key->words[key->count] = word;
    key->count++;
}

/* A word that forms have in common, too. */
static void add_fact(struct Key *key, uint64_t word)
{
    if (key->form_count < FORM_WORDS)
        key->form[key->form_count] = word;
    key->form_count++;
    add(key, word);
}

/* What a call has: its operands' addresses and layouts, and its attributes that are numbers. */
struct Given {
    uint64_t addresses[OPERANDS], numbers[OPERANDS];
    struct View views[OPERANDS];
};

static void add_all(struct Key *key, const int64_t *words, int64_t count)
{
    for (int64_t i = 0; i < count && key->count <= WORDS; i++)
        add(key, (uint64_t)words[i]);
}

static bool read_numpy(Object *object, bool written, struct Key *key, uint64_t *address,
                       struct View *view)
{
    const struct Array *array = (const struct Array *)object;
    add_fact(key, (uint64_t)array->dtype);
    add(key, (uint64_t)array->dims);
    add_all(key, array->sizes, array->dims);
    add_all(key, array->strides, array->dims);
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
    add(key, (uint64_t)dims);
    add_all(key, sizes, dims);
    add_all(key, strides, dims);
    *address = (uint64_t)data;
    *view = (struct View){dims, sizes, strides};
    return true;
}

/* What PyTorch does otherwise just now: transforms, inference, modes that see every operator; null
   where modes see every function. */
static const uint64_t *torch_state(void)
{
    static __thread const uint64_t *local_keys;
    if (!local_keys)
        local_keys = dlsym(torch.library, torch.local_keys);
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
   being the same. Of one that may be any `number` forms have the type in common. */
static bool read_value(Object *value, struct Key *key, uint64_t *number)
{
    bool list = value->type == (Object *)PyList_Type;
    add_fact(key, list ? (uint64_t)PyTuple_Type : (uint64_t)value->type);
    if (value->type == (Object *)PyFloat_Type) {
        double found = PyFloat_AsDouble(value);
        uint64_t bits;
        memcpy(&bits, &found, sizeof bits);
        if (!number) {
            add_fact(key, bits);
        } else {
            add(key, bits);
            *number = bits;
        }
    } else if (value->type == (Object *)PyLong_Type) {
        int overflow;
        add_fact(key, (uint64_t)PyLong_AsLongLongAndOverflow(value, &overflow));
        return !overflow;
    } else if (list || value->type == (Object *)PyTuple_Type) {
        intptr_t count = list ? PyList_Size(value) : PyTuple_Size(value);
        add_fact(key, (uint64_t)count);
        for (intptr_t i = 0; i < count && key->count <= WORDS; i++) {
            Object *item = list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
            if (!read_value(item, key, NULL))
                return false;
        }
    } else {
        add_fact(key, (uint64_t)value);
    }
    return true;
}

/* What the kernel of a call was, and how to run it on other addresses. */
struct Near { /* see forms.py */
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
    void *of_units;  /* of a CPU's kernel: runs some of these units, for threads to share */
    uint64_t units;
    void (*on_threads)(void *, void *, int64_t, int32_t); /* or all, given how they share */
};
struct Result { /* what is to be made */
    Object *dtype;                           /* NumPy's … */
    int32_t code, device_type, device_index; /* … or PyTorch's */
    int64_t dims, sizes[DIMS], strides[DIMS];
};
struct Recipe {
    struct Launch launch;
    struct Near near[OPERANDS];
    uint64_t offsets[OPERANDS]; /* from an operand's first element to what its kernel takes */
    uint64_t phases[OPERANDS];  /* that, modulo 16: what a GPU's kernel was made for */
    struct Result result;
    int users;    /* calls that are about to launch it */
    bool dropped; /* the last of them ends it */
    int count;
    uint64_t words[]; /* its key */
};

/* How calls of a form are made; the launch has no block, and of several passes the function that runs
   them unit by unit. */
struct NewLayouts {
    struct Form *forms; /* of its passes; but of a concatenation's one for all */
    int passes;
    struct Launch launch;
    struct Result result; /* but for its shape */
    int users;            /* calls that are about to launch something of it */
    bool dropped;         /* the last of them ends it */
    int count;
    uint64_t words[FORM_WORDS]; /* its key */
};

struct Door {
    int tensors, attributes, operands;
    int changed;               /* the tensor that is read and written, -1: none */
    int output;                /* among the operands */
    int operand_of[OPERANDS];  /* of each tensor, -1: it is not read */
    bool optional[OPERANDS];   /* it may be None */
    bool number[OPERANDS];     /* of each attribute: any number will do */
    Object *choice;
    struct Recipe *latest, *known[ROOM];
    int known_count;
    struct NewLayouts *forms[FORMS];
    uint64_t met[MET]; /* hashes of large calls on a GPU that were made once */
};

static void end(struct Recipe *recipe)
{
    if (recipe->users) {
        recipe->dropped = true;
        return;
    }
    Object *kept[] = {recipe->launch.keep, recipe->launch.stream, recipe->result.dtype};
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

static uint64_t hash_of(const struct Key *key)
{
    uint64_t hash = 0;
    for (int i = 0; i < key->count; i++)
        hash = (hash ^ key->words[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return hash;
}

/* Where the recipe of a key is, or is to be. */
static struct Recipe **place_of(struct Door *door, const struct Key *key)
{
    uint64_t place = hash_of(key) % ROOM;
    while (door->known[place] && !is_for(door->known[place], key))
        place = (place + 1) % ROOM;
    return &door->known[place];
}

/* A call's words, and the addresses of its operands but for one that is to be made. */
static bool read_call(struct Door *door, Object *const *arguments, struct Key *key,
                      struct Given *given)
{
    Object *type = NULL, *out = arguments[door->tensors + door->attributes];
    uint64_t unread;
    struct View unread_view;
    key->count = key->form_count = 0;
    Object *choice = PyObject_CallNoArgs(door->choice);
    add_fact(key, (uint64_t)choice); /* settings live for ever */
    Py_DecRef(choice);
    for (int i = 0; i < door->tensors; i++) {
        Object *array = arguments[i];
        if (array == NONE && door->optional[i]) {
            add_fact(key, 0);
            continue;
        }
        if (!type) {
            type = type_of(array);
            if (!(type == numpy.type || (type == torch.type && read_torch_state(key))))
                return false;
        }
        int operand = door->operand_of[i];
        if (!read_array(array, type, i == door->changed, key,
                        operand < 0 ? &unread : &given->addresses[operand],
                        operand < 0 ? &unread_view : &given->views[operand]))
            return false;
    }
    for (int i = 0; i < door->attributes; i++)
        if (!read_value(arguments[door->tensors + i], key,
                        door->number[i] ? &given->numbers[i] : NULL))
            return false;
    if (out == NONE)
        add_fact(key, 0);
    else if (!type || !read_array(out, type, true, key, &given->addresses[door->output],
                                  &given->views[door->output]))
        return false;
    return type && key->count <= WORDS;
}

static Object *make(const struct Result *result, uint64_t *address)
{
    if (result->dtype) {
        Py_IncRef(result->dtype); /* which NumPy takes over */
        Object *array = numpy.empty((int)result->dims, result->sizes, result->dtype, 0);
        *address = array ? (uint64_t)((struct Array *)array)->data : 0;
        return array;
    }
    void *tensor, *data = NULL;
    if (torch.empty(result->dims, result->sizes, result->strides, result->code, result->device_type,
                    result->device_index, &tensor))
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

static bool launch_on_stream(const struct Launch *launch, uint64_t *block, uint64_t number)
{
    void *arguments[BLOCK];
    for (uint64_t i = 0; i < launch->block_words; i++)
        arguments[i] = &block[i];
    return !launch->on_gpu(launch->function, launch->programs, 1, 1, launch->threads, 1, 1,
                           launch->shared, (void *)number, arguments, NULL);
}

static bool launch_on_gpu(const struct Launch *launch, uint64_t *block)
{
    Object *stream = PyObject_CallNoArgs(launch->stream);
    if (!stream)
        return false;
    uint64_t number = PyLong_AsUnsignedLongLong(stream);
    Py_DecRef(stream);
    return launch_on_stream(launch, block, number);
}

/* How units are shared among threads, and how many of those there are; null: not at all. */
static void (*share)(void *, void *, int64_t, int32_t);
static Object *threads;

static int64_t count_threads(void)
{
    Object *count = PyObject_CallNoArgs(threads);
    int overflow;
    long long found = count ? PyLong_AsLongLongAndOverflow(count, &overflow) : 1;
    Py_DecRef(count);
    return found;
}

static bool launch_block(const struct Launch *launch, uint64_t *block)
{
    if (launch->on_gpu)
        return launch_on_gpu(launch, block);
    int64_t count = launch->units > 1 ? count_threads() : 1;
    if (count > (int64_t)launch->units)
        count = (int64_t)launch->units;
    void (*kernel)(void *) = (void (*)(void *))launch->function;
    void *state = launch->holding ? NULL : PyEval_SaveThread();
    if (count > 1 && launch->on_threads)
        launch->on_threads((void *)share, block, (int64_t)launch->units, (int32_t)count);
    else if (count > 1)
        share(launch->of_units, block, (int64_t)launch->units, (int32_t)count);
    else
        kernel(block);
    if (state)
        PyEval_RestoreThread(state);
    return true;
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
    return launch_block(launch, block);
}

/* Tell PyTorch that a tensor that was given was written to. */
static bool tell(Object *out)
{
    Object *answer = PyObject_CallFunctionObjArgs(torch.written, out, NULL);
    Py_DecRef(answer);
    return answer;
}

/* Make a call like an earlier one. False: Python is to try. A null result: Python has an error. */
static bool follow(struct Door *door, struct Recipe *recipe, Object *const *arguments,
                   struct Given *found, Object **result)
{
    recipe->users++;
    Object *out = arguments[door->changed >= 0 ? door->changed : door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !recipe->result.dtype;
    if (given)
        Py_IncRef(out);
    else
        out = make(&recipe->result, &found->addresses[door->output]);
    bool done = out && !(given && may_overlap(door, recipe, found->addresses)) &&
                run(door, recipe, found->addresses);
    leave(recipe);
    bool told = !(done && given && of_torch && torch.written) || tell(out);
    *result = done && told ? out : NULL;
    if (!*result)
        Py_DecRef(out);
    return done;
}

static struct NewLayouts **form_of(struct Door *door, const struct Key *key)
{
    for (int i = 0; i < FORMS && door->forms[i]; i++)
        if (door->forms[i]->count == key->form_count &&
            !memcmp(door->forms[i]->words, key->form, key->form_count * sizeof *key->form))
            return &door->forms[i];
    return NULL;
}

static void end_form(struct NewLayouts *known)
{
    if (known->users) {
        known->dropped = true;
        return;
    }
    Object *kept[] = {known->launch.keep, known->launch.stream, known->result.dtype};
    free(known->forms);
    free(known);
    for (int i = 0; i < 3; i++) /* last: this may run anything */
        Py_DecRef(kept[i]);
}

/* A call's loop, and what its result is like, where that is to be made. */
static bool lay_loop(const struct Door *door, const struct Form *form, struct Given *given,
                     struct Result *result, bool made, struct Loop *loop, int64_t *numel)
{
    int64_t strides[DIMS];
    if (!shape_of(form, given->views, made, &result->dims, result->sizes))
        return false;
    int64_t size = made && form->in_bytes ? form->itemsizes[form->operands - 1] : 1;
    *numel = 1;
    for (int64_t d = result->dims - 1; d >= 0; d--) {
        result->strides[d] = *numel;
        strides[d] = *numel * size;
        if (__builtin_mul_overflow(*numel, result->sizes[d], numel))
            return false;
    }
    if (made)
        given->views[door->output] = (struct View){result->dims, result->sizes, strides};
    return *numel && lay(form, given->views, result->dims, result->sizes, loop);
}

/* Elements of a call below which its layout has a GPU's kernel for any layout. A layout met for the
   first time has it up to here, though one cut for it is faster: cutting takes Python 0.2 ms, in
   which that kernel has gone through 2^20 elements many times. */
enum { ONCE_BELOW = 1 << 20 };
static int64_t below_for(struct Door *door, const struct Form *form, const struct Key *key,
                         int64_t numel)
{
    if (!form->on_gpu || numel < form->below || numel >= ONCE_BELOW)
        return form->below;
    uint64_t hash = hash_of(key), *place = &door->met[hash % MET];
    bool met = *place == hash;
    *place = hash;
    return met ? form->below : ONCE_BELOW;
}

/* What a new layout's kernel takes; false where Python is to see to it. */
static bool plan(const struct Form *form, const struct Given *given, struct Loop *loop,
                 int64_t numel, int64_t below, uint64_t *block, struct Launch *launch)
{
    uint64_t *word = block + form->operands, *end, together = 0;
    if (!put_numbers(form, given->numbers, word))
        return false;
    word += form->numbers;
    for (int k = 0; k < form->operands; k++) {
        uint64_t address = given->addresses[form->places[k]], size = form->itemsizes[k];
        block[k] = address + (uint64_t)loop->starts[k] * size;
        together |= block[k];
        if (!address || (form->on_gpu && block[k] % (size < 8 ? size : 8)))
            return false;
    }
    const struct Kernel *kernel;
    if (form->on_gpu) {
        kernel = on_gpu(form, loop, numel, below, together % 16 == 0, word, &end,
                        &launch->programs);
        if (!kernel)
            return false;
        *end++ = 0; /* Triton's scratch memory, of which there is none */
        *end++ = 0;
        launch->threads = (uint32_t)kernel->threads;
        launch->shared = (uint32_t)kernel->shared;
    } else {
        bool serial = numel < form->serial_below;
        if (numel >= form->below || !(serial || share))
            return false;
        kernel = on_cpu(form, loop, numel, word, &end, &launch->units);
        if (!kernel)
            return false;
        launch->holding = numel < form->holding_below;
        launch->of_units = kernel->of_units;
        if (serial)
            launch->units = 1;
    }
    launch->function = kernel->function;
    launch->block_words = (uint64_t)(end - block);
    return true;
}

/* Make a call of a known form in a layout, or with a number, of its own. */
static bool adapt(struct Door *door, struct NewLayouts *known, const struct Key *key,
                  Object *const *arguments, struct Given *found, Object **result)
{
    const struct Form *form = known->forms;
    struct Result shape = known->result;
    struct Launch launch = known->launch;
    struct Loop loop;
    uint64_t block[BLOCK];
    int64_t numel;
    Object *out = arguments[door->changed >= 0 ? door->changed : door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !shape.dtype;
    if (!lay_loop(door, form, found, &shape, !given, &loop, &numel) ||
        (given && touches(form, &loop, found->addresses)))
        return false;
    if (!given)
        found->addresses[door->output] = 16; /* until it is made, to know whether it is worth it */
    int64_t below = below_for(door, form, key, numel);
    if (!plan(form, found, &loop, numel, below, block, &launch))
        return false;
    known->users++;
    if (given)
        Py_IncRef(out);
    else
        out = make(&shape, &found->addresses[door->output]);
    bool done = out && plan(form, found, &loop, numel, below, block, &launch) &&
                launch_block(&launch, block);
    if (--known->users == 0 && known->dropped)
        end_form(known);
    bool told = !(done && given && of_torch && torch.written) || tell(out);
    *result = done && told ? out : NULL;
    if (!*result)
        Py_DecRef(out);
    return done;
}

/* Run passes that are laid: one after the other, or unit by unit. */
static void run_passes(const struct NewLayouts *known, struct Work *work, int count, bool together)
{
    const struct Form *form = known->forms;
    struct Work *last = &work[count - 1];
    int64_t most = 0, threads = 1;
    for (int p = 0; p < count; p++)
        most = work[p].numel > most ? work[p].numel : most;
    if (most >= form->serial_below && share)
        threads = count_threads();
    void *state = most < form->holding_below ? NULL : PyEval_SaveThread();
    for (int p = together ? count : 0; p < count; p++) {
        const struct Kernel *kernel = work[p].kernel;
        int64_t some = threads < work[p].units ? threads : work[p].units;
        if (some < 2 || work[p].numel < form->serial_below)
            ((void (*)(void *))kernel->function)(work[p].block);
        else if (kernel->on_threads)
            ((void (*)(void *, void *, int64_t, int32_t))kernel->on_threads)(
                (void *)share, work[p].block, work[p].units, (int32_t)some);
        else
            share(kernel->of_units, work[p].block, work[p].units, (int32_t)some);
    }
    if (together) {
        uint64_t words[2 * OPERANDS];
        int64_t some = threads < last->units ? threads : last->units;
        for (int p = 0; p < count; p++) {
            words[2 * p] = (uint64_t)work[p].kernel->of_units;
            words[2 * p + 1] = (uint64_t)work[p].block;
        }
        if (some > 1)
            share(known->launch.function, words, last->units, (int32_t)some);
        else
            ((void (*)(void *, int64_t, int64_t))known->launch.function)(words, 0, last->units);
    }
    if (state)
        PyEval_RestoreThread(state);
}

/* Lay the passes of a concatenation on a GPU, and launch them. */
static bool join_on_gpu(const struct NewLayouts *known, const struct Given *found,
                        const struct Course *course)
{
    const struct Form *form = known->forms;
    int dim = __builtin_ctzll(course->over), written = form->tensors - 1;
    uint64_t blocks[OPERANDS][BLOCK];
    struct Launch launches[OPERANDS];
    struct Given part = *found;
    for (int t = 0; t < written; t++) {
        struct Course its = *course;
        struct Loop loop = {.operands = form->operands};
        struct Dim dims[DIMS];
        part.views[0] = found->views[t];
        part.addresses[0] = found->addresses[t];
        its.terms.sizes[dim] = found->views[t].sizes[dim];
        launches[t] = known->launch;
        if (!count_elements(&its.terms) || !dims_of(form, part.views, &its, dims))
            return false;
        walk(dims, (int)its.terms.dims, form->operands - 1, &loop);
        if (!plan(form, &part, &loop, its.terms.numel, form->below, blocks[t], &launches[t]))
            return false;
        part.addresses[written] += (uint64_t)(its.terms.sizes[dim] * part.views[written].strides[dim] *
                                              form->itemsizes[form->operands - 1]);
    }
    for (int t = 0; t < written; t++)
        if (!launch_on_gpu(&launches[t], blocks[t]))
            return false;
    return true;
}

/* Lay a call's passes over tensors and slots, and run them; false where Python is to see to it. */
static bool lay_and_run(const struct NewLayouts *known, struct Given *found,
                        const struct Course *course)
{
    const struct Form *form = known->forms;
    bool joined = form->result == JOINED, together = false;
    int tensors = form->tensors, count = joined ? tensors - 1 : known->passes;
    struct Work work[OPERANDS];
    uint64_t addresses[2 * OPERANDS], near[1024], *slots = near;
    int64_t kept = course->terms.numel;
    for (int64_t d = 0; d < course->terms.dims; d++)
        if (course->over >> d & 1)
            kept /= course->terms.sizes[d];
    for (int t = 0; t < tensors; t++) {
        addresses[t] = found->addresses[t];
        if (!addresses[t])
            return false;
    }
    if (joined && form->on_gpu)
        return join_on_gpu(known, found, course);
    if (joined) {
        if (!lay_joined(form, found->views, course, addresses, work))
            return false;
        run_passes(known, work, count, false);
        return true;
    }
    if ((count - 1) * kept > 1024)
        slots = malloc((size_t)(count - 1) * (size_t)kept * sizeof *slots);
    for (int p = 0; p < count - 1; p++)
        addresses[tensors + p] = (uint64_t)(slots + p * kept);
    bool done = slots && lay_passes(known->forms, count, found->views, course, addresses, work,
                                    &together);
    if (done)
        run_passes(known, work, count, together);
    if (slots != near)
        free(slots);
    return done;
}

/* Make a call of a known form that folds, or has several passes, in a layout of its own. */
static bool adapt_passes(struct Door *door, struct NewLayouts *known, Object *const *arguments,
                         struct Given *found, Object **result)
{
    const struct Form *last = &known->forms[known->passes - 1];
    struct Result shape = known->result;
    struct Course course;
    int64_t strides[DIMS], step = 1;
    Object *out = arguments[door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !shape.dtype;
    if (!course_of(last, found->views, !given, &course) ||
        (given && output_is_odd(last, found->views, found->addresses)))
        return false;
    known->users++;
    if (given) {
        Py_IncRef(out);
    } else {
        shape.dims = course.result.dims;
        memcpy(shape.sizes, course.result.sizes, sizeof shape.sizes);
        for (int64_t d = shape.dims - 1; d >= 0; d--) {
            shape.strides[d] = step;
            strides[d] = step * (last->in_bytes ? last->itemsizes[last->operands - 1] : 1);
            step *= shape.sizes[d];
        }
        found->views[door->output] = (struct View){shape.dims, shape.sizes, strides};
        out = make(&shape, &found->addresses[door->output]);
    }
    bool done = out && lay_and_run(known, found, &course);
    if (--known->users == 0 && known->dropped)
        end_form(known);
    bool told = !(done && given && of_torch && torch.written) || tell(out);
    *result = done && told ? out : NULL;
    if (!*result)
        Py_DecRef(out);
    return done;
}

/* Whether a form's calls are of one pass over elements. */
static bool of_elements(const struct NewLayouts *known)
{
    return known->passes == 1 && !known->forms->folds && known->forms->result != JOINED;
}

/* Make a call that is like earlier ones; false where it is not. A null result: Python has an
   error. */
static bool take(struct Door *door, Object *const *arguments, Object **result)
{
    struct Key key;
    struct Given given;
    if (!read_call(door, arguments, &key, &given))
        return false;
    struct Recipe *recipe = door->latest;
    if (!recipe || !is_for(recipe, &key))
        recipe = *place_of(door, &key);
    if (recipe) {
        door->latest = recipe;
        return follow(door, recipe, arguments, &given, result);
    }
    struct NewLayouts **form = form_of(door, &key);
    if (form && !of_elements(*form))
        return adapt_passes(door, *form, arguments, &given, result);
    return form && adapt(door, *form, &key, arguments, &given, result);
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

/* A call that phase 1 has laid, for phase 2 to run. */
struct Prepared {
    struct Launch launch; /* its `keep` is ours, too */
    uint64_t block[];
};
static const char PREPARED[] = "openaclnn prepared call";

static void end_prepared(Object *self)
{
    struct Prepared *prepared = PyCapsule_GetPointer(self, PREPARED);
    Object *keep = prepared->launch.keep;
    free(prepared);
    Py_DecRef(keep);
}

/* The launch of one pass over elements. */
static bool lay_one_pass(struct Door *door, const struct Form *form, const struct Key *key,
                         struct Given *given, uint64_t *block, struct Launch *launch)
{
    struct Result shape;
    struct Loop loop;
    int64_t numel;
    return lay_loop(door, form, given, &shape, false, &loop, &numel) &&
           !touches(form, &loop, given->addresses) &&
           plan(form, given, &loop, numel, below_for(door, form, key, numel), block, launch);
}

/* The launch of one fold. */
static bool lay_one_fold(const struct Form *form, const struct Given *given, uint64_t *block,
                         struct Launch *launch)
{
    struct Course course;
    struct FoldTiling tiling;
    struct Work work;
    for (int t = 0; t < form->tensors; t++)
        if (!given->addresses[t])
            return false;
    if (!course_of(form, given->views, false, &course) ||
        output_is_odd(form, given->views, given->addresses) ||
        !lay_fold(form, given->views, &course, given->addresses, &tiling, &work))
        return false;
    bool serial = work.numel < form->serial_below;
    if (!(serial || share))
        return false;
    launch->function = work.kernel->function;
    launch->on_threads = (void (*)(void *, void *, int64_t, int32_t))work.kernel->on_threads;
    launch->units = serial ? 1 : (uint64_t)work.units;
    launch->holding = work.numel < form->holding_below;
    launch->block_words = BLOCK;
    memcpy(block, work.block, sizeof work.block);
    return true;
}

/* A call of a known form in any layout; null where it is Python's to see to. */
static struct Prepared *lay_phase(struct Door *door, Object *const *arguments)
{
    struct Key key;
    struct Given given;
    uint64_t block[BLOCK];
    if (!read_call(door, arguments, &key, &given))
        return NULL;
    struct NewLayouts **known = form_of(door, &key);
    if (!known || (*known)->passes > 1)
        return NULL;
    const struct Form *form = (*known)->forms;
    struct Launch launch = (*known)->launch;
    if (!(of_elements(*known) ? lay_one_pass(door, form, &key, &given, block, &launch)
                              : form->folds && lay_one_fold(form, &given, block, &launch)))
        return NULL;
    size_t size = launch.block_words * sizeof *block;
    struct Prepared *prepared = malloc(sizeof *prepared + size);
    if (!prepared)
        return NULL;
    prepared->launch = launch;
    memcpy(prepared->block, block, size);
    Py_IncRef(launch.keep);
    return prepared;
}

/* A door for phase 1: where it has each argument, in C order. */
struct FirstPhase {
    struct Door *door;
    int32_t count, place[3 * OPERANDS];
};

/* What phase 2 is to run, or None. */
static Object *prepare(Object *self, Object *const *arguments, intptr_t count)
{
    const struct FirstPhase *first = PyCapsule_GetPointer(self, NAME);
    struct Door *door = first->door;
    Object *items[3 * OPERANDS];
    struct Prepared *prepared = NULL;
    int last = door->tensors + door->attributes;
    if (count == first->count) {
        items[last] = NONE; /* of what is changed in place there is no other */
        for (intptr_t i = 0; i < count; i++)
            items[first->place[i]] = arguments[i];
        prepared = lay_phase(door, items);
    }
    PyErr_Clear();
    Object *out = prepared ? items[door->changed >= 0 ? door->changed : last] : NULL;
    Object *found = prepared ? PyCapsule_New(prepared, PREPARED, end_prepared) : NONE;
    if (!prepared)
        Py_IncRef(NONE);
    if (out && found && out->type == torch.type && torch.written && !tell(out)) {
        Py_DecRef(found);
        return NULL;
    }
    return found;
}

/* Run a prepared call on a stream: whether that went well. */
static Object *run_prepared(Object *self, Object *const *arguments, intptr_t count)
{
    (void)self;
    struct Prepared *prepared = count == 2 ? PyCapsule_GetPointer(arguments[0], PREPARED) : NULL;
    if (!prepared)
        return NULL;
    uint64_t stream = PyLong_AsUnsignedLongLong(arguments[1]);
    if (PyErr_Occurred())
        return NULL;
    bool done = prepared->launch.on_gpu
                    ? launch_on_stream(&prepared->launch, prepared->block, stream)
                    : launch_block(&prepared->launch, prepared->block);
    Object *answer = (Object *)(done ? _Py_TrueStruct : _Py_FalseStruct);
    Py_IncRef(answer);
    return answer;
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

EXPORT void use_threads(void (*by)(void *, void *, int64_t, int32_t), Object *count)
{
    Py_IncRef(count);
    threads = count;
    share = by;
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

/* A function of nothing: is_quiet. */
EXPORT Object *quiet(void)
{
    static struct Method method = {"is_quiet", is_quiet, METH_FASTCALL, NULL};
    return PyCFunction_NewEx(&method, NULL, NULL);
}

/* A function of an operator's arguments in C order, and one of what it gives and a stream. */
EXPORT Object *first_phase(const struct FirstPhase *given)
{
    static struct Method method = {"prepare", prepare, METH_FASTCALL, NULL};
    struct FirstPhase *first = malloc(sizeof *first);
    if (!first)
        return NULL;
    *first = *given;
    Object *self = PyCapsule_New(first, NAME, NULL);
    Object *function = self ? PyCFunction_NewEx(&method, self, NULL) : NULL;
    Py_DecRef(self);
    return function;
}

EXPORT Object *second_phase(void)
{
    static struct Method method = {"run", run_prepared, METH_FASTCALL, NULL};
    return PyCFunction_NewEx(&method, NULL, NULL);
}

/* What a result is like, and where it lies. */
static bool read_result(struct Result *found, Object *result, uint64_t *address)
{
    if (result->type == numpy.type) {
        const struct Array *array = (const struct Array *)result;
        found->dims = array->dims;
        found->dtype = array->dtype;
        Py_IncRef(found->dtype);
        if (found->dims <= DIMS)
            memcpy(found->sizes, array->sizes, array->dims * sizeof *array->sizes);
        *address = (uint64_t)array->data;
        return found->dims <= DIMS;
    }
    void *tensor = (char *)result + torch.tensor, *data;
    int64_t *sizes, *strides;
    if (torch.dims(tensor, &found->dims) || found->dims > DIMS || torch.sizes(tensor, &sizes) ||
        torch.strides(tensor, &strides) || torch.dtype(tensor, &found->code) ||
        torch.device_type(tensor, &found->device_type) ||
        torch.device_index(tensor, &found->device_index) || torch.data(tensor, &data))
        return false;
    memcpy(found->sizes, sizes, found->dims * sizeof *sizes);
    memcpy(found->strides, strides, found->dims * sizeof *strides);
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
    if (!block || !read_result(&recipe->result, result, &addresses[door->output])) {
        if (recipe)
            Py_DecRef(recipe->result.dtype);
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

/* What a call that went well has; `arguments` is a tuple. */
static bool read_tuple(struct Door *door, Object *arguments, struct Key *key, struct Given *given)
{
    int count = door->tensors + door->attributes + 1;
    Object *items[count];
    for (int i = 0; i < count; i++) {
        items[i] = PyTuple_GetItem(arguments, i);
        if (torch.type && type_of(items[i]) == torch.type)
            learn_keys(items[i]);
    }
    if (read_call(door, items, key, given))
        return true;
    PyErr_Clear();
    return false;
}

/* Remember how a call that went well was launched. */
EXPORT void learn(struct Door *door, Object *arguments, Object *result, const struct Launch *launch)
{
    struct Key key;
    struct Given given = {{0}};
    if (launch->block_words > BLOCK || !read_tuple(door, arguments, &key, &given))
        return;
    struct Recipe *recipe = new_recipe(door, &key, result, launch, given.addresses);
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

/* Remember the form of a call that went well, one for each of its passes, with the kernels that there
   are so far. */
EXPORT void learn_form(struct Door *door, Object *arguments, Object *result,
                       const struct Form *forms, int passes, const struct Launch *launch)
{
    struct Key key;
    struct Given given = {{0}};
    uint64_t address;
    if (!read_tuple(door, arguments, &key, &given) || key.form_count > FORM_WORDS)
        return;
    struct NewLayouts *known = calloc(1, sizeof *known);
    struct Form *kept = malloc(passes * sizeof *kept);
    if (!known || !kept || !read_result(&known->result, result, &address)) {
        if (known)
            Py_DecRef(known->result.dtype);
        free(kept);
        free(known);
        return;
    }
    known->forms = memcpy(kept, forms, passes * sizeof *kept);
    known->passes = passes;
    known->launch = *launch;
    Py_IncRef(launch->keep);
    Py_IncRef(launch->stream);
    known->count = key.form_count;
    memcpy(known->words, key.form, key.form_count * sizeof *key.form);
    struct NewLayouts **place = form_of(door, &key), *before = place ? *place : NULL;
    if (!place) {
        place = door->forms;
        while (place < door->forms + FORMS - 1 && *place)
            place++;
        before = *place; /* the last makes room */
    }
    *place = known;
    if (before)
        end_form(before);
}

/* What Python's two phases need of a call's layout: how to run it, and the words that its kernel takes
   behind pointers and numbers; see form_in_c.py. */
struct Laid {
    void *function, *of_units;
    int64_t numel, units, count, starts[OPERANDS]; /* words; bytes from a tensor's address */
    uint64_t words[BLOCK];
};

/* Lay the loop over tensors, each by its dimensions, offset, sizes and strides; false where Python is
   to see to it. */
EXPORT bool lay_call(const struct Form *form, const int64_t *facts, struct Laid *laid)
{
    struct View views[OPERANDS];
    struct Loop loop;
    int64_t offsets[OPERANDS], dims, sizes[DIMS];
    uint64_t *end, units;
    for (int t = 0; t < form->tensors; t++) {
        offsets[t] = facts[1];
        views[t] = (struct View){facts[0], facts + 2, facts + 2 + facts[0]};
        facts += 2 + 2 * facts[0];
    }
    if (!shape_of(form, views, false, &dims, sizes))
        return false;
    laid->numel = 1;
    for (int64_t d = 0; d < dims; d++)
        if (__builtin_mul_overflow(laid->numel, sizes[d], &laid->numel))
            return false;
    if (!laid->numel || laid->numel >= form->below || !lay(form, views, dims, sizes, &loop))
        return false;
    const struct Kernel *kernel = on_cpu(form, &loop, laid->numel, laid->words, &end, &units);
    if (!kernel)
        return false;
    laid->function = kernel->function;
    laid->of_units = kernel->of_units;
    laid->units = (int64_t)units;
    laid->count = end - laid->words;
    for (int k = 0; k < form->operands; k++)
        laid->starts[k] = (offsets[form->places[k]] + loop.starts[k]) * form->itemsizes[k];
    return true;
}
