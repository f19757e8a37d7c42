/* SPDX-License-Identifier: MIT */
/* Noise on attributes: normal numbers with deviation sd are added to number columns, and a share of
 * the cells of level columns is drawn anew, evenly from all levels. Labels stay.
 *
 * With `relative`, sd is in units of each column's own deviation. Random numbers come from a stream
 * per column and block of rows, so they depend on the seed and on nothing else; training rows and
 * new ones have different streams. */
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
    CAIRN_PARAM(cairn_noise_params, levels, "0", "[0,1]",
                "share of the cells of level columns that get a level drawn evenly from all"),
    CAIRN_PARAM_END,
};

const cairn_choice cairn_spoiled_choices[] = {
    {"train", CAIRN_SPOIL_TRAIN, "the rows that are learned from"},
    {"new", CAIRN_SPOIL_NEW, "the rows that are predicted"},
    {"all", CAIRN_SPOIL_ALL, "both"},
    {0},
};

cairn_acting cairn_spoiled_acting(int rows)
{
    return rows == CAIRN_SPOIL_TRAIN ? CAIRN_ACTS_ON_TRAIN : CAIRN_ACTS_APART;
}

const char *cairn_spoiled_words(int rows)
{
    switch (rows) {
    case CAIRN_SPOIL_TRAIN: return "New rows stay as they are.";
    case CAIRN_SPOIL_NEW: return "The training rows stay as they are.";
    default: return "Training rows and new rows are treated alike.";
    }
}

typedef struct noise_params {
    cairn_noise_params noise;
    int rows; /* cairn_spoiled */
} noise_params;

static const cairn_param noise_param_table[] = {
    CAIRN_PARAM_GROUP(noise_params, noise, cairn_noise_param_table),
    CAIRN_PARAM_CHOICE(noise_params, rows, "train", cairn_spoiled_choices,
                       "which rows are disturbed"),
    CAIRN_PARAM_END,
};

cairn_status cairn_noise_fit(cairn_context *ctx, void *state, const cairn_job *job,
                             const char *transform)
{
    const cairn_noise_params *p = job->params;
    cairn_noise_state *s = state;
    size_t *chosen, n, index;
    CHECK(cairn_choose_features(ctx, job->view, transform, p->columns,
                                p->levels > 0 ? cairn_fits_number_or_level : cairn_fits_number,
                                p->levels > 0 ? "a number or level column" : "a number column",
                                &chosen, &n));
    CHECK(NEW(ctx, &s->deviations, n + 1));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        bool levels = job->view->features[chosen[i]]->kind == CAIRN_LEVEL;
        cairn_moments m;
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        s->deviations[index] = levels ? p->levels : p->sd;
        if (levels) continue;
        if (!p->relative) continue;
        CHECK(cairn_column_moments(ctx, job->view, chosen[i], &m));
        s->deviations[index] *= m.weight > 0 ? sqrt(m.squares / m.weight) * m.unit : 0;
    }
    return CAIRN_OK;
}

typedef struct noise_work {
    double *numbers; /* or */
    int32_t *codes;
    size_t n_levels;
    double sd; /* or share */
    uint64_t seed, stream;
} noise_work;

static void disturb_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const noise_work *w = data;
    cairn_random random;
    cairn_random_start(&random, w->seed, w->stream + block);
    if (w->numbers) {
        for (size_t i = begin; i < end; i++) w->numbers[i] += w->sd * cairn_random_normal(&random);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        bool drawn = cairn_random_uniform(&random) < w->sd;
        int32_t level = (int32_t)cairn_random_below(&random, w->n_levels);
        if (drawn && w->codes[i] >= 0) w->codes[i] = level;
    }
}

cairn_status cairn_own_column(cairn_context *ctx, cairn_table *table, size_t at, cairn_column **out)
{
    uint32_t *rows;
    const cairn_column *old = table->slots[at].column;
    CHECK(SCRATCH_RAW(ctx, &rows, old->n_rows + 1));
    for (size_t i = 0; i < old->n_rows; i++) rows[i] = (uint32_t)i;
    CHECK(cairn_column_take(ctx, out, old, rows, old->n_rows));
    cairn_table_replace_column(table, at, *out);
    return CAIRN_OK;
}

/* Disturb rows first .. of the named columns, in columns of their own. */
cairn_status cairn_noise_add(cairn_context *ctx, cairn_table *table, const cairn_noise_state *s,
                             size_t first, uint64_t salt)
{
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &at));
        bool levels = table->slots[at].column->kind == CAIRN_LEVEL;
        if (!levels) CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        if (levels && table->slots[at].column->names.n == 0) continue; /* all cells are missing */
        CHECK(cairn_own_column(ctx, table, at, &column));
        noise_work work = {levels ? NULL : column->numbers + first,
                           levels ? column->codes + first : NULL,
                           column->names.n,
                           s->deviations[i],
                           cairn_context_seed(ctx),
                           salt + ((uint64_t)(i + 1) << 32)};
        CHECK(cairn_blocks(ctx, table->n_rows - first, NOISE_BLOCK, disturb_block, &work));
    }
    return CAIRN_OK;
}

static cairn_status disturb(cairn_context *ctx, cairn_table **out, const cairn_noise_state *state,
                            const cairn_table *table, bool wanted, uint64_t salt)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_share(ctx, &made, table));
    if (wanted) CHECK(cairn_noise_add(ctx, made, state, 0, salt));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status noise_train(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const noise_params *p = params;
    return disturb(ctx, out, state, table, p->rows != CAIRN_SPOIL_NEW, UINT64_C(0x4E01) << 48);
}

static cairn_status noise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const noise_params *p = params;
    return disturb(ctx, out, state, table, p->rows != CAIRN_SPOIL_TRAIN, UINT64_C(0x4E02) << 48);
}

static cairn_acting noise_acting(const void *params)
{
    return cairn_spoiled_acting(((const noise_params *)params)->rows);
}

void cairn_noise_show(cairn_report *out, const cairn_noise_state *s, const char *name)
{
    cairn_report_formula(out, "x' = x + N(0, sd²)");
    cairn_report_table_of(out, "Noise", 0, "lr", "column", "sd");
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
    const noise_params *p = params;
    cairn_noise_show(out, state, "noise");
    cairn_report_paragraph(out, "%s", cairn_spoiled_words(p->rows));
}

static cairn_status noise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    return cairn_noise_fit(ctx, state, job, "noise");
}

const cairn_kept cairn_noise_keeps[] = {
    KEEP(cairn_noise_state, names),
    KEEP_ARRAYS(cairn_noise_state, "names+1", deviations),
    KEEP_END,
};

const cairn_transform cairn_noise = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "noise",
              .also = "attribute noise, Gaussian noise",
              .about = "noisy data",
              .title = "Noise on attributes",
              .summary =
                  "Adds normal noise to number columns of the training rows, and on request draws "
                  "a share of the level cells anew, to see how much a learner suffers when values "
                  "are measured badly. New rows stay as they are, so an evaluation compares with "
                  "clean ones, unless rows=new or rows=all; cairn convert disturbs a whole table.",
              .references = "Mitchell, Machine Learning, 1997",
              .example = "cairn evaluate tree @iris --with noise:sd=0.2",
              .params = noise_param_table,
              .params_size = sizeof(noise_params)},
    .state_size = sizeof(cairn_noise_state),
    .acting = noise_acting,
    .fit = noise_fit,
    .apply = noise_apply,
    .train = noise_train,
    .describe = noise_describe,
    .keeps = cairn_noise_keeps,
};
