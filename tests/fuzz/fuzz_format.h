/* SPDX-License-Identifier: MIT */
/* The harness of every data format: what reads must be a sound table, and a writer, of another
 * format for another number of rows and columns, must take or refuse it. A harness defines FORMAT
 * and includes this; PREPARE(options, data, size) may take options from the first bytes. */
#include "fuzz/fuzz.h"
#include "base/text.h"
#include "data/column.h"
#include "data/format.h"
#include <math.h>

static void check_runs(const cairn_column *column)
{
    const int32_t least = column->kind == CAIRN_SEQUENCE ? -1 : 0; /* an item that is not known */
    if (column->starts[0] != 0) abort();
    for (size_t i = 0; i < column->n_rows; i++) {
        if (column->starts[i] > column->starts[i + 1]) abort();
        for (size_t k = column->starts[i]; column->items && k < column->starts[i + 1]; k++) {
            if (column->items[k] < least || column->items[k] >= (int32_t)column->names.n) abort();
            if (column->kind == CAIRN_BAG && k > column->starts[i] &&
                column->items[k - 1] >= column->items[k])
                abort();
            if (column->amounts && !isfinite(column->amounts[k])) abort();
        }
    }
    if (column->bytes && cairn_utf8_check(column->bytes, column->starts[column->n_rows]) !=
                             column->starts[column->n_rows])
        abort();
}

static void check_column(cairn_column *column)
{
    size_t counted = column->n_missing;
    for (size_t i = 0; i < column->n_rows; i++) {
        if (column->numbers && isinf(column->numbers[i])) abort();
        if (column->codes &&
            (column->codes[i] < -1 || column->codes[i] >= (int32_t)column->names.n))
            abort();
    }
    if (column->starts) check_runs(column);
    cairn_column_count_missing(column);
    if (column->n_missing != counted) abort();
}

static void check_table(cairn_context *ctx, const cairn_table *table)
{
    static const char *const writers[] = {"arff", "basket", "csv", "libsvm", "newick", "npy"};
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->column->n_rows != table->n_rows) abort();
        if (cairn_table_find(table, slot->name) != (ptrdiff_t)j) abort();
        check_column(slot->column);
    }
    size_t i = (table->n_rows + table->n_columns) % (sizeof writers / sizeof *writers);
    if (cairn_entry_find(NULL, CAIRN_ENTRY_FORMAT, writers[i]))
        fuzz_check(ctx, cairn_table_write(ctx, table, "/dev/null", writers[i]));
}

#ifdef FORMAT
static cairn_status read_table(cairn_context *ctx, cairn_table **out, const uint8_t *data,
                               size_t size)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = FORMAT;
#ifdef PREPARE
    PREPARE(&options, &data, &size);
#endif
    return cairn_table_read_memory(ctx, out, "fuzz", data, size, &options);
}
#endif

/* A few bytes of zstd ask for megabytes of window, which take longer than all else; fuzz_input.c
 * reads them. */
static bool is_zstd(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_zstd(data, size)) return 0;
    cairn_context *ctx = fuzz_begin();
    cairn_table *table = NULL;
    cairn_status status = read_table(ctx, &table, data, size);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) check_table(ctx, table);
    cairn_table_free(table);
    fuzz_end();
    return 0;
}
