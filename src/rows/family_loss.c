/* SPDX-License-Identifier: MIT */
/* The losses of generalised linear models, row by row. */
#include "rows/family_loss.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/elementwise.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>

enum { OPEN_BLOCK = 8 * 1024 }; /* rows */

/* Counts with a logarithmic link: exponentials of a piece at once, and no logarithm. */
static void count_rows(const void *data, size_t first, size_t n, const double *scores,
                       size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    const double *y = r->values + first, *w = r->weights + first, *c = r->constants + first;
    double sum = 0;
    (void)stride;
    for (size_t i = 0; i < n; i++)
        slopes[i] = r->offsets ? scores[i] + r->offsets[first + i] : scores[i];
    cairn_exp_each(kept, slopes, n);
    for (size_t i = 0; i < n; i++) {
        double mean = fmax(kept[i], DBL_EPSILON);
        sum += w[i] * (mean - y[i] * slopes[i] + c[i]);
        slopes[i] = w[i] * (mean - y[i]);
        kept[i] = w[i] * mean;
        if (r->means) r->means[first + i] = mean;
    }
    sums[0] += sum;
}

static void family_rows(const void *data, size_t first, size_t n, const double *scores,
                        size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i;
        double w = r->weights[at], y = r->values[at], slope;
        double mean =
            cairn_link_mean(r->family.link, scores[i] + (r->offsets ? r->offsets[at] : 0), &slope);
        kept[i] = slopes[i] = 0;
        if (r->means) r->means[at] = mean;
        if (w == 0) continue;
        if (!cairn_family_has_mean(&r->family, mean)) {
            sums[0] = INFINITY;
            continue;
        }
        double variance = cairn_family_variance(&r->family, mean);
        sums[0] += w * cairn_family_deviance(&r->family, y, mean) / 2;
        slopes[i] = w * (mean - y) * slope / variance;
        kept[i] = w * slope * slope / variance;
    }
}

/* W (score - z)²/2 with z = link(m) + (y - m) / slope - offset at the starting mean m. */
static void start_rows(const void *data, size_t first, size_t n, const double *scores,
                       size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i;
        double y = r->values[at], slope;
        double from = cairn_link_score(r->family.link, cairn_family_start(&r->family, y));
        double mean = cairn_link_mean(r->family.link, from, &slope);
        bool usable = r->weights[at] > 0 && isfinite(from) && slope != 0 &&
                      cairn_family_has_mean(&r->family, mean);
        kept[i] = slopes[i] = 0;
        if (!usable) continue;
        double z = from + (y - mean) / slope - (r->offsets ? r->offsets[at] : 0);
        kept[i] = r->weights[at] * slope * slope / cairn_family_variance(&r->family, mean);
        slopes[i] = kept[i] * (scores[i] - z);
        sums[0] += slopes[i] * (scores[i] - z) / 2;
    }
}

static bool is_count(const cairn_family *f)
{
    return f->kind == CAIRN_POISSON && f->link == CAIRN_LINK_LOG;
}

cairn_row_loss cairn_family_row_loss(const cairn_family_rows *rows)
{
    return (cairn_row_loss){
        .n_scores = 1, .data = rows, .rows = rows->constants ? count_rows : family_rows};
}

cairn_row_loss cairn_family_start_loss(const cairn_family_rows *rows)
{
    return (cairn_row_loss){.n_scores = 1, .data = rows, .rows = start_rows};
}

static cairn_status refuse_value(cairn_context *ctx, const cairn_view *view, size_t i,
                                 const cairn_family *family, double value)
{
    size_t row = cairn_view_row(view, i);
    char number[CAIRN_NUMBER_SIZE];
    if (!isfinite(value)) return cairn_refuse_number(ctx, view->target_name, row, value);
    cairn_number_format(number, value, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the target '%s' is %s in row %zu, but this family needs %s; choose another "
                      "{family}",
                      view->target_name, number, row + 1, cairn_family_values(family->kind));
}

typedef struct opening {
    const cairn_view *view;
    const cairn_family *family;
    int32_t positive; /* of a target with levels */
    double *values, *weights, *constants;
    double *totals; /* of each block: its weight */
    size_t *bad;    /* of each block: the first row with a value that the family cannot have */
} opening;

/* What of the half deviance of counts no mean changes: y (ln y - 1). */
static void fill_constants(const opening *o, size_t begin, size_t end)
{
    double *c = o->constants + begin;
    cairn_log_each(c, o->values + begin, end - begin);
    for (size_t i = 0; i < end - begin; i++) {
        double y = o->values[begin + i];
        c[i] = y > 0 ? y * (c[i] - 1) : 0;
    }
}

static void fill_values(const opening *o, size_t begin, size_t end)
{
    if (o->view->target->kind == CAIRN_NUMBER) {
        cairn_view_target_numbers(o->view, begin, end - begin, o->values + begin);
        return;
    }
    for (size_t i = begin; i < end; i++)
        o->values[i] = o->view->target->codes[cairn_view_row(o->view, i)] == o->positive;
}

static void open_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const opening *o = data;
    (void)worker;
    fill_values(o, begin, end);
    cairn_view_weights(o->view, begin, end - begin, o->weights + begin);
    o->bad[block] = SIZE_MAX;
    for (size_t i = begin; i < end; i++) {
        o->totals[block] += o->weights[i];
        if (o->bad[block] == SIZE_MAX && !cairn_family_has_value(o->family, o->values[i]))
            o->bad[block] = i;
    }
    if (o->constants) fill_constants(o, begin, end);
}

/* The sum of the weights; fails on the first value that the family cannot have. */
static cairn_status join_blocks(cairn_context *ctx, const opening *o, size_t n_blocks,
                                double *total)
{
    *total = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        *total += o->totals[b];
        if (o->bad[b] != SIZE_MAX)
            return refuse_value(ctx, o->view, o->bad[b], o->family, o->values[o->bad[b]]);
    }
    if (*total > 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "there is no row to learn from: at least one needs a positive weight");
}

cairn_status cairn_family_rows_open(cairn_context *ctx, cairn_family_rows *out, cairn_family family,
                                    const cairn_view *view, int32_t positive)
{
    size_t n = view->rows.n, n_blocks = cairn_block_count(n, OPEN_BLOCK);
    opening o = {.view = view, .family = &family, .positive = positive};
    double total;
    CHECK(SCRATCH_RAW(ctx, &o.values, n + 1));
    CHECK(SCRATCH_RAW(ctx, &o.weights, n + 1));
    if (is_count(&family)) CHECK(SCRATCH_RAW(ctx, &o.constants, n + 1));
    CHECK(SCRATCH(ctx, &o.totals, n_blocks + 1));
    CHECK(SCRATCH(ctx, &o.bad, n_blocks + 1));
    CHECK(cairn_blocks(ctx, n, OPEN_BLOCK, open_block, &o));
    CHECK(join_blocks(ctx, &o, n_blocks, &total));
    *out = (cairn_family_rows){.family = family,
                               .values = o.values,
                               .weights = o.weights,
                               .constants = o.constants,
                               .total = total};
    return CAIRN_OK;
}
