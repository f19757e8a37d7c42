/* SPDX-License-Identifier: MIT */
/* Pictures of orders: nodes measured from their text, placed by orderlayout.c, joined by lines that
 * go around the nodes between. Where that would be very wide the texts are wrapped, first into two
 * lines, then more, at last after every word; and where that is not enough, the order is drawn from
 * left to right, so that it grows in height, which is easier to scroll. */
#include "base/functions.h"
#include "base/memory.h"
#include "draw/orderlayout.h"
#include "draw/plot.h"
#include "draw/terminal.h"
#include "draw/treeplot.h"
#include <math.h>
#include <string.h>

static const double text_size = 10, line_step = 12.5, pad_x = 7, pad_y = 5, most_text = 230;
static const double least_head = 9;
static const double comfort = 1500; /* of a wider picture the texts are wrapped */

enum { MOST_CORNERS = 8, OVAL_POINTS = 48 };

struct cairn_order_picture {
    cairn_order_layout layout;
    const char **texts; /* of the nodes, as they are wrapped */
    cairn_legend legend;
    double left, top;
    bool across;          /* the more general stands further left, not higher */
    bool tables;          /* nodes are written by nodetext.c */
    double width, height; /* of the nodes as they are drawn */
};

/* -- outlines -- */

/* Corners of a polygon that fills the box: a corner on top when their number is odd, else a side;
 * four of them are the box. */
static size_t corners(double *xy, size_t n, cairn_box box)
{
    const double pi = M_PI;
    double low = INFINITY, high = -INFINITY, wide = 0, x0 = box.x + box.width / 2;
    for (size_t i = 0; i < n; i++) {
        double angle = 2 * pi * ((double)i + (n % 2 ? 0 : 0.5)) / (double)n;
        xy[2 * i] = cairn_sin(angle);
        xy[2 * i + 1] = -cairn_cos(angle);
        low = fmin(low, xy[2 * i + 1]);
        high = fmax(high, xy[2 * i + 1]);
        wide = fmax(wide, xy[2 * i]);
    }
    for (size_t i = 0; i < n; i++) {
        xy[2 * i] = x0 + xy[2 * i] / wide * box.width / 2;
        xy[2 * i + 1] = box.y + (xy[2 * i + 1] - low) / (high - low) * box.height;
    }
    return n;
}

void cairn_draw_outline(cairn_canvas *canvas, const cairn_order_look *look, cairn_box box)
{
    double xy[2 * OVAL_POINTS];
    cairn_colour colour = look->group < 0 ? 0x8A8A8A : cairn_group_colour(look->group);
    cairn_style style = cairn_line_style(colour, look->strong ? 2.6 : 1.2);
    style.fill = look->group < 0 ? 0xF9F9F9 : cairn_mix(colour, 0xFFFFFF, 0.78);
    style.dash = look->sides == 1 ? 2 : look->sides == 2 ? 1 : 0;
    if (look->sides == 0) {
        canvas->rectangle(canvas, box, 4, &style);
        return;
    }
    bool polygon = look->sides > 2 && look->sides <= MOST_CORNERS;
    size_t n = corners(xy, polygon ? (size_t)look->sides : OVAL_POINTS, box);
    canvas->path(canvas, xy, n, true, &style);
}

/* What an outline needs around a text of some size. */
static void outline_size(const cairn_order_look *look, double width, double height,
                         cairn_order_box *box)
{
    int n = look->sides;
    double round = n == 0 || n == 4             ? 1
                   : n == 3                     ? 1.62
                   : n > 4 && n <= MOST_CORNERS ? 1.22 + 0.9 / n
                                                : 1.3;
    box->width = fmax(width, n > 2 ? 26 : 0) * round + 2 * pad_x;
    box->height = (n == 3 ? height * 2.1 : height * (round > 1 ? 1.25 : 1)) + 2 * pad_y;
}

/* -- layout -- */

static cairn_status fit_line(cairn_context *ctx, const char **out, const char *start, size_t length)
{
    char *copy;
    cairn_status status = SCRATCH(ctx, &copy, length + 1);
    if (status) return status;
    memcpy(copy, start, length);
    return cairn_fit_text(ctx, out, copy, text_size, false, most_text);
}

/* Whether a node has rows of cells, so that nodetext.c writes them all. */
static bool has_tables(const cairn_figure *figure)
{
    bool any = false;
    for (size_t i = 0; i < figure->n_order_nodes; i++)
        any = any || strchr(figure->order_nodes[i].text, '\t');
    return any;
}

/* A copy whose lines are broken at spaces where they are wider than `buffer`. */
static cairn_status wrap_text(cairn_context *ctx, const char **out, const char *text, double buffer)
{
    size_t length = strlen(text), start = 0, space = 0; /* space > start: one to break at */
    char *copy;
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, text, length);
    for (size_t i = 0; i <= length; i++) {
        char end = copy[i];
        if (end != ' ' && end != '\n' && end != 0) continue;
        copy[i] = 0;
        bool wide = space > start && cairn_measure(copy + start, text_size, false) > buffer;
        copy[i] = end;
        if (wide) {
            copy[space] = '\n';
            start = space + 1;
        }
        space = i;
        if (end == '\n') start = i + 1;
    }
    *out = copy;
    return CAIRN_OK;
}

/* Width of the widest line of all texts. */
static double widest_line(const cairn_figure *figure)
{
    double widest = 0;
    for (size_t i = 0; i < figure->n_order_nodes; i++)
        widest = fmax(widest, cairn_measure(figure->order_nodes[i].text, text_size, false));
    return fmin(widest, most_text);
}

static cairn_status measure(cairn_context *ctx, cairn_order_box *box, const cairn_order_node *node,
                            const char *text, bool tables)
{
    cairn_plot_lines lines = {.at = text};
    const char *start, *fitted;
    size_t length;
    double width = 10, height;
    box->rank = node->look.rank;
    if (tables) {
        CHECK(cairn_node_measure(ctx, text, &width, &height));
        outline_size(&node->look, width, height, box);
        return CAIRN_OK;
    }
    while (cairn_next_line(&lines, &start, &length)) {
        CHECK(fit_line(ctx, &fitted, start, length));
        width = fmax(width, cairn_measure(fitted, text_size, false));
    }
    outline_size(&node->look, width, (double)lines.number * line_step, box);
    return CAIRN_OK;
}

/* An order that goes across is laid out downwards with its boxes turned, and turned back when it
 * is drawn. */
static cairn_status lay_out(cairn_context *ctx, cairn_order_layout *o, const cairn_figure *figure,
                            const char *const *texts, bool across)
{
    *o = (cairn_order_layout){.n = figure->n_order_nodes,
                              .n_links = figure->n_order_lines,
                              .gap = figure->n_order_nodes > 60 ? 8 : 14,
                              .row_gap = across ? 60 : 34};
    bool tables = has_tables(figure);
    CHECK(SCRATCH(ctx, &o->boxes, o->n));
    CHECK(SCRATCH(ctx, &o->links, o->n_links));
    for (size_t i = 0; i < o->n; i++) {
        const cairn_order_node *node = &figure->order_nodes[i];
        cairn_order_box *box = &o->boxes[i];
        CHECK(measure(ctx, box, node, texts ? texts[i] : node->text, tables));
        if (!across) continue;
        double width = box->width;
        box->width = box->height;
        box->height = width;
    }
    for (size_t k = 0; k < o->n_links; k++)
        o->links[k] = (cairn_order_link){.upper = figure->order_lines[k].upper,
                                         .lower = figure->order_lines[k].lower};
    return cairn_order_place(ctx, o);
}

static void use_texts(struct cairn_order_picture *order, const cairn_figure *figure)
{
    for (size_t i = 0; i < figure->n_order_nodes; i++)
        order->texts[i] = figure->order_nodes[i].text;
}

/* Turn an order that is still too wide, if that makes it much narrower. */
static cairn_status turn(cairn_context *ctx, struct cairn_order_picture *order,
                         const cairn_figure *figure)
{
    cairn_order_layout across;
    order->width = order->layout.width;
    order->height = order->layout.height;
    if (order->width <= comfort) return CAIRN_OK;
    CHECK(lay_out(ctx, &across, figure, NULL, true));
    if (across.height > 0.7 * order->width) return CAIRN_OK;
    use_texts(order, figure);
    order->across = true;
    order->layout = across;
    order->width = across.height;
    order->height = across.width;
    return CAIRN_OK;
}

static cairn_status lay_out_wrapped(cairn_context *ctx, struct cairn_order_picture *order,
                                    const cairn_figure *figure)
{
    static const double parts[] = {0.55, 0.38, 0};
    double widest = widest_line(figure);
    CHECK(SCRATCH(ctx, &order->texts, figure->n_order_nodes));
    use_texts(order, figure);
    CHECK(lay_out(ctx, &order->layout, figure, order->texts, false));
    if (has_tables(figure)) return turn(ctx, order, figure);
    for (size_t k = 0; k < sizeof parts / sizeof *parts && order->layout.width > comfort; k++) {
        for (size_t i = 0; i < figure->n_order_nodes; i++)
            CHECK(wrap_text(ctx, &order->texts[i], figure->order_nodes[i].text, parts[k] * widest));
        CHECK(lay_out(ctx, &order->layout, figure, order->texts, false));
    }
    return turn(ctx, order, figure);
}

cairn_status cairn_orderplot_prepare(cairn_drawing *drawing)
{
    struct cairn_order_picture *order;
    const cairn_figure *figure = drawing->figure;
    CHECK(SCRATCH(drawing->ctx, &order, 1));
    order->tables = has_tables(figure);
    CHECK(lay_out_wrapped(drawing->ctx, order, figure));
    CHECK(cairn_legend_collect(drawing->ctx, &order->legend, figure));
    drawing->width = fmax(fmax(order->width + 24, 200), figure->width);
    double title = cairn_measure(figure->title, CAIRN_TITLE_SIZE, true) + 28;
    drawing->width = fmax(drawing->width, fmin(title, 480));
    order->top = fmax(cairn_title_height(figure, drawing->width) + 6, 12);
    if (order->across) order->top += CAIRN_TICK_SIZE + 6;
    order->left = (drawing->width - order->width) / 2;
    drawing->height = order->top + order->height + 12;
    if (order->legend.n) {
        cairn_legend_fit(&order->legend, drawing->width - 16);
        order->legend.box.x = 8;
        order->legend.box.y = drawing->height;
        drawing->height += order->legend.box.height + 4;
    }
    drawing->height = fmax(drawing->height, figure->height);
    drawing->order = order;
    return CAIRN_OK;
}

/* -- drawing -- */

static double row_bottom(const cairn_order_layout *o, int row)
{
    return o->row_top[row] + o->row_depth[row];
}

/* A place of the layout, `along` its rows and `down` from the first one, on the canvas. */
static void add_corner(const struct cairn_order_picture *p, double *xy, size_t *n, double along,
                       double down)
{
    double x = p->left + (p->across ? down : along), y = p->top + (p->across ? along : down);
    if (*n && fabs(xy[*n - 2] - x) < 0.01 && fabs(xy[*n - 1] - y) < 0.01) return;
    xy[(*n)++] = x;
    xy[(*n)++] = y;
}

/* Between the rows a line goes straight, inside a row upright, so that it meets no node. From the
 * bottom of the upper node to the top of the lower one. */
static cairn_status draw_line(cairn_drawing *drawing, cairn_canvas *canvas, size_t k)
{
    const struct cairn_order_picture *p = drawing->order;
    const cairn_order_layout *o = &p->layout;
    const cairn_order_link *link = &o->links[k];
    const cairn_order_box *upper = &o->boxes[link->upper], *lower = &o->boxes[link->lower];
    bool path = drawing->figure->order_lines[k].path;
    cairn_style style = cairn_line_style(path ? CAIRN_INK : 0xA4A4A4, path ? 2.6 : 1);
    double *xy;
    size_t n = 0;
    CHECK(SCRATCH_RAW(drawing->ctx, &xy, 4 * (link->n_bends + 2)));
    add_corner(p, xy, &n, upper->x, upper->y + upper->height);
    add_corner(p, xy, &n, upper->x, row_bottom(o, upper->rank));
    for (size_t i = 0; i < link->n_bends; i++) {
        int row = upper->rank - 1 - (int)i;
        add_corner(p, xy, &n, link->bends[i], o->row_top[row]);
        add_corner(p, xy, &n, link->bends[i], row_bottom(o, row));
    }
    add_corner(p, xy, &n, lower->x, o->row_top[lower->rank]);
    add_corner(p, xy, &n, lower->x, lower->y);
    if (drawing->figure->order_arrows) {
        /* The head has the length of the last piece at most: a short one goes, and the one
         * before it leads to the node. */
        cairn_colour colour = style.stroke;
        double *last = xy + n - 2;
        if (n >= 6 && cairn_hypot(last[0] - last[-2], last[1] - last[-1]) < least_head) {
            last[-2] = last[0];
            last[-1] = last[1];
            n -= 2;
        }
        if (n >= 4) cairn_draw_head(canvas, xy, n / 2, 0, colour);
    }
    canvas->path(canvas, xy, n / 2, false, &style);
    return CAIRN_OK;
}

/* The text of a triangle sits at its base, where it is wide; in all other shapes it is centred. */
static cairn_status draw_node(cairn_drawing *drawing, cairn_canvas *canvas, size_t i)
{
    const struct cairn_order_picture *p = drawing->order;
    const cairn_order_node *node = &drawing->figure->order_nodes[i];
    const cairn_order_box *at = &p->layout.boxes[i];
    cairn_box box = {p->left + at->x - at->width / 2, p->top + at->y, at->width, at->height};
    if (p->across)
        box = (cairn_box){p->left + at->y, p->top + at->x - at->width / 2, at->height, at->width};
    cairn_plot_lines count = {.at = p->texts[i]}, lines = count;
    cairn_font font = cairn_plain_font(text_size, CAIRN_MIDDLE);
    const char *start, *fitted;
    size_t length;
    font.colour = 0x1A1A1A;
    cairn_draw_outline(canvas, &node->look, box);
    if (p->tables)
        return cairn_node_write(drawing->ctx, canvas, p->texts[i], box.x + box.width / 2,
                                box.y + pad_y);
    while (cairn_next_line(&count, &start, &length)) {
    }
    double text = (double)count.number * line_step;
    double first =
        box.y + (node->look.sides == 3 ? box.height - pad_y - text : (box.height - text) / 2);
    while (cairn_next_line(&lines, &start, &length)) {
        CHECK(fit_line(drawing->ctx, &fitted, start, length));
        canvas->text(canvas, box.x + box.width / 2, first + (double)lines.number * line_step - 3,
                     fitted, &font);
    }
    return CAIRN_OK;
}

cairn_status cairn_orderplot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    struct cairn_order_picture *order = drawing->order;
    const cairn_figure *figure = drawing->figure;
    for (int path = 0; path < 2; path++) /* paths lie on top */
        for (size_t k = 0; k < order->layout.n_links; k++)
            if (figure->order_lines[k].path == path) CHECK(draw_line(drawing, canvas, k));
    for (size_t i = 0; i < order->layout.n; i++) CHECK(draw_node(drawing, canvas, i));
    if (order->across && !figure->order_arrows) {
        cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_START);
        font.colour = CAIRN_QUIET;
        canvas->text(canvas, 12, order->top - 6, "the more general stands further left", &font);
    }
    if (order->legend.n) cairn_legend_draw(drawing->ctx, canvas, &order->legend);
    return canvas->status;
}

/* -- letters -- */

/* What the legend says about a look: the labels of its colour, its outline and its strength. */
static void add_meaning(cairn_text *line, const cairn_figure *figure, const cairn_order_look *look)
{
    const char *between = "  [";
    for (size_t k = 0; k < figure->n_order_keys; k++) {
        const cairn_order_key *key = &figure->order_keys[k];
        bool colour = key->look.group >= 0, strong = key->look.strong, sides = key->look.sides > 0;
        if (key->path || (!colour && !strong && !sides)) continue;
        if (colour && key->look.group != look->group) continue;
        if (strong && !look->strong) continue;
        if (sides && !colour && key->look.sides != look->sides) continue;
        cairn_text_addf(line, "%s%s", between, key->label);
        between = ", ";
    }
    if (*between == ',') cairn_text_add(line, "]");
}

enum { INDENT = 6, MOST_CELLS = 16 };

/* The cells of a line one after the other, of those behind the last a NULL; scratch. */
static cairn_status cut_cells(cairn_context *ctx, char *cells[MOST_CELLS], const char *start,
                              size_t length)
{
    char *copy;
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, start, length);
    for (size_t c = 0; c < MOST_CELLS; c++) {
        cells[c] = copy;
        char *tab = copy ? strchr(copy, '\t') : NULL;
        if (tab) *tab = 0;
        copy = tab ? tab + 1 : NULL;
    }
    return CAIRN_OK;
}

/* The lines of a node below its first two, which have rows of cells, in columns. */
static cairn_status add_rows(cairn_context *ctx, cairn_text *out, const char *text, size_t columns)
{
    cairn_plot_lines lines = {.at = text}, again = lines;
    size_t widths[MOST_CELLS] = {0}, length;
    const char *start;
    char *cells[MOST_CELLS];
    while (cairn_next_line(&lines, &start, &length)) {
        if (lines.number <= 2 || !memchr(start, '\t', length)) continue;
        CHECK(cut_cells(ctx, cells, start, length));
        for (size_t c = 0; c < MOST_CELLS && cells[c]; c++)
            if (cairn_text_width(cells[c]) > widths[c]) widths[c] = cairn_text_width(cells[c]);
    }
    while (cairn_next_line(&again, &start, &length)) {
        SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
        if (again.number <= 2) continue;
        bool table = memchr(start, '\t', length);
        CHECK(cut_cells(ctx, cells, start, length));
        cairn_text_addf(&line, "%*s", INDENT, "");
        for (size_t c = 0; c < MOST_CELLS && cells[c]; c++) {
            bool last = c + 1 == MOST_CELLS || !cells[c + 1];
            cairn_add_cells(&line, cells[c], table ? widths[c] : length, !last);
            if (!last) cairn_text_add(&line, "  ");
        }
        cairn_add_cells(out, cairn_text_string(&line), columns, false);
        cairn_text_add_char(out, '\n');
        CHECK(cairn_text_status(&line));
    }
    return CAIRN_OK;
}

/* The node's number, its text, what it is, and the nodes right above it. */
static cairn_status add_node(cairn_context *ctx, cairn_text *out, const cairn_figure *figure,
                             size_t i, const size_t *number, size_t columns, bool colour)
{
    const cairn_order_node *node = &figure->order_nodes[i];
    bool tables = has_tables(figure);
    cairn_text line = cairn_text_start(ctx);
    const char *between = "  under ";
    cairn_text_addf(&line, "%4zu  ", number[i]);
    size_t n_lines = 1;
    for (const char *at = node->text; *at; at++) {
        if (*at == '\n' && ++n_lines > 2 && tables) break;
        if (*at == '\n')
            cairn_text_add(&line, " · ");
        else
            cairn_text_add_char(&line, *at);
    }
    if (!*node->text) cairn_text_add(&line, "·");
    for (size_t k = 0; k < figure->n_order_lines; k++) {
        if ((size_t)figure->order_lines[k].lower != i) continue;
        cairn_text_addf(&line, "%s%zu%s", between, number[figure->order_lines[k].upper],
                        figure->order_lines[k].path ? "*" : "");
        between = ",";
    }
    add_meaning(&line, figure, &node->look);
    cairn_add_colour(out, node->look.group, colour && node->look.group >= 0);
    cairn_add_cells(out, cairn_text_string(&line), columns, false);
    cairn_add_colour(out, CAIRN_PLAIN, colour && node->look.group >= 0);
    cairn_text_add_char(out, '\n');
    cairn_status status = cairn_text_status(&line);
    if (!status && tables) status = add_rows(ctx, out, node->text, columns);
    cairn_text_clear(&line);
    return status;
}

cairn_status cairn_terminal_order(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                  bool colour, cairn_text *out)
{
    cairn_order_layout o;
    size_t *number, next = 0;
    bool path = false;
    CHECK(lay_out(ctx, &o, figure, NULL, false));
    CHECK(SCRATCH(ctx, &number, o.n));
    for (size_t row = o.n_rows; row-- > 0;)
        for (size_t i = 0; i < o.n; i++)
            if ((size_t)o.boxes[i].rank == row) number[i] = ++next;
    for (size_t row = o.n_rows; row-- > 0;) {
        if (row + 1 < o.n_rows) cairn_text_add_char(out, '\n');
        for (size_t i = 0; i < o.n; i++)
            if ((size_t)o.boxes[i].rank == row)
                CHECK(add_node(ctx, out, figure, i, number, columns, colour));
    }
    for (size_t k = 0; k < figure->n_order_lines; k++) path = path || figure->order_lines[k].path;
    if (path) cairn_text_add(out, "\n* the path goes this way\n");
    return cairn_text_status(out);
}
