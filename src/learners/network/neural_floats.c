/* SPDX-License-Identifier: MIT */
/* Mini-batches in single precision: rows are packed once, and everything between them and the next
 * weights is float, which halves what goes through memory and doubles what a vector holds.
 *
 * A mini-batch has two rounds. First each thread takes some of its rows forward and their errors
 * back; then each takes some columns of the layers, adds up their slopes over all rows and moves
 * their weights while the slopes are at hand. Which rows and columns go together changes no bit:
 * every number is made from whole sums in a fixed order. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/products.h"
#include "kernels/steps.h"
#include "learners/network/neural.h"
#include "parallel/parallel.h"
#include "parallel/rounds.h"
#include <math.h>
#include <string.h>

enum { PACKED_ROWS = 256, LEAST_ROWS = 16, LEAST_COLUMNS = 64, COLUMN_STEP = 32 };
static const double WORTH = 1e6; /* multiplications of a batch, from which float is chosen */

/* What a worker needs for itself. */
typedef struct bench {
    cairn_pass_floats pass; /* pointers into the pass of all rows */
    float *room;            /* of products */
    float *slopes;          /* of a range of columns, n_out x columns */
} bench;

/* Columns [from, to) of the inputs of a layer; the first of them has the biases too. */
typedef struct columns {
    size_t layer, from, to;
} columns;

struct cairn_neural_floats {
    cairn_pass_floats pass;
    float *x;      /* rows x n_in */
    float *z;      /* batch x n_in */
    float *t, *v;  /* batch x n_out, and weights */
    double *costs; /* batch */
    float *w, *first, *second;
    float **keep;
    bench *benches; /* of every worker */
    size_t workers;
    columns *list;
    size_t n_list;
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

/* So many columns that every worker finds some ranges, and none is too narrow for a product. */
static size_t columns_of(const cairn_neural_layer *layer, size_t workers)
{
    size_t share = layer->n_in / (4 * workers) + 1;
    share = (share + COLUMN_STEP - 1) / COLUMN_STEP * COLUMN_STEP;
    return share < LEAST_COLUMNS ? LEAST_COLUMNS : share;
}

/* The ranges of all layers; *most numbers are the slopes of the largest. */
static cairn_status list_columns(cairn_context *ctx, struct cairn_neural_floats *f,
                                 const cairn_neural_layers *layers, size_t *most)
{
    size_t workers = (size_t)cairn_workers(ctx), n = 0;
    for (size_t l = 0; l < layers->n; l++)
        n += layers->list[l].n_in / columns_of(&layers->list[l], workers) + 1;
    CHECK(SCRATCH(ctx, &f->list, n));
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        size_t step = columns_of(layer, workers), from = 0;
        do {
            size_t to = layer->n_in - from < step ? layer->n_in : from + step;
            size_t size = cairn_product(layer->n_out, to - from + 1);
            f->list[f->n_list++] = (columns){l, from, to};
            if (size > *most) *most = size;
            from = to;
        } while (from < layer->n_in);
    }
    return CAIRN_OK;
}

/* Room of products of one range of columns over the rows of a batch. */
static size_t columns_room(const struct cairn_neural_floats *f, const cairn_neural_layers *layers,
                           size_t rows)
{
    size_t most = 0;
    for (size_t t = 0; t < f->n_list; t++) {
        size_t room = cairn_matmul_floats_room(layers->list[f->list[t].layer].n_out,
                                               f->list[t].to - f->list[t].from, rows);
        if (room > most) most = room;
    }
    return most;
}

static cairn_status open_benches(cairn_context *ctx, struct cairn_neural_floats *f,
                                 const cairn_neural_layers *layers, size_t rows)
{
    size_t workers = (size_t)cairn_workers(ctx), slopes = 1;
    CHECK(list_columns(ctx, f, layers, &slopes));
    size_t room = cairn_pass_floats_room(layers, rows), other = columns_room(f, layers, rows);
    f->workers = workers;
    CHECK(SCRATCH(ctx, &f->benches, workers));
    for (size_t i = 0; i < workers; i++) {
        bench *b = &f->benches[i];
        CHECK(SCRATCH(ctx, &b->pass.nets, layers->n));
        CHECK(SCRATCH(ctx, &b->pass.outs, layers->n));
        CHECK(SCRATCH(ctx, &b->pass.deltas, layers->n));
        CHECK(SCRATCH(ctx, &b->pass.keep, layers->n));
        CHECK(SCRATCH_RAW(ctx, &b->room, room > other ? room : other));
        CHECK(SCRATCH_RAW(ctx, &b->slopes, slopes));
        b->pass.products = true;
        b->pass.room = b->room;
    }
    return CAIRN_OK;
}

/* Room for everything that a batch needs, so that the epochs take none. */
static cairn_status open_room(cairn_context *ctx, cairn_neural_run *run,
                              struct cairn_neural_floats *f)
{
    const cairn_neural_layers *layers = &run->model->layers;
    size_t n = layers->n_weights, rows = run->batch;
    CHECK(cairn_pass_floats_open(ctx, &f->pass, layers, rows));
    CHECK(SCRATCH_RAW(ctx, &f->x, cairn_product(run->x.n, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &f->z, cairn_product(rows, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &f->t, cairn_product(rows, run->n_out)));
    CHECK(SCRATCH(ctx, &f->v, rows));
    CHECK(SCRATCH(ctx, &f->costs, rows));
    CHECK(SCRATCH(ctx, &f->w, n));
    CHECK(SCRATCH(ctx, &f->first, n));
    CHECK(SCRATCH(ctx, &f->second, n));
    CHECK(SCRATCH(ctx, &f->keep, layers->n));
    for (size_t l = 0; run->params->dropout > 0 && l + 1 < layers->n; l++)
        CHECK(SCRATCH(ctx, &f->keep[l], cairn_product(rows, layers->list[l].n_out)));
    return open_benches(ctx, f, layers, rows);
}

void cairn_neural_floats_load(const cairn_neural_run *run)
{
    for (size_t i = 0; i < run->model->layers.n_weights; i++)
        run->floats->w[i] = (float)run->model->weights[i];
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
    cairn_neural_floats_load(run);
    return CAIRN_OK;
}

/* -- rows of a batch -- */

typedef struct batch {
    const cairn_neural_run *run;
    const size_t *rows; /* m of them */
    size_t m;
    size_t share; /* rows of a block */
    double by;    /* weight of all */
    bool learn;   /* errors go back */
    float eta, slow, quick;
} batch;

/* Rows [begin, end) of the batch side by side, with what they should come to. */
static void take_rows(const batch *b, size_t begin, size_t end)
{
    const cairn_neural_run *run = b->run;
    struct cairn_neural_floats *f = run->floats;
    size_t n_in = run->n_in, n_out = run->n_out;
    for (size_t i = begin; i < end; i++) {
        const double *t = run->targets + b->rows[i] * n_out;
        memcpy(f->z + i * n_in, f->x + b->rows[i] * n_in, n_in * sizeof *f->z);
        for (size_t k = 0; k < n_out; k++) f->t[i * n_out + k] = (float)t[k];
        f->v[i] = (float)(run->by[b->rows[i]] / b->by);
    }
}

/* The worker's pass is that of all, from row `begin` on. */
static cairn_pass_floats *pass_from(const batch *b, bench *own, size_t begin)
{
    const cairn_neural_layers *layers = &b->run->model->layers;
    const cairn_pass_floats *all = &b->run->floats->pass;
    for (size_t l = 0; l < layers->n; l++) {
        size_t at = begin * layers->list[l].n_out;
        own->pass.nets[l] = all->nets[l] + at;
        own->pass.outs[l] = all->outs[l] + at;
        own->pass.deltas[l] = all->deltas[l] + at;
        own->pass.keep[l] = all->keep[l] ? all->keep[l] + at : NULL;
    }
    return &own->pass;
}

/* Rows forward, and their errors back to every layer. With room of its own a pass does not fail. */
static void pass_rows(const batch *b, size_t block, int worker)
{
    size_t begin = block * b->share, m = b->m - begin < b->share ? b->m - begin : b->share;
    const cairn_neural_run *run = b->run;
    struct cairn_neural_floats *f = run->floats;
    const cairn_neural_layers *layers = &run->model->layers;
    const float *x = f->z + begin * run->n_in, *t = f->t + begin * run->n_out;
    cairn_pass_floats *pass = pass_from(b, &f->benches[worker], begin);
    take_rows(b, begin, begin + m);
    if (cairn_pass_floats_forward(NULL, pass, layers, f->w, x, m)) return;
    if (!b->learn) return;
    for (size_t i = 0; i < m; i++)
        f->costs[begin + i] = cairn_pass_floats_cost(pass, layers, run->cost, t, i);
    cairn_pass_floats_deltas(pass, layers, run->cost, t, f->v + begin, m);
    if (cairn_pass_floats_carry_back(NULL, pass, layers, f->w, m)) return;
}

/* About what the rows of a batch cost, and the same again their weights. */
static double work_of(const cairn_neural_run *run, size_t m)
{
    return (double)m * (double)run->model->layers.n_weights / 8;
}

/* A batch of these rows, cut so that every worker finds some. */
static batch batch_of(const cairn_neural_run *run, const size_t *rows, size_t m)
{
    batch b = {.run = run, .rows = rows, .m = m};
    b.share = m / run->floats->workers + 1;
    if (b.share < LEAST_ROWS) b.share = LEAST_ROWS;
    for (size_t i = 0; i < m; i++) b.by += run->by[rows[i]];
    return b;
}

/* -- steps -- */

/* n weights from `at` on move along their slopes. */
static void move(const batch *b, size_t at, const float *slopes, size_t n)
{
    struct cairn_neural_floats *f = b->run->floats;
    const cairn_neural_params *p = b->run->params;
    if (p->solver == CAIRN_NEURAL_ADAM)
        cairn_adam_step(f->w + at, f->first + at, f->second + at, slopes, n, b->eta, b->slow,
                        b->quick);
    else if (p->solver == CAIRN_NEURAL_PLAIN)
        cairn_plain_step(f->w + at, slopes, n, b->eta);
    else
        cairn_momentum_step(f->w + at, f->first + at, slopes, n, b->eta, (float)p->momentum,
                            p->solver == CAIRN_NEURAL_NESTEROV);
}

/* The biases of a layer, whose slopes are sums of deltas. */
static void move_biases(const batch *b, const cairn_neural_layer *layer, const float *deltas,
                        float *slopes)
{
    size_t n = layer->n_out;
    memset(slopes, 0, n * sizeof *slopes);
    for (size_t i = 0; i < b->m; i++)
        for (size_t j = 0; j < n; j++) slopes[j] += deltas[i * n + j];
    for (size_t j = 0; j < n; j++)
        move(b, layer->first + j * (layer->n_in + 1) + layer->n_in, slopes + j, 1);
}

/* Slopes of a range of columns over all rows of the batch; weights, not biases, are drawn to 0. */
static void move_columns(const batch *b, size_t range, int worker)
{
    struct cairn_neural_floats *f = b->run->floats;
    const columns *c = &f->list[range];
    const cairn_neural_layer *layer = &b->run->model->layers.list[c->layer];
    const bench *own = &f->benches[worker];
    size_t n = c->to - c->from, n_in = layer->n_in;
    float decay = (float)b->run->params->decay;
    cairn_matmul_floats product = {.m = layer->n_out, .n = n, .k = b->m, .alpha = 1, .set = true};
    product.a = f->pass.deltas[c->layer];
    product.a_i = 1;
    product.a_k = layer->n_out;
    product.b = (c->layer ? f->pass.outs[c->layer - 1] : f->z) + c->from;
    product.b_k = n_in;
    product.b_j = 1;
    product.c = own->slopes;
    product.c_i = n;
    cairn_matmul_floats_alone(&product, own->room);
    for (size_t j = 0; j < layer->n_out; j++) {
        size_t at = layer->first + j * (n_in + 1) + c->from;
        float *slopes = own->slopes + j * n;
        for (size_t i = 0; decay > 0 && i < n; i++) slopes[i] -= decay * f->w[at + i];
        move(b, at, slopes, n);
    }
    if (c->from == 0) move_biases(b, layer, product.a, own->slopes);
}

/* Dropout: drawn for the whole batch before it is cut, so that threads do not show. */
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

static void end_dropout(cairn_neural_run *run)
{
    for (size_t l = 0; l < run->model->layers.n; l++) run->floats->pass.keep[l] = NULL;
}

/* An epoch: a round of rows and a round of weights for every mini-batch. */
typedef struct passage {
    cairn_neural_run *run;
    batch b;
    size_t first; /* row of the batch that comes next */
    bool moving;  /* weights move in this round */
    double eta, sum;
} passage;

/* The batch whose rows went forward has its errors added up, and its weights are next. */
static size_t begin_weights(passage *p)
{
    cairn_neural_run *run = p->run;
    double t = (double)++run->steps_taken;
    for (size_t i = 0; i < p->b.m; i++) p->sum += run->by[p->b.rows[i]] * run->floats->costs[i];
    if (run->params->solver == CAIRN_NEURAL_ADAM) {
        p->b.slow = (float)(1 - cairn_pow(0.9, t));
        p->b.quick = (float)(1 - cairn_pow(0.999, t));
    }
    p->moving = true;
    return run->floats->n_list;
}

static size_t next_round(void *data)
{
    passage *p = data;
    cairn_neural_run *run = p->run;
    size_t left = run->n_train - p->first, m = left < run->batch ? left : run->batch;
    if (p->b.m && !p->moving) return begin_weights(p);
    if (!m || !isfinite(p->sum)) return 0;
    draw_dropout(run, m);
    p->b = batch_of(run, run->order + p->first, m);
    p->b.learn = true;
    p->b.eta = (float)p->eta;
    p->first += m;
    p->moving = false;
    return cairn_block_count(m, p->b.share);
}

static void round_block(void *data, size_t block, int worker)
{
    const passage *p = data;
    if (p->moving)
        move_columns(&p->b, block, worker);
    else
        pass_rows(&p->b, block, worker);
}

cairn_status cairn_neural_floats_epoch(cairn_context *ctx, cairn_neural_run *run, double eta,
                                       double *error)
{
    struct cairn_neural_floats *f = run->floats;
    passage p = {.run = run, .eta = eta};
    CHECK(cairn_rounds(ctx, work_of(run, run->batch), next_round, round_block, &p));
    end_dropout(run);
    for (size_t i = 0; i < run->model->layers.n_weights; i++)
        run->model->weights[i] = (double)f->w[i];
    *error = p.sum / run->total;
    return CAIRN_OK;
}

/* -- looking -- */

static void look_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    pass_rows(data, block, worker);
}

cairn_status cairn_neural_floats_outputs(cairn_context *ctx, cairn_neural_run *run,
                                         const size_t *rows, size_t m, double *out)
{
    const struct cairn_neural_floats *f = run->floats;
    const float *y = f->pass.outs[run->model->layers.n - 1];
    batch b = batch_of(run, rows, m);
    CHECK(cairn_blocks_sized(ctx, m, b.share, work_of(run, m), look_block, &b));
    for (size_t i = 0; i < m * run->n_out; i++) out[i] = (double)y[i];
    return CAIRN_OK;
}
