/* SPDX-License-Identifier: MIT */
/* Pictures about concepts, item sets and version spaces: what stands in them, and what they refuse.
 */
#include "drawn.h"
#include "pictures/picture.h"
#include "support/fail_alloc.h"

#include "base/memory.h"

#include <math.h>

static void assert_order(cairn_context *ctx, size_t nodes, size_t lines, const char *const *words)
{
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report, words);
    assert_int_equal(figure->n_order_nodes, nodes);
    assert_int_equal(figure->n_order_lines, lines);
    cairn_report_free(report);
}

static void assert_refused(cairn_context *ctx, cairn_status expected, const char *part,
                           const char *const *words)
{
    cairn_report *report;
    assert_fails(ctx, run_words(ctx, &report, words), expected, part);
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
    const cairn_figure *figure = drawn(ctx, &report,
                                       WORDS("draw", "lattice", "@enjoysport", "--show", "complete",
                                             "--colour", "version-space", "--caption", "counts"));
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
    const cairn_figure *figure = drawn(
        ctx, &report, WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "closed", "--walk"));
    for (size_t k = 0; k < figure->n_order_lines; k++) marked += figure->order_lines[k].path;
    for (size_t i = 0; i < figure->n_order_nodes; i++)
        coloured += figure->order_nodes[i].look.group == 0;
    assert_int_equal(coloured, 5);
    assert_int_equal(marked, 4);
    cairn_report_free(report);
    assert_order(ctx, 5, 4, WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "path"));
    figure = drawn(ctx, &report,
                   WORDS("draw", "lattice", "@dolphins", LEVELS, "--show", "path", "--curve"));
    assert_int_equal(figure->n_panels, 2);
    assert_int_equal(figure->panels[0]->n_order_nodes, 5);
    const cairn_series *curve = &figure->panels[1]->series[0]; /* from 0,0 over five to 5,5 */
    assert_int_equal(curve->n, 7);
    assert_true(curve->x[3] == 1 && curve->y[3] == 5 && curve->x[6] == 5 && curve->y[6] == 5);
    cairn_report_free(report);
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
        drawn(ctx, &report, WORDS("draw", "item-lattice", "@baskets", "--support", "3"));
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
    const cairn_figure *figure = drawn(ctx, &report, words);
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
    const cairn_figure *figure = drawn(ctx, &report, WORDS("draw", "version-line", "@threshold"));
    assert_true(fabs(shaded(figure) - 3 * 0.6) < 1e-12); /* 17 < m <= 20, 0.6 high */
    cairn_report_free(report);
    figure =
        drawn(ctx, &report, WORDS("draw", "version-line", "@threshold-seven", "--form", "at-most"));
    assert_true(shaded(figure) == 0);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "version-boxes", "@disc-points"));
    /* x from the frame to 16, y up to 12, and above that from 2 or 3, less the tightest box */
    double left = figure->x_range.low, floor = figure->y_range.low, top = figure->y_range.high;
    double area = (16 - left) * (12 - floor) + 14 * 3 + 13 * (top - 15) - 40;
    assert_true(fabs(shaded(figure) - area) < 1e-9);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "version-discs", "@disc-points"));
    /* the polygon with the corners that 'compute version-discs' shows */
    assert_true(fabs(shaded(figure) - 16.399) < 0.01);
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_USAGE, "3 numbers",
                   WORDS("draw", "version-boxes", "@disc-points", "--box", "1,2,3"));
    assert_refused(ctx, CAIRN_USAGE, "two number columns",
                   WORDS("draw", "version-discs", "@threshold"));
}

/* Numbers that the figures of texts show: the line, the means and the threshold of two classes. */
static void test_class_line__is_least_squares(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "class-line", "@weight-diabetes"));
    const cairn_series *line = NULL, *rule = NULL, *means[2] = {NULL, NULL};
    size_t n_means = 0;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind == CAIRN_LINE) line = series;
        if (series->kind == CAIRN_RULE_X) rule = series;
        if (series->kind == CAIRN_MARK && n_means < 2) means[n_means++] = series;
    }
    assert_true(line && rule && n_means == 2);
    double slope = (line->y[1] - line->y[0]) / (line->x[1] - line->x[0]);
    assert_true(fabs(slope - 0.026608194338367537) < 1e-12);
    assert_true(fabs(line->y[0] - slope * line->x[0] + 2.290965532533445) < 1e-9);
    assert_true(fabs(rule->x[0] - 86.1) < 1e-9);
    assert_true(fabs(means[0]->x[0] - 96.9) < 1e-9 && means[0]->y[0] == 1);
    assert_true(fabs(means[1]->x[0] - 75.3) < 1e-9 && means[1]->y[0] == -1);
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "class-line", "@weight-diabetes", "--where", "weight <= 96"));
    for (size_t i = 0; i < figure->n_series; i++)
        if (figure->series[i].kind == CAIRN_RULE_X)
            assert_true(fabs(figure->series[i].x[0] - 81.15855855855855) < 1e-9);
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_USAGE, "two different numbers",
                   WORDS("draw", "class-line", "@weight-diabetes", "--codes", "1,1"));
    assert_refused(ctx, CAIRN_BAD_DATA, "one class only",
                   WORDS("draw", "class-line", "@weight-diabetes", "--where", "diabetes == '+'",
                         "--of-class", "+"));
}

static double mark_at(const cairn_figure *figure, size_t number)
{
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].kind == CAIRN_MARK && figure->series[s].ordinal == number)
            return figure->series[s].x[0];
    return NAN;
}

static void test_strip__means_cuts_and_refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "strip", "@weight-diabetes", "--means", "--shade", "80,90", "--cuts",
                    "86.1", "--parts", "light,heavy"));
    assert_true(fabs(mark_at(figure, 0) - 96.9) < 1e-9);
    assert_true(fabs(mark_at(figure, 1) - 75.3) < 1e-9);
    assert_true(fabs(shaded(figure) - 6) < 1e-9);
    cairn_report_free(report);
    drawn(ctx, &report,
          WORDS("draw", "strip", "--cuts", "6,12,18", "--low", "0", "--high", "24", "--parts",
                "night,morning,afternoon,evening"));
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_USAGE, "ascending", WORDS("draw", "strip", "--cuts", "2,1"));
    assert_refused(ctx, CAIRN_USAGE, "2 names for the 3 parts",
                   WORDS("draw", "strip", "--cuts", "1,2", "--parts", "a,b"));
    assert_refused(ctx, CAIRN_USAGE, "low,high", WORDS("draw", "strip", "--shade", "2,1"));
    assert_refused(ctx, CAIRN_USAGE, "nothing to draw", WORDS("draw", "strip"));
}

/* Mean distances by hand: of one column, and of typed weights. */
static void test_projection__directions(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(
        ctx, &report,
        WORDS("draw", "projection", "@weight-diabetes", "--columns", "weight", "--part", "strip"));
    assert_true(fabs(mark_at(figure, 0) - 10.8) < 1e-9);
    assert_true(fabs(mark_at(figure, 1) + 10.8) < 1e-9);
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "projection", "@disc-points", "--weights", "3,4", "--threshold",
                         "50", "--part", "strip"));
    assert_true(fabs(mark_at(figure, 0) - ((3 * 9.5 + 4 * 8.5) / 5 - 10)) < 1e-9);
    cairn_report_free(report);
    drawn(ctx, &report,
          WORDS("draw", "projection", "@iris", "--of-class", "setosa", "--direction", "fisher"));
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_USAGE, "1 numbers for 2 columns",
                   WORDS("draw", "projection", "@disc-points", "--weights", "1"));
    assert_refused(
        ctx, CAIRN_NO_SOLUTION, "depend on each other",
        WORDS("draw", "projection", "@disc-points", "--columns", "x,x", "--direction", "fisher"));
}

static const cairn_series *line_of(const cairn_figure *figure, const char *label)
{
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind == CAIRN_LINE && series->label && strstr(series->label, label))
            return series;
    }
    return NULL;
}

/* How many points lie in the box of a closed line. */
static size_t points_in(const cairn_figure *figure, const cairn_series *line)
{
    double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    size_t n = 0;
    for (size_t i = 0; i < line->n; i++) {
        box[0] = fmin(box[0], line->x[i]);
        box[1] = fmax(box[1], line->x[i]);
        box[2] = fmin(box[2], line->y[i]);
        box[3] = fmax(box[3], line->y[i]);
    }
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *points = &figure->series[s];
        for (size_t i = 0; points->kind == CAIRN_POINTS && i < points->n; i++)
            n += points->x[i] > box[0] && points->x[i] < box[1] && points->y[i] > box[2] &&
                 points->y[i] < box[3];
    }
    return n;
}

/* Every curve holds as many rows as its hypothesis covers. */
static void test_nested__curves_hold_what_they_cover(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(
        ctx, &report,
        WORDS("draw", "nested", "@weather", "--hypothesis", "outlook == 'sunny'", "--hypothesis",
              "humidity == 'high'", "--hypothesis", "outlook == 'sunny' AND humidity == 'high'",
              "--hypothesis", "outlook == 'overcast' AND humidity == 'normal'"));
    assert_int_equal(points_in(figure, line_of(figure, "h1:")), 5);
    assert_int_equal(points_in(figure, line_of(figure, "h2:")), 7);
    assert_int_equal(points_in(figure, line_of(figure, "h3:")), 3);
    assert_int_equal(points_in(figure, line_of(figure, "h4:")), 2);
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "nested", "@threshold", "--hypothesis", "x >= 19", "--hypothesis",
                         "x > 17", "--hypothesis", "x >= 25"));
    assert_int_equal(points_in(figure, line_of(figure, "h1, h2:")), 5);
    assert_int_equal(points_in(figure, line_of(figure, "h3:")), 3);
    cairn_report_free(report);
    figure = drawn(
        ctx, &report,
        WORDS("draw", "nested", "@weather", "--hypothesis", "outlook == 'sunny'", "--hypothesis",
              "humidity == 'high'", "--hypothesis", "wind == 'weak'", "--hypothesis",
              "outlook == 'rain' AND humidity == 'normal' AND wind == 'strong'", "--hypothesis",
              "outlook == 'sunny' AND humidity == 'high' AND "
              "wind == 'weak' AND temperature == 'hot'"));
    assert_int_equal(points_in(figure, line_of(figure, "h1:")), 5);
    assert_int_equal(points_in(figure, line_of(figure, "h2:")), 7);
    assert_int_equal(points_in(figure, line_of(figure, "h3:")), 8);
    assert_int_equal(points_in(figure, line_of(figure, "h5:")), 1);
    cairn_report_free(report);
    assert_refused(ctx, CAIRN_BAD_DATA, "leave out a --hypothesis",
                   WORDS("draw", "nested", "@weather", "--hypothesis", "outlook == 'sunny'",
                         "--hypothesis", "humidity == 'high'", "--hypothesis", "wind == 'weak'",
                         "--hypothesis", "temperature == 'mild'"));
    assert_refused(ctx, CAIRN_BAD_DATA, "covers no row",
                   WORDS("draw", "nested", "@threshold", "--hypothesis", "x > 1000"));
}

/* The leaves divide the space: areas of the rectangles sum to that of all. */
static void test_tree_regions__divide_the_space(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_virtual_files files = {0};
    const char *const fits[][10] = {
        {"fit", "tree", "@iris", "--features", "petal_length,petal_width", "--save", "t.cairn"},
        {"fit", "tree", "@weather", "--features", "outlook,humidity", "--save", "t.cairn"},
        {"fit", "tree", "@weather", "--features", "outlook,humidity", "--split", "binary", "--save",
         "t.cairn"}};
    const size_t lengths[] = {7, 7, 9};
    const double areas[] = {16, 6, 6};
    for (size_t k = 0; k < 3; k++) {
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run_files(ctx, report, NULL, &files, (int)lengths[k], fits[k]));
        cairn_report_free(report);
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run_files(ctx, report, NULL, &files, 3,
                                       WORDS("draw", "tree-regions", "t.cairn")));
        assert_true(fabs(shaded(cairn_report_figure_at(report, 0)) - areas[k]) < 1e-9);
        cairn_report_free(report);
    }
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_files(ctx, report, NULL, &files, 5,
                                   WORDS("fit", "tree", "@weather", "--save", "t.cairn")));
    cairn_report_free(report);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_fails(
        ctx,
        cairn_run_files(ctx, report, NULL, &files, 3, WORDS("draw", "tree-regions", "t.cairn")),
        CAIRN_USAGE, "no regions of one or two columns");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static cairn_status draw_work(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL;
    cairn_status status = run_words(ctx, &report, data);
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
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "nested", "@threshold", "--hypothesis", "x > 20"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "projection", "@disc-points"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "strip", "@weight-diabetes", "--means"));
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
        context_test(test_class_line__is_least_squares),
        context_test(test_strip__means_cuts_and_refusals),
        context_test(test_projection__directions),
        context_test(test_nested__curves_hold_what_they_cover),
        context_test(test_tree_regions__divide_the_space),
        cmocka_unit_test(test_concept_pictures__survive_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
