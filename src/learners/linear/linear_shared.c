/* SPDX-License-Identifier: MIT */
/* Several targets on the same rows, W = (X'X)⁻¹ X'T: the cross products of the features and their
 * inverse are made for the first target and used by the others, which sum only their own column.
 *
 * Nothing is taken on trust: the features, rows and weights are compared with those that the
 * products were made of, cell by cell where a transform has made new columns. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/linear/linear.h"
#include <math.h>
#include <string.h>

typedef struct kept {
    size_t n_features, n_rows, n, width; /* n rows of a table of n_rows */
    cairn_column **features;
    uint32_t *indices; /* n; NULL = all rows */
    double *weights;   /* n; NULL = all 1 */
    double *gram;      /* width x width: terms, a target, ones */
    size_t q;
    double condition;
    double *inverse; /* q x q; NULL = not kept */
} kept;

static void clear_kept(void *data)
{
    kept *k = data;
    if (!k) return;
    for (size_t j = 0; k->features && j < k->n_features; j++) cairn_column_drop(k->features[j]);
    cairn_free(k->features);
    cairn_free(k->indices);
    cairn_free(k->weights);
    cairn_free(k->gram);
    cairn_free(k->inverse);
    cairn_free(k);
}

static bool same_column(const cairn_column *a, const cairn_column *b, size_t n)
{
    if (a == b) return true;
    return a->kind == CAIRN_NUMBER && b->kind == CAIRN_NUMBER &&
           memcmp(a->numbers, b->numbers, n * sizeof *a->numbers) == 0;
}

/* Whether the view has the rows, weights and features that the products were made of. */
static bool is_same(const kept *k, const cairn_view *view)
{
    bool listed = view->rows.indices != NULL;
    if (k->n != view->rows.n || k->n_rows != view->table->n_rows ||
        k->n_features != view->n_features || listed != (k->indices != NULL))
        return false;
    if (listed && memcmp(k->indices, view->rows.indices, k->n * sizeof *k->indices) != 0)
        return false;
    for (size_t i = 0; i < k->n; i++)
        if (cairn_view_weight(view, i) != (k->weights ? k->weights[i] : 1)) return false;
    for (size_t j = 0; j < k->n_features; j++)
        if (!same_column(k->features[j], view->features[j], k->n_rows)) return false;
    return true;
}

/* What the products were made of. */
static cairn_status keep_rows(cairn_context *ctx, kept *k, const cairn_view *view)
{
    k->n = view->rows.n;
    k->n_rows = view->table->n_rows;
    CHECK(NEW(ctx, &k->features, view->n_features + 1));
    k->n_features = view->n_features;
    for (size_t j = 0; j < view->n_features; j++)
        k->features[j] = cairn_column_hold((cairn_column *)view->features[j]);
    if (view->rows.indices) {
        CHECK(NEW(ctx, &k->indices, k->n + 1));
        memcpy(k->indices, view->rows.indices, k->n * sizeof *k->indices);
    }
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(NEW(ctx, &k->weights, k->n + 1));
    cairn_view_weights(view, 0, k->n, k->weights);
    return CAIRN_OK;
}

/* Products of the target with every column of z. */
static void target_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_row_matrix *x = data;
    size_t width = x->width, p = x->n_terms;
    for (size_t i = 0; i < piece->n; i++) piece->room[i] = piece->z[i * width + p];
    cairn_gram_add(NULL, sums, piece->z, width, piece->room, piece->weights, piece->n, width);
}

/* The products of before with the column of the new target. */
static cairn_status use_gram(cairn_context *ctx, const kept *k, const cairn_row_matrix *x,
                             double *gram)
{
    size_t width = x->width, p = x->n_terms;
    cairn_row_sum sum = {.size = width, .piece = target_piece, .data = (void *)x};
    SCOPED_SCRATCH(ctx);
    double *column;
    CHECK(SCRATCH(ctx, &column, width));
    CHECK(cairn_matrix_sum(ctx, x, &sum, column));
    memcpy(gram, k->gram, width * width * sizeof *gram);
    for (size_t j = 0; j < width; j++) gram[j * width + p] = gram[p * width + j] = column[j];
    return isfinite(column[p]) ? CAIRN_OK : cairn_matrix_refuse(ctx, x, NULL);
}

cairn_status cairn_linear_shared_gram(cairn_context *ctx, const cairn_row_matrix *x,
                                      const cairn_job *job, double *gram)
{
    cairn_shared *shared = job->shared;
    size_t size = cairn_product(x->width, x->width);
    if (!shared) return cairn_linear_gram(ctx, x, gram);
    kept *k = shared->data;
    if (k && k->gram && k->width == x->width && is_same(k, x->view))
        return use_gram(ctx, k, x, gram);
    CHECK(cairn_linear_gram(ctx, x, gram));
    clear_kept(k);
    *shared = (cairn_shared){0};
    CHECK(NEW(ctx, &k, 1));
    *shared = (cairn_shared){k, clear_kept};
    CHECK(keep_rows(ctx, k, x->view));
    k->width = x->width;
    CHECK(NEW(ctx, &k->gram, size));
    memcpy(k->gram, gram, size * sizeof *gram);
    return CAIRN_OK;
}

bool cairn_linear_shared_slopes(const cairn_job *job, cairn_linear_system *s)
{
    const kept *k = job->shared ? job->shared->data : NULL;
    if (!k || !k->inverse || k->q != s->q) return false;
    memcpy(s->inverse, k->inverse, s->q * s->q * sizeof *s->inverse);
    for (size_t a = 0; a < s->q; a++) {
        s->slopes[a] = cairn_dot(s->inverse + a * s->q, s->right, s->q);
        s->order[a] = a;
    }
    s->condition = k->condition;
    s->rank = s->q;
    return true;
}

cairn_status cairn_linear_share_inverse(cairn_context *ctx, const cairn_job *job,
                                        const cairn_linear_system *s)
{
    kept *k = job->shared ? job->shared->data : NULL;
    size_t size = cairn_product(s->q, s->q);
    if (!k || k->inverse) return CAIRN_OK;
    CHECK(NEW(ctx, &k->inverse, size + 1));
    memcpy(k->inverse, s->inverse, size * sizeof *s->inverse);
    k->q = s->q;
    k->condition = s->condition;
    return CAIRN_OK;
}
