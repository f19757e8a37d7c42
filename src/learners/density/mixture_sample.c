/* SPDX-License-Identifier: MIT */
/* Rows drawn from a mixture: a component by its weight, which is not told, then its numbers and
 * levels. Independent normal numbers g become z = m + g'R, which has the covariance R'R. */
#include "base/memory.h"
#include "base/text.h"
#include "kernels/linalg.h"
#include "learners/density/mixture.h"
#include "model/sample.h"
#include <math.h>
#include <string.h>

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

/* A column with levels, whose probabilities begin with `first`. */
static cairn_status draw_levels(cairn_context *ctx, const drawing *d, cairn_table *out,
                                const cairn_field *field, const double *first, size_t n_levels)
{
    int32_t *codes;
    double *p;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &codes, d->n + 1));
    CHECK(SCRATCH_RAW(ctx, &p, n_levels + 1));
    for (size_t i = 0; i < d->n; i++) {
        for (size_t l = 0; l < n_levels; l++) p[l] = first[l * d->m->k + (size_t)d->components[i]];
        codes[i] = field->names.n
                       ? (int32_t)cairn_sample_noted(cairn_sample_note(&d->notes, i), field->name,
                                                     d->random, p, n_levels, &field->names)
                       : -1;
    }
    return cairn_sample_add_levels(ctx, out, field, codes);
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

cairn_status cairn_mixture_sample(cairn_context *ctx, cairn_table *out, const void *model,
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
        if (n_levels)
            CHECK(draw_levels(ctx, &d, out, field, levels, n_levels));
        else
            CHECK(cairn_table_put_numbers(ctx, out, field->name, d.numbers + d.n * number++));
        levels += n_levels * m->k;
    }
    cairn_sample_notes_show(&d.notes, job->steps);
    return CAIRN_OK;
}
