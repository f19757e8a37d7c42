/* SPDX-License-Identifier: MIT */
/* One record for each law: which numbers it can have made, its likelihood, and where that is the
 * greatest. */
#include "compute/probabilities/estimators.h"

#include "base/functions.h"
#include "stats/special.h"

#include <math.h>
#include <string.h>

const char *const cairn_estimator_names =
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

double cairn_times_log(double s, double p)
{
    return s > 0 ? s * cairn_log(p) : 0;
}

static double bernoulli_sums(const cairn_fit *fit, const double *p)
{
    return cairn_times_log(fit->sum, p[0]) + cairn_times_log(fit->n - fit->sum, 1 - p[0]);
}

static double binomial_sums(const cairn_fit *fit, const double *p)
{
    return fit->constant + cairn_times_log(fit->sum, p[1]) +
           cairn_times_log(fit->trials * fit->n - fit->sum, 1 - p[1]);
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
    return fit->n * cairn_log1p(-p[0]) + cairn_times_log(fit->sum - fit->n * fit->least, p[0]);
}

static double normal_sums(const cairn_fit *fit, const double *p)
{
    double off = fit->mean - p[0], squares = fit->squares + fit->n * off * off;
    return -fit->n * (cairn_log(p[1]) + 0.91893853320467274178) - squares / (2 * p[1] * p[1]);
}

static double poisson_sums(const cairn_fit *fit, const double *p)
{
    return fit->constant + cairn_times_log(fit->sum, p[0]) - fit->n * p[0];
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

const cairn_estimator *cairn_estimator_find(const char *law)
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

void cairn_fit_add_up(cairn_fit *fit)
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

double cairn_fit_likelihood(const cairn_fit *fit, const double *p)
{
    const cairn_sample *s = &fit->sample;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += weight_of(s, i) * cairn_law_log_density(fit->law, s->values[i], p[0], p[1]);
    return sum;
}

cairn_status cairn_fail_overflow(cairn_context *ctx)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the numbers are so large that the sum of their squares overflows; divide "
                      "them by a power of ten");
}
