/* SPDX-License-Identifier: MIT */
/* Bars, trees and heat maps in letters: lines of text, each cut to the width of the terminal. */
#include "base/memory.h"
#include "draw/terminal.h"
#include "draw/treeplot.h"
#include <math.h>
#include <string.h>

enum { MOST_BARS = 40, MOST_NODES = 200, FEW_NODES = 100, MOST_ROWS = 60, LEAST_EDGE = 8 };

/* -- bars -- */

typedef struct bar_chart {
    const cairn_figure *figure;
    size_t name_width, value_width, buffer; /* cells */
    double low, high;                       /* of the heights, with 0 */
    bool colour;
} bar_chart;

static size_t widest_name(char *const *names, size_t n)
{
    size_t widest = 0;
    for (size_t i = 0; i < n; i++) {
        size_t width = cairn_text_width(names[i]);
        if (width > widest) widest = width;
    }
    return widest;
}

/* Stacked bars stand below each other here, each with its own height. */
static double bar_height(const cairn_series *series, size_t i)
{
    return series->high ? series->y[i] - series->high[i] : series->y[i];
}

/* Names and values get at most so much of the line that some room for bars is left, three columns
 * at the least. */
static void measure_bars(bar_chart *chart, size_t columns)
{
    const cairn_figure *figure = chart->figure;
    char text[CAIRN_NUMBER_SIZE];
    size_t shown = figure->n_categories < MOST_BARS ? figure->n_categories : MOST_BARS;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        for (size_t i = 0; series->kind == CAIRN_BARS && i < series->n; i++) {
            if (series->x[i] >= MOST_BARS) continue;
            double height = bar_height(series, i);
            cairn_range_include(&chart->low, &chart->high, height, CAIRN_SCALE_LINEAR);
            cairn_label_number(text, height, 4);
            size_t width = cairn_text_width(text);
            if (width > chart->value_width) chart->value_width = width;
        }
    }
    chart->name_width = widest_name(figure->categories, shown);
    if (chart->name_width > columns * 2 / 5) chart->name_width = columns * 2 / 5;
    if (chart->value_width > columns / 3) chart->value_width = columns / 3;
    size_t taken = chart->name_width + 2 + chart->value_width + 1;
    chart->buffer = taken + 3 < columns ? columns - taken : 3;
}

/* Cells left of the zero line; 0 without negative heights. */
static size_t zero_cell(const bar_chart *chart)
{
    if (chart->low >= 0) return 0;
    double span = chart->high / 2 - chart->low / 2;
    return (size_t)(-chart->low / 2 / span * (double)chart->buffer + 0.5);
}

/* Bars grow in eighths of a character to the right of zero and in whole ones to the left, where no
 * letters for parts exist. Halves avoid overflow of the range. */
static void add_bar(cairn_text *out, const bar_chart *chart, double height, size_t ordinal)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t zero = zero_cell(chart), used = 0;
    double span = chart->high / 2 - chart->low / 2;
    double cells = span > 0 ? fabs(height) / 2 / span * (double)chart->buffer : 0;
    size_t most = height < 0 ? zero : chart->buffer - zero, whole;
    if (cells > (double)most) cells = (double)most;
    if (height < 0) {
        whole = (size_t)(cells + 0.5);
        cairn_text_add_repeat(out, ' ', zero - whole);
        used = zero - whole;
        for (size_t i = 0; i < whole; i++, used++) cairn_text_add(out, cairn_shade_letter(ordinal));
    } else {
        int eighths = (int)(cells * 8 + 0.5);
        whole = (size_t)eighths / 8;
        cairn_text_add_repeat(out, ' ', zero);
        used = zero;
        for (size_t i = 0; i < whole; i++, used++) cairn_text_add(out, cairn_shade_letter(ordinal));
        if (eighths % 8 && ordinal % 4 == 0) {
            cairn_text_add(out, parts[eighths % 8]);
            used++;
        }
    }
    if (zero && used < zero) cairn_text_add_repeat(out, ' ', zero - used);
}

static void add_bar_line(cairn_text *out, const bar_chart *chart, const cairn_series *series,
                         const char *name, double height)
{
    char value[CAIRN_NUMBER_SIZE] = "–";
    cairn_add_cells(out, name, chart->name_width, true);
    cairn_text_add(out, " │");
    if (isfinite(height)) {
        cairn_add_colour(out, (int)cairn_series_colour(chart->figure, series), chart->colour);
        add_bar(out, chart, height, series->ordinal);
        cairn_add_colour(out, CAIRN_PLAIN, chart->colour);
    }
    if (!isnan(height)) cairn_label_number(value, height, 4);
    cairn_text_add_char(out, ' ');
    cairn_add_cells(out, value, chart->value_width, false);
    cairn_text_add_char(out, '\n');
}

/* Index in each series of the bar of each shown category; -1 = none. */
static cairn_status index_bars(cairn_context *ctx, const cairn_figure *figure, int64_t **out)
{
    cairn_status status = SCRATCH(ctx, out, (figure->counts[CAIRN_BARS] + 1) * MOST_BARS);
    if (status) return status;
    for (size_t i = 0; i < figure->counts[CAIRN_BARS] * MOST_BARS; i++) (*out)[i] = -1;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        for (size_t i = 0; series->kind == CAIRN_BARS && i < series->n; i++)
            if (series->x[i] < MOST_BARS)
                (*out)[series->ordinal * MOST_BARS + (size_t)series->x[i]] = (int64_t)i;
    }
    return CAIRN_OK;
}

cairn_status cairn_terminal_bars(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                 bool colour, cairn_text *out)
{
    bar_chart chart = {.figure = figure, .colour = colour};
    int64_t *index;
    measure_bars(&chart, columns);
    CHECK(index_bars(ctx, figure, &index));
    if (figure->y_title) cairn_add_line(out, figure->y_title, columns);
    size_t shown = figure->n_categories < MOST_BARS ? figure->n_categories : MOST_BARS;
    for (size_t c = 0; c < shown; c++) {
        bool first = true;
        for (size_t s = 0; s < figure->n_series; s++) {
            const cairn_series *series = &figure->series[s];
            if (series->kind != CAIRN_BARS) continue;
            int64_t i = index[series->ordinal * MOST_BARS + c];
            if (i < 0) continue;
            add_bar_line(out, &chart, series, first ? figure->categories[c] : "",
                         bar_height(series, (size_t)i));
            first = false;
        }
    }
    if (shown < figure->n_categories)
        cairn_text_addf(out, "… %zu more\n", figure->n_categories - shown);
    CHECK(cairn_terminal_legend(ctx, figure, columns, colour, true, out));
    return cairn_text_status(out);
}

/* -- trees -- */

typedef struct text_tree {
    const cairn_figure *figure;
    cairn_tree_view view;
    int *first, *next; /* first child and next sibling of each node, among those shown */
    cairn_text prefix; /* the lines that lead down on the left */
    size_t columns;
    bool colour;
    cairn_text *out;
} text_tree;

/* Several lines of a node's text become one. */
static void add_joined(cairn_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            cairn_text_add(out, " · ");
        else if (*text == '\t')
            cairn_text_add_char(out, ' ');
        else
            cairn_text_add_char(out, *text);
    }
}

/* A line that is too long is cut in the branch first: what the node says counts more. */
static cairn_status add_node_line(text_tree *tree, size_t i, const char *branch)
{
    const cairn_figure_node *node = &tree->figure->nodes[i];
    cairn_text line = cairn_text_start(tree->out->ctx), text = cairn_text_start(tree->out->ctx);
    size_t lead = cairn_text_width(cairn_text_string(&tree->prefix)) + cairn_text_width(branch);
    cairn_text_add(tree->out, cairn_text_string(&tree->prefix));
    cairn_text_add(tree->out, branch);
    add_joined(&text, node->text);
    if (node->edge && *node->edge) {
        size_t buffer = tree->columns - lead,
               after = cairn_text_width(cairn_text_string(&text)) + 2;
        size_t cells = buffer > after + LEAST_EDGE ? buffer - after : LEAST_EDGE;
        cairn_add_cells(&line, node->edge, cells, false);
        cairn_text_add(&line, ": ");
    }
    cairn_text_add(&line, cairn_text_string(&text));
    bool coloured = tree->colour && node->is_leaf;
    cairn_add_colour(tree->out, node->group < 0 ? -1 : node->group, coloured);
    cairn_add_cells(tree->out, cairn_text_string(&line), tree->columns - lead, false);
    cairn_add_colour(tree->out, CAIRN_PLAIN, coloured);
    cairn_text_add_char(tree->out, '\n');
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK) status = cairn_text_status(&line);
    cairn_text_clear(&text);
    cairn_text_clear(&line);
    return status;
}

static void add_hidden_line(text_tree *tree, size_t hidden)
{
    cairn_text line = cairn_text_start(tree->out->ctx);
    cairn_text_add(&line, cairn_text_string(&tree->prefix));
    cairn_text_addf(&line, "└─ … %zu %s more", hidden, hidden == 1 ? "node" : "nodes");
    cairn_add_line(tree->out, cairn_text_string(&line), tree->columns);
    if (cairn_text_status(&line)) tree->out->status = cairn_text_status(&line);
    cairn_text_clear(&line);
}

static void shorten(cairn_text *text, size_t length)
{
    if (!text->bytes || text->length < length) return;
    text->length = length;
    text->bytes[length] = 0;
}

static bool is_last(const text_tree *tree, int i)
{
    int parent = tree->figure->nodes[i].parent;
    return tree->next[i] < 0 && (parent < 0 || !tree->view.hidden[parent]);
}

/* Walk the shown nodes in order without recursion; `lengths` holds the prefix of each level. */
static cairn_status add_nodes(text_tree *tree, size_t *lengths)
{
    const cairn_figure_node *nodes = tree->figure->nodes;
    int at = 0;
    CHECK(add_node_line(tree, 0, ""));
    while (at >= 0) {
        if (tree->first[at] >= 0) {
            at = tree->first[at];
        } else {
            if (tree->view.hidden[at]) {
                size_t length = tree->prefix.length;
                if (at) cairn_text_add(&tree->prefix, is_last(tree, at) ? "   " : "│  ");
                add_hidden_line(tree, tree->view.hidden[at]);
                shorten(&tree->prefix, length);
            }
            while (at >= 0 && tree->next[at] < 0) { /* up until there is a sibling */
                at = nodes[at].parent;
                if (at < 0) return CAIRN_OK;
                shorten(&tree->prefix, lengths[nodes[at].depth + 1]);
                if (tree->view.hidden[at]) add_hidden_line(tree, tree->view.hidden[at]);
                shorten(&tree->prefix, lengths[nodes[at].depth]);
            }
            at = tree->next[at];
        }
        int depth = nodes[at].depth;
        shorten(&tree->prefix, lengths[depth - 1]);
        if (depth > 1)
            cairn_text_add(&tree->prefix, is_last(tree, nodes[at].parent) ? "   " : "│  ");
        lengths[depth] = tree->prefix.length;
        CHECK(add_node_line(tree, (size_t)at, is_last(tree, at) ? "└─ " : "├─ "));
        CHECK(cairn_text_status(&tree->prefix));
    }
    return CAIRN_OK;
}

static cairn_status link_nodes(cairn_context *ctx, text_tree *tree)
{
    size_t n = tree->figure->n_nodes;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &tree->first, &tree->next));
    for (size_t i = 0; i < n; i++) tree->first[i] = tree->next[i] = -1;
    for (size_t i = n; i-- > 1;) {
        if (!tree->view.shown[i]) continue;
        int parent = tree->figure->nodes[i].parent;
        tree->next[i] = tree->first[parent];
        tree->first[parent] = (int)i;
    }
    return CAIRN_OK;
}

cairn_status cairn_terminal_tree(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                 bool colour, cairn_text *out)
{
    text_tree tree = {.figure = figure,
                      .prefix = cairn_text_start(ctx),
                      .columns = columns,
                      .colour = colour,
                      .out = out};
    size_t *lengths, deepest = columns > 32 ? (columns - 23) / 3 : 3;
    cairn_status status;
    TRY(cairn_tree_choose(ctx, &tree.view, figure, MOST_NODES, FEW_NODES, deepest));
    TRY(link_nodes(ctx, &tree));
    TRY(SCRATCH(ctx, &lengths, figure->n_nodes + 2));
    TRY(add_nodes(&tree, lengths));
    if (colour) TRY(cairn_terminal_legend(ctx, figure, columns, colour, false, out));
    status = cairn_text_status(out);
done:
    cairn_text_clear(&tree.prefix);
    return status;
}

/* -- heat maps -- */

static size_t cell_width(const cairn_heat *heat, size_t columns)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t widest = 3, name = widest_name(heat->column_names, heat->n_columns);
    for (size_t i = 0; i < heat->n_rows * heat->n_columns; i++) {
        cairn_label_number(text, heat->values[i], 3);
        size_t width = cairn_text_width(text);
        if (width > widest) widest = width;
    }
    size_t most = heat->n_columns > 4 ? 8 : 12;
    if (name > most) name = most;
    if (name > widest) widest = name;
    return widest < columns / 2 ? widest : columns / 2;
}

/* Text at the right end of `cells` cells. */
static void add_right(cairn_text *out, const char *text, size_t cells)
{
    size_t width = cairn_text_width(text);
    if (width < cells) cairn_text_add_repeat(out, ' ', cells - width);
    cairn_add_cells(out, text, width < cells ? width : cells, false);
}

cairn_status cairn_terminal_heat(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                 cairn_text *out)
{
    const cairn_heat *heat = &figure->heat;
    (void)ctx;
    size_t name = widest_name(heat->row_names, heat->n_rows), cell = cell_width(heat, columns);
    if (name > columns / 3) name = columns / 3;
    size_t fit = (columns - name) / (cell + 2), rows = heat->n_rows;
    if (fit > heat->n_columns) fit = heat->n_columns;
    if (rows > MOST_ROWS) rows = MOST_ROWS;
    cairn_text_add_repeat(out, ' ', name);
    for (size_t c = 0; c < fit; c++) {
        cairn_text_add(out, "  ");
        add_right(out, heat->column_names[c], cell);
    }
    cairn_text_add_char(out, '\n');
    for (size_t r = 0; r < rows; r++) {
        cairn_add_cells(out, heat->row_names[r], name, true);
        for (size_t c = 0; c < fit; c++) {
            char text[CAIRN_NUMBER_SIZE] = "–";
            double value = heat->values[r * heat->n_columns + c];
            if (!isnan(value)) cairn_label_number(text, value, 3);
            cairn_text_add(out, "  ");
            add_right(out, text, cell);
        }
        cairn_text_add_char(out, '\n');
    }
    size_t rows_left = heat->n_rows - rows, columns_left = heat->n_columns - fit;
    if (rows_left) cairn_text_addf(out, "… %zu row%s more\n", rows_left, rows_left == 1 ? "" : "s");
    if (columns_left)
        cairn_text_addf(out, "… %zu column%s more\n", columns_left, columns_left == 1 ? "" : "s");
    if (figure->y_title && figure->x_title) {
        cairn_text line = cairn_text_start(out->ctx);
        cairn_text_addf(&line, "rows: %s, columns: %s", figure->y_title, figure->x_title);
        cairn_add_line(out, cairn_text_string(&line), columns);
        if (cairn_text_status(&line)) out->status = cairn_text_status(&line);
        cairn_text_clear(&line);
    }
    return cairn_text_status(out);
}
