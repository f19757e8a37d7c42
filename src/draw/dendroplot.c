/* SPDX-License-Identifier: MIT */
/* Pictures of dendrograms: ends side by side with their names, joins at their heights, an axis that
 * tells these. The root stands on one of four sides; everything is placed by how far `along` the
 * ends and how high it lies, so that the sides differ in two functions only.
 *
 * What is written at a join stands in a box on it. Boxes of different branches have room beside
 * each other, since ends are set as far apart as their boxes need; of boxes that lie above each
 * other the higher is written where both find no place. */
#include "base/memory.h"
#include "draw/dendrolayout.h"
#include "draw/plot.h"
#include <math.h>

static const double text_size = 9.5, line_width = 1.4, box_height = 15, gap = 7;
static const double most_name = 160, most_slot = 220;

struct cairn_dendro_picture {
    cairn_dendro_layout layout;
    cairn_axis axis; /* of heights, or of their ranks */
    double slot;     /* points that the room of a leaf takes */
    double start;    /* where the room of the first end begins */
    double edge;     /* where names begin, on the axis of heights */
    double name_buffer;
    double over; /* what the box at the root needs beyond it */
    double axis_buffer;
    bool upright; /* names are turned by 90 degrees */
    cairn_box area;
    double foot; /* below the area: names or axis */
    cairn_legend legend;
};

static bool is_across(const cairn_dendro *tree)
{
    return tree->look.root == CAIRN_ROOT_LEFT || tree->look.root == CAIRN_ROOT_RIGHT;
}

/* Whether the ends lie at the larger coordinate: below, or on the right. */
static bool ends_last(const cairn_dendro *tree)
{
    return tree->look.root == CAIRN_ROOT_TOP || tree->look.root == CAIRN_ROOT_LEFT;
}

/* -- measuring -- */

static double text_width(const char *text)
{
    return text && *text ? cairn_measure(text, text_size, false) + 8 : 0;
}

static double widest_end(const cairn_dendro_layout *o)
{
    double widest = 0;
    for (size_t k = 0; k < o->n_ends; k++) {
        const char *text = o->tree->branches[o->ends[k]].text;
        widest = fmax(widest, text ? cairn_measure(text, CAIRN_TICK_SIZE, false) : 0);
    }
    return fmin(widest, most_name);
}

static double widest_join(const cairn_dendro *tree)
{
    double widest = 0;
    for (size_t i = 0; i < tree->n; i++)
        if (tree->branches[i].left >= 0) widest = fmax(widest, text_width(tree->branches[i].text));
    return fmin(widest, most_slot);
}

/* The room of a leaf that lets every box at a join stand over the ends of its own branch. */
static double slot_for_boxes(const cairn_dendro_layout *o)
{
    double slot = 0;
    for (size_t i = 0; i < o->n; i++) {
        const cairn_branch *b = &o->tree->branches[i];
        if (b->left < 0) continue;
        double width = text_width(b->text);
        if (width > 0) slot = fmax(slot, (width + 4) / (o->end[i] - o->first[i]));
    }
    return fmin(slot, most_slot);
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static double widest_tick(const struct cairn_dendro_picture *p)
{
    double widest = 0;
    char text[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < p->axis.n_ticks; i++)
        widest = fmax(widest, cairn_measure(p->axis.labels[i], CAIRN_TICK_SIZE, false));
    for (size_t i = 0; p->layout.tree->look.ranks && i < p->layout.n_levels; i++) {
        cairn_label_number(text, p->layout.levels[i], 4);
        widest = fmax(widest, cairn_measure(text, CAIRN_TICK_SIZE, false));
    }
    return widest;
}

static void choose_axis(struct cairn_dendro_picture *p, const cairn_figure *figure)
{
    const cairn_dendro_layout *o = &p->layout;
    double low = fmin(o->low, 0), high = o->high;
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].kind == CAIRN_RULE_Y)
            cairn_range_include(&low, &high, figure->series[s].y[0], CAIRN_SCALE_LINEAR);
    if (!(high > low)) high = low + 1;
    if (o->tree->look.ranks) {
        p->axis = (cairn_axis){.low = 0, .high = fmax((double)o->n_levels, 1)};
        return;
    }
    cairn_axis_fit(&p->axis, CAIRN_SCALE_LINEAR, NAN, NAN, low, high, 0, high > 0 ? 0.02 : 0);
    cairn_axis_ticks(&p->axis, 6);
}

/* Length of the axis of heights. */
static double depth_of(const struct cairn_dendro_picture *p, double options)
{
    const cairn_dendro *tree = p->layout.tree;
    bool across = is_across(tree);
    double step = across ? fmax(28, widest_join(tree) + 14) : 28;
    if (tree->look.ranks) return fmax(step * (double)p->layout.n_levels, across ? 160 : 90);
    return options > 0 ? fmax(options, 60) : across ? 340 : 240;
}

/* Names below or above the ends, turned where they do not fit side by side. */
static void measure_upright(cairn_drawing *drawing, struct cairn_dendro_picture *p)
{
    const cairn_figure *figure = drawing->figure;
    const cairn_dendro_layout *o = &p->layout;
    double names = widest_end(o), width = figure->width > 0 ? figure->width : 480;
    double left = 12 + (p->axis_buffer > 0 ? p->axis_buffer : 0), right = 14;
    double buffer = (width - left - right) / o->width;
    p->slot = fmax(figure->width > 0 ? fmax(buffer, 4) : clamp(buffer, 14, 64), slot_for_boxes(o));
    p->upright = names + 6 > p->slot;
    p->name_buffer = p->upright ? names + gap + 4 : CAIRN_TICK_SIZE + gap + 2;
    p->over = widest_join(&figure->dendro) > 0 ? box_height / 2 + 2 : 2;
    double options = figure->height > 0 ? figure->height - p->name_buffer - 60 : 0;
    double depth = depth_of(p, options);
    p->start = left;
    p->area = (cairn_box){left, 0, p->slot * o->width, depth + p->over};
    p->foot = ends_last(&figure->dendro) ? p->name_buffer : 6;
    drawing->width = left + p->area.width + right;
}

/* The same with names beside the ends and the axis below. */
static void measure_across(cairn_drawing *drawing, struct cairn_dendro_picture *p)
{
    const cairn_figure *figure = drawing->figure;
    const cairn_dendro_layout *o = &p->layout;
    bool right = ends_last(&figure->dendro);
    double height = figure->height > 0 ? figure->height - 70 : 300;
    double least = widest_join(&figure->dendro) > 0 ? box_height + 3 : 13.5;
    p->name_buffer = widest_end(o) + gap + 4;
    p->over = fmax(widest_join(&figure->dendro) / 2 + 4, widest_tick(p) / 2 - 8);
    p->slot = clamp(height / o->width, least, 26);
    double left = right ? 14 : 10 + p->name_buffer;
    double options = figure->width > 0 ? figure->width - p->name_buffer - p->over - 28 : 0;
    double depth = depth_of(p, options);
    p->area = (cairn_box){left, 0, depth + p->over, p->slot * o->width};
    p->foot = p->axis_buffer + 4;
    drawing->width = left + p->area.width + (right ? p->name_buffer + 10 : 16);
}

/* Ends of the axis of heights on the canvas, once the top of the area is known. */
static void place_axis(struct cairn_dendro_picture *p)
{
    const cairn_dendro *tree = p->layout.tree;
    double first = is_across(tree) ? p->area.x : p->area.y;
    double last = first + (is_across(tree) ? p->area.width : p->area.height);
    if (is_across(tree)) p->start = p->area.y;
    p->axis.from = p->edge = ends_last(tree) ? last : first;
    p->axis.to = ends_last(tree) ? first + p->over : last - p->over;
}

cairn_status cairn_dendroplot_prepare(cairn_drawing *drawing)
{
    const cairn_figure *figure = drawing->figure;
    const cairn_dendro *tree = &figure->dendro;
    struct cairn_dendro_picture *p;
    CHECK(SCRATCH(drawing->ctx, &p, 1));
    CHECK(cairn_dendro_place(drawing->ctx, &p->layout, tree));
    CHECK(cairn_legend_collect(drawing->ctx, &p->legend, figure));
    choose_axis(p, figure);
    double title = figure->y_title ? 17 : 0;
    if (!tree->look.no_axis) p->axis_buffer = title + (is_across(tree) ? 20 : widest_tick(p) + 12);
    (is_across(tree) ? measure_across : measure_upright)(drawing, p);
    double heading = cairn_measure(figure->title, CAIRN_TITLE_SIZE, true) + 28;
    drawing->width = fmax(fmax(drawing->width, fmin(heading, 480)), 160);
    p->area.y = fmax(cairn_title_height(figure, drawing->width) + 8, 12);
    if (tree->look.root == CAIRN_ROOT_BOTTOM) p->area.y += p->name_buffer;
    drawing->height = p->area.y + p->area.height + p->foot + 8;
    if (tree->look.note) drawing->height += 14;
    if (p->legend.n) {
        cairn_legend_fit(&p->legend, drawing->width - 16);
        p->legend.box.x = 8;
        p->legend.box.y = drawing->height;
        drawing->height += p->legend.box.height + 4;
    }
    place_axis(p);
    drawing->dendro = p;
    return CAIRN_OK;
}

/* -- drawing -- */

static double level(const struct cairn_dendro_picture *p, double height)
{
    const cairn_dendro_layout *o = &p->layout;
    return cairn_axis_place(&p->axis, o->tree->look.ranks ? cairn_dendro_rank(o, height) : height);
}

/* Where leaves stand: at height 0, which by ranks is below all merges. */
static double ground(const struct cairn_dendro_picture *p)
{
    return p->layout.tree->look.ranks ? p->axis.from : level(p, 0);
}

/* A point so far along the ends and at a place of the axis of heights. */
static void put(const struct cairn_dendro_picture *p, double *xy, double along, double at)
{
    double side = p->start + along * p->slot;
    bool across = is_across(p->layout.tree);
    xy[0] = across ? at : side;
    xy[1] = across ? side : at;
}

static void draw_line(const struct cairn_dendro_picture *p, cairn_canvas *canvas,
                      const double *from, const double *to, const cairn_style *style)
{
    double xy[4];
    put(p, xy, from[0], from[1]);
    put(p, xy + 2, to[0], to[1]);
    canvas->path(canvas, xy, 2, false, style);
}

static cairn_style branch_style(const cairn_branch *branch)
{
    return cairn_line_style(branch->group < 0 ? CAIRN_QUIET : cairn_group_colour(branch->group),
                            line_width);
}

/* The line from a branch to the height of the join above it; an inversion is dashed. */
static void draw_stem(const struct cairn_dendro_picture *p, cairn_canvas *canvas, int i,
                      double join)
{
    const cairn_branch *b = &p->layout.tree->branches[i];
    bool leaf = b->left < 0 && b->size <= 1;
    cairn_style style = branch_style(b);
    style.dash = !leaf && join < b->height ? 1 : 0;
    const double from[] = {p->layout.place[i], leaf ? ground(p) : level(p, b->height)};
    const double to[] = {p->layout.place[i], level(p, join)};
    draw_line(p, canvas, from, to, &style);
}

/* What stands for several leaves: its tip where they are joined, its base at height 0. */
static void draw_triangle(const struct cairn_dendro_picture *p, cairn_canvas *canvas, int i)
{
    const cairn_dendro_layout *o = &p->layout;
    const cairn_branch *b = &o->tree->branches[i];
    cairn_style style = branch_style(b);
    double xy[6], base = ground(p), half = 0.42 * (o->end[i] - o->first[i]);
    style.fill = cairn_mix(style.stroke, 0xFFFFFF, 0.7);
    put(p, xy, o->place[i], level(p, b->height));
    put(p, xy + 2, o->place[i] - half, base);
    put(p, xy + 4, o->place[i] + half, base);
    canvas->path(canvas, xy, 3, true, &style);
}

/* A turned name ends or begins at its leaf; of ends that stand too close to each other only every
 * so many are named. */
static void draw_names(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_dendro_picture *p = drawing->dendro;
    const cairn_dendro *tree = p->layout.tree;
    bool across = is_across(tree), last = ends_last(tree);
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_MIDDLE);
    double away = last ? gap : -gap, free = -INFINITY;
    double need = across || p->upright ? CAIRN_TICK_SIZE + 1 : 0;
    if (across) font.align = last ? CAIRN_START : CAIRN_END;
    if (p->upright) font.align = last ? CAIRN_END : CAIRN_START;
    if (p->upright) font.angle = 90;
    for (size_t k = 0; k < p->layout.n_ends; k++) {
        int i = p->layout.ends[k];
        double xy[2];
        put(p, xy, p->layout.place[i], p->edge + away);
        double along = across ? xy[1] : xy[0];
        if (!tree->branches[i].text || along < free) continue;
        free = along + need;
        if (p->upright) xy[0] += 3.5;
        if (across) xy[1] += 3.5;
        if (!across && !p->upright && last) xy[1] += CAIRN_TICK_SIZE - 2;
        cairn_draw_fitted(drawing->ctx, canvas, xy[0], xy[1], tree->branches[i].text, &font,
                          p->name_buffer);
    }
}

/* From the root downwards, so that of two that overlap the larger branch is named. */
static cairn_status draw_boxes(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_dendro_picture *p = drawing->dendro;
    const cairn_dendro *tree = p->layout.tree;
    cairn_style style = cairn_line_style(0xB4B4B4, 0.8);
    cairn_font font = cairn_plain_font(text_size, CAIRN_MIDDLE);
    cairn_box *drawn;
    size_t n = 0;
    style.fill = 0xFFFFFF;
    CHECK(SCRATCH_RAW(drawing->ctx, &drawn, tree->n));
    for (size_t i = tree->n; i-- > 0;) {
        if (tree->branches[i].left < 0 || !tree->branches[i].text) continue;
        /* A box for the text of a join, over the ends of its branch and apart from their names. */
        const cairn_dendro_layout *o = &p->layout;
        double width = fmin(text_width(o->tree->branches[i].text), most_slot), xy[2];
        put(p, xy, o->place[i], level(p, o->tree->branches[i].height));
        if (!is_across(o->tree)) {
            double first = p->start + o->first[i] * p->slot, end = p->start + o->end[i] * p->slot;
            xy[0] = clamp(xy[0], fmin(first + width / 2, (first + end) / 2),
                          fmax(end - width / 2, (first + end) / 2));
        }
        cairn_box box = {xy[0] - width / 2, xy[1] - box_height / 2, width, box_height};
        if (is_across(o->tree))
            box.x = clamp(box.x, p->area.x, fmax(p->area.x + p->area.width - width, p->area.x));
        else
            box.y = clamp(box.y, p->area.y, p->area.y + p->area.height - box_height);
        bool hidden = false;
        for (size_t k = 0; k < n && !hidden; k++) {
            cairn_box b = drawn[k];
            hidden = box.x < b.x + b.width && b.x < box.x + box.width && box.y < b.y + b.height &&
                     b.y < box.y + box.height;
        }
        if (hidden) continue;
        drawn[n++] = box;
        canvas->rectangle(canvas, box, 3, &style);
        cairn_draw_fitted(drawing->ctx, canvas, box.x + box.width / 2, box.y + 10.6,
                          tree->branches[i].text, &font, box.width - 4);
    }
    return CAIRN_OK;
}

/* A tick of the axis with its label, unless the label before it needs the room. */
static void draw_tick(const struct cairn_dendro_picture *p, cairn_canvas *canvas, double at,
                      const char *label, double *free)
{
    bool across = is_across(p->layout.tree), down = p->axis.to > p->axis.from;
    cairn_style style = cairn_line_style(CAIRN_QUIET, 0.8);
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, across ? CAIRN_MIDDLE : CAIRN_END);
    double axis = across ? p->area.y + p->area.height + 4 : p->area.x - 6;
    double half = across ? cairn_measure(label, CAIRN_TICK_SIZE, false) / 2 + 4 : 6;
    double order = down ? at : -at;
    const double xy[] = {across ? at : axis, across ? axis : at, across ? at : axis - 4,
                         across ? axis + 4 : at};
    canvas->path(canvas, xy, 2, false, &style);
    if (order - half < *free) return;
    *free = order + half;
    canvas->text(canvas, across ? at : axis - 6, across ? axis + 14 : at + 3.5, label, &font);
}

static void draw_ticks(const struct cairn_dendro_picture *p, cairn_canvas *canvas)
{
    const cairn_dendro_layout *o = &p->layout;
    double free = -INFINITY;
    char label[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < p->axis.n_ticks; i++)
        draw_tick(p, canvas, cairn_axis_place(&p->axis, p->axis.ticks[i]), p->axis.labels[i],
                  &free);
    for (size_t i = 0; o->tree->look.ranks && i < o->n_levels; i++) {
        cairn_label_number(label, o->levels[i], 4);
        draw_tick(p, canvas, level(p, o->levels[i]), label, &free);
    }
}

static void draw_axis(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_dendro_picture *p = drawing->dendro;
    bool across = is_across(p->layout.tree);
    cairn_style style = cairn_line_style(CAIRN_QUIET, 0.8);
    cairn_font font = cairn_plain_font(CAIRN_AXIS_SIZE, CAIRN_MIDDLE);
    double axis = across ? p->area.y + p->area.height + 4 : p->area.x - 6;
    double middle = (p->axis.from + p->axis.to) / 2;
    const double line[] = {across ? p->axis.from : axis, across ? axis : p->axis.from,
                           across ? p->axis.to : axis, across ? axis : p->axis.to};
    if (p->layout.tree->look.no_axis) return;
    canvas->path(canvas, line, 2, false, &style);
    draw_ticks(p, canvas);
    if (!drawing->figure->y_title) return;
    font.angle = across ? 0 : 90;
    cairn_draw_fitted(drawing->ctx, canvas, across ? middle : 14, across ? axis + 30 : middle,
                      drawing->figure->y_title, &font, fabs(p->axis.to - p->axis.from));
}

/* Reference lines across all branches: cuts. */
static void draw_cuts(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_dendro_picture *p = drawing->dendro;
    for (size_t s = 0; s < drawing->figure->n_series; s++) {
        const cairn_series *series = &drawing->figure->series[s];
        if (series->kind != CAIRN_RULE_Y) continue;
        cairn_style style = cairn_line_style(CAIRN_INK, 1.2);
        style.dash = 1 + (int)(series->ordinal % CAIRN_N_DASHES);
        const double from[] = {0, level(p, series->y[0])};
        const double to[] = {p->layout.width, from[1]};
        draw_line(p, canvas, from, to, &style);
    }
}

static void draw_note(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_dendro_picture *p = drawing->dendro;
    cairn_font font = cairn_plain_font(CAIRN_CAPTION_SIZE, CAIRN_START);
    font.colour = CAIRN_QUIET;
    if (!p->layout.tree->look.note) return;
    cairn_draw_fitted(drawing->ctx, canvas, 12, p->area.y + p->area.height + p->foot + 14,
                      p->layout.tree->look.note, &font, canvas->width - 24);
}

cairn_status cairn_dendroplot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    struct cairn_dendro_picture *p = drawing->dendro;
    const cairn_dendro *tree = p->layout.tree;
    draw_axis(drawing, canvas);
    draw_cuts(drawing, canvas);
    for (size_t k = 0; k < p->layout.n_ends; k++)
        if (tree->branches[p->layout.ends[k]].size > 1) draw_triangle(p, canvas, p->layout.ends[k]);
    for (size_t i = tree->n; i-- > 0;)
        if (tree->branches[i].left >= 0) {
            const cairn_branch *b = &p->layout.tree->branches[i];
            double at = level(p, b->height);
            cairn_style style = branch_style(b);
            const double from[] = {p->layout.place[b->left], at};
            const double to[] = {p->layout.place[b->right], at};
            draw_stem(p, canvas, b->left, b->height);
            draw_stem(p, canvas, b->right, b->height);
            draw_line(p, canvas, from, to, &style);
        }
    draw_names(drawing, canvas);
    CHECK(draw_boxes(drawing, canvas));
    draw_note(drawing, canvas);
    if (p->legend.n) cairn_legend_draw(drawing->ctx, canvas, &p->legend);
    return canvas->status;
}
