/* SPDX-License-Identifier: MIT */
#include "plots/dendrogram_plot.h"
#include "base/file.h"
#include "base/memory.h"
#include "drawn.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A balanced tree: neighbours are joined level by level, one higher each time. */
static cairn_status balanced(cairn_context *ctx, cairn_dendrogram *tree, size_t n)
{
    size_t first = 0, count = n, made = 0;
    CHECK(cairn_dendrogram_new(ctx, tree, n));
    for (double height = 1; count > 1; height++, count /= 2) {
        for (size_t i = 0; i + 1 < count; i += 2)
            tree->merges[made++] = (cairn_merge){.left = (uint32_t)(first + i),
                                                 .right = (uint32_t)(first + i + 1),
                                                 .height = height};
        first += count;
    }
    return cairn_dendrogram_complete(ctx, tree);
}

static double leaves_drawn(const cairn_figure *figure, size_t *ends)
{
    double leaves = 0;
    *ends = 0;
    for (size_t i = 0; i < figure->dendro.n; i++) {
        if (figure->dendro.branches[i].left >= 0) continue;
        leaves += figure->dendro.branches[i].size;
        ++*ends;
    }
    return leaves;
}

static void test_dendrogram_plot__many_leaves_are_collapsed(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    static const int most[] = {2, 3, 40, 1000};
    assert_ok(ctx, balanced(ctx, &tree, 4096));
    for (size_t k = 0; k < 4; k++) {
        OWNED(cairn_figure_free) cairn_figure *figure = NULL;
        cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
        size_t ends;
        look.most = most[k];
        assert_ok(ctx, cairn_dendrogram_figure(ctx, &figure, &tree, &look, NULL, "t", NULL));
        assert_float_equal(leaves_drawn(figure, &ends), 4096, 0);
        assert_int_equal(ends, most[k]);
        assert_non_null(strstr(figure->dendro.look.note, "triangles"));
    }
}

/* Of four clusters each has a colour; merges above the cut have none, and the line lies between the
 * merges that are kept and those that are undone. */
static void test_dendrogram_plot__cuts_have_a_line_and_colours(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
    cairn_cut cut;
    size_t plain = 0;
    assert_ok(ctx, balanced(ctx, &tree, 16));
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 4));
    assert_ok(ctx, cairn_dendrogram_figure(ctx, &figure, &tree, &look, &cut, "t", NULL));
    assert_int_equal(figure->dendro.n, 31);
    for (size_t i = 0; i < 31; i++) {
        const cairn_branch *b = &figure->dendro.branches[i];
        plain += b->group < 0;
        if (b->group < 0) assert_true(b->height > 2);
        if (b->left < 0) assert_true(b->group >= 0 && b->group < 4);
    }
    assert_int_equal(plain, 3);
    assert_int_equal(figure->n_series, 1);
    assert_true(figure->series[0].y[0] > 2 && figure->series[0].y[0] < 3);
    assert_int_equal(figure->n_tree_groups, 4);
}

/* Where an inversion lies across a cut no line divides the merges. */
static void test_dendrogram_plot__inversions_have_no_line(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
    cairn_cut cut;
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, 3));
    tree.merges[0] = (cairn_merge){.left = 0, .right = 1, .height = 1};
    tree.merges[1] = (cairn_merge){.left = 3, .right = 2, .height = 0.5};
    assert_ok(ctx, cairn_dendrogram_complete(ctx, &tree));
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 2));
    look.sets = true;
    assert_ok(ctx, cairn_dendrogram_figure(ctx, &figure, &tree, &look, &cut, "t", NULL));
    assert_int_equal(figure->n_series, 0);
    assert_non_null(strstr(figure->dendro.look.note, "inversions"));
    assert_string_equal(figure->dendro.branches[4].text, "{1, 2, 3}");
}

/* -- steps -- */

static void write_text(cairn_context *ctx, const char *path, const char *text)
{
    assert_ok(ctx, cairn_file_write_all(ctx, path, text, strlen(text)));
}

static const cairn_series *dashed_line(const cairn_figure *figure)
{
    const cairn_series *found = NULL;
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].kind == CAIRN_LINE && figure->series[s].dashed)
            found = &figure->series[s];
    assert_non_null(found);
    return found;
}

static double length_of(const cairn_series *line)
{
    return hypot(line->x[1] - line->x[0], line->y[1] - line->y[0]);
}

/* Two pairs of points, one apart and 5 from each other: the last merge is at the nearest pair, the
 * farthest pair or the means, and a first split shows the diameter. */
static void test_merging__lines_are_what_the_distance_comes_from(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *learner;
        double length;
        size_t panel;
    } cases[] = {{"hierarchy:linkage=single", 5, 2},
                 {"hierarchy:linkage=complete", 5.0990195135927845, 2},
                 {"hierarchy:linkage=centroid", 5, 2},
                 {"hierarchy:method=diana", 5.0990195135927845, 0}};
    write_text(ctx, "dendrogram_pairs.csv", "x,y\n0,0\n0,1\n5,0\n5,1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *report;
        const cairn_figure *figure =
            drawn(ctx, &report,
                  WORDS("draw", "merging", "dendrogram_pairs.csv", "--with", "scale:method=none",
                        "--learner", cases[i].learner));
        assert_int_equal(figure->n_panels, 3);
        assert_float_equal(length_of(dashed_line(figure->panels[cases[i].panel])), cases[i].length,
                           1e-12);
        cairn_report_free(report);
    }
    remove("dendrogram_pairs.csv");
}

static void test_linkages__panels_beside_the_points(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "linkages", "@grid", "--linkages", "single,ward"));
    assert_int_equal(figure->n_panels, 3);
    assert_int_equal(figure->panels[0]->dendro.n, 0);
    assert_int_equal(figure->panels[2]->dendro.n, 15);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "linkages", "@distances-five", "--as", "distances"));
    assert_int_equal(figure->n_panels, 3);
    cairn_report_free(report);
}

/* Row 1 at 0 and its neighbour at 1 against a splinter group at 4: D = 1 - 4. */
static void test_splinter__title_has_the_averages(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    write_text(ctx, "dendrogram_line.csv", "x,y\n0,0\n1,0\n4,0\n");
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "splinter", "dendrogram_line.csv", "--row", "1"));
    assert_non_null(strstr(cairn_figure_title(figure), "D(1) = 1 (dashed)"));
    assert_non_null(strstr(cairn_figure_title(figure), "4 (solid) = -3: it stays"));
    cairn_report_free(report);
    remove("dendrogram_line.csv");
}

static cairn_status draw(cairn_context *ctx, void *data)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
    cairn_cut cut;
    (void)data;
    look.most = 5;
    look.sets = true;
    CHECK(balanced(ctx, &tree, 8));
    CHECK(cairn_dendrogram_cut_number(ctx, &cut, &tree, 2));
    return cairn_dendrogram_figure(ctx, &figure, &tree, &look, &cut, "t", "height");
}

static void test_dendrogram_plot__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(draw, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_dendrogram_plot__many_leaves_are_collapsed),
        context_test(test_dendrogram_plot__cuts_have_a_line_and_colours),
        context_test(test_dendrogram_plot__inversions_have_no_line),
        context_test(test_merging__lines_are_what_the_distance_comes_from),
        context_test(test_linkages__panels_beside_the_points),
        context_test(test_splinter__title_has_the_averages),
        cmocka_unit_test(test_dendrogram_plot__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
