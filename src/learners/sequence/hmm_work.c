/* SPDX-License-Identifier: MIT */
/* Baum and Welch on the board: see hmm_work.h. */
#include "learners/sequence/hmm_work.h"

#include "base/functions.h"
#include "base/memory.h"
#include "learners/sequence/hmm_report.h"

#include <math.h>
#include <stdio.h>

enum {
    WORKED_STATES = 6,
    WORKED_SYMBOLS = 24,
    WORKED_NUMBERS = 3,
    PAIRED_STATES = 3, /* pairs of so many states have columns of their own */
    SHOWN_STEPS = 10,
    LONGEST = 100000
};

typedef struct working {
    cairn_report *out;
    const cairn_hmm_moment *at;
    const cairn_hmm *m;
    const char *prefix;
    const cairn_hmm_tables *x; /* of the sequence */
    double *before;            /* its steps: ln of the factors that alpha lacks */
    cairn_text label;
} working;

static const char *name_of(const working *w, size_t i)
{
    return cairn_map_key(&w->m->states, i);
}

static const char *key_of(const working *w, size_t i)
{
    return cairn_report_key(w->out, name_of(w, i));
}

static const char *label(working *w, const char *symbol, const char *first, const char *second)
{
    w->label.length = 0;
    cairn_text_addf(&w->label, second ? "%s(%s, %s)" : "%s(%s)", symbol, first, second);
    return cairn_text_string(&w->label);
}

/* -- γ and ξ of a sequence -- */

/* One ξ of the first step with its factors; where P is no number any more, by the forward and
 * backward numbers that are divided by their sums. */
static void work_xi(working *w, size_t i, size_t j)
{
    const cairn_hmm_tables *x = w->x;
    size_t n = x->n_states, next = n + j;
    double move = w->m->move[i * n + j], xi = cairn_hmm_tables_xi(x, w->m, 0, i, j);
    const char *of = label(w, "ξ1", name_of(w, i), name_of(w, j));
    if (x->log_p > -600)
        cairn_report_worked(w->out, of, "α1·a·b·β2 / P = #·#·#·# / # = #",
                            x->alpha[i] * cairn_exp(w->before[0]), move, cairn_exp(x->logs[next]),
                            x->beta[next] * cairn_exp(x->log_p - w->before[1]), cairn_exp(x->log_p),
                            xi);
    else
        cairn_report_worked(w->out, of, "α1·a·(b / c2)·β2 = #·#·#·# = #", x->alpha[i], move,
                            cairn_exp(x->logs[next] - x->scale[1]), x->beta[next], xi);
}

/* A row per step: what was seen, γ of every state and, of few states, ξ of every pair. */
static void show_steps(working *w)
{
    SCOPED(cairn_text_clear) cairn_text seen = cairn_text_start(cairn_report_context(w->out));
    size_t n = w->m->n_states, steps = w->x->n_steps;
    bool pairs = n <= PAIRED_STATES;
    cairn_report_table_of(w->out, pairs ? "γ and ξ" : "γ", SHOWN_STEPS, "rl", "step", "seen");
    for (size_t j = 0; j < n; j++)
        cairn_report_column(w->out, label(w, "γ", name_of(w, j), NULL), 'r');
    for (size_t k = 0; k < n * n && pairs; k++)
        cairn_report_column(w->out, label(w, "ξ", name_of(w, k / n), name_of(w, k % n)), 'r');
    for (size_t t = 0; t < steps && t < SHOWN_STEPS; t++) {
        seen.length = 0;
        cairn_hmm_name_step(&seen, w->m, &w->at->seen, t);
        cairn_report_cellf(w->out, "%zu", t + 1);
        cairn_report_cell(w->out, cairn_text_string(&seen));
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(w->out, w->x->gamma[t * n + j], 0, "%sgamma.%zu.%s", w->prefix,
                                     t + 1, key_of(w, j));
        for (size_t k = 0; k < n * n && pairs; k++)
            if (t + 1 < steps)
                cairn_report_cell_number(w->out, cairn_hmm_tables_xi(w->x, w->m, t, k / n, k % n),
                                         0, "%sxi.%zu.%s.%s", w->prefix, t + 1, key_of(w, k / n),
                                         key_of(w, k % n));
            else
                cairn_report_cell(w->out, "");
    }
    cairn_report_table_end(w->out);
    if (steps > SHOWN_STEPS)
        cairn_report_paragraph(w->out, "And so on for %zu more steps.", steps - SHOWN_STEPS);
    cairn_report_failed(w->out, cairn_text_status(&seen));
}

static cairn_status work_sequence(cairn_context *ctx, working *w)
{
    cairn_hmm_tables tables;
    size_t n = w->m->n_states;
    double sum = 0;
    if (!w->at->seen.n || w->at->seen.n > LONGEST) return CAIRN_OK;
    CHECK(cairn_hmm_tables_make(ctx, &tables, w->m, &w->at->seen));
    if (tables.impossible < tables.n_steps) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &w->before, tables.n_steps));
    for (size_t t = 0; t < tables.n_steps; t++) w->before[t] = sum += tables.scale[t];
    w->x = &tables;
    if (w->at->n_sequences > 1)
        cairn_report_paragraph(w->out, "Sequence %zu of %zu:", w->at->number, w->at->n_sequences);
    cairn_report_formula(w->out, "γt(i) = αt(i)·βt(i) / P, ξt(i, j) = αt(i)·a(i, j)·b(j, "
                                 "ot+1)·βt+1(j) / P");
    for (size_t k = 0; k < n * n && n <= PAIRED_STATES && tables.n_steps > 1; k++)
        work_xi(w, k / n, k % n);
    show_steps(w);
    w->x = NULL;
    return CAIRN_OK;
}

/* -- the counts -- */

/* The sums over all steps: a row for each state. */
static void show_counts(working *w)
{
    const cairn_hmm_sums *sums = w->at->sums;
    const cairn_hmm *m = w->m;
    size_t n = m->n_states, d = m->n_numbers, width = d ? 1 + d + d * (d + 1) / 2 : 0;
    cairn_report_table_of(w->out, "Expected counts", 0, "lr", "state", "Σ γ1");
    for (size_t j = 0; j < n; j++)
        cairn_report_column(w->out, label(w, "Σ ξ", "·", name_of(w, j)), 'r');
    for (size_t k = 0; k < m->n_symbols; k++)
        cairn_report_column(w->out, cairn_map_key(&m->symbols, k), 'r');
    if (d) cairn_report_column(w->out, "Σ γt", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell(w->out, name_of(w, i));
        cairn_report_cell_number(w->out, sums->start[i], 0, "%scount.start.%s", w->prefix,
                                 key_of(w, i));
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(w->out, sums->move[i * n + j], 0, "%scount.move.%s.%s",
                                     w->prefix, key_of(w, i), key_of(w, j));
        for (size_t k = 0; k < m->n_symbols; k++)
            cairn_report_cell_number(w->out, sums->emit[k * n + i], 0, "%scount.emit.%s.%s",
                                     w->prefix, key_of(w, i),
                                     cairn_report_key(w->out, cairn_map_key(&m->symbols, k)));
        if (d)
            cairn_report_cell_number(w->out, sums->normal[i * width], 0, "%scount.%s", w->prefix,
                                     key_of(w, i));
    }
    cairn_report_table_end(w->out);
}

/* -- the parameters that come next -- */

/* Shares of one row of counts: "a(i, j) = 1.2 / 3.4 = 0.35". */
static void work_shares(working *w, const char *symbol, const char *from, const cairn_map *names,
                        const double *counts, size_t stride, double more)
{
    double total = 0, k = (double)names->n;
    for (size_t j = 0; j < names->n; j++) total += counts[j * stride];
    if (!(total + more > 0)) return;
    for (size_t j = 0; j < names->n; j++) {
        const char *to = cairn_map_key(names, j);
        const char *of = from ? label(w, symbol, from, to) : label(w, symbol, to, NULL);
        double count = counts[j * stride], share = (count + more) / (total + k * more);
        if (more > 0)
            cairn_report_worked(w->out, of, "(# + #) / (# + #·#) = #", count, more, total, k, more,
                                share);
        else
            cairn_report_worked(w->out, of, "# / # = #", count, total, share);
    }
}

/* Mean and variances of one number of a state; a variance below the floor is lifted to it. */
static void work_number(working *w, const double *sums, const char *state, size_t k, size_t square)
{
    const cairn_hmm_floor *floor = &w->at->floor;
    const double *shift = w->at->sums->shift;
    size_t d = w->m->n_numbers;
    char number[32];
    double weight = sums[0], part = sums[1 + k];
    double mean = part / weight + (shift ? shift[k] : 0);
    double squares = fmax(sums[1 + d + square] - part * part / weight, 0);
    double least = floor->variances ? floor->variances[k] : 0;
    snprintf(number, sizeof number, "%zu", k + 1);
    const char *second = k < w->m->columns.n ? cairn_map_key(&w->m->columns, k)
                         : d > 1             ? number
                                             : NULL;
    cairn_report_worked(w->out, label(w, "mean", state, second), "Σ γt·xt / Σ γt = # / # = #",
                        mean * weight, weight, mean);
    const char *of = label(w, "variance", state, second);
    cairn_report_worked(w->out, of, "Σ γt·(xt − mean)² / Σ γt = # / # = #", squares, weight,
                        squares / weight);
    if (squares / weight < least)
        cairn_report_worked(w->out, of, "# is below the floor: #", squares / weight, least);
}

static void work_normal(working *w, size_t state)
{
    size_t d = w->m->n_numbers, width = 1 + d + d * (d + 1) / 2, square = 0;
    const double *sums = w->at->sums->normal + state * width;
    if (!(sums[0] > 1e-300)) return;
    for (size_t k = 0; k < d; k++) {
        work_number(w, sums, name_of(w, state), k, square);
        square += d - k;
    }
    if (d > 1 && !w->at->floor.diagonal)
        cairn_report_paragraph(w->out,
                               "Covariances likewise: Σ γt·(xt − mean)·(yt − mean) / Σ γt.");
}

/* Whether the sequence lacks numbers. */
static bool has_gaps(const cairn_hmm_seen *seen, size_t d)
{
    for (size_t t = 0; t < seen->n && d; t++)
        if (cairn_hmm_missing(seen->numbers + t * d, d)) return true;
    return false;
}

static void work_parameters(working *w)
{
    const cairn_hmm *m = w->m;
    const cairn_hmm_sums *sums = w->at->sums;
    size_t n = m->n_states;
    cairn_report_formula(w->out, "π(i) = Σ γ1(i) / sequences, a(i, j) = Σ ξt(i, j) / Σ ξt(i, ·)%s",
                         m->n_symbols ? ", b(j, k) = Σ γt(j) of steps with k / Σ γt(j)" : "");
    work_shares(w, "π", NULL, &m->states, sums->start, 1, 0);
    for (size_t i = 0; i < n; i++)
        work_shares(w, "a", name_of(w, i), &m->states, sums->move + i * n, 1, w->at->smooth);
    for (size_t i = 0; i < n && m->n_symbols; i++)
        work_shares(w, "b", name_of(w, i), &m->symbols, sums->emit + i, n, w->at->smooth);
    for (size_t i = 0; i < n && m->n_numbers; i++) work_normal(w, i);
    if (has_gaps(&w->at->seen, m->n_numbers))
        cairn_report_paragraph(w->out, "A missing number counts as what its state expects of it, "
                                       "with the variance that is left.");
}

void cairn_hmm_work(cairn_report *out, const cairn_hmm_moment *at, const char *prefix)
{
    const cairn_hmm *m = at->model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || m->n_states > WORKED_STATES || m->n_symbols > WORKED_SYMBOLS ||
        m->n_numbers > WORKED_NUMBERS)
        return;
    SCOPED_SCRATCH(ctx);
    working w = {.out = out, .at = at, .m = m, .prefix = prefix, .label = cairn_text_start(ctx)};
    cairn_report_failed(out, work_sequence(ctx, &w));
    show_counts(&w);
    work_parameters(&w);
    cairn_report_failed(out, cairn_text_status(&w.label));
    cairn_text_clear(&w.label);
}
