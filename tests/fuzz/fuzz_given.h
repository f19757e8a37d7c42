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

/* What all inputs of a learner share, made at the first: its settings and a table to fit it on. */
typedef struct given_learner {
    const char *name, *rows;
    cairn_table *table;
    cairn_params *params;
} given_learner;

static inline void make_shared(given_learner *g)
{
    if (g->table) return;
    cairn_context *ctx = fuzz_new_context(); /* none of an input's memory */
    if (cairn_params_new(ctx, &g->params, g->name)) abort();
    cairn_context_free(ctx);
    g->table = fuzz_table(g->rows, NULL, "class");
}

static inline cairn_model *fit_given(cairn_context *ctx, const given_learner *g, const void *text,
                                     size_t length)
{
    cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.given = fuzz_file(text, length);
    fuzz_check(ctx, cairn_model_fit(ctx, &model, g->params, g->table, &options));
    return model;
}

static inline void try_given(given_learner *g, const uint8_t *data, size_t size)
{
    make_shared(g);
    cairn_context *ctx = fuzz_begin();
    char *first = NULL, *second = NULL;
    cairn_model *model = fit_given(ctx, g, data, size), *again = NULL;
    if (model) {
        if (cairn_model_export(ctx, model, "text", &first)) abort();
        again = fit_given(ctx, g, first, strlen(first));
        if (!again || cairn_model_export(ctx, again, "text", &second)) abort();
        if (strcmp(first, second) != 0) abort();
    }
    cairn_string_free(first);
    cairn_string_free(second);
    cairn_model_free(model);
    cairn_model_free(again);
    fuzz_end();
}

/* One of n learners: a text of another length, such as one with a blank line, is another's. */
static inline void fuzz_given(given_learner *all, size_t n, const uint8_t *data, size_t size)
{
    try_given(&all[size % n], data, size);
}

#endif
