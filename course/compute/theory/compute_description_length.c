/* SPDX-License-Identifier: MIT */
/* cairn compute description-length: the bits of a model and of what it leaves to say about the
 * rows,
 *
 *     L(m) + L(D | m)
 *
 * The code is one that every model has. A model of k learned numbers (those of its run card, and
 * the cut points that its chain found) takes ½ log2 n bits for each, the precision to which n rows
 * tell it. The codes of the rows are in description_codes.c. */
#include "model/calculator.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "entry/split.h"
#include "model/model.h"
#include "base/functions.h"
#include "model/chain.h"
#include "model/judged_rows.h"
#include "model/row_density.h"
#include "stats/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is sent of a row. */
typedef enum cairn_sent {
    CAIRN_SENT_CLASS,
    CAIRN_SENT_NUMBER,
    CAIRN_SENT_ROW /* all of it, by a model that says how probable it is */
} cairn_sent;

typedef struct length_code {
    bool by_probability; /* of a class; else as exceptions */
    double number_bits;  /* of a learned number; NaN = half the binary logarithm of the rows */
    double precision;    /* of numbers that are sent; NaN = their least difference */
} length_code;

typedef struct data_length {
    cairn_sent sent;
    double rows;        /* their weight */
    double classes;     /* CLASS */
    double wrong;       /* CLASS: exceptions; NUMBER: Σ error²; ROW: −Σ ln f */
    double precision;   /* NUMBER */
    double cell_bits;   /* ROW: Σ −log2 of the precision of every number cell */
    double number_bits; /* of a learned number */
    double bits;        /* L(D | m) */
    double alone;       /* bits of the same rows without a model */
} data_length;

/* -- description codes -- */

/* Of classes the exceptions are sent, how many, which rows, and their class,
 *
 *     log2(n + 1) + log2 C(n, e) + e log2(c − 1)
 *
 * or every class by its probability, Σ −log2 P. Numbers are sent as their errors, by a normal code,
 * to a stated precision. A model with a density sends whole rows: Σ −log2 f, and for every number
 * cell −log2 of its precision; the rows of a model of sequences are worth as many as they have
 * steps. The data alone are the counts of the classes, levels or symbols and their order, or the
 * errors about the mean. Weights count as repeated rows. */

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

/* The least difference of two numbers that are not equal; 1 where all are. */
static cairn_status least_difference(cairn_context *ctx, double *out, const cells *c)
{
    SCOPED_SCRATCH(ctx);
    double *sorted;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &sorted, c->n));
    for (size_t i = 0; c->numbers && i < c->n; i++)
        if (is_there(c, i)) sorted[n++] = c->numbers[i];
    if (n > 1) qsort(sorted, n, sizeof *sorted, cairn_by_number);
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

static double bits_of_number(const length_code *code, double rows)
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

static cairn_status send_by_probability(cairn_context *ctx, data_length *out, const cairn_judged *j,
                                        const char *name)
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

static cairn_status send_classes(cairn_context *ctx, data_length *out, const length_code *code,
                                 const cairn_judged *j, const char *name)
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

static cairn_status send_numbers(cairn_context *ctx, data_length *out, const length_code *code,
                                 const cairn_judged *j, const char *name)
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

static cairn_status send_targets(cairn_context *ctx, data_length *out, const length_code *code,
                                 const cairn_model *model, const char *name,
                                 const cairn_table *table)
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
static cairn_status add_number_column(cairn_context *ctx, data_length *out, const length_code *code,
                                      const cells *c, double scale)
{
    double precision = code->precision * scale;
    if (!(precision > 0)) CHECK(least_difference(ctx, &precision, c));
    out->cell_bits -= total_of(c) * cairn_log2(precision);
    out->alone += 2 * out->number_bits + errors_alone(c, precision);
    return CAIRN_OK;
}

/* The steps of sequences or series as cells, each as often as its row: symbols with their counts,
 * or numbers. */
static cairn_status add_steps(cairn_context *ctx, data_length *out, const length_code *code,
                              const cairn_column *column, size_t n_rows, const double *weights)
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
static cairn_status add_columns(cairn_context *ctx, data_length *out, const length_code *code,
                                const cairn_model *model, const cairn_table *inner,
                                const double *weights)
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
static cairn_status add_densities(cairn_context *ctx, data_length *out,
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

static cairn_status send_whole_rows(cairn_context *ctx, data_length *out, const length_code *code,
                                    const cairn_model *model, const char *name,
                                    const cairn_table *table)
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

/* Whether the model predicts classes or numbers, or has a density of its rows, and counts what it
 * learned. */
static bool has_data_length(const cairn_model *model)
{
    return model->learner && cairn_learner_counts(model->learner) &&
           (has_target(model) || cairn_model_has_density(model));
}

/* What `model`, called `name` in messages, leaves to say about the table. */
static cairn_status data_length_of(cairn_context *ctx, data_length *out, const length_code *code,
                                   const cairn_model *model, const char *name,
                                   const cairn_table *table)
{
    *out = (data_length){.sent = CAIRN_SENT_ROW};
    if (!has_target(model)) return send_whole_rows(ctx, out, code, model, name, table);
    out->sent = model->task == CAIRN_CLASSIFY ? CAIRN_SENT_CLASS : CAIRN_SENT_NUMBER;
    return send_targets(ctx, out, code, model, name, table);
}

enum { CODE_EXCEPTIONS, CODE_PROBABILITIES, MOST_MODELS = 50, MOST_LINKS = 16 };

typedef struct length_params {
    const char *learners, *models;
    int code;
    double number_bits, precision;
} length_params;

static const cairn_choice codes[] = {
    {"exceptions", CODE_EXCEPTIONS, "which rows the model gets wrong, and their classes"},
    {"probabilities", CODE_PROBABILITIES, "every class by the probability that the model gives"},
    {0},
};

static const cairn_param length_table[] = {
    CAIRN_PARAM(length_params, learners, NULL, NULL,
                "learners that are fitted to DATA and compared, separated by ; and each with its "
                "transforms before it, such as majority;tree:max-depth=2;discretise>bayes",
                .often = true),
    CAIRN_PARAM(length_params, models, NULL, NULL,
                "files of further saved models, separated by commas"),
    CAIRN_PARAM_CHOICE(length_params, code, "exceptions", codes, "how classes are sent",
                       .often = true),
    CAIRN_PARAM(length_params, number_bits, CAIRN_NOT_GIVEN, "[0,1024]",
                "bits of a learned number; half the binary logarithm of the rows if not given"),
    CAIRN_PARAM(length_params, precision, CAIRN_NOT_GIVEN, "(0,inf)",
                "to which numbers are sent; the least difference of a column if not given"),
    CAIRN_PARAM_END,
};

typedef struct length {
    const char *name;
    double numbers, cuts, model_bits; /* learned numbers; of these cut points */
    data_length data;
} length;

typedef struct lengths {
    const length_params *p;
    length_code code;
    length *list;
    size_t n;
} lengths;

/* -- a model -- */

/* Numbers of which a transform made levels: between n of them lie n − 1 cut points. */
static double count_cuts(const cairn_model *model)
{
    double cuts = 0;
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *raw = &model->schema.fields[i];
        if (raw->role != CAIRN_FEATURE || raw->kind != CAIRN_NUMBER) continue;
        for (size_t j = 0; j < model->inner.n_fields; j++) {
            const cairn_field *seen = &model->inner.fields[j];
            if (seen->kind == CAIRN_LEVEL && seen->names.n && strcmp(seen->name, raw->name) == 0)
                cuts += (double)(seen->names.n - 1);
        }
    }
    return cuts;
}

/* Lengths are compared of the same data only. */
static cairn_status check_same(cairn_context *ctx, const lengths *w)
{
    const length *first = &w->list[0], *last = &w->list[w->n];
    if (last->data.sent == first->data.sent) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s and %s do not send the same: one of them sends a target, the other whole "
                      "rows; compare them apart",
                      first->name, last->name);
}

/* Cut points that a transform made count as learned numbers too. */
static cairn_status measure_model(cairn_context *ctx, lengths *w, const char *name,
                                  const cairn_model *model, const cairn_compute_job *job)
{
    length *out = &w->list[w->n];
    *out = (length){.name = name};
    if (w->n >= MOST_MODELS)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d models are compared", MOST_MODELS);
    if (!has_data_length(model))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has no description length: it predicts neither classes nor numbers "
                          "and has no density, or does not count what it learned",
                          name);
    CHECK(data_length_of(ctx, &out->data, &w->code, model, name, job->table));
    CHECK(check_same(ctx, w));
    out->cuts = count_cuts(model);
    out->numbers = cairn_model_size_of(model).parameters + out->cuts;
    out->model_bits = out->numbers * out->data.number_bits;
    w->n++;
    return CAIRN_OK;
}

/* -- reading -- */

/* The text up to `end` without the blanks around it; scratch. */
static cairn_status take_part(cairn_context *ctx, char **out, const char *at, const char *end)
{
    while (at < end && *at == ' ') at++;
    while (end > at && end[-1] == ' ') end--;
    CHECK(SCRATCH(ctx, out, (size_t)(end - at) + 1));
    memcpy(*out, at, (size_t)(end - at));
    return CAIRN_OK;
}

/* "discretise>bayes": all but the last are transforms. */
static cairn_status fit_and_measure(cairn_context *ctx, lengths *w, const char *chain,
                                    const cairn_compute_job *job)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    const char *with[MOST_LINKS + 1] = {0}, *at = chain, *end;
    char *spec;
    size_t n = 0;
    for (; *(end = cairn_split_next(at, '>')); at = end + 1) {
        if (n == MOST_LINKS)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{learners}: at most %d transforms before a learner", MOST_LINKS);
        CHECK(take_part(ctx, &spec, at, end));
        with[n++] = spec;
    }
    CHECK(take_part(ctx, &spec, at, end));
    options.with = with;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    CHECK(cairn_params_check(ctx, params));
    CHECK(cairn_model_fit(ctx, &model, params, job->table, &options));
    return measure_model(ctx, w, chain, model, job);
}

/* The model that was named, those of files, then the learners. */
static cairn_status measure_all(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    const char *at = w->p->learners ? w->p->learners : "", *end;
    char *chain;
    CHECK(SCRATCH(ctx, &w->list, MOST_MODELS + 1));
    if (job->model)
        CHECK(measure_model(ctx, w, job->model->learner ? job->model->learner->entry.name : "model",
                            job->model, job));
    if (w->p->models) {
        char **paths;
        size_t n;
        CHECK(cairn_list_split(ctx, w->p->models, &paths, &n));
        for (size_t i = 0; i < n; i++) {
            OWNED(cairn_model_free) cairn_model *model = NULL;
            CHECK(cairn_model_load(ctx, &model, paths[i]));
            CHECK(measure_model(ctx, w, paths[i], model, job));
        }
    }
    for (; *at; at = *end ? end + 1 : end) {
        end = cairn_split_next(at, ';');
        CHECK(take_part(ctx, &chain, at, end));
        if (*chain) CHECK(fit_and_measure(ctx, w, chain, job));
    }
    if (w->n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "'%s' needs a MODEL before DATA, or {learners majority;tree}", job->what);
}

/* -- showing -- */

static double bits_of(const length *l)
{
    return l->model_bits + l->data.bits;
}

/* Of equally short ones the first. */
static size_t shortest(const lengths *w)
{
    size_t best = 0;
    for (size_t i = 1; i < w->n; i++)
        if (bits_of(&w->list[i]) < bits_of(&w->list[best])) best = i;
    return best;
}

static const char *const left_heads[] = {
    [CAIRN_SENT_CLASS] = "wrong", [CAIRN_SENT_NUMBER] = "Σ error²", [CAIRN_SENT_ROW] = "−Σ ln f"};

/* Where no model is shorter than the data alone, none pays for itself, and a note says so. */
static void show_lengths(cairn_report *out, const lengths *w)
{
    size_t best = shortest(w);
    double alone = w->list[best].data.alone;
    cairn_report_table_of(out, "Description lengths in bits", 0, "lrrrrrr", "model", "numbers",
                          "L(m)", left_heads[w->list[0].data.sent], "L(D|m)", "sum",
                          "of the data alone");
    for (size_t i = 0; i < w->n; i++) {
        const length *l = &w->list[i];
        cairn_report_prefix(out, "model%zu", i + 1);
        cairn_report_cells(out, "@.name @.numbers @.model_bits @.wrong @.data_bits @.bits", l->name,
                           l->numbers, l->model_bits, l->data.wrong, l->data.bits, bits_of(l));
        if (i == best) cairn_report_row_mark(out);
        cairn_report_cell_number(out, l->data.alone > 0 ? bits_of(l) / l->data.alone : NAN, 0,
                                 "model%zu.share", i + 1);
    }
    cairn_report_value(out, "the data alone, in bits", alone, "alone");
    cairn_report_word(out, "shortest", w->list[best].name, "shortest");
    if (bits_of(&w->list[best]) >= alone)
        cairn_report_note(out, "No model pays for itself: the data alone are shorter.");
}

static void show_code(cairn_report *out, const lengths *w)
{
    const data_length *d = &w->list[0].data;
    bool given = w->p->number_bits >= 0;
    cairn_report_worked(out, "bits of a learned number",
                        given ? "given: #" : "½ log2 n = ½ log2 # = #",
                        given ? d->number_bits : d->rows, d->number_bits);
    if (d->sent == CAIRN_SENT_ROW)
        cairn_report_formula(out, "L(D|m) = Σ −log2 f(row) + Σ −log2(precision of a number)");
    else if (d->sent == CAIRN_SENT_NUMBER) {
        cairn_report_formula(out, "L(D|m) = n/2 · log2(2πe · Σ error² / n / precision²)");
        cairn_report_worked(out, "precision", "#", d->precision);
    } else if (w->code.by_probability)
        cairn_report_formula(out, "L(D|m) = Σ −log2 P(class of the row)");
    else
        cairn_report_formula(out, "L(D|m) = log2(n + 1) + log2 C(n, wrong) + wrong · log2(c − 1)");
}

static void show_work(cairn_report *out, const lengths *w, const length *l)
{
    double bits = l->data.number_bits;
    cairn_report_step_begin(out, "%s", l->name);
    if (l->cuts > 0)
        cairn_report_worked(out, "L(m)", "(# + # cut points)·# = #", l->numbers - l->cuts, l->cuts,
                            bits, l->model_bits);
    else
        cairn_report_worked(out, "L(m)", "#·# = #", l->numbers, bits, l->model_bits);
    if (l->data.sent == CAIRN_SENT_ROW)
        cairn_report_worked(out, "L(D|m)", "# / ln 2 + # = #", l->data.wrong, l->data.cell_bits,
                            l->data.bits);
    else if (l->data.sent == CAIRN_SENT_NUMBER)
        cairn_report_worked(out, "L(D|m)", "#/2·log2(2πe·#/#/#²) = #", l->data.rows, l->data.wrong,
                            l->data.rows, l->data.precision, l->data.bits);
    else if (w->code.by_probability)
        cairn_report_worked(out, "L(D|m)", "#", l->data.bits);
    else
        cairn_report_worked(out, "L(D|m)", "log2(# + 1) + log2 C(#, #) + #·log2(# − 1) = #",
                            l->data.rows, l->data.rows, l->data.wrong, l->data.wrong,
                            l->data.classes, l->data.bits);
    cairn_report_worked(out, "L(m) + L(D|m)", "# + # = #", l->model_bits, l->data.bits, bits_of(l));
    cairn_report_step_end(out);
}

/* Bits of the model and, on top of them, of what it leaves to say. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const lengths *w)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const char **names;
    double *model, *data;
    CHECK(SCRATCH_EACH(ctx, w->n, &names, &model, &data));
    for (size_t i = 0; i < w->n; i++) {
        names[i] = w->list[i].name;
        model[i] = w->list[i].model_bits;
        data[i] = w->list[i].data.bits;
    }
    CHECK(cairn_figure_new(ctx, &figure, "description-length", "Description lengths"));
    cairn_figure_axes(figure, NULL, "bits");
    cairn_figure_stacked(figure);
    cairn_figure_bars(figure, "L(m): the model", names, model, w->n);
    cairn_figure_bars(figure, "L(D|m): what it leaves to say", names, data, w->n);
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status measure(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    const length_params *p = job->params;
    *w = (lengths){.p = p, .code = {p->code == CODE_PROBABILITIES, p->number_bits, p->precision}};
    return measure_all(ctx, w, job);
}

static cairn_status length_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_figure *figure = NULL;
    lengths w;
    CHECK(measure(ctx, &w, job));
    cairn_report_heading(out, 1, "Description lengths");
    cairn_report_formula(out, "L(m) + L(D|m)");
    show_code(out, &w);
    for (size_t i = 0; job->steps && i < w.n; i++) show_work(out, &w, &w.list[i]);
    show_lengths(out, &w);
    CHECK(make_figure(ctx, &figure, &w));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status length_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    lengths w;
    CHECK(measure(ctx, &w, job));
    return make_figure(ctx, out, &w);
}

const cairn_calculator cairn_compute_description_length = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "description-length",
              .also = "MDL, minimum description length, two-part code, compression, parsimony, "
                      "Occam's razor, model selection",
              .title = "Minimum description length",
              .summary =
                  "The bits that a model takes and the bits that it leaves to say about the rows, "
                  "for saved models or for learners that are fitted to the data, beside the bits "
                  "of the data alone: the model with the least sum compresses most. A learned "
                  "number or cut point takes half the binary logarithm of the rows; classes are "
                  "sent as exceptions (how many, which rows, which class) or by their "
                  "probabilities, numbers as errors by a normal code, and by a model that says "
                  "how probable a row is (log_density, log_likelihood) whole rows; then n is the "
                  "rows, or "
                  "the steps of rows that are sequences.",
              .references = "Rissanen: Modeling by shortest data description, 1978; Quinlan and "
                            "Rivest: Inferring decision trees using the minimum description length "
                            "principle, 1989",
              .example = "cairn compute description-length @iris --learners "
                         "'majority;tree:max-depth=2;tree' --steps",
              .params = length_table,
              .params_size = sizeof(length_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "description-length",
                .also = "MDL, two-part code",
                .title = "Bits of models and of what they leave to say",
                .summary = "A bar for each model: the bits that it takes, and on top of them the "
                           "bits that it leaves to say about the rows. The lowest bar is the "
                           "shortest description.",
                .example = "cairn draw description-length @iris --learners "
                           "'majority;tree:max-depth=1;tree' --out bits.svg",
                .params = length_table,
                .params_size = sizeof(length_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = length_run,
    .draw = length_draw,
};
