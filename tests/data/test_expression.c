/* SPDX-License-Identifier: MIT */
#include "data/expression.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char people[] = "name,age,height,sex,size,my col,joined\n"
                             "Ann,30,1.7,f,small,1,2024-02-29\n"
                             "Bob,0,1.8,m,large,2,2023-12-31\n"
                             "Cid,-4,?,m,medium,3,2026-11-15\n"
                             "Änne,16,1.5,?,small,4,?\n";

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.kinds = strstr(text, "name,") ? "name=text" : NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text, strlen(text), &options));
    return t;
}

/* The value of an expression in the first row of `people`, or another. */
static double value_at(cairn_context *ctx, const char *text, size_t row)
{
    cairn_table *t = table_of(ctx, people);
    cairn_expression *e = NULL;
    double out[4];
    assert_ok(ctx, cairn_expression_new(ctx, &e, text, t));
    assert_ok(ctx, cairn_expression_numbers(ctx, e, out, NULL));
    cairn_expression_free(e);
    cairn_table_free(t);
    return out[row];
}

static double value(cairn_context *ctx, const char *text)
{
    return value_at(ctx, text, 0);
}

static void test_expression__precedence(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1 + 2 * 3", 7},
                 {"(1 + 2) * 3", 9},
                 {"-2^2", -4},
                 {"2^-1", 0.5},
                 {"2^3^2", 512},
                 {"2**3", 8},
                 {"8 / 2 / 2", 2},
                 {"7 % 4", 3},
                 {"-7 % 4", 1},
                 {"1 - 2 - 3", -4},
                 {"--3", 3},
                 {"+3", 3},
                 {"1 = 1 and 2 = 3", 0},
                 {"1 = 1 or 2 = 3 and 1 = 2", 1},
                 {"not 1 = 2", 1},
                 {"not 1 = 2 and 1 = 2", 0},
                 {"2 between 1 and 3 and 4 > 3", 1},
                 {"1e3 + .5", 1000.5},
                 {"age", 30},
                 {"`my col` + [my col]", 2},
                 {"1 < 2", 1},
                 {"3 <= 2", 0},
                 {"3 <> 2", 1},
                 {"2 == 2", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (value(ctx, cases[i].text) != cases[i].value)
            fail_msg("%s gives %f", cases[i].text, value(ctx, cases[i].text));
}

static void test_expression__functions(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"abs(-2)", 2},
        {"sign(-2)", -1},
        {"sqrt(16)", 4},
        {"pow(2, 10)", 1024},
        {"exp(0)", 1},
        {"log(1)", 0},
        {"log2(8)", 3},
        {"log10(1000)", 3},
        {"sin(0) + cos(0)", 1},
        {"tanh(0)", 0},
        {"sigmoid(0)", 0.5},
        {"relu(-1) + relu(2)", 2},
        {"hypot(3, 4)", 5},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"round(2.5)", 3},
        {"round(-2.5)", -3},
        {"round(1234.567, 2)", 1234.57},
        {"round(1234.567, -2)", 1200},
        {"mod(7, 4)", 3},
        {"clamp(7, 1, 5)", 5},
        {"clamp(-7, 1, 5)", 1},
        {"sum(1, 2, 3)", 6},
        {"mean(1, 2, 6)", 3},
        {"var(1, 2, 3)", 1},
        {"sd(2, 4)", 1.4142135623730951},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 2)", 3},
        {"sum(age:height)", 31.7},
        {"sum(*)", 32.7},
        {"count(1, missing, height)", 2},
        {"if(age > 10, 1, 2)", 1},
        {"coalesce(missing, missing, 4)", 4},
        {"row()", 1},
        {"rows()", 4},
        {"length(name)", 3},
        {"length('Änne')", 4},
        {"contains(name, 'nn')", 1},
        {"starts(name, 'An') and ends(name, 'nn')", 1},
        {"matches(name, 'A*') and matches(name, 'A?n') and matches(name, '[!a-z][n]n')", 1},
        {"matches('aXbXc', 'a*X?')", 1},
        {"matches('abc', 'a*d')", 0},
        {"matches('', '*')", 1},
        {"upper('straße ä') = 'STRAßE Ä' or upper('ä') = 'Ä'", 1},
        {"lower('ÄB') = 'äb'", 1},
        {"trim('  a ') = 'a'", 1},
        {"concat('a', 'b', 'c') = 'abc'", 1},
        {"part('Änne', 2, 2) = 'nn'", 1},
        {"part('Änne', 3) = 'ne'", 1},
        {"replace('banana', 'an', '') = 'ba'", 1},
        {"number(' 2.5 ')", 2.5},
        {"number(1 = 1)", 1},
        {"text(2.5) = '2.5'", 1},
        {"text(1 = 1) = 'yes'", 1},
        {"truth('Yes')", 1},
        {"truth(0)", 0},
        {"name in ('Bob', 'Ann')", 1},
        {"age not in (1, 2)", 1},
        {"'it''s' = \"it's\"", 1},
        {"year(joined)", 2024},
        {"quarter(joined) + month(joined) + day(joined)", 1 + 2 + 29},
        {"weekday(joined)", 4},
        {"yearday(joined)", 60},
        {"hour(time('2026-11-15 14:30')) + minute(time('2026-11-15 14:30'))", 44},
        {"joined >= '2024-01-01'", 1},
        {"joined - date(2024, 2, 28)", 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!(fabs(value(ctx, cases[i].text) - cases[i].value) < 1e-12))
            fail_msg("%s gives %f", cases[i].text, value(ctx, cases[i].text));
}

static void test_expression__missing_spreads_and_logic_has_three_values(void **state)
{
    cairn_context *ctx = *state;
    static const char *const missing[] = {
        "missing + 1",      "height * 2",           "missing = missing",   "height > 1",
        "not (height > 1)", "height > 1 and 1 = 1", "height > 1 or 1 = 2", "if(height > 1, 1, 2)",
        "sum(height, 1)",   "min(1, height)",       "max(height, 1)",      "sd(1, height, 2)",
        "missing ^ 0",      "1 ^ missing",          "1 in (2, missing)",   "clamp(height, 0, 1)",
        "round(1, height)", "hypot(height, 1)"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (!isnan(value_at(ctx, missing[i], 2))) fail_msg("%s is not missing", missing[i]);
    assert_true(value_at(ctx, "height > 1 and 1 = 2", 2) == 0);
    assert_true(value_at(ctx, "height > 1 or 1 = 1", 2) == 1);
    assert_true(value_at(ctx, "height is missing", 2) == 1);
    assert_true(value_at(ctx, "height is not missing", 2) == 0);
    assert_true(value_at(ctx, "sex is missing", 3) == 1);
    assert_true(isnan(value_at(ctx, "sex = 'm'", 3)));
    assert_true(value_at(ctx, "1 in (1, missing)", 0) == 1);
}

static void test_expression__faults_are_missing_and_counted(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, people);
    static const struct {
        const char *text;
        cairn_fault fault;
        size_t n, first;
    } cases[] = {{"1 / age", CAIRN_FAULT_DIVISION, 1, 1},
                 {"age % 0", CAIRN_FAULT_DIVISION, 4, 0},
                 {"log(age)", CAIRN_FAULT_LOGARITHM, 2, 1},
                 {"sqrt(age)", CAIRN_FAULT_ROOT, 1, 2},
                 {"age ^ 0.5", CAIRN_FAULT_POWER, 1, 2},
                 {"age ^ -1", CAIRN_FAULT_DIVISION, 1, 1},
                 {"asin(age)", CAIRN_FAULT_DOMAIN, 3, 0},
                 {"number(name)", CAIRN_FAULT_NUMBER, 4, 0},
                 {"exp(age * 100)", CAIRN_FAULT_INFINITE, 2, 0},
                 {"1e308 * 10 + age", CAIRN_FAULT_INFINITE, 4, 0},
                 {"date(2023, 2, age)", CAIRN_FAULT_TIME, 3, 0},
                 {"height / height", CAIRN_FAULT_DIVISION, 0, 0},
                 {"if(age > 0, log(age), 0)", CAIRN_FAULT_LOGARITHM, 0, 0},
                 {"age > 0 and 1 / age > 2", CAIRN_FAULT_DIVISION, 0, 0},
                 {"age <= 0 or log(age) > 2", CAIRN_FAULT_LOGARITHM, 0, 0},
                 {"coalesce(age, 1 / 0)", CAIRN_FAULT_DIVISION, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_expression *e = NULL;
        cairn_faults faults = {0};
        double out[4];
        assert_ok(ctx, cairn_expression_new(ctx, &e, cases[i].text, t));
        assert_ok(ctx, cairn_expression_numbers(ctx, e, out, &faults));
        if (faults.n[cases[i].fault] != cases[i].n ||
            faults.first[cases[i].fault] != cases[i].first)
            fail_msg("%s: %zu faults, first %zu", cases[i].text, faults.n[cases[i].fault],
                     faults.first[cases[i].fault]);
        assert_int_equal(cairn_faults_total(&faults), cases[i].n);
        if (cases[i].n) assert_true(isnan(out[cases[i].first]));
        cairn_expression_free(e);
    }
    cairn_table_free(t);
}

static void test_expression__mistakes_are_shown_with_their_place(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, people);
    static const struct {
        const char *text, *message;
    } cases[] = {{"", "is empty"},
                 {"   ", "is empty"},
                 {"1 +", "is expected, but the text ends\n    1 +\n       ^"},
                 {"1 + * 2", "but '*' stands here\n    1 + * 2\n        ^"},
                 {"agee > 1", "no column 'agee'; did you mean age?\n    agee > 1\n    ^"},
                 {"my > 1", "did you mean `my col`?"},
                 {"sqr(2)", "no function 'sqr'; did you mean 'sqrt'?"},
                 {"sqrt", "'sqrt' is a function and needs brackets"},
                 {"sqrt(1, 2)", "sqrt takes 1 argument, not 2"},
                 {"round()", "round takes 1 to 2 arguments, not 0"},
                 {"mean()", "mean takes at least 1 argument"},
                 {"(1", "a closing bracket is expected"},
                 {"1)", "an operator or the end is expected, but ')' stands here"},
                 {"sum(1 2)", "a comma or a closing bracket is expected"},
                 {"sum(1,)", "another argument is expected"},
                 {"'abc", "this text is not closed by '"},
                 {"`abc", "this column name is not closed by `"},
                 {"1 < 2 < 3", "comparisons are not chained"},
                 {"a && b", "write 'and' in place of '&'"},
                 {"age AND 1", "'and' is written in small letters"},
                 {"2x", "a number ends here, but letters follow"},
                 {"age # 2", "'#' has no meaning here"},
                 {"age and 1 = 1", "a condition is needed here, but this is a number"},
                 {"name and 1 = 1", "a condition is needed here, but this is a text"},
                 {"name + 1", "a number is needed here, but this is a text"},
                 {"age = 'x'", "a number is needed here, but this is a text"},
                 {"sex = 1", "a text is needed here, but this is a number"},
                 {"length(age)", "a text is needed here, but this is a number"},
                 {"if(1 = 1, 'a', 2)", "a text is needed here"},
                 {"age is 3", "'missing' or 'not missing' is expected"},
                 {"age between 1", "'and' with the upper end is expected"},
                 {"age not 3", "'in' or 'between' is expected"},
                 {"age in 3", "an opening bracket before the list is expected"},
                 {"abs(*)", "abs does not take a list of columns"},
                 {"sum(height:age)", "comes after"},
                 {"sum(1:2)", "a range of columns is written first:last"},
                 {"joined > 'soon'", "a time such as"},
                 {"joined > 2030", "write a time in quotes"},
                 {"'\xff'", "is not UTF-8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_expression *e = NULL;
        cairn_status status = cairn_expression_new(ctx, &e, cases[i].text, t);
        if (status != CAIRN_USAGE) fail_msg("%s: status %d", cases[i].text, status);
        if (!strstr(cairn_message(ctx), cases[i].message))
            fail_msg("%s: %s", cases[i].text, cairn_message(ctx));
    }
    cairn_table_free(t);
}

/* `n` times `open`, then `middle`, then n times `close`. */
static char *nested(const char *open, const char *middle, const char *close, size_t n)
{
    size_t each = strlen(open) + strlen(close);
    char *text = malloc(n * each + strlen(middle) + 1);
    text[0] = 0;
    char *at = text;
    for (size_t i = 0; i < n; i++) at += sprintf(at, "%s", open);
    at += sprintf(at, "%s", middle);
    for (size_t i = 0; i < n; i++) at += sprintf(at, "%s", close);
    return text;
}

static void test_expression__depth_is_limited(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, people);
    static const struct {
        const char *open, *close;
    } forms[] = {{"(", ")"}, {"-", ""},  {"not ", ""},     {"abs(", ")"},   {"2^", ""},
                 {"1+", ""}, {"1*", ""}, {"min(1, ", ")"}, {"1=1 and ", ""}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        cairn_expression *e = NULL;
        char *few = nested(forms[i].open, "1", forms[i].close, 50);
        char *many = nested(forms[i].open, "1", forms[i].close, 4000);
        cairn_status status = cairn_expression_check(ctx, few);
        if (status) fail_msg("%s: %s", forms[i].open, cairn_message(ctx));
        assert_int_equal(cairn_expression_new(ctx, &e, many, t), CAIRN_USAGE);
        free(few);
        free(many);
    }
    char *sum = nested("age + ", "1", "", 900);
    assert_true(value(ctx, sum) == 900 * 30 + 1);
    free(sum);
    char *huge = nested("1+", "1", "", 40000);
    assert_fails(ctx, cairn_expression_check(ctx, huge), CAIRN_USAGE, "too long");
    free(huge);
    cairn_table_free(t);
}

static void test_expression__ordered_levels_compare_by_their_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    static const int32_t codes[] = {0, 1, 2, -1};
    static const char *const names[] = {"low", "mid", "high"};
    cairn_expression *e = NULL;
    double out[4];
    assert_ok(ctx, cairn_table_new(ctx, &t, 4));
    assert_ok(ctx, cairn_table_add_levels(ctx, t, "grade", codes, names, 3));
    assert_ok(ctx, cairn_expression_new(ctx, &e, "grade < 'high'", t));
    assert_ok(ctx, cairn_expression_numbers(ctx, e, out, NULL));
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0); /* letters: h < l < m */
    t->slots[0].column->ordered = true;
    assert_ok(ctx, cairn_expression_numbers(ctx, e, out, NULL));
    assert_true(out[0] == 1 && out[1] == 1 && out[2] == 0 && isnan(out[3]));
    cairn_expression_free(e);
    cairn_table_free(t);
}

/* Many rows: over blocks and tasks, levels by their table. */
static cairn_table *long_table(cairn_context *ctx, size_t n)
{
    cairn_table *t;
    double *x = malloc(n * sizeof *x);
    int32_t *codes = malloc(n * sizeof *codes);
    static const char *const names[] = {"red", "green", "blue"};
    for (size_t i = 0; i < n; i++) {
        x[i] = i % 7 == 0 ? NAN : (double)i;
        codes[i] = (int32_t)(i % 4) - 1;
    }
    assert_ok(ctx, cairn_table_new(ctx, &t, n));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, t, "colour", codes, names, 3));
    free(x);
    free(codes);
    return t;
}

static void test_expression__levels_of_many_rows_are_looked_up(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 70000 };
    cairn_table *t = long_table(ctx, N);
    cairn_expression *e = NULL;
    cairn_column *c = NULL;
    double *out = malloc(N * sizeof *out);
    assert_ok(ctx,
              cairn_expression_new(ctx, &e, "if(upper(colour) = 'RED', 1, length(colour))", t));
    assert_ok(ctx, cairn_expression_numbers(ctx, e, out, NULL));
    for (size_t i = 0; i < N; i++) {
        static const double wanted[] = {0, 1, 5, 4};
        if (i % 4 == 0)
            assert_true(isnan(out[i]));
        else
            assert_true(out[i] == wanted[i % 4]);
    }
    cairn_expression_free(e);
    assert_ok(ctx, cairn_expression_new(ctx, &e, "concat(colour, '-', text(row() % 3))", t));
    assert_ok(ctx, cairn_expression_column(ctx, e, &c, NULL));
    assert_int_equal(c->kind, CAIRN_LEVEL);
    assert_int_equal(c->names.n, 9);
    assert_int_equal(c->n_missing, (N + 3) / 4);
    assert_string_equal(cairn_level_name(c, c->codes[2]), "green-0");
    cairn_column_drop(c);
    cairn_expression_free(e);
    assert_ok(ctx, cairn_expression_new(ctx, &e, "text(row())", t));
    assert_ok(ctx, cairn_expression_column(ctx, e, &c, NULL));
    assert_int_equal(c->kind, CAIRN_TEXT);
    cairn_column_drop(c);
    cairn_expression_free(e);
    assert_ok(ctx, cairn_expression_new(ctx, &e, "x > 100", t));
    assert_ok(ctx, cairn_expression_column(ctx, e, &c, NULL));
    assert_int_equal(c->kind, CAIRN_LEVEL);
    assert_string_equal(cairn_level_name(c, c->codes[101]), "yes");
    assert_string_equal(cairn_level_name(c, c->codes[1]), "no");
    assert_int_equal(c->codes[0], -1);
    cairn_column_drop(c);
    cairn_expression_free(e);
    free(out);
    cairn_table_free(t);
}

static void test_expression__random_numbers_do_not_depend_on_the_threads(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 100000 };
    cairn_table *t = long_table(ctx, N);
    double *runs[3], mean = 0, squares = 0;
    for (int i = 0; i < 3; i++) {
        cairn_expression *e = NULL;
        runs[i] = malloc(N * sizeof *runs[i]);
        cairn_context_set_threads(ctx, i == 1 ? 4 : 1);
        assert_ok(ctx, cairn_expression_new(ctx, &e, "normal(5, 2) + 0 * uniform()", t));
        if (i == 2) cairn_expression_salt(e, "other");
        assert_ok(ctx, cairn_expression_numbers(ctx, e, runs[i], NULL));
        cairn_expression_free(e);
    }
    assert_memory_equal(runs[0], runs[1], N * sizeof *runs[0]);
    assert_memory_not_equal(runs[0], runs[2], N * sizeof *runs[0]);
    for (size_t i = 0; i < N; i++) mean += runs[0][i] / N;
    for (size_t i = 0; i < N; i++) squares += (runs[0][i] - mean) * (runs[0][i] - mean) / N;
    assert_true(fabs(mean - 5) < 0.03 && fabs(sqrt(squares) - 2) < 0.03);
    for (int i = 0; i < 3; i++) free(runs[i]);
    cairn_table_free(t);
}

static void test_where__rows_and_levels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, people), *kept = NULL;
    cairn_filtered found;
    assert_ok(ctx, cairn_table_where(ctx, &kept, t, "height < 1.75", &found));
    assert_int_equal(found.n_kept, 2);
    assert_int_equal(found.n_dropped, 2);
    assert_int_equal(found.n_undecided, 1);
    size_t size = (size_t)cairn_table_find(kept, "size");
    assert_int_equal(cairn_table_level_count(kept, size), 1);
    assert_string_equal(cairn_table_level(kept, size, 0), "small");
    cairn_table_free(kept);
    assert_ok(ctx, cairn_table_filter(ctx, &kept, t, "age > 1000"));
    assert_int_equal(cairn_table_rows(kept), 0);
    cairn_table_free(kept);
    assert_fails(ctx, cairn_table_filter(ctx, &kept, t, "age + 1"), CAIRN_USAGE,
                 "a condition is needed");
    assert_ok(ctx, cairn_table_compute(ctx, t, "half", "age / 2"));
    assert_true(cairn_table_numbers(t, (size_t)cairn_table_find(t, "half"))[0] == 15);
    assert_ok(ctx, cairn_table_compute(ctx, t, "age", "age > 10"));
    assert_string_equal(cairn_table_level(t, (size_t)cairn_table_find(t, "age"), 1), "yes");
    cairn_table_free(t);
}

static void test_assignment__is_taken_apart(void **state)
{
    cairn_context *ctx = *state;
    char *name, *text;
    assert_ok(ctx, cairn_assignment_split(ctx, " z = x >= 1 ", &name, &text));
    assert_string_equal(name, "z");
    assert_string_equal(text, "x >= 1 ");
    assert_ok(ctx, cairn_assignment_split(ctx, "`a=b`=2", &name, &text));
    assert_string_equal(name, "a=b");
    assert_string_equal(text, "2");
    assert_ok(ctx, cairn_assignment_split(ctx, "[a b] = 2", &name, &text));
    assert_string_equal(name, "a b");
    static const char *const bad[] = {"", "=2", "x", "x == 2", "`a", "[a] 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, cairn_assignment_split(ctx, bad[i], &name, &text), CAIRN_USAGE,
                     "a formula reads name = expression");
}

static cairn_status compute_all(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_table *t = NULL, *kept = NULL;
    TRY(cairn_table_read_memory(ctx, &t, "x.csv", people, sizeof people - 1, NULL));
    TRY(cairn_table_compute(ctx, t, "z", "concat(upper(name), text(round(age * 1.5 + sum(*))))"));
    TRY(cairn_table_compute(ctx, t, "w", "if(contains(name, 'n') and age > 3, 1 / age, normal())"));
    TRY(cairn_table_filter(ctx, &kept, t, "size in ('small', 'large') or year(joined) > 2000"));
done:
    cairn_table_free(t);
    cairn_table_free(kept);
    return status;
}

static void test_expression__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(compute_all, NULL);
}

/* Only a text that is one call as a whole has an argument. */
static void test_expression__the_argument_of_a_call(void **state)
{
    static const char *const cases[][2] = {
        {"sigmoid(a + b)", "a + b"},       {" sigmoid ((a + b) * exp(c))", "(a + b) * exp(c)"},
        {"sigmoid(a) * sigmoid(b)", NULL}, {"-sigmoid(a)", NULL},
        {"exp(sigmoid(a))", NULL},         {"a", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *inside;
        assert_ok(*state, cairn_expression_argument(*state, &inside, cases[i][0], "sigmoid"));
        assert_int_equal(inside == NULL, cases[i][1] == NULL);
        if (inside) assert_string_equal(inside, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_expression__precedence),
        context_test(test_expression__functions),
        context_test(test_expression__missing_spreads_and_logic_has_three_values),
        context_test(test_expression__faults_are_missing_and_counted),
        context_test(test_expression__mistakes_are_shown_with_their_place),
        context_test(test_expression__depth_is_limited),
        context_test(test_expression__ordered_levels_compare_by_their_order),
        context_test(test_expression__levels_of_many_rows_are_looked_up),
        context_test(test_expression__random_numbers_do_not_depend_on_the_threads),
        context_test(test_where__rows_and_levels),
        context_test(test_assignment__is_taken_apart),
        cmocka_unit_test(test_expression__survives_failing_allocations),
        context_test(test_expression__the_argument_of_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
