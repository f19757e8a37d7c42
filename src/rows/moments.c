/* SPDX-License-Identifier: MIT */
/* Moments and means of number columns: see moments.h. */
#include "base/memory.h"
#include "data/scaled.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "rows/class_sums.h"
#include "rows/fold_grams.h"
#include "rows/moments.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOMENT_BLOCK = 1 << 15 };

#define SQUARES_LOST 0x1p-960 /* sums of squares below it have lost digits on the way */
#define SMALLER      0x1p-64  /* times which four thousand million numbers have a sum */

/* Sums of one block. */
typedef struct block_sums {
    double weight, sum, squares, low, high;
} block_sums;

typedef struct moment_work {
    const cairn_view *view;
    const double *numbers;
    double factor; /* a power of two that the numbers are multiplied by */
    double mean;
    block_sums *sums;
} moment_work;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const moment_work *work = data;
    block_sums s = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = begin; i < end; i++) {
        double x = work->numbers[cairn_view_row(work->view, i)] * work->factor;
        if (isnan(x)) continue;
        double w = cairn_view_weight(work->view, i);
        s.weight += w;
        s.sum += w * x;
        s.low = x < s.low ? x : s.low;
        s.high = x > s.high ? x : s.high;
    }
    work->sums[block] = s;
}

static void square_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const moment_work *work = data;
    double squares = 0;
    for (size_t i = begin; i < end; i++) {
        double x = work->numbers[cairn_view_row(work->view, i)] * work->factor;
        if (isnan(x)) continue;
        squares += cairn_view_weight(work->view, i) * (x - work->mean) * (x - work->mean);
    }
    work->sums[block].squares = squares;
}

/* Both passes over the numbers times the factor. */
static cairn_status moments_times(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  double factor, cairn_moments *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = view->rows.n, n_blocks = cairn_block_count(n, MOMENT_BLOCK);
    moment_work work = {.view = view, .numbers = numbers, .factor = factor};
    cairn_moments m = {.unit = 1, .low = INFINITY, .high = -INFINITY};
    CHECK(SCRATCH(ctx, &work.sums, n_blocks + 1));
    CHECK(cairn_blocks(ctx, n, MOMENT_BLOCK, sum_block, &work));
    for (size_t b = 0; b < n_blocks; b++) {
        m.weight += work.sums[b].weight;
        m.mean += work.sums[b].sum;
        if (work.sums[b].low < m.low) m.low = work.sums[b].low;
        if (work.sums[b].high > m.high) m.high = work.sums[b].high;
    }
    m.mean = m.weight > 0 ? m.mean / m.weight : NAN;
    work.mean = m.mean;
    CHECK(cairn_blocks(ctx, n, MOMENT_BLOCK, square_block, &work));
    for (size_t b = 0; b < n_blocks; b++) m.squares += work.sums[b].squares;
    *out = m;
    return CAIRN_OK;
}

/* The power of two that brings the largest of the numbers near 1. */
static double factor_for(double low, double high)
{
    int exponent;
    (void)frexp(fmax(fabs(low), fabs(high)), &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
}

/* A number within the two, which a mean that was rounded may leave. */
static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

cairn_status cairn_number_moments(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  cairn_moments *out)
{
    cairn_moments m;
    cairn_status status = moments_times(ctx, view, numbers, 1, &m);
    if (status) return status;
    bool lost = !isfinite(m.mean) || !isfinite(m.squares);
    if (m.low < m.high) lost = lost || m.squares < SQUARES_LOST;
    if (lost && m.weight > 0 && isfinite(m.low) && isfinite(m.high)) {
        double low = m.low, high = m.high, factor = factor_for(low, high);
        status = moments_times(ctx, view, numbers, factor, &m);
        m.unit = 1 / factor;
        m.mean = within(m.mean / factor, low, high);
        m.low = low;
        m.high = high;
    }
    if (!status) *out = m;
    return status;
}

cairn_status cairn_column_moments(cairn_context *ctx, const cairn_view *view, size_t feature,
                                  cairn_moments *out)
{
    return cairn_number_moments(ctx, view, view->features[feature]->numbers, out);
}

typedef struct mean_work {
    const cairn_view *view;
    const size_t *features;
    double *means;
    double *buffers; /* of every worker a column that is worked out here; NULL = there is none */
} mean_work;

/* The mean of a column times the factor, summed in the same blocks as the moments. Where nothing
 * is missing, weighted or chosen, the column is summed as it lies. */
static double mean_times(const cairn_view *view, const cairn_column *column, const double *numbers,
                         double factor)
{
    double weight = 0, sum = 0;
    bool plain = !column->n_missing && !view->rows.indices && !view->rows.weights &&
                 !view->row_weights && factor == 1;
    for (size_t begin = 0; begin < view->rows.n; begin += MOMENT_BLOCK) {
        size_t left = view->rows.n - begin, n = left < MOMENT_BLOCK ? left : MOMENT_BLOCK;
        block_sums s = {.weight = (double)n};
        moment_work part = {.view = view, .numbers = numbers, .factor = factor, .sums = &s};
        if (plain)
            s.sum = cairn_sum(numbers + begin, n);
        else
            sum_block(&part, 0, begin, begin + n, 0);
        weight += s.weight;
        sum += s.sum;
    }
    return weight > 0 ? sum / weight : NAN;
}

/* The numbers of a column, worked out in the room of the worker where they are only promised. */
static const double *numbers_of(const mean_work *work, const cairn_column *column, int worker)
{
    const cairn_scaled *how = cairn_column_scaled(column);
    if (!how) return column->numbers;
    double *buffer = work->buffers + (size_t)worker * column->n_rows;
    cairn_scaled_numbers(how, how->from->numbers, column->n_rows, buffer);
    return buffer;
}

static void mean_of_column(void *data, size_t block, size_t first, size_t last, int worker)
{
    (void)first, (void)last;
    const mean_work *work = data;
    const cairn_column *column = work->view->features[work->features[block]];
    const double *numbers = numbers_of(work, column, worker);
    double mean = NAN;
    if (column->kind == CAIRN_NUMBER) mean = mean_times(work->view, column, numbers, 1);
    if (!isfinite(mean) && column->kind == CAIRN_NUMBER) { /* the sum may have been too large */
        mean = mean_times(work->view, column, numbers, SMALLER);
        if (isfinite(mean)) mean = within(mean / SMALLER, -DBL_MAX, DBL_MAX);
    }
    work->means[block] = mean;
}

cairn_status cairn_column_means(cairn_context *ctx, const cairn_view *view, const size_t *features,
                                size_t n, double *means)
{
    mean_work work = {.view = view, .features = features, .means = means};
    double cells = 0;
    bool promised = false;
    SCOPED_SCRATCH(ctx);
    for (size_t i = 0; i < n; i++) {
        if (view->features[features[i]]->kind == CAIRN_NUMBER) cells += (double)view->rows.n;
        promised |= cairn_column_scaled(view->features[features[i]]) != NULL;
    }
    if (promised)
        CHECK(SCRATCH_RAW(ctx, &work.buffers,
                          cairn_product((size_t)cairn_workers(ctx), view->table->n_rows)));
    return cairn_blocks_sized(ctx, n, 1, cells, mean_of_column, &work);
}

/* Means and scatter of classes in one pass: the cross products of all rows, or of each class, and
 * the sums of each class. The scatter about the class means is what is left of the former when the
 * part between the classes is taken out. Columns are read near their means, so that little is
 * lost. */

typedef struct work {
    cairn_row_matrix x; /* with ones */
    const int32_t *places;
    size_t n_classes;
    int wanted;
} work;

static size_t place_of(const work *w, size_t row)
{
    const cairn_view *view = w->x.view;
    int32_t code = view->target->codes[cairn_view_row(view, row)];
    return code < 0 || w->places[code] < 0 ? w->n_classes : (size_t)w->places[code];
}

/* Numbers of the sum: a vector per class, then the squares or the cross products, of all rows or
 * of each class. */
static size_t sum_size(const work *w)
{
    size_t width = w->x.width, head = cairn_product(w->n_classes, width);
    switch (w->wanted) {
    case CAIRN_CLASS_SPREADS: return head + width;
    case CAIRN_CLASS_SCATTER: return head + cairn_product(width, width);
    case CAIRN_CLASS_OWN_SPREADS: return 2 * head;
    case CAIRN_CLASS_OWN_SCATTER: return cairn_product(head, width + 1);
    default: return head;
    }
}

/* Cross products of each class: its rows are put side by side first, so that the product runs over
 * many of them at once. The room of a row holds it, and its weight. */
static void add_own_scatter(const work *w, const cairn_piece *piece, double *sums)
{
    size_t width = w->x.width;
    double *rows = piece->buffer, *weights = piece->buffer + piece->n * width;
    for (size_t k = 0; k < w->n_classes; k++) {
        size_t n = 0;
        for (size_t i = 0; i < piece->n; i++) {
            if (place_of(w, piece->first + i) != k) continue;
            memcpy(rows + n * width, piece->z + i * width, width * sizeof *rows);
            weights[n++] = piece->weights ? piece->weights[i] : 1;
        }
        if (n)
            cairn_gram_add(sums + k * width * width, NULL, rows, width, NULL,
                           piece->weights ? weights : NULL, n, width);
    }
}

/* A row of none of the classes still counts for the spread and scatter of all rows. */
static void add_piece(void *data, const cairn_piece *piece, double *sums)
{
    const work *w = data;
    size_t width = w->x.width;
    double *squares = sums + w->n_classes * width;
    bool own = w->wanted == CAIRN_CLASS_OWN_SPREADS;
    for (size_t i = 0; i < piece->n; i++) {
        const double *z = piece->z + i * width;
        double weight = piece->weights ? piece->weights[i] : 1;
        size_t k = place_of(w, piece->first + i);
        if (k < w->n_classes) cairn_axpy(sums + k * width, weight, z, width);
        double *to = own ? squares + k * width : squares;
        if (w->wanted != CAIRN_CLASS_SPREADS && !(own && k < w->n_classes)) continue;
        for (size_t j = 0; j < width; j++) to[j] += weight * z[j] * z[j];
    }
    if (w->wanted == CAIRN_CLASS_SCATTER)
        cairn_gram_add(squares, NULL, piece->z, width, NULL, piece->weights, piece->n, width);
    if (w->wanted == CAIRN_CLASS_OWN_SCATTER) add_own_scatter(w, piece, squares);
}

/* The same from the entries of bags, row after row: no row is written out. */
static cairn_status add_entries(cairn_context *ctx, const work *w, double *sums)
{
    size_t width = w->x.width, *terms;
    double *values, *squares = sums + w->n_classes * width;
    CHECK(SCRATCH_EACH(ctx, w->x.n_terms + 1, &terms, &values));
    memset(sums, 0, sum_size(w) * sizeof *sums);
    for (size_t i = 0; i < w->x.n; i++) {
        size_t k = place_of(w, i), n = cairn_matrix_entries(&w->x, i, terms, values);
        double weight = cairn_view_weight(w->x.view, i);
        if (k < w->n_classes) sums[k * width + width - 1] += weight;
        for (size_t e = 0; e < n; e++) {
            if (k < w->n_classes) sums[k * width + terms[e]] += weight * values[e];
            if (w->wanted == CAIRN_CLASS_SPREADS)
                squares[terms[e]] += weight * values[e] * values[e];
        }
    }
    return cairn_all_sum(ctx, sums, sum_size(w));
}

/* Weights, and means in the units of the pass. */
static void divide(cairn_class_sums *out, const double *sums, size_t width)
{
    size_t p = out->n_terms;
    for (size_t k = 0; k < out->n_classes; k++) {
        const double *sum = sums + k * width;
        out->totals[k] = sum[width - 1];
        out->total += sum[width - 1];
        for (size_t t = 0; t < p; t++) {
            out->mean[t] += sum[t];
            out->means[k * p + t] = sum[width - 1] > 0 ? sum[t] / sum[width - 1] : 0;
        }
    }
    for (size_t t = 0; t < p; t++) out->mean[t] /= out->total > 0 ? out->total : 1;
}

/* Cross products of z become those about the class means, in own units. */
static void centre(cairn_class_sums *out, const work *w, const double *squares)
{
    size_t p = out->n_terms, width = w->x.width;
    const double *scale = w->x.scale;
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            double s = squares[i * width + j];
            if (i == j) {
                double own = s - out->total * out->mean[i] * out->mean[i];
                out->spread[i] = fmax(0, own) / scale[i] / scale[i];
            }
            for (size_t k = 0; k < out->n_classes; k++)
                s -= out->totals[k] * out->means[k * p + i] * out->means[k * p + j];
            if (i == j && s < 1e-14 * fabs(squares[i * width + i])) s = 0;
            out->within[i * p + j] = out->within[j * p + i] = s / scale[i] / scale[j];
        }
}

/* What each class has of its own about its mean, in own units. */
static void centre_own(cairn_class_sums *out, const work *w, const double *sums)
{
    size_t p = out->n_terms, width = w->x.width;
    const double *scale = w->x.scale;
    bool matrix = w->wanted == CAIRN_CLASS_OWN_SCATTER;
    for (size_t k = 0; k < out->n_classes; k++) {
        const double *from = sums + k * width * (matrix ? width : 1), *mean = out->means + k * p;
        double *to = out->own + k * p * (matrix ? p : 1), n = out->totals[k];
        for (size_t i = 0; i < p; i++)
            for (size_t j = i; j < (matrix ? p : i + 1); j++) {
                double all = matrix ? from[i * width + j] : from[i];
                double s = all - n * mean[i] * mean[j];
                if (i == j && s < 1e-14 * fabs(all)) s = 0;
                s = s / scale[i] / scale[j];
                if (matrix)
                    to[i * p + j] = to[j * p + i] = s;
                else
                    to[i] = s;
            }
    }
}

static cairn_status make_buffer(cairn_context *ctx, cairn_class_sums *out, int wanted)
{
    size_t p = out->n_terms;
    CHECK(SCRATCH(ctx, &out->totals, out->n_classes + 1));
    CHECK(SCRATCH(ctx, &out->means, cairn_product(out->n_classes, p) + 1));
    CHECK(SCRATCH(ctx, &out->mean, p + 1));
    if (wanted == CAIRN_CLASS_SPREADS || wanted == CAIRN_CLASS_SCATTER)
        CHECK(SCRATCH(ctx, &out->spread, p + 1));
    if (wanted >= CAIRN_CLASS_OWN_SPREADS)
        CHECK(SCRATCH(ctx, &out->own,
                      cairn_product(cairn_product(out->n_classes, p),
                                    wanted == CAIRN_CLASS_OWN_SCATTER ? p : 1) +
                          1));
    if (wanted == CAIRN_CLASS_SCATTER) CHECK(SCRATCH(ctx, &out->within, cairn_product(p, p) + 1));
    return CAIRN_OK;
}

/* Bags without a matrix are read by their entries in own units, everything else in pieces of rows
 * near the means. */
cairn_status cairn_class_sums_of(cairn_context *ctx, cairn_class_sums *out, const cairn_view *view,
                                 const int32_t *places, size_t n_classes, int wanted)
{
    work w = {.places = places, .n_classes = n_classes, .wanted = wanted};
    cairn_matrix_options options = {.ones = true, .units = CAIRN_UNITS_SHIFTED};
    cairn_row_sum sum = {.piece = add_piece, .data = &w};
    bool matrix = wanted == CAIRN_CLASS_SCATTER || wanted == CAIRN_CLASS_OWN_SCATTER;
    bool bags = cairn_view_first(view, CAIRN_BAG) >= 0 && wanted <= CAIRN_CLASS_SPREADS;
    double *sums;
    if (bags) options.units = CAIRN_UNITS_OWN;
    if (bags) options.apart = true;
    CHECK(cairn_matrix_open(ctx, &w.x, view, &options));
    if (!bags && matrix) {
        options.sum_size = sum_size(&w);
        if (wanted == CAIRN_CLASS_OWN_SCATTER) options.buffer = w.x.width + 1;
        CHECK(cairn_matrix_open(ctx, &w.x, view, &options));
    }
    *out = (cairn_class_sums){.n_terms = w.x.n_terms, .n_classes = n_classes};
    CHECK(make_buffer(ctx, out, wanted));
    sum.size = sum_size(&w);
    CHECK(SCRATCH_RAW(ctx, &sums, sum.size + 1));
    CHECK(bags ? add_entries(ctx, &w, sums) : cairn_matrix_sum(ctx, &w.x, &sum, sums));
    for (size_t i = 0; i < n_classes * w.x.width; i++)
        if (!isfinite(sums[i])) return cairn_matrix_refuse(ctx, &w.x, NULL);
    divide(out, sums, w.x.width);
    if (wanted == CAIRN_CLASS_SCATTER) centre(out, &w, sums + n_classes * w.x.width);
    if (wanted == CAIRN_CLASS_SPREADS) {
        const double *squares = sums + n_classes * w.x.width;
        for (size_t t = 0; t < out->n_terms; t++) {
            double own = squares[t] - out->total * out->mean[t] * out->mean[t];
            if (own < 1e-14 * fabs(squares[t])) own = 0;
            out->spread[t] = own / w.x.scale[t] / w.x.scale[t];
        }
    }
    if (wanted >= CAIRN_CLASS_OWN_SPREADS) centre_own(out, &w, sums + n_classes * w.x.width);
    size_t p = out->n_terms;
    for (size_t t = 0; t < p; t++) {
        out->mean[t] = out->mean[t] / w.x.scale[t] + w.x.shift[t];
        for (size_t k = 0; k < out->n_classes; k++)
            out->means[k * p + t] = out->means[k * p + t] / w.x.scale[t] + w.x.shift[t];
    }
    return CAIRN_OK;
}

void cairn_class_sums_between(const cairn_class_sums *sums, double *out)
{
    size_t p = sums->n_terms;
    memset(out, 0, p * p * sizeof *out);
    for (size_t k = 0; k < sums->n_classes; k++)
        for (size_t i = 0; i < p; i++) {
            double apart = sums->totals[k] * (sums->means[k * p + i] - sums->mean[i]);
            for (size_t j = 0; j < p; j++)
                out[i * p + j] += apart * (sums->means[k * p + j] - sums->mean[j]);
        }
}

/* -- axes -- */

/* S^(-1/2), p x p, of the scatter within the classes in columns of length 1 (`scale` brings them
 * there): directions in which the rows of no class differ are left out. */
static cairn_status root_of_within(cairn_context *ctx, const cairn_class_sums *s, double *scale,
                                   double *root)
{
    size_t p = s->n_terms;
    double *a, *values, *vectors;
    CHECK(SCRATCH(ctx, &a, cairn_product(p, p)));
    CHECK(SCRATCH(ctx, &values, p));
    CHECK(SCRATCH(ctx, &vectors, cairn_product(p, p)));
    for (size_t i = 0; i < p; i++)
        scale[i] = s->within[i * p + i] > 0 ? 1 / sqrt(s->within[i * p + i]) : 0;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) a[i * p + j] = s->within[i * p + j] * scale[i] * scale[j];
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, a, p));
    for (size_t k = 0; k < p && values[k] > 1e-10 * values[0]; k++)
        for (size_t i = 0; i < p; i++)
            cairn_axpy(root + i * p, vectors[k * p + i] / sqrt(values[k]), vectors + k * p, p);
    return CAIRN_OK;
}

/* The axis of length √(n − K) within the classes, its largest number positive. */
static void finish_axis(const cairn_class_sums *s, double *axis, const double *scale)
{
    double left = s->total - (double)s->n_classes, most = 0;
    for (size_t i = 0; i < s->n_terms; i++) {
        axis[i] *= scale[i] * (left > 0 ? sqrt(left) : 1);
        if (fabs(axis[i]) > fabs(most)) most = axis[i];
    }
    for (size_t i = 0; most < 0 && i < s->n_terms; i++) axis[i] = -axis[i];
}

/* The axes by the few classes: with S_W = R'R and S_B = D'D, D the means of the K classes less
 * that of
 * all times the roots of their rows, D S_W⁻¹ D' is K x K and has the same values; to its vector a
 * belongs the axis S_W⁻¹ D'a. *solid is false where S_W is too near to singular for that. */
static cairn_status axes_by_classes(cairn_context *ctx, const cairn_class_sums *s, double *values,
                                    double *axes, size_t most, size_t *n, bool *solid)
{
    size_t p = s->n_terms, n_classes = s->n_classes, pivot;
    double *scale, *a, *apart, *solved, *ratio, *all, *vectors, condition;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(p, p)));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n_classes, p), &apart, &solved));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n_classes, n_classes), &ratio, &vectors));
    CHECK(SCRATCH_RAW_EACH(ctx, n_classes > p ? n_classes : p, &all, &scale));
    *solid = true;
    for (size_t i = 0; i < p; i++) {
        *solid = *solid && s->within[i * p + i] > 0;
        scale[i] = 1 / sqrt(s->within[i * p + i]);
    }
    if (!*solid) return CAIRN_OK;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) a[i * p + j] = s->within[i * p + j] * scale[i] * scale[j];
    CHECK(cairn_cholesky(ctx, a, p, &condition, &pivot));
    *solid = condition > 1e-9;
    if (!*solid) return CAIRN_OK;
    for (size_t k = 0; k < n_classes; k++)
        for (size_t i = 0; i < p; i++)
            apart[k * p + i] = sqrt(s->totals[k]) * (s->means[k * p + i] - s->mean[i]) * scale[i];
    memcpy(solved, apart, n_classes * p * sizeof *solved);
    CHECK(cairn_cholesky_solve(ctx, a, p, solved, n_classes));
    for (size_t k = 0; k < n_classes; k++)
        for (size_t l = 0; l <= k; l++)
            ratio[k * n_classes + l] = ratio[l * n_classes + k] =
                cairn_dot(apart + k * p, solved + l * p, p);
    CHECK(cairn_symmetric_eigen(ctx, all, vectors, ratio, n_classes));
    for (size_t k = 0; k < most && all[k] > 1e-12 * fmax(all[0], 1e-300); k++, ++*n) {
        values[k] = all[k];
        memset(axes + k * p, 0, p * sizeof *axes);
        for (size_t l = 0; l < n_classes; l++)
            cairn_axpy(axes + k * p, vectors[k * n_classes + l] / sqrt(all[k]), solved + l * p, p);
        finish_axis(s, axes + k * p, scale);
    }
    return CAIRN_OK;
}

cairn_status cairn_class_axes(cairn_context *ctx, const cairn_class_sums *s, double *values,
                              double *axes, size_t *n)
{
    size_t p = s->n_terms, most = s->n_classes - 1 < p ? s->n_classes - 1 : p;
    double *scale, *root, *between, *half, *vectors, *all;
    bool solid = false;
    *n = 0;
    if (!p || !most) return CAIRN_OK;
    if (s->n_classes < p) CHECK(axes_by_classes(ctx, s, values, axes, most, n, &solid));
    if (solid) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, p, &scale, &all));
    CHECK(SCRATCH_EACH(ctx, cairn_product(p, p), &root, &between, &half, &vectors));
    CHECK(root_of_within(ctx, s, scale, root));
    cairn_class_sums_between(s, between);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) between[i * p + j] *= scale[i] * scale[j];
    CHECK(cairn_multiply(ctx, half, root, CAIRN_AS_IT_IS, between, CAIRN_AS_IT_IS, p, p, p));
    CHECK(cairn_multiply(ctx, between, half, CAIRN_AS_IT_IS, root, CAIRN_AS_IT_IS, p, p, p));
    CHECK(cairn_symmetric_eigen(ctx, all, vectors, between, p));
    for (size_t k = 0; k < most && all[k] > 1e-12 * fmax(all[0], 1e-300); k++, ++*n) {
        values[k] = all[k];
        CHECK(cairn_multiply(ctx, axes + k * p, vectors + k * p, CAIRN_AS_IT_IS, root,
                             CAIRN_AS_IT_IS, 1, p, p));
        finish_axis(s, axes + k * p, scale);
    }
    return CAIRN_OK;
}

/* Products of columns, fold by fold.
 *
 * Rows are taken in windows that fit the cache, within a window fold by fold, so that every number
 * comes from memory once and the kernels see runs of rows of one fold. The matrices of all blocks
 * of rows would not fit memory for many columns: then a pass serves some of the folds and reads
 * their rows only. */

enum {
    WINDOW_NUMBERS = 1 << 17,
    LEAST_RUN = 32,    /* rows of a fold in a window, about */
    MOST_SUM = 1 << 22 /* numbers of the sums of a pass */
};

typedef struct dealt {
    const cairn_row_matrix *x; /* rows in the order of below */
    uint32_t *rows;            /* of the table */
    int32_t *folds;            /* less the first of the pass */
    double *weights;
    size_t n;
} dealt;

static void gram_piece(void *data, const cairn_piece *piece, double *grams)
{
    const dealt *d = data;
    size_t width = d->x->width, begin = 0;
    const int32_t *folds = d->folds + piece->first;
    while (begin < piece->n) {
        size_t end = begin + 1;
        while (end < piece->n && folds[end] == folds[begin]) end++;
        cairn_gram_add(grams + (size_t)folds[begin] * width * width, NULL, piece->z + begin * width,
                       width, NULL, piece->weights ? piece->weights + begin : NULL, end - begin,
                       width);
        begin = end;
    }
}

/* The rows of folds first .. last - 1, in windows, fold by fold in each. */
static void deal(dealt *d, const cairn_row_matrix *m, const int32_t *folds, int32_t first,
                 int32_t last, size_t *counts)
{
    size_t n_folds = (size_t)(last - first), window = WINDOW_NUMBERS / m->width;
    if (window < LEAST_RUN * n_folds) window = LEAST_RUN * n_folds;
    d->n = 0;
    for (size_t begin = 0; begin < m->n; begin += window) {
        size_t end = begin + window < m->n ? begin + window : m->n;
        for (size_t f = 0; f <= n_folds; f++) counts[f] = 0;
        for (size_t i = begin; i < end; i++)
            if (folds[i] >= first && folds[i] < last) counts[folds[i] - first + 1]++;
        for (size_t f = 0; f < n_folds; f++) counts[f + 1] += counts[f];
        size_t all = counts[n_folds];
        for (size_t i = begin; i < end; i++) {
            if (folds[i] < first || folds[i] >= last) continue;
            size_t at = d->n + counts[folds[i] - first]++;
            d->rows[at] = (uint32_t)cairn_view_row(m->view, i);
            d->folds[at] = folds[i] - first;
            if (d->weights)
                d->weights[at] = m->weights ? m->weights[i] : cairn_view_weight(m->view, i);
        }
        d->n += all;
    }
}

/* One pass, for some of the folds. */
static cairn_status sum_folds(cairn_context *ctx, const cairn_row_matrix *m, dealt *d,
                              size_t n_folds, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t size = cairn_product(m->width, m->width);
    cairn_row_sum sum = {.size = cairn_product(n_folds, size), .piece = gram_piece, .data = d};
    cairn_row_matrix whole = *m, part;
    cairn_view view;
    whole.sum_size = sum.size;
    CHECK(cairn_matrix_part(ctx, &part, &view, &whole, d->rows, d->n));
    part.weights = d->weights;
    d->x = &part;
    CHECK(cairn_matrix_sum(ctx, &part, &sum, out));
    for (size_t f = 0; f < n_folds; f++) cairn_mirror_upper(out + f * size, m->width);
    return CAIRN_OK;
}

cairn_status cairn_fold_grams(cairn_context *ctx, const cairn_row_matrix *m, const int32_t *folds,
                              size_t n_folds, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t size = cairn_product(m->width, m->width), together = MOST_SUM / size, *counts;
    dealt d = {0};
    if (together < 1) together = 1;
    CHECK(SCRATCH_RAW(ctx, &counts, n_folds + 2));
    CHECK(SCRATCH_RAW_EACH(ctx, m->n + 1, &d.rows, &d.folds));
    if (m->weighted || m->weights) CHECK(SCRATCH_RAW(ctx, &d.weights, m->n + 1));
    for (size_t f = 0; f < n_folds; f += together) {
        size_t some = n_folds - f < together ? n_folds - f : together;
        deal(&d, m, folds, (int32_t)f, (int32_t)(f + some), counts);
        CHECK(sum_folds(ctx, m, &d, some, out + f * size));
    }
    return CAIRN_OK;
}
