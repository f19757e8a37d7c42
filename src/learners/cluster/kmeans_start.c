/* SPDX-License-Identifier: MIT */
/* The first centres of k-means: drawn rows, the overall mean with noise, intervals of the first
 * principal component, a random or a given partition, or centres from a file.
 *
 * Random starts use one stream of random numbers per start. Rows of weight 0 are never drawn; in
 * `plusplus` and for its first row the chance is proportional to the weight. */
#include "base/memory.h"
#include "base/text.h"
#include "entry/entry.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* -- drawn rows -- */

static cairn_status used_rows(cairn_context *ctx, size_t **out, const cairn_kmeans_data *data)
{
    size_t n = 0, *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, data->n));
    for (size_t i = 0; i < data->n; i++)
        if (cairn_view_weight(data->view, i) > 0) rows[n++] = i;
    *out = rows;
    return CAIRN_OK;
}

static cairn_status start_first(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, cairn_random *random)
{
    size_t *rows;
    CHECK(used_rows(ctx, &rows, data));
    for (size_t c = 0; c < k; c++) {
        if (random) {
            size_t at = c + cairn_random_below(random, data->n_used - c), row = rows[at];
            rows[at] = rows[c];
            rows[c] = row;
        }
        cairn_kmeans_row(data, rows[c], centres + c * data->d);
    }
    return CAIRN_OK;
}

typedef struct far_work {
    const cairn_kmeans_data *data;
    const double *centre;
    double *nearest; /* n: squared distance to the nearest centre so far */
    double *partial; /* per block: weighted sum of them */
} far_work;

static void far_piece(void *data, const cairn_piece *piece, double *sums)
{
    const far_work *work = data;
    size_t d = work->data->d;
    if (piece->opens) work->partial[piece->block] = 0;
    for (size_t i = 0; i < piece->n; i++) {
        double *best = work->nearest + piece->first + i;
        if (work->centre)
            *best = fmin(*best, cairn_squared_distance(piece->z + i * d, work->centre, d));
        work->partial[piece->block] += piece->weights ? piece->weights[i] * *best : *best;
    }
    (void)sums;
}

/* A row drawn with a chance proportional to weight times squared distance. */
static size_t draw_far(const far_work *work, cairn_random *random)
{
    const cairn_kmeans_data *data = work->data;
    double total = 0, at;
    size_t last = 0;
    for (size_t b = 0; b < data->x.n_blocks; b++) total += work->partial[b];
    at = cairn_random_uniform(random) * total;
    if (!(total > 0)) { /* all rows coincide with centres: any row will do */
        size_t row = cairn_random_below(random, data->n);
        while (!(cairn_view_weight(data->view, row) > 0)) row = (row + 1) % data->n;
        return row;
    }
    for (size_t b = 0; b < data->x.n_blocks; b++) {
        if (at >= work->partial[b] && b + 1 < data->x.n_blocks) {
            at -= work->partial[b];
            continue;
        }
        size_t end = (b + 1) * data->x.block < data->n ? (b + 1) * data->x.block : data->n;
        for (size_t i = b * data->x.block; i < end; i++) {
            double share = cairn_view_weight(data->view, i) * work->nearest[i];
            if (share > 0) last = i;
            if (share > 0 && at < share) return i;
            at -= share;
        }
    }
    return last;
}

static cairn_status start_plusplus(cairn_context *ctx, double *centres,
                                   const cairn_kmeans_data *data, size_t k, cairn_random *random)
{
    far_work work = {.data = data};
    cairn_row_sum sum = {.piece = far_piece, .data = &work};
    CHECK(SCRATCH_RAW(ctx, &work.nearest, data->n));
    CHECK(SCRATCH(ctx, &work.partial, data->x.n_blocks));
    for (size_t i = 0; i < data->n; i++) work.nearest[i] = 1;
    for (size_t c = 0; c < k; c++) {
        CHECK(cairn_matrix_sum(ctx, &data->x, &sum, NULL));
        size_t row = draw_far(&work, random);
        cairn_kmeans_row(data, row, centres + c * data->d);
        if (c == 0)
            for (size_t i = 0; i < data->n; i++) work.nearest[i] = INFINITY;
        work.centre = centres + c * data->d;
    }
    return CAIRN_OK;
}

/* -- means of groups of rows -- */

/* Centres as the means of groups; those without rows are told in `empty` (k) and left alone. */
static void means_of_groups(double *centres, bool *empty, const cairn_kmeans_data *data, size_t k,
                            const int32_t *groups, double *row, double *sizes)
{
    size_t d = data->d;
    memset(sizes, 0, k * sizeof *sizes);
    for (size_t i = 0; i < data->n; i++) sizes[groups[i]] += cairn_view_weight(data->view, i);
    for (size_t c = 0; c < k; c++) {
        empty[c] = !(sizes[c] > 0);
        if (!empty[c]) memset(centres + c * d, 0, d * sizeof *centres);
    }
    for (size_t i = 0; i < data->n; i++) {
        double *centre = centres + (size_t)groups[i] * d, w = cairn_view_weight(data->view, i);
        if (w == 0) continue;
        cairn_kmeans_row(data, i, row);
        cairn_axpy(centre, w, row, d);
    }
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d && !empty[c]; j++) centres[c * d + j] /= sizes[c];
}

static cairn_status group_means(cairn_context *ctx, double *centres, bool *empty,
                                const cairn_kmeans_data *data, size_t k, const int32_t *groups)
{
    double *row, *sizes;
    CHECK(SCRATCH(ctx, &row, data->d));
    CHECK(SCRATCH(ctx, &sizes, k));
    means_of_groups(centres, empty, data, k, groups, row, sizes);
    return CAIRN_OK;
}

static cairn_status start_partition(cairn_context *ctx, double *centres,
                                    const cairn_kmeans_data *data, size_t k, cairn_random *random)
{
    int32_t *groups;
    bool *empty;
    CHECK(SCRATCH(ctx, &groups, data->n));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(start_first(ctx, centres, data, k, random)); /* for groups that stay empty */
    for (size_t i = 0; i < data->n; i++) groups[i] = (int32_t)cairn_random_below(random, k);
    return group_means(ctx, centres, empty, data, k, groups);
}

static void start_mean(double *centres, const cairn_kmeans_data *data, size_t k,
                       cairn_random *random)
{
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < data->d; j++)
            centres[c * data->d + j] = data->mean[j] + 0.1 * sqrt(data->spread[j] / data->weight) *
                                                           cairn_random_normal(random);
}

/* -- principal component -- */

enum { SHOWN = 50 }; /* most rows of a table in the steps */

/* Cross products of the rows' deviations from the mean, upper triangle. */
static void cross_piece(void *work, const cairn_piece *piece, double *gram)
{
    const cairn_kmeans_data *data = work;
    size_t d = data->d;
    memcpy(piece->room, piece->z, piece->n * d * sizeof *piece->z);
    cairn_standardise_rows(piece->room, d, piece->n, d, data->mean, NULL);
    cairn_gram_add(gram, NULL, piece->room, d, NULL, piece->weights, piece->n, d);
}

/* The component and all variances (sums of squares) along the components, falling. */
static cairn_status first_component(cairn_context *ctx, double *out, double *values,
                                    const cairn_kmeans_data *data, bool largest)
{
    size_t d = data->d;
    double *gram, *vectors;
    CHECK(SCRATCH_EACH(ctx, cairn_product(d, d), &gram, &vectors));
    cairn_row_sum sum = {.size = d * d, .piece = cross_piece, .data = (void *)data};
    CHECK(cairn_matrix_sum(ctx, &data->x, &sum, gram));
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, gram, d));
    memcpy(out, vectors, d * sizeof *out);
    size_t first = 0;
    while (first + 1 < d && fabs(out[first]) < 1e-12) first++;
    if (!largest && out[first] < 0)
        for (size_t j = 0; j < d; j++) out[j] = -out[j];
    return CAIRN_OK;
}

static double score_of(const cairn_kmeans_data *data, const double *component, size_t i)
{
    size_t row = cairn_view_row(data->view, i);
    double sum = 0;
    for (size_t j = 0; j < data->d; j++)
        sum += component[j] * (data->x.columns[j][row] - data->mean[j]);
    return sum;
}

/* A first component with the range of the rows along it. */
typedef struct component_range {
    double *component, *values;
    double low, high;
} component_range;

static void show_component_columns(cairn_report *steps, const cairn_kmeans_data *data,
                                   const component_range *c)
{
    cairn_report_table_of(steps, "The first principal component", SHOWN, "lrr", "column", "mean",
                          "component");
    for (size_t j = 0; j < data->d && j <= SHOWN; j++) {
        const char *key = cairn_report_key(steps, data->view->names[j]);
        cairn_report_cell(steps, data->view->names[j]);
        cairn_report_cell_number(steps, data->mean[j], 0, "pc.mean.%s", key);
        cairn_report_cell_number(steps, c->component[j], 0, "pc.component.%s", key);
    }
    cairn_report_table_end(steps);
    for (size_t j = 0; j < data->d && j < 2; j++)
        cairn_report_value(steps, j ? "variance along the second" : "variance along it",
                           c->values[j] / (data->weight - 1), "pc.variance.%zu", j + 1);
}

/* The direction, the cuts and every row's score, from which the first centres can be found by
 * hand. */
static void show_component(cairn_report *steps, const cairn_kmeans_data *data,
                           const component_range *c, size_t k, const int32_t *groups)
{
    if (!steps) return;
    cairn_report_step_begin(steps, "First centres from the first principal component");
    cairn_report_paragraph(steps,
                           "The rows are measured along the direction in which they spread most; "
                           "the range is cut into %zu equal intervals, and the mean of the rows in "
                           "each is a first centre.",
                           k);
    show_component_columns(steps, data, c);
    for (size_t i = 1; i < k && i <= SHOWN; i++)
        cairn_report_value(steps, "cut at", c->low + (c->high - c->low) * (double)i / (double)k,
                           "pc.cut.%zu", i);
    cairn_report_table_of(steps, "Scores", SHOWN, "rrr", "row", "score", "interval");
    for (size_t i = 0; i < data->n && i <= SHOWN; i++) {
        size_t number = cairn_view_row(data->view, i) + 1;
        cairn_report_cellf(steps, "%zu", number);
        cairn_report_cell_number(steps, score_of(data, c->component, i), 0, "pc.score.%zu", number);
        cairn_report_cell_number(steps, groups[i] + 1.0, 0, "pc.group.%zu", number);
    }
    cairn_report_table_end(steps);
    cairn_report_step_end(steps);
}

/* The range of the scores in k equal intervals; an interval without rows has its middle. */
static cairn_status start_component(cairn_context *ctx, double *centres,
                                    const cairn_kmeans_data *data, size_t k, bool largest,
                                    cairn_report *steps)
{
    size_t d = data->d;
    double *component, *values, low = INFINITY, high = -INFINITY;
    int32_t *groups;
    bool *empty;
    CHECK(SCRATCH_EACH(ctx, d, &component, &values));
    CHECK(SCRATCH(ctx, &groups, data->n));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(first_component(ctx, component, values, data, largest));
    for (size_t i = 0; i < data->n; i++) {
        if (!(cairn_view_weight(data->view, i) > 0)) continue;
        double score = score_of(data, component, i);
        low = fmin(low, score);
        high = fmax(high, score);
    }
    for (size_t i = 0; i < data->n; i++) {
        double share = high > low ? (score_of(data, component, i) - low) / (high - low) : 0;
        double at = fmax(0, floor(share * (double)k));
        groups[i] = (int32_t)fmin(at, (double)(k - 1));
    }
    show_component(steps, data, &(component_range){component, values, low, high}, k, groups);
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d; j++)
            centres[c * d + j] =
                data->mean[j] + component[j] * (low + (high - low) * ((double)c + 0.5) / (double)k);
    return group_means(ctx, centres, empty, data, k, groups);
}

/* -- from outside -- */

static cairn_status start_given(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, const char *given)
{
    int32_t *groups;
    bool *empty;
    CHECK(cairn_given_clusters(ctx, &groups, data->n, k, given));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(group_means(ctx, centres, empty, data, k, groups));
    for (size_t c = 0; c < k; c++)
        if (empty[c])
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "{given} puts no row in cluster %zu", c + 1));
    return CAIRN_OK;
}

/* Which column of the file holds feature j: the one of its name, else the j-th when the file has
 * as many columns as there are features. */
static cairn_status centre_column(cairn_context *ctx, size_t *out, const cairn_table *table,
                                  const cairn_kmeans_data *data, size_t j, const char *path)
{
    ptrdiff_t at = cairn_table_find(table, data->view->names[j]);
    if (at < 0 && cairn_table_columns(table) == data->d) at = (ptrdiff_t)j;
    if (at < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no column '%s' for the first centres",
                          path, data->view->names[j]);
    if (!cairn_table_numbers(table, (size_t)at))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' is not a column of numbers", path,
                          cairn_table_name(table, (size_t)at));
    *out = (size_t)at;
    return CAIRN_OK;
}

/* A file has one row per centre; columns are found by name, so that their order is free, else by
 * place where there are as many as features. */
static cairn_status start_file(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                               size_t k, const char *path)
{
    cairn_table *table = NULL;
    cairn_status status = cairn_table_read(ctx, &table, path, NULL);
    if (status != CAIRN_OK) {
        cairn_message_prefix(ctx, "{init} is plusplus, random, first, mean, pc, partition or a "
                                  "file with the first centres");
        return status;
    }
    if (cairn_table_rows(table) != k)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu rows, but there are %zu clusters to start",
                       path, cairn_table_rows(table), k));
    for (size_t j = 0; j < data->d; j++) {
        size_t at = 0;
        TRY(centre_column(ctx, &at, table, data, j, path));
        const double *numbers = cairn_table_numbers(table, at);
        for (size_t c = 0; c < k; c++) {
            if (!isfinite(numbers[c]))
                TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                               "%s: column '%s', row %zu: a centre needs a number", path,
                               cairn_table_name(table, at), c + 1));
            centres[c * data->d + j] = numbers[c];
        }
    }
done:
    cairn_table_free(table);
    return status;
}

static const char *start_word(size_t i, const void *data)
{
    static const char *const words[] = {"plusplus", "random", "first", "mean", "pc", "partition"};
    (void)data;
    return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static bool is_word(const char *text)
{
    const char *word;
    for (size_t i = 0; (word = start_word(i, NULL)); i++)
        if (cairn_same(text, word)) return true;
    return false;
}

cairn_status cairn_kmeans_check(cairn_context *ctx, const void *values)
{
    const cairn_kmeans_params *params = values;
    const char *init = params->init;
    if (is_word(init) || *init == '@' || cairn_same(init, "-") || access(init, F_OK) == 0)
        return CAIRN_OK;
    const char *near = cairn_nearest_word(init, start_word, NULL);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{init}: '%s' is neither a way to start nor a file; did you mean '%s'?",
                          init, near);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{init}: '%s' is neither a file nor plusplus, random, first, mean, pc or "
                      "partition",
                      init);
}

bool cairn_kmeans_start_is_file(const cairn_kmeans_params *params)
{
    return !params->given && !is_word(params->init);
}

bool cairn_kmeans_start_is_random(const cairn_kmeans_params *params)
{
    return !params->given && is_word(params->init) && !cairn_same(params->init, "first") &&
           !cairn_same(params->init, "pc");
}

cairn_status cairn_kmeans_start(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, const cairn_kmeans_params *params, size_t start,
                                cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    const char *init = params->init;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    if (params->given)
        CHECK(start_given(ctx, centres, data, k, params->given));
    else if (cairn_same(init, "plusplus"))
        CHECK(start_plusplus(ctx, centres, data, k, &random));
    else if (cairn_same(init, "random"))
        CHECK(start_first(ctx, centres, data, k, &random));
    else if (cairn_same(init, "first"))
        CHECK(start_first(ctx, centres, data, k, NULL));
    else if (cairn_same(init, "mean"))
        start_mean(centres, data, k, &random);
    else if (cairn_same(init, "pc"))
        CHECK(start_component(ctx, centres, data, k, params->sign, steps));
    else if (cairn_same(init, "partition"))
        CHECK(start_partition(ctx, centres, data, k, &random));
    else
        CHECK(start_file(ctx, centres, data, k, init));
    cairn_kmeans_to_sphere(data, centres, k);
    return CAIRN_OK;
}
