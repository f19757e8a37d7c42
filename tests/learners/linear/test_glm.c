/* SPDX-License-Identifier: MIT */
/* Generalised linear models: families and links against their formulas, fits beside R's, edges. */
#include "model/model.h"
#include "stats/families.h"
#include "support/learn.h"

/* load, hours, calls */
static const double calls[] = {1, 2, 2,  2, 2, 3,  3, 3, 7,  4, 3, 9,
                               5, 4, 18, 6, 4, 25, 5, 2, 12, 1, 5, 4};

static void test_families__slopes_are_those_of_the_means(void **state)
{
    (void)state;
    for (int link = CAIRN_LINK_IDENTITY; link < CAIRN_LINKS; link++) {
        double slope, other, score = 0.37, step = 1e-6;
        double mean = cairn_link_mean((cairn_mean_link)link, score, &slope);
        double high = cairn_link_mean((cairn_mean_link)link, score + step, &other);
        double low = cairn_link_mean((cairn_mean_link)link, score - step, &other);
        assert_true(fabs((high - low) / (2 * step) - slope) < 1e-8);
        assert_true(fabs(cairn_link_score((cairn_mean_link)link, mean) - score) < 1e-12);
    }
}

/* The slope of the half deviance by the mean is -(y - m) / V(m). */
static void test_families__deviances_belong_to_variances(void **state)
{
    (void)state;
    for (int kind = 0; kind < CAIRN_FAMILIES; kind++) {
        cairn_family f = cairn_family_make((cairn_family_kind)kind, CAIRN_LINK_USUAL, 1.7);
        double y = 0.8, m = 0.35, step = 1e-6;
        double rise =
            cairn_family_deviance(&f, y, m + step) - cairn_family_deviance(&f, y, m - step);
        assert_true(fabs(rise / (4 * step) + (y - m) / cairn_family_variance(&f, m)) < 1e-6);
        assert_true(fabs(cairn_family_deviance(&f, y, y)) < 1e-15);
    }
}

/* Numbers of R's glm and of sandwich::vcovHC. */
static void test_glm__poisson_is_that_of_r(void **state)
{
    fitted f = fit_numbers(*state, "glm:family=poisson,exposure=hours", "load hours calls", calls,
                           8, 3, "calls");
    assert_value(f.report, "coefficient.intercept", -0.410403960664772, 1e-9);
    assert_value(f.report, "coefficient.load", 0.386883888253412, 1e-9);
    assert_value(f.report, "se.load", 0.0735073100273951, 1e-9);
    assert_value(f.report, "deviance", 1.20724438776234, 1e-9);
    assert_value(f.report, "null_deviance", 34.95879064350789, 1e-9);
    assert_value(f.report, "aic", 36.07733693906104, 1e-9);
    drop(&f);
}

/* With the family's own link the deviance has one minimum; with others its curvature is looked
 * at. */
static void test_glm__curvature_is_proved_of_other_links(void **state)
{
    static const char *const specs[] = {"glm:family=poisson", "glm:family=poisson,link=sqrt",
                                        "glm:family=gamma,link=log"};
    for (size_t i = 0; i < 3; i++) {
        fitted f = fit_numbers(*state, specs[i], "load hours calls", calls, 8, 3, "calls");
        const cairn_certificate *c = &f.model->certificate;
        assert_int_equal(c->has, 1 << CAIRN_PROOF_GRADIENT | (i > 0) << CAIRN_PROOF_CURVATURE);
        assert_true(c->left[CAIRN_PROOF_CURVATURE] <= 1e-9);
        drop(&f);
    }
}

/* Numbers of sandwich::vcovHC on lm. */
static void test_errors__of_linear_and_glm_are_those_of_r(void **state)
{
    static const char *const learners[] = {"linear", "glm"};
    for (size_t i = 0; i < 2; i++) {
        char spec[40];
        snprintf(spec, sizeof spec, "%s:errors=hc3", learners[i]);
        fitted f = fit_numbers(*state, spec, "load hours calls", calls, 8, 3, "calls");
        assert_value(f.report, "se.intercept", 5.4006030267501224, 1e-9);
        assert_value(f.report, "se.load", 0.9887654161452719, 1e-9);
        drop(&f);
        snprintf(spec, sizeof spec, "%s:errors=hc0", learners[i]);
        f = fit_numbers(*state, spec, "load hours calls", calls, 8, 3, "calls");
        assert_value(f.report, "se.hours", 0.5626386245531149, 1e-9);
        drop(&f);
    }
}

static void test_glm__a_term_that_others_determine_has_no_weight(void **state)
{
    static const double twins[] = {1, 2, 3, 2, 4, 3, 3, 6, 5, 4, 8, 9, 5, 10, 8};
    fitted f = fit_numbers(*state, "glm:family=poisson", "a b y", twins, 5, 3, "y");
    double other;
    assert_value(f.report, "rows", 5, 0);
    assert_value(f.report, "df", 3, 0);
    assert_false(cairn_report_number(f.report, "coefficient.b", &other) && isfinite(other));
    drop(&f);
}

/* Rows 100 to 109 are in no part of the rows that gives the start; means 2 and 7 are the model. */
static void test_glm__a_term_of_few_among_many_rows_has_its_weight(void **state)
{
    enum { ROWS = 40960 };
    double *rows = malloc(3 * ROWS * sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < ROWS; i++) {
        bool rare = i >= 100 && i < 110;
        rows[3 * i] = rare;
        rows[3 * i + 1] = i / 2 % 2 == 0;
        rows[3 * i + 2] = rare ? 7 : 1 + (double)(i % 2) * 2;
    }
    fitted f = fit_numbers(*state, "glm:family=poisson", "rare half y", rows, ROWS, 3, "y");
    assert_value(f.report, "coefficient.rare", log(3.5), 1e-9);
    assert_value(f.report, "coefficient.half", 0, 1e-9);
    assert_value(f.report, "df", ROWS - 3, 0);
    drop(&f);
    free(rows);
}

static void test_glm__aic_without_degrees_of_freedom_is_none(void **state)
{
    static const double line[] = {1, 2, 2, 5};
    fitted f = fit_numbers(*state, "glm", "x y", line, 2, 2, "y");
    double aic = 0;
    assert_false(cairn_report_number(f.report, "aic", &aic) && !isnan(aic));
    drop(&f);
}

static void test_glm__separated_shares_are_reported(void **state)
{
    static const double apart[] = {1, 0, 2, 0, 3, 0, 4, 1, 5, 1, 6, 1};
    fitted f = fit_numbers(*state, "glm:family=binomial", "x y", apart, 6, 2, "y");
    double deviance;
    assert_true(cairn_report_number(f.report, "deviance", &deviance) && deviance < 1e-8);
    drop(&f);
}

/* As many terms as rows: the scores are the roots of the counts, of 0 too. */
static void test_glm__counts_of_zero_are_fitted_exactly_by_roots(void **state)
{
    static const double counts[] = {0.8366, 1.0146, 21, -0.5089, 0.8513, 1, 0.409, -0.1725, 0};
    fitted f = fit_numbers(*state, "glm:family=poisson,link=sqrt", "a b y", counts, 3, 3, "y");
    double deviance;
    assert_true(cairn_report_number(f.report, "deviance", &deviance) && fabs(deviance) < 1e-12);
    assert_true(f.model->certificate.left[CAIRN_PROOF_GRADIENT] <= 1e-6);
    drop(&f);
}

/* Four rows are the same, three of them 1, and the others can be separated: weights would grow for
 * ever, and further steps must not lead away from the least deviance, that of the four. */
static void test_glm__partly_separated_shares_end_at_the_least_deviance(void **state)
{
    static const double partly[] = {-4, 4, 0,  1,  3, 0, 4,  0, -2, -3, -2, 1, -4, 4, 0,  1, 4, -2,
                                    5,  0, -2, -4, 4, 0, -4, 4, 0,  1,  -1, 1, -1, 1, -4, 4, 0, 0};
    static const char *const specs[] = {"glm:family=binomial,link=probit",
                                        "glm:family=binomial,link=cloglog", "glm:family=binomial"};
    for (size_t i = 0; i < 3; i++) {
        fitted f = fit_numbers(*state, specs[i], "a b c y", partly, 9, 4, "y");
        assert_value(f.report, "deviance", 8 * log(4) - 6 * log(3), 1e-6);
        drop(&f);
    }
}

/* A light row gets far on the wrong side while heavy ones are separated: where its share has no
 * more digits the deviance goes on rising, and brings it back, so that all are separated. */
static void test_glm__light_rows_come_back_from_the_wrong_side(void **state)
{
    static const double rows[] = {
        -1, 2,  -1, 2,  0,  2,  2,  1, 11.5,    -2, -2, -2, 1,  2,  -1, -1, 1, 106,
        2,  0,  -1, 1,  1,  2,  -1, 0, 0.0835,  -1, 1,  -1, 2,  -1, -2, 1,  1, 1.88,
        -1, -2, 1,  2,  2,  -2, -1, 0, 33,      -2, 2,  0,  2,  2,  -1, 1,  0, 394,
        0,  -2, 1,  2,  0,  -2, -2, 0, 0.0412,  -1, -1, 2,  0,  0,  0,  -1, 0, 0.0791,
        0,  0,  2,  1,  -2, 0,  0,  0, 0.276,   -2, 1,  2,  0,  0,  0,  1,  0, 24.2,
        -1, -2, -1, 2,  -2, -1, -1, 1, 1.19e-3, 1,  2,  2,  1,  1,  1,  2,  1, 292,
        0,  2,  1,  -1, -1, 1,  0,  1, 0.418,   1,  -1, -2, 2,  -2, -2, -1, 1, 28.8,
        0,  2,  0,  -2, -1, 0,  -1, 1, 0.0412,  -1, -1, 2,  -1, 2,  -2, 0,  1, 0.01,
        -2, 2,  0,  2,  2,  -1, 0,  0, 39.5,    -1, -1, 0,  1,  1,  -1, 0,  0, 2.47};
    static const char *const specs[] = {"glm:family=binomial,link=probit",
                                        "glm:family=binomial,link=cloglog", "glm:family=binomial"};
    for (size_t i = 0; i < 3; i++) {
        fitted f = {0};
        assert_ok(*state, table_of(*state, &f.table, "a b c d e f g y w", rows, 18, 9));
        assert_ok(*state, learn(*state, &f.model, &f.report, f.table, specs[i], "y", "w"));
        assert_value(f.report, "deviance", 0, 1e-6);
        drop(&f);
    }
}

static void test_glm__refusals(void **state)
{
    static const double bad[] = {1, -2, 2, 3, 3, 4};
    static const char *const specs[][2] = {{"glm:family=poisson", "-2 in row 1"},
                                           {"glm:family=gamma,link=logit", "between 0 and 1"},
                                           {"glm:errors=grouped", "needs groups"},
                                           {"glm:offset=w", "no number column"}};
    for (size_t i = 0; i < 4; i++) {
        fitted f = {0};
        assert_ok(*state, table_of(*state, &f.table, "x y", bad, 3, 2));
        cairn_status wanted = i == 0 ? CAIRN_BAD_DATA : CAIRN_USAGE;
        assert_fails(*state, learn(*state, &f.model, &f.report, f.table, specs[i][0], "y", NULL),
                     wanted, specs[i][1]);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_families__slopes_are_those_of_the_means),
        context_test(test_families__deviances_belong_to_variances),
        context_test(test_glm__poisson_is_that_of_r),
        context_test(test_glm__curvature_is_proved_of_other_links),
        context_test(test_errors__of_linear_and_glm_are_those_of_r),
        context_test(test_glm__a_term_that_others_determine_has_no_weight),
        context_test(test_glm__a_term_of_few_among_many_rows_has_its_weight),
        context_test(test_glm__aic_without_degrees_of_freedom_is_none),
        context_test(test_glm__separated_shares_are_reported),
        context_test(test_glm__counts_of_zero_are_fitted_exactly_by_roots),
        context_test(test_glm__partly_separated_shares_end_at_the_least_deviance),
        context_test(test_glm__light_rows_come_back_from_the_wrong_side),
        context_test(test_glm__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
