/* SPDX-License-Identifier: MIT */
/* A mixture of distributions by expectation and maximisation.
 *
 * Problem: the density p(x) = Σ_c w_c p_c(x) that makes the rows likeliest, where p_c is a normal
 * density of the numbers times, for each column with levels, their probabilities.
 *
 * Method (EM):
 * 1. First parameters are drawn, found by k-means, or given.
 * 2. E: the responsibility of component c for row i is r_ic = w_c p_c(x_i) / p(x_i).
 * 3. M: N_c = Σ_i r_ic; w_c = N_c / N; the mean is Σ r x / N_c; the covariance is that about the
 *    new mean, with the divisor N_c, none below the floor; a level's probability is its share.
 *    Then 2 again, until the log-likelihood gains next to nothing.
 * 4. Several starts are made and the likeliest is kept.
 *
 * A missing number is a hidden one: each component expects what its other numbers say (mean and
 * covariance given the rest). A missing level is skipped.
 *
 * With equal spherical variances that shrink to 0 every row belongs to its nearest mean: k-means.
 *
 * Cost: n k d² per iteration (n k d without covariances); no row is kept. Ties of responsibilities
 * go to the first component.
 *
 * Sources: Dempster, Laird and Rubin, Maximum likelihood from incomplete data via the EM algorithm
 * (1977); McLachlan and Peel, Finite Mixture Models (2000); Schwarz, Estimating the dimension of a
 * model (1978). */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/density/mixture.h"
#include "model/learned.h"
#include "model/sample.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/density.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mixture as a program: logarithms of weight times density of the numbers, and of the
 * probabilities of the levels, added up and made responsibilities. */

/* Weights and numbers, in the units of the columns. */
static cairn_status lower_numbers(cairn_program *p, const cairn_mixture_model *m,
                                  const int32_t *features, int32_t *out)
{
    size_t d = m->d, k = m->k, n_matrices = m->form == CAIRN_MIXTURE_TIED ? 1 : k, n = 0;
    double *logs, *means, *covariances;
    int32_t *in;
    cairn_operation *op;
    /* A component without weight has no share in any row. */
    const double none = -1e300;
    CHECK(SCRATCH(p->ctx, &logs, m->k + 1));
    for (size_t c = 0; c < m->k; c++) (logs)[c] = m->values[c] > 0 ? cairn_log(m->values[c]) : none;
    if (d == 0) return cairn_lower_constants(p, logs, k, out);
    CHECK(SCRATCH(p->ctx, &in, d));
    for (size_t j = 0; j < m->n_columns; j++)
        if (!m->levels[j]) in[n++] = features[j];
    CHECK(cairn_program_add(p, CAIRN_OP_GAUSSIANS, in, d, k, &op));
    op->sizes[0] = (int32_t)n_matrices;
    cairn_op_work(p, op, d * d + 2 * d);
    CHECK(cairn_op_copy_numbers(p, op, 0, logs, k));
    CHECK(cairn_op_numbers(p, op, 1, cairn_product(k, d), &means));
    for (size_t i = 0; i < k * d; i++) means[i] = cairn_mixture_mean_in_units(m, i / d, i % d);
    CHECK(cairn_op_numbers(p, op, 2, cairn_product(n_matrices, cairn_product(d, d)), &covariances));
    for (size_t i = 0; i < n_matrices * d * d; i++)
        covariances[i] = cairn_mixture_covariance_in_units(m, i / (d * d), i / d % d, i % d);
    *out = op->out;
    return CAIRN_OK;
}

/* The logarithms of a column's levels, none for a missing one. */
static cairn_status lower_levels(cairn_program *p, const cairn_mixture_model *m, size_t column,
                                 const double *first, int32_t in, int32_t *out)
{
    size_t n = (size_t)m->levels[column], k = m->k;
    double *logs, *none;
    CHECK(SCRATCH(p->ctx, &none, k));
    CHECK(SCRATCH(p->ctx, &logs, cairn_product(n, k)));
    for (size_t i = 0; i < n * k; i++) logs[i] = cairn_log(first[i]);
    return cairn_lower_lookup(p, in, n, k, logs, none, out);
}

/* Levels depend on the component only, so that the log-densities of the parts add up to the
 * scores. */
static cairn_status cairn_mixture_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_mixture_model *m = model;
    const double *levels = cairn_mixture_levels(m);
    size_t n, n_parts = 1, k = m->k;
    int32_t *features, *firsts, *in, *places, sum;
    cairn_operation *op;
    (void)job;
    CHECK(cairn_program_features(out, &features, &n));
    CHECK(SCRATCH(out->ctx, &firsts, m->n_columns + 1));
    CHECK(lower_numbers(out, m, features, firsts));
    for (size_t j = 0; j < m->n_columns; levels += (size_t)m->levels[j++] * k)
        if (m->levels[j]) CHECK(lower_levels(out, m, j, levels, features[j], firsts + n_parts++));
    CHECK(cairn_lower_sum(out, firsts, n_parts, k, &sum));
    CHECK(SCRATCH(out->ctx, &in, k));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    for (size_t c = 0; c < k; c++) places[c] = (int32_t)c;
    out->answer.scores = op->out;
    out->answer.n_scores = k;
    return CAIRN_OK;
}

/* Where the density of one number column has its hills and the valleys between them: where its
 * slope changes its sign, which it does only between the least and the largest mean. */

enum { PLACES = 33 }; /* around each mean, over four deviations to both sides */

static cairn_status make_curve(cairn_context *ctx, cairn_normal_mixture *out,
                               const cairn_mixture_model *m)
{
    *out = (cairn_normal_mixture){.n = m->k};
    CHECK(SCRATCH_EACH(ctx, m->k, &out->weights, &out->means, &out->sds));
    for (size_t c = 0; c < m->k; c++) {
        out->weights[c] = m->values[c];
        out->means[c] = cairn_mixture_mean_in_units(m, c, 0);
        out->sds[c] = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
    }
    return CAIRN_OK;
}

/* The place between `low` and `high` where the slope, which has `sign` at `low`, is 0. */
static double find_turn(const cairn_normal_mixture *curve, double low, double high, double sign)
{
    for (int i = 0; i < 200; i++) {
        double at = low + (high - low) / 2;
        if (at == low || at == high) break;
        *(sign * cairn_mixture_slope(curve, at) > 0 ? &low : &high) = at;
    }
    return low + (high - low) / 2;
}

/* Places that no hill of a component hides between, from the least to the largest mean. */
static cairn_status make_places(cairn_context *ctx, double **out, size_t *n,
                                const cairn_normal_mixture *curve)
{
    double low = INFINITY, high = -INFINITY, *x;
    CHECK(SCRATCH(ctx, out, curve->n * PLACES));
    x = *out;
    for (size_t c = 0; c < curve->n; c++) {
        low = fmin(low, curve->means[c] - curve->sds[c] * 1e-3);
        high = fmax(high, curve->means[c] + curve->sds[c] * 1e-3);
        for (size_t i = 0; i < PLACES; i++)
            *x++ = curve->means[c] + curve->sds[c] * ((double)i / 4 - 4);
    }
    *n = curve->n * PLACES;
    for (size_t i = 0; i < *n; i++) (*out)[i] = fmin(high, fmax(low, (*out)[i]));
    qsort(*out, *n, sizeof **out, cairn_by_number);
    return CAIRN_OK;
}

cairn_status cairn_mixture_turns(cairn_context *ctx, const cairn_mixture_model *m, double **at,
                                 double **heights, size_t *n)
{
    cairn_normal_mixture curve;
    double *x, sign = 0, last = 0;
    size_t n_places;
    *n = 0;
    CHECK(make_curve(ctx, &curve, m));
    CHECK(make_places(ctx, &x, &n_places, &curve));
    CHECK(SCRATCH_EACH(ctx, n_places, at, heights));
    for (size_t i = 0; i < n_places; i++) {
        double slope = cairn_mixture_slope(&curve, x[i]);
        if (slope == 0) continue;
        if (sign * slope < 0) {
            (*at)[*n] = find_turn(&curve, last, x[i], sign);
            (*heights)[*n] = cairn_mixture_density(&curve, (*at)[*n]);
            ++*n;
        }
        sign = slope > 0 ? 1 : -1;
        last = x[i];
    }
    return CAIRN_OK;
}

/* Mixtures as tables: weights and means, covariances, probabilities of levels. */

/* The next feature that is numbers, or levels. */
static const cairn_field *next_of(const cairn_mixture_model *m, const cairn_job *job, size_t *at,
                                  size_t *column, bool numbers)
{
    const cairn_field *field = cairn_schema_next_feature(job->schema, at);
    while (field && *column < m->n_columns && (m->levels[*column] == 0) != numbers) {
        field = cairn_schema_next_feature(job->schema, at);
        ++*column;
    }
    ++*column;
    return field;
}

static void write_means(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    const cairn_mixture_history *history = job->history;
    size_t at = 0, column = 0;
    cairn_ledger_columns(out, "nnn", "component", "weight", "rows");
    for (size_t j = 0; j < m->d; j++) {
        const cairn_field *field = next_of(m, job, &at, &column, true);
        cairn_ledger_column(out, CAIRN_NUMBER, field ? field->name : "?");
    }
    for (size_t c = 0; c < m->k; c++) {
        cairn_ledger_cells(out, (double)c + 1, m->values[c],
                           history && history->sizes ? history->sizes[c] : NAN);
        for (size_t j = 0; j < m->d; j++)
            cairn_ledger_number(out, cairn_mixture_mean_in_units(m, c, j));
    }
}

static const char *number_name(const cairn_mixture_model *m, const cairn_job *job, size_t j)
{
    size_t at = 0, column = 0;
    const cairn_field *field = NULL;
    for (size_t k = 0; k <= j; k++) field = next_of(m, job, &at, &column, true);
    return field ? field->name : "?";
}

static bool has_numbers(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_mixture_model *)model)->d > 0;
}

static void write_covariances(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    cairn_ledger_columns(out, "nlln", "component", "column", "with", "covariance");
    for (size_t a = 0; a < m->d && !out->status; a++)
        for (size_t b = 0; b < m->d; b++) {
            if (a != b && !cairn_mixture_is_matrix(m)) continue;
            for (size_t c = 0; c < m->k; c++)
                cairn_ledger_cells(out, (double)c + 1, number_name(m, job, a),
                                   number_name(m, job, b),
                                   cairn_mixture_covariance_in_units(m, c, a, b));
        }
}

static bool has_levels(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_mixture_model *)model)->n_levels > 0;
}

static void write_levels(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    const double *p = cairn_mixture_levels(m);
    size_t at = 0, column = 0;
    cairn_ledger_columns(out, "nlln", "component", "column", "level", "probability");
    for (const cairn_field *field; (field = next_of(m, job, &at, &column, false));)
        for (int32_t v = 0; column <= m->n_columns && v < m->levels[column - 1]; v++, p += m->k)
            for (size_t c = 0; c < m->k; c++) {
                bool named = (size_t)v < field->names.n;
                cairn_ledger_cells(out, (double)c + 1, field->name,
                                   named ? cairn_map_key(&field->names, (size_t)v) : NULL, p[c]);
            }
}

const cairn_learned cairn_mixture_tables[] = {
    CAIRN_LEARNED("centres", "component: its weight, and its mean as the learner saw the columns",
                  write_means),
    CAIRN_LEARNED("covariances", "pair of columns in a component", write_covariances,
                  .has = has_numbers),
    CAIRN_LEARNED("probabilities", "level of a column in a component", write_levels,
                  .has = has_levels),
    CAIRN_LEARNED_END};

/* Rows drawn from a mixture: a component by its weight, which is not told, then its numbers and
 * levels. Independent normal numbers g become z = m + g'R, which has the covariance R'R. */

typedef struct drawing {
    const cairn_mixture_model *m;
    cairn_random *random;
    double *factors;     /* matrices: k x d x d, or d x d of all */
    int32_t *components; /* of the rows */
    double *numbers;     /* d x n */
    size_t n;
    const char **names; /* d: of the numbers */
    cairn_sample_notes notes;
} drawing;

enum { NOTED_COLUMNS = 6 };

/* R of every covariance matrix. */
static cairn_status make_factors(cairn_context *ctx, drawing *d)
{
    const cairn_mixture_model *m = d->m;
    size_t size = cairn_product(m->d, m->d), n = m->form == CAIRN_MIXTURE_FULL ? m->k : 1, pivot;
    double condition;
    if (!cairn_mixture_is_matrix(m) || m->d == 0) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &d->factors, cairn_product(n, size)));
    memcpy(d->factors, cairn_mixture_spreads(m), n * size * sizeof *d->factors);
    for (size_t c = 0; c < n; c++) {
        CHECK(cairn_cholesky(ctx, d->factors + c * size, m->d, &condition, &pivot));
        if (pivot < m->d)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariances of component %zu are not those of any numbers",
                              c + 1);
    }
    return CAIRN_OK;
}

/* "x = 2 + 0.5·0.3 + 1.2·(-0.7) = 1.31": the mean, and of each normal number so far its part, as
 * long as these stand in the row. */
static cairn_status note_number(cairn_context *ctx, const drawing *d, size_t row, size_t j,
                                const double *r)
{
    const cairn_mixture_model *m = d->m;
    size_t p = m->d, c = (size_t)d->components[row], n = 1;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double numbers[2 + 2 * NOTED_COLUMNS], x = cairn_mixture_mean_in_units(m, c, j);
    numbers[0] = x;
    cairn_text_add(&text, "#");
    for (size_t i = r ? 0 : j; i <= j; i++) {
        double by = r ? r[i * p + j] : sqrt(cairn_mixture_covariance(m, c, j, j));
        numbers[n++] = m->scale[j] * by;
        numbers[n++] = d->numbers[i * d->n + row];
        x += numbers[n - 2] * numbers[n - 1];
        cairn_text_add(&text, " + #·#");
    }
    cairn_text_add(&text, " = #");
    numbers[n++] = x;
    cairn_report_worked_numbers(cairn_sample_note(&d->notes, row), d->names[j],
                                cairn_text_string(&text), numbers, n);
    return cairn_text_status(&text);
}

static cairn_status draw_numbers(cairn_context *ctx, const drawing *d, size_t row)
{
    const cairn_mixture_model *m = d->m;
    size_t p = m->d, c = (size_t)d->components[row];
    const double *r = d->factors, *mean = cairn_mixture_means(m) + c * p;
    if (m->form == CAIRN_MIXTURE_FULL && r) r += c * p * p;
    for (size_t j = 0; j < p; j++) d->numbers[j * d->n + row] = cairn_random_normal(d->random);
    for (size_t j = 0; cairn_sample_note(&d->notes, row) && j < p && j < NOTED_COLUMNS; j++)
        CHECK(note_number(ctx, d, row, j, r));
    for (size_t j = p; j-- > 0;) {
        double *to = d->numbers + j * d->n + row, z = 0;
        for (size_t i = 0; r && i <= j; i++) z += d->numbers[i * d->n + row] * r[i * p + j];
        if (!r) z = *to * sqrt(cairn_mixture_covariance(m, c, j, j));
        *to = m->shift[j] + m->scale[j] * (mean[j] + z);
    }
    return CAIRN_OK;
}

static cairn_status name_numbers(cairn_context *ctx, drawing *d, const cairn_schema *schema)
{
    size_t at = 0, n = 0;
    CHECK(SCRATCH(ctx, &d->names, d->m->d + 1));
    for (size_t j = 0; j < d->m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        if (d->m->levels[j] == 0) d->names[n++] = field->name;
    }
    return CAIRN_OK;
}

static void clear_drawing(drawing *d)
{
    cairn_sample_notes_clear(&d->notes);
}

/* Rows as the mixture makes them. */
static cairn_status cairn_mixture_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                         const cairn_job *job, cairn_random *random)
{
    const cairn_mixture_model *m = model;
    const double *levels = cairn_mixture_levels(m);
    SCOPED(clear_drawing) drawing d = {.m = m, .random = random, .n = out->n_rows};
    size_t at = 0, number = 0;
    CHECK(cairn_sample_notes_open(ctx, &d.notes, job->steps, d.n));
    CHECK(name_numbers(ctx, &d, job->schema));
    CHECK(make_factors(ctx, &d));
    CHECK(SCRATCH_RAW(ctx, &d.components, d.n + 1));
    CHECK(SCRATCH_RAW(ctx, &d.numbers, cairn_product(d.n, m->d) + 1));
    for (size_t i = 0; i < d.n; i++) {
        d.components[i] = (int32_t)cairn_sample_noted(cairn_sample_note(&d.notes, i), "component",
                                                      random, m->values, m->k, NULL);
        CHECK(draw_numbers(ctx, &d, i));
    }
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        size_t n_levels = (size_t)m->levels[j];
        if (n_levels) {
            /* A column with levels, whose probabilities begin with `levels`. */
            int32_t *codes;
            double *p;
            SCOPED_SCRATCH(ctx);
            CHECK(SCRATCH_RAW(ctx, &codes, d.n + 1));
            CHECK(SCRATCH_RAW(ctx, &p, n_levels + 1));
            for (size_t i = 0; i < d.n; i++) {
                for (size_t l = 0; l < n_levels; l++)
                    p[l] = levels[l * d.m->k + (size_t)d.components[i]];
                codes[i] =
                    field->names.n
                        ? (int32_t)cairn_sample_noted(cairn_sample_note(&d.notes, i), field->name,
                                                      d.random, p, n_levels, &field->names)
                        : -1;
            }
            CHECK(cairn_sample_add_levels(ctx, out, field, codes));
        } else
            CHECK(cairn_table_put_numbers(ctx, out, field->name, d.numbers + d.n * number++));
        levels += n_levels * m->k;
    }
    cairn_sample_notes_show(&d.notes, job->steps);
    return CAIRN_OK;
}

/* The rows of a mixture: which columns are numbers and which are levels, and in what units. */

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

/* The M step: weights, means, variances about the new means with the divisor N, and shares of
 * levels, all from the sums of the E step.
 *
 * A floor keeps a component from shrinking to a point, where its density has no bound: no direction
 * has less than so much of the variance of all rows, and no level less than so much probability.
 * Raising what lies below to the floor is the best answer that keeps it, so that the log-likelihood
 * still never falls. */

/* Less than this share of the rows is nothing to learn from. */
static const double least_share = 1e-12;

double cairn_mixture_covariance(const cairn_mixture_model *m, size_t c, size_t a, size_t b)
{
    const double *spreads = cairn_mixture_spreads(m);
    if (m->form == CAIRN_MIXTURE_SPHERICAL) return a == b ? spreads[c] : 0;
    if (m->form == CAIRN_MIXTURE_DIAGONAL) return a == b ? spreads[c * m->d + a] : 0;
    return spreads[(m->form == CAIRN_MIXTURE_FULL ? c * m->d * m->d : 0) + a * m->d + b];
}

double cairn_mixture_covariance_in_units(const cairn_mixture_model *m, size_t c, size_t a, size_t b)
{
    return cairn_mixture_covariance(m, c, a, b) * m->scale[a] * m->scale[b];
}

double cairn_mixture_mean_in_units(const cairn_mixture_model *m, size_t c, size_t j)
{
    return m->shift[j] + m->scale[j] * cairn_mixture_means(m)[c * m->d + j];
}

double cairn_mixture_free(const cairn_mixture_model *m)
{
    double k = (double)m->k, d = (double)m->d, levels = (double)m->n_levels, free = k - 1 + k * d;
    for (size_t j = 0; j < m->n_columns; j++) levels -= m->levels[j] > 0;
    if (cairn_mixture_is_matrix(m))
        free += (m->form == CAIRN_MIXTURE_FULL ? k : 1) * d * (d + 1) / 2;
    else
        free += (double)cairn_mixture_spread_size(m) * (d > 0);
    return free + k * levels;
}

/* -- covariances -- */

/* Eigenvalues below the floor are raised to it. */
static cairn_status raise_values(cairn_context *ctx, double *a, size_t d, double floor)
{
    double *copy, *values, *vectors;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, d * d, &copy, &vectors));
    CHECK(SCRATCH_RAW(ctx, &values, d));
    memcpy(copy, a, d * d * sizeof *a);
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, copy, d));
    memset(a, 0, d * d * sizeof *a);
    for (size_t v = 0; v < d; v++)
        for (size_t i = 0; i < d; i++)
            cairn_axpy(a + i * d, fmax(values[v], floor) * vectors[v * d + i], vectors + v * d, d);
    return CAIRN_OK;
}

/* Whether some direction has less variance than the floor; the estimate of the condition is good
 * enough to tell most that have not. */
static cairn_status is_low(cairn_context *ctx, const double *a, size_t d, double floor, bool *low)
{
    double *copy, *values, condition, norm = 0;
    size_t pivot;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &copy, d * d));
    CHECK(SCRATCH_RAW(ctx, &values, d));
    memcpy(copy, a, d * d * sizeof *a);
    for (size_t i = 0; i < d; i++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++) sum += fabs(a[i * d + j]);
        norm = fmax(norm, sum);
    }
    *low = false;
    CHECK(cairn_cholesky(ctx, copy, d, &condition, &pivot));
    if (pivot == d && condition * norm > 10 * floor) return CAIRN_OK;
    memcpy(copy, a, d * d * sizeof *a);
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, d));
    *low = values[d - 1] < floor;
    return CAIRN_OK;
}

static cairn_status keep_above(cairn_context *ctx, cairn_mixture_run *run, double *a)
{
    bool low;
    size_t d = run->m->d;
    CHECK(is_low(ctx, a, d, run->params->floor, &low));
    if (!low) return CAIRN_OK;
    run->floored++;
    return raise_values(ctx, a, d, run->params->floor);
}

/* a (d x d) += Σ r z z' − N m m' of component c, whose new mean is set. */
static void add_scatter(const cairn_mixture_run *run, size_t c, double *a)
{
    size_t d = run->m->d;
    const double *mean = cairn_mixture_means(run->m) + c * d;
    double n = cairn_mixture_share(run, c);
    for (size_t i = 0; i < d; i++)
        for (size_t j = i; j < d; j++) {
            double value = cairn_mixture_product(run, c, i, j) - n * mean[i] * mean[j];
            a[i * d + j] += value;
            if (j > i) a[j * d + i] += value;
        }
}

static void divide(double *a, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) a[i] /= by;
}

/* Covariance matrices of all components, or the one of all. */
static cairn_status step_matrices(cairn_context *ctx, cairn_mixture_run *run, const bool *empty)
{
    cairn_mixture_model *m = run->m;
    size_t size = m->d * m->d;
    bool tied = m->form == CAIRN_MIXTURE_TIED;
    double *spreads = cairn_mixture_spreads(m), total = 0;
    if (tied) memset(spreads, 0, size * sizeof *spreads);
    for (size_t c = 0; c < m->k; c++) {
        double n = cairn_mixture_share(run, c), *a = tied ? spreads : spreads + c * size;
        if (empty[c]) continue;
        if (!tied) memset(a, 0, size * sizeof *a);
        add_scatter(run, c, a);
        total += n;
        if (tied) continue;
        divide(a, size, n);
        CHECK(keep_above(ctx, run, a));
    }
    if (!tied) return CAIRN_OK;
    divide(spreads, size, total);
    return keep_above(ctx, run, spreads);
}

/* Variances without covariances; spherical ones are the mean of those of the columns. */
static void step_variances(cairn_mixture_run *run, const bool *empty)
{
    cairn_mixture_model *m = run->m;
    size_t d = m->d, k = m->k;
    double floor = run->params->floor, *spreads = cairn_mixture_spreads(m);
    for (size_t c = 0; c < k; c++) {
        double n = cairn_mixture_share(run, c), sum = 0, low = 0;
        const double *mean = cairn_mixture_means(m) + c * d;
        if (empty[c]) continue;
        for (size_t j = 0; j < d; j++) {
            double v = cairn_mixture_product(run, c, j, j) / n - mean[j] * mean[j];
            sum += v / (double)d;
            if (m->form == CAIRN_MIXTURE_SPHERICAL) continue;
            low += v < floor;
            spreads[c * d + j] = fmax(v, floor);
        }
        if (m->form == CAIRN_MIXTURE_SPHERICAL) {
            spreads[c] = d > 0 ? fmax(sum, floor) : 1;
            low = d > 0 && sum < floor;
        }
        run->floored += low > 0;
    }
}

/* -- levels -- */

/* Probabilities in proportion to the counts (`stride` apart), none below the least: those that
 * would be get it, and the others share the rest. */
static void share_levels(double *p, const double *counts, size_t n, size_t stride, double least)
{
    double total = 0, rest = 1;
    bool changed = true;
    for (size_t l = 0; l < n; l++) total += counts[l * stride];
    if (!(total > 0)) return;
    for (size_t l = 0; l < n; l++) p[l * stride] = 1;
    while (changed) {
        changed = false;
        double factor = rest / total;
        for (size_t l = 0; l < n; l++) {
            double *at = p + l * stride;
            if (*at < 1 || counts[l * stride] * factor >= least) continue;
            *at = 0;
            rest -= least;
            total -= counts[l * stride];
            changed = true;
        }
    }
    for (size_t l = 0; l < n; l++)
        p[l * stride] = p[l * stride] > 0 ? counts[l * stride] * (rest / total) : least;
}

/* A component without rows keeps what it has, but for its weight. */
cairn_status cairn_mixture_step(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    size_t d = m->d, k = m->k;
    bool matrix = cairn_mixture_is_matrix(m), *empty;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &empty, k));
    run->floored = 0;
    for (size_t c = 0; c < k; c++) {
        double n = cairn_mixture_share(run, c), *mean = cairn_mixture_means(m) + c * d;
        m->values[c] = n / run->weight;
        empty[c] = !(m->values[c] > least_share);
        for (size_t j = 0; !empty[c] && j < d; j++) mean[j] = cairn_mixture_sum(run, c, j) / n;
    }
    const cairn_mixture_rows *rows = run->rows;
    const double *counts = run->sums + 1 + run->n_moments;
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        size_t first = rows->level_starts[j] * m->k;
        size_t n = rows->level_starts[j + 1] - rows->level_starts[j];
        double least = fmin(run->params->floor, 0.5 / (double)n);
        for (size_t c = 0; c < m->k; c++)
            share_levels(cairn_mixture_levels(m) + first + c, counts + first + c, n, m->k, least);
    }
    if (!matrix) {
        step_variances(run, empty);
        return CAIRN_OK;
    }
    return d > 0 ? step_matrices(ctx, run, empty) : CAIRN_OK;
}

static const cairn_choice forms[] = {
    {"full", CAIRN_MIXTURE_FULL, "a covariance matrix for each component"},
    {"tied", CAIRN_MIXTURE_TIED, "one covariance matrix for all"},
    {"diagonal", CAIRN_MIXTURE_DIAGONAL, "a variance for each component and column"},
    {"spherical", CAIRN_MIXTURE_SPHERICAL, "one variance for each component"},
    {0},
};

static const cairn_choice inits[] = {
    {"kmeans", CAIRN_MIXTURE_KMEANS, "the clusters of k-means"},
    {"random", CAIRN_MIXTURE_RANDOM, "means at drawn rows, with the variances of all rows"},
    {0},
};

static const cairn_choice criteria[] = {
    {"bic", CAIRN_MIXTURE_BIC, "the least BIC"},
    {"held-out", CAIRN_MIXTURE_HELD_OUT, "the largest density of rows left out, in 5 folds"},
    {0},
};

static const cairn_choice protocols[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all rows, then the parameters"},
    {"random", CAIRN_PROTOCOL_RANDOM,
     "the parameters after every row, drawn with repeats, as many per iteration as there are"},
    {"online", CAIRN_PROTOCOL_ONLINE,
     "after every row, each once, in order, which counts less the more came before"},
    {0},
};

static const cairn_choice stops[] = {
    {"likelihood", CAIRN_MIXTURE_LIKELIHOOD, "the gain of the log-likelihood"},
    {"parameters", CAIRN_MIXTURE_PARAMETERS, "the largest change of a parameter"},
    {0},
};

static const cairn_param mixture_params[] = {
    CAIRN_PARAM(cairn_mixture_params, components, "2", NULL,
                "number of components, or a range such as 1:8 from which {choose} chooses",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, covariance, "full", forms,
                       "what the components' covariances are like", .often = true),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, init, "kmeans", inits,
                       "where EM starts; with {protocol online} at drawn rows",
                       .when = "!given,!start_means,!protocol=online", .often = true),
    CAIRN_PARAM(cairn_mixture_params, start_means, NULL, NULL,
                "first means, components separated by ; and columns by commas", .when = "!given"),
    CAIRN_PARAM(cairn_mixture_params, start_variances, NULL, NULL,
                "first variances, one for each component or for each of its columns; by default "
                "those of all rows",
                .when = "start_means"),
    CAIRN_PARAM_AS(cairn_mixture_params, start_weights, CAIRN_TYPE_LIST, NULL,
                   "first weights, which add up to 1; by default equal ones",
                   .when = "start_means"),
    CAIRN_PARAM_AS(cairn_mixture_params, given, CAIRN_TYPE_LIST, NULL,
                   "component numbers of all rows: start from these hidden values"),
    CAIRN_PARAM(cairn_mixture_params, starts, "5", "[1,10000]", "starts, the likeliest is kept",
                .when = "!given,!start_means,!protocol=online", .often = true),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, protocol, "batch", protocols, "which rows are taken"),
    CAIRN_PARAM(cairn_mixture_params, max_iter, "200", "[0,inf)", "most iterations of a start",
                .when = "!protocol=online", .often = true),
    CAIRN_PARAM(cairn_mixture_params, tolerance, "1e-8", "[0,1)",
                "stop when an iteration gains no more than this part of the log-likelihood, or by "
                "{stop} changes no parameter by more, in deviations of all rows",
                .when = "!protocol=online"),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, stop, "likelihood", stops, "what {tolerance} is for",
                       .when = "!protocol=online"),
    CAIRN_PARAM(
        cairn_mixture_params, floor, "1e-6", "[1e-10,1)",
        "least variance of a component in any direction, as a part of that of all rows, and "
        "least probability of a level: keeps a component from collapsing on one row"),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, choose, "bic", criteria,
                       "what chooses from a range of {components}"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_mixture_params *params = values;
    size_t least, most;
    return cairn_mixture_range(ctx, params->components, &least, &most);
}

static cairn_status mixture_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    cairn_mixture_answer answer = {.scores = out->scores, .codes = out->codes};
    cairn_mixture_rows rows;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_mixture_rows_open(ctx, &rows, job->view, m));
    if (out->extra) CHECK(SCRATCH_RAW(ctx, &answer.logs, rows.n));
    CHECK(cairn_mixture_answers(ctx, &answer, m, &rows));
    out->codes_set = true;
    out->n_classes = m->k;
    if (!out->extra) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "log_density", answer.logs);
}

/* -- keeping -- */

static cairn_status check_model(cairn_archive *a, const void *model, const void *around)
{
    const cairn_mixture_model *m = model;
    (void)around;
    size_t d = 0, n_levels = 0;
    if (m->k == 0 || m->form < 0 || m->form > CAIRN_MIXTURE_FULL)
        return cairn_archive_damaged(a, "there are no components, or of no known form");
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->levels[j] < 0)
            return cairn_archive_damaged(a, "a column has %d levels", m->levels[j]);
        d += m->levels[j] == 0;
        n_levels += (size_t)m->levels[j];
    }
    if (d != m->d || n_levels != m->n_levels)
        return cairn_archive_damaged(a, "the columns are not those of the mixture");
    return CAIRN_OK;
}

/* Numbers that a mixture can have. */
static cairn_status archive_values(cairn_archive *a, void *model, const void *around)
{
    cairn_mixture_model *m = model;
    (void)around;
    CHECK(cairn_archive_reals(a, "values", &m->values, cairn_mixture_size(m)));
    const double *levels = cairn_mixture_levels(m);
    bool good = true;
    for (size_t i = 0; i < cairn_mixture_size(m); i++) good &= isfinite(m->values[i]);
    for (size_t c = 0; c < m->k; c++) good &= m->values[c] >= 0;
    for (size_t j = 0; j < m->d; j++)
        good &= isfinite(m->shift[j]) && isfinite(m->scale[j]) && m->scale[j] > 0;
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < m->d; j++) good &= cairn_mixture_covariance(m, c, j, j) > 0;
    for (size_t i = 0; i < m->n_levels * m->k; i++) good &= levels[i] > 0;
    return good ? CAIRN_OK : cairn_archive_damaged(a, "these are no numbers of a mixture");
}

static void clear_values(void *model)
{
    cairn_free(((cairn_mixture_model *)model)->values);
}

static const cairn_kept mixture_keeps[] = {
    KEEP_SIZE(cairn_mixture_model, k, CAIRN_MIXTURE_MOST, .name = "components"),
    KEEP_SIZE(cairn_mixture_model, n_columns, UINT32_MAX),
    KEEP_SIZE(cairn_mixture_model, d, UINT32_MAX, .name = "n_numbers"),
    KEEP_SIZE(cairn_mixture_model, n_levels, UINT32_MAX),
    KEEP(cairn_mixture_model, form),
    KEEP_ARRAYS(cairn_mixture_model, "n_columns", levels),
    KEEP_CHECK(check_model),
    KEEP_ARRAYS(cairn_mixture_model, "d", shift, scale),
    KEEP_BY(archive_values, .clear = clear_values),
    KEEP_END,
};

/* How the mixture came about, for the report of a model that was kept. */
const cairn_kept cairn_mixture_history_keeps[] = {
    KEEP(cairn_mixture_history, log_likelihood, weight, iterations, converged, floored),
    KEEP_ARRAYS(cairn_mixture_history, "k", sizes, hard),
    KEEP_SIZE(cairn_mixture_history, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_mixture_history, "n_starts", start_ends),
    KEEP(cairn_mixture_history, best_start),
    KEEP_SIZE(cairn_mixture_history, n_values, CAIRN_MIXTURE_HISTORY, .name = "n_history"),
    KEEP_ARRAY(cairn_mixture_history, values, "n_values", .name = "history"),
    KEEP_SIZE(cairn_mixture_history, n_choices, CAIRN_MIXTURE_MOST),
    KEEP_ARRAYS(cairn_mixture_history, "4*n_choices", choices),
    KEEP_SIZE(cairn_mixture_history, n_kept, CAIRN_MIXTURE_KEPT),
    KEEP_ARRAYS(cairn_mixture_history, "n_kept*k+n_kept", kept),
    KEEP_SIZE(cairn_mixture_history, n_constant, UINT32_MAX),
    KEEP_SIZE(cairn_mixture_history, n_least, CAIRN_MIXTURE_LEAST),
    KEEP_ARRAYS(cairn_mixture_history, "2*n_least", least),
    KEEP_END,
};

static const cairn_history mixture_history = {
    .size = sizeof(cairn_mixture_history),
    .keeps = cairn_mixture_history_keeps,
};

/* Whether columns that hold levels in the file do so in the model. */
static cairn_status mixture_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    size_t at = 0;
    CHECK(cairn_check_columns(a, job, m->n_columns));
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if ((field->kind == CAIRN_LEVEL) != (m->levels[j] > 0))
            return cairn_archive_damaged(a, "column '%s' is of another kind", field->name);
    }
    return CAIRN_OK;
}

static cairn_model_size mixture_size(const void *model)
{
    return (cairn_model_size){.parameters = cairn_mixture_free(model)};
}

static size_t mixture_clusters(const void *model)
{
    return ((const cairn_mixture_model *)model)->k;
}

static const cairn_output mixture_outputs[] = {
    {"log_density", "logarithm of the mixture's density: low for a row that fits no component"},
    {0},
};

const cairn_learner cairn_mixture = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "mixture",
            .also = "Gaussian mixture, GMM, EM, expectation-maximisation, latent class, soft "
                    "clustering, GaussianMixture, Mclust",
            .about = "BayesianGaussianMixture, latent variable, hidden variables",
            .title = "Mixture of Gaussian and categorical components",
            .summary =
                "Describes the rows as drawn from several components, each a normal distribution "
                "of the numbers and shares of levels, whose parameters are found by expectation "
                "and maximisation: in turn every component gets its responsibility for every row, "
                "and then the weight, means, variances and shares of the rows it is responsible "
                "for. Scores are responsibilities; log_density tells outliers. Missing numbers are "
                "taken as the component expects them, given the others; missing levels are "
                "skipped. Of a range of components one is chosen by BIC or by held-out rows.",
            .references = "Dempster, Laird and Rubin: Maximum Likelihood from Incomplete Data via "
                          "the EM Algorithm, Journal of the Royal Statistical Society B 39 (1977); "
                          "McLachlan and Peel: Finite Mixture Models (2000)",
            .example = "cairn fit mixture @mixture --components 2 --steps",
            .params = mixture_params,
            .params_size = sizeof(cairn_mixture_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "components=1:6\n"
             "covariance=diagonal,full",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .aims = "log-likelihood of the rows",
    .model_size = sizeof(cairn_mixture_model),
    .tables = cairn_mixture_tables,
    .gives_scores = true,
    .sets_codes = true,
    .clusters = mixture_clusters,
    .outputs = mixture_outputs,
    .fit = cairn_mixture_fit,
    .predict = mixture_predict,
    .describe = cairn_mixture_describe,
    .explain = cairn_mixture_explain,
    .history = &mixture_history,
    .figures = cairn_mixture_figures,
    .sample = cairn_mixture_sample,
    .lower = cairn_mixture_lower,
    .keeps = mixture_keeps,
    .check = mixture_check,
    .size = mixture_size,
};
