/* SPDX-License-Identifier: MIT */
/* Jitter: disturbed copies of the training rows follow the rows themselves, which stay as they are;
 * labels, levels and weights are copied. The noise is that of the transform noise. */
#include "transforms/noise.h"

typedef struct jitter_params {
    cairn_noise_params noise;
    int copies;
} jitter_params;

static const cairn_param jitter_param_table[] = {
    CAIRN_PARAM_GROUP(jitter_params, noise, cairn_noise_param_table),
    CAIRN_PARAM(jitter_params, copies, "1", "[1,1000]", "how many disturbed copies of each row"),
    CAIRN_PARAM_END,
};

static cairn_status jitter_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    return cairn_noise_fit(ctx, state, job, "jitter");
}

static cairn_status jitter_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const jitter_params *p = params;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    uint32_t *rows;
    size_t n = table->n_rows, total = cairn_product(n, (size_t)p->copies + 1);
    CHECK(cairn_memory_check(ctx, (double)cairn_table_bytes(table) * (p->copies + 1),
                             "jitter: the copies", "make fewer copies"));
    if (total > UINT32_MAX)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "jitter: %zu rows are too many; make fewer copies",
                         total));
    CHECK(SCRATCH_RAW(ctx, &rows, total));
    for (size_t i = 0; i < total; i++) rows[i] = (uint32_t)(i % n);
    CHECK(cairn_table_take_rows(ctx, &made, table, rows, total));
    CHECK(cairn_noise_add(ctx, made, state, n, UINT64_C(0x7177) << 48));
    *out = TAKE(made);
    return CAIRN_OK;
}

static void jitter_describe(cairn_report *out, const void *state, const void *params)
{
    const jitter_params *p = params;
    cairn_noise_show(out, state, "jitter");
    cairn_report_value(out, "copies of each row", p->copies, "jitter.copies");
    cairn_report_paragraph(out, "The rows themselves and new rows stay as they are.");
}

const cairn_transform cairn_jitter = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "jitter",
              .also = "data augmentation, augment, perturbed copies",
              .title = "Disturbed copies of the rows",
              .summary =
                  "Adds copies of the training rows whose number columns are disturbed by normal "
                  "noise; labels stay. A learner then sees a small cloud in place of each point, "
                  "which makes it less sure of single points. New rows are not touched.",
              .references = "Bishop, Training with Noise is Equivalent to Tikhonov "
                            "Regularization, 1995",
              .example = "cairn fit tree @iris --with jitter:sd=0.1,copies=3",
              .params = jitter_param_table,
              .params_size = sizeof(jitter_params)},
    .state_size = sizeof(cairn_noise_state),
    .changes_rows = true,
    .fit = jitter_fit,
    .apply = jitter_apply,
    .describe = jitter_describe,
    .keeps = cairn_noise_keeps,
};
