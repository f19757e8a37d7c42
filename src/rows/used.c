/* SPDX-License-Identifier: MIT */
/* The rows that count. */
#include "rows/used.h"
#include "base/memory.h"

cairn_status cairn_view_used(cairn_context *ctx, cairn_view *out, const cairn_view *view)
{
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *out = *view;
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &indices, view->rows.n));
    if (view->rows.weights) CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        if (!(cairn_view_weight(view, i) > 0)) continue;
        if (weights) weights[n] = view->rows.weights[i];
        indices[n++] = (uint32_t)cairn_view_row(view, i);
    }
    out->rows = (cairn_rows){indices, n, weights};
    return CAIRN_OK;
}
