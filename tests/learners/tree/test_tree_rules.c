/* SPDX-License-Identifier: MIT */
/* Rules from a tree, pruned one by one. */
#include "fitted.h"

#include <stdlib.h>
#include <unistd.h>

static fitted fit_rules(cairn_context *ctx, const char *source, const char *spec)
{
    return fit_table(ctx, table_of(ctx, source, NULL, NULL), spec, CAIRN_CLASSIFY, true);
}

/* Without errors the limit is confidence^(1/n). Of seven rows with normal humidity six are yes,
 * which is better than the two of the path. */
static void test_rules__pessimistic(void **state)
{
    fitted f = fit_rules(*state, "@weather", "tree-rules");
    assert_word(&f, "pruned1.if", "outlook = overcast");
    assert_value(&f, "pruned1.estimate", pow(0.25, 0.25));
    assert_word(&f, "pruned2.if", "humidity = normal");
    assert_word(&f, "pruned2.then", "yes");
    assert_value(&f, "pruned2.conditions_before", 2);
    assert_value(&f, "pruned2.estimate_before", 0.5);
    assert_value(&f, "pruned3.estimate", pow(0.25, 1.0 / 3));
    drop(&f);
}

static void test_rules__laplace(void **state)
{
    fitted f = fit_rules(*state, "@weather", "tree-rules:estimate=laplace");
    assert_value(&f, "pruned1.estimate", 5.0 / 6);
    assert_word(&f, "pruned1.if", "outlook = overcast");
    assert_word(&f, "pruned4.if", "humidity = normal");
    assert_value(&f, "pruned4.estimate", 7.0 / 9);
    assert_value(&f, "pruned4.estimate_before", 3.0 / 4);
    drop(&f);
}

/* The test at the root says nothing: it goes, and the later one stays. The two rules of a class
 * become one. */
static void test_rules__the_test_at_the_root_is_dropped(void **state)
{
    fitted f =
        fit_rules(*state, "a,b,y\n0,p,n\n0,p,n\n0,q,m\n0,q,m\n1,p,n\n1,p,n\n1,q,m\n1,q,m\n0,q,m\n",
                  "tree-rules:min_leaf=0");
    const char *first = word(&f, "pruned1.if");
    assert_true(strcmp(first, "b = p") == 0 || strcmp(first, "b = q") == 0);
    assert_value(&f, "pruned1.conditions", 1);
    assert_null(cairn_report_string(f.report, "pruned3.if"));
    drop(&f);
}

/* Numbers: nested cuts of one column leave only those that matter. */
static void test_rules__validation_rows(void **state)
{
    fitted f =
        fit_rules(*state, "x,y\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n7,a\n8,a\n9,a\n1.5,a\n5.5,b\n8.5,a\n",
                  "tree-rules:estimate=validation,hold_rows=10-12");
    assert_value(&f, "pruned1.estimate", 1);
    assert_word(&f, "pruned1.then", "a");
    drop(&f);
}

static void test_rules__saved_and_loaded(void **state)
{
    fitted f = fit_rules(*state, "@iris", "tree-rules:cut=lt");
    char path[] = "/tmp/cairn-test-tree-rules-XXXXXX", *before = NULL, *after = NULL;
    cairn_model *loaded = NULL;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_ok(*state, cairn_model_save(*state, f.model, path));
    assert_ok(*state, cairn_model_load(*state, &loaded, path));
    assert_ok(*state, cairn_model_export(*state, f.model, "text", &before));
    assert_ok(*state, cairn_model_export(*state, loaded, "text", &after));
    assert_string_equal(before, after);
    cairn_string_free(before);
    cairn_string_free(after);
    unlink(path);
    cairn_model_free(loaded);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_rules__pessimistic),
        context_test(test_rules__laplace),
        context_test(test_rules__the_test_at_the_root_is_dropped),
        context_test(test_rules__validation_rows),
        context_test(test_rules__saved_and_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
