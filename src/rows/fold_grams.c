/* SPDX-License-Identifier: MIT */
/* Products of columns, fold by fold.
 *
 * Rows are taken in windows that fit the cache, within a window fold by fold, so that every number
 * comes from memory once and the kernels see runs of rows of one fold. The matrices of all blocks
 * of rows would not fit memory for many columns: then a pass serves some of the folds and reads
 * their rows only. */
#include "rows/fold_grams.h"
#include "base/memory.h"
#include "kernels/kernels.h"

enum {
    WINDOW_NUMBERS = 1 << 17,
    LEAST_RUN = 32,    /* rows of a fold in a window, about */
    MOST_SUM = 1 << 22 /* numbers of the sums of a pass */
};

typedef struct dealt {
    const cairn_row_matrix *x; /* rows in the order of below */
    uint32_t *rows;            /* of the table */
    int32_t *folds;            /* less the first of the pass */
    double *weights;
    size_t n;
} dealt;

static void gram_piece(void *data, const cairn_piece *piece, double *grams)
{
    const dealt *d = data;
    size_t width = d->x->width, begin = 0;
    const int32_t *folds = d->folds + piece->first;
    while (begin < piece->n) {
        size_t end = begin + 1;
        while (end < piece->n && folds[end] == folds[begin]) end++;
        cairn_gram_add(grams + (size_t)folds[begin] * width * width, NULL, piece->z + begin * width,
                       width, NULL, piece->weights ? piece->weights + begin : NULL, end - begin,
                       width);
        begin = end;
    }
}

/* The rows of folds first .. last - 1, in windows, fold by fold in each. */
static void deal(dealt *d, const cairn_row_matrix *m, const int32_t *folds, int32_t first,
                 int32_t last, size_t *counts)
{
    size_t n_folds = (size_t)(last - first), window = WINDOW_NUMBERS / m->width;
    if (window < LEAST_RUN * n_folds) window = LEAST_RUN * n_folds;
    d->n = 0;
    for (size_t begin = 0; begin < m->n; begin += window) {
        size_t end = begin + window < m->n ? begin + window : m->n;
        for (size_t f = 0; f <= n_folds; f++) counts[f] = 0;
        for (size_t i = begin; i < end; i++)
            if (folds[i] >= first && folds[i] < last) counts[folds[i] - first + 1]++;
        for (size_t f = 0; f < n_folds; f++) counts[f + 1] += counts[f];
        size_t all = counts[n_folds];
        for (size_t i = begin; i < end; i++) {
            if (folds[i] < first || folds[i] >= last) continue;
            size_t at = d->n + counts[folds[i] - first]++;
            d->rows[at] = (uint32_t)cairn_view_row(m->view, i);
            d->folds[at] = folds[i] - first;
            if (d->weights)
                d->weights[at] = m->weights ? m->weights[i] : cairn_view_weight(m->view, i);
        }
        d->n += all;
    }
}

/* One pass, for some of the folds. */
static cairn_status sum_folds(cairn_context *ctx, const cairn_row_matrix *m, dealt *d,
                              size_t n_folds, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t size = cairn_product(m->width, m->width);
    cairn_row_sum sum = {.size = cairn_product(n_folds, size), .piece = gram_piece, .data = d};
    cairn_row_matrix whole = *m, part;
    cairn_view view;
    whole.sum_size = sum.size;
    CHECK(cairn_matrix_part(ctx, &part, &view, &whole, d->rows, d->n));
    part.weights = d->weights;
    d->x = &part;
    CHECK(cairn_matrix_sum(ctx, &part, &sum, out));
    for (size_t f = 0; f < n_folds; f++) cairn_mirror_upper(out + f * size, m->width);
    return CAIRN_OK;
}

cairn_status cairn_fold_grams(cairn_context *ctx, const cairn_row_matrix *m, const int32_t *folds,
                              size_t n_folds, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t size = cairn_product(m->width, m->width), together = MOST_SUM / size, *counts;
    dealt d = {0};
    if (together < 1) together = 1;
    CHECK(SCRATCH_RAW(ctx, &counts, n_folds + 2));
    CHECK(SCRATCH_RAW(ctx, &d.rows, m->n + 1));
    CHECK(SCRATCH_RAW(ctx, &d.folds, m->n + 1));
    if (m->weighted || m->weights) CHECK(SCRATCH_RAW(ctx, &d.weights, m->n + 1));
    for (size_t f = 0; f < n_folds; f += together) {
        size_t some = n_folds - f < together ? n_folds - f : together;
        deal(&d, m, folds, (int32_t)f, (int32_t)(f + some), counts);
        CHECK(sum_folds(ctx, m, &d, some, out + f * size));
    }
    return CAIRN_OK;
}
