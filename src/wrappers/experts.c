/* SPDX-License-Identifier: MIT */
/* Local experts: a gate parts the space of the features, and every part has a model of its own.
 *
 * Problem: what holds in one region of the data does not hold in another; one simple model for all
 * is wrong everywhere.
 *
 * Method:
 * 1. The gate, a clusterer, is fitted to the features alone and puts every row into a part.
 * 2. The base is fitted to the rows of each part; a further model to all rows. A part with fewer
 *    than `least` rows is answered by the latter, as are rows that the gate puts nowhere.
 * 3. A new row goes through the gate to the expert of its part.
 *
 * Cost: the gate, and a fit of the base for all rows and for the parts, side by side.
 *
 * Source: Jacobs, Jordan, Nowlan and Hinton, Adaptive mixtures of local experts (1991), with a gate
 * that decides for one expert. */
#include "model/kept_parts.h"
#include "data/ledger.h"
#include "report/table_rows.h"
#include "transforms/computing.h"
#include "wrappers/members.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = CAIRN_MOST_MEMBERS - 1 };

typedef struct experts_params {
    cairn_wrapper_params wrapper;
    const char *gate;
    const cairn_params *gate_learner;
    int64_t least;
} experts_params;

static const cairn_param experts_param_table[] = {
    CAIRN_WRAPPER(experts_params),
    CAIRN_PARAM_OBJECT(experts_params, gate, gate_learner, CAIRN_ENTRY_LEARNER, "kmeans:clusters=3",
                       "the clusterer that parts the space, such as kmeans:clusters=4",
                       .names = "learner", .often = true),
    CAIRN_PARAM_CALLED("min_rows", experts_params, least, "10", "[1,inf)",
                       "least number of rows of a part that has an expert of its own",
                       .was = "least"),
    CAIRN_PARAM_END,
};

typedef struct experts_model {
    size_t n_parts;
    int32_t *expert; /* n_parts: its member; the last member is of all rows */
    double *rows;    /* n_parts: training rows */
    cairn_members members;
    cairn_model *gate;
} experts_model;

static cairn_status experts_check(cairn_context *ctx, const void *values)
{
    const experts_params *p = values;
    const cairn_learner *gate = (const cairn_learner *)p->gate_learner->entry;
    CHECK(cairn_wrapper_check(ctx, "experts", &p->wrapper, NULL));
    cairn_status status = cairn_params_check(ctx, p->gate_learner);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "experts: gate");
    CHECK(status);
    if (!(gate->tasks & CAIRN_CLUSTER) || !gate->predict)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "experts: {gate} must be a clusterer that labels new rows, such as "
                          "kmeans; %s is none",
                          gate->entry.name);
    return CAIRN_OK;
}

static cairn_status experts_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const experts_params *p = values;
    CHECK(cairn_wrapper_tasks(ctx, &p->wrapper, out));
    *out &= CAIRN_CLASSIFY | CAIRN_REGRESS;
    return CAIRN_OK;
}

/* -- the gate -- */

/* The gate sees the features, never the target. */
static cairn_status fit_gate(cairn_context *ctx, experts_model *m, const cairn_job *job)
{
    const experts_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_table_share(ctx, &table, job->view->table));
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_TARGET) table->slots[c].role = CAIRN_IGNORED;
    fit.task = CAIRN_CLUSTER;
    if (job->steps) CHECK(cairn_report_new(ctx, &part));
    fit.steps = part;
    cairn_status status =
        cairn_model_fit_rows(ctx, &m->gate, p->gate_learner, table, job->view->rows, &fit);
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "experts: gate");
    CHECK(status);
    cairn_report_step_begin(job->steps, "experts: the gate");
    if (part) cairn_report_append(job->steps, part, "gate");
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

/* The part of every row of the job's view, -1 = none. Scratch. */
static cairn_status ask_gate(cairn_context *ctx, int32_t **out, const experts_model *m,
                             const cairn_job *job)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    size_t n = job->view->rows.n;
    CHECK(SCRATCH(ctx, out, n + 1));
    CHECK(cairn_nested_ask(ctx, &p, m->gate, job, false));
    for (size_t i = 0; i < n; i++) (*out)[i] = p.codes[i] < 0 ? -1 : p.codes[i];
    return CAIRN_OK;
}

/* -- fitting -- */

typedef struct experts_work {
    const cairn_nested *nested;
    const experts_model *model;
    const int32_t *parts; /* of the rows of the view */
} experts_work;

/* The last member learns from all rows, for parts that have no expert. */
static cairn_status fit_member(cairn_context *ctx, void *data, size_t i, cairn_model **out,
                               cairn_report *steps)
{
    const experts_work *w = data;
    cairn_rows rows;
    /* The rows that member i learns from: those of the part whose expert it is, or all. */
    const cairn_view *view = w->nested->job->view;
    const experts_model *m = w->model;
    uint32_t *positions;
    size_t n = 0;
    rows = view->rows;
    if (i + 1 != m->members.n) {
        CHECK(SCRATCH(ctx, &positions, view->rows.n + 1));
        for (size_t r = 0; r < view->rows.n; r++)
            if (w->parts[r] >= 0 && m->expert[w->parts[r]] == (int32_t)i)
                positions[n++] = (uint32_t)r;
        CHECK(cairn_rows_at(ctx, &rows, view, positions, n));
    }
    return cairn_member_fit_rows(ctx, out, w->nested, w->nested->table, rows, steps);
}

/* Count the rows of the parts; those with enough get a number among the members. */
static cairn_status name_experts(cairn_context *ctx, experts_model *m, const cairn_job *job,
                                 const int32_t *parts)
{
    const experts_params *p = job->params;
    int32_t n = 0;
    for (size_t r = 0; r < job->view->rows.n; r++)
        if (parts[r] >= 0 && (size_t)parts[r] >= m->n_parts) m->n_parts = (size_t)parts[r] + 1;
    if (m->n_parts > MOST_PARTS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "experts: the gate makes %zu parts, more than %d; choose one that makes "
                          "fewer",
                          m->n_parts, (int)MOST_PARTS);
    CHECK(NEW_EACH(ctx, m->n_parts + 1, &m->expert, &m->rows));
    for (size_t r = 0; r < job->view->rows.n; r++)
        if (parts[r] >= 0) m->rows[parts[r]]++;
    for (size_t k = 0; k < m->n_parts; k++)
        m->expert[k] = m->rows[k] >= (double)p->least ? n++ : -1;
    for (size_t k = 0; k < m->n_parts; k++)
        if (m->expert[k] < 0) m->expert[k] = n;
    return cairn_members_buffer(ctx, &m->members, (size_t)n + 1);
}

static cairn_status experts_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    experts_model *m = model;
    const experts_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    int32_t *parts;
    CHECK(cairn_nested_open(ctx, &nested, "experts", &p->wrapper, job, false));
    CHECK(fit_gate(ctx, m, job));
    CHECK(ask_gate(ctx, &parts, m, job));
    CHECK(name_experts(ctx, m, job, parts));
    experts_work work = {&nested, m, parts};
    return cairn_members_fit(ctx, &m->members, "experts", job->steps, fit_member, &work);
}

/* -- answering -- */

static size_t member_of(const experts_model *m, int32_t part)
{
    return part >= 0 && (size_t)part < m->n_parts ? (size_t)m->expert[part] : m->members.n - 1;
}

/* A member's classes or numbers, and where they are wanted its scores, into the prediction. */
static cairn_status take_answers(cairn_context *ctx, cairn_prediction *out,
                                 const cairn_model *model, const cairn_job *job,
                                 const uint32_t *places, cairn_rows rows)
{
    SCOPED_SCRATCH(ctx);
    size_t k = out->n_classes;
    double *said;
    CHECK(SCRATCH_RAW(ctx, &said, cairn_product(rows.n, out->scores ? k : 1) + 1));
    CHECK(cairn_member_answers(ctx, said, 1, model, job, rows));
    for (size_t r = 0; r < rows.n; r++) {
        if (out->numbers) out->numbers[places[r]] = said[r];
        if (out->codes) out->codes[places[r]] = isnan(said[r]) ? -1 : (int32_t)said[r];
    }
    if (!out->scores) return CAIRN_OK;
    CHECK(cairn_member_answers(ctx, said, k, model, job, rows));
    for (size_t r = 0; r < rows.n; r++)
        memcpy(out->scores + places[r] * k, said + r * k, k * sizeof *said);
    return CAIRN_OK;
}

/* Every member is asked about its own rows. */
static cairn_status ask_experts(cairn_context *ctx, cairn_prediction *out, const experts_model *m,
                                const cairn_job *job, const int32_t *parts)
{
    const cairn_view *view = job->view;
    uint32_t *places, *indices;
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n + 1, &places, &indices));
    for (size_t i = 0; i < m->members.n; i++) {
        size_t n = 0;
        for (size_t r = 0; r < view->rows.n; r++) {
            if (member_of(m, parts[r]) != i) continue;
            places[n] = (uint32_t)r;
            indices[n++] = (uint32_t)cairn_view_row(view, r);
        }
        cairn_rows rows = {.indices = indices, .n = n};
        CHECK(take_answers(ctx, out, m->members.models[i], job, places, rows));
    }
    return CAIRN_OK;
}

static cairn_status experts_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const experts_model *m = model;
    int32_t *parts;
    double *column;
    CHECK(ask_gate(ctx, &parts, m, job));
    CHECK(ask_experts(ctx, out, m, job, parts));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &column, out->n_rows + 1));
    for (size_t r = 0; r < out->n_rows; r++)
        column[r] = parts[r] < 0 ? (double)NAN : (double)parts[r] + 1;
    return cairn_table_put_numbers(ctx, out->extra, "part", column);
}

static const cairn_output experts_outputs[] = {
    {"part", "the part of the space that the gate puts the row into"},
    {0},
};

/* -- as a program -- */

static cairn_status lower_choice(cairn_program *p, const experts_model *m, int32_t part,
                                 const int32_t *slots, size_t n, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < n; j++) {
        /* Of the slots of all members, that of the row's expert: if(part = 0, ..., if(part = 1,
         * ...)). */
        for (size_t k = 0; k < m->n_parts; k++) {
            cairn_computing_slot(&c, part);
            cairn_computing_number(&c, (double)k);
            cairn_computing_do(&c, CAIRN_DO_EQUAL, 2);
            cairn_computing_slot(&c, slots[m->expert[k]] + (int32_t)j);
        }
        cairn_computing_slot(&c, slots[m->members.n - 1] + (int32_t)j);
        for (size_t k = 0; k < m->n_parts; k++) cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* A program asks the gate and all experts, and takes the answer of one. */
static cairn_status experts_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const experts_model *m = model;
    bool classes = job->task == CAIRN_CLASSIFY, scored = classes;
    int32_t *codes, *scores, part, found, shares = -1;
    CHECK(SCRATCH_EACH(out->ctx, m->members.n + 1, &codes, &scores));
    CHECK(cairn_member_lower_code(out, m->gate, &part));
    for (size_t i = 0; i < m->members.n; i++) {
        if (classes)
            CHECK(cairn_member_lower_code(out, m->members.models[i], &codes[i]));
        else
            CHECK(cairn_program_member(out, m->members.models[i]));
        if (!classes) codes[i] = out->answer.number;
        scores[i] = out->answer.scores;
        scored &= scores[i] >= 0;
    }
    CHECK(lower_choice(out, m, part, codes, 1, &found));
    if (scored) CHECK(lower_choice(out, m, part, scores, job->n_classes, &shares));
    out->answer = (cairn_program_answer){.code = classes ? found : -1,
                                         .number = classes ? -1 : found,
                                         .scores = shares,
                                         .n_scores = scored ? job->n_classes : 0};
    return CAIRN_OK;
}

/* -- the record -- */

/* Which part has how many rows and whose answers, then the models. */
static void experts_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const experts_model *m = model;
    (void)job;
    if (!out) return;
    cairn_report_table_of(out, "Parts", 0, "rrl", "part", "rows", "answered by");
    for (size_t k = 0; k < m->n_parts; k++) {
        bool own = (size_t)m->expert[k] + 1 < m->members.n;
        cairn_report_cells(out, "- part$1.rows", k + 1, m->rows[k]);
        if (own)
            cairn_report_cellf(out, "member %d", m->expert[k] + 1);
        else
            cairn_report_cell(out, "the model of all rows");
    }
    cairn_report_table_end(out);
    cairn_report_note(out,
                      "Member %zu is the model of all rows, for parts with few rows and rows "
                      "without a part.",
                      m->members.n);
    cairn_nested_describe(out, m->gate, "gate", "The gate");
    cairn_members_describe(out, &m->members);
}

static const cairn_kept experts_keeps[] = {
    KEEP_SIZE(experts_model, n_parts, MOST_PARTS, .name = "parts"),
    KEEP_ARRAYS(experts_model, "n_parts", expert, rows),
    KEEP_PART(experts_model, members, .rows = cairn_members_keeps),
    KEEP_PART(experts_model, gate, .part = &cairn_kept_model),
    KEEP_END,
};

static cairn_status experts_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const experts_model *m = model;
    CHECK(cairn_members_check_loaded(a, &m->members, job));
    if (!m->gate->learner || !m->gate->learner->predict || m->gate->task != CAIRN_CLUSTER)
        return cairn_archive_damaged(a, "the gate is no clusterer");
    for (size_t k = 0; k < m->n_parts; k++)
        if (m->expert[k] < 0 || (size_t)m->expert[k] >= m->members.n)
            return cairn_archive_damaged(a, "part %zu has no expert", k + 1);
    return CAIRN_OK;
}

enum { EXPERTS_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE };

static unsigned experts_traits(const void *params)
{
    return cairn_wrapper_traits(EXPERTS_TRAITS, &((const experts_params *)params)->wrapper);
}

/* The experts, then the gate. */
static const cairn_model *experts_member(const void *model, size_t i)
{
    const experts_model *m = model;
    return i == m->members.n ? m->gate : cairn_members_at(&m->members, i);
}

static void write_parts(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const experts_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nnn", "part", "number", "rows");
    for (size_t i = 0; i < m->n_parts; i++)
        cairn_ledger_cells(out, (double)i + 1, (double)m->expert[i] + 1, m->rows[i]);
}

static const cairn_learned experts_tables[] = {
    CAIRN_LEARNED("parts", "part that the gate sends rows to, and the number of its expert",
                  write_parts),
    CAIRN_LEARNED_END};

const cairn_learner cairn_experts = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "experts",
              .also = "local experts, mixture of experts with a hard gate, piecewise models, "
                      "clusterwise regression, local models",
              .title = "Local experts",
              .summary =
                  "A gate, any clusterer that labels new rows, parts the space of the features; "
                  "every part has a model of its own by the wrapped learner. Parts with few rows "
                  "are answered by a model of all rows. It helps simple learners where different "
                  "regions follow different laws. predict --output all tells the part of a row.",
              .references = "Jacobs, Jordan, Nowlan and Hinton, Adaptive mixtures of local "
                            "experts, Neural Computation 3 (1991)",
              .example = "cairn fit experts @iris --target petal_width --learner linear --gate "
                         "kmeans:clusters=2",
              .params = experts_param_table,
              .params_size = sizeof(experts_params),
              .check = experts_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "gate=kmeans:clusters=2,kmeans:clusters=3,kmeans:clusters=5",
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = EXPERTS_TRAITS,
    .model_size = sizeof(experts_model),
    .tables = experts_tables,
    .member = experts_member,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = experts_outputs,
    .tasks_of = experts_tasks,
    .fit = experts_fit,
    .lower = experts_lower,
    .predict = experts_predict,
    .describe = experts_describe,
    .keeps = experts_keeps,
    .parameters = "",
    .check = experts_check_loaded,
    .traits_with = experts_traits,
};
