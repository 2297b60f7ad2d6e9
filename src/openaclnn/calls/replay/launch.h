/* Launches: what equal calls have been launched by, to launch another one on other addresses. */
#pragma once
#include "objects.h"

enum { BLOCK = 512, KNOWN = 1024, ROOM = 2 * KNOWN, RECORDED = 96, MET = 256, OUTPUTS = 4 };

/* A word of a block to which an operand's address is added; the one behind the last is the
   workspace's. What they make, modulo 16, is what a GPU's kernel was made for. */
struct Pointer {
    int64_t word, operand, phase;
};
/* An operand touches the output's bytes if it begins more than `above` and less than `below` bytes
   behind it; which does not matter if it begins where the output does and both are the same elements,
   each read before it is written. */
struct Near {
    int64_t above, below, same_elements;
};
/* How to run a kernel on a block. */
struct Launch {
    void *function;
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
/* An equal call: everything but addresses is in common. */
struct Known {
    struct Launch launch;
    struct Result *results;
    struct Near near[OPERANDS];
    struct Pointer *pointers;
    uint64_t *block; /* which the pointers stand behind */
    int64_t block_words, pointer_count, workspace;
    int users;    /* calls that are about to launch it */
    bool dropped; /* the last of them ends it */
    int count;
    uint64_t words[]; /* its key */
};
/* Calls whose recordings are in one tree: everything but addresses, sizes, strides and numbers is in
   common. Results are without a shape, the launch without a kernel. */
struct Recorded {
    struct Launch launch;
    struct Result results[OUTPUTS];
    const int32_t **tree; /* where its words are: they move */
    int64_t inputs, itemsizes[OPERANDS]; /* which strides are divided by */
    int users;
    bool dropped;
    int count;
    uint64_t words[FACTS];
};

struct Table {
    int tensors, attributes, operands;
    int changed;               /* the tensor that is read and written, -1: none */
    int outputs;
    int output[OUTPUTS];       /* among the operands */
    int operand_of[OPERANDS];  /* of each tensor, -1: it is not read */
    bool optional[OPERANDS];   /* it may be None */
    int tracing[OPERANDS];     /* of each attribute: enum Tracing */
    Object *choice;
    struct Known *latest, *known[ROOM];
    int known_count;
    struct Recorded *recorded[RECORDED];
    uint64_t met[MET];   /* hashes of calls that were replayed … */
    uint32_t times[MET]; /* … and how often each was */
};

/* Let go of what a launch and results refer to: last, as this may run anything. */
static void let_go(const struct Launch *launch, const struct Result *results)
{
    Object *kept[2 + OUTPUTS] = {launch->keep, launch->stream};
    for (int k = 0; k < OUTPUTS; k++)
        kept[2 + k] = results[k].dtype;
    for (int i = 0; i < 2 + OUTPUTS; i++)
        Py_DecRef(kept[i]);
}

static void end_known(struct Known *known)
{
    if (known->users) {
        known->dropped = true;
        return;
    }
    struct Launch launch = known->launch;
    struct Result *results = known->results;
    free(known->block);
    free(known);
    let_go(&launch, results);
    free(results);
}

static bool is_for(const struct Known *known, const struct Key *key)
{
    return known->count == key->count &&
           !memcmp(known->words, key->words, key->count * sizeof *key->words);
}

static uint64_t hash_of(const struct Key *key)
{
    uint64_t hash = 0;
    for (int i = 0; i < key->count; i++)
        hash = (hash ^ key->words[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return hash;
}

/* Where the call of a key is, or is to be. */
static struct Known **place_of(struct Table *table, const struct Key *key)
{
    uint64_t place = hash_of(key) % ROOM;
    while (table->known[place] && !is_for(table->known[place], key))
        place = (place + 1) % ROOM;
    return &table->known[place];
}

/* A tensor that no kernel sees: all of it is in common. */
static void add_unread(struct Key *key, const struct View *view)
{
    for (int64_t d = 0; d < view->dims && key->count <= WORDS; d++) {
        add_fact(key, (uint64_t)view->sizes[d]);
        add_fact(key, (uint64_t)view->strides[d]);
    }
}

/* A call's words, and the addresses of its operands but for one that is to be made. */
static bool read_call(struct Table *table, Object *const *arguments, struct Key *key,
                      struct Given *given)
{
    Object *type = NULL, *out = arguments[table->tensors + table->attributes];
    uint64_t unread;
    struct View unread_view;
    key->count = key->fact_count = given->count = 0;
    Object *choice = PyObject_CallNoArgs(table->choice);
    add_fact(key, (uint64_t)choice); /* settings live for ever */
    Py_DecRef(choice);
    for (int i = 0; i < table->tensors; i++) {
        Object *array = arguments[i];
        if (array == NONE && table->optional[i]) {
            add_fact(key, 0);
            continue;
        }
        if (!type) {
            type = type_of(array);
            if (!(type == numpy.type || (type == torch.type && read_torch_state(key))))
                return false;
        }
        int operand = table->operand_of[i];
        if (!read_array(array, type, i == table->changed, key,
                        operand < 0 ? &unread : &given->addresses[operand],
                        operand < 0 ? &unread_view : &given->views[operand]))
            return false;
        if (operand < 0)
            add_unread(key, &unread_view);
    }
    for (int i = 0; i < table->attributes; i++)
        if (!read_attribute(arguments[table->tensors + i], table->tracing[i], key, given))
            return false;
    int written = table->output[0];
    if (out == NONE)
        add_fact(key, 0);
    else if (!type || table->outputs > 1 ||
             !read_array(out, type, true, key, &given->addresses[written], &given->views[written]))
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

/* Add a result to those before it; several are a tuple. False, and nothing left: there is none. */
static bool add_result(Object **all, int number, int of, Object *result)
{
    if (of == 1)
        return (*all = result);
    if (!number)
        *all = PyTuple_New(of);
    if (result && *all && !PyTuple_SetItem(*all, number, result))
        return true;
    Py_DecRef(*all);
    *all = NULL;
    return false;
}

/* Memory for as long as a call takes: on a GPU PyTorch has it, as a graph's or a stream's. */
struct Workspace {
    void *data, *tensor;
};
enum { BYTES = 0 }; /* PyTorch's code of uint8 */

static bool begin_workspace(const struct Launch *launch, const struct Result *like, int64_t size,
                            struct Workspace *workspace)
{
    int64_t step = 1;
    if (!launch->on_gpu)
        workspace->data = malloc((size_t)size);
    else if (torch.empty(1, &size, &step, BYTES, like->device_type, like->device_index,
                         &workspace->tensor))
        workspace->tensor = NULL;
    else
        torch.data(workspace->tensor, &workspace->data);
    return workspace->data;
}

static void end_workspace(const struct Workspace *workspace)
{
    if (workspace->tensor)
        torch.drop(workspace->tensor);
    else
        free(workspace->data);
}

/* Whether an output that was given touches another operand's bytes in a way that matters. */
static bool may_overlap(const struct Table *table, const struct Known *known,
                        const uint64_t *addresses)
{
    for (int i = 0; i < table->operands; i++) {
        const struct Near *near = &known->near[i];
        int64_t behind = (int64_t)(addresses[i] - addresses[table->output[0]]);
        if (near->above < behind && behind < near->below && (behind || !near->same_elements))
            return true;
    }
    return false;
}

static bool launch_on_stream(const struct Launch *launch, uint64_t *block, int64_t words,
                             uint64_t number)
{
    void *arguments[BLOCK];
    for (int64_t i = 0; i < words; i++)
        arguments[i] = &block[i];
    return !launch->on_gpu(launch->function, launch->programs, 1, 1, launch->threads, 1, 1,
                           launch->shared, (void *)number, arguments, NULL);
}

static bool launch_on_gpu(const struct Launch *launch, uint64_t *block, int64_t words)
{
    Object *stream = PyObject_CallNoArgs(launch->stream);
    if (!stream)
        return false;
    uint64_t number = PyLong_AsUnsignedLongLong(stream);
    Py_DecRef(stream);
    return launch_on_stream(launch, block, words, number);
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

static bool launch_block(const struct Launch *launch, uint64_t *block, int64_t words)
{
    if (launch->on_gpu)
        return launch_on_gpu(launch, block, words);
    int64_t count = launch->units > 1 && share ? count_threads() : 1;
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

/* Launch an equal call; false where Python is to try, and to say why it cannot be. */
static bool run(const struct Table *table, const struct Known *known, const uint64_t *addresses)
{
    const struct Launch *launch = &known->launch;
    struct Workspace workspace = {NULL, NULL};
    uint64_t block[BLOCK];
    memcpy(block, known->block, (size_t)known->block_words * sizeof *block);
    for (int i = 0; i < table->operands; i++)
        if (!addresses[i])
            return false;
    if (known->workspace && !begin_workspace(launch, known->results, known->workspace, &workspace))
        return false;
    bool fits = true;
    for (const struct Pointer *at = known->pointers; at < known->pointers + known->pointer_count;
         at++) {
        block[at->word] += at->operand == table->operands ? (uint64_t)workspace.data
                                                         : addresses[at->operand];
        fits &= !launch->on_gpu || (int64_t)(block[at->word] % 16) == at->phase;
    }
    bool done = fits && launch_block(launch, block, known->block_words);
    if (known->workspace)
        end_workspace(&workspace);
    return done;
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

/* Make a call like an equal one. False: Python is to try. A null result: Python has an error. */
static bool follow(struct Table *table, struct Known *known, Object *const *arguments,
                   struct Given *found, Object **result)
{
    known->users++;
    Object *out = arguments[table->changed >= 0 ? table->changed : table->tensors + table->attributes];
    bool given = out != NONE, of_torch = !known->results->dtype;
    if (given)
        Py_IncRef(out);
    for (int k = 0; !given && k < table->outputs; k++)
        if (!add_result(&out, k, table->outputs,
                        make(&known->results[k], &found->addresses[table->output[k]])))
            break;
    bool done = out && !(given && may_overlap(table, known, found->addresses)) &&
                run(table, known, found->addresses);
    if (--known->users == 0 && known->dropped)
        end_known(known);
    return hand_over(out, done, given && of_torch, result);
}
