/* SPDX-License-Identifier: MIT */
/* Drawing rows. Every shape is a function that draws one row from a stream of random numbers; rows
 * are drawn in fixed blocks, each from a stream of its own, so that the same seed gives the same
 * bytes for any number of threads. What the distribution itself says about a row (the value before
 * the noise, the chance of each class) is kept beside it. */
#include "compute/statistics/generate.h"

#include "base/functions.h"
#include "base/random.h"
#include "data/column.h"
#include "data/expression.h"
#include "entry/probabilities.h"
#include "decompose/linalg.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GENERATE_BLOCK = 2048, MOST_WIDTH = 4096 };

#define TURN 6.28318530717958647692

/* Streams: rows of data, parameters of the distribution. */
enum { STREAM_ROWS = 0x6E0001, STREAM_PARAMETERS = 0x6E0002, STREAM_FLIPS = 0x6E0003 };

typedef struct generator generator;

typedef struct one_row {
    double *x;       /* features */
    int32_t code;    /* the class */
    double y, truth; /* number target: with and without noise */
    double *chances; /* of the classes */
} one_row;

struct generator {
    const cairn_generate_params *p;
    size_t d, k; /* features; classes, 0 = a number target */
    void (*draw)(const generator *g, cairn_random *random, one_row *row);
    bool knows;      /* the chances of the classes */
    double *means;   /* k x d */
    double *factors; /* k x d x d: Cholesky factors R with A = R'R; NULL = sd in all directions */
    double *log_priors; /* k */
    double *cumulated;  /* k: priors summed up */
    double *weights;    /* classify: k x d, regress: d */
    uint64_t seed;
    double *columns[MOST_WIDTH]; /* where the features go */
    int32_t *codes;
    double *y, *truth, **chances; /* NULL = not kept */
    double *wrong;                /* per block: sum of the chances that the best guess is wrong */
    double *buffer;               /* per worker: d + k + d numbers */
};

/* -- shapes -- */

static int32_t pick(const double *cumulated, size_t k, double u)
{
    size_t low = 0, high = k - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (u < cumulated[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return (int32_t)low;
}

/* From logarithms to chances that add up to 1. */
static void soften(double *chances, size_t k)
{
    double most = -INFINITY, total = 0;
    for (size_t c = 0; c < k; c++) most = fmax(most, chances[c]);
    for (size_t c = 0; c < k; c++) total += chances[c] = cairn_exp(chances[c] - most);
    for (size_t c = 0; c < k; c++) chances[c] /= total;
}

/* Minus half the squared distance of x from the mean of a class, in its own metric, and the
 * logarithm of its volume. */
static double log_density(const generator *g, size_t c, const double *x, double *v)
{
    const double *mean = g->means + c * g->d;
    double squares = 0, volume = 0;
    if (!g->factors) {
        for (size_t i = 0; i < g->d; i++) squares += (x[i] - mean[i]) * (x[i] - mean[i]);
        return -0.5 * squares / (g->p->sd * g->p->sd);
    }
    const double *r = g->factors + c * g->d * g->d;
    for (size_t i = 0; i < g->d; i++) { /* solve R' v = x - mean */
        v[i] = x[i] - mean[i];
        for (size_t j = 0; j < i; j++) v[i] -= r[j * g->d + i] * v[j];
        v[i] /= r[i * g->d + i];
        squares += v[i] * v[i];
        volume += cairn_log(r[i * g->d + i]);
    }
    return -0.5 * squares - volume;
}

/* Draws the class, then the point; the chances of all classes at that point are the truth that a
 * classifier is compared with. */
static void draw_cloud(const generator *g, cairn_random *random, one_row *row)
{
    size_t d = g->d;
    double *z = row->chances + g->k;
    row->code = pick(g->cumulated, g->k, cairn_random_uniform(random));
    const double *mean = g->means + (size_t)row->code * d;
    for (size_t i = 0; i < d; i++) z[i] = cairn_random_normal(random);
    for (size_t i = 0; i < d; i++) {
        double x = 0;
        if (g->factors) {
            const double *r = g->factors + (size_t)row->code * d * d;
            for (size_t j = 0; j <= i; j++) x += r[j * d + i] * z[j];
        } else {
            x = g->p->sd * z[i];
        }
        row->x[i] = mean[i] + x;
    }
    if (!g->knows) return;
    for (size_t c = 0; c < g->k; c++)
        row->chances[c] = g->log_priors[c] + log_density(g, c, row->x, z);
    soften(row->chances, g->k);
}

/* Class c lies on a circle of radius c + 1, with normal noise along the radius. */
static void draw_ring(const generator *g, cairn_random *random, one_row *row)
{
    row->code = (int32_t)cairn_random_below(random, g->k);
    double angle = TURN * cairn_random_uniform(random);
    double radius = row->code + 1 + g->p->sd * cairn_random_normal(random);
    row->x[0] = radius * cairn_cos(angle);
    row->x[1] = radius * cairn_sin(angle);
    if (!g->knows) return;
    double r = cairn_hypot(row->x[0], row->x[1]), sd = g->p->sd > 0 ? g->p->sd : 1e-6;
    for (size_t c = 0; c < g->k; c++) { /* a negative radius is the other side of the circle */
        double near = (r - (double)c - 1) / sd, far = (r + (double)c + 1) / sd;
        row->chances[c] =
            -0.5 * near * near + cairn_log1p(cairn_exp(0.5 * (near * near - far * far)));
    }
    soften(row->chances, g->k);
}

static void draw_moon(const generator *g, cairn_random *random, one_row *row)
{
    row->code = (int32_t)cairn_random_below(random, 2);
    double angle = TURN / 2 * cairn_random_uniform(random);
    row->x[0] = row->code ? 1 - cairn_cos(angle) : cairn_cos(angle);
    row->x[1] = row->code ? 0.5 - cairn_sin(angle) : cairn_sin(angle);
    row->x[0] += g->p->sd * cairn_random_normal(random);
    row->x[1] += g->p->sd * cairn_random_normal(random);
}

static void draw_spiral(const generator *g, cairn_random *random, one_row *row)
{
    row->code = (int32_t)cairn_random_below(random, g->k);
    double t = sqrt(cairn_random_uniform(random));
    double angle = TURN * (1.25 * t + (double)row->code / (double)g->k);
    row->x[0] = 3 * t * cairn_cos(angle) + g->p->sd * cairn_random_normal(random);
    row->x[1] = 3 * t * cairn_sin(angle) + g->p->sd * cairn_random_normal(random);
}

/* The class is whether the first two coordinates have the same sign; further ones say nothing. */
static void draw_xor(const generator *g, cairn_random *random, one_row *row)
{
    for (size_t i = 0; i < g->d; i++) row->x[i] = 2 * cairn_random_uniform(random) - 1;
    row->code = (row->x[0] > 0) != (row->x[1] > 0);
    row->chances[0] = !row->code;
    row->chances[1] = row->code;
}

/* Normal features, each correlated with the one before. */
static void draw_features(const generator *g, cairn_random *random, double *x)
{
    double rho = g->p->correlation, rest = sqrt(1 - rho * rho);
    for (size_t i = 0; i < g->d; i++) {
        double z = cairn_random_normal(random);
        x[i] = i == 0 || rho == 0 ? z : rho * x[i - 1] + rest * z;
    }
}

static void draw_classes(const generator *g, cairn_random *random, one_row *row)
{
    size_t m = (size_t)g->p->informative < g->d ? (size_t)g->p->informative : g->d;
    draw_features(g, random, row->x);
    for (size_t c = 0; c < g->k; c++) {
        row->chances[c] = 0;
        for (size_t i = 0; i < m; i++) row->chances[c] += g->weights[c * g->d + i] * row->x[i];
    }
    soften(row->chances, g->k);
    double u = cairn_random_uniform(random);
    row->code = 0;
    while ((size_t)row->code + 1 < g->k && u >= row->chances[row->code])
        u -= row->chances[row->code++];
}

static void draw_numbers(const generator *g, cairn_random *random, one_row *row)
{
    row->truth = 0;
    draw_features(g, random, row->x);
    for (size_t i = 0; i < g->d; i++) row->truth += g->weights[i] * row->x[i];
    row->y = row->truth + g->p->sd * cairn_random_normal(random);
}

/* -- rows -- */

static double rounded(double x, double unit)
{
    return unit > 0 ? round(x * unit) / unit : x;
}

/* A stream for rows and another for flips, so that noise in the labels does not change the rows. */
static void draw_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const generator *g = data;
    cairn_random random, flips;
    one_row row = {.x = g->buffer + (size_t)worker * (2 * g->d + g->k + 1)};
    double wrong = 0, unit = g->p->digits < 0 ? 0 : cairn_pow(10, g->p->digits);
    row.chances = row.x + g->d;
    cairn_random_start(&random, g->seed, ((uint64_t)STREAM_ROWS << 36) + block);
    cairn_random_start(&flips, g->seed, ((uint64_t)STREAM_FLIPS << 36) + block);
    for (size_t i = begin; i < end; i++) {
        g->draw(g, &random, &row);
        for (size_t c = 0; c < g->d; c++) g->columns[c][i] = rounded(row.x[c], unit);
        if (g->k == 0) {
            g->y[i] = rounded(row.y, unit);
            if (g->truth) g->truth[i] = row.truth;
            continue;
        }
        /* Another class for a share of the rows, and the chances that this leaves. */
        double flip = g->p->flip, others = (double)g->k - 1;
        if (flip > 0) {
            if (cairn_random_uniform(&flips) < flip) {
                int32_t other = (int32_t)cairn_random_below(&flips, g->k - 1);
                row.code = other + (other >= row.code);
            }
            for (size_t c = 0; g->knows && c < g->k; c++)
                row.chances[c] = (1 - flip) * row.chances[c] + flip * (1 - row.chances[c]) / others;
        }
        if (g->codes) g->codes[i] = row.code;
        if (g->y) g->y[i] = row.code + 1;
        double most = 0;
        for (size_t c = 0; g->knows && c < g->k; c++) {
            most = fmax(most, row.chances[c]);
            if (g->chances) g->chances[c][i] = row.chances[c];
        }
        wrong += 1 - most;
    }
    g->wrong[block] = wrong;
}

/* -- setting up -- */

static cairn_status add_numbers(cairn_context *ctx, cairn_table *table, const char *name,
                                cairn_role role, double **numbers)
{
    cairn_column *column;
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    *numbers = column->numbers;
    return cairn_table_append(ctx, table, name, role, column);
}

static void class_name(char out[32], size_t c, size_t k)
{
    if (k <= 26)
        snprintf(out, 32, "%c", (char)('a' + c));
    else
        snprintf(out, 32, "c%zu", c + 1);
}

/* The levels are declared in their order, so that all classes are known even where no row was
 * drawn of one. */
static cairn_status add_classes(cairn_context *ctx, cairn_table *table, generator *g)
{
    cairn_column *column;
    char name[64], class[32];
    size_t index;
    if (g->p->numbers) return add_numbers(ctx, table, "class", CAIRN_TARGET, &g->y);
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, table->n_rows));
    g->codes = column->codes;
    CHECK(cairn_table_append(ctx, table, "class", CAIRN_TARGET, column));
    column->declared = true;
    for (size_t c = 0; c < g->k; c++) {
        class_name(class, c, g->k);
        CHECK(cairn_map_add(ctx, &column->names, class, strlen(class), &index));
    }
    if (!g->knows || !g->p->truth) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &g->chances, g->k));
    for (size_t c = 0; c < g->k; c++) {
        class_name(class, c, g->k);
        snprintf(name, sizeof name, "p_%s", class);
        CHECK(add_numbers(ctx, table, name, CAIRN_IGNORED, &g->chances[c]));
    }
    return CAIRN_OK;
}

/* Columns exist before rows are drawn, as blocks write into them side by side; what is true is
 * marked to be ignored. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, generator *g)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    char name[32];
    size_t n = (size_t)g->p->rows;
    bool keeps = g->p->truth && g->knows;
    CHECK(cairn_memory_check(ctx, (double)n * 8 * ((double)g->d + 2 + (keeps ? (double)g->k : 0)),
                             "making the rows",
                             cairn_say(ctx, "make fewer rows or use {no-truth}")));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t i = 0; i < g->d; i++) {
        snprintf(name, sizeof name, "x%zu", i + 1);
        CHECK(add_numbers(ctx, table, name, CAIRN_FEATURE, &g->columns[i]));
    }
    if (g->k) CHECK(add_classes(ctx, table, g));
    if (!g->k) CHECK(add_numbers(ctx, table, "y", CAIRN_TARGET, &g->y));
    if (!g->k && g->p->truth) CHECK(add_numbers(ctx, table, "true", CAIRN_IGNORED, &g->truth));
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status draw_rows(cairn_context *ctx, cairn_table **out, cairn_generated *known,
                              generator *g)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t n = (size_t)g->p->rows, n_blocks = cairn_block_count(n, GENERATE_BLOCK);
    CHECK(make_table(ctx, &table, g));
    CHECK(SCRATCH(ctx, &g->wrong, n_blocks + 1));
    CHECK(SCRATCH(ctx, &g->buffer, (size_t)cairn_workers(ctx) * (2 * g->d + g->k + 1)));
    g->seed = cairn_context_seed(ctx);
    CHECK(cairn_blocks(ctx, n, GENERATE_BLOCK, draw_block, g));
    double wrong = 0;
    for (size_t b = 0; b < n_blocks; b++) wrong += g->wrong[b];
    if (g->k && g->knows) known->bayes_error_rows = wrong / (double)n;
    known->weights = g->weights;
    known->n_weights = g->weights ? g->d * (g->k ? g->k : 1) : 0;
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- clouds -- */

/* None given means all alike. */
static cairn_status read_priors(cairn_context *ctx, generator *g, const char *text)
{
    double *priors;
    size_t n = g->k, n_rows;
    if (text) {
        CHECK(cairn_read_matrix(ctx, "priors", text, &priors, &n_rows, &n));
        n *= n_rows;
        for (size_t c = 0; c < n; c++)
            if (!(priors[c] > 0))
                return cairn_fail(ctx, CAIRN_USAGE, "{priors}: number %zu is not positive", c + 1);
        CHECK(cairn_check_probabilities(ctx, "priors", priors, n));
        if (n != g->k)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{priors} has %zu numbers, but there are %zu classes", n, g->k);
    }
    CHECK(SCRATCH_EACH(ctx, g->k, &g->log_priors, &g->cumulated));
    for (size_t c = 0; c < g->k; c++) {
        double prior = text ? priors[c] : 1 / (double)g->k;
        g->log_priors[c] = cairn_log(prior);
        g->cumulated[c] = prior + (c ? g->cumulated[c - 1] : 0);
    }
    return CAIRN_OK;
}

/* One covariance matrix as its factor. */
static cairn_status read_covariance(cairn_context *ctx, double *out, size_t d, char *text,
                                    size_t number)
{
    double *cells, condition;
    size_t n_rows, n_columns, pivot;
    CHECK(cairn_read_matrix(ctx, "covariances", text, &cells, &n_rows, &n_columns));
    if (n_rows != d || n_columns != d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariances}: matrix %zu is %zu by %zu, but the means have %zu numbers",
                          number, n_rows, n_columns, d);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++)
            if (cells[i * d + j] != cells[j * d + i])
                return cairn_fail(
                    ctx, CAIRN_USAGE,
                    "{covariances}: matrix %zu is not symmetric (row %zu, column %zu)", number,
                    i + 1, j + 1);
    CHECK(cairn_cholesky(ctx, cells, d, &condition, &pivot));
    if (condition <= 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariances}: matrix %zu is not positive definite (row %zu shows it)",
                          number, pivot + 1);
    memcpy(out, cells, d * d * sizeof *cells);
    return CAIRN_OK;
}

/* One matrix for all classes, or one per class, separated by bars. */
static cairn_status read_covariances(cairn_context *ctx, generator *g, const char *text)
{
    size_t n = 1, size = g->d * g->d;
    char *copy;
    for (const char *c = text; *c; c++) n += *c == '|';
    if (n != 1 && n != g->k)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariances} has %zu matrices; give one, or one for each of the %zu "
                          "classes",
                          n, g->k);
    CHECK(SCRATCH(ctx, &g->factors, cairn_product(g->k, size)));
    CHECK(SCRATCH(ctx, &copy, strlen(text) + 1));
    memcpy(copy, text, strlen(text));
    for (size_t c = 0; c < n; c++) {
        char *next = copy + strcspn(copy, "|");
        *next = 0;
        CHECK(read_covariance(ctx, g->factors + c * size, g->d, copy, c + 1));
        copy = next + 1;
    }
    for (size_t c = n; c < g->k; c++)
        memcpy(g->factors + c * size, g->factors, size * sizeof(double));
    return CAIRN_OK;
}

/* Two normal classes with one covariance: the error of the best line. */
static double error_of_two(const generator *g)
{
    double *v = (double[MOST_WIDTH]){0}, gap = -2 * log_density(g, 0, g->means + g->d, v);
    for (size_t i = 0; g->factors && i < g->d; i++) gap -= 2 * cairn_log(g->factors[i * g->d + i]);
    double distance = sqrt(gap), p = cairn_exp(g->log_priors[0]), q = cairn_exp(g->log_priors[1]);
    if (!(distance > 0)) return fmin(p, q);
    double shift = cairn_log(q / p) / distance;
    double error = p * cairn_normal_lower(-distance / 2 + shift) +
                   q * cairn_normal_lower(-distance / 2 - shift);
    return g->p->flip < 0.5 ? error + g->p->flip * (1 - 2 * error) : NAN;
}

static cairn_status set_up_clouds(cairn_context *ctx, generator *g, cairn_generated *known)
{
    const cairn_generate_params *p = g->p;
    const char *means = p->means ? p->means : "0,0;3,3";
    CHECK(cairn_read_matrix(ctx, "means", means, &g->means, &g->k, &g->d));
    g->draw = draw_cloud;
    g->knows = true;
    if (g->d > MOST_WIDTH)
        return cairn_fail(ctx, CAIRN_USAGE, "{means} has more than %d columns", MOST_WIDTH);
    CHECK(read_priors(ctx, g, p->priors));
    if (p->covariances) CHECK(read_covariances(ctx, g, p->covariances));
    if (!p->covariances && !(p->sd > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "clouds need {sd} above 0, or {covariances}");
    bool one = !p->covariances || !strchr(p->covariances, '|');
    if (g->k == 2 && one) known->bayes_error = error_of_two(g);
    return CAIRN_OK;
}

/* Weights of the informative features; those of the others are 0. */
static cairn_status set_up_weights(cairn_context *ctx, generator *g)
{
    cairn_random random;
    size_t m = (size_t)g->p->informative < g->d ? (size_t)g->p->informative : g->d;
    double scale = g->k ? 3 / sqrt((double)m) : 1;
    CHECK(SCRATCH(ctx, &g->weights, cairn_product(g->k ? g->k : 1, g->d)));
    cairn_random_start(&random, cairn_context_seed(ctx), STREAM_PARAMETERS);
    for (size_t c = 0; c < (g->k ? g->k : 1); c++)
        for (size_t i = 0; i < m; i++)
            g->weights[c * g->d + i] = scale * cairn_random_normal(&random);
    return CAIRN_OK;
}

/* -- formulas -- */

/* Numbers of the design: even steps over all columns at once, or random ones. */
typedef struct design_work {
    const cairn_generate_params *p;
    double **columns;
    size_t n_columns, steps;
    uint64_t seed;
} design_work;

/* A grid counts through its steps, the last column fastest; random designs have a stream for
 * each block. */
static void design_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const design_work *w = data;
    cairn_random random;
    double width = w->p->high - w->p->low;
    cairn_random_start(&random, w->seed, ((uint64_t)STREAM_ROWS << 36) + block);
    for (size_t i = begin; i < end; i++)
        for (size_t c = w->n_columns, rest = i; c-- > 0; rest /= w->steps) {
            double step = (double)(rest % w->steps), *x = &w->columns[c][i];
            if (w->p->design == CAIRN_DESIGN_UNIFORM)
                *x = w->p->low + width * cairn_random_uniform(&random);
            else if (w->p->design == CAIRN_DESIGN_NORMAL)
                *x = (w->p->low + w->p->high) / 2 + width / 4 * cairn_random_normal(&random);
            else
                *x = w->steps > 1 ? w->p->low + width * step / (double)(w->steps - 1)
                                  : (w->p->low + w->p->high) / 2;
            *x = rounded(*x, w->p->digits < 0 ? 0 : cairn_pow(10, w->p->digits));
        }
}

/* The columns of x, by --at or by the design. */
static cairn_status make_design(cairn_context *ctx, cairn_table **out,
                                const cairn_generate_params *p)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    char **names;
    double *given = NULL;
    size_t d, n = (size_t)p->rows, n_rows = 0, n_columns = 0;
    design_work work = {.p = p, .steps = 1, .seed = cairn_context_seed(ctx)};
    CHECK(cairn_list_split(ctx, p->x, &names, &d));
    if (d == 0 || d > 64)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{x} has to name 1 to 64 columns, not %zu", d));
    if (p->at) {
        CHECK(cairn_read_matrix(ctx, "at", p->at, &given, &n_rows, &n_columns));
        if (d == 1 && n_rows == 1) n_rows = n_columns, n_columns = 1;
        if (n_columns != d)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{at} has %zu numbers per row, but {x} names %zu columns", n_columns,
                             d));
        n = n_rows;
    } else if (p->design == CAIRN_DESIGN_GRID) {
        work.steps = (size_t)(cairn_pow((double)n, 1 / (double)d) + 1e-9);
        n = 1;
        for (size_t c = 0; c < d; c++) n = cairn_product(n, work.steps);
    }
    CHECK(cairn_memory_check(ctx, (double)n * 8 * ((double)d + 2), "making the rows",
                             "make fewer rows"));
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(SCRATCH(ctx, &work.columns, d));
    work.n_columns = d;
    for (size_t c = 0; c < d; c++) {
        double *numbers;
        if (cairn_table_find(table, names[c]) >= 0)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{x} names '%s' twice", names[c]));
        CHECK(add_numbers(ctx, table, names[c], CAIRN_FEATURE, &numbers));
        work.columns[c] = numbers;
        for (size_t i = 0; given && i < n; i++) numbers[i] = given[i * d + c];
    }
    if (!given) CHECK(cairn_blocks(ctx, n, GENERATE_BLOCK, design_block, &work));
    *out = TAKE(table);
    return CAIRN_OK;
}

typedef struct noise_work {
    double *y;
    const double *truth;
    double sd, unit;
    uint64_t seed;
} noise_work;

static void noise_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const noise_work *w = data;
    cairn_random random;
    cairn_random_start(&random, w->seed, ((uint64_t)STREAM_FLIPS << 36) + block);
    for (size_t i = begin; i < end; i++)
        w->y[i] = rounded(w->truth[i] + w->sd * cairn_random_normal(&random), w->unit);
}

/* The formula is evaluated without noise first: that is the truth, and y is the noisy copy of
 * it. */
static cairn_status generate_formula(cairn_context *ctx, cairn_table **out, cairn_generated *known,
                                     const cairn_generate_params *p)
{
    cairn_status status;
    cairn_table *table = NULL;
    cairn_expression *e = NULL;
    cairn_faults faults = {0};
    double *y, *truth;
    if (!p->y)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute generate formula' needs {y}, such as {y '65 * x^0.3'}");
    TRY(make_design(ctx, &table, p));
    status = cairn_expression_new(ctx, &e, p->y, table);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "{y}");
    if (status) goto done;
    if (cairn_expression_type(e) == CAIRN_VALUE_TEXT)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{y}: the formula gives a text, but a number is needed"));
    if (cairn_table_find(table, "y") >= 0 || cairn_table_find(table, "true") >= 0)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{x}: y and true are the names of what is computed"));
    TRY(SCRATCH_RAW(ctx, &truth, table->n_rows + 1));
    TRY(cairn_expression_numbers(ctx, e, truth, &faults));
    cairn_faults_warn(ctx, cairn_say(ctx, "{y}"), &faults);
    TRY(add_numbers(ctx, table, "y", CAIRN_TARGET, &y));
    noise_work work = {y, truth, p->sd, p->digits < 0 ? 0 : cairn_pow(10, p->digits),
                       cairn_context_seed(ctx)};
    TRY(cairn_blocks(ctx, table->n_rows, GENERATE_BLOCK, noise_block, &work));
    if (p->truth) {
        double *kept;
        TRY(add_numbers(ctx, table, "true", CAIRN_IGNORED, &kept));
        memcpy(kept, truth, table->n_rows * sizeof *kept);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        cairn_column_count_missing(table->slots[i].column);
    known->noise_variance = p->sd * p->sd;
    *out = table;
    table = NULL;
done:
    cairn_expression_free(e);
    cairn_table_free(table);
    return status;
}

/* -- all shapes -- */

static const char *const shapes[] = {"blobs",   "classify", "clouds",  "formula", "moons",
                                     "regress", "rings",    "spirals", "xor",     NULL};

static const char *shape_candidate(size_t i, const void *data)
{
    (void)data;
    return shapes[i];
}

/* Sizes that a shape has by its nature, and how its rows are drawn. */
static cairn_status set_up(cairn_context *ctx, generator *g, const char *shape,
                           cairn_generated *known)
{
    const cairn_generate_params *p = g->p;
    g->d = (size_t)p->features;
    g->k = (size_t)p->classes;
    if (strcmp(shape, "clouds") == 0) return set_up_clouds(ctx, g, known);
    if (strcmp(shape, "blobs") == 0) {
        /* Centres drawn evenly from a box. */
        cairn_random random;
        g->draw = draw_cloud;
        g->knows = g->p->truth && g->p->sd > 0;
        CHECK(read_priors(ctx, g, g->p->priors));
        CHECK(SCRATCH(ctx, &g->means, cairn_product(g->k, g->d)));
        cairn_random_start(&random, cairn_context_seed(ctx), STREAM_PARAMETERS);
        for (size_t i = 0; i < g->k * g->d; i++)
            g->means[i] = g->p->spread * (2 * cairn_random_uniform(&random) - 1);
        return CAIRN_OK;
    }
    if (strcmp(shape, "classify") == 0) {
        g->draw = draw_classes;
        g->knows = true;
        CHECK(set_up_weights(ctx, g));
    } else if (strcmp(shape, "regress") == 0) {
        g->draw = draw_numbers;
        g->k = 0;
        known->noise_variance = p->sd * p->sd;
        CHECK(set_up_weights(ctx, g));
    } else if (strcmp(shape, "xor") == 0) {
        g->draw = draw_xor;
        g->k = 2;
        g->d = g->d < 2 ? 2 : g->d;
        g->knows = true;
        known->bayes_error = fmin(p->flip, 1 - p->flip);
    } else {
        g->d = 2;
        g->draw = strcmp(shape, "rings") == 0   ? draw_ring
                  : strcmp(shape, "moons") == 0 ? draw_moon
                                                : draw_spiral;
        if (g->draw == draw_moon) g->k = 2;
        g->knows = g->draw == draw_ring;
    }
    return CAIRN_OK;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0) return true;
    return false;
}

/* An option that says nothing about the shape was meant for another. */
static cairn_status refuse_idle(cairn_context *ctx, const char *shape,
                                const cairn_generate_params *p)
{
    static const char *const formula[] = {"formula", NULL}, *const clouds[] = {"clouds", NULL},
                             *const priors[] = {"clouds", "blobs", NULL},
                             *const numbers[] = {"formula", "regress", NULL};
    const struct {
        const char *option, *wanted;
        bool given, fits;
    } options[] = {
        {"y", "formula", p->y != NULL, is_one_of(shape, formula)},
        {"at", "formula", p->at != NULL, is_one_of(shape, formula)},
        {"means", "clouds", p->means != NULL, is_one_of(shape, clouds)},
        {"covariances", "clouds", p->covariances != NULL, is_one_of(shape, clouds)},
        {"priors", "clouds and blobs", p->priors != NULL, is_one_of(shape, priors)},
        {"flip", "shapes with classes", p->flip > 0, !is_one_of(shape, numbers)},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !options[i].fits)
            return cairn_fail(ctx, CAIRN_USAGE, "{%s} is for %s and says nothing about %s",
                              options[i].option, options[i].wanted, shape);
    return CAIRN_OK;
}

cairn_status cairn_generate(cairn_context *ctx, cairn_table **table, cairn_generated *known,
                            const char *shape, const cairn_generate_params *p)
{
    generator *g;
    bool found = false;
    *known = (cairn_generated){NAN, NAN, NAN, NULL, 0};
    for (const char *const *s = shapes; *s; s++) found |= strcmp(*s, shape) == 0;
    if (!found) {
        const char *near = cairn_nearest_word(shape, shape_candidate, NULL);
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "there is no shape '%s'%s%s%s (there are blobs, classify, clouds, formula, "
            "moons, regress, rings, spirals and xor)",
            shape, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    CHECK(refuse_idle(ctx, shape, p));
    if (strcmp(shape, "formula") == 0) return generate_formula(ctx, table, known, p);
    CHECK(SCRATCH(ctx, &g, 1));
    g->p = p;
    CHECK(set_up(ctx, g, shape, known));
    if (g->k == 1 && (p->flip > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "{flip} needs two classes or more");
    return draw_rows(ctx, table, known, g);
}
