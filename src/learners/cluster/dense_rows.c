/* SPDX-License-Identifier: MIT */
/* Rows of methods that cluster by density. */
#include "learners/cluster/dense_rows.h"

#include "base/memory.h"
#include "data/shape.h"
#include "learners/cluster/optics.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "rows/used.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { ROWS = 16 };

void cairn_density_clear(cairn_density *density)
{
    cairn_search_clear(&density->search);
    cairn_distance_rows_clear(&density->rows);
    FREE_EACH(density->weights, density->at);
    *density = (cairn_density){0};
}

cairn_status cairn_density_open(cairn_context *ctx, cairn_density *out, const cairn_view *view,
                                const char *distance)
{
    cairn_view used;
    CHECK(cairn_view_used(ctx, &used, view));
    CHECK(cairn_distance_rows_open(ctx, &out->rows, &used, distance));
    out->n = out->rows.n;
    /* Weights, and where the rows come from: labels go back there. */
    out->total = (double)out->n;
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(NEW_RAW_EACH(ctx, out->n, &out->weights, &out->at));
    cairn_view_weights(&used, 0, out->n, out->weights);
    out->total = 0;
    for (size_t i = 0, n = 0; i < view->rows.n; i++)
        if (cairn_view_weight(view, i) > 0) out->at[n++] = (uint32_t)i;
    for (size_t i = 0; i < out->n; i++) out->total += out->weights[i];
    return CAIRN_OK;
}

cairn_status cairn_density_search(cairn_context *ctx, cairn_density *density)
{
    const cairn_distance_rows *rows = &density->rows;
    if (rows->given || density->search.method != CAIRN_SEARCH_AUTO) return CAIRN_OK;
    return cairn_search_make(ctx, &density->search, &rows->metric, &rows->points, NULL,
                             CAIRN_SEARCH_AUTO);
}

/* -- within a radius -- */

double cairn_density_reach(const cairn_density *density, double radius, bool open)
{
    return cairn_search_reach(density->rows.given ? NULL : &density->rows.metric, radius, open);
}

double cairn_density_value(const cairn_density *density, double order)
{
    return density->rows.given ? order : cairn_metric_value(&density->rows.metric, order);
}

typedef struct given_run {
    const cairn_density *density;
    const uint32_t *which; /* NULL = the first n */
    double reach;
    cairn_reached reached;
    void *data;
} given_run;

static void reach_given(const given_run *run, size_t row, int worker)
{
    const cairn_distance_rows *rows = &run->density->rows;
    for (size_t j = 0; j < rows->n; j++) {
        double distance = rows->rows[row][rows->numbers[j]];
        if (distance <= run->reach) run->reached(run->data, row, (uint32_t)j, distance, worker);
    }
}

static void reach_given_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const given_run *run = data;
    for (size_t i = begin; i < end; i++) reach_given(run, run->which ? run->which[i] : i, worker);
}

cairn_status cairn_density_within(cairn_context *ctx, const cairn_density *density,
                                  const uint32_t *which, size_t n, double reach,
                                  cairn_reached reached, void *data)
{
    given_run run = {density, which, reach, reached, data};
    if (!density->rows.given)
        return cairn_search_within(ctx, &density->search, &density->rows.points, which, n, reach,
                                   reached, data);
    return cairn_blocks_sized(ctx, n, ROWS, (double)n * (double)density->n, reach_given_block,
                              &run);
}

void cairn_density_within_one(const cairn_density *density, size_t row, double reach,
                              int32_t *buffer, cairn_reached reached, void *data)
{
    given_run run = {density, NULL, reach, reached, data};
    if (density->rows.given)
        reach_given(&run, row, 0);
    else
        cairn_search_within_one(&density->search, &density->rows.points, row, reach, buffer,
                                reached, data);
}

/* -- nearest rows -- */

typedef struct nearest_given {
    const cairn_distance_rows *rows, *queries;
    bool own; /* query i is row i and leaves itself out */
    cairn_neighbours *out;
} nearest_given;

/* The k nearest of given distances, each put into its place among the best so far. */
static void nearest_given_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const nearest_given *run = data;
    const cairn_distance_rows *rows = run->rows;
    cairn_neighbours *out = run->out;
    for (size_t i = begin; i < end; i++) {
        double *best = out->distances + i * out->k;
        uint32_t *which = out->rows + i * out->k, n = 0;
        for (size_t j = 0; j < rows->n && out->k; j++) {
            double d = run->queries->rows[i][rows->numbers[j]];
            if ((run->own && j == i) || isnan(d) || (n == out->k && d >= best[n - 1])) continue;
            size_t at = n < out->k ? n++ : n - 1;
            for (; at > 0 && best[at - 1] > d; at--)
                best[at] = best[at - 1], which[at] = which[at - 1];
            best[at] = d, which[at] = (uint32_t)j;
        }
        out->found[i] = n;
    }
}

static cairn_status find_nearest_given(cairn_context *ctx, const cairn_distance_rows *rows,
                                       const cairn_distance_rows *queries, size_t k, bool own,
                                       cairn_neighbours *out)
{
    nearest_given run = {rows, queries, own, out};
    size_t n = queries->n;
    out->n = n, out->k = k;
    CHECK(NEW_RAW_EACH(ctx, cairn_product(n, k), &out->rows, &out->distances));
    CHECK(NEW(ctx, &out->found, n));
    return cairn_blocks_sized(ctx, n, ROWS, (double)n * (double)rows->n, nearest_given_block, &run);
}

cairn_status cairn_density_nearest(cairn_context *ctx, const cairn_distance_rows *kept,
                                   const cairn_view *view, size_t k, cairn_neighbours *out)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows queries = {0};
    SCOPED(cairn_search_clear) cairn_neighbour_search search = {0};
    if (kept->n < k) k = kept->n;
    if (k == 0) {
        out->n = view->rows.n;
        return NEW(ctx, &out->found, out->n);
    }
    CHECK(cairn_distance_rows_like(ctx, &queries, kept, view));
    if (kept->given) return find_nearest_given(ctx, kept, &queries, k, false, out);
    CHECK(cairn_search_make(ctx, &search, &kept->metric, &kept->points, NULL, CAIRN_SEARCH_AUTO));
    return cairn_search_nearest(ctx, &search, &queries.points, k, false, out);
}

/* -- core distances -- */

/* How many other rows are looked at so that their weights are enough for every row. */
static size_t neighbours_needed(const cairn_density *d, double enough)
{
    double lightest = 1;
    for (size_t i = 0; d->weights && i < d->n; i++)
        lightest = i == 0 || d->weights[i] < lightest ? d->weights[i] : lightest;
    double k = ceil(enough / lightest) - 1;
    return k < (double)(d->n - 1) ? (size_t)(k > 0 ? k : 0) : d->n - 1;
}

static double core_distance(const cairn_density *d, const cairn_neighbours *near, size_t row,
                            double enough)
{
    double weight = cairn_density_weight(d, row), wanted = enough * (1 - 1e-12);
    if (weight >= wanted) return 0;
    for (size_t i = 0; i < near->found[row]; i++) {
        weight += cairn_density_weight(d, near->rows[row * near->k + i]);
        if (weight >= wanted) return near->distances[row * near->k + i];
    }
    return INFINITY;
}

cairn_status cairn_density_core_distances(cairn_context *ctx, cairn_density *density, double enough,
                                          double *out)
{
    size_t n = density->n, k = neighbours_needed(density, enough);
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    CHECK(cairn_memory_check(ctx, 12.0 * (double)n * (double)(k + 2), "looking for neighbours",
                             cairn_say(ctx, "choose a smaller {min-points}, or raise {memory}")));
    if (density->rows.given) {
        CHECK(find_nearest_given(ctx, &density->rows, &density->rows, k, true, &near));
    } else {
        CHECK(cairn_density_search(ctx, density));
        CHECK(cairn_search_nearest(ctx, &density->search, &density->rows.points, k, true, &near));
    }
    for (size_t i = 0; i < n; i++) out[i] = core_distance(density, &near, i, enough);
    return CAIRN_OK;
}

/* -- the knee -- */

/* A row of weight w stands for w points of the curve; of equal points the first lies farthest below
 * the chord. */
cairn_status cairn_density_knee(cairn_context *ctx, const cairn_density *density,
                                const double *numbers, double *knee, double *at)
{
    SCOPED_SCRATCH(ctx);
    double *falling, most = -1, total = 0, before = 0;
    uint64_t *order;
    size_t n = density->n, finite = 0;
    *knee = NAN;
    *at = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &falling, &order));
    for (size_t i = 0; i < n; i++) {
        falling[i] = isfinite(numbers[i]) ? -numbers[i] : NAN;
        if (isfinite(numbers[i])) finite++, total += cairn_density_weight(density, i);
    }
    CHECK(cairn_sort_order(ctx, order, falling, n));
    for (size_t i = 0; i < finite; i++) {
        double share = total > 1 && before < total - 1 ? before / (total - 1) : (double)(total > 1);
        double first = falling[order[0]], last = falling[order[finite - 1]];
        double below = falling[order[i]] - (first + share * (last - first));
        if (below > most) most = below, *knee = -falling[order[i]], *at = before;
        before += cairn_density_weight(density, order[i]);
    }
    return CAIRN_OK;
}

/* Proofs of core distances and of the order of OPTICS, with distances that are measured anew and no
 * search. A row's distances to all others are n: done for all rows where they are few, else for
 * rows that are spread evenly, MOST_PAIRS distances in all. */

static const double MOST_PAIRS = 4e6, ROUNDING = 1e-9;

static cairn_status measure(cairn_context *ctx, const cairn_density *density, size_t row,
                            double *line)
{
    uint32_t which = (uint32_t)row;
    return cairn_distances_block(ctx, &density->rows, &which, 1, &density->rows, 0, density->n,
                                 line, density->n);
}

static size_t every_row(size_t n)
{
    return 1 + (size_t)((double)n * (double)n / MOST_PAIRS);
}

/* Within the distance lies enough, unless that is `most` of what is looked at, and closer not. Rows
 * that cannot be compared are nowhere. */
static bool is_core(const cairn_density *density, const double *line, double enough, double core,
                    double most)
{
    double closer = 0, within = 0, near = fmin(core, most);
    for (size_t j = 0; j < density->n; j++) {
        double weight = cairn_density_weight(density, j);
        if (line[j] < near * (1 - ROUNDING)) closer += weight;
        if (line[j] <= near * (1 + ROUNDING)) within += weight;
    }
    return closer < enough * (1 + ROUNDING) && (within >= enough * (1 - ROUNDING) || isinf(core));
}

cairn_status cairn_density_prove_cores(cairn_context *ctx, cairn_certificate *out,
                                       const cairn_density *density, double enough, double most,
                                       const double *core)
{
    SCOPED_SCRATCH(ctx);
    double *line;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &line, density->n + 1));
    for (size_t i = 0; i < density->n; i += every_row(density->n)) {
        CHECK(measure(ctx, density, i, line));
        bool found = is_core(density, line, enough, core[i], most);
        cairn_certify(out, CAIRN_PROOF_MERGES, found ? 0 : 1, ROUNDING);
    }
    return CAIRN_OK;
}

/* A row that was reached waits until nothing is easier to reach: between the row that it was
 * reached from and its own place none has a larger reachability. The stack holds places, each of a
 * larger one than those behind it. */
static cairn_status prove_waiting(cairn_context *ctx, cairn_certificate *out,
                                  const cairn_optics_order *o)
{
    size_t *stack, *places, depth = 0;
    CHECK(SCRATCH_EACH(ctx, o->n + 1, &stack, &places));
    for (size_t p = 0; p < o->n; p++) {
        double reach = o->reach[o->rows[p]];
        uint32_t from = o->from[o->rows[p]];
        places[o->rows[p]] = p;
        while (depth && !(o->reach[o->rows[stack[depth - 1]]] > reach)) depth--;
        if (from != UINT32_MAX) {
            bool waited = o->rows[places[from]] == from && places[from] < p &&
                          (!depth || stack[depth - 1] <= places[from]);
            cairn_certify(out, CAIRN_PROOF_MERGES, waited ? 0 : 1, ROUNDING);
        }
        stack[depth++] = p;
    }
    return CAIRN_OK;
}

cairn_status cairn_optics_prove(cairn_context *ctx, cairn_certificate *out,
                                const cairn_optics_order *o, const cairn_density *density,
                                double eps)
{
    SCOPED_SCRATCH(ctx);
    double *line;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &line, density->n + 1));
    for (size_t p = 0; p < o->n; p += every_row(o->n)) {
        double reach = o->reach[o->rows[p]];
        CHECK(measure(ctx, density, o->rows[p], line));
        /* The least that leads to the row at `p` from those before it. */
        double least = INFINITY;
        for (size_t q = 0; q < p; q++) {
            size_t row = o->rows[q];
            if (line[row] <= eps * (1 + 1e-12)) least = fmin(least, fmax(line[row], o->core[row]));
        }
        double apart = least == reach ? 0 : fabs(least - reach) / reach;
        cairn_certify(out, CAIRN_PROOF_MERGES, apart, ROUNDING);
    }
    return prove_waiting(ctx, out, o);
}

/* -- cells -- */

void cairn_density_cell(cairn_report *out, double value, const char *name, ...)
{
    char full[80] = "";
    va_list arguments;
    va_start(arguments, name);
    if (name) vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    if (!isinf(value)) {
        cairn_report_cell_number(out, value, 6, name ? "%s" : NULL, full);
        return;
    }
    if (name) cairn_report_hidden(out, value, "%s", full);
    cairn_report_cell(out, "∞");
}

/* -- keeping -- */

cairn_status cairn_density_sample_keep(cairn_context *ctx, cairn_density_sample *out,
                                       const cairn_density *density, const cairn_view *view,
                                       const int32_t *clusters)
{
    size_t step = (density->n + CAIRN_DENSITY_SAMPLE - 1) / CAIRN_DENSITY_SAMPLE;
    if (step == 0) step = 1;
    size_t n = (density->n + step - 1) / step;
    out->n_columns = 0;
    if (view->table->shape != CAIRN_SHAPE_DISTANCES) {
        for (size_t j = 0; j < view->n_features && out->n_columns < 2; j++)
            if (view->features[j]->kind == CAIRN_NUMBER)
                out->columns[out->n_columns++] = (int32_t)j;
    }
    CHECK(NEW(ctx, &out->places, n * out->n_columns));
    CHECK(NEW_EACH(ctx, n, &out->clusters, &out->rows));
    out->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, cairn_density_at(density, i * step));
        for (size_t t = 0; t < out->n_columns; t++)
            out->places[i * out->n_columns + t] = view->features[out->columns[t]]->numbers[row];
        out->clusters[i] = clusters[i * step];
        out->rows[i] = (int32_t)row;
    }
    return CAIRN_OK;
}

const cairn_kept cairn_density_sample_keeps[] = {
    KEEP_SIZE(cairn_density_sample, n, CAIRN_DENSITY_SAMPLE, .name = "n_sample"),
    KEEP_SIZE(cairn_density_sample, n_columns, 2, .name = "sample_columns"),
    KEEP_CHOICE(cairn_density_sample, columns[0], 0, INT32_MAX, "its picture has no columns",
                .name = "sample_x"),
    KEEP_CHOICE(cairn_density_sample, columns[1], 0, INT32_MAX, "its picture has no columns",
                .name = "sample_y"),
    KEEP_ARRAY(cairn_density_sample, places, "n*n_columns", .name = "sample_places"),
    KEEP_ARRAY(cairn_density_sample, clusters, "n", .name = "sample_clusters"),
    KEEP_ARRAY(cairn_density_sample, rows, "n", .name = "sample_rows"),
    KEEP_END,
};

/* -- drawing -- */

static const char *column_title(const cairn_density_sample *s, const cairn_job *job, size_t at)
{
    const cairn_field *field = NULL;
    if (at < s->n_columns) field = cairn_schema_feature(job->schema, (size_t)s->columns[at]);
    return field ? field->name : "";
}

cairn_status cairn_density_figure(cairn_context *ctx, cairn_figure **out,
                                  const cairn_density_sample *sample, const cairn_job *job,
                                  const char *name, const char *title)
{
    *out = NULL;
    if (sample->n_columns == 0 || sample->n < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_axes(*out, column_title(sample, job, 0), column_title(sample, job, 1));
    return CAIRN_OK;
}

cairn_status cairn_density_points(cairn_context *ctx, cairn_figure *figure,
                                  const cairn_density_sample *sample, const int32_t *groups,
                                  const char *const *names, size_t n_groups)
{
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, sample->n, &x, &y));
    for (size_t i = 0; i < sample->n; i++) {
        x[i] = sample->places[i * sample->n_columns];
        y[i] = sample->n_columns > 1 ? sample->places[i * sample->n_columns + 1] : groups[i] + 1.0;
    }
    cairn_figure_points(figure, x, y, groups, sample->n, names, n_groups);
    return CAIRN_OK;
}

cairn_status cairn_density_clusters_figure(cairn_context *ctx, cairn_figure **out,
                                           const cairn_density_sample *sample, size_t n_clusters,
                                           const cairn_job *job)
{
    enum { SIZE = 32 };
    const char **names;
    char *text;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_density_figure(ctx, out, sample, job, "clusters", "Clusters; noise is grey"));
    if (!*out) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, n_clusters + 1));
    CHECK(SCRATCH(ctx, &text, (n_clusters + 1) * SIZE));
    for (size_t c = 0; c < n_clusters; c++) {
        snprintf(text + c * SIZE, SIZE, "cluster %zu", c + 1);
        names[c] = text + c * SIZE;
    }
    return cairn_density_points(ctx, *out, sample, sample->clusters, names, n_clusters);
}
