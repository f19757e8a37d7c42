/* SPDX-License-Identifier: MIT */
/* What markov shows: counts and shares of each class, and the factors of a row. */
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"
#include "kernels/kernels.h"
#include "model/learned.h"
#include "report/table_rows.h"

#include <math.h>

enum { SHOWN_CONTEXTS = 60, SHOWN_SYMBOLS = 20, WORKED_SYMBOLS = 8 };

static const double *row_of(const cairn_markov_model *m, const double *table, size_t class,
                            size_t context)
{
    return table + (class * m->n_contexts + context) * m->n_symbols;
}

/* -- the chains -- */

/* One row per context: the start first, then as they are numbered. */
static void show_row(cairn_report *out, const cairn_markov_model *m, size_t class,
                     const char *class_key, size_t context)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
    const double *logs = row_of(m, m->logs, class, context);
    cairn_markov_name(&name, m, context);
    const char *key = cairn_report_key(out, cairn_text_string(&name));
    cairn_report_cell(out, cairn_text_string(&name));
    cairn_report_cell_number(out, cairn_sum(row_of(m, m->counts, class, context), m->n_symbols), 0,
                             "%s.count.%s", class_key, key);
    for (size_t s = 0; s < m->n_symbols; s++)
        cairn_report_cell_number(out, cairn_exp(logs[s]), 0, "%s.%s.%s", class_key, key,
                                 cairn_report_key(out, cairn_map_key(&m->symbols, s)));
    cairn_report_failed(out, cairn_text_status(&name));
}

static void show_class(cairn_report *out, const cairn_markov_model *m, const cairn_job *job,
                       size_t class)
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(cairn_report_context(out));
    const char *name = cairn_markov_class(job, class), *key = cairn_report_key(out, name);
    if (job->task == CAIRN_CLUSTER)
        cairn_text_add(&title, "Probability of the next state");
    else
        cairn_text_addf(&title, "Class %s: probability of the next state", name);
    cairn_report_table_of(out, cairn_text_string(&title), SHOWN_CONTEXTS, "lr", "after", "steps");
    for (size_t s = 0; s < m->n_symbols; s++)
        cairn_report_column(out, cairn_map_key(&m->symbols, s), 'r');
    show_row(out, m, class, key, m->n_contexts - 1);
    for (size_t k = 0; k + 1 < m->n_contexts; k++)
        if (m->seen[k]) show_row(out, m, class, key, k);
    cairn_report_table_end(out);
    cairn_report_failed(out, cairn_text_status(&title));
}

void cairn_markov_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    cairn_report_value(out, "order", m->order, "order");
    cairn_report_value(out, "states", (double)m->n_symbols, "states");
    /* How probable all that was counted is, each row by the chain of its class, and what that is
     * worth when the numbers that were learned are counted, too. */
    double log = 0, steps = 0, free = cairn_markov_free(m);
    for (size_t k = 0; k < m->n_classes * m->n_contexts * m->n_symbols; k++) {
        if (!(m->counts[k] > 0)) continue;
        log += m->counts[k] * m->logs[k];
        steps += m->counts[k];
    }
    cairn_report_value(out, "ln-likelihood of the training rows", log, "log_likelihood");
    cairn_report_value(out, "free parameters", free, "free_parameters");
    if (steps > 0) {
        cairn_report_value(out, "AIC", 2 * free - 2 * log, "aic");
        cairn_report_value(out, "BIC", free * cairn_log(steps) - 2 * log, "bic");
    }
    if (m->n_symbols > SHOWN_SYMBOLS) {
        cairn_report_paragraph(out, "Tables of more than %d states are left out.", SHOWN_SYMBOLS);
        return;
    }
    for (size_t c = 0; c < m->n_classes; c++) show_class(out, m, job, c);
}

/* -- the work -- */

/* P(s | context) for every symbol. */
static void work_row(cairn_report *out, const cairn_markov_model *m, size_t class, size_t context)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    cairn_smoothing smoothing = {(cairn_smoothing_kind)m->smoothing, m->amount};
    for (size_t s = 0; s < m->n_symbols; s++) {
        label.length = 0;
        cairn_text_addf(&label, "P(%s | ", cairn_map_key(&m->symbols, s));
        cairn_markov_name(&label, m, context);
        cairn_text_add(&label, ")");
        cairn_markov_show_share(out, cairn_text_string(&label), smoothing,
                                row_of(m, m->counts, class, context), m->n_symbols, s,
                                cairn_exp(row_of(m, m->logs, class, context)[s]));
    }
    cairn_report_failed(out, cairn_text_status(&label));
}

/* In the order of the tables: the start first. */
void cairn_markov_show(cairn_report *steps, const cairn_markov_model *m, const cairn_job *job)
{
    size_t shown = 0;
    if (m->n_symbols > WORKED_SYMBOLS) return;
    for (size_t c = 0; c < m->n_classes; c++) {
        if (job->task == CAIRN_CLUSTER)
            cairn_report_step_begin(steps, "Count the steps");
        else
            cairn_report_step_begin(steps, "Count the steps of class %s",
                                    cairn_markov_class(job, c));
        if (shown++ < SHOWN_CONTEXTS) work_row(steps, m, c, m->n_contexts - 1);
        for (size_t k = 0; k + 1 < m->n_contexts; k++)
            if (m->seen[k] && shown++ < SHOWN_CONTEXTS) work_row(steps, m, c, k);
        cairn_report_step_end(steps);
    }
}

/* -- a row -- */

/* The factors of a row, a column for each class, and their logarithms added up. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_markov_model *m,
                                const cairn_job *job, size_t row, double *scores)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    cairn_markov_steps steps;
    cairn_map symbols = m->symbols; /* looked at only */
    cairn_markov_walk walk = cairn_markov_begin(m);
    CHECK(cairn_markov_open(ctx, &steps, job->view, &symbols, false));
    size_t n = cairn_markov_row(&steps, row);
    cairn_report_table_of(out, "Factors", SHOWN_CONTEXTS, "rll", "step", "state", "after");
    for (size_t c = 0; c < m->n_classes; c++)
        cairn_report_column(out, cairn_markov_class(job, c), 'r');
    for (size_t t = 0; t < n; t++) {
        int32_t s = steps.row[t];
        size_t context = cairn_markov_go(m, &walk, s);
        name.length = 0;
        if (context != SIZE_MAX) cairn_markov_name(&name, m, context);
        cairn_report_cells(out, NULL, t + 1, s < 0 ? "?" : cairn_map_key(&m->symbols, (size_t)s),
                           context == SIZE_MAX ? "?" : cairn_text_string(&name));
        for (size_t c = 0; c < m->n_classes; c++) {
            double log = context == SIZE_MAX ? 0 : row_of(m, m->logs, c, context)[s];
            scores[c] += log;
            cairn_report_cell_number(out, context == SIZE_MAX ? NAN : cairn_exp(log), 0,
                                     "factor%zu.%s", t + 1,
                                     cairn_report_key(out, cairn_markov_class(job, c)));
        }
    }
    cairn_report_table_end(out);
    return cairn_text_status(&name);
}

/* How the classes come out: ln P(c) + ln P(row | c), and the shares of 1 that they stand for. */
static void show_classes(cairn_report *out, const cairn_markov_model *m, const cairn_job *job,
                         const double *logs)
{
    double most = -INFINITY, sum = 0, rows = cairn_sum(m->weights, m->n_classes);
    for (size_t c = 0; c < m->n_classes; c++) most = fmax(most, logs[c] + cairn_log(m->weights[c]));
    for (size_t c = 0; c < m->n_classes; c++)
        sum += cairn_exp(logs[c] + cairn_log(m->weights[c]) - most);
    cairn_report_table_of(out, "Classes", 0, "lrrr", "class", "ln P(class)", "ln P(row | class)",
                          "share");
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *name = cairn_markov_class(job, c);
        double prior = cairn_log(m->weights[c]), score = logs[c] + prior;
        if (score == most && !isinf(most)) cairn_report_row_mark(out);
        cairn_report_cells(out, "- prior.$1 log.$1 share.$1", name, prior - cairn_log(rows),
                           logs[c],
                           isinf(most) ? m->weights[c] / rows : cairn_exp(score - most) / sum);
    }
    cairn_report_table_end(out);
    if (isinf(most))
        cairn_report_note(out, "The row is impossible in every class; the shares of the classes in "
                               "training are the answer.");
}

static cairn_status explain_classes(cairn_context *ctx, cairn_report *out,
                                    const cairn_markov_model *m, const cairn_job *job, size_t row)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, m->n_classes));
    CHECK(explain_row(ctx, out, m, job, row, logs));
    show_classes(out, m, job, logs);
    return CAIRN_OK;
}

void cairn_markov_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_report_failed(out, explain_classes(ctx, out, model, job, row));
}

/* -- the text form -- */

/* Start and moves of a class; a chain of order 0 goes on from every state alike. */
static cairn_status make_chain(cairn_context *ctx, cairn_hmm *out, const cairn_markov_model *m,
                               size_t class)
{
    size_t n = m->n_symbols;
    CHECK(cairn_hmm_make(ctx, out, n, 0, 0));
    CHECK(cairn_map_copy(ctx, &out->states, &m->symbols));
    for (size_t s = 0; s < n; s++) {
        out->start[s] = cairn_exp(row_of(m, m->logs, class, m->n_contexts - 1)[s]);
        for (size_t i = 0; i < n; i++)
            out->move[i * n + s] = cairn_exp(row_of(m, m->logs, class, m->order ? i : 0)[s]);
    }
    return CAIRN_OK;
}

static cairn_status write_chain(cairn_text *out, const cairn_markov_model *m, const cairn_job *job,
                                size_t class)
{
    SCOPED(cairn_hmm_clear) cairn_hmm chain = {0};
    if (m->order > 1)
        return cairn_fail(out->ctx, CAIRN_USAGE,
                          "the chain has order %d, but the text form is of chains whose next state "
                          "depends on the last one only; fit it with {chain-order 1}",
                          m->order);
    CHECK(make_chain(out->ctx, &chain, m, class));
    if (m->n_classes > 1) cairn_text_addf(out, "# %s\n", cairn_markov_class(job, class));
    cairn_hmm_write(out, &chain);
    return CAIRN_OK;
}

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    for (size_t c = 0; c < m->n_classes && !out->status; c++) {
        cairn_status status = write_chain(out, m, job, c);
        if (status) out->status = status;
    }
}

const cairn_export_form cairn_markov_forms[] = {
    {"text", "states, start and moves, as 'cairn compute chain' takes those of one chain",
     write_text},
    {0},
};

/* -- chains as tables -- */

/* "rain dry": the last steps; those that were not there yet are left out. */
static void add_context(cairn_text *text, const cairn_markov_model *m, size_t context)
{
    size_t base = m->n_symbols + 1;
    text->length = 0;
    for (size_t place = m->n_contexts / base; place; place /= base) {
        size_t digit = context / place % base;
        if (digit == m->n_symbols) continue;
        cairn_text_addf(text, "%s%s", text->length ? " " : "", cairn_map_key(&m->symbols, digit));
    }
    if (!text->length) cairn_text_add(text, "(start)");
}

/* Contexts that no training row has are left out. */
static void write_moves(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    SCOPED(cairn_text_clear) cairn_text from = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "ltlnn", "class", "from", "to", "count", "probability");
    for (size_t c = 0; c < m->n_classes; c++)
        for (size_t k = 0; k < m->n_contexts && !out->status; k++) {
            if (!m->seen[k]) continue;
            add_context(&from, m, k);
            for (size_t s = 0; s < m->n_symbols; s++)
                cairn_ledger_cells(out,
                                   m->n_classes > 1 ? cairn_learned_class(job, (int64_t)c) : NULL,
                                   cairn_text_string(&from), cairn_map_key(&m->symbols, s),
                                   m->counts[(c * m->n_contexts + k) * m->n_symbols + s],
                                   cairn_markov_share(m, c, k, s));
        }
    cairn_ledger_failed(out, cairn_text_status(&from));
}

const cairn_learned cairn_markov_tables[] = {
    CAIRN_LEARNED("transitions", "step that follows the last ones", write_moves),
    CAIRN_LEARNED_END};
