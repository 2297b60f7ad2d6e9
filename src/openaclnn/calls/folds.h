/* Calls of several passes, or of one that folds, in new layouts: plan/folds.py, and
   engines/cpu/fold.py once more, as plan.h is for passes over elements. Results of folds that later
   passes read are *slots*: operands with places behind the tensors'. */
#pragma once
#include "plan.h"

struct Shape {
    int64_t dims, sizes[DIMS], numel;
};

/* The elements that a call's passes run over, which dimensions of them are folded (a bit for each), and
   its result's shape. */
struct Course {
    struct Shape terms, result;
    uint64_t over;
};

/* One pass, ready to run. */
struct Work {
    const struct Kernel *kernel;
    int64_t numel, units; /* which threads can share */
    uint64_t block[BLOCK];
};

static bool count_elements(struct Shape *shape)
{
    shape->numel = 1;
    for (int64_t d = 0; d < shape->dims; d++)
        if (__builtin_mul_overflow(shape->numel, shape->sizes[d], &shape->numel))
            return false;
    return shape->numel > 0;
}

static uint64_t dims_over(const struct Form *form, int64_t rank)
{
    uint64_t found = 0;
    for (int i = 0; i < form->over; i++) {
        int64_t dim = form->along[i] + (form->along[i] < 0 ? rank : 0);
        if (dim < 0 || dim >= rank || found >> dim & 1)
            return 0;
        found |= (uint64_t)1 << dim;
    }
    return form->over ? found : ((uint64_t)1 << rank) - 1;
}

/* Which dimension of a result a dimension of the terms is; -1: it is folded away. */
static int64_t kept_as(const struct Form *form, uint64_t over, int64_t dim)
{
    if (form->keeps)
        return dim;
    return over >> dim & 1 ? -1 : dim - __builtin_popcountll(over & (((uint64_t)1 << dim) - 1));
}

/* What a call runs over; false where a rule may forbid it. `views` are the tensors', but for one that
   is to be `made`. */
static bool course_of(const struct Form *form, const struct View *views, bool made,
                      struct Course *course)
{
    struct Shape *terms = &course->terms, *result = &course->result; /* which is the last tensor's */
    int written = form->tensors - 1;
    terms->dims = views[0].dims;
    if (!terms->dims || terms->dims > form->dims)
        return false;
    memcpy(terms->sizes, views[0].sizes, terms->dims * sizeof *terms->sizes);
    course->over = dims_over(form, terms->dims);
    if (!course->over || !count_elements(terms))
        return false;
    *result = *terms;
    for (int t = 0; t < written; t++) {
        struct Shape own = {views[t].dims, {0}, 0};
        if (own.dims != terms->dims)
            return false;
        memcpy(own.sizes, views[t].sizes, own.dims * sizeof *own.sizes);
        if (!count_elements(&own) || memcmp(own.sizes, terms->sizes, own.dims * sizeof *own.sizes))
            return false;
    }
    if (form->result == REDUCED) {
        result->dims = 0;
        for (int64_t d = 0; d < terms->dims; d++)
            if (kept_as(form, course->over, d) >= 0)
                result->sizes[result->dims++] = course->over >> d & 1 ? 1 : terms->sizes[d];
    }
    return count_elements(result) &&
           (made || same_shape(&views[written], result->dims, result->sizes));
}

/* `output_is_odd` of the tensors that a pass has. */
static bool output_of_pass_is_odd(const struct Form *form, const struct View *views,
                                  const uint64_t *addresses)
{
    int64_t itemsizes[OPERANDS] = {0};
    for (int k = 0; k < form->operands; k++)
        if (form->places[k] < form->tensors)
            itemsizes[form->places[k]] = form->itemsizes[k];
    return output_is_odd(itemsizes, form->tensors, form->in_bytes, views, addresses);
}

/* The dimensions of a pass's terms, with its operands' strides in elements; false where these are no
   whole ones. */
static bool dims_of(const struct Form *form, const struct View *views, const struct Course *course,
                    struct Dim *dims)
{
    int written = form->tensors - 1;
    int64_t slot = 1; /* the stride of a slot, which has what is kept */
    for (int64_t d = course->terms.dims - 1; d >= 0; d--) {
        bool over = course->over >> d & 1;
        dims[d] = (struct Dim){course->terms.sizes[d], {0}};
        for (int k = 0; k < form->operands; k++) {
            int place = form->places[k];
            int64_t own = d, *stride = &dims[d].strides[k];
            if (place >= form->tensors) {
                *stride = over ? 0 : slot;
                continue;
            }
            if (place == written && form->result == REDUCED)
                own = over ? -1 : kept_as(form, course->over, d);
            if (own < 0 || dims[d].size == 1)
                continue;
            *stride = views[place].strides[own];
            if (!in_elements(form, k, stride))
                return false;
        }
        if (!over)
            slot *= dims[d].size;
    }
    return true;
}

/* How a fold is cut: `FoldTiling` of engines/cpu/fold.py. */
struct FoldTiling {
    struct Loop kept, folded;
    struct Dim column, row;
    int row_dim; /* of those that are kept, -1: none */
    int64_t tile[2], blocks, units, parts, count;
    uint64_t patterns;
};

/* The columns and rows of a tile. */
static void size_tile(const struct Tiles *tiles, int64_t columns, int64_t *tile)
{
    tile[0] = tiles->columns;
    tile[1] = tiles->rows;
    if (tiles->turned)
        return;
    bool several = columns <= tiles->short_columns;
    int64_t rows = several                      ? tiles->short_elements / columns
                   : columns <= tiles->columns ? tiles->elements / columns
                                               : 1;
    int64_t most = several ? tiles->short_rows : tiles->rows;
    tile[0] = columns < tiles->columns ? columns : tiles->columns;
    tile[1] = rows < 1 ? 1 : rows < most ? rows : most;
}

/* Gives the kernel; null where it has not been made yet, or folds fewer terms. */
static const struct Kernel *cut_fold(const struct Form *form, struct FoldTiling *tiling)
{
    const struct Loop *kept = &tiling->kept, *folded = &tiling->folded;
    int inputs = form->operands - 1;
    const struct Dim one = {1, {0}};
    tiling->column = folded->dims ? folded->dim[folded->dims - 1] : one;
    tiling->row_dim = kept->dims - 1;
    for (int d = kept->dims - 1; d >= 0; d--)
        for (int k = 0; k < inputs; k++)
            if (kept->dim[d].strides[k] == 1 && (uint64_t)tiling->column.strides[k] > 1)
                tiling->row_dim = d;
    tiling->row = tiling->row_dim < 0 ? one : kept->dim[tiling->row_dim];
    tiling->patterns = (uint64_t)1 << 2 * inputs;
    for (int k = 0; k < inputs; k++) {
        uint64_t step = (uint64_t)tiling->column.strides[k];
        uint64_t pattern = step <= 1 ? step : tiling->row.strides[k] == 1 ? 3 : 2;
        tiling->patterns |= pattern << 2 * k;
    }
    int64_t columns = tiling->column.size, outputs = tiling->row.size;
    const struct Kernel *kernel = kernel_for(form, tiling->patterns, columns);
    if (!kernel)
        return NULL;
    size_tile(&kernel->tiles, columns, tiling->tile);
    tiling->count = columns;
    tiling->blocks = (columns + tiling->tile[0] - 1) / tiling->tile[0];
    for (int d = 0; d < folded->dims - 1; d++) {
        tiling->blocks *= folded->dim[d].size;
        tiling->count *= folded->dim[d].size;
    }
    if (tiling->count > form->most_terms)
        return NULL;
    tiling->units = (tiling->row.size + tiling->tile[1] - 1) / tiling->tile[1];
    for (int d = 0; d < kept->dims; d++)
        if (d != tiling->row_dim) {
            tiling->units *= kept->dim[d].size;
            outputs *= kept->dim[d].size;
        }
    int64_t parts = form->states / outputs;
    tiling->parts = tiling->blocks < parts ? tiling->blocks : parts;
    tiling->parts = tiling->parts < 1 ? 1 : tiling->parts;
    return kernel;
}

static uint64_t *put_dim(const struct Form *form, const struct Dim *dim, uint64_t *word)
{
    *word++ = (uint64_t)dim->size;
    return put_strides(form, dim, word);
}

/* The block of a fold's kernel but for pointers and numbers. */
static void put_fold(const struct Form *form, const struct FoldTiling *tiling, uint64_t *word)
{
    const struct Dim axes[AXES] = {tiling->column, tiling->row, {1, {0}}, {1, {0}}};
    double count = (double)tiling->count;
    for (int axis = 0; axis < AXES; axis++) {
        int64_t tile = axis < 2 ? tiling->tile[axis] : 1;
        word[axis] = (uint64_t)axes[axis].size;
        word[AXES + axis] = (uint64_t)tile;
        word[2 * AXES + axis] = (uint64_t)((axes[axis].size + tile - 1) / tile);
    }
    word += 3 * AXES;
    *word++ = (uint64_t)(tiling->kept.dims - (tiling->row_dim >= 0));
    *word++ = (uint64_t)tiling->units;
    for (int axis = 0; axis < AXES; axis++)
        word = put_strides(form, &axes[axis], word);
    *word++ = (uint64_t)tiling->blocks;
    *word = form->divisor;
    if (!form->divisor)
        memcpy(word, &count, sizeof count);
    word++;
    *word++ = (uint64_t)(tiling->folded.dims > 0 ? tiling->folded.dims - 1 : 0);
    *word++ = (uint64_t)tiling->parts;
    memcpy(word, form->functions, sizeof form->functions);
    word += STATE_FUNCTIONS;
    for (int d = tiling->kept.dims - 1; d >= 0; d--)
        if (d != tiling->row_dim)
            word = put_dim(form, &tiling->kept.dim[d], word);
    for (int d = tiling->folded.dims - 2; d >= 0; d--)
        word = put_dim(form, &tiling->folded.dim[d], word);
}

/* The pointers and numbers that a block begins with; gives what is behind them. */
static uint64_t *put_operands(const struct Form *form, const struct Loop *loop,
                              const uint64_t *addresses, uint64_t *block)
{
    for (int k = 0; k < form->operands; k++)
        block[k] = addresses[form->places[k]] + (uint64_t)(loop->starts[k] * form->itemsizes[k]);
    memcpy(block + form->operands, form->words, form->numbers * sizeof *form->words);
    return block + form->operands + form->numbers;
}

/* The loops over what is kept and over what is folded: `nests` of plan/loop.py. */
static bool nest_fold(const struct Form *form, const struct View *views,
                      const struct Course *course, struct Loop *kept, struct Loop *folded)
{
    struct Dim dims[DIMS], own[2][DIMS];
    int count[2] = {0, 0};
    if (!dims_of(form, views, course, dims))
        return false;
    for (int d = 0; d < course->terms.dims; d++) {
        int over = course->over >> d & 1;
        own[over][count[over]++] = dims[d];
    }
    kept->operands = folded->operands = form->operands;
    memset(folded->starts, 0, sizeof folded->starts);
    walk(own[1], count[1], 0, folded);
    memcpy(kept->starts, folded->starts, sizeof kept->starts);
    walk(own[0], count[0], form->operands - 1, kept);
    return true;
}

/* A pass that folds, over tensors and slots at these addresses; false where its kernel has not been
   made yet. */
static bool lay_fold(const struct Form *form, const struct View *views,
                     const struct Course *course, const uint64_t *addresses,
                     struct FoldTiling *tiling, struct Work *work)
{
    if (!nest_fold(form, views, course, &tiling->kept, &tiling->folded))
        return false;
    work->kernel = cut_fold(form, tiling);
    if (!work->kernel)
        return false;
    put_fold(form, tiling, put_operands(form, &tiling->kept, addresses, work->block));
    work->numel = course->terms.numel;
    work->units = tiling->units * tiling->parts;
    return true;
}

/* A pass over elements, likewise; `rows` of them are a unit, where that is not 0. */
static bool lay_elements(const struct Form *form, const struct View *views,
                         const struct Course *course, const uint64_t *addresses, int64_t rows,
                         struct Loop *loop, struct Tiling *tiling, struct Work *work)
{
    struct Dim dims[DIMS];
    if (course->terms.numel >= form->below || !dims_of(form, views, course, dims))
        return false;
    loop->operands = form->operands;
    memset(loop->starts, 0, sizeof loop->starts);
    walk(dims, (int)course->terms.dims, form->operands - 1, loop);
    cut(form, loop, course->terms.numel, rows, tiling);
    work->kernel = kernel_for(form, tiling->patterns, tiling->columns);
    if (!work->kernel)
        return false;
    put_tiling(form, loop, tiling, put_operands(form, loop, addresses, work->block));
    work->numel = course->terms.numel;
    work->units = tiling->units;
    return true;
}

/* Whether a unit is the same rows to a fold and to the last pass, which reads what it gives as this
   operand: `_walk_alike` of engines/cpu/launch.py. */
static bool walk_alike(const struct Form *form, const struct FoldTiling *fold,
                       const struct Loop *loop, const struct Tiling *last, int operand)
{
    int out = form->operands - 1, mine = fold->kept.dims - 1, its = last->left_count - 1;
    if (last->crossing || fold->folded.dims > 1 || fold->count > form->in_cache ||
        fold->tile[1] != last->tile[ROW] || fold->row.size != last->axes[ROW].size ||
        fold->row.strides[out] != last->axes[ROW].strides[operand])
        return false;
    for (int k = 0; k < out; k++)
        if ((fold->patterns >> 2 * k & 3) == 3)
            return false;
    for (;; mine--, its--) {
        if (mine == fold->row_dim)
            mine--;
        if (mine < 0 || its < 0)
            return mine < 0 && its < 0;
        const struct Dim *a = &fold->kept.dim[mine], *b = &loop->dim[last->left[its]];
        if (a->size != b->size || a->strides[out] != b->strides[operand])
            return false;
    }
}

/* All passes of a call over tensors, and slots behind them, at these addresses; false where Python
   is to see to it. `together` says whether they can be run unit by unit. */
static bool lay_passes(const struct Form *forms, int count, const struct View *views,
                       const struct Course *course, uint64_t *addresses, struct Work *work,
                       bool *together)
{
    struct FoldTiling folds[OPERANDS];
    const struct Form *last = &forms[count - 1];
    struct Tiling tiling;
    struct Loop loop;
    for (int p = 0; p < count; p++)
        if (forms[p].folds &&
            !lay_fold(&forms[p], views, course, addresses, &folds[p], &work[p]))
            return false;
    *together = false;
    if (last->folds)
        return true;
    if (count > 1 && lay_elements(last, views, course, addresses, folds[0].tile[1], &loop, &tiling,
                                  &work[count - 1])) {
        *together = true;
        for (int p = 0; p < count - 1 && *together; p++) {
            int operand = 0;
            while (operand < last->operands - 1 &&
                   last->places[operand] != forms[p].places[forms[p].operands - 1])
                operand++;
            *together = operand < last->operands - 1 &&
                        walk_alike(&forms[p], &folds[p], &loop, &tiling, operand);
        }
    }
    return *together || lay_elements(last, views, course, addresses, 0, &loop, &tiling,
                                     &work[count - 1]);
}

enum { FEW = 1 << 16, FEW_TERMS = 4096, MOST_RANK = 8 }; /* engines/cuda/tiling.py */
enum { OUTER = 3, CUT_OPERANDS = 4 };
enum { ROWS, COLUMNS };
enum { PARTS_AT = 255 };    /* engines/cuda/fold.py: the last number */
enum { LONG = 1 << 24 };    /* elements, from which on there are other kernels for parts */

/* How a fold, or all passes over rows, are cut on a GPU: which kernel it is, and the numbers of the
   layout, as `Tiling` of engines/cuda/tiling.py has them. */
struct GpuFold {
    struct Loop kept, folded;
    uint64_t pointers[OPERANDS], patterns;
    int64_t lanes, outputs, parts, programs, numbers[PARTS_AT + 1];
};

static int64_t *put_axis(int64_t size, int64_t tile, int64_t *number)
{
    *number++ = (size + tile - 1) / tile;
    *number++ = size;
    return number;
}

static int64_t *put_numbers_of(const struct Dim *dim, int operands, int64_t *number)
{
    *number++ = dim->size;
    memcpy(number, dim->strides, operands * sizeof *number);
    return number + operands;
}

static int64_t elements_of(const struct Loop *loop)
{
    int64_t found = 1;
    for (int d = 0; d < loop->dims; d++)
        found *= loop->dim[d].size;
    return found;
}

/* Few elements, of which all layouts of so many dimensions have one kernel. */
static bool cut_few(const struct Form *form, struct GpuFold *found)
{
    const struct Loop *both[] = {&found->kept, &found->folded};
    const struct Dim nothing = {1, {0}};
    int dims = found->kept.dims > found->folded.dims ? found->kept.dims : found->folded.dims;
    int rank = dims <= 1 ? 1 : dims <= 2 ? 2 : dims <= 4 ? 4 : MOST_RANK;
    uint8_t tile = form->tiles.few[bits_of(elements_of(both[COLUMNS]))];
    int64_t *number = found->numbers;
    if (tile == NO_TILE || dims > MOST_RANK)
        return false;
    found->patterns = 0;
    found->lanes = tile | rank << 8;
    for (int axis = ROWS; axis <= COLUMNS; axis++) {
        int64_t length = axis == ROWS ? form->tiles.rows[tile] : form->tiles.columns[tile];
        number = put_axis(elements_of(both[axis]), length, number);
        for (int d = 0; d < rank; d++) {
            int place = both[axis]->dims - 1 - d;
            number = put_numbers_of(place < 0 ? &nothing : &both[axis]->dim[place], form->operands,
                                    number);
        }
    }
    found->programs = found->numbers[0];
    return true;
}

/* What of an operand shapes a kernel's text: how it moves along rows, columns and other dimensions,
   whether vectors can be aligned, and are, and the first operand that moves alike. */
static uint64_t pattern_on_gpu(const struct Form *form, const struct Dim *dims, int count, int k,
                               uint64_t pointer)
{
    uint64_t found = 0;
    bool vectors = false, alignable = true;
    int twin = 0;
    for (int d = 0; d < count; d++) {
        int64_t step = dims[d].strides[k];
        bool together = d <= COLUMNS && step == 1;
        if (d <= COLUMNS)
            found |= (uint64_t)(step == 0 ? 0 : step == 1 ? 1 : 2) << 2 * d;
        else
            found |= (uint64_t)(step != 0) << (2 + d);
        vectors |= together;
        alignable &= together || step * form->itemsizes[k] % 16 == 0;
    }
    for (bool alike = false; !alike; twin += !alike) {
        alike = true;
        for (int d = 0; d < count; d++)
            alike &= dims[d].strides[twin] == dims[d].strides[k];
    }
    alignable &= vectors;
    return found | (uint64_t)alignable << 8 | (uint64_t)(alignable && pointer % 16 == 0) << 9 |
           (uint64_t)twin << 10;
}

/* Many elements; false also where several dimensions make an axis. */
static bool cut_many(const struct Form *form, struct GpuFold *found)
{
    const struct Loop *kept = &found->kept, *folded = &found->folded;
    struct Dim dims[2 + OUTER] = {{1, {0}}, {1, {0}}};
    struct Dim *row = &dims[ROWS], *column = &dims[COLUMNS];
    bool rows_at_once = form->result == LIKE, turned = false;
    int count = 2, looked_at = rows_at_once ? 1 : form->operands - 1, row_dim = kept->dims - 1;
    if (form->operands > CUT_OPERANDS || folded->dims > 1 || kept->dims > 1 + OUTER ||
        (found->parts > 1 && found->outputs * elements_of(folded) >= LONG))
        return false;
    if (folded->dims)
        *column = folded->dim[0];
    for (int d = kept->dims - 1; d >= 0 && !turned; d--)
        for (int k = 0; k < looked_at; k++)
            if (magnitude(kept->dim[d].strides[k]) == 1 && magnitude(column->strides[k]) > 1) {
                row_dim = d;
                turned = true;
            }
    for (int d = kept->dims - 1; d >= 0; d--)
        *(d == row_dim ? row : &dims[count++]) = kept->dim[d];
    int terms = bits_of(column->size), outputs = bits_of(found->outputs);
    int across = turned ? bits_of(row->size) : -1;
    uint8_t tile = form->tiles.of[terms < TERM_BITS ? terms : TERM_BITS]
                                 [outputs < OUTPUT_BITS ? outputs : OUTPUT_BITS]
                                 [1 + (across < ACROSS_BITS ? across : ACROSS_BITS)];
    if (tile == NO_TILE)
        return false;
    const int64_t lengths[] = {form->tiles.rows[tile], form->tiles.columns[tile]};
    if ((row->size < lengths[ROWS] && kept->dims > 1 && (rows_at_once || !turned)) ||
        (rows_at_once && column->size > lengths[COLUMNS]))
        return false;
    found->patterns = 0;
    found->lanes = tile | count << 8 | 1 << 12 | (found->parts > 1) << 13;
    for (int k = 0; k < form->operands; k++)
        found->patterns |= pattern_on_gpu(form, dims, count, k, found->pointers[k]) << 16 * k;
    int64_t *number = found->numbers;
    for (int d = 0; d < count; d++) {
        if (d <= COLUMNS) {
            number = put_axis(dims[d].size, lengths[d], number);
            int ends = (dims[d].size % 16 == 0) | (dims[d].size % lengths[d] == 0) << 1 |
                       (dims[d].size == lengths[d]) << 2;
            found->lanes |= (int64_t)ends << (16 + 4 * d);
        }
        number = put_numbers_of(&dims[d], form->operands, number);
    }
    found->programs = found->numbers[0] * found->parts;
    for (int d = COLUMNS + 1; d < count; d++)
        found->programs *= dims[d].size;
    return found->programs < (int64_t)1 << 31;
}

/* Cut a fold; false where Python is to see to it. */
static bool cut_on_gpu(const struct Form *form, const struct View *views,
                       const struct Course *course, const uint64_t *addresses,
                       struct GpuFold *found)
{
    const struct Loop *both[] = {&found->kept, &found->folded};
    if (!nest_fold(form, views, course, &found->kept, &found->folded) ||
        elements_of(&found->folded) > form->most_terms)
        return false;
    for (int k = 0; k < form->operands; k++) {
        int64_t reach = 0, size = form->itemsizes[k];
        for (int axis = ROWS; axis <= COLUMNS; axis++)
            for (int d = 0; d < both[axis]->dims; d++)
                reach += both[axis]->dim[d].size * magnitude(both[axis]->dim[d].strides[k]);
        uint64_t address = addresses[form->places[k]];
        found->pointers[k] = address + (uint64_t)(found->kept.starts[k] * size);
        if (!address || reach >= (int64_t)1 << 30 || found->pointers[k] % (size < 8 ? size : 8))
            return false;
    }
    int64_t terms = elements_of(&found->folded), part = form->tiles.part;
    found->outputs = elements_of(&found->kept);
    found->parts = 1;
    if (terms > part && terms - part > part) {
        int64_t cut = (terms - 1) / part + 1, room = form->tiles.most_states / found->outputs;
        cut = cut < room ? cut : room;
        cut = cut < form->tiles.most_parts ? cut : form->tiles.most_parts;
        found->parts = cut < 1 ? 1 : cut;
    }
    found->numbers[PARTS_AT] = found->parts;
    return course->terms.numel <= FEW && terms <= FEW_TERMS ? cut_few(form, found)
                                                            : cut_many(form, found);
}

/* The kernel of a fold that is cut, and what it takes; null where it has not been made yet. */
static const struct Kernel *fold_on_gpu(const struct Form *form, const struct GpuFold *cut,
                                        uint64_t *block, uint64_t **end)
{
    for (const struct Kernel *kernel = form->kernel; kernel < form->kernel + form->kernels; kernel++)
        if (kernel->patterns == cut->patterns && kernel->lanes == cut->lanes) {
            memcpy(block, cut->pointers, form->operands * sizeof *block);
            memcpy(block + form->operands, form->words, form->numbers * sizeof *block);
            *end = put_parameters(kernel, 0, kernel->parameters, cut->numbers,
                                  block + form->operands + form->numbers);
            return kernel;
        }
    return NULL;
}
