/* SPDX-License-Identifier: MIT */
/* The path of a lasso over more terms than products of all pairs have room for: words of bags, or
 * thousands of columns.
 *
 * Only coefficients that are other than 0, or may soon be, need products. At each strength:
 * 1. Terms whose slope at the strength before was at least 2λ − λ' (the sequential strong rule, λ'
 *    the strength before) join the working set; a pass over the rows sums their products with it.
 * 2. The coefficients of the working set are found from these products (solve/penalised.c).
 * 3. A pass over the rows gives the residuals and the slopes of all terms by them. Those beyond
 *    their penalty were wrongly left out: they join, and step 2 is done again.
 * The working set only grows. Squared errors of held-out rows come from a pass over these rows.
 *
 * A column need not be read where its slope is bounded well enough. With r the residuals when it
 * was
 * last read, the residuals of now are e = a r + d, d at a right angle to r, so that x'e lies within
 * |x| |d| of a x'r (Cauchy and Schwarz). Residuals change little and mostly in length from strength
 * to strength; most columns are read at few of them, and none is left out on trust.
 *
 * Cost: two passes over the numbers other than 0 for each strength, of columns over those that are
 * read, and products of the set.
 *
 * Source: Tibshirani and others, Strong rules for discarding predictors in lasso-type problems
 * (2012). */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/linear/lasso.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include <math.h>
#include <string.h>

enum {
    MOST_SET = 5000,    /* terms of the working set */
    MOST_SUM = 1 << 21, /* numbers of the products of a pass */
    MOST_ROUNDS = 50,   /* of a strength */
    MOST_RESTS = 32     /* residuals that are kept */
};

#define WIDE_TOLERANCE 1e-18
#define BOUND_SLACK    1e-7 /* of |x| |e|, for rounding in what bounds a slope */

/* Some rows, and what is known of them. */
typedef struct wide {
    const cairn_lasso_problem *p;
    cairn_row_matrix x;
    cairn_view view;
    double *weights; /* of the rows */
    double total, target_mean, squares;
    double *means;   /* of all coefficients' columns; zeros without a free constant */
    double *side;    /* n */
    double *slopes;  /* n, at the coefficients of now; of a column that was not read, about */
    double *rest;    /* rows: residuals of now */
    double *rests;   /* MOST_RESTS x rows: when columns were read; NULL = all are, always */
    double *lengths; /* MOST_RESTS: squares of the residuals that are kept */
    size_t n_rests;
    double *norms;   /* n: of the columns about their means */
    double *known;   /* n: the slope when the column was read */
    uint8_t *when;   /* n: the residuals of then */
    uint32_t *which; /* n: columns that are read now */
    size_t n_which;
    size_t n_set;
    int32_t *set;     /* terms of the working set */
    int32_t *place;   /* n: place in the set, -1 = outside */
    double *gram;     /* n_set x n_set, own memory */
    double *c, *near; /* n_set, n: coefficients of the set and of all */
    double constant;
    bool full; /* more terms wanted to join the set than it has room for */
} wide;

static void wide_clear(wide *w)
{
    cairn_free(w->gram);
}

/* -- passes over the rows -- */

/* Σ w, Σ w y, Σ w y², then Σ w z and Σ w y z of all coefficients. */
static void first_piece(void *data, const cairn_piece *piece, double *sums)
{
    wide *w = data;
    size_t n = w->p->n, terms = w->x.n_terms;
    double *ys = piece->buffer, *buffer = ys + piece->n;
    const double *weights = w->weights + piece->first;
    const double *y = cairn_matrix_target(&w->x, piece->first, piece->n, buffer);
    for (size_t i = 0; i < piece->n; i++) {
        ys[i] = weights[i] * y[i];
        sums[0] += weights[i];
        sums[1] += ys[i];
        sums[2] += ys[i] * y[i];
        if (n > terms) sums[3 + terms] += weights[i], sums[3 + n + terms] += ys[i];
    }
    cairn_matrix_transposed(&w->x, piece->first, piece->n, weights, sums + 3, buffer);
    cairn_matrix_transposed(&w->x, piece->first, piece->n, ys, sums + 3 + n, buffer);
}

/* Residuals: their squares, their sum, and their products with those that are kept. */
static void rest_piece(void *data, const cairn_piece *piece, double *sums)
{
    const wide *w = data;
    double *rest = w->rest + piece->first;
    const double *weights = w->weights + piece->first;
    for (size_t i = 0; i < piece->n; i++) rest[i] = w->constant;
    cairn_matrix_times(&w->x, piece->first, piece->n, w->near, rest, piece->buffer);
    const double *y = cairn_matrix_target(&w->x, piece->first, piece->n, piece->buffer);
    for (size_t i = 0; i < piece->n; i++) {
        rest[i] = y[i] - rest[i];
        sums[0] += weights[i] * rest[i] * rest[i];
        sums[1] += weights[i] * rest[i];
    }
    for (size_t k = 0; k < w->n_rests; k++) {
        const double *kept = w->rests + k * w->x.n + piece->first;
        for (size_t i = 0; i < piece->n; i++) sums[2 + k] += weights[i] * rest[i] * kept[i];
    }
}

/* Slopes of the terms by the residuals. */
static void slope_piece(void *data, const cairn_piece *piece, double *sums)
{
    const wide *w = data;
    double *rest = piece->buffer, *buffer = rest + piece->n;
    const double *weights = w->weights + piece->first;
    for (size_t i = 0; i < piece->n; i++) rest[i] = weights[i] * w->rest[piece->first + i];
    cairn_matrix_transposed(&w->x, piece->first, piece->n, rest, sums, buffer);
}

/* The same of the columns that are read. */
static void read_piece(void *data, const cairn_piece *piece, double *sums)
{
    const wide *w = data;
    double *rest = piece->buffer, *buffer = rest + piece->n;
    const double *weights = w->weights + piece->first;
    for (size_t i = 0; i < piece->n; i++) rest[i] = weights[i] * w->rest[piece->first + i];
    cairn_matrix_transposed_some(&w->x, piece->first, piece->n, rest, w->which, w->n_which, sums,
                                 buffer);
}

static void norm_piece(void *data, const cairn_piece *piece, double *sums)
{
    const wide *w = data;
    cairn_matrix_squares(&w->x, piece->first, piece->n, w->weights + piece->first, sums,
                         piece->buffer);
}

/* Terms of a row that are in the set, into a buffer by place; z of the matrix's units. */
static void gather_row(const wide *w, size_t row, double *out)
{
    const cairn_row_matrix *x = &w->x;
    size_t at = cairn_view_row(x->view, row);
    memset(out, 0, w->n_set * sizeof *out);
    for (size_t s = 0; s < w->n_set; s++) {
        size_t t = (size_t)w->set[s];
        if (t < x->n_dense) out[s] = (x->columns[t][at] - x->shift[t]) * x->scale[t];
        if (t == x->n_terms) out[s] = 1;
    }
    for (size_t b = 0; b < x->n_bags; b++) {
        const cairn_column *bag = x->bags[b];
        for (size_t e = bag->starts[at]; e < bag->starts[at + 1]; e++) {
            int32_t place = w->place[x->bag_starts[b] + (size_t)bag->items[e]];
            if (place >= 0) out[place] = bag->amounts ? bag->amounts[e] : 1;
        }
    }
}

typedef struct joining {
    const wide *w;
    size_t first, n; /* places in the set whose products with the set are summed */
} joining;

static void join_piece(void *data, const cairn_piece *piece, double *sums)
{
    const joining *j = data;
    const wide *w = j->w;
    for (size_t i = 0; i < piece->n; i++) {
        double weight = w->weights[piece->first + i], *z = piece->buffer;
        if (weight == 0) continue;
        gather_row(w, piece->first + i, z);
        for (size_t k = 0; k < j->n; k++)
            if (z[j->first + k] != 0)
                cairn_axpy(sums + k * w->n_set, weight * z[j->first + k], z, w->n_set);
    }
}

static cairn_status sum_rows(cairn_context *ctx, const wide *w, cairn_piece_function piece,
                             void *data, size_t buffer, size_t size, double *out)
{
    SCOPED_SCRATCH(ctx);
    cairn_row_matrix x;
    cairn_view view;
    cairn_row_sum sum = {.size = size, .piece = piece, .unread = true, .data = data};
    /* The matrix with so much room for each row of a piece and sums of that size. */
    cairn_row_matrix copy = w->x;
    copy.buffer = buffer;
    copy.written = 0;
    copy.sum_size = size;
    CHECK(cairn_matrix_part(ctx, &x, &view, &copy, w->view.rows.indices, w->x.n));
    return cairn_matrix_sum(ctx, &x, &sum, out);
}

/* -- the working set -- */

/* Products of the terms from place `first` on with the whole set, about their means. */
static cairn_status sum_products(cairn_context *ctx, wide *w, size_t first)
{
    SCOPED_SCRATCH(ctx);
    size_t m = w->n_set, together = MOST_SUM / m ? MOST_SUM / m : 1;
    double *sums;
    CHECK(SCRATCH_RAW(ctx, &sums, (together < m - first ? together : m - first) * m));
    for (size_t at = first; at < m; at += together) {
        joining j = {.w = w, .first = at, .n = m - at < together ? m - at : together};
        CHECK(sum_rows(ctx, w, join_piece, &j, m, j.n * m, sums));
        for (size_t k = 0; k < j.n; k++)
            for (size_t s = 0; s < m; s++) {
                double raw = sums[k * m + s], a = w->means[w->set[at + k]];
                double centred = raw - w->total * a * w->means[w->set[s]];
                if (s == at + k && !(centred > 1e-13 * raw)) centred = 0;
                w->gram[(at + k) * m + s] = w->gram[s * m + at + k] = centred;
            }
    }
    return CAIRN_OK;
}

/* Terms that were marked by place -2 join the set. */
static cairn_status grow_set(cairn_context *ctx, wide *w, size_t n_new)
{
    size_t before = w->n_set, m = before + n_new;
    double *gram;
    w->full = m > MOST_SET;
    if (w->full) return CAIRN_OK;
    CHECK(NEW(ctx, &gram, cairn_product(m, m)));
    for (size_t s = 0; s < before; s++)
        memcpy(gram + s * m, w->gram + s * before, before * sizeof *gram);
    cairn_free(w->gram);
    w->gram = gram;
    for (size_t j = 0; j < w->p->n; j++) {
        if (w->place[j] != -2) continue;
        w->place[j] = (int32_t)w->n_set;
        w->c[w->n_set] = 0;
        w->set[w->n_set++] = (int32_t)j;
    }
    return sum_products(ctx, w, before);
}

/* The minimum over the set, into the coefficients of all. */
static cairn_status solve_set(cairn_context *ctx, wide *w, const double *factors, bool *converged)
{
    SCOPED_SCRATCH(ctx);
    size_t m = w->n_set, n = w->p->n;
    double *side, *lassos, *ridges, *slopes;
    CHECK(SCRATCH_RAW_EACH(ctx, m + 1, &side, &lassos, &ridges, &slopes));
    for (size_t s = 0; s < m; s++) {
        size_t j = (size_t)w->set[s];
        slopes[s] = side[s] = w->side[j];
        lassos[s] = factors[j];
        ridges[s] = factors[n + j];
    }
    for (size_t s = 0; s < m; s++)
        if (w->c[s] != 0) cairn_axpy(slopes, -w->c[s], w->gram + s * m, m);
    cairn_penalised f = {m, w->gram, side, lassos, ridges, 1, w->squares, WIDE_TOLERANCE};
    CHECK(cairn_penalised_solve(ctx, &f, w->c, slopes, converged, NULL));
    w->constant = w->p->free ? w->target_mean : 0;
    for (size_t s = 0; s < m; s++) {
        w->near[w->set[s]] = w->c[s];
        w->constant -= w->c[s] * w->means[w->set[s]];
    }
    if (n > w->x.n_terms) w->constant = w->near[w->x.n_terms];
    return CAIRN_OK;
}

/* Terms outside whose slope is beyond `limit` times their penalty are marked; how many. */
static size_t mark_beyond(wide *w, const double *factors, double limit)
{
    size_t marked = 0;
    for (size_t j = 0; j < w->p->n; j++)
        if (w->place[j] == -1 && fabs(w->slopes[j]) > factors[j] * limit) {
            w->place[j] = -2;
            marked++;
        }
    return marked;
}

/* -- slopes -- */

/* The columns outside of the set whose slope may be beyond `limit` times their penalty are listed.
 * Of the others the slope is set to about what it is. `products` has those of the residuals with
 * the ones that are kept, `square` their own. */
static void list_columns(wide *w, const double *factors, double limit, double square,
                         const double *products)
{
    double parts[MOST_RESTS], away[MOST_RESTS];
    for (size_t k = 0; k < w->n_rests; k++) {
        parts[k] = w->lengths[k] > 0 ? products[k] / w->lengths[k] : 0;
        away[k] = sqrt(fmax(0, square - parts[k] * products[k])) + BOUND_SLACK * sqrt(square);
    }
    w->n_which = 0;
    for (size_t j = 0; j < w->x.n_terms; j++) {
        if (w->place[j] != -1) continue;
        size_t k = w->when[j];
        w->slopes[j] = parts[k] * w->known[j];
        if (!(fabs(w->slopes[j]) + away[k] * w->norms[j] <= factors[j] * limit))
            w->which[w->n_which++] = (uint32_t)j;
    }
}

/* Read the listed columns by the residuals of now, which are kept. */
static cairn_status read_columns(cairn_context *ctx, wide *w, double square)
{
    SCOPED_SCRATCH(ctx);
    double *sums;
    size_t k = w->n_rests++;
    CHECK(SCRATCH_RAW(ctx, &sums, w->n_which + 1));
    CHECK(sum_rows(ctx, w, read_piece, w, 2, w->n_which, sums));
    memcpy(w->rests + k * w->x.n, w->rest, w->x.n * sizeof *w->rest);
    w->lengths[k] = square;
    for (size_t i = 0; i < w->n_which; i++) {
        size_t j = w->which[i];
        w->slopes[j] = w->known[j] = sums[i];
        w->when[j] = (uint8_t)k;
    }
    return CAIRN_OK;
}

/* Residuals and squared errors at the coefficients of now, and the slopes of all terms that may be
 * beyond `limit` times their penalty. */
static cairn_status make_slopes(cairn_context *ctx, wide *w, const double *factors, double limit,
                                double *sse)
{
    double sums[2 + MOST_RESTS];
    size_t terms = w->x.n_terms;
    CHECK(sum_rows(ctx, w, rest_piece, w, 1, 2 + w->n_rests, sums));
    *sse = sums[0];
    if (w->p->n > terms) w->slopes[terms] = sums[1];
    if (!w->rests) return sum_rows(ctx, w, slope_piece, w, 2, terms, w->slopes);
    list_columns(w, factors, limit, sums[0], sums + 2);
    if (w->n_rests == MOST_RESTS) { /* all are read, and what was kept is not needed any more */
        w->n_rests = w->n_which = 0;
        for (size_t j = 0; j < terms; j++)
            if (w->place[j] == -1) w->which[w->n_which++] = (uint32_t)j;
    }
    return w->n_which ? read_columns(ctx, w, sums[0]) : CAIRN_OK;
}

/* One strength, from the coefficients of the one before, `before`; the next will be `after`. */
static cairn_status solve_strength(cairn_context *ctx, wide *w, double strength, double before,
                                   double after, double *factors, double *sse, bool *converged)
{
    cairn_lasso_sums as = {.n = w->p->n, .total = w->total};
    cairn_lasso_at(w->p, &as, strength, factors);
    double reach = strength > 0 ? fmax(0, 2 - before / strength) : 0;
    double next = strength > 0 ? fmax(0, fmin(1, 2 * after / strength - 1)) : 0;
    size_t marked = mark_beyond(w, factors, fmin(reach, 1));
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (marked) CHECK(grow_set(ctx, w, marked));
        if (w->full) return CAIRN_OK;
        CHECK(solve_set(ctx, w, factors, converged));
        CHECK(make_slopes(ctx, w, factors, next, sse));
        marked = mark_beyond(w, factors, 1 + 1e-9);
        if (!marked) return CAIRN_OK;
    }
    *converged = false;
    return CAIRN_OK;
}

/* The residuals at 0, whose slopes are known, and the norms of all columns: bounds of slopes begin
 * with them. Items of bags are read together row by row, always. */
static cairn_status open_bounds(cairn_context *ctx, wide *w)
{
    double square[2];
    size_t rows = w->x.n, terms = w->x.n_terms;
    CHECK(SCRATCH_RAW(ctx, &w->rest, rows + 1));
    if (w->x.n_bags) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &w->rests, cairn_product(rows + 1, MOST_RESTS)));
    CHECK(SCRATCH(ctx, &w->lengths, MOST_RESTS));
    CHECK(SCRATCH_EACH(ctx, w->p->n + 1, &w->norms, &w->known, &w->when, &w->which));
    CHECK(sum_rows(ctx, w, norm_piece, w, 1, terms, w->norms));
    for (size_t j = 0; j < terms; j++) {
        double centred = w->norms[j] - w->total * w->means[j] * w->means[j];
        w->norms[j] = sqrt(fmax(0, centred) + 1e-12 * w->norms[j]);
    }
    w->constant = w->target_mean;
    CHECK(sum_rows(ctx, w, rest_piece, w, 1, 2, square));
    memcpy(w->rests, w->rest, rows * sizeof *w->rest);
    memcpy(w->known, w->slopes, terms * sizeof *w->known);
    w->lengths[0] = square[0];
    w->n_rests = 1;
    return CAIRN_OK;
}

/* Means, side and squares of the rows; slopes at 0. */
static cairn_status open_wide(cairn_context *ctx, wide *w, const cairn_lasso_problem *p,
                              cairn_rows rows)
{
    size_t n = p->n;
    double *sums;
    *w = (wide){.p = p, .x = p->x, .view = *p->x.view};
    w->view.rows = rows;
    w->x.view = &w->view;
    w->x.n = rows.n;
    CHECK(SCRATCH_RAW(ctx, &w->weights, rows.n + 1));
    cairn_view_weights(&w->view, 0, rows.n, w->weights);
    CHECK(SCRATCH_EACH(ctx, n + 1, &w->means, &w->side, &w->slopes, &w->near));
    CHECK(SCRATCH_RAW(ctx, &w->place, n + 1));
    CHECK(SCRATCH_EACH(ctx, MOST_SET, &w->set, &w->c));
    CHECK(SCRATCH(ctx, &sums, 3 + 2 * n));
    for (size_t j = 0; j < n; j++) w->place[j] = -1;
    CHECK(sum_rows(ctx, w, first_piece, w, 2, 3 + 2 * n, sums));
    w->total = sums[0];
    if (!(w->total > 0)) return CAIRN_OK;
    w->target_mean = p->free ? sums[1] / w->total : 0;
    w->squares = fmax(0, sums[2] - sums[1] * w->target_mean);
    for (size_t j = 0; j < n; j++) {
        if (p->free) w->means[j] = sums[3 + j] / w->total;
        w->side[j] = sums[3 + n + j] - sums[3 + j] * w->target_mean;
        if (!isfinite(w->side[j])) return cairn_matrix_refuse(ctx, &w->x, NULL);
    }
    if (!isfinite(w->squares)) return cairn_matrix_refuse(ctx, &w->x, NULL);
    memcpy(w->slopes, w->side, n * sizeof *w->slopes);
    return open_bounds(ctx, w);
}

/* -- paths -- */

/* Degrees of freedom of the set's coefficients, and the constant. */
static cairn_status freedom(cairn_context *ctx, const wide *w, const double *factors, double *out)
{
    SCOPED_SCRATCH(ctx);
    cairn_penalised f = {.n = w->n_set, .gram = w->gram};
    double *ridges;
    CHECK(SCRATCH_RAW(ctx, &ridges, w->n_set + 1));
    for (size_t s = 0; s < w->n_set; s++) ridges[s] = factors[w->p->n + (size_t)w->set[s]];
    f.ridges = ridges;
    CHECK(cairn_penalised_freedom(ctx, &f, w->c, out));
    *out += w->p->free ? 1 : 0;
    return CAIRN_OK;
}

cairn_status cairn_lasso_wide_sums(cairn_context *ctx, cairn_lasso_problem *p)
{
    SCOPED(wide_clear) wide w = {0};
    CHECK(open_wide(ctx, &w, p, p->x.view->rows));
    p->all = (cairn_lasso_sums){.n = p->n, .total = w.total, .squares = w.squares};
    p->all.side = w.side;
    p->all.means = w.means;
    p->all.means[p->x.n_terms] = w.target_mean;
    return CAIRN_OK;
}

/* The path has come to a strength at which the set is full. */
static cairn_status end_path(cairn_context *ctx, cairn_lasso_problem *p,
                             cairn_lasso_history *history, size_t n)
{
    char lambda[CAIRN_NUMBER_SIZE];
    cairn_number_format(lambda, p->strengths[0], 6);
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "at λ = %s more than %d coefficients are other than 0, or nearly; give a "
                          "larger {lambda}, or leave terms out first",
                          lambda, MOST_SET);
    p->n_path = history->n_path = n;
    history->ends_early = true;
    return CAIRN_OK;
}

cairn_status cairn_lasso_wide_path(cairn_context *ctx, cairn_lasso_problem *p,
                                   cairn_lasso_history *history, double *thetas)
{
    SCOPED(wide_clear) wide w = {0};
    double *factors, unit = p->x.scale[p->x.n_terms];
    CHECK(SCRATCH(ctx, &factors, 2 * p->n + 1));
    CHECK(open_wide(ctx, &w, p, p->x.view->rows));
    for (size_t i = 0; i < p->n_path; i++) {
        bool converged;
        double *row = history->path + i * CAIRN_LASSO_COLUMNS, nonzero = 0, sse;
        double before = i ? p->strengths[i - 1] : p->strengths[i];
        double after = p->strengths[i + 1 < p->n_path ? i + 1 : i];
        CHECK(solve_strength(ctx, &w, p->strengths[i], before, after, factors, &sse, &converged));
        if (w.full) return end_path(ctx, p, history, i);
        history->n_unsolved += !converged;
        for (size_t s = 0; s < w.n_set; s++) nonzero += w.c[s] != 0;
        row[CAIRN_LASSO_LAMBDA] = p->strengths[i];
        row[CAIRN_LASSO_NONZERO] = nonzero;
        row[CAIRN_LASSO_SSE] = sse / unit / unit;
        row[CAIRN_LASSO_HELD] = row[CAIRN_LASSO_ERROR] = NAN;
        CHECK(freedom(ctx, &w, factors, &row[CAIRN_LASSO_DF]));
        memcpy(thetas + i * p->n, w.near, p->n * sizeof *thetas);
        CHECK(cairn_tick(ctx, "lasso", (double)i, (double)p->n_path));
    }
    return CAIRN_OK;
}

/* -- held-out rows -- */

typedef struct testing {
    const wide *w;
    const double *weights; /* of the rows that are tested */
    const double *cs;      /* n_path x MOST_SET */
    const double *constants;
} testing;

static void test_piece(void *data, const cairn_piece *piece, double *sums)
{
    const testing *t = data;
    const wide *w = t->w;
    double *z = piece->buffer;
    for (size_t i = 0; i < piece->n; i++) {
        double y, buffer;
        y = *cairn_matrix_target(&w->x, piece->first + i, 1, &buffer);
        gather_row(w, piece->first + i, z);
        for (size_t l = 0; l < w->p->n_path; l++) {
            double e = y - t->constants[l] - cairn_dot(t->cs + l * MOST_SET, z, w->n_set);
            sums[l] += t->weights[piece->first + i] * e * e;
        }
    }
}

/* Errors of the rows of a fold under the coefficients of every strength. */
static cairn_status test_rows(cairn_context *ctx, const wide *trained, cairn_rows rows,
                              const double *cs, const double *constants, double *losses,
                              double *weight)
{
    size_t n = trained->p->n_path;
    double *weights, unit = trained->x.scale[trained->x.n_terms];
    wide w = *trained;
    w.view.rows = rows;
    w.x.view = &w.view;
    w.x.n = rows.n;
    CHECK(SCRATCH_RAW(ctx, &weights, rows.n + 1));
    cairn_view_weights(&w.view, 0, rows.n, weights);
    testing t = {&w, weights, cs, constants};
    CHECK(sum_rows(ctx, &w, test_piece, &t, w.n_set + 1, n, losses));
    *weight = 0;
    for (size_t i = 0; i < rows.n; i++) *weight += weights[i];
    for (size_t l = 0; l < n; l++) losses[l] /= unit * unit;
    return CAIRN_OK;
}

cairn_status cairn_lasso_wide_fold(cairn_context *ctx, const cairn_lasso_problem *p,
                                   cairn_rows train, cairn_rows test, double *losses,
                                   double *weight)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(wide_clear) wide w = {0};
    double *factors, *cs, *constants, sse;
    size_t known = 0;
    CHECK(SCRATCH(ctx, &factors, 2 * p->n + 1));
    CHECK(SCRATCH(ctx, &cs, p->n_path * MOST_SET));
    CHECK(SCRATCH(ctx, &constants, p->n_path));
    CHECK(open_wide(ctx, &w, p, train));
    *weight = 0;
    if (!(w.total > 0)) return CAIRN_OK;
    for (size_t i = 0; i < p->n_path; i++) {
        bool converged;
        double before = i ? p->strengths[i - 1] : p->strengths[i];
        double after = p->strengths[i + 1 < p->n_path ? i + 1 : i];
        CHECK(solve_strength(ctx, &w, p->strengths[i], before, after, factors, &sse, &converged));
        if (w.full) break;
        memcpy(cs + i * MOST_SET, w.c, w.n_set * sizeof *cs);
        constants[i] = w.constant;
        known++;
    }
    CHECK(test_rows(ctx, &w, test, cs, constants, losses, weight));
    for (size_t i = known; i < p->n_path; i++) losses[i] = INFINITY;
    return CAIRN_OK;
}
