/* SPDX-License-Identifier: MIT */
/* Laws of several numbers of greatest likelihood. Of the normal one
 *
 *     −L = n ln E_d + ½ Σ Dis²,   Dis² = (x − μ)' Σ⁻¹ (x − μ)
 *
 * Whatever Σ is, the sum of squared distances is the least at the mean: −2 Σ⁻¹ Σ(x − μ) = 0. Of
 * bits and counts the chances are shares. Weights count as repeated rows. */
#include "compute/probabilities/estimators.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/linalg.h"
#include "typed/vectors.h"

#include <math.h>
#include <string.h>

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

static double weight_of(const vectors_fit *f, size_t i)
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
        double share = weight_of(f, i) / f->divisor;
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
static cairn_status solve_normal(cairn_context *ctx, vectors_fit *f)
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
        cairn_report_cell(out, f->names[j]);
        cairn_report_cell_number(out, f->mean[j], 0, "estimate.mean.%s", key);
        for (size_t k = 0; k < f->d; k++)
            cairn_report_cell_number(out, f->covariance[j * f->d + k], 0,
                                     "estimate.covariance.%s.%s", key,
                                     cairn_report_key(out, f->names[k]));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "sum of squared Mahalanobis distances from the mean", f->distances,
                       "distances");
}

static void work_normal(cairn_report *out, const vectors_fit *f)
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
        f->likelihood += cairn_times_log(f->sums[j], f->mean[j]) +
                         cairn_times_log(f->n - f->sums[j], (f->n - f->sums[j]) / f->n);
    return CAIRN_OK;
}

static cairn_status solve_counts(cairn_context *ctx, vectors_fit *f)
{
    for (size_t j = 0; j < f->d; j++) f->counted += f->sums[j];
    if (!(f->counted > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "the vectors count nothing");
    for (size_t j = 0; j < f->d; j++) f->mean[j] = f->sums[j] / f->counted;
    for (size_t i = 0; i < f->rows; i++)
        f->likelihood +=
            weight_of(f, i) * cairn_multinomial_log(f->points + i * f->d, f->mean, f->d);
    return CAIRN_OK;
}

static void show_chances(cairn_report *out, const vectors_fit *f)
{
    cairn_report_table_of(out, "Estimates", 0, "lrr", "number", "sum", "probability");
    for (size_t j = 0; j < f->d; j++) {
        cairn_report_cell(out, f->names[j]);
        cairn_report_cell_number(out, f->sums[j], 0, NULL);
        cairn_report_cell_number(out, f->mean[j], 0, "estimate.%s",
                                 cairn_report_key(out, f->names[j]));
    }
    cairn_report_table_end(out);
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
    {"multivariate-normal", "finite", takes_finite, solve_normal, show_normal, work_normal},
};

static const vectors_law *find_law(const char *name)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (strcmp(laws[i].name, name) == 0) return &laws[i];
    return NULL;
}

bool cairn_is_vectors_estimate(const char *law)
{
    return find_law(law) != NULL;
}

/* -- reading -- */

static cairn_status read_weights(cairn_context *ctx, vectors_fit *f, const char *typed)
{
    double *weights;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "weights", typed, &weights, &n));
    if (n != f->rows)
        return cairn_fail(ctx, CAIRN_USAGE, "{weights} has %zu entries for %zu points", n, f->rows);
    for (size_t i = 0; i < n; i++)
        if (!(weights[i] >= 0 && isfinite(weights[i])))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{weights}: weights are finite and not negative, but number %zu is "
                              "not",
                              i + 1);
    f->weights = weights;
    return CAIRN_OK;
}

static cairn_status read_typed(cairn_context *ctx, vectors_fit *f,
                               const cairn_vectors_source *source)
{
    double *typed;
    CHECK(cairn_read_matrix(ctx, "points", source->points, &typed, &f->rows, &f->d));
    f->points = typed;
    if (source->weights) CHECK(read_weights(ctx, f, source->weights));
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

static cairn_status check_points(cairn_context *ctx, const vectors_fit *f, const vectors_law *law)
{
    for (size_t i = 0; i < f->rows; i++)
        if (!law->takes(f->points + i * f->d, f->d))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the numbers of the law '%s' are %s, and those of point %zu are not",
                              law->name, law->domain, i + 1);
    return CAIRN_OK;
}

/* Sums and means; they overflow where the numbers are too large to be fitted. */
static cairn_status add_up(cairn_context *ctx, vectors_fit *f)
{
    double spread = 0;
    CHECK(SCRATCH(ctx, &f->sums, f->d));
    CHECK(SCRATCH(ctx, &f->mean, f->d));
    for (size_t i = 0; i < f->rows; i++) {
        f->n += weight_of(f, i);
        for (size_t j = 0; j < f->d; j++) {
            f->sums[j] += weight_of(f, i) * f->points[i * f->d + j];
            spread += weight_of(f, i) * f->points[i * f->d + j] * f->points[i * f->d + j];
        }
    }
    if (!(f->n > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no point that weighs");
    if (!isfinite(spread)) return cairn_fail_overflow(ctx);
    for (size_t j = 0; j < f->d; j++) f->mean[j] = f->sums[j] / f->n;
    return CAIRN_OK;
}

cairn_status cairn_estimate_vectors(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job,
                                    const cairn_vectors_source *source)
{
    const vectors_law *law = find_law(source->law);
    vectors_fit f = {0};
    CHECK(source->points ? read_typed(ctx, &f, source) : read_table(ctx, &f, job));
    CHECK(check_points(ctx, &f, law));
    CHECK(add_up(ctx, &f));
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
