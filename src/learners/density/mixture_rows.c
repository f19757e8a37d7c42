/* SPDX-License-Identifier: MIT */
/* The rows of a mixture: which columns are numbers and which are levels, and in what units. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/density/mixture.h"
#include "parallel/parallel.h"
#include <math.h>

/* -- units -- */

static const double largest_number = 1e150; /* whose square is one, too */

typedef struct moments {
    double weight, mean, variance;
    double largest; /* without its sign */
} moments;

/* About the first number that is there, so that equal numbers have the variance 0 exactly. */
static moments column_moments(const cairn_view *view, const double *x)
{
    double sum = 0, squares = 0, origin = NAN;
    moments out = {0};
    for (size_t i = 0; i < view->rows.n; i++) {
        double value = x[cairn_view_row(view, i)], w = cairn_view_weight(view, i);
        if (fabs(value) > out.largest) out.largest = fabs(value);
        if (isnan(value) || w == 0) continue;
        if (isnan(origin)) origin = value;
        out.weight += w;
        sum += w * (value - origin);
    }
    double shift = out.weight > 0 ? sum / out.weight : 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double value = x[cairn_view_row(view, i)], w = cairn_view_weight(view, i);
        if (isnan(value) || w == 0) continue;
        squares += w * (value - origin - shift) * (value - origin - shift);
    }
    out.mean = out.weight > 0 ? origin + shift : 0;
    out.variance = out.weight > 0 ? squares / out.weight : 0;
    return out;
}

typedef struct measuring {
    const cairn_view *view;
    moments *found; /* of the features that are numbers */
} measuring;

static void measure_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const measuring *all = data;
    (void)block, (void)worker;
    for (size_t j = begin; j < end; j++)
        if (all->view->features[j]->kind != CAIRN_LEVEL)
            all->found[j] = column_moments(all->view, all->view->features[j]->numbers);
}

/* Numbers whose squares are none have no variance: the first of them. */
static cairn_status fail_large(cairn_context *ctx, const cairn_view *view, size_t j)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t i = 0;
    const double *x = view->features[j]->numbers;
    while (!(fabs(x[cairn_view_row(view, i)]) > largest_number)) i++;
    cairn_number_format(text, x[cairn_view_row(view, i)], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is too large for a mixture, whose variances are "
                      "squares; divide the column by a power of ten",
                      view->names[j], cairn_view_row(view, i) + 1, text);
}

/* Spherical components have one variance for all columns, which only a common scale leaves so. */
static void common_scale(cairn_mixture_model *m)
{
    double squares = 0;
    for (size_t j = 0; j < m->d; j++) squares += m->scale[j] * m->scale[j];
    double scale = m->d > 0 && squares > 0 ? sqrt(squares / (double)m->d) : 1;
    for (size_t j = 0; j < m->d; j++) m->scale[j] = scale;
}

cairn_status cairn_mixture_columns(cairn_context *ctx, cairn_mixture_model *m,
                                   const cairn_view *view, const cairn_schema *schema,
                                   size_t *n_constant)
{
    measuring all = {.view = view};
    double work = 2 * (double)view->rows.n * (double)view->n_features;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &all.found, view->n_features));
    CHECK(cairn_blocks_sized(ctx, view->n_features, 1, work, measure_columns, &all));
    *n_constant = 0;
    m->n_columns = view->n_features;
    CHECK(NEW_EACH(ctx, m->n_columns, &m->levels, &m->shift, &m->scale));
    for (size_t j = 0, at = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        if (view->features[j]->kind == CAIRN_LEVEL) {
            m->levels[j] = field->names.n > 0 ? (int32_t)field->names.n : 1;
            m->n_levels += (size_t)m->levels[j];
            continue;
        }
        const moments *found = all.found + j;
        if (found->largest > largest_number) return fail_large(ctx, view, j);
        m->shift[m->d] = found->mean;
        m->scale[m->d++] = sqrt(found->variance);
        *n_constant += !(found->variance > 0);
    }
    if (m->form == CAIRN_MIXTURE_SPHERICAL) common_scale(m);
    for (size_t j = 0; j < m->d; j++)
        if (!(m->scale[j] > 0)) m->scale[j] = 1;
    return CAIRN_OK;
}

/* -- reading -- */

/* Whether all z of a column have squares that are numbers; a missing one has none. */
static bool is_plain(const cairn_column *column, double shift, double inverse)
{
    const double largest = 1e100;
    cairn_look look;
    cairn_look_at(&look, column->numbers, column->n_rows);
    return !isnan(look.sum) && fabs((look.low - shift) * inverse) < largest &&
           fabs((look.high - shift) * inverse) < largest;
}

/* Numbers and levels apart; 1 / scale beside the shift. */
static cairn_status part_columns(cairn_context *ctx, cairn_mixture_rows *out,
                                 const cairn_mixture_model *m)
{
    const cairn_view *view = out->view;
    double *inverse;
    size_t d = 0, c = 0;
    CHECK(SCRATCH_EACH(ctx, m->d, &out->columns, &out->number_columns));
    CHECK(SCRATCH(ctx, &out->level_columns, m->n_columns));
    CHECK(SCRATCH(ctx, &out->level_starts, m->n_columns + 1));
    CHECK(SCRATCH(ctx, &inverse, m->d));
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->levels[j]) {
            out->level_columns[c++] = view->features[j];
            out->level_starts[c] = out->level_starts[c - 1] + (size_t)m->levels[j];
            continue;
        }
        out->number_columns[d] = j;
        inverse[d] = 1 / m->scale[d];
        out->plain &= is_plain(view->features[j], m->shift[d], inverse[d]);
        out->columns[d++] = view->features[j]->numbers;
    }
    out->inverse = inverse;
    out->n_level_columns = c;
    return CAIRN_OK;
}

cairn_status cairn_mixture_rows_open(cairn_context *ctx, cairn_mixture_rows *out,
                                     const cairn_view *view, const cairn_mixture_model *m)
{
    double *weights;
    *out = (cairn_mixture_rows){.view = view, .n = view->rows.n, .d = m->d, .shift = m->shift};
    out->plain = true;
    CHECK(part_columns(ctx, out, m));
    CHECK(SCRATCH_RAW(ctx, &weights, out->n));
    cairn_view_weights(view, 0, out->n, weights);
    out->weights = weights;
    return CAIRN_OK;
}

void cairn_mixture_read(const cairn_mixture_rows *rows, size_t row, double *z)
{
    size_t at = cairn_view_row(rows->view, row);
    for (size_t j = 0; j < rows->d; j++)
        z[j] = (rows->columns[j][at] - rows->shift[j]) * rows->inverse[j];
}

int32_t cairn_mixture_level(const cairn_mixture_rows *rows, size_t c, size_t row)
{
    int32_t code = rows->level_columns[c]->codes[cairn_view_row(rows->view, row)];
    size_t n_levels = rows->level_starts[c + 1] - rows->level_starts[c];
    return code >= 0 && (size_t)code < n_levels ? code : -1;
}
