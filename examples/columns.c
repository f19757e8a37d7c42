/* SPDX-License-Identifier: MIT */
/* A table of the program's own memory: a matrix that is lent, ordered levels, sparse rows; read
 * back by kind, changed in shape, and given back when the last user is gone. */
#include <cairn/cairn.h>
#include <stdio.h>

enum { N_ROWS = 4 };

/* Column by column: height, then weight. */
static const double measures[2 * N_ROWS] = {1.81, 1.65, 1.72, 1.9, 78, 55, 64.5, 92};
static const char *const measure_names[] = {"height", "weight"};

static const int32_t sizes[N_ROWS] = {2, 0, 1, -1}; /* -1 = missing */
static const char *const size_names[] = {"small", "medium", "large"};

/* Row i has the items baskets[starts[i]] to baskets[starts[i + 1] - 1]. */
static const size_t starts[N_ROWS + 1] = {0, 2, 3, 3, 5};
static const int32_t baskets[] = {0, 2, 1, 1, 0};
static const char *const products[] = {"bread", "milk", "tea"};

static char farewell[] = "the matrix is free again";

static void take_back(void *owner)
{
    puts((const char *)owner);
}

static cairn_status make_table(cairn_context *ctx, cairn_table **out)
{
    const cairn_matrix matrix = CAIRN_MATRIX_COLUMNS(measures, N_ROWS, 2);
    cairn_status status =
        cairn_table_lend_matrix(ctx, out, &matrix, measure_names, take_back, farewell);
    if (!status) status = cairn_table_add_ordered(ctx, *out, "size", sizes, size_names, 3);
    if (!status)
        status =
            cairn_table_add_bags(ctx, *out, "basket", starts, baskets, NULL, products, 3, NULL);
    return status;
}

static void show_baskets(const cairn_table *table)
{
    size_t column = (size_t)cairn_table_find(table, "basket"), n;
    for (size_t row = 0; row < cairn_table_rows(table); row++) {
        const int32_t *items = cairn_table_items(table, column, row, &n, NULL);
        printf("row %zu:", row);
        for (size_t k = 0; k < n; k++)
            printf(" %s", cairn_table_item(table, column, (size_t)items[k]));
        putchar('\n');
    }
}

int main(void)
{
    cairn_context *ctx = NULL;
    cairn_table *table = NULL, *last = NULL;
    const size_t rows[] = {3, 0};
    bool failed = cairn_context_new(&ctx, NULL) || make_table(ctx, &table) ||
                  cairn_table_rename(ctx, table, "weight", "mass") ||
                  cairn_table_take(ctx, &last, table, rows, 2);
    if (failed) {
        fprintf(stderr, "columns: %s\n", cairn_message(ctx));
    } else {
        printf("the matrix was %scopied\n",
               cairn_table_numbers(table, 0) == measures ? "not " : "");
        show_baskets(last);
    }
    cairn_table_free(last); /* rows that were taken are copies */
    cairn_table_free(table);
    cairn_context_free(ctx);
    return failed;
}
