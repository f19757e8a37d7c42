/* SPDX-License-Identifier: MIT */
/* Expressions: any text is computed or refused with a message, on a table that has columns of
 * numbers, levels, texts and times; what is refused while reading is refused when computing. */
#include "fuzz/fuzz_table.h"
#include "data/expression.h"

static const char data_of_table[] = "x,y,name,colour,when,a b\n"
                                    "1,2.5,Ann,red,2024-02-29,0\n"
                                    "-3,?,Bob,green,2023-12-31,1\n"
                                    "0,1e300,?,?,?,2\n"
                                    "4,-0.5,\xc3\x84nne,red,2026-11-15,3\n";

static void compute(cairn_context *ctx, const char *text, const cairn_table *table)
{
    cairn_expression *e = NULL;
    cairn_column *column = NULL;
    cairn_faults faults = {0};
    cairn_status status = cairn_expression_new(ctx, &e, text, table);
    fuzz_check(ctx, status);
    if (status) return;
    if (cairn_expression_check(ctx, text)) abort();
    status = cairn_expression_column(ctx, e, &column, &faults);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK && column->n_rows != cairn_table_rows(table)) abort();
    cairn_column_drop(column);
    cairn_expression_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    static cairn_table *table;
    cairn_table *kept = NULL;
    char *text = fuzz_text(data, size), *name, *formula;
    if (!table) table = fuzz_table(data_of_table, "name=text", NULL);
    compute(ctx, text, table);
    fuzz_check(ctx, cairn_assignment_split(ctx, text, &name, &formula));
    fuzz_check(ctx, cairn_table_filter(ctx, &kept, table, text));
    cairn_table_free(kept);
    free(text);
    fuzz_end();
    return 0;
}
