/* SPDX-License-Identifier: MIT */
/* OPTICS: rows in an order in which dense regions of any density are valleys.
 *
 * 1. The core distance of a row is the radius within which it has enough rows (min-points, itself
 *    counted). Where that is more than eps the row is no core point.
 * 2. The reachability of q from p is max(core(p), d(p, q)). Rows are taken one after the other,
 *    always the one that is reached most easily from those that were taken; the first row, and
 *    whenever nothing more is reached, the next that is left.
 * 3. In the plot of reachabilities in that order clusters are valleys. They are found by their
 *    steep sides (xi), each with the density that it has, or by a line (cut), as DBSCAN of that eps
 *    would.
 *
 * Of rows that are reached equally easily the first is taken. The order is of these rows alone: it
 * has no rule for others. Weights count in core distances and sizes.
 *
 * Cost: n searches within eps; n^2 distances when eps is infinite, which it is unless it is given.
 *
 * Source: Ankerst, Breunig, Kriegel and Sander, OPTICS: ordering points to identify the clustering
 * structure (1999). */
#include "learners/cluster/optics.h"

#include "base/memory.h"
#include "model/by_distance.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct cairn_optics_params {
    double eps; /* NaN = infinite */
    int min_points;
    const char *distance;
    double cut; /* NaN = by xi */
    double xi;
    int min_size; /* 0 = min_points */
} cairn_optics_params;

typedef struct optics_model {
    size_t n_rows, n_clusters;
} optics_model;

/* The order of OPTICS: always the row that is reached most easily from those that were taken. */

enum { SHOWN_STEPS = 12 };

static void order_clear(cairn_optics_order *order)
{
    FREE_EACH(order->rows, order->reach, order->core, order->from);
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

/* A row within eps of the one that was taken last may be easier to reach than before. */
static void update(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)worker;
    waiting *w = data;
    cairn_optics_order *o = w->order;
    if (w->done[row]) return;
    double distance = cairn_density_value(w->density, order), core = o->core[query];
    double reach = distance > core ? distance : core;
    if (w->steps) {
        const uint32_t *numbers = w->density->rows.numbers;
        double old = w->order->reach[row];
        cairn_report_cells(w->steps, "- -:6 -:6", numbers[row] + (size_t)1, distance, reach);
        cairn_density_cell(w->steps, old, NULL);
        cairn_report_cell_number(w->steps, reach < old ? reach : old, 6, NULL);
    }
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
static void take_row(waiting *w, size_t position, uint32_t row, double reach, int32_t *buffer,
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
        cairn_density_within_one(w->density, row, reach, buffer, update, w);
        cairn_report_table_end(w->steps);
    }
    cairn_report_step_end(w->steps);
}

static cairn_status take_all(cairn_context *ctx, waiting *w, double reach, cairn_report *steps)
{
    const cairn_density *density = w->density;
    int32_t *buffer;
    size_t position = 0;
    CHECK(SCRATCH(ctx, &buffer, cairn_distance_buffer(&density->rows, &density->rows)));
    for (uint32_t i = 0; i < density->n; i++) {
        if (w->done[i]) continue;
        take_row(w, position++, i, reach, buffer, steps);
        while (w->n) {
            take_row(w, position++, take_first(w), reach, buffer, steps);
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

/* `eps` may be infinite; `steps` NULL = nothing is shown. */
static cairn_status optics_run(cairn_context *ctx, cairn_optics_order *out, cairn_density *density,
                               double eps, double min_points, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(order_clear) cairn_optics_order o = {0};
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

/* Clusters from the order of OPTICS: rows below a line, or valleys with steep sides.
 *
 * A place is steep downward when the reachability falls there by at least a share xi to the next
 * one, and steep upward when it rises so. A steep region is a run of such places that goes one way
 * throughout and rests for at most `patience` places. A valley begins in a steep region downward
 * and ends in one upward; both ends are brought to the same height, nothing between is higher, and
 * at the end rows are left out that were reached from outside. Of nested valleys the innermost are
 * taken.
 *
 * Sources: Ankerst, Breunig, Kriegel and Sander, OPTICS (1999); Schubert and Gertz, Improving the
 * cluster structure extracted from OPTICS plots (2018). */

/* clusters (n, by row; -1 = noise): rows whose reachability stays up to `cut`. */
static void optics_cut(const cairn_optics_order *order, double cut, int32_t *clusters,
                       size_t *n_clusters)
{
    double limit = cut * (1 + 1e-12);
    int32_t current = -1;
    *n_clusters = 0;
    for (size_t i = 0; i < order->n; i++) {
        size_t row = order->rows[i];
        if (order->reach[row] > limit)
            current = order->core[row] <= limit ? (int32_t)(*n_clusters)++ : -1;
        clusters[row] = current;
    }
}

/* -- valleys -- */

typedef struct slope {
    size_t begin, end;
    double between; /* the highest place since its end */
} slope;

typedef struct valleys {
    const cairn_optics_order *order;
    const cairn_density *density;
    double keep; /* 1 - xi */
    double least;
    size_t n, patience;
    double *plot;   /* n + 1: reachability by position, the last infinite */
    double *ratios; /* n: of a place to the next */
    double *sums;   /* n + 1: weight before each position */
    slope *slopes;  /* downward, that may begin a valley */
    size_t n_slopes, buffer_slopes;
    slope *found; /* begin and end of valleys, of those that end together the innermost first */
    size_t n_found, buffer_found;
} valleys;

static bool is_steep(const valleys *v, size_t at, bool up)
{
    return up ? v->ratios[at] <= v->keep : v->ratios[at] >= 1 / v->keep;
}

/* The last steep place of the region that begins here. */
static size_t region_end(const valleys *v, size_t begin, bool up)
{
    size_t end = begin, resting = 0;
    for (size_t at = begin; at < v->n; at++) {
        if (is_steep(v, at, up)) {
            resting = 0;
            end = at;
        } else if (up ? v->ratios[at] > 1 : v->ratios[at] < 1) {
            return end; /* it turned */
        } else if (++resting > v->patience) {
            return end;
        }
    }
    return end;
}

/* Slopes that a place since then overtops begin no valley any more. */
static void drop_slopes(valleys *v, double highest)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_slopes && !isinf(highest); i++) {
        slope s = v->slopes[i];
        if (!(highest <= v->plot[s.begin] * v->keep)) continue;
        s.between = fmax(s.between, highest);
        v->slopes[n++] = s;
    }
    v->n_slopes = n;
}

/* Leave out rows at the end that were reached from outside the valley. False when none are left. */
static bool close_valley(const valleys *v, slope *c)
{
    for (; c->begin < c->end; c->end--) {
        if (v->plot[c->begin] > v->plot[c->end]) return true;
        uint32_t from = v->order->from[v->order->rows[c->end]];
        for (size_t i = c->begin; i < c->end; i++)
            if (v->order->rows[i] == from) return true;
    }
    return false;
}

/* The valley between a slope downward and one upward; false when it is none. */
static bool join_slopes(const valleys *v, const slope *down, const slope *up, slope *out)
{
    slope c = {down->begin, up->end, 0};
    double begin = v->plot[down->begin], end = v->plot[c.end + 1];
    if (end * v->keep < down->between) return false;
    if (begin * v->keep >= end) {
        while (c.begin < down->end && v->plot[c.begin + 1] > end) c.begin++;
    } else if (end * v->keep >= begin) {
        while (c.end > up->begin && v->plot[c.end - 1] > begin) c.end--;
    }
    if (!close_valley(v, &c)) return false;
    if (v->sums[c.end + 1] - v->sums[c.begin] < v->least * (1 - 1e-12)) return false;
    if (c.begin > down->end || c.end < up->begin) return false;
    *out = c;
    return true;
}

/* One pass over the plot: slopes downward are kept, and each slope upward ends valleys. */
static cairn_status find_valleys(cairn_context *ctx, valleys *v)
{
    double highest = 0;
    for (size_t at = 0, next = 0; at < v->n; at++) {
        bool down = is_steep(v, at, false), up = is_steep(v, at, true);
        if (at < next) continue;
        highest = fmax(highest, v->plot[at]);
        if (!down && !up) continue;
        drop_slopes(v, highest);
        slope s = {at, region_end(v, at, up), 0};
        next = s.end + 1;
        highest = v->plot[next];
        if (up) {
            /* All valleys that end on this slope; those that begin last are the innermost and
             * come first. */
            for (size_t i = v->n_slopes; i-- > 0;) {
                slope c;
                if (!join_slopes(v, &v->slopes[i], &s, &c)) continue;
                CHECK(GROW(ctx, &v->found, &v->buffer_found, v->n_found + 1));
                v->found[v->n_found++] = c;
            }
        } else {
            CHECK(GROW(ctx, &v->slopes, &v->buffer_slopes, v->n_slopes + 1));
            v->slopes[v->n_slopes++] = s;
        }
    }
    return CAIRN_OK;
}

static void valleys_clear(valleys *v)
{
    FREE_EACH(v->slopes, v->found);
}

/* The same by steep slopes: valleys whose sides fall and rise by a share xi, the smallest first, of
 * rows of at least the weight `least`. `patience` is how many places a slope may rest. */
static cairn_status optics_valleys(cairn_context *ctx, const cairn_optics_order *order,
                                   const cairn_density *density, double xi, double least,
                                   size_t patience, int32_t *clusters, size_t *n_clusters)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(valleys_clear)
    valleys v = {.order = order,
                 .density = density,
                 .keep = 1 - xi,
                 .least = least,
                 .n = order->n,
                 .patience = patience};
    CHECK(SCRATCH_EACH(ctx, v.n + 1, &v.plot, &v.ratios));
    CHECK(SCRATCH(ctx, &v.sums, v.n + 2));
    for (size_t i = 0; i < v.n; i++) {
        v.plot[i] = v.order->reach[v.order->rows[i]];
        v.sums[i + 1] = v.sums[i] + cairn_density_weight(v.density, v.order->rows[i]);
    }
    v.plot[v.n] = INFINITY;
    for (size_t i = 0; i < v.n; i++) v.ratios[i] = v.plot[i] / v.plot[i + 1];
    CHECK(find_valleys(ctx, &v));
    /* A valley is a cluster unless a smaller one lies in it. */
    *n_clusters = 0;
    for (size_t i = 0; i < v.n; i++) clusters[i] = -1;
    for (size_t k = 0; k < v.n_found; k++) {
        bool taken = false;
        for (size_t i = v.found[k].begin; i <= v.found[k].end && !taken; i++)
            taken = clusters[v.order->rows[i]] >= 0;
        if (taken) continue;
        for (size_t i = v.found[k].begin; i <= v.found[k].end; i++)
            clusters[v.order->rows[i]] = (int32_t)*n_clusters;
        (*n_clusters)++;
    }
    return CAIRN_OK;
}

/* -- what the order of OPTICS tells and draws -- */

enum { SHOWN_ROWS = 30, SHOWN_CLUSTERS = 50, PLACES = 1000 };

/* -- tables -- */

static void show_clusters(cairn_report *out, size_t n_clusters, const cairn_optics_history *s)
{
    size_t noise = 0;
    for (size_t i = 0; i < s->n; i++) noise += s->clusters[i] < 0;
    cairn_report_value(out, "noise", (double)noise, "noise");
    if (n_clusters == 0) {
        cairn_report_note(out, "No cluster was found: all rows are noise.");
        return;
    }
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rr", "cluster", "size");
    for (size_t c = 0; c < n_clusters; c++)
        cairn_report_cells(out, "- cluster$1.size", c + 1, s->sizes[c]);
    cairn_report_table_end(out);
}

/* The order with what it was made by; of many rows the first, and no values. */
static void show_order(cairn_report *out, const cairn_optics_history *s)
{
    bool named = s->n <= CAIRN_DENSITY_SAMPLE;
    cairn_report_table_of(out, "Order", SHOWN_ROWS, "rrrrll", "place", "row", "core distance",
                          "reachability", "from row", "cluster");
    for (size_t i = 0; i < s->n && (named || i <= SHOWN_ROWS); i++) {
        int32_t row = s->rows[i] + 1;
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, row, 0, named ? "order.%zu" : NULL, i + 1);
        cairn_density_cell(out, s->core[i], named ? "core.%d" : NULL, row);
        cairn_density_cell(out, s->reach[i], named ? "reach.%d" : NULL, row);
        if (named) cairn_report_hidden(out, s->clusters[i] + 1.0, "assign.%d", row);
        if (s->from[i] >= 0)
            cairn_report_cellf(out, "%d", s->from[i] + 1);
        else
            cairn_report_cell(out, "-");
        if (s->clusters[i] >= 0)
            cairn_report_cellf(out, "%d", s->clusters[i] + 1);
        else
            cairn_report_cell(out, "none");
    }
    cairn_report_table_end(out);
}

/* -- pictures -- */

static cairn_status draw_clusters(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_optics_history *s = job->history;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const optics_model *)model)->n_clusters, job);
}

/* Whether nothing before one of the rows of a place lies within eps of it. */
static bool is_infinite(const cairn_optics_history *s, size_t place, size_t step)
{
    for (size_t j = place * step; j < (place + 1) * step && j < s->n; j++)
        if (!isfinite(s->reach[j])) return true;
    return false;
}

/* Bars that would have no end say so; of very many, the first. */
static void mark_infinite(cairn_figure *figure, const cairn_optics_history *s, size_t step,
                          const double *heights, size_t n)
{
    enum { MOST_MARKED = 40 };
    double top = 0;
    for (size_t i = 0, marked = 0; i < n; i++) {
        top = fmax(top, heights[i]);
        if (!is_infinite(s, i, step) || marked++ == MOST_MARKED) continue;
        cairn_figure_text(figure, ((double)i + 0.5) * (double)step + 0.5, heights[i], 'c', "∞");
    }
    if (top > 0) cairn_figure_y_range(figure, 0, 1.08 * top);
}

/* Areas in the colours of clusters, and their outline for terminals, which have no areas. */
static cairn_status draw_plot(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    const cairn_optics_history *s = job->history;
    const cairn_optics_params *p = job->params;
    (void)model;
    *out = NULL;
    if (!s || s->n < 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    size_t step = (s->n + PLACES - 1) / PLACES, n = (s->n + step - 1) / step;
    double *heights, *x;
    CHECK(SCRATCH(ctx, &heights, n));
    CHECK(SCRATCH(ctx, &x, 6 * n));
    /* Heights of places of the plot, each the highest of `step` rows; what is infinite stands a
     * little above the rest. */
    double top = 0;
    for (size_t i = 0; i < s->n; i++)
        if (isfinite(s->reach[i]) && s->reach[i] > top) top = s->reach[i];
    for (size_t i = 0; i < n; i++) {
        heights[i] = 0;
        for (size_t j = i * step; j < (i + 1) * step && j < s->n; j++)
            heights[i] = fmax(heights[i], isfinite(s->reach[j]) ? s->reach[j] : 1.1 * top);
    }
    CHECK(cairn_figure_new(ctx, out, "reachability", "Reachability in the order of OPTICS"));
    cairn_figure_axes(*out, "place in the order", "reachability");
    mark_infinite(*out, s, step, heights, n);
    /* Bars of neighbouring places of one cluster are one area. */
    cairn_figure *figure = *out;
    double *low = x + 2 * n, *high = x + 4 * n;
    for (size_t begin = 0, end; begin < n; begin = end) {
        int32_t cluster = s->clusters[begin * step];
        char label[32];
        size_t m = 0;
        for (end = begin; end < n && s->clusters[end * step] == cluster; end++)
            for (size_t side = 0; side < 2; side++, m++) {
                x[m] = (double)((end + side) * step) + 0.5;
                low[m] = 0, high[m] = heights[end];
            }
        snprintf(label, sizeof label, "cluster %d", cluster + 1);
        cairn_figure_shade(figure, cluster < 0 ? NULL : label, cluster, 0.8, x, low, high, m);
    }
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = (double)(i * step) + 0.5, x[2 * i + 1] = (double)((i + 1) * step) + 0.5;
        x[2 * n + 2 * i] = x[2 * n + 2 * i + 1] = heights[i];
    }
    cairn_figure_guide(*out, x, x + 2 * n, 2 * n);
    if (!isnan(p->cut)) cairn_figure_rule_y(*out, "cut", p->cut);
    return CAIRN_OK;
}

static const cairn_model_figure optics_figures[] = {
    {"reachability", draw_plot, false},
    {"clusters", draw_clusters, false},
    {0},
};

static void optics_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const optics_model *m = model;
    const cairn_optics_history *s = job->history;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "OPTICS");
    cairn_report_value(out, "clusters", (double)m->n_clusters, "clusters");
    if (!s) return;
    show_clusters(out, m->n_clusters, s);
    show_order(out, s);
    for (const cairn_model_figure *f = optics_figures; f->name; f++) {
        cairn_figure *figure = NULL;
        cairn_status made = f->make(ctx, &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
}

static const cairn_param optics_params[] = {
    CAIRN_PARAM(cairn_optics_params, min_points, "5", "[1,inf)",
                "rows within the core distance, the row itself among them", .often = true),
    CAIRN_PARAM(cairn_optics_params, eps, CAIRN_NOT_GIVEN, "(0,inf)",
                "radius beyond which rows are not looked at; infinite when not given. A smaller "
                "one is quicker, and what is farther away counts as not reached",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_optics_params),
    CAIRN_PARAM(cairn_optics_params, cut, CAIRN_NOT_GIVEN, "(0,inf)",
                "clusters are runs of rows whose reachability stays up to this", .often = true),
    CAIRN_PARAM(cairn_optics_params, xi, "0.05", "(0,1)",
                "clusters are valleys whose sides fall and rise by this share from one row to the "
                "next",
                .when = "!cut", .often = true),
    CAIRN_PARAM(cairn_optics_params, min_size, "0", "[0,inf)",
                "rows that a valley must have; 0 means as many as min-points", .when = "!cut"),
    CAIRN_PARAM_END,
};

static cairn_status optics_check(cairn_context *ctx, const void *values)
{
    const cairn_optics_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned optics_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_optics_params *)params)->distance);
}

/* -- fitting -- */

/* Everything is kept by position, as the plot needs it; rows are those of the table. */
static cairn_status fill_history(cairn_context *ctx, cairn_optics_history *s, size_t n_clusters,
                                 const cairn_optics_order *o, const cairn_density *density,
                                 const int32_t *clusters)
{
    const uint32_t *numbers = density->rows.numbers;
    s->n = o->n;
    CHECK(NEW_EACH(ctx, o->n, &s->rows, &s->reach, &s->core, &s->from, &s->clusters));
    CHECK(NEW(ctx, &s->sizes, n_clusters));
    for (size_t i = 0; i < o->n; i++) {
        size_t row = o->rows[i];
        s->rows[i] = (int32_t)numbers[row];
        s->reach[i] = o->reach[row];
        s->core[i] = o->core[row];
        s->from[i] = o->from[row] == UINT32_MAX ? -1 : (int32_t)numbers[o->from[row]];
        s->clusters[i] = clusters[row];
        if (clusters[row] >= 0) s->sizes[clusters[row]] += cairn_density_weight(density, row);
    }
    return CAIRN_OK;
}

/* The order does not depend on how clusters are taken from it. */
static cairn_status optics_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    optics_model *m = model;
    const cairn_optics_params *p = job->params;
    cairn_optics_history *history = job->history;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    SCOPED(order_clear) cairn_optics_order order = {0};
    int32_t *clusters;
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    m->n_rows = density.n;
    CHECK(SCRATCH(ctx, &clusters, density.n + 1));
    double eps = isnan(p->eps) ? INFINITY : p->eps;
    CHECK(optics_run(ctx, &order, &density, eps, p->min_points, job->steps));
    CHECK(
        cairn_density_prove_cores(ctx, job->certificate, &density, p->min_points, eps, order.core));
    CHECK(cairn_optics_prove(ctx, job->certificate, &order, &density, eps));
    if (!isnan(p->cut)) {
        optics_cut(&order, p->cut, clusters, &m->n_clusters);
    } else {
        double least = p->min_size > 0 ? p->min_size : p->min_points;
        CHECK(optics_valleys(ctx, &order, &density, p->xi, least, (size_t)p->min_points, clusters,
                             &m->n_clusters));
    }
    if (m->n_clusters == 0)
        cairn_warn(
            ctx,
            "no cluster was found: all rows (%zu) are noise; choose a smaller {min-points} or "
            "{xi}, or a larger {cut} or {eps}",
            density.n);
    for (size_t i = 0; i < density.n; i++) job->fitted[cairn_density_at(&density, i)] = clusters[i];
    if (!history) return CAIRN_OK;
    CHECK(fill_history(ctx, history, m->n_clusters, &order, &density, clusters));
    return cairn_density_sample_keep(ctx, &history->sample, &density, job->view, clusters);
}

/* -- keeping -- */

static const cairn_kept optics_keeps[] = {
    KEEP_SIZE(optics_model, n_rows, UINT32_MAX),
    KEEP_SIZE(optics_model, n_clusters, INT32_MAX),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {
    KEEP_SIZE(cairn_optics_history, n, UINT32_MAX),
    KEEP_ARRAYS(cairn_optics_history, "n", rows, reach, core, from),
    KEEP_CODES(cairn_optics_history, clusters, "n", -1, "n_clusters",
               "row # is in no cluster that there is"),
    KEEP_ARRAYS(cairn_optics_history, "n_clusters", sizes),
    KEEP_PART(cairn_optics_history, sample, .rows = cairn_density_sample_keeps),
    KEEP_END,
};

static const cairn_history optics_history = {
    .size = sizeof(cairn_optics_history),
    .keeps = history_keeps,
};

const cairn_learner cairn_optics = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "optics",
            .also = "reachability plot, ordering points to identify the clustering structure",
            .title = "OPTICS: rows in the order of their density",
            .summary =
                "Puts rows into an order in which dense regions, of whatever density, are valleys "
                "of the reachability plot: always the row that is reached most easily from those "
                "before it. Clusters are valleys with steep sides (--xi), or what lies below a "
                "line (--cut), which gives the clusters of dbscan for that eps. It labels the rows "
                "that it is fitted to and has no rule for others.",
            .references = "Ankerst, Breunig, Kriegel and Sander, OPTICS: ordering points to "
                          "identify the clustering structure, SIGMOD (1999)",
            .example = "cairn fit optics @kmeans-twelve --min-points 3 --scale none --cut 5",
            .params = optics_params,
            .params_size = sizeof(cairn_optics_params),
            .check = optics_check,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "min-points=3,5,10,20",
    .aims = "rows that lie densely",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = optics_accepts,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(optics_model),
    .tables = cairn_optics_tables,
    .history = &optics_history,
    .labels_rows = true,
    .fit = optics_fit,
    .describe = optics_describe,
    .figures = optics_figures,
    .keeps = optics_keeps,
    .parameters = "n_rows", /* a place in the order for each */
    .grows = true,
};
