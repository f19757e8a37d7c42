/* SPDX-License-Identifier: MIT */
/* Maximum likelihood estimates of the named laws: see compute_estimate.c. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_ESTIMATORS_H
#define CAIRN_COMPUTE_PROBABILITIES_ESTIMATORS_H

#include "stats/laws.h"
#include "stats/summary.h"
#include "typed/calculator.h"

/* A sample, and the law that is fitted to it. */
typedef struct cairn_fit {
    const cairn_law *law;
    cairn_sample sample;
    double n, sum, mean, low, high; /* of the sample; n is its weight */
    double squares;                 /* Σ (x − mean)² */
    double trials, least;           /* known: of a binomial, of a geometric law */
    bool less_one;                  /* the variance of a normal law is divided by n − 1 */
    double p[2];                    /* the parameters of the law */
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
} cairn_estimator;

/* NULL when the law has no estimator. */
const cairn_estimator *cairn_estimator_find(const char *law);
/* "bernoulli, beta, ..." of all of them. Static. */
extern const char *const cairn_estimator_names;
/* Σ w ln f(x) with the parameters p. */
double cairn_fit_likelihood(const cairn_fit *fit, const double *p);

/* Mean and covariance (by n, or by n - 1) of typed points or of the number features of the job's
 * table: the multivariate normal law, whose mean has the least sum of squared Mahalanobis
 * distances. */
CAIRN_CHECKED cairn_status cairn_estimate_vectors(cairn_context *ctx, cairn_report *out,
                                                  const cairn_compute_job *job, const char *points,
                                                  bool less_one);

#endif
