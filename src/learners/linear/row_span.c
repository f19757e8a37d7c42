/* SPDX-License-Identifier: MIT */
/* The space that few rows of many columns span: the singular vectors of the rows about their means,
 * multiplied by the roots of their weights. Cost: n² p for n rows. */
#include "learners/linear/row_span.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "rows/matrix.h"
#include <math.h>

enum { LEAST_TERMS = 500 };

/* A direction along which the rows are that much shorter than along the longest is rounding. */
static const double ROUNDING = 1e-13;

static size_t count_terms(const cairn_view *view)
{
    size_t n = 0;
    for (size_t j = 0; j < view->n_features; j++)
        n += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
    return n;
}

bool cairn_row_span_pays(const cairn_view *view)
{
    size_t p = count_terms(view);
    return p >= LEAST_TERMS && view->rows.n < p;
}

/* The rows about their means, each multiplied by the root of its weight. */
static cairn_status read_rows(cairn_context *ctx, cairn_row_span *s, const cairn_row_matrix *x,
                              bool centred, double *rows)
{
    double total = 0;
    cairn_matrix_rows(x, 0, x->n, rows);
    for (size_t i = 0; i < x->n; i++) {
        double w = cairn_view_weight(x->view, i);
        total += w;
        if (centred) cairn_axpy(s->means, w, rows + i * s->p, s->p);
    }
    for (size_t j = 0; j < s->p; j++) {
        if (!isfinite(s->means[j])) return cairn_matrix_refuse(ctx, x, NULL);
        s->means[j] /= total > 0 ? total : 1;
    }
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < s->p; j++) {
            rows[i * s->p + j] -= s->means[j];
            if (!isfinite(rows[i * s->p + j])) return cairn_matrix_refuse(ctx, x, NULL);
        }
    return CAIRN_OK;
}

/* A column for each direction, of all rows of the table. */
static cairn_status make_view(cairn_context *ctx, cairn_row_span *s, const cairn_job *job,
                              const double *rows)
{
    const cairn_view *from = job->view;
    cairn_column *columns;
    const char **names;
    size_t n_rows = from->table->n_rows;
    s->view = *from;
    s->view.n_features = s->k;
    CHECK(SCRATCH_EACH(ctx, s->k + 1, &columns, &s->view.features, &names));
    s->view.names = names;
    for (size_t a = 0; a < s->k; a++) {
        columns[a] = (cairn_column){.kind = CAIRN_NUMBER, .n_rows = n_rows};
        CHECK(SCRATCH(ctx, &columns[a].numbers, n_rows + 1));
        for (size_t i = 0; i < from->rows.n; i++)
            columns[a].numbers[cairn_view_row(from, i)] =
                cairn_dot(rows + i * s->p, s->basis + a * s->p, s->p);
        s->view.features[a] = &columns[a];
        names[a] = "direction";
    }
    s->job = *job;
    s->job.view = &s->view;
    s->job.steps = NULL;
    s->job.history = NULL;
    return CAIRN_OK;
}

cairn_status cairn_row_span_open(cairn_context *ctx, cairn_row_span *out, const cairn_job *job,
                                 bool centred)
{
    const cairn_view *view = job->view;
    cairn_matrix_options options = {.units = CAIRN_UNITS_OWN};
    cairn_row_matrix x;
    size_t n = view->rows.n;
    double *rows, *copy, *left;
    *out = (cairn_row_span){.p = count_terms(view)};
    CHECK(cairn_matrix_open(ctx, &x, view, &options));
    CHECK(cairn_memory_check(ctx, 8 * 4 * (double)n * (double)out->p, "the space of the rows",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(SCRATCH(ctx, &out->means, out->p + 1));
    CHECK(SCRATCH(ctx, &out->values, n + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n, out->p) + 1, &rows, &copy, &out->basis));
    CHECK(SCRATCH_RAW(ctx, &left, cairn_product(n, n) + 1));
    CHECK(read_rows(ctx, out, &x, centred, rows));
    for (size_t i = 0; i < n; i++) {
        double root = sqrt(cairn_view_weight(view, i));
        for (size_t j = 0; j < out->p; j++) copy[i * out->p + j] = rows[i * out->p + j] * root;
    }
    if (n) CHECK(cairn_svd(ctx, out->values, left, out->basis, copy, n, out->p));
    while (out->k < n && out->values[out->k] > ROUNDING * out->values[0]) out->k++;
    return make_view(ctx, out, job, rows);
}

void cairn_row_span_raw(const cairn_row_span *s, const double *weights, double *out)
{
    for (size_t j = 0; j < s->p; j++) out[j] = 0;
    out[s->p] = weights[s->k];
    for (size_t a = 0; a < s->k; a++) cairn_axpy(out, weights[a], s->basis + a * s->p, s->p);
    for (size_t j = 0; j < s->p; j++) out[s->p] -= out[j] * s->means[j];
}
