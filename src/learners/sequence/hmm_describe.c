/* SPDX-License-Identifier: MIT */
/* What learned hidden Markov models tell: themselves, their course, and why a row is of a class. */
#include "learners/sequence/hmm_model.h"
#include "learners/sequence/hmm_report.h"
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN_ITERATIONS = 20 };

const char *cairn_hmm_model_name(const cairn_hmm_model *m, const cairn_job *job, size_t i)
{
    return m->n_models > 1 && !m->known ? cairn_markov_class(job, i) : "";
}

static const char *steps_in(const cairn_hmm_model *m)
{
    switch (m->shape) {
    case CAIRN_HMM_SEQUENCES: return "the items of a column of sequences";
    case CAIRN_HMM_LEVEL_COLUMNS: return "the columns of levels, from left to right";
    case CAIRN_HMM_NUMBER_COLUMNS: return "the columns of numbers, from left to right";
    case CAIRN_HMM_SERIES: return "the numbers of columns of series";
    case CAIRN_HMM_NUMBER_ROWS: return "the rows, each with its numbers";
    default: return "the rows, each with its level";
    }
}

/* Steps that a model was learned from. */
static double count_steps(const cairn_hmm_model *m, size_t i)
{
    bool rows = m->shape == CAIRN_HMM_NUMBER_ROWS || m->shape == CAIRN_HMM_LEVEL_ROWS;
    return rows ? m->lengths[i] : m->weights[i] * m->lengths[i];
}

/* The log-likelihood after every iteration of the start that was kept. */
static void show_course(cairn_report *out, const cairn_hmm_model *m, const cairn_hmm_account *a,
                        size_t i, const double *at, const char *prefix)
{
    size_t n = (size_t)a->lengths[i];
    double free = cairn_hmm_free(&m->models[i]), steps = count_steps(m, i);
    if (!n) return;
    cairn_report_value(out, "log-likelihood", at[n - 1], "%slog_likelihood", prefix);
    cairn_report_value(out, "free parameters", free, "%sfree_parameters", prefix);
    cairn_report_value(out, "AIC", 2 * free - 2 * at[n - 1], "%saic", prefix);
    cairn_report_value(out, "BIC", free * cairn_log(steps) - 2 * at[n - 1], "%sbic", prefix);
    cairn_report_value(out, "iterations", a->iterations[i], "%siterations", prefix);
    cairn_report_hidden(out, a->converged[i], "%sconverged", prefix);
    if (a->converged[i] == 0)
        cairn_report_note(out, "It had not converged after the iterations that were allowed.");
    if (a->floored[i] > 0)
        cairn_report_note(out,
                          "The covariance of %zu states met the floor: they sit on few or equal "
                          "steps.",
                          (size_t)a->floored[i]);
    cairn_report_table_of(out, "Log-likelihood", SHOWN_ITERATIONS, "rr", "iteration", "ln P");
    for (size_t k = 0; k < n; k++) {
        cairn_report_cellf(out, "%zu", k);
        cairn_report_cell_number(out, at[k], 0, "%slog.%zu", prefix, k);
    }
    cairn_report_table_end(out);
}

/* One model; that of a file does not know what its columns are called, but the schema does. */
static void show_model(cairn_report *out, const cairn_hmm_model *m, const cairn_job *job, size_t i,
                       const char *prefix)
{
    SCOPED(cairn_map_clear) cairn_map columns = {0};
    cairn_hmm shown = m->models[i];
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_report_failed(out, cairn_hmm_name_numbers(ctx, &columns, job->schema, m->shape));
    shown.columns = columns;
    cairn_hmm_report_model(out, &shown, prefix);
}

void cairn_hmm_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    const cairn_hmm_account *a = job->account;
    const double *at = a ? a->history : NULL;
    cairn_report_word(out, "steps", steps_in(m), "steps");
    cairn_report_hidden(out, (double)m->n_models, "models");
    for (size_t i = 0; i < m->n_models; i++) {
        const char *name = cairn_hmm_model_name(m, job, i), *key = cairn_report_key(out, name);
        char prefix[200];
        snprintf(prefix, sizeof prefix, "%.150s%s", key, *key ? "." : "");
        if (*name) cairn_report_heading(out, 3, "Class %s", name);
        show_model(out, m, job, i, prefix);
        if (!a || !a->n) continue;
        show_course(out, m, a, i, at, prefix);
        if (a->lengths[i] > 0) at += (size_t)a->lengths[i];
    }
}

/* -- why -- */

/* The score table of a row: ln P(class) + ln P(row | class). */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_hmm_model *m,
                                const cairn_job *job, size_t row)
{
    uint32_t list[] = {(uint32_t)row};
    double *logs, total = 0, most = -INFINITY, sum = 0;
    cairn_map symbols = m->models->symbols; /* looked at only */
    cairn_hmm_data data;
    CHECK(SCRATCH(ctx, &logs, m->n_models));
    CHECK(cairn_hmm_read_steps(ctx, &data, job->view, m->shape, list, 1, &symbols, false));
    cairn_hmm_seen seen = cairn_hmm_sequence(&data, m->models->n_numbers, 0);
    for (size_t c = 0; c < m->n_models; c++) {
        cairn_hmm_tables tables = {0};
        if (seen.n) CHECK(cairn_hmm_tables_make(ctx, &tables, &m->models[c], &seen));
        logs[c] = tables.log_p;
        total += m->weights[c];
        most = fmax(most, logs[c] + cairn_log(m->weights[c]));
    }
    for (size_t c = 0; c < m->n_models && !isinf(most); c++)
        sum += cairn_exp(logs[c] + cairn_log(m->weights[c]) - most);
    cairn_report_table_of(out, "Classes", 0, "lrrr", "class", "ln P(class)", "ln P(row | class)",
                          "share");
    for (size_t c = 0; c < m->n_models; c++) {
        const char *name = cairn_markov_class(job, c), *key = cairn_report_key(out, name);
        double prior = cairn_log(m->weights[c]), score = logs[c] + prior;
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, prior - cairn_log(total), 0, "prior.%s", key);
        cairn_report_cell_number(out, logs[c], 0, "log.%s", key);
        if (score == most && sum > 0) cairn_report_row_mark(out);
        cairn_report_cell_number(out,
                                 sum > 0 ? cairn_exp(score - most) / sum : m->weights[c] / total, 0,
                                 "share.%s", key);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

void cairn_hmm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}
