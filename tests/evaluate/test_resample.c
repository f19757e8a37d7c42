/* SPDX-License-Identifier: MIT */
/* Resamplings: every row is tested as often as promised, sizes and class shares are even. */
#include "support/unit.h"
#include "base/memory.h"
#include "evaluate/evaluate.h"
#include <math.h>

enum { N = 103, CLASSES = 3 };

static cairn_plan_job make_job(uint32_t rows[N], int32_t classes[N])
{
    for (size_t i = 0; i < N; i++) {
        rows[i] = (uint32_t)i;
        classes[i] = i < 60 ? 0 : i < 95 ? 1 : 2;
    }
    return (cairn_plan_job){.n = N, .rows = rows, .classes = classes, .n_classes = CLASSES};
}

static void test_cv__parts_are_even_and_disjoint(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_rows train, test;
    int tested[N] = {0};
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(*state, cairn_plan_make(*state, &plan, "cv:5,repeats=2", job));
    assert_int_equal(cairn_plan_splits(&plan), 10);
    for (size_t s = 0; s < 10; s++) {
        size_t of_class[CLASSES] = {0};
        assert_ok(*state, cairn_plan_split(*state, &plan, s, &train, &test));
        assert_int_equal(train.n + test.n, N);
        assert_in_range(test.n, 20, 21);
        for (size_t i = 0; i < test.n; i++) {
            tested[test.indices[i]]++;
            of_class[classes[test.indices[i]]]++;
        }
        assert_in_range(of_class[0], 12, 12);
        assert_in_range(of_class[1], 7, 7);
        assert_in_range(of_class[2], 1, 2);
    }
    for (size_t i = 0; i < N; i++) assert_int_equal(tested[i], 2);
}

static void test_cv__depends_on_the_seed_only(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan a, b, c;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(*state, cairn_plan_make(*state, &a, "cv:10", job));
    cairn_context_set_threads(*state, 4);
    assert_ok(*state, cairn_plan_make(*state, &b, "cv:10", job));
    assert_memory_equal(a.folds, b.folds, N * sizeof *a.folds);
    cairn_context_set_seed(*state, 2);
    assert_ok(*state, cairn_plan_make(*state, &c, "cv:10", job));
    assert_memory_not_equal(a.folds, c.folds, N * sizeof *a.folds);
}

static void test_cv__table_order(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(*state, cairn_plan_make(*state, &plan, "cv:2,shuffle=no", job));
    for (size_t i = 1; i < N; i++) assert_true(plan.folds[i] >= plan.folds[i - 1]);
}

static void test_cv__groups_stay_together(void **state)
{
    uint32_t rows[N];
    int32_t classes[N], groups[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    for (size_t i = 0; i < N; i++) groups[i] = (int32_t)(i % 12);
    job.groups = groups;
    job.n_groups = 12;
    assert_ok(*state, cairn_plan_make(*state, &plan, "cv:4", job));
    for (size_t i = 12; i < N; i++) assert_int_equal(plan.folds[i], plan.folds[i % 12]);
    assert_fails(*state, cairn_plan_make(*state, &plan, "cv:13", job), CAIRN_BAD_DATA, "cv:12");
}

static void test_cv__too_many_folds_are_refused(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    assert_fails(*state, cairn_plan_make(*state, &plan, "cv:104", job), CAIRN_BAD_DATA, "cv:103");
}

static void test_holdout__share_and_classes(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_rows train, test;
    size_t of_class[CLASSES] = {0};
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(*state, cairn_plan_make(*state, &plan, "holdout:0.3", job));
    assert_int_equal(cairn_plan_splits(&plan), 1);
    assert_ok(*state, cairn_plan_split(*state, &plan, 0, &train, &test));
    assert_int_equal(test.n, 31);
    for (size_t i = 0; i < test.n; i++) of_class[classes[test.indices[i]]]++;
    assert_int_equal(of_class[0], 18);
    assert_in_range(of_class[1], 10, 11);
    job.n = 1;
    assert_fails(*state, cairn_plan_make(*state, &plan, "holdout:0.3", job), CAIRN_BAD_DATA,
                 "test on");
}

static void test_loo__every_row_once(void **state)
{
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_rows train, test;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(*state, cairn_plan_make(*state, &plan, "loo", job));
    assert_int_equal(cairn_plan_splits(&plan), N);
    for (size_t s = 0; s < N; s++) {
        assert_ok(*state, cairn_plan_split(*state, &plan, s, &train, &test));
        assert_int_equal(test.n, 1);
        assert_int_equal(test.indices[0], s);
        assert_int_equal(train.n, N - 1);
    }
}

/* A table whose majority differs between the training parts and is known by hand. */
static void test_evaluate__majority_by_loo(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5};
    static const int32_t y[] = {0, 0, 0, 1, 1};
    static const char *const names[] = {"a", "b"};
    cairn_table *table;
    cairn_params *params;
    cairn_evaluation e;
    cairn_evaluate_how options = {.by = "loo"};
    assert_ok(*state, cairn_table_new(*state, &table, 5));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
    assert_ok(*state, cairn_table_add_levels(*state, table, "y", y, names, 2));
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "majority"));
    assert_ok(*state, cairn_evaluate_learner(*state, &e, params, table, &options));
    assert_int_equal(e.n, 5);
    /* without one a: two of each, first class wins; without one b: three a, one b */
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(e.predicted[i], 0);
        assert_int_equal(e.baseline[i], 0);
        assert_int_equal(e.actual[i], y[i]);
    }
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    cairn_table_free(table);
}

/* A saved model judged on rows with a class that it never saw: they count, as wrong. */
static void test_evaluate__unknown_classes_count_as_wrong(void **state)
{
    static const char train_text[] = "x,y\n1,p\n2,p\n3,q\n", test_text[] = "x,y\n1,p\n2,r\n3,r\n";
    cairn_table *train, *test;
    cairn_params *params;
    cairn_model *model;
    cairn_evaluation e;
    cairn_report *report;
    double accuracy, unknown;
    assert_ok(*state, cairn_table_read_memory(*state, &train, "a.csv", train_text,
                                              sizeof train_text - 1, NULL));
    assert_ok(*state, cairn_table_read_memory(*state, &test, "b.csv", test_text,
                                              sizeof test_text - 1, NULL));
    assert_ok(*state, cairn_table_set_role(*state, train, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "majority"));
    assert_ok(*state, cairn_model_fit(*state, &model, params, train, NULL));
    assert_ok(*state, cairn_evaluate_model(*state, &e, model, test, 0, 0));
    assert_int_equal(e.n, 3);
    assert_int_equal(e.n_unknown, 2);
    assert_false(e.training);
    assert_ok(*state, cairn_report_new(*state, &report));
    assert_ok(*state, cairn_evaluation_judge(*state, report, &e, NULL));
    assert_true(cairn_report_number(report, "accuracy", &accuracy));
    assert_true(cairn_report_number(report, "rows.unknown_class", &unknown));
    assert_true(fabs(accuracy - 1.0 / 3) < 1e-12);
    assert_true(unknown == 2);
    cairn_evaluation_clear(&e);
    assert_ok(*state, cairn_evaluate_model(*state, &e, model, train, 0, 0));
    assert_true(e.training);
    cairn_evaluation_clear(&e);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(train);
    cairn_table_free(test);
}

/* Testing the same rows fifty times does not make the interval fifty times as sure. */
static void test_evaluate__repeats_do_not_narrow_the_interval(void **state)
{
    cairn_table *table;
    cairn_params *params;
    double width[2];
    const char *const by[] = {"cv:5", "cv:5,repeats=20"};
    assert_ok(*state, cairn_table_read(*state, &table, "@iris", NULL));
    assert_ok(*state, cairn_params_new(*state, &params, "majority"));
    for (int i = 0; i < 2; i++) {
        cairn_evaluation e;
        cairn_report *report;
        double low, high;
        cairn_evaluate_how options = {.by = by[i]};
        assert_ok(*state, cairn_evaluate_learner(*state, &e, params, table, &options));
        assert_ok(*state, cairn_report_new(*state, &report));
        assert_ok(*state, cairn_evaluation_judge(*state, report, &e, NULL));
        assert_true(cairn_report_number(report, "accuracy.low", &low));
        assert_true(cairn_report_number(report, "accuracy.high", &high));
        width[i] = high - low;
        cairn_report_free(report);
        cairn_evaluation_clear(&e);
    }
    assert_true(fabs(width[0] / width[1] - 1) < 0.05);
    cairn_params_free(params);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_cv__parts_are_even_and_disjoint),
        context_test(test_cv__depends_on_the_seed_only),
        context_test(test_cv__table_order),
        context_test(test_cv__groups_stay_together),
        context_test(test_cv__too_many_folds_are_refused),
        context_test(test_holdout__share_and_classes),
        context_test(test_loo__every_row_once),
        context_test(test_evaluate__majority_by_loo),
        context_test(test_evaluate__unknown_classes_count_as_wrong),
        context_test(test_evaluate__repeats_do_not_narrow_the_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
