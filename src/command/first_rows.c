/* SPDX-License-Identifier: MIT */
/* The first rows of a table as a table of the report. */
#include "command/command.h"

#include "data/column.h"

enum { SHOWN_COLUMNS = 40 };

static void show_cell(cairn_report *report, const cairn_table *table, size_t column, size_t row,
                      bool named)
{
    const cairn_slot *slot = &table->slots[column];
    const char *key = cairn_report_key(report, slot->name);
    bool number = slot->column->kind == CAIRN_NUMBER;
    char cell[200];
    if (!number) cairn_table_cell(table, column, row, cell, sizeof cell);
    const char *word = cairn_column_is_missing(slot->column, row) ? "?" : cell;
    if (number && named)
        cairn_report_cell_number(report, slot->column->numbers[row], 0, "row%zu.%s", row + 1, key);
    else if (number)
        cairn_report_cell_number(report, slot->column->numbers[row], 0, NULL);
    else if (named)
        cairn_report_cell_word(report, word, "row%zu.%s", row + 1, key);
    else
        cairn_report_cell(report, word);
}

void cairn_report_rows(cairn_report *report, const cairn_table *table, const char *title,
                       size_t most, bool named)
{
    size_t n_rows = table->n_rows < most ? table->n_rows : most;
    size_t n_columns = table->n_columns < SHOWN_COLUMNS ? table->n_columns : SHOWN_COLUMNS;
    cairn_report_table_of(report, title, 0, "r", "row");
    for (size_t c = 0; c < n_columns; c++)
        cairn_report_column(report, table->slots[c].name,
                            table->slots[c].column->kind == CAIRN_NUMBER ? 'r' : 'l');
    for (size_t i = 0; i < n_rows; i++) {
        cairn_report_cellf(report, "%zu", i + 1);
        for (size_t c = 0; c < n_columns; c++) show_cell(report, table, c, i, named);
    }
    if (n_rows < table->n_rows || n_columns < table->n_columns)
        cairn_report_paragraph(report, "These are the first %zu of %zu rows, %zu of %zu columns.",
                               n_rows, table->n_rows, n_columns, table->n_columns);
}
