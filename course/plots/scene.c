/* SPDX-License-Identifier: MIT */
/* The projection is orthographic: every axis is scaled to one length (or all by one unit), the
 * scene is turned about the upright axis, then tilted towards the eye. A piece is as far away as
 * the middle of its corners, lines and dots a little nearer, so that the faces they lie on do not
 * cut them; of equals the one that arrived later is in front. */
#include "plots/scene.h"

#include "base/functions.h"
#include "base/memory.h"
#include "draw/axis.h"
#include "draw/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double upright = 0.75; /* length of the upright axis; the others have 1 */

void cairn_scene_clear(cairn_scene *scene)
{
    cairn_free(scene->pieces);
    *scene = (cairn_scene){0};
}

void cairn_scene_include(cairn_scene *scene, const double *at)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(at[k])) continue;
        scene->low[k] = fmin(scene->low[k], at[k]);
        scene->high[k] = fmax(scene->high[k], at[k]);
    }
}

cairn_status cairn_scene_add(cairn_context *ctx, cairn_scene *scene, int32_t group, double strength,
                             const double (*corners)[3], size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(corners[i][k])) return CAIRN_OK;
    CHECK(GROW(ctx, &scene->pieces, &scene->capacity, scene->n + 1));
    cairn_scene_piece *piece = &scene->pieces[scene->n];
    *piece = (cairn_scene_piece){.n = n, .group = group, .strength = strength, .number = scene->n};
    memcpy(piece->corners, corners, n * sizeof *corners);
    scene->n++;
    return CAIRN_OK;
}

cairn_status cairn_scene_surface(cairn_context *ctx, cairn_scene *scene, const double *x,
                                 const double *y, const double *z, size_t side)
{
    double span = scene->high[2] - scene->low[2];
    for (size_t j = 0; j + 1 < side; j++)
        for (size_t i = 0; i + 1 < side; i++) {
            size_t first = j * side + i;
            const size_t at[4] = {first, first + 1, first + side + 1, first + side};
            double corners[4][3], middle = 0;
            for (int c = 0; c < 4; c++) {
                corners[c][0] = x[at[c]];
                corners[c][1] = y[at[c]];
                corners[c][2] = z[at[c]];
                middle += z[at[c]] / 4;
            }
            double strength = 0.12 + 0.6 * (middle - scene->low[2]) / span;
            CHECK(cairn_scene_add(ctx, scene, 0, strength, corners, 4));
        }
    return CAIRN_OK;
}

/* x and y on the figure, and how far from the eye. */
static void project(const cairn_scene *s, const double *at, double out[3])
{
    const double degree = 3.14159265358979323846 / 180;
    double v[3], largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, s->high[k] - s->low[k]);
    for (int k = 0; k < 3; k++) {
        double span = s->equal ? largest : (s->high[k] - s->low[k]) / (k == 2 ? upright : 1);
        v[k] = (at[k] - (s->low[k] + s->high[k]) / 2) / span;
    }
    double c = cairn_cos(s->turn * degree), t = cairn_sin(s->turn * degree);
    double side = v[0] * c - v[1] * t, away = v[0] * t + v[1] * c;
    double above = cairn_sin(s->tilt * degree), level = cairn_cos(s->tilt * degree);
    out[0] = side;
    out[1] = v[2] * level + away * above;
    out[2] = away * level - v[2] * above;
}

void cairn_scene_place(const cairn_scene *scene, const double *at, double *x, double *y)
{
    double out[3];
    project(scene, at, out);
    *x = out[0];
    *y = out[1];
}

/* -- axes -- */

/* Corner i of the box: bit k says whether it is at the high end of axis k. */
static void corner(const cairn_scene *s, int i, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = i >> k & 1 ? s->high[k] : s->low[k];
}

/* The corner of the floor that is nearest to the eye. */
static int front_corner(const cairn_scene *s)
{
    double at[3], seen[3], least = INFINITY;
    int front = 0;
    for (int i = 0; i < 4; i++) {
        corner(s, i, at);
        project(s, at, seen);
        if (seen[2] >= least) continue;
        least = seen[2];
        front = i;
    }
    return front;
}

/* The floor, and the walls behind what is drawn. */
static void draw_box(const cairn_scene *s, cairn_figure *figure, int front)
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            int j = i | 1 << k;
            bool shows = (i & 3) != front && (j & 3) != front;
            double a[3], b[3];
            if (j == i || (!shows && !(i < 4 && j < 4))) continue;
            corner(s, i, a);
            corner(s, j, b);
            double x[2], y[2];
            cairn_scene_place(s, a, &x[0], &y[0]);
            cairn_scene_place(s, b, &x[1], &y[1]);
            cairn_figure_face(figure, -1, 0.45, x, y, 2);
        }
}

/* Texts beside the box, which are gathered before they are placed: the figure is as wide as they
 * need. */
typedef struct scene_text {
    double x, y;
    char align, text[64];
} scene_text;

typedef struct scene_texts {
    scene_text list[3 * (CAIRN_MOST_TICKS + 1)];
    size_t n;
} scene_texts;

/* Long names lose their end. */
static void add_text(scene_texts *t, double x, double y, char align, const char *text)
{
    enum { SIZE = 10, BUFFER = 96 };
    scene_text *one = &t->list[t->n++];
    *one = (scene_text){.x = x, .y = y, .align = align};
    size_t length = cairn_measure_fit(text, SIZE, false, BUFFER);
    bool whole = text[length] == '\0';
    (void)snprintf(one->text, sizeof one->text, "%.*s%s", (int)(length < 56 ? length : 56), text,
                   whole ? "" : "…");
}

/* Ticks and the title of axis k, along the line from `from` upwards; `out` is the direction on the
 * figure that leads away from the box. */
static void draw_axis(const cairn_scene *s, cairn_figure *figure, scene_texts *texts, int k,
                      const double *from, double out_x, double out_y)
{
    cairn_axis axis = {0};
    double at[3], x, y;
    char align = out_x < -0.35 ? 'r' : out_x > 0.35 ? 'l' : 'c';
    memcpy(at, from, sizeof at);
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, s->low[k], s->high[k], s->low[k], s->high[k], 0, 0);
    cairn_axis_ticks(&axis, 4);
    for (size_t i = 0; i < axis.n_ticks; i++) {
        at[k] = axis.ticks[i];
        cairn_scene_place(s, at, &x, &y);
        double tick_x[2] = {x, x + 0.02 * out_x}, tick_y[2] = {y, y + 0.02 * out_y};
        cairn_figure_face(figure, -1, 0.45, tick_x, tick_y, 2);
        add_text(texts, x + 0.045 * out_x, y + 0.045 * out_y - 0.035, align, axis.labels[i]);
    }
    at[k] = k == 2 ? s->high[k] : (s->low[k] + s->high[k]) / 2;
    cairn_scene_place(s, at, &x, &y);
    char name[160];
    (void)snprintf(name, sizeof name, "%.100s%s%.40s", s->names[k], *axis.note ? " " : "",
                   axis.note);
    if (k == 2)
        add_text(texts, x, y + 0.08, 'c', name);
    else
        add_text(texts, x + 0.19 * out_x, y + 0.19 * out_y - 0.04, fabs(out_x) < 0.6 ? 'c' : align,
                 name); /* beside a steep axis, below a flat one */
}

/* The ends of x that show the box from -most to most and all texts: what these take depends on the
 * unit, which depends on the ends, and on `span`, that of y. */
static void fit_texts(const cairn_scene *s, const scene_texts *texts, double span, double most,
                      double *low, double *high)
{
    enum { ROUNDS = 6, SIZE = 10 };
    *low = -most - 0.04;
    *high = most + 0.04;
    for (int round = 0; round < ROUNDS; round++) {
        double across = (*high - *low) / fmax((s->width > 0 ? s->width : 480) - 30, 60);
        double up = span / fmax((s->height > 0 ? s->height : 320) - 60, 60);
        double unit = fmax(across, up); /* of a point */
        for (size_t i = 0; i < texts->n; i++) {
            const scene_text *t = &texts->list[i];
            double length = cairn_measure(t->text, SIZE, false) * unit;
            double left = t->align == 'l' ? 0 : t->align == 'r' ? length : length / 2;
            *low = fmin(*low, t->x - left);
            *high = fmax(*high, t->x - left + length);
        }
    }
}

/* The directions of the floor along which its two axes lie, away from its middle. */
static void draw_axes(const cairn_scene *s, cairn_figure *figure, scene_texts *texts, int front)
{
    double at[3], middle[3], x, y, middle_x, middle_y, left[3], least = INFINITY;
    for (int k = 0; k < 3; k++) middle[k] = (s->low[k] + s->high[k]) / 2;
    middle[2] = s->low[2];
    cairn_scene_place(s, middle, &middle_x, &middle_y);
    for (int k = 0; k < 2; k++) {
        corner(s, front, at);
        at[k] = middle[k];
        cairn_scene_place(s, at, &x, &y);
        double length = cairn_hypot(x - middle_x, y - middle_y);
        if (length > 0)
            draw_axis(s, figure, texts, k, at, (x - middle_x) / length, (y - middle_y) / length);
    }
    for (int i = 0; i < 4; i++) {
        corner(s, i, at);
        cairn_scene_place(s, at, &x, &y);
        if (x >= least) continue;
        least = x;
        memcpy(left, at, sizeof left);
    }
    draw_axis(s, figure, texts, 2, left, -1, 0);
}

static int by_depth(const void *a, const void *b)
{
    const cairn_scene_piece *p = a, *q = b;
    if (p->depth != q->depth) return p->depth > q->depth ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

void cairn_scene_draw(cairn_scene *scene, cairn_figure *figure)
{
    int front = front_corner(scene);
    double low_y = INFINITY, high_y = -INFINITY, most_x = 0, low_x, high_x, at[3], seen[3];
    scene_texts texts = {0};
    for (int i = 0; i < 8; i++) {
        corner(scene, i, at);
        project(scene, at, seen);
        most_x = fmax(most_x, fabs(seen[0]));
        low_y = fmin(low_y, seen[1]), high_y = fmax(high_y, seen[1]);
    }
    cairn_figure_no_axes(figure);
    cairn_figure_equal_axes(figure);
    cairn_figure_y_range(figure, low_y - 0.2, high_y + 0.1);
    draw_box(scene, figure, front);
    draw_axes(scene, figure, &texts, front);
    fit_texts(scene, &texts, high_y - low_y + 0.3, most_x, &low_x, &high_x);
    cairn_figure_x_range(figure, low_x, high_x);
    for (size_t i = 0; i < texts.n; i++)
        cairn_figure_text(figure, texts.list[i].x, texts.list[i].y, texts.list[i].align,
                          texts.list[i].text);
    for (size_t i = 0; i < scene->n; i++) {
        cairn_scene_piece *piece = &scene->pieces[i];
        piece->depth = piece->n == 1 ? -0.08 : piece->n == 2 ? -0.05 : 0;
        for (size_t c = 0; c < piece->n; c++) {
            project(scene, piece->corners[c], seen);
            piece->depth += seen[2] / (double)piece->n;
        }
    }
    if (scene->n) qsort(scene->pieces, scene->n, sizeof *scene->pieces, by_depth);
    for (size_t i = 0; i < scene->n; i++) {
        const cairn_scene_piece *piece = &scene->pieces[i];
        double x[CAIRN_MOST_CORNERS], y[CAIRN_MOST_CORNERS];
        for (size_t c = 0; c < piece->n; c++)
            cairn_scene_place(scene, piece->corners[c], &x[c], &y[c]);
        cairn_figure_face(figure, piece->group, piece->strength, x, y, piece->n);
    }
}
