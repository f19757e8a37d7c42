/* SPDX-License-Identifier: MIT */
/* Growing the trees of a forest side by side.
 *
 * Every tree has random numbers of its own, made from the seed and its number. It draws its rows;
 * a row that is drawn several times stands in the tree's data once, with a whole weight, so the
 * data of a tree is smaller than the table and its counts stay whole. The shared grower draws the
 * columns of every node. The grown tree is packed at once and its large form dropped, so memory
 * holds only as many large trees as there are threads. */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "stats/class_weights.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- drawing rows -- */

static void draw_with(uint32_t *counts, size_t n, size_t n_sample, cairn_random *random)
{
    for (size_t i = 0; i < n_sample; i++) counts[cairn_random_below(random, n)]++;
}

static cairn_status draw_without(cairn_context *ctx, uint32_t *counts, size_t n, size_t n_sample,
                                 cairn_random *random)
{
    uint32_t *order = NULL;
    CHECK(SCRATCH_RAW(ctx, &order, n));
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (size_t i = 0; i < n_sample; i++) {
        size_t at = i + (size_t)cairn_random_below(random, n - i);
        uint32_t row = order[at];
        order[at] = order[i];
        order[i] = row;
        counts[row] = 1;
    }
    return CAIRN_OK;
}

/* As many rows of every class as the rarest one has, or a share of that. */
static void draw_even(const cairn_forest_growth *growth, uint32_t *counts, cairn_random *random)
{
    const size_t *starts = growth->class_starts;
    size_t k = growth->data->n_classes, each = growth->data->n_rows;
    for (size_t l = 0; l < k; l++) {
        size_t n = starts[l + 1] - starts[l];
        if (n > 0 && n < each) each = n;
    }
    double share = (double)growth->n_sample / (double)growth->data->n_rows;
    each = (size_t)ceil(share * (double)each);
    for (size_t l = 0; l < k; l++) {
        size_t n = starts[l + 1] - starts[l];
        for (size_t i = 0; n > 0 && i < each; i++)
            counts[growth->by_class[starts[l] + cairn_random_below(random, n)]]++;
    }
}

static cairn_status draw_rows(cairn_context *ctx, const cairn_forest_growth *growth,
                              uint32_t *counts, cairn_random *random)
{
    size_t n = growth->data->n_rows;
    switch (growth->params->sample) {
    case CAIRN_FOREST_WITH: draw_with(counts, n, growth->n_sample, random); return CAIRN_OK;
    case CAIRN_FOREST_WITHOUT: return draw_without(ctx, counts, n, growth->n_sample, random);
    case CAIRN_FOREST_EVEN: draw_even(growth, counts, random); return CAIRN_OK;
    default:
        for (size_t i = 0; i < n; i++) counts[i] = 1;
        return CAIRN_OK;
    }
}

/* -- the data of a tree -- */

/* What balances the classes of the rows, by weight. */
static void balance(double *factors, const cairn_binned *data)
{
    double total = 0;
    memset(factors, 0, data->n_classes * sizeof *factors);
    for (size_t i = 0; i < data->n_rows; i++)
        factors[data->classes[i]] += cairn_binned_weight(data, i);
    for (size_t l = 0; l < data->n_classes; l++) total += factors[l];
    cairn_class_weights_balance(factors, data->n_classes, total);
}

static cairn_status weigh_classes(cairn_context *ctx, cairn_binned *data, const double *factors)
{
    double *weights = NULL, *own = NULL;
    if (!factors) {
        CHECK(SCRATCH_RAW(ctx, &own, data->n_classes));
        balance(own, data);
        factors = own;
    }
    CHECK(SCRATCH_RAW(ctx, &weights, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++)
        weights[i] = cairn_binned_weight(data, i) * factors[data->classes[i]];
    data->weights = weights;
    data->repeats = NULL;
    return CAIRN_OK;
}

/* The rows that were drawn, each once, with its count as weight. Scratch. */
static cairn_status take_rows(cairn_context *ctx, cairn_binned *out,
                              const cairn_forest_growth *growth, const uint32_t *counts)
{
    const cairn_binned *data = growth->data;
    uint32_t *rows = NULL;
    size_t n = 0;
    bool repeated = false;
    CHECK(SCRATCH_RAW(ctx, &rows, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) {
        rows[n] = (uint32_t)i;
        n += counts[i] > 0;
        repeated |= counts[i] > 1;
    }
    CHECK(cairn_binned_take(ctx, out, data, rows, n));
    if (repeated && !out->weights && !out->repeats) {
        CHECK(SCRATCH_RAW(ctx, &out->repeats, n));
        for (size_t i = 0; i < n; i++) out->repeats[i] = counts[rows[i]];
    } else if (repeated) {
        for (size_t i = 0; i < n && out->weights; i++) out->weights[i] *= counts[rows[i]];
        for (size_t i = 0; i < n && out->repeats; i++) out->repeats[i] *= counts[rows[i]];
    }
    if (cairn_forest_weighting_of(growth->params) && data->n_classes)
        CHECK(weigh_classes(ctx, out, growth->factors));
    return CAIRN_OK;
}

/* Columns of one tree only: all others are barred. */
static cairn_status draw_subspace(cairn_context *ctx, uint8_t **out, size_t n, size_t drawn,
                                  cairn_random *random)
{
    CHECK(SCRATCH_RAW(ctx, out, n));
    memset(*out, 1, n);
    /* One after the other: the i-th stays with probability (still wanted) / (still there). */
    for (size_t c = 0; c < n; c++)
        if (cairn_random_below(random, n - c) < drawn) {
            (*out)[c] = 0;
            drawn--;
        }
    return CAIRN_OK;
}

/* -- a tree -- */

/* All random numbers of a tree come from the seed and its number, so it does not matter which
 * worker grows it or when. */
static cairn_status grow_tree(cairn_context *ctx, const cairn_forest_growth *growth, size_t t,
                              cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    cairn_forest_model *forest = growth->forest;
    cairn_grow_options options = growth->options;
    SCOPED(cairn_tree_clear) cairn_tree_model tree = {0};
    cairn_binned data;
    cairn_random random;
    cairn_tree_steps shown;
    uint32_t *counts = NULL;
    uint8_t *barred = NULL;
    cairn_random_start(&random, growth->seed, t + 1);
    options.seed = cairn_random_bits(&random);
    CHECK(SCRATCH(ctx, &counts, growth->data->n_rows));
    CHECK(draw_rows(ctx, growth, counts, &random));
    if (growth->bags) {
        uint64_t *bag = growth->bags + t * growth->bag_words;
        for (size_t i = 0; i < growth->data->n_rows; i++)
            bag[i / 64] |= (uint64_t)(counts[i] > 0) << (i % 64);
    }
    CHECK(take_rows(ctx, &data, growth, counts));
    if (growth->params->subset == CAIRN_FOREST_PER_TREE) {
        CHECK(draw_subspace(ctx, &barred, forest->n_columns, forest->drawn, &random));
        options.barred = barred;
    } else {
        options.draw = forest->drawn;
    }
    if (steps) {
        cairn_forest_show_bag(steps, growth, counts, barred);
        CHECK(cairn_tree_steps_make(ctx, &shown, steps, growth->job->schema, &data, &options));
        options.watch = cairn_tree_steps_node;
        options.watch_data = &shown;
    }
    CHECK(cairn_tree_grow(ctx, &tree, &data, &options));
    if (steps) cairn_tree_steps_end(&shown, &tree);
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, growth->params->smoothing.smooth));
    return cairn_forest_pack(ctx, &forest->trees[t], &tree, smoothing,
                             growth->gains + t * forest->n_columns);
}

/* Trees whose growing is shown. */
enum { SHOWN_TREES = 3 };

static cairn_status grow_task(cairn_context *ctx, void *data, size_t t)
{
    const cairn_forest_growth *growth = data;
    if (growth->job->steps && t < SHOWN_TREES) return CAIRN_OK;
    CHECK(cairn_tick(ctx, "trees", (double)t, (double)growth->forest->n_trees));
    return grow_tree(ctx, growth, t, NULL);
}

/* The first trees with a report each, whose names begin with "tree1." ... */
static cairn_status grow_shown(cairn_context *ctx, const cairn_forest_growth *growth)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    for (size_t t = 0; t < SHOWN_TREES && t < growth->forest->n_trees; t++) {
        char prefix[32];
        CHECK(cairn_report_new(ctx, &part));
        cairn_report_step_begin(part, "Tree %zu", t + 1);
        CHECK(grow_tree(ctx, growth, t, part));
        cairn_report_step_end(part);
        (void)snprintf(prefix, sizeof prefix, "tree%zu", t + 1);
        cairn_report_append(growth->job->steps, part, prefix);
        cairn_report_free(part);
        part = NULL;
    }
    return CAIRN_OK;
}

/* -- all trees -- */

/* Rows ordered by class. */
static cairn_status order_by_class(cairn_context *ctx, cairn_forest_growth *growth)
{
    const cairn_binned *data = growth->data;
    size_t *next = NULL, k = data->n_classes;
    CHECK(SCRATCH_EACH(ctx, k + 1, &growth->class_starts, &next));
    CHECK(SCRATCH_RAW(ctx, &growth->by_class, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) growth->class_starts[data->classes[i] + 1]++;
    for (size_t l = 0; l < k; l++) {
        growth->class_starts[l + 1] += growth->class_starts[l];
        next[l] = growth->class_starts[l];
    }
    for (size_t i = 0; i < data->n_rows; i++)
        growth->by_class[next[data->classes[i]]++] = (uint32_t)i;
    return CAIRN_OK;
}

/* The weights of the classes that all trees share. */
static cairn_status find_factors(cairn_context *ctx, cairn_forest_growth *growth)
{
    const cairn_forest_params *p = growth->params;
    size_t k = growth->data->n_classes;
    cairn_forest_weighting weighting = cairn_forest_weighting_of(p);
    if (weighting == CAIRN_FOREST_BALANCED) {
        CHECK(SCRATCH(ctx, &growth->factors, k));
        balance(growth->factors, growth->data);
    }
    if (weighting != CAIRN_FOREST_GIVEN) return CAIRN_OK;
    return cairn_class_weights_given(ctx, &growth->factors, "{class-weight}", p->class_weights, k);
}

static cairn_status prepare(cairn_context *ctx, cairn_forest_growth *growth)
{
    cairn_forest_model *forest = growth->forest;
    const cairn_binned *data = growth->data;
    CHECK(NEW(ctx, &forest->trees, forest->n_trees));
    CHECK(SCRATCH(ctx, &growth->gains, cairn_product(forest->n_trees, forest->n_columns)));
    if (growth->params->sample == CAIRN_FOREST_EVEN) CHECK(order_by_class(ctx, growth));
    if (data->n_classes) CHECK(find_factors(ctx, growth));
    if (growth->params->sample != CAIRN_FOREST_ALL) {
        growth->bag_words = (data->n_rows + 63) / 64;
        CHECK(SCRATCH(ctx, &growth->bags, cairn_product(forest->n_trees, growth->bag_words)));
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_grow(cairn_context *ctx, cairn_forest_growth *growth)
{
    cairn_forest_model *forest = growth->forest;
    CHECK(prepare(ctx, growth));
    if (growth->job->steps) CHECK(grow_shown(ctx, growth));
    double cells = (double)growth->data->n_rows * (double)forest->n_columns;
    CHECK(cairn_tasks_sized(ctx, forest->n_trees, 20 * cells * (double)forest->n_trees, grow_task,
                            growth));
    if (growth->history) {
        /* Mean reduction of impurity per tree, added up in the order of trees. */
        CHECK(NEW(ctx, &growth->history->impurity, forest->n_columns));
        for (size_t t = 0; t < forest->n_trees; t++)
            for (size_t c = 0; c < forest->n_columns; c++)
                growth->history->impurity[c] +=
                    growth->gains[t * forest->n_columns + c] / (double)forest->n_trees;
    }
    return cairn_forest_rank(ctx, forest);
}
