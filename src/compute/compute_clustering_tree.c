/* SPDX-License-Identifier: MIT */
/* cairn compute clustering-tree: a tree whose leaves are clusters.
 *
 * The features ask the questions; what the parts should agree in is something else: a matrix of
 * dissimilarities between the rows, or the target columns, any number of them. How far the rows D
 * of a node disagree is the mean over all ordered pairs, each row with itself included,
 *
 *     Dis(D) = 1/|D|² · Σ Σ dis(x, y)
 *
 * and for target columns the sum of their variances, which is the mean squared distance to the
 * mean row: half the mean over pairs of squared distances. A level column counts as one 0/1
 * column per level, so its part is the Gini index, and targets of both kinds add up. A split is
 * scored by the mean of its parts, weighted by their sizes.
 *
 * Cuts of a column are tried in sorted order, moving one row at a time, so a column costs
 * O(rows²) with a matrix and O(rows · targets) otherwise. */
#include "compute/compute.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "data/shape.h"

#include <math.h>
#include <string.h>

enum { SHOWN_NODES = 50, SHOWN_LEAVES = 200, FIGURE_NODES = 63 };
#define TIE 1e-12

typedef enum normalising { NORMALISE_NONE, NORMALISE_SPREAD } normalising;
static const cairn_choice normalisings[] = {
    {"none", NORMALISE_NONE, "columns as they are: variances and Gini indices add up"},
    {"spread", NORMALISE_SPREAD,
     "numbers divided by their deviations, 0/1 columns by the root of their share (as "
     "chi-squared does)"},
    {NULL, 0, NULL},
};

typedef struct clustering_params {
    const char *target_category;
    int normalise;
    int max_depth;
    double min_leaf, min_drop;
} clustering_params;

static const cairn_param clustering_table[] = {
    CAIRN_PARAM(clustering_params, target_category, NULL, NULL,
                "only this level of the target column counts"),
    CAIRN_PARAM_CHOICE(clustering_params, normalise, "none", normalisings,
                       "how target columns are made comparable"),
    CAIRN_PARAM(clustering_params, max_depth, "0", "[0,inf)",
                "greatest depth, the root being 0; 0 = no limit"),
    CAIRN_PARAM(clustering_params, min_leaf, "0", "[0,inf)", "least weight of a part"),
    CAIRN_PARAM(clustering_params, min_drop, "0", "[0,inf)",
                "a split that lowers the dissimilarity by less is not made"),
    CAIRN_PARAM_END,
};

/* One column of what is clustered. */
typedef struct goal {
    const char *column, *level; /* level NULL: a number column */
    const cairn_column *from;
    int32_t code;
    double *values; /* n_rows: less the mean, in the unit that counts */
} goal;

/* Rows from `begin` on belong to it. */
typedef struct cluster {
    size_t begin, n;
    int32_t parent, column; /* column -1 = a leaf */
    int depth;
    size_t condition; /* of the way to it: a code, or 0 below and 1 above the cut */
    double cut, weight, dissimilarity;
} cluster;

typedef struct grouping {
    cairn_context *ctx;
    cairn_report *out;
    const cairn_table *table;
    const clustering_params *params;
    const double *matrix; /* n x n; NULL = goals */
    const char **names;   /* of the rows of the matrix */
    goal *goals;
    size_t n_goals, n;
    double *weights; /* n */
    size_t *columns; /* features */
    size_t n_columns;
    uint32_t *rows, *order, *spare;
    double *left, *sums; /* n_goals */
    cluster *nodes;      /* 2n + 1 at most */
    size_t n_nodes;
} grouping;

/* -- what is clustered -- */

static double raw_value(const goal *at, size_t row)
{
    return at->level ? at->from->codes[row] == at->code : at->from->numbers[row];
}

static cairn_status add_goal(grouping *g, const char *column, const char *level,
                             const cairn_column *from, int32_t code)
{
    goal *at = &g->goals[g->n_goals++];
    double weight = 0, sum = 0, squares = 0, unit = 1;
    cairn_status status;
    *at = (goal){.column = column, .level = level, .from = from, .code = code};
    TRY(SCRATCH(g->ctx, &at->values, g->n));
    for (size_t i = 0; i < g->n; i++) {
        at->values[i] = raw_value(at, i);
        weight += g->weights[i];
        sum += g->weights[i] * at->values[i];
    }
    for (size_t i = 0; i < g->n; i++) {
        at->values[i] -= sum / weight;
        squares += g->weights[i] * at->values[i] * at->values[i];
    }
    if (g->params->normalise == NORMALISE_SPREAD)
        unit = level ? sqrt(sum / weight) : sqrt(squares / weight);
    for (size_t i = 0; unit > 0 && i < g->n; i++) at->values[i] /= unit;
done:
    return status;
}

static cairn_status fail_missing(grouping *g, const cairn_slot *slot)
{
    for (size_t i = 0; i < g->n; i++)
        if (cairn_column_is_missing(slot->column, i))
            return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: the target '%s' is missing; leave the row out or fill "
                              "it (cairn convert --with impute)",
                              g->table->source ? g->table->source : "the table", i + 1, slot->name);
    return CAIRN_OK;
}

static cairn_status add_target(grouping *g, const cairn_slot *slot, bool *found)
{
    const char *only = g->params->target_category;
    cairn_status status;
    if (slot->column->kind != CAIRN_NUMBER && slot->column->kind != CAIRN_LEVEL)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                          "the target '%s' is a column of %s; numbers and levels can be clustered",
                          slot->name, cairn_kind_plural(slot->column->kind));
    TRY(fail_missing(g, slot));
    if (slot->column->kind == CAIRN_NUMBER) {
        if (!only) TRY(add_goal(g, slot->name, NULL, slot->column, 0));
        goto done;
    }
    for (size_t l = 0; l < slot->column->names.n; l++) {
        const char *level = cairn_map_key(&slot->column->names, l);
        if (only && strcmp(only, level) != 0) continue;
        *found = true;
        TRY(add_goal(g, slot->name, level, slot->column, (int32_t)l));
    }
done:
    return status;
}

static cairn_status read_goals(grouping *g)
{
    size_t most = 0;
    bool found = false;
    cairn_status status;
    for (size_t c = 0; c < g->table->n_columns; c++)
        if (g->table->slots[c].role == CAIRN_TARGET) most += 1 + g->table->slots[c].column->names.n;
    if (most == 0)
        return cairn_fail(g->ctx, CAIRN_USAGE,
                          "nothing to cluster by: name columns with --target a,b or give a matrix "
                          "of dissimilarities as second file");
    TRY(SCRATCH(g->ctx, &g->goals, most));
    for (size_t c = 0; c < g->table->n_columns; c++)
        if (g->table->slots[c].role == CAIRN_TARGET)
            TRY(add_target(g, &g->table->slots[c], &found));
    if (g->params->target_category && !found)
        TRY(cairn_fail(g->ctx, CAIRN_USAGE, "no target column has the level '%s'",
                       g->params->target_category));
done:
    return status;
}

static cairn_status read_weights(grouping *g)
{
    ptrdiff_t at = cairn_table_role_column(g->table, CAIRN_WEIGHT);
    cairn_status status;
    TRY(SCRATCH(g->ctx, &g->weights, g->n));
    for (size_t i = 0; i < g->n; i++) {
        double w = at < 0 ? 1 : g->table->slots[at].column->numbers[i];
        if (!(w > 0) || !isfinite(w))
            TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA, "row %zu: weights here are above 0", i + 1));
        g->weights[i] = w;
    }
done:
    return status;
}

static cairn_status list_features(grouping *g)
{
    cairn_status status;
    TRY(SCRATCH(g->ctx, &g->columns, g->table->n_columns));
    for (size_t c = 0; c < g->table->n_columns; c++) {
        const cairn_slot *slot = &g->table->slots[c];
        bool usable = slot->column->kind == CAIRN_NUMBER || slot->column->kind == CAIRN_LEVEL;
        if (slot->role == CAIRN_FEATURE && usable) g->columns[g->n_columns++] = c;
    }
    if (g->n_columns == 0) TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA, "no column is left to split by"));
done:
    return status;
}

/* -- dissimilarity -- */

/* Sum over ordered pairs of the rows, weighted. */
static double pair_sum(const grouping *g, const uint32_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += g->weights[rows[i]] * g->weights[rows[j]] *
                   g->matrix[(size_t)rows[i] * g->n + rows[j]];
    return sum;
}

static double weight_of(const grouping *g, const uint32_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += g->weights[rows[i]];
    return sum;
}

static double dissimilarity(const grouping *g, const uint32_t *rows, size_t n)
{
    double weight = weight_of(g, rows, n), total = 0;
    if (n == 0) return 0;
    if (g->matrix) return pair_sum(g, rows, n) / (weight * weight);
    for (size_t k = 0; k < g->n_goals; k++) {
        const double *values = g->goals[k].values;
        double mean = 0, squares = 0;
        bool equal = true;
        for (size_t i = 0; i < n; i++) {
            mean += g->weights[rows[i]] * values[rows[i]];
            equal &= values[rows[i]] == values[rows[0]];
        }
        if (equal) continue; /* exactly 0, whatever the mean is rounded to */
        mean /= weight;
        for (size_t i = 0; i < n; i++) {
            double off = values[rows[i]] - mean;
            squares += g->weights[rows[i]] * off * off;
        }
        total += squares / weight;
    }
    return total;
}

/* -- splits -- */

typedef struct division {
    int32_t column; /* -1 = none */
    double cut, score;
} division;

static bool is_missing(const grouping *g, size_t column, uint32_t row)
{
    return cairn_column_is_missing(g->table->slots[column].column, row);
}

static bool level_comes_first(const void *a, const void *b, const void *data)
{
    const cairn_column *column = data;
    return column->codes[*(const uint32_t *)a] < column->codes[*(const uint32_t *)b];
}

static bool number_comes_first(const void *a, const void *b, const void *data)
{
    const cairn_column *column = data;
    return column->numbers[*(const uint32_t *)a] < column->numbers[*(const uint32_t *)b];
}

/* Put rows of the same answer side by side in g->order, missing cells last; returns how many are
 * known. `code` chooses the level; numbers are sorted. */
static size_t sort_known(grouping *g, size_t column, const uint32_t *rows, size_t n)
{
    size_t known = 0, missing = n;
    for (size_t i = n; i-- > 0;)
        if (is_missing(g, column, rows[i])) g->order[--missing] = rows[i];
    for (size_t i = 0; i < n; i++)
        if (!is_missing(g, column, rows[i])) g->order[known++] = rows[i];
    const cairn_column *from = g->table->slots[column].column;
    cairn_sort_in(g->order, g->spare, known, sizeof *g->order,
                  from->kind == CAIRN_LEVEL ? level_comes_first : number_comes_first, from);
    return known;
}

/* One branch per level that occurs, and one for missing cells. */
static division divide_levels(grouping *g, size_t column, const uint32_t *rows, size_t n)
{
    const cairn_column *from = g->table->slots[column].column;
    division best = {.column = -1};
    size_t known = sort_known(g, column, rows, n), parts = 0;
    double score = 0, total = weight_of(g, rows, n);
    for (size_t i = 0, end; i < n; i = end, parts++) {
        for (end = i + 1; end < n && (i >= known || (end < known && from->codes[g->order[end]] ==
                                                                        from->codes[g->order[i]]));)
            end++;
        double weight = weight_of(g, g->order + i, end - i);
        if (weight < g->params->min_leaf) return best;
        score += weight / total * dissimilarity(g, g->order + i, end - i);
    }
    if (parts > 1) best = (division){.column = (int32_t)column, .score = score};
    return best;
}

/* Weighted dissimilarities of one row to some. */
static double to_row(const grouping *g, uint32_t row, const uint32_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += g->weights[rows[i]] * g->matrix[(size_t)row * g->n + rows[i]];
    return g->weights[row] * sum;
}

/* Score of a cut behind the rows that are left of it, missing cells being a part of their own:
 * total squares less what the means of the parts explain, for goals. */
static double explained(const grouping *g, double left_weight, double right_weight)
{
    double sum = 0;
    for (size_t k = 0; k < g->n_goals; k++) {
        double right = g->sums[k] - g->left[k];
        sum += g->left[k] * g->left[k] / left_weight + right * right / right_weight;
    }
    return sum;
}

/* Two branches, below and above a cut between neighbours, and one for missing cells. */
static division divide_numbers(grouping *g, size_t column, const uint32_t *rows, size_t n)
{
    const double *x = g->table->slots[column].column->numbers;
    division best = {.column = -1, .score = INFINITY};
    size_t known = sort_known(g, column, rows, n);
    const uint32_t *order = g->order;
    double total = weight_of(g, rows, n), known_weight = weight_of(g, order, known);
    double lost =
        known < n ? (total - known_weight) / total * dissimilarity(g, order + known, n - known) : 0;
    double left = 0, left_pairs = 0, right_pairs = g->matrix ? pair_sum(g, order, known) : 0;
    double squares = 0;
    for (size_t k = 0; k < g->n_goals; k++) {
        g->left[k] = g->sums[k] = 0;
        for (size_t i = 0; i < known; i++) {
            double v = g->goals[k].values[order[i]];
            g->sums[k] += g->weights[order[i]] * v;
            squares += g->weights[order[i]] * v * v;
        }
    }
    for (size_t i = 0; i + 1 < known; i++) {
        uint32_t row = order[i];
        double score, w = g->weights[row], right;
        left += w;
        right = known_weight - left;
        if (g->matrix) {
            double self = w * w * g->matrix[(size_t)row * g->n + row];
            left_pairs += 2 * to_row(g, row, order, i) + self;
            right_pairs -= 2 * to_row(g, row, order + i + 1, known - i - 1) + self;
        }
        for (size_t k = 0; k < g->n_goals; k++) g->left[k] += w * g->goals[k].values[row];
        if (!(x[row] < x[order[i + 1]])) continue;
        if (fmin(left, right) < g->params->min_leaf) continue;
        score = g->matrix ? (left_pairs / left + right_pairs / right) / total
                          : (squares - explained(g, left, right)) / total;
        if (score + lost < best.score - TIE)
            best =
                (division){(int32_t)column, x[row] + (x[order[i + 1]] - x[row]) / 2, score + lost};
    }
    return best;
}

static division divide(grouping *g, size_t column, const cluster *node)
{
    const uint32_t *rows = g->rows + node->begin;
    return g->table->slots[column].column->kind == CAIRN_LEVEL
               ? divide_levels(g, column, rows, node->n)
               : divide_numbers(g, column, rows, node->n);
}

/* -- words -- */

#define MISSING_PART SIZE_MAX

static size_t part_of(const grouping *g, const cluster *parent, uint32_t row)
{
    const cairn_column *from = g->table->slots[parent->column].column;
    if (cairn_column_is_missing(from, row)) return MISSING_PART;
    return from->kind == CAIRN_LEVEL ? (size_t)from->codes[row]
                                     : !(from->numbers[row] <= parent->cut);
}

static void add_value(const grouping *g, cairn_text *text, const cluster *parent, size_t part)
{
    const cairn_column *from = g->table->slots[parent->column].column;
    if (part == MISSING_PART) {
        cairn_text_add(text, "missing");
    } else if (from->kind == CAIRN_LEVEL) {
        cairn_text_add(text, cairn_level_name(from, (int32_t)part));
    } else {
        cairn_text_add(text, part ? "> " : "≤ ");
        cairn_text_add_number(text, parent->cut, 6);
    }
}

static void add_path(const grouping *g, cairn_text *text, size_t at)
{
    int depth = g->nodes[at].depth;
    if (depth == 0) cairn_text_add(text, "all rows");
    for (int d = 1; d <= depth; d++) {
        const cluster *node = &g->nodes[at];
        while (node->depth > d) node = &g->nodes[node->parent];
        const cluster *parent = &g->nodes[node->parent];
        bool level = g->table->slots[parent->column].column->kind == CAIRN_LEVEL;
        cairn_text_addf(text, "%s%s%s", d > 1 ? ", " : "", g->table->slots[parent->column].name,
                        level && node->condition != MISSING_PART ? " = " : " ");
        add_value(g, text, parent, node->condition);
    }
}

/* -- growing -- */

/* The parts that a division would make of a node, each with its size and dissimilarity. */
static void show_parts(grouping *g, size_t number, const cluster *node, const division *d)
{
    cluster parent = *node;
    const char *name = g->table->slots[d->column].name;
    const char *key = cairn_report_key(g->out, name);
    cairn_text text = cairn_text_start(g->ctx), value = cairn_text_start(g->ctx);
    parent.column = d->column;
    parent.cut = d->cut;
    sort_known(g, (size_t)d->column, g->rows + node->begin, node->n);
    for (size_t i = 0, end; i < node->n; i = end) {
        size_t part = part_of(g, &parent, g->order[i]);
        for (end = i + 1; end < node->n && part_of(g, &parent, g->order[end]) == part;) end++;
        double dis = dissimilarity(g, g->order + i, end - i);
        value.length = 0;
        add_value(g, &value, &parent, part);
        cairn_text_addf(&text, "%s%s: ", i ? "; " : "", cairn_text_string(&value));
        cairn_text_add_number(&text, weight_of(g, g->order + i, end - i), 6);
        cairn_text_add(&text, end - i == 1 ? " row, " : " rows, ");
        cairn_text_add_number(&text, dis, 4);
        cairn_report_hidden(g->out, dis, "node%zu.part.%s.%s", number, key,
                            cairn_report_key(g->out, cairn_text_string(&value)));
    }
    cairn_report_cell(g->out, cairn_text_string(&text));
    cairn_report_failed(g->out, cairn_text_status(&text));
    cairn_report_failed(g->out, cairn_text_status(&value));
    cairn_text_clear(&text);
    cairn_text_clear(&value);
}

static void show_node(grouping *g, size_t at, const division *all, int32_t chosen)
{
    const cluster *node = &g->nodes[at];
    size_t number = at + 1;
    cairn_text path = cairn_text_start(g->ctx);
    add_path(g, &path, at);
    cairn_report_step_begin(g->out, "Node %zu: %s", number, cairn_text_string(&path));
    cairn_report_failed(g->out, cairn_text_status(&path));
    cairn_text_clear(&path);
    cairn_report_value(g->out, "rows", (double)node->n, "node%zu.n", number);
    cairn_report_value(g->out, g->matrix ? "mean dissimilarity of pairs" : "sum of variances",
                       node->dissimilarity, "node%zu.dissimilarity", number);
    cairn_report_table_begin(g->out, "Splits", 0);
    cairn_report_column(g->out, "column", 'l');
    cairn_report_column(g->out, "after the split", 'r');
    cairn_report_column(g->out, "falls by", 'r');
    cairn_report_column(g->out, "parts", 'l');
    for (size_t c = 0; c < g->n_columns; c++) {
        const char *name = g->table->slots[g->columns[c]].name;
        const char *key = cairn_report_key(g->out, name);
        if (all[c].column < 0) continue;
        cairn_report_cell(g->out, name);
        cairn_report_cell_number(g->out, all[c].score, 6, "node%zu.split.%s", number, key);
        cairn_report_cell_number(g->out, node->dissimilarity - all[c].score, 6, "node%zu.drop.%s",
                                 number, key);
        if (all[c].column == chosen) cairn_report_row_mark(g->out);
        show_parts(g, number, node, &all[c]);
    }
    cairn_report_table_end(g->out);
    cairn_report_word(g->out, "chosen", chosen < 0 ? "none" : g->table->slots[chosen].name,
                      "node%zu.chosen", number);
    cairn_report_step_end(g->out);
}

/* Reorder the rows of a node by its parts and put these on the stack, the first on top. */
static void open_parts(grouping *g, size_t at, cluster *stack, size_t *n_stack)
{
    cluster *node = &g->nodes[at];
    size_t first = *n_stack;
    sort_known(g, (size_t)node->column, g->rows + node->begin, node->n);
    memcpy(g->rows + node->begin, g->order, node->n * sizeof *g->rows);
    for (size_t i = 0, end; i < node->n; i = end) {
        size_t part = part_of(g, node, g->rows[node->begin + i]);
        for (end = i + 1; end < node->n && part_of(g, node, g->rows[node->begin + end]) == part;)
            end++;
        stack[(*n_stack)++] = (cluster){.begin = node->begin + i,
                                        .n = end - i,
                                        .parent = (int32_t)at,
                                        .column = -1,
                                        .depth = node->depth + 1,
                                        .condition = part};
    }
    for (size_t a = first, b = *n_stack; a + 1 < b; a++, b--) {
        cluster swapped = stack[a];
        stack[a] = stack[b - 1];
        stack[b - 1] = swapped;
    }
}

static cairn_status grow(grouping *g, bool steps)
{
    cluster *stack = NULL;
    division *all = NULL;
    size_t n_stack = 1;
    cairn_status status;
    TRY(SCRATCH(g->ctx, &stack, g->n + 1));
    TRY(SCRATCH(g->ctx, &all, g->n_columns));
    TRY(SCRATCH(g->ctx, &g->nodes, 2 * g->n + 1));
    stack[0] = (cluster){.n = g->n, .parent = -1, .column = -1};
    while (n_stack > 0) {
        size_t at = g->n_nodes++;
        cluster *node = &g->nodes[at];
        division best = {.column = -1, .score = INFINITY};
        *node = stack[--n_stack];
        TRY(cairn_tick(g->ctx, "clustering tree", (double)node->begin, (double)g->n));
        node->weight = weight_of(g, g->rows + node->begin, node->n);
        node->dissimilarity = dissimilarity(g, g->rows + node->begin, node->n);
        if (!(node->dissimilarity > TIE)) continue;
        if (g->params->max_depth > 0 && node->depth >= g->params->max_depth) continue;
        for (size_t c = 0; c < g->n_columns; c++) {
            all[c] = divide(g, g->columns[c], node);
            if (all[c].column >= 0 && all[c].score < best.score - TIE) best = all[c];
        }
        double drop = node->dissimilarity - best.score;
        if (!(drop > TIE) || drop < g->params->min_drop) best.column = -1;
        if (at == 0 || (steps && at < SHOWN_NODES)) show_node(g, at, all, best.column);
        if (best.column < 0) continue;
        node->column = best.column;
        node->cut = best.cut;
        open_parts(g, at, stack, &n_stack);
    }
done:
    return status;
}

/* -- the result -- */

/* The row with the least dissimilarity to the others of its cluster. */
static uint32_t medoid(const grouping *g, const cluster *node)
{
    const uint32_t *rows = g->rows + node->begin;
    uint32_t best = rows[0];
    double least = INFINITY;
    for (size_t i = 0; i < node->n; i++) {
        double sum = to_row(g, rows[i], rows, node->n) / g->weights[rows[i]];
        if (!(sum < least - TIE)) continue;
        least = sum;
        best = rows[i];
    }
    return best;
}

/* Mean of a goal in a node, in the column's own units. */
static double goal_mean(const grouping *g, const cluster *node, const goal *at)
{
    double sum = 0;
    for (size_t i = 0; i < node->n; i++) {
        uint32_t row = g->rows[node->begin + i];
        sum += g->weights[row] * raw_value(at, row);
    }
    return sum / node->weight;
}

static void add_answer(const grouping *g, cairn_text *text, const cluster *node)
{
    if (g->matrix) {
        cairn_text_addf(text, "like %s", g->names[medoid(g, node)]);
        return;
    }
    for (size_t k = 0; k < g->n_goals && k < 6; k++) {
        const goal *at = &g->goals[k];
        cairn_text_addf(text, "%s%s ", k ? ", " : "", at->level ? at->level : at->column);
        cairn_text_add_number(text, goal_mean(g, node, at), 3);
    }
    if (g->n_goals > 6) cairn_text_add(text, ", ...");
}

static void name_leaf(grouping *g, size_t at)
{
    const cluster *node = &g->nodes[at];
    if (g->matrix)
        cairn_report_hidden_word(g->out, g->names[medoid(g, node)], "leaf%zu.medoid", at + 1);
    for (size_t k = 0; k < g->n_goals; k++) {
        const goal *to = &g->goals[k];
        const char *column = cairn_report_key(g->out, to->column);
        if (to->level)
            cairn_report_hidden(g->out, goal_mean(g, node, to), "leaf%zu.share.%s.%s", at + 1,
                                column, cairn_report_key(g->out, to->level));
        else
            cairn_report_hidden(g->out, goal_mean(g, node, to), "leaf%zu.mean.%s", at + 1, column);
    }
}

static void show_leaves(grouping *g)
{
    double sum = 0;
    size_t leaves = 0;
    cairn_report_table_begin(g->out, "Clusters", SHOWN_LEAVES);
    cairn_report_column(g->out, "node", 'r');
    cairn_report_column(g->out, "rows", 'r');
    cairn_report_column(g->out, "dissimilarity", 'r');
    cairn_report_column(g->out, g->matrix ? "medoid" : "means and shares", 'l');
    cairn_report_column(g->out, "description", 'l');
    for (size_t i = 0; i < g->n_nodes; i++) {
        const cluster *node = &g->nodes[i];
        if (node->column >= 0) continue;
        leaves++;
        sum += node->weight * node->dissimilarity;
        if (!cairn_report_row_wanted(g->out)) continue;
        cairn_text text = cairn_text_start(g->ctx), path = cairn_text_start(g->ctx);
        add_answer(g, &text, node);
        add_path(g, &path, i);
        name_leaf(g, i);
        cairn_report_cellf(g->out, "%zu", i + 1);
        cairn_report_cell_number(g->out, node->weight, 6, "leaf%zu.n", i + 1);
        cairn_report_cell_number(g->out, node->dissimilarity, 6, "leaf%zu.dissimilarity", i + 1);
        cairn_report_cell(g->out, cairn_text_string(&text));
        cairn_report_cell_word(g->out, cairn_text_string(&path), "leaf%zu.path", i + 1);
        cairn_report_failed(g->out, cairn_text_status(&text));
        cairn_report_failed(g->out, cairn_text_status(&path));
        cairn_text_clear(&text);
        cairn_text_clear(&path);
    }
    cairn_report_table_end(g->out);
    double root = g->nodes[0].dissimilarity, after = sum / g->nodes[0].weight;
    cairn_report_value(g->out, "clusters", (double)leaves, "tree.leaves");
    cairn_report_value(g->out, "dissimilarity of all rows", root, "tree.before");
    cairn_report_value(g->out, "mean dissimilarity in the clusters", after, "tree.after");
    cairn_report_value(g->out, "share that the tree explains", root > 0 ? 1 - after / root : NAN,
                       "tree.explained");
}

static cairn_status make_figure(grouping *g)
{
    cairn_figure *figure = NULL;
    int *numbers = NULL;
    cairn_status status;
    if (g->n_nodes > FIGURE_NODES) return CAIRN_OK;
    TRY(SCRATCH(g->ctx, &numbers, g->n_nodes));
    TRY(cairn_figure_new(g->ctx, &figure, "tree", "Clustering tree"));
    for (size_t i = 0; i < g->n_nodes; i++) {
        const cluster *node = &g->nodes[i];
        cairn_text edge = cairn_text_start(g->ctx), text = cairn_text_start(g->ctx);
        if (i > 0) add_value(g, &edge, &g->nodes[node->parent], node->condition);
        if (node->column >= 0)
            cairn_text_add(&text, g->table->slots[node->column].name);
        else
            add_answer(g, &text, node);
        cairn_text_add(&text, "\n");
        cairn_text_add_number(&text, node->weight, 6);
        cairn_text_add(&text, node->n == 1 ? " row, " : " rows, ");
        cairn_text_add_number(&text, node->dissimilarity, 4);
        numbers[i] =
            cairn_figure_tree_node(figure, i ? numbers[node->parent] : -1, cairn_text_string(&edge),
                                   cairn_text_string(&text), node->column < 0, -1, NULL, 0);
        cairn_report_failed(g->out, cairn_text_status(&edge));
        cairn_report_failed(g->out, cairn_text_status(&text));
        cairn_text_clear(&edge);
        cairn_text_clear(&text);
    }
    cairn_report_figure(g->out, figure);
done:
    return status;
}

/* The table with the number of each row's cluster. */
static cairn_status make_result(grouping *g, cairn_table **out)
{
    double *numbers = NULL;
    cairn_table *made = NULL;
    cairn_status status;
    TRY(SCRATCH(g->ctx, &numbers, g->n));
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t j = 0; g->nodes[i].column < 0 && j < g->nodes[i].n; j++)
            numbers[g->rows[g->nodes[i].begin + j]] = (double)i + 1;
    TRY(cairn_table_share(g->ctx, &made, g->table));
    TRY(cairn_table_add_numbers(g->ctx, made, "cluster", numbers));
    *out = made;
    return CAIRN_OK;
done:
    cairn_table_free(made);
    return status;
}

static cairn_status prepare(grouping *g, const cairn_compute_job *job)
{
    cairn_matrix matrix;
    cairn_status status;
    TRY(read_weights(g));
    TRY(list_features(g));
    if (job->tables.n > 1) {
        TRY(cairn_matrix_of_table(g->ctx, &matrix, job->tables.list[1], CAIRN_SHAPE_DISTANCES));
        if (matrix.n != g->n)
            TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA,
                           "the matrix has %zu rows and the table %zu; they describe the same rows "
                           "in the same order",
                           matrix.n, g->n));
        g->matrix = matrix.values;
        g->names = matrix.names;
    } else {
        TRY(read_goals(g));
    }
    TRY(SCRATCH(g->ctx, &g->left, g->n_goals));
    TRY(SCRATCH(g->ctx, &g->sums, g->n_goals));
    TRY(SCRATCH(g->ctx, &g->rows, g->n));
    TRY(SCRATCH(g->ctx, &g->order, g->n));
    TRY(SCRATCH(g->ctx, &g->spare, g->n));
    for (size_t i = 0; i < g->n; i++) g->rows[i] = (uint32_t)i;
done:
    return status;
}

static cairn_status clustering_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    grouping g = {.ctx = ctx, .out = out, .table = job->table, .params = job->params};
    cairn_status status;
    if (!job->table || job->table->n_rows == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute clustering-tree' needs DATA with rows");
    if (job->tables.n > 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute clustering-tree' takes a table and at most one matrix");
    g.n = job->table->n_rows;
    TRY(prepare(&g, job));
    cairn_report_heading(out, 1, "Clustering tree of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_formula(out, g.matrix ? "Dis(D) = 1/|D|² · Σ Σ dis(x, y) over all ordered pairs, "
                                         "a row with itself included"
                                       : "Dis(D) = sum of the variances of the target columns; a "
                                         "level counts as a 0/1 column");
    TRY(grow(&g, job->steps));
    TRY(make_figure(&g));
    show_leaves(&g);
    if (job->result) TRY(make_result(&g, job->result));
done:
    return status;
}

const cairn_calculator cairn_compute_clustering_tree = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "clustering-tree",
              .title = "Tree whose leaves are clusters",
              .summary =
                  "Splits rows by the features so that the parts agree in something else: in all "
                  "target columns at once (--target a,b; numbers by their variances, levels by "
                  "their Gini index, added up), in one level of a target (--target-category), or "
                  "by a matrix of dissimilarities given as second file. Every cluster is "
                  "described by its path and by its mean row or its medoid.",
              .references = "Blockeel, De Raedt, Ramon: Top-down induction of clustering trees, "
                            "ICML 1998",
              .example = "cairn compute clustering-tree @iris --target petal_length,petal_width "
                         "--max-depth 2 --min-leaf 10",
              .params = clustering_table,
              .params_size = sizeof(clustering_params)},
    .arguments = "DATA [MATRIX]",
    .takes_data = true,
    .several = true,
    .run = clustering_run,
};
