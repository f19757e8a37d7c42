/* SPDX-License-Identifier: MIT */
/* Labelings of a few points as panels, each with the line, box or interval that produces it, or
 * "impossible". */
#include "compute/theory/labeling_figure.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void around(cairn_labeling_places *p)
{
    const double pi = M_PI;
    for (size_t i = 0; i < p->n; i++) {
        double angle = 2 * pi * (double)i / (double)p->n;
        p->x[i] = p->n > 1 ? cairn_sin(angle) : 0;
        p->y[i] = p->n > 1 ? cairn_cos(angle) : 0;
    }
}

static void find_frame(cairn_labeling_places *p)
{
    for (int j = 0; j < 2; j++) {
        const double *at = j ? p->y : p->x;
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < p->n; i++) low = fmin(low, at[i]), high = fmax(high, at[i]);
        double buffer = high > low ? 0.3 * (high - low) : 1;
        p->low[j] = low - buffer;
        p->high[j] = high + buffer;
    }
}

cairn_status cairn_labeling_around(cairn_context *ctx, cairn_labeling_places *out, size_t n)
{
    *out = (cairn_labeling_places){.n = n};
    CHECK(SCRATCH_EACH(ctx, n, &out->x, &out->y));
    around(out);
    find_frame(out);
    return CAIRN_OK;
}

static cairn_status find_places(cairn_context *ctx, cairn_labeling_places *out,
                                const cairn_instances *at)
{
    out->n = at->n;
    CHECK(SCRATCH_EACH(ctx, at->n, &out->x, &out->y));
    bool geometry = at->kind != CAIRN_CONJUNCTIONS && at->kind != CAIRN_LISTED;
    out->line = geometry && at->p == 1;
    out->plane = geometry && at->p == 2;
    for (size_t i = 0; i < at->n; i++) {
        out->x[i] = at->x[i * at->p];
        if (out->plane) out->y[i] = at->x[i * at->p + 1];
    }
    if (!out->line && !out->plane) around(out);
    find_frame(out);
    return CAIRN_OK;
}

/* Between low and high on a line, or all the rest. */
static void draw_interval(cairn_figure *figure, const cairn_labeling_places *p,
                          const cairn_witness *w)
{
    double low = fmin(fmax(w->low[0], p->low[0]), p->high[0]);
    double high = fmin(fmax(w->high[0], p->low[0]), p->high[0]);
    double spans[2][2] = {{low, high}, {p->high[0], p->high[0]}};
    if (w->complement) {
        spans[0][0] = p->low[0];
        spans[0][1] = low;
        spans[1][0] = high;
    }
    for (int i = 0; i < 2; i++) {
        double bottom[2] = {-0.45, -0.45}, top[2] = {0.45, 0.45};
        if (spans[i][1] > spans[i][0]) cairn_figure_area(figure, 1, spans[i], bottom, top, 2);
        for (int end = 0; end < 2; end++) {
            double x[2] = {spans[i][end], spans[i][end]}, y[2] = {-0.45, 0.45};
            if (x[0] > p->low[0] && x[0] < p->high[0] && spans[i][1] > spans[i][0])
                cairn_figure_guide(figure, x, y, 2);
        }
    }
}

/* The box, widened a little where it is a point or a side. */
static void draw_box(cairn_figure *figure, const cairn_labeling_places *p, const cairn_witness *w)
{
    double s[2][2];
    for (int j = 0; j < 2; j++) {
        double buffer = 0.06 * (p->high[j] - p->low[j]);
        s[j][0] = fmin(fmax(w->low[j] - buffer, p->low[j]), p->high[j]);
        s[j][1] = fmin(fmax(w->high[j] + buffer, p->low[j]), p->high[j]);
    }
    double x[5] = {s[0][0], s[0][1], s[0][1], s[0][0], s[0][0]};
    double y[5] = {s[1][0], s[1][0], s[1][1], s[1][1], s[1][0]};
    double low[2] = {s[1][0], s[1][0]}, high[2] = {s[1][1], s[1][1]};
    if (s[0][1] <= s[0][0] || s[1][1] <= s[1][0]) return;
    cairn_figure_area(figure, 1, s[0], low, high, 2);
    cairn_figure_guide(figure, x, y, 5);
}

/* The part of the line v[0] x + v[1] y + v[2] = 0 that lies in the frame. */
static void draw_border(cairn_figure *figure, const cairn_labeling_places *p, const double *v)
{
    double x[4], y[4];
    size_t n = 0;
    for (int k = 0; k < 4 && n < 2; k++) {
        double side = k % 2 ? p->high[k / 2] : p->low[k / 2], other = v[1 - k / 2];
        if (other == 0) continue;
        double at = -(v[k / 2] * side + v[2]) / other;
        if (at < p->low[1 - k / 2] || at > p->high[1 - k / 2]) continue;
        x[n] = k < 2 ? side : at;
        y[n] = k < 2 ? at : side;
        if (n && x[0] == x[1] && y[0] == y[1]) continue; /* through a corner */
        n++;
    }
    if (n == 2) cairn_figure_guide(figure, x, y, 2);
}

enum { SLICES = 65 };

/* The half-plane in the frame, and its line. */
static void draw_half_plane(cairn_figure *figure, const cairn_labeling_places *p,
                            const cairn_witness *w)
{
    double x[SLICES], low[SLICES], high[SLICES];
    const double *v = w->w;
    if (v[1] == 0) { /* upright, or everything or nothing */
        bool all = v[0] == 0;
        double at = all ? p->low[0] : -v[2] / v[0];
        if (all && v[2] <= 0) return;
        x[0] = all || v[0] > 0 ? fmax(at, p->low[0]) : p->low[0];
        x[1] = all || v[0] > 0 ? p->high[0] : fmin(at, p->high[0]);
        low[0] = low[1] = p->low[1];
        high[0] = high[1] = p->high[1];
        if (x[1] > x[0]) cairn_figure_area(figure, 1, x, low, high, 2);
        if (!all) draw_border(figure, p, v);
        return;
    }
    for (int i = 0; i < SLICES; i++) {
        x[i] = p->low[0] + (p->high[0] - p->low[0]) * i / (SLICES - 1);
        double y = fmin(fmax(-(v[0] * x[i] + v[2]) / v[1], p->low[1]), p->high[1]);
        low[i] = v[1] > 0 ? y : p->low[1];
        high[i] = v[1] > 0 ? p->high[1] : y;
    }
    cairn_figure_area(figure, 1, x, low, high, SLICES);
    draw_border(figure, p, v);
}

static void draw_witness(cairn_figure *figure, const cairn_instances *at,
                         const cairn_labeling_places *p, const cairn_witness *w)
{
    if (!w->known) return;
    if (at->kind == CAIRN_LINEAR && at->p == 1) { /* w x + c > 0 on a line */
        cairn_witness half = {.known = true, .low = {-INFINITY}, .high = {INFINITY}};
        if (w->w[0] == 0 && w->w[1] <= 0) half.high[0] = -INFINITY;
        if (w->w[0] > 0) half.low[0] = -w->w[1] / w->w[0];
        if (w->w[0] < 0) half.high[0] = -w->w[1] / w->w[0];
        draw_interval(figure, p, &half);
    } else if (at->kind == CAIRN_LINEAR) {
        draw_half_plane(figure, p, w);
    } else if (at->p == 2) {
        draw_box(figure, p, w);
    } else {
        draw_interval(figure, p, w);
    }
}

/* Segments between points of the same label: no line keeps crossing ones apart. */
static void join_equal(cairn_figure *figure, const cairn_labeling_places *p, const int *labels)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < i; k++) {
            double x[2] = {p->x[i], p->x[k]}, y[2] = {p->y[i], p->y[k]};
            if (labels[i] == labels[k]) cairn_figure_dashed(figure, NULL, x, y, 2);
        }
}

enum { LINE_LETTERS = 26, MOST_LINES = 4 };

/* The next line of the words: as many whole ones as fit; all that is left in the last line. */
static size_t next_line(const char *words, size_t number)
{
    size_t best = 0, n = strlen(words);
    if (n <= LINE_LETTERS || number + 1 == MOST_LINES) return n;
    for (size_t i = 1; i < n && (i <= LINE_LETTERS || !best); i++)
        if (words[i] == ' ') best = i;
    return best ? best : n;
}

static size_t count_lines(const char *words)
{
    size_t n = 0;
    while (*words) {
        words += next_line(words, n++);
        while (*words == ' ') words++;
    }
    return n;
}

static double line_height(const cairn_labeling_places *p)
{
    return p->line ? 0.62 : 0.17 * (p->high[1] - p->low[1]);
}

/* The words below the frame. */
static cairn_status add_words(cairn_context *ctx, cairn_figure *panel,
                              const cairn_labeling_places *p, const char *words)
{
    for (size_t n = 0; *words; n++) {
        size_t length = next_line(words, n);
        char *copy;
        CHECK(SCRATCH(ctx, &copy, length + 1));
        memcpy(copy, words, length);
        cairn_figure_text(panel, (p->low[0] + p->high[0]) / 2,
                          p->low[1] - line_height(p) * ((double)n + 1.3), 'c', copy);
        words += length;
        while (*words == ' ') words++;
    }
    return CAIRN_OK;
}

cairn_status cairn_labeling_panel(cairn_context *ctx, cairn_figure **out,
                                  const cairn_labeling_places *p, const char *title,
                                  const int *labels, bool two)
{
    int32_t groups[CAIRN_MOST_LABELLED_POINTS];
    CHECK(cairn_figure_new(ctx, out, "labeling", title));
    cairn_figure_no_axes(*out);
    if (two) cairn_figure_marking(*out, CAIRN_MARKING_HOLLOW);
    double buffer = line_height(p) * ((double)p->lines + 0.4);
    cairn_figure_size(*out, 176, (p->line ? 84 : 136) + 15 * (double)p->lines);
    cairn_figure_x_range(*out, p->low[0], p->high[0]);
    cairn_figure_y_range(*out, p->low[1] - buffer, p->high[1]);
    double frame_x[5] = {p->low[0], p->high[0], p->high[0], p->low[0], p->low[0]};
    double frame_y[5] = {p->low[1], p->low[1], p->high[1], p->high[1], p->low[1]};
    if (p->line) {
        frame_y[0] = frame_y[1] = 0;
        cairn_figure_guide(*out, frame_x, frame_y, 2);
    } else {
        cairn_figure_guide(*out, frame_x, frame_y, 5);
    }
    for (size_t i = 0; i < p->n; i++) groups[i] = labels[i];
    cairn_figure_points(*out, p->x, p->y, groups, p->n, NULL, 0);
    return CAIRN_OK;
}

/* Called twice: first without a figure, to count panels and lines of text, then to draw them at
 * one size. */
static cairn_status add_panel(cairn_context *ctx, cairn_figure *figure, const cairn_instances *at,
                              cairn_labeling_places *p, const int *labels, int show, size_t *shown)
{
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text words = cairn_text_start(ctx);
    cairn_witness witness;
    bool realised;
    CHECK(cairn_labeling_realised(ctx, at, labels, &realised, &words, &witness));
    if ((show == CAIRN_LABELINGS_POSSIBLE && !realised) ||
        (show == CAIRN_LABELINGS_IMPOSSIBLE && realised))
        return CAIRN_OK;
    /* "{m, g}": the points with label 1; with more labels the digits. */
    bool any = false;
    if (at->n_labels > 2)
        for (size_t i = 0; i < at->n; i++) cairn_text_addf(&title, "%d", labels[i]);
    if (at->n_labels == 2) {
        cairn_text_add_char(&title, '{');
        for (size_t i = 0; i < at->n; i++) {
            if (!labels[i]) continue;
            cairn_text_addf(&title, "%s%s", any ? "," : "", at->names[i]);
            any = true;
        }
        cairn_text_add_char(&title, '}');
    }
    if (!realised) cairn_text_add(&title, " impossible");
    CHECK(cairn_text_status(&words));
    CHECK(cairn_text_status(&title));
    ++*shown;
    if (!figure) {
        size_t lines = count_lines(cairn_text_string(&words));
        if (lines > p->lines) p->lines = lines;
        return CAIRN_OK;
    }
    CHECK(
        cairn_labeling_panel(ctx, &panel, p, cairn_text_string(&title), labels, at->n_labels == 2));
    if (realised)
        draw_witness(panel, at, p, &witness);
    else if (at->kind == CAIRN_LINEAR && p->plane)
        join_equal(panel, p, labels);
    for (size_t i = 0; i < at->n && !p->line; i++)
        cairn_figure_label(panel, p->x[i], p->y[i], at->names[i]);
    CHECK(add_words(ctx, panel, p, cairn_text_string(&words)));
    cairn_figure_panel(figure, panel);
    panel = NULL;
    return CAIRN_OK;
}

static cairn_status new_labelings(cairn_context *ctx, cairn_figure **out, const cairn_instances *at)
{
    return cairn_figure_new(ctx, out, "shattering",
                            at->n_labels == 2 ? "Labelings: 1 solid, 0 hollow" : "Labelings");
}

/* All that are wanted; without a figure they are only counted. */
static cairn_status add_panels(cairn_context *ctx, cairn_figure *figure, const cairn_instances *at,
                               cairn_labeling_places *p, size_t total, int show, size_t *shown)
{
    int labels[CAIRN_MOST_LABELLED_POINTS] = {0};
    *shown = 0;
    for (size_t code = 0; code < total; code++) {
        if (code % 256 == 0) CHECK(cairn_tick(ctx, "labelings", (double)code, (double)total));
        cairn_labeling_of(at, code, labels);
        CHECK(add_panel(ctx, figure, at, p, labels, show, shown));
    }
    return CAIRN_OK;
}

cairn_status cairn_labeling_figure(cairn_context *ctx, cairn_figure **out,
                                   const cairn_instances *at, const int *labels)
{
    cairn_labeling_places where = {0};
    size_t shown = 0;
    CHECK(find_places(ctx, &where, at));
    where.lines = 2;
    CHECK(new_labelings(ctx, out, at));
    CHECK(add_panel(ctx, *out, at, &where, labels, CAIRN_LABELINGS_ALL, &shown));
    cairn_figure_size(*out, 300, 260);
    return CAIRN_OK;
}

cairn_status cairn_labelings_figure(cairn_context *ctx, cairn_figure **out,
                                    const cairn_instances *at, size_t total,
                                    cairn_labelings_shown which, size_t most, size_t *shown)
{
    cairn_labeling_places where = {0};
    CHECK(find_places(ctx, &where, at));
    CHECK(add_panels(ctx, NULL, at, &where, total, which, shown));
    if (!*shown || *shown > most) return CAIRN_OK;
    CHECK(new_labelings(ctx, out, at));
    cairn_figure_columns(*out, *shown > 16 ? 8 : 4);
    return add_panels(ctx, *out, at, &where, total, which, shown);
}
