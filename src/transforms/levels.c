/* SPDX-License-Identifier: MIT */
/* Transforms of level columns: see levels.h. */
#include "data/ledger.h"
#include "transforms/levels.h"
#include "data/column.h"
#include "parallel/sort.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

cairn_status cairn_levelled_new(cairn_context *ctx, cairn_levelled *s, size_t n)
{
    return NEW(ctx, &s->levels, n);
}

cairn_status cairn_levelled_add(cairn_context *ctx, cairn_levelled *s, const char *name,
                                cairn_map **out)
{
    size_t index;
    cairn_status status = cairn_map_add(ctx, &s->names, name, strlen(name), &index);
    if (status == CAIRN_OK) *out = &s->levels[index];
    return status;
}

cairn_status cairn_level_places(cairn_context *ctx, int32_t **out, const cairn_map *levels,
                                const cairn_column *column)
{
    cairn_status status = SCRATCH(ctx, out, column->names.n + 1);
    for (size_t i = 0; status == CAIRN_OK && i < column->names.n; i++)
        (*out)[i] = (int32_t)cairn_map_find(levels, cairn_map_key(&column->names, i),
                                            column->names.lengths[i]);
    return status;
}

cairn_status cairn_relevel(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                           const cairn_map *levels, const int32_t *places, bool ordered)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, from->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, levels));
    column->ordered = ordered;
    column->declared = from->declared;
    for (size_t i = 0; i < from->n_rows; i++) {
        column->codes[i] = from->codes[i] < 0 ? -1 : places[from->codes[i]];
        column->n_missing += column->codes[i] < 0;
    }
    *out = TAKE(column);
    return CAIRN_OK;
}

void cairn_share_name(const cairn_job *job, char *out, size_t size)
{
    const cairn_view *view = job->view;
    if (job->task == CAIRN_REGRESS)
        snprintf(out, size, "mean of %s", view->target_name);
    else
        snprintf(out, size, "share of %s",
                 job->positive < 0 ? "the positive class"
                                   : cairn_level_name(view->target, job->positive));
}

cairn_status cairn_level_shares(cairn_context *ctx, const cairn_job *job, const char *transform,
                                size_t feature, double **weights, double **shares)
{
    const cairn_view *view = job->view;
    const cairn_column *column = view->features[feature], *target = view->target;
    bool two = job->task == CAIRN_CLASSIFY && job->positive >= 0;
    if (!target || (job->task != CAIRN_REGRESS && !two))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the share of positives needs a target of two classes, or of "
                          "numbers; name one with {target}",
                          transform);
    CHECK(SCRATCH_EACH(ctx, column->names.n + 1, weights, shares));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t code = column->codes[row];
        double w = cairn_view_weight(view, i);
        if (code < 0 || w <= 0) continue;
        double y = two ? target->codes[row] == job->positive : target->numbers[row];
        (*weights)[code] += w;
        (*shares)[code] += w * y;
    }
    for (size_t k = 0; k < column->names.n; k++)
        (*shares)[k] = (*weights)[k] > 0 ? (*shares)[k] / (*weights)[k] : NAN;
    return CAIRN_OK;
}

cairn_status cairn_level_order(cairn_context *ctx, const double *values, size_t n, size_t **out)
{
    uint64_t *order;
    CHECK(SCRATCH_EACH(ctx, n + 1, out, &order));
    CHECK(cairn_sort_order(ctx, order, values, n));
    for (size_t i = 0; i < n; i++) (*out)[i] = (size_t)order[i];
    return CAIRN_OK;
}

cairn_status cairn_level_weights(cairn_context *ctx, const cairn_view *view,
                                 const cairn_column *column, double **out)
{
    cairn_status status = SCRATCH(ctx, out, column->names.n + 1);
    for (size_t i = 0; status == CAIRN_OK && i < view->rows.n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        if (code >= 0) (*out)[code] += cairn_view_weight(view, i);
    }
    return status;
}

void cairn_levelled_write(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_levelled *s = state;
    (void)job;
    cairn_ledger_columns(out, "tnt", "column", "code", "level");
    for (size_t i = 0; i < s->names.n; i++)
        for (size_t v = 0; v < s->levels[i].n; v++) {
            cairn_ledger_cells(out, cairn_map_key(&s->names, i), (double)v,
                               cairn_map_key(&s->levels[i], v));
        }
}

const cairn_kept cairn_levelled_keeps[] = {
    KEEP(cairn_levelled, names),
    KEEP_MAPS(cairn_levelled, levels, "names"),
    KEEP_END,
};
