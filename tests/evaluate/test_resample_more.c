/* SPDX-License-Identifier: MIT */
/* Bootstrap, five times two, three parts, and parts from a file. */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "evaluate/evaluate.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 90 };

static cairn_plan_job make_job(uint32_t rows[N], int32_t classes[N])
{
    for (size_t i = 0; i < N; i++) {
        rows[i] = (uint32_t)i;
        classes[i] = i % 3 == 0;
    }
    return (cairn_plan_job){.n = N, .rows = rows, .classes = classes, .n_classes = 2};
}

static void test_boot__tests_what_was_not_drawn(void **state)
{
    cairn_context *ctx = *state;
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_rows train, test;
    double left_out = 0;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "boot:200", job));
    assert_int_equal(cairn_plan_splits(&plan), 200);
    for (size_t s = 0; s < 200; s++) {
        bool drawn[N] = {false};
        assert_ok(ctx, cairn_plan_split(ctx, &plan, s, &train, &test));
        assert_int_equal(train.n, N);
        for (size_t i = 0; i < train.n; i++) drawn[train.indices[i]] = true;
        for (size_t i = 0; i < test.n; i++) assert_false(drawn[test.indices[i]]);
        size_t n_drawn = 0;
        for (size_t i = 0; i < N; i++) n_drawn += drawn[i];
        assert_int_equal(n_drawn + test.n, N);
        left_out += (double)test.n / N / 200;
    }
    assert_true(fabs(left_out - pow(1 - 1.0 / N, N)) < 0.01);
}

static void test_boot__stratified_sized_and_urns(void **state)
{
    cairn_context *ctx = *state;
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_rows train, test;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "boot:3,stratified=yes,size=0.5", job));
    assert_ok(ctx, cairn_plan_split(ctx, &plan, 2, &train, &test));
    size_t ones = 0;
    for (size_t i = 0; i < train.n; i++) ones += classes[train.indices[i]] == 1;
    assert_int_equal(train.n, 45);
    assert_int_equal(ones, 15);
    /* a handful as large as the table holds every row once */
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "boot:1,urn=90", job));
    assert_int_equal(cairn_plan_test_size(&plan, 0), 0);
    assert_int_equal(cairn_plan_train_size(&plan, 0), N);
}

static void test_boot__groups_stay_together(void **state)
{
    cairn_context *ctx = *state;
    uint32_t rows[N];
    int32_t classes[N], groups[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    for (size_t i = 0; i < N; i++) groups[i] = (int32_t)(i / 10);
    job.groups = groups;
    job.n_groups = 9;
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "boot:20", job));
    for (size_t r = 0; r < 20; r++)
        for (size_t i = 0; i < N; i++)
            assert_int_equal(plan.folds[r * N + i], plan.folds[r * N + i / 10 * 10]);
    /* a third of nine groups, three at a time: three different ones */
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "boot:20,size=0.33,urn=3", job));
    for (size_t r = 0; r < 20; r++) {
        assert_int_equal(cairn_plan_train_size(&plan, r), 30);
        assert_int_equal(cairn_plan_test_size(&plan, r), 60);
    }
    assert_int_equal(cairn_plan_make(ctx, &plan, "boot:20,stratified=yes", job), CAIRN_USAGE);
}

static void test_five_by_two__ten_even_splits(void **state)
{
    cairn_context *ctx = *state;
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "5x2", job));
    assert_int_equal(cairn_plan_splits(&plan), 10);
    for (size_t s = 0; s < 10; s++) assert_int_equal(cairn_plan_test_size(&plan, s), 45);
}

static void test_holdout__three_parts(void **state)
{
    cairn_context *ctx = *state;
    uint32_t rows[N];
    int32_t classes[N];
    cairn_plan plan;
    cairn_plan_job job = make_job(rows, classes);
    assert_ok(ctx, cairn_plan_make(ctx, &plan, "holdout:0.3,validation=0.2", job));
    assert_int_equal(cairn_plan_test_size(&plan, 0), 27);
    assert_int_equal(cairn_plan_train_size(&plan, 0), 45);
    assert_int_equal(cairn_plan_make(ctx, &plan, "holdout:0.5,validation=0.5", job),
                     CAIRN_BAD_DATA);
}

/* A file in the temporary folder; removed by the caller. */
static char *write_file(const char *text)
{
    static char path[] = "/tmp/cairn-splits-XXXXXX";
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}

static cairn_status plan_from(cairn_context *ctx, cairn_plan *plan, const char *text, size_t n)
{
    static uint32_t rows[6] = {0, 1, 2, 3, 4, 5};
    char spec[80];
    char *path = write_file(text);
    snprintf(spec, sizeof spec, "file:%s", path);
    cairn_plan_job job = {.n = n, .rows = rows};
    cairn_status status = cairn_plan_make(ctx, plan, spec, job);
    unlink(path);
    return status;
}

static void test_file__folds_parts_and_lists(void **state)
{
    cairn_context *ctx = *state;
    cairn_plan plan;
    assert_ok(ctx, plan_from(ctx, &plan, "a,b\n1,2\n1,1\n2,2\n2,1\n3,3\n3,3\n", 6));
    assert_int_equal(cairn_plan_splits(&plan), 6);
    assert_int_equal(cairn_plan_test_size(&plan, 0), 2);
    assert_ok(ctx, plan_from(ctx, &plan, "p\ntrain\ntest\nvalidation\ntrain\ntest\ntest\n", 6));
    assert_int_equal(cairn_plan_splits(&plan), 1);
    assert_int_equal(cairn_plan_test_size(&plan, 0), 3);
    assert_int_equal(cairn_plan_train_size(&plan, 0), 2);
    assert_ok(ctx, plan_from(ctx, &plan, "row,split\n6,test\n2,test\n3,validation\n", 6));
    assert_int_equal(cairn_plan_test_size(&plan, 0), 2);
    assert_int_equal(cairn_plan_train_size(&plan, 0), 3);
    assert_ok(ctx, plan_from(ctx, &plan, "row,draws1,draws2\n1,2,0\n2,0,1\n3,1,2\n", 3));
    assert_true(plan.draws);
    assert_int_equal(cairn_plan_splits(&plan), 2);
    assert_int_equal(cairn_plan_train_size(&plan, 0), 3);
    assert_int_equal(cairn_plan_test_size(&plan, 1), 1);
}

static void test_file__bad_parts(void **state)
{
    cairn_context *ctx = *state;
    cairn_plan plan;
    assert_int_equal(plan_from(ctx, &plan, "a\n1\n2\n", 6), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "2 rows"));
    assert_int_equal(plan_from(ctx, &plan, "row,split\n7,test\n", 6), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "line 2"));
    assert_int_equal(plan_from(ctx, &plan, "p\ntest\ntest\n", 2), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "learn from"));
    assert_int_equal(plan_from(ctx, &plan, "draws1\n1\n0.5\n", 2), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "row 2"));
    assert_int_equal(plan_from(ctx, &plan, "draws1\n1\n2\n", 2), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "test on"));
    cairn_plan_job job = {.n = 2, .rows = (uint32_t[]){0, 1}};
    assert_int_equal(cairn_plan_make(ctx, &plan, "file:/nowhere/parts.csv", job), CAIRN_FILE_ERROR);
}

static double accuracy_by(cairn_context *ctx, const char *by, const char *splits_out)
{
    cairn_table *table;
    cairn_params *params;
    cairn_evaluation e;
    cairn_evaluate_how options = {.by = by, .splits_out = splits_out};
    double right = 0;
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree"));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &options));
    for (size_t i = 0; i < e.n; i++) right += e.predicted[i] == e.actual[i];
    right /= (double)e.n;
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    cairn_table_free(table);
    return right;
}

/* What --splits-out writes, --by file: takes back, for every resampling. */
static void test_file__repeats_what_was_written(void **state)
{
    cairn_context *ctx = *state;
    static const char *const all[] = {"cv:5",
                                      "cv:3,repeats=2",
                                      "loo",
                                      "5x2",
                                      "boot:6",
                                      "holdout:0.3",
                                      "holdout:0.3,validation=0.2,repeats=2"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double first = accuracy_by(ctx, all[i], "resample-parts.csv");
        double again = accuracy_by(ctx, "file:resample-parts.csv", NULL);
        if (first != again) fail_msg("%s: %.17g and %.17g", all[i], first, again);
    }
    remove("resample-parts.csv");
}

/* A learner that knows nothing: the left-out error is that of the majority, training alike. */
static void test_boot__estimates_of_the_majority(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_params *params;
    cairn_evaluation e;
    cairn_evaluate_how options = {.by = "boot:40"};
    assert_ok(ctx, cairn_table_read(ctx, &table, "@weather", NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, "majority"));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &options));
    assert_true(fabs(e.resubstitution - 9.0 / 14) < 1e-12);
    assert_true(fabs(e.no_information - 5.0 / 14) < 1e-12);
    assert_true(e.bootstrap && e.training_measures == NULL);
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_boot__tests_what_was_not_drawn),
        context_test(test_boot__stratified_sized_and_urns),
        context_test(test_boot__groups_stay_together),
        context_test(test_five_by_two__ten_even_splits),
        context_test(test_holdout__three_parts),
        context_test(test_file__folds_parts_and_lists),
        context_test(test_file__bad_parts),
        context_test(test_file__repeats_what_was_written),
        context_test(test_boot__estimates_of_the_majority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
