/* SPDX-License-Identifier: MIT */
/* Distance matrices. The rows are packed once as numbers (levels by their codes), then the upper
 * triangle is filled row by row side by side, and mirrored. Cost: rows^2 x columns. */
#include "stats/distance.h"
#include "data/column.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <math.h>

const char *cairn_distance_name(cairn_distance distance)
{
    static const char *const names[] = {"euclidean", "manhattan", "chebyshev", "hamming",
                                        "jaccard",   "cosine",    "gower"};
    return names[distance];
}

typedef struct distance_work {
    size_t n, p;
    double *rows;    /* n x p */
    double *factors; /* Gower: 1 / range; 0 for a level column */
    cairn_distance distance;
    double *out;
} distance_work;

static double gower(const double *a, const double *b, const double *factors, size_t p)
{
    double sum = 0, n = 0;
    for (size_t j = 0; j < p; j++) {
        if (isnan(a[j]) || isnan(b[j])) continue;
        n++;
        sum += factors[j] > 0 ? fabs(a[j] - b[j]) * factors[j] : a[j] != b[j];
    }
    return n > 0 ? sum / n : 0;
}

static double jaccard(const double *a, const double *b, size_t p)
{
    double both = 0, either = 0;
    for (size_t j = 0; j < p; j++) {
        both += a[j] != 0 && b[j] != 0;
        either += a[j] != 0 || b[j] != 0;
    }
    return either > 0 ? 1 - both / either : 0;
}

static double cosine(const double *a, const double *b, size_t p)
{
    double aa = cairn_dot(a, a, p), bb = cairn_dot(b, b, p);
    if (aa == 0 || bb == 0) return aa == bb ? 0 : 1;
    double d = 1 - cairn_dot(a, b, p) / sqrt(aa) / sqrt(bb);
    return d > 1e-15 ? d : 0;
}

static double between(const distance_work *work, const double *a, const double *b)
{
    double sum = 0, most = 0;
    switch (work->distance) {
    case CAIRN_EUCLIDEAN: return sqrt(cairn_squared_distance(a, b, work->p));
    case CAIRN_JACCARD: return jaccard(a, b, work->p);
    case CAIRN_COSINE: return cosine(a, b, work->p);
    case CAIRN_GOWER: return gower(a, b, work->factors, work->p);
    case CAIRN_MANHATTAN:
        for (size_t j = 0; j < work->p; j++) sum += fabs(a[j] - b[j]);
        return sum;
    case CAIRN_HAMMING:
        for (size_t j = 0; j < work->p; j++) sum += a[j] != b[j];
        return sum;
    case CAIRN_CHEBYSHEV:
        for (size_t j = 0; j < work->p; j++) most = fmax(most, fabs(a[j] - b[j]));
        return most;
    }
    return 0;
}

static void distance_row(void *data, size_t row, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const distance_work *work = data;
    double *out = work->out + row * work->n;
    out[row] = 0;
    for (size_t i = row + 1; i < work->n; i++)
        out[i] = between(work, work->rows + row * work->p, work->rows + i * work->p);
}

static cairn_status check_cells(cairn_context *ctx, const cairn_view *view, size_t j,
                                cairn_distance distance)
{
    const cairn_column *column = view->features[j];
    bool levels = distance == CAIRN_HAMMING || distance == CAIRN_GOWER;
    if (column->kind != CAIRN_NUMBER && (column->kind != CAIRN_LEVEL || !levels))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' holds %s, which the %s distance cannot use; %s",
                          view->names[j], column->kind == CAIRN_LEVEL ? "levels" : "text",
                          cairn_distance_name(distance),
                          column->kind == CAIRN_LEVEL
                              ? "take --distance hamming or gower, or leave it out with --ignore"
                              : "leave it out with --ignore");
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        bool missing = cairn_column_is_missing(column, row);
        bool infinite = column->kind == CAIRN_NUMBER && isinf(column->numbers[row]);
        if ((missing && distance != CAIRN_GOWER) || infinite)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' is %s in row %zu, which the %s distance cannot use; "
                              "fill it, leave the row out, or take --distance gower for missing "
                              "cells",
                              view->names[j], missing ? "missing" : "infinite", row + 1,
                              cairn_distance_name(distance));
    }
    return CAIRN_OK;
}

static void pack_feature(const distance_work *work, const cairn_view *view, size_t j, double scale)
{
    const cairn_column *column = view->features[j];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < work->n; i++) {
        size_t row = cairn_view_row(view, i);
        double x = column->kind == CAIRN_LEVEL ? column->codes[row] : column->numbers[row] / scale;
        if (column->kind == CAIRN_LEVEL && x < 0) x = NAN;
        work->rows[i * work->p + j] = x;
        low = fmin(low, x), high = fmax(high, x);
    }
    work->factors[j] = column->kind == CAIRN_LEVEL || !(high > low) ? 0 : 1 / (high - low);
}

cairn_status cairn_distance_matrix(cairn_context *ctx, double *out, const cairn_view *view,
                                   cairn_distance distance, const double *scales)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    distance_work work = {
        .n = view->rows.n, .p = view->n_features, .distance = distance, .out = out};
    TRY(SCRATCH_RAW(ctx, &work.rows, cairn_product(work.n, work.p)));
    TRY(SCRATCH(ctx, &work.factors, work.p));
    for (size_t j = 0; j < work.p; j++) {
        TRY(check_cells(ctx, view, j, distance));
        pack_feature(&work, view, j, scales ? scales[j] : 1);
    }
    TRY(cairn_blocks(ctx, work.n, 1, distance_row, &work));
    cairn_mirror_upper(out, work.n);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
