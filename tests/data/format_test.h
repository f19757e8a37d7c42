/* SPDX-License-Identifier: MIT */
/* What the tests of data formats share: reading from memory, writing and reading back. */
#ifndef CAIRN_TESTS_FORMAT_TEST_H
#define CAIRN_TESTS_FORMAT_TEST_H

#include "support/fail_alloc.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"
#include "data/format.h"
#include "data/wanted.h"
#include <stdio.h>
#include <unistd.h>

static inline cairn_status read_bytes(cairn_context *ctx, cairn_table **out, const char *format,
                                      const void *bytes, size_t length)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = format;
    return cairn_table_read_memory(ctx, out, "x", bytes, length, &options);
}

static inline cairn_table *read_text(cairn_context *ctx, const char *format, const char *text)
{
    cairn_table *table = NULL;
    assert_ok(ctx, read_bytes(ctx, &table, format, text, strlen(text)));
    return table;
}

/* The text must be refused with a message that contains `part`. */
static inline void refuses(cairn_context *ctx, const char *format, const char *text,
                           const char *part)
{
    cairn_table *table = NULL;
    assert_fails(ctx, read_bytes(ctx, &table, format, text, strlen(text)), CAIRN_BAD_DATA, part);
    assert_null(table);
}

static inline cairn_table *read_used(cairn_context *ctx, const char *format, const void *bytes,
                                     size_t length, const cairn_wanted *wanted)
{
    cairn_table *table = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = format;
    options.wanted = wanted;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "x", bytes, length, &options));
    return table;
}

/* A table comes back from a file in memory as it was, roles and ways to write times included. */
static inline void goes_around(cairn_context *ctx, const cairn_data_format *format,
                               const cairn_table *t)
{
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    cairn_output_file *out = NULL;
    cairn_table *back = NULL;
    assert_ok(ctx, cairn_output_memory(ctx, &out, &bytes));
    assert_ok(ctx, cairn_format_write(ctx, format, t, out));
    assert_ok(ctx, cairn_output_commit(ctx, out));
    assert_ok(ctx, read_bytes(ctx, &back, format->entry.name, bytes.bytes, bytes.length));
    for (size_t j = 0; j < t->n_columns; j++) {
        if (cairn_column_hash(back->slots[j].column, 0) != cairn_column_hash(t->slots[j].column, 0))
            fail_msg("column '%s' does not come back", t->slots[j].name);
        assert_int_equal(back->slots[j].role, t->slots[j].role);
        assert_string_equal(back->slots[j].column->pattern, t->slots[j].column->pattern);
    }
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(back);
}

static inline const cairn_column *column_of(const cairn_table *table, const char *name)
{
    ptrdiff_t j = cairn_table_find(table, name);
    if (j < 0) fail_msg("there is no column '%s'", name);
    return table->slots[j].column;
}

/* A cell as text; good until the next call. */
static inline const char *cell(const cairn_table *table, const char *name, size_t row)
{
    static char text[400];
    ptrdiff_t j = cairn_table_find(table, name);
    if (j < 0) fail_msg("there is no column '%s'", name);
    cairn_table_cell(table, (size_t)j, row, text, sizeof text);
    return text;
}

/* A name for a file of this process that is not there. */
static inline void temporary_name(char out[64], const char *ending)
{
    snprintf(out, 64, "/tmp/cairn-test-%ld%s", (long)getpid(), ending);
    unlink(out);
}

/* The bytes that a table is written as; freed with cairn_free. */
static inline char *written(cairn_context *ctx, const cairn_table *table, const char *format,
                            size_t *length)
{
    char path[64], *bytes = NULL;
    temporary_name(path, "");
    assert_ok(ctx, cairn_table_write(ctx, table, path, format));
    assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, length));
    unlink(path);
    return bytes;
}

static inline void assert_written(cairn_context *ctx, const cairn_table *table, const char *format,
                                  const char *expected)
{
    size_t length;
    char *bytes = written(ctx, table, format, &length);
    assert_string_equal(bytes, expected);
    cairn_free(bytes);
}

/* Written and read again it is the same table: shape, names, roles, kinds, values. */
static inline void assert_round_trip(cairn_context *ctx, const cairn_table *table,
                                     const char *format)
{
    cairn_table *back = NULL;
    size_t length;
    char *bytes = written(ctx, table, format, &length);
    assert_ok(ctx, read_bytes(ctx, &back, format, bytes, length));
    assert_int_equal(back->n_columns, table->n_columns);
    for (size_t j = 0; j < table->n_columns; j++) {
        assert_string_equal(back->slots[j].name, table->slots[j].name);
        assert_int_equal(back->slots[j].role, table->slots[j].role);
        assert_int_equal(back->slots[j].column->n_missing, table->slots[j].column->n_missing);
    }
    assert_true(cairn_table_hash(back) == cairn_table_hash(table));
    cairn_table_free(back);
    cairn_free(bytes);
}

static inline void write_refused(cairn_context *ctx, const cairn_table *table, const char *format,
                                 const char *part)
{
    char path[64];
    temporary_name(path, "");
    assert_fails(ctx, cairn_table_write(ctx, table, path, format), CAIRN_USAGE, part);
    assert_int_equal(access(path, F_OK), -1);
}

/* Reading and writing with every allocation failing in turn. */
typedef struct format_case {
    const char *format;
    const char *bytes;
    size_t length;
    bool writes;
} format_case;

static inline cairn_status read_and_write(cairn_context *ctx, void *data)
{
    const format_case *c = data;
    cairn_table *table = NULL;
    cairn_status status = read_bytes(ctx, &table, c->format, c->bytes, c->length);
    if (!status && c->writes) status = cairn_table_write(ctx, table, "/dev/null", c->format);
    cairn_table_free(table);
    return status;
}

static inline void survives(const char *format, const void *bytes, size_t length, bool writes)
{
    format_case c = {format, bytes, length, writes};
    assert_survives_allocation_failures(read_and_write, &c);
}

#endif
