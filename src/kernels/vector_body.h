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

static TARGET void NAMED(axpy)(double *restrict y, double factor, const double *restrict x,
                               size_t n)
{
    vec f = splat(factor);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) STORE(y + i, multiply_add(f, LOAD(x + i), LOAD(y + i)));
    /* the rest through a whole vector, so that an element's rounding does not depend on its place */
    if (i < n) {
        double rest_x[LANES] = {0}, rest_y[LANES] = {0};
        for (size_t j = 0; i + j < n; j++) rest_x[j] = x[i + j], rest_y[j] = y[i + j];
        STORE(rest_y, multiply_add(f, LOAD(rest_x), LOAD(rest_y)));
        for (size_t j = 0; i + j < n; j++) y[i + j] = rest_y[j];
    }
}

#undef SUM_LOOP
