/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
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

static void test_json__mistakes_are_reported_with_their_place(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    static const char *const bad[] = {"", "{", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "[1] x", "nul"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, cairn_json_parse(ctx, &document, "file.json", bad[i], strlen(bad[i])),
                     CAIRN_BAD_DATA, "file.json, line 1, column");
}

static void test_json__places_and_reasons(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{\"a\":1,\n \"a\":2}", "line 2, column 2: this key comes twice"},
        {"{\"a\": }", "column 7: a value is expected, not '}'"},
        {"{\"a\" 1}", "column 6: a colon behind the key is expected, not '1'"},
        {"{a:1}", "column 2: a key in quotes is expected, not 'a'"},
        {"[1 2]", "column 4: a comma or ] is expected, not '2'"},
        {"[01]", "column 2: a value is expected, not '01'"},
        {"[1.]", "a value is expected"},
        {"[-]", "a value is expected"},
        {"[1e999]", "a number beyond the largest"},
        {"[9223372036854775808]", "a whole number beyond 64 bits"},
        {"[\"a]", "column 2: this string has no end"},
        {"[\"a\\\"]", "this string has no end"},
        {"[\"\\q\"]", "column 3: an escape that JSON does not have"},
        {"[\"\\u12\"]", "four hexadecimal digits"},
        {"[\"\\u0000\"]", "no text may hold a zero byte"},
        {"[\"\\ud800x\"]", "half of a letter"},
        {"[\"\\udc00\"]", "half of a letter"},
        {"[\"\x01\"]", "a control letter in a string"},
        {"[\"\xFF\"]", "column 3: a byte that is not UTF-8"},
        {"[1", "the text ends too early"},
        {"5", "{ or [ is expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, cairn_json_parse(ctx, &document, "t", bad[i].text, strlen(bad[i].text)),
                     CAIRN_BAD_DATA, bad[i].part);
}

static void test_json__escapes_are_letters(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    static const char text[] = "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud83d\\ude00\"]";
    assert_ok(ctx, cairn_json_parse(ctx, &document, "t", text, strlen(text)));
    assert_string_equal(cairn_json_string(cairn_json_at(document, 0)),
                        "\"\\/\b\f\n\r\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    cairn_json_free(document);
}

/* Many members are looked up in another way than few. */
static void test_json__many_keys(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    const cairn_json *value;
    for (int twin = 0; twin < 2; twin++) {
        cairn_text text = cairn_text_start(ctx);
        for (int i = 0; i < 1000; i++) cairn_text_addf(&text, "%s\"k%d\":%d", i ? "," : "{", i, i);
        cairn_text_add(&text, twin ? ",\"k500\":1}" : "}");
        assert_ok(ctx, cairn_text_status(&text));
        cairn_status status = cairn_json_parse(ctx, &document, "t", text.bytes, text.length);
        cairn_text_clear(&text);
        if (twin) {
            assert_int_equal(status, CAIRN_BAD_DATA);
            continue;
        }
        assert_ok(ctx, status);
        assert_string_equal(cairn_json_member(document, 999, &value), "k999");
        cairn_json_free(document);
    }
}

/* What a document takes is counted: a limit below it refuses it, and nothing stays behind. */
static void test_json__is_counted(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_repeat(&text, '[', 1);
    for (int i = 0; i < 100000; i++) cairn_text_add(&text, "[],");
    cairn_text_add(&text, "1]");
    assert_ok(ctx, cairn_text_status(&text));
    size_t before = cairn_memory_in_use(ctx);
    cairn_memory_reset_peak(ctx);
    assert_ok(ctx, cairn_json_parse(ctx, &document, "t", text.bytes, text.length));
    assert_true(cairn_memory_in_use(ctx) > before + 100000 * sizeof(void *));
    cairn_json_free(document);
    assert_int_equal(cairn_memory_in_use(ctx), before);
    cairn_context_set_memory(ctx, before + 1000000);
    assert_fails(ctx, cairn_json_parse(ctx, &document, "t", text.bytes, text.length),
                 CAIRN_NO_MEMORY, "the limit of");
    assert_int_equal(cairn_memory_in_use(ctx), before);
    cairn_text_clear(&text);
}

static void test_json__too_deep(void **state)
{
    cairn_context *ctx = *state;
    cairn_json *document;
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_repeat(&text, '[', 2049);
    cairn_text_add_repeat(&text, ']', 2049);
    assert_ok(ctx, cairn_text_status(&text));
    assert_fails(ctx, cairn_json_parse(ctx, &document, "t", text.bytes, text.length),
                 CAIRN_BAD_DATA, "nested more than 2048 deep");
    assert_ok(ctx, cairn_json_parse(ctx, &document, "t", text.bytes + 1, text.length - 2));
    cairn_json_free(document);
    cairn_text_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_json__walks_over_a_document),
        context_test(test_json__what_is_not_there_is_nothing),
        context_test(test_json__mistakes_are_reported_with_their_place),
        context_test(test_json__places_and_reasons),
        context_test(test_json__escapes_are_letters),
        context_test(test_json__many_keys),
        context_test(test_json__is_counted),
        context_test(test_json__too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
