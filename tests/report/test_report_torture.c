/* SPDX-License-Identifier: MIT */
/* Random sequences of building calls, also senseless ones, printed in every format and width. */
#include "report/page.h"
#include "report/samples.h"
#include <jansson.h>
#include <math.h>

static const char *const texts[] = {
    "",
    "a",
    HOSTILE,
    "two words",
    "line\nline",
    "機械学習は楽しい",
    "e\u0301e\u0301",
    "\xf0\x9f",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "  blanks  ",
    "a.b\\c",
    "-",
    "\u202Eright",
};
static const double numbers[] = {0, -0.0, 1, -1.5, 1e300, 1e-300, 123456.789, 0.1, 1e15, 2.5e-7};

enum { N_TEXTS = sizeof texts / sizeof *texts, N_NUMBERS = sizeof numbers / sizeof *numbers };

/* A small generator of its own: the test must not change when the library's does. */
static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static double any_number(unsigned *seed)
{
    unsigned i = draw(seed, N_NUMBERS + 3);
    return i < N_NUMBERS        ? numbers[i]
           : i == N_NUMBERS     ? NAN
           : i == N_NUMBERS + 1 ? INFINITY
                                : -INFINITY;
}

static void table_call(cairn_report *report, unsigned *seed, const char *text)
{
    switch (draw(seed, 8)) {
    case 0: cairn_report_table_begin(report, text, draw(seed, 4)); break;
    case 1:
        for (unsigned n = draw(seed, 9); n > 0; n--)
            cairn_report_column(report, texts[draw(seed, N_TEXTS)], "lrcx"[draw(seed, 4)]);
        break;
    case 2: cairn_report_row_mark(report); break;
    case 3: cairn_report_table_end(report); break;
    case 4: cairn_report_cell_word(report, text, "w.%s", cairn_report_key(report, text)); break;
    case 5:
        for (unsigned n = draw(seed, 40); n > 0; n--) cairn_report_cell(report, text);
        break;
    default:
        for (unsigned n = draw(seed, 40); n > 0; n--)
            cairn_report_cell_number(report, any_number(seed), (int)draw(seed, 20), NULL);
    }
}

static void any_call(cairn_report *report, unsigned *seed)
{
    const char *text = texts[draw(seed, N_TEXTS)];
    switch (draw(seed, 14)) {
    case 0: cairn_report_heading(report, (int)draw(seed, 5), "%s", text); break;
    case 1: cairn_report_paragraph(report, "%s %s", text, texts[draw(seed, N_TEXTS)]); break;
    case 2: cairn_report_note(report, "%s", text); break;
    case 3: cairn_report_formula(report, "%s", text); break;
    case 4: cairn_report_verbatim(report, text); break;
    case 5: cairn_report_value(report, text, any_number(seed), "v%u", draw(seed, 9)); break;
    case 6: cairn_report_word(report, text, texts[draw(seed, N_TEXTS)], NULL); break;
    case 7: cairn_report_step_begin(report, "%s", text); break;
    case 8: cairn_report_step_end(report); break;
    default: table_call(report, seed, text);
    }
}

static void check_prints(cairn_context *ctx, const cairn_report *report, int width)
{
    char *text = print(ctx, report, CAIRN_FORMAT_TEXT, width);
    assert_int_equal(cairn_utf8_check(text, strlen(text)), strlen(text));
    cairn_string_free(text);
    char *json = print(ctx, report, CAIRN_FORMAT_JSON, width);
    json_error_t error;
    json_t *value = json_loads(json, 0, &error);
    if (!value) fail_msg("line %d: %s in\n%s", error.line, error.text, json);
    json_decref(value);
    cairn_string_free(json);
    char *markdown = print(ctx, report, CAIRN_FORMAT_MARKDOWN, width);
    assert_int_equal(cairn_utf8_check(markdown, strlen(markdown)), strlen(markdown));
    cairn_string_free(markdown);
    char *html = print(ctx, report, CAIRN_FORMAT_HTML, width);
    assert_good_page(html);
    cairn_string_free(html);
}

static void test_torture__any_calls_make_a_printable_report(void **state)
{
    for (unsigned round = 0; round < 300; round++) {
        unsigned seed = round;
        cairn_report *report = new_report(*state), *part = new_report(*state);
        for (unsigned n = draw(&seed, 60); n > 0; n--) any_call(report, &seed);
        for (unsigned n = draw(&seed, 60); n > 0; n--) any_call(part, &seed);
        cairn_report_append(report, part, round % 2 ? "part" : NULL);
        any_call(part, &seed);
        any_call(report, &seed);
        assert_ok(*state, cairn_report_status(report));
        check_prints(*state, report, 20 + (int)draw(&seed, 180));
        cairn_report_free(part);
        cairn_report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_torture__any_calls_make_a_printable_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
