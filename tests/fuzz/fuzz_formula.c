/* SPDX-License-Identifier: MIT */
/* Model formulas: any text is read or refused with a message; what is read makes columns of a table
 * or is refused there. */
#include "fuzz/fuzz_table.h"
#include "support/transforms.h"
#include "model/model_formula.h"
#include "cairn/limits.h"
#include "registry.h"

/* All that is named here, in place of the library's: no counters to look at but theirs. */
const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {&cairn_design.entry, &cairn_csv_format.entry};
    *n = sizeof entries / sizeof *entries;
    return entries;
}

static const char data_of_table[] = "x,y,name,colour,a b\n"
                                    "1,2.5,Ann,red,0\n"
                                    "-3,?,Bob,green,1\n"
                                    "0,1e300,?,?,2\n"
                                    "4,-0.5,Cy,red,3\n";

enum { MOST_COLUMNS = 50 }; /* more of them are only more of the same */

/* The columns of the formula. */
static void make_columns(cairn_context *ctx, const char *text, const cairn_table *table)
{
    cairn_table *made = NULL;
    cairn_params *params = NULL;
    char *spec = NULL;
    if (cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_TRANSFORM, "design")) abort();
    cairn_status status = cairn_params_set(ctx, params, "formula", text);
    if (!status && cairn_params_spec(ctx, params, &spec)) abort();
    if (!status)
        status = run_transforms(ctx, &made, table, (const char *const[]){spec, NULL}, NULL);
    fuzz_check(ctx, status);
    if (!status && cairn_table_rows(made) != cairn_table_rows(table)) abort();
    cairn_table_free(made);
    cairn_string_free(spec);
    cairn_params_free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    static cairn_table *table;
    cairn_model_formula formula;
    if (cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, MOST_COLUMNS)) abort();
    char *text = fuzz_text(data, size);
    if (!table) table = fuzz_table(data_of_table, "name=text", NULL);
    cairn_status status = cairn_model_formula_of_table(ctx, &formula, text, table);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK && !strchr(text, '\n')) make_columns(ctx, text, table);
    free(text);
    fuzz_end();
    return 0;
}
