/* SPDX-License-Identifier: MIT */
/* Mini-batches in single precision: rows are packed once, and everything between them and the next
 * weights is float, which halves what goes through memory and doubles what a vector holds.
 *
 * The weights of the first layer, which are most of all where rows are wide, lie in strips of
 * nodes (kernels/strips.h). A mini-batch has two rounds. First each thread takes some of its rows
 * on from the net inputs of the first layer, and their errors back to it. Then each takes some
 * strips: it adds up their slopes over all rows, moves their weights while the slopes are at hand,
 * and works out the net inputs that they give the rows of the next mini-batch. Weights of a strip
 * so stay in the cache of one thread, and what threads hand to each other are net inputs and
 * errors of some rows. Where there are fewer strips than threads, a strip is cut into ranges of
 * inputs, and net inputs of the first layer belong to the round of rows. The layers after the
 * first are cut into ranges of inputs as well. What goes together changes no bit: every number is
 * made from whole sums in a fixed order. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/products.h"
#include "kernels/steps.h"
#include "kernels/strips.h"
#include "learners/network/neural.h"
#include "parallel/parallel.h"
#include "parallel/rounds.h"
#include <math.h>
#include <string.h>

enum {
    PACKED_ROWS = 64,
    PACKED_BLOCK = 1024,
    LEAST_ROWS = 16,
    LEAST_COLUMNS = 64,
    COLUMN_STEP = 32,
    STEP_INPUTS = 56
};
static const double WORTH = 1e6; /* multiplications of a batch, from which float is chosen */

/* What a worker needs for itself. */
typedef struct bench {
    cairn_pass_floats pass; /* pointers into the pass of all rows */
    float *buffer;          /* of products */
    float *slopes;          /* of a range of columns, n_out x columns; of inputs of a strip */
    float *deltas;          /* of a strip, batch x width */
} bench;

/* Weights that one worker moves: inputs [from, to) of some strips of the first layer, or of a layer
 * after it. Biases go with input 0. */
typedef struct part {
    size_t layer, strip, end; /* strips [strip, end) */
    size_t from, to;
} part;

/* Weights with what the solvers remember of them. */
typedef struct weights {
    float *w, *first, *second;
} weights;

struct cairn_neural_floats {
    cairn_neural_layers
        layers; /* the model's; `first` of a layer counts from the second layer on */
    cairn_pass_floats pass;
    float *x;           /* rows x n_in */
    const float **rows; /* of the batch, and after them of the one that is next */
    float *t, *v;       /* batch x n_out, and weights */
    double *costs;      /* batch */
    weights front;      /* strips: n_in x width weights, and width biases */
    weights rest;       /* of the layers after the first */
    size_t width, n_strips, strip_size;
    bool ahead; /* whoever moves strips has net inputs of the next batch by them */
    float **keep;
    bench *benches; /* of every worker */
    size_t workers;
    part *list;
    size_t n_list;
};

/* -- rows -- */

typedef struct packing {
    const cairn_neural_run *run;
    double *buffers; /* of every worker PACKED_ROWS x n_in */
    float *x;
} packing;

static void pack(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const packing *p = data;
    size_t n_in = p->run->n_in;
    double *buffer = p->buffers + (size_t)worker * PACKED_ROWS * n_in;
    (void)block;
    for (size_t from = begin; from < end; from += PACKED_ROWS) {
        size_t n = end - from < PACKED_ROWS ? end - from : PACKED_ROWS;
        float *to = p->x + from * n_in;
        cairn_matrix_rows(&p->run->x, from, n, buffer);
        for (size_t i = 0; i < n * n_in; i++) to[i] = (float)buffer[i];
    }
}

static cairn_status pack_rows(cairn_context *ctx, const cairn_neural_run *run, float *x)
{
    packing p = {.run = run, .x = x};
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &p.buffers,
                      cairn_product((size_t)cairn_workers(ctx) * PACKED_ROWS, run->n_in)));
    return cairn_blocks(ctx, run->x.n, PACKED_BLOCK, pack, &p);
}

/* -- opening -- */

static size_t ceiling(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* So many columns that every worker finds some ranges, and none is too narrow for a product. */
static size_t columns_of(const cairn_neural_layer *layer, size_t workers)
{
    size_t share = layer->n_in / (4 * (workers ? workers : 1)) + 1;
    share = (share + COLUMN_STEP - 1) / COLUMN_STEP * COLUMN_STEP;
    return share < LEAST_COLUMNS ? LEAST_COLUMNS : share;
}

/* Inputs of a range of a strip that is shared by several workers. */
static size_t inputs_of(const struct cairn_neural_floats *f, size_t n_in)
{
    size_t ranges = ceiling(4 * f->workers, f->n_strips), most = n_in / LEAST_COLUMNS + 1;
    return n_in / (ranges < most ? ranges : most) + 1;
}

/* The inputs of a layer, or of strips of the first, in ranges of `step`, at least one. */
static void add_parts(struct cairn_neural_floats *f, part p, size_t step)
{
    size_t n_in = f->layers.list[p.layer].n_in;
    p.to = 0;
    do {
        p.from = p.to;
        p.to = n_in - p.from < step ? n_in : p.from + step;
        f->list[f->n_list++] = p;
    } while (p.to < n_in);
}

/* Parts of the first layer, which are first in the list, and of the others are dealt out alike. */
static cairn_status mix_parts(cairn_context *ctx, struct cairn_neural_floats *f)
{
    size_t n = f->n_list, fronts = 0, at = 0;
    part *mixed;
    while (fronts < n && f->list[fronts].layer == 0) fronts++;
    size_t others = n - fronts;
    CHECK(SCRATCH(ctx, &mixed, n));
    for (size_t w = 0; w < f->workers; w++) {
        size_t a = fronts * w / f->workers, b = fronts * (w + 1) / f->workers;
        size_t c = others * w / f->workers, d = others * (w + 1) / f->workers;
        for (size_t i = a; i < b; i++) mixed[at++] = f->list[i];
        for (size_t i = c; i < d; i++) mixed[at++] = f->list[fronts + i];
    }
    f->list = mixed;
    return CAIRN_OK;
}

/* All parts, so that equal shares of the list have about equal shares of the first layer. */
static cairn_status list_parts(cairn_context *ctx, struct cairn_neural_floats *f)
{
    const cairn_neural_layers *layers = &f->layers;
    size_t per_strip = layers->n_in / inputs_of(f, layers->n_in) + 1;
    size_t n = cairn_product(f->n_strips, per_strip) + f->workers;
    for (size_t l = 1; l < layers->n; l++)
        n += layers->list[l].n_in / columns_of(&layers->list[l], f->workers) + 1;
    CHECK(SCRATCH(ctx, &f->list, n));
    for (size_t w = 0; w < f->workers; w++) {
        /* The strips that worker w has to itself, or its share of the ranges of all. */
        size_t first = f->n_strips * w / f->workers, end = f->n_strips * (w + 1) / f->workers;
        if (f->ahead) add_parts(f, (part){.strip = first, .end = end}, f->layers.n_in + 1);
        for (size_t s = first; !f->ahead && s < end; s++)
            add_parts(f, (part){.strip = s, .end = s + 1}, inputs_of(f, f->layers.n_in));
    }
    for (size_t l = 1; l < layers->n; l++)
        add_parts(f, (part){.layer = l}, columns_of(&layers->list[l], f->workers));
    return mix_parts(ctx, f);
}

/* Room of products of one part of the layers after the first, over the rows of a batch; *slopes is
 * made as large as those of any part. */
static size_t parts_buffer(const struct cairn_neural_floats *f, size_t rows, size_t *slopes)
{
    size_t most = 0;
    *slopes = STEP_INPUTS * f->width;
    for (size_t t = 0; t < f->n_list; t++) {
        const part *p = &f->list[t];
        size_t n_out = f->layers.list[p->layer].n_out, n = p->to - p->from;
        if (p->layer == 0) continue;
        size_t buffer = cairn_matmul_floats_buffer(n_out, n, rows);
        size_t size = cairn_product(n_out, n + 1);
        if (buffer > most) most = buffer;
        if (size > *slopes) *slopes = size;
    }
    return most;
}

/* One buffer serves a pass and the parts that are made beside it; the larger of the two needs
 * decides its size. */
static cairn_status open_benches(cairn_context *ctx, struct cairn_neural_floats *f, size_t rows)
{
    const cairn_neural_layers *layers = &f->layers;
    size_t slopes, other = parts_buffer(f, rows, &slopes);
    size_t buffer = cairn_pass_floats_buffer(layers, rows);
    CHECK(SCRATCH(ctx, &f->benches, f->workers));
    for (size_t i = 0; i < f->workers; i++) {
        bench *b = &f->benches[i];
        CHECK(SCRATCH_EACH(ctx, layers->n, &b->pass.nets, &b->pass.outs, &b->pass.deltas,
                           &b->pass.keep));
        CHECK(SCRATCH_RAW(ctx, &b->buffer, buffer > other ? buffer : other));
        CHECK(SCRATCH_RAW(ctx, &b->slopes, slopes));
        CHECK(SCRATCH(ctx, &b->deltas, cairn_product(rows, f->width)));
        b->pass.products = true;
        b->pass.buffer = b->buffer;
        b->pass.made = 1;
    }
    return CAIRN_OK;
}

static cairn_status open_weights(cairn_context *ctx, weights *out, size_t n)
{
    CHECK(SCRATCH_EACH(ctx, n, &out->w, &out->first));
    return SCRATCH(ctx, &out->second, n);
}

/* The layers as they are here: strips of the first, all weights of the others. */
static cairn_status open_layers(cairn_context *ctx, const cairn_neural_run *run,
                                struct cairn_neural_floats *f)
{
    const cairn_neural_layers *layers = &run->model->layers;
    size_t n_out = layers->list[0].n_out, front = cairn_product(n_out, run->n_in + 1);
    f->layers = *layers;
    f->layers.n_weights -= front;
    CHECK(SCRATCH(ctx, &f->layers.list, layers->n));
    memcpy(f->layers.list, layers->list, layers->n * sizeof *layers->list);
    for (size_t l = 1; l < layers->n; l++) f->layers.list[l].first -= front;
    f->workers = (size_t)cairn_workers(ctx);
    f->width = n_out > CAIRN_STRIP_NARROW ? CAIRN_STRIP_WIDE : CAIRN_STRIP_NARROW;
    f->n_strips = ceiling(n_out, f->width);
    f->strip_size = cairn_product(run->n_in + 1, f->width);
    f->ahead = 3 * ceiling(f->n_strips, f->workers) * f->workers <= 4 * f->n_strips;
    CHECK(open_weights(ctx, &f->front, cairn_product(f->n_strips, f->strip_size)));
    CHECK(open_weights(ctx, &f->rest, f->layers.n_weights));
    return list_parts(ctx, f);
}

/* Room for everything that a batch needs, so that the epochs take none. */
static cairn_status open_buffer(cairn_context *ctx, const cairn_neural_run *run,
                                struct cairn_neural_floats *f)
{
    const cairn_neural_layers *layers = &f->layers;
    size_t rows = run->batch;
    CHECK(open_layers(ctx, run, f));
    CHECK(cairn_pass_floats_open(ctx, &f->pass, layers, rows));
    CHECK(NEW_RAW(ctx, &f->x, cairn_product(run->x.n, run->n_in) + 1));
    cairn_expect_dense(f->x);
    CHECK(SCRATCH(ctx, &f->rows, cairn_product(rows, 2)));
    CHECK(SCRATCH(ctx, &f->t, cairn_product(rows, run->n_out)));
    CHECK(SCRATCH_EACH(ctx, rows, &f->v, &f->costs));
    CHECK(SCRATCH(ctx, &f->keep, layers->n));
    for (size_t l = 0; run->params->dropout > 0 && l + 1 < layers->n; l++)
        CHECK(SCRATCH(ctx, &f->keep[l], cairn_product(rows, layers->list[l].n_out)));
    return open_benches(ctx, f, rows);
}

/* -- the weights of the model -- */

/* Where the weight of input i, or with i = n_in the bias, of node j of the first layer is. */
static float *front_at(const struct cairn_neural_floats *f, size_t j, size_t i)
{
    return f->front.w + j / f->width * f->strip_size + i * f->width + j % f->width;
}

void cairn_neural_floats_load(const cairn_neural_run *run)
{
    const struct cairn_neural_floats *f = run->floats;
    const cairn_neural_layer *layer = &f->layers.list[0];
    const double *from = run->model->weights;
    for (size_t j = 0; j < layer->n_out; j++)
        for (size_t i = 0; i <= layer->n_in; i++) *front_at(f, j, i) = (float)*from++;
    for (size_t i = 0; i < f->layers.n_weights; i++) f->rest.w[i] = (float)*from++;
}

cairn_status cairn_neural_floats_open(cairn_context *ctx, cairn_neural_run *run)
{
    struct cairn_neural_floats *f;
    bool wanted;
    /* Whether float was asked for, or pays. */
    const cairn_neural_params *p = run->params;
    double work = (double)run->batch * (double)run->model->layers.n_weights;
    double bytes = 4 * (double)run->x.n * (double)run->n_in;
    bool can = run->update == CAIRN_NEURAL_BATCH && p->biases == CAIRN_NEURAL_BIAS_NODE;
    wanted = can && (p->precision == CAIRN_NEURAL_SINGLE ||
                     (p->precision == CAIRN_NEURAL_PRECISION_AUTO && work >= WORTH &&
                      bytes < (double)cairn_memory_available(ctx) / 2));
    if (p->precision == CAIRN_NEURAL_SINGLE && !can)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{precision single} is for mini-batches with a bias of every node; choose "
            "{update batch} and {biases node}");
    if (!wanted) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &f, 1));
    run->floats = f;
    CHECK(open_buffer(ctx, run, f));
    CHECK(pack_rows(ctx, run, f->x));
    cairn_neural_floats_load(run);
    return CAIRN_OK;
}

void cairn_neural_floats_close(cairn_neural_run **run)
{
    if ((*run)->floats) cairn_free((*run)->floats->x);
    (*run)->floats = NULL;
}

/* -- rows of a batch -- */

typedef struct batch {
    const cairn_neural_run *run;
    const size_t *rows; /* m of them */
    const float **x;    /* and where their inputs are */
    size_t m;
    size_t share; /* rows of a block */
    double by;    /* weight of all */
    bool learn;   /* errors go back */
    float eta;
    cairn_adam adam;
} batch;

/* What rows [begin, end) of the batch should come to. */
static void take_targets(const batch *b, size_t begin, size_t end)
{
    const cairn_neural_run *run = b->run;
    struct cairn_neural_floats *f = run->floats;
    size_t n_out = run->n_out;
    for (size_t i = begin; i < end; i++) {
        const double *t = run->targets + b->rows[i] * n_out;
        for (size_t k = 0; k < n_out; k++) f->t[i * n_out + k] = (float)t[k];
        f->v[i] = (float)(run->by[b->rows[i]] / b->by);
    }
}

static cairn_strip strip_of(const struct cairn_neural_floats *f, size_t s)
{
    size_t left = f->layers.list[0].n_out - s * f->width;
    return (cairn_strip){f->width, left < f->width ? left : f->width, f->layers.n_in};
}

/* Net inputs of the nodes of a strip for rows [begin, end) of the batch. */
static void net_inputs(const batch *b, size_t s, size_t begin, size_t end)
{
    const struct cairn_neural_floats *f = b->run->floats;
    cairn_strip strip = strip_of(f, s);
    size_t n_out = f->layers.list[0].n_out;
    const float *w = f->front.w + s * f->strip_size, *biases = w + strip.n_in * strip.width;
    float *nets = f->pass.nets[0] + s * f->width;
    for (size_t i = begin; i < end; i++) memcpy(nets + i * n_out, biases, strip.n * sizeof *nets);
    cairn_strip_nets(&strip, w, b->x + begin, end - begin, nets + begin * n_out, n_out);
}

/* The worker's pass is that of all, from row `begin` on. */
static cairn_pass_floats *pass_from(const batch *b, bench *own, size_t begin)
{
    const cairn_neural_layers *layers = &b->run->floats->layers;
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
    const cairn_neural_layers *layers = &f->layers;
    const float *t = f->t + begin * run->n_out;
    cairn_pass_floats *pass = pass_from(b, &f->benches[worker], begin);
    take_targets(b, begin, begin + m);
    for (size_t s = 0; !(b->learn && f->ahead) && s < f->n_strips; s++)
        net_inputs(b, s, begin, begin + m);
    if (cairn_pass_floats_forward(NULL, pass, layers, f->rest.w, NULL, m)) return;
    if (!b->learn) return;
    for (size_t i = 0; i < m; i++)
        f->costs[begin + i] = cairn_pass_floats_cost(pass, layers, run->cost, t, i);
    cairn_pass_floats_deltas(pass, layers, run->cost, t, f->v + begin, m);
    if (cairn_pass_floats_carry_back(NULL, pass, layers, f->rest.w, m)) return;
}

/* About what the rows of a batch cost, and the same again their weights. */
static double work_of(const cairn_neural_run *run, size_t m)
{
    return (double)m * (double)run->model->layers.n_weights / 8;
}

/* A batch of these rows, cut so that every worker finds some; `at` is where pointers to their
 * inputs go. */
static batch batch_of(const cairn_neural_run *run, const size_t *rows, size_t m, const float **at)
{
    batch b = {.run = run, .rows = rows, .x = at, .m = m};
    b.share = ceiling(m, run->floats->workers);
    if (b.share < LEAST_ROWS) b.share = LEAST_ROWS;
    for (size_t i = 0; i < m; i++) {
        b.by += run->by[rows[i]];
        at[i] = run->floats->x + rows[i] * run->n_in;
    }
    return b;
}

/* -- steps -- */

/* n weights from `at` on move along their slopes. */
static void move(const batch *b, const weights *set, size_t at, const float *slopes, size_t n)
{
    const cairn_neural_params *p = b->run->params;
    if (p->solver == CAIRN_NEURAL_ADAM)
        cairn_adam_step(set->w + at, set->first + at, set->second + at, slopes, n, &b->adam);
    else if (p->solver == CAIRN_NEURAL_PLAIN)
        cairn_plain_step(set->w + at, slopes, n, b->eta);
    else
        cairn_momentum_step(set->w + at, set->first + at, slopes, n, b->eta, (float)p->momentum,
                            p->solver == CAIRN_NEURAL_NESTEROV);
}

/* The same of weights that are drawn to 0, which biases are not. */
static void move_drawn(const batch *b, const weights *set, size_t at, float *slopes, size_t n)
{
    float decay = (float)b->run->params->decay;
    for (size_t i = 0; decay > 0 && i < n; i++) slopes[i] -= decay * set->w[at + i];
    move(b, set, at, slopes, n);
}

/* Slopes of biases of n nodes: sums of deltas, rows `step` apart. */
static void add_deltas(const float *deltas, size_t m, size_t step, size_t n, float *slopes)
{
    memset(slopes, 0, n * sizeof *slopes);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) slopes[j] += deltas[i * step + j];
}

/* The deltas of a strip side by side: those of nodes that there are not stay 0. */
static void take_deltas(const batch *b, size_t s, float *out)
{
    const struct cairn_neural_floats *f = b->run->floats;
    size_t n_out = f->layers.list[0].n_out, n = strip_of(f, s).n;
    const float *deltas = f->pass.deltas[0] + s * f->width;
    for (size_t i = 0; i < b->m; i++) {
        memcpy(out + i * f->width, deltas + i * n_out, n * sizeof *out);
        memset(out + i * f->width + n, 0, (f->width - n) * sizeof *out);
    }
}

/* Slopes of some inputs of a strip over all rows of the batch, and the steps along them. */
static void move_strip(const batch *b, const part *p, size_t s, const bench *own)
{
    const struct cairn_neural_floats *f = b->run->floats;
    cairn_strip strip = strip_of(f, s);
    size_t at = s * f->strip_size, width = f->width;
    take_deltas(b, s, own->deltas);
    for (size_t from = p->from; from < p->to; from += STEP_INPUTS) {
        size_t to = p->to - from < STEP_INPUTS ? p->to : from + STEP_INPUTS;
        cairn_strip_slopes(&strip, b->x, b->m, from, to, own->deltas, own->slopes);
        move_drawn(b, &f->front, at + from * width, own->slopes, (to - from) * width);
    }
    if (p->from) return;
    add_deltas(own->deltas, b->m, width, width, own->slopes);
    move(b, &f->front, at + strip.n_in * width, own->slopes, width);
}

/* The same of inputs of a layer after the first. */
static void move_columns(const batch *b, const part *p, const bench *own)
{
    const struct cairn_neural_floats *f = b->run->floats;
    const cairn_neural_layer *layer = &f->layers.list[p->layer];
    size_t n = p->to - p->from, n_in = layer->n_in;
    cairn_matmul_floats product = {.m = layer->n_out, .n = n, .k = b->m, .alpha = 1, .set = true};
    product.a = f->pass.deltas[p->layer];
    product.a_i = 1;
    product.a_k = layer->n_out;
    product.b = f->pass.outs[p->layer - 1] + p->from;
    product.b_k = n_in;
    product.b_j = 1;
    product.c = own->slopes;
    product.c_i = n;
    cairn_matmul_floats_alone(&product, own->buffer);
    for (size_t j = 0; j < layer->n_out; j++)
        move_drawn(b, &f->rest, layer->first + j * (n_in + 1) + p->from, own->slopes + j * n, n);
    if (p->from) return;
    add_deltas(product.a, b->m, layer->n_out, layer->n_out, own->slopes);
    for (size_t j = 0; j < layer->n_out; j++)
        move(b, &f->rest, layer->first + j * (n_in + 1) + n_in, own->slopes + j, 1);
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

/* An epoch: a round of rows and a round of weights for every mini-batch. */
typedef struct passage {
    cairn_neural_run *run;
    batch now, next; /* next.m = 0: there is none */
    size_t first;    /* row after those of `next` */
    bool moving;     /* weights move in this round, or net inputs of the first batch are made */
    double eta, sum;
} passage;

/* The batch after this one; its pointers go where those of the batch before this one were. */
static void find_next(passage *p)
{
    cairn_neural_run *run = p->run;
    size_t left = run->n_train - p->first, m = left < run->batch ? left : run->batch;
    const float **at = run->floats->rows;
    p->next = batch_of(run, run->order + p->first, m, p->now.x == at ? at + run->batch : at);
    p->next.learn = true;
    p->next.eta = (float)p->eta;
    p->first += m;
}

/* Rounds of rows and of weights take turns; where strips go ahead, one for the net inputs of the
 * first batch comes before them. */
static size_t next_round(void *data)
{
    passage *p = data;
    const struct cairn_neural_floats *f = p->run->floats;
    if (p->now.m && !p->moving) {
        /* The batch whose rows went forward has its errors added up, and its weights are next. */
        cairn_neural_run *run = p->run;
        for (size_t i = 0; i < p->now.m; i++)
            p->sum += run->by[p->now.rows[i]] * run->floats->costs[i];
        p->now.adam = cairn_adam_at(p->eta, ++run->steps_taken);
        find_next(p);
        p->moving = true;
        return run->floats->n_list;
    }
    if (!p->moving) {
        find_next(p);
        p->moving = f->ahead;
        if (f->ahead) return f->n_list;
    }
    if (!p->next.m || !isfinite(p->sum)) return 0;
    draw_dropout(p->run, p->next.m);
    p->now = p->next;
    p->moving = false;
    return cairn_block_count(p->now.m, p->now.share);
}

static void round_block(void *data, size_t block, int worker)
{
    const passage *p = data;
    if (p->moving) {
        /* All strips of a part move before any of them goes ahead: rows stay in the cache from
         * one to the next. */
        const struct cairn_neural_floats *f = p->run->floats;
        const part *own = &f->list[block];
        if (p->now.m && own->layer) move_columns(&p->now, own, &f->benches[worker]);
        for (size_t s = own->strip; p->now.m && s < own->end; s++)
            move_strip(&p->now, own, s, &f->benches[worker]);
        for (size_t s = own->strip; f->ahead && s < own->end; s++)
            net_inputs(&p->next, s, 0, p->next.m);
    } else
        pass_rows(&p->now, block, worker);
}

cairn_status cairn_neural_floats_epoch(cairn_context *ctx, cairn_neural_run *run, double eta,
                                       double *error)
{
    passage p = {.run = run, .eta = eta};
    CHECK(cairn_rounds(ctx, work_of(run, run->batch), next_round, round_block, &p));
    for (size_t l = 0; l < run->model->layers.n; l++) run->floats->pass.keep[l] = NULL;
    const struct cairn_neural_floats *f = run->floats;
    const cairn_neural_layer *layer = &f->layers.list[0];
    double *to = run->model->weights;
    for (size_t j = 0; j < layer->n_out; j++)
        for (size_t i = 0; i <= layer->n_in; i++) *to++ = (double)*front_at(f, j, i);
    for (size_t i = 0; i < f->layers.n_weights; i++) *to++ = (double)f->rest.w[i];
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
    batch b = batch_of(run, rows, m, f->rows);
    CHECK(cairn_blocks_sized(ctx, m, b.share, work_of(run, m), look_block, &b));
    for (size_t i = 0; i < m * run->n_out; i++) out[i] = (double)y[i];
    return CAIRN_OK;
}
