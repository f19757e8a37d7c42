/* SPDX-License-Identifier: MIT */
/* Rows of tables in one call: the small language of names, cell by cell. */
#include "report/table_rows.h"
#include "report/document.h"
#include <string.h>

/* What $ and a digit stand for: the key of a cell of the call or the column's head, or a count. */
static void add_key(cairn_text *name, cairn_report *report, char digit, const cairn_row_cell *cells,
                    size_t n)
{
    const cairn_report_table *table = &report->tables[report->n_tables - 1];
    size_t i = (size_t)(digit - '0');
    if (i == 0)
        cairn_text_add(name, cairn_report_key(report, table->columns[table->at].head));
    else if (i <= n && cells[i - 1].kind == CAIRN_ROW_COUNT)
        cairn_text_addf(name, "%lld", (long long)cells[i - 1].number);
    else if (i <= n)
        cairn_text_add(name, cairn_report_key(report, cells[i - 1].text));
}

/* Write the name that a word of `length` bytes says into report->name; NULL when it says none. The
 * cell is number `place` of those that share the word. */
static const char *name_of(cairn_report *report, const char *word, size_t length, size_t place,
                           const cairn_row_cell *cells, size_t n)
{
    const cairn_report_table *table = &report->tables[report->n_tables - 1];
    cairn_text *name = &report->name;
    if (length == 0 || (length == 1 && *word == '-')) return NULL;
    name->length = 0;
    for (const char *at = word; at < word + length; at++) {
        if (*at == '$' && at[1] == 'n')
            cairn_text_addf(name, "%zu", place), at++;
        else if (*at == '$')
            add_key(name, report, *++at, cells, n);
        else if (*at == '#')
            cairn_text_addf(name, "%zu", table->n_seen + 1);
        else if (*at == '@')
            cairn_text_add_bytes(name, cairn_text_string(&report->prefix), report->prefix.length);
        else
            cairn_text_add_char(name, *at);
    }
    cairn_report_failed(report, cairn_text_status(name));
    return cairn_text_string(name);
}

/* One cell under the name that its word says. */
static void add_cell(cairn_report *report, const cairn_row_cell *cell, const char *name, int digits)
{
    if (cell->kind == CAIRN_ROW_TEXT && !name)
        cairn_report_cell(report, cell->text);
    else if (cell->kind == CAIRN_ROW_TEXT)
        cairn_report_cell_word(report, cell->text, "%s", name);
    else if (cell->kind == CAIRN_ROW_COUNT && !name)
        cairn_report_cellf(report, "%lld", (long long)cell->number);
    else
        cairn_report_cell_number(report, cell->number, digits, name ? "%s" : NULL, name);
}

void cairn_report_add_cells(cairn_report *report, const char *names, const cairn_row_cell *cells,
                            size_t n)
{
    if (!report || report->status || !report->table_is_open ||
        !report->tables[report->n_tables - 1].n_columns)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *word = names ? names + strspn(names, " ") : "";
        size_t length = strcspn(word, " :");
        int digits = 0;
        for (names = word + length; *names && *names != ' '; names++)
            if (*names != ':') digits = 10 * digits + (*names - '0');
        if (cells[i].kind != CAIRN_ROW_NUMBERS) {
            add_cell(report, &cells[i], name_of(report, word, length, 1, cells, n), digits);
            continue;
        }
        for (size_t k = 0; k < cells[i].n; k++) {
            cairn_row_cell cell = cairn_cell_number(cells[i].numbers[k]);
            add_cell(report, &cell, name_of(report, word, length, k + 1, cells, n), digits);
        }
    }
}

void cairn_report_prefix(cairn_report *report, const char *format, ...)
{
    if (!report || report->status) return;
    va_list arguments;
    va_start(arguments, format);
    report->prefix.length = 0;
    cairn_text_addv(&report->prefix, format, arguments);
    va_end(arguments);
    cairn_report_failed(report, cairn_text_status(&report->prefix));
}

void cairn_report_text_end(cairn_report *report, cairn_text *text)
{
    cairn_report_failed(report, cairn_text_status(text));
    cairn_text_clear(text);
}
