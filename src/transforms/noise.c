/* SPDX-License-Identifier: MIT */
/* Noise on attributes: normal numbers with deviation sd are added to number columns of the training
 * rows (of all rows where a table is only converted); jitter adds disturbed copies of the rows and
 * leaves the rows themselves as they are. Labels stay.
 *
 * With `relative`, sd is in units of each column's own deviation. Numbers come from a stream per
 * column and block of rows, so they depend on the seed and on nothing else. */
#include "transforms/columns.h"

#include "base/random.h"
#include "data/column.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { NOISE_BLOCK = 4096 };

typedef struct noise_params {
    const char *columns;
    double sd;
    bool relative;
} noise_params;

typedef struct jitter_params {
    noise_params noise;
    int copies;
} jitter_params;

static const cairn_param noise_param_table[] = {
    CAIRN_PARAM(noise_params, sd, "0.2", "[0,inf)", "standard deviation of what is added"),
    CAIRN_PARAM_AS(noise_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to disturb; all number features when not given"),
    CAIRN_PARAM(noise_params, relative, "no", NULL,
                "whether sd is in units of each column's own deviation"),
    CAIRN_PARAM_END,
};

static const cairn_param jitter_param_table[] = {
    CAIRN_PARAM_GROUP(jitter_params, noise, noise_param_table),
    CAIRN_PARAM(jitter_params, copies, "1", "[1,1000]", "how many disturbed copies of each row"),
    CAIRN_PARAM_END,
};

typedef struct noise_state {
    cairn_map names;
    double *deviations; /* names.n: of the noise */
} noise_state;

static cairn_status noise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const noise_params *p = job->params;
    noise_state *s = state;
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
static cairn_status disturb(cairn_context *ctx, cairn_table *table, const noise_state *s,
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
    TRY(disturb(ctx, made, state, 0, UINT64_C(0x4E01) << 48));
    *out = made;
    made = NULL;
done:
    cairn_table_free(made);
    return status;
}

static cairn_status jitter_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const jitter_params *p = params;
    cairn_status status;
    cairn_table *made = NULL;
    uint32_t *rows;
    size_t n = table->n_rows, total = cairn_product(n, (size_t)p->copies + 1);
    TRY(cairn_memory_check(ctx, (double)cairn_table_bytes(table) * (p->copies + 1),
                           "jitter: the copies", "make fewer copies"));
    if (total > UINT32_MAX)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "jitter: %zu rows are too many; make fewer copies",
                       total));
    TRY(SCRATCH_RAW(ctx, &rows, total));
    for (size_t i = 0; i < total; i++) rows[i] = (uint32_t)(i % n);
    TRY(cairn_table_take_rows(ctx, &made, table, rows, total));
    TRY(disturb(ctx, made, state, n, UINT64_C(0x7177) << 48));
    *out = made;
    made = NULL;
done:
    cairn_table_free(made);
    return status;
}

static void show_noise(cairn_report *out, const noise_state *s, const char *name)
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
    show_noise(out, state, "noise");
    cairn_report_paragraph(out, "New rows stay as they are.");
}

static void jitter_describe(cairn_report *out, const void *state, const void *params)
{
    const jitter_params *p = params;
    show_noise(out, state, "jitter");
    cairn_report_value(out, "copies of each row", p->copies, "jitter.copies");
    cairn_report_paragraph(out, "The rows themselves and new rows stay as they are.");
}

static cairn_status noise_archive(cairn_archive *a, void *state)
{
    noise_state *s = state;
    cairn_status status;
    TRY(cairn_archive_map(a, "names", &s->names));
    TRY(cairn_archive_reals(a, "deviations", &s->deviations, s->names.n + 1));
done:
    return status;
}

static void noise_clear(void *state)
{
    noise_state *s = state;
    cairn_map_clear(&s->names);
    cairn_free(s->deviations);
}

const cairn_transform cairn_jitter = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "jitter",
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
    .state_size = sizeof(noise_state),
    .changes_rows = true,
    .fit = noise_fit,
    .apply = jitter_apply,
    .describe = jitter_describe,
    .archive = noise_archive,
    .clear = noise_clear,
};

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
              .params = noise_param_table,
              .params_size = sizeof(noise_params)},
    .state_size = sizeof(noise_state),
    .changes_rows = true,
    .fit = noise_fit,
    .apply = noise_apply,
    .describe = noise_describe,
    .archive = noise_archive,
    .clear = noise_clear,
};
