/* SPDX-License-Identifier: MIT */
/* CSV and its relatives: values separated by commas, semicolons, tabs, bars or blanks.
 *
 * Reading goes in three steps: the first lines tell the dialect and the names (csv_head.c), all
 * rows are found and counted (csv_rows.c), and the cells are read straight into columns of exact
 * size (csv_parse.c). A plain file is read in parts by all threads and never held as a whole; a
 * compressed or piped one is unpacked into memory first. */
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include "data/encoding.h"
#include <string.h>

static void reader_clear(cairn_csv_reader *reader)
{
    cairn_map_clear(&reader->marks);
    cairn_map_clear(&reader->names);
    for (size_t j = 0; reader->columns && j < reader->n_columns; j++)
        cairn_column_drop(reader->columns[j]);
}

static bool has_number(const cairn_map *marks)
{
    double number;
    for (size_t i = 0; i < marks->n; i++)
        if (cairn_cell_number(cairn_map_key(marks, i), marks->lengths[i], '.', &number))
            return true;
    return false;
}

static bool has_time(const cairn_map *marks, const char *pattern)
{
    double time;
    for (size_t i = 0; i < marks->n; i++)
        if (cairn_time_parse(cairn_map_key(marks, i), marks->lengths[i], pattern, &time, NULL,
                             NULL))
            return true;
    return false;
}

/* Eight bytes for a number, four for the code of a level. */
static double bytes_of(const cairn_csv_reader *reader, double rows)
{
    double row_bytes = 0;
    for (size_t j = 0; j < reader->n_columns; j++)
        row_bytes += reader->modes[j] == CAIRN_CSV_WORDS ? sizeof(int32_t) : sizeof(double);
    return rows * row_bytes;
}

/* Refuse a table that would not fit. */
static cairn_status check_memory(cairn_context *ctx, const cairn_csv_reader *reader, double rows)
{
    cairn_text what = cairn_text_start(ctx);
    cairn_text_addf(&what, "%s: a table of about %zu rows and %zu columns", reader->source.name,
                    (size_t)rows, reader->n_columns);
    cairn_status status = cairn_text_status(&what);
    if (!status)
        status = cairn_memory_check(ctx, bytes_of(reader, rows), what.bytes,
                                    cairn_say(ctx, "raise {memory}, or leave out rows or columns"));
    cairn_text_clear(&what);
    return status;
}

/* The same before the rows are counted, when it is clear from the first of them; with some room,
 * since rows may grow longer further down. Those of a small file are counted sooner than asked. */
static cairn_status check_estimate(cairn_context *ctx, const cairn_csv_reader *reader)
{
    if (reader->row_bytes <= 0 || reader->source.length <= CAIRN_CSV_CHUNK) return CAIRN_OK;
    double rows = (double)(reader->source.length - reader->data_from) / reader->row_bytes;
    if (0.7 * bytes_of(reader, rows) <= (double)cairn_memory_available(ctx)) return CAIRN_OK;
    return check_memory(ctx, reader, rows);
}

/* Rows are counted before cells are read, so that columns have their final size and memory is
 * refused early; marks that could be read as numbers or times cost a slower way. */
static cairn_status read_source(cairn_context *ctx, cairn_table **out,
                                const cairn_csv_source *source, const cairn_read_options *options,
                                bool quiet_padding)
{
    SCOPED(reader_clear)
    cairn_csv_reader reader = {.source = *source, .quiet_padding = quiet_padding};
    if (source->length == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the file is empty; write a table to it or name another file",
                          source->name);
    CHECK(cairn_cell_marks(ctx, &reader.marks, options->missing, options->only_marks));
    reader.number_is_mark = has_number(&reader.marks);
    for (size_t i = 0; i < reader.marks.n; i++)
        if (reader.marks.lengths[i] > reader.longest_mark)
            reader.longest_mark = reader.marks.lengths[i];
    CHECK(cairn_csv_read_head(ctx, &reader, options));
    for (size_t j = 0; j < reader.n_columns && !reader.time_is_mark; j++)
        reader.time_is_mark =
            (reader.modes[j] == CAIRN_CSV_TIME || reader.modes[j] == CAIRN_CSV_DECLARED_TIME) &&
            has_time(&reader.marks, reader.patterns[j]);
    CHECK(check_estimate(ctx, &reader));
    CHECK(cairn_csv_find_rows(ctx, &reader));
    if (reader.n_rows == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: there is only a header and no row of data; add rows, or say {header "
                         "no} if the first line is one",
                         source->name));
    if (reader.n_rows >= UINT32_MAX)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: %zu rows, more than a table can have (%zu)",
                         source->name, reader.n_rows, (size_t)UINT32_MAX - 1));
    CHECK(check_memory(ctx, &reader, (double)reader.n_rows));
    CHECK(cairn_csv_parse(ctx, &reader));
    CHECK(cairn_csv_tell_odd(ctx, &reader));
    /* Hand the columns over to a table. */
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, reader.n_rows));
    for (size_t j = 0; j < reader.n_columns; j++) {
        cairn_column *column = reader.columns[j];
        reader.columns[j] = NULL;
        CHECK(
            cairn_table_append(ctx, table, cairn_map_key(&reader.names, j), CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status read_transposed(cairn_context *ctx, cairn_table **out,
                                    const cairn_csv_source *source,
                                    const cairn_read_options *options)
{
    cairn_csv_reader reader = {.source = *source};
    cairn_read_options transposed_options = *options;
    OWNED(cairn_free) char *bytes = NULL;
    cairn_csv_source transposed = {.name = source->name, .file = -1};
    if (source->length == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the file is empty; write a table to it or name another file",
                          source->name);
    CHECK(cairn_csv_find_dialect(ctx, &reader, options));
    CHECK(cairn_csv_transpose(ctx, &reader, &bytes, &transposed.length));
    transposed.memory = bytes;
    transposed_options.separator = '\t';
    transposed_options.skip = 0;
    transposed_options.comment = NULL;
    return read_source(ctx, out, &transposed, &transposed_options, false);
}

/* A plain file is read in place by many threads; what must be decoded, unpacked or turned is
 * brought into memory first. */
static cairn_status read_csv(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    OWNED(cairn_free) char *bytes = NULL;
    bool foreign = !cairn_encoding_is_utf8(options->encoding);
    cairn_csv_source source = {.name = cairn_input_name(input),
                               .file = cairn_input_plain_descriptor(input)};
    if (foreign || options->transpose || source.file < 0) {
        if (foreign)
            CHECK(cairn_encoding_read(ctx, input, options->encoding, &bytes, &source.length));
        else
            CHECK(cairn_input_read_all(ctx, input, &bytes, &source.length));
        source.file = -1;
        source.memory = bytes;
    } else {
        source.length = (size_t)cairn_input_size(input);
    }
    if (options->transpose)
        CHECK(read_transposed(ctx, out, &source, options));
    else
        CHECK(read_source(ctx, out, &source, options, false));
    return CAIRN_OK;
}

cairn_status cairn_csv_read_lines(cairn_context *ctx, cairn_table **out, const char *name,
                                  const char *bytes, size_t length,
                                  const cairn_read_options *options)
{
    cairn_csv_source source = {.name = name, .file = -1, .memory = bytes, .length = length};
    if (options->transpose) return read_transposed(ctx, out, &source, options);
    return read_source(ctx, out, &source, options, true);
}

static cairn_status read_tsv(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    cairn_read_options tabs = *options;
    if (!tabs.separator) tabs.separator = '\t';
    return read_csv(ctx, out, input, &tabs);
}

static cairn_status write_csv(cairn_context *ctx, const cairn_table *table, cairn_output_file *file)
{
    return cairn_csv_write(ctx, table, file, ',');
}

static cairn_status write_tsv(cairn_context *ctx, const cairn_table *table, cairn_output_file *file)
{
    return cairn_csv_write(ctx, table, file, '\t');
}

const cairn_data_format cairn_csv_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "csv",
            .also = "comma-separated values, delimited text",
            .title = "Values separated by commas, semicolons, tabs, bars or blanks",
            .summary =
                "One row per line, cells separated by one byte that is found from the first lines "
                "or given with --separator. Cells may be quoted with double quotes, which are "
                "doubled inside; quoted cells may hold separators and line ends. The first line "
                "may hold names. Empty cells, ?, NA and NaN are missing. The kinds of the columns "
                "are found from all their cells.",
            .example = "cairn convert @iris iris.csv",
        },
    .extensions = "csv txt dat",
    .heeds = "separator skip comment thousands bad-lines",
    .read = read_csv,
    .write = write_csv,
};

const cairn_data_format cairn_tsv_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "tsv",
            .also = "tab-separated values",
            .title = "Values separated by tabs",
            .summary = "The same as csv with a tab between cells.",
            .example = "cairn convert @iris iris.tsv",
        },
    .extensions = "tsv tab",
    .heeds = "separator skip comment thousands bad-lines",
    .read = read_tsv,
    .write = write_tsv,
};
