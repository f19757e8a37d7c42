/* SPDX-License-Identifier: MIT */
/* Normal equations: the upper triangle of X'WX, and X'Wy, for a block of rows.
 *
 * The rows are taken in short runs that stay in the first-level cache while all tiles of the result
 * pass over them; a run's sums are made in registers and then added to the result, so the additions
 * form a shallow tree and lose little. Fewer columns than a tile is wide are first copied to rows
 * padded with zeros. */
#include "kernels/kernels.h"
#include <string.h>

#define KERNEL_BODY "kernels/gram_body.h"
#include "kernels/each_level.h"

enum { CACHE_DOUBLES = 3072, MIN_RUN = 32, MAX_RUN = 256, NARROW = 16, NARROW_RUN = 128 };

typedef void (*gram_function)(double *gram, const double *x, size_t stride, const double *w,
                              size_t n, size_t p);

/* Fewer than NARROW columns, in rows padded to NARROW. */
static void add_narrow(gram_function function, double *gram, const double *x, size_t stride,
                       const double *w, size_t n, size_t p)
{
    double rows[NARROW_RUN * NARROW], wide[NARROW * NARROW] = {0};
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < n; i++) memcpy(rows + i * NARROW, x + i * stride, p * sizeof *x);
    function(wide, rows, NARROW, w, n, NARROW);
    for (size_t j = 0; j < p; j++)
        for (size_t k = j; k < p; k++) gram[j * p + k] += wide[j * NARROW + k];
}

static size_t run_length(size_t p)
{
    if (p < NARROW) return NARROW_RUN;
    size_t run = CACHE_DOUBLES / p;
    return run < MIN_RUN ? MIN_RUN : run > MAX_RUN ? MAX_RUN : run;
}

void cairn_gram_add(double *gram, double *moment, const double *x, size_t stride, const double *y,
                    const double *w, size_t n, size_t n_columns)
{
    gram_function function = CHOOSE(gram);
    size_t run = run_length(n_columns);
    for (size_t i = 0; i < n; i += run) {
        size_t length = n - i < run ? n - i : run;
        const double *rows = x + i * stride, *weights = w ? w + i : NULL;
        if (gram && n_columns < NARROW)
            add_narrow(function, gram, rows, stride, weights, length, n_columns);
        else if (gram)
            function(gram, rows, stride, weights, length, n_columns);
        if (y && moment) CHOOSE(moment)(moment, rows, stride, y + i, weights, length, n_columns);
    }
}

void cairn_mirror_upper(double *matrix, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) matrix[i * n + j] = matrix[j * n + i];
}
