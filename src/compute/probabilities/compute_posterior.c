/* SPDX-License-Identifier: MIT */
/* cairn compute posterior: the whole table P(class | features) over all combinations of feature
 * values, typed as it is, as likelihoods with a prior, or as counts; the most likely class of each
 * combination, the decisions of maximum likelihood and maximum posterior, and what is left when a
 * feature is not observed.
 *
 * Combinations come in the order of counting: the last feature changes fastest. A feature that is
 * not observed is averaged out: P(class | rest) = Σ P(class | v, rest) P(v | rest). */
#include "typed/labels.h"

#include "base/memory.h"
#include "base/number.h"
#include "stats/multiclass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { GIVEN_POSTERIOR, GIVEN_LIKELIHOOD, GIVEN_COUNTS } given_choice;

typedef struct posterior_params {
    const char *table, *features, *values, *classes, *prior, *chances, *observed, *counts;
    int given;
} posterior_params;

static const cairn_choice givens[] = {
    {"posterior", GIVEN_POSTERIOR, "P(class | combination): every row adds up to 1"},
    {"likelihood", GIVEN_LIKELIHOOD, "P(combination | class): every column adds up to 1"},
    {"counts", GIVEN_COUNTS, "rows of data of each combination and class"},
    {0},
};

static const cairn_param posterior_table[] = {
    {.name = "table",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(posterior_params, table),
     .required = true,
     .help = "a row per combination of feature values, a number per class, such as "
             "0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6"},
    CAIRN_PARAM_CHOICE(posterior_params, given, "posterior", givens, "what the numbers are"),
    CAIRN_PARAM(posterior_params, features, NULL, NULL,
                "names of the features, the last changes fastest from row to row"),
    CAIRN_PARAM_AS(posterior_params, values, CAIRN_TYPE_LIST, NULL,
                   "how many values each feature has; 2 each if not given"),
    CAIRN_PARAM(posterior_params, classes, NULL, NULL, "names of the classes"),
    CAIRN_PARAM_AS(posterior_params, prior, CAIRN_TYPE_LIST, NULL,
                   "prior of each class; all alike if not given", .when = "given=likelihood"),
    CAIRN_PARAM_AS(posterior_params, chances, CAIRN_TYPE_LIST, NULL,
                   "chance of each combination, up to a factor, to average a missing feature; all "
                   "alike if not given",
                   .when = "given=posterior"),
    CAIRN_PARAM(posterior_params, counts, NULL, NULL,
                "rows of data of each combination and class, typed as the table: weights w of the "
                "classes are learned from them so that the largest w P(x | y) errs least",
                .when = "given=likelihood"),
    CAIRN_PARAM(posterior_params, observed, NULL, NULL,
                "a case: a value per feature, counted from 0, and ? where it is not observed, "
                "such as ?,1"),
    CAIRN_PARAM_END,
};

typedef struct posterior_work {
    size_t n, k, m;     /* combinations, classes, features */
    double *posterior;  /* n x k */
    double *likelihood; /* n x k; NULL = not known */
    double *chances;    /* n */
    double *prior;      /* k; NULL = not known */
    double *counts;     /* n x k: rows of data; NULL = not known */
    double *weights;    /* k: learned from the counts; NULL = not */
    double *values;     /* m: how many each feature has */
    const char **features, **classes;
} posterior_work;

/* -- input -- */

/* How many values each feature has; their product is the number of rows. */
static cairn_status read_values(cairn_context *ctx, posterior_work *w, const posterior_params *p)
{
    double rows = 1;
    if (p->values)
        CHECK(cairn_list_numbers(ctx, "values", p->values, &w->values, &w->m));
    else
        for (w->m = 0; rows < (double)w->n; w->m++) rows *= 2;
    if (!p->values) CHECK(SCRATCH(ctx, &w->values, w->m + 1));
    rows = 1;
    for (size_t j = 0; j < w->m; j++) {
        if (!p->values) w->values[j] = 2;
        if (!(w->values[j] >= 1) || w->values[j] != floor(w->values[j]))
            return cairn_fail(ctx, CAIRN_USAGE, "{values}: number %zu is no number of values",
                              j + 1);
        rows *= w->values[j];
    }
    if (rows != (double)w->n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table} has %zu rows, which are not all combinations of the features; "
                          "{values} says how many values each has",
                          w->n);
    return CAIRN_OK;
}

static cairn_status check_sums(cairn_context *ctx, const posterior_work *w, const double *cells,
                               bool rows)
{
    for (size_t i = 0; i < (rows ? w->n : w->k); i++) {
        double sum = 0;
        for (size_t j = 0; j < (rows ? w->k : w->n); j++)
            sum += rows ? cells[i * w->k + j] : cells[j * w->k + i];
        if (!(fabs(sum - 1) <= 1e-6))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{table}: %s %zu does not add up to 1; {given} says what the numbers "
                              "are",
                              rows ? "row" : "column", i + 1);
    }
    return CAIRN_OK;
}

/* A list of n numbers that are not negative, or ones. */
static cairn_status read_weights(cairn_context *ctx, double **out, const char *option,
                                 const char *text, size_t n)
{
    size_t given = n;
    if (text)
        CHECK(cairn_list_numbers(ctx, option, text, out, &given));
    else
        CHECK(SCRATCH(ctx, out, n));
    if (given != n)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has %zu numbers for %zu", option, given, n);
    for (size_t i = 0; i < n; i++) {
        if (!text) (*out)[i] = 1;
        if (!((*out)[i] >= 0) || isinf((*out)[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: number %zu is negative", option, i + 1);
    }
    return CAIRN_OK;
}

/* Likelihoods or counts become posteriors: P(x | y) P(y), or the counts, divided by their sum. */
static cairn_status invert(cairn_context *ctx, posterior_work *w, const posterior_params *p,
                           double *cells)
{
    double total = 0;
    bool counts = p->given == GIVEN_COUNTS;
    CHECK(SCRATCH(ctx, &w->posterior, cairn_product(w->n, w->k)));
    CHECK(SCRATCH(ctx, &w->likelihood, cairn_product(w->n, w->k)));
    CHECK(SCRATCH(ctx, &w->chances, w->n));
    CHECK(read_weights(ctx, &w->prior, "prior", counts ? NULL : p->prior, w->k));
    for (size_t c = 0; c < w->k; c++) {
        double sum = 0;
        for (size_t i = 0; i < w->n; i++) sum += cells[i * w->k + c];
        for (size_t i = 0; i < w->n; i++)
            w->likelihood[i * w->k + c] = sum > 0 ? cells[i * w->k + c] / sum : NAN;
        if (counts) w->prior[c] = sum;
        total += w->prior[c];
    }
    if (!(total > 0)) return cairn_fail(ctx, CAIRN_USAGE, "{table}: there is nothing to share out");
    for (size_t c = 0; c < w->k; c++) w->prior[c] /= total;
    for (size_t i = 0; i < w->n; i++) {
        double *row = w->posterior + i * w->k;
        for (size_t c = 0; c < w->k; c++) {
            double joint = w->prior[c] > 0 ? w->likelihood[i * w->k + c] * w->prior[c] : 0;
            row[c] = joint;
            w->chances[i] += joint;
        }
        for (size_t c = 0; c < w->k; c++) row[c] = w->chances[i] > 0 ? row[c] / w->chances[i] : NAN;
    }
    return CAIRN_OK;
}

static cairn_status read_rows(cairn_context *ctx, posterior_work *w, const char *text)
{
    size_t n, k;
    CHECK(cairn_read_counts(ctx, "counts", text, &w->counts, &n, &k));
    if (n == w->n && k == w->k) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{counts} has %zu rows of %zu numbers, {table} %zu rows of %zu", n, k, w->n,
                      w->k);
}

static cairn_status read_work(cairn_context *ctx, posterior_work *w, const posterior_params *p)
{
    double *cells;
    *w = (posterior_work){0};
    CHECK(cairn_read_counts(ctx, "table", p->table, &cells, &w->n, &w->k));
    if (w->k < 2) return cairn_fail(ctx, CAIRN_USAGE, "{table}: a number for each of two classes");
    CHECK(read_values(ctx, w, p));
    CHECK(cairn_read_names(ctx, &w->features, p->features, w->m, "features", "x"));
    CHECK(cairn_read_names(ctx, &w->classes, p->classes, w->k, "classes", "c"));
    if (p->given != GIVEN_COUNTS) CHECK(check_sums(ctx, w, cells, p->given == GIVEN_POSTERIOR));
    if (p->given == GIVEN_COUNTS) w->counts = cells;
    if (p->counts) CHECK(read_rows(ctx, w, p->counts));
    if (p->given != GIVEN_POSTERIOR) return invert(ctx, w, p, cells);
    w->posterior = cells;
    return read_weights(ctx, &w->chances, "chances", p->chances, w->n);
}

/* -- the table -- */

/* Value of feature j in combination i. */
static size_t value_of(const posterior_work *w, size_t i, size_t j)
{
    size_t step = 1;
    for (size_t f = j + 1; f < w->m; f++) step *= (size_t)w->values[f];
    return i / step % (size_t)w->values[j];
}

/* The class of the largest number; of equal ones the first. */
static size_t largest(const double *row, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (row[c] > row[best] + 1e-12) best = c;
    return best;
}

static void begin_table(cairn_report *out, const posterior_work *w)
{
    cairn_report_table_begin(out, "Posterior of every combination", 0);
    for (size_t j = 0; j < w->m; j++) cairn_report_column(out, w->features[j], 'r');
    for (size_t c = 0; c < w->k; c++) {
        char head[80];
        snprintf(head, sizeof head, "P(%.60s)", w->classes[c]);
        cairn_report_column(out, head, 'r');
    }
    if (w->k == 2) cairn_report_column(out, "odds", 'r');
    cairn_report_column(out, "most likely", 'l');
    if (w->likelihood && w->k == 2) cairn_report_column(out, "likelihood ratio", 'r');
    if (w->likelihood) cairn_report_column(out, "ML", 'l');
}

static void show_table(cairn_report *out, const posterior_work *w)
{
    begin_table(out, w);
    for (size_t i = 0; i < w->n; i++) {
        const double *row = w->posterior + i * w->k;
        for (size_t j = 0; j < w->m; j++) cairn_report_cellf(out, "%zu", value_of(w, i, j));
        for (size_t c = 0; c < w->k; c++)
            cairn_report_cell_number(out, row[c], 0, "row%zu.%s", i + 1,
                                     cairn_report_key(out, w->classes[c]));
        if (w->k == 2) cairn_report_cell_number(out, row[0] / row[1], 0, "row%zu.odds", i + 1);
        cairn_report_cell_word(out, isnan(row[0]) ? "n/a" : w->classes[largest(row, w->k)],
                               "row%zu.class", i + 1);
        if (!w->likelihood) continue;
        const double *likely = w->likelihood + i * w->k;
        if (w->k == 2)
            cairn_report_cell_number(out, likely[0] / likely[1], 0, "row%zu.ratio", i + 1);
        cairn_report_cell_word(out, w->classes[largest(likely, w->k)], "row%zu.ml", i + 1);
    }
    cairn_report_table_end(out);
}

/* The first rows: likelihood times prior, divided by their sum. */
static void work_rows(cairn_report *out, const posterior_work *w)
{
    enum { MOST_WORKED = 8 };
    for (size_t i = 0; i < w->n && i < MOST_WORKED; i++) {
        const double *row = w->posterior + i * w->k;
        cairn_report_step_begin(out, "Combination %zu", i + 1);
        for (size_t c = 0; c < w->k && w->likelihood; c++)
            cairn_report_worked(out, w->classes[c], "P(x | y) P(y) / P(x) = # · # / # = #",
                                w->likelihood[i * w->k + c], w->prior[c], w->chances[i], row[c]);
        if (w->k == 2)
            cairn_report_worked(out, "odds", "# / # = #", row[0], row[1], row[0] / row[1]);
        cairn_report_step_end(out);
    }
}

/* -- rules beside each other -- */

/* Weights of the classes with which the largest w P(x | y) errs least on the rows: with two classes
 * the best point of the ROC curve of the likelihood ratio, with more one class after the other. */
static cairn_status learn_weights(cairn_context *ctx, posterior_work *w)
{
    size_t n = cairn_product(w->n, w->k);
    double *scores;
    int32_t *classes;
    CHECK(SCRATCH(ctx, &scores, cairn_product(n, w->k)));
    CHECK(SCRATCH(ctx, &classes, n));
    CHECK(SCRATCH(ctx, &w->weights, w->k));
    for (size_t i = 0; i < n; i++) {
        const double *row = w->likelihood + i / w->k * w->k;
        classes[i] = (int32_t)(i % w->k);
        for (size_t c = 0; c < w->k; c++) scores[i * w->k + c] = isnan(row[c]) ? 0 : row[c];
    }
    return cairn_reweight_classes(ctx, w->weights, scores, classes, w->counts, n, w->k, NULL, NULL,
                                  NULL);
}

/* The class that a rule takes for a combination: the largest factor times likelihood. */
static size_t decide(const posterior_work *w, size_t i, const double *factors)
{
    const double *likely = w->likelihood + i * w->k;
    size_t best = 0;
    double most = -1;
    for (size_t c = 0; c < w->k; c++) {
        double score = isnan(likely[c]) ? 0 : likely[c] * (factors ? factors[c] : 1);
        if (score > most + 1e-12) most = score, best = c;
    }
    return best;
}

static double rows_wrong(const posterior_work *w, const double *factors)
{
    double wrong = 0;
    for (size_t i = 0; i < w->n; i++) {
        size_t said = decide(w, i, factors);
        for (size_t c = 0; c < w->k; c++)
            if (c != said) wrong += w->counts[i * w->k + c];
    }
    return wrong;
}

/* Maximum likelihood, maximum posterior and the weights that the rows teach, and how many rows each
 * gets wrong. */
static cairn_status show_rules(cairn_context *ctx, cairn_report *out, posterior_work *w)
{
    CHECK(learn_weights(ctx, w));
    cairn_report_table_of(out, "Weights of the classes", 0, "lrr", "class", "prior", "learned");
    for (size_t c = 0; c < w->k; c++) {
        cairn_report_cell(out, w->classes[c]);
        cairn_report_cell_number(out, w->prior[c], 0, NULL);
        cairn_report_cell_number(out, w->weights[c], 0, "weight.%s",
                                 cairn_report_key(out, w->classes[c]));
    }
    cairn_report_table_end(out);
    for (size_t i = 0; i < w->n; i++)
        cairn_report_hidden_word(out, w->classes[decide(w, i, w->weights)], "row%zu.weighted",
                                 i + 1);
    cairn_report_value(out, "rows wrong by maximum likelihood", rows_wrong(w, NULL), "errors.ml");
    cairn_report_value(out, "  by maximum posterior", rows_wrong(w, w->prior), "errors.map");
    cairn_report_value(out, "  by the learned weights", rows_wrong(w, w->weights),
                       "errors.weighted");
    return CAIRN_OK;
}

/* -- a case -- */

/* The value of each feature, SIZE_MAX where it is not observed. */
static cairn_status read_case(cairn_context *ctx, size_t *out, const posterior_work *w,
                              const char *text)
{
    char **items;
    size_t n;
    CHECK(cairn_list_split(ctx, text, &items, &n));
    if (n != w->m)
        return cairn_fail(ctx, CAIRN_USAGE, "{observed} has %zu values for %zu features", n, w->m);
    for (size_t j = 0; j < n; j++) {
        double value;
        out[j] = SIZE_MAX;
        if (strcmp(items[j], "?") == 0) continue;
        if (!cairn_number_parse(items[j], strlen(items[j]), &value) || !(value >= 0) ||
            value != floor(value) || !(value < w->values[j]))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{observed}: '%s' is no value of %s, which has 0 to %zu, or ?",
                              items[j], w->features[j], (size_t)w->values[j] - 1);
        out[j] = (size_t)value;
    }
    return CAIRN_OK;
}

static bool fits(const posterior_work *w, const size_t *values, size_t i)
{
    for (size_t j = 0; j < w->m; j++)
        if (values[j] != SIZE_MAX && values[j] != value_of(w, i, j)) return false;
    return true;
}

/* P(class | what is observed): the rows that fit, averaged by their chances. */
static cairn_status show_case(cairn_context *ctx, cairn_report *out, const posterior_work *w,
                              const char *text, bool steps)
{
    double *answer, *terms, all = 0;
    size_t *values, n = 0;
    CHECK(SCRATCH(ctx, &answer, w->k));
    CHECK(SCRATCH(ctx, &values, w->m + 1));
    CHECK(SCRATCH(ctx, &terms, cairn_product(w->n, 2)));
    CHECK(read_case(ctx, values, w, text));
    for (size_t i = 0; i < w->n; i++)
        if (fits(w, values, i) && !isnan(w->posterior[i * w->k])) all += w->chances[i];
    if (!(all > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "{observed}: such a case has the probability 0");
    cairn_report_heading(out, 2, "Observed: %s", text);
    cairn_report_formula(out, "P(y | observed) = Σ P(y | v, observed) · P(v | observed)");
    for (size_t c = 0; c < w->k; c++) {
        n = 0;
        for (size_t i = 0; i < w->n; i++) {
            if (!fits(w, values, i) || isnan(w->posterior[i * w->k])) continue;
            terms[2 * n] = w->posterior[i * w->k + c], terms[2 * n + 1] = w->chances[i] / all;
            answer[c] += terms[2 * n] * terms[2 * n + 1], n++;
        }
        if (steps) cairn_report_worked_sum(out, w->classes[c], "# · #", terms, 2, n, answer[c]);
        cairn_report_value(out, w->classes[c], answer[c], "observed.%s",
                           cairn_report_key(out, w->classes[c]));
    }
    if (w->k == 2) cairn_report_value(out, "odds", answer[0] / answer[1], "observed.odds");
    cairn_report_word(out, "most likely", w->classes[largest(answer, w->k)], "observed.class");
    return CAIRN_OK;
}

static cairn_status posterior_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const posterior_params *p = job->params;
    posterior_work w;
    CHECK(read_work(ctx, &w, p));
    cairn_report_heading(out, 1, "A table of posteriors");
    if (w.likelihood) cairn_report_formula(out, "P(y | x) = P(x | y) P(y) / Σ P(x | y') P(y')");
    show_table(out, &w);
    for (size_t c = 0; c < w.k && w.prior; c++)
        cairn_report_hidden(out, w.prior[c], "prior.%s", cairn_report_key(out, w.classes[c]));
    if (w.counts) CHECK(show_rules(ctx, out, &w));
    if (job->steps) work_rows(out, &w);
    if (p->observed) CHECK(show_case(ctx, out, &w, p->observed, job->steps));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_posterior = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "posterior",
              .also = "posterior table, Bayes rule, maximum a posteriori, MAP rule, ML rule, "
                      "marginalise, unobserved feature",
              .title = "A table of posteriors",
              .summary =
                  "The table P(class | features) over all combinations of feature values, typed "
                  "as it is, as likelihoods with a prior, or as counts: the most likely class and "
                  "the odds of every combination, the decision of maximum likelihood beside that "
                  "of maximum posterior and, where rows of data are known, that of class weights "
                  "learned from them, and the posterior of a case in which some features are not "
                  "observed, averaged over their values.",
              .references = "Flach: Machine Learning, 2012, chapter 1",
              .example = "cairn compute posterior --table '0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6' "
                         "--chances 0.9,0.9,0.1,0.1 --observed '?,1'",
              .params = posterior_table,
              .params_size = sizeof(posterior_params)},
    .arguments = "",
    .run = posterior_run,
};
