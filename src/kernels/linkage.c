/* SPDX-License-Identifier: MIT */
/* Rows of distances between clusters. */
#include "kernels/linkage.h"
#include <math.h>
#include <string.h>

#define KERNEL_BODY "kernels/linkage_body.h"
#include "kernels/each_level.h"

void cairn_squares_to(double *const *out, const double *tiles, const double *queries,
                      size_t n_queries, size_t n_columns, size_t n)
{
    CHOOSE(squares_to)(out, tiles, queries, n_queries, n_columns, n, false);
}

void cairn_distances_to(double *const *out, const double *tiles, const double *queries,
                        size_t n_queries, size_t n_columns, size_t n)
{
    CHOOSE(squares_to)(out, tiles, queries, n_queries, n_columns, n, true);
}

void cairn_least_of_tiles(float *const *out, const float *tiles, const float *queries,
                          size_t n_queries, size_t n_columns, size_t n)
{
    CHOOSE(least_of_tiles)(out, tiles, queries, n_queries, n_columns, n);
}

size_t cairn_find_near(uint32_t *out, const float *tiles, const float *query, const float *limits,
                       size_t n_columns, size_t n)
{
    return CHOOSE(find_near)(out, tiles, query, limits, n_columns, n);
}

void cairn_square_roots(double *x, size_t n)
{
    CHOOSE(square_roots)(x, n);
}

void cairn_ward_squares(double *x, const double *sizes, double own, size_t n)
{
    CHOOSE(ward_squares)(x, sizes, own, n);
}

double cairn_least(const double *x, size_t n)
{
    return CHOOSE(least)(x, n);
}

size_t cairn_find_at_most(uint32_t *out, const double *x, size_t n, double limit)
{
    return CHOOSE(find_at_most)(out, x, n, limit);
}

size_t cairn_find_not_above(uint32_t *out, const double *x, const double *y, size_t n, double slack)
{
    return CHOOSE(find_not_above)(out, x, y, n, slack);
}

double cairn_take_nearer(double *best, double *from, const double *x, double number, size_t n)
{
    return CHOOSE(take_nearer)(best, from, x, number, n);
}

void cairn_join_rows(double *x, const double *y, const cairn_column_joins *joins, size_t at,
                     const double *sizes, size_t n)
{
    switch (joins->joining) {
    case CAIRN_JOIN_MEAN: CHOOSE(join_means)(x, y, joins->a[at], joins->shift[at], n); break;
    case CAIRN_JOIN_WARD:
        CHOOSE(join_wards)(x, y, joins->a[at], joins->b[at], joins->shift[at], sizes, n);
        break;
    default: CHOOSE(join_extremes)(x, y, n, joins->joining == CAIRN_JOIN_MOST);
    }
}

void cairn_join_columns(double *row, const cairn_column_joins *joins, size_t begin, size_t end,
                        double own, size_t n)
{
    CHOOSE(join_columns)(row, joins, begin, end, own, n);
}

size_t cairn_join_layers(double *out, const double *x, size_t begin, size_t end,
                         const cairn_layers *layers, size_t layer, cairn_joining joining)
{
    return CHOOSE(join_layers)(out, x, begin, end, layers, layer, joining);
}
