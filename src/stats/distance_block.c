/* SPDX-License-Identifier: MIT */
/* Many pairs of points at once: the same numbers as pair by pair, quicker. Points of numbers are
 * compared by the loops of kernels/row_pairs.h; what a distance makes of their sums follows while a
 * tile is in the cache. */
#include "kernels/kernels.h"
#include "kernels/row_pairs.h"
#include "parallel/parallel.h"
#include "stats/distance.h"
#include "stats/edit_distance.h"
#include <math.h>
#include <string.h>

_Static_assert((int)CAIRN_FEW_COLUMNS == (int)CAIRN_PAIR_PLAIN, "both add in the same order");

/* Rows and columns of a tile. */
enum { TILE_ROWS = 32, TILE_COLUMNS = 256 };

/* Points row[0 .. m-1] of a against points first .. first+n-1 of b; out[r] is where the distances
 * of row[r] begin. */
typedef struct tile {
    const cairn_metric *metric;
    const cairn_points *a, *b;
    size_t row[TILE_ROWS], m, first, n;
    double *out[TILE_ROWS];
    int32_t *room;
} tile;

/* -- pair by pair -- */

static void tile_pairs(const tile *t)
{
    for (size_t r = 0; r < t->m; r++)
        for (size_t j = 0; j < t->n; j++)
            t->out[r][j] =
                cairn_metric_value(t->metric, cairn_metric_order(t->metric, t->a, t->row[r], t->b,
                                                                 t->first + j, t->room));
}

/* A text of at most 64 letters is looked at once for all that it is compared with. */
static void tile_texts(const tile *t)
{
    const cairn_points *a = t->a, *b = t->b;
    cairn_edit_table table;
    for (size_t r = 0; r < t->m; r++)
        for (size_t text = 0; text < a->n_texts; text++) {
            size_t x = text * a->n + t->row[r], n = (size_t)a->lengths[x];
            const int32_t *letters = a->letters + a->starts[x];
            bool brief = n <= CAIRN_EDIT_LETTERS;
            if (brief) cairn_edit_prepare(&table, letters, n);
            for (size_t j = 0; j < t->n; j++) {
                size_t y = text * b->n + t->first + j, length = (size_t)b->lengths[y];
                const int32_t *other = b->letters + b->starts[y];
                double d =
                    (double)(brief ? cairn_edit_prepared(&table, n, other, length)
                                   : cairn_edit_distance(letters, n, other, length, t->room));
                t->out[r][j] = text ? t->out[r][j] + d : d;
            }
        }
}

/* -- by columns -- */

static void tile_sums(const tile *t, cairn_pairing pairing, bool root)
{
    const double *rows[TILE_ROWS];
    size_t width = t->a->width;
    for (size_t r = 0; r < t->m; r++) rows[r] = t->a->places + t->row[r] * width;
    cairn_pair_rows(t->out, rows, t->m, t->b->places + t->first * width, t->n, width, pairing,
                    root);
}

static void tile_values(const tile *t)
{
    for (size_t r = 0; r < t->m; r++)
        for (size_t j = 0; j < t->n; j++)
            t->out[r][j] = cairn_metric_value(t->metric, t->out[r][j]);
}

static double dot_itself(const cairn_points *points, size_t i)
{
    const double *x = points->places + i * points->width;
    return cairn_dot(x, x, points->width);
}

/* Distances that follow from inner products: those of a point with itself are made once. */
static void tile_products(const tile *t)
{
    double own[TILE_COLUMNS];
    const cairn_metric *metric = t->metric;
    tile_sums(t, CAIRN_PAIR_PRODUCTS, false);
    for (size_t j = 0; j < t->n; j++) own[j] = dot_itself(t->b, t->first + j);
    for (size_t r = 0; r < t->m; r++) {
        double aa = dot_itself(t->a, t->row[r]);
        for (size_t j = 0; j < t->n; j++)
            t->out[r][j] = cairn_metric_value(
                metric, metric->distance->of_dot(metric, t->out[r][j], aa, own[j]));
    }
}

static void fill_tile(const tile *t)
{
    const cairn_metric *metric = t->metric;
    if (t->a->n_texts) return tile_texts(t);
    if (t->a->n_items || metric->family == CAIRN_BY_POWERS) return tile_pairs(t);
    if (metric->family == CAIRN_BY_PAIRS)
        return metric->distance->of_dot ? tile_products(t) : tile_pairs(t);
    tile_sums(t,
              metric->family == CAIRN_BY_SQUARES     ? CAIRN_PAIR_SQUARES
              : metric->family == CAIRN_BY_ABSOLUTES ? CAIRN_PAIR_ABSOLUTES
                                                     : CAIRN_PAIR_LARGEST,
              metric->rooted);
    if (!metric->rooted && metric->distance->value) tile_values(t);
}

void cairn_metric_block(const cairn_metric *metric, const cairn_points *a, const uint32_t *which,
                        size_t m, const cairn_points *b, size_t first, size_t n, double *out,
                        size_t stride, int32_t *room)
{
    tile t = {.metric = metric, .a = a, .b = b, .room = room};
    for (size_t row = 0; row < m; row += TILE_ROWS) {
        t.m = m - row < TILE_ROWS ? m - row : TILE_ROWS;
        for (size_t r = 0; r < t.m; r++) t.row[r] = which ? which[row + r] : row + r;
        for (size_t column = 0; column < n; column += TILE_COLUMNS) {
            t.first = first + column;
            t.n = n - column < TILE_COLUMNS ? n - column : TILE_COLUMNS;
            for (size_t r = 0; r < t.m; r++) t.out[r] = out + (row + r) * stride + column;
            fill_tile(&t);
        }
    }
}

/* -- all pairs -- */

typedef struct all_pairs {
    const cairn_metric *metric;
    const cairn_points *points;
    int32_t *room; /* per worker */
    double *out;
    bool square; /* n x n, of which the upper triangle is filled; else condensed */
} all_pairs;

/* Where the distance of points i < j stands; those to j + 1, j + 2, ... follow it. */
static double *place_of(const all_pairs *w, size_t i, size_t j)
{
    size_t n = w->points->n;
    return w->out + (w->square ? i * n + j : cairn_pair_at(n, i, j));
}

/* Pairs among the rows of a block: a square of which one half is kept. */
static void pairs_within(const all_pairs *w, tile *t)
{
    double values[TILE_ROWS * TILE_ROWS] = {0};
    t->first = t->row[0];
    t->n = t->m;
    for (size_t r = 0; r < t->m; r++) t->out[r] = values + r * TILE_ROWS;
    fill_tile(t);
    for (size_t r = 0; r + 1 < t->m; r++) {
        double *to = place_of(w, t->row[r], t->row[r + 1]);
        for (size_t j = r + 1; j < t->m; j++) *to++ = values[r * TILE_ROWS + j];
    }
    memset(t->out, 0, sizeof t->out);
}

/* Some rows against all that come after them. */
static void pairs_of_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const all_pairs *w = data;
    const cairn_points *points = w->points;
    tile t = {.metric = w->metric,
              .a = points,
              .b = points,
              .m = end - begin,
              .room = w->room + (size_t)worker * cairn_metric_room(points, points)};
    (void)block;
    for (size_t r = 0; r < t.m; r++) t.row[r] = begin + r;
    pairs_within(w, &t);
    for (size_t column = end; column < points->n; column += TILE_COLUMNS) {
        t.first = column;
        t.n = points->n - column < TILE_COLUMNS ? points->n - column : TILE_COLUMNS;
        for (size_t r = 0; r < t.m; r++) t.out[r] = place_of(w, begin + r, column);
        fill_tile(&t);
    }
}

static cairn_status make_pairs(cairn_context *ctx, all_pairs *w)
{
    SCOPED_SCRATCH(ctx);
    const cairn_points *points = w->points;
    size_t each = cairn_metric_room(points, points);
    size_t steps = points->width + points->longest + points->n_items / 8 + 1;
    double work = (double)points->n * (double)points->n * (double)steps;
    CHECK(SCRATCH(ctx, &w->room, cairn_product((size_t)cairn_workers(ctx), each)));
    return cairn_blocks_sized(ctx, points->n, TILE_ROWS, work, pairs_of_block, w);
}

cairn_status cairn_metric_condensed(cairn_context *ctx, const cairn_metric *metric,
                                    const cairn_points *points, double *out)
{
    all_pairs work = {.metric = metric, .points = points, .out = out};
    return make_pairs(ctx, &work);
}

cairn_status cairn_distance_matrix(cairn_context *ctx, double *out, const cairn_view *view,
                                   const char *spec, const double *scales)
{
    SCOPED(cairn_metric_clear) cairn_metric metric = {0};
    SCOPED(cairn_points_clear) cairn_points points = {0};
    all_pairs work = {.metric = &metric, .points = &points, .out = out, .square = true};
    CHECK(cairn_metric_open(ctx, &metric, cairn_say(ctx, "{distance}"), spec));
    CHECK(cairn_metric_learn(ctx, &metric, view));
    CHECK(cairn_metric_points(ctx, &metric, &points, view, scales));
    CHECK(make_pairs(ctx, &work));
    for (size_t i = 0, n = points.n; i < n; i++) {
        out[i * n + i] = 0;
        for (size_t j = i + 1; j < n; j++)
            if (isnan(out[i * n + j])) out[i * n + j] = 0;
    }
    cairn_mirror_upper(out, points.n);
    return CAIRN_OK;
}
