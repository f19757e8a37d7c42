/* SPDX-License-Identifier: MIT */
/* cairn compute lpc: a signal that stands in one column, or is typed, as a sequence of vectors of
 * linear prediction, one per frame. --steps shows autocorrelation and recursion of the first
 * frame; --out writes all of them as a table. */
#include "model/calculator.h"
#include "data/column.h"
#include "stats/lpc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { WINDOW_NONE, WINDOW_HAMMING } window_choice;

typedef struct lpc_params {
    const char *column;
    cairn_list signal;
    int order, frame, step;
    int window; /* window_choice */
    double emphasis;
} lpc_params;

static const cairn_choice window_choices[] = {
    {"none", WINDOW_NONE, "samples as they are"},
    {"hamming", WINDOW_HAMMING, "the ends of the frame fade out"},
    {0},
};

static const cairn_param lpc_table[] = {
    CAIRN_PARAM_CELLS(lpc_params, signal, NUMBERS, NULL, NULL, "the samples, separated by commas"),
    CAIRN_PARAM_AS(lpc_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the column of the samples; the first number feature when not given"),
    CAIRN_PARAM(lpc_params, order, "4", "[1,100]", "samples that a sample is predicted from"),
    CAIRN_PARAM(lpc_params, frame, "0", "[0,inf)", "samples of a frame; 0 = the whole signal"),
    CAIRN_PARAM(lpc_params, step, "0", "[0,inf)",
                "samples from the beginning of a frame to that of the next; 0 = frame",
                .when = "frame"),
    CAIRN_PARAM_CHOICE(lpc_params, window, "none", window_choices, "weights of the samples"),
    CAIRN_PARAM(lpc_params, emphasis, "0", "[0,1]", "part of the sample before that is taken away"),
    CAIRN_PARAM_END,
};

typedef struct signal {
    const double *samples;
    size_t n, frame, step, n_frames, order;
} signal;

/* Typed numbers, a named column, or the first column of numbers. */
static cairn_status find_signal(cairn_context *ctx, const cairn_compute_job *job, signal *out)
{
    const lpc_params *p = job->params;
    size_t at = 0;
    if (!job->table && !p->signal.text)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute lpc' needs {signal}, or DATA with a column");
    if (!job->table) {
        out->n = p->signal.n;
        out->samples = p->signal.values;
        return CAIRN_OK;
    }
    if (p->column) CHECK(cairn_table_get(ctx, job->table, p->column, &at));
    while (!p->column && at < job->table->n_columns &&
           (job->table->slots[at].role != CAIRN_FEATURE ||
            job->table->slots[at].column->kind != CAIRN_NUMBER))
        at++;
    if (at >= job->table->n_columns || job->table->slots[at].column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the signal must be a column of numbers; name it "
                          "with {column}");
    out->samples = job->table->slots[at].column->numbers;
    out->n = job->table->n_rows;
    return CAIRN_OK;
}

/* A frame must be longer than the order, or the equations have no solution; without {frame} the
 * signal is one frame. */
static cairn_status check_signal(cairn_context *ctx, signal *s, const lpc_params *p)
{
    s->order = (size_t)p->order;
    s->frame = p->frame ? (size_t)p->frame : s->n;
    s->step = p->step ? (size_t)p->step : s->frame;
    for (size_t i = 0; i < s->n; i++)
        if (!isfinite(s->samples[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "sample %zu of the signal is missing; fill the gaps first, with "
                              "{with impute}",
                              i + 1);
    if (s->frame > s->n || s->frame <= s->order || s->step == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a frame of %zu samples does not fit: it must be longer than the order "
                          "(%zu) and no longer than the signal (%zu samples)",
                          s->frame, s->order, s->n);
    s->n_frames = (s->n - s->frame) / s->step + 1;
    return CAIRN_OK;
}

/* The vectors: n_frames x (order + 1), the last is the share of energy that is left. */
static cairn_status code_frames(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job,
                                const signal *s, double *vectors)
{
    const lpc_params *p = job->params;
    cairn_lpc_settings settings = {s->order, p->window == WINDOW_HAMMING, p->emphasis};
    double *frame, *r, *reflections, *errors, *spare;
    CHECK(SCRATCH(ctx, &frame, s->frame));
    CHECK(SCRATCH(ctx, &r, s->order + 1));
    CHECK(SCRATCH(ctx, &reflections, s->order));
    CHECK(SCRATCH(ctx, &errors, s->order + 1));
    CHECK(SCRATCH(ctx, &spare, s->order));
    for (size_t f = 0; f < s->n_frames; f++) {
        size_t begin = f * s->step;
        double *a = vectors + f * (s->order + 1);
        cairn_lpc_prepare(frame, s->samples + begin, s->frame, begin ? s->samples[begin - 1] : 0,
                          &settings);
        cairn_autocorrelation(r, frame, s->frame, s->order);
        double left = cairn_levinson(r, s->order, a, reflections, errors, spare);
        a[s->order] = r[0] > 0 ? left / r[0] : 0;
        if (f == 0 && job->steps) {
            /* The recursion line by line: each reflection coefficient lowers the error that is
             * left. */
            cairn_report_step_begin(out, "Autocorrelation and recursion of the first frame");
            cairn_report_formula(out, "r(k) = Σ x[n] · x[n−k]");
            cairn_report_formula(
                out, "k(i) = (r(i) − Σ a(j) · r(i−j)) / E(i−1),  E(i) = E(i−1) · (1 − k(i)²)");
            cairn_report_table_of(out, "Recursion of Levinson and Durbin", 0, "rrrr", "i", "r(i)",
                                  "k(i)", "E(i)");
            for (size_t i = 0; i <= s->order; i++) {
                cairn_report_cell_number(out, (double)i, 0, NULL);
                cairn_report_cell_number(out, r[i], 0, "r%zu", i);
                if (i)
                    cairn_report_cell_number(out, reflections[i - 1], 0, "k%zu", i);
                else
                    cairn_report_cell(out, "");
                cairn_report_cell_number(out, errors[i], 0, "e%zu", i);
            }
            cairn_report_step_end(out);
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* One row per frame; "left" is the share of the energy that the prediction does not explain. */
static void show_vectors(cairn_report *out, const signal *s, const double *vectors)
{
    char head[32];
    cairn_report_table_of(out, "Vectors", 0, "r", "frame");
    for (size_t k = 0; k < s->order; k++) {
        snprintf(head, sizeof head, "a%zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_column(out, "left", 'r');
    for (size_t f = 0; f < s->n_frames; f++) {
        cairn_report_prefix(out, "frame%zu", f + 1);
        cairn_report_cells(out, "- @.a$n @.left", (double)f + 1,
                           cairn_cell_row(vectors + f * (s->order + 1), s->order),
                           vectors[f * (s->order + 1) + s->order]);
    }
}

/* A row per frame, for --out. */
static cairn_status give_vectors(cairn_context *ctx, const signal *s, const double *vectors,
                                 cairn_table **out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    char name[32];
    CHECK(cairn_table_new(ctx, &table, s->n_frames));
    for (size_t k = 0; k <= s->order; k++) {
        cairn_column *column;
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, s->n_frames));
        for (size_t f = 0; f < s->n_frames; f++)
            column->numbers[f] = vectors[f * (s->order + 1) + k];
        snprintf(name, sizeof name, k < s->order ? "a%zu" : "left", k + 1);
        CHECK(cairn_table_append(ctx, table, name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status lpc_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const lpc_params *p = job->params;
    signal s = {0};
    double *vectors;
    CHECK(find_signal(ctx, job, &s));
    CHECK(check_signal(ctx, &s, p));
    CHECK(SCRATCH(ctx, &vectors, cairn_product(s.n_frames, s.order + 1)));
    cairn_report_heading(out, 1, "Linear predictive coding");
    cairn_report_formula(out, "x[n] ≈ a1 · x[n−1] + … + a%d · x[n−%d]", p->order, p->order);
    cairn_report_value(out, "samples", (double)s.n, "samples");
    cairn_report_value(out, "frames", (double)s.n_frames, "frames");
    CHECK(code_frames(ctx, out, job, &s, vectors));
    show_vectors(out, &s, vectors);
    if (job->result) CHECK(give_vectors(ctx, &s, vectors, job->result));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_lpc = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "lpc",
              .also = "linear prediction, autoregression, AR model",
              .title = "Linear predictive coding of a signal",
              .summary =
                  "Cuts a signal into frames and describes each by the weights that predict a "
                  "sample from those before it: autocorrelation, then the recursion of Levinson "
                  "and Durbin. The vectors are observations for clustering or, as symbols, for a "
                  "Markov model; --out FILE.csv writes them.",
              .references = "Makhoul: Linear Prediction, Proceedings of the IEEE 63, 1975",
              .example = "cairn compute lpc --signal 1,2,3,2,1,0,1,2,3,2 --order 2",
              .params = lpc_table,
              .params_size = sizeof(lpc_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = lpc_run,
};
