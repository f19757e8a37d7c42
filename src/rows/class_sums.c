/* SPDX-License-Identifier: MIT */
/* Means and scatter of classes in one pass: the cross products of all rows, or of each class, and
 * the sums of each class. The scatter about the class means is what is left of the former when the
 * part between the classes is taken out. Columns are read near their means, so that little is
 * lost. */
#include "rows/class_sums.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

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
    double *rows = piece->room, *weights = piece->room + piece->n * width;
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
    CHECK(SCRATCH(ctx, &terms, w->x.n_terms + 1));
    CHECK(SCRATCH(ctx, &values, w->x.n_terms + 1));
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

static void spreads(cairn_class_sums *out, const work *w, const double *squares)
{
    for (size_t t = 0; t < out->n_terms; t++) {
        double own = squares[t] - out->total * out->mean[t] * out->mean[t];
        if (own < 1e-14 * fabs(squares[t])) own = 0;
        out->spread[t] = own / w->x.scale[t] / w->x.scale[t];
    }
}

static void restore_units(cairn_class_sums *out, const cairn_row_matrix *x)
{
    size_t p = out->n_terms;
    for (size_t t = 0; t < p; t++) {
        out->mean[t] = out->mean[t] / x->scale[t] + x->shift[t];
        for (size_t k = 0; k < out->n_classes; k++)
            out->means[k * p + t] = out->means[k * p + t] / x->scale[t] + x->shift[t];
    }
}

static cairn_status make_room(cairn_context *ctx, cairn_class_sums *out, int wanted)
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
    cairn_matrix_wish wish = {.ones = true, .units = CAIRN_UNITS_SHIFTED};
    cairn_row_sum sum = {.piece = add_piece, .data = &w};
    bool matrix = wanted == CAIRN_CLASS_SCATTER || wanted == CAIRN_CLASS_OWN_SCATTER;
    bool bags = cairn_view_first(view, CAIRN_BAG) >= 0 && wanted <= CAIRN_CLASS_SPREADS;
    double *sums;
    if (bags) wish.units = CAIRN_UNITS_OWN;
    if (bags) wish.apart = true;
    CHECK(cairn_matrix_open(ctx, &w.x, view, &wish));
    if (!bags && matrix) {
        wish.sum_size = sum_size(&w);
        if (wanted == CAIRN_CLASS_OWN_SCATTER) wish.room = w.x.width + 1;
        CHECK(cairn_matrix_open(ctx, &w.x, view, &wish));
    }
    *out = (cairn_class_sums){.n_terms = w.x.n_terms, .n_classes = n_classes};
    CHECK(make_room(ctx, out, wanted));
    sum.size = sum_size(&w);
    CHECK(SCRATCH_RAW(ctx, &sums, sum.size + 1));
    CHECK(bags ? add_entries(ctx, &w, sums) : cairn_matrix_sum(ctx, &w.x, &sum, sums));
    for (size_t i = 0; i < n_classes * w.x.width; i++)
        if (!isfinite(sums[i])) return cairn_matrix_refuse(ctx, &w.x, NULL);
    divide(out, sums, w.x.width);
    if (wanted == CAIRN_CLASS_SCATTER) centre(out, &w, sums + n_classes * w.x.width);
    if (wanted == CAIRN_CLASS_SPREADS) spreads(out, &w, sums + n_classes * w.x.width);
    if (wanted >= CAIRN_CLASS_OWN_SPREADS) centre_own(out, &w, sums + n_classes * w.x.width);
    restore_units(out, &w.x);
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

cairn_status cairn_class_axes(cairn_context *ctx, const cairn_class_sums *s, double *values,
                              double *axes, size_t *n)
{
    size_t p = s->n_terms, most = s->n_classes - 1 < p ? s->n_classes - 1 : p;
    double *scale, *root, *between, *half, *vectors, *all;
    *n = 0;
    if (!p || !most) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &scale, p));
    CHECK(SCRATCH(ctx, &all, p));
    CHECK(SCRATCH(ctx, &root, cairn_product(p, p)));
    CHECK(SCRATCH(ctx, &between, cairn_product(p, p)));
    CHECK(SCRATCH(ctx, &half, cairn_product(p, p)));
    CHECK(SCRATCH(ctx, &vectors, cairn_product(p, p)));
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
