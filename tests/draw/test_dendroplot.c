/* SPDX-License-Identifier: MIT */
#include "draw/dendroplot.h"
#include "base/memory.h"
#include "draw/dendrolayout.h"
#include "draw/plot.h"
#include "figures.h"
#include "record.h"
#include "support/fail_alloc.h"
#include "support/unit.h"

enum { MOST = 60 };

typedef struct made {
    cairn_branch branches[2 * MOST];
    char texts[2 * MOST][64];
    size_t n;
} made;

/* Ends that are joined at random, some of them below what they join. */
static void make(made *m, size_t ends, bool texts, double unit, uint64_t *s)
{
    size_t open[MOST], n_open = ends;
    for (m->n = 0; m->n < ends; m->n++) {
        double size = next_uniform(s) < 0.2 ? 2 + floor(500 * next_uniform(s)) : 1;
        snprintf(m->texts[m->n], sizeof *m->texts, "end %zu of %g", m->n, size);
        m->branches[m->n] = (cairn_branch){.left = -1,
                                           .right = -1,
                                           .size = size,
                                           .height = size > 1 ? unit * next_uniform(s) : 0,
                                           .text = m->texts[m->n],
                                           .group = (int32_t)(m->n % 5) - 1};
        open[m->n] = m->n;
    }
    for (; n_open > 1; n_open--, m->n++) {
        size_t at = (size_t)(next_uniform(s) * (double)(n_open - 1));
        double height = unit * ((double)(m->n - ends) / (double)ends + 0.3 * next_uniform(s));
        snprintf(m->texts[m->n], sizeof *m->texts, "{set %zu}", m->n);
        m->branches[m->n] = (cairn_branch){.left = (int)open[at],
                                           .right = (int)open[at + 1],
                                           .height = height,
                                           .text = texts ? m->texts[m->n] : NULL,
                                           .group = -1};
        open[at] = m->n;
        for (size_t i = at + 1; i + 1 < n_open; i++) open[i] = open[i + 1];
    }
}

static void check_picture(cairn_context *ctx, const cairn_figure *figure)
{
    SCOPED_SCRATCH(ctx);
    cairn_drawing drawing;
    recorder r;
    assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
    recorder_start(&r, drawing.width, drawing.height);
    assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
    assert_int_equal(r.n_bad, 0);
    for (size_t i = 0; i < r.n_texts; i++) {
        for (size_t k = 0; k < 8; k++) {
            double most = k % 2 ? drawing.height : drawing.width;
            if (!(r.texts[i].corners[k] >= -1 && r.texts[i].corners[k] <= most + 1))
                fail_msg("'%s' lies outside of %gx%g", r.texts[i].text, drawing.width,
                         drawing.height);
        }
        for (size_t j = 0; j < i; j++)
            if (texts_overlap(&r.texts[i], &r.texts[j]))
                fail_msg("'%s' overlaps '%s'", r.texts[i].text, r.texts[j].text);
    }
    recorder_clear(&r);
}

/* All sides, with names at joins and without, on the scale of heights and by ranks. */
static void test_dendroplot__no_texts_overlap(void **state)
{
    cairn_context *ctx = *state;
    static const size_t sizes[] = {1, 2, 3, 7, 20, MOST};
    static const double units[] = {1, 1e-300, 1e307, 0};
    uint64_t s = 11;
    made m;
    for (int root = CAIRN_ROOT_TOP; root <= CAIRN_ROOT_RIGHT; root++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int form = 0; form < 8; form++) {
                OWNED(cairn_figure_free) cairn_figure *figure = NULL;
                cairn_dendro_look look = {.root = (cairn_root_side)root,
                                          .ranks = form & 1,
                                          .no_axis = form == 6,
                                          .note = form & 4 ? "a note" : NULL};
                make(&m, sizes[k], form & 2, units[(k + (size_t)form) % 4], &s);
                assert_ok(ctx, cairn_figure_new(ctx, &figure, "d", "A dendrogram"));
                cairn_figure_axes(figure, NULL, "height");
                cairn_figure_dendrogram(figure, m.branches, m.n, &look);
                if (form & 4) cairn_figure_rule_y(figure, "cut", 0.4);
                assert_ok(ctx, cairn_figure_status(figure));
                check_picture(ctx, figure);
                for (int columns = 20; columns <= 120; columns += 50) {
                    SCOPED(cairn_free_owned) char *text = NULL;
                    assert_ok(ctx, cairn_figure_terminal(ctx, figure, columns, false, &text));
                    assert_non_null(strstr(text, "end"));
                }
            }
}

static void test_dendroplot__ends_stand_in_the_order_of_the_tree(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    cairn_dendro_layout o;
    cairn_branch b[] = {{-1, -1, 0, 1, "a", 0},
                        {-1, -1, 0, 1, "b", 0},
                        {-1, -1, 0, 1, "c", 0},
                        {2, 0, 1, 0, NULL, 0},
                        {3, 1, 4, 0, NULL, 0}};
    cairn_dendro tree = {.branches = b, .n = 5};
    assert_ok(ctx, cairn_dendro_place(ctx, &o, &tree));
    assert_int_equal(o.n_ends, 3);
    assert_int_equal(o.ends[0], 2);
    assert_int_equal(o.ends[1], 0);
    assert_int_equal(o.ends[2], 1);
    assert_float_equal(o.place[3], 1, 0);
    assert_float_equal(o.place[4], 1.75, 0);
    assert_float_equal(cairn_dendro_rank(&o, 0), 0, 0);
    assert_float_equal(cairn_dendro_rank(&o, 1), 1, 0);
    assert_float_equal(cairn_dendro_rank(&o, 2.5), 1.5, 0);
    assert_float_equal(cairn_dendro_rank(&o, 4), 2, 0);
}

static void test_dendroplot__letters_join_at_the_heights(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_free_owned) char *text = NULL;
    cairn_branch b[] = {{-1, -1, 0, 1, "a", -1},
                        {-1, -1, 0, 1, "b", -1},
                        {-1, -1, 0, 1, "c", -1},
                        {0, 1, 5, 0, NULL, -1},
                        {3, 2, 10, 0, NULL, -1}};
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "d", ""));
    cairn_figure_dendrogram(figure, b, 5, &(cairn_dendro_look){.root = CAIRN_ROOT_RIGHT});
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 23, false, &text));
    assert_string_equal(text, "a ╶─────────┬─────────┐\n"
                              "b ╶─────────┘         │\n"
                              "c ╶───────────────────┘\n"
                              "  0         5        10\n");
}

static void test_dendroplot__what_is_no_tree_is_refused(void **state)
{
    cairn_context *ctx = *state;
    const cairn_branch end = {-1, -1, 0, 1, "a", 0};
    const cairn_branch bad[][3] = {
        {end, end, {0, 0, 1, 0, NULL, 0}},   {end, end, {0, 2, 1, 0, NULL, 0}},
        {end, end, {0, -1, 1, 0, NULL, 0}},  {end, end, end},
        {end, end, {0, 1, NAN, 0, NULL, 0}},
    };
    cairn_figure_dendrogram(NULL, bad[0], 3, &(cairn_dendro_look){0});
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OWNED(cairn_figure_free) cairn_figure *figure = NULL;
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "d", "d"));
        cairn_figure_dendrogram(figure, bad[i], 3, &(cairn_dendro_look){0});
        assert_int_equal(cairn_figure_status(figure), CAIRN_INTERNAL);
    }
}

static cairn_status draw_all(cairn_context *ctx, void *data)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_free_owned) char *text = NULL, *letters = NULL;
    (void)data;
    CHECK(cairn_figure_new(ctx, &figure, "dendrogram", "Branches"));
    fill_dendrogram_sets(figure);
    CHECK(cairn_figure_status(figure));
    CHECK(cairn_figure_svg(ctx, figure, &text));
    return cairn_figure_terminal(ctx, figure, 60, false, &letters);
}

static void test_dendroplot__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(draw_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_dendroplot__no_texts_overlap),
        context_test(test_dendroplot__ends_stand_in_the_order_of_the_tree),
        context_test(test_dendroplot__letters_join_at_the_heights),
        context_test(test_dendroplot__what_is_no_tree_is_refused),
        cmocka_unit_test(test_dendroplot__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
