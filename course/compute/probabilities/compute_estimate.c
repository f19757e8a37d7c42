/* SPDX-License-Identifier: MIT */
/* cairn compute estimate: parameters that make what was seen most probable.
 *
 *     L(θ) = Σ ln p(x | θ),   the estimate is where L is the greatest
 *
 * The named laws have closed forms, or are climbed by the method of Nelder and Mead, as is a
 * likelihood that is typed. Weights count as repeated rows. */
#include "compute/probabilities/estimators.h"
#include "typed/numbers.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "solve/downhill.h"
#include "stats/frequency.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARAMETERS = 4, CURVE_POINTS = 201, MOST_BARS = 40, MANY_ROWS = 20000 };

/* The curve is drawn until it has fallen by so much on either side. */
static const double drop = 8;

typedef struct estimate_params {
    const char *law, *likelihood, *start, *counts;
    const char *values, *weights, *column, *points;
    bool logged;
    double trials;
    int support, divisor;
} estimate_params;

static const cairn_choice supports[] = {
    {"0", 0, "0, 1, 2, ..."},
    {"1", 1, "1, 2, 3, ..."},
    {0},
};

static const cairn_param estimate_table[] = {
    CAIRN_PARAM(estimate_params, law, NULL, NULL,
                "bernoulli, beta, binomial, categorical, chi-squared, exponential, f, gamma, "
                "geometric, multinomial, multivariate-bernoulli, multivariate-normal, normal, "
                "poisson, t or uniform",
                .often = true),
    CAIRN_PARAM_AS(estimate_params, values, CAIRN_TYPE_LIST, NULL,
                   "the numbers, such as 3,5,5,8; nan = missing", .often = true),
    CAIRN_PARAM_AS(estimate_params, weights, CAIRN_TYPE_LIST, NULL,
                   "a weight for each of the values"),
    CAIRN_PARAM_AS(estimate_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "column of DATA: of numbers, for a categorical law of levels; the first one if "
                   "not given"),
    CAIRN_PARAM_AS(estimate_params, counts, CAIRN_TYPE_LIST, NULL,
                   "of a categorical law: how often each category was seen, fish=2,bird=3"),
    CAIRN_PARAM_AS(estimate_params, points, CAIRN_TYPE_LIST, NULL,
                   "of a law of several numbers: 1,2;3,1;2,5; the number features of DATA if not "
                   "given"),
    CAIRN_PARAM(estimate_params, trials, CAIRN_NOT_GIVEN, "[1,1e15]",
                "of a binomial law: the number of trials of each value"),
    CAIRN_PARAM_CHOICE(estimate_params, support, "0", supports, "what a geometric law counts from"),
    CAIRN_PARAM_CHOICE(estimate_params, divisor, "n", cairn_divisors,
                       "of the variance of a normal law; the likelihood is greatest with n"),
    CAIRN_PARAM(estimate_params, likelihood, NULL, NULL,
                "instead of a law: the probability or density of one value x, an expression of x "
                "and the parameters that --start names, such as 'p^x * (1-p)^(1-x)'",
                .often = true),
    CAIRN_PARAM(estimate_params, start, NULL, NULL,
                "where the search begins, with a name for each parameter: p=0.5 or m=0,s=1",
                .often = true),
    CAIRN_PARAM(estimate_params, logged, "no", NULL,
                "the expression is the logarithm of the likelihood already"),
    CAIRN_PARAM_END,
};

/* What is climbed: a named law or a typed expression. */
typedef struct problem {
    const cairn_estimator *estimator; /* NULL = typed */
    cairn_fit fit;
    const char *expression;
    bool logged;
    const char *names[MOST_PARAMETERS];
    double theta[MOST_PARAMETERS]; /* of the free parameters: the estimate */
    size_t n;
    double *columns[MOST_PARAMETERS]; /* typed: a column of each parameter */
    double *terms;                    /* typed: one value for each number */
    double likelihood;
    size_t steps; /* of a search; 0 = closed form */
} problem;

/* -- the likelihood -- */

static cairn_status typed_likelihood(cairn_context *ctx, const problem *q, const double *theta,
                                     double *out)
{
    SCOPED_SCRATCH(ctx);
    const cairn_sample *s = &q->fit.sample;
    const char *names[MOST_PARAMETERS + 1];
    const double *columns[MOST_PARAMETERS + 1];
    names[0] = "x";
    columns[0] = s->values;
    for (size_t k = 0; k < q->n; k++) {
        names[k + 1] = q->names[k];
        columns[k + 1] = q->columns[k];
        for (size_t i = 0; i < s->n; i++) q->columns[k][i] = theta[k];
    }
    cairn_variables variables = {names, columns, q->n + 1, s->n};
    CHECK(cairn_function_values(ctx, q->terms, q->expression, &variables, "likelihood"));
    *out = 0;
    for (size_t i = 0; i < s->n; i++) {
        double term = q->logged ? q->terms[i] : cairn_log(q->terms[i]);
        *out += (s->weights ? s->weights[i] : 1) * term;
    }
    return CAIRN_OK;
}

static cairn_status likelihood_at(cairn_context *ctx, const problem *q, const double *theta,
                                  double *out)
{
    if (!q->estimator) return typed_likelihood(ctx, q, theta, out);
    double p[2] = {q->fit.p[0], q->fit.p[1]};
    for (size_t k = 0; k < q->n; k++) p[q->estimator->first + k] = theta[k];
    *out = NAN;
    if (!cairn_law_takes(q->fit.law, p[0], p[1])) return CAIRN_OK;
    *out = q->estimator->quick(&q->fit, p);
    return CAIRN_OK;
}

/* Minus the likelihood; the parameters of laws that are climbed are above 0 and stand as their
 * logarithms. */
static cairn_status negated(cairn_context *ctx, void *data, const double *x, double *out)
{
    const problem *q = data;
    double theta[MOST_PARAMETERS];
    for (size_t k = 0; k < q->n; k++) theta[k] = q->estimator ? cairn_exp(x[k]) : x[k];
    CHECK(likelihood_at(ctx, q, theta, out));
    *out = -*out;
    return CAIRN_OK;
}

static cairn_status climb(cairn_context *ctx, problem *q)
{
    cairn_valley valley = {q->n, q, negated};
    cairn_progress progress = {.what = "climbing", .most = 5000, .tolerance = 1e-10};
    double x[MOST_PARAMETERS], value;
    for (size_t k = 0; k < q->n; k++) x[k] = q->estimator ? cairn_log(q->theta[k]) : q->theta[k];
    CHECK(negated(ctx, q, x, &value));
    if (!isfinite(value))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the likelihood has no logarithm at {start}; begin where every value is "
                          "possible");
    CHECK(cairn_downhill(ctx, &valley, x, &value, &progress));
    q->steps = progress.iterations;
    for (size_t k = 0; k < q->n; k++) q->theta[k] = q->estimator ? cairn_exp(x[k]) : x[k];
    q->likelihood = -value;
    bool far = !isfinite(value);
    for (size_t k = 0; k < q->n; k++) far |= !(fabs(q->theta[k]) < 1e12);
    if (!far && progress.converged) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      q->estimator ? "the likelihood was still growing after %zu steps: no "
                                     "parameters of this {law} make it the greatest"
                                   : "the likelihood was still growing after %zu steps: it has no "
                                     "greatest value, or another {start} is needed",
                      q->steps);
}

/* -- reading -- */

static cairn_status read_sample(cairn_context *ctx, cairn_fit *fit, const estimate_params *p,
                                const cairn_compute_job *job)
{
    cairn_numbers_options options = {
        .values = p->values, .weights = p->weights, .column = p->column};
    cairn_numbers numbers;
    CHECK(cairn_numbers_get(ctx, &numbers, &options, job->table, "estimate"));
    CHECK(cairn_numbers_sample(ctx, &fit->sample, &numbers, -1));
    const cairn_sample *s = &fit->sample;
    if (!s->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "no number is left in %s", numbers.name);
    fit->n = s->total;
    for (size_t i = 0; i < s->n; i++) fit->sum += (s->weights ? s->weights[i] : 1) * s->values[i];
    fit->mean = fit->sum / fit->n;
    for (size_t i = 0; i < s->n; i++) {
        double apart = s->values[i] - fit->mean;
        fit->squares += (s->weights ? s->weights[i] : 1) * apart * apart;
    }
    if (!isfinite(fit->squares)) return cairn_fail_overflow(ctx);
    fit->low = s->values[0];
    fit->high = s->values[s->n - 1];
    return CAIRN_OK;
}

/* A value that the law cannot have made is named. */
static cairn_status check_values(cairn_context *ctx, const problem *q)
{
    const cairn_sample *s = &q->fit.sample;
    char text[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < s->n; i++) {
        if (q->estimator->takes(&q->fit, s->values[i])) continue;
        cairn_number_format(text, s->values[i], 10);
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a value of the law '%s' is %s, and %s is not",
                          q->estimator->law, q->estimator->domain, text);
    }
    return CAIRN_OK;
}

/* The names of a law's free parameters, out of "mean,deviation". */
static cairn_status name_parameters(cairn_context *ctx, problem *q)
{
    char **names;
    size_t n;
    CHECK(cairn_list_split(ctx, q->fit.law->parameters, &names, &n));
    for (size_t k = 0; k < q->n; k++) q->names[k] = names[q->estimator->first + k];
    return CAIRN_OK;
}

static cairn_status solve_law(cairn_context *ctx, problem *q, const estimate_params *p)
{
    cairn_fit *fit = &q->fit;
    q->estimator = cairn_estimator_find(p->law);
    if (!q->estimator)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{law}: '%s' is not a law that can be fitted; there are categorical, "
                          "multinomial, multivariate-bernoulli, multivariate-normal, %s",
                          p->law, cairn_estimator_names);
    fit->law = cairn_law_find(p->law);
    fit->trials = p->trials;
    fit->least = fit->law->shifts ? p->support : 0;
    fit->less_one = p->divisor == CAIRN_DIVISOR_N_1;
    if (cairn_same(p->law, "binomial") && !(p->trials > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "a binomial law needs its number of {trials}");
    q->n = q->estimator->n_free;
    CHECK(check_values(ctx, q));
    CHECK(name_parameters(ctx, q));
    cairn_fit_add_up(fit);
    if (!q->estimator->solve(fit) || !cairn_law_takes(fit->law, fit->p[0], fit->p[1]))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the likelihood of the law '%s' has no greatest value here: %s", p->law,
                          q->estimator->no_maximum ? q->estimator->no_maximum
                                                   : "its parameters are out of range");
    for (size_t k = 0; k < q->n; k++) q->theta[k] = fit->p[q->estimator->first + k];
    if (q->estimator->numeric) CHECK(climb(ctx, q));
    for (size_t k = 0; k < q->n; k++) fit->p[q->estimator->first + k] = q->theta[k];
    q->likelihood = cairn_fit_likelihood(fit, fit->p);
    return CAIRN_OK;
}

/* "m=0,s=1": a name and a number for each parameter. */
static cairn_status read_start(cairn_context *ctx, problem *q, const char *start)
{
    char **items;
    if (!start)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{start} names the parameters of the {likelihood} and says where the "
                          "search begins: p=0.5");
    CHECK(cairn_list_split(ctx, start, &items, &q->n));
    if (q->n < 1 || q->n > MOST_PARAMETERS)
        return cairn_fail(ctx, CAIRN_USAGE, "{start} names from 1 to %d parameters, not %zu",
                          MOST_PARAMETERS, q->n);
    for (size_t k = 0; k < q->n; k++) {
        char *mark = strchr(items[k], '=');
        if (!mark || mark == items[k] ||
            !cairn_number_parse(mark + 1, strlen(mark + 1), &q->theta[k]) || !isfinite(q->theta[k]))
            return cairn_fail(ctx, CAIRN_USAGE, "{start}: '%s' is not NAME=NUMBER", items[k]);
        *mark = 0;
        q->names[k] = items[k];
        bool taken = cairn_same(items[k], "x");
        for (size_t j = 0; j < k; j++) taken |= cairn_same(items[k], q->names[j]);
        if (taken) return cairn_fail(ctx, CAIRN_USAGE, "{start}: the name '%s' is taken", items[k]);
    }
    return CAIRN_OK;
}

static cairn_status solve_typed(cairn_context *ctx, problem *q, const estimate_params *p)
{
    CHECK(read_start(ctx, q, p->start));
    q->expression = p->likelihood;
    q->logged = p->logged;
    CHECK(SCRATCH(ctx, &q->terms, q->fit.sample.n));
    for (size_t k = 0; k < q->n; k++) CHECK(SCRATCH(ctx, &q->columns[k], q->fit.sample.n));
    return climb(ctx, q);
}

static cairn_status solve_problem(cairn_context *ctx, problem *q, const cairn_compute_job *job)
{
    const estimate_params *p = job->params;
    *q = (problem){0};
    if (!p->law == !p->likelihood)
        return cairn_fail(ctx, CAIRN_USAGE, "say what is fitted: a {law} or a {likelihood}");
    CHECK(read_sample(ctx, &q->fit, p, job));
    return p->law ? solve_law(ctx, q, p) : solve_typed(ctx, q, p);
}

/* -- showing -- */

static void show_estimates(cairn_report *out, const problem *q)
{
    cairn_report_table_of(out, "Estimates", 0, "lr", "parameter", "estimate");
    for (size_t k = 0; k < q->n; k++) {
        cairn_report_cell(out, q->names[k]);
        cairn_report_cell_number(out, q->theta[k], 0, "estimate.%s",
                                 cairn_report_key(out, q->names[k]));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "values", q->fit.n, "n");
    cairn_report_value(out, "log-likelihood", q->likelihood, "log-likelihood");
    if (q->estimator && cairn_same(q->estimator->law, "normal"))
        cairn_report_value(out, q->fit.less_one ? "variance, by n − 1" : "variance, by n",
                           q->theta[1] * q->theta[1], "estimate.variance");
    if (q->fit.law && q->fit.law->shifts)
        cairn_report_paragraph(out, "%s; counted from %d.", q->fit.law->formula, (int)q->fit.least);
}

static void show_work(cairn_report *out, const problem *q)
{
    const cairn_estimator *e = q->estimator;
    cairn_report_step_begin(out, "Where the likelihood is the greatest");
    if (e && e->likelihood)
        cairn_report_formula(out, "%s", e->likelihood);
    else if (e)
        cairn_report_formula(out, "L = Σ ln f(x),   %s", q->fit.law->formula);
    else
        cairn_report_formula(out, q->logged ? "L = Σ (%s)" : "L = Σ ln(%s)", q->expression);
    if (e && e->zero) cairn_report_formula(out, "slope: %s", e->zero);
    if (e && e->work) e->work(out, &q->fit);
    if (q->steps)
        cairn_report_paragraph(out,
                               "No closed form: found by %zu steps of the method of Nelder "
                               "and Mead.",
                               q->steps);
    for (size_t k = 0; q->steps && k < q->n; k++)
        cairn_report_worked(out, q->names[k], "#", q->theta[k]);
    cairn_report_worked(out, "L", "#", q->likelihood);
    cairn_report_step_end(out);
}

/* -- pictures -- */

/* Whether the likelihood has fallen far, or is none, at so much of the first parameter. */
static cairn_status has_fallen(cairn_context *ctx, const problem *q, double first, bool *out)
{
    double theta[MOST_PARAMETERS], value;
    memcpy(theta, q->theta, sizeof theta);
    theta[0] = first;
    CHECK(likelihood_at(ctx, q, theta, &value));
    *out = !isfinite(value) || q->likelihood - value > drop;
    return CAIRN_OK;
}

/* How far the first parameter goes to one side before the likelihood has fallen: steps that double
 * and then a bisection. */
static cairn_status reach(cairn_context *ctx, const problem *q, double sign, double *out)
{
    double low = 0, high = 1e-4 * fmax(fabs(q->theta[0]), 1e-3);
    bool fallen = false;
    for (int i = 0; i < 40 && !fallen; i++) {
        CHECK(has_fallen(ctx, q, q->theta[0] + sign * high, &fallen));
        if (!fallen) low = high, high *= 2;
    }
    for (int i = 0; i < 12 && fallen; i++) {
        double middle = low + (high - low) / 2;
        bool beyond;
        CHECK(has_fallen(ctx, q, q->theta[0] + sign * middle, &beyond));
        if (beyond)
            high = middle;
        else
            low = middle;
    }
    *out = q->theta[0] + sign * low;
    return CAIRN_OK;
}

static cairn_status likelihood_figure(cairn_context *ctx, cairn_figure **out, const problem *q)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    double low, high, theta[MOST_PARAMETERS], x[CURVE_POINTS], y[CURVE_POINTS];
    size_t n = q->fit.sample.n < MANY_ROWS ? CURVE_POINTS : CURVE_POINTS / 4;
    memcpy(theta, q->theta, sizeof theta);
    CHECK(reach(ctx, q, -1, &low));
    CHECK(reach(ctx, q, 1, &high));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "drawing", (double)i, (double)n));
        x[i] = theta[0] = low + (high - low) * (double)i / (double)(n - 1);
        CHECK(likelihood_at(ctx, q, theta, &y[i]));
        if (!(y[i] >= q->likelihood - drop)) y[i] = NAN;
    }
    CHECK(cairn_figure_new(ctx, &figure, "likelihood",
                           q->n > 1 ? "Log-likelihood, the others at their estimates"
                                    : "Log-likelihood"));
    cairn_figure_axes(figure, q->names[0], "L");
    cairn_figure_line(figure, NULL, x, y, n);
    cairn_figure_y_range(figure, q->likelihood - drop, NAN);
    cairn_figure_mark(figure, "estimate", q->theta[0], q->likelihood);
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* Shares of the values and the fitted mass, side by side; numbers beyond the last bar are left
 * out. */
static cairn_status draw_mass(cairn_context *ctx, cairn_figure *figure, const cairn_fit *fit)
{
    size_t n = fit->high - fit->low < MOST_BARS ? (size_t)(fit->high - fit->low) + 1 : MOST_BARS;
    const cairn_sample *s = &fit->sample;
    const char **names;
    double *shares, *masses;
    CHECK(SCRATCH(ctx, &names, n));
    CHECK(SCRATCH(ctx, &shares, n));
    CHECK(SCRATCH(ctx, &masses, n));
    for (size_t i = 0; i < s->n; i++)
        if (s->values[i] - fit->low < (double)n)
            shares[(size_t)(s->values[i] - fit->low)] += (s->weights ? s->weights[i] : 1) / fit->n;
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        cairn_number_format(name, fit->low + (double)i, 10);
        names[i] = name;
        masses[i] = fit->law->density(fit->low + (double)i, fit->p[0], fit->p[1]);
    }
    cairn_figure_bars(figure, "values", names, shares, n);
    cairn_figure_bars(figure, "fitted", names, masses, n);
    return CAIRN_OK;
}

static cairn_status draw_density(cairn_context *ctx, cairn_figure *figure, const cairn_fit *fit)
{
    cairn_bins bins;
    double *heights, x[CURVE_POINTS], y[CURVE_POINTS];
    CHECK(cairn_bins_make(ctx, &bins, &(cairn_bin_options){0}, &fit->sample));
    CHECK(SCRATCH(ctx, &heights, bins.n));
    cairn_bins_count(heights, &bins, &fit->sample);
    for (size_t i = 0; i < bins.n; i++) heights[i] /= fit->n * (bins.edges[i + 1] - bins.edges[i]);
    double low = bins.edges[0], high = bins.edges[bins.n], room = (high - low) / 10;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        x[i] = low - room + (high - low + 2 * room) * (double)i / (CURVE_POINTS - 1);
        y[i] = fit->law->density(x[i], fit->p[0], fit->p[1]);
        if (isinf(y[i])) y[i] = NAN;
    }
    cairn_figure_histogram(figure, "values", bins.edges, heights, bins.n);
    cairn_figure_line(figure, "fitted", x, y, CURVE_POINTS);
    return CAIRN_OK;
}

static cairn_status fit_figure(cairn_context *ctx, cairn_figure **out, const cairn_fit *fit)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(ctx, &figure, "fit", "Values and the fitted law"));
    cairn_figure_axes(figure, "x", fit->law->discrete ? "share" : "density");
    if (fit->law->discrete)
        CHECK(draw_mass(ctx, figure, fit));
    else
        CHECK(draw_density(ctx, figure, fit));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- the calculator -- */

/* Counts of a multinomial law that are typed for one vector are those of categories. */
static bool is_categorical(const estimate_params *p)
{
    return p->law &&
           (cairn_same(p->law, "categorical") || (cairn_same(p->law, "multinomial") && p->counts));
}

static bool is_of_vectors(const estimate_params *p)
{
    return p->law && cairn_is_vectors_estimate(p->law);
}

static cairn_status estimate_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const estimate_params *p = job->params;
    cairn_figure *curve = NULL, *fitted = NULL;
    problem q;
    if (is_categorical(p)) return cairn_estimate_categories(ctx, out, job, p->counts, p->column);
    if (is_of_vectors(p))
        return cairn_estimate_vectors(ctx, out, job,
                                      &(cairn_vectors_source){p->law, p->points, p->weights,
                                                              p->divisor == CAIRN_DIVISOR_N_1});
    CHECK(solve_problem(ctx, &q, job));
    cairn_report_heading(out, 1, "Maximum likelihood: %s", p->law ? p->law : p->likelihood);
    show_estimates(out, &q);
    if (job->steps) show_work(out, &q);
    CHECK(likelihood_figure(ctx, &curve, &q));
    cairn_report_page_figure(out, curve);
    if (!q.fit.law) return CAIRN_OK;
    CHECK(fit_figure(ctx, &fitted, &q.fit));
    cairn_report_page_figure(out, fitted);
    return CAIRN_OK;
}

/* The curve of the likelihood, and beside it the law that was fitted. */
static cairn_status estimate_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    OWNED(cairn_figure_free) cairn_figure *both = NULL;
    cairn_figure *panel = NULL;
    problem q;
    if (is_categorical(job->params) || is_of_vectors(job->params))
        return cairn_fail(ctx, CAIRN_USAGE, "{law}: the likelihood of this law is no curve");
    CHECK(solve_problem(ctx, &q, job));
    CHECK(cairn_figure_new(ctx, &both, "estimate", "Maximum likelihood"));
    CHECK(likelihood_figure(ctx, &panel, &q));
    cairn_figure_panel(both, panel);
    if (q.fit.law) {
        CHECK(fit_figure(ctx, &panel, &q.fit));
        cairn_figure_panel(both, panel);
    }
    *out = TAKE(both);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_estimate = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "estimate",
              .also = "maximum likelihood, MLE, fit a distribution, likelihood, log-likelihood, "
                      "parameter estimation",
              .title = "Maximum likelihood estimates",
              .summary =
                  "The parameters of a law that make the values most probable, and the "
                  "log-likelihood there: by closed form for bernoulli, binomial (number of trials "
                  "known), categorical, exponential, geometric ((1 - p) p^x, counted from 0 or "
                  "1), multinomial, multivariate-bernoulli, normal and multivariate-normal "
                  "(variances by n), poisson and uniform, by search for beta, chi-squared, f, "
                  "gamma and t, and for a likelihood that is typed. Pictures show the curve of "
                  "the likelihood and the fitted law beside the values.",
              .references = "Lehmann and Casella: Theory of Point Estimation, 1998; Nelder and "
                            "Mead: A simplex method for function minimization, 1965",
              .example =
                  "cairn compute estimate --law poisson --values 5,2,12,9,15,6,25,16 --steps",
              .params = estimate_table,
              .params_size = sizeof(estimate_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "estimate",
                .also = "likelihood curve, fitted distribution",
                .title = "Likelihood curve and fitted law",
                .summary = "The log-likelihood as a function of the parameter, with the estimate "
                           "marked, and the fitted law beside the values.",
                .example = "cairn draw estimate --law poisson --values 5,2,12,9,15,6,25,16 --out "
                           "estimate.svg",
                .params = estimate_table,
                .params_size = sizeof(estimate_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = estimate_run,
    .draw = estimate_draw,
};
