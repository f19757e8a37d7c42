/* SPDX-License-Identifier: MIT */
/* Paths of the svg writer: what is short says the same as what was drawn. */
#include "draw/svg.h"

#include "base/functions.h"
#include "base/memory.h"
#include "support/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 400 };

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word)) n++;
    return n;
}

/* The places of the first path, read as a browser reads them; returns their number. */
static size_t read_path(const char *svg, double *xy)
{
    const char *at = strstr(svg, " d=\"M");
    size_t n = 0;
    char letter = 'M';
    assert_non_null(at);
    for (at += 4; *at != '"' && *at != 'z';) {
        if (strchr("Mlhv", *at)) letter = *at++;
        double step[2] = {0, 0};
        char *end = (char *)at;
        if (letter != 'v') step[0] = strtod(end, &end);
        if (letter != 'h') step[1] = strtod(end, &end);
        assert_true(end > at);
        for (int a = 0; a < 2; a++)
            xy[2 * n + (size_t)a] = step[a] + (letter == 'M' ? 0 : xy[2 * n - 2 + (size_t)a]);
        n++;
        for (at = end; *at == ' ';) at++;
    }
    return n;
}

static double distance_to(const double *p, const double *a, const double *b)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

/* Draw lines of n points each and return the document. */
static char *drawn(cairn_context *ctx, const double *const *lines, size_t n_lines, size_t n,
                   const cairn_style *styles)
{
    cairn_svg svg;
    char *text = NULL;
    cairn_svg_start(ctx, &svg, 500, 300, "lines");
    for (size_t i = 0; i < n_lines; i++)
        svg.canvas.path(&svg.canvas, lines[i], n, false, &styles[i]);
    assert_ok(ctx, cairn_svg_finish(&svg, &text));
    return text;
}

static void test_svg__curve_stays_within_a_tenth(void **state)
{
    cairn_context *ctx = *state;
    double xy[2 * MANY], back[2 * MANY];
    const double *const line = xy;
    cairn_style style = cairn_line_style(0x123456, 1);
    for (size_t i = 0; i < MANY; i++) {
        xy[2 * i] = 0.37 + 1.21 * (double)i;
        xy[2 * i + 1] = 150 + 140 * cairn_sin((double)(i * i) / 2500);
    }
    char *text = drawn(ctx, &line, 1, MANY, &style);
    size_t n = read_path(text, back);
    assert_in_range(n, 50, MANY - 1);
    for (size_t i = 0; i < MANY; i++) {
        double nearest = INFINITY;
        for (size_t k = 0; k + 1 < n; k++)
            nearest = fmin(nearest, distance_to(xy + 2 * i, back + 2 * k, back + 2 * k + 2));
        assert_true(nearest < 0.13); /* half a tenth on the way, and the ends rounded to tenths */
    }
    cairn_free(text);
}

static void test_svg__points_on_the_way_are_left_out(void **state)
{
    cairn_context *ctx = *state;
    double xy[2 * MANY], back[2 * MANY];
    const double *const line = xy;
    cairn_style style = cairn_line_style(0x123456, 1);
    for (size_t i = 0; i < MANY; i++) xy[2 * i] = (double)i, xy[2 * i + 1] = 7;
    xy[2 * MANY - 2] = 3; /* back over itself: the farthest place is still reached */
    char *text = drawn(ctx, &line, 1, MANY, &style);
    size_t n = read_path(text, back);
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, back[2 * k]);
    assert_true(n < 12);
    assert_true(fabs(most - (MANY - 2)) < 1e-9);
    assert_true(fabs(back[2 * n - 2] - 3) < 1e-9);
    cairn_free(text);
}

static void test_svg__lines_of_one_style_are_one_path(void **state)
{
    cairn_context *ctx = *state;
    const double a[] = {0, 0, 10, 5}, b[] = {10, 5, 20, 0}, c[] = {40, 0, 50, 5};
    const double *const lines[] = {a, b, c};
    cairn_style plain = cairn_line_style(0x123456, 1), thin = plain, pale = plain;
    thin.width = 0.5;
    pale.opacity = 0.5;
    const struct {
        cairn_style styles[3];
        size_t paths, beginnings;
    } cases[] = {
        {{plain, plain, plain}, 1, 2}, {{plain, thin, plain}, 3, 3}, {{pale, pale, pale}, 3, 3}};
    for (size_t k = 0; k < 3; k++) {
        char *text = drawn(ctx, lines, 3, 2, cases[k].styles);
        assert_int_equal(count_of(text, "<path"), cases[k].paths);
        assert_int_equal(count_of(text, "M"), cases[k].beginnings);
        assert_non_null(strstr(text, "\"/>\n</svg>"));
        cairn_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_svg__curve_stays_within_a_tenth),
        context_test(test_svg__points_on_the_way_are_left_out),
        context_test(test_svg__lines_of_one_style_are_one_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
