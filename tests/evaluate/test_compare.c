/* SPDX-License-Identifier: MIT */
/* Contests of learners, disturbed rows, and the estimate that a model carries. */
#include "support/fail_alloc.h"
#include "support/figures.h"
#include "support/unit.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/figure_data.h"
#include "report/document.h"
#include "evaluate/compare.h"
#include <math.h>
#include <string.h>

static cairn_table *read_table(cairn_context *ctx, const char *name)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read(ctx, &table, name, NULL));
    return table;
}

static void assert_near(double got, double wanted, double most)
{
    if (!(fabs(got - wanted) <= most)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

/* Two learners on a table, with what the options ask for. */
typedef struct bout {
    cairn_contestant learners[2];
    cairn_contest contest;
    cairn_table *table;
} bout;

static cairn_status fight(cairn_context *ctx, bout *b, const char *data, const char *first,
                          const char *second, const cairn_contest_options *options)
{
    static const cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how how = {.by = "cv:5", .fit = &fit};
    cairn_params *params[2];
    *b = (bout){0};
    b->table = read_table(ctx, data);
    assert_ok(ctx, cairn_params_new(ctx, &params[0], first));
    assert_ok(ctx, cairn_params_new(ctx, &params[1], second));
    b->learners[0] = (cairn_contestant){first, params[0]};
    b->learners[1] = (cairn_contestant){second, params[1]};
    return cairn_contest_run(ctx, &b->contest, b->learners, 2, data, b->table, &how, options);
}

static void end(bout *b)
{
    cairn_contest_clear(&b->contest);
    for (int i = 0; i < 2; i++) cairn_params_free((cairn_params *)b->learners[i].params);
    cairn_table_free(b->table);
}

static void test_contest__sizes_and_costs(void **state)
{
    cairn_context *ctx = *state;
    const char *costs = "0,1;5,0";
    cairn_contest_options options = {.costs = CAIRN_JUDGE_OPTIONS_INIT};
    bout b;
    options.costs.costs = costs;
    assert_ok(ctx, fight(ctx, &b, "@weather", "majority", "tree:max-depth=1", &options));
    const cairn_contest_result *majority = &b.contest.results[0], *tree = &b.contest.results[1];
    assert_true(b.contest.has_costs);
    /* majority always says yes (9 of 14): 5 wrong answers, each the cost of row no, column yes */
    const cairn_evaluation *e = &majority->evaluation;
    double no_as_yes = strcmp(cairn_map_key(&e->classes, 0), "no") == 0 ? 1 : 5;
    double yes_as_no = no_as_yes == 1 ? 5 : 1;
    assert_near(majority->cost.total, 5 * no_as_yes, 1e-12);
    assert_near(majority->cost.mean, 5 * no_as_yes / 14, 1e-12);
    assert_near(majority->cost.error, 5 * no_as_yes / (5 * no_as_yes + 9 * yes_as_no), 1e-12);
    assert_near(majority->measured.value, 9.0 / 14, 1e-12);
    assert_string_equal(tree->pieces_name, "leaves");
    assert_true(tree->pieces == 2 || tree->pieces == 3);
    assert_true(tree->bytes > 100);
    assert_null(majority->pieces_name);
    assert_true(isnan(tree->fit_seconds) && isnan(tree->noise) && isnan(tree->missing));
    end(&b);
}

static void test_contest__noise_and_gaps(void **state)
{
    cairn_context *ctx = *state;
    cairn_contest_options options = {.costs = CAIRN_JUDGE_OPTIONS_INIT, .noise = 2, .missing = 0.6};
    bout b;
    assert_ok(ctx, fight(ctx, &b, "@iris", "majority", "tree", &options));
    const cairn_contest_result *majority = &b.contest.results[0], *tree = &b.contest.results[1];
    assert_near(majority->noise, majority->measured.value, 1e-12); /* looks at no column */
    assert_near(majority->missing, majority->measured.value, 1e-12);
    assert_true(tree->noise < tree->measured.value - 0.1);
    assert_true(tree->missing < tree->measured.value - 0.1);
    end(&b);
}

static void test_contest__timings(void **state)
{
    cairn_context *ctx = *state;
    cairn_contest_options options = {
        .costs = CAIRN_JUDGE_OPTIONS_INIT, .timings = true, .growth = true};
    bout b;
    assert_ok(ctx, fight(ctx, &b, "@iris", "majority", "tree", &options));
    const cairn_contest_result *tree = &b.contest.results[1];
    assert_true(tree->fit_seconds > 0 && tree->predict_seconds > 0 && tree->peak_bytes > 0);
    assert_true(isfinite(tree->growth));
    end(&b);
}

static void test_contest__lenient_leaves_out_who_cannot(void **state)
{
    cairn_context *ctx = *state;
    cairn_contest_options options = {.costs = CAIRN_JUDGE_OPTIONS_INIT, .lenient = true};
    bout b;
    assert_ok(ctx, fight(ctx, &b, "@iris", "tree", "linear", &options));
    assert_null(b.contest.results[0].failure);
    assert_non_null(b.contest.results[1].failure);
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_contest_report(ctx, report, &b.contest, 0.05, ""));
    assert_non_null(find_figure(report, "roc-1"));
    cairn_report_free(report);
    end(&b);
    options.lenient = false;
    assert_int_equal(fight(ctx, &b, "@iris", "tree", "linear", &options), CAIRN_USAGE);
    end(&b);
}

static void test_contest__table_has_all_predictions(void **state)
{
    cairn_context *ctx = *state;
    cairn_contest_options options = {.costs = CAIRN_JUDGE_OPTIONS_INIT};
    cairn_table *rows;
    bout b;
    assert_ok(ctx, fight(ctx, &b, "@weather", "majority", "tree", &options));
    assert_ok(ctx, cairn_contest_table(ctx, &rows, &b.contest));
    assert_int_equal(rows->n_rows, 14);
    assert_true(cairn_table_find(rows, "tree") >= 0);
    assert_true(cairn_table_find(rows, "tree p(yes)") >= 0);
    assert_true(cairn_table_find(rows, "tree p(no)") < 0);
    cairn_table_free(rows);
    end(&b);
}

/* -- the estimate -- */

static void test_estimate__travels_with_the_model(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_table(ctx, "@iris");
    cairn_params *params;
    cairn_model *model, *loaded;
    cairn_evaluation e;
    cairn_evaluate_how how = {.by = "cv:5"};
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree"));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &how));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
    assert_null(model->estimate.measure);
    assert_ok(ctx, cairn_evaluation_estimate(ctx, &model->estimate, &e));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "memory", bytes, length));
    const cairn_estimate *x = &model->estimate, *y = &loaded->estimate;
    assert_string_equal(y->measure, "accuracy");
    assert_string_equal(y->by, "cv:5");
    assert_memory_equal(&x->value, &y->value, sizeof(double));
    assert_true(y->value > 0.85 && y->low < y->value && y->value < y->high);
    assert_near(y->baseline, 1.0 / 3, 1e-12);
    assert_near(y->level, 0.95, 0);
    assert_near(y->sd, x->sd, 0);
    assert_int_equal(y->n_splits, 5);
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    cairn_table_free(table);
}

/* -- allocation -- */

/* Numbers in ascending order, of which the picture shows fewer than half. */
static void test_contest__picture_of_sorted_numbers_is_whole(void **state)
{
    enum { ROWS = 9000 };
    cairn_context *ctx = *state;
    static const cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how how = {.by = "cv:2,shuffle=no", .fit = &fit};
    cairn_contest_options options = {.costs = CAIRN_JUDGE_OPTIONS_INIT};
    cairn_contest contest = {0};
    cairn_params *params = NULL;
    cairn_report *report = NULL;
    cairn_table *table = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "x,y\n");
    for (int i = 0; i < ROWS; i++) cairn_text_addf(&text, "%d,%d\n", i % 7, i);
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "sorted.csv", cairn_text_string(&text),
                                           text.length, NULL));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, "majority"));
    cairn_contestant mean = {"majority", params};
    assert_ok(ctx, cairn_contest_run(ctx, &contest, &mean, 1, "sorted", table, &how, &options));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_contest_figures(ctx, report, &contest));
    const cairn_series *points = report->figures[0]->series;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < points->n; i++) {
        least = fmin(least, points->x[i]);
        most = fmax(most, points->x[i]);
    }
    assert_true(points->n < ROWS / 2);
    assert_true(least < 3 && most > ROWS - 4);
    cairn_report_free(report);
    cairn_contest_clear(&contest);
    cairn_params_free(params);
    cairn_table_free(table);
}

static cairn_status contest_once(cairn_context *ctx, void *data)
{
    static const cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how how = {.by = "cv:2", .fit = &fit};
    cairn_contest_options options = {
        .costs = CAIRN_JUDGE_OPTIONS_INIT, .noise = 0.5, .missing = 0.2};
    const cairn_table *table = data;
    cairn_params *params = NULL;
    cairn_contest contest = {0};
    cairn_report *report = NULL;
    cairn_table *rows = NULL;
    cairn_status status;
    TRY(cairn_params_new(ctx, &params, "tree:max-depth=2"));
    cairn_contestant one = {"tree", params};
    TRY(cairn_contest_run(ctx, &contest, &one, 1, "data", table, &how, &options));
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_contest_report(ctx, report, &contest, 0.05, ""));
    TRY(cairn_contest_table(ctx, &rows, &contest));
done:
    cairn_table_free(rows);
    cairn_report_free(report);
    cairn_contest_clear(&contest);
    cairn_params_free(params);
    return status;
}

static void test_contest__survives_failing_allocations(void **state)
{
    cairn_table *table = read_table(*state, "@weather");
    assert_survives_allocation_failures(contest_once, table);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_contest__sizes_and_costs),
        context_test(test_contest__noise_and_gaps),
        context_test(test_contest__timings),
        context_test(test_contest__lenient_leaves_out_who_cannot),
        context_test(test_contest__table_has_all_predictions),
        context_test(test_contest__picture_of_sorted_numbers_is_whole),
        context_test(test_contest__survives_failing_allocations),
        context_test(test_estimate__travels_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
