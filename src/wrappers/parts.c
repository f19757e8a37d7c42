/* SPDX-License-Identifier: MIT */
/* Inner resampling: see parts.h. The plan numbers positions of the view, because a view may hold a
 * row several times; a row that was drawn twice may then be trained on and judged by. */
#include "wrappers/parts.h"

cairn_status cairn_split_view(cairn_context *ctx, cairn_inner_split **out, size_t *n,
                              const cairn_view *view, cairn_table *table, const char *by,
                              const char *who)
{
    cairn_status status;
    cairn_plan plan;
    cairn_rows train, test;
    status = cairn_plan_view(ctx, &plan, view, table, by);
    if (status) cairn_message_prefix(ctx, "%s", who);
    TRY(status);
    *n = cairn_plan_splits(&plan);
    TRY(SCRATCH(ctx, out, *n));
    for (size_t i = 0; i < *n; i++) {
        TRY(cairn_plan_split(ctx, &plan, i, &train, &test));
        if (!train.n || !test.n)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: %s leaves no row to %s", who, by,
                              train.n ? "validate on" : "train on");
        TRY(cairn_rows_at(ctx, &(*out)[i].train, view, train.indices, train.n));
        TRY(cairn_rows_at(ctx, &(*out)[i].test, view, test.indices, test.n));
    }
done:
    return status;
}
