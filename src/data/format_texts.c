/* SPDX-License-Identifier: MIT */
/* Texts that are not in a table: the lines of a file, and the files of a folder.
 *
 * lines: every line is a text, also an empty one. With --separator, what stands before the first
 * separator of a line is its label.
 *
 * folder: every file is a text; files are taken in the order of their names, whatever order the
 * system gives them in. The first folder below the given one is the label, so that one folder per
 * class is all the preparation there is. The letters that a file's name begins with are kept in the
 * column `name`, which --target can choose. Files that are PBM or PGM pictures become rows of
 * pixels instead. Files and folders whose names begin with a dot are passed over. */
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "data/column.h"
#include "data/encoding.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/pictures.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 32 };

/* -- growing text and level columns -- */

typedef struct text_builder {
    char *bytes;
    size_t n_bytes, bytes_capacity;
    size_t *starts;
    size_t n, starts_capacity;
} text_builder;

static void text_builder_clear(text_builder *b)
{
    FREE_EACH(b->bytes, b->starts);
    *b = (text_builder){0};
}

static cairn_status add_text(cairn_context *ctx, text_builder *b, const char *text, size_t length)
{
    CHECK(GROW(ctx, &b->bytes, &b->bytes_capacity, b->n_bytes + length + 1));
    CHECK(GROW(ctx, &b->starts, &b->starts_capacity, b->n + 2));
    if (length) memcpy(b->bytes + b->n_bytes, text, length);
    b->starts[b->n++] = b->n_bytes;
    b->n_bytes += length;
    b->starts[b->n] = b->n_bytes;
    return CAIRN_OK;
}

/* The column takes the memory over. */
static cairn_status finish_text(cairn_context *ctx, cairn_table *table, const char *name,
                                cairn_role role, text_builder *b)
{
    cairn_column *column;
    CHECK(cairn_column_new(ctx, &column, CAIRN_TEXT, 0));
    FREE_EACH(column->starts, column->bytes);
    column->n_rows = b->n;
    column->starts = b->starts;
    column->bytes = b->bytes;
    *b = (text_builder){0};
    return cairn_table_append(ctx, table, name, role, column);
}

typedef struct level_builder {
    cairn_map names;
    int32_t *codes;
    size_t n, capacity;
} level_builder;

static void level_builder_clear(level_builder *b)
{
    cairn_map_clear(&b->names);
    cairn_free(b->codes);
    *b = (level_builder){0};
}

/* No letters are a missing level. */
static cairn_status add_level(cairn_context *ctx, level_builder *b, const char *name, size_t length)
{
    size_t code = 0;
    CHECK(GROW(ctx, &b->codes, &b->capacity, b->n + 1));
    if (length) CHECK(cairn_map_add(ctx, &b->names, name, length, &code));
    b->codes[b->n++] = length ? (int32_t)code : -1;
    return CAIRN_OK;
}

static cairn_status finish_levels(cairn_context *ctx, cairn_table *table, const char *name,
                                  cairn_role role, level_builder *b)
{
    cairn_column *column;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, 0));
    cairn_free(column->codes);
    column->n_rows = b->n;
    column->codes = b->codes;
    column->names = b->names;
    *b = (level_builder){0};
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, name, role, column);
}

/* -- lines -- */

static cairn_status read_line(cairn_context *ctx, text_builder *texts, level_builder *labels,
                              const cairn_lines *lines, const char *from, const char *end,
                              char separator)
{
    const char *stop = separator ? memchr(from, separator, (size_t)(end - from)) : NULL;
    if (separator && !stop)
        return cairn_lines_refuse(ctx, lines, from, NULL,
                                  "there is no separator between a label and a text; leave out "
                                  "{separator} when the lines have no labels");
    if (separator) {
        const char *to = cairn_lines_trim(from, stop);
        CHECK(add_level(ctx, labels, from, (size_t)(to - from)));
        from = stop + 1;
    }
    return add_text(ctx, texts, from, (size_t)(end - from));
}

/* Every line is a text, empty ones included; with a separator its first part is the label and the
 * target. */
static cairn_status read_lines(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               const cairn_read_options *options)
{
    SCOPED(cairn_lines_clear) cairn_lines lines = {0};
    SCOPED(text_builder_clear) text_builder texts = {0};
    SCOPED(level_builder_clear) level_builder labels = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_lines_read(ctx, &lines, input, options->encoding));
    for (const char *at = lines.begin; at < lines.end;) {
        const char *end = cairn_lines_end(&lines, at);
        const char *stop = end > at && end[-1] == '\r' ? end - 1 : end;
        CHECK(read_line(ctx, &texts, &labels, &lines, at, stop, options->separator));
        at = end + 1;
        if (texts.n % (1 << 14) == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    if (texts.n == 0) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no line", lines.name));
    CHECK(cairn_table_new(ctx, &table, texts.n));
    CHECK(finish_text(ctx, table, "text", CAIRN_FEATURE, &texts));
    if (options->separator) CHECK(finish_levels(ctx, table, "label", CAIRN_TARGET, &labels));
    *out = TAKE(table);
    return CAIRN_OK;
}

const cairn_data_format cairn_lines_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "lines",
            .also = "text file, one text per line",
            .title = "Texts, one per line",
            .summary = "Every line is a text, also an empty one; the table has the column text. "
                       "With --separator, what stands before the first separator of every line is "
                       "its label, the target.",
            .example = "cairn convert messages.txt messages.csv --input-format lines",
        },
    .heeds = "separator",
    .read = read_lines,
};

/* -- folders -- */

/* Names of a folder's entries, sorted. */
static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder that do not begin with a dot, in order; from scratch. */
static cairn_status list_folder(cairn_context *ctx, const char *path, char ***out, size_t *n)
{
    cairn_status status = CAIRN_OK;
    cairn_map names = {0};
    char **sorted;
    size_t index;
    DIR *folder = opendir(path);
    if (!folder)
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: the folder cannot be read: %s", path,
                          strerror(errno));
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            TRY(cairn_map_add(ctx, &names, entry->d_name, strlen(entry->d_name), &index));
    TRY(SCRATCH(ctx, &sorted, names.n));
    for (size_t i = 0; i < names.n; i++) {
        TRY(SCRATCH(ctx, &sorted[i], names.lengths[i] + 1U));
        memcpy(sorted[i], cairn_map_key(&names, i), names.lengths[i]);
    }
    if (names.n) qsort(sorted, names.n, sizeof *sorted, by_name);
    *out = sorted;
    *n = names.n;
done:
    closedir(folder);
    cairn_map_clear(&names);
    return status;
}

typedef struct folder_reader {
    cairn_context *ctx;
    const cairn_read_options *options;
    const char *root;
    text_builder texts, files;
    level_builder labels, names;
    cairn_pictures pictures;
    bool has_labels;
} folder_reader;

static void folder_clear(folder_reader *r)
{
    text_builder_clear(&r->texts);
    text_builder_clear(&r->files);
    level_builder_clear(&r->labels);
    level_builder_clear(&r->names);
    cairn_pictures_clear(&r->pictures);
}

/* The letters that the name of a document begins with. */
static size_t letters_of(const char *name)
{
    size_t at = 0, step, length = strlen(name);
    while (at < length &&
           cairn_letter_class(cairn_letter_decode(name + at, length - at, &step)) & CAIRN_IS_LETTER)
        at += step;
    return at;
}

/* Put the content of a file behind the others. */
static cairn_status add_content(folder_reader *r, cairn_input *input, const char *path)
{
    cairn_context *ctx = r->ctx;
    const char *head, *encoding = r->options->encoding;
    OWNED(cairn_free) char *bytes = NULL;
    size_t n, length;
    CHECK(cairn_input_peek(ctx, input, &head, &n));
    bool picture = cairn_pnm_detect(head, n);
    if (r->files.n && picture != (r->pictures.n > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: there are texts and PBM or PGM pictures in the folder; a table "
                          "holds one or the other, so move them apart",
                          path);
    if (!picture && !cairn_encoding_is_utf8(encoding))
        CHECK(cairn_encoding_read(ctx, input, encoding, &bytes, &length));
    else
        CHECK(cairn_input_read_all(ctx, input, &bytes, &length));
    size_t before = r->pictures.n, bad = picture ? length : cairn_utf8_check(bytes, length);
    if (picture)
        CHECK(cairn_pnm_parse(ctx, &r->pictures, path, bytes, length));
    else if (bad < length || memchr(bytes, 0, length))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: this is not a text in UTF-8; give the encoding of the files, such as "
                         "{encoding %s}, or move the file away",
                         path, cairn_encoding_guess(bytes, length)));
    else
        CHECK(add_text(ctx, &r->texts, bytes, length));
    if (picture && r->pictures.n != before + 1)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: a file of a folder holds one picture; read this one by itself",
                         path));
    return CAIRN_OK;
}

/* One file is one row: its text, the folder as label, the name's letters and the path below the
 * root, which the user can find it by. */
static cairn_status add_file(folder_reader *r, const char *path, const char *label,
                             const char *name)
{
    cairn_status status;
    cairn_context *ctx = r->ctx;
    cairn_input *input = NULL;
    const char *relative = path + strlen(r->root);
    while (*relative == '/') relative++;
    if (cairn_utf8_check(path, strlen(path)) < strlen(path))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: a file has a name that is not UTF-8; rename it",
                          r->root);
    TRY(cairn_input_open(ctx, &input, path));
    TRY(add_content(r, input, path));
    TRY(add_level(ctx, &r->labels, label, label ? strlen(label) : 0));
    TRY(add_level(ctx, &r->names, name, letters_of(name)));
    TRY(add_text(ctx, &r->files, relative, strlen(relative)));
    r->has_labels |= label != NULL;
    TRY(cairn_tick(ctx, NULL, 0, 0));
done:
    cairn_input_close(input);
    return status;
}

/* The uppermost folder below the root is the label of all that lies in it, however deep; unreadable
 * entries and links to folders are passed over. */
static cairn_status read_tree(folder_reader *r, const char *path, const char *label, int depth)
{
    cairn_context *ctx = r->ctx;
    SCOPED_SCRATCH(ctx);
    char **names, *below;
    size_t n;
    CHECK(list_folder(ctx, path, &names, &n));
    for (size_t i = 0; i < n; i++) {
        struct stat about;
        size_t length = strlen(path) + strlen(names[i]) + 2;
        CHECK(SCRATCH(ctx, &below, length));
        memcpy(below, path, strlen(path));
        below[strlen(path)] = '/';
        memcpy(below + strlen(path) + 1, names[i], strlen(names[i]));
        if (lstat(below, &about)) continue;
        bool folder = S_ISDIR(about.st_mode);
        if (S_ISLNK(about.st_mode) && (stat(below, &about) || S_ISDIR(about.st_mode)))
            continue; /* a link to a folder may lead back here */
        if (folder && depth < DEEPEST)
            CHECK(read_tree(r, below, label ? label : names[i], depth + 1));
        else if (S_ISREG(about.st_mode))
            CHECK(add_file(r, below, label, names[i]));
    }
    return CAIRN_OK;
}

static cairn_status finish_folder(folder_reader *r, cairn_table **out)
{
    cairn_context *ctx = r->ctx;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    if (r->pictures.n) {
        CHECK(cairn_pictures_table(ctx, &table, r->root, &r->pictures));
    } else {
        CHECK(cairn_table_new(ctx, &table, r->files.n));
        CHECK(finish_text(ctx, table, "text", CAIRN_FEATURE, &r->texts));
    }
    if (r->has_labels) CHECK(finish_levels(ctx, table, "label", CAIRN_TARGET, &r->labels));
    CHECK(finish_levels(ctx, table, "name", CAIRN_IGNORED, &r->names));
    CHECK(finish_text(ctx, table, "file", CAIRN_ID, &r->files));
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status read_folder(cairn_context *ctx, cairn_table **out, const char *path,
                                const cairn_read_options *options)
{
    SCOPED(folder_clear) folder_reader reader = {.ctx = ctx, .options = options, .root = path};
    CHECK(read_tree(&reader, path, NULL, 0));
    if (reader.files.n == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no file in the folder", path));
    return finish_folder(&reader, out);
}

static cairn_status read_no_folder(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                   const cairn_read_options *options)
{
    (void)out, (void)options;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: this is a file, but the format folder reads a folder of files; name the "
                      "folder, or leave out {input-format}",
                      cairn_input_name(input));
}

const cairn_data_format cairn_folder_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "folder",
            .also = "directory, folder of files",
            .title = "A folder of texts or pictures",
            .summary = "Every file of the folder and the folders below it is a row: its text in "
                       "the column text, or the pixels of a PBM or PGM picture. The first folder "
                       "below the given one is the label, the target; the column file names the "
                       "file, the column name has the letters its name begins with (--target name "
                       "makes them the label).",
            .example = "cairn describe mails/",
        },
    .read = read_no_folder,
    .read_folder = read_folder,
};
