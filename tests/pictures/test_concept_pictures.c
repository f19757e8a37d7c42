/* SPDX-License-Identifier: MIT */
/* Pictures about concepts, item sets and version spaces: what stands in them, and what they refuse.
 */
#include "command/command.h"
#include "draw/figure_data.h"
#include "pictures/picture.h"
#include "support/fail_alloc.h"

#include "base/memory.h"

#include <math.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static cairn_status run(cairn_context *ctx, cairn_report **out, const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    cairn_status status = cairn_report_new(ctx, out);
    if (status == CAIRN_OK) status = cairn_run_files(ctx, *out, NULL, NULL, n, words);
    return status;
}

/* The figure of a command; the report owns it. */
static const cairn_figure *figure_of(cairn_context *ctx, cairn_report **report,
                                     const char *const *words)
{
    char *text;
    assert_ok(ctx, run(ctx, report, words));
    assert_int_equal(cairn_report_figure_count(*report), 1);
    const cairn_figure *figure = cairn_report_figure_at(*report, 0);
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &text));
    assert_non_null(strstr(text, "<svg"));
    cairn_string_free(text);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 80, false, &text));
    cairn_string_free(text);
    return figure;
}

static void assert_order(cairn_context *ctx, size_t nodes, size_t lines, const char *const *words)
{
    cairn_report *report;
    const cairn_figure *figure = figure_of(ctx, &report, words);
    assert_int_equal(figure->n_order_nodes, nodes);
    assert_int_equal(figure->n_order_lines, lines);
    cairn_report_free(report);
}

static void assert_refused(cairn_context *ctx, cairn_status expected, const char *part,
                           const char *const *words)
{
    cairn_report *report;
    assert_fails(ctx, run(ctx, &report, words), expected, part);
    cairn_report_free(report);
}

#define LEVELS "--kinds", "length=level"

/* Sizes that can be counted by hand: 3 x 2 x 2 x 2 values give 4 x 3 x 3 x 3 conjunctions; one
 * with k conditions has k upper neighbours. */
static void test_lattice__sizes(void **state)
{
    cairn_context *ctx = *state;
    size_t lines = 9 + 2 * 30 + 3 * 44 + 4 * 24;
    assert_order(
        ctx, 108, lines,
        WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "all", "--colour", "none"));
    assert_order(ctx, 32, 72,
                 WORDS("draw", "lattice", "@dolphins", LEVELS, "--where",
                       "id in (\"p1\",\"p2\",\"p3\")", "--show", "positives"));
    assert_order(ctx, 6, 7, WORDS("draw", "lattice", "@enjoysport", "--show", "version-space"));
    assert_order(ctx, 8, 12, WORDS("draw", "lattice", "@enjoysport", "--show", "complete"));
}

/* S and G of the sport example, as many as the calculator shows. */
static void test_lattice__version_space_has_its_borders(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    size_t members = 0, strong = 0;
    const cairn_figure *figure =
        figure_of(ctx, &report,
                  WORDS("draw", "lattice", "@enjoysport", "--show", "complete", "--colour",
                        "version-space", "--caption", "counts"));
    for (size_t i = 0; i < figure->n_order_nodes; i++) {
        members += figure->order_nodes[i].look.group == 0;
        strong += figure->order_nodes[i].look.strong;
    }
    assert_int_equal(members, 6);
    assert_int_equal(strong, 3);
    assert_string_equal(figure->order_nodes[0].text, "(sunny, warm, ?, strong, ?, ?)\n3+ 0−");
    cairn_report_free(report);
}

static void test_lattice__paths_are_marked(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    size_t marked = 0, coloured = 0;
    const cairn_figure *figure = figure_of(
        ctx, &report, WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "closed", "--walk"));
    for (size_t k = 0; k < figure->n_order_lines; k++) marked += figure->order_lines[k].path;
    for (size_t i = 0; i < figure->n_order_nodes; i++)
        coloured += figure->order_nodes[i].look.group == 0;
    assert_int_equal(coloured, 5);
    assert_int_equal(marked, 4);
    cairn_report_free(report);
    assert_order(ctx, 5, 4, WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "path"));
}

static void test_lattice__refusals(void **state)
{
    cairn_context *ctx = *state;
    assert_refused(ctx, CAIRN_BAD_DATA, "the lattice has 512 concepts, and 512 of them",
                   WORDS("draw", "lattice", "@dolphins", LEVELS, "--language", "disjunction",
                         "--show", "all", "--unseen", "all"));
    assert_refused(ctx, CAIRN_BAD_DATA, "raise --most",
                   WORDS("draw", "lattice", "@dolphins", LEVELS, "--most", "10"));
    assert_refused(ctx, CAIRN_BAD_DATA, "the version space is empty",
                   WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "version-space"));
    assert_refused(
        ctx, CAIRN_USAGE, "not both",
        WORDS("draw", "lattice", "@dolphins", LEVELS, "--path", "(?, ?, ?, ?)", "--from", "p1"));
}

/* The sixteen sets of four goods, and the maximal ones with a support of three. */
static void test_item_lattice__baskets(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    size_t by_sides[10] = {0}, maximal = 0;
    const cairn_figure *figure =
        figure_of(ctx, &report, WORDS("draw", "item-lattice", "@baskets", "--support", "3"));
    assert_int_equal(figure->n_order_nodes, 16);
    assert_int_equal(figure->n_order_lines, 32);
    for (size_t i = 0; i < figure->n_order_nodes; i++) {
        by_sides[figure->order_nodes[i].look.sides]++;
        maximal += figure->order_nodes[i].look.group == 2;
    }
    assert_int_equal(maximal, 3);
    assert_int_equal(by_sides[1], 5);
    assert_int_equal(by_sides[2], 5);
    assert_int_equal(by_sides[3], 2);
    assert_int_equal(by_sides[4], 2);
    assert_int_equal(by_sides[5], 1);
    assert_int_equal(by_sides[8], 1);
    cairn_report_free(report);
    assert_order(ctx, 3, 0,
                 WORDS("draw", "item-lattice", "@baskets", "--support", "3", "--show", "maximal"));
    assert_refused(ctx, CAIRN_BAD_DATA, "16 item sets are too many to draw",
                   WORDS("draw", "item-lattice", "@baskets", "--most", "15"));
}

static void test_hypotheses__order(void **state)
{
    cairn_context *ctx = *state;
    assert_order(ctx, 3, 2,
                 WORDS("draw", "hypotheses", "--hypothesis", "x >= 19", "--hypothesis", "x >= 20",
                       "--hypothesis", "x >= 20 AND x < 30"));
    /* the same set twice is one node */
    assert_order(ctx, 2, 1,
                 WORDS("draw", "hypotheses", "--hypothesis", "x >= 19", "--hypothesis", "x > 20",
                       "--hypothesis", "NOT x <= 20"));
    assert_refused(ctx, CAIRN_USAGE, "two times or more",
                   WORDS("draw", "hypotheses", "--hypothesis", "x >= 19"));
}

static size_t impossible(const cairn_figure *figure)
{
    size_t n = 0;
    for (size_t i = 0; i < figure->n_panels; i++)
        n += strstr(figure->panels[i]->title, "impossible") != NULL;
    return n;
}

static void assert_panels(cairn_context *ctx, size_t n, size_t n_impossible,
                          const char *const *words)
{
    cairn_report *report;
    const cairn_figure *figure = figure_of(ctx, &report, words);
    assert_int_equal(figure->n_panels, n);
    assert_int_equal(impossible(figure), n_impossible);
    cairn_report_free(report);
}

static void test_shattering__panels(void **state)
{
    cairn_context *ctx = *state;
    assert_panels(ctx, 8, 0, WORDS("draw", "shattering", "--points", "0,0;1,0;0,1"));
    assert_panels(ctx, 16, 2, WORDS("draw", "shattering", "--points", "0,0;1,0;1,1;0,1"));
    assert_panels(
        ctx, 2, 2,
        WORDS("draw", "shattering", "--points", "0,0;1,0;1,1;0,1", "--show", "impossible"));
    assert_panels(ctx, 1, 1,
                  WORDS("draw", "shattering", "--points", "0,0;1,0;1,1;0,1", "--labeling", "1010"));
    assert_panels(ctx, 4, 1,
                  WORDS("draw", "shattering", "--points", "3,5", "--class", "threshold"));
    assert_panels(ctx, 8, 1,
                  WORDS("draw", "shattering", "--points", "1,2,3", "--class", "interval"));
    assert_panels(
        ctx, 16, 0,
        WORDS("draw", "shattering", "--points", "1,0;0,1;-1,0;0,-1", "--class", "rectangle"));
    assert_panels(ctx, 16, 0, WORDS("draw", "shattering", "@shatter", "--class", "conjunction"));
    assert_panels(ctx, 8, 0, WORDS("draw", "subsets", "--of", "a,b,c"));
    assert_order(ctx, 16, 32, WORDS("draw", "subsets", "--of", "a,b,c,d", "--form", "lattice"));
}

static void test_shattering__refusals(void **state)
{
    cairn_context *ctx = *state;
    assert_refused(
        ctx, CAIRN_USAGE, "128 labelings are to be drawn",
        WORDS("draw", "shattering", "--points", "1,2,3,4,5,6,7", "--class", "threshold"));
    assert_refused(ctx, CAIRN_USAGE, "3 digits for 2 points",
                   WORDS("draw", "shattering", "--points", "1,2", "--class", "threshold",
                         "--labeling", "101"));
    assert_refused(
        ctx, CAIRN_USAGE, "labels are 0 to 1",
        WORDS("draw", "shattering", "--points", "1,2", "--class", "threshold", "--labeling", "02"));
    assert_refused(ctx, CAIRN_BAD_DATA, "no labeling is impossible",
                   WORDS("draw", "shattering", "--points", "0,0;1,0;0,1", "--show", "impossible"));
    assert_refused(ctx, CAIRN_USAGE, "from one to 8 elements",
                   WORDS("draw", "subsets", "--of", "a,b,c,d,e,f,g,h,i"));
}

/* The area of all shaded pieces of a figure. */
static double shaded(const cairn_figure *figure)
{
    double area = 0;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        for (size_t i = 1; series->kind == CAIRN_BAND && i < series->n; i++) {
            double a = series->high[i - 1] - series->y[i - 1], b = series->high[i] - series->y[i];
            double piece = (series->x[i] - series->x[i - 1]) * (a + b) / 2;
            if (!isnan(piece)) area += piece;
        }
    }
    return area;
}

static void test_version_shapes__regions(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        figure_of(ctx, &report, WORDS("draw", "version-line", "@threshold"));
    assert_true(fabs(shaded(figure) - 3 * 0.6) < 1e-12); /* 17 < m <= 20, 0.6 high */
    cairn_report_free(report);
    figure = figure_of(ctx, &report,
                       WORDS("draw", "version-line", "@threshold-seven", "--form", "at-most"));
    assert_true(shaded(figure) == 0);
    cairn_report_free(report);
    figure = figure_of(ctx, &report, WORDS("draw", "version-boxes", "@disc-points"));
    /* x from the frame to 16, y up to 12, and above that from 2 or 3, less the tightest box */
    double left = figure->x_range.low, floor = figure->y_range.low, top = figure->y_range.high;
    double area = (16 - left) * (12 - floor) + 14 * 3 + 13 * (top - 15) - 40;
    assert_true(fabs(shaded(figure) - area) < 1e-9);
    cairn_report_free(report);
    figure = figure_of(ctx, &report, WORDS("draw", "version-discs", "@disc-points"));
    assert_true(shaded(figure) > 1 && shaded(figure) < 40);
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_USAGE, "3 numbers",
                   WORDS("draw", "version-boxes", "@disc-points", "--box", "1,2,3"));
    assert_refused(ctx, CAIRN_USAGE, "two number columns",
                   WORDS("draw", "version-discs", "@threshold"));
}

static cairn_status draw_work(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL;
    cairn_status status = run(ctx, &report, data);
    cairn_report_free(report);
    return status;
}

static void test_concept_pictures__survive_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "lattice", "@enjoysport", "--show", "version-space"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "item-lattice", "@baskets"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "shattering", "--points", "0;1"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "version-boxes", "@disc-points"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lattice__sizes),
        context_test(test_lattice__version_space_has_its_borders),
        context_test(test_lattice__paths_are_marked),
        context_test(test_lattice__refusals),
        context_test(test_item_lattice__baskets),
        context_test(test_hypotheses__order),
        context_test(test_shattering__panels),
        context_test(test_shattering__refusals),
        context_test(test_version_shapes__regions),
        cmocka_unit_test(test_concept_pictures__survive_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
