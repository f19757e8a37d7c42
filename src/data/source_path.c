/* SPDX-License-Identifier: MIT */
/* Paths that name a database: which source, which place, which query; and what may be shown of
 * them. */
#include "data/source.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include <string.h>

enum { LEAST_MEMORY = 1 << 20 }; /* below it a database cannot even say that it has none */

static bool has_scheme(const char *path, const char *scheme)
{
    size_t n = scheme ? strlen(scheme) : 0;
    return n && strncmp(path, scheme, n) == 0 && path[n] == ':';
}

const cairn_data_source *cairn_source_find(const char *path)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_SOURCE) continue;
        const cairn_data_source *source = (const cairn_data_source *)entries[i];
        if (has_scheme(path, source->entry.name) || has_scheme(path, source->other_scheme))
            return source;
    }
    return NULL;
}

/* Where "?query=" or "?table=" (with & after other parameters) begins; the end when nowhere. */
static const char *place_end(const char *path, bool *is_query)
{
    for (const char *at = path; *at; at++) {
        if (*at != '?' && *at != '&') continue;
        *is_query = strncmp(at + 1, "query=", 6) == 0;
        if (*is_query || strncmp(at + 1, "table=", 6) == 0) return at;
    }
    return path + strlen(path);
}

/* -- what may be shown -- */

/* The password of scheme://user:password@host: everything up to the last @, since one that should
 * have been written as %40 may be part of it. */
static const char *hide_user(cairn_text *out, const char *at, const char *end)
{
    const char *slashes = strstr(at, "://"), *last = NULL;
    if (!slashes || slashes >= end) return at;
    for (const char *c = slashes; c < end; c++)
        if (*c == '@') last = c;
    const char *colon = last ? memchr(slashes + 3, ':', (size_t)(last - slashes - 3)) : NULL;
    if (!colon) return at;
    cairn_text_add_bytes(out, at, (size_t)(colon + 1 - at));
    cairn_text_add(out, "***");
    return last;
}

/* Where the value of password= ends: at its quote, a blank or &. */
static const char *value_end(const char *at, const char *end)
{
    if (at < end && *at == '\'') {
        for (at++; at < end && *at != '\''; at++)
            if (*at == '\\' && at + 1 < end) at++;
        return at < end ? at + 1 : end;
    }
    while (at < end && *at != ' ' && *at != '&') at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at;
}

cairn_status cairn_source_shown(cairn_context *ctx, const char **out, const char *path)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool is_query;
    char *copy;
    *out = path;
    if (!cairn_source_find(path)) return CAIRN_OK;
    const char *end = place_end(path, &is_query), *at = hide_user(&text, path, end);
    while (at < end) {
        if (strncmp(at, "password", 8) == 0) {
            const char *value = at + 8;
            while (*value == ' ') value++;
            if (*value == '=') {
                for (value++; *value == ' ';) value++;
                cairn_text_add_bytes(&text, at, (size_t)(value - at));
                cairn_text_add(&text, "***");
                at = value_end(value, end);
                continue;
            }
        }
        cairn_text_add_char(&text, *at++);
    }
    cairn_text_add(&text, end);
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, text.bytes, text.length);
    *out = copy;
    return CAIRN_OK;
}

/* -- taking apart -- */

static cairn_status copy_part(cairn_context *ctx, char **out, const char *from, const char *end)
{
    cairn_status status = SCRATCH(ctx, out, (size_t)(end - from) + 1);
    if (!status) memcpy(*out, from, (size_t)(end - from));
    return status;
}

cairn_status cairn_locator_open(cairn_context *ctx, cairn_locator *out, const char *path)
{
    cairn_locator l = {.source = cairn_source_find(path)};
    bool is_query = false;
    const void *record;
    const char *from = strchr(path, ':'), *end = place_end(path, &is_query);
    if (!l.source || !from)
        return cairn_fail(ctx, CAIRN_USAGE, "%s names no database ('cairn list sources')", path);
    from++;
    if (l.source->keeps_scheme && strncmp(from, "//", 2) == 0) from = path;
    CHECK(cairn_source_shown(ctx, &l.shown, path));
    CHECK(copy_part(ctx, &l.place, from, end));
    if (*end) {
        char **part = is_query ? &l.query : &l.table;
        CHECK(copy_part(ctx, part, end + 7, end + strlen(end)));
        if (!**part)
            return cairn_fail(ctx, CAIRN_USAGE, "%s: nothing follows %s=; write %s", l.shown,
                              is_query ? "query" : "table", l.source->form);
    }
    if (!*l.place && !l.source->keeps_scheme && !(l.source->needs_no_file && l.query))
        return cairn_fail(ctx, CAIRN_USAGE, "%s: no file is named; write %s", l.shown,
                          l.source->form);
    CHECK(cairn_module_load(ctx, &record, &l.source->module));
    l.module = record;
    *out = l;
    return CAIRN_OK;
}

void cairn_source_add_name(cairn_text *text, const cairn_locator *l, const char *name)
{
    cairn_text_add_char(text, '"');
    for (; *name; name++) {
        if (*name == '.' && l->module->has_schemas)
            cairn_text_add(text, "\".\"");
        else
            cairn_text_add_char(text, *name);
        if (*name == '"') cairn_text_add_char(text, '"');
    }
    cairn_text_add_char(text, '"');
}

size_t cairn_source_memory(const cairn_context *ctx)
{
    size_t left = cairn_memory_available(ctx);
    if (cairn_memory_limit(ctx) == 0) return 0;
    return left > LEAST_MEMORY ? left : LEAST_MEMORY;
}

static cairn_status no_memory(cairn_context *ctx, const cairn_locator *l)
{
    char limit[CAIRN_NUMBER_SIZE];
    if (cairn_memory_limit(ctx) == 0)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "%s: not enough memory", l->shown);
    cairn_size_format(limit, (double)cairn_memory_limit(ctx));
    return cairn_fail(ctx, CAIRN_NO_MEMORY,
                      "%s: the query needs more memory than the limit of %s leaves; raise {memory} "
                      "or ask for smaller values",
                      l->shown, limit);
}

cairn_status cairn_source_failed(cairn_context *ctx, const cairn_locator *l, cairn_source_end end,
                                 const char *said)
{
    switch (end) {
    case CAIRN_SOURCE_DONE: return CAIRN_OK;
    case CAIRN_SOURCE_CANCELLED: return cairn_fail(ctx, CAIRN_CANCELLED, "interrupted");
    case CAIRN_SOURCE_NO_MEMORY: return no_memory(ctx, l);
    case CAIRN_SOURCE_NOT_THERE:
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: %s; %s", l->shown, said, l->source->remedy);
    case CAIRN_SOURCE_BAD_QUERY:
        return cairn_fail(ctx, CAIRN_USAGE, "%s: %s; correct the query or the table's name",
                          l->shown, said);
    case CAIRN_SOURCE_NO_TABLE: return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: %s", l->shown, said);
    default: return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: %s", l->shown, said);
    }
}

const cairn_data_source cairn_duckdb_source = {
    .entry =
        {
            .kind = CAIRN_ENTRY_SOURCE,
            .name = "duckdb",
            .also = "DuckDB database, database, SQL",
            .about = "SQL over files, query a Parquet file, query a CSV file, join files",
            .title = "A table or query of DuckDB",
            .summary =
                "Reads the rows of one query, or of a whole table, from a DuckDB file, which is "
                "opened for reading only. Without a file the query reads files that it names in "
                "quotes, as in SELECT * FROM 'x.parquet'; no other file and no net can be reached, "
                "and no extension is loaded. Decimals, enums, times and lists of texts keep what "
                "they are. DuckDB 1.2 or newer is needed; CAIRN_DUCKDB says where libduckdb.so is.",
            .example = "cairn help duckdb",
        },
    .form = "duckdb:FILE?query=SQL",
    .needs_no_file = true,
    .module = {.file = "cairn-duckdb.so",
               .symbol = CAIRN_SOURCE_SYMBOL,
               .abi = CAIRN_SOURCE_ABI,
               .purpose = "DuckDB sources",
               .package = "no package but libduckdb.so",
               .build = "libc6-dev"},
    .remedy = "check the file's name",
};

const cairn_data_source cairn_postgres_source = {
    .entry =
        {
            .kind = CAIRN_ENTRY_SOURCE,
            .name = "postgres",
            .also = "PostgreSQL, database, SQL",
            .title = "A table or query of a PostgreSQL server",
            .summary =
                "Reads the rows of one query, or of a whole table, from a PostgreSQL server. The "
                "connection is a URI or a line of settings as libpq reads them; PGHOST, PGUSER, "
                "PGPASSWORD, the file .pgpass and services count, too. Rows come as the server "
                "sends them, in a read-only session, and Ctrl-C stops the query on the server. "
                "Passwords are neither shown nor kept.",
            .example = "cairn help postgres",
        },
    .form = "postgres://USER@HOST/DATABASE?query=SQL",
    .other_scheme = "postgresql",
    .keeps_scheme = true,
    .module = {.file = "cairn-postgres.so",
               .symbol = CAIRN_SOURCE_SYMBOL,
               .abi = CAIRN_SOURCE_ABI,
               .purpose = "PostgreSQL sources",
               .package = "libpq5",
               .build = "libpq-dev"},
    .remedy = "is the server running, and are host, port, user and database right? A password is "
              "given with PGPASSWORD or ~/.pgpass",
};

const cairn_data_source cairn_sqlite_source = {
    .entry =
        {
            .kind = CAIRN_ENTRY_SOURCE,
            .name = "sqlite",
            .also = "SQLite database, database, SQL",
            .title = "A table or query of an SQLite database",
            .summary =
                "Reads the rows of one query, or of a whole table, from an SQLite file, which is "
                "opened for reading only. With neither, the only table of the file is read. "
                "'cairn convert DATA sqlite:FILE?table=NAME' makes a table of a file that is there "
                "or not.",
            .example = "cairn convert @iris 'sqlite:iris.db?table=iris'",
        },
    .form = "sqlite:FILE?query=SQL",
    .module = {.file = "cairn-sqlite.so",
               .symbol = CAIRN_SOURCE_SYMBOL,
               .abi = CAIRN_SOURCE_ABI,
               .purpose = "SQLite sources",
               .package = "libsqlite3-0",
               .build = "libsqlite3-dev"},
    .remedy = "check the file's name",
};
