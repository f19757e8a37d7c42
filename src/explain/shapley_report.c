/* SPDX-License-Identifier: MIT */
/* Shapley values as tables. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "explain/shapley_report.h"
#include "learners/tree/tree_lower.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Shapley values of a row on the board: the value of every set of columns, then the means of what a
 * column adds to the sets without it. Columns that the model never looks at add nothing to any set
 * and are left out, which changes no value of the others. */

enum { MOST_COLUMNS = 4, MOST_TERMS = 12, STEPS_MOST_LISTED = 30 };

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
        /* The same as a part of a name: "outlook+windy", "none". */
        bool any = false;
        for (size_t k = 0; k < b->n; k++) {
            if (!(set >> k & 1)) continue;
            cairn_text_addf(&key, "%s%s", any ? "+" : "", b->s->names[b->players[k]]);
            any = true;
        }
        if (!any) cairn_text_add(&key, "none");
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
    cairn_report_table_of(b->out, NULL, STEPS_MOST_LISTED, "llrr", "column", "becomes", "answer",
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

/* Shapley values as pictures. Cells are coloured from dark blue (the lowest) through grey to yellow
 * (the highest), by their rank, which the colour-blind can tell apart and grey paper keeps. */

enum { MOST_BARS = 12, MOST_SWARMS = 20, MOST_DOTS = 2000, BINS = 60, MOST_GROUPS = 8 };
enum { MISSING = 0xB8B8B8 };

/* Between a bar and its number, and the width of a letter: parts of what all bars span. */
static const double GAP = 0.012, LETTER = 0.024;

/* -- colours of cells -- */

typedef struct keyed {
    double value;
    size_t row;
} keyed;

static int compare_keyed(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static double cell_number(const cairn_column *column, size_t row)
{
    if (column->numbers) return column->numbers[row];
    return column->codes && column->codes[row] >= 0 ? column->codes[row] : NAN;
}

/* Between two colours. */
static uint32_t mix(uint32_t low, uint32_t high, double share)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = low >> shift & 255, b = high >> shift & 255;
        out |= (uint32_t)(a + (b - a) * share + 0.5) << shift;
    }
    return out;
}

static uint32_t colour_at(double share)
{
    const uint32_t low = 0x08306B, middle = 0x8C8A84, high = 0xF0BE00;
    return share < 0.5 ? mix(low, middle, 2 * share) : mix(middle, high, 2 * share - 1);
}

/* A colour for each row by the rank of its cell; equal cells are coloured alike. */
static cairn_status colour_cells(cairn_context *ctx, uint32_t *out, const cairn_shapley *s,
                                 size_t player)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    keyed *list;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &list, s->n_rows + 1));
    for (size_t i = 0; i < s->n_rows; i++) {
        double value = cell_number(column, i);
        out[i] = MISSING;
        if (!isnan(value)) list[n++] = (keyed){value, i};
    }
    if (n > 1) qsort(list, n, sizeof *list, compare_keyed);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && list[end].value == list[i].value;) end++;
        double share = n > end - i ? (double)i / (double)(n - (end - i)) : 0.5;
        for (size_t k = i; k < end; k++) out[list[k].row] = colour_at(share);
    }
    return CAIRN_OK;
}

/* -- waterfall -- */

/* "petal_width = 1.8", or how many columns stand together. */
static cairn_status name_bar(cairn_context *ctx, const char **out, const cairn_shapley *s,
                             size_t row, size_t player, size_t together)
{
    enum { SIZE = 200 };
    char *text, cell[60];
    CHECK(SCRATCH(ctx, &text, SIZE));
    *out = text;
    if (together) {
        snprintf(text, SIZE, "%zu other columns", together);
        return CAIRN_OK;
    }
    cairn_shapley_cell(s, player, row, cell, sizeof cell);
    snprintf(text, SIZE, "%s = %s", s->names[player], *cell ? cell : "?");
    return CAIRN_OK;
}

/* "+0.35"; returns its length. */
static size_t write_change(char *out, double by)
{
    *out = '+';
    return cairn_number_format(out + (by >= 0), by, 3) + (by >= 0);
}

/* The ends of what the sum runs through. */
static double span_of(const double *sizes, size_t n, double base, double *low, double *high)
{
    double at = base;
    *low = *high = base;
    for (size_t k = 0; k < n; k++) {
        at += sizes[k];
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
    double span = *high - *low;
    return span > 0 ? span : 1;
}

/* The ends of the axis: beyond the bars there is room for the numbers beside them. */
static void widen(const double *sizes, size_t n, double base, double span, double *low,
                  double *high)
{
    double at = base, least = *low - 0.06 * span, most = *high + 0.06 * span;
    for (size_t k = 0; k < n; k++) {
        char number[CAIRN_NUMBER_SIZE + 1];
        double buffer = (GAP + LETTER * (double)write_change(number, sizes[k])) * span;
        at += sizes[k];
        least = fmin(least, sizes[k] < 0 ? at - buffer : at);
        most = fmax(most, sizes[k] < 0 ? at : at + buffer);
    }
    *low = least;
    *high = most;
}

/* Bars of the largest values first, from the top; the rest is one bar. */
static cairn_status fill_bars(cairn_context *ctx, cairn_figure *figure, const cairn_shapley *s,
                              size_t row, cairn_shapley_side side, const size_t *order)
{
    size_t m = s->n_players, n = m > MOST_BARS ? MOST_BARS : m;
    const char *names[MOST_BARS];
    double sizes[MOST_BARS] = {0}, low, high, at = side.sign * s->base[side.output];
    for (size_t k = 0; k < m; k++) {
        bool rest = m > n && k + 1 >= n;
        sizes[rest ? n - 1 : k] += cairn_shapley_value(s, row, side, order[k]);
        if (k < n) CHECK(name_bar(ctx, &names[n - 1 - k], s, row, order[k], rest ? m - n + 1 : 0));
    }
    double span = span_of(sizes, n, at, &low, &high);
    cairn_figure_y_names(figure, names, n);
    cairn_figure_y_range(figure, -0.7, (double)n - 0.3);
    widen(sizes, n, at, span, &low, &high);
    cairn_figure_x_range(figure, low, high);
    double ends[] = {(double)n - 0.35, (double)n - 1.45}, sums[] = {-0.65, 0.45};
    cairn_figure_thick(figure, NULL, (double[]){at, at}, ends, 2);
    for (size_t k = 0; k < n; k++) {
        /* A bar from where the sum was to where it is, with its value beside it. */
        double by = sizes[k];
        double y = (double)(n - 1 - k);
        double to = at + by;
        double x[] = {at, to, to, at}, corners[] = {y - 0.36, y - 0.36, y + 0.36, y + 0.36};
        double link_x[] = {to, to}, link_y[] = {y - 0.36, y - 0.64};
        char number[CAIRN_NUMBER_SIZE + 1];
        write_change(number, by);
        cairn_figure_side(figure, by < 0 ? 0 : 1, 0.85, x, corners, 4);
        if (y > 0) cairn_figure_guide(figure, link_x, link_y, 2);
        double gap = GAP * span;
        cairn_figure_text(figure, by < 0 ? to - gap : to + gap, y - 0.17, by < 0 ? 'r' : 'l',
                          number);
        at += sizes[k];
    }
    cairn_figure_thick(figure, NULL, (double[]){at, at}, sums, 2);
    cairn_figure_size(figure, 560, 110 + 26 * (double)n);
    return CAIRN_OK;
}

cairn_status cairn_shapley_waterfall(cairn_context *ctx, cairn_figure **out, const cairn_shapley *s,
                                     const cairn_model *model, size_t row, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    int32_t code = cairn_shapley_class(s, row, wanted);
    size_t *order;
    CHECK(cairn_shapley_order(ctx, &order, s, (ptrdiff_t)row, wanted));
    cairn_shapley_side side = cairn_shapley_side_of(s, code);
    cairn_shapley_add_scale(&scale, s, model, code);
    cairn_text_add(&scale, ": from the base, ");
    cairn_text_add_number(&scale, side.sign * s->base[side.output], 3);
    cairn_text_add(&scale, ", to ");
    cairn_text_add_number(&scale, side.sign * s->sums[row * s->n_outputs + side.output], 3);
    CHECK(cairn_text_status(&scale));
    CHECK(cairn_figure_new(ctx, &figure, "shapley-row", "From the base to the row"));
    cairn_figure_axes(figure, cairn_text_string(&scale), "");
    CHECK(fill_bars(ctx, figure, s, row, side, order));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- swarms -- */

/* Dots of one column: rows whose values fall into the same narrow range stand above and below the
 * line of the column, in turn. */
static void place_dots(const cairn_shapley *s, size_t player, int32_t wanted, double low,
                       double high, size_t step, double middle, double *x, double *y)
{
    size_t counts[BINS + 1] = {0}, taken[BINS + 1] = {0}, most = 1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0, n = 0; i < s->n_rows; i += step, n++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            double value = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), player);
            double place = high > low ? (value - low) / (high - low) * BINS : 0;
            size_t bin = place >= 0 && place <= BINS ? (size_t)place : 0;
            if (pass == 0 && ++counts[bin] > most) most = counts[bin];
            if (pass == 0) continue;
            size_t k = taken[bin]++, rank = (k + 1) / 2;
            double buffer = 0.8 / (double)(most > 8 ? most : 8);
            x[n] = value;
            y[n] = middle + (k % 2 ? 1.0 : -1.0) * (double)rank * buffer;
        }
}

/* Columns by their mean size, the largest on top. */
static cairn_status fill_swarms(cairn_context *ctx, cairn_figure *figure, const cairn_shapley *s,
                                int32_t wanted)
{
    size_t n = s->n_players < MOST_SWARMS ? s->n_players : MOST_SWARMS, *order;
    size_t step = s->n_rows / MOST_DOTS + 1, dots = (s->n_rows + step - 1) / step;
    const char *names[MOST_SWARMS];
    double *x, *y, low, high;
    uint32_t *colours, *picked;
    CHECK(cairn_shapley_order(ctx, &order, s, -1, wanted));
    CHECK(SCRATCH_EACH(ctx, dots + 1, &x, &y));
    CHECK(SCRATCH(ctx, &colours, s->n_rows + 1));
    CHECK(SCRATCH(ctx, &picked, dots + 1));
    /* The ends of all values that are drawn. */
    low = high = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        cairn_shapley_side side = cairn_shapley_side_of(s, cairn_shapley_class(s, i, wanted));
        for (size_t j = 0; j < s->n_players; j++) {
            double value = cairn_shapley_value(s, i, side, j);
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    cairn_figure_rule_x(figure, NULL, 0);
    for (size_t k = 0; k < n; k++) {
        names[n - 1 - k] = s->names[order[k]];
        CHECK(colour_cells(ctx, colours, s, order[k]));
        place_dots(s, order[k], wanted, low, high, step, (double)(n - 1 - k), x, y);
        for (size_t i = 0; i < dots; i++) picked[i] = colours[i * step];
        cairn_figure_colours(figure, x, y, picked, dots, false);
    }
    cairn_figure_y_names(figure, names, n);
    cairn_figure_y_range(figure, -0.6, (double)n - 0.4);
    cairn_figure_size(figure, 560, 120 + 30 * (double)n);
    return CAIRN_OK;
}

/* Whether cells of some column are levels, which have an order but are not low or high. */
static bool has_levels(const cairn_shapley *s)
{
    bool any = false;
    for (size_t j = 0; j < s->n_players; j++)
        any |= s->table->slots[s->columns[j]].column->codes != NULL;
    return any;
}

cairn_status cairn_shapley_swarm(cairn_context *ctx, cairn_figure **out, const cairn_shapley *s,
                                 const cairn_model *model, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    cairn_text_add(&scale, "φ: part of the ");
    if (wanted >= 0 || s->predictions.numbers)
        cairn_shapley_add_scale(&scale, s, model, wanted);
    else
        cairn_text_add(&scale, "score of the class that is answered");
    CHECK(cairn_text_status(&scale));
    CHECK(cairn_figure_new(
        ctx, &figure, "shapley-summary",
        has_levels(s) ? "Values of all rows (blue = low, yellow = high; levels in order)"
                      : "Values of all rows (cells: blue = low, grey = middle, yellow = high)"));
    cairn_figure_axes(figure, cairn_text_string(&scale), "");
    CHECK(fill_swarms(ctx, figure, s, wanted));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- dependence -- */

/* The player whose interactions with this one are largest; n_players = none is known. */
static size_t strongest_with(const cairn_shapley *s, size_t player, int32_t wanted)
{
    size_t best = s->n_players, m = s->n_players;
    double most = 0;
    for (size_t j = 0; s->pairs && j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < s->n_rows && j != player; i++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            size_t at = i * s->n_outputs + cairn_shapley_side_of(s, code).output;
            sum += fabs(s->pairs[(at * m + player) * m + j]);
        }
        if (sum > most) {
            most = sum;
            best = j;
        }
    }
    return best;
}

/* Dots in the colours of the levels of another column, with a legend. */
static cairn_status draw_groups(cairn_context *ctx, cairn_figure *figure, const double *x,
                                const double *y, const int32_t *groups, size_t n,
                                const cairn_column *levels)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, levels->names.n + 1));
    for (size_t l = 0; l < levels->names.n; l++) names[l] = cairn_map_key(&levels->names, l);
    cairn_figure_points(figure, x, y, groups, n, names, levels->names.n);
    return CAIRN_OK;
}

/* The column whose levels colour the dots; NULL = numbers, or too many levels to be told apart. */
static const cairn_column *coloured_levels(const cairn_shapley *s, size_t colour)
{
    if (colour >= s->n_players) return NULL;
    const cairn_column *column = s->table->slots[s->columns[colour]].column;
    return column->codes && column->names.n <= MOST_GROUPS ? column : NULL;
}

/* Cells below, values beside, dots in the colours of another column. */
static cairn_status fill_dependence(cairn_context *ctx, cairn_figure *figure,
                                    const cairn_shapley *s, size_t player, size_t colour,
                                    int32_t wanted)
{
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    size_t n = 0;
    const cairn_column *levels = coloured_levels(s, colour);
    double *x, *y;
    uint32_t *colours;
    int32_t *groups;
    const char **names;
    CHECK(SCRATCH_EACH(ctx, s->n_rows + 1, &x, &y, &colours, &groups));
    if (colour < s->n_players) CHECK(colour_cells(ctx, colours, s, colour));
    for (size_t i = 0; i < s->n_rows; i++) {
        int32_t code = cairn_shapley_class(s, i, wanted);
        x[n] = cell_number(column, i);
        y[n] = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), player);
        colours[n] = colour < s->n_players ? colours[i] : 0x0072B2;
        groups[n] = levels ? levels->codes[i] : 0;
        n += !isnan(x[n]) && !isnan(y[n]);
    }
    cairn_figure_rule_y(figure, NULL, 0);
    if (levels)
        CHECK(draw_groups(ctx, figure, x, y, groups, n, levels));
    else
        cairn_figure_colours(figure, x, y, colours, n, false);
    if (!column->codes) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, column->names.n + 1));
    for (size_t l = 0; l < column->names.n; l++) names[l] = cairn_map_key(&column->names, l);
    cairn_figure_x_names(figure, names, column->names.n);
    cairn_figure_x_range(figure, -0.5, (double)column->names.n - 0.5);
    return CAIRN_OK;
}

cairn_status cairn_shapley_dependence(cairn_context *ctx, cairn_figure **out,
                                      const cairn_shapley *s, const cairn_model *model,
                                      size_t player, size_t colour, int32_t wanted)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text axis = cairn_text_start(ctx);
    if (colour >= s->n_players) colour = strongest_with(s, player, wanted);
    cairn_text_addf(&title, "What %s contributes", s->names[player]);
    if (colour < s->n_players)
        cairn_text_addf(
            &title, coloured_levels(s, colour) ? " with %s" : " (%s: blue = low, yellow = high)",
            s->names[colour]);
    cairn_text_add(&axis, "φ: part of the ");
    if (wanted >= 0 || s->predictions.numbers)
        cairn_shapley_add_scale(&axis, s, model, wanted);
    else
        cairn_text_add(&axis, "score of the class that is answered");
    CHECK(cairn_text_status(&title));
    CHECK(cairn_text_status(&axis));
    CHECK(cairn_figure_new(ctx, &figure, "shapley-dependence", cairn_text_string(&title)));
    cairn_figure_axes(figure, s->names[player], cairn_text_string(&axis));
    CHECK(fill_dependence(ctx, figure, s, player, colour, wanted));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

enum { MOST_PAIRS = 20, MOST_CLASSES = 12, MOST_LISTED = 30 };

/* -- classes and scales -- */

int32_t cairn_shapley_class(const cairn_shapley *s, size_t row, int32_t wanted)
{
    const cairn_prediction *p = &s->predictions;
    if (p->numbers) return -1;
    if (wanted >= 0) return wanted;
    return p->codes && p->codes[row] >= 0 ? p->codes[row] : 0;
}

const char *cairn_shapley_class_name(cairn_context *ctx, const cairn_model *model, int32_t code)
{
    const cairn_field *target = cairn_model_target(model);
    char *text;
    if (code < 0) return "";
    if (target && model->task == CAIRN_CLASSIFY && (size_t)code < target->names.n)
        return cairn_map_key(&target->names, (size_t)code);
    if (SCRATCH(ctx, &text, 32)) return "";
    snprintf(text, 32, "cluster %d", code + 1);
    return text;
}

void cairn_shapley_add_scale(cairn_text *text, const cairn_shapley *s, const cairn_model *model,
                             int32_t code)
{
    const cairn_field *target = cairn_model_target(model);
    const char *name = target ? target->name : "the answer";
    const char *class_name = cairn_shapley_class_name(text->ctx, model, code);
    switch (s->scale) {
    case CAIRN_SUM_NUMBER: cairn_text_add(text, name); break;
    case CAIRN_SUM_LOGARITHM: cairn_text_addf(text, "logarithm of %s", name); break;
    case CAIRN_SUM_LOG_ODDS: cairn_text_addf(text, "log odds of %s", class_name); break;
    case CAIRN_SUM_SOFTMAX: cairn_text_addf(text, "score of %s before softmax", class_name); break;
    default:
        cairn_text_addf(text, "%s of %s",
                        cairn_learner_gives_probabilities(model->learner, model->params->values)
                            ? "probability"
                            : "score",
                        class_name);
    }
}

/* -- order -- */

typedef struct ranked {
    size_t player;
    double size;
} ranked;

/* The largest first; ties keep the order of columns, and what is not a number comes last. */
static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    double x = isnan(a->size) ? -1 : a->size, y = isnan(b->size) ? -1 : b->size;
    if (x != y) return x > y ? -1 : 1;
    return (a->player > b->player) - (a->player < b->player);
}

/* Mean of |φ| over rows. */
static double cairn_shapley_mean(const cairn_shapley *s, size_t player, int32_t wanted)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        cairn_shapley_side side = cairn_shapley_side_of(s, cairn_shapley_class(s, i, wanted));
        sum += fabs(cairn_shapley_value(s, i, side, player));
    }
    return sum / (double)s->n_rows;
}

cairn_status cairn_shapley_order(cairn_context *ctx, size_t **out, const cairn_shapley *s,
                                 ptrdiff_t row, int32_t wanted)
{
    ranked *list;
    CHECK(SCRATCH_EACH(ctx, s->n_players + 1, &list, out));
    for (size_t j = 0; j < s->n_players; j++) {
        double size = 0;
        if (row >= 0) {
            int32_t code = cairn_shapley_class(s, (size_t)row, wanted);
            size = fabs(cairn_shapley_value(s, (size_t)row, cairn_shapley_side_of(s, code), j));
        } else {
            size = cairn_shapley_mean(s, j, wanted);
        }
        list[j] = (ranked){j, size};
    }
    if (s->n_players > 1) qsort(list, s->n_players, sizeof *list, compare_ranked);
    for (size_t j = 0; j < s->n_players; j++) (*out)[j] = list[j].player;
    return CAIRN_OK;
}

/* -- how -- */

/* What stands for a column that is not known yet. */
static const char *unknown_by(const cairn_shapley *s)
{
    if (!s->trees)
        return "Each term is the weight of a column times its distance from the mean "
               "of the background.";
    if (s->against_rows)
        return "Where a column is not known, its cell is that of a background row; the mean over "
               "these rows counts.";
    return "Where a column is not known, a test of it lets the row go down all branches, in the "
           "shares in which the background rows of the node do.";
}

void cairn_shapley_show_method(cairn_report *out, const cairn_shapley *s, const cairn_model *model)
{
    cairn_report_value(out, "rows explained", (double)s->n_rows, "rows");
    cairn_report_value(out, "background rows", (double)s->n_background, "background");
    cairn_report_word(out, "method", s->exact ? "exact" : "sampled", "method");
    if (s->exact) {
        cairn_report_paragraph(out, "The values are exact, averaged over all orders of columns. %s",
                               unknown_by(s));
    } else {
        cairn_report_hidden(out, (double)s->permutations, "permutations");
        cairn_report_paragraph(
            out,
            "The values are estimates from %zu drawn orders of the columns and as many opposite "
            "ones for every row, %zu from each background row; ± is the standard error.%s%s%s",
            s->permutations, s->permutations / s->n_background,
            s->refused ? " There is no exact way: " : "", s->refused ? s->refused : "",
            s->refused ? "." : "");
    }
    cairn_background_show(out, &s->from, s->n_background);
    if (s->inner)
        cairn_report_note(out,
                          "The columns are those that %s sees after the transforms, since not "
                          "each of them was made of a single column of the data.",
                          cairn_model_learner(model));
    if (s->other_units)
        cairn_report_note(out, "The values are in the units that the transforms gave the target, "
                               "the predictions in those of the data.");
}

/* -- rows -- */

/* The standard error of a value; NaN where it is exact. */
static double error_of(const cairn_shapley *s, size_t row, cairn_shapley_side side, size_t player)
{
    if (!s->errors) return NAN;
    return s->errors[(row * s->n_outputs + side.output) * s->n_players + player];
}

void cairn_shapley_cell(const cairn_shapley *s, size_t player, size_t row, char *out, size_t size)
{
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    char number[CAIRN_NUMBER_SIZE];
    if (column->kind == CAIRN_NUMBER && !isnan(column->numbers[row])) {
        cairn_number_format(number, column->numbers[row], 6);
        snprintf(out, size, "%s", number);
        return;
    }
    cairn_table_cell(s->table, s->columns[player], row, out, size);
}

static void show_value(cairn_report *out, const cairn_shapley *s, size_t row,
                       cairn_shapley_side side, size_t player)
{
    char cell[80];
    const char *key = cairn_report_key(out, s->names[player]);
    cairn_shapley_cell(s, player, row, cell, sizeof cell);
    cairn_report_cells(out, "- - $1", s->names[player], cell,
                       cairn_shapley_value(s, row, side, player));
    if (s->errors)
        cairn_report_cell_number(out, error_of(s, row, side, player), 2, "error.%s", key);
}

/* What the model makes of the sum, where that is another number. */
static void show_answer(cairn_report *out, const cairn_shapley *s, size_t row, int32_t code,
                        size_t at)
{
    const cairn_prediction *p = &s->predictions;
    if (isfinite(s->answers[at])) {
        cairn_report_hidden(out, s->answers[at], "answer");
    } else if (p->numbers) {
        cairn_report_value(out, "answer", p->numbers[row], "answer");
    } else if (p->scores) {
        double share = p->scores[row * p->n_classes + (size_t)code];
        const char *label = s->scale == CAIRN_SUM_LOG_ODDS ? "probability: 1 / (1 + exp(−sum))"
                            : s->scale == CAIRN_SUM_SOFTMAX
                                ? "probability: exp(sum) / Σ exp of all classes"
                                : "score";
        cairn_report_value(out, label, share, "answer");
    }
}

/* The row's values divided into what columns do alone and in pairs, the largest first; what is 0 is
 * not shown. */
static cairn_status show_row_pairs(cairn_report *out, const cairn_shapley *s, size_t row,
                                   cairn_shapley_side side)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t m = s->n_players, n = 0;
    ranked *list;
    CHECK(SCRATCH(ctx, &list, cairn_product(m, m) + 1));
    for (size_t a = 0; a < m; a++)
        for (size_t b = a; b < m; b++) {
            double size = fabs(cairn_shapley_pair(s, row, side, a, b));
            if (size > 0) list[n++] = (ranked){a * m + b, size};
        }
    if (n > 1) qsort(list, n, sizeof *list, compare_ranked);
    cairn_report_table_of(out, "Alone and together; they add up to Σ φ", MOST_LISTED, "llr",
                          "column", "with", "φ(i, i) or φ(i, j) + φ(j, i)");
    for (size_t k = 0; k < n; k++) {
        size_t a = list[k].player / m, b = list[k].player % m;
        double value = cairn_shapley_pair(s, row, side, a, b);
        const char *key = cairn_report_key(out, s->names[a]);
        cairn_report_cells(out, NULL, s->names[a], a == b ? "" : s->names[b]);
        if (a == b)
            cairn_report_cell_number(out, value, 6, "alone.%s", key);
        else
            cairn_report_cell_number(out, value, 6, "pair.%s.%s", key,
                                     cairn_report_key(out, s->names[b]));
    }
    return CAIRN_OK;
}

cairn_status cairn_shapley_show_row(cairn_report *out, const cairn_shapley *s,
                                    const cairn_model *model, size_t row, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    int32_t code = cairn_shapley_class(s, row, wanted);
    cairn_shapley_side side = cairn_shapley_side_of(s, code);
    cairn_figure *figure = NULL;
    size_t *order, at = row * s->n_outputs + side.output;
    double base = side.sign * s->base[side.output];
    CHECK(cairn_shapley_order(ctx, &order, s, (ptrdiff_t)row, wanted));
    cairn_shapley_add_scale(&scale, s, model, code);
    CHECK(cairn_text_status(&scale));
    cairn_report_formula(out, "%s = base + Σ φ", cairn_text_string(&scale));
    cairn_report_table_of(out, NULL, MOST_LISTED, "llr", "column", "value", "φ");
    if (s->errors) cairn_report_column(out, "±", 'r');
    for (size_t j = 0; j < s->n_players; j++) show_value(out, s, row, side, order[j]);
    if (code >= 0)
        cairn_report_hidden_word(out, cairn_shapley_class_name(ctx, model, code), "class");
    cairn_report_value(out, "base: mean over the background", base, "base");
    cairn_report_value(out, "Σ φ", side.sign * s->sums[at] - base, "phi");
    cairn_report_value(out, "base + Σ φ", side.sign * s->sums[at], "sum");
    show_answer(out, s, row, code, at);
    if (s->pairs) CHECK(show_row_pairs(out, s, row, side));
    CHECK(cairn_shapley_waterfall(ctx, &figure, s, model, row, wanted));
    cairn_report_page_figure(out, figure);
    return cairn_report_status(out);
}

/* -- all rows -- */

/* Means of the sizes per class where there are several and none was asked for. */
static void show_class_means(cairn_report *out, const cairn_shapley *s, const cairn_model *model,
                             const size_t *order)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_report_table_of(out, "Mean of |φ| for every class", MOST_LISTED, "l", "column");
    for (size_t c = 0; c < s->n_outputs; c++)
        cairn_report_column(out, cairn_shapley_class_name(ctx, model, s->classes[c]), 'r');
    for (size_t j = 0; j < s->n_players; j++) {
        const char *key = cairn_report_key(out, s->names[order[j]]);
        cairn_report_cell(out, s->names[order[j]]);
        for (size_t c = 0; c < s->n_outputs; c++) {
            const char *name = cairn_shapley_class_name(ctx, model, s->classes[c]);
            cairn_report_cell_number(out, cairn_shapley_mean(s, order[j], s->classes[c]), 4,
                                     "mean.%s.%s", cairn_report_key(out, name), key);
        }
    }
}

/* The mean size says how much a column matters, the mean itself in which direction. */
static void show_means(cairn_report *out, const cairn_shapley *s, const size_t *order,
                       int32_t wanted)
{
    cairn_report_table_of(out, "Columns by the mean size of their values", MOST_LISTED, "lrrrr",
                          "column", "mean of |φ|", "mean of φ", "least φ", "greatest φ");
    for (size_t k = 0; k < s->n_players; k++) {
        size_t j = order[k];
        double sum = 0, least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < s->n_rows; i++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            double value = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), j);
            sum += value;
            least = fmin(least, value);
            most = fmax(most, value);
        }
        cairn_report_cells(out, "- mean.$1:4 -:4 -:4 -:4", s->names[j],
                           cairn_shapley_mean(s, j, wanted), sum / (double)s->n_rows, least, most);
    }
}

/* The mean size of the interaction of two players, or with a = b of what one does alone. */
static double pair_mean(const cairn_shapley *s, size_t a, size_t b, int32_t wanted)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        int32_t code = cairn_shapley_class(s, i, wanted);
        sum += fabs(cairn_shapley_pair(s, i, cairn_shapley_side_of(s, code), a, b));
    }
    return sum / (double)s->n_rows;
}

/* Interactions, the largest first; those of pairs that never meet on a path are 0 and not shown. */
static cairn_status show_pairs(cairn_report *out, const cairn_shapley *s, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t m = s->n_players, n = 0;
    ranked *list;
    CHECK(SCRATCH(ctx, &list, m * m + 1));
    cairn_report_table_of(out, "What columns do alone", MOST_LISTED, "lr", "column",
                          "mean of |φ(i, i)|");
    for (size_t a = 0; a < m; a++) {
        cairn_report_cells(out, "- alone.$1:4", s->names[a], pair_mean(s, a, a, wanted));
        for (size_t b = a + 1; b < m; b++) {
            double size = pair_mean(s, a, b, wanted);
            if (size > 0) list[n++] = (ranked){a * m + b, size};
        }
    }
    if (n > 1) qsort(list, n, sizeof *list, compare_ranked);
    cairn_report_table_of(out, "And together: φ(i, j) + φ(j, i)", MOST_PAIRS, "llr", "column",
                          "with", "mean size");
    for (size_t k = 0; k < n; k++) {
        const char *a = s->names[list[k].player / m], *b = s->names[list[k].player % m];
        cairn_report_cells(out, "- - pair.$1.$2:4", a, b, list[k].size);
    }
    return CAIRN_OK;
}

cairn_status cairn_shapley_show_summary(cairn_report *out, const cairn_shapley *s,
                                        const cairn_model *model, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    cairn_figure *figure = NULL;
    size_t *order;
    CHECK(cairn_shapley_order(ctx, &order, s, -1, wanted));
    cairn_report_heading(out, 2, "All rows");
    show_means(out, s, order, wanted);
    if (wanted < 0 && s->n_outputs > 2 && s->n_outputs <= MOST_CLASSES)
        show_class_means(out, s, model, order);
    if (s->pairs) CHECK(show_pairs(out, s, wanted));
    if (s->n_rows > 1) CHECK(cairn_shapley_swarm(ctx, &figure, s, model, wanted));
    if (figure) cairn_report_page_figure(out, figure);
    return cairn_report_status(out);
}

/* -- for predict -- */

cairn_status cairn_shapley_is_exact(cairn_context *ctx, const cairn_model *model, bool *out)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_additive_clear) cairn_additive sum = {0};
    *out = false;
    if (!model->learner) return CAIRN_OK;
    CHECK(cairn_additive_of(ctx, &sum, model));
    *out = !sum.refused;
    return CAIRN_OK;
}

static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_shapley *s,
                                const cairn_model *model, size_t row, size_t number)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    SCOPED(cairn_text_clear) cairn_text answer = cairn_text_start(ctx);
    char prefix[48];
    CHECK(cairn_report_new(ctx, &part));
    /* The answer of a row in words. */
    const cairn_prediction *p = &s->predictions;
    if (p->numbers)
        cairn_text_add_number(&answer, p->numbers[row], 6);
    else if (p->codes[row] < 0)
        cairn_text_add(&answer, "no answer");
    else
        cairn_text_add(&answer, cairn_shapley_class_name(answer.ctx, model, p->codes[row]));
    CHECK(cairn_text_status(&answer));
    cairn_report_step_begin(out, "Row %zu: %s", number, cairn_text_string(&answer));
    CHECK(cairn_shapley_show_row(part, s, model, row, CAIRN_CLASS_ANSWERED));
    snprintf(prefix, sizeof prefix, "explain.%zu", number);
    cairn_report_append(out, part, prefix);
    cairn_report_step_end(out);
    return cairn_report_status(out);
}

cairn_status cairn_shapley_explain(cairn_context *ctx, cairn_report *out, const cairn_model *model,
                                   const cairn_table *table, const cairn_explain_how *options)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_shapley_options how = {.background = options->background,
                                 .keeper = options->keeper,
                                 .most_background = options->draws,
                                 .permutations = options->draws,
                                 .rows = options->rows,
                                 .n_rows = options->n_rows};
    CHECK(cairn_shapley_find(ctx, &s, model, table, &how));
    cairn_report_heading(out, 2, "Reasons: Shapley values");
    CHECK(cairn_report_new(ctx, &part));
    cairn_shapley_show_method(part, &s, model);
    cairn_report_append(out, part, "explain");
    for (size_t i = 0; i < s.n_rows; i++)
        CHECK(explain_row(ctx, out, &s, model, i, (size_t)options->rows[i] + 1));
    return CAIRN_OK;
}
