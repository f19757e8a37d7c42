/* SPDX-License-Identifier: MIT */
/* A lane is a cluster; nothing is added across lanes. What is left at the end of a row is done one
 * by one, with the same operations. */

#define GROUP      4
#define GROUP_ROWS (GROUP * LANES)

#define HALF (CAIRN_TILE / 2 / LANES)
/* queries whose sums stay in registers */
#define TOGETHER 4

KERNEL vec NAMED(roots)(vec x)
{
#if LANES == 8
    return _mm512_sqrt_pd(x);
#elif LANES == 4
    return _mm256_sqrt_pd(x);
#else
    return (vec){sqrt(x[0]), sqrt(x[1])};
#endif
}

/* Half a tile against `count` (1 or TOGETHER) queries. */
KERNEL void NAMED(half_tile)(double *const *out, size_t at, const double *restrict tile,
                             const double *restrict queries, size_t n_columns, const int count,
                             const bool roots)
{
    vec sum[TOGETHER][HALF];
#pragma GCC unroll 4
    for (int q = 0; q < count; q++)
#pragma GCC unroll 8
        for (int g = 0; g < HALF; g++) sum[q][g] = splat(0);
    for (size_t t = 0; t < n_columns; t++) {
#pragma GCC unroll 8
        for (int g = 0; g < HALF; g++) {
            vec v = LOAD(tile + t * CAIRN_TILE + (size_t)g * LANES);
#pragma GCC unroll 4
            for (int q = 0; q < count; q++) {
                vec d = v - splat(queries[(size_t)q * n_columns + t]);
                sum[q][g] = multiply_add(d, d, sum[q][g]);
            }
        }
    }
#pragma GCC unroll 4
    for (int q = 0; q < count; q++)
#pragma GCC unroll 8
        for (int g = 0; g < HALF; g++)
            STORE(out[q] + at + (size_t)g * LANES, roots ? NAMED(roots)(sum[q][g]) : sum[q][g]);
}

KERNEL void NAMED(values_to)(double *const *out, const double *tiles, const double *queries,
                             size_t n_queries, size_t n_columns, size_t n, const bool roots)
{
    for (size_t j = 0; j < n; j += CAIRN_TILE / 2) {
        const double *tile = tiles + j / CAIRN_TILE * CAIRN_TILE * n_columns + j % CAIRN_TILE;
        size_t q = 0;
        for (; q + TOGETHER <= n_queries; q += TOGETHER) NAMED(half_tile)
        (out + q, j, tile, queries + q * n_columns, n_columns, TOGETHER, roots);
        for (; q < n_queries; q++)
            NAMED(half_tile)(out + q, j, tile, queries + q * n_columns, n_columns, 1, roots);
    }
}

static TARGET void NAMED(squares_to)(double *const *out, const double *tiles, const double *queries,
                                     size_t n_queries, size_t n_columns, size_t n, bool roots)
{
    if (roots)
        NAMED(values_to)(out, tiles, queries, n_queries, n_columns, n, true);
    else
        NAMED(values_to)(out, tiles, queries, n_queries, n_columns, n, false);
}

#undef HALF

/* Floats: twice as many in a vector. */
#define SINGLES (CAIRN_TILE / 2 / LANES)
typedef float NAMED(singles) __attribute__((vector_size(8 * LANES)));
typedef float NAMED(loose_singles) __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef int32_t NAMED(hits) __attribute__((vector_size(8 * LANES)));
#define LOAD_SINGLES(pointer) ((NAMED(singles))(*(const NAMED(loose_singles) *)(pointer)))

/* Which points of a tile are near enough, as bits. */
KERNEL uint32_t NAMED(near_in_tile)(const float *restrict tile, const float *restrict query,
                                    const float *restrict limits, size_t n_columns)
{
    NAMED(singles) sum[SINGLES];
    uint32_t bits = 0;
    int64_t any = 0;
#pragma GCC unroll 8
    for (int g = 0; g < SINGLES; g++) sum[g] = (NAMED(singles)){0};
    for (size_t t = 0; t < n_columns; t++) {
#pragma GCC unroll 8
        for (int g = 0; g < SINGLES; g++) {
            NAMED(singles) d = LOAD_SINGLES(tile + t * CAIRN_TILE + g * 2 * LANES) - query[t];
            sum[g] += d * d;
        }
    }
    NAMED(hits) found[SINGLES];
#pragma GCC unroll 8
    for (int g = 0; g < SINGLES; g++) {
        found[g] = sum[g] <= LOAD_SINGLES(limits + g * 2 * LANES);
        words halves = (words)found[g];
        for (int l = 0; l < LANES; l++) any |= halves[l];
    }
    if (!any) return 0;
    for (int g = 0; g < SINGLES; g++)
        for (int l = 0; l < 2 * LANES; l++)
            bits |= (uint32_t)(found[g][l] != 0) << (g * 2 * LANES + l);
    return bits;
}

static TARGET size_t NAMED(find_near)(uint32_t *restrict out, const float *restrict tiles,
                                      const float *restrict query, const float *restrict limits,
                                      size_t n_columns, size_t n)
{
    size_t found = 0;
    for (size_t j = 0; j < n; j += CAIRN_TILE) {
        uint32_t bits = NAMED(near_in_tile)(tiles + j * n_columns, query, limits + j, n_columns);
        for (; bits; bits &= bits - 1) out[found++] = (uint32_t)j + (uint32_t)__builtin_ctz(bits);
    }
    return found;
}

#undef SINGLES

KERNEL NAMED(singles) NAMED(add_square)(NAMED(singles) d, NAMED(singles) sum)
{
#if LANES == 8
    return _mm512_fmadd_ps(d, d, sum);
#elif LANES == 4
    return _mm256_fmadd_ps(d, d, sum);
#else
    return sum + d * d;
#endif
}

KERNEL float NAMED(least_single)(NAMED(singles) a, NAMED(singles) b)
{
#if LANES == 8
    return _mm512_reduce_min_ps(_mm512_min_ps(a, b));
#else
    float least = a[0];
    for (int l = 0; l < 2 * LANES; l++) {
        if (a[l] < least) least = a[l];
        if (b[l] < least) least = b[l];
    }
    return least;
#endif
}

/* The least squares of a tile to `count` (1 or TOGETHER) queries, two vectors at a time. */
KERNEL void NAMED(least_of_tile)(float *const *out, size_t at, const float *restrict tile,
                                 const float *restrict queries, size_t n_columns, const int count)
{
    for (size_t from = 0; from < CAIRN_TILE; from += 4 * LANES) {
        NAMED(singles) sum[TOGETHER][2];
#pragma GCC unroll 4
        for (int q = 0; q < count; q++) sum[q][0] = sum[q][1] = (NAMED(singles)){0};
        for (size_t t = 0; t < n_columns; t++) {
            const float *x = tile + t * CAIRN_TILE + from;
            NAMED(singles) v = LOAD_SINGLES(x), w = LOAD_SINGLES(x + 2 * LANES);
#pragma GCC unroll 4
            for (int q = 0; q < count; q++) {
                float y = queries[(size_t)q * n_columns + t];
                sum[q][0] = NAMED(add_square)(v - y, sum[q][0]);
                sum[q][1] = NAMED(add_square)(w - y, sum[q][1]);
            }
        }
#pragma GCC unroll 4
        for (int q = 0; q < count; q++) {
            float least = NAMED(least_single)(sum[q][0], sum[q][1]);
            if (from == 0 || least < out[q][at]) out[q][at] = least;
        }
    }
}

static TARGET void NAMED(least_of_tiles)(float *const *out, const float *tiles,
                                         const float *queries, size_t n_queries, size_t n_columns,
                                         size_t n)
{
    for (size_t k = 0; k < n / CAIRN_TILE; k++) {
        const float *tile = tiles + k * CAIRN_TILE * n_columns;
        size_t q = 0;
        for (; q + TOGETHER <= n_queries; q += TOGETHER)
            NAMED(least_of_tile)(out + q, k, tile, queries + q * n_columns, n_columns, TOGETHER);
        for (; q < n_queries; q++)
            NAMED(least_of_tile)(out + q, k, tile, queries + q * n_columns, n_columns, 1);
    }
}

#undef LOAD_SINGLES
#undef TOGETHER

static TARGET void NAMED(square_roots)(double *x, size_t n)
{
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) STORE(x + j, NAMED(roots)(LOAD(x + j)));
    for (; j < n; j++) x[j] = sqrt(x[j]);
}

static TARGET void NAMED(ward_squares)(double *restrict x, const double *restrict sizes, double own,
                                       size_t n)
{
    vec twice = splat(2 * own), o = splat(own);
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec s = LOAD(sizes + j);
        STORE(x + j, LOAD(x + j) * (twice * s / (o + s)));
    }
    for (; j < n; j++) x[j] = x[j] * (2 * own * sizes[j] / (own + sizes[j]));
}

static TARGET double NAMED(least)(const double *x, size_t n)
{
    vec low[GROUP];
    double least = HUGE_VAL;
    size_t j = 0;
#pragma GCC unroll 4
    for (int g = 0; g < GROUP; g++) low[g] = splat(HUGE_VAL);
    for (; j + GROUP_ROWS <= n; j += GROUP_ROWS) {
#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++) {
            vec v = LOAD(x + j + (size_t)g * LANES);
            low[g] = where_less(v, low[g], v, low[g]);
        }
    }
    for (; j < n; j++)
        if (x[j] < least) least = x[j];
    for (int g = 0; g < GROUP; g++)
        for (int l = 0; l < LANES; l++)
            if (low[g][l] < least) least = low[g][l];
    return least;
}

/* Whether one of the next RUN numbers is at most `factor` times that of y, or at most `factor` if
 * there is no y. */
enum { NAMED(RUN) = 32 };
KERNEL bool NAMED(any_at_most)(const double *restrict x, const double *restrict y, double factor)
{
    vec found = splat(0), f = splat(factor), one = splat(1), zero = splat(0);
    double any = 0;
#pragma GCC unroll 16
    for (size_t l = 0; l < NAMED(RUN); l += LANES)
        found += where_less(y ? LOAD(y + l) * f : f, LOAD(x + l), zero, one);
    for (int l = 0; l < LANES; l++) any += found[l];
    return any > 0;
}

/* Most runs hold none and are passed over as a whole. */
static TARGET size_t NAMED(find_at_most)(uint32_t *restrict out, const double *restrict x, size_t n,
                                         double limit)
{
    size_t found = 0;
    for (size_t j = 0; j < n; j += NAMED(RUN)) {
        size_t end = n - j < NAMED(RUN) ? n : j + NAMED(RUN);
        if (end - j == NAMED(RUN) && !NAMED(any_at_most)(x + j, NULL, limit)) continue;
        for (size_t l = j; l < end; l++)
            if (x[l] <= limit) out[found++] = (uint32_t)l;
    }
    return found;
}

static TARGET size_t NAMED(find_not_above)(uint32_t *restrict out, const double *restrict x,
                                           const double *restrict y, size_t n, double slack)
{
    size_t found = 0;
    for (size_t j = 0; j < n; j += NAMED(RUN)) {
        size_t end = n - j < NAMED(RUN) ? n : j + NAMED(RUN);
        if (end - j == NAMED(RUN) && !NAMED(any_at_most)(x + j, y + j, 1 + slack)) continue;
        for (size_t l = j; l < end; l++)
            if (x[l] <= y[l] * (1 + slack) && x[l] < HUGE_VAL) out[found++] = (uint32_t)l;
    }
    return found;
}

static TARGET double NAMED(take_nearer)(double *restrict best, double *restrict from,
                                        const double *restrict x, double number, size_t n)
{
    vec low = splat(HUGE_VAL), at = splat(number);
    double least = HUGE_VAL;
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec v = LOAD(x + j), b = LOAD(best + j);
        STORE(from + j, where_less(v, b, at, LOAD(from + j)));
        b = where_less(v, b, v, b);
        STORE(best + j, b);
        low = where_less(b, low, b, low);
    }
    for (; j < n; j++) {
        if (x[j] < best[j]) best[j] = x[j], from[j] = number;
        if (best[j] < least) least = best[j];
    }
    for (int l = 0; l < LANES; l++)
        if (low[l] < least) least = low[l];
    return least;
}

KERNEL double NAMED(mean_of)(double x, double y, double a, double b, double shift)
{
    double v = multiply_add_one(a, x, b * y) + shift;
    return v < 0 ? 0 : v;
}

KERNEL double NAMED(ward_of)(double x, double y, double a, double b, double between, double own)
{
    double v = multiply_add_one(a + own, x, (b + own) * y) - own * between;
    v = v / (a + b + own);
    return v < 0 ? 0 : v;
}

/* One loop per rule: what it is, is a constant of each. */
KERNEL void NAMED(join_some)(double *restrict row, const cairn_column_joins *joins, size_t begin,
                             size_t end, double own, const cairn_joining joining,
                             const bool shifted)
{
    const uint32_t *restrict columns = joins->columns;
    const double *restrict a = joins->a, *restrict b = joins->b, *restrict shift = joins->shift;
    for (size_t i = begin; i < end; i++) {
        uint32_t kept = columns[2 * i], gone = columns[2 * i + 1];
        double x = row[kept], y = row[gone];
        if (joining == CAIRN_JOIN_MEAN)
            x = NAMED(mean_of)(x, y, a[i], 1 - a[i], shifted ? shift[i] : 0);
        else if (joining == CAIRN_JOIN_WARD)
            x = NAMED(ward_of)(x, y, a[i], b[i], shift[i], own);
        else if (joining == CAIRN_JOIN_MOST ? x < y : y < x)
            x = y;
        row[kept] = x;
        row[gone] = HUGE_VAL;
    }
}

static TARGET void NAMED(join_columns)(double *row, const cairn_column_joins *joins, size_t begin,
                                       size_t end, double own, size_t n)
{
    if (end - begin > n / 32)
        for (size_t j = 0; j < n; j += 8) __builtin_prefetch(row + j);
    switch (joins->joining) {
    case CAIRN_JOIN_LEAST:
        NAMED(join_some)(row, joins, begin, end, own, CAIRN_JOIN_LEAST, false);
        break;
    case CAIRN_JOIN_MOST:
        NAMED(join_some)(row, joins, begin, end, own, CAIRN_JOIN_MOST, false);
        break;
    case CAIRN_JOIN_MEAN:
        if (joins->shifted)
            NAMED(join_some)(row, joins, begin, end, own, CAIRN_JOIN_MEAN, true);
        else
            NAMED(join_some)(row, joins, begin, end, own, CAIRN_JOIN_MEAN, false);
        break;
    default: NAMED(join_some)(row, joins, begin, end, own, CAIRN_JOIN_WARD, true);
    }
}

static TARGET void NAMED(join_extremes)(double *restrict x, const double *restrict y, size_t n,
                                        bool most)
{
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec v = LOAD(x + j), w = LOAD(y + j);
        STORE(x + j, most ? where_less(v, w, w, v) : where_less(w, v, w, v));
    }
    for (; j < n; j++)
        if (most ? x[j] < y[j] : y[j] < x[j]) x[j] = y[j];
}

static TARGET void NAMED(join_means)(double *restrict x, const double *restrict y, double a,
                                     double shift, size_t n)
{
    vec va = splat(a), vb = splat(1 - a), vs = splat(shift), zero = splat(0);
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec v = multiply_add(va, LOAD(x + j), vb * LOAD(y + j)) + vs;
        STORE(x + j, where_less(v, zero, zero, v));
    }
    for (; j < n; j++) x[j] = NAMED(mean_of)(x[j], y[j], a, 1 - a, shift);
}

static TARGET void NAMED(join_wards)(double *restrict x, const double *restrict y, double a,
                                     double b, double between, const double *restrict sizes,
                                     size_t n)
{
    vec va = splat(a), vb = splat(b), vm = splat(between), zero = splat(0);
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec own = LOAD(sizes + j);
        vec v = multiply_add(va + own, LOAD(x + j), (vb + own) * LOAD(y + j)) - own * vm;
        v = v / (va + vb + own);
        STORE(x + j, where_less(v, zero, zero, v));
    }
    for (; j < n; j++) x[j] = NAMED(ward_of)(x[j], y[j], a, b, between, sizes[j]);
}

/* out[c] += shares[c] x[c] */
KERNEL void NAMED(add_layer)(double *restrict out, const double *restrict x,
                             const double *restrict shares, size_t n)
{
    size_t c = 0;
    for (; c + LANES <= n; c += LANES)
        STORE(out + c, multiply_add(LOAD(shares + c), LOAD(x + c), LOAD(out + c)));
    for (; c < n; c++) out[c] = multiply_add_one(shares[c], x[c], out[c]);
}

KERNEL void NAMED(start_layer)(double *restrict out, const double *restrict x,
                               const double *restrict shares, size_t n)
{
    size_t c = 0;
    for (; c + LANES <= n; c += LANES) STORE(out + c, LOAD(shares + c) * LOAD(x + c));
    for (; c < n; c++) out[c] = shares[c] * x[c];
}

static TARGET size_t NAMED(join_layers)(double *restrict out, const double *restrict x,
                                        size_t begin, size_t end, const cairn_layers *layers,
                                        size_t layer, cairn_joining joining)
{
    while (begin < end) {
        size_t stop = layers->starts[layer + 1], first = begin - layers->starts[layer];
        const double *shares = layers->shares + begin;
        size_t n = (stop < end ? stop : end) - begin;
        if (joining != CAIRN_JOIN_MEAN && layer == 0)
            memcpy(out + first, x, n * sizeof *x);
        else if (joining != CAIRN_JOIN_MEAN)
            NAMED(join_extremes)(out + first, x, n, joining == CAIRN_JOIN_MOST);
        else if (layer == 0)
            NAMED(start_layer)(out + first, x, shares, n);
        else
            NAMED(add_layer)(out + first, x, shares, n);
        x += n;
        begin += n;
        layer += begin == stop;
    }
    return layer;
}

#undef GROUP
#undef GROUP_ROWS
