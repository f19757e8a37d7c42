/* SPDX-License-Identifier: MIT */
/* cairn compute pca: principal components of the number columns of a table, step by step. The
 * answer for --out is the table of scores, or with --back the rows as the components see them. */
#include "model/calculator.h"

#include "base/memory.h"
#include "data/view.h"
#include "transforms/pca.h"

#include <stdio.h>
#include <string.h>

typedef struct pca_calculation {
    cairn_pca_params fit;
    bool back;
} pca_calculation;

static const cairn_param pca_table[] = {
    CAIRN_PARAM_GROUP(pca_calculation, fit, cairn_pca_param_table),
    CAIRN_PARAM(pca_calculation, back, "no", NULL,
                "project the scores back: the rows as the kept components see them"),
    CAIRN_PARAM_END,
};

/* Columns that are not turned, then what the turned ones became. */
static cairn_status keep_others(cairn_context *ctx, cairn_table *out, const cairn_table *table,
                                const cairn_pca_state *s)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        bool used = slot->role == CAIRN_FEATURE &&
                    cairn_map_find(&s->names, slot->name, strlen(slot->name)) >= 0;
        if (!used)
            CHECK(cairn_table_add_column(ctx, out, slot->name, slot->role,
                                         cairn_column_hold(slot->column)));
    }
    return CAIRN_OK;
}

static cairn_status add_numbers(cairn_context *ctx, cairn_table *out, const char *name,
                                double **numbers)
{
    cairn_column *column;
    char unique[280];
    snprintf(unique, sizeof unique, "%.255s", name);
    for (int copy = 2; cairn_table_find(out, unique) >= 0; copy++)
        snprintf(unique, sizeof unique, "%.255s_%d", name, copy);
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, out->n_rows));
    *numbers = column->numbers;
    return cairn_table_add_column(ctx, out, unique, CAIRN_FEATURE, column);
}

/* With {back} the scores are only on the way to the rows as the components see them, and are
 * never whitened. */
static cairn_status fill_result(cairn_context *ctx, cairn_table *out, const cairn_pca_state *s,
                                const pca_calculation *p, const double *const *columns)
{
    size_t n = out->n_rows;
    double **scores, **back;
    CHECK(SCRATCH(ctx, &scores, s->c.n));
    CHECK(SCRATCH(ctx, &back, s->c.n_columns));
    for (size_t k = 0; k < s->c.n; k++) {
        char name[32];
        snprintf(name, sizeof name, "pc%zu", k + 1);
        if (p->back)
            CHECK(SCRATCH_RAW(ctx, &scores[k], n));
        else
            CHECK(add_numbers(ctx, out, name, &scores[k]));
    }
    CHECK(cairn_components_scores(ctx, scores, &s->c, p->fit.whiten && !p->back, columns, n));
    for (size_t j = 0; p->back && j < s->c.n_columns; j++)
        CHECK(add_numbers(ctx, out, cairn_map_key(&s->names, j), &back[j]));
    if (p->back) CHECK(cairn_components_back(ctx, back, &s->c, (const double *const *)scores, n));
    return CAIRN_OK;
}

static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_pca_state *s,
                                const pca_calculation *p, const cairn_view *view)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const double **columns;
    CHECK(SCRATCH(ctx, &columns, view->n_features));
    for (size_t j = 0; j < view->n_features; j++) columns[j] = view->features[j]->numbers;
    CHECK(cairn_table_new(ctx, &made, view->table->n_rows));
    CHECK(keep_others(ctx, made, view->table, s));
    CHECK(fill_result(ctx, made, s, p, columns));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* Only the first rows, which the report shows: a long table is not scored for fifty lines. */
static cairn_status first_scores(cairn_context *ctx, cairn_report *out, const cairn_pca_state *s,
                                 const cairn_view *view)
{
    enum { SHOWN = 50 };
    double **scores;
    cairn_view part = *view;
    if (part.rows.n > SHOWN) part.rows.n = SHOWN;
    CHECK(cairn_pca_view_scores(ctx, &scores, s, &part));
    cairn_pca_show_scores(out, s, &part, scores);
    if (view->rows.n > SHOWN)
        cairn_report_paragraph(out, "The first %d of %zu rows; {out FILE.csv} writes all.", SHOWN,
                               view->rows.n);
    return CAIRN_OK;
}

static cairn_status show_all(cairn_context *ctx, cairn_report *out, const cairn_pca_state *s,
                             const cairn_view *view, const cairn_compute_job *job,
                             const double *covariance)
{
    const pca_calculation *p = job->params;
    double **scores = NULL;
    cairn_figure *figure = NULL;
    cairn_pca_show_means(out, s, p->fit.divisor == 1 ? "n" : "n − 1");
    if (job->steps) cairn_pca_show_covariance(out, s, covariance);
    cairn_pca_show_values(out, s);
    cairn_pca_show_vectors(out, s);
    CHECK(first_scores(ctx, out, s, view));
    if (job->steps || p->back) CHECK(cairn_pca_view_scores(ctx, &scores, s, view));
    if (job->steps) cairn_pca_show_spread(out, s, view, scores);
    if (p->back) CHECK(cairn_pca_show_back(ctx, out, s, view, scores));
    CHECK(cairn_pca_scree(ctx, &figure, &s->c));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status pca_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const pca_calculation *p = job->params;
    cairn_view all, view;
    SCOPED(cairn_pca_clear) cairn_pca_state state = {0};
    double *covariance = NULL;
    if (!job->table) return cairn_fail(ctx, CAIRN_USAGE, "'compute pca' needs DATA");
    CHECK(cairn_view_make(ctx, &all, job->table, cairn_all_rows(job->table)));
    CHECK(cairn_pca_view(ctx, &view, &all, p->fit.columns, "pca"));
    CHECK(cairn_pca_fit(ctx, &state, &view, &p->fit, job->steps ? &covariance : NULL));
    cairn_report_heading(out, 1, "Principal components of %s",
                         job->table->source ? job->table->source : "the table");
    CHECK(show_all(ctx, out, &state, &view, job, covariance));
    if (job->result) CHECK(make_result(ctx, job->result, &state, p, &view));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_pca = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "pca",
              .also = "principal component analysis, principal components, eigenvectors, "
                      "eigenvalues, explained variance",
              .about = "first principal component, decorrelate",
              .title = "Principal components",
              .summary =
                  "The directions of largest variance of the number columns of a table: means, "
                  "eigenvalues of the covariance matrix in falling order, unit vectors, scores, "
                  "and with --steps the matrix itself, its characteristic equation (two columns) "
                  "and the spread by range beside the variance. --out FILE.csv writes the scores, "
                  "with --back the rows as the kept components see them.",
              .references = "Jolliffe: Principal Component Analysis, 2002",
              .example = "cairn compute pca @pca --steps",
              .params = pca_table,
              .params_size = sizeof(pca_calculation)},
    .arguments = "DATA",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = pca_run,
};
