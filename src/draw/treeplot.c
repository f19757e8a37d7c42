/* SPDX-License-Identifier: MIT */
/* Pictures of trees: boxes measured from their text, placed by treelayout.c, joined by lines that
 * end above the label of the branch, so that lines never cross a label. */
#include "draw/treeplot.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include "draw/treelayout.h"
#include <math.h>
#include <string.h>

enum { MOST_NODES = 200, FEW_NODES = 64, MOST_CHILDREN = 40 };

static const double first_size = 11, other_size = 9.5, edge_size = 10, line_step = 13.5;
static const double pad_x = 9, pad_y = 6, share_height = 5, most_text = 190, edge_room = 15;

struct cairn_tree_picture {
    cairn_layout_node *boxes; /* n; shown nodes and marks of what is hidden */
    int *source;              /* n: number of the node, or -1 - number for a mark under it */
    size_t n;
    const cairn_tree_view *view;
    cairn_legend legend;
    double left, top;
    bool elbows; /* wide trees: lines go down, across and down */
};

/* Nodes per level decide how deep the picture goes. */
static size_t depth_limit(const size_t *per_level, size_t n_levels, size_t most)
{
    size_t total = 0;
    for (size_t d = 0; d < n_levels; d++) {
        total += per_level[d];
        if (total > most) return d < 2 ? 1 : d - 1;
    }
    return n_levels;
}

cairn_status cairn_tree_choose(cairn_context *ctx, cairn_tree_view *out, const cairn_figure *figure,
                               size_t most, size_t few, size_t deepest)
{
    size_t n = figure->n_nodes, *per_level, *sizes, *order, limit = deepest;
    cairn_status status;
    TRY(SCRATCH(ctx, &out->shown, n));
    TRY(SCRATCH(ctx, &out->hidden, n));
    TRY(SCRATCH(ctx, &per_level, n + 1));
    TRY(SCRATCH(ctx, &sizes, n));
    TRY(SCRATCH(ctx, &order, n));
    for (size_t i = 0; i < n; i++) per_level[figure->nodes[i].depth]++;
    bool large = n > most;
    if (large) {
        size_t level = depth_limit(per_level, n, few);
        if (level < limit) limit = level;
    }
    for (size_t i = n; i-- > 0;) {
        sizes[i]++;
        if (i) sizes[figure->nodes[i].parent] += sizes[i];
    }
    for (size_t i = 0; i < n; i++) {
        const cairn_tree_node *node = &figure->nodes[i];
        bool fits = (size_t)node->depth <= limit;
        if (i && large && order[node->parent] >= MOST_CHILDREN) fits = false;
        if (i) order[node->parent]++;
        out->shown[i] = fits && (i == 0 || out->shown[node->parent]);
        if (i && !out->shown[i] && out->shown[node->parent]) out->hidden[node->parent] += sizes[i];
    }
done:
    return status;
}

static cairn_status fit_line(cairn_context *ctx, const char **out, const char *start, size_t length,
                             double size, bool bold)
{
    char *copy;
    cairn_status status = SCRATCH(ctx, &copy, length + 1);
    if (status) return status;
    memcpy(copy, start, length);
    return cairn_fit_text(ctx, out, copy, size, bold, most_text);
}

static cairn_status measure_box(cairn_context *ctx, cairn_layout_node *box,
                                const cairn_tree_node *node)
{
    cairn_lines lines = {.at = node->text};
    const char *start, *fitted;
    size_t length;
    cairn_status status = CAIRN_OK;
    double width = 20;
    while (cairn_next_line(&lines, &start, &length)) {
        bool first = lines.number == 1;
        double size = first ? first_size : other_size;
        TRY(fit_line(ctx, &fitted, start, length, size, first));
        width = fmax(width, cairn_measure(fitted, size, first));
    }
    box->width = width + 2 * pad_x;
    box->height =
        (double)lines.number * line_step + 2 * pad_y + (node->shares ? share_height + 4 : 0);
done:
    return status;
}

static void write_hidden(char out[CAIRN_NUMBER_SIZE + 24], size_t hidden)
{
    size_t at = 4;
    memcpy(out, "… ", 4);
    at += cairn_number_format(out + at, (double)hidden, 15);
    const char *rest = hidden == 1 ? " node more" : " nodes more";
    memcpy(out + at, rest, strlen(rest) + 1);
}

/* Boxes of the shown nodes in their order, each mark right after its parent's number is known. */
static cairn_status collect_boxes(cairn_context *ctx, struct cairn_tree_picture *tree,
                                  const cairn_figure *figure)
{
    const cairn_tree_view *view = tree->view;
    size_t n = figure->n_nodes;
    int *box_of;
    cairn_status status;
    TRY(SCRATCH(ctx, &tree->boxes, 2 * n));
    TRY(SCRATCH(ctx, &tree->source, 2 * n));
    TRY(SCRATCH(ctx, &box_of, n));
    for (size_t i = 0; i < n; i++) {
        if (!view->shown[i]) continue;
        const cairn_tree_node *node = &figure->nodes[i];
        cairn_layout_node *box = &tree->boxes[tree->n];
        TRY(measure_box(ctx, box, node));
        box->parent = i ? box_of[node->parent] : -1;
        tree->source[tree->n] = (int)i;
        box_of[i] = (int)tree->n++;
    }
    for (size_t i = 0; i < n; i++) {
        if (!view->shown[i] || !view->hidden[i]) continue;
        char text[CAIRN_NUMBER_SIZE + 24];
        write_hidden(text, view->hidden[i]);
        cairn_layout_node *box = &tree->boxes[tree->n];
        box->parent = box_of[i];
        box->width = cairn_measure(text, other_size, false) + 4;
        box->height = 16;
        tree->source[tree->n++] = -1 - (int)i;
    }
done:
    return status;
}

/* Layout needs room for the label of the branch as well; the box keeps its own width. */
static cairn_status lay_out(cairn_context *ctx, struct cairn_tree_picture *tree,
                            const cairn_figure *figure, double *width, double *height)
{
    cairn_layout_node *blocks;
    cairn_status status;
    bool any_edge = false;
    TRY(SCRATCH(ctx, &blocks, tree->n));
    for (size_t i = 0; i < tree->n; i++) {
        blocks[i] = tree->boxes[i];
        if (tree->source[i] < 0) continue;
        const char *edge = figure->nodes[tree->source[i]].edge;
        if (!edge || !*edge) continue;
        any_edge = true;
        double room = fmin(cairn_measure(edge, edge_size, false), most_text) + 4;
        blocks[i].width = fmax(blocks[i].width, room);
    }
    TRY(cairn_tree_layout(ctx, blocks, tree->n, 14, any_edge ? 26 + edge_room : 30, width, height));
    for (size_t i = 0; i < tree->n; i++) {
        tree->boxes[i].x = blocks[i].x;
        tree->boxes[i].y = blocks[i].y;
    }
done:
    return status;
}

/* Slanted lines read well until one becomes nearly level. */
static bool is_wide(const struct cairn_tree_picture *tree)
{
    for (size_t i = 1; i < tree->n; i++)
        if (fabs(tree->boxes[i].x - tree->boxes[tree->boxes[i].parent].x) > 150) return true;
    return false;
}

cairn_status cairn_treeplot_prepare(cairn_drawing *drawing)
{
    struct cairn_tree_picture *tree;
    cairn_tree_view *view;
    const cairn_figure *figure = drawing->figure;
    double width, height;
    cairn_status status;
    TRY(SCRATCH(drawing->ctx, &tree, 1));
    TRY(SCRATCH(drawing->ctx, &view, 1));
    TRY(cairn_tree_choose(drawing->ctx, view, figure, MOST_NODES, FEW_NODES, SIZE_MAX));
    tree->view = view;
    TRY(collect_boxes(drawing->ctx, tree, figure));
    TRY(lay_out(drawing->ctx, tree, figure, &width, &height));
    TRY(cairn_legend_collect(drawing->ctx, &tree->legend, figure));
    drawing->width = fmax(fmax(width + 24, 160), figure->width);
    double title = cairn_measure(figure->title, CAIRN_TITLE_SIZE, true) + 28;
    drawing->width = fmax(drawing->width, fmin(title, 480));
    double head = fmax(cairn_title_height(figure->title, drawing->width) + 6, 12);
    tree->elbows = is_wide(tree);
    tree->left = (drawing->width - width) / 2;
    tree->top = head;
    drawing->height = head + height + 12;
    if (tree->legend.n) {
        double columns = fmax(1, floor((drawing->width - 24) / 110));
        double rows = ceil((double)tree->legend.n_shown / columns);
        cairn_legend_measure(&tree->legend, drawing->width - 16, fmax(rows, 1) * 15 + 8);
        tree->legend.box.x = 8;
        tree->legend.box.y = drawing->height;
        drawing->height += tree->legend.box.height + 4;
    }
    drawing->height = fmax(drawing->height, figure->height);
    drawing->tree = tree;
done:
    return status;
}

static void draw_shares(cairn_canvas *canvas, const cairn_tree_node *node, cairn_box box)
{
    double total = 0, at = box.x + pad_x, room = box.width - 2 * pad_x;
    double y = box.y + box.height - pad_y - share_height + 1;
    for (size_t i = 0; i < node->n_shares; i++)
        if (isfinite(node->shares[i]) && node->shares[i] > 0) total += node->shares[i];
    for (size_t i = 0; i < node->n_shares && total > 0; i++) {
        double share = node->shares[i];
        if (!isfinite(share) || share <= 0) continue;
        cairn_style style = cairn_fill_style(cairn_group_colour((int64_t)i));
        canvas->rectangle(canvas, (cairn_box){at, y, room * share / total, share_height}, 0,
                          &style);
        at += room * share / total;
    }
    cairn_style frame = cairn_line_style(0x9A9A9A, 0.5);
    canvas->rectangle(canvas, (cairn_box){box.x + pad_x, y, room, share_height}, 0, &frame);
}

static cairn_status draw_text(cairn_context *ctx, cairn_canvas *canvas, const cairn_tree_node *node,
                              cairn_box box)
{
    cairn_lines lines = {.at = node->text};
    const char *start, *fitted;
    size_t length;
    cairn_status status = CAIRN_OK;
    while (cairn_next_line(&lines, &start, &length)) {
        bool first = lines.number == 1;
        cairn_font font = cairn_plain_font(first ? first_size : other_size, CAIRN_MIDDLE);
        font.bold = first;
        font.colour = first ? 0x1A1A1A : 0x505050;
        TRY(fit_line(ctx, &fitted, start, length, font.size, first));
        canvas->text(canvas, box.x + box.width / 2,
                     box.y + pad_y - 3 + (double)lines.number * line_step, fitted, &font);
    }
done:
    return status;
}

static cairn_status draw_box(cairn_drawing *drawing, cairn_canvas *canvas, size_t i)
{
    const struct cairn_tree_picture *tree = drawing->tree;
    const cairn_layout_node *at = &tree->boxes[i];
    cairn_box box = {tree->left + at->x - at->width / 2, tree->top + at->y, at->width, at->height};
    int number = tree->source[i];
    if (number < 0) {
        char text[CAIRN_NUMBER_SIZE + 24];
        cairn_font font = cairn_plain_font(other_size, CAIRN_MIDDLE);
        font.colour = CAIRN_QUIET;
        write_hidden(text, tree->view->hidden[-1 - number]);
        canvas->text(canvas, box.x + box.width / 2, box.y + 11, text, &font);
        return CAIRN_OK;
    }
    const cairn_tree_node *node = &drawing->figure->nodes[number];
    cairn_colour colour = cairn_group_colour(node->group);
    cairn_style style = cairn_line_style(node->is_leaf ? colour : 0x8A8A8A, 1.1);
    style.fill = node->is_leaf ? cairn_mix(colour, 0xFFFFFF, 0.84) : 0xF7F7F7;
    canvas->rectangle(canvas, box, node->is_leaf ? 9 : 2, &style);
    if (node->shares) draw_shares(canvas, node, box);
    return draw_text(drawing->ctx, canvas, node, box);
}

static void draw_edge(cairn_drawing *drawing, cairn_canvas *canvas, size_t i)
{
    const struct cairn_tree_picture *tree = drawing->tree;
    const cairn_layout_node *at = &tree->boxes[i], *from = &tree->boxes[at->parent];
    cairn_style style = cairn_line_style(0x9A9A9A, 1.1);
    const char *edge = tree->source[i] < 0 ? NULL : drawing->figure->nodes[tree->source[i]].edge;
    bool labelled = edge && *edge;
    double x = tree->left + at->x, top = tree->top + at->y;
    double end = labelled ? top - edge_room : top;
    double start_x = tree->left + from->x, start = tree->top + from->y + from->height;
    double turn = top - (labelled ? edge_room : 0) - 10; /* the same for a whole level */
    const double line[] = {start_x, start, x, end};
    const double elbow[] = {start_x, start, start_x, turn, x, turn, x, end};
    if (tree->source[i] < 0) style.dash = 2;
    canvas->path(canvas, tree->elbows ? elbow : line, tree->elbows ? 4 : 2, false, &style);
    if (!labelled) return;
    cairn_font font = cairn_plain_font(edge_size, CAIRN_MIDDLE);
    cairn_draw_fitted(drawing->ctx, canvas, x, top - 4, edge, &font, most_text);
}

cairn_status cairn_treeplot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    struct cairn_tree_picture *tree = drawing->tree;
    cairn_status status = CAIRN_OK;
    for (size_t i = 1; i < tree->n; i++) draw_edge(drawing, canvas, i);
    for (size_t i = 0; i < tree->n; i++) TRY(draw_box(drawing, canvas, i));
    if (tree->legend.n) cairn_legend_draw(drawing->ctx, canvas, &tree->legend);
    status = canvas->status;
done:
    return status;
}
