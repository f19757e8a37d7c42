/* SPDX-License-Identifier: MIT */
/* The grid of cells, and the choice between plots, bars, trees, orders and heat maps in letters. */
#include "draw/terminal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { LEAST_COLUMNS = 20, MOST_COLUMNS = 400, MOST_LEGEND = 40 };

cairn_status cairn_grid_start(cairn_context *ctx, cairn_grid *grid, size_t columns, size_t rows)
{
    *grid = (cairn_grid){.columns = columns, .rows = rows, .width = columns, .height = rows};
    cairn_status status = SCRATCH(ctx, &grid->cells, columns * rows);
    for (size_t i = 0; !status && i < columns * rows; i++) grid->cells[i].colour = CAIRN_PLAIN;
    return status;
}

static cairn_terminal_cell *cell_at(cairn_grid *grid, double column, double row)
{
    if (!(column >= 0 && row >= 0 && column < (double)grid->width && row < (double)grid->height))
        return NULL;
    return &grid->cells[((size_t)row + grid->top) * grid->columns + (size_t)column + grid->left];
}

static const uint8_t dot_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

void cairn_grid_dot(cairn_grid *grid, double x, double y, int colour)
{
    x = floor(x + 0.5);
    y = floor(y + 0.5);
    cairn_terminal_cell *cell = cell_at(grid, floor(x / 2), floor(y / 4));
    if (!cell) return;
    cell->dots |= dot_bits[(int)y % 4][(int)x % 2];
    cell->colour = (int16_t)colour;
}

/* Whether a ray to the right of the point crosses the polygon an odd number of times. */
static bool is_inside(const double *xy, size_t n, double x, double y)
{
    bool inside = false;
    for (size_t i = 0, j = n - 1; i < n; j = i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * j;
        if ((a[1] > y) == (b[1] > y)) continue;
        if (x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])) inside = !inside;
    }
    return inside;
}

void cairn_grid_shade(cairn_grid *grid, const double *xy, size_t n, double share, int colour)
{
    static const int rank[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    double low = INFINITY, high = -INFINITY, left = INFINITY, right = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        left = fmin(left, xy[2 * i]), right = fmax(right, xy[2 * i]);
        low = fmin(low, xy[2 * i + 1]), high = fmax(high, xy[2 * i + 1]);
    }
    left = fmax(ceil(left), 0), right = fmin(right, 2 * (double)grid->width - 1);
    low = fmax(ceil(low), 0), high = fmin(high, 4 * (double)grid->height - 1);
    for (double y = low; y <= high; y++)
        for (double x = left; x <= right; x++) {
            cairn_terminal_cell *cell = cell_at(grid, floor(x / 2), floor(y / 4));
            if (!cell || !is_inside(xy, n, x, y)) continue;
            cell->dots &= (uint8_t)~dot_bits[(int)y % 4][(int)x % 2];
            cell->letter[0] = 0;
            if (rank[(int)y % 4][(int)x % 4] < 16 * share) cairn_grid_dot(grid, x, y, colour);
        }
}

/* Keep the part of a line between 0 and `most` in one direction; false when nothing is left. */
static bool cut_line(double *from, double *to, double start, double step, double most)
{
    double a = -start / step, b = (most - start) / step;
    if (step == 0) return start >= 0 && start <= most;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from <= *to;
}

void cairn_grid_line(cairn_grid *grid, double x1, double y1, double x2, double y2, int skip,
                     int colour)
{
    double from = 0, to = 1, dx = x2 - x1, dy = y2 - y1;
    if (!isfinite(dx) || !isfinite(dy)) return;
    if (!cut_line(&from, &to, x1, dx, 2 * (double)grid->width - 1) ||
        !cut_line(&from, &to, y1, dy, 4 * (double)grid->height - 1))
        return;
    int steps = (int)ceil(fmax(fabs(dx), fabs(dy)) * (to - from));
    for (int i = 0; i <= steps; i++) {
        if (skip > 1 && i % skip) continue;
        double t = from + (steps > 0 ? (double)i / steps * (to - from) : 0);
        cairn_grid_dot(grid, x1 + t * dx, y1 + t * dy, colour);
    }
}

static void set_letter(cairn_terminal_cell *cell, const char *letter, size_t length, int colour)
{
    if (length >= sizeof cell->letter) return;
    memcpy(cell->letter, letter, length);
    cell->letter[length] = 0;
    cell->colour = (int16_t)colour;
    cell->behind = false;
}

void cairn_grid_letter(cairn_grid *grid, double column, double row, const char *letter, int colour)
{
    cairn_terminal_cell *cell = cell_at(grid, floor(column), floor(row));
    if (cell) set_letter(cell, letter, strlen(letter), colour);
}

/* Bytes of `text` that fit into `buffer` cells, and how many cells they take. */
static size_t fit_cells(const char *text, size_t buffer, size_t *used)
{
    size_t at = 0, cells;
    *used = 0;
    while (text[at]) {
        size_t length = cairn_text_letter(text + at, &cells);
        if (*used + cells > buffer) break;
        *used += cells;
        at += length;
    }
    return at;
}

void cairn_grid_text(cairn_grid *grid, size_t column, size_t row, const char *text, size_t buffer,
                     int colour)
{
    if (row >= grid->rows || column >= grid->columns) return;
    if (buffer > grid->columns - column) buffer = grid->columns - column;
    bool cut = cairn_text_width(text) > buffer;
    cairn_terminal_cell *cells = &grid->cells[row * grid->columns + column], *last = NULL;
    for (size_t used = 0; *text;) {
        size_t width, length = cairn_text_letter(text, &width);
        if (used + width > buffer - (cut && buffer > 0)) break;
        if (width == 0 && last && strlen(last->letter) + length < sizeof last->letter)
            memcpy(last->letter + strlen(last->letter), text, length);
        if (width > 0) {
            last = &cells[used];
            *last = (cairn_terminal_cell){0};
            set_letter(last, text, length, colour);
            if (width == 2)
                cells[used + 1] = (cairn_terminal_cell){.behind = true, .colour = CAIRN_PLAIN};
        }
        used += width;
        text += length;
        if (cut && used + 1 >= buffer) {
            if (used < buffer) set_letter(&cells[used], "…", 3, colour);
            break;
        }
    }
}

void cairn_add_colour(cairn_text *out, int colour, bool use)
{
    /* the nearest of the 256 terminal colours, readable on dark and on light */
    static const int codes[8] = {32, 166, 36, 178, 74, 175, 245, 220};
    if (!use) return;
    if (colour == CAIRN_PLAIN)
        cairn_text_add(out, "\033[0m");
    else
        cairn_text_addf(out, "\033[38;5;%dm", colour < 0 ? 243 : codes[colour % 8]);
}

static void write_cell(cairn_text *out, const cairn_terminal_cell *cell)
{
    if (*cell->letter) {
        cairn_text_add(out, cell->letter);
    } else if (cell->dots) {
        const char braille[4] = {(char)0xE2, (char)(0xA0 | cell->dots >> 6),
                                 (char)(0x80 | (cell->dots & 0x3F)), 0};
        cairn_text_add(out, braille);
    } else {
        cairn_text_add_char(out, ' ');
    }
}

void cairn_grid_write(const cairn_grid *grid, cairn_text *out, bool colour)
{
    for (size_t r = 0; r < grid->rows; r++) {
        const cairn_terminal_cell *row = &grid->cells[r * grid->columns];
        size_t end = grid->columns;
        int now = CAIRN_PLAIN;
        while (end > 0 && !*row[end - 1].letter && !row[end - 1].dots && !row[end - 1].behind)
            end--;
        for (size_t c = 0; c < end; c++) {
            if (row[c].behind) continue;
            if (row[c].colour != now) {
                if (now != CAIRN_PLAIN) cairn_add_colour(out, CAIRN_PLAIN, colour);
                now = row[c].colour;
                if (now != CAIRN_PLAIN) cairn_add_colour(out, now, colour);
            }
            write_cell(out, &row[c]);
        }
        if (now != CAIRN_PLAIN) cairn_add_colour(out, CAIRN_PLAIN, colour);
        cairn_text_add_char(out, '\n');
    }
}

size_t cairn_add_cells(cairn_text *out, const char *text, size_t cells, bool pad)
{
    size_t used, length = fit_cells(text, cells, &used);
    if (text[length] && cells > 0) {
        length = fit_cells(text, cells - 1, &used);
        cairn_text_add_bytes(out, text, length);
        cairn_text_add(out, "…");
        used++;
    } else {
        cairn_text_add_bytes(out, text, length);
    }
    if (pad && used < cells) {
        cairn_text_add_repeat(out, ' ', cells - used);
        used = cells;
    }
    return used;
}

void cairn_add_line(cairn_text *out, const char *text, size_t columns)
{
    if (!*text) return;
    cairn_add_cells(out, text, columns, false);
    cairn_text_add_char(out, '\n');
}

const char *cairn_group_letter(cairn_marking marking, int64_t group)
{
    static const char *const letters[CAIRN_N_SHAPES] = {"●", "■", "▲", "◆", "▼", "+", "×", "★"};
    if (marking == CAIRN_MARKING_HOLLOW && group == 0) return "○";
    cairn_canvas_shape shape = cairn_marking_shape(marking, group);
    return group < 0 ? "·" : shape == CAIRN_MINUS ? "−" : letters[shape];
}

char cairn_line_letter(size_t i)
{
    return (char)('a' + i % 26);
}

const char *cairn_shade_letter(size_t i)
{
    static const char *const shades[] = {"█", "▓", "▒", "░"};
    return shades[i % 4];
}

/* The key in front of a legend entry, one to three cells. */
static void legend_key(char out[16], const cairn_figure *figure, const cairn_legend_entry *entry)
{
    const char *key = "▇";
    char line[] = "─a";
    if (entry->key == CAIRN_KEY_MARK) key = cairn_group_letter(entry->marking, entry->group);
    if (entry->key == CAIRN_KEY_RING) key = cairn_mark_letter(entry->shape);
    if (entry->key == CAIRN_KEY_LINE) key = "┈";
    if (entry->series && entry->series->kind == CAIRN_LINE) {
        line[3] = figure->counts[CAIRN_LINE] > 1 ? cairn_line_letter(entry->series->ordinal) : 0;
        key = line;
    }
    if (entry->series && entry->series->kind == CAIRN_BAND) key = "⠶";
    if (entry->series && (entry->series->kind == CAIRN_BARS ||
                          (entry->series->kind == CAIRN_HISTOGRAM && entry->series->high)))
        key = cairn_shade_letter(entry->series->ordinal);
    memcpy(out, key, strlen(key) + 1);
}

static int entry_colour(const cairn_figure *figure, const cairn_legend_entry *entry)
{
    if (entry->group >= 0) return (int)entry->group;
    if (entry->key == CAIRN_KEY_RING) return CAIRN_PLAIN;
    if (!entry->series) return CAIRN_PLAIN;
    if (entry->series->kind == CAIRN_RULE_X || entry->series->kind == CAIRN_RULE_Y) return -1;
    return (int)cairn_series_colour(figure, entry->series);
}

cairn_status cairn_terminal_legend(cairn_context *ctx, const cairn_figure *figure, size_t columns,
                                   bool colour, bool bars_only, cairn_text *out)
{
    cairn_legend legend;
    cairn_status status = cairn_legend_collect(ctx, &legend, figure);
    size_t at = 0;
    for (size_t i = 0; !status && i < legend.n && i < MOST_LEGEND; i++) {
        const cairn_legend_entry *entry = &legend.entries[i];
        char key[16];
        if (entry->key == CAIRN_KEY_HEAD) {
            at += cairn_add_cells(out, entry->label, columns - 1, false);
            cairn_text_add_char(out, ':');
            at++;
            continue;
        }
        if (bars_only && (!entry->series || entry->series->kind != CAIRN_BARS)) continue;
        legend_key(key, figure, entry);
        size_t key_width = cairn_text_width(key);
        size_t need = key_width + 1 + cairn_text_width(entry->label);
        if (at > 0 && at + 2 + need > columns) {
            cairn_text_add_char(out, '\n');
            at = 0;
        } else if (at > 0) {
            cairn_text_add(out, "  ");
            at += 2;
        }
        cairn_add_colour(out, entry_colour(figure, entry), colour);
        cairn_text_add(out, key);
        cairn_add_colour(out, CAIRN_PLAIN, colour);
        cairn_text_add_char(out, ' ');
        at += key_width + 1;
        at += cairn_add_cells(out, entry->label, columns - at, false);
    }
    if (at > 0) cairn_text_add_char(out, '\n');
    if (!status && legend.n > MOST_LEGEND)
        cairn_text_addf(out, "… %zu more\n", legend.n - MOST_LEGEND);
    return status;
}

/* The title over as many lines as it needs. */
static void add_title(cairn_text *out, const char *title, size_t columns)
{
    while (*title) {
        size_t used, length = fit_cells(title, columns, &used);
        if (length == 0) return;
        if (title[length]) {
            size_t space = length;
            while (space > 0 && title[space] != ' ') space--;
            if (space > 0) length = space;
        }
        cairn_text_add_bytes(out, title, length);
        cairn_text_add_char(out, '\n');
        title += length;
        while (*title == ' ') title++;
    }
}

/* One panel below the other. */
static cairn_status add_panels(cairn_context *ctx, const cairn_figure *figure, int columns,
                               bool colour, cairn_text *text)
{
    for (size_t i = 0; i < figure->n_panels; i++) {
        char *panel;
        CHECK(cairn_figure_terminal(ctx, figure->panels[i], columns, colour, &panel));
        cairn_text_add(text, panel);
        if (i + 1 < figure->n_panels) cairn_text_add_char(text, '\n');
        cairn_free(panel);
    }
    return cairn_text_status(text);
}

cairn_status cairn_figure_terminal(cairn_context *ctx, const cairn_figure *figure, int columns,
                                   bool colour, char **out)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    size_t width = columns < LEAST_COLUMNS  ? LEAST_COLUMNS
                   : columns > MOST_COLUMNS ? MOST_COLUMNS
                                            : (size_t)columns;
    CHECK(cairn_drawing_check(ctx, figure));
    add_title(&text, figure->title, width);
    if (figure->subtitle) add_title(&text, figure->subtitle, width);
    if (figure->n_panels)
        CHECK(add_panels(ctx, figure, columns, colour, &text));
    else if (figure->n_nodes)
        CHECK(cairn_terminal_tree(ctx, figure, width, colour, &text));
    else if (figure->n_order_nodes)
        CHECK(cairn_terminal_order(ctx, figure, width, colour, &text));
    else if (figure->has_heat)
        CHECK(cairn_terminal_heat(ctx, figure, width, &text));
    else if (figure->dendro.n)
        CHECK(cairn_terminal_dendrogram(ctx, figure, width, colour, &text));
    else if (figure->counts[CAIRN_BARS])
        CHECK(cairn_terminal_bars(ctx, figure, width, colour, &text));
    else
        CHECK(cairn_terminal_plot(ctx, figure, width, colour, &text));
    return cairn_text_take(&text, out);
}
