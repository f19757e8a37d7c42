/* SPDX-License-Identifier: MIT */
/* The further options of evaluate: see further.h. */
#include "command/further.h"

#include "evaluate/split_steps.h"

const cairn_param cairn_further_params[] = {
    CAIRN_PARAM(cairn_further, learning_curve, NULL, NULL,
                "also learn from parts of the training rows: a number of steps (10), shares "
                "(0.1,0.5,1) or numbers of rows (20,50,100)"),
    CAIRN_PARAM(cairn_further, shares, NULL, NULL,
                "also hold out each of these shares of the rows, such as 0.1,0.3,0.5, to see "
                "how the sizes of the parts trade off"),
    CAIRN_PARAM(cairn_further, runs, "20", "[2,100000]", "how often each is held out",
                .when = "shares"),
    CAIRN_PARAM(
        cairn_further, steps, "no", NULL,
        "show the work: the value of every split and how they are averaged, and the rows of "
        "the splits (tables of at most 60 rows)"),
    CAIRN_PARAM_END,
};

cairn_status cairn_further_refuse(const cairn_command *c)
{
    static const char *const names[] = {"learning-curve", "shares", "runs", "steps", NULL};
    for (const char *const *name = names; *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s needs a learner that can be fitted again, and %s is a fitted "
                              "model",
                              *name, c->words[0]);
    return CAIRN_OK;
}

cairn_status cairn_further_begin(cairn_command *c, cairn_further_work *work,
                                 const cairn_further *options, cairn_evaluate_how *how)
{
    size_t n = 0;
    if (options->learning_curve) {
        CHECK(cairn_curve_parse(c->ctx, &work->curve, options->learning_curve));
        work->visits[n++] = cairn_curve_visit(&work->curve);
    }
    if (options->steps) work->visits[n++] = cairn_samples_visit(&work->samples);
    how->visits = work->visits;
    how->n_visits = n;
    return CAIRN_OK;
}

cairn_status cairn_further_finish(cairn_command *c, cairn_further_work *work,
                                  const cairn_further *options, const cairn_evaluation *e,
                                  const cairn_table *table, const cairn_evaluate_how *how)
{
    CHECK(cairn_report_new(c->ctx, &work->report));
    unsigned before = cairn_report_only(work->report, CAIRN_IN_FULL);
    CHECK(cairn_spread_report(c->ctx, work->report, e));
    cairn_report_for(work->report, before);
    if (options->steps) cairn_steps_splits(work->report, e, false, "");
    if (options->steps) cairn_samples_report(work->report, &work->samples);
    if (options->learning_curve) CHECK(cairn_curve_report(c->ctx, work->report, &work->curve, e));
    if (options->shares)
        CHECK(cairn_tradeoff_report(c->ctx, work->report, c->inner, table, options->shares,
                                    (size_t)options->runs, how));
    return CAIRN_OK;
}

void cairn_further_clear(cairn_further_work *work)
{
    cairn_curve_clear(&work->curve);
    cairn_samples_clear(&work->samples);
    cairn_report_free(work->report);
    *work = (cairn_further_work){0};
}
