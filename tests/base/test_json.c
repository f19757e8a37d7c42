/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "support/unit.h"

static void test_json__walks_over_a_document(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    const cairn_json *value;
    const char *text = "{\"b\":[1.5,\"x\",null,true],\"a\":{\"c\":-2}}";
    double number;
    assert_ok(ctx, cairn_json_parse(ctx, &document, "t", text, strlen(text)));
    assert_true(cairn_json_is_object(document));
    assert_int_equal(cairn_json_size(document), 2);
    assert_string_equal(cairn_json_member(document, 0, &value), "b");
    assert_true(cairn_json_is_array(value));
    assert_int_equal(cairn_json_size(value), 4);
    assert_true(cairn_json_number(cairn_json_at(value, 0), &number));
    assert_true(number == 1.5);
    assert_string_equal(cairn_json_string(cairn_json_at(value, 1)), "x");
    assert_true(cairn_json_is_null(cairn_json_at(value, 2)));
    assert_false(cairn_json_number(cairn_json_at(value, 3), &number));
    assert_true(cairn_json_number(cairn_json_get(cairn_json_get(document, "a"), "c"), &number));
    assert_true(number == -2);
    assert_null(cairn_json_member(document, 2, &value));
    cairn_json_free(document);
}

static void test_json__what_is_not_there_is_nothing(void **state)
{
    (void)state;
    const cairn_json *value;
    double number;
    assert_null(cairn_json_get(NULL, "a"));
    assert_null(cairn_json_at(NULL, 0));
    assert_int_equal(cairn_json_size(NULL), 0);
    assert_null(cairn_json_member(NULL, 0, &value));
    assert_null(cairn_json_string(NULL));
    assert_false(cairn_json_number(NULL, &number));
    assert_false(cairn_json_is_null(NULL));
    cairn_json_free(NULL);
}

static void test_json__mistakes_are_told_with_their_place(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    static const char *const bad[] = {"", "{", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "[1] x", "nul"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, cairn_json_parse(ctx, &document, "file.json", bad[i], strlen(bad[i])),
                     CAIRN_BAD_DATA, "file.json, line 1, column");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_json__walks_over_a_document),
        context_test(test_json__what_is_not_there_is_nothing),
        context_test(test_json__mistakes_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
