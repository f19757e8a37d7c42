/* SPDX-License-Identifier: MIT */
/* Plots with axes: ranges, layout, frame.
 *
 * Layout: (1) ranges from the data; (2) margins from the measured labels, ticks from the room that
 * is left, in two rounds because each needs the other; (3) the legend goes where it covers no data,
 * and if there is no such place, to the right or below, and step 2 is done again. */
#include "draw/plot.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

typedef struct margins {
    double left, right, top, bottom;
} margins;

/* What the data of one series need of both axes. */
static void include_series(const cairn_plot *plot, const cairn_series *series,
                           cairn_figure_range *x, cairn_figure_range *y)
{
    cairn_scale xs = plot->figure->x_scale, ys = plot->figure->y_scale;
    size_t n_x = series->n + (series->kind == CAIRN_HISTOGRAM && series->n > 0);
    for (size_t i = 0; i < n_x; i++) cairn_range_include(&x->low, &x->high, series->x[i], xs);
    for (size_t i = 0; i < series->n; i++) {
        bool seen = series->kind == CAIRN_HISTOGRAM || series->kind == CAIRN_RULE_Y ||
                    (isfinite(series->x[i]) && (xs != CAIRN_SCALE_LOG || series->x[i] > 0));
        if (!seen) continue;
        cairn_range_include(&y->low, &y->high, series->y[i], ys);
        if (series->high) cairn_range_include(&y->low, &y->high, series->high[i], ys);
    }
}

static bool all_whole(const double *values, size_t n)
{
    for (size_t i = 0; values && i < n; i++)
        if (isfinite(values[i]) && values[i] != floor(values[i])) return false;
    return true;
}

/* Few whole numbers, such as the rounds of a run or the rows of a bar: ticks between them would
 * mean nothing. Rates may be just 0 and 1, but then their range was asked for or they are
 * heights. */
static bool counts_few(const cairn_figure *figure, const cairn_figure_range *data,
                       const cairn_figure_range *asked, bool is_y)
{
    double span = data->high - data->low, least = is_y || !isnan(asked->high) ? 2 : 1;
    if (!(span >= least && span <= 20)) return false;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        size_t n = series->n + (!is_y && series->kind == CAIRN_HISTOGRAM && series->n > 0);
        if (!all_whole(is_y ? series->y : series->x, n)) return false;
        if (is_y && !all_whole(series->high, n)) return false;
    }
    return true;
}

void cairn_plot_ranges(cairn_plot *plot)
{
    const cairn_figure *figure = plot->figure;
    cairn_figure_range x = {NAN, NAN}, y = {NAN, NAN};
    bool piled = cairn_figure_is_piled(figure);
    plot->by_category = figure->n_categories > 0;
    for (size_t s = 0; s < figure->n_series; s++) include_series(plot, &figure->series[s], &x, &y);
    if (piled) cairn_range_include(&y.low, &y.high, 0, figure->y_scale);
    if (piled && y.low == 0 && y.high == 0) y.high = 1; /* nothing stands on the floor */
    cairn_axis_fit(&plot->y, figure->y_scale, figure->y_range.low, figure->y_range.high, y.low,
                   y.high, piled && y.low == 0 ? 0 : 0.05, piled && y.high == 0 ? 0 : 0.06);
    if (plot->by_category) {
        double last = (double)figure->n_categories - 0.5;
        cairn_axis_fit(&plot->x, CAIRN_SCALE_LINEAR, NAN, NAN, -0.5, last, 0, 0);
    } else {
        double pad = figure->counts[CAIRN_HISTOGRAM] ? 0.02 : 0.04;
        cairn_axis_fit(&plot->x, figure->x_scale, figure->x_range.low, figure->x_range.high, x.low,
                       x.high, pad, pad);
        plot->x.whole = figure->x_scale == CAIRN_SCALE_LINEAR &&
                        (figure->x_counts || counts_few(figure, &x, &figure->x_range, false));
    }
    plot->y.whole = figure->y_scale == CAIRN_SCALE_LINEAR &&
                    (figure->y_counts || counts_few(figure, &y, &figure->y_range, true));
}

void cairn_axis_names(cairn_axis *axis, char *const *names, size_t n, size_t step)
{
    size_t least = (n + CAIRN_MOST_TICKS - 1) / CAIRN_MOST_TICKS;
    axis->n_ticks = 0;
    axis->note[0] = 0;
    for (size_t i = 0; i<n; i += step> least ? step : least) {
        char *label = axis->labels[axis->n_ticks];
        size_t length = 0, letter, cells;
        if (!*names[i]) continue;
        while (names[i][length] &&
               length + (letter = cairn_text_letter(names[i] + length, &cells)) < CAIRN_NUMBER_SIZE)
            length += letter;
        memcpy(label, names[i], length);
        label[length] = 0;
        axis->ticks[axis->n_ticks++] = (double)i;
    }
}

void cairn_plot_y_ticks(cairn_plot *plot, int wanted)
{
    const cairn_figure *figure = plot->figure;
    if (figure->n_y_names)
        cairn_axis_names(&plot->y, figure->y_names, figure->n_y_names, 1);
    else
        cairn_axis_ticks(&plot->y, wanted);
}

static double widest_label(const cairn_axis *axis)
{
    double widest = 0;
    for (size_t i = 0; i < axis->n_ticks; i++)
        widest = fmax(widest, cairn_measure(axis->labels[i], CAIRN_TICK_SIZE, false));
    return widest;
}

/* Whether neighbouring labels of the x axis keep apart. */
static bool labels_collide(const cairn_axis *axis)
{
    for (size_t i = 1; i < axis->n_ticks; i++) {
        double apart =
            cairn_axis_place(axis, axis->ticks[i]) - cairn_axis_place(axis, axis->ticks[i - 1]);
        double need = cairn_measure(axis->labels[i], CAIRN_TICK_SIZE, false) / 2 +
                      cairn_measure(axis->labels[i - 1], CAIRN_TICK_SIZE, false) / 2 + 8;
        if (apart < need) return true;
    }
    return false;
}

static void choose_x_ticks(cairn_plot *plot)
{
    int wanted = (int)fmax(2, plot->area.width / 55);
    do cairn_axis_ticks(&plot->x, wanted);
    while (labels_collide(&plot->x) && --wanted > 0);
    if (labels_collide(&plot->x) && plot->x.n_ticks > 2) { /* the ends alone */
        size_t last = plot->x.n_ticks - 1;
        plot->x.ticks[1] = plot->x.ticks[last];
        memcpy(plot->x.labels[1], plot->x.labels[last], sizeof plot->x.labels[1]);
        plot->x.n_ticks = 2;
    }
    if (labels_collide(&plot->x)) plot->x.n_ticks = 1;
}

static double wanted_height(const cairn_figure *figure)
{
    return figure->height > 0 ? figure->height : 320;
}

/* Whether the names of categories are numbers, of which some can be left out without harm. */
static bool are_numbers(const cairn_figure *figure)
{
    double number;
    for (size_t i = 0; i < figure->n_categories; i++)
        if (!cairn_number_parse(figure->categories[i], strlen(figure->categories[i]), &number))
            return false;
    return true;
}

/* Height that the names or numbers under the x axis take. */
static double x_label_height(const cairn_plot *plot)
{
    if (!plot->by_category || !plot->slanted) return 17;
    return 14 + 0.7071 * plot->name_buffer;
}

static void set_area(cairn_plot *plot, margins m)
{
    plot->area = (cairn_box){m.left, m.top, fmax(plot->width - m.left - m.right, 20),
                             fmax(plot->height - m.top - m.bottom, 20)};
    plot->x.from = plot->area.x;
    plot->x.to = plot->area.x + plot->area.width;
    plot->y.from = plot->area.y + plot->area.height;
    plot->y.to = plot->area.y;
}

static cairn_status title_with_note(cairn_context *ctx, const char **out, const char *title,
                                    const char *note)
{
    bool has_title = title && *title;
    *out = has_title ? title : *note ? note : NULL;
    if (has_title && *note) {
        char *both;
        size_t n = strlen(title), m = strlen(note);
        CHECK(SCRATCH_RAW(ctx, &both, n + m + 4));
        memcpy(both, title, n);
        memcpy(both + n, " (", 2);
        memcpy(both + n + 2, note, m);
        memcpy(both + n + 2 + m, ")", 2);
        *out = both;
    }
    return CAIRN_OK;
}

/* A figure without axes has the room of ticks and labels to itself. */
static void drop_ticks(cairn_plot *plot)
{
    if (plot->figure->no_axes) plot->x.n_ticks = plot->y.n_ticks = 0;
}

/* Names that are cut go without what all of them share: the room that the others take. */
static cairn_status measure_own_parts(cairn_plot *plot, double most, double *widest)
{
    const cairn_figure *figure = plot->figure;
    size_t first, last;
    const char *name;
    cairn_names_common(figure->categories, figure->n_categories, &first, &last);
    *widest = 0;
    for (size_t i = 0; i < figure->n_categories; i++) {
        CHECK(cairn_fit_name(plot->ctx, &name, figure->categories[i], first, last, CAIRN_TICK_SIZE,
                             most));
        *widest = fmax(*widest, cairn_measure(name, CAIRN_TICK_SIZE, false));
    }
    return CAIRN_OK;
}

/* Ticks from the room, margins from the labels; the second round settles it. */
static cairn_status choose_area(cairn_plot *plot, double reserve_right, double reserve_bottom)
{
    set_area(plot, (margins){50, 14, 30, 40 + reserve_bottom});
    for (int round = 0; round < 3; round++) {
        cairn_plot_y_ticks(plot, (int)fmax(2, plot->area.height / 42));
        if (plot->by_category) {
            plot->x.n_ticks = 0;
            /* Names of categories: level if they fit, else slanted, else only every k-th. */
            const cairn_figure *figure = plot->figure;
            double widest = 0, most = 0.42 * wanted_height(figure);
            double slot = plot->area.width / (plot->x.high - plot->x.low);
            for (size_t i = 0; i < figure->n_categories; i++)
                widest = fmax(widest, cairn_measure(figure->categories[i], CAIRN_TICK_SIZE, false));
            if (widest > most) CHECK(measure_own_parts(plot, most, &widest));
            bool level = widest + 6 <= slot || (widest < 40 && are_numbers(figure));
            double need = level ? widest + 6 : slot < CAIRN_NAME_SLOT ? 26 : CAIRN_NAME_SLOT;
            plot->slanted = !level;
            plot->name_step = (size_t)fmax(1, ceil(need / slot));
            plot->name_buffer = level ? widest : fmin(widest, 0.42 * wanted_height(figure));
        } else {
            choose_x_ticks(plot);
        }
        drop_ticks(plot);
        CHECK(title_with_note(plot->ctx, &plot->x_title, plot->figure->x_title, plot->x.note));
        CHECK(title_with_note(plot->ctx, &plot->y_title, plot->figure->y_title, plot->y.note));
        /* Margins follow from the labels, and the last label of the axis may reach past the
         * area; with slanted names the first one may stick out to the left. */
        margins m = {.left = 14, .right = 14, .top = 12, .bottom = 8};
        double title = cairn_title_height(plot->figure, plot->width);
        if (title > 0) m.top = title + 6;
        m.left += widest_label(&plot->y) + 8 + (plot->y_title ? 17 : 0);
        m.bottom += x_label_height(plot) + (plot->x_title ? 17 : 0);
        if (plot->n_unplaced || plot->n_points > CAIRN_MOST_SHOWN) m.bottom += 15;
        if (!plot->by_category && plot->x.n_ticks) {
            size_t last = plot->x.n_ticks - 1;
            double reach = cairn_measure(plot->x.labels[last], CAIRN_TICK_SIZE, false) / 2;
            double past =
                plot->area.x + plot->area.width - cairn_axis_place(&plot->x, plot->x.ticks[last]);
            m.right = fmax(m.right, reach - past + 6);
        }
        if (plot->slanted && plot->by_category) {
            double slot = plot->area.width / (plot->x.high - plot->x.low);
            m.left = fmax(m.left, 0.7071 * plot->name_buffer + 10 - slot / 2);
        }
        m.right += reserve_right;
        m.bottom += reserve_bottom;
        set_area(plot, m);
    }
    return CAIRN_OK;
}

/* The length that the axis with length to spare keeps: all of it, unless it would show much more
 * than the data and may be shorter. */
static double spare_length(const cairn_plot *plot, const cairn_axis *spare, double unit)
{
    double length = fabs(spare->to - spare->from), need = (spare->high - spare->low) / unit;
    return plot->figure->fixed_size ? length : fmin(length, fmax(1.6 * need, 0.45 * length));
}

/* One unit gets the same length on both axes: the axis with length to spare shows more, or, where
 * its range was asked for or the data are a flat cloud, takes less of the canvas. */
static void make_equal(cairn_plot *plot)
{
    const cairn_figure *figure = plot->figure;
    bool linear = plot->x.scale == CAIRN_SCALE_LINEAR && plot->y.scale == CAIRN_SCALE_LINEAR;
    if (!figure->equal_axes || !linear || plot->by_category) return;
    double x_unit = (plot->x.high - plot->x.low) / plot->area.width;
    double y_unit = (plot->y.high - plot->y.low) / plot->area.height;
    cairn_axis *spare = x_unit < y_unit ? &plot->x : &plot->y;
    const cairn_figure_range *asked = x_unit < y_unit ? &figure->x_range : &figure->y_range;
    double unit = fmax(x_unit, y_unit);
    bool fixed = !isnan(asked->low) && !isnan(asked->high);
    if (!fixed) {
        double span = unit * spare_length(plot, spare, unit);
        double middle = spare->low + (spare->high - spare->low) / 2;
        spare->low = middle - span / 2;
        spare->high = middle + span / 2;
    }
    if (spare == &plot->x) {
        plot->area.width = (plot->x.high - plot->x.low) / unit;
        plot->x.to = plot->x.from + plot->area.width;
    } else {
        plot->area.height = (plot->y.high - plot->y.low) / unit;
        plot->y.from = plot->y.to + plot->area.height;
    }
    cairn_plot_y_ticks(plot, (int)fmax(2, plot->area.height / 42));
    choose_x_ticks(plot);
    drop_ticks(plot);
}

/* The area beside what is reserved. Names below it may not take most of the height: the plot grows
 * unless its size is fixed. */
static cairn_status settle_area(cairn_plot *plot, double reserve_right, double reserve_bottom)
{
    CHECK(choose_area(plot, reserve_right, reserve_bottom));
    /* Nor may names be left out, unless there are very many: the plot widens for them. */
    double narrow = CAIRN_NAME_SLOT * (double)plot->figure->n_categories + 1 - plot->area.width;
    if (plot->by_category && plot->name_step > 1 && narrow > 0 && !are_numbers(plot->figure) &&
        plot->figure->n_categories <= CAIRN_MOST_WIDENED && !plot->figure->fixed_size) {
        plot->width += narrow;
        CHECK(choose_area(plot, reserve_right, reserve_bottom));
    }
    double missing = 0.6 * wanted_height(plot->figure) - plot->area.height;
    if (plot->slanted && missing > 0 && !plot->figure->fixed_size) {
        plot->height += missing;
        CHECK(choose_area(plot, reserve_right, reserve_bottom));
    }
    make_equal(plot);
    return CAIRN_OK;
}

/* Put the legend inside if it covers nothing there, else to the right, else below. Outside, the
 * plot keeps its size and the canvas grows, unless it is fixed. */
static cairn_status place_legend(cairn_plot *plot)
{
    cairn_legend *legend = &plot->legend;
    bool grows = !plot->figure->fixed_size;
    bool found = false;
    CHECK(settle_area(plot, 0, 0));
    if (legend->n == 0) return CAIRN_OK;
    plot->has_legend = legend->framed = true;
    cairn_legend_measure(legend, plot->area.width * 0.6, plot->area.height * 0.6);
    if (legend->n_shown == legend->n)
        CHECK(cairn_plot_find_buffer(plot, legend->box.width, legend->box.height, &legend->box,
                                     &found));
    if (found) return CAIRN_OK;
    legend->framed = false;
    legend->n_shown = legend->n < CAIRN_MOST_KEYS ? legend->n : CAIRN_MOST_KEYS;
    double buffer = grows ? fmax(0.5 * plot->width, 180) : 0.36 * plot->width;
    cairn_legend_measure(legend, buffer, plot->area.height);
    bool right =
        legend->n_columns == 1 && legend->n_shown == legend->n && (grows || plot->width >= 300);
    if (right) {
        if (grows) plot->width += legend->box.width;
        CHECK(settle_area(plot, legend->box.width, 0));
        legend->box.x = plot->area.x + plot->area.width + 8;
        legend->box.y = plot->area.y - 4;
    } else {
        legend->n_shown = legend->n < CAIRN_MOST_KEYS ? legend->n : CAIRN_MOST_KEYS;
        if (grows)
            cairn_legend_fit(legend, plot->width - 24);
        else
            cairn_legend_measure(legend, plot->width - 24, plot->height * 0.3);
        if (grows) plot->height += legend->box.height + 4;
        CHECK(settle_area(plot, 0, legend->box.height + 4));
        legend->box.x = 12;
        legend->box.y = plot->height - legend->box.height - 4;
    }
    return CAIRN_OK;
}

static void count_points(cairn_plot *plot)
{
    const cairn_figure *figure = plot->figure;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind != CAIRN_POINTS) continue;
        for (size_t i = 0; i < series->n; i++) {
            if (cairn_axis_shows(&plot->x, series->x[i]) &&
                cairn_axis_shows(&plot->y, series->y[i]))
                plot->n_points++;
            else
                plot->n_unplaced++;
        }
    }
}

/* Equal axes may leave the right side or the bottom empty. */
static void trim(cairn_plot *plot)
{
    bool caption = plot->n_unplaced || plot->n_points > CAIRN_MOST_SHOWN;
    double right = plot->area.x + plot->area.width + 16;
    double bottom = plot->area.y + plot->area.height + x_label_height(plot) + 8 +
                    (plot->x_title ? 17 : 0) + (caption ? 15 : 0);
    double title = cairn_measure(plot->figure->title, CAIRN_TITLE_SIZE, true) + 28;
    const cairn_box *legend = &plot->legend.box;
    bool below = plot->has_legend && legend->y > plot->area.y + plot->area.height;
    if (plot->has_legend) right = fmax(right, legend->x + legend->width + 8);
    if (plot->has_legend) bottom = fmax(bottom, legend->y + legend->height + 4);
    right = fmax(right, caption ? 400 : 200);
    plot->width = fmin(plot->width, fmax(right, title));
    if (!below) plot->height = fmin(plot->height, bottom);
}

cairn_status cairn_plot_prepare(cairn_drawing *drawing)
{
    const cairn_figure *figure = drawing->figure;
    cairn_plot *plot;
    CHECK(SCRATCH(drawing->ctx, &plot, 1));
    plot->ctx = drawing->ctx;
    plot->figure = figure;
    plot->width = figure->width > 0 ? figure->width : 480;
    plot->height = wanted_height(figure);
    cairn_plot_ranges(plot);
    count_points(plot);
    CHECK(cairn_legend_collect(drawing->ctx, &plot->legend, figure));
    CHECK(place_legend(plot));
    if (figure->equal_axes && !figure->fixed_size) trim(plot);
    drawing->width = plot->width;
    drawing->height = plot->height;
    drawing->plot = plot;
    return CAIRN_OK;
}

static void draw_y_grid(cairn_plot *plot, cairn_canvas *canvas)
{
    cairn_style grid = cairn_line_style(CAIRN_FAINT, 0.8), tick = cairn_line_style(0x999999, 0.8);
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_END);
    double left = plot->area.x, right = plot->area.x + plot->area.width;
    for (size_t i = 0; i < plot->y.n_ticks; i++) {
        double y = cairn_axis_place(&plot->y, plot->y.ticks[i]);
        const double line[] = {left, y, right, y}, foot[] = {left - 4, y, left, y};
        canvas->path(canvas, line, 2, false, &grid);
        canvas->path(canvas, foot, 2, false, &tick);
        canvas->text(canvas, left - 7, y + 3.6, plot->y.labels[i], &font);
    }
}

static void draw_names(cairn_plot *plot, cairn_canvas *canvas)
{
    const cairn_figure *figure = plot->figure;
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, plot->slanted ? CAIRN_END : CAIRN_MIDDLE);
    double bottom = plot->area.y + plot->area.height;
    size_t first, last;
    font.angle = plot->slanted ? 45 : 0;
    cairn_names_common(figure->categories, figure->n_categories, &first, &last);
    for (size_t i = 0; i < figure->n_categories; i += plot->name_step) {
        double x = cairn_axis_place(&plot->x, (double)i);
        const char *name;
        canvas->status = cairn_fit_name(plot->ctx, &name, figure->categories[i], first, last,
                                        font.size, plot->name_buffer);
        if (canvas->status) return;
        if (plot->slanted)
            canvas->text(canvas, x + 4, bottom + 12, name, &font);
        else
            canvas->text(canvas, x, bottom + 15, name, &font);
    }
}

static void draw_axis_titles(cairn_plot *plot, cairn_canvas *canvas)
{
    cairn_font font = cairn_plain_font(CAIRN_AXIS_SIZE, CAIRN_MIDDLE);
    cairn_box area = plot->area;
    double bottom = area.y + area.height;
    if (plot->x_title)
        cairn_draw_fitted(plot->ctx, canvas, area.x + area.width / 2,
                          bottom + x_label_height(plot) + 14, plot->x_title, &font,
                          plot->width - area.x);
    font.angle = 90;
    if (plot->y_title) {
        double x = area.x - widest_label(&plot->y) - 14;
        double middle = area.y + area.height / 2;
        double buffer = 2 * fmin(area.height / 2 + 4, plot->height - 4 - middle);
        cairn_draw_fitted(plot->ctx, canvas, x, middle, plot->y_title, &font, buffer);
    }
}

static void draw_frame(cairn_plot *plot, cairn_canvas *canvas)
{
    cairn_style style = cairn_line_style(0x808080, 1);
    cairn_box area = plot->area;
    const double corner[] = {
        area.x, area.y, area.x, area.y + area.height, area.x + area.width, area.y + area.height};
    canvas->path(canvas, corner, 3, false, &style);
    double zero = cairn_axis_place(&plot->y, 0);
    bool piled = cairn_figure_is_piled(plot->figure);
    if (!piled || !(zero > area.y && zero < area.y + area.height)) return;
    const double line[] = {area.x, zero, area.x + area.width, zero};
    canvas->path(canvas, line, 2, false, &style);
}

/* What the picture leaves out, said in one line at the lower right. */
static cairn_status draw_caption(cairn_plot *plot, cairn_canvas *canvas)
{
    cairn_text text = cairn_text_start(plot->ctx);
    cairn_font font = cairn_plain_font(CAIRN_CAPTION_SIZE, CAIRN_END);
    font.colour = CAIRN_QUIET;
    if (plot->n_shown < plot->n_points)
        cairn_text_addf(&text, "%zu of %zu points drawn: those that others cover are left out. ",
                        plot->n_shown, plot->n_points);
    if (plot->n_unplaced)
        cairn_text_addf(&text, "%zu %s no place on these axes.", plot->n_unplaced,
                        plot->n_unplaced == 1 ? "point has" : "points have");
    double below = plot->has_legend && !plot->legend.framed && plot->legend.box.x < plot->area.x
                       ? plot->legend.box.height + 4
                       : 0;
    cairn_status status = cairn_text_status(&text);
    if (!status && text.length)
        cairn_draw_fitted(plot->ctx, canvas, plot->width - 8, plot->height - 6 - below,
                          cairn_text_string(&text), &font, plot->width - 16);
    cairn_text_clear(&text);
    return status ? status : canvas->status;
}

/* An empty plot says so instead of looking broken. */
static void draw_emptiness(cairn_plot *plot, cairn_canvas *canvas)
{
    cairn_font font = cairn_plain_font(CAIRN_AXIS_SIZE, CAIRN_MIDDLE);
    font.colour = CAIRN_QUIET;
    for (size_t s = 0; s < plot->figure->n_series; s++)
        if (plot->figure->series[s].n) return;
    canvas->text(canvas, plot->area.x + plot->area.width / 2, plot->area.y + plot->area.height / 2,
                 "no data", &font);
}

cairn_status cairn_plot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    cairn_plot *plot = drawing->plot;
    cairn_style grid = cairn_line_style(CAIRN_FAINT, 0.8), tick = cairn_line_style(0x999999, 0.8);
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_MIDDLE);
    double top = plot->area.y, bottom = plot->area.y + plot->area.height;
    for (size_t i = 0; i < plot->x.n_ticks; i++) {
        double x = cairn_axis_place(&plot->x, plot->x.ticks[i]);
        const double line[] = {x, top, x, bottom}, foot[] = {x, bottom, x, bottom + 4};
        canvas->path(canvas, line, 2, false, &grid);
        canvas->path(canvas, foot, 2, false, &tick);
        canvas->text(canvas, x, bottom + 15, plot->x.labels[i], &font);
    }
    draw_y_grid(plot, canvas);
    canvas->clip(canvas, plot->area);
    CHECK(cairn_plot_series(plot, canvas));
    canvas->unclip(canvas);
    if (!plot->figure->no_axes) draw_frame(plot, canvas);
    if (plot->by_category) draw_names(plot, canvas);
    draw_axis_titles(plot, canvas);
    draw_emptiness(plot, canvas);
    if (plot->has_legend) cairn_legend_draw(plot->ctx, canvas, &plot->legend);
    CHECK(draw_caption(plot, canvas));
    return canvas->status;
}
