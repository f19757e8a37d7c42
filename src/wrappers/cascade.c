/* SPDX-License-Identifier: MIT */
/* Cascade: learners one behind the other, each for the rows of which those before are not sure.
 *
 * Problem: most rows are easy and a cheap model answers them; the others deserve a better one.
 *
 * Method:
 * 1. The first learner is fitted to all rows. A row whose best class has a probability of at least
 *    the stage's `confidence` is answered by it.
 * 2. The next one is fitted to the rows that are left (or, with `learn all`, to all rows) and is
 *    asked about these only; and so on. The last stage answers whatever reaches it.
 *
 * Where no training row is left the stages behind are not made. The rows that a later stage learns
 * from are those of which the stages before are not sure although they have seen them; with few of
 * them, lower the confidence or learn from all.
 *
 * Cost: that of the stages, one after the other, on fewer and fewer rows.
 *
 * Source: Kaynak and Alpaydin, Multistage cascading of multiple classifiers (2000). */
#include "data/ledger.h"
#include "transforms/computing.h"
#include "base/need.h"
#include "report/table_rows.h"
#include "wrappers/member_plan.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char usual_stages[] = "tree:max-depth=2\nknn";

enum { LEARN_UNSURE, LEARN_ALL };

typedef struct cascade_params {
    cairn_member_params described;
    const char *confidence;
    int learn;
} cascade_params;

static const cairn_choice learn_choices[] = {
    {"unsure", LEARN_UNSURE, "the rows of which no stage before is sure"},
    {"all", LEARN_ALL, "all rows"},
    {0},
};

static const cairn_param cascade_param_table[] = {
    CAIRN_MEMBER_PARAMS(cascade_params),
    CAIRN_PARAM_AS(cascade_params, confidence, CAIRN_TYPE_LIST, "0.9",
                   "least probability of a class with which a stage answers: one for all stages "
                   "but the last, or one for each of them"),
    CAIRN_PARAM_CHOICE(cascade_params, learn, "unsure", learn_choices,
                       "what a later stage learns from"),
    CAIRN_PARAM_END,
};

typedef struct cascade_model {
    size_t n_stages;    /* members.n */
    double *reached;    /* n_stages: weight of the training rows that come to a stage ... */
    double *answered;   /* ... that it answers, ... */
    double *wrong;      /* ... and of these, wrongly */
    double *confidence; /* n_stages; the last is 0 */
    cairn_members members;
} cascade_model;

/* -- settings -- */

/* Thresholds of n stages; the last answers everything. */
static cairn_status read_confidence(cairn_context *ctx, double *out, size_t n, const char *list)
{
    double *given;
    size_t n_given;
    CHECK(cairn_list_numbers(ctx, "confidence", list, &given, &n_given));
    if (n_given != 1 && n_given + 1 != n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{confidence} has one number, or one for each stage but the last: %zu, "
                          "not %zu",
                          n - 1, n_given);
    for (size_t i = 0; i < n_given; i++)
        if (!(given[i] > 0 && given[i] <= 1))
            return cairn_fail(ctx, CAIRN_USAGE, "{confidence}: number %zu is not in (0,1]", i + 1);
    for (size_t i = 0; i + 1 < n; i++) out[i] = given[n_given == 1 ? 0 : i];
    out[n - 1] = 0;
    return CAIRN_OK;
}

static cairn_status cascade_check(cairn_context *ctx, const void *values)
{
    const cascade_params *p = values;
    return cairn_member_plans_check(ctx, "cascade", &p->described);
}

static cairn_status cascade_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const cascade_params *p = values;
    CHECK(cairn_member_plans_tasks(ctx, &p->described, usual_stages, out));
    *out &= CAIRN_CLASSIFY;
    return CAIRN_OK;
}

/* -- asking -- */

/* Rows on their way through the stages. */
typedef struct passage {
    const cairn_job *job;
    size_t n;            /* positions that are left */
    uint32_t *positions; /* of the job's view */
    double *scores;      /* n x classes: what the stage says of them */
} passage;

static cairn_status start_passage(cairn_context *ctx, passage *out, const cairn_job *job)
{
    *out = (passage){.job = job, .n = job->view->rows.n};
    CHECK(SCRATCH_RAW(ctx, &out->positions, out->n + 1));
    for (size_t i = 0; i < out->n; i++) out->positions[i] = (uint32_t)i;
    return SCRATCH_MATRIX(ctx, &out->scores, out->n, job->n_classes,
                          "the score of every row for every class", CAIRN_FEWER_CLASSES);
}

static cairn_status ask_stage(cairn_context *ctx, passage *way, const cairn_model *model)
{
    SCOPED_SCRATCH(ctx);
    cairn_rows rows;
    CHECK(cairn_rows_at(ctx, &rows, way->job->view, way->positions, way->n));
    return cairn_member_answers(ctx, way->scores, way->job->n_classes, model, way->job, rows);
}

/* The first of the largest scores; -1 = no answer. */
static int32_t best_class(const double *scores, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (scores[c] > scores[best]) best = c;
    return isnan(scores[best]) ? -1 : (int32_t)best;
}

static bool is_sure(const double *scores, int32_t best, double confidence)
{
    return confidence <= 0 || (best >= 0 && scores[best] >= confidence);
}

/* What is done with a row that a stage answers. */
typedef void (*sure_function)(void *data, size_t position, size_t stage, int32_t code,
                              const double *scores);

/* Rows of which the stage is sure leave; the others stay in their order. */
static void leave_sure(passage *way, size_t i, double confidence, sure_function function,
                       void *data)
{
    size_t left = 0, k = way->job->n_classes;
    for (size_t r = 0; r < way->n; r++) {
        const double *scores = way->scores + r * k;
        int32_t best = best_class(scores, k);
        if (is_sure(scores, best, confidence))
            function(data, way->positions[r], i, best, scores);
        else
            way->positions[left++] = way->positions[r];
    }
    way->n = left;
}

/* -- fitting -- */

typedef struct counting {
    cascade_model *model;
    const cairn_view *view;
} counting;

static void count_answer(void *data, size_t position, size_t stage, int32_t code,
                         const double *scores)
{
    const counting *c = data;
    double weight = cairn_view_weight(c->view, position);
    bool right = code == c->view->target->codes[cairn_view_row(c->view, position)];
    (void)scores;
    c->model->answered[stage] += weight;
    if (!right) c->model->wrong[stage] += weight;
}

/* A stage: fit it to the rows that reach it, let go those that it is sure of. */
static cairn_status fit_stage(cairn_context *ctx, cascade_model *m, passage *way,
                              const cairn_member_plans *plans, size_t i)
{
    const cascade_params *p = way->job->params;
    const cairn_job *job = way->job;
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_rows rows = job->view->rows;
    SCOPED_SCRATCH(ctx);
    if (p->learn == LEARN_UNSURE)
        CHECK(cairn_rows_at(ctx, &rows, job->view, way->positions, way->n));
    if (job->steps) CHECK(cairn_report_new(ctx, &part));
    cairn_status status =
        cairn_member_plan_fit(ctx, &m->members.models[i], plans, i, job, rows, part);
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "cascade: stage %zu, of the %zu rows that reach it", i + 1,
                             way->n);
    CHECK(status);
    m->n_stages = m->members.n = i + 1;
    if (i + 1 < plans->n) {
        /* A stage that passes rows on has probabilities to judge by. */
        const cairn_model *model = m->members.models[i];
        const cairn_learner *learner = model->learner;
        if (!learner->gives_scores ||
            !cairn_learner_gives_probabilities(learner, model->params->values)) {
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "cascade: stage %zu, %s, gives no probabilities by which it could be sure; "
                "wrap it in 'calibrated', or let it be the last",
                i + 1, learner->entry.name);
        }
    }
    CHECK(ask_stage(ctx, way, m->members.models[i]));
    for (size_t r = 0; r < way->n; r++)
        m->reached[i] += cairn_view_weight(job->view, way->positions[r]);
    counting counted = {m, job->view};
    leave_sure(way, i, m->confidence[i], count_answer, &counted);
    cairn_report *out = job->steps;
    char prefix[32];
    if (out) {
        cairn_report_step_begin(out, "cascade: stage %zu, %s", i + 1,
                                m->members.models[i]->learner->entry.name);
        snprintf(prefix, sizeof prefix, "stage%zu", i + 1);
        cairn_report_append(out, part, prefix);
        if (m->confidence[i] > 0)
            cairn_report_worked(out, "sure of", "# of # rows, with a probability of at least #",
                                m->answered[i], m->reached[i], m->confidence[i]);
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* Stages until the members end or no row is left. */
static cairn_status cascade_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cascade_model *m = model;
    const cascade_params *p = job->params;
    SCOPED(cairn_member_plans_close) cairn_member_plans plans = {0};
    passage way;
    CHECK(cairn_member_plans_open(ctx, &plans, "cascade", &p->described, usual_stages));
    CHECK(cairn_members_buffer(ctx, &m->members, plans.n));
    m->members.n = 0; /* as many as are made */
    CHECK(NEW_EACH(ctx, plans.n, &m->reached, &m->answered, &m->wrong, &m->confidence));
    CHECK(read_confidence(ctx, m->confidence, plans.n, p->confidence));
    CHECK(start_passage(ctx, &way, job));
    for (size_t i = 0; i < plans.n && way.n; i++) CHECK(fit_stage(ctx, m, &way, &plans, i));
    if (m->members.n < plans.n)
        cairn_warn(ctx,
                   "cascade: stage %zu is sure of every row that reaches it, so that nothing is "
                   "left for the %zu behind it",
                   m->members.n, plans.n - m->members.n);
    m->confidence[m->members.n - 1] = 0;
    return CAIRN_OK;
}

/* -- answering -- */

typedef struct answering {
    cairn_prediction *out;
    double *stages; /* NULL = not wanted */
} answering;

static void put_answer(void *data, size_t position, size_t stage, int32_t code,
                       const double *scores)
{
    const answering *a = data;
    size_t k = a->out->n_classes;
    if (a->out->codes) a->out->codes[position] = code;
    if (a->out->scores) memcpy(a->out->scores + position * k, scores, k * sizeof *scores);
    if (a->stages) a->stages[position] = (double)stage + 1;
}

static cairn_status cascade_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const cascade_model *m = model;
    answering to = {.out = out};
    passage way;
    CHECK(start_passage(ctx, &way, job));
    if (out->extra) CHECK(SCRATCH(ctx, &to.stages, out->n_rows + 1));
    for (size_t i = 0; i < m->members.n && way.n; i++) {
        CHECK(ask_stage(ctx, &way, m->members.models[i]));
        leave_sure(&way, i, i + 1 < m->members.n ? m->confidence[i] : 0, put_answer, &to);
    }
    out->codes_set = true;
    if (!to.stages) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "stage", to.stages);
}

/* Whether stage i answers: its largest score is at least the confidence. */
static void push_sure(cairn_computing *c, int32_t scores, size_t k, double confidence)
{
    for (size_t j = 0; j < k; j++) cairn_computing_slot(c, scores + (int32_t)j);
    cairn_computing_do(c, CAIRN_DO_MAX, k);
    cairn_computing_number(c, confidence);
    cairn_computing_do(c, CAIRN_DO_GREATER_EQUAL, 2);
}

/* A program asks all stages and takes the first that is sure. */
static cairn_status cascade_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cascade_model *m = model;
    int32_t *scores, *classes, found;
    size_t k = job->n_classes;
    CHECK(SCRATCH(out->ctx, &scores, m->members.n + 1));
    for (size_t i = 0; i < m->members.n; i++) {
        CHECK(cairn_program_member(out, m->members.models[i]));
        CHECK(cairn_member_classes(out->ctx, &classes, m->members.models[i], job));
        scores[i] = out->answer.scores;
        if (scores[i] < 0 || classes)
            return cairn_program_refuse(out,
                                        "stage %zu has no scores, or the classes in another "
                                        "order",
                                        i + 1);
    }
    /* Scores of the first stage that is sure, else of the last. */
    cairn_computing c = cairn_computing_start(out);
    size_t n = m->members.n;
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i + 1 < n; i++) {
            push_sure(&c, scores[i], k, m->confidence[i]);
            cairn_computing_slot(&c, scores[i] + (int32_t)j);
        }
        cairn_computing_slot(&c, scores[n - 1] + (int32_t)j);
        for (size_t i = 0; i + 1 < n; i++) cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, &found));
    out->answer = (cairn_program_answer){.code = -1, .number = -1, .scores = found, .n_scores = k};
    return CAIRN_OK;
}

static const cairn_output cascade_outputs[] = {
    {"stage", "the stage that answers the row"},
    {0},
};

/* -- the record -- */

static void cascade_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cascade_model *m = model;
    (void)job;
    cairn_report_table_of(out, "Stages", 0, "rlrrrr", "stage", "learner", "confidence",
                          "rows that reach it", "answered", "error of these");
    for (size_t i = 0; i < m->members.n; i++) {
        double error = m->answered[i] > 0 ? m->wrong[i] / m->answered[i] : (double)NAN;
        cairn_report_cells(out,
                           "- - stage$1.confidence stage$1.reached stage$1.answered stage$1.error",
                           i + 1, m->members.models[i]->learner->entry.name, m->confidence[i],
                           m->reached[i], m->answered[i], error);
    }
    cairn_report_table_end(out);
    cairn_members_describe(out, &m->members);
}

/* What a stage says of the one row on its way; returns whether it answers. */
static bool show_passing(cairn_report *out, const cascade_model *m, const passage *way, size_t i)
{
    double confidence = i + 1 < m->members.n ? m->confidence[i] : 0;
    int32_t best = best_class(way->scores, way->job->n_classes);
    bool sure = is_sure(way->scores, best, confidence);
    const char *says = best < 0 ? "no answer" : cairn_schema_class(way->job->schema, best);
    cairn_report_cellf(out, "%zu", i + 1);
    if (sure) cairn_report_row_mark(out);
    cairn_report_prefix(out, "stage%zu", i + 1);
    cairn_report_cells(out, "- @.says @.probability", m->members.models[i]->learner->entry.name,
                       says, best < 0 ? (double)NAN : way->scores[best], confidence);
    return sure;
}

static cairn_status pass_stages(cairn_context *ctx, cairn_report *out, const cascade_model *m,
                                const cairn_job *job)
{
    passage way;
    bool sure = false;
    size_t i;
    CHECK(start_passage(ctx, &way, job));
    cairn_report_table_of(out, "The stages that the row comes to", 0, "rllrr", "stage", "learner",
                          "says", "probability", "needed");
    for (i = 0; i < m->members.n && !sure; i++) {
        CHECK(ask_stage(ctx, &way, m->members.models[i]));
        sure = show_passing(out, m, &way, i);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "answered by stage", (double)i, "stage");
    return CAIRN_OK;
}

static void cascade_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    uint32_t index = (uint32_t)cairn_view_row(job->view, row);
    cairn_view view = *job->view;
    cairn_job one = *job;
    view.rows = (cairn_rows){.indices = &index, .n = 1};
    one.view = &view;
    cairn_report_failed(out, pass_stages(ctx, out, model, &one));
}

static const cairn_kept cascade_keeps[] = {
    KEEP_SIZE(cascade_model, n_stages, CAIRN_MOST_MEMBERS, .name = "stages"),
    KEEP_ARRAYS(cascade_model, "n_stages", reached, answered, wrong, confidence),
    KEEP_PART(cascade_model, members, .rows = cairn_members_keeps),
    KEEP_SAME("members.n", "n_stages", "there are not as many models as stages"),
    KEEP_END,
};

static cairn_status cascade_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_members_check_loaded(a, &((const cascade_model *)model)->members, job);
}

static const cairn_model *cascade_member(const void *model, size_t i)
{
    return cairn_members_at(&((const cascade_model *)model)->members, i);
}

static void write_stages(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cascade_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nnnnn", "stage", "confidence", "reached", "answered", "wrong");
    for (size_t i = 0; i < m->members.n; i++)
        cairn_ledger_cells(out, (double)i + 1, m->confidence[i], m->reached[i], m->answered[i],
                           m->wrong[i]);
}

static const cairn_learned cascade_tables[] = {
    CAIRN_LEARNED("stages", "stage, and what becomes of the training rows there", write_stages),
    CAIRN_LEARNED_END};

const cairn_learner cairn_cascade = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "cascade",
         .also = "cascading, multistage classifier, serial ensemble, classifier cascade",
         .title = "Learners one behind the other",
         .summary =
             "Stages of learners, the cheap ones first: a row whose best class has enough "
             "probability is answered, the others go on to the next stage, which has learned "
             "from such rows (or from all). The last stage answers what reaches it. Without "
             "members the stages are a tree of depth 2 and knn. How many rows reach and "
             "leave each stage is shown; predict --output class,stage tells the stage of a row.",
         .references = "Kaynak and Alpaydin, Multistage cascading of multiple classifiers: "
                       "one man's noise is another man's data, ICML 2000",
         .example = "cairn fit cascade @iris --learner tree:max-depth=1 --learner bayes "
                    "--learner knn",
         .params = cascade_param_table,
         .params_size = sizeof(cascade_params),
         .check = cascade_check},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE,
    .model_size = sizeof(cascade_model),
    .member = cascade_member,
    .tables = cascade_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = cascade_outputs,
    .tasks_of = cascade_tasks,
    .fit = cascade_fit,
    .lower = cascade_lower,
    .predict = cascade_predict,
    .describe = cascade_describe,
    .explain = cascade_explain,
    .keeps = cascade_keeps,
    .parameters = "",
    .check = cascade_check_loaded,
};
