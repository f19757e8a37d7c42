/* SPDX-License-Identifier: MIT */
/* Boosting with three learners.
 *
 * Problem: a learner that is only somewhat better than chance is to become a good one.
 *
 * Method:
 * 1. The rows are dealt at random into three parts X1, X2, X3 of (almost) equal size.
 * 2. d1 learns from X1.
 * 3. d1 answers X2. d2 learns from all rows that it gets wrong and as many that it gets right, so
 *    that d1 is no better than chance there.
 * 4. d1 and d2 answer X3. d3 learns from the rows about which they disagree.
 * 5. A new row gets the answer of d1 and d2 where they agree, else that of d3.
 *
 * With `depth` above 1 each of the three is itself made in this way of learners of depth - 1: 3^d
 * learners, whose samples shrink by more than a third each time. Where a part has nothing to learn
 * from (d1 makes no error, d1 and d2 agree everywhere) the later learners are left out, and this
 * is said.
 *
 * Cost: three fits of the base on a third of the rows, or less, and two predictions.
 *
 * Source: Schapire, The strength of weak learnability (1990). */
#include "transforms/computing.h"
#include "report/table_rows.h"
#include "wrappers/members.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEARNERS = 3, FEW_ROWS = 30, ROWS_SHOWN = 20 };

typedef struct three_params {
    cairn_wrapper_params wrapper;
    const char *second, *third;
    const cairn_params *second_learner, *third_learner;
    int depth;
} three_params;

static const cairn_param three_param_table[] = {
    CAIRN_WRAPPER(three_params),
    CAIRN_PARAM_OBJECT(three_params, second, second_learner, CAIRN_ENTRY_LEARNER, NULL,
                       "the second learner; the base if not given", .names = "learner"),
    CAIRN_PARAM_OBJECT(three_params, third, third_learner, CAIRN_ENTRY_LEARNER, NULL,
                       "the third learner; the base if not given", .names = "learner"),
    CAIRN_PARAM(three_params, depth, "1", "[1,6]",
                "how often the method is applied to its own learners; 1 = three learners, 2 = "
                "nine"),
    CAIRN_PARAM_END,
};

/* What happened when learner i was made. */
typedef struct three_stage {
    double part;    /* rows of its part */
    double learned; /* rows that it learned from */
    double wrong;   /* share of the next part that is answered wrongly by it, NaN = none is left */
} three_stage;

typedef struct three_model {
    three_stage stages[LEARNERS];
    double disagree; /* rows of X3 about which d1 and d2 disagree */
    double error;    /* of all three on the training rows, by weight */
    cairn_members members;
} three_model;

static const cairn_params *learner_of(const three_params *p, size_t i)
{
    const cairn_params *own = i == 1 ? p->second_learner : i == 2 ? p->third_learner : NULL;
    return own ? own : p->wrapper.learner;
}

static cairn_status three_check(cairn_context *ctx, const void *values)
{
    const three_params *p = values;
    for (size_t i = 0; i < LEARNERS; i++) {
        cairn_wrapper_params wrapper = p->wrapper;
        wrapper.learner = learner_of(p, i);
        CHECK(cairn_wrapper_check(ctx, "boost-three", &wrapper, NULL));
    }
    return CAIRN_OK;
}

/* -- the parts -- */

typedef struct three_work {
    const cairn_job *job;
    three_model *model;
    uint32_t *order;             /* positions of the view, shuffled: X1, X2, X3 */
    size_t starts[LEARNERS + 1]; /* where the parts begin */
} three_work;

static cairn_status deal_rows(cairn_context *ctx, three_work *w)
{
    size_t n = w->job->view->rows.n, *order;
    cairn_random random;
    if (n < LEARNERS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "boost-three: %zu row%s cannot be dealt into three parts; give it more "
                          "rows, or use bagging",
                          n, n == 1 ? "" : "s");
    CHECK(SCRATCH_EACH(ctx, n + 1, &order, &w->order));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    cairn_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) w->order[i] = (uint32_t)order[i];
    for (size_t i = 0; i <= LEARNERS; i++) w->starts[i] = i * n / LEARNERS;
    return CAIRN_OK;
}

/* -- learning -- */

/* Learner i from positions of the view. */
static cairn_status fit_learner(cairn_context *ctx, three_work *w, size_t i,
                                const uint32_t *positions, size_t n)
{
    const three_params *p = w->job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    OWNED(cairn_params_free) cairn_params *inner = NULL;
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_wrapper_params wrapper = p->wrapper;
    cairn_report *steps = w->job->steps;
    cairn_rows rows;
    char prefix[16];
    /* With depth above 1 and rows enough for thirds of thirds: this wrapper with one less. */
    const cairn_params *base = learner_of(p, i);
    char depth[16];
    inner = NULL;
    if (!(p->depth <= 1) && !(n < FEW_ROWS)) {
        CHECK(cairn_params_new(ctx, &inner, "boost-three"));
        snprintf(depth, sizeof depth, "%d", p->depth - 1);
        CHECK(cairn_params_set(ctx, inner, "depth", depth));
        CHECK(cairn_params_set_object(ctx, inner, "base", base));
    }
    wrapper.learner = inner ? inner : learner_of(p, i);
    CHECK(cairn_nested_open(ctx, &nested, "boost-three", &wrapper, w->job, false));
    CHECK(cairn_rows_at(ctx, &rows, w->job->view, positions, n));
    if (steps) CHECK(cairn_report_new(ctx, &part));
    cairn_status status =
        cairn_member_fit_rows(ctx, &w->model->members.models[i], &nested, nested.table, rows, part);
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "boost-three: learner %zu", i + 1);
    CHECK(status);
    w->model->members.n = i + 1;
    w->model->stages[i].learned = (double)n;
    cairn_report_step_begin(steps, "boost-three: learner d%zu learns from %zu rows", i + 1, n);
    snprintf(prefix, sizeof prefix, "d%zu", i + 1);
    if (part) cairn_report_append(steps, part, prefix);
    cairn_report_step_end(steps);
    return CAIRN_OK;
}

/* The answers of learner i for part number `part`. Scratch. */
static cairn_status ask_part(cairn_context *ctx, int32_t **out, const three_work *w, size_t i,
                             size_t part)
{
    size_t n = w->starts[part + 1] - w->starts[part];
    double *said;
    cairn_rows rows;
    CHECK(SCRATCH_EACH(ctx, n + 1, out, &said));
    CHECK(cairn_rows_at(ctx, &rows, w->job->view, w->order + w->starts[part], n));
    CHECK(cairn_member_answers(ctx, said, 1, w->model->members.models[i], w->job, rows));
    for (size_t r = 0; r < n; r++) (*out)[r] = isnan(said[r]) ? -1 : (int32_t)said[r];
    return CAIRN_OK;
}

static int32_t truth(const three_work *w, size_t place)
{
    const cairn_view *view = w->job->view;
    return view->target->codes[cairn_view_row(view, w->order[place])];
}

/* Share by weight of the part's rows that are answered wrongly. */
static double share_wrong(const three_work *w, const int32_t *codes, size_t part)
{
    double wrong = 0, all = 0;
    for (size_t at = w->starts[part]; at < w->starts[part + 1]; at++) {
        double weight = cairn_view_weight(w->job->view, w->order[at]);
        all += weight;
        if (codes[at - w->starts[part]] != truth(w, at)) wrong += weight;
    }
    return all > 0 ? wrong / all : (double)NAN;
}

/* All rows of X2 that d1 gets wrong and as many of the right ones, the first in the order in which
 * they were dealt. */
static void choose_second(const three_work *w, const int32_t *codes, uint32_t *out, size_t *n,
                          size_t *n_wrong)
{
    size_t right = 0;
    *n = *n_wrong = 0;
    for (size_t at = w->starts[1]; at < w->starts[2]; at++)
        *n_wrong += codes[at - w->starts[1]] != truth(w, at);
    for (size_t at = w->starts[1]; at < w->starts[2]; at++) {
        bool wrong = codes[at - w->starts[1]] != truth(w, at);
        if (!wrong && right++ >= *n_wrong) continue;
        out[(*n)++] = w->order[at];
    }
}

/* -- steps -- */

/* What is told of a row of a part: its number, its class, and what the first learners say. */
static void show_row(const three_work *w, size_t place, const int32_t *const *said, size_t n,
                     bool taken)
{
    cairn_report *out = w->job->steps;
    const cairn_schema *schema = w->job->schema;
    size_t row = cairn_view_row(w->job->view, w->order[place]) + 1;
    if (taken) cairn_report_row_mark(out);
    cairn_report_cellf(out, "%zu", row);
    for (size_t i = 0; i < n; i++) {
        int32_t code = said[i][0];
        const char *says = code < 0 ? "no answer" : cairn_schema_class(schema, code);
        cairn_report_cell_word(out, says, "row%zu.d%zu", row, i + 1);
    }
    cairn_report_cell_word(out, cairn_schema_class(schema, truth(w, place)), "row%zu.class", row);
}

/* The first rows of a part; those that the next learner learns from, which stand in `chosen` in
 * the order of the part, are marked. */
static void show_part(const three_work *w, size_t part, const int32_t *first, const int32_t *second,
                      const uint32_t *chosen, size_t n_chosen)
{
    cairn_report *out = w->job->steps;
    size_t n = w->starts[part + 1] - w->starts[part], next = 0;
    cairn_report_table_of(out, NULL, ROWS_SHOWN, second ? "rlll" : "rll", "row", "d1 says",
                          second ? "d2 says" : "class", "class");
    for (size_t r = 0; r < n && r < ROWS_SHOWN; r++) {
        const int32_t *said[] = {first + r, second ? second + r : NULL};
        size_t place = w->starts[part] + r;
        bool taken = next < n_chosen && chosen[next] == w->order[place];
        next += taken;
        show_row(w, place, said, second ? 2 : 1, taken);
    }
    cairn_report_table_end(out);
    if (n > ROWS_SHOWN) cairn_report_paragraph(out, "%zu more rows are not shown.", n - ROWS_SHOWN);
}

static void show_second(const three_work *w, const int32_t *codes, const uint32_t *chosen, size_t n,
                        size_t n_wrong)
{
    cairn_report *out = w->job->steps;
    double part = (double)(w->starts[2] - w->starts[1]);
    if (!out) return;
    cairn_report_step_begin(out, "boost-three: what d2 learns from");
    cairn_report_paragraph(out, "d1 answers the second part. All rows that it gets wrong and as "
                                "many that it gets right, the marked ones, are for d2.");
    show_part(w, 1, codes, NULL, chosen, n);
    cairn_report_worked(out, "error of d1 on X2", "# / # = #", (double)n_wrong, part,
                        (double)n_wrong / part);
    cairn_report_worked(out, "rows for d2", "# wrong + # right = #", (double)n_wrong,
                        (double)(n - n_wrong), (double)n);
    cairn_report_hidden(out, (double)n_wrong, "stage2.wrong");
    cairn_report_hidden(out, (double)(n - n_wrong), "stage2.right");
    cairn_report_step_end(out);
}

/* -- the stages -- */

static cairn_status fit_second(cairn_context *ctx, three_work *w)
{
    uint32_t *chosen;
    int32_t *codes;
    size_t n, n_wrong;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &chosen, w->starts[2] - w->starts[1] + 1));
    CHECK(ask_part(ctx, &codes, w, 0, 1));
    choose_second(w, codes, chosen, &n, &n_wrong);
    w->model->stages[0].wrong = share_wrong(w, codes, 1);
    show_second(w, codes, chosen, n, n_wrong);
    if (n_wrong) return fit_learner(ctx, w, 1, chosen, n);
    cairn_warn(ctx, "boost-three: the first learner makes no error on the second part, so that "
                    "the others have nothing to learn from: its answers are those of the model");
    return CAIRN_OK;
}

/* d3 is for the rows about which the first two disagree. */
static cairn_status fit_third(cairn_context *ctx, three_work *w)
{
    uint32_t *chosen;
    int32_t *first, *second;
    size_t n = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &chosen, w->starts[3] - w->starts[2] + 1));
    CHECK(ask_part(ctx, &first, w, 0, 2));
    CHECK(ask_part(ctx, &second, w, 1, 2));
    for (size_t at = w->starts[2]; at < w->starts[3]; at++)
        if (first[at - w->starts[2]] != second[at - w->starts[2]]) chosen[n++] = w->order[at];
    w->model->stages[1].wrong = share_wrong(w, second, 2);
    w->model->disagree = (double)n;
    cairn_report *out = w->job->steps;
    double part = (double)(w->starts[3] - w->starts[2]);
    if (out) {
        cairn_report_step_begin(out, "boost-three: what d3 learns from");
        cairn_report_paragraph(out, "d1 and d2 answer the third part. The marked rows, about which "
                                    "they disagree, are for d3.");
        show_part(w, 2, first, second, chosen, n);
        cairn_report_worked(out, "rows of X3 about which d1 and d2 disagree", "# of # = #",
                            (double)n, part, (double)n / part);
        cairn_report_step_end(out);
    }
    if (n) return fit_learner(ctx, w, 2, chosen, n);
    cairn_warn(ctx, "boost-three: the first two learners agree about every row of the third part, "
                    "so that there is no third one: the first answers where they do not");
    return CAIRN_OK;
}

static void warn_small(cairn_context *ctx, const three_work *w)
{
    const three_model *m = w->model;
    for (size_t i = 0; i < m->members.n; i++)
        if (m->stages[i].learned < FEW_ROWS) {
            cairn_warn(ctx,
                       "boost-three: learner %zu learns from %zu rows only; the method needs a "
                       "large sample",
                       i + 1, (size_t)m->stages[i].learned);
            return;
        }
}

/* -- answering -- */

/* Agreement, else the third; without a third the first. */
static int32_t decide(const int32_t *codes, size_t n)
{
    if (n == 1 || (codes[0] == codes[1] && codes[0] >= 0)) return codes[0];
    return codes[n == LEARNERS ? 2 : 0];
}

typedef struct answer_work {
    const cairn_members *members;
    int32_t *out;
} answer_work;

static cairn_status decide_rows(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    const answer_work *w = data;
    (void)ctx;
    for (size_t r = 0; r < said->n; r++) {
        int32_t codes[LEARNERS] = {0};
        for (size_t i = 0; i < w->members->n; i++) {
            double cell = said->cells[i * said->n + r];
            codes[i] = isnan(cell) ? -1 : (int32_t)cell;
        }
        w->out[said->first + r] = decide(codes, w->members->n);
    }
    return CAIRN_OK;
}

static cairn_status answer(cairn_context *ctx, int32_t *out, const three_model *m,
                           const cairn_job *job)
{
    answer_work w = {&m->members, out};
    cairn_combining plurality = {.vote = CAIRN_VOTE_PLURALITY};
    return cairn_members_ask(ctx, &m->members, plurality, job, NULL, decide_rows, &w);
}

static cairn_status three_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    out->codes_set = true;
    return answer(ctx, out->codes, model, job);
}

/* if(d1 = d2 and d1 is known, d1, d3) */
static cairn_status three_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const three_model *m = model;
    int32_t codes[LEARNERS], answer;
    (void)job;
    if (m->members.n < LEARNERS) {
        CHECK(cairn_member_lower_code(out, m->members.models[0], &answer));
        out->answer = (cairn_program_answer){.code = answer, .number = -1, .scores = -1};
        return CAIRN_OK;
    }
    for (size_t i = 0; i < LEARNERS; i++)
        CHECK(cairn_member_lower_code(out, m->members.models[i], &codes[i]));
    cairn_computing c = cairn_computing_start(out);
    cairn_computing_slot(&c, codes[0]);
    cairn_computing_slot(&c, codes[1]);
    cairn_computing_do(&c, CAIRN_DO_EQUAL, 2);
    cairn_computing_slot(&c, codes[0]);
    cairn_computing_number(&c, 0);
    cairn_computing_do(&c, CAIRN_DO_GREATER_EQUAL, 2);
    cairn_computing_do(&c, CAIRN_DO_AND, 2);
    cairn_computing_slot(&c, codes[0]);
    cairn_computing_slot(&c, codes[2]);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &answer));
    out->answer = (cairn_program_answer){.code = answer, .number = -1, .scores = -1};
    return CAIRN_OK;
}

/* The error of all three together on the rows that they were made of. */
static cairn_status judge(cairn_context *ctx, three_model *m, const cairn_job *job)
{
    double wrong = 0, all = 0;
    int32_t *codes;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &codes, job->view->rows.n + 1));
    CHECK(answer(ctx, codes, m, job));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        double weight = cairn_view_weight(job->view, i);
        all += weight;
        if (codes[i] != job->view->target->codes[cairn_view_row(job->view, i)]) wrong += weight;
    }
    m->error = all > 0 ? wrong / all : (double)NAN;
    return CAIRN_OK;
}

static cairn_status three_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    three_model *m = model;
    three_work w = {.job = job, .model = m};
    CHECK(deal_rows(ctx, &w));
    CHECK(cairn_members_buffer(ctx, &m->members, LEARNERS));
    m->members.n = 0; /* as many as are made */
    for (size_t i = 0; i < LEARNERS; i++)
        m->stages[i] = (three_stage){.part = (double)(w.starts[i + 1] - w.starts[i]), .wrong = NAN};
    CHECK(fit_learner(ctx, &w, 0, w.order, w.starts[1]));
    CHECK(fit_second(ctx, &w));
    if (m->members.n == 2) CHECK(fit_third(ctx, &w));
    warn_small(ctx, &w);
    return judge(ctx, m, job);
}

/* -- the record -- */

static void three_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const three_model *m = model;
    (void)job;
    cairn_report_table_of(out, "Stages", 0, "lrrr", "learner", "rows of its part",
                          "rows learned from", "error on the next part");
    for (size_t i = 0; i < m->members.n; i++) {
        cairn_report_cellf(out, "d%zu", i + 1);
        cairn_report_prefix(out, "stage%zu", i + 1);
        cairn_report_cells(out, "@.part @.rows @.error", m->stages[i].part, m->stages[i].learned,
                           m->stages[i].wrong);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "rows about which the first two disagree", m->disagree, "disagree");
    cairn_report_value(out, "error of all on the training rows", m->error, "together.error");
    cairn_members_describe(out, &m->members);
}

static void three_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const three_model *m = model;
    int32_t codes[LEARNERS] = {-1, -1, -1};
    cairn_members_explain_said(out, &m->members, job, row, codes);
    bool agree = codes[0] == codes[1] && codes[0] >= 0;
    cairn_report_word(out, "decided by",
                      m->members.n == 1          ? "d1, which is alone"
                      : agree                    ? "d1 and d2, which agree"
                      : m->members.n == LEARNERS ? "d3, because d1 and d2 do not agree"
                                                 : "d1, because there is no d3",
                      "decided_by");
}

#define KEEP_STAGE(i) KEEP(three_model, stages[i].part, stages[i].learned, stages[i].wrong)
static const cairn_kept three_keeps[] = {
    KEEP_STAGE(0),
    KEEP_STAGE(1),
    KEEP_STAGE(2),
    KEEP(three_model, disagree, error),
    KEEP_PART(three_model, members, .rows = cairn_members_keeps),
    KEEP_END,
};

static cairn_status three_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const three_model *m = model;
    if (m->members.n > LEARNERS) return cairn_archive_damaged(a, "there are too many learners");
    return cairn_members_check_loaded(a, &m->members, job);
}

enum { THREE_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE };

static const cairn_model *three_member(const void *model, size_t i)
{
    return cairn_members_at(&((const three_model *)model)->members, i);
}

const cairn_learner cairn_boost_three = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "boost-three",
              .also = "original boosting, Schapire's boosting, boosting by filtering, boosting "
                      "with three learners",
              .title = "Boosting with three learners",
              .summary =
                  "Deals the rows into thirds. The first learner takes one; the second learns from "
                  "the rows of the next third that the first gets wrong and as many that it gets "
                  "right; the third from those of the last third about which the two disagree. "
                  "Where the first two agree that is the answer, else the third one's. The "
                  "learners may differ, and --depth applies the method to its own learners. It "
                  "needs many rows: sizes and errors of the stages are shown.",
              .references = "Schapire, The strength of weak learnability, Machine Learning 5 "
                            "(1990)",
              .example = "cairn fit boost-three @iris --learner tree:max-depth=1",
              .params = three_param_table,
              .params_size = sizeof(three_params),
              .check = three_check},
    .tasks = CAIRN_CLASSIFY,
    .space = "depth=1,2,3",
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = THREE_TRAITS,
    .model_size = sizeof(three_model),
    .member = three_member,
    .sets_codes = true,
    .fit = three_fit,
    .lower = three_lower,
    .predict = three_predict,
    .describe = three_describe,
    .explain = three_explain,
    .keeps = three_keeps,
    .parameters = "",
    .check = three_check_loaded,
};

const cairn_members *cairn_boost_three_members(const cairn_model *model)
{
    return model->learner == &cairn_boost_three ? &((const three_model *)model->state)->members
                                                : NULL;
}
