/* SPDX-License-Identifier: MIT */
/* Robust and grouped standard errors of least squares (sandwich.h): a pass for the cross products,
 * one for the residuals, one for their squares. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/sandwich.h"
#include "learners/linear/tested.h"
#include <math.h>

typedef struct errors_work {
    const cairn_row_matrix *x;
    const double *theta, *weights;
    double *residuals; /* the targets as they arrive */
} errors_work;

static void errors_piece(void *data, const cairn_piece *piece, double *sums)
{
    const errors_work *w = data;
    size_t n = w->x->width;
    double *at = w->residuals + piece->first;
    cairn_gram_add(sums, NULL, piece->z, n, NULL, w->weights + piece->first, piece->n, n);
    cairn_row_dots(piece->room, piece->z, n, piece->n, n, w->theta, 0);
    for (size_t i = 0; i < piece->n; i++) at[i] -= piece->room[i];
}

/* Residuals of the rows, and the inverse of X'WX; false when it has none. */
static cairn_status invert(cairn_context *ctx, const errors_work *w, double *inverse, bool *known)
{
    size_t n = w->x->width, pivot;
    double condition;
    cairn_row_sum sum = {.piece = errors_piece, .data = (void *)(uintptr_t)w, .size = n * n};
    CHECK(cairn_matrix_sum(ctx, w->x, &sum, inverse));
    CHECK(cairn_cholesky(ctx, inverse, n, &condition, &pivot));
    *known = condition > 1e-14;
    return *known ? cairn_cholesky_inverse(ctx, inverse, n) : CAIRN_OK;
}

cairn_status cairn_linear_robust_errors(cairn_context *ctx, const cairn_linear_model *m,
                                        cairn_linear_account *account, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    SCOPED_SCRATCH(ctx);
    size_t n = job->view->rows.n, p = m->n_columns;
    cairn_matrix_wish wish = {.ones = m->intercept, .room = 1, .scores = 1};
    cairn_row_matrix x;
    cairn_tested tested = {.n_terms = p};
    double *theta, *raw, *inverse, *out, *weights, *residuals, *ones;
    bool known = false;
    wish.units = m->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    wish.sum_size = cairn_product(p + 1, p + 1);
    CHECK(cairn_matrix_open(ctx, &x, job->view, &wish));
    x.weighted = false;
    CHECK(SCRATCH(ctx, &theta, x.width + 1));
    CHECK(SCRATCH(ctx, &raw, p + 1));
    CHECK(SCRATCH(ctx, &inverse, cairn_product(x.width, x.width) + 1));
    CHECK(SCRATCH(ctx, &out, cairn_product(x.width, x.width) + 1));
    CHECK(SCRATCH(ctx, &weights, n + 1));
    CHECK(SCRATCH(ctx, &residuals, n + 1));
    CHECK(SCRATCH(ctx, &ones, n + 1));
    for (size_t j = 0; j < p; j++) raw[j] = m->coefficients[j];
    raw[p] = m->constant;
    cairn_matrix_from_raw(&x, raw, 1, theta, 1);
    cairn_view_target_numbers(job->view, 0, n, residuals);
    cairn_view_weights(job->view, 0, n, weights);
    for (size_t i = 0; i < n; i++) ones[i] = 1;
    errors_work work = {&x, theta, weights, residuals};
    if (x.width) CHECK(invert(ctx, &work, inverse, &known));
    CHECK(NEW(ctx, &account->robust, p + 1));
    for (size_t j = 0; j <= p; j++) account->robust[j] = NAN;
    account->has_robust = true;
    if (!known || !(m->df > 0)) return CAIRN_OK;
    cairn_row_slopes rows = {&x, residuals, ones, weights, inverse, m->total, (double)x.width};
    CHECK(cairn_sandwich(ctx, &rows, (cairn_error_kind)params->errors, out, &account->n_groups));
    tested.errors = account->robust;
    return cairn_tested_fill(ctx, &tested, &x, out);
}
