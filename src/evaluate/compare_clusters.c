/* SPDX-License-Identifier: MIT */
/* Contests of clusterers: see compare.h. Values of one split are comparable, since all clusterers
 * see the same rows; so ranks are taken within splits, and pairs are tested over them as those of
 * other learners are. */
#include "evaluate/cluster_splits.h"
#include "evaluate/compare.h"

#include "base/memory.h"
#include "model/task.h"
#include "report/table_rows.h"
#include "stats/significance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEASURES = 8 };

typedef struct cluster_contest {
    cairn_contest *c;
    cairn_cluster_job job; /* whose parameters are those of each clusterer in turn */
    const cairn_measure *measures[MOST_MEASURES]; /* the first is the one that is compared */
    size_t n_measures;
    cairn_plan plan;
    bool splits;               /* there are some */
    double *whole;             /* n_learners x n_measures */
    cairn_clusters_seen *seen; /* n_learners: of all rows */
    int32_t *codes;            /* n_learners x n_rows; n_rows = in no cluster */
} cluster_contest;

/* -- the work -- */

static void add_measure(cluster_contest *w, const char *name, bool labelled)
{
    const cairn_measure *m =
        (const cairn_measure *)cairn_entry_find(NULL, CAIRN_ENTRY_MEASURE, name);
    for (size_t i = 0; i < w->n_measures; i++)
        if (w->measures[i] == m) return;
    if (m && (labelled || !m->needs_classes)) w->measures[w->n_measures++] = m;
}

/* Whether there is a labelling that none of the clusterers has seen. */
static bool has_unseen_labels(const cluster_contest *w)
{
    for (size_t i = 0; i < w->c->n_learners; i++) {
        const cairn_entry *entry = w->c->learners[i].params->entry;
        if (((const cairn_learner *)entry)->accepts & CAIRN_ACCEPTS_TARGETS) return false;
    }
    return cairn_table_role_column(w->job.table, CAIRN_TARGET) >= 0;
}

/* The one that is compared, and what is usual: with a labelling the agreement with it. */
static cairn_status choose_measures(cairn_context *ctx, cluster_contest *w, const char *name)
{
    bool labelled = cairn_table_role_column(w->job.table, CAIRN_TARGET) >= 0;
    const cairn_entry *entry = &cairn_measure_usual(CAIRN_CLUSTER)->entry;
    if (!name && has_unseen_labels(w)) name = "adjusted-rand";
    if (name) CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    const cairn_measure *wanted = (const cairn_measure *)entry;
    if (wanted->task != CAIRN_CLUSTER)
        return cairn_fail(ctx, CAIRN_USAGE, "{measure %s} judges %s, and clusters are found", name,
                          cairn_task_answers(wanted->task));
    if (wanted->needs_classes && !labelled)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{measure %s} compares clusters with a labelling that is known; name its "
                          "column with {target}",
                          name);
    w->measures[w->n_measures++] = w->c->measure = wanted;
    add_measure(w, "silhouette", labelled);
    add_measure(w, "davies-bouldin", labelled);
    add_measure(w, "calinski-harabasz", labelled);
    add_measure(w, "adjusted-rand", labelled);
    return CAIRN_OK;
}

/* One value per split, and their mean as the result. */
static cairn_status run_splits(cairn_context *ctx, cluster_contest *w, size_t i)
{
    SCOPED_SCRATCH(ctx);
    cairn_contest *c = w->c;
    double *values = c->splits + i * c->n_splits, *known;
    cairn_clusters_seen *seen;
    cairn_cluster_job one = w->job;
    cairn_t_test t;
    size_t n = 0;
    one.measures = &c->measure;
    one.n_measures = 1;
    CHECK(SCRATCH(ctx, &seen, c->n_splits + 1));
    CHECK(SCRATCH(ctx, &known, c->n_splits + 1));
    CHECK(cairn_cluster_splits(ctx, values, seen, &one, &w->plan));
    for (size_t s = 0; s < c->n_splits; s++)
        if (!isnan(values[s])) known[n++] = values[s];
    cairn_t_test_of(&t, known, n, c->share, 0.95);
    c->results[i].measured = (cairn_measured){.value = t.mean, .mean = t.mean, .sd = t.deviation};
    return CAIRN_OK;
}

static cairn_status run_clusterer(cairn_context *ctx, cluster_contest *w, size_t i)
{
    cairn_contest *c = w->c;
    cairn_contest_result *r = &c->results[i];
    size_t n = w->job.table->n_rows;
    w->job.params = c->learners[i].params;
    double *whole = w->whole + i * w->n_measures;
    cairn_status status = cairn_cluster_whole(ctx, whole, &w->seen[i], w->codes + i * n, &w->job);
    for (size_t k = i * n; !status && k < (i + 1) * n; k++)
        if (w->codes[k] < 0) w->codes[k] = (int32_t)n;
    r->measured = (cairn_measured){.value = whole[0], .mean = whole[0], .sd = NAN};
    if (!status && w->splits) status = run_splits(ctx, w, i);
    bool unfit = status == CAIRN_USAGE || status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION;
    if (unfit && c->options->lenient) {
        const char *message = cairn_message(ctx);
        return cairn_copy_text(ctx, &r->failure, message, strlen(message));
    }
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "%s on %s", c->learners[i].name, c->data);
    return status;
}

static cairn_status open_contest(cairn_context *ctx, cluster_contest *w, const char *by)
{
    cairn_contest *c = w->c;
    size_t rows = 0, tested = 0;
    for (size_t i = 0; i < c->n_learners; i++)
        w->job.own |= cairn_clusters_own_rows(c->learners[i].params);
    CHECK(choose_measures(ctx, w, c->options->measure));
    w->job.measures = w->measures;
    w->job.n_measures = w->n_measures;
    w->splits = !cairn_same(by, "none");
    if (w->splits) CHECK(cairn_cluster_plan(ctx, &w->plan, by, w->job.table));
    c->n_splits = w->splits ? cairn_plan_splits(&w->plan) : 0;
    for (size_t s = 0; s < c->n_splits; s++) {
        rows += cairn_plan_train_size(&w->plan, s);
        tested += cairn_plan_test_size(&w->plan, s);
    }
    c->share = rows ? (double)tested / (double)rows : 0;
    CHECK(NEW(ctx, &c->results, c->n_learners));
    CHECK(NEW(ctx, &c->splits, cairn_product(c->n_learners, c->n_splits + 1)));
    CHECK(SCRATCH(ctx, &w->whole, cairn_product(c->n_learners, w->n_measures)));
    CHECK(SCRATCH(ctx, &w->seen, c->n_learners));
    return SCRATCH(ctx, &w->codes, cairn_product(c->n_learners, w->job.table->n_rows + 1));
}

/* -- the report -- */

static void show_whole(cairn_report *out, const cluster_contest *w, const char *prefix)
{
    const cairn_contest *c = w->c;
    cairn_report_table_of(out, "Clusters of all rows", (size_t)-1, "lrr", "clusterer", "clusters",
                          "rows in none");
    for (size_t m = 0; m < w->n_measures; m++)
        cairn_report_column(out, w->measures[m]->entry.name, 'r');
    for (size_t i = 0; i < c->n_learners; i++) {
        const char *key = cairn_report_key(out, c->learners[i].name);
        if (c->results[i].failure) continue;
        cairn_report_prefix(out, "%s", prefix);
        cairn_report_cells(out, "- @$1.clusters @$1.without", c->learners[i].name,
                           w->seen[i].n_clusters, w->seen[i].n_without);
        for (size_t m = 0; m < w->n_measures; m++)
            cairn_report_cell_number(out, w->whole[i * w->n_measures + m], 5, "%s%s.%s", prefix,
                                     key, w->measures[m]->entry.name);
    }
}

/* What becomes of the rows that a clusterer leaves out. */
static void note_without(cairn_report *out, const cluster_contest *w)
{
    bool any = false, labelled = false;
    for (size_t i = 0; i < w->c->n_learners; i++) any |= w->seen[i].n_without > 0;
    for (size_t m = 0; m < w->n_measures; m++) labelled |= w->measures[m]->needs_classes;
    if (any)
        cairn_report_note(out, "Rows in no cluster: measures of shape look at the others only%s.",
                          labelled ? "; beside the labelling they count as one more cluster" : "");
}

/* The mean of the ranks within splits; equal values share theirs. Splits without a value of every
 * clusterer do not count. */
static double mean_rank(const cairn_contest *c, size_t i)
{
    double sum = 0, n = 0;
    for (size_t s = 0; s < c->n_splits; s++) {
        double rank = 1, own = c->splits[i * c->n_splits + s];
        bool known = true;
        for (size_t j = 0; j < c->n_learners; j++) {
            double other = c->splits[j * c->n_splits + s];
            if (c->results[j].failure || j == i) continue;
            known = known && !isnan(other);
            rank += c->measure->lower_better ? other < own : other > own;
            rank += other == own ? 0.5 : 0;
        }
        if (!known || isnan(own)) continue;
        sum += rank;
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

static void show_splits(cairn_report *out, const cluster_contest *w, const char *prefix)
{
    const cairn_contest *c = w->c;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < c->n_learners; i++) {
        double value = c->results[i].measured.value;
        if (c->results[i].failure || isnan(value)) continue;
        double top = best == SIZE_MAX ? NAN : c->results[best].measured.value;
        if (best == SIZE_MAX || (c->measure->lower_better ? value < top : value > top)) best = i;
    }
    char title[160];
    snprintf(title, sizeof title, "Over the splits, on %s: %.80s",
             w->job.own ? "rows that are learned from" : "held-out rows", c->measure->entry.name);
    cairn_report_table_of(out, title, (size_t)-1, "lrrr", "clusterer", "mean", "sd", "mean rank");
    for (size_t i = 0; i < c->n_learners; i++) {
        if (c->results[i].failure) continue;
        if (i == best) cairn_report_row_mark(out);
        cairn_report_prefix(out, "%s", prefix);
        cairn_report_cells(out, "- @$1.mean:5 @$1.sd:4 @$1.rank:4", c->learners[i].name,
                           c->results[i].measured.mean, c->results[i].measured.sd, mean_rank(c, i));
    }
    if (best < SIZE_MAX) cairn_report_hidden_word(out, c->learners[best].name, "%sbest", prefix);
}

/* How much the clusterers agree about all rows. */
static cairn_status show_agreement(cairn_context *ctx, cairn_report *out, const cluster_contest *w,
                                   const char *prefix)
{
    const cairn_contest *c = w->c;
    const cairn_entry *entry;
    size_t n = w->job.table->n_rows;
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, "adjusted-rand"));
    cairn_report_table_of(out, "Adjusted Rand index between their clusters", (size_t)-1, "l", "");
    for (size_t i = 0; i < c->n_learners; i++)
        if (!c->results[i].failure) cairn_report_column(out, c->learners[i].name, 'r');
    for (size_t i = 0; i < c->n_learners; i++) {
        if (c->results[i].failure) continue;
        cairn_report_cell(out, c->learners[i].name);
        for (size_t j = 0; j < c->n_learners; j++) {
            cairn_judged judged = {.n = n,
                                   .n_classes = n + 1,
                                   .n_answers = n + 1,
                                   .positive = -1,
                                   .actual = w->codes + i * n,
                                   .predicted = w->codes + j * n};
            double value;
            if (c->results[j].failure) continue;
            CHECK(((const cairn_measure *)entry)->value(ctx, &value, &judged));
            cairn_report_cell_number(out, value, 4, "%s%s-%s.adjusted-rand", prefix,
                                     cairn_report_key(out, c->learners[i].name),
                                     cairn_report_key(out, c->learners[j].name));
        }
    }
    return CAIRN_OK;
}

static cairn_status report_contest(cairn_context *ctx, cairn_report *out, const cluster_contest *w,
                                   double alpha, const char *prefix)
{
    const cairn_contest *c = w->c;
    size_t n = 0;
    const char *distance = NULL;
    for (size_t i = 0; i < c->n_learners; i++) {
        n += !c->results[i].failure;
        if (!c->results[i].failure && !distance) distance = w->seen[i].distance;
    }
    cairn_report_value(out, "rows", (double)w->job.table->n_rows, "%srows", prefix);
    if (distance) cairn_report_word(out, "distance", distance, "%sdistance", prefix);
    if (w->splits) cairn_report_value(out, "splits", (double)c->n_splits, "%ssplits", prefix);
    cairn_report_word(out, "compared by", c->measure->entry.name, "%smeasure", prefix);
    show_whole(out, w, prefix);
    note_without(out, w);
    for (size_t i = 0; i < c->n_learners; i++)
        if (c->results[i].failure)
            cairn_report_note(out, "%s is left out: %s.", c->learners[i].name,
                              c->results[i].failure);
    if (n > 1) CHECK(show_agreement(ctx, out, w, prefix));
    if (!w->splits) return CAIRN_OK;
    show_splits(out, w, prefix);
    if (w->job.own)
        cairn_report_note(out, "One of them has no rule for rows that are held out: all are judged "
                               "on the rows that they learn from.");
    return cairn_contest_tests(ctx, out, c, alpha, prefix);
}

cairn_status cairn_contest_clusters(cairn_context *ctx, cairn_contest *out, cairn_report *report,
                                    const cairn_contestant *learners, size_t n, const char *data,
                                    const cairn_table *table, const cairn_evaluate_how *how,
                                    const char *distance, const cairn_contest_options *options,
                                    double alpha, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_phase_end) cairn_phase phase;
    cluster_contest w = {.c = out, .job = {.table = table, .fit = how->fit, .distance = distance}};
    size_t failed = 0;
    cairn_phase_begin(ctx, &phase, (double)n);
    *out = (cairn_contest){.data = data, .learners = learners, .n_learners = n, .options = options};
    CHECK(open_contest(ctx, &w, how->by));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "clusterers", (double)i, (double)n));
        CHECK(run_clusterer(ctx, &w, i));
        failed += out->results[i].failure != NULL;
    }
    if (failed == n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no clusterer can learn from %s; %s says: %s", data,
                          learners[0].name, out->results[0].failure);
    return report_contest(ctx, report, &w, alpha, prefix);
}
