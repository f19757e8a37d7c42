/* SPDX-License-Identifier: MIT */
/* The verbs as functions say what the command of the same options says. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "cairn/cairn.h"
#include "data/objects.h"
#include "data/table.h"

#include <stdio.h>

typedef struct bench {
    cairn_table *iris, *wine;
    cairn_model *tree;
    cairn_objects *objects; /* the same as @data, @data2 and @model */
} bench;

static void set_up(cairn_context *ctx, bench *b)
{
    cairn_params *params;
    assert_ok(ctx, cairn_table_read(ctx, &b->iris, "@iris", NULL));
    assert_ok(ctx, cairn_table_read(ctx, &b->wine, "@wine", NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree:max-depth=2"));
    assert_ok(ctx, cairn_model_fit(ctx, &b->tree, params, b->iris, NULL));
    cairn_params_free(params);
    assert_ok(ctx, cairn_objects_new(ctx, &b->objects));
    assert_ok(ctx, cairn_objects_put_table(ctx, b->objects, "data", b->iris));
    assert_ok(ctx, cairn_objects_put_table(ctx, b->objects, "data2", b->wine));
    assert_ok(ctx, cairn_objects_put_model(ctx, b->objects, "model", b->tree));
}

static void tear_down(bench *b)
{
    cairn_table_free(b->iris);
    cairn_table_free(b->wine);
    cairn_model_free(b->tree);
    cairn_objects_free(b->objects);
}

/* The report of a function, which is freed, against that of the command. */
static void assert_says(cairn_context *ctx, cairn_report *report, bench *b,
                        const char *const *words)
{
    cairn_report *expected;
    char *said, *wanted;
    assert_ok(ctx, cairn_report_new(ctx, &expected));
    assert_ok(ctx, cairn_run_with(ctx, expected, NULL, b->objects, count_words(words), words));
    assert_ok(ctx, cairn_report_print(ctx, expected, CAIRN_FORMAT_JSON, NULL, &wanted));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &said));
    assert_string_equal(said, wanted);
    cairn_string_free(said);
    cairn_string_free(wanted);
    cairn_report_free(expected);
    cairn_report_free(report);
}

static cairn_report *new_report(cairn_context *ctx)
{
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    return report;
}

static void test_verbs__evaluate_a_learner(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_table *predictions = NULL;
    cairn_model *model = NULL;
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    set_up(ctx, &b);
    how.by = "cv:3";
    how.measures = "kappa,brier";
    how.with = WORDS("standardise", "pca:components=2");
    how.missing = "drop";
    how.positive = "virginica";
    how.level = 0.9;
    how.shuffles = 2;
    how.out_table = &predictions;
    how.out_model = &model;
    how.more = WORDS("--max-depth", "2", "--errors", "--against-rest", "virginica");
    assert_ok(ctx, cairn_evaluate(ctx, report, "tree:impurity=gini", b.iris, &how));
    assert_says(ctx, report, &b,
                WORDS("evaluate", "tree:impurity=gini", "@data", "--by", "cv:3", "--measure",
                      "kappa,brier", "--with", "standardise", "--with", "pca:components=2",
                      "--missing", "drop", "--positive", "virginica", "--level", "0.9",
                      "--shuffles", "2", "--max-depth", "2", "--errors", "--against-rest",
                      "virginica"));
    assert_int_equal(cairn_table_rows(predictions), 150);
    assert_string_equal(cairn_model_learner(model), "tree");
    cairn_table_free(predictions);
    cairn_model_free(model);
    tear_down(&b);
}

static void test_verbs__evaluate_a_model(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    set_up(ctx, &b);
    how.model = b.tree;
    assert_ok(ctx, cairn_evaluate(ctx, report, NULL, b.iris, &how));
    assert_says(ctx, report, &b, WORDS("evaluate", "@model", "@data"));
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE, "not both");
    how.by = "loo";
    assert_fails(ctx, cairn_evaluate(ctx, NULL, NULL, b.iris, &how), CAIRN_USAGE,
                 "'by' holds out rows for a learner");
    tear_down(&b);
}

static void test_verbs__compare(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_table *predictions;
    cairn_compare_options how = CAIRN_COMPARE_OPTIONS_INIT;
    set_up(ctx, &b);
    const cairn_table *const both[] = {b.iris, b.wine, NULL}, *const one[] = {b.iris, NULL};
    how.by = "cv:3";
    how.measure = "kappa";
    how.with = WORDS("standardise");
    how.missing = "impute";
    how.control = "majority";
    how.alpha = 0.1;
    how.steps = true;
    assert_ok(ctx, cairn_compare(ctx, report, WORDS("majority", "tree:max-depth=2"), both, &how));
    assert_says(ctx, report, &b,
                WORDS("compare", "majority", "tree:max-depth=2", "--on", "@data", "@data2", "--by",
                      "cv:3", "--measure", "kappa", "--with", "standardise", "--missing", "impute",
                      "--control", "majority", "--alpha", "0.1", "--steps"));
    how = (cairn_compare_options)CAIRN_COMPARE_OPTIONS_INIT;
    how.names = WORDS("data2", "data");
    how.by = "cv:3";
    report = new_report(ctx);
    assert_ok(ctx, cairn_compare(ctx, report, WORDS("majority", "tree"),
                                 (const cairn_table *const[]){b.wine, b.iris, NULL}, &how));
    assert_says(ctx, report, &b,
                WORDS("compare", "majority", "tree", "--on", "@data2", "@data", "--by", "cv:3"));
    how.names = WORDS("same", "same");
    assert_fails(ctx, cairn_compare(ctx, NULL, WORDS("majority", "tree"), both, &how), CAIRN_USAGE,
                 "two objects would be called '@same'");
    how = (cairn_compare_options)CAIRN_COMPARE_OPTIONS_INIT;
    how.out_table = &predictions;
    how.by = "holdout:0.3";
    assert_ok(ctx, cairn_compare(ctx, NULL, WORDS("majority", "tree"), one, &how));
    assert_true(cairn_table_columns(predictions) >= 3);
    cairn_table_free(predictions);
    tear_down(&b);
}

static void test_verbs__tune(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_model *model;
    cairn_tune_options how = CAIRN_TUNE_OPTIONS_INIT;
    set_up(ctx, &b);
    how.search = "random";
    how.tries = 3;
    how.choose = "one-se";
    how.by = "cv:3";
    how.outer = "holdout:0.3";
    how.measure = "kappa";
    how.with = WORDS("standardise");
    how.missing = "drop";
    how.positive = "setosa";
    how.steps = true;
    how.more = WORDS("--against-rest", "setosa");
    how.out_model = &model;
    cairn_context_set_seed(ctx, 5);
    assert_ok(ctx, cairn_tune(ctx, report, "tree", WORDS("max-depth=1:4", "impurity=gini,entropy"),
                              b.iris, &how));
    assert_says(ctx, report, &b,
                WORDS("tune", "tree", "@data", "--over", "max-depth=1:4", "--over",
                      "impurity=gini,entropy", "--search", "random", "--tries", "3", "--choose",
                      "one-se", "--by", "cv:3", "--outer", "holdout:0.3", "--measure", "kappa",
                      "--with", "standardise", "--missing", "drop", "--positive", "setosa",
                      "--steps", "--against-rest", "setosa"));
    assert_int_equal(cairn_model_task(model), CAIRN_CLASSIFY);
    cairn_model_free(model);
    /* What is searched is what the learner declares, where it declares something. */
    assert_ok(ctx, cairn_tune(ctx, NULL, "one-r", NULL, b.iris, NULL));
    assert_fails(ctx, cairn_tune(ctx, NULL, "majority", NULL, b.iris, NULL), CAIRN_USAGE,
                 "worth a search");
    tear_down(&b);
}

static void test_verbs__compute(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_table *distances;
    cairn_compute_options how = CAIRN_COMPUTE_OPTIONS_INIT;
    set_up(ctx, &b);
    how.steps = true;
    how.more = WORDS("--counts", "9,5");
    assert_ok(ctx, cairn_compute(ctx, report, "impurity", NULL, &how));
    assert_says(ctx, report, &b, WORDS("compute", "impurity", "--counts", "9,5", "--steps"));
    how = (cairn_compute_options)CAIRN_COMPUTE_OPTIONS_INIT;
    how.models = (const cairn_model *const[]){b.tree, NULL};
    report = new_report(ctx);
    assert_ok(ctx, cairn_compute(ctx, report, "confusion", b.iris, &how));
    assert_says(ctx, report, &b, WORDS("compute", "confusion", "@model", "@data"));
    how = (cairn_compute_options)CAIRN_COMPUTE_OPTIONS_INIT;
    how.out_table = &distances;
    assert_ok(ctx, cairn_compute(ctx, NULL, "distances", b.iris, &how));
    assert_int_equal(cairn_table_rows(distances), 150);
    cairn_table_free(distances);
    distances = NULL;
    how.more = WORDS("--counts", "9,5");
    assert_fails(ctx, cairn_compute(ctx, NULL, "impurity", NULL, &how), CAIRN_USAGE,
                 "there is no table to write");
    assert_null(distances);
    tear_down(&b);
}

static void test_verbs__describe(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_describe_options how = CAIRN_DESCRIBE_OPTIONS_INIT;
    set_up(ctx, &b);
    assert_ok(ctx, cairn_objects_put_table(ctx, b.objects, "other", b.iris));
    how.show = "columns,statistics";
    how.by = "species";
    how.against = b.iris;
    assert_ok(ctx, cairn_describe(ctx, report, b.iris, &how));
    assert_says(ctx, report, &b,
                WORDS("describe", "@data", "--show", "columns,statistics", "--by", "species",
                      "--against", "@other"));
    how = (cairn_describe_options)CAIRN_DESCRIBE_OPTIONS_INIT;
    how.model = b.tree;
    report = new_report(ctx);
    assert_ok(ctx, cairn_describe(ctx, report, NULL, &how));
    assert_says(ctx, report, &b, WORDS("describe", "@model"));
    assert_fails(ctx, cairn_describe(ctx, NULL, b.iris, &how), CAIRN_USAGE, "not both");
    tear_down(&b);
}

static void test_verbs__draw_gives_the_bytes_of_a_picture(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_draw_options how = CAIRN_DRAW_OPTIONS_INIT;
    set_up(ctx, &b);
    how.title = "Petals";
    how.x_label = "length";
    how.y_label = "width";
    how.width = 400;
    how.height = 300;
    how.more = WORDS("--x", "petal_length", "--y", "petal_width");
    assert_ok(ctx, cairn_draw(ctx, report, &output, "scatter", b.iris, &how));
    assert_false(output.silent);
    assert_non_null(output.document);
    assert_int_equal(strlen(output.document), output.length);
    assert_memory_equal(output.document, "<svg", 4);
    assert_non_null(strstr(output.document, "Petals"));
    assert_non_null(strstr(output.document, "width=\"400\""));
    cairn_string_free(output.document);
    assert_says(ctx, report, &b,
                WORDS("draw", "scatter", "@data", "--title", "Petals", "--x-label", "length",
                      "--y-label", "width", "--width", "400", "--height", "300", "--x",
                      "petal_length", "--y", "petal_width"));
    how = (cairn_draw_options)CAIRN_DRAW_OPTIONS_INIT;
    how.models = (const cairn_model *const[]){b.tree, NULL};
    output = (cairn_run_output)CAIRN_RUN_OUTPUT_INIT;
    assert_ok(ctx, cairn_draw(ctx, NULL, &output, "tree", NULL, &how));
    assert_non_null(strstr(output.document, "petal"));
    cairn_string_free(output.document);
    how.format = "gif";
    assert_fails(ctx, cairn_draw(ctx, NULL, &output, "tree", NULL, &how), CAIRN_USAGE,
                 "svg, png or pdf, not 'gif'");
    tear_down(&b);
}

static void test_verbs__explain(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_report *report = new_report(ctx);
    cairn_table *predictions;
    cairn_explain_options how = CAIRN_EXPLAIN_OPTIONS_INIT;
    set_up(ctx, &b);
    assert_ok(ctx, cairn_objects_put_table(ctx, b.objects, "background", b.iris));
    how.rows = "1,51-52";
    how.by = "columns";
    how.background = b.iris;
    how.draws = 20;
    how.output = "all";
    assert_ok(ctx, cairn_explain(ctx, report, b.tree, b.iris, &how));
    assert_says(ctx, report, &b,
                WORDS("predict", "@model", "@data", "--explain", "--rows", "1,51-52",
                      "--explain-by", "columns", "--background", "@background", "--draws", "20",
                      "--output", "all"));
    how = (cairn_explain_options)CAIRN_EXPLAIN_OPTIONS_INIT;
    how.out_table = &predictions;
    assert_ok(ctx, cairn_explain(ctx, NULL, b.tree, b.iris, &how));
    assert_int_equal(cairn_table_rows(predictions), 150);
    cairn_table_free(predictions);
    tear_down(&b);
}

/* Further objects of the caller, and results that further words put there. */
static void test_verbs__words_may_name_further_objects(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    cairn_describe_options about = CAIRN_DESCRIBE_OPTIONS_INIT;
    cairn_report *report = new_report(ctx);
    set_up(ctx, &b);
    how.objects = about.objects = b.objects;
    how.more = WORDS("--save", "@kept", "--by", "cv:2");
    assert_ok(ctx, cairn_evaluate(ctx, NULL, "tree", b.wine, &how));
    assert_string_equal(cairn_model_learner(cairn_objects_model(b.objects, "kept")), "tree");
    about.name = "iris-1";
    about.more = WORDS("--against", "@dta");
    assert_fails(ctx, cairn_describe(ctx, NULL, b.iris, &about), CAIRN_USAGE,
                 "did you mean '@data'?");
    about.more = WORDS("--against", "@data");
    assert_ok(ctx, cairn_describe(ctx, report, b.iris, &about));
    char *text;
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, NULL, &text));
    assert_memory_equal(text, "@iris-1\n", 8);
    cairn_string_free(text);
    cairn_report_free(report);
    tear_down(&b);
}

static void test_verbs__bad_arguments_are_refused(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    cairn_compute_options calculation = CAIRN_COMPUTE_OPTIONS_INIT;
    set_up(ctx, &b);
    assert_fails(ctx, cairn_evaluate(ctx, NULL, NULL, b.iris, NULL), CAIRN_USAGE,
                 "cairn_evaluate needs the name of a learner, not NULL");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "--help", b.iris, NULL), CAIRN_USAGE, "'--help'");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tre", b.iris, NULL), CAIRN_USAGE,
                 "did you mean 'tree'?");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", NULL, NULL), CAIRN_USAGE,
                 "needs a table, not NULL");
    assert_fails(ctx, cairn_explain(ctx, NULL, NULL, b.iris, NULL), CAIRN_USAGE,
                 "needs a model, not NULL");
    assert_fails(ctx, cairn_compare(ctx, NULL, NULL, NULL, NULL), CAIRN_USAGE,
                 "a list of learners, not NULL");
    how.name = "a b";
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE, "'@a b'");
    how.name = "out-table";
    cairn_table *predictions;
    how.out_table = &predictions;
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE,
                 "two objects would be called '@out-table'");
    how = (cairn_evaluate_options)CAIRN_EVALUATE_OPTIONS_INIT;
    how.more = WORDS("--");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE, "no place");
    how.more = WORDS("--max-dept", "2");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE,
                 "did you mean 'max-depth'?");
    how.more = WORDS("--max-depth", "-3");
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE, "'max-depth'");
    how.size = 0;
    assert_fails(ctx, cairn_evaluate(ctx, NULL, "tree", b.iris, &how), CAIRN_USAGE,
                 "CAIRN_EVALUATE_OPTIONS_INIT");
    calculation.word = "--steps"; /* a word, and no option */
    assert_fails(ctx, cairn_compute(ctx, NULL, "impurity", NULL, &calculation), CAIRN_FILE_ERROR,
                 "steps");
    tear_down(&b);
}

static void keep_first(cairn_log_level level, const char *message, void *data)
{
    char *kept = data;
    if (level != CAIRN_LOG_DEBUG && !*kept) snprintf(kept, 200, "%s", message);
}

static void test_verbs__the_log_names_options_without_dashes(void **state)
{
    cairn_context *ctx = *state;
    bench b;
    char said[200] = "";
    cairn_describe_options how = CAIRN_DESCRIBE_OPTIONS_INIT;
    set_up(ctx, &b);
    cairn_context_set_log(ctx, keep_first, said);
    how.more = WORDS("--where", "petal_width > 1");
    assert_ok(ctx, cairn_describe(ctx, NULL, b.iris, &how));
    assert_string_equal(said, "'where' keeps 93 of 150 rows");
    assert_ptr_equal(ctx->log, keep_first);
    tear_down(&b);
}

static cairn_status evaluate_little(cairn_context *ctx, void *data)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    (void)data;
    how.by = "holdout:0.5";
    how.out_table = &rows;
    CHECK(cairn_table_read(ctx, &table, "@weather", NULL));
    return cairn_evaluate(ctx, NULL, "majority", table, &how);
}

static void test_verbs__memory_may_run_out(void **state)
{
    (void)state;
    assert_survives_allocation_failures(evaluate_little, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_verbs__evaluate_a_learner),
        context_test(test_verbs__evaluate_a_model),
        context_test(test_verbs__compare),
        context_test(test_verbs__tune),
        context_test(test_verbs__compute),
        context_test(test_verbs__describe),
        context_test(test_verbs__draw_gives_the_bytes_of_a_picture),
        context_test(test_verbs__explain),
        context_test(test_verbs__words_may_name_further_objects),
        context_test(test_verbs__bad_arguments_are_refused),
        context_test(test_verbs__the_log_names_options_without_dashes),
        cmocka_unit_test(test_verbs__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
