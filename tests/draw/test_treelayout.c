/* SPDX-License-Identifier: MIT */
#include "draw/treelayout.h"
#include "base/memory.h"
#include "figures.h"
#include "record.h"
#include "support/unit.h"
#include "draw/plot.h"
#include "draw/treeplot.h"

enum { MOST = 400 };

/* A tree whose shape depends on `kind`: random, a chain, a star, a caterpillar, binary. */
static size_t grow(cairn_layout_node *nodes, size_t n, int kind, uint64_t *s)
{
    for (size_t i = 0; i < n; i++) {
        int parent = i == 0      ? -1
                     : kind == 0 ? (int)(next_uniform(s) * (double)i)
                     : kind == 1 ? (int)i - 1
                     : kind == 2 ? 0
                     : kind == 3 ? (int)(i % 2 ? i - 1 : i - 2)
                                 : (int)(i - 1) / 2;
        nodes[i] = (cairn_layout_node){.parent = parent < 0 && i ? 0 : parent,
                                       .width = 5 + 100 * next_uniform(s),
                                       .height = 5 + 30 * next_uniform(s)};
    }
    return n;
}

static void check_layout(const cairn_layout_node *nodes, size_t n, double gap, double width)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(nodes[i].x - nodes[i].width / 2 >= -1e-6);
        assert_true(nodes[i].x + nodes[i].width / 2 <= width + 1e-6);
        for (size_t j = 0; j < i; j++) {
            double apart = fabs(nodes[i].x - nodes[j].x) - (nodes[i].width + nodes[j].width) / 2;
            if (nodes[i].depth == nodes[j].depth) assert_true(apart >= gap - 1e-6);
            if (nodes[i].depth > nodes[j].depth)
                assert_true(nodes[i].y >= nodes[j].y + nodes[j].height);
        }
    }
}

/* Every parent over the middle of its first and last child, children in order. */
static void check_parents(const cairn_layout_node *nodes, size_t n)
{
    for (size_t p = 0; p < n; p++) {
        double first = NAN, last = NAN;
        for (size_t i = 1; i < n; i++) {
            if (nodes[i].parent != (int)p) continue;
            if (isnan(first)) first = nodes[i].x;
            assert_true(isnan(last) || nodes[i].x > last);
            last = nodes[i].x;
        }
        if (!isnan(first)) assert_true(fabs(nodes[p].x - (first + last) / 2) < 1e-6);
    }
}

static void test_treelayout__boxes_never_overlap(void **state)
{
    cairn_context *ctx = *state;
    static cairn_layout_node nodes[MOST];
    uint64_t s = 4;
    for (int round = 0; round < 60; round++) {
        size_t n = grow(nodes, 1 + (size_t)(next_uniform(&s) * 150), round % 5, &s);
        double width, height;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        assert_ok(ctx, cairn_tree_layout(ctx, nodes, n, 10, 20, &width, &height));
        check_layout(nodes, n, 10, width);
        check_parents(nodes, n);
        cairn_scratch_release(ctx, mark);
    }
}

static void test_treelayout__symmetric_tree_is_symmetric(void **state)
{
    cairn_context *ctx = *state;
    cairn_layout_node nodes[7];
    double width, height;
    for (int i = 0; i < 7; i++)
        nodes[i] = (cairn_layout_node){.parent = i ? (i - 1) / 2 : -1, .width = 20, .height = 10};
    assert_ok(ctx, cairn_tree_layout(ctx, nodes, 7, 10, 20, &width, &height));
    assert_true(fabs(width - 110) < 1e-9);
    assert_true(fabs(height - 70) < 1e-9);
    assert_true(fabs(nodes[0].x - 55) < 1e-9);
    assert_true(fabs(nodes[1].x + nodes[2].x - 110) < 1e-9);
}

static void test_treelayout__large_trees_count_what_they_hide(void **state)
{
    cairn_context *ctx = *state;
    const int sizes[] = {201, 3000, 20000};
    for (int kind = 0; kind < 3; kind++)
        for (size_t k = 0; k < 3; k++) {
            cairn_figure *figure = NULL;
            cairn_tree_view view;
            uint64_t s = 8;
            assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", "t"));
            for (int i = 0; i < sizes[k]; i++) {
                int parent = i == 0      ? -1
                             : kind == 0 ? (int)(next_uniform(&s) * i)
                             : kind == 1 ? i - 1
                                         : 0;
                cairn_figure_tree_node(figure, parent, "e", "n", false, -1, NULL, 0);
            }
            cairn_scratch_mark mark = cairn_scratch_now(ctx);
            assert_ok(ctx, cairn_tree_choose(ctx, &view, figure, 200, 64, SIZE_MAX));
            size_t shown = 0, hidden = 0;
            for (int i = 0; i < sizes[k]; i++) {
                shown += view.shown[i];
                hidden += view.hidden[i];
            }
            assert_int_equal(shown + hidden, sizes[k]);
            assert_in_range(shown, 2, 200);
            cairn_scratch_release(ctx, mark);
            char *out = NULL;
            assert_ok(ctx, cairn_figure_svg(ctx, figure, &out));
            assert_non_null(strstr(out, "nodes more"));
            cairn_free(out);
            assert_ok(ctx, cairn_figure_terminal(ctx, figure, 60, false, &out));
            assert_non_null(strstr(out, "more"));
            cairn_free(out);
            cairn_figure_free(figure);
        }
}

static void test_treelayout__pictures_of_random_trees_have_no_overlaps(void **state)
{
    cairn_context *ctx = *state;
    for (int round = 0; round < 12; round++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "t", "A tree"));
        fill_random_tree(figure, 10 + 15 * round, (uint64_t)round);
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        recorder_start(&r, drawing.width, drawing.height);
        assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
        for (size_t i = 0; i < r.n_texts; i++)
            for (size_t j = 0; j < i; j++)
                if (texts_overlap(&r.texts[i], &r.texts[j]))
                    fail_msg("'%s' overlaps '%s'", r.texts[i].text, r.texts[j].text);
        recorder_clear(&r);
        cairn_scratch_release(ctx, mark);
        cairn_figure_free(figure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_treelayout__boxes_never_overlap),
        context_test(test_treelayout__symmetric_tree_is_symmetric),
        context_test(test_treelayout__large_trees_count_what_they_hide),
        context_test(test_treelayout__pictures_of_random_trees_have_no_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
