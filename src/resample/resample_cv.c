/* SPDX-License-Identifier: MIT */
/* Cross-validation: plain and repeated, five times two, leave-one-out. */
#include "resample/resample.h"
#include "base/memory.h"

typedef struct cv_params {
    int folds;
    int repeats;
    bool shuffle;
    bool stratified;
} cv_params;

static const cairn_param cv_param_table[] = {
    CAIRN_PARAM(cv_params, folds, "10", "[2,inf)", "number of parts"),
    CAIRN_PARAM(cv_params, repeats, "1", "[1,1000]", "how often the rows are split anew",
                .when = "shuffle"),
    CAIRN_PARAM(cv_params, shuffle, "yes", NULL, "shuffle the rows first; no takes table order"),
    CAIRN_PARAM(cv_params, stratified, "yes", NULL, "keep the class shares alike in all parts",
                .when = "shuffle"),
    CAIRN_PARAM_END,
};

static cairn_status check_folds(cairn_context *ctx, const cairn_plan_job *job, size_t k)
{
    if (k > job->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "cv:%zu needs at least %zu rows, there are %zu; at most cv:%zu is "
                          "possible",
                          k, k, job->n, job->n);
    if (job->groups && k > job->n_groups)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "cv:%zu needs at least %zu groups, there are %zu; at most cv:%zu is "
                          "possible",
                          k, k, job->n_groups, job->n_groups);
    return CAIRN_OK;
}

/* Shuffled rows are dealt in turn, class by class where it is stratified; without shuffling each
 * fold is one run of neighbouring rows. */
static cairn_status part_rows(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job,
                              const cv_params *p)
{
    size_t k = (size_t)p->folds, *order;
    double *shares;
    CHECK(check_folds(ctx, job, k));
    CHECK(cairn_plan_buffer(ctx, out, job, (size_t)p->repeats, k));
    CHECK(SCRATCH(ctx, &shares, k));
    for (size_t f = 0; f < k; f++) shares[f] = 1;
    for (size_t r = 0; r < out->n_repeats; r++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        int32_t *folds = out->folds + r * job->n;
        CHECK(cairn_plan_order(ctx, &order, job, r, p->shuffle, p->stratified && p->shuffle));
        if (job->groups) CHECK(cairn_plan_deal_groups(ctx, folds, job, order, shares, k));
        for (size_t i = 0; !job->groups && i < job->n; i++)
            folds[order[i]] = (int32_t)(p->shuffle ? i % k : i * k / job->n);
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

static cairn_status cv_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    return part_rows(ctx, out, job, job->params);
}

const cairn_resampling cairn_cv = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "cv",
              .also = "cross-validation, k-fold, crossvalidation, stratified folds, 10-fold, "
                      "KFold, StratifiedKFold, RepeatedKFold (repeats=5)",
              .about = "GroupKFold, grouped folds",
              .title = "Cross-validation",
              .summary = "Parts the rows into k folds; each fold is tested once by a model learned "
                         "from the others. Folds differ by at most one row. --by cv:10 or "
                         "--by cv:5,repeats=3.",
              .references = "Stone, Cross-validatory choice and assessment of statistical "
                            "predictions, JRSS B 36 (1974)",
              .example = "cairn evaluate tree @iris --by cv:10",
              .params = cv_param_table,
              .params_size = sizeof(cv_params)},
    .plan = cv_plan,
};

/* -- five times two -- */

typedef struct halving_params {
    bool stratified;
} halving_params;

static const cairn_param halving_param_table[] = {
    CAIRN_PARAM(halving_params, stratified, "yes", NULL,
                "keep the class shares alike in both halves"),
    CAIRN_PARAM_END,
};

static cairn_status halving_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const halving_params *p = job->params;
    cv_params halves = {.folds = 2, .repeats = 5, .shuffle = true, .stratified = p->stratified};
    return part_rows(ctx, out, job, &halves);
}

const cairn_resampling cairn_five_by_two_cv = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "5x2",
              .also = "5x2cv, Dietterich test, five by two, 5-by-2 cross-validation",
              .title = "Five times two-fold cross-validation",
              .summary = "Halves the rows five times; each half is learned from and tested on "
                         "once, which gives ten results for the tests that are made for them.",
              .references = "Dietterich, Approximate statistical tests for comparing supervised "
                            "classification learning algorithms, Neural Computation 10 (1998)",
              .example = "cairn evaluate tree @iris --by 5x2",
              .params = halving_param_table,
              .params_size = sizeof(halving_params)},
    .plan = halving_plan,
};

/* -- leave-one-out -- */

static const cairn_param loo_param_table[] = {CAIRN_PARAM_END};

static cairn_status loo_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    size_t n = job->groups ? job->n_groups : job->n;
    if (n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "loo needs at least two %s, there is %zu",
                          job->groups ? "groups" : "rows", n);
    CHECK(cairn_plan_buffer(ctx, out, job, 1, n));
    for (size_t i = 0; i < job->n; i++)
        out->folds[i] = job->groups ? job->groups[job->rows[i]] : (int32_t)i;
    return CAIRN_OK;
}

const cairn_resampling cairn_loo = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "loo",
              .also =
                  "leave-one-out, LOOCV, jackknife, LeaveOneOut, leave-one-out cross-validation",
              .title = "Leave one out",
              .summary =
                  "Tests every row by a model learned from all the others: as many models as "
                  "rows (or groups).",
              .references = "Lachenbruch and Mickey, Estimation of error rates in discriminant "
                            "analysis, Technometrics 10 (1968)",
              .example = "cairn evaluate tree @weather --by loo",
              .params = loo_param_table,
              .params_size = 0},
    .plan = loo_plan,
};
