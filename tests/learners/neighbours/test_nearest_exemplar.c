/* SPDX-License-Identifier: MIT */
/* The nearest exemplar: means, medians and medoids by hand, the basic linear classifier, other
 * distances, given matrices and files, odd requests. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "data/table.h"

static const double six[] = {0, 0, 2, 0, 1, 3, 8, 8, 10, 8, 9, 14};
static const int32_t classes[] = {0, 0, 0, 1, 1, 1};
static const char *const names[] = {"A", "B"};

static cairn_table *two_classes(cairn_context *ctx)
{
    cairn_table *table;
    assert_ok(ctx, table_of(ctx, &table, "x y", six, 6, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", classes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

static cairn_status fit(cairn_context *ctx, cairn_model **model, cairn_report **report,
                        const cairn_table *table, const char *spec)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    *model = NULL;
    *report = NULL;
    TRY(cairn_params_new(ctx, &params, spec));
    TRY(cairn_report_new(ctx, report));
    options.steps = *report;
    options.with = own_units;
    TRY(cairn_model_fit(ctx, model, params, table, &options));
    TRY(cairn_model_describe(ctx, *report, *model));
done:
    cairn_params_free(params);
    if (status) {
        cairn_model_free(*model);
        cairn_report_free(*report);
        *model = NULL;
        *report = NULL;
    }
    return status;
}

static void test_exemplar__means_and_medoids(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "nearest-exemplar"));
    assert_value(report, "exemplar.A.x", 1, 1e-15);
    assert_value(report, "exemplar.A.y", 1, 1e-15);
    assert_value(report, "exemplar.B.y", 10, 1e-14);
    assert_value(report, "row1.distance1", sqrt(2), 1e-15);
    assert_value(report, "row1.distance2", sqrt(181), 1e-14);
    cairn_model_free(model);
    cairn_report_free(report);
    /* totals of A by Manhattan: 6, 6 and 8; of B 9, 9 and 14: the first of each */
    assert_ok(ctx, fit(ctx, &model, &report, table,
                       "nearest-exemplar:exemplar=medoid,distance=manhattan"));
    assert_value(report, "exemplar.A.row", 1, 0);
    assert_value(report, "exemplar.B.row", 4, 0);
    assert_value(report, "exemplar.B.weight", 3, 0);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_ok(ctx, fit(ctx, &model, &report, table, "nearest-exemplar:exemplar=median"));
    /* the point that sees the sides of an isosceles triangle alike: half the base / √3 above it */
    assert_value(report, "exemplar.A.x", 1, 1e-9);
    assert_value(report, "exemplar.A.y", 1 / sqrt(3), 1e-9);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

static double drawn(size_t i)
{
    double x = sin((double)i * 12.9898) * 43758.5453;
    return x - floor(x);
}

static cairn_table *predicted(cairn_context *ctx, const cairn_table *table,
                              const cairn_table *asked, const char *spec)
{
    cairn_model *model;
    cairn_report *report;
    cairn_table *out = NULL;
    assert_ok(ctx, fit(ctx, &model, &report, table, spec));
    assert_ok(ctx, cairn_model_predict(ctx, &out, model, asked, NULL));
    cairn_model_free(model);
    cairn_report_free(report);
    return out;
}

/* Two means and the Euclidean distance: the plane of the basic linear classifier. */
static void test_exemplar__is_basic_linear(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 200, M = 2000 };
    double values[M * 3];
    int32_t codes[N];
    cairn_table *table, *asked;
    for (size_t i = 0; i < N; i++) {
        codes[i] = i % 3 == 0;
        for (size_t j = 0; j < 3; j++) values[3 * i + j] = drawn(3 * i + j) + codes[i] * 0.3;
    }
    assert_ok(ctx, table_of(ctx, &table, "a b c", values, N, 3));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", codes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    for (size_t i = 0; i < M * 3; i++) values[i] = 2 * drawn(i + 7) - 0.5;
    assert_ok(ctx, table_of(ctx, &asked, "a b c", values, M, 3));
    cairn_table *ours = predicted(ctx, table, asked, "nearest-exemplar");
    cairn_table *plane = predicted(ctx, table, asked, "basic-linear");
    for (size_t i = 0; i < M; i++)
        assert_int_equal(ours->slots[0].column->codes[i], plane->slots[0].column->codes[i]);
    cairn_table_free(ours);
    cairn_table_free(plane);
    cairn_table_free(table);
    cairn_table_free(asked);
}

/* Distances that are given: the medoid of each class, and new rows by their distances. */
static void test_exemplar__given_distances(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "a,b,c,d,e,class\n0,1,2,9,9,u\n1,0,1,9,9,u\n2,1,0,9,9,u\n"
                               "9,9,9,0,3,v\n9,9,9,3,0,v\n";
    static const char new[] = "a,b,c,d,e\n5,4,4,3,6\n1,1,1,1,1\n";
    cairn_table *table = NULL, *asked = NULL, *out;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "d.csv", text, strlen(text), NULL));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_as(ctx, &table, "distances"));
    assert_ok(ctx, fit(ctx, &model, &report, table, "nearest-exemplar:exemplar=medoid"));
    assert_value(report, "exemplar.u.row", 2, 0);
    assert_value(report, "exemplar.v.row", 4, 0);
    assert_ok(ctx, cairn_table_read_memory(ctx, &asked, "q.csv", new, strlen(new), NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &out, model, asked, NULL));
    assert_int_equal(out->slots[0].column->codes[0], 1);
    assert_int_equal(out->slots[0].column->codes[1], 0); /* a tie: the first class */
    cairn_table_free(out);
    cairn_table_free(asked);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_fails(ctx, fit(ctx, &model, &report, table, "nearest-exemplar"), CAIRN_BAD_DATA,
                 "distances");
    cairn_table_free(table);
}

static void test_exemplar__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx);
    cairn_model *model;
    cairn_report *report;
    assert_fails(ctx, fit(ctx, &model, &report, table, "nearest-exemplar:distance=edit"),
                 CAIRN_USAGE, "takes any rows");
    assert_fails(ctx, fit(ctx, &model, &report, table, "nearest-exemplar:exemplar=file"),
                 CAIRN_USAGE, "needs");
    assert_fails(ctx, fit(ctx, &model, &report, table, "nearest-exemplar:distance=heap"),
                 CAIRN_USAGE, "heap");
    cairn_table_free(table);
}

static cairn_status fit_once(cairn_context *ctx, void *data)
{
    cairn_model *model;
    cairn_report *report;
    cairn_table *table = NULL;
    cairn_status status = table_of(ctx, &table, "x y", six, 6, 2);
    if (!status) status = cairn_table_add_levels(ctx, table, "class", classes, names, 2);
    if (!status) status = cairn_table_set_role(ctx, table, "class", CAIRN_TARGET);
    if (!status) status = fit(ctx, &model, &report, table, data);
    if (!status) {
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
    return status;
}

static void test_exemplar__every_allocation_may_fail(void **state)
{
    char median[] = "nearest-exemplar:exemplar=median";
    char medoid[] = "nearest-exemplar:exemplar=medoid";
    (void)state;
    assert_survives_allocation_failures(fit_once, median);
    assert_survives_allocation_failures(fit_once, medoid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_exemplar__means_and_medoids),
        context_test(test_exemplar__is_basic_linear),
        context_test(test_exemplar__given_distances),
        context_test(test_exemplar__refusals),
        context_test(test_exemplar__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
