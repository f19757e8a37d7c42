/* SPDX-License-Identifier: MIT */
/* A clusterer on all rows, or on splits of them: see cluster_splits.h. */
#include "evaluate/cluster_splits.h"

#include "base/memory.h"
#include "data/shape.h"

#include <math.h>
#include <string.h>

bool cairn_clusters_own_rows(const cairn_params *params)
{
    return !((const cairn_learner *)params->entry)->predict;
}

cairn_status cairn_cluster_plan(cairn_context *ctx, cairn_plan *out, const char *by,
                                const cairn_table *table)
{
    uint32_t *rows;
    ptrdiff_t time = cairn_time_column(table);
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) rows[i] = (uint32_t)i;
    cairn_plan_job job = {.n = table->n_rows, .rows = rows};
    if (time >= 0) job.times = table->slots[time].column->numbers;
    return cairn_plan_make(ctx, out, by, job);
}

/* -- parts of tables -- */

/* The columns of rows that are not kept, last first. */
static void drop_columns(cairn_table *part, const bool *kept, size_t n_rows)
{
    size_t place = n_rows;
    for (size_t c = part->n_columns; c-- > 0;)
        if (part->slots[c].role == CAIRN_FEATURE && place > 0 && !kept[--place])
            cairn_table_take_out(part, c);
    cairn_table_close_gaps(part);
}

cairn_status cairn_cluster_part(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                cairn_rows rows)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *part = NULL;
    uint32_t *list;
    bool *kept;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &kept, table->n_rows + 1));
    CHECK(SCRATCH_RAW(ctx, &list, table->n_rows + 1));
    for (size_t i = 0; i < rows.n; i++) kept[rows.indices ? rows.indices[i] : i] = true;
    for (size_t i = 0; i < table->n_rows; i++)
        if (kept[i]) list[n++] = (uint32_t)i;
    CHECK(cairn_table_take_rows(ctx, &part, table, list, n));
    part->shape = table->shape;
    if (table->shape == CAIRN_SHAPE_DISTANCES &&
        cairn_table_role_count(table, CAIRN_FEATURE) == table->n_rows)
        drop_columns(part, kept, table->n_rows);
    *out = TAKE(part);
    return CAIRN_OK;
}

/* -- judging -- */

static cairn_status look_at_clusters(cairn_context *ctx, double *values, cairn_clusters_seen *seen,
                                     const cairn_cluster_job *job,
                                     const cairn_judged_clusters *clusters)
{
    *seen = (cairn_clusters_seen){.n = clusters->beside.n,
                                  .n_without = clusters->n_without,
                                  .distance = clusters->distance,
                                  .labelled = clusters->labelling};
    CHECK(cairn_judged_used(ctx, &seen->n_clusters, &clusters->shape));
    for (size_t m = 0; m < job->n_measures; m++)
        CHECK(cairn_measure_clusters(ctx, &values[m], job->measures[m], clusters));
    return CAIRN_OK;
}

static bool has_pairs(const cairn_cluster_job *job)
{
    for (size_t m = 0; m < job->n_measures; m++)
        if (job->measures[m]->of_pairs) return true;
    return false;
}

cairn_status cairn_cluster_whole(cairn_context *ctx, double *values, cairn_clusters_seen *seen,
                                 int32_t *codes, const cairn_cluster_job *job)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_judged_clusters_clear) cairn_judged_clusters clusters = {0};
    OWNED(cairn_model_free) cairn_model *model = NULL;
    CHECK(cairn_model_fit(ctx, &model, job->params, job->table, job->fit));
    CHECK(cairn_judged_clusters_of(ctx, &clusters, model, job->table, cairn_all_rows(job->table),
                                   job->distance, has_pairs(job)));
    if (codes) memcpy(codes, clusters.prediction.codes, job->table->n_rows * sizeof *codes);
    return look_at_clusters(ctx, values, seen, job, &clusters);
}

/* -- splits -- */

typedef struct split_work {
    const cairn_cluster_job *job;
    double *values;
    cairn_clusters_seen *seen;
} split_work;

/* Fitted to some rows: judged on these, as a table of their own, or on others. */
static cairn_status judge_rows(cairn_context *ctx, const split_work *w, size_t split,
                               const cairn_cluster_job *job, cairn_rows train, cairn_rows test)
{
    SCOPED(cairn_judged_clusters_clear) cairn_judged_clusters clusters = {0};
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    double *values = w->values + split * job->n_measures;
    if (job->own) {
        cairn_cluster_job own = *job;
        CHECK(cairn_cluster_part(ctx, &part, job->table, train));
        own.table = part;
        return cairn_cluster_whole(ctx, values, &w->seen[split], NULL, &own);
    }
    CHECK(cairn_model_fit_rows(ctx, &model, job->params, job->table, train, job->fit));
    CHECK(cairn_judged_clusters_of(ctx, &clusters, model, job->table, test, job->distance,
                                   has_pairs(job)));
    return look_at_clusters(ctx, values, &w->seen[split], job, &clusters);
}

static cairn_status judge_split(cairn_context *ctx, void *data, size_t split, cairn_rows train,
                                cairn_rows test)
{
    const split_work *w = data;
    cairn_cluster_job job = *w->job;
    cairn_fit_options fit;
    SCOPED(cairn_settings_clear) cairn_settings settings = {0};
    CHECK(cairn_fit_options_full(ctx, &fit, job.fit));
    if (job.choose) {
        CHECK(job.choose(ctx, job.choose_data, job.table, train, split, &settings));
        job.params = settings.params;
        fit.with = NULL;
        fit.transforms = settings.transforms;
    }
    job.fit = &fit;
    return judge_rows(ctx, w, split, &job, train, test);
}

cairn_status cairn_cluster_splits(cairn_context *ctx, double *values, cairn_clusters_seen *seen,
                                  const cairn_cluster_job *job, const cairn_plan *plan)
{
    size_t n = cairn_plan_splits(plan);
    split_work work = {job, values, seen};
    for (size_t i = 0; i < n * job->n_measures; i++) values[i] = NAN;
    for (size_t s = 0; s < n; s++) seen[s] = (cairn_clusters_seen){0};
    return cairn_plan_each(ctx, plan, job->choose != NULL, judge_split, &work);
}
