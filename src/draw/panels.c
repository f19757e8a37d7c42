/* SPDX-License-Identifier: MIT */
/* Figures side by side, in one row or several: each panel is laid out by itself and drawn through a
 * canvas that moves everything to its place. */
#include "base/memory.h"
#include "draw/plot.h"
#include <math.h>

enum { PANEL_GAP = 14 };

typedef struct moved_canvas {
    cairn_canvas canvas;
    cairn_canvas *to;
    double x, y;
    double *buffer; /* for moved points */
    size_t n_buffer;
    cairn_context *ctx;
} moved_canvas;

static bool is_open(moved_canvas *moved)
{
    if (moved->to->status) moved->canvas.status = moved->to->status;
    return moved->canvas.status == CAIRN_OK;
}

/* The points at their place, or NULL when there is no memory for them. */
static const double *move_points(moved_canvas *moved, const double *xy, size_t n)
{
    if (n > moved->n_buffer) {
        moved->canvas.status = SCRATCH_RAW(moved->ctx, &moved->buffer, 2 * n);
        if (moved->canvas.status) return NULL;
        moved->n_buffer = n;
    }
    for (size_t i = 0; i < n; i++) {
        moved->buffer[2 * i] = xy[2 * i] + moved->x;
        moved->buffer[2 * i + 1] = xy[2 * i + 1] + moved->y;
    }
    return moved->buffer;
}

static cairn_box move_box(const moved_canvas *moved, cairn_box box)
{
    return (cairn_box){box.x + moved->x, box.y + moved->y, box.width, box.height};
}

static void move_path(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                      const cairn_style *style)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    const double *points = is_open(moved) ? move_points(moved, xy, n) : NULL;
    if (points) moved->to->path(moved->to, points, n, closed, style);
}

static void move_rectangle(cairn_canvas *canvas, cairn_box box, double radius,
                           const cairn_style *style)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    if (is_open(moved)) moved->to->rectangle(moved->to, move_box(moved, box), radius, style);
}

static void move_circle(cairn_canvas *canvas, double x, double y, double radius,
                        const cairn_style *style)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    if (is_open(moved)) moved->to->circle(moved->to, x + moved->x, y + moved->y, radius, style);
}

static void move_marks(cairn_canvas *canvas, cairn_canvas_shape shape, double radius,
                       const double *xy, size_t n, const cairn_style *style)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    const double *points = is_open(moved) ? move_points(moved, xy, n) : NULL;
    if (points) moved->to->marks(moved->to, shape, radius, points, n, style);
}

static void move_text(cairn_canvas *canvas, double x, double y, const char *text,
                      const cairn_font *font)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    if (is_open(moved)) moved->to->text(moved->to, x + moved->x, y + moved->y, text, font);
}

static void move_clip(cairn_canvas *canvas, cairn_box box)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    if (is_open(moved)) moved->to->clip(moved->to, move_box(moved, box));
}

static void move_unclip(cairn_canvas *canvas)
{
    moved_canvas *moved = (moved_canvas *)canvas;
    if (is_open(moved)) moved->to->unclip(moved->to);
}

static size_t columns_of(const cairn_figure *figure)
{
    size_t columns = figure->panel_columns;
    return columns && columns < figure->n_panels ? columns : figure->n_panels;
}

/* A column is as wide as its widest panel, a row as high as its highest. */
static double column_width(const cairn_drawing *drawing, size_t column)
{
    double width = 0;
    for (size_t i = column; i < drawing->figure->n_panels; i += columns_of(drawing->figure))
        width = fmax(width, drawing->panels[i].width);
    return width;
}

static double row_height(const cairn_drawing *drawing, size_t first)
{
    double height = 0;
    size_t end = first + columns_of(drawing->figure);
    for (size_t i = first; i < end && i < drawing->figure->n_panels; i++)
        height = fmax(height, drawing->panels[i].height);
    return height;
}

cairn_status cairn_panels_prepare(cairn_drawing *drawing)
{
    const cairn_figure *figure = drawing->figure;
    size_t columns = columns_of(figure);
    CHECK(SCRATCH(drawing->ctx, &drawing->panels, figure->n_panels));
    for (size_t i = 0; i < figure->n_panels; i++)
        CHECK(cairn_drawing_prepare(drawing->ctx, &drawing->panels[i], figure->panels[i]));
    for (size_t c = 0; c < columns; c++)
        drawing->width += column_width(drawing, c) + (c ? PANEL_GAP : 0);
    for (size_t i = 0; i < figure->n_panels; i += columns)
        drawing->height += row_height(drawing, i) + (i ? PANEL_GAP : 0);
    drawing->height += cairn_title_height(figure, drawing->width);
    return CAIRN_OK;
}

cairn_status cairn_panels_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    moved_canvas moved = {.to = canvas, .ctx = drawing->ctx};
    size_t columns = columns_of(drawing->figure);
    moved.y = cairn_title_height(drawing->figure, drawing->width);
    for (size_t i = 0; i < drawing->figure->n_panels; i++) {
        cairn_drawing *panel = &drawing->panels[i];
        if (i && i % columns == 0) {
            moved.x = 0;
            moved.y += row_height(drawing, i - columns) + PANEL_GAP;
        }
        moved.canvas = (cairn_canvas){.width = panel->width,
                                      .height = panel->height,
                                      .path = move_path,
                                      .rectangle = move_rectangle,
                                      .circle = move_circle,
                                      .marks = move_marks,
                                      .text = move_text,
                                      .clip = move_clip,
                                      .unclip = move_unclip};
        CHECK(cairn_drawing_draw(panel, &moved.canvas));
        CHECK(moved.canvas.status);
        moved.x += column_width(drawing, i % columns) + PANEL_GAP;
    }
    return CAIRN_OK;
}
