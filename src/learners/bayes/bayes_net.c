/* SPDX-License-Identifier: MIT */
/* Bayesian networks: P(all) = Π P(variable | its parents), over the features and the target, or
 * over the columns of a table that has none.
 *
 *  1. the graph is typed ({arcs}, {given}), or learned: a tree-augmented naive Bayes, a tree by
 *     Chow and Liu, or hill climbing by BIC or BDe
 *  2. counts of the training rows become tables by the smoothing; a row of a table that no training
 *     row speaks of is uniform
 *  3. a row is answered by P(target | the other cells): where all variables around the target are
 *     known, that is a product of table entries, else missing cells are summed out by variable
 *     elimination (stats/bayes_network.c). Without a target the answer is P(the cells that
 *     are there), and what the others most probably are
 *
 * Columns hold levels; numbers are cut into bins before. Rows that lack a cell of a family do not
 * count for its table. A row that is impossible in every class gets the shares of the classes. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/bits.h"
#include "model/network_text.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum net_structure {
    NET_AUTO,
    NET_TAN,
    NET_TREE,
    NET_CLIMB,
    NET_NAIVE,
    NET_EMPTY
} net_structure;

typedef struct net_params {
    int structure; /* net_structure */
    const char *arcs;
    const char *root;
    int max_parents;
    int score; /* net_score */
    double prior_rows;
    int starts;
    const char *smooth;
} net_params;

typedef enum { SCORE_BIC, SCORE_BDE } net_score;

/* The rows as codes, a column after the other; a missing cell has the code n_values. */
typedef struct net_rows {
    size_t n_rows, n; /* n variables */
    int32_t *n_values;
    uint16_t **codes; /* n x n_rows */
    double *weights;  /* n_rows; NULL = all 1 */
    double total;
    bool has_target; /* the last variable is it */
    cairn_network_names names;
    cairn_report *steps;
} net_rows;

/* Arcs that were chosen; scratch. */
typedef struct net_arcs {
    cairn_arc *list;
    size_t n;
} net_arcs;

/* The values of a column as sets of rows. */
typedef struct net_sets {
    uint64_t *bits; /* values x words; NULL = there are too many values */
    double *sizes;  /* groups x values */
    bool lacks;     /* a cell is missing */
} net_sets;

/* What counting pairs needs; scratch. Groups are the values of the given variable, else one. */
typedef struct net_pairs {
    const net_rows *rows;
    size_t n;        /* the first so many variables are counted */
    ptrdiff_t given; /* -1 = none */
    size_t n_groups, n_words;
    size_t *begins; /* n_groups + 1: words */
    size_t *places; /* n_rows: the bit of each row; NULL = its number */
    net_sets *sets; /* n; NULL = rows have weights */
} net_pairs;

/* Counts of pairs of columns, each made once.
 *
 *  1. every value of a column becomes a set of rows, a bit a row; with a given variable, rows of
 *     one value of it stand together and begin at a word of their own
 *  2. how often two values meet is the number of bits that their sets share, which takes a 64th of
 *     the rows' time for each pair of values; the last value of each column is what is left of the
 *     other, unless cells are missing
 *  3. columns of many values, and rows with weights, are counted row by row
 *
 * Memory: a bit for each row and value. */

enum { MOST_SETS = 16, WORD = 64, MOST_PAIRS = 1 << 22 };

static size_t n_groups(const net_rows *rows, ptrdiff_t given)
{
    return given < 0 ? 1 : (size_t)rows->n_values[given];
}

/* Where each row stands, and where the words of each group begin. Rows that lack the given cell
 * stand nowhere. */
static cairn_status place_rows(cairn_context *ctx, net_pairs *p)
{
    const uint16_t *codes = p->given < 0 ? NULL : p->rows->codes[p->given];
    size_t *next;
    CHECK(SCRATCH_EACH(ctx, p->n_groups + 1, &p->begins, &next));
    for (size_t i = 0; i < p->rows->n_rows; i++) next[codes ? codes[i] : 0]++;
    for (size_t g = 0; g < p->n_groups; g++) {
        p->begins[g + 1] = p->begins[g] + (next[g] + WORD - 1) / WORD;
        next[g] = p->begins[g] * WORD;
    }
    p->n_words = p->begins[p->n_groups];
    if (!codes) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p->places, p->rows->n_rows + 1));
    for (size_t i = 0; i < p->rows->n_rows; i++)
        p->places[i] = codes[i] < p->n_groups ? next[codes[i]]++ : SIZE_MAX;
    return CAIRN_OK;
}

/* The sets of one column, how large they are in each group, and whether a row is in none. */
static cairn_status fill_sets(cairn_context *ctx, void *data, size_t v)
{
    net_pairs *p = data;
    net_sets *s = &p->sets[v];
    const uint16_t *codes = p->rows->codes[v];
    size_t k = (size_t)p->rows->n_values[v];
    (void)ctx;
    if (!s->bits) return CAIRN_OK;
    for (size_t i = 0; i < p->rows->n_rows; i++) {
        size_t at = p->places ? p->places[i] : i;
        if (at == SIZE_MAX) continue;
        if (codes[i] < k)
            s->bits[codes[i] * p->n_words + at / WORD] |= (uint64_t)1 << at % WORD;
        else
            s->lacks = true;
    }
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t l = 0; l < k; l++) {
            const uint64_t *set = s->bits + l * p->n_words + p->begins[g];
            s->sizes[g * k + l] =
                (double)cairn_bits_common(set, set, p->begins[g + 1] - p->begins[g]);
        }
    return CAIRN_OK;
}

static cairn_status pairs_open(cairn_context *ctx, net_pairs *out, const net_rows *rows, size_t n,
                               ptrdiff_t given)
{
    *out = (net_pairs){.rows = rows, .n = n, .given = given, .n_groups = n_groups(rows, given)};
    if (rows->weights) return CAIRN_OK;
    CHECK(place_rows(ctx, out));
    CHECK(SCRATCH(ctx, &out->sets, n + 1));
    for (size_t v = 0; v < n; v++) {
        size_t k = (size_t)rows->n_values[v];
        if (k > MOST_SETS) continue;
        CHECK(SCRATCH(ctx, &out->sets[v].bits, cairn_product(k, out->n_words) + 1));
        CHECK(SCRATCH(ctx, &out->sets[v].sizes, cairn_product(k, out->n_groups) + 1));
    }
    return cairn_tasks_sized(ctx, n, (double)n * (double)rows->n_rows, fill_sets, out);
}

/* What is left of the last row and column when all cells sum to the sizes of the sets. */
static void complete(double *table, const double *a, size_t ka, const double *b, size_t kb)
{
    for (size_t i = 0; i + 1 < ka; i++) {
        double rest = a[i];
        for (size_t j = 0; j + 1 < kb; j++) rest -= table[i * kb + j];
        table[i * kb + kb - 1] = rest;
    }
    for (size_t j = 0; j < kb; j++) {
        double rest = b[j];
        for (size_t i = 0; i + 1 < ka; i++) rest -= table[i * kb + j];
        table[(ka - 1) * kb + j] = rest;
    }
}

static void count_bits(double *out, const net_pairs *p, size_t x, size_t y)
{
    const net_sets *a = &p->sets[x], *b = &p->sets[y];
    size_t ka = (size_t)p->rows->n_values[x], kb = (size_t)p->rows->n_values[y];
    bool whole = !a->lacks && !b->lacks;
    for (size_t g = 0; g < p->n_groups; g++) {
        double *table = out + g * ka * kb;
        size_t begin = p->begins[g], n = p->begins[g + 1] - begin;
        for (size_t i = 0; i < ka - whole; i++)
            for (size_t j = 0; j < kb - whole; j++)
                table[i * kb + j] = (double)cairn_bits_common(a->bits + i * p->n_words + begin,
                                                              b->bits + j * p->n_words + begin, n);
        if (whole) complete(table, a->sizes + g * ka, ka, b->sizes + g * kb, kb);
    }
}

/* Weight of the rows for every combination of the values of some variables, the last changing
 * fastest and each with one place more for missing cells; `out` has the product of (n_values + 1)
 * zeros. */
static void net_count(double *out, const net_rows *rows, const size_t *variables, size_t n)
{
    enum { BLOCK = 4096 };
    uint32_t at[BLOCK];
    for (size_t begin = 0; begin < rows->n_rows; begin += BLOCK) {
        size_t m = rows->n_rows - begin < BLOCK ? rows->n_rows - begin : BLOCK;
        const uint16_t *first = rows->codes[variables[0]] + begin;
        for (size_t i = 0; i < m; i++) at[i] = first[i];
        for (size_t j = 1; j < n; j++) {
            const uint16_t *codes = rows->codes[variables[j]] + begin;
            uint32_t buffer = (uint32_t)rows->n_values[variables[j]] + 1;
            for (size_t i = 0; i < m; i++) at[i] = at[i] * buffer + codes[i];
        }
        if (rows->weights)
            for (size_t i = 0; i < m; i++) out[at[i]] += rows->weights[begin + i];
        else
            for (size_t i = 0; i < m; i++) out[at[i]] += 1;
    }
}

/* Row by row; the places of missing cells are left out of the answer. */
static cairn_status count_rows(cairn_context *ctx, double *out, const net_pairs *p, size_t x,
                               size_t y)
{
    SCOPED_SCRATCH(ctx);
    const net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y], variables[3], n = 0;
    size_t wide = (ka + 1) * (kb + 1);
    double *table;
    CHECK(SCRATCH(ctx, &table, cairn_product(p->n_groups + (p->given >= 0), wide)));
    if (p->given >= 0) variables[n++] = (size_t)p->given;
    variables[n++] = x;
    variables[n++] = y;
    net_count(table, rows, variables, n);
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t i = 0; i < ka; i++)
            memcpy(out + (g * ka + i) * kb, table + g * wide + i * (kb + 1), kb * sizeof *out);
    return CAIRN_OK;
}

/* Weight of the rows for every group and every pair of values of x and y, groups x values of x x
 * values of y; rows that lack one of the cells do not count. Safe side by side. */
static cairn_status net_pair(cairn_context *ctx, double **out, const net_pairs *p, size_t x,
                             size_t y)
{
    const net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y];
    if (cairn_product(cairn_product(ka + 1, kb + 1), p->n_groups + 1) > MOST_PAIRS)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "'%s' and '%s' have too many values (%zu and %zu) to be counted together; "
            "{ignore} leaves one out, {with group} joins rare values",
            rows->names.variables[x], rows->names.variables[y], ka, kb);
    CHECK(SCRATCH(ctx, out, ka * kb * p->n_groups));
    if (!p->sets || !p->sets[x].bits || !p->sets[y].bits) return count_rows(ctx, *out, p, x, y);
    count_bits(*out, p, x, y);
    return CAIRN_OK;
}

/* Mutual information of a table of ka x kb weights, whose rows are `stride` apart, times their
 * sum, which is added to *present. `a` and `b` are room for ka and kb numbers. */
static double net_information(const double *table, size_t ka, size_t kb, size_t stride, double *a,
                              double *b, double *present)
{
    double total = 0, sum = 0;
    for (size_t j = 0; j < kb; j++) b[j] = 0;
    for (size_t i = 0; i < ka; i++) {
        a[i] = 0;
        for (size_t j = 0; j < kb; j++) {
            a[i] += table[i * stride + j];
            b[j] += table[i * stride + j];
        }
        total += a[i];
    }
    for (size_t i = 0; i < ka; i++)
        for (size_t j = 0; j < kb; j++) {
            double w = table[i * stride + j];
            if (w > 0) sum += w * cairn_log(w * total / (a[i] * b[j]));
        }
    *present += total;
    return sum;
}

/* Trees of largest mutual information (Chow and Liu), and the same given the class for
 * tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt).
 *
 *     I(X; Y | C) = Σ P(x, y, c) ln(P(x, y | c) / (P(x | c) P(y | c)))
 *
 *  1. each pair of columns is counted once, side by side over the threads
 *  2. a spanning tree of largest sum grows from the root, one variable at a time (Prim); ties go to
 *     the first variable
 *  3. arcs lead away from the root
 *
 * Rows that lack one of the cells do not count for the pair. Cost: pairs x rows. */

enum { MOST_SHOWN_PAIRS = 100 };

/* A pair must tell more than rounding leaves of nothing, and a better one be better by more. */
static const double LEAST = 1e-10;

typedef struct pairs {
    const net_rows *rows;
    net_pairs counts;
    size_t n;
    ptrdiff_t given;
    double *information; /* n x n */
} pairs;

/* Count a pair and make its information, within each value of the given variable. */
static cairn_status measure_pair(cairn_context *ctx, pairs *p, size_t x, size_t y)
{
    SCOPED_SCRATCH(ctx);
    const net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y];
    double *table, *a, *b, sum = 0, present = 0;
    CHECK(net_pair(ctx, &table, &p->counts, x, y));
    CHECK(SCRATCH(ctx, &a, ka));
    CHECK(SCRATCH(ctx, &b, kb));
    for (size_t g = 0; g < p->counts.n_groups; g++)
        sum += net_information(table + g * ka * kb, ka, kb, kb, a, b, &present);
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
    const net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[0], kb = (size_t)rows->n_values[1], n = 0;
    size_t groups = p->counts.n_groups;
    double *table, *terms, *a, *b, *totals, present = 0;
    CHECK(net_pair(ctx, &table, &p->counts, 0, 1));
    CHECK(SCRATCH(ctx, &terms, cairn_product(ka * kb * groups, WIDTH) + 1));
    CHECK(SCRATCH(ctx, &a, ka * groups));
    CHECK(SCRATCH(ctx, &b, kb * groups));
    CHECK(SCRATCH(ctx, &totals, groups));
    for (size_t g = 0; g < groups; g++) {
        double before = present;
        (void)net_information(table + g * ka * kb, ka, kb, kb, a + g * ka, b + g * kb, &present);
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
            cairn_report_cells(out, "- - information.$1.$2", names[x], names[y],
                               p->information[x * p->n + y]);
        }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Arcs in the order in which they were chosen, and what they add up to. */
static void show_tree(const pairs *p, const net_arcs *arcs, size_t root)
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
        cairn_report_prefix(out, "tree%zu", i + 1);
        cairn_report_cells(out, "@.from @.to @.information", names[arcs->list[i].from],
                           names[arcs->list[i].to], information);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "sum", sum, "tree.information");
    cairn_report_step_end(out);
}

/* -- the tree -- */

/* Prim: the tree takes one variable after the other, by the arc that tells most. */
static cairn_status grow(cairn_context *ctx, net_arcs *out, const pairs *p, size_t root)
{
    size_t n = p->n, at = root;
    double *best;
    int32_t *from;
    bool *in;
    CHECK(SCRATCH_EACH(ctx, n + 1, &best, &from, &in, &out->list));
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
        /* Nearest of what is not in the tree yet: `best` holds what a variable of the tree tells
         * about each, `from` which one that is. */
        size_t next = n;
        for (size_t v = 0; v < n; v++)
            if (!in[v] && (next == n || best[v] > best[next] + LEAST)) next = v;
        at = next;
    }
    return CAIRN_OK;
}

/* -- bayes_net.c -- */
/* Chow and Liu: the tree of largest mutual information over the first n variables, directed away
 * from `root`; with given >= 0 the information is conditional on that variable. Pairs that tell
 * nothing about each other are not joined. */
static cairn_status net_tree(cairn_context *ctx, net_arcs *out, const net_rows *rows, size_t n,
                             size_t root, ptrdiff_t given)
{
    pairs p = {.rows = rows, .n = n, .given = given};
    *out = (net_arcs){0};
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_memory_check(ctx, (double)n * (double)n * sizeof(double),
                             "the information of all pairs of columns", "use fewer columns"));
    CHECK(SCRATCH(ctx, &p.information, cairn_product(n, n)));
    CHECK(pairs_open(ctx, &p.counts, rows, n, given));
    CHECK(cairn_tasks_sized(ctx, n, (double)n * (double)n / 2 * (double)rows->n_rows,
                            measure_column, &p));
    show_pairs(&p);
    CHECK(grow(ctx, out, &p, root));
    show_tree(&p, out, root);
    return CAIRN_OK;
}

/* Hill climbing: arcs are added, deleted and reversed as long as that makes a score larger, by BIC
 *
 *     score = Σ over variables of  ln-likelihood(variable | parents) - ln(N) / 2 · free numbers,
 *     which is -BIC / 2. A new parent u of v beside the parents P changes one term only,
 *
 *     gain = N · I(u; v | P) - ln(N) / 2 · more free numbers
 *
 * or the probability of the rows themselves under Dirichlet priors that together count as α rows,
 * spread evenly over the places of a table (BDeu), where parents have q combinations of values and
 * the variable r,
 *
 *     score = Σ over variables, Σ_j  ln Γ(α/q) - ln Γ(α/q + N_j)
 *                                    + Σ_k ln Γ(α/(qr) + N_jk) - ln Γ(α/(qr))
 *
 * which is the same for graphs that say the same.
 *
 *  1. the information of each pair is made of counts that are made once, and kept
 *  2. `gains` holds for every pair what adding or deleting the arc would change; a move makes only
 *     the columns of its ends anew, side by side over the threads
 *  3. reversing is deleting one way and adding the other
 *  4. of all moves that leave no circle the best is done; ties go to the first, and a gain must be
 *     more than rounding
 *
 * Further starts begin with random arcs; the best end is kept, of equal ones the first.
 *
 * Rows that lack one of the cells do not count for the information, which is scaled up to all rows,
 * nor for the change of a BDe term. Gains of different rows need not add up, so a graph that was
 * there is not visited again. By BIC a parent whose free numbers cost more than a perfect answer
 * would gain is not counted at all. Cost: moves x columns x rows. */

enum { MOST_MOVES = 100000, MOST_SHOWN_MOVES = 200 };

typedef enum { MOVE_ADD, MOVE_DELETE, MOVE_REVERSE } move_kind;

typedef struct move {
    move_kind kind;
    size_t from, to;
    double gain;
} move;

typedef struct climb {
    const net_rows *rows;
    size_t n, max_parents;
    net_score score;
    double prior_rows; /* BDe: α */
    size_t start, n_starts;
    bool *arcs;          /* n x n: from x to */
    size_t *n_parents;   /* n */
    double *scores;      /* n: the terms of the score */
    double *alone;       /* n: those without parents */
    double *information; /* n x n: N · I(x; y); 0 where no arc could pay */
    net_pairs pairs;
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
static bool is_missing_place(const net_rows *rows, const size_t *variables, size_t n, size_t at)
{
    for (size_t i = n; i-- > 0;) {
        size_t buffer = (size_t)rows->n_values[variables[i]] + 1;
        if (at % buffer == buffer - 1) return true;
        at /= buffer;
    }
    return false;
}

/* The BDe term of one combination of the parents' values, of which there are q: the counts of k
 * values, `stride` apart. */
static double bde_row(const climb *c, const double *counts, size_t k, size_t stride, double q)
{
    double prior = c->prior_rows / q, each = prior / (double)k, total = 0, sum = 0;
    for (size_t l = 0; l < k; l++) {
        double count = counts[l * stride];
        total += count;
        if (count > 0) sum += cairn_lgamma(each + count) - cairn_lgamma(each);
    }
    return total > 0 ? sum + cairn_lgamma(prior) - cairn_lgamma(prior + total) : 0;
}

/* What u adds to the BDe term of v for one combination of the others' values, of which there are q;
 * `sums` is room for kv numbers. */
static double bde_change(const climb *c, const double *table, size_t ku, size_t kv, double q,
                         double *sums)
{
    double change = 0;
    for (size_t l = 0; l < kv; l++) sums[l] = 0;
    for (size_t i = 0; i < ku; i++) {
        const double *counts = table + i * (kv + 1);
        change += bde_row(c, counts, kv, 1, q * (double)ku);
        for (size_t l = 0; l < kv; l++) sums[l] += counts[l];
    }
    return change - bde_row(c, sums, kv, 1, q);
}

/* Count others, u and v, and make their information, or what u adds to the BDe term; false when the
 * table would be too large. */
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
    net_count(table, c->rows, variables, n_others + 2);
    /* N · I(u; v | others) of the counts of others, u and v, scaled up to all rows. */
    const net_rows *rows = c->rows;
    size_t ku = (size_t)rows->n_values[variables[n_others]];
    size_t kv = (size_t)rows->n_values[variables[n_others + 1]];
    double *a, *b, sum = 0, present = 0, q = 1;
    CHECK(SCRATCH(ctx, &a, ku));
    CHECK(SCRATCH(ctx, &b, kv));
    for (size_t i = 0; i < n_others; i++) q *= rows->n_values[variables[i]];
    for (size_t at = 0; at < n_tables; at++) {
        const double *part = table + at * (ku + 1) * (kv + 1);
        if (is_missing_place(rows, variables, n_others, at)) continue;
        sum += c->score == SCORE_BDE ? bde_change(c, part, ku, kv, q, b)
                                     : net_information(part, ku, kv, kv + 1, a, b, &present);
    }
    *out = c->score == SCORE_BDE ? sum : present > 0 ? fmax(0, sum) * (rows->total / present) : 0;
    return CAIRN_OK;
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
    double price = 0;
    if (c->score == SCORE_BIC)
        price =
            penalty(c, free_numbers(c, v, variables, n) * (double)(c->rows->n_values[from] - 1));
    if (!there && c->score == SCORE_BIC && is_too_dear(c, from, v, price)) return CAIRN_OK;
    variables[n] = from;
    variables[n + 1] = v;
    if (n || c->score == SCORE_BDE) CHECK(measure(ctx, &information, &counted, c, variables, n));
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
    net_count(counts, c->rows, &v, 1);
    for (size_t l = 0; l < k; l++) total += counts[l];
    for (size_t l = 0; l < k; l++)
        if (counts[l] > 0) sum += counts[l] * cairn_log(counts[l] / total);
    if (c->score == SCORE_BDE) {
        c->alone[v] = bde_row(c, counts, k, 1, 1);
        return CAIRN_OK;
    }
    c->alone[v] =
        (total > 0 ? sum * (c->rows->total / total) : 0) - penalty(c, free_numbers(c, v, NULL, 0));
    return CAIRN_OK;
}

/* A variable without parents, and its information with all that come later. */
static cairn_status start_variable(cairn_context *ctx, void *data, size_t x)
{
    climb *c = data;
    CHECK(score_alone(ctx, c, x));
    for (size_t y = x + 1; y < c->n && c->score == SCORE_BIC; y++) {
        SCOPED_SCRATCH(ctx);
        size_t ka = (size_t)c->rows->n_values[x], kb = (size_t)c->rows->n_values[y];
        double *table, *a, *b, sum, present = 0;
        if (is_too_dear(c, x, y, penalty(c, (double)(ka - 1) * (double)(kb - 1)))) continue;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(net_pair(ctx, &table, &c->pairs, x, y));
        CHECK(SCRATCH(ctx, &a, ka));
        CHECK(SCRATCH(ctx, &b, kb));
        sum = net_information(table, ka, kb, kb, a, b, &present);
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

/* The terms of the score where the climbing ended. */
static void show_scores(const climb *c)
{
    cairn_report *out = c->rows->steps;
    if (!out) return;
    if (c->score == SCORE_BDE) {
        cairn_report_table_of(out, "The terms at the end", MOST_SHOWN_MOVES, "lr", "variable",
                              "score");
        for (size_t v = 0; v < c->n; v++)
            cairn_report_cells(out, "- term.$1.score", c->rows->names.variables[v], c->scores[v]);
        return;
    }
    cairn_report_table_of(out, "The terms at the end", MOST_SHOWN_MOVES, "lrrrr", "variable",
                          "ln-likelihood", "free numbers", "price of them", "score");
    for (size_t v = 0; v < c->n; v++) {
        const char *key = cairn_report_key(out, c->rows->names.variables[v]);
        double numbers = c->rows->n_values[v] - 1, cost;
        for (size_t u = 0; u < c->n; u++)
            if (c->arcs[u * c->n + v]) numbers *= c->rows->n_values[u];
        cost = penalty(c, numbers);
        cairn_report_prefix(out, "term.%s", key);
        cairn_report_cells(out, "- @.log_likelihood @.parameters @.price @.score",
                           c->rows->names.variables[v], c->scores[v] + cost, numbers, cost,
                           c->scores[v]);
    }
    cairn_report_table_end(out);
}

/* What the best end is made of. */
static void show_end(const climb *c)
{
    cairn_report *out = c->rows->steps;
    if (c->n_starts > 1) cairn_report_value(out, "best start", (double)c->start + 1, "best_start");
    show_scores(c);
    cairn_report_hidden(out, sum_scores(c), "best_score");
    if (c->score == SCORE_BDE) return;
    cairn_report_worked(out, "BIC", "−2·# = #", sum_scores(c), -2 * sum_scores(c));
    cairn_report_paragraph(out, "The graph is chosen by the shares in the counts. Tables that are "
                                "smoothed afterwards make the training rows less likely, and the "
                                "BIC of the network below is that of its tables.");
}

/* Random arcs: in a random order of the variables each has up to as many parents among those before
 * it as it may have; a parent whose table would be too large is left out. */
static cairn_status plant_arcs(cairn_context *ctx, climb *c)
{
    SCOPED_SCRATCH(ctx);
    cairn_random random;
    size_t *order;
    CHECK(SCRATCH(ctx, &order, c->n + 1));
    cairn_random_start(&random, ctx->seed, c->start);
    for (size_t v = 0; v < c->n; v++) order[v] = v;
    cairn_random_shuffle(&random, order, c->n);
    for (size_t i = 1; i < c->n; i++) {
        size_t most = i < c->max_parents ? i : c->max_parents;
        for (size_t k = cairn_random_below(&random, most + 1); k-- > 0;) {
            size_t from = order[cairn_random_below(&random, i)];
            move m = {MOVE_ADD, from, order[i], c->gains[from * c->n + order[i]]};
            if (!c->arcs[from * c->n + order[i]] && isfinite(m.gain)) CHECK(do_move(ctx, c, &m));
        }
    }
    c->visited[0] = c->graph;
    c->n_visited = 1;
    return CAIRN_OK;
}

/* No arcs at all, or in later starts random ones. */
static cairn_status begin_climb(cairn_context *ctx, climb *c)
{
    memset(c->arcs, 0, c->n * c->n * sizeof *c->arcs);
    memcpy(c->scores, c->alone, c->n * sizeof *c->scores);
    c->graph = c->visited[0] = 0;
    c->n_visited = 1;
    for (size_t v = 0; v < c->n; v++) CHECK(refresh(ctx, c, v));
    return c->start ? plant_arcs(ctx, c) : CAIRN_OK;
}

/* The best move as long as there is one that gains. */
static cairn_status climb_up(cairn_context *ctx, climb *c)
{
    static const char *const words[] = {"add", "delete", "reverse"};
    cairn_report *out = c->rows->steps;
    bool *seen, bde = c->score == SCORE_BDE;
    size_t *waiting;
    char before[32] = "";
    CHECK(SCRATCH_EACH(ctx, c->n + 1, &seen, &waiting));
    CHECK(begin_climb(ctx, c));
    if (c->start) snprintf(before, sizeof before, "start%zu.", c->start + 1);
    if (c->n_starts > 1)
        cairn_report_step_begin(out, "Hill climbing by %s, start %zu of %zu", bde ? "BDe" : "BIC",
                                c->start + 1, c->n_starts);
    else
        cairn_report_step_begin(out, "Hill climbing by %s", bde ? "BDe" : "BIC");
    if (bde) {
        cairn_report_formula(out, "score = ln P(rows | graph) = Σ over variables, Σ_j ln Γ(α/q) − "
                                  "ln Γ(α/q + N_j) + Σ_k ln Γ(α/(qr) + N_jk) − ln Γ(α/(qr))");
        cairn_report_value(out, "α, the rows that the prior counts as", c->prior_rows,
                           "prior_rows");
    } else {
        cairn_report_formula(out, "score = −BIC/2 = Σ (ln-likelihood of variable | parents − "
                                  "ln(N)/2 · free numbers)");
        cairn_report_formula(out, "gain of an arc = N · I(from; to | other parents) − "
                                  "ln(N)/2 · more free numbers");
    }
    cairn_report_value(out, c->start ? "with random arcs" : "without arcs", sum_scores(c),
                       "%smove0.score", before);
    cairn_report_table_of(out, "Moves", MOST_SHOWN_MOVES, "rlllrr", "move", "", "from", "to",
                          "gain", "score");
    for (size_t number = 1; number <= MOST_MOVES; number++) {
        CHECK(cairn_tick(ctx, "moves", (double)number, 0));
        move m = best_move(c, seen, waiting);
        if (!(m.gain > c->least)) break;
        CHECK(do_move(ctx, c, &m));
        if (!out || number > MOST_SHOWN_MOVES) continue;
        cairn_report_prefix(out, "%smove%zu", before, number);
        cairn_report_cells(out, "- @.kind @.from @.to @.gain @.score", (double)number,
                           words[m.kind], c->rows->names.variables[m.from],
                           c->rows->names.variables[m.to], m.gain, sum_scores(c));
    }
    cairn_report_table_end(out);
    if (c->n_starts > 1)
        cairn_report_value(out, "score", sum_scores(c), "%sscore", before);
    else
        show_end(c);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- bayes_net.c -- */
/* Hill climbing from the graph without arcs, and from random ones; the best end is kept. */
static cairn_status net_climb(cairn_context *ctx, net_arcs *out, const net_rows *rows,
                              const net_params *p)
{
    climb c = {.rows = rows,
               .n = rows->n,
               .max_parents = (size_t)p->max_parents,
               .score = (net_score)p->score,
               .prior_rows = p->prior_rows,
               .n_starts = (size_t)p->starts};
    size_t cells = cairn_product(c.n, c.n), kept = 0, best_start = 0;
    bool *arcs;
    double *scores, best = -INFINITY;
    CHECK(SCRATCH_EACH(ctx, cells + 1, &c.arcs, &arcs, &c.gains));
    CHECK(SCRATCH_EACH(ctx, c.n + 1, &c.scores, &scores, &c.alone));
    CHECK(SCRATCH(ctx, &c.information, cells + 1));
    CHECK(SCRATCH(ctx, &c.visited, MOST_MOVES + c.n * c.max_parents + 2));
    CHECK(SCRATCH(ctx, &c.n_parents, c.n + 1));
    c.least = 1e-9 * (1 + rows->total);
    CHECK(pairs_open(ctx, &c.pairs, c.rows, c.n, -1));
    CHECK(cairn_tasks_sized(ctx, c.n, (double)c.n * (double)c.n / 2 * (double)c.rows->n_rows,
                            start_variable, &c));
    for (c.start = 0; c.start < c.n_starts; c.start++) {
        CHECK(climb_up(ctx, &c));
        if (c.start && !(sum_scores(&c) > best + c.least)) continue;
        best = sum_scores(&c);
        best_start = c.start;
        memcpy(arcs, c.arcs, cells * sizeof *arcs);
        memcpy(scores, c.scores, c.n * sizeof *scores);
    }
    c.start = best_start, c.arcs = arcs, c.scores = scores;
    if (c.n_starts > 1) show_end(&c);
    for (size_t i = 0; i < cells; i++) kept += arcs[i];
    CHECK(SCRATCH(ctx, &out->list, kept + 1));
    out->n = 0;
    for (size_t i = 0; i < cells; i++)
        if (arcs[i]) out->list[out->n++] = (cairn_arc){(int32_t)(i / c.n), (int32_t)(i % c.n)};
    return CAIRN_OK;
}

enum { MOST_LEVELS = UINT16_MAX - 1 };

static const cairn_choice structures[] = {
    {"auto", NET_AUTO, "tan where there is a target, else tree"},
    {"tan", NET_TAN, "the target is a parent of all features, which also form a tree"},
    {"tree", NET_TREE, "the tree of largest mutual information (Chow and Liu)"},
    {"climb", NET_CLIMB, "hill climbing by {score}: arcs are added, deleted and reversed"},
    {"naive", NET_NAIVE, "the target is the only parent of all features"},
    {"none", NET_EMPTY, "no arcs"},
    {0},
};

static const cairn_choice net_scores[] = {
    {"bic", SCORE_BIC, "the likelihood of the rows, less ln(N)/2 for each free number"},
    {"bde", SCORE_BDE, "the probability of the rows under even priors (BDeu)"},
    {0},
};

static const cairn_param bayes_net_table[] = {
    CAIRN_PARAM_CHOICE(net_params, structure, "auto", structures, "how the graph is found",
                       .when = "!arcs", .often = true),
    CAIRN_PARAM(net_params, arcs, NULL, NULL,
                "the graph, typed: 'outlook -> play, play -> wind'; entries of tables, such as "
                "'P(play = yes | outlook = sunny) = 0.3', may follow behind semicolons",
                .often = true),
    CAIRN_PARAM(net_params, root, NULL, NULL,
                "column that the arcs of a tree lead away from; by default the target, or the "
                "first column",
                .when = "structure=auto|tan|tree,!arcs"),
    CAIRN_PARAM(net_params, max_parents, "3", "[1,20]", "climb: most parents of a variable",
                .when = "structure=climb"),
    CAIRN_PARAM_CHOICE(net_params, score, "bic", net_scores, "climb: what makes a graph better",
                       .when = "structure=climb"),
    CAIRN_PARAM(net_params, prior_rows, "1", "(0,inf)",
                "climb by bde: how many rows the prior counts as (the equivalent sample size)",
                .when = "structure=climb,score=bde"),
    CAIRN_PARAM(
        net_params, starts, "1", "[1,10000]",
        "climb: starts, the best end is kept; the first has no arcs, the others random ones",
        .when = "structure=climb"),
    CAIRN_PARAM(net_params, smooth, "laplace", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out alike)",
                .often = true),
    CAIRN_PARAM_END,
};

static cairn_status bayes_net_check(cairn_context *ctx, const void *params)
{
    const net_params *p = params;
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
    if (smoothing.kind != CAIRN_SMOOTH_BITS) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{smooth bits} is for what is there or not; tables of a network take none, "
                      "laplace, lambda:X or m:X");
}

/* -- rows -- */

/* Codes of one column of the table, or of the target. */
static cairn_status read_codes(cairn_context *ctx, uint16_t **out, const cairn_view *view,
                               const cairn_column *column, const char *name, int32_t n_values)
{
    size_t n = view->rows.n;
    if (n_values > MOST_LEVELS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' has %d values; a table over so many is of no use. {ignore} leaves "
                          "it out, {with group} joins rare values",
                          name, n_values);
    CHECK(SCRATCH_RAW(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        (*out)[i] = (uint16_t)(code < 0 || code >= n_values ? n_values : code);
    }
    return CAIRN_OK;
}

/* Columns of codes, so that counting reads nothing but what it counts; a target stands last. */
static cairn_status read_rows(cairn_context *ctx, net_rows *out, const cairn_job *job)
{
    const cairn_view *view = job->view;
    *out = (net_rows){.n_rows = view->rows.n, .has_target = cairn_net_has_target(job)};
    out->n = view->n_features + out->has_target;
    out->steps = job->steps;
    CHECK(cairn_net_names(ctx, &out->names, &out->n_values, job->schema, out->n));
    CHECK(SCRATCH(ctx, &out->codes, out->n + 1));
    for (size_t v = 0; v < out->n; v++)
        CHECK(read_codes(ctx, &out->codes[v], view,
                         v < view->n_features ? view->features[v] : view->target,
                         out->names.variables[v], out->n_values[v]));
    out->total = (double)out->n_rows;
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &out->weights, out->n_rows + 1));
    cairn_view_weights(view, 0, out->n_rows, out->weights);
    out->total = 0;
    for (size_t i = 0; i < out->n_rows; i++) out->total += out->weights[i];
    return CAIRN_OK;
}

/* -- the graph -- */

/* The target as a parent of every feature, besides the arcs that are there. */
static cairn_status add_target(cairn_context *ctx, net_arcs *arcs, size_t n_features)
{
    cairn_arc *list;
    CHECK(SCRATCH(ctx, &list, arcs->n + n_features + 1));
    if (arcs->n) memcpy(list, arcs->list, arcs->n * sizeof *list);
    for (size_t v = 0; v < n_features; v++)
        list[arcs->n + v] = (cairn_arc){(int32_t)n_features, (int32_t)v};
    arcs->list = list;
    arcs->n += n_features;
    return CAIRN_OK;
}

static const char *candidate_variable(size_t i, const void *data)
{
    const net_rows *rows = data;
    return i < rows->n ? rows->names.variables[i] : NULL;
}

/* The root of a tree over the first n variables: by its name, else `otherwise`. */
static cairn_status find_root(cairn_context *ctx, size_t *out, const net_rows *rows, size_t n,
                              const char *name, size_t otherwise)
{
    *out = otherwise;
    if (!name) return CAIRN_OK;
    for (*out = 0; *out < n; ++*out)
        if (strcmp(rows->names.variables[*out], name) == 0) return CAIRN_OK;
    if (n < rows->n && strcmp(rows->names.variables[n], name) == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{root}: '%s' is the target, which is a parent of all features besides; "
                          "name a feature, or choose {structure tree}",
                          name);
    const char *near = cairn_nearest_word(name, candidate_variable, rows);
    return cairn_fail(ctx, CAIRN_USAGE, "{root}: the network has no column '%s'; %s '%s'%s", name,
                      near ? "did you mean" : "its first is",
                      near ? near : rows->names.variables[0], near ? "?" : "");
}

/* Structures whose arcs come from the target. */
static cairn_status need_target(cairn_context *ctx, const net_rows *rows, const char *name)
{
    if (rows->has_target) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{structure %s} makes the target a parent of all features, and there is "
                      "none; say {target COLUMN}, or choose {structure tree} or {structure climb}",
                      name);
}

/* Unless told otherwise, a tree-augmented net where there is a target and a tree where there is
 * none. */
static cairn_status learn_arcs(cairn_context *ctx, net_arcs *out, const net_rows *rows,
                               const net_params *p)
{
    size_t last = rows->n - 1, root;
    net_structure structure = (net_structure)p->structure;
    if (structure == NET_AUTO) structure = rows->has_target ? NET_TAN : NET_TREE;
    *out = (net_arcs){0};
    switch (structure) {
    case NET_AUTO: break;
    case NET_TAN:
        CHECK(need_target(ctx, rows, "tan"));
        CHECK(find_root(ctx, &root, rows, last, p->root, 0));
        CHECK(net_tree(ctx, out, rows, last, root, (ptrdiff_t)last));
        return add_target(ctx, out, last);
    case NET_TREE:
        CHECK(find_root(ctx, &root, rows, rows->n, p->root, rows->has_target ? last : 0));
        return net_tree(ctx, out, rows, rows->n, root, -1);
    case NET_CLIMB: return net_climb(ctx, out, rows, p);
    case NET_NAIVE: CHECK(need_target(ctx, rows, "naive")); return add_target(ctx, out, last);
    case NET_EMPTY: break;
    }
    return CAIRN_OK;
}

/* -- tables -- */

/* Counts of a family without the places of missing cells. */
static cairn_status count_family(cairn_context *ctx, cairn_bayes_net_model *m, const net_rows *rows,
                                 size_t v)
{
    SCOPED_SCRATCH(ctx);
    const cairn_network *net = &m->net;
    size_t n = cairn_network_n_parents(net, v), k = (size_t)net->n_values[v], size = 1, *family;
    double *wide, *counts = m->counts + net->cells[v];
    CHECK(SCRATCH(ctx, &family, n + 1));
    for (size_t i = 0; i < n; i++) family[i] = (size_t)net->parents[(size_t)net->starts[v] + i];
    family[n] = v;
    for (size_t i = 0; i <= n; i++)
        size = cairn_product(size, (size_t)net->n_values[family[i]] + 1);
    if (size > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table of '%s' and its parents is too large to count; give it fewer "
                          "parents",
                          rows->names.variables[v]);
    CHECK(SCRATCH(ctx, &wide, size));
    net_count(wide, rows, family, n + 1);
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            at = at * ((size_t)net->n_values[family[i]] + 1) +
                 (size_t)cairn_network_row_value(net, v, row, i);
        memcpy(counts + row * k, wide + at * (k + 1), k * sizeof *counts);
    }
    return CAIRN_OK;
}

/* Rows of tables that nobody gave get what the counts say. */
static void fill_table(cairn_bayes_net_model *m, size_t v, cairn_smoothing smoothing)
{
    const cairn_network *net = &m->net;
    size_t k = (size_t)net->n_values[v];
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        double *p = cairn_network_table(net, v) + row * k;
        if (!isnan(p[0])) continue;
        cairn_smooth_counts(p, smoothing, m->counts + net->cells[v] + row * k, k, NULL);
        for (size_t l = 0; l < k; l++)
            if (!(p[l] >= 0)) p[l] = 1 / (double)k;
    }
}

static cairn_status make_logs(cairn_context *ctx, cairn_bayes_net_model *m)
{
    size_t n = (size_t)m->net.cells[m->net.n];
    CHECK(NEW_RAW(ctx, &m->logs, n));
    for (size_t i = 0; i < n; i++) m->logs[i] = cairn_log(m->net.p[i]);
    return CAIRN_OK;
}

/* Counts and tables of all families, and what they make of the training rows. */
static cairn_status make_tables(cairn_context *ctx, cairn_bayes_net_model *m, const net_rows *rows,
                                const cairn_job *job)
{
    const net_params *p = job->params;
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
    CHECK(NEW(ctx, &m->counts, (size_t)m->net.cells[m->net.n]));
    CHECK(NEW(ctx, &m->shares, (size_t)rows->n_values[rows->n - 1]));
    m->rows = rows->total;
    /* Shares of the last variable's own counts, whatever its parents are. */
    const uint16_t *classes = rows->codes[rows->n - 1];
    size_t k = (size_t)rows->n_values[rows->n - 1];
    for (size_t i = 0; i < rows->n_rows; i++)
        if (classes[i] < k) m->shares[classes[i]] += rows->weights ? rows->weights[i] : 1;
    for (size_t c = 0; c < k; c++) m->shares[c] /= rows->total;
    for (size_t v = 0; v < m->net.n; v++) {
        CHECK(cairn_tick(ctx, "tables", (double)v, (double)m->net.n));
        CHECK(count_family(ctx, m, rows, v));
        fill_table(m, v, smoothing);
    }
    CHECK(make_logs(ctx, m));
    /* What the tables make of the training rows: families that are complete. */
    double sum = 0;
    for (int64_t i = 0; i < m->net.cells[m->net.n]; i++)
        if (m->counts[i] > 0) sum += m->counts[i] * m->logs[i];
    m->log_likelihood = sum;
    if (job->steps) cairn_net_show_counts(job->steps, m, &rows->names, smoothing);
    return CAIRN_OK;
}

/* A graph that was typed, and whatever it says of the tables. */
static cairn_status fit_typed(cairn_context *ctx, cairn_bayes_net_model *m, const cairn_job *job,
                              const cairn_given *given)
{
    net_rows rows;
    cairn_typed_network typed;
    CHECK(read_rows(ctx, &rows, job));
    CHECK(cairn_network_read(ctx, &typed, given, &rows.names, rows.n_values, rows.n));
    m->net = typed.net;
    return make_tables(ctx, m, &rows, job);
}

static cairn_status bayes_net_read(cairn_context *ctx, void *model, const cairn_job *job,
                                   const cairn_given *given)
{
    return fit_typed(ctx, model, job, given);
}

static cairn_status bayes_net_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const net_params *p = job->params;
    cairn_bayes_net_model *m = model;
    net_rows rows;
    net_arcs arcs;
    if (p->arcs) {
        const cairn_given given = {cairn_say(ctx, "{arcs}"), p->arcs, strlen(p->arcs)};
        return fit_typed(ctx, m, job, &given);
    }
    CHECK(read_rows(ctx, &rows, job));
    CHECK(learn_arcs(ctx, &arcs, &rows, p));
    CHECK(cairn_network_make(ctx, &m->net, rows.n, rows.n_values, arcs.list, arcs.n, &rows.names));
    for (int64_t i = 0; i < m->net.cells[rows.n]; i++) m->net.p[i] = NAN;
    return make_tables(ctx, m, &rows, job);
}

/* -- saving and loading -- */

static cairn_status archive_graph(cairn_archive *a, cairn_network *net)
{
    size_t n_arcs = net->starts ? (size_t)net->starts[net->n] : 0;
    bool sound;
    CHECK(cairn_archive_size(a, "n_arcs", &n_arcs, (size_t)1 << 30));
    CHECK(cairn_archive_ints(a, "n_values", &net->n_values, net->n));
    CHECK(cairn_archive_ints(a, "starts", &net->starts, net->n + 1));
    CHECK(cairn_archive_ints(a, "parents", &net->parents, n_arcs));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    if ((size_t)net->starts[net->n] != n_arcs)
        return cairn_archive_damaged(a, "the arcs and their number disagree");
    CHECK(cairn_network_restore(cairn_archive_context(a), net, &sound));
    return sound ? CAIRN_OK : cairn_archive_damaged(a, "the graph is none of a network");
}

/* The graph comes first: it says how many numbers follow. Logarithms are made again. All variables
 * but the last are counted as features, whether that is the target or another column. */
static cairn_status bayes_net_archive(cairn_archive *a, void *model)
{
    cairn_bayes_net_model *m = model;
    cairn_network *net = &m->net;
    size_t n_others = net->n ? net->n - 1 : 0;
    CHECK(cairn_archive_size(a, "n_features", &n_others, 1 << 24));
    net->n = n_others + 1;
    CHECK(archive_graph(a, net));
    size_t cells = (size_t)net->cells[net->n];
    CHECK(cairn_archive_reals(a, "p", &net->p, cells));
    CHECK(cairn_archive_reals(a, "counts", &m->counts, cells));
    CHECK(cairn_archive_reals(a, "shares", &m->shares, (size_t)net->n_values[n_others]));
    CHECK(cairn_archive_real(a, "rows", &m->rows));
    CHECK(cairn_archive_real(a, "log_likelihood", &m->log_likelihood));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    for (size_t i = 0; i < cells; i++)
        if (!(net->p[i] >= 0 && net->p[i] <= 1) || !(m->counts[i] >= 0))
            return cairn_archive_damaged(a, "a table holds what is no probability or no count");
    for (int32_t c = 0; c < net->n_values[n_others]; c++)
        if (!(m->shares[c] >= 0 && m->shares[c] <= 1))
            return cairn_archive_damaged(a, "the share of a class is none");
    return make_logs(cairn_archive_context(a), m);
}

static cairn_status bayes_net_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    cairn_network_names names;
    int32_t *n_values;
    bool has_target = cairn_net_has_target(job);
    CHECK(cairn_check_columns(a, job, m->net.n - has_target));
    if (has_target && (size_t)m->net.n_values[m->net.n - 1] != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    CHECK(cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n));
    for (size_t v = 0; v < m->net.n; v++)
        if (n_values[v] != m->net.n_values[v])
            return cairn_archive_damaged(a, "a table does not fit its column");
    return CAIRN_OK;
}

static void bayes_net_clear(void *model)
{
    cairn_bayes_net_model *m = model;
    cairn_network_clear(&m->net);
    FREE_EACH(m->counts, m->shares, m->logs);
}

static cairn_model_size bayes_net_size(const void *model)
{
    const cairn_bayes_net_model *m = model;
    return (cairn_model_size){cairn_network_parameters(&m->net), false};
}

/* Without a target all rows are of one kind. */
static size_t bayes_net_clusters(const void *model)
{
    (void)model;
    return 1;
}

const cairn_learner cairn_bayes_net = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "bayes-net",
              .also = "Bayesian network, belief network, Bayes net, tree-augmented naive Bayes, "
                      "TAN, Chow-Liu tree, hill climbing, BDe, BDeu, random restarts",
              .title = "Bayesian network",
              .summary =
                  "A graph of what depends on what, and a table P(variable | parents) for every "
                  "column; the class is answered by its probability given the other cells, exactly "
                  "also where some are missing. The graph is typed (--arcs, or --given FILE, "
                  "an option of fit) or learned: tree-augmented naive Bayes, the tree of largest "
                  "mutual information, or "
                  "hill climbing by BIC or BDe from one start or several. Without a target "
                  "(--target none) the tree or the climbed "
                  "graph is of all columns: then every row gets its probability (log_density) and "
                  "what its missing cells most probably are (completion). Numbers are cut into "
                  "bins first. 'cairn export MODEL --to text' writes the network for 'cairn "
                  "compute network', which answers any other "
                  "question.",
              .references = "Chow and Liu: Approximating Discrete Probability Distributions with "
                            "Dependence Trees, IEEE IT 14, 1968; Friedman, Geiger and Goldszmidt: "
                            "Bayesian Network Classifiers, Machine Learning 29, 1997; Heckerman: A "
                            "Tutorial on Learning with Bayesian Networks, 1995",
              .example = "cairn fit bayes-net @weather --steps",
              .params = bayes_net_table,
              .params_size = sizeof(net_params),
              .check = bayes_net_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_CLUSTER,
    .space = "structure=naive,tan,climb\n"
             "smooth=laplace,lambda:0.1",
    .accepts = CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_WEIGHTS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .aims = "log-likelihood of the rows",
    .model_size = sizeof(cairn_bayes_net_model),
    .tables = cairn_net_tables,
    .gives_scores = true,
    .clusters = bayes_net_clusters,
    .outputs = cairn_net_outputs,
    .fit = bayes_net_fit,
    .read = bayes_net_read,
    .forms = cairn_net_forms,
    .predict = cairn_net_predict,
    .explain = cairn_net_explain,
    .sample = cairn_net_sample,
    .describe = cairn_net_describe,
    .figures = cairn_net_figures,
    .archive = bayes_net_archive,
    .check = bayes_net_check_state,
    .clear = bayes_net_clear,
    .size = bayes_net_size,
};
