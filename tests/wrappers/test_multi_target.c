/* SPDX-License-Identifier: MIT */
/* Several targets, several labels per row, one class against the rest. */
#include "support/fail_alloc.h"
#include "support/run.h"
#include "data/target_labels.h"
#include "wrappers/multi_target.h"
#include <math.h>

static const char labels_csv[] = "x,tags\n1,a;b\n2,a\n3, a ; c \n4,;\n5,?\n";

/* What a command says under a name; NaN when it does not. */
static double reported(cairn_context *ctx, cairn_virtual_files *files, const char *name,
                       const char *const *words)
{
    cairn_report *report;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    double value = NAN;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_files(ctx, report, &output, files, count_words(words), words));
    cairn_report_number(report, name, &value);
    cairn_string_free(output.document);
    cairn_report_free(report);
    return value;
}

/* Two numbers and a class that depend on x and colour; every 7th `size` and every 11th `kind` are
 * missing when `holes`. */
static cairn_table *mixed(cairn_context *ctx, bool holes)
{
    enum { ROWS = 120 };
    static const char *const kinds[] = {"small", "large"}, *const colours[] = {"red", "blue"};
    double x[ROWS], size[ROWS], weight[ROWS];
    int32_t kind[ROWS], colour[ROWS];
    cairn_table *table;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = (double)(i * 37 % 101) / 4;
        colour[i] = (int32_t)(i % 2);
        size[i] = holes && i % 7 == 0 ? NAN : 3 * x[i] + 1;
        weight[i] = 0.5 * x[i] - 2 * colour[i] + 0.25;
        kind[i] = holes && i % 11 == 0 ? -1 : x[i] > 12;
    }
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "size", size));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", colour, colours, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "kind", kind, kinds, 2));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "weight", weight));
    assert_ok(ctx, cairn_table_set_roles(ctx, table, "size,kind,weight", CAIRN_TARGET));
    return table;
}

static cairn_model *fitted(cairn_context *ctx, const char *spec, const cairn_table *table)
{
    cairn_params *params;
    cairn_model *model;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
    cairn_params_free(params);
    return model;
}

/* A learner that takes one target gets several models by itself, each of them what it would be
 * alone. */
static void test_multi_target__each_is_what_it_is_alone(void **state)
{
    static const char *const names[] = {"size", "kind", "weight"};
    cairn_table *table = mixed(*state, true), *all, *one;
    cairn_model *model = fitted(*state, "tree:max-depth=3", table);
    cairn_multi_target_parts parts;
    assert_true(cairn_multi_target_look(&parts, model));
    for (size_t t = 0; t < parts.n; t++) /* x, colour and its own target: not the other targets */
        assert_int_equal(parts.models[t]->schema.n_fields, 3);
    assert_int_equal(parts.n, 3);
    assert_int_equal(parts.models[0]->n_rows, 120 - 18);
    assert_int_equal(parts.models[1]->n_rows, 120 - 11);
    assert_int_equal(parts.models[2]->n_rows, 120);
    assert_int_equal(model->n_rows, 120);
    assert_ok(*state, cairn_model_predict(*state, &all, model, table, false));
    for (size_t t = 0; t < 3; t++) {
        assert_ok(*state, cairn_table_set_roles(*state, table, "size,kind,weight", CAIRN_IGNORED));
        assert_ok(*state, cairn_table_set_role(*state, table, names[t], CAIRN_TARGET));
        cairn_model *alone = fitted(*state, "tree:max-depth=3", table);
        assert_ok(*state, cairn_model_predict(*state, &one, alone, table, false));
        ptrdiff_t at = cairn_table_find(all, names[t]);
        assert_true(at >= 0);
        for (size_t i = 0; i < 120; i++) {
            char a[32], b[32];
            cairn_table_cell(all, (size_t)at, i, a, sizeof a);
            cairn_table_cell(one, 0, i, b, sizeof b);
            assert_string_equal(a, b);
        }
        cairn_table_free(one);
        cairn_model_free(alone);
    }
    cairn_table_free(all);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* The same bytes for any number of threads, and after saving and loading. */
static void test_multi_target__threads_and_file(void **state)
{
    cairn_table *table = mixed(*state, false);
    char *first = NULL, *bytes;
    size_t first_length = 0, length;
    for (int threads = 1; threads <= 4; threads *= 2) {
        cairn_context_set_threads(*state, threads);
        cairn_model *model = fitted(*state, "tree", table);
        assert_ok(*state, cairn_model_save_memory(*state, model, &bytes, &length));
        cairn_model_free(model);
        if (!first) {
            first = bytes;
            first_length = length;
            continue;
        }
        assert_int_equal(length, first_length);
        assert_memory_equal(bytes, first, length);
        cairn_string_free(bytes);
    }
    cairn_model *loaded;
    assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", first, first_length));
    assert_ok(*state, cairn_model_save_memory(*state, loaded, &bytes, &length));
    assert_int_equal(length, first_length);
    assert_memory_equal(bytes, first, length);
    cairn_string_free(bytes);
    cairn_string_free(first);
    cairn_model_free(loaded);
    cairn_table_free(table);
}

/* A base that only predicts numbers takes few whole numbers for numbers, too. */
static void test_multi_target__tasks_are_those_of_the_base(void **state)
{
    enum { ROWS = 12 };
    double x[ROWS], count[ROWS], size[ROWS];
    cairn_table *table;
    cairn_multi_target_parts parts;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = (double)i;
        count[i] = (double)(i % 3);
        size[i] = 1.5 * (double)i;
    }
    assert_ok(*state, cairn_table_new(*state, &table, ROWS));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "count", count));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "size", size));
    assert_ok(*state, cairn_table_set_roles(*state, table, "count,size", CAIRN_TARGET));
    cairn_model *lines = fitted(*state, "linear", table), *tree = fitted(*state, "tree", table);
    assert_true(cairn_multi_target_look(&parts, lines));
    assert_int_equal(parts.models[0]->task, CAIRN_REGRESS);
    assert_int_equal(parts.models[1]->task, CAIRN_REGRESS);
    assert_true(cairn_multi_target_look(&parts, tree));
    assert_int_equal(parts.models[0]->task, CAIRN_CLASSIFY);
    assert_int_equal(parts.models[1]->task, CAIRN_REGRESS);
    cairn_model_free(lines);
    cairn_model_free(tree);
    cairn_table_free(table);
}

/* Majority: a is said of all rows, b and c of none. By hand: of 12 answers 3 are wrong, only the
 * row with a alone is met exactly. */
static void test_multi_target__labels_by_hand(void **state)
{
    static const struct {
        const char *name;
        double value;
    } expected[] = {
        {"exact_match", 0.25},     {"hamming", 0.25},          {"micro.precision", 3 / 4.0},
        {"micro.recall", 3 / 5.0}, {"micro.f1", 2 / 3.0},      {"macro.precision", 1 / 4.0},
        {"macro.recall", 1 / 3.0}, {"macro.f1", 2 / 7.0},      {"label.a.f1", 6 / 7.0},
        {"label.b.recall", 0},     {"label.c.baseline", 0.75}, {"evaluate.waiting", 1},
        {"evaluate.labels", 3}};
    static const char *const fit[] = {"fit",          "majority", "t.csv",  "--target", "tags",
                                      "--label-mark", ";",        "--save", "m",        NULL};
    static const char *const judge[] = {"evaluate", "m", "t.csv", NULL};
    cairn_virtual_files files = {0};
    assert_ok(*state,
              cairn_virtual_put(*state, &files, "t.csv", labels_csv, sizeof labels_csv - 1));
    assert_true(reported(*state, &files, "multi.targets", fit) == 3);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double value = reported(*state, &files, expected[i].name, judge);
        if (!(fabs(value - expected[i].value) < 1e-12))
            fail_msg("%s: %g is not %g", expected[i].name, value, expected[i].value);
    }
    cairn_virtual_clear(&files);
}

static cairn_table *texts(cairn_context *ctx, const char *const *cells, size_t n)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "tags", cells));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "tags", CAIRN_TARGET));
    return table;
}

static void test_labels__cells_are_cut(void **state)
{
    static const char *const cells[] = {"a, b", " b ,,a,b", ",", NULL, "c"};
    static const int32_t expected[3][5] = {{1, 1, 0, -1, 0}, {1, 1, 0, -1, 0}, {0, 0, 0, -1, 1}};
    cairn_table *table = texts(*state, cells, 5);
    cairn_map known = {0};
    cairn_unknown_labels unknown;
    size_t index;
    assert_ok(*state, cairn_labels_split(*state, table, 0, ",", NULL, NULL));
    assert_int_equal(table->n_columns, 4);
    assert_int_equal(table->slots[0].role, CAIRN_IGNORED);
    assert_string_equal(table->slots[1].name, "tags=a");
    assert_string_equal(cairn_label_name("tags=a", "tags"), "a");
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(table->slots[k + 1].column->codes[i], expected[k][i]);
    cairn_table_free(table);
    table = texts(*state, cells, 5);
    assert_ok(*state, cairn_map_add(*state, &known, "b", 1, &index));
    assert_ok(*state, cairn_map_add(*state, &known, "z", 1, &index));
    assert_ok(*state, cairn_labels_split(*state, table, 0, ",", &known, &unknown));
    assert_int_equal(unknown.n, 3);
    assert_true(unknown.rows[0] && unknown.rows[1] && !unknown.rows[2] && unknown.rows[4]);
    assert_int_equal(table->n_columns, 3);
    assert_int_equal(table->slots[2].column->codes[0], 0);
    cairn_map_clear(&known);
    cairn_table_free(table);
    table = texts(*state, cells + 2, 1);
    assert_fails(*state, cairn_labels_split(*state, table, 0, ",", NULL, NULL), CAIRN_BAD_DATA,
                 "no row has a label");
    assert_fails(*state, cairn_labels_split(*state, table, 0, "", NULL, NULL), CAIRN_USAGE,
                 "'label-mark'");
    cairn_table_free(table);
}

static void test_labels__one_class_against_the_rest(void **state)
{
    static const double digits[] = {3, 1, 3, NAN, 7};
    static const int32_t expected[] = {0, 1, 0, -1, 1};
    cairn_table *table;
    assert_ok(*state, cairn_table_new(*state, &table, 5));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "digit", digits));
    assert_fails(*state, cairn_table_against_rest(*state, table, 0, "4", false), CAIRN_USAGE,
                 "never has the value '4'");
    assert_ok(*state, cairn_table_against_rest(*state, table, 0, "3", false));
    const cairn_column *column = table->slots[0].column;
    assert_int_equal(column->names.n, 2);
    assert_string_equal(cairn_map_key(&column->names, 1), "*");
    assert_int_equal(column->n_missing, 1);
    for (size_t i = 0; i < 5; i++) assert_int_equal(column->codes[i], expected[i]);
    cairn_table_free(table);
}

/* Three rows of the rest only in new data: they are the rest there, too. */
static void test_labels__the_rest_of_new_data(void **state)
{
    static const char train[] = "x,c\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n";
    static const char test[] = "x,c\n1,a\n2,new\n3,other\n4,b\n";
    static const char *const fit[] = {"fit", "tree",   "t.csv", "--target", "c", "--against-rest",
                                      "a",   "--save", "m",     NULL};
    static const char *const judge[] = {"evaluate", "m", "n.csv", NULL};
    cairn_virtual_files files = {0};
    assert_ok(*state, cairn_virtual_put(*state, &files, "t.csv", train, sizeof train - 1));
    assert_ok(*state, cairn_virtual_put(*state, &files, "n.csv", test, sizeof test - 1));
    reported(*state, &files, "none", fit);
    assert_true(reported(*state, &files, "rows.*", judge) == 3);
    assert_true(reported(*state, &files, "accuracy", judge) == 0.75);
    cairn_virtual_clear(&files);
}

/* -- failing allocations -- */

static cairn_status fit_save_load(cairn_context *ctx, void *data)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {2.5, 4, 6, 8, 10, 12};
    static const char *const cells[] = {"a;b", "a", ";", "b", "a", "b;c"};
    cairn_status status;
    cairn_table *table = NULL, *answer = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    cairn_match match = {0};
    char *bytes = NULL;
    size_t length;
    bool labels = *(const bool *)data;
    TRY(cairn_table_new(ctx, &table, 6));
    TRY(cairn_table_add_numbers(ctx, table, "x", x));
    TRY(cairn_table_add_numbers(ctx, table, "y", y));
    TRY(cairn_table_add_texts(ctx, table, "tags", cells));
    TRY(cairn_table_set_role(ctx, table, labels ? "tags" : "y", CAIRN_TARGET));
    TRY(cairn_labels_split(ctx, table, 2, ";", NULL, NULL));
    TRY(cairn_params_new(ctx, &params, labels ? "multi-target:labels=tags,mark=;" : "tree"));
    TRY(cairn_model_fit(ctx, &model, params, table, NULL));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    cairn_multi_wants wants = {true, true, true};
    TRY(cairn_multi_target_answer(ctx, &answer, loaded, table, wants, &match));
done:
    cairn_string_free(bytes);
    cairn_table_free(answer);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

static void test_multi_target__survives_failing_allocations(void **state)
{
    bool labels = false;
    (void)state;
    assert_survives_allocation_failures(fit_save_load, &labels);
    labels = true;
    assert_survives_allocation_failures(fit_save_load, &labels);
}

static cairn_status run_evaluate(cairn_context *ctx, void *data)
{
    static const char *const words[] = {"evaluate",     "majority", "t.csv", "--target", "tags",
                                        "--label-mark", ";",        "--by",  "loo",      NULL};
    cairn_virtual_files files = {0};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_report *report = NULL;
    cairn_status status;
    (void)data;
    TRY(cairn_virtual_put(ctx, &files, "t.csv", labels_csv, sizeof labels_csv - 1));
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_run_files(ctx, report, &output, &files, 9, words));
done:
    cairn_string_free(output.document);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
    return status;
}

static void test_multi_target__evaluating_survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(run_evaluate, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_multi_target__each_is_what_it_is_alone),
        context_test(test_multi_target__threads_and_file),
        context_test(test_multi_target__tasks_are_those_of_the_base),
        context_test(test_multi_target__labels_by_hand),
        context_test(test_labels__cells_are_cut),
        context_test(test_labels__one_class_against_the_rest),
        context_test(test_labels__the_rest_of_new_data),
        context_test(test_multi_target__survives_failing_allocations),
        context_test(test_multi_target__evaluating_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
