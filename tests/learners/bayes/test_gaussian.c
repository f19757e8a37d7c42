/* SPDX-License-Identifier: MIT */
/* Normal classes: posteriors with every kind of covariance against numbers of numpy and scipy,
 * missing cells, weights, later rows, boundaries of every kind, singular covariances, far rows,
 * refusals. */
#include "learners/bayes/ask.h"
#include "model/sample.h"

static const char points[] = "x,z,y\n1,2,a\n2,1.5,a\n2.5,3,a\n3,2.5,a\n0.5,1,a\n"
                             "4,3,b\n5,2,b\n4.5,1,b\n5.5,4,b\n";

/* Fit on a text whose target is y, and whose weight is w where there is one. */
static cairn_status fit_spec(cairn_context *ctx, cairn_model **model, const char *text,
                             const char *spec, cairn_report *report)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    cairn_table *table = read_csv(ctx, text);
    cairn_status status = cairn_params_new(ctx, &params, spec);
    options.steps = report;
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, table, "y", CAIRN_TARGET);
    if (status == CAIRN_OK && strstr(text, ",w\n"))
        status = cairn_table_set_role(ctx, table, "w", CAIRN_WEIGHT);
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, model, params, table, &options);
    if (status == CAIRN_OK && report) status = cairn_model_describe(ctx, report, *model);
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

static double fit_and_ask(cairn_context *ctx, const char *text, const char *spec, const char *row)
{
    cairn_model *model;
    assert_ok(ctx, fit_spec(ctx, &model, text, spec, NULL));
    double p = ask(ctx, model, row, 0);
    cairn_model_free(model);
    return p;
}

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-10)

static void test_gaussian__covariances(void **state)
{
    static const struct {
        const char *spec;
        double p; /* of class a at (3.4, 2.2), by scipy */
    } cases[] = {
        {"gaussian", 0.3378622893142404},
        {"gaussian:divisor=n-1", 0.3837340698039378},
        {"gaussian:covariance=own", 0.724492090363664},
        {"gaussian:covariance=own,divisor=n-1", 0.6861990547158393},
        {"gaussian:covariance=own,prior=uniform", 0.6778068062798064},
        {"gaussian:covariance=own,prior=(0.2,0.8)", 0.34466279054916116},
        {"gaussian:covariance=diagonal", 0.8318440085225365},
        {"gaussian:covariance=own,shrinkage=1", 0.8318440085225365},
        {"gaussian:covariance=own,pooling=1", 0.3378622893142404},
        {"gaussian:covariance=own,pooling=0.3,shrinkage=0.2", 0.6664807553307284},
        {"gaussian:covariance=identity", 0.4698848833102663},
    };
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_close(fit_and_ask(ctx, points, cases[i].spec, "x,z\n3.4,2.2\n"), cases[i].p);
}

static void test_gaussian__missing_cells_are_summed_over(void **state)
{
    cairn_context *ctx = *state;
    const char *own = "gaussian:covariance=own";
    assert_close(fit_and_ask(ctx, points, own, "x,z\n3.4,?\n"), 0.75852457657511);
    assert_close(fit_and_ask(ctx, points, own, "x,z\n?,2.2\n"), 0.6631333434730674);
    assert_close(fit_and_ask(ctx, points, "gaussian", "x,z\n3.4,?\n"), 0.40737458050901565);
    assert_close(fit_and_ask(ctx, points, own, "x,z\n?,?\n"), 5.0 / 9);
    assert_close(fit_and_ask(ctx, points, "gaussian:covariance=diagonal", "x,z\n?,?\n"), 5.0 / 9);
}

/* By EM in numpy, 20,000 rounds. Without correlations these are the means and variances of the
 * cells that are there. */
static void test_gaussian__incomplete_training_rows(void **state)
{
    static const struct {
        const char *spec;
        double p, log_likelihood;
    } cases[] = {
        {"gaussian:covariance=own", 0.6027427930680006, -33.39964195290086},
        {"gaussian", 0.4584761301591336, -34.266375194392865},
        {"gaussian:covariance=diagonal", 0.7297750, NAN},
    };
    cairn_context *ctx = *state;
    char text[300];
    snprintf(text, sizeof text, "%s?,4,a\n6,?,b\n1.5,?,a\n", points);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_model *model;
        cairn_report *report;
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, fit_spec(ctx, &model, text, cases[i].spec, report));
        assert_true(fabs(ask(ctx, model, "x,z\n3.4,2.2\n", 0) - cases[i].p) < 1e-6);
        double said;
        assert_true(cairn_report_number(report, "log_likelihood", &said));
        assert_true(isnan(cases[i].log_likelihood) || fabs(said - cases[i].log_likelihood) < 1e-9);
        cairn_report_free(report);
        cairn_model_free(model);
    }
}

/* No row is complete, a column has no cell in a class, and one has none at all. */
static void test_gaussian__hardly_any_cells(void **state)
{
    cairn_context *ctx = *state;
    const char *specs[] = {"gaussian",
                           "gaussian:covariance=own",
                           "gaussian:covariance=diagonal",
                           "gaussian:covariance=identity",
                           "gaussian:covariance=own,divisor=n-1,pooling=0.5,shrinkage=0.2",
                           "gaussian:covariance=own,prior=(0,1)"};
    const char *text = "x,z,k,y\n1,?,?,a\n2,?,?,a\n3,?,?,a\n?,2,?,b\n7,?,?,b\n?,?,?,b\n8,5,?,b\n";
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        double p = fit_and_ask(ctx, text, specs[i], "x,z,k\n2,3,?\n");
        assert_true(p >= 0 && p <= 1);
    }
}

/* A row of weight 0 with a missing cell, of a class that has no others, changes nothing. */
static void test_gaussian__rows_of_weight_0_with_gaps(void **state)
{
    cairn_context *ctx = *state;
    const char *with = "x,z,y,w\n1,2,a,1\n2,?,a,1\n2.5,3,a,1\n4,3,b,1\n5,2,b,1\n7,?,c,0\n";
    const char *without = "x,z,y,w\n1,2,a,1\n2,?,a,1\n2.5,3,a,1\n4,3,b,1\n5,2,b,1\n";
    const char *texts[] = {with, without};
    double likelihoods[2];
    for (size_t i = 0; i < 2; i++) {
        cairn_model *model;
        cairn_report *report;
        assert_ok(ctx, fit_spec(ctx, &model, texts[i], "gaussian", NULL));
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_model_describe(ctx, report, model));
        assert_true(cairn_report_number(report, "log_likelihood", likelihoods + i));
        cairn_report_free(report);
        cairn_model_free(model);
    }
    assert_close(likelihoods[0], likelihoods[1]);
}

static void test_gaussian__weights_are_repeated_rows(void **state)
{
    cairn_context *ctx = *state;
    const char *once = "x,z,y,w\n1,2,a,2\n2,1.5,a,1\n2.5,3,a,1\n4,3,b,1\n5,2,b,3\n4.5,1,b,1\n";
    const char *often =
        "x,z,y\n1,2,a\n1,2,a\n2,1.5,a\n2.5,3,a\n4,3,b\n5,2,b\n5,2,b\n5,2,b\n4.5,1,b\n";
    const char *specs[] = {"gaussian", "gaussian:covariance=own,divisor=n-1",
                           "gaussian:covariance=diagonal", "gaussian:covariance=identity"};
    for (size_t i = 0; i < 4; i++)
        assert_close(fit_and_ask(ctx, once, specs[i], "x,z\n3,2\n"),
                     fit_and_ask(ctx, often, specs[i], "x,z\n3,2\n"));
}

static void test_gaussian__later_rows(void **state)
{
    cairn_context *ctx = *state;
    const char *specs[] = {"gaussian", "gaussian:covariance=own", "gaussian:covariance=diagonal",
                           "gaussian:covariance=identity"};
    const char *first = "x,z,y\n1,2,a\n2,1.5,a\n2.5,3,a\n4,3,b\n5,2,b\n4.5,1,b\n";
    const char *rest = "x,z,y\n3,2.5,a\n0.5,1,a\n5.5,4,b\n8,9,c\n9,8,c\n7,7.5,c\n";
    const char *all = "x,z,y\n1,2,a\n2,1.5,a\n2.5,3,a\n4,3,b\n5,2,b\n4.5,1,b\n3,2.5,a\n0.5,1,a\n"
                      "5.5,4,b\n8,9,c\n9,8,c\n7,7.5,c\n";
    for (size_t i = 0; i < 4; i++) {
        cairn_model *model;
        assert_ok(ctx, fit_spec(ctx, &model, first, specs[i], NULL));
        cairn_table *more = read_csv(ctx, rest);
        assert_ok(ctx, cairn_table_set_role(ctx, more, "y", CAIRN_TARGET));
        assert_ok(ctx, cairn_model_update(ctx, model, more, NULL));
        assert_close(ask(ctx, model, "x,z\n5,4\n", 0),
                     fit_and_ask(ctx, all, specs[i], "x,z\n5,4\n"));
        cairn_table_free(more);
        cairn_model_free(model);
    }
}

/* Kind of the boundary between two classes with these rows. */
static void assert_kind(cairn_context *ctx, const char *text, const char *spec, const char *kind)
{
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, fit_spec(ctx, &model, text, spec, report));
    assert_string_equal(cairn_report_string(report, "boundary.kind"), kind);
    cairn_report_free(report);
    cairn_model_free(model);
}

static void test_gaussian__kinds_of_boundaries(void **state)
{
    cairn_context *ctx = *state;
    const char *own = "gaussian:covariance=own,prior=uniform";
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,1,a\n0,-1,a\n3,0,b\n-3,0,b\n0,3,b\n0,-3,b\n", own,
                "circle");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,1,a\n0,-1,a\n3,0,b\n-3,0,b\n0,2,b\n0,-2,b\n", own,
                "ellipse");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,3,a\n0,-3,a\n3,1,b\n-3,1,b\n0,2,b\n0,0,b\n", own,
                "hyperbola");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,3,a\n0,-3,a\n3,0,b\n-3,0,b\n0,1,b\n0,-1,b\n", own,
                "two crossing lines");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,1,a\n0,-1,a\n3,2,b\n-3,2,b\n0,3,b\n0,1,b\n", own,
                "parabola");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,1,a\n0,-1,a\n3,0,b\n-3,0,b\n0,1,b\n0,-1,b\n", own,
                "two parallel lines");
    assert_kind(ctx, "x,z,y\n1,0,a\n-1,0,a\n0,1,a\n0,-1,a\n5,0,b\n3,0,b\n4,1,b\n4,-1,b\n", own,
                "line");
    assert_kind(ctx, "x,y\n-1,a\n1,a\n-3,b\n3,b\n", own, "two points");
    assert_kind(ctx, "x,y\n-1,a\n1,a\n2,b\n4,b\n", own, "one point");
}

static void test_gaussian__singular_covariances(void **state)
{
    cairn_context *ctx = *state;
    /* z = 2x; a constant column; a class with one row */
    const char *text =
        "x,z,k,y\n1,2,7,a\n2,4,7,a\n3,6,7,a\n7,14,7,b\n8,16,7,b\n9,18,7,b\n20,40,7,c\n";
    const char *specs[] = {"gaussian", "gaussian:covariance=own", "gaussian:covariance=diagonal"};
    for (size_t i = 0; i < 3; i++) {
        double p = fit_and_ask(ctx, text, specs[i], "x,z,k\n2,4,7\n");
        assert_true(p > 0.99 && p <= 1);
        assert_close(fit_and_ask(ctx, text, specs[i], "x,z,k\n2,4,1000\n"), p);
    }
}

static void test_gaussian__far_rows_have_an_answer(void **state)
{
    cairn_context *ctx = *state;
    const char *specs[] = {"gaussian", "gaussian:covariance=own", "gaussian:covariance=diagonal"};
    for (size_t i = 0; i < 3; i++) {
        double p = fit_and_ask(ctx, points, specs[i], "x,z\n1e300,2\n");
        assert_true(p == 0 || p == 1);
    }
    assert_close(fit_and_ask(ctx, points, "gaussian", "x,z\n1e300,2\n"), 0);
    assert_close(fit_and_ask(ctx, "x,y\n1e20,a\n2e20,a\n5e20,b\n7e20,b\n",
                             "gaussian:covariance=identity", "x\n2e20\n"),
                 1);
}

static void test_gaussian__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    assert_fails(ctx, fit_spec(ctx, &model, points, "gaussian:prior=(0.2,0.3,0.5)", NULL),
                 CAIRN_BAD_DATA, "has 3 numbers for the 2 classes");
    assert_fails(ctx, fit_spec(ctx, &model, points, "gaussian:prior=most", NULL), CAIRN_USAGE,
                 "write empirical");
    assert_fails(
        ctx, fit_spec(ctx, &model, "x,y\n1e200,a\n-1e200,a\n3e200,b\n1e199,b\n", "gaussian", NULL),
        CAIRN_BAD_DATA, "e+200");
}

/* Mean of a column, and of the product of two, over the rows of class `c`, after so much is taken
 * off. */
static double mean_of(const cairn_table *table, const char *a, double from_a, const char *b,
                      double from_b, int32_t c)
{
    const double *x = cairn_table_numbers(table, (size_t)cairn_table_find(table, a));
    const double *y = b ? cairn_table_numbers(table, (size_t)cairn_table_find(table, b)) : NULL;
    const int32_t *codes = table->slots[0].column->codes;
    double sum = 0, n = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (codes[i] != c) continue;
        sum += (x[i] - from_a) * (y ? y[i] - from_b : 1);
        n++;
    }
    return sum / n;
}

/* Large samples have the moments of the model: of class a the mean (1.8, 2) and the covariance
 * (0.86, 0.5; 0.5, 0.5). */
static void test_gaussian__samples(void **state)
{
    const char *specs[] = {"gaussian:covariance=own", "bayes"};
    cairn_context *ctx = *state;
    for (size_t i = 0; i < 2; i++) {
        cairn_model *model;
        cairn_table *rows, *again;
        bool inner;
        assert_ok(ctx, fit_spec(ctx, &model, points, specs[i], NULL));
        assert_ok(ctx, cairn_model_sample(ctx, &rows, model, 50000, 7, &inner, NULL));
        assert_false(inner);
        assert_true(fabs(mean_of(rows, "x", 0, NULL, 0, 0) - 1.8) < 0.03);
        assert_true(fabs(mean_of(rows, "z", 0, NULL, 0, 0) - 2) < 0.03);
        assert_true(fabs(mean_of(rows, "x", 1.8, "x", 1.8, 0) - 0.86) < 0.03);
        assert_true(fabs(mean_of(rows, "x", 1.8, "z", 2, 0) - (i ? 0 : 0.5)) < 0.03);
        assert_true(fabs(mean_of(rows, "x", 0, NULL, 0, 1) - 4.75) < 0.03);
        assert_ok(ctx, cairn_model_sample(ctx, &again, model, 50000, 7, &inner, NULL));
        for (size_t c = 1; c < 3; c++)
            assert_memory_equal(cairn_table_numbers(rows, c), cairn_table_numbers(again, c),
                                50000 * sizeof(double));
        cairn_table_free(rows);
        cairn_table_free(again);
        cairn_model_free(model);
    }
}

/* Scaled columns come back in the units of the data; a tree draws no rows. */
static void test_gaussian__samples_through_the_chain(void **state)
{
    cairn_context *ctx = *state;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    const char *const with[] = {"standardise", NULL};
    cairn_params *params;
    cairn_model *model;
    cairn_table *table = read_csv(ctx, points), *rows;
    bool inner;
    options.with = with;
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, "gaussian"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_ok(ctx, cairn_model_sample(ctx, &rows, model, 20000, 7, &inner, NULL));
    assert_true(fabs(mean_of(rows, "x", 0, NULL, 0, 1) - 4.75) < 0.05);
    cairn_table_free(rows);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    assert_ok(ctx, fit_spec(ctx, &model, points, "tree", NULL));
    assert_fails(ctx, cairn_model_sample(ctx, &rows, model, 10, 7, &inner, NULL), CAIRN_USAGE,
                 "does not say how rows come about");
    cairn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_gaussian__covariances),
        context_test(test_gaussian__missing_cells_are_summed_over),
        context_test(test_gaussian__incomplete_training_rows),
        context_test(test_gaussian__hardly_any_cells),
        context_test(test_gaussian__rows_of_weight_0_with_gaps),
        context_test(test_gaussian__weights_are_repeated_rows),
        context_test(test_gaussian__later_rows),
        context_test(test_gaussian__kinds_of_boundaries),
        context_test(test_gaussian__singular_covariances),
        context_test(test_gaussian__far_rows_have_an_answer),
        context_test(test_gaussian__refusals),
        context_test(test_gaussian__samples),
        context_test(test_gaussian__samples_through_the_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
