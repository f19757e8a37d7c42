/* SPDX-License-Identifier: MIT */
/* The passes of least squares over the rows: cross products, an orthogonal triangle, residuals. */
#include "learners/linear/linear.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { RESIDUAL_ROWS = 4096 }; /* rows whose residuals are made together */

/* Places in the partial result of the residual pass; the moments follow. */
enum {
    AT_E1,
    AT_E2,
    AT_E3,
    AT_E4,
    AT_LARGEST,
    AT_ROW,
    AT_F1,
    AT_F2,
    AT_FE2,
    AT_STEPS,
    AT_FIRST,
    AT_LAST,
    AT_ANY,
    AT_MOMENTS
};

static void gram_piece(void *data, const cairn_piece *piece, double *gram)
{
    const cairn_row_matrix *x = data;
    cairn_gram_add(gram, NULL, piece->z, x->width, NULL, piece->weights, piece->n, x->width);
}

cairn_status cairn_linear_gram(cairn_context *ctx, const cairn_row_matrix *x, double *gram)
{
    cairn_row_sum sum = {.size = cairn_product(x->width, x->width), .piece = gram_piece};
    sum.data = (void *)x;
    CHECK(cairn_matrix_sum(ctx, x, &sum, gram));
    for (size_t j = 0; j < x->width; j++)
        if (!isfinite(gram[j * x->width + j])) return cairn_matrix_refuse(ctx, x, NULL);
    cairn_mirror_upper(gram, x->width);
    return CAIRN_OK;
}

typedef struct triangle_work {
    const cairn_row_matrix *x;
    bool intercept;
    const double *targets; /* further columns, n_targets x rows */
    size_t n_targets;
    double *triangles; /* one per block */
} triangle_work;

/* z of n rows by columns, rows multiplied by the roots of their weights: ones, features, target,
 * further targets. */
static void turn_piece(const triangle_work *work, size_t first, double *out, const double *z,
                       const double *w, size_t n)
{
    size_t width = work->x->width;
    for (size_t j = 0; j < width; j++) {
        size_t from = j == 0 ? width - 1 : j - 1;
        for (size_t i = 0; i < n; i++) out[j * n + i] = (w ? sqrt(w[i]) : 1) * z[i * width + from];
    }
    if (!work->intercept) memset(out, 0, n * sizeof *out);
    for (size_t k = 0; k < work->n_targets; k++) {
        const double *target = work->targets + k * work->x->n + first;
        for (size_t i = 0; i < n; i++) out[(width + k) * n + i] = (w ? sqrt(w[i]) : 1) * target[i];
    }
}

/* The triangle of a block of rows, a few times as many rows as columns after the other. */
static cairn_status triangle_task(cairn_context *ctx, void *data, size_t block)
{
    const triangle_work *work = data;
    const cairn_row_matrix *x = work->x;
    size_t width = x->width, all = width + work->n_targets, begin = block * x->block;
    size_t most = 4 * all < 64 ? 64 : 4 * all;
    size_t end = begin + x->block < x->n ? begin + x->block : x->n;
    SCOPED_SCRATCH(ctx);
    double *z, *w, *turned;
    CHECK(SCRATCH_RAW(ctx, &z, most * width));
    CHECK(SCRATCH_RAW(ctx, &w, most));
    CHECK(SCRATCH_RAW(ctx, &turned, most * all));
    for (size_t i = begin; i < end; i += most) {
        size_t n = end - i < most ? end - i : most;
        cairn_matrix_rows(x, i, n, z);
        turn_piece(work, i, turned, z, cairn_matrix_weights(x, i, n, w), n);
        CHECK(cairn_qr_add(ctx, work->triangles + block * all * all, turned, n, all));
        CHECK(cairn_tick(ctx, NULL, 0, 1));
    }
    return CAIRN_OK;
}

cairn_status cairn_linear_triangle(cairn_context *ctx, const cairn_row_matrix *x, bool intercept,
                                   const double *targets, size_t n_targets, double *triangle)
{
    size_t width = x->width + n_targets, size = width * width;
    SCOPED_SCRATCH(ctx);
    triangle_work work = {x, intercept, targets, n_targets, NULL};
    double *turned;
    CHECK(SCRATCH(ctx, &work.triangles, cairn_product(x->n_blocks, size)));
    CHECK(SCRATCH_RAW(ctx, &turned, size));
    CHECK(cairn_tasks(ctx, x->n_blocks, triangle_task, &work));
    memset(triangle, 0, size * sizeof *triangle);
    for (size_t b = 0; b < x->n_blocks; b++) {
        const double *part = work.triangles + b * size;
        for (size_t i = 0; i < size; i++) turned[i % width * width + i / width] = part[i];
        CHECK(cairn_qr_add(ctx, triangle, turned, width, width));
    }
    return CAIRN_OK;
}

/* One row's residual into the sums; e and f are residual and fitted value. */
static void count_residual(double *sums, double w, double e, double f, size_t row)
{
    double e2 = e * e;
    sums[AT_E1] += w * e;
    sums[AT_E2] += w * e2;
    sums[AT_E3] += w * e2 * e;
    sums[AT_E4] += w * e2 * e2;
    sums[AT_F1] += w * f;
    sums[AT_F2] += w * f * f;
    sums[AT_FE2] += w * f * e2;
    if (sums[AT_ANY] == 0)
        sums[AT_FIRST] = e;
    else
        sums[AT_STEPS] += (e - sums[AT_LAST]) * (e - sums[AT_LAST]);
    if (sums[AT_ANY] == 0 || fabs(e) > fabs(sums[AT_LARGEST]))
        sums[AT_LARGEST] = e, sums[AT_ROW] = (double)row;
    sums[AT_LAST] = e;
    sums[AT_ANY] = 1;
}

/* Residuals of some rows, column by column: nothing is written out where z is x. */
static void residual_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_linear_pass *pass = data;
    const cairn_row_matrix *x = pass->x;
    double fits[RESIDUAL_ROWS], rests[RESIDUAL_ROWS], room[RESIDUAL_ROWS], w[RESIDUAL_ROWS];
    size_t p = x->n_terms, first = piece->first, n = piece->n;
    for (size_t i = 0; i < n; i++) fits[i] = pass->slopes[p];
    cairn_matrix_times(x, first, n, pass->slopes, fits, room);
    const double *target = cairn_matrix_target(x, first, n, room);
    const double *weights = cairn_matrix_weights(x, first, n, w);
    for (size_t i = 0; i < n; i++) {
        double e = rests[i] = target[i] - fits[i], weight = weights ? weights[i] : 1;
        if (pass->sample_step && (first + i) % pass->sample_step == 0) {
            size_t at = (first + i) / pass->sample_step;
            pass->residuals[at] = e / x->scale[p];
            pass->fitted[at] = fits[i] / x->scale[p] + x->shift[p];
        }
        if (weight == 0)
            rests[i] = 0;
        else
            count_residual(sums, weight, e, fits[i], first + i);
        if (weights) rests[i] *= weight;
        sums[AT_MOMENTS + p] += rests[i];
    }
    if (pass->correct) cairn_matrix_transposed(x, first, n, rests, sums + AT_MOMENTS, room);
}

/* Add a block's sums to those of the blocks before it. */
static void join_residuals(const void *data, double *sums, const double *part, size_t size)
{
    (void)data;
    if (part[AT_ANY] == 0) return;
    bool any = sums[AT_ANY] != 0;
    double last = sums[AT_LAST];
    bool larger = !any || fabs(part[AT_LARGEST]) > fabs(sums[AT_LARGEST]);
    double largest = larger ? part[AT_LARGEST] : sums[AT_LARGEST];
    double row = larger ? part[AT_ROW] : sums[AT_ROW];
    double first = any ? sums[AT_FIRST] : part[AT_FIRST];
    double gap = any ? part[AT_FIRST] - last : 0;
    for (size_t i = 0; i < size; i++) sums[i] += part[i];
    sums[AT_STEPS] += gap * gap;
    sums[AT_LARGEST] = largest;
    sums[AT_ROW] = row;
    sums[AT_FIRST] = first;
    sums[AT_LAST] = part[AT_LAST];
    sums[AT_ANY] = 1;
}

/* The checks from the sums; `total` is the sum of weights, `unit` turns z into target units. */
static void finish_checks(cairn_linear_checks *out, const double *sums, double total, double unit)
{
    double m1 = sums[AT_E1] / total, r2 = sums[AT_E2] / total, r3 = sums[AT_E3] / total;
    double m2 = r2 - m1 * m1, m3 = r3 - 3 * m1 * r2 + 2 * m1 * m1 * m1;
    double r4 = sums[AT_E4] / total;
    double m4 = r4 - 4 * m1 * r3 + 6 * m1 * m1 * r2 - 3 * m1 * m1 * m1 * m1;
    double f1 = sums[AT_F1] / total, f_var = sums[AT_F2] / total - f1 * f1, e2_var = r4 - r2 * r2;
    out->sum = sums[AT_E1] * unit;
    out->largest = sums[AT_LARGEST] * unit;
    out->skewness = m2 > 0 ? m3 / (m2 * sqrt(m2)) : NAN;
    out->kurtosis = m2 > 0 ? m4 / (m2 * m2) : NAN;
    out->durbin_watson = sums[AT_E2] > 0 ? sums[AT_STEPS] / sums[AT_E2] : NAN;
    out->spread =
        f_var > 0 && e2_var > 0 ? (sums[AT_FE2] / total - f1 * r2) / sqrt(f_var * e2_var) : NAN;
}

cairn_status cairn_linear_residuals(cairn_context *ctx, const cairn_linear_pass *pass,
                                    cairn_linear_checks *checks, double *sse, double *moments)
{
    const cairn_row_matrix *x = pass->x;
    cairn_row_sum sum = {.piece = residual_piece, .join = join_residuals, .unread = true};
    SCOPED_SCRATCH(ctx);
    double *sums, unit = 1 / x->scale[x->n_terms];
    sum.size = AT_MOMENTS + x->n_terms + 1;
    sum.rows = RESIDUAL_ROWS;
    sum.data = (void *)pass;
    CHECK(SCRATCH(ctx, &sums, sum.size));
    CHECK(cairn_matrix_sum(ctx, x, &sum, sums));
    finish_checks(checks, sums, pass->total, unit);
    checks->largest_row = (int64_t)cairn_view_row(x->view, (size_t)sums[AT_ROW]);
    *sse = sums[AT_E2] * unit * unit;
    memcpy(moments, sums + AT_MOMENTS, (x->n_terms + 1) * sizeof *moments);
    return CAIRN_OK;
}
