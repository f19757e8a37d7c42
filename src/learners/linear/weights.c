/* SPDX-License-Identifier: MIT */
/* The weights of a linear regression: kept, shown, used. */
#include "learners/linear/weights.h"
#include "learners/linear/coefficients.h"
#include "base/memory.h"
#include "model/explain.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { EQUATION_TERMS = 20, TABLE_ROWS = 2000 };

cairn_status cairn_weights_keep(cairn_context *ctx, cairn_weights *out, const double *weights,
                                size_t n_terms, bool intercept)
{
    out->n_terms = n_terms;
    out->intercept = intercept;
    CHECK(NEW(ctx, &out->weights, n_terms + 1));
    memcpy(out->weights, weights, (n_terms + 1) * sizeof *weights);
    return CAIRN_OK;
}

const cairn_choice cairn_weights_are_choices[] = {
    {"counts", CAIRN_WEIGHTS_COUNTS, "a row of weight 3 is the same as three rows"},
    {"precisions", CAIRN_WEIGHTS_PRECISIONS,
     "a row of weight 3 is one row whose error has a third of the variance"},
    {0},
};

double cairn_weights_observations(const cairn_view *view, int weights_are)
{
    double total = 0, used = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double w = cairn_view_weight(view, i);
        total += w;
        used += w > 0;
    }
    return weights_are == CAIRN_WEIGHTS_PRECISIONS ? used : total;
}

void cairn_weights_show_meaning(cairn_report *out, const cairn_job *job, int weights_are,
                                double observations)
{
    if (cairn_schema_role(job->schema, CAIRN_WEIGHT) < 0) return;
    cairn_report_word(out, "weights of rows are", cairn_weights_are_choices[weights_are].name,
                      "weights.are");
    if (weights_are == CAIRN_WEIGHTS_COUNTS && observations != floor(observations))
        cairn_report_note(out, "The weights are not whole numbers and were taken as counts of "
                               "equal rows; {weights-are precisions} takes them as precisions, "
                               "which gives other standard errors.");
}

void cairn_weights_show_equation(cairn_report *out, const cairn_weights *m, const cairn_job *job,
                                 const char *const *names)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    const char *target = at < 0 ? "target" : job->schema->fields[at].name;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    bool any = m->intercept || m->n_terms == 0;
    cairn_text_addf(&text, "%s = ", target);
    if (any) cairn_text_add_number(&text, m->weights[m->n_terms], 6);
    for (size_t t = 0; t < m->n_terms && t < EQUATION_TERMS; t++)
        cairn_add_term(&text, &any, m->weights[t], names[t], false);
    if (m->n_terms > EQUATION_TERMS) cairn_text_add(&text, " + …");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    cairn_report_hidden_word(out, cairn_text_string(&text), "equation");
    cairn_text_clear(&text);
}

void cairn_weights_show(cairn_report *out, const cairn_weights *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_weights_show_equation(out, m, job, names);
    cairn_report_table_of(out, "Coefficients", TABLE_ROWS, "lr", "term", "coefficient");
    if (m->intercept) {
        cairn_report_cells(out, "- coefficient.intercept:6", "intercept", m->weights[m->n_terms]);
        cairn_report_hidden(out, m->weights[m->n_terms], "intercept");
    }
    for (size_t t = 0; t < m->n_terms; t++) {
        cairn_report_cell(out, names[t]);
        cairn_report_cell_number(out, m->weights[t], 6, "coefficient.%s",
                                 cairn_term_key(out, names[t]));
    }
    cairn_report_table_end(out);
    cairn_scratch_release(ctx, mark);
    cairn_weights_show_raw(out, m, job);
}

void cairn_weights_show_raw(cairn_report *out, const cairn_weights *m, const cairn_job *job)
{
    cairn_coefficients_show_raw(out, job,
                                &(cairn_coefficients){.n_terms = m->n_terms,
                                                      .weights = m->weights,
                                                      .intercept = m->intercept});
}

void cairn_weights_beside(cairn_report *out, const cairn_weights *m, const cairn_job *job,
                          const double *others, const char *title, const char *own,
                          const char *word)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_table_of(out, title, TABLE_ROWS, "lrrr", "term", own, word, "difference");
    for (size_t i = m->intercept ? 0 : 1; i <= m->n_terms; i++) {
        size_t t = i ? i - 1 : m->n_terms;
        cairn_report_cells(out, "- -:6", i ? names[t] : "intercept", m->weights[t]);
        cairn_report_cell_number(out, others[t], 6, "%s.%s", word,
                                 i ? cairn_term_key(out, names[t]) : "intercept");
        cairn_report_cell_number(out, m->weights[t] - others[t], 6, NULL);
    }
    cairn_report_table_end(out);
}

void cairn_note_filled(cairn_report *out, const cairn_job *job)
{
    if (!job->n_filled) return;
    bool one = job->n_filled == 1;
    cairn_report_note(out,
                      "%zu missing cell%s of the training rows %s filled and count%s here as "
                      "observed, so standard errors and p are too small. {missing drop} leaves "
                      "such rows out.",
                      job->n_filled, one ? "" : "s", one ? "was" : "were", one ? "s" : "");
    cairn_report_hidden(out, (double)job->n_filled, "warning.filled");
}

typedef struct prediction_run {
    const cairn_weights *m;
    const cairn_row_matrix *x;
    double *numbers;
} prediction_run;

static void predict_piece(void *data, const cairn_piece *piece, double *sums)
{
    const prediction_run *run = data;
    (void)sums;
    cairn_matrix_scores(run->x, piece, run->m->weights, 1);
    memcpy(run->numbers + piece->first, piece->buffer, piece->n * sizeof *piece->buffer);
}

cairn_status cairn_weights_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    cairn_row_matrix x;
    prediction_run run = {.m = model, .x = &x, .numbers = out->numbers};
    cairn_matrix_options options = {.apart = true, .n_terms = run.m->n_terms, .scores = 1};
    cairn_row_sum sum = {.piece = predict_piece, .unread = true, .data = &run};
    if (!out->numbers) return CAIRN_OK;
    options.buffer = job->view->n_features + 1;
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    return cairn_matrix_sum(ctx, &x, &sum, NULL);
}

cairn_status cairn_term_centres(cairn_context *ctx, const double **out, const cairn_job *job,
                                size_t n_dense, size_t n_terms)
{
    double *centres;
    *out = NULL;
    if (!job->means) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &centres, n_terms + 1));
    memcpy(centres, job->means, (n_dense < n_terms ? n_dense : n_terms) * sizeof *centres);
    *out = centres;
    return CAIRN_OK;
}

void cairn_linear_explain_row(cairn_report *out, const cairn_job *job, size_t row,
                              const double *weights, double constant, size_t n_terms)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_matrix_options options = {.n_terms = n_terms};
    cairn_row_matrix x;
    const char *const *names;
    double *values;
    const double *centres;
    cairn_status status;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(SCRATCH(ctx, &values, n_terms + 1));
    TRY(cairn_matrix_open(ctx, &x, job->view, &options));
    TRY(cairn_term_names(ctx, &names, job->schema));
    cairn_matrix_rows(&x, row, 1, values);
    TRY(cairn_term_centres(ctx, &centres, job, x.n_dense, n_terms));
    cairn_explain_terms(out, job,
                        &(cairn_sum_terms){names, weights, values, centres, n_terms, constant});
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

void cairn_weights_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_weights *m = model;
    cairn_linear_explain_row(out, job, row, m->weights, m->weights[m->n_terms], m->n_terms);
}

cairn_status cairn_weights_archive(cairn_archive *a, void *model)
{
    cairn_weights *m = model;
    CHECK(cairn_archive_size(a, "n_terms", &m->n_terms, UINT32_MAX));
    CHECK(cairn_archive_bool(a, "intercept", &m->intercept));
    return cairn_archive_reals(a, "weights", &m->weights, m->n_terms + 1);
}

cairn_status cairn_weights_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_terms_check(a, job->schema, ((const cairn_weights *)model)->n_terms);
}

cairn_status cairn_weights_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_weights *m = model;
    size_t n_dense, n_terms;
    CHECK(cairn_lower_linear(out, m->intercept ? m->weights[m->n_terms] : 0, m->weights, NULL));
    cairn_terms_count(job->schema, &n_dense, &n_terms);
    out->ops[out->n_ops - 1]->fused = (int32_t)(n_dense < m->n_terms ? n_dense : m->n_terms);
    return CAIRN_OK;
}

void cairn_weights_clear(void *model)
{
    cairn_weights *m = model;
    cairn_free(m->weights);
    *m = (cairn_weights){0};
}

cairn_model_size cairn_weights_size(const void *model)
{
    const cairn_weights *m = model;
    return (cairn_model_size){.parameters = (double)m->n_terms + (m->intercept ? 1 : 0)};
}

void cairn_weights_write(cairn_ledger *out, const cairn_weights *m, const cairn_job *job,
                         const double *errors, double df)
{
    cairn_coefficients_begin(out);
    cairn_coefficients_write(out, job,
                             &(cairn_coefficients){.n_terms = m->n_terms,
                                                   .weights = m->weights,
                                                   .intercept = m->intercept,
                                                   .errors = errors,
                                                   .df = df});
}

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    cairn_weights_write(out, model, job, NULL, 0);
}

const cairn_learned cairn_weights_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                              CAIRN_LEARNED_END};
