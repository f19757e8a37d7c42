/* SPDX-License-Identifier: MIT */
/* cairn compute distribution: the tables at the end of statistics books, at any point.
 *
 * Laws of one number come from stats/laws.h; those of several are in vector_laws.c. */
#include "compute/statistics/vector_laws.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/split.h"
#include "typed/law_draws.h"

#include <math.h>
#include <stdio.h>

enum { CURVE_POINTS = 401, MOST_STEMS = 200, FEW_STEMS = 30 };

/* What the curve leaves out on either side. */
static const double beyond = 0.0005;

static const cairn_choice supports[] = {
    {"0", 0, "0, 1, 2, ..."},
    {"1", 1, "1, 2, 3, ..."},
    {0},
};

static const cairn_param distribution_table[] = {
    CAIRN_PARAM_AS(cairn_distribution_params, parameters, CAIRN_TYPE_LIST, NULL,
                   "those of the distribution, in order; inf is a number of degrees of freedom",
                   .often = true),
    CAIRN_PARAM_AS(cairn_distribution_params, at, CAIRN_TYPE_LIST, NULL,
                   "points at which density and tails are wanted; those of several numbers are "
                   "separated by semicolons: 1,0;2,3",
                   .often = true),
    CAIRN_PARAM_AS(cairn_distribution_params, lower, CAIRN_TYPE_LIST, NULL,
                   "probabilities whose points are wanted: P(X <= x) is this"),
    CAIRN_PARAM_AS(cairn_distribution_params, upper, CAIRN_TYPE_LIST, NULL,
                   "the same for P(X > x), which reaches farther out"),
    CAIRN_PARAM_CHOICE(cairn_distribution_params, support, "0", supports,
                       "what a geometric law counts from"),
    CAIRN_PARAM_AS(cairn_distribution_params, mean, CAIRN_TYPE_LIST, NULL,
                   "of a multivariate normal law; zeros if not given"),
    CAIRN_PARAM_AS(cairn_distribution_params, covariance, CAIRN_TYPE_LIST, NULL,
                   "of a multivariate normal law, row by row: 1,0.8;0.8,1"),
    CAIRN_PARAM(cairn_distribution_params, grid, "0", "[0,1001]",
                "of two normal numbers: density at so many places in each direction, from three "
                "deviations below the mean to three above; --out FILE writes them"),
    CAIRN_PARAM(cairn_distribution_params, draws, "0", "[0,1000000]",
                "numbers to draw; --out FILE writes them"),
    CAIRN_PARAM_END,
};

/* A law with its parameters. */
typedef struct named_law {
    const cairn_law *law;
    double a, b;
} named_law;

static double density_of(const named_law *q, double x)
{
    return q->law->density(x, q->a, q->b);
}

/* -- reading -- */

static cairn_status find_law(cairn_context *ctx, const cairn_law **out, const char *name)
{
    *out = cairn_law_find(name);
    if (*out) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "'%s' is not a distribution; there are bernoulli, beta, binomial, categorical, "
        "chi-squared, exponential, f, gamma, geometric, multinomial, multivariate-bernoulli, "
        "multivariate-normal, normal, poisson, studentized-range, t and uniform",
        name);
}

/* The parameters in order; those of a law that has a standard form may be left out. */
static cairn_status read_law(cairn_context *ctx, named_law *out, const char *name,
                             const cairn_distribution_params *p)
{
    double *numbers = NULL;
    size_t n = 0;
    CHECK(find_law(ctx, &out->law, name));
    const cairn_law *law = out->law;
    out->a = 0, out->b = 1;
    if (!p->parameters && law->standard) return CAIRN_OK;
    if (p->parameters)
        CHECK(cairn_list_any_numbers(ctx, "parameters", p->parameters, &numbers, &n));
    if (n != law->n_parameters)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has %s: {parameters %s}", law->name,
                          law->n_parameters == 1 ? "one parameter" : "two parameters",
                          law->parameters);
    if (!numbers) return CAIRN_OK; /* a law without parameters */
    out->a = numbers[0];
    out->b = n > 1 ? numbers[1] : law->shifts ? p->support : 1;
    if (!cairn_law_takes(law, out->a, out->b))
        return cairn_fail(ctx, CAIRN_USAGE, "{parameters %s}: %s takes no such %s", p->parameters,
                          law->name, law->parameters);
    return CAIRN_OK;
}

/* -- the tables -- */

/* A law of which some moment has no formula, or has none at these parameters, says no value. */
static void show_moments(cairn_report *out, const named_law *q)
{
    const cairn_law *law = q->law;
    double mean = law->mean ? law->mean(q->a, q->b) : NAN;
    double variance = law->variance ? law->variance(q->a, q->b) : NAN;
    if (!isnan(mean)) cairn_report_value(out, "mean", mean, "mean");
    if (isnan(variance)) return;
    cairn_report_value(out, "variance", variance, "variance");
    cairn_report_value(out, "standard deviation", sqrt(variance), "deviation");
}

static cairn_status show_points(cairn_context *ctx, cairn_report *out, const named_law *q,
                                const char *at)
{
    const cairn_law *d = q->law;
    double *x;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "at", at, &x, &n));
    bool normal = cairn_same(d->name, "normal");
    cairn_report_table_begin(out, "Points", (size_t)-1);
    cairn_report_column(out, "x", 'r');
    if (normal) cairn_report_column(out, "z", 'r');
    cairn_report_columns(out, "rrrr", d->discrete ? "P(X = x)" : "density",
                         d->discrete ? "ln P" : "ln f", "P(X ≤ x)", "P(X > x)");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, x[i], 0, NULL);
        if (normal) cairn_report_cell_number(out, (x[i] - q->a) / q->b, 0, "at%zu.z", i + 1);
        cairn_report_cell_number(out, density_of(q, x[i]), 10, "at%zu.density", i + 1);
        cairn_report_cell_number(out, cairn_law_log_density(d, x[i], q->a, q->b), 0, "at%zu.log",
                                 i + 1);
        cairn_report_cell_number(out, d->lower(x[i], q->a, q->b), 10, "at%zu.lower", i + 1);
        cairn_report_cell_number(out, d->upper(x[i], q->a, q->b), 10, "at%zu.upper", i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

static cairn_status show_quantiles(cairn_context *ctx, cairn_report *out, const named_law *q,
                                   const char *side, const char *head, const char *list,
                                   cairn_law_function quantile)
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
        cairn_report_cell_number(out, quantile(probability[i], q->a, q->b), 10, "%s%zu.quantile",
                                 side, i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

static cairn_status show_draws(cairn_context *ctx, cairn_report *out, const named_law *q, size_t n,
                               cairn_table **result)
{
    cairn_law_draws draws = {q->law, q->a, q->b, n, "Drawn", "x", "x"};
    return cairn_show_law_draws(ctx, out, &draws, result);
}

/* -- the work -- */

/* The mass of a law that counts, with its numbers put in. */
static void work_mass(cairn_report *out, const named_law *q, double x)
{
    const char *name = q->law->name;
    double a = q->a, b = q->b, p = density_of(q, x);
    if (cairn_same(name, "bernoulli"))
        cairn_report_worked(out, "P", "#^#·(1 − #)^(1 − #) = #", a, x, a, x, p);
    else if (cairn_same(name, "binomial"))
        cairn_report_worked(out, "P", "C(#, #)·#^#·(1 − #)^(# − #) = #", a, x, b, x, b, a, x, p);
    else if (cairn_same(name, "poisson"))
        cairn_report_worked(out, "P", "#^#·exp(−#) / #! = #", a, x, a, x, p);
    else if (cairn_same(name, "geometric"))
        cairn_report_worked(out, "P", "(1 − #)·#^(# − #) = #", a, a, x, b, p);
}

/* The same of a density; the studentized range has none that could be written. */
static void work_density(cairn_report *out, const named_law *q, double x)
{
    const char *name = q->law->name;
    double a = q->a, b = q->b, f = density_of(q, x);
    if (cairn_same(name, "normal")) {
        double z = (x - a) / b;
        cairn_report_worked(out, "z", "(x − mean) / deviation = (# − #) / # = #", x, a, b, z);
        cairn_report_worked(out, "f", "exp(−#² / 2) / (#·√(2π)) = #", z, b, f);
    } else if (cairn_same(name, "beta"))
        cairn_report_worked(out, "f", "#^(# − 1)·(1 − #)^(# − 1)·Γ(#) / (Γ(#)·Γ(#)) = #", x, a, x,
                            b, a + b, a, b, f);
    else if (cairn_same(name, "chi-squared"))
        cairn_report_worked(out, "f", "#^(# − 1)·exp(−#/2) / (2^#·Γ(#)) = #", x, a / 2, x, a / 2,
                            a / 2, f);
    else if (cairn_same(name, "exponential"))
        cairn_report_worked(out, "f", "#·exp(−#·#) = #", a, a, x, f);
    else if (cairn_same(name, "f"))
        cairn_report_worked(out, "f", "√((#·#)^#·#^# / (#·# + #)^#) / (#·B(#, #)) = #", a, x, a, b,
                            b, a, x, b, a + b, x, a / 2, b / 2, f);
    else if (cairn_same(name, "gamma"))
        cairn_report_worked(out, "f", "#^(# − 1)·exp(−#/#) / (#^#·Γ(#)) = #", x, a, x, b, b, a, a,
                            f);
    else if (cairn_same(name, "t"))
        cairn_report_worked(out, "f", "Γ(#) / (√(#·π)·Γ(#))·(1 + #²/#)^(−#) = #", (a + 1) / 2, a,
                            a / 2, x, a, (a + 1) / 2, f);
    else if (cairn_same(name, "uniform"))
        cairn_report_worked(out, "f", "1 / (# − #) = #", b, a, f);
}

/* Formulas hold where the law has values and its parameters are finite. */
static void work_point(cairn_report *out, const named_law *q, double x)
{
    const char *name = q->law->discrete ? "P" : "f";
    if (isinf(cairn_law_log_density(q->law, x, q->a, q->b)) && density_of(q, x) == 0)
        cairn_report_worked(out, name, "0: the law has nothing at #", x);
    else if (!isfinite(q->a) || !isfinite(q->b))
        cairn_report_worked(out, name, "#", density_of(q, x));
    else if (q->law->discrete)
        work_mass(out, q, x);
    else
        work_density(out, q, x);
}

/* A moment as its formula and, where that is no number already, its value. */
static void work_moment(cairn_report *out, const char *name, const char *formula,
                        cairn_law_moment moment, const named_law *q)
{
    char format[128];
    double value = moment ? moment(q->a, q->b) : NAN;
    if (!formula || isnan(value)) return;
    if (cairn_same(formula, name)) /* a parameter, which was just told */
        return;
    snprintf(format, sizeof format, cairn_same(formula, "0") ? "%s" : "%s = #", formula);
    cairn_report_worked(out, name, format, value);
}

static cairn_status work_points(cairn_context *ctx, cairn_report *out, const named_law *q,
                                const char *at)
{
    double *x;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "at", at, &x, &n));
    for (size_t i = 0; i < n; i++) {
        double low = q->law->lower(x[i], q->a, q->b), high = q->law->upper(x[i], q->a, q->b);
        work_point(out, q, x[i]);
        cairn_report_worked(out, NULL, "P(X ≤ #) + P(X > #) = # + # = #", x[i], x[i], low, high,
                            low + high);
        cairn_report_worked(out, "two sides", "2 · min(#, #) = #", low, high, 2 * fmin(low, high));
    }
    return CAIRN_OK;
}

/* Every quantile put back into the distribution. */
static cairn_status work_quantiles(cairn_context *ctx, cairn_report *out, const named_law *q,
                                   const char *list, bool upper)
{
    const cairn_law *law = q->law;
    double *numbers;
    size_t n;
    CHECK(cairn_list_numbers(ctx, upper ? "upper" : "lower", list, &numbers, &n));
    for (size_t i = 0; i < n; i++) {
        double x = (upper ? law->quantile_upper : law->quantile)(numbers[i], q->a, q->b);
        cairn_report_worked(out, NULL, upper ? "x = #: P(X > #) = #" : "x = #: P(X ≤ #) = #", x, x,
                            (upper ? law->upper : law->lower)(x, q->a, q->b));
    }
    return CAIRN_OK;
}

static cairn_status show_work(cairn_context *ctx, cairn_report *out, const named_law *q,
                              const cairn_distribution_params *p)
{
    const cairn_law *law = q->law;
    cairn_report_step_begin(out,
                            law->discrete ? "The mass and its tails" : "The density and its tails");
    cairn_report_formula(out, "%s", law->formula);
    cairn_report_worked(out, law->parameters, law->n_parameters > 1 ? "#, #" : "#", q->a, q->b);
    if (law->shifts) cairn_report_worked(out, "least", "#", q->b);
    work_moment(out, "mean", law->mean_formula, law->mean, q);
    work_moment(out, "variance", law->variance_formula, law->variance, q);
    if (p->at) CHECK(work_points(ctx, out, q, p->at));
    if (p->lower) CHECK(work_quantiles(ctx, out, q, p->lower, false));
    if (p->upper) CHECK(work_quantiles(ctx, out, q, p->upper, true));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- the picture -- */

enum { LABEL = 120 };

/* "P(X ≤ 3) = 0.776", or of what is above. */
static void label_part(char out[LABEL], const named_law *q, double at, bool above)
{
    char x[CAIRN_NUMBER_SIZE], p[CAIRN_NUMBER_SIZE];
    cairn_number_format(x, at, 6);
    cairn_number_format(p, (above ? q->law->upper : q->law->lower)(at, q->a, q->b), 4);
    snprintf(out, LABEL, "P(X %s %s) = %s", above ? ">" : "≤", x, p);
}

/* "binomial (n = 10, p = 0.25)" */
static cairn_status add_title(cairn_context *ctx, cairn_text *out, const named_law *q)
{
    SCOPED_SCRATCH(ctx);
    const double values[] = {q->a, q->b};
    char **names = NULL;
    size_t n = 0;
    if (q->law->n_parameters) CHECK(cairn_list_split(ctx, q->law->parameters, &names, &n));
    cairn_text_add(out, q->law->name);
    for (size_t i = 0; i < n && i < sizeof values / sizeof *values; i++) {
        cairn_text_addf(out, "%s%s = ", i ? ", " : " (", names[i]);
        cairn_text_add_number(out, values[i], 6);
    }
    if (n) cairn_text_add(out, ")");
    return cairn_text_status(out);
}

/* A stem for every number that can be counted to, a curve where there are many. */
static cairn_status draw_mass(cairn_context *ctx, cairn_figure *figure, const named_law *q,
                              double low, double high, double shade)
{
    char parts[2][LABEL];
    const char *names[] = {parts[0], parts[1]};
    int32_t *above;
    size_t n = high - low < MOST_STEMS ? (size_t)(high - low) + 1 : CURVE_POINTS;
    bool stems = n <= MOST_STEMS;
    double *x, *y, *stem_x, *stem_y;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH(ctx, &stem_x, 3 * n));
    CHECK(SCRATCH(ctx, &stem_y, 3 * n));
    CHECK(SCRATCH(ctx, &above, n));
    for (size_t i = 0; i < n; i++) {
        x[i] = stems ? low + (double)i : floor(low + (high - low) * (double)i / (double)(n - 1));
        y[i] = density_of(q, x[i]);
        above[i] = x[i] > shade;
        stem_x[3 * i] = stem_x[3 * i + 1] = x[i];
        stem_x[3 * i + 2] = stem_y[3 * i + 2] = NAN;
        stem_y[3 * i + 1] = y[i];
    }
    if (!stems) {
        cairn_figure_line(figure, NULL, x, y, n);
        return CAIRN_OK;
    }
    cairn_figure_guide(figure, stem_x, stem_y, 3 * n);
    label_part(parts[0], q, shade, false);
    label_part(parts[1], q, shade, true);
    if (shade >= low)
        cairn_figure_points(figure, x, y, above, n, names, 2);
    else
        cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    return CAIRN_OK;
}

/* Where the picture is cut off: a density that grows without bound at an end would press the rest
 * of the curve to the ground. NaN = nowhere. */
static double top_of(const named_law *q, const double *y)
{
    double most = 0, inside = 0;
    for (size_t i = 0; i < CURVE_POINTS; i++)
        if (!isnan(y[i])) most = fmax(most, y[i]);
    for (int i = 1; i < 20; i++)
        inside = fmax(inside, density_of(q, q->law->quantile(0.05 * i, q->a, q->b)));
    return most > 3 * inside ? 3 * inside : NAN;
}

/* The curve, and below it the part up to the first point that is asked for. A density without
 * bound at an end is left out there. */
static cairn_status draw_density(cairn_context *ctx, cairn_figure *figure, const named_law *q,
                                 double low, double high, double shade)
{
    double *x, *y, *zero;
    size_t end = 0;
    char label[LABEL];
    CHECK(SCRATCH(ctx, &x, CURVE_POINTS));
    CHECK(SCRATCH(ctx, &y, CURVE_POINTS));
    CHECK(SCRATCH(ctx, &zero, CURVE_POINTS));
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        x[i] = low + (high - low) * (double)i / (CURVE_POINTS - 1);
        y[i] = density_of(q, x[i]);
        if (isinf(y[i])) y[i] = NAN;
        if (x[i] <= shade) end = i + 1;
    }
    size_t first = end && isnan(y[0]);
    label_part(label, q, shade, false);
    if (end > first + 1) cairn_figure_band(figure, label, x + first, zero, y + first, end - first);
    cairn_figure_line(figure, NULL, x, y, CURVE_POINTS);
    cairn_figure_y_range(figure, 0, top_of(q, y));
    return CAIRN_OK;
}

/* Where the law is drawn, of one that counts to few numbers all of it: false where that has no
 * width or no end. */
static bool drawn_range(const named_law *q, double *low, double *high)
{
    const cairn_law *law = q->law;
    double first = law->discrete ? law->quantile(0, q->a, q->b) : NAN;
    double last = law->discrete ? law->quantile_upper(0, q->a, q->b) : NAN;
    bool all = last - first <= FEW_STEMS;
    *low = all ? first : law->quantile(beyond, q->a, q->b);
    *high = all ? last : law->quantile_upper(beyond, q->a, q->b);
    return isfinite(*high - *low) && (q->law->discrete || *high > *low);
}

static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const named_law *q,
                                const char *at)
{
    const cairn_law *law = q->law;
    double low, high, *x, shade = -INFINITY;
    size_t n;
    if (at) {
        CHECK(cairn_list_numbers(ctx, "at", at, &x, &n));
        if (n) shade = x[0];
    }
    if (!drawn_range(q, &low, &high))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the distribution with {parameters} has no range that can be drawn");
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    CHECK(add_title(ctx, &title, q));
    CHECK(cairn_figure_new(ctx, &figure, "distribution", cairn_text_string(&title)));
    cairn_figure_axes(figure, "x", law->discrete ? "P(X = x)" : "density");
    cairn_figure_y_range(figure, 0, NAN);
    if (law->discrete)
        CHECK(draw_mass(ctx, figure, q, low, high, shade));
    else
        CHECK(draw_density(ctx, figure, q, low, high, shade));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- the calculator -- */

static cairn_status distribution_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const cairn_distribution_params *p = job->params;
    cairn_figure *figure = NULL;
    named_law q;
    if (cairn_is_vector_law(job->word)) return cairn_vector_law_run(ctx, out, job);
    CHECK(read_law(ctx, &q, job->word, p));
    if (p->grid) return cairn_fail(ctx, CAIRN_USAGE, "{grid} is for multivariate-normal");
    cairn_report_heading(out, 1, "Distribution: %s", q.law->name);
    if (p->parameters) cairn_report_paragraph(out, "%s = %s", q.law->parameters, p->parameters);
    show_moments(out, &q);
    if (p->at) CHECK(show_points(ctx, out, &q, p->at));
    if (p->lower)
        CHECK(show_quantiles(ctx, out, &q, "lower", "P(X ≤ x)", p->lower, q.law->quantile));
    if (p->upper)
        CHECK(show_quantiles(ctx, out, &q, "upper", "P(X > x)", p->upper, q.law->quantile_upper));
    if (p->draws) CHECK(show_draws(ctx, out, &q, (size_t)p->draws, job->result));
    if (job->steps) CHECK(show_work(ctx, out, &q, p));
    bool slow = cairn_same(q.law->name, "studentized-range");
    double low, high;
    if (slow || !drawn_range(&q, &low, &high)) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, &q, p->at));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status distribution_draw(cairn_context *ctx, cairn_figure **out,
                                      const cairn_compute_job *job)
{
    const cairn_distribution_params *p = job->params;
    named_law q;
    if (cairn_is_vector_law(job->word)) return cairn_vector_law_draw(ctx, out, job);
    CHECK(read_law(ctx, &q, job->word, p));
    return make_figure(ctx, out, &q, p->at);
}

const cairn_calculator cairn_compute_distribution = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "distribution",
              .also = "normal distribution, quantile function, t distribution, p-value, "
                      "z-table, binomial, chi-squared distribution, critical value, Poisson, "
                      "Bernoulli, multinomial, categorical, geometric, exponential, uniform, "
                      "multivariate normal, Mahalanobis, mass function",
              .title = "Density, tails and quantiles",
              .summary =
                  "What the tables of a statistics book hold, at any point: density or mass, its "
                  "logarithm, both tails, quantiles, mean and variance, and numbers drawn. Of one "
                  "number: bernoulli (p), beta (a, b), binomial (n, p), chi-squared (df), "
                  "exponential (rate), f (df1, df2), gamma (shape, scale), geometric (p, the "
                  "chance to go on: (1 - p) p^x), normal (mean, deviation; 0 and 1 if not given), "
                  "poisson (rate), studentized-range (groups, df), t (df) and uniform (low, high). "
                  "Of several: categorical, multinomial and multivariate-bernoulli (the chances), "
                  "multivariate-normal (--mean, --covariance), with the distance from the mean "
                  "and the ellipses that hold a given part. Tails are computed each for itself, "
                  "so that tiny ones keep their digits; quantiles of discrete ones are the least "
                  "point that reaches the probability.",
              .references = "Abramowitz and Stegun: Handbook of Mathematical Functions, 1964, "
                            "chapter 26",
              .example = "cairn compute distribution t --parameters 9 --at 2.26 --upper 0.025",
              .params = distribution_table,
              .params_size = sizeof(cairn_distribution_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "distribution",
                .also = "mass function, density curve, bell curve, contour ellipses",
                .title = "Mass and density of a distribution",
                .summary = "The density of a distribution with the part up to a point shaded, the "
                           "mass of one that counts as stems, or of two normal numbers the "
                           "ellipses that hold 50, 90 and 99 of a hundred.",
                .example = "cairn draw distribution binomial --parameters 10,0.25 --out mass.svg",
                .params = distribution_table,
                .params_size = sizeof(cairn_distribution_params)},
    .arguments = "NAME",
    .takes_word = true,
    .run = distribution_run,
    .draw = distribution_draw,
};
