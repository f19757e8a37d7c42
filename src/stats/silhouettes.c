/* SPDX-License-Identifier: MIT */
/* Silhouettes and the gap between clusters: every row compared with every other one. See
 * clustering.h.
 *
 * Rows lie cluster after cluster. A block of them is compared with a run of one cluster at a time,
 * and each run adds one number per row: the sums have the same order whatever the threads. */
#include "stats/clustering.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"

#include <string.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

enum { BLOCK = 32, RUN = 128 };

/* Rows that lie in a cluster, cluster after cluster. */
typedef struct cluster_rows {
    size_t n;
    size_t *rows;    /* n */
    uint32_t *at;    /* of every answer: where it stands among the rows; UINT32_MAX = nowhere */
    size_t *starts;  /* n_clusters + 1 */
    double *weights; /* n; NULL = all 1 */
    double *totals;  /* n_clusters */
} cluster_rows;

/* What is compared, and what each of the rows that answer says. */
typedef struct pair_work {
    const cairn_judged *j;
    cairn_silhouette_options options;
    size_t n_clusters, n_used;
    cluster_rows others;  /* that are compared with ... */
    size_t n;             /* ... the rows that answer */
    size_t *rows;         /* n */
    uint32_t *points;     /* n: the points of the space that they are ... */
    cairn_points sorted;  /* ... and those of the others, cluster after cluster; owned */
    cairn_silhouettes *s; /* NULL = only the gap is wanted */
    double *near, *wide;  /* n: nearest row of another cluster, farthest of the own; or NULL */
    /* working memory per worker */
    double *distances; /* BLOCK x RUN */
    double *sums;      /* BLOCK x n_clusters: weighted distances to each cluster */
    double *lost;      /* BLOCK x n_clusters: weights of rows that it cannot be compared with */
    int32_t *room;
    size_t room_size;
} pair_work;

/* -- which rows -- */

/* All rows that count or, of too many, a sample: each is taken with the chance that fills the rest
 * of the places from the rest of the rows. */
static cairn_status choose_rows(cairn_context *ctx, pair_work *w)
{
    const cairn_judged *j = w->j;
    cairn_random random;
    size_t n = 0, wanted = w->options.sample ? w->options.sample : CAIRN_MOST_PAIRED;
    for (size_t i = 0; i < j->n; i++) n += cairn_judged_clustered(j, i);
    if (wanted > n) wanted = n;
    CHECK(SCRATCH_RAW(ctx, &w->rows, wanted + 1));
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0x51107) << 40);
    for (size_t i = 0; i < j->n && w->n < wanted; i++) {
        if (!cairn_judged_clustered(j, i)) continue;
        if (cairn_random_below(&random, n--) < wanted - w->n) w->rows[w->n++] = i;
    }
    return CAIRN_OK;
}

/* Those that answer or, with `against_all`, every row that counts. */
static cairn_status sort_others(cairn_context *ctx, pair_work *w)
{
    const cairn_judged *j = w->j;
    cluster_rows *o = &w->others;
    bool all = w->options.against_all;
    size_t n = all ? j->n : w->n, *at;
    CHECK(SCRATCH(ctx, &o->starts, w->n_clusters + 2));
    CHECK(SCRATCH(ctx, &o->totals, w->n_clusters + 1));
    CHECK(SCRATCH_RAW(ctx, &o->rows, n + 1));
    CHECK(SCRATCH_RAW(ctx, &at, w->n_clusters + 1));
    CHECK(SCRATCH_RAW(ctx, &o->at, j->n + 1));
    memset(o->at, -1, j->n * sizeof *o->at);
    if (j->weights) CHECK(SCRATCH_RAW(ctx, &o->weights, n + 1));
    for (size_t k = 0; k < n; k++) {
        size_t i = all ? k : w->rows[k];
        if (!cairn_judged_clustered(j, i)) continue;
        o->starts[j->predicted[i] + 1]++;
        o->totals[j->predicted[i]] += cairn_judged_weight(j, i);
    }
    for (size_t c = 0; c < w->n_clusters; c++) {
        w->n_used += o->starts[c + 1] > 0;
        at[c] = o->starts[c];
        o->starts[c + 1] += o->starts[c];
    }
    o->n = o->starts[w->n_clusters];
    for (size_t k = 0; k < n; k++) {
        size_t i = all ? k : w->rows[k], place;
        if (!cairn_judged_clustered(j, i)) continue;
        place = at[j->predicted[i]]++;
        o->rows[place] = i;
        o->at[i] = (uint32_t)place;
        if (o->weights) o->weights[place] = cairn_judged_weight(j, i);
    }
    return CAIRN_OK;
}

/* -- distances -- */

double cairn_judged_distance(const cairn_judged *j, size_t a, size_t b, int32_t *room)
{
    const cairn_cluster_space *space = j->space;
    size_t at = j->space_at;
    if (a == b) return 0;
    if (space->given) return space->given[space->in_given[at + a]][space->in_given[at + b]];
    double order =
        cairn_metric_order(space->metric, space->points, at + a, space->points, at + b, room);
    return cairn_metric_value(space->metric, order);
}

/* out[r][k]: so many of the rows from `begin` on against so many of the others from `first` on. A
 * row lies at distance 0 from itself, whatever rounding says. */
static void fill_distances(const pair_work *w, double *out, size_t begin, size_t m, size_t first,
                           size_t n, int32_t *room)
{
    const cairn_cluster_space *space = w->j->space;
    for (size_t r = 0; space->given && r < m; r++)
        for (size_t k = 0; k < n; k++)
            out[r * RUN + k] =
                cairn_judged_distance(w->j, w->rows[begin + r], w->others.rows[first + k], room);
    if (!space->given)
        cairn_metric_block(space->metric, space->points, w->points + begin, m, &w->sorted, first, n,
                           out, RUN, room);
    for (size_t r = 0; r < m; r++) {
        size_t self = w->others.at[w->rows[begin + r]];
        if (self >= first && self < first + n) out[r * RUN + self - first] = 0;
        for (size_t k = 0; w->options.squared && k < n; k++) out[r * RUN + k] *= out[r * RUN + k];
    }
}

/* -- what a run of one cluster says about a row -- */

/* The distances that are there; the weights of the others are lost. */
static double sum_known(const double *distances, const double *weights, size_t n, double *lost)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        double weight = weights ? weights[k] : 1;
        if (isnan(distances[k]))
            *lost += weight;
        else
            sum += weight * distances[k];
    }
    return sum;
}

static void add_run(const pair_work *w, const double *distances, size_t first, size_t n,
                    double *sum, double *lost)
{
    const double *weights = w->others.weights ? w->others.weights + first : NULL;
    double run = weights ? cairn_dot(distances, weights, n) : cairn_sum(distances, n);
    *sum += isnan(run) ? sum_known(distances, weights, n, lost) : run;
}

/* The nearest and the farthest row of a run that can be compared. */
static void widen(const pair_work *w, const double *distances, size_t n, size_t a, bool own)
{
    cairn_look look;
    cairn_look_at(&look, distances, n);
    if (isnan(look.sum)) {
        look.low = INFINITY, look.high = 0;
        for (size_t k = 0; k < n; k++) {
            look.low = fmin(look.low, distances[k]);
            look.high = fmax(look.high, distances[k]);
        }
    }
    if (own)
        w->wide[a] = fmax(w->wide[a], look.high);
    else
        w->near[a] = fmin(w->near[a], look.low);
}

/* (b - a) / max(a, b): the row itself, one of the weights of its cluster, is not counted unless
 * that is wished. */
static void keep_silhouette(const pair_work *w, size_t a, const double *sums, const double *lost)
{
    cairn_silhouettes *s = w->s;
    size_t own = (size_t)w->j->predicted[w->rows[a]];
    const double *totals = w->others.totals;
    double count = totals[own] - lost[own] - (w->options.self ? 0 : 1), b = INFINITY;
    s->neighbours[a] = -1;
    for (size_t c = 0; c < w->n_clusters; c++) {
        double weight = totals[c] - lost[c];
        if (c == own || !(weight > 0) || !(sums[c] / weight < b)) continue;
        b = sums[c] / weight;
        s->neighbours[a] = (int32_t)c;
    }
    s->own[a] = count > 0 ? sums[own] / count : NAN;
    s->other[a] = s->neighbours[a] < 0 ? NAN : b;
    double widest = fmax(s->own[a], b);
    s->values[a] = isnan(s->own[a]) || !(widest > 0) ? 0 : (b - s->own[a]) / widest;
    if (s->neighbours[a] < 0) s->values[a] = NAN;
}

static void compare_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    pair_work *w = data;
    size_t k = w->n_clusters, at = (size_t)worker;
    double *distances = w->distances + at * BLOCK * RUN, *sums = w->sums + at * BLOCK * k;
    double *lost = w->lost + at * BLOCK * k;
    (void)block;
    memset(sums, 0, BLOCK * k * sizeof *sums);
    memset(lost, 0, BLOCK * k * sizeof *lost);
    for (size_t c = 0; c < k; c++)
        for (size_t from = w->others.starts[c]; from < w->others.starts[c + 1]; from += RUN) {
            size_t left = w->others.starts[c + 1] - from, n = left < RUN ? left : RUN;
            fill_distances(w, distances, begin, end - begin, from, n, w->room + at * w->room_size);
            for (size_t r = 0; r < end - begin; r++) {
                const double *row = distances + r * RUN;
                if (w->s) add_run(w, row, from, n, &sums[r * k + c], &lost[r * k + c]);
                if (w->near)
                    widen(w, row, n, begin + r, w->j->predicted[w->rows[begin + r]] == (int32_t)c);
            }
        }
    for (size_t r = 0; w->s && r < end - begin; r++)
        keep_silhouette(w, begin + r, sums + r * k, lost + r * k);
}

static bool is_compared(const cairn_judged *j)
{
    return j->space && (j->space->metric || j->space->given);
}

static cairn_status open_pairs(cairn_context *ctx, pair_work *w)
{
    w->n_clusters = cairn_judged_codes(w->j);
    CHECK(choose_rows(ctx, w));
    return sort_others(ctx, w);
}

/* The points of the rows that answer, and those of the others in their order. */
static cairn_status sort_points(cairn_context *ctx, pair_work *w)
{
    const cairn_judged *j = w->j;
    uint32_t *which;
    if (j->space->given) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &w->points, w->n + 1));
    CHECK(SCRATCH_RAW(ctx, &which, w->others.n + 1));
    for (size_t i = 0; i < w->n; i++) w->points[i] = (uint32_t)(j->space_at + w->rows[i]);
    for (size_t i = 0; i < w->others.n; i++) which[i] = (uint32_t)(j->space_at + w->others.rows[i]);
    return cairn_points_take(ctx, &w->sorted, j->space->points, which, w->others.n);
}

static void clear_pairs(pair_work *w)
{
    cairn_points_clear(&w->sorted);
}

/* Every row with every other one. */
static cairn_status compare_pairs(cairn_context *ctx, pair_work *w)
{
    const cairn_cluster_space *space = w->j->space;
    size_t workers = (size_t)cairn_workers(ctx), cells = cairn_product(BLOCK, w->n_clusters + 1);
    CHECK(sort_points(ctx, w));
    if (space->points) w->room_size = cairn_metric_room(space->points, &w->sorted);
    CHECK(SCRATCH(ctx, &w->room, cairn_product(workers, w->room_size + 1)));
    CHECK(SCRATCH_RAW(ctx, &w->distances, cairn_product(workers, BLOCK * RUN)));
    CHECK(SCRATCH_RAW(ctx, &w->sums, cairn_product(workers, cells)));
    CHECK(SCRATCH_RAW(ctx, &w->lost, cairn_product(workers, cells)));
    double width = space->points ? (double)space->points->width : 0;
    double work = (double)w->n * (double)w->others.n * (8 + width);
    return cairn_blocks_sized(ctx, w->n, BLOCK, work, compare_rows, w);
}

/* -- silhouettes -- */

static cairn_status open_silhouettes(cairn_context *ctx, cairn_silhouettes *s, const pair_work *w)
{
    *s = (cairn_silhouettes){
        .n = w->n, .rows = w->rows, .mean = NAN, .n_clusters = w->n_clusters, .n_used = w->n_used};
    CHECK(SCRATCH_RAW(ctx, &s->values, w->n + 1));
    CHECK(SCRATCH_RAW(ctx, &s->own, w->n + 1));
    CHECK(SCRATCH_RAW(ctx, &s->other, w->n + 1));
    CHECK(SCRATCH_RAW(ctx, &s->neighbours, w->n + 1));
    CHECK(SCRATCH(ctx, &s->weights, w->n_clusters + 1));
    CHECK(SCRATCH(ctx, &s->means, w->n_clusters + 1));
    for (size_t i = 0; i < w->n; i++) s->values[i] = s->own[i] = s->other[i] = NAN;
    for (size_t i = 0; i < w->n; i++) s->neighbours[i] = -1;
    return CAIRN_OK;
}

/* Means by weight, of each cluster and of all. */
static void take_means(cairn_silhouettes *s, const cairn_judged *j)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < s->n; i++) {
        double weight = cairn_judged_weight(j, s->rows[i]);
        s->weights[j->predicted[s->rows[i]]] += weight;
        s->means[j->predicted[s->rows[i]]] += weight * s->values[i];
        sum += weight * s->values[i];
        total += weight;
        s->n_negative += s->values[i] < 0;
    }
    for (size_t c = 0; c < s->n_clusters; c++)
        s->means[c] = s->weights[c] > 0 ? s->means[c] / s->weights[c] : NAN;
    s->mean = total > 0 ? sum / total : NAN;
}

cairn_status cairn_silhouettes_of(cairn_context *ctx, cairn_silhouettes *out, const cairn_judged *j,
                                  const cairn_silhouette_options *options)
{
    SCOPED(clear_pairs) pair_work w = {.j = j, .s = out};
    if (options) w.options = *options;
    *out = (cairn_silhouettes){.mean = NAN};
    if (!is_compared(j)) return CAIRN_OK;
    CHECK(open_pairs(ctx, &w));
    CHECK(open_silhouettes(ctx, out, &w));
    if (w.n_used >= 2) CHECK(compare_pairs(ctx, &w));
    take_means(out, j);
    return CAIRN_OK;
}

static cairn_status silhouette(cairn_context *ctx, double *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    cairn_silhouettes s;
    *out = NAN;
    CHECK(cairn_silhouettes_of(ctx, &s, j, NULL));
    *out = s.mean;
    return CAIRN_OK;
}

/* The nearest two rows of different clusters, in terms of the widest cluster. */
static cairn_status dunn(cairn_context *ctx, double *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_pairs) pair_work w = {.j = j};
    double near = INFINITY, wide = 0;
    *out = NAN;
    if (!is_compared(j)) return CAIRN_OK;
    CHECK(open_pairs(ctx, &w));
    if (w.n_used < 2) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &w.near, w.n + 1));
    CHECK(SCRATCH(ctx, &w.wide, w.n + 1));
    for (size_t i = 0; i < w.n; i++) w.near[i] = INFINITY;
    CHECK(compare_pairs(ctx, &w));
    for (size_t i = 0; i < w.n; i++) {
        near = fmin(near, w.near[i]);
        wide = fmax(wide, w.wide[i]);
    }
    if (wide > 0) *out = near / wide;
    return CAIRN_OK;
}

/* -- records -- */

const cairn_measure cairn_measure_dunn = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "dunn",
              .title = "Gap between clusters",
              .summary = "The distance of the nearest two rows of different clusters over that of "
                         "the farthest two of one cluster: above 1 every row is nearer to all of "
                         "its cluster than to any other row. Of more than 20000 rows a sample.",
              .references = "Dunn: Well-separated clusters and optimal fuzzy partitions, 1974",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure dunn",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .of_pairs = true,
    .value = dunn,
};

const cairn_measure cairn_measure_silhouette = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "silhouette",
              .title = "Silhouette",
              .summary = "Of every row (b - a) / max(a, b), where a is its mean distance to the "
                         "others of its cluster and b that to the rows of the nearest other one; "
                         "averaged. 1 is best, below 0 rows lie in the wrong cluster; 0 for a row "
                         "that is alone. Of more than 20000 rows a sample.",
              .references = "Rousseeuw: Silhouettes, 1987; Flach: Machine Learning, 2012",
              .example =
                  "cairn evaluate kmeans @iris --target species --clusters 3 --measure silhouette",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .at_most_one = true,
    .of_pairs = true,
    .value = silhouette,
};
