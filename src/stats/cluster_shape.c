/* SPDX-License-Identifier: MIT */
/* The shape of clusters: how close rows lie to their own and how far from the others. See
 * clustering.h. */
#include "stats/clustering.h"

#include "base/memory.h"
#include "base/random.h"
#include "parallel/parallel.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

static size_t count_clusters(const cairn_judged *j)
{
    return j->n_answers ? j->n_answers : j->n_classes;
}

/* Whether the row has a part in measures of shape. */
static bool lies_in_one(const cairn_judged *j, size_t i)
{
    return j->predicted[i] >= 0 && cairn_judged_weight(j, i) > 0;
}

/* -- scatter -- */

static const double *place_of(const cairn_judged *j, size_t i)
{
    return j->space->places + (j->space_at + i) * j->space->width;
}

static double squared_distance(const double *a, const double *b, size_t width)
{
    double sum = 0;
    for (size_t k = 0; k < width; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* Weights and means of the clusters. */
static void take_means(cairn_scatter *s, const cairn_judged *j, size_t width)
{
    for (size_t i = 0; i < j->n; i++) {
        if (!lies_in_one(j, i)) continue;
        double w = cairn_judged_weight(j, i);
        size_t c = (size_t)j->predicted[i];
        s->weights[c] += w;
        s->total += w;
        for (size_t k = 0; k < width; k++) s->means[c * width + k] += w * place_of(j, i)[k];
    }
    for (size_t c = 0; c < s->n_clusters; c++) {
        s->n_used += s->weights[c] > 0;
        for (size_t k = 0; s->weights[c] > 0 && k < width; k++)
            s->means[c * width + k] /= s->weights[c];
    }
}

/* The means around their own mean. `middle` has `width` zeros. */
static double scatter_of_means(const cairn_scatter *s, size_t width, double *middle)
{
    double sum = 0;
    for (size_t c = 0; c < s->n_clusters; c++)
        for (size_t k = 0; k < width; k++)
            middle[k] += s->weights[c] * s->means[c * width + k] / s->total;
    for (size_t c = 0; c < s->n_clusters; c++)
        if (s->weights[c] > 0)
            sum += s->weights[c] * squared_distance(s->means + c * width, middle, width);
    return sum;
}

cairn_status cairn_scatter_of(cairn_context *ctx, cairn_scatter *out, const cairn_judged *j)
{
    bool known = j->space && j->space->places;
    size_t k = count_clusters(j), width = known ? j->space->width : 0;
    double *middle;
    *out = (cairn_scatter){.n_clusters = k};
    CHECK(SCRATCH(ctx, &out->weights, k + 1));
    CHECK(SCRATCH(ctx, &out->means, cairn_product(k + 1, width + 1)));
    CHECK(SCRATCH(ctx, &out->distances, k + 1));
    CHECK(SCRATCH(ctx, &middle, width + 1));
    take_means(out, j, width);
    for (size_t i = 0; known && i < j->n; i++) {
        if (!lies_in_one(j, i)) continue;
        size_t c = (size_t)j->predicted[i];
        double w = cairn_judged_weight(j, i);
        double square = squared_distance(place_of(j, i), out->means + c * width, width);
        out->within += w * square;
        out->distances[c] += w * sqrt(square) / out->weights[c];
    }
    out->between = scatter_of_means(out, width, middle);
    if (!known) out->within = out->between = NAN;
    return CAIRN_OK;
}

/* A number of the scatter. */
static cairn_status read_scatter(cairn_context *ctx, double *out, const cairn_judged *j,
                                 double (*of)(const cairn_scatter *s, size_t width))
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_scatter s;
    cairn_status status;
    *out = NAN;
    if (!j->space || !j->space->places) return CAIRN_OK;
    TRY(cairn_scatter_of(ctx, &s, j));
    *out = of(&s, j->space->width);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static double within_of(const cairn_scatter *s, size_t width)
{
    (void)width;
    return s->total > 0 ? s->within : NAN;
}

static double between_of(const cairn_scatter *s, size_t width)
{
    (void)width;
    return s->total > 0 ? s->between : NAN;
}

static double calinski_harabasz_of(const cairn_scatter *s, size_t width)
{
    double k = (double)s->n_used;
    (void)width;
    if (s->n_used < 2 || !(s->total > k)) return NAN;
    return s->between / (k - 1) / (s->within / (s->total - k));
}

/* The cluster that is hardest to tell from c: how wide the two are for the distance of their
 * means. */
static double worst_likeness(const cairn_scatter *s, size_t c, size_t width)
{
    double worst = 0;
    for (size_t d = 0; d < s->n_clusters; d++) {
        if (d == c || !(s->weights[d] > 0)) continue;
        double wide = s->distances[c] + s->distances[d];
        double apart = sqrt(squared_distance(s->means + c * width, s->means + d * width, width));
        worst = fmax(worst, wide > 0 ? wide / apart : 0);
    }
    return worst;
}

static double davies_bouldin_of(const cairn_scatter *s, size_t width)
{
    double sum = 0;
    if (s->n_used < 2) return NAN;
    for (size_t c = 0; c < s->n_clusters; c++)
        if (s->weights[c] > 0) sum += worst_likeness(s, c, width);
    return sum / (double)s->n_used;
}

static cairn_status within_scatter(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return read_scatter(ctx, out, j, within_of);
}

static cairn_status between_scatter(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return read_scatter(ctx, out, j, between_of);
}

static cairn_status calinski_harabasz(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return read_scatter(ctx, out, j, calinski_harabasz_of);
}

static cairn_status davies_bouldin(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return read_scatter(ctx, out, j, davies_bouldin_of);
}

/* -- pairs of rows -- */

/* The rows that are compared, the weights of the clusters among them, and what each row says. */
typedef struct pair_work {
    const cairn_judged *j;
    size_t n, n_clusters, n_used;
    size_t *rows;
    double *weights; /* n_clusters */
    double *sums;    /* workers x n_clusters: weighted distances of a row to each cluster */
    int32_t *room;   /* workers x room_size: of the distance */
    size_t room_size;
    double *values;      /* n */
    double *near, *wide; /* n: nearest row of another cluster, farthest of the own */
} pair_work;

/* All rows that count or, of too many, a sample: each is taken with the chance that fills the rest
 * of the places from the rest of the rows. */
static cairn_status choose_rows(cairn_context *ctx, pair_work *w)
{
    const cairn_judged *j = w->j;
    cairn_random random;
    size_t n = 0, wanted;
    for (size_t i = 0; i < j->n; i++) n += lies_in_one(j, i);
    wanted = n < CAIRN_MOST_PAIRED ? n : CAIRN_MOST_PAIRED;
    CHECK(SCRATCH(ctx, &w->rows, wanted + 1));
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0x51107) << 40);
    for (size_t i = 0; i < j->n && w->n < wanted; i++) {
        if (!lies_in_one(j, i)) continue;
        if (cairn_random_below(&random, n--) < wanted - w->n) w->rows[w->n++] = i;
    }
    return CAIRN_OK;
}

static cairn_status open_pairs(cairn_context *ctx, pair_work *w, const cairn_judged *j)
{
    size_t workers = (size_t)cairn_workers(ctx);
    *w = (pair_work){.j = j, .n_clusters = count_clusters(j)};
    CHECK(choose_rows(ctx, w));
    CHECK(SCRATCH(ctx, &w->weights, w->n_clusters + 1));
    for (size_t i = 0; i < w->n; i++)
        w->weights[j->predicted[w->rows[i]]] += cairn_judged_weight(j, w->rows[i]);
    for (size_t c = 0; c < w->n_clusters; c++) w->n_used += w->weights[c] > 0;
    w->room_size = cairn_metric_room(j->space->points, j->space->points);
    CHECK(SCRATCH(ctx, &w->room, cairn_product(workers, w->room_size + 1)));
    CHECK(SCRATCH(ctx, &w->sums, cairn_product(workers, w->n_clusters + 1)));
    CHECK(SCRATCH(ctx, &w->values, w->n + 1));
    CHECK(SCRATCH(ctx, &w->near, w->n + 1));
    return SCRATCH(ctx, &w->wide, w->n + 1);
}

/* Distance of two rows; rows that cannot be compared lie nowhere. */
static double pair_distance(const pair_work *w, size_t a, size_t b, int worker)
{
    const cairn_cluster_space *space = w->j->space;
    size_t at = w->j->space_at;
    double order = cairn_metric_order(space->metric, space->points, at + w->rows[a], space->points,
                                      at + w->rows[b], w->room + (size_t)worker * w->room_size);
    return cairn_metric_value(space->metric, order);
}

/* (b - a) / max(a, b); the row itself, one of the weights of its cluster, is not counted. */
static double silhouette_of(const pair_work *w, size_t own, const double *sums)
{
    double others = w->weights[own] - 1, b = INFINITY;
    if (!(others > 0)) return 0;
    double a = sums[own] / others;
    for (size_t c = 0; c < w->n_clusters; c++)
        if (c != own && w->weights[c] > 0) b = fmin(b, sums[c] / w->weights[c]);
    return fmax(a, b) > 0 ? (b - a) / fmax(a, b) : 0;
}

static void compare_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    pair_work *w = data;
    const cairn_judged *j = w->j;
    double *sums = w->sums + (size_t)worker * w->n_clusters;
    (void)block;
    for (size_t a = begin; a < end; a++) {
        int32_t own = j->predicted[w->rows[a]];
        double near = INFINITY, wide = 0;
        for (size_t c = 0; c < w->n_clusters; c++) sums[c] = 0;
        for (size_t b = 0; b < w->n; b++) {
            int32_t of = j->predicted[w->rows[b]];
            double d = a == b ? 0 : pair_distance(w, a, b, worker);
            if (isnan(d)) continue;
            sums[of] += cairn_judged_weight(j, w->rows[b]) * d;
            if (of == own)
                wide = fmax(wide, d);
            else
                near = fmin(near, d);
        }
        w->values[a] = silhouette_of(w, (size_t)own, sums);
        w->near[a] = near;
        w->wide[a] = wide;
    }
}

/* Every row with every other one. *w stays without clusters where distances are not known. */
static cairn_status compare_pairs(cairn_context *ctx, pair_work *w, const cairn_judged *j)
{
    enum { ROWS = 64 };
    *w = (pair_work){.j = j};
    if (!j->space || !j->space->metric) return CAIRN_OK;
    CHECK(open_pairs(ctx, w, j));
    if (w->n_used < 2) return CAIRN_OK;
    double work = (double)w->n * (double)w->n * (double)(8 + j->space->points->width);
    return cairn_blocks_sized(ctx, w->n, ROWS, work, compare_rows, w);
}

cairn_status cairn_silhouettes_of(cairn_context *ctx, cairn_silhouettes *out, const cairn_judged *j)
{
    pair_work w;
    double sum = 0, total = 0;
    CHECK(compare_pairs(ctx, &w, j));
    *out = (cairn_silhouettes){.n = w.n, .rows = w.rows, .values = w.values};
    for (size_t i = 0; i < w.n; i++) {
        if (w.n_used < 2) out->values[i] = NAN;
        sum += cairn_judged_weight(j, w.rows[i]) * out->values[i];
        total += cairn_judged_weight(j, w.rows[i]);
    }
    out->mean = total > 0 ? sum / total : NAN;
    return CAIRN_OK;
}

static cairn_status silhouette(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_silhouettes s = {.mean = NAN};
    cairn_status status = cairn_silhouettes_of(ctx, &s, j);
    *out = s.mean;
    cairn_scratch_release(ctx, mark);
    return status;
}

/* The nearest two rows of different clusters, in terms of the widest cluster. */
static cairn_status dunn(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    pair_work w;
    double near = INFINITY, wide = 0;
    *out = NAN;
    TRY(compare_pairs(ctx, &w, j));
    for (size_t i = 0; i < w.n; i++) {
        near = fmin(near, w.near[i]);
        wide = fmax(wide, w.wide[i]);
    }
    if (w.n_used >= 2 && wide > 0) *out = near / wide;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- records -- */

const cairn_measure cairn_measure_between_scatter = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "between-scatter",
         .title = "Scatter between the clusters",
         .summary = "The squared Euclidean distances of the means of the clusters from the "
                    "mean of all rows, each as often as the cluster has rows, added up. With "
                    "the scatter within the clusters it is the scatter of all rows.",
         .references = "Flach: Machine Learning, 2012",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure between-scatter",
         .params = no_params},
    .task = CAIRN_CLUSTER,
    .value = between_scatter,
};

const cairn_measure cairn_measure_calinski_harabasz = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "calinski-harabasz",
              .title = "Variance ratio of clusters",
              .summary = "The scatter between k clusters over k - 1, divided by the scatter within "
                         "them over n - k: the larger, the clearer the clusters.",
              .references = "Calinski and Harabasz: A dendrite method for cluster analysis, 1974",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                         "calinski-harabasz",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .value = calinski_harabasz,
};

const cairn_measure cairn_measure_davies_bouldin = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "davies-bouldin",
         .title = "Likeness of clusters",
         .summary = "Of every cluster and the one that is hardest to tell from it: the mean "
                    "Euclidean distances of their rows from their means, over the distance of "
                    "the means; averaged over the clusters. 0 is best.",
         .references = "Davies and Bouldin: A cluster separation measure, 1979",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure davies-bouldin",
         .params = no_params},
    .task = CAIRN_CLUSTER,
    .lower_better = true,
    .value = davies_bouldin,
};

const cairn_measure cairn_measure_dunn = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "dunn",
              .title = "Gap between clusters",
              .summary = "The distance of the nearest two rows of different clusters over that of "
                         "the farthest two of one cluster: above 1 every row is nearer to all of "
                         "its cluster than to any other row. Of more than 10000 rows a sample.",
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
                         "that is alone. Of more than 10000 rows a sample.",
              .references = "Rousseeuw: Silhouettes, 1987; Flach: Machine Learning, 2012",
              .example =
                  "cairn evaluate kmeans @iris --target species --clusters 3 --measure silhouette",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .at_most_one = true,
    .of_pairs = true,
    .value = silhouette,
};

const cairn_measure cairn_measure_within_scatter = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "within-scatter",
         .title = "Scatter within the clusters",
         .summary = "The squared Euclidean distances of the rows from the mean of their "
                    "cluster, added up: what k-means makes small. More clusters always have "
                    "less of it.",
         .references = "Flach: Machine Learning, 2012",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure within-scatter",
         .params = no_params},
    .task = CAIRN_CLUSTER,
    .lower_better = true,
    .value = within_scatter,
};
