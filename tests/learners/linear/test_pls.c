/* SPDX-License-Identifier: MIT */
/* Partial least squares: coefficients of scikit-learn, errors of leaving one row out, columns that
 * depend on each other. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "support/run.h"

/* x, y, z, t; z is nearly x + y */
static const double rows[] = {1, 2, 3,    3.1,  2, 1, 2.9, 3.9, 3, 5, 8.2,  9.2,  4, 3, 7.1, 8,
                              5, 8, 12.8, 14.1, 6, 2, 8.3, 9.8, 7, 7, 13.9, 15.3, 8, 1, 9.1, 10.2};

static void test_pls__agrees_with_scikit_learn(void **state)
{
    static const double wanted[3][3] = {
        {0.3421167447168763, 0.3761493004740525, 0.7128924837555852},
        {0.4076087112248618, 0.3107633071129359, 0.7186284423819707},
        {-0.24314895251482824, -0.30970624650123785, 1.3588132178859125}};
    for (int a = 1; a <= 3; a++) {
        char spec[40];
        snprintf(spec, sizeof spec, "pls:components=%d", a);
        fitted f = fit_numbers(*state, spec, "x y z t", rows, 8, 4, "t");
        assert_value(f.report, "coefficient.x", wanted[a - 1][0], 1e-8);
        assert_value(f.report, "coefficient.y", wanted[a - 1][1], 1e-8);
        assert_value(f.report, "coefficient.z", wanted[a - 1][2], 1e-8);
        drop(&f);
    }
}

/* Two targets that share their components, against NIPALS worked out elsewhere step by step: the
 * largest direction by iterations, features and targets without the component after each. */
static void test_pls__several_targets_together(void **state)
{
    static const double wanted[3][2][4] = {
        {{0.272492127976861, 0.43842770264813585, 0.7053335590882747, 0.6271998259465915},
         {0.033179062756573355, 0.05338363485354712, 0.08588250455181715, -0.5438374021528958}},
        {{0.4094788083295011, 0.3126159357015037, 0.7167505145473448, 0.373636520606592},
         {-0.3431605714648499, 0.39902274539743543, 0.05451702558460633, 0.1527698981917721}},
        {{-0.24314895251483043, -0.3097062465012394, 1.3588132178859142, 0.32554253888995505},
         {-4.587086123834947, -3.6478308659782965, 4.229739834674283, -0.15997695410024235}}};
    static const char *const names[] = {"x", "y", "z", "intercept"};
    static const double second[] = {1, -1, 2, 0, 3, 1, 0, -2};
    cairn_virtual_files files = {0};
    char text[1000] = "x,y,z,t,u\n", name[40], components[8];
    for (size_t i = 0; i < 8; i++) {
        size_t end = strlen(text);
        for (size_t j = 0; j < 4; j++)
            end += (size_t)snprintf(text + end, sizeof text - end, "%g,", rows[4 * i + j]);
        snprintf(text + end, sizeof text - end, "%g\n", second[i]);
    }
    assert_ok(*state, cairn_virtual_put(*state, &files, "two.csv", text, strlen(text)));
    for (int a = 1; a <= 3; a++) {
        cairn_report *report = NULL;
        snprintf(components, sizeof components, "%d", a);
        assert_ok(*state,
                  run_words_with(*state, &report, &files,
                                 WORDS("fit", "pls", "two.csv", "--target", "t,u", "--together",
                                       "--scale", "none", "--components", components)));
        for (int target = 0; target < 2; target++)
            for (int j = 0; j < 4; j++) {
                snprintf(name, sizeof name, "%s.coefficient.%s", target ? "u" : "t", names[j]);
                assert_value(report, name, wanted[a - 1][target][j], 1e-12);
            }
        assert_true(number_of(report, "certificate.residual") < 1e-12);
        cairn_report_free(report);
    }
    cairn_virtual_clear(&files);
}

/* What cannot be learned from together is named. */
static void test_pls__together_refuses(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report = NULL;
    static const char gap[] = "x,t,u\n1,2,3\n2,3,?\n3,5,4\n4,4,4\n";
    assert_ok(*state, cairn_virtual_put(*state, &files, "gap.csv", gap, strlen(gap)));
    assert_fails(*state,
                 run_words_with(*state, &report, &files,
                                WORDS("fit", "pls", "gap.csv", "--target", "t,u", "--together")),
                 CAIRN_BAD_DATA, "row 2 has no number in the target 'u'");
    cairn_report_free(report);
    assert_fails(
        *state,
        run_words(*state, &report,
                  WORDS("fit", "pls", "@iris", "--target", "petal_width,species", "--together")),
        CAIRN_BAD_DATA, "'species' holds levels");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* With as many folds as rows every row is left out once; two components do best. */
static void test_pls__chooses_by_held_out_rows(void **state)
{
    fitted f = fit_numbers(*state, "pls", "x y z t", rows, 8, 4, "t");
    assert_value(f.report, "components1.mse", 0.28496362165786526, 1e-9);
    assert_value(f.report, "components2.mse", 0.2396286530541334, 1e-9);
    assert_value(f.report, "components3.mse", 0.3252152778072776, 1e-9);
    assert_value(f.report, "components", 2, 0);
    assert_value(f.report, "components3.x", 1, 1e-12);
    drop(&f);
}

/* More components than the columns have directions are not to be had. */
static void test_pls__ends_at_the_rank(void **state)
{
    static const double twins[] = {1, 1, 2, 2, 2, 3, 3, 3, 7, 4, 4, 6};
    fitted f = fit_numbers(*state, "pls:components=2", "x y t", twins, 4, 3, "t");
    assert_value(f.report, "components", 1, 0);
    assert_value(f.report, "coefficient.x", 0.8, 1e-12);
    assert_value(f.report, "coefficient.y", 0.8, 1e-12);
    drop(&f);
    static const double constant[] = {1, 5, 2, 5, 3, 5, 4, 5};
    f = fit_numbers(*state, "pls", "x t", constant, 4, 2, "t");
    assert_value(f.report, "components", 0, 0);
    assert_value(f.report, "coefficient.intercept", 5, 1e-14);
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x y z t", rows, 8, 4);
    (void)data;
    if (status == CAIRN_OK) status = learn(ctx, &f.model, &f.report, f.table, "pls", "t", NULL);
    drop(&f);
    return status;
}

static void test_pls__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_pls__agrees_with_scikit_learn),
        context_test(test_pls__several_targets_together),
        context_test(test_pls__together_refuses),
        context_test(test_pls__chooses_by_held_out_rows),
        context_test(test_pls__ends_at_the_rank),
        context_test(test_pls__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
