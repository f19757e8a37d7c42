/* SPDX-License-Identifier: MIT */
/* Pictures of functions, Gaussians, distances, lines and models over a plane: the numbers that are
 * drawn are those that geometry asks for. */
#include "drawn.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first series of a kind with the label (NULL = any). */
static const cairn_series *find_series(const cairn_figure *figure, cairn_series_kind kind,
                                       const char *label)
{
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        bool same = !label || (series->label && strcmp(series->label, label) == 0);
        if (series->kind == kind && same) return series;
    }
    fail_msg("there is no series '%s'", label ? label : "of this kind");
    return NULL;
}

static size_t count_series(const cairn_figure *figure, cairn_series_kind kind)
{
    size_t n = 0;
    for (size_t s = 0; s < figure->n_series; s++) n += figure->series[s].kind == kind;
    return n;
}

static void test_curves__vary_their_letters(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "curves", "--of", "logistic", "--vary", "gamma=1,3", "--vary", "d0=1",
                    "--low", "-2", "--high", "4"));
    const cairn_series *steep = find_series(figure, CAIRN_LINE, "gamma = 3");
    assert_int_equal(count_series(figure, CAIRN_LINE), 2);
    for (size_t i = 0; i < steep->n; i += 60)
        assert_float_equal(steep->y[i], 1 / (1 + exp(-3 * (steep->x[i] - 1))), 1e-12);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "curves", "--of", "insensitive"));
    const cairn_series *half = find_series(figure, CAIRN_LINE, "eps = 0.5");
    assert_float_equal(half->y[0], 3.5, 1e-12);
    assert_float_equal(half->y[half->n / 2], 0, 1e-12);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "curves", "--function", "tanh(x)", "--slopes"));
    const cairn_series *slope = &figure->series[1];
    for (size_t i = 0; i < slope->n; i += 48)
        assert_float_equal(slope->y[i], 1 - pow(tanh(slope->x[i]), 2), 1e-7);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "curves", "--of", "activations", "--panels"));
    assert_int_equal(figure->n_panels, 6);
    cairn_report_free(report);
}

static void test_curves__of_records(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "curves", "--of", "kernels", "--kernel", "rbf:gamma=0.5", "--kernel",
                    "poly:degree=3,offset=1", "--at", "2"));
    const cairn_series *bell = find_series(figure, CAIRN_LINE, "rbf:gamma=0.5");
    const cairn_series *cube = find_series(figure, CAIRN_LINE, "poly:degree=3,offset=1");
    for (size_t i = 0; i < bell->n; i += 50) {
        double x = bell->x[i];
        assert_float_equal(bell->y[i], exp(-0.5 * (x - 2) * (x - 2)), 1e-12);
        assert_float_equal(cube->y[i], pow(2 * x + 1, 3), 1e-9);
    }
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "curves", "--of", "errors"));
    const cairn_series *flat = find_series(figure, CAIRN_LINE, "eps-insensitive");
    assert_float_equal(flat->y[0], 3, 1e-12);
    assert_int_equal(count_series(figure, CAIRN_LINE), 4);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "curves", "--of", "windows"));
    assert_int_equal(count_series(figure, CAIRN_LINE), 4);
    cairn_report_free(report);
}

static void test_curves__refuse_what_they_cannot_draw(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "curves")), CAIRN_USAGE,
                 "nothing to draw");
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "curves", "--function", "q + x")),
                 CAIRN_USAGE, "--function: there is no column 'q'");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report, WORDS("draw", "curves", "--function", "log(0 - abs(x))")),
                 CAIRN_USAGE, "has no value on these axes");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report,
                           WORDS("draw", "curves", "--function", "x", "--low", "2", "--high", "1")),
                 CAIRN_USAGE, "--low below --high");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report, WORDS("draw", "curves", "--function", "x", "--vary", "a")),
                 CAIRN_USAGE, "NAME=1,2,3");
    cairn_report_free(report);
}

/* With one covariance the boundary is the line half-way between the means. */
static void test_contours__boundary_of_equal_gaussians_is_a_line(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report,
                                       WORDS("draw", "contours", "--gaussian", "0,0,1,1,0",
                                             "--gaussian", "2,0,1,1,0", "--levels", "1.5"));
    const cairn_series *line = find_series(figure, CAIRN_LINE, "boundary");
    for (size_t i = 0; i < line->n; i++)
        if (!isnan(line->x[i])) assert_float_equal(line->x[i], 1, 1e-9);
    const cairn_series *ring = find_series(figure, CAIRN_BAND, NULL);
    for (size_t i = 0; i < ring->n; i++)
        assert_float_equal(ring->x[i] * ring->x[i] + ring->y[i] * ring->y[i], 2.25, 1e-9);
    cairn_report_free(report);
}

/* An ellipse of a class has the Mahalanobis distance under the covariance of its rows: those of
 * setosa's petals are 1.462, 0.246 and 0.029556, 0.005948, 0.010884. */
static void test_contours__ellipses_of_classes(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report,
                                       WORDS("draw", "contours", "@iris", "--x", "petal_length",
                                             "--y", "petal_width", "--levels", "2"));
    const cairn_series *ring = find_series(figure, CAIRN_BAND, NULL);
    double xx = 0.029556, xy = 0.005948, yy = 0.010884, rest = xx * yy - xy * xy;
    for (size_t i = 0; i < ring->n; i += 10) {
        double dx = ring->x[i] - 1.462, dy = ring->y[i] - 0.246;
        assert_float_equal((yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / rest, 4, 1e-6);
    }
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "contours")), CAIRN_USAGE,
                 "nothing to draw");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report, WORDS("draw", "contours", "--gaussian", "0,0,1,-1,0")),
                 CAIRN_USAGE, "five numbers are needed");
    cairn_report_free(report);
}

static void test_circles__are_at_one_distance(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report, WORDS("draw", "distance-circles"));
    const cairn_series *low = find_series(figure, CAIRN_LINE, "minkowski:p=0.8");
    const cairn_series *square = find_series(figure, CAIRN_LINE, "chebyshev");
    assert_int_equal(count_series(figure, CAIRN_LINE), 7);
    for (size_t i = 0; i < low->n; i += 7) {
        assert_float_equal(pow(fabs(low->x[i]), 0.8) + pow(fabs(low->y[i]), 0.8), 1, 1e-9);
        assert_float_equal(fmax(fabs(square->x[i]), fabs(square->y[i])), 1, 1e-9);
    }
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "distance-circles", "--part", "triangle"));
    assert_int_equal(figure->n_panels, 3);
    assert_non_null(strstr(figure->panels[2]->title, "= 2 < d(O,C) = 2.378"));
    cairn_report_free(report);
    assert_fails(
        ctx, run_words(ctx, &report, WORDS("draw", "distance-circles", "--distance", "squared")),
        CAIRN_USAGE, "twice as far");
    cairn_report_free(report);
}

static void test_scatter__lines_and_perpendiculars(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "scatter", "@fisher-points", "--line", "A=1,1,-5", "--query", "2,2",
                    "--half-planes", "--normal"));
    const cairn_series *line = find_series(figure, CAIRN_LINE, "A");
    for (size_t i = 0; i < line->n; i++) assert_float_equal(line->x[i] + line->y[i], 5, 1e-9);
    find_series(figure, CAIRN_LABEL, "d = 0.7071");
    find_series(figure, CAIRN_MARK, "query");
    const cairn_series *side = find_series(figure, CAIRN_BAND, NULL);
    assert_int_equal(side->of_group, 0); /* most rows above the line */
    for (size_t i = 0; i < side->n; i++) assert_true(side->x[i] + side->y[i] >= 5 - 1e-9);
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "scatter", "@iris", "--line", "1,2")),
                 CAIRN_USAGE, "--line");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report, WORDS("draw", "scatter", "@iris", "--query", "1,2,3")),
                 CAIRN_USAGE, "two numbers x,y");
    cairn_report_free(report);
}

/* The boundary of a logistic model is the line where its two probabilities are equal. */
static void test_scatter__boundary_of_a_learner(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "scatter", "@fisher-points", "--fit", "logistic:lambda=1", "--means"));
    const cairn_series *line = find_series(figure, CAIRN_LINE, "logistic:lambda=1");
    double x = line->x[0], y = line->y[0];
    double dx = line->x[line->n - 1] - x, dy = line->y[line->n - 1] - y;
    for (size_t i = 0; i < line->n; i++) /* on the straight line between its ends */
        assert_float_equal((line->x[i] - x) * dy, (line->y[i] - y) * dx, 1e-3);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "scatter", "@iris", "@wine"));
    assert_int_equal(figure->n_panels, 2);
    cairn_report_free(report);
}

static void test_regions__shaded_by_probability_in_panels(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "regions", "@iris", "--fit", "knn:k=9", "--fit", "logistic", "--shade",
                    "probability", "--grid", "40"));
    assert_int_equal(figure->n_panels, 2);
    double least = 1, most = 0;
    for (size_t s = 0; s < figure->panels[1]->n_series; s++) {
        const cairn_series *series = &figure->panels[1]->series[s];
        if (series->kind != CAIRN_BAND) continue;
        least = fmin(least, series->strength);
        most = fmax(most, series->strength);
    }
    assert_float_equal(most, 0.5, 1e-9);
    assert_true(least < 0.2);
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "regions", "@iris")), CAIRN_USAGE,
                 "a learner with --fit");
    cairn_report_free(report);
}

/* Faces come from the far ones to the near ones: seen from the side, those with the greater y are
 * farther away, so no later face of a flat surface lies behind an earlier one. */
static void test_surface__is_drawn_from_the_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report,
                                       WORDS("draw", "surface", "--function", "0 * x", "--turn",
                                             "0", "--tilt", "30", "--grid", "10"));
    double last = INFINITY;
    size_t faces = 0;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind != CAIRN_FACE || series->n != 4) continue;
        double middle = (series->y[0] + series->y[1] + series->y[2] + series->y[3]) / 4;
        assert_true(middle <= last + 1e-12); /* farther is higher on the figure */
        last = middle;
        faces++;
    }
    assert_int_equal(faces, 100);
    cairn_report_free(report);
}

/* (1, 0, 3) lies |1 - 6 + 1| / sqrt(6) from x + y - 2 z + 1 = 0. */
static void test_surface__perpendicular_and_panels(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "surface", "--plane", "1,1,-2,1", "--point", "1,0,3"));
    find_series(figure, CAIRN_LABEL, "d = 1.633");
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "surface", "@iris", "--fit", "logistic", "--fit", "tree",
                         "--of-class", "virginica", "--grid", "6", "--residuals"));
    assert_int_equal(figure->n_panels, 2);
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report,
                           WORDS("draw", "surface", "@iris", "--fit", "tree", "--of-class", "x")),
                 CAIRN_USAGE, "has no class 'x'");
    cairn_report_free(report);
}

/* On x^2 every step multiplies x by 1 - 2 rate. */
static void test_descent__follows_the_gradient(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report,
                                       WORDS("draw", "descent", "--function", "x^2", "--start",
                                             "-2.5", "--rate", "0.3", "--iterations", "5"));
    const cairn_series *path = find_series(figure, CAIRN_LINE, "from -2.5");
    assert_int_equal(path->n, 6);
    for (size_t i = 0; i < path->n; i++) {
        double x = -2.5 * pow(0.4, (double)i);
        assert_float_equal(path->x[i], x, 1e-6);
        assert_float_equal(path->y[i], x * x, 1e-6);
    }
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "descent", "--function", "x^2 + 3*y^2", "--start", "1,2", "--eta",
                         "0.1", "--iterations", "3", "--schedule", "decreasing"));
    path = find_series(figure, CAIRN_LINE, "from 1,2");
    assert_float_equal(path->x[2], 1 * 0.8 * 0.9, 1e-6); /* rates 0.1 and 0.05 */
    assert_float_equal(path->y[2], 2 * 0.4 * 0.7, 1e-6);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("draw", "descent", "--eta", "0.1,0.9,1.2"));
    assert_int_equal(figure->n_panels, 3);
    cairn_report_free(report);
    (void)drawn(ctx, &report,
                WORDS("draw", "descent", "--function", "x^2 + y^2", "--view", "surface"));
    cairn_report_free(report);
}

/* A line among the squares is an ellipse around 0 among the inputs: the same u and v on both. */
static void test_feature_space__draws_one_boundary_twice(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_virtual_files files = {0};
    char csv[4000] = "a,b,class\n";
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
            snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%d,%d,%s\n", i, j,
                     i * i + j * j > 4 ? "out" : "in");
    assert_ok(ctx, cairn_virtual_put(ctx, &files, "rings.csv", csv, strlen(csv)));
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("draw", "feature-space", "rings.csv", "--target", "class",
                                        "--arrows")));
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_int_equal(figure->n_panels, 3);
    const cairn_series *line = find_series(figure->panels[2], CAIRN_LINE, "basic-linear");
    double sum = line->x[0] + line->y[0]; /* by symmetry u + v is the same everywhere */
    for (size_t i = 0; i < line->n; i++) assert_float_equal(line->x[i] + line->y[i], sum, 0.02);
    const cairn_series *ring = find_series(figure->panels[0], CAIRN_LINE, NULL);
    for (size_t i = 0; i < ring->n; i++)
        if (!isnan(ring->x[i]))
            assert_float_equal(ring->x[i] * ring->x[i] + ring->y[i] * ring->y[i], sum, 0.05);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* Rosenblatt's rule from zeros on two points, eta 1: the first visit adds y (x, 1). */
static void test_updates__are_those_of_the_perceptron(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_virtual_files files = {0};
    const char *csv = "a,b,class\n2,1,yes\n-1,1,no\n1,3,yes\n-2,-1,no\n";
    assert_ok(ctx, cairn_virtual_put(ctx, &files, "four.csv", csv, strlen(csv)));
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("draw", "updates", "four.csv", "--target", "class", "--fit",
                                        "perceptron:eta=1")));
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_true(figure->n_panels >= 1);
    assert_non_null(strstr(figure->panels[0]->title, "change 1: row 1"));
    const cairn_series *line = find_series(figure->panels[0], CAIRN_LINE, NULL);
    for (size_t i = 0; i < line->n; i++) /* w = (2, 1), constant 1 */
        assert_float_equal(2 * line->x[i] + line->y[i] + 1, 0, 1e-9);
    cairn_report_free(report);
    assert_fails(
        ctx,
        run_words_with(ctx, &report, &files,
                       WORDS("draw", "updates", "four.csv", "--target", "class", "--fit", "tree")),
        CAIRN_USAGE, "only a perceptron");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_size__is_that_of_the_picture(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "scatter", "@iris", "--size", "640x400"));
    assert_float_equal(figure->width, 640, 0);
    assert_float_equal(figure->height, 400, 0);
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "scatter", "@iris", "--size", "640")),
                 CAIRN_USAGE, "such as 640x480");
    cairn_report_free(report);
}

/* The plot in the corner is as wide as those below it; the legend stands beside it. */
static void test_scatter_matrix__has_equal_panels(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(ctx, &report, WORDS("draw", "scatter-matrix", "@iris"));
    for (size_t row = 1; row < 4; row++)
        assert_float_equal(figure->panels[3]->width, figure->panels[4 * row + 3]->width, 0);
    cairn_report_free(report);
}

/* What a model rejects is a grey area with a name of its own. */
static void test_regions__without_an_answer_are_grey(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "regions", "@iris", "--x", "petal_length", "--y", "petal_width",
                    "--fit", "tree:reject-below=49", "--grid", "40"));
    assert_int_equal(find_series(figure, CAIRN_BAND, "no answer")->of_group, -1);
    cairn_report_free(report);
    figure = drawn(ctx, &report,
                   WORDS("draw", "regions", "@fisher-points", "--fit", "basic-linear", "--shade",
                         "probability", "--grid", "30"));
    double most = 0;
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].kind == CAIRN_BAND) most = fmax(most, figure->series[s].strength);
    assert_float_equal(most, 0.5, 1e-9); /* the greatest lead has the full grade */
    cairn_report_free(report);
}

/* Three models of one class against the rest, and the part where none or several of them fire. */
static void test_regions__members_and_ambiguous_places(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure = drawn(
        ctx, &report,
        WORDS("draw", "regions", "@iris", "--x", "petal_length", "--y", "petal_width", "--fit",
              "one-vs-rest:learner=logistic", "--ambiguous", "--members", "--grid", "40"));
    find_series(figure, CAIRN_BAND, "no answer");
    find_series(figure, CAIRN_LINE, "setosa | rest");
    find_series(figure, CAIRN_LINE, "virginica | rest");
    cairn_report_free(report);
    assert_fails(
        ctx,
        run_words(ctx, &report,
                  WORDS("draw", "regions", "@iris", "--fit", "tree", "--members", "--grid", "10")),
        CAIRN_USAGE, "has no models with boundaries inside");
    cairn_report_free(report);
}

/* Members that vote have a boundary each, beside that of the vote. */
static void test_regions__members_that_vote(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "regions", "@fisher-points", "--fit",
                    "bagging:learner=basic-linear,members=3", "--members", "--grid", "40"));
    find_series(figure, CAIRN_LINE, "member 1: basic-linear");
    find_series(figure, CAIRN_LINE, "member 3: basic-linear");
    find_series(figure, CAIRN_LINE, "together");
    cairn_report_free(report);
    figure =
        drawn(ctx, &report,
              WORDS("draw", "regions", "@fisher-points", "--fit",
                    "adaboost:learner=(tree:max-depth=1),rounds=2", "--members", "--grid", "20"));
    find_series(figure, CAIRN_LINE, "together");
    cairn_report_free(report);
}

/* Lines of equal probability of a logistic model are parallel: their log odds are linear. */
static void test_regions__lines_of_equal_probability(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const cairn_figure *figure =
        drawn(ctx, &report,
              WORDS("draw", "regions", "@fisher-points", "--fit", "logistic:lambda=1", "--levels",
                    "0.3,0.7", "--of-class", "1", "--grid", "60"));
    double slopes[2];
    const char *labels[] = {"P(1) 0.3", "P(1) 0.7"};
    for (int k = 0; k < 2; k++) {
        const cairn_series *line = find_series(figure, CAIRN_LINE, labels[k]);
        size_t last = line->n - 1;
        slopes[k] = (line->y[last] - line->y[0]) / (line->x[last] - line->x[0]);
    }
    assert_float_equal(slopes[0], slopes[1], 0.01 * fabs(slopes[0]));
    cairn_report_free(report);
    (void)drawn(ctx, &report,
                WORDS("draw", "regions", "@iris", "--fit", "svm:kernel=rbf", "--fit",
                      "basic-linear", "--with", "basis:squares", "--target", "species", "--grid",
                      "20"));
    cairn_report_free(report);
}

static cairn_status draw_work(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL;
    cairn_virtual_files files = {0};
    const char *csv = "x,y,c\n1,2,a\n2,3,b\n3,1,a\n";
    cairn_status status = cairn_virtual_put(ctx, &files, "t.csv", csv, strlen(csv));
    if (!status) status = run_words_with(ctx, &report, &files, data);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
    return status;
}

static void test_planes__survive_failing_allocations(void **state)
{
    const char *const *const all[] = {
        WORDS("draw", "curves", "--of", "logistic"),
        WORDS("draw", "curves", "--of", "kernels", "--panels"),
        WORDS("draw", "contours", "--gaussian", "0,0,1,1,0", "--gaussian", "2,2,1,1,0.5"),
        WORDS("draw", "contours", "--function", "x * y"),
        WORDS("draw", "distance-circles", "--distance", "euclidean"),
        WORDS("draw", "scatter", "t.csv", "--target", "c", "--line", "1,1,-2", "--query", "1,1",
              "--half-planes", "--normal", "--means", "--label", "row"),
        WORDS("draw", "regions", "t.csv", "--target", "c", "--fit", "knn:k=1", "--fit", "knn:k=2",
              "--shade", "probability", "--grid", "10"),
        WORDS("draw", "surface", "t.csv", "--target", "c", "--fit", "knn:k=1", "--grid", "4"),
        WORDS("draw", "descent", "--function", "x^2 + y^2", "--view", "surface", "--max-iter", "3"),
        WORDS("draw", "feature-space", "t.csv", "--target", "c", "--arrows"),
        WORDS("draw", "updates", "t.csv", "--target", "c", "--epochs", "1"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_survives_allocation_failures(draw_work, (void *)all[i]);
}

/* Times are labelled by the calendar on number lines and under densities. */
static void test_times__are_dates_on_axes(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    char *text;
    const cairn_figure *figure =
        drawn(ctx, &report, WORDS("draw", "strip", "@rides", "--column", "start", "--means"));
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &text));
    assert_non_null(strstr(text, "Jul"));
    cairn_string_free(text);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("compute", "density", "@rides", "--column", "start"));
    assert_int_equal(figure->x_scale, CAIRN_SCALE_TIME);
    cairn_report_free(report);
    figure = drawn(ctx, &report, WORDS("compute", "modality", "@rides", "--column", "start"));
    assert_int_equal(figure->x_scale, CAIRN_SCALE_TIME);
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_curves__vary_their_letters),
        context_test(test_curves__of_records),
        context_test(test_curves__refuse_what_they_cannot_draw),
        context_test(test_contours__boundary_of_equal_gaussians_is_a_line),
        context_test(test_contours__ellipses_of_classes),
        context_test(test_circles__are_at_one_distance),
        context_test(test_scatter__lines_and_perpendiculars),
        context_test(test_scatter__boundary_of_a_learner),
        context_test(test_regions__shaded_by_probability_in_panels),
        context_test(test_surface__is_drawn_from_the_back),
        context_test(test_surface__perpendicular_and_panels),
        context_test(test_descent__follows_the_gradient),
        context_test(test_feature_space__draws_one_boundary_twice),
        context_test(test_updates__are_those_of_the_perceptron),
        context_test(test_size__is_that_of_the_picture),
        context_test(test_times__are_dates_on_axes),
        context_test(test_scatter_matrix__has_equal_panels),
        context_test(test_regions__members_and_ambiguous_places),
        context_test(test_regions__members_that_vote),
        context_test(test_regions__without_an_answer_are_grey),
        context_test(test_regions__lines_of_equal_probability),
        context_test(test_planes__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
