/* SPDX-License-Identifier: MIT */
/* Shapley values as pictures. Cells are coloured from dark blue (the lowest) through grey to yellow
 * (the highest), by their rank, which the colour-blind can tell apart and grey paper keeps. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "explain/shapley_report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BARS = 12, MOST_SWARMS = 20, MOST_DOTS = 2000, BINS = 60, MOST_GROUPS = 8 };
enum { MISSING = 0xB8B8B8 };

/* Between a bar and its number, and the width of a letter: parts of what all bars span. */
static const double GAP = 0.012, LETTER = 0.024;

/* -- colours of cells -- */

typedef struct keyed {
    double value;
    size_t row;
} keyed;

static int compare_keyed(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static double cell_number(const cairn_column *column, size_t row)
{
    if (column->numbers) return column->numbers[row];
    return column->codes && column->codes[row] >= 0 ? column->codes[row] : NAN;
}

/* Between two colours. */
static uint32_t mix(uint32_t low, uint32_t high, double share)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = low >> shift & 255, b = high >> shift & 255;
        out |= (uint32_t)(a + (b - a) * share + 0.5) << shift;
    }
    return out;
}

static uint32_t colour_at(double share)
{
    const uint32_t low = 0x08306B, middle = 0x8C8A84, high = 0xF0BE00;
    return share < 0.5 ? mix(low, middle, 2 * share) : mix(middle, high, 2 * share - 1);
}

/* A colour for each row by the rank of its cell; equal cells are coloured alike. */
static cairn_status colour_cells(cairn_context *ctx, uint32_t *out, const cairn_shapley *s,
                                 size_t player)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    keyed *list;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &list, s->n_rows + 1));
    for (size_t i = 0; i < s->n_rows; i++) {
        double value = cell_number(column, i);
        out[i] = MISSING;
        if (!isnan(value)) list[n++] = (keyed){value, i};
    }
    if (n > 1) qsort(list, n, sizeof *list, compare_keyed);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && list[end].value == list[i].value;) end++;
        double share = n > end - i ? (double)i / (double)(n - (end - i)) : 0.5;
        for (size_t k = i; k < end; k++) out[list[k].row] = colour_at(share);
    }
    return CAIRN_OK;
}

/* -- waterfall -- */

/* "petal_width = 1.8", or how many columns stand together. */
static cairn_status name_bar(cairn_context *ctx, const char **out, const cairn_shapley *s,
                             size_t row, size_t player, size_t together)
{
    enum { SIZE = 200 };
    char *text, cell[60];
    CHECK(SCRATCH(ctx, &text, SIZE));
    *out = text;
    if (together) {
        snprintf(text, SIZE, "%zu other columns", together);
        return CAIRN_OK;
    }
    cairn_shapley_cell(s, player, row, cell, sizeof cell);
    snprintf(text, SIZE, "%s = %s", s->names[player], *cell ? cell : "?");
    return CAIRN_OK;
}

/* "+0.35"; returns its length. */
static size_t write_change(char *out, double by)
{
    *out = '+';
    return cairn_number_format(out + (by >= 0), by, 3) + (by >= 0);
}

/* A bar from where the sum was to where it is, with its value beside it. */
static void draw_bar(cairn_figure *figure, double from, double by, double y, double span)
{
    double to = from + by;
    double x[] = {from, to, to, from}, corners[] = {y - 0.36, y - 0.36, y + 0.36, y + 0.36};
    double link_x[] = {to, to}, link_y[] = {y - 0.36, y - 0.64};
    char number[CAIRN_NUMBER_SIZE + 1];
    write_change(number, by);
    cairn_figure_side(figure, by < 0 ? 0 : 1, 0.85, x, corners, 4);
    if (y > 0) cairn_figure_guide(figure, link_x, link_y, 2);
    double gap = GAP * span;
    cairn_figure_text(figure, by < 0 ? to - gap : to + gap, y - 0.17, by < 0 ? 'r' : 'l', number);
}

/* The ends of what the sum runs through. */
static double span_of(const double *sizes, size_t n, double base, double *low, double *high)
{
    double at = base;
    *low = *high = base;
    for (size_t k = 0; k < n; k++) {
        at += sizes[k];
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
    double span = *high - *low;
    return span > 0 ? span : 1;
}

/* The ends of the axis: beyond the bars there is room for the numbers beside them. */
static void widen(const double *sizes, size_t n, double base, double span, double *low,
                  double *high)
{
    double at = base, least = *low - 0.06 * span, most = *high + 0.06 * span;
    for (size_t k = 0; k < n; k++) {
        char number[CAIRN_NUMBER_SIZE + 1];
        double room = (GAP + LETTER * (double)write_change(number, sizes[k])) * span;
        at += sizes[k];
        least = fmin(least, sizes[k] < 0 ? at - room : at);
        most = fmax(most, sizes[k] < 0 ? at : at + room);
    }
    *low = least;
    *high = most;
}

/* Bars of the largest values first, from the top; the rest is one bar. */
static cairn_status fill_bars(cairn_context *ctx, cairn_figure *figure, const cairn_shapley *s,
                              size_t row, cairn_shapley_side side, const size_t *order)
{
    size_t m = s->n_players, n = m > MOST_BARS ? MOST_BARS : m;
    const char *names[MOST_BARS];
    double sizes[MOST_BARS] = {0}, low, high, at = side.sign * s->base[side.output];
    for (size_t k = 0; k < m; k++) {
        bool rest = m > n && k + 1 >= n;
        sizes[rest ? n - 1 : k] += cairn_shapley_value(s, row, side, order[k]);
        if (k < n) CHECK(name_bar(ctx, &names[n - 1 - k], s, row, order[k], rest ? m - n + 1 : 0));
    }
    double span = span_of(sizes, n, at, &low, &high);
    cairn_figure_y_names(figure, names, n);
    cairn_figure_y_range(figure, -0.7, (double)n - 0.3);
    widen(sizes, n, at, span, &low, &high);
    cairn_figure_x_range(figure, low, high);
    double ends[] = {(double)n - 0.35, (double)n - 1.45}, sums[] = {-0.65, 0.45};
    cairn_figure_thick(figure, NULL, (double[]){at, at}, ends, 2);
    for (size_t k = 0; k < n; k++) {
        draw_bar(figure, at, sizes[k], (double)(n - 1 - k), span);
        at += sizes[k];
    }
    cairn_figure_thick(figure, NULL, (double[]){at, at}, sums, 2);
    cairn_figure_size(figure, 560, 110 + 26 * (double)n);
    return CAIRN_OK;
}

cairn_status cairn_shapley_waterfall(cairn_context *ctx, cairn_figure **out, const cairn_shapley *s,
                                     const cairn_model *model, size_t row, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    int32_t code = cairn_shapley_class(s, row, wanted);
    size_t *order;
    CHECK(cairn_shapley_order(ctx, &order, s, (ptrdiff_t)row, wanted));
    cairn_shapley_side side = cairn_shapley_side_of(s, code);
    cairn_shapley_add_scale(&scale, s, model, code);
    cairn_text_add(&scale, ": from the base, ");
    cairn_text_add_number(&scale, side.sign * s->base[side.output], 3);
    cairn_text_add(&scale, ", to ");
    cairn_text_add_number(&scale, side.sign * s->sums[row * s->n_outputs + side.output], 3);
    CHECK(cairn_text_status(&scale));
    CHECK(cairn_figure_new(ctx, &figure, "shapley-row", "From the base to the row"));
    cairn_figure_axes(figure, cairn_text_string(&scale), "");
    CHECK(fill_bars(ctx, figure, s, row, side, order));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- swarms -- */

/* Dots of one column: rows whose values fall into the same narrow range stand above and below the
 * line of the column, in turn. */
static void place_dots(const cairn_shapley *s, size_t player, int32_t wanted, double low,
                       double high, size_t step, double middle, double *x, double *y)
{
    size_t counts[BINS + 1] = {0}, taken[BINS + 1] = {0}, most = 1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0, n = 0; i < s->n_rows; i += step, n++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            double value = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), player);
            double place = high > low ? (value - low) / (high - low) * BINS : 0;
            size_t bin = place >= 0 && place <= BINS ? (size_t)place : 0;
            if (pass == 0 && ++counts[bin] > most) most = counts[bin];
            if (pass == 0) continue;
            size_t k = taken[bin]++, rank = (k + 1) / 2;
            double room = 0.8 / (double)(most > 8 ? most : 8);
            x[n] = value;
            y[n] = middle + (k % 2 ? 1.0 : -1.0) * (double)rank * room;
        }
}

/* The ends of all values that are drawn. */
static void find_ends(const cairn_shapley *s, int32_t wanted, double *low, double *high)
{
    *low = *high = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        cairn_shapley_side side = cairn_shapley_side_of(s, cairn_shapley_class(s, i, wanted));
        for (size_t j = 0; j < s->n_players; j++) {
            double value = cairn_shapley_value(s, i, side, j);
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
}

/* Columns by their mean size, the largest on top. */
static cairn_status fill_swarms(cairn_context *ctx, cairn_figure *figure, const cairn_shapley *s,
                                int32_t wanted)
{
    size_t n = s->n_players < MOST_SWARMS ? s->n_players : MOST_SWARMS, *order;
    size_t step = s->n_rows / MOST_DOTS + 1, dots = (s->n_rows + step - 1) / step;
    const char *names[MOST_SWARMS];
    double *x, *y, low, high;
    uint32_t *colours, *picked;
    CHECK(cairn_shapley_order(ctx, &order, s, -1, wanted));
    CHECK(SCRATCH(ctx, &x, dots + 1));
    CHECK(SCRATCH(ctx, &y, dots + 1));
    CHECK(SCRATCH(ctx, &colours, s->n_rows + 1));
    CHECK(SCRATCH(ctx, &picked, dots + 1));
    find_ends(s, wanted, &low, &high);
    cairn_figure_rule_x(figure, NULL, 0);
    for (size_t k = 0; k < n; k++) {
        names[n - 1 - k] = s->names[order[k]];
        CHECK(colour_cells(ctx, colours, s, order[k]));
        place_dots(s, order[k], wanted, low, high, step, (double)(n - 1 - k), x, y);
        for (size_t i = 0; i < dots; i++) picked[i] = colours[i * step];
        cairn_figure_colours(figure, x, y, picked, dots, false);
    }
    cairn_figure_y_names(figure, names, n);
    cairn_figure_y_range(figure, -0.6, (double)n - 0.4);
    cairn_figure_size(figure, 560, 120 + 30 * (double)n);
    return CAIRN_OK;
}

/* Whether cells of some column are levels, which have an order but are not low or high. */
static bool has_levels(const cairn_shapley *s)
{
    bool any = false;
    for (size_t j = 0; j < s->n_players; j++)
        any |= s->table->slots[s->columns[j]].column->codes != NULL;
    return any;
}

cairn_status cairn_shapley_swarm(cairn_context *ctx, cairn_figure **out, const cairn_shapley *s,
                                 const cairn_model *model, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    cairn_text_add(&scale, "φ: part of the ");
    if (wanted >= 0 || s->predictions.numbers)
        cairn_shapley_add_scale(&scale, s, model, wanted);
    else
        cairn_text_add(&scale, "score of the class that is answered");
    CHECK(cairn_text_status(&scale));
    CHECK(cairn_figure_new(
        ctx, &figure, "shapley-summary",
        has_levels(s) ? "Values of all rows (blue = low, yellow = high; levels in order)"
                      : "Values of all rows (cells: blue = low, grey = middle, yellow = high)"));
    cairn_figure_axes(figure, cairn_text_string(&scale), "");
    CHECK(fill_swarms(ctx, figure, s, wanted));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- dependence -- */

/* The player whose interactions with this one are largest; n_players = none is known. */
static size_t strongest_with(const cairn_shapley *s, size_t player, int32_t wanted)
{
    size_t best = s->n_players, m = s->n_players;
    double most = 0;
    for (size_t j = 0; s->pairs && j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < s->n_rows && j != player; i++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            size_t at = i * s->n_outputs + cairn_shapley_side_of(s, code).output;
            sum += fabs(s->pairs[(at * m + player) * m + j]);
        }
        if (sum > most) {
            most = sum;
            best = j;
        }
    }
    return best;
}

/* Dots in the colours of the levels of another column, with a legend. */
static cairn_status draw_groups(cairn_context *ctx, cairn_figure *figure, const double *x,
                                const double *y, const int32_t *groups, size_t n,
                                const cairn_column *levels)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, levels->names.n + 1));
    for (size_t l = 0; l < levels->names.n; l++) names[l] = cairn_map_key(&levels->names, l);
    cairn_figure_points(figure, x, y, groups, n, names, levels->names.n);
    return CAIRN_OK;
}

/* The column whose levels colour the dots; NULL = numbers, or too many levels to be told apart. */
static const cairn_column *coloured_levels(const cairn_shapley *s, size_t colour)
{
    if (colour >= s->n_players) return NULL;
    const cairn_column *column = s->table->slots[s->columns[colour]].column;
    return column->codes && column->names.n <= MOST_GROUPS ? column : NULL;
}

/* Cells below, values beside, dots in the colours of another column. */
static cairn_status fill_dependence(cairn_context *ctx, cairn_figure *figure,
                                    const cairn_shapley *s, size_t player, size_t colour,
                                    int32_t wanted)
{
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    size_t n = 0;
    const cairn_column *levels = coloured_levels(s, colour);
    double *x, *y;
    uint32_t *colours;
    int32_t *groups;
    const char **names;
    CHECK(SCRATCH(ctx, &x, s->n_rows + 1));
    CHECK(SCRATCH(ctx, &y, s->n_rows + 1));
    CHECK(SCRATCH(ctx, &colours, s->n_rows + 1));
    CHECK(SCRATCH(ctx, &groups, s->n_rows + 1));
    if (colour < s->n_players) CHECK(colour_cells(ctx, colours, s, colour));
    for (size_t i = 0; i < s->n_rows; i++) {
        int32_t code = cairn_shapley_class(s, i, wanted);
        x[n] = cell_number(column, i);
        y[n] = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), player);
        colours[n] = colour < s->n_players ? colours[i] : 0x0072B2;
        groups[n] = levels ? levels->codes[i] : 0;
        n += !isnan(x[n]) && !isnan(y[n]);
    }
    cairn_figure_rule_y(figure, NULL, 0);
    if (levels)
        CHECK(draw_groups(ctx, figure, x, y, groups, n, levels));
    else
        cairn_figure_colours(figure, x, y, colours, n, false);
    if (!column->codes) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, column->names.n + 1));
    for (size_t l = 0; l < column->names.n; l++) names[l] = cairn_map_key(&column->names, l);
    cairn_figure_x_names(figure, names, column->names.n);
    cairn_figure_x_range(figure, -0.5, (double)column->names.n - 0.5);
    return CAIRN_OK;
}

cairn_status cairn_shapley_dependence(cairn_context *ctx, cairn_figure **out,
                                      const cairn_shapley *s, const cairn_model *model,
                                      size_t player, size_t colour, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text axis = cairn_text_start(ctx);
    if (colour >= s->n_players) colour = strongest_with(s, player, wanted);
    cairn_text_addf(&title, "What %s contributes", s->names[player]);
    if (colour < s->n_players)
        cairn_text_addf(
            &title, coloured_levels(s, colour) ? " with %s" : " (%s: blue = low, yellow = high)",
            s->names[colour]);
    cairn_text_add(&axis, "φ: part of the ");
    if (wanted >= 0 || s->predictions.numbers)
        cairn_shapley_add_scale(&axis, s, model, wanted);
    else
        cairn_text_add(&axis, "score of the class that is answered");
    CHECK(cairn_text_status(&title));
    CHECK(cairn_text_status(&axis));
    CHECK(cairn_figure_new(ctx, &figure, "shapley-dependence", cairn_text_string(&title)));
    cairn_figure_axes(figure, s->names[player], cairn_text_string(&axis));
    CHECK(fill_dependence(ctx, figure, s, player, colour, wanted));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
