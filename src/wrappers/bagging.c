/* SPDX-License-Identifier: MIT */
/* Bagging: members that learn from samples of the rows, and vote.
 *
 * Problem: a learner whose model changes much with a few rows (a tree, a network) has errors of
 * chance. The mean of many such models has less of them.
 *
 * Method:
 * 1. Draw T samples with replacement, each of as many rows as there are (or a share of them).
 * 2. Fit the base to each of them. With `columns` below 1 every member sees a random part of the
 *    columns (random subspaces); without `replace` and with `sample 1` only these differ.
 * 3. Classes are voted about, numbers averaged.
 *
 * About e^-1 = 0.37 of the rows are not in a sample. What the members say of rows that they have
 * not learned from estimates the error: out-of-bag. A sample with one class only has a member that
 * always answers it.
 *
 * Cost: T fits of the base, side by side.
 *
 * Sources: Breiman, Bagging predictors (1996); Ho, The random subspace method (1998). */
#include "wrappers/members.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { ROWS_SHOWN = 20 };

typedef struct bagging_params {
    cairn_wrapper_params wrapper;
    int members;
    double sample, columns;
    bool replace, oob;
    cairn_combining combining;
} bagging_params;

static const cairn_param bagging_param_table[] = {
    CAIRN_WRAPPER(bagging_params),
    CAIRN_PARAM(bagging_params, members, "50", "[1,65536]", "number of members", .often = true),
    CAIRN_PARAM_CALLED("row_share", bagging_params, sample, "1", "(0,1]",
                       "size of each sample as a share of the rows", .was = "sample"),
    CAIRN_PARAM(bagging_params, replace, "yes", NULL,
                "whether a row may be drawn several times for a member"),
    CAIRN_PARAM_CALLED("column_share", bagging_params, columns, "1", "(0,1]",
                       "share of the columns that each member sees, drawn without replacement",
                       .was = "columns"),
    CAIRN_PARAM(bagging_params, oob, "yes", NULL,
                "estimate the error by the rows that members have not learned from"),
    CAIRN_PARAM_GROUP(bagging_params, combining, cairn_combining_table),
    CAIRN_PARAM_END,
};

typedef struct bagging_model {
    cairn_members members;
} bagging_model;

typedef struct bagging_history {
    size_t n;      /* members, 0 = no estimate */
    double weight; /* of rows that some member has not seen */
    double *curve; /* n: error after each member; NaN while no row is judged */
} bagging_history;

static cairn_status bagging_check(cairn_context *ctx, const void *values)
{
    const bagging_params *p = values;
    CHECK(cairn_wrapper_check(ctx, "bagging", &p->wrapper, NULL));
    if (p->combining.vote == CAIRN_VOTE_WEIGHTED)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bagging: its members weigh the same; take {vote plurality}");
    if (p->combining.average == CAIRN_AVERAGE_WEIGHTED)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bagging: its members weigh the same; take {average mean}");
    return CAIRN_OK;
}

static cairn_status bagging_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const bagging_params *p = values;
    CHECK(cairn_wrapper_tasks(ctx, &p->wrapper, out));
    *out &= CAIRN_CLASSIFY | CAIRN_REGRESS;
    return CAIRN_OK;
}

/* -- samples -- */

typedef struct bagging_work {
    const cairn_nested *nested;
    uint8_t *drawn; /* members x rows of the view: whether it is in the sample; NULL = not noted */
    uint64_t seed;
} bagging_work;

/* Counts how often each row of the view is drawn. */
static cairn_status draw_counts(cairn_context *ctx, uint32_t *counts, size_t n,
                                const bagging_params *p, cairn_random *random)
{
    size_t size = (size_t)ceil(p->sample * (double)n), *order;
    if (p->replace) {
        for (size_t i = 0; i < size; i++) counts[cairn_random_below(random, n)]++;
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &order, n + 1));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_shuffle(random, order, n);
    for (size_t i = 0; i < size; i++) counts[order[i]] = 1;
    return CAIRN_OK;
}

/* Whether a row that counts twice may be a row of twice the weight. */
static bool takes_counts(const cairn_params *learner)
{
    const cairn_learner *record = (const cairn_learner *)learner->entry;
    return (record->claims & CAIRN_CLAIM_WEIGHTS_REPEAT) &&
           (cairn_learner_accepts(record, learner->values) & CAIRN_ACCEPTS_WEIGHTS);
}

/* The sample as rows of the table: each once with its count as weight, or so many times. */
static cairn_status sample_rows(cairn_context *ctx, cairn_rows *out, const bagging_work *work,
                                const uint32_t *counts, size_t member)
{
    const cairn_view *view = work->nested->job->view;
    bool once = takes_counts(work->nested->params) && !work->nested->fit.transforms;
    size_t n = 0, total = 0;
    uint32_t *indices;
    double *weights;
    for (size_t i = 0; i < view->rows.n; i++) total += once ? counts[i] > 0 : counts[i];
    CHECK(SCRATCH_RAW_EACH(ctx, total + 1, &indices, &weights));
    for (size_t i = 0; i < view->rows.n; i++) {
        double own = view->rows.weights ? view->rows.weights[i] : 1;
        if (work->drawn) work->drawn[member * view->rows.n + i] = counts[i] > 0;
        for (size_t j = 0; j < (once ? counts[i] > 0 : counts[i]); j++) {
            weights[n] = once ? own * counts[i] : own;
            indices[n++] = (uint32_t)cairn_view_row(view, i);
        }
    }
    bool weighs = once || view->rows.weights;
    *out = (cairn_rows){.indices = indices, .n = n, .weights = weighs ? weights : NULL};
    return CAIRN_OK;
}

/* The numbers of rows that were drawn, as often as they were, or of those that were not. */
static void add_numbers(cairn_text *out, const cairn_view *view, const uint32_t *counts, bool drawn)
{
    for (size_t i = 0; i < view->rows.n; i++)
        for (size_t j = 0; j < (drawn ? counts[i] : counts[i] == 0); j++)
            cairn_text_addf(out, "%s%zu", out->length ? " " : "", cairn_view_row(view, i) + 1);
    if (!out->length) cairn_text_addf(out, "none");
}

/* The sample as a lecturer writes it: rows of a small table one by one, of others how many. */
static cairn_status show_sample(cairn_context *ctx, cairn_report *out, const cairn_view *view,
                                const uint32_t *counts)
{
    SCOPED(cairn_text_clear) cairn_text in = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text left = cairn_text_start(ctx);
    size_t n_drawn = 0, n_left = 0;
    if (!out) return CAIRN_OK;
    for (size_t i = 0; i < view->rows.n; i++) {
        n_drawn += counts[i];
        n_left += counts[i] == 0;
    }
    cairn_report_step_begin(out, "The sample");
    if (view->rows.n <= ROWS_SHOWN) {
        add_numbers(&in, view, counts, true);
        add_numbers(&left, view, counts, false);
        CHECK(cairn_text_status(&in));
        CHECK(cairn_text_status(&left));
        cairn_report_word(out, "rows drawn", cairn_text_string(&in), "sample.drawn");
        cairn_report_word(out, "rows not drawn", cairn_text_string(&left), "sample.left");
    }
    cairn_report_worked(out, "rows not drawn", "# of #, in # draws", (double)n_left,
                        (double)view->rows.n, (double)n_drawn);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Member i has a stream of random numbers of its own: rows first, then columns. */
static cairn_status fit_member(cairn_context *ctx, void *data, size_t i, cairn_model **out,
                               cairn_report *steps)
{
    const bagging_work *work = data;
    const cairn_job *job = work->nested->job;
    const bagging_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_random random;
    cairn_rows rows;
    uint32_t *counts;
    cairn_random_start(&random, work->seed, i);
    CHECK(SCRATCH(ctx, &counts, job->view->rows.n + 1));
    CHECK(draw_counts(ctx, counts, job->view->rows.n, p, &random));
    CHECK(show_sample(ctx, steps, job->view, counts));
    CHECK(sample_rows(ctx, &rows, work, counts, i));
    CHECK(cairn_table_share(ctx, &table, work->nested->table));
    /* Turn off the columns that the member does not see. */
    double share = p->columns;
    size_t *features, n = 0;
    CHECK(SCRATCH(ctx, &features, table->n_columns + 1));
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE) features[n++] = c;
    size_t kept = (size_t)ceil(share * (double)n);
    if (!(kept >= n)) {
        cairn_random_shuffle(&random, features, n);
        for (size_t j = kept; j < n; j++) table->slots[features[j]].role = CAIRN_IGNORED;
    }
    return cairn_member_fit_rows(ctx, out, work->nested, table, rows, steps);
}

/* -- out of bag -- */

typedef struct oob_work {
    const bagging_model *model;
    const cairn_job *job;
    const uint8_t *drawn;
    cairn_poll poll;
    double *wrong, *weight; /* members */
} oob_work;

/* The loss of what was said so far. */
static double loss_of(const oob_work *w, size_t row)
{
    const cairn_column *target = w->job->view->target;
    if (w->poll.n_classes) return cairn_poll_winner(&w->poll, NULL) != target->codes[row];
    double error = cairn_poll_value(&w->poll) - target->numbers[row];
    return error * error;
}

/* Members speak one after the other about rows that they do not know. */
static cairn_status judge_rows(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    oob_work *w = data;
    const cairn_view *view = w->job->view;
    const cairn_members *members = &w->model->members;
    for (size_t r = 0; r < said->n; r++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        size_t at = said->first + r, row = cairn_view_row(view, at);
        double weight = cairn_view_weight(view, at), loss = 0;
        cairn_poll_start(&w->poll);
        for (size_t i = 0; i < members->n; i++) {
            if (!w->drawn[i * view->rows.n + at]) {
                cairn_members_say(&w->poll, members, said, i, r);
                loss = w->poll.n ? loss_of(w, row) : 0;
            }
            if (!w->poll.n) continue;
            w->wrong[i] += weight * loss;
            w->weight[i] += weight;
        }
        /* What the members that have not seen a row say of it together. */
        const cairn_column *target = w->job->view->target;
        cairn_report *out = w->job->steps;
        const cairn_schema *schema = w->job->schema;
        bool classes = w->poll.n_classes > 0;
        int32_t winner = classes ? cairn_poll_winner(&w->poll, NULL) : -1;
        if (!out || at >= ROWS_SHOWN) continue;
        cairn_report_cells(out, NULL, row + 1, w->poll.n);
        if (!w->poll.n)
            cairn_report_cell(out, "");
        else if (classes)
            cairn_report_cell_word(out, winner < 0 ? "none" : cairn_schema_class(schema, winner),
                                   "row%zu.oob", row + 1);
        else
            cairn_report_cell_number(out, cairn_poll_value(&w->poll), 0, "row%zu.oob", row + 1);
        if (classes)
            cairn_report_cell(out, cairn_schema_class(schema, target->codes[row]));
        else
            cairn_report_cell_number(out, target->numbers[row], 0, NULL);
        cairn_report_cell_number(out, w->poll.n ? loss : (double)NAN, 0, "row%zu.loss", row + 1);
    }
    return CAIRN_OK;
}

static void end_judging(const cairn_job *job, double wrong, double weight)
{
    size_t n = job->view->rows.n;
    if (!job->steps) return;
    cairn_report_table_end(job->steps);
    if (n > ROWS_SHOWN)
        cairn_report_paragraph(job->steps, "%zu more rows are not shown.", n - ROWS_SHOWN);
    if (weight > 0)
        cairn_report_worked(job->steps, "out-of-bag error", "# / # = #", wrong, weight,
                            wrong / weight);
    cairn_report_step_end(job->steps);
}

/* The error after each member; none where every row is in every sample. */
static cairn_status judge(cairn_context *ctx, bagging_history *history, const bagging_model *m,
                          const cairn_job *job, const uint8_t *drawn)
{
    const bagging_params *p = job->params;
    size_t n = m->members.n;
    oob_work w = {.model = m, .job = job, .drawn = drawn};
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_poll_open(ctx, &w.poll, p->combining,
                          job->task == CAIRN_CLASSIFY ? job->n_classes : 0, n));
    CHECK(SCRATCH_EACH(ctx, n + 1, &w.wrong, &w.weight));
    if (job->steps) {
        cairn_report_step_begin(job->steps, "bagging: rows out of bag");
        cairn_report_paragraph(job->steps,
                               "Of every row the members that have not learned from it.");
        cairn_report_table_of(job->steps, NULL, ROWS_SHOWN, "rrllr", "row", "members", "say",
                              job->view->target_name, "loss");
    }
    CHECK(cairn_members_ask(ctx, &m->members, p->combining, job, drawn, judge_rows, &w));
    end_judging(job, w.wrong[n - 1], w.weight[n - 1]);
    if (!(w.weight[n - 1] > 0)) return CAIRN_OK;
    CHECK(NEW(ctx, &history->curve, n));
    for (size_t i = 0; i < n; i++)
        history->curve[i] = w.weight[i] > 0 ? w.wrong[i] / w.weight[i] : (double)NAN;
    history->n = n;
    history->weight = w.weight[n - 1];
    return CAIRN_OK;
}

/* -- the learner -- */

/* Members of all columns share what the base makes of the rows. */
static cairn_status fit_members(cairn_context *ctx, bagging_model *m, bagging_work *work,
                                cairn_nested *nested)
{
    const cairn_job *job = nested->job;
    const bagging_params *p = job->params;
    cairn_shared shared = {0};
    cairn_status status = CAIRN_OK;
    if (!(p->columns < 1)) status = cairn_members_share(ctx, nested, &shared, job->view);
    if (!status)
        status = cairn_members_fit(ctx, &m->members, "bagging", job->steps, fit_member, work);
    cairn_members_unshare(nested);
    return status;
}

static cairn_status bagging_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    bagging_model *m = model;
    const bagging_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    bagging_work work = {.nested = &nested, .seed = cairn_context_seed(ctx)};
    size_t n = (size_t)p->members;
    bool judged = job->history && p->oob;
    CHECK(cairn_nested_open(ctx, &nested, "bagging", &p->wrapper, job, false));
    cairn_status allowed = cairn_members_allow(ctx, p->combining, job->task, nested.params);
    if (allowed) cairn_message_prefix(ctx, "bagging");
    CHECK(allowed);
    if (judged) CHECK(SCRATCH_RAW(ctx, &work.drawn, cairn_product(n, job->view->rows.n) + 1));
    CHECK(cairn_members_buffer(ctx, &m->members, n));
    CHECK(fit_members(ctx, m, &work, &nested));
    if (!judged) return CAIRN_OK;
    return judge(ctx, job->history, m, job, work.drawn);
}

static cairn_status bagging_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const bagging_params *p = job->params;
    return cairn_members_predict(ctx, out, &((const bagging_model *)model)->members, p->combining,
                                 job);
}

static cairn_status bagging_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const bagging_params *p = job->params;
    return cairn_members_lower(out, &((const bagging_model *)model)->members, p->combining, job);
}

static void bagging_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const bagging_params *p = job->params;
    cairn_members_explain(out, &((const bagging_model *)model)->members, p->combining, job, row);
}

/* -- showing -- */

static cairn_status draw_curve(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    const bagging_history *history = job->history;
    double *x;
    (void)model;
    if (!history || history->n < 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &x, history->n));
    for (size_t i = 0; i < history->n; i++) x[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, out, "oob", "Out-of-bag error by number of members"));
    cairn_figure_axes(*out, "members", job->n_classes ? "error" : "mean squared error");
    cairn_figure_line(*out, NULL, x, history->curve, history->n);
    return CAIRN_OK;
}

static const cairn_model_figure bagging_figures[] = {
    {.name = "oob", .make = draw_curve},
    {0},
};

/* The error is the last of the curve, that with all members. */
static void bagging_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const bagging_params *p = job->params;
    if (!out) return;
    cairn_report_word(out, "base", p->wrapper.base, "base");
    const bagging_history *history = job->history;
    cairn_figure *figure = NULL;
    if (history && history->n) {
        cairn_report_value(out,
                           job->n_classes ? "out-of-bag error" : "out-of-bag mean squared error",
                           history->curve[history->n - 1], "oob.error");
        cairn_report_value(out, "rows that some member has not seen", history->weight, "oob.rows");
        for (size_t i = 0; i < history->n; i++)
            cairn_report_hidden(out, history->curve[i], "oob.curve.%zu", i + 1);
        cairn_status made = draw_curve(cairn_report_context(out), &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
    cairn_members_describe(out, &((const bagging_model *)model)->members);
}

/* -- the record -- */

static const cairn_kept history_keeps[] = {
    KEEP_SIZE(bagging_history, n, CAIRN_MOST_MEMBERS, .name = "judged"),
    KEEP(bagging_history, weight),
    KEEP_ARRAYS(bagging_history, "n", curve),
    KEEP_END,
};

static const cairn_history bagging_histories = {
    .size = sizeof(bagging_history),
    .keeps = history_keeps,
};

enum {
    BAGGING_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE | CAIRN_GIVES_PROBABILITIES
};

static unsigned bagging_traits(const void *params)
{
    const bagging_params *p = params;
    return BAGGING_TRAITS | (p->combining.vote == CAIRN_VOTE_MAJORITY ? CAIRN_MAY_ABSTAIN : 0);
}

const cairn_learner cairn_bagging = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "bagging",
         .also = "bootstrap aggregating, bagged learners, random subspaces, random subspace "
                 "method, attribute bagging, pasting, BaggingClassifier, BaggingRegressor",
         .about = "ensemble of trees",
         .title = "Bagging",
         .summary =
             "Fits any learner to many samples of the rows, drawn with replacement, and lets "
             "the models vote, or averages their numbers (mean or median) or probabilities. "
             "It helps learners whose models change much with a few rows, such as trees. "
             "Rows that a member has not learned from give an out-of-bag estimate of the "
             "error. With --column-share below 1 every member sees a random part of the columns "
             "(random subspaces).",
         .references = "Breiman, Bagging predictors, Machine Learning 24 (1996); Ho, The "
                       "random subspace method for constructing decision forests (1998)",
         .example = "cairn fit bagging @iris --learner tree --members 25",
         .params = bagging_param_table,
         .params_size = sizeof(bagging_params),
         .check = bagging_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "members=10,25,50",
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = BAGGING_TRAITS,
    .model_size = sizeof(bagging_model),
    .tables = cairn_members_tables,
    .member = cairn_members_first,
    .history = &bagging_histories,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = cairn_members_outputs,
    .tasks_of = bagging_tasks,
    .fit = bagging_fit,
    .lower = bagging_lower,
    .predict = bagging_predict,
    .describe = bagging_describe,
    .figures = bagging_figures,
    .explain = bagging_explain,
    .keeps = cairn_members_keeps,
    .parameters = "",
    .check = cairn_members_check_loaded,
    .traits_with = bagging_traits,
};

const cairn_members *cairn_bagging_members(const cairn_model *model)
{
    return model->learner == &cairn_bagging ? &((const bagging_model *)model->state)->members
                                            : NULL;
}
