/* SPDX-License-Identifier: MIT */
/* The named distributions of one number, all in one form: what a user may ask for by name. */
#ifndef CAIRN_STATS_LAWS_H
#define CAIRN_STATS_LAWS_H

#include <stdbool.h>
#include <stddef.h>

/* At a point, or for a probability, with the parameters a and b (unused where there is one). */
typedef double (*cairn_law_function)(double x, double a, double b);
typedef double (*cairn_law_moment)(double a, double b);

typedef struct cairn_law {
    const char *name, *parameters; /* "beta", "a,b" */
    size_t n_parameters;           /* 1 or 2 */
    cairn_law_function density, lower, upper, quantile, quantile_upper;
    cairn_law_function log_far; /* ln of the density where that is too small for a double */
    double (*log_tail)(double x, double a, double b, bool upper); /* NULL = that of the tail */
    cairn_law_moment mean, variance; /* NULL = no formula; NaN = there is none */
    bool discrete;                   /* the density is a probability */
    bool standard;                   /* parameters that are not given are 0 and 1 */
    bool shifts;                     /* b is the least point, 0 or 1, and no parameter */
    const char *formula, *mean_formula, *variance_formula;
} cairn_law;

/* Sorted by name. */
extern const cairn_law cairn_laws[];
extern const size_t cairn_n_laws;

/* NULL when there is none of that name. */
const cairn_law *cairn_law_find(const char *name);
/* Whether the law takes these parameters. */
bool cairn_law_takes(const cairn_law *law, double a, double b);
/* ln of the density, also where that underflows; -infinity outside the support. */
double cairn_law_log_density(const cairn_law *law, double x, double a, double b);
/* ln P(X ≤ x) or, `upper`, ln P(X > x), also where that underflows. */
double cairn_law_log_tail(const cairn_law *law, double x, double a, double b, bool upper);
/* ln of the multinomial mass of k counts, whose trials are their sum, at most 1e15. */
double cairn_multinomial_log(const double *x, const double *chances, size_t k);

#endif
