/* SPDX-License-Identifier: MIT */
/* Stacking: a learner that learns how to combine others.
 *
 * Problem: a vote treats all members alike, though some know more about some rows. What a member
 * says of rows that it has learned from says little about how far to trust it.
 *
 * Method:
 * 1. The rows are parted by an inner resampling. Every member is fitted to the training rows of
 *    each split and answers its test rows: out-of-fold predictions.
 * 2. These are the features of the final learner: for classes a column for each member and class
 *    (all but the first class where they are probabilities, which sum to 1), for numbers one for
 *    each member. With `keep` the columns of the table stay beside them.
 * 3. The members are fitted to all rows. A new row goes through them, and what they say through the
 *    final learner.
 *
 * Cost: members x (splits + 1) fits, side by side, and one of the final learner.
 *
 * Source: Wolpert, Stacked generalization (1992). */
#include "model/kept_parts.h"
#include "data/ledger.h"
#include "parallel/parallel.h"
#include "base/need.h"
#include "report/table_rows.h"
#include "wrappers/member_plan.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char usual_members[] = "tree\nknn\nforest:trees=25";
enum { ROWS_SHOWN = 10 };

typedef struct stack_params {
    cairn_member_params described;
    const char *final;
    const cairn_params *final_learner;
    const char *inner;
    bool keep;
} stack_params;

static const cairn_param stack_param_table[] = {
    CAIRN_MEMBER_PARAMS(stack_params),
    CAIRN_PARAM_OBJECT(stack_params, final, final_learner, CAIRN_ENTRY_LEARNER, NULL,
                       "the learner that combines what the members say; logistic for classes and "
                       "linear for numbers if not given",
                       .names = "learner"),
    CAIRN_PARAM_AS(stack_params, inner, CAIRN_TYPE_SPEC, "cv:5",
                   "inner resampling, whose held-out rows the final learner learns from",
                   .names = "resampling"),
    CAIRN_PARAM(stack_params, keep, "no", NULL,
                "whether the final learner sees the columns of the table, too"),
    CAIRN_PARAM_END,
};

typedef struct stack_model {
    size_t n_splits, n_judged;
    double *errors; /* n_judged, as many as members: share of wrong out-of-fold answers, or mean
                       squared error */
    cairn_members members;
    cairn_model *final;
} stack_model;

static cairn_status stack_check(cairn_context *ctx, const void *values)
{
    const stack_params *p = values;
    CHECK(cairn_member_plans_check(ctx, "stack", &p->described));
    if (p->described.model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "stack: a saved model cannot be fitted to the inner splits; give its "
                          "learner as a {learner}");
    if (p->final_learner) {
        cairn_status status = cairn_params_check(ctx, p->final_learner);
        if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "stack: final");
        CHECK(status);
    }
    OWNED(cairn_params_free) cairn_params *by = NULL;
    CHECK(cairn_params_from_spec(ctx, &by, CAIRN_ENTRY_RESAMPLING, p->inner));
    return cairn_params_check(ctx, by);
}

static cairn_status stack_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const stack_params *p = values;
    unsigned last;
    CHECK(cairn_member_plans_tasks(ctx, &p->described, usual_members, out));
    if (!p->final_learner) return CAIRN_OK;
    const cairn_learner *learner = (const cairn_learner *)p->final_learner->entry;
    CHECK(cairn_learner_tasks(ctx, learner, p->final_learner->values, &last));
    *out &= last;
    return CAIRN_OK;
}

/* -- what the members say, as columns -- */

static size_t answer_width(const cairn_job *job)
{
    return job->task == CAIRN_CLASSIFY ? job->n_classes : 1;
}

/* Whether the first class is left out, because the shares sum to 1. */
static bool leaves_first(const cairn_model *model, const cairn_job *job)
{
    return job->task == CAIRN_CLASSIFY && job->n_classes > 1 &&
           (!model->learner->gives_scores ||
            cairn_learner_gives_probabilities(model->learner, model->params->values));
}

/* Columns of member i: `said` is n x width. */
static cairn_status add_columns(cairn_context *ctx, cairn_table *table, const cairn_model *model,
                                const cairn_job *job, size_t i, const double *said)
{
    size_t width = answer_width(job), n = table->n_rows;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    double *column;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &column, n + 1));
    for (size_t c = leaves_first(model, job); c < width; c++) {
        name.length = 0;
        cairn_text_addf(&name, "member%zu", i + 1);
        if (job->task == CAIRN_CLASSIFY)
            cairn_text_addf(&name, "(%s)", cairn_schema_class(job->schema, (int32_t)c));
        CHECK(cairn_text_status(&name));
        for (size_t r = 0; r < n; r++) column[r] = said[r * width + c];
        CHECK(cairn_table_put_numbers(ctx, table, cairn_text_string(&name), column));
    }
    return CAIRN_OK;
}

/* -- out-of-fold predictions -- */

typedef struct fold_work {
    const cairn_job *job;
    const cairn_member_plans *plans;
    const cairn_inner_split *splits;
    const size_t *starts; /* of the splits' test rows */
    size_t n, n_splits;
    double *said; /* members x n x width */
} fold_work;

/* Task: one member on one split. */
static cairn_status run_fold(cairn_context *ctx, void *data, size_t task)
{
    const fold_work *w = data;
    size_t i = task / w->n_splits, s = task % w->n_splits, width = answer_width(w->job);
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED_SCRATCH(ctx);
    cairn_log_function log = ctx->log;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    ctx->log = NULL; /* one warning per model would bury everything else */
    cairn_status status =
        cairn_member_plan_fit(ctx, &model, w->plans, i, w->job, w->splits[s].train, NULL);
    if (!status)
        status = cairn_member_answers(ctx, w->said + (i * w->n + w->starts[s]) * width, width,
                                      model, w->job, w->splits[s].test);
    ctx->log = log;
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "stack: inner split %zu, member %zu", s + 1, i + 1);
    return status;
}

static cairn_status hold_out(cairn_context *ctx, fold_work *w)
{
    size_t *starts;
    CHECK(SCRATCH(ctx, &starts, w->n_splits + 1));
    for (size_t s = 0; s < w->n_splits; s++) {
        starts[s] = w->n;
        w->n += w->splits[s].test.n;
    }
    starts[w->n_splits] = w->n;
    w->starts = starts;
    CHECK(SCRATCH_MATRIX(ctx, &w->said, cairn_product(w->plans->n, w->n), answer_width(w->job),
                         "what every member says of every held-out row", CAIRN_FEWER_CLASSES));
    return cairn_tasks(ctx, w->plans->n * w->n_splits, run_fold, w);
}

/* The loss of an answer: wrong or not, or the squared error; no answer is wrong. */
static double loss_of(const cairn_job *job, const double *said, size_t row)
{
    const cairn_column *target = job->view->target;
    size_t best = 0;
    if (job->task != CAIRN_CLASSIFY) {
        double error = said[0] - target->numbers[row];
        return error * error;
    }
    for (size_t c = 1; c < job->n_classes; c++)
        if (said[c] > said[best]) best = c;
    return isnan(said[best]) || (int32_t)best != target->codes[row];
}

static void judge(stack_model *m, const fold_work *w, const uint32_t *rows, const double *weights)
{
    const double *column = w->job->view->row_weights;
    size_t width = answer_width(w->job);
    for (size_t i = 0; i < w->plans->n; i++) {
        double loss = 0, all = 0;
        for (size_t r = 0; r < w->n; r++) {
            double weight = weights[r] * (column ? column[rows[r]] : 1);
            loss += weight * loss_of(w->job, w->said + (i * w->n + r) * width, rows[r]);
            all += weight;
        }
        m->errors[i] = all > 0 ? loss / all : (double)NAN;
    }
}

/* -- steps -- */

static void show_splits(const fold_work *w)
{
    cairn_report *out = w->job->steps;
    if (!out) return;
    cairn_report_step_begin(out, "stack: the inner resampling");
    cairn_report_table_of(out, NULL, 0, "rrr", "split", "rows learned from", "rows answered");
    for (size_t s = 0; s < w->n_splits; s++)
        cairn_report_cells(out, "- split$1.train split$1.test", s + 1, (double)w->splits[s].train.n,
                           (double)w->splits[s].test.n);
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* The first rows that the final learner sees: columns behind those of the table. */
static void show_features(const fold_work *w, const cairn_table *meta, size_t first,
                          const uint32_t *rows)
{
    cairn_report *out = w->job->steps;
    size_t shown = w->n < ROWS_SHOWN ? w->n : ROWS_SHOWN;
    if (!out) return;
    cairn_report_step_begin(out, "stack: out-of-fold predictions, the features of the final "
                                 "learner");
    if (shown < w->n)
        cairn_report_paragraph(out, "The first %zu of %zu rows, split after split.", shown, w->n);
    cairn_report_paragraph(out, "The final learner has the rows in this order, and its steps "
                                "number them from 1.");
    cairn_report_table_of(out, NULL, 0, "rr", "split", "row");
    for (size_t c = first; c < meta->n_columns; c++)
        cairn_report_column(out, meta->slots[c].name, 'r');
    cairn_report_column(out, w->job->view->target_name, w->job->task == CAIRN_CLASSIFY ? 'l' : 'r');
    for (size_t r = 0; r < shown; r++) {
        /* One of the rows that the final learner sees, the split that held it out in front. */
        size_t row = rows[r];
        size_t split = 0;
        while (split + 1 < w->n_splits && w->starts[split + 1] <= r) split++;
        cairn_report_cells(out, NULL, split + 1, row + 1);
        for (size_t c = first; c < meta->n_columns; c++)
            cairn_report_cell_number(out, meta->slots[c].column->numbers[r], 0, "row%zu.%s",
                                     row + 1, cairn_report_key(out, meta->slots[c].name));
        const cairn_column *target = w->job->view->target;
        if (w->job->task == CAIRN_CLASSIFY)
            cairn_report_cell(out, cairn_schema_class(w->job->schema, target->codes[row]));
        else
            cairn_report_cell_number(out, target->numbers[row], 0, NULL);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- the final learner -- */

/* The final learner sees what members said of rows that they had not learned from. */
static cairn_status fit_final(cairn_context *ctx, stack_model *m, const cairn_job *job,
                              const cairn_table *meta, const double *weights)
{
    const stack_params *p = job->params;
    OWNED(cairn_params_free) cairn_params *usual = NULL;
    OWNED(cairn_report_free) cairn_report *part = NULL;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    if (!p->final_learner)
        CHECK(cairn_params_new(ctx, &usual, job->task == CAIRN_CLASSIFY ? "logistic" : "linear"));
    cairn_wrapper_params wrapper = {.learner = usual ? usual : p->final_learner};
    CHECK(cairn_nested_open(ctx, &nested, "stack", &wrapper, job, false));
    if (job->steps) CHECK(cairn_report_new(ctx, &part));
    nested.fit.steps = part;
    cairn_rows rows = {.n = meta->n_rows, .weights = job->view->rows.weights ? weights : NULL};
    cairn_status status =
        cairn_model_fit_rows(ctx, &m->final, wrapper.learner, meta, rows, &nested.fit);
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "stack: final learner");
    CHECK(status);
    cairn_report_step_begin(job->steps, "stack: the final learner");
    if (part) cairn_report_append(job->steps, part, "final");
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

/* -- fitting -- */

static cairn_status fit_member(cairn_context *ctx, void *data, size_t i, cairn_model **out,
                               cairn_report *steps)
{
    const fold_work *w = data;
    return cairn_member_plan_fit(ctx, out, w->plans, i, w->job, w->job->view->rows, steps);
}

/* The table of the final learner: target and weights of the held-out rows, and what was said. */
static cairn_status learn_to_combine(cairn_context *ctx, stack_model *m, const fold_work *w)
{
    const stack_params *p = w->job->params;
    OWNED(cairn_table_free) cairn_table *meta = NULL;
    size_t width = answer_width(w->job);
    uint32_t *rows;
    double *weights;
    /* Table rows and weights of the test rows, split after split. */
    CHECK(SCRATCH_EACH(ctx, w->n + 1, &rows, &weights));
    for (size_t s = 0; s < w->n_splits; s++)
        for (size_t r = 0; r < w->splits[s].test.n; r++) {
            const cairn_rows *test = &w->splits[s].test;
            (rows)[w->starts[s] + r] = test->indices ? test->indices[r] : (uint32_t)r;
            (weights)[w->starts[s] + r] = test->weights ? test->weights[r] : 1;
        }
    judge(m, w, rows, weights);
    CHECK(cairn_table_take_rows(ctx, &meta, w->job->view->table, rows, w->n));
    if (!p->keep) {
        /* Columns of the table that the final learner is not to see are turned off. */
        for (size_t c = 0; c < meta->n_columns; c++)
            if (meta->slots[c].role == CAIRN_FEATURE) meta->slots[c].role = CAIRN_IGNORED;
    }
    size_t first = meta->n_columns;
    for (size_t i = 0; i < w->plans->n; i++)
        CHECK(add_columns(ctx, meta, m->members.models[i], w->job, i, w->said + i * w->n * width));
    show_features(w, meta, first, rows);
    return fit_final(ctx, m, w->job, meta, weights);
}

/* Out-of-fold answers first, then members of all rows, then the one that combines them. */
static cairn_status stack_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    stack_model *m = model;
    const stack_params *p = job->params;
    SCOPED(cairn_member_plans_close) cairn_member_plans plans = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_inner_split *splits;
    fold_work w = {.job = job, .plans = &plans};
    CHECK(cairn_member_plans_open(ctx, &plans, "stack", &p->described, usual_members));
    for (size_t i = 0; i < plans.n; i++)
        if (plans.list[i].model)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "stack: member %zu is a saved model, which cannot be fitted to the "
                              "inner splits; give its learner",
                              i + 1);
    CHECK(cairn_table_share(ctx, &table, job->view->table));
    CHECK(cairn_split_view(ctx, &splits, &w.n_splits, job->view, table, p->inner, "stack"));
    w.splits = splits;
    m->n_splits = w.n_splits;
    m->n_judged = plans.n;
    CHECK(NEW(ctx, &m->errors, plans.n));
    CHECK(cairn_members_buffer(ctx, &m->members, plans.n));
    show_splits(&w);
    CHECK(hold_out(ctx, &w));
    CHECK(cairn_members_fit(ctx, &m->members, "stack", job->steps, fit_member, &w));
    return learn_to_combine(ctx, m, &w);
}

/* -- answering -- */

typedef struct stack_asked {
    const stack_model *model;
    const cairn_job *job;
    double *said; /* members x rows x width */
} stack_asked;

static cairn_status ask_member(cairn_context *ctx, void *data, size_t i)
{
    const stack_asked *w = data;
    size_t width = answer_width(w->job), n = w->job->view->rows.n;
    return cairn_member_answers(ctx, w->said + i * n * width, width, w->model->members.models[i],
                                w->job, w->job->view->rows);
}

/* The table that the final learner is asked about. */
static cairn_status make_asked(cairn_context *ctx, cairn_table **out, const stack_model *m,
                               const cairn_job *job)
{
    const stack_params *p = job->params;
    const cairn_view *view = job->view;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = view->rows.n, width = answer_width(job);
    stack_asked w = {.model = m, .job = job};
    uint32_t *rows;
    CHECK(SCRATCH_RAW(ctx, &w.said, cairn_product(cairn_product(m->members.n, n), width) + 1));
    CHECK(cairn_tasks(ctx, m->members.n, ask_member, &w));
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    for (size_t r = 0; r < n; r++) rows[r] = (uint32_t)cairn_view_row(view, r);
    if (p->keep)
        CHECK(cairn_table_take_rows(ctx, &made, view->table, rows, n));
    else
        CHECK(cairn_table_new(ctx, &made, n));
    for (size_t i = 0; i < m->members.n; i++)
        CHECK(add_columns(ctx, made, m->members.models[i], job, i, w.said + i * n * width));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* Members answer the rows, the final learner their answers; without scores it is sure. */
static cairn_status stack_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const stack_model *m = model;
    OWNED(cairn_table_free) cairn_table *asked = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {.first_field = -1};
    cairn_predict_wants wants = {.scores = out->scores && m->final->learner->gives_scores};
    size_t n = out->n_rows, k = out->n_classes;
    out->codes_set = true;
    if (!n) return CAIRN_OK;
    CHECK(make_asked(ctx, &asked, m, job));
    CHECK(cairn_model_predict_rows(ctx, &p, m->final, asked, cairn_all_rows(asked), wants, &match));
    if (out->numbers) memcpy(out->numbers, p.numbers, n * sizeof *p.numbers);
    if (out->codes) memcpy(out->codes, p.codes, n * sizeof *p.codes);
    if (out->scores && p.scores) memcpy(out->scores, p.scores, n * k * sizeof *p.scores);
    for (size_t r = 0; out->scores && !p.scores && r < n; r++)
        if (p.codes[r] >= 0) out->scores[r * k + (size_t)p.codes[r]] = 1;
    return CAIRN_OK;
}

/* -- as a program -- */

/* The columns that the final learner reads, behind those of the table, and their slots. */
static cairn_status lower_answers(cairn_program *p, const stack_model *m, const cairn_job *job,
                                  cairn_table *table, int32_t *slots)
{
    bool classes = job->task == CAIRN_CLASSIFY;
    size_t width = answer_width(job), n = table->n_columns;
    double *nothing;
    CHECK(SCRATCH(p->ctx, &nothing, width + 1));
    for (size_t i = 0; i < m->members.n; i++) {
        const cairn_model *model = m->members.models[i];
        CHECK(cairn_program_member(p, model));
        int32_t first = classes ? p->answer.scores : p->answer.number;
        if (first < 0 || (classes && !model->learner->gives_scores))
            return cairn_program_refuse(p, "member %zu, %s, has no scores", i + 1,
                                        model->learner->entry.name);
        CHECK(add_columns(p->ctx, table, model, job, i, nothing));
        for (size_t c = leaves_first(model, job); c < width; c++) slots[n++] = first + (int32_t)c;
    }
    return CAIRN_OK;
}

/* The members first; the final learner then finds their answers as further columns. */
static cairn_status stack_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const stack_model *m = model;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_schema now = out->now, wider = {0};
    int32_t *slots = out->slots, *all;
    CHECK(cairn_program_probe(out, &table));
    CHECK(SCRATCH(out->ctx, &all, table->n_columns + m->members.n * answer_width(job) + 1));
    memcpy(all, slots, table->n_columns * sizeof *slots);
    CHECK(lower_answers(out, m, job, table, all));
    CHECK(cairn_schema_from_table(out->ctx, &wider, table));
    out->now = wider;
    out->slots = all;
    cairn_status status = cairn_program_member(out, m->final);
    out->now = now;
    out->slots = slots;
    cairn_schema_clear(&wider);
    return status;
}

/* -- the record -- */

static void stack_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const stack_model *m = model;
    bool classes = job->task == CAIRN_CLASSIFY;
    if (!out) return;
    cairn_report_value(out, "inner splits", (double)m->n_splits, "splits");
    cairn_report_table_of(out, "Members on rows that they had not seen", 0, "rlr", "member",
                          "learner", classes ? "error" : "mean squared error");
    for (size_t i = 0; i < m->members.n; i++)
        cairn_report_cells(out, "- - member$1.error", i + 1,
                           m->members.models[i]->learner->entry.name, m->errors[i]);
    cairn_report_table_end(out);
    cairn_nested_describe(out, m->final, "final", "The final learner");
    cairn_members_describe(out, &m->members);
}

static const cairn_kept stack_keeps[] = {
    KEEP_SIZE(stack_model, n_splits, INT64_MAX, .name = "splits"),
    KEEP_SIZE(stack_model, n_judged, CAIRN_MOST_MEMBERS, .name = "judged"),
    KEEP_ARRAYS(stack_model, "n_judged", errors),
    KEEP_PART(stack_model, members, .rows = cairn_members_keeps),
    KEEP_SAME("members.n", "n_judged", "there are not as many members as errors"),
    KEEP_PART(stack_model, final, .part = &cairn_kept_model),
    KEEP_END,
};

static cairn_status stack_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const stack_model *m = model;
    CHECK(cairn_members_check_loaded(a, &m->members, job));
    return cairn_nested_check_loaded(a, m->final, job, false);
}

enum { STACK_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE };

/* The usual final learner, logistic, gives probabilities. */
static unsigned stack_traits(const void *params)
{
    const cairn_params *final = ((const stack_params *)params)->final_learner;
    bool shares = !final || cairn_learner_gives_probabilities((const cairn_learner *) final->entry,
                                                              final->values);
    return STACK_TRAITS | (shares ? CAIRN_GIVES_PROBABILITIES : 0);
}

/* The members, then the model that combines them. */
static const cairn_model *stack_member(const void *model, size_t i)
{
    const stack_model *m = model;
    return i == m->members.n ? m->final : cairn_members_at(&m->members, i);
}

static void write_errors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const stack_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nn", "number", "error");
    for (size_t i = 0; i < m->members.n; i++)
        cairn_ledger_cells(out, (double)i + 1, m->errors ? m->errors[i] : NAN);
}

static const cairn_learned stack_tables[] = {
    CAIRN_LEARNED("errors", "member, and its error on rows that it had not seen", write_errors),
    CAIRN_LEARNED_END};

const cairn_learner cairn_stack = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "stack",
              .also = "stacking, stacked generalization, stacked generalisation, super learner, "
                      "meta-learner, blending, StackingClassifier, StackingRegressor",
              .title = "A learner on top of others",
              .summary =
                  "Fits several learners and lets a final one learn how to combine them: its "
                  "features are what they say of rows that they had not seen, by an inner "
                  "resampling. Afterwards the members are fitted to all rows. Without members "
                  "they are tree, knn and a forest of 25 trees. --steps shows the inner splits "
                  "and the features of the final learner.",
              .references = "Wolpert, Stacked generalization, Neural Networks 5 (1992)",
              .example = "cairn fit stack @iris --learner tree --learner knn --learner bayes",
              .params = stack_param_table,
              .params_size = sizeof(stack_params),
              .check = stack_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = STACK_TRAITS | CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(stack_model),
    .tables = stack_tables,
    .member = stack_member,
    .gives_scores = true,
    .sets_codes = true,
    .tasks_of = stack_tasks,
    .fit = stack_fit,
    .lower = stack_lower,
    .predict = stack_predict,
    .describe = stack_describe,
    .keeps = stack_keeps,
    .parameters = "",
    .check = stack_check_loaded,
    .traits_with = stack_traits,
};
