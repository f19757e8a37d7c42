/* SPDX-License-Identifier: MIT */
/* cairn compute distribution: the tables at the end of statistics books, at any point.
 *
 * Laws of one number come from stats/laws.h; those of several are in vector_laws.c. */
#include "base/memory.h"
#include "base/number.h"
#include "entry/split.h"
#include "typed/law_draws.h"
#include "model/calculator.h"
#include "base/functions.h"
#include "base/random.h"
#include "entry/probabilities.h"
#include "decompose/linalg.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "stats/laws.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct distribution_params {
    const char *parameters, *at, *covariance;
    cairn_list lower, upper, mean;
    int support;
    int64_t draws, grid;
} distribution_params;

/* -- vector laws -- */

/* Laws of chances (categorical, multinomial, several Bernoullis) and the multivariate normal one,
 *
 *     −ln P(x) = ln E_d + Dis²/2,   E_d = √((2π)ᵈ |Σ|),   Dis² = (x − μ)' Σ⁻¹ (x − μ) */

enum { ELLIPSE_POINTS = 121, N_LEVELS = 3, WIDEST_GRID = 9 };

static const double levels[N_LEVELS] = {0.5, 0.9, 0.99};
static const double log_2pi = 1.83787706640934548356;

typedef struct vector_law vector_law;

typedef struct law_kind {
    const char *name, *formula, *mass; /* mass: head of a column */
    bool whole;                        /* the chances add up to 1 */
    bool lone;                         /* a point is one number, that of the category */
    double (*log_density)(const vector_law *law, const double *x);
    void (*draw)(const vector_law *law, cairn_random *random, double *x);
    void (*work)(cairn_report *out, const vector_law *law, const double *x);
} law_kind;

struct vector_law {
    const law_kind *kind;
    size_t d;              /* numbers of a point */
    size_t k;              /* chances */
    const double *chances; /* k; NULL = normal */
    const double *points;  /* n x d */
    size_t n;
    double trials; /* multinomial: of the first point, else 1 */
    /* normal */
    double *mean, *covariance, *factor, *inverse; /* factor: R with Σ = R'R */
    double determinant, log_scale;                /* ln E_d */
};

/* -- logarithms -- */

static bool is_count(double x)
{
    return x >= 0 && x == floor(x);
}

static double categorical_log(const vector_law *law, const double *x)
{
    if (!(x[0] >= 1 && x[0] <= (double)law->k && is_count(x[0]))) return -INFINITY;
    return cairn_log(law->chances[(size_t)x[0] - 1]);
}

static double bernoullis_log(const vector_law *law, const double *x)
{
    double sum = 0;
    for (size_t j = 0; j < law->d; j++) {
        if (x[j] != 0 && x[j] != 1) return -INFINITY;
        sum += x[j] == 1 ? cairn_log(law->chances[j]) : cairn_log1p(-law->chances[j]);
    }
    return sum;
}

static double multinomial_log(const vector_law *law, const double *x)
{
    return cairn_multinomial_log(x, law->chances, law->d);
}

static double squared_distance(const vector_law *law, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < law->d; i++) {
        double row = 0;
        for (size_t j = 0; j < law->d; j++)
            row += law->inverse[i * law->d + j] * (x[j] - law->mean[j]);
        sum += (x[i] - law->mean[i]) * row;
    }
    return isnan(sum) ? INFINITY : fmax(sum, 0);
}

static double normal_log(const vector_law *law, const double *x)
{
    return -law->log_scale - squared_distance(law, x) / 2;
}

/* -- drawing -- */

static size_t pick(const vector_law *law, cairn_random *random)
{
    double u = cairn_random_uniform(random), sum = 0;
    size_t last = 0;
    for (size_t j = 0; j < law->k; j++) {
        if (law->chances[j] > 0) last = j;
        sum += law->chances[j];
        if (u < sum) return j;
    }
    return last;
}

static void categorical_draw(const vector_law *law, cairn_random *random, double *x)
{
    x[0] = (double)(pick(law, random) + 1);
}

static void bernoullis_draw(const vector_law *law, cairn_random *random, double *x)
{
    for (size_t j = 0; j < law->d; j++) x[j] = cairn_random_uniform(random) < law->chances[j];
}

/* Count after count: each is binomial among the trials and the chances that are left. */
static void multinomial_draw(const vector_law *law, cairn_random *random, double *x)
{
    double rest = law->trials, left = 1;
    for (size_t j = 0; j < law->d; j++) {
        double p = left > 0 ? law->chances[j] / left : 1;
        if (p > 1 - 1e-12 || j + 1 == law->d) p = 1;
        x[j] = cairn_binomial_quantile(cairn_random_uniform(random), rest, p);
        rest -= x[j];
        left -= law->chances[j];
    }
}

/* The mean and R'z of standard normal numbers z. */
static void normal_draw(const vector_law *law, cairn_random *random, double *x)
{
    memcpy(x, law->mean, law->d * sizeof *x);
    for (size_t i = 0; i < law->d; i++) {
        double z = cairn_random_normal(random);
        for (size_t j = i; j < law->d; j++) x[j] += law->factor[i * law->d + j] * z;
    }
}

/* -- the work -- */

static void categorical_work(cairn_report *out, const vector_law *law, const double *x)
{
    cairn_report_worked(out, NULL, "P(category #) = #", x[0], cairn_exp(categorical_log(law, x)));
}

/* A product of as many factors as there are numbers: "0.3·0.5·0.8". */
static void add_factors(cairn_text *text, const vector_law *law, const double *x, bool counts)
{
    char chance[CAIRN_NUMBER_SIZE], power[CAIRN_NUMBER_SIZE];
    for (size_t j = 0; j < law->d; j++) {
        cairn_number_format(chance, law->chances[j], 6);
        cairn_number_format(power, x[j], 6);
        if (counts)
            cairn_text_addf(text, "%s%s^%s", j ? "·" : "", chance, power);
        else
            cairn_text_addf(text, x[j] == 1 ? "%s%s" : "%s(1 − %s)", j ? "·" : "", chance);
    }
}

static void bernoullis_work(cairn_report *out, const vector_law *law, const double *x)
{
    char value[CAIRN_NUMBER_SIZE];
    if (!out) return;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    add_factors(&text, law, x, false);
    cairn_number_format(value, cairn_exp(bernoullis_log(law, x)), 6);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_formula(out, "P = %s = %s", cairn_text_string(&text), value);
}

/* A number that is no count has the probability 0; the number of ways is left out where it would
 * overflow. */
static void multinomial_work(cairn_report *out, const vector_law *law, const double *x)
{
    char number[CAIRN_NUMBER_SIZE];
    double n = 0, log_ways = 0;
    if (!out) return;
    for (size_t j = 0; j < law->d; j++)
        if (!is_count(x[j])) {
            cairn_report_worked(out, "P", "#, because # is no count", 0.0, x[j]);
            return;
        }
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t j = 0; j < law->d; j++) n += x[j], log_ways -= cairn_lgamma(x[j] + 1);
    log_ways += cairn_lgamma(n + 1);
    cairn_number_format(number, n, 6);
    cairn_text_addf(&text, "%s! / (", number);
    for (size_t j = 0; j < law->d; j++) {
        cairn_number_format(number, x[j], 6);
        cairn_text_addf(&text, "%s%s!", j ? "·" : "", number);
    }
    cairn_text_add(&text, ") · ");
    add_factors(&text, law, x, true);
    if (log_ways < 700) {
        cairn_number_format(number, cairn_exp(log_ways), 6);
        cairn_text_addf(&text, " = %s · ", number);
        add_factors(&text, law, x, true);
    }
    cairn_number_format(number, cairn_exp(multinomial_log(law, x)), 6);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_formula(out, "P = %s = %s", cairn_text_string(&text), number);
}

static void normal_work(cairn_report *out, const vector_law *law, const double *x)
{
    double square = squared_distance(law, x), terms[3 * 16];
    size_t d = law->d, n = 0;
    for (size_t i = 0; i < d && d <= 4; i++)
        for (size_t j = 0; j < d; j++, n++) {
            terms[3 * n] = x[i] - law->mean[i];
            terms[3 * n + 1] = law->inverse[i * d + j];
            terms[3 * n + 2] = x[j] - law->mean[j];
        }
    if (n)
        cairn_report_worked_sum(out, "Dis²", "#·#·#", terms, 3, n, square);
    else
        cairn_report_worked(out, "Dis²", "(x − μ)' Σ⁻¹ (x − μ) = #", square);
    cairn_report_worked(out, "−ln P", "ln E_d + Dis²/2 = # + #/2 = #", law->log_scale, square,
                        law->log_scale + square / 2);
    cairn_report_worked(out, "P", "exp(#) = #", normal_log(law, x), cairn_exp(normal_log(law, x)));
}

static const law_kind kinds[] = {
    {"categorical", "P(X = j) = θⱼ", "P(X = x)", true, true, categorical_log, categorical_draw,
     categorical_work},
    {"multinomial", "P(x) = n! / (x₁! ⋯ x_k!) · θ₁^x₁ ⋯ θ_k^x_k,   n = x₁ + ⋯ + x_k", "P(X = x)",
     true, false, multinomial_log, multinomial_draw, multinomial_work},
    {"multivariate-bernoulli", "P(x) = Π θⱼ^xⱼ (1 − θⱼ)^(1 − xⱼ)", "P(X = x)", false, false,
     bernoullis_log, bernoullis_draw, bernoullis_work},
    {"multivariate-normal", "−ln P(x) = ln E_d + Dis²/2,   E_d = √((2π)ᵈ |Σ|)", "density", false,
     false, normal_log, normal_draw, normal_work},
};

static const law_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

/* categorical, multinomial, multivariate-bernoulli, multivariate-normal */
static bool is_vector_law(const char *name)
{
    return find_kind(name) != NULL;
}

/* -- reading -- */

/* Only laws whose outcomes exclude each other need chances that add up to 1. */
static cairn_status read_chances(cairn_context *ctx, vector_law *law, const char *typed)
{
    double *numbers;
    if (!typed)
        return cairn_fail(ctx, CAIRN_USAGE, "%s needs its chances: {parameters 0.5,0.3,0.2}",
                          law->kind->name);
    CHECK(cairn_list_numbers(ctx, "parameters", typed, &numbers, &law->k));
    for (size_t j = 0; j < law->k; j++)
        if (!(numbers[j] >= 0 && numbers[j] <= 1))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{parameters}: a probability lies between 0 and 1, and number %zu "
                              "does not",
                              j + 1);
    if (!law->k || law->kind->whole)
        CHECK(cairn_check_probabilities(ctx, "parameters", numbers, law->k));
    law->chances = numbers;
    law->d = law->kind->lone ? 1 : law->k;
    return CAIRN_OK;
}

static cairn_status check_symmetric(cairn_context *ctx, const double *a, size_t d)
{
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++)
            if (!(fabs(a[i * d + j] - a[j * d + i]) <= 1e-9 * fabs(a[i * d + j])))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{covariance} is symmetric, but row %zu, column %zu differs "
                                  "from row %zu, column %zu",
                                  i + 1, j + 1, j + 1, i + 1);
    return CAIRN_OK;
}

/* The variance that number k would have once those before it are known. */
static cairn_status variance_left(cairn_context *ctx, double *out, const vector_law *law, size_t k)
{
    size_t d = law->d, pivot;
    double *block, *weights, condition;
    *out = law->covariance[k * d + k];
    CHECK(SCRATCH(ctx, &block, k * k + 1));
    CHECK(SCRATCH(ctx, &weights, k + 1));
    for (size_t i = 0; i < k; i++) {
        memcpy(block + i * k, law->covariance + i * d, k * sizeof(double));
        weights[i] = law->covariance[i * d + k];
    }
    CHECK(cairn_cholesky(ctx, block, k, &condition, &pivot));
    CHECK(cairn_cholesky_solve(ctx, block, k, weights, 1));
    for (size_t i = 0; i < k; i++) *out -= weights[i] * law->covariance[i * d + k];
    return CAIRN_OK;
}

/* Factor, inverse and determinant of the covariance, which has to be positive definite. */
static cairn_status factorise(cairn_context *ctx, vector_law *law)
{
    size_t d = law->d, pivot;
    double condition, log_determinant = 0;
    CHECK(SCRATCH_EACH(ctx, d * d, &law->factor, &law->inverse));
    memcpy(law->factor, law->covariance, d * d * sizeof(double));
    CHECK(cairn_cholesky(ctx, law->factor, d, &condition, &pivot));
    if (!(condition > 1e-15)) {
        /* A number that the others determine, or one whose variance would be negative. */
        size_t k = pivot < d ? pivot : d - 1;
        double left;
        char value[CAIRN_NUMBER_SIZE];
        CHECK(variance_left(ctx, &left, law, k));
        if (!(left < -1e-9 * fabs(law->covariance[k * law->d + k])))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "{covariance} is not positive definite: number %zu is, as far as it "
                              "says, a combination of those before it",
                              k + 1);
        cairn_number_format(value, left, 6);
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "{covariance} is not positive definite: once the numbers before it are "
                          "known, number %zu would have the variance %s",
                          k + 1, value);
    }
    memcpy(law->inverse, law->factor, d * d * sizeof(double));
    CHECK(cairn_cholesky_inverse(ctx, law->inverse, d));
    for (size_t j = 0; j < d; j++) log_determinant += 2 * cairn_log(law->factor[j * d + j]);
    law->determinant = cairn_exp(log_determinant);
    law->log_scale = (double)d / 2 * log_2pi + log_determinant / 2;
    return CAIRN_OK;
}

static cairn_status read_normal(cairn_context *ctx, vector_law *law, const distribution_params *p)
{
    size_t rows;
    if (!p->covariance || p->parameters)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "multivariate-normal takes {mean 0,0} and {covariance 1,0.8;0.8,1}");
    CHECK(cairn_read_matrix(ctx, "covariance", p->covariance, &law->covariance, &rows, &law->d));
    if (rows != law->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariance} has as many rows as columns, not %zu and %zu", rows,
                          law->d);
    CHECK(check_symmetric(ctx, law->covariance, law->d));
    if (p->mean.text && p->mean.n != law->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{mean} needs %zu numbers, one for each row of {covariance}, not %zu",
                          law->d, p->mean.n);
    CHECK(cairn_list_or(ctx, &law->mean, &p->mean, "mean", law->d, "columns", 0));
    return factorise(ctx, law);
}

/* Counts that are whole up to here can be told from one another in all sums. */
static cairn_status count_trials(cairn_context *ctx, vector_law *law)
{
    for (size_t i = law->n; i-- > 0;) {
        law->trials = 0;
        for (size_t j = 0; j < law->d; j++) law->trials += law->points[i * law->d + j];
        if (law->trials > 1e15)
            return cairn_fail(ctx, CAIRN_USAGE, "{at}: point %zu has more than 1e15 trials", i + 1);
    }
    return CAIRN_OK;
}

/* Without points there is one trial; of a multinomial law the first point says how many. */
static cairn_status read_points(cairn_context *ctx, vector_law *law, const char *at)
{
    double *points;
    size_t width = 1;
    law->trials = 1;
    if (!at) return CAIRN_OK;
    if (law->kind->lone)
        CHECK(cairn_list_numbers(ctx, "at", at, &points, &law->n));
    else
        CHECK(cairn_read_matrix(ctx, "at", at, &points, &law->n, &width));
    if (width != law->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{at}: a point of this distribution has %zu numbers, not %zu; points are "
                          "separated by semicolons",
                          law->d, width);
    for (size_t i = 0; i < law->n * width; i++)
        if (!isfinite(points[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "{at}: number %zu of point %zu is not finite",
                              i % width + 1, i / width + 1);
    law->points = points;
    if (law->kind->log_density != multinomial_log || !law->n) return CAIRN_OK;
    return count_trials(ctx, law);
}

static cairn_status read_vector_law(cairn_context *ctx, vector_law *law,
                                    const cairn_compute_job *job)
{
    const distribution_params *p = job->params;
    *law = (vector_law){.kind = find_kind(job->word)};
    if (p->lower.text || p->upper.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has no quantiles, so {lower} and {upper} mean nothing to it",
                          law->kind->name);
    if (law->kind->log_density == normal_log)
        CHECK(read_normal(ctx, law, p));
    else
        CHECK(read_chances(ctx, law, p->parameters));
    return read_points(ctx, law, p->at);
}

/* -- showing -- */

static void cell_point(cairn_report *out, const vector_law *law, const double *x)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    char number[CAIRN_NUMBER_SIZE];
    for (size_t j = 0; j < law->d; j++) {
        cairn_number_format(number, x[j], 6);
        cairn_text_addf(&text, "%s%s", j ? ", " : "", number);
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_cell(out, cairn_text_string(&text));
    cairn_text_clear(&text);
}

static void show_vector_points(cairn_report *out, const vector_law *law)
{
    bool normal = !law->chances;
    cairn_report_table_begin(out, "Points", (size_t)-1);
    cairn_report_columns(out, "lrr", "x", law->kind->mass, normal ? "ln f" : "ln P");
    if (normal) cairn_report_column(out, "Dis", 'r');
    for (size_t i = 0; i < law->n; i++) {
        const double *x = law->points + i * law->d;
        double log_density = law->kind->log_density(law, x);
        cell_point(out, law, x);
        cairn_report_prefix(out, "at%zu", i + 1);
        cairn_report_cells(out, "@.density:10 @.log @.distance", cairn_exp(log_density),
                           log_density, cairn_cell_if(normal, sqrt(squared_distance(law, x))));
    }
}

/* Eigenvalues and directions of the covariance; scratch. */
static cairn_status find_axes(cairn_context *ctx, const vector_law *law, double **values,
                              double **vectors)
{
    size_t d = law->d;
    double *a;
    CHECK(SCRATCH(ctx, &a, d * d));
    CHECK(SCRATCH(ctx, values, d));
    CHECK(SCRATCH(ctx, vectors, d * d));
    memcpy(a, law->covariance, d * d * sizeof *a);
    return cairn_symmetric_eigen(ctx, *values, *vectors, a, d);
}

/* The half axes of the ellipses that hold so much of the probability. */
static cairn_status show_ellipses(cairn_context *ctx, cairn_report *out, const vector_law *law)
{
    double *values, *vectors;
    CHECK(find_axes(ctx, law, &values, &vectors));
    cairn_report_table_of(out, "Contour ellipses", 0, "rrrrrr", "holds", "Dis²", "density",
                          "long half axis", "short half axis", "angle in degrees");
    for (size_t i = 0; i < N_LEVELS; i++) {
        double square = cairn_chi2_quantile(levels[i], 2);
        cairn_report_prefix(out, "ellipse%zu", i + 1);
        cairn_report_cells(out, "- @.square @.density @.long @.short @.angle", levels[i], square,
                           cairn_exp(-law->log_scale - square / 2), sqrt(values[0] * square),
                           sqrt(values[1] * square),
                           cairn_atan2(vectors[1], vectors[0]) * 57.29577951308232088);
    }
    return CAIRN_OK;
}

/* -- a grid of densities -- */

typedef struct grid {
    size_t n;                /* places in each direction */
    double *x, *y, *density; /* n * n of each, row by row of y */
} grid;

static cairn_status make_grid(cairn_context *ctx, grid *g, const vector_law *law)
{
    CHECK(SCRATCH_EACH(ctx, g->n * g->n, &g->x, &g->y, &g->density));
    for (size_t i = 0; g->n && i < g->n * g->n; i++) {
        size_t column = i % g->n, line = i / g->n;
        double across = g->n > 1 ? 6 * (double)column / (double)(g->n - 1) - 3 : 0;
        double up = g->n > 1 ? 6 * (double)line / (double)(g->n - 1) - 3 : 0;
        double place[2] = {law->mean[0] + across * sqrt(law->covariance[0]),
                           law->mean[1] + up * sqrt(law->covariance[3])};
        g->x[i] = place[0];
        g->y[i] = place[1];
        g->density[i] = cairn_exp(normal_log(law, place));
    }
    return CAIRN_OK;
}

/* The largest y on top, as in a picture. */
static void show_grid(cairn_report *out, const grid *g)
{
    char head[CAIRN_NUMBER_SIZE];
    cairn_report_table_of(out, "Density on a grid", 0, "r", "y \\ x");
    for (size_t j = 0; j < g->n; j++) {
        cairn_number_format(head, g->x[j], 4);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = g->n; i-- > 0;) {
        cairn_report_cell_number(out, g->y[i * g->n], 4, NULL);
        for (size_t j = 0; j < g->n; j++)
            cairn_report_cell_number(out, g->density[i * g->n + j], 4, "grid.%zu.%zu", j + 1,
                                     i + 1);
    }
}

/* A grid wider than the page is only written to the file. */
static cairn_status do_grid(cairn_context *ctx, cairn_report *out, const vector_law *law,
                            const distribution_params *p, cairn_table **result)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    grid g = {.n = (size_t)p->grid};
    if (law->chances || law->d != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{grid} is for a multivariate-normal law of two "
                          "numbers");
    if (p->draws) return cairn_fail(ctx, CAIRN_USAGE, "say either {grid} or {draws}");
    CHECK(make_grid(ctx, &g, law));
    if (g.n <= WIDEST_GRID) show_grid(out, &g);
    if (!result) return CAIRN_OK;
    CHECK(cairn_table_new(ctx, &made, g.n * g.n));
    CHECK(cairn_table_put_numbers(ctx, made, "x", g.x));
    CHECK(cairn_table_put_numbers(ctx, made, "y", g.y));
    CHECK(cairn_table_put_numbers(ctx, made, "density", g.density));
    *result = TAKE(made);
    return CAIRN_OK;
}

static void show_vector_work(cairn_report *out, const vector_law *law)
{
    cairn_report_step_begin(out, "The numbers put in");
    cairn_report_formula(out, "%s", law->kind->formula);
    if (!law->chances) {
        if (law->d == 2)
            cairn_report_worked(out, "|Σ|", "#·# − #·# = #", law->covariance[0], law->covariance[3],
                                law->covariance[1], law->covariance[2], law->determinant);
        cairn_report_worked(out, "ln E_d", "#/2·ln(2π) + ln(#)/2 = #", (double)law->d,
                            law->determinant, law->log_scale);
    }
    for (size_t i = 0; i < law->n; i++) law->kind->work(out, law, law->points + i * law->d);
    cairn_report_step_end(out);
}

/* Rows drawn, as columns of a table where one is wanted. */
static cairn_status show_vector_draws(cairn_context *ctx, cairn_report *out, const vector_law *law,
                                      size_t n, cairn_table **result)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_random random;
    const char **names;
    double *row, **columns;
    if (!is_count(law->trials))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{at}: draws have as many trials as the first point, and those are no "
                          "whole number");
    cairn_random_start(&random, ctx->seed, 0);
    CHECK(cairn_coordinate_names(ctx, &names, law->d));
    CHECK(SCRATCH_EACH(ctx, law->d, &row, &columns));
    for (size_t j = 0; j < law->d; j++) CHECK(SCRATCH(ctx, &columns[j], n));
    cairn_report_table_begin(out, "Drawn", 10);
    cairn_report_columns(out, "rl", "draw", "x");
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "drawing", (double)i, (double)n));
        law->kind->draw(law, &random, row);
        for (size_t j = 0; j < law->d; j++) columns[j][i] = row[j];
        if (!cairn_report_row_wanted(out)) continue;
        cairn_report_cellf(out, "%zu", i + 1);
        cell_point(out, law, row);
    }
    if (!result) return CAIRN_OK;
    CHECK(cairn_table_new(ctx, &made, n));
    for (size_t j = 0; j < law->d; j++)
        CHECK(cairn_table_put_numbers(ctx, made, names[j], columns[j]));
    *result = TAKE(made);
    return CAIRN_OK;
}

/* -- the picture -- */

/* Levels are the mass inside the ellipse, so that radii are roots of quantiles of χ² with 2 df. */
static cairn_status draw_ellipses(cairn_context *ctx, cairn_figure *figure, const vector_law *law)
{
    double *values, *vectors, x[ELLIPSE_POINTS], y[ELLIPSE_POINTS];
    CHECK(find_axes(ctx, law, &values, &vectors));
    for (size_t i = 0; i < N_LEVELS; i++) {
        double radius = sqrt(cairn_chi2_quantile(levels[i], 2));
        char label[32], percent[CAIRN_NUMBER_SIZE];
        for (size_t k = 0; k < ELLIPSE_POINTS; k++) {
            double turn = 6.28318530717958647692 * (double)k / (ELLIPSE_POINTS - 1);
            double u = radius * sqrt(values[0]) * cairn_cos(turn);
            double v = radius * sqrt(values[1]) * cairn_sin(turn);
            x[k] = law->mean[0] + u * vectors[0] + v * vectors[2];
            y[k] = law->mean[1] + u * vectors[1] + v * vectors[3];
        }
        cairn_number_format(percent, 100 * levels[i], 6);
        snprintf(label, sizeof label, "holds %.20s%%", percent);
        cairn_figure_line(figure, label, x, y, ELLIPSE_POINTS);
    }
    for (size_t i = 0; i < law->n; i++)
        cairn_figure_mark(figure, NULL, law->points[2 * i], law->points[2 * i + 1]);
    cairn_figure_equal_axes(figure);
    return CAIRN_OK;
}

static cairn_status draw_chances(cairn_context *ctx, cairn_figure *figure, const vector_law *law)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, law->k));
    for (size_t j = 0; j < law->k; j++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 24));
        snprintf(name, 24, "%zu", j + 1);
        names[j] = name;
    }
    cairn_figure_bars(figure, NULL, names, law->chances, law->k);
    return CAIRN_OK;
}

static cairn_status vector_figure(cairn_context *ctx, cairn_figure **out, const vector_law *law)
{
    if (!law->chances && law->d != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the ellipses of two numbers can be drawn, and here "
                          "{covariance} has another number of them");
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(ctx, &figure, "distribution", law->kind->name));
    cairn_figure_axes(figure, law->chances ? "j" : "x", law->chances ? "chance" : "y");
    if (law->chances)
        CHECK(draw_chances(ctx, figure, law));
    else
        CHECK(draw_ellipses(ctx, figure, law));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* The job's word is the law, its parameters are distribution_params. */
static cairn_status vector_law_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const distribution_params *p = job->params;
    vector_law law;
    CHECK(read_vector_law(ctx, &law, job));
    cairn_report_heading(out, 1, "Distribution: %s", law.kind->name);
    /* Mean and variance of every number; those of counts are for the trials of the first point. */
    size_t n = law.chances ? law.k : law.d;
    cairn_report_table_of(out, law.kind->lone ? "Categories" : "Numbers", 0, "rrr", "j",
                          law.kind->lone ? "P(X = j)" : "mean", "variance");
    for (size_t j = 0; j < n; j++) {
        double mean = law.chances ? law.trials * law.chances[j] : law.mean[j];
        double variance = law.chances ? mean * (1 - law.chances[j]) : law.covariance[j * law.d + j];
        cairn_report_cells(out, "- mean$1 variance$1", j + 1, mean, variance);
    }
    if (!law.chances) {
        cairn_report_value(out, "determinant of the covariance", law.determinant, "determinant");
        cairn_report_value(out, "ln E_d", law.log_scale, "log-scale");
        cairn_report_value(out, "density at the mean, its peak", cairn_exp(-law.log_scale), "peak");
        if (law.d == 2) CHECK(show_ellipses(ctx, out, &law));
    }
    if (p->at) show_vector_points(out, &law);
    if (p->grid) CHECK(do_grid(ctx, out, &law, p, job->result));
    if (p->draws) CHECK(show_vector_draws(ctx, out, &law, (size_t)p->draws, job->result));
    if (job->steps) show_vector_work(out, &law);
    if (!law.chances && law.d != 2) return CAIRN_OK;
    cairn_figure *figure = NULL;
    CHECK(vector_figure(ctx, &figure, &law));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

enum { CURVE_POINTS = 401, MOST_STEMS = 200, FEW_STEMS = 30 };

/* What the curve leaves out on either side. */
static const double beyond = 0.0005;

static const cairn_choice supports[] = {
    {"0", 0, "0, 1, 2, ..."},
    {"1", 1, "1, 2, 3, ..."},
    {0},
};

static const cairn_param distribution_table[] = {
    CAIRN_PARAM_AS(distribution_params, parameters, CAIRN_TYPE_LIST, NULL,
                   "those of the distribution, in order; inf is a number of degrees of freedom",
                   .often = true),
    CAIRN_PARAM_AS(distribution_params, at, CAIRN_TYPE_LIST, NULL,
                   "points at which density and tails are wanted; those of several numbers are "
                   "separated by semicolons: 1,0;2,3",
                   .often = true),
    CAIRN_PARAM_CELLS(distribution_params, lower, NUMBERS, NULL, "[0,1]",
                      "probabilities whose points are wanted: P(X <= x) is this"),
    CAIRN_PARAM_CELLS(distribution_params, upper, NUMBERS, NULL, "[0,1]",
                      "the same for P(X > x), which reaches farther out"),
    CAIRN_PARAM_CHOICE(distribution_params, support, "0", supports,
                       "what a geometric law counts from"),
    CAIRN_PARAM_CELLS(distribution_params, mean, NUMBERS, NULL, NULL,
                      "of a multivariate normal law; zeros if not given"),
    CAIRN_PARAM_AS(distribution_params, covariance, CAIRN_TYPE_LIST, NULL,
                   "of a multivariate normal law, row by row: 1,0.8;0.8,1"),
    CAIRN_PARAM(distribution_params, grid, "0", "[0,1001]",
                "of two normal numbers: density at so many places in each direction, from three "
                "deviations below the mean to three above; --out FILE writes them"),
    CAIRN_PARAM(distribution_params, draws, "0", "[0,1000000]",
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
                             const distribution_params *p)
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

/* Of a small tail the logarithm says more, also where no double holds the tail: they follow. */
static cairn_status show_points(cairn_context *ctx, cairn_report *out, const named_law *q,
                                const char *at)
{
    const cairn_law *d = q->law;
    double *x;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "at", at, &x, &n));
    bool normal = cairn_same(d->name, "normal"), small = false;
    cairn_report_table_of(out, "Points", (size_t)-1, "r", "x");
    if (normal) cairn_report_column(out, "z", 'r');
    cairn_report_columns(out, "rrrr", d->discrete ? "P(X = x)" : "density",
                         d->discrete ? "ln P" : "ln f", "P(X ≤ x)", "P(X > x)");
    for (size_t i = 0; i < n; i++) {
        double lower = d->lower(x[i], q->a, q->b), upper = d->upper(x[i], q->a, q->b);
        cairn_report_prefix(out, "at%zu", i + 1);
        cairn_report_cells(out, "- @.z @.density:10 @.log @.lower:10 @.upper:10", x[i],
                           cairn_cell_if(normal, (x[i] - q->a) / q->b), density_of(q, x[i]),
                           cairn_law_log_density(d, x[i], q->a, q->b), lower, upper);
        small |= fmin(lower, upper) < 1e-6;
    }
    cairn_report_table_end(out);
    if (small)
        cairn_report_table_of(out, "Logarithms of the tails", (size_t)-1, "rrr", "x", "ln P(X ≤ x)",
                              "ln P(X > x)");
    for (size_t i = 0; i < n; i++) {
        double lower = cairn_law_log_tail(d, x[i], q->a, q->b, false);
        double upper = cairn_law_log_tail(d, x[i], q->a, q->b, true);
        cairn_report_prefix(out, "at%zu", i + 1);
        if (small) cairn_report_cells(out, "- @.log_lower @.log_upper", x[i], lower, upper);
        if (small) continue;
        cairn_report_hidden(out, lower, "at%zu.log_lower", i + 1);
        cairn_report_hidden(out, upper, "at%zu.log_upper", i + 1);
    }
    return CAIRN_OK;
}

static void show_quantiles(cairn_report *out, const named_law *q, const char *side,
                           const char *head, const cairn_list *list, cairn_law_function quantile)
{
    const double *probability = list->values;
    cairn_report_table_of(out, "Quantiles", (size_t)-1, "rr", head, "x");
    for (size_t i = 0; i < list->n; i++) {
        cairn_report_cell_number(out, probability[i], 0, NULL);
        cairn_report_cell_number(out, quantile(probability[i], q->a, q->b), 10, "%s%zu.quantile",
                                 side, i + 1);
    }
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
static void work_quantiles(cairn_report *out, const named_law *q, const cairn_list *list,
                           bool upper)
{
    const cairn_law *law = q->law;
    const double *numbers = list->values;
    for (size_t i = 0; i < list->n; i++) {
        double x = (upper ? law->quantile_upper : law->quantile)(numbers[i], q->a, q->b);
        cairn_report_worked(out, NULL, upper ? "x = #: P(X > #) = #" : "x = #: P(X ≤ #) = #", x, x,
                            (upper ? law->upper : law->lower)(x, q->a, q->b));
    }
}

static cairn_status show_work(cairn_context *ctx, cairn_report *out, const named_law *q,
                              const distribution_params *p)
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
    if (p->lower.text) work_quantiles(out, q, &p->lower, false);
    if (p->upper.text) work_quantiles(out, q, &p->upper, true);
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
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    CHECK(SCRATCH_EACH(ctx, 3 * n, &stem_x, &stem_y));
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
    CHECK(SCRATCH_EACH(ctx, CURVE_POINTS, &x, &y, &zero));
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

/* The first of the points that are asked for is where the shade ends. */
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
    const distribution_params *p = job->params;
    cairn_figure *figure = NULL;
    named_law q;
    if (is_vector_law(job->word)) return vector_law_run(ctx, out, job);
    CHECK(read_law(ctx, &q, job->word, p));
    if (p->grid) return cairn_fail(ctx, CAIRN_USAGE, "{grid} is for multivariate-normal");
    cairn_report_heading(out, 1, "Distribution: %s", q.law->name);
    if (p->parameters) cairn_report_paragraph(out, "%s = %s", q.law->parameters, p->parameters);
    show_moments(out, &q);
    if (p->at) CHECK(show_points(ctx, out, &q, p->at));
    if (p->lower.text) show_quantiles(out, &q, "lower", "P(X ≤ x)", &p->lower, q.law->quantile);
    if (p->upper.text)
        show_quantiles(out, &q, "upper", "P(X > x)", &p->upper, q.law->quantile_upper);
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
    const distribution_params *p = job->params;
    named_law q;
    if (is_vector_law(job->word)) {
        vector_law law;
        CHECK(read_vector_law(ctx, &law, job));
        return vector_figure(ctx, out, &law);
    }
    CHECK(read_law(ctx, &q, job->word, p));
    return make_figure(ctx, out, &q, p->at);
}

const cairn_calculator cairn_compute_distribution = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "distribution",
              .also = "normal distribution, quantile function, t distribution, p-value, "
                      "binomial, chi-squared distribution, critical value, Poisson, Bernoulli, "
                      "multinomial, categorical, geometric, exponential, uniform, multivariate "
                      "normal, Mahalanobis, mass function",
              .about = "Gaussian distribution, bell curve, probability distribution",
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
              .params_size = sizeof(distribution_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "distribution",
                .also = "mass function, density curve, bell curve, contour ellipses",
                .title = "Mass and density of a distribution",
                .summary = "The density of a distribution with the part up to a point shaded, the "
                           "mass of one that counts as stems, or of two normal numbers the "
                           "ellipses that hold 50, 90 and 99 of a hundred.",
                .example = "cairn draw distribution binomial --parameters 10,0.25 --out mass.svg",
                .params = distribution_table,
                .params_size = sizeof(distribution_params)},
    .arguments = "NAME",
    .takes_word = true,
    .run = distribution_run,
    .draw = distribution_draw,
};
