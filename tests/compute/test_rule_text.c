/* SPDX-License-Identifier: MIT */
/* Typed rules: tokens, capitals, columns of two levels as conditions. */
#include "support/unit.h"
#include "cairn/cairn.h"
#include "typed/rule_text.h"

static cairn_table *small_table(cairn_context *ctx)
{
    static const char text[] = "flag,name,x\ntrue,a,1\nfalse,b,2\n";
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, sizeof text - 1, NULL));
    return table;
}

static void test_rule__is_taken_apart(void **state)
{
    cairn_table *table = small_table(*state);
    cairn_rule rule;
    assert_ok(*state, cairn_rule_read(*state, &rule,
                                      "IF x >= 2 AND NOT flag THEN yes it is ELSE \"no\"", table));
    assert_string_equal(rule.condition, "x >= 2 and not (`flag` = \"true\")");
    assert_string_equal(rule.yes, "yes it is");
    assert_string_equal(rule.no, "no");
    assert_ok(*state, cairn_rule_read(*state, &rule, "x<3", table));
    assert_string_equal(rule.condition, "x<3");
    assert_null(rule.yes);
    cairn_table_free(table);
}

static void test_rule__compared_columns_stay(void **state)
{
    static const char *const same[] = {"flag = \"false\"", "x + 1 > 2", "name in (\"a\")",
                                       "length(flag) = 4"};
    cairn_table *table = small_table(*state);
    cairn_rule rule;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_ok(*state, cairn_rule_read(*state, &rule, same[i], table));
        assert_string_equal(rule.condition, same[i]);
    }
    cairn_table_free(table);
}

static void test_rule__odd_text_has_tokens(void **state)
{
    static const char *const odd[] = {"",    "\"",  "`",   "[a",          "1e",
                                      "<=>", "§ &", "- 2", "IF THEN ELSE"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        cairn_token *tokens;
        size_t n, end = 0;
        assert_ok(*state, cairn_rule_tokens(*state, odd[i], &tokens, &n));
        for (size_t k = 0; k < n; k++) {
            assert_true(tokens[k].begin >= end && tokens[k].end > tokens[k].begin);
            end = tokens[k].end;
            assert_true(end <= strlen(odd[i]));
        }
    }
    cairn_rule rule;
    assert_fails(*state, cairn_rule_read(*state, &rule, "x > 1 THEN", NULL), CAIRN_USAGE,
                 "no class");
    assert_fails(*state, cairn_rule_read(*state, &rule, "x > 1 ELSE 2", NULL), CAIRN_USAGE,
                 "without THEN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_rule__is_taken_apart),
        context_test(test_rule__compared_columns_stay),
        context_test(test_rule__odd_text_has_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
