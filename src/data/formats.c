/* SPDX-License-Identifier: MIT */
/* Reading and writing tables in whatever format: which one it is, and what they share. */
#include "base/call.h"
#include "base/options.h"
#include "base/text.h"
#include "data/format.h"
#include "data/objects.h"
#include "data/odd_numbers.h"
#include "data/own_format.h"
#include "data/table_limits.h"
#include "data/source.h"
#include <string.h>
#include <sys/stat.h>

cairn_status cairn_format_get(cairn_context *ctx, const cairn_data_format **out, const char *name)
{
    const cairn_entry *entry;
    cairn_status status = cairn_entry_get(ctx, &entry, CAIRN_ENTRY_FORMAT, name);
    if (!status) *out = (const cairn_data_format *)entry;
    return status;
}

/* Whether a blank-separated list has the word, in any case. */
static bool list_has(const char *list, const char *word, size_t length)
{
    while (list && *list) {
        size_t n = strcspn(list, " ");
        size_t same = 0;
        while (same < n && same < length && (word[same] | 0x20) == (list[same] | 0x20)) same++;
        if (n == length && same == n) return true;
        list += n;
        while (*list == ' ') list++;
    }
    return false;
}

bool cairn_format_writes(const cairn_data_format *format)
{
    return format->plugin ? format->plugin->write != NULL : format->write != NULL;
}

cairn_status cairn_format_read(cairn_context *ctx, const cairn_data_format *format,
                               cairn_table **out, cairn_input *input,
                               const cairn_read_options *options)
{
    if (format->plugin) return cairn_own_format_read(ctx, format, out, input);
    return format->read(ctx, out, input, options);
}

cairn_status cairn_format_write(cairn_context *ctx, const cairn_data_format *format,
                                const cairn_table *table, cairn_output_file *file)
{
    if (format->plugin) return cairn_own_format_write(ctx, format, table, file);
    return format->write(ctx, table, file);
}

/* The i-th format that the context knows, those that a program registered first, as it knows best
 * what its files are; NULL at the end. */
static const cairn_data_format *next_format(const cairn_context *ctx, size_t *at)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    for (; *at < 2 * n; ++*at) {
        const cairn_entry *entry = entries[*at < n ? *at : *at - n];
        bool own = entry->own;
        if (entry->kind != CAIRN_ENTRY_FORMAT || own != (*at < n)) continue;
        ++*at;
        return (const cairn_data_format *)entry;
    }
    return NULL;
}

const cairn_data_format *cairn_format_by_name(const cairn_context *ctx, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    for (;;) {
        size_t dot = length;
        while (dot > 0 && name[dot - 1] != '.') dot--;
        if (dot <= 1) return NULL;
        const char *extension = name + dot;
        size_t n = length - dot;
        if (!list_has("gz zst zstd", extension, n)) {
            const cairn_data_format *format;
            for (size_t i = 0; (format = next_format(ctx, &i));)
                if (list_has(format->extensions, extension, n)) return format;
            return NULL;
        }
        length = dot - 1;
    }
}

bool cairn_format_heeds(const cairn_data_format *format, const char *option)
{
    return format && list_has(format->heeds, option, strlen(option));
}

/* Databases by their first bytes, and the source that reads them. */
static const struct {
    const char *head;
    size_t at, n;
    const char *what, *source;
} databases[] = {
    {"SQLite format 3", 0, 16, "an SQLite", "sqlite"}, /* its zero byte belongs to it */
    {"DUCK", 8, 4, "a DuckDB", "duckdb"},
};

static cairn_status refuse_database(cairn_context *ctx, const char *name, const char *head,
                                    size_t n)
{
    for (size_t i = 0; i < sizeof databases / sizeof *databases; i++)
        if (n >= databases[i].at + databases[i].n &&
            memcmp(head + databases[i].at, databases[i].head, databases[i].n) == 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: this is %s database; read it as '%s:%s', with '?table=NAME' or "
                              "'?query=SELECT ...' behind it when it has several tables",
                              name, databases[i].what, databases[i].source, name);
    return CAIRN_OK;
}

/* Files of kinds that are not read, by their first bytes: what they are, and what makes of them one
 * that is; % stands for the name of the file. */
static const struct {
    const char *head;
    size_t at, n;
    const char *what, *remedy;
} strange[] = {
    {"ORC", 0, 3, "an ORC file", "write it as Parquet where it was made"},
    {"\x89HDF\r\n\x1a\n", 0, 8, "an HDF5 file",
     "python3 -c \"import pandas; pandas.read_hdf('%').to_csv('%.csv', index=False)\""},
    {"$FL2@", 0, 4, "an SPSS file",
     "Rscript -e \"write.csv(foreign::read.spss('%', to.data.frame=TRUE), '%.csv', "
     "row.names=FALSE)\""},
    {"$FL3@", 0, 4, "an SPSS file",
     "Rscript -e \"write.csv(foreign::read.spss('%', to.data.frame=TRUE), '%.csv', "
     "row.names=FALSE)\""},
    {"FEA1", 0, 4, "a Feather file of the first kind",
     "python3 -c \"import pandas; pandas.read_feather('%').to_csv('%.csv', index=False)\""},
    {"X\n\0\0\0", 0, 5, "an R object",
     "Rscript -e \"write.csv(readRDS('%'), '%.csv', row.names=FALSE)\""},
    {"RDX", 0, 3, "a workspace of R", "save the table in it with write.csv(TABLE, 'table.csv')"},
    {"<stata_dta>", 0, 11, "a Stata file",
     "python3 -c \"import pandas; pandas.read_stata('%').to_csv('%.csv', index=False)\""},
    {"\x80\x04\x95", 0, 3, "a Python pickle",
     "python3 -c \"import pandas; pandas.read_pickle('%').to_csv('%.csv', index=False)\""},
    {"\x80\x05\x95", 0, 3, "a Python pickle",
     "python3 -c \"import pandas; pandas.read_pickle('%').to_csv('%.csv', index=False)\""},
    {"Obj\x01", 0, 4, "an Avro file", "write it as Parquet where it was made"},
    {"\xD0\xCF\x11\xE0", 0, 4, "a workbook of Excel before 2007", "save it as .xlsx"},
    {"%PDF", 0, 4, "a PDF", "tables in it must be copied out first"},
};

static cairn_status refuse_strange(cairn_context *ctx, const char *name, const char *head, size_t n)
{
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        if (n < strange[i].at + strange[i].n ||
            memcmp(head + strange[i].at, strange[i].head, strange[i].n) != 0)
            continue;
        static const char plain[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
        const char *file = strspn(name, plain) == strlen(name) ? name : "FILE"; /* to be pasted */
        SCOPED(cairn_text_clear) cairn_text remedy = cairn_text_start(ctx);
        for (const char *at = strange[i].remedy; *at; at++)
            if (*at == '%')
                cairn_text_add(&remedy, file);
            else
                cairn_text_add_char(&remedy, *at);
        CHECK(cairn_text_status(&remedy));
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: this is %s, which is not read; %s", name,
                          strange[i].what, remedy.bytes);
    }
    return CAIRN_OK;
}

/* The format that the first bytes show, NULL = none does. `binary` leaves out those of texts. */
static const cairn_data_format *by_bytes(const cairn_context *ctx, const char *name,
                                         const char *head, size_t n, bool binary)
{
    const cairn_data_format *format;
    for (size_t i = 0; (format = next_format(ctx, &i));) {
        const char *called = format->entry.name;
        if (binary && !list_has("arrow npy parquet xlsx", called, strlen(called))) continue;
        if (format->plugin ? cairn_own_format_detects(format, name, head, n)
                           : format->detect && format->detect(name, head, n))
            return format;
    }
    return NULL;
}

/* The name decides, unless the bytes are none that its format can have: a zero byte stands in no
 * text, and files of columns, workbooks and databases begin with marks of their own. */
cairn_status cairn_format_detect(cairn_context *ctx, const cairn_data_format **out,
                                 cairn_input *input)
{
    const char *name = cairn_input_name(input), *head;
    const cairn_data_format *named = cairn_format_by_name(ctx, name), *shown;
    size_t n;
    CHECK(cairn_input_peek(ctx, input, &head, &n));
    *out = named;
    if (named && (!memchr(head, 0, n) || (named->detect && named->detect(name, head, n))))
        return CAIRN_OK;
    CHECK(refuse_database(ctx, name, head, n));
    CHECK(refuse_strange(ctx, name, head, n));
    shown = by_bytes(ctx, name, head, n, named != NULL);
    *out = shown ? shown : named ? named : &cairn_csv_format;
    if (named && shown && shown != named)
        cairn_warn(ctx,
                   "%s: the name is one of the format %s, but the file is of the format %s "
                   "and is read as that",
                   name, named->entry.name, shown->entry.name);
    return CAIRN_OK;
}

cairn_status cairn_read_options_full(cairn_context *ctx, cairn_read_options *full,
                                     const cairn_read_options *given)
{
    *full = (cairn_read_options)CAIRN_READ_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, full, sizeof *full, given, "cairn_read_options"));
    if (!full->decimal) full->decimal = '.';
    return CAIRN_OK;
}

/* What is done with every table that was read: kinds that were declared, then its limits. */
static cairn_status finish_table(cairn_context *ctx, cairn_table *table,
                                 const cairn_read_options *full)
{
    CHECK(cairn_table_apply_kinds(ctx, table, full->kinds, full->time_format));
    return cairn_table_allowed(ctx, table);
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static cairn_status read_folder(cairn_context *ctx, cairn_table **out, const char *path,
                                const cairn_read_options *full)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_data_format *format = &cairn_folder_format;
    if (full->format) CHECK(cairn_format_get(ctx, &format, full->format));
    if (!format->read_folder)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: this is a folder, but the format %s is read from a file; name the "
                          "file, or leave out {input-format} to read every file as a text",
                          path, format->entry.name);
    CHECK(format->read_folder(ctx, &table, path, full));
    table->format = format;
    CHECK(cairn_copy_text(ctx, &table->source, path, strlen(path)));
    CHECK(finish_table(ctx, table, full));
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status read_input(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               const cairn_read_options *full)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_data_format *format;
    const char *name = cairn_input_name(input);
    if (full->format)
        CHECK(cairn_format_get(ctx, &format, full->format));
    else
        CHECK(cairn_format_detect(ctx, &format, input));
    CHECK(cairn_format_read(ctx, format, &table, input, full));
    table->format = format->plugin ? NULL : format; /* the table may outlive a program's own */
    if (!table->source) CHECK(cairn_copy_text(ctx, &table->source, name, strlen(name)));
    CHECK(finish_table(ctx, table, full));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* "book.xlsx#Sheet2", unless a file has that very name: the file, and the sheet in the options. */
static cairn_status split_sheet(cairn_context *ctx, const char **path, cairn_read_options *options)
{
    const char *mark = strrchr(*path, '#');
    struct stat about;
    char *file;
    if (!mark || !mark[1] || stat(*path, &about) == 0) return CAIRN_OK;
    size_t length = (size_t)(mark - *path);
    CHECK(SCRATCH(ctx, &file, length + 1));
    memcpy(file, *path, length);
    if (cairn_format_by_name(ctx, file) != &cairn_xlsx_format) return CAIRN_OK;
    if (!options->sheet) options->sheet = mark + 1;
    *path = file;
    return CAIRN_OK;
}

static cairn_status read_file(cairn_context *ctx, cairn_table **out, const char *path,
                              cairn_read_options *full)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_input *input = NULL;
    cairn_status status;
    TRY(split_sheet(ctx, &path, full));
    TRY(cairn_input_open(ctx, &input, path));
    TRY(read_input(ctx, out, input, full));
done:
    cairn_input_close(input);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_table_read(cairn_context *ctx, cairn_table **out, const char *path,
                              const cairn_read_options *options)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_read_options full;
    CHECK(cairn_read_options_full(ctx, &full, options));
    if (path[0] == '@') {
        CHECK(cairn_objects_read(ctx, &table, path + 1));
        if (!table) CHECK(cairn_builtin_read(ctx, &table, path + 1));
        table->format = NULL; /* of its own, not what the caller has to know */
        CHECK(finish_table(ctx, table, &full));
    } else if (cairn_source_find(path)) {
        CHECK(cairn_source_read(ctx, &table, path, &full));
        CHECK(finish_table(ctx, table, &full));
    } else if (is_folder(path)) {
        CHECK(read_folder(ctx, &table, path, &full));
    } else {
        CHECK(read_file(ctx, &table, path, &full));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_table_read_memory(cairn_context *ctx, cairn_table **out, const char *name,
                                     const void *bytes, size_t length,
                                     const cairn_read_options *options)
{
    PUBLIC_CALL(ctx);
    cairn_input *input;
    cairn_read_options full;
    CHECK(cairn_read_options_full(ctx, &full, options));
    CHECK(cairn_input_memory(ctx, &input, name, bytes, length));
    cairn_status status = read_input(ctx, out, input, &full);
    cairn_input_close(input);
    return status;
}

cairn_status cairn_table_write(cairn_context *ctx, const cairn_table *table, const char *path,
                               const char *format)
{
    PUBLIC_CALL(ctx);
    cairn_status status;
    const cairn_data_format *writer = format ? NULL : cairn_format_by_name(ctx, path);
    cairn_output_file *file = NULL;
    CHECK(cairn_table_finite(ctx, table, path));
    if (cairn_source_find(path)) return cairn_source_write(ctx, table, path, CAIRN_EXISTING_STAYS);
    if (format) TRY(cairn_format_get(ctx, &writer, format));
    if (!writer) writer = &cairn_csv_format;
    if (cairn_ends_with(path, ".gz") || cairn_ends_with(path, ".zst") ||
        cairn_ends_with(path, ".zstd"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: compressed files are read but not written; leave out the ending and "
                          "compress the result",
                          path);
    if (!cairn_format_writes(writer))
        return cairn_fail(ctx, CAIRN_USAGE, "%s: the format %s can be read but not written", path,
                          writer->entry.name);
    TRY(cairn_output_open(ctx, &file, path));
    TRY(cairn_format_write(ctx, writer, table, file));
    status = cairn_output_commit(ctx, file);
    file = NULL;
done:
    cairn_output_abort(file);
    return status;
}
