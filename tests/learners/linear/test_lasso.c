/* SPDX-License-Identifier: MIT */
/* Lasso, elastic net, q-norms: conditions of the minimum, folds, weights, edges. */
#include "support/run.h"
#include "solve/penalised.h"
#include "support/fail_alloc.h"
#include "bag_rows.h"

static double number(const cairn_report *report, const char *name)
{
    double value = NAN;
    assert_true(cairn_report_number(report, name, &value));
    return value;
}

/* Slopes of half the squares by the constant and both coefficients. */
static void slopes_of(const cairn_report *report, double out[3])
{
    double b = number(report, "coefficient.intercept"), c1 = number(report, "coefficient.x"),
           c2 = number(report, "coefficient.y");
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < 8; i++) {
        const double *row = rows + 3 * i;
        double rest = row[2] - b - c1 * row[0] - c2 * row[1];
        out[0] += rest, out[1] += rest * row[0], out[2] += rest * row[1];
    }
}

static void test_lasso__conditions_of_the_minimum(void **state)
{
    static const double lambdas[] = {0.01, 1, 20, 60, 80};
    for (size_t i = 0; i < 5; i++) {
        char spec[40];
        double slopes[3], l = lambdas[i];
        snprintf(spec, sizeof spec, "lasso:lambda=%g", l);
        fitted f = fit_numbers(*state, spec, "x y t", rows, 8, 3, "t");
        slopes_of(f.report, slopes);
        assert_true(fabs(slopes[0]) < 1e-10);
        for (int j = 1; j < 3; j++) {
            double c = number(f.report, j == 1 ? "coefficient.x" : "coefficient.y");
            if (c != 0)
                assert_true(fabs(slopes[j] - (c > 0 ? l : -l)) < 1e-9);
            else
                assert_true(fabs(slopes[j]) <= l + 1e-9);
        }
        drop(&f);
    }
}

static void test_lasso__elastic_net_and_its_scales(void **state)
{
    double slopes[3];
    fitted f = fit_numbers(*state, "lasso:lambda=4,mix=0.25", "x y t", rows, 8, 3, "t");
    slopes_of(f.report, slopes);
    double c = number(f.report, "coefficient.x"), d = number(f.report, "coefficient.y");
    assert_true(fabs(slopes[1] - 1 - 3 * c) < 1e-9 && fabs(slopes[2] - 1 - 3 * d) < 1e-9);
    drop(&f);
    f = fit_numbers(*state, "lasso:lambda=0.5,mix=0.25,objective=mean", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.x", c, 1e-10);
    drop(&f);
    /* the whole sum: λ Σ|c| counts half, λ Σc² as λ Σc²/2 beside half the sum */
    f = fit_numbers(*state, "lasso:lambda=4,objective=full", "x y t", rows, 8, 3, "t");
    c = number(f.report, "coefficient.x");
    drop(&f);
    f = fit_numbers(*state, "lasso:lambda=2", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.x", c, 1e-10);
    drop(&f);
    f = fit_numbers(*state, "lasso:lambda=3,objective=full,mix=0", "x y t", rows, 8, 3, "t");
    c = number(f.report, "coefficient.x");
    drop(&f);
    f = fit_numbers(*state, "ridge:lambda=3", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.x", c, 1e-10);
    drop(&f);
}

/* Drawn rows end at the same minimum; rows that are seen once take one step each, by hand: η/√t
 * with η = 1 over the longest row, and the penalty's share after each. */
static void test_lasso__row_by_row(void **state)
{
    static const char *const specs[] = {"lasso:lambda=20", "lasso:lambda=4,mix=0.25",
                                        "lasso:lambda=2,q=1.5",
                                        "lasso:lambda=3,penalise-intercept=yes"};
    for (size_t i = 0; i < 4; i++) {
        char spec[80];
        fitted all = fit_numbers(*state, specs[i], "x y t", rows, 8, 3, "t");
        snprintf(spec, sizeof spec, "%s,protocol=random,epochs=20000", specs[i]);
        fitted drawn = fit_numbers(*state, spec, "x y t", rows, 8, 3, "t");
        assert_value(drawn.report, "coefficient.x", number(all.report, "coefficient.x"), 1e-7);
        assert_value(drawn.report, "coefficient.y", number(all.report, "coefficient.y"), 1e-7);
        assert_value(drawn.report, "coefficient.intercept",
                     number(all.report, "coefficient.intercept"), 1e-6);
        drop(&all);
        drop(&drawn);
    }
    static const double two[] = {2, 4, 1, 3}; /* η = 1/4, λ/n = 1/2 */
    fitted f =
        fit_numbers(*state, "lasso:lambda=1,protocol=online,intercept=no", "x t", two, 2, 2, "t");
    double first = 2 - 0.125, eta = 0.25 / sqrt(2);
    assert_value(f.report, "update1.residual", 4, 1e-14);
    assert_value(f.report, "update1.c.1", first, 1e-14);
    assert_value(f.report, "coefficient.x", first + eta * (3 - first) - eta / 2, 1e-14);
    drop(&f);
}

static void test_lasso__rows_by_themselves_need_one_strength(void **state)
{
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x y t", rows, 8, 3));
    assert_fails(*state,
                 learn(*state, &f.model, &f.report, f.table, "lasso:protocol=random", "t", NULL),
                 CAIRN_USAGE, "at one strength");
    drop(&f);
}

/* No coefficient at the least λ that leaves none, one just below it; features are named. */
static void test_lasso__where_features_enter(void **state)
{
    char spec[80];
    fitted f = fit_numbers(*state, "lasso:inner=gcv", "x y t", rows, 8, 3, "t");
    double most = number(f.report, "lambda.most");
    assert_value(f.report, "path1.nonzero", 0, 0);
    assert_true(number(f.report, "enters.x") < most && number(f.report, "enters.y") < most);
    assert_value(f.report, "path100.nonzero", 2, 0);
    drop(&f);
    snprintf(spec, sizeof spec, "lasso:inner=gcv,lambda=\"%.17g,%.17g\"", most * (1 + 1e-9),
             most * (1 - 1e-6));
    f = fit_numbers(*state, spec, "x y t", rows, 8, 3, "t");
    assert_value(f.report, "path1.nonzero", 0, 0);
    assert_value(f.report, "path2.nonzero", 1, 0);
    drop(&f);
}

/* Weighted rows are repeated rows where no folds are dealt. */
static void test_lasso__weights_are_repeats(void **state)
{
    static const double weighted[] = {1, 2, 3, 1, 2, 1, 4, 2, 3, 5, 9, 3, 4, 3, 8, 1};
    double repeated[21], a, b;
    size_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < (int)weighted[4 * i + 3]; k++, n++)
            for (int j = 0; j < 3; j++) repeated[3 * n + j] = weighted[4 * i + j];
    assert_true(n == 7);
    fitted f = fit_numbers(*state, "lasso:lambda=2,mix=0.7", "x y t", repeated, 7, 3, "t");
    a = number(f.report, "coefficient.x");
    b = number(f.report, "coefficient.intercept");
    drop(&f);
    assert_ok(*state, table_of(*state, &f.table, "x y t w", weighted, 4, 4));
    assert_ok(*state,
              learn(*state, &f.model, &f.report, f.table, "lasso:lambda=2,mix=0.7", "t", "w"));
    assert_value(f.report, "coefficient.x", a, 1e-10);
    assert_value(f.report, "coefficient.intercept", b, 1e-10);
    drop(&f);
}

/* The least of a x²/2 − b x + λ|x|^q, against a fine grid. */
static void test_lasso__one_number_is_exact(void **state)
{
    static const double powers[] = {0.3, 0.5, 0.9, 1, 1.5, 2, 3, 4};
    (void)state;
    for (size_t k = 0; k < 8; k++)
        for (double lambda = 0.05; lambda < 40; lambda *= 2.7) {
            double q = powers[k], x = cairn_penalised_number(3, 7, lambda, q), best = INFINITY;
            for (int i = 0; i <= 100000; i++) {
                double c = 7.0 / 3 * i / 100000;
                best = fmin(best, 1.5 * c * c - 7 * c + lambda * pow(c, q));
            }
            double value = 1.5 * x * x - 7 * x + lambda * pow(x, q);
            assert_true(value <= best + 1e-9);
            assert_true(cairn_penalised_number(3, -7, lambda, q) == -x);
        }
    double first = cairn_penalised_first(3, 7, 0.5);
    assert_true(cairn_penalised_number(3, 7, first * 1.0001, 0.5) == 0);
    assert_true(cairn_penalised_number(3, 7, first * 0.9999, 0.5) > 1);
}

static void test_lasso__edges(void **state)
{
    static const double flat[] = {1, 5, 2, 1, 5, 2, 1, 5, 2, 1, 5, 2}, one[] = {1, 2, 3};
    fitted f = fit_numbers(*state, "lasso", "x y t", flat, 4, 3, "t");
    assert_value(f.report, "coefficient.intercept", 2, 0);
    assert_value(f.report, "nonzero", 0, 0);
    drop(&f);
    f = fit_numbers(*state, "lasso", "x y t", one, 1, 3, "t");
    assert_value(f.report, "coefficient.intercept", 3, 0);
    drop(&f);
    double huge[24];
    for (int i = 0; i < 24; i++) huge[i] = rows[i] * (i % 3 == 0 ? 1e200 : i % 3 == 1 ? 1e-200 : 1);
    f = fit_numbers(*state, "lasso:lambda=1e-300", "x y t", huge, 8, 3, "t");
    fitted g = fit_numbers(*state, "lasso:lambda=0", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.y", number(g.report, "coefficient.y") * 1e200, 1e192);
    drop(&g);
    drop(&f);
}

/* Products of all pairs up to 2000 terms, of a growing set beyond: the same answers, folds too. */
static void test_lasso__many_terms(void **state)
{
    static const char *const specs[] = {
        "lasso:lambda=\"40,4,0.5\",inner=cv:4", "lasso:lambda=\"40,4\",mix=0.3,inner=cv:2",
        "lasso:lambda=4,penalise-intercept=yes", "lasso:lambda=4,intercept=no"};
    static const char *const names[] = {
        "coefficient.words=x", "coefficient.words=y", "sse", "df", "lambda", "lambda.most"};
    for (size_t s = 0; s < 4; s++) {
        fitted f = fit_bag(*state, 0, specs[s], CAIRN_OK),
               g = fit_bag(*state, 2100, specs[s], CAIRN_OK);
        for (size_t i = 0; i < 6; i++)
            assert_value(g.report, names[i], number(f.report, names[i]), 1e-8);
        if (s < 2) assert_value(g.report, "held_out", number(f.report, "held_out"), 1e-7);
        drop(&g);
        drop(&f);
    }
}

/* The same of columns, which are read only where their slope may matter: 2000 more that are 0
 * change no number of a whole path. */
static void test_lasso__many_columns(void **state)
{
    enum { N = 50, FEW = 60, MANY = 2060, WIDE = MANY + 1 };
    static char names[WIDE * 8];
    double *cells = calloc(N * WIDE, sizeof *cells), *first = calloc(N * (FEW + 1), sizeof *first);
    for (size_t j = 0, at = 0; j < MANY; j++) at += (size_t)sprintf(names + at, "x%zu ", j);
    strcat(names, "t");
    for (size_t i = 0; i < N; i++) {
        double *row = cells + i * WIDE, sum = 3;
        for (size_t j = 0; j < FEW; j++) {
            row[j] = sin((double)(i * FEW + j) * 12.9898) * 3 + (double)(j % 7);
            sum += row[j] * (j < 10 ? (double)j - 4 : 0) + cos((double)(i * 31 + j));
        }
        row[MANY] = sum;
        memcpy(first + i * (FEW + 1), row, FEW * sizeof *row);
        first[i * (FEW + 1) + FEW] = sum;
    }
    fitted wide = fit_numbers(*state, "lasso:inner=gcv", names, cells, N, WIDE, "t");
    names[0] = 0;
    for (size_t j = 0, at = 0; j < FEW; j++) at += (size_t)sprintf(names + at, "x%zu ", j);
    strcat(names, "t");
    fitted narrow = fit_numbers(*state, "lasso:inner=gcv", names, first, N, FEW + 1, "t");
    for (size_t l = 1; l <= 100; l += 9) {
        char name[32];
        snprintf(name, sizeof name, "path%zu.sse", l);
        double sse = number(narrow.report, name);
        assert_value(wide.report, name, sse, 1e-7 * sse);
        snprintf(name, sizeof name, "path%zu.nonzero", l);
        assert_value(wide.report, name, number(narrow.report, name), 0);
    }
    drop(&narrow);
    drop(&wide);
    free(first);
    free(cells);
}

static void test_lasso__refusals(void **state)
{
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x y t", rows, 8, 3));
    assert_fails(*state, learn(*state, &f.model, &f.report, f.table, "lasso:lambda=-1", "t", NULL),
                 CAIRN_USAGE, "at least 0");
    assert_fails(*state, learn(*state, &f.model, &f.report, f.table, "lasso:inner=cv:9", "t", NULL),
                 CAIRN_BAD_DATA, "at most cv:8");
    assert_fails(*state,
                 learn(*state, &f.model, &f.report, f.table, "lasso:inner=boot:20", "t", NULL),
                 CAIRN_USAGE, "drawn several times");
    assert_fails(*state,
                 learn(*state, &f.model, &f.report, f.table, "lasso:inner=folds", "t", NULL),
                 CAIRN_USAGE, "folds");
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x y t", rows, 8, 3);
    (void)data;
    if (status == CAIRN_OK)
        status = learn(ctx, &f.model, &f.report, f.table, "lasso:path=3,inner=cv:2", "t", NULL);
    drop(&f);
    return status;
}

static void test_lasso__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

/* The coefficients at every knot are those of a fit with its λ; the last are those of least
 * squares. */
static void test_lasso__knots_are_where_the_path_bends(void **state)
{
    static const char *const names[] = {"sepal_width", "petal_length", "petal_width"};
    static const char *const data[] = {"@iris", "--target", "sepal_length", "--features",
                                       "sepal_width,petal_length,petal_width"};
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *knots = NULL;
    assert_ok(ctx, run_words(ctx, &knots,
                             WORDS("fit", "lasso", data[0], data[1], data[2], data[3], data[4],
                                   "--lambda", "1", "--steps")));
    assert_number(knots, "knot4.lambda", 0, 0);
    for (int k = 1; k <= 3; k++) {
        OWNED(cairn_report_free) cairn_report *fit = NULL;
        char name[60], lambda[40], again[60];
        snprintf(name, sizeof name, "knot%d.lambda", k);
        snprintf(lambda, sizeof lambda, "%.17g", number_of(knots, name));
        assert_ok(ctx, run_words(ctx, &fit,
                                 WORDS("fit", "lasso", data[0], data[1], data[2], data[3], data[4],
                                       "--lambda", lambda)));
        for (int j = 0; j < 3; j++) {
            snprintf(name, sizeof name, "knot%d.%s", k, names[j]);
            snprintf(again, sizeof again, "coefficient.%s", names[j]);
            assert_number(knots, name, number_of(fit, again), 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lasso__knots_are_where_the_path_bends),
        context_test(test_lasso__conditions_of_the_minimum),
        context_test(test_lasso__elastic_net_and_its_scales),
        context_test(test_lasso__row_by_row),
        context_test(test_lasso__rows_by_themselves_need_one_strength),
        context_test(test_lasso__where_features_enter),
        context_test(test_lasso__weights_are_repeats),
        context_test(test_lasso__one_number_is_exact),
        context_test(test_lasso__edges),
        context_test(test_lasso__many_terms),
        context_test(test_lasso__many_columns),
        context_test(test_lasso__refusals),
        context_test(test_lasso__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
