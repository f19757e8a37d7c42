/* SPDX-License-Identifier: MIT */
/* Clustering tree: the features ask the questions, and the parts should agree in something else.
 *
 * What is clustered are the target columns (--target a,b: numbers and levels), or all features when
 * there is no target, or rows of which only dissimilarities are known (--matrix). How far rows
 * disagree is the sum of the variances of the clustered columns, or the mean dissimilarity of their
 * pairs (tree_targets.h); the tree is grown as any other (tree_grow.c), the split that lowers the
 * disagreement most being made. A leaf is a cluster, described by its path; it answers the mean
 * row, or the row that is closest to all others (the medoid).
 *
 * A split without gain is not made, so a tree may end although its rows disagree.
 *
 * Cost: as a tree for a number, times the clustered columns; with a matrix, and for few rows with
 * very many clustered columns and no missing cells, O(rows^2) per column and level of the tree. */
#include "data/shape.h"
#include "learners/tree/targets/tree_targets.h"
#include "learners/tree/tree_lower.h"
#include "learners/tree/tree.h"
#include "stats/smoothing.h"
#include <math.h>
#include <string.h>

enum { LEAF_MEAN, LEAF_MEDOID };

typedef struct clustering_params {
    cairn_tree_settings grow;
    double min_drop;
    int target_scale, leaf;
    const char *target_category, *matrix;
} clustering_params;

static const cairn_choice leaf_choices[] = {
    {"mean", LEAF_MEAN, "the mean of its rows; the largest share of levels"},
    {"medoid", LEAF_MEDOID, "the row that is closest to the others"},
    {NULL, 0, NULL},
};

static const cairn_choice cut_choices[] = {
    {"mid", CAIRN_TREE_MID, "x ≤ midpoint of two neighbours"},
    {"lt", CAIRN_TREE_LT, "x < an observed value"},
    {"le", CAIRN_TREE_LE, "x ≤ an observed value"},
    {NULL, 0, NULL},
};

static const cairn_choice missing_choices[] = {
    {"weights", CAIRN_TREE_WEIGHTS, "down all branches, with their shares as weights"},
    {"branch", CAIRN_TREE_BRANCH, "a branch of their own"},
    {"mode", CAIRN_TREE_MODE, "the most frequent branch at the node"},
    {NULL, 0, NULL},
};

static const cairn_param grow_group[] = {
    CAIRN_PARAM_CHOICE(cairn_tree_settings, split, "multiway", cairn_tree_splits,
                       "how a column of levels divides"),
    CAIRN_PARAM_CHOICE(cairn_tree_settings, cut, "mid", cut_choices,
                       "form of the test of a number"),
    CAIRN_PARAM_CHOICE(cairn_tree_settings, branches, "present", cairn_tree_branches,
                       "levels that get a branch"),
    CAIRN_PARAM_CHOICE(cairn_tree_settings, missing_in_model, "weights", missing_choices,
                       "where rows go whose cell is missing"),
    CAIRN_PARAM_CHOICE(cairn_tree_settings, tie, "first", cairn_tree_ties,
                       "which of equally good columns is taken"),
    CAIRN_PARAM(cairn_tree_settings, max_depth, "0", "[0,inf)",
                "greatest depth, the root being 0; 0 = no limit", .often = true),
    CAIRN_PARAM(cairn_tree_settings, max_leaves, "0", "[0,inf)",
                "most clusters, the best splits being made first; 0 = no limit"),
    CAIRN_PARAM(cairn_tree_settings, min_rows, "0", "[0,inf)",
                "a node with less weight is not split"),
    CAIRN_PARAM(cairn_tree_settings, min_leaf, "0", "[0,inf)", "least weight of a cluster",
                .often = true),
    CAIRN_PARAM(cairn_tree_settings, min_gain, "0", "[0,inf)",
                "a split that lowers the disagreement by less is not made"),
    CAIRN_PARAM_END,
};

static const cairn_param clustering_table[] = {
    CAIRN_PARAM_GROUP(clustering_params, grow, grow_group),
    CAIRN_PARAM(clustering_params, min_drop, "0", "[0,inf)",
                "a split that lowers disagreement times rows by less is not made"),
    CAIRN_PARAM_CHOICE(clustering_params, target_scale, "none", cairn_target_scales,
                       "how the clustered columns are made comparable", .often = true),
    CAIRN_PARAM(clustering_params, target_category, NULL, NULL,
                "only this level of the clustered columns counts"),
    CAIRN_PARAM_CHOICE(clustering_params, leaf, "mean", leaf_choices, "what a cluster answers",
                       .often = true),
    CAIRN_PARAM_AS(clustering_params, matrix, CAIRN_TYPE_FILE, NULL,
                   "a table of dissimilarities between the rows, in their order, which takes the "
                   "place of clustered columns"),
    CAIRN_PARAM_END,
};

/* -- fit -- */

/* The matrix belongs to the rows of the table as they stand there. */
static cairn_status read_matrix(cairn_context *ctx, cairn_square_matrix *out,
                                const cairn_view *view, const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_read(ctx, &table, path, NULL));
    CHECK(cairn_matrix_of_table(ctx, out, table, CAIRN_SHAPE_DISTANCES));
    if (out->n != view->table->n_rows)
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "%s has %zu rows and the table %zu; they describe the same rows in the same "
                       "order",
                       path, out->n, view->table->n_rows));
    for (size_t c = 0; c < view->n_features; c++)
        if (view->features[c]->n_missing)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "column '%s' has missing cells, which {matrix} does not go with; fill "
                             "them ({with impute}) or leave the column out",
                             view->names[c]));
    /* names outlive the table that they come from */
    for (size_t i = 0; i < out->n; i++) {
        char *copy = NULL;
        size_t length = strlen(out->names[i]);
        CHECK(SCRATCH(ctx, &copy, length + 1));
        memcpy(copy, out->names[i], length);
        out->names[i] = copy;
    }
    return CAIRN_OK;
}

/* How far a row is from all rows of its leaf. */
static double to_rows(const cairn_square_matrix *matrix, const cairn_view *view,
                      const double *leaves, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < view->rows.n; j++)
        if (leaves[j] == leaves[i])
            sum += cairn_view_weight(view, j) *
                   matrix->values[cairn_view_row(view, i) * matrix->n + cairn_view_row(view, j)];
    return sum;
}

/* Squared distance of a row from the mean of its leaf, in the units that count; the sum over the
 * rows of the leaf is least for the row nearest to their mean. */
static double to_mean(const cairn_tree_model *tree, const cairn_tree_targets *targets, size_t leaf,
                      size_t row)
{
    const double *means = cairn_tree_means(tree, leaf);
    double sum = 0;
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        if (cairn_column_is_missing(target->column, row)) return INFINITY;
        for (size_t l = 0; l < target->n; l++) {
            double value = target->is_level ? target->column->codes[row] == (int32_t)l
                                            : target->column->numbers[row];
            double away = value - means[target->first + l];
            sum += target->scale[l] * away * away;
        }
    }
    return sum;
}

/* The row that stands for each leaf; the first one among equals. A leaf in which every row lacks
 * something that counts keeps its mean. */
static cairn_status find_medoids(cairn_context *ctx, cairn_tree_model *tree,
                                 const cairn_tree_targets *targets,
                                 const cairn_square_matrix *matrix, const cairn_view *view)
{
    double *leaves = NULL, *least = NULL;
    size_t *best = NULL, index;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    /* The leaf of every row that was learned from, in order of the view. */
    cairn_prediction none = {.n_rows = view->rows.n};
    CHECK(SCRATCH(ctx, &leaves, view->rows.n));
    CHECK(cairn_tree_predict_rows(ctx, &none, tree, view, (cairn_tree_reading){.leaves = leaves}));
    CHECK(SCRATCH_EACH(ctx, tree->n_nodes, &least, &best));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t leaf = (size_t)leaves[i] - 1, row = cairn_view_row(view, i);
        if (!(cairn_view_weight(view, i) > 0)) continue;
        if ((i & 255) == 0) CHECK(cairn_tick(ctx, "medoids", (double)i, (double)view->rows.n));
        double away =
            matrix->values ? to_rows(matrix, view, leaves, i) : to_mean(tree, targets, leaf, row);
        bool better = best[leaf] ? away < least[leaf] - CAIRN_TREE_TIE : isfinite(away);
        if (!better) continue;
        least[leaf] = away;
        best[leaf] = row + 1;
    }
    CHECK(NEW(ctx, &tree->example, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        tree->example[i] = -1;
        if (tree->nodes[i].column >= 0 || !best[i]) continue;
        name.length = 0;
        if (matrix->names)
            cairn_text_add(&name, matrix->names[best[i] - 1]);
        else
            cairn_text_addf(&name, "row %zu", best[i]);
        CHECK(cairn_text_status(&name));
        CHECK(cairn_map_add(ctx, &tree->examples, cairn_text_string(&name), name.length, &index));
        tree->example[i] = (int32_t)index;
        if (tree->n_means) {
            /* The answer of a leaf becomes that of one of its rows. */
            size_t row = best[i] - 1;
            double *means = cairn_tree_means(tree, i);
            for (size_t t = 0; t < targets->n_targets; t++) {
                const cairn_tree_target *target = &targets->list[t];
                for (size_t l = 0; l < target->n; l++)
                    means[target->first + l] = target->is_level
                                                   ? target->column->codes[row] == (int32_t)l
                                                   : target->column->numbers[row];
            }
        }
    }
    return CAIRN_OK;
}

/* Grows on distances where a matrix is given, else on the sums of the clustered columns; rows of
 * a matrix have no mean, so their leaves always answer with a medoid. */
static cairn_status clustering_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const clustering_params *p = job->params;
    cairn_tree_model *tree = model;
    cairn_tree_targets targets = {.kind = (cairn_target_scale)p->target_scale,
                                  .impurity = CAIRN_GINI,
                                  .category = p->target_category,
                                  .answer = -1};
    cairn_square_matrix matrix = {0};
    cairn_grow_options options = cairn_tree_options(&p->grow, cairn_context_seed(ctx));
    options.purity = 1;
    options.min_drop = p->min_drop;
    if (p->matrix && options.subsets)
        CHECK(
            cairn_fail(ctx, CAIRN_USAGE,
                       "{split subset} needs columns that are clustered; with {matrix} use binary "
                       "or multiway"));
    if (p->matrix) {
        CHECK(read_matrix(ctx, &matrix, job->view, p->matrix));
        targets.criterion = &cairn_criterion_distances;
        targets.n_stats = targets.step = 1;
        targets.matrix = matrix.values;
        targets.matrix_n = matrix.n;
    } else {
        CHECK(cairn_tree_targets_make(ctx, &targets, job->view, job->schema));
    }
    options.strict = true;
    CHECK(cairn_tree_targets_grow(ctx, tree, job->history, &targets, job->view, job->schema,
                                  options, 0, job->steps));
    if (p->leaf == LEAF_MEDOID || p->matrix)
        CHECK(find_medoids(ctx, tree, &targets, &matrix, job->view));
    return CAIRN_OK;
}

/* -- predict -- */

static cairn_status add_medoids(cairn_context *ctx, cairn_table *out, const cairn_tree_model *tree,
                                const double *leaves)
{
    const char **names = NULL;
    int32_t *codes = NULL;
    CHECK(SCRATCH(ctx, &names, tree->examples.n + 1));
    CHECK(SCRATCH(ctx, &codes, out->n_rows));
    for (size_t i = 0; i < tree->examples.n; i++) names[i] = cairn_map_key(&tree->examples, i);
    for (size_t i = 0; i < out->n_rows; i++) codes[i] = tree->example[(size_t)leaves[i] - 1];
    return cairn_table_add_levels(ctx, out, "medoid", codes, names, tree->examples.n);
}

/* A cluster is the number of a leaf, not of a node, so that codes run without gaps whatever the
 * shape of the tree. */
static cairn_status clustering_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                       const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_tree_reading reading = {0};
    int32_t *numbers = NULL;
    CHECK(SCRATCH(ctx, &reading.leaves, out->n_rows));
    if (out->extra && tree->n_means)
        CHECK(SCRATCH(ctx, &reading.vectors, cairn_product(out->n_rows, tree->n_means)));
    CHECK(cairn_tree_predict_rows(ctx, out, tree, job->view, reading));
    /* Number of each leaf among the leaves, from 0. */
    int32_t next = 0;
    CHECK(SCRATCH(ctx, &numbers, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++)
        (numbers)[i] = tree->nodes[i].column < 0 ? next++ : -1;
    for (size_t i = 0; i < out->n_rows; i++) out->codes[i] = numbers[(size_t)reading.leaves[i] - 1];
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    if (reading.vectors)
        CHECK(
            cairn_tree_targets_outputs(ctx, out->extra, reading.vectors, job->schema, NULL, false));
    if (tree->example) CHECK(add_medoids(ctx, out->extra, tree, reading.leaves));
    return cairn_tree_add_outputs(ctx, out->extra, tree, reading.leaves, job->schema);
}

/* -- the rest -- */

static void clustering_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_tree_describe(out, model, job->history, job->schema, job->positive);
    const cairn_tree_model *tree = model;
    double root = tree->nodes[0].error, rest = 0, weight = tree->nodes[0].weight;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].column < 0) rest += tree->nodes[i].error;
    cairn_report_value(out, "disagreement of all rows", root / weight, "tree.before");
    cairn_report_value(out, "mean disagreement in the clusters", rest / weight, "tree.after");
    cairn_report_value(out, "share that the tree explains", root > 0 ? 1 - rest / root : NAN,
                       "tree.explained");
    cairn_tree_targets_show_leaves(out, model, job->schema);
}

static cairn_status clustering_check(cairn_archive *archive, const void *model,
                                     const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    CHECK(cairn_tree_check_columns(archive, tree, job));
    if (tree->n_classes)
        CHECK(cairn_archive_damaged(archive, "the tree has classes, but nothing is classified"));
    return cairn_tree_targets_check(archive, tree, job->schema);
}

static void clustering_clear(void *model)
{
    cairn_tree_clear(model);
}

static cairn_model_size clustering_size(const void *model)
{
    const cairn_tree_model *tree = model;
    double leaves = (double)cairn_tree_leaves(tree);
    return (cairn_model_size){2 * ((double)tree->n_nodes - leaves) + leaves * (double)tree->n_means,
                              true};
}

static double count_clusters(const void *model)
{
    return (double)cairn_tree_leaves(model);
}

static const cairn_output clustering_outputs[] = {
    {"answer", "every clustered column: the mean of the cluster, or the most frequent level"},
    {"medoid", "the row that stands for the cluster"},
    {"leaf", "number of the leaf that the row reaches, counted depth first from the root as 1"},
    {"path", "the conditions on the way to that leaf"},
    {NULL, NULL},
};

const cairn_learner cairn_clustering_tree = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "clustering-tree",
              .also = "predictive clustering tree, conceptual clustering, divisive clustering",
              .title = "Tree whose leaves are clusters",
              .summary =
                  "Splits rows by the features so that the parts agree in something else: in all "
                  "target columns at once (--target a,b; numbers by their variances, levels by "
                  "their Gini index, added up), in all columns when there is no target, or by a "
                  "matrix of dissimilarities (--matrix FILE). Every cluster is described by its "
                  "path and by its mean row or its medoid, and new rows are put into the clusters "
                  "by their features alone. Every feature is tried against every clustered column: "
                  "more than 3e10 rows times features times clustered columns are refused, unless "
                  "there are at most 4096 rows without missing cells, which are compared pair by "
                  "pair.",
              .references = "Blockeel, De Raedt, Ramon: Top-down induction of clustering trees, "
                            "ICML 1998",
              .example = "cairn fit clustering-tree @iris --target petal_length,petal_width "
                         "--max-depth 2 --min-leaf 10",
              .params = clustering_table,
              .params_size = sizeof(clustering_params)},
    .tasks = CAIRN_CLUSTER,
    .space = "max-depth=2,3,4,0\n"
             "min-leaf=20,5,0",
    .aims = "disagreement of the rows of a leaf",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_TARGETS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING,
    .model_size = sizeof(cairn_tree_model),
    .tables = cairn_tree_tables,
    .outputs = clustering_outputs,
    .fit = clustering_fit,
    .lower = cairn_clustering_tree_lower,
    .predict = clustering_predict,
    .describe = clustering_describe,
    .figures = cairn_tree_figures,
    .explain = cairn_tree_explain,
    .history = &cairn_tree_histories,
    .archive = cairn_tree_archive_model,
    .check = clustering_check,
    .clear = clustering_clear,
    .size = clustering_size,
    .pieces = count_clusters,
    .pieces_name = "clusters",
};
