/* SPDX-License-Identifier: MIT */
/* Which labelings of a few points the hypotheses of a class produce, each with a witness.
 *
 * On a line the points are sorted and the blocks of equal labels counted. A box or a conjunction is
 * tried in its smallest form, the one that just covers the positives: if that covers a negative,
 * all do. Linear classes are a linear program: numbers l >= 0 that sum to 1 and mix positives and
 * negatives to the same point exist exactly where no hyperplane separates them (Gordan). The first
 * phase of the simplex method finds either these numbers, and with them a common point of both
 * hulls, or in its dual variables the hyperplane. Coordinates are shifted and scaled to [-1, 1],
 * and gaps below 1e-10 of that, or within the rounding of the coordinates, count as touching. */
#include "compute/theory/dichotomies.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "solve/certificate.h"
#include "solve/constrained.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 64, MOST_COORDINATES = 64, MOST_LABELS = 10 };

const cairn_choice cairn_hypotheses_choices[] = {
    {"threshold", CAIRN_THRESHOLDS, "x >= m is 1, on a line; k labels: k - 1 rising cuts"},
    {"threshold-either", CAIRN_THRESHOLDS_EITHER, "x >= m or x < m is 1"},
    {"interval", CAIRN_INTERVALS, "a < x < b is 1"},
    {"interval-or-complement", CAIRN_INTERVALS_EITHER, "an interval is 1, or all but an interval"},
    {"linear", CAIRN_LINEAR, "half-planes and hyperplanes: w x > c is 1; k labels: largest score"},
    {"rectangle", CAIRN_RECTANGLES, "boxes with sides along the axes are 1"},
    {"conjunction", CAIRN_CONJUNCTIONS, "conjunctions of literals over columns of 0 and 1"},
    {"list", CAIRN_LISTED, "every column is a hypothesis, every cell the label it gives"},
    {0},
};

static bool on_a_line(cairn_hypotheses kind)
{
    return kind <= CAIRN_INTERVALS_EITHER;
}

/* -- reading -- */

static cairn_status make_names(cairn_context *ctx, const char ***out, size_t n, const char *prefix)
{
    char(*texts)[32];
    CHECK(SCRATCH_EACH(ctx, n, out, &texts));
    for (size_t i = 0; i < n; i++) {
        snprintf(texts[i], sizeof texts[i], "%s%zu", prefix, i + 1);
        (*out)[i] = texts[i];
    }
    return CAIRN_OK;
}

static cairn_status read_typed(cairn_context *ctx, cairn_instances *out, const char *text)
{
    CHECK(cairn_read_matrix(ctx, "points", text, &out->x, &out->n, &out->p));
    if (on_a_line(out->kind) && out->n == 1 && out->p > 1) {
        out->n = out->p;
        out->p = 1;
    }
    CHECK(make_names(ctx, &out->names, out->n, ""));
    CHECK(make_names(ctx, &out->columns, out->p, out->kind == CAIRN_LISTED ? "h" : "x"));
    if (on_a_line(out->kind) && out->p == 1) out->columns[0] = "x";
    return CAIRN_OK;
}

/* The text of a cell of the id column, or the number of the row. */
static cairn_status name_rows(cairn_context *ctx, cairn_instances *out, const cairn_table *table)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    CHECK(make_names(ctx, &out->names, out->n, ""));
    if (id < 0) return CAIRN_OK;
    const cairn_column *column = table->slots[id].column;
    for (size_t i = 0; i < out->n; i++) {
        char *copy;
        if (cairn_column_is_missing(column, i)) continue;
        if (column->kind == CAIRN_LEVEL) {
            out->names[i] = cairn_level_name(column, column->codes[i]);
        } else if (column->kind == CAIRN_TEXT) {
            size_t length = column->starts[i + 1] - column->starts[i];
            CHECK(SCRATCH(ctx, &copy, length + 1));
            memcpy(copy, column->bytes + column->starts[i], length);
            out->names[i] = copy;
        }
    }
    return CAIRN_OK;
}

static cairn_status bad_cell(cairn_context *ctx, const cairn_table *table, size_t row,
                             const char *column, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: row %zu, column '%s': %s",
                      table && table->source ? table->source : "the points", row + 1, column, what);
}

/* A level as a number: "1", "0", yes and no, true and false. False when it is none of them. */
static bool level_number(const char *name, double *out)
{
    static const char *const words[] = {"no", "yes", "false", "true"};
    for (size_t i = 0; i < 4; i++)
        if (cairn_same(name, words[i])) {
            *out = (double)(i % 2);
            return true;
        }
    return cairn_number_parse(name, strlen(name), out);
}

/* The cells of one column; where hypotheses are listed, codes of levels stand for labels. */
static cairn_status read_column(cairn_context *ctx, cairn_instances *out, const cairn_table *table,
                                size_t from, size_t to)
{
    const cairn_column *column = table->slots[from].column;
    const char *name = table->slots[from].name;
    if (column->kind != CAIRN_NUMBER && column->kind != CAIRN_LEVEL)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "column '%s' holds %s; points have numbers (leave it out with {ignore})",
                         name, cairn_kind_plural(column->kind)));
    for (size_t i = 0; i < out->n; i++) {
        double *x = &out->x[i * out->p + to];
        if (cairn_column_is_missing(column, i))
            CHECK(bad_cell(ctx, table, i, name, "the cell is missing"));
        if (column->kind == CAIRN_NUMBER)
            *x = column->numbers[i];
        else if (out->kind == CAIRN_LISTED)
            *x = column->codes[i];
        else if (!level_number(cairn_level_name(column, column->codes[i]), x))
            CHECK(bad_cell(ctx, table, i, name,
                           cairn_say(ctx, "not a number (columns are left out with {ignore})")));
    }
    return CAIRN_OK;
}

static cairn_status read_rows(cairn_context *ctx, cairn_instances *out, const cairn_table *table)
{
    out->n = table->n_rows;
    CHECK(SCRATCH(ctx, &out->columns, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) out->p += table->slots[j].role == CAIRN_FEATURE;
    CHECK(SCRATCH(ctx, &out->x, cairn_product(out->n, out->p)));
    CHECK(name_rows(ctx, out, table));
    for (size_t j = 0, at = 0; j < table->n_columns; j++) {
        if (table->slots[j].role != CAIRN_FEATURE) continue;
        CHECK(read_column(ctx, out, table, j, at));
        out->columns[at++] = table->slots[j].name;
    }
    return CAIRN_OK;
}

/* Levels of several columns have codes of their own; those of the first column count, and the
 * others must have the same names. */
static cairn_status level_labels(cairn_context *ctx, cairn_instances *out, const cairn_table *table)
{
    const cairn_column *first = NULL;
    size_t at = 0;
    if (!table) return CAIRN_OK;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_column *column = table->slots[j].column;
        if (table->slots[j].role != CAIRN_FEATURE) continue;
        if (!first) first = column;
        if ((first->kind == CAIRN_LEVEL) != (column->kind == CAIRN_LEVEL))
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "column '%s' does not hold the same kind of labels as the first",
                             table->slots[j].name));
        for (size_t i = 0; column->kind == CAIRN_LEVEL && i < out->n; i++) {
            const char *name = cairn_level_name(column, column->codes[i]);
            int label = 0;
            while (label < out->n_labels && !cairn_same(out->label_names[label], name)) label++;
            if (label == MOST_LABELS)
                CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "more than %d labels", MOST_LABELS));
            if (label == out->n_labels) out->label_names[out->n_labels++] = name;
            out->x[i * out->p + at] = label;
        }
        at++;
    }
    return CAIRN_OK;
}

/* Numbers as labels: their values in rising order. */
static cairn_status number_labels(cairn_context *ctx, cairn_instances *out)
{
    double values[MOST_LABELS];
    char(*texts)[CAIRN_NUMBER_SIZE];
    int n = 0;
    CHECK(SCRATCH(ctx, &texts, MOST_LABELS));
    for (size_t i = 0; i < out->n * out->p; i++) {
        int at = 0;
        while (at < n && values[at] < out->x[i]) at++;
        if (at < n && values[at] == out->x[i]) continue;
        if (n == MOST_LABELS)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "there are more than %d labels; are the columns "
                             "hypotheses that label the rows?",
                             MOST_LABELS));
        memmove(values + at + 1, values + at, (size_t)(n++ - at) * sizeof *values);
        values[at] = out->x[i];
    }
    for (size_t i = 0; i < out->n * out->p; i++)
        for (int k = 0; k < n; k++)
            if (values[k] == out->x[i]) {
                out->x[i] = k;
                break;
            }
    for (int k = 0; k < n; k++) {
        cairn_number_format(texts[k], values[k], CAIRN_SHORTEST);
        out->label_names[k] = texts[k];
    }
    out->n_labels = n;
    return CAIRN_OK;
}

static cairn_status check_cells(cairn_context *ctx, const cairn_instances *at,
                                const cairn_table *table)
{
    for (size_t i = 0; i < at->n * at->p; i++) {
        double x = at->x[i];
        if (!isfinite(x))
            return bad_cell(ctx, table, i / at->p, at->columns[i % at->p], "not a finite number");
        if (at->kind == CAIRN_CONJUNCTIONS && x != 0 && x != 1)
            return bad_cell(ctx, table, i / at->p, at->columns[i % at->p],
                            "conjunctions of literals need 0 or 1");
    }
    return CAIRN_OK;
}

cairn_status cairn_bits_read(cairn_context *ctx, cairn_instances *out, const cairn_table *table,
                             size_t most)
{
    *out = (cairn_instances){.kind = CAIRN_CONJUNCTIONS, .n_labels = 2};
    CHECK(read_rows(ctx, out, table));
    if (out->p > most)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "%zu columns are too many; at most %zu are taken",
                         out->p, most));
    return check_cells(ctx, out, table);
}

static cairn_status check_points(cairn_context *ctx, const cairn_instances *at,
                                 const cairn_table *table)
{
    if (at->n == 0 || at->p == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points");
    if (at->n > MOST_POINTS || (at->p > MOST_COORDINATES && at->kind != CAIRN_LISTED))
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d points with %d coordinates are taken",
                          MOST_POINTS, MOST_COORDINATES);
    if (on_a_line(at->kind) && at->p != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{class}: this class is about points on a line, and these have %zu "
                          "coordinates; use linear or rectangle, or take one column",
                          at->p);
    return check_cells(ctx, at, table);
}

/* Listed hypotheses bring their own labels; classes with more than two labels are those that can
 * produce them. */
static cairn_status set_labels(cairn_context *ctx, cairn_instances *out, const cairn_table *table,
                               int labels)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    bool many = out->kind == CAIRN_LINEAR || out->kind == CAIRN_THRESHOLDS;
    CHECK(SCRATCH(ctx, &out->label_names, MOST_LABELS + 1));
    if (out->kind == CAIRN_LISTED) {
        CHECK(level_labels(ctx, out, table));
        if (out->n_labels == 0) CHECK(number_labels(ctx, out));
        if (labels && labels < out->n_labels)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{labels}: the hypotheses use %d labels",
                             out->n_labels));
        for (int k = out->n_labels; k < labels || k < 2; k++) {
            out->label_names[k] = "(never used)";
            out->n_labels = k + 1;
        }
        return CAIRN_OK;
    }
    out->n_labels = labels ? labels : 2;
    if (out->n_labels > 2 && !many)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{labels}: this class has two labels; threshold, linear and "
                         "list can have more"));
    for (int k = 0; k < out->n_labels; k++) out->label_names[k] = digits[k];
    return CAIRN_OK;
}

cairn_status cairn_instances_read(cairn_context *ctx, cairn_instances *out, cairn_hypotheses kind,
                                  const char *text, const cairn_table *table, int labels,
                                  bool empty)
{
    *out = (cairn_instances){.kind = kind, .empty = empty};
    if (text && table)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "give the points either as {points} or as a table"));
    if (!text && !table)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "no points: type them as {points '0,0;1,0;0,1'} or name a table"));
    if (table && table->n_rows > MOST_POINTS)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu rows are too many points to label; at most %d are taken",
                         table->n_rows, MOST_POINTS));
    if (text)
        CHECK(read_typed(ctx, out, text));
    else
        CHECK(read_rows(ctx, out, table));
    CHECK(check_points(ctx, out, table));
    return set_labels(ctx, out, table, labels);
}

/* -- on a line -- */

/* Round numbers beside the points: 3 and 5 for points from 3.25 to 4.75. */
static double before(double x)
{
    double near = ceil(x) - 1;
    return near < x ? near : nextafter(x, -INFINITY);
}

static double after(double x)
{
    double near = floor(x) + 1;
    return near > x ? near : nextafter(x, INFINITY);
}

/* Where the gap in front of the i-th point in order is; n = behind the last. */
static double gap(const cairn_instances *at, const size_t *order, size_t i)
{
    if (i == 0) return before(at->x[order[0]]);
    if (i == at->n) return after(at->x[order[at->n - 1]]);
    return cairn_number_between(at->x[order[i - 1]], at->x[order[i]]);
}

static void sort_points(const cairn_instances *at, const int *labels, size_t *order)
{
    for (size_t i = 0; i < at->n; i++) {
        size_t k = i;
        for (; k > 0; k--) {
            size_t other = order[k - 1];
            if (at->x[other] < at->x[i] || (at->x[other] == at->x[i] && labels[other] <= labels[i]))
                break;
            order[k] = other;
        }
        order[k] = i;
    }
}

static void add_cut(cairn_text *words, const char *before_number, double number, const char *behind)
{
    cairn_text_add(words, before_number);
    cairn_text_add_number(words, number, CAIRN_SHORTEST);
    cairn_text_add(words, behind);
}

/* Cuts of a threshold with several labels, which only rise. */
static bool rising(const cairn_instances *at, const int *labels, const size_t *order,
                   cairn_text *words, cairn_witness *witness)
{
    for (size_t i = 1; i < at->n; i++)
        if (labels[order[i]] < labels[order[i - 1]]) {
            cairn_text_addf(words, "%s is larger than %s", at->names[order[i]],
                            at->names[order[i - 1]]);
            return false;
        }
    size_t i = 0;
    for (int label = 1; label < at->n_labels; label++) {
        while (i < at->n && labels[order[i]] < label) i++;
        if (label > 1) cairn_text_add(words, ", ");
        if (at->n_labels > 2) cairn_text_addf(words, "%d from ", label);
        add_cut(words, "x >= ", gap(at, order, i), "");
        *witness = (cairn_witness){
            .known = at->n_labels == 2, .low = {gap(at, order, i)}, .high = {INFINITY}};
    }
    return true;
}

/* On a line only the number of blocks matters: two for a threshold of either direction, three
 * for an interval. */
static bool line_realised(const cairn_instances *at, const int *labels, cairn_text *words,
                          cairn_witness *witness)
{
    size_t order[MOST_POINTS] = {0}, starts[4];
    sort_points(at, labels, order);
    for (size_t i = 1; i < at->n; i++)
        if (at->x[order[i]] == at->x[order[i - 1]] && labels[order[i]] != labels[order[i - 1]]) {
            cairn_text_addf(words, "%s and %s are the same point", at->names[order[i - 1]],
                            at->names[order[i]]);
            return false;
        }
    if (at->kind == CAIRN_THRESHOLDS) return rising(at, labels, order, words, witness);
    /* Labels as blocks of equal ones: starts of at most four blocks. */
    size_t n = 0;
    for (size_t i = 0; i < at->n; i++)
        if (i == 0 || labels[order[i]] != labels[order[i - 1]]) {
            if (n == 4) break;
            starts[n++] = i;
        }
    bool first = labels[order[0]];
    bool interval = at->kind == CAIRN_INTERVALS || at->kind == CAIRN_INTERVALS_EITHER;
    bool possible =
        interval ? n <= 2 || (n == 3 && (!first || at->kind == CAIRN_INTERVALS_EITHER)) : n <= 2;
    if (!possible) {
        cairn_text_addf(words, "%s lies between %s and %s", at->names[order[starts[n - 2]]],
                        at->names[order[starts[n - 2] - 1]], at->names[order[starts[n - 1]]]);
        return false;
    }
    if (!interval) {
        double cut = gap(at, order, n == 2 ? starts[1] : first ? 0 : at->n);
        bool below = n == 2 && first;
        add_cut(words, below ? "x < " : "x >= ", cut, "");
        *witness = (cairn_witness){
            .known = true, .low = {below ? -INFINITY : cut}, .high = {below ? cut : INFINITY}};
        return true;
    }
    /* the block of ones, or for a complement that of zeros */
    bool complement = n == 3 && first;
    size_t from = at->n, to = at->n;
    if (n == 1 && first) from = 0;
    if (n == 2) from = first ? 0 : starts[1], to = first ? starts[1] : at->n;
    if (n == 3) from = starts[1], to = starts[2];
    double low = gap(at, order, from), high = from == at->n ? after(low) : gap(at, order, to);
    add_cut(words, complement ? "not (" : "(", low, ", ");
    add_cut(words, "", high, ")");
    *witness = (cairn_witness){true, .low = {low}, .high = {high}, .complement = complement};
    return true;
}

/* -- boxes and conjunctions -- */

/* If the smallest box around the positives holds a negative, every box does; without positives a
 * box beyond all points will do. */
static bool box_realised(const cairn_instances *at, const int *labels, cairn_text *words,
                         cairn_witness *witness)
{
    double low[MOST_COORDINATES], high[MOST_COORDINATES], largest = -INFINITY;
    bool any = false;
    for (size_t i = 0; i < at->n; i++) {
        for (size_t j = 0; j < at->p; j++) {
            double x = at->x[i * at->p + j];
            largest = fmax(largest, x);
            if (!labels[i]) continue;
            low[j] = any ? fmin(low[j], x) : x;
            high[j] = any ? fmax(high[j], x) : x;
        }
        any = any || labels[i];
    }
    for (size_t j = 0; !any && j < at->p; j++) low[j] = after(largest), high[j] = after(low[j]);
    for (size_t i = 0; i < at->n; i++) {
        bool inside = !labels[i];
        for (size_t j = 0; j < at->p && inside; j++)
            inside = at->x[i * at->p + j] >= low[j] && at->x[i * at->p + j] <= high[j];
        if (!inside) continue;
        cairn_text_addf(words, "%s lies in the smallest box", at->names[i]);
        return false;
    }
    for (size_t j = 0; j < at->p; j++) {
        add_cut(words, j ? " x [" : "[", low[j], ", ");
        add_cut(words, "", high[j], "]");
    }
    witness->known = at->p <= 2;
    for (size_t j = 0; j < at->p && j < 2; j++) {
        witness->low[j] = low[j];
        witness->high[j] = high[j];
    }
    return true;
}

/* Literals as bits: wanted[j] has 1 = x_j must be 1, 2 = x_j must be 0. */
static bool covers(const cairn_instances *at, const unsigned char *wanted, size_t i)
{
    for (size_t j = 0; j < at->p; j++) {
        bool one = at->x[i * at->p + j] == 1;
        if ((wanted[j] & 1 && !one) || (wanted[j] & 2 && one)) return false;
    }
    return true;
}

static ptrdiff_t covered_negative(const cairn_instances *at, const unsigned char *wanted,
                                  const int *labels)
{
    for (size_t i = 0; i < at->n; i++)
        if (!labels[i] && covers(at, wanted, i)) return (ptrdiff_t)i;
    return -1;
}

/* The first vector of bits that is not among the points: one of the first n + 1, if any. */
static bool free_instance(const cairn_instances *at, unsigned char *wanted)
{
    for (size_t code = 0; code <= at->n; code++) {
        bool taken = false;
        if (at->p < 16 && code >> at->p) return false;
        for (size_t j = 0; j < at->p; j++) {
            size_t place = at->p - 1 - j;
            wanted[j] = place < 16 && code >> place & 1 ? 1 : 2;
        }
        for (size_t i = 0; i < at->n && !taken; i++) taken = covers(at, wanted, i);
        if (!taken) return true;
    }
    return false;
}

static void add_conjunction(cairn_text *words, const cairn_instances *at,
                            const unsigned char *wanted)
{
    bool any = false;
    for (size_t j = 0; j < at->p; j++)
        if (wanted[j]) {
            cairn_text_addf(words, "%s%s%s", any ? " & " : "", wanted[j] == 2 ? "not " : "",
                            at->columns[j]);
            any = true;
        }
    if (!any) cairn_text_add(words, "true");
}

/* All literals that the positives share; then those that exclude no negative by themselves are
 * dropped, positive ones first. */
static bool conjunction_realised(const cairn_instances *at, const int *labels, cairn_text *words)
{
    unsigned char wanted[MOST_COORDINATES];
    bool any = false;
    memset(wanted, 3, sizeof wanted);
    for (size_t i = 0; i < at->n; i++) {
        for (size_t j = 0; labels[i] && j < at->p; j++)
            wanted[j] &= at->x[i * at->p + j] == 1 ? 1 : 2;
        any = any || labels[i];
    }
    if (!any && !free_instance(at, wanted)) {
        cairn_text_add(words, at->empty ? "false" : "only the contradiction covers nothing");
        return at->empty;
    }
    ptrdiff_t negative = covered_negative(at, wanted, labels);
    if (negative >= 0) {
        cairn_text_addf(words, "what the others share covers %s", at->names[negative]);
        return false;
    }
    for (int sign = 1; sign <= 2; sign++)
        for (size_t j = 0; j < at->p; j++) {
            unsigned char old = wanted[j];
            if (old != sign) continue;
            wanted[j] = 0;
            if (covered_negative(at, wanted, labels) >= 0) wanted[j] = old;
        }
    add_conjunction(words, at, wanted);
    return true;
}

/* -- listed -- */

static bool listed_realised(const cairn_instances *at, const int *labels, cairn_text *words)
{
    for (size_t j = 0; j < at->p; j++) {
        bool same = true;
        for (size_t i = 0; i < at->n && same; i++) same = at->x[i * at->p + j] == labels[i];
        if (!same) continue;
        cairn_text_add(words, at->columns[j]);
        return true;
    }
    cairn_text_add(words, "not in the list");
    return false;
}

/* -- linear -- */

/* Points moved and scaled to [-1, 1] in every coordinate. */
typedef struct scaled {
    double centre[MOST_COORDINATES], half[MOST_COORDINATES];
    double touching; /* gaps below this cannot be told from rounding */
} scaled;

static scaled scale_points(const cairn_instances *at)
{
    scaled s = {.touching = 1e-10};
    for (size_t j = 0; j < at->p; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < at->n; i++) {
            low = fmin(low, at->x[i * at->p + j]);
            high = fmax(high, at->x[i * at->p + j]);
        }
        s.centre[j] = low / 2 + high / 2;
        s.half[j] = high > low ? high / 2 - low / 2 : 1;
        if (high > low)
            s.touching = fmax(s.touching, 8 * DBL_EPSILON * fabs(s.centre[j]) / s.half[j]);
    }
    return s;
}

/* Scores of the labels with coefficients w (n_scores x (p + 1), constant last): whether the right
 * one is largest at every point. One score: above 0 is label 1. */
static bool separates(const cairn_instances *at, const double *w, size_t n_scores,
                      const int *labels)
{
    for (size_t i = 0; i < at->n; i++) {
        double scores[MOST_LABELS];
        for (size_t k = 0; k < n_scores; k++) {
            const double *own = w + k * (at->p + 1);
            scores[k] = own[at->p];
            for (size_t j = 0; j < at->p; j++) scores[k] += own[j] * at->x[i * at->p + j];
        }
        if (n_scores == 1 && (labels[i] ? scores[0] <= 0 : scores[0] >= 0)) return false;
        for (size_t k = 0; n_scores > 1 && k < n_scores; k++)
            if ((int)k != labels[i] && scores[k] >= scores[labels[i]]) return false;
    }
    return true;
}

/* Coefficients with as few digits as still separate. */
static void add_linear(cairn_text *words, const cairn_instances *at, double *w, size_t n_scores,
                       double *rounded, const int *labels)
{
    size_t n = n_scores * (at->p + 1);
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (i % (at->p + 1) != at->p) largest = fmax(largest, fabs(w[i]));
    for (size_t i = 0; largest > 0 && i < n; i++) w[i] /= largest;
    memcpy(rounded, w, n * sizeof *w);
    for (int decimals = 0; decimals <= 12; decimals++) {
        double scale = cairn_pow(10, decimals);
        for (size_t i = 0; i < n; i++) rounded[i] = round(w[i] * scale) / scale;
        if (separates(at, rounded, n_scores, labels)) break;
        memcpy(rounded, w, n * sizeof *w);
    }
    for (size_t k = 0; k < n_scores; k++) {
        const double *own = rounded + k * (at->p + 1);
        double constant = own[at->p];
        if (n_scores > 1) cairn_text_addf(words, "%s%zu: ", k ? "; " : "", k);
        /* "0.5 x1 - x2": the terms that are not 0. False when there is none. */
        bool any = false;
        for (size_t j = 0; j < at->p; j++) {
            if (own[j] == 0) continue;
            cairn_text_add(words, own[j] < 0 ? any ? " - " : "-" : any ? " + " : "");
            if (fabs(own[j]) != 1) {
                cairn_text_add_number(words, fabs(own[j]), CAIRN_SHORTEST);
                cairn_text_add_char(words, ' ');
            }
            cairn_text_add(words, at->columns[j]);
            any = true;
        }
        if (n_scores == 1 && any) {
            add_cut(words, " > ", constant == 0 ? 0 : -constant, "");
        } else if (n_scores == 1) {
            cairn_text_add(words, constant > 0 ? "everywhere" : "nowhere");
        } else if (!any || constant != 0) {
            cairn_text_add(words, !any ? "" : constant < 0 ? " - " : " + ");
            cairn_text_add_number(words, any ? fabs(constant) : constant, CAIRN_SHORTEST);
        }
    }
}

/* The program that asks for numbers l >= 0 with M l = (0, .., 0, 1). Columns of M: for every point
 * and every other label, right score minus other. */
static cairn_status make_program(cairn_context *ctx, cairn_linear_program *out,
                                 const cairn_instances *at, const scaled *s, size_t n_scores,
                                 const int *labels)
{
    size_t block = at->p + 1, rows = n_scores * block + 1, column = 0;
    size_t columns = at->n * (size_t)(at->n_labels - 1);
    double *matrix, *side;
    CHECK(SCRATCH(ctx, &matrix, cairn_product(rows, columns)));
    CHECK(SCRATCH(ctx, &side, rows));
    side[rows - 1] = 1;
    for (size_t i = 0; i < at->n; i++)
        for (int k = 0; k < at->n_labels; k++) {
            if (k == labels[i]) continue;
            for (size_t j = 0; j < block; j++) {
                double u = j == at->p ? 1 : (at->x[i * at->p + j] - s->centre[j]) / s->half[j];
                size_t own = n_scores == 1 ? j : (size_t)labels[i] * block + j;
                matrix[own * columns + column] = n_scores == 1 && !labels[i] ? -u : u;
                if (n_scores > 1) matrix[((size_t)k * block + j) * columns + column] = -u;
            }
            matrix[(rows - 1) * columns + column++] = 1;
        }
    *out = (cairn_linear_program){
        .rows = rows, .columns = columns, .matrix = matrix, .side = side, .tiny = s->touching};
    return CAIRN_OK;
}

/* The prices that prove that there is no solution are scores; back in the points' own units. */
static void read_scores(double *w, const cairn_instances *at, const scaled *s, const double *prices,
                        size_t n_scores)
{
    size_t block = at->p + 1;
    for (size_t k = 0; k < n_scores; k++) {
        double *own = w + k * block;
        own[at->p] = prices[k * block + at->p];
        for (size_t j = 0; j < at->p; j++) {
            own[j] = prices[k * block + j] / s->half[j];
            own[at->p] -= own[j] * s->centre[j];
        }
    }
}

/* A margin that is only rounding is none, so the optimum must exceed what touching points give. */
static cairn_status linear_realised(cairn_context *ctx, const cairn_instances *at,
                                    const int *labels, bool *out, cairn_text *words,
                                    cairn_witness *witness)
{
    cairn_linear_program program;
    cairn_linear_answer answer;
    double *w, *rounded;
    scaled s = scale_points(at);
    size_t block = at->p + 1, n_scores = at->n_labels == 2 ? 1 : (size_t)at->n_labels;
    SCOPED_SCRATCH(ctx);
    CHECK(make_program(ctx, &program, at, &s, n_scores, labels));
    CHECK(SCRATCH_EACH(ctx, n_scores * block, &w, &rounded));
    CHECK(cairn_simplex(ctx, &answer, &program));
    cairn_certificate proof = {.has = 0};
    cairn_certify(&proof, CAIRN_PROOF_CONDITIONS, answer.left, 1e-6);
    CHECK(cairn_certificate_judge(ctx, &proof, "linear program"));
    *out = answer.ending == CAIRN_ENDING_INFEASIBLE;
    if (!*out && at->n_labels == 2) {
        /* The point that the hulls of both labels share, from the solution of the program. */
        const double *shares = answer.x;
        double point[MOST_COORDINATES] = {0}, sum = 0;
        for (size_t i = 0; i < at->n; i++) {
            if (!labels[i]) continue;
            sum += shares[i];
            for (size_t j = 0; j < at->p; j++) point[j] += shares[i] * at->x[i * at->p + j];
        }
        cairn_text_add(words, "both hulls hold (");
        for (size_t j = 0; j < at->p; j++) {
            if (j) cairn_text_add(words, ", ");
            cairn_text_add_number(words, point[j] / sum, 6);
        }
        cairn_text_add_char(words, ')');
    }
    if (!*out && at->n_labels > 2) cairn_text_add(words, "no scores fit");
    if (*out) {
        read_scores(w, at, &s, answer.prices, n_scores);
        add_linear(words, at, w, n_scores, rounded, labels);
        witness->known = at->p <= 2 && at->n_labels == 2;
        if (witness->known) memcpy(witness->w, w, block * sizeof *w);
    }
    return CAIRN_OK;
}

/* -- all -- */

cairn_status cairn_labeling_realised(cairn_context *ctx, const cairn_instances *at,
                                     const int *labels, bool *out, cairn_text *words,
                                     cairn_witness *witness)
{
    cairn_witness own, *w = witness ? witness : &own;
    *w = (cairn_witness){0};
    if (at->kind == CAIRN_LINEAR) return linear_realised(ctx, at, labels, out, words, w);
    if (on_a_line(at->kind))
        *out = line_realised(at, labels, words, w);
    else if (at->kind == CAIRN_RECTANGLES)
        *out = box_realised(at, labels, words, w);
    else if (at->kind == CAIRN_CONJUNCTIONS)
        *out = conjunction_realised(at, labels, words);
    else
        *out = listed_realised(at, labels, words);
    return CAIRN_OK;
}

void cairn_labeling_of(const cairn_instances *at, size_t code, int *labels)
{
    for (size_t i = at->n; i-- > 0;) {
        labels[i] = (int)(code % (size_t)at->n_labels);
        code /= (size_t)at->n_labels;
    }
}

double cairn_class_dimension(cairn_hypotheses kind, size_t p, bool empty)
{
    switch (kind) {
    case CAIRN_THRESHOLDS: return 1;
    case CAIRN_THRESHOLDS_EITHER: return 2;
    case CAIRN_INTERVALS: return 2;
    case CAIRN_INTERVALS_EITHER: return 3;
    case CAIRN_LINEAR: return (double)p + 1;
    case CAIRN_RECTANGLES: return 2 * (double)p;
    case CAIRN_CONJUNCTIONS: return p == 1 && empty ? 2 : (double)p;
    case CAIRN_LISTED: break;
    }
    return NAN;
}

cairn_status cairn_matrix_rank(cairn_context *ctx, const double *cells, size_t rows, size_t columns,
                               size_t *out)
{
    double *a, largest = 0;
    size_t rank = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &a, cairn_product(rows, columns)));
    for (size_t i = 0; i < rows * columns; i++) largest = fmax(largest, fabs(cells[i]));
    memcpy(a, cells, rows * columns * sizeof *a);
    for (size_t c = 0; c < columns && rank < rows; c++) {
        size_t best = rank;
        for (size_t i = rank; i < rows; i++)
            if (fabs(a[i * columns + c]) > fabs(a[best * columns + c])) best = i;
        if (fabs(a[best * columns + c]) <= 1e-10 * largest) continue;
        for (size_t j = 0; j < columns; j++) {
            double keep = a[best * columns + j];
            a[best * columns + j] = a[rank * columns + j];
            a[rank * columns + j] = keep;
        }
        for (size_t i = rank + 1; i < rows; i++) {
            double factor = a[i * columns + c] / a[rank * columns + c];
            for (size_t j = c; j < columns; j++)
                a[i * columns + j] -= factor * a[rank * columns + j];
        }
        rank++;
    }
    *out = rank;
    return CAIRN_OK;
}

bool cairn_next_subset(size_t *chosen, size_t k, size_t n)
{
    size_t i = k;
    while (i > 0 && chosen[i - 1] == n - k + i - 1) i--;
    if (i == 0) return false;
    chosen[i - 1]++;
    for (; i < k; i++) chosen[i] = chosen[i - 1] + 1;
    return true;
}

double cairn_binomial_sum(size_t n, size_t k)
{
    double term = 1, sum = 1;
    for (size_t i = 1; i <= k && i <= n; i++) {
        term = term * (double)(n - i + 1) / (double)i;
        sum += term;
    }
    return sum;
}
