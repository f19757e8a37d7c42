/* SPDX-License-Identifier: MIT */
/* A library that looks like DuckDB's, for what the module does before and around a query: it keeps
 * what it was told, and the query "SELECT told" gives that back as a column of texts. STUB_REFUSES
 * names a setting, or the beginning of a statement, that fails.
 *
 * With STUB_OLD it is one of long ago; with STUB_LACKS it has its version and nothing else. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

EXPORT const char *duckdb_library_version(void)
{
#ifdef STUB_OLD
    return "v1.1.3";
#else
    return "v1.4.2";
#endif
}

#if !defined STUB_OLD && !defined STUB_LACKS
enum { MOST = 64, SIZE = 200, NEAR = 12 };

typedef struct result {
    uint64_t columns, rows, changed;
    void *data;
    char *error;
    void *inside;
} result;

typedef struct text {
    uint32_t length;
    char first[4];
    char *letters;
} text;

static char told[MOST][SIZE];
static int n_told, type = 1, given;
static text texts[MOST];

static bool refused(const char *what)
{
    const char *refuses = getenv("STUB_REFUSES");
    return refuses && *refuses && strncmp(what, refuses, strlen(refuses)) == 0;
}

static void tell(const char *what, const char *value)
{
    if (n_told < MOST) snprintf(told[n_told++], SIZE, "%s%s%s", what, *value ? "=" : "", value);
}

EXPORT void duckdb_free(void *block)
{
    free(block);
}

EXPORT int duckdb_create_config(void **out)
{
    *out = told;
    n_told = 0;
    return 0;
}

EXPORT int duckdb_set_config(void *config, const char *name, const char *value)
{
    (void)config;
    tell(name, value);
    return refused(name);
}

EXPORT void duckdb_destroy_config(void **config)
{
    *config = NULL;
}

EXPORT int duckdb_open_ext(const char *path, void **out, void *config, char **error)
{
    (void)config;
    tell("open", path ? path : "memory");
    *out = told;
    if (!refused("open")) return 0;
    *out = NULL;
    *error = strdup(getenv("STUB_SAYS"));
    return 1;
}

EXPORT void duckdb_close(void **database)
{
    *database = NULL;
}

EXPORT int duckdb_connect(void *database, void **out)
{
    (void)database;
    *out = told;
    return refused("connect");
}

EXPORT void duckdb_disconnect(void **connection)
{
    *connection = NULL;
}

EXPORT int duckdb_query(void *connection, const char *sql, result *out)
{
    (void)connection;
    memset(out, 0, sizeof *out);
    tell(sql, "");
    return refused(sql);
}

EXPORT const char *duckdb_result_error(result *r)
{
    (void)r;
    return getenv("STUB_SAYS");
}

EXPORT void duckdb_destroy_result(result *r)
{
    memset(r, 0, sizeof *r);
}

EXPORT int duckdb_prepare(void *connection, const char *sql, void **out)
{
    (void)connection;
    *out = told;
    given = 0;
    type = strncmp(sql, "SELECT", 6) == 0 ? 1 : 2;
    return refused("prepare");
}

EXPORT const char *duckdb_prepare_error(void *statement)
{
    (void)statement;
    return getenv("STUB_SAYS");
}

EXPORT int duckdb_prepared_statement_type(void *statement)
{
    (void)statement;
    return type;
}

EXPORT void duckdb_destroy_prepare(void **statement)
{
    *statement = NULL;
}

EXPORT int duckdb_pending_prepared(void *statement, void **out)
{
    *out = statement;
    return refused("pending");
}

EXPORT int duckdb_pending_execute_task(void *pending)
{
    (void)pending;
    return refused("task") ? 2 : 0;
}

EXPORT bool duckdb_pending_execution_is_finished(int state)
{
    return state == 0;
}

EXPORT const char *duckdb_pending_error(void *pending)
{
    (void)pending;
    return getenv("STUB_SAYS");
}

EXPORT int duckdb_execute_pending(void *pending, result *out)
{
    (void)pending;
    memset(out, 0, sizeof *out);
    return refused("execute");
}

EXPORT void duckdb_destroy_pending(void **pending)
{
    *pending = NULL;
}

EXPORT uint64_t duckdb_column_count(result *r)
{
    (void)r;
    return 1;
}

EXPORT const char *duckdb_column_name(result *r, uint64_t column)
{
    (void)r;
    (void)column;
    return "told";
}

EXPORT void *duckdb_column_logical_type(result *r, uint64_t column)
{
    (void)r;
    (void)column;
    return told;
}

EXPORT void duckdb_destroy_logical_type(void **t)
{
    *t = NULL;
}

EXPORT int duckdb_get_type_id(void *t)
{
    (void)t;
    return refused("type") ? 99 : 17;
}

EXPORT uint8_t duckdb_decimal_scale(void *t)
{
    (void)t;
    return 0;
}

EXPORT int duckdb_decimal_internal_type(void *t)
{
    (void)t;
    return 0;
}

EXPORT int duckdb_enum_internal_type(void *t)
{
    (void)t;
    return 0;
}

EXPORT uint32_t duckdb_enum_dictionary_size(void *t)
{
    (void)t;
    return 0;
}

EXPORT char *duckdb_enum_dictionary_value(void *t, uint64_t i)
{
    (void)t;
    (void)i;
    return NULL;
}

EXPORT void *duckdb_list_type_child_type(void *t)
{
    return t;
}

EXPORT void *duckdb_fetch_chunk(result r)
{
    (void)r;
    return given++ ? NULL : told;
}

EXPORT void duckdb_destroy_data_chunk(void **chunk)
{
    *chunk = NULL;
}

EXPORT uint64_t duckdb_data_chunk_get_size(void *chunk)
{
    (void)chunk;
    return (uint64_t)n_told;
}

EXPORT void *duckdb_data_chunk_get_vector(void *chunk, uint64_t column)
{
    (void)column;
    return chunk;
}

EXPORT void *duckdb_vector_get_data(void *vector)
{
    (void)vector;
    for (int i = 0; i < n_told; i++) {
        texts[i].length = (uint32_t)strlen(told[i]);
        texts[i].letters = told[i];
        if (texts[i].length <= NEAR) memcpy((char *)&texts[i] + 4, told[i], texts[i].length);
    }
    return texts;
}

EXPORT uint64_t *duckdb_vector_get_validity(void *vector)
{
    (void)vector;
    return NULL;
}

EXPORT void *duckdb_list_vector_get_child(void *vector)
{
    return vector;
}
#endif
