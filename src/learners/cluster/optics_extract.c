/* SPDX-License-Identifier: MIT */
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
#include "base/memory.h"
#include "learners/cluster/optics.h"
#include <math.h>

void cairn_optics_cut(const cairn_optics_order *order, double cut, int32_t *clusters,
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
    size_t n_slopes, room_slopes;
    slope *found; /* begin and end of valleys, of those that end together the innermost first */
    size_t n_found, room_found;
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

/* All valleys that end on this slope; those that begin last are the innermost and come first. */
static cairn_status end_valleys(cairn_context *ctx, valleys *v, const slope *up)
{
    for (size_t i = v->n_slopes; i-- > 0;) {
        slope c;
        if (!join_slopes(v, &v->slopes[i], up, &c)) continue;
        CHECK(GROW(ctx, &v->found, &v->room_found, v->n_found + 1));
        v->found[v->n_found++] = c;
    }
    return CAIRN_OK;
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
            CHECK(end_valleys(ctx, v, &s));
        } else {
            CHECK(GROW(ctx, &v->slopes, &v->room_slopes, v->n_slopes + 1));
            v->slopes[v->n_slopes++] = s;
        }
    }
    return CAIRN_OK;
}

/* A valley is a cluster unless a smaller one lies in it. */
static void label_valleys(const valleys *v, int32_t *clusters, size_t *n_clusters)
{
    *n_clusters = 0;
    for (size_t i = 0; i < v->n; i++) clusters[i] = -1;
    for (size_t k = 0; k < v->n_found; k++) {
        bool taken = false;
        for (size_t i = v->found[k].begin; i <= v->found[k].end && !taken; i++)
            taken = clusters[v->order->rows[i]] >= 0;
        if (taken) continue;
        for (size_t i = v->found[k].begin; i <= v->found[k].end; i++)
            clusters[v->order->rows[i]] = (int32_t)*n_clusters;
        (*n_clusters)++;
    }
}

static cairn_status prepare(cairn_context *ctx, valleys *v)
{
    CHECK(SCRATCH_EACH(ctx, v->n + 1, &v->plot, &v->ratios));
    CHECK(SCRATCH(ctx, &v->sums, v->n + 2));
    for (size_t i = 0; i < v->n; i++) {
        v->plot[i] = v->order->reach[v->order->rows[i]];
        v->sums[i + 1] = v->sums[i] + cairn_density_weight(v->density, v->order->rows[i]);
    }
    v->plot[v->n] = INFINITY;
    for (size_t i = 0; i < v->n; i++) v->ratios[i] = v->plot[i] / v->plot[i + 1];
    return CAIRN_OK;
}

static void valleys_clear(valleys *v)
{
    cairn_free(v->slopes);
    cairn_free(v->found);
}

cairn_status cairn_optics_valleys(cairn_context *ctx, const cairn_optics_order *order,
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
    CHECK(prepare(ctx, &v));
    CHECK(find_valleys(ctx, &v));
    label_valleys(&v, clusters, n_clusters);
    return CAIRN_OK;
}
