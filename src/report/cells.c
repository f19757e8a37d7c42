/* SPDX-License-Identifier: MIT */
/* Numbers as people read them, and the numbers of one column together.
 *
 * A column whose numbers are of like size (largest over smallest at most 1000) is shown with the
 * same decimals throughout: as many as the largest needs for its significant digits, less the
 * zeros that all share. Where sizes differ more, each number gets its own significant digits. */
#include "report/document.h"
#include "base/functions.h"
#include <math.h>
#include <string.h>

static const double LIKE_SIZE = 1000;
static const double LARGEST_PLAIN = 1e15;

static bool is_whole(double number)
{
    return fabs(number) < LARGEST_PLAIN && number == floor(number);
}

size_t cairn_number_show(char out[CAIRN_NUMBER_SIZE], double number, int digits)
{
    if (isnan(number)) {
        memcpy(out, "n/a", 4);
        return 3;
    }
    if (is_whole(number)) return cairn_number_format(out, number, CAIRN_SHORTEST);
    if (fabs(number) >= cairn_pow(10, digits) && fabs(number) < LARGEST_PLAIN)
        return cairn_number_fixed(out, number, 0);
    return cairn_number_format(out, number, digits);
}

static int digits_of(const cairn_shown_cell *cell, int digits)
{
    return digits ? digits : cell->digits;
}

/* Places after the point of a number written with fixed decimals, without its last zeros. */
static int places_needed(double number, int decimals)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_fixed(text, number, decimals);
    while (decimals > 0 && text[length - 1] == '0') {
        length--;
        decimals--;
    }
    return decimals;
}

typedef struct column_range {
    double largest, smallest; /* of the sizes that are not 0 */
    int digits;               /* of all cells, -1 when they differ */
    bool fractions;
} column_range;

static column_range measure(const cairn_report_table *table, size_t column, int digits)
{
    column_range range = {0, INFINITY, 0, false};
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        const cairn_shown_cell *cell = &table->cells[i];
        if (cell->text || !isfinite(cell->number)) continue;
        double size = fabs(cell->number);
        int own = digits_of(cell, digits);
        if (size > range.largest) range.largest = size;
        if (size > 0 && size < range.smallest) range.smallest = size;
        if (!is_whole(size)) range.fractions = true;
        range.digits = range.digits == 0 || range.digits == own ? own : -1;
    }
    return range;
}

/* Decimals for the whole column, or -1 when each number is better shown by itself. */
static int common_decimals(const cairn_report_table *table, size_t column, int digits)
{
    column_range range = measure(table, column, digits);
    if (!range.fractions) return range.largest < LARGEST_PLAIN ? 0 : -1;
    if (range.digits < 0 || range.largest > LIKE_SIZE * range.smallest) return -1;
    int exponent = (int)floor(cairn_log10(range.largest));
    int decimals = range.digits - 1 - exponent, needed = 0;
    if (exponent < -5 || exponent >= 15) return -1;
    if (decimals < 0) decimals = 0;
    if (decimals > 17) decimals = 17;
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        const cairn_shown_cell *cell = &table->cells[i];
        if (cell->text || !isfinite(cell->number)) continue;
        int own = places_needed(cell->number, decimals);
        if (own > needed) needed = own;
    }
    return needed;
}

size_t cairn_cell_format(char out[CAIRN_NUMBER_SIZE], const cairn_column_style *style,
                         const cairn_shown_cell *cell, int digits)
{
    if (style->decimals < 0 || !isfinite(cell->number))
        cairn_number_show(out, cell->number, digits_of(cell, digits));
    else
        cairn_number_fixed(out, cell->number, style->decimals);
    return strcspn(out, ".");
}

cairn_column_style cairn_column_examine(const cairn_report_table *table, size_t column, int digits)
{
    cairn_column_style style = {.decimals = common_decimals(table, column, digits)};
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        const cairn_shown_cell *cell = &table->cells[i];
        if (cell->text) {
            style.has_words |= *cell->text != 0;
            continue;
        }
        char text[CAIRN_NUMBER_SIZE];
        size_t before = cairn_cell_format(text, &style, cell, digits);
        size_t after = strlen(text) - before;
        style.has_numbers = true;
        if (before > style.before) style.before = before;
        if (after > style.after) style.after = after;
    }
    return style;
}

void cairn_text_add_count(cairn_text *text, size_t count)
{
    char digits[32];
    size_t n = 0;
    do digits[n++] = (char)('0' + count % 10);
    while (count /= 10);
    while (n) {
        cairn_text_add_char(text, digits[--n]);
        if (n && n % 3 == 0) cairn_text_add_char(text, ',');
    }
}

void cairn_text_add_more_rows(cairn_text *text, const cairn_report_table *table)
{
    size_t more = table->n_seen - table->n_rows;
    cairn_text_add(text, "and ");
    cairn_text_add_count(text, more);
    cairn_text_add(text, more == 1 ? " more row" : " more rows");
}
