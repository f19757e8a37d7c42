/* SPDX-License-Identifier: MIT */
/* Moments: a lane is a column, so that a row is added to the sums of its class without a chain of
 * dependent additions. Logarithms of normal densities: a lane is a row, whose sum runs over the
 * columns in order, so nothing is added across lanes. */

static TARGET void NAMED(class_moments)(double *restrict sums, double *restrict squares,
                                        const double *restrict x, size_t stride, size_t n,
                                        size_t n_columns, const int32_t *restrict classes,
                                        const double *restrict w, const double *restrict shift)
{
    for (size_t i = 0; i < n; i++) {
        if (classes[i] < 0) continue;
        size_t at = (size_t)classes[i] * n_columns, t = 0;
        const double *row = x + i * stride, *centre = shift + at;
        double *sum = sums + at, *square = squares + at;
        vec weight = splat(w ? w[i] : 1);
        for (; t + LANES <= n_columns; t += LANES) {
            vec d = LOAD(row + t) - LOAD(centre + t), wd = weight * d;
            STORE(sum + t, LOAD(sum + t) + wd);
            STORE(square + t, multiply_add(wd, d, LOAD(square + t)));
        }
        for (; t < n_columns; t++) {
            double d = row[t] - centre[t], wd = (w ? w[i] : 1) * d;
            sum[t] += wd;
            square[t] = multiply_add_one(wd, d, square[t]);
        }
    }
}

/* STEPS vectors of rows at `i`. */
KERNEL void NAMED(normal_rows)(double *restrict out, const double *const *restrict columns,
                               size_t first, size_t n_columns, const double *restrict means,
                               const double *restrict rates, const int steps)
{
    vec sum[4];
#pragma GCC unroll 4
    for (int s = 0; s < steps; s++) sum[s] = splat(0);
    for (size_t j = 0; j < n_columns; j++) {
        const double *from = columns[j] + first;
        vec mean = splat(means[j]), rate = splat(rates[j]);
#pragma GCC unroll 4
        for (int s = 0; s < steps; s++) {
            vec d = (LOAD(from + s * LANES) - mean) * rate;
            sum[s] = multiply_add(-d, d, sum[s]);
        }
    }
#pragma GCC unroll 4
    for (int s = 0; s < steps; s++) STORE(out + s * LANES, sum[s]);
}

static TARGET void NAMED(normal_logs)(double *restrict out, const double *const *restrict columns,
                                      size_t first, size_t n, size_t n_columns,
                                      const double *restrict means, const double *restrict rates)
{
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES)
        NAMED(normal_rows)(out + i, columns, first + i, n_columns, means, rates, 4);
    for (; i + LANES <= n; i += LANES)
        NAMED(normal_rows)(out + i, columns, first + i, n_columns, means, rates, 1);
    if (i == n) return;
    /* the rest through whole vectors: rounding must not depend on a row's place */
    vec sum = splat(0);
    for (size_t j = 0; j < n_columns; j++) {
        vec x = load_some(columns[j] + first + i, n - i);
        vec d = (x - splat(means[j])) * splat(rates[j]);
        sum = multiply_add(-d, d, sum);
    }
    store_some(out + i, n - i, sum);
}
