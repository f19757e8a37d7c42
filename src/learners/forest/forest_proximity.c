/* SPDX-License-Identifier: MIT */
/* Proximities: two rows are as near as the share of the trees in which they reach the same leaf.
 *
 * The matrix of all pairs is made only when it is asked for. Everything else goes row by row: the
 * rows of every leaf are listed once, and the neighbours of a row are found by looking through the
 * lists of its leaves, which are short in deep trees.
 *
 *     outliers     n / Σ proximity² over the rows of the same class, less its median in the class
 *                  and divided by the median distance from it: large for rows that are near to
 *                  nothing
 *     prototypes   of a class: the row that has most rows of the class among its nearest ones;
 *                  medians, quartiles and most frequent levels of those rows
 *
 * Cost: O(trees x rows) memory, O(rows x trees x rows of a leaf) time. */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/quantile.h"
#include "data/item_columns.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- leaves -- */

typedef struct placing {
    cairn_proximities *p;
    const cairn_forest_model *forest;
    const cairn_binned *data;
    uint32_t **maps;
} placing;

/* Leaves of one tree: places in the tree numbered in order, and the rows of each. */
static cairn_status place_tree(cairn_context *ctx, void *data, size_t t)
{
    const placing *work = data;
    const cairn_forest_model *forest = work->forest;
    cairn_proximities *p = work->p;
    const cairn_forest_tree *tree = &forest->trees[t];
    size_t n = p->n, d = forest->n_columns, places = 3 * tree->n_nodes + tree->n_links + 1;
    uint32_t *codes = NULL, *rows = NULL, *space = NULL, *number = NULL;
    uint32_t *leaf = p->leaf + t * n, *starts = p->starts + t * (n + 1), *order = p->rows + t * n;
    size_t block = cairn_forest_block_rows(forest, n, CAIRN_FOREST_PARTS);
    CHECK(SCRATCH_RAW(ctx, &codes, block * d));
    CHECK(SCRATCH_RAW_EACH(ctx, block, &rows, &space));
    CHECK(SCRATCH(ctx, &number, places + 1));
    for (size_t first = 0; first < n; first += block) {
        size_t size = n - first < block ? n - first : block, place;
        cairn_forest_code_data(codes, forest, work->data, work->maps, first, size, rows, space);
        for (size_t i = 0; i < size; i++) {
            (void)cairn_forest_leaf(forest, tree, codes + i * d, &place);
            leaf[first + i] = (uint32_t)place;
            number[place] = 1;
        }
    }
    for (size_t place = 0, next = 0; place <= places; place++)
        if (number[place]) number[place] = (uint32_t)next++;
    memset(starts, 0, (n + 1) * sizeof *starts);
    for (size_t i = 0; i < n; i++) starts[(leaf[i] = number[leaf[i]]) + 1]++;
    for (size_t i = 0; i < n; i++) starts[i + 1] += starts[i];
    for (size_t i = 0; i < n; i++) order[starts[leaf[i]]++] = (uint32_t)i;
    memmove(starts + 1, starts, n * sizeof *starts); /* each is where the next one begins now */
    starts[0] = 0;
    return CAIRN_OK;
}

cairn_status cairn_proximities_make(cairn_context *ctx, cairn_proximities *out,
                                    const cairn_forest_model *forest, const cairn_binned *data)
{
    placing work = {.p = out, .forest = forest, .data = data};
    size_t n = data->n_rows, cells = cairn_product(n + 1, forest->n_trees);
    *out = (cairn_proximities){.n = n, .n_trees = forest->n_trees};
    CHECK(cairn_memory_check(ctx, 12 * (double)cells, "listing the leaves of all rows",
                             cairn_say(ctx, "use fewer {trees} or fewer rows")));
    CHECK(SCRATCH_RAW_EACH(ctx, cells, &out->leaf, &out->starts, &out->rows));
    CHECK(cairn_forest_code_maps(ctx, &work.maps, forest, data));
    return cairn_tasks(ctx, forest->n_trees, place_tree, &work);
}

size_t cairn_proximities_of(const cairn_proximities *p, size_t i, uint32_t *counts, uint32_t *near)
{
    size_t n_near = 0;
    for (size_t t = 0; t < p->n_trees; t++) {
        const uint32_t *starts = p->starts + t * (p->n + 1), *rows = p->rows + t * p->n;
        uint32_t leaf = p->leaf[t * p->n + i];
        for (uint32_t j = starts[leaf]; j < starts[leaf + 1]; j++) {
            near[n_near] = rows[j];
            n_near += counts[rows[j]]++ == 0;
        }
    }
    return n_near;
}

/* -- every row in turn -- */

typedef struct relating {
    const cairn_forest_growth *growth;
    const cairn_proximities *p;
    uint32_t **counts, **near; /* per worker: n, n + 1 */
    double *squares;           /* n: outliers; NULL = not wanted */
    uint32_t *nearest;         /* n x n_nearest, the nearest first; NULL = not wanted */
    size_t n_nearest;
    double *matrix; /* n x n; NULL = not wanted */
} relating;

static bool is_nearer(const uint32_t *counts, uint32_t a, uint32_t b)
{
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
}

/* The nearest rows of row i other than itself, UINT32_MAX where there are no more. */
static void keep_nearest(const relating *work, size_t i, const uint32_t *counts,
                         const uint32_t *near, size_t n_near)
{
    uint32_t *kept = work->nearest + i * work->n_nearest;
    size_t n = 0;
    for (size_t j = 0; j < n_near; j++) {
        size_t at = n < work->n_nearest ? n++ : n;
        if (near[j] == i) {
            if (at < n) n--;
            continue;
        }
        if (at == work->n_nearest && !is_nearer(counts, near[j], kept[--at])) continue;
        for (; at > 0 && is_nearer(counts, near[j], kept[at - 1]); at--) kept[at] = kept[at - 1];
        kept[at] = near[j];
    }
    for (; n < work->n_nearest; n++) kept[n] = UINT32_MAX;
}

/* Only rows that share a leaf are looked at, and only their counts are set back, so a row costs
 * what its leaves hold. */
static void relate_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const relating *work = data;
    const cairn_binned *rows = work->growth->data;
    uint32_t *counts = work->counts[worker], *near = work->near[worker];
    double trees = (double)work->p->n_trees;
    (void)block;
    for (size_t i = begin; i < end; i++) {
        size_t n_near = cairn_proximities_of(work->p, i, counts, near);
        double sum = 0;
        for (size_t j = 0; j < n_near; j++) {
            double proximity = counts[near[j]] / trees;
            if (!rows->classes || rows->classes[near[j]] == rows->classes[i])
                sum += proximity * proximity;
            if (work->matrix) work->matrix[i * work->p->n + near[j]] = proximity;
        }
        if (work->squares) work->squares[i] = sum;
        if (work->nearest) keep_nearest(work, i, counts, near, n_near);
        for (size_t j = 0; j < n_near; j++) counts[near[j]] = 0;
    }
}

static cairn_status relate_rows(cairn_context *ctx, relating *work)
{
    size_t workers = (size_t)cairn_workers(ctx), n = work->p->n;
    CHECK(SCRATCH_EACH(ctx, workers, &work->counts, &work->near));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH(ctx, &work->counts[w], n));
        CHECK(SCRATCH(ctx, &work->near[w], n + 1));
    }
    return cairn_blocks(ctx, n, 256, relate_block, work);
}

/* -- outliers -- */

/* Median of the chosen values; `space` has room for all. */
static cairn_status median_of(cairn_context *ctx, double *out, double *space, size_t n)
{
    CHECK(cairn_sort_numbers(ctx, space, n));
    *out = cairn_quantile(space, n, 0.5, CAIRN_QUANTILE_LINEAR);
    return CAIRN_OK;
}

/* Less the median of the class, in units of the median distance from it. */
static cairn_status standardise_class(cairn_context *ctx, double *scores, const int32_t *classes,
                                      int32_t class, size_t n, double *space)
{
    double median, spread;
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (!classes || classes[i] == class) space[m++] = scores[i];
    if (m == 0) return CAIRN_OK;
    CHECK(median_of(ctx, &median, space, m));
    m = 0;
    for (size_t i = 0; i < n; i++)
        if (!classes || classes[i] == class) space[m++] = fabs(scores[i] - median);
    CHECK(median_of(ctx, &spread, space, m));
    for (size_t i = 0; i < n; i++)
        if (!classes || classes[i] == class)
            scores[i] = spread > 0 ? (scores[i] - median) / spread : 0;
    return CAIRN_OK;
}

/* A row is strange if it has few near rows of its own class: n over the sum of squared
 * proximities, measured within the class by median and spread. */
static cairn_status find_outliers(cairn_context *ctx, const relating *work)
{
    const cairn_forest_growth *growth = work->growth;
    cairn_forest_extras *extras = &growth->history->extras;
    const cairn_binned *data = growth->data;
    size_t n = data->n_rows, k = data->n_classes ? data->n_classes : 1;
    size_t wanted = (size_t)growth->params->outliers;
    double *scores = work->squares, *space = NULL;
    uint64_t *order = NULL;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &space, &order));
    for (size_t i = 0; i < n; i++) scores[i] = (double)n / scores[i];
    for (size_t l = 0; l < k; l++)
        CHECK(standardise_class(ctx, scores, data->classes, (int32_t)l, n, space));
    for (size_t i = 0; i < n; i++) space[i] = -scores[i];
    CHECK(cairn_sort_order(ctx, order, space, n));
    if (wanted > n) wanted = n;
    CHECK(NEW_EACH(ctx, wanted, &extras->outlier_rows, &extras->outlier_scores));
    if (data->n_classes) CHECK(NEW(ctx, &extras->outlier_classes, wanted));
    extras->n_outliers = wanted;
    for (size_t i = 0; i < wanted; i++) {
        extras->outlier_rows[i] = (int32_t)data->table_rows[order[i]];
        extras->outlier_scores[i] = scores[order[i]];
        if (data->n_classes) extras->outlier_classes[i] = data->classes[order[i]];
    }
    return CAIRN_OK;
}

/* -- prototypes -- */

/* Median and quartiles of a column of some rows, or the most frequent level. */
static cairn_status middle_of(cairn_context *ctx, double out[3], const cairn_column *column,
                              const cairn_binned *data, const uint32_t *rows, size_t n,
                              double *space, double *levels)
{
    size_t m = 0;
    out[0] = out[1] = out[2] = NAN;
    if (column->kind == CAIRN_LEVEL) {
        size_t k = column->names.n;
        memset(levels, 0, k * sizeof *levels);
        for (size_t i = 0; i < n; i++) {
            int32_t code = column->codes[data->table_rows[rows[i]]];
            if (code >= 0) levels[code]++;
        }
        for (size_t v = 0; v < k; v++)
            if (levels[v] > 0 && (isnan(out[0]) || levels[v] > levels[(size_t)out[0]]))
                out[0] = (double)v;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < n; i++) {
        double x = cairn_column_number(column, data->table_rows[rows[i]]);
        if (!isnan(x)) space[m++] = x;
    }
    CHECK(cairn_sort_numbers(ctx, space, m));
    out[0] = cairn_quantile(space, m, 0.5, CAIRN_QUANTILE_LINEAR);
    out[1] = cairn_quantile(space, m, 0.25, CAIRN_QUANTILE_LINEAR);
    out[2] = cairn_quantile(space, m, 0.75, CAIRN_QUANTILE_LINEAR);
    return CAIRN_OK;
}

/* Rows of a class among the nearest ones of row i (itself included); returns how many. */
static size_t friends_of(const relating *work, size_t i, int32_t class, uint32_t *out)
{
    const int32_t *classes = work->growth->data->classes;
    const uint32_t *nearest = work->nearest + i * work->n_nearest;
    size_t n = 0;
    if (classes[i] == class) out[n++] = (uint32_t)i;
    for (size_t j = 0; j < work->n_nearest && nearest[j] != UINT32_MAX; j++)
        if (classes[nearest[j]] == class) out[n++] = nearest[j];
    return n;
}

/* The row with most near rows of its class leads; the prototype is the median of these, so the
 * first row wins a tie. */
static cairn_status find_prototypes(cairn_context *ctx, const relating *work)
{
    const cairn_forest_growth *growth = work->growth;
    const cairn_view *view = growth->job->view;
    const cairn_forest_model *forest = growth->forest;
    cairn_forest_extras *extras = &growth->history->extras;
    size_t k = forest->n_classes, d = forest->n_columns, levels = 1;
    uint32_t *rows = NULL, *best = NULL;
    double *space = NULL, *counts = NULL;
    for (size_t c = 0; c < d; c++)
        if (view->features[c]->names.n > levels) levels = view->features[c]->names.n;
    CHECK(SCRATCH_RAW_EACH(ctx, work->n_nearest + 1, &rows, &best, &space));
    CHECK(SCRATCH_RAW(ctx, &counts, levels));
    CHECK(NEW(ctx, &extras->prototype_size, k));
    CHECK(NEW(ctx, &extras->prototypes, cairn_product(3 * k, d)));
    extras->n_prototypes = k;
    for (size_t l = 0; l < k; l++) {
        size_t most = 0;
        for (size_t i = 0; i < work->p->n; i++) {
            size_t n = friends_of(work, i, (int32_t)l, rows);
            if (n <= most) continue;
            most = n;
            memcpy(best, rows, n * sizeof *best);
        }
        extras->prototype_size[l] = (int32_t)most;
        for (size_t c = 0; c < d; c++)
            CHECK(middle_of(ctx, extras->prototypes + 3 * (l * d + c), view->features[c],
                            growth->data, best, most, space, counts));
    }
    return CAIRN_OK;
}

/* -- the matrix -- */

static cairn_status write_matrix(cairn_context *ctx, const relating *work, const char *path)
{
    size_t n = work->p->n;
    double *column = NULL;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(SCRATCH_RAW(ctx, &column, n));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < n; j++) {
        char name[32];
        (void)snprintf(name, sizeof name, "row%u", work->growth->data->table_rows[j] + 1);
        for (size_t i = 0; i < n; i++) column[i] = work->matrix[i * n + j];
        CHECK(cairn_table_put_numbers(ctx, table, name, column));
    }
    return cairn_table_write(ctx, table, path, NULL);
}

cairn_status cairn_forest_relate(cairn_context *ctx, const cairn_forest_growth *growth)
{
    SCOPED_SCRATCH(ctx);
    const cairn_forest_params *params = growth->params;
    size_t n = growth->data->n_rows;
    bool prototypes = params->prototypes > 0 && growth->data->n_classes;
    cairn_proximities p;
    relating work = {.growth = growth, .p = &p};
    if (!params->outliers && !prototypes && !params->proximity_file) return CAIRN_OK;
    CHECK(cairn_proximities_make(ctx, &p, growth->forest, growth->data));
    if (params->outliers) CHECK(SCRATCH(ctx, &work.squares, n));
    if (prototypes) {
        work.n_nearest = (size_t)params->prototypes < n ? (size_t)params->prototypes : n;
        CHECK(SCRATCH_RAW(ctx, &work.nearest, cairn_product(n, work.n_nearest)));
    }
    if (params->proximity_file) {
        CHECK(cairn_memory_check(ctx, 16 * (double)n * (double)n, "the matrix of proximities",
                                 "use fewer rows"));
        CHECK(SCRATCH(ctx, &work.matrix, cairn_product(n, n)));
    }
    CHECK(relate_rows(ctx, &work));
    if (params->outliers) CHECK(find_outliers(ctx, &work));
    if (prototypes) CHECK(find_prototypes(ctx, &work));
    if (params->proximity_file) CHECK(write_matrix(ctx, &work, params->proximity_file));
    return CAIRN_OK;
}
