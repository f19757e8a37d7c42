/* SPDX-License-Identifier: MIT */
/* cairn compute chain: what a Markov chain does. Its states are seen, and the next one depends only
 * on the present one:
 *
 *     P(q1 q2 ... qT) = pi(q1) a(q1,q2) ... a(qT-1,qT)
 *
 * The chain is typed, read, or learned: pi is the share of sequences that begin with a state,
 * a(i,j) the share of moves from i that lead to j. In a chain of higher order the next state
 * depends on several before it: then these contexts are the states of a chain, and what is told of
 * them is added up over their last steps (chain_orders.h). Then the distribution after n steps, pi
 * A^n, the stationary distribution of every class of states that is not left again, the
 * probability of a sequence by its factors, and sequences drawn at random. */
#include "compute/probabilities/chain_orders.h"
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/sequence/hmm.h"
#include "plots/chain_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_STEPS = 1000000,
    SHOWN_STATES = 30, /* chains with more are not written out */
    WORKED_STATES = 8, /* nor are their steps with the numbers put in */
    WORKED_STEPS = 4,
    WORKED_FACTORS = 20,
    SHOWN_FACTORS = 200,
    SHOWN_SIMULATED = 60
};

typedef struct chain_params {
    cairn_markov_source source;
    const char *after, *of;
    int simulate;
} chain_params;

static const cairn_param chain_table[] = {
    CAIRN_PARAM_GROUP(chain_params, source, cairn_markov_source_params),
    CAIRN_PARAM_AS(chain_params, after, CAIRN_TYPE_LIST, NULL,
                   "numbers of steps, such as 1,2,9: the distribution over the states then",
                   .often = true),
    CAIRN_PARAM(chain_params, of, NULL, NULL,
                "a sequence whose probability is asked for, such as 'rain rain dry dry'",
                .often = true, .repeated = true),
    CAIRN_PARAM(chain_params, simulate, "0", "[0,1000000]",
                "draw a sequence of so many steps at random"),
    CAIRN_PARAM_END,
};

/* A picture has no questions to answer. */
static const cairn_param picture_table[] = {
    CAIRN_PARAM_GROUP(chain_params, source, cairn_markov_source_params),
    CAIRN_PARAM_END,
};

static const char *state_name(const cairn_hmm *m, size_t i)
{
    return cairn_map_key(&m->states, i);
}

/* -- the chain -- */

static void show_lengths(cairn_report *out, const cairn_markov *c)
{
    cairn_report_hidden(out, (double)c->n_sequences, "sequences");
    if (c->n_empty)
        cairn_report_note(out, "%zu empty sequences say nothing and are left out.", c->n_empty);
}

/* What was counted, with how often each state is left: the denominators. */
static void show_counts(cairn_report *out, const cairn_markov *c)
{
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    show_lengths(out, c);
    if (n > SHOWN_STATES) return;
    cairn_report_table_of(out, "Counts", SHOWN_STATES, "lr", "from", "first");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, state_name(m, j), 'r');
    cairn_report_column(out, "left", 'r');
    for (size_t i = 0; i < n; i++) {
        const double *row = c->counts.move + i * n;
        const char *from = cairn_report_key(out, state_name(m, i));
        cairn_report_cell(out, state_name(m, i));
        cairn_report_cell_number(out, c->counts.start[i], 0, "count.start.%s", from);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, row[j], 0, "count.move.%s.%s", from,
                                     cairn_report_key(out, state_name(m, j)));
        cairn_report_cell_number(out, cairn_sum(row, n), 0, "count.left.%s", from);
    }
    cairn_report_table_end(out);
}

/* Shares of one row of counts. */
static void show_shares(cairn_report *out, const cairn_hmm *m, cairn_smoothing smoothing,
                        const char *from, const double *counts, const double *shares)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    for (size_t j = 0; j < m->n_states; j++) {
        label.length = 0;
        if (from)
            cairn_text_addf(&label, "a(%s, %s)", from, state_name(m, j));
        else
            cairn_text_addf(&label, "π(%s)", state_name(m, j));
        cairn_markov_show_share(out, cairn_text_string(&label), smoothing, counts, m->n_states, j,
                                shares[j]);
    }
    cairn_report_failed(out, cairn_text_status(&label));
}

static cairn_status show_learning(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const cairn_markov_option *option)
{
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    cairn_smoothing smoothing;
    CHECK(cairn_markov_smoothing(ctx, &smoothing, option));
    if (n > WORKED_STATES) return CAIRN_OK;
    cairn_report_step_begin(out, "Start: the share of sequences that begin with a state");
    show_shares(out, m, smoothing, NULL, c->counts.start, m->start);
    cairn_report_step_end(out);
    for (size_t i = 0; i < n; i++) {
        cairn_report_step_begin(out, "From %s: the share of its moves", state_name(m, i));
        show_shares(out, m, smoothing, state_name(m, i), c->counts.move + i * n, m->move + i * n);
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* -- after n steps -- */

/* One step as on the board: every state's probability as a sum over where it comes from. */
static cairn_status show_step(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                              size_t step, const double *now, const double *next)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    double *pairs;
    CHECK(SCRATCH(ctx, &pairs, 2 * n));
    cairn_report_step_begin(out, step == 1 ? "After %zu step" : "After %zu steps", step);
    for (size_t j = 0; j < n; j++) {
        size_t terms = 0;
        label.length = 0;
        cairn_text_addf(&label, "P(%s)", state_name(m, j));
        for (size_t i = 0; i < n; i++) {
            if (c->high && !(now[i] * m->move[i * n + j] > 0)) continue;
            pairs[2 * terms] = now[i];
            pairs[2 * terms++ + 1] = m->move[i * n + j];
        }
        if (terms)
            cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", pairs, 2, terms,
                                    next[j]);
    }
    if (c->high) CHECK(cairn_chain_work_last(ctx, out, c, next, "P"));
    cairn_report_step_end(out);
    return cairn_text_status(&label);
}

/* Numbers of steps that are whole and not too many. */
static cairn_status read_after(cairn_context *ctx, const char *text, double **out, size_t *n,
                               size_t *most)
{
    CHECK(cairn_list_numbers(ctx, "after", text, out, n));
    for (size_t i = 0; i < *n; i++) {
        double steps = (*out)[i];
        if (!(steps >= 0 && steps <= MOST_STEPS && steps == floor(steps)))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{after}: number %zu of the list is not a whole number of steps from "
                              "0 to %d",
                              i + 1, MOST_STEPS);
        if ((size_t)steps > *most) *most = (size_t)steps;
    }
    return CAIRN_OK;
}

/* A row for every number of steps that was asked for, with the most probable of these names
 * then. */
static void show_distributions(cairn_report *out, const char *title, const cairn_map *names,
                               const double *after, size_t n_after, const double *rows)
{
    size_t n = names->n;
    cairn_report_table_of(out, title, 200, "r", "steps");
    for (size_t j = 0; j < n && n <= SHOWN_STATES; j++)
        cairn_report_column(out, cairn_map_key(names, j), 'r');
    cairn_report_column(out, "most probable", 'l');
    for (size_t k = 0; k < n_after; k++) {
        size_t best = 0;
        cairn_report_cellf(out, "%zu", (size_t)after[k]);
        for (size_t j = 0; j < n; j++) {
            if (rows[k * n + j] > rows[k * n + best]) best = j;
            if (n <= SHOWN_STATES)
                cairn_report_cell_number(out, rows[k * n + j], 0, "after%zu.%s", (size_t)after[k],
                                         cairn_report_key(out, cairn_map_key(names, j)));
        }
        cairn_report_cell_word(out, cairn_map_key(names, best), "after%zu.best", (size_t)after[k]);
    }
    cairn_report_table_end(out);
}

/* Of a chain of higher order the last step is what is asked for; contexts are shown where they are
 * few. */
static cairn_status show_forecast(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const double *after, size_t n_after, const double *rows)
{
    size_t n = c->model.n_states;
    double *last;
    if (!c->high) {
        show_distributions(out, "Distribution after n steps", &c->model.states, after, n_after,
                           rows);
        return CAIRN_OK;
    }
    size_t width = c->high->n_symbols;
    CHECK(SCRATCH(ctx, &last, cairn_product(n_after, width)));
    for (size_t k = 0; k < n_after; k++) cairn_chain_last(c, rows + k * n, last + k * width);
    show_distributions(out, "Distribution after n steps", &c->high->symbols, after, n_after, last);
    if (n > SHOWN_STATES) return CAIRN_OK;
    cairn_report_table_of(out, "Contexts after n steps", 200, "r", "steps");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, state_name(&c->model, j), 'r');
    for (size_t k = 0; k < n_after; k++) {
        cairn_report_cellf(out, "%zu", (size_t)after[k]);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, rows[k * n + j], 0, "context.after%zu.%s",
                                     (size_t)after[k],
                                     cairn_report_key(out, state_name(&c->model, j)));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Step after step up to the last that was asked for; only the first are worked out. */
static cairn_status forecast(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                             const char *text, bool steps)
{
    const cairn_hmm *m = &c->model;
    double *after, *rows, *now, *next;
    size_t n = m->n_states, n_after, most = 0;
    CHECK(read_after(ctx, text, &after, &n_after, &most));
    CHECK(SCRATCH(ctx, &rows, cairn_product(n_after, n)));
    CHECK(SCRATCH(ctx, &now, n));
    CHECK(SCRATCH(ctx, &next, n));
    memcpy(now, m->start, n * sizeof *now);
    if (steps) cairn_report_formula(out, "P(j, t + 1) = Σ P(i, t)·a(i, j)");
    for (size_t t = 0; t <= most; t++) {
        for (size_t k = 0; k < n_after; k++)
            if ((size_t)after[k] == t) memcpy(rows + k * n, now, n * sizeof *now);
        if (t == most) break;
        if (t % 1024 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)most));
        cairn_markov_step(m, now, next);
        if (steps && t < WORKED_STEPS && n <= WORKED_STATES)
            CHECK(show_step(ctx, out, c, t + 1, now, next));
        memcpy(now, next, n * sizeof *now);
    }
    if (steps && most > WORKED_STEPS && n <= WORKED_STATES)
        cairn_report_paragraph(out, "And so on, step by step, up to %zu steps.", most);
    return show_forecast(ctx, out, c, after, n_after, rows);
}

/* -- in the long run -- */

/* Contexts at the beginning of a sequence are left for ever, which is not worth a word. */
static bool is_begin(const cairn_markov *c, size_t i)
{
    return c->high && c->contexts.shorter[i];
}

/* The names of a class's members, or of those that pass. */
static void name_members(cairn_text *to, const cairn_markov *c, const int32_t *of, int32_t class)
{
    for (size_t i = 0, n = 0; i < c->model.n_states; i++)
        if (of[i] == class && !is_begin(c, i) && n++ < SHOWN_STATES)
            cairn_text_addf(to, n > 1 ? ", %s" : "%s", state_name(&c->model, i));
}

/* What the table does not say: several ends, states that are left for ever, turns. */
static void note_classes(cairn_report *out, const cairn_markov *chain,
                         const cairn_closed_classes *c)
{
    SCOPED(cairn_text_clear) cairn_text passing = cairn_text_start(cairn_report_context(out));
    name_members(&passing, chain, c->of, CAIRN_PASSING);
    cairn_report_hidden(out, (double)c->n, "closed");
    if (c->n > 1)
        cairn_report_note(out,
                          "%zu classes of states are never left again: where the chain ends "
                          "depends on where it begins, and each class has its own stationary "
                          "distribution.",
                          c->n);
    if (passing.length)
        cairn_report_note(out, "Left for ever at some time: %s.", cairn_text_string(&passing));
    for (size_t k = 0; k < c->n; k++) {
        SCOPED(cairn_text_clear) cairn_text members = cairn_text_start(cairn_report_context(out));
        name_members(&members, chain, c->of, (int32_t)k);
        cairn_report_hidden(out, (double)c->period[k], "closed%zu.period", k + 1);
        if (c->period[k] > 1)
            cairn_report_note(
                out,
                "The class of %s is passed through in turns of %zu steps: the distribution "
                "itself does not settle, its mean over time does.",
                cairn_text_string(&members), c->period[k]);
        cairn_report_failed(out, cairn_text_status(&members));
    }
    cairn_report_failed(out, cairn_text_status(&passing));
}

/* That a step changes nothing, state by state. */
static cairn_status show_balance(cairn_context *ctx, cairn_report *out, const cairn_markov *chain,
                                 const cairn_closed_classes *c)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    const cairn_hmm *m = &chain->model;
    size_t n = m->n_states;
    double *pairs;
    CHECK(SCRATCH(ctx, &pairs, 2 * n));
    cairn_report_step_begin(out, "A step changes nothing: p(j) = Σ p(i)·a(i, j), Σ p = 1");
    for (size_t j = 0; j < n; j++) {
        size_t terms = 0;
        if (c->of[j] == CAIRN_PASSING) continue;
        label.length = 0;
        cairn_text_addf(&label, "p(%s)", state_name(m, j));
        for (size_t i = 0; i < n; i++) {
            if (c->of[i] != c->of[j] || (chain->high && !(m->move[i * n + j] > 0))) continue;
            pairs[2 * terms] = c->shares[i];
            pairs[2 * terms++ + 1] = m->move[i * n + j];
        }
        cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", pairs, 2, terms,
                                c->shares[j]);
    }
    if (chain->high) CHECK(cairn_chain_work_last(ctx, out, chain, c->shares, "p"));
    cairn_report_step_end(out);
    return cairn_text_status(&label);
}

/* A state is kept for 1 / (1 - a(i,i)) steps on the average and comes back after 1 / p(i). */
static void show_long_run(cairn_report *out, const cairn_markov *chain,
                          const cairn_closed_classes *c)
{
    const cairn_hmm *m = &chain->model;
    size_t n = m->n_states;
    const char *before = chain->high ? "context." : "";
    cairn_report_table_of(out, chain->high ? "Contexts in the long run" : "In the long run", 100,
                          "lrrrr", chain->high ? "context" : "state", "closed class", "stationary",
                          "mean stay", "mean return");
    for (size_t i = 0; i < n; i++) {
        if (is_begin(chain, i)) continue;
        double stay = 1 - m->move[i * n + i], share = c->shares[i];
        const char *key = cairn_report_key(out, state_name(m, i));
        char class[24] = "none"; /* without it the shares of several classes cannot be told apart */
        if (c->of[i] != CAIRN_PASSING) snprintf(class, sizeof class, "%d", c->of[i] + 1);
        cairn_report_cell(out, state_name(m, i));
        cairn_report_cell_word(out, class, "%sclass.%s", before, key);
        cairn_report_cell_number(out, share, 0, "%sstationary.%s", before, key);
        cairn_report_cell_number(out, stay > 0 ? 1 / stay : NAN, 0, "%sstay.%s", before, key);
        cairn_report_cell_number(out, share > 0 ? 1 / share : NAN, 0, "%sreturn.%s", before, key);
    }
    cairn_report_table_end(out);
}

static cairn_status long_run(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                             bool steps)
{
    cairn_certificate certificate = {0};
    cairn_closed_classes closed;
    CHECK(cairn_markov_closed(ctx, &c->model, &closed));
    cairn_markov_prove(&certificate, &c->model, &closed);
    CHECK(cairn_certificate_judge(ctx, &certificate, "chain"));
    if (steps && c->model.n_states <= WORKED_STATES) CHECK(show_balance(ctx, out, c, &closed));
    if (c->high) CHECK(cairn_chain_show_last_run(ctx, out, c, &closed));
    show_long_run(out, c, &closed);
    cairn_certificate_report(out, &certificate);
    note_classes(out, c, &closed);
    return CAIRN_OK;
}

/* -- sequences -- */

/* A sequence, and how probable it is to begin so and to go on so. */
typedef struct factors {
    const cairn_markov *c;
    const int32_t *states; /* n: of order 1, else symbols */
    double *values;        /* n */
    size_t n;
} factors;

/* The name of factor t: π(rain), a(rain, dry), or P(dry | rain, rain) of higher orders, whose
 * context goes on with it; returns its value. */
static double next_factor(const factors *f, size_t t, size_t *context, cairn_text *name)
{
    const cairn_hmm *m = &f->c->model;
    size_t now = (size_t)f->states[t];
    if (f->c->high) return cairn_chain_factor(f->c, context, f->states[t], name);
    if (!t) {
        if (name) cairn_text_addf(name, "π(%s)", state_name(m, now));
        return m->start[now];
    }
    size_t before = (size_t)f->states[t - 1];
    if (name) cairn_text_addf(name, "a(%s, %s)", state_name(m, before), state_name(m, now));
    return m->move[before * m->n_states + now];
}

static size_t first_context(const factors *f)
{
    return f->c->high ? f->c->high->n_contexts - 1 : 0;
}

static void show_factors(cairn_report *out, const factors *f, size_t number)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
    size_t context = first_context(f);
    cairn_report_table_of(out, "Factors", SHOWN_FACTORS, "rlr", "step", "factor", "value");
    for (size_t t = 0; t < f->n && t < SHOWN_FACTORS; t++) {
        name.length = 0;
        next_factor(f, t, &context, &name);
        cairn_report_cellf(out, "%zu", t + 1);
        cairn_report_cell(out, cairn_text_string(&name));
        cairn_report_cell_number(out, f->values[t], 0, "sequence%zu.factor%zu", number, t + 1);
    }
    cairn_report_table_end(out);
    if (f->n > SHOWN_FACTORS)
        cairn_report_paragraph(out, "%zu more factors are left out.", f->n - SHOWN_FACTORS);
    cairn_report_failed(out, cairn_text_status(&name));
}

/* The product of a short sequence with its numbers put in. */
static void show_product(cairn_report *out, const factors *f, double product)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    double numbers[WORKED_FACTORS + 1];
    if (f->n < 2 || f->n > WORKED_FACTORS) return;
    for (size_t t = 0; t < f->n; t++) {
        numbers[t] = f->values[t];
        cairn_text_add(&text, t ? "·#" : "#");
    }
    numbers[f->n] = product;
    cairn_text_add(&text, " = #");
    cairn_report_worked_numbers(out, "P", cairn_text_string(&text), numbers, f->n + 1);
    cairn_report_failed(out, cairn_text_status(&text));
}

/* What makes a sequence impossible. */
static void note_impossible(cairn_report *out, const factors *f)
{
    const cairn_map *names = f->c->high ? &f->c->high->symbols : &f->c->model.states;
    size_t t = 0;
    while (t < f->n && f->values[t] > 0) t++;
    if (t == f->n) return;
    const char *now = cairn_map_key(names, (size_t)f->states[t]);
    if (t)
        cairn_report_note(out, "Impossible: nothing leads from %s to %s (step %zu).",
                          cairn_map_key(names, (size_t)f->states[t - 1]), now, t + 1);
    else
        cairn_report_note(out, "Impossible: no sequence begins with %s.", now);
}

/* The product is shown, the logarithm counts: a long sequence has no product above 0. */
static cairn_status show_sequence(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const char *text, size_t number)
{
    SCOPED_SCRATCH(ctx);
    const cairn_map *names = c->high ? &c->high->symbols : &c->model.states;
    factors f = {.c = c};
    int32_t *states;
    double log = 0, product = 1;
    CHECK(
        cairn_markov_states(ctx, names, cairn_say(ctx, "{of}"), text, strlen(text), &states, &f.n));
    f.states = states;
    if (!f.n) return cairn_fail(ctx, CAIRN_USAGE, "{of}: sequence %zu is empty", number);
    CHECK(SCRATCH(ctx, &f.values, f.n));
    size_t context = first_context(&f);
    for (size_t t = 0; t < f.n; t++) {
        f.values[t] = next_factor(&f, t, &context, NULL);
        log += cairn_log(f.values[t]);
        product *= f.values[t];
    }
    cairn_report_heading(out, 2, "Sequence %zu: %.200s", number, text);
    cairn_report_formula(out, c->high ? "P(q1 ... qT) = π(q1)·Π P(qt | the steps before it)"
                                      : "P(q1 ... qT) = π(q1)·a(q1, q2)·...·a(qT−1, qT)");
    show_factors(out, &f, number);
    show_product(out, &f, product);
    cairn_report_value(out, "probability", product, "sequence%zu.p", number);
    cairn_report_value(out, "ln probability", log, "sequence%zu.log", number);
    cairn_report_hidden(out, (double)f.n, "sequence%zu.length", number);
    note_impossible(out, &f);
    if (!(product > 0) && isfinite(log))
        cairn_report_note(out, "The probability is too small for a number; its logarithm is not.");
    return CAIRN_OK;
}

static cairn_status show_sequences(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                   const char *lines)
{
    const char *const *list;
    CHECK(cairn_list_lines(ctx, lines, &list));
    for (size_t i = 0; list[i]; i++) CHECK(show_sequence(ctx, out, c, list[i], i + 1));
    return CAIRN_OK;
}

/* -- at random -- */

static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_map *known,
                                const int32_t *states, size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char **names;
    double *steps;
    CHECK(SCRATCH(ctx, &names, known->n));
    CHECK(SCRATCH(ctx, &steps, n));
    for (size_t i = 0; i < known->n; i++) names[i] = cairn_map_key(known, i);
    for (size_t t = 0; t < n; t++) steps[t] = (double)(t + 1);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(cairn_table_put_numbers(ctx, table, "step", steps));
    CHECK(cairn_table_add_levels(ctx, table, "state", states, names, known->n));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The first states are shown, all of them go into the table. */
static cairn_status simulate(cairn_context *ctx, cairn_report *out, const cairn_markov *c, size_t n,
                             cairn_table **result)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_map *names = c->high ? &c->high->symbols : &c->model.states;
    cairn_random random;
    int32_t *states;
    CHECK(SCRATCH(ctx, &states, n));
    cairn_random_start(&random, ctx->seed, 0);
    if (c->high)
        CHECK(cairn_chain_walk(ctx, c, states, n));
    else
        CHECK(cairn_hmm_sample(ctx, &c->model, &random, n, states, NULL, NULL));
    for (size_t t = 0; t < n && t < SHOWN_SIMULATED; t++) {
        const char *name = cairn_map_key(names, (size_t)states[t]);
        cairn_text_addf(&text, t ? " %s" : "%s", name);
        cairn_report_hidden_word(out, name, "simulated.%zu", t + 1);
    }
    cairn_report_heading(out, 2, "A sequence at random");
    cairn_report_paragraph(out, "%s%s", cairn_text_string(&text),
                           n > SHOWN_SIMULATED ? " ..." : "");
    CHECK(cairn_text_status(&text));
    return result ? make_result(ctx, result, names, states, n) : CAIRN_OK;
}

/* -- the picture -- */

/* States, or contexts that are no beginnings, which stand behind those. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const cairn_markov *c)
{
    const char **names;
    size_t n = c->model.n_states, first = 0;
    double *moves;
    while (first < n && is_begin(c, first)) first++;
    size_t shown = n - first;
    CHECK(SCRATCH(ctx, &names, shown + 1));
    CHECK(SCRATCH(ctx, &moves, cairn_product(shown, shown) + 1));
    for (size_t i = 0; i < shown; i++) {
        names[i] = state_name(&c->model, first + i);
        memcpy(moves + i * shown, c->model.move + (first + i) * n + first, shown * sizeof *moves);
    }
    return cairn_state_plot(ctx, out, "chain", "State diagram", names, moves, shown);
}

static cairn_status chain_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    SCOPED(cairn_markov_clear) cairn_markov chain = {0};
    CHECK(cairn_markov_read(ctx, &chain, &p->source, job->table, job->model));
    return make_figure(ctx, out, &chain);
}

/* On a page the diagram stands below the matrix. */
static cairn_status show_figure(cairn_context *ctx, cairn_report *out, const cairn_markov *c)
{
    cairn_figure *figure;
    if (c->model.n_states > CAIRN_MOST_DRAWN_STATES) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, c));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* What the chain is, and how it was counted. */
static cairn_status show_chain(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                               const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    if (c->counts.start) {
        show_counts(out, c);
        if (job->steps) CHECK(show_learning(ctx, out, c, &p->source.option));
    } else if (c->n_sequences)
        show_lengths(out, c);
    if (!c->high) {
        cairn_hmm_report_model(out, &c->model, "");
        return CAIRN_OK;
    }
    if (job->steps && c->n_sequences)
        cairn_markov_show(out, c->high, &(cairn_job){.task = CAIRN_CLUSTER});
    cairn_chain_show_contexts(out, c);
    return cairn_report_status(out);
}

/* Tell the chain, then answer what was asked; the long run is always told. */
static cairn_status chain_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    SCOPED(cairn_markov_clear) cairn_markov chain = {0};
    if (job->result && !p->simulate)
        return cairn_fail(ctx, CAIRN_USAGE, "there is a table to write only with {simulate N}");
    CHECK(cairn_markov_read(ctx, &chain, &p->source, job->table, job->model));
    cairn_report_heading(out, 1, "Markov chain");
    CHECK(show_chain(ctx, out, &chain, job));
    CHECK(show_figure(ctx, out, &chain));
    if (p->after) CHECK(forecast(ctx, out, &chain, p->after, job->steps));
    CHECK(long_run(ctx, out, &chain, job->steps));
    if (p->of) CHECK(show_sequences(ctx, out, &chain, p->of));
    if (!p->simulate) return CAIRN_OK;
    return simulate(ctx, out, &chain, (size_t)p->simulate, job->result);
}

const cairn_calculator cairn_compute_chain = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "chain",
         .also = "Markov chain, Markov process, transition matrix, stationary distribution, "
                 "steady state, absorbing state, probability of a state sequence, n-step "
                 "forecast, random walk",
         .title = "Markov chains: forecasts, long run, sequences",
         .summary =
             "A chain of named states, typed as a matrix, in its text form, learned from "
             "sequences by shares of counts, or saved by markov-chain or markov: the distribution "
             "after n steps, the stationary "
             "distribution of every class of states that is never left again, the mean stay "
             "in a state and the mean time until it comes back, the probability of a sequence "
             "with its factors and its logarithm, and a sequence drawn at random. With "
             "--chain-order 2 and more the next state depends on the last ones together: these "
             "contexts are the states of a chain, and its answers are added up over their last "
             "steps.",
         .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                       "77 (1989); Grassmann, Taksar and Heyman, Regenerative analysis and "
                       "steady state distributions for Markov chains, Operations Research 33 "
                       "(1985)",
         .example = "cairn compute chain --states bull,bear,stagnant --transitions "
                    "'0.9,0.075,0.025;0.15,0.8,0.05;0.25,0.5,0.25' --start 0.5,0.3,0.2 "
                    "--after 1,2 --of 'bull stagnant bear bear' --steps",
         .params = chain_table,
         .params_size = sizeof(chain_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "chain",
                .also = "state diagram, transition diagram, Markov chain graph",
                .title = "State diagram of a Markov chain",
                .summary = "The states on a circle, an arrow for every move that is possible with "
                           "its probability, and loops where a state is kept; at most sixteen "
                           "states.",
                .example = "cairn draw chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' "
                           "--out weather.svg",
                .params = picture_table,
                .params_size = sizeof(chain_params)},
    .arguments = "[MODEL | DATA]",
    .takes_data = true,
    .takes_model = true,
    .run = chain_run,
    .draw = chain_draw,
};
