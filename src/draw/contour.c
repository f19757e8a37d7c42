/* SPDX-License-Identifier: MIT */
/* Level lines by marching squares. A line enters and leaves a cell through sides whose ends lie on
 * different sides of the level, at the place that a straight line between the two values gives.
 * Pieces of neighbouring cells meet on the side that they share, and are joined there. */
#include "draw/contour.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Sides have numbers: those along x first, then those along y. */
typedef struct tracing {
    const cairn_contour_grid *grid;
    double level;
    uint32_t (*ends)[2]; /* per piece: the sides that it joins */
    uint32_t *at_side;   /* 2 per side: numbers of pieces + 1; 0 = none */
    bool *drawn;         /* per piece */
    size_t n_pieces;
    cairn_contour *out;
} tracing;

static size_t side_along_x(const cairn_contour_grid *g, size_t i, size_t j)
{
    return j * g->nx + i;
}

static size_t side_along_y(const cairn_contour_grid *g, size_t i, size_t j)
{
    return g->nx * g->ny + j * g->nx + i;
}

static bool is_crossed(const tracing *t, double a, double b)
{
    return !isnan(a) && !isnan(b) && (a < t->level) != (b < t->level);
}

static void add_piece(tracing *t, size_t from, size_t to)
{
    const size_t sides[2] = {from, to};
    for (int e = 0; e < 2; e++) {
        uint32_t *slot = &t->at_side[2 * sides[e]];
        slot[slot[0] != 0] = (uint32_t)t->n_pieces + 1;
        t->ends[t->n_pieces][e] = (uint32_t)sides[e];
    }
    t->n_pieces++;
}

static void find_pieces(tracing *t)
{
    const cairn_contour_grid *g = t->grid;
    for (size_t j = 0; j + 1 < g->ny; j++)
        for (size_t i = 0; i + 1 < g->nx; i++) {
            const double *low = g->values + j * g->nx + i, *high = low + g->nx;
            size_t found[4], n = 0;
            int below = (low[0] < t->level) + (low[1] < t->level) + (high[0] < t->level) +
                        (high[1] < t->level);
            if (below == 0 || below == 4) continue; /* nearly all cells; NaN is not below */
            if (is_crossed(t, low[0], low[1])) found[n++] = side_along_x(g, i, j);
            if (is_crossed(t, low[1], high[1])) found[n++] = side_along_y(g, i + 1, j);
            if (is_crossed(t, high[1], high[0])) found[n++] = side_along_x(g, i, j + 1);
            if (is_crossed(t, high[0], low[0])) found[n++] = side_along_y(g, i, j);
            for (size_t k = 0; k + 1 < n; k += 2) add_piece(t, found[k], found[k + 1]);
        }
}

/* The place on a side where the level is crossed. */
static void put_place(tracing *t, size_t side)
{
    const cairn_contour_grid *g = t->grid;
    bool along_y = side >= g->nx * g->ny;
    size_t at = along_y ? side - g->nx * g->ny : side;
    double a = g->values[at], b = g->values[at + (along_y ? g->nx : 1)];
    double share = (t->level - a) / (b - a);
    size_t column = at % g->nx, row = at / g->nx;
    double i = (double)column + (along_y ? 0 : share);
    double j = (double)row + (along_y ? share : 0);
    t->out->x[t->out->n] = g->x + i * g->dx;
    t->out->y[t->out->n++] = g->y + j * g->dy;
}

/* Follow the line that begins with a piece at one of its ends. */
static void follow(tracing *t, size_t piece, int end)
{
    if (t->out->n) {
        t->out->x[t->out->n] = t->out->y[t->out->n] = NAN;
        t->out->n++;
    }
    put_place(t, t->ends[piece][end]);
    for (;;) {
        size_t side = t->ends[piece][1 - end];
        t->drawn[piece] = true;
        put_place(t, side);
        const uint32_t *slot = &t->at_side[2 * side];
        uint32_t next = slot[0] == piece + 1 ? slot[1] : slot[0];
        if (!next || t->drawn[next - 1]) return;
        piece = next - 1;
        end = t->ends[piece][0] == side ? 0 : 1;
    }
}

cairn_status cairn_contour_trace(cairn_context *ctx, cairn_contour *out,
                                 const cairn_contour_grid *grid, double level)
{
    tracing t = {.grid = grid, .level = level, .out = out};
    size_t cells = cairn_product(grid->nx, grid->ny), most = cairn_product(2, cells);
    out->n = 0;
    CHECK(SCRATCH(ctx, &t.ends, most));
    CHECK(SCRATCH(ctx, &t.at_side, cairn_product(2, most)));
    CHECK(SCRATCH(ctx, &t.drawn, most));
    if (grid->nx > 1 && grid->ny > 1) find_pieces(&t);
    CHECK(SCRATCH_EACH(ctx, 3 * t.n_pieces + 1, &out->x, &out->y));
    for (size_t p = 0; p < t.n_pieces; p++) /* lines with ends first, then rings */
        for (int e = 0; e < 2 && !t.drawn[p]; e++)
            if (!t.at_side[2 * t.ends[p][e] + 1]) follow(&t, p, e);
    for (size_t p = 0; p < t.n_pieces; p++)
        if (!t.drawn[p]) follow(&t, p, 0);
    return CAIRN_OK;
}

cairn_status cairn_contour_join(cairn_context *ctx, cairn_contour *all, const cairn_contour *one)
{
    double *x, *y; /* lines are few and short, so that copying them is no matter */
    size_t n = all->n;
    if (!one->n) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, n + one->n + 1, &x, &y));
    if (n) memcpy(x, all->x, n * sizeof *x), memcpy(y, all->y, n * sizeof *y);
    if (n) x[n] = y[n] = NAN, n++;
    memcpy(x + n, one->x, one->n * sizeof *x);
    memcpy(y + n, one->y, one->n * sizeof *y);
    *all = (cairn_contour){x, y, n + one->n};
    return CAIRN_OK;
}

cairn_status cairn_contour_sample(cairn_context *ctx, cairn_contour_grid *out,
                                  cairn_plane_function function, const void *data, double right,
                                  double top, double *low, double *high)
{
    enum { STEPS = 160 };
    double *values;
    CHECK(SCRATCH_RAW(ctx, &values, (size_t)(STEPS + 1) * (STEPS + 1)));
    *low = INFINITY;
    *high = -INFINITY;
    for (int j = 0; j <= STEPS; j++)
        for (int i = 0; i <= STEPS; i++) {
            double value = function(data, right * i / STEPS, top * j / STEPS);
            values[j * (STEPS + 1) + i] = value;
            if (isnan(value)) continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    *out = (cairn_contour_grid){values, STEPS + 1, STEPS + 1, 0, 0, right / STEPS, top / STEPS};
    return CAIRN_OK;
}

void cairn_contour_levels(double *levels, size_t n, double low, double high)
{
    for (size_t l = 0; l < n; l++) {
        double share = (double)(l + 1) / (double)(n + 1);
        levels[l] = low + (high - low) * share * share;
    }
}

cairn_status cairn_contour_add(cairn_context *ctx, cairn_figure *figure, const char *label,
                               const cairn_contour_grid *grid, const double *levels, size_t n)
{
    cairn_contour all = {0}, one;
    size_t capacity_x = 0, capacity_y = 0;
    cairn_status status = CAIRN_OK;
    for (size_t k = 0; k < n; k++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        TRY(cairn_contour_trace(ctx, &one, grid, levels[k]));
        TRY(GROW(ctx, &all.x, &capacity_x, all.n + one.n + 1));
        TRY(GROW(ctx, &all.y, &capacity_y, all.n + one.n + 1));
        if (all.n && one.n) all.x[all.n] = NAN, all.y[all.n++] = NAN;
        if (one.n) memcpy(all.x + all.n, one.x, one.n * sizeof *one.x);
        if (one.n) memcpy(all.y + all.n, one.y, one.n * sizeof *one.y);
        all.n += one.n;
        cairn_scratch_release(ctx, mark);
    }
    if (all.n && label) cairn_figure_line(figure, label, all.x, all.y, all.n);
    if (all.n && !label) cairn_figure_faint(figure, all.x, all.y, all.n);
done:
    FREE_EACH(all.x, all.y);
    return status;
}
