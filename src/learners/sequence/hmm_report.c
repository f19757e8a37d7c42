/* SPDX-License-Identifier: MIT */
/* Tables of hidden Markov models, and the work behind them. */
#include "learners/sequence/hmm_report.h"

#include "base/functions.h"
#include "base/memory.h"

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
static const char *number_name(const cairn_hmm *m, size_t k, char room[32])
{
    snprintf(room, 32, "%zu", k + 1);
    return k < m->columns.n ? cairn_map_key(&m->columns, k) : room;
}

/* Means and covariances: a row per state and number. */
static void show_normals(cairn_report *out, const cairn_hmm *m, const char *prefix)
{
    size_t d = m->n_numbers;
    char head[200], room[32];
    cairn_report_table_of(out, "Normal densities", SHOWN_STATES, m->columns.n ? "llr" : "lrr",
                          "state", "number", "mean");
    for (size_t l = 0; l < d; l++) {
        snprintf(head, sizeof head, "covariance %.150s", number_name(m, l, room));
        cairn_report_column(out, d == 1 ? "variance" : head, 'r');
    }
    for (size_t i = 0; i < m->n_states; i++)
        for (size_t k = 0; k < d; k++) {
            const char *key = cairn_report_key(out, state_name(m, i));
            cairn_report_cell(out, state_name(m, i));
            cairn_report_cell(out, number_name(m, k, room));
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

void cairn_hmm_name_step(cairn_text *out, const cairn_hmm *m, const cairn_hmm_seen *seen, size_t t)
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
    double *room;   /* 3 n_states + 2 */
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
        cairn_hmm_name_step(&w->text, m, w->seen, t);
        cairn_report_cellf(w->out, "%zu", t + 1);
        cairn_report_cell(w->out, cairn_text_string(&w->text));
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
            w->room[2 * i] = value(w, t - 1, i);
            w->room[2 * i + 1] = w->m->move[i * n + j];
            cairn_text_addf(&w->text, "%s#·#", i ? between : open);
        }
        cairn_text_add(&w->text, ")·# = #");
        if (path)
            cairn_text_addf(&w->text, " from %s", state_name(w->m, (size_t)w->x->from[t * n + j]));
        w->room[2 * n] = given_off(w, t, j);
        w->room[2 * n + 1] = value(w, t, j);
        cairn_report_worked_numbers(w->out, label, cairn_text_string(&w->text), w->room, 2 * n + 2);
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
            w->room[3 * j] = w->m->move[i * n + j];
            w->room[3 * j + 1] = given_off(w, t + 1, j);
            w->room[3 * j + 2] = beta_of(w, t + 1, j);
        }
        cairn_report_worked_sum(w->out, label, "#·#·#", w->room, 3, n, beta_of(w, t, i));
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
        cairn_hmm_name_step(&w->text, w->m, w->seen, x->impossible);
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
    CHECK(SCRATCH(ctx, &w->room, 3 * w->x->n_states + 2));
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
