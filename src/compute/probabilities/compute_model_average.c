/* SPDX-License-Identifier: MIT */
/* cairn compute model-average: predictions of several models, each with the weight of its
 * probability,
 *
 *     P(y | x) = Σ P(y | x, m) · P(m | D),   P(m | D) ∝ P(m) · Π P(yᵢ | xᵢ, m)
 *
 * The probabilities of the models are given as they are, or as priors that the rows with a class
 * change. A model of L bits has the prior 2⁻ᴸ. */
#include "typed/class_scores.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "typed/shown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BY_LIKELIHOOD, BY_PRIOR };

typedef struct average_params {
    const char *prior, *lengths;
    int by;
    cairn_class_scores_option scores;
} average_params;

static const cairn_choice ways[] = {
    {"likelihood", BY_LIKELIHOOD, "the prior times the probability of the classes of the rows"},
    {"prior", BY_PRIOR, "the prior alone"},
    {0},
};

static const cairn_param average_table[] = {
    CAIRN_PARAM_CHOICE(average_params, by, "likelihood", ways, "where the weights come from",
                       .often = true),
    CAIRN_PARAM_AS(average_params, prior, CAIRN_TYPE_LIST, NULL,
                   "a probability for each model; all alike if not given", .often = true),
    CAIRN_PARAM_AS(average_params, lengths, CAIRN_TYPE_LIST, NULL,
                   "bits of each model, from which the prior is 2^-bits (compute "
                   "description-length)",
                   .when = "!prior"),
    CAIRN_PARAM_GROUP(average_params, scores, cairn_class_scores_group),
    CAIRN_PARAM_END,
};

typedef struct weighed {
    const char *name;
    cairn_class_scores s;
    double log_prior, log_likelihood, posterior, right;
} weighed;

typedef struct average {
    weighed *models;
    size_t n;
    double known;  /* weight of the rows with a class */
    double *mixed; /* rows x classes */
    double right;  /* of the average */
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

static cairn_status check_scores(cairn_context *ctx, const weighed *m, const weighed *first)
{
    bool same = m->s.n == first->s.n && m->s.k == first->s.k;
    for (size_t c = 0; same && c < m->s.k; c++)
        same = strcmp(m->s.names[c], first->s.names[c]) == 0;
    if (!same)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' and '%s' are not about the same rows and classes", first->name,
                          m->name);
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

/* Logarithms of weights become those of probabilities. */
static void normalise_priors(average *a)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < a->n; i++) most = fmax(most, a->models[i].log_prior);
    for (size_t i = 0; i < a->n; i++) sum += cairn_exp(a->models[i].log_prior - most);
    for (size_t i = 0; i < a->n; i++) a->models[i].log_prior -= most + cairn_log(sum);
}

/* Priors that are given sum to 1; 2 to the power of minus the bits is made to. */
static cairn_status read_priors(cairn_context *ctx, average *a, const average_params *p)
{
    const char *option = p->prior ? "prior" : "lengths", *text = p->prior ? p->prior : p->lengths;
    double *numbers, sum = 0;
    size_t n;
    if (!text) {
        normalise_priors(a);
        return CAIRN_OK;
    }
    CHECK(cairn_list_numbers(ctx, option, text, &numbers, &n));
    if (n != a->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has a number for each model: %zu, not %zu",
                          option, a->n, n);
    for (size_t i = 0; i < n; i++) {
        if (!(numbers[i] >= 0 && isfinite(numbers[i])))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: number %zu is not at least 0", option,
                              i + 1);
        sum += numbers[i];
        a->models[i].log_prior =
            p->prior ? cairn_log(numbers[i]) : -numbers[i] * 0.69314718055994530942;
    }
    if (p->prior && !(fabs(sum - 1) <= 1e-9)) {
        char total[CAIRN_NUMBER_SIZE];
        cairn_number_format(total, sum, 10);
        return cairn_fail(ctx, CAIRN_USAGE, "{prior}: the probabilities add up to %s, not to 1",
                          total);
    }
    if (!p->prior) normalise_priors(a);
    return CAIRN_OK;
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
    for (size_t i = 0; i < a->n; i++) {
        weighed *m = &a->models[i];
        CHECK(cairn_source_name(ctx, &m->name, job->tables.list[i]));
        CHECK(cairn_read_class_scores(ctx, &m->s, &p->scores, NULL, job->tables.list[i],
                                      "model-average"));
        CHECK(check_scores(ctx, m, &a->models[0]));
    }
    return read_priors(ctx, a, p);
}

/* -- computing -- */

/* Likelihood and right answers of a model on the rows whose class is known. */
static void judge_model(weighed *m)
{
    for (size_t i = 0; i < m->s.n; i++) {
        const double *row = m->s.scores + i * m->s.k;
        if (m->s.classes[i] < 0) continue;
        m->log_likelihood += weight_of(&m->s, i) * cairn_log(row[m->s.classes[i]]);
        m->right += weight_of(&m->s, i) * (largest(row, m->s.k) == (size_t)m->s.classes[i]);
    }
}

/* In logarithms, from which the largest is taken: products of many probabilities are too small for
 * a double. */
static cairn_status find_posteriors(cairn_context *ctx, average *a, bool likelihood)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < a->n; i++) {
        weighed *m = &a->models[i];
        m->posterior = m->log_prior + (likelihood ? m->log_likelihood : 0);
        if (m->posterior > most) most = m->posterior, a->map = i;
    }
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
        size_t said = largest(row, s->k);
        if (said != largest(a->models[a->map].s.scores + i * s->k, s->k)) a->otherwise++;
        if (s->classes[i] < 0) continue;
        a->known += weight_of(s, i);
        a->right += weight_of(s, i) * (said == (size_t)s->classes[i]);
    }
    return CAIRN_OK;
}

/* -- showing -- */

static void show_models(cairn_report *out, const average *a)
{
    cairn_report_table_of(out, "Models", 0, "lrrrr", "model", "ln P(m)", "ln P(D|m)", "P(m|D)",
                          "accuracy");
    for (size_t i = 0; i < a->n; i++) {
        const weighed *m = &a->models[i];
        cairn_report_cell_word(out, m->name, "model%zu.name", i + 1);
        cairn_report_cell_number(out, m->log_prior, 0, "model%zu.log_prior", i + 1);
        cairn_report_cell_number(out, m->log_likelihood, 0, "model%zu.log_likelihood", i + 1);
        if (i == a->map) cairn_report_row_mark(out);
        cairn_report_cell_number(out, m->posterior, 0, "model%zu.posterior", i + 1);
        cairn_report_cell_number(out, m->right / a->known, 0, "model%zu.accuracy", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "accuracy of the average", a->right / a->known, "accuracy");
    cairn_report_word(out, "most probable model", a->models[a->map].name, "map");
    cairn_report_value(out, "rows of which it says otherwise", (double)a->otherwise, "otherwise");
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
        cairn_report_worked_sum(out, s->names[c], "#·#", terms, 2, a->n, a->mixed[c]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* A column p(CLASS) for each class, as predictions have. */
static cairn_status make_table(cairn_context *ctx, const average *a, cairn_table **result)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const cairn_class_scores *s = &a->models[0].s;
    double *column;
    CHECK(cairn_table_new(ctx, &made, s->n));
    CHECK(SCRATCH(ctx, &column, s->n));
    for (size_t c = 0; c < s->k; c++) {
        char *name;
        size_t size = strlen(s->names[c]) + 4;
        CHECK(SCRATCH(ctx, &name, size));
        snprintf(name, size, "p(%s)", s->names[c]);
        for (size_t i = 0; i < s->n; i++) column[i] = a->mixed[i * s->k + c];
        CHECK(cairn_table_add_numbers(ctx, made, name, column));
    }
    *result = TAKE(made);
    return CAIRN_OK;
}

static cairn_status average_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const average_params *p = job->params;
    average a = {0};
    CHECK(read_models(ctx, &a, job));
    for (size_t i = 0; i < a.n; i++) judge_model(&a.models[i]);
    CHECK(find_posteriors(ctx, &a, p->by == BY_LIKELIHOOD));
    CHECK(mix(ctx, &a));
    cairn_report_heading(out, 1, "Average of models");
    cairn_report_formula(out, "P(y | x) = Σ P(y | x, m) · P(m | D)");
    cairn_report_formula(out, p->by == BY_LIKELIHOOD ? "P(m | D) ∝ P(m) · Π P(yᵢ | xᵢ, m)"
                                                     : "P(m | D) = P(m), as given");
    show_models(out, &a);
    if (job->steps) CHECK(show_work(ctx, out, &a));
    return job->result ? make_table(ctx, &a, job->result) : CAIRN_OK;
}

const cairn_calculator cairn_compute_model_average = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "model-average",
              .also = "Bayesian model averaging, BMA, averaged predictions, Bayes-optimal "
                      "classifier, posterior of models",
              .title = "Predictions averaged over models",
              .summary =
                  "Averages the class probabilities of several saved models (or files of "
                  "predictions), each with the weight of its probability: given, or from a prior "
                  "and the likelihood of rows whose class is known, where a prior may come from "
                  "description lengths. It says how often the most probable model alone answers "
                  "otherwise; --out FILE writes the averaged probabilities. Take rows that the "
                  "models were not fitted to.",
              .references = "Hoeting and others: Bayesian model averaging: a tutorial, Statistical "
                            "Science 14, 1999",
              .example = "cairn fit bayes @iris --save bayes.cairn && cairn fit logistic @iris "
                         "--save logistic.cairn && cairn compute model-average bayes.cairn "
                         "logistic.cairn @iris",
              .params = average_table,
              .params_size = sizeof(average_params)},
    .arguments = "MODEL ... [DATA]",
    .takes_data = true,
    .several = true,
    .answers = CAIRN_ANSWERS_CLASSES,
    .run = average_run,
};
