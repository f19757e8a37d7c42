/* SPDX-License-Identifier: MIT */
/* Passes over the variables of the pairs solver at one level. A lane keeps the first of its best;
 * the best of the lanes, and of equal ones the first, is that of all, whatever their number. */

typedef float NAMED(slim) __attribute__((vector_size(4 * LANES)));
typedef int NAMED(places) __attribute__((vector_size(4 * LANES)));
typedef float NAMED(loose_slim) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#define slim            NAMED(slim)
#define places          NAMED(places)
#define LOAD_SLIM(from) ((slim)(*(const NAMED(loose_slim) *)(from)))
#define WIDEN(v)        __builtin_convertvector(v, vec)
#define NARROW(v)       __builtin_convertvector(v, slim)

KERNEL places NAMED(either)(places yes, places a, places b)
{
    return (a & yes) | (b & ~yes);
}

KERNEL vec NAMED(select)(words yes, vec a, vec b)
{
    return (vec)(((words)a & yes) | ((words)b & ~yes));
}

KERNEL places NAMED(first_places)(void)
{
    places at;
#pragma GCC unroll 8
    for (int l = 0; l < LANES; l++) at[l] = l;
    return at;
}

KERNEL void NAMED(end_one)(cairn_pair_ends *ends, double rest, float up, float low, size_t v)
{
    double high = rest + (double)up, deep = rest + (double)low;
    if (high > ends->top) ends->top = high, ends->first = v;
    if (deep < ends->bottom) ends->bottom = deep, ends->last = v;
}

/* Of lanes: the best, the first of equal ones. */
KERNEL void NAMED(end_lanes)(cairn_pair_ends *ends, vec top, vec bottom, words first, words last)
{
    for (int l = 0; l < LANES; l++) {
        size_t a = (size_t)first[l], b = (size_t)last[l];
        if (top[l] > ends->top || (top[l] == ends->top && a < ends->first))
            ends->top = top[l], ends->first = a;
        if (bottom[l] < ends->bottom || (bottom[l] == ends->bottom && b < ends->last))
            ends->bottom = bottom[l], ends->last = b;
    }
}

static TARGET void NAMED(pair_move)(cairn_pair_ends *out, double *restrict rest,
                                    const float *restrict a, const float *restrict b, double by,
                                    const float *restrict up, const float *restrict low, size_t n)
{
    cairn_pair_ends ends = {.top = -INFINITY, .bottom = INFINITY, .first = n, .last = n};
    vec top = splat(-INFINITY), bottom = splat(INFINITY), factor = splat(-by);
    words first, last, at = __builtin_convertvector(NAMED(first_places)(), words);
    size_t v = 0;
#pragma GCC unroll 8
    for (int l = 0; l < LANES; l++) first[l] = last[l] = (long long)n;
    for (; v + LANES <= n; v += LANES, at += LANES) {
        vec change = WIDEN(LOAD_SLIM(a + v)) - WIDEN(LOAD_SLIM(b + v));
        vec now = multiply_add(factor, change, LOAD(rest + v));
        vec high = now + WIDEN(LOAD_SLIM(up + v)), deep = now + WIDEN(LOAD_SLIM(low + v));
        words higher = high > top, deeper = deep < bottom;
        STORE(rest + v, now);
        top = NAMED(select)(higher, high, top);
        first = (words)NAMED(select)(higher, (vec)at, (vec)first);
        bottom = NAMED(select)(deeper, deep, bottom);
        last = (words)NAMED(select)(deeper, (vec)at, (vec)last);
    }
    NAMED(end_lanes)(&ends, top, bottom, first, last);
    for (; v < n; v++) {
        rest[v] = multiply_add_one(-by, (double)a[v] - (double)b[v], rest[v]);
        NAMED(end_one)(&ends, rest[v], up[v], low[v], v);
    }
    *out = ends;
}

KERNEL float NAMED(gain_one)(double gap, float own, float diagonal, float row, float tau)
{
    float d = (float)gap, bend = own + diagonal - 2 * row;
    return d * d / (bend > tau ? bend : tau);
}

static TARGET size_t NAMED(pair_partner)(const double *restrict rest, const float *restrict low,
                                         const float *restrict row, const float *restrict diagonal,
                                         double top, float own, float tau, size_t n)
{
    float best = -1;
    size_t found = n, v = 0;
    slim most, owns, least;
    places where, at = NAMED(first_places)();
#pragma GCC unroll 8
    for (int l = 0; l < LANES; l++) most[l] = -1, owns[l] = own, least[l] = tau, where[l] = 0;
    for (; v + LANES <= n; v += LANES, at += LANES) {
        vec gap = splat(top) - (LOAD(rest + v) + WIDEN(LOAD_SLIM(low + v)));
        slim d = NARROW(gap), line = LOAD_SLIM(row + v);
        slim bend = owns + LOAD_SLIM(diagonal + v) - (line + line);
        bend = (slim)NAMED(either)(bend > least, (places)bend, (places)least);
        slim gain = d * d / bend;
        places better = (gain > most) & __builtin_convertvector(gap > splat(0), places);
        most = (slim)NAMED(either)(better, (places)gain, (places)most);
        where = NAMED(either)(better, at, where);
    }
    for (int l = 0; l < LANES; l++)
        if (most[l] > best || (most[l] == best && (size_t)where[l] < found))
            best = most[l], found = best < 0 ? n : (size_t)where[l];
    for (; v < n; v++) {
        double gap = top - (rest[v] + (double)low[v]);
        float gain = NAMED(gain_one)(gap, own, diagonal[v], row[v], tau);
        if (gap > 0 && gain > best) best = gain, found = v;
    }
    return found;
}

/* Eight rows at a time over the same numbers, which stay in registers meanwhile. */
static TARGET void NAMED(rows_take)(double *restrict rest, const float *const *rows,
                                    const double *restrict by, size_t n_rows, size_t first,
                                    size_t n)
{
    for (size_t r = 0; r < n_rows; r += 8) {
        size_t m = n_rows - r < 8 ? n_rows - r : 8, v = 0;
        for (; v + 2 * LANES <= n; v += 2 * LANES) {
            vec a = LOAD(rest + v), b = LOAD(rest + v + LANES);
            for (size_t k = 0; k < m; k++) {
                const float *row = rows[r + k] + first + v;
                a = multiply_add(splat(-by[r + k]), WIDEN(LOAD_SLIM(row)), a);
                b = multiply_add(splat(-by[r + k]), WIDEN(LOAD_SLIM(row + LANES)), b);
            }
            STORE(rest + v, a);
            STORE(rest + v + LANES, b);
        }
        for (; v < n; v++)
            for (size_t k = 0; k < m; k++)
                rest[v] = multiply_add_one(-by[r + k], (double)rows[r + k][first + v], rest[v]);
    }
}

#undef slim
#undef places
#undef LOAD_SLIM
#undef WIDEN
#undef NARROW
