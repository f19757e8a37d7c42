/* SPDX-License-Identifier: MIT */
/* Figures inside reports: owned, drawn by each printer, and never lost or freed twice. */
#include "report/page.h"
#include "report/samples.h"
#include "support/fail_alloc.h"

static cairn_report *report_with_figures(cairn_context *ctx)
{
    cairn_report *report = new_report(ctx);
    cairn_report_heading(report, 1, "Figures");
    cairn_report_figure(report, sample_figure(ctx));
    cairn_report_step_begin(report, "Again");
    cairn_report_figure(report, sample_figure(ctx));
    cairn_report_step_end(report);
    cairn_report_figure(report, NULL);
    return report;
}

static void test_figures__are_counted_and_found(void **state)
{
    cairn_report *report = report_with_figures(*state), *part = report_with_figures(*state);
    assert_int_equal(cairn_report_figure_count(report), 2);
    const cairn_figure *first = cairn_report_figure_at(part, 0);
    cairn_report_append(report, part, NULL);
    assert_int_equal(cairn_report_figure_count(report), 4);
    assert_int_equal(cairn_report_figure_count(part), 0);
    assert_ptr_equal(cairn_report_figure_at(report, 2), first);
    assert_string_equal(cairn_figure_name(cairn_report_figure_at(report, 3)), "squares");
    assert_null(cairn_report_figure_at(report, 4));
    cairn_report_free(part);
    cairn_report_free(report);
    cairn_report_figure(NULL, sample_figure(*state)); /* nobody wants it, so it is freed */
}

static void count_figure(void *data, cairn_figure *figure)
{
    ++*(size_t *)data;
    cairn_figure_free(figure);
}

/* Who takes figures gets those of appended parts too, and no place of them is left. */
static void test_figures__are_handed_on(void **state)
{
    cairn_report *report = new_report(*state), *part = report_with_figures(*state);
    size_t n = 0;
    cairn_report_hand_figures(report, count_figure, &n);
    cairn_report_figure(report, sample_figure(*state));
    assert_int_equal(n, 1);
    cairn_report_append(report, part, "part");
    assert_int_equal(n, 3);
    assert_int_equal(cairn_report_figure_count(report), 0);
    char *text = print(*state, report, CAIRN_FORMAT_TEXT, 80);
    assert_non_null(strstr(text, "Again"));
    cairn_string_free(text);
    cairn_report_free(part);
    cairn_report_free(report);
}

static void test_figures__in_text(void **state)
{
    static const int widths[] = {20, 40, 80, 200};
    cairn_report *report = report_with_figures(*state);
    for (int i = 0; i < 4; i++) {
        char *text = print(*state, report, CAIRN_FORMAT_TEXT, widths[i]);
        char *drawing = NULL;
        assert_ok(*state, cairn_figure_terminal(*state, cairn_report_figure_at(report, 0),
                                                widths[i], false, &drawing));
        const char *found = strstr(text, drawing);
        assert_non_null(found);
        assert_non_null(strstr(found + 1, drawing));
        assert_null(strstr(text, "\x1b"));
        cairn_string_free(drawing);
        cairn_string_free(text);
    }
    cairn_report_free(report);
}

static void test_figures__in_json_are_names(void **state)
{
    cairn_report *report = report_with_figures(*state);
    char *json = print(*state, report, CAIRN_FORMAT_JSON, 0);
    assert_non_null(strstr(json, "{\"kind\": \"figure\", \"figure\": \"squares\", "
                                 "\"title\": \"Squares & more\"},\n"));
    assert_non_null(strstr(json, "{\"kind\": \"figure\", \"step\": \"1\", "
                                 "\"figure\": \"squares\", \"title\": \"Squares & more\"}\n"));
    assert_null(strstr(json, "<svg"));
    cairn_string_free(json);
    cairn_report_free(report);
}

static void test_figures__in_markdown_are_fenced(void **state)
{
    cairn_report *report = report_with_figures(*state);
    char *markdown = print(*state, report, CAIRN_FORMAT_MARKDOWN, 0);
    assert_true(cairn_starts_with(markdown, "# Figures\n\n```text\n"));
    assert_non_null(strstr(markdown, "\n```\n\n### Step 1. Again\n\n```text\n"));
    assert_null(strstr(markdown, "\x1b"));
    cairn_string_free(markdown);
    cairn_report_free(report);
}

static void test_figures__in_html_are_inline(void **state)
{
    cairn_report *report = report_with_figures(*state);
    cairn_figure *wide = sample_figure(*state);
    cairn_figure_size(wide, 2000, 300);
    cairn_report_figure(report, wide);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_non_null(
        strstr(html, "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\""));
    assert_non_null(strstr(html, "<figure class=\"wide\" role=\"region\" tabindex=\"0\" "
                                 "aria-label=\"Squares &amp; more\">\n"
                                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1800\""));
    assert_non_null(strstr(html, "</svg>\n</figure>\n"));
    assert_null(strstr(html, "<?xml"));
    cairn_string_free(html);
    cairn_report_free(report);
}

static cairn_status print_figures(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_report *report = NULL, *part = NULL;
    cairn_figure *figure = NULL;
    cairn_status status = CAIRN_OK;
    char *out = NULL;
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_report_new(ctx, &part));
    TRY(cairn_figure_new(ctx, &figure, "f", "F"));
    cairn_figure_line(figure, "line", (double[]){0, 1}, (double[]){1, 0}, 2);
    cairn_report_figure(part, figure);
    cairn_report_append(report, part, NULL);
    TRY(cairn_report_status(report));
    for (int format = CAIRN_FORMAT_TEXT; format <= LAST_FORMAT; format++) {
        TRY(cairn_report_print(ctx, report, (cairn_format)format, NULL, &out));
        cairn_string_free(out);
        out = NULL;
    }
done:
    cairn_report_free(report);
    cairn_report_free(part);
    return status;
}

static void test_figures__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(print_figures, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_figures__are_counted_and_found),
        context_test(test_figures__are_handed_on),
        context_test(test_figures__in_text),
        context_test(test_figures__in_json_are_names),
        context_test(test_figures__in_markdown_are_fenced),
        context_test(test_figures__in_html_are_inline),
        cmocka_unit_test(test_figures__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
