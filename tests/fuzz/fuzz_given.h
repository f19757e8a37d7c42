/* SPDX-License-Identifier: MIT */
/* Models written by hand, of one learner: any text is a model or is refused with a message; a model
 * that was read can be written down, read again, and is then written in the same way. */
#ifndef CAIRN_TESTS_FUZZ_GIVEN_H
#define CAIRN_TESTS_FUZZ_GIVEN_H

#include "fuzz/fuzz_table.h"
#include "cairn/model.h"
#include "model/model.h"

static const char three_classes[] = "colour,x,size of it,class\n"
                                    "red,1,small,yes\ngreen,?,large,no\n"
                                    "?,2.5,small,\"may be\"\nblue,-3,large,yes\n";

static inline cairn_model *fit_given(cairn_context *ctx, const char *learner,
                                     const cairn_table *table, const char *text, size_t length)
{
    char path[FUZZ_PATH];
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.given = path;
    fuzz_file(path, text, length);
    if (cairn_params_new(ctx, &params, learner)) abort();
    cairn_status status = cairn_model_fit(ctx, &model, params, table, &options);
    fuzz_check(ctx, status);
    cairn_params_free(params);
    unlink(path);
    return model;
}

/* `kept` holds the rows as a table from the first input on. */
static inline void fuzz_given(const char *learner, const char *rows, cairn_table **kept,
                              const uint8_t *data, size_t size)
{
    if (!*kept) *kept = fuzz_table(rows, NULL, "class");
    const cairn_table *table = *kept;
    cairn_context *ctx = fuzz_begin();
    char *first = NULL, *second = NULL;
    cairn_model *model = fit_given(ctx, learner, table, (const char *)data, size), *again = NULL;
    if (model) {
        if (cairn_model_export(ctx, model, "text", &first)) abort();
        again = fit_given(ctx, learner, table, first, strlen(first));
        if (!again || cairn_model_export(ctx, again, "text", &second)) abort();
        if (strcmp(first, second) != 0) abort();
    }
    cairn_string_free(first);
    cairn_string_free(second);
    cairn_model_free(model);
    cairn_model_free(again);
    fuzz_end();
}

#endif
