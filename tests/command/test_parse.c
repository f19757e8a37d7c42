/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"

/* Read a command line that is ended by NULL. */
static cairn_status parse(cairn_context *ctx, cairn_command *out, const cairn_verb *verb,
                          const char *const *words)
{
    *out = (cairn_command){.ctx = ctx};
    return cairn_command_parse(out, verb, count_words(words), words);
}

static void test_parse__words_and_options_in_any_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_fit,
                         WORDS("fit", "--target", "play", "tree", "--max-depth", "2", "t.csv")));
    assert_string_equal(c.inner->entry->name, "tree");
    assert_int_equal(c.n_words, 1);
    assert_string_equal(c.words[0], "t.csv");
    assert_string_equal(c.common->roles.target, "play");
    assert_string_equal(cairn_params_text(c.inner, "max-depth"), "2");
    cairn_command_clear(&c);
}

static void test_parse__a_learner_option_may_come_before_the_learner(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx,
              parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "--max-depth", "2", "tree", "t.csv")));
    assert_string_equal(cairn_params_text(c.inner, "max-depth"), "2");
    assert_string_equal(c.words[0], "t.csv");
    cairn_command_clear(&c);
}

static void test_parse__a_value_may_begin_with_a_minus(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_describe,
                         WORDS("describe", "--missing-mark", "-9", "t.csv")));
    assert_string_equal(c.common->reading.missing_mark, "-9");
    cairn_command_clear(&c);
}

static void test_parse__yes_or_no_options(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_describe,
                         WORDS("describe", "--transpose", "t.csv", "--quiet=no")));
    assert_true(c.common->reading.transpose);
    assert_false(c.common->printing.quiet);
    cairn_command_clear(&c);
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_describe,
                         WORDS("describe", "--transpose", "--no-transpose", "t.csv")));
    assert_false(c.common->reading.transpose);
    cairn_command_clear(&c);
    assert_fails(ctx,
                 parse(ctx, &c, &cairn_verb_describe, WORDS("describe", "--no-target", "t.csv")),
                 CAIRN_USAGE, "--no-target");
    cairn_command_clear(&c);
}

static void test_parse__two_minus_signs_end_the_options(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_describe, WORDS("describe", "--", "--rows")));
    assert_string_equal(c.words[0], "--rows");
    cairn_command_clear(&c);
}

static void test_parse__repeated_options_keep_their_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_fit,
                         WORDS("fit", "majority", "t.csv", "--with", "standardise", "--with",
                               "indicators")));
    assert_ok(ctx, cairn_command_fit_options(&c, &options));
    assert_string_equal(options.transforms->entry->name, "standardise");
    assert_string_equal(options.transforms->next->entry->name, "indicators");
    assert_null(options.transforms->next->next);
    cairn_command_clear(&c);
}

static void test_parse__the_canonical_line_leaves_out_what_does_not_matter(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_fit,
                         WORDS("fit", "--threads", "3", "--out", "x.html", "tree", "--seed=7",
                               "t.csv", "--format", "json", "--max-depth", "2", "--positive", "a b",
                               "--save", "m", "--quiet", "--timings", "--steps")));
    assert_string_equal(c.line, "cairn fit tree t.csv --max-depth 2 --positive 'a b' --seed 7");
    cairn_command_clear(&c);
}

static void test_parse__wrong_names_are_found_with_a_suggestion(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_fails(ctx, parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tre", "t.csv")), CAIRN_USAGE,
                 "did you mean 'tree'?");
    cairn_command_clear(&c);
    assert_fails(ctx,
                 parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tree", "t.csv", "--max-dept", "1")),
                 CAIRN_USAGE, "did you mean --max-depth?");
    cairn_command_clear(&c);
    assert_fails(ctx, parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tree", "t.csv", "-x")),
                 CAIRN_USAGE, "no short options");
    cairn_command_clear(&c);
    assert_fails(ctx, parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tree", "t.csv", "--target")),
                 CAIRN_USAGE, "needs a value");
    cairn_command_clear(&c);
}

static void test_parse__number_of_words(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_fails(ctx, parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tree")), CAIRN_USAGE,
                 "LEARNER DATA");
    cairn_command_clear(&c);
    assert_fails(ctx, parse(ctx, &c, &cairn_verb_fit, WORDS("fit", "tree", "a", "b")), CAIRN_USAGE,
                 "'b'");
    cairn_command_clear(&c);
}

static void test_parse__evaluate_takes_a_learner_or_a_file(void **state)
{
    cairn_context *ctx = *state;
    cairn_command c;
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_evaluate, WORDS("evaluate", "tree", "t.csv")));
    assert_non_null(c.inner);
    assert_int_equal(c.n_words, 1);
    cairn_command_clear(&c);
    assert_ok(ctx, parse(ctx, &c, &cairn_verb_evaluate, WORDS("evaluate", "m.cairn", "t.csv")));
    assert_null(c.inner);
    assert_int_equal(c.n_words, 2);
    cairn_command_clear(&c);
}

static cairn_status parse_work(cairn_context *ctx, void *data)
{
    cairn_command c;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    (void)data;
    cairn_status status = parse(ctx, &c, &cairn_verb_fit,
                                WORDS("fit", "tree", "t.csv", "--max-depth", "2", "--target", "y",
                                      "--with", "impute", "--with", "standardise"));
    cairn_command_clear(&c);
    cairn_scratch_release(ctx, mark);
    return status;
}

static void test_parse__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(parse_work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_parse__words_and_options_in_any_order),
        context_test(test_parse__a_learner_option_may_come_before_the_learner),
        context_test(test_parse__a_value_may_begin_with_a_minus),
        context_test(test_parse__yes_or_no_options),
        context_test(test_parse__two_minus_signs_end_the_options),
        context_test(test_parse__repeated_options_keep_their_order),
        context_test(test_parse__the_canonical_line_leaves_out_what_does_not_matter),
        context_test(test_parse__wrong_names_are_found_with_a_suggestion),
        context_test(test_parse__number_of_words),
        context_test(test_parse__evaluate_takes_a_learner_or_a_file),
        context_test(test_parse__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
