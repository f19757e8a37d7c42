/* SPDX-License-Identifier: MIT */
/* The exact feature map of a polynomial kernel: phi with phi(x).phi(y) = (x.y + offset)^degree.
 *
 * The kernel is multiplied out: every product of columns x^a with the powers a1, a2, ... of total
 * at most the degree d is a component, with the coefficient
 *
 *     sqrt( d! / (a1! a2! ... r!) * offset^r ),   r = d - (a1 + a2 + ...)
 *
 * so that with offset 0 only the products of exactly degree d are there. Components come by degree,
 * the highest first, powers of one column before mixed products; the constant is last and for
 * degree 2 it is the offset itself. Cost: rows times components. */
#include "transforms/kernel_map.h"
#include "transforms/expand.h"

#include "base/functions.h"
#include "base/number.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

typedef struct kernel_map_params {
    const char *columns;
    int degree;
    double offset;
} kernel_map_params;

static const cairn_param kernel_map_param_table[] = {
    CAIRN_PARAM(kernel_map_params, degree, "2", "[1,20]", "power of the kernel"),
    CAIRN_PARAM(kernel_map_params, offset, "0", "[0,inf)",
                "what the kernel adds to the inner product"),
    CAIRN_PARAM_AS(kernel_map_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to map; all number features when not given"),
    CAIRN_PARAM_END,
};

typedef struct kernel_map_state {
    cairn_map names, made;
    cairn_monomials terms;
    double *coefficients; /* terms.n */
} kernel_map_state;

static double factorial(int n)
{
    double product = 1;
    for (int i = 2; i <= n; i++) product *= i;
    return product;
}

static double coefficient_of(const int32_t *factors, int degree, double factor, double offset)
{
    double below = 1;
    int used = 0;
    while (used < degree && factors[used] >= 0) {
        int run = 1;
        while (used + run < degree && factors[used + run] == factors[used]) run++;
        below *= factorial(run);
        used += run;
    }
    int rest = degree - used;
    return sqrt(factorial(degree) / (below * factorial(rest))) * cairn_pow(offset, rest / 2.0) *
           cairn_pow(factor, used / 2.0);
}

/* Whether the term is a power of one column. */
static bool is_power(const int32_t *factors, int degree)
{
    for (int i = 1; i < degree && factors[i] >= 0; i++)
        if (factors[i] != factors[0]) return false;
    return true;
}

/* With an offset all degrees up to the kernel's appear, without one only its own; coefficients are
 * such that products of mapped rows are values of the kernel. */
cairn_status cairn_kernel_terms(cairn_context *ctx, cairn_monomials *terms, double **coefficients,
                                size_t n_columns, int degree, double factor, double offset,
                                size_t n_rows)
{
    cairn_monomials part = {0};
    int lowest = offset > 0 ? 0 : degree;
    double total = 0;
    for (int d = lowest; d <= degree; d++)
        total += cairn_monomial_count(CAIRN_MONOMIALS_ALL, n_columns, d);
    CHECK(cairn_expand_check(ctx, "kernel-map", total, n_rows));
    terms->n_columns = n_columns;
    terms->degree = degree;
    CHECK(NEW(ctx, &terms->factors, cairn_product((size_t)total, (size_t)degree)));
    for (int d = degree; d >= lowest; d--) {
        CHECK(cairn_monomials_make(ctx, &part, CAIRN_MONOMIALS_ALL, n_columns, d, d));
        /* Terms of one degree in the order of the map: powers of one column, then mixed ones. */
        size_t width = (size_t)terms->degree, from_width = (size_t)(d > 0 ? d : 1);
        for (int pass = 0; pass < 2; pass++)
            for (size_t t = 0; t < part.n; t++) {
                const int32_t *factors = part.factors + t * from_width;
                if (is_power(factors, d) != (pass == 0)) continue;
                int32_t *place = terms->factors + terms->n++ * width;
                for (size_t i = 0; i < width; i++) place[i] = i < (size_t)d ? factors[i] : -1;
            }
        cairn_monomials_clear(&part);
    }
    CHECK(NEW(ctx, coefficients, terms->n));
    for (size_t t = 0; t < terms->n; t++)
        (*coefficients)[t] =
            coefficient_of(terms->factors + t * (size_t)degree, degree, factor, offset);
    return CAIRN_OK;
}

static cairn_status kernel_map_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const kernel_map_params *p = job->params;
    kernel_map_state *s = state;
    size_t *chosen;
    CHECK(cairn_expand_choose(ctx, &s->names, job->view, "kernel-map", p->columns, &chosen));
    if (s->names.n == 0) return CAIRN_OK;
    CHECK(cairn_kernel_terms(ctx, &s->terms, &s->coefficients, s->names.n, p->degree, 1, p->offset,
                             job->view->table->n_rows));
    /* A name is "phi(" product ")", since x itself may stand beside it in other models. */
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    for (size_t t = 0; t < s->terms.n; t++) {
        cairn_text_add(&name, "phi(");
        cairn_monomial_name(&name, &s->terms, t, &s->names);
        cairn_text_add(&name, ")");
        CHECK(cairn_expand_name(ctx, &s->made, &name, "kernel-map"));
    }
    return CAIRN_OK;
}

static cairn_status kernel_map_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                     const void *params, const cairn_table *table)
{
    (void)params;
    const kernel_map_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const double *const *columns;
    double *const *numbers;
    if (s->names.n == 0) return cairn_table_share(ctx, out, table);
    CHECK(cairn_expand_table(ctx, &made, table, &s->names, false, &s->made, &columns, &numbers));
    CHECK(
        cairn_monomials_compute(ctx, &s->terms, s->coefficients, columns, table->n_rows, numbers));
    CHECK(cairn_expand_done(ctx, made, s->made.n));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status kernel_map_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const kernel_map_state *s = state;
    (void)job;
    if (s->names.n == 0) return CAIRN_OK;
    return cairn_monomials_lower(out, &s->terms, s->coefficients, &s->names, &s->made);
}

/* Lists the components with their coefficients, so that a reader can multiply two mapped rows and
 * get the kernel. */
static void kernel_map_describe(cairn_report *out, const void *state, const void *params)
{
    const kernel_map_params *p = params;
    const kernel_map_state *s = state;
    cairn_text product = cairn_text_start(cairn_report_context(out));
    char offset[CAIRN_NUMBER_SIZE];
    cairn_number_format(offset, p->offset, 6);
    cairn_report_formula(out, "φ(x)·φ(y) = (x·y + %s)^%d", offset, p->degree);
    cairn_expand_describe(out, "kernel-map", s->names.n, s->made.n);
    cairn_report_table_of(out, "Components", 0, "rrl", "component", "coefficient", "product");
    for (size_t t = 0; t < s->terms.n && cairn_report_row_wanted(out); t++) {
        cairn_monomial_name(&product, &s->terms, t, &s->names);
        cairn_report_cells(out, "- kernel-map.coefficient$1 kernel-map.product$1", t + 1,
                           s->coefficients[t], cairn_text_string(&product));
        cairn_report_failed(out, cairn_text_status(&product));
        cairn_text_clear(&product);
    }
    cairn_report_table_end(out);
}

static const cairn_kept kernel_map_keeps[] = {
    KEEP(kernel_map_state, names, made),
    KEEP_PART(kernel_map_state, terms, .rows = cairn_monomials_keeps),
    KEEP_ARRAYS(kernel_map_state, "terms.n", coefficients),
    KEEP_SAME("terms.n_columns", "names", "the feature map does not fit together"),
    KEEP_SAME("terms.n", "made", "the feature map does not fit together"),
    KEEP_END,
};

const cairn_transform cairn_kernel_map = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "kernel-map",
              .also = "explicit kernel map, kernel trick, polynomial feature map",
              .title = "Feature map of a polynomial kernel",
              .summary =
                  "Replaces the number columns by the components of the map whose inner product is "
                  "the kernel (x.y + offset)^degree, with the roots of the multinomial "
                  "coefficients. For two columns and degree 2 that is x^2, y^2, sqrt(2) x y; with "
                  "an offset the columns themselves and a constant follow, which is the offset for "
                  "degree 2. A linear learner on these columns is the kernel method written out.",
              .references = "Cristianini and Shawe-Taylor, An Introduction to Support Vector "
                            "Machines, 2000",
              .example = "cairn fit linear @quadratic --with kernel-map:degree=2,offset=1",
              .params = kernel_map_param_table,
              .params_size = sizeof(kernel_map_params)},
    .state_size = sizeof(kernel_map_state),
    .sets_scale = true,
    .fit = kernel_map_fit,
    .apply = kernel_map_apply,
    .lower = kernel_map_lower,
    .describe = kernel_map_describe,
    .keeps = kernel_map_keeps,
};
