/* SPDX-License-Identifier: MIT */
/* The rows as the solvers of logistic regression read them: number columns shifted and scaled,
 * bags of words either written out or by columns in blocks of rows.
 *
 * A block of rows is as large as its scores fit into the second-level cache. Within a block the
 * entries of the bags lie by item, so that a product with the weights reads these in order, once
 * per block, and jumps about in the block's scores only; the product with the turned matrix does
 * the same for a range of items, one block after the other. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/products.h"
#include "learners/linear/linear.h"
#include "learners/linear/logistic.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum {
    BLOCK_NUMBERS = 64 * 1024, /* scores of a block of rows */
    LEAST_BLOCK = 256,
    MOST_BLOCK = 32 * 1024,
    PIECE_NUMBERS = 16 * 1024, /* numbers in a worker's buffer */
    RANGES = 64                /* of terms, for turned products */
};

/* Of penalised columns; its square, times a strength, is a number. */
static const double LARGEST_SCALE = 0x1p400;

/* -- rows -- */

static cairn_status list_columns(cairn_context *ctx, cairn_logistic_data *d, bool penalised)
{
    const cairn_view *view = d->view;
    size_t n = view->n_features;
    CHECK(SCRATCH(ctx, &d->columns, n + 1));
    CHECK(SCRATCH(ctx, &d->bags, n + 1));
    CHECK(SCRATCH(ctx, &d->bag_starts, n + 2));
    for (size_t j = 0; j < n; j++)
        if (view->features[j]->kind == CAIRN_BAG)
            d->bags[d->n_bags++] = view->features[j];
        else
            d->columns[d->n_dense++] = view->features[j]->numbers;
    d->n_terms = d->n_dense;
    for (size_t b = 0; b < d->n_bags; b++) {
        d->bag_starts[b] = d->n_terms;
        d->n_terms += d->bags[b]->names.n;
    }
    d->bag_starts[d->n_bags] = d->n_terms;
    d->width = d->n_terms + (d->intercept ? 1 : 0);
    CHECK(SCRATCH(ctx, &d->shift, d->n_dense + 1));
    CHECK(SCRATCH(ctx, &d->scale, d->n_dense + 1));
    d->plain = true;
    for (size_t j = 0; j < d->n_dense; j++) {
        cairn_linear_rough_scale(view, d->columns[j], &d->shift[j], &d->scale[j]);
        /* a ridge on tiny numbers, in units of their size, would be beyond all numbers */
        if (penalised) d->scale[j] = fmin(d->scale[j], LARGEST_SCALE);
        if (!d->intercept) d->shift[j] = 0;
        d->plain = d->plain && d->shift[j] == 0 && d->scale[j] == 1;
    }
    return CAIRN_OK;
}

/* Classes and weights of the rows. */
static cairn_status list_answers(cairn_context *ctx, cairn_logistic_data *d,
                                 const cairn_logistic_plan *plan)
{
    const cairn_view *view = d->view;
    size_t n_codes = view->target->names.n;
    int32_t *numbers;
    CHECK(SCRATCH_RAW(ctx, &d->answers, d->n + 1));
    CHECK(SCRATCH_RAW(ctx, &d->weights, d->n + 1));
    CHECK(SCRATCH(ctx, &d->class_totals, d->n_classes + 1));
    CHECK(SCRATCH(ctx, &numbers, n_codes + 1));
    for (size_t k = 0; k < d->n_classes; k++) numbers[plan->classes[k]] = (int32_t)k;
    cairn_view_target_codes(view, 0, d->n, d->answers);
    cairn_view_weights(view, 0, d->n, d->weights);
    bool unit = d->n_vectors == 1;
    for (size_t i = 0; i < d->n; i++) {
        if (plan->class_weights) d->weights[i] *= plan->class_weights[d->answers[i]];
        d->answers[i] = numbers[d->answers[i]];
        unit = unit && d->weights[i] == 1;
        d->class_totals[d->answers[i]] += d->weights[i];
    }
    for (size_t k = 0; k < d->n_classes; k++) d->total += d->class_totals[k];
    if (unit) CHECK(SCRATCH_RAW(ctx, &d->signs, d->n + 1));
    for (size_t i = 0; unit && i < d->n; i++) d->signs[i] = d->answers[i] == 0 ? 1 : -1;
    return CAIRN_OK;
}

/* The items of row i of a bag, in its table. */
static void bag_row(const cairn_logistic_data *d, size_t b, size_t i, size_t *from, size_t *to)
{
    size_t row = cairn_view_row(d->view, i);
    *from = d->bags[b]->starts[row];
    *to = d->bags[b]->starts[row + 1];
}

static double amount(const cairn_column *bag, size_t e)
{
    return bag->amounts ? bag->amounts[e] : 1;
}

/* -- blocks of bags -- */

typedef struct block_work {
    cairn_logistic_data *d;
} block_work;

/* Entries of the block by item: count, add up, put. */
static cairn_status make_block(cairn_context *ctx, void *data, size_t number)
{
    cairn_logistic_data *d = ((block_work *)data)->d;
    cairn_logistic_block *block = &d->blocks[number];
    size_t begin = number * d->block, end = begin + d->block < d->n ? begin + d->block : d->n;
    size_t n_items = d->n_terms - d->n_dense, from, to, used = 0;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    uint32_t *places;
    cairn_status status;
    TRY(SCRATCH(ctx, &places, n_items + 1));
    for (size_t b = 0; b < d->n_bags; b++)
        for (size_t i = begin; i < end; i++) {
            bag_row(d, b, i, &from, &to);
            for (size_t e = from; e < to; e++)
                places[(size_t)d->bags[b]->items[e] + d->bag_starts[b] - d->n_dense]++;
        }
    for (size_t t = 0, sum = 0; t < n_items; t++) {
        size_t count = places[t];
        if (count) {
            block->items[used] = (int32_t)(t + d->n_dense);
            block->starts[used++] = (uint32_t)sum;
        }
        places[t] = (uint32_t)sum;
        sum += count;
        block->starts[used] = (uint32_t)sum;
    }
    block->n_items = used;
    for (size_t b = 0; b < d->n_bags; b++)
        for (size_t i = begin; i < end; i++) {
            bag_row(d, b, i, &from, &to);
            for (size_t e = from; e < to; e++) {
                size_t t = (size_t)d->bags[b]->items[e] + d->bag_starts[b] - d->n_dense;
                block->rows[places[t]] = (uint32_t)(i - begin);
                block->values[places[t]++] = amount(d->bags[b], e);
            }
        }
    for (size_t r = 0, at = 0; r <= d->n_ranges; r++) {
        size_t first = d->n_dense + r * d->range;
        while (at < used && (size_t)block->items[at] < first) at++;
        block->ranges[r] = r == d->n_ranges ? used : at;
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Room for the block's entries; a block of more than 2^32 entries cannot be. */
static cairn_status block_room(cairn_context *ctx, cairn_logistic_data *d, size_t number)
{
    cairn_logistic_block *block = &d->blocks[number];
    size_t begin = number * d->block, end = begin + d->block < d->n ? begin + d->block : d->n;
    size_t from, to, n = 0, most = d->n_terms - d->n_dense;
    for (size_t b = 0; b < d->n_bags; b++)
        for (size_t i = begin; i < end; i++) {
            bag_row(d, b, i, &from, &to);
            n += to - from;
        }
    if (n >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows hold %zu words, too many for one block; use fewer classes or "
                          "shorter texts",
                          end - begin, n);
    if (n < most) most = n;
    CHECK(SCRATCH_RAW(ctx, &block->items, most + 1));
    CHECK(SCRATCH(ctx, &block->starts, most + 2));
    CHECK(SCRATCH_RAW(ctx, &block->rows, n + 1));
    CHECK(SCRATCH_RAW(ctx, &block->values, n + 1));
    return SCRATCH(ctx, &block->ranges, d->n_ranges + 1);
}

static cairn_status make_blocks(cairn_context *ctx, cairn_logistic_data *d)
{
    size_t n_items = d->n_terms - d->n_dense;
    block_work work = {d};
    d->range = n_items / RANGES + 1;
    d->n_ranges = cairn_block_count(n_items, d->range);
    d->n_blocks = cairn_block_count(d->n, d->block);
    CHECK(SCRATCH(ctx, &d->blocks, d->n_blocks + 1));
    for (size_t b = 0; b < d->n_blocks; b++) CHECK(block_room(ctx, d, b));
    return cairn_tasks(ctx, d->n_blocks, make_block, &work);
}

cairn_status cairn_logistic_data_make(cairn_context *ctx, cairn_logistic_data *out,
                                      const cairn_view *view, const cairn_logistic_plan *plan)
{
    cairn_logistic_data d = {.view = view, .n = view->rows.n, .intercept = plan->intercept};
    d.schema = plan->schema;
    d.classes = plan->classes;
    d.n_classes = plan->n_present;
    d.pinned = plan->pinned;
    d.n_vectors = d.n_classes - (d.pinned ? 1 : 0);
    d.stride = plan->sparse && d.n_vectors > 1 ? (d.n_vectors + 3) / 4 * 4 : d.n_vectors;
    CHECK(list_columns(ctx, &d, plan->penalised));
    CHECK(list_answers(ctx, &d, plan));
    d.block = BLOCK_NUMBERS / d.stride;
    if (d.block < LEAST_BLOCK) d.block = LEAST_BLOCK;
    if (d.block > MOST_BLOCK) d.block = MOST_BLOCK;
    d.piece = PIECE_NUMBERS / (d.width + d.stride + 1) / 8 * 8;
    if (d.piece < 16) d.piece = 16;
    if (d.piece > 512) d.piece = 512;
    d.room = cairn_matmul_room(d.piece > d.width ? d.piece : d.width, d.stride,
                               d.piece > d.width ? d.piece : d.width);
    if (plan->sparse) CHECK(make_blocks(ctx, &d));
    *out = d;
    return CAIRN_OK;
}

/* -- reading -- */

static void pack(const cairn_logistic_data *d, size_t first, size_t n, double *z, size_t stride)
{
    const uint32_t *rows = d->view->rows.indices;
    if (!d->n_dense) return;
    cairn_pack_rows(z, stride, d->columns, d->n_dense, rows ? rows + first : NULL, rows ? 0 : first,
                    n);
    if (!d->plain) cairn_standardise_rows(z, stride, n, d->n_dense, d->shift, d->scale);
}

void cairn_logistic_dense_rows(const cairn_logistic_data *d, size_t first, size_t n, double *z)
{
    pack(d, first, n, z, d->n_dense);
}

void cairn_logistic_rows(const cairn_logistic_data *d, size_t first, size_t n, double *z)
{
    size_t width = d->width, from, to;
    pack(d, first, n, z, width);
    for (size_t i = 0; i < n; i++) {
        double *row = z + i * width;
        if (d->n_bags) memset(row + d->n_dense, 0, (d->n_terms - d->n_dense) * sizeof *row);
        for (size_t b = 0; b < d->n_bags; b++) {
            bag_row(d, b, first + i, &from, &to);
            for (size_t e = from; e < to; e++)
                row[d->bag_starts[b] + (size_t)d->bags[b]->items[e]] = amount(d->bags[b], e);
        }
        if (d->intercept) row[width - 1] = 1;
    }
}

size_t cairn_logistic_entries(const cairn_logistic_data *d, size_t i, size_t *terms, double *values)
{
    size_t n = 0, from, to, row = cairn_view_row(d->view, i);
    for (size_t j = 0; j < d->n_dense; j++) {
        terms[n] = j;
        values[n] = d->columns[j][row];
        n += values[n] != 0;
    }
    for (size_t b = 0; b < d->n_bags; b++) {
        bag_row(d, b, i, &from, &to);
        for (size_t e = from; e < to; e++) {
            terms[n] = d->bag_starts[b] + (size_t)d->bags[b]->items[e];
            values[n++] = amount(d->bags[b], e);
        }
    }
    if (d->intercept) terms[n] = d->n_terms, values[n++] = 1;
    return n;
}

double cairn_logistic_largest(const cairn_logistic_data *d, const char **column, size_t *row)
{
    const cairn_view *view = d->view;
    double most = -1, best = 0;
    *column = NULL;
    *row = 0;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *c = view->features[j];
        for (size_t i = 0; i < d->n; i++) {
            size_t at = cairn_view_row(view, i);
            bool bag = c->kind == CAIRN_BAG;
            size_t from = bag ? c->starts[at] : 0, to = bag ? c->starts[at + 1] : 1;
            for (size_t e = from; e < to; e++) {
                double x = bag ? amount(c, e) : c->numbers[at];
                if (!(fabs(x) <= most) && !isnan(best)) {
                    most = fabs(x);
                    best = x;
                    *column = view->names[j];
                    *row = at;
                }
            }
        }
    }
    return best;
}

cairn_status cairn_logistic_check_finite(cairn_context *ctx, const cairn_logistic_data *d)
{
    char value[CAIRN_NUMBER_SIZE];
    const char *column;
    size_t row;
    double x = cairn_logistic_largest(d, &column, &row);
    if (!isfinite(x)) return cairn_linear_refuse_number(ctx, column, row, x);
    cairn_number_format(value, x, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "weights or sums over the rows are beyond all numbers (the largest number is "
                      "%s in column '%s', row %zu); bring the columns to one scale (--with "
                      "scale:max-abs), or make the weights of rows and classes and the --strength "
                      "smaller",
                      value, column ? column : "?", row + 1);
}

/* -- units -- */

void cairn_logistic_raw(const cairn_logistic_data *d, const double *theta, double *out)
{
    size_t m = d->n_vectors;
    double *constants = out + d->n_terms * m;
    for (size_t k = 0; k < m; k++)
        constants[k] = d->intercept ? theta[d->n_terms * d->stride + k] : 0;
    for (size_t t = 0; t < d->n_terms; t++)
        for (size_t k = 0; k < m; k++) {
            double w = theta[t * d->stride + k];
            if (t < d->n_dense) {
                w *= d->scale[t];
                constants[k] -= w * d->shift[t];
            }
            out[t * m + k] = w;
        }
}

void cairn_logistic_from_raw(const cairn_logistic_data *d, const double *weights, double *theta)
{
    size_t m = d->n_vectors;
    memset(theta, 0, d->width * d->stride * sizeof *theta);
    for (size_t k = 0; k < m; k++) {
        double constant = weights[d->n_terms * m + k];
        for (size_t t = 0; t < d->n_terms; t++) {
            double w = weights[t * m + k];
            theta[t * d->stride + k] = t < d->n_dense ? w / d->scale[t] : w;
            if (t < d->n_dense) constant += w * d->shift[t];
        }
        if (d->intercept) theta[d->n_terms * d->stride + k] = constant;
    }
}

/* -- one row -- */

/* Two classes, one score: everything from e = exp(-|a|), which never overflows. */
static double two_classes(double *score, size_t answer, double *margin)
{
    double a = *score, e = exp(-fabs(a)), s = answer == 0 ? a : -a;
    *score = a >= 0 ? 1 / (1 + e) : e / (1 + e);
    *margin = s;
    return s >= 0 ? log1p(e) : log1p(e) - s;
}

double cairn_logistic_row(double *scores, size_t n_vectors, bool pinned, size_t answer,
                          double *margin)
{
    if (n_vectors == 1 && pinned) return two_classes(scores, answer, margin);
    double own = answer < n_vectors ? scores[answer] : 0;
    double other = pinned && answer < n_vectors ? 0 : -INFINITY;
    for (size_t k = 0; k < n_vectors; k++)
        if (k != answer && scores[k] > other) other = scores[k];
    double most = own > other ? own : other;
    double rest = pinned && answer < n_vectors ? exp(-most) : 0;
    for (size_t k = 0; k < n_vectors; k++) {
        scores[k] = exp(scores[k] - most);
        if (k != answer) rest += scores[k];
    }
    double mine = exp(own - most), sum = mine + rest;
    for (size_t k = 0; k < n_vectors; k++) scores[k] /= sum;
    *margin = own - other;
    return own >= other ? log1p(rest) : (most - own) + log(sum);
}
