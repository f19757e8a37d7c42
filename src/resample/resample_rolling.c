/* SPDX-License-Identifier: MIT */
/* Rolling origin: learn from the past, test on what came after it, move on.
 *
 *     |—— learned from ——| gap |— tested —|
 *     |—— learned from ————————| gap |— tested —|        expanding
 *               |—— window ——| gap |— tested —|          sliding
 *
 * Rows are in the order of the time column, or of the table when there is none; rows of the same
 * time stay in table order. The test parts are the last ones, side by side and equally long. Each
 * split is a repeat of the plan, in which the rows that it does not see are unused. */
#include "resample/resample.h"

typedef struct rolling_params {
    int splits, test, window, gap;
} rolling_params;

static const cairn_param rolling_param_table[] = {
    CAIRN_PARAM(rolling_params, splits, "5", "[1,100000]", "how many parts are tested"),
    CAIRN_PARAM(rolling_params, test, "0", "[0,inf)",
                "rows in each of them; 0 = so many that the first split learns from as many"),
    CAIRN_PARAM(rolling_params, window, "0", "[0,inf)",
                "rows that are learned from, the last ones before the gap; 0 = all that came "
                "before"),
    CAIRN_PARAM(rolling_params, gap, "0", "[0,inf)",
                "rows between those learned from and those tested, which are left out"),
    CAIRN_PARAM_END,
};

/* Where the first test part begins and how long each is. */
typedef struct rolling_layout {
    size_t first, test;
} rolling_layout;

/* Test parts lie at the end, one after the other; what is before the first of them, less the
 * gap, must leave something to learn from. */
static cairn_status lay_out(cairn_context *ctx, rolling_layout *out, const rolling_params *p,
                            size_t n)
{
    size_t splits = (size_t)p->splits, gap = (size_t)p->gap, window = (size_t)p->window;
    size_t test = p->test ? (size_t)p->test : n / (splits + 1);
    if (test == 0 || test > n / splits || n - splits * test <= gap)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "rolling: %zu test part%s of %zu row%s and a gap of %zu leave no row to "
                          "learn from; the number of rows is only %zu",
                          splits, splits == 1 ? "" : "s", test ? test : 1, test > 1 ? "s" : "", gap,
                          n);
    *out = (rolling_layout){n - splits * test, test};
    if (window > out->first - gap)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "rolling: a window of %zu rows is longer than the data before the first "
                          "test part, which are %zu rows of %zu; choose a shorter window, fewer "
                          "splits or smaller test parts",
                          window, out->first - gap, n);
    return CAIRN_OK;
}

/* Rows after the test part and in the gap are unused: a model must not learn from the future or
 * from what overlaps with it. */
static cairn_status rolling_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const rolling_params *p = job->params;
    rolling_layout at;
    size_t *order;
    if (job->groups)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "rolling goes by time and cannot keep groups of rows together; leave out "
                          "{group}, or use cv or holdout");
    CHECK(lay_out(ctx, &at, p, job->n));
    CHECK(cairn_plan_time_order(ctx, &order, job));
    CHECK(cairn_plan_buffer(ctx, out, job, (size_t)p->splits, 1));
    out->ordered = true;
    for (size_t s = 0; s < out->n_repeats; s++) {
        int32_t *folds = out->folds + s * job->n;
        size_t test = at.first + s * at.test, end = test - (size_t)p->gap;
        size_t begin = p->window ? end - (size_t)p->window : 0;
        for (size_t i = 0; i < job->n; i++)
            folds[order[i]] = i >= begin && i < end             ? 1
                              : i >= test && i < test + at.test ? 0
                                                                : CAIRN_FOLD_UNUSED;
    }
    return CAIRN_OK;
}

const cairn_resampling cairn_rolling = {
    .entry =
        {.kind = CAIRN_ENTRY_RESAMPLING,
         .name = "rolling",
         .also = "time series split, rolling window, expanding window, walk-forward, forward "
                 "chaining, TimeSeriesSplit",
         .title = "Rolling origin, for rows in time",
         .summary =
             "Learns from what came before and tests on what came after, several times, "
             "moving on: rows are in the order of the time column, or of the table when there "
             "is none. --by rolling:5 learns from all earlier rows (expanding window); "
             "window=100 from the last 100 (sliding window); gap=7 leaves out rows in between.",
         .references = "Tashman, Out-of-sample tests of forecasting accuracy, International "
                       "Journal of Forecasting 16 (2000)",
         .example = "cairn evaluate linear @used-cars --by rolling:4,test=1",
         .params = rolling_param_table,
         .params_size = sizeof(rolling_params)},
    .plan = rolling_plan,
};
