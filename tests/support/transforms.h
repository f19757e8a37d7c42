/* SPDX-License-Identifier: MIT */
/* Transforms written as text, run on a table. */
#ifndef CAIRN_TESTS_TRANSFORMS_H
#define CAIRN_TESTS_TRANSFORMS_H

#include "model/chain.h"

/* Fit the transforms of the specs (ended by NULL) and keep the table that they make. */
static inline cairn_status run_transforms(cairn_context *ctx, cairn_table **out,
                                          const cairn_table *table, const char *const *with,
                                          cairn_report *steps)
{
    OWNED(cairn_params_free) cairn_params *list = NULL;
    CHECK(cairn_params_append_specs(ctx, &list, CAIRN_ENTRY_TRANSFORM, with));
    return cairn_transforms_run(ctx, out, table, list, steps);
}

#endif
