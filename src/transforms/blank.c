/* SPDX-License-Identifier: MIT */
/* Blank: a share of the cells of number and level columns is made missing, each cell by a throw of
 * its own, so about the share is gone from every column. Cells that are missing already stay so.
 *
 * Throws come from a stream per column and block of rows, so they depend on the seed and on nothing
 * else; training rows and new ones have different streams. */
#include "transforms/noise.h"

#include "base/random.h"
#include "data/column.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { BLANK_BLOCK = 4096 };

typedef struct blank_params {
    double share;
    const char *columns;
    int rows; /* cairn_spoiled */
} blank_params;

static const cairn_param blank_param_table[] = {
    CAIRN_PARAM(blank_params, share, "0.1", "[0,1]", "share of the cells that go missing"),
    CAIRN_PARAM_AS(blank_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns with gaps; all number and level features when not given"),
    CAIRN_PARAM_CHOICE(blank_params, rows, "train", cairn_spoiled_choices, "which rows get gaps"),
    CAIRN_PARAM_END,
};

typedef struct blank_state {
    cairn_map names;
} blank_state;

static cairn_status blank_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const blank_params *p = job->params;
    blank_state *s = state;
    size_t *chosen, n, index;
    CHECK(cairn_choose_features(ctx, job->view, "blank", p->columns, cairn_fits_number_or_level,
                                "a number or level column", &chosen, &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

typedef struct blank_work {
    cairn_column *column;
    double share;
    uint64_t seed, stream;
} blank_work;

static void blank_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const blank_work *w = data;
    cairn_random random;
    cairn_random_start(&random, w->seed, w->stream + block);
    for (size_t i = begin; i < end; i++) {
        if (!(cairn_random_uniform(&random) < w->share)) continue;
        if (w->column->kind == CAIRN_LEVEL)
            w->column->codes[i] = -1;
        else
            w->column->numbers[i] = NAN;
    }
}

static cairn_status make_gaps(cairn_context *ctx, cairn_table **out, const blank_state *s,
                              double share, const cairn_table *table, uint64_t salt)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_share(ctx, &made, table));
    for (size_t i = 0, at = 0; share > 0 && i < s->names.n; i++) {
        cairn_column *column;
        CHECK(cairn_next_column(ctx, made, cairn_map_key(&s->names, i), &at));
        if (made->slots[at].column->kind != CAIRN_LEVEL)
            CHECK(cairn_expect_kind(ctx, &made->slots[at], CAIRN_NUMBER));
        CHECK(cairn_own_column(ctx, made, at, &column));
        blank_work work = {column, share, cairn_context_seed(ctx),
                           salt + ((uint64_t)(i + 1) << 32)};
        CHECK(cairn_blocks(ctx, made->n_rows, BLANK_BLOCK, blank_block, &work));
        cairn_column_count_missing(column);
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status blank_train(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const blank_params *p = params;
    return make_gaps(ctx, out, state, p->rows == CAIRN_SPOIL_NEW ? 0 : p->share, table,
                     UINT64_C(0xB1A1) << 48);
}

static cairn_status blank_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const blank_params *p = params;
    return make_gaps(ctx, out, state, p->rows == CAIRN_SPOIL_TRAIN ? 0 : p->share, table,
                     UINT64_C(0xB1A2) << 48);
}

static cairn_acting blank_acting(const void *params)
{
    return cairn_spoiled_acting(((const blank_params *)params)->rows);
}

static void blank_describe(cairn_report *out, const void *state, const void *params)
{
    const blank_params *p = params;
    const blank_state *s = state;
    cairn_report_value(out, "share of the cells that went missing", p->share, "blank.share");
    cairn_report_value(out, "columns", (double)s->names.n, "blank.columns");
    cairn_report_paragraph(out, "%s", cairn_spoiled_words(p->rows));
}

static const cairn_kept blank_keeps[] = {
    KEEP(blank_state, names),
    KEEP_END,
};

const cairn_transform cairn_blank = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "blank",
              .also = "missing at random, delete cells",
              .title = "Missing cells on purpose",
              .summary =
                  "Makes a share of the cells of number and level columns missing, in the training "
                  "rows, in new rows or in both, to see how much a learner suffers from gaps in "
                  "the data. cairn convert makes gaps in a whole table.",
              .references = "Little, Rubin, Statistical Analysis with Missing Data, 1987",
              .example = "cairn evaluate tree @iris --with blank:share=0.2,rows=all",
              .params = blank_param_table,
              .params_size = sizeof(blank_params)},
    .state_size = sizeof(blank_state),
    .acting = blank_acting,
    .fit = blank_fit,
    .apply = blank_apply,
    .train = blank_train,
    .describe = blank_describe,
    .keeps = blank_keeps,
};
