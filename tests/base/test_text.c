/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "base/text.h"

static void test_text__builds(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    char *taken;
    assert_string_equal(cairn_text_string(&text), "");
    cairn_text_add(&text, "a");
    cairn_text_add_char(&text, 'b');
    cairn_text_add_repeat(&text, '-', 3);
    cairn_text_add_repeat(&text, '-', 0);
    cairn_text_addf(&text, "[%d %s]", 42, "x");
    cairn_text_add_number(&text, 0.1, 3);
    cairn_text_add_bytes(&text, "xyz", 2);
    assert_string_equal(cairn_text_string(&text), "ab---[42 x]0.1xy");
    assert_ok(ctx, cairn_text_take(&text, &taken));
    assert_string_equal(taken, "ab---[42 x]0.1xy");
    assert_string_equal(cairn_text_string(&text), "");
    cairn_free(taken);
    assert_ok(ctx, cairn_text_take(&text, &taken));
    assert_string_equal(taken, "");
    cairn_free(taken);
}

/* Formats at and around the size of the inner buffer. */
static void test_text__long_formats(void **state)
{
    cairn_context *ctx = *state;
    char filler[2000];
    memset(filler, 'x', sizeof filler);
    for (int n = 250; n < 262; n++) {
        cairn_text text = cairn_text_start(ctx);
        cairn_text_addf(&text, "%.*s|", n, filler);
        assert_int_equal(text.length, n + 1);
        assert_int_equal(strlen(text.bytes), n + 1);
        cairn_text_addf(&text, "%.*s|", 1999, filler);
        assert_int_equal(strlen(text.bytes), n + 2001);
        assert_ok(ctx, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
}

static void assert_json(cairn_context *ctx, const char *string, const char *wanted)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_json(&text, string);
    assert_string_equal(cairn_text_string(&text), wanted);
    cairn_text_clear(&text);
}

static void test_text__json(void **state)
{
    cairn_context *ctx = *state;
    assert_json(ctx, "", "\"\"");
    assert_json(ctx, "a\"b\\c\n\r\t\x01", "\"a\\\"b\\\\c\\n\\r\\t\\u0001\"");
    assert_json(ctx, "gr\xC3\xBC\xC3\x9F", "\"gr\xC3\xBC\xC3\x9F\"");
    assert_json(ctx, "a\xFFz", "\"a\xEF\xBF\xBDz\"");
    assert_json(ctx, "\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void assert_shown(cairn_context *ctx, const char *string, const char *wanted)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_shown(&text, string, strlen(string));
    assert_string_equal(cairn_text_string(&text), wanted);
    cairn_text_clear(&text);
}

static void test_text__what_a_terminal_may_see(void **state)
{
    cairn_context *ctx = *state;
    assert_shown(ctx, "plain gr\xC3\xBC\xC3\x9F\n\ttab", "plain gr\xC3\xBC\xC3\x9F\n\ttab");
    assert_shown(ctx, "\x1b[31m\x07\x7f\r", "\\x1b[31m\\x07\\x7f\\x0d");
    assert_shown(ctx, "a\u202Eb\u2066c\u200F\u2028\xC2\x9b",
                 "a\\u202eb\\u2066c\\u200f\\u2028\\u009b");
    assert_shown(ctx, "\xff\xE2\x80", "\uFFFD\uFFFD\uFFFD");
    assert_json(ctx, "a\u202E\x7f", "\"a\\u202e\\u007f\"");
    (void)cairn_fail(ctx, CAIRN_USAGE, "column '%s'", "x\x1b[2J");
    assert_string_equal(cairn_message(ctx), "column 'x\\x1b[2J'");
}

static void test_text__html(void **state)
{
    cairn_text text = cairn_text_start(*state);
    cairn_text_add_html(&text, "<a href=\"x\">'&'</a>");
    assert_string_equal(cairn_text_string(&text),
                        "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    cairn_text_clear(&text);
}

static void test_text__cells_and_comments(void **state)
{
    cairn_text text = cairn_text_start(*state);
    cairn_text_add_csv(&text, "plain");
    cairn_text_add_csv(&text, "a,\"b\"");
    cairn_text_add_csv(&text, "");
    cairn_text_add_c(&text, "x*/\ny\xe2\x80\xae\"");
    assert_string_equal(cairn_text_string(&text),
                        "plain\"a,\"\"b\"\"\"x\\052\\057\\012y\\342\\200\\256\\042");
    cairn_text_clear(&text);
}

static void test_text__comparisons(void **state)
{
    (void)state;
    assert_true(cairn_same(NULL, NULL) && cairn_same("a", "a"));
    assert_false(cairn_same("a", NULL) || cairn_same(NULL, "a") || cairn_same("a", "b"));
    assert_true(cairn_starts_with("abc", "ab") && cairn_starts_with("abc", ""));
    assert_false(cairn_starts_with("ab", "abc"));
    assert_true(cairn_ends_with("x.csv", ".csv") && cairn_ends_with("x", ""));
    assert_false(cairn_ends_with("csv", ".csv"));
}

static void test_text__width(void **state)
{
    (void)state;
    assert_int_equal(cairn_text_width(""), 0);
    assert_int_equal(cairn_text_width("abc"), 3);
    assert_int_equal(cairn_text_width("gr\xC3\xBC\xC3\x9F"), 4);
    assert_int_equal(cairn_text_width("e\xCC\x81"), 1);                /* a combining accent */
    assert_int_equal(cairn_text_width("\xE4\xB8\xAD\xE6\x96\x87"), 4); /* two wide letters */
    assert_int_equal(cairn_text_width("a\xFF"), 2);
}

/* Every sequence of one to three bytes, against the definition. */
static bool is_valid(const unsigned char *s, size_t n)
{
    if (n == 1) return s[0] < 0x80;
    uint32_t letter = s[0] & (n == 2 ? 0x1F : n == 3 ? 0x0F : 0x07);
    if ((n == 2 && s[0] >> 5 != 6) || (n == 3 && s[0] >> 4 != 14) || (n == 4 && s[0] >> 3 != 30))
        return false;
    for (size_t i = 1; i < n; i++) {
        if (s[i] >> 6 != 2) return false;
        letter = letter << 6 | (s[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return letter >= least[n] && letter <= 0x10FFFF && !(letter >= 0xD800 && letter <= 0xDFFF);
}

static void test_utf8__every_short_sequence(void **state)
{
    (void)state;
    unsigned char s[16];
    for (uint32_t code = 0; code < 1 << 24; code += code < 1 << 16 ? 1 : 7) {
        s[0] = (unsigned char)(code >> 16 ? code >> 16 : code >> 8 ? code >> 8 : code);
        s[1] = (unsigned char)(code >> 16 ? code >> 8 : code);
        s[2] = (unsigned char)code;
        size_t n = code >> 16 ? 3 : code >> 8 ? 2 : 1;
        size_t first = cairn_utf8_check((const char *)s, n);
        if (s[0] < 0x80 || n == 1) {
            if (n == 1) assert_int_equal(first, s[0] < 0x80 ? 1 : 0);
            continue;
        }
        bool valid = is_valid(s, n) || (n == 3 && is_valid(s, 2) && s[2] < 0x80);
        if (valid != (first == n)) fail_msg("%06x: %zu", code, first);
    }
}

static void test_utf8__four_bytes_and_offsets(void **state)
{
    (void)state;
    char text[64];
    assert_int_equal(cairn_utf8_check("\xF0\x9F\x98\x80", 4), 4);
    assert_int_equal(cairn_utf8_check("\xF4\x8F\xBF\xBF", 4), 4);
    assert_int_equal(cairn_utf8_check("\xF4\x90\x80\x80", 4), 0);
    assert_int_equal(cairn_utf8_check("\xF0\x8F\xBF\xBF", 4), 0);
    assert_int_equal(cairn_utf8_check("\xF0\x9F\x98", 3), 0);
    for (size_t at = 0; at < 40; at++) { /* also across the steps of eight */
        memset(text, 'a', sizeof text);
        text[at] = (char)0xC3;
        assert_int_equal(cairn_utf8_check(text, sizeof text), at);
        text[at + 1] = (char)0xBC;
        assert_int_equal(cairn_utf8_check(text, sizeof text), sizeof text);
        assert_int_equal(cairn_utf8_check(text, at + 1), at);
    }
}

static const char *const words[] = {"tree", "kmeans", "linear", "majority", "max-depth", NULL};

static const char *word_at(size_t i, const void *data)
{
    (void)data;
    return words[i];
}

static void test_nearest__slips_and_strangers(void **state)
{
    (void)state;
    static const struct {
        const char *word, *nearest;
    } cases[] = {{"tre", "tree"},       {"teee", "tree"},      {"kmaens", "kmeans"},
                 {"k-means", "kmeans"}, {"lineare", "linear"}, {"maxdepth", "max-depth"},
                 {"maj", "majority"},   {"zebra", NULL},       {"", NULL},
                 {"forest", NULL},      {"eert", NULL},        {"KMEANS", "kmeans"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = cairn_nearest_word(cases[i].word, word_at, NULL);
        if (!cairn_same(found, cases[i].nearest))
            fail_msg("%s: %s", cases[i].word, found ? found : "none");
    }
    char huge[500];
    memset(huge, 'q', sizeof huge - 1);
    huge[sizeof huge - 1] = 0;
    assert_null(cairn_nearest_word(huge, word_at, NULL));
}

static cairn_status write_some(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_text text = cairn_text_start(ctx);
    char *taken = NULL;
    for (int i = 0; i < 50; i++) cairn_text_addf(&text, "%d: %s\n", i, "a line of some length");
    cairn_text_add_json(&text, "\"quoted\"");
    cairn_status status = cairn_text_take(&text, &taken);
    cairn_free(taken);
    return status;
}

static void test_text__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(write_some, NULL);
}

static void test_text__letters_change_their_case(void **state)
{
    static const struct {
        const char *text, *lower, *upper;
    } cases[] = {{"", "", ""},
                 {"aBc1", "abc1", "ABC1"},
                 {"Ärger", "ärger", "ÄRGER"},
                 {"Ωμέγα", "ωμέγα", "ΩΜΈΓΑ"},
                 {"a\xff\xc3", "a\xff\xc3", "A\xff\xc3"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        size_t n = strlen(cases[i].text);
        out[cairn_text_case(out, cases[i].text, n, false)] = 0;
        assert_string_equal(out, cases[i].lower);
        out[cairn_text_case(out, cases[i].text, n, true)] = 0;
        assert_string_equal(out, cases[i].upper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_text__builds),
        cmocka_unit_test(test_text__letters_change_their_case),
        context_test(test_text__long_formats),
        context_test(test_text__json),
        context_test(test_text__what_a_terminal_may_see),
        context_test(test_text__html),
        context_test(test_text__cells_and_comments),
        cmocka_unit_test(test_text__comparisons),
        cmocka_unit_test(test_text__width),
        cmocka_unit_test(test_utf8__every_short_sequence),
        cmocka_unit_test(test_utf8__four_bytes_and_offsets),
        cmocka_unit_test(test_nearest__slips_and_strangers),
        cmocka_unit_test(test_text__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
