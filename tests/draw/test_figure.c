/* SPDX-License-Identifier: MIT */
/* Building figures, the svg document, failing allocations and the module that is not there. */
#include "draw/figure.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/canvas_module.h"
#include "figures.h"
#include "support/fail_alloc.h"
#include "support/unit.h"

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == ':';
}

/* After an entity's &; NULL when it is none that XML knows. */
static const char *skip_entity(const char *at)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (cairn_starts_with(at, entities[i])) return at + strlen(entities[i]);
    return NULL;
}

/* name="value" pairs up to > or /. */
static const char *skip_attributes(const char *at)
{
    while (*at == ' ') {
        const char *name = ++at;
        while (is_name_letter(*at)) at++;
        if (at == name || at[0] != '=' || at[1] != '"') return NULL;
        for (at += 2; at && *at && *at != '"';)
            at = *at == '<' ? NULL : *at == '&' ? skip_entity(at) : at + 1;
        if (!at || *at != '"') return NULL;
        at++;
    }
    return at;
}

/* A small reader of the XML that the writer may produce: elements nest, attributes are quoted,
 * text has only known entities, bytes are UTF-8 without control letters. */
static bool is_well_formed(const char *xml)
{
    char open[64][16];
    int depth = 0, roots = 0;
    if (cairn_utf8_check(xml, strlen(xml)) != strlen(xml)) return false;
    for (const char *at = xml; *at;) {
        if ((unsigned char)*at < 0x20 && *at != '\n') return false;
        if (*at == '&') {
            if (!(at = skip_entity(at))) return false;
        } else if (*at != '<') {
            if (depth == 0 && *at != '\n') return false;
            at++;
        } else {
            bool closing = at[1] == '/';
            const char *name = at + 1 + closing;
            for (at = name; is_name_letter(*at);) at++;
            size_t length = (size_t)(at - name);
            if (length == 0 || length >= sizeof *open) return false;
            if (closing) {
                if (depth-- == 0 || strlen(open[depth]) != length) return false;
                if (memcmp(open[depth], name, length) || *at++ != '>') return false;
                continue;
            }
            if (!(at = skip_attributes(at))) return false;
            if (depth == 0 && roots++) return false;
            if (*at == '/') {
                at++;
            } else {
                if (depth == 64) return false;
                memcpy(open[depth], name, length);
                open[depth++][length] = 0;
            }
            if (*at++ != '>') return false;
        }
    }
    return depth == 0 && roots == 1;
}

static void test_figure__the_checker_itself(void **state)
{
    (void)state;
    assert_true(is_well_formed("<svg a=\"1\"><g>x &amp; y</g><b/></svg>\n"));
    assert_false(is_well_formed("<svg><g></svg>"));
    assert_false(is_well_formed("<svg>&</svg>"));
    assert_false(is_well_formed("<svg a=1></svg>"));
    assert_false(is_well_formed("<svg></svg><svg></svg>"));
}

static void test_figure__svg_is_well_formed(void **state)
{
    cairn_context *ctx = *state;
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        cairn_figure *figure = NULL;
        char *svg = NULL;
        assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
        assert_ok(ctx, cairn_figure_svg(ctx, figure, &svg));
        if (!is_well_formed(svg)) fail_msg("%s is not well-formed", figure_cases[k].name);
        assert_true(cairn_starts_with(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width="));
        assert_non_null(strstr(svg, "viewBox=\"0 0 "));
        assert_non_null(strstr(svg, "role=\"img\""));
        assert_non_null(strstr(svg, "<title>"));
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf\""));
        assert_null(strstr(svg, " id="));
        assert_true(strlen(svg) < 1200000);
        cairn_free(svg);
        cairn_figure_free(figure);
    }
}

static void test_figure__text_is_escaped(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *svg = NULL;
    double x = 1;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "n", "<script>&\"'\x01\u202E\xff\xEF\xBF\xBF"));
    cairn_figure_points(figure, &x, &x, NULL, 1, NULL, 0);
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &svg));
    assert_non_null(
        strstr(svg, "<title>&lt;script&gt;&amp;&quot;&#39;\\x01\\u202e\xEF\xBF\xBD\xEF\xBF\xBD"
                    "</title>"));
    assert_null(strstr(svg, "<script"));
    cairn_free(svg);
    cairn_figure_free(figure);
}

static void test_figure__same_figure_same_bytes(void **state)
{
    cairn_context *ctx = *state;
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        char *svg[2] = {NULL, NULL}, *text[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++) {
            cairn_figure *figure = NULL;
            assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
            assert_ok(ctx, cairn_figure_svg(ctx, figure, &svg[i]));
            assert_ok(ctx, cairn_figure_terminal(ctx, figure, 70, true, &text[i]));
            cairn_figure_free(figure);
        }
        assert_string_equal(svg[0], svg[1]);
        assert_string_equal(text[0], text[1]);
        for (int i = 0; i < 2; i++) {
            cairn_free(svg[i]);
            cairn_free(text[i]);
        }
    }
}

static void test_figure__null_is_accepted(void **state)
{
    (void)state;
    double x = 1;
    cairn_figure_axes(NULL, "x", "y");
    cairn_figure_points(NULL, &x, &x, NULL, 1, NULL, 0);
    cairn_figure_bars(NULL, NULL, NULL, &x, 1);
    cairn_figure_heat(NULL, &x, NULL, 1, NULL, 1);
    cairn_figure_tree_groups(NULL, NULL, 0);
    assert_int_equal(cairn_figure_tree_node(NULL, -1, NULL, "", true, 0, NULL, 0), -1);
    assert_int_equal(cairn_figure_status(NULL), CAIRN_OK);
    assert_string_equal(cairn_figure_name(NULL), "");
    cairn_figure_free(NULL);
}

static void test_figure__bad_parent_sticks(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *svg = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "oak", ""));
    assert_int_equal(cairn_figure_tree_node(figure, -1, NULL, "root", false, -1, NULL, 0), 0);
    assert_int_equal(cairn_figure_tree_node(figure, 7, NULL, "lost", true, 0, NULL, 0), -1);
    assert_int_equal(cairn_figure_tree_node(figure, 0, NULL, "late", true, 0, NULL, 0), -1);
    assert_fails(ctx, cairn_figure_svg(ctx, figure, &svg), CAIRN_INTERNAL, "oak");
    assert_null(svg);
    cairn_figure_free(figure);
}

static cairn_status draw_all_ways(cairn_context *ctx, void *data)
{
    cairn_figure *figure = NULL;
    char *svg = NULL, *text = NULL;
    cairn_status status;
    TRY(make_figure(ctx, data, &figure));
    TRY(cairn_figure_svg(ctx, figure, &svg));
    TRY(cairn_figure_terminal(ctx, figure, 60, true, &text));
done:
    cairn_free(svg);
    cairn_free(text);
    cairn_figure_free(figure);
    return status;
}

static void test_figure__survives_failing_allocations(void **state)
{
    (void)state;
    static void (*const fills[])(cairn_figure *) = {
        fill_scatter, fill_regression,   fill_roc,          fill_grouped_bars, fill_histogram,
        fill_heat,    fill_weather_tree, fill_correlations, fill_labels,       fill_awkward_numbers,
        fill_crowded, fill_tiny_numbers};
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        figure_case item = {"failing",
                            "A title that is long enough to be cut at the end of its "
                            "third line, which takes a good many words to reach, more "
                            "than anybody would want to write above a small picture",
                            fills[i]};
        assert_survives_allocation_failures(draw_all_ways, &item);
    }
}

static void test_figure__unknown_format_is_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *bytes = NULL;
    size_t length = 0;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "n", "t"));
    assert_fails(ctx, cairn_figure_render(ctx, figure, "gif", &bytes, &length), CAIRN_USAGE, "gif");
    cairn_figure_free(figure);
}

/* This program lies in a folder of its own, where no module is. */
static void test_figure__missing_module_is_named(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *bytes = NULL;
    size_t length = 0;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "n", "t"));
    assert_fails(ctx, cairn_figure_render(ctx, figure, "png", &bytes, &length), CAIRN_FILE_ERROR,
                 "libcairo2");
    assert_non_null(strstr(cairn_message(ctx), "cairn-cairo.so"));
    assert_null(bytes);
    cairn_figure_free(figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure__the_checker_itself),
        context_test(test_figure__svg_is_well_formed),
        context_test(test_figure__text_is_escaped),
        context_test(test_figure__same_figure_same_bytes),
        cmocka_unit_test(test_figure__null_is_accepted),
        context_test(test_figure__bad_parent_sticks),
        cmocka_unit_test(test_figure__survives_failing_allocations),
        context_test(test_figure__unknown_format_is_refused),
        context_test(test_figure__missing_module_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
