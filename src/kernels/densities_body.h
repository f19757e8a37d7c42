/* SPDX-License-Identifier: MIT */
/* A lane is a row. Sums run over the columns in order, each term fused, so that a row's result does
 * not depend on its place, on the width of the vectors or on what is worked on together with it. */

#define GROUP 6 /* columns that are worked on together */
#if LANES == 8
#define SQUARE_VECTORS 4 /* of rows, for GROUP columns of the factor */
#else
#define SQUARE_VECTORS 2
#endif

/* -- linear scores -- */

/* `count` columns from column `from` on are added to the scores of `steps` vectors of rows at row
 * i, or of the first `some` rows of one. */
KERNEL void NAMED(plane_rows)(const linear *w, size_t from, size_t i, const int count,
                              const int steps, size_t some)
{
    vec z[GROUP][2];
#pragma GCC unroll 8
    for (int j = 0; j < count; j++) {
        const double *x = w->columns[from + (size_t)j] + w->first + i;
        vec middle = splat(w->centre[from + (size_t)j]);
#pragma GCC unroll 2
        for (int s = 0; s < steps; s++)
            z[j][s] = (some ? load_some(x, some) : LOAD(x + s * LANES)) - middle;
    }
    for (size_t c = 0; c < w->n_classes; c++) {
        double *to = w->out + c * w->stride + i;
        const double *plane = w->planes + from * w->n_classes + c;
        vec sum[2];
#pragma GCC unroll 2
        for (int s = 0; s < steps; s++) sum[s] = some ? load_some(to, some) : LOAD(to + s * LANES);
#pragma GCC unroll 8
        for (int j = 0; j < count; j++) {
            vec weight = splat(plane[(size_t)j * w->n_classes]);
#pragma GCC unroll 2
            for (int s = 0; s < steps; s++) sum[s] = multiply_add(z[j][s], weight, sum[s]);
        }
#pragma GCC unroll 2
        for (int s = 0; s < steps; s++)
            if (some)
                store_some(to, some, sum[s]);
            else
                STORE(to + s * LANES, sum[s]);
    }
}

/* All rows: few columns at a time are read from end to end, which memory likes. */
KERNEL void NAMED(plane_columns)(const linear *w, size_t from, const int count)
{
    size_t i = 0;
    for (; i + 2 * LANES <= w->n; i += 2 * LANES) NAMED(plane_rows)(w, from, i, count, 2, 0);
    for (; i + LANES <= w->n; i += LANES) NAMED(plane_rows)(w, from, i, count, 1, 0);
    if (i < w->n) NAMED(plane_rows)(w, from, i, count, 1, w->n - i);
}

static TARGET void NAMED(plane_scores)(const linear *w)
{
    for (size_t c = 0; c < w->n_classes; c++) {
        double start = w->planes[w->n_columns * w->n_classes + c];
        for (size_t i = 0; i < w->n; i++) w->out[c * w->stride + i] = start;
    }
    for (size_t j = 0; j < w->n_columns; j += GROUP) {
        switch (w->n_columns - j) {
        case 1: NAMED(plane_columns)(w, j, 1); break;
        case 2: NAMED(plane_columns)(w, j, 2); break;
        case 3: NAMED(plane_columns)(w, j, 3); break;
        case 4: NAMED(plane_columns)(w, j, 4); break;
        case 5: NAMED(plane_columns)(w, j, 5); break;
        default: NAMED(plane_columns)(w, j, GROUP);
        }
    }
}

/* -- squared distances -- */

/* Columns `from` .. of zM, as many as `count`, less the offset; their squares are added. */
KERNEL void NAMED(square_columns)(vec *restrict sum, const distances *w, size_t i, size_t from,
                                  const int count)
{
    vec y[GROUP][SQUARE_VECTORS];
#pragma GCC unroll 8
    for (int j = 0; j < count; j++)
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) y[j][s] = splat(-w->offset[from + (size_t)j]);
    for (size_t k = 0; k < from + (size_t)count; k++) {
        const double *row = w->factor + k * w->n_columns + from, *z = w->z + k * w->n + i;
        vec x[SQUARE_VECTORS];
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) x[s] = LOAD(z + s * LANES);
#pragma GCC unroll 8
        for (int j = 0; j < count; j++) {
            vec weight = splat(row[j]);
#pragma GCC unroll 4
            for (int s = 0; s < SQUARE_VECTORS; s++) y[j][s] = multiply_add(x[s], weight, y[j][s]);
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < count; j++)
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) sum[s] = multiply_add(y[j][s], y[j][s], sum[s]);
}

static TARGET void NAMED(normal_squares)(const distances *w)
{
    for (size_t i = 0; i < w->n; i += SQUARE_VECTORS * LANES) {
        vec sum[SQUARE_VECTORS];
        size_t from = 0;
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) sum[s] = splat(0);
        for (; from + GROUP <= w->n_columns; from += GROUP)
            NAMED(square_columns)(sum, w, i, from, GROUP);
        switch (w->n_columns - from) {
        case 1: NAMED(square_columns)(sum, w, i, from, 1); break;
        case 2: NAMED(square_columns)(sum, w, i, from, 2); break;
        case 3: NAMED(square_columns)(sum, w, i, from, 3); break;
        case 4: NAMED(square_columns)(sum, w, i, from, 4); break;
        case 5: NAMED(square_columns)(sum, w, i, from, 5); break;
        default: break;
        }
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) STORE(w->out + i + s * LANES, sum[s]);
    }
}

#undef SQUARE_VECTORS
#undef GROUP
