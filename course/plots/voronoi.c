/* SPDX-License-Identifier: MIT */
/* Cells by cutting: n cuts for each of n cells, which is quick enough for as many points as a
 * picture can show. */
#include "plots/voronoi.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static cairn_status convex_buffer(cairn_context *ctx, cairn_convex *out, size_t n)
{
    *out = (cairn_convex){.buffer = n};
    CHECK(SCRATCH_RAW_EACH(ctx, 2 * n, &out->x, &out->y));
    return SCRATCH_RAW(ctx, &out->beside, 2 * n);
}

/* A cut adds a corner at the most. */
cairn_status cairn_convex_box(cairn_context *ctx, cairn_convex *out, const cairn_plane_box *box,
                              size_t cuts)
{
    const double x[] = {box->low_x, box->high_x, box->high_x, box->low_x};
    const double y[] = {box->low_y, box->low_y, box->high_y, box->high_y};
    CHECK(convex_buffer(ctx, out, cuts + 4));
    out->n = 4;
    memcpy(out->x, x, sizeof x);
    memcpy(out->y, y, sizeof y);
    for (size_t i = 0; i < 4; i++) out->beside[i] = -1;
    return CAIRN_OK;
}

cairn_status cairn_convex_copy(cairn_context *ctx, cairn_convex *out, const cairn_convex *from,
                               size_t cuts)
{
    CHECK(convex_buffer(ctx, out, from->n + cuts));
    out->n = from->n;
    memcpy(out->x, from->x, from->n * sizeof *out->x);
    memcpy(out->y, from->y, from->n * sizeof *out->y);
    memcpy(out->beside, from->beside, from->n * sizeof *out->beside);
    return CAIRN_OK;
}

/* How much nearer a corner is to b than to a, in units of twice their distance; above 0 it goes. */
static double beyond(const double *a, const double *b, double x, double y)
{
    double middle_x = a[0] + (b[0] - a[0]) / 2, middle_y = a[1] + (b[1] - a[1]) / 2;
    return (x - middle_x) * (b[0] - a[0]) + (y - middle_y) * (b[1] - a[1]);
}

static void add_corner(cairn_convex *c, size_t *at, double x, double y, int32_t beside)
{
    size_t i = c->buffer + (*at)++;
    c->x[i] = x, c->y[i] = y, c->beside[i] = beside;
}

/* Corners that stay are written behind the old ones, with the two places where the outline crosses
 * the bisector; the whole list then moves to the front. */
void cairn_convex_cut(cairn_convex *c, const double *a, const double *b, int32_t beside)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t next = (i + 1) % c->n;
        double here = beyond(a, b, c->x[i], c->y[i]);
        double there = beyond(a, b, c->x[next], c->y[next]), t = here / (here - there);
        double x = c->x[i] + t * (c->x[next] - c->x[i]), y = c->y[i] + t * (c->y[next] - c->y[i]);
        if (!(here > 0)) add_corner(c, &n, c->x[i], c->y[i], c->beside[i]);
        if (here < 0 && there > 0) add_corner(c, &n, x, y, beside);
        if (here == 0 && there > 0) c->beside[c->buffer + n - 1] = beside;
        if (here > 0 && there < 0) add_corner(c, &n, x, y, c->beside[i]);
    }
    c->n = n < 3 ? 0 : n;
    memmove(c->x, c->x + c->buffer, c->n * sizeof *c->x);
    memmove(c->y, c->y + c->buffer, c->n * sizeof *c->y);
    memmove(c->beside, c->beside + c->buffer, c->n * sizeof *c->beside);
}

double cairn_convex_area(const cairn_convex *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t next = (i + 1) % c->n;
        sum += (c->x[i] - c->x[0]) * (c->y[next] - c->y[0]) -
               (c->x[next] - c->x[0]) * (c->y[i] - c->y[0]);
    }
    return sum / 2;
}

/* Points that repeat an earlier one have no cell. */
static cairn_status find_repeats(cairn_context *ctx, bool **out, const double *points, size_t n)
{
    CHECK(SCRATCH(ctx, out, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i && !(*out)[i]; j++)
            (*out)[i] = points[2 * i] == points[2 * j] && points[2 * i + 1] == points[2 * j + 1];
    return CAIRN_OK;
}

cairn_status cairn_voronoi_cells(cairn_context *ctx, cairn_convex *cells, const double *points,
                                 size_t n, const cairn_plane_box *box)
{
    bool *repeats;
    CHECK(find_repeats(ctx, &repeats, points, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_convex_box(ctx, &cells[i], box, n));
        if (repeats[i]) cells[i].n = 0;
        for (size_t j = 0; j < n && cells[i].n; j++)
            if (j != i && !repeats[j])
                cairn_convex_cut(&cells[i], points + 2 * i, points + 2 * j, (int32_t)j);
    }
    return CAIRN_OK;
}

cairn_status cairn_voronoi_next(cairn_context *ctx, cairn_convex *parts, const cairn_convex *cell,
                                size_t i, const double *points, size_t n)
{
    bool *repeats;
    CHECK(find_repeats(ctx, &repeats, points, n));
    for (size_t j = 0; j < n; j++) {
        bool same = points[2 * i] == points[2 * j] && points[2 * i + 1] == points[2 * j + 1];
        CHECK(cairn_convex_copy(ctx, &parts[j], cell, n));
        for (size_t c = 0; c < parts[j].n; c++) parts[j].beside[c] = -1;
        if (repeats[j] || same) parts[j].n = 0;
        for (size_t k = 0; k < n && parts[j].n; k++)
            if (k != i && k != j && !repeats[k])
                cairn_convex_cut(&parts[j], points + 2 * j, points + 2 * k, (int32_t)k);
    }
    return CAIRN_OK;
}

/* An edge belongs to two cells and is drawn with the first. */
cairn_status cairn_voronoi_edges(cairn_context *ctx, cairn_strokes *out, const cairn_convex *cells,
                                 size_t n)
{
    size_t corners = 0;
    for (size_t i = 0; i < n; i++) corners += cells[i].n;
    *out = (cairn_strokes){0};
    CHECK(SCRATCH_RAW_EACH(ctx, 3 * corners + 1, &out->x, &out->y));
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cells[i].n; c++) {
            size_t next = (c + 1) % cells[i].n;
            if (cells[i].beside[c] < (int32_t)i) continue;
            const double x[] = {cells[i].x[c], cells[i].x[next], NAN};
            const double y[] = {cells[i].y[c], cells[i].y[next], NAN};
            memcpy(out->x + out->n, x, sizeof x);
            memcpy(out->y + out->n, y, sizeof y);
            out->n += 3;
        }
    return CAIRN_OK;
}
