/* SPDX-License-Identifier: MIT */
/* The losses of generalised linear models, row by row. */
#include "rows/family_loss.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/elementwise.h"
#include <float.h>
#include <math.h>

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

cairn_status cairn_family_rows_open(cairn_context *ctx, cairn_family_rows *out, cairn_family family,
                                    const cairn_view *view)
{
    size_t n = view->rows.n;
    double *values, *weights, *constants = NULL, total = 0;
    CHECK(SCRATCH_RAW(ctx, &values, n + 1));
    CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
    cairn_view_target_numbers(view, 0, n, values);
    cairn_view_weights(view, 0, n, weights);
    for (size_t i = 0; i < n; i++) {
        total += weights[i];
        if (!cairn_family_has_value(&family, values[i]))
            return refuse_value(ctx, view, i, &family, values[i]);
    }
    if (!(total > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: at least one needs a positive weight");
    if (is_count(&family)) {
        CHECK(SCRATCH_RAW(ctx, &constants, n + 1));
        for (size_t i = 0; i < n; i++)
            constants[i] = values[i] > 0 ? values[i] * (cairn_log(values[i]) - 1) : 0;
    }
    *out = (cairn_family_rows){family, values, weights, NULL, constants};
    return CAIRN_OK;
}
