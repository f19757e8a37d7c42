/* SPDX-License-Identifier: MIT */
/* Maximum likelihood estimates of the named laws: see compute_estimate.c. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_ESTIMATORS_H
#define CAIRN_COMPUTE_PROBABILITIES_ESTIMATORS_H

#include "stats/laws.h"
#include "stats/summary.h"
#include "model/calculator.h"

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

/* NULL when the law has no estimator. */
const cairn_estimator *cairn_estimator_find(const char *law);
/* "bernoulli, beta, ..." of all of them. Static. */
extern const char *const cairn_estimator_names;
/* s ln p, where 0 ln 0 is 0. */
double cairn_times_log(double s, double p);
/* The sums of the sample that `quick` needs. */
void cairn_fit_add_up(cairn_fit *fit);
/* Σ w ln f(x) with the parameters p, row by row. */
double cairn_fit_likelihood(const cairn_fit *fit, const double *p);

/* What an estimate of several numbers is made of: typed points, or where those are NULL the number
 * features of the job's table. */
typedef struct cairn_vectors_source {
    const char *law, *points, *weights; /* weights of typed points; NULL = all 1 */
    bool less_one;                      /* covariances are divided by n - 1 */
} cairn_vectors_source;

/* multinomial, multivariate-bernoulli, multivariate-normal */
bool cairn_is_vectors_estimate(const char *law);
/* One of these laws; a normal mean has the least sum of squared Mahalanobis distances. */
CAIRN_CHECKED cairn_status cairn_estimate_vectors(cairn_context *ctx, cairn_report *out,
                                                  const cairn_compute_job *job,
                                                  const cairn_vectors_source *source);
/* A categorical law of counts "fish=2,bird=3" or, where they are NULL, of a column of the job's
 * table (NULL = the target, or the first that holds levels). */
CAIRN_CHECKED cairn_status cairn_estimate_categories(cairn_context *ctx, cairn_report *out,
                                                     const cairn_compute_job *job,
                                                     const char *counts, const char *column);
/* The message of numbers whose squares overflow. */
cairn_status cairn_fail_overflow(cairn_context *ctx);

#endif
