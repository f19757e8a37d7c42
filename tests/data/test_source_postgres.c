/* SPDX-License-Identifier: MIT */
/* PostgreSQL as a source, on the server that postgres.sh started: its socket's folder is in
 * CAIRN_TEST_POSTGRES. */
#include "cairn/cairn.h"
#include "data/source.h"
#include "data/source_test.h"
#include "support/fail_alloc.h"
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

/* -- writing -- */

static cairn_table *table_of(cairn_context *ctx, const char *name, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, name, text, strlen(text), NULL));
    return t;
}

static void assert_types(cairn_context *ctx, const char *table, const char *wanted)
{
    char rest[300];
    snprintf(rest, sizeof rest,
             "?query=SELECT string_agg(data_type, ', ' ORDER BY ordinal_position) AS types FROM "
             "information_schema.columns WHERE table_name = '%s'",
             table);
    cairn_table *t = read_source(ctx, locator(rest), NULL);
    assert_string_equal(cell(t, "types", 0), wanted);
    cairn_table_free(t);
}

/* Every kind, and texts of all that means something to COPY. */
static void test_postgres__writes_what_it_reads(void **state)
{
    cairn_context *ctx = *state;
    static const char json[] =
        "[{\"i\":1,\"r\":0.1,\"huge\":1e300,\"b\":true,\"d\":\"2026-11-15\","
        "\"t\":\"2026-11-15 10:30:05.25\",\"z\":\"2026-11-15 10:30:00Z\","
        "\"odd \\\"name\\\"\":\"tab\\tline\\nend\\r\\\\N {}\",\"l\":[\"a\",\"b "
        "c\",\"q\\\"\\\\,}\",\"NULL\"]},"
        "{\"odd \\\"name\\\"\":\"\\\\N\",\"b\":false,\"i\":-9007199254740992},"
        "{\"odd \\\"name\\\"\":\"\",\"l\":[],\"d\":\"0001-01-01\"}]";
    cairn_table *t = table_of(ctx, "t.json", json);
    assert_ok(ctx, cairn_table_write(ctx, t, locator("?table=my \"t\""), NULL));
    assert_types(ctx, "my \"t\"",
                 "bigint, double precision, double precision, boolean, date, timestamp without "
                 "time zone, timestamp with time zone, text, ARRAY");
    cairn_table *back = read_source(ctx, locator("?table=my \"t\""), NULL);
    assert_int_equal(back->n_rows, 3);
    for (size_t j = 0; j < t->n_columns; j++) {
        assert_string_equal(back->slots[j].name, t->slots[j].name);
        assert_int_equal(back->slots[j].column->kind, t->slots[j].column->kind);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(cairn_column_is_missing(back->slots[j].column, i),
                             cairn_column_is_missing(t->slots[j].column, i));
            assert_string_equal(cell(back, t->slots[j].name, i), cell(t, t->slots[j].name, i));
        }
    }
    cairn_table_free(back);
    cairn_table_free(t);
}

static void test_postgres__lists_are_bags(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_source(
        ctx,
        locator("?query=SELECT * FROM (VALUES (ARRAY['b', NULL, 'a,\"\\', '']), (NULL), "
                "('{}'::text[]), (ARRAY['null'])) AS x (l)"),
        NULL);
    const cairn_column *l = column_of(t, "l");
    assert_int_equal(l->kind, CAIRN_BAG);
    assert_int_equal(l->starts[1], 4);
    assert_true(cairn_column_is_missing(l, 1) && !cairn_column_is_missing(l, 2));
    assert_int_equal(l->starts[4] - l->starts[3], 1);
    assert_true(cairn_map_find(&l->names, "a,\"\\", 4) >= 0);
    assert_true(cairn_map_find(&l->names, "null", 4) >= 0);
    cairn_table_free(t);
    assert_refused(ctx, locator("?query=SELECT ARRAY[['a'],['b']] AS l"), CAIRN_BAD_DATA,
                   "several dimensions");
    assert_refused(ctx, locator("?query=SELECT '[0:1]={a,b}'::text[] AS l"), CAIRN_BAD_DATA,
                   "does not count from 1");
}

static void test_postgres__lost_digits_warn(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    cairn_table_free(read_source(ctx, locator("?query=SELECT 123456.7800000000000 AS p"), NULL));
    assert_string_equal(warning, "");
    cairn_table_free(read_source(ctx, locator("?query=SELECT 12345678901234567890.12 AS p"), NULL));
    assert_non_null(strstr(warning, "column 'p': 1 number has more digits than a double holds"));
}

static void test_postgres__a_table_goes_only_by_force(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "t.csv", "a,b\n1,x\n2,y\n"), *back;
    run("CREATE SCHEMA other; CREATE TABLE old (c int); INSERT INTO old VALUES (7); "
        "CREATE TABLE used (c int); CREATE VIEW uses AS SELECT * FROM used");
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=old"), NULL), CAIRN_USAGE,
                 "is there already");
    assert_fails(ctx, cairn_source_write(ctx, t, locator("?table=used"), CAIRN_EXISTING_GOES),
                 CAIRN_USAGE, "other objects depend on it");
    assert_fails(ctx, cairn_source_write(ctx, t, locator("?table=uses"), CAIRN_EXISTING_GOES),
                 CAIRN_USAGE, "is not a table");
    assert_ok(ctx, cairn_source_write(ctx, t, locator("?table=old"), CAIRN_EXISTING_GOES));
    back = read_source(ctx, locator("?table=old"), NULL);
    assert_string_equal(cell(back, "b", 1), "y");
    cairn_table_free(back);
    assert_ok(ctx, cairn_source_write(ctx, t, locator("?table=other.old"), CAIRN_EXISTING_GOES));
    cairn_table_free(read_source(ctx, locator("?table=other.old"), NULL));
    cairn_table_free(t);
}

/* What the server refuses leaves nothing behind. */
static void test_postgres__writing_is_refused(void **state)
{
    cairn_context *ctx = *state;
    static const char name[] = "a234567890123456789012345678901234567890123456789012345678901234";
    char text[200];
    cairn_table *t = NULL;
    static const double one = 1;
    snprintf(text, sizeof text, "%s\n1\n", name);
    t = table_of(ctx, "t.csv", text);
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=long"), NULL), CAIRN_USAGE,
                 "more than the 63 bytes that PostgreSQL keeps");
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_new(ctx, &t, 1));
    for (size_t j = 0; j < 1601; j++) {
        snprintf(text, sizeof text, "c%zu", j);
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, text, &one));
    }
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=wide"), NULL), CAIRN_USAGE,
                 "at most 1600 columns; nothing was written");
    assert_refused(ctx, locator("?table=wide"), CAIRN_USAGE, "does not exist");
    assert_fails(ctx, cairn_table_write(ctx, t, locator(""), NULL), CAIRN_USAGE, "?table=NAME");
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=none.t"), NULL), CAIRN_USAGE,
                 "schema \"none\" does not exist");
    cairn_table_free(t);
}

static cairn_status write_small(cairn_context *ctx, void *data)
{
    return cairn_source_write(ctx, data, locator("?table=survivor"), CAIRN_EXISTING_GOES);
}

static void test_postgres__failing_allocations_while_writing(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "t.json", "[{\"a\":0.5,\"l\":[\"x\"],\"d\":\"2026-11-15\"}]");
    assert_survives_allocation_failures(write_small, t);
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
        context_test(test_postgres__writes_what_it_reads),
        context_test(test_postgres__lists_are_bags),
        context_test(test_postgres__lost_digits_warn),
        context_test(test_postgres__a_table_goes_only_by_force),
        context_test(test_postgres__writing_is_refused),
        context_test(test_postgres__failing_allocations_while_writing),
    };
    socket_folder = getenv("CAIRN_TEST_POSTGRES");
    if (!socket_folder) {
        fprintf(stderr, "run this through postgres.sh, which starts a server\n");
        return 1;
    }
    run("CREATE ROLE locked LOGIN PASSWORD 'right'");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
