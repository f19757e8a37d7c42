/* SPDX-License-Identifier: MIT */
/* The tables of a report as tables of data: see cairn/report.h. */
#include "base/call.h"
#include "base/number.h"
#include "data/ledger.h"
#include "report/document.h"

/* The i-th table of the report in full; NULL when there are fewer. */
static const cairn_report_table *table_at(const cairn_report *report, size_t i)
{
    for (size_t t = 0; report && t < report->n_tables; t++)
        if (report->tables[t].lengths & CAIRN_IN_FULL && i-- == 0) return &report->tables[t];
    return NULL;
}

size_t cairn_report_table_count(const cairn_report *report)
{
    size_t n = 0;
    for (size_t t = 0; report && t < report->n_tables; t++)
        n += (report->tables[t].lengths & CAIRN_IN_FULL) != 0;
    return n;
}

const char *cairn_report_table_title(const cairn_report *report, size_t i)
{
    const cairn_report_table *table = table_at(report, i);
    return table ? table->title : NULL;
}

size_t cairn_report_table_rows(const cairn_report *report, size_t i)
{
    const cairn_report_table *table = table_at(report, i);
    return table ? table->n_seen : 0;
}

/* Whether every cell of the column is a number or empty, and one is a number. */
static bool is_numeric(const cairn_report_table *table, size_t column)
{
    bool some = false;
    for (size_t row = 0; row < table->n_rows; row++) {
        const cairn_shown_cell *cell = &table->cells[row * table->n_columns + column];
        if (cell->text && *cell->text) return false;
        some |= !cell->text;
    }
    return some;
}

static void write_cell(cairn_ledger *out, const cairn_shown_cell *cell, bool numeric)
{
    char text[CAIRN_NUMBER_SIZE];
    if (numeric && cell->text)
        cairn_ledger_missing(out);
    else if (numeric)
        cairn_ledger_number(out, cell->number);
    else if (cell->text)
        cairn_ledger_word(out, cell->text);
    else {
        cairn_number_format(text, cell->number, CAIRN_SHORTEST);
        cairn_ledger_word(out, text);
    }
}

cairn_status cairn_report_table_at(cairn_context *ctx, cairn_table **out,
                                   const cairn_report *report, size_t i)
{
    PUBLIC_CALL(ctx);
    const cairn_report_table *table = table_at(report, i);
    if (!table)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no table %zu: the report has %zu", i,
                          cairn_report_table_count(report));
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    size_t n = table->n_columns;
    bool *numeric;
    CHECK(SCRATCH(ctx, &numeric, n));
    cairn_ledger_begin(&ledger);
    for (size_t k = 0; k < n; k++) {
        numeric[k] = is_numeric(table, k);
        cairn_ledger_column(&ledger, numeric[k] ? CAIRN_NUMBER : CAIRN_TEXT,
                            table->columns[k].head ? table->columns[k].head : "");
    }
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t k = 0; k < n; k++) write_cell(&ledger, &table->cells[row * n + k], numeric[k]);
    return cairn_ledger_table(&ledger, out);
}
