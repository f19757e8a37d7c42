/* SPDX-License-Identifier: MIT */
/* Mixtures as tables: weights and means, covariances, probabilities of levels. */
#include "learners/density/mixture.h"
#include "model/learned.h"
#include <math.h>

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
    const cairn_mixture_account *account = job->account;
    size_t at = 0, column = 0;
    cairn_ledger_columns(out, "nnn", "component", "weight", "rows");
    for (size_t j = 0; j < m->d; j++) {
        const cairn_field *field = next_of(m, job, &at, &column, true);
        cairn_ledger_column(out, CAIRN_NUMBER, field ? field->name : "?");
    }
    for (size_t c = 0; c < m->k; c++) {
        cairn_ledger_number(out, (double)c + 1);
        cairn_ledger_number(out, m->values[c]);
        cairn_ledger_number(out, account && account->sizes ? account->sizes[c] : NAN);
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
            for (size_t c = 0; c < m->k; c++) {
                cairn_ledger_number(out, (double)c + 1);
                cairn_ledger_word(out, number_name(m, job, a));
                cairn_ledger_word(out, number_name(m, job, b));
                cairn_ledger_number(out, cairn_mixture_covariance_in_units(m, c, a, b));
            }
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
                cairn_ledger_number(out, (double)c + 1);
                cairn_ledger_word(out, field->name);
                cairn_ledger_word(out, named ? cairn_map_key(&field->names, (size_t)v) : NULL);
                cairn_ledger_number(out, p[c]);
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
