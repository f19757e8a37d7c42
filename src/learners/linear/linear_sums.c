/* SPDX-License-Identifier: MIT */
/* The passes of least squares over the rows: cross products, an orthogonal triangle, residuals. */
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/logistic_forms.h"
#include "learners/linear/weights.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* What one row does to a line: the fit of one feature before and after the row is moved to another
 * place or left out, both lines in one picture. The rows come from the history, which keeps all of
 * them while they are few; weights are not kept, so rows must count once each. */

typedef struct line {
    double intercept, slope, r2;
} line;

cairn_status cairn_read_moved(cairn_context *ctx, cairn_moved *out, const char *text, size_t n)
{
    const char *colon = strchr(text, ':');
    double row = 0, *place;
    size_t numbers = 0;
    bool known = colon && cairn_number_parse(text, (size_t)(colon - text), &row) && row >= 1 &&
                 row == floor(row);
    if (!known || !colon[1])
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{move %s}: a row and where it goes, such as 5:30,2 for the place x, y, or "
            "5:out",
            text);
    if (row > (double)n)
        return cairn_fail(ctx, CAIRN_USAGE, "{move %s}: there are %zu rows", text, n);
    *out = (cairn_moved){.row = (size_t)row - 1, .out = cairn_same(colon + 1, "out")};
    if (out->out) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{move}"), colon + 1, &place, &numbers));
    if (numbers != 2 || !isfinite(place[0]) || !isfinite(place[1]))
        return cairn_fail(ctx, CAIRN_USAGE, "{move %s}: the new place is two numbers x,y", text);
    out->x = place[0];
    out->y = place[1];
    return CAIRN_OK;
}

/* Least squares of one feature, sums about the means. */
static line fit_line(const double *x, const double *y, size_t n, bool intercept)
{
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; intercept && i < n; i++) mx += x[i] / (double)n, my += y[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    double slope = xx > 0 ? xy / xx : 0;
    return (line){my - slope * mx, slope, yy > 0 ? slope * xy / yy : NAN};
}

/* Both lines reach over the range of the points, and no further. */
static cairn_status draw_lines(cairn_report *out, const double *x, const double *y, size_t n,
                               const line lines[2], const char *const names[2])
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    double ends[2] = {INFINITY, -INFINITY}, heights[2][2];
    for (size_t i = 0; i < n; i++) {
        ends[0] = fmin(ends[0], x[i]);
        ends[1] = fmax(ends[1], x[i]);
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t e = 0; e < 2; e++)
            heights[k][e] = lines[k].intercept + lines[k].slope * ends[e];
    CHECK(cairn_figure_new(ctx, &figure, "moved", "The line before and after"));
    cairn_figure_axes(figure, names[0], names[1]);
    cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    cairn_figure_dashed(figure, "before", ends, heights[0], 2);
    cairn_figure_line(figure, "after", ends, heights[1], 2);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static void show_lines(cairn_report *out, const line lines[2])
{
    static const char *const names[] = {"intercept", "slope", "r2"};
    static const char *const labels[] = {"intercept", "slope", "R²"};
    cairn_report_table_of(out, NULL, 0, "lrrr", "", "before", "after", "change");
    for (size_t i = 0; i < 3; i++) {
        const line *a = &lines[0], *b = &lines[1];
        double before = i == 0 ? a->intercept : i == 1 ? a->slope : a->r2;
        double after = i == 0 ? b->intercept : i == 1 ? b->slope : b->r2;
        cairn_report_cell(out, labels[i]);
        cairn_report_cell_number(out, before, 0, "moved.before.%s", names[i]);
        cairn_report_cell_number(out, after, 0, "moved.%s", names[i]);
        cairn_report_cell_number(out, after - before, 0, NULL);
    }
    cairn_report_table_end(out);
}

cairn_status cairn_linear_show_moved(cairn_report *out, const cairn_linear_model *m,
                                     const cairn_linear_history *history,
                                     const char *const names[2], const char *text)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    size_t n = history->n_sample, left = 0;
    double *x, *y;
    cairn_moved move;
    line lines[2];
    if (!history->inputs || n != history->n_rows || m->total != (double)n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{move} shows two lines: it needs one feature, rows without weights, and "
                          "at most %d of them",
                          CAIRN_LINEAR_SAMPLE);
    CHECK(cairn_read_moved(ctx, &move, text, n));
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    for (size_t i = 0; i < n; i++) y[i] = history->fitted[i] + history->residuals[i];
    lines[0] = fit_line(history->inputs, y, n, m->intercept);
    for (size_t i = 0; i < n; i++) {
        if (i == move.row && move.out) continue;
        x[left] = i == move.row ? move.x : history->inputs[i];
        y[left++] = i == move.row ? move.y : y[i];
    }
    lines[1] = fit_line(x, y, left, m->intercept);
    cairn_report_heading(out, 3, move.out ? "Without row %zu" : "With row %zu moved", move.row + 1);
    show_lines(out, lines);
    return draw_lines(out, x, y, left, lines, names);
}

/* The model without some of its features beside the full one, without a second look at the rows.
 *
 * With C the inverse of the cross products and u the coefficients of unit columns, leaving the set
 * J out gives
 *
 *     u'_K = u_K − C_KJ C_JJ⁻¹ u_J,     SSE' = SSE + u_J · C_JJ⁻¹ u_J
 *
 * which is what a fit of the other features alone would find. The partial F test asks whether the
 * set explains more than chance. */

typedef struct reduced {
    bool *gone; /* n_columns */
    size_t n_gone;
    double *coefficients; /* n_columns, 0 where gone */
    double constant, sse;
} reduced;

/* The terms that a list of names leaves out: "c" is the column, with all its levels "c=...". */
static cairn_status find_gone(cairn_context *ctx, reduced *r, const cairn_linear_model *m,
                              const char *const *names, const char *list)
{
    char **words;
    size_t n;
    CHECK(SCRATCH(ctx, &r->gone, m->n_columns));
    CHECK(cairn_list_split(ctx, list, &words, &n));
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(words[i]), found = 0;
        for (size_t j = 0; j < m->n_columns; j++) {
            bool same = strncmp(names[j], words[i], length) == 0 &&
                        (!names[j][length] || names[j][length] == '=');
            found += same;
            r->n_gone += same && !r->gone[j];
            r->gone[j] |= same;
        }
        if (!found)
            return cairn_fail(ctx, CAIRN_USAGE, "{without}: the model has no feature '%s'",
                              words[i]);
    }
    return CAIRN_OK;
}

/* Coefficients and errors of the reduced model; `singular` when the data do not determine them. */
static cairn_status reduce(cairn_context *ctx, reduced *r, const cairn_linear_model *m,
                           bool *singular)
{
    size_t p = m->n_columns, k = r->n_gone;
    double *block, *solved, condition;
    size_t *places, n = 0;
    CHECK(SCRATCH(ctx, &block, cairn_product(k, k)));
    CHECK(SCRATCH_EACH(ctx, k, &solved, &places));
    CHECK(SCRATCH(ctx, &r->coefficients, p));
    for (size_t j = 0; j < p; j++)
        if (r->gone[j]) places[n++] = j;
    for (size_t i = 0; i < k; i++) {
        solved[i] = m->coefficients[places[i]] * m->lengths[places[i]];
        for (size_t j = 0; j < k; j++) block[i * k + j] = m->inverse[places[i] * p + places[j]];
    }
    CHECK(cairn_solve(ctx, block, k, solved, 1, &condition));
    *singular = !(condition > 1e-13);
    r->sse = m->sse;
    r->constant = m->intercept ? m->target_mean : 0;
    for (size_t i = 0; i < k; i++)
        r->sse += m->coefficients[places[i]] * m->lengths[places[i]] * solved[i];
    for (size_t j = 0; j < p; j++) {
        double u = m->coefficients[j] * m->lengths[j];
        for (size_t i = 0; i < k; i++) u -= m->inverse[j * p + places[i]] * solved[i];
        if (!r->gone[j] && m->lengths[j] > 0) r->coefficients[j] = u / m->lengths[j];
        if (m->intercept) r->constant -= r->coefficients[j] * m->means[j];
    }
    return CAIRN_OK;
}

/* A term that the reduced model has not is an empty cell: 0 would be a coefficient. */
static void show_terms(cairn_report *out, const reduced *r, const cairn_linear_model *m,
                       const char *const *names)
{
    cairn_report_table_of(out, "Full and reduced model", 0, "lrr", "term", "full", "reduced");
    if (m->intercept)
        cairn_report_cells(out, "- - reduced.intercept", "intercept", m->constant, r->constant);
    for (size_t j = 0; j < m->n_columns; j++) {
        cairn_report_cells(out, NULL, names[j], m->coefficients[j]);
        if (r->gone[j])
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, r->coefficients[j], 0, "reduced.%s",
                                     cairn_term_key(out, names[j]));
    }
    cairn_report_table_end(out);
}

cairn_status cairn_linear_show_reduced(cairn_report *out, const cairn_linear_model *m,
                                       const char *const *names, const char *list)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    reduced r = {0};
    bool singular;
    CHECK(find_gone(ctx, &r, m, names, list));
    cairn_report_heading(out, 3, "Without %s", list);
    if (!cairn_linear_singular(m)) CHECK(reduce(ctx, &r, m, &singular));
    if (cairn_linear_singular(m) || singular) {
        cairn_report_note(out,
                          "The features depend on each other, so that the data do not say what "
                          "these ones add; fit once more with {ignore}.");
        return CAIRN_OK;
    }
    double full = cairn_linear_r2(m), left = m->sst > 0 ? 1 - r.sse / m->sst : NAN;
    double k = (double)r.n_gone, f = m->df > 0 ? (r.sse - m->sse) / k / (m->sse / m->df) : NAN;
    show_terms(out, &r, m, names);
    cairn_report_value(out, "R², full", full, "reduced.r2.full");
    cairn_report_value(out, "R², reduced", left, "reduced.r2");
    cairn_report_value(out, "loss of R²", full - left, "reduced.loss");
    cairn_report_worked(out, "F", "((SSE' − SSE) / k) / (SSE / df) = ((# − #) / #) / (# / #) = #",
                        r.sse, m->sse, k, m->sse, m->df, f);
    cairn_report_value(out, "F of the set", f, "reduced.f");
    cairn_report_value(out, "its p", isnan(f) ? NAN : cairn_f_upper(f, k, m->df), "reduced.p");
    return CAIRN_OK;
}

/* Several targets on the same rows, W = (X'X)⁻¹ X'T: the cross products of the features and their
 * inverse are made for the first target and used by the others, which sum only their own column.
 *
 * Nothing is taken on trust: the features, rows and weights are compared with those that the
 * products were made of, cell by cell where a transform has made new columns. */

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
    FREE_EACH(k->features, k->indices, k->weights, k->gram, k->inverse, k);
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
    for (size_t i = 0; i < piece->n; i++) piece->buffer[i] = piece->z[i * width + p];
    cairn_gram_add(NULL, sums, piece->z, width, piece->buffer, piece->weights, piece->n, width);
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

/* Least squares in unit columns: Cholesky of the cross products, or QR with column exchanges of an
 * orthogonal triangle.
 *
 * With the independent columns first, the triangle is R = [R11 R12; 0 0]. R11 gives a solution in
 * which the dependent columns have no part, the inverse of the cross products, and the dependences:
 * a dependent column k is the combination R11^-1 R12[k] of the independent ones. Adding any
 * multiple of a dependence changes no fitted value, so the solution of least norm is a small
 * least-squares problem of its own, in the units of the features. */

/* Reciprocal condition of the cross products below which a better method is called for. Corrections
 * by the residuals of the rows give the slopes the digits of an orthogonal method; at 1e-9 the
 * inverse, and so the standard errors, still have seven of their own. */
static const double SAFE = 1e-9, POSSIBLE = 1e-13;

/* Unit columns that are nearer to a combination of others than NEAR depend on them; so they do when
 * the distance is no more than the rounding of the columns in it, which counts up to MOST. */
static const double NEAR = 1e-13, MOST = 1e-6;

double cairn_linear_rounding(double mean, double total, double length)
{
    return 8 * DBL_EPSILON * fabs(mean) * sqrt(total) / length;
}

cairn_status cairn_linear_solve_gram(cairn_context *ctx, cairn_linear_system *s, bool forced,
                                     bool *good)
{
    size_t q = s->q, pivot;
    double rcond;
    memcpy(s->inverse, s->cross, q * q * sizeof *s->cross);
    memcpy(s->slopes, s->right, q * sizeof *s->slopes);
    CHECK(cairn_cholesky(ctx, s->inverse, q, &rcond, &pivot));
    *good = rcond >= (forced ? POSSIBLE : SAFE);
    if (!*good) return CAIRN_OK;
    CHECK(cairn_cholesky_solve(ctx, s->inverse, q, s->slopes, 1));
    CHECK(cairn_cholesky_inverse(ctx, s->inverse, q));
    s->condition = sqrt(1 / rcond);
    s->rank = q;
    for (size_t a = 0; a < q; a++) s->order[a] = a;
    return CAIRN_OK;
}

/* Order and rank of the columns. */
static cairn_status find_rank(cairn_context *ctx, cairn_linear_system *s, bool svd)
{
    size_t q = s->q, n = s->n_triangle, rank;
    double *x, *y, *values = NULL;
    CHECK(SCRATCH(ctx, &x, n * q));
    CHECK(SCRATCH(ctx, &y, n));
    for (size_t i = 0; i < n * q; i++) x[i % q * n + i / q] = s->triangle[i];
    memcpy(y, s->rotated, n * sizeof *y);
    CHECK(cairn_qr_least_squares(ctx, s->slopes, s->order, &s->rank, x, y, n, q, NEAR));
    if (svd) {
        CHECK(SCRATCH(ctx, &values, n < q ? n : q));
        for (size_t i = 0; i < n * q; i++) x[i % q * n + i / q] = s->triangle[i];
        CHECK(cairn_svd_least_squares(ctx, s->slopes, values, &rank, x, s->rotated, n, q, NEAR));
        s->rank = rank;
    }
    s->n_null = q - s->rank;
    return CAIRN_OK;
}

static double largest_column_sum(const double *r, size_t n, size_t stride, double *sums)
{
    double most = 0;
    memset(sums, 0, n * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) sums[j] += fabs(r[i * stride + j]);
    for (size_t j = 0; j < n; j++) most = fmax(most, sums[j]);
    return most;
}

/* In place of the upper triangle r (n x n, rows `stride` apart) its inverse; returns the product of
 * the largest column sums of both: the condition. `row` has room for n numbers. */
static double invert_triangle(double *r, size_t n, size_t stride, double *row)
{
    double before = largest_column_sum(r, n, stride, row);
    for (size_t i = n; i-- > 0;) {
        double *here = r + i * stride, pivot = 1 / here[i];
        /* row i of the inverse: -(1/r_ii) sum of r_ik times row k of the inverse, k > i */
        memset(row, 0, n * sizeof *row);
        for (size_t k = i + 1; k < n; k++)
            cairn_axpy(row + k, -pivot * here[k], r + k * stride + k, n - k);
        memcpy(here + i + 1, row + i + 1, (n - i - 1) * sizeof *here);
        here[i] = pivot;
    }
    return n ? before * largest_column_sum(r, n, stride, row) : 1;
}

/* The triangle of the columns in their order, and beside it the targets. */
static cairn_status order_triangle(cairn_context *ctx, const cairn_linear_system *s, double *x,
                                   double *r, size_t m)
{
    size_t q = s->q, n = s->n_triangle, width = q + m;
    memset(r, 0, width * width * sizeof *r);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < q; j++) x[j * n + i] = s->triangle[i * q + s->order[j]];
        for (size_t k = 0; k < m; k++) x[(q + k) * n + i] = s->rotated[k * n + i];
    }
    return cairn_qr_add(ctx, r, x, n, width);
}

/* Rounding of column k and of what it is the combination of, the columns before it; `share` has
 * room for k numbers. */
static double combined_rounding(const cairn_linear_system *s, const double *r, size_t width,
                                size_t k, double *share)
{
    double sum = s->rounding[s->order[k]];
    for (size_t i = k; i-- > 0;) {
        share[i] = r[i * width + k] - cairn_dot(r + i * width + i + 1, share + i + 1, k - i - 1);
        share[i] /= r[i * width + i];
        sum += fabs(share[i]) * s->rounding[s->order[i]];
    }
    return fmin(MOST, sum);
}

/* Columns whose distance from those before them is rounding go behind the independent ones. Each
 * distance is judged by its own columns: one column of few digits must not make others, which have
 * all of theirs, dependent. Whether there were any. */
static cairn_status move_rounding(cairn_context *ctx, cairn_linear_system *s, const double *r,
                                  size_t width, bool *moved)
{
    SCOPED_SCRATCH(ctx);
    size_t stay = 0, gone = 0, *behind;
    double *share;
    CHECK(SCRATCH_EACH(ctx, s->rank + 1, &behind, &share));
    for (size_t k = 0; k < s->rank; k++) {
        size_t column = s->order[k];
        bool near = fabs(r[k * width + k]) <= combined_rounding(s, r, width, k, share);
        if (near)
            behind[gone++] = column;
        else
            behind[s->rank - ++stay] = column;
    }
    for (size_t k = 0; k < stay; k++) s->order[k] = behind[s->rank - 1 - k];
    for (size_t k = 0; k < gone; k++) s->order[stay + k] = behind[k];
    s->rank = stay;
    s->n_null = s->q - stay;
    *moved = gone > 0;
    return CAIRN_OK;
}

/* Inverse and dependences from the triangle of the ordered columns, whose inverse takes its
 * place. */
static cairn_status use_triangle(cairn_context *ctx, cairn_linear_system *s, double *r,
                                 size_t width)
{
    size_t q = s->q, rank = s->rank;
    double *row;
    CHECK(SCRATCH(ctx, &s->null, q * s->n_null));
    CHECK(SCRATCH(ctx, &row, rank));
    double condition = invert_triangle(r, rank, width, row);
    if (!(s->condition > 1)) s->condition = condition;
    memset(s->inverse, 0, q * q * sizeof *s->inverse);
    for (size_t i = 0; i < rank; i++) {
        size_t a = s->order[i];
        for (size_t k = i; k < rank; k++)
            cairn_axpy(s->null + a * s->n_null, -r[i * width + k], r + k * width + rank, s->n_null);
        for (size_t j = 0; j < rank; j++) {
            size_t from = i > j ? i : j;
            s->inverse[a * q + s->order[j]] =
                cairn_dot(r + i * width + from, r + j * width + from, rank - from);
        }
    }
    for (size_t d = 0; d < s->n_null; d++) s->null[s->order[rank + d] * s->n_null + d] = 1;
    for (size_t a = 0; a < q; a++)
        for (size_t d = 0; d < s->n_null; d++)
            if (fabs(s->null[a * s->n_null + d]) > 1e-9) s->loose[a] = 1;
    return CAIRN_OK;
}

/* Of all solutions slopes + null t the one whose coefficients in their own units, and the constant
 * if it counts, have the smallest sum of squares. */
static cairn_status cairn_linear_least_norm(cairn_context *ctx, cairn_linear_system *s)
{
    size_t q = s->q, k = s->n_null, n = q + 1, rank;
    double *x, *y, *lengths, *t, least = INFINITY;
    CHECK(SCRATCH(ctx, &x, n * k));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH_EACH(ctx, k, &lengths, &t));
    for (size_t a = 0; a < q; a++) least = fmin(least, s->units[a]);
    if (s->means) y[q] = -s->target_mean / s->target_unit * least;
    for (size_t a = 0; a < q; a++) {
        double size = least / s->units[a], mean = s->means ? s->means[a] : 0;
        y[a] = -size * s->slopes[a];
        if (s->means) y[q] += size * mean * s->slopes[a];
        for (size_t d = 0; d < k; d++) {
            x[d * n + a] = size * s->null[a * k + d];
            x[d * n + q] -= mean * x[d * n + a];
        }
    }
    for (size_t d = 0; d < k; d++) {
        lengths[d] = sqrt(cairn_dot(x + d * n, x + d * n, n));
        for (size_t i = 0; i < n && lengths[d] > 0; i++) x[d * n + i] /= lengths[d];
    }
    CHECK(cairn_qr_least_squares(ctx, t, NULL, &rank, x, y, n, k, 0));
    for (size_t d = 0; d < k; d++)
        for (size_t a = 0; a < q && lengths[d] > 0; a++)
            s->slopes[a] += s->null[a * k + d] * (t[d] / lengths[d]);
    return CAIRN_OK;
}

cairn_status cairn_linear_solve_qr(cairn_context *ctx, cairn_linear_system *s, bool svd)
{
    size_t q = s->q, n = s->n_triangle, m = s->n_rotated ? s->n_rotated : 1, width = q + m;
    double *x, *r;
    bool moved = true;
    s->condition = 1;
    CHECK(find_rank(ctx, s, svd));
    CHECK(SCRATCH(ctx, &x, n * width));
    CHECK(SCRATCH(ctx, &r, width * width));
    while (moved) {
        CHECK(order_triangle(ctx, s, x, r, m));
        CHECK(move_rounding(ctx, s, r, width, &moved));
    }
    CHECK(use_triangle(ctx, s, r, width));
    for (size_t t = m; t-- > 0;) { /* the first is left in `slopes` */
        memset(s->slopes, 0, q * sizeof *s->slopes);
        for (size_t i = 0; i < s->rank; i++)
            for (size_t k = i; k < s->rank; k++)
                s->slopes[s->order[i]] += r[i * width + k] * r[k * width + q + t];
        if (s->n_null) CHECK(cairn_linear_least_norm(ctx, s));
        if (s->n_rotated) memcpy(s->many + t * q, s->slopes, q * sizeof *s->slopes);
    }
    return CAIRN_OK;
}

/* Linear regressions written down, and `linear` read again:
 *
 *     intercept = 3.2
 *     age = -0.4
 *     "blood pressure" = 0.01
 *
 * A line gives the weight of a term as it is after the transforms; what has no line is 0. */

/* What is written: the terms with their weights, and the constant. */
typedef struct sheet {
    cairn_text *out;
    const char *const *names;
    const char *target;
    const double *weights; /* n */
    double constant;
    size_t n;
    bool intercept;
} sheet;

static cairn_status open_sheet(sheet *s, cairn_text *out, const cairn_job *job)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    s->out = out;
    s->target = target < 0 ? "target" : job->schema->fields[target].name;
    return cairn_term_names(out->ctx, &s->names, job->schema);
}

static void close_sheet(cairn_text *out, cairn_status status)
{
    if (out->status == CAIRN_OK) out->status = status;
}

/* -- the forms -- */

/* Weights of 0 have no line, but without an intercept the first term has one, so that the text is
 * never empty; a term called intercept stands in quotes. */
static void write_lines(const sheet *s)
{
    cairn_text_add(s->out, "# term = weight; what has no line is 0\n");
    if (s->intercept) {
        cairn_text_add(s->out, "intercept = ");
        cairn_text_add_number(s->out, s->constant, CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '\n');
    }
    for (size_t t = 0; t < s->n; t++) {
        if (s->weights[t] == 0 && (t || s->intercept)) continue;
        if (strcmp(s->names[t], "intercept") == 0)
            cairn_text_add(s->out, "\"intercept\"");
        else
            cairn_given_add_name(s->out, s->names[t]);
        cairn_text_add(s->out, " = ");
        cairn_text_add_number(s->out, s->weights[t], CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '\n');
    }
}

/* target = 1.5 - 0.3*x + 2*`the width` */
static void write_expression(const sheet *s)
{
    bool any = s->intercept;
    cairn_forms_add_variable(s->out, s->target);
    cairn_text_add(s->out, " = ");
    if (any) cairn_text_add_number(s->out, s->constant, CAIRN_SHORTEST);
    for (size_t t = 0; t < s->n; t++) {
        double w = s->weights[t];
        if (w == 0) continue;
        if (any) cairn_text_add(s->out, signbit(w) ? " - " : " + ");
        cairn_text_add_number(s->out, any ? fabs(w) : w, CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '*');
        cairn_forms_add_variable(s->out, s->names[t]);
        any = true;
    }
    cairn_text_add(s->out, any ? "\n" : "0\n");
}

/* Name and numbers of a line of CSV; what is no number is an empty cell. */
static void write_cells(cairn_text *out, const char *name, const double *numbers, size_t n)
{
    cairn_text_add_csv(out, name);
    for (size_t i = 0; i < n; i++) {
        cairn_text_add_char(out, ',');
        if (isfinite(numbers[i])) cairn_text_add_number(out, numbers[i], CAIRN_SHORTEST);
    }
    cairn_text_add_char(out, '\n');
}

/* -- of models that are weights alone -- */

static cairn_status open_weights(sheet *s, cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_weights *m = model;
    *s = (sheet){.weights = m->weights, .n = m->n_terms, .intercept = m->intercept};
    s->constant = m->weights[m->n_terms];
    return open_sheet(s, out, job);
}

static void weights_formula(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_weights(&s, out, model, job);
    if (!status) write_expression(&s);
    close_sheet(out, status);
}

static void weights_table(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_weights(&s, out, model, job);
    if (!status) {
        cairn_text_add(out, "term,coefficient\n");
        if (s.intercept) write_cells(out, "intercept", &s.constant, 1);
        for (size_t t = 0; t < s.n; t++) write_cells(out, s.names[t], &s.weights[t], 1);
    }
    close_sheet(out, status);
}

const cairn_export_form cairn_weights_forms[] = {
    {"formula", "an expression for the target, as --with formula takes it", weights_formula},
    {"table", "CSV of the coefficients", weights_table},
    {NULL, NULL, NULL},
};

/* -- of linear -- */

static cairn_status open_linear(sheet *s, cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_linear_model *m = model;
    *s = (sheet){.weights = m->coefficients, .n = m->n_columns, .intercept = m->intercept};
    s->constant = m->constant;
    return open_sheet(s, out, job);
}

static void linear_text(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    if (!status) write_lines(&s);
    close_sheet(out, status);
}

static void linear_formula(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    if (!status) write_expression(&s);
    close_sheet(out, status);
}

static void linear_table(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    const cairn_linear_model *m = model;
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    cairn_text_add(out, "term,coefficient,standard_error,t,p,low,high,vif\n");
    for (size_t i = m->intercept ? 0 : 1; !status && i <= m->n_columns; i++) {
        size_t j = i ? i - 1 : m->n_columns;
        cairn_linear_row r = cairn_linear_row_of(m, j, params->level);
        double vif = i ? cairn_linear_variance_inflation(m, j) : NAN;
        double numbers[] = {r.coefficient, r.error, r.t, r.p, r.low, r.high, vif};
        write_cells(out, i ? s.names[j] : "intercept", numbers, 7);
    }
    close_sheet(out, status);
}

const cairn_export_form cairn_linear_forms[] = {
    {"text", "a line for every weight, which --given reads again", linear_text},
    {"formula", "an expression for the target, as --with formula takes it", linear_formula},
    {"table", "CSV of the coefficients with errors, tests, intervals and inflation", linear_table},
    {NULL, NULL, NULL},
};

/* -- reading -- */

cairn_status cairn_linear_read_weights(cairn_context *ctx, const cairn_given *given,
                                       const cairn_job *job, bool intercept, double **out)
{
    cairn_logistic_plan plan = {.schema = job->schema, .n_present = 1, .intercept = intercept};
    static const int32_t none[] = {-1};
    bool *named;
    plan.classes = none;
    return cairn_logistic_read_weights(ctx, given, job, &plan, out, &named);
}

enum { RESIDUAL_ROWS = 4096 }; /* rows whose residuals are made together */

/* Places in the partial result of the residual pass; the moments follow. */
enum {
    AT_E1,
    AT_E2,
    AT_E3,
    AT_E4,
    AT_LARGEST,
    AT_ROW,
    AT_F1,
    AT_F2,
    AT_FE2,
    AT_STEPS,
    AT_FIRST,
    AT_LAST,
    AT_ANY,
    AT_MOMENTS
};

static void gram_piece(void *data, const cairn_piece *piece, double *gram)
{
    const cairn_row_matrix *x = data;
    cairn_gram_add(gram, NULL, piece->z, x->width, NULL, piece->weights, piece->n, x->width);
}

cairn_status cairn_linear_gram(cairn_context *ctx, const cairn_row_matrix *x, double *gram)
{
    cairn_row_sum sum = {.size = cairn_product(x->width, x->width), .piece = gram_piece};
    sum.data = (void *)x;
    CHECK(cairn_matrix_sum(ctx, x, &sum, gram));
    for (size_t j = 0; j < x->width; j++)
        if (!isfinite(gram[j * x->width + j])) return cairn_matrix_refuse(ctx, x, NULL);
    cairn_mirror_upper(gram, x->width);
    return CAIRN_OK;
}

typedef struct triangle_work {
    const cairn_row_matrix *x;
    bool intercept;
    const double *targets; /* further columns, n_targets x rows */
    size_t n_targets;
    double *triangles; /* one per block */
} triangle_work;

/* z of n rows by columns, rows multiplied by the roots of their weights: ones, features, target,
 * further targets. */
static void turn_piece(const triangle_work *work, size_t first, double *out, const double *z,
                       const double *w, size_t n)
{
    size_t width = work->x->width;
    for (size_t j = 0; j < width; j++) {
        size_t from = j == 0 ? width - 1 : j - 1;
        for (size_t i = 0; i < n; i++) out[j * n + i] = (w ? sqrt(w[i]) : 1) * z[i * width + from];
    }
    if (!work->intercept) memset(out, 0, n * sizeof *out);
    for (size_t k = 0; k < work->n_targets; k++) {
        const double *target = work->targets + k * work->x->n + first;
        for (size_t i = 0; i < n; i++) out[(width + k) * n + i] = (w ? sqrt(w[i]) : 1) * target[i];
    }
}

/* The triangle of a block of rows, a few times as many rows as columns after the other. */
static cairn_status triangle_task(cairn_context *ctx, void *data, size_t block)
{
    const triangle_work *work = data;
    const cairn_row_matrix *x = work->x;
    size_t width = x->width, all = width + work->n_targets, begin = block * x->block;
    size_t most = 4 * all < 64 ? 64 : 4 * all;
    size_t end = begin + x->block < x->n ? begin + x->block : x->n;
    SCOPED_SCRATCH(ctx);
    double *z, *w, *transposed;
    CHECK(SCRATCH_RAW(ctx, &z, most * width));
    CHECK(SCRATCH_RAW(ctx, &w, most));
    CHECK(SCRATCH_RAW(ctx, &transposed, most * all));
    for (size_t i = begin; i < end; i += most) {
        size_t n = end - i < most ? end - i : most;
        cairn_matrix_rows(x, i, n, z);
        turn_piece(work, i, transposed, z, cairn_matrix_weights(x, i, n, w), n);
        CHECK(cairn_qr_add(ctx, work->triangles + block * all * all, transposed, n, all));
        CHECK(cairn_tick(ctx, NULL, 0, 1));
    }
    return CAIRN_OK;
}

cairn_status cairn_linear_triangle(cairn_context *ctx, const cairn_row_matrix *x, bool intercept,
                                   const double *targets, size_t n_targets, double *triangle)
{
    size_t width = x->width + n_targets, size = width * width;
    SCOPED_SCRATCH(ctx);
    triangle_work work = {x, intercept, targets, n_targets, NULL};
    double *transposed;
    CHECK(SCRATCH(ctx, &work.triangles, cairn_product(x->n_blocks, size)));
    CHECK(SCRATCH_RAW(ctx, &transposed, size));
    CHECK(cairn_tasks(ctx, x->n_blocks, triangle_task, &work));
    memset(triangle, 0, size * sizeof *triangle);
    for (size_t b = 0; b < x->n_blocks; b++) {
        const double *part = work.triangles + b * size;
        for (size_t i = 0; i < size; i++) transposed[i % width * width + i / width] = part[i];
        CHECK(cairn_qr_add(ctx, triangle, transposed, width, width));
    }
    return CAIRN_OK;
}

/* Residuals of some rows, column by column: nothing is written out where z is x. */
static void residual_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_linear_pass *pass = data;
    const cairn_row_matrix *x = pass->x;
    double fits[RESIDUAL_ROWS], rests[RESIDUAL_ROWS], buffer[RESIDUAL_ROWS], w[RESIDUAL_ROWS];
    size_t p = x->n_terms, first = piece->first, n = piece->n;
    for (size_t i = 0; i < n; i++) fits[i] = pass->slopes[p];
    cairn_matrix_times(x, first, n, pass->slopes, fits, buffer);
    const double *target = cairn_matrix_target(x, first, n, buffer);
    const double *weights = cairn_matrix_weights(x, first, n, w);
    for (size_t i = 0; i < n; i++) {
        double e = rests[i] = target[i] - fits[i], weight = weights ? weights[i] : 1;
        if (pass->sample_step && (first + i) % pass->sample_step == 0) {
            size_t at = (first + i) / pass->sample_step;
            pass->residuals[at] = e / x->scale[p];
            pass->fitted[at] = fits[i] / x->scale[p] + x->shift[p];
        }
        if (weight == 0)
            rests[i] = 0;
        else {
            /* One row's residual into the sums; e and f are residual and fitted value. */
            double f = fits[i];
            size_t row = first + i;
            double e2 = e * e;
            sums[AT_E1] += weight * e;
            sums[AT_E2] += weight * e2;
            sums[AT_E3] += weight * e2 * e;
            sums[AT_E4] += weight * e2 * e2;
            sums[AT_F1] += weight * f;
            sums[AT_F2] += weight * f * f;
            sums[AT_FE2] += weight * f * e2;
            if (sums[AT_ANY] == 0)
                sums[AT_FIRST] = e;
            else
                sums[AT_STEPS] += (e - sums[AT_LAST]) * (e - sums[AT_LAST]);
            if (sums[AT_ANY] == 0 || fabs(e) > fabs(sums[AT_LARGEST]))
                sums[AT_LARGEST] = e, sums[AT_ROW] = (double)row;
            sums[AT_LAST] = e;
            sums[AT_ANY] = 1;
        }
        if (weights) rests[i] *= weight;
        sums[AT_MOMENTS + p] += rests[i];
    }
    if (pass->correct) cairn_matrix_transposed(x, first, n, rests, sums + AT_MOMENTS, buffer);
}

/* Add a block's sums to those of the blocks before it. */
static void join_residuals(const void *data, double *sums, const double *part, size_t size)
{
    (void)data;
    if (part[AT_ANY] == 0) return;
    bool any = sums[AT_ANY] != 0;
    double last = sums[AT_LAST];
    bool larger = !any || fabs(part[AT_LARGEST]) > fabs(sums[AT_LARGEST]);
    double largest = larger ? part[AT_LARGEST] : sums[AT_LARGEST];
    double row = larger ? part[AT_ROW] : sums[AT_ROW];
    double first = any ? sums[AT_FIRST] : part[AT_FIRST];
    double gap = any ? part[AT_FIRST] - last : 0;
    for (size_t i = 0; i < size; i++) sums[i] += part[i];
    sums[AT_STEPS] += gap * gap;
    sums[AT_LARGEST] = largest;
    sums[AT_ROW] = row;
    sums[AT_FIRST] = first;
    sums[AT_LAST] = part[AT_LAST];
    sums[AT_ANY] = 1;
}

/* The checks from the sums; `total` is the sum of weights, `unit` turns z into target units. */
static void finish_checks(cairn_linear_checks *out, const double *sums, double total, double unit)
{
    double m1 = sums[AT_E1] / total, r2 = sums[AT_E2] / total, r3 = sums[AT_E3] / total;
    double m2 = r2 - m1 * m1, m3 = r3 - 3 * m1 * r2 + 2 * m1 * m1 * m1;
    double r4 = sums[AT_E4] / total;
    double m4 = r4 - 4 * m1 * r3 + 6 * m1 * m1 * r2 - 3 * m1 * m1 * m1 * m1;
    double f1 = sums[AT_F1] / total, f_var = sums[AT_F2] / total - f1 * f1, e2_var = r4 - r2 * r2;
    out->sum = sums[AT_E1] * unit;
    out->largest = sums[AT_LARGEST] * unit;
    out->skewness = m2 > 0 ? m3 / (m2 * sqrt(m2)) : NAN;
    out->kurtosis = m2 > 0 ? m4 / (m2 * m2) : NAN;
    out->durbin_watson = sums[AT_E2] > 0 ? sums[AT_STEPS] / sums[AT_E2] : NAN;
    out->spread =
        f_var > 0 && e2_var > 0 ? (sums[AT_FE2] / total - f1 * r2) / sqrt(f_var * e2_var) : NAN;
}

cairn_status cairn_linear_residuals(cairn_context *ctx, const cairn_linear_pass *pass,
                                    cairn_linear_checks *checks, double *sse, double *moments)
{
    const cairn_row_matrix *x = pass->x;
    cairn_row_sum sum = {.piece = residual_piece, .join = join_residuals, .unread = true};
    SCOPED_SCRATCH(ctx);
    double *sums, unit = 1 / x->scale[x->n_terms];
    sum.size = AT_MOMENTS + x->n_terms + 1;
    sum.rows = RESIDUAL_ROWS;
    sum.data = (void *)pass;
    CHECK(SCRATCH(ctx, &sums, sum.size));
    CHECK(cairn_matrix_sum(ctx, x, &sum, sums));
    finish_checks(checks, sums, pass->total, unit);
    checks->largest_row = (int64_t)cairn_view_row(x->view, (size_t)sums[AT_ROW]);
    *sse = sums[AT_E2] * unit * unit;
    memcpy(moments, sums + AT_MOMENTS, (x->n_terms + 1) * sizeof *moments);
    return CAIRN_OK;
}
