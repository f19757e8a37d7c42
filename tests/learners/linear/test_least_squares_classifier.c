/* SPDX-License-Identifier: MIT */
/* Least squares of several targets, and the classifier that is made of it: closed forms, codings,
 * the boundary, weights, dependent columns, refusals. Reference numbers are numpy's. */
#include "data/view.h"
#include "learners/linear/least_squares.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

static fitted fit(cairn_context *ctx, const char *spec, const char *names, const double *values,
                  size_t n_rows, size_t n_columns, cairn_status wanted)
{
    fitted f = {0};
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    assert_ok(ctx, table_of(ctx, &f.table, names, values, n_rows, n_columns));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "t", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    options.task = CAIRN_CLASSIFY;
    options.positive = strstr(spec, "at_zero") || strstr(spec, "=fisher") ? "1" : NULL;
    options.steps = f.report;
    assert_int_equal(cairn_model_fit(ctx, &f.model, params, f.table, &options), wanted);
    if (f.model) assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    cairn_params_free(params);
    return f;
}

/* x, y, class */
static const double rows[] = {3, 0, 1, 3, 1, 1, 3.5, 1, 1, 4, 1, 0, 1.5, 4, 1,
                              2, 4, 0, 2, 5, 0, 2,   5, 0, 1, 5, 0, 1.5, 5, 0};

/* Slopes of all codings are multiples of those of Fisher's discriminant, which numpy gives. */
static void test_codes__have_one_direction(void **state)
{
    static const char *const codings[] = {"pm1", "fisher", "\"7,3\""};
    static const double wanted[] = {-0.9751243781094525, -2.0315091210613594, -1.950248756218905};
    static const double constants[] = {4.343283582089555, 9.465174129353242, 13.686567164179117};
    for (size_t i = 0; i < 3; i++) {
        char spec[60];
        snprintf(spec, sizeof spec, "least-squares-classifier:coding=%s", codings[i]);
        fitted f = fit(*state, spec, "x y t", rows, 10, 3, CAIRN_OK);
        double x, y, fx, fy;
        assert_true(cairn_report_number(f.report, "coefficient.x", &x));
        assert_true(cairn_report_number(f.report, "coefficient.y", &y));
        assert_true(cairn_report_number(f.report, "fisher.x", &fx));
        assert_true(cairn_report_number(f.report, "fisher.y", &fy));
        assert_true(fabs(x * fy - y * fx) < 1e-12);
        assert_value(f.report, "coefficient.x", wanted[i], 1e-10);
        assert_value(f.report, "coefficient.intercept", constants[i], 1e-10);
        drop(&f);
    }
}

/* Three classes on a line: the middle one never has the largest score. */
static void test_codes__middle_class_is_masked(void **state)
{
    static const double line[] = {0, 0, 1, 0, 2, 0, 4, 1, 5, 1, 6, 1, 8, 2, 9, 2, 10, 2};
    fitted f = fit(*state, "least-squares-classifier", "x t", line, 9, 2, CAIRN_OK);
    assert_value(f.report, "training.errors", 3, 0);
    assert_value(f.report, "coefficient.1.x", 0, 1e-12);
    assert_value(f.report, "coefficient.1.intercept", 1.0 / 3, 1e-12);
    drop(&f);
}

/* A row on the boundary is given to nobody, or to whom it is said. */
static void test_codes__boundary(void **state)
{
    static const double line[] = {0, 0, 2, 1};
    static const double middle[] = {1};
    static const char *const words[] = {"-1", "0", "1", "reject"};
    static const int32_t wanted[] = {0, -1, 1, -1};
    for (size_t i = 0; i < 4; i++) {
        char spec[60];
        cairn_table *query = NULL, *answer = NULL;
        snprintf(spec, sizeof spec, "least-squares-classifier:at_zero=%s", words[i]);
        fitted f = fit(*state, spec, "x t", line, 2, 2, CAIRN_OK);
        assert_ok(*state, table_of(*state, &query, "x", middle, 1, 1));
        assert_ok(*state, cairn_model_predict(*state, &answer, f.model, query, NULL));
        assert_int_equal(cairn_table_codes(answer, 0)[0], wanted[i]);
        cairn_table_free(answer);
        cairn_table_free(query);
        drop(&f);
    }
}

static void test_codes__refusals(void **state)
{
    static const double three[] = {0, 0, 1, 1, 2, 2};
    fitted f =
        fit(*state, "least-squares-classifier:coding=pm1", "x t", three, 3, 2, CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "onehot"));
    drop(&f);
    f = fit(*state, "least-squares-classifier:coding=\"1,1\"", "x t", three, 2, 2, CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "two different numbers"));
    drop(&f);
    f = fit(*state, "least-squares-classifier:coding=plus", "x t", three, 2, 2, CAIRN_USAGE);
    drop(&f);
}

/* -- several targets -- */

/* Powers of x up to the sixth are badly conditioned; sums of them have the coefficients 1 and 2. */
static void test_least_squares__several_targets_badly_conditioned(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 30, P = 6 };
    double values[N * P], targets[2 * N];
    cairn_table *table = NULL;
    cairn_view view;
    cairn_least_squares found;
    for (size_t i = 0; i < N; i++) {
        double power = 1, x = 1 + (double)i / 10;
        targets[i] = 3;
        targets[N + i] = -1;
        for (size_t j = 0; j < P; j++) {
            power *= x;
            values[i * P + j] = power;
            targets[i] += power;
            targets[N + i] += 2 * power;
        }
    }
    assert_ok(ctx, table_of(ctx, &table, "a b c d e f", values, N, P));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_least_squares_fit(ctx, &found, &view, targets, 2, true));
    assert_int_equal(found.rank, P);
    for (size_t j = 0; j <= P; j++) {
        assert_true(fabs(found.weights[2 * j] - (j < P ? 1 : 3)) < 1e-6);
        assert_true(fabs(found.weights[2 * j + 1] - (j < P ? 2 : -1)) < 1e-6);
    }
    assert_true(found.squares[0] < 1e-12 && found.squares[1] < 1e-12);
    cairn_table_free(table);
}

/* Of two equal columns each gets half; a constant column nothing. */
static void test_least_squares__least_norm(void **state)
{
    cairn_context *ctx = *state;
    static const double values[] = {1, 1, 5, 2, 2, 5, 4, 4, 5};
    static const double targets[] = {3, 5, 9};
    cairn_table *table = NULL;
    cairn_view view;
    cairn_least_squares found;
    assert_ok(ctx, table_of(ctx, &table, "a b c", values, 3, 3));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_least_squares_fit(ctx, &found, &view, targets, 1, true));
    assert_int_equal(found.rank, 1);
    assert_true(fabs(found.weights[0] - 1) < 1e-12 && fabs(found.weights[1] - 1) < 1e-12);
    assert_true(found.weights[2] == 0 && fabs(found.weights[3] - 1) < 1e-12);
    cairn_table_free(table);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL;
    cairn_view view;
    cairn_least_squares found;
    cairn_status status = table_of(ctx, &table, "x y t", rows, 10, 3);
    (void)data;
    if (status == CAIRN_OK) status = cairn_view_make(ctx, &view, table, cairn_all_rows(table));
    if (status == CAIRN_OK) status = cairn_least_squares_fit(ctx, &found, &view, rows, 2, true);
    cairn_table_free(table);
    return status;
}

static void test_least_squares__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_codes__have_one_direction),
        context_test(test_codes__middle_class_is_masked),
        context_test(test_codes__boundary),
        context_test(test_codes__refusals),
        context_test(test_least_squares__several_targets_badly_conditioned),
        context_test(test_least_squares__least_norm),
        context_test(test_least_squares__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
