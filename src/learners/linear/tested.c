/* SPDX-License-Identifier: MIT */
/* Weights with their standard errors. */
#include "learners/linear/tested.h"
#include "learners/linear/coefficients.h"

#include "base/memory.h"
#include "base/number.h"
#include "stats/distributions.h"
#include <math.h>

enum { TABLE_ROWS = 2000 };

cairn_status cairn_tested_new(cairn_context *ctx, cairn_tested *out, size_t n_terms)
{
    out->n_terms = n_terms;
    CHECK(NEW(ctx, &out->errors, n_terms + 1));
    for (size_t t = 0; t <= n_terms; t++) out->errors[t] = NAN;
    return CAIRN_OK;
}

cairn_status cairn_raw_covariance(cairn_context *ctx, const cairn_row_matrix *x,
                                  const double *covariance, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = x->width, m = x->n_terms + 1;
    double *half, *column;
    CHECK(SCRATCH(ctx, &half, cairn_product(n, m) + 1));
    CHECK(SCRATCH(ctx, &column, n + 1));
    for (size_t j = 0; j < n; j++) cairn_matrix_raw(x, covariance + j * n, 1, 1, half + j * m);
    for (size_t k = 0; k < m; k++) {
        for (size_t j = 0; j < n; j++) column[j] = half[j * m + k];
        cairn_matrix_raw(x, column, 1, 1, out + k * m);
    }
    return CAIRN_OK;
}

cairn_status cairn_tested_fill(cairn_context *ctx, cairn_tested *out, const cairn_row_matrix *x,
                               const double *covariance)
{
    SCOPED_SCRATCH(ctx);
    size_t m = x->n_terms + 1;
    double *raw;
    CHECK(SCRATCH(ctx, &raw, cairn_product(m, m)));
    CHECK(cairn_raw_covariance(ctx, x, covariance, raw));
    for (size_t k = 0; k < m; k++) {
        double variance = raw[k * (m + 1)];
        out->errors[k] = variance > 0 && isfinite(variance) ? sqrt(variance) : NAN;
    }
    return CAIRN_OK;
}

cairn_status cairn_tested_archive(cairn_archive *a, cairn_tested *tested,
                                  const cairn_weights *model)
{
    tested->n_terms = model->n_terms;
    CHECK(cairn_archive_real(a, "df", &tested->df));
    return cairn_archive_reals(a, "errors", &tested->errors, tested->n_terms + 1);
}

void cairn_tested_clear(cairn_tested *tested)
{
    cairn_free(tested->errors);
    *tested = (cairn_tested){0};
}

static void show_row(cairn_report *out, const cairn_tested *tested, const cairn_weights *m,
                     size_t j, double reach, const char *name, const char *key)
{
    double weight = m->weights[j], error = tested->errors[j], t = weight / error;
    cairn_report_cell(out, name);
    cairn_report_cell_number(out, weight, 6, "coefficient.%s", key);
    cairn_report_cell_number(out, error, 5, "se.%s", key);
    cairn_report_cell_number(out, t, 4, "t.%s", key);
    cairn_report_cell_number(out, isnan(t) ? NAN : 2 * cairn_t_upper(fabs(t), tested->df), 3,
                             "p.%s", key);
    cairn_report_cell_number(out, weight - reach * error, 6, "low.%s", key);
    cairn_report_cell_number(out, weight + reach * error, 6, "high.%s", key);
}

void cairn_tested_show(cairn_report *out, const cairn_tested *tested, const cairn_weights *m,
                       const cairn_job *job, double level)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    char number[CAIRN_NUMBER_SIZE];
    if (!ctx) return;
    if (!tested || !(tested->df > 0)) {
        cairn_weights_show(out, m, job);
        return;
    }
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_weights_show_equation(out, m, job, names);
    double reach = cairn_t_quantile((1 + level) / 2, tested->df);
    cairn_report_table_of(out, "Coefficients", TABLE_ROWS, "lrrrrrr", "term", "coefficient",
                          "std error", "t", "p", "low", "high");
    if (m->intercept) show_row(out, tested, m, m->n_terms, reach, "intercept", "intercept");
    for (size_t t = 0; t < m->n_terms; t++)
        show_row(out, tested, m, t, reach, names[t], cairn_term_key(out, names[t]));
    cairn_report_table_end(out);
    cairn_weights_show_raw(out, m, job);
    cairn_note_filled(out, job);
    cairn_number_format(number, 100 * level, 6);
    cairn_report_paragraph(out,
                           "low and high are the ends of %s %% intervals; standard errors hold for "
                           "many rows.",
                           number);
}

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_tested *history = job->history;
    cairn_weights_write(out, model, job, history ? history->errors : NULL,
                        history ? history->df : 0);
}

const cairn_learned cairn_tested_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                             CAIRN_LEARNED_END};
