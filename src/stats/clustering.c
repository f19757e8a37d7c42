/* SPDX-License-Identifier: MIT */
/* Clusters beside a labelling that is known: pairs of rows that both put together, and what one
 * tells about the other. See clustering.h. */
#include "base/functions.h"
#include "base/number.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "stats/clustering.h"

#include <string.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* -- the table of classes and clusters -- */

/* A cell that has rows; classes and clusters are many, such cells at most as many as rows. */
typedef struct table_cell {
    size_t class, cluster;
    double weight;
} table_cell;

/* Rows without a cluster are the last one; rows without a class are not in the table. */
typedef struct class_table {
    size_t n_classes, n_clusters, n_cells;
    double *classes, *clusters; /* weights */
    table_cell *cells;
    double total;
} class_table;

/* The numbers of *n rows that have a class, class after class. */
static cairn_status sort_by_class(cairn_context *ctx, size_t **out, size_t *n,
                                  const cairn_judged *j)
{
    size_t *starts, *rows;
    CHECK(SCRATCH(ctx, &starts, j->n_classes + 1));
    CHECK(SCRATCH_RAW(ctx, &rows, j->n + 1));
    for (size_t i = 0; i < j->n; i++)
        if (j->actual[i] >= 0) starts[j->actual[i] + 1]++;
    for (size_t c = 0; c < j->n_classes; c++) starts[c + 1] += starts[c];
    *n = starts[j->n_classes];
    for (size_t i = 0; i < j->n; i++)
        if (j->actual[i] >= 0) rows[starts[j->actual[i]]++] = i;
    *out = rows;
    return CAIRN_OK;
}

/* Only cells that occur are there; rows without a cluster are in the last one. */
static cairn_status make_table(cairn_context *ctx, class_table *t, const cairn_judged *j)
{
    size_t *rows, n, *cell_of; /* of each cluster, the last cell that was begun, + 1 */
    *t = (class_table){.n_classes = j->n_classes, .n_clusters = cairn_judged_codes(j) + 1};
    CHECK(SCRATCH(ctx, &t->classes, t->n_classes + 1));
    CHECK(SCRATCH(ctx, &t->clusters, t->n_clusters));
    CHECK(SCRATCH(ctx, &t->cells, j->n + 1));
    CHECK(SCRATCH(ctx, &cell_of, t->n_clusters));
    CHECK(sort_by_class(ctx, &rows, &n, j));
    for (size_t i = 0; i < n; i++) {
        double w = cairn_judged_weight(j, rows[i]);
        size_t a = (size_t)j->actual[rows[i]], b = t->n_clusters - 1;
        if (j->predicted[rows[i]] >= 0) b = (size_t)j->predicted[rows[i]];
        if (!(w > 0)) continue;
        if (!cell_of[b] || t->cells[cell_of[b] - 1].class != a) {
            t->cells[t->n_cells] = (table_cell){.class = a, .cluster = b};
            cell_of[b] = ++t->n_cells;
        }
        t->cells[cell_of[b] - 1].weight += w;
        t->classes[a] += w;
        t->clusters[b] += w;
        t->total += w;
    }
    return CAIRN_OK;
}

/* A number of the table; NaN where no labelling is known. */
static cairn_status read_table(cairn_context *ctx, double *out, const cairn_judged *j,
                               double (*of)(const class_table *t))
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    class_table t;
    *out = NAN;
    if (!j->actual) return CAIRN_OK;
    TRY(make_table(ctx, &t, j));
    if (t.total > 0) *out = of(&t);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static size_t used_groups(const double *weights, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) used += weights[i] > 0;
    return used;
}

/* Nothing is parted by either, or every row stands alone in both: they cannot disagree. */
static bool says_nothing(const class_table *t)
{
    size_t classes = used_groups(t->classes, t->n_classes);
    size_t clusters = used_groups(t->clusters, t->n_clusters);
    return classes == clusters &&
           (classes == 1 || ((double)classes == t->total && t->n_cells == classes));
}

/* -- pairs of rows -- */

static double pairs(double weight)
{
    return weight * (weight - 1) / 2;
}

static cairn_pair_counts count_pairs(const class_table *t)
{
    cairn_pair_counts out = {.all = pairs(t->total)};
    for (size_t i = 0; i < t->n_cells; i++) out.both += pairs(t->cells[i].weight);
    for (size_t i = 0; i < t->n_classes; i++)
        if (t->classes[i] > 0) out.classes += pairs(t->classes[i]);
    for (size_t i = 0; i < t->n_clusters; i++)
        if (t->clusters[i] > 0) out.clusters += pairs(t->clusters[i]);
    return out;
}

static double rand_index_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    return p.all > 0 ? (p.all + 2 * p.both - p.classes - p.clusters) / p.all : NAN;
}

static double adjusted_rand_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    if (says_nothing(t)) return 1;
    if (!(p.all > 0)) return NAN;
    double chance = p.classes * p.clusters / p.all, most = (p.classes + p.clusters) / 2;
    return (p.both - chance) / (most - chance);
}

/* Of the pairs in one cluster, those of one class. */
static double pair_precision_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    return p.clusters > 0 ? p.both / p.clusters : NAN;
}

/* Of the pairs of one class, those in one cluster. */
static double pair_recall_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    return p.classes > 0 ? p.both / p.classes : NAN;
}

static double pair_f_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    double sum = p.classes + p.clusters;
    return sum > 0 ? 2 * p.both / sum : NAN;
}

/* Of the pairs that are together in one of the two, those together in both. */
static double pair_jaccard_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    double any = p.classes + p.clusters - p.both;
    return any > 0 ? p.both / any : NAN;
}

static double fowlkes_mallows_of(const class_table *t)
{
    cairn_pair_counts p = count_pairs(t);
    if (!(p.all > 0)) return NAN;
    return p.both > 0 ? sqrt(p.both / p.classes) * sqrt(p.both / p.clusters) : 0;
}

/* -- information -- */

static double entropy(const double *weights, size_t n, double total)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (weights[i] > 0) sum -= weights[i] / total * cairn_log(weights[i] / total);
    return sum;
}

static cairn_common_information information_of(const class_table *t)
{
    cairn_common_information out = {.classes = entropy(t->classes, t->n_classes, t->total),
                                    .clusters = entropy(t->clusters, t->n_clusters, t->total)};
    for (size_t i = 0; i < t->n_cells; i++) {
        table_cell c = t->cells[i];
        double expected = t->classes[c.class] / t->total * t->clusters[c.cluster];
        out.common += c.weight / t->total * cairn_log(c.weight / expected);
    }
    out.common = fmax(0, out.common);
    return out;
}

static double homogeneity_of(const class_table *t)
{
    cairn_common_information i = information_of(t);
    return i.classes > 0 ? fmin(1, i.common / i.classes) : 1;
}

static double completeness_of(const class_table *t)
{
    cairn_common_information i = information_of(t);
    return i.clusters > 0 ? fmin(1, i.common / i.clusters) : 1;
}

/* Common information over the mean of the entropies: also the harmonic mean of homogeneity and
 * completeness. */
static double normalised_of(const class_table *t)
{
    cairn_common_information i = information_of(t);
    double mean = (i.classes + i.clusters) / 2;
    return mean > 0 ? fmin(1, i.common / mean) : 1;
}

static double mutual_information_of(const class_table *t)
{
    return information_of(t).common;
}

static double variation_of(const class_table *t)
{
    cairn_common_information i = information_of(t);
    return fmax(0, i.classes + i.clusters - 2 * i.common);
}

/* Logarithm of the chance that a class of a and a cluster of b of n rows have x in common. */
static double log_chance(double x, double a, double b, double n)
{
    return cairn_lgamma(a + 1) + cairn_lgamma(b + 1) + cairn_lgamma(n - a + 1) +
           cairn_lgamma(n - b + 1) - cairn_lgamma(n + 1) - cairn_lgamma(x + 1) -
           cairn_lgamma(a - x + 1) - cairn_lgamma(b - x + 1) - cairn_lgamma(n - a - b + x + 1);
}

/* What a class of a and a cluster of b rows add to the common information when rows are dealt at
 * random. From the likeliest overlap outwards, until chances no longer count; where the overlaps
 * are too many to go through, their spread around the mean says it to ten digits. */
static double expected_cell(double a, double b, double n)
{
    const double negligible = 1e-22, many = 1e10;
    double low = fmax(1, a + b - n), high = fmin(a, b);
    double mode = fmin(high, fmax(low, floor((a + 1) * (b + 1) / (n + 2))));
    if (mode > many) return (1 - a / n) * (1 - b / n) / (2 * n);
    double at = cairn_exp(log_chance(mode, a, b, n)), p = at, sum = 0;
    for (double x = mode; x <= high && p > negligible; x++) {
        sum += p * x / n * cairn_log(n * x / (a * b));
        p *= (a - x) * (b - x) / ((x + 1) * (n - a - b + x + 1));
    }
    p = at;
    for (double x = mode; x > low && p > negligible; x--) {
        p *= x * (n - a - b + x) / ((a - x + 1) * (b - x + 1));
        sum += p * (x - 1) / n * cairn_log(n * (x - 1) / (a * b));
    }
    return sum;
}

static double expected_information(const class_table *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n_classes; i++)
        for (size_t k = 0; t->classes[i] > 0 && k < t->n_clusters; k++)
            if (t->clusters[k] > 0) sum += expected_cell(t->classes[i], t->clusters[k], t->total);
    return sum;
}

/* Chance is a matter of rows that are dealt: it has no meaning for parts of rows. */
static bool has_whole_rows(const class_table *t)
{
    enum { MOST_ROWS = 1000000000 };
    for (size_t i = 0; i < t->n_cells; i++)
        if (t->cells[i].weight != floor(t->cells[i].weight)) return false;
    return t->total <= MOST_ROWS;
}

static double adjusted_information_of(const class_table *t)
{
    if (says_nothing(t)) return 1;
    if (!has_whole_rows(t)) return NAN;
    cairn_common_information i = information_of(t);
    double expected = expected_information(t), most = (i.classes + i.clusters) / 2;
    double buffer = most - expected;
    double beyond = cairn_number_left(i.common - expected, fmax(i.common, expected));
    return buffer != 0 ? beyond / buffer : NAN;
}

cairn_status cairn_judged_pairs(cairn_context *ctx, cairn_pair_counts *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    class_table t;
    CHECK(make_table(ctx, &t, j));
    *out = count_pairs(&t);
    return CAIRN_OK;
}

cairn_status cairn_judged_information(cairn_context *ctx, cairn_common_information *out,
                                      const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    class_table t;
    CHECK(make_table(ctx, &t, j));
    *out = information_of(&t);
    out->expected = has_whole_rows(&t) ? expected_information(&t) : NAN;
    return CAIRN_OK;
}

/* -- shares of rows -- */

/* Every cluster stands for its commonest class. Cells lie class after class. */
static cairn_status purity(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    class_table t;
    double *most, sum = 0;
    *out = NAN;
    if (!j->actual) return CAIRN_OK;
    TRY(make_table(ctx, &t, j));
    TRY(SCRATCH(ctx, &most, t.n_clusters));
    for (size_t i = 0; i < t.n_cells; i++)
        most[t.cells[i].cluster] = fmax(most[t.cells[i].cluster], t.cells[i].weight);
    for (size_t k = 0; k < t.n_clusters; k++) sum += most[k];
    if (t.total > 0) *out = sum / t.total;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

#define TABLE_MEASURE(NAME)                                                                        \
    static cairn_status NAME(cairn_context *ctx, double *out, const cairn_judged *j)               \
    {                                                                                              \
        return read_table(ctx, out, j, NAME##_of);                                                 \
    }

TABLE_MEASURE(rand_index)
TABLE_MEASURE(adjusted_rand)
TABLE_MEASURE(fowlkes_mallows)
TABLE_MEASURE(homogeneity)
TABLE_MEASURE(completeness)
TABLE_MEASURE(normalised)
TABLE_MEASURE(adjusted_information)
TABLE_MEASURE(pair_precision)
TABLE_MEASURE(pair_recall)
TABLE_MEASURE(pair_f)
TABLE_MEASURE(pair_jaccard)
TABLE_MEASURE(mutual_information)
TABLE_MEASURE(variation)

/* -- records -- */

/* What the records below share. */
#define AGREEMENT .task = CAIRN_CLUSTER, .needs_classes = true

const cairn_measure cairn_measure_adjusted_mutual_information = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "adjusted-mutual-information",
         .title = "Mutual information beyond chance",
         .summary =
             "By how much clusters and classes have more information in common than rows dealt at "
             "random would have, as a part of what the mean of the two entropies leaves. Weights "
             "must be whole numbers.",
         .references =
             "Vinh, Epps and Bailey: Information theoretic measures for clusterings comparison, "
             "2010",
         .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                    "adjusted-mutual-information",
         .params = no_params},
    AGREEMENT,
    .at_most_one = true,
    .value = adjusted_information,
};

const cairn_measure cairn_measure_adjusted_rand = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "adjusted-rand",
         .title = "Rand index beyond chance",
         .summary =
             "By how much more pairs of rows are together in clusters and classes alike than rows "
             "dealt at random would be, as a part of what is possible. 1 is agreement, 0 chance.",
         .references = "Hubert and Arabie: Comparing partitions, 1985",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure adjusted-rand",
         .params = no_params},
    AGREEMENT,
    .at_most_one = true,
    .value = adjusted_rand,
};

const cairn_measure cairn_measure_completeness = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "completeness",
         .title = "Completeness",
         .summary =
             "Whether the rows of a class are in one cluster: the share of the entropy of the "
             "clusters that the classes explain.",
         .references = "Rosenberg and Hirschberg: V-measure, 2007",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure completeness",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = completeness,
};

const cairn_measure cairn_measure_fowlkes_mallows = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "fowlkes-mallows",
         .title = "Fowlkes-Mallows index",
         .summary =
             "The geometric mean of two shares: of the pairs of rows in one cluster, those of one "
             "class, and the other way round.",
         .references =
             "Fowlkes and Mallows: A method for comparing two hierarchical clusterings, 1983",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure fowlkes-mallows",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = fowlkes_mallows,
};

const cairn_measure cairn_measure_homogeneity = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "homogeneity",
              .title = "Homogeneity",
              .summary =
                  "Whether the rows of a cluster are of one class: the share of the entropy of the "
                  "classes that the clusters explain.",
              .references = "Rosenberg and Hirschberg: V-measure, 2007",
              .example =
                  "cairn evaluate kmeans @iris --target species --clusters 3 --measure homogeneity",
              .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = homogeneity,
};

const cairn_measure cairn_measure_normalised_mutual_information = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "normalised-mutual-information",
         .title = "Normalised mutual information",
         .summary =
             "The information that clusters and classes have in common, over the mean of their "
             "entropies. More clusters have more of it by chance.",
         .references = "Strehl and Ghosh: Cluster ensembles, 2002",
         .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                    "normalised-mutual-information",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = normalised,
};

const cairn_measure cairn_measure_purity = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "purity",
         .title = "Purity",
         .summary =
             "The share of rows that are of the commonest class of their cluster. It reaches 1 "
             "when every row is a cluster of its own.",
         .references =
             "Manning, Raghavan and Schuetze: Introduction to Information Retrieval, 2008",
         .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure purity",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = purity,
};

const cairn_measure cairn_measure_rand = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "rand",
              .title = "Rand index",
              .summary =
                  "The share of pairs of rows about which clusters and classes agree: together in "
                  "both, or apart in both.",
              .references =
                  "Rand: Objective criteria for the evaluation of clustering methods, 1971",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure rand",
              .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = rand_index,
};

const cairn_measure cairn_measure_v_measure = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "v-measure",
         .title = "V-measure",
         .summary =
             "The harmonic mean of homogeneity and completeness, which is the normalised mutual "
             "information.",
         .references = "Rosenberg and Hirschberg: V-measure, 2007",
         .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure v-measure",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = normalised,
};

const cairn_measure cairn_measure_mutual_information = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "mutual-information",
              .title = "Mutual information of clusters and classes",
              .summary = "The information that clusters and classes have in common, in natural "
                         "units: the sum of p(class, cluster) ln(p(class, cluster) / (p(class) "
                         "p(cluster))). 0 when they say nothing about each other.",
              .references = "Cover and Thomas: Elements of Information Theory, 2006",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                         "mutual-information",
              .params = no_params},
    AGREEMENT,

    .value = mutual_information,
};

const cairn_measure cairn_measure_pair_f = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "pair-f",
              .title = "F-measure of pairs",
              .summary = "The harmonic mean of the precision and the recall of pairs of rows.",
              .references =
                  "Manning, Raghavan and Schuetze: Introduction to Information Retrieval, 2008",
              .example =
                  "cairn evaluate kmeans @iris --target species --clusters 3 --measure pair-f",
              .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = pair_f,
};

const cairn_measure cairn_measure_pair_jaccard = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "pair-jaccard",
         .title = "Jaccard index of pairs",
         .summary = "Of the pairs of rows that are in one cluster or of one class, the share that "
                    "are both.",
         .references = "Jaccard: The distribution of the flora in the alpine zone, 1912",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure pair-jaccard",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = pair_jaccard,
};

const cairn_measure cairn_measure_pair_precision = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "pair-precision",
         .title = "Precision of pairs",
         .summary = "Of the pairs of rows in one cluster, the share that are of one class.",
         .references =
             "Manning, Raghavan and Schuetze: Introduction to Information Retrieval, 2008",
         .example =
             "cairn evaluate kmeans @iris --target species --clusters 3 --measure pair-precision",
         .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = pair_precision,
};

const cairn_measure cairn_measure_pair_recall = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "pair-recall",
              .title = "Recall of pairs",
              .summary = "Of the pairs of rows of one class, the share that are in one cluster.",
              .references =
                  "Manning, Raghavan and Schuetze: Introduction to Information Retrieval, 2008",
              .example =
                  "cairn evaluate kmeans @iris --target species --clusters 3 --measure pair-recall",
              .params = no_params},
    AGREEMENT,
    .is_share = true,
    .value = pair_recall,
};

const cairn_measure cairn_measure_variation_of_information = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "variation-of-information",
              .title = "Variation of information",
              .summary =
                  "The entropies of clusters and classes less twice the information that they have "
                  "in common, in natural units: a distance between partitions, 0 for equal ones.",
              .references = "Meila: Comparing clusterings, an information based distance, 2007",
              .example = "cairn evaluate kmeans @iris --target species --clusters 3 --measure "
                         "variation-of-information",
              .params = no_params},
    AGREEMENT,
    .lower_better = true,
    .value = variation,
};

/* Category utility: how much better the levels of columns are guessed when the cluster of a row is
 * known,
 *
 *     (1/K) sum_k p_k [sum P(level | cluster k)^2 - sum P(level)^2]
 *
 * over all columns of levels: the sum of their Gini reductions over the number of clusters. See
 * clustering.h. */

/* Weights of the levels within the clusters; those of all rows lie behind them. */
static cairn_status count_levels(cairn_context *ctx, double **out, const cairn_judged *j,
                                 const cairn_view *view, size_t feature)
{
    const cairn_column *column = view->features[feature];
    size_t k = cairn_judged_codes(j), n = column->names.n;
    double *cells;
    CHECK(SCRATCH(ctx, &cells, cairn_product(k + 1, n + 1)));
    for (size_t i = 0; i < j->n; i++) {
        int32_t level = column->codes[cairn_view_row(view, j->space_at + i)];
        if (level < 0 || !cairn_judged_clustered(j, i)) continue;
        cells[(size_t)j->predicted[i] * n + (size_t)level] += cairn_judged_weight(j, i);
        cells[k * n + (size_t)level] += cairn_judged_weight(j, i);
    }
    *out = cells;
    return CAIRN_OK;
}

/* The sum of the squared shares, and of what they are shares. */
static double squared_shares(const double *weights, size_t n, double *total)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    for (size_t i = 0; i < n; i++) squares += weights[i] / sum * (weights[i] / sum);
    *total = sum;
    return sum > 0 ? squares : NAN;
}

cairn_status cairn_category_gain_of(cairn_context *ctx, cairn_category_gain *out,
                                    const cairn_judged *j, const cairn_view *view, size_t feature)
{
    size_t k = cairn_judged_codes(j), n = view->features[feature]->names.n;
    double *cells, total, weight;
    *out = (cairn_category_gain){0};
    CHECK(SCRATCH_EACH(ctx, k + 1, &out->shares, &out->parts));
    CHECK(count_levels(ctx, &cells, j, view, feature));
    out->all = squared_shares(cells + k * n, n, &total);
    for (size_t c = 0; c < k; c++) {
        out->shares[c] = squared_shares(cells + c * n, n, &weight);
        out->parts[c] = total > 0 ? weight / total : 0;
        if (weight > 0) out->within += out->parts[c] * out->shares[c];
    }
    return CAIRN_OK;
}

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

/* The mean over the clusters in use; missing where no column has levels or no row a cluster. */
static cairn_status category_utility(cairn_context *ctx, double *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    const cairn_view *view = j->space ? j->space->view : NULL;
    double sum = 0;
    size_t used;
    bool any = false;
    *out = NAN;
    if (!view) return CAIRN_OK;
    CHECK(cairn_judged_used(ctx, &used, j));
    for (size_t f = 0; f < view->n_features; f++) {
        cairn_category_gain gain;
        if (view->features[f]->kind != CAIRN_LEVEL) continue;
        CHECK(cairn_category_gain_of(ctx, &gain, j, view, f));
        if (isnan(gain.all)) continue;
        sum += gain.within - gain.all;
        any = true;
    }
    if (any && used > 0) *out = sum / (double)used;
    return CAIRN_OK;
}

const cairn_measure cairn_measure_category_utility = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "category-utility",
              .title = "Category utility",
              .summary =
                  "How much more often the levels of the columns are guessed right by drawing them "
                  "at random when the cluster is known: (1/K) sum p_k [sum P(level | cluster)^2 - "
                  "sum P(level)^2], the Gini reductions of all level columns over the number of "
                  "clusters. Undefined without level columns.",
              .references = "Gluck and Corter: Information, uncertainty, and the utility of "
                            "categories, 1985; Mirkin: Core Data Analysis, 2019",
              .example = "cairn compute partition @weather --clusters outlook",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .value = category_utility,
};

/* The shape of clusters: how close rows lie to their own and how far from the others. See
 * clustering.h. */

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

/* Missing for fewer than two clusters; infinite where two with a width have the same mean. */
static double davies_bouldin_of(const cairn_scatter *s, size_t width)
{
    double sum = 0;
    if (s->n_used < 2) return NAN;
    for (size_t c = 0; c < s->n_clusters; c++)
        if (s->weights[c] > 0) {
            /* The cluster that is hardest to tell from c: how wide the two are for the distance
             * of their means. */
            double worst = 0;
            for (size_t d = 0; d < s->n_clusters; d++) {
                if (d == c || !(s->weights[d] > 0)) continue;
                double wide = s->distances[c] + s->distances[d];
                double apart =
                    sqrt(squared_distance(s->means + c * width, s->means + d * width, width));
                worst = fmax(worst, wide > 0 ? wide / apart : 0);
            }
            sum += worst;
        }
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

/* Silhouettes and the gap between clusters: every row compared with every other one. See
 * clustering.h.
 *
 * Rows lie cluster after cluster. A block of them is compared with a run of one cluster at a time,
 * and each run adds one number per row: the sums have the same order whatever the threads. */

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
    int32_t *buffer;
    size_t buffer_size;
} pair_work;

/* -- which rows -- */

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

double cairn_judged_distance(const cairn_judged *j, size_t a, size_t b, int32_t *buffer)
{
    const cairn_cluster_space *space = j->space;
    size_t at = j->space_at;
    if (a == b) return 0;
    if (space->given) return space->given[space->in_given[at + a]][space->in_given[at + b]];
    double order =
        cairn_metric_order(space->metric, space->points, at + a, space->points, at + b, buffer);
    return cairn_metric_value(space->metric, order);
}

/* out[r][k]: so many of the rows from `begin` on against so many of the others from `first` on. A
 * row lies at distance 0 from itself, whatever rounding says. */
static void fill_distances(const pair_work *w, double *out, size_t begin, size_t m, size_t first,
                           size_t n, int32_t *buffer)
{
    const cairn_cluster_space *space = w->j->space;
    for (size_t r = 0; space->given && r < m; r++)
        for (size_t k = 0; k < n; k++)
            out[r * RUN + k] =
                cairn_judged_distance(w->j, w->rows[begin + r], w->others.rows[first + k], buffer);
    if (!space->given)
        cairn_metric_block(space->metric, space->points, w->points + begin, m, &w->sorted, first, n,
                           out, RUN, buffer);
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
            fill_distances(w, distances, begin, end - begin, from, n,
                           w->buffer + at * w->buffer_size);
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
    /* All rows that count or, of too many, a sample: each is taken with the chance that fills
     * the rest of the places from the rest of the rows. */
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
    return sort_others(ctx, w);
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
    /* The points of the rows that answer, and those of the others in their order. */
    const cairn_judged *j = w->j;
    uint32_t *which;
    if (!j->space->given) {
        CHECK(SCRATCH_RAW(ctx, &w->points, w->n + 1));
        CHECK(SCRATCH_RAW(ctx, &which, w->others.n + 1));
        for (size_t i = 0; i < w->n; i++) w->points[i] = (uint32_t)(j->space_at + w->rows[i]);
        for (size_t i = 0; i < w->others.n; i++)
            which[i] = (uint32_t)(j->space_at + w->others.rows[i]);
        CHECK(cairn_points_take(ctx, &w->sorted, j->space->points, which, w->others.n));
    }
    if (space->points) w->buffer_size = cairn_metric_buffer(space->points, &w->sorted);
    CHECK(SCRATCH(ctx, &w->buffer, cairn_product(workers, w->buffer_size + 1)));
    CHECK(SCRATCH_RAW(ctx, &w->distances, cairn_product(workers, BLOCK * RUN)));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(workers, cells), &w->sums, &w->lost));
    double width = space->points ? (double)space->points->width : 0;
    double work = (double)w->n * (double)w->others.n * (8 + width);
    return cairn_blocks_sized(ctx, w->n, BLOCK, work, compare_rows, w);
}

/* -- silhouettes -- */

static cairn_status open_silhouettes(cairn_context *ctx, cairn_silhouettes *s, const pair_work *w)
{
    *s = (cairn_silhouettes){
        .n = w->n, .rows = w->rows, .mean = NAN, .n_clusters = w->n_clusters, .n_used = w->n_used};
    CHECK(SCRATCH_RAW_EACH(ctx, w->n + 1, &s->values, &s->own, &s->other, &s->neighbours));
    CHECK(SCRATCH_EACH(ctx, w->n_clusters + 1, &s->weights, &s->means));
    for (size_t i = 0; i < w->n; i++) s->values[i] = s->own[i] = s->other[i] = NAN;
    for (size_t i = 0; i < w->n; i++) s->neighbours[i] = -1;
    return CAIRN_OK;
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
    /* Means by weight, of each cluster and of all. */
    double sum = 0, total = 0;
    for (size_t i = 0; i < out->n; i++) {
        double weight = cairn_judged_weight(j, out->rows[i]);
        out->weights[j->predicted[out->rows[i]]] += weight;
        out->means[j->predicted[out->rows[i]]] += weight * out->values[i];
        sum += weight * out->values[i];
        total += weight;
        out->n_negative += out->values[i] < 0;
    }
    for (size_t c = 0; c < out->n_clusters; c++)
        out->means[c] = out->weights[c] > 0 ? out->means[c] / out->weights[c] : NAN;
    out->mean = total > 0 ? sum / total : NAN;
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
