/* SPDX-License-Identifier: MIT */
/* The distributions, on top of the gamma and beta tails of special.h and of erfc.
 *
 * chi-squared is a gamma distribution; t, F and the binomial are beta distributions, cut at a point
 * whose distance from 0, from 1 and from the mean are each computed from the arguments, so that
 * none of them is a rounded difference. Quantiles are found on the scale of log x or log(x/(1-x)),
 * where the logarithm of a tail is concave and Newton's method converges from everywhere. */
#include "stats/distributions.h"
#include "stats/special.h"
#include "base/functions.h"
#include <float.h>
#include <math.h>

static const double log_sqrt_2pi = 0.91893853320467274178;

/* From so many degrees of freedom on, t and F differ from their limits by less than rounding. */
static bool is_endless(double df)
{
    return df >= 1e20;
}

static bool is_probability(double p)
{
    return p >= 0 && p <= 1;
}

/* x^2/2 with the error of the square, so that exp(-37^2/2) keeps its digits. */
double cairn_normal_density(double x)
{
    double square = x * x, lost = fma(x, x, -square);
    if (isinf(square)) return 0;
    return cairn_exp(-square / 2) * (1 - lost / 2) * 0.39894228040143267794;
}

double cairn_normal_upper(double x)
{
    /* x / sqrt(2) = z + rest */
    const double root = 0.70710678118654752440, root_rest = -4.8336466567264565e-17;
    double z = x * root;
    if (!isfinite(z)) return isnan(x) ? x : x > 0 ? 0 : 1;
    double rest = fma(x, root, -z) + x * root_rest;
    return 0.5 * (cairn_erfc(z) - 1.1283791670955125739 * cairn_exp(-z * z) * rest);
}

double cairn_normal_lower(double x)
{
    return cairn_normal_upper(-x);
}

/* The x >= 0 whose upper tail is q <= 1/2: a rational guess with three good digits, then Halley. */
static double normal_above(double q)
{
    if (q == 0) return INFINITY;
    double t = sqrt(-2 * cairn_log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    if (x < 0) x = 0;
    for (int i = 0; i < 3; i++) {
        double error = x < 0.7 ? (0.5 - q) - 0.5 * cairn_erf(x * 0.70710678118654752440)
                               : cairn_normal_upper(x) - q;
        double step = error / cairn_normal_density(x);
        x += step / (1 - step * x / 2);
    }
    return x;
}

double cairn_normal_quantile_upper(double q)
{
    if (!is_probability(q)) return NAN;
    return q <= 0.5 ? normal_above(q) : -normal_above(1 - q);
}

double cairn_normal_quantile(double p)
{
    return 0 - cairn_normal_quantile_upper(p);
}

/* Beyond this logarithm tails follow a power law to the last digit, and x itself may underflow. */
enum { FAR = 500 };

/* Gamma cut at x = exp(z). */
static cairn_tail gamma_tail_at(double z, double shape)
{
    if (z >= -FAR) return cairn_gamma_tail(cairn_exp(fmin(z, 709)), shape);
    cairn_tail tail = cairn_gamma_tail(cairn_exp(-FAR), shape);
    double log_lower = cairn_tail_log(tail, false) + shape * (z + FAR);
    return (cairn_tail){log_lower, false, tail.log_slope + shape * (z + FAR)};
}

/* Beta cut at x = 1/(1 + exp(-z)). */
static cairn_tail beta_tail_at(double z, double a, double b)
{
    double r = cairn_exp(fmax(-FAR, fmin(z, FAR))), y = 1 / (1 + r), x = r * y;
    cairn_tail tail = cairn_beta_tail(x, y, a, b, (a - b * r) * y);
    if (fabs(z) <= FAR) return tail;
    double change = z < 0 ? a * (z + FAR) : b * (FAR - z);
    return (cairn_tail){cairn_tail_log(tail, z > 0) + change, z > 0, tail.log_slope + change};
}

typedef struct quantile_problem {
    double a, b, log_probability;
    bool upper;
} quantile_problem;

/* Value and slope of the logarithm of the wanted tail, with the sign that makes it increase. */
static void compare_tail(cairn_tail tail, const quantile_problem *problem, double *value,
                         double *slope)
{
    double log_tail = cairn_tail_log(tail, problem->upper);
    *value = log_tail - problem->log_probability;
    *slope = cairn_exp(tail.log_slope - log_tail);
    if (problem->upper) *value = -*value;
}

static void compare_gamma(double z, double *value, double *slope, const void *data)
{
    const quantile_problem *problem = data;
    compare_tail(gamma_tail_at(z, problem->a), problem, value, slope);
}

static void compare_beta(double z, double *value, double *slope, const void *data)
{
    const quantile_problem *problem = data;
    compare_tail(beta_tail_at(z, problem->a, problem->b), problem, value, slope);
}

/* log of the gamma quantile; the smaller tail is matched. */
static double log_gamma_quantile(double p, bool upper, double shape)
{
    if (p > 0.5) p = 1 - p, upper = !upper;
    quantile_problem problem = {.a = shape, .log_probability = cairn_log(p), .upper = upper};
    /* the normal approximation of the cube root, or the first term of the series near 0 */
    double normal = normal_above(p), ninth = 1 / (9 * shape);
    double cube = 1 - ninth + (upper ? normal : -normal) * sqrt(ninth);
    double start = cube > 0.1 ? cairn_log(shape) + 3 * cairn_log(cube) : cairn_log(shape) - 7;
    if (!upper) start = fmin(start, (cairn_log(p) + cairn_lgamma(shape + 1)) / shape + 1);
    return cairn_find_root(compare_gamma, &problem, start);
}

/* log(x / (1 - x)) of the beta quantile; the smaller tail is matched. */
static double logit_beta_quantile(double p, bool upper, double a, double b)
{
    if (p > 0.5) p = 1 - p, upper = !upper;
    quantile_problem problem = {a, b, cairn_log(p), upper};
    return cairn_find_root(compare_beta, &problem, cairn_log(a / b));
}

/* Density at x of a variable whose density with respect to log x is known. */
static double density_from(cairn_tail tail, double x)
{
    return cairn_exp(tail.log_slope - cairn_log(x));
}

/* Density at the lower end of a support, where it goes like x^(power - 1). */
static double density_at_end(double power, double value)
{
    return power < 1 ? INFINITY : power > 1 ? 0 : value;
}

static bool is_gamma(double shape, double scale)
{
    return shape > 0 && scale > 0 && isfinite(shape) && isfinite(scale);
}

static cairn_tail gamma_cut_at(double x, double shape, double scale)
{
    double ratio = x / scale;
    if (ratio > 1e-200 && isfinite(ratio)) return cairn_gamma_tail(ratio, shape);
    return gamma_tail_at(cairn_log(x) - cairn_log(scale), shape);
}

double cairn_gamma_density(double x, double shape, double scale)
{
    if (isnan(x) || !is_gamma(shape, scale)) return NAN;
    if (x < 0 || isinf(x)) return 0;
    if (x == 0) return density_at_end(shape, 1 / scale);
    return density_from(gamma_cut_at(x, shape, scale), x);
}

static double gamma_side(double x, double shape, double scale, bool upper)
{
    if (isnan(x) || !is_gamma(shape, scale)) return NAN;
    if (x <= 0 || isinf(x)) return upper == (x <= 0);
    return cairn_tail_value(gamma_cut_at(x, shape, scale), upper);
}

double cairn_gamma_lower(double x, double shape, double scale)
{
    return gamma_side(x, shape, scale, false);
}

double cairn_gamma_upper(double x, double shape, double scale)
{
    return gamma_side(x, shape, scale, true);
}

static double gamma_quantile(double p, bool upper, double shape, double scale)
{
    if (!is_probability(p) || !is_gamma(shape, scale)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0) ? INFINITY : 0;
    return scale * cairn_exp(log_gamma_quantile(p, upper, shape));
}

double cairn_gamma_quantile(double p, double shape, double scale)
{
    return gamma_quantile(p, false, shape, scale);
}

double cairn_gamma_quantile_upper(double q, double shape, double scale)
{
    return gamma_quantile(q, true, shape, scale);
}

double cairn_chi2_density(double x, double df)
{
    return cairn_gamma_density(x, df / 2, 2);
}

double cairn_chi2_lower(double x, double df)
{
    return cairn_gamma_lower(x, df / 2, 2);
}

double cairn_chi2_upper(double x, double df)
{
    return cairn_gamma_upper(x, df / 2, 2);
}

double cairn_chi2_quantile(double p, double df)
{
    return cairn_gamma_quantile(p, df / 2, 2);
}

double cairn_chi2_quantile_upper(double q, double df)
{
    return cairn_gamma_quantile_upper(q, df / 2, 2);
}

static bool is_beta(double a, double b)
{
    return a > 0 && b > 0 && isfinite(a) && isfinite(b);
}

static cairn_tail beta_cut_at(double x, double a, double b)
{
    if (x < 1e-200) return beta_tail_at(cairn_log(x), a, b);
    return cairn_beta_tail(x, 1 - x, a, b, cairn_beta_excess(x, a, b));
}

double cairn_beta_density(double x, double a, double b)
{
    if (isnan(x) || !is_beta(a, b)) return NAN;
    if (x < 0 || x > 1) return 0;
    if (x == 0) return density_at_end(a, b);
    if (x == 1) return density_at_end(b, a);
    return cairn_exp(beta_cut_at(x, a, b).log_slope - cairn_log(x) - cairn_log1p(-x));
}

static double beta_side(double x, double a, double b, bool upper)
{
    if (isnan(x) || !is_beta(a, b)) return NAN;
    if (x <= 0 || x >= 1) return upper == (x <= 0);
    return cairn_tail_value(beta_cut_at(x, a, b), upper);
}

double cairn_beta_lower(double x, double a, double b)
{
    return beta_side(x, a, b, false);
}

double cairn_beta_upper(double x, double a, double b)
{
    return beta_side(x, a, b, true);
}

static double beta_quantile(double p, bool upper, double a, double b)
{
    if (!is_probability(p) || !is_beta(a, b)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0);
    double z = logit_beta_quantile(p, upper, a, b);
    return z < 0 ? cairn_exp(z) / (1 + cairn_exp(z)) : 1 / (1 + cairn_exp(-z));
}

double cairn_beta_quantile(double p, double a, double b)
{
    return beta_quantile(p, false, a, b);
}

double cairn_beta_quantile_upper(double q, double a, double b)
{
    return beta_quantile(q, true, a, b);
}

/* log of Gamma(a + 1/2) / Gamma(a), less half the log of 2 pi a: the density at 0 for df = 2a. */
double cairn_t_density(double x, double df)
{
    if (isnan(x) || !(df > 0)) return NAN;
    if (is_endless(df)) return cairn_normal_density(x);
    double a = df / 2, size = fabs(x);
    double log_peak = cairn_stirling_error(a + 0.5) - cairn_stirling_error(a) +
                      a * cairn_log1p_minus(0.5 / a) - log_sqrt_2pi;
    double stretch =
        size > 1e100 ? 2 * cairn_log(size) - cairn_log(df) : cairn_log1p(size * size / df);
    return cairn_exp(log_peak - (a + 0.5) * stretch);
}

/* Upper tail at x >= 0: half that of the beta variable x^2 / (df + x^2). */
static double t_above(double x, double df)
{
    if (is_endless(df)) return cairn_normal_upper(x);
    if (isinf(x)) return 0;
    double square = x * x, r = square / df, w = 1 / (1 + r);
    if (square < 1e-100) return 0.5 - x * cairn_t_density(0, df);
    if (!(r > 1e-200 && r < 1e200)) {
        double z = 2 * cairn_log(x) - cairn_log(df);
        return cairn_tail_value(beta_tail_at(z, 0.5, df / 2), true) / 2;
    }
    return cairn_tail_value(cairn_beta_tail(r * w, w, 0.5, df / 2, (1 - square) / 2 * w), true) / 2;
}

double cairn_t_upper(double x, double df)
{
    if (isnan(x) || !(df > 0)) return NAN;
    return x < 0 ? 1 - t_above(-x, df) : t_above(x, df);
}

double cairn_t_lower(double x, double df)
{
    return cairn_t_upper(-x, df);
}

/* The x >= 0 whose upper tail is q <= 1/2. */
static double t_quantile_above(double q, double df)
{
    double middle = 0.5 - q;
    if (q == 0) return INFINITY;
    if (is_endless(df)) return normal_above(q);
    if (middle < 1e-30) return middle / cairn_t_density(0, df);
    double z = q < 0.25 ? logit_beta_quantile(2 * q, true, 0.5, df / 2)
                        : logit_beta_quantile(2 * middle, false, 0.5, df / 2);
    return cairn_exp(z / 2 + cairn_log(df) / 2);
}

double cairn_t_quantile_upper(double q, double df)
{
    if (!is_probability(q) || !(df > 0)) return NAN;
    return q <= 0.5 ? t_quantile_above(q, df) : -t_quantile_above(1 - q, df);
}

double cairn_t_quantile(double p, double df)
{
    return 0 - cairn_t_quantile_upper(p, df);
}

static bool is_f(double df1, double df2)
{
    return df1 > 0 && df2 > 0 && !(is_endless(df1) && is_endless(df2));
}

static cairn_tail f_cut_at(double x, double df1, double df2)
{
    double r = df1 / df2 * x, y = 1 / (1 + r);
    if (!(r > 1e-200 && r < 1e200))
        return beta_tail_at(cairn_log(x) + cairn_log(df1) - cairn_log(df2), df1 / 2, df2 / 2);
    return cairn_beta_tail(r * y, y, df1 / 2, df2 / 2, df1 / 2 * (1 - x) * y);
}

double cairn_f_density(double x, double df1, double df2)
{
    if (isnan(x) || !is_f(df1, df2)) return NAN;
    if (x < 0 || isinf(x)) return 0;
    if (is_endless(df2)) return df1 * cairn_chi2_density(df1 * x, df1);
    if (x == 0) return density_at_end(df1 / 2, 1);
    if (is_endless(df1)) return cairn_chi2_density(df2 / x, df2) * df2 / (x * x);
    return density_from(f_cut_at(x, df1, df2), x);
}

static double f_side(double x, double df1, double df2, bool upper)
{
    if (isnan(x) || !is_f(df1, df2)) return NAN;
    if (x <= 0 || isinf(x)) return upper == (x <= 0);
    if (is_endless(df2)) return gamma_side(df1 * x, df1 / 2, 2, upper);
    if (is_endless(df1)) return gamma_side(df2 / x, df2 / 2, 2, !upper);
    return cairn_tail_value(f_cut_at(x, df1, df2), upper);
}

double cairn_f_lower(double x, double df1, double df2)
{
    return f_side(x, df1, df2, false);
}

double cairn_f_upper(double x, double df1, double df2)
{
    return f_side(x, df1, df2, true);
}

static double f_quantile(double p, bool upper, double df1, double df2)
{
    if (!is_probability(p) || !is_f(df1, df2)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0) ? INFINITY : 0;
    if (is_endless(df2)) return gamma_quantile(p, upper, df1 / 2, 2) / df1;
    if (is_endless(df1)) return df2 / gamma_quantile(p, !upper, df2 / 2, 2);
    double z = logit_beta_quantile(p, upper, df1 / 2, df2 / 2);
    return cairn_exp(z + cairn_log(df2 / df1));
}

double cairn_f_quantile(double p, double df1, double df2)
{
    return f_quantile(p, false, df1, df2);
}

double cairn_f_quantile_upper(double q, double df1, double df2)
{
    return f_quantile(q, true, df1, df2);
}

static bool is_binomial(double n, double p)
{
    return n >= 0 && isfinite(n) && n == floor(n) && is_probability(p);
}

double cairn_binomial_mass(double k, double n, double p)
{
    if (isnan(k) || !is_binomial(n, p)) return NAN;
    if (k < 0 || k > n || k != floor(k)) return 0;
    if (p == 0 || p == 1) return k == n * p;
    if (k == 0) return cairn_exp(n * cairn_log1p(-p));
    if (k == n) return cairn_exp(n * cairn_log(p));
    double excess = fma(-n, p, k), rest = n - k;
    double log_mass = cairn_stirling_error(n) - cairn_stirling_error(k) -
                      cairn_stirling_error(rest) - cairn_deviance(k, n * p, excess) -
                      cairn_deviance(rest, n * (1 - p), -excess);
    return cairn_exp(log_mass - log_sqrt_2pi - 0.5 * (cairn_log(k) + cairn_log1p(-k / n)));
}

/* P(X <= k) is the lower tail at 1 - p of the beta distribution with n - k and k + 1. */
static double binomial_side(double k, double n, double p, bool upper)
{
    if (isnan(k) || !is_binomial(n, p)) return NAN;
    k = floor(k);
    if (k < 0) return upper;
    if (k >= n || p == 0) return !upper;
    if (p == 1) return upper;
    double excess = fma(n + 1, p, -(k + 1));
    return cairn_tail_value(cairn_beta_tail(1 - p, p, n - k, k + 1, excess), upper);
}

double cairn_binomial_lower(double k, double n, double p)
{
    return binomial_side(k, n, p, false);
}

double cairn_binomial_upper(double k, double n, double p)
{
    return binomial_side(k, n, p, true);
}

/* The least k up to `most` (which may be infinite) that satisfies the quantile's condition, looked
 * for around a guess. Probabilities that are equal on paper may differ in their last digits, hence
 * the slack. */
static double least_count(double (*side)(double k, double a, double b, bool upper), double a,
                          double b, double probability, bool upper, double guess, double most)
{
    const double slack = 64 * DBL_EPSILON;
    double low = -1, high = most, step = 1;
    while (high - low > 1) {
        double k = guess > low && guess < high ? guess : floor(low + (high - low) / 2);
        if (!(k > low && k < high)) break; /* above 2^53 no number lies between neighbours */
        bool enough = upper ? side(k, a, b, true) <= probability * (1 + slack)
                            : side(k, a, b, false) >= probability * (1 - slack);
        if (enough)
            high = k;
        else
            low = k;
        guess = enough ? k - step : k + step;
        step *= 2;
    }
    return high;
}

/* Where a normal distribution of the same mean and variance has the quantile. */
static double guess_count(double probability, bool upper, double mean, double variance)
{
    double normal = cairn_normal_quantile(probability);
    return floor(mean + (upper ? -normal : normal) * sqrt(variance));
}

static double binomial_quantile(double probability, bool upper, double n, double p)
{
    if (!is_probability(probability) || !is_binomial(n, p)) return NAN;
    double guess = guess_count(probability, upper, n * p, n * p * (1 - p));
    return least_count(binomial_side, n, p, probability, upper, guess, n);
}

double cairn_binomial_quantile(double probability, double n, double p)
{
    return binomial_quantile(probability, false, n, p);
}

double cairn_binomial_quantile_upper(double probability, double n, double p)
{
    return binomial_quantile(probability, true, n, p);
}

/* Up to here every count near the mean is a double. */
static bool is_poisson(double rate)
{
    return rate >= 0 && rate <= 1e15;
}

/* The mass at k is the density at the rate of the gamma distribution with shape k + 1. */
double cairn_poisson_mass(double k, double rate)
{
    if (isnan(k) || !is_poisson(rate)) return NAN;
    if (k < 0 || isinf(k) || k != floor(k)) return 0;
    return cairn_gamma_density(rate, k + 1, 1);
}

static double poisson_side(double k, double rate, double unused, bool upper)
{
    (void)unused;
    if (isnan(k) || !is_poisson(rate)) return NAN;
    k = floor(k);
    if (k < 0 || isinf(k)) return upper == (k < 0);
    return gamma_side(rate, k + 1, 1, !upper);
}

double cairn_poisson_lower(double k, double rate)
{
    return poisson_side(k, rate, 0, false);
}

double cairn_poisson_upper(double k, double rate)
{
    return poisson_side(k, rate, 0, true);
}

static double poisson_quantile(double probability, bool upper, double rate)
{
    if (!is_probability(probability) || !is_poisson(rate)) return NAN;
    if (rate == 0) return 0;
    if (probability == (upper ? 0 : 1)) return INFINITY;
    if (probability == (upper ? 1 : 0)) return 0;
    double guess = guess_count(probability, upper, rate, rate);
    return least_count(poisson_side, rate, 0, probability, upper, fmax(guess, 0), INFINITY);
}

double cairn_poisson_quantile(double probability, double rate)
{
    return poisson_quantile(probability, false, rate);
}

double cairn_poisson_quantile_upper(double probability, double rate)
{
    return poisson_quantile(probability, true, rate);
}
