/* SPDX-License-Identifier: MIT */
/* Reports as Markdown. */
#include "report/samples.h"

static void test_markdown__sample(void **state)
{
    cairn_report *report = new_report(*state);
    fill_sample(report);
    assert_prints(*state, report, CAIRN_FORMAT_MARKDOWN, 0,
                  "# Tree on @weather\n"
                  "\n"
                  "> **Note:** The target play is a class; --task regress changes that.\n"
                  "\n"
                  "## Data\n"
                  "\n"
                  "- Rows: 14\n"
                  "- Entropy: 0.940286\n"
                  "- Positive class: yes\n"
                  "\n"
                  "### Step 1. Choose the root\n"
                  "\n"
                  "Every feature is tried as the first question.\n"
                  "\n"
                  "```text\n"
                  "Gain(S, A) = H(S) − Σ |Sv|/|S| · H(Sv)\n"
                  "```\n"
                  "\n"
                  "**Information gain**\n"
                  "\n"
                  "| feature | gain |\n"
                  "| --- | ---: |\n"
                  "| ▶ outlook | 0.246750 |\n"
                  "| temperature | 0.029223 |\n"
                  "| humidity | 0.151836 |\n"
                  "| windy | 0.048127 |\n"
                  "\n"
                  "▶ marks the chosen row\n"
                  "\n"
                  "#### Step 1.1. Split\n"
                  "\n"
                  "The rows go to three branches.\n"
                  "\n"
                  "### Step 2. Stop\n"
                  "\n"
                  "```text\n"
                  "outlook\n"
                  "  overcast: yes\n"
                  "  rainy: ...\n"
                  "```\n"
                  "\n"
                  "## Result\n"
                  "\n"
                  "All 14 rows are classified correctly.\n");
    cairn_report_free(report);
}

static void paragraph(cairn_context *ctx, const char *text, const char *wanted)
{
    cairn_report *report = new_report(ctx);
    cairn_report_paragraph(report, "%s", text);
    assert_prints(ctx, report, CAIRN_FORMAT_MARKDOWN, 0, wanted);
    cairn_report_free(report);
}

static void test_markdown__markup_in_text_is_escaped(void **state)
{
    paragraph(*state, "max_depth and _x_", "max_depth and \\_x\\_\n");
    paragraph(*state, "*a* `b` [c](d) e|f ~g~ \\h",
              "\\*a\\* \\`b\\` \\[c\\](d) e\\|f \\~g\\~ \\\\h\n");
    paragraph(*state, "<script> a < b & c &lt; d", "&lt;script> a &lt; b & c &amp;lt; d\n");
    paragraph(*state, "# no heading", "\\# no heading\n");
    paragraph(*state, "- no list", "\\- no list\n");
    paragraph(*state, "-5 is a number", "-5 is a number\n");
    paragraph(*state, "12. no list", "12\\. no list\n");
    paragraph(*state, "0.5 is a number", "0.5 is a number\n");
    paragraph(*state, "a\n> b\n---", "a  \n\\> b  \n\\---\n");
    paragraph(*state, "\xff\x1b", "\uFFFD\\\\x1b\n");
}

static void test_markdown__table_cells_keep_the_table(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, "a *b*", 2);
    cairn_report_column(report, "x|y", 'c');
    cairn_report_column(report, "", 'l');
    cairn_report_cell(report, "a|b\nc");
    cairn_report_cell(report, "`");
    cairn_report_row_mark(report);
    cairn_report_cell(report, HOSTILE);
    cairn_report_cell(report, "");
    cairn_report_cell(report, "beyond");
    cairn_report_cell(report, "beyond");
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_MARKDOWN, 0,
                  "**a \\*b\\***\n"
                  "\n"
                  "| x\\|y |  |\n"
                  "| :---: | --- |\n"
                  "| a\\|b<br>c | \\` |\n"
                  "| ▶ &lt;script>alert('x')&lt;/script> a\\|b \\`c\\` \\\\ \"d\" & \\*e\\* "
                  "\\\\x1b\\[31m \uFFFD\uFFFD( \\\\x7f |  |\n"
                  "\n"
                  "… and 1 more row\n"
                  "\n"
                  "▶ marks the chosen row\n");
    cairn_report_free(report);
}

static void test_markdown__fences_are_longer_than_backticks_inside(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_verbatim(report, "```\ncode\n````");
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_column(report, "a", 'l');
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_MARKDOWN, 0,
                  "`````text\n```\ncode\n````\n`````\n\n| a |\n| --- |\n\n(no rows)\n");
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_markdown__sample),
        context_test(test_markdown__markup_in_text_is_escaped),
        context_test(test_markdown__table_cells_keep_the_table),
        context_test(test_markdown__fences_are_longer_than_backticks_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
