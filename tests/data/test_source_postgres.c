/* SPDX-License-Identifier: MIT */
/* PostgreSQL as a source, on the server that postgres.sh started: its socket's folder is in
 * CAIRN_TEST_POSTGRES. */
#include "cairn/cairn.h"
#include "data/source_test.h"
#include <libpq-fe.h>
#include <stdlib.h>

static const char *socket_folder;

static const char *locator(const char *rest)
{
    static char text[600];
    snprintf(text, sizeof text, "postgres:host=%s user=cairn dbname=postgres%s", socket_folder,
             rest);
    return text;
}

static void run(const char *sql)
{
    char info[300];
    snprintf(info, sizeof info, "host=%s user=cairn dbname=postgres", socket_folder);
    PGconn *connection = PQconnectdb(info);
    if (PQstatus(connection) != CONNECTION_OK) fail_msg("%s", PQerrorMessage(connection));
    PQsetNoticeProcessor(connection, NULL, NULL);
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
}

static void test_postgres__kinds(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    run("CREATE TABLE kinds (i int, s smallint, k bigint, r real, f double precision, n numeric, "
        "b boolean, d date, ts timestamp, tz timestamptz, v varchar, u text, e text, tm time);"
        "INSERT INTO kinds VALUES (1, -2, 9007199254740993, 1.5, 0.1, 12345.678, true, "
        "'2026-11-15', '2026-11-15 14:30:05.25', '2026-11-15 14:30+02', 'red', '7', '', '10:20'),"
        "(NULL, NULL, NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
        "(-3, 4, -5, 2, 1e300, -0.5, false, '0001-01-01', '2026-11-16', '2026-11-16 00:00+00', "
        "'gr\303\274n', '8', 'x', '10:30')");
    cairn_table *t = read_source(ctx, locator("?table=kinds"), NULL);
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 14);
    for (size_t j = 0; j < 14; j++) assert_int_equal(t->slots[j].column->n_missing, 1);
    assert_true(column_of(t, "i")->numbers[2] == -3);
    assert_true(column_of(t, "s")->numbers[0] == -2);
    assert_non_null(strstr(warning, "column 'k': 1 whole numbers beyond 2^53"));
    assert_true(column_of(t, "f")->numbers[0] == 0.1 && column_of(t, "f")->numbers[2] == 1e300);
    assert_true(column_of(t, "n")->numbers[0] == 12345.678);
    assert_int_equal(column_of(t, "b")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "b", 0), "true");
    assert_int_equal(column_of(t, "d")->kind, CAIRN_TIME);
    assert_string_equal(cell(t, "d", 0), "2026-11-15");
    assert_string_equal(cell(t, "d", 2), "0001-01-01");
    assert_string_equal(cell(t, "ts", 0), "2026-11-15 14:30:05.250");
    assert_string_equal(cell(t, "tz", 0), "2026-11-15 12:30:00Z");
    assert_int_equal(column_of(t, "v")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "v", 2), "gr\303\274n");
    assert_int_equal(column_of(t, "u")->kind, CAIRN_NUMBER);
    assert_int_equal(column_of(t, "e")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "tm", 0), "10:20:00");
    cairn_table_free(t);
}

static void test_postgres__uri_schema_and_query(void **state)
{
    cairn_context *ctx = *state;
    char uri[600];
    run("CREATE SCHEMA stock; CREATE TABLE stock.\"Shop items\" (a int); "
        "INSERT INTO stock.\"Shop items\" VALUES (1), (2)");
    snprintf(uri, sizeof uri, "postgresql:///postgres?host=%s&user=cairn&table=stock.Shop items",
             socket_folder);
    cairn_table *t = read_source(ctx, uri, NULL);
    assert_int_equal(t->n_rows, 2);
    cairn_table_free(t);
    snprintf(uri, sizeof uri,
             "postgres:///postgres?host=%s&user=cairn&query=SELECT a & 1 AS odd, '100%%' AS share "
             "FROM stock.\"Shop items\" WHERE a > 0 ORDER BY a",
             socket_folder);
    t = read_source(ctx, uri, NULL);
    assert_true(column_of(t, "odd")->numbers[0] == 1 && column_of(t, "odd")->numbers[1] == 0);
    cairn_table_free(t);
    assert_refused(ctx, locator(""), CAIRN_USAGE, "stock.Shop items");
}

static void test_postgres__refusals(void **state)
{
    cairn_context *ctx = *state;
    run("CREATE TABLE small (a int); INSERT INTO small VALUES (1)");
    assert_refused(ctx, locator("?table=none"), CAIRN_USAGE, "relation \"none\" does not exist");
    assert_refused(ctx, locator("?query=SELEC 1"), CAIRN_USAGE, "'SELEC' is not sent");
    assert_refused(ctx, locator("?query=SELECT 1 FRO small"), CAIRN_USAGE, "syntax error");
    assert_refused(ctx, locator("?query=INSERT INTO small VALUES (2)"), CAIRN_USAGE,
                   "'INSERT' is not sent");
    assert_refused(ctx,
                   locator("?query=WITH x AS (INSERT INTO small VALUES (2) RETURNING a) "
                           "SELECT * FROM x"),
                   CAIRN_USAGE, "read-only transaction");
    assert_refused(ctx, locator("?query=SELECT set_config('transaction_read_only', 'off', false)"),
                   CAIRN_USAGE, "read-write mode");
    assert_refused(ctx, locator("?query= /* a /* b */ */ -- c\n COPY small TO PROGRAM 'true'"),
                   CAIRN_USAGE, "'COPY' is not sent");
    assert_refused(ctx, locator("?query=SELECT 1; SELECT 2"), CAIRN_USAGE, "multiple commands");
    assert_refused(ctx, locator("?query=COPY small TO STDOUT"), CAIRN_USAGE, "write a SELECT");
    assert_refused(ctx, locator("?query=SET work_mem = '1MB'"), CAIRN_USAGE, "'SET' is not sent");
    cairn_table_free(read_source(ctx, locator("?query=/* all */ (TABLE small)"), NULL));
    cairn_table_free(read_source(ctx, locator("?query=values (1), (2)"), NULL));
    assert_refused(ctx, locator("?query=SELECT a FROM small WHERE a > 9"), CAIRN_BAD_DATA,
                   "no row");
    assert_refused(ctx, locator("?query=SELECT 1 / (a - 1) FROM small"), CAIRN_USAGE,
                   "division by zero");
    assert_refused(ctx, locator("?query=SELECT 'infinity'::float8 AS x"), CAIRN_BAD_DATA,
                   "infinite");
    assert_refused(ctx, locator("?query=SELECT 'infinity'::date AS x"), CAIRN_BAD_DATA, "no time");
    assert_refused(ctx, locator("?query=SELECT 'abc'::bytea AS x"), CAIRN_BAD_DATA, "bytes");
}

/* No server, no user, a wrong password, a connection that cannot be read: told, and without the
 * password. */
static void test_postgres__not_let_in(void **state)
{
    cairn_context *ctx = *state;
    char path[400];
    time_t begun = time(NULL);
    assert_refused(ctx, "postgres:host=/tmp/no-such-folder dbname=x?table=t", CAIRN_FILE_ERROR,
                   "is the server running");
    assert_refused(ctx, "postgres://u:s3cret@127.0.0.1:1/db?table=t", CAIRN_FILE_ERROR,
                   "postgres://u:***@127.0.0.1:1/db");
    assert_null(strstr(cairn_message(ctx), "s3cret"));
    snprintf(path, sizeof path, "postgres:host=%s user=locked password=s3cret dbname=postgres",
             socket_folder);
    assert_refused(ctx, path, CAIRN_FILE_ERROR, "password authentication failed");
    assert_null(strstr(cairn_message(ctx), "s3cret"));
    assert_refused(ctx, "postgres:host=h s3cret?table=t", CAIRN_USAGE, "cannot be read");
    /* a connection that nobody answers is given up in time */
    assert_refused(ctx, "postgres:host=192.0.2.1 connect_timeout=1 dbname=x?table=t",
                   CAIRN_FILE_ERROR, "192.0.2.1");
    assert_true(time(NULL) - begun < 30);
    snprintf(path, sizeof path,
             "postgres:host=%s user=locked password=right dbname=postgres"
             "?query=SELECT 1 AS a",
             socket_folder);
    cairn_table_free(read_source(ctx, path, NULL));
}

static bool file_holds(const char *path, const char *text)
{
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return memmem(bytes, n, text, strlen(text)) != NULL;
}

/* A model knows where its rows came from, and not the password. */
static void test_postgres__models_keep_no_password(void **state)
{
    cairn_context *ctx = *state;
    char data[400], model[] = "/tmp/cairn-model-XXXXXX";
    cairn_report *report;
    int file = mkstemp(model);
    assert_true(file >= 0);
    close(file);
    snprintf(data, sizeof data,
             "postgres:host=%s user=locked password=right dbname=postgres?query=SELECT i, i %% 2 "
             "AS y FROM generate_series(1, 20) AS i",
             socket_folder);
    const char *const words[] = {"fit", "majority", data, "--target", "y", "--save", model};
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, 7, words));
    assert_true(file_holds(model, "password=***"));
    assert_false(file_holds(model, "password=right"));
    cairn_report_free(report);
    unlink(model);
}

static void test_postgres__many_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_source(
        ctx,
        locator("?query=SELECT i, i * 0.5::float8 AS x, 'level ' || (i % 11) AS l, 'text ' || i AS "
                "s, DATE '2026-01-01' + (i % 365) AS d FROM generate_series(1, 200000) AS i"),
        NULL);
    assert_int_equal(t->n_rows, 200000);
    assert_true(column_of(t, "x")->numbers[199999] == 100000);
    assert_int_equal(column_of(t, "l")->names.n, 11);
    assert_int_equal(column_of(t, "s")->kind, CAIRN_TEXT);
    assert_string_equal(cell(t, "s", 99999), "text 100000");
    assert_int_equal(column_of(t, "d")->kind, CAIRN_TIME);
    cairn_table_free(t);
}

/* The query ends on the server, too. */
static void test_postgres__can_be_cancelled(void **state)
{
    cairn_context *ctx = *state, *other;
    assert_cancelled(ctx, locator("?query=SELECT pg_sleep(60)::text AS x"));
    assert_ok(NULL, cairn_context_new(&other, NULL));
    cairn_table *t = read_source(other,
                                 locator("?query=SELECT count(*) AS n FROM pg_stat_activity WHERE "
                                         "state = 'active' AND query LIKE 'SELECT pg_sleep%'"),
                                 NULL);
    assert_true(column_of(t, "n")->numbers[0] == 0);
    cairn_table_free(t);
    cairn_context_free(other);
}

static void test_postgres__cancelled_among_rows(void **state)
{
    assert_cancelled(*state, locator("?query=SELECT i FROM generate_series(1, 1000000000) AS i"));
}

static void test_postgres__is_not_written(void **state)
{
    cairn_context *ctx = *state;
    const double x[] = {1};
    cairn_table *t;
    assert_ok(ctx, cairn_table_new(ctx, &t, 1));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", x));
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=new"), NULL), CAIRN_USAGE,
                 "read but not written");
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_postgres__kinds),
        context_test(test_postgres__uri_schema_and_query),
        context_test(test_postgres__refusals),
        context_test(test_postgres__not_let_in),
        context_test(test_postgres__models_keep_no_password),
        context_test(test_postgres__many_rows),
        context_test(test_postgres__can_be_cancelled),
        context_test(test_postgres__cancelled_among_rows),
        context_test(test_postgres__is_not_written),
    };
    socket_folder = getenv("CAIRN_TEST_POSTGRES");
    if (!socket_folder) {
        fprintf(stderr, "run this through postgres.sh, which starts a server\n");
        return 1;
    }
    run("CREATE ROLE locked LOGIN PASSWORD 'right'");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
