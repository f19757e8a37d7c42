/* SPDX-License-Identifier: MIT */
/* PostgreSQL as a source: one statement in a read-only session, its rows taken one by one as the
 * server sends them; and tables written by COPY in one transaction. Nothing waits blindly:
 * connecting has a time limit, and whoever presses Ctrl-C is heard while waiting and stops the
 * query on the server. See data/source_module.h. */
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

enum {
    LOOK_MILLISECONDS = 50,
    CONNECT_SECONDS = 10,
    DRAIN_SECONDS = 5,
    LONGEST_NAME = 63, /* bytes; of a longer one the server would keep the first */
    PIECE_BYTES = 1 << 16
};

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
    TYPE_TEXTS = 1009,
    TYPE_VARCHARS = 1015,
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

/* Statements that give no rows. */
static cairn_source_end run(cairn_source_job *job, PGconn *connection, const char *sql)
{
    static const char taken[] = "42P07";
    cairn_source_end end = CAIRN_SOURCE_DONE;
    PGresult *result;
    PQsetNoticeProcessor(connection, keep_quiet, NULL);
    if (!PQsendQuery(connection, sql)) return failed(job, connection, PQerrorMessage(connection));
    for (;;) {
        if (!next_result(job, connection, &result)) return cancel(connection);
        if (!result) return end;
        if (PQresultStatus(result) != PGRES_COMMAND_OK && !end) {
            const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
            end = failed(job, connection, PQresultErrorMessage(result));
            if (code && strcmp(code, taken) == 0) end = CAIRN_SOURCE_TAKEN;
        }
        PQclear(result);
    }
}

/* Nothing can be changed, and values are written in a way that the library reads. */
static cairn_source_end prepare(cairn_source_job *job, PGconn *connection)
{
    return run(job, connection,
               "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET datestyle TO ISO; "
               "SET timezone TO UTC; BEGIN TRANSACTION READ ONLY");
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
    case TYPE_TEXTS:
    case TYPE_VARCHARS: return CAIRN_SOURCE_ITEMS;
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

/* Texts of a list, and the bytes that those in quotes were written into without them. */
typedef struct list {
    cairn_source_item *items;
    char *bytes;
    size_t n_items, n_bytes; /* that there is room for */
} list;

typedef struct row_state {
    int n;
    cairn_source_type *types;
    cairn_source_cell *cells;
    list *lists; /* one per column */
} row_state;

static cairn_source_end begin_rows(cairn_source_job *job, row_state *s, const PGresult *result)
{
    const char **names;
    s->n = PQnfields(result);
    s->types = calloc((size_t)s->n + 1, sizeof *s->types);
    s->cells = calloc((size_t)s->n + 1, sizeof *s->cells);
    s->lists = calloc((size_t)s->n + 1, sizeof *s->lists);
    names = calloc((size_t)s->n + 1, sizeof *names);
    bool made = s->types && s->cells && s->lists && names, wanted = false;
    for (int j = 0; made && j < s->n; j++) {
        names[j] = PQfname(result, j);
        s->types[j] = type_of(PQftype(result, j));
    }
    if (made) wanted = job->begin(job->data, names, (size_t)s->n);
    free(names);
    return !made ? CAIRN_SOURCE_NO_MEMORY : wanted ? CAIRN_SOURCE_DONE : CAIRN_SOURCE_STOPPED;
}

/* An item of {a,"b c",NULL} from `at` on: its letters go to `to`. Returns what follows it. */
static const char *take_item(const char *at, char **to, cairn_source_item *item)
{
    bool quoted = *at == '"';
    char *from = *to;
    const char *begun = at;
    for (at += quoted; *at && (quoted ? *at != '"' : *at != ',' && *at != '}'); at++) {
        if (*at == '\\' && at[1]) at++;
        *(*to)++ = *at;
    }
    at += quoted && *at == '"';
    bool null = !quoted && at - begun == 4 && strncasecmp(begun, "NULL", 4) == 0;
    *item = (cairn_source_item){null ? NULL : from, null ? 0 : (size_t)(*to - from)};
    return at;
}

/* A list of one dimension that counts from 1, as the server writes it. */
static cairn_source_end take_list(cairn_source_job *job, list *l, cairn_source_cell *cell)
{
    size_t most = cell->length / 2 + 1, n = 0;
    const char *at = cell->text + 1;
    if (*cell->text != '{' || *at == '{') {
        say(job, "a list has several dimensions, or does not count from 1; write it as text, "
                 "COLUMN::text");
        return CAIRN_SOURCE_NO_TABLE;
    }
    if (most > l->n_items || cell->length >= l->n_bytes) {
        free(l->items);
        free(l->bytes);
        l->n_items = 2 * most;
        l->n_bytes = 2 * cell->length + 1;
        l->items = malloc(l->n_items * sizeof *l->items);
        l->bytes = malloc(l->n_bytes);
        if (!l->items || !l->bytes) return CAIRN_SOURCE_NO_MEMORY;
    }
    char *to = l->bytes;
    while (*at && *at != '}' && n < l->n_items) {
        at = take_item(at, &to, &l->items[n++]);
        at += *at == ',';
    }
    cell->items = l->items;
    cell->length = n;
    return CAIRN_SOURCE_DONE;
}

static cairn_source_end take_row(cairn_source_job *job, row_state *s, const PGresult *result,
                                 int row)
{
    cairn_source_end end = CAIRN_SOURCE_DONE;
    for (int j = 0; j < s->n; j++) {
        cairn_source_cell *cell = &s->cells[j];
        cell->type = PQgetisnull(result, row, j) ? CAIRN_SOURCE_NULL : s->types[j];
        cell->text = PQgetvalue(result, row, j);
        cell->length = (size_t)PQgetlength(result, row, j);
        if (cell->type == CAIRN_SOURCE_INTEGER) cell->integer = integer_of(cell->text);
        if (cell->type == CAIRN_SOURCE_TRUTH) cell->integer = *cell->text == 't';
        if (cell->type == CAIRN_SOURCE_ITEMS) end = take_list(job, &s->lists[j], cell);
        if (end) return end;
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
    for (int j = 0; s.lists && j < s.n; j++) {
        free(s.lists[j].items);
        free(s.lists[j].bytes);
    }
    free(s.lists);
    free(s.types);
    free(s.cells);
    PQfinish(connection);
    return end;
}

/* -- writing -- */

/* Bytes on their way to the server. */
typedef struct piece {
    char *bytes;
    size_t length, capacity;
    bool failed; /* no memory */
} piece;

static void put(piece *p, const char *bytes, size_t n)
{
    if (p->failed) return;
    if (p->length + n > p->capacity) {
        size_t capacity = 2 * (p->length + n) + PIECE_BYTES;
        char *grown = realloc(p->bytes, capacity);
        if (!grown) {
            p->failed = true;
            return;
        }
        p->bytes = grown;
        p->capacity = capacity;
    }
    memcpy(p->bytes + p->length, bytes, n);
    p->length += n;
}

static void put_text(piece *p, const char *text)
{
    put(p, text, strlen(text));
}

static void put_name(piece *p, const char *name)
{
    put(p, "\"", 1);
    for (; *name; name++) {
        if (*name == '"') put(p, name, 1);
        put(p, name, 1);
    }
    put(p, "\"", 1);
}

/* Letters that would end a cell or a row, and the one that says so, with a backslash. */
static void put_letters(piece *p, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *code = text[i] == '\n'   ? "\\n"
                           : text[i] == '\r' ? "\\r"
                           : text[i] == '\t' ? "\\t"
                           : text[i] == '\\' ? "\\\\"
                                             : NULL;
        put(p, code ? code : text + i, code ? 2 : 1);
    }
}

static void put_list(piece *p, const cairn_source_cell *cell)
{
    for (size_t i = 0; i < cell->length; i++) {
        const cairn_source_item *item = &cell->items[i];
        put_text(p, i ? "," : "{");
        put_text(p, item->text ? "\"" : "NULL");
        for (size_t k = 0; k < item->length; k++) {
            bool marked = item->text[k] == '"' || item->text[k] == '\\';
            if (marked) put_letters(p, "\\", 1);
            put_letters(p, item->text + k, 1);
        }
        if (item->text) put_text(p, "\"");
    }
    put_text(p, cell->length ? "}" : "{}");
}

static void put_cell(piece *p, const cairn_source_cell *cell)
{
    char number[32];
    switch (cell->type) {
    case CAIRN_SOURCE_NULL: put_text(p, "\\N"); break;
    case CAIRN_SOURCE_INTEGER:
        put(p, number, (size_t)snprintf(number, sizeof number, "%lld", (long long)cell->integer));
        break;
    case CAIRN_SOURCE_TRUTH: put_text(p, cell->integer ? "t" : "f"); break;
    case CAIRN_SOURCE_ITEMS: put_list(p, cell); break;
    default: put_letters(p, cell->text, cell->length); break;
    }
}

static const char *type_name(cairn_source_type type)
{
    switch (type) {
    case CAIRN_SOURCE_INTEGER: return " bigint";
    case CAIRN_SOURCE_NUMERAL: return " double precision";
    case CAIRN_SOURCE_TRUTH: return " boolean";
    case CAIRN_SOURCE_DATE: return " date";
    case CAIRN_SOURCE_TIME: return " timestamp";
    case CAIRN_SOURCE_ZONED: return " timestamptz";
    case CAIRN_SOURCE_ITEMS: return " text[]";
    default: return " text";
    }
}

static cairn_source_end check_name(cairn_source_job *job, const char *name, size_t length)
{
    if (length <= LONGEST_NAME) return CAIRN_SOURCE_DONE;
    snprintf(job->message, sizeof job->message,
             "the name '%.100s' has more than the %d bytes that PostgreSQL keeps; choose a shorter "
             "one",
             name, LONGEST_NAME);
    return CAIRN_SOURCE_BAD_QUERY;
}

static cairn_source_end make_table(cairn_source_job *job, PGconn *connection,
                                   const cairn_source_writing *w, piece *p)
{
    cairn_source_end end = CAIRN_SOURCE_DONE;
    for (const char *at = w->table, *dot; !end && *at; at = *dot ? dot + 1 : dot) {
        dot = at + strcspn(at, ".");
        end = check_name(job, w->table, (size_t)(dot - at));
    }
    for (size_t j = 0; !end && j < w->n_columns; j++)
        end = check_name(job, w->names[j], strlen(w->names[j]));
    if (end) return end;
    end = run(job, connection, "SET datestyle TO ISO; SET timezone TO UTC; BEGIN");
    if (end) return end;
    if (w->replaces) {
        put_text(p, "DROP TABLE IF EXISTS ");
        put_text(p, w->quoted);
        put_text(p, "; ");
    }
    put_text(p, "CREATE TABLE ");
    put_text(p, w->quoted);
    for (size_t j = 0; j < w->n_columns; j++) {
        put_text(p, j ? ", " : " (");
        put_name(p, w->names[j]);
        put_text(p, type_name(w->types[j]));
    }
    put(p, ")", 2);
    return p->failed ? CAIRN_SOURCE_NO_MEMORY : run(job, connection, p->bytes);
}

/* Hand a piece over; the socket is never waited for blindly. */
static cairn_source_end send_piece(cairn_source_job *job, PGconn *connection, piece *p)
{
    int sent;
    if (p->failed) return CAIRN_SOURCE_NO_MEMORY;
    while ((sent = PQputCopyData(connection, p->bytes, (int)p->length)) == 0)
        if (!wait_for(job, connection, POLLOUT, 0)) return CAIRN_SOURCE_CANCELLED;
    p->length = 0;
    return sent > 0 ? CAIRN_SOURCE_DONE : failed(job, connection, PQerrorMessage(connection));
}

static cairn_source_end send_rows(cairn_source_job *job, PGconn *connection,
                                  cairn_source_writing *w, piece *p)
{
    cairn_source_cell *cells = calloc(w->n_columns + 1, sizeof *cells);
    cairn_source_end end = cells ? CAIRN_SOURCE_DONE : CAIRN_SOURCE_NO_MEMORY;
    while (!end && w->next(w->data, cells)) {
        for (size_t j = 0; j < w->n_columns; j++) {
            if (j) put_text(p, "\t");
            put_cell(p, &cells[j]);
        }
        put_text(p, "\n");
        if (p->length < PIECE_BYTES && !p->failed) continue;
        end = send_piece(job, connection, p);
        if (!end && w->is_cancelled(w->data)) end = CAIRN_SOURCE_CANCELLED;
    }
    if (!end && p->length) end = send_piece(job, connection, p);
    if (!end && w->is_cancelled(w->data)) end = CAIRN_SOURCE_CANCELLED;
    free(cells);
    return end;
}

/* All that was handed over reaches the server, and what it says of it is heard. */
static cairn_source_end end_copy(cairn_source_job *job, PGconn *connection)
{
    cairn_source_end end = CAIRN_SOURCE_DONE;
    PGresult *result;
    int state;
    while ((state = PQputCopyEnd(connection, NULL)) == 0)
        if (!wait_for(job, connection, POLLOUT, 0)) return CAIRN_SOURCE_CANCELLED;
    if (state < 0) return failed(job, connection, PQerrorMessage(connection));
    while ((state = PQflush(connection)) > 0)
        if (!wait_for(job, connection, POLLOUT, 0)) return CAIRN_SOURCE_CANCELLED;
    if (state < 0) return failed(job, connection, PQerrorMessage(connection));
    for (;;) {
        if (!next_result(job, connection, &result)) return CAIRN_SOURCE_CANCELLED;
        if (!result) return end;
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            end = failed(job, connection, PQresultErrorMessage(result));
        PQclear(result);
    }
}

static cairn_source_end copy_rows(cairn_source_job *job, PGconn *connection,
                                  cairn_source_writing *w, piece *p)
{
    PGresult *result = NULL;
    cairn_source_end end = CAIRN_SOURCE_DONE;
    p->length = 0;
    put_text(p, "COPY ");
    put_text(p, w->quoted);
    put(p, " FROM STDIN", 12);
    if (p->failed) return CAIRN_SOURCE_NO_MEMORY;
    if (!PQsendQuery(connection, p->bytes))
        return failed(job, connection, PQerrorMessage(connection));
    if (!next_result(job, connection, &result)) return CAIRN_SOURCE_CANCELLED;
    if (PQresultStatus(result) != PGRES_COPY_IN)
        end = failed(job, connection, PQresultErrorMessage(result));
    PQclear(result);
    p->length = 0;
    PQsetnonblocking(connection, 1);
    if (!end) end = send_rows(job, connection, w, p);
    if (!end) end = end_copy(job, connection);
    PQsetnonblocking(connection, 0);
    return end;
}

/* A transaction that is not ended ends with the connection, and nothing of it stays. */
static cairn_source_end write_table(cairn_source_writing *w)
{
    cairn_source_job job = {.place = w->place, .data = w->data, .is_cancelled = w->is_cancelled};
    PGconn *connection = NULL;
    piece p = {.bytes = NULL};
    cairn_source_end end = connect_to(&job, &connection);
    if (!end) end = make_table(&job, connection, w, &p);
    if (!end) end = copy_rows(&job, connection, w, &p);
    if (!end) end = run(&job, connection, "COMMIT");
    PQfinish(connection);
    free(p.bytes);
    memcpy(w->message, job.message, sizeof w->message);
    return end;
}

extern CAIRN_API const cairn_source_module cairn_source_module_record;
CAIRN_API const cairn_source_module cairn_source_module_record = {
    .abi = CAIRN_SOURCE_ABI,
    .name = "postgres",
    .has_schemas = true,
    .has_lists = true,
    .takes_numerals = true,
    .list_tables =
        "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text "
        "ELSE n.nspname || '.' || c.relname END FROM pg_class c "
        "JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname <> 'information_schema' "
        "AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1",
    .read = read_query,
    .write = write_table,
};
