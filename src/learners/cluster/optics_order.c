/* SPDX-License-Identifier: MIT */
/* The order of OPTICS: always the row that is reached most easily from those that were taken. */
#include "base/memory.h"
#include "learners/cluster/optics.h"
#include <math.h>

enum { SHOWN_STEPS = 12 };

void cairn_optics_order_clear(cairn_optics_order *order)
{
    cairn_free(order->rows);
    cairn_free(order->reach);
    cairn_free(order->core);
    cairn_free(order->from);
    *order = (cairn_optics_order){0};
}

/* -- rows that wait -- */

typedef struct waiting {
    cairn_optics_order *order;
    const cairn_density *density;
    size_t n;
    uint32_t *heap;      /* rows, the one of least reachability first, of equal ones the first */
    uint32_t *places;    /* by row: its place in the heap; UINT32_MAX = not there */
    unsigned char *done; /* by row */
    size_t row;          /* that was taken last */
    cairn_report *steps; /* NULL = the update is not shown */
} waiting;

static bool before(const waiting *w, uint32_t a, uint32_t b)
{
    double x = w->order->reach[a], y = w->order->reach[b];
    return x < y || (x == y && a < b);
}

static void put(waiting *w, size_t at, uint32_t row)
{
    w->heap[at] = row;
    w->places[row] = (uint32_t)at;
}

static void rise(waiting *w, size_t at)
{
    uint32_t row = w->heap[at];
    for (; at > 0 && before(w, row, w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(w, at, w->heap[(at - 1) / 2]);
    put(w, at, row);
}

static uint32_t take_first(waiting *w)
{
    uint32_t first = w->heap[0], row = w->heap[--w->n];
    size_t at = 0;
    w->places[first] = UINT32_MAX;
    if (w->n == 0) return first;
    for (size_t child; (child = 2 * at + 1) < w->n; at = child) {
        if (child + 1 < w->n && before(w, w->heap[child + 1], w->heap[child])) child++;
        if (!before(w, w->heap[child], row)) break;
        put(w, at, w->heap[child]);
    }
    put(w, at, row);
    return first;
}

/* -- the order -- */

static void show_update(const waiting *w, uint32_t row, double distance, double now)
{
    const uint32_t *numbers = w->density->rows.numbers;
    double old = w->order->reach[row];
    cairn_report_cellf(w->steps, "%zu", numbers[row] + (size_t)1);
    cairn_report_cell_number(w->steps, distance, 6, NULL);
    cairn_report_cell_number(w->steps, now, 6, NULL);
    cairn_density_cell(w->steps, old, NULL);
    cairn_report_cell_number(w->steps, now < old ? now : old, 6, NULL);
}

/* A row within eps of the one that was taken last may be easier to reach than before. */
static void update(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)worker;
    waiting *w = data;
    cairn_optics_order *o = w->order;
    if (w->done[row]) return;
    double distance = cairn_density_value(w->density, order), core = o->core[query];
    double reach = distance > core ? distance : core;
    if (w->steps) show_update(w, row, distance, reach);
    if (!(reach < o->reach[row])) return;
    o->reach[row] = reach;
    o->from[row] = (uint32_t)query;
    if (w->places[row] == UINT32_MAX) put(w, w->n++, row);
    rise(w, w->places[row]);
}

static void show_fact(cairn_report *out, const char *label, double value)
{
    if (isinf(value))
        cairn_report_word(out, label, "∞", NULL);
    else
        cairn_report_value(out, label, value, NULL);
}

/* Only the first rows show their updates; the others would repeat them. */
static void take_row(waiting *w, size_t position, uint32_t row, double reach, int32_t *room,
                     cairn_report *steps)
{
    cairn_optics_order *o = w->order;
    size_t number = w->density->rows.numbers[row] + (size_t)1;
    o->rows[position] = row;
    w->done[row] = 1;
    w->steps = position < SHOWN_STEPS ? steps : NULL;
    cairn_report_step_begin(w->steps, "Row %zu is taken", number);
    show_fact(w->steps, "reachability", o->reach[row]);
    show_fact(w->steps, "core distance", o->core[row]);
    if (isfinite(o->core[row])) {
        cairn_report_formula(w->steps, "reach(q) = min(reach(q), max(core(%zu), d(%zu, q)))",
                             number, number);
        cairn_report_table_of(w->steps, NULL, 30, "rrrrr", "q", "d", "max", "before", "reach(q)");
        cairn_density_within_one(w->density, row, reach, room, update, w);
        cairn_report_table_end(w->steps);
    }
    cairn_report_step_end(w->steps);
}

static cairn_status take_all(cairn_context *ctx, waiting *w, double reach, cairn_report *steps)
{
    const cairn_density *density = w->density;
    int32_t *room;
    size_t position = 0;
    CHECK(SCRATCH(ctx, &room, cairn_distance_room(&density->rows, &density->rows)));
    for (uint32_t i = 0; i < density->n; i++) {
        if (w->done[i]) continue;
        take_row(w, position++, i, reach, room, steps);
        while (w->n) {
            take_row(w, position++, take_first(w), reach, room, steps);
            if (position % 64 == 0)
                CHECK(cairn_tick(ctx, "rows in order", (double)position, (double)density->n));
        }
        CHECK(cairn_tick(ctx, "rows in order", (double)position, (double)density->n));
    }
    return CAIRN_OK;
}

static cairn_status make_order(cairn_context *ctx, cairn_optics_order *o, size_t n)
{
    o->n = n;
    CHECK(NEW(ctx, &o->rows, n));
    CHECK(NEW_RAW_EACH(ctx, n, &o->reach, &o->core, &o->from));
    for (size_t i = 0; i < n; i++) o->reach[i] = INFINITY, o->from[i] = UINT32_MAX;
    return CAIRN_OK;
}

cairn_status cairn_optics_run(cairn_context *ctx, cairn_optics_order *out, cairn_density *density,
                              double eps, double min_points, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_optics_order_clear) cairn_optics_order o = {0};
    waiting w = {.order = &o, .density = density};
    CHECK(make_order(ctx, &o, density->n));
    CHECK(SCRATCH_EACH(ctx, density->n + 1, &w.heap, &w.places, &w.done));
    for (size_t i = 0; i < density->n; i++) w.places[i] = UINT32_MAX;
    CHECK(cairn_density_core_distances(ctx, density, min_points, o.core));
    for (size_t i = 0; i < density->n; i++)
        if (o.core[i] > eps * (1 + 1e-12)) o.core[i] = INFINITY;
    double reach = isinf(eps) ? INFINITY : cairn_density_reach(density, eps, false);
    CHECK(take_all(ctx, &w, reach, steps));
    *out = o;
    o = (cairn_optics_order){0};
    return CAIRN_OK;
}
