/* SPDX-License-Identifier: MIT */
/* DBSCAN: clusters are regions where rows lie close together; what lies alone is noise.
 *
 * 1. The neighbourhood of a row are the rows within eps of it, itself among them. A row with enough
 *    of them (min-points) is a core point.
 * 2. A cluster are all rows that can be reached from a core point by steps of at most eps from core
 *    point to core point, and at last to any row. Rows that are reached and are no core points are
 *    the border; the rest is noise.
 * 3. Clusters are numbered by their first core points. A border row that two clusters reach goes to
 *    the first of them, as if rows were visited in their order. Which rows are core points, and
 *    which of them are together, does not depend on the order of rows.
 *
 * Two readings of "enough": the usual one (distance at most eps, at least min-points rows) and the
 * strict one (less than eps, more than min-points). Weights count as repeated rows. A new row gets
 * the cluster of the nearest core point if that is within eps, and none otherwise.
 *
 * Cost: n searches; in few columns a grid finds all in about n log n. Memory grows with n.
 *
 * Sources: Ester, Kriegel, Sander and Xu, A density-based algorithm for discovering clusters in
 * large spatial databases with noise (1996); Gunawan, A faster algorithm for DBSCAN (2013). */
#include "learners/cluster/dbscan.h"
#include "model/kept_parts.h"

#include "base/memory.h"
#include "base/number.h"
#include "model/by_distance.h"
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "transforms/computing.h"

#include <math.h>
#include <string.h>

/* Core points, the sets that they make, and who stands at their borders.
 *
 * The visits of the textbook (one point after the other, with a queue) give a result that can be
 * said without them, and is found on all threads that way:
 * 1. A row is a core point when enough weight lies within eps of it.
 * 2. Core points within eps of each other are in one cluster; clusters are numbered by their first
 *    core point.
 * 3. Any other row within eps of core points goes to the cluster of the lowest number among theirs:
 *    the one that a visit in the order of rows would reach first. The rest is noise.
 *
 * Cost: two searches for every core point and one or two for the others; memory grows with n. */

/* Whether so much weight within eps makes a core point. */
static bool is_core(const cairn_dbscan_options *options, double weight)
{
    return options->rule == CAIRN_DBSCAN_USUAL ? weight >= options->min_points * (1 - 1e-12)
                                               : weight > options->min_points * (1 + 1e-12);
}

const char *cairn_dbscan_kind_name(cairn_dbscan_kind kind)
{
    return kind == CAIRN_DBSCAN_CORE ? "core" : kind == CAIRN_DBSCAN_BORDER ? "border" : "noise";
}

void cairn_dbscan_clusters_clear(cairn_dbscan_clusters *clusters)
{
    FREE_EACH(clusters->counts, clusters->core, clusters->clusters, clusters->seconds);
    *clusters = (cairn_dbscan_clusters){0};
}

/* Clusters are numbered in the order of their first core points: `firsts` has for each of n sets
 * the row of its first core point (UINT32_MAX = none), and gets its number. */
static cairn_status dbscan_number(cairn_context *ctx, uint32_t *firsts, size_t n,
                                  size_t *n_clusters)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *keys, *sets;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += firsts[i] != UINT32_MAX;
    CHECK(SCRATCH_RAW_EACH(ctx, found + 1, &keys, &sets));
    found = 0;
    for (size_t i = 0; i < n; i++)
        if (firsts[i] != UINT32_MAX) keys[found] = firsts[i], sets[found++] = i;
    CHECK(cairn_sort_keys(ctx, keys, sets, found));
    for (size_t c = 0; c < found; c++) firsts[sets[c]] = (uint32_t)c;
    *n_clusters = found;
    return CAIRN_OK;
}

/* -- by searching -- */

typedef struct searching {
    const cairn_density *density;
    cairn_dbscan_clusters *out;
    double *counts;
    uint32_t *sets; /* n */
} searching;

static void count_other(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (row != query) s->counts[query] += cairn_density_weight(s->density, row);
}

static void join_cores(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (row < query && s->out->core[row]) cairn_joined_join(s->sets, (uint32_t)query, row);
}

static void reach_border(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (!s->out->core[row]) return; /* its cluster is being found by another worker */
    int32_t *mine = s->out->clusters + query, theirs = s->out->clusters[row];
    int32_t *second = s->out->seconds + query;
    if (theirs == *mine) return;
    if (*mine < 0 || theirs < *mine)
        *second = *mine, *mine = theirs;
    else if (*second < 0 || theirs < *second)
        *second = theirs;
}

/* Rows that are core points, or those that are not. */
static size_t select_rows(const cairn_dbscan_clusters *c, bool core, uint32_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->core[i] == core) out[n++] = (uint32_t)i;
    return n;
}

/* Three searches: who is a core point, who hangs together, and whom the others are near to. */
static cairn_status by_search(cairn_context *ctx, cairn_dbscan_clusters *out,
                              cairn_density *density, const cairn_dbscan_options *options)
{
    SCOPED_SCRATCH(ctx);
    searching s = {.density = density, .out = out, .counts = out->counts};
    uint32_t *rows;
    CHECK(cairn_density_search(ctx, density));
    if (!s.counts) CHECK(SCRATCH_RAW(ctx, &s.counts, out->n));
    CHECK(SCRATCH_RAW_EACH(ctx, out->n, &s.sets, &rows));
    for (size_t i = 0; i < out->n; i++) s.counts[i] = cairn_density_weight(density, i);
    CHECK(cairn_density_within(ctx, density, NULL, out->n, out->reach, count_other, &s));
    for (size_t i = 0; i < out->n; i++) out->core[i] = is_core(options, s.counts[i]);
    cairn_joined_start(s.sets, out->n);
    size_t n = select_rows(out, true, rows);
    CHECK(cairn_density_within(ctx, density, rows, n, out->reach, join_cores, &s));
    /* Core points have the cluster of their set; the sets are known by their first rows already. */
    uint32_t *firsts;
    CHECK(SCRATCH_RAW(ctx, &firsts, s.out->n + 1));
    for (size_t i = 0; i < s.out->n; i++) firsts[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t root = cairn_joined_find(s.sets, rows[i]);
        firsts[root] = root;
    }
    CHECK(dbscan_number(ctx, firsts, s.out->n, &s.out->n_clusters));
    for (size_t i = 0; i < n; i++)
        s.out->clusters[rows[i]] = (int32_t)firsts[cairn_joined_find(s.sets, rows[i])];
    n = select_rows(out, false, rows);
    return cairn_density_within(ctx, density, rows, n, out->reach, reach_border, &s);
}

/* -- both -- */

enum {
    MOST_COLUMNS = 3,
    AWAY = 2,          /* cells */
    MOST_RUNS = 25,    /* of cells around a cell: 5 for each column but the last */
    FEW_POINTS = 1000, /* no grid pays below */
    MANY_PAIRS = 64,
    CELLS = 256, /* of a block */
    POINTS = 4096
};

typedef struct grid {
    cairn_dbscan_clusters *out;
    const cairn_density *density;
    const cairn_dbscan_options *options;
    size_t n, width, n_cells;
    double low[MOST_COLUMNS], side;
    int64_t strides[MOST_COLUMNS]; /* of a step to the next cell of a column */
    size_t n_runs;
    int64_t offsets[MOST_RUNS]; /* of the middle cells of the runs around a cell, nearest first */
    bool near[MOST_RUNS];       /* at most one cell away */
    uint64_t *keys;             /* n, then n_cells: cells in rising order */
    uint64_t *rows;             /* n: points by cells; of a cell, core points first */
    double *places;             /* width x n in that order, by columns */
    double *weights;            /* n; NULL = ones */
    unsigned char *core;        /* n */
    uint32_t *begins;           /* n_cells + 1 */
    uint32_t *cores;            /* n_cells: its core points */
    uint32_t *sets;             /* n_cells */
    uint32_t *numbers;          /* n_cells: by set, its first row, then its cluster */
    bool touching;              /* cells that touch are joined, or those beyond */
} grid;

static bool suits(const cairn_density *density)
{
    const cairn_distance_rows *rows = &density->rows;
    return !rows->given && rows->metric.family == CAIRN_BY_SQUARES && !rows->metric.offsets &&
           !rows->points.n_items && rows->points.width >= 1 && rows->points.width <= MOST_COLUMNS &&
           density->n >= FEW_POINTS;
}

static const double margin = 1e-6, most_cells = 0x1p30;

/* The grid over all points; false when there would be too many cells in a column for 64 bits. */
static bool lay_grid(grid *g)
{
    const double *places = g->density->rows.points.places;
    double high[MOST_COLUMNS], all = 1;
    int64_t stride = 1;
    for (size_t t = 0; t < g->width; t++) g->low[t] = high[t] = places[t];
    for (size_t i = 1; i < g->n; i++)
        for (size_t t = 0; t < g->width; t++) {
            double x = places[i * g->width + t];
            g->low[t] = x < g->low[t] ? x : g->low[t];
            high[t] = x > high[t] ? x : high[t];
        }
    g->side = g->options->eps * (1 - margin) / sqrt((double)g->width);
    for (size_t t = g->width; t-- > 0;) {
        double cells = (high[t] - g->low[t]) / g->side;
        if (!(cells < most_cells)) return false;
        all *= cells + 2 * AWAY + 2;
        if (!(all < 0x1p62)) return false;
        g->strides[t] = stride;
        stride *= (int64_t)cells + 2 * AWAY + 2;
    }
    return true;
}

static void find_cells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    const double *places = g->density->rows.points.places;
    for (size_t i = begin; i < end; i++) {
        int64_t key = 0;
        for (size_t t = 0; t < g->width; t++)
            key += ((int64_t)((places[i * g->width + t] - g->low[t]) / g->side) + AWAY) *
                   g->strides[t];
        g->keys[i] = (uint64_t)key;
        g->rows[i] = i;
    }
}

static void copy_points(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    const double *places = g->density->rows.points.places;
    for (size_t i = begin; i < end; i++) {
        size_t row = g->rows[i];
        for (size_t t = 0; t < g->width; t++) g->places[t * g->n + i] = places[row * g->width + t];
        if (g->weights) g->weights[i] = g->density->weights[row];
    }
}

/* Rows of one cell lie side by side afterwards, so that neighbours are sought in runs of memory. */
static cairn_status sort_points(cairn_context *ctx, grid *g)
{
    CHECK(SCRATCH_RAW_EACH(ctx, g->n, &g->keys, &g->rows));
    CHECK(SCRATCH_RAW(ctx, &g->places, cairn_product(g->n, g->width)));
    if (g->density->weights) CHECK(SCRATCH_RAW(ctx, &g->weights, g->n));
    CHECK(SCRATCH(ctx, &g->core, g->n));
    CHECK(SCRATCH_RAW(ctx, &g->begins, g->n + 1));
    CHECK(cairn_blocks_sized(ctx, g->n, POINTS, (double)g->n * 20, find_cells, g));
    CHECK(cairn_sort_keys(ctx, g->keys, g->rows, g->n));
    CHECK(cairn_blocks_sized(ctx, g->n, POINTS, (double)g->n * 20, copy_points, g));
    /* Equal keys are one cell. */
    for (size_t i = 0; i < g->n; i++) {
        if (i > 0 && g->keys[i] == g->keys[g->n_cells - 1]) continue;
        g->begins[g->n_cells] = (uint32_t)i;
        g->keys[g->n_cells++] = g->keys[i];
    }
    g->begins[g->n_cells] = (uint32_t)g->n;
    CHECK(SCRATCH(ctx, &g->cores, g->n_cells));
    CHECK(SCRATCH_RAW_EACH(ctx, g->n_cells, &g->sets, &g->numbers));
    return CAIRN_OK;
}

/* For each run its cells begin .. end-1; moved along with a cell that only goes forward. */
typedef struct around {
    size_t begin[MOST_RUNS], end[MOST_RUNS];
} around;

/* The first cell whose key is not below `key`. */
static size_t cell_from(const grid *g, int64_t key)
{
    size_t low = 0, high = g->n_cells;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int64_t)g->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void look_around(const grid *g, around *a, size_t cell)
{
    for (size_t r = 0; r < g->n_runs; r++) {
        int64_t middle = (int64_t)g->keys[cell] + g->offsets[r];
        a->begin[r] = cell_from(g, middle - AWAY);
        a->end[r] = a->begin[r];
    }
}

static void move_on(const grid *g, around *a, size_t cell)
{
    for (size_t r = 0; r < g->n_runs; r++) {
        int64_t middle = (int64_t)g->keys[cell] + g->offsets[r];
        size_t begin = a->begin[r], end = a->end[r];
        while (begin < g->n_cells && (int64_t)g->keys[begin] < middle - AWAY) begin++;
        if (end < begin) end = begin;
        while (end < g->n_cells && (int64_t)g->keys[end] <= middle + AWAY) end++;
        a->begin[r] = begin;
        a->end[r] = end;
    }
}

static double order_of(const grid *g, size_t i, size_t j)
{
    double sum = 0;
    for (size_t t = 0; t < g->width; t++) {
        double d = g->places[t * g->n + i] - g->places[t * g->n + j];
        sum += d * d;
    }
    return sum;
}

/* Weight of the points begin .. end-1 within reach of point i. */
static double weight_within(const grid *g, size_t i, size_t begin, size_t end)
{
    const double *x = g->places, *y = g->places + g->n, reach = g->out->reach;
    double weight = 0;
    size_t found = 0;
    if (g->width == 2 && !g->weights) {
        for (size_t j = begin; j < end; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i];
            found += dx * dx + dy * dy <= reach;
        }
        return (double)found;
    }
    for (size_t j = begin; j < end; j++)
        if (order_of(g, i, j) <= reach) weight += g->weights ? g->weights[j] : 1;
    return weight;
}

/* Whether a point has enough around it, beyond the weight of its own cell. */
static bool has_enough(const grid *g, const around *a, size_t cell, size_t i, double weight)
{
    for (size_t r = 0; r < g->n_runs; r++) {
        size_t begin = g->begins[a->begin[r]], end = g->begins[a->end[r]];
        if (r == 0) { /* the own cell lies in the first run */
            weight += weight_within(g, i, begin, g->begins[cell]);
            begin = g->begins[cell + 1];
        }
        weight += weight_within(g, i, begin, end);
        if (is_core(g->options, weight)) return true;
    }
    return false;
}

/* Cells that are dense by themselves need no look at what is around them. */
static void count_cells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    around a;
    look_around(g, &a, begin);
    for (size_t c = begin; c < end; c++) {
        double weight = g->begins[c + 1] - g->begins[c];
        if (g->weights) {
            weight = 0;
            for (size_t i = g->begins[c]; i < g->begins[c + 1]; i++) weight += g->weights[i];
        }
        bool all = is_core(g->options, weight);
        if (!all) move_on(g, &a, c);
        for (size_t i = g->begins[c]; i < g->begins[c + 1]; i++) {
            g->core[i] = all || has_enough(g, &a, c, i, weight);
            g->cores[c] += g->core[i];
        }
    }
}

static void exchange_points(const grid *g, size_t i, size_t j)
{
    uint64_t row = g->rows[i];
    g->rows[i] = g->rows[j], g->rows[j] = row;
    for (size_t t = 0; t < g->width; t++) {
        double *column = g->places + t * g->n, place = column[i];
        column[i] = column[j], column[j] = place;
    }
}

/* Core points first, still in the order of rows. */
static void part_cell(const grid *g, size_t cell)
{
    size_t begin = g->begins[cell], end = g->begins[cell + 1], at = begin;
    for (size_t i = begin; i < end; i++)
        if (g->core[i]) exchange_points(g, at++, i);
    for (size_t i = begin; i < end; i++) g->core[i] = i < at;
}

static void part_cells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    for (size_t c = begin; c < end; c++)
        if (g->cores[c] && g->cores[c] < g->begins[c + 1] - g->begins[c]) part_cell(g, c);
}

/* Whether cell b, of run r around cell a, has a side or a corner in common with it. */
static bool cells_touch(const grid *g, size_t r, size_t a, size_t b)
{
    int64_t steps = (int64_t)g->keys[b] - (int64_t)g->keys[a] - g->offsets[r];
    return g->near[r] && steps >= -1 && steps <= 1;
}

/* Least order that a point may have from the core points of a cell. */
static double order_from_box(const grid *g, const double *box, size_t i)
{
    double sum = 0;
    for (size_t t = 0; t < g->width; t++) {
        double x = g->places[t * g->n + i];
        double gap = x < box[2 * t] ? box[2 * t] - x : x > box[2 * t + 1] ? x - box[2 * t + 1] : 0;
        sum += gap * gap;
    }
    return sum;
}

/* Whether a core point of cell a is within reach of one of cell b. Where there are many, those are
 * left out that are too far from all of b. */
static bool cores_meet(const grid *g, size_t a, size_t b)
{
    double box[2 * MOST_COLUMNS], reach = g->out->reach;
    bool many = (double)g->cores[a] * g->cores[b] > MANY_PAIRS;
    if (many) {
        for (size_t t = 0; t < g->width; t++) {
            const double *column = g->places + t * g->n + g->begins[b];
            double low = column[0], high = column[0];
            for (size_t i = 1; i < g->cores[b]; i++) {
                low = column[i] < low ? column[i] : low;
                high = column[i] > high ? column[i] : high;
            }
            box[2 * t] = low, box[2 * t + 1] = high;
        }
    }
    for (size_t i = g->begins[a]; i < g->begins[a] + g->cores[a]; i++) {
        if (many && order_from_box(g, box, i) > reach * (1 + margin)) continue;
        for (size_t j = g->begins[b]; j < g->begins[b] + g->cores[b]; j++)
            if (order_of(g, i, j) <= reach) return true;
    }
    return false;
}

static void join_cells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    around a;
    look_around(g, &a, begin);
    for (size_t c = begin; c < end; c++) {
        if (!g->cores[c]) continue;
        move_on(g, &a, c);
        for (size_t r = 0; r < g->n_runs; r++)
            for (size_t b = a.begin[r]; b < a.end[r]; b++) {
                if (b <= c || !g->cores[b] || cells_touch(g, r, c, b) != g->touching) continue;
                uint32_t mine = cairn_joined_find(g->sets, (uint32_t)c);
                if (mine != cairn_joined_find(g->sets, (uint32_t)b) && cores_meet(g, c, b))
                    cairn_joined_join(g->sets, (uint32_t)c, (uint32_t)b);
            }
    }
}

static cairn_status number_cells(cairn_context *ctx, grid *g)
{
    for (size_t c = 0; c < g->n_cells; c++) g->numbers[c] = UINT32_MAX;
    for (size_t c = 0; c < g->n_cells; c++) {
        if (!g->cores[c]) continue;
        uint32_t root = cairn_joined_find(g->sets, (uint32_t)c);
        uint32_t first = (uint32_t)g->rows[g->begins[c]];
        if (first < g->numbers[root]) g->numbers[root] = first;
    }
    CHECK(dbscan_number(ctx, g->numbers, g->n_cells, &g->out->n_clusters));
    for (size_t c = g->n_cells; c-- > 0;)
        g->numbers[c] = g->numbers[cairn_joined_find(g->sets, (uint32_t)c)];
    return CAIRN_OK;
}

/* The lowest cluster among the core points within reach, and the next one; UINT32_MAX = none. */
static uint32_t cluster_around(const grid *g, const around *a, size_t i, uint32_t *second)
{
    uint32_t best = UINT32_MAX;
    *second = UINT32_MAX;
    for (size_t r = 0; r < g->n_runs; r++)
        for (size_t b = a->begin[r]; b < a->end[r]; b++) {
            uint32_t number = g->numbers[b];
            if (!g->cores[b] || number == best || number >= *second) continue;
            for (size_t j = g->begins[b]; j < g->begins[b] + g->cores[b]; j++)
                if (order_of(g, i, j) <= g->out->reach) {
                    *second = number < best ? best : number;
                    best = number < best ? number : best;
                    break;
                }
        }
    return best;
}

static void label_cells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const grid *g = data;
    around a;
    look_around(g, &a, begin);
    for (size_t c = begin; c < end; c++) {
        bool others = g->cores[c] < g->begins[c + 1] - g->begins[c];
        if (others) move_on(g, &a, c);
        for (size_t i = g->begins[c]; i < g->begins[c + 1]; i++) {
            size_t row = g->rows[i];
            uint32_t second = UINT32_MAX;
            uint32_t cluster = g->core[i] ? g->numbers[c] : cluster_around(g, &a, i, &second);
            g->out->core[row] = g->core[i];
            g->out->clusters[row] = cluster == UINT32_MAX ? -1 : (int32_t)cluster;
            g->out->seconds[row] = second == UINT32_MAX ? -1 : (int32_t)second;
        }
    }
}

/* Few columns of numbers and many rows: by the cells of a grid. *done says whether that was
 * possible. `out` has its arrays. */
static cairn_status by_grid(cairn_context *ctx, cairn_dbscan_clusters *out,
                            const cairn_density *density, const cairn_dbscan_options *options,
                            bool *done)
{
    SCOPED_SCRATCH(ctx);
    grid g = {.out = out,
              .density = density,
              .options = options,
              .n = density->n,
              .width = density->rows.points.width};
    *done = false;
    if (!suits(density) || !lay_grid(&g)) return CAIRN_OK;
    /* The middles of the runs: nearer cells first, so that counting ends early. */
    static const int64_t steps[] = {0, -1, 1, -2, 2};
    g.n_runs = 0;
    size_t first = g.width > 2 ? 5 : 1, second = g.width > 1 ? 5 : 1;
    for (size_t a = 0; a < first; a++)
        for (size_t b = 0; b < second; b++) {
            g.near[g.n_runs] = a < 3 && b < 3;
            g.offsets[g.n_runs++] = (g.width > 2 ? steps[a] * g.strides[0] : 0) +
                                    (g.width > 1 ? steps[b] * g.strides[g.width - 2] : 0);
        }
    CHECK(sort_points(ctx, &g));
    double work = (double)g.n * 200;
    CHECK(cairn_blocks_sized(ctx, g.n_cells, CELLS, work, count_cells, &g));
    CHECK(cairn_blocks_sized(ctx, g.n_cells, CELLS, work, part_cells, &g));
    cairn_joined_start(g.sets, g.n_cells);
    g.touching = true;
    CHECK(cairn_blocks_sized(ctx, g.n_cells, CELLS, work, join_cells, &g));
    g.touching = false;
    CHECK(cairn_blocks_sized(ctx, g.n_cells, CELLS, work, join_cells, &g));
    CHECK(number_cells(ctx, &g));
    CHECK(cairn_blocks_sized(ctx, g.n_cells, CELLS, work, label_cells, &g));
    *done = true;
    return CAIRN_OK;
}

cairn_status cairn_dbscan_run(cairn_context *ctx, cairn_dbscan_clusters *out,
                              cairn_density *density, const cairn_dbscan_options *options)
{
    SCOPED(cairn_dbscan_clusters_clear) cairn_dbscan_clusters c = {.n = density->n};
    bool done = false;
    c.reach = cairn_density_reach(density, options->eps, options->rule == CAIRN_DBSCAN_SEED);
    if (options->counts) CHECK(NEW_RAW(ctx, &c.counts, c.n));
    CHECK(NEW(ctx, &c.core, c.n));
    CHECK(NEW_RAW_EACH(ctx, c.n, &c.clusters, &c.seconds));
    for (size_t i = 0; i < c.n; i++) c.clusters[i] = c.seconds[i] = -1;
    if (!options->counts) CHECK(by_grid(ctx, &c, density, options, &done));
    if (!done) CHECK(by_search(ctx, &c, density, options));
    for (size_t i = 0; i < c.n; i++) {
        c.n_core += c.core[i];
        c.n_border += !c.core[i] && c.clusters[i] >= 0;
        c.n_tied += c.seconds[i] >= 0;
    }
    c.n_noise = c.n - c.n_core - c.n_border;
    *out = c;
    c = (cairn_dbscan_clusters){0};
    return CAIRN_OK;
}

/* Dense regions of points in one to three columns, by the cells of a grid.
 *
 * Cells are so small that all points of one are within eps of each other (side eps / sqrt(columns),
 * and a millionth less), so a cell with enough weight holds core points only, and the core points
 * of a cell are always in one cluster. What is within eps of a point lies in its own cell or at
 * most two cells away. Points are sorted by their cells, the last column of the grid running
 * fastest: five neighbouring cells of that column are one run of points.
 *
 * 1. A cell's points count what is around them, until it is enough.
 * 2. Cells are joined when a core point of the one is within eps of a core point of the other:
 *    first cells that touch, then those farther away that are not together already.
 * 3. Other points look for core points around them.
 *
 * Distances are compared in the way of the search (cairn_metric_order), to the last bit. */

/* -- dense regions as a program: the nearest core point, its cluster, and none beyond eps -- */

/* IF(the distance is within eps, the cluster, none). */
static cairn_status lower_limit(const cairn_dbscan_model *m, const cairn_dbscan_params *p,
                                cairn_program *out, int32_t cluster, int32_t distance)
{
    bool strict = p->rule == CAIRN_DBSCAN_SEED;
    cairn_computing c = cairn_computing_start(out);
    cairn_computing_slot(&c, distance);
    cairn_computing_number(&c, m->eps * (strict ? 1 - 1e-12 : 1 + 1e-12));
    cairn_computing_do(&c, strict ? CAIRN_DO_LESS : CAIRN_DO_LESS_EQUAL, 2);
    cairn_computing_slot(&c, cluster);
    cairn_computing_number(&c, -1);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, &out->answer.code);
}

/* The model as a program (model/program.h). */
/* Only the Euclidean distance of columns as they are has an operation that tells how far the
 * nearest is. */
static cairn_status dbscan_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_dbscan_model *m = model;
    int32_t *in, cluster;
    double *table, none = -1;
    size_t n;
    cairn_operation *op;
    if (m->n_cores == 0) return cairn_lower_constants(out, &none, 1, &out->answer.code);
    if (m->cores.given || strcmp(m->cores.metric.distance->entry.name, "euclidean") != 0)
        return cairn_program_refuse(out, "%s",
                                    cairn_say(out->ctx, "only {distance euclidean} can be written "
                                                        "down with a limit"));
    CHECK(cairn_program_features(out, &in, &n));
    if (m->cores.points.width != n)
        return cairn_program_refuse(out, "bags have no columns of their own");
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)m->n_cores;
    op->sizes[1] = 0;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->cores.points.places, cairn_product(m->n_cores, n)));
    int32_t nearest = op->out;
    CHECK(SCRATCH_RAW(out->ctx, &table, m->n_cores));
    for (size_t i = 0; i < m->n_cores; i++) table[i] = m->clusters[i];
    CHECK(cairn_lower_lookup(out, nearest, m->n_cores, 1, table, &none, &cluster));
    return lower_limit(m, job->params, out, cluster, nearest + 1);
}

static const cairn_choice rules[] = {
    {"usual", CAIRN_DBSCAN_USUAL,
     "a neighbour is at most eps away, a core point has at least min-points of them"},
    {"seed", CAIRN_DBSCAN_SEED, "nearer than eps, and more than min-points"},
    {0},
};

static const cairn_param dbscan_params[] = {
    CAIRN_PARAM(cairn_dbscan_params, eps, CAIRN_NOT_GIVEN, "(0,inf)",
                "radius of a neighbourhood, in the units that the columns have when they are "
                "compared; when not given, where the sorted distances to the neighbour number "
                "min-points bend most (cairn draw k-distances)",
                .often = true),
    CAIRN_PARAM(cairn_dbscan_params, min_points, "5", "[1,inf)",
                "rows within eps, the row itself among them, that make a core point",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_dbscan_params),
    CAIRN_PARAM_CHOICE(cairn_dbscan_params, rule, "usual", rules,
                       "whether eps and min-points themselves are enough", .often = true),
    {.name = "query",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(cairn_dbscan_params, query),
     .help = "pairs of rows such as \"4,1;7,2\": whether the second can be reached from the first, "
             "and by which chain of core points",
     .steps = true},
    CAIRN_PARAM_END,
};

static cairn_status dbscan_check(cairn_context *ctx, const void *values)
{
    const cairn_dbscan_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned dbscan_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_dbscan_params *)params)->distance);
}

/* -- fitting -- */

/* eps as it was given, or where the sorted distances bend; any will do when all rows are equal or
 * too few. */
static cairn_status choose_eps(cairn_context *ctx, const cairn_dbscan_params *p,
                               cairn_density *density, double *eps)
{
    double *cores, before, most = 0;
    SCOPED_SCRATCH(ctx);
    *eps = p->eps;
    if (!isnan(p->eps)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &cores, density->n + 1));
    CHECK(cairn_density_core_distances(ctx, density, p->min_points, cores));
    CHECK(cairn_density_knee(ctx, density, cores, eps, &before));
    for (size_t i = 0; i < density->n; i++)
        if (isfinite(cores[i]) && cores[i] > most) most = cores[i];
    if (!(*eps > 0)) *eps = most > 0 ? most : 1;
    return CAIRN_OK;
}

/* The core points and their clusters: all that new rows need. */
static cairn_status keep_cores(cairn_context *ctx, cairn_dbscan_model *m,
                               const cairn_density *density, const cairn_dbscan_clusters *c)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *which;
    CHECK(SCRATCH(ctx, &which, c->n + 1));
    CHECK(NEW(ctx, &m->clusters, c->n_core));
    m->n_clusters = c->n_clusters;
    m->n_cores = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!c->core[i]) continue;
        m->clusters[m->n_cores] = c->clusters[i];
        which[m->n_cores++] = (uint32_t)i;
    }
    return cairn_distance_rows_keep(ctx, &m->cores, &density->rows, which, m->n_cores);
}

/* What became of the rows, one by one where they are few: only then were they counted exactly. */
static cairn_status fill_history(cairn_context *ctx, cairn_dbscan_history *history,
                                 const cairn_density *density, const cairn_dbscan_clusters *c,
                                 const cairn_job *job)
{
    history->n_rows = c->n;
    history->n_core = c->n_core, history->n_border = c->n_border, history->n_noise = c->n_noise;
    history->n_tied = c->n_tied;
    CHECK(NEW_EACH(ctx, c->n_clusters, &history->sizes, &history->cores));
    for (size_t i = 0; i < c->n; i++) {
        if (c->clusters[i] < 0) continue;
        history->sizes[c->clusters[i]] += cairn_density_weight(density, i);
        history->cores[c->clusters[i]] += c->core[i];
    }
    CHECK(cairn_density_sample_keep(ctx, &history->sample, density, job->view, c->clusters));
    if (!c->counts) return CAIRN_OK;
    CHECK(NEW_EACH(ctx, c->n, &history->kinds, &history->counts, &history->seconds));
    history->n_kept = c->n;
    for (size_t i = 0; i < c->n; i++) {
        history->kinds[i] = (int32_t)cairn_dbscan_kind_of(c, i);
        history->counts[i] = c->counts[i];
        history->seconds[i] = c->seconds[i];
    }
    return CAIRN_OK;
}

/* A result that says nothing is no error, but it is said. */
static void warn_of_noise(cairn_context *ctx, const cairn_dbscan_clusters *c,
                          const cairn_density *density, const cairn_dbscan_options *options)
{
    char number[CAIRN_NUMBER_SIZE];
    if (c->n_clusters) return;
    if (!is_core(options, density->total)) {
        cairn_number_format(number, density->total, 6);
        cairn_warn(ctx,
                   "all rows (%zu) are noise: together they weigh %s, and a core point needs %s %d "
                   "within {eps}; choose a smaller {min-points}",
                   c->n, number, options->rule == CAIRN_DBSCAN_SEED ? "more than" : "at least",
                   (int)options->min_points);
        return;
    }
    cairn_number_format(number, options->eps, 6);
    cairn_warn(ctx,
               "all rows (%zu) are noise: none has enough neighbours within %s; choose a larger "
               "{eps} or a smaller {min-points}",
               c->n, number);
}

/* Exact counts are made for the sake of what is shown; without them the grid may be used. */
static cairn_status dbscan_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    cairn_dbscan_history *history = job->history;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    SCOPED(cairn_dbscan_clusters_clear) cairn_dbscan_clusters c = {0};
    cairn_dbscan_options options = {.min_points = p->min_points,
                                    .rule = (cairn_dbscan_rule)p->rule};
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    CHECK(choose_eps(ctx, p, &density, &options.eps));
    options.counts = density.n <= CAIRN_DENSITY_SAMPLE && (history || job->steps);
    CHECK(cairn_dbscan_run(ctx, &c, &density, &options));
    warn_of_noise(ctx, &c, &density, &options);
    m->eps = options.eps;
    CHECK(keep_cores(ctx, m, &density, &c));
    for (size_t i = 0; job->fitted && i < c.n; i++)
        job->fitted[cairn_density_at(&density, i)] = c.clusters[i];
    if (history) {
        history->chosen = isnan(p->eps);
        CHECK(fill_history(ctx, history, &density, &c, job));
        if (c.counts) CHECK(NEW(ctx, &history->visits, c.n));
        if (c.counts) CHECK(cairn_dbscan_visit(ctx, &density, &c, history->visits, NULL));
    }
    if (job->steps) CHECK(cairn_dbscan_steps(ctx, &density, &c, &options, job));
    return CAIRN_OK;
}

/* -- predicting -- */

static bool is_near(const cairn_dbscan_model *m, const cairn_dbscan_params *p, double distance)
{
    return p->rule == CAIRN_DBSCAN_USUAL ? distance <= m->eps * (1 + 1e-12)
                                         : distance < m->eps * (1 - 1e-12);
}

/* A row that cannot be compared, or when there are no core points, is in no cluster. */
static cairn_status dbscan_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    size_t n = job->view->rows.n;
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    double *distances;
    CHECK(SCRATCH(ctx, &distances, n + 1));
    CHECK(cairn_density_nearest(ctx, &m->cores, job->view, 1, &near));
    for (size_t i = 0; i < n; i++) {
        distances[i] = near.found[i] ? near.distances[i] : NAN;
        if (out->codes)
            out->codes[i] = is_near(m, p, distances[i]) ? m->clusters[near.rows[i]] : -1;
    }
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    return out->extra ? cairn_table_put_numbers(ctx, out->extra, "distance", distances) : CAIRN_OK;
}

/* -- keeping -- */

static cairn_status check_cores(cairn_archive *a, const void *kept, const void *model)
{
    (void)model;
    const cairn_dbscan_model *m = kept;
    if (m->cores.n == m->n_cores && m->eps > 0) return CAIRN_OK;
    return cairn_archive_damaged(a, "its core points do not fit together");
}

static const cairn_kept dbscan_keeps[] = {
    KEEP_SIZE(cairn_dbscan_model, n_clusters, INT32_MAX),
    KEEP_SIZE(cairn_dbscan_model, n_cores, UINT32_MAX),
    KEEP(cairn_dbscan_model, eps),
    KEEP_PART(cairn_dbscan_model, cores, .part = &cairn_kept_distance_rows),
    KEEP_CODES(cairn_dbscan_model, clusters, "n_cores", 0, "n_clusters",
               "core point # is in no cluster"),
    KEEP_CHECK(check_cores),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {
    KEEP_SIZE(cairn_dbscan_history, n_rows, UINT32_MAX),
    KEEP_SIZE(cairn_dbscan_history, n_core, UINT32_MAX),
    KEEP_SIZE(cairn_dbscan_history, n_border, UINT32_MAX),
    KEEP_SIZE(cairn_dbscan_history, n_noise, UINT32_MAX),
    KEEP(cairn_dbscan_history, chosen),
    KEEP_ARRAYS(cairn_dbscan_history, "n_clusters", sizes, cores),
    KEEP_SIZE(cairn_dbscan_history, n_kept, CAIRN_DENSITY_SAMPLE),
    KEEP_ARRAY(cairn_dbscan_history, kinds, "n_kept", .least = CAIRN_DBSCAN_CORE,
               .most = CAIRN_DBSCAN_NOISE, .why = "row # is of no kind"),
    KEEP_ARRAYS(cairn_dbscan_history, "n_kept", counts),
    KEEP_CODES(cairn_dbscan_history, visits, "n_kept", 0, "n_kept", "row # is of no kind"),
    KEEP_SIZE_IN(cairn_dbscan_history, n_tied, "n_rows", .since = 18),
    KEEP_ARRAY(cairn_dbscan_history, seconds, "n_kept", .since = 18),
    KEEP_PART(cairn_dbscan_history, sample, .rows = cairn_density_sample_keeps),
    KEEP_SAME("sample.n", "n_kept", "its rows do not fit together", .when = "n_kept"),
    KEEP_END,
};

static const cairn_history dbscan_history = {
    .size = sizeof(cairn_dbscan_history),
    .keeps = history_keeps,
};

static cairn_status dbscan_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    size_t n = 0, at = 0;
    while (cairn_schema_next_feature(job->schema, &at)) n++;
    return cairn_distance_rows_check(a, &m->cores, n, p->distance);
}

static cairn_model_size dbscan_size(const void *model)
{
    const cairn_dbscan_model *m = model;
    size_t columns = m->cores.given ? 0 : m->cores.points.width;
    return (cairn_model_size){.parameters = (double)m->n_cores * (double)(columns + 1),
                              .grows = true};
}

static const cairn_output dbscan_outputs[] = {
    {"distance", "that of the nearest core point"},
    {0},
};

const cairn_learner cairn_dbscan = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "dbscan",
            .also = "density-based clustering, density clustering, density reachability",
            .about = "directly density-reachable, indirectly density-reachable, density-connected, "
                     "high density point, border point, core point, noise point, neighbourhood",
            .title = "DBSCAN: dense regions and noise",
            .summary =
                "Finds clusters of any shape: rows with at least min-points rows within eps are "
                "core points, core points within eps of each other belong together, rows near a "
                "core point are the border of its cluster, and the rest is noise, in no cluster. "
                "The number of clusters need not be known. A border row near two clusters goes to "
                "the first. A new row gets the cluster of its nearest core point within eps. "
                "Columns are standardised first where their scale matters, unless --scale says "
                "otherwise; eps is in those units. With --as distances the table is a matrix of "
                "distances.",
            .references = "Ester, Kriegel, Sander and Xu, A density-based algorithm for "
                          "discovering clusters in large spatial databases with noise, KDD (1996)",
            .example = "cairn fit dbscan @kmeans-twelve --eps 5 --min-points 3 --scale none",
            .params = dbscan_params,
            .params_size = sizeof(cairn_dbscan_params),
            .check = dbscan_check,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "min-points=3,5,10,20",
    .aims = "rows that lie densely",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = dbscan_accepts,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_dbscan_model),
    .tables = cairn_dbscan_tables,
    .history = &dbscan_history,
    .labels_rows = true,
    .sets_codes = true,
    .answers_slowly = true,
    .outputs = dbscan_outputs,
    .fit = dbscan_fit,
    .lower = dbscan_lower,
    .predict = dbscan_predict,
    .describe = cairn_dbscan_describe,
    .explain = cairn_dbscan_explain,
    .figures = cairn_dbscan_figures,
    .keeps = dbscan_keeps,
    .check = dbscan_check_model,
    .size = dbscan_size,
};
