/* SPDX-License-Identifier: MIT */
/* Majority: the answer that looks at no feature. It predicts the most common class with the class
 * shares as scores, or the mean of a number target. Every other learner must beat it.
 *
 * Ties between classes go to the first class. Cost: one pass over the target. */
#include "model/learned.h"
#include "model/explain.h"
#include "report/table_rows.h"
#include <math.h>

typedef struct majority_model {
    int32_t task;
    size_t n_classes;
    double *weights; /* n_classes: total weight of each class */
    double total;
    int32_t best;   /* the most common class */
    double mean;    /* of a number target */
    double squares; /* sum of squared deviations from it */
} majority_model;

static cairn_status count_classes(cairn_context *ctx, majority_model *m, const cairn_job *job)
{
    const cairn_view *view = job->view;
    m->n_classes = job->n_classes;
    CHECK(NEW(ctx, &m->weights, m->n_classes));
    for (size_t i = 0; i < view->rows.n; i++) {
        double w = cairn_view_weight(view, i);
        m->weights[view->target->codes[cairn_view_row(view, i)]] += w;
        m->total += w;
    }
    for (size_t c = 1; c < m->n_classes; c++)
        if (m->weights[c] > m->weights[m->best]) m->best = (int32_t)c;
    return CAIRN_OK;
}

static void average_target(majority_model *m, const cairn_view *view)
{
    for (size_t i = 0; i < view->rows.n; i++) {
        double w = cairn_view_weight(view, i);
        double x = view->target->numbers[cairn_view_row(view, i)];
        m->total += w;
        double step = m->total > 0 ? w * (x - m->mean) / m->total : 0;
        m->squares += w * (x - m->mean) * (x - m->mean - step);
        m->mean += step;
    }
}

static const cairn_field *target_field(const cairn_job *job)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    return at < 0 ? NULL : &job->schema->fields[at];
}

/* The share of the largest class is the accuracy that any other learner has to beat. */
static void show_classes(cairn_report *out, const majority_model *m, const cairn_job *job)
{
    const cairn_field *target = target_field(job);
    size_t n_tied = 0;
    cairn_report_table_of(out, "Classes", 0, "lrr", "class", "rows", "share");
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *name = cairn_map_key(&target->names, c);
        n_tied += m->weights[c] == m->weights[m->best];
        if ((int32_t)c == m->best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- count.$1 share.$1", name, m->weights[c],
                           m->weights[c] / m->total);
    }
    cairn_report_table_end(out);
    double share = m->weights[m->best] / m->total;
    cairn_report_word(out, "always predicts", cairn_map_key(&target->names, (size_t)m->best),
                      "prediction");
    cairn_report_value(out, "right on the training rows", share, "training.accuracy");
    cairn_report_value(out, "wrong on the training rows", 1 - share, "training.error");
    if (n_tied > 1)
        cairn_report_note(out, "%zu classes are equally common; the first of them was taken.",
                          n_tied);
}

static void majority_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const majority_model *m = model;
    if (m->task == CAIRN_CLASSIFY)
        show_classes(out, m, job);
    else {
        cairn_report_formula(out, "prediction = Σ y / n");
        cairn_report_value(out, "always predicts", m->mean, "prediction");
        cairn_report_value(out, "mean squared error on the training rows", m->squares / m->total,
                           "training.mse");
    }
}

/* The one step there is: count, or add up and divide. */
static void show_step(cairn_report *steps, const majority_model *m, const cairn_job *job)
{
    cairn_report_step_begin(steps, "Look at the target only");
    if (m->task == CAIRN_CLASSIFY) {
        const cairn_field *target = target_field(job);
        cairn_report_paragraph(steps, "No feature is read. Of %zu class%s '%s' has the most rows.",
                               m->n_classes, m->n_classes == 1 ? "" : "es",
                               cairn_map_key(&target->names, (size_t)m->best));
        cairn_report_worked(steps, "its share", "# / # = #", m->weights[m->best], m->total,
                            m->weights[m->best] / m->total);
    } else {
        cairn_report_worked(steps, "mean of the target", "Σ y / n = # / # = #", m->mean * m->total,
                            m->total, m->mean);
    }
    cairn_report_step_end(steps);
}

static cairn_status majority_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    majority_model *m = model;
    m->task = (int32_t)job->task;
    if (job->task == CAIRN_CLASSIFY)
        CHECK(count_classes(ctx, m, job));
    else
        average_target(m, job->view);
    if (job->steps) show_step(job->steps, m, job);
    return CAIRN_OK;
}

static cairn_status majority_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                     const cairn_job *job)
{
    (void)ctx;
    (void)job;
    const majority_model *m = model;
    for (size_t i = 0; i < out->n_rows; i++) {
        if (out->numbers) out->numbers[i] = m->mean;
        if (out->codes) out->codes[i] = m->best;
        for (size_t c = 0; out->scores && c < m->n_classes; c++)
            out->scores[i * m->n_classes + c] = m->weights[c] / m->total;
    }
    out->codes_set = true;
    return CAIRN_OK;
}

static cairn_status majority_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const majority_model *m = model;
    double code = m->best, *shares;
    (void)job;
    if (m->task == CAIRN_REGRESS)
        return cairn_lower_constants(out, &m->mean, 1, &out->answer.number);
    CHECK(SCRATCH(out->ctx, &shares, m->n_classes + 1));
    for (size_t c = 0; c < m->n_classes; c++) shares[c] = m->weights[c] / m->total;
    CHECK(cairn_lower_constants(out, shares, m->n_classes, &out->answer.scores));
    return cairn_lower_constants(out, &code, 1, &out->answer.code);
}

/* The same for every row: no column is looked at. */
static void majority_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const majority_model *m = model;
    (void)row;
    cairn_report_paragraph(out, "No column is looked at: every row gets the same answer.");
    if (m->task == CAIRN_CLASSIFY)
        cairn_explain_classes(out, job, m->weights, m->best);
    else
        cairn_report_value(out, "mean of the training rows", m->mean, "mean");
}

static const cairn_kept majority_keeps[] = {
    KEEP(majority_model, task),
    KEEP_SIZE(majority_model, n_classes, 1 << 28, .name = "classes"),
    KEEP_ARRAYS(majority_model, "n_classes", weights),
    KEEP(majority_model, total, best, mean, squares),
    KEEP_END,
};

static cairn_status majority_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const majority_model *m = model;
    bool classifies = m->task == CAIRN_CLASSIFY;
    if ((!classifies && m->task != CAIRN_REGRESS) || m->best < 0 ||
        (classifies && (size_t)m->best >= m->n_classes))
        return cairn_archive_damaged(a, "the most common class is not a class");
    if (m->task != (int32_t)job->task)
        return cairn_archive_damaged(a, "the learner was fitted for another task");
    if (job->task == CAIRN_CLASSIFY && m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    return CAIRN_OK;
}

static cairn_model_size majority_size(const void *model)
{
    const majority_model *m = model;
    return (cairn_model_size){m->task == CAIRN_CLASSIFY ? (double)m->n_classes : 1, false};
}

static const cairn_param majority_param_table[] = {CAIRN_PARAM_END};

static void write_answers(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const majority_model *m = model;
    bool number = m->task == CAIRN_REGRESS;
    cairn_ledger_columns(out, "lnnn", "class", "rows", "share", "mean");
    for (size_t l = 0; l < (number ? 1 : m->n_classes); l++)
        cairn_ledger_cells(out, number ? NULL : cairn_learned_class(job, (int64_t)l),
                           number ? m->total : m->weights[l], number ? 1 : m->weights[l] / m->total,
                           number ? m->mean : NAN);
}

static const cairn_learned majority_tables[] = {
    CAIRN_LEARNED("answers", "class and its share of the rows, or the mean", write_answers),
    CAIRN_LEARNED_END};

const cairn_learner cairn_majority = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "majority",
              .also = "baseline, ZeroR, dummy classifier, mean predictor, default rule, null "
                      "model, DummyClassifier, DummyRegressor",
              .title = "Majority class or mean",
              .summary = "Looks at no feature: predicts the most common class, or the mean of a "
                         "number target. Its error is the baseline that a real learner must beat; "
                         "with skewed classes it is right surprisingly often, which is why "
                         "accuracy alone says little there.",
              .references = "Holte, Very simple classification rules perform well, Machine "
                            "Learning 11 (1993)",
              .example = "cairn fit majority @loan",
              .params = majority_param_table,
              .params_size = 0},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_ONE_CLASS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_IGNORES_FEATURES,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .reports = CAIRN_REPORTS_ACCURACY | CAIRN_REPORTS_MSE,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_CONSTANT | CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(majority_model),
    .tables = majority_tables,
    .gives_scores = true,
    .sets_codes = true,
    .fit = majority_fit,
    .lower = majority_lower,
    .predict = majority_predict,
    .describe = majority_describe,
    .explain = majority_explain,
    .keeps = majority_keeps,
    .check = majority_check,
    .size = majority_size,
};
