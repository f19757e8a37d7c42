/* SPDX-License-Identifier: MIT */
/* Logistic and softmax regression: numbers of R's glm, solvers that agree, separation, dependent
 * columns, penalties, paths, gradient ascent, bags of words, refusals. */
#include "data/bag.h"
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "data/table.h"
#include <stdlib.h>
#include <unistd.h>

/* Fit to a table whose target is already there; steps and description go into the report. */
static cairn_status fit_table(cairn_context *ctx, fitted *f, const char *spec)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = cairn_params_new(ctx, &params, spec);
    options.task = CAIRN_CLASSIFY;
    options.with = own_units;
    if (status == CAIRN_OK) status = cairn_report_new(ctx, &f->report);
    options.steps = f->report;
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, &f->model, params, f->table, &options);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, f->report, f->model);
    cairn_params_free(params);
    return status;
}

static fitted fit(cairn_context *ctx, const char *spec, const char *names, const double *values,
                  size_t n_rows, size_t n_columns)
{
    fitted f = {0};
    assert_ok(ctx, table_of(ctx, &f.table, names, values, n_rows, n_columns));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "t", CAIRN_TARGET));
    assert_ok(ctx, fit_table(ctx, &f, spec));
    return f;
}

static const char *word(const fitted *f, const char *name)
{
    const char *text = cairn_report_string(f->report, name);
    return text ? text : "";
}

static double number(const fitted *f, const char *name)
{
    double value = NAN;
    if (!cairn_report_number(f->report, name, &value)) fail_msg("there is no value %s", name);
    return value;
}

/* Twelve points, two classes that overlap in one of them. */
static const double points[] = {1, 2, 1, 2, 1.5, 1, 2.5, 3, 1, 3, 2.5, 1, 3.5, 4,   1, 1.5, 3.5, 1,
                                4, 3, 0, 5, 2,   0, 4.5, 1, 0, 3, 1,   0, 5.5, 3.5, 0, 2.8, 3.2, 0};

/* glm(t ~ x1 + x2, binomial) of R. */
static void test_logistic__statistics_of_glm(void **state)
{
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3);
    assert_value(f.report, "coefficient.intercept", 5.5200733385695, 1e-9);
    assert_value(f.report, "coefficient.x1", -2.8744633771341, 1e-9);
    assert_value(f.report, "coefficient.x2", 1.2877513923751, 1e-6);
    assert_value(f.report, "se.x1", 1.9000623786255, 1e-6);
    assert_value(f.report, "z.x1", -1.5128257942845, 1e-6);
    assert_value(f.report, "p.x1", 0.13032391493778, 1e-6);
    assert_value(f.report, "deviance", 6.8028466702907, 1e-6);
    assert_value(f.report, "null_deviance", 16.6355323334387, 1e-6);
    assert_value(f.report, "aic", 12.8028466702907, 1e-6);
    assert_value(f.report, "odds.x2", exp(number(&f, "coefficient.x2")), 1e-12);
    assert_value(f.report, "check.mean_p.1", 0.5, 1e-12);
    assert_value(f.report, "check.slope", 0, 1e-9);
    assert_value(f.report, "threshold", -5.5200733385695, 1e-9);
    assert_string_equal(word(&f, "converged"), "yes");
    drop(&f);
}

/* Both solvers, and any start, end at the same weights. */
static void test_logistic__solvers_agree(void **state)
{
    static const char *const specs[] = {"logistic:solver=cg,tolerance=1e-16,penalty=none",
                                        "logistic:init=\"1,0.5,-0.5\"", "logistic:max-step=0.5"};
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3);
    for (size_t i = 0; i < 3; i++) {
        fitted g = fit(*state, specs[i], "x1 x2 t", points, 12, 3);
        assert_value(g.report, "coefficient.x1", number(&f, "coefficient.x1"), 1e-8);
        assert_value(g.report, "coefficient.intercept", number(&f, "coefficient.intercept"), 1e-8);
        drop(&g);
    }
    static const char *const penalised[] = {"lambda=0.3", "penalty=l1,lambda=0.3",
                                            "penalty=elastic,lambda=0.3,mix=0.2"};
    for (size_t i = 0; i < 3; i++) {
        char spec[160];
        snprintf(spec, sizeof spec, "logistic:%s", penalised[i]);
        fitted a = fit(*state, spec, "x1 x2 t", points, 12, 3);
        snprintf(spec, sizeof spec, "logistic:%s,solver=cg,tolerance=1e-16", penalised[i]);
        fitted b = fit(*state, spec, "x1 x2 t", points, 12, 3);
        assert_value(b.report, "coefficient.x1", number(&a, "coefficient.x1"), 1e-7);
        assert_value(b.report, "objective", number(&a, "objective"), 1e-12);
        drop(&a);
        drop(&b);
    }
    drop(&f);
}

/* w·x − t, w·x + w0, and the exponent of the other class. */
static void test_logistic__conventions(void **state)
{
    fitted f = fit(*state, "logistic:intercept=plus", "x1 x2 t", points, 12, 3);
    fitted g = fit(*state, "logistic:logit-sign=-", "x1 x2 t", points, 12, 3);
    assert_value(f.report, "intercept", 5.5200733385695, 1e-9);
    assert_value(g.report, "coefficient.x1", -number(&f, "coefficient.x1"), 1e-12);
    assert_value(g.report, "z.x1", -number(&f, "z.x1"), 1e-12);
    assert_value(g.report, "p.1.1", number(&f, "p.1.1"), 1e-12);
    drop(&f);
    f = fit(*state, "logistic:intercept=none", "x1 x2 t", points, 12, 3);
    double unused;
    assert_false(cairn_report_number(f.report, "coefficient.intercept", &unused));
    assert_value(f.report, "check.moment.x1", 0, 1e-9);
    drop(&f);
    drop(&g);
}

static void test_logistic__separation_is_reported(void **state)
{
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 11, 3);
    assert_string_equal(word(&f, "separation"), "complete");
    assert_string_equal(word(&f, "separation.columns"), "x1, x2");
    assert_string_equal(word(&f, "penalty"), "L2");
    assert_string_equal(word(&f, "converged"), "yes");
    drop(&f);
    static const double three[] = {1, 0, 2, 0, 3, 1, 4, 1, 5, 2, 6, 2};
    f = fit(*state, "logistic", "x t", three, 6, 2);
    assert_string_equal(word(&f, "separation"), "complete");
    assert_value(f.report, "coefficient.0.x", -number(&f, "coefficient.2.x"), 1e-9);
    drop(&f);
    f = fit(*state, "logistic:if-separable=stop", "x1 x2 t", points, 11, 3);
    assert_string_equal(word(&f, "penalty"), "none");
    assert_true(isfinite(number(&f, "coefficient.x1")));
    double value; /* of weights that mean nothing there are no errors and no tests */
    static const char *const none[] = {"se.x1", "z.x1", "p.x1", "low.x1", "aic", "bic", "chi2"};
    for (size_t i = 0; i < 7; i++) assert_false(cairn_report_number(f.report, none[i], &value));
    drop(&f);
    assert_ok(*state, table_of(*state, &f.table, "x1 x2 t", points, 11, 3));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
    assert_int_equal(fit_table(*state, &f, "logistic:if-separable=fail"), CAIRN_NO_SOLUTION);
    assert_non_null(strstr(cairn_message(*state), "x1, x2"));
    drop(&f);
}

/* A column in thousandths and one in tens of thousands, which together tell the classes apart: the
 * ridge does not keep the small one from having the weight that it needs. */
static void test_logistic__separation_whatever_the_units(void **state)
{
    enum { N = 60 };
    double rows[N * 3];
    for (size_t i = 0; i < N; i++) {
        double u = sin((double)i * 2.1), v = cos((double)i * 3.7);
        u += u + v > 0 ? 0.2 : -0.2;
        rows[i * 3] = u / 1000, rows[i * 3 + 1] = v * 10000, rows[i * 3 + 2] = u + v > 0;
    }
    fitted f = fit(*state, "logistic", "x1 x2 t", rows, N, 3);
    assert_string_equal(word(&f, "separation"), "complete");
    assert_value(f.report, "training.accuracy", 1, 0);
    assert_true(number(&f, "strength") <= 1);
    drop(&f);
}

/* x = 3 has both classes, everything else is on its side; y says nothing. */
static void test_logistic__quasi_separation_is_reported(void **state)
{
    static const double rows[] = {1, 2, 0, 2, 5, 0, 3, 1, 0, 3, 4, 1, 3, 2, 1, 3, 3, 0,
                                  3, 5, 0, 3, 2, 0, 3, 1, 1, 3, 5, 1, 5, 2, 1, 6, 3, 1};
    fitted f = fit(*state, "logistic", "x y t", rows, 12, 3);
    assert_string_equal(word(&f, "separation"), "quasi-complete");
    assert_string_equal(word(&f, "separation.columns"), "x");
    drop(&f);
}

/* x = 1 never comes with class 2; classes 0 and 1 overlap everywhere. */
static void test_logistic__quasi_separation_of_one_class_is_reported(void **state)
{
    static const double rows[] = {0, 1, 0, 0, 2, 1, 0, 3, 2, 0, 2, 0, 0, 1, 1,
                                  0, 2, 2, 1, 1, 0, 1, 2, 1, 1, 2, 0, 1, 1, 1,
                                  0, 3, 0, 0, 3, 1, 0, 1, 2, 1, 3, 0, 1, 3, 1};
    fitted f = fit(*state, "logistic", "x y t", rows, 15, 3);
    assert_string_equal(word(&f, "separation"), "quasi-complete");
    assert_string_equal(word(&f, "separation.columns"), "x");
    drop(&f);
}

static void test_logistic__dependent_columns_are_named(void **state)
{
    double rows[12 * 5];
    for (size_t i = 0; i < 12; i++) {
        rows[5 * i] = points[3 * i];
        rows[5 * i + 1] = points[3 * i + 1];
        rows[5 * i + 2] = 2 * points[3 * i] - points[3 * i + 1] + 3;
        rows[5 * i + 3] = 7;
        rows[5 * i + 4] = points[3 * i + 2];
    }
    fitted f = fit(*state, "logistic", "x1 x2 both fixed t", rows, 12, 5);
    assert_value(f.report, "coefficient.x1", -2.8744633771341, 1e-9);
    assert_value(f.report, "coefficient.both", 0, 0);
    assert_value(f.report, "se.both", NAN, 0);
    assert_value(f.report, "se.x1", 1.9000623786255, 1e-6);
    assert_string_equal(word(&f, "relation1"), "both = 2·x1 − x2 + 3");
    assert_string_equal(word(&f, "relation2"), "fixed = 7 in every row");
    drop(&f);
}

/* Strong penalties leave the intercept alone: it gives the shares. */
static void test_logistic__penalties(void **state)
{
    fitted f = fit(*state, "logistic:penalty=l1,lambda=100", "x1 x2 t", points, 12, 3);
    assert_value(f.report, "coefficient.x1", 0, 0);
    assert_value(f.report, "coefficient.x2", 0, 0);
    assert_value(f.report, "coefficient.intercept", 0, 1e-12);
    assert_value(f.report, "nonzero", 0, 0);
    drop(&f);
    f = fit(*state, "logistic:lambda=0.5", "x1 x2 t", points, 12, 3);
    /* Σ (y − p) x = λ w */
    assert_value(f.report, "check.moment.x1", 0.5 * number(&f, "coefficient.x1"), 1e-9);
    assert_value(f.report, "check.mean_p.1", 0.5, 1e-12);
    drop(&f);
}

static void test_logistic__path_and_cross_validation(void **state)
{
    double rows[120 * 3];
    for (size_t i = 0; i < 120; i++) {
        double u = sin((double)i * 12.9898) * 43758.5453, v = sin((double)i * 78.233) * 9631.7;
        rows[3 * i] = u - floor(u);
        rows[3 * i + 1] = v - floor(v);
        rows[3 * i + 2] = rows[3 * i] + 0.3 * sin((double)i) > 0.5;
    }
    fitted f = fit(*state, "logistic:penalty=l1,lambda=cv,path=12", "signal noise t", rows, 120, 3);
    assert_value(f.report, "path1.nonzero", 0, 0);
    assert_value(f.report, "path12.nonzero", 2, 0);
    assert_value(f.report, "strength", number(&f, "path.chosen"), 1e-12);
    assert_true(number(&f, "path12.cross_entropy") < number(&f, "path1.cross_entropy"));
    assert_true(number(&f, "path1.held_out") > 0.6 && number(&f, "path6.held_out") < 0.6);
    fitted g = fit(*state, "logistic:penalty=l1,lambda=cv,path=12,choose=one-se", "signal noise t",
                   rows, 120, 3);
    assert_true(number(&g, "path.chosen") >= number(&f, "path.chosen"));
    drop(&f);
    drop(&g);
}

/* One update by hand: p = 1/2, w += 0.5 (1 - 1/2) x. */
static void test_logistic__gradient_ascent(void **state)
{
    fitted f =
        fit(*state, "logistic:solver=ascent,eta=0.5,protocol=online", "x1 x2 t", points, 12, 3);
    assert_value(f.report, "update1.p.1", 0.5, 0);
    assert_value(f.report, "update1.w.0", 0.25, 1e-15);
    assert_value(f.report, "update1.w.1", 0.25, 1e-15);
    assert_value(f.report, "update1.w.2", 0.5, 1e-15);
    double p = 1 / (1 + exp(-(0.25 + 0.25 * 2 + 0.5 * 1.5)));
    assert_value(f.report, "update2.p.1", p, 1e-14);
    assert_value(f.report, "update2.w.1", 0.25 + 0.5 * (1 - p) * 2, 1e-14);
    assert_value(f.report, "iterations", 1, 0);
    drop(&f);
    f = fit(*state, "logistic:solver=ascent,eta=0.05,update=epoch,epochs=30000,tolerance=1e-14",
            "x1 x2 t", points, 12, 3);
    assert_value(f.report, "coefficient.x1", -2.8744633771341, 1e-4);
    drop(&f);
    f = fit(*state, "logistic:solver=ascent,protocol=random,epochs=50", "x1 x2 t", points, 12, 3);
    assert_true(number(&f, "cross_entropy") < 8.3);
    drop(&f);
}

/* Scores of any size: probabilities of 0 and 1, never a NaN. */
static void test_logistic__huge_scores(void **state)
{
    static const double x[] = {-1e308, -1e5, 0, 1e5, 1e308, 3e307};
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3);
    cairn_table *asked, *answer;
    assert_ok(*state, cairn_table_new(*state, &asked, 6));
    assert_ok(*state, cairn_table_add_numbers(*state, asked, "x1", x));
    assert_ok(*state, cairn_table_add_numbers(*state, asked, "x2", x));
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, asked, true));
    for (size_t i = 0; i < 6; i++) {
        double sum = 0;
        for (size_t c = 1; c < 3; c++) { /* the distance follows */
            double p = cairn_table_numbers(answer, c)[i];
            assert_true(p >= 0 && p <= 1);
            sum += p;
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
    /* x1 speaks more than x2: low numbers of class 1, high ones of class 0 */
    assert_true(cairn_table_numbers(answer, 1)[0] == 0 && cairn_table_numbers(answer, 2)[0] == 1);
    assert_true(cairn_table_numbers(answer, 1)[4] == 1 && cairn_table_numbers(answer, 2)[4] == 0);
    cairn_table_free(answer);
    cairn_table_free(asked);
    drop(&f);
}

/* The points with both columns multiplied by a number. */
static cairn_status fit_scaled(cairn_context *ctx, fitted *f, const char *spec, double first,
                               double second)
{
    double rows[36];
    memcpy(rows, points, sizeof rows);
    for (size_t i = 0; i < 12; i++) rows[3 * i] *= first, rows[3 * i + 1] *= second;
    *f = (fitted){0};
    assert_ok(ctx, table_of(ctx, &f->table, "x1 x2 t", rows, 12, 3));
    assert_ok(ctx, cairn_table_set_role(ctx, f->table, "t", CAIRN_TARGET));
    return fit_table(ctx, f, spec);
}

/* Numbers of any size: the same probabilities, and what overflows is said. */
static void test_logistic__huge_and_tiny_numbers(void **state)
{
    static const double by[][2] = {{1e300, 1}, {1e-300, 1}, {1e300, 1e-300}, {1e-150, 1e150}};
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3), g;
    for (size_t i = 0; i < 4; i++) {
        assert_ok(*state, fit_scaled(*state, &g, "logistic", by[i][0], by[i][1]));
        assert_value(g.report, "log_likelihood", number(&f, "log_likelihood"), 1e-9);
        double w = number(&f, "coefficient.x1") / by[i][0];
        assert_value(g.report, "coefficient.x1", w, 1e-9 * fabs(w));
        drop(&g);
        assert_ok(*state, fit_scaled(*state, &g, "logistic:lambda=1", by[i][0], by[i][1]));
        assert_true(isfinite(number(&g, "coefficient.x1")));
        assert_true(isfinite(number(&g, "objective")));
        drop(&g);
        assert_ok(*state,
                  fit_scaled(*state, &g, "logistic:lambda=1,solver=cg", by[i][0], by[i][1]));
        assert_true(isfinite(number(&g, "coefficient.x2")));
        drop(&g);
    }
    assert_ok(*state, fit_scaled(*state, &g, "logistic", -1e-300, 1));
    assert_true(isnan(number(&g, "odds.x1")) && isnan(number(&g, "odds_high.x1")));
    drop(&g);
    assert_fails(*state, fit_scaled(*state, &g, "logistic:solver=ascent", 1e300, 1), CAIRN_BAD_DATA,
                 "column 'x1', row 11");
    drop(&g);
    drop(&f);
}

static void test_logistic__infinite_numbers_are_refused(void **state)
{
    double rows[36];
    memcpy(rows, points, sizeof rows);
    rows[3 * 4 + 1] = INFINITY;
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x1 x2 t", rows, 12, 3));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
    assert_int_equal(fit_table(*state, &f, "logistic"), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "column 'x2', row 5"));
    cairn_report_free(f.report);
    f.report = NULL;
    assert_int_equal(fit_table(*state, &f, "logistic:solver=cg"), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "column 'x2', row 5"));
    drop(&f);
}

/* A bag of words beside a number, and the same as numbers. */
static void add_bag(cairn_context *ctx, cairn_table *table, const double *counts, size_t n)
{
    static const char *const words[] = {"ham", "spam", "eggs"};
    cairn_bag_builder bag = {0};
    cairn_column *column;
    for (size_t i = 0; i < n; i++) {
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        for (size_t w = 0; w < 3; w++)
            assert_ok(ctx, cairn_bag_add(ctx, &bag, words[w], strlen(words[w]), counts[3 * i + w]));
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "text", CAIRN_FEATURE, column));
}

static void test_logistic__bags_are_columns(void **state)
{
    enum { N = 40 };
    double counts[3 * N], rows[2 * N], wide[5 * N];
    for (size_t i = 0; i < N; i++) {
        for (size_t w = 0; w < 3; w++) counts[3 * i + w] = (double)((i * (w + 3) + w) % (w + 2));
        rows[2 * i] = (double)(i % 7);
        rows[2 * i + 1] =
            (double)((counts[3 * i] + rows[2 * i] + (double)(i % 3) > 4) + (counts[3 * i + 2] > 2));
        memcpy(wide + 5 * i, counts + 3 * i, 3 * sizeof *wide);
        memcpy(wide + 5 * i + 3, rows + 2 * i, 2 * sizeof *wide);
    }
    static const char *const specs[] = {"logistic:lambda=0.5",
                                        "logistic:lambda=0.5,solver=cg,tolerance=1e-16"};
    fitted whole = fit(*state, specs[0], "ham spam eggs x t", wide, N, 5);
    for (size_t s = 0; s < 2; s++) {
        fitted f = {0};
        assert_ok(*state, table_of(*state, &f.table, "x t", rows, N, 2));
        assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
        add_bag(*state, f.table, counts, N);
        assert_ok(*state, fit_table(*state, &f, specs[s]));
        assert_value(f.report, "coefficient.1.text=spam", number(&whole, "coefficient.1.spam"),
                     1e-8);
        assert_value(f.report, "coefficient.0.x", number(&whole, "coefficient.0.x"), 1e-8);
        assert_value(f.report, "cross_entropy", number(&whole, "cross_entropy"), 1e-9);
        drop(&f);
    }
    drop(&whole);
}

/* Conjugate gradients, ascent and cross-validation, too, give the same bytes for any threads. */
static void test_logistic__same_bytes_for_any_number_of_threads(void **state)
{
    static const char *const specs[] = {"logistic:solver=cg,lambda=0.1",
                                        "logistic:solver=cg,penalty=l1,lambda=0.1",
                                        "logistic:lambda=cv,path=4,folds=3"};
    enum { N = 900 };
    double *counts = malloc(3 * N * sizeof *counts), *rows = malloc(2 * N * sizeof *rows);
    for (size_t i = 0; i < N; i++) {
        for (size_t w = 0; w < 3; w++) counts[3 * i + w] = (double)((i * (w + 7) + w) % (w + 2));
        rows[2 * i] = sin((double)i);
        rows[2 * i + 1] = floor((counts[3 * i] + 2 * rows[2 * i] + (double)(i % 5)) / 3);
    }
    for (size_t s = 0; s < 3; s++) {
        char *bytes[3];
        size_t lengths[3];
        for (int threads = 1, i = 0; threads <= 4; threads *= 2, i++) {
            fitted f = {0};
            cairn_context_set_threads(*state, threads);
            assert_ok(*state, table_of(*state, &f.table, "x t", rows, N, 2));
            assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
            add_bag(*state, f.table, counts, N);
            assert_ok(*state, fit_table(*state, &f, specs[s]));
            assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes[i], &lengths[i]));
            drop(&f);
        }
        for (int i = 0; i < 3; i++) {
            assert_int_equal(lengths[i], lengths[0]);
            assert_memory_equal(bytes[i], bytes[0], lengths[0]);
        }
        for (int i = 0; i < 3; i++) cairn_string_free(bytes[i]);
    }
    free(counts);
    free(rows);
}

/* Class weights are weights of the rows. */
static void test_logistic__class_weights(void **state)
{
    fitted f = fit(*state, "logistic:lambda=1,class-weight=\"3,1\"", "x1 x2 t", points, 12, 3);
    double rows[4 * 12];
    for (size_t i = 0; i < 12; i++) {
        memcpy(rows + 4 * i, points + 3 * i, 3 * sizeof *rows);
        rows[4 * i + 3] = points[3 * i + 2] == 0 ? 3 : 1;
    }
    fitted g = {0};
    assert_ok(*state, table_of(*state, &g.table, "x1 x2 t w", rows, 12, 4));
    assert_ok(*state, cairn_table_set_role(*state, g.table, "t", CAIRN_TARGET));
    assert_ok(*state, cairn_table_set_role(*state, g.table, "w", CAIRN_WEIGHT));
    assert_ok(*state, fit_table(*state, &g, "logistic:lambda=1"));
    assert_value(f.report, "coefficient.x1", number(&g, "coefficient.x1"), 1e-10);
    drop(&f);
    drop(&g);
}

static void test_logistic__refusals(void **state)
{
    static const char *const specs[] = {"logistic:lambda=-1",
                                        "logistic:lambda=much",
                                        "logistic:penalty=none,lambda=2",
                                        "logistic:solver=ascent,penalty=l1",
                                        "logistic:solver=ascent,path=5",
                                        "logistic:class-weight=heavy"};
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x1 x2 t", points, 12, 3));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(fit_table(*state, &f, specs[i]), CAIRN_USAGE);
        cairn_report_free(f.report);
        f.report = NULL;
    }
    assert_int_equal(fit_table(*state, &f, "logistic:init=\"1,2\""), CAIRN_BAD_DATA);
    cairn_report_free(f.report);
    f.report = NULL;
    assert_int_equal(fit_table(*state, &f, "logistic:class-weight=\"1,2,3\""), CAIRN_BAD_DATA);
    cairn_report_free(f.report);
    f.report = NULL;
    assert_int_equal(fit_table(*state, &f, "logistic:lambda=cv,folds=13"), CAIRN_BAD_DATA);
    drop(&f);
}

/* -- weights as text -- */

/* A fit to the table with weights of a text. */
static cairn_status fit_given(cairn_context *ctx, fitted *f, const cairn_table *table,
                              const char *spec, const char *text)
{
    char path[] = "/tmp/cairn-weights-XXXXXX";
    int file = mkstemp(path);
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    *f = (fitted){0};
    options.task = CAIRN_CLASSIFY;
    options.given = path;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_report_new(ctx, &f->report));
    options.steps = f->report;
    cairn_status status = cairn_model_fit(ctx, &f->model, params, table, &options);
    if (status == CAIRN_OK) assert_ok(ctx, cairn_model_describe(ctx, f->report, f->model));
    cairn_params_free(params);
    unlink(path);
    return status;
}

/* Text, weights and likelihood are the same again: two classes, three with one pinned, three with
 * a ridge. */
static void test_logistic__text_is_read_again(void **state)
{
    static const double three[] = {1, 2, 0, 2, 1, 0, 3, 3, 0, 2, 3, 1, 4, 1, 1, 5, 2, 1,
                                   3, 1, 1, 4, 4, 2, 2, 2, 2, 5, 5, 2, 3, 5, 2, 1, 4, 2};
    static const char *const specs[] = {"logistic", "logistic", "logistic:lambda=0.5"};
    for (size_t i = 0; i < 3; i++) {
        fitted f = fit(*state, specs[i], "x1 x2 t", i ? three : points, 12, 3), g;
        char *text, *again;
        assert_ok(*state, cairn_model_export(*state, f.model, "text", &text));
        assert_ok(*state, fit_given(*state, &g, f.table, "logistic", text));
        assert_ok(*state, cairn_model_export(*state, g.model, "text", &again));
        assert_string_equal(text, again);
        assert_value(g.report, "log_likelihood", number(&f, "log_likelihood"), 1e-10);
        assert_value(g.report, "training.accuracy", number(&f, "training.accuracy"), 0);
        cairn_string_free(text);
        cairn_string_free(again);
        drop(&g);
        drop(&f);
    }
}

/* Two classes: a line without a class is about the positive one; the other one counts against. */
static void test_logistic__weights_by_hand(void **state)
{
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3), g;
    assert_ok(*state, fit_given(*state, &g, f.table, "logistic",
                                "intercept = 1\nx1 = -0.5\n0: x1 = 0.25 # against\n"));
    assert_value(g.report, "coefficient.x1", -0.75, 0);
    assert_value(g.report, "coefficient.x2", 0, 0);
    assert_value(g.report, "p.1.1", 1 / (1 + exp(-0.25)), 1e-12);
    assert_string_equal(word(&g, "solver"), "given by hand");
    double value;
    assert_false(cairn_report_number(g.report, "aic", &value));
    drop(&g);
    static const struct {
        const char *spec, *text, *part;
        cairn_status status;
    } bad[] = {{"logistic", "x3 = 1\n", "no term 'x3'", CAIRN_BAD_DATA},
               {"logistic", "x1 = one\n", "a number is expected", CAIRN_BAD_DATA},
               {"logistic", "2: x1 = 1\n", "'2'", CAIRN_BAD_DATA},
               {"logistic", "x1 = 1\nx1 = 2\n", "line 2", CAIRN_BAD_DATA},
               {"logistic", "x1 = 1 x2 = 2\n", "end of the line", CAIRN_BAD_DATA},
               {"logistic", "# nothing\n", "no weight", CAIRN_BAD_DATA},
               {"logistic", "x1 = 1e308\nx2 = 1e308\n", "beyond all numbers", CAIRN_BAD_DATA},
               {"logistic:intercept=none", "intercept = 1\n", "intercept=none", CAIRN_BAD_DATA},
               {"logistic:lambda=1", "x1 = 1\n", "'lambda'", CAIRN_USAGE}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(*state, fit_given(*state, &g, f.table, bad[i].spec, bad[i].text),
                     bad[i].status, bad[i].part);
        drop(&g);
    }
    drop(&f);
}

/* The other forms: every weight once. */
static void test_logistic__forms(void **state)
{
    static const char *const parts[][2] = {{"formula", "p(1)` = 1 / (1 + exp(-(5.52007"},
                                           {"table", "\n1,x1,-2.87446"},
                                           {"c", "_numbers_constants[] = {\n    5.52007"}};
    fitted f = fit(*state, "logistic", "x1 x2 t", points, 12, 3);
    for (size_t i = 0; i < 3; i++) {
        char *text;
        assert_ok(*state, cairn_model_export(*state, f.model, parts[i][0], &text));
        if (!strstr(text, parts[i][1])) fail_msg("no '%s' in %s", parts[i][1], text);
        cairn_string_free(text);
    }
    drop(&f);
}

typedef struct work {
    const char *spec;
    const cairn_table *table;
    const char *given; /* file of weights, NULL = none */
} work;

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    const work *w = data;
    fitted f = {.table = NULL};
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *answer = NULL;
    cairn_status status;
    options.task = CAIRN_CLASSIFY;
    TRY(cairn_params_new(ctx, &params, w->spec));
    TRY(cairn_report_new(ctx, &f.report));
    options.steps = f.report;
    options.given = w->given;
    TRY(cairn_model_fit(ctx, &f.model, params, w->table, &options));
    TRY(cairn_model_describe(ctx, f.report, f.model));
    TRY(cairn_model_predict(ctx, &answer, f.model, w->table, true));
    for (size_t i = 0; i < 4; i++) {
        static const char *const forms[] = {"text", "formula", "table", "c"};
        char *text = NULL;
        TRY(cairn_model_export(ctx, f.model, forms[i], &text));
        cairn_string_free(text);
    }
done:
    cairn_table_free(answer);
    cairn_params_free(params);
    drop(&f);
    return status;
}

static void test_logistic__survives_failing_allocations(void **state)
{
    static const char *const specs[] = {
        "logistic:solver=cg,lambda=1", "logistic:solver=cg,penalty=l1,lambda=1",
        "logistic:solver=ascent,epochs=2", "logistic:lambda=cv,path=3,folds=2"};
    double counts[36];
    fitted f = {0};
    for (size_t i = 0; i < 36; i++) counts[i] = (double)(i % 3);
    assert_ok(*state, table_of(*state, &f.table, "x1 x2 t", points, 12, 3));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
    add_bag(*state, f.table, counts, 12);
    for (size_t i = 0; i < 4; i++) {
        work w = {specs[i], f.table, NULL};
        assert_survives_allocation_failures(whole_way, &w);
    }
    char path[] = "/tmp/cairn-weights-XXXXXX";
    static const char text[] = "1: x1 = 0.5\n1: \"text=ham\" = -1\n";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
    close(file);
    work w = {"logistic", f.table, path};
    assert_survives_allocation_failures(whole_way, &w);
    unlink(path);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_logistic__statistics_of_glm),
        context_test(test_logistic__solvers_agree),
        context_test(test_logistic__conventions),
        context_test(test_logistic__separation_is_reported),
        context_test(test_logistic__separation_whatever_the_units),
        context_test(test_logistic__quasi_separation_is_reported),
        context_test(test_logistic__quasi_separation_of_one_class_is_reported),
        context_test(test_logistic__dependent_columns_are_named),
        context_test(test_logistic__penalties),
        context_test(test_logistic__path_and_cross_validation),
        context_test(test_logistic__gradient_ascent),
        context_test(test_logistic__huge_scores),
        context_test(test_logistic__huge_and_tiny_numbers),
        context_test(test_logistic__infinite_numbers_are_refused),
        context_test(test_logistic__bags_are_columns),
        context_test(test_logistic__same_bytes_for_any_number_of_threads),
        context_test(test_logistic__class_weights),
        context_test(test_logistic__refusals),
        context_test(test_logistic__text_is_read_again),
        context_test(test_logistic__weights_by_hand),
        context_test(test_logistic__forms),
        context_test(test_logistic__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
