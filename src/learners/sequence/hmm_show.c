/* SPDX-License-Identifier: MIT */
/* Tables of hidden Markov models, and the work behind them. */
#include "learners/sequence/hmm.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/sequence/markov.h"
#include "model/learned.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

enum {
    SHOWN_STATES = 30,
    SHOWN_STEPS = 50,
    WORKED_STATES = 6,
    WORKED_STEPS = 3,
    MOST_STEPS = 1000
};

static const char *state_name(const cairn_hmm *m, size_t i)
{
    return cairn_map_key(&m->states, i);
}

/* -- the model -- */

/* A row per state: probabilities of the names. */
static void show_matrix(cairn_report *out, const cairn_hmm *m, const char *title,
                        const char *prefix, const char *word, const double *rows,
                        const cairn_map *names)
{
    cairn_report_table_of(out, title, SHOWN_STATES, "l", "state");
    for (size_t j = 0; j < names->n; j++) cairn_report_column(out, cairn_map_key(names, j), 'r');
    for (size_t i = 0; i < m->n_states; i++) {
        const char *key = cairn_report_key(out, state_name(m, i));
        cairn_report_cell(out, state_name(m, i));
        for (size_t j = 0; j < names->n; j++)
            cairn_report_cell_number(out, rows[i * names->n + j], 0, "%s%s.%s.%s", prefix, word,
                                     key, cairn_report_key(out, cairn_map_key(names, j)));
    }
    cairn_report_table_end(out);
}

static void show_moves(cairn_report *out, const cairn_hmm *m, const char *prefix)
{
    size_t n = m->n_states;
    cairn_report_table_of(out, "Start and moves", SHOWN_STATES, "lr", "from", "start");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, state_name(m, j), 'r');
    for (size_t i = 0; i < n; i++) {
        const char *from = cairn_report_key(out, state_name(m, i));
        cairn_report_cell(out, state_name(m, i));
        cairn_report_cell_number(out, m->start[i], 0, "%sstart.%s", prefix, from);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, m->move[i * n + j], 0, "%smove.%s.%s", prefix, from,
                                     cairn_report_key(out, state_name(m, j)));
    }
    cairn_report_table_end(out);
}

/* What number k is called: as its column, or the k-th. */
static const char *number_name(const cairn_hmm *m, size_t k, char buffer[32])
{
    snprintf(buffer, 32, "%zu", k + 1);
    return k < m->columns.n ? cairn_map_key(&m->columns, k) : buffer;
}

/* Means and covariances: a row per state and number. */
static void show_normals(cairn_report *out, const cairn_hmm *m, const char *prefix)
{
    size_t d = m->n_numbers;
    char head[200], buffer[32];
    cairn_report_table_of(out, "Normal densities", SHOWN_STATES, m->columns.n ? "llr" : "lrr",
                          "state", "number", "mean");
    for (size_t l = 0; l < d; l++) {
        snprintf(head, sizeof head, "covariance %.150s", number_name(m, l, buffer));
        cairn_report_column(out, d == 1 ? "variance" : head, 'r');
    }
    for (size_t i = 0; i < m->n_states; i++)
        for (size_t k = 0; k < d; k++) {
            const char *key = cairn_report_key(out, state_name(m, i));
            cairn_report_cells(out, NULL, state_name(m, i), number_name(m, k, buffer));
            cairn_report_cell_number(out, m->mean[i * d + k], 0, "%smean.%s.%zu", prefix, key,
                                     k + 1);
            for (size_t l = 0; l < d; l++)
                cairn_report_cell_number(out, m->covariance[(i * d + k) * d + l], 0,
                                         "%scovariance.%s.%zu.%zu", prefix, key, k + 1, l + 1);
        }
    cairn_report_table_end(out);
}

void cairn_hmm_report_model(cairn_report *out, const cairn_hmm *m, const char *prefix)
{
    cairn_report_hidden(out, (double)m->n_states, "%sstates", prefix);
    if (m->n_states > SHOWN_STATES) {
        cairn_report_paragraph(out, "Tables of more than %d states are left out.", SHOWN_STATES);
        return;
    }
    show_moves(out, m, prefix);
    if (m->n_symbols && m->n_symbols <= SHOWN_STATES)
        show_matrix(out, m, "Given off", prefix, "emit", m->emit, &m->symbols);
    else if (m->n_symbols)
        cairn_report_paragraph(out, "The table of %zu symbols is left out.", m->n_symbols);
    if (m->n_numbers && m->n_numbers <= SHOWN_STATES) show_normals(out, m, prefix);
}

/* -- a sequence -- */

/* What a step of the sequence gives off, as a word. */
static void name_step(cairn_text *out, const cairn_hmm *m, const cairn_hmm_seen *seen, size_t t)
{
    if (seen->symbols) {
        cairn_text_add(
            out, seen->symbols[t] < 0 ? "?" : cairn_map_key(&m->symbols, (size_t)seen->symbols[t]));
        return;
    }
    for (size_t k = 0; k < m->n_numbers; k++) {
        if (k) cairn_text_add(out, ", ");
        if (isnan(seen->numbers[t * m->n_numbers + k]))
            cairn_text_add(out, "?");
        else
            cairn_text_add_number(out, seen->numbers[t * m->n_numbers + k], 6);
    }
}

/* What the tables of one sequence are told with. */
typedef struct telling {
    cairn_report *out;
    const cairn_hmm *m;
    const cairn_hmm_seen *seen;
    const cairn_hmm_tables *x;
    const char *prefix;
    double *before; /* n_steps: ln of the factors that alpha lacks, those of beta are the rest */
    double *buffer; /* 3 n_states + 2 */
    cairn_text text, label;
} telling;

static double alpha_of(const telling *w, size_t t, size_t j)
{
    return w->x->alpha[t * w->x->n_states + j] * cairn_exp(w->before[t]);
}

static double beta_of(const telling *w, size_t t, size_t j)
{
    return w->x->beta[t * w->x->n_states + j] * cairn_exp(w->x->log_p - w->before[t]);
}

static double given_off(const telling *w, size_t t, size_t j)
{
    return cairn_exp(w->x->logs[t * w->x->n_states + j]);
}

static double delta_of(const telling *w, size_t t, size_t j)
{
    return cairn_exp(w->x->delta[t * w->x->n_states + j]);
}

static double log_delta_of(const telling *w, size_t t, size_t j)
{
    return w->x->delta[t * w->x->n_states + j];
}

static double gamma_of(const telling *w, size_t t, size_t j)
{
    return w->x->gamma[t * w->x->n_states + j];
}

/* One table: a row per step, a column per state, and the state that is decided on, if any. */
static void show_table(telling *w, const char *title, const char *word,
                       double (*value)(const telling *, size_t, size_t), const int32_t *decided,
                       const char *decided_word)
{
    const cairn_hmm *m = w->m;
    cairn_report_table_of(w->out, title, SHOWN_STEPS, "rl", "step", "seen");
    for (size_t j = 0; j < m->n_states; j++) cairn_report_column(w->out, state_name(m, j), 'r');
    if (decided) cairn_report_column(w->out, decided_word, 'l');
    for (size_t t = 0; t < w->x->n_steps; t++) {
        w->text.length = 0;
        name_step(&w->text, m, w->seen, t);
        cairn_report_cells(w->out, NULL, t + 1, cairn_text_string(&w->text));
        for (size_t j = 0; j < m->n_states; j++)
            cairn_report_cell_number(w->out, value(w, t, j), 0, "%s%s.%zu.%s", w->prefix, word,
                                     t + 1, cairn_report_key(w->out, state_name(m, j)));
        if (decided)
            cairn_report_cell_word(w->out,
                                   decided[t] < 0 ? "none" : state_name(m, (size_t)decided[t]),
                                   "%s%s.%zu", w->prefix, decided_word, t + 1);
    }
    cairn_report_table_end(w->out);
}

/* -- the work -- */

static const char *label_of(telling *w, const char *symbol, size_t t, size_t j)
{
    w->label.length = 0;
    cairn_text_addf(&w->label, "%s%zu(%s)", symbol, t + 1, state_name(w->m, j));
    return cairn_text_string(&w->label);
}

/* What of step t comes from all states of the one before: "(#·# + #·#)·# = #". */
static void work_from_before(telling *w, size_t t, const char *symbol, const char *open,
                             const char *between, double (*value)(const telling *, size_t, size_t),
                             bool path)
{
    size_t n = w->x->n_states;
    for (size_t j = 0; j < n; j++) {
        const char *label = label_of(w, symbol, t, j);
        if (!t) {
            cairn_report_worked(w->out, label, "π·b = #·# = #", w->m->start[j], given_off(w, t, j),
                                value(w, t, j));
            continue;
        }
        w->text.length = 0;
        for (size_t i = 0; i < n; i++) {
            w->buffer[2 * i] = value(w, t - 1, i);
            w->buffer[2 * i + 1] = w->m->move[i * n + j];
            cairn_text_addf(&w->text, "%s#·#", i ? between : open);
        }
        cairn_text_add(&w->text, ")·# = #");
        if (path)
            cairn_text_addf(&w->text, " from %s", state_name(w->m, (size_t)w->x->from[t * n + j]));
        w->buffer[2 * n] = given_off(w, t, j);
        w->buffer[2 * n + 1] = value(w, t, j);
        cairn_report_worked_numbers(w->out, label, cairn_text_string(&w->text), w->buffer,
                                    2 * n + 2);
    }
}

/* alpha of step t: (Σ alpha(i)·a(i, j))·b(j) with the numbers. */
static void work_forward(telling *w, size_t t)
{
    work_from_before(w, t, "α", "(", " + ", alpha_of, false);
}

/* beta of step t: Σ a(i, j)·b(j)·beta(j). */
static void work_backward(telling *w, size_t t)
{
    size_t n = w->x->n_states;
    for (size_t i = 0; i < n; i++) {
        const char *label = label_of(w, "β", t, i);
        if (t + 1 == w->x->n_steps) {
            cairn_report_worked(w->out, label, "#", 1);
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            w->buffer[3 * j] = w->m->move[i * n + j];
            w->buffer[3 * j + 1] = given_off(w, t + 1, j);
            w->buffer[3 * j + 2] = beta_of(w, t + 1, j);
        }
        cairn_report_worked_sum(w->out, label, "#·#·#", w->buffer, 3, n, beta_of(w, t, i));
    }
}

/* delta of step t: max delta(i)·a(i, j), times b(j). */
static void work_path(telling *w, size_t t)
{
    work_from_before(w, t, "δ", "max(", ", ", delta_of, true);
}

static void work_posterior(telling *w, size_t t)
{
    for (size_t j = 0; j < w->x->n_states; j++)
        cairn_report_worked(w->out, label_of(w, "γ", t, j), "#·# / # = #", alpha_of(w, t, j),
                            beta_of(w, t, j), cairn_exp(w->x->log_p), gamma_of(w, t, j));
}

/* The first steps of a pass, or its last ones where it begins at the end. */
static void work(telling *w, const char *title, const char *formula, void (*one)(telling *, size_t),
                 bool back)
{
    size_t n = w->x->n_steps;
    if (w->m->n_states > WORKED_STATES || w->x->impossible < n) return;
    cairn_report_step_begin(w->out, "%s", title);
    cairn_report_formula(w->out, "%s", formula);
    for (size_t k = 0; k < n && k < WORKED_STEPS; k++) one(w, back ? n - 1 - k : k);
    if (n > WORKED_STEPS)
        cairn_report_paragraph(w->out, "And so on for %zu more steps: the table has them.",
                               n - WORKED_STEPS);
    cairn_report_step_end(w->out);
}

/* -- all of it -- */

/* A probability by its logarithm; one below the smallest number as a power of ten. */
static void show_probability(telling *w, const char *label, double log, const char *key)
{
    static const double ln_ten = 2.3025850929940456840;
    if (isinf(log) || log > -700) {
        cairn_report_value(w->out, label, cairn_exp(log), "%s%s", w->prefix, key);
        return;
    }
    double power = floor(log / ln_ten);
    w->text.length = 0;
    cairn_text_add_number(&w->text, cairn_exp(log - power * ln_ten), 3);
    cairn_text_addf(&w->text, "e%ld", (long)power);
    cairn_report_word(w->out, label, cairn_text_string(&w->text), "%s%s", w->prefix, key);
}

/* What the tables come to, and where the two ways of decoding differ. */
static void show_results(telling *w)
{
    const cairn_hmm_tables *x = w->x;
    show_probability(w, "P(sequence)", x->log_p, "p");
    cairn_report_value(w->out, "ln P(sequence)", x->log_p, "%slog", w->prefix);
    show_probability(w, "P(Viterbi path)", x->log_path, "viterbi.p");
    cairn_report_value(w->out, "ln P(Viterbi path)", x->log_path, "%sviterbi.log", w->prefix);
    cairn_report_hidden(w->out, (double)x->n_steps, "%slength", w->prefix);
    if (x->impossible < x->n_steps) {
        w->text.length = 0;
        name_step(&w->text, w->m, w->seen, x->impossible);
        cairn_report_note(w->out,
                          "Impossible: no state that can be reached at step %zu gives '%s' off.",
                          x->impossible + 1, cairn_text_string(&w->text));
        return;
    }
    size_t differ = 0;
    for (size_t t = 0; t < x->n_steps; t++) differ += x->path[t] != x->decoded[t];
    cairn_report_hidden(w->out, (double)differ, "%sdiffer", w->prefix);
    if (differ)
        cairn_report_note(w->out,
                          "At %zu of %zu steps the most probable state is not the one on the most "
                          "probable path.",
                          differ, x->n_steps);
}

/* The tables; those of products only while these are numbers at all. */
static void tell(telling *w, bool steps)
{
    bool small = w->x->log_p > -600; /* else products are no numbers any more */
    if (steps && small) {
        work(w, "Forward", "α1(j) = π(j)·b(j, o1), αt(j) = (Σ αt−1(i)·a(i, j))·b(j, ot)",
             work_forward, false);
        work(w, "Backward", "βT(i) = 1, βt(i) = Σ a(i, j)·b(j, ot+1)·βt+1(j)", work_backward, true);
        work(w, "Posterior", "γt(j) = αt(j)·βt(j) / P(sequence)", work_posterior, false);
        work(w, "Viterbi", "δ1(j) = π(j)·b(j, o1), δt(j) = max δt−1(i)·a(i, j)·b(j, ot)", work_path,
             false);
    }
    if (small && w->x->impossible == w->x->n_steps) {
        show_table(w, "Forward", "forward", alpha_of, NULL, NULL);
        show_table(w, "Backward", "backward", beta_of, NULL, NULL);
    }
    if (w->x->impossible == w->x->n_steps)
        show_table(w, "Posterior: P(state | sequence)", "gamma", gamma_of, w->x->decoded,
                   "posterior");
    if (small)
        show_table(w, "Viterbi", "delta", delta_of, w->x->path, "path");
    else
        show_table(w, "Viterbi, logarithms", "log-delta", log_delta_of, w->x->path, "path");
}

static cairn_status tell_tables(cairn_context *ctx, telling *w, bool steps)
{
    SCOPED_SCRATCH(ctx);
    double sum = 0;
    CHECK(SCRATCH(ctx, &w->before, w->x->n_steps));
    CHECK(SCRATCH(ctx, &w->buffer, 3 * w->x->n_states + 2));
    for (size_t t = 0; t < w->x->n_steps; t++) w->before[t] = sum += w->x->scale[t];
    if (w->x->n_steps <= MOST_STEPS)
        tell(w, steps);
    else
        cairn_report_paragraph(w->out, "Tables of more than %d steps are left out.", MOST_STEPS);
    show_results(w);
    return CAIRN_OK;
}

void cairn_hmm_report_tables(cairn_report *out, const cairn_hmm *m, const cairn_hmm_seen *seen,
                             const cairn_hmm_tables *tables, const char *prefix, bool steps)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    telling w = {out,
                 m,
                 seen,
                 tables,
                 prefix,
                 .text = cairn_text_start(ctx),
                 .label = cairn_text_start(ctx)};
    cairn_report_failed(out, tell_tables(ctx, &w, steps));
    cairn_report_failed(out, cairn_text_status(&w.text));
    cairn_report_failed(out, cairn_text_status(&w.label));
    cairn_text_clear(&w.text);
    cairn_text_clear(&w.label);
}

/* -- Baum and Welch on the board -- */

enum {
    BOARD_STATES = 6,
    WORKED_SYMBOLS = 24,
    WORKED_NUMBERS = 3,
    PAIRED_STATES = 3, /* pairs of so many states have columns of their own */
    BOARD_STEPS = 10,
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

static const char *name_on_board(const working *w, size_t i)
{
    return cairn_map_key(&w->m->states, i);
}

static const char *key_of(const working *w, size_t i)
{
    return cairn_report_key(w->out, name_on_board(w, i));
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
    const char *of = label(w, "ξ1", name_on_board(w, i), name_on_board(w, j));
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
    cairn_report_table_of(w->out, pairs ? "γ and ξ" : "γ", BOARD_STEPS, "rl", "step", "seen");
    for (size_t j = 0; j < n; j++)
        cairn_report_column(w->out, label(w, "γ", name_on_board(w, j), NULL), 'r');
    for (size_t k = 0; k < n * n && pairs; k++)
        cairn_report_column(w->out, label(w, "ξ", name_on_board(w, k / n), name_on_board(w, k % n)),
                            'r');
    for (size_t t = 0; t < steps && t < BOARD_STEPS; t++) {
        seen.length = 0;
        name_step(&seen, w->m, &w->at->seen, t);
        cairn_report_cells(w->out, NULL, t + 1, cairn_text_string(&seen));
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
    if (steps > BOARD_STEPS)
        cairn_report_paragraph(w->out, "And so on for %zu more steps.", steps - BOARD_STEPS);
    cairn_report_failed(w->out, cairn_text_status(&seen));
}

/* Nothing is written of a sequence that is empty, too long for the board, or impossible. */
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
        cairn_report_column(w->out, label(w, "Σ ξ", "·", name_on_board(w, j)), 'r');
    for (size_t k = 0; k < m->n_symbols; k++)
        cairn_report_column(w->out, cairn_map_key(&m->symbols, k), 'r');
    if (d) cairn_report_column(w->out, "Σ γt", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell(w->out, name_on_board(w, i));
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
        work_number(w, sums, name_on_board(w, state), k, square);
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
        work_shares(w, "a", name_on_board(w, i), &m->states, sums->move + i * n, 1, w->at->smooth);
    for (size_t i = 0; i < n && m->n_symbols; i++)
        work_shares(w, "b", name_on_board(w, i), &m->symbols, sums->emit + i, n, w->at->smooth);
    for (size_t i = 0; i < n && m->n_numbers; i++) work_normal(w, i);
    if (has_gaps(&w->at->seen, m->n_numbers))
        cairn_report_paragraph(w->out, "A missing number counts as what its state expects of it, "
                                       "with the variance that is left.");
}

void cairn_hmm_work(cairn_report *out, const cairn_hmm_moment *at, const char *prefix)
{
    const cairn_hmm *m = at->model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || m->n_states > BOARD_STATES || m->n_symbols > WORKED_SYMBOLS ||
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

/* What learned hidden Markov models tell: themselves, their course, and why a row is of a class. */

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
static void show_course(cairn_report *out, const cairn_hmm_model *m, const cairn_hmm_history *a,
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
    const cairn_hmm_history *a = job->history;
    const double *at = a ? a->values : NULL;
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
        cairn_report_cells(out, "- prior.$1 log.$1", name, prior - cairn_log(total), logs[c]);
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

/* -- hidden Markov models as tables -- */

/* The class whose model it is; NULL where one model is of all rows. */
static const char *class_of(const cairn_hmm_model *m, const cairn_job *job, size_t i)
{
    return m->n_models > 1 ? cairn_learned_class(job, (int64_t)i) : NULL;
}

static const char *word_at(const cairn_map *names, size_t i)
{
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

static void write_moves(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_ledger_columns(out, "llln", "class", "from", "to", "probability");
    for (size_t k = 0; k < m->n_models; k++) {
        const cairn_hmm *h = &m->models[k];
        for (size_t i = 0; i <= h->n_states; i++) /* the first row is the start */
            for (size_t j = 0; j < h->n_states; j++) {
                cairn_ledger_cells(
                    out, class_of(m, job, k), i ? word_at(&h->states, i - 1) : "(start)",
                    word_at(&h->states, j), i ? h->move[(i - 1) * h->n_states + j] : h->start[j]);
            }
    }
}

static bool has_symbols(const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    (void)job;
    return m->n_models && m->models[0].n_symbols;
}

static void write_emissions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_ledger_columns(out, "llln", "class", "state", "symbol", "probability");
    for (size_t k = 0; k < m->n_models; k++) {
        const cairn_hmm *h = &m->models[k];
        for (size_t i = 0; i < h->n_states; i++)
            for (size_t s = 0; s < h->n_symbols; s++) {
                cairn_ledger_cells(out, class_of(m, job, k), word_at(&h->states, i),
                                   word_at(&h->symbols, s), h->emit[i * h->n_symbols + s]);
            }
    }
}

static bool has_numbers(const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    (void)job;
    return m->n_models && m->models[0].n_numbers;
}

static void write_means(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    SCOPED(cairn_map_clear) cairn_map columns = {0};
    cairn_ledger_failed(out, cairn_hmm_name_numbers(out->ctx, &columns, job->schema, m->shape));
    cairn_ledger_columns(out, "lllnln", "class", "state", "column", "mean", "with", "covariance");
    for (size_t k = 0; k < m->n_models; k++)
        for (size_t i = 0; i < m->models[k].n_states; i++) {
            /* The vectors of a state: mean and covariance of every pair of their numbers, by
             * their names. */
            const cairn_hmm *h = &m->models[k];
            const char *class = class_of(m, job, k);
            size_t d = h->n_numbers;
            for (size_t a = 0; a < d; a++)
                for (size_t b = 0; b < d; b++) {
                    cairn_ledger_cells(out, class, word_at(&h->states, i), word_at(&columns, a),
                                       h->mean[i * d + a], word_at(&columns, b),
                                       h->covariance[(i * d + a) * d + b]);
                }
        }
}

const cairn_learned cairn_hmm_learned[] = {
    CAIRN_LEARNED("transitions", "move from a state, or from the start, to a state", write_moves),
    CAIRN_LEARNED("emissions", "symbol that a state gives off", write_emissions,
                  .has = has_symbols),
    CAIRN_LEARNED("distributions", "pair of numbers that a state gives off: mean and covariance",
                  write_means, .has = has_numbers),
    CAIRN_LEARNED_END};
