/* SPDX-License-Identifier: MIT */
/* Those with fewer parameters are called through small wrappers, so that all have the same form. */
#include "stats/laws.h"

#include "base/functions.h"
#include "stats/distributions.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double log_sqrt_2pi = 0.91893853320467274178;

/* -- one parameter in the form of two -- */

#define WITH_ONE(name, function)                                                                   \
    static double name(double x, double a, double b)                                               \
    {                                                                                              \
        (void)b;                                                                                   \
        return function(x, a);                                                                     \
    }
WITH_ONE(t_density, cairn_t_density)
WITH_ONE(t_lower, cairn_t_lower)
WITH_ONE(t_upper, cairn_t_upper)
WITH_ONE(t_quantile, cairn_t_quantile)
WITH_ONE(t_quantile_upper, cairn_t_quantile_upper)
WITH_ONE(chi2_density, cairn_chi2_density)
WITH_ONE(chi2_lower, cairn_chi2_lower)
WITH_ONE(chi2_upper, cairn_chi2_upper)
WITH_ONE(chi2_quantile, cairn_chi2_quantile)
WITH_ONE(chi2_quantile_upper, cairn_chi2_quantile_upper)
WITH_ONE(poisson_mass, cairn_poisson_mass)
WITH_ONE(poisson_lower, cairn_poisson_lower)
WITH_ONE(poisson_upper, cairn_poisson_upper)
WITH_ONE(poisson_quantile, cairn_poisson_quantile)
WITH_ONE(poisson_quantile_upper, cairn_poisson_quantile_upper)

/* A single trial. */
#define AS_BINOMIAL(name, function)                                                                \
    static double name(double x, double p, double b)                                               \
    {                                                                                              \
        (void)b;                                                                                   \
        return function(x, 1, p);                                                                  \
    }
AS_BINOMIAL(bernoulli_mass, cairn_binomial_mass)
AS_BINOMIAL(bernoulli_lower, cairn_binomial_lower)
AS_BINOMIAL(bernoulli_upper, cairn_binomial_upper)
AS_BINOMIAL(bernoulli_quantile, cairn_binomial_quantile)
AS_BINOMIAL(bernoulli_quantile_upper, cairn_binomial_quantile_upper)

/* -- normal -- */

static double normal_density(double x, double mean, double sd)
{
    return sd > 0 ? cairn_normal_density((x - mean) / sd) / sd : NAN;
}

static double normal_lower(double x, double mean, double sd)
{
    return sd > 0 ? cairn_normal_lower((x - mean) / sd) : NAN;
}

static double normal_upper(double x, double mean, double sd)
{
    return sd > 0 ? cairn_normal_upper((x - mean) / sd) : NAN;
}

static double normal_quantile(double p, double mean, double sd)
{
    return sd > 0 ? mean + sd * cairn_normal_quantile(p) : NAN;
}

static double normal_quantile_upper(double q, double mean, double sd)
{
    return sd > 0 ? mean + sd * cairn_normal_quantile_upper(q) : NAN;
}

static double normal_log(double x, double mean, double sd)
{
    double z = (x - mean) / sd;
    return -z * z / 2 - cairn_log(sd) - log_sqrt_2pi;
}

static double first(double a, double b)
{
    (void)b;
    return a;
}

static double second_squared(double a, double b)
{
    (void)a;
    return b * b;
}

/* -- exponential: waiting for an event of that rate -- */

static bool is_rate(double rate)
{
    return rate > 0 && isfinite(rate);
}

static double exponential_density(double x, double rate, double b)
{
    (void)b;
    if (isnan(x) || !is_rate(rate)) return NAN;
    return x < 0 ? 0 : rate * cairn_exp(-rate * x);
}

static double exponential_lower(double x, double rate, double b)
{
    (void)b;
    if (isnan(x) || !is_rate(rate)) return NAN;
    return x <= 0 ? 0 : -cairn_expm1(-rate * x);
}

static double exponential_upper(double x, double rate, double b)
{
    (void)b;
    if (isnan(x) || !is_rate(rate)) return NAN;
    return x <= 0 ? 1 : cairn_exp(-rate * x);
}

static double exponential_quantile(double p, double rate, double b)
{
    (void)b;
    return is_rate(rate) && p >= 0 && p <= 1 ? (0 - cairn_log1p(-p)) / rate : NAN;
}

static double exponential_quantile_upper(double q, double rate, double b)
{
    (void)b;
    return is_rate(rate) && q >= 0 && q <= 1 ? (0 - cairn_log(q)) / rate : NAN;
}

static double exponential_log(double x, double rate, double b)
{
    (void)b;
    return x < 0 ? -INFINITY : cairn_log(rate) - rate * x;
}

static double exponential_mean(double rate, double b)
{
    (void)b;
    return 1 / rate;
}

static double exponential_variance(double rate, double b)
{
    (void)b;
    return 1 / (rate * rate);
}

/* -- geometric: how often it goes on, each time with chance p, counted from `least` -- */

static bool is_geometric(double p)
{
    return p >= 0 && p < 1;
}

static double geometric_mass(double x, double p, double least)
{
    if (isnan(x) || !is_geometric(p)) return NAN;
    double k = x - least;
    return k < 0 || isinf(k) || k != floor(k) ? 0 : (1 - p) * cairn_pow(p, k);
}

static double geometric_upper(double x, double p, double least)
{
    if (isnan(x) || !is_geometric(p)) return NAN;
    double k = floor(x - least);
    return k < 0 ? 1 : cairn_pow(p, k + 1);
}

static double geometric_lower(double x, double p, double least)
{
    if (isnan(x) || !is_geometric(p)) return NAN;
    double k = floor(x - least);
    if (k < 0) return 0;
    return p == 0 ? 1 : -cairn_expm1((k + 1) * cairn_log(p));
}

/* The least k with p^(k + 1) <= q, whose logarithm is given. */
static double geometric_point(double log_q, double p, double least)
{
    const double slack = 64 * DBL_EPSILON;
    if (p == 0 || log_q == 0) return least;
    return least + fmax(0, ceil(log_q / cairn_log(p) * (1 - slack)) - 1);
}

static double geometric_quantile(double probability, double p, double least)
{
    if (!is_geometric(p) || !(probability >= 0 && probability <= 1)) return NAN;
    return geometric_point(cairn_log1p(-probability), p, least);
}

static double geometric_quantile_upper(double probability, double p, double least)
{
    if (!is_geometric(p) || !(probability >= 0 && probability <= 1)) return NAN;
    return geometric_point(cairn_log(probability), p, least);
}

static double geometric_log(double x, double p, double least)
{
    double k = x - least;
    if (k < 0 || k != floor(k) || (p == 0 && k > 0)) return -INFINITY;
    return cairn_log1p(-p) + (k > 0 ? k * cairn_log(p) : 0);
}

static double geometric_mean(double p, double least)
{
    return least + p / (1 - p);
}

static double geometric_variance(double p, double least)
{
    (void)least;
    return p / ((1 - p) * (1 - p));
}

/* -- uniform -- */

static bool is_range(double low, double high)
{
    return isfinite(low) && isfinite(high) && low < high && isfinite(high - low);
}

static double uniform_density(double x, double low, double high)
{
    if (isnan(x) || !is_range(low, high)) return NAN;
    return x < low || x > high ? 0 : 1 / (high - low);
}

static double uniform_lower(double x, double low, double high)
{
    if (isnan(x) || !is_range(low, high)) return NAN;
    return x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low);
}

static double uniform_upper(double x, double low, double high)
{
    if (isnan(x) || !is_range(low, high)) return NAN;
    return x <= low ? 1 : x >= high ? 0 : (high - x) / (high - low);
}

static double uniform_quantile(double p, double low, double high)
{
    return is_range(low, high) && p >= 0 && p <= 1 ? low + p * (high - low) : NAN;
}

static double uniform_quantile_upper(double q, double low, double high)
{
    return is_range(low, high) && q >= 0 && q <= 1 ? high - q * (high - low) : NAN;
}

static double uniform_mean(double low, double high)
{
    return low + (high - low) / 2;
}

static double uniform_variance(double low, double high)
{
    return (high - low) * (high - low) / 12;
}

/* -- logarithms of tiny densities, and moments, of the others -- */

static double log_beta_function(double a, double b)
{
    return cairn_lgamma(a) + cairn_lgamma(b) - cairn_lgamma(a + b);
}

static double beta_log(double x, double a, double b)
{
    if (!(x > 0 && x < 1)) return -INFINITY;
    return (a - 1) * cairn_log(x) + (b - 1) * cairn_log1p(-x) - log_beta_function(a, b);
}

static double binomial_log(double k, double n, double p)
{
    if (!(k >= 0 && k <= n && k == floor(k))) return -INFINITY;
    if (p == 0 || p == 1) return k == n * p ? 0 : -INFINITY;
    return cairn_lgamma(n + 1) - cairn_lgamma(k + 1) - cairn_lgamma(n - k + 1) + k * cairn_log(p) +
           (n - k) * cairn_log1p(-p);
}

static double gamma_log(double x, double shape, double scale)
{
    if (!(x > 0) || isinf(x)) return -INFINITY;
    return (shape - 1) * cairn_log(x) - x / scale - shape * cairn_log(scale) - cairn_lgamma(shape);
}

static double chi2_log(double x, double df, double b)
{
    (void)b;
    return gamma_log(x, df / 2, 2);
}

static double poisson_log(double k, double rate, double b)
{
    (void)b;
    if (!(k >= 0 && k == floor(k)) || isinf(k)) return -INFINITY;
    if (rate == 0) return k == 0 ? 0 : -INFINITY;
    return k * cairn_log(rate) - rate - cairn_lgamma(k + 1);
}

static double t_log(double x, double df, double b)
{
    (void)b;
    if (isinf(df)) return normal_log(x, 0, 1);
    double root = fabs(x) / sqrt(df);
    double stretch = root > 1e100 ? 2 * cairn_log(root) : cairn_log1p(root * root);
    return -log_beta_function(0.5, df / 2) - 0.5 * cairn_log(df) - (df + 1) / 2 * stretch;
}

static double f_log(double x, double df1, double df2)
{
    if (!(x > 0) || isinf(x) || isinf(df1) || isinf(df2)) return -INFINITY;
    double log_odds = cairn_log(df1) + cairn_log(x) - cairn_log(df2);
    double log_rest = log_odds > 500 ? log_odds : cairn_log1p(cairn_exp(log_odds));
    return df1 / 2 * log_odds - (df1 + df2) / 2 * log_rest - cairn_log(x) -
           log_beta_function(df1 / 2, df2 / 2);
}

/* -- logarithms of tails -- */

static double normal_log_tail(double x, double mean, double sd, bool upper)
{
    double z = (x - mean) / sd;
    return sd > 0 ? cairn_normal_log_upper(upper ? z : -z) : NAN;
}

static double exponential_log_tail(double x, double rate, double b, bool upper)
{
    return upper && x > 0 ? -rate * x
                          : cairn_log((upper ? exponential_upper : exponential_lower)(x, rate, b));
}

static double geometric_log_tail(double x, double p, double least, bool upper)
{
    double k = floor(x - least);
    return upper && k >= 0 && p > 0
               ? (k + 1) * cairn_log(p)
               : cairn_log((upper ? geometric_upper : geometric_lower)(x, p, least));
}

static double chi2_log_tail(double x, double df, double b, bool upper)
{
    (void)b;
    return cairn_gamma_log_tail(x, df / 2, 2, upper);
}

static double poisson_log_tail(double k, double rate, double b, bool upper)
{
    (void)b;
    return cairn_poisson_log_tail(k, rate, upper);
}

static double t_log_tail(double x, double df, double b, bool upper)
{
    (void)b;
    return cairn_t_log_upper(upper ? x : -x, df);
}

static double beta_mean(double a, double b)
{
    return a / (a + b);
}

static double beta_variance(double a, double b)
{
    return a / (a + b) * (b / (a + b)) / (a + b + 1);
}

static double product(double a, double b)
{
    return a * b;
}

static double binomial_variance(double n, double p)
{
    return n * p * (1 - p);
}

static double bernoulli_variance(double p, double b)
{
    (void)b;
    return p * (1 - p);
}

static double twice(double a, double b)
{
    (void)b;
    return 2 * a;
}

static double gamma_variance(double shape, double scale)
{
    return shape * scale * scale;
}

static double t_mean(double df, double b)
{
    (void)b;
    return df > 1 ? 0 : NAN;
}

static double t_variance(double df, double b)
{
    (void)b;
    if (isinf(df)) return 1;
    return df > 2 ? df / (df - 2) : df > 1 ? INFINITY : NAN;
}

static double f_mean(double df1, double df2)
{
    (void)df1;
    return isinf(df2) ? 1 : df2 > 2 ? df2 / (df2 - 2) : INFINITY;
}

static double f_variance(double df1, double df2)
{
    if (isinf(df2)) return 2 / df1;
    if (!(df2 > 4)) return df2 > 2 ? INFINITY : NAN;
    double mean = f_mean(df1, df2);
    return 2 * mean * mean * (1 + (df2 - 2) / df1) / (df2 - 4);
}

/* -- the records -- */

const cairn_law cairn_laws[] = {
    {"bernoulli", "p", 1, bernoulli_mass, bernoulli_lower, bernoulli_upper, bernoulli_quantile,
     bernoulli_quantile_upper, .mean = first, .variance = bernoulli_variance, .discrete = true,
     .formula = "P(X = x) = pˣ (1 − p)¹⁻ˣ", .mean_formula = "p", .variance_formula = "p (1 − p)"},
    {"beta", "a,b", 2, cairn_beta_density, cairn_beta_lower, cairn_beta_upper, cairn_beta_quantile,
     cairn_beta_quantile_upper, .log_far = beta_log, .log_tail = cairn_beta_log_tail,
     .mean = beta_mean, .variance = beta_variance,
     .formula = "f(x) = xᵃ⁻¹ (1 − x)ᵇ⁻¹ Γ(a + b) / (Γ(a) Γ(b))", .mean_formula = "a / (a + b)",
     .variance_formula = "a b / ((a + b)² (a + b + 1))"},
    {"binomial", "n,p", 2, cairn_binomial_mass, cairn_binomial_lower, cairn_binomial_upper,
     cairn_binomial_quantile, cairn_binomial_quantile_upper, .log_far = binomial_log,
     .log_tail = cairn_binomial_log_tail, .mean = product, .variance = binomial_variance,
     .discrete = true, .formula = "P(X = x) = C(n, x) pˣ (1 − p)ⁿ⁻ˣ", .mean_formula = "n p",
     .variance_formula = "n p (1 − p)"},
    {"chi-squared", "df", 1, chi2_density, chi2_lower, chi2_upper, chi2_quantile,
     chi2_quantile_upper, .log_far = chi2_log, .log_tail = chi2_log_tail, .mean = first,
     .variance = twice, .formula = "f(x) = x^(df/2 − 1) exp(−x/2) / (2^(df/2) Γ(df/2))",
     .mean_formula = "df", .variance_formula = "2 df"},
    {"exponential", "rate", 1, exponential_density, exponential_lower, exponential_upper,
     exponential_quantile, exponential_quantile_upper, .log_far = exponential_log,
     .log_tail = exponential_log_tail, .mean = exponential_mean, .variance = exponential_variance,
     .formula = "f(x) = rate exp(−rate x)", .mean_formula = "1 / rate",
     .variance_formula = "1 / rate²"},
    {"f", "df1,df2", 2, cairn_f_density, cairn_f_lower, cairn_f_upper, cairn_f_quantile,
     cairn_f_quantile_upper, .log_far = f_log, .log_tail = cairn_f_log_tail, .mean = f_mean,
     .variance = f_variance,
     .formula = "f(x) = √((df1 x)^df1 df2^df2 / (df1 x + df2)^(df1 + df2)) / (x B(df1/2, df2/2))",
     .mean_formula = "df2 / (df2 − 2)",
     .variance_formula = "2 df2² (df1 + df2 − 2) / (df1 (df2 − 2)² (df2 − 4))"},
    {"gamma", "shape,scale", 2, cairn_gamma_density, cairn_gamma_lower, cairn_gamma_upper,
     cairn_gamma_quantile, cairn_gamma_quantile_upper, .log_far = gamma_log,
     .log_tail = cairn_gamma_log_tail, .mean = product, .variance = gamma_variance,
     .formula = "f(x) = x^(shape − 1) exp(−x/scale) / (scale^shape Γ(shape))",
     .mean_formula = "shape scale", .variance_formula = "shape scale²"},
    {"geometric", "p", 1, geometric_mass, geometric_lower, geometric_upper, geometric_quantile,
     geometric_quantile_upper, .log_far = geometric_log, .log_tail = geometric_log_tail,
     .mean = geometric_mean, .variance = geometric_variance, .discrete = true, .shifts = true,
     .formula = "P(X = x) = (1 − p) p^(x − least)", .mean_formula = "least + p / (1 − p)",
     .variance_formula = "p / (1 − p)²"},
    {"normal", "mean,deviation", 2, normal_density, normal_lower, normal_upper, normal_quantile,
     normal_quantile_upper, .log_far = normal_log, .log_tail = normal_log_tail, .mean = first,
     .variance = second_squared, .standard = true,
     .formula = "f(x) = exp(−((x − mean) / deviation)² / 2) / (deviation √(2π))",
     .mean_formula = "mean", .variance_formula = "deviation²"},
    {"poisson", "rate", 1, poisson_mass, poisson_lower, poisson_upper, poisson_quantile,
     poisson_quantile_upper, .log_far = poisson_log, .log_tail = poisson_log_tail, .mean = first,
     .variance = first, .discrete = true, .formula = "P(X = x) = rateˣ exp(−rate) / x!",
     .mean_formula = "rate", .variance_formula = "rate"},
    {"studentized-range", "groups,df", 2, cairn_studentized_density, cairn_studentized_lower,
     cairn_studentized_upper, cairn_studentized_quantile, cairn_studentized_quantile_upper,
     .formula = "range of k standard normals / √(χ² / df)"},
    {"t", "df", 1, t_density, t_lower, t_upper, t_quantile, t_quantile_upper, .log_far = t_log,
     .log_tail = t_log_tail, .mean = t_mean, .variance = t_variance,
     .formula = "f(x) = Γ((df + 1)/2) / (√(df π) Γ(df/2)) · (1 + x²/df)^(−(df + 1)/2)",
     .mean_formula = "0", .variance_formula = "df / (df − 2)"},
    {"uniform", "low,high", 2, uniform_density, uniform_lower, uniform_upper, uniform_quantile,
     uniform_quantile_upper, .mean = uniform_mean, .variance = uniform_variance, .standard = true,
     .formula = "f(x) = 1 / (high − low)", .mean_formula = "(low + high) / 2",
     .variance_formula = "(high − low)² / 12"},
};
const size_t cairn_n_laws = sizeof cairn_laws / sizeof *cairn_laws;

const cairn_law *cairn_law_find(const char *name)
{
    for (size_t i = 0; i < cairn_n_laws; i++)
        if (strcmp(cairn_laws[i].name, name) == 0) return &cairn_laws[i];
    return NULL;
}

/* A density is a number for exactly those parameters that a law accepts. */
bool cairn_law_takes(const cairn_law *law, double a, double b)
{
    return !isnan(a) && !isnan(b) && !isnan(law->density(1, a, b));
}

double cairn_law_log_density(const cairn_law *law, double x, double a, double b)
{
    double density = law->density(x, a, b);
    if (!(density < DBL_MIN) || !law->log_far) return cairn_log(density);
    return law->log_far(x, a, b);
}

double cairn_law_log_tail(const cairn_law *law, double x, double a, double b, bool upper)
{
    if (law->log_tail) return law->log_tail(x, a, b, upper);
    return cairn_log((upper ? law->upper : law->lower)(x, a, b));
}

/* Count after count from the last: each is binomial among itself and those behind it. Factorials
 * would lose the digits of large counts. */
double cairn_multinomial_log(const double *x, const double *chances, size_t k)
{
    const cairn_law *binomial = cairn_law_find("binomial");
    double n = 0, all = 0, sum = 0;
    for (size_t j = k; j-- > 0;) {
        if (!(x[j] >= 0 && x[j] == floor(x[j]))) return -INFINITY;
        n += x[j];
        all += chances[j];
        if (all > 0)
            sum += cairn_law_log_density(binomial, x[j], n, chances[j] / all);
        else if (x[j] > 0)
            return -INFINITY;
    }
    return sum;
}
