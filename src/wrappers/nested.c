/* SPDX-License-Identifier: MIT */
/* Models inside models: see nested.h. */
#include "wrappers/nested.h"
#include "base/need.h"
#include "base/text.h"
#include "model/judged_rows.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

const cairn_param cairn_wrapper_table[] = {
    CAIRN_WRAPPER_BASE("tree"),
    CAIRN_WRAPPER_WITH,
    CAIRN_PARAM_END,
};

/* -- settings -- */

cairn_status cairn_wrapper_check(cairn_context *ctx, const char *who,
                                 const cairn_wrapper_params *wrapper, const char *by)
{
    OWNED(cairn_params_free) cairn_params *splits = NULL;
    cairn_status status = cairn_params_check(ctx, wrapper->learner);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s: base", who);
    CHECK(status);
    for (const cairn_params *t = wrapper->transforms; t && !status; t = t->next)
        status = cairn_params_check(ctx, t);
    if (by && !status) status = cairn_params_from_spec(ctx, &splits, CAIRN_ENTRY_RESAMPLING, by);
    if (splits && !status) status = cairn_params_check(ctx, splits);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s", who);
    return status;
}

cairn_status cairn_wrapper_tasks(cairn_context *ctx, const cairn_wrapper_params *wrapper,
                                 unsigned *out)
{
    const cairn_params *base = wrapper->learner;
    return cairn_learner_tasks(ctx, (const cairn_learner *)base->entry, base->values, out);
}

unsigned cairn_wrapper_traits(unsigned traits, const cairn_wrapper_params *wrapper)
{
    const cairn_params *base = wrapper->learner;
    bool shares =
        base && cairn_learner_gives_probabilities((const cairn_learner *)base->entry, base->values);
    return traits | (shares ? CAIRN_GIVES_PROBABILITIES : 0);
}

cairn_status cairn_nested_open(cairn_context *ctx, cairn_nested *out, const char *who,
                               const cairn_wrapper_params *wrapper, const cairn_job *job,
                               bool scores)
{
    cairn_status status = CAIRN_OK;
    *out = (cairn_nested){.who = who, .job = job, .params = wrapper->learner};
    const cairn_learner *record = (const cairn_learner *)out->params->entry;
    if (!(record->tasks & (unsigned)job->task) || !record->predict)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "%s: %s cannot predict %s", who, record->entry.name,
                       cairn_task_answers(job->task)));
    if (scores && !record->gives_scores)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "%s needs scores, which %s does not give; choose another base", who,
                       record->entry.name));
    out->fit = (cairn_fit_options)CAIRN_FIT_OPTIONS_INIT;
    out->fit.task = job->task;
    out->fit.transforms = wrapper->transforms;
    if (job->positive >= 0)
        out->fit.positive = cairn_map_key(&job->view->target->names, (size_t)job->positive);
    TRY(cairn_table_share(ctx, &out->table, job->view->table));
done:
    if (status) cairn_nested_close(out);
    return status;
}

void cairn_nested_close(cairn_nested *nested)
{
    cairn_table_free(nested->table);
    nested->table = NULL;
}

cairn_status cairn_nested_ask(cairn_context *ctx, cairn_prediction *out, const cairn_model *model,
                              const cairn_job *job, bool scores)
{
    return cairn_model_predict_rows(ctx, out, model, job->view->table, job->view->rows,
                                    (cairn_predict_wants){.scores = scores}, NULL);
}

cairn_status cairn_nested_fit(cairn_context *ctx, cairn_model **out, const cairn_nested *nested)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_report *steps = nested->job->steps;
    cairn_fit_options fit = nested->fit;
    if (steps) {
        CHECK(cairn_report_new(ctx, &part));
        fit.steps = part;
    }
    CHECK(cairn_model_fit_rows(ctx, out, nested->params, nested->table, nested->job->view->rows,
                               &fit));
    cairn_report_step_begin(steps, "%s: fit %s to all training rows", nested->who,
                            nested->params->entry->name);
    if (part) cairn_report_append(steps, part, "base");
    cairn_report_step_end(steps);
    return CAIRN_OK;
}

/* -- held-out scores -- */

/* Where the parts put what they find, part after part. */
typedef struct held_work {
    const cairn_nested *nested;
    const cairn_inner_split *splits;
    const size_t *starts;
    size_t n, n_classes;
    uint32_t *rows;
    int32_t *actual;
    double *weights, *scores;
} held_work;

/* Predict one part by a model of the others. */
static cairn_status predict_part(cairn_context *ctx, const held_work *work, size_t split)
{
    const cairn_nested *nested = work->nested;
    const cairn_inner_split *parts = &work->splits[split];
    size_t at = work->starts[split], k = work->n_classes;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_judged judged;
    CHECK(cairn_model_fit_rows(ctx, &model, nested->params, nested->table, parts->train,
                               &nested->fit));
    CHECK(cairn_judged_model(ctx, &judged, &prediction, model, nested->table, parts->test, true));
    memcpy(work->actual + at, judged.actual, judged.n * sizeof *work->actual);
    memcpy(work->weights + at, judged.weights, judged.n * sizeof *work->weights);
    memcpy(work->scores + at * k, judged.scores, judged.n * k * sizeof *work->scores);
    for (size_t i = 0; i < judged.n; i++)
        work->rows[at + i] = parts->test.indices ? parts->test.indices[i] : (uint32_t)i;
    return CAIRN_OK;
}

static cairn_status run_part(cairn_context *ctx, void *data, size_t split)
{
    const held_work *work = data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_log_function log = ctx->log;
    cairn_status status;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    ctx->log = NULL; /* one warning per model would bury everything else */
    TRY(predict_part(ctx, work, split));
done:
    ctx->log = log;
    cairn_scratch_release(ctx, mark);
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "%s: inner split %zu", work->nested->who, split + 1);
    return status;
}

/* Rows without an answer cannot say anything about scores. */
static void leave_out_unanswered(held_work *w)
{
    size_t n = 0, k = w->n_classes;
    for (size_t i = 0; i < w->n; i++) {
        bool known = true;
        for (size_t c = 0; c < k; c++) known &= !isnan(w->scores[i * k + c]);
        if (!known) continue;
        w->rows[n] = w->rows[i];
        w->actual[n] = w->actual[i];
        w->weights[n] = w->weights[i];
        memmove(w->scores + n * k, w->scores + i * k, k * sizeof(double));
        n++;
    }
    w->n = n;
}

cairn_status cairn_hold_out(cairn_context *ctx, cairn_held_out *out, const cairn_nested *nested,
                            const char *by)
{
    cairn_inner_split *splits;
    size_t n_splits, *starts;
    held_work w = {.nested = nested, .n_classes = nested->job->n_classes};
    CHECK(cairn_split_view(ctx, &splits, &n_splits, nested->job->view, nested->table, by,
                           nested->who));
    CHECK(SCRATCH(ctx, &starts, n_splits + 1));
    for (size_t s = 0; s < n_splits; s++) {
        starts[s] = w.n;
        w.n += splits[s].test.n;
    }
    w.splits = splits;
    w.starts = starts;
    CHECK(SCRATCH_EACH(ctx, w.n + 1, &w.rows, &w.actual, &w.weights));
    CHECK(SCRATCH_MATRIX(ctx, &w.scores, w.n, w.n_classes,
                         "the score of every held-out row for every class", CAIRN_FEWER_CLASSES));
    CHECK(cairn_tasks(ctx, n_splits, run_part, &w));
    size_t all = w.n;
    leave_out_unanswered(&w);
    if (w.n == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: no held-out row got a score", nested->who));
    *out = (cairn_held_out){.judged = {.n = w.n,
                                       .weights = w.weights,
                                       .n_classes = w.n_classes,
                                       .positive = -1,
                                       .actual = w.actual,
                                       .scores = w.scores},
                            .rows = w.rows,
                            .n_splits = n_splits,
                            .n_unanswered = all - w.n};
    return CAIRN_OK;
}

cairn_status cairn_nested_check_loaded(cairn_archive *a, const cairn_model *model,
                                       const cairn_job *job, bool scores)
{
    if (!model->learner || !model->learner->predict || (scores && !model->learner->gives_scores))
        return cairn_archive_damaged(a, "the wrapped model has no learner that can be asked");
    if (model->task != job->task || model->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the wrapped model is for another task");
    return CAIRN_OK;
}

/* -- showing -- */

void cairn_nested_describe(cairn_report *out, const cairn_model *model, const char *prefix,
                           const char *heading)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_report *part = NULL;
    if (!out) return;
    cairn_status status = cairn_report_new(ctx, &part);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, part, model);
    if (status) {
        cairn_report_failed(out, status);
    } else {
        cairn_report_heading(out, 2, "%s", heading);
        cairn_report_append(out, part, prefix);
    }
    cairn_report_free(part);
}
