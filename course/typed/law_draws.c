/* SPDX-License-Identifier: MIT */
/* A draw is the quantile of a uniform number. */
#include "typed/law_draws.h"

#include "base/memory.h"
#include "base/random.h"
#include "report/table_rows.h"

enum { SHOWN_DRAWS = 10 };

static void show_table(cairn_report *out, const cairn_law_draws *d, const double *drawn)
{
    double sum = 0;
    cairn_report_table_of(out, d->title, SHOWN_DRAWS, "rr", "draw", d->head);
    for (size_t i = 0; i < d->n; i++) {
        cairn_report_cells(out, "- draw$1", i + 1, drawn[i]);
        sum += drawn[i];
    }
    cairn_report_value(out, "mean of the draws", sum / (double)d->n, "draws.mean");
}

cairn_status cairn_show_law_draws(cairn_context *ctx, cairn_report *out,
                                  const cairn_law_draws *draws, cairn_table **result)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_random random;
    double *drawn;
    cairn_random_start(&random, ctx->seed, 0);
    CHECK(SCRATCH(ctx, &drawn, draws->n));
    for (size_t i = 0; i < draws->n; i++) {
        CHECK(cairn_tick(ctx, "drawing", (double)i, (double)draws->n));
        drawn[i] = draws->law->quantile(cairn_random_uniform(&random), draws->a, draws->b);
    }
    show_table(out, draws, drawn);
    if (!result) return CAIRN_OK;
    CHECK(cairn_table_new(ctx, &made, draws->n));
    CHECK(cairn_table_put_numbers(ctx, made, draws->column, drawn));
    *result = TAKE(made);
    return CAIRN_OK;
}
