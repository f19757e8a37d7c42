/* SPDX-License-Identifier: MIT */
/* Fitting a mixture: the driver of EM, several starts, and the choice of the number of
 * components. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"
#include "learners/density/mixture.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the two steps for the driver -- */

static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    cairn_mixture_run *run = data;
    run->iteration = 0;
    run->floored = 0;
    CHECK(cairn_mixture_start(ctx, run, run->first_start + start));
    return run->running ? cairn_mixture_begin_rows(ctx, run, run->first_start + start) : CAIRN_OK;
}

static cairn_status expect(cairn_context *ctx, void *data, double *log_likelihood)
{
    cairn_mixture_run *run = data;
    CHECK(cairn_mixture_pass(ctx, run));
    *log_likelihood = run->sums[0];
    if (run->steps) cairn_mixture_show_expected(ctx, run, *log_likelihood);
    run->iteration++;
    return CAIRN_OK;
}

static cairn_status maximise(cairn_context *ctx, void *data)
{
    cairn_mixture_run *run = data;
    memcpy(run->before, run->m->values, cairn_mixture_size(run->m) * sizeof *run->before);
    CHECK((run->running ? cairn_mixture_take_rows : cairn_mixture_step)(ctx, run));
    if (run->steps) cairn_mixture_show_step(ctx, run);
    return CAIRN_OK;
}

/* In units of the deviations of all rows, and of probabilities. */
static double change(const void *data)
{
    const cairn_mixture_run *run = data;
    double most = 0;
    for (size_t i = 0; i < cairn_mixture_size(run->m); i++)
        most = fmax(most, fabs(run->m->values[i] - run->before[i]));
    return most;
}

static void keep(void *data, size_t start)
{
    cairn_mixture_run *run = data;
    (void)start;
    memcpy(run->best, run->m->values, cairn_mixture_size(run->m) * sizeof *run->best);
    run->best_floored = run->floored;
}

static void watch(void *data, size_t start, size_t iteration, double log_likelihood)
{
    cairn_mixture_run *run = data;
    (void)iteration;
    run->ends[run->first_start + start] = log_likelihood;
}

/* All starts; the model has the values of the best. Some start must have come to an end. */
static cairn_status run_starts(cairn_context *ctx, cairn_mixture_run *run, size_t n_starts,
                               cairn_progress *p, cairn_em_result *result)
{
    cairn_em em = {.n_starts = n_starts, .data = run, .begin = begin, .expect = expect};
    em.maximise = maximise, em.keep = keep, em.watch = watch;
    *p = (cairn_progress){.what = "mixture", .most = (size_t)run->params->max_iter};
    if (run->params->protocol == CAIRN_PROTOCOL_ONLINE) p->most = 1;
    em.may_fall = run->params->protocol != CAIRN_PROTOCOL_BATCH;
    p->tolerance = run->params->tolerance;
    if (run->params->stop == CAIRN_MIXTURE_PARAMETERS) em.change = change;
    p->keep = CAIRN_MIXTURE_HISTORY;
    CHECK(cairn_em_run(ctx, result, &em, p));
    if (result->best_start == n_starts)
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "no start of the mixture came to a likelihood; try fewer {components} or "
                          "a larger {floor}");
    memcpy(run->m->values, run->best, cairn_mixture_size(run->m) * sizeof *run->best);
    return CAIRN_OK;
}

/* -- the number of components -- */

cairn_status cairn_mixture_range(cairn_context *ctx, const char *text, size_t *least, size_t *most)
{
    char *end;
    long a = strtol(text, &end, 10), b = a;
    bool range = end > text && *end == ':';
    const char *second = end + 1;
    if (range) b = strtol(second, &end, 10);
    if (end == text || (range && end == second) || *end || a < 1 || b < a || b > CAIRN_MIXTURE_MOST)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{components} is '%s'; it must be a number from 1 to %d, or a range such "
                          "as 1:8",
                          text, CAIRN_MIXTURE_MOST);
    *least = (size_t)a;
    *most = (size_t)b;
    return CAIRN_OK;
}

cairn_status cairn_mixture_values(cairn_context *ctx, cairn_mixture_model *m, size_t k)
{
    cairn_free(m->values);
    m->values = NULL;
    m->k = k;
    return NEW(ctx, &m->values, cairn_mixture_size(m));
}

static double bic_of(const cairn_mixture_model *m, double log_likelihood, double weight)
{
    return -2 * log_likelihood + cairn_mixture_free(m) * cairn_log(weight);
}

/* The model of the rows outside the fold. */
static cairn_status fit_without(cairn_context *ctx, cairn_mixture_model *m,
                                const cairn_mixture_rows *rows, double *weights,
                                const cairn_mixture_params *params, const int32_t *folds,
                                int32_t fold)
{
    SCOPED_SCRATCH(ctx);
    cairn_mixture_rows part = *rows;
    cairn_mixture_run run;
    cairn_em_result result;
    cairn_progress p;
    part.weights = weights;
    for (size_t i = 0; i < rows->n; i++) weights[i] = folds[i] == fold ? 0 : rows->weights[i];
    CHECK(cairn_mixture_run_make(ctx, &run, &part, m, params));
    return run_starts(ctx, &run, cairn_mixture_starts(params), &p, &result);
}

/* Mean log density of rows that were left out, over the folds. */
static cairn_status held_out(cairn_context *ctx, cairn_mixture_model *m,
                             const cairn_mixture_rows *rows, const cairn_mixture_params *params,
                             const int32_t *folds, double *out)
{
    double *weights, *logs, sum = 0, total = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, rows->n, &weights, &logs));
    for (int32_t fold = 0; fold < CAIRN_MIXTURE_FOLDS; fold++) {
        CHECK(fit_without(ctx, m, rows, weights, params, folds, fold));
        CHECK(cairn_mixture_answers(ctx, &(cairn_mixture_answer){.logs = logs}, m, rows));
        for (size_t i = 0; i < rows->n; i++)
            if (folds[i] == fold) {
                sum += rows->weights[i] * logs[i];
                total += rows->weights[i];
            }
    }
    *out = sum / total;
    return CAIRN_OK;
}

/* Rows of positive weight in a drawn order, dealt out to the folds in turn. */
static cairn_status deal_folds(cairn_context *ctx, int32_t **out, const cairn_mixture_rows *rows)
{
    cairn_random random;
    size_t *order, n = 0;
    CHECK(SCRATCH(ctx, out, rows->n));
    CHECK(SCRATCH_RAW(ctx, &order, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        (*out)[i] = -1;
        if (rows->weights[i] > 0) order[n++] = i;
    }
    cairn_random_start(&random, cairn_context_seed(ctx), 1u << 20);
    cairn_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) (*out)[order[i]] = (int32_t)(i % CAIRN_MIXTURE_FOLDS);
    return CAIRN_OK;
}

/* One number of components that is tried: its line of the history's table. */
static cairn_status try_number(cairn_context *ctx, double *line, cairn_mixture_model *m,
                               const cairn_mixture_rows *rows, const cairn_mixture_params *params,
                               const int32_t *folds)
{
    SCOPED_SCRATCH(ctx);
    cairn_mixture_run run;
    cairn_em_result result;
    cairn_progress p;
    line[0] = (double)m->k;
    line[3] = NAN;
    CHECK(cairn_mixture_run_make(ctx, &run, rows, m, params));
    CHECK(run_starts(ctx, &run, cairn_mixture_starts(params), &p, &result));
    line[1] = result.log_likelihood;
    line[2] = bic_of(m, line[1], run.weight);
    return folds ? held_out(ctx, m, rows, params, folds, line + 3) : CAIRN_OK;
}

/* The best of several numbers: the least BIC or the largest held-out density, the smaller number of
 * equal ones. */
static cairn_status choose_number(cairn_context *ctx, cairn_mixture_history *history,
                                  cairn_mixture_model *m, const cairn_mixture_rows *rows,
                                  const cairn_mixture_params *params, size_t least, size_t most,
                                  size_t *k)
{
    SCOPED_SCRATCH(ctx);
    int32_t *folds = NULL;
    size_t n = most - least + 1, best = 0;
    *k = least;
    if (n == 1) return CAIRN_OK;
    bool held = params->choose == CAIRN_MIXTURE_HELD_OUT;
    if (held) CHECK(deal_folds(ctx, &folds, rows));
    CHECK(NEW(ctx, &history->choices, n * 4));
    history->n_choices = n;
    for (size_t i = 0; i < n; i++) {
        double *line = history->choices + 4 * i, *first = history->choices + 4 * best;
        CHECK(cairn_mixture_values(ctx, m, least + i));
        CHECK(try_number(ctx, line, m, rows, params, folds));
        if (held ? line[3] > first[3] : line[2] < first[2]) best = i;
    }
    *k = least + best;
    return CAIRN_OK;
}

/* -- the history -- */

/* The rows that fit least, of equal ones the first. */
static cairn_status keep_least(cairn_context *ctx, cairn_mixture_history *history,
                               const cairn_mixture_rows *rows, const double *logs)
{
    CHECK(NEW(ctx, &history->least, 2 * CAIRN_MIXTURE_LEAST));
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = history->n_least;
        double *line = history->least;
        if (!(rows->weights[i] > 0)) continue;
        while (at > 0 && logs[i] < line[2 * at - 1]) at--;
        if (at == CAIRN_MIXTURE_LEAST) continue;
        if (history->n_least < CAIRN_MIXTURE_LEAST) history->n_least++;
        memmove(line + 2 * at + 2, line + 2 * at, 2 * (history->n_least - 1 - at) * sizeof *line);
        line[2 * at] = (double)(cairn_view_row(rows->view, i) + 1);
        line[2 * at + 1] = logs[i];
    }
    return CAIRN_OK;
}

/* Rows by their likeliest component; of a short table also all responsibilities, for the report. */
static cairn_status keep_rows(cairn_context *ctx, cairn_mixture_history *history,
                              const cairn_mixture_run *run)
{
    const cairn_mixture_rows *rows = run->rows;
    size_t k = run->m->k, n = rows->n <= CAIRN_MIXTURE_KEPT ? rows->n : 0;
    cairn_mixture_answer answer = {0};
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, rows->n, &answer.codes, &answer.logs));
    if (n > 0) CHECK(SCRATCH_RAW(ctx, &answer.scores, n * k));
    CHECK(NEW(ctx, &history->hard, k));
    CHECK(NEW(ctx, &history->kept, n * (k + 1)));
    CHECK(cairn_mixture_answers(ctx, &answer, run->m, rows));
    for (size_t i = 0; i < rows->n; i++) history->hard[answer.codes[i]] += rows->weights[i];
    for (size_t i = 0; i < n; i++) {
        memcpy(history->kept + i * (k + 1), answer.scores + i * k, k * sizeof *answer.scores);
        history->kept[i * (k + 1) + k] = answer.logs[i];
    }
    history->n_kept = n;
    return keep_least(ctx, history, rows, answer.logs);
}

/* What the report says beyond the parameters; the best start is the one that is told. */
static cairn_status keep_history(cairn_context *ctx, cairn_mixture_history *history,
                                 cairn_mixture_run *run, const cairn_progress *p,
                                 const cairn_em_result *result)
{
    size_t k = run->m->k;
    history->log_likelihood = result->log_likelihood;
    history->weight = run->weight;
    history->iterations = (int64_t)p->iterations;
    history->converged = p->converged;
    history->floored = run->best_floored;
    history->best_start = (int32_t)result->best_start;
    history->n_starts = cairn_mixture_starts(run->params);
    history->n_values = p->n_values;
    CHECK(NEW(ctx, &history->start_ends, history->n_starts));
    CHECK(NEW(ctx, &history->values, p->n_values));
    CHECK(NEW(ctx, &history->sizes, k));
    memcpy(history->start_ends, run->ends, history->n_starts * sizeof *run->ends);
    memcpy(history->values, p->values, p->n_values * sizeof *p->values);
    for (size_t c = 0; c < k; c++) history->sizes[c] = run->m->values[c] * run->weight;
    return keep_rows(ctx, history, run);
}

/* -- fitting -- */

/* Enough rows for the components; with folds, without any one of them. */
static cairn_status check_rows(cairn_context *ctx, const cairn_view *view, size_t most, bool folds)
{
    size_t used = 0;
    for (size_t i = 0; i < view->rows.n; i++) used += cairn_view_weight(view, i) > 0;
    if (folds) used -= (used + CAIRN_MIXTURE_FOLDS - 1) / CAIRN_MIXTURE_FOLDS;
    if (most <= used) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%zu components cannot be made of %zu row%s; {components} must be at most "
                      "%zu here",
                      most, used, used == 1 ? "" : "s", used);
}

/* What the blocks and the workers hold. */
static cairn_status check_memory(cairn_context *ctx, const cairn_mixture_model *m, size_t most)
{
    double d = (double)m->d + 1, k = (double)most, workers = cairn_workers(ctx);
    bool matrix = cairn_mixture_is_matrix(m);
    double moments = k * (matrix ? 4 * d * d : 4 * d);
    double buffers = workers * CAIRN_MIXTURE_CHUNK * (matrix ? d * d / 2 + d * k : 2 * d + k);
    return cairn_memory_check(ctx, 8 * (moments + buffers), "a mixture",
                              cairn_say(ctx, "use fewer {components} or {covariance diagonal}"));
}

static cairn_status fit_number(cairn_context *ctx, cairn_mixture_model *m,
                               cairn_mixture_history *history, const cairn_mixture_rows *rows,
                               const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    cairn_mixture_run run;
    cairn_em_result result;
    cairn_progress p;
    CHECK(cairn_mixture_run_make(ctx, &run, rows, m, job->params));
    CHECK(run_starts(ctx, &run, cairn_mixture_starts(job->params), &p, &result));
    CHECK(cairn_mixture_prove(ctx, job->certificate, m, rows, &result, &p));
    if (job->history) CHECK(keep_history(ctx, history, &run, &p, &result));
    if (!job->steps) return CAIRN_OK;
    run.steps = job->steps;
    run.first_start = result.best_start;
    return run_starts(ctx, &run, 1, &p, &result);
}

cairn_status cairn_mixture_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_mixture_params *params = job->params;
    cairn_mixture_history own = {0};
    SCOPED_KEPT(cairn_mixture_history_keeps, &own);
    cairn_mixture_history *history = job->history ? job->history : &own;
    cairn_mixture_model *m = model;
    cairn_mixture_rows rows;
    size_t least, most, k;
    CHECK(cairn_mixture_range(ctx, params->components, &least, &most));
    CHECK(
        check_rows(ctx, job->view, most, most > least && params->choose == CAIRN_MIXTURE_HELD_OUT));
    m->form = params->covariance;
    CHECK(cairn_mixture_columns(ctx, m, job->view, job->schema, &history->n_constant));
    CHECK(check_memory(ctx, m, most));
    CHECK(cairn_mixture_rows_open(ctx, &rows, job->view, m));
    CHECK(choose_number(ctx, history, m, &rows, params, least, most, &k));
    CHECK(cairn_mixture_values(ctx, m, k));
    return fit_number(ctx, m, history, &rows, job);
}
