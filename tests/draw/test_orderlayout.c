/* SPDX-License-Identifier: MIT */
#include "draw/orderlayout.h"
#include "base/memory.h"
#include "draw/plot.h"
#include "figures.h"
#include "record.h"
#include "support/fail_alloc.h"
#include "support/unit.h"

enum { MOST = 80 };

typedef struct made {
    cairn_order_box boxes[MOST];
    cairn_order_link links[MOST * MOST];
    cairn_order_layout order;
} made;

/* Boxes of random sizes with random links from later to earlier ones. */
static void make(made *m, size_t n, double share, uint64_t *s)
{
    m->order =
        (cairn_order_layout){.boxes = m->boxes, .n = n, .links = m->links, .gap = 8, .row_gap = 30};
    for (size_t i = 0; i < n; i++)
        m->boxes[i] = (cairn_order_box){
            .width = 10 + 90 * next_uniform(s), .height = 10 + 30 * next_uniform(s), .rank = -1};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (next_uniform(s) < share)
                m->links[m->order.n_links++] = (cairn_order_link){.upper = (int)i, .lower = (int)k};
}

/* No two boxes of a row overlap, upper ends stand higher, and no line passes through a box. */
static void check(const cairn_order_layout *o)
{
    for (size_t i = 0; i < o->n; i++) {
        const cairn_order_box *a = &o->boxes[i];
        assert_true(a->x - a->width / 2 >= -1e-6 && a->x + a->width / 2 <= o->width + 1e-6);
        assert_true(a->y >= -1e-6 && a->y + a->height <= o->height + 1e-6);
        for (size_t k = 0; k < i; k++) {
            const cairn_order_box *b = &o->boxes[k];
            if (a->rank == b->rank)
                assert_true(fabs(a->x - b->x) >= (a->width + b->width) / 2 + o->gap - 1e-6);
        }
    }
    for (size_t k = 0; k < o->n_links; k++) {
        const cairn_order_link *l = &o->links[k];
        const cairn_order_box *upper = &o->boxes[l->upper], *lower = &o->boxes[l->lower];
        assert_true(upper->rank > lower->rank);
        assert_true(upper->y + upper->height <= lower->y + 1e-6);
        assert_int_equal(l->n_bends, (size_t)(upper->rank - lower->rank - 1));
        for (size_t b = 0; b < l->n_bends; b++)
            for (size_t i = 0; i < o->n; i++)
                if (o->boxes[i].rank == upper->rank - 1 - (int)b)
                    assert_true(fabs(o->boxes[i].x - l->bends[b]) >= o->boxes[i].width / 2);
    }
}

static void test_orderlayout__boxes_and_lines_never_overlap(void **state)
{
    cairn_context *ctx = *state;
    static made m;
    uint64_t s = 7;
    for (int round = 0; round < 40; round++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        make(&m, 1 + (size_t)(next_uniform(&s) * (MOST - 1)), 0.12 * next_uniform(&s), &s);
        assert_ok(ctx, cairn_order_place(ctx, &m.order));
        check(&m.order);
        cairn_scratch_release(ctx, mark);
    }
}

/* Two rows joined crosswise: the lower one is turned round and no line crosses another. */
static void test_orderlayout__crossings_are_undone(void **state)
{
    cairn_context *ctx = *state;
    static made m;
    uint64_t s = 1;
    make(&m, 10, 0, &s);
    for (int i = 0; i < 5; i++)
        m.links[m.order.n_links++] = (cairn_order_link){.upper = 5 + i, .lower = 4 - i};
    assert_ok(ctx, cairn_order_place(ctx, &m.order));
    check(&m.order);
    assert_int_equal(m.order.n_rows, 2);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_true((m.boxes[5 + i].x < m.boxes[5 + k].x) ==
                        (m.boxes[4 - i].x < m.boxes[4 - k].x));
}

/* The four sets of two elements: a diamond, the ends in the middle. */
static void test_orderlayout__diamond_is_symmetric(void **state)
{
    cairn_context *ctx = *state;
    static made m;
    static const int ends[4][2] = {{3, 1}, {3, 2}, {1, 0}, {2, 0}};
    uint64_t s = 1;
    make(&m, 4, 0, &s);
    for (int i = 0; i < 4; i++) {
        m.boxes[i].width = 40;
        m.links[m.order.n_links++] = (cairn_order_link){.upper = ends[i][0], .lower = ends[i][1]};
    }
    assert_ok(ctx, cairn_order_place(ctx, &m.order));
    assert_int_equal(m.order.n_rows, 3);
    assert_true(fabs(m.boxes[0].x - m.boxes[3].x) < 0.01);
    assert_true(fabs(m.boxes[1].x + m.boxes[2].x - 2 * m.boxes[0].x) < 0.01);
}

static void test_orderlayout__rows_are_closed_and_options_kept(void **state)
{
    cairn_context *ctx = *state;
    static made m;
    uint64_t s = 1;
    make(&m, 3, 0, &s);
    m.boxes[0].rank = 2; /* no link, rows 0 and 9 empty */
    m.boxes[1].rank = 5;
    m.boxes[2].rank = 5;
    assert_ok(ctx, cairn_order_place(ctx, &m.order));
    assert_int_equal(m.order.n_rows, 2);
    assert_int_equal(m.boxes[0].rank, 0);
    assert_int_equal(m.boxes[2].rank, 1);
}

static void test_orderlayout__circles_are_refused(void **state)
{
    cairn_context *ctx = *state;
    static made m;
    uint64_t s = 1;
    make(&m, 2, 0, &s);
    m.links[0] = (cairn_order_link){.upper = 0, .lower = 1};
    m.links[1] = (cairn_order_link){.upper = 1, .lower = 0};
    m.order.n_links = 2;
    assert_fails(ctx, cairn_order_place(ctx, &m.order), CAIRN_INTERNAL, "circle");
}

/* The subsets of n elements. */
static void fill_subsets(cairn_figure *figure, int n)
{
    for (int code = 0; code < 1 << n; code++) {
        char text[16];
        snprintf(text, sizeof text, "set\n%d", code);
        cairn_order_look look = {
            .group = code % 4 - 1, .sides = code % 10, .strong = code % 3 == 0, .rank = -1};
        cairn_figure_order_node(figure, text, &look);
    }
    for (int code = 0; code < 1 << n; code++)
        for (int i = 0; i < n; i++)
            if (code & 1 << i) cairn_figure_order_line(figure, code, code & ~(1 << i), i == 0);
    cairn_figure_order_key(figure, "colour", &(cairn_order_look){.group = 1});
    cairn_figure_order_key(figure, "thick", &(cairn_order_look){.group = -1, .strong = true});
    cairn_figure_order_key(figure, "path", NULL);
}

static void test_orderlayout__pictures_have_no_overlaps(void **state)
{
    cairn_context *ctx = *state;
    for (int n = 1; n <= 7; n++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        char *text;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "sets", "All sets"));
        fill_subsets(figure, n);
        assert_ok(ctx, cairn_figure_status(figure));
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        recorder_start(&r, drawing.width, drawing.height);
        assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
        assert_int_equal(r.n_bad, 0);
        for (size_t i = 0; i < r.n_texts; i++)
            for (size_t j = 0; j < i; j++)
                if (texts_overlap(&r.texts[i], &r.texts[j]))
                    fail_msg("'%s' overlaps '%s'", r.texts[i].text, r.texts[j].text);
        recorder_clear(&r);
        cairn_scratch_release(ctx, mark);
        assert_ok(ctx, cairn_figure_terminal(ctx, figure, 70, false, &text));
        assert_non_null(strstr(text, "under 1"));
        assert_non_null(strstr(text, "the path goes this way"));
        cairn_free(text);
        cairn_figure_free(figure);
    }
}

static void test_orderlayout__bad_lines_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    assert_int_equal(cairn_figure_order_node(NULL, "", &(cairn_order_look){0}), -1);
    cairn_figure_order_line(NULL, 0, 1, false);
    cairn_figure_order_key(NULL, "", NULL);
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "o", "o"));
    assert_int_equal(cairn_figure_order_node(figure, "a", &(cairn_order_look){.rank = -1}), 0);
    cairn_figure_order_line(figure, 0, 1, false);
    assert_int_equal(cairn_figure_status(figure), CAIRN_INTERNAL);
    cairn_figure_free(figure);
}

static cairn_status draw_all(cairn_context *ctx, void *data)
{
    cairn_figure *figure = NULL;
    char *text = NULL;
    cairn_status status;
    (void)data;
    TRY(cairn_figure_new(ctx, &figure, "sets", "All sets"));
    fill_subsets(figure, 2);
    TRY(cairn_figure_svg(ctx, figure, &text));
    cairn_free(text);
    text = NULL;
    TRY(cairn_figure_terminal(ctx, figure, 70, false, &text));
done:
    cairn_free(text);
    cairn_figure_free(figure);
    return status;
}

static void test_orderlayout__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(draw_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_orderlayout__boxes_and_lines_never_overlap),
        context_test(test_orderlayout__crossings_are_undone),
        context_test(test_orderlayout__diamond_is_symmetric),
        context_test(test_orderlayout__rows_are_closed_and_options_kept),
        context_test(test_orderlayout__circles_are_refused),
        context_test(test_orderlayout__pictures_have_no_overlaps),
        context_test(test_orderlayout__bad_lines_are_refused),
        cmocka_unit_test(test_orderlayout__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
