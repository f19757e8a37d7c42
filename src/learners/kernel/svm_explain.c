/* SPDX-License-Identifier: MIT */
/* Why a support vector machine answers as it does: the terms of its score, of the columns where the
 * kernel is linear, else of the support vectors; of several machines their scores and votes. */
#include "base/memory.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"
#include "learners/linear/weights.h"

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "the rest" : cairn_schema_class(job->schema, code);
}

/* The training rows that the support vectors of the only machine are, from 0, where the account
 * knows them; else NULL. */
static cairn_status vector_rows(cairn_context *ctx, uint32_t **out, const cairn_svm_model *m,
                                const cairn_job *job)
{
    const cairn_svm_account *account = job->account;
    size_t n = 0;
    *out = NULL;
    if (!account || account->n_machines != 1 || !account->machines[0].rows) return CAIRN_OK;
    const cairn_svm_machine *one = &account->machines[0];
    uint32_t *rows;
    CHECK(SCRATCH(ctx, &rows, m->vectors.n + 1));
    for (size_t i = 0; i < one->n; i++) {
        size_t at = n;
        if (one->betas[i] == 0) continue;
        if (n++ == m->vectors.n) return CAIRN_OK; /* an account of another model */
        for (; at > 0 && rows[at - 1] > (uint32_t)one->rows[i]; at--) rows[at] = rows[at - 1];
        rows[at] = (uint32_t)one->rows[i];
    }
    if (n == m->vectors.n) *out = rows;
    return CAIRN_OK;
}

/* The only machine: what its score says, and the terms that it is the sum of. */
static cairn_status explain_one(cairn_context *ctx, cairn_report *out, const cairn_svm_model *m,
                                const cairn_job *job, size_t row)
{
    double *weights;
    uint32_t *rows;
    if (m->task == CAIRN_CLASSIFY)
        cairn_report_paragraph(out, "A score of 0 or more is class %s, one below is %s.",
                               class_name(job, m->plus[0]), class_name(job, m->minus[0]));
    if (!m->weights) {
        CHECK(vector_rows(ctx, &rows, m, job));
        cairn_kernel_explain_score(out, &m->kernel, &m->vectors, m->betas, m->constants[0], rows,
                                   job, row);
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &weights, m->n_terms + 1));
    for (size_t t = 0; t < m->n_terms; t++) weights[t] = m->weights[t];
    cairn_linear_explain_row(out, job, row, weights, m->constants[0], m->n_terms);
    return CAIRN_OK;
}

/* Scores of all machines, and whom each of them votes for. */
static cairn_status explain_votes(cairn_context *ctx, cairn_report *out, const cairn_svm_model *m,
                                  const cairn_job *job, size_t row)
{
    uint32_t at = (uint32_t)cairn_view_row(job->view, row);
    cairn_view one = *job->view;
    double *scores, *votes;
    bool pairs = m->minus[0] >= 0;
    one.rows = (cairn_rows){.indices = &at, .n = 1};
    CHECK(SCRATCH(ctx, &scores, m->n_machines));
    CHECK(SCRATCH(ctx, &votes, m->n_classes));
    CHECK(cairn_svm_scores(ctx, m, &one, scores));
    cairn_report_table_of(out, "Machines", 0, "llrl", "class", "against", "score",
                          pairs ? "vote" : "");
    for (size_t k = 0; k < m->n_machines; k++) {
        int32_t choice = scores[k] >= 0 ? m->plus[k] : m->minus[k];
        cairn_report_cell(out, class_name(job, m->plus[k]));
        cairn_report_cell(out, class_name(job, m->minus[k]));
        cairn_report_cell_number(out, scores[k], 0, "machine%zu.score", k + 1);
        cairn_report_cell(out, class_name(job, choice));
        if (choice >= 0) votes[choice]++;
    }
    cairn_report_table_end(out);
    if (!pairs) return CAIRN_OK;
    cairn_report_table_of(out, "Votes", 0, "lr", "class", "votes");
    for (size_t c = 0; c < m->n_present; c++) {
        const char *name = class_name(job, m->classes[c]);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, votes[m->classes[c]], 0, "votes.%s",
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

void cairn_svm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_svm_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    if (m->n_machines == 0)
        cairn_report_paragraph(out, "There was one class only; every row gets it.");
    else
        cairn_report_failed(out, m->n_machines == 1 ? explain_one(ctx, out, m, job, row)
                                                    : explain_votes(ctx, out, m, job, row));
}
