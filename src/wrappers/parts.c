/* SPDX-License-Identifier: MIT */
/* Inner resampling: see parts.h. The plan numbers positions of the view, because a view may hold a
 * row several times; a row that was drawn twice may then be trained on and judged by. */
#include "wrappers/parts.h"

cairn_status cairn_rows_at(cairn_context *ctx, cairn_rows *out, const cairn_view *view,
                           const uint32_t *positions, size_t n)
{
    uint32_t *rows;
    double *weights = NULL;
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    if (view->rows.weights) CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
    for (size_t i = 0; i < n; i++) {
        rows[i] = (uint32_t)cairn_view_row(view, positions[i]);
        if (weights) weights[i] = view->rows.weights[positions[i]];
    }
    *out = (cairn_rows){rows, n, weights};
    return CAIRN_OK;
}

cairn_status cairn_known_positions(cairn_context *ctx, const cairn_view *view, uint32_t **out,
                                   size_t *n)
{
    cairn_status status = SCRATCH_RAW(ctx, out, view->rows.n + 1);
    *n = 0;
    for (size_t i = 0; status == CAIRN_OK && i < view->rows.n; i++)
        if (!cairn_column_is_missing(view->target, cairn_view_row(view, i)))
            (*out)[(*n)++] = (uint32_t)i;
    return status;
}

/* Classes and groups by position, which is what the plan calls rows here. */
static cairn_status plan_job(cairn_context *ctx, const cairn_view *view, cairn_table *table,
                             cairn_plan_job *out)
{
    uint32_t *known;
    int32_t *classes, *groups;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_GROUP);
    CHECK(cairn_known_positions(ctx, view, &known, &out->n));
    out->rows = known;
    if (view->target->kind == CAIRN_LEVEL) {
        CHECK(SCRATCH(ctx, &classes, view->rows.n + 1));
        for (size_t i = 0; i < view->rows.n; i++)
            classes[i] = view->target->codes[cairn_view_row(view, i)];
        out->classes = classes;
        out->n_classes = view->target->names.n;
    }
    ptrdiff_t time = cairn_time_column(table);
    if (time >= 0) {
        double *times;
        CHECK(SCRATCH(ctx, &times, view->rows.n + 1));
        for (size_t i = 0; i < view->rows.n; i++)
            times[i] = table->slots[time].column->numbers[cairn_view_row(view, i)];
        out->times = times;
    }
    if (at < 0) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, table, (size_t)at, CAIRN_LEVEL));
    const cairn_column *column = table->slots[at].column;
    if (column->n_missing) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &groups, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) groups[i] = column->codes[cairn_view_row(view, i)];
    out->groups = groups;
    out->n_groups = column->names.n;
    return CAIRN_OK;
}

cairn_status cairn_split_view(cairn_context *ctx, cairn_inner_split **out, size_t *n,
                              const cairn_view *view, cairn_table *table, const char *by,
                              const char *who)
{
    cairn_status status;
    cairn_plan_job job = {0};
    cairn_plan plan;
    cairn_rows train, test;
    TRY(plan_job(ctx, view, table, &job));
    status = cairn_plan_make(ctx, &plan, by, job);
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
