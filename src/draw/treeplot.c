/* SPDX-License-Identifier: MIT */
/* Pictures of trees: boxes measured from their text, placed by treelayout.c, joined by lines that
 * end above the label of the branch, so that lines never cross a label. From left to right the same
 * layout is turned, and labels stand on the last piece of their line. */
#include "draw/treeplot.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "draw/plot.h"
#include "draw/treelayout.h"
#include <math.h>
#include <string.h>

enum { MOST_NODES = 200, FEW_NODES = 64, MOST_CHILDREN = 40 };

static const double other_size = 9.5, edge_size = 10;
static const double pad_x = 9, pad_y = 6, share_height = 5, most_text = 190, edge_buffer = 15;
static const double oval_x = 1.3, oval_y = 1.25; /* how much an ellipse is larger than its text */

struct cairn_tree_picture {
    cairn_layout_node *boxes; /* n; shown nodes and marks of what is hidden */
    int *source;              /* n: number of the node, or -1 - number for a mark under it */
    size_t n;
    const cairn_tree_view *view;
    cairn_legend legend;
    double left, top;
    bool elbows;   /* wide trees: lines go down, across and down */
    double across; /* from left to right: room for the longest label of a branch */
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
    CHECK(SCRATCH_EACH(ctx, n, &out->shown, &out->hidden));
    CHECK(SCRATCH(ctx, &per_level, n + 1));
    CHECK(SCRATCH_EACH(ctx, n, &sizes, &order));
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
        const cairn_figure_node *node = &figure->nodes[i];
        bool fits = (size_t)node->depth <= limit;
        if (i && large && order[node->parent] >= MOST_CHILDREN) fits = false;
        if (i) order[node->parent]++;
        out->shown[i] = fits && (i == 0 || out->shown[node->parent]);
        if (i && !out->shown[i] && out->shown[node->parent]) out->hidden[node->parent] += sizes[i];
    }
    return CAIRN_OK;
}

static bool is_oval(const cairn_figure *figure, const cairn_figure_node *node)
{
    return figure->tree_form & CAIRN_FORM_GRAPH ||
           (node->is_leaf && figure->tree_form & CAIRN_FORM_OVALS);
}

static cairn_status measure_box(cairn_context *ctx, cairn_layout_node *box,
                                const cairn_figure *figure, const cairn_figure_node *node)
{
    double width, height;
    if (figure->tree_form & CAIRN_FORM_GRAPH) {
        box->width = box->height = figure->n_nodes < 100 ? 22 : 26;
        return CAIRN_OK;
    }
    CHECK(cairn_node_measure(ctx, node->text, &width, &height));
    bool oval = is_oval(figure, node);
    box->width = fmax(width, 20) * (oval ? oval_x : 1) + 2 * pad_x;
    box->height = height * (oval ? oval_y : 1) + 2 * pad_y;
    if (node->shares && !oval) box->height += share_height + 4;
    return CAIRN_OK;
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
    CHECK(SCRATCH_EACH(ctx, 2 * n, &tree->boxes, &tree->source));
    CHECK(SCRATCH(ctx, &box_of, n));
    for (size_t i = 0; i < n; i++) {
        if (!view->shown[i]) continue;
        const cairn_figure_node *node = &figure->nodes[i];
        cairn_layout_node *box = &tree->boxes[tree->n];
        CHECK(measure_box(ctx, box, figure, node));
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
    return CAIRN_OK;
}

/* Room of the label over a box, 0 without one. */
static double label_buffer(const struct cairn_tree_picture *tree, const cairn_figure *figure,
                           size_t i)
{
    if (tree->source[i] < 0 || figure->tree_form & CAIRN_FORM_GRAPH) return 0;
    const char *edge = figure->nodes[tree->source[i]].edge;
    return edge && *edge ? fmin(cairn_measure(edge, edge_size, false), most_text) + 4 : 0;
}

/* Layout needs room for the label of the branch as well; the box keeps its own width. */
static cairn_status lay_out_down(cairn_context *ctx, struct cairn_tree_picture *tree,
                                 const cairn_figure *figure, double *width, double *height)
{
    cairn_layout_node *blocks;
    bool any_edge = false, graph = figure->tree_form & CAIRN_FORM_GRAPH;
    CHECK(SCRATCH(ctx, &blocks, tree->n));
    for (size_t i = 0; i < tree->n; i++) {
        double buffer = label_buffer(tree, figure, i);
        blocks[i] = tree->boxes[i];
        any_edge |= buffer > 0;
        blocks[i].width = fmax(blocks[i].width, buffer);
    }
    CHECK(cairn_tree_layout(ctx, blocks, tree->n, graph ? 8 : 14,
                            graph      ? 20
                            : any_edge ? 26 + edge_buffer
                                       : 30,
                            width, height));
    for (size_t i = 0; i < tree->n; i++) {
        tree->boxes[i].x = blocks[i].x;
        tree->boxes[i].y = blocks[i].y;
    }
    return CAIRN_OK;
}

/* The layout of boxes that lie on their side, turned. */
static cairn_status lay_out_across(cairn_context *ctx, struct cairn_tree_picture *tree,
                                   const cairn_figure *figure, double *width, double *height)
{
    cairn_layout_node *blocks;
    CHECK(SCRATCH(ctx, &blocks, tree->n));
    for (size_t i = 0; i < tree->n; i++) {
        blocks[i] = tree->boxes[i];
        blocks[i].width = fmax(tree->boxes[i].height, 26);
        blocks[i].height = tree->boxes[i].width;
        tree->across = fmax(tree->across, label_buffer(tree, figure, i));
    }
    CHECK(cairn_tree_layout(ctx, blocks, tree->n, 9, tree->across + 22, height, width));
    for (size_t i = 0; i < tree->n; i++) {
        tree->boxes[i].x = blocks[i].y + tree->boxes[i].width / 2;
        tree->boxes[i].y = blocks[i].x - tree->boxes[i].height / 2;
        tree->boxes[i].depth = blocks[i].depth;
    }
    return CAIRN_OK;
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
    CHECK(SCRATCH_EACH(drawing->ctx, 1, &tree, &view));
    CHECK(cairn_tree_choose(drawing->ctx, view, figure, MOST_NODES, FEW_NODES, SIZE_MAX));
    tree->view = view;
    CHECK(collect_boxes(drawing->ctx, tree, figure));
    if (figure->tree_form & CAIRN_FORM_ACROSS)
        CHECK(lay_out_across(drawing->ctx, tree, figure, &width, &height));
    else
        CHECK(lay_out_down(drawing->ctx, tree, figure, &width, &height));
    CHECK(cairn_legend_collect(drawing->ctx, &tree->legend, figure));
    drawing->width = fmax(fmax(width + 24, 160), figure->width);
    double title = cairn_measure(figure->title, CAIRN_TITLE_SIZE, true) + 28;
    drawing->width = fmax(drawing->width, fmin(title, 480));
    double head = fmax(cairn_title_height(figure, drawing->width) + 6, 12);
    tree->elbows = is_wide(tree);
    tree->left = (drawing->width - width) / 2;
    tree->top = head;
    drawing->height = head + height + 12;
    if (tree->legend.n) {
        cairn_legend_fit(&tree->legend, drawing->width - 16);
        tree->legend.box.x = 8;
        tree->legend.box.y = drawing->height;
        drawing->height += tree->legend.box.height + 4;
    }
    drawing->height = fmax(drawing->height, figure->height);
    drawing->tree = tree;
    return CAIRN_OK;
}

static void draw_shares(cairn_canvas *canvas, const cairn_figure_node *node, cairn_box box)
{
    double total = 0, at = box.x + pad_x, buffer = box.width - 2 * pad_x;
    double y = box.y + box.height - pad_y - share_height + 1;
    for (size_t i = 0; i < node->n_shares; i++)
        if (isfinite(node->shares[i]) && node->shares[i] > 0) total += node->shares[i];
    for (size_t i = 0; i < node->n_shares && total > 0; i++) {
        double share = node->shares[i];
        if (!isfinite(share) || share <= 0) continue;
        cairn_style style = cairn_fill_style(cairn_group_fill((int64_t)i));
        canvas->rectangle(canvas, (cairn_box){at, y, buffer * share / total, share_height}, 0,
                          &style);
        at += buffer * share / total;
    }
    cairn_style frame = cairn_line_style(0x9A9A9A, 0.5);
    canvas->rectangle(canvas, (cairn_box){box.x + pad_x, y, buffer, share_height}, 0, &frame);
}

static void draw_oval(cairn_canvas *canvas, cairn_box box, const cairn_style *style)
{
    enum { CORNERS = 60 };
    double xy[2 * CORNERS], x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (box.width == box.height) {
        canvas->circle(canvas, x, y, box.width / 2, style);
        return;
    }
    for (int i = 0; i < CORNERS; i++) {
        double angle = 2 * M_PI * i / CORNERS;
        xy[2 * i] = x + box.width / 2 * cairn_cos(angle);
        xy[2 * i + 1] = y + box.height / 2 * cairn_sin(angle);
    }
    canvas->path(canvas, xy, CORNERS, true, style);
}

static cairn_style node_style(const cairn_figure_node *node)
{
    cairn_colour colour = cairn_group_fill(node->group);
    cairn_style style = cairn_line_style(node->is_leaf ? colour : 0x8A8A8A, 1.1);
    style.fill = node->is_leaf ? cairn_mix(colour, 0xFFFFFF, 0.84) : 0xF7F7F7;
    if (node->flags & CAIRN_NODE_OPEN) {
        style.dash = 1;
        style.fill = 0xFFFFFF;
    }
    if (node->flags & CAIRN_NODE_MARKED) {
        style.width = 2.4;
        if (!node->is_leaf) style.stroke = CAIRN_INK;
    }
    return style;
}

/* A negative source is no node but a note of how many nodes are hidden there; leaves have round
 * corners, and shares take room from the text above them. */
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
    const cairn_figure_node *node = &drawing->figure->nodes[number];
    cairn_style style = node_style(node);
    double width, height;
    if (drawing->figure->tree_form & CAIRN_FORM_GRAPH) {
        /* A node of the graph: its number, from 1, in a disc. */
        char text[CAIRN_NUMBER_SIZE];
        cairn_font font = cairn_plain_font(9, CAIRN_MIDDLE);
        cairn_number_format(text, number + 1.0, 15);
        draw_oval(canvas, box, &style);
        canvas->text(canvas, box.x + box.width / 2, box.y + box.height / 2 + 3.2, text, &font);
        return CAIRN_OK;
    }
    bool oval = is_oval(drawing->figure, node), shares = node->shares && !oval;
    if (oval)
        draw_oval(canvas, box, &style);
    else
        canvas->rectangle(canvas, box, node->is_leaf ? 9 : 2, &style);
    if (shares) draw_shares(canvas, node, box);
    cairn_status status = cairn_node_measure(drawing->ctx, node->text, &width, &height);
    if (status) return status;
    double top = box.y + (box.height - height) / 2 - (shares ? (share_height + 4) / 2 : 0);
    return cairn_node_write(drawing->ctx, canvas, node->text, box.x + box.width / 2, top);
}

/* The line to box i in at most four points, and where its label stands. */
typedef struct tree_edge {
    double xy[8];
    size_t n;
    double label_x, label_y;
} tree_edge;

static tree_edge edge_down(const struct cairn_tree_picture *tree, size_t i, bool labelled)
{
    const cairn_layout_node *at = &tree->boxes[i], *from = &tree->boxes[at->parent];
    double x = tree->left + at->x, top = tree->top + at->y;
    double end = labelled ? top - edge_buffer : top;
    double start_x = tree->left + from->x, start = tree->top + from->y + from->height;
    double turn = end - 10; /* the same for a whole level */
    if (!tree->elbows) return (tree_edge){{start_x, start, x, end}, 2, x, top - 4};
    return (tree_edge){{start_x, start, start_x, turn, x, turn, x, end}, 4, x, top - 4};
}

/* From the right side of the parent to the left side of the child; the label is over its end. */
static tree_edge edge_across(const struct cairn_tree_picture *tree, size_t i)
{
    const cairn_layout_node *at = &tree->boxes[i], *from = &tree->boxes[at->parent];
    double end = tree->left + at->x - at->width / 2, y = tree->top + at->y + at->height / 2;
    double start = tree->left + from->x + from->width / 2;
    double start_y = tree->top + from->y + from->height / 2, turn = end - tree->across - 8;
    return (tree_edge){
        {start, start_y, turn, start_y, turn, y, end, y}, 4, turn + (end - turn) / 2, y - 4};
}

/* Edges to hidden parts are dashed, those on the marked path thick; a label is written only where
 * the layout left room for it. */
static void draw_edge(cairn_drawing *drawing, cairn_canvas *canvas, size_t i)
{
    const struct cairn_tree_picture *tree = drawing->tree;
    cairn_style style = cairn_line_style(0x9A9A9A, 1.1);
    const cairn_figure_node *node =
        tree->source[i] < 0 ? NULL : &drawing->figure->nodes[tree->source[i]];
    bool labelled = label_buffer(tree, drawing->figure, i) > 0;
    tree_edge edge = drawing->figure->tree_form & CAIRN_FORM_ACROSS ? edge_across(tree, i)
                                                                    : edge_down(tree, i, labelled);
    if (!node) style.dash = 2;
    if (node && node->flags & CAIRN_NODE_MARKED) {
        style.width = 2.4;
        style.stroke = CAIRN_INK;
    }
    canvas->path(canvas, edge.xy, edge.n, false, &style);
    if (!node || !labelled) return;
    cairn_font font = cairn_plain_font(edge_size, CAIRN_MIDDLE);
    cairn_draw_fitted(drawing->ctx, canvas, edge.label_x, edge.label_y, node->edge, &font,
                      most_text);
}

cairn_status cairn_treeplot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    struct cairn_tree_picture *tree = drawing->tree;
    for (size_t i = 1; i < tree->n; i++) draw_edge(drawing, canvas, i);
    for (size_t i = 0; i < tree->n; i++) CHECK(draw_box(drawing, canvas, i));
    if (tree->legend.n) cairn_legend_draw(drawing->ctx, canvas, &tree->legend);
    return canvas->status;
}
