/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "base/text.h"
#include <stdio.h>

static void test_status__names_and_exit_codes(void **state)
{
    (void)state;
    static const int codes[] = {0, 1, 2, 3, 4, 5, 6, 70, 130};
    for (int status = CAIRN_OK; status <= CAIRN_CANCELLED; status++) {
        assert_int_equal(cairn_status_exit_code((cairn_status)status), codes[status]);
        assert_string_not_equal(cairn_status_name((cairn_status)status), "unknown status");
        for (int other = 0; other < status; other++)
            assert_string_not_equal(cairn_status_name((cairn_status)status),
                                    cairn_status_name((cairn_status)other));
    }
    assert_string_equal(cairn_status_name((cairn_status)99), "unknown status");
}

static void test_version__agrees_with_header(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR,
             CAIRN_VERSION_PATCH);
    assert_string_equal(cairn_version(), version);
    assert_string_equal(CAIRN_VERSION, version);
}

static void test_context__settings(void **state)
{
    cairn_context *ctx = *state;
    assert_true(cairn_context_seed(ctx) == 1);
    assert_true(cairn_context_threads(ctx) >= 1);
    cairn_context_set_seed(ctx, UINT64_MAX);
    assert_true(cairn_context_seed(ctx) == UINT64_MAX);
    cairn_context_set_threads(ctx, 3);
    assert_int_equal(cairn_context_threads(ctx), 3);
    cairn_context_set_threads(ctx, 0);
    assert_true(cairn_context_threads(ctx) >= 1);
    cairn_context_set_threads(ctx, -5);
    assert_true(cairn_context_threads(ctx) >= 1);
    cairn_context_free(NULL);
}

static void test_message__set_prefixed_kept(void **state)
{
    cairn_context *ctx = *state;
    assert_string_equal(cairn_message(ctx), "");
    assert_int_equal(cairn_fail(ctx, CAIRN_BAD_DATA, "row %d", 3), CAIRN_BAD_DATA);
    assert_string_equal(cairn_message(ctx), "row 3");
    cairn_message_prefix(ctx, "file %s", "x.csv");
    assert_string_equal(cairn_message(ctx), "file x.csv: row 3");
    assert_string_equal(cairn_message(NULL), "out of memory");
}

/* A message that is too long ends with a whole letter, wherever the cut falls. */
/* Marks of parameters in a format become options of a command line or names; what is put in stays
 * as it is, and so do braces that mark nothing. */
static void test_message__marks_of_parameters(void **state)
{
    cairn_context *ctx = *state;
    const char *format = "%s: {max-depth} or {target %s}, {no-truth}, {%s}, {A} {";
    (void)cairn_fail(ctx, CAIRN_USAGE, "%s: {max-depth} or {target %s}, {no-truth}, {%s}, {A} {",
                     "{user} --text", "y", "k");
    assert_string_equal(cairn_message(ctx),
                        "{user} --text: 'max-depth' or target=y, truth=no, 'k', {A} {");
    assert_string_equal(cairn_say(ctx, "raise {memory}"), "raise 'memory'");
    ctx->options = true;
    (void)cairn_fail(ctx, CAIRN_USAGE, "%s: {max-depth} or {target %s}, {no-truth}, {%s}, {A} {",
                     "{user} --text", "y", "k");
    assert_string_equal(cairn_message(ctx),
                        "{user} --text: --max-depth or --target y, --no-truth, --k, {A} {");
    assert_string_equal(cairn_say(ctx, "raise {memory}"), "raise --memory");
    cairn_message_prefix(ctx, "{by %s}", "cv:3");
    assert_memory_equal(cairn_message(ctx), "--by cv:3: {user}", 17);
    char small[16];
    assert_string_equal(cairn_format_said(ctx, small, sizeof small, format), "%s: --max-depth");
    ctx->options = false;
}

static void test_message__cut_at_a_letter(void **state)
{
    cairn_context *ctx = *state;
    static char text[3000];
    for (size_t shift = 0; shift < 5; shift++) {
        memset(text, 'x', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 4) memcpy(text + i, "\xF0\x9F\x98\x80", 4);
        text[sizeof text - 8] = 0;
        (void)cairn_fail(ctx, CAIRN_USAGE, "%s", text);
        size_t n = strlen(cairn_message(ctx));
        assert_true(n > 2030 && n < 2048);
        assert_int_equal(cairn_utf8_check(cairn_message(ctx), n), n);
        cairn_message_prefix(ctx, "%s", text);
        n = strlen(cairn_message(ctx));
        if (cairn_utf8_check(cairn_message(ctx), n) != n) fail_msg("prefix cut inside a letter");
    }
}

typedef struct heard {
    int n;
    cairn_log_level level;
    char last[100];
    double done, total;
} heard;

static void hear_log(cairn_log_level level, const char *message, void *data)
{
    heard *h = data;
    h->n++;
    h->level = level;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static void hear_progress(const char *what, double done, double total, void *data)
{
    heard *h = data;
    h->n++;
    h->done = done;
    h->total = total;
    snprintf(h->last, sizeof h->last, "%s", what);
}

static void test_context__log_and_progress(void **state)
{
    cairn_context *ctx = *state;
    heard h = {0};
    cairn_warn(ctx, "nobody hears %d", 1);
    cairn_context_set_log(ctx, hear_log, &h);
    cairn_warn(ctx, "%d cells are missing", 7);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.level, CAIRN_LOG_WARNING);
    assert_string_equal(h.last, "7 cells are missing");
    cairn_context_set_log(ctx, NULL, NULL);
    cairn_warn(ctx, "gone");
    assert_int_equal(h.n, 1);
    cairn_context_set_progress(ctx, hear_progress, &h);
    assert_ok(ctx, cairn_tick(ctx, "fitting", 3, 10));
    assert_int_equal(h.n, 2);
    assert_true(h.done == 3 && h.total == 10);
    assert_string_equal(h.last, "fitting");
    assert_ok(ctx, cairn_tick(ctx, NULL, 4, 10));
    assert_int_equal(h.n, 2);
}

/* Inner work is a share of the part that it belongs to, and the whole never starts over. */
static void test_context__phases_make_one_progress(void **state)
{
    cairn_context *ctx = *state;
    heard h = {0};
    cairn_phase splits, trees;
    cairn_context_set_progress(ctx, hear_progress, &h);
    cairn_phase_begin(ctx, &splits, 4);
    assert_ok(ctx, cairn_tick(ctx, "splits", 1, 4));
    assert_string_equal(h.last, "splits 2 of 4");
    assert_true(h.done == 1 && h.total == 4);
    assert_ok(ctx, cairn_tick(ctx, "growing", 5, 10));
    assert_string_equal(h.last, "splits 2 of 4, growing");
    assert_true(h.done == 1.5 && h.total == 4);
    cairn_phase_begin(ctx, &trees, 2);
    assert_ok(ctx, cairn_tick(ctx, "trees", 1, 2));
    assert_ok(ctx, cairn_tick(ctx, "growing", 1, 2));
    assert_string_equal(h.last, "splits 2 of 4, trees 2 of 2, growing");
    assert_true(h.done == 1.75 && h.total == 4);
    cairn_phase_end(&trees);
    cairn_phase_end(&splits);
    assert_ok(ctx, cairn_tick(ctx, "growing", 1, 2));
    assert_string_equal(h.last, "growing");
    assert_true(h.done == 1 && h.total == 2);
}

static void test_context__cancel_reaches_children(void **state)
{
    cairn_context *ctx = *state, *child;
    assert_ok(ctx, cairn_child_new(ctx, &child));
    assert_int_equal(cairn_context_threads(child), 1);
    assert_false(cairn_is_cancelled(child));
    cairn_context_cancel(ctx);
    assert_true(cairn_is_cancelled(child));
    cairn_status status = cairn_tick(child, "x", 0, 1);
    assert_int_equal(status, CAIRN_CANCELLED);
    cairn_child_join(ctx, child, status);
    assert_string_equal(cairn_message(ctx), "interrupted");
    assert_int_equal(cairn_tick(ctx, "x", 0, 1), CAIRN_CANCELLED);
}

static void test_child__message_and_memory(void **state)
{
    cairn_context *ctx = *state, *child;
    size_t before = cairn_memory_in_use(ctx);
    int *p;
    cairn_context_set_seed(ctx, 42);
    assert_ok(ctx, cairn_child_new(ctx, &child));
    assert_true(cairn_context_seed(child) == 42);
    assert_ok(child, SCRATCH(child, &p, 100));
    assert_true(cairn_memory_in_use(ctx) > before + 400);
    cairn_child_join(ctx, child, cairn_fail(child, CAIRN_NO_SOLUTION, "fold 3 has one class"));
    assert_string_equal(cairn_message(ctx), "fold 3 has one class");
    assert_int_equal(cairn_memory_in_use(ctx), before);
    assert_ok(ctx, cairn_child_new(ctx, &child));
    (void)cairn_fail(child, CAIRN_USAGE, "not passed on");
    cairn_child_join(ctx, child, CAIRN_OK);
    assert_string_equal(cairn_message(ctx), "fold 3 has one class");
    cairn_child_join(ctx, NULL, CAIRN_OK);
}

static cairn_status nothing(cairn_context *ctx, void *data)
{
    (void)ctx;
    (void)data;
    return CAIRN_OK;
}

static void test_context__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(nothing, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status__names_and_exit_codes),
        cmocka_unit_test(test_version__agrees_with_header),
        context_test(test_context__settings),
        context_test(test_message__set_prefixed_kept),
        context_test(test_message__marks_of_parameters),
        context_test(test_message__cut_at_a_letter),
        context_test(test_context__log_and_progress),
        context_test(test_context__phases_make_one_progress),
        context_test(test_context__cancel_reaches_children),
        context_test(test_child__message_and_memory),
        cmocka_unit_test(test_context__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
