/* SPDX-License-Identifier: MIT */
/* PostgreSQL as a source: one statement in a read-only session, its rows taken one by one as the
 * server sends them. Nothing waits blindly: connecting has a time limit, and whoever presses Ctrl-C
 * is heard while waiting and stops the query on the server. See data/source_module.h. */
#include "cairn/base.h"
#include "data/source_module.h"
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { LOOK_MILLISECONDS = 50, CONNECT_SECONDS = 10, DRAIN_SECONDS = 5 };

/* Types by the numbers that every server gives them. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_OID = 26,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_DATE = 1082,
    TYPE_TIMESTAMP = 1114,
    TYPE_TIMESTAMPTZ = 1184,
    TYPE_NUMERIC = 1700
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(cairn_source_job *job, const char *text)
{
    snprintf(job->message, sizeof job->message, "%s", text);
}

/* Write *** over every occurrence of a secret; a short one may hide more than it must. */
static void hide(char *message, const char *secret)
{
    size_t n = secret ? strlen(secret) : 0;
    for (char *at = n ? strstr(message, secret) : NULL; at; at = strstr(at, secret)) {
        size_t rest = strlen(at + n) + 1;
        size_t stars = n < 3 ? n : 3;
        memmove(at + stars, at + n, rest);
        memset(at, '*', stars);
        at += stars;
    }
}

static void hide_secrets(cairn_source_job *job)
{
    PQconninfoOption *options = PQconninfoParse(job->place, NULL);
    for (PQconninfoOption *o = options; o && o->keyword; o++)
        if (strstr(o->keyword, "password")) hide(job->message, o->val);
    PQconninfoFree(options);
    hide(job->message, getenv("PGPASSWORD"));
}

/* The server's words in one line. */
static void repeat(cairn_source_job *job, const char *words)
{
    size_t n = 0;
    for (; *words && n + 2 < sizeof job->message; words++) {
        int blank = *words == '\n' || *words == '\t' || *words == ' ';
        if (blank && (n == 0 || job->message[n - 1] == ' ')) continue;
        job->message[n++] = blank ? ' ' : *words;
    }
    while (n && job->message[n - 1] == ' ') n--;
    job->message[n] = 0;
    hide_secrets(job);
}

/* -- waiting -- */

/* Wait until the socket is ready; 0 when somebody wants to stop or the time is over. */
static int wait_for(cairn_source_job *job, PGconn *connection, short events, double until)
{
    for (;;) {
        struct pollfd ready = {.fd = PQsocket(connection), .events = events};
        if (job->is_cancelled(job->data)) return 0;
        if (until > 0 && now() > until) return 0;
        int n = poll(&ready, 1, LOOK_MILLISECONDS);
        if (n > 0 || (n < 0 && errno != EINTR)) return 1;
    }
}

static double time_limit(const PQconninfoOption *options)
{
    const char *text = getenv("PGCONNECT_TIMEOUT");
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (o->val && strcmp(o->keyword, "connect_timeout") == 0) text = o->val;
    long seconds = text ? strtol(text, NULL, 10) : 0;
    return seconds > 0 ? (double)seconds : CONNECT_SECONDS;
}

static void keep_quiet(void *data, const char *message)
{
    (void)data;
    (void)message;
}

static cairn_source_end connect_to(cairn_source_job *job, PGconn **out)
{
    static const char *const keywords[] = {"fallback_application_name", "dbname", "client_encoding",
                                           NULL};
    const char *const values[] = {"cairn", job->place, "UTF8", NULL};
    PQconninfoOption *options = PQconninfoParse(job->place, NULL);
    double until = now() + time_limit(options);
    if (!options) {
        say(job, "the connection cannot be read; write postgres://USER@HOST/DATABASE or "
                 "postgres:host=HOST dbname=DATABASE, special letters in a URI as %40");
        return CAIRN_SOURCE_BAD_QUERY;
    }
    PQconninfoFree(options);
    PGconn *connection = *out = PQconnectStartParams(keywords, values, 1);
    if (!connection) return CAIRN_SOURCE_NO_MEMORY;
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;
    while (PQstatus(connection) != CONNECTION_BAD && state != PGRES_POLLING_OK &&
           state != PGRES_POLLING_FAILED) {
        short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        if (!wait_for(job, connection, events, until)) {
            if (job->is_cancelled(job->data)) return CAIRN_SOURCE_CANCELLED;
            say(job, "the server did not answer in time (connect_timeout sets the seconds)");
            return CAIRN_SOURCE_NOT_THERE;
        }
        state = PQconnectPoll(connection);
    }
    if (PQstatus(connection) == CONNECTION_OK) return CAIRN_SOURCE_DONE;
    repeat(job, PQerrorMessage(connection));
    return CAIRN_SOURCE_NOT_THERE;
}

/* Tell the server to stop, and throw away what it still sends. */
static cairn_source_end cancel(PGconn *connection)
{
    char words[256];
    double until = now() + DRAIN_SECONDS;
    PGcancel *handle = PQgetCancel(connection);
    if (handle) PQcancel(handle, words, sizeof words);
    PQfreeCancel(handle);
    for (;;) {
        while (PQisBusy(connection)) {
            struct pollfd ready = {.fd = PQsocket(connection), .events = POLLIN};
            if (now() > until) return CAIRN_SOURCE_CANCELLED;
            poll(&ready, 1, LOOK_MILLISECONDS);
            if (!PQconsumeInput(connection)) return CAIRN_SOURCE_CANCELLED;
        }
        PGresult *result = PQgetResult(connection);
        if (!result) return CAIRN_SOURCE_CANCELLED;
        PQclear(result);
    }
}

/* The next result, NULL at the end; false when somebody wants to stop. */
static bool next_result(cairn_source_job *job, PGconn *connection, PGresult **out)
{
    while (PQisBusy(connection)) {
        if (!wait_for(job, connection, POLLIN, 0)) return false;
        if (!PQconsumeInput(connection)) break;
    }
    *out = PQgetResult(connection);
    return true;
}

/* -- the session -- */

static cairn_source_end failed(cairn_source_job *job, PGconn *connection, const char *words)
{
    repeat(job, words);
    return PQstatus(connection) == CONNECTION_OK ? CAIRN_SOURCE_BAD_QUERY : CAIRN_SOURCE_BROKEN;
}

/* Nothing can be changed, and values are written in a way that the library reads. */
static cairn_source_end prepare(cairn_source_job *job, PGconn *connection)
{
    static const char settings[] = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; "
                                   "SET datestyle TO ISO; SET timezone TO UTC; "
                                   "BEGIN TRANSACTION READ ONLY";
    cairn_source_end end = CAIRN_SOURCE_DONE;
    PGresult *result;
    PQsetNoticeProcessor(connection, keep_quiet, NULL);
    if (!PQsendQuery(connection, settings))
        return failed(job, connection, PQerrorMessage(connection));
    for (;;) {
        if (!next_result(job, connection, &result)) return cancel(connection);
        if (!result) return end;
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            end = failed(job, connection, PQresultErrorMessage(result));
        PQclear(result);
    }
}

/* -- what may be sent -- */

/* The text behind blanks, comments (which nest in PostgreSQL) and opening brackets. */
static const char *first_word(const char *text)
{
    for (int depth = 0; *text;) {
        bool opens = text[0] == '/' && text[1] == '*', closes = text[0] == '*' && text[1] == '/';
        if (opens || (closes && depth > 0)) {
            depth += opens ? 1 : -1;
            text += 2;
        } else if (depth > 0 || strchr(" \t\r\n\f\v(", *text)) {
            text++;
        } else if (text[0] == '-' && text[1] == '-') {
            text += strcspn(text, "\r\n");
        } else {
            break;
        }
    }
    return text;
}

/* The server is not asked to run what does not begin as a statement that reads: COPY can start
 * programs there before anybody sees that it gives no rows. */
static cairn_source_end check_statement(cairn_source_job *job)
{
    static const char *const reading[] = {"select", "with", "values", "table", "show"};
    const char *word = first_word(job->query);
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        if (strlen(reading[i]) == length && strncasecmp(word, reading[i], length) == 0)
            return CAIRN_SOURCE_DONE;
    snprintf(job->message, sizeof job->message,
             "'%.*s' is not sent to the server; write a SELECT, WITH, VALUES, TABLE or SHOW",
             length < 40 ? (int)length : 40, word);
    if (length == 0) say(job, "the query is empty or does not begin with a word; write a SELECT");
    return CAIRN_SOURCE_BAD_QUERY;
}

/* -- rows -- */

static cairn_source_type type_of(Oid type)
{
    switch (type) {
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
    case TYPE_OID: return CAIRN_SOURCE_INTEGER;
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
    case TYPE_NUMERIC: return CAIRN_SOURCE_NUMERAL;
    case TYPE_BOOL: return CAIRN_SOURCE_TRUTH;
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMPTZ: return CAIRN_SOURCE_TIME;
    case TYPE_BYTEA: return CAIRN_SOURCE_BYTES;
    default: return CAIRN_SOURCE_TEXT;
    }
}

/* Digits with perhaps a sign, as the server writes integers of 64 bits. */
static int64_t integer_of(const char *text)
{
    bool negative = *text == '-';
    uint64_t value = 0;
    for (text += negative; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (uint64_t)(*text - '0');
    return negative ? (int64_t)(0 - value) : (int64_t)value;
}

typedef struct row_state {
    int n;
    cairn_source_type *types;
    cairn_source_cell *cells;
} row_state;

static cairn_source_end begin_rows(cairn_source_job *job, row_state *s, const PGresult *result)
{
    const char **names;
    s->n = PQnfields(result);
    s->types = calloc((size_t)s->n + 1, sizeof *s->types);
    s->cells = calloc((size_t)s->n + 1, sizeof *s->cells);
    names = calloc((size_t)s->n + 1, sizeof *names);
    bool made = s->types && s->cells && names, wanted = false;
    for (int j = 0; made && j < s->n; j++) {
        names[j] = PQfname(result, j);
        s->types[j] = type_of(PQftype(result, j));
    }
    if (made) wanted = job->begin(job->data, names, (size_t)s->n);
    free(names);
    return !made ? CAIRN_SOURCE_NO_MEMORY : wanted ? CAIRN_SOURCE_DONE : CAIRN_SOURCE_STOPPED;
}

static cairn_source_end take_row(cairn_source_job *job, row_state *s, const PGresult *result,
                                 int row)
{
    for (int j = 0; j < s->n; j++) {
        cairn_source_cell *cell = &s->cells[j];
        cell->type = PQgetisnull(result, row, j) ? CAIRN_SOURCE_NULL : s->types[j];
        cell->text = PQgetvalue(result, row, j);
        cell->length = (size_t)PQgetlength(result, row, j);
        if (cell->type == CAIRN_SOURCE_INTEGER) cell->integer = integer_of(cell->text);
        if (cell->type == CAIRN_SOURCE_TRUTH) cell->integer = *cell->text == 't';
    }
    return job->row(job->data, s->cells) ? CAIRN_SOURCE_DONE : CAIRN_SOURCE_STOPPED;
}

static cairn_source_end take_result(cairn_source_job *job, PGconn *connection, row_state *s,
                                    const PGresult *result)
{
    cairn_source_end end = CAIRN_SOURCE_DONE;
    switch (PQresultStatus(result)) {
    case PGRES_SINGLE_TUPLE:
    case PGRES_TUPLES_OK:
        if (!s->cells) end = begin_rows(job, s, result);
        for (int row = 0; !end && row < PQntuples(result); row++)
            end = take_row(job, s, result, row);
        return end;
    case PGRES_COMMAND_OK:
        say(job, "the statement gives no rows; write a SELECT");
        return CAIRN_SOURCE_BAD_QUERY;
    case PGRES_EMPTY_QUERY: say(job, "the query is empty"); return CAIRN_SOURCE_BAD_QUERY;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
        say(job, "COPY cannot be read; write a SELECT");
        return CAIRN_SOURCE_BAD_QUERY;
    default: return failed(job, connection, PQresultErrorMessage(result));
    }
}

static cairn_source_end read_rows(cairn_source_job *job, PGconn *connection, row_state *s)
{
    PGresult *result;
    /* this way of sending takes one statement only */
    if (!PQsendQueryParams(connection, job->query, 0, NULL, NULL, NULL, NULL, 0))
        return failed(job, connection, PQerrorMessage(connection));
    PQsetSingleRowMode(connection);
    for (;;) {
        if (!next_result(job, connection, &result)) return cancel(connection);
        if (!result) return CAIRN_SOURCE_DONE;
        cairn_source_end end = take_result(job, connection, s, result);
        PQclear(result);
        if (end == CAIRN_SOURCE_STOPPED) cancel(connection);
        if (end) return end;
    }
}

static cairn_source_end read_query(cairn_source_job *job)
{
    PGconn *connection = NULL;
    row_state s = {0};
    cairn_source_end end = check_statement(job);
    if (!end) end = connect_to(job, &connection);
    if (!end) end = prepare(job, connection);
    if (!end) end = read_rows(job, connection, &s);
    free(s.types);
    free(s.cells);
    PQfinish(connection);
    return end;
}

extern CAIRN_API const cairn_source_module cairn_source_module_record;
CAIRN_API const cairn_source_module cairn_source_module_record = {
    .abi = CAIRN_SOURCE_ABI,
    .name = "postgres",
    .list_tables =
        "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text "
        "ELSE n.nspname || '.' || c.relname END FROM pg_class c "
        "JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname <> 'information_schema' "
        "AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1",
    .read = read_query,
};
