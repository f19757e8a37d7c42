/* SPDX-License-Identifier: MIT */
/* Hill climbing by BIC: arcs are added, deleted and reversed as long as that makes
 *
 *     BIC = Σ over variables of  ln-likelihood(variable | parents) - ln(N) / 2 · free numbers
 *
 * larger. The score of a variable depends on its parents only, so a move changes one term or two:
 *
 *  1. scores without a parent and with one are made first, of counts of each pair that are made
 *     once, and are kept
 *  2. `gains` holds for every pair what adding or deleting the arc would change; a move makes only
 *     the columns of its ends anew, side by side over the threads
 *  3. reversing is deleting one way and adding the other
 *  4. of all moves that leave no circle the best is done; ties go to the first, and a gain must be
 *     more than rounding
 *
 * Rows that lack a cell of a family do not count for it, and its likelihood is scaled up to all
 * rows. A parent whose free numbers cost more than a perfect answer would gain is not counted at
 * all. Cost: moves x columns x rows. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { MOST_MOVES = 100000, MOST_SHOWN_MOVES = 200 };

typedef enum { MOVE_ADD, MOVE_DELETE, MOVE_REVERSE } move_kind;

typedef struct move {
    move_kind kind;
    size_t from, to;
    double gain;
} move;

typedef struct climb {
    const cairn_net_rows *rows;
    size_t n, max_parents;
    bool *arcs;        /* n x n: from x to */
    size_t *n_parents; /* n */
    double *scores;    /* n: in force */
    double *alone;     /* n: without parents */
    double *single;    /* n x n: of `to` with `from` as its only parent */
    cairn_net_pairs pairs;
    double *gains; /* n x n: what changing the arc from -> to adds to the score of `to` */
    double least;  /* that a move must gain */
    size_t now;    /* the variable whose gains are made */
} climb;

/* -- scores -- */

/* Free numbers of a variable with these parents. */
static double free_numbers(const climb *c, size_t v, const size_t *parents, size_t n)
{
    double numbers = c->rows->n_values[v] - 1;
    for (size_t i = 0; i < n; i++) numbers *= c->rows->n_values[parents[i]];
    return numbers;
}

static double penalty(const climb *c, double numbers)
{
    return c->rows->total > 1 ? cairn_log(c->rows->total) / 2 * numbers : 0;
}

/* ln-likelihood of the rows that have all cells; `table` ends with the values of v. Combinations
 * with a missing cell are passed over. */
static double likelihood(const double *table, const cairn_net_rows *rows, const size_t *variables,
                         size_t n, size_t size, double *present)
{
    size_t k = (size_t)rows->n_values[variables[n - 1]];
    double sum = 0;
    *present = 0;
    for (size_t at = 0; at < size; at += k + 1) {
        size_t rest = at / (k + 1);
        bool lacks = false;
        double total = 0;
        for (size_t i = n - 1; i-- > 0;) {
            size_t room = (size_t)rows->n_values[variables[i]] + 1;
            lacks = lacks || rest % room == room - 1;
            rest /= room;
        }
        if (lacks) continue;
        for (size_t l = 0; l < k; l++) total += table[at + l];
        *present += total;
        for (size_t l = 0; l < k; l++)
            if (table[at + l] > 0) sum += table[at + l] * cairn_log(table[at + l] / total);
    }
    return sum;
}

/* Whether the free numbers cost more than any answer could gain. */
static bool is_too_dear(const climb *c, size_t v, double cost)
{
    return cost > c->rows->total * cairn_log((double)c->rows->n_values[v]);
}

static double scaled(const climb *c, double sum, double present, double cost)
{
    return (present > 0 ? sum * (c->rows->total / present) : 0) - cost;
}

/* The score of v with these parents; -inf when they cost more than can be gained. */
static cairn_status score(cairn_context *ctx, double *out, const climb *c, size_t v,
                          const size_t *parents, size_t n)
{
    SCOPED_SCRATCH(ctx);
    const cairn_net_rows *rows = c->rows;
    double cost = penalty(c, free_numbers(c, v, parents, n)), *table, present;
    size_t *variables, size = 1;
    *out = n == 0 ? c->alone[v] : n == 1 ? c->single[parents[0] * c->n + v] : -INFINITY;
    if (n < 2 || is_too_dear(c, v, cost)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &variables, n + 1));
    if (n) memcpy(variables, parents, n * sizeof *parents);
    variables[n] = v;
    for (size_t i = 0; i <= n; i++)
        size = cairn_product(size, (size_t)rows->n_values[variables[i]] + 1);
    if (size > CAIRN_MOST_CELLS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &table, size));
    cairn_net_count(table, rows, variables, n + 1);
    double sum = likelihood(table, rows, variables, n + 1, size, &present);
    *out = scaled(c, sum, present, cost);
    return CAIRN_OK;
}

/* Whether an arc between two variables cannot pay in this direction: then it is not counted. */
static bool cannot_pay(const climb *c, size_t parent, size_t v)
{
    return is_too_dear(c, v, penalty(c, free_numbers(c, v, &parent, 1)));
}

/* Score of a variable with the other of a pair as its parent; `by_parent` and `by_value` are the
 * steps in the table from one value to the next. */
static void score_single(climb *c, const double *table, size_t parent, size_t v, size_t by_parent,
                         size_t by_value)
{
    size_t n = (size_t)c->rows->n_values[parent], k = (size_t)c->rows->n_values[v];
    double cost = penalty(c, free_numbers(c, v, &parent, 1)), sum = 0, present = 0;
    for (size_t i = 0; i < n; i++) {
        const double *row = table + i * by_parent;
        double total = 0;
        for (size_t l = 0; l < k; l++) total += row[l * by_value];
        for (size_t l = 0; l < k; l++)
            if (row[l * by_value] > 0)
                sum += row[l * by_value] * cairn_log(row[l * by_value] / total);
        present += total;
    }
    c->single[parent * c->n + v] =
        cannot_pay(c, parent, v) ? -INFINITY : scaled(c, sum, present, cost);
}

/* The score of a variable without parents. */
static cairn_status score_alone(cairn_context *ctx, climb *c, size_t v)
{
    SCOPED_SCRATCH(ctx);
    size_t k = (size_t)c->rows->n_values[v];
    double *counts, total = 0, sum = 0;
    CHECK(SCRATCH(ctx, &counts, k + 1));
    cairn_net_count(counts, c->rows, &v, 1);
    for (size_t l = 0; l < k; l++) total += counts[l];
    for (size_t l = 0; l < k; l++)
        if (counts[l] > 0) sum += counts[l] * cairn_log(counts[l] / total);
    c->alone[v] = scaled(c, sum, total, penalty(c, free_numbers(c, v, NULL, 0)));
    return CAIRN_OK;
}

/* Scores of a variable without parents, and of its pairs with all that come later. */
static cairn_status score_pairs(cairn_context *ctx, void *data, size_t x)
{
    climb *c = data;
    CHECK(score_alone(ctx, c, x));
    for (size_t y = x + 1; y < c->n; y++) {
        SCOPED_SCRATCH(ctx);
        double *table;
        size_t ky = (size_t)c->rows->n_values[y];
        c->single[x * c->n + y] = c->single[y * c->n + x] = -INFINITY;
        if (cannot_pay(c, x, y) && cannot_pay(c, y, x)) continue;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_net_pair(ctx, &table, &c->pairs, x, y));
        score_single(c, table, x, y, ky, 1);
        score_single(c, table, y, x, 1, ky);
    }
    return CAIRN_OK;
}

/* What adding the arc from -> now, or deleting it when it is there, changes. */
static cairn_status make_gain(cairn_context *ctx, void *data, size_t from)
{
    SCOPED_SCRATCH(ctx);
    climb *c = data;
    size_t v = c->now, *parents, n = 0;
    double *gain = &c->gains[from * c->n + v], changed;
    bool there = c->arcs[from * c->n + v];
    *gain = -INFINITY;
    if (from == v || (!there && c->n_parents[v] >= c->max_parents)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &parents, c->n + 1));
    for (size_t u = 0; u < c->n; u++)
        if (c->arcs[u * c->n + v] != (u == from)) parents[n++] = u;
    CHECK(score(ctx, &changed, c, v, parents, n));
    *gain = changed - c->scores[v];
    return CAIRN_OK;
}

/* Score and gains of a variable whose parents changed. */
static cairn_status refresh(cairn_context *ctx, climb *c, size_t v)
{
    SCOPED_SCRATCH(ctx);
    size_t *parents, n = 0;
    CHECK(SCRATCH(ctx, &parents, c->n + 1));
    for (size_t u = 0; u < c->n; u++)
        if (c->arcs[u * c->n + v]) parents[n++] = u;
    c->n_parents[v] = n;
    CHECK(score(ctx, &c->scores[v], c, v, parents, n));
    c->now = v;
    return cairn_tasks_sized(ctx, c->n, (double)c->n * (double)c->rows->n_rows, make_gain, c);
}

/* -- moves -- */

/* Whether a way leads from a to b; `seen` and `waiting` are room for n. */
static bool leads(const climb *c, size_t a, size_t b, bool *seen, size_t *waiting)
{
    size_t n_waiting = 1;
    memset(seen, 0, c->n * sizeof *seen);
    waiting[0] = a;
    seen[a] = true;
    while (n_waiting) {
        size_t v = waiting[--n_waiting];
        if (v == b) return true;
        for (size_t w = 0; w < c->n; w++)
            if (c->arcs[v * c->n + w] && !seen[w]) {
                seen[w] = true;
                waiting[n_waiting++] = w;
            }
    }
    return false;
}

/* Whether the move leaves no circle. Reversing does when another way leads along the arc. */
static bool is_legal(climb *c, const move *m, bool *seen, size_t *waiting)
{
    bool *arc = &c->arcs[m->from * c->n + m->to], legal = true;
    if (m->kind == MOVE_ADD) return !leads(c, m->to, m->from, seen, waiting);
    if (m->kind == MOVE_REVERSE) {
        *arc = false;
        legal = !leads(c, m->from, m->to, seen, waiting);
        *arc = true;
    }
    return legal;
}

/* The best move; its gain is not above the least when there is none. */
static move best_move(climb *c, bool *seen, size_t *waiting)
{
    move best = {.gain = c->least};
    for (size_t from = 0; from < c->n; from++)
        for (size_t to = 0; to < c->n; to++) {
            bool there = c->arcs[from * c->n + to];
            double change = c->gains[from * c->n + to], back = c->gains[to * c->n + from];
            const move moves[2] = {{there ? MOVE_DELETE : MOVE_ADD, from, to, change},
                                   {MOVE_REVERSE, from, to, change + back}};
            for (size_t i = 0; i < 1 + (size_t)there; i++)
                if (moves[i].gain > best.gain + (best.gain > c->least ? c->least : 0) &&
                    is_legal(c, &moves[i], seen, waiting))
                    best = moves[i];
        }
    return best;
}

static cairn_status do_move(cairn_context *ctx, climb *c, const move *m)
{
    c->arcs[m->from * c->n + m->to] = m->kind == MOVE_ADD;
    if (m->kind == MOVE_REVERSE) {
        c->arcs[m->to * c->n + m->from] = true;
        CHECK(refresh(ctx, c, m->from));
    }
    return refresh(ctx, c, m->to);
}

static double sum_scores(const climb *c)
{
    double sum = 0;
    for (size_t v = 0; v < c->n; v++) sum += c->scores[v];
    return sum;
}

static void show_move(const climb *c, const move *m, size_t number)
{
    static const char *const words[] = {"add", "delete", "reverse"};
    cairn_report *out = c->rows->steps;
    if (!out || number > MOST_SHOWN_MOVES) return;
    cairn_report_cell_number(out, (double)number, 0, NULL);
    cairn_report_cell_word(out, words[m->kind], "move%zu.kind", number);
    cairn_report_cell_word(out, c->rows->names.variables[m->from], "move%zu.from", number);
    cairn_report_cell_word(out, c->rows->names.variables[m->to], "move%zu.to", number);
    cairn_report_cell_number(out, m->gain, 0, "move%zu.gain", number);
    cairn_report_cell_number(out, sum_scores(c), 0, "move%zu.bic", number);
}

/* From no arcs at all: the best move as long as there is one that gains. */
static cairn_status climb_up(cairn_context *ctx, climb *c)
{
    bool *seen;
    size_t *waiting;
    CHECK(SCRATCH(ctx, &seen, c->n + 1));
    CHECK(SCRATCH(ctx, &waiting, c->n + 1));
    CHECK(cairn_net_pairs_open(ctx, &c->pairs, c->rows, c->n, -1));
    CHECK(cairn_tasks_sized(ctx, c->n, (double)c->n * (double)c->n / 2 * (double)c->rows->n_rows,
                            score_pairs, c));
    for (size_t v = 0; v < c->n; v++) CHECK(refresh(ctx, c, v));
    cairn_report_step_begin(c->rows->steps, "Hill climbing by BIC");
    cairn_report_formula(c->rows->steps,
                         "BIC = Σ (ln-likelihood of variable | parents − ln(N)/2 · free numbers)");
    cairn_report_value(c->rows->steps, "without arcs", sum_scores(c), "move0.bic");
    cairn_report_table_of(c->rows->steps, "Moves", MOST_SHOWN_MOVES, "rlllrr", "move", "", "from",
                          "to", "gain", "BIC");
    for (size_t number = 1; number <= MOST_MOVES; number++) {
        CHECK(cairn_tick(ctx, "moves", (double)number, 0));
        move m = best_move(c, seen, waiting);
        if (!(m.gain > c->least)) break;
        CHECK(do_move(ctx, c, &m));
        show_move(c, &m, number);
    }
    cairn_report_table_end(c->rows->steps);
    cairn_report_step_end(c->rows->steps);
    return CAIRN_OK;
}

cairn_status cairn_net_climb(cairn_context *ctx, cairn_net_arcs *out, const cairn_net_rows *rows,
                             size_t max_parents)
{
    climb c = {.rows = rows, .n = rows->n, .max_parents = max_parents};
    size_t cells = cairn_product(c.n, c.n), kept = 0;
    CHECK(SCRATCH(ctx, &c.arcs, cells + 1));
    CHECK(SCRATCH(ctx, &c.gains, cells + 1));
    CHECK(SCRATCH(ctx, &c.scores, c.n + 1));
    CHECK(SCRATCH(ctx, &c.alone, c.n + 1));
    CHECK(SCRATCH(ctx, &c.single, cells + 1));
    CHECK(SCRATCH(ctx, &c.n_parents, c.n + 1));
    c.least = 1e-9 * (1 + rows->total);
    CHECK(climb_up(ctx, &c));
    for (size_t i = 0; i < cells; i++) kept += c.arcs[i];
    CHECK(SCRATCH(ctx, &out->list, kept + 1));
    out->n = 0;
    for (size_t i = 0; i < cells; i++)
        if (c.arcs[i]) out->list[out->n++] = (cairn_arc){(int32_t)(i / c.n), (int32_t)(i % c.n)};
    return CAIRN_OK;
}
