/* SPDX-License-Identifier: MIT */
/* cairn draw tree: the tree inside a model.
 *
 * A model of `tree` is drawn node by node, with the captions that are asked for, down to a depth or
 * with its first splits only, and with a table at hand also with the rows that reach every node.
 * Other learners (rules, one rule) draw their trees in their descriptions; of these only direction
 * and shapes can be chosen. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "compute/trees/leaf_tree.h"
#include "learners/tree/grow/grow.h"
#include "learners/tree/targets/tree_targets.h"
#include "learners/tree/tree.h"
#include "learners/tree/tree_leaves.h"
#include "model/model.h"
#include "pictures/picture.h"

#include <math.h>
#include <string.h>

typedef struct tree_rows {
    const cairn_table *table;
    const cairn_tree_model *tree;
    const uint32_t *ends; /* per row: the node where it ends */
    ptrdiff_t target;     /* column of the table; -1 = it has none */
} tree_rows;

/* -- the rows of a table in the nodes of a tree -- */

enum { ROWS_IN_LINE = 5, MOST_ROWS = 20, MOST_COLUMNS = 10, CELL_SIZE = 64, CLASSES_READ = 6 };

/* Send the rows of a raw table down the tree of a model. Scratch. */
static cairn_status tree_rows_find(cairn_context *ctx, tree_rows *out, const cairn_model *model,
                                   const cairn_table *table)
{
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    uint32_t *ends;
    size_t at, n = table->n_rows;
    *out = (tree_rows){.table = table, .tree = model->state};
    const cairn_field *target = cairn_model_target(model);
    out->target = target ? cairn_table_find(table, target->name) : -1;
    CHECK(SCRATCH(ctx, &ends, n + 1));
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){.extra = true}, &match));
    CHECK(cairn_table_get(ctx, prediction.extra, "leaf", &at));
    const double *leaves = cairn_table_numbers(prediction.extra, at);
    for (size_t i = 0; i < n; i++) ends[i] = (uint32_t)leaves[i] - 1;
    out->ends = ends;
    return CAIRN_OK;
}

/* A row reaches the node where it ends and all above it; those have smaller numbers. */
static bool reaches(const tree_rows *r, size_t row, size_t node)
{
    size_t at = r->ends[row];
    while (at > node) at = (size_t)r->tree->nodes[at].parent;
    return at == node;
}

static void add_cell(cairn_text *text, const cairn_table *table, size_t column, size_t row)
{
    char cell[CELL_SIZE];
    size_t length = cairn_table_cell(table, column, row, cell, sizeof cell);
    if (cairn_column_is_missing(table->slots[column].column, row))
        cairn_text_add(text, "?");
    else
        cairn_text_add_bytes(text, cell, length < sizeof cell ? length : sizeof cell - 1);
}

static void add_name(cairn_text *text, const cairn_table *table, size_t row)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    if (id >= 0)
        add_cell(text, table, (size_t)id, row);
    else
        cairn_text_add_number(text, (double)row + 1, CAIRN_SHORTEST);
}

/* Rows of the node whose code in `column` (NULL = any) is `code`. */
static void add_names(cairn_text *text, const tree_rows *r, size_t node, const cairn_column *column,
                      int64_t code)
{
    size_t n = 0;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        if ((column && column->codes[i] != code) || !reaches(r, i, node)) continue;
        if (n < MOST_ROWS) {
            cairn_text_add(text, n == 0 ? "" : n % ROWS_IN_LINE ? ", " : ",\n");
            add_name(text, r->table, i);
        }
        n++;
    }
    if (n > MOST_ROWS) cairn_text_addf(text, ",\nand %zu more", n - MOST_ROWS);
    if (n == 0) cairn_text_add(text, "none");
}

/* Names of the rows that reach a node, some to a line: its id, or the number of the row. */
static void tree_rows_add(cairn_text *text, const tree_rows *rows, size_t node)
{
    add_names(text, rows, node, NULL, 0);
}

/* The same with a line per class: its sign (the positive class is `positive`, -1 = none), or its
 * name, which comes from the schema of the model. */
static void tree_rows_add_signed(cairn_text *text, const tree_rows *rows, size_t node,
                                 const cairn_schema *schema, int32_t positive)
{
    const cairn_column *column = rows->target < 0 ? NULL : rows->table->slots[rows->target].column;
    size_t n = cairn_schema_target(schema)->names.n;
    if (!column || column->kind != CAIRN_LEVEL) {
        tree_rows_add(text, rows, node);
        return;
    }
    for (size_t i = 0; i < n && i < CLASSES_READ; i++) {
        bool two = positive >= 0 && n == 2;
        size_t k = two ? (size_t)(i == 0 ? positive : 1 - positive) : i;
        const char *name = cairn_schema_class(schema, (int32_t)k);
        if (i) cairn_text_add_char(text, '\n');
        if (two)
            cairn_text_add(text, i == 0 ? "+ " : "− ");
        else
            cairn_text_addf(text, "%s: ", name);
        add_names(text, rows, node, column, cairn_map_find(&column->names, name, strlen(name)));
    }
    if (n > CLASSES_READ) cairn_text_addf(text, "\nand %zu more classes", n - CLASSES_READ);
}

/* One line: the head when row is SIZE_MAX. The target comes last, and of many features the first
 * are shown. */
static void add_line(cairn_text *text, const tree_rows *r, size_t row)
{
    const cairn_table *table = r->table;
    size_t shown = 0;
    if (row == SIZE_MAX)
        cairn_text_add(text, "row");
    else
        add_name(text, table, row);
    for (int targets = 0; targets < 2; targets++)
        for (size_t c = 0; c < table->n_columns; c++) {
            bool target = (ptrdiff_t)c == r->target;
            if (target != targets || (!target && table->slots[c].role != CAIRN_FEATURE)) continue;
            if (!target && shown++ >= MOST_COLUMNS) continue;
            cairn_text_add_char(text, '\t');
            if (row == SIZE_MAX)
                cairn_text_add(text, table->slots[c].name);
            else
                add_cell(text, table, c, row);
        }
}

/* The rows as lines of a table with its head, at most `most` of them. */
static void tree_rows_add_table(cairn_text *text, const tree_rows *rows, size_t node, size_t most)
{
    size_t n = 0;
    add_line(text, rows, SIZE_MAX);
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        if (!reaches(rows, i, node)) continue;
        if (n++ >= most) continue;
        cairn_text_add_char(text, '\n');
        add_line(text, rows, i);
    }
    if (n > most) cairn_text_addf(text, "\n… and %zu more rows", n - most);
    if (n == 0) cairn_text_add(text, "\nno rows");
}

typedef struct tree_picture_params {
    int direction, shape, splits, depth, order;
    const char *captions, *positive;
    double score_add;
    bool beside;
} tree_picture_params;

enum { DIRECTION_AUTO, DIRECTION_DOWN, DIRECTION_RIGHT };
enum { SHAPE_BOX, SHAPE_ELLIPSE, SHAPE_GRAPH };

static const cairn_choice directions[] = {
    {"auto", DIRECTION_AUTO, "down, or right where that makes a very wide tree narrower"},
    {"down", DIRECTION_DOWN, "the root on top"},
    {"right", DIRECTION_RIGHT, "the root on the left"},
    {NULL, 0, NULL},
};

static const cairn_choice shapes[] = {
    {"box", SHAPE_BOX, "leaves are boxes with round corners"},
    {"ellipse", SHAPE_ELLIPSE, "leaves are ellipses"},
    {"graph", SHAPE_GRAPH, "an undirected graph: numbered discs joined by lines"},
    {NULL, 0, NULL},
};

static const cairn_param tree_picture_table[] = {
    CAIRN_PARAM_CHOICE(tree_picture_params, direction, "auto", directions,
                       "where the tree grows to"),
    CAIRN_PARAM_CHOICE(tree_picture_params, shape, "box", shapes, "form of the nodes"),
    CAIRN_PARAM(tree_picture_params, captions, NULL, NULL,
                "what stands in the nodes, separated by commas: number, test (or answer; without "
                "it the whole condition stands on the branch), size, counts, signs ([3+,2-]), "
                "shares, score (log2 of positives to negatives), gain, entropy, mean (of all "
                "targets when there are several), variance; "
                "and of the rows of DATA: rows, signed-rows (by class), table; if not given test "
                "with counts, or with size and mean"),
    CAIRN_PARAM(tree_picture_params, depth, "0", "[0,1000000]",
                "levels below the root that are drawn; 0 = all"),
    CAIRN_PARAM(tree_picture_params, splits, "-1", "[-1,1000000]",
                "only so many splits have been made and the other nodes wait; -1 = all"),
    CAIRN_PARAM_CHOICE(tree_picture_params, order, "depth", cairn_growth_orders,
                       "which splits come first", .when = "splits"),
    CAIRN_PARAM(tree_picture_params, positive, NULL, NULL,
                "the class that signs and scores call positive, against all others"),
    CAIRN_PARAM(tree_picture_params, score_add, "0", "[0,inf)",
                "added to both counts of a score, which is infinite where one of them is 0",
                .when = "captions=*score*"),
    CAIRN_PARAM(tree_picture_params, beside, "no", NULL,
                "the table of DATA to the left of the tree"),
    CAIRN_PARAM_END,
};

/* Captions; the lines of a node have the order of these bits. */
enum {
    SHOW_NUMBER = 1,
    SHOW_TEST = 2,
    SHOW_SIZE = 4,
    SHOW_COUNTS = 8,
    SHOW_SIGNS = 16,
    SHOW_SHARES = 32,
    SHOW_SCORE = 64,
    SHOW_GAIN = 128,
    SHOW_ENTROPY = 256,
    SHOW_MEAN = 512,
    SHOW_VARIANCE = 1024,
    SHOW_ROWS = 2048,
    SHOW_SIGNED = 4096,
    SHOW_TABLE = 8192,
    NEED_CLASSES = SHOW_COUNTS | SHOW_SIGNS | SHOW_SHARES | SHOW_SCORE | SHOW_ENTROPY | SHOW_SIGNED,
    NEED_NUMBERS = SHOW_MEAN | SHOW_VARIANCE,
    NEED_TWO = SHOW_SIGNS | SHOW_SCORE,
    NEED_ROWS = SHOW_ROWS | SHOW_SIGNED | SHOW_TABLE
};

static const char *const caption_names[] = {"number",   "test",  "size",        "counts",  "signs",
                                            "shares",   "score", "gain",        "entropy", "mean",
                                            "variance", "rows",  "signed-rows", "table"};

enum { MOST_CLASSES = 6, MOST_TABLE_ROWS = 12, MOST_BESIDE = 40 };

typedef struct tree_picture {
    cairn_context *ctx;
    const tree_picture_params *params;
    const cairn_tree_model *tree;
    const cairn_schema *schema;
    const char *title;
    tree_rows rows;   /* rows.table NULL = none */
    unsigned shown;   /* captions */
    int32_t positive; /* -1 = none is */
    bool *divided;    /* per node: its split is drawn */
    const int32_t *depths;
    int32_t row_depth; /* rows are looked for down to here: deeper nodes have no room */
    int *numbers;      /* per node: its number in the figure */
    double *shares;    /* n_classes */
} tree_picture;

/* -- options -- */

/* The usual captions depend on what the tree predicts: counts for classes, size and mean for a
 * number, size alone for several targets. */
static cairn_status read_captions(tree_picture *t)
{
    enum { N = sizeof caption_names / sizeof *caption_names };
    char **words;
    size_t n;
    if (!t->params->captions) {
        bool vector = cairn_tree_is_vector(t->tree);
        t->shown = SHOW_TEST | (vector               ? SHOW_SIZE
                                : t->tree->n_classes ? SHOW_COUNTS
                                                     : SHOW_SIZE | SHOW_MEAN);
        return CAIRN_OK;
    }
    CHECK(cairn_list_split(t->ctx, t->params->captions, &words, &n));
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;
        while (c < N && strcmp(words[i], caption_names[c]) != 0) c++;
        if (c == N)
            return cairn_fail(t->ctx, CAIRN_USAGE,
                              "{captions}: '%s' is none of number, test, size, counts, signs, "
                              "shares, score, gain, entropy, mean, variance, rows, signed-rows, "
                              "table",
                              words[i]);
        t->shown |= 1U << c;
    }
    return CAIRN_OK;
}

/* Refuses captions that this tree has no numbers for, and tells which kind of tree or which data
 * would have them. */
static cairn_status check_captions(const tree_picture *t)
{
    bool classes = t->tree->n_classes > 0, vector = cairn_tree_is_vector(t->tree);
    if (vector && t->shown & SHOW_VARIANCE)
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "{captions}: variance is about one number, and this tree has several "
                          "targets");
    if (!classes && t->shown & NEED_CLASSES)
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "{captions}: counts, signs, shares, score, entropy and signed-rows are "
                          "about classes, and this tree predicts numbers");
    if (classes && !vector && t->shown & NEED_NUMBERS)
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "{captions}: mean and variance are about trees that predict numbers");
    if (t->shown & NEED_TWO && t->positive < 0)
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "{captions}: signs and score are about two classes; {positive CLASS} "
                          "takes one against all others");
    if ((t->shown & NEED_ROWS || t->params->beside) && !t->rows.table)
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "rows and tables need the data: cairn draw tree MODEL DATA");
    return CAIRN_OK;
}

static cairn_status find_positive(tree_picture *t, const cairn_model *model)
{
    const char *name = t->params->positive;
    t->positive = t->tree->n_classes == 2 ? model->positive : -1;
    if (!name || !t->tree->n_classes) return CAIRN_OK;
    const cairn_field *target = cairn_schema_target(t->schema);
    t->positive = (int32_t)cairn_map_find(&target->names, name, strlen(name));
    if (t->positive >= 0) return CAIRN_OK;
    return cairn_fail(t->ctx, CAIRN_USAGE, "{positive}: '%s' is no class of '%s'", name,
                      target->name);
}

/* Of a large tree only some levels are drawn; the first that has no room for all its nodes. */
static int32_t row_depth(const int32_t *depths, size_t n)
{
    enum { SMALL = 200, DRAWN = 64 };
    size_t seen = 0;
    if (n <= SMALL) return INT32_MAX;
    for (int32_t depth = 0;; depth++) {
        for (size_t i = 0; i < n; i++) seen += depths[i] == depth;
        if (seen > DRAWN) return depth;
    }
}

/* Which splits are drawn: the first ones, down to a depth. */
static cairn_status choose_splits(tree_picture *t)
{
    size_t n = t->tree->n_nodes, most = t->params->splits < 0 ? n : (size_t)t->params->splits;
    uint32_t *order;
    int32_t *depths;
    size_t n_order;
    CHECK(SCRATCH_EACH(t->ctx, n, &t->divided, &order, &depths));
    (void)cairn_tree_depths(t->tree, depths);
    int by = t->params->splits < 0 ? CAIRN_GROWTH_DEPTH : t->params->order;
    CHECK(cairn_tree_growth(t->ctx, order, &n_order, most, t->tree, by));
    t->depths = depths;
    t->row_depth = row_depth(depths, n);
    for (size_t i = 0; i < n_order; i++)
        t->divided[order[i]] = !t->params->depth || depths[order[i]] < t->params->depth;
    return CAIRN_OK;
}

/* -- captions -- */

static double class_weight(const cairn_tree_model *tree, const cairn_tree_node *node, int32_t class)
{
    for (size_t j = 0; j < node->n_counts; j++)
        if (tree->classes[node->counts + j] == class) return tree->weights[node->counts + j];
    return 0;
}

/* "no 3, yes 2"; only the number for a node of one class whose answer is told. */
static void add_counts(cairn_text *text, const tree_picture *t, const cairn_tree_node *node,
                       double scale, int digits)
{
    const cairn_tree_model *tree = t->tree;
    if (node->n_counts == 1 && t->shown & SHOW_TEST && node->column < 0 && scale == 1) {
        cairn_tree_add_weight(text, node->weight);
        return;
    }
    for (size_t j = 0; j < node->n_counts && j < MOST_CLASSES; j++) {
        cairn_text_addf(text, "%s%s ", j ? ", " : "",
                        cairn_schema_class(t->schema, tree->classes[node->counts + j]));
        if (scale == 1)
            cairn_tree_add_weight(text, tree->weights[node->counts + j]);
        else
            cairn_text_add_number(text, tree->weights[node->counts + j] * scale, digits);
    }
    if (node->n_counts > MOST_CLASSES) cairn_text_add(text, ", …");
    if (node->n_counts == 0) cairn_text_add_char(text, '0');
}

static void add_named(cairn_text *text, const char *name, double value)
{
    cairn_text_addf(text, "%s ", name);
    cairn_text_add_number(text, value, 4);
}

static void add_score(cairn_text *text, const tree_picture *t, const cairn_tree_node *node)
{
    double plus = class_weight(t->tree, node, t->positive), add = t->params->score_add;
    add_named(text, "score", cairn_log2((plus + add) / (node->weight - plus + add)));
}

static void add_entropy(cairn_text *text, const tree_picture *t, const cairn_tree_node *node)
{
    add_named(text, "entropy",
              node->n_counts ? cairn_entropy(t->tree->weights + node->counts, node->n_counts) : 0);
}

/* The means of several targets, a line each. */
static void add_vector(cairn_text *text, const tree_picture *t, size_t i)
{
    cairn_text line = cairn_text_start(t->ctx);
    cairn_tree_targets_add_answer(&line, t->tree, i, t->schema);
    for (const char *at = cairn_text_string(&line); *at; at++) {
        bool ends = cairn_starts_with(at, ", ");
        cairn_text_add_char(text, (char)(ends ? '\n' : *at));
        at += ends;
    }
    if (!text->status) text->status = cairn_text_status(&line);
    cairn_text_clear(&line);
}

/* The test of a node, the answer of a leaf, a question mark for a node that waits. */
static void add_test(cairn_text *text, const tree_picture *t, size_t i)
{
    const cairn_tree_node *node = &t->tree->nodes[i];
    if (node->column < 0 && cairn_tree_is_vector(t->tree))
        add_vector(text, t, i);
    else if (node->column < 0)
        cairn_tree_add_label(text, t->tree, node, t->schema);
    else if (t->divided[i])
        cairn_text_add(text, cairn_schema_feature(t->schema, (size_t)node->column)->name);
    else
        cairn_text_add_char(text, '?');
}

/* One caption of a node; nothing where the node has none. */
static void add_caption(cairn_text *text, const tree_picture *t, size_t i, unsigned caption)
{
    const cairn_tree_node *node = &t->tree->nodes[i];
    bool answered = node->column < 0 && t->shown & SHOW_TEST;
    double plus;
    switch (caption) {
    case SHOW_TEST: add_test(text, t, i); break;
    case SHOW_SIZE:
        cairn_tree_add_weight(text, node->weight);
        if (t->shown & SHOW_TEST) cairn_text_add(text, node->weight == 1 ? " row" : " rows");
        break;
    case SHOW_COUNTS: add_counts(text, t, node, 1, 6); break;
    case SHOW_SIGNS:
        plus = class_weight(t->tree, node, t->positive);
        cairn_leaf_add(text, (cairn_leaf){plus, node->weight - plus});
        break;
    case SHOW_SHARES:
        if (node->weight > 0) add_counts(text, t, node, 1 / node->weight, 3);
        break;
    case SHOW_SCORE: add_score(text, t, node); break;
    case SHOW_GAIN:
        if (t->divided[i]) add_named(text, "gain", node->gain);
        break;
    case SHOW_ENTROPY: add_entropy(text, t, node); break;
    case SHOW_MEAN:
        if (!answered && cairn_tree_is_vector(t->tree) && (!t->tree->example || node->column < 0))
            add_vector(text, t, i);
        else if (cairn_tree_is_vector(t->tree))
            break;
        else if (!answered || node->linear)
            add_named(text, "mean", node->mean);
        break;
    case SHOW_VARIANCE:
        if (node->weight > 0) add_named(text, "variance", node->error / node->weight);
        break;
    case SHOW_ROWS: tree_rows_add(text, &t->rows, i); break;
    case SHOW_SIGNED: tree_rows_add_signed(text, &t->rows, i, t->schema, t->positive); break;
    case SHOW_TABLE: /* the rows of a divided node are in its parts */
        if (!t->divided[i]) tree_rows_add_table(text, &t->rows, i, MOST_TABLE_ROWS);
        break;
    default: break;
    }
}

/* -- the figure -- */

/* A node that the tree divides but the picture does not is open: it is drawn as a leaf without an
 * answer. */
static cairn_status add_node(const tree_picture *t, cairn_figure *figure, size_t i)
{
    const cairn_tree_node *node = &t->tree->nodes[i];
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
    SCOPED(cairn_text_clear) cairn_text edge = cairn_text_start(t->ctx);
    bool leaf = !t->divided[i], waits = leaf && node->column >= 0;
    bool has_shares = t->tree->n_classes && node->n_counts > 0;
    bool answers = leaf && !waits && node->reason != CAIRN_LEAF_REJECTED;
    if (node->parent >= 0) {
        /* The branch that leads to a node; with its column where the node above does not name
         * it. */
        const cairn_tree_node *parent = &t->tree->nodes[t->tree->nodes[i].parent];
        if (!(t->shown & SHOW_TEST))
            cairn_text_addf(&edge, "%s%s",
                            cairn_schema_feature(t->schema, (size_t)parent->column)->name,
                            parent->test == CAIRN_TEST_LEVELS ? " = " : " ");
        cairn_tree_add_branch(&edge, t->tree, parent, cairn_tree_branch_to(t->tree, i), t->schema,
                              false);
    }
    /* One line for each caption that the node has; the number stands before the first of them.
     * Rows are listed down to a depth only, as deeper nodes have no room. */
    if (t->shown & SHOW_NUMBER) cairn_text_addf(&text, "%zu", i + 1);
    size_t start = text.length;
    for (unsigned caption = SHOW_TEST; caption <= SHOW_TABLE; caption <<= 1) {
        size_t before = text.length;
        if (!(t->shown & caption)) continue;
        if (caption & NEED_ROWS && t->depths[i] > t->row_depth) continue;
        if (before > start || caption == SHOW_TABLE)
            cairn_text_add_char(&text, '\n');
        else if (start)
            cairn_text_add(&text, ": ");
        size_t begun = text.length;
        add_caption(&text, t, i, caption);
        if (text.length > begun || !text.bytes) continue;
        text.length = before; /* no line for a caption that the node does not have */
        text.bytes[before] = 0;
    }
    if (has_shares) cairn_tree_shares(t->tree, i, t->shares);
    t->numbers[i] = cairn_figure_tree_node(figure, node->parent < 0 ? -1 : t->numbers[node->parent],
                                           cairn_text_string(&edge), cairn_text_string(&text), leaf,
                                           answers && t->tree->n_classes ? node->label : -1,
                                           has_shares ? t->shares : NULL, t->tree->n_classes);
    if (waits) cairn_figure_tree_flag(figure, t->numbers[i], CAIRN_NODE_OPEN);
    CHECK(cairn_text_status(&edge));
    return cairn_text_status(&text);
}

/* Parents precede their children in the tree, so one pass suffices; nodes below an undivided one
 * are left out. */
static cairn_status draw_model(tree_picture *t, cairn_figure **out)
{
    size_t n = t->tree->n_nodes, k = t->tree->n_classes;
    const char **names;
    CHECK(SCRATCH(t->ctx, &t->numbers, n));
    CHECK(SCRATCH_EACH(t->ctx, k + 1, &t->shares, &names));
    CHECK(choose_splits(t));
    CHECK(cairn_figure_new(t->ctx, out, "tree", t->title));
    for (size_t l = 0; l < k; l++) names[l] = cairn_schema_class(t->schema, (int32_t)l);
    if (k) cairn_figure_tree_groups(*out, names, k);
    for (size_t i = 0; i < n; i++) {
        int32_t parent = t->tree->nodes[i].parent;
        t->numbers[i] = -1;
        if (parent < 0 || (t->numbers[parent] >= 0 && t->divided[parent]))
            CHECK(add_node(t, *out, i));
    }
    return CAIRN_OK;
}

/* A tree that is very wide from the top grows to the right, if that is much narrower. */
static cairn_status set_form(cairn_context *ctx, cairn_figure *figure, const tree_picture_params *p)
{
    unsigned form = (p->direction == DIRECTION_RIGHT ? CAIRN_FORM_ACROSS : 0) |
                    (p->shape == SHAPE_ELLIPSE ? CAIRN_FORM_OVALS : 0) |
                    (p->shape == SHAPE_GRAPH ? CAIRN_FORM_GRAPH : 0);
    double down, right;
    cairn_figure_tree_form(figure, form);
    if (p->direction == DIRECTION_AUTO) {
        CHECK(cairn_figure_extent(ctx, figure, &down));
        if (down <= CAIRN_PICTURE_COMFORT) return CAIRN_OK;
        cairn_figure_tree_form(figure, form | CAIRN_FORM_ACROSS);
        CHECK(cairn_figure_extent(ctx, figure, &right));
        if (right > 0.7 * down) cairn_figure_tree_form(figure, form);
    }
    return cairn_picture_warn_wide(
        ctx, figure,
        cairn_say(ctx, p->direction == DIRECTION_DOWN
                           ? "{direction right}, a smaller {depth} or fewer {captions}"
                           : "a smaller {depth} or fewer {captions}"));
}

/* Trees of these two learners are drawn from their nodes with all captions; other models hand over
 * the figure of their report. */
static cairn_status tree_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const cairn_model *model = job->model;
    bool clusters = cairn_same(cairn_model_learner(model), "clustering-tree");
    if (!clusters && !cairn_same(cairn_model_learner(model), "tree")) {
        /* Trees that other learners draw themselves. */
        const tree_picture_params *p = job->params;
        if (p->captions || p->depth || p->splits >= 0 || job->table)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{captions}, {depth}, {splits} and rows are for models of tree and "
                              "clustering-tree; a model "
                              "of %s is drawn with {direction} and {shape} only",
                              cairn_model_learner(job->model));
        cairn_status status = cairn_picture_of_model(ctx, out, job->model, "tree", "tree");
        if (status == CAIRN_OK) status = set_form(ctx, *out, p);
        return status;
    }
    tree_picture t = {
        .ctx = ctx, .params = job->params, .tree = model->state, .schema = &model->inner};
    t.title = clusters            ? "Clustering tree"
              : t.tree->n_classes ? "Decision tree"
                                  : "Regression tree";
    CHECK(find_positive(&t, model));
    CHECK(read_captions(&t));
    if (job->table) CHECK(tree_rows_find(ctx, &t.rows, model, job->table));
    CHECK(check_captions(&t));
    CHECK(draw_model(&t, out));
    CHECK(set_form(ctx, *out, t.params));
    if (t.params->beside) {
        /* The table in a box of its own, beside the tree. */
        OWNED(cairn_figure_free) cairn_figure *table = NULL;
        OWNED(cairn_figure_free) cairn_figure *both = NULL;
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t.ctx);
        CHECK(cairn_figure_new(t.ctx, &both, "tree", NULL));
        CHECK(cairn_figure_new(t.ctx, &table, "table", t.rows.table->source));
        tree_rows_add_table(&text, &t.rows, 0, MOST_BESIDE);
        CHECK(cairn_text_status(&text));
        (void)cairn_figure_tree_node(table, -1, NULL, cairn_text_string(&text), false, -1, NULL, 0);
        cairn_figure_panel(both, table);
        cairn_figure_panel(both, *out);
        *out = both;
        both = table = NULL;
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tree = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tree",
                .also = "tree diagram, plot of a tree, dendrogram of a tree",
                .about = "picture of a tree",
                .title = "The tree of a model",
                .summary =
                    "Draws the tree that a model holds: tests in the nodes, values on the "
                    "branches, classes or numbers in the leaves, from the top or from the "
                    "left. --captions chooses what stands in the nodes, --splits stops after "
                    "some splits, and with the data the rows of every node can be shown.",
                .example = "cairn fit tree @weather --save weather.cairn && "
                           "cairn draw tree weather.cairn --out weather.svg",
                .params = tree_picture_table,
                .params_size = sizeof(tree_picture_params)},
    .arguments = "MODEL [DATA]",
    .needs_model = true,
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = tree_draw,
};

/* cairn draw tree-coverage: a tree in coverage space. The tree comes from a model or is typed as
 * the counts of its leaves. */

typedef struct tree_coverage_params {
    const char *leaves, *positive, *labels;
    int part, order, stages;
} tree_coverage_params;

enum { PART_NODES, PART_GROWTH, PART_CURVES, PART_LABELLINGS, PART_PRUNED };

static const cairn_choice parts[] = {
    {"nodes", PART_NODES, "every node as a segment, and the leaves by share as the curve"},
    {"growth", PART_GROWTH, "the curve after each split, in panels"},
    {"curves", PART_CURVES, "the same curves in one plot"},
    {"labellings", PART_LABELLINGS, "all labellings of the leaves and the path of the best"},
    {"pruned", PART_PRUNED, "tree and curve before and after splits of one label are taken back"},
    {NULL, 0, NULL},
};

static const cairn_param tree_coverage_table[] = {
    CAIRN_PARAM_CHOICE(tree_coverage_params, part, "nodes", parts, "what is drawn"),
    CAIRN_PARAM(tree_coverage_params, leaves, NULL, NULL,
                "without a model: positives and negatives of the leaves, "
                "((29,10)(1,25))((15,3)(5,62)), for labellings also 29,10;1,25;15,3"),
    CAIRN_PARAM(tree_coverage_params, positive, NULL, NULL,
                "of a model: the class that counts as positive, against all others"),
    CAIRN_PARAM(tree_coverage_params, labels, NULL, NULL,
                "the labels of the leaves, such as +-++; majorities if not given",
                .when = "part=pruned"),
    CAIRN_PARAM_CHOICE(tree_coverage_params, order, "levels", cairn_growth_orders,
                       "which splits come first when the tree grows", .when = "part=growth|curves"),
    CAIRN_PARAM(tree_coverage_params, stages, "8", "[1,100]",
                "most stages of growth that are drawn", .when = "part=growth|curves"),
    CAIRN_PARAM_END,
};

static cairn_status tree_coverage_draw(cairn_context *ctx, cairn_figure **out,
                                       const cairn_compute_job *job)
{
    const tree_coverage_params *p = job->params;
    cairn_leaf_tree tree;
    CHECK(cairn_leaf_tree_find(ctx, &tree, p->leaves, job->model, p->positive));
    switch (p->part) {
    case PART_NODES: CHECK(cairn_leaf_tree_figure(ctx, out, &tree)); break;
    case PART_GROWTH:
    case PART_CURVES:
        CHECK(cairn_growth_figure(ctx, out, &tree, p->order, (size_t)p->stages,
                                  p->part == PART_CURVES));
        break;
    case PART_LABELLINGS: CHECK(cairn_labellings_figure(ctx, out, &tree)); break;
    default: CHECK(cairn_pruned_figure(ctx, out, &tree, p->labels)); break;
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tree_coverage = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tree-coverage",
                .also = "coverage curve of a tree",
                .title = "A tree in coverage space",
                .summary =
                    "Draws what a tree does to two classes in a coverage plot: every node as "
                    "a segment and the leaves, by their share of positives, as a curve; the "
                    "curve after each split; all labellings of the leaves with those that are "
                    "best for some costs; or what pruning splits of one label takes from the "
                    "curve.",
                .references = "Ferri, Flach, Hernández-Orallo: Learning decision trees using the "
                              "area under the ROC curve, ICML 2002",
                .example = "cairn fit tree @dolphins --save dolphins.cairn && "
                           "cairn draw tree-coverage dolphins.cairn --out dolphins.svg",
                .params = tree_coverage_table,
                .params_size = sizeof(tree_coverage_params)},
    .arguments = "[MODEL]",
    .takes_model = true,
    .draw = tree_coverage_draw,
};

/* cairn draw tree-regions: as the model of a tree draws it, with or without the
 * tree itself beside it. */

typedef struct regions_params {
    bool tree;
} regions_params;

static const cairn_param regions_table[] = {
    CAIRN_PARAM(regions_params, tree, "no", NULL, "draw the tree beside its regions"),
    CAIRN_PARAM_END,
};

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const regions_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *regions = NULL;
    OWNED(cairn_figure_free) cairn_figure *tree = NULL;
    CHECK(cairn_picture_of_model(ctx, &regions, job->model, "tree-regions",
                                 "regions of one or two columns"));
    if (!p->tree) {
        *out = TAKE(regions);
        return CAIRN_OK;
    }
    CHECK(cairn_picture_of_model(ctx, &tree, job->model, "tree", "tree"));
    CHECK(cairn_figure_new(ctx, out, "tree-regions", ""));
    cairn_figure_panel(*out, tree);
    cairn_figure_panel(*out, regions);
    tree = regions = NULL;
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tree_regions = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tree-regions",
                .also = "leaves in the plane, partition of the plane",
                .title = "What each leaf of a tree answers for",
                .summary = "Draws the instance space of a tree that tests one or two columns, of "
                           "numbers or levels, divided into the rectangles of its leaves, each in "
                           "the colour of its class with its answer and class counts; with --tree "
                           "the tree itself beside it.",
                .example =
                    "cairn fit tree @weather --features outlook,humidity --save weather.cairn "
                    "&& cairn draw tree-regions weather.cairn --tree --out weather.svg",
                .params = regions_table,
                .params_size = sizeof(regions_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};

/* -- cairn draw forest: pictures that a random forest draws of itself -- */

typedef struct forest_params {
    int part, row;
} forest_params;

enum { PART_TREES, PART_OOB, PART_IMPORTANCE, PART_MAP, PART_VOTE };

static const cairn_choice forest_parts[] = {
    {"trees", PART_TREES, "the first trees side by side, down to a small depth"},
    {"oob", PART_OOB, "the out-of-bag error by the number of trees"},
    {"importance", PART_IMPORTANCE, "the importance of the columns"},
    {"map", PART_MAP, "rows by their proximities (forest-cluster)"},
    {"vote", PART_VOTE, "the way of a row of DATA through the first trees, and all votes"},
    {NULL, 0, NULL},
};

static const cairn_param forest_table[] = {
    CAIRN_PARAM_CHOICE(forest_params, part, "trees", forest_parts, "what is drawn"),
    CAIRN_PARAM(forest_params, row, "1", "[1,inf)", "the number of the row", .when = "part=vote"),
    CAIRN_PARAM_END,
};

/* The pictures are those of the model's own report, or of the explanation of a row, so they are
 * made in one place only. */
static cairn_status forest_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    static const char *const names[] = {"forest", "oob", "importance", "map", "vote"};
    const forest_params *p = job->params;
    if (p->part == PART_VOTE) {
        /* The row that the vote is about. */
        if (!job->table)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{part vote} needs the data of the row: cairn draw forest MODEL DATA");
        if ((size_t)p->row > job->table->n_rows)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "{row %d}: the table has %zu rows", p->row,
                              job->table->n_rows);
    }
    CHECK(cairn_model_draw(ctx, out, job->model, names[p->part], job->table, (uint32_t)p->row - 1));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "this model of %s has no picture {part %s}",
                      cairn_model_learner(job->model), forest_parts[p->part].name);
}

const cairn_calculator cairn_picture_forest = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "forest",
                .also = "variable importance, feature importance, out-of-bag error, proximities",
                .title = "Pictures of a random forest",
                .summary =
                    "Draws the first trees of a forest side by side, the way of a row through "
                    "them with the votes of all trees, how the out-of-bag error falls with "
                    "the number of trees, the importance of the columns, or the map of a "
                    "clustering by proximities.",
                .example = "cairn fit forest @iris --target species --save iris.cairn && "
                           "cairn draw forest iris.cairn --out iris.svg",
                .params = forest_table,
                .params_size = sizeof(forest_params)},
    .arguments = "MODEL [DATA]",
    .needs_model = true,
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = forest_draw,
};
