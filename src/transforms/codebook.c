/* SPDX-License-Identifier: MIT */
/* Code books: see codebook.h. */
#include "transforms/codebook.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "model/model.h"
#include "parallel/parallel.h"

#include <math.h>
#include <stdio.h>

enum { ENCODE_ROWS = 256 };

/* The features as a table of their own, which k-means is fitted to. */
static cairn_status narrow_table(cairn_context *ctx, cairn_table **out, const cairn_view *view,
                                 const size_t *chosen, size_t width)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    ptrdiff_t weight = cairn_table_role_column(view->table, CAIRN_WEIGHT);
    CHECK(cairn_table_new(ctx, &table, view->table->n_rows));
    for (size_t c = 0; c < width; c++) {
        cairn_column *column = cairn_column_hold((cairn_column *)view->features[chosen[c]]);
        CHECK(cairn_table_add_column(ctx, table, view->names[chosen[c]], CAIRN_FEATURE, column));
    }
    if (weight >= 0)
        CHECK(cairn_table_add_column(ctx, table, view->table->slots[weight].name, CAIRN_WEIGHT,
                                     cairn_column_hold(view->table->slots[weight].column)));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Centres as means of the clusters in the units of the columns; clusters without rows have none. */
static cairn_status means_of_clusters(cairn_context *ctx, cairn_codebook *out,
                                      const cairn_view *view, const size_t *chosen, int count,
                                      const int32_t *codes)
{
    size_t d = out->width;
    double *weights;
    CHECK(NEW(ctx, &out->centres, cairn_product((size_t)count, d) + 1));
    CHECK(SCRATCH(ctx, &weights, (size_t)count));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        if (codes[i] < 0 || codes[i] >= count) continue;
        weights[codes[i]] += w;
        for (size_t c = 0; c < d; c++)
            out->centres[(size_t)codes[i] * d + c] += w * view->features[chosen[c]]->numbers[row];
    }
    for (int k = 0; k < count; k++) {
        if (weights[k] <= 0) continue;
        for (size_t c = 0; c < d; c++)
            out->centres[out->n * d + c] = out->centres[(size_t)k * d + c] / weights[k];
        out->n++;
    }
    return CAIRN_OK;
}

/* Every vector of the book needs a row of its own. */
static cairn_status check_count(cairn_context *ctx, const cairn_view *view, const size_t *chosen,
                                size_t width, int count)
{
    size_t used = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        bool whole = cairn_view_weight(view, i) > 0;
        for (size_t c = 0; c < width && whole; c++)
            whole = !isnan(view->features[chosen[c]]->numbers[cairn_view_row(view, i)]);
        used += whole;
    }
    if ((size_t)count <= used) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%d vectors cannot be found in %zu complete row%s; ask for fewer", count,
                      used, used == 1 ? "" : "s");
}

cairn_status cairn_codebook_fit(cairn_context *ctx, cairn_codebook *out, const cairn_view *view,
                                const size_t *chosen, size_t width, int count, bool own_units)
{
    char clusters[16];
    OWNED(cairn_params_free) cairn_params *params = NULL, *unscaled = NULL;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction found = {0};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    *out = (cairn_codebook){.width = width};
    CHECK(check_count(ctx, view, chosen, width, count));
    snprintf(clusters, sizeof clusters, "%d", count);
    CHECK(cairn_params_new(ctx, &params, "kmeans"));
    CHECK(cairn_params_set(ctx, params, "clusters", clusters));
    CHECK(narrow_table(ctx, &table, view, chosen, width));
    options.missing = "drop";
    if (own_units)
        CHECK(cairn_params_from_spec(ctx, &unscaled, CAIRN_ENTRY_TRANSFORM, "scale:method=none"));
    options.transforms = unscaled;
    CHECK(cairn_model_fit_rows(ctx, &model, params, table, view->rows, &options));
    CHECK(cairn_model_predict_rows(ctx, &found, model, table, view->rows, (cairn_predict_wants){0},
                                   NULL));
    return means_of_clusters(ctx, out, view, chosen, count, found.codes);
}

const cairn_kept cairn_codebook_keeps[] = {
    KEEP_SIZE(cairn_codebook, n, INT32_MAX, .name = "n_codes"),
    KEEP_SIZE(cairn_codebook, width, UINT32_MAX),
    KEEP_ARRAYS(cairn_codebook, "n*width", centres),
    KEEP_END,
};

void cairn_codebook_clear(cairn_codebook *book)
{
    cairn_free(book->centres);
    *book = (cairn_codebook){0};
}

typedef struct encoding {
    const cairn_codebook *book;
    const double *rows;
    int32_t *codes;
    double *squares; /* n, or NULL */
} encoding;

/* A block of rows; those that lack a number are taken back afterwards. */
static void encode_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const encoding *e = data;
    size_t d = e->book->width;
    double squares[ENCODE_ROWS];
    cairn_nearest_centres(e->codes + begin, squares, e->rows + begin * d, d, end - begin, d,
                          e->book->centres, e->book->n);
    for (size_t i = begin; i < end; i++) {
        bool whole = true;
        for (size_t j = 0; j < d; j++) whole &= isfinite(e->rows[i * d + j]);
        if (!whole) e->codes[i] = -1;
        if (e->squares) e->squares[i] = whole ? squares[i - begin] : NAN;
    }
}

cairn_status cairn_codebook_encode(cairn_context *ctx, const cairn_codebook *book,
                                   const double *rows, size_t n, int32_t *codes, double *squares)
{
    encoding e = {book, rows, codes, squares};
    if (book->n) return cairn_blocks(ctx, n, ENCODE_ROWS, encode_block, &e);
    for (size_t i = 0; i < n; i++) codes[i] = -1;
    return CAIRN_OK;
}

double cairn_code_bits(size_t n)
{
    double bits = 0;
    for (size_t codes = 1; codes < n; codes *= 2) bits++;
    return bits;
}
