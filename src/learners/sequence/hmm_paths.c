/* SPDX-License-Identifier: MIT */
/* Most probable paths: one pass forward in logarithms, which keeps for every state the one
 * before on the best path to it, and now and then some steps back, to where the paths to all
 * states meet. States are padded to a multiple of eight with ones that nothing leads to. */
#include "learners/sequence/hmm_expect.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/best_path.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum {
    STEPS_AT_ONCE = 4096,
    FAR = 8192 /* so far back paths are followed to find where they meet */
};

/* The model in logarithms; scratch. */
typedef struct log_model {
    const cairn_hmm *m;
    cairn_hmm_normals normals;
    size_t width;  /* states, padded */
    double *start; /* width */
    double *move;  /* width x width */
    double *emit;  /* n_symbols x width */
} log_model;

static cairn_status make_logs(cairn_context *ctx, log_model *x, const cairn_hmm *m)
{
    size_t n = m->n_states, w = (n + 7) / 8 * 8;
    *x = (log_model){.m = m, .width = w};
    CHECK(SCRATCH_RAW(ctx, &x->start, w));
    CHECK(SCRATCH_RAW(ctx, &x->move, cairn_product(w, w)));
    CHECK(SCRATCH_RAW(ctx, &x->emit, cairn_product(m->n_symbols, w)));
    for (size_t j = 0; j < w; j++) x->start[j] = j < n ? cairn_log(m->start[j]) : -INFINITY;
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++)
            x->move[i * w + j] = i < n && j < n ? cairn_log(m->move[i * n + j]) : -INFINITY;
    for (size_t k = 0; k < m->n_symbols; k++)
        for (size_t j = 0; j < w; j++)
            x->emit[k * w + j] = j < n ? cairn_log(m->emit[j * m->n_symbols + k]) : 0;
    return cairn_hmm_normals_make(ctx, &x->normals, m);
}

/* -- one sequence -- */

/* Rows of logarithms of some steps of numbers, and which row each step has. */
static void fill_rows(const log_model *x, const cairn_hmm_seen *seen, size_t first, size_t n,
                      double *rows, int32_t *at, cairn_hmm_filling *filling)
{
    for (size_t t = 0; t < n; t++) {
        double *row = rows + t * x->width;
        at[t] = (int32_t)t;
        for (size_t j = x->m->n_states; j < x->width; j++) row[j] = 0;
        cairn_hmm_step_logs(row, x->m, &x->normals, seen, first + t, filling);
    }
}

static double step_log(const log_model *x, const cairn_hmm_seen *seen, size_t t, size_t state,
                       cairn_hmm_filling *filling)
{
    if (seen->symbols)
        return seen->symbols[t] < 0 ? 0 : x->emit[(size_t)seen->symbols[t] * x->width + state];
    return cairn_hmm_density(x->m, &x->normals, state, seen->numbers + t * x->m->n_numbers,
                             filling);
}

/* ln of a path together with its sequence, added up along it. */
static double path_log(const log_model *x, const cairn_hmm_seen *seen, const int32_t *states,
                       cairn_hmm_filling *filling)
{
    double log = 0;
    for (size_t t = 0; t < seen->n; t++) {
        size_t now = (size_t)states[t];
        log += t ? x->move[(size_t)states[t - 1] * x->width + now] : x->start[now];
        log += step_log(x, seen, t, now, filling);
    }
    return log;
}

/* delta of the first step. */
static void first_step(const log_model *x, const cairn_hmm_seen *seen, double *delta,
                       cairn_hmm_filling *filling)
{
    for (size_t j = 0; j < x->width; j++) {
        bool real = j < x->m->n_states;
        delta[j] = real ? x->start[j] + step_log(x, seen, 0, j, filling) : -INFINITY;
    }
}

/* Where the best path to each state came from, of the steps that are not decided yet: as soon
 * as the paths to all states have a state in common, all before it is. */
typedef struct survivors {
    uint16_t *from; /* owned: n x width; row r leads from step first + r to the one before */
    size_t capacity, n, first;
    uint16_t *now; /* scratch: width */
} survivors;

static void survivors_clear(survivors *s)
{
    cairn_free(s->from);
}

/* From a state of the step before row `row` back to the first row. */
static void follow(const survivors *s, size_t width, size_t row, size_t state, int32_t *states)
{
    for (size_t r = row;; r--) {
        states[s->first + r - 1] = (int32_t)state;
        if (!r) return;
        state = s->from[(r - 1) * width + state];
    }
}

/* The row before which the paths to all states that can be reached go through one state; n = there
 * is none near. */
static size_t meeting(const survivors *s, const log_model *x, const double *delta)
{
    size_t n = x->m->n_states, least = s->n > FAR ? s->n - FAR : 0, first = n;
    for (size_t j = 0; j < n; j++) {
        s->now[j] = (uint16_t)j;
        if (delta[j] > -INFINITY && first == n) first = j;
    }
    for (size_t r = s->n; first < n && r-- > least;) {
        bool one = true;
        for (size_t j = first; j < n; j++) {
            if (!(delta[j] > -INFINITY)) continue;
            s->now[j] = s->from[r * x->width + s->now[j]];
            one = one && s->now[j] == s->now[first];
        }
        if (one) return r;
    }
    return s->n;
}

/* Decide what can be decided and give its room back. */
static void settle(survivors *s, const log_model *x, const double *delta, int32_t *states)
{
    size_t row = meeting(s, x, delta), w = x->width, live = 0;
    if (row == s->n) return;
    while (!(delta[live] > -INFINITY)) live++;
    follow(s, w, row, s->now[live], states);
    memmove(s->from, s->from + row * w, (s->n - row) * w * sizeof *s->from);
    s->n -= row;
    s->first += row;
}

/* The rest of the path from its last state, the first of the best. */
static void finish(const survivors *s, const log_model *x, const double *delta, size_t n,
                   int32_t *states)
{
    size_t best = 0;
    for (size_t j = 1; j < x->m->n_states; j++)
        if (delta[j] > delta[best] + 1e-12) best = j;
    if (delta[best] > -INFINITY)
        follow(s, x->width, s->n, best, states);
    else
        for (size_t t = 0; t < n; t++) states[t] = -1;
}

/* The path of one sequence, whose steps go through the kernel some thousands at a time. */
static cairn_status find_path(cairn_context *ctx, const log_model *x, const cairn_hmm_seen *seen,
                              int32_t *states, double *log)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(survivors_clear) survivors s = {.first = 1};
    size_t w = x->width, n = seen->n, some = n < STEPS_AT_ONCE ? n : STEPS_AT_ONCE;
    cairn_hmm_filling filling;
    double *delta, *rows = NULL;
    int32_t *at = NULL;
    if (!n) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &delta, 2 * w));
    CHECK(cairn_hmm_filling_make(ctx, &filling, x->m->n_numbers));
    CHECK(SCRATCH(ctx, &s.now, w));
    if (!seen->symbols) CHECK(SCRATCH(ctx, &rows, cairn_product(some, w)));
    if (!seen->symbols) CHECK(SCRATCH(ctx, &at, some));
    first_step(x, seen, delta, &filling);
    for (size_t t = 1; t < n; t += STEPS_AT_ONCE) {
        size_t steps = n - t < STEPS_AT_ONCE ? n - t : STEPS_AT_ONCE;
        CHECK(cairn_tick(ctx, "steps", (double)t, (double)n));
        CHECK(GROW(ctx, &s.from, &s.capacity, cairn_product(s.n + steps, w)));
        if (!seen->symbols) fill_rows(x, seen, t, steps, rows, at, &filling);
        cairn_best_path_steps(delta, s.from + s.n * w, x->move, rows ? rows : x->emit,
                              rows ? at : seen->symbols + t, w, steps);
        s.n += steps;
        if (t + steps < n) settle(&s, x, delta, states);
    }
    finish(&s, x, delta, n, states);
    if (log) *log = states[0] < 0 ? -INFINITY : path_log(x, seen, states, &filling);
    return CAIRN_OK;
}

/* -- many -- */

typedef struct path_tasks {
    log_model model;
    const cairn_hmm_data *data;
    int32_t *states;
    double *logs;
    size_t per_task;
} path_tasks;

static cairn_status find_some(cairn_context *ctx, void *data, size_t task)
{
    const path_tasks *p = data;
    size_t end = (task + 1) * p->per_task < p->data->n ? (task + 1) * p->per_task : p->data->n;
    for (size_t i = task * p->per_task; i < end; i++) {
        cairn_hmm_seen seen = cairn_hmm_sequence(p->data, p->model.m->n_numbers, i);
        if (p->logs) p->logs[i] = 0;
        CHECK(find_path(ctx, &p->model, &seen, p->states + p->data->begins[i],
                        p->logs ? &p->logs[i] : NULL));
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_paths(cairn_context *ctx, int32_t *states, double *logs,
                             const cairn_hmm *model, const cairn_hmm_data *data)
{
    SCOPED_SCRATCH(ctx);
    path_tasks p = {.data = data, .states = states, .logs = logs};
    double work = (double)data->begins[data->n] * (double)model->n_states * (double)model->n_states;
    CHECK(make_logs(ctx, &p.model, model));
    p.per_task = data->n / 64 + 1;
    return cairn_tasks_sized(ctx, cairn_block_count(data->n, p.per_task), work, find_some, &p);
}
