/* SPDX-License-Identifier: MIT */
/* Plots with axes in letters. One group of points and all lines are braille dots; several groups of
 * points are letters of their own, so that they differ without colour. The first histogram is made
 * of blocks in eighths, further ones are outlines; stacked ones are shades. */
#include "base/memory.h"
#include "draw/terminal.h"
#include <math.h>
#include <string.h>

typedef struct term_plot {
    cairn_plot plot; /* axes in dots: half cells across, quarter cells down */
    cairn_grid grid;
    size_t left, width, height; /* cells of the dotted part */
} term_plot;

static size_t widest_label(const cairn_axis *axis)
{
    size_t widest = 0;
    for (size_t i = 0; i < axis->n_ticks; i++) {
        size_t width = cairn_text_width(axis->labels[i]);
        if (width > widest) widest = width;
    }
    return widest;
}

/* First cell of the label under tick i, counted from the axis; never negative. */
static size_t label_start(const term_plot *t, size_t i, size_t width)
{
    double centre = (double)t->left + 1 + cairn_axis_place(&t->plot.x, t->plot.x.ticks[i]) / 2;
    double start = floor(centre - (double)width / 2 + 0.5);
    double most = (double)t->grid.columns - (double)width;
    return (size_t)fmax(0, fmin(start, most));
}

static bool labels_collide(const term_plot *t)
{
    size_t end = 0;
    for (size_t i = 0; i < t->plot.x.n_ticks; i++) {
        size_t width = cairn_text_width(t->plot.x.labels[i]), start = label_start(t, i, width);
        if (i && start < end + 1) return true;
        end = start + width;
    }
    return false;
}

/* A character holds 2 x 4 dots, hence the ranges of the axes; ticks of the x axis become fewer
 * until no labels touch. */
static cairn_status lay_out(cairn_context *ctx, term_plot *t, size_t columns)
{
    cairn_plot *plot = &t->plot;
    t->height = columns < 40 ? 8 : columns < 60 ? 12 : columns < 100 ? 16 : 20;
    cairn_plot_y_ticks(plot, (int)t->height / 3);
    t->left = plot->figure->no_axes ? 0 : widest_label(&plot->y);
    if (t->left > columns / 3) t->left = columns / 3;
    t->width = columns - t->left - 2;
    plot->x.from = 0;
    plot->x.to = 2 * (double)t->width - 1;
    plot->y.from = 4 * (double)t->height - 1;
    plot->y.to = 0;
    CHECK(cairn_grid_start(ctx, &t->grid, columns, t->height + 2));
    t->grid.left = t->left + 1;
    t->grid.width = t->width;
    t->grid.height = t->height;
    int wanted = (int)(t->width / 8) + 1;
    size_t step = 1, names = plot->figure->n_categories;
    do {
        if (names)
            cairn_axis_names(&plot->x, plot->figure->categories, names, step++);
        else
            cairn_axis_ticks(&plot->x, wanted);
    } while (labels_collide(t) && --wanted > 0);
    if (labels_collide(t)) plot->x.n_ticks = 1;
    if (plot->figure->no_axes) plot->x.n_ticks = plot->y.n_ticks = 0;
    return CAIRN_OK;
}

/* A tiny amount is added before places are cut to whole characters, so that a tick which rounding
 * left just below one still falls into it. */
static void draw_axes(term_plot *t)
{
    cairn_grid *grid = &t->grid;
    const cairn_plot *plot = &t->plot;
    if (plot->figure->no_axes) return;
    for (size_t r = 0; r < t->height; r++) cairn_grid_text(grid, t->left, r, "│", 1, CAIRN_PLAIN);
    cairn_grid_text(grid, t->left, t->height, "└", 1, CAIRN_PLAIN);
    for (size_t c = 0; c < t->width; c++)
        cairn_grid_text(grid, t->left + 1 + c, t->height, "─", 1, CAIRN_PLAIN);
    for (size_t i = 0; i < plot->y.n_ticks; i++) {
        size_t row = (size_t)(cairn_axis_place(&plot->y, plot->y.ticks[i]) / 4 + 0.001);
        size_t width = cairn_text_width(plot->y.labels[i]);
        if (width > t->left) width = t->left;
        if (row >= t->height) continue;
        cairn_grid_text(grid, t->left - width, row, plot->y.labels[i], width, CAIRN_PLAIN);
        cairn_grid_text(grid, t->left, row, "┤", 1, CAIRN_PLAIN);
    }
    for (size_t i = 0; i < plot->x.n_ticks; i++) {
        size_t cell = (size_t)(cairn_axis_place(&plot->x, plot->x.ticks[i]) / 2 + 0.001);
        size_t width = cairn_text_width(plot->x.labels[i]);
        if (cell >= t->width) continue;
        cairn_grid_text(grid, t->left + 1 + cell, t->height, "┬", 1, CAIRN_PLAIN);
        cairn_grid_text(grid, label_start(t, i, width), t->height + 1, plot->x.labels[i], width,
                        CAIRN_PLAIN);
    }
}

static void draw_curve(term_plot *t, const double *xs, const double *ys, size_t n, int skip,
                       int colour)
{
    double last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < n; i++) {
        double x = cairn_axis_place(&t->plot.x, xs[i]), y = cairn_axis_place(&t->plot.y, ys[i]);
        if (isnan(x) || isnan(y)) {
            last_x = NAN;
            continue;
        }
        if (isnan(last_x))
            cairn_grid_dot(&t->grid, x, y, colour);
        else
            cairn_grid_line(&t->grid, last_x, last_y, x, y, skip, colour);
        last_x = x;
        last_y = y;
    }
}

/* A small letter where the line is seen last, when there are several lines. */
static void draw_line_letter(term_plot *t, const cairn_series *series, int colour)
{
    const char letter[2] = {cairn_line_letter(series->ordinal), 0};
    if (t->plot.figure->counts[CAIRN_LINE] < 2) return;
    for (size_t i = series->n; i-- > 0;) {
        double x = cairn_axis_place(&t->plot.x, series->x[i]) / 2;
        double y = cairn_axis_place(&t->plot.y, series->y[i]) / 4;
        if (!(x >= 0 && y >= 0 && x < (double)t->width && y < (double)t->height)) continue;
        cairn_grid_letter(&t->grid, x, y, letter, colour);
        return;
    }
}

static void draw_points(term_plot *t, const cairn_series *series)
{
    if (t->plot.figure->marking == CAIRN_MARKING_NAMES) return;
    bool letters = cairn_figure_n_groups(t->plot.figure) > 1 ||
                   t->plot.figure->marking != CAIRN_MARKING_SHAPES;
    for (size_t i = 0; i < series->n; i++) {
        double x = cairn_axis_place(&t->plot.x, series->x[i]);
        double y = cairn_axis_place(&t->plot.y, series->y[i]);
        int group = series->group ? (int)(series->group[i] % 1000) : 0;
        if (group < 0) group = -1;
        if (isnan(x) || isnan(y)) continue;
        if (letters)
            cairn_grid_letter(&t->grid, x / 2, y / 4,
                              cairn_group_letter(t->plot.figure->marking, group), group);
        else
            cairn_grid_dot(&t->grid, x, y, group);
    }
}

/* Cells are as dark as their colours, dots are letters. */
static void draw_colours(term_plot *t, const cairn_series *series)
{
    static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
    for (size_t i = 0; i < series->n; i++) {
        double x = cairn_axis_place(&t->plot.x, series->x[i]);
        double y = cairn_axis_place(&t->plot.y, series->y[i]);
        unsigned c = (unsigned)series->group[i];
        unsigned bright = (299 * (c >> 16) + 587 * (c >> 8 & 255) + 114 * (c & 255)) / 1000;
        if (isnan(x) || isnan(y)) continue;
        cairn_grid_letter(&t->grid, x / 2, y / 4,
                          series->is_area ? shades[4 - bright * 5 / 256] : "●", CAIRN_PLAIN);
    }
}

/* A face hides what lies behind it; a large one shows its edges, small ones are shaded alone, which
 * together show the form of a surface. */
static void draw_face(term_plot *t, const cairn_series *series, int colour)
{
    enum { MOST_CORNERS = 16, LARGE = 16 };
    double xy[2 * MOST_CORNERS], low = INFINITY, high = -INFINITY;
    size_t n = series->n < MOST_CORNERS ? series->n : MOST_CORNERS;
    for (size_t i = 0; i < n; i++) {
        xy[2 * i] = cairn_axis_place(&t->plot.x, series->x[i]);
        xy[2 * i + 1] = cairn_axis_place(&t->plot.y, series->y[i]);
        if (isnan(xy[2 * i]) || isnan(xy[2 * i + 1])) return;
        low = fmin(low, xy[2 * i]), high = fmax(high, xy[2 * i]);
    }
    if (n > 2) cairn_grid_shade(&t->grid, xy, n, series->strength, colour);
    if (n == 1)
        cairn_grid_letter(&t->grid, xy[0] / 2, xy[1] / 4,
                          cairn_group_letter(t->plot.figure->marking, series->of_group), colour);
    if (n < 2 || (n > 2 && high - low < LARGE)) return;
    draw_curve(t, series->x, series->y, n, 1, colour);
    if (n > 2) cairn_grid_line(&t->grid, xy[2 * n - 2], xy[2 * n - 1], xy[0], xy[1], 1, colour);
}

/* Blocks of eighths from the zero line to the count, for the bin under the middle of each cell. */
static void draw_blocks(term_plot *t, const cairn_series *series, int colour)
{
    static const char *const blocks[] = {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const cairn_plot *plot = &t->plot;
    double zero = plot->y.scale == CAIRN_SCALE_LINEAR ? cairn_axis_place(&plot->y, 0) : NAN;
    double floor_row = isnan(zero) || zero > plot->y.from ? (double)t->height : (zero + 1) / 4;
    for (size_t i = 0; i < series->n; i++) {
        double from = cairn_axis_place(&plot->x, series->x[i]) / 2;
        double to = cairn_axis_place(&plot->x, series->x[i + 1]) / 2;
        double top = (cairn_axis_place(&plot->y, series->y[i]) + 1) / 4;
        if (isnan(from) || isnan(to) || isnan(top) || top > floor_row) continue;
        int first = (int)ceil(fmax(from, 0) - 0.5), last = (int)fmin(to, (double)t->width);
        for (int c = first; c <= last && c + 0.5 < to; c++)
            for (int r = (int)fmax(top, 0); r < floor_row; r++) {
                int eighths = (int)(fmin(1, r + 1 - top) * 8 + 0.5);
                if (eighths > 0) cairn_grid_letter(&t->grid, c, r, blocks[eighths], colour);
            }
    }
}

/* A histogram that stands on others: whole cells in its shade from where it stands to its top. */
static void draw_shade(term_plot *t, const cairn_series *series, int colour)
{
    const cairn_plot *plot = &t->plot;
    for (size_t i = 0; i < series->n; i++) {
        double from = cairn_axis_place(&plot->x, series->x[i]) / 2;
        double to = cairn_axis_place(&plot->x, series->x[i + 1]) / 2;
        double top = (cairn_axis_place(&plot->y, series->y[i]) + 1) / 4;
        double foot = (cairn_axis_place(&plot->y, series->high[i]) + 1) / 4;
        if (isnan(from) || isnan(to) || isnan(top) || isnan(foot)) continue;
        int first = (int)ceil(fmax(from, 0) - 0.5), last = (int)fmin(to, (double)t->width);
        for (int c = first; c <= last && c + 0.5 < to; c++)
            for (int r = (int)floor(fmax(top, 0) + 0.5); r < (int)floor(foot + 0.5); r++)
                cairn_grid_letter(&t->grid, c, r, cairn_shade_letter(series->ordinal), colour);
    }
}

static void draw_rule(term_plot *t, const cairn_series *series)
{
    double x = cairn_axis_place(&t->plot.x, series->x[0]);
    double y = cairn_axis_place(&t->plot.y, series->y[0]);
    if (series->kind == CAIRN_RULE_X && !isnan(x))
        cairn_grid_line(&t->grid, x, 0, x, 4 * (double)t->height - 1, 2, -1);
    if (series->kind == CAIRN_RULE_Y && !isnan(y))
        cairn_grid_line(&t->grid, 0, y, 2 * (double)t->width - 1, y, 2, -1);
}

static void draw_label(term_plot *t, const cairn_series *series)
{
    double x = floor(cairn_axis_place(&t->plot.x, series->x[0]) / 2);
    double y = floor(cairn_axis_place(&t->plot.y, series->y[0]) / 4);
    double width = (double)cairn_text_width(series->label);
    if (!(x >= 0 && y >= 0 && x < (double)t->width && y < (double)t->height)) return;
    double start = x + 1 + width <= (double)t->width ? x + 1 : fmax(0, x - width);
    if (series->align == 'c' || series->align == 'm') start = fmax(0, x - floor(width / 2));
    if (series->align == 'r') start = fmax(0, x - width + 1);
    if (series->align == 'l') start = x;
    if (series->align && series->align != 'm' && y > 0)
        y--; /* above, so that a line under it stays */
    cairn_grid_text(&t->grid, t->left + 1 + (size_t)start, (size_t)y, series->label,
                    t->width - (size_t)start,
                    series->align == 'm' ? (int)series->of_group : CAIRN_PLAIN);
}

/* What a terminal cannot show by colour it shows by letters and shades; the first histogram is
 * filled, others are outlines over it. */
static void draw_series(term_plot *t, const cairn_series *series)
{
    int colour = (int)cairn_series_colour(t->plot.figure, series);
    switch (series->kind) {
    case CAIRN_POINTS: draw_points(t, series); break;
    case CAIRN_LINE:
        draw_curve(t, series->x, series->y, series->n, series->dashed ? 3 : 1, colour);
        if (!series->guide && !series->thick && (series->label || !series->dashed))
            draw_line_letter(t, series, colour);
        break;
    case CAIRN_BAND:
        if (series->is_area && series->high) break; /* borders are lines of their own */
        if (!series->high) {
            draw_curve(t, series->x, series->y, series->n, 1, colour);
            break;
        }
        draw_curve(t, series->x, series->y, series->n, 3, colour);
        draw_curve(t, series->x, series->high, series->n, 3, colour);
        break;
    case CAIRN_FACE: draw_face(t, series, colour); break;
    case CAIRN_COLOURS: draw_colours(t, series); break;
    case CAIRN_HISTOGRAM:
        if (series->high)
            draw_shade(t, series, colour);
        else if (series->ordinal == 0)
            draw_blocks(t, series, colour);
        else {
            for (size_t i = 0; i < series->n; i++) {
                const double x[] = {series->x[i], series->x[i], series->x[i + 1]};
                const double y[] = {i ? series->y[i - 1] : 0, series->y[i], series->y[i]};
                draw_curve(t, x, y, 3, 1, colour);
            }
        }
        break;
    case CAIRN_RULE_X:
    case CAIRN_RULE_Y: draw_rule(t, series); break;
    case CAIRN_MARK:
        cairn_grid_letter(&t->grid, cairn_axis_place(&t->plot.x, series->x[0]) / 2,
                          cairn_axis_place(&t->plot.y, series->y[0]) / 4,
                          cairn_mark_letter(cairn_mark_shape(t->plot.figure, series)), CAIRN_PLAIN);
        break;
    case CAIRN_LABEL: draw_label(t, series); break;
    default: break;
    }
}

/* Letters hide dots, so outlines of further histograms clear the blocks under them. */
static void uncover_dots(cairn_grid *grid)
{
    for (size_t i = 0; i < grid->rows * grid->columns; i++) {
        cairn_terminal_cell *cell = &grid->cells[i];
        bool block = strlen(cell->letter) == 3 && memcmp(cell->letter, "\xE2\x96", 2) == 0 &&
                     (unsigned char)cell->letter[2] <= 0x93;
        if (block && cell->dots) cell->letter[0] = 0;
    }
}

static void add_axis_title(cairn_text *out, const char *title, const char *note, size_t columns,
                           size_t indent, const char *arrow)
{
    cairn_text line = cairn_text_start(out->ctx);
    bool has_title = title && *title;
    if (!has_title && !*note) return;
    cairn_text_add_repeat(&line, ' ', indent);
    cairn_text_add(&line, arrow);
    if (has_title) cairn_text_add(&line, title);
    if (*note) cairn_text_addf(&line, has_title ? " (%s)" : "%s", note);
    cairn_add_line(out, cairn_text_string(&line), columns);
    if (cairn_text_status(&line)) out->status = cairn_text_status(&line);
    cairn_text_clear(&line);
}

static size_t count_unplaced(const cairn_plot *plot)
{
    size_t n = 0;
    for (size_t s = 0; s < plot->figure->n_series; s++) {
        const cairn_series *series = &plot->figure->series[s];
        for (size_t i = 0; series->kind == CAIRN_POINTS && i < series->n; i++)
            n += !cairn_axis_shows(&plot->x, series->x[i]) ||
                 !cairn_axis_shows(&plot->y, series->y[i]);
    }
    return n;
}

cairn_status cairn_terminal_plot(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                 bool colour, cairn_text *out)
{
    static const cairn_series_kind order[] = {
        CAIRN_RULE_X,  CAIRN_RULE_Y, CAIRN_HISTOGRAM, CAIRN_BAND, CAIRN_FACE,
        CAIRN_COLOURS, CAIRN_POINTS, CAIRN_LINE,      CAIRN_MARK, CAIRN_LABEL};
    term_plot *t;
    CHECK(SCRATCH(ctx, &t, 1));
    t->plot.ctx = ctx;
    t->plot.figure = figure;
    cairn_plot_ranges(&t->plot);
    CHECK(lay_out(ctx, t, columns));
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t s = 0; s < figure->n_series; s++)
            if (figure->series[s].kind == order[k] && figure->series[s].n)
                draw_series(t, &figure->series[s]);
    uncover_dots(&t->grid);
    draw_axes(t);
    add_axis_title(out, figure->y_title, t->plot.y.note, columns, 0, "");
    cairn_grid_write(&t->grid, out, colour);
    size_t title = cairn_text_width(figure->x_title ? figure->x_title : "");
    size_t indent = title + 2 < t->width ? t->left + 1 + (t->width - title) / 2 : 0;
    add_axis_title(out, figure->x_title, t->plot.x.note, columns, indent, "");
    CHECK(cairn_terminal_legend(ctx, figure, columns, colour, false, out));
    size_t unplaced = count_unplaced(&t->plot);
    if (unplaced) {
        char number[CAIRN_NUMBER_SIZE + 40];
        size_t at = cairn_number_format(number, (double)unplaced, 15);
        const char *rest =
            unplaced == 1 ? " point is not on the axes" : " points are not on the axes";
        memcpy(number + at, rest, strlen(rest) + 1);
        cairn_add_line(out, number, columns);
    }
    return cairn_text_status(out);
}
