/* SPDX-License-Identifier: MIT */
/* Rows that a user names by number, from 1: "11-15,20". */
#include "base/number.h"
#include "data/view.h"
#include "entry/entry.h"
#include <string.h>

/* "11-15" or "20". */
static bool read_range(const char *item, int64_t *from, int64_t *to)
{
    const char *dash = strchr(item, '-');
    size_t length = dash ? (size_t)(dash - item) : strlen(item);
    bool good = cairn_integer_parse(item, length, from);
    *to = *from;
    if (good && dash) good = cairn_integer_parse(dash + 1, strlen(dash + 1), to);
    return good && *from >= 1 && *to >= *from;
}

cairn_status cairn_row_list(cairn_context *ctx, uint32_t **out, size_t *n_out, const char *list,
                            size_t n_rows)
{
    char **items;
    uint32_t *rows;
    size_t n_items, n = 0;
    int64_t from = 0, to = 0;
    CHECK(cairn_list_split(ctx, list, &items, &n_items));
    for (size_t i = 0; i < n_items; i++) {
        if (!read_range(items[i], &from, &to))
            return cairn_fail(ctx, CAIRN_USAGE, "'%s' names no rows; write rows such as 11-15,20",
                              items[i]);
        if ((uint64_t)to > n_rows)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no row %lld, the table has %zu rows",
                              (long long)to, n_rows);
        n += (size_t)(to - from + 1);
    }
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    n = 0;
    for (size_t i = 0; i < n_items; i++) {
        read_range(items[i], &from, &to);
        for (int64_t r = from; r <= to; r++) rows[n++] = (uint32_t)(r - 1);
    }
    *out = rows;
    *n_out = n;
    return CAIRN_OK;
}
