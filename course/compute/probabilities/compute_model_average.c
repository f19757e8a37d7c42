/* SPDX-License-Identifier: MIT */
/* cairn compute model-average: predictions of several models, each with the weight of its
 * probability,
 *
 *     P(y | x) = Σ P(y | x, m) · P(m | D),   P(m | D) ∝ P(m) · Π P(yᵢ | xᵢ, m)
 *
 * The probabilities of the models are given as they are, or as priors that the rows with a class
 * change. A model of L bits has the prior 2⁻ᴸ. Predicted numbers are averaged alike; their
 * likelihood is that of normal errors, whose variance is the mean of their squares,
 *
 *     ln P(D | m) = −n/2 (ln(2π mse) + 1) */
#include "typed/class_scores.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"
#include "entry/probabilities.h"
#include "typed/shown.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BY_LIKELIHOOD, BY_PRIOR };

typedef struct average_params {
    cairn_list prior, lengths;
    int by;
    cairn_class_scores_option scores;
} average_params;

static const cairn_choice ways[] = {
    {"likelihood", BY_LIKELIHOOD, "the prior times the probability of what the rows hold"},
    {"prior", BY_PRIOR, "the prior alone"},
    {0},
};

static const cairn_param average_table[] = {
    CAIRN_PARAM_CHOICE(average_params, by, "likelihood", ways, "where the weights come from",
                       .often = true),
    CAIRN_PARAM_CELLS(average_params, prior, PROBABILITIES, NULL, NULL,
                      "a probability for each model; all alike if not given", .often = true),
    CAIRN_PARAM_CELLS(average_params, lengths, NUMBERS, NULL, "[0,inf)",
                      "bits of each model, from which the prior is 2^-bits (compute "
                      "description-length)",
                      .when = "!prior"),
    CAIRN_PARAM_GROUP(average_params, scores, cairn_class_scores_group),
    CAIRN_PARAM_END,
};

typedef struct weighed {
    const char *name;
    cairn_class_scores s; /* of numbers: k = 1 and no classes */
    double log_prior, log_likelihood, posterior;
    double good; /* share of the rows classified correctly, or mean squared error */
} weighed;

typedef struct average {
    weighed *models;
    size_t n;
    const double *truth; /* of numbers; NULL = classes */
    double known;        /* weight of the rows whose class or number is known */
    double *mixed;       /* rows x classes */
    double good;         /* of the average */
    size_t otherwise, map;
} average;

static double weight_of(const cairn_class_scores *s, size_t i)
{
    return s->weights ? s->weights[i] : 1;
}

/* The first of the largest. */
static size_t largest(const double *scores, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (scores[c] > scores[best]) best = c;
    return best;
}

/* -- reading -- */

static cairn_status check_probabilities(cairn_context *ctx, const weighed *m)
{
    for (size_t i = 0; i < m->s.n; i++) {
        double sum = 0;
        for (size_t c = 0; c < m->s.k; c++) {
            double p = m->s.scores[i * m->s.k + c];
            sum += p >= 0 ? p : NAN;
        }
        if (!(fabs(sum - 1) <= 1e-6))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' gives no probabilities in row %zu: they are not negative and "
                              "sum to 1; make them by the learner 'calibrated'",
                              m->name, i + 1);
    }
    return CAIRN_OK;
}

/* Priors that are given sum to 1; 2 to the power of minus the bits is made to. */
static cairn_status read_priors(cairn_context *ctx, average *a, const average_params *p)
{
    bool prior = p->prior.text;
    const cairn_list *typed = prior ? &p->prior : &p->lengths;
    if (typed->text && typed->n != a->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has a number for each model: %zu, not %zu",
                          prior ? "prior" : "lengths", a->n, typed->n);
    for (size_t i = 0; i < typed->n; i++)
        a->models[i].log_prior =
            prior ? cairn_log(typed->values[i]) : -typed->values[i] * 0.69314718055994530942;
    if (!prior) {
        /* Logarithms of weights become those of probabilities. */
        double most = -INFINITY, sum = 0;
        for (size_t i = 0; i < a->n; i++) most = fmax(most, a->models[i].log_prior);
        for (size_t i = 0; i < a->n; i++) sum += cairn_exp(a->models[i].log_prior - most);
        for (size_t i = 0; i < a->n; i++) a->models[i].log_prior -= most + cairn_log(sum);
    }
    return CAIRN_OK;
}

/* The column 'predicted' of a table whose target is a number; NULL = it is of classes. */
static const double *predicted_numbers(const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    ptrdiff_t at = cairn_table_find(table, "predicted");
    if (target < 0 || at < 0 || !cairn_table_numbers(table, (size_t)target)) return NULL;
    return cairn_table_numbers(table, (size_t)at);
}

/* Numbers in the form of scores, one for each row. */
static cairn_status read_numbers(cairn_context *ctx, weighed *m, const cairn_table *table)
{
    const double *numbers = predicted_numbers(table);
    cairn_view view;
    if (!numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' predicts no numbers, as the first one does",
                          m->name);
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    m->s = (cairn_class_scores){.n = table->n_rows, .k = 1, .weights = view.row_weights};
    CHECK(SCRATCH(ctx, &m->s.scores, m->s.n));
    for (size_t i = 0; i < m->s.n; i++) {
        if (!isfinite(numbers[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' has no number for row %zu", m->name,
                              i + 1);
        m->s.scores[i] = numbers[i];
    }
    return CAIRN_OK;
}

static cairn_status read_model(cairn_context *ctx, weighed *m, const average *a,
                               const average_params *p, const cairn_table *table)
{
    CHECK(cairn_source_name(ctx, &m->name, table));
    if (a->truth)
        CHECK(read_numbers(ctx, m, table));
    else
        CHECK(cairn_read_class_scores(ctx, &m->s, &p->scores, NULL, table, "model-average"));
    const weighed *first = &a->models[0];
    bool same = m->s.n == first->s.n && m->s.k == first->s.k;
    for (size_t c = 0; same && m->s.names && c < m->s.k; c++)
        same = strcmp(m->s.names[c], first->s.names[c]) == 0;
    if (!same)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' and '%s' are not about the same rows and classes", first->name,
                          m->name);
    return a->truth ? CAIRN_OK : check_probabilities(ctx, m);
}

static cairn_status read_models(cairn_context *ctx, average *a, const cairn_compute_job *job)
{
    const average_params *p = job->params;
    a->n = job->tables.n;
    if (a->n < 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs several models and DATA, or several files of predictions",
                          job->what);
    CHECK(SCRATCH(ctx, &a->models, a->n));
    const cairn_table *first = job->tables.list[0];
    if (predicted_numbers(first))
        a->truth = cairn_table_numbers(first, (size_t)cairn_table_role_column(first, CAIRN_TARGET));
    for (size_t i = 0; i < a->n; i++)
        CHECK(read_model(ctx, &a->models[i], a, p, job->tables.list[i]));
    return read_priors(ctx, a, p);
}

/* -- computing -- */

static bool is_known(const average *a, size_t i)
{
    return a->truth ? isfinite(a->truth[i]) : a->models[0].s.classes[i] >= 0;
}

/* Accuracy of rows of class scores, or mean squared error of numbers, over what is known. */
static double judge(const average *a, const double *answers)
{
    const cairn_class_scores *s = &a->models[0].s;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double *row = answers + i * s->k;
        if (!is_known(a, i)) continue;
        if (a->truth)
            sum += weight_of(s, i) * (row[0] - a->truth[i]) * (row[0] - a->truth[i]);
        else
            sum += weight_of(s, i) * (largest(row, s->k) == (size_t)s->classes[i]);
    }
    return sum / a->known;
}

static double log_likelihood(const average *a, const weighed *m)
{
    double sum = 0;
    if (!(a->known > 0)) return 0;
    if (a->truth) return -a->known / 2 * (cairn_log(6.28318530717958647692 * m->good) + 1);
    for (size_t i = 0; i < m->s.n; i++)
        if (is_known(a, i))
            sum +=
                weight_of(&m->s, i) * cairn_log(m->s.scores[i * m->s.k + (size_t)m->s.classes[i]]);
    return sum;
}

static void judge_models(average *a)
{
    const cairn_class_scores *s = &a->models[0].s;
    for (size_t i = 0; i < s->n; i++)
        if (is_known(a, i)) a->known += weight_of(s, i);
    for (size_t i = 0; i < a->n; i++) {
        weighed *m = &a->models[i];
        m->good = judge(a, m->s.scores);
        m->log_likelihood = log_likelihood(a, m);
    }
}

/* In logarithms, from which the largest is taken: products of many probabilities are too small for
 * a double. */
static cairn_status find_posteriors(cairn_context *ctx, average *a, bool likelihood)
{
    double most = -INFINITY, sum = 0;
    if (likelihood && !(a->known > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no row tells its target, so the models have no likelihood; take {by "
                          "prior} with the {prior} that rows with a target gave");
    for (size_t i = 0; i < a->n; i++) {
        weighed *m = &a->models[i];
        m->posterior = m->log_prior + (likelihood ? m->log_likelihood : 0);
        if (m->posterior > most) most = m->posterior, a->map = i;
    }
    if (most > 0 && isinf(most))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "'%s' makes no error at all, so that its likelihood has no bound; take "
                          "{by prior}",
                          a->models[a->map].name);
    if (isinf(most))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "every model says of some row that its class is impossible, so none has "
                          "a probability above 0; smooth them, or take {by prior}");
    for (size_t i = 0; i < a->n; i++)
        sum += a->models[i].posterior = cairn_exp(a->models[i].posterior - most);
    for (size_t i = 0; i < a->n; i++) a->models[i].posterior /= sum;
    return CAIRN_OK;
}

static cairn_status mix(cairn_context *ctx, average *a)
{
    const cairn_class_scores *s = &a->models[0].s;
    CHECK(SCRATCH(ctx, &a->mixed, s->n * s->k));
    for (size_t i = 0; i < s->n; i++) {
        double *row = a->mixed + i * s->k;
        for (size_t m = 0; m < a->n; m++)
            for (size_t c = 0; c < s->k; c++)
                row[c] += a->models[m].posterior * a->models[m].s.scores[i * s->k + c];
        const double *map = a->models[a->map].s.scores + i * s->k;
        a->otherwise += largest(row, s->k) != largest(map, s->k);
    }
    a->good = judge(a, a->mixed);
    return CAIRN_OK;
}

/* -- showing -- */

/* Without a known target there is nothing to judge by. */
static void show_models(cairn_report *out, const average *a)
{
    bool judged = a->known > 0;
    cairn_report_table_begin(out, "Models", 0);
    cairn_report_columns(out, "lr", "model", "ln P(m)");
    if (judged) cairn_report_column(out, "ln P(D|m)", 'r');
    cairn_report_column(out, "P(m|D)", 'r');
    if (judged) cairn_report_column(out, a->truth ? "mse" : "accuracy", 'r');
    for (size_t i = 0; i < a->n; i++) {
        const weighed *m = &a->models[i];
        cairn_report_prefix(out, "model%zu", i + 1);
        cairn_report_cells(out, "@.name @.log_prior @.log_likelihood", m->name, m->log_prior,
                           cairn_cell_if(judged, m->log_likelihood));
        if (i == a->map) cairn_report_row_mark(out);
        cairn_report_cell_number(out, m->posterior, 0, "model%zu.posterior", i + 1);
        if (judged)
            cairn_report_cell_number(out, m->good, 0,
                                     a->truth ? "model%zu.mse" : "model%zu.accuracy", i + 1);
    }
    if (judged && a->truth)
        cairn_report_value(out, "mean squared error of the average", a->good, "mse");
    else if (judged)
        cairn_report_value(out, "accuracy of the average", a->good, "accuracy");
    cairn_report_word(out, "most probable model", a->models[a->map].name, "map");
    if (!a->truth)
        cairn_report_value(out, "rows of which it says otherwise", (double)a->otherwise,
                           "otherwise");
}

/* The first row: what every model says, times the probability of the model. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const average *a)
{
    const cairn_class_scores *s = &a->models[0].s;
    double *terms;
    if (!s->n) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &terms, 2 * a->n));
    cairn_report_step_begin(out, "Row 1");
    for (size_t c = 0; c < s->k; c++) {
        for (size_t m = 0; m < a->n; m++) {
            terms[2 * m] = a->models[m].s.scores[c];
            terms[2 * m + 1] = a->models[m].posterior;
        }
        cairn_report_worked_sum(out, a->truth ? "y" : s->names[c], "#·#", terms, 2, a->n,
                                a->mixed[c]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The most probable class, and a column p(CLASS) for each, as predictions have. */
static cairn_status add_classes(cairn_context *ctx, cairn_table *made, const average *a)
{
    const cairn_class_scores *s = &a->models[0].s;
    double *column;
    int32_t *codes;
    CHECK(SCRATCH_EACH(ctx, s->n, &column, &codes));
    for (size_t i = 0; i < s->n; i++) codes[i] = (int32_t)largest(a->mixed + i * s->k, s->k);
    CHECK(cairn_table_add_levels(ctx, made, "predicted", codes, s->names, s->k));
    for (size_t c = 0; c < s->k; c++) {
        char *name;
        size_t size = strlen(s->names[c]) + 4;
        CHECK(SCRATCH(ctx, &name, size));
        snprintf(name, size, "p(%s)", s->names[c]);
        for (size_t i = 0; i < s->n; i++) column[i] = a->mixed[i * s->k + c];
        CHECK(cairn_table_put_numbers(ctx, made, name, column));
    }
    return CAIRN_OK;
}

/* The averaged answers behind the columns that name the rows. */
static cairn_status make_table(cairn_context *ctx, const average *a, const cairn_table *rows,
                               cairn_table **result)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, a->models[0].s.n));
    for (size_t j = 0; j < rows->n_columns; j++)
        if (rows->slots[j].role == CAIRN_ID)
            CHECK(cairn_table_add_column(ctx, made, rows->slots[j].name, CAIRN_ID,
                                         cairn_column_hold(rows->slots[j].column)));
    if (a->truth)
        CHECK(cairn_table_put_numbers(ctx, made, "predicted", a->mixed));
    else
        CHECK(add_classes(ctx, made, a));
    *result = TAKE(made);
    return CAIRN_OK;
}

static cairn_status average_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const average_params *p = job->params;
    average a = {0};
    CHECK(read_models(ctx, &a, job));
    judge_models(&a);
    CHECK(find_posteriors(ctx, &a, p->by == BY_LIKELIHOOD));
    CHECK(mix(ctx, &a));
    cairn_report_heading(out, 1, "Average of models");
    cairn_report_formula(out, a.truth ? "y(x) = Σ y(x, m) · P(m | D)"
                                      : "P(y | x) = Σ P(y | x, m) · P(m | D)");
    cairn_report_formula(out, p->by == BY_LIKELIHOOD ? "P(m | D) ∝ P(m) · Π P(yᵢ | xᵢ, m)"
                                                     : "P(m | D) = P(m), as given");
    if (a.truth && a.known > 0)
        cairn_report_formula(out, "ln P(D | m) = −n/2 · (ln(2π · mse) + 1)");
    show_models(out, &a);
    if (job->steps) CHECK(show_work(ctx, out, &a));
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(make_table(ctx, &a, job->tables.list[0], &made));
    cairn_show_first_rows(out, made);
    if (job->result) *job->result = TAKE(made);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_model_average = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "model-average",
              .also = "Bayesian model averaging, BMA, averaged predictions, Bayes-optimal "
                      "classifier, posterior of models",
              .title = "Predictions averaged over models",
              .summary =
                  "Averages the class probabilities or the numbers of several saved models (or "
                  "files of predictions), each with the weight of its probability: given, or from "
                  "a prior and the likelihood of rows whose target is known, where a prior may "
                  "come from description lengths. It says how often the most probable model alone "
                  "answers otherwise; --out FILE writes the averaged answers with the columns that "
                  "name the rows (--id). For weights from the rows take some that the models were "
                  "not fitted to; with --by prior no target need be known.",
              .references = "Hoeting and others: Bayesian model averaging: a tutorial, Statistical "
                            "Science 14, 1999",
              .example = "cairn fit bayes @iris --save bayes.cairn && cairn fit logistic @iris "
                         "--save logistic.cairn && cairn compute model-average bayes.cairn "
                         "logistic.cairn @iris",
              .params = average_table,
              .params_size = sizeof(average_params)},
    .arguments = "MODEL ... [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_WEIGHT | CAIRN_READS_ID,
    .several = true,
    .answers = CAIRN_ANSWERS_EITHER,
    .run = average_run,
};
