/* SPDX-License-Identifier: MIT */
/* Model formulas: any text is read or refused with a message; what is read makes columns of a table
 * or is refused there. */
#include "fuzz/fuzz.h"
#include "support/transforms.h"
#include "typed/model_formula.h"

static const char data_of_table[] = "x,y,name,colour,a b\n"
                                    "1,2.5,Ann,red,0\n"
                                    "-3,?,Bob,green,1\n"
                                    "0,1e300,?,?,2\n"
                                    "4,-0.5,Cy,red,3\n";

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
    cairn_context *ctx = fuzz_context();
    cairn_table *table = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_model_formula formula;
    char *text = fuzz_text(data, size);
    options.kinds = "name=text";
    if (cairn_table_read_memory(ctx, &table, "x.csv", data_of_table, sizeof data_of_table - 1,
                                &options))
        abort();
    cairn_status status = cairn_model_formula_of_table(ctx, &formula, text, table);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK && !strchr(text, '\n')) make_columns(ctx, text, table);
    cairn_table_free(table);
    free(text);
    cairn_context_free(ctx);
    return 0;
}
