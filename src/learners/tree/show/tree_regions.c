/* SPDX-License-Identifier: MIT */
/* The part of the instance space that each leaf of a tree answers for, as rectangles, when the tree
 * tests one or two columns. A number column has its scale, from a little below its first cut to a
 * little above its last; a column of levels has a cell for each level, and a leaf that several
 * levels lead to has a rectangle for each run of them. */
#include "learners/tree/show/tree_show.h"

#include "base/number.h"
#include "draw/axis.h"
#include "draw/canvas.h"
#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 40, MOST_LEAVES = 300 };

/* One side of the picture. */
typedef struct side {
    int32_t column; /* -1 = none: the picture is one cell deep */
    const char *name;
    bool levels;
    size_t n_levels;
    double low, high; /* numbers: what is shown */
    double length;    /* in the units of the picture */
} side;

/* What a leaf holds of a side: the numbers between, or the levels. */
typedef struct range {
    double low, high;
    bool levels[MOST_LEVELS];
} range;

/* -- sides -- */

/* The columns that are tested, in the order of their first test; false for none or three. */
static bool find_sides(side sides[2], const cairn_tree_model *tree, const cairn_schema *schema)
{
    size_t n = 0, leaves = 0;
    sides[0] = sides[1] = (side){.column = -1, .name = "", .low = 0, .high = 1, .length = 1};
    for (size_t i = 0; i < tree->n_nodes; i++) {
        int32_t column = tree->nodes[i].column;
        leaves += column < 0;
        if (column < 0 || column == sides[0].column || column == sides[1].column) continue;
        const cairn_field *field = cairn_schema_feature(schema, (size_t)column);
        if (n == 2 || !field) return false;
        side *s = &sides[n++];
        s->column = column;
        s->name = field->name;
        s->levels = tree->is_number[column] != 1;
        s->n_levels = field->names.n;
        if (s->levels && s->n_levels > MOST_LEVELS) return false;
        s->length = (double)s->n_levels;
        if (!s->levels) {
            /* Range of the cuts of a column, a third more at both ends. */
            double low = INFINITY, high = -INFINITY;
            for (size_t j = 0; j < tree->n_nodes; j++) {
                if (tree->nodes[j].column != s->column) continue;
                low = fmin(low, tree->nodes[j].cut);
                high = fmax(high, tree->nodes[j].cut);
            }
            double buffer = high > low ? (high - low) / 3 : fmax(1, fabs(high) / 3);
            s->low = low - buffer;
            s->high = high + buffer;
            s->length = 4;
        }
    }
    return n > 0 && leaves <= MOST_LEAVES;
}

/* -- leaves -- */

static void narrow(range *r, const side *s, const cairn_tree_model *tree,
                   const cairn_tree_node *node, int32_t child)
{
    const int32_t *links = tree->links + node->links;
    if (node->test == CAIRN_TEST_CUT && !s->levels) {
        if (links[0] == child)
            r->high = fmin(r->high, node->cut);
        else
            r->low = fmax(r->low, node->cut);
        return;
    }
    for (size_t v = 0; v < s->n_levels; v++) {
        size_t branch = node->test == CAIRN_TEST_LEVEL ? (int32_t)v != node->level
                        : node->test == CAIRN_TEST_CUT ? (double)v > node->cut
                                                       : v;
        bool leads = branch < (size_t)node->n_branches && links[branch] == child;
        r->levels[v] = r->levels[v] && leads;
    }
}

static void find_range(range out[2], const side sides[2], const cairn_tree_model *tree, size_t leaf)
{
    for (int k = 0; k < 2; k++) {
        out[k] = (range){.low = sides[k].low, .high = sides[k].high};
        for (size_t v = 0; v < MOST_LEVELS; v++) out[k].levels[v] = true;
    }
    for (int32_t at = (int32_t)leaf; tree->nodes[at].parent >= 0; at = tree->nodes[at].parent) {
        const cairn_tree_node *parent = &tree->nodes[tree->nodes[at].parent];
        int k = parent->column == sides[1].column;
        narrow(&out[k], &sides[k], tree, parent, at);
    }
}

/* The next run of a range on its side, in units of the picture; false at the end. */
static bool next_run(const range *r, const side *s, size_t *from, double run[2])
{
    if (!s->levels) {
        if (*from) return false;
        *from = 1;
        run[0] = (r->low - s->low) / (s->high - s->low) * s->length;
        run[1] = (r->high - s->low) / (s->high - s->low) * s->length;
        return run[1] > run[0];
    }
    while (*from < s->n_levels && !r->levels[*from]) ++*from;
    if (*from >= s->n_levels) return false;
    run[0] = (double)*from;
    while (*from < s->n_levels && r->levels[*from]) ++*from;
    run[1] = (double)*from;
    return true;
}

/* -- drawing -- */

/* What a leaf says, and the same without its counts, for narrow rectangles. */
typedef struct leaf_words {
    cairn_text whole, answer;
} leaf_words;

static bool fits(const char *text, double width)
{
    return cairn_measure(text, 10, false) < 78 * width;
}

static void draw_rectangle(cairn_figure *figure, const double x[2], const double y[2],
                           int32_t group, const leaf_words *words)
{
    const char *whole = cairn_text_string(&words->whole),
               *answer = cairn_text_string(&words->answer);
    double width = x[1] - x[0];
    const char *text = fits(whole, width) ? whole : fits(answer, width) ? answer : "";
    double low[2] = {y[0], y[0]}, high[2] = {y[1], y[1]};
    double frame_x[5] = {x[0], x[1], x[1], x[0], x[0]}, frame_y[5] = {y[0], y[0], y[1], y[1], y[0]};
    cairn_figure_area(figure, group, x, low, high, 2);
    cairn_figure_guide(figure, frame_x, frame_y, 5);
    cairn_figure_text(figure, (x[0] + x[1]) / 2, (y[0] + y[1]) / 2 - 0.06, 'c', text);
}

/* "yes 3:2": the answer, and the weights of the classes of a mixed leaf. */
static void leaf_text(leaf_words *words, const cairn_tree_model *tree, const cairn_tree_node *node,
                      const cairn_schema *schema)
{
    cairn_text *text = &words->whole;
    text->length = words->answer.length = 0;
    if (node->reason == CAIRN_LEAF_REJECTED)
        cairn_text_add(&words->answer, "reject");
    else
        cairn_tree_add_label(&words->answer, tree, node, schema);
    cairn_text_addf(text, "%s ", cairn_text_string(&words->answer));
    for (size_t c = 0; c < tree->n_classes && tree->n_classes <= 4; c++) {
        double weight = 0;
        for (size_t j = 0; j < node->n_counts; j++)
            if ((size_t)tree->classes[node->counts + j] == c)
                weight = tree->weights[node->counts + j];
        if (c) cairn_text_add_char(text, ':');
        cairn_tree_add_weight(text, weight);
    }
    if (!tree->n_classes || tree->n_classes > 4) {
        cairn_text_add_char(text, '(');
        cairn_tree_add_weight(text, node->weight);
        cairn_text_add_char(text, ')');
    }
}

static void draw_leaf(cairn_figure *figure, const side sides[2], const cairn_tree_model *tree,
                      size_t leaf, const leaf_words *words)
{
    range r[2];
    double x[2], y[2];
    find_range(r, sides, tree, leaf);
    for (size_t i = 0; next_run(&r[0], &sides[0], &i, x);)
        for (size_t k = 0; next_run(&r[1], &sides[1], &k, y);)
            draw_rectangle(figure, x, y, tree->n_classes ? tree->nodes[leaf].label : -1, words);
}

/* Text beside the picture: below it for the first side, on the left for the second. */
static void write_beside(cairn_figure *figure, int k, double at, double away, const char *text)
{
    if (k == 0)
        cairn_figure_text(figure, at, -0.26 - away, 'c', text);
    else
        cairn_figure_text(figure, -0.08 - away, at - 0.05, 'r', text);
}

/* Levels in the middle of their cells, cuts where they are; cuts that are too near are left out. */
static void draw_names(cairn_figure *figure, const side *s, int k, const cairn_tree_model *tree,
                       const cairn_schema *schema)
{
    const cairn_field *field =
        s->column >= 0 ? cairn_schema_feature(schema, (size_t)s->column) : NULL;
    double written[MOST_LEAVES];
    size_t n = 0;
    for (size_t v = 0; field && s->levels && v < s->n_levels; v++)
        write_beside(figure, k, (double)v + 0.5, 0, cairn_map_key(&field->names, v));
    for (size_t i = 0; field && !s->levels && i < tree->n_nodes; i++) {
        char number[CAIRN_NUMBER_SIZE];
        double at = (tree->nodes[i].cut - s->low) / (s->high - s->low) * s->length;
        bool near = tree->nodes[i].column != s->column || n == MOST_LEAVES;
        for (size_t j = 0; j < n && !near; j++) near = fabs(written[j] - at) < (k ? 0.2 : 0.35);
        if (near) continue;
        written[n++] = at;
        cairn_label_number(number, tree->nodes[i].cut, 5);
        write_beside(figure, k, at, 0, number);
    }
}

cairn_status cairn_tree_draw_regions(cairn_context *ctx, cairn_figure **out,
                                     const cairn_tree_model *tree, const cairn_schema *schema)
{
    side s[2];
    cairn_figure *figure = NULL;
    cairn_status status = CAIRN_OK;
    leaf_words words = {cairn_text_start(ctx), cairn_text_start(ctx)};
    double left = 0.5;
    *out = NULL;
    if (tree->n_linear || !find_sides(s, tree, schema)) return CAIRN_OK;
    const cairn_field *second =
        s[1].column >= 0 ? cairn_schema_feature(schema, (size_t)s[1].column) : NULL;
    for (size_t v = 0; second && s[1].levels && v < s[1].n_levels; v++)
        left = fmax(left, 0.015 * cairn_measure(cairn_map_key(&second->names, v), 10, false) + 0.2);
    TRY(cairn_figure_new(ctx, &figure, "tree-regions", "What each leaf answers for"));
    cairn_figure_no_axes(figure);
    cairn_figure_x_range(figure, s[1].column >= 0 ? -left : -0.1, s[0].length + 0.1);
    cairn_figure_y_range(figure, -0.75, s[1].length + 0.45);
    cairn_figure_size(figure, fmin(1200, 120 + 90 * (s[0].length + left)),
                      fmin(1200, 110 + 75 * (s[1].length + 1)));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        if (tree->nodes[i].column >= 0) continue;
        leaf_text(&words, tree, &tree->nodes[i], schema);
        draw_leaf(figure, s, tree, i, &words);
    }
    for (int k = 0; k < 2; k++) draw_names(figure, &s[k], k, tree, schema);
    cairn_figure_text(figure, s[0].length / 2, -0.62, 'c', s[0].name);
    if (second) cairn_figure_text(figure, 0, s[1].length + 0.08, 'c', s[1].name);
    TRY(cairn_text_status(&words.whole));
    TRY(cairn_text_status(&words.answer));
    *out = figure;
    figure = NULL;
done:
    cairn_figure_free(figure);
    cairn_text_clear(&words.whole);
    cairn_text_clear(&words.answer);
    return status;
}
