/* SPDX-License-Identifier: MIT */
/* A table that all inputs of a harness are tried on; it is only read. */
#ifndef CAIRN_TESTS_FUZZ_TABLE_H
#define CAIRN_TESTS_FUZZ_TABLE_H

#include "fuzz/fuzz.h"
#include "cairn/table.h"

/* Rows of CSV as a table in memory of its own, which is none of an input's; `kinds` and `target`
 * may be NULL. */
static inline cairn_table *fuzz_table(const char *rows, const char *kinds, const char *target)
{
    cairn_context *ctx = fuzz_new_context();
    cairn_table *table = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.kinds = kinds;
    if (cairn_table_read_memory(ctx, &table, "x.csv", rows, strlen(rows), &options)) abort();
    if (target && cairn_table_set_role(ctx, table, target, CAIRN_TARGET)) abort();
    cairn_context_free(ctx);
    return table;
}

#endif
