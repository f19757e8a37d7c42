/* SPDX-License-Identifier: MIT */
/* Many classes from two: the code matrix, the models, and what they say of a row. */
#include "wrappers/output_codes.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>

/* Codes that are compared for a report. */
static const double MOST_COMPARED = 2e9;

void cairn_many_show_matrix(cairn_report *out, const cairn_many_model *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char **names;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &names, m->matrix.n_classes + 1);
    cairn_report_failed(out, status);
    if (status) return;
    for (size_t j = 0; j < m->matrix.n_classes; j++)
        names[j] = cairn_many_class(job, m->classes[j]);
    cairn_codes_show(out, &m->matrix, names);
}

/* The first cells of a line about a model: its number, and who is against whom. */
static void show_sides(cairn_report *out, const cairn_many_model *m, const cairn_job *job, size_t i)
{
    SCOPED(cairn_text_clear) cairn_text side = cairn_text_start(cairn_report_context(out));
    cairn_report_cellf(out, "%zu", i + 1);
    for (double sign = 1; sign >= -1; sign -= 2) {
        side.length = 0;
        cairn_many_side(&side, m, job, i, sign);
        cairn_report_cell(out, cairn_text_string(&side));
    }
    cairn_report_failed(out, cairn_text_status(&side));
}

/* What every model says of the row, and what becomes of it. */
void cairn_many_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_many_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    cairn_many_asked work = {.m = m, .table = job->view->table};
    uint32_t index = (uint32_t)cairn_view_row(job->view, row);
    double *values;
    cairn_decoding how;
    cairn_random random;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    work.rows = (cairn_rows){.indices = &index, .n = 1};
    cairn_status status = cairn_many_decoding(ctx, &how, m->scheme, job->params);
    if (!status) status = SCRATCH(ctx, &work.scores, n + 1);
    if (!status) status = SCRATCH(ctx, &values, k + 1);
    for (size_t i = 0; !status && i < n; i++) status = cairn_many_ask(ctx, &work, i);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_table_of(out, "What the models say", 0, "rllr", "model", "positive side",
                          "negative side", "score");
    for (size_t i = 0; i < n; i++) {
        show_sides(out, m, job, i);
        cairn_report_cell_number(out, work.scores[i], 6, "model%zu.score", i + 1);
    }
    cairn_report_table_end(out);
    cairn_random_start(&random, cairn_context_seed(ctx), row);
    cairn_decoded d = cairn_decode(&m->matrix, &how, work.scores, &random, values);
    cairn_report_table_of(out, "What becomes of it", 0, "lr", "class",
                          cairn_decoder_word(how.decoder));
    for (size_t j = 0; j < k; j++) {
        const char *name = cairn_many_class(job, m->classes[j]);
        cairn_report_cell(out, name);
        if ((ptrdiff_t)j == d.class) cairn_report_row_mark(out);
        cairn_report_cell_number(out, values[j], 6, "%s.%s", cairn_decoder_word(how.decoder),
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, d.ambiguous ? 1 : 0, "ambiguous");
    if (d.class == -2) cairn_report_note(out, "The row is rejected.");
    if (d.ambiguous && d.class >= 0) cairn_report_note(out, "The row is ambiguous.");
}

static void show_account(cairn_report *out, const cairn_many_account *account)
{
    cairn_report_value(out, "training accuracy", account->accuracy, "training.accuracy");
    cairn_report_value(out, "rejected training rows", account->rejected, "training.rejected");
    cairn_report_value(out, "ambiguous training rows", account->ambiguous, "training.ambiguous");
}

/* A line per model: who is against whom, and how many rows it learned from. */
static void show_models(cairn_report *out, const cairn_many_model *m, const cairn_job *job)
{
    cairn_report_table_of(out, "Models", 0, "rllr", "model", "positive side", "negative side",
                          "rows");
    for (size_t i = 0; i < m->matrix.n_models; i++) {
        show_sides(out, m, job, i);
        cairn_report_cell_number(out, (double)m->models[i]->n_rows, 6, "model%zu.rows", i + 1);
    }
    cairn_report_table_end(out);
}

void cairn_many_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_many_model *m = model;
    const cairn_many_params *p = job->params;
    double apart = 0;
    char prefix[24];
    if (!out) return;
    cairn_report_word(out, "base", p->wrapper.base, "base");
    cairn_report_value(out, "models", (double)m->matrix.n_models, "models");
    if (cairn_codes_work(&m->matrix) < MOST_COMPARED) {
        cairn_report_failed(out, cairn_codes_apart(cairn_report_context(out), &m->matrix, &apart));
        cairn_report_value(out, "least distance between the codes of two classes", apart,
                           "codes.apart");
    }
    if (job->account) show_account(out, job->account);
    cairn_many_show_matrix(out, m, job);
    show_models(out, m, job);
    for (size_t i = 0; i < m->matrix.n_models && i < CAIRN_MANY_SHOWN; i++) {
        char heading[48];
        snprintf(prefix, sizeof prefix, "model%zu", i + 1);
        snprintf(heading, sizeof heading, "Model %zu", i + 1);
        cairn_nested_describe(out, m->models[i], prefix, heading);
    }
    if (m->matrix.n_models > CAIRN_MANY_SHOWN)
        cairn_report_note(out, "%zu more models are not shown.",
                          m->matrix.n_models - (size_t)CAIRN_MANY_SHOWN);
}
