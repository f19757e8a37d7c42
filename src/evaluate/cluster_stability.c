/* SPDX-License-Identifier: MIT */
/* Whether clusters come again when some of the rows are left out: see cluster_splits.h. */
#include "evaluate/cluster_splits.h"

#include "base/memory.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct stability_work {
    const cairn_cluster_job *job;
    size_t k;          /* clusters of all rows */
    int32_t *codes;    /* of all rows; k = in none */
    double *alike;     /* samples x k: largest Jaccard index; NaN = no row was drawn */
    double *agreement; /* samples: adjusted Rand index */
    const cairn_measure *measure;
} stability_work;

/* The rows of a sample: their clusters among all rows and among the sample. */
typedef struct two_labels {
    size_t n, n_second;
    int32_t *first;
    const int32_t *second; /* -1 = in none */
} two_labels;

/* The largest Jaccard index of each cluster of all rows with one of the sample. */
static cairn_status compare_clusters(cairn_context *ctx, double *out, size_t k,
                                     const two_labels *labels)
{
    size_t m = labels->n_second;
    double *cells, *rows, *columns;
    CHECK(SCRATCH(ctx, &cells, cairn_product(k + 1, m + 1)));
    CHECK(SCRATCH(ctx, &rows, k + 1));
    CHECK(SCRATCH(ctx, &columns, m + 1));
    for (size_t i = 0; i < labels->n; i++) {
        size_t a = (size_t)labels->first[i];
        rows[a]++;
        if (labels->second[i] < 0) continue;
        columns[labels->second[i]]++;
        cells[a * m + (size_t)labels->second[i]]++;
    }
    for (size_t a = 0; a < k; a++) {
        out[a] = rows[a] > 0 ? 0 : NAN;
        for (size_t b = 0; rows[a] > 0 && b < m; b++)
            out[a] = fmax(out[a], cells[a * m + b] / (rows[a] + columns[b] - cells[a * m + b]));
    }
    return CAIRN_OK;
}

/* The rows that were drawn, each once, are clustered anew. */
static cairn_status judge_sample(cairn_context *ctx, void *data, size_t sample, cairn_rows train,
                                 cairn_rows test)
{
    const stability_work *w = data;
    SCOPED(cairn_judged_clusters_clear) cairn_judged_clusters clusters = {0};
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    two_labels labels = {0};
    size_t last = SIZE_MAX;
    (void)test;
    CHECK(cairn_cluster_part(ctx, &part, w->job->table, train));
    CHECK(cairn_model_fit(ctx, &model, w->job->params, part, w->job->fit));
    CHECK(cairn_judged_clusters_of(ctx, &clusters, model, part, cairn_all_rows(part), NULL, false));
    CHECK(SCRATCH_RAW(ctx, &labels.first, part->n_rows + 1));
    for (size_t i = 0; i < train.n; i++) {
        if (train.indices[i] == last) continue;
        last = train.indices[i];
        labels.first[labels.n++] = w->codes[last];
    }
    labels.second = clusters.prediction.codes;
    labels.n_second = clusters.shape.n_answers;
    CHECK(compare_clusters(ctx, w->alike + sample * w->k, w->k, &labels));
    cairn_judged judged = {.n = labels.n,
                           .n_classes = w->k + 1,
                           .n_answers = labels.n_second,
                           .positive = -1,
                           .actual = labels.first,
                           .predicted = labels.second};
    return w->measure->value(ctx, &w->agreement[sample], &judged);
}

/* Mean, deviation and least of those that are numbers, `stride` apart. */
typedef struct number_summary {
    double mean, sd, least;
    size_t n, low, high; /* all; below 0.5; from 0.75 on */
} number_summary;

/* Missing numbers are left out; of none the mean is missing, of one the deviation. `low` counts
 * those below 0.5, `high` those of 0.75 or more. */
static number_summary summarise(const double *x, size_t n, size_t stride)
{
    number_summary s = {.least = INFINITY};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double value = x[i * stride];
        if (isnan(value)) continue;
        s.n++;
        sum += value;
        s.least = fmin(s.least, value);
        s.low += value < 0.5;
        s.high += value >= 0.75;
    }
    s.mean = s.n ? sum / (double)s.n : NAN;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i * stride])) squares += (x[i * stride] - s.mean) * (x[i * stride] - s.mean);
    s.sd = s.n > 1 ? sqrt(squares / (double)(s.n - 1)) : NAN;
    if (!s.n) s.least = NAN;
    return s;
}

/* Clusters without rows are left out; the overall mean weights every cluster by its rows. */
static cairn_status show_stability(cairn_context *ctx, cairn_report *out, const stability_work *w,
                                   size_t n_samples)
{
    number_summary rand = summarise(w->agreement, n_samples, 1);
    double *rows, sum = 0, total = 0;
    CHECK(SCRATCH(ctx, &rows, w->k + 1));
    for (size_t i = 0; i < w->job->table->n_rows; i++) rows[w->codes[i]]++;
    cairn_report_heading(out, 2, "Stability");
    cairn_report_paragraph(out,
                           "%zu samples drawn with replacement, every row that was drawn taken "
                           "once, are clustered anew. Of each cluster C of all rows the largest "
                           "|C ∩ D| / |C ∪ D| with a cluster D of the sample, among its rows.",
                           n_samples);
    cairn_report_table_of(out, NULL, (size_t)-1, "rrrrrr", "cluster", "rows", "mean Jaccard",
                          "least", "below 0.5", "0.75 or more");
    for (size_t k = 0; k < w->k; k++) {
        number_summary s = summarise(w->alike + k, n_samples, w->k);
        if (!(rows[k] > 0)) continue;
        sum += rows[k] * s.mean;
        total += rows[k];
        cairn_report_prefix(out, "stability.cluster%zu", k + 1);
        cairn_report_cells(out, "- - @.jaccard:5 @.least:4 @.dissolved @.recovered", k + 1, rows[k],
                           s.mean, s.least, s.low, s.high);
    }
    cairn_report_value(out, "mean Jaccard index, by rows", total > 0 ? sum / total : NAN,
                       "stability.jaccard");
    cairn_report_value(out, "mean adjusted Rand index with the clusters of all rows", rand.mean,
                       "stability.adjusted-rand");
    cairn_report_value(out, "standard deviation", rand.sd, "stability.adjusted-rand.sd");
    return CAIRN_OK;
}

cairn_status cairn_cluster_stability(cairn_context *ctx, cairn_report *out,
                                     const cairn_cluster_job *job, size_t n_samples)
{
    SCOPED_SCRATCH(ctx);
    cairn_cluster_job bare = *job;
    stability_work w = {.job = &bare};
    cairn_clusters_seen seen;
    const cairn_entry *entry;
    cairn_plan plan;
    size_t n = job->table->n_rows;
    char by[32];
    bare.n_measures = 0;
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, "adjusted-rand"));
    w.measure = (const cairn_measure *)entry;
    CHECK(SCRATCH_RAW(ctx, &w.codes, n + 1));
    CHECK(cairn_cluster_whole(ctx, NULL, &seen, w.codes, &bare));
    for (size_t i = 0; i < n; i++)
        if (w.codes[i] >= 0 && (size_t)w.codes[i] >= w.k) w.k = (size_t)w.codes[i] + 1;
    for (size_t i = 0; i < n; i++)
        if (w.codes[i] < 0) w.codes[i] = (int32_t)w.k;
    snprintf(by, sizeof by, "boot:%zu", n_samples);
    CHECK(cairn_cluster_plan(ctx, &plan, by, job->table));
    n_samples = cairn_plan_splits(&plan);
    CHECK(SCRATCH_RAW(ctx, &w.alike, cairn_product(n_samples, w.k + 1)));
    CHECK(SCRATCH_RAW(ctx, &w.agreement, n_samples + 1));
    for (size_t i = 0; i < n_samples * w.k; i++) w.alike[i] = NAN;
    for (size_t i = 0; i < n_samples; i++) w.agreement[i] = NAN;
    CHECK(cairn_plan_each(ctx, &plan, false, judge_sample, &w));
    return show_stability(ctx, out, &w, n_samples);
}
