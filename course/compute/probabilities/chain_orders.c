/* SPDX-License-Identifier: MIT */
/* Chains of higher order, told by their contexts and by their last steps: see chain_orders.h. */
#include "compute/probabilities/chain_orders.h"

#include "base/memory.h"
#include "kernels/kernels.h"

#include <math.h>

enum { SHOWN_SYMBOLS = 30, SHOWN_CONTEXTS = 100, WORKED_TERMS = 8 };

static const char *symbol_name(const cairn_markov *c, size_t symbol)
{
    return cairn_map_key(&c->high->symbols, symbol);
}

static const char *context_name(const cairn_markov *c, size_t i)
{
    return cairn_map_key(&c->model.states, i);
}

/* -- the table -- */

/* P(next | context), and how often the context was counted where it was. `at` is its place in the
 * model. */
static void show_row(cairn_report *out, const cairn_markov *c, const char *name, size_t at)
{
    const cairn_markov_model *m = c->high;
    size_t n = m->n_symbols;
    const double *counts = m->counts + (c->class * m->n_contexts + at) * n;
    const char *key = cairn_report_key(out, name);
    cairn_report_cell(out, name);
    if (c->counted) cairn_report_cell_number(out, cairn_sum(counts, n), 0, "count.%s", key);
    for (size_t s = 0; s < n; s++)
        cairn_report_cell_number(out, cairn_markov_share(m, c->class, at, s), 0, "next.%s.%s", key,
                                 cairn_report_key(out, symbol_name(c, s)));
}

void cairn_chain_show_contexts(cairn_report *out, const cairn_markov *c)
{
    const cairn_markov_model *m = c->high;
    cairn_report_value(out, "order", m->order, "order");
    cairn_report_value(out, "states", (double)m->n_symbols, "states");
    cairn_report_value(out, "contexts", (double)c->model.n_states, "contexts");
    if (m->n_symbols > SHOWN_SYMBOLS) return;
    cairn_report_table_of(out, "Probability of the next state", SHOWN_CONTEXTS, "l", "after");
    if (c->counted) cairn_report_column(out, "steps", 'r');
    for (size_t s = 0; s < m->n_symbols; s++) cairn_report_column(out, symbol_name(c, s), 'r');
    show_row(out, c, "start", m->n_contexts - 1);
    for (size_t i = 0; i < c->model.n_states; i++)
        show_row(out, c, context_name(c, i), c->contexts.contexts[i]);
    cairn_report_table_end(out);
}

/* -- the last step -- */

void cairn_chain_last(const cairn_markov *c, const double *contexts, double *out)
{
    for (size_t s = 0; s < c->high->n_symbols; s++) out[s] = 0;
    for (size_t i = 0; i < c->model.n_states; i++) out[c->contexts.last[i]] += contexts[i];
}

/* One state: the contexts that end with it, and what they add up to. */
static void work_symbol(cairn_report *out, const cairn_markov *c, const double *contexts,
                        const char *letter, size_t symbol)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    double terms[WORKED_TERMS + 1], sum = 0;
    size_t n = 0;
    cairn_text_addf(&text, "%s(%s)", letter, symbol_name(c, symbol));
    for (size_t i = 0; i < c->model.n_states; i++) {
        if (c->contexts.last[i] != (int32_t)symbol || !(contexts[i] > 0)) continue;
        if (n == WORKED_TERMS) return;
        cairn_text_addf(&text, "%s%s(%s)", n ? " + " : " = ", letter, context_name(c, i));
        terms[n++] = contexts[i];
        sum += contexts[i];
    }
    if (n) cairn_report_worked_sum(out, cairn_text_string(&text), "#", terms, 1, n, sum);
    cairn_report_failed(out, cairn_text_status(&text));
}

cairn_status cairn_chain_work_last(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                   const double *contexts, const char *letter)
{
    (void)ctx;
    for (size_t s = 0; s < c->high->n_symbols; s++) work_symbol(out, c, contexts, letter, s);
    return cairn_report_status(out);
}

/* -- the long run -- */

/* Of a closed class: shares of the states, and how often one is come to from another. */
static void sum_class(const cairn_markov *c, const cairn_closed_classes *closed, int32_t class,
                      double *shares, double *comes)
{
    const cairn_markov_model *m = c->high;
    for (size_t s = 0; s < m->n_symbols; s++) shares[s] = comes[s] = 0;
    for (size_t i = 0; i < c->model.n_states; i++) {
        if (closed->of[i] != class) continue;
        shares[c->contexts.last[i]] += closed->shares[i];
        for (size_t s = 0; s < m->n_symbols; s++)
            if ((int32_t)s != c->contexts.last[i])
                comes[s] +=
                    closed->shares[i] * cairn_markov_share(m, c->class, c->contexts.contexts[i], s);
    }
}

cairn_status cairn_chain_show_last_run(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                       const cairn_closed_classes *closed)
{
    double *shares, *comes;
    CHECK(SCRATCH(ctx, &shares, c->high->n_symbols));
    CHECK(SCRATCH(ctx, &comes, c->high->n_symbols));
    cairn_report_table_of(out, "States in the long run", SHOWN_CONTEXTS, "lrrrr", "state",
                          "closed class", "stationary", "mean run", "mean return");
    for (size_t k = 0; k < closed->n; k++) {
        sum_class(c, closed, (int32_t)k, shares, comes);
        for (size_t s = 0; s < c->high->n_symbols; s++) {
            const char *key = cairn_report_key(out, symbol_name(c, s));
            if (closed->n > 1 && !(shares[s] > 0)) continue;
            cairn_report_cell(out, symbol_name(c, s));
            cairn_report_cellf(out, "%zu", k + 1);
            cairn_report_cell_number(out, shares[s], 0, "stationary.%s", key);
            cairn_report_cell_number(out, comes[s] > 0 ? shares[s] / comes[s] : NAN, 0, "run.%s",
                                     key);
            cairn_report_cell_number(out, shares[s] > 0 ? 1 / shares[s] : NAN, 0, "return.%s", key);
        }
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- sequences -- */

double cairn_chain_factor(const cairn_markov *c, size_t *context, int32_t symbol, cairn_text *name)
{
    const cairn_markov_model *m = c->high;
    double share = cairn_markov_share(m, c->class, *context, (size_t)symbol);
    if (name) {
        bool first = *context == m->n_contexts - 1;
        cairn_text_addf(name, first ? "π(%s" : "P(%s | ", symbol_name(c, (size_t)symbol));
        if (!first) cairn_markov_name(name, m, *context);
        cairn_text_add(name, ")");
    }
    *context = cairn_markov_after(m, *context, (size_t)symbol);
    return share;
}

cairn_status cairn_chain_walk(cairn_context *ctx, const cairn_markov *c, int32_t *steps, size_t n)
{
    const cairn_markov_model *m = c->high;
    size_t context = m->n_contexts - 1;
    cairn_random random;
    double *shares;
    CHECK(SCRATCH(ctx, &shares, m->n_symbols));
    cairn_random_start(&random, ctx->seed, 0);
    for (size_t t = 0; t < n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)n));
        for (size_t s = 0; s < m->n_symbols; s++)
            shares[s] = cairn_markov_share(m, c->class, context, s);
        steps[t] = (int32_t)cairn_hmm_pick(&random, shares, m->n_symbols);
        context = cairn_markov_after(m, context, (size_t)steps[t]);
    }
    return CAIRN_OK;
}
