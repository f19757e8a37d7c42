/* SPDX-License-Identifier: MIT */
/* Mini-batches in single precision: rows are packed once, and everything between them and the next
 * weights is float, which halves what goes through memory and doubles what a vector holds. The
 * products are the same bits for any number of threads, and so is the rest. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/steps.h"
#include "learners/network/neural.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { PACKED_ROWS = 256, STEP_BLOCK = 16384 };
static const double WORTH = 1e6; /* multiplications of a batch, from which float is chosen */

struct cairn_neural_floats {
    cairn_pass_floats pass;
    float *x;     /* rows x n_in */
    float *z;     /* batch x n_in */
    float *t, *v; /* batch x n_out, and weights */
    float *w, *g, *first, *second;
    float **keep;
};

/* -- rows -- */

typedef struct packing {
    const cairn_neural_run *run;
    double *rooms; /* of every worker PACKED_ROWS x n_in */
    float *x;
} packing;

static void pack(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const packing *p = data;
    size_t n_in = p->run->n_in;
    double *room = p->rooms + (size_t)worker * PACKED_ROWS * n_in;
    (void)block;
    cairn_matrix_rows(&p->run->x, begin, end - begin, room);
    for (size_t i = 0; i < (end - begin) * n_in; i++) p->x[begin * n_in + i] = (float)room[i];
}

static cairn_status pack_rows(cairn_context *ctx, const cairn_neural_run *run, float *x)
{
    packing p = {.run = run, .x = x};
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &p.rooms,
                      cairn_product((size_t)cairn_workers(ctx) * PACKED_ROWS, run->n_in)));
    return cairn_blocks(ctx, run->x.n, PACKED_ROWS, pack, &p);
}

static void take_rows(const cairn_neural_run *run, const size_t *rows, size_t m)
{
    struct cairn_neural_floats *f = run->floats;
    for (size_t i = 0; i < m; i++) {
        const double *t = run->targets + rows[i] * run->n_out;
        memcpy(f->z + i * run->n_in, f->x + rows[i] * run->n_in, run->n_in * sizeof *f->z);
        for (size_t k = 0; k < run->n_out; k++) f->t[i * run->n_out + k] = (float)t[k];
        f->v[i] = (float)run->by[rows[i]];
    }
}

/* -- opening -- */

/* Whether float was asked for, or pays. */
static cairn_status choose(cairn_context *ctx, const cairn_neural_run *run, bool *out)
{
    const cairn_neural_params *p = run->params;
    double work = (double)run->batch * (double)run->model->layers.n_weights;
    double bytes = 4 * (double)run->x.n * (double)run->n_in;
    bool can = run->update == CAIRN_NEURAL_BATCH && p->biases == CAIRN_NEURAL_BIAS_NODE;
    *out = can && (p->precision == CAIRN_NEURAL_SINGLE ||
                   (p->precision == CAIRN_NEURAL_PRECISION_AUTO && work >= WORTH &&
                    bytes < (double)cairn_memory_available(ctx) / 2));
    if (p->precision == CAIRN_NEURAL_SINGLE && !can)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{precision single} is for mini-batches with a bias of every node; choose "
            "{update batch} and {biases node}");
    return CAIRN_OK;
}

/* Room for everything that a batch needs, so that the epochs take none. */
static cairn_status open_room(cairn_context *ctx, cairn_neural_run *run,
                              struct cairn_neural_floats *f)
{
    const cairn_neural_layers *layers = &run->model->layers;
    size_t n = layers->n_weights, rows = run->batch;
    CHECK(cairn_pass_floats_open(ctx, &f->pass, layers, rows));
    f->pass.products = true;
    CHECK(SCRATCH_RAW(ctx, &f->x, cairn_product(run->x.n, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &f->z, cairn_product(rows, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &f->t, cairn_product(rows, run->n_out)));
    CHECK(SCRATCH(ctx, &f->v, rows));
    CHECK(SCRATCH(ctx, &f->w, n));
    CHECK(SCRATCH(ctx, &f->g, n));
    CHECK(SCRATCH(ctx, &f->first, n));
    CHECK(SCRATCH(ctx, &f->second, n));
    CHECK(SCRATCH(ctx, &f->keep, layers->n));
    for (size_t l = 0; run->params->dropout > 0 && l + 1 < layers->n; l++)
        CHECK(SCRATCH(ctx, &f->keep[l], cairn_product(rows, layers->list[l].n_out)));
    return CAIRN_OK;
}

cairn_status cairn_neural_floats_open(cairn_context *ctx, cairn_neural_run *run)
{
    struct cairn_neural_floats *f;
    bool wanted;
    CHECK(choose(ctx, run, &wanted));
    if (!wanted) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &f, 1));
    CHECK(open_room(ctx, run, f));
    CHECK(pack_rows(ctx, run, f->x));
    run->floats = f;
    for (size_t i = 0; i < run->model->layers.n_weights; i++)
        f->w[i] = (float)run->model->weights[i];
    return CAIRN_OK;
}

/* -- steps -- */

typedef struct stepping {
    const cairn_neural_run *run;
    float eta, slow, quick;
} stepping;

static void step_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const stepping *s = data;
    struct cairn_neural_floats *f = s->run->floats;
    const cairn_neural_params *p = s->run->params;
    size_t n = end - begin;
    (void)block, (void)worker;
    if (p->solver == CAIRN_NEURAL_ADAM)
        cairn_adam_step(f->w + begin, f->first + begin, f->second + begin, f->g + begin, n, s->eta,
                        s->slow, s->quick);
    else if (p->solver == CAIRN_NEURAL_PLAIN)
        cairn_plain_step(f->w + begin, f->g + begin, n, s->eta);
    else
        cairn_momentum_step(f->w + begin, f->first + begin, f->g + begin, n, s->eta,
                            (float)p->momentum, p->solver == CAIRN_NEURAL_NESTEROV);
    memset(f->g + begin, 0, n * sizeof *f->g);
}

/* Weights, not biases, are drawn towards 0. */
static void add_decay(const cairn_neural_run *run, float decay)
{
    const cairn_neural_layers *layers = &run->model->layers;
    struct cairn_neural_floats *f = run->floats;
    for (size_t l = 0; decay > 0 && l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        for (size_t j = 0; j < layer->n_out; j++) {
            size_t at = layer->first + j * (layer->n_in + 1);
            for (size_t i = at; i < at + layer->n_in; i++) f->g[i] -= decay * f->w[i];
        }
    }
}

static void draw_dropout(cairn_neural_run *run, size_t m)
{
    struct cairn_neural_floats *f = run->floats;
    double share = run->params->dropout;
    for (size_t l = 0; share > 0 && l + 1 < run->model->layers.n; l++) {
        for (size_t i = 0; i < m * run->model->layers.list[l].n_out; i++)
            f->keep[l][i] = cairn_random_uniform(&run->drop) < share ? 0 : (float)(1 / (1 - share));
        f->pass.keep[l] = f->keep[l];
    }
}

/* One mini-batch: forward, back, a step along the mean of its slopes. */
static cairn_status batch(cairn_context *ctx, cairn_neural_run *run, size_t m, double eta,
                          double *error)
{
    const cairn_neural_layers *layers = &run->model->layers;
    struct cairn_neural_floats *f = run->floats;
    double by = 0, t = (double)++run->steps_taken;
    stepping s = {.run = run, .eta = (float)eta};
    draw_dropout(run, m);
    CHECK(cairn_pass_floats_forward(ctx, &f->pass, layers, f->w, f->z, m));
    for (size_t i = 0; i < m; i++) {
        *error += (double)f->v[i] * cairn_pass_floats_cost(&f->pass, layers, run->cost, f->t, i);
        by += (double)f->v[i];
    }
    for (size_t i = 0; i < m; i++) f->v[i] /= (float)by;
    cairn_pass_floats_deltas(&f->pass, layers, run->cost, f->t, f->v, m);
    CHECK(cairn_pass_floats_backward(ctx, &f->pass, layers, f->w, f->z, m, f->g));
    add_decay(run, (float)run->params->decay);
    s.slow = (float)(1 - cairn_pow(0.9, t));
    s.quick = (float)(1 - cairn_pow(0.999, t));
    return cairn_blocks_sized(ctx, layers->n_weights, STEP_BLOCK, 10 * (double)layers->n_weights,
                              step_block, &s);
}

cairn_status cairn_neural_floats_epoch(cairn_context *ctx, cairn_neural_run *run, double eta,
                                       double *error)
{
    struct cairn_neural_floats *f = run->floats;
    double sum = 0;
    for (size_t first = 0; first < run->n_train && isfinite(sum); first += run->batch) {
        size_t m = run->n_train - first < run->batch ? run->n_train - first : run->batch;
        take_rows(run, run->order + first, m);
        CHECK(batch(ctx, run, m, eta, &sum));
    }
    for (size_t i = 0; i < run->model->layers.n_weights; i++)
        run->model->weights[i] = (double)f->w[i];
    *error = sum / run->total;
    return CAIRN_OK;
}
