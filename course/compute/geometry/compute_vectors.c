/* SPDX-License-Identifier: MIT */
/* cairn compute vectors: norms, inner products, angles, and sums of multiples.
 *
 * An expression is read by the language of formula columns, with the vectors as columns and their
 * components as rows. That it is linear is not seen from its text but tried: its value at 0 must be
 * 0, its values where one vector is 1 and the others 0 are its coefficients, and these must give
 * the result. */
#include "typed/vectors.h"

#include "base/functions.h"
#include "base/text.h"
#include "data/expression.h"
#include "kernels/kernels.h"
#include "rows/matrix.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 12, MOST_WORKED = 20 };

typedef struct vectors_params {
    const char *vectors, *expression;
    double tolerance;
} vectors_params;

static const cairn_param vectors_table[] = {
    CAIRN_PARAM(vectors_params, vectors, NULL, NULL,
                "the vectors, such as x=-1,2,0,3;y=2,3,1,-4; without names they are v1, v2, ...; "
                "else they are the number columns of DATA"),
    CAIRN_PARAM(vectors_params, expression, NULL, NULL,
                "sum of multiples to be computed, such as '5*(2*x - 3*y + 4*z)'"),
    CAIRN_PARAM(vectors_params, tolerance, "1e-12", "[0,1)",
                "a cosine of this size counts as 0: orthogonal"),
    CAIRN_PARAM_END,
};

static const double *vector(const cairn_vectors *v, size_t i)
{
    return v->values + i * v->width;
}

/* Norm without overflow on the way. */
static double norm(const cairn_vectors *v, size_t i)
{
    return cairn_plane_norm(vector(v, i), v->width);
}

/* "(-1, 2, 0, 3)", of long ones the beginning. */
static void add_components(cairn_text *text, const double *x, size_t n)
{
    cairn_text_add_char(text, '(');
    for (size_t j = 0; j < n && j < MOST_SHOWN; j++) {
        if (j) cairn_text_add(text, ", ");
        cairn_text_add_number(text, x[j], 6);
    }
    cairn_text_add(text, n > MOST_SHOWN ? ", ...)" : ")");
}

static void cell_components(cairn_report *out, const double *x, size_t n)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    add_components(&text, x, n);
    cairn_report_cell(out, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
}

/* The columns of the table: its rows are the components. */
static cairn_status read_columns(cairn_context *ctx, cairn_vectors *out, const cairn_table *table,
                                 const char *what)
{
    cairn_class_points rows;
    CHECK(cairn_class_points_read(ctx, &rows, table, false, what));
    *out = (cairn_vectors){.names = rows.columns, .n = rows.points.width, .width = rows.points.n};
    CHECK(SCRATCH(ctx, &out->values, cairn_product(out->n, out->width)));
    for (size_t i = 0; i < out->width; i++)
        for (size_t k = 0; k < out->n; k++)
            out->values[k * out->width + i] = rows.points.values[i * out->n + k];
    return CAIRN_OK;
}

/* What two vectors have to do with each other. */
typedef struct pair {
    double inner, cosine, angle; /* degrees; NaN where one of them is 0 */
    bool orthogonal;
} pair;

static pair pair_of(const cairn_vectors *v, size_t a, size_t b, double tolerance)
{
    double one = norm(v, a), other = norm(v, b), cosine = 0;
    pair p = {.inner = cairn_dot(vector(v, a), vector(v, b), v->width), .cosine = NAN};
    for (size_t j = 0; one > 0 && other > 0 && j < v->width; j++)
        cosine += vector(v, a)[j] / one * (vector(v, b)[j] / other);
    if (one > 0 && other > 0) p.cosine = fmax(-1, fmin(1, cosine));
    if (!isfinite(p.inner)) p.inner = NAN;
    p.angle = cairn_acos(p.cosine) * 180 / M_PI;
    p.orthogonal = p.inner == 0 || fabs(p.cosine) <= tolerance;
    return p;
}

/* An inner product that overflows is n/a, while cosine and angle are still known. */
static void show_pairs(cairn_report *out, const cairn_vectors *v, double tolerance)
{
    bool large = false;
    if (v->n < 2) return;
    cairn_report_table_of(out, "Pairs", 0, "llrrrl", "", "", "inner product", "cosine",
                          "angle in degrees", "orthogonal");
    for (size_t a = 0; a < v->n; a++)
        for (size_t b = a + 1; b < v->n; b++) {
            pair p = pair_of(v, a, b, tolerance);
            large = large || isnan(p.inner);
            cairn_report_cells(out, "- - inner.$1.$2 cosine.$1.$2 angle.$1.$2 orthogonal.$1.$2",
                               v->names[a], v->names[b], p.inner, p.cosine, p.angle,
                               p.orthogonal ? "yes" : "no");
        }
    if (large)
        cairn_report_note(out, "Numbers are so large that inner products overflow: n/a. Divide "
                               "the vectors by a number of their size.");
}

/* "‖x‖ = √(x·x) = √((-1)² + 2² + 0² + 3²) = √14 = 3.74166" */
static void work_norms(cairn_report *out, const cairn_vectors *v)
{
    cairn_report_step_begin(out, "Norms");
    cairn_report_formula(out, "‖x‖ = √(x·x) = √(Σ xⱼ²)");
    for (size_t i = 0; i < v->n && i < MOST_WORKED; i++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
        double inner = cairn_dot(vector(v, i), vector(v, i), v->width);
        cairn_text_addf(&label, "‖%s‖²", v->names[i]);
        cairn_report_worked_sum(out, cairn_text_string(&label), "#²", vector(v, i), 1, v->width,
                                inner);
        cairn_report_worked(out, "  its root", "√# = #", inner, norm(v, i));
        cairn_report_failed(out, cairn_text_status(&label));
    }
    cairn_report_step_end(out);
}

/* The inner product term by term, then the cosine and its angle. */
static cairn_status work_pair(cairn_context *ctx, cairn_report *out, const cairn_vectors *v,
                              size_t a, size_t b, double tolerance)
{
    pair p = pair_of(v, a, b, tolerance);
    double *terms;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    CHECK(SCRATCH(ctx, &terms, cairn_product(v->width, 2)));
    for (size_t j = 0; j < v->width; j++) {
        terms[2 * j] = vector(v, a)[j];
        terms[2 * j + 1] = vector(v, b)[j];
    }
    cairn_text_addf(&label, "%s·%s", v->names[a], v->names[b]);
    CHECK(cairn_text_status(&label));
    cairn_report_step_begin(out, "%s and %s", v->names[a], v->names[b]);
    cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", terms, 2, v->width, p.inner);
    if (isnan(p.cosine)) {
        cairn_report_paragraph(out, "A vector of norm 0 has no direction, and so no angle.");
    } else {
        cairn_report_worked(out, "cos θ", "inner product / (norm · norm) = # / (# · #) = #",
                            p.inner, norm(v, a), norm(v, b), p.cosine);
        cairn_report_worked(out, "θ", "arccos # = # degrees", p.cosine, p.angle);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- expressions -- */

typedef struct combination {
    double *coefficients; /* of the vectors */
    double *result;       /* width */
} combination;

/* Values of the expression for the components, for each vector alone, and for none. */
static cairn_status evaluate(cairn_context *ctx, double **out, const cairn_vectors *v,
                             const char *text)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_expression_free) cairn_expression *expression = NULL;
    cairn_faults faults = {0};
    size_t n = v->width + v->n + 1;
    double *column;
    CHECK(SCRATCH_EACH(ctx, n, &column, out));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t k = 0; k < v->n; k++) {
        memcpy(column, vector(v, k), v->width * sizeof *column);
        for (size_t i = v->width; i < n; i++) column[i] = i - v->width == k;
        CHECK(cairn_table_put_numbers(ctx, table, v->names[k], column));
    }
    CHECK(cairn_expression_new(ctx, &expression, text, table));
    if (cairn_expression_type(expression) != CAIRN_VALUE_NUMBER)
        return cairn_fail(ctx, CAIRN_USAGE, "{expression} must give a number for each component");
    return cairn_expression_numbers(ctx, expression, *out, &faults);
}

/* Component by component with the coefficients that the expression comes to. */
static cairn_status work_combination(cairn_context *ctx, cairn_report *out, const cairn_vectors *v,
                                     const char *text, const combination *c)
{
    double *terms;
    bool any = false;
    SCOPED(cairn_text_clear) cairn_text sum = cairn_text_start(ctx);
    CHECK(SCRATCH(ctx, &terms, cairn_product(v->n, 2)));
    for (size_t k = 0; k < v->n; k++)
        cairn_add_term(&sum, &any, c->coefficients[k], v->names[k], true);
    CHECK(cairn_text_status(&sum));
    cairn_report_step_begin(out, "The expression, component by component");
    cairn_report_formula(out, "%s = %s", text, cairn_text_string(&sum));
    for (size_t j = 0; j < v->width && j < MOST_WORKED; j++) {
        char label[32];
        snprintf(label, sizeof label, "component %zu", j + 1);
        for (size_t k = 0; k < v->n; k++) {
            terms[2 * k] = c->coefficients[k];
            terms[2 * k + 1] = vector(v, k)[j];
        }
        cairn_report_worked_sum(out, label, "#·#", terms, 2, v->n, c->result[j]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The result as a vector, its components and coefficients as values. */
static cairn_status show_expression(cairn_context *ctx, cairn_report *out, const cairn_vectors *v,
                                    const char *text, bool steps)
{
    combination c;
    SCOPED(cairn_text_clear) cairn_text components = cairn_text_start(ctx);
    /* Fails where the expression is not a sum of multiples of the vectors. */
    double *values;
    CHECK(evaluate(ctx, &values, v, text));
    c.result = values;
    c.coefficients = values + v->width;
    bool linear = c.coefficients[v->n] == 0;
    for (size_t j = 0; linear && j < v->width; j++) {
        double sum = 0, size = 0;
        for (size_t k = 0; k < v->n; k++) {
            double term = c.coefficients[k] * vector(v, k)[j];
            sum += term;
            size += fabs(term);
        }
        linear = fabs(sum - values[j]) <= 1e-12 * size;
    }
    if (!linear)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{expression %s}: this is not a sum of multiples of the vectors; their "
                          "products, powers and added numbers are none",
                          text);
    add_components(&components, c.result, v->width);
    CHECK(cairn_text_status(&components));
    cairn_report_word(out, text, cairn_text_string(&components), "expression");
    for (size_t j = 0; j < v->width; j++)
        cairn_report_hidden(out, c.result[j], "expression.%zu", j + 1);
    for (size_t k = 0; k < v->n; k++)
        cairn_report_hidden(out, c.coefficients[k], "coefficient.%s",
                            cairn_report_key(out, v->names[k]));
    cairn_report_value(out, "its norm", cairn_plane_norm(c.result, v->width), "expression.norm");
    return steps ? work_combination(ctx, out, v, text, &c) : CAIRN_OK;
}

/* Vectors are typed, or the columns of a table. */
static cairn_status vectors_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const vectors_params *p = job->params;
    cairn_vectors v;
    if (!p->vectors == !job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the vectors either as {vectors 'x=1,2;y=3,4'} or as the columns of "
                          "a table");
    CHECK(p->vectors ? cairn_read_vectors(ctx, &v, "vectors", p->vectors, "v")
                     : read_columns(ctx, &v, job->table, job->what));
    cairn_report_heading(out, 1, "Vectors with %zu components", v.width);
    cairn_report_table_of(out, "Vectors", 0, "llr", "vector", "components", "norm");
    for (size_t i = 0; i < v.n; i++) {
        cairn_report_cell(out, v.names[i]);
        cell_components(out, vector(&v, i), v.width);
        cairn_report_cell_number(out, norm(&v, i), 0, "norm.%s", cairn_report_key(out, v.names[i]));
    }
    show_pairs(out, &v, p->tolerance);
    if (job->steps) {
        work_norms(out, &v);
        for (size_t b = 1; b < v.n && b < MOST_WORKED; b++)
            CHECK(work_pair(ctx, out, &v, b - 1, b, p->tolerance));
    }
    return p->expression ? show_expression(ctx, out, &v, p->expression, job->steps) : CAIRN_OK;
}

const cairn_calculator cairn_compute_vectors = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "vectors",
         .also = "vector, norm, inner product, dot product, scalar product, angle, cosine, "
                 "orthogonal, linear combination",
         .about =
             "perpendicular, perpendicularity, orthogonality, vector space, zero vector, scalar",
         .title = "Norms, inner products, angles and sums of vectors",
         .summary = "Norms of typed vectors or of the columns of a table, for every pair the "
                    "inner product, the cosine, the angle in degrees and whether they are "
                    "orthogonal, and a sum of multiples such as 5*(2*x - 3*y).",
         .example = "cairn compute vectors --vectors 'x=-1,2,0,3;y=2,3,1,-4' --steps",
         .params = vectors_table,
         .params_size = sizeof(vectors_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = vectors_run,
};
