/* SPDX-License-Identifier: MIT */
/* Rows of tables in one call, for reports (cairn_report_cells) and ledgers (cairn_ledger_cells):
 *
 *     cairn_report_cells(out, "- chi_squared.$1:5 p_value.$1:3", name, a->statistic, a->p_value);
 *
 * The names of the values come first, one word for each cell. In them stand
 *     $1 to $9   for that cell of the call: the key of a text (cairn_report_key), or a count,
 *     $0         for the key of what the column is headed,
 *     $n         for the number of the cell among those of a cairn_cell_row, from 1,
 *     #          for the number of the row in the table, from 1,
 *     @          for what cairn_report_prefix said last in this table;
 * "-" is a cell without a name, as are those that no word is left for; ":5" behind it asks for 5
 * significant digits. A cell is a text, a double, a count (any integer; without a name it is
 * written as it stands), or what cairn_cell_row and cairn_cell_if make. Arguments have no side
 * effects. */
#ifndef CAIRN_REPORT_TABLE_ROWS_H
#define CAIRN_REPORT_TABLE_ROWS_H

#include "base/text.h"
#include "report/report.h"

typedef struct cairn_row_cell {
    enum { CAIRN_ROW_TEXT, CAIRN_ROW_NUMBER, CAIRN_ROW_COUNT, CAIRN_ROW_NUMBERS } kind;
    const char *text;
    double number;
    const double *numbers; /* of a CAIRN_ROW_NUMBERS: n */
    size_t n;
} cairn_row_cell;

static inline cairn_row_cell cairn_cell_text(const char *text)
{
    return (cairn_row_cell){.kind = CAIRN_ROW_TEXT, .text = text};
}

static inline cairn_row_cell cairn_cell_number(double number)
{
    return (cairn_row_cell){.kind = CAIRN_ROW_NUMBER, .number = number};
}

static inline cairn_row_cell cairn_cell_count(double count)
{
    return (cairn_row_cell){.kind = CAIRN_ROW_COUNT, .number = count};
}

/* So many cells beside each other, maybe none, that share one word for their names. */
static inline cairn_row_cell cairn_cell_row(const double *numbers, size_t n)
{
    return (cairn_row_cell){.kind = CAIRN_ROW_NUMBERS, .numbers = numbers, .n = n};
}

/* A cell of a column that only some tables have; the number is asked for where it is wanted. */
#define cairn_cell_if(wanted, number)                                                              \
    ((wanted) ? cairn_cell_number(number) : cairn_cell_row(NULL, 0))

static inline cairn_row_cell cairn_cell_itself(cairn_row_cell cell)
{
    return cell;
}

/* clang-format off */
#define CAIRN_CELL(x)                                                                              \
    _Generic((x), cairn_row_cell: cairn_cell_itself, char *: cairn_cell_text,                      \
             const char *: cairn_cell_text, double: cairn_cell_number,                             \
             float: cairn_cell_number /* NAN */,                                                   \
             default: cairn_cell_count)(x)
#define CAIRN_CELLS_1(x)       CAIRN_CELL(x)
#define CAIRN_CELLS_2(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_1(__VA_ARGS__)
#define CAIRN_CELLS_3(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_2(__VA_ARGS__)
#define CAIRN_CELLS_4(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_3(__VA_ARGS__)
#define CAIRN_CELLS_5(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_4(__VA_ARGS__)
#define CAIRN_CELLS_6(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_5(__VA_ARGS__)
#define CAIRN_CELLS_7(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_6(__VA_ARGS__)
#define CAIRN_CELLS_8(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_7(__VA_ARGS__)
#define CAIRN_CELLS_9(x, ...)  CAIRN_CELL(x), CAIRN_CELLS_8(__VA_ARGS__)
#define CAIRN_CELLS_10(x, ...) CAIRN_CELL(x), CAIRN_CELLS_9(__VA_ARGS__)
#define CAIRN_CELLS_11(x, ...) CAIRN_CELL(x), CAIRN_CELLS_10(__VA_ARGS__)
#define CAIRN_CELLS_12(x, ...) CAIRN_CELL(x), CAIRN_CELLS_11(__VA_ARGS__)
#define CAIRN_CELLS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, picked, ...) picked
#define CAIRN_CELLS_COUNT(...)                                                                     \
    CAIRN_CELLS_PICK(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CAIRN_CELLS_JOIN(n)  CAIRN_CELLS_##n
#define CAIRN_CELLS_OF(n)    CAIRN_CELLS_JOIN(n)
/* One to twelve cells as an array, and how many they are: two arguments of a call. */
#define CAIRN_CELLS(...)                                                                           \
    (const cairn_row_cell[]){CAIRN_CELLS_OF(CAIRN_CELLS_COUNT(__VA_ARGS__))(__VA_ARGS__)},         \
        CAIRN_CELLS_COUNT(__VA_ARGS__)
/* clang-format on */

/* The next cells of the table, as said above; `names` may be NULL. */
#define cairn_report_cells(report, names, ...)                                                     \
    cairn_report_add_cells(report, names, CAIRN_CELLS(__VA_ARGS__))
void cairn_report_add_cells(cairn_report *report, const char *names, const cairn_row_cell *cells,
                            size_t n);
/* What @ stands for in the names of this table's cells from here on. */
CAIRN_PRINTF(2, 3) void cairn_report_prefix(cairn_report *report, const char *format, ...);

/* Free a text that was written for the report, which remembers its failure. */
void cairn_report_text_end(cairn_report *report, cairn_text *text);

#endif
