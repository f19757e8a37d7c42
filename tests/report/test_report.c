/* SPDX-License-Identifier: MIT */
/* Building and reading reports: names, limits, marks, appending, failures. */
#include "report/samples.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

static void test_report__null_is_accepted_everywhere(void **state)
{
    double number = 7;
    (void)state;
    cairn_report_heading(NULL, 1, "x");
    cairn_report_paragraph(NULL, "x");
    cairn_report_note(NULL, "x");
    cairn_report_formula(NULL, "x");
    cairn_report_verbatim(NULL, "x");
    cairn_report_value(NULL, "x", 1, "x");
    cairn_report_word(NULL, "x", "y", "x");
    cairn_report_hidden(NULL, 1, "x");
    cairn_report_hidden_word(NULL, "y", "x");
    cairn_report_table_begin(NULL, "x", 0);
    cairn_report_column(NULL, "x", 'l');
    cairn_report_cell(NULL, "x");
    cairn_report_cellf(NULL, "x");
    cairn_report_cell_number(NULL, 1, 0, "x");
    cairn_report_cell_word(NULL, "y", "x");
    cairn_report_row_mark(NULL);
    assert_false(cairn_report_row_wanted(NULL));
    cairn_report_table_end(NULL);
    cairn_report_figure(NULL, NULL);
    cairn_report_step_begin(NULL, "x");
    cairn_report_step_end(NULL);
    cairn_report_append(NULL, NULL, NULL);
    cairn_report_free(NULL);
    assert_int_equal(cairn_report_status(NULL), CAIRN_OK);
    assert_string_equal(cairn_report_key(NULL, "a.b"), "");
    assert_false(cairn_report_number(NULL, "x", &number));
    assert_null(cairn_report_string(NULL, "x"));
    assert_null(cairn_report_value_name(NULL, 0));
    assert_int_equal(cairn_report_figure_count(NULL), 0);
    assert_null(cairn_report_figure_at(NULL, 0));
    assert_true(number == 7);
}

static void test_report__values_are_found_by_name_and_in_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    double number = 0;
    cairn_report_value(report, "Accuracy", 0.5, "accuracy");
    cairn_report_word(report, "Class", "yes", "class");
    cairn_report_hidden(report, NAN, "fold%d.auc", 3);
    cairn_report_value(report, "nameless", 1, NULL);
    cairn_report_hidden(report, 0.75, "accuracy");
    assert_true(cairn_report_number(report, "accuracy", &number) && number == 0.75);
    assert_true(cairn_report_number(report, "fold3.auc", &number) && isnan(number));
    assert_false(cairn_report_number(report, "class", &number));
    assert_string_equal(cairn_report_string(report, "class"), "yes");
    assert_null(cairn_report_string(report, "accuracy"));
    assert_null(cairn_report_string(report, "no such name"));
    assert_string_equal(cairn_report_value_name(report, 0), "accuracy");
    assert_string_equal(cairn_report_value_name(report, 1), "class");
    assert_string_equal(cairn_report_value_name(report, 2), "fold3.auc");
    assert_null(cairn_report_value_name(report, 3));
    cairn_report_hidden_word(report, "now text", "accuracy");
    assert_string_equal(cairn_report_string(report, "accuracy"), "now text");
    assert_ok(ctx, cairn_report_status(report));
    cairn_report_free(report);
}

static void test_report__keys_escape_dots_and_stay(void **state)
{
    cairn_report *report = new_report(*state);
    const char *key = cairn_report_key(report, "petal.length");
    char part[32];
    assert_string_equal(key, "petal\\.length");
    assert_string_equal(cairn_report_key(report, "a\\b"), "a\\\\b");
    assert_string_equal(cairn_report_key(report, ""), "");
    for (int i = 0; i < 5000; i++) {
        snprintf(part, sizeof part, "part.%d", i);
        cairn_report_key(report, part);
    }
    assert_ptr_equal(cairn_report_key(report, "petal.length"), key);
    assert_string_equal(key, "petal\\.length");
    double number = 0;
    cairn_report_hidden(report, 4, "mean.%s", key);
    assert_true(cairn_report_number(report, "mean.petal\\.length", &number) && number == 4);
    cairn_report_free(report);
}

static void test_report__rows_beyond_the_limit_are_named_and_counted(void **state)
{
    cairn_report *report = new_report(*state);
    double number;
    cairn_report_table_begin(report, "squares", 3);
    cairn_report_column(report, "i", 'r');
    cairn_report_column(report, "square", 'r');
    for (int i = 0; i < 1237; i++) {
        assert_int_equal(cairn_report_row_wanted(report), i < 3);
        cairn_report_cellf(report, "%d", i);
        cairn_report_cell_number(report, i * i, 0, "square%d", i);
    }
    cairn_report_table_end(report);
    assert_false(cairn_report_row_wanted(report));
    assert_true(cairn_report_number(report, "square2", &number) && number == 4);
    assert_true(cairn_report_number(report, "square1236", &number) && number == 1236 * 1236);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40,
                  "squares\n"
                  "i  square\n"
                  "─  ──────\n"
                  "0       0\n"
                  "1       1\n"
                  "2       4\n"
                  "… and 1,234 more rows\n");
    cairn_report_free(report);
}

static void test_report__misused_tables_stay_whole(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_cell(report, "nowhere");
    cairn_report_row_mark(report);
    cairn_report_table_end(report);
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_cell(report, "no columns yet");
    cairn_report_column(report, "a", 'x');
    cairn_report_column(report, "b", 'l');
    cairn_report_cell(report, "1");
    cairn_report_column(report, "too late", 'l');
    cairn_report_table_begin(report, "second", 0); /* ends the first, whose row is not full */
    cairn_report_column(report, "c", 'l');
    cairn_report_row_mark(report);
    cairn_report_row_mark(report);
    cairn_report_cell(report, NULL);
    cairn_report_row_mark(report); /* a row that never comes */
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40,
                  "a  b\n"
                  "─  ─\n"
                  "1\n"
                  "\n"
                  "second\n"
                  "  c\n"
                  "  ─\n"
                  "*\n"
                  "* marks the chosen row\n");
    cairn_report_free(report);
}

static void test_report__append_moves_all(void **state)
{
    cairn_context *ctx = *state, *child = NULL;
    cairn_report *report = new_report(ctx), *part = NULL;
    double number = 0;
    cairn_report_step_begin(report, "first");
    cairn_report_step_end(report);
    cairn_report_table_begin(report, "one", 0);
    cairn_report_column(report, "x", 'l');
    cairn_report_value(report, "shared", 1, "shared");
    assert_ok(ctx, cairn_child_new(ctx, &child));
    assert_ok(ctx, cairn_report_new(child, &part));
    cairn_report_step_begin(part, "second");
    cairn_report_step_begin(part, "inner, never ended");
    cairn_report_value(part, "new", 2, "new");
    cairn_report_word(part, "word", "kept", "word");
    cairn_report_table_begin(part, "two", 0);
    cairn_report_column(part, "y", 'l');
    cairn_report_cell(part, "cell");
    cairn_child_join(ctx, child, CAIRN_OK);
    cairn_report_append(report, part, "fold1");
    assert_null(cairn_report_value_name(part, 0));
    cairn_report_free(part);
    cairn_report_step_begin(report, "third");
    assert_ok(ctx, cairn_report_status(report));
    assert_true(cairn_report_number(report, "fold1.new", &number) && number == 2);
    assert_true(cairn_report_number(report, "shared", &number) && number == 1);
    assert_string_equal(cairn_report_string(report, "fold1.word"), "kept");
    assert_prints(ctx, report, CAIRN_FORMAT_TEXT, 40,
                  "Step 1. first\n"
                  "\n"
                  "one\n"
                  "x\n"
                  "─\n"
                  "(no rows)\n"
                  "\n"
                  "shared: 1\n"
                  "\n"
                  "Step 2. second\n"
                  "Step 2.1. inner, never ended\n"
                  "new:  2\n"
                  "word: kept\n"
                  "\n"
                  "two\n"
                  "y\n"
                  "────\n"
                  "cell\n"
                  "\n"
                  "Step 3. third\n");
    cairn_report_free(report);
}

static void test_report__append_many_keeps_names_and_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    char prefix[32];
    double number;
    for (int i = 0; i < 2000; i++) {
        cairn_report *part = new_report(ctx);
        cairn_report_value(part, "v", i, "v");
        cairn_report_value(part, "same", i, "same");
        snprintf(prefix, sizeof prefix, "p%d", i);
        cairn_report_append(report, part, i % 2 ? prefix : NULL);
        cairn_report_append(report, part, "empty by now");
        cairn_report_free(part);
    }
    cairn_report_append(report, report, "itself");
    assert_true(cairn_report_number(report, "v", &number) && number == 1998);
    assert_true(cairn_report_number(report, "p1999.same", &number) && number == 1999);
    assert_string_equal(cairn_report_value_name(report, 0), "v");
    assert_string_equal(cairn_report_value_name(report, 2), "p1.v");
    cairn_report_free(report);
}

static void test_report__steps_without_begin_are_ignored(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_step_end(report);
    cairn_report_step_begin(report, "only %s", "one");
    cairn_report_step_end(report);
    cairn_report_step_end(report);
    cairn_report_paragraph(report, "after");
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40, "Step 1. only one\n\nafter\n");
    cairn_report_free(report);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_report__a_million_values_are_quick(void **state)
{
    cairn_report *report = new_report(*state);
    double start = seconds(), number;
    for (int i = 0; i < 1000000; i++) cairn_report_hidden(report, i * 0.5, "node%d.gain", i);
    double built = seconds();
    assert_true(cairn_report_number(report, "node999999.gain", &number) && number == 499999.5);
    char *json = print(*state, report, CAIRN_FORMAT_JSON, 0);
    double printed = seconds();
    print_message("a million values: built in %.2f s, printed in %.2f s\n", built - start,
                  printed - built);
    assert_true(built - start < 5); /* far above what it takes, also under a sanitizer */
    cairn_string_free(json);
    cairn_report_free(report);
}

static cairn_status build_everything(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_report *report = NULL, *part = NULL;
    cairn_status status = CAIRN_OK;
    char *out = NULL;
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_report_new(ctx, &part));
    fill_sample(part);
    fill_sample(report);
    for (int i = 0; i < 40; i++) cairn_report_hidden_word(part, "a word", "words.number%d", i);
    cairn_report_append(report, part, "part");
    TRY(cairn_report_status(report));
    for (int format = CAIRN_FORMAT_TEXT; format <= LAST_FORMAT; format++) {
        TRY(cairn_report_print(ctx, report, (cairn_format)format, NULL, &out));
        cairn_string_free(out);
        out = NULL;
    }
done:
    cairn_report_free(report);
    cairn_report_free(part);
    return status;
}

static void test_report__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(build_everything, NULL);
}

static void test_report__bad_print_calls_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    char *out = NULL;
    assert_fails(ctx, cairn_report_print(ctx, NULL, CAIRN_FORMAT_TEXT, NULL, &out), CAIRN_USAGE,
                 "no report");
    assert_fails(ctx, cairn_report_print(ctx, report, (cairn_format)99, NULL, &out), CAIRN_USAGE,
                 "99");
    assert_null(out);
    cairn_report_free(report);
}

static void test_report__worked_numbers_stand_in_the_formula(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    const double terms[] = {3, 2, 1, 4};
    cairn_report_worked(NULL, "d", "#", 1);
    cairn_report_worked_sum(NULL, "d", "#", terms, 1, 4, 10);
    cairn_report_worked(report, "d", "a − b = # − # = #", -3, -2, -1);
    cairn_report_worked(report, NULL, "#² + # = #", -2, 0.125, 4.125);
    cairn_report_worked_sum(report, "100%s", "#·#", terms, 2, 2, 10);
    cairn_report_worked_sum(report, "none", "#", terms, 1, 0, 0);
    assert_prints(ctx, report, CAIRN_FORMAT_TEXT, 80,
                  "    d = a − b = -3 − (-2) = -1\n\n"
                  "    (-2)² + 0.125 = 4.125\n\n"
                  "    100%s = 3·2 + 1·4 = 10\n\n"
                  "    none = 0 = 0\n");
    cairn_report_free(report);
}

static void test_report__long_sums_are_cut_in_the_middle(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    double terms[20];
    for (size_t i = 0; i < 20; i++) terms[i] = (double)i + 1;
    cairn_report_worked_sum(report, "Σ", "#", terms, 1, 20, 210);
    assert_prints(ctx, report, CAIRN_FORMAT_TEXT, 80,
                  "    Σ = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + … + 20 = 210\n");
    cairn_report_free(report);
}

static void test_report__values_are_listed_with_their_types(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    cairn_named_value value = CAIRN_NAMED_VALUE_INIT;
    cairn_report_hidden(report, 0.5, "accuracy");
    cairn_report_hidden_word(report, "yes", "class");
    assert_int_equal(cairn_report_value_count(report), 2);
    assert_int_equal(cairn_report_value_count(NULL), 0);
    assert_true(cairn_report_value_at(report, 0, &value));
    assert_string_equal(value.name, "accuracy");
    assert_null(value.text);
    assert_true(value.number == 0.5);
    assert_true(cairn_report_value_at(report, 1, &value));
    assert_string_equal(value.text, "yes");
    assert_true(isnan(value.number));
    assert_false(cairn_report_value_at(report, 2, &value));
    value.size = 0;
    assert_false(cairn_report_value_at(report, 1, &value));
    cairn_report_free(report);
}

/* A table of 60 rows, of which 50 are kept, with a head that is taken twice. */
static void test_report__tables_come_out_as_tables(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    cairn_table *table = NULL;
    cairn_report_table_of(report, "Scores", 0, "lrl", "row", "score", "score");
    for (int i = 0; i < 60; i++) {
        cairn_report_cellf(report, "r%d", i);
        cairn_report_cell_number(report, i ? 1.0 / i : NAN, 3, NULL);
        if (i == 1)
            cairn_report_cell_number(report, 0.1, 3, NULL);
        else
            cairn_report_cell(report, "word");
    }
    cairn_report_table_end(report);
    assert_int_equal(cairn_report_table_count(report), 1);
    assert_string_equal(cairn_report_table_title(report, 0), "Scores");
    assert_int_equal(cairn_report_table_rows(report, 0), 60);
    assert_ok(ctx, cairn_report_table_at(ctx, &table, report, 0));
    assert_int_equal(cairn_table_rows(table), 50);
    assert_int_equal(cairn_table_kind(table, 0), CAIRN_TEXT);
    assert_true(isnan(cairn_table_numbers(table, 1)[0]));
    assert_true(cairn_table_numbers(table, 1)[3] == 1.0 / 3);
    assert_string_equal(cairn_table_name(table, 2), "score_2");
    char cell[16];
    cairn_table_cell(table, 2, 1, cell, sizeof cell);
    assert_string_equal(cell, "0.1");
    cairn_table_free(table);
    assert_fails(ctx, cairn_report_table_at(ctx, &table, report, 1), CAIRN_USAGE, "has 1");
    cairn_report_free(report);
}

static void test_report__texts_are_quoted_as_names_and_strings(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        cairn_quoting how;
        const char *text, *quoted;
    } cases[] = {{CAIRN_QUOTE_NAME, "a.b\\c", "a\\.b\\\\c"},
                 {CAIRN_QUOTE_JSON, "say \"x\"\n", "\"say \\\"x\\\"\\n\""},
                 {CAIRN_QUOTE_CSV, "a,b", "\"a,b\""},
                 {CAIRN_QUOTE_HTML, "a<b", "a&lt;b"}};
    char *quoted;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(ctx, cairn_text_quote(ctx, cases[i].text, cases[i].how, &quoted));
        assert_string_equal(quoted, cases[i].quoted);
        cairn_string_free(quoted);
    }
    assert_fails(ctx, cairn_text_quote(ctx, "x", (cairn_quoting)99, &quoted), CAIRN_USAGE,
                 "no way 99");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__null_is_accepted_everywhere),
        context_test(test_report__values_are_found_by_name_and_in_order),
        context_test(test_report__keys_escape_dots_and_stay),
        context_test(test_report__rows_beyond_the_limit_are_named_and_counted),
        context_test(test_report__misused_tables_stay_whole),
        context_test(test_report__append_moves_all),
        context_test(test_report__append_many_keeps_names_and_order),
        context_test(test_report__steps_without_begin_are_ignored),
        context_test(test_report__a_million_values_are_quick),
        cmocka_unit_test(test_report__survives_failing_allocations),
        context_test(test_report__bad_print_calls_are_refused),
        context_test(test_report__worked_numbers_stand_in_the_formula),
        context_test(test_report__long_sums_are_cut_in_the_middle),
        context_test(test_report__values_are_listed_with_their_types),
        context_test(test_report__tables_come_out_as_tables),
        context_test(test_report__texts_are_quoted_as_names_and_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
