/* SPDX-License-Identifier: MIT */
/* cairn_run() as a library call, with files in memory where the command needs some. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"
#include "cairn/limits.h"

static cairn_status run(cairn_context *ctx, cairn_report *report, const char *const *words)
{
    return cairn_run(ctx, report, count_words(words), words);
}

static const char weather_like[] = "outlook,wind,play\n"
                                   "sunny,weak,no\nsunny,strong,no\nrain,weak,yes\n"
                                   "rain,strong,no\novercast,weak,yes\novercast,strong,yes\n";

static void test_run__values_of_a_fit(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    double accuracy;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, run(ctx, report, WORDS("fit", "tree", "@weather")));
    assert_true(cairn_report_number(report, "training.accuracy", &accuracy));
    assert_true(accuracy == 1);
    assert_string_equal(cairn_report_string(report, "model.target"), "play");
    cairn_report_free(report);
}

static void test_run__settings_of_the_context_come_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_context_set_seed(ctx, 5);
    cairn_context_set_threads(ctx, 2);
    cairn_context_set_memory(ctx, 500000000);
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 100));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, run(ctx, report,
                       WORDS("fit", "majority", "@weather", "--seed", "9", "--memory", "100M",
                             "--threads", "1", "--limits", "cell=50", "--quiet")));
    assert_string_equal(cairn_report_string(report, "model.seed"), "9");
    assert_int_equal(cairn_context_seed(ctx), 5);
    assert_int_equal(cairn_memory_limit(ctx), 500000000);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_CELL), 100);
    assert_int_equal(cairn_context_threads(ctx), 2);
    cairn_report_free(report);
}

static void test_run__no_words_give_help(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    char *text;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, 0, NULL));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, NULL, &text));
    assert_non_null(strstr(text, "cairn help"));
    cairn_string_free(text);
    cairn_report_free(report);
}

/* Fit, save and predict without a file on disk. */
static cairn_status chain(cairn_context *ctx, void *data)
{
    cairn_virtual_files files = {0};
    cairn_report *report = NULL;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    const char *const *fit = WORDS("fit", "tree", "w.csv", "--target", "play", "--save", "m");
    const char *const *predict = WORDS("predict", "m", "w.csv");
    char *first = data;
    cairn_status status;
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_virtual_put(ctx, &files, "w.csv", weather_like, strlen(weather_like)));
    TRY(cairn_run_files(ctx, report, &output, &files, count_words(fit), fit));
    TRY(cairn_run_files(ctx, report, &output, &files, count_words(predict), predict));
    const char *label = cairn_report_string(report, "play.1");
    if (label && first) memcpy(first, label, strlen(label) + 1);
done:
    cairn_string_free(output.document);
    cairn_virtual_clear(&files);
    cairn_report_free(report);
    return status;
}

static void test_run__files_in_memory(void **state)
{
    cairn_context *ctx = *state;
    char first[16] = "";
    assert_ok(ctx, chain(ctx, first));
    assert_string_equal(first, "no");
}

static void test_run__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(chain, NULL);
}

static void test_run__documents_and_silence(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_virtual_files files = {0};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    const char *const *convert = WORDS("convert", "w.csv", "-", "--to", "tsv");
    const char *const *page = WORDS("describe", "w.csv", "--out", "page.html", "--quiet");
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_virtual_put(ctx, &files, "w.csv", weather_like, strlen(weather_like)));
    assert_ok(ctx, cairn_run_files(ctx, report, &output, &files, count_words(convert), convert));
    assert_non_null(output.document);
    assert_int_equal(strncmp(output.document, "outlook\twind\tplay\nsunny", 23), 0);
    assert_int_equal(strlen(output.document), output.length);
    cairn_string_free(output.document);
    output = (cairn_run_output)CAIRN_RUN_OUTPUT_INIT;
    assert_ok(ctx, cairn_run_files(ctx, report, &output, &files, count_words(page), page));
    assert_true(output.silent);
    assert_null(output.document);
    assert_non_null(cairn_virtual_find(&files, "page.html"));
    cairn_virtual_clear(&files);
    cairn_report_free(report);
}

static void test_run__failures_carry_status_and_message(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_fails(ctx, run(ctx, report, WORDS("fti")), CAIRN_USAGE, "did you mean 'fit'?");
    assert_fails(ctx, run(ctx, report, WORDS("describe", "no/such/file.csv")), CAIRN_FILE_ERROR,
                 "no/such/file.csv");
    assert_fails(ctx, run(ctx, report, WORDS("predict", "@iris", "@iris")), CAIRN_USAGE, "model");
    assert_fails(ctx, run(ctx, report, WORDS("--format", "json")), CAIRN_USAGE, "verb comes first");
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_run__values_of_a_fit),
        context_test(test_run__settings_of_the_context_come_back),
        context_test(test_run__no_words_give_help),
        context_test(test_run__files_in_memory),
        context_test(test_run__survives_failing_allocations),
        context_test(test_run__documents_and_silence),
        context_test(test_run__failures_carry_status_and_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
