/* SPDX-License-Identifier: MIT */
/* Running a contest.
 *
 * The splits depend on the seed, the rows and the classes only, so every learner meets the same
 * ones and their results can be compared split by split. Beside the splits each learner is fitted
 * to all rows once, for the size of its model and, where they are wanted, time and memory. Noise
 * and gaps are put in front of the transforms: they stand for badly measured data. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "evaluate/cluster_splits.h"
#include "evaluate/compare.h"
#include "model/task.h"
#include "model/traits.h"
#include "report/table_rows.h"
#include "stats/significance.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Contests of clusterers: see compare.h. Values of one split are comparable, since all clusterers
 * see the same rows; so ranks are taken within splits, and pairs are tested over them as those of
 * other learners are. */

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
    CHECK(SCRATCH_EACH(ctx, c->n_splits + 1, &seen, &known));
    CHECK(cairn_cluster_splits(ctx, values, seen, &one, &w->plan));
    for (size_t s = 0; s < c->n_splits; s++)
        if (!isnan(values[s])) known[n++] = values[s];
    cairn_t_test_of(&t, known, n, c->share, 0.95);
    c->results[i].measured = (cairn_measured){.value = t.mean, .mean = t.mean, .sd = t.deviation};
    return CAIRN_OK;
}

/* Where the contest is lenient, a clusterer that cannot take the data is noted and left out;
 * other errors end the contest. */
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

/* If one clusterer has no rule for new rows, all are judged on the rows that they learn from. */
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

/* The best value is marked, the first of equals; failures and missing values never are. */
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

/* Agreement needs two clusterers that did not fail; ranks and tests need splits. */
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
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_value(out, "rows", (double)w->job.table->n_rows, "%srows", prefix);
    if (distance) cairn_report_word(out, "distance", distance, "%sdistance", prefix);
    if (w->splits) cairn_report_value(out, "splits", (double)c->n_splits, "%ssplits", prefix);
    cairn_report_word(out, "compared by", c->measure->entry.name, "%smeasure", prefix);
    if (!w->splits) cairn_report_for(out, before);
    show_whole(out, w, prefix);
    cairn_report_for(out, before);
    note_without(out, w);
    for (size_t i = 0; i < c->n_learners; i++)
        if (c->results[i].failure)
            cairn_report_note(out, "%s is left out: %s.", c->learners[i].name,
                              c->results[i].failure);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    if (n > 1) CHECK(show_agreement(ctx, out, w, prefix));
    cairn_report_for(out, before);
    if (!w->splits) return CAIRN_OK;
    show_splits(out, w, prefix);
    if (w->job.own)
        cairn_report_note(out, "One of them has no rule for rows that are held out: all are judged "
                               "on the rows that they learn from.");
    CHECK(cairn_contest_tests(ctx, out, c, alpha, prefix));
    (void)cairn_report_only(out, CAIRN_IN_BRIEF); /* the verdict comes first */
    show_whole(out, w, prefix);
    cairn_report_for(out, before);
    return CAIRN_OK;
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

enum { MOST_TIMED = 20, GROWTH_STEPS = 4, LEAST_GROWTH_ROWS = 16 };
#define LEAST_SECONDS 0.05 /* short fits are repeated for so long */

void cairn_contest_clear(cairn_contest *c)
{
    for (size_t i = 0; c->results && i < c->n_learners; i++) {
        cairn_evaluation_clear(&c->results[i].evaluation);
        cairn_free(c->results[i].failure);
        cairn_curve_clear(&c->results[i].curve);
    }
    FREE_EACH(c->results, c->splits);
    *c = (cairn_contest){0};
}

/* -- a model of all rows -- */

typedef struct whole_work {
    const cairn_params *params;
    const cairn_table *table;
    const cairn_fit_options *fit;
} whole_work;

static cairn_status fit_whole(cairn_context *ctx, cairn_model **out, const whole_work *w,
                              cairn_rows rows)
{
    cairn_log_function log = ctx->log;
    ctx->log = NULL; /* the splits have been warned about already */
    cairn_status status = cairn_model_fit_rows(ctx, out, w->params, w->table, rows, w->fit);
    ctx->log = log;
    return status;
}

/* Seconds of a fit to some rows, the least of several when it is short. */
static cairn_status time_fit(cairn_context *ctx, double *out, const whole_work *w, cairn_rows rows)
{
    double total = 0;
    *out = INFINITY;
    for (int i = 0; i < MOST_TIMED && total < LEAST_SECONDS; i++) {
        cairn_model *model = NULL;
        double begun = cairn_seconds();
        CHECK(fit_whole(ctx, &model, w, rows));
        double seconds = cairn_seconds() - begun;
        cairn_model_free(model);
        *out = fmin(*out, seconds);
        total += seconds;
    }
    return CAIRN_OK;
}

static cairn_status time_predict(cairn_context *ctx, double *out, const cairn_model *model,
                                 const cairn_table *table)
{
    double total = 0;
    *out = INFINITY;
    for (int i = 0; i < MOST_TIMED && total < LEAST_SECONDS; i++) {
        cairn_prediction p = {0};
        cairn_match match = {0};
        cairn_predict_wants wants = {0};
        double begun = cairn_seconds();
        CHECK(
            cairn_model_predict_rows(ctx, &p, model, table, cairn_all_rows(table), wants, &match));
        double seconds = cairn_seconds() - begun;
        cairn_prediction_clear(&p);
        *out = fmin(*out, seconds);
        total += seconds;
    }
    return CAIRN_OK;
}

/* The exponent b of seconds = a rows^b: the slope of the logarithms over an eighth, a quarter, half
 * and all of the rows, which are drawn at random. */
static cairn_status measure_growth(cairn_context *ctx, double *out, const whole_work *w,
                                   double whole_seconds)
{
    size_t n = w->table->n_rows, *order, used = 0;
    uint32_t *rows;
    cairn_random random;
    double x[GROWTH_STEPS], y[GROWTH_STEPS], xm = 0, ym = 0, xy = 0, xx = 0;
    *out = NAN;
    if (n / 8 < LEAST_GROWTH_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, n, &order, &rows));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0x6707) << 32);
    cairn_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)order[i];
    for (int step = 0; step < GROWTH_STEPS; step++) {
        size_t some = n >> (GROWTH_STEPS - 1 - step);
        double seconds = whole_seconds;
        if (some < n) CHECK(time_fit(ctx, &seconds, w, (cairn_rows){rows, some, NULL}));
        if (!(seconds > 0)) continue; /* faster than the clock */
        x[used] = cairn_log((double)some);
        y[used++] = cairn_log(seconds);
    }
    if (used < 2) return CAIRN_OK;
    for (size_t i = 0; i < used; i++) xm += x[i] / (double)used, ym += y[i] / (double)used;
    for (size_t i = 0; i < used; i++) {
        xy += (x[i] - xm) * (y[i] - ym);
        xx += (x[i] - xm) * (x[i] - xm);
    }
    *out = xy / xx;
    return CAIRN_OK;
}

/* One model of all rows for size, bytes and peak memory; times come from further fits, as what
 * the first one allocates and reads would count. */
static cairn_status look_at_whole(cairn_context *ctx, cairn_contest_result *r, const whole_work *w,
                                  const cairn_contest_options *o)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_string_free) char *bytes = NULL;
    size_t length, before = cairn_memory_in_use(ctx);
    cairn_memory_reset_peak(ctx);
    CHECK(fit_whole(ctx, &model, w, cairn_all_rows(w->table)));
    r->peak_bytes = (double)(cairn_memory_peak(ctx) - before);
    r->size = cairn_model_size_of(model);
    if (model->learner->pieces) {
        r->pieces = model->learner->pieces(model->state);
        r->pieces_name = model->learner->pieces_name;
    }
    CHECK(cairn_model_save_memory(ctx, model, &bytes, &length));
    r->bytes = (double)length;
    if (!o->timings) return CAIRN_OK;
    CHECK(time_fit(ctx, &r->fit_seconds, w, cairn_all_rows(w->table)));
    CHECK(time_predict(ctx, &r->predict_seconds, model, w->table));
    if (o->growth) CHECK(measure_growth(ctx, &r->growth, w, r->fit_seconds));
    return CAIRN_OK;
}

/* -- disturbed rows -- */

/* The measure when a transform with these settings comes before all others. */
static cairn_status measure_disturbed(cairn_context *ctx, double *out, const cairn_contest *c,
                                      const cairn_params *params, const cairn_table *table,
                                      const cairn_evaluate_how *how, const char *name,
                                      const cairn_setting *sets)
{
    cairn_status status;
    cairn_evaluation e = {0};
    cairn_params *all = NULL, *behind;
    cairn_evaluate_how disturbed = *how;
    cairn_log_function log = ctx->log;
    cairn_fit_options fit = *how->fit;
    TRY(cairn_params_from_spec(ctx, &all, CAIRN_ENTRY_TRANSFORM, name));
    for (; sets->name; sets++) TRY(cairn_params_set(ctx, all, sets->name, sets->value));
    TRY(cairn_params_append_specs(ctx, &all, CAIRN_ENTRY_TRANSFORM, fit.with));
    TRY(cairn_params_copy_list(ctx, &behind, fit.transforms));
    cairn_params_append(&all, behind);
    fit.with = NULL;
    fit.transforms = all;
    disturbed.fit = &fit;
    disturbed.training = CAIRN_TRAINING_NO;
    disturbed.splits_out = NULL;
    ctx->log = NULL; /* the splits have been warned about already */
    TRY(cairn_evaluate_learner(ctx, &e, params, table, &disturbed));
    cairn_judged judged = cairn_evaluation_judged(&e);
    TRY(c->measure->value(ctx, out, &judged));
done:
    ctx->log = log;
    cairn_evaluation_clear(&e);
    cairn_params_free(all);
    return status;
}

/* Each kind of noise is a transform put before the learner and judged on the same splits, so the
 * loss can be compared with the undisturbed value. */
static cairn_status disturb(cairn_context *ctx, cairn_contest_result *r, const cairn_contest *c,
                            const cairn_params *params, const cairn_table *table,
                            const cairn_evaluate_how *how)
{
    const cairn_contest_options *o = c->options;
    const char *rows = o->disturb ? o->disturb : "all";
    char amount[CAIRN_NUMBER_SIZE], share[CAIRN_NUMBER_SIZE];
    if (o->noise > 0) {
        cairn_number_format(amount, o->noise, 17);
        cairn_number_format(share, fmin(1, o->noise), 17);
        CHECK(measure_disturbed(
            ctx, &r->noise, c, params, table, how, "noise",
            (const cairn_setting[]){
                {"sd", amount}, {"relative", "yes"}, {"levels", share}, {"rows", rows}, {0}}));
    }
    if (o->label_noise > 0) {
        if (c->measure->task != CAIRN_CLASSIFY)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{label-noise} gives rows a wrong class, and numbers are predicted"));
        cairn_number_format(amount, o->label_noise, 17);
        CHECK(measure_disturbed(ctx, &r->label_noise, c, params, table, how, "flip",
                                (const cairn_setting[]){{"share", amount}, {0}}));
    }
    if (o->missing > 0) {
        cairn_number_format(amount, o->missing, 17);
        CHECK(measure_disturbed(ctx, &r->missing, c, params, table, how, "blank",
                                (const cairn_setting[]){{"share", amount}, {"rows", rows}, {0}}));
    }
    return CAIRN_OK;
}

/* -- one learner -- */

static cairn_status check_measure(cairn_context *ctx, const cairn_contest *c, size_t i)
{
    const cairn_evaluation *e = &c->results[i].evaluation;
    if (e->task != c->measure->task)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s does not predict the same kind of thing as the others; {task "
                          "classify} or {task regress} settles it",
                          c->learners[i].name);
    if (c->measure->needs_scores && !e->scores)
        return cairn_fail(ctx, CAIRN_USAGE, "{measure %s} needs scores, and %s gives none",
                          c->measure->entry.name, c->learners[i].name);
    return CAIRN_OK;
}

/* What the answers of a learner cost, where costs are given. */
static cairn_status count_costs(cairn_context *ctx, cairn_contest *c, cairn_contest_result *r)
{
    const double *costs;
    cairn_judged judged = cairn_evaluation_judged(&r->evaluation);
    CHECK(cairn_evaluation_costs(ctx, &costs, &r->evaluation, &c->options->costs));
    r->cost = (cairn_cost){NAN, NAN, NAN, NAN, 0};
    if (!costs) return CAIRN_OK;
    c->has_costs = true;
    return cairn_judged_cost(ctx, &r->cost, &judged, costs);
}

/* The first learner settles measure, number of splits and share for all; warnings about splits
 * are told with it alone. */
static cairn_status judge_learner(cairn_context *ctx, cairn_contest *c, size_t i,
                                  const cairn_table *table, const cairn_evaluate_how *how)
{
    cairn_status status;
    cairn_contest_result *r = &c->results[i];
    const cairn_params *params = c->learners[i].params;
    cairn_log_function log = ctx->log;
    cairn_evaluate_how judged = *how;
    cairn_split_visit visit = cairn_curve_visit(&r->curve);
    judged.judge = &c->options->costs;
    if (c->options->learning_curve) {
        TRY(cairn_curve_parse(ctx, &r->curve, c->options->learning_curve));
        judged.visits = &visit;
        judged.n_visits = 1;
    }
    if (c->measure) ctx->log = NULL; /* the splits are those of the first learner */
    status = cairn_evaluate_learner(ctx, &r->evaluation, params, table, &judged);
    ctx->log = log;
    if (status) goto done;
    if (!c->measure) {
        const cairn_evaluation *e = &r->evaluation;
        TRY(cairn_measure_get(ctx, &c->measure, c->options->measure, e));
        c->n_splits = e->n_splits;
        c->share = e->share;
        TRY(NEW(ctx, &c->splits, cairn_product(c->n_learners, c->n_splits)));
    }
    TRY(check_measure(ctx, c, i));
    TRY(cairn_measure_all(ctx, &r->measured, c->measure, &r->evaluation,
                          c->splits + i * c->n_splits));
    r->training = cairn_measured_training(&r->evaluation, c->measure);
    TRY(count_costs(ctx, c, r));
    TRY(disturb(ctx, r, c, params, table, how));
    cairn_fit_options fit = *how->fit;
    fit.command = NULL; /* whose length would count as size of the model */
    whole_work work = {params, table, &fit};
    TRY(look_at_whole(ctx, r, &work, c->options));
done:
    return status;
}

/* What a learner cannot do is kept as a reason when others go on. */
static cairn_status run_learner(cairn_context *ctx, cairn_contest *c, size_t i,
                                const cairn_table *table, const cairn_evaluate_how *how)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_contest_result *r = &c->results[i];
    *r = (cairn_contest_result){.size = {.parameters = NAN},
                                .pieces = NAN,
                                .bytes = NAN,
                                .noise = NAN,
                                .label_noise = NAN,
                                .missing = NAN,
                                .fit_seconds = NAN,
                                .predict_seconds = NAN,
                                .peak_bytes = NAN,
                                .growth = NAN};
    cairn_status status = judge_learner(ctx, c, i, table, how);
    cairn_scratch_release(ctx, mark);
    bool unfit = status == CAIRN_USAGE || status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION;
    if (unfit && c->options->lenient) {
        const char *message = cairn_message(ctx);
        cairn_evaluation_clear(&r->evaluation);
        return cairn_copy_text(ctx, &r->failure, message, strlen(message));
    }
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "%s on %s", c->learners[i].name, c->data);
    return status;
}

cairn_status cairn_contest_run(cairn_context *ctx, cairn_contest *out,
                               const cairn_contestant *learners, size_t n, const char *data,
                               const cairn_table *table, const cairn_evaluate_how *how,
                               const cairn_contest_options *options)
{
    cairn_status status;
    size_t failed = 0;
    SCOPED(cairn_phase_end) cairn_phase phase;
    cairn_phase_begin(ctx, &phase, (double)n);
    *out = (cairn_contest){.data = data, .learners = learners, .n_learners = n, .options = options};
    TRY(NEW(ctx, &out->results, n));
    for (size_t i = 0; i < n; i++) {
        TRY(cairn_tick(ctx, "learners", (double)i, (double)n));
        TRY(run_learner(ctx, out, i, table, how));
        failed += out->results[i].failure != NULL;
    }
    if (failed == n)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "no learner can learn from %s; %s says: %s", data,
                       learners[0].name, out->results[0].failure));
done:
    if (status) cairn_contest_clear(out);
    return status;
}

/* -- the predictions as a table -- */

/* Of two classes only the positive score is kept, as the other is 1 minus it. */
static cairn_status add_predictions(cairn_context *ctx, cairn_table *table, const char *learner,
                                    const cairn_evaluation *e, const char **classes)
{
    char *name;
    double *scores;
    size_t k = e->classes.n;
    if (e->task == CAIRN_REGRESS)
        return cairn_table_put_numbers(ctx, table, learner, e->predicted_number);
    CHECK(cairn_table_add_levels(ctx, table, learner, e->predicted, classes, k));
    CHECK(SCRATCH(ctx, &scores, e->n + 1));
    for (size_t c = 0; e->scores && c < k; c++) {
        if (e->positive >= 0 && c != (size_t)e->positive) continue; /* says the same */
        CHECK(cairn_score_head(ctx, &name, learner, e->probabilities, classes[c]));
        for (size_t i = 0; i < e->n; i++) scores[i] = e->scores[i * k + c];
        CHECK(cairn_table_put_numbers(ctx, table, name, scores));
    }
    return CAIRN_OK;
}

cairn_status cairn_contest_table(cairn_context *ctx, cairn_table **out, const cairn_contest *c)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char **classes = NULL;
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_evaluation *e = &c->results[i].evaluation;
        if (c->results[i].failure) continue;
        if (!table) {
            double *numbers;
            CHECK(SCRATCH(ctx, &numbers, e->n + 1));
            CHECK(SCRATCH(ctx, &classes, e->classes.n + 1));
            for (size_t k = 0; k < e->classes.n; k++) classes[k] = cairn_map_key(&e->classes, k);
            CHECK(cairn_table_new(ctx, &table, e->n));
            for (size_t r = 0; r < e->n; r++) numbers[r] = (double)e->rows[r] + 1;
            CHECK(cairn_table_put_numbers(ctx, table, "row", numbers));
            for (size_t s = 0; s < e->n_splits; s++)
                for (size_t r = e->starts[s]; r < e->starts[s + 1]; r++) numbers[r] = (double)s + 1;
            CHECK(cairn_table_put_numbers(ctx, table, "split", numbers));
            if (e->task == CAIRN_CLASSIFY)
                CHECK(
                    cairn_table_add_levels(ctx, table, "actual", e->actual, classes, e->classes.n));
            else
                CHECK(cairn_table_put_numbers(ctx, table, "actual", e->actual_number));
        }
        CHECK(add_predictions(ctx, table, c->learners[i].name, e, classes));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}
