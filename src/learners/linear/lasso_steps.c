/* SPDX-License-Identifier: MIT */
/* The work of lasso as it would be written on a board: sums, the first rounds of updates from 0,
 * the conditions of the minimum; and the path as a table. Everything is in the columns' own
 * units. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/lasso.h"
#include "report/table_rows.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TERMS = 20, SHOWN_ROUNDS = 3, SHORT_PATH = 20 };

void cairn_lasso_history_clear(cairn_lasso_history *history)
{
    FREE_EACH(history->path, history->traced, history->traces, history->events);
    *history = (cairn_lasso_history){0};
}

/* -- steps -- */

typedef struct board {
    cairn_report *out;
    const char *const *names; /* n_terms */
    size_t n, n_terms;
    double q, lasso, ridge;
    double *gram, *side; /* n x n and n, own units */
    double *c;           /* n */
    bool free;
} board;

static const char *name_of(const board *b, size_t j)
{
    return j < b->n_terms ? b->names[j] : "intercept";
}

static const char *key_of(const board *b, size_t j)
{
    return j < b->n_terms ? cairn_term_key(b->out, b->names[j]) : "intercept";
}

static void show_sums(const board *b)
{
    cairn_report_step_begin(b->out, "Sums over the rows");
    cairn_report_paragraph(b->out,
                           b->free ? "Products of the columns with themselves and with the target, "
                                     "about their means: all that is needed of the rows."
                                   : "Products of the columns with themselves and with the target: "
                                     "all that is needed of the rows.");
    cairn_report_table_of(b->out, "Sums", 0, "lrr", "term", "xᵀx", "xᵀy");
    for (size_t j = 0; j < b->n; j++) {
        cairn_report_prefix(b->out, "sums.%s", key_of(b, j));
        cairn_report_cells(b->out, "- @.xx:6 @.xy:6", name_of(b, j), b->gram[j * (b->n + 1)],
                           b->side[j]);
    }
    cairn_report_table_end(b->out);
    cairn_report_step_end(b->out);
}

/* One coefficient after the other, from 0: each is the minimum while the others stand. */
static cairn_status show_rounds(cairn_context *ctx, const board *b)
{
    size_t n = b->n;
    double *c;
    CHECK(SCRATCH(ctx, &c, n + 1));
    for (int round = 1; round <= SHOWN_ROUNDS; round++) {
        cairn_report_step_begin(b->out, "Round %d of updates", round);
        if (round == 1) {
            if (b->q == 1)
                cairn_report_formula(b->out,
                                     "c_j = S(ρ_j, %s) / (x_jᵀx_j%s),  ρ_j = x_jᵀ(y − Σ_{k≠j} c_k "
                                     "x_k),  S(ρ, t) = sign(ρ) max(|ρ| − t, 0)",
                                     b->ridge > 0 ? "λ·mix" : "λ",
                                     b->ridge > 0 ? " + λ(1 − mix)" : "");
            else
                cairn_report_formula(b->out,
                                     "c_j = the least of x_jᵀx_j c²/2 − ρ_j c + λ|c|^q,  ρ_j = "
                                     "x_jᵀ(y − Σ_{k≠j} c_k x_k)");
        }
        cairn_report_table_of(b->out, "Updates", 0, "lrrrrr", "term", "ρ", "less the penalty",
                              "xᵀx", "before", "coefficient");
        for (size_t j = 0; j < n; j++) {
            double xx = b->gram[j * (n + 1)], before = c[j];
            double rho = b->side[j] - cairn_dot(b->gram + j * n, c, n) + xx * c[j];
            if (xx > 0) c[j] = cairn_penalised_number(xx + b->ridge, rho, b->lasso, b->q);
            const char *key = key_of(b, j);
            cairn_report_prefix(b->out, "round%d.%s", round, key);
            cairn_report_cells(b->out, "- @.rho:6 -:6 -:6 -:6", name_of(b, j), rho,
                               c[j] * (xx + b->ridge), xx + b->ridge, before);
            cairn_report_cell_number(b->out, c[j], 6, "round%d.%s", round, key);
        }
        cairn_report_table_end(b->out);
        cairn_report_step_end(b->out);
    }
    return CAIRN_OK;
}

/* At the minimum the slope of the squares balances the penalty, or cannot outweigh it. */
static void show_conditions(const board *b)
{
    cairn_report_step_begin(b->out, "The minimum");
    if (b->q == 1)
        cairn_report_formula(b->out, "c_j ≠ 0: x_jᵀ(y − Xc) = %s;  c_j = 0: |x_jᵀ(y − Xc)| ≤ %s",
                             b->ridge > 0 ? "λ·mix·sign(c_j) + λ(1 − mix) c_j" : "λ sign(c_j)",
                             b->ridge > 0 ? "λ·mix" : "λ");
    cairn_report_table_of(b->out, "Conditions of the minimum", 0, "lrr", "term", "coefficient",
                          "xᵀ(y − Xc)");
    for (size_t j = 0; j < b->n; j++) {
        double slope = b->side[j] - cairn_dot(b->gram + j * b->n, b->c, b->n);
        cairn_report_cells(b->out, "- -:6", name_of(b, j), b->c[j]);
        cairn_report_cell_difference(b->out, slope, b->side[j], 6, "slope.%s", key_of(b, j));
    }
    cairn_report_table_end(b->out);
    cairn_report_step_end(b->out);
}

/* -- knots -- */

/* Where the path bends: between two knots the coefficients that are not 0 move along straight
 * lines, with XᵀX d = their signs, so that their products with the residual fall as λ does; a knot
 * is where another product reaches λ, or a coefficient reaches 0. */
typedef struct homotopy {
    const board *b;
    double *c, *slope;   /* n: coefficients, and products with the residual */
    double *move, *fall; /* n: how both change as λ falls by 1 */
    double *system;      /* n x n */
    size_t *active;
    size_t n_active;
    double lambda;
} homotopy;

static bool is_active(const homotopy *h, size_t j)
{
    for (size_t i = 0; i < h->n_active; i++)
        if (h->active[i] == j) return true;
    return false;
}

/* Directions; *singular = the active columns depend on each other. */
static cairn_status find_directions(cairn_context *ctx, homotopy *h, bool *singular)
{
    const board *b = h->b;
    size_t n = b->n, k = h->n_active;
    double condition, *d = h->fall; /* room until it is filled */
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++)
            h->system[i * k + j] = b->gram[h->active[i] * n + h->active[j]];
        d[i] = h->slope[h->active[i]] > 0 ? 1 : -1;
    }
    CHECK(cairn_solve(ctx, h->system, k, d, 1, &condition));
    *singular = !(condition > 1e-12);
    if (*singular) return CAIRN_OK;
    memset(h->move, 0, n * sizeof *h->move);
    for (size_t i = 0; i < k; i++) h->move[h->active[i]] = d[i];
    for (size_t j = 0; j < n; j++) h->fall[j] = cairn_dot(b->gram + j * n, h->move, n);
    return CAIRN_OK;
}

/* How far λ falls until something happens, and to which term: it enters, or leaves. `last` is the
 * term of the knot before, which cannot come at once. */
static double next_knot(const homotopy *h, size_t last, size_t *term, bool *leaves)
{
    double least = h->lambda, tiny = 1e-10 * h->lambda;
    *term = SIZE_MAX;
    for (size_t j = 0; j < h->b->n; j++) {
        bool active = is_active(h, j);
        double up = (h->lambda - h->slope[j]) / (1 - h->fall[j]);
        double down = (h->lambda + h->slope[j]) / (1 + h->fall[j]);
        double times[2] = {active ? -h->c[j] / h->move[j] : up, active ? NAN : down};
        for (int k = 0; k < 2; k++) {
            if (!(times[k] > (j == last ? tiny : 0)) || !(times[k] < least)) continue;
            least = times[k];
            *term = j;
            *leaves = active;
        }
    }
    return least;
}

static void write_knot(const homotopy *h, size_t number, double factor, const char *event)
{
    const board *b = h->b;
    cairn_report_cells(b->out, "- knot$1.lambda knot$1.event", number, h->lambda / factor, event);
    for (size_t j = 0; j < b->n; j++)
        cairn_report_cell_number(b->out, h->c[j], 0, "knot%zu.%s", number, key_of(b, j));
}

/* Every knot from the least strength that leaves all coefficients 0 down to least squares, where
 * the penalty is Σ |c| alone; `factor`: of it at the strength 1. */
static cairn_status show_knots(cairn_context *ctx, const board *b, double factor)
{
    enum { MOST_KNOTS = 100 };
    size_t n = b->n, term = 0;
    bool leaves = false, singular = false, finite = n > 0;
    homotopy h = {.b = b};
    for (size_t i = 0; i < n * n; i++) finite &= isfinite(b->gram[i]) != 0;
    for (size_t i = 0; i < n; i++) finite &= isfinite(b->side[i]) != 0;
    if (!finite) return CAIRN_OK; /* a constant column, or numbers too large for products */
    CHECK(SCRATCH_EACH(ctx, n, &h.c, &h.slope, &h.move, &h.fall));
    CHECK(SCRATCH(ctx, &h.system, n * n));
    CHECK(SCRATCH(ctx, &h.active, n));
    memcpy(h.slope, b->side, n * sizeof *h.slope);
    for (size_t j = 1; j < n; j++)
        if (fabs(h.slope[j]) > fabs(h.slope[term])) term = j;
    h.lambda = fabs(h.slope[term]);
    if (!(h.lambda > 0)) return CAIRN_OK;
    cairn_report_step_begin(b->out, "Where the path bends");
    cairn_report_formula(b->out, "between knots c moves by d, X_AᵀX_A d_A = sign(c_A), as λ falls "
                                 "by 1");
    cairn_report_table_of(b->out, "Knots", 0, "rrl", "knot", "λ", "enters (+), leaves (−)");
    for (size_t j = 0; j < n; j++) cairn_report_column(b->out, name_of(b, j), 'r');
    for (size_t number = 1; number <= MOST_KNOTS; number++) {
        char event[200];
        bool end = term == SIZE_MAX || h.lambda <= 0;
        snprintf(event, sizeof event, "%s%.150s", leaves ? "− " : "+ ",
                 end ? "" : name_of(b, term));
        write_knot(&h, number, factor, end ? "least squares" : event);
        if (end) break;
        if (leaves) {
            size_t i = 0;
            while (h.active[i] != term) i++;
            h.active[i] = h.active[--h.n_active];
            h.c[term] = 0;
        } else
            h.active[h.n_active++] = term;
        if (!h.n_active) break;
        CHECK(find_directions(ctx, &h, &singular));
        if (singular) break;
        size_t last = term;
        double by = next_knot(&h, last, &term, &leaves);
        for (size_t j = 0; j < n; j++) {
            h.c[j] += by * h.move[j];
            h.slope[j] -= by * h.fall[j];
        }
        h.lambda = term == SIZE_MAX ? 0 : h.lambda - by;
    }
    cairn_report_table_end(b->out);
    if (singular)
        cairn_report_paragraph(b->out, "Below the last knot the columns depend on each other, and "
                                       "the coefficients are not the only ones.");
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

/* The sums in own units. */
static cairn_status fill_board(cairn_context *ctx, board *b, const cairn_lasso_problem *p,
                               double strength, const double *theta)
{
    size_t n = p->n;
    double square = p->x.scale[p->x.n_terms];
    square *= square;
    b->n = n;
    b->n_terms = p->x.n_terms;
    b->q = isnan(p->params->q) ? 1 : p->params->q;
    b->free = p->free;
    cairn_lasso_factors(p, strength, p->all.total, &b->lasso, &b->ridge);
    CHECK(SCRATCH(ctx, &b->gram, n * n + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &b->side, &b->c));
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++)
            b->gram[j * n + k] = p->all.gram[j * n + k] / square / p->units[j] / p->units[k];
        b->side[j] = p->all.side[j] / square / p->units[j];
        b->c[j] = theta[j] * p->units[j];
    }
    return CAIRN_OK;
}

void cairn_lasso_steps(cairn_report *out, const cairn_lasso_problem *p, const cairn_job *job,
                       double strength, const double *theta)
{
    cairn_context *ctx = cairn_report_context(out);
    board b = {.out = out};
    if (!ctx || p->n > SHOWN_TERMS) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = cairn_term_names(ctx, &b.names, job->schema);
    if (!status) status = fill_board(ctx, &b, p, strength, theta);
    if (!status) {
        show_sums(&b);
        if (p->params->protocol == CAIRN_PROTOCOL_BATCH) status = show_rounds(ctx, &b);
        show_conditions(&b);
        double factor, ridge;
        cairn_lasso_factors(p, 1, p->all.total, &factor, &ridge);
        if (!status && b.q == 1 && ridge == 0 && factor > 0) status = show_knots(ctx, &b, factor);
    }
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* -- the path -- */

/* What changes at strength i: "+ name" enters, "− name" leaves. */
static void name_events(cairn_text *text, const cairn_lasso_history *history, size_t i,
                        const char *const *names)
{
    size_t reported = 0;
    text->length = 0;
    for (size_t e = 0; e < history->n_events; e++) {
        int32_t term = history->events[2 * e + 1];
        if ((size_t)history->events[2 * e] != i) continue;
        if (reported++ == 8) cairn_text_add(text, ", …");
        if (reported > 8) continue;
        cairn_text_addf(text, "%s%s %s", reported > 1 ? ", " : "", term < 0 ? "−" : "+",
                        names[term < 0 ? -1 - term : term]);
    }
}

/* The numbers of a strength: as cells, or by name only. */
static void show_numbers(cairn_report *out, const cairn_lasso_history *history, size_t i, bool cell)
{
    static const char *const keys[] = {"lambda", "nonzero", "df", "sse", "r2", "held_out", "error"};
    const double *row = history->path + i * CAIRN_LASSO_COLUMNS;
    double r2 = history->spread > 0 ? 1 - row[CAIRN_LASSO_SSE] / history->spread : NAN;
    double values[] = {row[CAIRN_LASSO_LAMBDA],
                       row[CAIRN_LASSO_NONZERO],
                       row[CAIRN_LASSO_DF],
                       row[CAIRN_LASSO_SSE],
                       r2,
                       row[CAIRN_LASSO_HELD],
                       row[CAIRN_LASSO_ERROR]};
    for (size_t k = 0; k < (history->n_splits ? 7 : 5); k++)
        if (cell)
            cairn_report_cell_number(out, values[k], 6, "path%zu.%s", i + 1, keys[k]);
        else
            cairn_report_hidden(out, values[k], "path%zu.%s", i + 1, keys[k]);
}

/* A long path is cut to the strengths where a coefficient enters or leaves, the chosen one and the
 * last. */
static void show_table(cairn_report *out, const cairn_lasso_history *history, cairn_text *text,
                       const char *const *names)
{
    bool all = history->n_path <= SHORT_PATH;
    cairn_report_table_of(
        out, all ? "Path of strengths" : "Strengths at which coefficients enter or leave", 200,
        "rrrrr", "λ", "other than 0", "df", "squared errors", "R²");
    if (history->n_splits) cairn_report_columns(out, "rr", "held-out, per row", "its error");
    cairn_report_column(out, "enters (+), leaves (−)", 'l');
    for (size_t i = 0; i < history->n_path; i++) {
        bool end = i == history->chosen || i + 1 == history->n_path;
        name_events(text, history, i, names);
        bool shown = all || end || text->length;
        show_numbers(out, history, i, shown);
        if (!shown) continue;
        if (i == history->chosen) cairn_report_row_mark(out);
        cairn_report_cell(out, text->length ? cairn_text_string(text) : "");
    }
    cairn_report_table_end(out);
}

void cairn_lasso_show_path(cairn_report *out, const cairn_lasso_history *history,
                           const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    if (!status) {
        show_table(out, history, &text, names);
        /* The λ at which each coefficient is first other than 0. */
        for (size_t e = history->n_events; e-- > 0;) {
            int32_t term = history->events[2 * e + 1];
            size_t at = (size_t)history->events[2 * e];
            if (term < 0) continue;
            cairn_report_hidden(out, history->path[at * CAIRN_LASSO_COLUMNS + CAIRN_LASSO_LAMBDA],
                                "enters.%s", cairn_term_key(out, names[term]));
        }
        status = cairn_text_status(&text);
    }
    cairn_report_failed(out, status);
    cairn_text_clear(&text);
    cairn_scratch_release(ctx, mark);
}
