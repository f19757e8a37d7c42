/* SPDX-License-Identifier: MIT */
/* Rows by the order of some columns: the columns are packed from the last to the first into numbers
 * of 64 bits, and the rows are sorted by each such number in turn, which keeps the order so far. */
#include "base/call.h"
#include "base/memory.h"
#include "cairn/reshape.h"
#include "data/column.h"
#include "entry/entry.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "reshape/keys.h"

#include <string.h>

enum { BLOCK = 1 << 15 };

typedef struct sort_pass {
    const cairn_coder *coders;
    size_t n_coders;
    uint64_t *keys;   /* of rows */
    uint64_t *sorted; /* keys in the order so far */
    const uint64_t *order;
} sort_pass;

static void fill_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sort_pass *pass = data;
    (void)block, (void)worker;
    cairn_coders_fill(pass->coders, pass->n_coders, begin, end, pass->keys + begin);
}

static void gather_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sort_pass *pass = data;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) pass->sorted[i] = pass->keys[pass->order[i]];
}

/* Sort the order so far by one run of columns; `first` says that it is that of the rows. */
static cairn_status sort_pass_run(cairn_context *ctx, sort_pass *pass, uint64_t *order, size_t n,
                                  bool first)
{
    SCOPED_SCRATCH(ctx);
    pass->order = order;
    CHECK(SCRATCH_RAW(ctx, &pass->keys, n + 1));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 2 * (double)n, fill_keys, pass));
    pass->sorted = pass->keys;
    if (!first) {
        CHECK(SCRATCH_RAW(ctx, &pass->sorted, n + 1));
        CHECK(cairn_blocks_sized(ctx, n, BLOCK, 2 * (double)n, gather_keys, pass));
    }
    return cairn_sort_keys(ctx, pass->sorted, order, n);
}

cairn_status cairn_order_rows(cairn_context *ctx, uint32_t **out, const cairn_coder *coders,
                              size_t n_coders, size_t n)
{
    cairn_scratch_mark mark;
    uint32_t *rows;
    uint64_t *order, span;
    cairn_status status;
    if (n_coders == 1 && coders->order && !coders->descending) {
        *out = coders->order;
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    mark = cairn_scratch_now(ctx);
    TRY(SCRATCH_RAW(ctx, &order, n + 1));
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t end = n_coders, from; end > 0; end = from) {
        from = end - 1;
        while (from > 0 && cairn_coders_fit(coders + from - 1, end - from + 1, &span)) from--;
        sort_pass pass = {.coders = coders + from, .n_coders = end - from};
        TRY(sort_pass_run(ctx, &pass, order, n, end == n_coders));
    }
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)order[i];
    *out = rows;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* "-price", "price:desc" and "price:asc"; a column that is called so comes first. */
static cairn_status find_sort_column(cairn_context *ctx, const cairn_table *table, char *word,
                                     size_t *column, bool *descending)
{
    char *colon = strrchr(word, ':');
    *descending = false;
    if (cairn_table_find(table, word) >= 0) return cairn_table_get(ctx, table, word, column);
    if (colon && (strcmp(colon, ":desc") == 0 || strcmp(colon, ":asc") == 0)) {
        *descending = colon[1] == 'd';
        *colon = 0;
    } else if (*word == '-' && word[1]) {
        *descending = true;
        word++;
    }
    return cairn_table_get(ctx, table, word, column);
}

static cairn_status sort_coder(cairn_context *ctx, cairn_coder *out, const cairn_table *table,
                               char *word, bool alone)
{
    size_t column;
    bool descending;
    CHECK(find_sort_column(ctx, table, word, &column, &descending));
    const cairn_slot *slot = &table->slots[column];
    if (cairn_kind_is_many(slot->column->kind))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' is a %s, which has no order; sort by numbers, times, levels "
                          "or text",
                          slot->name, cairn_kind_name(slot->column->kind));
    CHECK(cairn_coder_order(ctx, out, slot->column, alone && !descending));
    out->descending = descending;
    return CAIRN_OK;
}

cairn_status cairn_table_sort(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              const char *columns)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_coder *coders;
    uint32_t *rows;
    char **words;
    size_t n;
    CHECK(cairn_list_split(ctx, columns, &words, &n));
    if (!n) CHECK(cairn_fail(ctx, CAIRN_USAGE, "no column is named to sort by"));
    CHECK(SCRATCH(ctx, &coders, n));
    for (size_t i = 0; i < n; i++) CHECK(sort_coder(ctx, &coders[i], table, words[i], n == 1));
    CHECK(cairn_order_rows(ctx, &rows, coders, n, table->n_rows));
    return cairn_table_take_rows(ctx, out, table, rows, table->n_rows);
}
