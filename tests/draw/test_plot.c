/* SPDX-License-Identifier: MIT */
/* Layout of every figure of figures.h, seen by a canvas that records. */
#include "draw/plot.h"
#include "base/memory.h"
#include "base/text.h"
#include "figures.h"
#include "record.h"
#include "support/unit.h"

static void draw_case(cairn_context *ctx, const figure_case *item, recorder *r)
{
    cairn_figure *figure = NULL;
    cairn_drawing drawing;
    assert_ok(ctx, make_figure(ctx, item, &figure));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
    recorder_start(r, drawing.width, drawing.height);
    assert_ok(ctx, cairn_drawing_draw(&drawing, &r->canvas));
    cairn_scratch_release(ctx, mark);
    cairn_figure_free(figure);
}

static void check_apart(const recorder *r, const char *name)
{
    for (size_t i = 0; i < r->n_texts; i++)
        for (size_t j = 0; j < i; j++)
            if (texts_overlap(&r->texts[i], &r->texts[j]))
                fail_msg("%s at %g x %g: '%s' overlaps '%s'", name, r->canvas.width,
                         r->canvas.height, r->texts[i].text, r->texts[j].text);
}

static void check_inside(const recorder *r, const char *name)
{
    for (size_t i = 0; i < r->n_texts; i++)
        for (int c = 0; c < 4; c++) {
            double x = r->texts[i].corners[2 * c], y = r->texts[i].corners[2 * c + 1];
            if (x < -0.5 || y < -0.5 || x > r->canvas.width + 0.5 || y > r->canvas.height + 0.5)
                fail_msg("%s: '%s' leaves the picture at %g, %g of %g x %g", name, r->texts[i].text,
                         x, y, r->canvas.width, r->canvas.height);
        }
}

static void test_plot__text_is_apart_and_inside(void **state)
{
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        recorder r;
        draw_case(*state, &figure_cases[k], &r);
        check_apart(&r, figure_cases[k].name);
        check_inside(&r, figure_cases[k].name);
        recorder_clear(&r);
    }
}

/* The sizes that pages with columns give a picture. */
static void test_plot__text_is_apart_and_inside_when_small(void **state)
{
    cairn_context *ctx = *state;
    const double sizes[][2] = {{320, 220}, {260, 200}, {700, 240}};
    for (size_t k = 0; k < N_FIGURE_CASES; k++)
        for (size_t s = 0; s < 3; s++) {
            cairn_figure *figure = NULL;
            cairn_drawing drawing;
            recorder r;
            cairn_scratch_mark mark = cairn_scratch_now(ctx);
            assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
            cairn_figure_size(figure, sizes[s][0], sizes[s][1]);
            assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
            recorder_start(&r, drawing.width, drawing.height);
            assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
            check_apart(&r, figure_cases[k].name);
            check_inside(&r, figure_cases[k].name);
            recorder_clear(&r);
            cairn_scratch_release(ctx, mark);
            cairn_figure_free(figure);
        }
}

static void test_plot__numbers_are_finite_and_clips_closed(void **state)
{
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        recorder r;
        draw_case(*state, &figure_cases[k], &r);
        if (r.n_bad) fail_msg("%s: %zu numbers cannot be drawn", figure_cases[k].name, r.n_bad);
        assert_int_equal(r.clip_depth, 0);
        recorder_clear(&r);
    }
}

static void test_plot__small_and_large_sizes_are_drawn(void **state)
{
    cairn_context *ctx = *state;
    const double sizes[][2] = {{1, 1}, {120, 90}, {300, 200}, {5000, 100}, {1e9, 1e9}};
    for (size_t k = 0; k < N_FIGURE_CASES; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            cairn_figure *figure = NULL;
            if (figure_cases[k].fill == fill_many_points && s != 1) continue;
            assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
            cairn_figure_size(figure, sizes[s][0], sizes[s][1]);
            cairn_drawing drawing;
            recorder r;
            cairn_scratch_mark mark = cairn_scratch_now(ctx);
            assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
            recorder_start(&r, drawing.width, drawing.height);
            assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
            if (r.n_bad)
                fail_msg("%s at size %zu: %zu bad numbers", figure_cases[k].name, s, r.n_bad);
            recorder_clear(&r);
            cairn_scratch_release(ctx, mark);
            cairn_figure_free(figure);
        }
}

static bool has_text(const recorder *r, const char *text)
{
    for (size_t i = 0; i < r->n_texts; i++)
        if (strstr(r->texts[i].text, text)) return true;
    return false;
}

static const figure_case *case_named(const char *name)
{
    for (size_t k = 0; k < N_FIGURE_CASES; k++)
        if (strcmp(figure_cases[k].name, name) == 0) return &figure_cases[k];
    return NULL;
}

static void test_plot__many_points_are_thinned_and_it_is_said(void **state)
{
    recorder r;
    draw_case(*state, case_named("many-points"), &r);
    assert_in_range(r.n_marks, 5000, 20010);
    assert_true(has_text(&r, "of 99999 points drawn"));
    assert_true(has_text(&r, "1 point has no place"));
    recorder_clear(&r);
    draw_case(*state, case_named("scatter"), &r);
    assert_int_equal(r.n_marks, 150 + 3); /* and the legend's */
    assert_false(has_text(&r, "points"));
    recorder_clear(&r);
}

static void test_plot__legend_covers_no_data(void **state)
{
    cairn_context *ctx = *state;
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        const cairn_plot *plot = drawing.plot;
        if (plot && plot->has_legend) {
            cairn_box box = plot->legend.box;
            for (size_t s = 0; s < figure->n_series; s++)
                for (size_t i = 0; i < figure->series[s].n; i++) {
                    if (figure->series[s].kind > CAIRN_MARK) continue;
                    double x = cairn_axis_place(&plot->x, figure->series[s].x[i]);
                    double y = cairn_axis_place(&plot->y, figure->series[s].y[i]);
                    bool drawn = x >= plot->area.x && x <= plot->area.x + plot->area.width &&
                                 y >= plot->area.y && y <= plot->area.y + plot->area.height;
                    bool inside =
                        x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
                    if (drawn && inside)
                        fail_msg("%s: data under the legend", figure_cases[k].name);
                }
        }
        cairn_scratch_release(ctx, mark);
        cairn_figure_free(figure);
    }
}

static void test_plot__equal_axes_have_one_unit(void **state)
{
    cairn_context *ctx = *state;
    const char *const names[] = {"roc", "many-groups"};
    for (int k = 0; k < 2; k++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        assert_ok(ctx, make_figure(ctx, case_named(names[k]), &figure));
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        const cairn_plot *plot = drawing.plot;
        double x = plot->area.width / (plot->x.high - plot->x.low);
        double y = plot->area.height / (plot->y.high - plot->y.low);
        assert_true(fabs(x - y) < 1e-6 * x);
        cairn_figure_free(figure);
    }
}

static void test_plot__bars_with_the_same_name_share_a_category(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    const char *const first[] = {"a", "b", "b"}, *const second[] = {"b", "c", "a"};
    const double heights[] = {1, 2, 3};
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "bars", ""));
    cairn_figure_bars(figure, "one", first, heights, 3);
    cairn_figure_bars(figure, "two", second, heights, 3);
    assert_ok(ctx, cairn_figure_status(figure));
    assert_int_equal(figure->n_categories, 4); /* a, b, b, c */
    assert_true(figure->series[1].x[0] == 1 && figure->series[1].x[1] == 3 &&
                figure->series[1].x[2] == 0);
    cairn_figure_free(figure);
}

/* A number from a pool of ordinary and awkward ones. */
static double any_number(uint64_t *s)
{
    static const double pool[] = {0,     1,      -1,     0.5,     1e-9,     1e9,      NAN,
                                  -3.25, 1e300,  5e-324, -1e300,  7,        INFINITY, -INFINITY,
                                  42,    1e-300, 100,    DBL_MAX, -DBL_MAX, 1e15};
    double pick = next_uniform(s);
    if (pick < 0.5) return next_normal(s);
    return pool[(size_t)(next_uniform(s) * (sizeof pool / sizeof *pool))];
}

enum { MOST_RANDOM = 40 };

static void add_random_series(cairn_figure *figure, uint64_t *s)
{
    static const char *const names[MOST_RANDOM] = {"a", "bb", "ccc", "dddd", "a", "&<", NULL};
    double x[MOST_RANDOM + 1], y[MOST_RANDOM + 1], z[MOST_RANDOM + 1];
    int32_t group[MOST_RANDOM];
    size_t n = (size_t)(next_uniform(s) * MOST_RANDOM);
    const char *label = next_uniform(s) < 0.5 ? "a label" : NULL;
    for (size_t i = 0; i <= MOST_RANDOM; i++) {
        x[i] = any_number(s);
        y[i] = any_number(s);
        z[i] = any_number(s);
        if (i < MOST_RANDOM) group[i] = (int32_t)(next_uniform(s) * 14) - 2;
    }
    switch ((int)(next_uniform(s) * 10)) {
    case 0: cairn_figure_points(figure, x, y, group, n, names, 6); break;
    case 1: cairn_figure_line(figure, label, x, y, n); break;
    case 2: cairn_figure_dashed(figure, label, x, y, n); break;
    case 3: cairn_figure_band(figure, label, x, y, z, n); break;
    case 4: cairn_figure_mark(figure, label, x[0], y[0]); break;
    case 5: cairn_figure_rule_x(figure, label, x[0]); break;
    case 6: cairn_figure_rule_y(figure, label, y[0]); break;
    case 7: cairn_figure_label(figure, x[0], y[0], "text"); break;
    case 8: cairn_figure_bars(figure, label, names, y, n); break;
    default: cairn_figure_histogram(figure, label, x, y, n);
    }
}

static void fill_randomly(cairn_figure *figure, uint64_t *s)
{
    for (int k = (int)(next_uniform(s) * 6); k >= 0; k--) add_random_series(figure, s);
    if (next_uniform(s) < 0.3) cairn_figure_x_range(figure, any_number(s), any_number(s));
    if (next_uniform(s) < 0.3) cairn_figure_y_range(figure, any_number(s), any_number(s));
    if (next_uniform(s) < 0.3) cairn_figure_equal_axes(figure);
    cairn_figure_scales(figure, next_uniform(s) < 0.3, next_uniform(s) < 0.3);
    cairn_figure_axes(figure, next_uniform(s) < 0.5 ? "across" : NULL, "up");
    if (next_uniform(s) < 0.3)
        cairn_figure_size(figure, 900 * next_uniform(s), 700 * next_uniform(s));
}

static void test_plot__any_data_can_be_drawn(void **state)
{
    cairn_context *ctx = *state;
    uint64_t s = 99;
    for (int round = 0; round < 1500; round++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        char *text = NULL;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "any", "Any"));
        fill_randomly(figure, &s);
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        recorder_start(&r, drawing.width, drawing.height);
        assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
        if (r.n_bad) fail_msg("round %d: %zu numbers cannot be drawn", round, r.n_bad);
        assert_ok(ctx, cairn_figure_terminal(ctx, figure, 20 + round % 90, round % 2, &text));
        cairn_free(text);
        recorder_clear(&r);
        cairn_scratch_release(ctx, mark);
        cairn_figure_free(figure);
    }
}

/* Paper and pixels end at the same place: no row of an image is a part of one. */
static void test_plot__sizes_are_whole(void **state)
{
    cairn_context *ctx = *state;
    for (size_t k = 0; k < N_FIGURE_CASES; k++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        assert_ok(ctx, make_figure(ctx, &figure_cases[k], &figure));
        assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
        if (drawing.width != floor(drawing.width) || drawing.height != floor(drawing.height))
            fail_msg("%s is %g x %g", figure_cases[k].name, drawing.width, drawing.height);
        cairn_figure_free(figure);
    }
}

static const recorded_text *find_text(const recorder *r, const char *text)
{
    for (size_t i = 0; i < r->n_texts; i++)
        if (cairn_same(r->texts[i].text, text)) return &r->texts[i];
    fail_msg("'%s' is not there", text);
    return NULL;
}

/* Labels of one place are lines of one block, clear of the head of an arrow that ends there. */
static void test_plot__labels_of_one_place_are_a_block(void **state)
{
    cairn_context *ctx = *state;
    const double x[] = {3, 1}, y[] = {4, 2};
    static const char *const names[] = {"first", "second", "third"};
    cairn_figure *figure = NULL;
    cairn_drawing drawing;
    recorder r;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "labels", ""));
    cairn_figure_coverage_box(figure, 4, 4);
    cairn_figure_points(figure, x, y, NULL, 2, NULL, 0);
    cairn_figure_arrow(figure, NULL, x, y, 2);
    for (int i = 0; i < 3; i++) cairn_figure_label(figure, 1, 2, names[i]);
    assert_ok(ctx, cairn_drawing_prepare(ctx, &drawing, figure));
    for (size_t i = 0; i < drawing.plot->y.n_ticks; i++)
        assert_float_equal(drawing.plot->y.ticks[i], round(drawing.plot->y.ticks[i]), 0);
    recorder_start(&r, drawing.width, drawing.height);
    assert_ok(ctx, cairn_drawing_draw(&drawing, &r.canvas));
    const recorded_text *first = find_text(&r, "first"), *second = find_text(&r, "second");
    const recorded_text *third = find_text(&r, "third");
    assert_float_equal(second->corners[1] - first->corners[1], 12, 1e-9);
    assert_float_equal(third->corners[1] - second->corners[1], 12, 1e-9);
    double at_y = cairn_axis_place(&drawing.plot->y, 2);
    double at_x = cairn_axis_place(&drawing.plot->x, 1);
    for (int c = 0; c < 4; c++) /* the arrow comes from the upper right */
        assert_true(first->corners[2 * c] < at_x || first->corners[2 * c + 1] > at_y);
    check_apart(&r, "labels");
    recorder_clear(&r);
    cairn_figure_free(figure);
}

static void test_plot__a_line_on_another_is_dashed(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "lines", ""));
    cairn_figure_line(figure, "a", (double[]){0, 1, 4}, (double[]){0, 2, 5}, 3);
    cairn_figure_line(figure, "b", (double[]){0, 1, 4}, (double[]){0, 3, 5}, 3);
    cairn_figure_line(figure, "c", (double[]){0, 1, 2, 4}, (double[]){0, 2, 3, 5}, 4);
    cairn_figure_line(figure, "d", (double[]){0, 1, 4}, (double[]){0, 2, 5}, 3);
    assert_int_equal(cairn_line_dash(figure, &figure->series[0]), 0);
    assert_int_equal(cairn_line_dash(figure, &figure->series[1]), 0);
    assert_int_equal(cairn_line_dash(figure, &figure->series[2]), 1);
    assert_int_equal(cairn_line_dash(figure, &figure->series[3]), 2);
    cairn_figure_free(figure);
}

/* Half of it is enough; dashed lines take the dashes in turn. */
static void test_plot__lines_differ_in_their_dash(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "lines", ""));
    cairn_figure_line(figure, "a", (double[]){-1, 0, 3, 4}, (double[]){NAN, 0, 3, 9}, 4);
    cairn_figure_line(figure, "b", (double[]){0, 3, 4}, (double[]){0, 3, 0}, 3);
    cairn_figure_line(figure, "c", (double[]){0, 1, 4}, (double[]){0, 1, 9}, 3);
    for (int i = 0; i < 3; i++)
        cairn_figure_dashed(figure, i == 1 ? NULL : "d", (double[]){0, 1}, (double[]){i, i}, 2);
    static const int dashes[] = {0, 1, 0, 1, 1, 2};
    for (size_t s = 0; s < 6; s++)
        assert_int_equal(cairn_line_dash(figure, &figure->series[s]), dashes[s]);
    cairn_figure_free(figure);
}

/* Draw what was built, and free it. */
static void draw_built(cairn_context *ctx, cairn_figure *figure, cairn_drawing *drawing,
                       recorder *r)
{
    assert_ok(ctx, cairn_figure_status(figure));
    assert_ok(ctx, cairn_drawing_prepare(ctx, drawing, figure));
    recorder_start(r, drawing->width, drawing->height);
    assert_ok(ctx, cairn_drawing_draw(drawing, &r->canvas));
    check_inside(r, figure->name);
    check_apart(r, figure->name);
    cairn_figure_free(figure);
}

static const char *const long_names[] = {
    "a rather long name of a column, number 1", "a rather long name of a column, number 2",
    "a rather long name of a column, number 3", "a rather long name of a column, number 4",
    "a rather long name of a column, number 5", "a rather long name of a column, number 6",
    "a rather long name of a column, number 7", "a rather long name of a column, number 8",
    "a rather long name of a column, number 9", "a rather long name of a column, number 10"};

/* Names that begin alike are cut in the middle, and the bars keep most of the height. */
static void test_plot__cut_names_still_differ(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    const double heights[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    cairn_drawing drawing;
    recorder r;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "names", ""));
    cairn_figure_bars(figure, NULL, long_names, heights, 10);
    draw_built(ctx, figure, &drawing, &r);
    assert_true(drawing.plot->area.height >= 0.6 * 320 - 1e-9);
    size_t n = 0;
    for (size_t i = 0; i < r.n_texts; i++) {
        if (!strstr(r.texts[i].text, "…")) continue;
        n++;
        for (size_t j = 0; j < i; j++) assert_string_not_equal(r.texts[i].text, r.texts[j].text);
    }
    assert_int_equal(n, 10);
    recorder_clear(&r);
}

/* The widest name has just the room that it was measured to need. */
static void test_plot__a_name_fits_its_own_measure(void **state)
{
    cairn_context *ctx = *state;
    static const char *const names[] = {"temperature: mild", "outlook: overcast",
                                        "humidity: normal"};
    for (size_t i = 0; i < 3; i++) {
        const char *fitted;
        double buffer = cairn_measure(names[i], CAIRN_TICK_SIZE, false);
        assert_ok(ctx, cairn_fit_text(ctx, &fitted, names[i], CAIRN_TICK_SIZE, false, buffer));
        assert_string_equal(fitted, names[i]);
        assert_ok(ctx, cairn_fit_text(ctx, &fitted, names[i], CAIRN_TICK_SIZE, false, buffer - 1));
        assert_non_null(strstr(fitted, "…"));
        assert_true(cairn_measure(fitted, CAIRN_TICK_SIZE, false) < buffer);
    }
    const char *fitted;
    char longest[3000];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + sizeof longest - 4, "end", 4);
    assert_ok(ctx, cairn_fit_text(ctx, &fitted, longest, CAIRN_TICK_SIZE, false, 100));
    assert_true(strlen(fitted) < 40 && cairn_ends_with(fitted, "end"));
}

/* A legend that finds no room inside makes the picture larger, unless its size is fixed. */
static void test_plot__legends_outside_leave_the_plot_its_size(void **state)
{
    cairn_context *ctx = *state;
    double x[200], y[200];
    int32_t group[200];
    for (int i = 0; i < 200; i++) x[i] = i % 20, y[i] = i / 20, group[i] = i % 10;
    double areas[3];
    for (int k = 0; k < 3; k++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "legend", ""));
        cairn_figure_points(figure, x, y, group, 200, long_names, k ? 10 : 0);
        if (k == 2) cairn_figure_fixed_size(figure, 480, 320);
        draw_built(ctx, figure, &drawing, &r);
        areas[k] = drawing.plot->area.width * drawing.plot->area.height;
        size_t named = 0;
        for (size_t i = 0; i < r.n_texts; i++) named += cairn_starts_with(r.texts[i].text, "a ra");
        if (k == 1) assert_int_equal(named, 10);
        assert_true(k == 1 ? r.canvas.width * r.canvas.height > 480 * 320
                           : r.canvas.width == 480 && r.canvas.height == 320);
        recorder_clear(&r);
    }
    assert_float_equal(areas[1], areas[0], 1e-6 * areas[0]);
    assert_true(areas[2] < areas[0]);
}

/* A point behind one of another group is drawn larger, so that both are seen. */
static void test_plot__points_of_one_place_are_nested(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    cairn_drawing drawing;
    recorder r;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "ties", ""));
    cairn_figure_points(figure, (double[]){1, 1, 1, 2, 2}, (double[]){3, 3, 3, 4, 4},
                        (int32_t[]){1, 0, 1, 1, 1}, 5, NULL, 2);
    draw_built(ctx, figure, &drawing, &r);
    assert_int_equal(r.n_marks, 5 + 2);
    assert_int_equal(drawing.plot->n_shown, 5);
    recorder_clear(&r);
}

/* Rows are counted in whole numbers; where no bar has a height the floor is below. */
static void test_plot__bars_stand_on_whole_numbers(void **state)
{
    cairn_context *ctx = *state;
    static const char *const names[] = {"a", "b"};
    for (int k = 0; k < 2; k++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "bars", ""));
        cairn_figure_bars(figure, NULL, names, (double[]){2.0 * k, 3.0 * k}, 2);
        draw_built(ctx, figure, &drawing, &r);
        const cairn_axis *axis = &drawing.plot->y;
        assert_true(axis->low == 0);
        for (size_t i = 0; k && i < axis->n_ticks; i++)
            assert_true(axis->ticks[i] == floor(axis->ticks[i]));
        recorder_clear(&r);
    }
}

/* Names that are numbers need not be slanted: some of them are enough. */
static void test_plot__numbers_as_names_stay_level(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    cairn_drawing drawing;
    recorder r;
    char words[40][4];
    const char *names[40];
    double heights[40];
    for (int i = 0; i < 40; i++) {
        snprintf(words[i], sizeof words[i], "%d", i + 1);
        names[i] = words[i];
        heights[i] = i;
    }
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "numbers", ""));
    cairn_figure_bars(figure, NULL, names, heights, 40);
    draw_built(ctx, figure, &drawing, &r);
    assert_false(drawing.plot->slanted);
    assert_true(drawing.plot->name_step > 1);
    recorder_clear(&r);
}

/* An order that would be very wide goes from left to right and says so. */
static void test_plot__wide_orders_are_turned(void **state)
{
    cairn_context *ctx = *state;
    const cairn_order_look plain = {.group = -1, .rank = -1};
    for (int wide = 0; wide < 2; wide++) {
        cairn_figure *figure = NULL;
        cairn_drawing drawing;
        recorder r;
        int nodes = wide ? 120 : 4;
        assert_ok(ctx, cairn_figure_new(ctx, &figure, "order", "An order"));
        int top = cairn_figure_order_node(figure, "anything", &plain);
        int bottom = cairn_figure_order_node(figure, "nothing", &plain);
        for (int i = 0; i < nodes; i++) {
            char text[40];
            snprintf(text, sizeof text, "(something, number, %d)", i);
            int node = cairn_figure_order_node(figure, text, &plain);
            cairn_figure_order_line(figure, top, node, false);
            cairn_figure_order_line(figure, node, bottom, i == 3);
        }
        draw_built(ctx, figure, &drawing, &r);
        assert_true(drawing.width < 1500);
        const recorded_text *first = find_text(&r, "anything"), *last = find_text(&r, "nothing");
        if (wide)
            assert_true(first->corners[0] + 100 < last->corners[0]);
        else
            assert_true(first->corners[1] + 50 < last->corners[1]);
        if (wide) find_text(&r, "the more general stands further left");
        recorder_clear(&r);
    }
}

static void test_plot__fills_differ_past_eight(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 24; i++)
        for (int64_t j = 0; j < i; j++) assert_true(cairn_group_fill(i) != cairn_group_fill(j));
    for (int64_t i = -1; i < 8; i++) assert_true(cairn_group_fill(i) == cairn_group_colour(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_plot__text_is_apart_and_inside),
        context_test(test_plot__text_is_apart_and_inside_when_small),
        context_test(test_plot__numbers_are_finite_and_clips_closed),
        context_test(test_plot__small_and_large_sizes_are_drawn),
        context_test(test_plot__many_points_are_thinned_and_it_is_said),
        context_test(test_plot__legend_covers_no_data),
        context_test(test_plot__any_data_can_be_drawn),
        context_test(test_plot__equal_axes_have_one_unit),
        context_test(test_plot__sizes_are_whole),
        context_test(test_plot__labels_of_one_place_are_a_block),
        context_test(test_plot__a_line_on_another_is_dashed),
        context_test(test_plot__lines_differ_in_their_dash),
        context_test(test_plot__cut_names_still_differ),
        context_test(test_plot__a_name_fits_its_own_measure),
        context_test(test_plot__legends_outside_leave_the_plot_its_size),
        context_test(test_plot__points_of_one_place_are_nested),
        context_test(test_plot__bars_stand_on_whole_numbers),
        context_test(test_plot__numbers_as_names_stay_level),
        context_test(test_plot__wide_orders_are_turned),
        context_test(test_plot__fills_differ_past_eight),
        context_test(test_plot__bars_with_the_same_name_share_a_category),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
