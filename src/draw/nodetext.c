/* SPDX-License-Identifier: MIT */
/* The text of a node: a first line that stands out and others below it, in the middle of the box.
 * Lines with tabs are rows of a table: their cells stand in columns, which begin at the same place
 * in all of them, and the first of these rows is the head. */
#include "base/memory.h"
#include "draw/plot.h"
#include "draw/treeplot.h"
#include <math.h>
#include <string.h>

enum { MOST_CELLS = 16 };

static const double first_size = 11, other_size = 9.5, line_step = 13.5;
static const double most_text = 190, most_cell = 96, cell_gap = 9;

static cairn_status fit(cairn_context *ctx, const char **out, const char *start, size_t length,
                        double size, bool bold, double buffer)
{
    char *copy;
    cairn_status status = SCRATCH(ctx, &copy, length + 1);
    if (status) return status;
    memcpy(copy, start, length);
    return cairn_fit_text(ctx, out, copy, size, bold, buffer);
}

/* The next cell of a row, which ends at *end; *start moves behind it, NULL after the last. */
static const char *next_cell(const char **start, const char *end, size_t *length)
{
    const char *from = *start, *tab = memchr(from, '\t', (size_t)(end - from));
    *length = (size_t)((tab ? tab : end) - from);
    *start = tab ? tab + 1 : NULL;
    return from;
}

/* Widths of the columns of all rows with tabs; the sum with gaps is returned, 0 without a table. */
static cairn_status measure_table(cairn_context *ctx, const char *text, double widths[MOST_CELLS],
                                  double *whole)
{
    cairn_plot_lines lines = {.at = text};
    const char *start, *fitted;
    size_t length, rows = 0, used = 0;
    memset(widths, 0, MOST_CELLS * sizeof *widths);
    while (cairn_next_line(&lines, &start, &length)) {
        if (!memchr(start, '\t', length)) continue;
        const char *end = start + length, *at = start;
        for (size_t c = 0; at && c < MOST_CELLS; c++) {
            size_t n;
            const char *cell = next_cell(&at, end, &n);
            CHECK(fit(ctx, &fitted, cell, n, other_size, rows == 0, most_cell));
            widths[c] = fmax(widths[c], cairn_measure(fitted, other_size, rows == 0));
            if (c + 1 > used) used = c + 1;
        }
        rows++;
    }
    *whole = used ? cell_gap * (double)(used - 1) : 0;
    for (size_t c = 0; c < used; c++) *whole += widths[c];
    return CAIRN_OK;
}

cairn_status cairn_node_measure(cairn_context *ctx, const char *text, double *width, double *height)
{
    cairn_plot_lines lines = {.at = text};
    const char *start, *fitted;
    size_t length;
    double widths[MOST_CELLS], table, most;
    CHECK(measure_table(ctx, text, widths, &table));
    most = table;
    while (cairn_next_line(&lines, &start, &length)) {
        bool first = lines.number == 1;
        double size = first ? first_size : other_size;
        if (memchr(start, '\t', length)) continue;
        CHECK(fit(ctx, &fitted, start, length, size, first, fmax(most_text, table)));
        most = fmax(most, cairn_measure(fitted, size, first));
    }
    *width = most;
    *height = (double)lines.number * line_step;
    return CAIRN_OK;
}

static cairn_status write_row(cairn_context *ctx, cairn_canvas *canvas, const char *start,
                              size_t length, const double *widths, double x, double y, bool head)
{
    const char *end = start + length, *at = start, *fitted;
    cairn_font font = cairn_plain_font(other_size, CAIRN_START);
    font.bold = head;
    font.colour = head ? 0x1A1A1A : 0x505050;
    for (size_t c = 0; at && c < MOST_CELLS; c++) {
        size_t n;
        const char *cell = next_cell(&at, end, &n);
        CHECK(fit(ctx, &fitted, cell, n, other_size, head, most_cell));
        if (*fitted) canvas->text(canvas, x, y, fitted, &font);
        x += widths[c] + cell_gap;
    }
    return CAIRN_OK;
}

cairn_status cairn_node_write(cairn_context *ctx, cairn_canvas *canvas, const char *text,
                              double middle, double top)
{
    cairn_plot_lines lines = {.at = text};
    const char *start, *fitted;
    size_t length, rows = 0;
    double widths[MOST_CELLS], whole;
    CHECK(measure_table(ctx, text, widths, &whole));
    while (cairn_next_line(&lines, &start, &length)) {
        bool first = lines.number == 1;
        double y = top - 3 + (double)lines.number * line_step;
        if (memchr(start, '\t', length)) {
            CHECK(
                write_row(ctx, canvas, start, length, widths, middle - whole / 2, y, rows++ == 0));
            continue;
        }
        cairn_font font = cairn_plain_font(first ? first_size : other_size, CAIRN_MIDDLE);
        font.bold = first;
        font.colour = first ? 0x1A1A1A : 0x505050;
        CHECK(fit(ctx, &fitted, start, length, font.size, first, fmax(most_text, whole)));
        canvas->text(canvas, middle, y, fitted, &font);
    }
    return CAIRN_OK;
}
