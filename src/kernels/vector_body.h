/* SPDX-License-Identifier: MIT */
/* Sums over vectors: four running sums hide the latency of the addition. */

#define SUM_LOOP(STEP, REST)                                                                       \
    vec s0 = splat(0), s1 = s0, s2 = s0, s3 = s0;                                                  \
    size_t i = 0;                                                                                  \
    for (; i + 4 * LANES <= n; i += 4 * LANES) {                                                   \
        s0 = STEP(s0, i);                                                                          \
        s1 = STEP(s1, i + LANES);                                                                  \
        s2 = STEP(s2, i + 2 * LANES);                                                              \
        s3 = STEP(s3, i + 3 * LANES);                                                              \
    }                                                                                              \
    for (; i + LANES <= n; i += LANES) s0 = STEP(s0, i);                                           \
    double sum = add_lanes((s0 + s1) + (s2 + s3));                                                 \
    for (; i < n; i++) sum += REST(i);                                                             \
    return sum

static TARGET double NAMED(dot)(const double *restrict a, const double *restrict b, size_t n)
{
#define STEP(s, at) multiply_add(LOAD(a + (at)), LOAD(b + (at)), s)
#define REST(at)    (a[at] * b[at])
    SUM_LOOP(STEP, REST);
#undef STEP
#undef REST
}

static TARGET double NAMED(sum)(const double *restrict a, size_t n)
{
#define STEP(s, at) (s + LOAD(a + (at)))
#define REST(at)    (a[at])
    SUM_LOOP(STEP, REST);
#undef STEP
#undef REST
}

KERNEL vec NAMED(add_square)(vec s, vec difference)
{
    return multiply_add(difference, difference, s);
}

static TARGET double NAMED(squared_distance)(const double *restrict a, const double *restrict b,
                                             size_t n)
{
#define STEP(s, at) NAMED(add_square)(s, LOAD(a + (at)) - LOAD(b + (at)))
#define REST(at)    ((a[at] - b[at]) * (a[at] - b[at]))
    SUM_LOOP(STEP, REST);
#undef STEP
#undef REST
}

KERNEL vec NAMED(without_sign)(vec v)
{
    return where_less(v, splat(0), -v, v);
}

static TARGET double NAMED(absolute_distance)(const double *restrict a, const double *restrict b,
                                              size_t n)
{
#define STEP(s, at) (s + NAMED(without_sign)(LOAD(a + (at)) - LOAD(b + (at))))
#define REST(at)    fabs(a[at] - b[at])
    SUM_LOOP(STEP, REST);
#undef STEP
#undef REST
}

/* What is not a number is never larger, so it is looked for by itself. */
static TARGET double NAMED(largest_distance)(const double *restrict a, const double *restrict b,
                                             size_t n)
{
    vec most = splat(0), endless = splat(HUGE_VAL);
    __typeof__(most < endless) known = most < endless;
    double largest = 0, lanes[LANES];
    int none = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vec d = NAMED(without_sign)(LOAD(a + i) - LOAD(b + i));
        most = where_less(most, d, d, most);
        known &= d <= endless;
    }
    STORE(lanes, most);
    for (int l = 0; l < LANES; l++) {
        largest = lanes[l] > largest ? lanes[l] : largest;
        none |= known[l] == 0;
    }
    for (; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        largest = d > largest ? d : largest;
        none |= !(d <= HUGE_VAL);
    }
    return none ? NAN : largest;
}

static TARGET void NAMED(axpy)(double *restrict y, double factor, const double *restrict x,
                               size_t n)
{
    vec f = splat(factor);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) STORE(y + i, multiply_add(f, LOAD(x + i), LOAD(y + i)));
    /* the rest through a whole vector: rounding must not depend on an element's place */
    if (i < n) {
        double rest_x[LANES] = {0}, rest_y[LANES] = {0};
        for (size_t j = 0; i + j < n; j++) rest_x[j] = x[i + j], rest_y[j] = y[i + j];
        STORE(rest_y, multiply_add(f, LOAD(rest_x), LOAD(rest_y)));
        for (size_t j = 0; i + j < n; j++) y[i + j] = rest_y[j];
    }
}

/* Four rows at a time share the loads of w; a row's sum does not depend on its neighbours. */
static TARGET void NAMED(row_dots)(double *restrict out, const double *restrict x, size_t stride,
                                   size_t n, size_t n_columns, const double *restrict w,
                                   double start)
{
    for (size_t i = 0; i < n; i += 4) {
        const double *row[4];
        vec sum[4];
        double total[4];
        size_t j = 0;
#pragma GCC unroll 4
        for (size_t r = 0; r < 4; r++) {
            row[r] = x + (i + r < n ? i + r : n - 1) * stride;
            sum[r] = splat(0);
        }
        for (; j + LANES <= n_columns; j += LANES) {
            vec factor = LOAD(w + j);
#pragma GCC unroll 4
            for (int r = 0; r < 4; r++) sum[r] = multiply_add(LOAD(row[r] + j), factor, sum[r]);
        }
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) total[r] = add_lanes(sum[r]);
        for (; j < n_columns; j++)
            for (int r = 0; r < 4; r++) total[r] += row[r][j] * w[j];
        for (size_t r = 0; r < 4 && i + r < n; r++) out[i + r] = start + total[r];
    }
}

#undef SUM_LOOP
