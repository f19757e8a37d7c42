/* SPDX-License-Identifier: MIT */
/* Nearest centres. Two forms, chosen by the number of columns alone:
 *
 * few columns: a lane is a row. GROUP vectors of rows are turned into columns on the stack; each
 * centre's numbers are spread over the lanes, and the best distance and its centre are kept per
 * lane, so nothing is added across lanes.
 *
 * many columns: a lane is a column. ROWS x CENTRES pairs are worked on together; a pair's sum is
 * made in eight lanes, which are added at the end. */

#include "kernels/turn.h"

#if LANES == 2
#define GROUP 2
#else
#define GROUP 4
#endif
#define GROUP_ROWS (GROUP * LANES)

/* The group's rows against `count` (1 or 2) centres; `two` keeps the second-best distance too.
 * `limit` is NEARER times the best distance. */
KERNEL void NAMED(group_centres)(vec best[GROUP], vec limit[GROUP], vec next[GROUP], vec at[GROUP],
                                 const double *restrict transposed, const double *restrict centre,
                                 size_t n_columns, size_t number, const int count, const int two)
{
    vec sum[2][GROUP];
#pragma GCC unroll 4
    for (int g = 0; g < GROUP; g++) sum[0][g] = sum[1][g] = splat(0);
    for (size_t t = 0; t < n_columns; t++) {
        vec c0 = splat(centre[t]), c1 = splat(count == 2 ? centre[n_columns + t] : 0);
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++) {
            vec v = LOAD(transposed + t * GROUP_ROWS + g * LANES), d0 = v - c0, d1 = v - c1;
            sum[0][g] = multiply_add(d0, d0, sum[0][g]);
            if (count == 2) sum[1][g] = multiply_add(d1, d1, sum[1][g]);
        }
    }
#pragma GCC unroll 2
    for (int c = 0; c < count; c++) {
        vec here = splat((double)(number + (size_t)c));
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++) {
            vec old = limit[g];
            if (two) {
                vec worse = where_less(sum[c][g], old, best[g], sum[c][g]);
                next[g] = where_less(worse, next[g], worse, next[g]);
            }
            at[g] = where_less(sum[c][g], old, here, at[g]);
            best[g] = where_less(sum[c][g], old, sum[c][g], best[g]);
            limit[g] = where_less(sum[c][g], old, sum[c][g] * splat(NEARER), old);
        }
    }
}

KERNEL void NAMED(nearest_groups)(int32_t *restrict nearest, double *restrict distances,
                                  double *restrict seconds, const double *restrict x, size_t stride,
                                  size_t n, size_t n_columns, const double *restrict centres,
                                  size_t n_centres, const int two)
{
    double transposed[FEW_COLUMNS * GROUP_ROWS] __attribute__((aligned(64)));
    for (size_t i = 0; i < n; i += GROUP_ROWS) {
        size_t rows = n - i < GROUP_ROWS ? n - i : GROUP_ROWS, c = 0;
        vec best[GROUP], limit[GROUP], next[GROUP], at[GROUP];
        double found[GROUP_ROWS], squares[GROUP_ROWS];
        NAMED(turn_rows)(transposed, x + i * stride, stride, n - i, n_columns, GROUP_ROWS);
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++)
            best[g] = limit[g] = next[g] = splat(HUGE_VAL), at[g] = splat(0);
        for (; c + 2 <= n_centres; c += 2) {
            const double *from = centres + c * n_columns;
            NAMED(group_centres)(best, limit, next, at, transposed, from, n_columns, c, 2, two);
        }
        if (c < n_centres) {
            const double *from = centres + c * n_columns;
            NAMED(group_centres)(best, limit, next, at, transposed, from, n_columns, c, 1, two);
        }
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++) {
            STORE(found + g * LANES, at[g]);
            STORE(squares + g * LANES, best[g]);
        }
        for (size_t l = 0; l < rows; l++) nearest[i + l] = (int32_t)found[l];
        if (distances)
            for (size_t l = 0; l < rows; l++) distances[i + l] = squares[l];
        if (!two) continue;
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++) STORE(squares + g * LANES, next[g]);
        for (size_t l = 0; l < rows; l++) seconds[i + l] = squares[l];
    }
}

static TARGET void NAMED(nearest_few)(int32_t *nearest, double *distances, const double *x,
                                      size_t stride, size_t n, size_t n_columns,
                                      const double *centres, size_t n_centres)
{
    double *none = NULL;
    NAMED(nearest_groups)(nearest, distances, none, x, stride, n, n_columns, centres, n_centres, 0);
}

static TARGET void NAMED(nearest_two_few)(int32_t *nearest, double *distances, double *seconds,
                                          const double *x, size_t stride, size_t n,
                                          size_t n_columns, const double *centres, size_t n_centres)
{
    double *next = seconds;
    NAMED(nearest_groups)(nearest, distances, next, x, stride, n, n_columns, centres, n_centres, 1);
}

/* as many pairs as registers hold sums of */
#define ROWS 2
#if LANES == 8
#define CENTRES 4
#else
#define CENTRES 2
#endif

/* Add the squared differences of eight columns, or of the last `some` of them. */
KERNEL void NAMED(add_pairs)(eight sum[ROWS][CENTRES], const double *const row[ROWS],
                             const double *const centre[CENTRES], size_t t, const int whole,
                             size_t some){
#define PART_AT(from) (whole ? LOAD((from) + t + p * LANES) : eight_some((from) + t, some).part[p])
    EACH_PART(p){vec r[ROWS];
#pragma GCC unroll 4
for (int a = 0; a < ROWS; a++) r[a] = PART_AT(row[a]);
#pragma GCC unroll 4
for (int b = 0; b < CENTRES; b++) {
    vec c = PART_AT(centre[b]);
#pragma GCC unroll 4
    for (int a = 0; a < ROWS; a++) {
        vec d = r[a] - c;
        sum[a][b].part[p] = multiply_add(d, d, sum[a][b].part[p]);
    }
}
}
#undef PART_AT
}

/* Squared distances of ROWS rows from CENTRES centres; the pointers may repeat. */
KERNEL void NAMED(pair_distances)(double out[ROWS][CENTRES], const double *const row[ROWS],
                                  const double *const centre[CENTRES], size_t n_columns)
{
    eight sum[ROWS][CENTRES];
#pragma GCC unroll 4
    for (int a = 0; a < ROWS; a++)
#pragma GCC unroll 4
        for (int b = 0; b < CENTRES; b++) sum[a][b] = eight_of(0);
    size_t t = 0;
    for (; t + 8 <= n_columns; t += 8) NAMED(add_pairs)(sum, row, centre, t, 1, 0);
    if (t < n_columns) NAMED(add_pairs)(sum, row, centre, t, 0, n_columns - t);
#pragma GCC unroll 4
    for (int a = 0; a < ROWS; a++)
#pragma GCC unroll 4
        for (int b = 0; b < CENTRES; b++) out[a][b] = eight_sum(sum[a][b]);
}

static TARGET void NAMED(nearest_many)(int32_t *restrict nearest, double *restrict distances,
                                       double *restrict seconds, const double *restrict x,
                                       size_t stride, size_t n, size_t n_columns,
                                       const double *restrict centres, size_t n_centres)
{
    for (size_t i = 0; i < n; i += ROWS) {
        const double *row[ROWS];
        double best[ROWS], next[ROWS], out[ROWS][CENTRES];
        size_t at[ROWS] = {0};
        for (size_t a = 0; a < ROWS; a++) {
            row[a] = x + (i + a < n ? i + a : n - 1) * stride;
            best[a] = next[a] = HUGE_VAL;
        }
        for (size_t c = 0; c < n_centres; c += CENTRES) {
            const double *centre[CENTRES];
            for (size_t b = 0; b < CENTRES; b++)
                centre[b] = centres + (c + b < n_centres ? c + b : n_centres - 1) * n_columns;
            NAMED(pair_distances)(out, row, centre, n_columns);
            for (int a = 0; a < ROWS; a++)
                for (size_t b = 0; b < CENTRES && c + b < n_centres; b++) {
                    bool nearer = out[a][b] < best[a] * NEARER;
                    double worse = nearer ? best[a] : out[a][b];
                    if (worse < next[a]) next[a] = worse;
                    if (nearer) best[a] = out[a][b], at[a] = c + b;
                }
        }
        for (size_t a = 0; a < ROWS && i + a < n; a++) {
            nearest[i + a] = (int32_t)at[a];
            if (distances) distances[i + a] = best[a];
            if (seconds) seconds[i + a] = next[a];
        }
    }
}

static TARGET void NAMED(centre_sums)(double *restrict sums, double *restrict weights,
                                      const double *restrict x, size_t stride, size_t n,
                                      size_t n_columns, const int32_t *restrict nearest,
                                      const double *restrict w)
{
    for (size_t i = 0; i < n; i++) {
        if (nearest[i] < 0) continue;
        double weight = w ? w[i] : 1;
        double *sum = sums + (size_t)nearest[i] * n_columns;
        const double *row = x + i * stride;
        vec spread = splat(weight);
        size_t t = 0;
        weights[nearest[i]] += weight;
        for (; t + LANES <= n_columns; t += LANES)
            STORE(sum + t, multiply_add(spread, LOAD(row + t), LOAD(sum + t)));
        for (; t < n_columns; t++) sum[t] = multiply_add_one(weight, row[t], sum[t]);
    }
}

#undef GROUP
#undef GROUP_ROWS
#undef ROWS
#undef CENTRES
