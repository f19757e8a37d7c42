/* SPDX-License-Identifier: MIT */
/* Reports as HTML: every tag is closed in order, ids are unique, headings do not skip a level,
 * nothing is loaded, and text from data stays text. */
#include "report/samples.h"
#include "base/text.h"
#include <stdio.h>

enum { DEEPEST = 64, MOST_IDS = 5000 };

static bool is_void(const char *name)
{
    return cairn_same(name, "meta") || cairn_same(name, "br") || cairn_same(name, "input");
}

/* The tag name at `at` (behind < or </) into `name`. */
static void read_name(const char *at, char name[16])
{
    size_t n = strcspn(at, " \n/>");
    assert_in_range(n, 1, 15);
    memcpy(name, at, n);
    name[n] = 0;
}

/* Where the text of style and script ends: they are not markup. */
static const char *skip_raw(const char *at, const char *name)
{
    if (cairn_same(name, "style")) return strstr(at, "</style>");
    if (cairn_same(name, "script")) return strstr(at, "</script>");
    return at;
}

/* Every tag is closed by its own and in order. */
static void assert_balanced(const char *html)
{
    char open[DEEPEST][16], name[16];
    size_t depth = 0;
    assert_true(cairn_starts_with(html, "<!DOCTYPE html>\n<html lang=\"en\">\n"));
    for (const char *at = html + 15; (at = strchr(at, '<'));) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '/') {
            read_name(at + 2, name);
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            read_name(at + 1, name);
            if (!is_void(name)) {
                assert_true(depth < DEEPEST);
                memcpy(open[depth++], name, sizeof name);
            }
            end = skip_raw(end, name);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void assert_ids_unique(const char *html)
{
    static const char *ids[MOST_IDS];
    size_t n = 0;
    for (const char *at = html; (at = strstr(at, " id=\"")); n++) {
        at += 5;
        size_t length = strcspn(at, "\"");
        assert_true(n < MOST_IDS);
        for (size_t i = 0; i < n; i++)
            if (strncmp(ids[i], at, length + 1) == 0) fail_msg("id twice: %.*s", (int)length, at);
        ids[n] = at;
    }
}

static void assert_headings_in_order(const char *html)
{
    int level = 0, ones = 0;
    for (const char *at = html; (at = strstr(at, "<h")); at++) {
        if (at[2] < '1' || at[2] > '6') continue;
        int next = at[2] - '0';
        if (next > level + 1) fail_msg("h%d after h%d", next, level);
        level = next;
        ones += next == 1;
    }
    assert_int_equal(ones, 1);
}

static void assert_loads_nothing(const char *html)
{
    assert_null(strstr(html, "src="));
    assert_null(strstr(html, "<link"));
    assert_null(strstr(html, "@import"));
    assert_null(strstr(html, "url("));
    assert_null(strstr(html, "https://"));
}

static void assert_good_page(const char *html)
{
    assert_int_equal(cairn_utf8_check(html, strlen(html)), strlen(html));
    assert_balanced(html);
    assert_ids_unique(html);
    assert_headings_in_order(html);
    assert_loads_nothing(html);
}

/* The part of the page between the title and the script. */
static char *print_body(cairn_context *ctx, const cairn_report *report)
{
    char *html = print(ctx, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    const char *start = strstr(html, "<main>\n"), *end = strstr(html, "</main>\n");
    assert_true(start && end);
    size_t from = (size_t)(start - html) + strlen("<main>\n"), to = (size_t)(end - html);
    memmove(html, html + from, to - from);
    html[to - from] = 0;
    return html;
}

static void test_html__small_snapshot(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 2, "Before & after");
    cairn_report_heading(report, 1, "The <title>");
    cairn_report_paragraph(report, "Two\nlines");
    cairn_report_note(report, "Careful");
    cairn_report_formula(report, "a < b");
    cairn_report_verbatim(report, "\n  x\n");
    cairn_report_value(report, "Rows", 14, NULL);
    cairn_report_word(report, "Class", "y&n", NULL);
    char *body = print_body(*state, report);
    assert_string_equal(body, "<h1>The &lt;title&gt;</h1>\n"
                              "<h2>Before &amp; after</h2>\n"
                              "<p>Two<br>lines</p>\n"
                              "<div class=\"note\" role=\"note\"><p><b>Note</b>Careful</p></div>\n"
                              "<p class=\"formula\">a &lt; b</p>\n"
                              "<pre tabindex=\"0\">\n\n  x\n</pre>\n"
                              "<dl>\n"
                              "<div><dt>Rows</dt><dd>14</dd></div>\n"
                              "<div><dt>Class</dt><dd>y&amp;n</dd></div>\n"
                              "</dl>\n");
    cairn_string_free(body);
    cairn_report_free(report);
}

static void test_html__table(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, "T", 2);
    cairn_report_column(report, "name", 'l');
    cairn_report_column(report, "x", 'r');
    cairn_report_cell(report, "a");
    cairn_report_cell_number(report, 1234.5, 5, NULL);
    cairn_report_row_mark(report);
    cairn_report_cell(report, "b");
    cairn_report_cell_number(report, 0.0625, 5, NULL);
    cairn_report_cell(report, "c");
    cairn_report_cell_number(report, 3, 5, NULL);
    cairn_report_table_end(report);
    char *body = print_body(*state, report);
    assert_string_equal(
        body, "<h1>Report</h1>\n"
              "<div class=\"table\">\n"
              "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"T\">\n"
              "<table>\n"
              "<caption>T</caption>\n"
              "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"r\">x</th></tr>"
              "</thead>\n"
              "<tbody>\n"
              "<tr><th scope=\"row\">a</th><td class=\"r\">1234.5<span data-pad=\"000\"></span>"
              "</td></tr>\n"
              "<tr class=\"chosen\"><th scope=\"row\"><span class=\"mark\" role=\"img\" "
              "aria-label=\"chosen\">▶</span>b</th><td class=\"r\">0.0625</td></tr>\n"
              "</tbody>\n"
              "</table>\n"
              "</div>\n"
              "<p class=\"remark\">… and 1 more row</p>\n"
              "<p class=\"remark\">▶ marks the chosen row</p>\n"
              "</div>\n");
    cairn_string_free(body);
    cairn_report_free(report);
}

static void test_html__steps_are_a_walk(void **state)
{
    cairn_report *report = new_report(*state);
    fill_sample(report);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_non_null(strstr(html, "<nav class=\"bar\" id=\"walk\" aria-label=\"Steps\" hidden>"));
    assert_non_null(strstr(html, "<section class=\"step\" id=\"step-2\" "
                                 "aria-labelledby=\"step-2-title\">\n"
                                 "<h4 class=\"title\" id=\"step-2-title\"><a href=\"#step-2\">"
                                 "<span class=\"number\">Step 1.1</span> Split</a></h4>\n"));
    assert_non_null(strstr(html, "</section>\n</section>\n<section class=\"step\" id=\"step-3\""));
    assert_non_null(strstr(html, "<script>"));
    cairn_string_free(html);
    cairn_report_free(report);
}

static void test_html__one_step_needs_no_walk(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_step_begin(report, "alone");
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_null(strstr(html, "<nav"));
    assert_null(strstr(html, "<script>"));
    assert_non_null(strstr(html, "</section>\n</main>"));
    cairn_string_free(html);
    cairn_report_free(report);
}

static void test_html__hostile_text_stays_text(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 1, "%s", HOSTILE);
    cairn_report_heading(report, 3, "%s", HOSTILE);
    cairn_report_step_begin(report, "%s", HOSTILE);
    cairn_report_word(report, HOSTILE, HOSTILE, NULL);
    cairn_report_verbatim(report, "</pre>" HOSTILE);
    cairn_report_table_begin(report, "\" onload=\"x" HOSTILE, 0);
    cairn_report_column(report, HOSTILE, 'c');
    cairn_report_cell(report, HOSTILE);
    cairn_report_table_end(report);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_null(strstr(html, "<script>alert"));
    assert_null(strstr(html, "\" onload"));
    assert_non_null(strstr(html, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; a|b"));
    for (const char *at = html; *at; at++)
        if ((unsigned char)*at < ' ' && *at != '\n') fail_msg("control letter %d", *at);
    cairn_string_free(html);
    cairn_report_free(report);
}

static void test_html__hard_shapes(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, "no columns", 0);
    cairn_report_table_begin(report, NULL, 0);
    for (int j = 0; j < 200; j++) cairn_report_column(report, "", 'r');
    cairn_report_cell(report, "one cell of two hundred");
    cairn_report_table_end(report);
    for (int i = 0; i < 1000; i++) {
        cairn_report_step_begin(report, "deep");
        cairn_report_heading(report, 1 + i % 3, "inside");
        cairn_report_value(report, "i", i, NULL);
    }
    for (int i = 0; i < 500; i++) cairn_report_step_end(report);
    cairn_report_paragraph(report, "half way up");
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    cairn_string_free(html);
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_html__small_snapshot),
        context_test(test_html__table),
        context_test(test_html__steps_are_a_walk),
        context_test(test_html__one_step_needs_no_walk),
        context_test(test_html__hostile_text_stays_text),
        context_test(test_html__hard_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
