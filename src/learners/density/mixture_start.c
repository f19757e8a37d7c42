/* SPDX-License-Identifier: MIT */
/* The first parameters of a mixture: given ones, a given partition, the clusters of k-means, or
 * drawn rows. Gaps count as the column's mean until the first E step. */
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "entry/probabilities.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmeans.h"
#include "learners/density/mixture.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t cairn_mixture_starts(const cairn_mixture_params *params)
{
    return params->given || params->start_means ? 1 : (size_t)params->starts;
}

/* Equal weights, the mean of all rows with their variances, and levels alike: what every
 * start changes. */
static void start_plain(cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    double *spreads = cairn_mixture_spreads(m), *levels = cairn_mixture_levels(m);
    memset(m->values, 0, cairn_mixture_size(m) * sizeof *m->values);
    for (size_t c = 0; c < m->k; c++) m->values[c] = 1 / (double)m->k;
    for (size_t i = 0; i < cairn_mixture_spread_size(m); i++)
        spreads[i] = !cairn_mixture_is_matrix(m) || i / m->d % m->d == i % m->d;
    for (size_t j = 0, at = 0; j < m->n_columns; at += (size_t)m->levels[j++])
        for (size_t l = 0; l < (size_t)m->levels[j] * m->k; l++)
            levels[at * m->k + l] = 1 / (double)m->levels[j];
}

/* The M step of a partition. */
static cairn_status start_partition(cairn_context *ctx, cairn_mixture_run *run,
                                    const int32_t *groups)
{
    run->hard = groups;
    cairn_status status = cairn_mixture_pass(ctx, run);
    run->hard = NULL;
    CHECK(status);
    return cairn_mixture_step(ctx, run);
}

/* -- k-means -- */

/* The numbers as a table of z in which gaps are 0, for k-means. */
static cairn_status filled_table(cairn_context *ctx, cairn_table **out,
                                 const cairn_mixture_rows *rows)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *z;
    char name[32];
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_table_new(ctx, &table, rows->n));
    CHECK(SCRATCH_RAW(ctx, &z, rows->n));
    for (size_t j = 0; j < rows->d; j++) {
        for (size_t i = 0; i < rows->n; i++) {
            double x = rows->columns[j][cairn_view_row(rows->view, i)];
            z[i] = isnan(x) ? 0 : (x - rows->shift[j]) * rows->inverse[j];
        }
        snprintf(name, sizeof name, "z%zu", j + 1);
        CHECK(cairn_table_put_numbers(ctx, table, name, z));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* A few rounds of k-means from drawn centres. */
static cairn_status start_kmeans(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    enum { ROUNDS = 20 };
    const cairn_mixture_rows *rows = run->rows;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED_SCRATCH(ctx);
    size_t k = run->m->k, empty;
    cairn_kmeans_params params = {.clusters = (int)k, .init = "plusplus", .starts = 1};
    cairn_kmeans_data data;
    cairn_kmeans_run kmeans;
    cairn_view view;
    CHECK(filled_table(ctx, &table, rows));
    CHECK(cairn_view_make(ctx, &view, table, (cairn_rows){.n = rows->n, .weights = rows->weights}));
    CHECK(cairn_kmeans_data_make(ctx, &data, &view, k, false));
    CHECK(cairn_kmeans_run_make(ctx, &kmeans, &data, k, &params));
    CHECK(cairn_kmeans_start(ctx, kmeans.centres, &data, k, &params, start, NULL));
    memset(kmeans.assign, -1, rows->n * sizeof *kmeans.assign);
    CHECK(cairn_kmeans_assign(ctx, &kmeans));
    for (int round = 0; round < ROUNDS && kmeans.changes > 0; round++) {
        cairn_kmeans_move(&kmeans, &empty);
        CHECK(cairn_kmeans_assign(ctx, &kmeans));
    }
    return start_partition(ctx, run, kmeans.assign);
}

/* -- drawn rows -- */

/* Component c begins at a row: its mean is there, and half of the probability of each column is on
 * the row's level. */
static void start_at_row(cairn_mixture_run *run, size_t c, size_t row)
{
    cairn_mixture_model *m = run->m;
    const cairn_mixture_rows *rows = run->rows;
    double *mean = cairn_mixture_means(m) + c * m->d, *levels = cairn_mixture_levels(m);
    cairn_mixture_read(rows, row, mean);
    for (size_t j = 0; j < m->d; j++)
        if (isnan(mean[j])) mean[j] = 0;
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(rows, j, row);
        if (code < 0) continue;
        for (size_t l = rows->level_starts[j]; l < rows->level_starts[j + 1]; l++)
            levels[l * m->k + c] *= 0.5;
        levels[(rows->level_starts[j] + (size_t)code) * m->k + c] += 0.5;
    }
}

/* Whether two rows have the same cells: components that begin there would stay alike for ever. */
static bool are_alike(const cairn_mixture_rows *rows, size_t a, size_t b)
{
    for (size_t j = 0; j < rows->d; j++) {
        double x = rows->columns[j][cairn_view_row(rows->view, a)];
        double y = rows->columns[j][cairn_view_row(rows->view, b)];
        if (x != y && !(isnan(x) && isnan(y))) return false;
    }
    for (size_t j = 0; j < rows->n_level_columns; j++)
        if (cairn_mixture_level(rows, j, a) != cairn_mixture_level(rows, j, b)) return false;
    return true;
}

/* Whether row number c of a list is like one before it. */
static bool repeats(const cairn_mixture_rows *rows, const size_t *list, size_t c)
{
    for (size_t i = 0; i < c; i++)
        if (are_alike(rows, list[i], list[c])) return true;
    return false;
}

/* Rows of positive weight, no row twice, nor if it can be helped one like another; one stream of
 * random numbers per start. */
static cairn_status start_random(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    enum { MOST_TRIES = 50 };
    cairn_random random;
    size_t *used, n = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &used, run->rows->n));
    for (size_t i = 0; i < run->rows->n; i++)
        if (run->rows->weights[i] > 0) used[n++] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    for (size_t c = 0; c < run->m->k; c++) {
        size_t row = n > c ? 0 : used[cairn_random_below(&random, n)];
        for (int tries = 0; n > c && tries < MOST_TRIES; tries++) {
            size_t at = c + cairn_random_below(&random, n - c);
            row = used[at];
            used[at] = used[c], used[c] = row;
            if (!repeats(run->rows, used, c)) break;
        }
        start_at_row(run, c, row);
    }
    return CAIRN_OK;
}

/* -- given -- */

static cairn_status read_given(cairn_context *ctx, const char *what, const char *text, size_t k,
                               double **out, size_t *n_columns)
{
    size_t n;
    CHECK(cairn_read_matrix(ctx, what, text, out, &n, n_columns));
    if (n == 1 && *n_columns == k) {
        *n_columns = 1;
        return CAIRN_OK;
    }
    if (n != k)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s} has %zu row%s for %zu components; separate them by ;", what, n,
                          n == 1 ? "" : "s", k);
    return CAIRN_OK;
}

/* `z` is the value as it is used. */
static cairn_status check_positive(cairn_context *ctx, const char *what, double value, double z)
{
    char text[CAIRN_NUMBER_SIZE];
    if (z > 0 && isfinite(z)) return CAIRN_OK;
    cairn_number_format(text, value, 6);
    return cairn_fail(ctx, CAIRN_USAGE, "{%s}: %s is not positive, or beyond all measure", what,
                      text);
}

/* Typed variances, one or one per column for each component, brought to the units of z. */
static cairn_status given_variances(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    const char *what = "start-variances";
    double *given, *spreads = cairn_mixture_spreads(m);
    size_t n, d = m->d;
    CHECK(read_given(ctx, what, run->params->start_variances, m->k, &given, &n));
    if (n != 1 && n != d)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{%s} has %zu numbers per component; give one, or one for each of the %zu "
            "number columns",
            what, n, d);
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < d; j++) {
            double v = given[c * n + (n == 1 ? 0 : j)], z = v / m->scale[j] / m->scale[j];
            CHECK(check_positive(ctx, what, v, z));
            if (m->form == CAIRN_MIXTURE_SPHERICAL) spreads[c] = z;
            if (m->form == CAIRN_MIXTURE_DIAGONAL) spreads[c * d + j] = z;
            if (m->form == CAIRN_MIXTURE_TIED) spreads[j * d + j] = z;
            if (m->form == CAIRN_MIXTURE_FULL) spreads[(c * d + j) * d + j] = z;
        }
    return CAIRN_OK;
}

/* Typed weights, which add up to 1. */
static cairn_status given_weights(cairn_context *ctx, cairn_mixture_run *run)
{
    const char *what = "start-weights";
    double *given;
    size_t n, k = run->m->k;
    CHECK(cairn_list_numbers(ctx, what, run->params->start_weights, &given, &n));
    if (n != k)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has %zu numbers for %zu components", what, n, k);
    for (size_t c = 0; c < k; c++) CHECK(check_positive(ctx, what, given[c], given[c]));
    CHECK(cairn_check_probabilities(ctx, what, given, k));
    memcpy(run->m->values, given, k * sizeof *given);
    return CAIRN_OK;
}

/* Means, and variances and weights as far as they are given, all in the units of the columns. */
static cairn_status start_given(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    const char *what = "start-means";
    double *given, *means = cairn_mixture_means(m);
    size_t n;
    SCOPED_SCRATCH(ctx);
    CHECK(read_given(ctx, what, run->params->start_means, m->k, &given, &n));
    if (n != m->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s} has %zu numbers per component for %zu number columns", what, n,
                          m->d);
    for (size_t i = 0; i < m->k * m->d; i++) {
        means[i] = (given[i] - m->shift[i % m->d]) / m->scale[i % m->d];
        if (!(fabs(means[i]) < 1e100))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: a mean of component %zu is beyond all rows",
                              what, i / m->d + 1);
    }
    if (run->params->start_variances) CHECK(given_variances(ctx, run));
    return run->params->start_weights ? given_weights(ctx, run) : CAIRN_OK;
}

static cairn_status start_groups(cairn_context *ctx, cairn_mixture_run *run)
{
    int32_t *groups;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_given_clusters(ctx, &groups, run->rows->n, run->m->k, run->params->given));
    return start_partition(ctx, run, groups);
}

cairn_status cairn_mixture_start(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    start_plain(run);
    if (run->params->start_means) return start_given(ctx, run);
    if (run->params->given) return start_groups(ctx, run);
    if (run->params->init == CAIRN_MIXTURE_KMEANS && run->m->d > 0)
        return start_kmeans(ctx, run, start);
    return start_random(ctx, run, start);
}
