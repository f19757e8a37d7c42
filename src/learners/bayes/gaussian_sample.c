/* SPDX-License-Identifier: MIT */
/* Rows drawn from normal classes: a class by its prior, independent normal numbers g, and z with
 * zM = g, which has the covariance of the class. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include "model/sample.h"
#include "rows/matrix.h"

enum { NOTED_COLUMNS = 12 };

/* A number as the normal one that it is given those before it: its mean in the class, what these
 * add to it, and the deviation that is left. */
static void note_number(cairn_report *note, const char *name, double mean, double more,
                        double deviation, double g)
{
    if (more != 0)
        cairn_report_worked(note, name,
                            "mean + what the columns before say + deviation · g = # + # + #·# = #",
                            mean, more, deviation, g, mean + more + deviation * g);
    else
        cairn_report_worked(note, name, "mean + deviation · g = # + #·# = #", mean, deviation, g,
                            mean + deviation * g);
}

/* One row of class c, in place of n_columns normal numbers. */
static void draw_row(const cairn_gaussian_model *m, size_t c, double *z, cairn_report *note,
                     const char *const *names)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    for (size_t j = 0; j < p; j++) {
        double g = z[j], sum = g, factor = m->diagonal ? f[j] : f[j * p + j];
        for (size_t i = 0; !m->diagonal && i < j; i++) sum -= z[i] * f[i * p + j];
        z[j] = m->constant[j] ? 0 : sum / factor;
        double deviation = m->constant[j] ? 0 : 1 / factor;
        if (note && j < NOTED_COLUMNS)
            note_number(note, names[j], m->means[c * p + j], deviation * (sum - g), deviation, g);
    }
    for (size_t j = 0; j < p; j++) z[j] += m->means[c * p + j];
}

cairn_status cairn_gaussian_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random)
{
    const cairn_gaussian_model *m = model;
    size_t n = out->n_rows, p = m->n_columns;
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    const char *const *names;
    int32_t *classes;
    double *priors, *z, *columns;
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, n));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &priors, m->n_classes + 1));
    CHECK(SCRATCH_RAW(ctx, &z, p + 1));
    CHECK(SCRATCH_RAW(ctx, &columns, cairn_product(n, p) + 1));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_exp(m->log_prior[c]);
    CHECK(cairn_sample_classes(ctx, &classes, out, job, priors, m->n_classes, random, &notes));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++) z[j] = cairn_random_normal(random);
        draw_row(m, (size_t)classes[i], z, cairn_sample_note(&notes, i), names);
        for (size_t j = 0; j < p; j++) columns[j * n + i] = z[j];
    }
    for (size_t j = 0; j < p; j++)
        CHECK(cairn_table_put_numbers(ctx, out, names[j], columns + j * n));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}
