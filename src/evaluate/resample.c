/* SPDX-License-Identifier: MIT */
/* Cross-validation, hold-out and leave-one-out.
 *
 * Folds are dealt like cards: rows are shuffled (stream 0 of the seed, one stream per repeat), laid
 * out class by class, and dealt in turn. So fold sizes differ by at most one, and so do the numbers
 * of each class in them. Groups are dealt whole, each to the smallest fold so far. */
#include "evaluate/resample.h"
#include "base/memory.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

size_t cairn_plan_splits(const cairn_plan *plan)
{
    return plan->n_repeats * plan->n_tested;
}

size_t cairn_plan_test_size(const cairn_plan *plan, size_t split)
{
    const int32_t *folds = plan->folds + split / plan->n_tested * plan->n;
    int32_t wanted = (int32_t)(split % plan->n_tested);
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) n += folds[i] == wanted;
    return n;
}

cairn_status cairn_plan_split(cairn_context *ctx, const cairn_plan *plan, size_t split,
                              cairn_rows *train, cairn_rows *test)
{
    cairn_status status;
    uint32_t *in, *out;
    const int32_t *folds = plan->folds + split / plan->n_tested * plan->n;
    int32_t wanted = (int32_t)(split % plan->n_tested);
    size_t n_test = cairn_plan_test_size(plan, split), a = 0, b = 0;
    TRY(SCRATCH_RAW(ctx, &in, plan->n - n_test + 1));
    TRY(SCRATCH_RAW(ctx, &out, n_test + 1));
    for (size_t i = 0; i < plan->n; i++)
        if (folds[i] == wanted)
            out[b++] = plan->rows[i];
        else
            in[a++] = plan->rows[i];
    *train = (cairn_rows){in, a, NULL};
    *test = (cairn_rows){out, b, NULL};
done:
    return status;
}

/* Positions 0 .. n-1 shuffled and, when classes are given, laid out class by class. */
static cairn_status shuffled_order(cairn_context *ctx, size_t **out, const cairn_plan_job *job,
                                   size_t repeat, bool shuffle, bool stratified)
{
    cairn_status status;
    size_t *order, *sorted, *starts;
    cairn_random random;
    TRY(SCRATCH_RAW(ctx, &order, job->n + 1));
    for (size_t i = 0; i < job->n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), repeat);
    if (shuffle) cairn_random_shuffle(&random, order, job->n);
    *out = order;
    if (!stratified || !job->classes) goto done;
    TRY(SCRATCH_RAW(ctx, &sorted, job->n + 1));
    TRY(SCRATCH(ctx, &starts, job->n_classes + 2));
    for (size_t i = 0; i < job->n; i++) starts[job->classes[job->rows[i]] + 1]++;
    for (size_t c = 0; c < job->n_classes; c++) starts[c + 1] += starts[c];
    for (size_t i = 0; i < job->n; i++)
        sorted[starts[job->classes[job->rows[order[i]]]]++] = order[i];
    *out = sorted;
done:
    return status;
}

/* Deal whole groups, in the order in which `order` meets them, to the fold that is furthest below
 * its share. */
static cairn_status deal_groups(cairn_context *ctx, int32_t *folds, const cairn_plan_job *job,
                                const size_t *order, const double *shares, size_t n_folds)
{
    cairn_status status;
    int32_t *fold_of;
    double *sizes, *filled;
    TRY(SCRATCH_RAW(ctx, &fold_of, job->n_groups + 1));
    TRY(SCRATCH(ctx, &sizes, job->n_groups + 1));
    TRY(SCRATCH(ctx, &filled, n_folds));
    for (size_t g = 0; g < job->n_groups; g++) fold_of[g] = -1;
    for (size_t i = 0; i < job->n; i++) sizes[job->groups[job->rows[i]]]++;
    for (size_t i = 0; i < job->n; i++) {
        int32_t group = job->groups[job->rows[order[i]]];
        if (fold_of[group] < 0) {
            size_t best = 0;
            for (size_t f = 1; f < n_folds; f++)
                if (filled[f] / shares[f] < filled[best] / shares[best]) best = f;
            fold_of[group] = (int32_t)best;
            filled[best] += sizes[group];
        }
        folds[order[i]] = fold_of[group];
    }
done:
    return status;
}

static cairn_status plan_room(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job,
                              size_t repeats, size_t tested)
{
    *out = (cairn_plan){.n = job->n, .rows = job->rows, .n_repeats = repeats, .n_tested = tested};
    return SCRATCH_RAW(ctx, &out->folds, cairn_product(repeats, job->n) + 1);
}

/* -- cross-validation -- */

typedef struct cv_params {
    int folds;
    int repeats;
    bool shuffle;
    bool stratified;
} cv_params;

static const cairn_param cv_param_table[] = {
    CAIRN_PARAM(cv_params, folds, "10", "[2,inf)", "number of parts"),
    CAIRN_PARAM(cv_params, repeats, "1", "[1,1000]", "how often the rows are parted anew"),
    CAIRN_PARAM(cv_params, shuffle, "yes", NULL, "shuffle the rows first; no takes table order"),
    CAIRN_PARAM(cv_params, stratified, "yes", NULL, "keep the class shares alike in all parts"),
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

static cairn_status cv_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const cv_params *p = job->params;
    cairn_status status;
    size_t k = (size_t)p->folds, *order;
    double *shares;
    TRY(check_folds(ctx, job, k));
    TRY(plan_room(ctx, out, job, (size_t)p->repeats, k));
    TRY(SCRATCH(ctx, &shares, k));
    for (size_t f = 0; f < k; f++) shares[f] = 1;
    for (size_t r = 0; r < out->n_repeats; r++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        int32_t *folds = out->folds + r * job->n;
        TRY(shuffled_order(ctx, &order, job, r, p->shuffle, p->stratified && p->shuffle));
        if (job->groups) TRY(deal_groups(ctx, folds, job, order, shares, k));
        for (size_t i = 0; !job->groups && i < job->n; i++)
            folds[order[i]] = (int32_t)(p->shuffle ? i % k : i * k / job->n);
        cairn_scratch_release(ctx, mark);
    }
done:
    return status;
}

const cairn_resampling cairn_cv = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "cv",
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

/* -- hold-out -- */

typedef struct holdout_params {
    double share;
    int repeats;
    bool shuffle;
    bool stratified;
} holdout_params;

static const cairn_param holdout_param_table[] = {
    CAIRN_PARAM(holdout_params, share, "0.333333333333", "(0,1)", "share of the rows to test on"),
    CAIRN_PARAM(holdout_params, repeats, "1", "[1,100000]", "how often the rows are parted anew"),
    CAIRN_PARAM(holdout_params, shuffle, "yes", NULL, "shuffle first; no tests the last rows"),
    CAIRN_PARAM(holdout_params, stratified, "yes", NULL, "keep the class shares alike"),
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

static cairn_status holdout_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const holdout_params *p = job->params;
    cairn_status status;
    size_t *order;
    double shares[2] = {p->share, 1 - p->share};
    size_t n_test = (size_t)floor((double)job->n * p->share + 0.5);
    if (n_test == 0 || n_test == job->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "this share leaves no row to %s; the number of rows is only %zu",
                          n_test ? "learn from" : "test on", job->n);
    TRY(plan_room(ctx, out, job, (size_t)p->repeats, 1));
    for (size_t r = 0; r < out->n_repeats; r++) {
        int32_t *folds = out->folds + r * job->n;
        TRY(shuffled_order(ctx, &order, job, r, p->shuffle, p->stratified && p->shuffle));
        if (job->groups)
            TRY(deal_groups(ctx, folds, job, order, shares, 2));
        else
            hold_out(folds, order, job->n, n_test, p->shuffle);
    }
done:
    return status;
}

const cairn_resampling cairn_holdout = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "holdout",
              .title = "Hold-out",
              .summary = "Learns from a part of the rows and tests on the rest. --by holdout:0.3 "
                         "tests on 30 per cent; repeats=20 does so twenty times with other rows.",
              .references = "Kohavi, A study of cross-validation and bootstrap, IJCAI 1995",
              .example = "cairn evaluate tree @iris --by holdout:0.3",
              .params = holdout_param_table,
              .params_size = sizeof(holdout_params)},
    .plan = holdout_plan,
};

/* -- leave-one-out -- */

static const cairn_param loo_param_table[] = {CAIRN_PARAM_END};

static cairn_status loo_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    cairn_status status;
    size_t n = job->groups ? job->n_groups : job->n;
    if (n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "loo needs at least two %s, there is %zu",
                          job->groups ? "groups" : "rows", n);
    TRY(plan_room(ctx, out, job, 1, n));
    for (size_t i = 0; i < job->n; i++)
        out->folds[i] = job->groups ? job->groups[job->rows[i]] : (int32_t)i;
done:
    return status;
}

const cairn_resampling cairn_loo = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "loo",
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

cairn_status cairn_plan_make(cairn_context *ctx, cairn_plan *out, const char *spec,
                             cairn_plan_job job)
{
    cairn_status status;
    cairn_params *params = NULL;
    status = cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_RESAMPLING, spec);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "--by %s", spec);
    if (status) return status;
    job.params = params->values;
    TRY(((const cairn_resampling *)params->entry)->plan(ctx, out, &job));
done:
    cairn_params_free(params);
    return status;
}
