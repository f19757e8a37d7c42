/* SPDX-License-Identifier: MIT */
/* DuckDB as a source. What the module does around a query is tried on a library that only looks
 * like DuckDB's; types and refusals on the real one, where CAIRN_DUCKDB names it. */
#include "cairn/columns.h"
#include "data/source_test.h"
#include "data/source.h"
#include "support/fail_alloc.h"
#include <dlfcn.h>
#include <stdlib.h>

static char folder[64], path[128];
static const char *library; /* the real one */
static void *real;

static int make_folder(void **state)
{
    (void)state;
    library = getenv("CAIRN_DUCKDB");
    real = library && *library ? dlopen(library, RTLD_NOW) : NULL;
    if (!real) print_message("CAIRN_DUCKDB names no library of DuckDB: its types are not tried\n");
    strcpy(folder, "/tmp/cairn-duckdb-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/test.duckdb", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static const char *locator(const char *rest)
{
    static char text[2000];
    snprintf(text, sizeof text, "duckdb:%s%s", path, rest);
    return text;
}

static void refuse(const char *what, const char *says)
{
    setenv("STUB_REFUSES", what, 1);
    setenv("STUB_SAYS", says, 1);
}

/* -- the door -- */

static void test_duckdb__library_is_missing_or_none(void **state)
{
    cairn_context *ctx = *state;
    setenv("CAIRN_DUCKDB", "/no/such/libduckdb.so", 1);
    assert_refused(ctx, "duckdb:?query=SELECT 1", CAIRN_FILE_ERROR,
                   "CAIRN_DUCKDB names no library of DuckDB (/no/such/libduckdb.so");
    setenv("CAIRN_DUCKDB", "libm.so.6", 1);
    assert_refused(ctx, "duckdb:?query=SELECT 1", CAIRN_FILE_ERROR,
                   "libm.so.6 is no library of DuckDB");
}

static void test_duckdb__both_versions_are_said(void **state)
{
    setenv("CAIRN_DUCKDB", STUB_OLD, 1);
    assert_refused(*state, "duckdb:?query=SELECT 1", CAIRN_FILE_ERROR,
                   "is DuckDB v1.1.3, which is too old: 1.2 or newer is needed");
    setenv("CAIRN_DUCKDB", STUB_LACKS, 1);
    assert_refused(*state, "duckdb:?query=SELECT 1", CAIRN_FILE_ERROR,
                   "has no function duckdb_free");
}

/* The whole of what a database is told, in order. */
static void assert_told(cairn_context *ctx, const char *source, const char *wanted)
{
    cairn_text found = cairn_text_start(ctx);
    cairn_table *t = read_source(ctx, source, "told=text");
    for (size_t i = 0; i < t->n_rows; i++) {
        if (i) cairn_text_add(&found, "; ");
        cairn_text_add(&found, cell(t, "told", i));
    }
    assert_string_equal(cairn_text_string(&found), wanted);
    cairn_text_clear(&found);
    cairn_table_free(t);
}

static void test_duckdb__doors_are_closed_before_the_query(void **state)
{
    cairn_context *ctx = *state;
    setenv("CAIRN_DUCKDB", STUB, 1);
    refuse("", "");
    assert_told(ctx, "duckdb:?query=SELECT told",
                "autoinstall_known_extensions=false; autoload_known_extensions=false; "
                "allow_community_extensions=false; threads=1; temp_directory; open=memory; "
                "SET VARIABLE cairn_named = []::VARCHAR[]; "
                "SET allowed_paths = getvariable('cairn_named'); RESET VARIABLE cairn_named; "
                "SET enable_external_access = false; SET lock_configuration = true");
    assert_told(ctx, "duckdb:?query=SELECT 'it''s', \"a\"\"b\", 'x*.csv', 'https://h/p' FROM 'half",
                "autoinstall_known_extensions=false; autoload_known_extensions=false; "
                "allow_community_extensions=false; threads=1; temp_directory; open=memory; "
                "SET VARIABLE cairn_named = []::VARCHAR[]; "
                "SET VARIABLE cairn_named = getvariable('cairn_named') || ['it''s']; "
                "SET VARIABLE cairn_named = getvariable('cairn_named') || ['a\"b']; "
                "SET VARIABLE cairn_named = getvariable('cairn_named') || ['x*.csv']; "
                "SET VARIABLE cairn_named = getvariable('cairn_named') || "
                "(SELECT coalesce(list(file), []) FROM glob('x*.csv')); "
                "SET allowed_paths = getvariable('cairn_named'); RESET VARIABLE cairn_named; "
                "SET enable_external_access = false; SET lock_configuration = true");
}

/* A library that does not take a lock is not used without it. */
static void test_duckdb__no_query_without_the_locks(void **state)
{
    cairn_context *ctx = *state;
    static const char *const locks[] = {"autoinstall_known_extensions", "autoload_known_extensions",
                                        "threads", "temp_directory"};
    setenv("CAIRN_DUCKDB", STUB, 1);
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        refuse(locks[i], "");
        assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_FILE_ERROR, "keeps queries from");
    }
    refuse("SET enable_external_access", "no such setting");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_FILE_ERROR, "no such setting");
    refuse("SET lock_configuration", "no such lock");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_FILE_ERROR, "no such lock");
}

static void test_duckdb__failures_are_told(void **state)
{
    cairn_context *ctx = *state;
    char name[160];
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    setenv("CAIRN_DUCKDB", STUB, 1);
    refuse("", "");
    assert_refused(ctx, "duckdb:", CAIRN_USAGE, "no file is named");
    assert_refused(ctx, "duckdb:?table=t", CAIRN_USAGE, "no file is named");
    snprintf(name, sizeof name, "duckdb:%s/none.duckdb", folder);
    assert_refused(ctx, name, CAIRN_FILE_ERROR, "there is no such file");
    assert_refused(ctx, "duckdb:?query=INSERT", CAIRN_USAGE, "not one that only reads");
    refuse("open", "IO Error: The file \"x\" exists, but it is not a valid DuckDB database file!");
    assert_refused(ctx, locator(""), CAIRN_BAD_DATA, "is not a DuckDB database");
    refuse("open", "IO Error: Could not set lock on file \"x\": Conflicting lock is held");
    assert_refused(ctx, locator(""), CAIRN_FILE_ERROR, "another program writes to the database");
    refuse("open", "IO Error: a storage version of the future\nand more");
    assert_refused(ctx, locator(""), CAIRN_FILE_ERROR, "of the future; check the file's name");
    refuse("connect", "");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_USAGE, "without saying why");
    refuse("prepare", "Parser Error: syntax error at \"x\"\n\nLINE 1: x");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_USAGE, "at \"x\"; correct the query");
    refuse("task", "Out of Memory Error: could not allocate");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_NO_MEMORY, "not enough memory");
    refuse("execute", "Conversion Error: no number");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_USAGE, "no number");
    refuse("pending", "Permission Error: Cannot access file \"/x\" - file system operations are "
                      "disabled by configuration");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_USAGE,
                   "\"/x\": only files that the query itself names in quotes are opened");
    refuse("type", "");
    assert_refused(ctx, "duckdb:?query=SELECT told", CAIRN_BAD_DATA,
                   "of a type that is not known here");
    refuse("", "");
    unlink(path);
}

static void test_duckdb__is_not_written(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    setenv("CAIRN_DUCKDB", STUB, 1);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", "a\n1\n", 4, NULL));
    assert_fails(ctx, cairn_table_write(ctx, t, locator("?table=t"), NULL), CAIRN_USAGE,
                 "is read but not written; write parquet");
    cairn_table_free(t);
}

static cairn_status read_told(cairn_context *ctx, void *data)
{
    cairn_table *t = NULL;
    (void)data;
    cairn_status status = cairn_table_read(ctx, &t, "duckdb:?query=SELECT told", NULL);
    cairn_table_free(t);
    return status;
}

static void test_duckdb__failing_allocations_leak_nothing(void **state)
{
    (void)state;
    setenv("CAIRN_DUCKDB", STUB, 1);
    refuse("", "");
    assert_survives_allocation_failures(read_told, NULL);
}

/* -- the real one -- */

#define NEEDS_DUCKDB()                                                                             \
    do {                                                                                           \
        if (!real) skip();                                                                         \
        setenv("CAIRN_DUCKDB", library, 1);                                                        \
    } while (0)

static void *find(const char *name)
{
    void *symbol = dlsym(real, name);
    if (!symbol) fail_msg("the library has no %s", name);
    return symbol;
}

/* Run statements that make a database; the module only reads. */
static void run(const char *const *statements)
{
    typedef int (*opener)(const char *, void **);
    typedef int (*connector)(void *, void **);
    typedef int (*asker)(void *, const char *, void *);
    typedef void (*closer)(void **);
    void *database, *connection,
        *symbols[5] = {find("duckdb_open"), find("duckdb_connect"), find("duckdb_query"),
                       find("duckdb_disconnect"), find("duckdb_close")};
    opener open;
    connector connect;
    asker query;
    closer disconnect, close;
    memcpy(&open, &symbols[0], sizeof open);
    memcpy(&connect, &symbols[1], sizeof connect);
    memcpy(&query, &symbols[2], sizeof query);
    memcpy(&disconnect, &symbols[3], sizeof disconnect);
    memcpy(&close, &symbols[4], sizeof close);
    unlink(path);
    assert_int_equal(open(path, &database), 0);
    assert_int_equal(connect(database, &connection), 0);
    for (; *statements; statements++)
        if (query(connection, *statements, NULL)) fail_msg("%s", *statements);
    disconnect(&connection);
    close(&database);
}

static void test_duckdb__kinds(void **state)
{
    NEEDS_DUCKDB();
    cairn_context *ctx = *state;
    static const char *const made[] = {
        "CREATE TYPE mood AS ENUM ('low', 'mid', 'high')",
        "CREATE TABLE k (b BOOLEAN, t TINYINT, s SMALLINT, i INTEGER, l BIGINT, ut UTINYINT, "
        "us USMALLINT, ui UINTEGER, ul UBIGINT, f FLOAT, d DOUBLE, h HUGEINT, uh UHUGEINT, "
        "p1 DECIMAL(4,1), p2 DECIMAL(9,2), p3 DECIMAL(18,4), p4 DECIMAL(38,10), v VARCHAR, "
        "e mood, u UUID, dt DATE, tm TIME, iv INTERVAL, ts TIMESTAMP, t0 TIMESTAMP_S, "
        "t3 TIMESTAMP_MS, t9 TIMESTAMP_NS, tz TIMESTAMPTZ, li VARCHAR[])",
        "INSERT INTO k VALUES (true, -1, -2, -3, -4, 255, 65535, 4294967295, 7, 1.5, 0.1, -5, 6, "
        "-0.5, 12.34, -9999.9999, 0.0000000001, 'a text of more than twelve letters', 'mid', "
        "'123e4567-e89b-12d3-a456-426614174000', '2026-11-15', '10:20:30.5', "
        "INTERVAL '2 days 3.5 seconds', '2026-11-15 14:30:05.25', '2026-11-15 14:30:05', "
        "'2026-11-15 14:30:05.123', '2026-11-15 14:30:05.5', '2026-11-15 14:30:00+02', "
        "['b', 'a', NULL, 'a text of more than twelve letters'])",
        "INSERT INTO k (b) VALUES (NULL)",
        "INSERT INTO k (b, v, e, dt, ts, li) VALUES (false, 'gr\303\274n', 'low', '0001-01-01', "
        "'1969-12-31 23:59:59.75', [])",
        NULL};
    run(made);
    cairn_table *t = read_source(ctx, locator(""), NULL);
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 29);
    for (size_t j = 0; j < t->n_columns; j++)
        assert_true(cairn_column_is_missing(t->slots[j].column, 1));
    static const struct {
        const char *name;
        double number;
    } numbers[] = {{"t", -1},
                   {"s", -2},
                   {"i", -3},
                   {"l", -4},
                   {"ut", 255},
                   {"us", 65535},
                   {"ui", 4294967295.0},
                   {"ul", 7},
                   {"f", 1.5},
                   {"d", 0.1},
                   {"h", -5},
                   {"uh", 6},
                   {"p1", -0.5},
                   {"p2", 12.34},
                   {"p3", -9999.9999},
                   {"p4", 1e-10},
                   {"iv", 172803.5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (column_of(t, numbers[i].name)->numbers[0] != numbers[i].number)
            fail_msg("%s: %.17g", numbers[i].name, column_of(t, numbers[i].name)->numbers[0]);
    assert_string_equal(cell(t, "b", 0), "true");
    assert_true(column_of(t, "b")->declared);
    assert_string_equal(cell(t, "v", 0), "a text of more than twelve letters");
    assert_string_equal(cell(t, "v", 2), "gr\303\274n");
    assert_string_equal(cell(t, "e", 0), "mid");
    assert_true(column_of(t, "e")->declared && column_of(t, "e")->names.n == 3);
    assert_string_equal(cairn_map_key(&column_of(t, "e")->names, 2), "high");
    assert_string_equal(cell(t, "u", 0), "123e4567-e89b-12d3-a456-426614174000");
    assert_string_equal(cell(t, "dt", 0), "2026-11-15");
    assert_string_equal(cell(t, "dt", 2), "0001-01-01");
    assert_string_equal(cell(t, "tm", 0), "10:20:30.5");
    assert_string_equal(cell(t, "ts", 0), "2026-11-15 14:30:05.250");
    assert_string_equal(cell(t, "ts", 2), "1969-12-31 23:59:59.750");
    assert_string_equal(cell(t, "t0", 0), "2026-11-15 14:30:05");
    assert_string_equal(cell(t, "t3", 0), "2026-11-15 14:30:05.123");
    assert_string_equal(cell(t, "t9", 0), "2026-11-15 14:30:05.500");
    assert_string_equal(cell(t, "tz", 0), "2026-11-15 12:30:00Z");
    assert_int_equal(column_of(t, "li")->kind, CAIRN_BAG);
    assert_int_equal(column_of(t, "li")->starts[1], 4);
    cairn_table_free(t);
}

static void test_duckdb__levels_can_be_marks_of_missing_cells(void **state)
{
    NEEDS_DUCKDB();
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t = NULL;
    o.missing = "low";
    assert_ok(ctx, cairn_table_read(ctx, &t,
                                    "duckdb:?query=SELECT unnest(['low', 'mid', 'high'])"
                                    "::ENUM('low', 'mid', 'high') AS e",
                                    &o));
    assert_true(cairn_column_is_missing(column_of(t, "e"), 0));
    assert_string_equal(cell(t, "e", 1), "mid");
    assert_string_equal(cell(t, "e", 2), "high");
    cairn_table_free(t);
}

static void test_duckdb__lost_digits_warn(void **state)
{
    NEEDS_DUCKDB();
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    cairn_table_free(
        read_source(ctx, "duckdb:?query=SELECT 1234567890123456789.25::DECIMAL(38,2) AS x", NULL));
    assert_non_null(strstr(warning, "column 'x': 1 number has more digits than a double holds"));
    *warning = 0;
    cairn_table_free(
        read_source(ctx, "duckdb:?query=SELECT 1234567890123.25::DECIMAL(38,20) AS x", NULL));
    assert_string_equal(warning, "");
}

/* What no table holds is named, with what to write in its place. */
static void test_duckdb__types_that_no_table_holds(void **state)
{
    NEEDS_DUCKDB();
    static const struct {
        const char *value, *said;
    } cases[] = {
        {"'a'::BLOB", "is BLOB, which no table holds; leave it out of the query, or write hex("},
        {"{'a': 1}", "is STRUCT, which no table holds; take its fields, as \"my \"\"x\"\"\".FIELD"},
        {"MAP {'a': 1}", "is MAP, which no table holds; take a value, as \"my \"\"x\"\"\"['KEY']"},
        {"[1, 2]", "is LIST of what is no text, which no table holds; write \"my"},
        {"[1, 2]::INTEGER[2]", "is ARRAY, which no table holds; write \"my \"\"x\"\"\"::VARCHAR[]"},
        {"'101'::BIT", "is BIT, which no table holds; write \"my \"\"x\"\"\"::VARCHAR"},
        {"'10:00:00+01'::TIMETZ", "is TIME WITH TIME ZONE, which no table holds"},
        {"INTERVAL '1 month'", "row 1, column 'my \"x\"': an interval of months has no length"},
        {"'infinity'::DATE", "'infinity' is no time of the years 0001 to 9999"},
        {"'-infinity'::TIMESTAMP", "'-infinity' is no time of the years 0001 to 9999"},
        {"'0044-03-15 (BC)'::DATE", "'-0043-03-15' is no time of the years"},
        {"'inf'::DOUBLE", "infinite"},
        {"chr(0) || 'x'", "holds a zero byte"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char query[300];
        snprintf(query, sizeof query, "duckdb:?query=SELECT %s AS \"my \"\"x\"\"\"",
                 cases[i].value);
        assert_refused(*state, query, CAIRN_BAD_DATA, cases[i].said);
    }
}

/* Nothing is written, nothing reached that the query does not name. */
static void test_duckdb__queries_stay_inside(void **state)
{
    NEEDS_DUCKDB();
    cairn_context *ctx = *state;
    static const char *const made[] = {"CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)",
                                       "CREATE VIEW v AS SELECT content FROM "
                                       "read_text('/etc/passwd')",
                                       "CREATE TABLE \"odd \"\"name\"\"\" (a INTEGER)", NULL};
    char named[400];
    cairn_table *t = NULL;
    run(made);
    assert_refused(ctx, locator("?query=INSERT INTO t VALUES (2)"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=DELETE FROM t"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=CREATE TABLE u (a INTEGER)"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=COPY t TO 'x.csv'"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=ATTACH 'x.db'"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=INSTALL httpfs"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=SET threads = 4"), CAIRN_USAGE, "only reads");
    assert_refused(ctx, locator("?query=SELECT 1; SELECT 2"), CAIRN_USAGE, "multiple statements");
    assert_refused(ctx, locator("?query=SELECT * FROM v"), CAIRN_USAGE,
                   "only files that the query");
    assert_refused(ctx, locator("?query=SELECT * FROM read_text('/etc/' || 'passwd')"), CAIRN_USAGE,
                   "only files that the query");
    assert_refused(ctx, locator("?query=SELECT * FROM 'https://h/x.csv'"), CAIRN_USAGE,
                   "only files that the query");
    assert_refused(ctx, locator("?table=none"), CAIRN_USAGE, "none does not exist");
    assert_refused(ctx, locator(""), CAIRN_USAGE, "There are: odd \"name\", t, v");
    assert_refused(ctx, locator("?table=odd \"name\""), CAIRN_BAD_DATA, "no row");
    cairn_table_free(read_source(ctx, locator("?table=t"), NULL));
    cairn_table_free(read_source(ctx, locator("?table=main.t"), NULL));
    assert_refused(ctx, path, CAIRN_BAD_DATA, "this is a DuckDB database; read it as 'duckdb:");

    snprintf(named, sizeof named, "%s/a 'b'.parquet", folder);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", "a,b\n1,x\n2,y\n", 12, NULL));
    assert_ok(ctx, cairn_table_write(ctx, t, named, NULL));
    cairn_table_free(t);
    snprintf(named, sizeof named, "duckdb:?query=SELECT b FROM '%s/a ''b''.parquet' WHERE a = 2",
             folder);
    t = read_source(ctx, named, NULL);
    assert_string_equal(cell(t, "b", 0), "y");
    cairn_table_free(t);
    snprintf(named, sizeof named, "duckdb:?query=SELECT b FROM '%s/a*.parquet'", folder);
    cairn_table_free(read_source(ctx, named, NULL));
    snprintf(named, sizeof named, "%s/a 'b'.parquet", folder);
    unlink(named);
}

static void test_duckdb__obeys_limits(void **state)
{
    NEEDS_DUCKDB();
    cairn_context *ctx = *state;
    cairn_context_set_memory(ctx, 50000000);
    assert_refused(ctx, "duckdb:?query=SELECT count(DISTINCT range) FROM range(100000000)",
                   CAIRN_NO_MEMORY, "than the limit of 47.7 MB leaves");
    assert_refused(ctx, "duckdb:?query=SELECT range FROM range(100000000)", CAIRN_NO_MEMORY,
                   "limit");
    cairn_context_set_memory(ctx, 0);
    assert_cancelled(ctx, "duckdb:?query=SELECT count(*) FROM range(10000000) a, range(1000000) b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_duckdb__library_is_missing_or_none),
        context_test(test_duckdb__both_versions_are_said),
        context_test(test_duckdb__doors_are_closed_before_the_query),
        context_test(test_duckdb__no_query_without_the_locks),
        context_test(test_duckdb__failures_are_told),
        context_test(test_duckdb__is_not_written),
        context_test(test_duckdb__failing_allocations_leak_nothing),
        context_test(test_duckdb__kinds),
        context_test(test_duckdb__levels_can_be_marks_of_missing_cells),
        context_test(test_duckdb__lost_digits_warn),
        context_test(test_duckdb__types_that_no_table_holds),
        context_test(test_duckdb__queries_stay_inside),
        context_test(test_duckdb__obeys_limits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
