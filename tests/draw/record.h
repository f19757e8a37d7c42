/* SPDX-License-Identifier: MIT */
/* A canvas that remembers what was drawn, so that tests can ask about the layout. */
#ifndef CAIRN_TESTS_DRAW_RECORD_H
#define CAIRN_TESTS_DRAW_RECORD_H

#include "draw/canvas.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct recorded_text {
    char text[256];
    double x, y, angle; /* corner where the measured box begins, before turning */
    double corners[8];  /* of the turned box */
} recorded_text;

typedef struct recorder {
    cairn_canvas canvas; /* first */
    recorded_text *texts;
    size_t n_texts, text_capacity;
    size_t n_paths, n_rectangles, n_circles, n_marks;
    size_t n_bad; /* numbers that are not finite */
    cairn_box *rectangles;
    size_t rectangle_capacity;
    int clip_depth;
} recorder;

static void record_path(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                        const cairn_style *style)
{
    recorder *r = (recorder *)canvas;
    (void)closed, (void)style;
    r->n_paths++;
    for (size_t i = 0; i < 2 * n; i++) r->n_bad += !isfinite(xy[i]);
}

static void record_rectangle(cairn_canvas *canvas, cairn_box box, double radius,
                             const cairn_style *style)
{
    recorder *r = (recorder *)canvas;
    (void)radius, (void)style;
    if (r->n_rectangles == r->rectangle_capacity) {
        r->rectangle_capacity = r->rectangle_capacity * 2 + 64;
        r->rectangles = realloc(r->rectangles, r->rectangle_capacity * sizeof *r->rectangles);
    }
    r->rectangles[r->n_rectangles++] = box;
    r->n_bad += !isfinite(box.x + box.y + box.width + box.height);
    r->n_bad += box.width < 0 || box.height < 0;
}

static void record_circle(cairn_canvas *canvas, double x, double y, double radius,
                          const cairn_style *style)
{
    recorder *r = (recorder *)canvas;
    (void)style;
    r->n_circles++;
    r->n_bad += !isfinite(x + y + radius);
}

static void record_marks(cairn_canvas *canvas, cairn_canvas_shape shape, double radius,
                         const double *xy, size_t n, const cairn_style *style)
{
    recorder *r = (recorder *)canvas;
    (void)shape, (void)radius, (void)style;
    r->n_marks += n;
    for (size_t i = 0; i < 2 * n; i++) r->n_bad += !isfinite(xy[i]);
}

/* The box reaches from the baseline up by the height of capitals; turned about the anchor. */
static void record_text(cairn_canvas *canvas, double x, double y, const char *text,
                        const cairn_font *font)
{
    recorder *r = (recorder *)canvas;
    if (!*text) return;
    if (r->n_texts == r->text_capacity) {
        r->text_capacity = r->text_capacity * 2 + 64;
        r->texts = realloc(r->texts, r->text_capacity * sizeof *r->texts);
    }
    recorded_text *t = &r->texts[r->n_texts++];
    *t = (recorded_text){.x = x, .y = y, .angle = font->angle};
    strncpy(t->text, text, sizeof t->text - 1);
    double width = cairn_measure(text, font->size, font->bold);
    double start = font->align == CAIRN_MIDDLE ? -width / 2 : font->align == CAIRN_END ? -width : 0;
    const double box[] = {
        start, 0, start + width, 0, start + width, -0.75 * font->size, start, -0.75 * font->size};
    double turn = -font->angle * acos(-1) / 180;
    for (int i = 0; i < 4; i++) {
        t->corners[2 * i] = x + box[2 * i] * cos(turn) - box[2 * i + 1] * sin(turn);
        t->corners[2 * i + 1] = y + box[2 * i] * sin(turn) + box[2 * i + 1] * cos(turn);
    }
    r->n_bad += !isfinite(x + y);
}

static void record_clip(cairn_canvas *canvas, cairn_box box)
{
    recorder *r = (recorder *)canvas;
    r->clip_depth++;
    r->n_bad += !isfinite(box.x + box.y + box.width + box.height);
}

static void record_unclip(cairn_canvas *canvas)
{
    ((recorder *)canvas)->clip_depth--;
}

static void recorder_start(recorder *r, double width, double height)
{
    *r = (recorder){.canvas = {.width = width,
                               .height = height,
                               .path = record_path,
                               .rectangle = record_rectangle,
                               .circle = record_circle,
                               .marks = record_marks,
                               .text = record_text,
                               .clip = record_clip,
                               .unclip = record_unclip}};
}

static void recorder_clear(recorder *r)
{
    free(r->texts);
    free(r->rectangles);
}

/* Whether a line along an edge of `a` separates the boxes. */
static bool separated_by(const double *a, const double *b)
{
    for (int i = 0; i < 2; i++) {
        double nx = -(a[2 * i + 3] - a[2 * i + 1]), ny = a[2 * i + 2] - a[2 * i];
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int j = 0; j < 4; j++) {
            double pa = nx * a[2 * j] + ny * a[2 * j + 1], pb = nx * b[2 * j] + ny * b[2 * j + 1];
            low[0] = fmin(low[0], pa), high[0] = fmax(high[0], pa);
            low[1] = fmin(low[1], pb), high[1] = fmax(high[1], pb);
        }
        if (high[0] <= low[1] || high[1] <= low[0]) return true;
    }
    return false;
}

static bool texts_overlap(const recorded_text *a, const recorded_text *b)
{
    return !separated_by(a->corners, b->corners) && !separated_by(b->corners, a->corners);
}

#endif
