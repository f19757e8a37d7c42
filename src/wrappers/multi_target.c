/* SPDX-License-Identifier: MIT */
/* Multi-target: one model per target, side by side in one model.
 *
 * 1. Every target column of the table gets a model of its own by the wrapped learner, which sees
 *    the features and that target only; classes and numbers may be mixed.
 * 2. A row that lacks a target is left out of the model of that target and of no other.
 * 3. A target whose training rows have one class only is answered by that class: a rare label may
 *    be absent from a fold.
 *
 * A base that can hand on what it summed over the rows (linear: cross products and their factor)
 * does so from one target to the next. A base that takes all targets into one model (tree
 * --together) sees all of them every time, the one to be answered in front: the models are the
 * same but for the answer.
 *
 * The first target is the answer of the model as a learner, the others come as further columns.
 * With `labels`, the targets say whether a row has a label (no, yes), and one further column lists
 * the labels with yes, with `mark` between them; a row without any has the mark alone.
 *
 * Cost: that of the wrapped learner, once per target, the targets side by side. */
#include "model/kept_parts.h"
#include "wrappers/multi_target.h"
#include "data/column.h"
#include "data/target_labels.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "wrappers/nested.h"
#include <math.h>
#include <string.h>

enum { MOST_TARGETS = 100000, MOST_SHOWN = 20 };

typedef struct multi_params {
    cairn_wrapper_params wrapper;
    const char *labels, *mark;
} multi_params;

static const cairn_param multi_param_table[] = {
    CAIRN_WRAPPER(multi_params),
    CAIRN_PARAM(multi_params, labels, NULL, NULL,
                "name of a further column that lists the targets whose answer is yes"),
    CAIRN_PARAM(multi_params, mark, ";", NULL, "what stands between the labels of that column",
                .when = "labels"),
    CAIRN_PARAM_END,
};

typedef struct multi_model {
    size_t n;
    cairn_model **models;
} multi_model;

/* Whether one model takes all targets, and each of them holds all answers. */
static bool is_together(const multi_model *m)
{
    return m->n > 1 && (cairn_model_accepts(m->models[0]) & CAIRN_ACCEPTS_TARGETS) &&
           !m->models[0]->learner->answers_one;
}

static cairn_status multi_check(cairn_context *ctx, const void *values)
{
    const multi_params *p = values;
    return cairn_wrapper_check(ctx, "multi-target", &p->wrapper, NULL);
}

static cairn_status multi_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const multi_params *p = values;
    return cairn_wrapper_tasks(ctx, &p->wrapper, out);
}

/* -- fitting -- */

typedef struct target_work {
    const cairn_nested *nested;
    const cairn_params *constant; /* for targets with one class only */
    const size_t *columns;        /* of the targets */
    cairn_report **steps;         /* one per target; NULL = not wanted */
    multi_model *model;
    bool together;        /* one model for all targets, of which the one in front is answered */
    cairn_shared *shared; /* what targets hand on to each other; NULL = nothing */
} target_work;

/* Whether the rows that are learned from have one class of the column only. */
static bool has_one_class(const cairn_view *view, const cairn_column *target)
{
    int32_t first = -1;
    if (target->kind != CAIRN_LEVEL) return false;
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = target->codes[cairn_view_row(view, i)];
        if (code < 0 || cairn_view_weight(view, i) <= 0) continue;
        if (first >= 0 && code != first) return false;
        first = code;
    }
    return first >= 0;
}

/* The table of one target: without the others, so that what a model keeps of its columns does not
 * grow with their number, or with them behind it where there is one model for all. */
static cairn_status share_target(cairn_context *ctx, cairn_table **out, const target_work *work,
                                 size_t column)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const cairn_table *from = work->nested->table;
    if (work->together) {
        CHECK(cairn_table_share(ctx, out, from));
        cairn_table_lead_target(*out, column);
        return CAIRN_OK;
    }
    CHECK(cairn_table_new(ctx, &made, from->n_rows));
    CHECK(cairn_table_copy_source(ctx, made, from));
    made->shape = from->shape;
    for (size_t i = 0; i < from->n_columns; i++) {
        const cairn_slot *slot = &from->slots[i];
        if (slot->role != CAIRN_TARGET || i == column)
            CHECK(cairn_table_append(ctx, made, slot->name, slot->role,
                                     cairn_column_hold(slot->column)));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The base for one target: the others are not there, or stand behind it. */
static cairn_status fit_target(cairn_context *ctx, const target_work *work, size_t which)
{
    cairn_status status;
    const cairn_job *job = work->nested->job;
    cairn_fit_options fit = work->nested->fit;
    cairn_table *table = NULL;
    size_t column = work->columns[which];
    TRY(share_target(ctx, &table, work, column));
    fit.task = job->wanted;
    if (which > 0) fit.positive = NULL;
    if (work->steps) {
        TRY(cairn_report_new(ctx, &work->steps[which])); /* of this task's context */
        fit.steps = work->steps[which];
    }
    const char *name = work->nested->table->slots[column].name;
    ptrdiff_t at = cairn_table_find(table, name);
    bool constant = !work->together && has_one_class(job->view, table->slots[at].column);
    if (constant) fit.transforms = NULL;
    TRY(cairn_model_fit_shared(ctx, &work->model->models[which],
                               constant ? work->constant : work->nested->params, table,
                               job->view->rows, &fit, constant ? NULL : work->shared));
done:
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED && !work->together)
        cairn_message_prefix(ctx, "target '%s'", work->nested->table->slots[column].name);
    cairn_table_free(table);
    return status;
}

static cairn_status run_target(cairn_context *ctx, void *data, size_t which)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_log_function log = ctx->log;
    cairn_status status;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    ctx->log = NULL; /* warnings of models side by side would mix */
    TRY(fit_target(ctx, data, which));
done:
    ctx->log = log;
    cairn_scratch_release(ctx, mark);
    return status;
}

/* What the models would have warned of. */
static void warn_targets(cairn_context *ctx, const target_work *work)
{
    const cairn_view *view = work->nested->job->view;
    const multi_model *m = work->model;
    for (size_t t = 0; t < m->n; t++) {
        const cairn_slot *slot = &work->nested->table->slots[work->columns[t]];
        if (m->n > 1 && m->models[t]->n_waiting && !work->together)
            cairn_warn(ctx, "%zu row%s without '%s' %s not learned from for this target",
                       m->models[t]->n_waiting, m->models[t]->n_waiting == 1 ? "" : "s", slot->name,
                       m->models[t]->n_waiting == 1 ? "is" : "are");
        if (!work->together && has_one_class(view, slot->column))
            cairn_warn(ctx, "'%s' has one class only among the training rows, which is the answer",
                       slot->name);
    }
}

static void append_steps(cairn_report *out, const target_work *work)
{
    size_t n = work->together ? 1 : work->model->n; /* the work is the same for all */
    for (size_t t = 0; out && t < n; t++) {
        const multi_params *p = work->nested->job->params;
        const char *name = work->nested->table->slots[work->columns[t]].name;
        if (p->labels) name = cairn_label_name(name, p->labels);
        cairn_report_step_begin(out, "multi-target: %s", work->together ? "together" : name);
        cairn_report_append(out, work->steps[t],
                            work->together ? NULL : cairn_report_key(out, name));
        cairn_report_step_end(out);
    }
}

/* All targets: side by side, or one after the other where they hand something on. */
static cairn_status run_targets(cairn_context *ctx, target_work *work, size_t n, bool shares)
{
    cairn_shared shared = {0};
    cairn_status status = CAIRN_OK;
    if (!shares) return cairn_tasks(ctx, n, run_target, work);
    work->shared = &shared;
    for (size_t t = 0; !status && t < n; t++) status = run_target(ctx, work, t);
    if (shared.clear) shared.clear(shared.data);
    work->shared = NULL;
    return status;
}

/* Targets are independent tasks, or one model of all where the learner can; a target that
 * nothing can be learned about gets the constant answer. */
static cairn_status multi_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    multi_model *m = model;
    const multi_params *p = job->params;
    cairn_nested nested = {0};
    cairn_params *constant = NULL;
    cairn_report **steps = NULL;
    cairn_status status;
    size_t *columns, n = 0;
    TRY(cairn_nested_open(ctx, &nested, "multi-target", &p->wrapper, job, false));
    TRY(cairn_params_new(ctx, &constant, "majority"));
    TRY(SCRATCH(ctx, &columns, nested.table->n_columns + 1));
    for (size_t i = 0; i < nested.table->n_columns; i++)
        if (nested.table->slots[i].role == CAIRN_TARGET) columns[n++] = i;
    TRY(NEW(ctx, &m->models, n));
    m->n = n;
    if (job->steps) TRY(SCRATCH(ctx, &steps, n + 1));
    const cairn_learner *base = (const cairn_learner *)nested.params->entry;
    target_work work = {
        &nested,
        constant,
        columns,
        steps,
        m,
        n > 1 && (cairn_learner_accepts(base, nested.params->values) & CAIRN_ACCEPTS_TARGETS),
        NULL};
    TRY(run_targets(ctx, &work, n, n > 1 && base->shares && !work.together));
    for (size_t t = 0; t < n; t++) cairn_certify_part(job->certificate, &m->models[t]->certificate);
    warn_targets(ctx, &work);
    append_steps(job->steps, &work);
done:
    for (size_t t = 0; steps && t < n; t++) cairn_report_free(steps[t]);
    cairn_params_free(constant);
    cairn_nested_close(&nested);
    return status;
}

/* -- predicting -- */

/* The prediction of one model as a table: the answer first, then the scores. */
static cairn_status ask_target(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                               const cairn_table *table, cairn_rows rows, bool scores,
                               cairn_match *match)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_predict_wants wants = {.scores = scores && model->task == CAIRN_CLASSIFY &&
                                           model->learner->gives_scores};
    CHECK(cairn_model_predict_rows(ctx, &p, model, table, rows, wants, match));
    return cairn_prediction_table(ctx, out, model, &p, wants.scores);
}

/* The first target: what the framework asked for. */
static cairn_status answer_first(cairn_context *ctx, cairn_prediction *out,
                                 const cairn_model *model, const cairn_job *job)
{
    cairn_prediction p;
    CHECK(cairn_nested_ask(ctx, &p, model, job, out->scores && model->learner->gives_scores));
    size_t n = out->n_rows, k = out->n_classes;
    if (out->numbers) memcpy(out->numbers, p.numbers, n * sizeof *p.numbers);
    if (out->codes) memcpy(out->codes, p.codes, n * sizeof *p.codes);
    for (size_t i = 0; out->scores && !p.scores && i < n; i++)
        if (p.codes[i] >= 0) out->scores[i * k + (size_t)p.codes[i]] = 1;
    if (out->scores && p.scores) memcpy(out->scores, p.scores, n * k * sizeof *p.scores);
    out->codes_set = true;
    cairn_prediction_clear(&p);
    return CAIRN_OK;
}

/* Put columns of `from` into `to`; names that are taken there already are left out. */
static cairn_status take_column(cairn_context *ctx, cairn_table *to, const cairn_table *from,
                                size_t column, const char *name)
{
    if (cairn_table_find(to, name) >= 0) return CAIRN_OK;
    return cairn_table_add_column(ctx, to, name, CAIRN_FEATURE,
                                  cairn_column_hold(from->slots[column].column));
}

/* Whether the column, an answer of a model for a label, says yes in the row. */
static bool says_yes(const cairn_column *column, size_t row)
{
    int64_t yes = cairn_map_find(&column->names, "yes", 3);
    return column->kind == CAIRN_LEVEL && yes >= 0 && column->codes[row] == (int32_t)yes;
}

/* The labels with yes, listed in one text per row; `answers` has a column per label. */
static cairn_status list_labels(cairn_context *ctx, cairn_table *out, const cairn_table *answers,
                                const char *labels, const char *mark)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text cell = cairn_text_start(ctx);
    char **cells;
    CHECK(SCRATCH(ctx, &cells, answers->n_rows + 1));
    for (size_t row = 0; row < answers->n_rows; row++) {
        size_t n = 0;
        cairn_text_clear(&cell);
        cell = cairn_text_start(ctx);
        for (size_t i = 0; i < answers->n_columns; i++) {
            if (!says_yes(answers->slots[i].column, row)) continue;
            cairn_text_addf(&cell, "%s%s", n++ ? mark : "",
                            cairn_label_name(answers->slots[i].name, labels));
        }
        if (!n) cairn_text_add(&cell, mark);
        CHECK(cairn_text_status(&cell));
        CHECK(SCRATCH(ctx, &cells[row], cell.length + 1));
        memcpy(cells[row], cairn_text_string(&cell), cell.length);
    }
    return cairn_table_add_texts(ctx, out, labels, (const char *const *)cells);
}

/* The first target is the answer of the model, all others are further columns; labels are put
 * together into one list. */
static cairn_status multi_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const multi_model *m = model;
    const multi_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *all = NULL;
    OWNED(cairn_table_free) cairn_table *said = NULL;
    cairn_match match = {.first_field = -1};
    CHECK(answer_first(ctx, out, m->models[0], job));
    if (!out->extra || (m->n == 1 && !p->labels)) return CAIRN_OK;
    CHECK(cairn_table_new(ctx, &all, out->n_rows));
    for (size_t t = 0; t < m->n; t++) {
        CHECK(
            ask_target(ctx, &said, m->models[t], job->view->table, job->view->rows, false, &match));
        CHECK(take_column(ctx, all, said, 0, said->slots[0].name));
        if (t > 0) CHECK(take_column(ctx, out->extra, said, 0, said->slots[0].name));
        cairn_table_free(said);
        said = NULL;
    }
    if (p->labels && *p->labels) CHECK(list_labels(ctx, out->extra, all, p->labels, p->mark));
    return CAIRN_OK;
}

static cairn_status multi_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const multi_model *m = model;
    (void)job;
    if (m->n > 1)
        return cairn_program_refuse(out, "it answers %zu targets; fit them one by one", m->n);
    return cairn_program_member(out, m->models[0]);
}

/* "p(yes)" of a target becomes "p(target=yes)", that of a label "p(label)"; "score(yes)" alike. */
static cairn_status take_scores(cairn_context *ctx, cairn_table *out, const cairn_table *said,
                                const cairn_multi_target_parts *parts)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    const char *target = said->slots[0].name;
    for (size_t i = 1; i < said->n_columns; i++) {
        const char *score = said->slots[i].name;
        int head = (int)strcspn(score, "(") + 1;
        bool yes = strcmp(score + head, "yes)") == 0;
        if (parts->labels && !yes) continue;
        cairn_text_clear(&name);
        name = cairn_text_start(ctx);
        if (parts->labels)
            cairn_text_addf(&name, "%.*s%s)", head, score, cairn_label_name(target, parts->labels));
        else if (parts->n > 1)
            cairn_text_addf(&name, "%.*s%s=%s", head, score, target, score + head);
        else
            cairn_text_add(&name, score);
        CHECK(cairn_text_status(&name));
        CHECK(take_column(ctx, out, said, i, cairn_text_string(&name)));
    }
    return CAIRN_OK;
}

cairn_status cairn_multi_target_answer(cairn_context *ctx, cairn_table **out,
                                       const cairn_model *model, const cairn_table *table,
                                       cairn_multi_wants wants, cairn_match *match)
{
    cairn_multi_target_parts parts;
    OWNED(cairn_table_free) cairn_table *said = NULL;
    OWNED(cairn_table_free) cairn_table *scores = NULL;
    OWNED(cairn_table_free) cairn_table *answers = NULL;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_multi_target_look(&parts, model);
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    CHECK(cairn_table_new(ctx, &answers, table->n_rows));
    CHECK(cairn_table_new(ctx, &scores, table->n_rows));
    for (size_t t = 0; t < parts.n; t++) {
        CHECK(ask_target(ctx, &said, parts.models[t], table, cairn_all_rows(table), wants.scores,
                         match));
        CHECK(take_column(ctx, answers, said, 0, said->slots[0].name));
        CHECK(take_scores(ctx, scores, said, &parts));
        cairn_table_free(said);
        said = NULL;
    }
    if (wants.labels && parts.labels)
        CHECK(list_labels(ctx, made, answers, parts.labels, parts.mark));
    bool each = parts.labels ? wants.each : wants.labels;
    for (size_t i = 0; each && i < answers->n_columns; i++)
        CHECK(take_column(ctx, made, answers, i, answers->slots[i].name));
    for (size_t i = 0; i < scores->n_columns; i++)
        CHECK(take_column(ctx, made, scores, i, scores->slots[i].name));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* -- the record -- */

/* A line per target: what it is and how that was decided. */
static void describe_targets(cairn_report *out, const multi_model *m, const char *labels)
{
    size_t n_numbers = 0;
    for (size_t i = 0; i < m->n; i++) n_numbers += m->models[i]->task == CAIRN_REGRESS;
    cairn_report_hidden(out, (double)n_numbers, "multi.numbers");
    cairn_report_hidden(out, (double)(m->n - n_numbers), "multi.classes");
    if (labels) return;
    cairn_report_table_of(out, NULL, 0, "lrl", "target", "rows", "what was decided");
    for (size_t i = 0; i < m->n; i++)
        cairn_report_cells(out, NULL, cairn_model_target(m->models[i])->name,
                           (double)m->models[i]->n_rows,
                           m->models[i]->decision ? m->models[i]->decision : "");
    cairn_report_table_end(out);
    if (n_numbers == m->n)
        cairn_report_paragraph(
            out, "A vector of %zu numbers is predicted, %s.", m->n,
            cairn_model_accepts(m->models[0]) & CAIRN_ACCEPTS_TARGETS ? "together" : "one by one");
}

/* Models are described one after the other under the names of their targets; one that answers
 * all is described once. */
static void multi_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const multi_model *m = model;
    const multi_params *p = job->params;
    if (!out) return;
    cairn_report_word(out, "base", p->wrapper.base, "multi.base");
    cairn_report_value(out, p->labels ? "labels" : "targets", (double)m->n, "multi.targets");
    describe_targets(out, m, p->labels);
    if (is_together(m)) {
        cairn_report_paragraph(out, "One model answers all of them.");
        cairn_nested_describe(out, m->models[0], NULL, "together");
        return;
    }
    for (size_t i = 0; i < m->n && i < MOST_SHOWN; i++) {
        const char *name = cairn_model_target(m->models[i])->name;
        if (p->labels) name = cairn_label_name(name, p->labels);
        cairn_nested_describe(out, m->models[i], cairn_report_key(out, name), name);
    }
    if (m->n > MOST_SHOWN)
        cairn_report_note(out, "%zu more models are not shown.", m->n - MOST_SHOWN);
}

static const cairn_kept multi_keeps[] = {
    KEEP_SIZE(multi_model, n, MOST_TARGETS, .name = "targets", .least = 1,
              .why = "there is no target"),
    KEEP_PARTS(multi_model, models, "n", .part = &cairn_kept_model),
    KEEP_END,
};

static cairn_status multi_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const multi_model *m = model;
    for (size_t i = 0; i < m->n; i++)
        if (!m->models[i]->learner || !m->models[i]->learner->predict ||
            !cairn_model_target(m->models[i]))
            return cairn_archive_damaged(a, "a model inside has no target");
    return cairn_nested_check_loaded(a, m->models[0], job, false);
}

static cairn_model_size multi_size(const void *model)
{
    const multi_model *m = model;
    cairn_model_size all = {0};
    if (is_together(m)) return cairn_model_size_of(m->models[0]);
    for (size_t i = 0; i < m->n; i++) {
        cairn_model_size size = cairn_model_size_of(m->models[i]);
        all.parameters += size.parameters;
        all.grows |= size.grows;
    }
    return all;
}

static const cairn_output multi_outputs[] = {
    {"targets", "the answers for all targets but the first, each under its own name"},
    {0},
};

enum { MULTI_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE };

static unsigned multi_traits(const void *params)
{
    return cairn_wrapper_traits(MULTI_TRAITS, &((const multi_params *)params)->wrapper);
}

static const cairn_model *multi_member(const void *model, size_t i)
{
    const multi_model *m = model;
    return i < m->n ? m->models[i] : NULL;
}

const cairn_learner cairn_multi_target = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "multi-target",
         .also = "multi-output, multi-label, binary relevance, multivariate regression, several "
                 "labels, MultiOutputClassifier, MultiOutputRegressor",
         .about = "ClassifierChain, multiple outputs",
         .title = "Several targets",
         .summary =
             "Several targets at once, numbers and classes mixed as they come: every target "
             "gets a model of its own by the wrapped learner (or all get one, from a tree with "
             "--together), and predictions have a column "
             "for each. cairn fit LEARNER DATA --target a,b uses it by itself, and so does a "
             "target that holds several labels per row (a bag, or cells cut by --label-mark): "
             "then every label is a question of its own with the answers no and yes.",
         .references = "Tsoumakas and Katakis, Multi-label classification: an overview, "
                       "International Journal of Data Warehousing and Mining 3 (2007)",
         .example = "cairn fit multi-target @iris --target petal_length,petal_width "
                    "--learner linear",
         .params = multi_param_table,
         .params_size = sizeof(multi_params),
         .check = multi_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_WRAPPER_ACCEPTS | CAIRN_ACCEPTS_TARGETS | CAIRN_ACCEPTS_ONE_CLASS,
    .traits = MULTI_TRAITS,
    .model_size = sizeof(multi_model),
    .member = multi_member,
    .gives_scores = true,
    .traits_with = multi_traits,
    .sets_codes = true,
    .outputs = multi_outputs,
    .tasks_of = multi_tasks,
    .fit = multi_fit,
    .lower = multi_lower,
    .predict = multi_predict,
    .describe = multi_describe,
    .keeps = multi_keeps,
    .check = multi_check_loaded,
    .size = multi_size,
};

bool cairn_multi_target_look(cairn_multi_target_parts *out, const cairn_model *model)
{
    *out = (cairn_multi_target_parts){0};
    if (model->learner != &cairn_multi_target) return false;
    const multi_model *m = model->state;
    const multi_params *p = model->params->values;
    *out = (cairn_multi_target_parts){m->n, m->models, p->labels && *p->labels ? p->labels : NULL,
                                      p->mark};
    return true;
}
