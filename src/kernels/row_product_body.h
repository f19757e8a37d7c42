/* SPDX-License-Identifier: MIT */
/* One row times a matrix: lanes run over the columns of the result, as in products. */

/* LANES sums from column k on, or fewer at the end. */
KERNEL vec NAMED(some_of)(const double *from, size_t n)
{
    return n < LANES ? load_some(from, n) : LOAD(from);
}

static TARGET void NAMED(row_product)(double *out, const double *x, size_t n_columns,
                                      const double *w, size_t n_out)
{
    size_t panel = panel_of(n_columns);
    for (size_t k = 0; k < n_out; k += LANES) {
        size_t n = n_out - k;
        vec total = splat(0);
        for (size_t begin = 0; begin < n_columns; begin += panel) {
            size_t end = begin + panel < n_columns ? begin + panel : n_columns;
            vec sum = splat(0);
            for (size_t j = begin; j < end; j++)
                sum = multiply_add(splat(x[j]), NAMED(some_of)(w + j * n_out + k, n), sum);
            total += sum;
        }
        if (n < LANES)
            store_some(out + k, n, total);
        else
            STORE(out + k, total);
    }
}

/* A single column, which has no use for lanes. */
static TARGET void NAMED(row_product_one)(double *out, const double *x, size_t n_columns,
                                          const double *w, size_t n_out)
{
    size_t panel = panel_of(n_columns);
    double total = 0;
    (void)n_out;
    for (size_t begin = 0; begin < n_columns; begin += panel) {
        size_t end = begin + panel < n_columns ? begin + panel : n_columns;
        double sum = 0;
        for (size_t j = begin; j < end; j++) sum = multiply_add_one(x[j], w[j], sum);
        total += sum;
    }
    *out = total;
}
