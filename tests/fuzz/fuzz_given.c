/* SPDX-License-Identifier: MIT */
/* Trees and weights written by hand: any text is a model or is refused with a message; one that was
 * read can be written down, read again, and is then written in the same way. */
#include "fuzz/fuzz.h"
#include "cairn/model.h"
#include "base/file.h"
#include "learners/tree/tree_plan.h"
#include "model/model.h"

#include <stdio.h>
#include <unistd.h>

static const char data_of_table[] = "colour,x,size of it,class\n"
                                    "red,1,small,yes\ngreen,?,large,no\n"
                                    "?,2.5,small,\"may be\"\nblue,-3,large,yes\n";

static cairn_model *fit_given(cairn_context *ctx, const cairn_table *table, const char *learner,
                              const char *text, size_t length)
{
    char path[] = "/tmp/cairn-fuzz-given-XXXXXX";
    int file = mkstemp(path);
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.given = path;
    if (file < 0 || write(file, text, length) != (ssize_t)length || close(file)) abort();
    if (cairn_params_new(ctx, &params, learner)) abort();
    cairn_status status = cairn_model_fit(ctx, &model, params, table, &options);
    fuzz_check(ctx, status);
    cairn_params_free(params);
    unlink(path);
    return model;
}

static void try_text(cairn_context *ctx, const cairn_table *table, const char *learner,
                     const char *text, size_t size)
{
    char *first = NULL, *second = NULL;
    cairn_model *model = fit_given(ctx, table, learner, text, size), *again = NULL;
    if (model) {
        if (cairn_model_export(ctx, model, "text", &first)) abort();
        again = fit_given(ctx, table, learner, first, strlen(first));
        if (!again || cairn_model_export(ctx, again, "text", &second)) abort();
        if (strcmp(first, second) != 0) abort();
    }
    cairn_string_free(first);
    cairn_string_free(second);
    cairn_model_free(model);
    cairn_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_context();
    cairn_table *table = NULL;
    if (cairn_table_read_memory(ctx, &table, "x.csv", data_of_table, sizeof data_of_table - 1,
                                NULL) ||
        cairn_table_set_role(ctx, table, "class", CAIRN_TARGET))
        abort();
    try_text(ctx, table, "tree", (const char *)data, size);
    try_text(ctx, table, "logistic", (const char *)data, size);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return 0;
}
