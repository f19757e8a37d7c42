/* SPDX-License-Identifier: MIT */
/* Of classes the exceptions are sent, how many, which rows, and their class,
 *
 *     log2(n + 1) + log2 C(n, e) + e log2(c − 1)
 *
 * or every class by its probability, Σ −log2 P. Numbers are sent as their errors, by a normal code,
 * to a stated precision. A model with a density sends whole rows: Σ −log2 f, and for every number
 * cell −log2 of its precision; the rows of a model of sequences are worth as many as they have
 * steps. The data alone are the counts of the classes, levels or symbols and their order, or the
 * errors about the mean. Weights count as repeated rows. */
#include "compute/theory/description_codes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "model/chain.h"
#include "model/judged_rows.h"
#include "model/row_density.h"
#include "stats/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double bits_of_nat = 1.44269504088896340736;

/* -- codes -- */

static double log2_factorial(double n)
{
    return cairn_lgamma(n + 1) * bits_of_nat;
}

static double exception_bits(double n, double wrong, double classes)
{
    double which = log2_factorial(n) - log2_factorial(wrong) - log2_factorial(n - wrong);
    return cairn_log2(n + 1) + which + (classes > 2 ? wrong * cairn_log2(classes - 1) : 0);
}

/* Errors with this sum of squares by a normal code of their own variance; below the precision
 * nothing is left to say. */
static double error_bits(double n, double squares, double precision)
{
    const double two_pi_e = 17.0794684453471341309;
    double spread = two_pi_e * squares / n / (precision * precision);
    return spread > 1 ? n / 2 * cairn_log2(spread) : 0;
}

/* Numbers or codes of levels with their weights; a missing one is NaN or negative. */
typedef struct cells {
    const double *numbers;
    const int32_t *codes; /* where numbers is NULL */
    size_t n, n_levels;
    const double *weights; /* NULL = all 1 */
} cells;

static double weight_at(const cells *c, size_t i)
{
    return c->weights ? c->weights[i] : 1;
}

static bool is_there(const cells *c, size_t i)
{
    return c->numbers ? !isnan(c->numbers[i]) : c->codes[i] >= 0;
}

static double total_of(const cells *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        if (is_there(c, i)) sum += weight_at(c, i);
    return sum;
}

/* The counts of the levels and one of the orders that they can have. */
static cairn_status levels_alone(cairn_context *ctx, double *out, const cells *c)
{
    SCOPED_SCRATCH(ctx);
    double *counts, n = total_of(c);
    CHECK(SCRATCH(ctx, &counts, c->n_levels + 1));
    for (size_t i = 0; i < c->n; i++)
        if (is_there(c, i)) counts[c->codes[i]] += weight_at(c, i);
    *out = log2_factorial(n);
    if (c->n_levels > 1) *out += ((double)c->n_levels - 1) * cairn_log2(n + 1);
    for (size_t l = 0; l < c->n_levels; l++) *out -= log2_factorial(counts[l]);
    return CAIRN_OK;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least difference of two numbers that are not equal; 1 where all are. */
static cairn_status least_difference(cairn_context *ctx, double *out, const cells *c)
{
    SCOPED_SCRATCH(ctx);
    double *sorted;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &sorted, c->n));
    for (size_t i = 0; c->numbers && i < c->n; i++)
        if (is_there(c, i)) sorted[n++] = c->numbers[i];
    if (n > 1) qsort(sorted, n, sizeof *sorted, ascending);
    *out = INFINITY;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] > sorted[i - 1]) *out = fmin(*out, sorted[i] - sorted[i - 1]);
    if (isinf(*out)) *out = 1;
    return CAIRN_OK;
}

/* The errors about the mean, by a normal code. */
static double errors_alone(const cells *c, double precision)
{
    double n = total_of(c), sum = 0, squares = 0;
    if (!(n > 0) || !c->numbers) return 0;
    for (size_t i = 0; i < c->n; i++)
        if (is_there(c, i)) sum += weight_at(c, i) * c->numbers[i];
    for (size_t i = 0; i < c->n; i++) {
        double apart = c->numbers[i] - sum / n;
        if (is_there(c, i)) squares += weight_at(c, i) * apart * apart;
    }
    return error_bits(n, squares, precision);
}

static double bits_of_number(const cairn_length_code *code, double rows)
{
    return code->number_bits >= 0 ? code->number_bits : cairn_log2(rows) / 2;
}

/* -- classes and numbers -- */

static cells truth_of(const cairn_judged *j)
{
    return (cells){.numbers = j->n_classes ? NULL : j->actual_number,
                   .codes = j->actual,
                   .n = j->n,
                   .n_levels = j->n_classes,
                   .weights = j->weights};
}

static cairn_status send_by_probability(cairn_context *ctx, cairn_data_length *out,
                                        const cairn_judged *j, const char *name)
{
    cells truth = truth_of(j);
    if (!cairn_judged_has_probabilities(j))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s gives no probabilities; {code exceptions} needs none", name);
    for (size_t i = 0; i < j->n; i++) {
        if (!is_there(&truth, i)) continue;
        double p = j->scores[i * j->n_classes + (size_t)j->actual[i]];
        if (!(p > 0))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "row %zu has a class whose probability is 0 according to %s: it "
                              "has no code; smooth the probabilities, or take {code exceptions}",
                              i + 1, name);
        out->bits -= weight_at(&truth, i) * cairn_log2(p);
    }
    return CAIRN_OK;
}

static cairn_status send_classes(cairn_context *ctx, cairn_data_length *out,
                                 const cairn_length_code *code, const cairn_judged *j,
                                 const char *name)
{
    cells truth = truth_of(j);
    out->classes = (double)j->n_classes;
    CHECK(levels_alone(ctx, &out->alone, &truth));
    for (size_t i = 0; i < j->n; i++)
        if (is_there(&truth, i) && !cairn_judged_right(j, i)) out->wrong += weight_at(&truth, i);
    if (code->by_probability) return send_by_probability(ctx, out, j, name);
    out->bits = exception_bits(out->rows, out->wrong, out->classes);
    return CAIRN_OK;
}

static cairn_status send_numbers(cairn_context *ctx, cairn_data_length *out,
                                 const cairn_length_code *code, const cairn_judged *j,
                                 const char *name)
{
    cells truth = truth_of(j);
    out->precision = code->precision;
    if (!(out->precision > 0)) CHECK(least_difference(ctx, &out->precision, &truth));
    out->alone = out->number_bits + errors_alone(&truth, out->precision);
    for (size_t i = 0; i < j->n; i++) {
        double error = j->actual_number[i] - j->predicted_number[i];
        if (!is_there(&truth, i)) continue;
        if (!isfinite(error))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no number for row %zu", name, i + 1);
        out->wrong += weight_at(&truth, i) * error * error;
    }
    out->bits = error_bits(out->rows, out->wrong, out->precision);
    return CAIRN_OK;
}

static cairn_status send_targets(cairn_context *ctx, cairn_data_length *out,
                                 const cairn_length_code *code, const cairn_model *model,
                                 const char *name, const cairn_table *table)
{
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_judged judged;
    CHECK(cairn_model_truth(ctx, &matched, model, table, NULL));
    CHECK(cairn_judged_model(ctx, &judged, &prediction, model, matched, cairn_all_rows(matched),
                             code->by_probability));
    cells truth = truth_of(&judged);
    out->rows = total_of(&truth);
    if (!(out->rows > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a description length needs rows whose target is known, and there are "
                          "none");
    out->number_bits = bits_of_number(code, out->rows);
    return judged.n_classes ? send_classes(ctx, out, code, &judged, name)
                            : send_numbers(ctx, out, code, &judged, name);
}

/* -- whole rows -- */

/* A column of numbers: the bits of its precision, and what it takes alone, with mean and
 * deviation. */
static cairn_status add_number_column(cairn_context *ctx, cairn_data_length *out,
                                      const cairn_length_code *code, const cells *c, double scale)
{
    double precision = code->precision * scale;
    if (!(precision > 0)) CHECK(least_difference(ctx, &precision, c));
    out->cell_bits -= total_of(c) * cairn_log2(precision);
    out->alone += 2 * out->number_bits + errors_alone(c, precision);
    return CAIRN_OK;
}

/* The steps of sequences or series as cells, each as often as its row: symbols with their counts,
 * or numbers. */
static cairn_status add_steps(cairn_context *ctx, cairn_data_length *out,
                              const cairn_length_code *code, const cairn_column *column,
                              size_t n_rows, const double *weights)
{
    SCOPED_SCRATCH(ctx);
    cells c = {.n = column->starts[n_rows], .n_levels = column->names.n};
    double *spread, bits;
    CHECK(SCRATCH_RAW(ctx, &spread, c.n + 1));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t t = column->starts[i]; t < column->starts[i + 1]; t++)
            spread[t] = weights ? weights[i] : 1;
    c.weights = spread;
    if (column->kind == CAIRN_SERIES) {
        c.numbers = column->amounts;
        return c.n ? add_number_column(ctx, out, code, &c, 1) : CAIRN_OK;
    }
    c.codes = column->items;
    CHECK(levels_alone(ctx, &bits, &c));
    out->alone += bits;
    return CAIRN_OK;
}

/* The columns as the learner sees them, in whose units the density is. */
static cairn_status add_columns(cairn_context *ctx, cairn_data_length *out,
                                const cairn_length_code *code, const cairn_model *model,
                                const cairn_table *inner, const double *weights)
{
    for (size_t i = 0; i < inner->n_columns; i++) {
        const cairn_column *column = inner->slots[i].column;
        cells c = {.n = inner->n_rows, .weights = weights};
        double bits;
        if (inner->slots[i].role != CAIRN_FEATURE) continue;
        if (column->kind == CAIRN_SEQUENCE || column->kind == CAIRN_SERIES) {
            CHECK(add_steps(ctx, out, code, column, inner->n_rows, weights));
            continue;
        }
        if (column->kind == CAIRN_LEVEL) {
            c.codes = column->codes, c.n_levels = column->names.n;
            CHECK(levels_alone(ctx, &bits, &c));
            out->alone += bits;
            continue;
        }
        c.numbers = cairn_table_numbers(inner, i);
        if (c.numbers)
            CHECK(add_number_column(ctx, out, code, &c,
                                    cairn_density_scale(model, inner->slots[i].name)));
    }
    return CAIRN_OK;
}

/* What the model says of every row, and of how many steps: of rows that are none of each one. */
static cairn_status add_densities(cairn_context *ctx, cairn_data_length *out,
                                  const cairn_prediction *prediction, const char *name,
                                  const double *weights)
{
    cairn_row_density density = cairn_row_density_of(prediction);
    for (size_t i = 0; i < prediction->n_rows; i++) {
        double weight = weights ? weights[i] : 1;
        if (!density.logs || !isfinite(density.logs[i]))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "row %zu has no probability or density according to %s", i + 1, name);
        out->wrong -= weight * density.logs[i];
        out->rows += density.steps ? weight * density.steps[i] : weight;
    }
    if (out->rows > 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "a description length needs rows");
}

static cairn_status send_whole_rows(cairn_context *ctx, cairn_data_length *out,
                                    const cairn_length_code *code, const cairn_model *model,
                                    const char *name, const cairn_table *table)
{
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    cairn_match match;
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){.extra = true}, &match));
    CHECK(add_densities(ctx, out, &prediction, name, view.row_weights));
    out->number_bits = bits_of_number(code, out->rows);
    CHECK(cairn_recipe_apply(ctx, &inner, model, table));
    CHECK(add_columns(ctx, out, code, model, inner, view.row_weights));
    out->bits = out->wrong * bits_of_nat + out->cell_bits;
    return CAIRN_OK;
}

/* -- a model -- */

static bool has_target(const cairn_model *model)
{
    return model->task == CAIRN_CLASSIFY || model->task == CAIRN_REGRESS;
}

bool cairn_has_data_length(const cairn_model *model)
{
    return model->learner && cairn_learner_counts(model->learner) &&
           (has_target(model) || cairn_model_has_density(model));
}

cairn_status cairn_data_length_of(cairn_context *ctx, cairn_data_length *out,
                                  const cairn_length_code *code, const cairn_model *model,
                                  const char *name, const cairn_table *table)
{
    *out = (cairn_data_length){.sent = CAIRN_SENT_ROW};
    if (!has_target(model)) return send_whole_rows(ctx, out, code, model, name, table);
    out->sent = model->task == CAIRN_CLASSIFY ? CAIRN_SENT_CLASS : CAIRN_SENT_NUMBER;
    return send_targets(ctx, out, code, model, name, table);
}
