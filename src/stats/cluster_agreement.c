/* SPDX-License-Identifier: MIT */
/* Clusters beside a labelling that is known: pairs of rows that both put together, and what one
 * tells about the other. See clustering.h. */
#include "stats/clustering.h"

#include "base/functions.h"
#include "base/memory.h"

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
    double room = most - expected;
    return room != 0 ? (i.common - expected) / room : NAN;
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
