/* SPDX-License-Identifier: MIT */
/* Clusters judged by their shape and beside a labelling that is known: see clusters.h. Of splits
 * the mean and deviation of their values are told. */
#include "evaluate/clusters.h"
#include "evaluate/glance.h"

#include "base/number.h"
#include "evaluate/cluster_splits.h"
#include "evaluate/measured.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include "plots/silhouette_plot.h"
#include "entry/split.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum { MOST_SHOWN = 30 };

/* -- which measures -- */

typedef struct measure_list {
    const cairn_measure **measures;
    size_t n;
    bool asked; /* by name */
} measure_list;

/* Those that were asked for, or all of clusters. Scratch. */
static cairn_status choose_measures(cairn_context *ctx, measure_list *list, const char *names)
{
    size_t n;
    char **words;
    const cairn_entry *const *entries = cairn_registry(&n);
    *list = (measure_list){.asked = names};
    if (names) {
        CHECK(cairn_list_split(ctx, names, &words, &n));
        CHECK(SCRATCH(ctx, &list->measures, n + 1));
        for (size_t i = 0; i < n; i++) {
            const char *name = words[i];
            const cairn_entry *entry;
            CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
            const cairn_measure *measure = (const cairn_measure *)entry;
            if (measure->task != CAIRN_CLUSTER)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{measure %s} judges %s, and clusters are found", name,
                                  cairn_task_answers(measure->task));
            list->measures[list->n++] = measure;
        }
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &list->measures, n));
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == CAIRN_ENTRY_MEASURE &&
            ((const cairn_measure *)entries[i])->task == CAIRN_CLUSTER)
            list->measures[list->n++] = (const cairn_measure *)entries[i];
    return CAIRN_OK;
}

static bool has_pairs(const measure_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->measures[i]->of_pairs) return true;
    return false;
}

/* -- showing -- */

/* What is told of the rows, beside the measures. */
typedef struct cluster_facts {
    const char *distance, *labelling;
    size_t n_rows, n_clusters, n_without, n_splits;
    size_t n_paired; /* rows that were compared with one another, the most of a split */
    const char *by;
    bool own; /* splits: the rows that are learned from are judged */
} cluster_facts;

static void show_facts(cairn_context *ctx, cairn_report *out, const cluster_facts *f,
                       const char *learner)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_word(out, "learner", learner, "evaluate.learner");
    cairn_report_word(out, "task", "clustering", "evaluate.task");
    if (f->by) cairn_report_word(out, "by", f->by, "evaluate.by");
    cairn_report_value(out, "rows", (double)f->n_rows, "evaluate.rows");
    if (!f->by) cairn_report_value(out, "clusters", (double)f->n_clusters, "clusters");
    if (f->n_without) {
        /* Rows of several splits are counted in each that judges them, so the splits are named. */
        char text[80];
        if (f->n_splits > 1)
            snprintf(text, sizeof text, "%zu in %zu splits together", f->n_without, f->n_splits);
        else
            snprintf(text, sizeof text, "%zu", f->n_without);
        cairn_report_word(out, "rows without a cluster", text, NULL);
        cairn_report_hidden(out, (double)f->n_without, "evaluate.unanswered");
    }
    if (f->distance) cairn_report_word(out, "distance", f->distance, "evaluate.distance");
    if (f->labelling) cairn_report_word(out, "known labelling", f->labelling, "evaluate.labelling");
    cairn_report_value(out, "seed", (double)cairn_context_seed(ctx), "evaluate.seed");
    cairn_report_for(out, before);
}

/* What a measure is about, each in a table of its own. */
typedef enum sort { SHAPE, BESIDE, DENSITY } sort;

static sort sort_of(const cairn_measure *measure)
{
    return measure->of_density ? DENSITY : measure->needs_classes ? BESIDE : SHAPE;
}

/* Some measures are not defined for most learners, and then are not spoken of unasked. */
static bool is_silent(const cairn_measure *measure, const measure_list *list)
{
    return !list->asked && (measure == &cairn_measure_category_utility || measure->of_density);
}

/* The measures of one sort; `values` is splits x measures. */
static void show_measures(cairn_report *out, const char *title, const measure_list *list,
                          sort wanted, const double *values, size_t n_splits)
{
    const char *before = list->asked ? "measure." : "";
    unsigned lengths = cairn_report_only(out, CAIRN_IN_FULL);
    bool any = false, impossible = false;
    for (size_t m = 0; m < list->n; m++) {
        cairn_over_splits seen = cairn_look_over(values + m, list->n, n_splits);
        const cairn_measure *measure = list->measures[m];
        const char *name = measure->entry.name;
        if (sort_of(measure) != wanted || (seen.n == 0 && is_silent(measure, list))) continue;
        if (!any) {
            cairn_report_table_of(out, title, (size_t)-1, "lr", "measure",
                                  n_splits > 1 ? "mean of the splits" : "value");
            if (n_splits > 1) cairn_report_column(out, "sd", 'r');
            if (n_splits > 1 && wanted == DENSITY) cairn_report_column(out, "standard error", 'r');
            cairn_report_column(out, "best", 'r');
        }
        any = true;
        impossible |= isinf(seen.mean) && wanted == DENSITY;
        cairn_report_prefix(out, "%s%s", before, name);
        cairn_report_cells(out, "- @:5 @.sd:4 @.se:4", name,
                           isinf(seen.mean) && wanted == DENSITY ? NAN : seen.mean,
                           cairn_cell_if(n_splits > 1, seen.sd),
                           cairn_cell_if(n_splits > 1 && wanted == DENSITY, seen.sd / sqrt(seen.n)),
                           measure->lower_better                       ? "low"
                           : measure->is_share || measure->at_most_one ? "1"
                                                                       : "high");
    }
    cairn_report_for(out, lengths);
    if (impossible)
        cairn_report_note(out, "Some of these rows are impossible according to their model, so "
                               "that there is no mean; smoothing makes nothing impossible.");
}

/* What a measure tells, in brief; NULL for one that is shown only where it was asked for. */
static const char *glance_of(const cairn_measure *measure)
{
    static const struct {
        const char *name, *says;
    } known[] = {
        {"silhouette", "how much nearer rows are to their own cluster, at most 1"},
        {"davies-bouldin", "spread of clusters beside their distances, low is good"},
        {"adjusted-rand", "agreement with the labelling: 0 by chance, 1 wholly"},
        {"purity", "share of rows that are of the commonest class of their cluster"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (cairn_same(known[i].name, measure->entry.name)) return known[i].says;
    return NULL;
}

/* In brief: the clusters on a line and the measures that most look at, or those asked for. */
static void show_glance(cairn_report *out, const cluster_facts *f, const measure_list *list,
                        const double *values)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(cairn_report_context(out));
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    if (!f->by) cairn_text_addf(&line, "%zu clusters · ", f->n_clusters);
    cairn_text_addf(&line, "%zu rows", f->n_rows);
    if (f->by) cairn_text_add(&line, " · ");
    if (f->by) cairn_add_resampling_words(&line, f->by);
    if (f->distance) cairn_text_addf(&line, " · %s distance", f->distance);
    if (f->labelling) cairn_text_addf(&line, " · beside %s", f->labelling);
    cairn_report_failed(out, cairn_text_status(&line));
    cairn_report_paragraph(out, "%s", cairn_text_string(&line));
    cairn_report_table_of(out, NULL, 0, "lrl", "", "", "");
    for (size_t m = 0; m < list->n; m++) {
        const cairn_measure *measure = list->measures[m];
        const char *says = glance_of(measure);
        double value = cairn_look_over(values + m, list->n, f->n_splits).mean;
        char shown[CAIRN_NUMBER_SIZE];
        if ((!list->asked && !says) || (measure->needs_classes && !f->labelling)) continue;
        (measure->is_share || measure->at_most_one ? cairn_share_shown : cairn_amount_shown)(shown,
                                                                                             value);
        cairn_report_cells(out, NULL, measure->entry.name, shown, says ? says : "");
    }
    cairn_report_more(out, "{full} (all measures) · {stability 20} · {out page.html}");
    cairn_report_for(out, before);
}

/* Says what the numbers are not: which rows were left out or sampled, and what was not compared. */
static void show_notes(cairn_report *out, const cluster_facts *f, const measure_list *list)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL | CAIRN_NOTES);
    if (f->own)
        cairn_report_paragraph(out,
                               "The learner has no rule for rows that are held out: the rows that "
                               "each split learns from are judged, every split by itself.");
    else if (f->n_splits > 1)
        cairn_report_paragraph(out,
                               "The rows of each split are put into the clusters of a model of the "
                               "other rows; clusters of different models do not correspond, so "
                               "every split is measured by itself.");
    if (has_pairs(list) && f->n_paired > CAIRN_MOST_PAIRED)
        cairn_report_note(out,
                          "Silhouette and Dunn index compare every row with every other one: here "
                          "they are those of a sample of %d of %zu rows.",
                          (int)CAIRN_MOST_PAIRED, f->n_paired);
    if (!f->distance)
        cairn_report_note(out,
                          "No distance takes all these columns, so that rows are not compared.");
    if (f->n_without)
        cairn_report_note(out,
                          "%zu row%s no cluster%s: the shape is that of the others; beside the "
                          "labelling they count as a cluster.",
                          f->n_without, f->n_without == 1 ? " has" : "s have",
                          f->n_splits > 1 ? " (a row counts once for every split that judges it)"
                                          : "");
    cairn_report_for(out, before);
}

/* Classes in rows, clusters in columns, where both are few; rows in no cluster have a column of
 * their own behind the others. */
static cairn_status show_table(cairn_context *ctx, cairn_report *out,
                               const cairn_judged_clusters *clusters)
{
    const cairn_judged *j = &clusters->beside;
    size_t k = j->n_answers, n_columns = k + (clusters->n_without > 0);
    double *cells;
    if (!clusters->labelling || j->n_classes > MOST_SHOWN || k > MOST_SHOWN) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &cells, (j->n_classes + 1) * (k + 1)));
    for (size_t i = 0; i < j->n; i++) {
        size_t column = j->predicted[i] >= 0 ? (size_t)j->predicted[i] : k;
        if (j->actual[i] >= 0)
            cells[(size_t)j->actual[i] * (k + 1) + column] += cairn_judged_weight(j, i);
    }
    ptrdiff_t at = cairn_table_find(clusters->table, clusters->labelling);
    const cairn_map *names = &clusters->table->slots[at].column->names;
    cairn_report_table_of(out, "Classes (rows) and clusters (columns)", 0, "l",
                          clusters->labelling);
    for (size_t c = 0; c < k; c++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", c + 1);
        cairn_report_column(out, number, 'r');
    }
    if (n_columns > k) cairn_report_column(out, "(none)", 'r');
    for (size_t a = 0; a < j->n_classes; a++) {
        const char *key = cairn_report_key(out, cairn_map_key(names, a));
        cairn_report_cells(out, "- rows.$1.$n", cairn_map_key(names, a),
                           cairn_cell_row(cells + a * (k + 1), k));
        if (n_columns > k)
            cairn_report_cell_number(out, cells[a * (k + 1) + k], 0, "rows.%s.none", key);
    }
    return CAIRN_OK;
}

/* Of few rows the silhouettes one by one, on pages; `cairn draw silhouettes` draws those of any. */
static cairn_status show_silhouettes(cairn_context *ctx, cairn_report *out,
                                     const cairn_judged_clusters *clusters,
                                     const measure_list *list)
{
    enum { MOST_ROWS = 5000 };
    const cairn_judged *j = &clusters->shape;
    cairn_figure *figure = NULL;
    cairn_silhouettes s;
    const char **names;
    int32_t *codes;
    if (list->asked || j->n > MOST_ROWS) return CAIRN_OK;
    CHECK(cairn_silhouettes_of(ctx, &s, j, NULL));
    if (s.n_used < 2 || isnan(s.mean)) return CAIRN_OK;
    CHECK(cairn_read_names(ctx, &names, NULL, s.n_clusters, "clusters", ""));
    CHECK(SCRATCH(ctx, &codes, s.n + 1));
    for (size_t i = 0; i < s.n; i++) codes[i] = j->predicted[s.rows[i]];
    CHECK(cairn_silhouette_plot(ctx, &figure, &s, codes, names, NULL, "Silhouettes"));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- one model, all rows -- */

static cairn_status measure_each(cairn_context *ctx, double *values, const measure_list *list,
                                 const cairn_judged_clusters *clusters)
{
    for (size_t m = 0; m < list->n; m++)
        CHECK(cairn_measure_clusters(ctx, &values[m], list->measures[m], clusters));
    return CAIRN_OK;
}

static cairn_status need_labelling(cairn_context *ctx, const measure_list *list, bool known)
{
    for (size_t m = 0; list->asked && !known && m < list->n; m++)
        if (list->measures[m]->needs_classes)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{measure %s} compares clusters with a labelling that is known; name "
                              "its column with {target}",
                              list->measures[m]->entry.name);
    return CAIRN_OK;
}

cairn_status cairn_evaluate_clusters(cairn_context *ctx, cairn_report *out,
                                     const cairn_model *model, const cairn_table *table,
                                     const cairn_clusters_options *options)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_judged_clusters clusters = {0};
    measure_list list;
    double *values;
    size_t used;
    TRY(choose_measures(ctx, &list, options->measures));
    TRY(cairn_judged_clusters_of(ctx, &clusters, model, table, cairn_all_rows(table),
                                 options->distance, has_pairs(&list)));
    TRY(need_labelling(ctx, &list, clusters.labelling));
    TRY(SCRATCH(ctx, &values, list.n + 1));
    TRY(measure_each(ctx, values, &list, &clusters));
    TRY(cairn_judged_used(ctx, &used, &clusters.shape));
    cluster_facts facts = {.distance = clusters.distance,
                           .labelling = clusters.labelling,
                           .n_rows = table->n_rows,
                           .n_clusters = used,
                           .n_without = clusters.n_without,
                           .n_splits = 1,
                           .n_paired = clusters.shape.n};
    show_facts(ctx, out, &facts, cairn_model_learner(model));
    show_glance(out, &facts, &list, values);
    show_measures(out, "How probable the rows are", &list, DENSITY, values, 1);
    show_measures(out, "Shape of the clusters", &list, SHAPE, values, 1);
    if (clusters.labelling)
        show_measures(out, "Beside the known labelling", &list, BESIDE, values, 1);
    TRY(show_table(ctx, out, &clusters));
    TRY(show_silhouettes(ctx, out, &clusters, &list));
    show_notes(out, &facts, &list);
done:
    cairn_judged_clusters_clear(&clusters);
    cairn_scratch_release(ctx, mark);
    return status ? status : cairn_report_status(out);
}

/* -- splits -- */

static cairn_status evaluate_splits(cairn_context *ctx, cairn_report *out,
                                    const cairn_cluster_job *job, const char *by,
                                    const measure_list *list)
{
    ptrdiff_t target = cairn_table_role_column(job->table, CAIRN_TARGET);
    cairn_plan plan;
    cairn_clusters_seen *seen;
    double *values;
    CHECK(cairn_cluster_plan(ctx, &plan, by, job->table));
    size_t n = cairn_plan_splits(&plan);
    CHECK(SCRATCH(ctx, &values, cairn_product(n + 1, list->n)));
    CHECK(SCRATCH(ctx, &seen, n + 1));
    CHECK(cairn_cluster_splits(ctx, values, seen, job, &plan));
    cluster_facts facts = {.distance = seen[0].distance,
                           .labelling = seen[0].labelled ? job->table->slots[target].name : NULL,
                           .n_rows = job->table->n_rows,
                           .n_splits = n,
                           .by = by,
                           .own = job->own};
    for (size_t s = 0; s < n; s++) {
        facts.n_without += seen[s].n_without;
        facts.n_paired = seen[s].n > facts.n_paired ? seen[s].n : facts.n_paired;
    }
    show_facts(ctx, out, &facts, job->params->entry->name);
    show_glance(out, &facts, list, values);
    show_measures(out, "How probable held-out rows are", list, DENSITY, values, n);
    show_measures(out,
                  job->own ? "Shape of the clusters of rows that are learned from"
                           : "Shape of the clusters of held-out rows",
                  list, SHAPE, values, n);
    if (facts.labelling) show_measures(out, "Beside the known labelling", list, BESIDE, values, n);
    show_notes(out, &facts, list);
    return CAIRN_OK;
}

cairn_status cairn_evaluate_clusterer(cairn_context *ctx, cairn_report *out,
                                      const cairn_params *params, const cairn_table *table,
                                      const cairn_clusters_options *options)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_model_free) cairn_model *model = NULL;
    measure_list list;
    bool known = cairn_table_role_column(table, CAIRN_TARGET) >= 0;
    CHECK(cairn_params_check(ctx, params));
    CHECK(choose_measures(ctx, &list, options->measures));
    CHECK(need_labelling(ctx, &list, known));
    cairn_cluster_job job = {.params = params,
                             .table = table,
                             .fit = options->fit,
                             .distance = options->distance,
                             .measures = list.measures,
                             .n_measures = list.n,
                             .own = cairn_clusters_own_rows(params)};
    if (options->by) {
        CHECK(evaluate_splits(ctx, out, &job, options->by, &list));
    } else {
        CHECK(cairn_model_fit(ctx, &model, params, table, options->fit));
        CHECK(cairn_evaluate_clusters(ctx, out, model, table, options));
    }
    if (options->stability) CHECK(cairn_cluster_stability(ctx, out, &job, options->stability));
    return cairn_report_status(out);
}
