/* SPDX-License-Identifier: MIT */
/* Teacher noise: the class of a share of the training rows is replaced by another one, drawn evenly
 * from the others. Exactly the share is flipped (rounded to whole rows), chosen at random by the
 * seed. New rows are not touched; where a table is converted, it is the table. */
#include "transforms/columns.h"

#include "base/random.h"
#include "data/column.h"

#include <math.h>
#include <string.h>

typedef struct flip_params {
    double share;
    const char *from;
} flip_params;

static const cairn_param flip_param_table[] = {
    CAIRN_PARAM(flip_params, share, "0.1", "[0,1]", "share of the rows whose class is changed"),
    CAIRN_PARAM(flip_params, from, NULL, NULL,
                "change rows of this class only; then the share is "
                "of its rows"),
    CAIRN_PARAM_END,
};

typedef struct flip_state {
    int64_t n_rows, n_flipped; /* that could be and that were */
} flip_state;

/* Rows that may be flipped, in order. */
static cairn_status candidates(cairn_context *ctx, const cairn_column *target, const char *from,
                               size_t **out, size_t *n)
{
    int64_t only = from ? cairn_map_find(&target->names, from, strlen(from)) : -1;
    if (from && only < 0) return cairn_no_class(ctx, "flip", &target->names, from);
    CHECK(SCRATCH_RAW(ctx, out, target->n_rows + 1));
    *n = 0;
    for (size_t i = 0; i < target->n_rows; i++)
        if (target->codes[i] >= 0 && (only < 0 || target->codes[i] == only)) (*out)[(*n)++] = i;
    return CAIRN_OK;
}

/* Decides how many classes change, so that the report can tell it; which ones is drawn when it is
 * applied. */
static cairn_status flip_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const flip_params *p = job->params;
    flip_state *s = state;
    size_t *rows, n;
    const cairn_column *target = job->view->target;
    if (!target)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "flip: there is no target whose classes could be changed; name it with "
                          "{target}");
    if (target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "flip: the target '%s' holds numbers, not classes; {with noise} disturbs "
                          "numbers",
                          job->view->target_name);
    if (target->names.n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "flip: the target '%s' has one class only, so there is no other",
                          job->view->target_name);
    CHECK(candidates(ctx, target, p->from, &rows, &n));
    s->n_rows = (int64_t)n;
    s->n_flipped = (int64_t)round(p->share * (double)n);
    return CAIRN_OK;
}

/* The rows to change are the first of a shuffled list, and each gets one of the other classes with
 * equal chance. A table without a target passes unchanged. */
static cairn_status flip_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    const flip_params *p = params;
    const flip_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    cairn_random random;
    size_t *rows = NULL, n = 0;
    CHECK(cairn_table_share(ctx, &made, table));
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0) goto give;
    const cairn_column *old = table->slots[at].column;
    CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_LEVEL));
    CHECK(candidates(ctx, old, p->from, &rows, &n));
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, old->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &old->names));
    memcpy(column->codes, old->codes, old->n_rows * sizeof *old->codes);
    column->ordered = old->ordered;
    column->declared = old->declared;
    column->n_missing = old->n_missing;
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0xF11B));
    cairn_random_shuffle(&random, rows, n);
    for (size_t i = 0; i < n && (int64_t)i < s->n_flipped; i++) {
        int32_t other = (int32_t)cairn_random_below(&random, old->names.n - 1);
        column->codes[rows[i]] = other + (other >= old->codes[rows[i]]);
    }
    cairn_table_replace_column(made, (size_t)at, column);
    column = NULL;
give:
    *out = TAKE(made);
    return CAIRN_OK;
}

static void flip_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const flip_state *s = state;
    cairn_report_value(out, "rows whose class was changed", (double)s->n_flipped, "flip.rows");
    cairn_report_value(out, "of rows", (double)s->n_rows, "flip.of");
}

static const cairn_kept flip_keeps[] = {
    KEEP(flip_state, n_rows, n_flipped),
    KEEP_END,
};

const cairn_transform cairn_flip = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "flip",
              .also = "label noise, class noise, mislabelled rows",
              .title = "Wrong labels",
              .summary =
                  "Changes the class of a share of the training rows to another one at random, to "
                  "see how a learner stands wrong labels: one that fits every row learns the noise "
                  "as well. New rows keep theirs, so an evaluation compares with true labels; "
                  "cairn convert changes a whole table.",
              .references = "Mitchell, Machine Learning, 1997",
              .example = "cairn evaluate tree @iris --with flip:share=0.1",
              .params = flip_param_table,
              .params_size = sizeof(flip_params)},
    .state_size = sizeof(flip_state),
    .changes_rows = true,
    .fit = flip_fit,
    .apply = flip_apply,
    .lower = cairn_lower_levels,
    .describe = flip_describe,
    .keeps = flip_keeps,
};
