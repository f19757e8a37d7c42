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

/* `count` columns are added to the scores of `steps` vectors of rows at `at`, or of the first `some`
 * rows of one. */
KERNEL void NAMED(plane_rows)(double *restrict out, size_t stride,
                              const double *const *restrict columns, size_t at,
                              const double *restrict centre, const double *restrict planes,
                              size_t n_classes, const int count, const int steps, size_t some)
{
    vec z[GROUP][2];
#pragma GCC unroll 8
    for (int j = 0; j < count; j++) {
        const double *from = columns[j] + at;
        vec middle = splat(centre[j]);
#pragma GCC unroll 2
        for (int s = 0; s < steps; s++)
            z[j][s] = (some ? load_some(from, some) : LOAD(from + s * LANES)) - middle;
    }
    for (size_t c = 0; c < n_classes; c++) {
        double *to = out + c * stride;
        vec sum[2];
#pragma GCC unroll 2
        for (int s = 0; s < steps; s++) sum[s] = some ? load_some(to, some) : LOAD(to + s * LANES);
#pragma GCC unroll 8
        for (int j = 0; j < count; j++) {
            vec weight = splat(planes[(size_t)j * n_classes + c]);
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
KERNEL void NAMED(plane_columns)(double *restrict out, size_t stride,
                                 const double *const *restrict columns, size_t first, size_t n,
                                 const double *restrict centre, const double *restrict planes,
                                 size_t n_classes, const int count)
{
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES)
        NAMED(plane_rows)
        (out + i, stride, columns, first + i, centre, planes, n_classes, count, 2, 0);
    for (; i + LANES <= n; i += LANES)
        NAMED(plane_rows)
        (out + i, stride, columns, first + i, centre, planes, n_classes, count, 1, 0);
    if (i < n)
        NAMED(plane_rows)
        (out + i, stride, columns, first + i, centre, planes, n_classes, count, 1, n - i);
}

#define PLANES(count)                                                                              \
    case count:                                                                                    \
        NAMED(plane_columns)                                                                       \
        (out, stride, columns + j, first, n, centre + j, planes + j * n_classes, n_classes,        \
         count);                                                                                   \
        break

static TARGET void NAMED(plane_scores)(double *restrict out, size_t stride,
                                       const double *const *restrict columns, size_t first,
                                       size_t n, size_t n_columns, const double *restrict centre,
                                       const double *restrict planes, size_t n_classes)
{
    for (size_t c = 0; c < n_classes; c++)
        for (size_t i = 0; i < n; i++) out[c * stride + i] = planes[n_columns * n_classes + c];
    for (size_t j = 0; j < n_columns; j += GROUP) {
        switch (n_columns - j) {
            PLANES(1);
            PLANES(2);
            PLANES(3);
            PLANES(4);
            PLANES(5);
        default:
            NAMED(plane_columns)
            (out, stride, columns + j, first, n, centre + j, planes + j * n_classes, n_classes,
             GROUP);
        }
    }
}

/* -- squared distances -- */

/* Columns `from` .. of zM, as many as `count`, less the offset; their squares are added. */
KERNEL void NAMED(square_columns)(vec *restrict sum, const double *restrict z, size_t n,
                                  size_t n_columns, const double *restrict factor,
                                  const double *restrict offset, size_t from, const int count)
{
    vec y[GROUP][SQUARE_VECTORS];
#pragma GCC unroll 8
    for (int j = 0; j < count; j++)
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) y[j][s] = splat(-offset[from + (size_t)j]);
    for (size_t k = 0; k < from + (size_t)count; k++) {
        const double *row = factor + k * n_columns + from;
        vec x[SQUARE_VECTORS];
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) x[s] = LOAD(z + k * n + s * LANES);
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

#define SQUARES(count)                                                                             \
    case count: NAMED(square_columns)(sum, z + i, n, n_columns, factor, offset, from, count); break

static TARGET void NAMED(normal_squares)(double *restrict out, const double *restrict z, size_t n,
                                         size_t n_columns, const double *restrict factor,
                                         const double *restrict offset)
{
    for (size_t i = 0; i < n; i += SQUARE_VECTORS * LANES) {
        vec sum[SQUARE_VECTORS];
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) sum[s] = splat(0);
        size_t from = 0;
        for (; from + GROUP <= n_columns; from += GROUP)
            NAMED(square_columns)(sum, z + i, n, n_columns, factor, offset, from, GROUP);
        switch (n_columns - from) {
            SQUARES(1);
            SQUARES(2);
            SQUARES(3);
            SQUARES(4);
            SQUARES(5);
        default: break;
        }
#pragma GCC unroll 4
        for (int s = 0; s < SQUARE_VECTORS; s++) STORE(out + i + s * LANES, sum[s]);
    }
}

#undef SQUARE_VECTORS
#undef GROUP
#undef PLANES
#undef SQUARES
