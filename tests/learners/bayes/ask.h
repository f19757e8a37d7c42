/* SPDX-License-Identifier: MIT */
/* Questions to models of classes: tables from text, and the probability of a class. */
#ifndef CAIRN_TESTS_ASK_H
#define CAIRN_TESTS_ASK_H

#include "support/learn.h"
#include "data/table.h"

/* A table whose first column is called text has texts. */
static inline cairn_table *read_csv(cairn_context *ctx, const char *text)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table;
    if (strncmp(text, "text", 4) == 0) options.kinds = "text=text";
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), &options));
    return table;
}

/* Probability of class number `c` for the first row of `text`. */
static inline double ask(cairn_context *ctx, const cairn_model *model, const char *text, size_t c)
{
    cairn_table *table = read_csv(ctx, text), *answer;
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    double p = cairn_table_numbers(answer, c + 1)[0];
    cairn_table_free(answer);
    cairn_table_free(table);
    return p;
}

#endif
