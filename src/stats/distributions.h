/* SPDX-License-Identifier: MIT */
/* Probability distributions: density, lower tail P(X <= x), upper tail P(X > x), and quantiles of
 * both: quantile(p) has the lower tail p, quantile_upper(q) the upper tail q, which reaches where
 * 1 - q would be rounded to 1.
 *
 * The relative error is about 1e-13 for parameters up to a million and 1e-12 beyond, also far out
 * in the tails. Parameters outside their range, probabilities outside 0 .. 1 and NaN give NaN; a
 * point outside the support has the density 0 and tails 0 and 1. Degrees of freedom may be any
 * positive numbers; those of t and F may be infinite. */
#ifndef CAIRN_STATS_DISTRIBUTIONS_H
#define CAIRN_STATS_DISTRIBUTIONS_H

/* Standard normal. */
#include <stdbool.h>

double cairn_normal_density(double x);
double cairn_normal_lower(double x);
double cairn_normal_upper(double x);
double cairn_normal_quantile(double p);
double cairn_normal_quantile_upper(double q);

/* Student's t with df degrees of freedom. */
double cairn_t_density(double x, double df);
double cairn_t_lower(double x, double df);
double cairn_t_upper(double x, double df);
double cairn_t_quantile(double p, double df);
double cairn_t_quantile_upper(double q, double df);

/* Chi-squared. */
double cairn_chi2_density(double x, double df);
double cairn_chi2_lower(double x, double df);
double cairn_chi2_upper(double x, double df);
double cairn_chi2_quantile(double p, double df);
double cairn_chi2_quantile_upper(double q, double df);

/* F with df1 (numerator) and df2 (denominator) degrees of freedom. */
double cairn_f_density(double x, double df1, double df2);
double cairn_f_lower(double x, double df1, double df2);
double cairn_f_upper(double x, double df1, double df2);
double cairn_f_quantile(double p, double df1, double df2);
double cairn_f_quantile_upper(double q, double df1, double df2);

/* Gamma; the mean is shape * scale. */
double cairn_gamma_density(double x, double shape, double scale);
double cairn_gamma_lower(double x, double shape, double scale);
double cairn_gamma_upper(double x, double shape, double scale);
double cairn_gamma_quantile(double p, double shape, double scale);
double cairn_gamma_quantile_upper(double q, double shape, double scale);

/* Beta on 0 .. 1; the mean is a / (a + b). */
double cairn_beta_density(double x, double a, double b);
double cairn_beta_lower(double x, double a, double b);
double cairn_beta_upper(double x, double a, double b);
double cairn_beta_quantile(double p, double a, double b);
double cairn_beta_quantile_upper(double q, double a, double b);

/* Number of successes in n (whole) trials of chance p. The mass is 0 where k is not whole; the
 * tails are P(X <= k) and P(X > k); the quantile is the least k with P(X <= k) >= probability, the
 * upper one the least k with P(X > k) <= probability. */
double cairn_binomial_mass(double k, double n, double p);
double cairn_binomial_lower(double k, double n, double p);
double cairn_binomial_upper(double k, double n, double p);
double cairn_binomial_quantile(double probability, double n, double p);
double cairn_binomial_quantile_upper(double probability, double n, double p);

/* Events at a rate of at most 1e15; tails and quantiles as those of the binomial. */
double cairn_poisson_mass(double k, double rate);
double cairn_poisson_lower(double k, double rate);
double cairn_poisson_upper(double k, double rate);
double cairn_poisson_quantile(double probability, double rate);
double cairn_poisson_quantile_upper(double probability, double rate);

/* Studentized range: (largest - smallest) of `groups` >= 2 independent normals over an independent
 * estimate of their deviation with df degrees of freedom (may be infinite). Each value is a double
 * integral and takes milliseconds; the relative error is about 1e-12. */
double cairn_studentized_density(double x, double groups, double df);
double cairn_studentized_lower(double x, double groups, double df);
double cairn_studentized_upper(double x, double groups, double df);
double cairn_studentized_quantile(double p, double groups, double df);
double cairn_studentized_quantile_upper(double q, double groups, double df);

/* -- logarithms of tails, where the tails themselves are too small for a double, too -- */

double cairn_normal_log_upper(double x);
double cairn_t_log_upper(double x, double df);
double cairn_gamma_log_tail(double x, double shape, double scale, bool upper);
double cairn_beta_log_tail(double x, double a, double b, bool upper);
double cairn_f_log_tail(double x, double df1, double df2, bool upper);
double cairn_binomial_log_tail(double k, double n, double p, bool upper);
double cairn_poisson_log_tail(double k, double rate, bool upper);

#endif
