/* SPDX-License-Identifier: MIT */
/* What a forest shows: its size, the out-of-bag error and how it fell tree by tree, the importance
 * of the columns; with steps the rows of the first trees and what every row's trees say. */
#include "learners/forest/forest.h"
#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum {
    LISTED_ROWS = 200,
    BARS = 20,
    MATRIX_CLASSES = 30,
    SHOWN_COLUMNS = 50,  /* of the importance */
    NAMED_COLUMNS = 5000 /* that have values with names */
};

static const char *class_name(const cairn_schema *schema, size_t l)
{
    return cairn_schema_class(schema, (int32_t)l);
}

/* -- steps -- */

/* Numbers of the rows whose count is as wanted, such as "1, 2 (3 times), 7". */
static void add_rows(cairn_text *text, const cairn_forest_growth *growth, const uint32_t *counts,
                     bool drawn)
{
    size_t listed = 0, left = 0;
    for (size_t i = 0; i < growth->data->n_rows; i++) {
        if ((counts[i] > 0) != drawn) continue;
        if (listed == LISTED_ROWS) {
            left++;
            continue;
        }
        cairn_text_addf(text, "%s%u", listed++ ? ", " : "", growth->data->table_rows[i] + 1);
        if (counts[i] > 1) cairn_text_addf(text, " (%u times)", counts[i]);
    }
    if (left) cairn_text_addf(text, " and %zu more", left);
    if (!listed) cairn_text_add(text, "none");
}

void cairn_forest_show_bag(cairn_report *out, const cairn_forest_growth *growth,
                           const uint32_t *counts, const uint8_t *barred)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t n_seen = 0;
    if (!out) return;
    for (size_t i = 0; i < growth->data->n_rows; i++) n_seen += counts[i] > 0;
    add_rows(&text, growth, counts, true);
    cairn_report_word(out, "rows drawn", cairn_text_string(&text), "rows");
    text.length = 0;
    add_rows(&text, growth, counts, false);
    cairn_report_word(out, "rows out of bag", cairn_text_string(&text), "oob");
    cairn_report_hidden(out, (double)n_seen, "rows.distinct");
    text.length = 0;
    for (size_t c = 0, n = 0; barred && c < growth->forest->n_columns; c++)
        if (!barred[c])
            cairn_text_addf(&text, "%s%s", n++ ? ", " : "",
                            cairn_schema_feature(growth->job->schema, c)->name);
    if (barred) cairn_report_word(out, "columns drawn", cairn_text_string(&text), "columns");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

static void show_class_votes(cairn_report *out, const cairn_forest_growth *growth, size_t i,
                             const double *votes, unsigned row)
{
    const cairn_schema *schema = growth->job->schema;
    size_t k = growth->forest->n_classes, best = 0;
    for (size_t l = 0; l < k; l++) {
        if (votes[l] > votes[best]) best = l;
        cairn_report_cell_number(out, votes[l], 0, "oob.votes.%u.%s", row,
                                 cairn_report_key(out, class_name(schema, l)));
    }
    cairn_report_cell(out, class_name(schema, (size_t)growth->data->classes[i]));
    if ((int32_t)best != growth->data->classes[i]) cairn_report_row_mark(out);
    cairn_report_cell_word(out, class_name(schema, best), "oob.answer.%u", row);
}

void cairn_forest_show_votes(cairn_report *out, const cairn_forest_growth *growth,
                             const double *votes, const double *asked)
{
    const cairn_forest_model *forest = growth->forest;
    size_t k = forest->n_classes;
    if (!out) return;
    cairn_report_step_begin(out, "Out-of-bag answers");
    if (k > MATRIX_CLASSES) {
        cairn_report_paragraph(out,
                               "The votes of %zu classes would be too wide for a table; {oob-file "
                               "FILE} writes them.",
                               k);
        cairn_report_step_end(out);
        return;
    }
    cairn_report_paragraph(out,
                           "Every row asks the trees that have not drawn it%s; a marked row is "
                           "answered wrongly.",
                           k ? "" : " and takes their mean");
    cairn_report_table_of(out, NULL, 0, "rr", "row", "trees");
    for (size_t l = 0; l < k; l++)
        cairn_report_column(out, class_name(growth->job->schema, l), 'r');
    cairn_report_column(out, k ? "true" : "target", k ? 'l' : 'r');
    cairn_report_column(out, "answer", k ? 'l' : 'r');
    for (size_t i = 0; i < growth->data->n_rows && cairn_report_row_wanted(out); i++) {
        unsigned row = growth->data->table_rows[i] + 1;
        cairn_report_cells(out, "- oob.trees.$1", row, asked[i]);
        if (k && asked[i] > 0) {
            show_class_votes(out, growth, i, votes + i * k, row);
        } else if (k) {
            for (size_t l = 0; l < k; l++) cairn_report_cell(out, "");
            cairn_report_cells(out, NULL,
                               class_name(growth->job->schema, (size_t)growth->data->classes[i]),
                               "none");
        } else {
            cairn_report_cell_number(out, growth->data->numbers[i], 0, NULL);
            cairn_report_cell_number(out, asked[i] > 0 ? votes[i] / asked[i] : NAN, 0,
                                     "oob.answer.%u", row);
        }
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- description -- */

/* For numbers the range of the target is shown, as a forest can never answer outside it. */
static void show_size(cairn_report *out, const cairn_forest_model *forest)
{
    double leaves = 0, nodes = 0, depth = 0, deepest = 0, n = (double)forest->n_trees;
    double bytes = (double)forest->cut_starts[forest->n_columns] * sizeof *forest->cuts;
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        leaves += (double)tree->n_leaves;
        nodes += (double)tree->n_nodes + (double)tree->n_leaves;
        depth += tree->depth / n;
        bytes += cairn_forest_tree_bytes(tree);
        deepest = fmax(deepest, tree->depth);
    }
    cairn_report_value(out, "trees", n, "forest.trees");
    cairn_report_value(out, "columns drawn", (double)forest->drawn, "forest.mtry");
    cairn_report_value(out, "leaves", leaves, "forest.leaves");
    cairn_report_value(out, "leaves of a tree, mean", leaves / n, "forest.leaves.mean");
    cairn_report_value(out, "depth of a tree, mean", depth, "forest.depth.mean");
    cairn_report_hidden(out, nodes, "forest.nodes");
    cairn_report_hidden(out, bytes, "forest.bytes");
    cairn_report_hidden(out, deepest, "forest.depth");
    if (!forest->n_classes) {
        cairn_report_value(out, "least answer that is possible", forest->low, "forest.low");
        cairn_report_value(out, "greatest answer that is possible", forest->high, "forest.high");
    }
}

static cairn_status draw_curve(cairn_context *ctx, cairn_figure **out, const cairn_forest_oob *oob,
                               const cairn_forest_model *forest)
{
    double *x = NULL;
    if (!oob->known || forest->n_trees < 2) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &x, forest->n_trees));
    for (size_t t = 0; t < forest->n_trees; t++) x[t] = (double)t + 1;
    CHECK(cairn_figure_new(ctx, out, "oob", "Out-of-bag error by number of trees"));
    cairn_figure_axes(*out, "trees", forest->n_classes ? "error" : "mean squared error");
    cairn_figure_line(*out, NULL, x, oob->curve, forest->n_trees);
    return CAIRN_OK;
}

/* Too many classes for a table: their errors have names all the same. */
static void name_errors(cairn_report *out, const cairn_forest_oob *oob,
                        const cairn_forest_model *forest, const cairn_schema *schema)
{
    size_t k = forest->n_classes;
    for (size_t i = 0; oob->matrix && i < k && i < NAMED_COLUMNS; i++) {
        double total = 0;
        for (size_t j = 0; j < k; j++) total += oob->matrix[i * k + j];
        cairn_report_hidden(out, 1 - oob->matrix[i * k + i] / total, "oob.error.%s",
                            cairn_report_key(out, class_name(schema, i)));
    }
    cairn_report_paragraph(out,
                           "A table of %zu classes and answers would be too wide; {oob-file FILE} "
                           "writes the answer of every row.",
                           k);
}

/* Rows out of bag are as good as test rows for each tree, so this is an honest estimate; forests
 * that draw without leaving rows out have none. */
static void show_oob(cairn_report *out, const cairn_forest_oob *oob,
                     const cairn_forest_model *forest, const cairn_schema *schema, bool wanted)
{
    cairn_figure *figure = NULL;
    if (!oob->known) {
        if (wanted)
            cairn_report_note(out, "Every tree has seen every row, so there is no out-of-bag "
                                   "error; {sample with} leaves rows out.");
        return;
    }
    cairn_report_heading(out, 2, "Out of bag");
    cairn_report_value(out, "rows that some tree has not seen", oob->weight, "oob.rows");
    if (forest->n_classes) {
        cairn_report_value(out, "error", oob->error, "oob.error");
        cairn_report_hidden(out, 1 - oob->error, "oob.accuracy");
    } else {
        cairn_report_value(out, "mean squared error", oob->error, "oob.mse");
        cairn_report_value(out, "root of it", sqrt(oob->error), "oob.rmse");
        cairn_report_value(out, "R²", oob->r2, "oob.r2");
    }
    cairn_report_value(out, "95% interval of the error, from", oob->low, "oob.low");
    cairn_report_value(out, "to", oob->high, "oob.high");
    for (size_t t = 1; t <= forest->n_trees; t *= 2)
        cairn_report_hidden(out, oob->curve[t - 1], "oob.curve.%zu", t);
    cairn_status made = draw_curve(cairn_report_context(out), &figure, oob, forest);
    cairn_describe_figure(out, made, &figure, false);
    if (forest->n_classes) {
        /* With many classes the matrix is too wide for a page; the error of each class is then
         * given by name alone. */
        size_t k = forest->n_classes;
        if (k > MATRIX_CLASSES) {
            name_errors(out, oob, forest, schema);
            return;
        }
        cairn_report_table_of(out, "Out-of-bag answers (rows: true class)", 0, "l", "");
        for (size_t l = 0; l < k; l++) cairn_report_column(out, class_name(schema, l), 'r');
        cairn_report_column(out, "error", 'r');
        for (size_t i = 0; i < k; i++) {
            double total = 0;
            cairn_report_cell(out, class_name(schema, i));
            for (size_t j = 0; j < k; j++) {
                total += oob->matrix[i * k + j];
                cairn_report_cell_number(out, oob->matrix[i * k + j], 0, "oob.matrix.%s.%s",
                                         cairn_report_key(out, class_name(schema, i)),
                                         cairn_report_key(out, class_name(schema, j)));
            }
            cairn_report_cell_number(out, 1 - oob->matrix[i * k + i] / total, 4, "oob.error.%s",
                                     cairn_report_key(out, class_name(schema, i)));
        }
        cairn_report_table_end(out);
    }
}

/* Columns by falling importance; equal ones in their order. */
static void sort_columns(uint32_t *order, const double *importance, size_t n)
{
    for (size_t c = 0; c < n; c++) order[c] = (uint32_t)c;
    for (size_t gap = n / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            uint32_t column = order[i];
            size_t at = i;
            for (; at >= gap; at -= gap) {
                uint32_t other = order[at - gap];
                bool later = importance[other] < importance[column] ||
                             (importance[other] == importance[column] && other > column);
                if (!later) break;
                order[at] = other;
            }
            order[at] = column;
        }
}

/* One column; beyond the rows that are shown only its values are named. */
static void show_importance_row(cairn_report *out, const cairn_forest_history *history, size_t c,
                                const char *name, double total, bool shown)
{
    const char *key = cairn_report_key(out, name);
    double share = total > 0 ? history->impurity[c] / total : 0, half = 0;
    if (history->permutation) half = 1.959963984540054 * history->permutation_se[c];
    cairn_report_hidden(out, share, "importance.%s", key);
    if (history->permutation) {
        cairn_report_hidden(out, history->permutation[c], "permutation.%s", key);
        cairn_report_hidden(out, history->permutation[c] - half, "permutation.low.%s", key);
        cairn_report_hidden(out, history->permutation[c] + half, "permutation.high.%s", key);
    }
    if (!shown) return;
    cairn_report_cells(out, "- -:4", name, share);
    if (!history->permutation) return;
    cairn_report_cells(out, "-:4 -:4 -:4", history->permutation[c], history->permutation[c] - half,
                       history->permutation[c] + half);
}

/* The columns in `order` with what they are worth, in units of `unit`, as bars. */
static cairn_status draw_bars(cairn_context *ctx, cairn_figure **out, const uint32_t *order,
                              const double *importance, double unit, const char *const *names,
                              size_t n)
{
    const char *categories[BARS];
    double heights[BARS];
    size_t shown = n < BARS ? n : BARS;
    CHECK(cairn_figure_new(ctx, out, "importance", "Importance of the columns"));
    for (size_t i = 0; i < shown; i++) {
        categories[i] = names[order[i]];
        heights[i] = importance[order[i]] / unit;
    }
    cairn_figure_bars(*out, NULL, categories, heights, shown);
    return CAIRN_OK;
}

cairn_status cairn_forest_show_importance(cairn_context *ctx, cairn_report *out,
                                          cairn_figure **figure,
                                          const cairn_forest_history *history,
                                          const cairn_forest_model *forest,
                                          const cairn_schema *schema)
{
    const char **names = NULL;
    uint32_t *order = NULL;
    double total = 0;
    if (!history || !history->impurity) return CAIRN_OK;
    const double *by = history->permutation ? history->permutation : history->impurity;
    CHECK(SCRATCH_EACH(ctx, forest->n_columns, &order, &names));
    for (size_t c = 0, at = 0; c < forest->n_columns; c++) {
        names[c] = cairn_schema_next_feature(schema, &at)->name;
        total += history->impurity[c];
    }
    sort_columns(order, by, forest->n_columns);
    cairn_report_table_of(out, "Importance of the columns", 0, "lr", "column",
                          "share of the reduction");
    if (history->permutation) {
        cairn_report_columns(out, "rrr", "rise of the error", "95% from", "to");
    }
    for (size_t i = 0; i < forest->n_columns && i < NAMED_COLUMNS; i++)
        show_importance_row(out, history, order[i], names[order[i]], total, i < SHOWN_COLUMNS);
    cairn_report_table_end(out);
    if (forest->n_columns > SHOWN_COLUMNS)
        cairn_report_paragraph(out, "%zu columns of less importance are not shown.",
                               forest->n_columns - SHOWN_COLUMNS);
    CHECK(draw_bars(ctx, figure, order, by, !history->permutation && total > 0 ? total : 1, names,
                    forest->n_columns));
    cairn_figure_axes(*figure, NULL,
                      history->permutation ? "rise of the error" : "share of the reduction");
    return CAIRN_OK;
}

static cairn_status make_curve(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    const cairn_forest_history *history = job->history;
    return history ? draw_curve(ctx, out, &history->oob, model) : CAIRN_OK;
}

static cairn_status make_importance(cairn_context *ctx, cairn_figure **out, const void *model,
                                    const cairn_job *job)
{
    return cairn_forest_show_importance(ctx, NULL, out, job->history, model, job->schema);
}

/* -- by-products -- */

/* Scores are in units of the spread of the class, so that one limit fits all of them. */
static void show_outliers(cairn_report *out, const cairn_forest_extras *x,
                          const cairn_forest_model *forest, const cairn_schema *schema)
{
    if (!x->n_outliers) return;
    cairn_report_heading(out, 2, "Outliers");
    cairn_report_paragraph(out,
                           "Rows that are near to few others%s, in units of the median "
                           "distance from the median; above 10 is strange.",
                           forest->n_classes ? " of their class" : "");
    cairn_report_table_of(out, NULL, x->n_outliers < 1000 ? x->n_outliers : 1000, "r", "row");
    if (x->outlier_classes) cairn_report_column(out, cairn_schema_target(schema)->name, 'l');
    cairn_report_column(out, "score", 'r');
    for (size_t i = 0; i < x->n_outliers; i++) {
        cairn_report_cell_number(out, x->outlier_rows[i] + 1.0, 0, "outlier%zu.row", i + 1);
        if (x->outlier_classes)
            cairn_report_cell_word(out, class_name(schema, (size_t)x->outlier_classes[i]),
                                   "outlier%zu.class", i + 1);
        cairn_report_cell_number(out, x->outlier_scores[i], 4, "outlier%zu.score", i + 1);
    }
    cairn_report_table_end(out);
}

/* "5.1 (4.9 to 5.4)" or a level. */
static void show_typical(cairn_report *out, const double *middle, const cairn_field *field,
                         const char *class_key)
{
    const char *key = cairn_report_key(out, field->name);
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE], median[CAIRN_NUMBER_SIZE];
    bool known = field->kind == CAIRN_LEVEL ? middle[0] >= 0 && middle[0] < (double)field->names.n
                                            : !isnan(middle[0]);
    if (!known) {
        cairn_report_cell(out, "none");
    } else if (field->kind == CAIRN_LEVEL) {
        cairn_report_cell_word(out, cairn_map_key(&field->names, (size_t)middle[0]),
                               "prototype.%s.%s", class_key, key);
    } else {
        cairn_number_format(median, middle[0], 4);
        cairn_number_format(low, middle[1], 4);
        cairn_number_format(high, middle[2], 4);
        cairn_report_hidden(out, middle[0], "prototype.%s.%s", class_key, key);
        cairn_report_hidden(out, middle[1], "prototype.low.%s.%s", class_key, key);
        cairn_report_hidden(out, middle[2], "prototype.high.%s.%s", class_key, key);
        cairn_report_cellf(out, "%s (%s to %s)", median, low, high);
    }
}

static void show_prototype_table(cairn_report *out, const cairn_forest_extras *x,
                                 const cairn_forest_model *forest, const cairn_schema *schema,
                                 const char *const *names)
{
    size_t d = forest->n_columns, k = x->n_prototypes;
    cairn_report_table_of(out, NULL, 0, "l", "column");
    for (size_t l = 0; l < k; l++) cairn_report_column(out, names[l], 'l');
    cairn_report_cell(out, "rows");
    for (size_t l = 0; l < k; l++)
        cairn_report_cell_number(out, x->prototype_size[l], 0, "prototype.rows.%s",
                                 cairn_report_key(out, names[l]));
    for (size_t c = 0, at = 0; c < d && c < NAMED_COLUMNS; c++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        cairn_report_cell(out, field->name);
        for (size_t l = 0; l < k; l++)
            show_typical(out, x->prototypes + 3 * (l * d + c), field,
                         cairn_report_key(out, names[l]));
    }
    cairn_report_table_end(out);
}

/* A column for each class stands beside the others, so many classes do not fit a page; the text
 * says how to leave a few. */
static cairn_status show_prototypes(cairn_context *ctx, cairn_report *out,
                                    const cairn_forest_extras *x, const cairn_forest_model *forest,
                                    const cairn_schema *schema)
{
    size_t k = x->n_prototypes;
    const char **names = NULL;
    if (!k) return CAIRN_OK;
    cairn_report_heading(out, 2, "Prototypes");
    if (k > MATRIX_CLASSES) {
        cairn_report_paragraph(out,
                               "Prototypes of %zu classes would be too wide for a table; {where} "
                               "leaves a few classes.",
                               k);
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &names, k));
    for (size_t l = 0; l < k; l++) names[l] = class_name(schema, l);
    cairn_report_paragraph(out, "A typical row of every class: medians and quartiles, or the most "
                                "frequent level, of rows of the class that are near to each "
                                "other.");
    show_prototype_table(out, x, forest, schema, names);
    if (forest->n_columns > NAMED_COLUMNS)
        cairn_report_paragraph(out, "%zu columns more are not shown.",
                               forest->n_columns - NAMED_COLUMNS);
    return CAIRN_OK;
}

static size_t column_of(const cairn_forest_tree *tree, size_t node)
{
    return cairn_forest_node_at(tree, node).test & CAIRN_FOREST_COLUMN;
}

/* How often column b is asked right below column a. */
static void count_pairs(double *pairs, const cairn_forest_model *forest)
{
    size_t d = forest->n_columns;
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        for (size_t i = 0; i < tree->n_nodes; i++) {
            cairn_forest_node node = cairn_forest_node_at(tree, i);
            size_t a = column_of(tree, i);
            bool wide = node.test & CAIRN_FOREST_WIDE;
            size_t n = wide ? (size_t)node.right + 1 : 2;
            for (size_t b = 0; b < n; b++) {
                uint32_t child = wide ? tree->links[node.left + b] : b ? node.right : node.left;
                if (!(child & CAIRN_FOREST_LEAF)) pairs[a * d + column_of(tree, child)]++;
            }
        }
    }
}

/* Pairs that stand below each other more often than their columns alone let expect. */
static cairn_status show_interactions(cairn_context *ctx, cairn_report *out,
                                      const cairn_forest_model *forest, const cairn_schema *schema,
                                      size_t wanted)
{
    size_t d = forest->n_columns;
    double *pairs = NULL, *above = NULL, *below = NULL, total = 0;
    CHECK(cairn_memory_check(ctx, 8 * (double)d * (double)d, "counting pairs of columns",
                             cairn_say(ctx, "leave {interactions} out")));
    CHECK(SCRATCH(ctx, &pairs, cairn_product(d, d)));
    CHECK(SCRATCH_EACH(ctx, d, &above, &below));
    count_pairs(pairs, forest);
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) {
            above[a] += pairs[a * d + b];
            below[b] += pairs[a * d + b];
            total += pairs[a * d + b];
        }
    cairn_report_heading(out, 2, "Interactions");
    cairn_report_paragraph(out, "Pairs of columns of which the second is asked right after the "
                                "first more often than chance would have it; the score is "
                                "(times − expected) / √expected.");
    cairn_report_table_of(out, NULL, wanted, "llrrr", "column", "then", "times", "expected",
                          "score");
    for (size_t shown = 1; shown <= wanted; shown++) {
        size_t best = d * d;
        double most = 0, expected = 0;
        for (size_t i = 0; i < d * d; i++) {
            double chance = above[i / d] * below[i % d] / total;
            double score = (pairs[i] - chance) / sqrt(chance);
            if (i / d == i % d || !(pairs[i] >= 0) || !(score > most)) continue;
            most = score;
            expected = chance;
            best = i;
        }
        if (best == d * d) break;
        cairn_report_prefix(out, "interaction%zu", shown);
        cairn_report_cells(out, "@.first @.second @.times @.expected:4 @.score:4",
                           cairn_schema_feature(schema, best / d)->name,
                           cairn_schema_feature(schema, best % d)->name, pairs[best], expected,
                           most);
        pairs[best] = -1;
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- the first trees -- */

enum { DRAWN_TREES = 3, DRAWN_DEPTH = 3 };

typedef struct drawing {
    cairn_figure *figure;
    const cairn_forest_model *forest;
    const cairn_forest_tree *tree;
    const cairn_schema *schema;
    const uint32_t *codes; /* of a row whose way is marked; NULL = none */
    double *sums;          /* what the tree says about the row */
    cairn_forest_space space;
    cairn_text edge, text;
} drawing;

/* The class or number of a leaf; returns the class. */
static int32_t write_leaf(drawing *d, uint32_t leaf)
{
    size_t value = leaf & ~CAIRN_FOREST_LEAF, k = d->forest->n_classes;
    if (!k) {
        cairn_text_add_number(&d->text, d->tree->means[value], 4);
        return -1;
    }
    if (value >= k) value = (size_t)d->tree->mixed_classes[d->tree->mixed_starts[value - k]];
    cairn_text_add(&d->text, class_name(d->schema, value));
    return (int32_t)value;
}

/* A node and what is below it; `edge` is filled already. Never deeper than DRAWN_DEPTH. */
static void draw_node(drawing *d, int parent, uint32_t at, int depth, bool on_way)
{
    bool leaf = at & CAIRN_FOREST_LEAF, cut_off = !leaf && depth == DRAWN_DEPTH;
    int32_t group = -1;
    d->text.length = 0;
    if (leaf)
        group = write_leaf(d, at);
    else
        cairn_text_add(&d->text,
                       cut_off ? "…"
                               : cairn_schema_feature(d->schema, column_of(d->tree, at))->name);
    int number =
        cairn_figure_tree_node(d->figure, parent, parent < 0 ? NULL : cairn_text_string(&d->edge),
                               cairn_text_string(&d->text), leaf || cut_off, group, NULL, 0);
    if (on_way) cairn_figure_tree_flag(d->figure, number, CAIRN_NODE_MARKED);
    if (leaf || cut_off) return;
    uint32_t next = on_way ? cairn_forest_step(d->forest, d->tree, at, d->codes) : at;
    cairn_forest_node node = cairn_forest_node_at(d->tree, at);
    bool wide = node.test & CAIRN_FOREST_WIDE;
    size_t n = wide ? (size_t)node.right + 1 : 2;
    for (size_t b = 0; b < n; b++) {
        uint32_t child = wide ? d->tree->links[node.left + b] : b ? node.right : node.left;
        if (child == CAIRN_FOREST_NONE) continue;
        /* Branch b of a node: "≤ 2.45", "red", "other than red". */
        size_t c = node.test & CAIRN_FOREST_COLUMN;
        const cairn_field *field = cairn_schema_feature(d->schema, c);
        d->edge.length = 0;
        if ((node.test & CAIRN_FOREST_WIDE) && b == node.right) {
            cairn_text_add(&d->edge, "missing");
        } else if (d->forest->is_number[c]) {
            bool below = d->forest->cut_form == CAIRN_TREE_LT;
            cairn_text_add(&d->edge, b ? (below ? "≥ " : "> ") : (below ? "< " : "≤ "));
            cairn_text_add_number(&d->edge, d->forest->cuts[d->forest->cut_starts[c] + node.rank],
                                  4);
        } else {
            bool one = node.test & CAIRN_FOREST_LEVEL;
            if (one && b) cairn_text_add(&d->edge, "not ");
            cairn_text_add(&d->edge, cairn_map_key(&field->names, one ? node.rank : b));
        }
        bool taken = on_way && (child == next || next == CAIRN_FOREST_NONE);
        draw_node(d, number, child, depth + 1, taken);
    }
}

/* One tree as a panel; with a row, its title says what the tree answers. */
static cairn_status add_tree(cairn_context *ctx, cairn_figure *all, drawing *d, size_t t)
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    d->tree = &d->forest->trees[t];
    cairn_text_addf(&title, "Tree %zu", t + 1);
    if (d->codes) {
        /* What the tree answers the row, also when missing cells send it to several leaves. */
        const cairn_forest_model *forest = d->forest;
        size_t k = forest->n_classes, best = 0;
        uint32_t leaf = cairn_forest_leaf(forest, d->tree, d->codes, NULL);
        d->text.length = 0;
        if (leaf != CAIRN_FOREST_NONE) {
            (void)write_leaf(d, leaf);
        } else {
            for (size_t l = 0; l <= k; l++) d->sums[l] = 0;
            cairn_forest_add(d->sums, forest, d->tree, leaf, d->codes, &d->space);
            for (size_t l = 1; l < k; l++)
                if (d->sums[l] > d->sums[best]) best = l;
            if (k)
                cairn_text_add(&d->text, class_name(d->schema, best));
            else
                cairn_text_add_number(&d->text, d->sums[0], 4);
        }
        cairn_text_addf(&title, ": %s", cairn_text_string(&d->text));
    }
    CHECK(cairn_text_status(&title));
    CHECK(cairn_figure_new(ctx, &d->figure, "tree", cairn_text_string(&title)));
    draw_node(d, -1, d->tree->root, 0, d->codes != NULL);
    cairn_figure_panel(all, d->figure);
    return CAIRN_OK;
}

/* The first trees side by side, down to a small depth; with the way of a row. */
static cairn_status draw_trees(cairn_context *ctx, cairn_figure *all,
                               const cairn_forest_model *forest, const cairn_schema *schema,
                               const uint32_t *codes)
{
    drawing d = {.forest = forest,
                 .schema = schema,
                 .codes = codes,
                 .edge = cairn_text_start(ctx),
                 .text = cairn_text_start(ctx)};
    cairn_status status;
    TRY(SCRATCH(ctx, &d.sums, forest->n_classes + 1));
    TRY(cairn_forest_space_make(ctx, &d.space, forest));
    for (size_t t = 0; t < DRAWN_TREES && t < forest->n_trees; t++) TRY(add_tree(ctx, all, &d, t));
    TRY(cairn_text_status(&d.edge));
    TRY(cairn_text_status(&d.text));
done:
    cairn_text_clear(&d.edge);
    cairn_text_clear(&d.text);
    return status;
}

static cairn_status make_trees(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    const cairn_forest_model *forest = model;
    CHECK(cairn_figure_new(ctx, out, "forest",
                           forest->n_classes ? "The first trees, which vote with all others"
                                             : "The first trees, whose answers are averaged"));
    return draw_trees(ctx, *out, forest, job->schema, NULL);
}

void cairn_forest_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_forest_model *forest = model;
    const cairn_forest_history *history = job->history;
    const cairn_forest_params *p = job->params;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_figure *trees = NULL, *importance = NULL;
    cairn_status status;
    cairn_report_heading(out, 2, "The forest");
    show_size(out, forest);
    status = make_trees(ctx, &trees, model, job);
    cairn_describe_figure(out, status, &trees, true);
    if (history) show_oob(out, &history->oob, forest, job->schema, p->oob);
    status = cairn_forest_show_importance(ctx, out, &importance, history, forest, job->schema);
    cairn_describe_figure(out, status, &importance, true);
    if (p->interactions)
        TRY(show_interactions(ctx, out, forest, job->schema, (size_t)p->interactions));
    if (!history) goto done;
    TRY(show_prototypes(ctx, out, &history->extras, forest, job->schema));
    show_outliers(out, &history->extras, forest, job->schema);
    if (history->extras.n_filled)
        cairn_report_value(out, "missing cells that were filled", (double)history->extras.n_filled,
                           "filled.cells");
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* -- one row -- */

/* How often a column was asked about this row: what the forest looked at, not which way it
 * spoke. */
static void show_tests(cairn_report *out, const cairn_forest_model *forest, const cairn_job *job,
                       size_t row, const double *tests, const uint32_t *order)
{
    char cell[128];
    cairn_report_table_of(out, "Tests on the row's way, per tree", BARS, "llr", "column", "value",
                          "tests");
    for (size_t i = 0; i < forest->n_columns && tests[order[i]] > 0; i++) {
        const char *name = job->view->names[order[i]];
        const cairn_column *column = job->view->features[order[i]];
        if (cairn_column_is_missing(column, row))
            (void)snprintf(cell, sizeof cell, "missing");
        else if (column->kind == CAIRN_LEVEL)
            (void)snprintf(cell, sizeof cell, "%.100s",
                           cairn_level_name(column, column->codes[row]));
        else
            cairn_number_format(cell, column->numbers[row], 6);
        cairn_report_cells(out, "- - tests.$1:4", name, cell,
                           tests[order[i]] / (double)forest->n_trees);
    }
    cairn_report_table_end(out);
}

static void show_votes(cairn_report *out, const cairn_forest_model *forest,
                       const cairn_schema *schema, const double *sums, int32_t best)
{
    bool votes = forest->combine == CAIRN_FOREST_VOTES;
    cairn_report_table_of(out, votes ? "Votes of the trees" : "Class shares of the leaves", 0,
                          "lrr", "class", votes ? "trees" : "sum", "share");
    for (size_t l = 0; l < forest->n_classes; l++) {
        const char *key = cairn_report_key(out, class_name(schema, l));
        cairn_report_cells(out, "- votes.$1", class_name(schema, l), sums[l]);
        if ((int32_t)l == best) cairn_report_row_mark(out);
        cairn_report_cell_number(out, sums[l] / (double)forest->n_trees, 4, "share.%s", key);
    }
    cairn_report_table_end(out);
}

/* The first trees with the way of the row, and how all of them together answer. */
static cairn_status draw_vote(cairn_context *ctx, cairn_figure **out,
                              const cairn_forest_model *forest, const cairn_schema *schema,
                              const uint32_t *codes, const double *sums, int32_t best)
{
    cairn_figure *votes = NULL;
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    size_t k = forest->n_classes;
    const char **names = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    if (k && forest->combine == CAIRN_FOREST_VOTES)
        cairn_text_addf(&title, "%zu of %zu trees answer ", (size_t)sums[best], forest->n_trees);
    else
        cairn_text_addf(&title, "%zu trees together answer ", forest->n_trees);
    if (k)
        cairn_text_add(&title, class_name(schema, (size_t)best));
    else
        cairn_text_add_number(&title, sums[0] / (double)forest->n_trees, 6);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_figure_new(ctx, &all, "vote", cairn_text_string(&title)));
    CHECK(draw_trees(ctx, all, forest, schema, codes));
    if (k) {
        CHECK(SCRATCH(ctx, &names, k));
        for (size_t l = 0; l < k; l++) names[l] = class_name(schema, l);
        CHECK(cairn_figure_new(ctx, &votes, "votes", "All trees"));
        cairn_figure_size(votes, 240, 260);
        cairn_figure_axes(votes, NULL,
                          forest->combine == CAIRN_FOREST_VOTES ? "votes" : "sum of shares");
        cairn_figure_bars(votes, NULL, names, sums, k < BARS ? k : BARS);
        cairn_figure_panel(all, votes);
    }
    *out = all;
    all = NULL;
    return CAIRN_OK;
}

/* Votes of the trees, or the spread of what they say; `out` may be NULL. */
static cairn_status show_answer(cairn_context *ctx, cairn_report *out, cairn_figure **figure,
                                const cairn_forest_model *forest, const cairn_job *job,
                                const uint32_t *codes)
{
    cairn_forest_space space;
    size_t k = forest->n_classes;
    double *sums = NULL, low = INFINITY, high = -INFINITY;
    int32_t best = 0;
    CHECK(SCRATCH(ctx, &sums, k + 1));
    CHECK(cairn_forest_space_make(ctx, &space, forest));
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        double before = sums[0];
        cairn_forest_add(sums, forest, tree, cairn_forest_leaf(forest, tree, codes, NULL), codes,
                         &space);
        low = fmin(low, sums[0] - before);
        high = fmax(high, sums[0] - before);
    }
    for (size_t l = 1; l < k; l++)
        if (sums[l] > sums[best]) best = (int32_t)l;
    if (k) {
        show_votes(out, forest, job->schema, sums, best);
    } else {
        cairn_report_value(out, "mean of the trees", sums[0] / (double)forest->n_trees, "mean");
        cairn_report_value(out, "least answer of a tree", low, "low");
        cairn_report_value(out, "greatest answer of a tree", high, "high");
    }
    return draw_vote(ctx, figure, forest, job->schema, codes, sums, best);
}

static cairn_status make_vote(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    const cairn_forest_model *forest = model;
    uint32_t *codes = NULL;
    CHECK(SCRATCH(ctx, &codes, forest->n_columns));
    cairn_forest_code_rows(codes, forest, job->view, 0, 1);
    return show_answer(ctx, NULL, out, forest, job, codes);
}

const cairn_model_figure cairn_forest_figures[] = {
    {.name = "forest", .make = make_trees},
    {.name = "oob", .make = make_curve},
    {.name = "importance", .make = make_importance},
    {.name = "vote", .make = make_vote, .of_row = true},
    {.name = NULL},
};

void cairn_forest_explain(cairn_report *out, const void *model, const cairn_job *job, size_t i)
{
    const cairn_forest_model *forest = model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    uint32_t *codes = NULL, *order = NULL;
    double *tests = NULL;
    cairn_figure *vote = NULL;
    cairn_forest_space space;
    cairn_status status;
    TRY(SCRATCH_EACH(ctx, forest->n_columns, &codes, &order, &tests));
    cairn_forest_code_rows(codes, forest, job->view, i, 1);
    status = show_answer(ctx, out, &vote, forest, job, codes);
    cairn_describe_figure(out, status, &vote, true);
    TRY(cairn_forest_space_make(ctx, &space, forest));
    for (size_t t = 0; t < forest->n_trees; t++)
        cairn_forest_count_tests(tests, forest, &forest->trees[t], codes, &space);
    sort_columns(order, tests, forest->n_columns);
    show_tests(out, forest, job, cairn_view_row(job->view, i), tests, order);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}
