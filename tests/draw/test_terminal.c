/* SPDX-License-Identifier: MIT */
#include "draw/terminal.h"
#include "base/memory.h"
#include "figures.h"
#include "support/unit.h"

/* Cells of the line from `at`, colour codes left out; moves behind its end. */
static size_t line_cells(const char **at)
{
    char line[8192];
    size_t n = 0;
    for (; **at && **at != '\n'; (*at)++) {
        if (**at == '\033') {
            while (**at != 'm') (*at)++;
            continue;
        }
        assert_true(n + 1 < sizeof line);
        line[n++] = **at;
    }
    line[n] = 0;
    if (**at) (*at)++;
    return cairn_text_width(line);
}

static void test_terminal__width_is_never_exceeded(void **state)
{
    cairn_context *ctx = *state;
    const int widths[] = {-5, 0, 20, 21, 33, 40, 57, 80, 120, 300, 100000};
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        cairn_figure *figure = NULL;
        assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
        for (size_t w = 0; w < 2 * sizeof widths / sizeof *widths; w++) {
            char *text = NULL;
            int asked = widths[w / 2];
            size_t most = asked < 20 ? 20 : (size_t)asked;
            assert_ok(ctx, cairn_figure_terminal(ctx, figure, asked, w % 2, &text));
            assert_int_equal(cairn_utf8_check(text, strlen(text)), strlen(text));
            for (const char *at = text; *at;) {
                size_t cells = line_cells(&at);
                if (cells > most)
                    fail_msg("%s at %d columns has a line of %zu", figure_cases[k].name, asked,
                             cells);
            }
            if (w % 2 == 0) assert_null(strchr(text, '\033'));
            cairn_free(text);
        }
        cairn_figure_free(figure);
    }
}

/* A face takes away the line behind it; a line that comes later stays. */
static void test_terminal__faces_hide_what_is_behind(void **state)
{
    cairn_context *ctx = *state;
    char *texts[2] = {NULL, NULL};
    for (int later = 0; later < 2; later++) {
        cairn_figure *figure = NULL;
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "f", NULL));
        cairn_figure_x_range(figure, 0, 4);
        cairn_figure_y_range(figure, 0, 4);
        if (!later) cairn_figure_face(figure, 0, 1, (double[]){0, 4}, (double[]){2, 2}, 2);
        cairn_figure_face(figure, 1, 0, (double[]){1, 3, 3, 1}, (double[]){1, 1, 3, 3}, 4);
        if (later) cairn_figure_face(figure, 0, 1, (double[]){0, 4}, (double[]){2, 2}, 2);
        assert_ok(ctx, cairn_figure_terminal(ctx, figure, 60, false, &texts[later]));
        cairn_figure_free(figure);
    }
    assert_true(strlen(texts[0]) < strlen(texts[1])); /* blanks are shorter than dots */
    cairn_free(texts[0]);
    cairn_free(texts[1]);
}

static void test_terminal__tree_is_text(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *text = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", "Play outside?"));
    fill_weather_tree(figure);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 60, false, &text));
    assert_string_equal(text, "Play outside?\n"
                              "outlook · 14 rows, entropy 0.94\n"
                              "├─ sunny: humidity · 5 rows\n"
                              "│  ├─ high: no · 3 of 3\n"
                              "│  └─ normal: yes · 2 of 2\n"
                              "├─ overcast: yes · 4 of 4\n"
                              "└─ rainy: windy · 5 rows\n"
                              "   ├─ false: yes · 3 of 3\n"
                              "   └─ true: no · 2 of 2\n");
    cairn_free(text);
    cairn_figure_free(figure);
}

/* Children may be added in any order after their parent. */
static void test_terminal__tree_in_breadth_first_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *text = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", ""));
    cairn_figure_tree_node(figure, -1, NULL, "r", false, -1, NULL, 0);
    cairn_figure_tree_node(figure, 0, "1", "a", false, -1, NULL, 0);
    cairn_figure_tree_node(figure, 0, "2", "b", false, -1, NULL, 0);
    cairn_figure_tree_node(figure, 1, "3", "c", true, 0, NULL, 0);
    cairn_figure_tree_node(figure, 2, "4", "d", true, 0, NULL, 0);
    cairn_figure_tree_node(figure, 3, "5", "e", true, 0, NULL, 0);
    cairn_figure_tree_node(figure, 1, "6", "f", true, 0, NULL, 0);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 40, false, &text));
    assert_string_equal(text, "r\n"
                              "├─ 1: a\n"
                              "│  ├─ 3: c\n"
                              "│  │  └─ 5: e\n"
                              "│  └─ 6: f\n"
                              "└─ 2: b\n"
                              "   └─ 4: d\n");
    cairn_free(text);
    cairn_figure_free(figure);
}

static void test_terminal__deep_tree_counts_the_rest(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *text = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", ""));
    for (int i = 0; i < 50; i++)
        cairn_figure_tree_node(figure, i - 1, i ? "e" : NULL, "n", false, -1, NULL, 0);
    cairn_figure_tree_node(figure, 0, "s", "second", true, 0, NULL, 0);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 20, false, &text));
    assert_string_equal(text, "n\n"
                              "├─ e: n\n"
                              "│  └─ e: n\n"
                              "│     └─ e: n\n"
                              "│        └─ … 46 no…\n"
                              "└─ s: second\n");
    cairn_free(text);
    cairn_figure_free(figure);
}

static void test_terminal__bars(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *text = NULL;
    const char *const names[] = {"a", "bb"};
    const double heights[] = {4, 2};
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", ""));
    cairn_figure_bars(figure, NULL, names, heights, 2);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 20, false, &text));
    assert_string_equal(text, "a  │██████████████ 4\n"
                              "bb │███████ 2\n");
    cairn_free(text);
    cairn_figure_free(figure);
}

static void test_terminal__line_goes_from_corner_to_corner(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *text = NULL;
    const double ends[] = {0, 1};
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", ""));
    cairn_figure_x_range(figure, 0, 1);
    cairn_figure_y_range(figure, 0, 1);
    cairn_figure_line(figure, NULL, ends, ends, 2);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 21, false, &text));
    const char *at = text;
    assert_int_equal(line_cells(&at), 20); /* the line ends in the last cell */
    assert_non_null(strstr(text, "0.0┤⡠⠊\n"));
    cairn_free(text);
    cairn_figure_free(figure);
}

static void test_terminal__wide_letters_are_cut_whole(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    assert_int_equal(cairn_add_cells(&text, "日本語", 4, false), 3);
    assert_string_equal(cairn_text_string(&text), "日…");
    cairn_text_clear(&text);
    assert_int_equal(cairn_add_cells(&text, "abc", 5, true), 5);
    assert_string_equal(cairn_text_string(&text), "abc  ");
    cairn_text_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_terminal__width_is_never_exceeded),
        context_test(test_terminal__faces_hide_what_is_behind),
        context_test(test_terminal__tree_is_text),
        context_test(test_terminal__tree_in_breadth_first_order),
        context_test(test_terminal__deep_tree_counts_the_rest),
        context_test(test_terminal__bars),
        context_test(test_terminal__line_goes_from_corner_to_corner),
        context_test(test_terminal__wide_letters_are_cut_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
