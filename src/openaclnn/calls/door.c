/* The call cache of shortcut.py in C: what two calls have in common is read from the arrays into words
   (objects.h); where an earlier call had the same words, its kernel runs on this one's addresses
   (recipes.h). One that differs from earlier ones in its layout or a number finds its kernel by
   new_layouts.h. Whatever is unusual, fails, or is new is Python's: `slow` gets the same
   arguments, and says what is wrong with them. */
#include "phases.h"

/* Whether a call is the one after so many like it, of which Python is to make a recipe: to lay passes
   anew takes a third of a small call's time on a CPU. */
enum { OFTEN = 16 };
static bool comes_often(struct Door *door, const struct Key *key)
{
    uint32_t *times = meetings(door, key);
    return *times <= OFTEN && (*times)++ == OFTEN;
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
    int64_t values[LINES];
    struct NewLayouts **form = form_of(door, &key, &given, values);
    if (form && !of_elements(*form))
        return ((*form)->forms->on_gpu || !comes_often(door, &key)) &&
               ((*form)->sums
                    ? adapt_reckoned(door, *form, &key, values, arguments, &given, result)
                    : adapt_passes(door, *form, arguments, &given, result));
    return form && adapt(door, *form, &key, arguments, &given, result);
}

/* A function of Python's: the door, and what takes a call that it does not know. */
struct Entrance {
    struct Door *door;
    Object *slow;
};

/* What Python answers where C knows no answer. */
static Object *ask(Object *slow, Object *const *arguments, intptr_t count)
{
    PyErr_Clear();
    Object *all = PyTuple_New(count);
    for (intptr_t i = 0; all && i < count; i++) {
        Py_IncRef(arguments[i]);
        PyTuple_SetItem(all, i, arguments[i]);
    }
    Object *result = all ? PyObject_CallObject(slow, all) : NULL;
    Py_DecRef(all);
    return result;
}

static Object *enter(Object *self, Object *const *arguments, intptr_t count)
{
    const struct Entrance *entrance = PyCapsule_GetPointer(self, NAME);
    struct Door *door = entrance->door;
    Object *result = NULL;
    if (count == door->tensors + door->attributes + 1 && take(door, arguments, &result))
        return result;
    return ask(entrance->slow, arguments, count);
}

/* The doors of an operator that takes a list of tensors, by its length, or tensors that may be None, by
   those that are given, a bit for each: to a door they are arguments of their own. */
enum { VARIANTS = 32 };
struct Variants {
    int list; /* its place among the arguments; -1: there is none */
    int tensors, arguments;
    struct Door *doors[VARIANTS];
};
struct VariantsEntrance {
    struct Variants *variants;
    Object *slow;
};

/* The door for these arguments, and what it takes; null where there is none. */
static struct Door *door_for(const struct Variants *variants, Object *const *arguments,
                             Object **flat, int *count)
{
    Object *const *rest = arguments + variants->tensors;
    Object *given = variants->list < 0 ? NULL : arguments[variants->list];
    intptr_t which = 0;
    *count = 0;
    for (int i = 0; i < variants->tensors; i++)
        if (arguments[i] != given && (given || arguments[i] != NONE)) {
            which |= given ? 0 : 1 << i;
            flat[(*count)++] = arguments[i];
        } else if (given) {
            bool list = given->type == (Object *)PyList_Type;
            if (!list && given->type != (Object *)PyTuple_Type)
                return NULL;
            which = list ? PyList_Size(given) : PyTuple_Size(given);
            for (intptr_t k = 0; k < which && which < VARIANTS; k++)
                flat[(*count)++] = list ? PyList_GetItem(given, k) : PyTuple_GetItem(given, k);
        }
    for (int i = variants->tensors; i < variants->arguments; i++)
        flat[(*count)++] = *rest++;
    return which < VARIANTS ? variants->doors[which] : NULL;
}

static Object *enter_variant(Object *self, Object *const *arguments, intptr_t count)
{
    const struct VariantsEntrance *entrance = PyCapsule_GetPointer(self, NAME);
    Object *flat[count + VARIANTS], *result = NULL;
    int given = 0;
    struct Door *door = count == entrance->variants->arguments
                            ? door_for(entrance->variants, arguments, flat, &given)
                            : NULL;
    if (door) {
        for (int i = 0; i < given; i++) /* a list may be changed while Python's lock is away */
            Py_IncRef(flat[i]);
        bool taken = take(door, flat, &result);
        for (int i = 0; i < given; i++)
            Py_DecRef(flat[i]);
        if (taken)
            return result;
    }
    return ask(entrance->slow, arguments, count);
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

/* A function of Python's that knows something, of which it gets a copy that stays. */
static Object *function_with(struct Method *method, const void *known, size_t size)
{
    void *kept = malloc(size);
    Object *self = kept ? PyCapsule_New(memcpy(kept, known, size), NAME, NULL) : NULL;
    Object *function = self ? PyCFunction_NewEx(method, self, NULL) : NULL;
    Py_DecRef(self);
    return function;
}

/* A function that takes every argument of an operator by its place, then `out`. */
EXPORT Object *entrance(struct Door *door, Object *slow)
{
    static struct Method method = {"call", enter, METH_FASTCALL, NULL};
    Py_IncRef(slow);
    return function_with(&method, &(struct Entrance){door, slow}, sizeof(struct Entrance));
}

EXPORT struct Variants *new_variants(int list, int tensors, int arguments)
{
    struct Variants *variants = calloc(1, sizeof *variants);
    if (variants)
        *variants = (struct Variants){list, tensors, arguments, {0}};
    return variants;
}

EXPORT void use_for(struct Variants *variants, int which, struct Door *door)
{
    if (variants && which < VARIANTS)
        variants->doors[which] = door;
}

/* The same for an operator of several doors. */
EXPORT Object *variants_entrance(struct Variants *variants, Object *slow)
{
    static struct Method method = {"call", enter_variant, METH_FASTCALL, NULL};
    struct VariantsEntrance entrance = {variants, slow};
    Py_IncRef(slow);
    return function_with(&method, &entrance, sizeof entrance);
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
    return function_with(&method, given, sizeof *given);
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
    memset(door->times, 0, sizeof door->times);
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

/* Put the kernel of a fold's form on a GPU, which is this call's, behind those that were known before;
   false where calls like it are not for us. */
static bool add_kernel(struct Form *form, const struct NewLayouts *before, struct Given *given)
{
    struct Course course;
    struct GpuFold cut;
    struct Kernel kernel = form->kernel[0];
    if (!course_of(form, given->views, false, &course) ||
        !cut_on_gpu(form, given->views, &course, given->addresses, &cut))
        return false;
    kernel.patterns = cut.patterns;
    kernel.lanes = cut.lanes;
    form->kernels = before ? before->forms->kernels : 0;
    if (before)
        memcpy(form->kernel, before->forms->kernel, sizeof form->kernel);
    if (form->kernels == KERNELS) /* the oldest makes room */
        memmove(form->kernel, form->kernel + 1, --form->kernels * sizeof kernel);
    form->kernel[form->kernels++] = kernel;
    return true;
}

/* Remember the form of a call that went well, one for each of its passes, with the kernels that there
   are so far, and its sums, where it is reckoned. */
EXPORT void learn_form(struct Door *door, Object *arguments, Object *result,
                       const struct Form *forms, int passes, const struct Launch *launch,
                       const struct Sums *sums)
{
    struct Key key;
    struct Given given = {{0}};
    uint64_t address;
    int64_t values[LINES];
    if (!read_tuple(door, arguments, &key, &given) || key.form_count > FORM_WORDS)
        return;
    struct NewLayouts **place = form_of(door, &key, &given, values), *before = place ? *place : NULL;
    struct NewLayouts *known = calloc(1, sizeof *known);
    bool adds = forms->folds && forms->on_gpu; /* another kernel to what is known */
    size_t unused = adds ? 0 : KERNELS - forms[passes - 1].kernels, size = passes * sizeof *forms;
    struct Form *kept = malloc(size -= unused * sizeof *forms->kernel);
    struct Sums *kept_sums = sums ? malloc(sums->words * sizeof(int64_t)) : NULL;
    if (!known || !kept || (sums && !kept_sums) ||
        !read_result(&known->result, result, &address)) {
        if (known)
            Py_DecRef(known->result.dtype);
        free(kept);
        free(kept_sums);
        free(known);
        return;
    }
    known->forms = memcpy(kept, forms, size);
    known->passes = passes;
    if (sums)
        known->sums = memcpy(kept_sums, sums, sums->words * sizeof(int64_t));
    known->launch = *launch;
    Py_IncRef(launch->keep);
    Py_IncRef(launch->stream);
    known->count = key.form_count;
    memcpy(known->words, key.form, key.form_count * sizeof *key.form);
    const struct Result *like = &known->result;
    given.addresses[door->output] = address;
    given.views[door->output] = (struct View){like->dims, like->sizes, like->strides};
    if (adds && !add_kernel(known->forms, before, &given)) {
        end_form(known);
        return;
    }
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
