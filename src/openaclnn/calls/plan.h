/* From a new layout to what a kernel takes: plan/loop.py, the tiling of
   engines/cpu/tiling.py and the kernels for few elements of engines/cuda/tiling.py once more, for
   calls so small that Python's time would tell. Nothing here knows Python. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OPERANDS = 12, DIMS = 16, BLOCK = 512, NUMBERS = 8, KERNELS = 64, PARAMETERS = 96 };
enum { STATE_FUNCTIONS = 9 }; /* of a fold's state */
enum { TERM_BITS = 16, OUTPUT_BITS = 17, ACROSS_BITS = 6, FOLD_TILES = 192, NO_TILE = 255 };
enum { KEPT = 512 }; /* lines that stay in a cache: engines/cpu/tiling.py */
enum { RUN_DOWN = 2048 }; /* elements of a unit whose vectors run down the rows: likewise */

/* How an array lies in memory; strides in bytes or in elements. */
struct View {
    int64_t dims;
    const int64_t *sizes, *strides;
};

struct Dim {
    int64_t size, strides[OPERANDS];
};

/* The loop over a call's operands, outermost dimension first. */
struct Loop {
    int dims, operands;
    struct Dim dim[DIMS];
    int64_t starts[OPERANDS];
};

/* How large tiles of a fold are: see engines/cpu/fold.py. */
struct Tiles {
    int64_t turned, columns, rows, elements, short_columns, short_rows, short_elements;
};

/* A kernel of the CPU engine by its patterns and lanes; of the GPU's by how many dimensions it
   decodes (0: it is for contiguous operands), or, of a fold, by what `cut_on_gpu` of folds.h finds,
   with the places of its parameters' numbers. */
struct Kernel {
    uint64_t patterns;
    int64_t lanes;
    void *function, *of_units; /* which runs all; which runs some, for threads to share */
    void *on_threads;          /* of a fold: which runs all on threads */
    struct Tiles tiles;        /* and how it is cut */
    int64_t tile, threads, shared, parameters;
    void *merging; /* of a fold in parts on a GPU: what merges them, whose parameters are the rest */
    int64_t merging_threads, merging_shared, all_parameters;
    int16_t at[PARAMETERS], part[PARAMETERS];
};

/* How large a GPU's tiles of a fold are, by bits of how many terms and outputs there are, and of how
   many of these lie beside each other where terms do not, 0: none; of few elements by terms alone: see
   engines/cuda/tiles.py. */
struct FoldTiles {
    uint8_t of[TERM_BITS + 1][OUTPUT_BITS + 1][ACROSS_BITS + 2], few[TERM_BITS + 1];
    int32_t rows[FOLD_TILES], columns[FOLD_TILES];
    int64_t part, most_parts, most_states; /* how terms are cut: `parts_of` of plan/folds.py */
};

enum { INVERSE = -2, FIXED };

/* What a result's shape is: the inputs', or that without dimensions. */
enum { LIKE, REDUCED };

/* What calls that differ in sizes, strides and numbers have in common; of calls of several passes
   each has one (folds.h). */
struct Form {
    int32_t operands, tensors;      /* what a kernel takes; what a call has: one may be both */
    int32_t places[OPERANDS];       /* the tensor that an operand is, -1: positions, which lie in no
                                       memory; the last one is written */
    bool read[OPERANDS];            /* of the tensors */
    int64_t itemsizes[OPERANDS];    /* of the operands */
    int32_t dims;                   /* at most */
    bool broadcasts, into, in_bytes, on_gpu;
    int64_t below, serial_below, holding_below; /* elements that are for us; for which no thread is
                                                   woken; for which no lock is given away */
    int64_t tile, line, least, most, enough;
    int64_t lanes[7];
    int32_t numbers;
    int32_t attribute_of[NUMBERS];  /* of which a number is the value, INVERSE: one over the elements'
                                       number, FIXED: it is this one: */
    uint8_t narrow[NUMBERS];        /* enum Narrow */
    uint64_t words[NUMBERS];
    int32_t result, over; /* how many dimensions are folded; 0: all */
    int64_t along[DIMS];  /* these, below 0 counted from the end */
    bool keeps;           /* what is folded, with size 1 */
    bool folds;           /* and of a pass that does: */
    int64_t states, in_cache, most_terms; /* on a GPU the first are bytes of a part's */
    uint64_t divisor, functions[STATE_FUNCTIONS]; /* a float64's bits, 0: how many terms there are */
    struct FoldTiles tiles;                       /* on a GPU */
    int32_t kernels;
    struct Kernel kernel[KERNELS];
};

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The shape that views have together, as numpy broadcasts; false where that is none. */
static bool broadcast(const struct View *const *views, int count, int64_t *dims, int64_t *sizes)
{
    *dims = 0;
    for (int v = 0; v < count; v++)
        if (views[v]->dims > *dims)
            *dims = views[v]->dims;
    if (*dims > DIMS)
        return false;
    for (int64_t d = 0; d < *dims; d++)
        sizes[d] = 1;
    for (int v = 0; v < count; v++)
        for (int64_t d = 0; d < views[v]->dims; d++) {
            int64_t size = views[v]->sizes[d], *found = &sizes[*dims - views[v]->dims + d];
            if (size != 1 && *found != 1 && size != *found)
                return false;
            if (size != 1)
                *found = size;
        }
    return true;
}

static bool same_shape(const struct View *view, int64_t dims, const int64_t *sizes)
{
    return view->dims == dims && !memcmp(view->sizes, sizes, dims * sizeof *sizes);
}

/* The output's shape; false where it may be wrong. `views` are the tensors', but for one that is to
   be `made`; see check/again.py. */
static bool shape_of(const struct Form *form, const struct View *views, bool made, int64_t *dims,
                     int64_t *sizes)
{
    const struct View *all[OPERANDS];
    int count = 0, written = form->places[form->operands - 1];
    bool equal = true;
    for (int t = 0; t < form->tensors; t++)
        if (!(made && t == written) && (form->read[t] || (form->into && t == written)))
            all[count++] = &views[t];
    if (!broadcast(all, count, dims, sizes) || *dims > form->dims)
        return false;
    for (int i = 0; i < count; i++)
        equal &= same_shape(all[i], *dims, sizes);
    return (equal || form->broadcasts) && (made || same_shape(&views[written], *dims, sizes));
}

static int64_t weight_of(const struct Dim *dim, int operands)
{
    int64_t sum = 0;
    for (int k = 0; k < operands; k++)
        sum += magnitude(dim->strides[k]);
    return sum;
}

/* Whether a dimension belongs outside another: the operand that leads walks it in larger steps. */
static bool outside(const struct Dim *a, const struct Dim *b, int operands, int lead)
{
    int64_t x = a->strides[lead], y = b->strides[lead];
    return x != y ? x > y : weight_of(a, operands) > weight_of(b, operands);
}

static bool goes_on(const struct Dim *outer, const struct Dim *inner, int operands)
{
    for (int k = 0; k < operands; k++)
        if (outer->strides[k] != inner->strides[k] * inner->size)
            return false;
    return true;
}

/* The loop over some dimensions: `_walk` of plan/loop.py. The operand that leads is walked upwards,
   its fastest dimension innermost; starts are moved. */
static void walk(const struct Dim *dims, int count, int lead, struct Loop *loop)
{
    int n = loop->operands, found_count = 0;
    struct Dim found[DIMS];
    for (int d = count - 1; d >= 0; d--) { /* the last first: of equals the later is outside */
        struct Dim dim = dims[d];
        if (dim.size == 1)
            continue;
        if (dim.strides[lead] < 0)
            for (int k = 0; k < n; k++) {
                loop->starts[k] += (dim.size - 1) * dim.strides[k];
                dim.strides[k] = -dim.strides[k];
            }
        int place = found_count++;
        for (; place > 0 && outside(&dim, &found[place - 1], n, lead); place--)
            found[place] = found[place - 1];
        found[place] = dim;
    }
    loop->dims = 0;
    for (int d = 0; d < found_count; d++) {
        struct Dim *last = loop->dims ? &loop->dim[loop->dims - 1] : NULL;
        if (last && goes_on(last, &found[d], n)) {
            int64_t size = last->size;
            *last = found[d];
            last->size *= size;
        } else {
            loop->dim[loop->dims++] = found[d];
        }
    }
}

/* Whether an operand of a loop has no two indices for one element, as far as is easily seen. */
static bool is_apart(const struct Loop *loop, int operand)
{
    int64_t reach = 0;
    for (int d = loop->dims - 1; d >= 0; d--) {
        if (loop->dim[d].strides[operand] <= reach)
            return false;
        reach += loop->dim[d].strides[operand] * (loop->dim[d].size - 1);
    }
    return true;
}

/* An operand's stride in elements; false where it is no whole one. */
static bool in_elements(const struct Form *form, int operand, int64_t *stride)
{
    if (form->in_bytes && *stride % form->itemsizes[operand])
        return false;
    if (form->in_bytes)
        *stride /= form->itemsizes[operand];
    return true;
}

/* The loop over operands along a shape. False where strides are no whole elements, or an output may
   have two indices for one. */
static bool lay(const struct Form *form, const struct View *views, int64_t dims,
                const int64_t *sizes, struct Loop *loop)
{
    struct Dim found[DIMS];
    memset(loop->starts, 0, sizeof loop->starts);
    loop->operands = form->operands;
    for (int64_t d = 0; d < dims; d++) {
        found[d] = (struct Dim){sizes[d], {0}};
        for (int k = 0; k < form->operands && sizes[d] != 1; k++) {
            const struct View *view = &views[form->places[k]];
            int64_t own = d - (dims - view->dims);
            if (own < 0 || view->sizes[own] == 1)
                continue;
            found[d].strides[k] = view->strides[own];
            if (!in_elements(form, k, &found[d].strides[k]))
                return false;
        }
    }
    walk(found, (int)dims, form->operands - 1, loop);
    return is_apart(loop, form->operands - 1);
}

/* The bytes from an operand's first element that it spans. */
static void span(const struct Form *form, const struct Loop *loop, int k, int64_t *first,
                 int64_t *end)
{
    *first = *end = loop->starts[k];
    for (int d = 0; d < loop->dims; d++) {
        int64_t reach = (loop->dim[d].size - 1) * loop->dim[d].strides[k];
        *(reach < 0 ? first : end) += reach;
    }
    *first *= form->itemsizes[k];
    *end = (*end + 1) * form->itemsizes[k];
}

/* Whether an output that was given touches what is read, unless that is the same elements. */
static bool touches(const struct Form *form, const struct Loop *loop, const uint64_t *addresses)
{
    int out = form->operands - 1;
    int64_t first, end, its_first, its_end;
    span(form, loop, out, &first, &end);
    uint64_t at = addresses[form->places[out]];
    for (int k = 0; k < out; k++) {
        if (form->places[k] < 0)
            continue;
        uint64_t its = addresses[form->places[k]];
        span(form, loop, k, &its_first, &its_end);
        if (its + its_first >= at + end || its + its_end <= at + first)
            continue;
        bool same = its == at && form->itemsizes[k] == form->itemsizes[out] &&
                    loop->starts[k] == loop->starts[out];
        for (int d = 0; d < loop->dims; d++)
            same &= loop->dim[d].strides[k] == loop->dim[d].strides[out];
        if (!same)
            return true;
    }
    return false;
}

/* The bytes from a tensor's first element that it spans. */
static void span_of(const struct View *view, int64_t unit, int64_t itemsize, int64_t *first,
                    int64_t *end)
{
    *first = *end = 0;
    for (int64_t d = 0; d < view->dims; d++) {
        int64_t reach = (view->sizes[d] - 1) * view->strides[d] * unit;
        *(reach < 0 ? first : end) += reach;
    }
    *end += itemsize;
}

/* Whether an output that was given, the last of so many tensors, shares memory with what is read, or
   has two indices for one element, as far as is easily seen. */
static bool output_is_odd(const int64_t *itemsizes, int tensors, bool in_bytes,
                          const struct View *views, const uint64_t *addresses)
{
    int written = tensors - 1;
    int64_t unit = in_bytes ? 1 : itemsizes[written], first, end, its_first, its_end;
    struct Dim dims[DIMS];
    struct Loop loop = {.operands = 1};
    for (int64_t d = 0; d < views[written].dims; d++)
        dims[d] = (struct Dim){views[written].sizes[d], {views[written].strides[d] * unit}};
    walk(dims, (int)views[written].dims, 0, &loop);
    if (!is_apart(&loop, 0))
        return true;
    span_of(&views[written], unit, itemsizes[written], &first, &end);
    for (int t = 0; t < written; t++) {
        span_of(&views[t], in_bytes ? 1 : itemsizes[t], itemsizes[t], &its_first, &its_end);
        if (addresses[t] + its_first < addresses[written] + end &&
            addresses[t] + its_end > addresses[written] + first)
            return true;
    }
    return false;
}

enum { COLUMN, ROW, COLUMN_GROUP, ROW_GROUP, AXES };

/* How a loop is cut into tiles: `_Tiling` of engines/cpu/launch.py. */
struct Tiling {
    struct Dim axes[AXES];
    int64_t tile[AXES], tiles[AXES], units, columns;
    int left[DIMS], left_count; /* dimensions that no axis has */
    uint64_t patterns;
    bool crossing;
};

static void take_out(struct Tiling *tiling, int dim)
{
    int kept = 0;
    for (int i = 0; i < tiling->left_count; i++)
        if (tiling->left[i] != dim)
            tiling->left[kept++] = tiling->left[i];
    tiling->left_count = kept;
}

/* Where an axis is short, the dimension that goes on where it ends makes groups of it, for operands
   that are turned, or for the others. */
static void group(struct Tiling *tiling, const struct Loop *loop, int64_t tile, int axis, int before,
                  uint64_t turned, bool of_turned)
{
    int64_t size = tiling->axes[axis].size;
    if (2 * size > tile)
        return;
    for (int i = 0; i < tiling->left_count; i++) {
        const struct Dim *dim = &loop->dim[tiling->left[i]];
        bool follows = true;
        for (int k = 0; k < loop->operands; k++)
            if ((turned >> k & 1) == of_turned)
                follows &= dim->strides[k] == loop->dim[before].size * loop->dim[before].strides[k];
        if (follows) {
            tiling->axes[axis + 2] = *dim;
            tiling->tile[axis] = size;
            tiling->tile[axis + 2] = tile / size;
            take_out(tiling, tiling->left[i]);
            return;
        }
    }
}

/* A dimension along which an operand moves inside a line of memory is walked before the rows. */
static void within_lines(struct Tiling *tiling, const struct Loop *loop, int64_t line)
{
    if (tiling->axes[COLUMN_GROUP].size != 1)
        return;
    for (int i = 0; i < tiling->left_count; i++) {
        const struct Dim *dim = &loop->dim[tiling->left[i]];
        for (int k = 0; k < loop->operands; k++)
            if (dim->strides[k] && magnitude(dim->strides[k]) < line) {
                tiling->axes[COLUMN_GROUP] = *dim;
                take_out(tiling, tiling->left[i]);
                return;
            }
    }
}

/* What is left in an order that follows a crossing operand for as long as a tile would. */
static void in_lines(struct Tiling *tiling, const struct Loop *loop, int64_t tile, int operand,
                     int64_t rows)
{
    int order[DIMS], first[DIMS], taken = 0;
    for (int i = 0; i < tiling->left_count; i++) {
        int place = i;
        uint64_t step = magnitude(loop->dim[tiling->left[i]].strides[operand]) - 1;
        for (; place > 0; place--) { /* 0 counts as the largest */
            uint64_t other = magnitude(loop->dim[order[place - 1]].strides[operand]) - 1;
            if (other <= step)
                break;
            order[place] = order[place - 1];
        }
        order[place] = tiling->left[i];
    }
    int count = tiling->left_count;
    for (int i = 0; i < count && rows < tile; i++) {
        first[taken++] = order[i];
        rows *= loop->dim[order[i]].size;
        take_out(tiling, order[i]);
    }
    while (taken)
        tiling->left[tiling->left_count++] = first[--taken];
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The dimension other than the last along which an operand's neighbours lie; -1 where tiles are not
   worth it. */
static int row_across(const struct Form *form, const struct Loop *loop, int operand)
{
    int64_t line = form->line, tile = form->tile;
    int64_t last = magnitude(loop->dim[loop->dims - 1].strides[operand]), least = last;
    int64_t next = magnitude(loop->dim[loop->dims - 2].strides[operand]);
    int found = 0;
    for (int d = 0; d < loop->dims; d++) {
        int64_t step = magnitude(loop->dim[d].strides[operand]);
        if (step && step < least) {
            least = step;
            found = d;
        }
    }
    int64_t columns = loop->dim[loop->dims - 1].size, rows = loop->dim[found].size, between = 1;
    for (int d = found + 1; d < loop->dims; d++)
        between *= loop->dim[d].size;
    bool few = columns <= line, near = last < line, kept = between <= KEPT;
    bool some_more = form->itemsizes[operand] > 2 && columns <= 4 * line;
    bool large = columns * loop->dim[loop->dims - 2].size >= 4 * tile;
    if (kept && (few || (large && (some_more || near || least > 1))))
        return -1;
    if (least == last || (few && (next ? next : last) <= 2 * line))
        return -1;
    if (near && large && least == 1 && !few)
        return smaller(rows, tile) * smaller(columns, tile) > 2 * tile ? found : -1;
    return rows * columns >= 2 * line ? found : -1;
}

/* The operand that tiles are made for, and the dimension its neighbours lie along: the first whose
   columns lie in a line of memory each, or the one whose columns are furthest apart. */
static bool crosses(const struct Form *form, const struct Loop *loop, int *operand, int *dim)
{
    int64_t furthest = 1;
    for (int k = 0; k < loop->operands; k++) {
        int64_t last = magnitude(loop->dim[loop->dims - 1].strides[k]);
        int64_t apart = smaller(last, 2 * form->line);
        int found = apart > furthest ? row_across(form, loop, k) : -1;
        if (found >= 0) {
            *operand = k;
            *dim = found;
            furthest = apart;
        }
    }
    return furthest > 1;
}

/* Whether vectors run down the rows of 2 to 4 columns: where more operands have the rows side by side
   than have the columns so; of 3 or 4 columns, where all but one have. */
static bool runs_down(const struct Form *form, const struct Loop *loop)
{
    const struct Dim *columns = &loop->dim[loop->dims - 1], *rows = columns - 1;
    int along = 0, down = 0;
    if (columns->size > form->line / 2 || rows->size < 4 * form->line)
        return false;
    for (int k = 0; k < loop->operands; k++) {
        if (form->itemsizes[k] > 4)
            return false;
        along += columns->strides[k] == 0 || columns->strides[k] == 1;
        down += rows->strides[k] == 0 || rows->strides[k] == 1;
    }
    return down > along && (columns->size == 2 || down == loop->operands - 1);
}

/* Cut a loop; `rows` of it are a unit, where that is not 0. */
static void cut(const struct Form *form, const struct Loop *loop, int64_t numel, int64_t rows,
                struct Tiling *tiling)
{
    int n = loop->operands, column = loop->dims - 1, row = loop->dims - 2, operand = 0;
    bool crossing = loop->dims > 1 && crosses(form, loop, &operand, &row);
    bool down = loop->dims > 1 && !crossing && !rows && runs_down(form, loop);
    if (down) {
        column = loop->dims - 2;
        row = loop->dims - 1;
    }
    tiling->crossing = crossing;
    memset(tiling->axes, 0, sizeof tiling->axes);
    for (int axis = 0; axis < AXES; axis++)
        tiling->axes[axis].size = tiling->tile[axis] = 1;
    if (column >= 0)
        tiling->axes[COLUMN] = loop->dim[column];
    else /* one element: call it contiguous */
        for (int k = 0; k < n; k++)
            tiling->axes[COLUMN].strides[k] = 1;
    if (row >= 0)
        tiling->axes[ROW] = loop->dim[row];
    tiling->left_count = 0;
    for (int d = 0; d < loop->dims; d++)
        if (d != row && d != column)
            tiling->left[tiling->left_count++] = d;
    uint64_t turned = 0;
    tiling->patterns = 0;
    for (int k = 0; k < n; k++) {
        int64_t step = tiling->axes[COLUMN].strides[k];
        bool far = k == operand || magnitude(step) >= form->line;
        bool turns = crossing && k < n - 1 && tiling->axes[ROW].strides[k] == 1 && far;
        uint64_t pattern = step == 1 ? 1 : !step ? 0 : turns ? 3 : 2;
        tiling->patterns |= pattern << 2 * k;
        turned |= (uint64_t)(pattern == 3) << k;
    }
    int64_t columns = tiling->axes[COLUMN].size, tile = form->tile;
    if (!crossing && rows) {
        tiling->tile[COLUMN] = columns;
        tiling->tile[ROW] = rows;
    } else if (down) {
        tiling->tile[COLUMN] = smaller(columns, RUN_DOWN / tiling->axes[ROW].size);
        tiling->tile[ROW] = tiling->axes[ROW].size;
    } else if (!crossing) {
        int64_t unit = numel / form->enough / form->least * form->least;
        unit = unit < form->least ? form->least : unit > form->most ? form->most : unit;
        tiling->tile[COLUMN] = columns < unit ? columns : unit;
        tiling->tile[ROW] = unit / columns > 1 ? unit / columns : 1;
    } else {
        tiling->tile[COLUMN] = tiling->tile[ROW] = tile;
        if (turned) {
            bool rows_first = tiling->axes[ROW].size < columns; /* the shorter one */
            if (rows_first)
                group(tiling, loop, tile, ROW, row, turned, true);
            group(tiling, loop, tile, COLUMN, column, turned, false);
            if (!rows_first)
                group(tiling, loop, tile, ROW, row, turned, true);
            within_lines(tiling, loop, form->line);
        }
        in_lines(tiling, loop, tile, operand,
                 tiling->axes[ROW].size * tiling->axes[ROW_GROUP].size);
    }
    tiling->units = 1;
    for (int axis = 0; axis < AXES; axis++) {
        int64_t size = tiling->axes[axis].size, of = tiling->tile[axis];
        tiling->units *= tiling->tiles[axis] = (size + of - 1) / of;
    }
    for (int i = 0; i < tiling->left_count; i++)
        tiling->units *= loop->dim[tiling->left[i]].size;
    int64_t groups = tiling->axes[COLUMN_GROUP].size, most = tiling->tile[COLUMN_GROUP];
    tiling->columns = columns * (groups < most ? groups : most);
}

static uint64_t *put_strides(const struct Form *form, const struct Dim *dim, uint64_t *word)
{
    for (int k = 0; k < form->operands; k++)
        *word++ = (uint64_t)(dim->strides[k] * form->itemsizes[k]);
    return word;
}

/* The kernel for patterns and rows of a length; null where it has not been made yet. */
static const struct Kernel *kernel_for(const struct Form *form, uint64_t patterns, int64_t columns)
{
    int bits = 0;
    for (int64_t left = columns - 1 < 63 ? columns - 1 : 63; left; left >>= 1)
        bits++;
    for (int i = 0; i < form->kernels; i++)
        if (form->kernel[i].patterns == patterns && form->kernel[i].lanes == form->lanes[bits])
            return &form->kernel[i];
    return NULL;
}

/* The block of the CPU engine's kernel for a loop that is cut, but for pointers and numbers. Gives
   where it ends. */
static uint64_t *put_tiling(const struct Form *form, const struct Loop *loop,
                            const struct Tiling *tiling, uint64_t *word)
{
    for (int axis = 0; axis < AXES; axis++) {
        word[axis] = tiling->axes[axis].size;
        word[AXES + axis] = tiling->tile[axis];
        word[2 * AXES + axis] = tiling->tiles[axis];
    }
    word += 3 * AXES;
    *word++ = tiling->left_count;
    *word++ = tiling->units;
    for (int axis = 0; axis < AXES; axis++)
        word = put_strides(form, &tiling->axes[axis], word);
    for (int i = tiling->left_count - 1; i >= 0; i--) {
        *word++ = loop->dim[tiling->left[i]].size;
        word = put_strides(form, &loop->dim[tiling->left[i]], word);
    }
    return word;
}

/* The kernel of the CPU engine for a loop, and its block likewise; null where it has not been made
   yet. */
static const struct Kernel *on_cpu(const struct Form *form, const struct Loop *loop, int64_t numel,
                                   uint64_t *word, uint64_t **end, uint64_t *units)
{
    struct Tiling tiling;
    cut(form, loop, numel, 0, &tiling);
    const struct Kernel *kernel = kernel_for(form, tiling.patterns, tiling.columns);
    if (kernel)
        *end = put_tiling(form, loop, &tiling, word);
    *units = (uint64_t)tiling.units;
    return kernel;
}

/* The exponent of the first power of two that is not below a size. */
static int bits_of(int64_t size)
{
    int bits = 0;
    while (((int64_t)1 << bits) < size)
        bits++;
    return bits;
}

/* What stands for a division by a size: `divider` of engines/cuda/kernel.py. */
static uint64_t divides(int64_t size, int part)
{
    int shift = bits_of(size);
    if (part == 2)
        return shift;
    return (((uint64_t)(((int64_t)1 << shift) - size) << 32) / size + 1) & 0xFFFFFFFF;
}

/* Some of a GPU's kernel's parameters, of the numbers of a layout. */
static uint64_t *put_parameters(const struct Kernel *kernel, int64_t first, int64_t end,
                                const int64_t *numbers, uint64_t *word)
{
    for (int64_t i = first; i < end; i++) {
        int64_t found = numbers[kernel->at[i]];
        *word++ = kernel->part[i] ? divides(found, kernel->part[i]) : (uint64_t)found;
    }
    return word;
}

/* The kernel of the GPU's for a loop over elements `below` which any layout has the same kernel, or
   over contiguous ones that vectors of 16 bytes can begin with (`aligned`), and its parameters; null
   where it is another, or has not been made yet. */
static const struct Kernel *on_gpu(const struct Form *form, struct Loop *loop, int64_t numel,
                                   int64_t below, bool aligned, uint64_t *word, uint64_t **end,
                                   uint32_t *programs)
{
    int n = loop->operands, rank = loop->dims <= 2 ? 2 : loop->dims <= 4 ? 4 : 8;
    if (!loop->dims) { /* one element: call it contiguous */
        loop->dims = 1;
        loop->dim[0].size = 1;
        for (int k = 0; k < n; k++)
            loop->dim[0].strides[k] = 1;
    }
    bool flat = loop->dims == 1 && aligned;
    for (int k = 0; k < n && flat; k++)
        flat = loop->dim[0].strides[k] == 1;
    if (loop->dims > 8 || (!flat && numel >= below))
        return NULL;
    for (int k = 0; k < n; k++) {
        int64_t reach = 0;
        for (int d = 0; d < loop->dims; d++)
            reach += loop->dim[d].size * magnitude(loop->dim[d].strides[k]);
        if (reach >= (int64_t)1 << 30)
            return NULL;
    }
    const struct Kernel *kernel = form->kernel;
    for (; kernel < form->kernel + form->kernels; kernel++)
        if (kernel->lanes == (flat ? 0 : rank))
            break;
    if (kernel == form->kernel + form->kernels)
        return NULL;
    int64_t numbers[2 + 8 * (1 + OPERANDS)] = {(numel + kernel->tile - 1) / kernel->tile, numel};
    int64_t *number = numbers + 2;
    for (int d = 0; d < (flat ? 1 : rank); d++) {
        const struct Dim *dim = d < loop->dims ? &loop->dim[loop->dims - 1 - d] : NULL;
        *number++ = dim ? dim->size : 1;
        for (int k = 0; k < n; k++)
            *number++ = dim ? dim->strides[k] : 0;
    }
    *programs = (uint32_t)numbers[0];
    *end = put_parameters(kernel, 0, kernel->parameters, numbers, word);
    return kernel;
}

enum Narrow { AS_IT_IS, TO_FLOAT, TO_FLOAT16, TO_BF16 };

/* The shorter float nearest to a number, by its bits: a host may have set another rounding; one of
   16 bits is the nearest to the float32. Ordinary numbers only: what is subnormal, infinite or NaN
   as such a float is for Python. */
static bool narrowed(uint64_t *bits, enum Narrow to)
{
    if (to > TO_FLOAT && !narrowed(bits, TO_FLOAT))
        return false;
    int drop = to == TO_FLOAT ? 29 : to == TO_FLOAT16 ? 42 : 45;
    int low = to == TO_FLOAT16 ? 14 : 126, high = to == TO_FLOAT16 ? 16 : 128;
    uint64_t sign = *bits & (uint64_t)1 << 63, rest = *bits ^ sign;
    uint64_t unit = (uint64_t)1 << drop, left = rest & (unit - 1);
    rest -= left;
    if (left > unit / 2 || (left == unit / 2 && rest & unit))
        rest += unit;
    *bits = sign | rest;
    return rest >= (uint64_t)(1023 - low) << 52 && rest < (uint64_t)(1023 + high) << 52;
}

/* The float64 nearest to one over a positive number, by its bits, digit by digit: a host may have set
   another rounding, or trap what is rounded. */
static uint64_t inverse_of(int64_t count)
{
    uint64_t divisor = (uint64_t)count, rest = 1, digits = 0, size = 1;
    for (; rest <= divisor / 2; size++)
        rest *= 2;
    if (rest == divisor)
        return (1024 - size) << 52;
    for (int i = 0; i < 54; i++) {
        rest *= 2;
        digits = 2 * digits + (rest >= divisor);
        rest -= rest >= divisor ? divisor : 0;
    }
    return ((1023 - size) << 52) + (digits / 2 + digits % 2) - ((uint64_t)1 << 52);
}

/* The numbers of a call as its kernel takes them, from its attributes that are numbers, by their
   bits as float64; false where Python is to look at one. */
static bool put_numbers(const struct Form *form, const uint64_t *attributes, int64_t numel,
                        uint64_t *word)
{
    for (int i = 0; i < form->numbers; i++) {
        word[i] = form->words[i];
        if (form->attribute_of[i] == INVERSE) {
            if (numel <= 1)
                return false;
            word[i] = inverse_of(numel);
        }
        if (form->attribute_of[i] < 0)
            continue;
        uint64_t bits = attributes[form->attribute_of[i]];
        bool usual = bits - 1 < ((uint64_t)0x7FF << 52) - 1; /* positive, finite */
        if (!usual || (form->narrow[i] && !narrowed(&bits, form->narrow[i])) || bits == (uint64_t)0x3FF << 52)
            return false; /* 1 has a kernel of its own */
        word[i] = bits;
    }
    return true;
}
