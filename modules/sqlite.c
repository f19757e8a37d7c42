/* SPDX-License-Identifier: MIT */
/* SQLite as a source: one statement that reads, stepped row by row on a connection that can only
 * read; and tables written in one transaction. See data/source_module.h. */
#include "cairn/base.h"
#include "data/source_module.h"
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    BUSY_MILLISECONDS = 5000,
    STEPS_BETWEEN_LOOKS = 20000,
    ROWS_BETWEEN_LOOKS = 256,
    REPORTED_STEP = 1 << 18,
    TAKEN = -1 /* beside SQLite's codes: the table is there */
};

/* SQLite's memory is one for the whole process. */
typedef struct memory_count {
    sqlite3_int64 before;   /* bytes that it held before us */
    sqlite3_int64 reported; /* that it held when the library last heard of it */
    sqlite3_int64 limit;    /* of the host, to be put back */
    size_t rows;
} memory_count;

static void say(char message[CAIRN_SOURCE_MESSAGE], const char *text)
{
    snprintf(message, CAIRN_SOURCE_MESSAGE, "%s", text);
}

/* How a failure of SQLite ends the work, with its words as the message. */
static cairn_source_end fail(char message[CAIRN_SOURCE_MESSAGE], sqlite3 *db, int code)
{
    say(message, db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
    switch (code & 0xFF) {
    case SQLITE_NOMEM: return CAIRN_SOURCE_NO_MEMORY;
    case SQLITE_INTERRUPT: return CAIRN_SOURCE_CANCELLED;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return CAIRN_SOURCE_NOT_THERE;
    case SQLITE_NOTADB:
        say(message, "the file is not an SQLite database");
        return CAIRN_SOURCE_NO_TABLE;
    case SQLITE_CORRUPT: return CAIRN_SOURCE_NO_TABLE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        say(message, "another program holds the database; try again when it is done");
        return CAIRN_SOURCE_BROKEN;
    case SQLITE_READONLY:
        if (code == SQLITE_READONLY_ROLLBACK)
            say(message, "a program that was killed has left it half changed, with a journal "
                         "beside it; open it once where you may write");
        return CAIRN_SOURCE_BROKEN;
    case SQLITE_ERROR: return CAIRN_SOURCE_BAD_QUERY;
    default: return CAIRN_SOURCE_BROKEN;
    }
}

/* SQLite's memory is one for the whole process: what it holds already, and the limit of a host that
 * set a lower one, stay as they are. */
static sqlite3_int64 limit_memory(size_t bytes)
{
    sqlite3_int64 before = sqlite3_hard_heap_limit64(-1), wanted = sqlite3_memory_used();
    if (bytes == 0) return before;
    wanted += bytes < INT64_MAX / 2 ? (sqlite3_int64)bytes : INT64_MAX / 2;
    if (before == 0 || wanted < before) sqlite3_hard_heap_limit64(wanted);
    return before;
}

/* Nothing in a file from a stranger may run: no functions in views and triggers, no tricks with
 * the schema. */
static int open_database(sqlite3 **db, const char *place, int flags)
{
    int code = sqlite3_open_v2(place, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code) return code;
    sqlite3_extended_result_codes(*db, 1);
    sqlite3_busy_timeout(*db, BUSY_MILLISECONDS);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return SQLITE_OK;
}

/* -- reading -- */

static int look(void *data)
{
    const cairn_source_job *job = data;
    return job->is_cancelled(job->data);
}

/* Whether only blanks and semicolons follow a statement. */
static int is_over(const char *tail)
{
    return tail[strspn(tail, " \t\r\n;")] == 0;
}

static int holds_truths(sqlite3_stmt *statement, int column)
{
    const char *type = sqlite3_column_decltype(statement, column);
    return type && (strcasecmp(type, "boolean") == 0 || strcasecmp(type, "bool") == 0);
}

static int is_truth(sqlite3_stmt *statement, int column)
{
    sqlite3_int64 value = sqlite3_column_int64(statement, column);
    return (value == 0 || value == 1) && holds_truths(statement, column);
}

static void read_cell(sqlite3_stmt *statement, int column, cairn_source_cell *cell)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        cell->type = is_truth(statement, column) ? CAIRN_SOURCE_TRUTH : CAIRN_SOURCE_INTEGER;
        cell->integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        cell->type = CAIRN_SOURCE_REAL;
        cell->real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        cell->type = CAIRN_SOURCE_TEXT;
        cell->text = (const char *)sqlite3_column_text(statement, column);
        cell->length = (size_t)sqlite3_column_bytes(statement, column);
        if (!cell->text) cell->text = "";
        break;
    case SQLITE_BLOB: cell->type = CAIRN_SOURCE_BYTES; break;
    default: cell->type = CAIRN_SOURCE_NULL; break;
    }
}

/* What SQLite holds is told whenever it has changed by a good deal, and now and then, since what
 * the library holds has grown as well; then it may take no more than what that leaves. */
static int count_memory(cairn_source_job *job, memory_count *m)
{
    sqlite3_int64 used = sqlite3_memory_used(), change = used - m->reported;
    int looks = m->rows++ % ROWS_BETWEEN_LOOKS == 0;
    if (!job->memory || (!looks && change < REPORTED_STEP && change > -REPORTED_STEP)) return 1;
    size_t left = job->holds(job->data, used > m->before ? (size_t)(used - m->before) : 0);
    m->reported = used;
    sqlite3_hard_heap_limit64(m->limit);
    limit_memory(left);
    return left > 0;
}

static cairn_source_end read_rows(cairn_source_job *job, sqlite3 *db, sqlite3_stmt *statement,
                                  memory_count *memory, const char **names,
                                  cairn_source_cell *cells, int n)
{
    int code;
    for (int j = 0; j < n; j++) {
        names[j] = sqlite3_column_name(statement, j);
        if (!names[j]) return CAIRN_SOURCE_NO_MEMORY;
    }
    if (!job->begin(job->data, names, (size_t)n)) return CAIRN_SOURCE_STOPPED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int j = 0; j < n; j++) read_cell(statement, j, &cells[j]);
        if (!count_memory(job, memory)) return CAIRN_SOURCE_STOPPED;
        if (!job->row(job->data, cells)) return CAIRN_SOURCE_STOPPED;
    }
    return code == SQLITE_DONE ? CAIRN_SOURCE_DONE : fail(job->message, db, code);
}

static cairn_source_end read_statement(cairn_source_job *job, sqlite3 *db, sqlite3_stmt *statement,
                                       memory_count *memory, const char *tail)
{
    int n = sqlite3_column_count(statement);
    if (!statement || n == 0 || !sqlite3_stmt_readonly(statement)) {
        say(job->message, "the statement is not one that only reads");
        return CAIRN_SOURCE_BAD_QUERY;
    }
    if (!is_over(tail)) {
        say(job->message, "only one statement can be read, and another follows it");
        return CAIRN_SOURCE_BAD_QUERY;
    }
    const char **names = calloc((size_t)n, sizeof *names);
    cairn_source_cell *cells = calloc((size_t)n, sizeof *cells);
    cairn_source_end end = CAIRN_SOURCE_NO_MEMORY;
    if (names && cells) end = read_rows(job, db, statement, memory, names, cells, n);
    free(names);
    free(cells);
    return end;
}

/* A program that was killed while it wrote has left a journal, by which whoever may write brings
 * the old state back. */
static bool bring_back(const char *place)
{
    sqlite3 *db = NULL;
    int code = open_database(&db, place, SQLITE_OPEN_READWRITE);
    if (!code) code = sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    sqlite3_close(db);
    return code == SQLITE_OK;
}

static int prepare(cairn_source_job *job, sqlite3 **db, sqlite3_stmt **statement, const char **tail)
{
    int code = open_database(db, job->place, SQLITE_OPEN_READONLY);
    if (code) return code;
    sqlite3_progress_handler(*db, STEPS_BETWEEN_LOOKS, look, job);
    return sqlite3_prepare_v2(*db, job->query, -1, statement, tail);
}

static cairn_source_end read_query(cairn_source_job *job)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    const char *tail = "";
    cairn_source_end end;
    memory_count memory = {.before = sqlite3_memory_used()};
    memory.limit = limit_memory(job->memory);
    int code = prepare(job, &db, &statement, &tail);
    if (code == SQLITE_READONLY_ROLLBACK && bring_back(job->place)) {
        sqlite3_close(db);
        code = prepare(job, &db, &statement, &tail);
    }
    end = code ? fail(job->message, db, code) : read_statement(job, db, statement, &memory, tail);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    sqlite3_hard_heap_limit64(memory.limit);
    return end;
}

/* -- writing -- */

static void add_name(sqlite3_str *sql, const char *name)
{
    sqlite3_str_appendf(sql, "\"%w\"", name);
}

static const char *type_name(cairn_source_type type)
{
    switch (type) {
    case CAIRN_SOURCE_INTEGER: return "INTEGER";
    case CAIRN_SOURCE_REAL: return "REAL";
    case CAIRN_SOURCE_TRUTH: return "BOOLEAN";
    case CAIRN_SOURCE_DATE: return "DATE"; /* of a time SQLite has but the name */
    case CAIRN_SOURCE_TIME:
    case CAIRN_SOURCE_ZONED: return "TIMESTAMP";
    default: return "TEXT";
    }
}

static char *create_sql(sqlite3 *db, const cairn_source_writing *job)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "CREATE TABLE ");
    add_name(sql, job->table);
    for (size_t j = 0; j < job->n_columns; j++) {
        sqlite3_str_appendall(sql, j ? ", " : " (");
        add_name(sql, job->names[j]);
        sqlite3_str_appendf(sql, " %s", type_name(job->types[j]));
    }
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

static char *insert_sql(sqlite3 *db, const cairn_source_writing *job)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "INSERT INTO ");
    add_name(sql, job->table);
    for (size_t j = 0; j < job->n_columns; j++)
        sqlite3_str_appendall(sql, j ? ", ?" : " VALUES (?");
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

/* Run a statement that was made for this, and free it. */
static int run(sqlite3 *db, char *sql)
{
    int code = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return code;
}

static int bind(sqlite3_stmt *statement, int at, const cairn_source_cell *cell)
{
    switch (cell->type) {
    case CAIRN_SOURCE_TRUTH:
    case CAIRN_SOURCE_INTEGER: return sqlite3_bind_int64(statement, at, cell->integer);
    case CAIRN_SOURCE_REAL: return sqlite3_bind_double(statement, at, cell->real);
    case CAIRN_SOURCE_TEXT:
    case CAIRN_SOURCE_TIME:
        return sqlite3_bind_text64(statement, at, cell->text, cell->length, SQLITE_STATIC,
                                   SQLITE_UTF8);
    default: return sqlite3_bind_null(statement, at);
    }
}

static int insert_rows(cairn_source_writing *job, sqlite3_stmt *statement, cairn_source_cell *cells)
{
    for (size_t row = 0; job->next(job->data, cells); row++) {
        int code = SQLITE_OK;
        for (size_t j = 0; !code && j < job->n_columns; j++)
            code = bind(statement, (int)j + 1, &cells[j]);
        if (!code) code = sqlite3_step(statement);
        if (code != SQLITE_DONE) return code;
        code = sqlite3_reset(statement);
        if (code) return code;
        if (row % ROWS_BETWEEN_LOOKS == 0 && job->is_cancelled(job->data)) return SQLITE_INTERRUPT;
    }
    return job->is_cancelled(job->data) ? SQLITE_INTERRUPT : SQLITE_OK;
}

static int write_rows(cairn_source_writing *job, sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    cairn_source_cell *cells = calloc(job->n_columns, sizeof *cells);
    char *sql = insert_sql(db, job);
    int code = cells && sql ? sqlite3_prepare_v2(db, sql, -1, &statement, NULL) : SQLITE_NOMEM;
    if (!code) code = insert_rows(job, statement, cells);
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    free(cells);
    return code;
}

/* Whether a table or view has the name, as SQLite compares names. */
static int is_taken(const cairn_source_writing *job, sqlite3 *db, bool *taken)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db,
                                  "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') "
                                  "AND name = ?1 COLLATE NOCASE",
                                  -1, &statement, NULL);
    if (!code) code = sqlite3_bind_text(statement, 1, job->table, -1, SQLITE_STATIC);
    if (!code) code = sqlite3_step(statement);
    *taken = code == SQLITE_ROW;
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* The new table, in a transaction that nobody else writes beside. */
static int begin_table(cairn_source_writing *job, sqlite3 *db)
{
    bool taken = false;
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (!code) code = is_taken(job, db, &taken);
    if (!code && taken && !job->replaces) return TAKEN;
    if (!code && taken) code = run(db, sqlite3_mprintf("DROP TABLE \"%w\"", job->table));
    if (!code) code = run(db, create_sql(db, job));
    return code;
}

/* The rows of the job into a table of the database, all of them or none. */
static int fill(cairn_source_writing *job, sqlite3 *db)
{
    int code = begin_table(job, db);
    if (!code) code = write_rows(job, db);
    if (!code) code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    return code;
}

/* The same from a database that holds only this table. */
static int take_over(cairn_source_writing *job, sqlite3 *db, const char *from)
{
    int code = run(db, sqlite3_mprintf("ATTACH %Q AS made", from));
    if (!code) code = begin_table(job, db);
    if (!code)
        code = run(db, sqlite3_mprintf("INSERT INTO main.\"%w\" SELECT * FROM made.\"%w\"",
                                       job->table, job->table));
    if (!code) code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    return code;
}

/* Open a database and write into it: the rows, or those of the database `from`. */
static cairn_source_end write_into(cairn_source_writing *job, const char *place, const char *from)
{
    sqlite3 *db = NULL;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    int code = open_database(&db, place, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!code) code = from ? take_over(job, db, from) : fill(job, db);
    if (code) {
        end = code == TAKEN ? CAIRN_SOURCE_TAKEN : fail(job->message, db, code);
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    sqlite3_close(db);
    return end;
}

static void remove_beside(const char *name, const char *ending)
{
    char *path = sqlite3_mprintf("%s%s", name, ending);
    if (path) unlink(path);
    sqlite3_free(path);
}

/* A new database is made under a name of its own and gets the name that was asked for when it is
 * complete. Whoever comes second writes into the database of the first, and nobody ever takes away
 * a file under the common name. */
static cairn_source_end write_new(cairn_source_writing *job)
{
    char *own = sqlite3_mprintf("%s.%ld.tmp", job->place, (long)getpid());
    if (!own) return CAIRN_SOURCE_NO_MEMORY;
    cairn_source_end end = write_into(job, own, NULL);
    if (end == CAIRN_SOURCE_DONE && link(own, job->place) != 0)
        end = write_into(job, job->place, own);
    unlink(own);
    remove_beside(own, "-journal"); /* SQLite leaves it when it could not be emptied */
    remove_beside(own, "-wal");
    sqlite3_free(own);
    return end;
}

static cairn_source_end write_table(cairn_source_writing *job)
{
    sqlite3_int64 before = limit_memory(job->memory);
    cairn_source_end end =
        access(job->place, F_OK) != 0 ? write_new(job) : write_into(job, job->place, NULL);
    sqlite3_hard_heap_limit64(before);
    return end;
}

extern CAIRN_API const cairn_source_module cairn_source_module_record;
CAIRN_API const cairn_source_module cairn_source_module_record = {
    .abi = CAIRN_SOURCE_ABI,
    .name = "sqlite",
    .list_tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                   "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    .read = read_query,
    .write = write_table,
};
