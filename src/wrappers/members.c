/* SPDX-License-Identifier: MIT */
/* Members of an ensemble: see members.h. */
#include "data/ledger.h"
#include "learners/tree/tree.h"
#include "model/kept_parts.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "transforms/computing.h"
#include "wrappers/members.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members as a program: their programs one after the other, then the vote or the mean. */

cairn_status cairn_member_lower_code(cairn_program *out, const cairn_model *model, int32_t *code)
{
    CHECK(cairn_program_member(out, model));
    *code = out->answer.code;
    if (*code >= 0) return CAIRN_OK;
    return cairn_lower_largest(out, out->answer.scores, out->answer.n_scores, code);
}

/* Where a member's answer is found. */
typedef struct member_answer {
    int32_t first;    /* slot of its class, or of its first score */
    bool scored;      /* it is a score */
    int32_t *classes; /* its codes of the classes; NULL = the same */
} member_answer;

/* Totals of all classes. */
static cairn_status lower_totals(cairn_program *p, const cairn_members *members,
                                 cairn_combining rule, const member_answer *answers, size_t k,
                                 int32_t *out)
{
    bool weighs = rule.vote == CAIRN_VOTE_WEIGHTED || cairn_vote_of_shares(rule.vote);
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < members->n; i++) {
            const member_answer *a = &answers[i];
            double weight = weighs ? members->weights[i] : 1;
            size_t own = a->classes ? (size_t)a->classes[j] : j;
            if (a->scored) {
                int32_t scores = a->first;
                cairn_computing_slot(&c, scores + (int32_t)own);
                cairn_computing_number(&c, weight);
                cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
            } else {
                /* Push 1 where the class in the slot is c. */
                int32_t code = a->first;
                cairn_computing_slot(&c, code);
                cairn_computing_number(&c, (double)own);
                cairn_computing_do(&c, CAIRN_DO_EQUAL, 2);
                cairn_computing_number(&c, weight);
                cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
            }
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, members->n);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

static void push_all(cairn_computing *c, int32_t totals, size_t k, int instruction)
{
    for (size_t j = 0; j < k; j++) cairn_computing_slot(c, totals + (int32_t)j);
    cairn_computing_do(c, instruction, k);
}

/* Totals as shares, and which of them are as good as the largest. */
static cairn_status lower_shares(cairn_program *p, int32_t totals, size_t k, int32_t *shares,
                                 int32_t *best)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, totals + (int32_t)j);
        push_all(&c, totals, k, CAIRN_DO_SUM);
        cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, shares));
    c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, totals + (int32_t)j);
        push_all(&c, totals, k, CAIRN_DO_MAX);
        push_all(&c, totals, k, CAIRN_DO_SUM);
        cairn_computing_number(&c, CAIRN_POLL_ROUNDING);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        cairn_computing_do(&c, CAIRN_DO_GREATER_EQUAL, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, best);
}

/* Totals of the classes from the answers of all members; the first of the largest wins. */
static cairn_status lower_vote(cairn_program *p, const cairn_members *members, cairn_combining rule,
                               const cairn_job *job)
{
    bool shares = cairn_vote_of_shares(rule.vote);
    member_answer *answers;
    int32_t totals, scores, best, first, code;
    size_t k = job->n_classes;
    if (rule.vote > CAIRN_VOTE_PROBABILITIES)
        return cairn_program_refuse(p, "products and medians of probabilities have no program");
    CHECK(SCRATCH(p->ctx, &answers, members->n + 1));
    for (size_t i = 0; i < members->n; i++) {
        member_answer *a = &answers[i];
        CHECK(cairn_member_lower_code(p, members->models[i], &a->first));
        a->scored = shares && p->answer.scores >= 0 && members->models[i]->learner->gives_scores;
        if (a->scored) a->first = p->answer.scores;
        CHECK(cairn_member_classes(p->ctx, &a->classes, members->models[i], job));
    }
    CHECK(lower_totals(p, members, rule, answers, k, &totals));
    CHECK(lower_shares(p, totals, k, &scores, &best));
    CHECK(cairn_lower_largest(p, best, k, &first));
    /* The winner, -2 without a majority where one is asked for, -1 where nobody has an answer. */
    double half = rule.vote == CAIRN_VOTE_MAJORITY ? (double)members->n / 2 : 0;
    cairn_computing c = cairn_computing_start(p);
    push_all(&c, totals, k, CAIRN_DO_SUM);
    cairn_computing_number(&c, 0);
    cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    if (half > 0) {
        push_all(&c, totals, k, CAIRN_DO_MAX);
        cairn_computing_number(&c, half);
        cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    }
    cairn_computing_slot(&c, first);
    if (half > 0) cairn_computing_number(&c, -2);
    if (half > 0) cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_number(&c, -1);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &code));
    p->answer = (cairn_program_answer){.code = code, .number = -1, .scores = scores, .n_scores = k};
    return CAIRN_OK;
}

static cairn_status lower_mean(cairn_program *p, const cairn_members *members, cairn_combining rule)
{
    int32_t *numbers, out;
    double *weights, sum = 0, zero = 0;
    CHECK(SCRATCH_EACH(p->ctx, members->n + 1, &numbers, &weights));
    for (size_t i = 0; i < members->n; i++) {
        weights[i] = rule.average == CAIRN_AVERAGE_WEIGHTED ? members->weights[i] : 1;
        sum += weights[i];
        CHECK(cairn_program_member(p, members->models[i]));
        numbers[i] = p->answer.number;
    }
    for (size_t i = 0; i < members->n; i++) weights[i] /= sum;
    CHECK(cairn_lower_affine(p, numbers, members->n, 1, &zero, weights, NULL, &out));
    p->answer = (cairn_program_answer){.code = -1, .number = out, .scores = -1};
    return CAIRN_OK;
}

cairn_status cairn_members_lower(cairn_program *out, const cairn_members *members,
                                 cairn_combining rule, const cairn_job *job)
{
    if (job->task == CAIRN_CLASSIFY) return lower_vote(out, members, rule, job);
    if (rule.average == CAIRN_AVERAGE_MEDIAN)
        return cairn_program_refuse(
            out, "%s",
            cairn_say(out->ctx, "a program has no operation for the median of its members; fit it "
                                "with {average mean}"));
    return lower_mean(out, members, rule);
}

enum { CHUNK_NUMBERS = 1 << 23 }; /* answers of members that are held at a time */

cairn_status cairn_members_buffer(cairn_context *ctx, cairn_members *out, size_t n)
{
    CHECK(NEW_EACH(ctx, n, &out->weights, &out->models));
    for (size_t i = 0; i < n; i++) out->weights[i] = 1;
    out->n = n;
    return CAIRN_OK;
}

const cairn_kept cairn_members_keeps[] = {
    KEEP_SIZE(cairn_members, n, CAIRN_MOST_MEMBERS, .name = "members", .least = 1,
              .why = "there is no member"),
    KEEP_ARRAYS(cairn_members, "n", weights),
    KEEP_PARTS(cairn_members, models, "n", .part = &cairn_kept_model),
    KEEP_END,
};

/* Every class of the job is one of the model's. */
static cairn_status check_classes(cairn_archive *a, const cairn_model *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_archive_context(a);
    int32_t *classes;
    SCOPED_SCRATCH(ctx);
    if (!cairn_model_target(model)) return cairn_archive_damaged(a, "a member has no target");
    CHECK(cairn_member_classes(ctx, &classes, model, job));
    for (size_t c = 0; classes && c < job->n_classes; c++)
        if (classes[c] < 0) return cairn_archive_damaged(a, "a member has other classes");
    return CAIRN_OK;
}

cairn_status cairn_members_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_members *members = model;
    for (size_t i = 0; i < members->n; i++) {
        CHECK(cairn_nested_check_loaded(a, members->models[i], job, false));
        CHECK(check_classes(a, members->models[i], job));
        if (!(members->weights[i] >= 0 && isfinite(members->weights[i])))
            return cairn_archive_damaged(a, "the weight of member %zu is not at least 0", i + 1);
    }
    return CAIRN_OK;
}

/* -- fitting -- */

typedef struct fit_work {
    cairn_members *members;
    const char *who;
    cairn_report **steps; /* of the first members; NULL = not wanted */
    cairn_member_function function;
    void *data;
} fit_work;

static cairn_status run_member(cairn_context *ctx, void *data, size_t i)
{
    const fit_work *work = data;
    SCOPED_SCRATCH(ctx);
    cairn_log_function log = ctx->log;
    cairn_report *steps = NULL;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (work->steps && i < CAIRN_MEMBERS_SHOWN) {
        CHECK(cairn_report_new(ctx, &work->steps[i])); /* of this task's context */
        steps = work->steps[i];
    }
    ctx->log = NULL; /* warnings of models side by side would mix */
    cairn_status status = work->function(ctx, work->data, i, &work->members->models[i], steps);
    ctx->log = log;
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "%s: member %zu", work->who, i + 1);
    return status;
}

cairn_status cairn_members_fit(cairn_context *ctx, cairn_members *members, const char *who,
                               cairn_report *steps, cairn_member_function function, void *data)
{
    cairn_report *parts[CAIRN_MEMBERS_SHOWN] = {0};
    fit_work work = {members, who, steps ? parts : NULL, function, data};
    cairn_status status = cairn_tasks(ctx, members->n, run_member, &work);
    if (!status && steps) {
        char prefix[32];
        for (size_t i = 0; i < work.members->n && i < CAIRN_MEMBERS_SHOWN; i++) {
            cairn_report_step_begin(steps, "%s: member %zu, %s", work.who, i + 1,
                                    work.members->models[i]->learner->entry.name);
            snprintf(prefix, sizeof prefix, "member%zu", i + 1);
            cairn_report_append(steps, work.steps[i], prefix);
            cairn_report_step_end(steps);
        }
    }
    for (size_t i = 0; i < CAIRN_MEMBERS_SHOWN; i++) cairn_report_free(parts[i]);
    return status;
}

/* Whether the rows that weigh something have one class only. */
static bool has_one_class(const cairn_view *view, cairn_rows rows)
{
    int32_t first = -1;
    for (size_t i = 0; i < rows.n; i++) {
        size_t row = rows.indices ? rows.indices[i] : i;
        int32_t code = view->target->codes[row];
        double weight = rows.weights ? rows.weights[i] : 1;
        if (view->row_weights) weight *= view->row_weights[row];
        if (code < 0 || weight <= 0) continue;
        if (first >= 0 && code != first) return false;
        first = code;
    }
    return first >= 0;
}

cairn_status cairn_member_fit_rows(cairn_context *ctx, cairn_model **out,
                                   const cairn_nested *nested, const cairn_table *table,
                                   cairn_rows rows, cairn_report *steps)
{
    OWNED(cairn_params_free) cairn_params *constant = NULL;
    const cairn_job *job = nested->job;
    cairn_fit_options fit = nested->fit;
    fit.steps = steps;
    if (job->task != CAIRN_CLASSIFY || !has_one_class(job->view, rows))
        return cairn_model_fit_shared(ctx, out, nested->params, table, rows, &fit, nested->shared);
    CHECK(cairn_params_new(ctx, &constant, "majority"));
    fit.transforms = NULL;
    return cairn_model_fit_rows(ctx, out, constant, table, rows, &fit);
}

static bool may_share(const cairn_nested *nested, const cairn_view *view)
{
    if (nested->fit.transforms || nested->job->steps) return false;
    for (size_t c = 0; c < view->n_features; c++)
        if (view->features[c]->kind != CAIRN_NUMBER && view->features[c]->kind != CAIRN_LEVEL)
            return false;
    return true;
}

cairn_status cairn_members_share(cairn_context *ctx, cairn_nested *nested, cairn_shared *buffer,
                                 const cairn_view *view)
{
    const cairn_job *job = nested->job;
    size_t n_classes = job->task == CAIRN_CLASSIFY ? job->n_classes : 0;
    nested->shared = buffer;
    if (may_share(nested, view))
        CHECK(cairn_tree_share(ctx, buffer, nested->params, view, n_classes));
    if (!buffer->data) nested->shared = NULL; /* only what is there: others would write it */
    return CAIRN_OK;
}

void cairn_members_unshare(cairn_nested *nested)
{
    cairn_shared *shared = nested->shared;
    if (shared && shared->clear) shared->clear(shared->data);
    nested->shared = NULL;
}

cairn_status cairn_members_allow(cairn_context *ctx, cairn_combining rule, cairn_task task,
                                 const cairn_params *learner)
{
    const cairn_learner *record = (const cairn_learner *)learner->entry;
    if (task != CAIRN_CLASSIFY || !cairn_vote_of_shares(rule.vote) || !record->gives_scores ||
        cairn_learner_gives_probabilities(record, learner->values))
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "the scores of %s are no probabilities; wrap it in 'calibrated', or take "
                      "{vote plurality}",
                      record->entry.name);
}

cairn_status cairn_member_classes(cairn_context *ctx, int32_t **out, const cairn_model *model,
                                  const cairn_job *job)
{
    bool same = true;
    *out = NULL;
    if (job->task != CAIRN_CLASSIFY) return CAIRN_OK;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    const cairn_map *names = &job->schema->fields[target].names;
    CHECK(SCRATCH(ctx, out, job->n_classes + 1));
    for (size_t c = 0; c < job->n_classes; c++) {
        const char *name = cairn_map_key(names, c);
        (*out)[c] = (int32_t)cairn_map_find(&cairn_model_target(model)->names, name, strlen(name));
        same &= (*out)[c] == (int32_t)c;
    }
    if (same) *out = NULL;
    return CAIRN_OK;
}

/* -- asking -- */

typedef struct ask_work {
    const cairn_members *members;
    const cairn_job *job; /* its view has the rows of the chunk alone */
    const uint8_t *skip;
    size_t all, first, n, width; /* rows, those of the chunk, numbers of an answer */
    double *cells;
} ask_work;

/* The rows of the chunk that member i is asked about: places in the chunk and rows of the table. */
static cairn_status list_asked(cairn_context *ctx, const ask_work *w, size_t i, uint32_t **places,
                               cairn_rows *out)
{
    const cairn_view *view = w->job->view;
    uint32_t *rows;
    size_t n = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, w->n + 1, places, &rows));
    for (size_t r = 0; r < w->n; r++) {
        if (w->skip && w->skip[i * w->all + w->first + r]) continue;
        (*places)[n] = (uint32_t)r;
        rows[n++] = (uint32_t)cairn_view_row(view, r);
    }
    *out = (cairn_rows){.indices = rows, .n = n};
    return CAIRN_OK;
}

/* The job's code of a class that the model calls `code`; NaN = no answer. */
static double own_code(int32_t code, const int32_t *classes, size_t k)
{
    if (code < 0) return NAN;
    if (!classes) return code;
    for (size_t c = 0; c < k; c++)
        if (classes[c] == code) return (double)c;
    return NAN;
}

/* What a prediction says of its row r. A member without scores is sure of its class. */
static void put_answer(double *out, size_t width, const cairn_prediction *p, const int32_t *classes,
                       size_t r)
{
    if (p->numbers) {
        out[0] = p->numbers[r];
        return;
    }
    double code = own_code(p->codes[r], classes, p->n_classes);
    if (width == 1) {
        out[0] = code;
        return;
    }
    for (size_t c = 0; c < width; c++) {
        size_t at = classes ? (size_t)classes[c] : c;
        out[c] = p->scores ? p->scores[r * width + at] : isnan(code) ? code : code == (double)c;
    }
}

cairn_status cairn_member_answers(cairn_context *ctx, double *out, size_t width,
                                  const cairn_model *model, const cairn_job *job, cairn_rows rows)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_match match = {.first_field = -1};
    cairn_predict_wants wants = {.scores = width > 1 && model->learner->gives_scores};
    const cairn_table *table = job->view->table;
    int32_t *classes;
    if (!rows.n) return CAIRN_OK;
    CHECK(cairn_member_classes(ctx, &classes, model, job));
    if (model->n_chain && rows.indices && rows.n < table->n_rows / 2) {
        /* transforms look at whole tables */
        CHECK(cairn_table_take_rows(ctx, &part, table, rows.indices, rows.n));
        table = part;
        rows = cairn_all_rows(part);
    }
    CHECK(cairn_model_predict_rows(ctx, &p, model, table, rows, wants, &match));
    for (size_t r = 0; r < rows.n; r++) put_answer(out + r * width, width, &p, classes, r);
    return CAIRN_OK;
}

static cairn_status ask_member(cairn_context *ctx, void *data, size_t i)
{
    const ask_work *w = data;
    SCOPED_SCRATCH(ctx);
    double *cells = w->cells + i * w->n * w->width, *found;
    uint32_t *places;
    cairn_rows rows;
    if (!w->skip)
        return cairn_member_answers(ctx, cells, w->width, w->members->models[i], w->job,
                                    w->job->view->rows);
    CHECK(list_asked(ctx, w, i, &places, &rows));
    CHECK(SCRATCH_RAW(ctx, &found, cairn_product(rows.n, w->width) + 1));
    CHECK(cairn_member_answers(ctx, found, w->width, w->members->models[i], w->job, rows));
    for (size_t c = 0; c < w->n * w->width; c++) cells[c] = NAN;
    for (size_t r = 0; r < rows.n; r++)
        memcpy(cells + places[r] * w->width, found + r * w->width, w->width * sizeof *cells);
    return CAIRN_OK;
}

/* Ask about rows first .. first+n-1: a chunk of a large table is a table of its own. */
static cairn_status ask_chunk(cairn_context *ctx, ask_work *w, const cairn_job *job)
{
    OWNED(cairn_table_free) cairn_table *part = NULL;
    SCOPED_SCRATCH(ctx);
    cairn_view view = *job->view;
    cairn_job asked = *job;
    uint32_t *indices;
    asked.view = &view;
    if (w->n < w->all) {
        CHECK(SCRATCH_RAW(ctx, &indices, w->n + 1));
        for (size_t r = 0; r < w->n; r++)
            indices[r] = (uint32_t)cairn_view_row(job->view, w->first + r);
        CHECK(cairn_table_take_rows(ctx, &part, view.table, indices, w->n));
        view.table = part;
        view.rows = cairn_all_rows(part);
    }
    w->job = &asked;
    cairn_status status = cairn_tasks(ctx, w->members->n, ask_member, w);
    w->job = job;
    return status;
}

cairn_status cairn_members_ask(cairn_context *ctx, const cairn_members *members,
                               cairn_combining rule, const cairn_job *job, const uint8_t *skip,
                               cairn_members_function function, void *data)
{
    bool shares = job->task == CAIRN_CLASSIFY && cairn_vote_of_shares(rule.vote);
    ask_work w = {.members = members, .skip = skip, .all = job->view->rows.n};
    w.width = shares ? job->n_classes : 1;
    size_t chunk = CHUNK_NUMBERS / (members->n * w.width);
    if (chunk < 1024) chunk = 1024;
    if (chunk > w.all) chunk = w.all;
    CHECK(SCRATCH_RAW(ctx, &w.cells, cairn_product(cairn_product(chunk, members->n), w.width) + 1));
    for (w.first = 0; w.first < w.all; w.first += chunk) {
        w.n = w.all - w.first < chunk ? w.all - w.first : chunk;
        CHECK(ask_chunk(ctx, &w, job));
        cairn_members_said said = {w.first, w.n, w.width, w.cells};
        CHECK(function(ctx, data, &said));
    }
    return CAIRN_OK;
}

void cairn_members_say(cairn_poll *poll, const cairn_members *members,
                       const cairn_members_said *said, size_t i, size_t r)
{
    const double *cell = said->cells + (i * said->n + r) * said->width;
    double weight = members->weights[i];
    if (!poll->n_classes)
        cairn_poll_number(poll, cell[0], weight);
    else if (cairn_vote_of_shares(poll->rule.vote))
        cairn_poll_shares(poll, cell, weight);
    else
        cairn_poll_class(poll, isnan(cell[0]) ? -1 : (int32_t)cell[0], weight);
}

const cairn_output cairn_members_outputs[] = {
    {"agreement", "classes: share of the votes, weights or probabilities for the answer; numbers: "
                  "standard deviation of what the members say"},
    {0},
};

typedef struct predict_work {
    const cairn_members *members;
    cairn_poll poll;
    cairn_prediction *out;
    double *agreement; /* of the rows; NULL = not wanted */
} predict_work;

static double agreement_of(const cairn_poll *poll)
{
    double sum = 0, squares = 0, most = 0, mean = 0;
    if (!poll->n) return NAN;
    for (size_t c = 0; c < poll->n_classes; c++) {
        sum += poll->totals[c];
        most = fmax(most, poll->totals[c]);
    }
    if (poll->n_classes) return sum > 0 ? most / sum : (double)NAN;
    for (size_t i = 0; i < poll->n; i++) mean += poll->numbers[i] / (double)poll->n;
    for (size_t i = 0; i < poll->n; i++) {
        double away = poll->numbers[i] - mean;
        squares += away * away;
    }
    return sqrt(squares / (double)poll->n);
}

static cairn_status combine_rows(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    predict_work *w = data;
    cairn_poll *poll = &w->poll;
    (void)ctx;
    for (size_t r = 0; r < said->n; r++) {
        size_t at = said->first + r;
        cairn_poll_start(poll);
        for (size_t i = 0; i < w->members->n; i++) cairn_members_say(poll, w->members, said, i, r);
        if (w->out->numbers) w->out->numbers[at] = cairn_poll_value(poll);
        if (w->out->codes) w->out->codes[at] = cairn_poll_winner(poll, NULL);
        if (w->agreement) w->agreement[at] = agreement_of(poll);
        if (w->out->scores) cairn_poll_scores(poll, w->out->scores + at * poll->n_classes);
    }
    return CAIRN_OK;
}

/* Classes of the poll; 0 where the task is about numbers. */
static size_t poll_classes(const cairn_job *job)
{
    return job->task == CAIRN_CLASSIFY ? job->n_classes : 0;
}

cairn_status cairn_members_predict(cairn_context *ctx, cairn_prediction *out,
                                   const cairn_members *members, cairn_combining rule,
                                   const cairn_job *job)
{
    predict_work w = {.members = members, .out = out};
    CHECK(cairn_poll_open(ctx, &w.poll, rule, poll_classes(job), members->n));
    out->codes_set = true;
    if (out->extra) CHECK(SCRATCH(ctx, &w.agreement, out->n_rows + 1));
    CHECK(cairn_members_ask(ctx, members, rule, job, NULL, combine_rows, &w));
    if (!out->extra) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "agreement", w.agreement);
}

/* -- showing -- */

typedef struct explain_work {
    const cairn_members *members;
    const cairn_job *job;
    cairn_poll poll;
    cairn_report *out;
    int32_t *codes; /* for a rule of its own; NULL = votes are counted */
} explain_work;

/* The vote table: what each class got, and how the winner was found. */
static void show_totals(const explain_work *w)
{
    const cairn_poll *poll = &w->poll;
    cairn_report *out = w->out;
    bool tied;
    int32_t winner = cairn_poll_winner(poll, &tied);
    cairn_report_table_of(out, "Votes", 0, "lr", "class",
                          poll->rule.vote == CAIRN_VOTE_PROBABILITIES ? "sum of shares"
                          : poll->rule.vote == CAIRN_VOTE_PRODUCT     ? "product, of the largest"
                          : poll->rule.vote == CAIRN_VOTE_MEDIAN      ? "median of shares"
                          : poll->rule.vote == CAIRN_VOTE_WEIGHTED    ? "weight"
                                                                      : "votes");
    for (size_t c = 0; c < poll->n_classes; c++) {
        const char *name = cairn_schema_class(w->job->schema, (int32_t)c);
        cairn_report_cell(out, name);
        if ((int32_t)c == winner) cairn_report_row_mark(out);
        cairn_report_cell_number(out, poll->totals[c], 0, "votes.%s", cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, tied ? 1 : 0, "tied");
    if (winner == -2) cairn_report_note(out, "No class has more than half of the votes.");
    if (tied && winner >= 0) cairn_report_note(out, "Several classes are equal; the first wins.");
}

/* Member by member what is said of a row, then all together. */
static cairn_status show_row(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    explain_work *w = data;
    cairn_poll *poll = &w->poll;
    (void)ctx;
    cairn_poll_start(poll);
    cairn_report_table_of(w->out, "What the members say", 0, "rlrl", "member", "learner", "weight",
                          "says");
    for (size_t i = 0; i < w->members->n; i++) {
        cairn_members_say(poll, w->members, said, i, 0);
        cairn_report_cells(w->out, NULL, i + 1, w->members->models[i]->learner->entry.name,
                           w->members->weights[i]);
        /* What a member says: a class by name, its surest one of several shares, or a number. */
        const double *cell = said->cells + i * said->width;
        size_t best = 0;
        for (size_t c = 1; c < said->width; c++)
            if (cell[c] > cell[best]) best = c;
        if (!w->poll.n_classes)
            cairn_report_cell_number(w->out, cell[0], 0, "member%zu.says", i + 1);
        else if (isnan(cell[0]))
            cairn_report_cell_word(w->out, "no answer", "member%zu.says", i + 1);
        else
            cairn_report_cell_word(w->out,
                                   cairn_schema_class(w->job->schema, said->width > 1
                                                                          ? (int32_t)best
                                                                          : (int32_t)cell[0]),
                                   "member%zu.says", i + 1);
    }
    cairn_report_table_end(w->out);
    for (size_t i = 0; w->codes && i < w->members->n; i++)
        w->codes[i] = isnan(said->cells[i]) ? -1 : (int32_t)said->cells[i];
    if (w->codes) return CAIRN_OK;
    if (poll->n_classes)
        show_totals(w);
    else
        cairn_report_value(w->out, "together", cairn_poll_value(poll), "together");
    return CAIRN_OK;
}

static void explain_row(explain_work *w, cairn_combining rule, size_t row)
{
    cairn_context *ctx = cairn_report_context(w->out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    uint32_t index = (uint32_t)cairn_view_row(w->job->view, row);
    cairn_view view = *w->job->view;
    cairn_job one = *w->job;
    view.rows = (cairn_rows){.indices = &index, .n = 1};
    one.view = &view;
    cairn_status status = cairn_poll_open(ctx, &w->poll, rule, poll_classes(w->job), w->members->n);
    if (!status) status = cairn_members_ask(ctx, w->members, rule, &one, NULL, show_row, w);
    cairn_report_failed(w->out, status);
}

void cairn_members_explain(cairn_report *out, const cairn_members *members, cairn_combining rule,
                           const cairn_job *job, size_t row)
{
    explain_work w = {.members = members, .job = job, .out = out};
    explain_row(&w, rule, row);
}

void cairn_members_explain_said(cairn_report *out, const cairn_members *members,
                                const cairn_job *job, size_t row, int32_t *codes)
{
    explain_work w = {.members = members, .job = job, .out = out, .codes = codes};
    explain_row(&w, (cairn_combining){.vote = CAIRN_VOTE_PLURALITY}, row);
}

/* Columns that a model learned from. */
static size_t n_features(const cairn_model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < model->schema.n_fields; i++)
        n += model->schema.fields[i].role == CAIRN_FEATURE;
    return n;
}

void cairn_members_describe(cairn_report *out, const cairn_members *members)
{
    char prefix[32], heading[32];
    if (!out) return;
    cairn_report_value(out, "members", (double)members->n, "members");
    cairn_report_table_of(out, "Members", 0, "rlrrr", "member", "learner", "columns", "rows",
                          "weight");
    for (size_t i = 0; i < members->n; i++) {
        const cairn_model *model = members->models[i];
        cairn_report_cells(out, "- - member$1.columns member$1.rows member$1.weight", i + 1,
                           model->learner->entry.name, (double)n_features(model),
                           (double)model->n_rows, members->weights[i]);
    }
    cairn_report_table_end(out);
    for (size_t i = 0; i < members->n && i < CAIRN_MEMBERS_SHOWN; i++) {
        snprintf(prefix, sizeof prefix, "member%zu", i + 1);
        snprintf(heading, sizeof heading, "Member %zu", i + 1);
        cairn_nested_describe(out, members->models[i], prefix, heading);
    }
    if (members->n > CAIRN_MEMBERS_SHOWN)
        cairn_report_note(out, "%zu more members are not shown.",
                          members->n - (size_t)CAIRN_MEMBERS_SHOWN);
}

/* -- tables -- */

const cairn_model *cairn_members_at(const cairn_members *members, size_t i)
{
    return i < members->n ? members->models[i] : NULL;
}

const cairn_model *cairn_members_first(const void *model, size_t i)
{
    return cairn_members_at(model, i);
}

static void write_weights(cairn_ledger *out, const void *model, const cairn_job *job)
{
    (void)job;
    const cairn_members *members = model;
    cairn_ledger_columns(out, "nn", "number", "weight");
    for (size_t i = 0; i < members->n; i++)
        cairn_ledger_cells(out, (double)i + 1, members->weights[i]);
}

const cairn_learned cairn_members_tables[] = {
    CAIRN_LEARNED("weights", "member, and what its answer counts", write_weights),
    CAIRN_LEARNED_END};
