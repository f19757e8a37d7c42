/* SPDX-License-Identifier: MIT */
/* Sums over vectors: four running sums of eight lanes hide the latency of the addition. What is
 * left at the end is padded with zeros. */

#define SUM_LOOP(STEP)                                                                             \
    eight s0 = eight_of(0), s1 = s0, s2 = s0, s3 = s0;                                             \
    size_t i = 0;                                                                                  \
    for (; i + 32 <= n; i += 32) {                                                                 \
        s0 = STEP(s0, eight_at(a + i), eight_at(b + i));                                           \
        s1 = STEP(s1, eight_at(a + i + 8), eight_at(b + i + 8));                                   \
        s2 = STEP(s2, eight_at(a + i + 16), eight_at(b + i + 16));                                 \
        s3 = STEP(s3, eight_at(a + i + 24), eight_at(b + i + 24));                                 \
    }                                                                                              \
    for (; i + 8 <= n; i += 8) s0 = STEP(s0, eight_at(a + i), eight_at(b + i));                    \
    if (i < n) s0 = STEP(s0, eight_some(a + i, n - i), eight_some(b + i, n - i));                  \
    return eight_sum(eight_add(eight_add(s0, s1), eight_add(s2, s3)))

KERNEL eight NAMED(add_product)(eight s, eight x, eight y)
{
    return eight_multiply_add(x, y, s);
}

static TARGET double NAMED(dot)(const double *restrict a, const double *restrict b, size_t n)
{
    SUM_LOOP(NAMED(add_product));
}

KERNEL eight NAMED(add_first)(eight s, eight x, eight same)
{
    (void)same;
    return eight_add(s, x);
}

static TARGET double NAMED(sum)(const double *restrict a, size_t n)
{
    const double *b = a;
    SUM_LOOP(NAMED(add_first));
}

KERNEL eight NAMED(add_square)(eight s, eight x, eight y)
{
    eight d = eight_subtract(x, y);
    return eight_multiply_add(d, d, s);
}

static TARGET double NAMED(squared_distance)(const double *restrict a, const double *restrict b,
                                             size_t n)
{
    SUM_LOOP(NAMED(add_square));
}

KERNEL eight NAMED(add_size)(eight s, eight x, eight y)
{
    EACH_PART(p) s.part[p] += without_sign(x.part[p] - y.part[p]);
    return s;
}

static TARGET double NAMED(absolute_distance)(const double *restrict a, const double *restrict b,
                                              size_t n)
{
    SUM_LOOP(NAMED(add_size));
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
        vec d = without_sign(LOAD(a + i) - LOAD(b + i));
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
    if (i < n) {
        vec rest = multiply_add(f, load_some(x + i, n - i), load_some(y + i, n - i));
        store_some(y + i, n - i, rest);
    }
}

/* At most LANES columns: the other lanes stay 0. */
KERNEL void NAMED(row_dots_few)(double *restrict out, const double *restrict x, size_t stride,
                                size_t n, size_t n_columns, const double *restrict w, double start)
{
    const int whole = n_columns == LANES;
    vec factor = whole ? LOAD(w) : load_some(w, n_columns);
    for (size_t i = 0; i < n; i++) {
        const double *row = x + i * stride;
        eight sum = eight_of(0);
        sum.part[0] = multiply_add(whole ? LOAD(row) : load_some(row, n_columns), factor, splat(0));
        out[i] = start + eight_sum(sum);
    }
}

/* Four rows at a time share the loads of w; a row's sum does not depend on its neighbours. */
static TARGET void NAMED(row_dots)(double *restrict out, const double *restrict x, size_t stride,
                                   size_t n, size_t n_columns, const double *restrict w,
                                   double start)
{
    if (n_columns <= LANES) {
        NAMED(row_dots_few)(out, x, stride, n, n_columns, w, start);
        return;
    }
    for (size_t i = 0; i < n; i += 4) {
        const double *row[4];
        eight sum[4];
        size_t j = 0;
#pragma GCC unroll 4
        for (size_t r = 0; r < 4; r++) {
            row[r] = x + (i + r < n ? i + r : n - 1) * stride;
            sum[r] = eight_of(0);
        }
        for (; j + 8 <= n_columns; j += 8) {
            eight factor = eight_at(w + j);
#pragma GCC unroll 4
            for (int r = 0; r < 4; r++)
                sum[r] = eight_multiply_add(eight_at(row[r] + j), factor, sum[r]);
        }
        if (j < n_columns) {
            eight factor = eight_some(w + j, n_columns - j);
#pragma GCC unroll 4
            for (int r = 0; r < 4; r++)
                sum[r] = eight_multiply_add(eight_some(row[r] + j, n_columns - j), factor, sum[r]);
        }
        double total[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) total[r] = eight_sum(sum[r]);
        for (size_t r = 0; r < 4 && i + r < n; r++) out[i + r] = start + total[r];
    }
}

#undef SUM_LOOP
