/* SPDX-License-Identifier: MIT */
/* Lpc features: every row is a signal, its columns are samples; frames of it become the weights of
 * linear prediction.
 *
 *  1. cut the samples into frames of `frame` samples that begin `step` apart
 *  2. emphasise high frequencies and fade the ends of the frame, if asked for
 *  3. autocorrelation, then the recursion of Levinson and Durbin: weights a1 .. ap and the share of
 *     the energy that they leave
 *
 * Samples after the last whole frame do not count. A missing sample makes the features of its frame
 * missing. Cost: samples times order for each frame. */
#include "stats/lpc.h"
#include "parallel/parallel.h"
#include "transforms/columns.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

typedef enum { WINDOW_NONE, WINDOW_HAMMING } window_choice;

typedef struct lpc_params {
    const char *columns;
    int order;
    int frame, step;
    int window; /* window_choice */
    double emphasis;
    bool keep;
} lpc_params;

static const cairn_choice window_choices[] = {
    {"none", WINDOW_NONE, "samples as they are"},
    {"hamming", WINDOW_HAMMING, "the ends of the frame fade out"},
    {0},
};

static const cairn_param lpc_param_table[] = {
    CAIRN_PARAM_AS(lpc_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the samples in order; all number features when not given"),
    CAIRN_PARAM(lpc_params, order, "4", "[1,100]", "samples that a sample is predicted from"),
    CAIRN_PARAM(lpc_params, frame, "0", "[0,inf)", "samples of a frame; 0 = the whole row"),
    CAIRN_PARAM(lpc_params, step, "0", "[0,inf)",
                "samples from the beginning of a frame to that of the next; 0 = frame",
                .when = "frame"),
    CAIRN_PARAM_CHOICE(lpc_params, window, "none", window_choices, "weights of the samples"),
    CAIRN_PARAM(lpc_params, emphasis, "0", "[0,1]", "part of the sample before that is taken away"),
    CAIRN_PARAM(lpc_params, keep, "no", NULL, "keep the samples beside the features"),
    CAIRN_PARAM_END,
};

typedef struct lpc_state {
    cairn_map names;              /* of the samples; empty = nothing to do */
    size_t frame, step, n_frames; /* in samples */
} lpc_state;

typedef struct lpc_work {
    const lpc_state *state;
    const lpc_params *params;
    size_t n_rows;
    const double **samples; /* names.n columns */
    double **out;           /* n_frames x (order + 1) columns */
} lpc_work;

/* Working memory of one frame. */
typedef struct lpc_memory {
    double *row, *frame, *r, *a, *spare;
} lpc_memory;

static void code_frame(const lpc_work *work, const lpc_memory *m, size_t row, size_t number)
{
    const lpc_state *s = work->state;
    size_t order = (size_t)work->params->order, begin = number * s->step;
    cairn_lpc_settings settings = {order, work->params->window == WINDOW_HAMMING,
                                   work->params->emphasis};
    double **out = work->out + number * (order + 1), left = NAN, sum = 0;
    cairn_lpc_prepare(m->frame, m->row + begin, s->frame, begin ? m->row[begin - 1] : 0, &settings);
    for (size_t i = 0; i < s->frame; i++) sum += m->frame[i];
    if (isnan(sum)) {
        for (size_t k = 0; k <= order; k++) out[k][row] = NAN;
        return;
    }
    cairn_autocorrelation(m->r, m->frame, s->frame, order);
    left = cairn_levinson(m->r, order, m->a, NULL, NULL, m->spare);
    for (size_t k = 0; k < order; k++) out[k][row] = m->a[k];
    out[order][row] = m->r[0] > 0 ? left / m->r[0] : 0;
}

/* Frames may overlap, so a row is copied once out of its columns and then cut. */
static cairn_status code_rows(cairn_context *ctx, void *data, size_t block)
{
    const lpc_work *work = data;
    const lpc_state *s = work->state;
    size_t order = (size_t)work->params->order, end = (block + 1) * BLOCK_ROWS;
    lpc_memory m;
    CHECK(SCRATCH(ctx, &m.row, s->names.n));
    CHECK(SCRATCH(ctx, &m.frame, s->frame));
    CHECK(SCRATCH(ctx, &m.r, order + 1));
    CHECK(SCRATCH_EACH(ctx, order, &m.a, &m.spare));
    if (end > work->n_rows) end = work->n_rows;
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        for (size_t k = 0; k < s->names.n; k++) m.row[k] = work->samples[k][i];
        for (size_t f = 0; f < s->n_frames; f++) code_frame(work, &m, i, f);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

static void name_feature(char out[64], const lpc_state *s, size_t frame, size_t k, size_t order)
{
    char place[32] = "";
    if (s->n_frames > 1) snprintf(place, sizeof place, "frame%zu:", frame + 1);
    if (k < order)
        snprintf(out, 64, "lpc:%sa%zu", place, k + 1);
    else
        snprintf(out, 64, "lpc:%sleft", place);
}

static cairn_status add_features(cairn_context *ctx, cairn_table *out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const lpc_state *s = state;
    const lpc_params *p = params;
    lpc_work work = {.state = s, .params = p, .n_rows = table->n_rows};
    size_t order = (size_t)p->order, n = s->n_frames * (order + 1);
    SCOPED(cairn_numbers_clear) cairn_made_numbers made = {0};
    char name[64];
    CHECK(cairn_find_numbers(ctx, &work.samples, table, &s->names));
    CHECK(cairn_numbers_make(ctx, &made, n, table->n_rows));
    work.out = made.numbers;
    CHECK(cairn_tasks(ctx, cairn_block_count(table->n_rows, BLOCK_ROWS), code_rows, &work));
    for (size_t k = 0; k < n; k++) {
        name_feature(name, s, k / (order + 1), k % (order + 1), order);
        CHECK(cairn_numbers_give(ctx, &made, k, out, name));
    }
    return CAIRN_OK;
}

static cairn_status find_frames(cairn_context *ctx, lpc_state *s, const lpc_params *p)
{
    s->frame = p->frame ? (size_t)p->frame : s->names.n;
    s->step = p->step ? (size_t)p->step : s->frame;
    if (s->frame > s->names.n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "lpc-features: a frame has %zu samples, but a row only %zu; make the "
                          "frame smaller",
                          s->frame, s->names.n);
    if (s->frame <= (size_t)p->order)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "lpc-features: a frame of %zu samples is too short for order %d; make "
                          "order smaller",
                          s->frame, p->order);
    s->n_frames = (s->names.n - s->frame) / s->step + 1;
    return CAIRN_OK;
}

static cairn_status lpc_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const lpc_params *p = job->params;
    lpc_state *s = state;
    size_t n, *chosen;
    CHECK(cairn_choose_features(ctx, job->view, "lpc-features", p->columns, cairn_fits_number,
                                "a number column", &chosen, &n));
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_keep_names(ctx, &s->names, job->view, chosen, n));
    return find_frames(ctx, s, p);
}

static cairn_status lpc_apply(cairn_context *ctx, cairn_table **out, const void *state,
                              const void *params, const cairn_table *table)
{
    const lpc_params *p = params;
    const lpc_state *s = state;
    return cairn_columns_replaced(ctx, out, &s->names, p->keep, add_features, state, params, table);
}

static void lpc_describe(cairn_report *out, const void *state, const void *params)
{
    const lpc_params *p = params;
    const lpc_state *s = state;
    if (s->names.n == 0) return;
    cairn_report_formula(out, "x[n] ≈ a1 · x[n−1] + … + a%d · x[n−%d]", p->order, p->order);
    cairn_report_value(out, "samples of a row", (double)s->names.n, "lpc-features.samples");
    cairn_report_value(out, "samples of a frame", (double)s->frame, "lpc-features.frame");
    cairn_report_value(out, "frames", (double)s->n_frames, "lpc-features.frames");
}

static const cairn_kept lpc_keeps[] = {
    KEEP(lpc_state, names),
    KEEP_SIZE_IN(lpc_state, frame, "names"),
    KEEP_SIZE(lpc_state, step, SIZE_MAX / 4),
    KEEP_SIZE_IN(lpc_state, n_frames, "names", .name = "frames"),
    KEEP_FITS("n_frames*step+frame", "names+step", "the frames are longer than the signal",
              .when = "n_frames"),
    KEEP_END,
};

const cairn_transform cairn_lpc_features = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "lpc-features",
              .also = "linear prediction coefficients, speech features",
              .title = "Linear predictive coding of signals",
              .summary =
                  "Takes every row as a signal whose samples are the columns, and describes each "
                  "frame of it by the weights that predict a sample from those before it, and the "
                  "share of the energy that they leave. They take the place of the samples as "
                  "columns lpc:a1, lpc:a2, ..., lpc:left. For a signal that stands in one column, "
                  "see 'cairn compute lpc'.",
              .references = "Makhoul: Linear Prediction, Proceedings of the IEEE 63, 1975",
              .example = "cairn convert @digits - --to csv --with lpc-features:order=2",
              .params = lpc_param_table,
              .params_size = sizeof(lpc_params)},
    .state_size = sizeof(lpc_state),
    .fit = lpc_fit,
    .apply = lpc_apply,
    .describe = lpc_describe,
    .keeps = lpc_keeps,
};
