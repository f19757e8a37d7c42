/* SPDX-License-Identifier: MIT */
/* Hill climbing by BIC: arcs are added, deleted and reversed as long as that makes
 *
 *     score = Σ over variables of  ln-likelihood(variable | parents) - ln(N) / 2 · free numbers,
 *     which is -BIC / 2
 *
 * larger. A new parent u of v beside the parents P changes one term only,
 *
 *     gain = N · I(u; v | P) - ln(N) / 2 · more free numbers
 *
 *  1. the information of each pair is made of counts that are made once, and kept
 *  2. `gains` holds for every pair what adding or deleting the arc would change; a move makes only
 *     the columns of its ends anew, side by side over the threads
 *  3. reversing is deleting one way and adding the other
 *  4. of all moves that leave no circle the best is done; ties go to the first, and a gain must be
 *     more than rounding
 *
 * Rows that lack one of the cells do not count for the information, which is scaled up to all rows.
 * Gains of different rows need not add up, so a graph that was there is not visited again. A parent
 * whose free numbers cost more than a perfect answer would gain is not counted at all. Cost: moves
 * x columns x rows. */
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
    bool *arcs;          /* n x n: from x to */
    size_t *n_parents;   /* n */
    double *scores;      /* n: the terms of the score */
    double *information; /* n x n: N · I(x; y); 0 where no arc could pay */
    cairn_net_pairs pairs;
    double *gains;            /* n x n: what changing the arc from -> to adds to the term of `to` */
    double least;             /* that a move must gain */
    size_t now;               /* the variable whose gains are made */
    uint64_t graph, *visited; /* a number for the graph, and those that were there */
    size_t n_visited;
} climb;

/* -- gains -- */

static double penalty(const climb *c, double numbers)
{
    return c->rows->total > 1 ? cairn_log(c->rows->total) / 2 * numbers : 0;
}

/* Free numbers of a variable with these parents. */
static double free_numbers(const climb *c, size_t v, const size_t *parents, size_t n)
{
    double numbers = c->rows->n_values[v] - 1;
    for (size_t i = 0; i < n; i++) numbers *= c->rows->n_values[parents[i]];
    return numbers;
}

/* Whether an arc between two variables costs more than any answer could gain. */
static bool is_too_dear(const climb *c, size_t u, size_t v, double price)
{
    int32_t k =
        c->rows->n_values[u] < c->rows->n_values[v] ? c->rows->n_values[u] : c->rows->n_values[v];
    return price > c->rows->total * cairn_log((double)k);
}

/* Whether place `at` of a table over these variables is one of missing cells. */
static bool is_missing_place(const cairn_net_rows *rows, const size_t *variables, size_t n,
                             size_t at)
{
    for (size_t i = n; i-- > 0;) {
        size_t room = (size_t)rows->n_values[variables[i]] + 1;
        if (at % room == room - 1) return true;
        at /= room;
    }
    return false;
}

/* N · I(u; v | others) of the counts of others, u and v, scaled up to all rows. */
static cairn_status sum_information(cairn_context *ctx, double *out, const climb *c,
                                    const double *table, const size_t *variables, size_t n_others,
                                    size_t n_tables)
{
    const cairn_net_rows *rows = c->rows;
    size_t ku = (size_t)rows->n_values[variables[n_others]];
    size_t kv = (size_t)rows->n_values[variables[n_others + 1]];
    double *a, *b, sum = 0, present = 0;
    CHECK(SCRATCH(ctx, &a, ku));
    CHECK(SCRATCH(ctx, &b, kv));
    for (size_t at = 0; at < n_tables; at++)
        if (!is_missing_place(rows, variables, n_others, at))
            sum += cairn_net_information(table + at * (ku + 1) * (kv + 1), ku, kv, kv + 1, a, b,
                                         &present);
    *out = present > 0 ? fmax(0, sum) * (rows->total / present) : 0;
    return CAIRN_OK;
}

/* Count others, u and v, and make their information; false when the table would be too large. */
static cairn_status measure(cairn_context *ctx, double *out, bool *counted, const climb *c,
                            const size_t *variables, size_t n_others)
{
    size_t n_tables = 1, size;
    double *table;
    for (size_t i = 0; i < n_others; i++)
        n_tables = cairn_product(n_tables, (size_t)c->rows->n_values[variables[i]] + 1);
    size = cairn_product(n_tables, (size_t)c->rows->n_values[variables[n_others]] + 1);
    size = cairn_product(size, (size_t)c->rows->n_values[variables[n_others + 1]] + 1);
    *counted = size <= CAIRN_MOST_CELLS;
    if (!*counted) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &table, size));
    cairn_net_count(table, c->rows, variables, n_others + 2);
    return sum_information(ctx, out, c, table, variables, n_others, n_tables);
}

/* What adding the arc from -> now, or deleting it when it is there, changes. */
static cairn_status make_gain(cairn_context *ctx, void *data, size_t from)
{
    SCOPED_SCRATCH(ctx);
    climb *c = data;
    size_t v = c->now, *variables, n = 0;
    double *gain = &c->gains[from * c->n + v], information = c->information[from * c->n + v];
    bool there = c->arcs[from * c->n + v], counted = true;
    *gain = -INFINITY;
    if (from == v || (!there && c->n_parents[v] >= c->max_parents)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &variables, c->n + 1));
    for (size_t u = 0; u < c->n; u++)
        if (c->arcs[u * c->n + v] && u != from) variables[n++] = u;
    double price =
        penalty(c, free_numbers(c, v, variables, n) * (double)(c->rows->n_values[from] - 1));
    if (!there && is_too_dear(c, from, v, price)) return CAIRN_OK;
    variables[n] = from;
    variables[n + 1] = v;
    if (n) CHECK(measure(ctx, &information, &counted, c, variables, n));
    if (counted) *gain = there ? price - information : information - price;
    return CAIRN_OK;
}

/* Gains of a variable whose parents changed. */
static cairn_status refresh(cairn_context *ctx, climb *c, size_t v)
{
    c->n_parents[v] = 0;
    for (size_t u = 0; u < c->n; u++) c->n_parents[v] += c->arcs[u * c->n + v];
    c->now = v;
    return cairn_tasks_sized(ctx, c->n, (double)c->n * (double)c->rows->n_rows, make_gain, c);
}

/* -- the start -- */

/* The term of a variable without parents. */
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
    c->scores[v] =
        (total > 0 ? sum * (c->rows->total / total) : 0) - penalty(c, free_numbers(c, v, NULL, 0));
    return CAIRN_OK;
}

/* A variable without parents, and its information with all that come later. */
static cairn_status start_variable(cairn_context *ctx, void *data, size_t x)
{
    climb *c = data;
    CHECK(score_alone(ctx, c, x));
    for (size_t y = x + 1; y < c->n; y++) {
        SCOPED_SCRATCH(ctx);
        size_t ka = (size_t)c->rows->n_values[x], kb = (size_t)c->rows->n_values[y];
        double *table, *a, *b, sum, present = 0;
        if (is_too_dear(c, x, y, penalty(c, (double)(ka - 1) * (double)(kb - 1)))) continue;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_net_pair(ctx, &table, &c->pairs, x, y));
        CHECK(SCRATCH(ctx, &a, ka));
        CHECK(SCRATCH(ctx, &b, kb));
        sum = cairn_net_information(table, ka, kb, kb, a, b, &present);
        c->information[x * c->n + y] = c->information[y * c->n + x] =
            present > 0 ? fmax(0, sum) * (c->rows->total / present) : 0;
    }
    return CAIRN_OK;
}

/* -- moves -- */

/* A number for an arc; those of the arcs of a graph are joined by exclusive or. */
static uint64_t arc_number(const climb *c, size_t from, size_t to)
{
    uint64_t x = ((uint64_t)(from * c->n + to) + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint64_t graph_after(const climb *c, const move *m)
{
    uint64_t graph = c->graph ^ arc_number(c, m->from, m->to);
    return m->kind == MOVE_REVERSE ? graph ^ arc_number(c, m->to, m->from) : graph;
}

static bool was_visited(const climb *c, const move *m)
{
    uint64_t graph = graph_after(c, m);
    for (size_t i = 0; i < c->n_visited; i++)
        if (c->visited[i] == graph) return true;
    return false;
}

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
                    is_legal(c, &moves[i], seen, waiting) && !was_visited(c, &moves[i]))
                    best = moves[i];
        }
    return best;
}

static cairn_status do_move(cairn_context *ctx, climb *c, const move *m)
{
    bool reverse = m->kind == MOVE_REVERSE;
    c->graph = c->visited[c->n_visited++] = graph_after(c, m);
    c->scores[m->to] += c->gains[m->from * c->n + m->to];
    if (reverse) c->scores[m->from] += c->gains[m->to * c->n + m->from];
    c->arcs[m->from * c->n + m->to] = m->kind == MOVE_ADD;
    if (reverse) {
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
    cairn_report_cell_number(out, sum_scores(c), 0, "move%zu.score", number);
}

/* The terms of the score where the climbing ended. */
static void show_scores(const climb *c)
{
    cairn_report *out = c->rows->steps;
    if (!out) return;
    cairn_report_table_of(out, "The terms at the end", MOST_SHOWN_MOVES, "lrrrr", "variable",
                          "ln-likelihood", "free numbers", "price of them", "score");
    for (size_t v = 0; v < c->n; v++) {
        const char *key = cairn_report_key(out, c->rows->names.variables[v]);
        double numbers = c->rows->n_values[v] - 1, cost;
        for (size_t u = 0; u < c->n; u++)
            if (c->arcs[u * c->n + v]) numbers *= c->rows->n_values[u];
        cost = penalty(c, numbers);
        cairn_report_cell(out, c->rows->names.variables[v]);
        cairn_report_cell_number(out, c->scores[v] + cost, 0, "term.%s.log_likelihood", key);
        cairn_report_cell_number(out, numbers, 0, "term.%s.parameters", key);
        cairn_report_cell_number(out, cost, 0, "term.%s.price", key);
        cairn_report_cell_number(out, c->scores[v], 0, "term.%s.score", key);
    }
    cairn_report_table_end(out);
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
                            start_variable, c));
    for (size_t v = 0; v < c->n; v++) CHECK(refresh(ctx, c, v));
    cairn_report_step_begin(c->rows->steps, "Hill climbing by BIC");
    cairn_report_formula(c->rows->steps,
                         "score = −BIC/2 = Σ (ln-likelihood of variable | parents − ln(N)/2 · free "
                         "numbers)");
    cairn_report_formula(c->rows->steps, "gain of an arc = N · I(from; to | other parents) − "
                                         "ln(N)/2 · more free numbers");
    cairn_report_value(c->rows->steps, "without arcs", sum_scores(c), "move0.score");
    cairn_report_table_of(c->rows->steps, "Moves", MOST_SHOWN_MOVES, "rlllrr", "move", "", "from",
                          "to", "gain", "score");
    for (size_t number = 1; number <= MOST_MOVES; number++) {
        CHECK(cairn_tick(ctx, "moves", (double)number, 0));
        move m = best_move(c, seen, waiting);
        if (!(m.gain > c->least)) break;
        CHECK(do_move(ctx, c, &m));
        show_move(c, &m, number);
    }
    cairn_report_table_end(c->rows->steps);
    show_scores(c);
    cairn_report_worked(c->rows->steps, "BIC", "−2·# = #", sum_scores(c), -2 * sum_scores(c));
    cairn_report_paragraph(c->rows->steps,
                           "The graph is chosen by the shares in the counts. Tables that are "
                           "smoothed afterwards make the training rows less likely, and the BIC of "
                           "the network below is that of its tables.");
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
    CHECK(SCRATCH(ctx, &c.information, cells + 1));
    CHECK(SCRATCH(ctx, &c.visited, MOST_MOVES + 2));
    c.n_visited = 1; /* the graph without arcs, whose number is 0 */
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
