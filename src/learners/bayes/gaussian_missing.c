/* SPDX-License-Identifier: MIT */
/* Training rows with missing cells, by EM: given the model, the missing cells of a row have means
 * and covariances; with these in their place the sums of the classes are made again. Complete rows
 * are summed up once. It begins with the means and variances of the cells that are there. */
#include "learners/bayes/gaussian.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "stats/plain_normal.h"
#include "stats/summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows with missing cells: the density of the cells that are there is normal with their part of the
 * covariance, and the others, given them, are normal again.
 *
 * With A = Σ⁻¹, h the missing cells and d the distances from the mean with 0 for these, the rest
 * has d'Ad − g'A_hh⁻¹g as its squared distance, g = (Ad)_h, and |Σ| |A_hh| as its determinant; the
 * missing ones have the mean μ_h − A_hh⁻¹g and the covariance A_hh⁻¹. */

#define LOG_TWO_PI 1.8378770664093454836

/* The tables of the model were made again. */
static void observed_renew(const cairn_gaussian_model *m, cairn_gaussian_observed *o)
{
    size_t p = m->n_columns;
    o->by_inverses = !m->diagonal;
    memset(o->made, 0, m->n_factors);
    for (size_t f = 0; f < m->n_factors; f++) o->by_inverses &= !m->raised[f];
    for (size_t f = 0; o->by_inverses && f < m->n_factors; f++)
        cairn_gaussian_inverse(m, f, o->inverses + f * p * p);
}

cairn_status cairn_gaussian_observed_new(cairn_context *ctx, cairn_gaussian_observed *out,
                                         const cairn_gaussian_model *m)
{
    size_t p = m->n_columns, size = m->diagonal ? 0 : cairn_product(p, p);
    *out = (cairn_gaussian_observed){0};
    CHECK(SCRATCH_EACH(ctx, p + 1, &out->at, &out->holes, &out->apart, &out->solved,
                       &out->transposed));
    CHECK(SCRATCH_EACH(ctx, m->n_factors + 1, &out->made, &out->log_roots));
    CHECK(SCRATCH_RAW(ctx, &out->small, size + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(m->n_factors, size) + 1, &out->factors,
                           &out->inverses));
    observed_renew(m, out);
    return CAIRN_OK;
}

/* Which cells of a row are there. */
static void observe(const cairn_gaussian_model *m, cairn_gaussian_observed *o, const double *z)
{
    size_t n = 0, n_holes = 0, same = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->constant[j]) continue;
        if (isnan(z[j])) {
            o->holes[n_holes++] = j;
            continue;
        }
        same += n < o->n && o->at[n] == j;
        o->at[n++] = j;
    }
    if (same != n || o->n != n) memset(o->made, 0, m->n_factors);
    o->n = n;
    o->n_holes = n_holes;
}

/* -- factors of small matrices: rows of n numbers, lower -- */

/* In place; returns ln of the root of the determinant. */
static double factor(double *a, size_t n)
{
    double log_root = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * n + j];
        }
        log_root += cairn_log(a[i * n + i]);
    }
    return log_root;
}

/* L⁻¹x in place; returns its squared length. */
static double solve(const double *a, size_t n, double *x)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
        squares += x[i] * x[i];
    }
    return squares;
}

/* -- scores -- */

static bool through_inverses(const cairn_gaussian_observed *o)
{
    return o->by_inverses && o->n_holes <= o->n;
}

/* Squared distance from class c by variances alone, and ln of the root of their product. */
static double square_variances(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                               double *log_root)
{
    double squares = 0;
    *log_root = 0;
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        double variance = cairn_gaussian_entry(m, c, j, j);
        squares += o->apart[j] * o->apart[j] / variance;
        *log_root += cairn_log(variance) / 2;
    }
    return squares;
}

/* The same through the inverse; leaves L⁻¹g in `solved` and L in `small`. */
static double square_holes(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           double *log_root)
{
    size_t p = m->n_columns, h = o->n_holes, f = cairn_gaussian_factor(m, c);
    const double *inverse = o->inverses + f * p * p, *factors = m->factors + f * p * p;
    double squares = 0;
    memset(o->transposed, 0, p * sizeof *o->transposed);
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        cairn_axpy(o->transposed + j, o->apart[j], factors + j * p + j, p - j);
    }
    for (size_t j = 0; j < p; j++) squares += o->transposed[j] * o->transposed[j];
    for (size_t i = 0; i < h; i++) {
        const double *row = inverse + o->holes[i] * p;
        o->solved[i] = cairn_dot(row, o->apart, p);
        for (size_t k = 0; k <= i; k++) o->small[i * h + k] = row[o->holes[k]];
    }
    *log_root = m->log_roots[f] + factor(o->small, h);
    return fmax(0, squares - solve(o->small, h, o->solved));
}

/* The same through the covariance of the cells that are there; leaves L⁻¹d in `solved`. */
static double square_cells(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           double *log_root)
{
    size_t p = m->n_columns, n = o->n, f = cairn_gaussian_factor(m, c);
    double *a = o->factors + f * p * p;
    if (!o->made[f]) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = cairn_gaussian_entry(m, c, o->at[i], o->at[j]);
        o->log_roots[f] = factor(a, n);
        o->made[f] = 1;
    }
    for (size_t i = 0; i < n; i++) o->solved[i] = o->apart[o->at[i]];
    *log_root = o->log_roots[f];
    return solve(a, n, o->solved);
}

/* Score of class c of a row that was observed. */
static double score(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                    const double *z)
{
    double log_root, squares;
    /* Distances of the cells that are there from the mean of class c; 0 for the others. */
    const double *mean = m->means + c * m->n_columns;
    memset(o->apart, 0, m->n_columns * sizeof *o->apart);
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        o->apart[j] = z[j] - (mean[j] - m->centre[j]);
    }
    squares = m->diagonal           ? square_variances(m, o, c, &log_root)
              : through_inverses(o) ? square_holes(m, o, c, &log_root)
                                    : square_cells(m, o, c, &log_root);
    return m->log_prior[c] - LOG_TWO_PI * (double)o->n / 2 - log_root - squares / 2;
}

void cairn_gaussian_observed_scores(const cairn_gaussian_model *m, cairn_gaussian_observed *o,
                                    const double *z, double *out)
{
    observe(m, o, z);
    for (size_t c = 0; c < m->n_classes; c++)
        out[c] = m->totals[c] > 0 ? score(m, o, c, z) : -INFINITY;
}

/* -- what is missing -- */

/* From `solved` of square_cells; rows of `between` are the covariances with a missing cell,
 * solved. */
static void fill_cells(const cairn_gaussian_model *m, const cairn_gaussian_observed *o, size_t c,
                       double *x, double *between, double *spread)
{
    size_t p = m->n_columns, n = o->n;
    const double *a = o->factors + cairn_gaussian_factor(m, c) * p * p;
    for (size_t i = 0; i < o->n_holes; i++) {
        double *row = between + i * p;
        for (size_t k = 0; k < n; k++) row[k] = cairn_gaussian_entry(m, c, o->holes[i], o->at[k]);
        (void)solve(a, n, row);
        x[o->holes[i]] += cairn_dot(row, o->solved, n);
    }
    for (size_t i = 0; i < o->n_holes; i++)
        for (size_t k = 0; k < o->n_holes; k++)
            spread[i * o->n_holes + k] = cairn_gaussian_entry(m, c, o->holes[i], o->holes[k]) -
                                         cairn_dot(between + i * p, between + k * p, n);
}

/* The score of class c, means of the missing cells in it, into x = z + centre, and their
 * covariances given the others, into `spread`, n_holes x n_holes. That and the working memory
 * `between` have room for n_columns x n_columns. */
static double gaussian_fill(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                            const double *z, double *x, double *between, double *spread)
{
    size_t p = m->n_columns;
    observe(m, o, z);
    double found = score(m, o, c, z);
    for (size_t j = 0; j < p; j++) x[j] = isnan(z[j]) ? m->means[c * p + j] : z[j] + m->centre[j];
    for (size_t i = 0; m->diagonal && i < o->n_holes * o->n_holes; i++)
        spread[i] = cairn_gaussian_entry(m, c, o->holes[i / o->n_holes], o->holes[i % o->n_holes]);
    if (!m->diagonal && through_inverses(o)) {
        /* From `solved` and `small` of square_holes: the inverse of LL' and the mean. */
        size_t h = o->n_holes;
        memset(between, 0, h * h * sizeof *between);
        for (size_t i = 0; i < h; i++) { /* column i of L⁻¹, as a row */
            between[i * h + i] = 1;
            (void)solve(o->small, h, between + i * h);
        }
        for (size_t i = 0; i < h; i++)
            for (size_t k = 0; k < h; k++)
                spread[i * h + k] = cairn_dot(between + i * h, between + k * h, h);
        for (size_t i = 0; i < h; i++) x[o->holes[i]] -= cairn_dot(between + i * h, o->solved, h);
    } else if (!m->diagonal)
        fill_cells(m, o, c, x, between, spread);
    return found;
}

/* The proof of what EM found where cells are missing: the log-likelihood of the rows once more, row
 * by row, through the covariances of what is there. One pass over the rows. */

enum { BLOCK = 4096 };

typedef struct buffer {
    double *x, *y; /* n_columns */
    cairn_plain_normal part;
} buffer;

typedef struct proving {
    const cairn_gaussian_model *m;
    const cairn_view *view;
    cairn_plain_normal *laws; /* n_classes: of complete rows */
    buffer *buffers;
    cairn_em_again *partial; /* of the blocks */
} proving;

static const double *covariance_of(const cairn_gaussian_model *m, size_t f)
{
    return m->covariance_of + f * cairn_gaussian_size(m);
}

/* A row, without the columns that are constant; returns whether a cell is missing. */
static bool read_row(const proving *p, size_t row, double *x)
{
    bool gaps = false;
    for (size_t j = 0; j < p->m->n_columns; j++) {
        x[j] = p->view->features[j]->numbers[row];
        gaps |= isnan(x[j]) && !p->m->constant[j];
        if (p->m->constant[j]) x[j] = NAN;
    }
    return gaps;
}

/* ln of prior and density of a row in its class. */
static double row_log(const proving *p, buffer *to, size_t row)
{
    const cairn_gaussian_model *m = p->m;
    size_t c = (size_t)p->view->target->codes[row], f = cairn_gaussian_factor(m, c);
    bool gaps = read_row(p, row, to->x);
    if (gaps) cairn_plain_normal_set(&to->part, covariance_of(m, f), to->x);
    cairn_plain_normal law = gaps ? to->part : p->laws[c];
    law.y = to->y;
    return m->log_prior[c] + cairn_plain_normal_log(&law, to->x, m->means + c * m->n_columns);
}

static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    for (size_t i = begin; i < end; i++) {
        double weight = cairn_view_weight(p->view, i);
        if (!(weight > 0)) continue;
        double log = weight * row_log(p, p->buffers + worker, cairn_view_row(p->view, i));
        p->partial[block].log_likelihood += log;
        p->partial[block].size += weight + fabs(log);
    }
}

/* Laws of complete rows by the covariances in force, and room for the workers. */
static cairn_status make_laws(cairn_context *ctx, proving *p)
{
    const cairn_gaussian_model *m = p->m;
    size_t d = m->n_columns, workers = (size_t)cairn_workers(ctx);
    double *present;
    CHECK(SCRATCH(ctx, &present, d + 1));
    for (size_t j = 0; j < d; j++) present[j] = m->constant[j] ? NAN : 0;
    CHECK(SCRATCH(ctx, &p->laws, m->n_classes));
    for (size_t c = 0; c < m->n_classes; c++) {
        p->laws[c] = p->laws[0];
        if (c > 0 && m->n_factors == 1) continue;
        CHECK(cairn_plain_normal_make(ctx, p->laws + c, d, m->diagonal));
        cairn_plain_normal_set(p->laws + c, covariance_of(m, c), present);
    }
    CHECK(SCRATCH(ctx, &p->buffers, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(SCRATCH_EACH(ctx, d + 1, &p->buffers[i].x, &p->buffers[i].y));
        CHECK(cairn_plain_normal_make(ctx, &p->buffers[i].part, d, m->diagonal));
    }
    return SCRATCH(ctx, &p->partial, cairn_block_count(p->view->rows.n, BLOCK) + 1);
}

/* -- gaussian_missing.c -- */
/* The log-likelihood of the rows of a view with their classes, as proofs work it out. */
static cairn_status gaussian_again(cairn_context *ctx, cairn_em_again *out,
                                   const cairn_gaussian_model *m, const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.m = m, .view = view};
    double d = (double)m->n_columns;
    CHECK(make_laws(ctx, &p));
    CHECK(cairn_blocks_sized(ctx, view->rows.n, BLOCK, (double)view->rows.n * (d * d + 1),
                             add_block, &p));
    *out = (cairn_em_again){.rounding = 1e-9};
    for (size_t c = 0; c < m->n_classes; c++)
        if (m->totals[c] > 0)
            out->rounding =
                fmax(out->rounding,
                     cairn_plain_normal_rounding(p.laws + c, m->means + c * m->n_columns, 1));
    for (size_t b = 0; b < cairn_block_count(view->rows.n, BLOCK); b++) {
        out->log_likelihood += p.partial[b].log_likelihood;
        out->size += p.partial[b].size;
    }
    return CAIRN_OK;
}

enum { MOST_KEPT = 1 << 22 }; /* numbers of rows with missing cells that a model keeps */

typedef struct filling {
    cairn_gaussian_model *m;
    const char *const *names; /* of the columns */
    double *filled;           /* n_kept x n_columns: with the means of what is missing */
    /* of the complete rows */
    const double *totals, *means, *scatters;
    double *spreads; /* of the missing cells, as the scatters are kept */
    double *between, *spread, *z;
    cairn_gaussian_observed observed;
    bool mended; /* some covariance on the way was singular */
} filling;

/* -- rows that are kept -- */

/* A row of weight 0 says nothing; of a class that has no others it would be impossible. */
static bool is_kept(const cairn_view *view, size_t i)
{
    return cairn_view_weight(view, i) > 0 && !cairn_gaussian_is_complete(view, i);
}

cairn_status cairn_gaussian_keep_rows(cairn_context *ctx, cairn_gaussian_model *m,
                                      const cairn_view *view)
{
    size_t p = m->n_columns, n = m->n_kept, missing = 0;
    for (size_t j = 0; j < p; j++) missing += view->features[j]->n_missing;
    for (size_t i = 0; missing && i < view->rows.n; i++) n += is_kept(view, i);
    if (n == m->n_kept) return CAIRN_OK;
    CHECK(RESIZE(ctx, &m->kept, cairn_product(n, p)));
    CHECK(RESIZE(ctx, &m->kept_weights, n));
    CHECK(RESIZE(ctx, &m->kept_classes, n));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), at = m->n_kept;
        if (!is_kept(view, i)) continue;
        for (size_t j = 0; j < p; j++) m->kept[at * p + j] = view->features[j]->numbers[row];
        m->kept_weights[at] = cairn_view_weight(view, i);
        m->kept_classes[at] = view->target->codes[row];
        m->n_kept++;
    }
    return CAIRN_OK;
}

cairn_status cairn_gaussian_recall(cairn_context *ctx, cairn_gaussian_model *m)
{
    size_t k = m->n_classes, means = cairn_product(k, m->n_columns);
    size_t size = cairn_gaussian_scatter_size(m);
    if (m->incomplete > 0 && !m->n_kept)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the model had too many rows with missing cells to keep them, so it "
                          "cannot take more rows; fit it again with all rows");
    if (!m->n_kept) return CAIRN_OK;
    memcpy(m->totals, m->complete, k * sizeof *m->totals);
    if (means) memcpy(m->means, m->complete + k, means * sizeof *m->means);
    if (size) memcpy(m->scatters, m->complete + k + means, size * sizeof *m->scatters);
    return CAIRN_OK;
}

void cairn_gaussian_clear_kept(cairn_gaussian_model *m)
{
    FREE_EACH(m->kept, m->kept_weights, m->kept_classes, m->complete);
    m->kept = m->kept_weights = m->complete = NULL;
    m->kept_classes = NULL;
    m->n_kept = 0;
}

/* -- sums -- */

static size_t class_of(const filling *w, size_t i)
{
    return (size_t)w->m->kept_classes[i];
}

/* Where the scatter of class c is kept. */
static size_t scatter_at(const cairn_gaussian_model *m, size_t c)
{
    bool own = m->covariance == CAIRN_GAUSSIAN_OWN || m->covariance == CAIRN_GAUSSIAN_DIAGONAL;
    return own ? c * cairn_gaussian_size(m) : 0;
}

/* Where in a scatter the squares of column j are. */
static size_t diagonal_at(const cairn_gaussian_model *m, size_t j)
{
    return m->covariance == CAIRN_GAUSSIAN_DIAGONAL ? j : j * m->n_columns + j;
}

/* to += weight times the products of v with itself, or its squares. */
static void add_products(const cairn_gaussian_model *m, double *to, double weight, const double *v)
{
    size_t p = m->n_columns;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return;
    for (size_t j = 0; j < p; j++)
        if (m->covariance == CAIRN_GAUSSIAN_DIAGONAL)
            to[j] += weight * v[j] * v[j];
        else
            cairn_axpy(to + j * p, weight * v[j], v, p);
}

/* -- the beginning -- */

/* Means of the classes over the cells of column j that are there; a class without any gets that of
 * all rows. `counts` are n_classes numbers of room. */
static void begin_means(const filling *w, size_t j, double *counts)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, k = m->n_classes;
    double all = 0, n = 0;
    for (size_t c = 0; c < k; c++) {
        counts[c] = w->totals[c];
        m->means[c * p + j] = w->means[c * p + j];
    }
    for (size_t i = 0; i < m->n_kept; i++) {
        size_t c = class_of(w, i);
        double x = m->kept[i * p + j], weight = m->kept_weights[i];
        if (isnan(x) || !(weight > 0)) continue;
        counts[c] += weight;
        m->means[c * p + j] += weight / counts[c] * (x - m->means[c * p + j]);
    }
    for (size_t c = 0; c < k; c++) {
        if (!(counts[c] > 0)) continue;
        n += counts[c];
        all += counts[c] / n * (m->means[c * p + j] - all);
    }
    for (size_t c = 0; c < k; c++)
        if (!(counts[c] > 0)) m->means[c * p + j] = all;
}

/* Variance of column j about these means, over all classes. */
static double begin_variance(const filling *w, size_t j)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    double squares = 0, n = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        double apart = w->means[c * p + j] - m->means[c * p + j];
        bool shared = m->covariance == CAIRN_GAUSSIAN_SHARED;
        if (w->totals[c] > 0) squares += w->totals[c] * apart * apart;
        n += w->totals[c];
        if (m->covariance != CAIRN_GAUSSIAN_IDENTITY && (!shared || c == 0))
            squares += w->scatters[scatter_at(m, c) + diagonal_at(m, j)];
    }
    for (size_t i = 0; i < m->n_kept; i++) {
        double apart = m->kept[i * p + j] - m->means[class_of(w, i) * p + j];
        if (isnan(apart)) continue;
        squares += m->kept_weights[i] * apart * apart;
        n += m->kept_weights[i];
    }
    return n > 0 ? squares / n : 0;
}

/* EM starts from the cells that are there: their means by class, and one variance for each
 * column with no covariance between columns. */
static cairn_status begin_all(cairn_context *ctx, filling *w)
{
    cairn_gaussian_model *m = w->m;
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns, k = m->n_classes, size = cairn_gaussian_scatter_size(m);
    double *counts;
    CHECK(SCRATCH(ctx, &counts, k + 1));
    if (size) memset(m->scatters, 0, size * sizeof *m->scatters);
    for (size_t i = 0; i < m->n_kept; i++) m->totals[class_of(w, i)] += m->kept_weights[i];
    for (size_t j = 0; j < p; j++) {
        begin_means(w, j, counts);
        double variance = begin_variance(w, j);
        if (!isfinite(variance))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the numbers of '%s' are too large for sums of their squares; "
                              "rescale the column",
                              w->names[j]);
        for (size_t c = 0; size && c < k; c++)
            m->scatters[scatter_at(m, c) + diagonal_at(m, j)] += m->totals[c] * variance;
    }
    return cairn_gaussian_make_tables(ctx, m);
}

/* There is one beginning, and it is made already. */
static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    (void)ctx;
    (void)data;
    (void)start;
    return CAIRN_OK;
}

/* -- the two steps -- */

/* ln of the likelihood of the complete rows, from their sums. */
static cairn_status complete_likelihood(cairn_context *ctx, double *out, const filling *w)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, size = cairn_gaussian_size(m);
    double sum = 0, squares;
    for (size_t f = 0; m->covariance != CAIRN_GAUSSIAN_IDENTITY && f < m->n_factors; f++) {
        CHECK(cairn_gaussian_squares(ctx, &squares, m, f, w->scatters + f * size));
        sum -= squares / 2;
    }
    for (size_t c = 0; c < m->n_classes; c++) {
        const double *factor = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
        if (!(w->totals[c] > 0)) continue;
        sum += w->totals[c] * m->log_bases[c];
        for (size_t j = 0; j < p; j++) {
            double y = 0;
            for (size_t i = m->diagonal ? j : 0; i <= j; i++)
                y += (w->means[c * p + i] - m->means[c * p + i]) *
                     (m->diagonal ? factor[j] : factor[i * p + j]);
            sum -= w->totals[c] * y * y / 2;
        }
    }
    *out = sum;
    return CAIRN_OK;
}

/* Covariances of the missing cells of a row that was filled. */
static void add_spread(const filling *w, double *to, double weight)
{
    const cairn_gaussian_model *m = w->m;
    const size_t *holes = w->observed.holes, n = w->observed.n_holes;
    bool matrix = m->covariance != CAIRN_GAUSSIAN_DIAGONAL;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = matrix ? 0 : i; k < (matrix ? n : i + 1); k++)
            to[matrix ? holes[i] * m->n_columns + holes[k] : holes[i]] +=
                weight * w->spread[i * n + k];
}

/* The log-likelihood is that of the parameters that the step starts from, not of those it leads
 * to. */
static cairn_status expect(cairn_context *ctx, void *data, double *log_likelihood)
{
    filling *w = data;
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    CHECK(complete_likelihood(ctx, log_likelihood, w));
    memset(w->spreads, 0, cairn_gaussian_scatter_size(m) * sizeof *w->spreads);
    observed_renew(m, &w->observed);
    for (size_t i = 0; i < m->n_kept; i++) {
        size_t c = class_of(w, i);
        double weight = m->kept_weights[i], *x = w->filled + i * p;
        double *to = w->spreads + scatter_at(m, c);
        for (size_t j = 0; j < p; j++) w->z[j] = m->kept[i * p + j] - m->centre[j];
        *log_likelihood +=
            weight * gaussian_fill(m, &w->observed, c, w->z, x, w->between, w->spread);
        add_spread(w, to, weight);
    }
    return CAIRN_OK;
}

/* Means of the classes over complete and filled rows. */
static void make_means(filling *w)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    memcpy(m->totals, w->totals, m->n_classes * sizeof *m->totals);
    if (p) memcpy(m->means, w->means, m->n_classes * p * sizeof *m->means);
    for (size_t i = 0; i < m->n_kept; i++) {
        size_t c = class_of(w, i);
        double weight = m->kept_weights[i];
        if (!(weight > 0)) continue;
        m->totals[c] += weight;
        for (size_t j = 0; j < p; j++)
            m->means[c * p + j] +=
                weight / m->totals[c] * (w->filled[i * p + j] - m->means[c * p + j]);
    }
}

/* Rows without holes enter by their summary, filled ones one by one with the spread of their
 * holes. */
static cairn_status maximise(cairn_context *ctx, void *data)
{
    filling *w = data;
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    make_means(w);
    for (size_t i = 0; i < cairn_gaussian_scatter_size(m); i++)
        m->scatters[i] = w->scatters[i] + w->spreads[i];
    for (size_t c = 0; c < m->n_classes; c++) {
        for (size_t j = 0; j < p; j++) w->between[j] = w->means[c * p + j] - m->means[c * p + j];
        if (w->totals[c] > 0)
            add_products(m, m->scatters + scatter_at(m, c), w->totals[c], w->between);
    }
    for (size_t i = 0; i < m->n_kept; i++) {
        size_t c = class_of(w, i);
        for (size_t j = 0; j < p; j++) w->between[j] = w->filled[i * p + j] - m->means[c * p + j];
        add_products(m, m->scatters + scatter_at(m, c), m->kept_weights[i], w->between);
    }
    CHECK(cairn_gaussian_make_tables(ctx, m));
    for (size_t f = 0; f < m->n_factors; f++) w->mended |= m->raised[f];
    return CAIRN_OK;
}

static void keep(void *data, size_t start)
{
    (void)data;
    (void)start;
}

/* -- all -- */

static cairn_status make_buffer(cairn_context *ctx, filling *w)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, k = m->n_classes;
    w->totals = m->complete;
    w->means = m->complete + k;
    w->scatters = w->means + k * p;
    CHECK(SCRATCH_RAW(ctx, &w->filled, cairn_product(m->n_kept, p) + 1));
    CHECK(SCRATCH(ctx, &w->spreads, cairn_gaussian_scatter_size(m) + 1));
    CHECK(SCRATCH_EACH(ctx, cairn_product(p, p) + 1, &w->between, &w->spread));
    return SCRATCH(ctx, &w->z, p + 1);
}

/* How far the last step went: means in deviations, scatters as correlations; `before` are those of
 * before. */
static double moved(const cairn_gaussian_model *m, const double *before)
{
    size_t p = m->n_columns, size = cairn_gaussian_size(m), n = cairn_gaussian_scatter_size(m);
    bool matrix = n && m->covariance != CAIRN_GAUSSIAN_DIAGONAL;
    double most = 0;
    for (size_t c = 0; c < m->n_classes; c++)
        for (size_t j = 0; j < p; j++) {
            double variance = m->totals[c] > 0 ? cairn_gaussian_entry(m, c, j, j) : 0;
            double by = m->means[c * p + j] - before[c * p + j];
            if (variance > 0) most = fmax(most, fabs(by) / sqrt(variance));
        }
    before += m->n_classes * p;
    for (size_t i = 0; p && size && i < n; i++) {
        const double *of = m->scatters + i / size * size;
        double scale =
            matrix ? sqrt(of[i % size / p * (p + 1)]) * sqrt(of[i % p * (p + 1)]) : m->scatters[i];
        if (scale > 0) most = fmax(most, fabs(m->scatters[i] - before[i]) / scale);
    }
    return most;
}

/* Near its top the likelihood is flat, so that it says little of where the top is: a few more steps
 * until nothing moves. */
static cairn_status settle(cairn_context *ctx, filling *w)
{
    enum { MOST_STEPS = 2000 };
    cairn_gaussian_model *m = w->m;
    size_t means = cairn_product(m->n_classes, m->n_columns), n = cairn_gaussian_scatter_size(m);
    double *before, likelihood;
    CHECK(SCRATCH_RAW(ctx, &before, means + n + 1));
    for (int step = 0; step < MOST_STEPS; step++) {
        if (means) memcpy(before, m->means, means * sizeof *before);
        if (n) memcpy(before + means, m->scatters, n * sizeof *before);
        CHECK(expect(ctx, w, &likelihood));
        CHECK(maximise(ctx, w));
        CHECK(cairn_tick(ctx, "EM", step, MOST_STEPS));
        if (!(moved(m, before) > 1e-13)) break;
    }
    return CAIRN_OK;
}

/* Without pooling, shrinkage and raised variances the M step is the best there is, so that the
 * likelihood cannot fall. What came before an update is known by sums only, from which nothing can
 * be worked out anew; and with the identity in place of covariances the squares of complete rows,
 * which no step changes, are left out of the likelihood. */
static cairn_status prove(cairn_context *ctx, const filling *w, const cairn_em_result *result,
                          const cairn_progress *progress, const cairn_job *job)
{
    const cairn_gaussian_model *m = w->m;
    bool exact = !(m->pooling > 0) && !(m->shrinkage > 0) && !w->mended;
    cairn_em_again again = {m->likelihood, fabs(m->likelihood), 0};
    cairn_em_result end = {0, m->likelihood, exact ? result->largest_fall : 0, false};
    cairn_progress course = *progress;
    double weight = 0, known = 0;
    if (!job->certificate) return CAIRN_OK;
    for (size_t i = 0; i < job->view->rows.n; i++) weight += cairn_view_weight(job->view, i);
    for (size_t c = 0; c < m->n_classes; c++) known += m->totals[c];
    if (m->covariance != CAIRN_GAUSSIAN_IDENTITY && fabs(weight - known) <= 1e-9 * known)
        CHECK(gaussian_again(ctx, &again, m, job->view));
    if (!exact) course.n_values = 0;
    cairn_em_certify(job->certificate, &end, &course, &again);
    return CAIRN_OK;
}

/* EM seeks the largest likelihood given the classes, so with the divisor n and without their
 * priors; what was asked for is done with the sums that it finds. */
cairn_status cairn_gaussian_expect_missing(cairn_context *ctx, cairn_gaussian_model *m,
                                           const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    int32_t divisor = m->divisor, prior = m->prior_kind;
    filling w = {.m = m, .names = job->view->names};
    cairn_em em = {.n_starts = 1,
                   .data = &w,
                   .begin = begin,
                   .expect = expect,
                   .maximise = maximise,
                   .keep = keep};
    cairn_em_result result;
    cairn_progress progress = {.what = "EM", .most = 500, .tolerance = 1e-12};
    if (!m->n_kept) return CAIRN_OK;
    /* The sums of the complete rows are put aside. */
    size_t k = m->n_classes, means = cairn_product(k, m->n_columns);
    size_t size = cairn_gaussian_scatter_size(m);
    CHECK(RESIZE(ctx, &m->complete, cairn_gaussian_sums_size(m)));
    memcpy(m->complete, m->totals, k * sizeof *m->totals);
    if (means) memcpy(m->complete + k, m->means, means * sizeof *m->means);
    if (size) memcpy(m->complete + k + means, m->scatters, size * sizeof *m->scatters);
    m->divisor = CAIRN_DIVISOR_N;
    m->prior_kind = CAIRN_PRIOR_NONE;
    CHECK(make_buffer(ctx, &w));
    CHECK(begin_all(ctx, &w)); /* whose tables say how many covariances there are */
    CHECK(cairn_gaussian_observed_new(ctx, &w.observed, m));
    CHECK(cairn_em_run(ctx, &result, &em, &progress));
    CHECK(settle(ctx, &w));
    m->divisor = divisor;
    m->prior_kind = prior;
    CHECK(cairn_gaussian_make_tables(ctx, m));
    CHECK(expect(ctx, &w, &m->likelihood));
    CHECK(prove(ctx, &w, &result, &progress, job));
    if (m->n_kept > MOST_KEPT / (m->n_columns + 2)) cairn_gaussian_clear_kept(m);
    return CAIRN_OK;
}
