/* SPDX-License-Identifier: MIT */
/* Mixtures: five iterations of EM against a plain calculation elsewhere, gaps, levels, weights,
 * floors, the number of components, bad input. */
#include "support/learn.h"
#include "model/sample.h"

static const double twelve[] = {1, 2, 2, 1.5, 1.5, 3, 2.5, 2.2, 0.5, 1, 1.2, 2.6,
                                6, 5, 7, 6.5, 6.5, 4, 8,   7,   5.5, 6, 7.2, 5.1};
static const int32_t letters[] = {0, 0, 1, -1, 0, 2, 1, 1, 2, 1, 2, 1};

#define STARTED "start-means=\"1,1;7,7\",start-variances=\"4;4\",tolerance=0"
#define FIVE    STARTED ",max-iter=5"

static void test_mixture__four_forms_of_covariance(void **state)
{
    fitted f = fit_numbers(*state, "mixture:" FIVE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -35.315433790423725, 1e-12);
    assert_value(f.report, "weight.1", 0.4999998659903999, 1e-12);
    assert_value(f.report, "mean.1.x", 1.44999972, 1e-8);
    assert_value(f.report, "covariance.2.x.y", 0.35000375, 1e-8);
    assert_value(f.report, "log_density.1", -1.894465874492439, 1e-12);
    assert_value(f.report, "least1.row", 11, 0);
    assert_value(f.report, "least10.row", 8, 0);
    assert_value(f.report, "least2.log_density", -3.81341384, 1e-8);
    assert_value(f.report, "free_parameters", 11, 0);
    assert_value(f.report, "bic", 2 * 35.315433790423725 + 11 * log(12), 1e-12);
    drop(&f);
    f = fit_numbers(*state, "mixture:covariance=tied," FIVE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -35.917713839715766, 1e-12);
    assert_value(f.report, "covariance.1.x.y", 0.2404168, 1e-7);
    assert_value(f.report, "free_parameters", 8, 0);
    drop(&f);
    f = fit_numbers(*state, "mixture:covariance=diagonal," FIVE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -36.19912486609827, 1e-12);
    assert_value(f.report, "variance.2.y", 1.01666669, 1e-8);
    assert_value(f.report, "free_parameters", 9, 0);
    drop(&f);
    f = fit_numbers(*state, "mixture:covariance=spherical," FIVE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -36.33210278574307, 1e-12);
    assert_value(f.report, "variance.2.x", 0.8416668, 1e-7);
    assert_value(f.report, "variance.2.y", 0.8416668, 1e-7);
    assert_value(f.report, "free_parameters", 7, 0);
    drop(&f);
}

/* Drawn rows, each in place of what it added before, end where all rows at once do; rows that are
 * seen once against a plain calculation elsewhere. */
static void test_mixture__row_by_row(void **state)
{
    static const char *const forms[] = {"full", "tied", "diagonal", "spherical"};
    for (size_t i = 0; i < 4; i++) {
        char spec[200];
        snprintf(spec, sizeof spec, "mixture:covariance=%s,start-means=\"1,1;7,7\"", forms[i]);
        fitted all = fit_numbers(*state, spec, "x y", twelve, 12, 2, NULL);
        strcat(spec, ",protocol=random");
        fitted drawn = fit_numbers(*state, spec, "x y", twelve, 12, 2, NULL);
        double wanted = 0, mean = 0;
        assert_true(cairn_report_number(all.report, "log_likelihood", &wanted));
        assert_true(cairn_report_number(all.report, "mean.1.x", &mean));
        assert_value(drawn.report, "log_likelihood", wanted, 1e-6);
        assert_value(drawn.report, "mean.1.x", mean, 1e-4);
        drop(&all);
        drop(&drawn);
    }
#define ONCE "start-means=\"1,1;7,7\",start-variances=\"4;4\",protocol=online"
    fitted f = fit_numbers(*state, "mixture:covariance=diagonal," ONCE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -44.3561245105343, 1e-12);
    assert_value(f.report, "weight.1", 0.4522419603054827, 1e-12);
    assert_value(f.report, "mean.1.x", 1.2359631320119786, 1e-12);
    assert_value(f.report, "variance.2.x", 1.997602011574628, 1e-12);
    assert_value(f.report, "iterations", 1, 0);
    drop(&f);
    f = fit_numbers(*state, "mixture:" ONCE, "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -44.13828951012256, 1e-12);
    assert_value(f.report, "covariance.2.x.y", 0.3087516825180714, 1e-12);
    drop(&f);
}

/* One number is missing in two rows, and all are in a third. */
static void test_mixture__gaps_are_expected_given_the_rest(void **state)
{
    double v[24];
    memcpy(v, twelve, sizeof v);
    v[3] = v[14] = v[20] = v[21] = NAN;
    fitted f = fit_numbers(*state, "mixture:" FIVE, "x y", v, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -27.959703628805958, 1e-12);
    assert_value(f.report, "weight.1", 0.5454543473537686, 1e-12);
    assert_value(f.report, "mean.1.y", 2.21313459, 1e-8);
    assert_value(f.report, "covariance.2.x.y", 0.64525977, 1e-8);
    drop(&f);
    f = fit_numbers(*state, "mixture:covariance=diagonal," FIVE, "x y", v, 12, 2, NULL);
    assert_value(f.report, "log_likelihood", -30.73034156018742, 1e-12);
    assert_value(f.report, "variance.2.x", 0.57299901, 1e-8);
    drop(&f);
}

static void test_mixture__levels_are_a_factor_of_the_density(void **state)
{
    const char *names[] = {"p", "q", "r"};
    cairn_context *ctx = *state;
    fitted f = {0};
    assert_ok(ctx, table_of(ctx, &f.table, "x y", twelve, 12, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, f.table, "letter", letters, names, 3));
    assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, "mixture:" STARTED ",max-iter=3", NULL,
                         NULL));
    /* the least probability of a level moves the rest by a millionth */
    assert_value(f.report, "log_likelihood", -43.88587150970694, 1e-5);
    assert_value(f.report, "level.1.letter.p", 0.6, 1e-5);
    assert_value(f.report, "level.2.letter.p", 1e-6, 1e-12);
    assert_value(f.report, "level.2.letter.q", 0.666666667, 1e-5);
    drop(&f);
}

static void test_mixture__weights_count_as_rows(void **state)
{
    static const double w[] = {1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1};
    cairn_context *ctx = *state;
    double v[36];
    fitted f = {0};
    for (size_t i = 0; i < 12; i++)
        v[3 * i] = twelve[2 * i], v[3 * i + 1] = twelve[2 * i + 1], v[3 * i + 2] = w[i];
    assert_ok(ctx, table_of(ctx, &f.table, "x y w", v, 12, 3));
    assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, "mixture:" FIVE, NULL, "w"));
    assert_value(f.report, "log_likelihood", -46.866018936834024, 1e-12);
    assert_value(f.report, "mean.1.x", 1.29999994, 1e-8);
    assert_value(f.report, "mean.1.y", 1.75555554, 1e-8);
    assert_value(f.report, "bic", 2 * 46.866018936834024 + 11 * log(16), 1e-12);
    drop(&f);
}

/* Hidden values as a start: the parameters of the two halves, then nothing to do. */
static void test_mixture__starts_from_a_partition(void **state)
{
    fitted f = fit_numbers(*state, "mixture:given=\"1,1,1,1,1,1,2,2,2,2,2,2\",max-iter=0", "x y",
                           twelve, 12, 2, NULL);
    assert_value(f.report, "iteration0.mean.1.x", 8.7 / 6, 1e-12);
    assert_value(f.report, "iteration0.mean.2.y", 33.6 / 6, 1e-12);
    assert_value(f.report, "iteration0.weight.1", 0.5, 1e-12);
    drop(&f);
}

static void test_mixture__both_starts_find_the_same(void **state)
{
    fitted f = fit_numbers(*state, "mixture:components=2", "x y", twelve, 12, 2, NULL);
    fitted g = fit_numbers(*state, "mixture:components=2,init=random,starts=20,max-iter=1000",
                           "x y", twelve, 12, 2, NULL);
    double ll = 0;
    assert_true(cairn_report_number(f.report, "log_likelihood", &ll));
    assert_true(ll > -35.3155);
    assert_true(cairn_report_number(g.report, "log_likelihood", &ll));
    assert_true(ll > -35.3155);
    drop(&f);
    drop(&g);
}

/* A component on a single row stops at the floor, in one column and with covariances. */
static void test_mixture__a_floor_stops_a_collapse(void **state)
{
    static const double five[] = {1, 1, 1, 4, 6};
    fitted f = fit_numbers(*state, "mixture:start-means=\"1;5\"", "x", five, 5, 1, NULL);
    assert_value(f.report, "floored", 1, 0);
    assert_value(f.report, "variance.1.x", 1e-6 * 4.24, 1e-15);
    assert_value(f.report, "variance.2.x", 1, 1e-4);
    drop(&f);
    static const double line[] = {1, 2, 2, 4, 3, 6, 4, 8, 9, 18, 10, 20};
    f = fit_numbers(*state, "mixture:components=2", "x y", line, 6, 2, NULL);
    assert_value(f.report, "floored", 2, 0);
    drop(&f);
}

static void test_mixture__the_number_is_chosen(void **state)
{
    double v[120];
    for (size_t i = 0; i < 120; i++) { /* two bells, ten deviations apart */
        double u = ((double)i + 0.5) / 120, turn = fmod((double)i * 0.6180339887498949, 1);
        v[i] = (i % 2 ? 20 : 0) + 2 * sqrt(-2 * log(u)) * cos(6.283185307179586 * turn);
    }
    fitted f = fit_numbers(*state, "mixture:components=\"1:4\",starts=2", "x", v, 120, 1, NULL);
    assert_value(f.report, "components", 2, 0);
    double one = 0, two = 0;
    assert_true(cairn_report_number(f.report, "components1.bic", &one));
    assert_true(cairn_report_number(f.report, "components2.bic", &two));
    assert_true(two < one);
    drop(&f);
    f = fit_numbers(*state, "mixture:components=\"1:2\",choose=held-out,starts=2", "x", v, 120, 1,
                    NULL);
    assert_value(f.report, "components", 2, 0);
    assert_true(cairn_report_number(f.report, "components2.held_out", &two));
    drop(&f);
}

static void test_mixture__bad_input_is_reported(void **state)
{
    static const struct {
        const char *spec, *message;
        cairn_status status;
    } cases[] = {
        {"mixture:components=13", "13 components cannot be made of 12 rows", CAIRN_BAD_DATA},
        {"mixture:components=\"3:2\"", "a range such as 1:8", CAIRN_USAGE},
        {"mixture:components=0", "from 1 to", CAIRN_USAGE},
        {"mixture:components=3,start-means=\"1,1\"", "1 row for 3", CAIRN_USAGE},
        {"mixture:start-means=\"1;7\"", "1 numbers per component for 2", CAIRN_USAGE},
        {"mixture:start-means=\"1,1;7,7\",start-weights=\"0.5,0.6\"", "add up to 1.1", CAIRN_USAGE},
        {"mixture:start-means=\"1,1;7,7\",start-variances=\"1;-1\"", "-1 is not positive",
         CAIRN_USAGE},
        {"mixture:given=\"1,2\"", "2 cluster numbers for 12 rows", CAIRN_BAD_DATA},
    };
    cairn_context *ctx = *state;
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x y", twelve, 12, 2));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(ctx, learn(ctx, &m, &r, t, cases[i].spec, NULL, NULL), cases[i].status,
                     cases[i].message);
    cairn_table_free(t);
    double huge[] = {1, 2, 1e200};
    assert_ok(ctx, table_of(ctx, &t, "x", huge, 3, 1));
    assert_fails(ctx, learn(ctx, &m, &r, t, "mixture", NULL, NULL), CAIRN_BAD_DATA,
                 "column 'x', row 3");
    cairn_table_free(t);
}

/* Changes of 0.9, 0.02 and 1.2e-6, in deviations of all rows. */
static void test_mixture__stops_by_the_parameters(void **state)
{
    fitted f = fit_numbers(*state,
                           "mixture:start-means=\"1,1;7,7\",start-variances=\"4;4\","
                           "stop=parameters,tolerance=0.0209",
                           "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "iterations", 2, 0);
    drop(&f);
    f = fit_numbers(*state,
                    "mixture:start-means=\"1,1;7,7\",start-variances=\"4;4\","
                    "stop=parameters,tolerance=0.0208",
                    "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "iterations", 3, 0);
    drop(&f);
}

/* Roots of the slope were found elsewhere. */
static void test_mixture__modes_and_antimodes(void **state)
{
    static const double x[] = {0, 1, 2, 3, 8, 10};
    fitted f =
        fit_numbers(*state,
                    "mixture:components=3,start-means=\"0;3;9\",start-variances=\"1;1.44;4\","
                    "start-weights=\"0.5,0.3,0.2\",max-iter=0",
                    "x", x, 6, 1, NULL);
    assert_value(f.report, "mode1", 0.04998342542190589, 1e-9);
    assert_value(f.report, "antimode1", 2.0805022342776085, 1e-9);
    assert_value(f.report, "mode2", 2.874432400909831, 1e-9);
    assert_value(f.report, "antimode2", 5.971273968250957, 1e-9);
    assert_value(f.report, "mode3", 8.999844626251376, 1e-9);
    drop(&f);
}

static double value(const cairn_report *report, const char *name)
{
    double number = NAN;
    assert_true(cairn_report_number(report, name, &number));
    return number;
}

/* Many rows have nearly the moments and shares of the mixture. */
static void test_mixture__rows_are_drawn(void **state)
{
    static const char *const forms[] = {"full", "tied", "diagonal", "spherical"};
    const char *names[] = {"p", "q", "r"};
    cairn_context *ctx = *state;
    enum { ROWS = 40000 };
    for (size_t i = 0; i < 4; i++) {
        OWNED(cairn_table_free) cairn_table *drawn = NULL;
        fitted f = {0};
        char spec[200];
        bool inner;
        snprintf(spec, sizeof spec, "mixture:covariance=%s," STARTED ",max-iter=3", forms[i]);
        assert_ok(ctx, table_of(ctx, &f.table, "x y", twelve, 12, 2));
        assert_ok(ctx, cairn_table_add_levels(ctx, f.table, "letter", letters, names, 3));
        assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, spec, NULL, NULL));
        assert_ok(ctx, cairn_model_sample(ctx, &drawn, f.model, ROWS, 5, &inner, NULL));
        assert_false(inner);
        const double *x = drawn->slots[0].column->numbers, *y = drawn->slots[1].column->numbers;
        double mx = 0, my = 0, q = 0, xy = 0, expected = 0;
        for (size_t r = 0; r < ROWS; r++) {
            mx += x[r] / ROWS, my += y[r] / ROWS, xy += x[r] * y[r] / ROWS;
            q += drawn->slots[2].column->codes[r] == 1;
        }
        double w1 = value(f.report, "weight.1"), w2 = 1 - w1;
        double x1 = value(f.report, "mean.1.x"), x2 = value(f.report, "mean.2.x");
        double y1 = value(f.report, "mean.1.y"), y2 = value(f.report, "mean.2.y");
        expected = w1 * x1 * y1 + w2 * x2 * y2;
        if (i == 0)
            expected +=
                w1 * value(f.report, "covariance.1.x.y") + w2 * value(f.report, "covariance.2.x.y");
        if (i == 1) expected += value(f.report, "covariance.1.x.y");
        assert_true(fabs(mx - (w1 * x1 + w2 * x2)) < 0.06);
        assert_true(fabs(my - (w1 * y1 + w2 * y2)) < 0.06);
        assert_true(fabs(xy - expected) < 0.4);
        assert_true(fabs(q / ROWS - (w1 * value(f.report, "level.1.letter.q") +
                                     w2 * value(f.report, "level.2.letter.q"))) < 0.01);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_mixture__four_forms_of_covariance),
        context_test(test_mixture__row_by_row),
        context_test(test_mixture__gaps_are_expected_given_the_rest),
        context_test(test_mixture__levels_are_a_factor_of_the_density),
        context_test(test_mixture__weights_count_as_rows),
        context_test(test_mixture__starts_from_a_partition),
        context_test(test_mixture__both_starts_find_the_same),
        context_test(test_mixture__a_floor_stops_a_collapse),
        context_test(test_mixture__the_number_is_chosen),
        context_test(test_mixture__stops_by_the_parameters),
        context_test(test_mixture__modes_and_antimodes),
        context_test(test_mixture__rows_are_drawn),
        context_test(test_mixture__bad_input_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
