/* SPDX-License-Identifier: MIT */
/* Judging subsets of features: see subset.h. Sets and splits are tasks side by side; each fits a
 * model on its own copy of the table, in which the other features are turned off. */
#include "wrappers/subset.h"
#include "base/functions.h"
#include "base/number.h"
#include "model/judged_rows.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { BY_TASK };

/* Names that are older than the measures'. */
static const struct {
    const char *name, *measure;
} measures[] = {{"mse", "mse"},     {"rmse", "rmse"},         {"mae", "mae"}, {"rate", "error"},
                {"brier", "brier"}, {"log-loss", "log-loss"}, {"auc", "auc"}};

const cairn_choice cairn_subset_errors[] = {
    {"auto", BY_TASK, "mse for numbers, rate for classes"},
    {"mse", 1, "mean of squared errors"},
    {"rmse", 2, "its square root"},
    {"mae", 3, "mean of absolute errors"},
    {"rate", 4, "share of rows classified wrongly"},
    {"brier", 5, "half the squared distance of the class probabilities from the truth"},
    {"log-loss", 6, "mean of −ln of the probability of the true class"},
    {"auc", 7, "1 − area under the ROC curve (two classes)"},
    {0},
};

/* -- rows -- */

/* The mark of each table row that "11-15,20" names. */
static cairn_status read_rows(cairn_context *ctx, const char *list, uint8_t *marks, size_t n_rows)
{
    uint32_t *rows;
    size_t n;
    cairn_status status = cairn_row_list(ctx, &rows, &n, list, n_rows);
    if (status) cairn_message_prefix(ctx, "select: validation rows");
    for (size_t i = 0; status == CAIRN_OK && i < n; i++) marks[rows[i]] = 1;
    return status;
}

/* The listed rows validate, all others with a known target train. */
static cairn_status fixed_split(cairn_context *ctx, cairn_subset *s, const char *list)
{
    const cairn_view *view = s->job->view;
    uint8_t *marks;
    uint32_t *known, *train, *test;
    size_t n, n_train = 0, n_test = 0;
    CHECK(SCRATCH(ctx, &marks, view->table->n_rows + 1));
    CHECK(read_rows(ctx, list, marks, view->table->n_rows));
    CHECK(cairn_known_positions(ctx, view, &known, &n));
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &train, &test));
    for (size_t i = 0; i < n; i++)
        if (marks[cairn_view_row(view, known[i])])
            test[n_test++] = known[i];
        else
            train[n_train++] = known[i];
    if (!n_train || !n_test)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "select: rows=%s leaves no row to %s", list,
                          n_train ? "validate on" : "train on");
    s->n_splits = 1;
    CHECK(SCRATCH(ctx, &s->splits, 1));
    CHECK(cairn_rows_at(ctx, &s->splits[0].train, view, train, n_train));
    return cairn_rows_at(ctx, &s->splits[0].test, view, test, n_test);
}

/* -- starting -- */

/* Without a choice the error follows the task; a measure must fit the target and what the
 * learner gives. */
static cairn_status choose_error(cairn_context *ctx, cairn_subset *s, int error)
{
    bool classes = s->job->task == CAIRN_CLASSIFY;
    const cairn_learner *learner = (const cairn_learner *)s->params->entry;
    const cairn_entry *entry;
    const char *name = error == BY_TASK ? classes ? "error" : "mse" : measures[error - 1].measure;
    const char *typed = cairn_subset_errors[error].name;
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    s->measure = (const cairn_measure *)entry;
    if (s->measure->task != s->job->task)
        return cairn_fail(ctx, CAIRN_USAGE, "select: error=%s is not for a target of %s", typed,
                          classes ? "classes" : "numbers");
    if (s->measure->needs_scores && !learner->gives_scores)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "select: error=%s needs probabilities, which %s does not give", typed,
                          learner->entry.name);
    if (cairn_same(name, "auc") && s->job->positive < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "select: error=auc needs two classes, '%s' has %zu",
                          s->job->view->target_name, s->job->n_classes);
    return CAIRN_OK;
}

static cairn_status choose_learner(cairn_context *ctx, cairn_subset *s, const cairn_params *learner)
{
    const cairn_job *job = s->job;
    if (!job->view->target || (job->task != CAIRN_CLASSIFY && job->task != CAIRN_REGRESS))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "select judges features by what they predict; name the target with "
                          "{target}");
    if (learner)
        CHECK(cairn_params_copy(ctx, &s->params, learner));
    else
        CHECK(cairn_params_new(ctx, &s->params, job->task == CAIRN_REGRESS ? "linear" : "tree"));
    CHECK(cairn_params_check(ctx, s->params));
    const cairn_learner *record = (const cairn_learner *)s->params->entry;
    if (!(record->tasks & (unsigned)job->task) || !record->predict)
        return cairn_fail(ctx, CAIRN_USAGE, "select: %s cannot predict %s", record->entry.name,
                          cairn_task_answers(job->task));
    return CAIRN_OK;
}

cairn_status cairn_subset_start(cairn_context *ctx, cairn_subset *out, const cairn_job *job,
                                const size_t *features, size_t n, const cairn_params *learner,
                                int error, const char *by, const char *rows)
{
    cairn_status status;
    *out = (cairn_subset){.job = job, .features = features, .n = n};
    out->fit = (cairn_fit_options)CAIRN_FIT_OPTIONS_INIT;
    out->fit.task = job->task;
    TRY(choose_learner(ctx, out, learner));
    TRY(choose_error(ctx, out, error));
    if (job->positive >= 0)
        out->fit.positive = cairn_map_key(&job->view->target->names, (size_t)job->positive);
    TRY(cairn_table_share(ctx, &out->table, job->view->table));
    for (size_t i = 0; i < out->table->n_columns; i++) {
        cairn_slot *slot = &out->table->slots[i];
        cairn_kind kind = slot->column->kind;
        bool usable = kind == CAIRN_NUMBER || kind == CAIRN_LEVEL || kind == CAIRN_BAG;
        if (slot->role == CAIRN_FEATURE && !usable) slot->role = CAIRN_IGNORED;
    }
    if (rows)
        TRY(fixed_split(ctx, out, rows));
    else
        TRY(cairn_split_view(ctx, &out->splits, &out->n_splits, job->view, out->table, by,
                             "select"));
done:
    if (status) cairn_subset_clear(out);
    return status;
}

void cairn_subset_clear(cairn_subset *subset)
{
    cairn_table_free(subset->table);
    cairn_params_free(subset->params);
    subset->table = NULL;
    subset->params = NULL;
}

/* -- errors -- */

/* What is kept of the answers of one split, beside the truth: they are judged together, but areas
 * under curves, whose scores come from different models, split by split. */
typedef struct split_error {
    double value, weight;
} split_error;

static cairn_status judge(cairn_context *ctx, split_error *out, const cairn_subset *s,
                          cairn_prediction *p, const cairn_view *test, double baseline)
{
    cairn_judged judged;
    for (size_t i = 0; p->numbers && i < p->n_rows; i++)
        if (isnan(p->numbers[i])) p->numbers[i] = baseline; /* no answer is as good as none */
    CHECK(cairn_judged_rows(ctx, &judged, test, p, s->job->positive));
    CHECK(s->measure->value(ctx, &out->value, &judged));
    for (size_t i = 0; i < judged.n; i++) out->weight += judged.weights[i];
    if (isnan(out->value)) *out = (split_error){0, 0}; /* one class only: it cannot be judged */
    if (!s->measure->lower_better) out->value = 1 - out->value;
    return CAIRN_OK;
}

/* The empty set: mean, or class shares and the first largest of them, of the training rows. */
static cairn_status predict_without(cairn_context *ctx, const cairn_subset *s,
                                    const cairn_inner_split *split, split_error *out)
{
    cairn_view train, test;
    cairn_prediction p = {.n_rows = split->test.n};
    double *shares, total = 0, sum = 0;
    size_t n = s->job->task == CAIRN_CLASSIFY ? s->job->view->target->names.n : 0, best = 0;
    CHECK(cairn_view_make(ctx, &train, s->table, split->train));
    CHECK(cairn_view_make(ctx, &test, s->table, split->test));
    CHECK(SCRATCH(ctx, &shares, n + 1));
    for (size_t i = 0; i < train.rows.n; i++) {
        double w = cairn_view_weight(&train, i);
        size_t row = cairn_view_row(&train, i);
        total += w;
        if (n)
            shares[train.target->codes[row]] += w;
        else
            sum += w * train.target->numbers[row];
    }
    for (size_t k = 0; k < n; k++) {
        if (shares[k] > shares[best]) best = k;
    }
    p.n_classes = n;
    if (n) CHECK(SCRATCH(ctx, &p.codes, p.n_rows));
    if (n) CHECK(SCRATCH(ctx, &p.scores, cairn_product(p.n_rows, n)));
    if (!n) CHECK(SCRATCH(ctx, &p.numbers, p.n_rows));
    for (size_t i = 0; i < p.n_rows; i++) {
        if (n) p.codes[i] = (int32_t)best;
        for (size_t k = 0; k < n; k++) p.scores[i * n + k] = shares[k] / total;
        if (!n) p.numbers[i] = sum / total;
    }
    return judge(ctx, out, s, &p, &test, sum / total);
}

static cairn_status predict_with(cairn_context *ctx, const cairn_subset *s, const uint8_t *set,
                                 const cairn_inner_split *split, split_error *out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match = {0};
    cairn_view test;
    cairn_predict_wants wants = {.scores = s->measure->needs_scores};
    CHECK(cairn_table_share(ctx, &table, s->table));
    for (size_t i = 0; i < s->n; i++)
        if (!set[i]) table->slots[s->features[i]].role = CAIRN_IGNORED;
    CHECK(cairn_model_fit_rows(ctx, &model, s->params, table, split->train, &s->fit));
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, table, split->test, wants, &match));
    CHECK(cairn_view_make(ctx, &test, table, split->test));
    return judge(ctx, out, s, &prediction, &test, model->baseline);
}

typedef struct set_work {
    const cairn_subset *s;
    const uint8_t *sets;
    split_error *errors; /* n_sets x n_splits */
} set_work;

static bool is_empty(const cairn_subset *s, const uint8_t *set)
{
    size_t in = 0;
    for (size_t i = 0; i < s->n; i++) in += set[i];
    /* columns that are not chosen among stay in */
    for (size_t i = 0, f = 0; i < s->table->n_columns; i++) {
        if (f < s->n && s->features[f] == i)
            f++;
        else
            in += s->table->slots[i].role == CAIRN_FEATURE;
    }
    return in == 0;
}

/* One set of features on one split; the empty set is judged by the constant answer, which needs
 * no learner. */
static cairn_status run_set(cairn_context *ctx, void *data, size_t task)
{
    const set_work *work = data;
    const cairn_subset *s = work->s;
    const uint8_t *set = work->sets + task / s->n_splits * s->n;
    const cairn_inner_split *split = &s->splits[task % s->n_splits];
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_log_function log = ctx->log;
    cairn_status status;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    ctx->log = NULL; /* one warning per model would bury everything else */
    if (is_empty(s, set))
        TRY(predict_without(ctx, s, split, &work->errors[task]));
    else
        TRY(predict_with(ctx, s, set, split, &work->errors[task]));
done:
    ctx->log = log;
    cairn_scratch_release(ctx, mark);
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "select: split %zu", task % s->n_splits + 1);
    return status;
}

/* The error over all splits, by their weights; roots of means are averaged as means. */
static double over_splits(const split_error *errors, size_t n, bool roots)
{
    double sum = 0, weight = 0;
    for (size_t k = 0; k < n; k++) {
        sum += errors[k].weight * (roots ? errors[k].value * errors[k].value : errors[k].value);
        weight += errors[k].weight;
    }
    return roots ? sqrt(sum / weight) : sum / weight;
}

cairn_status cairn_subset_errors_of(cairn_context *ctx, cairn_subset *s, const uint8_t *sets,
                                    size_t n_sets, double *errors)
{
    SCOPED_SCRATCH(ctx);
    set_work work = {.s = s, .sets = sets};
    size_t n = cairn_product(n_sets, s->n_splits);
    CHECK(SCRATCH(ctx, &work.errors, n));
    CHECK(cairn_tasks(ctx, n, run_set, &work));
    for (size_t i = 0; i < n_sets; i++)
        errors[i] = over_splits(work.errors + i * s->n_splits, s->n_splits,
                                cairn_same(s->measure->entry.name, "rmse"));
    s->fits += (double)n;
    return CAIRN_OK;
}
