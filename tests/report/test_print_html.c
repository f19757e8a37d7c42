/* SPDX-License-Identifier: MIT */
/* Reports as HTML: exact small pages, the rules of page.h, and text from data stays text. */
#include "report/page.h"
#include "report/samples.h"

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
    assert_string_equal(
        body, "<h1>The &lt;title&gt;</h1>\n"
              "<div class=\"alerts\" role=\"note\" "
              "aria-label=\"Warnings and notes\">\n<ul>\n"
              "<li><b>Note</b><a href=\"#part-4\">Careful</a></li>\n"
              "</ul>\n</div>\n"
              "<h2 id=\"part-1\">Before &amp; after</h2>\n"
              "<p>Two<br>lines</p>\n"
              "<div class=\"note\" role=\"note\" id=\"part-4\"><p><b>Note</b>Careful</p></div>\n"
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
              "<p class=\"caption\" id=\"table-1\">T</p>\n"
              "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-labelledby=\"table-1\">\n"
              "<table aria-labelledby=\"table-1\">\n"
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
    assert_non_null(strstr(html, "<nav class=\"bar\" aria-label=\"Steps\" hidden>"));
    assert_non_null(strstr(html, "<section class=\"step\" id=\"step-2\" "
                                 "aria-labelledby=\"step-2-title\">\n"
                                 "<h4 class=\"title\" id=\"step-2-title\"><a href=\"#step-2\">"
                                 "<span class=\"number\">Step 1.1</span> Split</a></h4>\n"));
    assert_non_null(strstr(html, "</section>\n</section>\n<section class=\"step\" id=\"step-3\""));
    assert_non_null(strstr(html, "<script>"));
    cairn_string_free(html);
    cairn_report_free(report);
}

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) n++;
    return n;
}

static void add_steps(cairn_report *report, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cairn_report_step_begin(report, "a step");
        cairn_report_step_end(report);
    }
}

/* Buttons stay inside a chapter, whose steps are counted from 1; a chapter of one step has none. */
static void test_html__chapters_are_walks_of_their_own(void **state)
{
    cairn_report *report = new_report(*state);
    add_steps(report, 2);
    cairn_report_chapter(report);
    add_steps(report, 1);
    cairn_report_chapter(report);
    add_steps(report, 3);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_int_equal(occurrences(html, "<div class=\"walk\">"), 2);
    assert_int_equal(occurrences(html, "<nav class=\"bar\""), 2);
    assert_int_equal(occurrences(html, "Step 1</span>"), 3);
    assert_int_equal(occurrences(html, "Step 3</span>"), 1);
    assert_int_equal(occurrences(html, "id=\"step-6\""), 1);
    cairn_string_free(html);
    cairn_report_free(report);
}

static void test_html__a_fold_hides_until_asked(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_fold_begin(report, "Show <it>");
    add_steps(report, 2);
    cairn_report_fold_end(report);
    cairn_report_space(report, 2);
    cairn_report_page(report);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_non_null(strstr(html, "<details>\n<summary>Show &lt;it&gt;</summary>\n<div"));
    assert_non_null(strstr(html, "</div>\n</details>\n"));
    assert_int_equal(occurrences(html, "<p class=\"rule\"></p>"), 2);
    cairn_string_free(html);
    char *text = print(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_null(strstr(text, "Show"));
    cairn_string_free(text);
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

/* The buttons stick to the screen, so they end before a section that has no steps. */
static void test_html__a_section_without_steps_ends_the_walk(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 2, "Steps");
    add_steps(report, 2);
    cairn_report_heading(report, 2, "More");
    cairn_report_step_begin(report, "another");
    cairn_report_note(report, "inside");
    cairn_report_step_end(report);
    cairn_report_heading(report, 2, "Result");
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_int_equal(occurrences(html, "<nav class=\"bar\""), 1);
    assert_non_null(strstr(html, "</section>\n<h2 id=\"part-6\">More"));
    assert_non_null(strstr(html, "</section>\n</div>\n<h2 id=\"part-10\">Result"));
    assert_null(strstr(html, "class=\"alerts\"")); /* notes of steps stay there */
    cairn_string_free(html);
    cairn_report_free(report);
}

static void test_html__contents_and_warnings_lead_to_their_places(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 1, "T");
    cairn_report_note(report, "on top anyway");
    cairn_report_heading(report, 2, "A <b>");
    cairn_report_heading(report, 3, "not listed");
    cairn_report_heading(report, 2, "B");
    cairn_report_note(report, "far below");
    cairn_report_step_begin(report, "S");
    cairn_report_step_end(report);
    cairn_report_run(report, "cairn fit '<x>'");
    cairn_report_page_warning(report, "a <i>warning</i>");
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_non_null(strstr(html, "<title>T · cairn fit &#39;&lt;x&gt;&#39;</title>"));
    assert_non_null(strstr(html, "<ul>\n<li><a href=\"#part-3\">A &lt;b&gt;</a></li>\n"
                                 "<li><a href=\"#part-5\">B</a></li>\n"
                                 "<li class=\"sub\"><a href=\"#step-1\">S</a></li>\n</ul>"));
    assert_non_null(strstr(html, "<ul>\n<li><b>Warning</b>a &lt;i&gt;warning&lt;/i&gt;</li>\n"
                                 "<li><b>Note</b><a href=\"#part-6\">far below</a></li>\n</ul>"));
    cairn_string_free(html);
    char *text = print(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_null(strstr(text, "warning"));
    cairn_string_free(text);
    cairn_report_free(report);
}

static void test_html__cut_numbers_carry_all_digits(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_value(report, "third", 1.0 / 3, NULL);
    cairn_report_value(report, "half", 0.5, NULL);
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_column(report, "x", 'r');
    cairn_report_cell_number(report, 2.0 / 3, 3, NULL);
    cairn_report_table_end(report);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_good_page(html);
    assert_non_null(
        strstr(html, "<dd><span class=\"cut\" title=\"0.3333333333333333\">0.333333</span></dd>"));
    assert_non_null(strstr(html, "<dd>0.5</dd>"));
    assert_non_null(strstr(html, "title=\"0.6666666666666666\">0.667</span>"));
    cairn_string_free(html);
    cairn_report_free(report);
}

/* A difference that is the rounding of what it is left of is 0, shown and by its name. */
static void test_html__rounding_is_shown_as_0(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_of(report, NULL, 0, "r", "x");
    cairn_report_cell_difference(report, 8.6e-18, 0.07, 3, "d.1");
    cairn_report_cell_difference(report, 8.6e-18, 1e-17, 3, "d.2");
    cairn_report_table_end(report);
    char *html = print(*state, report, CAIRN_FORMAT_HTML, 0);
    assert_non_null(strstr(html, "<td class=\"r\">0<"));
    assert_non_null(strstr(html, "8.6e-18"));
    cairn_string_free(html);
    char *json = print(*state, report, CAIRN_FORMAT_JSON, 0);
    assert_non_null(strstr(json, "\"d.1\": 0,"));
    assert_non_null(strstr(json, "\"d.2\": 8.6e-18"));
    cairn_string_free(json);
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
        context_test(test_html__chapters_are_walks_of_their_own),
        context_test(test_html__a_fold_hides_until_asked),
        context_test(test_html__one_step_needs_no_walk),
        context_test(test_html__a_section_without_steps_ends_the_walk),
        context_test(test_html__contents_and_warnings_lead_to_their_places),
        context_test(test_html__cut_numbers_carry_all_digits),
        context_test(test_html__rounding_is_shown_as_0),
        context_test(test_html__hostile_text_stays_text),
        context_test(test_html__hard_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
