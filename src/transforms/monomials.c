/* SPDX-License-Identifier: MIT */
/* Terms are counted by binomials, listed in lexicographic order within a degree, and computed by
 * multiplying columns from left to right, a block of rows at a time. */
#include "transforms/monomials.h"

#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { ROW_BLOCK = 4096 };

/* n over k in doubles. */
static double binomial(double n, double k)
{
    double result = 1;
    for (double i = 1; i <= k; i++) result *= (n - k + i) / i;
    return round(result);
}

double cairn_monomial_count(cairn_monomial_set set, size_t n_columns, int degree)
{
    double n = (double)n_columns;
    if (degree == 0) return 1;
    switch (set) {
    case CAIRN_MONOMIALS_POWERS: return n;
    case CAIRN_MONOMIALS_DISTINCT: return degree > n ? 0 : binomial(n, degree);
    default: return n == 0 ? 0 : binomial(n + degree - 1, degree);
    }
}

/* The next term of that degree in lexicographic order; false after the last. */
static bool next_term(int32_t *factors, int degree, cairn_monomial_set set, size_t n_columns)
{
    int32_t last = (int32_t)n_columns - 1;
    if (set == CAIRN_MONOMIALS_POWERS) {
        if (factors[0] == last) return false;
        for (int i = 0; i < degree; i++) factors[i]++;
        return true;
    }
    bool distinct = set == CAIRN_MONOMIALS_DISTINCT;
    for (int i = degree; i-- > 0;) {
        int32_t most = distinct ? last - (degree - 1 - i) : last;
        if (factors[i] >= most) continue;
        factors[i]++;
        for (int k = i + 1; k < degree; k++) factors[k] = factors[k - 1] + distinct;
        return true;
    }
    return false;
}

cairn_status cairn_monomials_make(cairn_context *ctx, cairn_monomials *out, cairn_monomial_set set,
                                  size_t n_columns, int low, int high)
{
    double total = 0;
    cairn_monomials terms = {.n_columns = n_columns, .degree = high};
    for (int d = low; d <= high; d++) total += cairn_monomial_count(set, n_columns, d);
    if (!(total * high < 1e9))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%zu columns have too many terms of degree %d to %d; use fewer columns or "
            "a lower degree",
            n_columns, low, high);
    size_t width = (size_t)(high > 0 ? high : 1);
    CHECK(NEW(ctx, &terms.factors, cairn_product((size_t)total + 1, width)));
    for (int d = low; d <= high; d++) {
        if (cairn_monomial_count(set, n_columns, d) == 0) continue;
        int32_t *term = terms.factors + terms.n * width;
        for (int i = 0; i < d && set == CAIRN_MONOMIALS_DISTINCT; i++) term[i] = i;
        for (;;) {
            term = terms.factors + terms.n++ * width;
            for (size_t i = (size_t)d; i < width; i++) term[i] = -1;
            if (d == 0 || terms.n >= (size_t)total) break;
            for (int i = 0; i < d; i++) term[(size_t)i + width] = term[i];
            if (!next_term(term + width, d, set, n_columns)) {
                for (int i = 0; i < d; i++) term[(size_t)i + width] = 0;
                break;
            }
        }
    }
    *out = terms;
    return CAIRN_OK;
}

void cairn_monomial_name(cairn_text *out, const cairn_monomials *terms, size_t term,
                         const cairn_map *names)
{
    size_t width = (size_t)(terms->degree > 0 ? terms->degree : 1);
    const int32_t *factors = terms->factors + term * width;
    if (factors[0] < 0) cairn_text_add(out, "1");
    for (size_t i = 0, run; i < width && factors[i] >= 0; i += run) {
        for (run = 1; i + run < width && factors[i + run] == factors[i];) run++;
        cairn_text_add(out, i ? "*" : "");
        /* A factor, in parentheses where it is a product or a power itself: (b^2)*a is not
         * b^2*a. */
        const char *name = cairn_map_key(names, (size_t)factors[i]);
        cairn_text_addf(out, strpbrk(name, "*^") ? "(%s)" : "%s", name);
        if (run > 1) cairn_text_addf(out, "^%zu", run);
    }
}

typedef struct product_work {
    const cairn_monomials *terms;
    const double *coefficients;
    const double *const *columns;
    double *const *out;
} product_work;

static void compute_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const product_work *w = data;
    size_t width = (size_t)(w->terms->degree > 0 ? w->terms->degree : 1);
    for (size_t t = 0; t < w->terms->n; t++) {
        const int32_t *factors = w->terms->factors + t * width;
        double *out = w->out[t], factor = w->coefficients ? w->coefficients[t] : 1;
        for (size_t i = begin; i < end; i++)
            out[i] = factors[0] < 0 ? 1 : w->columns[factors[0]][i];
        for (size_t k = 1; k < width && factors[k] >= 0; k++) {
            const double *column = w->columns[factors[k]];
            for (size_t i = begin; i < end; i++) out[i] *= column[i];
        }
        for (size_t i = begin; factor != 1 && i < end; i++) out[i] *= factor;
    }
}

cairn_status cairn_monomials_compute(cairn_context *ctx, const cairn_monomials *terms,
                                     const double *coefficients, const double *const *columns,
                                     size_t n_rows, double *const *out)
{
    product_work work = {terms, coefficients, columns, out};
    return cairn_blocks(ctx, n_rows, ROW_BLOCK, compute_rows, &work);
}

cairn_status cairn_monomials_lower(cairn_program *p, const cairn_monomials *terms,
                                   const double *coefficients, const cairn_map *columns,
                                   const cairn_map *made)
{
    size_t width = (size_t)(terms->degree > 0 ? terms->degree : 1);
    int32_t *in, *starts, *factors;
    double *times;
    cairn_operation *op;
    CHECK(cairn_program_columns(p, columns, &in));
    CHECK(cairn_program_add(p, CAIRN_OP_PRODUCTS, in, columns->n, made->n, &op));
    CHECK(cairn_op_codes(p, op, 0, made->n + 1, &starts));
    CHECK(cairn_op_codes(p, op, 1, cairn_product(made->n, width), &factors));
    CHECK(cairn_op_numbers(p, op, 0, made->n, &times));
    for (size_t t = 0; t < made->n; t++) { /* a constant stands behind the terms */
        const int32_t *term = terms->factors + t * width;
        times[t] = coefficients ? coefficients[t] : 1;
        starts[t + 1] = starts[t];
        for (size_t k = 0; t < terms->n && k < width && term[k] >= 0; k++)
            factors[starts[t + 1]++] = term[k];
    }
    return cairn_program_put_all(p, made, op->out);
}

static const char no_column[] = "a term of a column that is not there";

const cairn_kept cairn_monomials_keeps[] = {
    KEEP_SIZE(cairn_monomials, n_columns, INT32_MAX),
    KEEP_SIZE(cairn_monomials, n, (size_t)1 << 30, .name = "n_terms"),
    KEEP_CHOICE(cairn_monomials, degree, 0, 64, "terms of degree $"),
    KEEP_CODES(cairn_monomials, factors, "n*degree", -1, "n_columns", no_column, .when = "degree"),
    KEEP_CODES(cairn_monomials, factors, "n", -1, "n_columns", no_column, .when = "!degree"),
    KEEP_END,
};

void cairn_monomials_clear(cairn_monomials *terms)
{
    cairn_kept_clear(cairn_monomials_keeps, terms);
    *terms = (cairn_monomials){0};
}
