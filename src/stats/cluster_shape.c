/* SPDX-License-Identifier: MIT */
/* The shape of clusters: how close rows lie to their own and how far from the others. See
 * clustering.h. */
#include "stats/clustering.h"

#include "base/memory.h"
#include "kernels/kernels.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

cairn_status cairn_judged_used(cairn_context *ctx, size_t *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    bool *seen;
    CHECK(SCRATCH(ctx, &seen, cairn_judged_codes(j) + 1));
    *out = 0;
    for (size_t i = 0; i < j->n; i++) {
        if (!cairn_judged_clustered(j, i)) continue;
        *out += !seen[j->predicted[i]];
        seen[j->predicted[i]] = true;
    }
    return CAIRN_OK;
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
        if (!cairn_judged_clustered(j, i)) continue;
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
    size_t k = cairn_judged_codes(j), width = known ? j->space->width : 0;
    double *middle;
    *out = (cairn_scatter){.n_clusters = k};
    CHECK(SCRATCH(ctx, &out->weights, k + 1));
    CHECK(SCRATCH(ctx, &out->means, cairn_product(k + 1, width + 1)));
    CHECK(SCRATCH(ctx, &out->distances, k + 1));
    CHECK(SCRATCH(ctx, &middle, width + 1));
    take_means(out, j, width);
    for (size_t i = 0; known && i < j->n; i++) {
        if (!cairn_judged_clustered(j, i)) continue;
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

/* The distances from the mean of the own cluster and of the nearest other one stand for the mean
 * distances to their rows: as many comparisons as rows and clusters, not as pairs of rows. */
static cairn_status simplified_silhouette(cairn_context *ctx, double *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    cairn_scatter s;
    double sum = 0;
    *out = NAN;
    if (!j->space || !j->space->places) return CAIRN_OK;
    CHECK(cairn_scatter_of(ctx, &s, j));
    if (s.n_used < 2) return CAIRN_OK;
    size_t width = j->space->width;
    for (size_t i = 0; i < j->n; i++) {
        double a = 0, b = INFINITY;
        if (!cairn_judged_clustered(j, i)) continue;
        for (size_t c = 0; c < s.n_clusters; c++) {
            if (!(s.weights[c] > 0)) continue;
            double d = cairn_squared_distance(place_of(j, i), s.means + c * width, width);
            if (c == (size_t)j->predicted[i])
                a = sqrt(d);
            else
                b = fmin(b, sqrt(d));
        }
        if (fmax(a, b) > 0) sum += cairn_judged_weight(j, i) * (b - a) / fmax(a, b);
    }
    *out = sum / s.total;
    return CAIRN_OK;
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

const cairn_measure cairn_measure_simplified_silhouette = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "simplified-silhouette",
              .title = "Silhouette by means",
              .summary =
                  "Of every row (b - a) / max(a, b), where a is its Euclidean distance from "
                  "the mean of its cluster and b that from the nearest other mean; averaged. "
                  "Of all rows, however many: it needs no pairs of rows.",
              .references = "Hruschka, de Castro and Campello: Evolutionary algorithms for "
                            "clustering gene-expression data, 2004",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                         "simplified-silhouette",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .at_most_one = true,
    .value = simplified_silhouette,
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
