/* SPDX-License-Identifier: MIT */
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
#include "base/memory.h"
#include "learners/cluster/dbscan.h"
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>

enum {
    MOST_COLUMNS = 3,
    AWAY = 2,          /* cells */
    MOST_RUNS = 25,    /* of cells around a cell: 5 for each column but the last */
    FEW_POINTS = 1000, /* no grid pays below */
    MANY_PAIRS = 64,
    CELLS = 256, /* of a block */
    POINTS = 4096
};
static const double margin = 1e-6, most_cells = 0x1p30;

typedef struct grid {
    cairn_dbscan_clusters *out;
    const cairn_density *density;
    const cairn_dbscan_wish *wish;
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

/* -- cells -- */

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
    g->side = g->wish->eps * (1 - margin) / sqrt((double)g->width);
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

/* The middles of the runs: nearer cells first, so that counting ends early. */
static void lay_runs(grid *g)
{
    static const int64_t steps[] = {0, -1, 1, -2, 2};
    g->n_runs = 0;
    size_t first = g->width > 2 ? 5 : 1, second = g->width > 1 ? 5 : 1;
    for (size_t a = 0; a < first; a++)
        for (size_t b = 0; b < second; b++) {
            g->near[g->n_runs] = a < 3 && b < 3;
            g->offsets[g->n_runs++] = (g->width > 2 ? steps[a] * g->strides[0] : 0) +
                                      (g->width > 1 ? steps[b] * g->strides[g->width - 2] : 0);
        }
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

/* Equal keys are one cell. */
static void mark_cells(grid *g)
{
    for (size_t i = 0; i < g->n; i++) {
        if (i > 0 && g->keys[i] == g->keys[g->n_cells - 1]) continue;
        g->begins[g->n_cells] = (uint32_t)i;
        g->keys[g->n_cells++] = g->keys[i];
    }
    g->begins[g->n_cells] = (uint32_t)g->n;
}

static cairn_status sort_points(cairn_context *ctx, grid *g)
{
    CHECK(SCRATCH_RAW(ctx, &g->keys, g->n));
    CHECK(SCRATCH_RAW(ctx, &g->rows, g->n));
    CHECK(SCRATCH_RAW(ctx, &g->places, cairn_product(g->n, g->width)));
    if (g->density->weights) CHECK(SCRATCH_RAW(ctx, &g->weights, g->n));
    CHECK(SCRATCH(ctx, &g->core, g->n));
    CHECK(SCRATCH_RAW(ctx, &g->begins, g->n + 1));
    CHECK(cairn_blocks_sized(ctx, g->n, POINTS, (double)g->n * 20, find_cells, g));
    CHECK(cairn_sort_keys(ctx, g->keys, g->rows, g->n));
    CHECK(cairn_blocks_sized(ctx, g->n, POINTS, (double)g->n * 20, copy_points, g));
    mark_cells(g);
    CHECK(SCRATCH(ctx, &g->cores, g->n_cells));
    CHECK(SCRATCH_RAW(ctx, &g->sets, g->n_cells));
    CHECK(SCRATCH_RAW(ctx, &g->numbers, g->n_cells));
    return CAIRN_OK;
}

/* -- the cells around a cell -- */

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

/* -- counting -- */

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
        if (cairn_dbscan_is_core(g->wish, weight)) return true;
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
        bool all = cairn_dbscan_is_core(g->wish, weight);
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

/* -- joining -- */

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

static void box_of_cores(const grid *g, size_t cell, double *box)
{
    for (size_t t = 0; t < g->width; t++) {
        const double *column = g->places + t * g->n + g->begins[cell];
        double low = column[0], high = column[0];
        for (size_t i = 1; i < g->cores[cell]; i++) {
            low = column[i] < low ? column[i] : low;
            high = column[i] > high ? column[i] : high;
        }
        box[2 * t] = low, box[2 * t + 1] = high;
    }
}

/* Whether a core point of cell a is within reach of one of cell b. Where there are many, those are
 * left out that are too far from all of b. */
static bool cores_meet(const grid *g, size_t a, size_t b)
{
    double box[2 * MOST_COLUMNS], reach = g->out->reach;
    bool many = (double)g->cores[a] * g->cores[b] > MANY_PAIRS;
    if (many) box_of_cores(g, b, box);
    for (size_t i = g->begins[a]; i < g->begins[a] + g->cores[a]; i++) {
        if (many && order_from_box(g, box, i) > reach * (1 + margin)) continue;
        for (size_t j = g->begins[b]; j < g->begins[b] + g->cores[b]; j++)
            if (order_of(g, i, j) <= reach) return true;
    }
    return false;
}

/* Whether cell b, of run r around cell a, has a side or a corner in common with it. */
static bool cells_touch(const grid *g, size_t r, size_t a, size_t b)
{
    int64_t steps = (int64_t)g->keys[b] - (int64_t)g->keys[a] - g->offsets[r];
    return g->near[r] && steps >= -1 && steps <= 1;
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
    CHECK(cairn_dbscan_number(ctx, g->numbers, g->n_cells, &g->out->n_clusters));
    for (size_t c = g->n_cells; c-- > 0;)
        g->numbers[c] = g->numbers[cairn_joined_find(g->sets, (uint32_t)c)];
    return CAIRN_OK;
}

/* -- labels -- */

/* The lowest cluster among the core points within reach; UINT32_MAX = none. */
static uint32_t cluster_around(const grid *g, const around *a, size_t i)
{
    uint32_t best = UINT32_MAX;
    for (size_t r = 0; r < g->n_runs; r++)
        for (size_t b = a->begin[r]; b < a->end[r]; b++) {
            if (!g->cores[b] || g->numbers[b] >= best) continue;
            for (size_t j = g->begins[b]; j < g->begins[b] + g->cores[b]; j++)
                if (order_of(g, i, j) <= g->out->reach) {
                    best = g->numbers[b];
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
            uint32_t cluster = g->core[i] ? g->numbers[c] : cluster_around(g, &a, i);
            g->out->core[row] = g->core[i];
            g->out->clusters[row] = cluster == UINT32_MAX ? -1 : (int32_t)cluster;
        }
    }
}

/* -- all of it -- */

static bool suits(const cairn_density *density)
{
    const cairn_distance_rows *rows = &density->rows;
    return !rows->given && rows->metric.family == CAIRN_BY_SQUARES && !rows->metric.offsets &&
           !rows->points.n_items && rows->points.width >= 1 && rows->points.width <= MOST_COLUMNS &&
           density->n >= FEW_POINTS;
}

cairn_status cairn_dbscan_by_grid(cairn_context *ctx, cairn_dbscan_clusters *out,
                                  const cairn_density *density, const cairn_dbscan_wish *wish,
                                  bool *done)
{
    SCOPED_SCRATCH(ctx);
    grid g = {.out = out,
              .density = density,
              .wish = wish,
              .n = density->n,
              .width = density->rows.points.width};
    *done = false;
    if (!suits(density) || !lay_grid(&g)) return CAIRN_OK;
    lay_runs(&g);
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
