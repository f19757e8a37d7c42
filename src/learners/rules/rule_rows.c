/* SPDX-License-Identifier: MIT */
/* The rows that rules are learned from, coded: a level is its number already, and of a column of
 * numbers each cell becomes the place of its number among the different ones, so that rows are
 * counted by value and class in one pass, without sorting. */
#include "learners/rules/rule_search.h"

#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

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
    CHECK(SCRATCH_RAW(ctx, &x, out->n));
    CHECK(SCRATCH_RAW(ctx, &out->bins[c], out->n));
    CHECK(SCRATCH_RAW(ctx, &out->orders[c], out->n));
    CHECK(SCRATCH_RAW(ctx, &values, out->n));
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
    CHECK(SCRATCH_RAW(ctx, &table_rows, view->rows.n));
    CHECK(SCRATCH_RAW(ctx, &out->classes, view->rows.n));
    CHECK(SCRATCH_RAW(ctx, &out->weights, view->rows.n));
    CHECK(SCRATCH(ctx, &out->class_names, out->n_classes));
    for (size_t l = 0; l < out->n_classes; l++)
        out->class_names[l] = cairn_schema_class(job->schema, (int32_t)l);
    CHECK(SCRATCH(ctx, &out->bins, out->n_columns));
    CHECK(SCRATCH(ctx, &out->n_bins, out->n_columns));
    CHECK(SCRATCH(ctx, &out->codes, out->n_columns));
    CHECK(SCRATCH(ctx, &out->numbers, out->n_columns));
    CHECK(SCRATCH(ctx, &out->values, out->n_columns));
    CHECK(SCRATCH(ctx, &out->orders, out->n_columns));
    CHECK(SCRATCH(ctx, &out->n_ordered, out->n_columns));
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

cairn_status cairn_tally_make(cairn_context *ctx, cairn_tally *out, const cairn_rule_rows *rows,
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

void cairn_tally_fill(cairn_tally *out, const cairn_rule_rows *rows, size_t column,
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

void cairn_tally_empty(cairn_tally *tally, const cairn_rule_rows *rows, size_t column)
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

size_t cairn_tally_bin(double *out, const cairn_tally *tally, size_t bin, size_t k)
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
        CHECK(cairn_tally_make(ctx, &out->columns[c], rows, rows->n_bins[c]));
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
        cairn_tally_fill(tally, f->root->rows, c, f->list, f->n);
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
