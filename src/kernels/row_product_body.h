/* SPDX-License-Identifier: MIT */
/* One row, or a few, times a matrix: lanes run over the columns of the result, as in products. */

/* LANES sums from column k on, or fewer at the end. */
KERNEL vec NAMED(some_of)(const double *from, size_t n)
{
    return n < LANES ? load_some(from, n) : LOAD(from);
}

static TARGET void NAMED(row_product)(double *out, const double *x, size_t n_columns,
                                      const double *w, size_t n_out)
{
    size_t panel = row_panel(n_columns);
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
    size_t panel = row_panel(n_columns);
    double total = 0;
    (void)n_out;
    for (size_t begin = 0; begin < n_columns; begin += panel) {
        size_t end = begin + panel < n_columns ? begin + panel : n_columns;
        double sum = 0;
        _Pragma("GCC unroll 8") for (size_t j = begin; j < end; j++) sum =
            multiply_add_one(x[j], w[j], sum);
        total += sum;
    }
    *out = total;
}

/* ROWS_OF_ONE rows and a single column. */
KERNEL void NAMED(some_rows_one)(double *out, size_t out_step, const double *x, ptrdiff_t x_step,
                                 size_t n_columns, const double *w)
{
    size_t panel = row_panel(n_columns);
    double total[ROWS_OF_ONE] = {0};
    for (size_t begin = 0; begin < n_columns; begin += panel) {
        size_t end = begin + panel < n_columns ? begin + panel : n_columns;
        double sum[ROWS_OF_ONE] = {0};
        for (size_t j = begin; j < end; j++)
            for (ptrdiff_t r = 0; r < ROWS_OF_ONE; r++)
                sum[r] = multiply_add_one(x[r * x_step + (ptrdiff_t)j], w[j], sum[r]);
        for (size_t r = 0; r < ROWS_OF_ONE; r++) total[r] += sum[r];
    }
    for (size_t r = 0; r < ROWS_OF_ONE; r++) out[r * out_step] = total[r];
}

static TARGET void NAMED(few_rows_one)(const cairn_few_rows *rows, size_t n_columns,
                                       const double *w, size_t n_out)
{
    size_t i = 0;
    for (; i + ROWS_OF_ONE <= rows->n; i += ROWS_OF_ONE) NAMED(some_rows_one)
    (rows->out + i * rows->out_step, rows->out_step, rows->x + (ptrdiff_t)i * rows->x_step,
     rows->x_step, n_columns, w);
    for (; i < rows->n; i++) NAMED(row_product_one)
    (rows->out + i * rows->out_step, rows->x + (ptrdiff_t)i * rows->x_step, n_columns, w, n_out);
}

/* ROWS_OF_MANY rows and LANES columns of the result, or the n that are left. */
KERNEL void NAMED(some_rows)(double *out, size_t out_step, const double *x, ptrdiff_t x_step,
                             size_t n_columns, const double *w, size_t n_out, size_t n)
{
    size_t panel = row_panel(n_columns);
    vec total[ROWS_OF_MANY];
    for (size_t r = 0; r < ROWS_OF_MANY; r++) total[r] = splat(0);
    for (size_t begin = 0; begin < n_columns; begin += panel) {
        size_t end = begin + panel < n_columns ? begin + panel : n_columns;
        vec sum[ROWS_OF_MANY];
        for (size_t r = 0; r < ROWS_OF_MANY; r++) sum[r] = splat(0);
        for (size_t j = begin; j < end; j++) {
            vec weights = NAMED(some_of)(w + j * n_out, n);
            for (ptrdiff_t r = 0; r < ROWS_OF_MANY; r++)
                sum[r] = multiply_add(splat(x[r * x_step + (ptrdiff_t)j]), weights, sum[r]);
        }
        for (size_t r = 0; r < ROWS_OF_MANY; r++) total[r] += sum[r];
    }
    for (size_t r = 0; r < ROWS_OF_MANY; r++)
        if (n < LANES)
            store_some(out + r * out_step, n, total[r]);
        else
            STORE(out + r * out_step, total[r]);
}

static TARGET void NAMED(few_rows)(const cairn_few_rows *rows, size_t n_columns, const double *w,
                                   size_t n_out)
{
    size_t i = 0;
    for (; i + ROWS_OF_MANY <= rows->n; i += ROWS_OF_MANY)
        for (size_t k = 0; k < n_out; k += LANES) NAMED(some_rows)
    (rows->out + i * rows->out_step + k, rows->out_step, rows->x + (ptrdiff_t)i * rows->x_step,
     rows->x_step, n_columns, w + k, n_out, n_out - k);
    for (; i < rows->n; i++) NAMED(row_product)
    (rows->out + i * rows->out_step, rows->x + (ptrdiff_t)i * rows->x_step, n_columns, w, n_out);
}
