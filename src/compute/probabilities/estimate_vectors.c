/* SPDX-License-Identifier: MIT */
/* The multivariate normal law of greatest likelihood.
 *
 *     −L = n ln E_d + ½ Σ Dis²,   Dis² = (x − μ)' Σ⁻¹ (x − μ)
 *
 * Whatever Σ is, the sum of squared distances is the least at the mean: −2 Σ⁻¹ Σ(x − μ) = 0. */
#include "compute/probabilities/estimators.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/linalg.h"
#include "typed/vectors.h"

#include <math.h>
#include <string.h>

static const double log_2pi = 1.83787706640934548356;

typedef struct vectors_fit {
    const double *points; /* n x d */
    const char **names;   /* d */
    size_t n, d;
    double *mean, *covariance;
    double divisor, log_scale, distances, likelihood;
} vectors_fit;

static cairn_status read_points(cairn_context *ctx, vectors_fit *f, const cairn_compute_job *job,
                                const char *points)
{
    cairn_class_points rows;
    if (points) {
        double *typed;
        CHECK(cairn_read_matrix(ctx, "points", points, &typed, &f->n, &f->d));
        f->points = typed;
        return cairn_coordinate_names(ctx, &f->names, f->d);
    }
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs DATA or {points 1,2;3,1;2,5}", job->what);
    CHECK(cairn_class_points_read(ctx, &rows, job->table, false, job->what));
    f->points = rows.points.values;
    f->names = rows.columns;
    f->n = rows.points.n;
    f->d = rows.points.width;
    return CAIRN_OK;
}

static cairn_status find_moments(cairn_context *ctx, vectors_fit *f)
{
    size_t n = f->n, d = f->d;
    CHECK(SCRATCH(ctx, &f->mean, d));
    CHECK(SCRATCH(ctx, &f->covariance, d * d));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) f->mean[j] += f->points[i * d + j];
    for (size_t j = 0; j < d; j++) f->mean[j] /= (double)n;
    for (size_t i = 0; i < n; i++) {
        const double *x = f->points + i * d;
        for (size_t j = 0; j < d; j++)
            for (size_t k = 0; k <= j; k++)
                f->covariance[j * d + k] += (x[j] - f->mean[j]) * (x[k] - f->mean[k]) / f->divisor;
    }
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < j; k++) f->covariance[k * d + j] = f->covariance[j * d + k];
    return CAIRN_OK;
}

/* The sum of the squared distances: tr(Σ⁻¹ Σ_n) n is n d where the divisor is n. */
static cairn_status find_likelihood(cairn_context *ctx, vectors_fit *f)
{
    size_t d = f->d, pivot;
    double *factor, condition, log_determinant = 0;
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
    f->likelihood = -(double)f->n * f->log_scale - f->distances / 2;
    return CAIRN_OK;
}

static void show_fit(cairn_report *out, const vectors_fit *f)
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
    cairn_report_value(out, "points", (double)f->n, "n");
    cairn_report_value(out, "log-likelihood", f->likelihood, "log-likelihood");
    cairn_report_value(out, "sum of squared Mahalanobis distances from the mean", f->distances,
                       "distances");
}

static void show_work(cairn_report *out, const vectors_fit *f)
{
    cairn_report_step_begin(out, "Where the likelihood is the greatest");
    cairn_report_formula(out, "−L = n ln E_d + ½ Σ Dis²,   Dis² = (x − μ)' Σ⁻¹ (x − μ)");
    cairn_report_formula(out, "slope in μ: −2 Σ⁻¹ Σ(x − μ) = 0, hence μ = the mean");
    for (size_t j = 0; j < f->d; j++)
        cairn_report_worked(out, f->names[j], "# / # = #", f->mean[j] * (double)f->n, (double)f->n,
                            f->mean[j]);
    cairn_report_worked(out, "ln E_d", "(d ln(2π) + ln |Σ|) / 2 = #", f->log_scale);
    cairn_report_worked(out, "L", "−#·# − #/2 = #", (double)f->n, f->log_scale, f->distances,
                        f->likelihood);
    cairn_report_step_end(out);
}

cairn_status cairn_estimate_vectors(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job, const char *points, bool less_one)
{
    vectors_fit f = {0};
    CHECK(read_points(ctx, &f, job, points));
    f.divisor = (double)f.n - less_one;
    if (!(f.divisor > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a covariance needs more than %zu point%s", f.n,
                          f.n == 1 ? "" : "s");
    CHECK(find_moments(ctx, &f));
    CHECK(find_likelihood(ctx, &f));
    cairn_report_heading(out, 1, "Maximum likelihood: multivariate-normal");
    show_fit(out, &f);
    if (job->steps) show_work(out, &f);
    return CAIRN_OK;
}
