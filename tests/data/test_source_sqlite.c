/* SPDX-License-Identifier: MIT */
/* SQLite as a source, on databases that are made here. */
#include "data/source_test.h"
#include "cairn/limits.h"
#include "data/source.h"
#include "support/fail_alloc.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/cairn-sqlite-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/test.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void run(const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message)) fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
}

static int begin(void **state)
{
    unlink(path);
    return setup_context(state);
}

#define sqlite_test(function) cmocka_unit_test_setup_teardown(function, begin, teardown_context)

static const char *locator(const char *rest)
{
    static char text[400];
    snprintf(text, sizeof text, "sqlite:%s%s", path, rest);
    return text;
}

static void test_sqlite__kinds(void **state)
{
    cairn_context *ctx = *state;
    run("CREATE TABLE t (i INTEGER, r REAL, l TEXT, d TEXT, n TEXT, b BOOLEAN, m, z);"
        "INSERT INTO t VALUES (1, 1.5, 'red', '2026-11-15', '01', 1, 3, NULL),"
        "(-2, NULL, 'blue', '2026-11-16 10:30', '2.5', 0, 'three', NULL),"
        "(NULL, 2, NULL, NULL, NULL, NULL, 2.25, NULL), (4, 4, 'red', '2026-11-17', '3', 1, NULL, "
        "NULL)");
    cairn_table *t = read_source(ctx, locator("?table=t"), NULL);
    assert_int_equal(t->n_rows, 4);
    assert_int_equal(column_of(t, "i")->kind, CAIRN_NUMBER);
    assert_true(column_of(t, "i")->numbers[1] == -2 && isnan(column_of(t, "i")->numbers[2]));
    assert_int_equal(column_of(t, "i")->n_missing, 1);
    assert_true(column_of(t, "r")->numbers[0] == 1.5);
    assert_int_equal(column_of(t, "l")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "l", 2), "?");
    assert_string_equal(cell(t, "l", 3), "red");
    assert_int_equal(column_of(t, "d")->kind, CAIRN_TIME);
    assert_string_equal(cell(t, "d", 1), "2026-11-16 10:30");
    assert_string_equal(cell(t, "d", 3), "2026-11-17 00:00");
    assert_int_equal(column_of(t, "n")->kind, CAIRN_NUMBER);
    assert_int_equal(column_of(t, "b")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "b", 0), "true");
    assert_true(column_of(t, "b")->declared);
    assert_int_equal(column_of(t, "m")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "m", 0), "3");
    assert_string_equal(cell(t, "m", 2), "2.25");
    assert_int_equal(column_of(t, "z")->kind, CAIRN_NUMBER);
    assert_int_equal(column_of(t, "z")->n_missing, 4);
    cairn_table_free(t);
}

static void test_sqlite__declared_kinds_keep_the_spelling(void **state)
{
    cairn_context *ctx = *state;
    run("CREATE TABLE t (zip TEXT, note TEXT, day TEXT);"
        "INSERT INTO t VALUES ('01234', '1', '15.11.2026'), ('1234', '2', '1.2.2026')");
    cairn_table *t =
        read_source(ctx, locator("?table=t"), "zip=level,note=text,day=time(%d.%m.%Y)");
    assert_string_equal(cell(t, "zip", 0), "01234");
    assert_int_equal(column_of(t, "zip")->names.n, 2);
    assert_int_equal(column_of(t, "note")->kind, CAIRN_TEXT);
    assert_int_equal(column_of(t, "day")->kind, CAIRN_TIME);
    assert_string_equal(cell(t, "day", 1), "01.02.2026");
    cairn_table_free(t);
    t = read_source(ctx, locator("?table=t"), NULL);
    assert_int_equal(column_of(t, "zip")->kind, CAIRN_NUMBER);
    cairn_table_free(t);
}

static void test_sqlite__query_only_table_and_names(void **state)
{
    cairn_context *ctx = *state;
    run("CREATE TABLE \"my \"\"odd\"\" table\" (a, b); INSERT INTO \"my \"\"odd\"\" table\" "
        "VALUES (1, 'x & y'), (2, '?table=z')");
    cairn_table *t = read_source(ctx, locator(""), NULL);
    assert_int_equal(t->n_rows, 2);
    cairn_table_free(t);
    t = read_source(ctx, locator("?table=my \"odd\" table"), NULL);
    assert_string_equal(cell(t, "b", 0), "x & y");
    cairn_table_free(t);
    t = read_source(ctx,
                    locator("?query=SELECT a AS x, a*2 AS x, b FROM \"my \"\"odd\"\" table\" "
                            "WHERE b = '?table=z';"),
                    NULL);
    assert_int_equal(t->n_rows, 1);
    assert_string_equal(t->slots[1].name, "x_2");
    assert_true(column_of(t, "x_2")->numbers[0] == 4);
    assert_non_null(strstr(t->source, "?query=SELECT a AS x"));
    cairn_table_free(t);
    run("CREATE TABLE second (a)");
    assert_refused(ctx, locator(""), CAIRN_USAGE, "There are: my \"odd\" table, second");
}

static void test_sqlite__refusals(void **state)
{
    cairn_context *ctx = *state;
    char none[160];
    snprintf(none, sizeof none, "sqlite:%s/none.db", folder);
    assert_refused(ctx, none, CAIRN_FILE_ERROR, "unable to open database file");
    assert_int_not_equal(access(none + 7, F_OK), 0);
    assert_refused(ctx, "sqlite:", CAIRN_USAGE, "no file is named");
    assert_refused(ctx, "sqlite:README.md", CAIRN_BAD_DATA, "not an SQLite database");
    run("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, x'00FF')");
    assert_refused(ctx, locator("?table="), CAIRN_USAGE, "nothing follows table=");
    assert_refused(ctx, locator("?table=u"), CAIRN_USAGE, "no such table: u");
    assert_refused(ctx, locator("?query=SELEC 1"), CAIRN_USAGE, "syntax error");
    assert_refused(ctx, locator("?query=DELETE FROM t"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=SELECT 1; DELETE FROM t"), CAIRN_USAGE, "one statement");
    assert_refused(ctx, locator("?query= "), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=SELECT a FROM t WHERE 0"), CAIRN_BAD_DATA, "no row");
    assert_refused(ctx, locator("?table=t"), CAIRN_BAD_DATA, "row 1, column 'b'");
    assert_refused(ctx, locator("?query=SELECT 9e999 AS x"), CAIRN_BAD_DATA, "infinite");
    assert_refused(ctx, locator("?query=SELECT CAST(x'FF41' AS TEXT) AS x"), CAIRN_BAD_DATA,
                   "not UTF-8");
    assert_refused(ctx, locator("?query=SELECT 'a' || char(0) || 'b' AS x"), CAIRN_BAD_DATA,
                   "zero byte");
}

static void test_sqlite__large_integers_warn(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    run("CREATE TABLE t (k INTEGER); INSERT INTO t VALUES (9007199254740993), (-1)");
    cairn_table_free(read_source(ctx, locator("?table=t"), NULL));
    assert_non_null(strstr(warning, "column 'k': 1 whole numbers beyond 2^53"));
}

static void test_sqlite__many_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    run("CREATE TABLE t (a INTEGER, s TEXT, u TEXT)");
    run("WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 199999) "
        "INSERT INTO t SELECT i, 'word ' || (i % 7), 'text ' || i FROM c");
    t = read_source(ctx, locator("?table=t"), NULL);
    assert_int_equal(t->n_rows, 200000);
    assert_true(column_of(t, "a")->numbers[199999] == 199999);
    assert_int_equal(column_of(t, "s")->kind, CAIRN_LEVEL);
    assert_int_equal(column_of(t, "u")->kind, CAIRN_TEXT);
    assert_string_equal(cell(t, "u", 123456), "text 123456");
    cairn_table_free(t);
}

/* A small database whose view makes large values: SQLite's own memory counts. */
static void test_sqlite__obeys_the_limit_of_memory(void **state)
{
    cairn_context *ctx = *state;
    sqlite3_int64 before = sqlite3_hard_heap_limit64(-1);
    run("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);"
        "CREATE VIEW big AS SELECT a, length(hex(zeroblob(60000000))) AS n FROM t");
    cairn_context_set_memory(ctx, 20000000);
    assert_refused(ctx, locator("?table=big"), CAIRN_NO_MEMORY, "than the limit of 19.1 MB leaves");
    assert_true(sqlite3_hard_heap_limit64(-1) == before);
    cairn_context_set_memory(ctx, 0);
    cairn_table *t = read_source(ctx, locator("?table=big"), NULL);
    assert_string_equal(cell(t, "n", 1), "120000000");
    cairn_table_free(t);
}

static void test_sqlite__can_be_cancelled(void **state)
{
    run("CREATE TABLE t (a)");
    assert_cancelled(*state, locator("?query=WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT "
                                     "i + 1 FROM c) SELECT max(i) FROM c"));
}

static void test_sqlite__writes_what_it_reads(void **state)
{
    cairn_context *ctx = *state;
    static const char csv[] =
        "n,x,l,when\n1,1.5,a,2026-11-15\n,2,\"b \"\"q\"\"\",\n3,,,2026-11-16\n";
    cairn_table *t, *back;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", csv, sizeof csv - 1, NULL));
    assert_ok(ctx, cairn_table_write(ctx, t, locator("?table=a \"b\""), NULL));
    back = read_source(ctx, locator("?table=a \"b\""), NULL);
    for (size_t j = 0; j < 4; j++) {
        const char *name = t->slots[j].name;
        assert_int_equal(column_of(back, name)->kind, t->slots[j].column->kind);
        for (size_t i = 0; i < 3; i++) assert_string_equal(cell(t, name, i), cell(back, name, i));
    }
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=a \"b\""), NULL), CAIRN_USAGE,
                 "is there already; name another one, or take it away there");
    assert_fails(ctx, cairn_table_write(ctx, t, locator(""), NULL), CAIRN_USAGE, "?table=NAME");
    assert_fails(ctx, cairn_table_write(ctx, t, "sqlite:/no/such/folder/x.db?table=t", NULL),
                 CAIRN_FILE_ERROR, "unable to open");
    cairn_table_free(back);
    cairn_table_free(t);
}

static cairn_table *table_of(cairn_context *ctx, const char *csv)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", csv, strlen(csv), NULL));
    return t;
}

/* The declared types of a table's columns, as "INTEGER REAL". */
static void assert_types(const char *table, const char *wanted)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    char found[200] = "", sql[100];
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "SELECT group_concat(type, ' ') FROM pragma_table_info('%s')", table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(found, sizeof found, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    assert_string_equal(found, wanted);
}

static void test_sqlite__types_are_those_of_the_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    static const char json[] = "[{\"b\":true,\"i\":1,\"r\":0.5,\"big\":1e18,\"d\":\"15.11.2026\","
                               "\"t\":\"2026-11-15 10:30\",\"z\":\"2026-11-15 10:30Z\","
                               "\"l\":[\"a\",\"b\"]},{\"b\":false},{\"l\":[]}]";
    cairn_table *t = NULL, *back;
    o.kinds = "d=time(%d.%m.%Y)";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.json", json, sizeof json - 1, &o));
    assert_ok(ctx, cairn_table_write(ctx, t, locator("?table=t"), NULL));
    assert_types("t", "BOOLEAN INTEGER REAL REAL DATE TIMESTAMP TIMESTAMP TEXT");
    back = read_source(ctx, locator("?table=t"), NULL);
    assert_string_equal(cell(back, "b", 0), "true");
    assert_true(column_of(back, "b")->declared);
    assert_string_equal(cell(back, "d", 0), "2026-11-15");
    assert_string_equal(cell(back, "t", 0), "2026-11-15 10:30:00");
    assert_string_equal(cell(back, "z", 0), "2026-11-15 10:30:00Z");
    assert_true(column_of(back, "big")->numbers[0] == 1e18);
    assert_string_equal(cell(back, "l", 0), "a b");
    cairn_table_free(back);
    cairn_table_free(t);
}

static void test_sqlite__a_table_goes_only_by_force(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "a,b\n1,x\n2,y\n"), *back;
    run("CREATE TABLE Old (c); INSERT INTO Old VALUES (7); CREATE VIEW v AS SELECT 1 AS c");
    assert_fails(ctx, cairn_source_write(ctx, t, locator("?table=old"), CAIRN_EXISTING_ASKS),
                 CAIRN_USAGE, "or say 'force' to replace it");
    assert_fails(ctx, cairn_source_write(ctx, t, locator("?table=v"), CAIRN_EXISTING_STAYS),
                 CAIRN_USAGE, "is there already");
    assert_fails(ctx, cairn_source_write(ctx, t, locator("?table=v"), CAIRN_EXISTING_GOES),
                 CAIRN_USAGE, "use DROP VIEW to delete view v; nothing was written");
    back = read_source(ctx, locator("?table=old"), NULL);
    assert_true(column_of(back, "c")->numbers[0] == 7);
    cairn_table_free(back);
    assert_ok(ctx, cairn_source_write(ctx, t, locator("?table=old"), CAIRN_EXISTING_GOES));
    back = read_source(ctx, locator("?table=old"), NULL);
    assert_int_equal(back->n_rows, 2);
    assert_string_equal(cell(back, "b", 1), "y");
    cairn_table_free(back);
    cairn_table_free(t);
}

/* Any name, a dot among them: SQLite has no schemas that a path could mean. */
static void test_sqlite__names_of_any_letters(void **state)
{
    cairn_context *ctx = *state;
    static const char *const names[] = {"a'b", "x\"y", "main.t", "select", " a ", "[x]", "%s;--"};
    cairn_table *t = table_of(ctx, "a,\"b \"\"'];--\"\n1,\"it's \"\"x\"\"\"\n"), *back;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char rest[64];
        snprintf(rest, sizeof rest, "?table=%s", names[i]);
        assert_ok(ctx, cairn_table_write(ctx, t, locator(rest), NULL));
        back = read_source(ctx, locator(rest), NULL);
        assert_string_equal(cell(back, "b \"'];--", 0), "it's \"x\"");
        cairn_table_free(back);
    }
    cairn_table_free(t);
    t = table_of(ctx, "a,A\n1,2\n");
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=twice"), NULL), CAIRN_USAGE,
                 "duplicate column name: A; nothing was written");
    cairn_table_free(t);
}

static void test_sqlite__more_columns_than_it_has(void **state)
{
    cairn_context *ctx = *state;
    static const double one = 1;
    for (size_t n = 2000; n <= 2001; n++) {
        cairn_table *t = NULL;
        assert_ok(ctx, cairn_table_new(ctx, &t, 1));
        for (size_t j = 0; j < n; j++) {
            char name[16];
            snprintf(name, sizeof name, "c%zu", j);
            assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, &one));
        }
        if (n == 2000)
            assert_ok(ctx, cairn_table_write(ctx, t, locator("?table=wide"), NULL));
        else
            assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=wider"), NULL), CAIRN_USAGE,
                         "too many columns on wider; nothing was written");
        cairn_table_free(t);
    }
    assert_refused(ctx, locator("?table=wider"), CAIRN_USAGE, "no such table");
}

/* A database that somebody else writes to, and one that nobody may. */
static void test_sqlite__held_or_not_to_be_written(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "a\n1\n");
    sqlite3 *db;
    run("CREATE TABLE other (a)");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=t"), NULL), CAIRN_FILE_ERROR,
                 "another program holds the database");
    sqlite3_close(db);
    bool root = geteuid() == 0;
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    if (root) assert_int_equal(seteuid(65534), 0);
    cairn_status status = cairn_table_write(ctx, t, locator("?table=t"), NULL);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, CAIRN_FILE_ERROR);
    assert_non_null(strstr(cairn_message(ctx), "attempt to write a readonly database"));
    cairn_table_free(t);
}

/* What a program had changed when it was killed is taken back before anybody reads. */
static void test_sqlite__a_killed_writer_leaves_the_old_state(void **state)
{
    cairn_context *ctx = *state;
    int how;
    run("CREATE TABLE t (a, b); WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
        "WHERE i < 999) INSERT INTO t SELECT i, hex(randomblob(50)) FROM c");
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *db;
        if (!sqlite3_open(path, &db))
            sqlite3_exec(db, "PRAGMA cache_size = 2; BEGIN; UPDATE t SET a = -1, b = 'x'", NULL,
                         NULL, NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    char journal[160];
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_int_equal(access(journal, F_OK), 0);
    cairn_table *t = read_source(ctx, locator("?query=SELECT min(a) AS low FROM t"), NULL);
    assert_true(column_of(t, "low")->numbers[0] == 0);
    assert_int_not_equal(access(journal, F_OK), 0);
    cairn_table_free(t);
}

static void test_sqlite__lost_digits_of_texts_warn(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    run("CREATE TABLE t (price TEXT); INSERT INTO t VALUES ('12.50'), ('1234567890123456.789')");
    cairn_table_free(read_source(ctx, locator("?table=t"), NULL));
    assert_non_null(
        strstr(warning, "column 'price': 1 number has more digits than a double holds"));
    *warning = 0;
    cairn_table_free(read_source(ctx, locator("?table=t"), "price=level"));
    assert_string_equal(warning, "");
}

static void test_shown__passwords_are_hidden(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *path, *shown;
    } cases[] = {
        {"data.csv", "data.csv"},
        {"password=x.csv", "password=x.csv"},
        {"sqlite:a.db?query=SELECT password FROM t", "sqlite:a.db?query=SELECT password FROM t"},
        {"postgres://u:s3:c@h/d?table=t", "postgres://u:***@h/d?table=t"},
        {"postgresql://u:a@b@h/d", "postgresql://u:***@h/d"},
        {"postgres://u@h:5432/d?query=SELECT ':x@y'", "postgres://u@h:5432/d?query=SELECT ':x@y'"},
        {"postgres:host=h password=s3c dbname=d", "postgres:host=h password=*** dbname=d"},
        {"postgres:password = 'a \\'b' host=h", "postgres:password = *** host=h"},
        {"postgres://h/d?password=x%20y&sslmode=require&query=S",
         "postgres://h/d?password=***&sslmode=require&query=S"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *shown;
        assert_ok(ctx, cairn_source_shown(ctx, &shown, cases[i].path));
        assert_string_equal(shown, cases[i].shown);
    }
}

static void test_sqlite__limits_hold(void **state)
{
    cairn_context *ctx = *state;
    run("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'yyyy')");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, 1));
    assert_refused(ctx, locator("?table=t"), CAIRN_BAD_DATA, "2 columns are too many");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, 2));
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 3));
    assert_refused(ctx, locator("?table=t"), CAIRN_BAD_DATA, "row 2, column 'b': a cell of 4");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 4));
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_LEVELS, 1));
    assert_refused(ctx, locator("?table=t"), CAIRN_BAD_DATA, "the limit of 'levels' is 1");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_LEVELS, 2));
    cairn_table_free(read_source(ctx, locator("?table=t"), NULL));
}

static cairn_status read_and_write(cairn_context *ctx, void *data)
{
    cairn_table *t = NULL;
    char out[200];
    (void)data;
    cairn_status status = cairn_table_read(ctx, &t, locator("?table=t"), NULL);
    snprintf(out, sizeof out, "sqlite:%s/out.db?table=t", folder);
    if (!status) status = cairn_table_write(ctx, t, out, NULL);
    cairn_table_free(t);
    snprintf(out, sizeof out, "%s/out.db", folder);
    unlink(out);
    return status;
}

static void test_sqlite__failing_allocations_leak_nothing(void **state)
{
    (void)state;
    run("CREATE TABLE t (a, b BOOLEAN, d TEXT, s TEXT); INSERT INTO t VALUES (1, 1, '2026-11-15', "
        "'x'), ('y', 0, '2026-11-16', NULL)");
    assert_survives_allocation_failures(read_and_write, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sqlite_test(test_sqlite__kinds),
        sqlite_test(test_sqlite__declared_kinds_keep_the_spelling),
        sqlite_test(test_sqlite__query_only_table_and_names),
        sqlite_test(test_sqlite__refusals),
        sqlite_test(test_sqlite__large_integers_warn),
        sqlite_test(test_sqlite__many_rows),
        sqlite_test(test_sqlite__obeys_the_limit_of_memory),
        sqlite_test(test_sqlite__can_be_cancelled),
        sqlite_test(test_sqlite__writes_what_it_reads),
        sqlite_test(test_sqlite__types_are_those_of_the_columns),
        sqlite_test(test_sqlite__a_table_goes_only_by_force),
        sqlite_test(test_sqlite__names_of_any_letters),
        sqlite_test(test_sqlite__more_columns_than_it_has),
        sqlite_test(test_sqlite__held_or_not_to_be_written),
        sqlite_test(test_sqlite__a_killed_writer_leaves_the_old_state),
        sqlite_test(test_sqlite__lost_digits_of_texts_warn),
        sqlite_test(test_shown__passwords_are_hidden),
        sqlite_test(test_sqlite__limits_hold),
        sqlite_test(test_sqlite__failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
