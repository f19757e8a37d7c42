/* SPDX-License-Identifier: MIT */
/* Shapley values of a row on the board: the value of every set of columns, then the means of what a
 * column adds to the sets without it. Columns that the model never looks at add nothing to any set
 * and are left out, which changes no value of the others. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/shapley_report.h"
#include "learners/tree/tree_lower.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum { MOST_COLUMNS = 4, MOST_TERMS = 12, MOST_LISTED = 30 };

typedef struct board {
    cairn_context *ctx;
    cairn_report *out;
    const cairn_shapley *s;
    size_t row;
    cairn_shapley_side side;
    size_t players[MOST_COLUMNS], n; /* that the model looks at */
    double sets[1 << MOST_COLUMNS];  /* v(S) */
    double unit, shift;              /* of a number that was scaled */
} board;

/* -- which columns -- */

static void mark_used(bool *used, const cairn_shapley *s)
{
    for (size_t t = 0; t < s->sum.n_trees; t++) {
        const cairn_tree_paths *f = &s->paths[t];
        for (size_t i = 0; i < f->n_nodes; i++) {
            int32_t column = f->op->codes[CAIRN_TREES_NODES][4 * i];
            if (column >= 0) used[f->players[column]] = true;
        }
    }
}

/* The columns that trees test; false when there are too many for a board. */
static cairn_status find_players(board *b, bool *few)
{
    bool *used;
    size_t n = 0;
    CHECK(SCRATCH(b->ctx, &used, b->s->n_players + 1));
    mark_used(used, b->s);
    for (size_t j = 0; j < b->s->n_players; j++) n += used[j];
    *few = n <= MOST_COLUMNS && n > 0;
    for (size_t j = 0; *few && j < b->s->n_players; j++)
        if (used[j]) b->players[b->n++] = j;
    return CAIRN_OK;
}

/* -- sets -- */

/* "v(outlook, windy)" */
static void add_set(cairn_text *text, const board *b, size_t set)
{
    bool any = false;
    cairn_text_add(text, "v(");
    for (size_t k = 0; k < b->n; k++) {
        if (!(set >> k & 1)) continue;
        cairn_text_addf(text, "%s%s", any ? ", " : "", b->s->names[b->players[k]]);
        any = true;
    }
    cairn_text_add(text, any ? ")" : "∅)");
}

/* The same as a part of a name: "outlook+windy", "none". */
static void add_key(cairn_text *text, const board *b, size_t set)
{
    bool any = false;
    for (size_t k = 0; k < b->n; k++) {
        if (!(set >> k & 1)) continue;
        cairn_text_addf(text, "%s%s", any ? "+" : "", b->s->names[b->players[k]]);
        any = true;
    }
    if (!any) cairn_text_add(text, "none");
}

/* v(S): the sum of trees with these columns known, or its mean over the background rows. */
static cairn_status value_of(board *b, const uint8_t *known, double *out)
{
    const cairn_shapley *s = b->s;
    size_t k = s->n_outputs;
    double *sums, sum = s->sum.constants[b->side.output];
    CHECK(SCRATCH(b->ctx, &sums, k + 1));
    for (size_t t = 0; t < s->sum.n_trees; t++) {
        const cairn_tree_paths *f = &s->paths[t];
        CHECK(cairn_tree_paths_game(b->ctx, f, s->cells + b->row * f->n_columns, known, sums));
        sum += sums[b->side.output];
    }
    *out = b->side.sign * (b->shift + b->unit * sum);
    return CAIRN_OK;
}

/* The same against background rows: each in turn gets the cells of the known columns. */
static cairn_status value_against(board *b, const uint8_t *known, double *out)
{
    const cairn_shapley *s = b->s;
    size_t d = s->others.n_columns;
    uint8_t *all;
    double *row, *sums, sum = 0, total = 0;
    CHECK(SCRATCH(b->ctx, &all, s->n_players + 1));
    CHECK(SCRATCH(b->ctx, &row, d + 1));
    CHECK(SCRATCH(b->ctx, &sums, s->n_outputs + 1));
    for (size_t j = 0; j < s->n_players; j++) all[j] = 1;
    for (size_t i = 0; i < s->others.n; i++) {
        double weight = s->others.weights ? s->others.weights[i] : 1;
        const double *from[] = {s->others.values + i * d, s->cells + b->row * d};
        for (size_t c = 0; c < d; c++) row[c] = from[known[s->paths[0].players[c]]][c];
        for (size_t t = 0; t < s->sum.n_trees; t++) {
            CHECK(cairn_tree_paths_game(b->ctx, &s->paths[t], row, all, sums));
            sum += weight * sums[b->side.output];
        }
        total += weight;
    }
    *out = b->side.sign * (b->shift + b->unit * (s->sum.constants[b->side.output] + sum / total));
    return CAIRN_OK;
}

/* Leaves of a single tree that are reached with these columns known: share times value. */
static cairn_status show_leaves(board *b, const char *label, const uint8_t *known, double value)
{
    const cairn_tree_paths *f = &b->s->paths[0];
    double *reached, *terms;
    size_t n = 0, k = f->n_outputs;
    CHECK(SCRATCH(b->ctx, &reached, f->n_nodes + 1));
    CHECK(SCRATCH(b->ctx, &terms, 2 * f->n_nodes + 2));
    CHECK(cairn_tree_paths_reach(b->ctx, f, b->s->cells + b->row * f->n_columns, known, reached));
    for (size_t i = 0; i < f->n_nodes; i++) {
        if (f->starts[i] < f->starts[i + 1] || !(reached[i] > 0)) continue;
        terms[2 * n] = reached[i];
        terms[2 * n++ + 1] = b->side.sign * b->unit * f->values[i * k + b->side.output];
    }
    cairn_report_worked_sum(b->out, label, "#·#", terms, 2, n, value);
    return CAIRN_OK;
}

/* A mean over the background: the sum of the answers by the number of rows, or their weight. */
static void show_mean(board *b, const char *label, double value)
{
    double total = 0;
    for (size_t i = 0; i < b->s->others.n; i++)
        total += b->s->others.weights ? b->s->others.weights[i] : 1;
    cairn_report_worked(b->out, label, "# / # = #", value * total, total, value);
}

/* v(S) of all sets, the empty one first. */
static cairn_status show_sets(board *b)
{
    const cairn_shapley *s = b->s;
    bool one = s->sum.n_trees == 1 && s->paths[0].op->sizes[CAIRN_TREES_N] == 1 &&
               s->sum.constants[b->side.output] == 0 && b->shift == 0 && !s->against_rows;
    uint8_t *known;
    CHECK(SCRATCH(b->ctx, &known, s->n_players + 1));
    cairn_report_step_begin(b->out, "The value of every set of columns");
    cairn_report_paragraph(b->out, "%s",
                           s->against_rows ? "v(S) is the mean of the answers for the background "
                                             "rows when they get the row's cells in the columns "
                                             "of S."
                                           : "v(S) is what the trees answer when only the "
                                             "columns of S are known: a test of another column "
                                             "counts its branches by their shares of the "
                                             "background.");
    if (one) cairn_report_formula(b->out, "v(S) = Σ share of the leaf · value of the leaf");
    if (s->against_rows)
        cairn_report_formula(b->out, "v(S) = Σ answers / %s",
                             s->others.weights ? "Σ weights of rows" : "number of rows");
    for (size_t set = 0; set < (size_t)1 << b->n; set++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(b->ctx);
        SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(b->ctx);
        for (size_t k = 0; k < b->n; k++) known[b->players[k]] = set >> k & 1;
        CHECK(s->against_rows ? value_against(b, known, &b->sets[set])
                              : value_of(b, known, &b->sets[set]));
        add_set(&label, b, set);
        add_key(&key, b, set);
        CHECK(cairn_text_status(&label));
        CHECK(cairn_text_status(&key));
        if (s->against_rows)
            show_mean(b, cairn_text_string(&label), b->sets[set]);
        else if (one)
            CHECK(show_leaves(b, cairn_text_string(&label), known, b->sets[set]));
        else
            cairn_report_worked(b->out, cairn_text_string(&label), "#", b->sets[set]);
        cairn_report_hidden(b->out, b->sets[set], "set.%s",
                            cairn_report_key(b->out, cairn_text_string(&key)));
    }
    cairn_report_step_end(b->out);
    return cairn_report_status(b->out);
}

/* -- columns -- */

static double factorial(size_t n)
{
    return n < 2 ? 1 : (double)n * factorial(n - 1);
}

/* What a column adds to every set without it, times the share of orders in which it comes right
 * behind that set. */
static void show_column(board *b, size_t k)
{
    double terms[3 << MOST_COLUMNS], sum = 0;
    size_t n = 0;
    const char *name = b->s->names[b->players[k]];
    for (size_t set = 0; set < (size_t)1 << b->n; set++) {
        if (set >> k & 1) continue;
        size_t size = (size_t)__builtin_popcountll(set);
        double weight = factorial(size) * factorial(b->n - size - 1) / factorial(b->n);
        terms[3 * n] = weight;
        terms[3 * n + 1] = b->sets[set | (size_t)1 << k];
        terms[3 * n++ + 2] = b->sets[set];
        sum += weight * (b->sets[set | (size_t)1 << k] - b->sets[set]);
    }
    cairn_report_worked_sum(b->out, name, "#·(# − #)", terms, 3, n, sum);
    cairn_report_hidden(b->out, sum, "board.%s", cairn_report_key(b->out, name));
}

static cairn_status show_columns(board *b)
{
    size_t n = b->n, all = ((size_t)1 << n) - 1;
    double terms[MOST_COLUMNS + 1];
    cairn_report_step_begin(b->out, "What a column adds, on average over all orders");
    cairn_report_formula(b->out,
                         "φ(i) = Σ |S|! (m − |S| − 1)! / m! · (v(S with i) − v(S)), m = %zu", n);
    for (size_t k = 0; k < n; k++) show_column(b, k);
    cairn_report_step_end(b->out);
    cairn_report_step_begin(b->out, "The values add up");
    terms[0] = b->sets[0];
    for (size_t k = 0; k < n; k++)
        terms[k + 1] = cairn_shapley_value(b->s, b->row, b->side, b->players[k]);
    cairn_report_worked_sum(b->out, "base + Σ φ", "#", terms, 1, n + 1, b->sets[all]);
    cairn_report_step_end(b->out);
    return cairn_report_status(b->out);
}

/* Terms of a line, where there are no trees. */
static void show_terms(board *b)
{
    const cairn_shapley *s = b->s;
    size_t d = s->sum.n_columns, shown = 0;
    cairn_report_step_begin(b->out, "Weight times distance from the mean");
    cairn_report_formula(b->out, "φ = weight · (value − mean of the background)");
    for (size_t j = 0; j < d && shown < MOST_TERMS; j++) {
        double weight = b->side.sign * b->unit * s->sum.weights[b->side.output * d + j];
        double value = s->cells[b->row * d + j], mean = s->means[j];
        if (weight == 0) continue;
        cairn_report_worked(b->out, s->column_names[j], "#·(# − #) = #", weight, value, mean,
                            weight * (value - mean));
        shown++;
    }
    cairn_report_step_end(b->out);
}

/* One order of those that were drawn: what every column changes when its turn comes. */
static void show_order(board *b)
{
    const cairn_shapley *s = b->s;
    size_t k = s->n_outputs, c = b->side.output;
    cairn_report_step_begin(b->out, "One order of the columns");
    cairn_report_paragraph(
        b->out,
        "A background row takes over the cells of the row, one column after the "
        "other. What the answer changes by is a draw of the value of the column; "
        "the mean over %zu orders and the opposite ones is its estimate.",
        s->permutations);
    cairn_report_table_of(b->out, NULL, MOST_LISTED, "llrr", "column", "becomes", "answer",
                          "change");
    cairn_report_cells(b->out, "- - order.none", "none", "", s->shown_scores[c], "");
    for (size_t j = 0; j < s->n_players; j++) {
        char cell[80];
        size_t player = s->shown_order[j];
        double before = s->shown_scores[j * k + c], now = s->shown_scores[(j + 1) * k + c];
        cairn_shapley_cell(s, player, b->row, cell, sizeof cell);
        cairn_report_cells(b->out, "- - - order.$1", s->names[player], cell, now, now - before);
    }
    cairn_report_step_end(b->out);
}

cairn_status cairn_shapley_show_steps(cairn_report *out, const cairn_shapley *s, size_t row,
                                      int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    board b = {.ctx = ctx, .out = out, .s = s, .row = row};
    bool few = false;
    b.side = cairn_shapley_side_of(s, cairn_shapley_class(s, row, wanted));
    b.unit = s->unit;
    b.shift = s->shift;
    if (!s->exact && row == 0) show_order(&b);
    if (!s->exact) return cairn_report_status(out);
    if (!s->trees) {
        show_terms(&b);
        return cairn_report_status(out);
    }
    CHECK(find_players(&b, &few));
    if (!few || s->sum.weighs) {
        cairn_report_note(out, "All sets are shown for trees that test at most %d columns.",
                          MOST_COLUMNS);
        return CAIRN_OK;
    }
    CHECK(show_sets(&b));
    return show_columns(&b);
}
