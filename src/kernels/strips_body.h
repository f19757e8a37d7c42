/* SPDX-License-Identifier: MIT */
/* The tiles of one level; included by tile_levels.h for each, so it has no guard. Both kinds have
 * nodes along their vectors; their rows are rows of the data, or inputs. */

#define WIDTH (VECTORS * LANES) /* nodes of a tile */
#include "kernels/real_vectors.h"

KERNEL void NAMED(begin)(vec sum[ROWS][VECTORS], const int rows, const int vectors)
{
    UNROLL
    for (int i = 0; i < rows; i++) UNROLL
    for (int j = 0; j < vectors; j++) sum[i][j] = SPLAT(0);
}

/* One panel's sums come to what there is. */
KERNEL void NAMED(end)(REAL *restrict c, size_t c_i, vec sum[ROWS][VECTORS], const int rows,
                       const int vectors)
{
    UNROLL
    for (int i = 0; i < rows; i++) UNROLL
    for (int j = 0; j < vectors; j++) {
        REAL *at = c + (size_t)i * c_i + j * LANES;
        STORE(at, LOAD(at) + sum[i][j]);
    }
}

/* Net inputs of some rows: n terms from x[i][from] on. */
KERNEL void NAMED(nets_tile)(REAL *restrict c, size_t c_i, const REAL *const *x, size_t from,
                             const REAL *restrict w, size_t step, size_t n, const int rows,
                             const int vectors)
{
    vec sum[ROWS][VECTORS];
    const REAL *row[ROWS];
    NAMED(begin)(sum, rows, vectors);
    UNROLL
    for (int i = 0; i < rows; i++) row[i] = x[i] + from;
    for (size_t k = 0; k < n;) {
        size_t end = smaller(k + LINE, n);
        UNROLL
        for (int i = 0; i < rows; i++) __builtin_prefetch(row[i] + k + LINES_AHEAD * LINE);
        UNROLL_TERMS
        for (; k < end; k++, w += step) {
            __builtin_prefetch(w + AHEAD * step); /* from the second-level cache */
            if (sizeof(vec) == 64 && vectors == 2) __builtin_prefetch(w + AHEAD * step + LANES);
            vec first = LOAD(w), second = vectors == 2 ? LOAD(w + LANES) : first;
            UNROLL
            for (int i = 0; i < rows; i++) {
                vec left = SPLAT(row[i][k]);
                sum[i][0] = FUSE(left, first, sum[i][0]);
                if (vectors == 2) sum[i][1] = FUSE(left, second, sum[i][1]);
            }
        }
    }
    NAMED(end)(c, c_i, sum, rows, vectors);
}

/* Slopes of some inputs from x[i][from] on, over n rows. */
KERNEL void NAMED(slopes_tile)(REAL *restrict c, size_t c_i, const REAL *const *x, size_t from,
                               const REAL *restrict d, size_t step, size_t n, const int rows,
                               const int vectors)
{
    vec sum[ROWS][VECTORS];
    NAMED(begin)(sum, rows, vectors);
    UNROLL_TERMS
    for (size_t k = 0; k < n; k++, d += step) {
        const REAL *row = x[k] + from;
        __builtin_prefetch(row + 2 * ROWS); /* for the next tile but one */
        vec first = LOAD(d), second = vectors == 2 ? LOAD(d + LANES) : first;
        UNROLL
        for (int i = 0; i < rows; i++) {
            vec left = SPLAT(row[i]);
            sum[i][0] = FUSE(left, first, sum[i][0]);
            if (vectors == 2) sum[i][1] = FUSE(left, second, sum[i][1]);
        }
    }
    NAMED(end)(c, c_i, sum, rows, vectors);
}

typedef void (*NAMED(tile))(REAL *, size_t, const REAL *const *, size_t, const REAL *, size_t,
                            size_t);
#define TILE(kind, rows, vectors)                                                                  \
    static UNCHECKED TARGET void NAMED(kind##_##rows##_##vectors)(                                 \
        REAL * c, size_t c_i, const REAL *const *x, size_t from, const REAL *b, size_t step,       \
        size_t n)                                                                                  \
    {                                                                                              \
        NAMED(kind##_tile)(c, c_i, x, from, b, step, n, rows, vectors);                            \
    }
#define TILES(rows)                                                                                \
    TILE(nets, rows, 1) TILE(nets, rows, 2) TILE(slopes, rows, 1) TILE(slopes, rows, 2)
#define NETS(rows)   {NAMED(nets_##rows##_1), NAMED(nets_##rows##_2)},
#define SLOPES(rows) {NAMED(slopes_##rows##_1), NAMED(slopes_##rows##_2)},
HEIGHTS(TILES)
static const NAMED(tile) NAMED(nets_tiles)[ROWS][2] = {HEIGHTS(NETS)};
static const NAMED(tile) NAMED(slopes_tiles)[ROWS][2] = {HEIGHTS(SLOPES)};

/* The next rows' first numbers are called for while these are worked on. */
KERNEL void NAMED(call_rows)(const REAL *const *x, size_t n, size_t from)
{
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < LINES_AHEAD; t++) __builtin_prefetch(x[i] + from + t * LINE);
}

/* Rows in tiles of equal height, so that no low one is left at the end. */
static TARGET void NAMED(nets)(const cairn_strip *strip, const REAL *weights, const REAL *const *x,
                               size_t m, size_t from, size_t depth, REAL *nets, size_t step)
{
    for (size_t i = 0, rows; i < m; i += rows) {
        rows = ceiling(m - i, ceiling(m - i, ROWS));
        NAMED(call_rows)(x + i + rows, smaller(rows, m - i - rows), from);
        for (size_t j = 0; j < strip->n; j += WIDTH) {
            REAL edge[ROWS * WIDTH], *c = nets + i * step + j;
            size_t n = smaller(strip->n - j, WIDTH), vectors = ceiling(n, LANES);
            bool whole = n == vectors * LANES;
            NAMED(tile) tile = NAMED(nets_tiles)[rows - 1][vectors - 1];
            if (!whole) memset(edge, 0, sizeof edge);
            for (size_t r = 0; !whole && r < rows; r++)
                memcpy(edge + r * WIDTH, c + r * step, n * sizeof(REAL));
            tile(whole ? c : edge, whole ? step : WIDTH, x + i, from, weights + j, strip->width,
                 depth);
            for (size_t r = 0; !whole && r < rows; r++)
                memcpy(c + r * step, edge + r * WIDTH, n * sizeof(REAL));
        }
    }
}

static TARGET void NAMED(slopes)(const cairn_strip *strip, const REAL *const *x, size_t m,
                                 size_t from, size_t to, const REAL *deltas, REAL *slopes)
{
    for (size_t k = from; k < to; k += ROWS) {
        size_t rows = smaller(to - k, ROWS);
        for (size_t j = 0; j < strip->n; j += WIDTH) {
            size_t vectors = ceiling(smaller(strip->n - j, WIDTH), LANES);
            NAMED(tile) tile = NAMED(slopes_tiles)[rows - 1][vectors - 1];
            tile(slopes + (k - from) * strip->width + j, strip->width, x, k, deltas + j,
                 strip->width, m);
        }
    }
}

static const kernels NAMED(kernels) = {NAMED(nets), NAMED(slopes)};

#undef SLOPES
#undef NETS
#undef TILES
#undef TILE
#undef FUSE
#undef SPLAT
#undef STORE
#undef LOAD
#undef uwords
#undef words
#undef vec
#undef KERNEL
#undef WIDTH
