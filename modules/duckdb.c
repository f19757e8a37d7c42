/* SPDX-License-Identifier: MIT */
/* DuckDB as a source: one statement that reads, its rows taken chunk by chunk. Debian has no
 * package of DuckDB, so its library is opened at run time and asked for the functions below, which
 * are those of its stable interface; no header of it is needed. See data/source_module.h.
 *
 * What a query may touch is what the user wrote: the database is opened for reading only, other
 * files are opened where the query names them in quotes, no extension is fetched or loaded, nothing
 * is spilled to disk, and the settings are locked before the query runs. One thread does the work,
 * so that the order of rows and the last digits of sums are the same each time. */
#include "cairn/base.h"
#include "data/source_module.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEAST_MAJOR = 1,
    LEAST_MINOR = 2,
    LEAST_MEMORY = 1 << 24,
    TEXT_SIZE = 64,
    PLACE_SIZE = 600,
    NEAR_LETTERS = 12,
    SHOWN_NAME = 160
};

/* Numbers of DuckDB's types; those that are not here have no cells in a table. */
typedef enum duck_type {
    DUCK_BOOLEAN = 1,
    DUCK_TINYINT,
    DUCK_SMALLINT,
    DUCK_INTEGER,
    DUCK_BIGINT,
    DUCK_UTINYINT,
    DUCK_USMALLINT,
    DUCK_UINTEGER,
    DUCK_UBIGINT,
    DUCK_FLOAT,
    DUCK_DOUBLE,
    DUCK_TIMESTAMP,
    DUCK_DATE,
    DUCK_TIME,
    DUCK_INTERVAL,
    DUCK_HUGEINT,
    DUCK_VARCHAR,
    DUCK_BLOB,
    DUCK_DECIMAL,
    DUCK_TIMESTAMP_S,
    DUCK_TIMESTAMP_MS,
    DUCK_TIMESTAMP_NS,
    DUCK_ENUM,
    DUCK_LIST,
    DUCK_STRUCT,
    DUCK_MAP,
    DUCK_UUID,
    DUCK_UNION,
    DUCK_BIT,
    DUCK_TIME_TZ,
    DUCK_TIMESTAMP_TZ,
    DUCK_UHUGEINT,
    DUCK_ARRAY,
    DUCK_BIGNUM = 35,
    DUCK_NULL
} duck_type;

enum { STATEMENT_SELECT = 1, PENDING_ERROR = 2, PENDING_NO_TASKS = 3 };

typedef struct duck_result {
    uint64_t columns, rows, changed;
    void *data;
    char *error;
    void *inside;
} duck_result;

typedef struct duck_string {
    uint32_t length;
    char first[4];
    char *letters; /* up to 12 of them lie in `first` and here instead */
} duck_string;

typedef struct duck_interval {
    int32_t months, days;
    int64_t micros;
} duck_interval;

typedef struct duck_huge {
    uint64_t low;
    int64_t high;
} duck_huge;

typedef struct duck_span {
    uint64_t from, n;
} duck_span;

__extension__ typedef unsigned __int128 huge;

/* Functions of the library, one row each: result, name, arguments. */
#define DUCK_FUNCTIONS(X)                                                                          \
    X(const char *, library_version, (void))                                                       \
    X(void, free, (void *))                                                                        \
    X(int, create_config, (void **))                                                               \
    X(int, set_config, (void *, const char *, const char *))                                       \
    X(void, destroy_config, (void **))                                                             \
    X(int, open_ext, (const char *, void **, void *, char **))                                     \
    X(void, close, (void **))                                                                      \
    X(int, connect, (void *, void **))                                                             \
    X(void, disconnect, (void **))                                                                 \
    X(int, query, (void *, const char *, duck_result *))                                           \
    X(int, prepare, (void *, const char *, void **))                                               \
    X(const char *, prepare_error, (void *))                                                       \
    X(int, prepared_statement_type, (void *))                                                      \
    X(void, destroy_prepare, (void **))                                                            \
    X(int, pending_prepared, (void *, void **))                                                    \
    X(int, pending_execute_task, (void *))                                                         \
    X(bool, pending_execution_is_finished, (int))                                                  \
    X(const char *, pending_error, (void *))                                                       \
    X(int, execute_pending, (void *, duck_result *))                                               \
    X(void, destroy_pending, (void **))                                                            \
    X(const char *, result_error, (duck_result *))                                                 \
    X(void, destroy_result, (duck_result *))                                                       \
    X(uint64_t, column_count, (duck_result *))                                                     \
    X(const char *, column_name, (duck_result *, uint64_t))                                        \
    X(void *, column_logical_type, (duck_result *, uint64_t))                                      \
    X(void, destroy_logical_type, (void **))                                                       \
    X(int, get_type_id, (void *))                                                                  \
    X(uint8_t, decimal_scale, (void *))                                                            \
    X(int, decimal_internal_type, (void *))                                                        \
    X(int, enum_internal_type, (void *))                                                           \
    X(uint32_t, enum_dictionary_size, (void *))                                                    \
    X(char *, enum_dictionary_value, (void *, uint64_t))                                           \
    X(void *, list_type_child_type, (void *))                                                      \
    X(void *, fetch_chunk, (duck_result))                                                          \
    X(void, destroy_data_chunk, (void **))                                                         \
    X(uint64_t, data_chunk_get_size, (void *))                                                     \
    X(void *, data_chunk_get_vector, (void *, uint64_t))                                           \
    X(void *, vector_get_data, (void *))                                                           \
    X(uint64_t *, vector_get_validity, (void *))                                                   \
    X(void *, list_vector_get_child, (void *))

typedef struct duck_library {
#define FIELD(result, name, arguments) result(*name) arguments;
    DUCK_FUNCTIONS(FIELD)
#undef FIELD
} duck_library;

static void say(cairn_source_job *job, const char *text)
{
    snprintf(job->message, sizeof job->message, "%s", text);
}

/* -- the library -- */

/* Where it was told to be, or where the loader and people who unpack it put it. */
static void *open_library(cairn_source_job *job, char place[PLACE_SIZE])
{
    static const char *const usual[] = {"libduckdb.so", "/usr/local/lib/libduckdb.so",
                                        "/opt/duckdb/libduckdb.so"};
    const char *given = getenv("CAIRN_DUCKDB"), *home = getenv("HOME");
    void *library = NULL;
    if (given && *given) {
        snprintf(place, PLACE_SIZE, "%s", given);
        library = dlopen(place, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!library)
            snprintf(job->message, sizeof job->message,
                     "CAIRN_DUCKDB names no library of DuckDB (%s)", dlerror());
        return library;
    }
    for (size_t i = 0; !library && i < sizeof usual / sizeof *usual; i++) {
        snprintf(place, PLACE_SIZE, "%s", usual[i]);
        library = dlopen(place, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    if (!library && home) {
        snprintf(place, PLACE_SIZE, "%s/.local/lib/libduckdb.so", home);
        library = dlopen(place, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    if (!library)
        say(job, "this needs DuckDB's library libduckdb.so, which is not installed; unpack "
                 "libduckdb-linux-amd64.zip of its releases and set CAIRN_DUCKDB to the path of "
                 "libduckdb.so");
    return library;
}

/* The version before the functions: an old library lacks some of them. */
static bool is_new_enough(cairn_source_job *job, void *library, const char *place)
{
    const char *(*version)(void);
    int major = 0, minor = 0;
    void *symbol = dlsym(library, "duckdb_library_version");
    if (!symbol) {
        snprintf(job->message, sizeof job->message, "%s is no library of DuckDB", place);
        return false;
    }
    memcpy(&version, &symbol, sizeof version);
    const char *said = version();
    int n = sscanf(said + (*said == 'v'), "%d.%d", &major, &minor);
    bool old = major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR);
    if (n == 2 && !old) return true;
    snprintf(job->message, sizeof job->message,
             "%s is DuckDB %.40s, which is too old: %d.%d or newer is needed", place, said,
             LEAST_MAJOR, LEAST_MINOR);
    return false;
}

static cairn_source_end load(cairn_source_job *job, duck_library *d)
{
    char place[PLACE_SIZE];
    void *library = open_library(job, place);
    if (!library || !is_new_enough(job, library, place)) return CAIRN_SOURCE_BROKEN;
#define FIND(result, name, arguments)                                                              \
    {                                                                                              \
        void *symbol = dlsym(library, "duckdb_" #name);                                            \
        if (!symbol) {                                                                             \
            snprintf(job->message, sizeof job->message,                                            \
                     "%s has no function duckdb_%s; install DuckDB %d.%d or newer", place, #name,  \
                     LEAST_MAJOR, LEAST_MINOR);                                                    \
            return CAIRN_SOURCE_BROKEN;                                                            \
        }                                                                                          \
        memcpy(&d->name, &symbol, sizeof symbol);                                                  \
    }
    DUCK_FUNCTIONS(FIND)
#undef FIND
    return CAIRN_SOURCE_DONE;
}

/* -- what it says -- */

/* The first line of DuckDB's words; the others point into the query. */
static void repeat(cairn_source_job *job, const char *words)
{
    if (!words) words = "DuckDB failed without saying why";
    snprintf(job->message, sizeof job->message, "%.*s", (int)strcspn(words, "\n"), words);
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static cairn_source_end failed(cairn_source_job *job, const char *words)
{
    repeat(job, words);
    if (begins(job->message, "Out of Memory")) return CAIRN_SOURCE_NO_MEMORY;
    char *why = strstr(job->message, " - file system operations are disabled");
    if (why)
        snprintf(why, sizeof job->message - (size_t)(why - job->message),
                 ": only files that the query itself names in quotes are opened");
    return CAIRN_SOURCE_BAD_QUERY;
}

/* -- the session -- */

typedef struct session {
    duck_library d;
    void *database, *connection, *statement, *pending;
    duck_result result;
    bool has_result;
} session;

static void close_session(session *s)
{
    if (s->has_result) s->d.destroy_result(&s->result);
    if (s->pending) s->d.destroy_pending(&s->pending);
    if (s->statement) s->d.destroy_prepare(&s->statement);
    if (s->connection) s->d.disconnect(&s->connection);
    if (s->database) s->d.close(&s->database);
}

static bool configure(session *s, const cairn_source_job *job, void *config)
{
    static const char *const settings[][2] = {{"autoinstall_known_extensions", "false"},
                                              {"autoload_known_extensions", "false"},
                                              {"allow_community_extensions", "false"},
                                              {"threads", "1"},
                                              {"temp_directory", ""}};
    char memory[32];
    size_t most = job->memory > LEAST_MEMORY ? job->memory : LEAST_MEMORY;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (s->d.set_config(config, settings[i][0], settings[i][1])) return false;
    if (*job->place && s->d.set_config(config, "access_mode", "READ_ONLY")) return false;
    snprintf(memory, sizeof memory, "%zuB", most);
    return !job->memory || !s->d.set_config(config, "memory_limit", memory);
}

static cairn_source_end open_failed(cairn_source_job *job, const char *words)
{
    repeat(job, words);
    if (strstr(job->message, "not a valid DuckDB database")) {
        say(job, "the file is not a DuckDB database");
        return CAIRN_SOURCE_NO_TABLE;
    }
    if (strstr(job->message, "lock on file")) {
        say(job, "another program writes to the database; try again when it is done");
        return CAIRN_SOURCE_BROKEN;
    }
    return CAIRN_SOURCE_NOT_THERE;
}

static cairn_source_end open_database(session *s, cairn_source_job *job)
{
    void *config = NULL;
    char *words = NULL;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    if (*job->place && access(job->place, F_OK) != 0) {
        say(job, "there is no such file");
        return CAIRN_SOURCE_NOT_THERE;
    }
    if (s->d.create_config(&config) || !configure(s, job, config)) {
        say(job, "DuckDB does not take a setting that keeps queries from harm");
        end = CAIRN_SOURCE_BROKEN;
    }
    if (!end && s->d.open_ext(*job->place ? job->place : NULL, &s->database, config, &words))
        end = open_failed(job, words);
    if (!end && s->d.connect(s->database, &s->connection)) end = failed(job, NULL);
    if (words) s->d.free(words);
    s->d.destroy_config(&config);
    return end;
}

/* -- which files -- */

/* The end of the text in quotes that begins at `at`; a quote inside is doubled. */
static const char *quoted_end(const char *at)
{
    char quote = *at++;
    for (; *at; at++) {
        if (*at != quote) continue;
        if (at[1] != quote) return at + 1;
        at++;
    }
    return at;
}

/* A name in single quotes, from one in quotes of either kind; returns its end. */
static char *copy_name(char *out, const char *at, const char *end)
{
    char quote = *at++;
    *out++ = '\'';
    for (; at < end - 1; at++) {
        if (*at == quote) at++; /* a doubled one */
        if (*at == '\'') *out++ = '\'';
        *out++ = *at;
    }
    *out++ = '\'';
    return out;
}

static cairn_source_end set(session *s, cairn_source_job *job, const char *sql)
{
    duck_result result;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    if (s->d.query(s->connection, sql, &result)) {
        repeat(job, s->d.result_error(&result));
        end = CAIRN_SOURCE_BROKEN;
    }
    s->d.destroy_result(&result);
    return end;
}

/* All that stands in quotes may be the name of a file or a pattern for many; at worst somebody
 * allows what is none. What is elsewhere on a net stays closed. DuckDB looks at every file by its
 * own name, so patterns are spelled out while the doors are open. */
static cairn_source_end allow_named(session *s, cairn_source_job *job, char *sql, size_t size)
{
    static const char known[] = "SET VARIABLE cairn_named = getvariable('cairn_named') || ";
    cairn_source_end end = set(s, job, "SET VARIABLE cairn_named = []::VARCHAR[]");
    for (const char *at = job->query, *after; !end && *at; at = after) {
        after = at + 1;
        if (*at != '\'' && *at != '"') continue;
        after = quoted_end(at);
        const char *net = strstr(at, "://");
        if (after - at < 2 || after[-1] != *at || (net && net < after)) continue;
        char *to = sql + snprintf(sql, size, "%s[", known);
        to = copy_name(to, at, after);
        memcpy(to, "]", 2);
        end = set(s, job, sql);
        if (end || strcspn(at, "*?[") >= (size_t)(after - at)) continue;
        to = sql + snprintf(sql, size, "%s(SELECT coalesce(list(file), []) FROM glob(", known);
        to = copy_name(to, at, after);
        memcpy(to, "))", 3);
        if (set(s, job, sql) != CAIRN_SOURCE_DONE) continue; /* a text that is no pattern */
    }
    if (!end) end = set(s, job, "SET allowed_paths = getvariable('cairn_named')");
    if (!end) end = set(s, job, "RESET VARIABLE cairn_named");
    return end;
}

/* Nothing but what was named can be reached, and no statement changes that again. */
static cairn_source_end close_doors(session *s, cairn_source_job *job)
{
    size_t size = 2 * strlen(job->query) + 128;
    char *sql = malloc(size);
    cairn_source_end end = CAIRN_SOURCE_NO_MEMORY;
    if (sql) end = allow_named(s, job, sql, size);
    free(sql);
    if (!end) end = set(s, job, "SET enable_external_access = false");
    if (!end) end = set(s, job, "SET lock_configuration = true");
    return end;
}

/* -- running -- */

static cairn_source_end run_query(session *s, cairn_source_job *job)
{
    int state;
    if (s->d.prepare(s->connection, job->query, &s->statement))
        return failed(job, s->d.prepare_error(s->statement));
    if (s->d.prepared_statement_type(s->statement) != STATEMENT_SELECT) {
        say(job, "the statement is not one that only reads; write a SELECT");
        return CAIRN_SOURCE_BAD_QUERY;
    }
    if (s->d.pending_prepared(s->statement, &s->pending))
        return failed(job, s->d.pending_error(s->pending));
    do {
        if (job->is_cancelled(job->data)) return CAIRN_SOURCE_CANCELLED;
        state = s->d.pending_execute_task(s->pending);
        if (state == PENDING_ERROR) return failed(job, s->d.pending_error(s->pending));
        if (state == PENDING_NO_TASKS) usleep(1000);
    } while (!s->d.pending_execution_is_finished(state));
    s->has_result = true;
    if (s->d.execute_pending(s->pending, &s->result))
        return failed(job, s->d.result_error(&s->result));
    return CAIRN_SOURCE_DONE;
}

/* What DuckDB holds, with the rows that it has ready, counts beside the table that they fill. */
static cairn_source_end count_memory(session *s, cairn_source_job *job)
{
    duck_result result;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    if (!job->memory) return end;
    void *chunk = NULL;
    if (!s->d.query(s->connection, "SELECT sum(memory_usage_bytes)::UBIGINT FROM duckdb_memory()",
                    &result))
        chunk = s->d.fetch_chunk(result);
    if (chunk && s->d.data_chunk_get_size(chunk)) {
        const uint64_t *bytes = s->d.vector_get_data(s->d.data_chunk_get_vector(chunk, 0));
        if (!job->holds(job->data, *bytes)) end = CAIRN_SOURCE_STOPPED;
    }
    if (chunk) s->d.destroy_data_chunk(&chunk);
    s->d.destroy_result(&result);
    return end;
}

/* -- columns -- */

typedef struct column {
    duck_type type;
    int inside; /* of decimals and levels: the type of the whole numbers that stand for them */
    int scale;
    /* of the chunk */
    const char *data;
    const uint64_t *valid; /* NULL = all */
    const char *child;     /* items of lists */
    const uint64_t *child_valid;
    cairn_source_item *items;
    size_t n_items; /* that there is room for */
    char text[TEXT_SIZE];
} column;

/* What a table has no cells for, and what is written in its place. */
static const struct {
    duck_type type;
    const char *name, *remedy;
} strange[] = {
    {DUCK_BLOB, "BLOB", "leave it out of the query, or write hex(%s)"},
    {DUCK_STRUCT, "STRUCT", "take its fields, as %s.FIELD, or write %s::VARCHAR"},
    {DUCK_MAP, "MAP", "take a value, as %s['KEY'], or write %s::VARCHAR"},
    {DUCK_UNION, "UNION", "take a member, as %s.MEMBER, or write %s::VARCHAR"},
    {DUCK_BIT, "BIT", "write %s::VARCHAR or bit_count(%s)"},
    {DUCK_TIME_TZ, "TIME WITH TIME ZONE", "write %s::TIME"},
    {DUCK_ARRAY, "ARRAY", "write %s::VARCHAR[], or take its places, as %s[1]"},
    {DUCK_LIST, "LIST of what is no text", "write %s::VARCHAR[], or take its places, as %s[1]"},
    {DUCK_BIGNUM, "BIGNUM", "write %s::DOUBLE"},
};

/* The name as a query has it, perhaps cut. */
static void quote_name(char out[SHOWN_NAME], const char *name)
{
    size_t n = 0;
    out[n++] = '"';
    for (; *name && n + 4 < SHOWN_NAME; name++) {
        if (*name == '"') out[n++] = '"';
        out[n++] = *name;
    }
    out[n++] = '"';
    out[n] = 0;
}

static cairn_source_end refuse_type(cairn_source_job *job, const char *name, int type)
{
    const char *what = "of a type that is not known here", *remedy = "write %s::VARCHAR";
    char quoted[SHOWN_NAME], told[4 * SHOWN_NAME];
    size_t n = 0;
    quote_name(quoted, name);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        if ((int)strange[i].type == type) {
            what = strange[i].name;
            remedy = strange[i].remedy;
        }
    for (; *remedy && n + sizeof quoted < sizeof told; remedy++) {
        bool here = begins(remedy, "%s");
        n += (size_t)snprintf(told + n, sizeof told - n, "%.*s", here ? (int)strlen(quoted) : 1,
                              here ? quoted : remedy);
        remedy += here;
    }
    snprintf(job->message, sizeof job->message, "column '%.100s' is %s, which no table holds; %s",
             name, what, told);
    return CAIRN_SOURCE_NO_TABLE;
}

static bool is_known(int type)
{
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        if ((int)strange[i].type == type) return type == DUCK_LIST;
    return (type >= DUCK_BOOLEAN && type <= DUCK_UHUGEINT) || type == DUCK_NULL;
}

/* The levels of an ENUM, in its order. */
static cairn_source_end tell_levels(const session *s, cairn_source_job *job, size_t at, void *type)
{
    size_t n = s->d.enum_dictionary_size(type);
    char **names = calloc(n + 1, sizeof *names);
    bool wanted = false, made = names != NULL;
    for (size_t i = 0; made && i < n; i++) {
        names[i] = s->d.enum_dictionary_value(type, i);
        made = names[i] != NULL;
    }
    if (made) wanted = job->levels(job->data, at, (const char *const *)names, n);
    for (size_t i = 0; names && i < n && names[i]; i++) s->d.free(names[i]);
    free(names);
    return !made ? CAIRN_SOURCE_NO_MEMORY : wanted ? CAIRN_SOURCE_DONE : CAIRN_SOURCE_STOPPED;
}

static cairn_source_end begin_column(session *s, cairn_source_job *job, column *c, size_t at)
{
    void *type = s->d.column_logical_type(&s->result, at), *child = NULL;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    int id = type ? s->d.get_type_id(type) : 0;
    const char *name = s->d.column_name(&s->result, at);
    if (!name) name = "";
    c->type = (duck_type)id;
    if (id == DUCK_LIST) child = s->d.list_type_child_type(type);
    bool texts = child && s->d.get_type_id(child) == DUCK_VARCHAR;
    if (!is_known(id) || (id == DUCK_LIST && !texts)) end = refuse_type(job, name, id);
    if (!end && id == DUCK_DECIMAL) {
        c->inside = s->d.decimal_internal_type(type);
        c->scale = s->d.decimal_scale(type);
    }
    if (!end && id == DUCK_ENUM) {
        c->inside = s->d.enum_internal_type(type);
        end = tell_levels(s, job, at, type);
    }
    if (child) s->d.destroy_logical_type(&child);
    if (type) s->d.destroy_logical_type(&type);
    return end;
}

static cairn_source_end begin_columns(session *s, cairn_source_job *job, column *columns, size_t n)
{
    const char **names = calloc(n + 1, sizeof *names);
    cairn_source_end end = CAIRN_SOURCE_DONE;
    if (!names) return CAIRN_SOURCE_NO_MEMORY;
    for (size_t j = 0; j < n; j++) {
        names[j] = s->d.column_name(&s->result, j);
        if (!names[j]) names[j] = "";
    }
    if (!job->begin(job->data, names, n)) end = CAIRN_SOURCE_STOPPED;
    free(names);
    for (size_t j = 0; !end && j < n; j++) end = begin_column(s, job, &columns[j], j);
    return end;
}

/* -- cells -- */

static bool is_valid(const uint64_t *valid, size_t row)
{
    return !valid || (valid[row / 64] >> row % 64 & 1);
}

/* The value at a place of an array of some type. */
#define AT(type, data, row) (((const type *)(const void *)(data))[row])

/* Whole numbers of up to 64 bits as they stand for decimals, levels and themselves. */
static int64_t small_at(int type, const char *data, size_t row)
{
    switch (type) {
    case DUCK_TINYINT: return AT(int8_t, data, row);
    case DUCK_SMALLINT: return AT(int16_t, data, row);
    case DUCK_INTEGER: return AT(int32_t, data, row);
    case DUCK_UTINYINT: return AT(uint8_t, data, row);
    case DUCK_USMALLINT: return AT(uint16_t, data, row);
    case DUCK_UINTEGER: return AT(uint32_t, data, row);
    default: return AT(int64_t, data, row);
    }
}

/* Digits of a whole number with a point before the last `scale` of them. */
static void put_numeral(column *c, cairn_source_cell *cell, huge size, bool negative, int scale)
{
    char *at = c->text + TEXT_SIZE;
    int n = 0;
    do {
        *--at = (char)('0' + (int)(size % 10));
        size /= 10;
        if (++n == scale) *--at = '.';
    } while (size || n <= scale);
    if (negative) *--at = '-';
    cell->type = CAIRN_SOURCE_NUMERAL;
    cell->text = at;
    cell->length = (size_t)(c->text + TEXT_SIZE - at);
}

static void put_signed(column *c, cairn_source_cell *cell, huge bits, int scale)
{
    bool negative = bits >> 127;
    put_numeral(c, cell, negative ? -bits : bits, negative, scale);
}

static huge huge_at(const char *data, size_t row)
{
    duck_huge value = AT(duck_huge, data, row);
    return (huge)(uint64_t)value.high << 64 | value.low;
}

static void put_decimal(column *c, cairn_source_cell *cell, size_t row)
{
    if (c->inside == DUCK_HUGEINT) {
        put_signed(c, cell, huge_at(c->data, row), c->scale);
    } else {
        int64_t value = small_at(c->inside, c->data, row);
        put_numeral(c, cell, value < 0 ? -(huge)value : (huge)value, value < 0, c->scale);
    }
}

/* Year, month and day of a day since 1970-01-01, by counting from March of the year 0 in spans of
 * 400 years. */
static void civil_day(int64_t days, int64_t *year, int *month, int *day)
{
    enum { SPAN = 146097, BEFORE = 719468 };
    int64_t from = days + BEFORE, span = (from >= 0 ? from : from - SPAN + 1) / SPAN;
    int64_t in_span = from - span * SPAN;
    int64_t of_span = (in_span - in_span / 1460 + in_span / 36524 - in_span / 146096) / 365;
    int64_t in_year = in_span - (365 * of_span + of_span / 4 - of_span / 100);
    int64_t shifted = (5 * in_year + 2) / 153; /* months since March */
    *day = (int)(in_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = of_span + span * 400 + (*month <= 2);
}

/* Hours, minutes, seconds and what is left of one, in `per` parts of a second. */
static size_t write_clock(char *out, size_t room, int64_t parts, int64_t per)
{
    int64_t seconds = parts / per, rest = parts % per;
    size_t n = (size_t)snprintf(out, room, "%02d:%02d:%02d", (int)(seconds / 3600),
                                (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (!rest) return n;
    out[n++] = '.';
    for (per /= 10; rest; rest %= per, per /= 10) {
        out[n++] = (char)('0' + rest / per);
        if (per == 1) break;
    }
    return n;
}

/* A moment as text: `value` counts parts of a second, of which a second has `per`; 0 = days. */
static void put_time(column *c, cairn_source_cell *cell, int64_t value, int64_t per, bool zone)
{
    int64_t year, day_parts = per * 86400, days = value;
    int month, day;
    cell->type = CAIRN_SOURCE_TIME;
    cell->text = c->text;
    if (value == (per ? INT64_MAX : INT32_MAX) || value == (per ? -INT64_MAX : -INT32_MAX)) {
        cell->length = (size_t)snprintf(c->text, TEXT_SIZE, "%sinfinity", value < 0 ? "-" : "");
        return;
    }
    if (per) days = value / day_parts - (value % day_parts < 0);
    civil_day(days, &year, &month, &day);
    size_t n = (size_t)snprintf(c->text, TEXT_SIZE, "%s%04" PRId64 "-%02d-%02d",
                                year < 0 ? "-" : "", year < 0 ? -year : year, month, day);
    if (per) {
        c->text[n++] = ' ';
        n += write_clock(c->text + n, TEXT_SIZE - n, value - days * day_parts, per);
    }
    if (zone) n += (size_t)snprintf(c->text + n, TEXT_SIZE - n, "+00");
    cell->length = n;
}

static void put_text(cairn_source_cell *cell, const duck_string *text)
{
    cell->type = CAIRN_SOURCE_TEXT;
    cell->length = text->length;
    cell->text = text->length > NEAR_LETTERS ? text->letters
                                             : (const char *)text + offsetof(duck_string, first);
}

/* Hexadecimal digits in groups; the first bit is turned so that they sort as numbers. */
static void put_uuid(column *c, cairn_source_cell *cell, size_t row)
{
    huge bits = huge_at(c->data, row) ^ (huge)1 << 127;
    uint64_t high = (uint64_t)(bits >> 64), low = (uint64_t)bits;
    cell->type = CAIRN_SOURCE_TEXT;
    cell->text = c->text;
    cell->length = (size_t)snprintf(
        c->text, TEXT_SIZE, "%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64,
        high >> 32, high >> 16 & 0xFFFF, high & 0xFFFF, low >> 48, low & 0xFFFFFFFFFFFF);
}

/* An interval as seconds; false when it has months, of which nobody knows the length. */
static bool put_interval(const column *c, cairn_source_cell *cell, size_t row)
{
    duck_interval i = AT(duck_interval, c->data, row);
    cell->type = CAIRN_SOURCE_REAL;
    cell->real = 86400.0 * i.days + (double)i.micros / 1e6;
    return i.months == 0;
}

static bool put_items(column *c, cairn_source_cell *cell, size_t row)
{
    duck_span span = AT(duck_span, c->data, row);
    if (span.n > c->n_items) {
        cairn_source_item *items = realloc(c->items, span.n * sizeof *items);
        if (!items) return false;
        c->items = items;
        c->n_items = span.n;
    }
    for (size_t i = 0; i < span.n; i++) {
        cairn_source_cell text = {.text = NULL};
        size_t at = span.from + i;
        if (is_valid(c->child_valid, at)) put_text(&text, &AT(duck_string, c->child, at));
        c->items[i] = (cairn_source_item){text.text, text.length};
    }
    cell->type = CAIRN_SOURCE_ITEMS;
    cell->items = c->items;
    cell->length = span.n;
    return true;
}

static void put_integer(cairn_source_cell *cell, int64_t value)
{
    cell->type = CAIRN_SOURCE_INTEGER;
    cell->integer = value;
}

static void put_real(cairn_source_cell *cell, double value)
{
    cell->type = CAIRN_SOURCE_REAL;
    cell->real = value;
}

static cairn_source_end refuse_months(cairn_source_job *job, size_t row, const char *name)
{
    char quoted[SHOWN_NAME];
    quote_name(quoted, name);
    snprintf(job->message, sizeof job->message,
             "row %zu, column '%.100s': an interval of months has no length in seconds; write "
             "date_part('month', %s)",
             row + 1, name, quoted);
    return CAIRN_SOURCE_NO_TABLE;
}

/* One cell; an end other than DONE only for what begin_column could not see. */
static cairn_source_end take_cell(column *c, cairn_source_cell *cell, size_t row)
{
    *cell = (cairn_source_cell){.type = CAIRN_SOURCE_NULL};
    if (c->type == DUCK_NULL || !is_valid(c->valid, row)) return CAIRN_SOURCE_DONE;
    switch (c->type) {
    case DUCK_BOOLEAN:
        cell->type = CAIRN_SOURCE_TRUTH;
        cell->integer = AT(uint8_t, c->data, row) != 0;
        break;
    case DUCK_UBIGINT: put_numeral(c, cell, AT(uint64_t, c->data, row), false, 0); break;
    case DUCK_FLOAT: put_real(cell, (double)AT(float, c->data, row)); break;
    case DUCK_DOUBLE: put_real(cell, AT(double, c->data, row)); break;
    case DUCK_HUGEINT: put_signed(c, cell, huge_at(c->data, row), 0); break;
    case DUCK_UHUGEINT: put_numeral(c, cell, huge_at(c->data, row), false, 0); break;
    case DUCK_DECIMAL: put_decimal(c, cell, row); break;
    case DUCK_DATE: put_time(c, cell, AT(int32_t, c->data, row), 0, false); break;
    case DUCK_TIMESTAMP_S: put_time(c, cell, AT(int64_t, c->data, row), 1, false); break;
    case DUCK_TIMESTAMP_MS: put_time(c, cell, AT(int64_t, c->data, row), 1000, false); break;
    case DUCK_TIMESTAMP: put_time(c, cell, AT(int64_t, c->data, row), 1000000, false); break;
    case DUCK_TIMESTAMP_NS: put_time(c, cell, AT(int64_t, c->data, row), 1000000000, false); break;
    case DUCK_TIMESTAMP_TZ: put_time(c, cell, AT(int64_t, c->data, row), 1000000, true); break;
    case DUCK_TIME:
        cell->type = CAIRN_SOURCE_TEXT;
        cell->text = c->text;
        cell->length = write_clock(c->text, TEXT_SIZE, AT(int64_t, c->data, row), 1000000);
        break;
    case DUCK_INTERVAL:
        if (!put_interval(c, cell, row)) return CAIRN_SOURCE_NO_TABLE;
        break;
    case DUCK_VARCHAR: put_text(cell, &AT(duck_string, c->data, row)); break;
    case DUCK_ENUM:
        cell->type = CAIRN_SOURCE_LEVEL;
        cell->integer = small_at(c->inside, c->data, row);
        break;
    case DUCK_UUID: put_uuid(c, cell, row); break;
    case DUCK_LIST:
        if (!put_items(c, cell, row)) return CAIRN_SOURCE_NO_MEMORY;
        break;
    default: put_integer(cell, small_at((int)c->type, c->data, row)); break;
    }
    return CAIRN_SOURCE_DONE;
}

static void find_vectors(const session *s, void *chunk, column *columns, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        column *c = &columns[j];
        void *vector = s->d.data_chunk_get_vector(chunk, j);
        c->data = s->d.vector_get_data(vector);
        c->valid = s->d.vector_get_validity(vector);
        if (c->type != DUCK_LIST) continue;
        void *child = s->d.list_vector_get_child(vector);
        c->child = s->d.vector_get_data(child);
        c->child_valid = s->d.vector_get_validity(child);
    }
}

static cairn_source_end take_chunk(session *s, cairn_source_job *job, void *chunk, column *columns,
                                   cairn_source_cell *cells, size_t n, size_t first)
{
    size_t rows = s->d.data_chunk_get_size(chunk);
    find_vectors(s, chunk, columns, n);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < n; j++) {
            cairn_source_end end = take_cell(&columns[j], &cells[j], i);
            if (end == CAIRN_SOURCE_NO_TABLE)
                return refuse_months(job, first + i, s->d.column_name(&s->result, j));
            if (end) return end;
        }
        if (!job->row(job->data, cells)) return CAIRN_SOURCE_STOPPED;
    }
    return CAIRN_SOURCE_DONE;
}

static cairn_source_end take_rows(session *s, cairn_source_job *job)
{
    size_t n = s->d.column_count(&s->result), first = 0;
    column *columns = calloc(n + 1, sizeof *columns);
    cairn_source_cell *cells = calloc(n + 1, sizeof *cells);
    cairn_source_end end = CAIRN_SOURCE_NO_MEMORY;
    if (columns && cells) end = begin_columns(s, job, columns, n);
    while (!end) {
        void *chunk = s->d.fetch_chunk(s->result);
        if (!chunk) break;
        end = take_chunk(s, job, chunk, columns, cells, n, first);
        first += s->d.data_chunk_get_size(chunk);
        s->d.destroy_data_chunk(&chunk);
    }
    for (size_t j = 0; columns && j < n; j++) free(columns[j].items);
    free(columns);
    free(cells);
    return end;
}

static cairn_source_end read_query(cairn_source_job *job)
{
    session s = {.has_result = false};
    cairn_source_end end = load(job, &s.d);
    if (end) return end;
    end = open_database(&s, job);
    if (!end) end = close_doors(&s, job);
    if (!end) end = run_query(&s, job);
    if (!end) end = count_memory(&s, job);
    if (!end) end = take_rows(&s, job);
    close_session(&s);
    return end;
}

extern CAIRN_API const cairn_source_module cairn_source_module_record;
CAIRN_API const cairn_source_module cairn_source_module_record = {
    .abi = CAIRN_SOURCE_ABI,
    .name = "duckdb",
    .has_schemas = true,
    .list_tables =
        "SELECT CASE WHEN schema_name = 'main' THEN '' ELSE schema_name || '.' END || name FROM "
        "(SELECT schema_name, table_name AS name FROM duckdb_tables() WHERE NOT internal "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal) ORDER BY "
        "1",
    .read = read_query,
};
