/* SPDX-License-Identifier: MIT */
/* Models written by hand, of one learner: any text is a model or is refused with a message; a model
 * that was read can be written down, read again, and is then written in the same way. */
#ifndef CAIRN_TESTS_FUZZ_GIVEN_H
#define CAIRN_TESTS_FUZZ_GIVEN_H

#include "fuzz/fuzz.h"
#include "cairn/model.h"
#include "model/model.h"

#include <stdio.h>
#include <unistd.h>

static const char three_classes[] = "colour,x,size of it,class\n"
                                    "red,1,small,yes\ngreen,?,large,no\n"
                                    "?,2.5,small,\"may be\"\nblue,-3,large,yes\n";

static inline cairn_model *fit_given(cairn_context *ctx, const char *learner,
                                     const cairn_table *table, const char *text, size_t length)
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

static inline void fuzz_given(const char *learner, const char *rows, const uint8_t *data,
                              size_t size)
{
    cairn_context *ctx = fuzz_context();
    cairn_table *table = NULL;
    char *first = NULL, *second = NULL;
    if (cairn_table_read_memory(ctx, &table, "x.csv", rows, strlen(rows), NULL) ||
        cairn_table_set_role(ctx, table, "class", CAIRN_TARGET))
        abort();
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
    cairn_table_free(table);
    cairn_context_free(ctx);
}

#endif
