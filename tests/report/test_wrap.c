/* SPDX-License-Identifier: MIT */
/* Clean text and lines by cells. */
#include "report/wrap.h"
#include "support/unit.h"
#include <string.h>

static void assert_wraps(cairn_context *ctx, const char *text, size_t width, const char *wanted)
{
    cairn_text out = cairn_text_start(ctx);
    cairn_text_add_wrapped(&out, text, width, "", "");
    assert_ok(ctx, cairn_text_status(&out));
    assert_string_equal(cairn_text_string(&out), wanted);
    cairn_text_clear(&out);
}

static void test_wrap__breaks_at_blanks(void **state)
{
    assert_wraps(*state, "", 10, "\n");
    assert_wraps(*state, "one two", 10, "one two\n");
    assert_wraps(*state, "one two three four", 10, "one two\nthree four\n");
    assert_wraps(*state, "exactly ten", 11, "exactly ten\n");
    assert_wraps(*state, "exactly ten   ", 11, "exactly ten\n");
    assert_wraps(*state, "exactly ten more", 11, "exactly ten\nmore\n");
    assert_wraps(*state, "a\nb\n\nc", 10, "a\nb\n\nc\n");
    assert_wraps(*state, "blanks    stay", 20, "blanks    stay\n");
}

static void test_wrap__cuts_only_words_longer_than_a_line(void **state)
{
    assert_wraps(*state, "abcdefghijklmnopqrstuvwxyz", 10, "abcdefghij\nklmnopqrst\nuvwxyz\n");
    assert_wraps(*state, "a abcdefghijklm", 10, "a\nabcdefghij\nklm\n");
}

static void test_wrap__counts_cells_not_bytes(void **state)
{
    /* ten letters with umlauts are ten cells and twenty bytes */
    assert_wraps(*state, "öööööööööö öö", 10, "öööööööööö\nöö\n");
    /* wide letters take two cells and may be parted anywhere */
    assert_wraps(*state, "機械学習は楽しい", 10, "機械学習は\n楽しい\n");
    assert_wraps(*state, "an 機械学習 x", 10, "an 機械学\n習 x\n");
    /* combining marks take none and stay with their letter */
    assert_wraps(*state, "e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301 x", 10,
                 "e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301\nx\n");
    assert_wraps(*state, "abcdefghij\u0301k", 10, "abcdefghij\u0301\nk\n");
}

static void test_wrap__indents(void **state)
{
    cairn_text out = cairn_text_start(*state);
    cairn_text_add_wrapped(&out, "aaa bbb ccc ddd", 14, "1) ", "   ");
    assert_string_equal(cairn_text_string(&out), "1) aaa bbb ccc\n   ddd\n");
    cairn_text_clear(&out);
    /* an indent that leaves next to nothing does not stop the text */
    cairn_text_add_wrapped(&out, "aaaaa bbbbb", 5, "------", "------");
    assert_string_equal(cairn_text_string(&out), "------aaaaa\n------bbbbb\n");
    cairn_text_clear(&out);
}

static void assert_clean(cairn_context *ctx, const char *text, bool keep_lines, const char *wanted)
{
    cairn_text out = cairn_text_start(ctx);
    cairn_text_add_clean(&out, text, keep_lines);
    assert_string_equal(cairn_text_string(&out), wanted);
    cairn_text_clear(&out);
}

static void test_wrap__clean_text_is_harmless(void **state)
{
    assert_clean(*state, "plain – ünïcode 機", false, "plain – ünïcode 機");
    assert_clean(*state, "a\tb\nc\r\nd", false, "a b c d");
    assert_clean(*state, "a\tb\nc\r\nd", true, "a b\nc\nd");
    assert_clean(*state, "\x1b[31mred", false, "\\x1b[31mred");
    assert_clean(*state, "\xff\xfe", false, "\uFFFD\uFFFD");
    assert_clean(*state, "\xC2\x9B", false, "\\u009b");
    assert_clean(*state, "a\u202Eb\u2066c", false, "a\\u202eb\\u2066c");
    assert_clean(*state, "cut \xE6\xA9", false, "cut \uFFFD\uFFFD");
}

static void assert_cut(cairn_context *ctx, const char *text, size_t width, const char *wanted)
{
    cairn_text out = cairn_text_start(ctx);
    assert_true(cairn_text_add_cut(&out, text, width) <= width);
    assert_string_equal(cairn_text_string(&out), wanted);
    cairn_text_clear(&out);
}

static void test_wrap__cut_text_ends_with_an_ellipsis(void **state)
{
    assert_cut(*state, "short", 5, "short");
    assert_cut(*state, "longer", 5, "long…");
    assert_cut(*state, "機械学習", 6, "機械…");
    assert_cut(*state, "機械学習", 1, "…");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_wrap__breaks_at_blanks),
        context_test(test_wrap__cuts_only_words_longer_than_a_line),
        context_test(test_wrap__counts_cells_not_bytes),
        context_test(test_wrap__indents),
        context_test(test_wrap__clean_text_is_harmless),
        context_test(test_wrap__cut_text_ends_with_an_ellipsis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
