/* SPDX-License-Identifier: MIT */
/* Vote: several learners, or saved models, answer the same question, and their answers are
 * combined.
 *
 * Method: every member is fitted to the rows (or to its part of them, as a description file says);
 * saved models are taken as they are. Classes are voted about: the class with the most votes, with
 * more than half of them or none, or with the most weight; or the mean of probabilities decides.
 * Numbers are averaged by mean, weighted mean or median. Of equal classes the first wins.
 *
 * Cost: that of the members, side by side. */
#include "wrappers/member_plan.h"
#include <math.h>
#include <string.h>

static const char usual_members[] = "tree\nknn\nforest:trees=25";

typedef struct vote_params {
    cairn_member_params described;
    cairn_combining combining;
    const char *weights;
} vote_params;

static const cairn_param vote_param_table[] = {
    CAIRN_MEMBER_PARAMS(vote_params),
    CAIRN_PARAM_GROUP(vote_params, combining, cairn_combining_table),
    CAIRN_PARAM_AS(vote_params, weights, CAIRN_TYPE_LIST, NULL,
                   "a weight for each member, at least 0 and summing to 1",
                   .when = "vote=weighted|probabilities|product or average=weighted"),
    CAIRN_PARAM_END,
};

typedef struct vote_model {
    cairn_members members;
} vote_model;

static cairn_status vote_check(cairn_context *ctx, const void *values)
{
    const vote_params *p = values;
    bool weighted =
        p->combining.vote == CAIRN_VOTE_WEIGHTED || p->combining.average == CAIRN_AVERAGE_WEIGHTED;
    if (weighted && !p->weights && !p->described.members_file)
        return cairn_fail(ctx, CAIRN_USAGE, "vote: weights are needed: give {weights}");
    return cairn_member_plans_check(ctx, "vote", &p->described);
}

static cairn_status vote_tasks(cairn_context *ctx, const void *values, unsigned *out)
{
    const vote_params *p = values;
    return cairn_member_plans_tasks(ctx, &p->described, usual_members, out);
}

/* -- fitting -- */

typedef struct vote_work {
    const cairn_member_plans *plans;
    const cairn_job *job;
} vote_work;

static cairn_status fit_member(cairn_context *ctx, void *data, size_t i, cairn_model **out,
                               cairn_report *steps)
{
    const vote_work *work = data;
    const vote_params *p = work->job->params;
    CHECK(cairn_member_plan_fit(ctx, out, work->plans, i, work->job, work->job->view->rows, steps));
    return cairn_members_allow(ctx, p->combining, work->job->task, (*out)->params);
}

/* The weights of the list, or of the file, where all or none must be told. */
static cairn_status set_weights(cairn_context *ctx, cairn_members *members,
                                const cairn_member_plans *plans, const vote_params *p)
{
    double *given;
    size_t reported = 0;
    if (p->weights) {
        CHECK(cairn_vote_weights(ctx, &given, "weights", p->weights, members->n));
        memcpy(members->weights, given, members->n * sizeof *given);
        return CAIRN_OK;
    }
    for (size_t i = 0; i < plans->n; i++) reported += !isnan(plans->list[i].weight);
    if (!reported) return CAIRN_OK;
    if (reported < plans->n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{members-file}: %zu of %zu members have a weight; give all "
                          "of them one",
                          reported, plans->n);
    for (size_t i = 0; i < plans->n; i++) members->weights[i] = plans->list[i].weight;
    return cairn_vote_weights_check(ctx, "members-file", members->weights, members->n);
}

/* A model that was saved before may know rows that are held out now, which is worth a warning. */
static cairn_status vote_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    vote_model *m = model;
    const vote_params *p = job->params;
    SCOPED(cairn_member_plans_close) cairn_member_plans plans = {0};
    CHECK(cairn_member_plans_open(ctx, &plans, "vote", &p->described, usual_members));
    CHECK(cairn_members_buffer(ctx, &m->members, plans.n));
    CHECK(set_weights(ctx, &m->members, &plans, p));
    vote_work work = {&plans, job};
    CHECK(cairn_members_fit(ctx, &m->members, "vote", job->steps, fit_member, &work));
    size_t saved = 0;
    for (size_t i = 0; i < plans.n; i++) saved += plans.list[i].model ? 1 : 0;
    if (saved)
        cairn_warn(ctx,
                   "vote: %zu member%s saved before and may know the rows that an evaluation "
                   "holds out",
                   saved, saved == 1 ? " was" : "s were");
    return CAIRN_OK;
}

/* -- the record -- */

static cairn_status vote_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const vote_params *p = job->params;
    return cairn_members_predict(ctx, out, &((const vote_model *)model)->members, p->combining,
                                 job);
}

static cairn_status vote_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const vote_params *p = job->params;
    return cairn_members_lower(out, &((const vote_model *)model)->members, p->combining, job);
}

static void vote_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const vote_params *p = job->params;
    cairn_members_explain(out, &((const vote_model *)model)->members, p->combining, job, row);
}

static void vote_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_members_describe(out, &((const vote_model *)model)->members);
}

enum {
    VOTE_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE | CAIRN_GIVES_PROBABILITIES
};

static unsigned vote_traits(const void *params)
{
    const vote_params *p = params;
    return VOTE_TRAITS | (p->combining.vote == CAIRN_VOTE_MAJORITY ? CAIRN_MAY_ABSTAIN : 0);
}

const cairn_learner cairn_vote_learner = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "vote",
              .also = "voting classifier, voting regressor, ensemble of learners, majority vote, "
                      "combining classifiers, committee, weighted averaging, multiexpert, "
                      "VotingClassifier, VotingRegressor",
              .about = "model combination, combination schemes",
              .title = "Several learners that vote",
              .summary =
                  "Fits several learners to the same rows, or takes saved models, and combines "
                  "what they say: the class with the most votes, with more than half of them, "
                  "with the most weight or with the largest mean probability; the mean, weighted "
                  "mean or median of numbers. A description file gives every member its learner, "
                  "parameters, columns, rows and weight. Without members they are tree, knn and a "
                  "forest of 25 trees. 'predict --explain' shows the vote table of a row.",
              .references = "Kuncheva, Combining Pattern Classifiers, Wiley 2004",
              .example = "cairn fit vote @iris --learner tree --learner knn --learner bayes",
              .params = vote_param_table,
              .params_size = sizeof(vote_params),
              .check = vote_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = VOTE_TRAITS,
    .model_size = sizeof(vote_model),
    .tables = cairn_members_tables,
    .member = cairn_members_first,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = cairn_members_outputs,
    .tasks_of = vote_tasks,
    .fit = vote_fit,
    .lower = vote_lower,
    .predict = vote_predict,
    .describe = vote_describe,
    .explain = vote_explain,
    .keeps = cairn_members_keeps,
    .parameters = "",
    .check = cairn_members_check_loaded,
    .traits_with = vote_traits,
};

const cairn_members *cairn_vote_members(const cairn_model *model)
{
    return model->learner == &cairn_vote_learner ? &((const vote_model *)model->state)->members
                                                 : NULL;
}
