/* SPDX-License-Identifier: MIT */
/* Out of bag: every row is judged by the trees that have not seen it.
 *
 * Trees are asked in order, block of rows by block, and whenever a tree changes what a row's trees
 * say together, the change of the error is noted with the tree: added up, that is the error of the
 * first 1, 2, ... trees. Nothing has to be set aside for it.
 *
 * The importance of a column by permutation: per tree, the cells of the column are exchanged among
 * the rows that the tree has not seen, and the rise of its error on them is averaged over the
 * trees. A tree that does not ask for the column gives 0. */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "stats/intervals.h"
#include <math.h>
#include <string.h>

/* Working memory of one worker. */
typedef struct judge_space {
    cairn_forest_rows block;
    uint32_t *rows, *other, *leaves; /* block */
    double *sums;                    /* block x stats */
    double *asked;                   /* block: trees so far */
    double *errors;                  /* block: of what is said so far */
    int32_t *best;                   /* block */
    cairn_forest_space walk;
} judge_space;

typedef struct judging {
    const cairn_forest_growth *growth;
    uint32_t **maps;
    judge_space *spaces;
    size_t stats;
    double *changes; /* blocks x trees x 2: of the error, and the weight of rows judged first */
    double *votes, *asked;
    int32_t *said;   /* n_rows: answer, -1 = none; classes */
    double *squares; /* n_rows: squared error, NaN = none; numbers */
} judging;

/* Each worker has its own room for a block of rows, taken before the work starts. */
static cairn_status make_spaces(cairn_context *ctx, judging *work, size_t block)
{
    const cairn_forest_model *forest = work->growth->forest;
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &work->spaces, workers));
    for (size_t w = 0; w < workers; w++) {
        judge_space *space = &work->spaces[w];
        CHECK(cairn_forest_rows_make(ctx, &space->block, forest, block));
        CHECK(SCRATCH_RAW_EACH(ctx, block, &space->rows, &space->other, &space->leaves));
        CHECK(SCRATCH_RAW(ctx, &space->sums, block * work->stats));
        CHECK(SCRATCH_RAW_EACH(ctx, block, &space->asked, &space->errors, &space->best));
        CHECK(cairn_forest_space_make(ctx, &space->walk, forest));
    }
    return CAIRN_OK;
}

/* The class with the largest sum, the first of equal ones. */
static int32_t largest(const double *sums, size_t k)
{
    int32_t best = 0;
    for (size_t l = 1; l < k; l++)
        if (sums[l] > sums[best]) best = (int32_t)l;
    return best;
}

static int32_t better(const double *sums, int32_t best, int32_t class)
{
    if (best < 0 || sums[class] > sums[best]) return class;
    return sums[class] == sums[best] && class < best ? class : best;
}

/* The same when it was `best` (-1 = nothing was heard) and only the classes of `leaf` have grown
 * since. */
static int32_t best_class(const double *sums, size_t k, const cairn_forest_tree *tree, int32_t best,
                          uint32_t leaf)
{
    size_t value = leaf & ~CAIRN_FOREST_LEAF;
    if (leaf == CAIRN_FOREST_NONE) return largest(sums, k);
    if (value < k) return better(sums, best, (int32_t)value);
    size_t end = tree->mixed_starts[value - k + 1];
    for (size_t j = tree->mixed_starts[value - k]; j < end; j++)
        best = better(sums, best, tree->mixed_classes[j]);
    return best;
}

/* Put what one more tree says to what a row has heard; returns its error now. */
static double hear(const judging *work, judge_space *space, const cairn_forest_tree *tree,
                   size_t first, uint32_t i, uint32_t leaf)
{
    size_t row = first + space->block.order[i];
    const cairn_forest_model *forest = work->growth->forest;
    const cairn_binned *data = work->growth->data;
    double *sums = space->sums + i * work->stats;
    cairn_forest_add(sums, forest, tree, leaf, space->block.sorted + i * forest->n_columns,
                     &space->walk);
    space->asked[i]++;
    if (forest->n_classes) {
        space->best[i] = best_class(sums, forest->n_classes, tree, space->best[i], leaf);
        return space->best[i] != data->classes[row];
    }
    double away = sums[0] / space->asked[i] - data->numbers[row];
    return away * away;
}

/* A block goes through all trees before the next, so that only the sums of its own rows are in
 * memory. */
static void judge_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const judging *work = data;
    const cairn_forest_model *forest = work->growth->forest;
    judge_space *space = &work->spaces[worker];
    size_t n = end - begin, k = work->stats;
    double *changes = work->changes + block * forest->n_trees * 2;
    cairn_forest_code_data(space->block.codes, forest, work->growth->data, work->maps, begin, n,
                           space->rows, space->other);
    bool complete = cairn_forest_complete(space->block.codes, n * forest->n_columns);
    cairn_forest_arrange(&space->block, forest, n);
    memset(space->sums, 0, n * k * sizeof *space->sums);
    for (size_t i = 0; i < n; i++) {
        space->asked[i] = space->errors[i] = 0;
        space->best[i] = -1;
    }
    for (size_t t = 0; t < forest->n_trees; t++) {
        /* Only rows outside the tree's bag are sent down it; the change of error and the rows
         * heard for the first time are noted for the curve. */
        const cairn_forest_growth *growth = work->growth;
        const cairn_forest_tree *tree = &growth->forest->trees[t];
        size_t unseen = 0;
        for (size_t i = 0; i < n; i++) {
            space->rows[unseen] = (uint32_t)i;
            unseen += !cairn_forest_in_bag(growth, t, begin + space->block.order[i]);
        }
        cairn_forest_leaves(space->leaves, growth->forest, tree, space->block.sorted, space->rows,
                            unseen, complete);
        for (size_t j = 0; j < unseen; j++) {
            uint32_t i = space->rows[j];
            double weight = cairn_binned_weight(growth->data, begin + space->block.order[i]);
            double before = space->errors[i];
            space->errors[i] = hear(work, space, tree, begin, i, space->leaves[j]);
            changes[2 * t] += weight * (space->errors[i] - before);
            if (space->asked[i] == 1) changes[2 * t + 1] += weight;
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t row = begin + space->block.order[i];
        if (work->said) work->said[row] = space->best[i];
        if (work->squares) work->squares[row] = space->asked[i] > 0 ? space->errors[i] : NAN;
        if (work->votes)
            memcpy(work->votes + row * k, space->sums + i * k, k * sizeof *space->sums);
        if (work->asked) work->asked[row] = space->asked[i];
    }
}

/* The curve from the changes of all blocks. */
static cairn_status join_curve(cairn_context *ctx, const judging *work, size_t n_blocks)
{
    cairn_forest_model *forest = work->growth->forest;
    cairn_forest_oob *oob = &work->growth->history->oob;
    double wrong = 0, weight = 0;
    CHECK(NEW(ctx, &oob->curve, forest->n_trees));
    for (size_t t = 0; t < forest->n_trees; t++) {
        for (size_t b = 0; b < n_blocks; b++) {
            wrong += work->changes[(b * forest->n_trees + t) * 2];
            weight += work->changes[(b * forest->n_trees + t) * 2 + 1];
        }
        oob->curve[t] = weight > 0 ? fmax(wrong, 0) / weight : NAN;
    }
    oob->weight = weight;
    oob->error = oob->curve[forest->n_trees - 1];
    oob->known = weight > 0;
    return CAIRN_OK;
}

/* Counts of classes and answers, and the interval of their error. */
static cairn_status judge_classes(cairn_context *ctx, const judging *work)
{
    cairn_forest_model *forest = work->growth->forest;
    const cairn_binned *data = work->growth->data;
    cairn_forest_oob *oob = &work->growth->history->oob;
    size_t k = forest->n_classes;
    double wrong = 0;
    if (k <= CAIRN_FOREST_MATRIX) CHECK(NEW(ctx, &oob->matrix, cairn_product(k, k)));
    for (size_t i = 0; i < data->n_rows; i++) {
        double weight = cairn_binned_weight(data, i);
        if (work->said[i] < 0) continue;
        if (oob->matrix)
            oob->matrix[(size_t)data->classes[i] * k + (size_t)work->said[i]] += weight;
        if (work->said[i] != data->classes[i]) wrong += weight;
    }
    cairn_interval interval = cairn_wilson_interval(wrong, oob->weight, 0.95);
    oob->low = interval.low;
    oob->high = interval.high;
    return CAIRN_OK;
}

/* The interval of a mean squared error by the spread of the squares, and R². */
static void judge_numbers(const judging *work)
{
    const cairn_binned *data = work->growth->data;
    cairn_forest_oob *oob = &work->growth->history->oob;
    double sum = 0, mean = 0, weight = 0, spread = 0, total = 0, n = 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double w = cairn_binned_weight(data, i);
        if (isnan(work->squares[i])) continue;
        sum += w * work->squares[i];
        weight += w;
        mean += w * data->numbers[i];
        n++;
    }
    oob->error = sum / weight;
    mean /= weight;
    for (size_t i = 0; i < data->n_rows; i++) {
        double w = cairn_binned_weight(data, i), away = work->squares[i] - oob->error;
        if (isnan(work->squares[i])) continue;
        spread += w * away * away / weight;
        total += w * (data->numbers[i] - mean) * (data->numbers[i] - mean);
    }
    double half = n > 1 ? 1.959963984540054 * sqrt(spread / (n - 1)) : NAN;
    oob->low = fmax(0, oob->error - half);
    oob->high = oob->error + half;
    oob->r2 = total > 0 ? 1 - sum / total : NAN;
}

cairn_status cairn_forest_judge(cairn_context *ctx, const cairn_forest_growth *growth,
                                double *votes, double *asked)
{
    SCOPED_SCRATCH(ctx);
    const cairn_forest_model *forest = growth->forest;
    size_t n = growth->data->n_rows, block = cairn_forest_block_rows(forest, n, CAIRN_FOREST_PARTS);
    size_t n_blocks = cairn_block_count(n, block);
    judging work = {.growth = growth,
                    .votes = votes,
                    .asked = asked,
                    .stats = forest->n_classes ? forest->n_classes : 1};
    CHECK(make_spaces(ctx, &work, block));
    CHECK(cairn_forest_code_maps(ctx, &work.maps, forest, growth->data));
    CHECK(SCRATCH(ctx, &work.changes, cairn_product(2 * n_blocks, forest->n_trees)));
    if (forest->n_classes)
        CHECK(SCRATCH(ctx, &work.said, n));
    else
        CHECK(SCRATCH(ctx, &work.squares, n));
    CHECK(cairn_blocks_sized(ctx, n, block, 50 * (double)n * (double)forest->n_trees, judge_block,
                             &work));
    CHECK(join_curve(ctx, &work, n_blocks));
    if (!growth->history->oob.known) return CAIRN_OK;
    if (forest->n_classes)
        CHECK(judge_classes(ctx, &work));
    else
        judge_numbers(&work);
    return CAIRN_OK;
}

/* -- answers as a table -- */

/* Row numbers, targets, trees and answers. */
static cairn_status add_answers(cairn_context *ctx, cairn_table *table,
                                const cairn_forest_growth *growth, const double *votes,
                                const double *asked, double *column)
{
    const cairn_binned *data = growth->data;
    size_t n = data->n_rows, k = data->n_classes;
    const cairn_field *target = cairn_schema_target(growth->job->schema);
    const char **names = NULL;
    int32_t *codes = NULL;
    CHECK(SCRATCH(ctx, &names, k + 1));
    CHECK(SCRATCH(ctx, &codes, n));
    for (size_t l = 0; l < k; l++) names[l] = cairn_map_key(&target->names, l);
    for (size_t i = 0; i < n; i++) column[i] = data->table_rows[i] + 1.0;
    CHECK(cairn_table_put_numbers(ctx, table, "row", column));
    if (k)
        CHECK(cairn_table_add_levels(ctx, table, "true", data->classes, names, k));
    else
        CHECK(cairn_table_put_numbers(ctx, table, "true", data->numbers));
    for (size_t i = 0; i < n; i++) {
        codes[i] = asked[i] > 0 && k ? largest(votes + i * k, k) : -1;
        column[i] = asked[i] > 0 ? votes[i] / asked[i] : NAN;
    }
    if (k)
        CHECK(cairn_table_add_levels(ctx, table, "answer", codes, names, k));
    else
        CHECK(cairn_table_put_numbers(ctx, table, "answer", column));
    return cairn_table_put_numbers(ctx, table, "trees", asked);
}

cairn_status cairn_forest_write_oob(cairn_context *ctx, const cairn_forest_growth *growth,
                                    const double *votes, const double *asked, const char *path)
{
    size_t n = growth->data->n_rows, k = growth->data->n_classes;
    const cairn_field *target = cairn_schema_target(growth->job->schema);
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column = NULL;
    CHECK(SCRATCH(ctx, &column, n));
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(add_answers(ctx, table, growth, votes, asked, column));
    for (size_t l = 0; l < k; l++) {
        for (size_t i = 0; i < n; i++) column[i] = asked[i] > 0 ? votes[i * k + l] / asked[i] : NAN;
        name.length = 0;
        cairn_text_addf(&name, "share_%s", cairn_map_key(&target->names, l));
        CHECK(cairn_text_status(&name));
        CHECK(cairn_table_put_numbers(ctx, table, name.bytes, column));
    }
    return cairn_table_write(ctx, table, path, NULL);
}

/* -- permutation -- */

typedef struct permuting {
    const cairn_forest_growth *growth;
    uint32_t **maps;
    double *rises; /* n_trees x n_columns */
} permuting;

/* The rows that one tree has not seen. */
typedef struct unseen_rows {
    size_t n;
    uint32_t *rows;  /* of the data */
    uint32_t *codes; /* n x n_columns */
    uint32_t *order; /* 0 .. n-1 */
    uint32_t *leaves;
    uint32_t *kept; /* codes of one column */
    cairn_forest_space walk;
    double *sums;
    bool complete;
} unseen_rows;

/* Importance is measured where the tree was not fitted: its rows out of bag, copied so that a
 * column can be shuffled. */
static cairn_status take_unseen(cairn_context *ctx, unseen_rows *out, const permuting *work,
                                size_t t)
{
    const cairn_forest_growth *growth = work->growth;
    const cairn_forest_model *forest = growth->forest;
    CHECK(SCRATCH_RAW(ctx, &out->rows, growth->data->n_rows));
    for (size_t i = 0; i < growth->data->n_rows; i++) {
        out->rows[out->n] = (uint32_t)i;
        out->n += !cairn_forest_in_bag(growth, t, i);
    }
    CHECK(SCRATCH_RAW(ctx, &out->codes, cairn_product(out->n, forest->n_columns)));
    CHECK(SCRATCH_RAW_EACH(ctx, out->n, &out->order, &out->leaves, &out->kept));
    CHECK(SCRATCH_RAW(ctx, &out->sums, forest->n_classes + 1));
    CHECK(cairn_forest_space_make(ctx, &out->walk, forest));
    for (size_t i = 0; i < out->n; i++) out->order[i] = (uint32_t)i;
    for (size_t c = 0; c < forest->n_columns; c++) {
        cairn_binned_gather(growth->data, c, out->rows, out->n, out->kept);
        for (size_t i = 0; i < out->n; i++)
            out->codes[i * forest->n_columns + c] = work->maps[c][out->kept[i]];
    }
    out->complete = cairn_forest_complete(out->codes, out->n * forest->n_columns);
    return CAIRN_OK;
}

/* Error of one tree on the rows as their codes are now, times their weight. */
static double tree_error(const permuting *work, unseen_rows *unseen, size_t t)
{
    const cairn_forest_model *forest = work->growth->forest;
    const cairn_binned *data = work->growth->data;
    const cairn_forest_tree *tree = &forest->trees[t];
    size_t stats = forest->n_classes ? forest->n_classes : 1;
    double error = 0;
    cairn_forest_leaves(unseen->leaves, forest, tree, unseen->codes, unseen->order, unseen->n,
                        unseen->complete);
    for (size_t i = 0; i < unseen->n; i++) {
        double weight = cairn_binned_weight(data, unseen->rows[i]), *sums = unseen->sums;
        memset(sums, 0, stats * sizeof *sums);
        cairn_forest_add(sums, forest, tree, unseen->leaves[i],
                         unseen->codes + i * forest->n_columns, &unseen->walk);
        if (forest->n_classes) {
            int32_t said = largest(sums, stats);
            error += weight * (said != data->classes[unseen->rows[i]]);
        } else {
            double away = sums[0] - data->numbers[unseen->rows[i]];
            error += weight * away * away;
        }
    }
    return error;
}

/* A column that the tree never asks cannot change its error and is left out; the stream differs
 * from that of growing by its number. */
static cairn_status permute_tree(cairn_context *ctx, void *data, size_t t)
{
    const permuting *work = data;
    const cairn_forest_model *forest = work->growth->forest;
    size_t d = forest->n_columns;
    unseen_rows unseen = {0};
    uint8_t *used = NULL;
    double weight = 0;
    cairn_random random;
    CHECK(take_unseen(ctx, &unseen, work, t));
    CHECK(SCRATCH(ctx, &used, d));
    const cairn_forest_tree *tree = &forest->trees[t];
    for (size_t i = 0; i < tree->n_nodes; i++)
        used[cairn_forest_node_at(tree, i).test & CAIRN_FOREST_COLUMN] = 1;
    for (size_t i = 0; i < unseen.n; i++)
        weight += cairn_binned_weight(work->growth->data, unseen.rows[i]);
    double before = tree_error(work, &unseen, t);
    cairn_random_start(&random, work->growth->seed, ~(uint64_t)t);
    for (size_t c = 0; c < d && unseen.n > 0; c++) {
        if (!used[c]) continue;
        for (size_t i = 0; i < unseen.n; i++) unseen.kept[i] = unseen.codes[i * d + c];
        for (size_t i = unseen.n; i > 1; i--) {
            size_t j = (size_t)cairn_random_below(&random, i);
            uint32_t code = unseen.codes[(i - 1) * d + c];
            unseen.codes[(i - 1) * d + c] = unseen.codes[j * d + c];
            unseen.codes[j * d + c] = code;
        }
        work->rises[t * d + c] = (tree_error(work, &unseen, t) - before) / weight;
        for (size_t i = 0; i < unseen.n; i++) unseen.codes[i * d + c] = unseen.kept[i];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_permute(cairn_context *ctx, const cairn_forest_growth *growth)
{
    SCOPED_SCRATCH(ctx);
    const cairn_forest_model *forest = growth->forest;
    cairn_forest_history *history = growth->history;
    size_t d = forest->n_columns, n = forest->n_trees;
    permuting work = {.growth = growth};
    CHECK(cairn_forest_code_maps(ctx, &work.maps, forest, growth->data));
    CHECK(SCRATCH(ctx, &work.rises, cairn_product(n, d)));
    CHECK(cairn_tasks(ctx, n, permute_tree, &work));
    CHECK(NEW_EACH(ctx, d, &history->permutation, &history->permutation_se));
    for (size_t c = 0; c < d; c++) {
        double mean = 0, squares = 0;
        for (size_t t = 0; t < n; t++) mean += work.rises[t * d + c] / (double)n;
        for (size_t t = 0; t < n; t++) {
            double away = work.rises[t * d + c] - mean;
            squares += away * away;
        }
        history->permutation[c] = mean;
        history->permutation_se[c] = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
    }
    return CAIRN_OK;
}
