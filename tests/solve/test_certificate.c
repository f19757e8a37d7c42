/* SPDX-License-Identifier: MIT */
#include "solve/certificate.h"

#include "support/unit.h"

#include <math.h>

static void test_certificate__the_worst_part_counts(void **state)
{
    cairn_certificate c = {.has = 0};
    (void)state;
    cairn_certify(NULL, CAIRN_PROOF_GAP, 1, 0);
    cairn_certify(&c, CAIRN_PROOF_GAP, 1e-9, 1e-6);
    cairn_certify(&c, CAIRN_PROOF_GAP, 1e-7, 1e-6);
    cairn_certify(&c, CAIRN_PROOF_GAP, 1e-8, 1e-6);
    cairn_certify(&c, CAIRN_PROOF_GRADIENT, 0, 1e-6);
    assert_int_equal(c.has, 1 << CAIRN_PROOF_GAP | 1 << CAIRN_PROOF_GRADIENT);
    assert_true(c.left[CAIRN_PROOF_GAP] == 1e-7);
}

static void test_certificate__unproved_answers_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_certificate c = {.remedy = "raise {max-iter}"};
    assert_ok(ctx, cairn_certificate_judge(ctx, &c, "it"));
    cairn_certify(&c, CAIRN_PROOF_GAP, 1e-7, 1e-6);
    assert_ok(ctx, cairn_certificate_judge(ctx, &c, "it"));
    cairn_certify(&c, CAIRN_PROOF_CONDITIONS, NAN, 1e-6);
    assert_int_equal(cairn_certificate_judge(ctx, &c, "it"), CAIRN_NO_SOLUTION);
    c.left[CAIRN_PROOF_CONDITIONS] = 0.11;
    assert_fails(ctx, cairn_certificate_judge(ctx, &c, "it"), CAIRN_NO_SOLUTION,
                 "0.11 of the numbers in them");
    assert_non_null(strstr(cairn_message(ctx), "raise 'max-iter'"));
    c.limited = true;
    assert_ok(ctx, cairn_certificate_judge(ctx, &c, "it"));
}

static void test_certificate__is_shown_by_its_size(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    char *text = NULL;
    cairn_certificate c = {.has = 0};
    double value;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_certificate_report(report, &c);
    cairn_certify(&c, CAIRN_PROOF_GAP, 3e-9, 1e-6);
    cairn_certify(&c, CAIRN_PROOF_SWAP, 0.5, 1e-6);
    cairn_certificate_report(report, &c);
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, NULL, &text));
    assert_non_null(strstr(text, "duality gap at most 1e-8 of the objective"));
    assert_non_null(strstr(text, "NOT"));
    cairn_string_free(text);
    assert_true(cairn_report_number(report, "certificate.gap", &value));
    assert_true(value == 3e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_certificate__the_worst_part_counts),
        context_test(test_certificate__unproved_answers_are_refused),
        context_test(test_certificate__is_shown_by_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
