/* SPDX-License-Identifier: MIT */
/* Candidates are counted column by column, rows by value and class in one pass; every place between
 * two numbers is a cut. Of a number column the best cut of either direction is a candidate. A
 * column is used once in a rule (a number once from below and once from above), and a condition
 * that all covered rows meet is none. */
#include "learners/rules/rule_search.h"
#include "base/functions.h"
#include "base/number.h"
#include "draw/contour.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows that rules are learned from, coded: a level is its number already, and of a column of
 * numbers each cell becomes the place of its number among the different ones, so that rows are
 * counted by value and class in one pass, without sorting. */

/* Cells of tallies that are kept for the root at most. */
enum { MOST_KEPT = 1 << 25 };
enum { FEW_CELLS = 256 };

/* Missing cells are in no bin and not in the order, so that no cut of the column can hold for
 * them. */
static cairn_status code_numbers(cairn_context *ctx, cairn_rule_rows *out, size_t c,
                                 const cairn_column *column, const uint32_t *table_rows)
{
    double *x = NULL, *values = NULL;
    uint64_t *order = NULL;
    size_t n_values = 0, n = 0;
    cairn_scratch_mark mark;
    CHECK(SCRATCH_RAW_EACH(ctx, out->n, &x, &out->bins[c], &out->orders[c], &values));
    mark = cairn_scratch_now(ctx);
    CHECK(SCRATCH_RAW(ctx, &order, out->n));
    for (size_t i = 0; i < out->n; i++) x[i] = column->numbers[table_rows[i]];
    CHECK(cairn_sort_order(ctx, order, x, out->n));
    for (; n < out->n && !isnan(x[order[n]]); n++) {
        if (n_values == 0 || x[order[n]] > values[n_values - 1]) values[n_values++] = x[order[n]];
        out->orders[c][n] = (uint32_t)order[n];
        out->bins[c][order[n]] = (uint32_t)(n_values - 1);
    }
    for (size_t i = n; i < out->n; i++) out->bins[c][order[i]] = CAIRN_NO_BIN;
    out->numbers[c] = x;
    out->values[c] = values;
    out->n_bins[c] = n_values;
    out->n_ordered[c] = n;
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

static cairn_status code_levels(cairn_context *ctx, cairn_rule_rows *out, size_t c,
                                const cairn_column *column, const uint32_t *table_rows)
{
    CHECK(SCRATCH_RAW(ctx, &out->codes[c], out->n));
    for (size_t i = 0; i < out->n; i++) out->codes[c][i] = column->codes[table_rows[i]];
    out->bins[c] = (uint32_t *)out->codes[c];
    out->n_bins[c] = column->names.n;
    return CAIRN_OK;
}

cairn_status cairn_rule_rows_make(cairn_context *ctx, cairn_rule_rows *out, const cairn_job *job)
{
    const cairn_view *view = job->view;
    uint32_t *table_rows = NULL;
    *out = (cairn_rule_rows){.n_columns = view->n_features,
                             .n_classes = job->n_classes,
                             .plain = true,
                             .schema = job->schema};
    CHECK(cairn_memory_check(ctx, (double)view->rows.n * (24 * (double)view->n_features + 40),
                             "learning rules",
                             cairn_say(ctx, "raise {memory}, or use fewer rows or columns")));
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n, &table_rows, &out->classes, &out->weights));
    CHECK(SCRATCH(ctx, &out->class_names, out->n_classes));
    for (size_t l = 0; l < out->n_classes; l++)
        out->class_names[l] = cairn_schema_class(job->schema, (int32_t)l);
    CHECK(SCRATCH_EACH(ctx, out->n_columns, &out->bins, &out->n_bins, &out->codes, &out->numbers,
                       &out->values, &out->orders, &out->n_ordered));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double weight = cairn_view_weight(view, i);
        if (!(weight > 0) || view->target->codes[row] < 0) continue;
        table_rows[out->n] = (uint32_t)row;
        out->classes[out->n] = view->target->codes[row];
        out->weights[out->n++] = weight;
        out->plain &= weight == 1;
    }
    for (size_t c = 0; c < out->n_columns; c++) {
        const cairn_column *column = view->features[c];
        if (column->kind == CAIRN_LEVEL)
            CHECK(code_levels(ctx, out, c, column, table_rows));
        else
            CHECK(code_numbers(ctx, out, c, column, table_rows));
    }
    return CAIRN_OK;
}

const char cairn_other_classes[] = "others";

cairn_status cairn_rule_rows_against(cairn_context *ctx, cairn_rule_rows *out,
                                     const cairn_rule_rows *rows, int32_t target)
{
    int32_t *classes = NULL;
    const char **names = NULL;
    CHECK(SCRATCH_RAW(ctx, &classes, rows->n));
    CHECK(SCRATCH_RAW(ctx, &names, 2));
    for (size_t i = 0; i < rows->n; i++) classes[i] = rows->classes[i] != target;
    names[0] = rows->class_names[target];
    names[1] = cairn_other_classes;
    *out = *rows;
    out->n_classes = 2;
    out->classes = classes;
    out->class_names = names;
    return CAIRN_OK;
}

/* -- tallies -- */

static size_t words_of(size_t n_bins)
{
    return (n_bins + 63) / 64;
}

/* An empty tally for columns of up to n_bins bins; scratch. */
static cairn_status tally_make(cairn_context *ctx, cairn_tally *out, const cairn_rule_rows *rows,
                               size_t n_bins)
{
    size_t cells = cairn_product(n_bins, rows->n_classes);
    *out = (cairn_tally){0};
    CHECK(SCRATCH(ctx, &out->n, cells));
    if (!rows->plain) CHECK(SCRATCH(ctx, &out->weights, cells));
    CHECK(SCRATCH(ctx, &out->present, words_of(n_bins)));
    return SCRATCH(ctx, &out->sums, rows->n_classes);
}

/* Many rows in few cells: neighbours often meet in one cell, and a cell that was just written is
 * slow to read, so four tables take turns. Weights are all 1. */
static void fill_few(cairn_tally *out, const cairn_rule_rows *rows, size_t column,
                     const uint32_t *list, size_t m)
{
    const uint32_t *bins = rows->bins[column];
    size_t k = rows->n_classes, n_bins = rows->n_bins[column];
    uint32_t tables[4][FEW_CELLS];
    for (size_t t = 0; t < 4; t++) memset(tables[t], 0, n_bins * k * sizeof **tables);
    for (size_t i = 0; i < m; i++) {
        uint32_t row = list[i], bin = bins[row];
        if (bin != CAIRN_NO_BIN) tables[i % 4][bin * k + (size_t)rows->classes[row]]++;
    }
    for (size_t bin = 0; bin < n_bins; bin++)
        for (size_t l = 0; l < k; l++) {
            size_t cell = bin * k + l;
            uint32_t n = tables[0][cell] + tables[1][cell] + tables[2][cell] + tables[3][cell];
            out->n[cell] = n;
            out->sums[l] += n;
            if (n) out->present[bin / 64] |= (uint64_t)1 << bin % 64;
        }
}

/* Count m rows of a column into an empty tally. */
static void tally_fill(cairn_tally *out, const cairn_rule_rows *rows, size_t column,
                       const uint32_t *list, size_t m)
{
    const uint32_t *bins = rows->bins[column];
    size_t k = rows->n_classes, cells = rows->n_bins[column] * k;
    if (!out->weights && cells <= FEW_CELLS && m > 4 * cells) {
        fill_few(out, rows, column, list, m);
        return;
    }
    for (size_t i = 0; i < m; i++) {
        uint32_t row = list[i], bin = bins[row];
        if (bin == CAIRN_NO_BIN) continue;
        size_t cell = bin * k + (size_t)rows->classes[row];
        out->n[cell]++;
        out->sums[rows->classes[row]]++;
        out->present[bin / 64] |= (uint64_t)1 << bin % 64;
        if (out->weights) out->weights[cell] += rows->weights[row];
    }
}

/* Make a tally of a column empty again; takes no longer than filling it did. */
static void tally_empty(cairn_tally *tally, const cairn_rule_rows *rows, size_t column)
{
    size_t k = rows->n_classes, n_words = words_of(rows->n_bins[column]);
    for (size_t word = 0; word < n_words; word++) {
        for (uint64_t bits = tally->present[word]; bits; bits &= bits - 1) {
            size_t cell = (word * 64 + (size_t)__builtin_ctzll(bits)) * k;
            memset(tally->n + cell, 0, k * sizeof *tally->n);
            if (tally->weights) memset(tally->weights + cell, 0, k * sizeof *tally->weights);
        }
        tally->present[word] = 0;
    }
    memset(tally->sums, 0, k * sizeof *tally->sums);
}

/* Weights by class of one bin; returns its number of rows. */
static size_t tally_bin(double *out, const cairn_tally *tally, size_t bin, size_t k)
{
    const uint32_t *n = tally->n + bin * k;
    size_t sum = 0;
    for (size_t l = 0; l < k; l++) {
        sum += n[l];
        out[l] = n[l] == 0 || !tally->weights ? (double)n[l] : tally->weights[bin * k + l];
    }
    return sum;
}

static void take_row(cairn_tally *tally, const cairn_rule_rows *rows, size_t column, uint32_t row)
{
    uint32_t bin = rows->bins[column][row], left = 0;
    size_t k = rows->n_classes;
    if (bin == CAIRN_NO_BIN) return;
    size_t cell = bin * k + (size_t)rows->classes[row];
    tally->n[cell]--;
    tally->sums[rows->classes[row]]--;
    if (tally->words) tally->words[bin / 64 * k + (size_t)rows->classes[row]]--;
    if (tally->weights) tally->weights[cell] -= rows->weights[row];
    for (size_t l = 0; l < k; l++) left |= tally->n[bin * k + l];
    if (!left) tally->present[bin / 64] &= ~((uint64_t)1 << bin % 64);
}

/* -- the root -- */

cairn_status cairn_root_make(cairn_context *ctx, cairn_root *out, const cairn_rule_rows *rows)
{
    double cells = 0;
    *out = (cairn_root){.rows = rows};
    for (size_t c = 0; c < rows->n_columns; c++)
        cells += (double)rows->n_bins[c] * (double)rows->n_classes;
    if (cells > MOST_KEPT) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->columns, rows->n_columns));
    for (size_t c = 0; c < rows->n_columns; c++) {
        CHECK(tally_make(ctx, &out->columns[c], rows, rows->n_bins[c]));
        if (!rows->codes[c] && rows->plain)
            CHECK(SCRATCH(ctx, &out->columns[c].words,
                          cairn_product(words_of(rows->n_bins[c]), rows->n_classes)));
    }
    return CAIRN_OK;
}

typedef struct filling {
    const cairn_root *root;
    const uint32_t *list;
    size_t n;
} filling;

static void fill_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const filling *f = data;
    (void)block;
    (void)worker;
    for (size_t c = begin; c < end; c++) {
        cairn_tally *tally = &f->root->columns[c];
        size_t k = f->root->rows->n_classes;
        tally_fill(tally, f->root->rows, c, f->list, f->n);
        for (size_t cell = 0; tally->words && cell < f->root->rows->n_bins[c] * k; cell++)
            tally->words[cell / k / 64 * k + cell % k] += tally->n[cell];
    }
}

cairn_status cairn_root_fill(cairn_context *ctx, cairn_root *root, const uint32_t *list, size_t n)
{
    filling f = {root, list, n};
    size_t columns = root->rows->n_columns;
    if (!root->columns) return CAIRN_OK;
    return cairn_blocks_sized(ctx, columns, 1, (double)columns * (double)n, fill_columns, &f);
}

void cairn_root_remove(cairn_root *root, const uint32_t *list, size_t n)
{
    for (size_t c = 0; root->columns && c < root->rows->n_columns; c++)
        for (size_t i = 0; i < n; i++) take_row(&root->columns[c], root->rows, c, list[i]);
}

#define SAME 1e-12
enum { MOST_SHOWN = 100 };
/* Cells of a tally for each row from which on rows are sorted: it would take too much memory. */
enum { MANY_BINS = 16 };

/* As conditions are written everywhere; several are joined by " & ". */
static void literal_add(cairn_text *out, const cairn_literal *literal, const cairn_schema *schema)
{
    int32_t level = literal->level;
    cairn_condition c = {.column = (size_t)literal->column,
                         .relation = literal->relation,
                         .number = literal->number,
                         .levels = &level,
                         .n_levels = literal->relation == CAIRN_EQUAL};
    cairn_condition_add(out, &c, schema);
}

void cairn_literals_add(cairn_text *out, const cairn_literal *literals, size_t n,
                        const cairn_schema *schema)
{
    for (size_t i = 0; i < n; i++) {
        if (i) cairn_text_add(out, " & ");
        literal_add(out, &literals[i], schema);
    }
}

/* -- significance -- */

static double ratio_term(double observed, double expected)
{
    return observed > 0 ? observed * cairn_log(observed / expected) : 0;
}

cairn_ratio_test cairn_rule_test(const double *counts, const double *before, size_t k,
                                 int32_t target)
{
    cairn_ratio_test test = {.df = 1};
    double n = 0, all = 0, present = 0, sum = 0;
    for (size_t l = 0; l < k; l++) {
        n += counts[l];
        all += before[l];
        present += before[l] > 0;
    }
    for (size_t l = 0; target < 0 && l < k; l++) sum += ratio_term(counts[l], before[l] * n / all);
    if (target >= 0)
        sum = ratio_term(counts[target], before[target] * n / all) +
              ratio_term(n - counts[target], (all - before[target]) * n / all);
    if (target < 0) test.df = present - 1;
    test.statistic = fmax(2 * sum, 0);
    test.p = test.df > 0 ? cairn_chi2_upper(test.statistic, test.df) : 1;
    return test;
}

/* -- candidates of one conjunction -- */

/* Working memory of one worker. */
typedef struct bench {
    cairn_tally tally;
    uint64_t *sorted; /* bin and row, where there are far more bins than rows */
    double *counts;   /* 5 x n_classes */
    uint32_t *rows;   /* 2 x n_classes: rows of a value, rows above it */
} bench;

typedef struct expansion {
    const cairn_context *ctx;
    const cairn_rule_search *search;
    const cairn_conjunction *from;
    const double *left;  /* by class: rows at the start of the rule */
    size_t n_left;       /* all of them */
    const size_t *slots; /* n_columns + 1: first candidate of each column */
    cairn_literal *out;  /* candidates */
    double *counts;      /* candidates x n_classes */
    bench *benches;      /* per worker */
} expansion;

static size_t largest(const double *values, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (values[i] > values[best]) best = i;
    return best;
}

/* Score a candidate whose counts and rows are known. */
static void judge(const expansion *e, cairn_literal *literal, const double *counts)
{
    const cairn_rule_search *s = e->search;
    size_t k = s->rows->n_classes;
    double total = 0;
    for (size_t l = 0; l < k; l++) total += counts[l];
    literal->cover = s->target < 0 ? total : counts[s->target];
    if (s->tie == CAIRN_TIE_RARE) literal->rare = e->left[largest(counts, k)];
    if (literal->n_rows == 0 || literal->n_rows == e->from->n_rows || !(literal->cover > 0) ||
        literal->cover < s->least_cover) {
        literal->score = -INFINITY;
        return;
    }
    literal->score = s->score(s->data, counts, e->from->counts, k);
    if (s->gains && literal->score < 1e-9) literal->score = -INFINITY;
}

static bool used(const cairn_conjunction *from, int32_t column, cairn_relation relation)
{
    for (size_t i = 0; i < from->n_literals; i++)
        if (from->literals[i].column == column && from->literals[i].relation == relation)
            return true;
    return false;
}

/* The tally of a column: that of the root, or counted now. */
static const cairn_tally *tally_of(const expansion *e, size_t c, int worker)
{
    const cairn_root *root = e->search->root;
    cairn_tally *own = &e->benches[worker].tally;
    if (root && root->columns && e->from->n_literals == 0) return &root->columns[c];
    tally_fill(own, e->search->rows, c, e->from->rows, e->from->n_rows);
    return own;
}

static void give_back(const expansion *e, size_t c, const cairn_tally *tally, int worker)
{
    cairn_tally *own = &e->benches[worker].tally;
    if (tally == own) tally_empty(own, e->search->rows, c);
}

static void expand_levels(const expansion *e, size_t c, int worker)
{
    const cairn_rule_rows *rows = e->search->rows;
    size_t k = rows->n_classes, first = e->slots[c];
    const cairn_tally *tally = tally_of(e, c, worker);
    for (size_t l = 0; l < rows->n_bins[c]; l++) {
        cairn_literal *literal = &e->out[first + l];
        double *counts = e->counts + (first + l) * k;
        *literal = (cairn_literal){
            .column = (int32_t)c, .relation = CAIRN_EQUAL, .level = (int32_t)l, .score = -INFINITY};
        if (!(tally->present[l / 64] >> (l % 64) & 1)) continue;
        literal->n_rows = tally_bin(counts, tally, l, k);
        judge(e, literal, counts);
        if (e->search->seed_row >= 0 && rows->codes[c][e->search->seed_row] != (int32_t)l)
            literal->score = -INFINITY;
    }
    give_back(e, c, tally, worker);
}

static bool better(const cairn_rule_search *s, const cairn_literal *a, const cairn_literal *b)
{
    double scale = fmax(1, fmax(fabs(a->score), fabs(b->score)));
    if (isinf(b->score)) return !isinf(a->score);
    if (isinf(a->score)) return false;
    if (fabs(a->score - b->score) > SAME * scale) return a->score > b->score;
    if (s->tie == CAIRN_TIE_FIRST) return false;
    if (fabs(a->cover - b->cover) > SAME * fmax(1, a->cover)) return a->cover > b->cover;
    return s->tie == CAIRN_TIE_RARE && a->rare < b->rare - SAME;
}

/* -- cuts of numbers -- */

/* The way through the values of a column, upwards. */
typedef struct cut_walk {
    const expansion *e;
    size_t column;
    bool open[2]; /* whether conditions from above (<=) and from below (>) can be added */
    bool sparing; /* cuts between values of one and the same class can be left out */
    size_t n, n_below;
    double *below, *above, *value; /* counts by class: so far, of the rest, of the value at hand */
    uint32_t *n_value, *n_above;   /* rows, likewise */
    double last;
    /* A cut that waits for the value behind it: between values of one and the same class it is
     * never the best, whatever the score, for that is best at an end of such a stretch. */
    int32_t class; /* of the value before the cut, -1 = several */
} cut_walk;

/* Take a cut when it beats what the column has. */
static void try_cut(const expansion *e, size_t slot, cairn_literal literal, const double *counts)
{
    const cairn_rule_search *s = e->search;
    cairn_literal *best = &e->out[slot];
    size_t k = s->rows->n_classes;
    if (s->worse && best->n_rows > 0 && !isinf(best->score) &&
        s->worse(s->data, counts, e->counts + slot * k, k))
        return;
    judge(e, &literal, counts);
    if (best->n_rows > 0 && (isinf(literal.score) || !better(s, &literal, best))) return;
    *best = literal;
    memcpy(e->counts + slot * k, counts, k * sizeof *counts);
}

static bool seed_allows(const cut_walk *w, bool up, double cut)
{
    const cairn_rule_search *s = w->e->search;
    if (s->seed_row < 0) return true;
    double x = s->rows->numbers[w->column][s->seed_row];
    return up ? x > cut : x <= cut;
}

/* The next value, whose counts stand in w->value and w->n_value. */
static void walk_on(cut_walk *w, double x, size_t n_rows)
{
    size_t k = w->e->search->rows->n_classes, present = 0;
    int32_t class = -1;
    for (size_t l = 0; l < k; l++)
        if (w->n_value[l]) {
            present++;
            class = (int32_t)l;
        }
    if (present > 1) class = -1;
    if (w->n_below > 0 && !(w->sparing && class >= 0 && class == w->class)) {
        /* Both directions of the cut before `x`. */
        size_t slot = w->e->slots[w->column];
        cairn_literal literal = {.column = (int32_t)w->column,
                                 .relation = CAIRN_AT_MOST,
                                 .number = cairn_number_between(w->last, x),
                                 .n_rows = w->n_below};
        if (w->open[0] && seed_allows(w, false, literal.number))
            try_cut(w->e, slot, literal, w->below);
        literal.relation = CAIRN_ABOVE;
        literal.n_rows = w->n - w->n_below;
        if (w->open[1] && seed_allows(w, true, literal.number))
            try_cut(w->e, slot + 1, literal, w->above);
    }
    for (size_t l = 0; l < k; l++) {
        w->below[l] += w->value[l];
        w->n_above[l] -= w->n_value[l];
        w->above[l] = w->n_above[l] ? w->above[l] - w->value[l] : 0;
    }
    w->n_below += n_rows;
    w->class = class;
    w->last = x;
}

static int by_key(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Few rows among many different numbers: sorted. */
static void walk_sorted(cut_walk *w, uint64_t *keys)
{
    const cairn_conjunction *from = w->e->from;
    const cairn_rule_rows *rows = w->e->search->rows;
    size_t k = rows->n_classes, n = 0;
    for (size_t i = 0; i < from->n_rows; i++) {
        uint32_t row = from->rows[i], bin = rows->bins[w->column][row];
        if (bin == CAIRN_NO_BIN) continue;
        keys[n++] = (uint64_t)bin << 32 | row;
        w->above[rows->classes[row]] += rows->weights[row];
        w->n_above[rows->classes[row]]++;
    }
    w->n = n;
    if (n) qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0, end; i < n && !cairn_is_cancelled(w->e->ctx); i = end) {
        uint32_t bin = (uint32_t)(keys[i] >> 32);
        memset(w->value, 0, k * sizeof *w->value);
        memset(w->n_value, 0, k * sizeof *w->n_value);
        for (end = i; end < n && (uint32_t)(keys[end] >> 32) == bin; end++) {
            uint32_t row = (uint32_t)keys[end];
            w->value[rows->classes[row]] += rows->weights[row];
            w->n_value[rows->classes[row]]++;
        }
        walk_on(w, rows->values[w->column][bin], end - i);
    }
}

/* Counts of both sides before the first value. */
static void begin_walk(cut_walk *w, const cairn_tally *tally)
{
    const cairn_rule_rows *rows = w->e->search->rows;
    size_t k = rows->n_classes, n_words = (rows->n_bins[w->column] + 63) / 64;
    for (size_t l = 0; l < k; l++) {
        w->n += w->n_above[l] = tally->sums[l];
        w->above[l] = tally->weights ? 0 : w->n_above[l];
    }
    for (size_t word = 0; tally->weights && word < n_words; word++)
        for (uint64_t bits = tally->present[word]; bits; bits &= bits - 1) {
            size_t bin = word * 64 + (size_t)__builtin_ctzll(bits);
            for (size_t l = 0; l < k; l++)
                if (tally->n[bin * k + l]) w->above[l] += tally->weights[bin * k + l];
        }
}

static void walk_word(cut_walk *w, const cairn_tally *tally, size_t word)
{
    const cairn_rule_rows *rows = w->e->search->rows;
    size_t k = rows->n_classes;
    for (uint64_t bits = tally->present[word]; bits; bits &= bits - 1) {
        size_t bin = word * 64 + (size_t)__builtin_ctzll(bits);
        if (cairn_is_cancelled(w->e->ctx)) return; /* whoever waits for the columns fails */
        size_t here = tally_bin(w->value, tally, bin, k);
        memcpy(w->n_value, tally->n + bin * k, k * sizeof *w->n_value);
        walk_on(w, rows->values[w->column][bin], here);
    }
}

/* Go over the values of a word without trying cuts. */
static void skip_word(cut_walk *w, const cairn_tally *tally, size_t word)
{
    const cairn_rule_rows *rows = w->e->search->rows;
    size_t k = rows->n_classes, present = 0;
    size_t last = word * 64 + 63 - (size_t)__builtin_clzll(tally->present[word]);
    w->class = -1;
    for (size_t l = 0; l < k; l++) {
        uint32_t here = tally->words[word * k + l];
        w->below[l] += here;
        w->above[l] -= here;
        w->n_above[l] -= here;
        w->n_below += here;
        if (!tally->n[last * k + l]) continue;
        w->class = present++ ? -1 : (int32_t)l;
    }
    w->last = rows->values[w->column][last];
}

/* The score of `counts` if they are a candidate. */
static double score_if_allowed(const cut_walk *w, const double *counts, size_t n_rows)
{
    const cairn_rule_search *s = w->e->search;
    double cover = counts[s->target];
    if (n_rows == 0 || n_rows == w->e->from->n_rows || !(cover > 0) || cover < s->least_cover)
        return -INFINITY;
    return s->score(s->data, counts, w->e->from->counts, s->rows->n_classes);
}

/* The best score of either direction among the cuts behind the words of a tally: what the best
 * cuts have at least. */
static void least_best(const cut_walk *start, const cairn_tally *tally, double best[2])
{
    const cairn_rule_rows *rows = start->e->search->rows;
    size_t k = rows->n_classes, n_words = (rows->n_bins[start->column] + 63) / 64;
    double below[2] = {0, 0}, above[2] = {start->above[0], start->above[1]};
    size_t n_below = 0;
    best[0] = best[1] = -INFINITY;
    for (size_t word = 0; word < n_words; word++) {
        for (size_t l = 0; l < k && l < 2; l++) {
            below[l] += tally->words[word * k + l];
            above[l] -= tally->words[word * k + l];
            n_below += tally->words[word * k + l];
        }
        if (n_below == start->n) break;
        best[0] = fmax(best[0], score_if_allowed(start, below, n_below));
        best[1] = fmax(best[1], score_if_allowed(start, above, start->n - n_below));
    }
}

/* Whether no cut before a value of the word can be the best: below it lie at most the target's rows
 * of the word besides what lies below so far, above it at least all of them. */
static bool is_hopeless(const cut_walk *w, const uint32_t *here, const double best[2])
{
    const cairn_rule_search *s = w->e->search;
    size_t target = (size_t)s->target, other = 1 - target;
    double most[2][2];
    most[0][target] = w->below[target] + here[target];
    most[0][other] = w->below[other];
    most[1][target] = w->above[target];
    most[1][other] = w->above[other] - here[other];
    for (int side = 0; side < 2; side++) {
        double margin = 1e-9 * fmax(1, fabs(best[side]));
        if (w->open[side] &&
            !(s->score(s->data, most[side], w->e->from->counts, 2) < best[side] - margin))
            return false;
    }
    return true;
}

static void walk_tally(cut_walk *w, const cairn_tally *tally)
{
    const cairn_rule_search *s = w->e->search;
    size_t k = s->rows->n_classes, n_words = (s->rows->n_bins[w->column] + 63) / 64;
    bool skips =
        tally->words && s->rises && s->target >= 0 && k == 2 && s->seed_row < 0 && !s->steps;
    double best[2];
    begin_walk(w, tally);
    if (skips) least_best(w, tally, best);
    for (size_t word = 0; word < n_words; word++) {
        if (!tally->present[word]) continue;
        if (skips && is_hopeless(w, tally->words + word * k, best))
            skip_word(w, tally, word);
        else
            walk_word(w, tally, word);
    }
}

/* Columns of so many numbers that there is no tally for them; a tally takes longer than sorting
 * where most of its words are empty. */
static bool too_many_bins(const cairn_rule_rows *rows, size_t column, size_t n_left)
{
    return !rows->codes[column] && rows->n_bins[column] * rows->n_classes > MANY_BINS * n_left;
}

static bool sorts(const expansion *e, size_t column)
{
    const cairn_rule_rows *rows = e->search->rows;
    return too_many_bins(rows, column, e->n_left) ||
           (!rows->codes[column] && rows->n_bins[column] / 64 > 2 * e->from->n_rows);
}

/* Few rows are sorted, many are counted by value, whichever is cheaper; a column whose both
 * sides are used already is not looked at again. */
static void expand_numbers(const expansion *e, size_t c, int worker)
{
    const cairn_rule_search *s = e->search;
    const bench *b = &e->benches[worker];
    size_t k = s->rows->n_classes;
    bool again = s->again, root = s->root && s->root->columns && e->from->n_literals == 0;
    cut_walk w = {.e = e,
                  .column = c,
                  .open = {again || !used(e->from, (int32_t)c, CAIRN_AT_MOST),
                           again || !used(e->from, (int32_t)c, CAIRN_ABOVE)},
                  .sparing = s->tie != CAIRN_TIE_FIRST && s->seed_row < 0 &&
                             (s->target >= 0 || !(s->least_cover > 0)),
                  .below = b->counts,
                  .above = b->counts + k,
                  .value = b->counts + 2 * k,
                  .n_value = b->rows,
                  .n_above = b->rows + k,
                  .class = -1};
    if (!w.open[0] && !w.open[1]) return;
    memset(b->counts, 0, 3 * k * sizeof *b->counts);
    memset(b->rows, 0, 2 * k * sizeof *b->rows);
    if (!root && sorts(e, c)) {
        walk_sorted(&w, b->sorted);
    } else {
        const cairn_tally *tally = tally_of(e, c, worker);
        walk_tally(&w, tally);
        give_back(e, c, tally, worker);
    }
}

static void expand_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const expansion *e = data;
    (void)block;
    for (size_t c = begin; c < end; c++) {
        if (!e->search->rows->codes[c])
            expand_numbers(e, c, worker);
        else if (!used(e->from, (int32_t)c, CAIRN_EQUAL))
            expand_levels(e, c, worker);
    }
}

static cairn_status make_slots(cairn_context *ctx, const cairn_rule_rows *rows, size_t **out)
{
    CHECK(SCRATCH(ctx, out, rows->n_columns + 1));
    for (size_t c = 0; c < rows->n_columns; c++)
        (*out)[c + 1] = (*out)[c] + (rows->codes[c] ? rows->n_bins[c] : 2);
    return CAIRN_OK;
}

/* Working memory for a search that begins with n rows. */
static cairn_status make_benches(cairn_context *ctx, bench **out, const cairn_rule_rows *rows,
                                 size_t n)
{
    size_t most = 0, sorted = 0, workers = (size_t)cairn_workers(ctx);
    for (size_t c = 0; c < rows->n_columns; c++) {
        if (too_many_bins(rows, c, n)) {
            sorted = n;
        } else if (rows->n_bins[c] > most) {
            most = rows->n_bins[c];
        }
    }
    if (sorted < most / 64) sorted = most / 64 < n ? most / 64 : n;
    CHECK(SCRATCH(ctx, out, workers));
    for (size_t w = 0; w < workers; w++) {
        bench *b = &(*out)[w];
        CHECK(tally_make(ctx, &b->tally, rows, most));
        CHECK(SCRATCH_RAW(ctx, &b->sorted, sorted));
        CHECK(SCRATCH_RAW(ctx, &b->counts, 3 * rows->n_classes));
        CHECK(SCRATCH_RAW(ctx, &b->rows, 2 * rows->n_classes));
    }
    return CAIRN_OK;
}

/* About how many steps the candidates take: rows are counted, unless the root's counts are there,
 * and bins are gone through; a step is a few instructions, a quarter of what waking threads is
 * reckoned in. */
static double work_of(const expansion *e)
{
    const cairn_rule_rows *rows = e->search->rows;
    bool root = e->search->root && e->search->root->columns && e->from->n_literals == 0;
    double n = root ? 0 : (double)e->from->n_rows, work = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        double bins = (double)rows->n_bins[c];
        work += n + (bins < (double)e->from->n_rows ? bins : (double)e->from->n_rows) *
                        (double)rows->n_classes;
    }
    return work / 4;
}

/* -- steps -- */

/* What the search would give for a coverage of y rows of the class that counts upwards and x others
 * out of those that are refined. */
static double score_at(const void *data, double x, double y)
{
    const expansion *e = data;
    const cairn_rule_search *s = e->search;
    double counts[2];
    counts[s->upward] = fmin(y, e->from->counts[s->upward]);
    counts[1 - s->upward] = fmin(x, e->from->counts[1 - s->upward]);
    return counts[0] + counts[1] > 0 ? s->score(s->data, counts, e->from->counts, 2) : NAN;
}

/* A coverage plot as large as all rows, in it the box of those that are refined, with lines of
 * equal score. */
static cairn_status new_plot(cairn_figure **out, const cairn_rule_search *s, const expansion *e,
                             size_t step)
{
    enum { LINES = 9 };
    cairn_context *ctx = cairn_report_context(s->steps);
    const cairn_rule_rows *rows = s->rows;
    size_t up = (size_t)s->upward;
    double width = e->from->counts[1 - up], height = e->from->counts[up], all[2] = {0, 0};
    double low, high, levels[LINES];
    cairn_contour_grid grid;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    for (size_t i = 0; i < rows->n; i++) all[rows->classes[i]] += rows->weights[i];
    cairn_text_addf(&title, "%s, condition %zu", s->prefix, step);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_figure_new(ctx, out, "literals", cairn_text_string(&title)));
    cairn_figure_axes(*out, rows->class_names[1 - up], rows->class_names[up]);
    cairn_figure_coverage_box(*out, width, height);
    cairn_figure_x_range(*out, -0.02 * all[1 - up], 1.02 * all[1 - up]);
    cairn_figure_y_range(*out, -0.02 * all[up], 1.02 * all[up]);
    CHECK(cairn_contour_sample(ctx, &grid, score_at, e, width, height, &low, &high));
    for (int i = 0; i < LINES; i++) levels[i] = low + (high - low) * (i + 1) / (LINES + 1);
    if (high > low) CHECK(cairn_contour_add(ctx, *out, NULL, &grid, levels, LINES));
    return CAIRN_OK;
}

/* The candidates as points of the coverage plot, an arrow from all that is refined to the chosen
 * one. */
static void draw_candidates(const cairn_rule_search *s, const expansion *e, size_t step,
                            size_t chosen)
{
    enum { MOST = 40 };
    cairn_report *out = s->steps;
    cairn_context *ctx = cairn_report_context(out);
    size_t n = e->slots[s->rows->n_columns], shown = 0, up = (size_t)s->upward;
    double width = e->from->counts[1 - up], height = e->from->counts[up], x[MOST], y[MOST];
    cairn_figure *figure = NULL;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < n; i++) shown += e->out[i].n_rows > 0;
    if (shown == 0 || shown > MOST || !(width > 0) || !(height > 0)) goto done;
    TRY(new_plot(&figure, s, e, step));
    shown = 0;
    for (size_t i = 0; i < n; i++) {
        if (e->out[i].n_rows == 0) continue;
        x[shown] = e->counts[2 * i + 1 - up];
        y[shown] = e->counts[2 * i + up];
        text.length = 0;
        literal_add(&text, &e->out[i], s->rows->schema);
        cairn_figure_label(figure, x[shown], y[shown], cairn_text_string(&text));
        if (i == chosen) {
            cairn_figure_mark(figure, NULL, x[shown], y[shown]);
            cairn_figure_arrow(figure, NULL, (double[]){width, x[shown]},
                               (double[]){height, y[shown]}, 2);
        }
        shown++;
    }
    cairn_figure_points(figure, x, y, NULL, shown, NULL, 0);
    TRY(cairn_text_status(&text));
    cairn_report_page_figure(out, figure);
    figure = NULL;
done:
    cairn_report_failed(out, status);
    cairn_figure_free(figure);
    cairn_text_clear(&text);
}

/* The candidates to show: all in their order, or of many the best, best first. Returns how many. */
static size_t choose_shown(const cairn_rule_search *s, const expansion *e, size_t *out, bool *many)
{
    size_t n = e->slots[s->rows->n_columns], shown = 0, at;
    for (size_t i = 0; i < n; i++) shown += e->out[i].n_rows > 0;
    *many = shown > MOST_SHOWN;
    shown = 0;
    for (size_t i = 0; i < n; i++) {
        if (e->out[i].n_rows == 0) continue;
        for (at = shown; *many && at > 0 && better(s, &e->out[i], &e->out[out[at - 1]]);) at--;
        if (at >= MOST_SHOWN) continue;
        if (shown < MOST_SHOWN) shown++;
        memmove(out + at + 1, out + at, (shown - 1 - at) * sizeof *out);
        out[at] = i;
    }
    return shown;
}

/* The candidates of the place-th conjunction of the beam. */
static void show_candidates(const cairn_rule_search *s, const expansion *e, size_t step,
                            size_t place, size_t chosen)
{
    cairn_report *out = s->steps;
    size_t k = s->rows->n_classes, order[MOST_SHOWN];
    if (!out) return;
    bool many;
    size_t n = choose_shown(s, e, order, &many);
    cairn_text text = cairn_text_start(cairn_report_context(out)), prefix = text;
    cairn_text_addf(&prefix, "%s.step%zu", s->prefix, step);
    if (place > 1) cairn_text_addf(&prefix, ".beam%zu", place);
    cairn_literals_add(&text, e->from->literals, e->from->n_literals, s->rows->schema);
    if (n == 0)
        cairn_report_paragraph(out, "No condition divides the rows%s%s.",
                               e->from->n_literals ? " any further that are covered by " : "",
                               e->from->n_literals ? cairn_text_string(&text) : "");
    else if (e->from->n_literals)
        cairn_report_paragraph(out,
                               "Conditions that can be added to %s:", cairn_text_string(&text));
    else
        cairn_report_paragraph(out, "Conditions that the rule can begin with:");
    if (n == 0) goto done;
    if (many) cairn_report_paragraph(out, "(There are many: the best %d, best first.)", MOST_SHOWN);
    cairn_report_table_of(out, NULL, MOST_SHOWN, "l", "condition");
    for (size_t l = 0; l < k; l++) cairn_report_column(out, s->rows->class_names[l], 'r');
    cairn_report_column(out, s->score_name, 'r');
    for (size_t j = 0; j < n; j++) {
        size_t i = order[j];
        text.length = 0;
        literal_add(&text, &e->out[i], s->rows->schema);
        if (i == chosen) cairn_report_row_mark(out);
        double score = s->score(s->data, e->counts + i * k, e->from->counts, k);
        cairn_report_prefix(out, "%s", cairn_text_string(&prefix));
        cairn_report_cells(out, "- @.$1.count.$0 @.$1.score", cairn_text_string(&text),
                           cairn_cell_row(e->counts + i * k, k), score == 0 ? 0 : score);
        if (i == chosen)
            cairn_report_hidden_word(out, cairn_text_string(&text), "%s.chosen",
                                     cairn_text_string(&prefix));
    }
    if (s->upward >= 0) draw_candidates(s, e, step, chosen);
done:
    cairn_report_text_end(out, &text);
    cairn_report_text_end(out, &prefix);
}

/* -- the search -- */

/* Weights by class; where all are 1, four tables take turns, for neighbours are often of one class
 * and a cell that was just written is slow to read. */
static void count_rows(cairn_conjunction *c, const cairn_rule_rows *rows)
{
    enum { FEW = 32 };
    uint32_t tables[4][FEW] = {{0}};
    memset(c->counts, 0, rows->n_classes * sizeof *c->counts);
    if (rows->plain && rows->n_classes <= FEW) {
        for (size_t i = 0; i < c->n_rows; i++) tables[i % 4][rows->classes[c->rows[i]]]++;
        for (size_t l = 0; l < rows->n_classes; l++)
            c->counts[l] = (double)tables[0][l] + tables[1][l] + tables[2][l] + tables[3][l];
        return;
    }
    for (size_t i = 0; i < c->n_rows; i++)
        c->counts[rows->classes[c->rows[i]]] += rows->weights[c->rows[i]];
}

/* Whether only the wanted class is left. */
static bool is_pure(const cairn_rule_search *s, const cairn_conjunction *c)
{
    size_t present = 0;
    bool other = false;
    for (size_t l = 0; l < s->rows->n_classes; l++) {
        present += c->counts[l] > 0;
        other |= c->counts[l] > 0 && (int32_t)l != s->target;
    }
    return s->target < 0 ? present <= 1 : !other;
}

static void close_if_done(const cairn_rule_search *s, cairn_conjunction *c)
{
    c->closed |= is_pure(s, c) || (s->most_literals && c->n_literals >= s->most_literals);
}

/* The rows that meet a literal, whose number is known: each is written, and counts if it meets it,
 * which is faster than asking first. */
static size_t choose_rows(uint32_t *out, const cairn_conjunction *from,
                          const cairn_literal *literal, const cairn_rule_rows *rows)
{
    const int32_t *codes = rows->codes[literal->column];
    const double *numbers = rows->numbers[literal->column];
    size_t n = 0, wanted = literal->n_rows;
    if (literal->relation == CAIRN_EQUAL)
        for (size_t i = 0; i < from->n_rows && n < wanted; i++) {
            out[n] = from->rows[i];
            n += codes[from->rows[i]] == literal->level;
        }
    else if (literal->relation == CAIRN_AT_MOST)
        for (size_t i = 0; i < from->n_rows && n < wanted; i++) {
            out[n] = from->rows[i];
            n += numbers[from->rows[i]] <= literal->number;
        }
    else
        for (size_t i = 0; i < from->n_rows && n < wanted; i++) {
            out[n] = from->rows[i];
            n += numbers[from->rows[i]] > literal->number;
        }
    return n;
}

static cairn_status refine(cairn_context *ctx, cairn_conjunction *out, const cairn_rule_search *s,
                           const cairn_conjunction *from, const cairn_literal *literal)
{
    *out = (cairn_conjunction){.n_literals = from->n_literals + 1,
                               .score = literal->score,
                               .cover = literal->cover,
                               .rare = literal->rare};
    CHECK(SCRATCH_RAW(ctx, &out->literals, out->n_literals));
    if (from->n_literals)
        memcpy(out->literals, from->literals, from->n_literals * sizeof *out->literals);
    out->literals[from->n_literals] = *literal;
    CHECK(SCRATCH_RAW(ctx, &out->rows, literal->n_rows + 1));
    CHECK(SCRATCH(ctx, &out->counts, s->rows->n_classes));
    out->n_rows = choose_rows(out->rows, from, literal, s->rows);
    count_rows(out, s->rows);
    close_if_done(s, out);
    return CAIRN_OK;
}

/* A place in the pool: a conjunction as it is, or with one more literal. */
typedef struct entry {
    size_t from;
    cairn_literal literal; /* its score, cover and rare are those of the whole */
    bool as_is;
} entry;

/* Insert by rank; the first stays before its equals. */
static void offer(const cairn_rule_search *s, entry *pool, size_t *n, entry item)
{
    size_t at = *n;
    while (at > 0 && better(s, &item.literal, &pool[at - 1].literal)) at--;
    if (at >= s->beam) return;
    if (*n < s->beam) (*n)++;
    for (size_t i = *n - 1; i > at; i--) pool[i] = pool[i - 1];
    pool[at] = item;
}

typedef struct beam_state {
    cairn_conjunction *now, *next; /* beam */
    size_t n;
    cairn_conjunction best; /* CAIRN_GROW_BEST: of all lengths so far; no literals = none */
    entry *pool;
    size_t *slots;
    double *left, *only; /* by class */
    size_t n_left;
    bench *benches;
    size_t step;
} beam_state;

static cairn_literal whole_of(const cairn_conjunction *c)
{
    return (cairn_literal){
        .score = c->score, .cover = c->cover, .rare = c->rare, .n_rows = c->n_rows};
}

/* Whether nothing that is narrower can beat the best so far: the most that a score can become is
 * that of the rows of one class without all others. */
static bool is_beaten(const cairn_rule_search *s, const beam_state *b, const cairn_conjunction *c)
{
    size_t k = s->rows->n_classes;
    cairn_literal most = {.score = -INFINITY};
    if (isinf(b->best.score)) return false;
    for (size_t l = 0; l < k; l++) {
        if (!(c->counts[l] > 0) || (s->target >= 0 && (int32_t)l != s->target)) continue;
        b->only[l] = c->counts[l];
        most.score = fmax(most.score, s->score(s->data, b->only, c->counts, k));
        b->only[l] = 0;
    }
    most.cover = c->cover;
    most.rare = -1;
    cairn_literal best = whole_of(&b->best);
    return !better(s, &most, &best);
}

/* The best candidate that is better than the best so far and significant; n_slots = none. */
static size_t best_candidate(const cairn_rule_search *s, const beam_state *b, const expansion *e,
                             const cairn_literal *than)
{
    size_t k = s->rows->n_classes, n = b->slots[s->rows->n_columns], best = n;
    for (size_t j = 0; j < n; j++) {
        const cairn_literal *literal = &e->out[j];
        if (literal->n_rows == 0 || isinf(literal->score)) continue;
        if (!better(s, literal, best == n ? than : &e->out[best])) continue;
        if (s->level > 0 && cairn_rule_test(e->counts + j * k, b->left, k, s->target).p > s->level)
            continue;
        best = j;
    }
    return best;
}

/* Refine one conjunction of the beam: its candidates go into the pool. */
static cairn_status widen_one(cairn_context *ctx, const cairn_rule_search *s, beam_state *b,
                              size_t i, size_t *n_pool)
{
    cairn_conjunction *from = &b->now[i];
    expansion e = {.search = s,
                   .from = from,
                   .left = b->left,
                   .n_left = b->n_left,
                   .slots = b->slots,
                   .benches = b->benches};
    size_t n_slots = b->slots[s->rows->n_columns], best = n_slots;
    const cairn_rule_rows *rows = e.search->rows;
    size_t n = e.slots[rows->n_columns];
    e.ctx = ctx;
    CHECK(SCRATCH(ctx, &e.out, n));
    CHECK(SCRATCH(ctx, &e.counts, cairn_product(n, rows->n_classes)));
    for (size_t k = 0; k < n; k++) e.out[k].score = -INFINITY;
    CHECK(cairn_blocks_sized(ctx, rows->n_columns, 1, work_of(&e), expand_columns, &e));
    for (size_t j = 0; j < n_slots; j++) {
        if (e.out[j].n_rows == 0 || isinf(e.out[j].score)) continue;
        offer(s, b->pool, n_pool, (entry){.from = i, .literal = e.out[j]});
        if (best == n_slots || better(s, &e.out[j], &e.out[best])) best = j;
    }
    show_candidates(s, &e, b->step, i + 1, best);
    from->closed = best == n_slots;
    if (s->grow == CAIRN_GROW_BEST) {
        cairn_literal than = whole_of(&b->best);
        best = best_candidate(s, b, &e, &than);
        if (best < n_slots) CHECK(refine(ctx, &b->best, s, from, &e.out[best]));
    }
    return CAIRN_OK;
}

/* One more condition for every open conjunction of the beam. */
static cairn_status widen(cairn_context *ctx, const cairn_rule_search *s, beam_state *b)
{
    size_t n_pool = 0, n_next = 0;
    b->step++;
    for (size_t i = 0; i < b->n; i++) {
        if (!b->now[i].closed) CHECK(widen_one(ctx, s, b, i, &n_pool));
        if (b->now[i].closed && s->grow == CAIRN_GROW_PURE)
            offer(s, b->pool, &n_pool,
                  (entry){.from = i, .literal = whole_of(&b->now[i]), .as_is = true});
    }
    for (size_t i = 0; i < n_pool; i++) {
        cairn_conjunction *made = &b->next[n_next];
        bool known = false;
        if (b->pool[i].as_is)
            *made = b->now[b->pool[i].from];
        else
            CHECK(refine(ctx, made, s, &b->now[b->pool[i].from], &b->pool[i].literal));
        for (size_t j = 0; j < n_next; j++) {
            const cairn_conjunction *a = &b->next[j];
            known |= a->n_rows == made->n_rows &&
                     memcmp(a->rows, made->rows, a->n_rows * sizeof *a->rows) == 0;
        }
        if (s->grow == CAIRN_GROW_BEST) known |= made->closed || is_beaten(s, b, made);
        n_next += !known;
    }
    cairn_conjunction *held = b->now;
    b->now = b->next;
    b->next = held;
    b->n = n_next;
    return CAIRN_OK;
}

cairn_status cairn_rule_find(cairn_context *ctx, cairn_conjunction *out, const cairn_rule_search *s,
                             const uint32_t *rows, size_t n)
{
    beam_state b = {.n = 1, .n_left = n, .best = {.score = -INFINITY}};
    CHECK(SCRATCH_EACH(ctx, s->beam + 1, &b.now, &b.next));
    CHECK(SCRATCH(ctx, &b.pool, s->beam));
    CHECK(SCRATCH_EACH(ctx, s->rows->n_classes, &b.left, &b.only));
    CHECK(make_slots(ctx, s->rows, &b.slots));
    CHECK(make_benches(ctx, &b.benches, s->rows, n));
    cairn_conjunction *root = &b.now[0];
    *root = (cairn_conjunction){.n_rows = n, .score = -INFINITY};
    CHECK(SCRATCH_RAW(ctx, &root->rows, n));
    memcpy(root->rows, rows, n * sizeof *rows);
    root->counts = b.left;
    count_rows(root, s->rows);
    close_if_done(s, root);
    cairn_conjunction start = *root;
    if (s->grow == CAIRN_GROW_BEST) {
        if (s->target >= 0) { /* a rule for a class must be better than no rule */
            b.best.score = s->score(s->data, b.left, b.left, s->rows->n_classes);
            b.best.cover = b.left[s->target];
        }
        for (b.n = !root->closed; b.n > 0;) CHECK(widen(ctx, s, &b));
        *out = b.best.n_literals ? b.best : start;
    } else {
        while (!b.now[0].closed) CHECK(widen(ctx, s, &b));
        *out = b.now[0];
    }
    return CAIRN_OK;
}
