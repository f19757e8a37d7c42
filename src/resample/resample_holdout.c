/* SPDX-License-Identifier: MIT */
/* Hold-out: a part to learn from and a part to test on, once or several times. */
#include "resample/resample.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>

typedef struct holdout_params {
    double share;
    double validation;
    int repeats;
    bool shuffle;
    bool stratified;
    bool time;
} holdout_params;

static const cairn_param holdout_param_table[] = {
    CAIRN_PARAM(holdout_params, share, "0.333333333333", "(0,1)", "share of the rows to test on"),
    CAIRN_PARAM(holdout_params, validation, "0", "[0,1)",
                "share of the rows set aside for choosing parameters: neither learned from nor "
                "tested on, but by tune"),
    CAIRN_PARAM(holdout_params, repeats, "1", "[1,100000]", "how often the rows are split anew",
                .when = "shuffle"),
    CAIRN_PARAM(holdout_params, shuffle, "yes", NULL, "shuffle first; no tests the last rows"),
    CAIRN_PARAM(holdout_params, stratified, "yes", NULL, "keep the class shares alike",
                .when = "shuffle"),
    CAIRN_PARAM(holdout_params, time, "no", NULL,
                "test the latest rows by the time column, or the last ones of the table when there "
                "is none; the validation part comes before them"),
    CAIRN_PARAM_END,
};

/* Fold 0 is the test part. Rows are spread over it evenly along the order. */
static void hold_out(int32_t *folds, const size_t *order, size_t n, size_t n_test, bool spread)
{
    for (size_t i = 0; i < n; i++) {
        bool test = spread ? (i + 1) * n_test / n > i * n_test / n : i >= n - n_test;
        folds[order[i]] = test ? 0 : 1;
    }
}

/* Of the rows to learn from, spread evenly along the order, set some aside. */
static void set_aside(int32_t *folds, const size_t *order, size_t n, size_t n_train, size_t n_aside)
{
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (folds[order[i]] != 1) continue;
        if ((seen + 1) * n_aside / n_train > seen * n_aside / n_train)
            folds[order[i]] = CAIRN_FOLD_ASIDE;
        seen++;
    }
}

/* Past, validation, future: nothing that is learned from is later than what it is tested on. */
static cairn_status hold_out_latest(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job,
                                    size_t n_test, size_t n_aside)
{
    const holdout_params *p = job->params;
    size_t *order;
    if (job->groups || p->repeats > 1)
        return cairn_fail(ctx, CAIRN_USAGE, "holdout: time=yes parts the rows by time, once; %s",
                          job->groups ? "groups cannot be kept together"
                                      : "leave out repeats, or use rolling");
    CHECK(cairn_plan_buffer(ctx, out, job, 1, 1));
    CHECK(cairn_plan_time_order(ctx, &order, job));
    out->ordered = true;
    for (size_t i = 0; i < job->n; i++)
        out->folds[order[i]] = i >= job->n - n_test             ? 0
                               : i >= job->n - n_test - n_aside ? CAIRN_FOLD_ASIDE
                                                                : 1;
    return CAIRN_OK;
}

/* Elsewhere the share of a split is often the one that is learned from. */
static void say_larger_part(cairn_context *ctx, double share)
{
    char tested[CAIRN_NUMBER_SIZE], rest[CAIRN_NUMBER_SIZE];
    cairn_number_format(tested, 100 * share, 3);
    cairn_number_format(rest, 1 - share, 3);
    cairn_warn(ctx,
               "the larger part, %s per cent of the rows, is tested on and the rest learned from; "
               "holdout:%s is the other way round",
               tested, rest);
}

/* Shares are rounded to rows, and none may be empty; with groups the shares hold as nearly as
 * whole groups allow. */
static cairn_status holdout_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const holdout_params *p = job->params;
    size_t *order;
    double shares[3] = {p->share, 1 - p->share - p->validation, p->validation};
    size_t n_test = (size_t)floor((double)job->n * p->share + 0.5);
    size_t n_aside = (size_t)floor((double)job->n * p->validation + 0.5);
    if (n_test == 0 || n_test + n_aside >= job->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "this share leaves no row to %s; the number of rows is only %zu",
                          n_test ? "learn from" : "test on", job->n);
    if (p->share > 0.5) say_larger_part(ctx, p->share);
    if (p->time) return hold_out_latest(ctx, out, job, n_test, n_aside);
    CHECK(cairn_plan_buffer(ctx, out, job, (size_t)p->repeats, 1));
    for (size_t r = 0; r < out->n_repeats; r++) {
        int32_t *folds = out->folds + r * job->n;
        CHECK(cairn_plan_order(ctx, &order, job, r, p->shuffle, p->stratified && p->shuffle));
        if (job->groups)
            CHECK(cairn_plan_deal_groups(ctx, folds, job, order, shares, n_aside ? 3 : 2));
        else
            hold_out(folds, order, job->n, n_test, p->shuffle);
        if (job->groups)
            for (size_t i = 0; i < job->n; i++)
                folds[i] = folds[i] == 2 ? CAIRN_FOLD_ASIDE : folds[i];
        else if (n_aside)
            set_aside(folds, order, job->n, job->n - n_test, n_aside);
    }
    return CAIRN_OK;
}

const cairn_resampling cairn_holdout = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "holdout",
              .also = "hold-out, train test split, validation set, test set, train_test_split, "
                      "ShuffleSplit, held-out set, hold-out cross-validation",
              .about = "resample",
              .title = "Hold-out",
              .summary =
                  "Learns from a part of the rows and tests on the rest. --by holdout:0.3 "
                  "tests on 30 per cent; repeats=20 does so twenty times with other "
                  "rows; validation=0.2 sets a third part aside; time=yes tests the latest rows.",
              .references = "Kohavi, A study of cross-validation and bootstrap, IJCAI 1995",
              .example = "cairn evaluate tree @iris --by holdout:0.3",
              .params = holdout_param_table,
              .params_size = sizeof(holdout_params)},
    .plan = holdout_plan,
};
