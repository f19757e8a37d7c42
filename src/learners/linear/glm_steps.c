/* SPDX-License-Identifier: MIT */
/* Fisher scoring on the board: the formulas, the weights and the deviance at each iteration, and
 * the rows with their means, working weights and residuals at the end. */
#include "learners/linear/glm_steps.h"

#include "base/memory.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_ROWS = 50, SHOWN_TERMS = 50 };

/* The weights in own units as a table, under PREFIX.TERM. */
static cairn_status show_weights(cairn_context *ctx, const cairn_job *job,
                                 const cairn_row_matrix *x, const double *theta, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    cairn_report *out = job->steps;
    const char *const *names;
    double *raw;
    CHECK(SCRATCH(ctx, &raw, x->n_terms + 1));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_matrix_raw(x, theta, 1, 1, raw);
    cairn_report_table_of(out, "Weights", SHOWN_TERMS, "lr", "term", "weight");
    if (x->ones) {
        cairn_report_cell(out, "intercept");
        cairn_report_cell_number(out, raw[x->n_terms], 8, "%s.intercept", prefix);
    }
    for (size_t t = 0; t < x->n_terms; t++) {
        cairn_report_cell(out, names[t]);
        cairn_report_cell_number(out, raw[t], 8, "%s.%s", prefix, cairn_term_key(out, names[t]));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

cairn_status cairn_glm_show_start(cairn_context *ctx, const cairn_job *job,
                                  const cairn_row_matrix *x, const double *theta, double deviance,
                                  const cairn_family *family)
{
    cairn_report *out = job->steps;
    if (!out) return CAIRN_OK;
    cairn_report_step_begin(out, "The model");
    cairn_report_formula(out, "η = offset + b + Σ c·x,  link η = %s,  mean μ = %s",
                         cairn_link_text(family->link), cairn_mean_text(family->link));
    cairn_report_formula(out, "variance of a row: φ V(μ) with V(μ) = %s",
                         cairn_variance_text(family->kind));
    cairn_report_formula(out, "an iteration solves XᵀWX w = XᵀWz with W = (dμ/dη)²/V(μ) and "
                              "z = η + (y − μ)·dη/dμ");
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The start: means near the values of the rows");
    CHECK(show_weights(ctx, job, x, theta, "start"));
    cairn_report_value(out, "deviance", deviance, "start.deviance");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

cairn_status cairn_glm_show_iteration(cairn_context *ctx, const cairn_job *job,
                                      const cairn_row_matrix *x, const double *theta,
                                      double deviance, size_t number)
{
    cairn_report *out = job->steps;
    char prefix[32];
    if (!out) return CAIRN_OK;
    snprintf(prefix, sizeof prefix, "iteration%zu", number);
    cairn_report_step_begin(out, "Iteration %zu", number);
    CHECK(show_weights(ctx, job, x, theta, prefix));
    cairn_report_value(out, "deviance", deviance, "iteration%zu.deviance", number);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The first rows: value, score, mean, working weight, residuals. */
static void show_rows(cairn_report *out, const cairn_family_rows *rows, const double *means,
                      size_t n)
{
    static const char *const heads[] = {
        "y", "η", "μ", "W", "deviance residual", "Pearson residual"};
    const cairn_family *f = &rows->family;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < 6; j++) cairn_report_column(out, heads[j], 'r');
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        double y = rows->values[i], mean = means[i], slope, score = cairn_link_score(f->link, mean);
        double variance = cairn_family_variance(f, mean), d = cairn_family_deviance(f, y, mean);
        (void)cairn_link_mean(f->link, score, &slope);
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, y, 6, "row%zu.y", i + 1);
        cairn_report_cell_number(out, score, 6, "row%zu.link", i + 1);
        cairn_report_cell_number(out, mean, 6, "row%zu.mean", i + 1);
        cairn_report_cell_number(out, rows->weights[i] * slope * slope / variance, 6,
                                 "row%zu.working_weight", i + 1);
        cairn_report_cell_number(out, (y < mean ? -1 : 1) * sqrt(fmax(0, d)), 6,
                                 "row%zu.deviance_residual", i + 1);
        cairn_report_cell_number(out, (y - mean) / sqrt(variance), 6, "row%zu.pearson", i + 1);
    }
    cairn_report_table_end(out);
}

cairn_status cairn_glm_show_end(cairn_context *ctx, const cairn_job *job, const cairn_glm_model *m,
                                const cairn_glm_account *account, const cairn_family_rows *rows,
                                const double *means)
{
    cairn_report *out = job->steps;
    const char *const *names;
    if (!out) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_report_step_begin(out, "The rows at the end");
    cairn_report_formula(out, "deviance residual = sign(y − μ)·√d(y, μ),  Pearson residual = "
                              "(y − μ)/√V(μ)");
    show_rows(out, rows, means, job->view->rows.n);
    cairn_report_worked(out, "deviance", "Σ w·d(y, μ) = #", account->deviance);
    if (isfinite(m->df))
        cairn_report_worked(out, "dispersion φ", "Σ w·(y − μ)²/V(μ) / (n − p) = # / (# − #) = #",
                            account->pearson, account->total, account->rank, m->dispersion);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Standard errors");
    cairn_report_formula(out,
                         "covariance of the weights: φ (XᵀWX)⁻¹;  z = weight / standard error");
    for (size_t t = 0; t < m->weights.n_terms && t < SHOWN_TERMS; t++) {
        cairn_glm_row row = cairn_glm_row_of(m, t, 0.95);
        if (row.error > 0)
            cairn_report_worked(out, names[t], "# / # = #", row.weight, row.error, row.z);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}
