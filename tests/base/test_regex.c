/* SPDX-License-Identifier: MIT */
/* Regular expressions: what they match, what is refused, and that nothing takes long. */
#include "support/fail_alloc.h"
#include "support/unit.h"
#include "base/regex.h"

static size_t hits(cairn_context *ctx, const char *pattern, const char *text)
{
    cairn_regex *regex;
    size_t n;
    assert_ok(ctx, cairn_regex_new(ctx, &regex, pattern, false));
    assert_ok(ctx, cairn_regex_count(ctx, regex, text, strlen(text), false, &n));
    cairn_regex_free(regex);
    return n;
}

static void refuses(cairn_context *ctx, const char *pattern, const char *part)
{
    cairn_regex *regex;
    assert_fails(ctx, cairn_regex_new(ctx, &regex, pattern, false), CAIRN_USAGE, part);
}

static void test_regex__characters_and_sets(void **state)
{
    assert_int_equal(hits(*state, "a", "banana"), 3);
    assert_int_equal(hits(*state, "an", "banana"), 2);
    assert_int_equal(hits(*state, "ana", "banana"), 1); /* matches do not overlap */
    assert_int_equal(hits(*state, "b.n", "ban bin b\nn"), 2);
    assert_int_equal(hits(*state, "[a-cx]", "abcdxyz"), 4);
    assert_int_equal(hits(*state, "[^a-c]", "abcd"), 1);
    assert_int_equal(hits(*state, "[]a]", "a]b"), 2);
    assert_int_equal(hits(*state, "[a\\-z]", "a-mz"), 3);
    assert_int_equal(hits(*state, "\\$\\d\\d", "$50 $5 $123"), 2);
    assert_int_equal(hits(*state, "\\w+", "two words"), 2);
    assert_int_equal(hits(*state, "\\S+\\s\\S+", "two words"), 1);
    assert_int_equal(hits(*state, "é", "café é"), 2);
    assert_int_equal(hits(*state, "[à-ü]+", "naïve"), 1);
}

static void test_regex__repeats_and_choices(void **state)
{
    assert_int_equal(hits(*state, "a*", "bbb"), 0); /* empty matches do not count */
    assert_int_equal(hits(*state, "a+", "aa b aaa"), 2);
    assert_int_equal(hits(*state, "ab?c", "ac abc abbc"), 2);
    assert_int_equal(hits(*state, "a{3}", "aaaaaaa"), 2);
    assert_int_equal(hits(*state, "a{2,3}", "aaaaaaa"), 2);
    assert_int_equal(hits(*state, "a{2,}", "a aa aaaaaaa"), 2);
    assert_int_equal(hits(*state, "a{0,2}b", "b ab aab aaab"), 4);
    assert_int_equal(hits(*state, "xa{0}y", "xy xay"), 1);
    assert_int_equal(hits(*state, "(ab|cd)+", "ababcd ab"), 2);
    assert_int_equal(hits(*state, "(?:a|b|c)d", "ad bd ed cd"), 3);
    assert_int_equal(hits(*state, "(a*)*", "aaa"), 1);
    assert_int_equal(hits(*state, "(a|)b", "ab b"), 2);
    assert_int_equal(hits(*state, "(ab){2}c", "ababc abc"), 1);
}

/* The first place wins, then the longest match; what was counted inside is taken back. */
static void test_regex__first_and_longest(void **state)
{
    assert_int_equal(hits(*state, "b|abc", "abc"), 1);
    assert_int_equal(hits(*state, "b|abc", "abd"), 1);
    assert_int_equal(hits(*state, "a|ab|abcd", "abcabcd"), 2);
    assert_int_equal(hits(*state, "a|a*b", "aaab"), 1);
    assert_int_equal(hits(*state, "a|a*b", "aaac"), 3);
    assert_int_equal(hits(*state, "bb|b|abbbbc", "abbbbd"), 2);
}

static void test_regex__edges(void **state)
{
    assert_int_equal(hits(*state, "^a", "aba"), 1);
    assert_int_equal(hits(*state, "a$", "aba"), 1);
    assert_int_equal(hits(*state, "\\bcat\\b", "cat concat cat."), 2);
    assert_int_equal(hits(*state, "\\Bat", "cat at"), 1);
    assert_int_equal(hits(*state, "\\b[A-Z]{2,}\\b", "FREE Money NOW A"), 2);
}

static void test_regex__case(void **state)
{
    cairn_regex *regex;
    size_t n;
    assert_int_equal(hits(*state, "free", "FREE free Free"), 1);
    assert_int_equal(hits(*state, "(?i)free", "FREE free Free"), 3);
    assert_ok(*state, cairn_regex_new(*state, &regex, "é[a-c]", true));
    assert_ok(*state, cairn_regex_count(*state, regex, "ÉB éC éd", 11, false, &n));
    assert_int_equal(n, 2);
    assert_ok(*state, cairn_regex_count(*state, regex, "ÉB éC éd", 11, true, &n));
    assert_int_equal(n, 1);
    cairn_regex_free(regex);
}

static void test_regex__refuses(void **state)
{
    refuses(*state, "a(b", "character 4: a closing ) is needed");
    refuses(*state, "ab)", "character 3: there is no opening (");
    refuses(*state, "*a", "character 1: there is nothing to repeat");
    refuses(*state, "a|+", "character 3: there is nothing to repeat");
    refuses(*state, "[abc", "closing ]");
    refuses(*state, "[z-a]", "backwards");
    refuses(*state, "é\\q", "character 3: there is no such escape");
    refuses(*state, "a{", "a number of repeats is needed");
    refuses(*state, "a{2", "closing }");
    refuses(*state, "a{3,2}", "smaller than the least");
    refuses(*state, "a{501}", "at most 500");
    refuses(*state, "(?=a)", "only (?:");
    refuses(*state, "((a{400}){400}){400}", "too large");
    refuses(*state, "\\", "must follow the backslash");
    refuses(*state, "\xFF", "UTF-8");
}

/* What makes others backtrack for ever, on a long text. */
static void test_regex__linear(void **state)
{
    enum { N = 20000 };
    char *text = malloc(N + 1);
    memset(text, 'a', N);
    text[N] = 0;
    assert_int_equal(hits(*state, "(a*)*b", text), 0);
    assert_int_equal(hits(*state, "(a|aa)+$", text), 1);
    assert_int_equal(hits(*state, "a|a*b", text), N);
    assert_int_equal(hits(*state, "a?a?a?a?a?a?a?a?aaaaaaaa", text), N / 16);
    free(text);
}

static cairn_status compile_and_count(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_regex *regex = NULL;
    size_t n;
    TRY(cairn_regex_new(ctx, &regex, "(a|[b-d]){2,3}|x", false));
    TRY(cairn_regex_count(ctx, regex, "abx abcd", 8, false, &n));
done:
    cairn_regex_free(regex);
    return status;
}

static void test_regex__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(compile_and_count, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_regex__characters_and_sets),
        context_test(test_regex__repeats_and_choices),
        context_test(test_regex__first_and_longest),
        context_test(test_regex__edges),
        context_test(test_regex__case),
        context_test(test_regex__refuses),
        context_test(test_regex__linear),
        cmocka_unit_test(test_regex__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
