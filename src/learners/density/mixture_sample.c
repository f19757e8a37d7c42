/* SPDX-License-Identifier: MIT */
/* Rows drawn from a mixture: a component by its weight, which is not told, then its numbers and
 * levels. Independent normal numbers g become z = m + g'R, which has the covariance R'R. */
#include "base/memory.h"
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
} drawing;

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

static void draw_numbers(const drawing *d, size_t row)
{
    const cairn_mixture_model *m = d->m;
    size_t p = m->d, c = (size_t)d->components[row];
    const double *r = d->factors, *mean = cairn_mixture_means(m) + c * p;
    if (m->form == CAIRN_MIXTURE_FULL && r) r += c * p * p;
    for (size_t j = 0; j < p; j++) d->numbers[j * d->n + row] = cairn_random_normal(d->random);
    for (size_t j = p; j-- > 0;) {
        double *to = d->numbers + j * d->n + row, z = 0;
        for (size_t i = 0; r && i <= j; i++) z += d->numbers[i * d->n + row] * r[i * p + j];
        if (!r) z = *to * sqrt(cairn_mixture_covariance(m, c, j, j));
        *to = m->shift[j] + m->scale[j] * (mean[j] + z);
    }
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
        codes[i] = field->names.n ? (int32_t)cairn_sample_one(d->random, p, n_levels) : -1;
    }
    return cairn_sample_add_levels(ctx, out, field, codes);
}

cairn_status cairn_mixture_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                  const cairn_job *job, cairn_random *random)
{
    const cairn_mixture_model *m = model;
    const double *levels = cairn_mixture_levels(m);
    drawing d = {.m = m, .random = random, .n = out->n_rows};
    size_t at = 0, number = 0;
    CHECK(make_factors(ctx, &d));
    CHECK(SCRATCH_RAW(ctx, &d.components, d.n + 1));
    CHECK(SCRATCH_RAW(ctx, &d.numbers, cairn_product(d.n, m->d) + 1));
    for (size_t i = 0; i < d.n; i++) {
        d.components[i] = (int32_t)cairn_sample_one(random, m->values, m->k);
        draw_numbers(&d, i);
    }
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        size_t n_levels = (size_t)m->levels[j];
        if (n_levels)
            CHECK(draw_levels(ctx, &d, out, field, levels, n_levels));
        else
            CHECK(cairn_table_add_numbers(ctx, out, field->name, d.numbers + d.n * number++));
        levels += n_levels * m->k;
    }
    return CAIRN_OK;
}
