/* SPDX-License-Identifier: MIT */
/* Parts of reports that calculators share. */
#include "typed/shown.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cairn_begin_intervals(cairn_report *out, const char *what, double level)
{
    char title[160], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(percent, 100 * level, 4);
    snprintf(title, sizeof title, "%.80s at the level %s%%", what, percent);
    cairn_report_table_begin(out, title, (size_t)-1);
}

cairn_status cairn_source_name(cairn_context *ctx, const char **out, const cairn_table *table)
{
    const char *source = table->source ? table->source : "table", *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *dot = strchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *name;
    cairn_status status = SCRATCH(ctx, &name, length + 1);
    if (status) return status;
    memcpy(name, base, length);
    *out = name;
    return CAIRN_OK;
}

void cairn_show_quantiles(cairn_report *out, const cairn_sample *sample,
                          const cairn_quantile_table *table)
{
    const double *numbers = table->numbers->values;
    cairn_report_table_of(out, table->title, table->numbers->n + 1, "rr", table->column, "value");
    for (size_t i = 0; i < table->numbers->n; i++) {
        double quantile = cairn_sample_quantile(sample, numbers[i] / table->whole, table->rule);
        cairn_report_cell_number(out, numbers[i], 0, NULL);
        cairn_report_cell_number(out, quantile, 10, "%s.%zu", table->name, i + 1);
    }
}

cairn_status cairn_value_prefix(cairn_context *ctx, const char **out, cairn_report *report,
                                const char *name)
{
    const char *key = name ? cairn_report_key(report, name) : "";
    size_t length = strlen(key);
    char *prefix;
    CHECK(SCRATCH(ctx, &prefix, length + 2));
    memcpy(prefix, key, length);
    if (name) prefix[length] = '.';
    *out = prefix;
    return CAIRN_OK;
}

/* A number or a word with its name; a long cell, as a sequence may be, is cut. */
static void show_cell(cairn_report *out, const cairn_slot *slot, size_t row)
{
    char cell[200];
    const cairn_column *column = slot->column;
    const char *key = cairn_report_key(out, slot->name);
    if (column->kind == CAIRN_NUMBER) {
        cairn_report_cell_number(out, column->numbers[row], 0, "row%zu.%s", row + 1, key);
        return;
    }
    if (column->kind == CAIRN_LEVEL) {
        cairn_report_cell_word(out, cairn_level_name(column, column->codes[row]), "row%zu.%s",
                               row + 1, key);
        return;
    }
    cairn_column_cell(column, row, cell, sizeof cell);
    cairn_report_cell_word(out, cell, "row%zu.%s", row + 1, key);
}

void cairn_show_first_rows(cairn_report *out, const cairn_table *table)
{
    enum { SHOWN_ROWS = 10, SHOWN_COLUMNS = 12 };
    size_t n_columns = table->n_columns < SHOWN_COLUMNS ? table->n_columns : SHOWN_COLUMNS;
    cairn_report_table_of(out, "First rows", SHOWN_ROWS, "r", "row");
    for (size_t c = 0; c < n_columns; c++)
        cairn_report_column(out, table->slots[c].name,
                            table->slots[c].column->kind == CAIRN_NUMBER ? 'r' : 'l');
    for (size_t i = 0; i < table->n_rows && i < SHOWN_ROWS; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t c = 0; c < n_columns; c++) show_cell(out, &table->slots[c], i);
    }
    if (table->n_rows <= SHOWN_ROWS && table->n_columns <= SHOWN_COLUMNS) return;
    cairn_report_paragraph(out,
                           "These are the first of %zu rows and %zu columns; {out FILE.csv} "
                           "writes them all.",
                           table->n_rows, table->n_columns);
}

cairn_status cairn_check_ends(cairn_context *ctx, const double *low, const double *high)
{
    bool right = true;
    for (int k = 0; k < 2; k++) right &= low[k] < high[k] && isfinite(high[k] - low[k]);
    if (right) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "the axes need a beginning below their end: {low} below {high}, {y-low} "
                      "below {y-high}, and finite");
}
