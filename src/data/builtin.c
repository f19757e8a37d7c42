/* SPDX-License-Identifier: MIT */
/* Built-in data: tables that come with the library, with their roles, kinds and declared levels.
 * What a table needs to be told is in a file "datasets/NAME" of the bundle: lines of a key and
 * values separated by tabs (see tools/pack.c). */
#include "base/bundle.h"
#include "base/text.h"
#include "data/column.h"
#include "data/format.h"
#include "data/objects.h"
#include "data/shape.h"
#include <string.h>

#define FOLDER "datasets/"

const char *cairn_builtin_name(size_t i, const char **title)
{
    const char *name;
    for (size_t at = 0; (name = cairn_bundle_name(at)); at++) {
        const char *own_title = cairn_bundle_title(at);
        if (!own_title || !cairn_starts_with(name, FOLDER) || strchr(name, '.')) continue;
        if (i-- > 0) continue;
        if (title) *title = own_title;
        return name + strlen(FOLDER);
    }
    return NULL;
}

/* The words of one line of a description. */
typedef struct about_line {
    char *words[512];
    size_t n;
} about_line;

/* Cut the next line off `*at` and into words; false at the end. */
static bool next_line(char **at, about_line *line)
{
    if (!**at) return false;
    char *end = strchr(*at, '\n');
    char *next = end ? end + 1 : *at + strlen(*at);
    if (end) *end = 0;
    line->n = 0;
    for (char *word = *at; word && line->n < sizeof line->words / sizeof *line->words;) {
        line->words[line->n++] = word;
        word = strchr(word, '\t');
        if (word) *word++ = 0;
    }
    *at = next;
    return true;
}

static cairn_status set_column_roles(cairn_context *ctx, cairn_table *table, const about_line *line,
                                     cairn_role role)
{
    for (size_t i = 1; i < line->n; i++)
        CHECK(cairn_table_set_role(ctx, table, line->words[i], role));
    return CAIRN_OK;
}

static cairn_status set_levels(cairn_context *ctx, cairn_table *table, const about_line *line)
{
    size_t i;
    cairn_status status = cairn_table_get(ctx, table, line->words[1], &i);
    if (status) return status;
    cairn_column *column = table->slots[i].column;
    if (column->kind != CAIRN_LEVEL && column->kind != CAIRN_SEQUENCE) {
        status = cairn_table_change_kind(ctx, table, i, CAIRN_LEVEL);
        if (status) return status;
        column = table->slots[i].column;
    }
    return cairn_column_declare(ctx, column, (const char *const *)line->words + 2, line->n - 2);
}

/* Lines with other keys say nothing about roles, levels or shape and are passed over. */
static cairn_status apply_line(cairn_context *ctx, cairn_table *table, const about_line *line)
{
    const char *key = line->words[0];
    if (cairn_same(key, "target")) return set_column_roles(ctx, table, line, CAIRN_TARGET);
    if (cairn_same(key, "id")) return set_column_roles(ctx, table, line, CAIRN_ID);
    if (cairn_same(key, "ignore")) return set_column_roles(ctx, table, line, CAIRN_IGNORED);
    if (cairn_same(key, "weight")) return set_column_roles(ctx, table, line, CAIRN_WEIGHT);
    if (cairn_same(key, "levels") && line->n > 2) return set_levels(ctx, table, line);
    if (cairn_same(key, "ordered")) {
        size_t column;
        for (size_t i = 1; i < line->n; i++) {
            CHECK(cairn_table_get(ctx, table, line->words[i], &column));
            table->slots[column].column->ordered = true;
        }
        return CAIRN_OK;
    }
    if (cairn_same(key, "units")) table->own_units = true;
    if (cairn_same(key, "as") && line->n > 1) {
        cairn_shape shape;
        cairn_status status = cairn_shape_find(ctx, &shape, line->words[1]);
        table->shape = (int)shape;
        return status;
    }
    return CAIRN_OK;
}

/* Kinds are given to the reader, so that codes such as 01 keep their spelling. */
static cairn_status read_file(cairn_context *ctx, cairn_table **out, const char *name,
                              const char *format, const char *kinds)
{
    SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(ctx);
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = format;
    options.kinds = kinds;
    options.header = cairn_same(format, "csv") ? 1 : -1;
    options.separator = cairn_same(format, "csv") ? ',' : 0;
    cairn_text_addf(&path, FOLDER "%s.%s", name, format);
    CHECK(cairn_text_status(&path));
    CHECK(cairn_bundle_get(ctx, path.bytes, &bytes, &length));
    path.length = 0;
    cairn_text_addf(&path, "@%s", name);
    CHECK(cairn_text_status(&path));
    return cairn_table_read_memory(ctx, out, path.bytes, bytes, length, &options);
}

/* What must be known before the file is read. */
static cairn_status scan_about(cairn_context *ctx, const char *about, const char **name,
                               const char **format, cairn_text *kinds)
{
    char *copy;
    about_line line;
    CHECK(SCRATCH(ctx, &copy, strlen(about) + 1));
    memcpy(copy, about, strlen(about));
    while (next_line(&copy, &line)) {
        if (line.n < 2) continue;
        if (cairn_same(line.words[0], "name")) *name = line.words[1];
        if (cairn_same(line.words[0], "format")) *format = line.words[1];
        if (cairn_same(line.words[0], "kinds") && line.n > 2)
            cairn_text_addf(kinds, "%s\"%s=%s\"", kinds->length ? "," : "", line.words[1],
                            line.words[2]);
    }
    return cairn_text_status(kinds);
}

/* The tables of the caller come first, as they do when a name is looked up. */
static const char *candidate_data(size_t i, const void *data)
{
    const cairn_objects *objects = data;
    const char *name;
    for (size_t at = 0; (name = cairn_objects_candidate(objects, at)); at++)
        if (cairn_objects_table(objects, name) && i-- == 0) return name;
    return cairn_builtin_name(i, NULL);
}

/* A name with a dot never stands for built-in data; a failure names the nearest word if there is
 * one. */
static cairn_status find_about(cairn_context *ctx, char **about, const char *name)
{
    size_t length;
    cairn_text path = cairn_text_start(ctx);
    cairn_text_addf(&path, FOLDER "%s", name);
    cairn_status status = cairn_text_status(&path);
    if (!status && (strchr(name, '.') || !cairn_bundle_has(path.bytes))) {
        const char *near = cairn_nearest_word(name, candidate_data, ctx->objects);
        const char *among =
            ctx->objects ? "table among the objects and no built-in data" : "built-in data";
        if (near)
            status = cairn_fail(ctx, CAIRN_USAGE, "there is no %s '@%s'; did you mean '@%s'?",
                                among, name, near);
        else
            status =
                cairn_fail(ctx, CAIRN_USAGE, "there is no %s '@%s'; 'cairn list data' shows %s",
                           among, name, ctx->objects ? "what is built in" : "all of it");
    }
    if (!status) status = cairn_bundle_get(ctx, path.bytes, about, &length);
    cairn_text_clear(&path);
    return status;
}

cairn_status cairn_builtin_read(cairn_context *ctx, cairn_table **out, const char *name)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_text_clear) cairn_text kinds = cairn_text_start(ctx);
    const char *own_name = name, *format = "csv";
    OWNED(cairn_free) char *about = NULL;
    about_line line;
    CHECK(find_about(ctx, &about, name));
    CHECK(scan_about(ctx, about, &own_name, &format, &kinds));
    CHECK(read_file(ctx, &table, own_name, format, kinds.length ? kinds.bytes : NULL));
    for (char *at = about; next_line(&at, &line);) CHECK(apply_line(ctx, table, &line));
    for (size_t i = 0; i < table->n_columns; i++) table->slots[i].chosen = CAIRN_ROLE_SAID;
    *out = TAKE(table);
    return CAIRN_OK;
}
