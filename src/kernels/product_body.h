/* SPDX-License-Identifier: MIT */
/* The kernels of one level for one type; included by product_levels.h for each level, so it has no
 * guard. The includer defines LANES, ROWS x VECTORS (the register tile), TARGET, NAMED and, where
 * the level has it, FUSE_VECTORS (the instruction's name). */

#define WIDTH (VECTORS * LANES) /* columns of a tile */
#include "kernels/real_vectors.h"

#include "kernels/exp_body.h"
#include "kernels/tanh_body.h"

/* One panel's share of a tile of C, which stays in registers. a and b advance by a_k and b_k for
 * each k: packed panels, or the matrix itself where its rows are short. */
KERNEL void NAMED(tile)(REAL *restrict c, size_t c_i, const REAL *restrict a, size_t a_k,
                        const REAL *restrict b, size_t b_k, size_t n, REAL alpha, const int rows,
                        const int vectors)
{
    vec sum[ROWS][VECTORS];
    UNROLL
    for (int i = 0; i < rows; i++) UNROLL
    for (int j = 0; j < vectors; j++) {
        sum[i][j] = SPLAT(0);
        /* C is far away; it has the whole panel's time to come */
        __builtin_prefetch(c + (size_t)i * c_i + j * LANES, 1);
    }
    UNROLL_TERMS
    for (size_t k = 0; k < n; k++, a += a_k, b += b_k) {
        __builtin_prefetch(a + AHEAD * a_k); /* both come from the second-level cache */
        __builtin_prefetch(b + AHEAD * b_k);
        if (sizeof(vec) == 64) __builtin_prefetch(a + AHEAD * a_k + LANES);
        if (sizeof(vec) == 64) __builtin_prefetch(b + AHEAD * b_k + LANES);
        vec first = LOAD(b), second = vectors == 2 ? LOAD(b + LANES) : first;
        UNROLL
        for (int i = 0; i < rows; i++) {
            vec left = SPLAT(a[i]);
            sum[i][0] = FUSE(left, first, sum[i][0]);
            if (vectors == 2) sum[i][1] = FUSE(left, second, sum[i][1]);
        }
    }
    UNROLL
    for (int i = 0; i < rows; i++) UNROLL
    for (int j = 0; j < vectors; j++) {
        REAL *at = c + (size_t)i * c_i + j * LANES;
        STORE(at, FUSE(SPLAT(alpha), sum[i][j], LOAD(at)));
    }
}

/* A tile of every height and width, so that edges cost what they hold. */
typedef void (*NAMED(tile_function))(REAL *, size_t, const REAL *, size_t, const REAL *, size_t,
                                     size_t, REAL);
#define TILE(rows, vectors)                                                                        \
    static UNCHECKED TARGET void NAMED(tile_##rows##_##vectors)(                                   \
        REAL * c, size_t c_i, const REAL *a, size_t a_k, const REAL *b, size_t b_k, size_t n,      \
        REAL alpha)                                                                                \
    {                                                                                              \
        NAMED(tile)(c, c_i, a, a_k, b, b_k, n, alpha, rows, vectors);                              \
    }
#define ENTRY(rows) {NAMED(tile_##rows##_1), NAMED(tile_##rows##_2)},
#define PAIR(rows)  TILE(rows, 1) TILE(rows, 2)
HEIGHTS(PAIR)
static const NAMED(tile_function) NAMED(tiles)[ROWS][2] = {HEIGHTS(ENTRY)};

/* Transposes LANES vectors: the first half interleaved with the second, log2(LANES) times. */
KERNEL void NAMED(turn)(vec v[LANES])
{
    UNROLL
    for (int stage = 1; stage < LANES; stage *= 2) {
        vec w[LANES];
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            w[2 * i] = __builtin_shufflevector(v[i], v[i + LANES / 2], JOIN(LOW, LANES));
            w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + LANES / 2], JOIN(HIGH, LANES));
        }
        UNROLL
        for (int i = 0; i < LANES; i++) v[i] = w[i];
    }
}

/* Lays n lines (k runs along a line) side by side: out[k * width + line]. Lines beyond n become
 * zero. A last store may run over into what is packed next; the buffers end with room for it. */
KERNEL void NAMED(pack)(REAL *restrict out, const REAL *restrict from, size_t line_step,
                        size_t k_step, size_t n, size_t depth, const int width)
{
    size_t k = 0;
    if (line_step == 1 && n == (size_t)width) {
        for (; k < depth; k++, from += k_step, out += width)
            memcpy(out, from, (size_t)width * sizeof(REAL));
        return;
    }
    for (; k_step == 1 && n == (size_t)width && k + LANES <= depth; k += LANES) UNROLL
    for (int l = 0; l < width; l += LANES) {
        int first = l + LANES <= width ? l : width < LANES ? 0 : width - LANES;
        vec v[LANES];
        UNROLL
        for (int i = 0; i < LANES; i++) {
            int line = first + i < width ? first + i : width - 1;
            v[i] = LOAD(from + (size_t)line * line_step + k);
        }
        NAMED(turn)(v);
        UNROLL
        for (int i = 0; i < LANES; i++) STORE(out + (k + (size_t)i) * (size_t)width + first, v[i]);
    }
    for (; k < depth; k++)
        for (size_t i = 0; i < (size_t)width; i++)
            out[k * (size_t)width + i] = i < n ? from[i * line_step + k * k_step] : 0;
}

static TARGET void NAMED(pack_left)(REAL *out, const REAL *from, size_t line_step, size_t k_step,
                                    size_t n, size_t depth)
{
    NAMED(pack)(out, from, line_step, k_step, n, depth, ROWS);
}

static TARGET void NAMED(pack_right)(REAL *out, const REAL *from, size_t line_step, size_t k_step,
                                     size_t n, size_t depth)
{
    NAMED(pack)(out, from, line_step, k_step, n, depth, WIDTH);
}

/* x^degree by repeated multiplication from the left: one order at every level */
KERNEL vec NAMED(power)(vec x, int degree)
{
    vec out = x;
    for (int i = 1; i < degree; i++) out = out * x;
    return out;
}

KERNEL vec NAMED(root)(vec x)
{
    for (size_t i = 0; i < LANES; i++) x[i] = ONE_ROOT(x[i]);
    return x;
}

/* What finished numbers become that are inner products, and squared distances. */
KERNEL vec NAMED(of_dots)(const PRODUCT *p, vec dots)
{
    vec moved = FUSE(SPLAT(p->gamma), dots, SPLAT(p->shift));
    return p->finish == CAIRN_FINISH_TANH ? NAMED(tanh_vec)(moved) : NAMED(power)(moved, p->degree);
}

KERNEL vec NAMED(of_squares)(const PRODUCT *p, vec squares)
{
    if (p->finish == CAIRN_FINISH_DISTANCE) return squares;
    if (p->finish == CAIRN_FINISH_LAPLACIAN) squares = NAMED(root)(squares);
    return NAMED(exp_vec)(SPLAT(-p->gamma) * squares);
}

/* A finished row of at most WIDTH entries. `row` and `b_norms` have room for WIDTH. */
KERNEL void NAMED(finish_row)(const PRODUCT *p, REAL *row, size_t i, const REAL *b_norms)
{
    bool dots = p->finish == CAIRN_FINISH_POLYNOMIAL || p->finish == CAIRN_FINISH_TANH;
    UNROLL
    for (size_t j = 0; j < WIDTH; j += LANES) {
        vec dot = LOAD(row + j);
        if (dots) {
            STORE(row + j, NAMED(of_dots)(p, dot));
            continue;
        }
        vec d2 = FUSE(SPLAT(-2), dot, SPLAT(p->a_norms[i]) + LOAD(b_norms + j));
        d2 = NAMED(where)(d2 < SPLAT(0), SPLAT(0), d2); /* rounding may leave a little below zero */
        STORE(row + j, NAMED(of_squares)(p, d2));
    }
}

/* Everything of C that one block of rows [i0, i1) and one packed strip of B [j0, j1) give. */
static TARGET void NAMED(strip)(const PRODUCT *p, size_t i0, size_t i1, size_t j0, size_t j1,
                                const REAL *a, size_t a_k, size_t a_panel, const REAL *b,
                                size_t depth, bool last)
{
    REAL edge[ROWS * WIDTH] = {0}, b_norms[WIDTH] = {0};
    size_t n = j1 - j0, vectors = (n + LANES - 1) / LANES;
    bool finishing = last && p->finish;
    if (finishing && p->b_norms) memcpy(b_norms, p->b_norms + j0, n * sizeof(REAL));
    for (size_t i = i0; i < i1; i += ROWS, a += a_panel) {
        size_t rows = i1 - i < ROWS ? i1 - i : ROWS;
        if (p->upper && j1 <= i) break; /* below the diagonal, as is all that follows */
        NAMED(tile_function) tile = NAMED(tiles)[rows - 1][vectors - 1];
        REAL *c = p->c + i * p->c_i + j0;
        bool whole = n == vectors * LANES && !(p->upper && j0 < i + rows - 1);
        if (whole && !(finishing && n < WIDTH)) {
            tile(c, p->c_i, a, a_k, b, WIDTH, depth, p->alpha);
            for (size_t r = 0; finishing && r < rows; r++)
                NAMED(finish_row)(p, c + r * p->c_i, i + r, b_norms);
            continue;
        }
        /* the same arithmetic on a copy; only what belongs to C comes back */
        for (size_t r = 0; r < rows; r++)
            memcpy(edge + r * WIDTH, c + r * p->c_i, n * sizeof(REAL));
        tile(edge, WIDTH, a, a_k, b, WIDTH, depth, p->alpha);
        for (size_t r = 0; r < rows; r++) {
            size_t from = p->upper && i + r > j0 ? i + r - j0 : 0;
            if (finishing) NAMED(finish_row)(p, edge + r * WIDTH, i + r, b_norms);
            if (from < n)
                memcpy(c + r * p->c_i + from, edge + r * WIDTH + from, (n - from) * sizeof(REAL));
        }
    }
}

/* Eight rows at a time hide the latency of their chains; each chain is the product's own. */
static TARGET void NAMED(norms)(REAL *norms, const REAL *a, size_t n, size_t depth)
{
    for (size_t i = 0; i < n; i += 8) {
        const REAL *row[8];
        REAL total[8] = {0};
        for (size_t r = 0; r < 8; r++) row[r] = a + (i + r < n ? i + r : n - 1) * depth;
        for (size_t k = 0, panel = panel_of(depth); k < depth; k += panel) {
            REAL sum[8] = {0};
            size_t end = smaller(k + panel, depth);
            for (size_t t = k; t < end; t++) UNROLL
            for (int r = 0; r < 8; r++) sum[r] = ONE_FMA(row[r][t], row[r][t], sum[r]);
            for (int r = 0; r < 8; r++) total[r] += sum[r];
        }
        for (size_t r = 0; r < 8 && i + r < n; r++) norms[i + r] = total[r];
    }
}

static const kernels NAMED(kernels) = {
    ROWS, WIDTH, NAMED(pack_left), NAMED(pack_right), NAMED(strip), NAMED(norms)};

#undef FUSE
#undef PAIR
#undef ENTRY
#undef TILE
#undef SPLAT
#undef STORE
#undef LOAD
#undef uwords
#undef words
#undef vec
#undef KERNEL
#undef WIDTH
