/* Recipes: how a call was launched, to launch another like it on other addresses. */
#pragma once
#include "folds.h"
#include "objects.h"

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
    struct Form *forms; /* of its passes; of those that are reckoned one for all that are alike */
    int passes;
    struct Sums *sums; /* what these are over, where that is reckoned; else null */
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
    bool whole[OPERANDS];      /* of each: a reckoning is given it */
    Object *choice;
    struct Recipe *latest, *known[ROOM];
    int known_count;
    struct NewLayouts *forms[FORMS];
    uint64_t met[MET];   /* hashes of calls that were laid anew … */
    uint32_t times[MET]; /* … and how often each was */
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
    given->wholes_count = 0;
    for (int i = 0; i < door->attributes; i++) {
        Object *value = arguments[door->tensors + i];
        if (!(door->whole[i]
                  ? read_wholes(value, key, given)
                  : read_value(value, key, door->number[i] ? &given->numbers[i] : NULL)))
            return false;
    }
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

/* Whether a call was made; its result is what it wrote to, of which PyTorch is told where that was
   given. */
static bool hand_over(Object *out, bool done, bool tells, Object **result)
{
    bool told = !(done && tells && torch.written) || tell(out);
    *result = done && told ? out : NULL;
    if (!*result)
        Py_DecRef(out);
    return done;
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
    return hand_over(out, done, given && of_torch, result);
}
