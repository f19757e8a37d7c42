/* SPDX-License-Identifier: MIT */
/* cairn compute estimate: parameters that make what was seen most probable.
 *
 *     L(θ) = Σ ln p(x | θ),   the estimate is where L is the greatest
 *
 * The named laws have closed forms, or are climbed by the method of Nelder and Mead, as is a
 * likelihood that is typed. Weights count as repeated rows. */
#include "typed/numbers.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "solve/downhill.h"
#include "stats/frequency.h"
#include "typed/typed_functions.h"
#include "stats/laws.h"
#include "stats/summary.h"
#include "model/calculator.h"
#include "stats/special.h"
#include "data/view.h"
#include "decompose/linalg.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A sample, and the law that is fitted to it. */
typedef struct cairn_fit {
    const cairn_law *law;
    cairn_sample sample;
    double n, sum, mean, low, high; /* of the sample; n is its weight */
    double squares;                 /* Σ (x − mean)² */
    double logs, rest_logs;         /* mean of ln(x / mean), and of ln(1 − x) */
    double constant;      /* what the parameters leave alone: −Σ ln x!, Σ ln C(N, x) */
    double trials, least; /* known: of a binomial, of a geometric law */
    bool less_one;        /* the variance of a normal law is divided by n − 1 */
    double p[2];          /* the parameters of the law */
} cairn_fit;

typedef struct cairn_estimator {
    const char *law;
    size_t first, n_free; /* which of the parameters are estimated */
    bool (*takes)(const cairn_fit *fit, double x);
    const char *domain;     /* "0 or 1": what takes() asks for */
    const char *likelihood; /* L as a formula; NULL = the sum of ln f */
    const char *zero;       /* where its slope is 0 */
    /* The estimate from the sums, false where L has no maximum; or, where `numeric`, a start. */
    bool (*solve)(cairn_fit *fit);
    const char *no_maximum; /* why */
    bool numeric;
    void (*work)(cairn_report *out, const cairn_fit *fit);
    /* L with the parameters p from sums, or by a pass over what is not in them, for searches and
     * curves over many rows. */
    double (*quick)(const cairn_fit *fit, const double *p);
} cairn_estimator;

/* What an estimate of several numbers is made of: typed points, or where those are NULL the number
 * features of the job's table. */
typedef struct vectors_source {
    const char *law, *points;
    const cairn_list *weights; /* of typed points; not given = all 1 */
    bool less_one;             /* covariances are divided by n - 1 */
} vectors_source;

/* -- estimators -- */

/* One record for each law: which numbers it can have made, its likelihood, and where that is the
 * greatest. */

static const char *const estimator_names =
    "bernoulli, beta, binomial, chi-squared, exponential, f, gamma, geometric, normal, poisson, t "
    "and uniform";

/* -- what a law can have made -- */

static bool is_bit(const cairn_fit *fit, double x)
{
    (void)fit;
    return x == 0 || x == 1;
}

static bool is_share(const cairn_fit *fit, double x)
{
    (void)fit;
    return x > 0 && x < 1;
}

static bool is_of_trials(const cairn_fit *fit, double x)
{
    return x >= 0 && x <= fit->trials && x == floor(x);
}

static bool is_positive(const cairn_fit *fit, double x)
{
    (void)fit;
    return x > 0 && isfinite(x);
}

static bool is_not_negative(const cairn_fit *fit, double x)
{
    (void)fit;
    return x >= 0 && isfinite(x);
}

static bool is_counted(const cairn_fit *fit, double x)
{
    return x >= fit->least && isfinite(x) && x == floor(x);
}

static bool is_finite(const cairn_fit *fit, double x)
{
    (void)fit;
    return isfinite(x);
}

/* -- where the likelihood is the greatest -- */

static bool solve_mean(cairn_fit *fit)
{
    fit->p[0] = fit->mean;
    fit->p[1] = 1;
    return true;
}

static bool solve_binomial(cairn_fit *fit)
{
    fit->p[0] = fit->trials;
    fit->p[1] = fit->mean / fit->trials;
    return fit->trials > 0;
}

static bool solve_exponential(cairn_fit *fit)
{
    fit->p[0] = 1 / fit->mean;
    fit->p[1] = 1;
    return fit->mean > 0;
}

static bool solve_geometric(cairn_fit *fit)
{
    double beyond = fit->mean - fit->least;
    fit->p[0] = beyond / (1 + beyond);
    fit->p[1] = fit->least;
    return true;
}

static double divisor(const cairn_fit *fit)
{
    return fit->less_one ? fit->n - 1 : fit->n;
}

static bool solve_normal(cairn_fit *fit)
{
    fit->p[0] = fit->mean;
    fit->p[1] = sqrt(fit->squares / divisor(fit));
    return fit->p[1] > 0 && isfinite(fit->p[1]);
}

static bool solve_uniform(cairn_fit *fit)
{
    fit->p[0] = fit->low;
    fit->p[1] = fit->high;
    return fit->low < fit->high;
}

/* Starts: what has the same mean and variance. */
static bool start_gamma(cairn_fit *fit)
{
    double variance = fit->squares / fit->n;
    fit->p[0] = fit->mean * fit->mean / variance;
    fit->p[1] = variance / fit->mean;
    return variance > 0;
}

static bool start_beta(cairn_fit *fit)
{
    double variance = fit->squares / fit->n;
    double both = fmax(fit->mean * (1 - fit->mean) / variance - 1, 0.1);
    fit->p[0] = fit->mean * both;
    fit->p[1] = (1 - fit->mean) * both;
    return variance > 0;
}

static bool start_t(cairn_fit *fit)
{
    fit->p[0] = 5;
    fit->p[1] = 1;
    return true;
}

static bool start_f(cairn_fit *fit)
{
    fit->p[0] = 5;
    fit->p[1] = 10;
    return fit->low < fit->high;
}

/* -- the numbers put in -- */

static void work_share(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "p", "Σx / n = # / # = #", fit->sum, fit->n, fit->p[0]);
}

static void work_binomial(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "p", "Σx / (N·n) = # / (#·#) = #", fit->sum, fit->n, fit->trials,
                        fit->p[1]);
}

static void work_rate(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "rate", "Σx / n = # / # = #", fit->sum, fit->n, fit->p[0]);
}

static void work_exponential(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "rate", "n / Σx = # / # = #", fit->n, fit->sum, fit->p[0]);
}

static void work_geometric(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "mean", "Σx / n = # / # = #", fit->sum, fit->n, fit->mean);
    cairn_report_worked(out, "p", "(mean − least) / (1 + mean − least) = (# − #) / (1 + # − #) = #",
                        fit->mean, fit->least, fit->mean, fit->least, fit->p[0]);
}

static void work_normal(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "mean", "Σx / n = # / # = #", fit->sum, fit->n, fit->mean);
    cairn_report_worked(out, "deviation²",
                        fit->less_one ? "Σ(x − mean)² / (n − 1) = # / # = #"
                                      : "Σ(x − mean)² / n = # / # = #",
                        fit->squares, divisor(fit), fit->squares / divisor(fit));
    cairn_report_worked(out, "deviation", "√# = #", fit->squares / divisor(fit), fit->p[1]);
}

static void work_uniform(cairn_report *out, const cairn_fit *fit)
{
    cairn_report_worked(out, "low", "min x = #", fit->low);
    cairn_report_worked(out, "high", "max x = #", fit->high);
}

/* -- the likelihood from sums, or by a pass over what is not in them -- */

/* s ln p, where 0 ln 0 is 0. */
static double times_log(double s, double p)
{
    return s > 0 ? s * cairn_log(p) : 0;
}

static double bernoulli_sums(const cairn_fit *fit, const double *p)
{
    return times_log(fit->sum, p[0]) + times_log(fit->n - fit->sum, 1 - p[0]);
}

static double binomial_sums(const cairn_fit *fit, const double *p)
{
    return fit->constant + times_log(fit->sum, p[1]) +
           times_log(fit->trials * fit->n - fit->sum, 1 - p[1]);
}

static double exponential_sums(const cairn_fit *fit, const double *p)
{
    return fit->n * cairn_log(p[0]) - p[0] * fit->sum;
}

/* With the mean a·s of the law and r = mean / (a·s),
 *
 *     L / n = −Σ ln x / n + a (Σ ln(x / mean) / n + ln r + 1 − r) + ½ ln(a / 2π) − δ(a)
 *
 * where δ is the error of Stirling's formula: what cancels at large shapes has been cancelled. */
static double gamma_sums(const cairn_fit *fit, const double *p)
{
    double off = (fit->mean - p[0] * p[1]) / (p[0] * p[1]);
    double inner = fit->logs + cairn_log1p_minus(off);
    double root = (cairn_log(p[0]) - 1.83787706640934548356) / 2;
    return fit->n *
           (p[0] * inner + root - cairn_stirling_error(p[0]) - fit->logs - cairn_log(fit->mean));
}

static double chi2_sums(const cairn_fit *fit, const double *p)
{
    return gamma_sums(fit, (const double[]){p[0] / 2, 2});
}

static double beta_sums(const cairn_fit *fit, const double *p)
{
    double log_x = fit->logs + cairn_log(fit->mean);
    return fit->n * ((p[0] - 1) * log_x + (p[1] - 1) * fit->rest_logs + cairn_lgamma(p[0] + p[1]) -
                     cairn_lgamma(p[0]) - cairn_lgamma(p[1]));
}

static double geometric_sums(const cairn_fit *fit, const double *p)
{
    return fit->n * cairn_log1p(-p[0]) + times_log(fit->sum - fit->n * fit->least, p[0]);
}

static double normal_sums(const cairn_fit *fit, const double *p)
{
    double off = fit->mean - p[0], squares = fit->squares + fit->n * off * off;
    return -fit->n * (cairn_log(p[1]) + 0.91893853320467274178) - squares / (2 * p[1] * p[1]);
}

static double poisson_sums(const cairn_fit *fit, const double *p)
{
    return fit->constant + times_log(fit->sum, p[0]) - fit->n * p[0];
}

static double weight_of(const cairn_sample *s, size_t i)
{
    return s->weights ? s->weights[i] : 1;
}

/* What falls from the density at 0, which is exact for large df as well. */
static double t_pass(const cairn_fit *fit, const double *p)
{
    const cairn_sample *s = &fit->sample;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double root = s->values[i] / sqrt(p[0]);
        sum += weight_of(s, i) * cairn_log1p(root * root);
    }
    return fit->n * cairn_log(fit->law->density(0, p[0], p[1])) - (p[0] + 1) / 2 * sum;
}

/* The same from the density at 1. */
static double f_pass(const cairn_fit *fit, const double *p)
{
    const cairn_sample *s = &fit->sample;
    double sum = 0, log_x = fit->logs + cairn_log(fit->mean), share = p[0] / (p[0] + p[1]);
    for (size_t i = 0; i < s->n; i++)
        sum += weight_of(s, i) * cairn_log1p(share * (s->values[i] - 1));
    return fit->n * (cairn_log(fit->law->density(1, p[0], p[1])) + (p[0] / 2 - 1) * log_x) -
           (p[0] + p[1]) / 2 * sum;
}

static double uniform_sums(const cairn_fit *fit, const double *p)
{
    return p[0] <= fit->low && fit->high <= p[1] ? -fit->n * cairn_log(p[1] - p[0]) : -INFINITY;
}

static const cairn_estimator estimators[] = {
    {"bernoulli", 0, 1, is_bit, "0 or 1", "L(p) = Σx ln p + (n − Σx) ln(1 − p)",
     "Σx / p − (n − Σx) / (1 − p) = 0", solve_mean, NULL, false, work_share, bernoulli_sums},
    {"beta", 0, 2, is_share, "between 0 and 1", NULL, NULL, start_beta, "all values are equal",
     true, NULL, beta_sums},
    {"binomial", 1, 1, is_of_trials, "a whole number from 0 to the number of trials",
     "L(p) = Σ ln C(N, x) + Σx ln p + (N n − Σx) ln(1 − p)", "Σx / p − (N n − Σx) / (1 − p) = 0",
     solve_binomial, "there are no trials", false, work_binomial, binomial_sums},
    {"chi-squared", 0, 1, is_positive, "above 0", NULL, NULL, solve_mean, NULL, true, NULL,
     chi2_sums},
    {"exponential", 0, 1, is_not_negative, "at least 0", "L(rate) = n ln rate − rate Σx",
     "n / rate − Σx = 0", solve_exponential, "all values are 0", false, work_exponential,
     exponential_sums},
    {"f", 0, 2, is_positive, "above 0", NULL, NULL, start_f, "all values are equal", true, NULL,
     f_pass},
    {"gamma", 0, 2, is_positive, "above 0", NULL, NULL, start_gamma, "all values are equal", true,
     NULL, gamma_sums},
    {"geometric", 0, 1, is_counted, "a whole number from the least of its support on",
     "L(p) = n ln(1 − p) + (Σx − n least) ln p", "(Σx − n least) / p − n / (1 − p) = 0",
     solve_geometric, NULL, false, work_geometric, geometric_sums},
    {"normal", 0, 2, is_finite, "finite",
     "L(mean, deviation) = −n ln(deviation √(2π)) − Σ(x − mean)² / (2 deviation²)",
     "Σ(x − mean) = 0  and  −n / deviation + Σ(x − mean)² / deviation³ = 0", solve_normal,
     "all values are equal", false, work_normal, normal_sums},
    {"poisson", 0, 1, is_counted, "a whole number from 0 on",
     "L(rate) = Σx ln rate − n rate − Σ ln x!", "Σx / rate − n = 0", solve_mean, NULL, false,
     work_rate, poisson_sums},
    {"t", 0, 1, is_finite, "finite", NULL, NULL, start_t, NULL, true, NULL, t_pass},
    {"uniform", 0, 2, is_finite, "finite", "L(low, high) = −n ln(high − low)",
     "no slope is 0: L grows until low and high reach the outermost values", solve_uniform,
     "all values are equal", false, work_uniform, uniform_sums},
};

/* NULL when the law has no estimator. */
static const cairn_estimator *estimator_find(const char *law)
{
    for (size_t i = 0; i < sizeof estimators / sizeof *estimators; i++)
        if (strcmp(estimators[i].law, law) == 0) return &estimators[i];
    return NULL;
}

/* The part of L that the parameters leave alone. */
static double constant_term(const cairn_fit *fit, double x)
{
    if (strcmp(fit->law->name, "poisson") == 0) return -cairn_lgamma(x + 1);
    if (strcmp(fit->law->name, "binomial") != 0) return 0;
    return cairn_lgamma(fit->trials + 1) - cairn_lgamma(x + 1) - cairn_lgamma(fit->trials - x + 1);
}

/* ln(x / mean), with all digits near 0. */
static double log_ratio(double x, double mean)
{
    double off = x - mean;
    return fabs(off) < mean / 2 ? cairn_log1p(off / mean) : cairn_log(x / mean);
}

/* The sums of the sample that `quick` needs. */
static void fit_add_up(cairn_fit *fit)
{
    const cairn_sample *s = &fit->sample;
    fit->logs = fit->rest_logs = fit->constant = 0;
    for (size_t i = 0; i < s->n; i++) {
        double x = s->values[i], weight = weight_of(s, i);
        if (x > 0) fit->logs += weight / fit->n * log_ratio(x, fit->mean);
        if (x > 0 && x < 1) fit->rest_logs += weight / fit->n * cairn_log1p(-x);
        fit->constant += weight * constant_term(fit, x);
    }
}

/* Σ w ln f(x) with the parameters p, row by row. */
static double fit_likelihood(const cairn_fit *fit, const double *p)
{
    const cairn_sample *s = &fit->sample;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += weight_of(s, i) * cairn_law_log_density(fit->law, s->values[i], p[0], p[1]);
    return sum;
}

/* The message of numbers whose squares overflow. */
static cairn_status fail_overflow(cairn_context *ctx)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the numbers are so large that the sum of their squares overflows; divide "
                      "them by a power of ten");
}

/* -- estimate categories -- */

/* The categorical law of greatest likelihood: every category has the probability of its share, of
 * counts that are typed or of a column of levels. */

typedef struct category {
    const char *name;
    double count;
} category;

typedef struct categories {
    category *list;
    size_t n;
    double total;
} categories;

static cairn_status read_counts(cairn_context *ctx, categories *out, const char *counts)
{
    char **items;
    CHECK(cairn_list_split(ctx, counts, &items, &out->n));
    CHECK(SCRATCH(ctx, &out->list, out->n + 1));
    for (size_t i = 0; i < out->n; i++) {
        char *mark = strchr(items[i], '=');
        double *count = &out->list[i].count;
        if (!mark || mark == items[i] || !cairn_number_parse(mark + 1, strlen(mark + 1), count) ||
            !(*count >= 0 && isfinite(*count)))
            return cairn_fail(ctx, CAIRN_USAGE, "{counts}: '%s' is not NAME=COUNT", items[i]);
        *mark = 0;
        out->list[i].name = items[i];
    }
    return CAIRN_OK;
}

/* The named column, else the target, else the first one that holds levels. */
static cairn_status find_levels(cairn_context *ctx, const cairn_table *table, const char *name,
                                size_t *out)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (name) return cairn_table_get(ctx, table, name, out);
    if (target >= 0 && cairn_table_kind(table, (size_t)target) == CAIRN_LEVEL) {
        *out = (size_t)target;
        return CAIRN_OK;
    }
    for (*out = 0; *out < table->n_columns; ++*out)
        if (cairn_table_kind(table, *out) == CAIRN_LEVEL) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no column holds levels; {kinds \"COLUMN=level\"} takes values as levels");
}

/* Missing cells are not counted, and levels that never occur stay with the count 0. */
static cairn_status count_column(cairn_context *ctx, categories *out, const cairn_table *table,
                                 const char *name)
{
    cairn_view view;
    size_t at;
    CHECK(find_levels(ctx, table, name, &at));
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{column}: '%s' holds no levels; {kinds \"%s=level\"} takes its values "
                          "as levels",
                          table->slots[at].name, table->slots[at].name);
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    out->n = column->names.n;
    CHECK(SCRATCH(ctx, &out->list, out->n + 1));
    for (size_t k = 0; k < out->n; k++) out->list[k].name = cairn_map_key(&column->names, k);
    for (size_t i = 0; i < table->n_rows; i++)
        if (column->codes[i] >= 0)
            out->list[column->codes[i]].count += view.row_weights ? view.row_weights[i] : 1;
    return CAIRN_OK;
}

/* A category without rows adds nothing to the likelihood, as 0 · ln 0 is 0. */
static void show_categories(cairn_report *out, const categories *c, bool steps)
{
    double sum = 0;
    cairn_report_table_of(out, "Estimates", 0, "lrr", "category", "count", "probability");
    for (size_t i = 0; i < c->n; i++) {
        double p = c->list[i].count / c->total;
        if (p > 0) sum += c->list[i].count * cairn_log(p);
        cairn_report_cells(out, "- - estimate.$1", c->list[i].name, c->list[i].count, p);
    }
    cairn_report_value(out, "values", c->total, "n");
    cairn_report_value(out, "log-likelihood", sum, "log-likelihood");
    if (steps) {
        cairn_report_step_begin(out, "Where the likelihood is the greatest");
        cairn_report_formula(out, "L(p) = Σ nₖ ln pₖ  under  Σ pₖ = 1");
        cairn_report_formula(out, "slope: nₖ / pₖ = λ for every k, hence pₖ = nₖ / n");
        for (size_t i = 0; i < c->n; i++)
            cairn_report_worked(out, c->list[i].name, "# / # = #", c->list[i].count, c->total,
                                c->list[i].count / c->total);
        cairn_report_worked(out, "L", "#", sum);
        cairn_report_step_end(out);
    }
}

/* A categorical law of counts "fish=2,bird=3" or, where they are NULL, of a column of the job's
 * table (NULL = the target, or the first that holds levels). */
static cairn_status estimate_categories(cairn_context *ctx, cairn_report *out,
                                        const cairn_compute_job *job, const char *counts,
                                        const char *column)
{
    categories c = {0};
    if (counts)
        CHECK(read_counts(ctx, &c, counts));
    else if (job->table)
        CHECK(count_column(ctx, &c, job->table, column));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a categorical law needs {counts fish=2,bird=3}, or DATA with a column "
                          "of levels");
    for (size_t i = 0; i < c.n; i++) c.total += c.list[i].count;
    if (!(c.total > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "nothing was counted");
    if (!isfinite(c.total)) return fail_overflow(ctx);
    cairn_report_heading(out, 1, "Maximum likelihood: categorical");
    show_categories(out, &c, job->steps);
    return CAIRN_OK;
}

/* -- estimate vectors -- */

/* Laws of several numbers of greatest likelihood. Of the normal one
 *
 *     −L = n ln E_d + ½ Σ Dis²,   Dis² = (x − μ)' Σ⁻¹ (x − μ)
 *
 * Whatever Σ is, the sum of squared distances is the least at the mean: −2 Σ⁻¹ Σ(x − μ) = 0. Of
 * bits and counts the chances are shares. Weights count as repeated rows. */

static const double log_2pi = 1.83787706640934548356;

typedef struct vectors_fit {
    const double *points;  /* rows x d */
    const double *weights; /* rows; NULL = all 1 */
    const char **names;    /* d */
    size_t rows, d;
    double n;     /* weight of the rows */
    double *sums; /* d: Σ x */
    double *mean; /* d: Σ x / n, or the chances */
    double likelihood;
    /* normal */
    double *covariance, divisor, log_scale, distances;
    double counted; /* multinomial: Σ of all counts */
} vectors_fit;

typedef struct vectors_law {
    const char *name, *domain;
    bool (*takes)(const double *x, size_t d);
    cairn_status (*solve)(cairn_context *ctx, vectors_fit *f);
    void (*show)(cairn_report *out, const vectors_fit *f);
    void (*work)(cairn_report *out, const vectors_fit *f);
} vectors_law;

static double row_weight(const vectors_fit *f, size_t i)
{
    return f->weights ? f->weights[i] : 1;
}

static void work_shares(cairn_report *out, const vectors_fit *f, double of)
{
    for (size_t j = 0; j < f->d; j++)
        cairn_report_worked(out, f->names[j], "# / # = #", f->sums[j], of, f->mean[j]);
}

/* -- what a law can have made -- */

static bool takes_finite(const double *x, size_t d)
{
    for (size_t j = 0; j < d; j++)
        if (!isfinite(x[j])) return false;
    return true;
}

static bool takes_bits(const double *x, size_t d)
{
    for (size_t j = 0; j < d; j++)
        if (x[j] != 0 && x[j] != 1) return false;
    return true;
}

static bool takes_counts(const double *x, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        if (!(x[j] >= 0 && x[j] == floor(x[j]))) return false;
        sum += x[j];
    }
    return sum <= 1e15;
}

/* -- the normal law -- */

static cairn_status find_covariance(cairn_context *ctx, vectors_fit *f)
{
    size_t d = f->d;
    CHECK(SCRATCH(ctx, &f->covariance, d * d));
    for (size_t i = 0; i < f->rows; i++) {
        const double *x = f->points + i * d;
        double share = row_weight(f, i) / f->divisor;
        for (size_t j = 0; j < d; j++)
            for (size_t k = 0; k <= j; k++)
                f->covariance[j * d + k] += share * (x[j] - f->mean[j]) * (x[k] - f->mean[k]);
    }
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < j; k++) f->covariance[k * d + j] = f->covariance[j * d + k];
    return CAIRN_OK;
}

/* The sum of the squared distances is divisor · d, since Σ⁻¹ times the covariance is the identity,
 * whose trace is d. */
static cairn_status solve_vectors(cairn_context *ctx, vectors_fit *f)
{
    size_t d = f->d, pivot;
    double *factor, condition, log_determinant = 0;
    if (!(f->divisor > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a covariance needs more than one point");
    CHECK(find_covariance(ctx, f));
    CHECK(SCRATCH(ctx, &factor, d * d));
    memcpy(factor, f->covariance, d * d * sizeof *factor);
    CHECK(cairn_cholesky(ctx, factor, d, &condition, &pivot));
    if (!(condition > 1e-15))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the covariance is singular, and the likelihood has no greatest value: "
                          "'%s' is constant or a combination of the columns before it, or there "
                          "are too few points",
                          f->names[pivot < d ? pivot : d - 1]);
    for (size_t j = 0; j < d; j++) log_determinant += 2 * cairn_log(factor[j * d + j]);
    f->log_scale = ((double)d * log_2pi + log_determinant) / 2;
    f->distances = f->divisor * (double)d;
    f->likelihood = -f->n * f->log_scale - f->distances / 2;
    return CAIRN_OK;
}

static void show_normal(cairn_report *out, const vectors_fit *f)
{
    cairn_report_table_begin(out, "Estimates", 0);
    cairn_report_columns(out, "lr", "number", "mean");
    for (size_t j = 0; j < f->d; j++) cairn_report_column(out, f->names[j], 'r');
    for (size_t j = 0; j < f->d; j++) {
        const char *key = cairn_report_key(out, f->names[j]);
        cairn_report_cells(out, "- estimate.mean.$1", f->names[j], f->mean[j]);
        for (size_t k = 0; k < f->d; k++)
            cairn_report_cell_number(out, f->covariance[j * f->d + k], 0,
                                     "estimate.covariance.%s.%s", key,
                                     cairn_report_key(out, f->names[k]));
    }
    cairn_report_value(out, "sum of squared Mahalanobis distances from the mean", f->distances,
                       "distances");
}

static void work_vectors(cairn_report *out, const vectors_fit *f)
{
    cairn_report_formula(out, "−L = n ln E_d + ½ Σ Dis²,   Dis² = (x − μ)' Σ⁻¹ (x − μ)");
    cairn_report_formula(out, "slope in μ: −2 Σ⁻¹ Σ(x − μ) = 0, hence μ = the mean");
    work_shares(out, f, f->n);
    cairn_report_worked(out, "ln E_d", "(d ln(2π) + ln |Σ|) / 2 = #", f->log_scale);
    cairn_report_worked(out, "L", "−#·# − #/2 = #", f->n, f->log_scale, f->distances,
                        f->likelihood);
}

/* -- chances -- */

static cairn_status solve_bits(cairn_context *ctx, vectors_fit *f)
{
    (void)ctx;
    for (size_t j = 0; j < f->d; j++)
        f->likelihood += times_log(f->sums[j], f->mean[j]) +
                         times_log(f->n - f->sums[j], (f->n - f->sums[j]) / f->n);
    return CAIRN_OK;
}

static cairn_status solve_counts(cairn_context *ctx, vectors_fit *f)
{
    for (size_t j = 0; j < f->d; j++) f->counted += f->sums[j];
    if (!(f->counted > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "the vectors count nothing");
    for (size_t j = 0; j < f->d; j++) f->mean[j] = f->sums[j] / f->counted;
    for (size_t i = 0; i < f->rows; i++)
        f->likelihood +=
            row_weight(f, i) * cairn_multinomial_log(f->points + i * f->d, f->mean, f->d);
    return CAIRN_OK;
}

static void show_chances(cairn_report *out, const vectors_fit *f)
{
    cairn_report_table_of(out, "Estimates", 0, "lrr", "number", "sum", "probability");
    for (size_t j = 0; j < f->d; j++) {
        cairn_report_cells(out, "- - estimate.$1", f->names[j], f->sums[j], f->mean[j]);
    }
}

static void work_bits(cairn_report *out, const vectors_fit *f)
{
    cairn_report_formula(out, "L(p) = Σⱼ sⱼ ln pⱼ + (n − sⱼ) ln(1 − pⱼ),   sⱼ = Σ xⱼ");
    cairn_report_formula(out, "slope: sⱼ / pⱼ − (n − sⱼ) / (1 − pⱼ) = 0, hence pⱼ = sⱼ / n");
    work_shares(out, f, f->n);
    cairn_report_worked(out, "L", "#", f->likelihood);
}

static void work_counts(cairn_report *out, const vectors_fit *f)
{
    cairn_report_formula(out, "L(p) = Σ ln(n! / Π xⱼ!) + Σⱼ sⱼ ln pⱼ  under  Σ pⱼ = 1");
    cairn_report_formula(out, "slope: sⱼ / pⱼ = λ for every j, hence pⱼ = sⱼ / Σ s");
    work_shares(out, f, f->counted);
    cairn_report_worked(out, "L", "#", f->likelihood);
}

static const vectors_law laws[] = {
    {"multinomial", "whole numbers from 0 on, 1e15 in all", takes_counts, solve_counts,
     show_chances, work_counts},
    {"multivariate-bernoulli", "0 or 1", takes_bits, solve_bits, show_chances, work_bits},
    {"multivariate-normal", "finite", takes_finite, solve_vectors, show_normal, work_vectors},
};

static const vectors_law *find_law(const char *name)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (strcmp(laws[i].name, name) == 0) return &laws[i];
    return NULL;
}

/* multinomial, multivariate-bernoulli, multivariate-normal */
static bool is_vectors_estimate(const char *law)
{
    return find_law(law) != NULL;
}

/* -- reading -- */

static cairn_status read_typed(cairn_context *ctx, vectors_fit *f, const vectors_source *source)
{
    double *typed;
    CHECK(cairn_read_matrix(ctx, "points", source->points, &typed, &f->rows, &f->d));
    f->points = typed;
    f->weights = source->weights->values;
    if (f->weights && source->weights->n != f->rows)
        return cairn_fail(ctx, CAIRN_USAGE, "{weights} has %zu entries for %zu points",
                          source->weights->n, f->rows);
    return cairn_coordinate_names(ctx, &f->names, f->d);
}

static cairn_status read_table(cairn_context *ctx, vectors_fit *f, const cairn_compute_job *job)
{
    cairn_class_points rows;
    cairn_view view;
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs DATA or {points 1,2;3,1;2,5}", job->what);
    CHECK(cairn_class_points_read(ctx, &rows, job->table, false, job->what));
    CHECK(cairn_view_make(ctx, &view, job->table, cairn_all_rows(job->table)));
    f->points = rows.points.values;
    f->names = rows.columns;
    f->rows = rows.points.n;
    f->d = rows.points.width;
    f->weights = view.row_weights;
    return CAIRN_OK;
}

/* One of these laws; a normal mean has the least sum of squared Mahalanobis distances. */
static cairn_status estimate_vectors(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job, const vectors_source *source)
{
    const vectors_law *law = find_law(source->law);
    vectors_fit f = {0};
    CHECK(source->points ? read_typed(ctx, &f, source) : read_table(ctx, &f, job));
    for (size_t i = 0; i < f.rows; i++)
        if (!law->takes(f.points + i * f.d, f.d))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the numbers of the law '%s' are %s, and those of point %zu are not",
                              law->name, law->domain, i + 1);
    /* Sums and means; they overflow where the numbers are too large to be fitted. */
    double spread = 0;
    CHECK(SCRATCH_EACH(ctx, f.d, &f.sums, &f.mean));
    for (size_t i = 0; i < f.rows; i++) {
        f.n += row_weight(&f, i);
        for (size_t j = 0; j < f.d; j++) {
            f.sums[j] += row_weight(&f, i) * f.points[i * f.d + j];
            spread += row_weight(&f, i) * f.points[i * f.d + j] * f.points[i * f.d + j];
        }
    }
    if (!(f.n > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no point that weighs");
    if (!isfinite(spread)) {
        CHECK(fail_overflow(ctx));
    } else {
        for (size_t j = 0; j < f.d; j++) f.mean[j] = f.sums[j] / f.n;
    }
    f.divisor = f.n - source->less_one;
    CHECK(law->solve(ctx, &f));
    cairn_report_heading(out, 1, "Maximum likelihood: %s", law->name);
    law->show(out, &f);
    cairn_report_value(out, "points", f.n, "n");
    cairn_report_value(out, "log-likelihood", f.likelihood, "log-likelihood");
    if (!job->steps) return CAIRN_OK;
    cairn_report_step_begin(out, "Where the likelihood is the greatest");
    law->work(out, &f);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

enum { MOST_PARAMETERS = 4, CURVE_POINTS = 201, MOST_BARS = 40, MANY_ROWS = 20000 };

/* The curve is drawn until it has fallen by so much on either side. */
static const double drop = 8;

typedef struct estimate_params {
    const char *law, *likelihood, *start, *counts;
    const char *column, *points;
    cairn_list values, weights;
    bool logged;
    double trials;
    int support, divisor;
} estimate_params;

static const cairn_choice supports[] = {
    {"0", 0, "0, 1, 2, ..."},
    {"1", 1, "1, 2, 3, ..."},
    {0},
};

static const cairn_param estimate_table[] = {
    CAIRN_PARAM(estimate_params, law, NULL, NULL,
                "bernoulli, beta, binomial, categorical, chi-squared, exponential, f, gamma, "
                "geometric, multinomial, multivariate-bernoulli, multivariate-normal, normal, "
                "poisson, t or uniform",
                .often = true),
    CAIRN_PARAM_CELLS(estimate_params, values, ANY, NULL, NULL,
                      "the numbers, such as 3,5,5,8; nan = missing", .often = true),
    CAIRN_PARAM_CELLS(estimate_params, weights, NUMBERS, NULL, "[0,inf)",
                      "a weight for each of the values"),
    CAIRN_PARAM_AS(estimate_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "column of DATA: of numbers, for a categorical law of levels; the first one if "
                   "not given"),
    CAIRN_PARAM_AS(estimate_params, counts, CAIRN_TYPE_LIST, NULL,
                   "of a categorical law: how often each category was seen, fish=2,bird=3"),
    CAIRN_PARAM_AS(estimate_params, points, CAIRN_TYPE_LIST, NULL,
                   "of a law of several numbers: 1,2;3,1;2,5; the number features of DATA if not "
                   "given"),
    CAIRN_PARAM(estimate_params, trials, CAIRN_NOT_GIVEN, "[1,1e15]",
                "of a binomial law: the number of trials of each value"),
    CAIRN_PARAM_CHOICE(estimate_params, support, "0", supports, "what a geometric law counts from"),
    CAIRN_PARAM_CHOICE(estimate_params, divisor, "n", cairn_divisors,
                       "of the variance of a normal law; the likelihood is greatest with n"),
    CAIRN_PARAM(estimate_params, likelihood, NULL, NULL,
                "instead of a law: the probability or density of one value x, an expression of x "
                "and the parameters that --start names, such as 'p^x * (1-p)^(1-x)'",
                .often = true),
    CAIRN_PARAM(estimate_params, start, NULL, NULL,
                "where the search begins, with a name for each parameter: p=0.5 or m=0,s=1",
                .often = true),
    CAIRN_PARAM(estimate_params, logged, "no", NULL,
                "the expression is the logarithm of the likelihood already"),
    CAIRN_PARAM_END,
};

/* What is climbed: a named law or a typed expression. */
typedef struct problem {
    const cairn_estimator *estimator; /* NULL = typed */
    cairn_fit fit;
    const char *expression;
    bool logged;
    const char *names[MOST_PARAMETERS];
    double theta[MOST_PARAMETERS]; /* of the free parameters: the estimate */
    size_t n;
    double *columns[MOST_PARAMETERS]; /* typed: a column of each parameter */
    double *terms;                    /* typed: one value for each number */
    double likelihood;
    size_t steps; /* of a search; 0 = closed form */
} problem;

/* -- the likelihood -- */

static cairn_status typed_likelihood(cairn_context *ctx, const problem *q, const double *theta,
                                     double *out)
{
    SCOPED_SCRATCH(ctx);
    const cairn_sample *s = &q->fit.sample;
    const char *names[MOST_PARAMETERS + 1];
    const double *columns[MOST_PARAMETERS + 1];
    names[0] = "x";
    columns[0] = s->values;
    for (size_t k = 0; k < q->n; k++) {
        names[k + 1] = q->names[k];
        columns[k + 1] = q->columns[k];
        for (size_t i = 0; i < s->n; i++) q->columns[k][i] = theta[k];
    }
    cairn_variables variables = {names, columns, q->n + 1, s->n};
    CHECK(cairn_function_values(ctx, q->terms, q->expression, &variables, "likelihood"));
    *out = 0;
    for (size_t i = 0; i < s->n; i++) {
        double term = q->logged ? q->terms[i] : cairn_log(q->terms[i]);
        *out += (s->weights ? s->weights[i] : 1) * term;
    }
    return CAIRN_OK;
}

static cairn_status likelihood_at(cairn_context *ctx, const problem *q, const double *theta,
                                  double *out)
{
    if (!q->estimator) return typed_likelihood(ctx, q, theta, out);
    double p[2] = {q->fit.p[0], q->fit.p[1]};
    for (size_t k = 0; k < q->n; k++) p[q->estimator->first + k] = theta[k];
    *out = NAN;
    if (!cairn_law_takes(q->fit.law, p[0], p[1])) return CAIRN_OK;
    *out = q->estimator->quick(&q->fit, p);
    return CAIRN_OK;
}

/* Minus the likelihood; the parameters of laws that are climbed are above 0 and stand as their
 * logarithms. */
static cairn_status negated(cairn_context *ctx, void *data, const double *x, double *out)
{
    const problem *q = data;
    double theta[MOST_PARAMETERS];
    for (size_t k = 0; k < q->n; k++) theta[k] = q->estimator ? cairn_exp(x[k]) : x[k];
    CHECK(likelihood_at(ctx, q, theta, out));
    *out = -*out;
    return CAIRN_OK;
}

/* Parameters of a law are climbed as logarithms, which keeps them above 0; values that run away
 * mean that there is no maximum. */
static cairn_status climb(cairn_context *ctx, problem *q)
{
    cairn_valley valley = {q->n, q, negated};
    cairn_progress progress = {.what = "climbing", .most = 5000, .tolerance = 1e-10};
    double x[MOST_PARAMETERS], value;
    for (size_t k = 0; k < q->n; k++) x[k] = q->estimator ? cairn_log(q->theta[k]) : q->theta[k];
    CHECK(negated(ctx, q, x, &value));
    if (!isfinite(value))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the likelihood has no logarithm at {start}; begin where every value is "
                          "possible");
    CHECK(cairn_downhill(ctx, &valley, x, &value, &progress));
    q->steps = progress.iterations;
    for (size_t k = 0; k < q->n; k++) q->theta[k] = q->estimator ? cairn_exp(x[k]) : x[k];
    q->likelihood = -value;
    bool far = !isfinite(value);
    for (size_t k = 0; k < q->n; k++) far |= !(fabs(q->theta[k]) < 1e12);
    if (!far && progress.converged) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      q->estimator ? "the likelihood was still growing after %zu steps: no "
                                     "parameters of this {law} make it the greatest"
                                   : "the likelihood was still growing after %zu steps: it has no "
                                     "greatest value, or another {start} is needed",
                      q->steps);
}

/* -- reading -- */

/* Squares are summed about the mean, so that large values lose no digits. */
static cairn_status read_sample(cairn_context *ctx, cairn_fit *fit, const estimate_params *p,
                                const cairn_compute_job *job)
{
    cairn_numbers_options options = {
        .values = p->values, .weights = p->weights, .column = p->column};
    cairn_numbers numbers;
    CHECK(cairn_numbers_get(ctx, &numbers, &options, job->table, "estimate"));
    CHECK(cairn_numbers_sample(ctx, &fit->sample, &numbers, -1));
    const cairn_sample *s = &fit->sample;
    if (!s->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "no number is left in %s", numbers.name);
    fit->n = s->total;
    for (size_t i = 0; i < s->n; i++) fit->sum += (s->weights ? s->weights[i] : 1) * s->values[i];
    fit->mean = fit->sum / fit->n;
    for (size_t i = 0; i < s->n; i++) {
        double apart = s->values[i] - fit->mean;
        fit->squares += (s->weights ? s->weights[i] : 1) * apart * apart;
    }
    if (!isfinite(fit->squares)) return fail_overflow(ctx);
    fit->low = s->values[0];
    fit->high = s->values[s->n - 1];
    return CAIRN_OK;
}

/* A value that the law cannot have made is named. */
static cairn_status check_values(cairn_context *ctx, const problem *q)
{
    const cairn_sample *s = &q->fit.sample;
    char text[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < s->n; i++) {
        if (q->estimator->takes(&q->fit, s->values[i])) continue;
        cairn_number_format(text, s->values[i], 10);
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a value of the law '%s' is %s, and %s is not",
                          q->estimator->law, q->estimator->domain, text);
    }
    return CAIRN_OK;
}

/* The names of a law's free parameters, out of "mean,deviation". */
static cairn_status name_parameters(cairn_context *ctx, problem *q)
{
    char **names;
    size_t n;
    CHECK(cairn_list_split(ctx, q->fit.law->parameters, &names, &n));
    for (size_t k = 0; k < q->n; k++) q->names[k] = names[q->estimator->first + k];
    return CAIRN_OK;
}

/* Laws without a closed form start from a rough estimate and climb from there. */
static cairn_status solve_law(cairn_context *ctx, problem *q, const estimate_params *p)
{
    cairn_fit *fit = &q->fit;
    q->estimator = estimator_find(p->law);
    if (!q->estimator)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{law}: '%s' is not a law that can be fitted; there are categorical, "
                          "multinomial, multivariate-bernoulli, multivariate-normal, %s",
                          p->law, estimator_names);
    fit->law = cairn_law_find(p->law);
    fit->trials = p->trials;
    fit->least = fit->law->shifts ? p->support : 0;
    fit->less_one = p->divisor == CAIRN_DIVISOR_N_1;
    if (cairn_same(p->law, "binomial") && !(p->trials > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "a binomial law needs its number of {trials}");
    q->n = q->estimator->n_free;
    CHECK(check_values(ctx, q));
    CHECK(name_parameters(ctx, q));
    fit_add_up(fit);
    if (!q->estimator->solve(fit) || !cairn_law_takes(fit->law, fit->p[0], fit->p[1]))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the likelihood of the law '%s' has no greatest value here: %s", p->law,
                          q->estimator->no_maximum ? q->estimator->no_maximum
                                                   : "its parameters are out of range");
    for (size_t k = 0; k < q->n; k++) q->theta[k] = fit->p[q->estimator->first + k];
    if (q->estimator->numeric) CHECK(climb(ctx, q));
    for (size_t k = 0; k < q->n; k++) fit->p[q->estimator->first + k] = q->theta[k];
    q->likelihood = fit_likelihood(fit, fit->p);
    return CAIRN_OK;
}

/* "m=0,s=1": a name and a number for each parameter. */
static cairn_status read_start(cairn_context *ctx, problem *q, const char *start)
{
    char **items;
    if (!start)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{start} names the parameters of the {likelihood} and says where the "
                          "search begins: p=0.5");
    CHECK(cairn_list_split(ctx, start, &items, &q->n));
    if (q->n < 1 || q->n > MOST_PARAMETERS)
        return cairn_fail(ctx, CAIRN_USAGE, "{start} names from 1 to %d parameters, not %zu",
                          MOST_PARAMETERS, q->n);
    for (size_t k = 0; k < q->n; k++) {
        char *mark = strchr(items[k], '=');
        if (!mark || mark == items[k] ||
            !cairn_number_parse(mark + 1, strlen(mark + 1), &q->theta[k]) || !isfinite(q->theta[k]))
            return cairn_fail(ctx, CAIRN_USAGE, "{start}: '%s' is not NAME=NUMBER", items[k]);
        *mark = 0;
        q->names[k] = items[k];
        bool taken = cairn_same(items[k], "x");
        for (size_t j = 0; j < k; j++) taken |= cairn_same(items[k], q->names[j]);
        if (taken) return cairn_fail(ctx, CAIRN_USAGE, "{start}: the name '%s' is taken", items[k]);
    }
    return CAIRN_OK;
}

static cairn_status solve_typed(cairn_context *ctx, problem *q, const estimate_params *p)
{
    CHECK(read_start(ctx, q, p->start));
    q->expression = p->likelihood;
    q->logged = p->logged;
    CHECK(SCRATCH(ctx, &q->terms, q->fit.sample.n));
    for (size_t k = 0; k < q->n; k++) CHECK(SCRATCH(ctx, &q->columns[k], q->fit.sample.n));
    return climb(ctx, q);
}

static cairn_status solve_problem(cairn_context *ctx, problem *q, const cairn_compute_job *job)
{
    const estimate_params *p = job->params;
    *q = (problem){0};
    if (!p->law == !p->likelihood)
        return cairn_fail(ctx, CAIRN_USAGE, "say what is fitted: a {law} or a {likelihood}");
    CHECK(read_sample(ctx, &q->fit, p, job));
    return p->law ? solve_law(ctx, q, p) : solve_typed(ctx, q, p);
}

/* -- showing -- */

static void show_estimates(cairn_report *out, const problem *q)
{
    cairn_report_table_of(out, "Estimates", 0, "lr", "parameter", "estimate");
    for (size_t k = 0; k < q->n; k++) {
        cairn_report_cells(out, "- estimate.$1", q->names[k], q->theta[k]);
    }
    cairn_report_value(out, "values", q->fit.n, "n");
    cairn_report_value(out, "log-likelihood", q->likelihood, "log-likelihood");
    if (q->estimator && cairn_same(q->estimator->law, "normal"))
        cairn_report_value(out, q->fit.less_one ? "variance, by n − 1" : "variance, by n",
                           q->theta[1] * q->theta[1], "estimate.variance");
    if (q->fit.law && q->fit.law->shifts)
        cairn_report_paragraph(out, "%s; counted from %d.", q->fit.law->formula, (int)q->fit.least);
}

static void show_work(cairn_report *out, const problem *q)
{
    const cairn_estimator *e = q->estimator;
    cairn_report_step_begin(out, "Where the likelihood is the greatest");
    if (e && e->likelihood)
        cairn_report_formula(out, "%s", e->likelihood);
    else if (e)
        cairn_report_formula(out, "L = Σ ln f(x),   %s", q->fit.law->formula);
    else
        cairn_report_formula(out, q->logged ? "L = Σ (%s)" : "L = Σ ln(%s)", q->expression);
    if (e && e->zero) cairn_report_formula(out, "slope: %s", e->zero);
    if (e && e->work) e->work(out, &q->fit);
    if (q->steps)
        cairn_report_paragraph(out,
                               "No closed form: found by %zu steps of the method of Nelder "
                               "and Mead.",
                               q->steps);
    for (size_t k = 0; q->steps && k < q->n; k++)
        cairn_report_worked(out, q->names[k], "#", q->theta[k]);
    cairn_report_worked(out, "L", "#", q->likelihood);
    cairn_report_step_end(out);
}

/* -- pictures -- */

/* Whether the likelihood has fallen far, or is none, at so much of the first parameter. */
static cairn_status has_fallen(cairn_context *ctx, const problem *q, double first, bool *out)
{
    double theta[MOST_PARAMETERS], value;
    memcpy(theta, q->theta, sizeof theta);
    theta[0] = first;
    CHECK(likelihood_at(ctx, q, theta, &value));
    *out = !isfinite(value) || q->likelihood - value > drop;
    return CAIRN_OK;
}

/* How far the first parameter goes to one side before the likelihood has fallen: steps that double
 * and then a bisection. */
static cairn_status reach(cairn_context *ctx, const problem *q, double sign, double *out)
{
    double low = 0, high = 1e-4 * fmax(fabs(q->theta[0]), 1e-3);
    bool fallen = false;
    for (int i = 0; i < 40 && !fallen; i++) {
        CHECK(has_fallen(ctx, q, q->theta[0] + sign * high, &fallen));
        if (!fallen) low = high, high *= 2;
    }
    for (int i = 0; i < 12 && fallen; i++) {
        double middle = low + (high - low) / 2;
        bool beyond;
        CHECK(has_fallen(ctx, q, q->theta[0] + sign * middle, &beyond));
        if (beyond)
            high = middle;
        else
            low = middle;
    }
    *out = q->theta[0] + sign * low;
    return CAIRN_OK;
}

/* Only the first parameter moves; the curve ends where it has fallen too far to matter. */
static cairn_status likelihood_figure(cairn_context *ctx, cairn_figure **out, const problem *q)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    double low, high, theta[MOST_PARAMETERS], x[CURVE_POINTS], y[CURVE_POINTS];
    size_t n = q->fit.sample.n < MANY_ROWS ? CURVE_POINTS : CURVE_POINTS / 4;
    memcpy(theta, q->theta, sizeof theta);
    CHECK(reach(ctx, q, -1, &low));
    CHECK(reach(ctx, q, 1, &high));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "drawing", (double)i, (double)n));
        x[i] = theta[0] = low + (high - low) * (double)i / (double)(n - 1);
        CHECK(likelihood_at(ctx, q, theta, &y[i]));
        if (!(y[i] >= q->likelihood - drop)) y[i] = NAN;
    }
    CHECK(cairn_figure_new(ctx, &figure, "likelihood",
                           q->n > 1 ? "Log-likelihood, the others at their estimates"
                                    : "Log-likelihood"));
    cairn_figure_axes(figure, q->names[0], "L");
    cairn_figure_line(figure, NULL, x, y, n);
    cairn_figure_y_range(figure, q->likelihood - drop, NAN);
    cairn_figure_mark(figure, "estimate", q->theta[0], q->likelihood);
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* Shares of the values and the fitted mass, side by side; numbers beyond the last bar are left
 * out. */
static cairn_status draw_mass(cairn_context *ctx, cairn_figure *figure, const cairn_fit *fit)
{
    size_t n = fit->high - fit->low < MOST_BARS ? (size_t)(fit->high - fit->low) + 1 : MOST_BARS;
    const cairn_sample *s = &fit->sample;
    const char **names;
    double *shares, *masses;
    CHECK(SCRATCH_EACH(ctx, n, &names, &shares, &masses));
    for (size_t i = 0; i < s->n; i++)
        if (s->values[i] - fit->low < (double)n)
            shares[(size_t)(s->values[i] - fit->low)] += (s->weights ? s->weights[i] : 1) / fit->n;
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        cairn_number_format(name, fit->low + (double)i, 10);
        names[i] = name;
        masses[i] = fit->law->density(fit->low + (double)i, fit->p[0], fit->p[1]);
    }
    cairn_figure_bars(figure, "values", names, shares, n);
    cairn_figure_bars(figure, "fitted", names, masses, n);
    return CAIRN_OK;
}

static cairn_status draw_density(cairn_context *ctx, cairn_figure *figure, const cairn_fit *fit)
{
    cairn_bins bins;
    double *heights, x[CURVE_POINTS], y[CURVE_POINTS];
    CHECK(cairn_bins_make(ctx, &bins, &(cairn_bin_options){0}, &fit->sample));
    CHECK(SCRATCH(ctx, &heights, bins.n));
    cairn_bins_count(heights, &bins, &fit->sample);
    for (size_t i = 0; i < bins.n; i++) heights[i] /= fit->n * (bins.edges[i + 1] - bins.edges[i]);
    double low = bins.edges[0], high = bins.edges[bins.n], buffer = (high - low) / 10;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        x[i] = low - buffer + (high - low + 2 * buffer) * (double)i / (CURVE_POINTS - 1);
        y[i] = fit->law->density(x[i], fit->p[0], fit->p[1]);
        if (isinf(y[i])) y[i] = NAN;
    }
    cairn_figure_histogram(figure, "values", bins.edges, heights, bins.n);
    cairn_figure_line(figure, "fitted", x, y, CURVE_POINTS);
    return CAIRN_OK;
}

static cairn_status fit_figure(cairn_context *ctx, cairn_figure **out, const cairn_fit *fit)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(ctx, &figure, "fit", "Values and the fitted law"));
    cairn_figure_axes(figure, "x", fit->law->discrete ? "share" : "density");
    if (fit->law->discrete)
        CHECK(draw_mass(ctx, figure, fit));
    else
        CHECK(draw_density(ctx, figure, fit));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- the calculator -- */

/* Counts of a multinomial law that are typed for one vector are those of categories. */
static bool is_categorical(const estimate_params *p)
{
    return p->law &&
           (cairn_same(p->law, "categorical") || (cairn_same(p->law, "multinomial") && p->counts));
}

static bool is_of_vectors(const estimate_params *p)
{
    return p->law && is_vectors_estimate(p->law);
}

/* Categories and vectors have estimates of their own; a typed likelihood has no law to draw. */
static cairn_status estimate_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const estimate_params *p = job->params;
    cairn_figure *curve = NULL, *fitted = NULL;
    problem q;
    if (is_categorical(p)) return estimate_categories(ctx, out, job, p->counts, p->column);
    if (is_of_vectors(p))
        return estimate_vectors(
            ctx, out, job,
            &(vectors_source){p->law, p->points, &p->weights, p->divisor == CAIRN_DIVISOR_N_1});
    CHECK(solve_problem(ctx, &q, job));
    cairn_report_heading(out, 1, "Maximum likelihood: %s", p->law ? p->law : p->likelihood);
    show_estimates(out, &q);
    if (job->steps) show_work(out, &q);
    CHECK(likelihood_figure(ctx, &curve, &q));
    cairn_report_page_figure(out, curve);
    if (!q.fit.law) return CAIRN_OK;
    CHECK(fit_figure(ctx, &fitted, &q.fit));
    cairn_report_page_figure(out, fitted);
    return CAIRN_OK;
}

/* The curve of the likelihood, and beside it the law that was fitted. */
static cairn_status estimate_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    OWNED(cairn_figure_free) cairn_figure *both = NULL;
    cairn_figure *panel = NULL;
    problem q;
    if (is_categorical(job->params) || is_of_vectors(job->params))
        return cairn_fail(ctx, CAIRN_USAGE, "{law}: the likelihood of this law is no curve");
    CHECK(solve_problem(ctx, &q, job));
    CHECK(cairn_figure_new(ctx, &both, "estimate", "Maximum likelihood"));
    CHECK(likelihood_figure(ctx, &panel, &q));
    cairn_figure_panel(both, panel);
    if (q.fit.law) {
        CHECK(fit_figure(ctx, &panel, &q.fit));
        cairn_figure_panel(both, panel);
    }
    *out = TAKE(both);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_estimate = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "estimate",
              .also = "maximum likelihood, MLE, fit a distribution, likelihood, log-likelihood, "
                      "parameter estimation",
              .title = "Maximum likelihood estimates",
              .summary =
                  "The parameters of a law that make the values most probable, and the "
                  "log-likelihood there: by closed form for bernoulli, binomial (number of trials "
                  "known), categorical, exponential, geometric ((1 - p) p^x, counted from 0 or "
                  "1), multinomial, multivariate-bernoulli, normal and multivariate-normal "
                  "(variances by n), poisson and uniform, by search for beta, chi-squared, f, "
                  "gamma and t, and for a likelihood that is typed. Pictures show the curve of "
                  "the likelihood and the fitted law beside the values.",
              .references = "Lehmann and Casella: Theory of Point Estimation, 1998; Nelder and "
                            "Mead: A simplex method for function minimization, 1965",
              .example =
                  "cairn compute estimate --law poisson --values 5,2,12,9,15,6,25,16 --steps",
              .params = estimate_table,
              .params_size = sizeof(estimate_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "estimate",
                .also = "likelihood curve, fitted distribution",
                .title = "Likelihood curve and fitted law",
                .summary = "The log-likelihood as a function of the parameter, with the estimate "
                           "marked, and the fitted law beside the values.",
                .example = "cairn draw estimate --law poisson --values 5,2,12,9,15,6,25,16 --out "
                           "estimate.svg",
                .params = estimate_table,
                .params_size = sizeof(estimate_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = estimate_run,
    .draw = estimate_draw,
};
