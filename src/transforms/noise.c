/* SPDX-License-Identifier: MIT */
/* Noise on attributes: normal numbers with deviation sd are added to number columns of the training
 * rows (of all rows where a table is only converted). Labels stay.
 *
 * With `relative`, sd is in units of each column's own deviation. Numbers come from a stream per
 * column and block of rows, so they depend on the seed and on nothing else. */
#include "transforms/noise.h"

#include "base/random.h"
#include "data/column.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { NOISE_BLOCK = 4096 };

const cairn_param cairn_noise_param_table[] = {
    CAIRN_PARAM(cairn_noise_params, sd, "0.2", "[0,inf)", "standard deviation of what is added"),
    CAIRN_PARAM_AS(cairn_noise_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to disturb; all number features when not given"),
    CAIRN_PARAM(cairn_noise_params, relative, "no", NULL,
                "whether sd is in units of each column's own deviation"),
    CAIRN_PARAM_END,
};

cairn_status cairn_noise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const cairn_noise_params *p = job->params;
    cairn_noise_state *s = state;
    cairn_status status;
    size_t *chosen, n, index;
    TRY(cairn_choose_features(ctx, job->view, "noise", p->columns, cairn_fits_number,
                              "a number column", &chosen, &n));
    TRY(NEW(ctx, &s->deviations, n + 1));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        cairn_moments m;
        TRY(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        s->deviations[index] = p->sd;
        if (!p->relative) continue;
        TRY(cairn_column_moments(ctx, job->view, chosen[i], &m));
        s->deviations[index] *= m.weight > 0 ? sqrt(m.squares / m.weight) : 0;
    }
done:
    return status;
}

typedef struct noise_work {
    double *numbers;
    double sd;
    uint64_t seed, stream;
} noise_work;

static void disturb_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const noise_work *w = data;
    cairn_random random;
    cairn_random_start(&random, w->seed, w->stream + block);
    for (size_t i = begin; i < end; i++) w->numbers[i] += w->sd * cairn_random_normal(&random);
}

/* Disturb rows first .. of the named columns, in columns of their own. */
cairn_status cairn_noise_add(cairn_context *ctx, cairn_table *table, const cairn_noise_state *s,
                             size_t first, uint64_t salt)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        TRY(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &at));
        TRY(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        const cairn_column *old = table->slots[at].column;
        TRY(cairn_column_new(ctx, &column, CAIRN_NUMBER, old->n_rows));
        memcpy(column->numbers, old->numbers, old->n_rows * sizeof(double));
        column->n_missing = old->n_missing;
        cairn_table_replace_column(table, at, column);
        noise_work work = {column->numbers + first, s->deviations[i], cairn_context_seed(ctx),
                           salt + ((uint64_t)(i + 1) << 32)};
        TRY(cairn_blocks(ctx, table->n_rows - first, NOISE_BLOCK, disturb_block, &work));
    }
done:
    return status;
}

static cairn_status noise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    (void)params;
    cairn_status status;
    cairn_table *made = NULL;
    TRY(cairn_table_share(ctx, &made, table));
    TRY(cairn_noise_add(ctx, made, state, 0, UINT64_C(0x4E01) << 48));
    *out = made;
    made = NULL;
done:
    cairn_table_free(made);
    return status;
}

void cairn_noise_show(cairn_report *out, const cairn_noise_state *s, const char *name)
{
    cairn_report_formula(out, "x' = x + N(0, sd²)");
    cairn_report_table_begin(out, "Noise", 0);
    cairn_report_column(out, "column", 'l');
    cairn_report_column(out, "sd", 'r');
    for (size_t i = 0; i < s->names.n; i++) {
        const char *column = cairn_map_key(&s->names, i);
        cairn_report_cell(out, column);
        cairn_report_cell_number(out, s->deviations[i], 0, "%s.%s.sd", name,
                                 cairn_report_key(out, column));
    }
    cairn_report_table_end(out);
}

static void noise_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_noise_show(out, state, "noise");
    cairn_report_paragraph(out, "New rows stay as they are.");
}

cairn_status cairn_noise_archive(cairn_archive *a, void *state)
{
    cairn_noise_state *s = state;
    cairn_status status;
    TRY(cairn_archive_map(a, "names", &s->names));
    TRY(cairn_archive_reals(a, "deviations", &s->deviations, s->names.n + 1));
done:
    return status;
}

void cairn_noise_clear(void *state)
{
    cairn_noise_state *s = state;
    cairn_map_clear(&s->names);
    cairn_free(s->deviations);
}

const cairn_transform cairn_noise = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "noise",
              .title = "Noise on attributes",
              .summary =
                  "Adds normal noise to number columns of the training rows, to see how much a "
                  "learner suffers when values are measured badly. New rows stay as they are, so "
                  "an evaluation compares with clean ones; cairn convert disturbs a whole table.",
              .references = "Mitchell, Machine Learning, 1997",
              .example = "cairn evaluate tree @iris --with noise:sd=0.2",
              .params = cairn_noise_param_table,
              .params_size = sizeof(cairn_noise_params)},
    .state_size = sizeof(cairn_noise_state),
    .changes_rows = true,
    .fit = cairn_noise_fit,
    .apply = noise_apply,
    .describe = noise_describe,
    .archive = cairn_noise_archive,
    .clear = cairn_noise_clear,
};
