/* SPDX-License-Identifier: MIT */
/* Changes of kind: codes, order, group, recode, indicators; constant, keep, drop, rename. */
#include "support/unit.h"
#include "support/transforms.h"
#include <math.h>
#include <stdlib.h>

static const char weather[] = "sky,wind,heat,play\n"
                              "sunny,weak,30,no\nsunny,strong,28,no\novercast,weak,25,yes\n"
                              "rain,weak,18,yes\nrain,strong,15,no\novercast,strong,21,yes\n"
                              "rain,weak,16,yes\nsunny,weak,22,yes\n";

static cairn_table *run(cairn_context *ctx, const char *spec, cairn_status wanted, const char *part)
{
    const char *with[] = {spec, NULL};
    cairn_table *table, *out = NULL;
    assert_ok(ctx,
              cairn_table_read_memory(ctx, &table, "t.csv", weather, sizeof weather - 1, NULL));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "play", CAIRN_TARGET));
    if (wanted)
        assert_fails(ctx, run_transforms(ctx, &out, table, with, NULL), wanted, part);
    else
        assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

static const char *cell(const cairn_table *t, const char *name, size_t row)
{
    static char text[100];
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    cairn_table_cell(t, (size_t)at, row, text, sizeof text);
    return text;
}

static void assert_levels(const cairn_table *t, const char *name, const char *const *levels,
                          size_t n, bool ordered)
{
    ptrdiff_t at = cairn_table_find(t, name);
    assert_true(at >= 0);
    const cairn_column *column = t->slots[at].column;
    assert_int_equal(column->names.n, n);
    assert_int_equal(column->ordered, ordered);
    for (size_t k = 0; k < n; k++) assert_string_equal(cairn_map_key(&column->names, k), levels[k]);
}

/* Shares of yes: sunny 1/3, rain 2/3, overcast 1. */
static void test_order__by_share_of_positives(void **state)
{
    cairn_table *t = run(*state, "order:by=target,columns=sky", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"sunny", "rain", "overcast"}, 3, true);
    assert_string_equal(cell(t, "sky", 0), "sunny");
    assert_string_equal(cell(t, "sky", 5), "overcast");
    cairn_table_free(t);
    t = run(*state, "order:by=target,columns=sky,descending=yes", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"overcast", "rain", "sunny"}, 3, true);
    cairn_table_free(t);
}

static void test_order__given_names_and_counts(void **state)
{
    cairn_table *t = run(*state, "order:columns=sky,order=(rain,overcast,sunny)", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"rain", "overcast", "sunny"}, 3, true);
    cairn_table_free(t);
    t = run(*state, "order:columns=sky,by=name", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"overcast", "rain", "sunny"}, 3, true);
    cairn_table_free(t);
    t = run(*state, "order:columns=sky,by=count", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"overcast", "sunny", "rain"}, 3, true);
    cairn_table_free(t);
    (void)run(*state, "order:columns=sky,order=(rain,sunny)", CAIRN_BAD_DATA, "'overcast'");
}

static void test_codes__places(void **state)
{
    cairn_table *t = run(*state, "codes:columns=sky,order=(rain,overcast,sunny),first=1,step=10",
                         CAIRN_OK, NULL);
    assert_string_equal(cell(t, "sky", 0), "21");
    assert_string_equal(cell(t, "sky", 2), "11");
    assert_string_equal(cell(t, "sky", 3), "1");
    cairn_table_free(t);
    (void)run(*state, "codes:columns=sky,order=(rain,sunny)", CAIRN_BAD_DATA, "'overcast'");
    (void)run(*state, "codes:unknown=(1,2)", CAIRN_USAGE, "one number");
}

static void test_group__rare_given_and_by_target(void **state)
{
    cairn_table *t = run(*state, "group:columns=sky,min-rows=3", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"sunny", "rain", "other"}, 3, false);
    assert_string_equal(cell(t, "sky", 2), "other");
    cairn_table_free(t);
    t = run(*state, "group:columns=sky,most=1,min-share=0", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"sunny", "other"}, 2, false);
    cairn_table_free(t);
    t = run(*state, "group:by=given,columns=sky,groups=(wet=rain+overcast)", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"sunny", "wet"}, 2, false);
    assert_string_equal(cell(t, "sky", 3), "wet");
    cairn_table_free(t);
    /* 1/3, 2/3, 1: the first of the equal gaps is closed */
    t = run(*state, "group:by=target,columns=sky,count=2", CAIRN_OK, NULL);
    assert_levels(t, "sky", (const char *[]){"sunny+rain", "overcast"}, 2, false);
    cairn_table_free(t);
    (void)run(*state, "group:by=given", CAIRN_USAGE, "groups=");
    (void)run(*state, "group:by=given,groups=wet", CAIRN_USAGE, "warm=hot+mild");
}

static void test_indicators__base_booleans_and_unknown(void **state)
{
    cairn_table *t = run(*state, "indicators:columns=sky,base=overcast", CAIRN_OK, NULL);
    assert_true(cairn_table_find(t, "sky=overcast") < 0);
    assert_string_equal(cell(t, "sky=sunny", 0), "1");
    cairn_table_free(t);
    t = run(*state, "indicators:columns=sky,as=levels", CAIRN_OK, NULL);
    assert_levels(t, "sky=rain", (const char *[]){"no", "yes"}, 2, false);
    assert_string_equal(cell(t, "sky=rain", 3), "yes");
    cairn_table_free(t);
}

static void test_select__keep_drop_rename_constant(void **state)
{
    cairn_table *t = run(*state, "keep:(heat,sky)", CAIRN_OK, NULL);
    assert_int_equal(cairn_table_columns(t), 3);
    assert_string_equal(cairn_table_name(t, 0), "sky");
    cairn_table_free(t);
    t = run(*state, "drop:heat", CAIRN_OK, NULL);
    assert_true(cairn_table_find(t, "heat") < 0);
    assert_int_equal(cairn_table_columns(t), 3);
    cairn_table_free(t);
    t = run(*state, "rename:(heat=wind,wind=heat)", CAIRN_OK, NULL);
    assert_string_equal(cell(t, "wind", 0), "30");
    assert_string_equal(cell(t, "heat", 0), "weak");
    cairn_table_free(t);
    t = run(*state, "constant:name=x0", CAIRN_OK, NULL);
    assert_string_equal(cairn_table_name(t, 0), "x0");
    assert_string_equal(cell(t, "x0", 7), "1");
    cairn_table_free(t);
    (void)run(*state, "drop:heet", CAIRN_USAGE, "did you mean 'heat'");
    (void)run(*state, "keep", CAIRN_USAGE, "columns");
    (void)run(*state, "rename:(heat=sky)", CAIRN_USAGE, "already");
    (void)run(*state, "constant:name=sky", CAIRN_USAGE, "already");
}

/* Source and target kind choose the operation. */
static void test_recode__table_of_operations(void **state)
{
    static const struct {
        const char *spec, *transform;
    } rows[] = {
        {"recode:to=quantitative,columns=heat", "scale"},
        {"recode:to=quantitative,columns=sky", "calibrate"},
        {"recode:to=ordinal,columns=heat", "discretise"},
        {"recode:to=ordinal,columns=sky", "order"},
        {"recode:to=categorical,columns=sky", "group"},
        {"recode:to=boolean,columns=heat", "threshold"},
        {"recode:to=boolean,columns=sky", "indicators"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *with[] = {rows[i].spec, NULL};
        cairn_table *table, *out;
        cairn_report *report;
        assert_ok(*state, cairn_table_read_memory(*state, &table, "t.csv", weather,
                                                  sizeof weather - 1, NULL));
        assert_ok(*state, cairn_table_set_role(*state, table, "play", CAIRN_TARGET));
        assert_ok(*state, cairn_report_new(*state, &report));
        assert_ok(*state, run_transforms(*state, &out, table, with, report));
        const char *chosen = cairn_report_string(report, "recode.transform1");
        if (!chosen || strcmp(chosen, rows[i].transform))
            fail_msg("%s chooses %s", rows[i].spec, chosen ? chosen : "nothing");
        cairn_report_free(report);
        cairn_table_free(table);
        cairn_table_free(out);
    }
}

static void test_recode__settings_and_refusals(void **state)
{
    cairn_table *t =
        run(*state, "recode:to=quantitative,columns=heat,settings=(method=range)", CAIRN_OK, NULL);
    assert_string_equal(cell(t, "heat", 0), "1");
    cairn_table_free(t);
    (void)run(*state, "recode:to=boolean,columns=sky,by=threshold", CAIRN_BAD_DATA, "by binarise");
    (void)run(*state, "recode", CAIRN_USAGE, "to");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_order__by_share_of_positives),
        context_test(test_order__given_names_and_counts),
        context_test(test_codes__places),
        context_test(test_group__rare_given_and_by_target),
        context_test(test_indicators__base_booleans_and_unknown),
        context_test(test_select__keep_drop_rename_constant),
        context_test(test_recode__table_of_operations),
        context_test(test_recode__settings_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
