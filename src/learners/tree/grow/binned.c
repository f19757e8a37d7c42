/* SPDX-License-Identifier: MIT */
/* Columns as small codes.
 *
 * A tree only asks for the order of numbers, so every number column is sorted once and its cells
 * become ranks; what a node then needs are counts over small whole numbers. Ranks of columns whose
 * cells are whole numbers in a short range come from a table of what occurs, all others from a
 * radix sort. Columns of two values, of which indicator tables have many, are packed 64 to a word,
 * with the rarer value as the set bit: a node visits set bits only.
 *
 * For large data the ranks of a column can be put together in bins of neighbours: a node then
 * looks at some hundred places for a cut, not at all of them.
 *
 * Cost: O(rows) per column and pass, columns side by side; 1 to 4 bytes per cell. */
#include "learners/tree/grow/criterion.h"
#include "data/column.h"
#include "data/item_columns.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

typedef struct sort_item {
    uint64_t key; /* orders like the number */
    uint32_t row;
} sort_item;

/* Bits of a double rearranged so that unsigned order is numeric order; -0 becomes 0. */
static uint64_t number_key(double number)
{
    uint64_t bits;
    number += 0.0;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double key_number(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static unsigned digit_of(uint64_t key, int digit)
{
    return (unsigned)(key >> (digit * DIGIT_BITS)) & (BUCKETS - 1);
}

/* Sort by key, stable; digits in which all keys agree are skipped. Returns the array that holds the
 * result, which is one of the two. */
static sort_item *sort_items(sort_item *items, sort_item *other, size_t n, uint32_t *counts)
{
    memset(counts, 0, sizeof *counts * DIGITS * BUCKETS);
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d * BUCKETS + digit_of(items[i].key, d)]++;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t *at = counts + d * BUCKETS, sum = 0;
        if (n && at[digit_of(items[0].key, d)] == n) continue;
        for (size_t b = 0; b < BUCKETS; b++) {
            uint32_t count = at[b];
            at[b] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) other[at[digit_of(items[i].key, d)]++] = items[i];
        sort_item *swap = items;
        items = other;
        other = swap;
    }
    return items;
}

/* What coding one column works with. */
typedef struct coding {
    cairn_binned *data;
    const cairn_column **features; /* of the view, without bags */
    const uint32_t *table_rows;    /* those of `data` */
    size_t bins;                   /* 0 = as many codes as values */
    double *amounts;               /* of items: what the rows have, row by row ... */
    size_t *firsts, *entries;      /* ... and which of them are of each column: n_columns + 1 */
} coding;

static cairn_status put_codes(cairn_context *ctx, cairn_binned_column *column,
                              const uint32_t *codes, size_t n)
{
    column->width = column->n_codes < 256 ? 1 : column->n_codes < 65536 ? 2 : 4;
    cairn_status status = cairn_new(ctx, &column->codes, n, column->width, false);
    if (status) return status;
    uint8_t *bytes = column->codes;
    uint16_t *pairs = column->codes;
    if (column->width == 1)
        for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)codes[i];
    else if (column->width == 2)
        for (size_t i = 0; i < n; i++) pairs[i] = (uint16_t)codes[i];
    else
        memcpy(column->codes, codes, n * sizeof *codes);
    return CAIRN_OK;
}

/* The code of more than three quarters of the rows, or UINT32_MAX: what is left of a vote in which
 * different codes cancel each other can be it, nothing else. */
static uint32_t common_code(const uint32_t *codes, size_t n, uint32_t n_codes)
{
    uint32_t code = UINT32_MAX;
    size_t votes = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (votes == 0) code = codes[i];
        if (codes[i] == code)
            votes++;
        else
            votes--;
    }
    for (size_t i = 0; i < n; i++) count += codes[i] == code;
    return code < n_codes && count > n - n / 4 ? code : UINT32_MAX;
}

static cairn_status code_levels(cairn_context *ctx, const coding *work, size_t c)
{
    const cairn_column *from = work->features[c];
    cairn_binned_column *column = &work->data->columns[c];
    size_t n = work->data->n_rows;
    uint32_t *codes = NULL;
    CHECK(SCRATCH_RAW(ctx, &codes, n));
    column->n_codes = (uint32_t)from->names.n;
    for (size_t i = 0; i < n; i++) {
        int32_t code = from->codes[work->table_rows[i]];
        codes[i] = code < 0 ? column->n_codes : (uint32_t)code;
        column->has_missing |= code < 0;
    }
    return put_codes(ctx, column, codes, n);
}

/* Least and greatest value, and whether all known cells are whole numbers in a range short enough
 * for a table. */
static bool find_range(const double *numbers, const uint32_t *rows, size_t n, double *low,
                       double *high)
{
    bool whole = true;
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double x = numbers[rows[i]];
        if (isnan(x)) continue;
        if (x < *low) *low = x;
        if (x > *high) *high = x;
        whole &= x == rint(x);
    }
    return whole && *high - *low < 65536 + 4 * (double)n && *high - *low < 1 << 24;
}

/* Ranks of any numbers: sort, then number the distinct values. */
static cairn_status rank_sorted(cairn_context *ctx, cairn_binned_column *column, uint32_t *codes,
                                const double *numbers, const uint32_t *rows, size_t n)
{
    sort_item *items = NULL, *other = NULL;
    uint32_t *counts = NULL;
    size_t known = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &items, &other));
    CHECK(SCRATCH_RAW(ctx, &counts, (size_t)DIGITS * BUCKETS));
    for (size_t i = 0; i < n; i++) {
        double x = numbers[rows[i]];
        if (!isnan(x)) items[known++] = (sort_item){number_key(x), (uint32_t)i};
    }
    items = sort_items(items, other, known, counts);
    for (size_t i = 0; i < known; i++)
        column->n_codes += i == 0 || items[i].key != items[i - 1].key;
    CHECK(NEW_RAW(ctx, &column->values, column->n_codes));
    for (size_t i = 0; i < n; i++) codes[i] = column->n_codes;
    for (size_t i = 0, next = 0; i < known; i++) {
        if (i == 0 || items[i].key != items[i - 1].key)
            column->values[next++] = key_number(items[i].key);
        codes[items[i].row] = (uint32_t)next - 1;
    }
    return CAIRN_OK;
}

size_t cairn_bins_of_ranks(const uint32_t *counts, const double *values, size_t n, size_t bins,
                           uint32_t *bin_of, double *lows, double *highs)
{
    size_t known = 0, in_bin = 0, next = 0;
    for (size_t v = 0; v < n; v++) known += counts[v];
    for (size_t v = 0; v < n; v++) {
        if (in_bin == 0) lows[next] = values[v];
        highs[next] = values[v];
        bin_of[v] = (uint32_t)next;
        in_bin += counts[v];
        bool last = next + 1 == bins || v + 1 == n;
        if (last || (double)in_bin * (double)(bins - next) < (double)known) continue;
        known -= in_bin;
        in_bin = 0;
        next++;
    }
    return next + 1;
}

/* Put ranks together, of which there are `counts`; `bin_of` (scratch) gets the bin of each, and of
 * missing cells. */
static cairn_status bin_counts(cairn_context *ctx, cairn_binned_column *column,
                               const uint32_t *counts, size_t bins, uint32_t **bin_of)
{
    OWNED(cairn_free) double *lows = NULL;
    CHECK(SCRATCH(ctx, bin_of, (size_t)column->n_codes + 1));
    CHECK(NEW_RAW_EACH(ctx, bins, &lows, &column->highs));
    size_t n_bins = cairn_bins_of_ranks(counts, column->values, column->n_codes, bins, *bin_of,
                                        lows, column->highs);
    (*bin_of)[column->n_codes] = (uint32_t)n_bins;
    cairn_free(column->values);
    column->values = TAKE(lows);
    column->n_codes = (uint32_t)n_bins;
    return CAIRN_OK;
}

static cairn_status bin_ranks(cairn_context *ctx, cairn_binned_column *column, uint32_t *codes,
                              size_t n, size_t bins)
{
    uint32_t *counts, *bin_of;
    CHECK(SCRATCH(ctx, &counts, (size_t)column->n_codes + 1));
    for (size_t i = 0; i < n; i++) counts[codes[i]]++;
    CHECK(bin_counts(ctx, column, counts, bins, &bin_of));
    for (size_t i = 0; i < n; i++) codes[i] = bin_of[codes[i]];
    return CAIRN_OK;
}

/* Counting is quicker than sorting, so whole numbers in a short range are ranked by a table; the
 * code after the last one stands for a missing cell. */
static cairn_status code_numbers(cairn_context *ctx, const coding *work, size_t c)
{
    const double *numbers = work->features[c]->numbers;
    cairn_binned_column *column = &work->data->columns[c];
    size_t n = work->data->n_rows;
    uint32_t *codes = NULL;
    double low, high;
    if (column->ordered) CHECK(cairn_column_places(ctx, &numbers, work->features[c]));
    CHECK(SCRATCH_RAW(ctx, &codes, n));
    if (find_range(numbers, work->table_rows, n, &low, &high) && low <= high) {
        /* Ranks of whole numbers: mark what occurs, then number the marks. */
        const uint32_t *rows = work->table_rows;
        size_t range = (size_t)(high - low) + 1;
        uint32_t *rank = NULL;
        CHECK(SCRATCH(ctx, &rank, range));
        for (size_t i = 0; i < n; i++) {
            double x = numbers[rows[i]];
            if (!isnan(x)) rank[(size_t)(x - low)] = 1;
        }
        for (size_t v = 0; v < range; v++) column->n_codes += rank[v];
        CHECK(NEW_RAW(ctx, &column->values, column->n_codes));
        for (size_t v = 0, next = 0; v < range; v++) {
            if (!rank[v]) continue;
            column->values[next] = low + (double)v;
            rank[v] = (uint32_t)next++;
        }
        for (size_t i = 0; i < n; i++) {
            double x = numbers[rows[i]];
            codes[i] = isnan(x) ? column->n_codes : rank[(size_t)(x - low)];
        }
    } else
        CHECK(rank_sorted(ctx, column, codes, numbers, work->table_rows, n));
    if (work->bins && column->n_codes > work->bins)
        CHECK(bin_ranks(ctx, column, codes, n, work->bins));
    for (size_t i = 0; i < n; i++) column->has_missing |= codes[i] == column->n_codes;
    column->common = common_code(codes, n, column->n_codes);
    return put_codes(ctx, column, codes, n);
}

/* -- items -- */

/* What every row has of the columns of items: their lists, which are by column, turned over. The
 * rows of the data are some of the table's, and one may be there twice. */
static cairn_status list_items(cairn_context *ctx, coding *work)
{
    cairn_binned *data = work->data;
    size_t n_columns = data->n_columns, n_table = 0, total = 0, *starts, *at;
    for (size_t c = 0; c < n_columns; c++)
        if (cairn_column_items(work->features[c])) n_table = work->features[c]->n_rows;
    if (!n_table) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &starts, n_table + 2));
    for (size_t c = 0; c < n_columns; c++) {
        const cairn_item_cells *cells = cairn_column_items(work->features[c]);
        for (size_t k = 0; cells && k < cells->n; k++) starts[cells->rows[k] + 2]++;
    }
    for (size_t i = 2; i < n_table + 2; i++) starts[i] += starts[i - 1];
    uint32_t *columns;
    double *amounts;
    CHECK(SCRATCH_RAW_EACH(ctx, starts[n_table + 1] + 1, &columns, &amounts));
    for (size_t c = 0; c < n_columns; c++) {
        const cairn_item_cells *cells = cairn_column_items(work->features[c]);
        for (size_t k = 0; cells && k < cells->n; k++) {
            size_t to = starts[cells->rows[k] + 1]++;
            columns[to] = (uint32_t)c;
            amounts[to] = cells->amounts[k];
        }
    }
    for (size_t i = 0; i < data->n_rows; i++)
        total += starts[data->table_rows[i] + 1] - starts[data->table_rows[i]];
    CHECK(NEW(ctx, &data->item_starts, data->n_rows + 1));
    CHECK(NEW_RAW_EACH(ctx, total + 1, &data->item_columns, &data->item_codes));
    CHECK(SCRATCH_RAW_EACH(ctx, total + 1, &work->amounts, &work->entries));
    CHECK(SCRATCH(ctx, &work->firsts, n_columns + 2));
    for (size_t i = 0; i < data->n_rows; i++) {
        size_t to = data->item_starts[i], from = starts[data->table_rows[i]];
        size_t n = starts[data->table_rows[i] + 1] - from;
        memcpy(data->item_columns + to, columns + from, n * sizeof *columns);
        memcpy(work->amounts + to, amounts + from, n * sizeof *amounts);
        for (size_t e = 0; e < n; e++) work->firsts[columns[from + e] + 2]++;
        data->item_starts[i + 1] = to + n;
    }
    at = work->firsts + 1;
    for (size_t c = 1; c <= n_columns; c++) at[c] += at[c - 1];
    for (size_t e = 0; e < total; e++) work->entries[at[data->item_columns[e]]++] = e;
    return CAIRN_OK;
}

/* As rank_sorted, of what rows have and of the 0 of all others. */
static cairn_status code_items(cairn_context *ctx, const coding *work, size_t c)
{
    enum { FEW = 64 };
    cairn_binned_column *column = &work->data->columns[c];
    const size_t *entries = work->entries + work->firsts[c];
    size_t n = work->firsts[c + 1] - work->firsts[c], n_rows = work->data->n_rows, known = n;
    sort_item *items, *other;
    uint32_t *counts, *codes;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &items, &other));
    CHECK(SCRATCH(ctx, &codes, n + 1));
    for (size_t k = 0; k < n; k++)
        items[k] = (sort_item){number_key(work->amounts[entries[k]]), (uint32_t)k};
    if (n < n_rows) items[known++] = (sort_item){number_key(0), (uint32_t)n};
    if (known > FEW) {
        CHECK(SCRATCH_RAW(ctx, &counts, (size_t)DIGITS * BUCKETS));
        items = sort_items(items, other, known, counts);
    } else {
        for (size_t k = 1; k < known; k++) {
            sort_item item = items[k];
            size_t to = k;
            for (; to > 0 && items[to - 1].key > item.key; to--) items[to] = items[to - 1];
            items[to] = item;
        }
    }
    for (size_t k = 0; k < known; k++)
        column->n_codes += k == 0 || items[k].key != items[k - 1].key;
    CHECK(NEW_RAW(ctx, &column->values, column->n_codes));
    column->width = CAIRN_ITEMS;
    column->common = UINT32_MAX;
    for (size_t k = 0, next = 0; k < known; k++) {
        if (k == 0 || items[k].key != items[k - 1].key)
            column->values[next++] = key_number(items[k].key);
        if (items[k].row < n)
            codes[items[k].row] = (uint32_t)next - 1;
        else
            column->common = (uint32_t)next - 1;
    }
    if (work->bins && column->n_codes > work->bins) {
        CHECK(SCRATCH(ctx, &counts, (size_t)column->n_codes + 1));
        for (size_t k = 0; k < n; k++) counts[codes[k]]++;
        if (n < n_rows) counts[column->common] += (uint32_t)(n_rows - n);
        uint32_t *bin_of;
        CHECK(bin_counts(ctx, column, counts, work->bins, &bin_of));
        for (size_t k = 0; k < n; k++) codes[k] = bin_of[codes[k]];
        if (n < n_rows) column->common = bin_of[column->common];
    }
    for (size_t k = 0; k < n; k++) work->data->item_codes[entries[k]] = codes[k];
    return CAIRN_OK;
}

static cairn_status code_column(cairn_context *ctx, void *data, size_t c)
{
    const coding *work = data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_binned_column *column = &work->data->columns[c];
    const cairn_column *from = work->features[c];
    column->ordered = from->kind == CAIRN_LEVEL && from->ordered;
    column->is_number = from->kind != CAIRN_LEVEL || column->ordered;
    cairn_status status = cairn_column_items(from) ? code_items(ctx, work, c)
                          : column->is_number      ? code_numbers(ctx, work, c)
                                                   : code_levels(ctx, work, c);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- bits -- */

static bool is_bit(const cairn_binned_column *column)
{
    return column->is_number && !column->has_missing && column->n_codes == 2 &&
           column->width != CAIRN_ITEMS;
}

static void pack_column(cairn_binned *data, size_t c, uint32_t word, uint8_t bit)
{
    cairn_binned_column *column = &data->columns[c];
    const uint8_t *codes = column->codes;
    size_t ones = 0;
    for (size_t i = 0; i < data->n_rows; i++) ones += codes[i];
    column->flipped = ones > data->n_rows / 2;
    for (size_t i = 0; i < data->n_rows; i++)
        data->words[word][i] |= (uint64_t)(codes[i] ^ column->flipped) << bit;
    cairn_free(column->codes);
    column->codes = NULL;
    column->width = 0;
    column->word = word;
    column->bit = bit;
    data->word_column[word * 64 + bit] = (uint32_t)c;
}

static cairn_status pack_bits(cairn_context *ctx, cairn_binned *data)
{
    size_t n_bits = 0, next = 0, n_words;
    for (size_t c = 0; c < data->n_columns; c++) n_bits += is_bit(&data->columns[c]);
    n_words = (n_bits + 63) / 64;
    CHECK(NEW(ctx, &data->words, n_words));
    CHECK(NEW(ctx, &data->word_column, n_words * 64));
    for (; data->n_words < n_words; data->n_words++)
        CHECK(NEW(ctx, &data->words[data->n_words], data->n_rows));
    for (size_t c = 0; c < data->n_columns; c++) {
        if (!is_bit(&data->columns[c])) continue;
        pack_column(data, c, (uint32_t)(next / 64), (uint8_t)(next % 64));
        next++;
    }
    return CAIRN_OK;
}

/* -- rows and target -- */

/* Weights that are whole numbers are kept as such. */
static cairn_status make_repeats(cairn_context *ctx, cairn_binned *data)
{
    for (size_t i = 0; i < data->n_rows; i++)
        if (data->weights[i] != rint(data->weights[i]) || data->weights[i] > UINT16_MAX)
            return CAIRN_OK;
    CHECK(NEW_RAW(ctx, &data->repeats, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) data->repeats[i] = (uint32_t)data->weights[i];
    cairn_free(data->weights);
    data->weights = NULL;
    return CAIRN_OK;
}

/* Rows of weight 0 are as if they were not there. */
static cairn_status keep_rows(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    bool weighted = cairn_view_is_weighted(view);
    CHECK(NEW_RAW(ctx, &data->table_rows, view->rows.n));
    if (weighted) CHECK(NEW_RAW(ctx, &data->weights, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double weight = cairn_view_weight(view, i);
        if (!(weight > 0) || !data->criterion->has_target(data, view, row)) continue;
        if (weighted) data->weights[data->n_rows] = weight;
        data->table_rows[data->n_rows++] = (uint32_t)row;
    }
    if (data->n_rows == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a target value and a weight above 0"));
    if (weighted) CHECK(make_repeats(ctx, data));
    return CAIRN_OK;
}

cairn_status cairn_binned_make(cairn_context *ctx, cairn_binned *out, const cairn_view *view,
                               size_t n_classes)
{
    return cairn_binned_make_bins(ctx, out, view, n_classes, 0);
}

cairn_status cairn_binned_of(cairn_context *ctx, cairn_binned *out, const cairn_view *view,
                             size_t bins)
{
    SCOPED_SCRATCH(ctx);
    CHECK(keep_rows(ctx, out, view));
    out->spread = 1;
    CHECK(out->criterion->take_target(ctx, out, view));
    coding work = {.data = out, .table_rows = out->table_rows, .bins = bins};
    CHECK(SCRATCH(ctx, &work.features, view->n_features));
    CHECK(NEW(ctx, &out->columns, view->n_features));
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_BAG)
            work.features[out->n_columns++] = view->features[j];
    CHECK(list_items(ctx, &work));
    double cells = (double)view->rows.n * (double)out->n_columns;
    if (out->item_starts) cells = (double)out->item_starts[out->n_rows];
    CHECK(cairn_tasks_sized(ctx, out->n_columns, 10 * cells, code_column, &work));
    return pack_bits(ctx, out);
}

cairn_status cairn_binned_make_bins(cairn_context *ctx, cairn_binned *out, const cairn_view *view,
                                    size_t n_classes, size_t bins)
{
    *out = (cairn_binned){
        .n_classes = n_classes,
        .criterion = n_classes ? &cairn_criterion_classes : &cairn_criterion_numbers,
        .n_stats = n_classes ? n_classes : 2,
    };
    return cairn_binned_of(ctx, out, view, bins);
}

void cairn_binned_clear(cairn_binned *data)
{
    for (size_t c = 0; c < data->n_columns; c++) {
        FREE_EACH(data->columns[c].codes, data->columns[c].values, data->columns[c].highs);
    }
    for (size_t w = 0; w < data->n_words; w++) cairn_free(data->words[w]);
    FREE_EACH(data->columns, data->words, data->word_column, data->item_starts, data->item_columns,
              data->item_codes, data->classes, data->numbers, data->centred, data->target_values,
              data->weights, data->repeats, data->table_rows);
    *data = (cairn_binned){0};
}

/* -- some rows only -- */

static cairn_status take_codes(cairn_context *ctx, cairn_binned_column *column,
                               const cairn_binned_column *from, const uint32_t *rows, size_t n)
{
    *column = *from;
    if (from->width == 0 || from->width == CAIRN_ITEMS) return CAIRN_OK;
    CHECK(cairn_scratch(ctx, &column->codes, n, from->width, false));
    if (from->width == 1)
        for (size_t i = 0; i < n; i++)
            ((uint8_t *)column->codes)[i] = ((const uint8_t *)from->codes)[rows[i]];
    else if (from->width == 2)
        for (size_t i = 0; i < n; i++)
            ((uint16_t *)column->codes)[i] = ((const uint16_t *)from->codes)[rows[i]];
    else
        for (size_t i = 0; i < n; i++)
            ((uint32_t *)column->codes)[i] = ((const uint32_t *)from->codes)[rows[i]];
    return CAIRN_OK;
}

static cairn_status take_items(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                               const uint32_t *rows, size_t n)
{
    const size_t *starts = data->item_starts;
    if (!starts) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->item_starts, n + 1));
    for (size_t i = 0; i < n; i++)
        out->item_starts[i + 1] = out->item_starts[i] + starts[rows[i] + 1] - starts[rows[i]];
    CHECK(SCRATCH_RAW_EACH(ctx, out->item_starts[n] + 1, &out->item_columns, &out->item_codes));
    for (size_t i = 0; i < n; i++) {
        size_t to = out->item_starts[i], from = starts[rows[i]], count = starts[rows[i] + 1] - from;
        memcpy(out->item_columns + to, data->item_columns + from, count * sizeof(uint32_t));
        memcpy(out->item_codes + to, data->item_codes + from, count * sizeof(uint32_t));
    }
    return CAIRN_OK;
}

cairn_status cairn_binned_take_reals(cairn_context *ctx, double **out, const double *from,
                                     const uint32_t *rows, size_t n)
{
    if (!from) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, out, n));
    for (size_t i = 0; i < n; i++) (*out)[i] = from[rows[i]];
    return CAIRN_OK;
}

void cairn_binned_hold_reals(cairn_binned *data, const cairn_view *view, bool copied)
{
    size_t c = 0;
    data->real_rows = data->table_rows;
    data->copies_reals = copied;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *feature = view->features[j];
        if (feature->kind == CAIRN_BAG) continue;
        cairn_binned_column *column = &data->columns[c++];
        bool plain = column->is_number && !column->ordered && !column->highs;
        if (plain && column->codes) column->reals = feature->numbers;
    }
}

/* Cells of the taken rows: copied where the data are small and nodes look at most columns, else
 * found by their rows. */
static cairn_status take_reals(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                               const uint32_t *rows, size_t n)
{
    enum { MOST_COPIED = 1 << 15 };
    const uint32_t *of = data->real_rows;
    uint32_t *taken;
    bool any = false;
    for (size_t c = 0; c < data->n_columns && !any; c++) any = data->columns[c].reals != NULL;
    if (!any) return CAIRN_OK;
    if (!data->copies_reals || n > MOST_COPIED) {
        CHECK(SCRATCH_RAW(ctx, &taken, n));
        for (size_t i = 0; i < n; i++) taken[i] = of ? of[rows[i]] : rows[i];
        out->real_rows = taken;
        return CAIRN_OK;
    }
    for (size_t c = 0; c < data->n_columns; c++) {
        const double *from = data->columns[c].reals;
        double *reals;
        if (!from) continue;
        CHECK(SCRATCH_RAW(ctx, &reals, n));
        for (size_t i = 0; i < n; i++) reals[i] = from[of ? of[rows[i]] : rows[i]];
        out->columns[c].reals = reals;
    }
    out->real_rows = NULL;
    return CAIRN_OK;
}

cairn_status cairn_binned_take(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                               const uint32_t *rows, size_t n)
{
    *out = *data;
    out->n_rows = n;
    CHECK(SCRATCH_RAW(ctx, &out->columns, data->n_columns));
    for (size_t c = 0; c < data->n_columns; c++)
        CHECK(take_codes(ctx, &out->columns[c], &data->columns[c], rows, n));
    CHECK(SCRATCH_RAW(ctx, &out->words, data->n_words));
    for (size_t w = 0; w < data->n_words; w++) {
        CHECK(SCRATCH_RAW(ctx, &out->words[w], n));
        for (size_t i = 0; i < n; i++) out->words[w][i] = data->words[w][rows[i]];
    }
    CHECK(take_items(ctx, out, data, rows, n));
    CHECK(take_reals(ctx, out, data, rows, n));
    CHECK(data->criterion->take_rows(ctx, out, data, rows, n));
    CHECK(cairn_binned_take_reals(ctx, &out->weights, data->weights, rows, n));
    if (data->repeats) {
        CHECK(SCRATCH_RAW(ctx, &out->repeats, n));
        for (size_t i = 0; i < n; i++) out->repeats[i] = data->repeats[rows[i]];
    }
    out->table_rows = NULL;
    out->near = NULL; /* only trees of so few rows have it that none are taken */
    return CAIRN_OK;
}

/* The code of a row in a column of items. */
static uint32_t item_code(const cairn_binned *data, size_t c, uint32_t row)
{
    size_t low = data->item_starts[row], end = data->item_starts[row + 1], high = end;
    while (low < high) {
        size_t at = low + (high - low) / 2;
        if (data->item_columns[at] < c)
            low = at + 1;
        else
            high = at;
    }
    return low < end && data->item_columns[low] == c ? data->item_codes[low]
                                                     : data->columns[c].common;
}

void cairn_node_gather(const cairn_binned *data, size_t c, const cairn_node_rows *node,
                       uint32_t *out)
{
    const cairn_binned_column *column = &data->columns[c];
    const cairn_node_items *items = node->items;
    if (column->width != CAIRN_ITEMS || !items) {
        cairn_binned_gather(data, c, node->rows, node->n, out);
        return;
    }
    for (size_t i = 0; i < node->n; i++) out[i] = column->common;
    for (size_t k = items->firsts[c], end = k + items->counts[c]; k < end; k++)
        out[items->entries[k]] = items->codes[k];
}

void cairn_binned_gather(const cairn_binned *data, size_t c, const uint32_t *rows, size_t n,
                         uint32_t *out)
{
    const cairn_binned_column *column = &data->columns[c];
    const uint8_t *bytes = column->codes;
    const uint16_t *pairs = column->codes;
    const uint32_t *quads = column->codes;
    if (column->width == CAIRN_ITEMS) {
        for (size_t i = 0; i < n; i++) out[i] = item_code(data, c, rows[i]);
    } else if (column->width == 0) {
        const uint64_t *words = data->words[column->word];
        for (size_t i = 0; i < n; i++)
            out[i] = (uint32_t)(words[rows[i]] >> column->bit & 1) ^ column->flipped;
    } else if (column->width == 1) {
        for (size_t i = 0; i < n; i++) out[i] = bytes[rows[i]];
    } else if (column->width == 2) {
        for (size_t i = 0; i < n; i++) out[i] = pairs[rows[i]];
    } else {
        for (size_t i = 0; i < n; i++) out[i] = quads[rows[i]];
    }
}

int32_t cairn_binned_most(const cairn_binned *data)
{
    uint32_t most = 0;
    for (size_t c = 0; c < data->n_columns; c++)
        if (data->columns[c].highs && data->columns[c].n_codes > most)
            most = data->columns[c].n_codes;
    return (int32_t)most;
}
