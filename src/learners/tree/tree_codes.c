/* SPDX-License-Identifier: MIT */
/* Codes that trees of several samples share: see tree_codes.h. They are only read once they are
 * made, so that trees may grow side by side. */
#include "learners/tree/tree_codes.h"
#include "base/memory.h"
#include <math.h>

typedef struct tree_codes {
    cairn_binned data;
    size_t n_features, n_rows; /* of the view, of the table */
    cairn_column **features;   /* held */
    cairn_column *target;      /* held */
    uint32_t *places;          /* n_rows: the coded row, UINT32_MAX = it is none */
} tree_codes;

static void clear_codes(void *data)
{
    tree_codes *codes = data;
    cairn_binned_clear(&codes->data);
    for (size_t c = 0; codes->features && c < codes->n_features; c++)
        cairn_column_drop(codes->features[c]);
    cairn_column_drop(codes->target);
    cairn_free(codes->features);
    cairn_free(codes->places);
    cairn_free(codes);
}

cairn_status cairn_tree_codes_make(cairn_context *ctx, cairn_shared *out, const cairn_view *view,
                                   size_t n_classes, size_t bins)
{
    tree_codes *codes;
    CHECK(NEW(ctx, &codes, 1));
    *out = (cairn_shared){codes, clear_codes};
    CHECK(cairn_binned_make_bins(ctx, &codes->data, view, n_classes, bins));
    /* Columns are known again by their address, so they are held as long as the codes are. */
    CHECK(NEW(ctx, &codes->features, view->n_features));
    for (; codes->n_features < view->n_features; codes->n_features++)
        codes->features[codes->n_features] =
            cairn_column_hold((cairn_column *)(uintptr_t)view->features[codes->n_features]);
    codes->target = cairn_column_hold((cairn_column *)(uintptr_t)view->target);
    codes->n_rows = view->table->n_rows;
    CHECK(NEW_RAW(ctx, &codes->places, codes->n_rows));
    for (size_t i = 0; i < codes->n_rows; i++) codes->places[i] = UINT32_MAX;
    for (size_t i = 0; i < codes->data.n_rows; i++)
        codes->places[codes->data.table_rows[i]] = (uint32_t)i;
    return CAIRN_OK;
}

static bool is_same_view(const tree_codes *codes, const cairn_view *view)
{
    bool same = codes->n_features == view->n_features && codes->target == view->target &&
                codes->n_rows == view->table->n_rows;
    for (size_t c = 0; same && c < view->n_features; c++)
        same = codes->features[c] == view->features[c];
    return same;
}

/* Weights of the rows in this view: none, whole numbers, or any. */
static cairn_status set_weights(cairn_context *ctx, cairn_binned *out, double *weights)
{
    bool ones = true, whole = true;
    for (size_t i = 0; i < out->n_rows; i++) {
        ones &= weights[i] == 1;
        whole &= weights[i] == rint(weights[i]) && weights[i] <= UINT16_MAX;
    }
    out->weights = NULL;
    out->repeats = NULL;
    if (ones) return CAIRN_OK;
    if (!whole) {
        out->weights = weights;
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW(ctx, &out->repeats, out->n_rows));
    for (size_t i = 0; i < out->n_rows; i++) out->repeats[i] = (uint32_t)weights[i];
    return CAIRN_OK;
}

/* Whether these are all coded rows in their order. */
static bool is_all(const tree_codes *codes, const uint32_t *rows, size_t n)
{
    if (n != codes->data.n_rows) return false;
    for (size_t i = 0; i < n; i++)
        if (rows[i] != i) return false;
    return true;
}

cairn_status cairn_tree_codes_take(cairn_context *ctx, cairn_binned *out, bool *taken,
                                   const cairn_shared *shared, const cairn_view *view)
{
    const tree_codes *codes = shared ? shared->data : NULL;
    uint32_t *rows;
    double *weights;
    size_t n = 0;
    *taken = codes && is_same_view(codes, view);
    if (!*taken) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &rows, view->rows.n + 1));
    CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        uint32_t place = codes->places[cairn_view_row(view, i)];
        double weight = cairn_view_weight(view, i);
        if (place == UINT32_MAX || !(weight > 0)) continue;
        rows[n] = place;
        weights[n++] = weight;
    }
    if (n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a target value and a weight above 0");
    if (is_all(codes, rows, n)) {
        *out = codes->data;
        return set_weights(ctx, out, weights);
    }
    CHECK(cairn_binned_take(ctx, out, &codes->data, rows, n));
    return set_weights(ctx, out, weights);
}

/* Which codes of a column are not below a cut. */
static void codes_above(uint8_t *above, const cairn_binned_column *column, double cut, int form)
{
    for (uint32_t code = 0; code < column->n_codes; code++)
        above[code] =
            form == CAIRN_TREE_LT ? column->values[code] >= cut : column->values[code] > cut;
}

cairn_status cairn_tree_codes_sides(cairn_context *ctx, uint8_t *out, bool *found, size_t n,
                                    const cairn_shared *shared, const cairn_tree_model *tree)
{
    const tree_codes *codes = shared->data;
    const cairn_tree_node *root = &tree->nodes[0];
    uint8_t *above;
    *found = false;
    if (codes->data.n_rows != n || tree->n_nodes != 3 || root->test != CAIRN_TEST_CUT ||
        codes->data.n_columns != tree->n_columns)
        return CAIRN_OK;
    const cairn_binned_column *column = &codes->data.columns[root->column];
    if (!column->is_number || column->ordered || column->has_missing) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &above, (size_t)column->n_codes + 2));
    codes_above(above, column, root->cut, tree->cut_form);
    *found = true;
    uint32_t *rows, *held;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &rows, &held));
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)i;
    cairn_binned_gather(&codes->data, (size_t)root->column, rows, n, held);
    for (size_t i = 0; i < n; i++) out[i] = above[held[i]];
    return CAIRN_OK;
}
