/* SPDX-License-Identifier: MIT */
/* Trees of largest mutual information (Chow and Liu), and the same given the class for
 * tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt).
 *
 *     I(X; Y | C) = Σ P(x, y, c) ln(P(x, y | c) / (P(x | c) P(y | c)))
 *
 *  1. each pair of columns is counted once (bayes_net_pairs.c), side by side over the threads
 *  2. a spanning tree of largest sum grows from the root, one variable at a time (Prim); ties go to
 *     the first variable
 *  3. arcs lead away from the root
 *
 * Rows that lack one of the cells do not count for the pair. Cost: pairs x rows. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { MOST_SHOWN_PAIRS = 100 };

/* A pair must tell more than rounding leaves of nothing, and a better one be better by more. */
static const double LEAST = 1e-10;

typedef struct pairs {
    const cairn_net_rows *rows;
    cairn_net_pairs counts;
    size_t n;
    ptrdiff_t given;
    double *information; /* n x n */
} pairs;

/* Count a pair and make its information, within each value of the given variable. */
static cairn_status measure_pair(cairn_context *ctx, pairs *p, size_t x, size_t y)
{
    SCOPED_SCRATCH(ctx);
    const cairn_net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y];
    double *table, *a, *b, sum = 0, present = 0;
    CHECK(cairn_net_pair(ctx, &table, &p->counts, x, y));
    CHECK(SCRATCH(ctx, &a, ka));
    CHECK(SCRATCH(ctx, &b, kb));
    for (size_t g = 0; g < p->counts.n_groups; g++)
        sum += cairn_net_information(table + g * ka * kb, ka, kb, kb, a, b, &present);
    p->information[x * p->n + y] = p->information[y * p->n + x] =
        present > 0 ? fmax(0, sum / present) : 0;
    return CAIRN_OK;
}

static cairn_status measure_column(cairn_context *ctx, void *data, size_t x)
{
    pairs *p = data;
    for (size_t y = x + 1; y < p->n; y++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(measure_pair(ctx, p, x, y));
    }
    return CAIRN_OK;
}

/* -- showing -- */

/* "I(outlook; wind | play) = 2/14·ln(2·9/(3·4)) + ...": the first pair, with its counts put in. */
static cairn_status work_pair(cairn_context *ctx, const pairs *p)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    enum { WIDTH = 6 };
    const cairn_net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[0], kb = (size_t)rows->n_values[1], n = 0;
    size_t groups = p->counts.n_groups;
    double *table, *terms, *a, *b, *totals, present = 0;
    CHECK(cairn_net_pair(ctx, &table, &p->counts, 0, 1));
    CHECK(SCRATCH(ctx, &terms, cairn_product(ka * kb * groups, WIDTH) + 1));
    CHECK(SCRATCH(ctx, &a, ka * groups));
    CHECK(SCRATCH(ctx, &b, kb * groups));
    CHECK(SCRATCH(ctx, &totals, groups));
    for (size_t g = 0; g < groups; g++) {
        double before = present;
        (void)cairn_net_information(table + g * ka * kb, ka, kb, kb, a + g * ka, b + g * kb,
                                    &present);
        totals[g] = present - before;
    }
    for (size_t c = 0; c < ka * kb * groups; c++) {
        size_t g = c / (ka * kb), i = c / kb % ka, j = c % kb;
        if (!(table[c] > 0)) continue;
        const double term[WIDTH] = {table[c],  present,       table[c],
                                    totals[g], a[g * ka + i], b[g * kb + j]};
        memcpy(terms + WIDTH * n++, term, sizeof term);
    }
    cairn_text_addf(&label, "I(%s; %s%s%s)", rows->names.variables[0], rows->names.variables[1],
                    p->given < 0 ? "" : " | ", p->given < 0 ? "" : rows->names.variables[p->given]);
    cairn_report_worked_sum(rows->steps, cairn_text_string(&label), "#/#·ln(#·#/(#·#))", terms,
                            WIDTH, n, p->information[1]);
    return cairn_text_status(&label);
}

/* The table that the tree is chosen from, a pair a row. */
static void show_pairs(const pairs *p)
{
    cairn_report *out = p->rows->steps;
    const char *const *names = p->rows->names.variables;
    if (!out) return;
    cairn_report_step_begin(out, p->given < 0 ? "Mutual information of each pair"
                                              : "Mutual information of each pair, given the class");
    cairn_report_formula(out, p->given < 0
                                  ? "I(X; Y) = Σ P(x, y) · ln(P(x, y) / (P(x) · P(y)))"
                                  : "I(X; Y | C) = Σ P(x, y, c) · ln(P(x, y | c) / (P(x | c) · "
                                    "P(y | c)))");
    if (p->n > 1) cairn_report_failed(out, work_pair(cairn_report_context(out), p));
    cairn_report_table_of(out, NULL, MOST_SHOWN_PAIRS, "llr", "X", "Y", "information");
    for (size_t x = 0; x < p->n; x++)
        for (size_t y = x + 1; y < p->n; y++) {
            cairn_report_cell(out, names[x]);
            cairn_report_cell(out, names[y]);
            cairn_report_cell_number(out, p->information[x * p->n + y], 0, "information.%s.%s",
                                     cairn_report_key(out, names[x]),
                                     cairn_report_key(out, names[y]));
        }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Arcs in the order in which they were chosen, and what they add up to. */
static void show_tree(const pairs *p, const cairn_net_arcs *arcs, size_t root)
{
    cairn_report *out = p->rows->steps;
    const char *const *names = p->rows->names.variables;
    double sum = 0;
    if (!out) return;
    cairn_report_step_begin(out, "The tree of largest information, from %s", names[root]);
    cairn_report_table_of(out,
                          "The next variable is the one that a variable of the tree tells most "
                          "about",
                          MOST_SHOWN_PAIRS, "llr", "from", "to", "information");
    for (size_t i = 0; i < arcs->n; i++) {
        double information =
            p->information[(size_t)arcs->list[i].from * p->n + (size_t)arcs->list[i].to];
        sum += information;
        cairn_report_cell_word(out, names[arcs->list[i].from], "tree%zu.from", i + 1);
        cairn_report_cell_word(out, names[arcs->list[i].to], "tree%zu.to", i + 1);
        cairn_report_cell_number(out, information, 0, "tree%zu.information", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "sum", sum, "tree.information");
    cairn_report_step_end(out);
}

/* -- the tree -- */

/* Nearest of what is not in the tree yet: `best` holds what a variable of the tree tells about
 * each, `from` which one that is. */
static size_t choose_next(const double *best, const bool *in, size_t n)
{
    size_t next = n;
    for (size_t v = 0; v < n; v++)
        if (!in[v] && (next == n || best[v] > best[next] + LEAST)) next = v;
    return next;
}

/* Prim: the tree takes one variable after the other, by the arc that tells most. */
static cairn_status grow(cairn_context *ctx, cairn_net_arcs *out, const pairs *p, size_t root)
{
    size_t n = p->n, at = root;
    double *best;
    int32_t *from;
    bool *in;
    CHECK(SCRATCH(ctx, &best, n + 1));
    CHECK(SCRATCH(ctx, &from, n + 1));
    CHECK(SCRATCH(ctx, &in, n + 1));
    CHECK(SCRATCH(ctx, &out->list, n + 1));
    out->n = 0;
    for (size_t v = 0; v < n; v++) best[v] = -1;
    for (size_t i = 0; i < n; i++) {
        in[at] = true;
        if (i && best[at] > LEAST) out->list[out->n++] = (cairn_arc){from[at], (int32_t)at};
        for (size_t v = 0; v < n; v++) {
            double information = p->information[at * n + v];
            if (in[v] || information <= best[v] + LEAST) continue;
            best[v] = information;
            from[v] = (int32_t)at;
        }
        at = choose_next(best, in, n);
    }
    return CAIRN_OK;
}

cairn_status cairn_net_tree(cairn_context *ctx, cairn_net_arcs *out, const cairn_net_rows *rows,
                            size_t n, size_t root, ptrdiff_t given)
{
    pairs p = {.rows = rows, .n = n, .given = given};
    *out = (cairn_net_arcs){0};
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_memory_check(ctx, (double)n * (double)n * sizeof(double),
                             "the information of all pairs of columns", "use fewer columns"));
    CHECK(SCRATCH(ctx, &p.information, cairn_product(n, n)));
    CHECK(cairn_net_pairs_open(ctx, &p.counts, rows, n, given));
    CHECK(cairn_tasks_sized(ctx, n, (double)n * (double)n / 2 * (double)rows->n_rows,
                            measure_column, &p));
    show_pairs(&p);
    CHECK(grow(ctx, out, &p, root));
    show_tree(&p, out, root);
    return CAIRN_OK;
}
