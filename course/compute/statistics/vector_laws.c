/* SPDX-License-Identifier: MIT */
/* Laws of chances (categorical, multinomial, several Bernoullis) and the multivariate normal one,
 *
 *     −ln P(x) = ln E_d + Dis²/2,   E_d = √((2π)ᵈ |Σ|),   Dis² = (x − μ)' Σ⁻¹ (x − μ) */
#include "compute/statistics/vector_laws.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "entry/probabilities.h"
#include "kernels/linalg.h"
#include "stats/distributions.h"
#include "stats/laws.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

bool cairn_is_vector_law(const char *name)
{
    return find_kind(name) != NULL;
}

/* -- reading -- */

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

/* A number that the others determine, or one whose variance would be negative. */
static cairn_status refuse_covariance(cairn_context *ctx, const vector_law *law, size_t k)
{
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

/* Factor, inverse and determinant of the covariance, which has to be positive definite. */
static cairn_status factorise(cairn_context *ctx, vector_law *law)
{
    size_t d = law->d, pivot;
    double condition, log_determinant = 0;
    CHECK(SCRATCH(ctx, &law->factor, d * d));
    CHECK(SCRATCH(ctx, &law->inverse, d * d));
    memcpy(law->factor, law->covariance, d * d * sizeof(double));
    CHECK(cairn_cholesky(ctx, law->factor, d, &condition, &pivot));
    if (!(condition > 1e-15)) return refuse_covariance(ctx, law, pivot < d ? pivot : d - 1);
    memcpy(law->inverse, law->factor, d * d * sizeof(double));
    CHECK(cairn_cholesky_inverse(ctx, law->inverse, d));
    for (size_t j = 0; j < d; j++) log_determinant += 2 * cairn_log(law->factor[j * d + j]);
    law->determinant = cairn_exp(log_determinant);
    law->log_scale = (double)d / 2 * log_2pi + log_determinant / 2;
    return CAIRN_OK;
}

static cairn_status read_normal(cairn_context *ctx, vector_law *law,
                                const cairn_distribution_params *p)
{
    size_t rows, n;
    if (!p->covariance || p->parameters)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "multivariate-normal takes {mean 0,0} and {covariance 1,0.8;0.8,1}");
    CHECK(cairn_read_matrix(ctx, "covariance", p->covariance, &law->covariance, &rows, &law->d));
    if (rows != law->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariance} has as many rows as columns, not %zu and %zu", rows,
                          law->d);
    CHECK(check_symmetric(ctx, law->covariance, law->d));
    if (p->mean) {
        CHECK(cairn_list_numbers(ctx, "mean", p->mean, &law->mean, &n));
        if (n != law->d)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{mean} needs %zu numbers, one for each row of {covariance}, not %zu",
                              law->d, n);
        for (size_t j = 0; j < n; j++)
            if (!isfinite(law->mean[j]))
                return cairn_fail(ctx, CAIRN_USAGE, "{mean}: number %zu is not finite", j + 1);
    } else
        CHECK(SCRATCH(ctx, &law->mean, law->d));
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
    const cairn_distribution_params *p = job->params;
    *law = (vector_law){.kind = find_kind(job->word)};
    if (p->lower || p->upper)
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

/* Mean and variance of every number; those of counts are for the trials of the first point. */
static void show_moments(cairn_report *out, const vector_law *law)
{
    size_t n = law->chances ? law->k : law->d;
    cairn_report_table_of(out, law->kind->lone ? "Categories" : "Numbers", 0, "rrr", "j",
                          law->kind->lone ? "P(X = j)" : "mean", "variance");
    for (size_t j = 0; j < n; j++) {
        double mean = law->chances ? law->trials * law->chances[j] : law->mean[j];
        double variance =
            law->chances ? mean * (1 - law->chances[j]) : law->covariance[j * law->d + j];
        cairn_report_cellf(out, "%zu", j + 1);
        cairn_report_cell_number(out, mean, 0, "mean%zu", j + 1);
        cairn_report_cell_number(out, variance, 0, "variance%zu", j + 1);
    }
    cairn_report_table_end(out);
}

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

static void show_points(cairn_report *out, const vector_law *law)
{
    bool normal = !law->chances;
    cairn_report_table_begin(out, "Points", (size_t)-1);
    cairn_report_columns(out, "lrr", "x", law->kind->mass, normal ? "ln f" : "ln P");
    if (normal) cairn_report_column(out, "Dis", 'r');
    for (size_t i = 0; i < law->n; i++) {
        const double *x = law->points + i * law->d;
        double log_density = law->kind->log_density(law, x);
        cell_point(out, law, x);
        cairn_report_cell_number(out, cairn_exp(log_density), 10, "at%zu.density", i + 1);
        cairn_report_cell_number(out, log_density, 0, "at%zu.log", i + 1);
        if (normal)
            cairn_report_cell_number(out, sqrt(squared_distance(law, x)), 0, "at%zu.distance",
                                     i + 1);
    }
    cairn_report_table_end(out);
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
        cairn_report_cell_number(out, levels[i], 0, NULL);
        cairn_report_cell_number(out, square, 0, "ellipse%zu.square", i + 1);
        cairn_report_cell_number(out, cairn_exp(-law->log_scale - square / 2), 0,
                                 "ellipse%zu.density", i + 1);
        cairn_report_cell_number(out, sqrt(values[0] * square), 0, "ellipse%zu.long", i + 1);
        cairn_report_cell_number(out, sqrt(values[1] * square), 0, "ellipse%zu.short", i + 1);
        cairn_report_cell_number(out, cairn_atan2(vectors[1], vectors[0]) * 57.29577951308232088, 0,
                                 "ellipse%zu.angle", i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- a grid of densities -- */

typedef struct grid {
    size_t n;                /* places in each direction */
    double *x, *y, *density; /* n * n of each, row by row of y */
} grid;

static cairn_status make_grid(cairn_context *ctx, grid *g, const vector_law *law)
{
    CHECK(SCRATCH(ctx, &g->x, g->n * g->n));
    CHECK(SCRATCH(ctx, &g->y, g->n * g->n));
    CHECK(SCRATCH(ctx, &g->density, g->n * g->n));
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
    cairn_report_table_begin(out, "Density on a grid", 0);
    cairn_report_column(out, "y \\ x", 'r');
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
    cairn_report_table_end(out);
}

static cairn_status do_grid(cairn_context *ctx, cairn_report *out, const vector_law *law,
                            const cairn_distribution_params *p, cairn_table **result)
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

static cairn_status show_normal(cairn_context *ctx, cairn_report *out, const vector_law *law)
{
    cairn_report_value(out, "determinant of the covariance", law->determinant, "determinant");
    cairn_report_value(out, "ln E_d", law->log_scale, "log-scale");
    cairn_report_value(out, "density at the mean, its peak", cairn_exp(-law->log_scale), "peak");
    return law->d == 2 ? show_ellipses(ctx, out, law) : CAIRN_OK;
}

static void show_work(cairn_report *out, const vector_law *law)
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
static cairn_status show_draws(cairn_context *ctx, cairn_report *out, const vector_law *law,
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
    CHECK(SCRATCH(ctx, &row, law->d));
    CHECK(SCRATCH(ctx, &columns, law->d));
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
    cairn_report_table_end(out);
    if (!result) return CAIRN_OK;
    CHECK(cairn_table_new(ctx, &made, n));
    for (size_t j = 0; j < law->d; j++)
        CHECK(cairn_table_put_numbers(ctx, made, names[j], columns[j]));
    *result = TAKE(made);
    return CAIRN_OK;
}

/* -- the picture -- */

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

static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const vector_law *law)
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

cairn_status cairn_vector_law_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const cairn_distribution_params *p = job->params;
    vector_law law;
    CHECK(read_vector_law(ctx, &law, job));
    cairn_report_heading(out, 1, "Distribution: %s", law.kind->name);
    show_moments(out, &law);
    if (!law.chances) CHECK(show_normal(ctx, out, &law));
    if (p->at) show_points(out, &law);
    if (p->grid) CHECK(do_grid(ctx, out, &law, p, job->result));
    if (p->draws) CHECK(show_draws(ctx, out, &law, (size_t)p->draws, job->result));
    if (job->steps) show_work(out, &law);
    if (!law.chances && law.d != 2) return CAIRN_OK;
    cairn_figure *figure = NULL;
    CHECK(make_figure(ctx, &figure, &law));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_vector_law_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    vector_law law;
    CHECK(read_vector_law(ctx, &law, job));
    return make_figure(ctx, out, &law);
}
