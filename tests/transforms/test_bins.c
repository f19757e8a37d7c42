/* SPDX-License-Identifier: MIT */
/* bins: where it cuts, to which bin a cut belongs, labels, missing cells, weights, refusals. */
#include "transforms/cutting.h"

static const double marks[] = {49.9, 50, 60, 70, 70.1, NAN};

static cairn_table *bin_marks(cairn_context *ctx, const char *spec)
{
    cairn_table *table = class_table(ctx, marks, "+-+-+-"), *made;
    assert_ok(ctx, run_recipe(ctx, table, spec, &made, NULL));
    cairn_table_free(table);
    return made;
}

static void assert_labels(const cairn_table *table, const char *const *wanted)
{
    for (size_t i = 0; wanted[i]; i++) assert_string_equal(level_at(table, "x", i), wanted[i]);
}

static void test_bins__each_cut_says_where_it_belongs(void **state)
{
    static const char *const wanted[] = {"I", "II", "II", "II", "III", "?", NULL};
    cairn_table *t = bin_marks(*state, "bins:cuts=(<50,<=70),labels=(I,II,III),columns=x");
    assert_labels(t, wanted);
    assert_true(t->slots[0].column->ordered);
    cairn_table_free(t);
}

static void test_bins__closed_side(void **state)
{
    static const char *const right[] = {"<=50", "<=50", "(50..70]", "(50..70]", ">70", "?", NULL};
    static const char *const left[] = {"<50", "[50..70)", "[50..70)", ">=70", ">=70", "?", NULL};
    cairn_table *t = bin_marks(*state, "bins:cuts=(50,70)");
    assert_labels(t, right);
    cairn_table_free(t);
    t = bin_marks(*state, "bins:cuts=(50,70),closed=left");
    assert_labels(t, left);
    cairn_table_free(t);
}

static void test_bins__missing_cells_get_a_bin(void **state)
{
    cairn_table *t = bin_marks(*state, "bins:cuts=60,missing=bin");
    assert_string_equal(level_at(t, "x", 5), "(missing)");
    assert_int_equal(t->slots[0].column->n_missing, 0);
    cairn_table_free(t);
    t = bin_marks(*state, "bins:cuts=60,missing=bin,output=codes,keep=yes");
    assert_true(number_at(t, "x_bin", 0) == 1 && number_at(t, "x_bin", 4) == 2);
    assert_true(number_at(t, "x_bin", 5) == 3);
    assert_true(number_at(t, "x", 0) == 49.9);
    cairn_table_free(t);
}

static void test_bins__equal_width(void **state)
{
    static const double x[] = {0, 2.5, 2.6, 5, 7.5, 10};
    cairn_table *table = class_table(*state, x, "+-+-+-");
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, table, "bins:4", NULL, &report));
    assert_value(report, "bins.x.cut1", 2.5);
    assert_value(report, "bins.x.cut2", 5);
    assert_value(report, "bins.x.cut3", 7.5);
    assert_value(report, "bins.x.bin1.rows", 2); /* 2.5 belongs below */
    assert_value(report, "bins.x.bin1.+", 1);
    cairn_report_free(report);
    assert_ok(*state, run_recipe(*state, table, "bins:bin-width=4,origin=-2", NULL, &report));
    assert_value(report, "bins.x.cut1", 2);
    assert_value(report, "bins.x.cut2", 6);
    assert_value(report, "bins.x.bins", 3);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* Equal values have the rank of the first of them and stay together. */
static void test_bins__ties_stay_together(void **state)
{
    static const double x[] = {1, 1, 1, 1, 2, 3};
    cairn_table *table = class_table(*state, x, "+-+-+-");
    cairn_report *report;
    assert_ok(*state,
              run_recipe(*state, table, "bins:3,method=frequency,columns=x", NULL, &report));
    assert_value(report, "bins.x.bins", 2); /* ranks 0, 4 and 5 of 6: bins 1, 3, 3 */
    assert_value(report, "bins.x.cut1", 1.5);
    assert_value(report, "bins.x.bin1.rows", 4);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* A weight is the same as the row repeated. */
static void test_bins__weights(void **state)
{
    static const double x[] = {1, 2, 3, 4}, weights[] = {3, 1, 1, 1};
    static const double repeated[] = {1, 1, 1, 2, 3, 4};
    static const char *const specs[] = {"bins:2,method=frequency", "bins:method=mean",
                                        "bins:method=median",
                                        "bins:3,method=frequency,quantile=linear"};
    for (size_t i = 0; i < 4; i++) {
        cairn_table *a = class_table(*state, x, "+-+-"),
                    *b = class_table(*state, repeated, "+++-+-");
        cairn_report *ra, *rb;
        double cut;
        add_weights(*state, a, weights);
        assert_ok(*state, run_recipe(*state, a, specs[i], NULL, &ra));
        assert_ok(*state, run_recipe(*state, b, specs[i], NULL, &rb));
        assert_true(cairn_report_number(rb, "bins.x.cut1", &cut));
        assert_value(ra, "bins.x.cut1", cut);
        cairn_report_free(ra);
        cairn_report_free(rb);
        cairn_table_free(a);
        cairn_table_free(b);
    }
}

static void test_bins__mean_of_columns(void **state)
{
    static const double a[] = {40, 60, 90}, b[] = {50, 80, NAN};
    cairn_table *table = class_table(*state, a, "+-+"), *made;
    assert_ok(*state, cairn_table_add_numbers(*state, table, "b", b));
    assert_ok(*state, run_recipe(*state, table,
                                 "bins:mean-of=(x,b),cuts=(<50,<=70),labels=(I,II,III),into=grade",
                                 &made, NULL));
    assert_string_equal(level_at(made, "grade", 0), "I");
    assert_string_equal(level_at(made, "grade", 1), "II");
    assert_string_equal(level_at(made, "grade", 2), "?");
    assert_true(number_at(made, "x", 1) == 60);
    cairn_table_free(made);
    cairn_table_free(table);
}

static void test_bins__refusals(void **state)
{
    static const double x[] = {7, 7, 8, 8};
    static const char *const texts[] = {"a", "b", "c", "d"};
    cairn_table *t = class_table(*state, x, "+-+-");
    assert_ok(*state, cairn_table_add_texts(*state, t, "note", texts));
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } cases[] = {
        {"bins:cuts=(70,50)", "cut 2, '50', is not above '70'", CAIRN_USAGE},
        {"bins:cuts=(50,x)", "cut 2, 'x', is not a number", CAIRN_USAGE},
        {"bins:cuts=(50,50)", "ascending", CAIRN_USAGE},
        {"bins:cuts=(5,9),labels=(a,b)", "one label per bin", CAIRN_USAGE},
        {"bins:cuts=(5,9),labels=(a,b,a)", "'a' is given twice", CAIRN_USAGE},
        {"bins:method=cuts", "needs cuts", CAIRN_USAGE},
        {"bins:method=mean,cuts=5", "leave method out", CAIRN_USAGE},
        {"bins:origin=zero", "origin must be a number", CAIRN_USAGE},
        {"bins:3,method=frequency,columns=x", "2 distinct values (row 1: 7 ...)", CAIRN_BAD_DATA},
        {"bins:columns=note", "column 'note' holds text", CAIRN_BAD_DATA},
        {"bins:columns=y", "there is no feature 'y'", CAIRN_USAGE},
        {"bins:columns=(x,x)", "'x' is named twice", CAIRN_USAGE},
        {"bins:bin-width=1e-9", "larger width", CAIRN_BAD_DATA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(*state, run_recipe(*state, t, cases[i].spec, NULL, NULL), cases[i].status,
                     cases[i].part);
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bins__each_cut_says_where_it_belongs),
        context_test(test_bins__closed_side),
        context_test(test_bins__missing_cells_get_a_bin),
        context_test(test_bins__equal_width),
        context_test(test_bins__ties_stay_together),
        context_test(test_bins__weights),
        context_test(test_bins__mean_of_columns),
        context_test(test_bins__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
