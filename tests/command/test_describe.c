/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "support/run.h"

#include <math.h>

static const char people[] = "id,age,height,city,size,label,w\n"
                             "1,20,170,Bonn,S,a,1\n"
                             "2,30,180,Bonn,L,a,2\n"
                             "3,30,180,Bonn,L,b,1\n"
                             "4,40,190,Köln,M,b,0\n"
                             "5,20,170,Bonn,S,a,1\n"
                             "6,?,160,köln,M,b,3\n";

/* Run one command with `people` as p.csv and `other` (may be NULL) as q.csv. */
static cairn_status describe_files(cairn_context *ctx, cairn_report **out, const char *other,
                                   const char *const *words)
{
    cairn_virtual_files files = {0};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_status status = cairn_report_new(ctx, out);
    if (!status) status = cairn_virtual_put(ctx, &files, "p.csv", people, strlen(people));
    if (!status && other) status = cairn_virtual_put(ctx, &files, "q.csv", other, strlen(other));
    if (!status) status = cairn_run_files(ctx, *out, &output, &files, count_words(words), words);
    cairn_string_free(output.document);
    cairn_virtual_clear(&files);
    return status;
}

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    double found;
    if (!cairn_report_number(report, name, &found)) fail_msg("there is no value %s", name);
    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) < 1e-9))
        fail_msg("%s is %.12g, not %.12g", name, found, expected);
}

static void assert_text(const cairn_report *report, const char *name, const char *expected)
{
    const char *found = cairn_report_string(report, name);
    if (!found) fail_msg("there is no word %s", name);
    assert_string_equal(found, expected);
}

static void assert_printed(cairn_context *ctx, const cairn_report *report, const char *part)
{
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *text;
    options.width = 10000;
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, &options, &text));
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
    cairn_string_free(text);
}

static void test_describe__schema_and_permitted_statistics(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, describe_files(ctx, &r, NULL,
                                  WORDS("describe", "p.csv", "--target", "label", "--id", "id",
                                        "--ignore", "w")));
    assert_value(r, "n.age", 5);
    assert_value(r, "missing.age", 1);
    assert_value(r, "mean.age", 28);
    assert_value(r, "variance.age", 70);
    assert_value(r, "mode.age.1", 20);
    assert_value(r, "mode.age.2", 30);
    assert_value(r, "modes.age", 2);
    assert_text(r, "scale.age", "quantitative");
    assert_text(r, "scale.city", "categorical");
    assert_text(r, "scale.label", "Boolean");
    assert_text(r, "mode.city.1", "Bonn");
    double unused;
    assert_false(cairn_report_number(r, "mean.city", &unused));
    assert_false(cairn_report_number(r, "median.city", &unused));
    cairn_report_free(r);
}

static void test_describe__finds_duplicates_and_contradictions(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, describe_files(ctx, &r, NULL,
                                  WORDS("describe", "p.csv", "--target", "label", "--id", "id",
                                        "--ignore", "w")));
    assert_value(r, "checks.duplicates", 1);
    assert_value(r, "checks.first_duplicate", 5);
    assert_value(r, "checks.contradictory", 2);
    assert_value(r, "checks.contradiction.1.1", 2);
    assert_value(r, "checks.contradiction.1.2", 3);
    assert_value(r, "checks.incomplete", 1);
    assert_value(r, "checks.spellings", 1); /* Köln and köln */
    cairn_report_free(r);
}

static void test_describe__weights_count_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, describe_files(ctx, &r, NULL,
                                  WORDS("describe", "p.csv", "--target", "label", "--id", "id",
                                        "--weight", "w", "--divisor", "n", "--show", "all")));
    assert_value(r, "weight", 8);
    assert_value(r, "mean.height", (170 + 2 * 180 + 180 + 170 + 3 * 160) / 8.0);
    assert_value(r, "variance.height", (2 * 100 + 1 * 100 + 3 * 100) / 8.0); /* the mean is 170 */
    cairn_report_free(r);
}

/* 216, 184 and 491 people travelled in the first, second and third class. */
static void test_describe__ordinal_columns_have_a_median(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    double unused;
    assert_ok(ctx, describe_files(ctx, &r, NULL, WORDS("describe", "@titanic")));
    assert_text(r, "scale.pclass", "ordinal");
    assert_text(r, "median.pclass", "3");
    assert_text(r, "min.pclass", "1");
    assert_false(cairn_report_number(r, "mean.pclass", &unused));
    cairn_report_free(r);
}

/* A level between others that does not occur takes no bar away from the last. */
static void test_describe__ordinal_bars_are_of_the_levels_that_occur(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, describe_files(ctx, &r, "size\nS\nS\nS\nL\n",
                                  WORDS("describe", "q.csv", "--kinds", "size=ordered(S,M,L)")));
    assert_printed(ctx, r, "█▄");
    cairn_report_free(r);
}

static void test_describe__by_groups(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, describe_files(ctx, &r, NULL,
                                  WORDS("describe", "p.csv", "--target", "label", "--by", "target",
                                        "--id", "id")));
    assert_value(r, "by.a.mean.height", (170 + 180 + 170) / 3.0);
    assert_value(r, "by.b.n.age", 2);
    assert_value(r, "by.b.count.city.Bonn", 1);
    cairn_report_free(r);
    assert_fails(ctx, describe_files(ctx, &r, NULL, WORDS("describe", "p.csv", "--by", "age")),
                 CAIRN_USAGE, "holds no levels");
    cairn_report_free(r);
}

static void test_describe__associations(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx,
              describe_files(ctx, &r, NULL,
                             WORDS("describe", "p.csv", "--target", "label", "--id", "id",
                                   "--ignore", "w", "--show", "all", "--correlation", "both")));
    assert_value(r, "correlation.age.height", 1);
    assert_value(r, "spearman.age.height", 1);
    assert_text(r, "target.measure.city", "Cramér's V");
    assert_text(r, "target.measure.age", "η²");
    assert_value(r, "target.strength.height",
                 (3 * pow(520 / 3.0 - 175, 2) + 3 * pow(530 / 3.0 - 175, 2)) / (6 * 550.0 / 6));
    cairn_report_free(r);
}

static void test_describe__against_another_file(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    const char *other = "age,height,city\n25,300,Bonn\n26,301,Ulm\n27,302,Ulm\n";
    assert_ok(ctx, describe_files(ctx, &r, other,
                                  WORDS("describe", "p.csv", "--id", "id", "--ignore",
                                        "w,size,label", "--against", "q.csv")));
    assert_value(r, "against.rows", 3);
    assert_value(r, "against.statistic.height", 1);
    assert_value(r, "against.p_value.height", 2.0 / 84); /* 6 over 3: 84 orders, two apart */
    assert_value(r, "against.outside.height", 3);
    assert_value(r, "against.outside.age", 0);
    assert_value(r, "against.new_levels.city", 2);
    assert_printed(ctx, r, "such as 'Ulm'");
    cairn_report_free(r);
}

static void test_describe__sections_and_their_misspellings(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    double unused;
    assert_ok(ctx,
              describe_files(ctx, &r, NULL, WORDS("describe", "p.csv", "--show", "statistics")));
    assert_true(cairn_report_number(r, "mean.age", &unused));
    assert_false(cairn_report_number(r, "skewness.age", &unused));
    cairn_report_free(r);
    assert_fails(ctx, describe_files(ctx, &r, NULL, WORDS("describe", "p.csv", "--show", "chekcs")),
                 CAIRN_USAGE, "did you mean 'checks'?");
    cairn_report_free(r);
}

static void test_describe__warns_of_useless_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    cairn_text t = cairn_text_start(ctx);
    cairn_text_add(&t, "key,same,copy,x,again,y\n");
    for (int i = 0; i < 40; i++)
        cairn_text_addf(&t, "k%d,7,%s,%d,%d,%s\n", i, i % 3 ? "u" : "v", i * i % 17, i * i % 17,
                        i % 20 ? "no" : "yes");
    assert_ok(ctx, cairn_text_status(&t));
    assert_ok(ctx,
              describe_files(ctx, &r, cairn_text_string(&t),
                             WORDS("describe", "q.csv", "--target", "y", "--kinds", "key=level")));
    assert_value(r, "checks.id_like.key", 1);
    assert_value(r, "checks.constant.same", 1);
    assert_value(r, "checks.copies", 1);
    assert_value(r, "checks.class_skew", 19);
    assert_printed(ctx, r, "'x' and 'again' are the same column");
    assert_printed(ctx, r, "Classes are skewed");
    cairn_report_free(r);
    cairn_text_clear(&t);
}

static cairn_status describe_everything(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    const char *other = "age,height,city\n25,300,Bonn\n26,301,Ulm\n27,302,Ulm\n";
    (void)data;
    cairn_status status =
        describe_files(ctx, &r, other,
                       WORDS("describe", "p.csv", "--target", "label", "--by", "label", "--against",
                             "q.csv", "--show", "all", "--correlation", "both"));
    cairn_report_free(r);
    return status;
}

static void test_describe__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(describe_everything, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_describe__schema_and_permitted_statistics),
        context_test(test_describe__finds_duplicates_and_contradictions),
        context_test(test_describe__weights_count_rows),
        context_test(test_describe__ordinal_columns_have_a_median),
        context_test(test_describe__ordinal_bars_are_of_the_levels_that_occur),
        context_test(test_describe__by_groups),
        context_test(test_describe__associations),
        context_test(test_describe__against_another_file),
        context_test(test_describe__sections_and_their_misspellings),
        context_test(test_describe__warns_of_useless_columns),
        cmocka_unit_test(test_describe__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
