/* SPDX-License-Identifier: MIT */
/* Tables of counts typed on the command line: cells separated by commas, rows by semicolons. */
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cairn_status check_cells(cairn_context *ctx, const char *what, const double *cells, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += cells[i];
        if (!(cells[i] >= 0) || isinf(cells[i])) {
            char number[CAIRN_NUMBER_SIZE];
            cairn_number_format(number, cells[i], 6);
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s}: number %zu is %s; the numbers must be finite and not negative",
                              what, i + 1, number);
        }
    }
    if (isinf(sum))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: the numbers are so large that their sum is not finite", what);
    return CAIRN_OK;
}

cairn_status cairn_read_matrix(cairn_context *ctx, const char *what, const char *text, double **out,
                               size_t *n_rows, size_t *n_columns)
{
    double *cells = NULL, *row;
    size_t rows = 1, columns = 0, n;
    char option[80];
    snprintf(option, sizeof option, "{%.70s}", what);
    bool bracketed = *text == '[' && text[strlen(text) - 1] == ']'; /* as in name:key=[1,2;3,4] */
    text += bracketed;
    for (const char *p = text; *p; p++) rows += *p == ';';
    for (size_t r = 0; r < rows; r++) {
        size_t length = strcspn(text, bracketed ? ";]" : ";");
        char *line;
        CHECK(SCRATCH(ctx, &line, length + 1));
        memcpy(line, text, length);
        CHECK(cairn_list_numbers(ctx, cairn_say(ctx, option), line, &row, &n));
        if (n == 0)
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: row %zu has no numbers", what, r + 1);
        if (r == 0) {
            columns = n;
            CHECK(SCRATCH(ctx, &cells, cairn_product(rows, columns)));
        }
        if (n != columns)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s}: row %zu has %zu numbers and the first row has %zu", what,
                              r + 1, n, columns);
        memcpy(cells + r * columns, row, columns * sizeof *cells);
        text += length + (text[length] == ';');
    }
    *out = cells;
    *n_rows = rows;
    *n_columns = columns;
    return CAIRN_OK;
}

cairn_status cairn_read_counts(cairn_context *ctx, const char *what, const char *text, double **out,
                               size_t *n_rows, size_t *n_columns)
{
    CHECK(cairn_read_matrix(ctx, what, text, out, n_rows, n_columns));
    return check_cells(ctx, what, *out, *n_rows * *n_columns);
}
