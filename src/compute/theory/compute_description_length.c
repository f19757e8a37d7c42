/* SPDX-License-Identifier: MIT */
/* cairn compute description-length: the bits of a model and of what it leaves to say about the
 * rows,
 *
 *     L(m) + L(D | m)
 *
 * The code is one that every model has. A model of k learned numbers (those of its run card)
 * takes ½ log2 n bits for each, the precision to which n rows tell it. Of classes the exceptions
 * are sent: how many, which rows, and their class,
 *
 *     log2(n + 1) + log2 C(n, e) + e log2(c − 1)
 *
 * or every class by its probability, Σ −log2 P. Numbers are sent as their errors, by a normal
 * code, to a stated precision. The data alone are the counts of the classes and their order, or
 * the errors about the mean. Weights count as repeated rows. */
#include "typed/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "entry/split.h"
#include "model/judged_rows.h"
#include "stats/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_EXCEPTIONS, CODE_PROBABILITIES, MOST_MODELS = 50 };

typedef struct length_params {
    const char *learners;
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
                "learners that are fitted to DATA and compared, separated by ; such as "
                "majority;tree:max-depth=2;tree",
                .often = true),
    CAIRN_PARAM_CHOICE(length_params, code, "exceptions", codes, "how classes are sent",
                       .often = true),
    CAIRN_PARAM(length_params, number_bits, CAIRN_NOT_GIVEN, "[0,1024]",
                "bits of a learned number; half the binary logarithm of the rows if not given"),
    CAIRN_PARAM(length_params, precision, CAIRN_NOT_GIVEN, "(0,inf)",
                "to which numbers of the target are sent; their least difference if not given"),
    CAIRN_PARAM_END,
};

typedef struct length {
    const char *name;
    double numbers, model_bits; /* learned numbers */
    double wrong;               /* exceptions, or the sum of squared errors */
    double data_bits;
} length;

typedef struct lengths {
    const length_params *p;
    length *list;
    size_t n;
    /* the data */
    double rows, classes; /* weight of the rows; classes = 0: a number target */
    double number_bits, precision, alone;
} lengths;

/* -- codes -- */

static double log2_factorial(double n)
{
    return cairn_lgamma(n + 1) * 1.44269504088896340736;
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

static double weight(const cairn_judged *j, size_t i)
{
    return cairn_judged_weight(j, i);
}

static bool has_truth(const cairn_judged *j, size_t i)
{
    return j->n_classes ? j->actual[i] >= 0 : !isnan(j->actual_number[i]);
}

/* The counts of the classes and one of the orders that they can have. */
static cairn_status classes_alone(cairn_context *ctx, double *out, const cairn_judged *j)
{
    double *counts, n = 0;
    CHECK(SCRATCH(ctx, &counts, j->n_classes));
    for (size_t i = 0; i < j->n; i++)
        if (has_truth(j, i)) counts[j->actual[i]] += weight(j, i), n += weight(j, i);
    *out = ((double)j->n_classes - 1) * cairn_log2(n + 1) + log2_factorial(n);
    for (size_t c = 0; c < j->n_classes; c++) *out -= log2_factorial(counts[c]);
    return CAIRN_OK;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least difference of two numbers that are not equal; 1 where all are. */
static cairn_status least_difference(cairn_context *ctx, double *out, const cairn_judged *j)
{
    double *sorted;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &sorted, j->n));
    for (size_t i = 0; i < j->n; i++)
        if (has_truth(j, i)) sorted[n++] = j->actual_number[i];
    qsort(sorted, n, sizeof *sorted, ascending);
    *out = INFINITY;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] > sorted[i - 1]) *out = fmin(*out, sorted[i] - sorted[i - 1]);
    if (isinf(*out)) *out = 1;
    return CAIRN_OK;
}

static double numbers_alone(const lengths *w, const cairn_judged *j)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < j->n; i++)
        if (has_truth(j, i)) sum += weight(j, i) * j->actual_number[i];
    for (size_t i = 0; i < j->n; i++) {
        double apart = j->actual_number[i] - sum / w->rows;
        if (has_truth(j, i)) squares += weight(j, i) * apart * apart;
    }
    return w->number_bits + error_bits(w->rows, squares, w->precision);
}

/* What is the same for all models: the rows, the bits of a number, the data alone. */
static cairn_status measure_data(cairn_context *ctx, lengths *w, const cairn_judged *j,
                                 const char *what)
{
    w->rows = 0;
    for (size_t i = 0; i < j->n; i++)
        if (has_truth(j, i)) w->rows += weight(j, i);
    if (!(w->rows > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s needs rows whose target is known, and there are none", what);
    w->classes = (double)j->n_classes;
    w->number_bits = w->p->number_bits >= 0 ? w->p->number_bits : cairn_log2(w->rows) / 2;
    w->precision = w->p->precision;
    if (j->n_classes) return classes_alone(ctx, &w->alone, j);
    if (!(w->precision > 0)) CHECK(least_difference(ctx, &w->precision, j));
    w->alone = numbers_alone(w, j);
    return CAIRN_OK;
}

/* -- a model -- */

static cairn_status send_by_probability(cairn_context *ctx, length *out, const cairn_judged *j)
{
    if (!cairn_judged_has_probabilities(j))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s gives no probabilities; {code exceptions} needs none", out->name);
    for (size_t i = 0; i < j->n; i++) {
        if (!has_truth(j, i)) continue;
        double p = j->scores[i * j->n_classes + (size_t)j->actual[i]];
        if (!(p > 0))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "row %zu has a class whose probability is 0 according to %s: it "
                              "has no code; smooth the probabilities, or take {code exceptions}",
                              i + 1, out->name);
        out->data_bits -= weight(j, i) * cairn_log2(p);
    }
    return CAIRN_OK;
}

static cairn_status send_numbers(cairn_context *ctx, length *out, const lengths *w,
                                 const cairn_judged *j)
{
    for (size_t i = 0; i < j->n; i++) {
        double error = j->actual_number[i] - j->predicted_number[i];
        if (!has_truth(j, i)) continue;
        if (!isfinite(error))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no number for row %zu", out->name,
                              i + 1);
        out->wrong += weight(j, i) * error * error;
    }
    out->data_bits = error_bits(w->rows, out->wrong, w->precision);
    return CAIRN_OK;
}

static cairn_status send_rows(cairn_context *ctx, length *out, const lengths *w,
                              const cairn_judged *j)
{
    if (!j->n_classes) return send_numbers(ctx, out, w, j);
    for (size_t i = 0; i < j->n; i++)
        if (has_truth(j, i) && !cairn_judged_right(j, i)) out->wrong += weight(j, i);
    if (w->p->code == CODE_PROBABILITIES) return send_by_probability(ctx, out, j);
    out->data_bits = exception_bits(w->rows, out->wrong, w->classes);
    return CAIRN_OK;
}

static cairn_status measure_model(cairn_context *ctx, lengths *w, const char *name,
                                  const cairn_model *model, const cairn_compute_job *job)
{
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_judged judged;
    length *out = &w->list[w->n];
    *out = (length){.name = name};
    if (!model->learner || !model->learner->size ||
        (model->task != CAIRN_CLASSIFY && model->task != CAIRN_REGRESS))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has no description length: it predicts neither classes nor numbers, "
                          "or does not count what it learned",
                          name);
    CHECK(cairn_judged_model(ctx, &judged, &prediction, model, job->table,
                             cairn_all_rows(job->table), w->p->code == CODE_PROBABILITIES));
    CHECK(measure_data(ctx, w, &judged, job->what));
    out->numbers = model->learner->size(model->state).parameters;
    out->model_bits = out->numbers * w->number_bits;
    CHECK(send_rows(ctx, out, w, &judged));
    w->n++;
    return CAIRN_OK;
}

static cairn_status fit_and_measure(cairn_context *ctx, lengths *w, const char *spec,
                                    const cairn_compute_job *job)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    CHECK(cairn_params_check(ctx, params));
    CHECK(cairn_model_fit(ctx, &model, params, job->table, &options));
    return measure_model(ctx, w, spec, model, job);
}

/* The model that was named, then the learners. */
static cairn_status measure_all(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    const char *at = w->p->learners ? w->p->learners : "";
    if (!job->model && !*at)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a MODEL before DATA, or {learners majority;tree}", job->what);
    CHECK(SCRATCH(ctx, &w->list, MOST_MODELS + 1));
    if (job->model)
        CHECK(measure_model(ctx, w, job->model->learner ? job->model->learner->entry.name : "model",
                            job->model, job));
    while (*at) {
        const char *end = cairn_split_next(at, ';');
        char *spec;
        if (w->n >= MOST_MODELS)
            return cairn_fail(ctx, CAIRN_USAGE, "{learners}: at most %d are compared", MOST_MODELS);
        CHECK(SCRATCH(ctx, &spec, (size_t)(end - at) + 1));
        memcpy(spec, at, (size_t)(end - at));
        if (*spec) CHECK(fit_and_measure(ctx, w, spec, job));
        at = *end ? end + 1 : end;
    }
    return CAIRN_OK;
}

/* -- showing -- */

static double bits_of(const length *l)
{
    return l->model_bits + l->data_bits;
}

/* Of equally short ones the first. */
static size_t shortest(const lengths *w)
{
    size_t best = 0;
    for (size_t i = 1; i < w->n; i++)
        if (bits_of(&w->list[i]) < bits_of(&w->list[best])) best = i;
    return best;
}

static void show_lengths(cairn_report *out, const lengths *w)
{
    size_t best = shortest(w);
    cairn_report_table_of(out, "Description lengths in bits", 0, "lrrrrrr", "model", "numbers",
                          "L(m)", w->classes > 0 ? "wrong" : "Σ error²", "L(D|m)", "sum",
                          "of the data alone");
    for (size_t i = 0; i < w->n; i++) {
        const length *l = &w->list[i];
        cairn_report_cell_word(out, l->name, "model%zu.name", i + 1);
        cairn_report_cell_number(out, l->numbers, 0, "model%zu.numbers", i + 1);
        cairn_report_cell_number(out, l->model_bits, 0, "model%zu.model_bits", i + 1);
        cairn_report_cell_number(out, l->wrong, 0, "model%zu.wrong", i + 1);
        cairn_report_cell_number(out, l->data_bits, 0, "model%zu.data_bits", i + 1);
        cairn_report_cell_number(out, bits_of(l), 0, "model%zu.bits", i + 1);
        if (i == best) cairn_report_row_mark(out);
        cairn_report_cell_number(out, w->alone > 0 ? bits_of(l) / w->alone : NAN, 0,
                                 "model%zu.share", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "the data alone, in bits", w->alone, "alone");
    cairn_report_word(out, "shortest", w->list[best].name, "shortest");
    if (bits_of(&w->list[best]) >= w->alone)
        cairn_report_note(out, "No model pays for itself: the data alone are shorter.");
}

static void show_code(cairn_report *out, const lengths *w)
{
    cairn_report_worked(out, "bits of a learned number",
                        w->p->number_bits >= 0 ? "given: #" : "½ log2 n = ½ log2 # = #",
                        w->p->number_bits >= 0 ? w->number_bits : w->rows, w->number_bits);
    if (!(w->classes > 0)) {
        cairn_report_formula(out, "L(D|m) = n/2 · log2(2πe · Σ error² / n / precision²)");
        cairn_report_worked(out, "precision", "#", w->precision);
    } else if (w->p->code == CODE_PROBABILITIES)
        cairn_report_formula(out, "L(D|m) = Σ −log2 P(class of the row)");
    else
        cairn_report_formula(out, "L(D|m) = log2(n + 1) + log2 C(n, wrong) + wrong · log2(c − 1)");
}

static void show_work(cairn_report *out, const lengths *w, const length *l)
{
    cairn_report_step_begin(out, "%s", l->name);
    cairn_report_worked(out, "L(m)", "#·# = #", l->numbers, w->number_bits, l->model_bits);
    if (!(w->classes > 0))
        cairn_report_worked(out, "L(D|m)", "#/2·log2(2πe·#/#/#²) = #", w->rows, l->wrong, w->rows,
                            w->precision, l->data_bits);
    else if (w->p->code == CODE_PROBABILITIES)
        cairn_report_worked(out, "L(D|m)", "#", l->data_bits);
    else
        cairn_report_worked(out, "L(D|m)", "log2(# + 1) + log2 C(#, #) + #·log2(# − 1) = #",
                            w->rows, w->rows, l->wrong, l->wrong, w->classes, l->data_bits);
    cairn_report_worked(out, "L(m) + L(D|m)", "# + # = #", l->model_bits, l->data_bits, bits_of(l));
    cairn_report_step_end(out);
}

static cairn_status length_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    lengths w = {.p = job->params};
    CHECK(measure_all(ctx, &w, job));
    cairn_report_heading(out, 1, "Description lengths");
    cairn_report_formula(out, "L(m) + L(D|m)");
    show_code(out, &w);
    for (size_t i = 0; job->steps && i < w.n; i++) show_work(out, &w, &w.list[i]);
    show_lengths(out, &w);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_description_length = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "description-length",
              .also = "MDL, minimum description length, two-part code, compression, parsimony, "
                      "Occam's razor, model selection",
              .title = "Minimum description length",
              .summary =
                  "The bits that a model takes and the bits that it leaves to say about the rows, "
                  "for a saved model or for learners that are fitted to the data, beside the bits "
                  "of the data alone: the model with the least sum compresses most. A learned "
                  "number takes half the binary logarithm of the rows; classes are sent as "
                  "exceptions (how many, which rows, which class) or by their probabilities, "
                  "numbers as errors by a normal code.",
              .references = "Rissanen: Modeling by shortest data description, 1978; Quinlan and "
                            "Rivest: Inferring decision trees using the minimum description length "
                            "principle, 1989",
              .example = "cairn compute description-length @iris --learners "
                         "'majority;tree:max-depth=2;tree' --steps",
              .params = length_table,
              .params_size = sizeof(length_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .takes_model = true,
    .run = length_run,
};
