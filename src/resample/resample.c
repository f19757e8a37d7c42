/* SPDX-License-Identifier: MIT */
/* Plans: what all resamplings share.
 *
 * Folds are dealt like cards: rows are shuffled (stream 0 of the seed, one stream per repeat), laid
 * out class by class, and dealt in turn. So fold sizes differ by at most one, and so do the numbers
 * of each class in them. Groups are dealt whole, each to the smallest fold so far. */
#include "resample/resample.h"
#include "base/memory.h"
#include "base/random.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cairn_plan_splits(const cairn_plan *plan)
{
    return plan->n_repeats * plan->n_tested;
}

/* What the plan does with row i in one split: how often it is trained on, and whether it is
 * tested. */
static bool is_tested(const cairn_plan *plan, int32_t fold, int32_t wanted)
{
    return plan->draws ? fold == 0 : fold == wanted;
}

static size_t times_trained(const cairn_plan *plan, int32_t fold, int32_t wanted)
{
    if (plan->draws) return (size_t)fold;
    return fold != wanted && fold >= 0;
}

static const int32_t *folds_of(const cairn_plan *plan, size_t split, int32_t *wanted)
{
    *wanted = (int32_t)(split % plan->n_tested);
    return plan->folds + split / plan->n_tested * plan->n;
}

size_t cairn_plan_test_size(const cairn_plan *plan, size_t split)
{
    int32_t wanted;
    const int32_t *folds = folds_of(plan, split, &wanted);
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) n += is_tested(plan, folds[i], wanted);
    return n;
}

size_t cairn_plan_train_size(const cairn_plan *plan, size_t split)
{
    int32_t wanted;
    const int32_t *folds = folds_of(plan, split, &wanted);
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) n += times_trained(plan, folds[i], wanted);
    return n;
}

cairn_status cairn_plan_split(cairn_context *ctx, const cairn_plan *plan, size_t split,
                              cairn_rows *train, cairn_rows *test)
{
    uint32_t *in, *out;
    int32_t wanted;
    const int32_t *folds = folds_of(plan, split, &wanted);
    size_t a = 0, b = 0;
    CHECK(SCRATCH_RAW(ctx, &in, cairn_plan_train_size(plan, split) + 1));
    CHECK(SCRATCH_RAW(ctx, &out, cairn_plan_test_size(plan, split) + 1));
    for (size_t i = 0; i < plan->n; i++) {
        if (is_tested(plan, folds[i], wanted)) out[b++] = plan->rows[i];
        for (size_t t = times_trained(plan, folds[i], wanted); t > 0; t--) in[a++] = plan->rows[i];
    }
    *train = (cairn_rows){in, a, NULL};
    *test = (cairn_rows){out, b, NULL};
    return CAIRN_OK;
}

typedef struct each_split {
    const cairn_plan *plan;
    cairn_split_function function;
    void *data;
} each_split;

static cairn_status do_split(cairn_context *ctx, const each_split *work, size_t split)
{
    SCOPED_SCRATCH(ctx);
    cairn_rows train, test;
    CHECK(cairn_plan_split(ctx, work->plan, split, &train, &test));
    if (test.n == 0) return CAIRN_OK; /* a bootstrap of few rows may draw them all */
    return work->function(ctx, work->data, split, train, test);
}

/* A split as a task of its own: ticked, silenced, and named where it fails. */
static cairn_status run_split(cairn_context *ctx, void *data, size_t split)
{
    const each_split *work = data;
    cairn_log_function log = ctx->log;
    CHECK(cairn_tick(ctx, "splits", (double)split, (double)cairn_plan_splits(work->plan)));
    ctx->log = NULL;
    cairn_status status = do_split(ctx, work, split);
    ctx->log = log;
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "split %zu", split + 1);
    return status;
}

cairn_status cairn_plan_each(cairn_context *ctx, const cairn_plan *plan, bool in_turn,
                             cairn_split_function function, void *data)
{
    each_split work = {plan, function, data};
    size_t n = cairn_plan_splits(plan);
    if (!in_turn) return cairn_tasks(ctx, n, run_split, &work);
    SCOPED(cairn_phase_end) cairn_phase phase;
    cairn_phase_begin(ctx, &phase, (double)n);
    for (size_t s = 0; s < n; s++) CHECK(run_split(ctx, &work, s));
    return CAIRN_OK;
}

cairn_status cairn_plan_order(cairn_context *ctx, size_t **out, const cairn_plan_job *job,
                              size_t repeat, bool shuffle, bool stratified)
{
    size_t *order, *sorted, *starts;
    cairn_random random;
    CHECK(SCRATCH_RAW(ctx, &order, job->n + 1));
    for (size_t i = 0; i < job->n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), repeat);
    if (shuffle) cairn_random_shuffle(&random, order, job->n);
    *out = order;
    if (!stratified || !job->classes) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &sorted, job->n + 1));
    CHECK(SCRATCH(ctx, &starts, job->n_classes + 2));
    for (size_t i = 0; i < job->n; i++) starts[job->classes[job->rows[i]] + 1]++;
    for (size_t c = 0; c < job->n_classes; c++) starts[c + 1] += starts[c];
    for (size_t i = 0; i < job->n; i++)
        sorted[starts[job->classes[job->rows[order[i]]]]++] = order[i];
    *out = sorted;
    return CAIRN_OK;
}

ptrdiff_t cairn_time_column(const cairn_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].column->kind == CAIRN_TIME && table->slots[i].role != CAIRN_TARGET)
            return (ptrdiff_t)i;
    return -1;
}

typedef struct timed {
    double time;
    size_t at;
} timed;

static int compare_times(const void *left, const void *right)
{
    const timed *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

cairn_status cairn_plan_time_order(cairn_context *ctx, size_t **out, const cairn_plan_job *job)
{
    timed *rows;
    CHECK(SCRATCH_RAW_EACH(ctx, job->n + 1, out, &rows));
    for (size_t i = 0; i < job->n; i++) {
        rows[i] = (timed){job->times ? job->times[job->rows[i]] : (double)i, i};
        if (isnan(rows[i].time))
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "row %zu has no time, so its place in the order of time is not known; "
                "leave such rows out with {where}",
                (size_t)job->rows[i] + 1);
    }
    if (job->n > 1) qsort(rows, job->n, sizeof *rows, compare_times);
    for (size_t i = 0; i < job->n; i++) (*out)[i] = rows[i].at;
    return CAIRN_OK;
}

cairn_status cairn_plan_deal_groups(cairn_context *ctx, int32_t *folds, const cairn_plan_job *job,
                                    const size_t *order, const double *shares, size_t n_folds)
{
    int32_t *fold_of;
    double *sizes, *filled;
    CHECK(SCRATCH_RAW(ctx, &fold_of, job->n_groups + 1));
    CHECK(SCRATCH(ctx, &sizes, job->n_groups + 1));
    CHECK(SCRATCH(ctx, &filled, n_folds));
    for (size_t g = 0; g < job->n_groups; g++) fold_of[g] = -1;
    for (size_t i = 0; i < job->n; i++) sizes[job->groups[job->rows[i]]]++;
    for (size_t i = 0; i < job->n; i++) {
        int32_t group = job->groups[job->rows[order[i]]];
        if (fold_of[group] < 0) {
            size_t best = 0;
            for (size_t f = 1; f < n_folds; f++)
                if (filled[f] / shares[f] < filled[best] / shares[best]) best = f;
            fold_of[group] = (int32_t)best;
            filled[best] += sizes[group];
        }
        folds[order[i]] = fold_of[group];
    }
    return CAIRN_OK;
}

cairn_status cairn_plan_buffer(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job,
                               size_t repeats, size_t tested)
{
    *out = (cairn_plan){.n = job->n, .rows = job->rows, .n_repeats = repeats, .n_tested = tested};
    return SCRATCH_RAW(ctx, &out->folds, cairn_product(repeats, job->n) + 1);
}

cairn_status cairn_plan_make(cairn_context *ctx, cairn_plan *out, const char *spec,
                             cairn_plan_job job)
{
    cairn_status status;
    cairn_params *params = NULL;
    status = cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_RESAMPLING, spec);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "{by %s}", spec);
    if (status) return status;
    job.params = params->values;
    TRY(((const cairn_resampling *)params->entry)->plan(ctx, out, &job));
    if (job.choosing) {
        /* Test on the rows that are set aside, where there are some, and leave the test part
         * alone: what is chosen by it could not be judged by it. */
        size_t n = out->n_repeats * out->n;
        if (!out->draws && out->n_tested == 1) {
            for (size_t i = 0; i < n; i++) out->aside |= out->folds[i] == CAIRN_FOLD_ASIDE;
            for (size_t i = 0; out->aside && i < n; i++) {
                int32_t fold = out->folds[i];
                out->folds[i] = fold == CAIRN_FOLD_ASIDE ? 0 : fold == 0 ? CAIRN_FOLD_UNUSED : fold;
            }
        }
    }
done:
    cairn_params_free(params);
    return status;
}

/* -- of a view -- */

cairn_status cairn_rows_at(cairn_context *ctx, cairn_rows *out, const cairn_view *view,
                           const uint32_t *positions, size_t n)
{
    uint32_t *rows;
    double *weights = NULL;
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    if (view->rows.weights) CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
    for (size_t i = 0; i < n; i++) {
        rows[i] = (uint32_t)cairn_view_row(view, positions[i]);
        if (weights) weights[i] = view->rows.weights[positions[i]];
    }
    *out = (cairn_rows){rows, n, weights};
    return CAIRN_OK;
}

cairn_status cairn_known_positions(cairn_context *ctx, const cairn_view *view, uint32_t **out,
                                   size_t *n)
{
    cairn_status status = SCRATCH_RAW(ctx, out, view->rows.n + 1);
    *n = 0;
    for (size_t i = 0; status == CAIRN_OK && i < view->rows.n; i++)
        if (!cairn_column_is_missing(view->target, cairn_view_row(view, i)))
            (*out)[(*n)++] = (uint32_t)i;
    return status;
}

/* Classes and groups by position, which is what the plan calls rows here. */
static cairn_status view_job(cairn_context *ctx, const cairn_view *view, cairn_table *table,
                             cairn_plan_job *out)
{
    uint32_t *known;
    int32_t *classes, *groups;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_GROUP);
    CHECK(cairn_known_positions(ctx, view, &known, &out->n));
    out->rows = known;
    if (view->target->kind == CAIRN_LEVEL) {
        CHECK(SCRATCH(ctx, &classes, view->rows.n + 1));
        for (size_t i = 0; i < view->rows.n; i++)
            classes[i] = view->target->codes[cairn_view_row(view, i)];
        out->classes = classes;
        out->n_classes = view->target->names.n;
    }
    ptrdiff_t time = cairn_time_column(table);
    if (time >= 0) {
        double *times;
        CHECK(SCRATCH(ctx, &times, view->rows.n + 1));
        for (size_t i = 0; i < view->rows.n; i++)
            times[i] = table->slots[time].column->numbers[cairn_view_row(view, i)];
        out->times = times;
    }
    if (at < 0) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, table, (size_t)at, CAIRN_LEVEL));
    const cairn_column *column = table->slots[at].column;
    if (column->n_missing) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &groups, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) groups[i] = column->codes[cairn_view_row(view, i)];
    out->groups = groups;
    out->n_groups = column->names.n;
    return CAIRN_OK;
}

cairn_status cairn_plan_view(cairn_context *ctx, cairn_plan *out, const cairn_view *view,
                             cairn_table *table, const char *by)
{
    cairn_plan_job job = {0};
    CHECK(view_job(ctx, view, table, &job));
    return cairn_plan_make(ctx, out, by, job);
}
