/* SPDX-License-Identifier: MIT */
/* cairn compute distribution: the tables at the end of statistics books, at any point.
 *
 * One record per distribution names its functions; those with fewer parameters are called through
 * small wrappers, so that all have the same form. */
#include "typed/calculator.h"

#include "base/number.h"
#include "stats/distributions.h"

#include <math.h>

typedef struct distribution_params {
    const char *parameters, *at, *lower, *upper;
} distribution_params;

static const cairn_param distribution_table[] = {
    CAIRN_PARAM_AS(distribution_params, parameters, CAIRN_TYPE_LIST, NULL,
                   "those of the distribution, in order; inf is a number of degrees of freedom"),
    CAIRN_PARAM_AS(distribution_params, at, CAIRN_TYPE_LIST, NULL,
                   "points at which density and tails are wanted"),
    CAIRN_PARAM_AS(distribution_params, lower, CAIRN_TYPE_LIST, NULL,
                   "probabilities whose points are wanted: P(X <= x) is this"),
    CAIRN_PARAM_AS(distribution_params, upper, CAIRN_TYPE_LIST, NULL,
                   "the same for P(X > x), which reaches farther out"),
    CAIRN_PARAM_END,
};

/* -- the distributions -- */

typedef double (*distribution_function)(double x, double a, double b);

typedef struct distribution {
    const char *name, *parameters;
    size_t n_parameters;
    distribution_function density, lower, upper, quantile, quantile_upper;
    bool discrete; /* the density is a probability */
    const char *formula;
} distribution;

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

/* A distribution with one parameter in the form of those with two. */
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

static const distribution distributions[] = {
    {"beta", "a,b", 2, cairn_beta_density, cairn_beta_lower, cairn_beta_upper, cairn_beta_quantile,
     cairn_beta_quantile_upper, false, "f(x) = xᵃ⁻¹ (1 − x)ᵇ⁻¹ Γ(a + b) / (Γ(a) Γ(b))"},
    {"binomial", "n,p", 2, cairn_binomial_mass, cairn_binomial_lower, cairn_binomial_upper,
     cairn_binomial_quantile, cairn_binomial_quantile_upper, true,
     "P(X = x) = C(n, x) pˣ (1 − p)ⁿ⁻ˣ"},
    {"chi-squared", "df", 1, chi2_density, chi2_lower, chi2_upper, chi2_quantile,
     chi2_quantile_upper, false, "f(x) = x^(df/2 − 1) exp(−x/2) / (2^(df/2) Γ(df/2))"},
    {"f", "df1,df2", 2, cairn_f_density, cairn_f_lower, cairn_f_upper, cairn_f_quantile,
     cairn_f_quantile_upper, false,
     "f(x) = √((df1 x)^df1 df2^df2 / (df1 x + df2)^(df1 + df2)) / (x B(df1/2, df2/2))"},
    {"gamma", "shape,scale", 2, cairn_gamma_density, cairn_gamma_lower, cairn_gamma_upper,
     cairn_gamma_quantile, cairn_gamma_quantile_upper, false,
     "f(x) = x^(shape − 1) exp(−x/scale) / (scale^shape Γ(shape))"},
    {"normal", "mean,deviation", 2, normal_density, normal_lower, normal_upper, normal_quantile,
     normal_quantile_upper, false,
     "f(x) = exp(−((x − mean) / deviation)² / 2) / (deviation √(2π))"},
    {"studentized-range", "groups,df", 2, cairn_studentized_density, cairn_studentized_lower,
     cairn_studentized_upper, cairn_studentized_quantile, cairn_studentized_quantile_upper, false,
     "range of k standard normals / √(χ² / df)"},
    {"t", "df", 1, t_density, t_lower, t_upper, t_quantile, t_quantile_upper, false,
     "f(x) = Γ((df + 1)/2) / (√(df π) Γ(df/2)) · (1 + x²/df)^(−(df + 1)/2)"},
};

static cairn_status find_distribution(cairn_context *ctx, const distribution **out,
                                      const char *name)
{
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++)
        if (cairn_same(distributions[i].name, name)) {
            *out = &distributions[i];
            return CAIRN_OK;
        }
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "'%s' is not a distribution; there are beta, binomial, chi-squared, f, gamma, "
        "normal, studentized-range and t",
        name);
}

/* The median of a distribution is defined for exactly those parameters that it accepts. */
static cairn_status read_parameters(cairn_context *ctx, const distribution *d, const char *typed,
                                    double out[2])
{
    double *numbers = NULL;
    size_t n = 0;
    out[0] = 0, out[1] = 1;
    if (!typed && d->quantile == normal_quantile) return CAIRN_OK;
    if (typed) CHECK(cairn_list_numbers(ctx, "parameters", typed, &numbers, &n));
    if (n != d->n_parameters)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has %s: {parameters %s}", d->name,
                          d->n_parameters == 1 ? "one parameter" : "two parameters", d->parameters);
    for (size_t i = 0; i < n; i++) out[i] = numbers[i];
    if (isnan(d->density(1, out[0], out[1])))
        return cairn_fail(ctx, CAIRN_USAGE, "{parameters %s}: %s takes no such %s", typed, d->name,
                          d->parameters);
    return CAIRN_OK;
}

/* -- the tables -- */

static cairn_status show_points(cairn_context *ctx, cairn_report *out, const distribution *d,
                                const double *p, const char *at)
{
    double *x;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "at", at, &x, &n));
    cairn_report_table_of(out, "Points", (size_t)-1, "rrrr", "x",
                          d->discrete ? "P(X = x)" : "density", "P(X ≤ x)", "P(X > x)");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, x[i], 0, NULL);
        cairn_report_cell_number(out, d->density(x[i], p[0], p[1]), 10, "at%zu.density", i + 1);
        cairn_report_cell_number(out, d->lower(x[i], p[0], p[1]), 10, "at%zu.lower", i + 1);
        cairn_report_cell_number(out, d->upper(x[i], p[0], p[1]), 10, "at%zu.upper", i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

static cairn_status show_quantiles(cairn_context *ctx, cairn_report *out, const double *p,
                                   const char *side, const char *head, const char *list,
                                   distribution_function quantile)
{
    double *probability;
    size_t n;
    CHECK(cairn_list_numbers(ctx, side, list, &probability, &n));
    cairn_report_table_of(out, "Quantiles", (size_t)-1, "rr", head, "x");
    for (size_t i = 0; i < n; i++) {
        if (!(probability[i] >= 0 && probability[i] <= 1))
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{%s}: a probability lies between 0 and 1, and number %zu does not",
                             side, i + 1));
        cairn_report_cell_number(out, probability[i], 0, NULL);
        cairn_report_cell_number(out, quantile(probability[i], p[0], p[1]), 10, "%s%zu.quantile",
                                 side, i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Points give densities and tails, probabilities give quantiles; at least one of them must be
 * asked for. */
/* The density with the parameters put in, what the tails add up to, and every quantile put back
 * into the distribution. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const distribution *d,
                              const double *p, const distribution_params *o)
{
    const struct {
        const char *option, *list;
        distribution_function quantile, back;
    } sides[] = {{"lower", o->lower, d->quantile, d->lower},
                 {"upper", o->upper, d->quantile_upper, d->upper}};
    double *numbers;
    size_t n;
    cairn_report_step_begin(out, "The density and its tails");
    cairn_report_formula(out, "%s", d->formula);
    cairn_report_worked(out, d->parameters, d->n_parameters > 1 ? "#, #" : "#", p[0], p[1]);
    if (o->at) CHECK(cairn_list_numbers(ctx, "at", o->at, &numbers, &n));
    for (size_t i = 0; o->at && i < n; i++) {
        double x = numbers[i], low = d->lower(x, p[0], p[1]), high = d->upper(x, p[0], p[1]);
        if (d->quantile == normal_quantile)
            cairn_report_worked(out, "z", "(x − mean) / deviation = (# − #) / # = #", x, p[0], p[1],
                                (x - p[0]) / p[1]);
        cairn_report_worked(out, NULL, "P(X ≤ #) + P(X > #) = # + # = #", x, x, low, high,
                            low + high);
        cairn_report_worked(out, "two sides", "2 · min(#, #) = #", low, high, 2 * fmin(low, high));
    }
    for (size_t s = 0; s < 2; s++) {
        if (!sides[s].list) continue;
        CHECK(cairn_list_numbers(ctx, sides[s].option, sides[s].list, &numbers, &n));
        for (size_t i = 0; i < n; i++) {
            double x = sides[s].quantile(numbers[i], p[0], p[1]);
            cairn_report_worked(out, NULL, s ? "x = #: P(X > #) = #" : "x = #: P(X ≤ #) = #", x, x,
                                sides[s].back(x, p[0], p[1]));
        }
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status distribution_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const distribution_params *o = job->params;
    const distribution *d;
    double p[2];
    CHECK(find_distribution(ctx, &d, job->word));
    CHECK(read_parameters(ctx, d, o->parameters, p));
    if (!o->at && !o->lower && !o->upper)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "say where with {at X}, or for which probability with {lower} or "
                          "{upper}");
    cairn_report_heading(out, 1, "Distribution: %s", d->name);
    if (o->parameters) cairn_report_paragraph(out, "%s = %s", d->parameters, o->parameters);
    if (o->at) CHECK(show_points(ctx, out, d, p, o->at));
    if (o->lower) CHECK(show_quantiles(ctx, out, p, "lower", "P(X ≤ x)", o->lower, d->quantile));
    if (o->upper)
        CHECK(show_quantiles(ctx, out, p, "upper", "P(X > x)", o->upper, d->quantile_upper));
    if (job->steps) CHECK(show_work(ctx, out, d, p, o));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_distribution = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "distribution",
              .also = "normal distribution, quantile function, t distribution, p-value, "
                      "z-table, binomial, chi-squared distribution, critical value",
              .title = "Density, tails and quantiles",
              .summary =
                  "What the tables of a statistics book hold, at any point: density, both tails "
                  "and quantiles of normal (mean, deviation; 0 and 1 if not given), t (df), "
                  "chi-squared (df), f (df1, df2), gamma (shape, scale), beta (a, b), binomial (n, "
                  "p) and studentized-range (groups, df). Tails are computed each for itself, so "
                  "that tiny ones keep their digits; quantiles of discrete ones are the least "
                  "point that reaches the probability.",
              .references = "Abramowitz and Stegun: Handbook of Mathematical Functions, 1964, "
                            "chapter 26",
              .example = "cairn compute distribution t --parameters 9 --at 2.26 --upper 0.025",
              .params = distribution_table,
              .params_size = sizeof(distribution_params)},
    .arguments = "NAME",
    .takes_word = true,
    .run = distribution_run,
};
