/* SPDX-License-Identifier: MIT */
/* exp, log and their like with the same bits on every processor. The C library picks variants by
 * processor (with and without fused operations), whose last bits differ; these add, multiply,
 * divide and take roots only, in double and in pairs of doubles (base/pair.h). They are right to
 * 0.501 units of the last digit, exp, log, log2 and log1p to 0.55. Those cost what the C library's
 * cost, the others 40 to 200 ns. Special values (0, infinities, NaN, out of the domain) give what
 * C99 says. */
#ifndef CAIRN_BASE_FUNCTIONS_H
#define CAIRN_BASE_FUNCTIONS_H

double cairn_exp(double x);
double cairn_exp2(double x);
double cairn_expm1(double x);
double cairn_log(double x);
double cairn_log2(double x);
double cairn_log10(double x);
double cairn_log1p(double x);
/* Whole powers and roots that are doubles of less
 * than 17 digits are exact. */
double cairn_pow(double x, double y);
double cairn_cbrt(double x);

double cairn_sin(double x);
double cairn_cos(double x);
double cairn_tan(double x);
double cairn_asin(double x);
double cairn_acos(double x);
double cairn_atan(double x);
double cairn_atan2(double y, double x);
double cairn_sinh(double x);
double cairn_cosh(double x);
double cairn_tanh(double x);
double cairn_hypot(double x, double y);

double cairn_erf(double x);
double cairn_erfc(double x); /* right to one unit below 1e-290 */
/* ln |gamma(x)| for x > 0; of negative x near the zeros, which are no whole
 * numbers, only the absolute error is small. */
double cairn_lgamma(double x);

#endif
