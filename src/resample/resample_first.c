/* SPDX-License-Identifier: MIT */
/* The first rows of a table to learn from, the rest to test on. */
#include "resample/resample.h"

typedef struct first_params {
    int rows;
} first_params;

static const cairn_param first_param_table[] = {
    CAIRN_PARAM(first_params, rows, NULL, "[1,inf)", "rows to learn from", .required = true),
    CAIRN_PARAM_END,
};

/* Whoever orders the rows knows what for, so that nothing is said of times and groups. */
static cairn_status first_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const first_params *p = job->params;
    size_t n_train = 0;
    CHECK(cairn_plan_buffer(ctx, out, job, 1, 1));
    out->ordered = true;
    for (size_t i = 0; i < job->n; i++) {
        out->folds[i] = job->rows[i] < (uint32_t)p->rows;
        n_train += (size_t)out->folds[i];
    }
    if (n_train && n_train < job->n) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "first:%d leaves no row with a known target to %s; the number of such rows is "
        "%zu",
        p->rows, n_train ? "test on" : "learn from", job->n);
}

const cairn_resampling cairn_first_rows = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "first",
              .also = "train on the first rows, test on the last",
              .title = "The first rows, and the rest",
              .summary =
                  "Learns from the first rows of the table and tests on all others, once: --by "
                  "first:100. What --test FILE does with the rows of a second file.",
              .references = "Kohavi, A study of cross-validation and bootstrap, IJCAI 1995",
              .example = "cairn evaluate linear @used-cars --by first:8",
              .params = first_param_table,
              .params_size = sizeof(first_params)},
    .plan = first_plan,
};
