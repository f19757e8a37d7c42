/* SPDX-License-Identifier: MIT */
/* One figure of every kind, ordinary and awkward, for the gallery and for the tests. */
#ifndef CAIRN_TESTS_DRAW_FIGURES_H
#define CAIRN_TESTS_DRAW_FIGURES_H

#include "draw/dendroplot.h"
#include "draw/figure.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A small generator, so that pictures do not depend on the library's. */
static inline double next_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline double next_normal(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += next_uniform(state);
    return sum - 6;
}

static inline void fill_scatter(cairn_figure *f)
{
    enum { N = 150 };
    static const char *const names[] = {"setosa", "versicolor", "virginica"};
    double x[N], y[N];
    int32_t group[N];
    uint64_t s = 7;
    for (int i = 0; i < N; i++) {
        group[i] = i / 50;
        x[i] = 1.5 + 1.9 * group[i] + 0.4 * next_normal(&s);
        y[i] = 0.25 + 0.8 * group[i] + 0.2 * next_normal(&s);
    }
    cairn_figure_axes(f, "petal length in cm", "petal width in cm");
    cairn_figure_points(f, x, y, group, N, names, 3);
}

static inline void fill_crowded(cairn_figure *f)
{
    enum { N = 400 };
    static const char *const names[] = {"first cluster", "second cluster", "third cluster"};
    double x[N], y[N];
    int32_t group[N];
    uint64_t s = 3;
    for (int i = 0; i < N; i++) {
        x[i] = next_uniform(&s);
        y[i] = next_uniform(&s);
        group[i] = i % 4 - 1;
    }
    cairn_figure_axes(f, "x", "y");
    cairn_figure_points(f, x, y, group, N, names, 3);
    cairn_figure_mark(f, "centre", 0.3, 0.4);
    cairn_figure_mark(f, "centre", 0.7, 0.6);
}

static inline void fill_regression(cairn_figure *f)
{
    enum { N = 60, M = 41 };
    double x[N], y[N], lx[M], ly[M], low[M], high[M];
    uint64_t s = 11;
    for (int i = 0; i < N; i++) {
        x[i] = 10 * next_uniform(&s);
        y[i] = 3 + 1.7 * x[i] + 2 * next_normal(&s);
    }
    for (int i = 0; i < M; i++) {
        lx[i] = 10.0 * i / (M - 1);
        ly[i] = 3 + 1.7 * lx[i];
        low[i] = ly[i] - 1 - 0.1 * fabs(lx[i] - 5);
        high[i] = ly[i] + 1 + 0.1 * fabs(lx[i] - 5);
    }
    cairn_figure_axes(f, "dose", "response");
    cairn_figure_points(f, x, y, NULL, N, NULL, 0);
    cairn_figure_band(f, "95% interval of the mean", lx, low, high, M);
    cairn_figure_line(f, "least squares", lx, ly, M);
    cairn_figure_rule_y(f, "mean", 11.5);
}

static inline void fill_roc(cairn_figure *f)
{
    double x[] = {0, 0, 0.1, 0.1, 0.3, 0.3, 0.5, 0.5, 1, 1};
    double y[] = {0, 0.3, 0.3, 0.6, 0.6, 0.8, 0.8, 0.95, 0.95, 1};
    double d[] = {0, 1};
    cairn_figure_axes(f, "false positive rate", "true positive rate");
    cairn_figure_x_range(f, 0, 1);
    cairn_figure_y_range(f, 0, 1);
    cairn_figure_equal_axes(f);
    cairn_figure_line(f, "tree (AUC 0.83)", x, y, 10);
    cairn_figure_dashed(f, "guessing", d, d, 2);
    cairn_figure_mark(f, "chosen threshold", 0.1, 0.6);
    cairn_figure_label(f, 0.1, 0.6, "0.5");
}

static inline void fill_many_lines(cairn_figure *f)
{
    enum { N = 60 };
    double x[N], y[N];
    char name[40];
    for (int k = 0; k < 11; k++) {
        for (int i = 0; i < N; i++) {
            x[i] = i + 1;
            y[i] = exp(-(i + 1) * 0.02 * (k + 1)) + 0.05 * k;
        }
        snprintf(name, sizeof name, "rate %d", k + 1);
        cairn_figure_line(f, name, x, y, N);
    }
    cairn_figure_axes(f, "iteration", "loss");
}

static inline void fill_log(cairn_figure *f)
{
    enum { N = 30 };
    double x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = pow(10, i / 4.0 - 2);
        y[i] = 1e-6 * pow(x[i], 1.2) + 1e-8;
    }
    cairn_figure_scales(f, CAIRN_SCALE_LOG, CAIRN_SCALE_LOG);
    cairn_figure_axes(f, "number of rows", "seconds");
    cairn_figure_line(f, "fit", x, y, N);
    cairn_figure_points(f, x, y, NULL, N, NULL, 0);
}

static inline void fill_bars(cairn_figure *f)
{
    static const char *const names[] = {"outlook", "humidity", "windy", "temperature"};
    double gain[] = {0.247, 0.152, 0.048, 0.029};
    cairn_figure_axes(f, NULL, "information gain");
    cairn_figure_bars(f, NULL, names, gain, 4);
}

static inline void fill_grouped_bars(cairn_figure *f)
{
    static const char *const names[] = {
        "majority",           "decision tree",       "naive Bayes",
        "nearest neighbours", "logistic regression", "support vector machine",
        "random forest"};
    double a[] = {0.51, 0.83, 0.79, 0.81, 0.85, 0.88, 0.9};
    double b[] = {0.5, 0.91, 0.8, 0.97, 0.86, 0.93, 1.0};
    cairn_figure_axes(f, NULL, "accuracy");
    cairn_figure_bars(f, "test", names, a, 7);
    cairn_figure_bars(f, "training", names, b, 7);
}

static inline void fill_signed_bars(cairn_figure *f)
{
    static const char *const names[] = {"age", "bmi", "glucose", "insulin", "constant"};
    double a[] = {0.4, -1.2, 2.2, -0.3, NAN};
    cairn_figure_axes(f, "column", "coefficient");
    cairn_figure_bars(f, NULL, names, a, 5);
}

static inline void fill_histogram(cairn_figure *f)
{
    enum { N = 24 };
    double edges[N + 1], counts[N], more[N];
    for (int i = 0; i <= N; i++) edges[i] = -3 + 0.25 * i;
    for (int i = 0; i < N; i++) {
        double m = edges[i] + 0.125;
        counts[i] = round(200 * exp(-m * m / 2));
        more[i] = round(150 * exp(-(m - 1.2) * (m - 1.2)));
    }
    cairn_figure_axes(f, "score", "rows");
    cairn_figure_histogram(f, "negative", edges, counts, N);
    cairn_figure_histogram(f, "positive", edges, more, N);
}

static inline void fill_heat(cairn_figure *f)
{
    static const char *const names[] = {"setosa", "versicolor", "virginica"};
    double counts[] = {50, 0, 0, 0, 47, 3, 0, 2, 48};
    cairn_figure_axes(f, "predicted", "actual");
    cairn_figure_heat(f, counts, names, 3, names, 3);
}

static inline void fill_correlations(cairn_figure *f)
{
    enum { N = 9 };
    static const char *const names[] = {
        "age", "sex",   "body mass index", "average blood pressure", "total cholesterol", "ldl",
        "hdl", "ratio", "glucose"};
    double r[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            r[i * N + j] =
                i == j ? 1 : round(100 * cos(i * 1.3 + j * 1.3) / (1 + abs(i - j))) / 100;
    r[5] = NAN;
    cairn_figure_heat(f, r, names, N, names, N);
}

static inline void fill_weather_tree(cairn_figure *f)
{
    static const char *const groups[] = {"no", "yes"};
    double root[] = {5.0 / 14, 9.0 / 14}, sunny[] = {0.6, 0.4}, rain[] = {0.4, 0.6}, no[] = {1, 0},
           yes[] = {0, 1};
    int r =
        cairn_figure_tree_node(f, -1, NULL, "outlook\n14 rows, entropy 0.94", false, -1, root, 2);
    int a = cairn_figure_tree_node(f, r, "sunny", "humidity\n5 rows", false, -1, sunny, 2);
    cairn_figure_tree_node(f, a, "high", "no\n3 of 3", true, 0, no, 2);
    cairn_figure_tree_node(f, a, "normal", "yes\n2 of 2", true, 1, yes, 2);
    cairn_figure_tree_node(f, r, "overcast", "yes\n4 of 4", true, 1, yes, 2);
    int b = cairn_figure_tree_node(f, r, "rainy", "windy\n5 rows", false, -1, rain, 2);
    cairn_figure_tree_node(f, b, "false", "yes\n3 of 3", true, 1, yes, 2);
    cairn_figure_tree_node(f, b, "true", "no\n2 of 2", true, 0, no, 2);
    cairn_figure_tree_groups(f, groups, 2);
}

static inline void fill_random_tree(cairn_figure *f, int n, uint64_t s)
{
    char text[80], edge[40];
    for (int i = 0; i < n; i++) {
        int parent = i ? (int)(next_uniform(&s) * i) : -1;
        snprintf(text, sizeof text, "%.*s\nnode %d", 3 + (int)(next_uniform(&s) * 16),
                 "abcdefghijklmnopqrstuvwxyz", i);
        snprintf(edge, sizeof edge, "%s%.2f", i % 2 ? "≤ " : "> ", next_uniform(&s) * 100);
        cairn_figure_tree_node(f, parent, edge, text, i % 3 == 0, i % 4, NULL, 0);
    }
}

static inline void fill_medium_tree(cairn_figure *f)
{
    fill_random_tree(f, 30, 5);
}

static inline void fill_large_tree(cairn_figure *f)
{
    char text[80];
    for (int i = 0; i < 2047; i++) {
        snprintf(text, sizeof text, "x%d", i % 13);
        cairn_figure_tree_node(f, i ? (i - 1) / 2 : -1, i % 2 ? "no" : "yes", text, i >= 1023,
                               i % 3, NULL, 0);
    }
}

static inline void fill_many_points(cairn_figure *f)
{
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    int32_t *group = malloc(N * sizeof *group);
    static const char *const names[] = {"left", "right"};
    uint64_t s = 1;
    for (int i = 0; i < N; i++) {
        group[i] = i % 2;
        x[i] = next_normal(&s) + 3 * group[i];
        y[i] = next_normal(&s);
    }
    x[0] = NAN;
    cairn_figure_axes(f, "x", "y");
    cairn_figure_points(f, x, y, group, N, names, 2);
    free(x);
    free(y);
    free(group);
}

static inline void fill_many_groups(cairn_figure *f)
{
    enum { N = 240, G = 12 };
    double x[N], y[N];
    int32_t group[N];
    const char *names[G];
    char text[G][16];
    uint64_t s = 9;
    for (int g = 0; g < G; g++) {
        snprintf(text[g], sizeof text[g], "digit %d", g);
        names[g] = text[g];
    }
    for (int i = 0; i < N; i++) {
        group[i] = i % G;
        x[i] = cos(group[i] * 0.55) * 5 + 0.5 * next_normal(&s);
        y[i] = sin(group[i] * 0.55) * 5 + 0.5 * next_normal(&s);
    }
    cairn_figure_equal_axes(f);
    cairn_figure_axes(f, "first component", "second component");
    cairn_figure_points(f, x, y, group, N, names, G);
}

static inline void fill_awkward_numbers(cairn_figure *f)
{
    double x[] = {1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3, NAN, INFINITY};
    double y[] = {1.2e7, 3.4e7, 2.2e7, 8.9e7, 1, 2};
    cairn_figure_axes(f, "seconds since 1970", "bytes");
    cairn_figure_points(f, x, y, NULL, 6, NULL, 0);
    cairn_figure_line(f, NULL, x, y, 6);
}

static inline void fill_tiny_numbers(cairn_figure *f)
{
    double x[] = {1e-5, 2e-5, 3e-5}, y[] = {-4e-12, 2e-12, 5e-12};
    cairn_figure_axes(f, "step", "change");
    cairn_figure_line(f, "change <of> \"x\" & y", x, y, 3);
}

static inline void fill_extremes(cairn_figure *f)
{
    double x[] = {-DBL_MAX, DBL_MAX, 0}, y[] = {DBL_MIN, -DBL_MAX, 5e-324};
    cairn_figure_points(f, x, y, NULL, 3, NULL, 0);
    cairn_figure_line(f, "extreme", x, y, 3);
    cairn_figure_rule_x(f, NULL, INFINITY);
    cairn_figure_mark(f, "nowhere", NAN, NAN);
    cairn_figure_label(f, NAN, 3, "nowhere");
}

static inline void fill_nothing(cairn_figure *f)
{
    (void)f;
}

static inline void fill_empty_series(cairn_figure *f)
{
    double none[1] = {0};
    cairn_figure_axes(f, "x", "y");
    cairn_figure_points(f, none, none, NULL, 0, NULL, 0);
    cairn_figure_line(f, "empty line", none, none, 0);
    cairn_figure_histogram(f, NULL, none, none, 0);
    cairn_figure_bars(f, NULL, NULL, none, 0);
}

static inline void fill_all_nan(cairn_figure *f)
{
    double x[] = {NAN, NAN, INFINITY}, y[] = {1, NAN, -INFINITY};
    cairn_figure_points(f, x, y, NULL, 3, NULL, 0);
    cairn_figure_line(f, "nothing to see", x, y, 3);
    cairn_figure_band(f, "nor here", x, y, x, 3);
}

static inline void fill_single_point(cairn_figure *f)
{
    double x = 42, y = 0;
    cairn_figure_points(f, &x, &y, NULL, 1, NULL, 0);
    cairn_figure_line(f, "one", &x, &y, 1);
    cairn_figure_label(f, x, y, "the only one");
}

static inline void fill_many_categories(cairn_figure *f)
{
    enum { N = 10000 };
    char(*text)[16] = malloc(N * sizeof *text);
    const char **names = malloc(N * sizeof *names);
    double *heights = malloc(N * sizeof *heights);
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], "word %d", i);
        names[i] = text[i];
        heights[i] = 1000.0 / (i + 1);
    }
    cairn_figure_axes(f, NULL, "count");
    cairn_figure_bars(f, NULL, names, heights, N);
    free(text);
    free(names);
    free(heights);
}

static inline void fill_labels(cairn_figure *f)
{
    static const char *const names[] = {"Aachen", "Bern", "Chur", "Delft", "Essen",
                                        "Fulda",  "Genf", "Hof",  "Ulm",   "Jena"};
    double x[10], y[10];
    uint64_t s = 21;
    for (int i = 0; i < 10; i++) {
        x[i] = next_uniform(&s) * 10;
        y[i] = next_uniform(&s) * 10;
    }
    cairn_figure_points(f, x, y, NULL, 10, NULL, 0);
    for (int i = 0; i < 10; i++) cairn_figure_label(f, x[i], y[i], names[i]);
    cairn_figure_axes(f, "east", "north");
}

static inline void fill_big_heat(cairn_figure *f)
{
    enum { R = 60, C = 400 };
    double *v = malloc(R * C * sizeof *v);
    const char *rows[R], *columns[C];
    static char names[C][8];
    for (int i = 0; i < C; i++) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        columns[i] = names[i];
        if (i < R) rows[i] = names[i];
    }
    for (int i = 0; i < R * C; i++) v[i] = sin(i / C * 0.2) + cos(i % C * 0.05);
    cairn_figure_heat(f, v, rows, R, columns, C);
    free(v);
}

static inline void fill_hostile_text(cairn_figure *f)
{
    static const char *const names[] = {
        "<script>alert(1)</script>", "a&b\"'",        "\xff\xfe broken",
        "ctrl\x01\x1b[31m",          "日本語 ラベル", ""};
    double y[] = {3, 1, 4, 1, 5, 9};
    cairn_figure_axes(f, "<x> & ]]>", "y\nsecond \xC0\x80 line");
    cairn_figure_bars(f, "</svg><b>", names, y, 6);
}

/* Faces behind and before each other, graded areas, a side of a line, arrows and square marks. */
static void fill_faces(cairn_figure *f)
{
    const double x[] = {0, 2, 4}, low[] = {0, 0, 0}, high[] = {3, 2, 3};
    cairn_figure_axes(f, "x", "y");
    cairn_figure_shade(f, "sure", 0, 0.5, x, low, high, 3);
    cairn_figure_shade(f, "no answer", -1, 0.4, x, high, (double[]){4, 4, 4}, 3);
    cairn_figure_side(f, 1, 0.2, (double[]){0, 4, 4}, (double[]){0, 0, 4}, 3);
    cairn_figure_face(f, 2, 0.3, (double[]){1, 3, 3, 1}, (double[]){1, 1, 3, 3}, 4);
    cairn_figure_face(f, 2, 0.8, (double[]){1.5, 3.5, 3.5}, (double[]){0.5, 0.5, 2}, 3);
    cairn_figure_face(f, -1, 1, (double[]){0, 4}, (double[]){4, 0}, 2);
    cairn_figure_face(f, 3, 1, (double[]){2}, (double[]){2}, 1);
    cairn_figure_face(f, 3, 1, (double[]){NAN, 1}, (double[]){2, 2}, 2);
    cairn_figure_grey_arrow(f, (double[]){0.5, 1}, (double[]){0.5, 3}, 2);
    cairn_figure_square(f, "query", 3.5, 3.5);
    cairn_figure_mark(f, "mean", 0.5, 3.5);
}

/* Five leaves: c and d are joined at 7.5, a and b at 15, e with them at 15, all at 25. */
static inline void fill_five_leaves(cairn_figure *f, cairn_dendro_look look, bool sets)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const char *const texts[] = {"{c, d}", "{a, b}", "{c, d, e}", "{a, b, c, d, e}"};
    static const struct {
        int left, right;
        double height;
    } joins[] = {{2, 3, 7.5}, {0, 1, 15}, {5, 4, 15}, {6, 7, 25}};
    cairn_branch branches[9];
    for (int i = 0; i < 5; i++)
        branches[i] = (cairn_branch){
            .left = -1, .right = -1, .size = 1, .text = names[i], .group = sets ? -1 : i > 1};
    for (int i = 0; i < 4; i++)
        branches[5 + i] = (cairn_branch){.left = joins[i].left,
                                         .right = joins[i].right,
                                         .height = joins[i].height,
                                         .text = sets ? texts[i] : NULL,
                                         .group = sets || i == 3 ? -1 : i != 1};
    cairn_figure_axes(f, NULL, "distance");
    cairn_figure_dendrogram(f, branches, 9, &look);
    if (sets) return;
    cairn_figure_rule_y(f, "cut at 20", 20);
    cairn_figure_tree_groups(f, (const char *const[]){"cluster 1", "cluster 2"}, 2);
}

static inline void fill_dendrogram_top(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_TOP}, false);
}

static inline void fill_dendrogram_left(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_LEFT}, false);
}

static inline void fill_dendrogram_bottom(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_BOTTOM}, false);
}

static inline void fill_dendrogram_right(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_RIGHT}, false);
}

static inline void fill_dendrogram_sets(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_TOP, .ranks = true}, true);
}

static inline void fill_dendrogram_sets_left(cairn_figure *f)
{
    fill_five_leaves(f, (cairn_dendro_look){.root = CAIRN_ROOT_LEFT, .ranks = true}, true);
}

/* Long names, triangles and a join below what it joins. */
static inline void fill_dendrogram_many(cairn_figure *f)
{
    enum { ENDS = 40 };
    cairn_branch branches[2 * ENDS];
    char names[ENDS][40];
    uint64_t s = 5;
    int n = ENDS, open[ENDS], n_open = ENDS;
    for (int i = 0; i < ENDS; i++) {
        double size = i % 4 ? 1 : 1 + floor(1000 * next_uniform(&s) * next_uniform(&s));
        snprintf(names[i], sizeof names[i], size > 1 ? "%.0f rows" : "the leaf of number %.0f",
                 size > 1 ? size : i);
        branches[i] = (cairn_branch){.left = -1, .right = -1, .size = size, .text = names[i]};
        branches[i].height = size > 1 ? 0.5 + next_uniform(&s) : 0;
        branches[i].group = i / 14;
        open[i] = i;
    }
    for (double height = 1.6; n_open > 1; height += 0.25, n++) {
        int at = n_open > 3 ? (int)(next_uniform(&s) * (n_open - 1)) : 0;
        bool same = branches[open[at]].group == branches[open[at + 1]].group;
        branches[n] = (cairn_branch){.left = open[at],
                                     .right = open[at + 1],
                                     .height = n % 13 ? height : height - 1,
                                     .group = same ? branches[open[at]].group : -1};
        open[at] = n;
        for (int i = at + 1; i + 1 < n_open; i++) open[i] = open[i + 1];
        n_open--;
    }
    cairn_figure_axes(f, NULL, "height");
    cairn_figure_dendrogram(
        f, branches, (size_t)n,
        &(cairn_dendro_look){.note = "triangles stand for several rows; dashed: inversions"});
}

typedef struct figure_case {
    const char *name, *title;
    void (*fill)(cairn_figure *figure);
} figure_case;

static const figure_case figure_cases[] = {
    {"scatter", "Iris: petals of three species", fill_scatter},
    {"crowded", "No free corner: the legend goes outside", fill_crowded},
    {"faces", "What stands in front hides what is behind", fill_faces},
    {"regression", "Dose and response", fill_regression},
    {"roc", "Receiver operating characteristic", fill_roc},
    {"many-lines", "Eleven learning rates", fill_many_lines},
    {"log", "Time to fit", fill_log},
    {"bars", "Gain of each attribute", fill_bars},
    {"grouped-bars", "Accuracy of seven learners", fill_grouped_bars},
    {"signed-bars", "Coefficients", fill_signed_bars},
    {"histogram", "Scores of the two classes", fill_histogram},
    {"heat", "Confusion matrix", fill_heat},
    {"correlations", "Correlations", fill_correlations},
    {"big-heat", "A map that is too large to print its values", fill_big_heat},
    {"weather-tree", "Play outside?", fill_weather_tree},
    {"medium-tree", "A tree of thirty nodes", fill_medium_tree},
    {"large-tree", "A tree of 2,047 nodes", fill_large_tree},
    {"many-points", "A hundred thousand points", fill_many_points},
    {"many-groups", "Twelve groups", fill_many_groups},
    {"awkward-numbers", "Large offsets and large numbers", fill_awkward_numbers},
    {"tiny-numbers",
     "A long title that says much more than it needs to and therefore has to go "
     "on to the next line of the picture",
     fill_tiny_numbers},
    {"extremes", "Extremes", fill_extremes},
    {"nothing", "Nothing", fill_nothing},
    {"empty-series", "Empty series", fill_empty_series},
    {"all-nan", "Not a number", fill_all_nan},
    {"single-point", "One point", fill_single_point},
    {"many-categories", "Ten thousand categories", fill_many_categories},
    {"labels", "Ten towns", fill_labels},
    {"dendrogram-top", "Cophenetic distances", fill_dendrogram_top},
    {"dendrogram-left", "Cophenetic distances", fill_dendrogram_left},
    {"dendrogram-bottom", "Cophenetic distances", fill_dendrogram_bottom},
    {"dendrogram-right", "Cophenetic distances", fill_dendrogram_right},
    {"dendrogram-sets", "Sets of the clusters", fill_dendrogram_sets},
    {"dendrogram-sets-left", "Sets of the clusters", fill_dendrogram_sets_left},
    {"dendrogram-many", "Forty branches", fill_dendrogram_many},
    {"hostile-text", "Text & <tags> \"quoted\"", fill_hostile_text},
};
enum { N_FIGURE_CASES = sizeof figure_cases / sizeof *figure_cases };

static inline cairn_status make_figure(cairn_context *ctx, const figure_case *item,
                                       cairn_figure **out)
{
    cairn_status status = cairn_figure_new(ctx, out, item->name, item->title);
    if (status) return status;
    item->fill(*out);
    return CAIRN_OK;
}

#endif
