/* SPDX-License-Identifier: MIT */
/* Normal densities and sums of vectors.
 *
 * With the precision A = W'W, h the missing numbers and y = x − mean with 0 for these: given the
 * others they have the mean mean_h − A_hh⁻¹ (A y)_h and the covariance A_hh⁻¹. With that mean in
 * their place the exponent is that of the numbers that are there, because it is least for it; the
 * determinant of their covariance is |Σ| |A_hh|. */
#include "learners/sequence/hmm.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/best_path.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "kernels/octets.h"
#include "parallel/parallel.h"
#include "stats/plain_normal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ln_two_pi = 1.8378770664093454836;

/* -- densities -- */

/* W = inverse of R', where covariance = R'R: row by row by substitution. */
static cairn_status invert_factor(cairn_context *ctx, const double *r, size_t d, double *white)
{
    memset(white, 0, d * d * sizeof *white);
    for (size_t c = 0; c < d; c++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t i = c; i < d; i++) {
            double sum = i == c;
            for (size_t k = c; k < i; k++) sum -= r[k * d + i] * white[k * d + c];
            white[i * d + c] = sum / r[i * d + i];
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_normals_make(cairn_context *ctx, cairn_hmm_normals *out, const cairn_hmm *m)
{
    size_t n = m->n_states, d = m->n_numbers, pivot;
    double condition, *factor;
    *out = (cairn_hmm_normals){0};
    if (!d) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->whites, cairn_product(n, d * d)));
    CHECK(SCRATCH(ctx, &out->constants, n));
    CHECK(SCRATCH_RAW(ctx, &factor, d * d));
    for (size_t i = 0; i < n; i++) {
        memcpy(factor, m->covariance + i * d * d, d * d * sizeof *factor);
        CHECK(cairn_cholesky(ctx, factor, d, &condition, &pivot));
        if (pivot < d)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariance of state '%s' is none: it is not positive definite "
                              "(row %zu)",
                              cairn_map_key(&m->states, i), pivot + 1);
        out->constants[i] = -0.5 * (double)d * ln_two_pi;
        for (size_t k = 0; k < d; k++) out->constants[i] -= cairn_log(factor[k * d + k]);
        CHECK(invert_factor(ctx, factor, d, out->whites + i * d * d));
    }
    return CAIRN_OK;
}

static double normal_log(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                         const double *x)
{
    size_t d = m->n_numbers;
    const double *mean = m->mean + state * d, *white = normals->whites + state * d * d;
    double square = 0;
    for (size_t k = 0; k < d; k++) {
        double z = 0;
        for (size_t l = 0; l <= k; l++) z += white[k * d + l] * (x[l] - mean[l]);
        square += z * z;
    }
    return normals->constants[state] - square / 2;
}

/* -- what is missing -- */

cairn_status cairn_hmm_filling_make(cairn_context *ctx, cairn_hmm_filling *out, size_t d)
{
    size_t square = cairn_product(d, d);
    *out = (cairn_hmm_filling){0};
    CHECK(SCRATCH(ctx, &out->x, d));
    CHECK(SCRATCH_EACH(ctx, square, &out->spread, &out->factor));
    return SCRATCH(ctx, &out->holes, d);
}

size_t cairn_hmm_missing(const double *x, size_t d)
{
    size_t n = 0;
    for (size_t k = 0; k < d; k++) n += isnan(x[k]) != 0;
    return n;
}

/* The lower factor of A_hh; returns ln of the root of its determinant. */
static double factorise_holes(cairn_hmm_filling *f, const double *white, size_t d)
{
    size_t n = f->n_holes;
    double *a = f->factor, log_root = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = f->holes[i]; k < d; k++)
                sum += white[k * d + f->holes[i]] * white[k * d + f->holes[j]];
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * n + j];
        }
        log_root += cairn_log(a[i * n + i]);
    }
    return log_root;
}

/* A_hh⁻¹ v in place, by the factor. */
static void solve_holes(const cairn_hmm_filling *f, double *v)
{
    size_t n = f->n_holes;
    const double *a = f->factor;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) v[i] -= a[i * n + k] * v[k];
        v[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) v[i] -= a[k * n + i] * v[k];
        v[i] /= a[i * n + i];
    }
}

/* Put the means of the missing numbers, given the others, into the room's vector; returns what the
 * logarithm of the density gains because it is one of fewer numbers. */
static double fill(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                   const double *x, cairn_hmm_filling *f)
{
    size_t d = m->n_numbers;
    const double *mean = m->mean + state * d, *white = normals->whites + state * d * d;
    double *pull = f->spread; /* of which the first n_holes are used here */
    f->n_holes = 0;
    for (size_t k = 0; k < d; k++) {
        if (isnan(x[k])) f->holes[f->n_holes++] = k;
        f->x[k] = isnan(x[k]) ? mean[k] : x[k];
    }
    double log_root = factorise_holes(f, white, d);
    memset(pull, 0, f->n_holes * sizeof *pull);
    for (size_t k = 0; k < d; k++) {
        double z = 0;
        for (size_t l = 0; l <= k; l++) z += white[k * d + l] * (f->x[l] - mean[l]);
        for (size_t i = 0; i < f->n_holes; i++) pull[i] += white[k * d + f->holes[i]] * z;
    }
    solve_holes(f, pull);
    for (size_t i = 0; i < f->n_holes; i++) f->x[f->holes[i]] -= pull[i];
    return 0.5 * (double)f->n_holes * ln_two_pi - log_root;
}

/* The covariance of the missing numbers, given the others: A_hh⁻¹ in its places. */
static void fill_spread(cairn_hmm_filling *f, size_t d)
{
    size_t n = f->n_holes;
    double *spread = f->spread;
    memset(spread, 0, d * d * sizeof *spread);
    for (size_t j = 0; j < n; j++) {
        double *row = spread + f->holes[j] * d;
        row[j] = 1;
        solve_holes(f, row);
        for (size_t i = n; i-- > 0;) { /* from the last, so that none is overwritten */
            double value = row[i];
            row[i] = 0;
            row[f->holes[i]] = value;
        }
    }
}

double cairn_hmm_density(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                         const double *x, cairn_hmm_filling *buffer)
{
    size_t missing = cairn_hmm_missing(x, m->n_numbers);
    if (!missing) return normal_log(m, normals, state, x);
    if (missing == m->n_numbers) return 0;
    double more = fill(m, normals, state, x, buffer);
    return normal_log(m, normals, state, buffer->x) + more;
}

void cairn_hmm_add_vector(const cairn_hmm_sums *sums, const cairn_hmm *m,
                          const cairn_hmm_normals *normals, size_t state, const double *x,
                          double weight, cairn_hmm_filling *buffer)
{
    size_t d = m->n_numbers, missing = cairn_hmm_missing(x, d);
    double *to = sums->normal + state * (1 + d + d * (d + 1) / 2), *square = to + 1 + d;
    if (missing == d) return;
    if (missing) {
        fill(m, normals, state, x, buffer);
        fill_spread(buffer, d);
        x = buffer->x;
    }
    *to += weight;
    for (size_t k = 0; k < d; k++) {
        double off = x[k] - (sums->shift ? sums->shift[k] : 0);
        to[1 + k] += weight * off;
        for (size_t l = k; l < d; l++) {
            double other = x[l] - (sums->shift ? sums->shift[l] : 0);
            *square++ += weight * (off * other + (missing ? buffer->spread[k * d + l] : 0));
        }
    }
}

/* -- forward and backward passes over chunks of sequences -- */

enum {
    LONGEST = 256,      /* steps of a chunk */
    MOST_TRANSFER = 24, /* states up to which products of matrices are cheaper than a pass */
    MOST_BLOCKS = 64,
    MOST_PARTIAL = 1 << 24, /* numbers of all blocks' sums */
    MOST_KEPT = 1 << 25     /* numbers that are kept from one pass to the next */
};

static const double ln_two = 0.69314718055994530942;

typedef struct chunk {
    size_t first, length, sequence;
    bool begins, ends; /* its sequence */
} chunk;

/* Slices of one worker's room. */
typedef struct slice {
    double *b, *alpha, *gamma, *x;        /* steps x (n or d) x 8 */
    double *factors, *tops;               /* steps x 8 */
    double *own_b, *own_tops;             /* room of b and tops where they are not kept */
    double *first, *before, *last, *back; /* n x 8; back twice that */
    double *moves, *normal;               /* n x n x 8, n x moments x 8 */
    double *rows, *turns;                 /* of transfers: n x n x 8, twice that */
    cairn_octet_scale *scales;            /* n */
    cairn_hmm_filling filling;
    double *step_logs; /* n */
    double lengths[8], weights[8];
    size_t begins[8];
} slice;

struct cairn_hmm_plan {
    size_t n, d, n_symbols; /* the model's shape */
    size_t moments;
    chunk *chunks;
    size_t n_chunks, longest;
    uint32_t *order; /* n_chunks: by length, so that eight alike go together */
    size_t n_octets, per_block, n_blocks;
    bool *transferred; /* n_octets: a pass has been there */
    bool long_ones;    /* some sequence has several chunks */
    double *enter;     /* n_chunks x n: predicted shares of its first step's states */
    double *before;    /* n_chunks x n: alpha of the step before; zeros at the beginning */
    double *exit;      /* n_chunks x n: beta of its last step */
    double *transfer;  /* n_chunks x n x n: alpha at the end for each state entered; NULL = n is too
                         large for it, or no sequence is long */
    double *scale;     /* n_chunks x n: ln of the factors of its rows */
    double *logs;      /* n_chunks */
    double *kept_b, *kept_tops; /* of all groups, from one pass to the next; NULL = too much */
    double *partial;            /* n_blocks x sums */
    slice *slices;              /* one per worker */
    /* of one call */
    const cairn_hmm *model;
    const cairn_hmm_data *data;
    cairn_hmm_seen all; /* its steps, as if they were one sequence */
    const cairn_hmm_wanted *wanted;
    cairn_hmm_normals normals;
    double *emit;  /* (n_symbols + 1) x n; the last are ones, for what is missing */
    double *means; /* n x d, less the shift */
    double *shift; /* d: means of all numbers */
    bool gaps;     /* some number is missing */
    size_t sums_size;
};

cairn_hmm_seen cairn_hmm_sequence(const cairn_hmm_data *data, size_t d, size_t i)
{
    size_t at = data->begins[i];
    return (cairn_hmm_seen){data->begins[i + 1] - at, data->symbols ? data->symbols + at : NULL,
                            data->symbols ? NULL : data->numbers + at * d};
}

/* -- the plan -- */

static void cut_chunks(cairn_hmm_plan *p, const cairn_hmm_data *data)
{
    size_t k = 0;
    for (size_t i = 0; i < data->n; i++) {
        size_t begin = data->begins[i], end = data->begins[i + 1];
        for (size_t at = begin; at < end; at += p->longest) {
            size_t length = end - at < p->longest ? end - at : p->longest;
            p->chunks[k++] = (chunk){at, length, i, at == begin, at + length == end};
        }
        p->long_ones = p->long_ones || end - begin > p->longest;
    }
}

/* The longest first, equally long ones as they come. */
static void order_chunks(cairn_hmm_plan *p)
{
    size_t counts[LONGEST + 2] = {0};
    for (size_t k = 0; k < p->n_chunks; k++) counts[p->longest - p->chunks[k].length + 1]++;
    for (size_t l = 0; l <= p->longest; l++) counts[l + 1] += counts[l];
    for (size_t k = 0; k < p->n_chunks; k++)
        p->order[counts[p->longest - p->chunks[k].length]++] = (uint32_t)k;
}

/* What a pass over eight lanes writes to; b and tops have room here only where they are not kept
 * from one pass to the next. */
static cairn_status make_slice(cairn_context *ctx, const cairn_hmm_plan *p, slice *s)
{
    size_t n = p->n, steps = p->longest * 8, cells = cairn_product(steps, n);
    if (!p->kept_b) CHECK(SCRATCH(ctx, &s->own_b, cells));
    CHECK(SCRATCH_EACH(ctx, cells, &s->alpha, &s->gamma));
    CHECK(SCRATCH(ctx, &s->x, cairn_product(steps, p->d)));
    CHECK(SCRATCH(ctx, &s->factors, steps));
    if (!p->kept_b) CHECK(SCRATCH(ctx, &s->own_tops, steps));
    CHECK(SCRATCH_EACH(ctx, n * 8, &s->first, &s->before, &s->last));
    CHECK(SCRATCH(ctx, &s->back, 2 * n * 8));
    CHECK(SCRATCH(ctx, &s->moves, cairn_product(n, n * 8)));
    CHECK(SCRATCH(ctx, &s->normal, cairn_product(n, p->moments * 8)));
    CHECK(SCRATCH(ctx, &s->step_logs, n));
    CHECK(cairn_hmm_filling_make(ctx, &s->filling, p->d));
    if (!p->transfer) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &s->rows, n * n * 8));
    CHECK(SCRATCH(ctx, &s->turns, 2 * n * n * 8));
    return SCRATCH(ctx, &s->scales, n);
}

static cairn_status make_boundaries(cairn_context *ctx, cairn_hmm_plan *p)
{
    size_t cells = cairn_product(p->n_chunks, p->n);
    CHECK(SCRATCH_EACH(ctx, cells, &p->enter, &p->before, &p->exit));
    if (p->n > MOST_TRANSFER) return CAIRN_OK;
    size_t kept = cairn_product(p->n_octets * p->longest * 8, p->n);
    if (kept <= MOST_KEPT) {
        CHECK(SCRATCH_RAW(ctx, &p->kept_b, kept));
        CHECK(SCRATCH_RAW(ctx, &p->kept_tops, p->n_octets * p->longest * 8));
    }
    CHECK(SCRATCH(ctx, &p->transfer, cairn_product(cells, p->n)));
    return SCRATCH(ctx, &p->scale, cells);
}

/* How many groups of eight add into one set of sums. */
static void set_blocks(cairn_hmm_plan *p)
{
    size_t most = MOST_PARTIAL / (p->sums_size ? p->sums_size : 1);
    p->n_octets = cairn_block_count(p->n_chunks, 8);
    if (most > MOST_BLOCKS) most = MOST_BLOCKS;
    if (!most) most = 1;
    p->per_block = (p->n_octets + most - 1) / most;
    if (!p->per_block) p->per_block = 1;
    p->n_blocks = cairn_block_count(p->n_octets, p->per_block);
}

/* Means of the numbers that are there, so that squares keep their digits. */
static void set_shift(cairn_hmm_plan *p, const cairn_hmm_data *data)
{
    for (size_t k = 0; k < p->d; k++) {
        double mean = 0, seen = 0;
        for (size_t t = 0; t < data->begins[data->n]; t++) {
            double x = data->numbers[t * p->d + k];
            p->gaps = p->gaps || isnan(x);
            if (isnan(x)) continue;
            seen++;
            mean += (x - mean) / seen;
        }
        p->shift[k] = mean;
    }
}

cairn_status cairn_hmm_plan_make(cairn_context *ctx, cairn_hmm_plan **out, const cairn_hmm *m,
                                 const cairn_hmm_data *data)
{
    cairn_hmm_plan *p;
    CHECK(SCRATCH(ctx, &p, 1));
    p->n = m->n_states;
    p->d = m->n_numbers;
    p->n_symbols = m->n_symbols;
    p->moments = p->d ? 1 + p->d + p->d * (p->d + 1) / 2 : 0;
    p->sums_size = cairn_hmm_sums_size(m);
    p->longest = p->n <= 64 ? LONGEST : LONGEST / 8;
    for (size_t i = 0; i < data->n; i++)
        p->n_chunks += cairn_block_count(data->begins[i + 1] - data->begins[i], p->longest);
    if (p->n_chunks >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are too many steps in the sequences");
    CHECK(SCRATCH_EACH(ctx, p->n_chunks, &p->chunks, &p->order));
    cut_chunks(p, data);
    order_chunks(p);
    set_blocks(p);
    if (p->long_ones) CHECK(make_boundaries(ctx, p));
    CHECK(SCRATCH(ctx, &p->transferred, p->n_octets));
    CHECK(SCRATCH(ctx, &p->logs, p->n_chunks));
    CHECK(SCRATCH(ctx, &p->emit, cairn_product(p->n_symbols + 1, p->n)));
    CHECK(SCRATCH(ctx, &p->means, p->n * p->d));
    CHECK(SCRATCH(ctx, &p->shift, p->d));
    set_shift(p, data);
    CHECK(SCRATCH(ctx, &p->partial, cairn_product(p->n_blocks, p->sums_size)));
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &p->slices, workers));
    for (size_t w = 0; w < workers; w++) CHECK(make_slice(ctx, p, &p->slices[w]));
    *out = p;
    return CAIRN_OK;
}

/* -- what eight chunks give off -- */

/* The chunk in a lane of a group; NULL = none is left. */
static const chunk *lane_of(const cairn_hmm_plan *p, size_t octet, size_t lane)
{
    size_t at = octet * 8 + lane;
    return at < p->n_chunks ? &p->chunks[p->order[at]] : NULL;
}

/* Lengths and weights of the lanes; returns the longest. */
static size_t set_lanes(const cairn_hmm_plan *p, slice *s, size_t octet)
{
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        s->begins[l] = c ? c->first : 0;
        s->lengths[l] = c ? (double)c->length : 0;
        s->weights[l] = !c ? 0 : p->data->weights ? p->data->weights[c->sequence] : 1;
    }
    return lane_of(p, octet, 0)->length;
}

/* A row of states into their places in a lane; four at a time, as most models are small. */
static inline void spread_row(double *lane, const double *row, size_t n)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        lane[j * 8] = row[j];
        lane[j * 8 + 8] = row[j + 1];
        lane[j * 8 + 16] = row[j + 2];
        lane[j * 8 + 24] = row[j + 3];
    }
    for (; j < n; j++) lane[j * 8] = row[j];
}

/* Vectors less the shift; returns whether some step has a missing number: its vector is set to NaN
 * at its first number. */
static bool fill_vectors(const cairn_hmm_plan *p, slice *s, size_t steps)
{
    size_t d = p->d;
    bool missing = false;
    for (size_t at = 0; at < steps * 8; at++) {
        size_t t = at / 8, l = at % 8;
        bool there = (double)t < s->lengths[l], gone = false;
        const double *x = p->data->numbers + (s->begins[l] + (there ? t : 0)) * d;
        double *to = s->x + t * d * 8 + l;
        for (size_t k = 0; k < d; k++) {
            to[k * 8] = there ? x[k] - p->shift[k] : 0;
            gone = gone || isnan(to[k * 8]);
        }
        for (size_t k = 0; k < d && gone; k++) to[k * 8] = k ? 0 : NAN;
        missing = missing || gone;
    }
    return missing;
}

/* Lanes, and what their steps give off; returns the longest length. `again` = a pass before has
 * been here, and where there is room enough it left what it found. */
static size_t open_octet(const cairn_hmm_plan *p, slice *s, size_t octet, bool again)
{
    size_t steps = set_lanes(p, s, octet), tile = p->longest * 8;
    bool known = again && p->kept_b && p->transferred[octet];
    s->b = p->kept_b ? p->kept_b + octet * tile * p->n : s->own_b;
    s->tops = p->kept_b ? p->kept_tops + octet * tile : s->own_tops;
    if (p->data->symbols && !known) {
        /* Step after step, so that what is written lies together. */
        size_t n = p->n;
        for (size_t t = 0; t < steps; t++)
            for (size_t l = 0; l < 8; l++) {
                int32_t symbol =
                    (double)t < s->lengths[l] ? p->data->symbols[s->begins[l] + t] : -1;
                const double *row = p->emit + (symbol < 0 ? p->n_symbols : (size_t)symbol) * n;
                spread_row(s->b + t * n * 8 + l, row, n);
            }
    }
    if (p->data->symbols) return steps;
    bool missing = fill_vectors(p, s, steps);
    if (!known) {
        cairn_octet_normal_logs(s->b, s->x, p->means, p->normals.whites, p->normals.constants, p->n,
                                p->d, steps);
        cairn_octet_less_top(s->b, s->tops, p->n, steps);
        if (missing) {
            /* A step that has missing numbers has the density of the others in each state. One
             * that is missing as a whole is equally probable in all, and counts nowhere, for
             * which `tops` is NaN there. The vector is 0 from here on. */
            for (size_t at = 0; at < steps * 8; at++) {
                size_t t = at / 8, l = at % 8, step = s->begins[l] + t;
                double *x = s->x + t * p->d * 8 + l, top = -INFINITY;
                if (!isnan(*x)) continue;
                *x = 0;
                cairn_hmm_step_logs(s->step_logs, p->model, &p->normals, &p->all, step,
                                    &s->filling);
                for (size_t j = 0; j < p->n; j++) top = fmax(top, s->step_logs[j]);
                if (isinf(top)) top = 0;
                for (size_t j = 0; j < p->n; j++)
                    s->b[(t * p->n + j) * 8 + l] = s->step_logs[j] - top;
                bool whole = cairn_hmm_missing(p->all.numbers + step * p->d, p->d) == p->d;
                s->tops[at] = whole ? NAN : top;
            }
        }
        cairn_exp_each(s->b, s->b, steps * p->n * 8);
    } else if (missing) {
        /* The vectors of steps with missing numbers, where all else is known. */
        for (size_t at = 0; at < steps * 8; at++) {
            double *x = s->x + at / 8 * p->d * 8 + at % 8;
            if (isnan(*x)) *x = 0;
        }
    }
    return steps;
}

static double log_of(const cairn_octet_scale *scale, size_t lane)
{
    return cairn_log(scale->sum[lane]) + (double)scale->exponent[lane] * ln_two;
}

/* -- from chunk to chunk -- */

/* The products of matrices of eight chunks: alpha at the end for every state that is entered. */
static void transfer_octet(const cairn_hmm_plan *p, slice *s, size_t octet)
{
    size_t n = p->n, steps = open_octet(p, s, octet, false);
    p->transferred[octet] = true;
    cairn_octet_transfer(s->rows, s->scales, s->b, p->model->move, s->lengths, n, steps, s->turns);
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        if (!c) continue;
        size_t k = (size_t)(c - p->chunks);
        for (size_t i = 0; i < n; i++) {
            double sum = s->scales[i].sum[l];
            p->scale[k * n + i] = log_of(&s->scales[i], l);
            for (size_t j = 0; j < n; j++)
                p->transfer[(k * n + i) * n + j] = sum > 0 ? s->rows[(i * n + j) * 8 + l] / sum : 0;
        }
    }
}

static void transfer_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    cairn_hmm_plan *p = data;
    (void)block;
    for (size_t octet = begin; octet < end; octet++) {
        bool wanted = false;
        for (size_t l = 0; l < 8; l++) {
            const chunk *c = lane_of(p, octet, l);
            wanted = wanted || (c && !(c->begins && c->ends));
        }
        if (wanted) transfer_octet(p, &p->slices[worker], octet);
    }
}

static void divide_by_sum(double *row, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += row[j];
    for (size_t j = 0; j < n && sum > 0; j++) row[j] /= sum;
}

/* out = row · move */
static void move_on(const cairn_hmm_plan *p, const double *row, double *out)
{
    memset(out, 0, p->n * sizeof *out);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) out[j] += row[i] * p->model->move[i * p->n + j];
}

/* out = move · column */
static void move_back(const cairn_hmm_plan *p, const double *column, double *out)
{
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < p->n; j++) sum += p->model->move[i * p->n + j] * column[j];
        out[i] = sum;
    }
}

/* The largest ln factor among rows that have a share. */
static double top_scale(const cairn_hmm_plan *p, size_t k, const double *shares)
{
    double top = -INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (!shares || shares[i] > 0) top = fmax(top, p->scale[k * p->n + i]);
    return isinf(top) ? 0 : top;
}

/* alpha at the end of chunk k, from what is predicted for its beginning. */
static void cross(const cairn_hmm_plan *p, size_t k, const double *enter, double *out)
{
    size_t n = p->n;
    double top = top_scale(p, k, enter);
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        double share = enter[i] > 0 ? enter[i] * cairn_exp(p->scale[k * n + i] - top) : 0;
        for (size_t j = 0; j < n; j++) out[j] += share * p->transfer[(k * n + i) * n + j];
    }
    divide_by_sum(out, n);
}

/* What lies behind the beginning of chunk k in every state, from beta at its end. */
static void cross_back(const cairn_hmm_plan *p, size_t k, const double *exit, double *out)
{
    size_t n = p->n;
    double top = top_scale(p, k, NULL);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += p->transfer[(k * n + i) * n + j] * exit[j];
        out[i] = sum * cairn_exp(p->scale[k * n + i] - top);
    }
    divide_by_sum(out, n);
}

/* What a chunk gets from before, and, going back, from behind; beta at the end of a chunk is such
 * that it weighs alpha there to 1. */
static void set_enter(const cairn_hmm_plan *p, size_t k)
{
    size_t n = p->n;
    if (p->chunks[k].begins) {
        memcpy(p->enter + k * n, p->model->start, n * sizeof *p->enter);
        memset(p->before + k * n, 0, n * sizeof *p->before);
    } else {
        move_on(p, p->before + k * n, p->enter + k * n);
    }
}

static void weigh_exit(const cairn_hmm_plan *p, size_t k)
{
    size_t n = p->n;
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += p->before[(k + 1) * n + j] * p->exit[k * n + j];
    for (size_t j = 0; j < n && sum > 0; j++) p->exit[k * n + j] /= sum;
}

/* All boundaries by the products of matrices; `buffer` has n numbers. */
static void set_boundaries(const cairn_hmm_plan *p, double *buffer)
{
    size_t n = p->n;
    for (size_t k = 0; k < p->n_chunks; k++) {
        set_enter(p, k);
        if (!p->chunks[k].ends) cross(p, k, p->enter + k * n, p->before + (k + 1) * n);
    }
    for (size_t k = p->n_chunks; k-- > 0;) {
        if (p->chunks[k].ends) {
            for (size_t j = 0; j < n; j++) p->exit[k * n + j] = 1;
            continue;
        }
        cross_back(p, k + 1, p->exit + (k + 1) * n, buffer);
        move_back(p, buffer, p->exit + k * n);
        weigh_exit(p, k);
    }
}

/* b of one step for many states, its largest taken off. */
static void step_shares(const cairn_hmm_plan *p, size_t step, double *out)
{
    double top = -INFINITY;
    cairn_hmm_step_logs(out, p->model, &p->normals, &p->all, step, &p->slices->filling);
    for (size_t j = 0; j < p->n; j++) top = fmax(top, out[j]);
    for (size_t j = 0; j < p->n; j++) out[j] = isinf(top) ? 0 : cairn_exp(out[j] - top);
}

/* The same by one pass there and one back, where there are too many states for products; `buffer`
 * has 2 n numbers. */
static void walk_boundaries(const cairn_hmm_plan *p, double *buffer)
{
    size_t n = p->n;
    double *now = buffer, *b = buffer + n;
    for (size_t k = 0; k < p->n_chunks; k++) {
        const chunk *c = &p->chunks[k];
        set_enter(p, k);
        for (size_t t = 0; t < c->length && !c->ends; t++) {
            double *next = p->before + (k + 1) * n;
            if (t)
                move_on(p, next, now);
            else
                memcpy(now, p->enter + k * n, n * sizeof *now);
            step_shares(p, c->first + t, b);
            for (size_t j = 0; j < n; j++) next[j] = now[j] * b[j];
            divide_by_sum(next, n);
        }
    }
    for (size_t k = p->n_chunks; k-- > 0;) {
        const chunk *c = &p->chunks[k];
        double *exit = p->exit + k * n;
        for (size_t j = 0; j < n && c->ends; j++) exit[j] = 1;
        if (c->begins) continue;
        double *to = exit - n;
        memcpy(to, exit, n * sizeof *to);
        for (size_t t = c->length; t-- > 0;) {
            step_shares(p, c->first + t, b);
            for (size_t j = 0; j < n; j++) now[j] = to[j] * b[j];
            move_back(p, now, to);
            divide_by_sum(to, n);
        }
        weigh_exit(p, k - 1);
    }
}

/* -- counts -- */

/* The states of a lane, by weight, on top of a row; four at a time. */
static inline void add_lane(double *restrict row, const double *restrict lane, double weight,
                            size_t n)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        double a = row[j] + weight * lane[j * 8], b = row[j + 1] + weight * lane[j * 8 + 8];
        double c = row[j + 2] + weight * lane[j * 8 + 16],
               d = row[j + 3] + weight * lane[j * 8 + 24];
        row[j] = a, row[j + 1] = b, row[j + 2] = c, row[j + 3] = d;
    }
    for (; j < n; j++) row[j] += weight * lane[j * 8];
}

/* Weighted posteriors of the symbols that were seen. */
static void count_symbols(const cairn_hmm_plan *p, const slice *s, size_t steps, double *emit)
{
    size_t n = p->n;
    for (size_t t = 0; t < steps; t++)
        for (size_t l = 0; l < 8; l++) {
            if ((double)t >= s->lengths[l]) break; /* the others are no longer */
            int32_t symbol = p->data->symbols[s->begins[l] + t];
            if (symbol < 0) continue;
            add_lane(emit + (size_t)symbol * n, s->gamma + t * n * 8 + l, s->weights[l], n);
        }
}

/* Vectors with missing numbers count with what their states expect of these, one by one; nothing
 * is left of their posteriors for the others' way. */
static void count_gaps(const cairn_hmm_plan *p, slice *s, size_t steps, const cairn_hmm_sums *sums)
{
    for (size_t at = 0; at < steps * 8; at++) {
        size_t t = at / 8, l = at % 8;
        const double *x = p->all.numbers + (s->begins[l] + t) * p->d;
        if ((double)t >= s->lengths[l] || !cairn_hmm_missing(x, p->d)) continue;
        for (size_t j = 0; j < p->n; j++) {
            double *gamma = s->gamma + (t * p->n + j) * 8 + l;
            cairn_hmm_add_vector(sums, p->model, &p->normals, j, x, s->weights[l] * *gamma,
                                 &s->filling);
            *gamma = 0;
        }
    }
}

/* Posteriors times weights, 0 behind the end of a chunk and where nothing was seen. */
static void weigh_vectors(const cairn_hmm_plan *p, slice *s, size_t steps)
{
    size_t n = p->n;
    for (size_t at = 0; at < steps * 8; at++) {
        size_t t = at / 8, l = at % 8;
        bool counts = (double)t < s->lengths[l] && !isnan(s->tops[at]);
        double weight = counts ? s->weights[l] : 0;
        if (weight == 1) continue;
        for (size_t j = 0; j < n; j++) {
            double *gamma = s->gamma + (t * n + j) * 8 + l;
            *gamma = counts ? *gamma * weight : 0;
        }
    }
}

static void add_lanes(double *to, const double *lanes, const double *weights, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t l = 0; l < 8; l++)
            sum += weights ? weights[l] * lanes[i * 8 + l] : lanes[i * 8 + l];
        to[i] += sum;
    }
}

/* Only a lane that holds the beginning of its sequence counts for the start. */
static void count_octet(const cairn_hmm_plan *p, slice *s, size_t octet, size_t steps,
                        const cairn_hmm_sums *sums)
{
    size_t n = p->n;
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        if (!c || !c->begins) continue;
        for (size_t j = 0; j < n; j++) sums->start[j] += s->weights[l] * s->gamma[j * 8 + l];
    }
    add_lanes(sums->move, s->moves, s->weights, n * n);
    if (p->data->symbols) {
        count_symbols(p, s, steps, sums->emit);
        return;
    }
    if (p->gaps) count_gaps(p, s, steps, sums);
    weigh_vectors(p, s, steps);
    memset(s->normal, 0, n * p->moments * 8 * sizeof *s->normal);
    cairn_octet_moments_add(s->normal, s->gamma, s->x, n, p->d, steps);
    add_lanes(sums->normal, s->normal, NULL, n * p->moments);
}

/* -- the pass -- */

/* What the lanes get from their neighbours. */
static void set_ends(const cairn_hmm_plan *p, slice *s, size_t octet)
{
    size_t n = p->n;
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        size_t k = c ? (size_t)(c - p->chunks) : 0;
        for (size_t j = 0; j < n; j++) {
            s->first[j * 8 + l] = c && p->long_ones ? p->enter[k * n + j] : p->model->start[j];
            s->before[j * 8 + l] = c && p->long_ones ? p->before[k * n + j] : 0;
            s->last[j * 8 + l] = c && p->long_ones ? p->exit[k * n + j] : 1;
        }
    }
}

static void keep_logs(const cairn_hmm_plan *p, const slice *s, size_t octet,
                      const cairn_octet_scale *scale)
{
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        if (!c) continue;
        double log = log_of(scale, l), tops = 0;
        for (size_t t = 0; t < c->length && !p->data->symbols; t++) {
            double top = s->tops[t * 8 + l];
            tops += isnan(top) ? 0 : top;
        }
        p->logs[c - p->chunks] = log + tops;
    }
}

static void keep_gamma(const cairn_hmm_plan *p, const slice *s, size_t octet)
{
    size_t n = p->n;
    for (size_t l = 0; l < 8; l++) {
        const chunk *c = lane_of(p, octet, l);
        for (size_t t = 0; c && t < c->length; t++)
            for (size_t j = 0; j < n; j++)
                p->wanted->gamma[(c->first + t) * n + j] = s->gamma[(t * n + j) * 8 + l];
    }
}

/* The way back is left out where only likelihoods are wanted. */
static void pass_octet(const cairn_hmm_plan *p, slice *s, size_t octet, const cairn_hmm_sums *sums)
{
    size_t n = p->n, steps = open_octet(p, s, octet, true);
    cairn_octet_scale scale;
    set_ends(p, s, octet);
    cairn_octet_forward(s->alpha, s->factors, &scale, s->first, s->b, p->model->move, s->lengths, n,
                        steps);
    keep_logs(p, s, octet, &scale);
    if (!p->wanted->sums && !p->wanted->gamma) return;
    cairn_octet_pass pass = {s->alpha,   s->factors, s->b,    p->model->move,
                             s->lengths, s->before,  s->last, s->back};
    /* beta at the end weighs alpha there to 1. */
    for (size_t j = 0; j < n * 8; j++)
        s->last[j] = scale.sum[j % 8] > 0 ? s->last[j] / scale.sum[j % 8] : 0;
    memset(s->moves, 0, n * n * 8 * sizeof *s->moves);
    cairn_octet_backward(s->gamma, p->wanted->sums ? s->moves : NULL, &pass, n, steps);
    if (p->wanted->gamma) keep_gamma(p, s, octet);
    if (p->wanted->sums) count_octet(p, s, octet, steps, sums);
}

static void pass_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    cairn_hmm_plan *p = data;
    double *numbers = p->partial + block * p->sums_size;
    cairn_hmm_sums sums = cairn_hmm_sums_at(p->model, numbers);
    sums.shift = p->shift;
    memset(numbers, 0, p->sums_size * sizeof *numbers);
    for (size_t octet = begin; octet < end; octet++)
        pass_octet(p, &p->slices[worker], octet, &sums);
}

/* Blocks are added in order; moves still lack their factors. */
static void join_sums(const cairn_hmm_plan *p, cairn_hmm_sums *out)
{
    memset(out->start, 0, p->sums_size * sizeof *out->start);
    for (size_t k = 0; k < p->n_blocks; k++)
        for (size_t i = 0; i < p->sums_size; i++) out->start[i] += p->partial[k * p->sums_size + i];
    for (size_t i = 0; i < p->n * p->n; i++) out->move[i] *= p->model->move[i];
    out->shift = p->shift;
}

static cairn_status link_chunks(cairn_context *ctx, cairn_hmm_plan *p)
{
    double *buffer;
    if (!p->long_ones) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &buffer, 2 * p->n));
    if (p->transfer) {
        CHECK(cairn_blocks(ctx, p->n_octets, p->per_block, transfer_block, p));
        set_boundaries(p, buffer);
    } else {
        walk_boundaries(p, buffer);
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_expect(cairn_context *ctx, const cairn_hmm_wanted *out, cairn_hmm_plan *p,
                              const cairn_hmm *m, const cairn_hmm_data *data)
{
    SCOPED_SCRATCH(ctx);
    p->data = data;
    p->all = (cairn_hmm_seen){data->begins[data->n], data->symbols,
                              data->symbols ? NULL : data->numbers};
    p->wanted = out;
    /* The model as the passes want it. */
    size_t n = p->n;
    p->model = m;
    for (size_t k = 0; k < p->n_symbols; k++)
        for (size_t j = 0; j < n; j++) p->emit[k * n + j] = m->emit[j * p->n_symbols + k];
    for (size_t j = 0; j < n; j++) p->emit[p->n_symbols * n + j] = 1;
    for (size_t i = 0; i < n * p->d; i++) p->means[i] = m->mean[i] - p->shift[i % p->d];
    CHECK(cairn_hmm_normals_make(ctx, &p->normals, m));
    CHECK(link_chunks(ctx, p));
    CHECK(cairn_blocks(ctx, p->n_octets, p->per_block, pass_block, p));
    for (size_t i = 0; i < data->n && out->logs; i++) out->logs[i] = 0;
    for (size_t k = 0; k < p->n_chunks && out->logs; k++)
        out->logs[p->chunks[k].sequence] += p->logs[k];
    if (out->sums) join_sums(p, out->sums);
    return CAIRN_OK;
}

/* Most probable paths: one pass forward in logarithms, which keeps for every state the one
 * before on the best path to it, and now and then some steps back, to where the paths to all
 * states meet. States are padded to a multiple of eight with ones that nothing leads to. */

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
    /* delta of the first step. */
    for (size_t j = 0; j < x->width; j++) {
        bool real = j < x->m->n_states;
        delta[j] = real ? x->start[j] + step_log(x, seen, 0, j, &filling) : -INFINITY;
    }
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
    /* The rest of the path from its last state, the first of the best. */
    size_t best = 0;
    for (size_t j = 1; j < x->m->n_states; j++)
        if (delta[j] > delta[best] + 1e-12) best = j;
    if (delta[best] > -INFINITY)
        follow(&s, x->width, s.n, best, states);
    else
        for (size_t t = 0; t < n; t++) states[t] = -1;
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

/* The proof of what Baum and Welch learned: the log-likelihood of all sequences once more, by the
 * forward recursion as on the board, a step at a time, with densities of its own. One pass, at
 * about the cost of an E step; sequences side by side. */

enum { BLOCK = 16 }; /* sequences */

typedef struct proof_buffer {
    double *alpha, *next; /* n_states */
    double *y;            /* n_numbers */
    cairn_plain_normal part;
} proof_buffer;

typedef struct proving {
    const cairn_hmm *m;
    const cairn_hmm_data *data;
    cairn_plain_normal *laws; /* n_states */
    proof_buffer *buffers;    /* of the workers */
    cairn_em_again *found;    /* of the sequences */
} proving;

/* ln b_i of a step. */
static double emission(const proving *p, proof_buffer *to, size_t i, size_t step)
{
    const cairn_hmm *m = p->m;
    if (m->n_numbers) {
        /* ln of what state i gives to the vector x. */
        const double *x = p->data->numbers + step * m->n_numbers;
        size_t d = p->m->n_numbers;
        cairn_plain_normal law = p->laws[i];
        bool gaps = false;
        for (size_t j = 0; j < d; j++) gaps |= isnan(x[j]);
        if (gaps) {
            cairn_plain_normal_set(&to->part, p->m->covariance + i * d * d, x);
            law = to->part;
        }
        law.y = to->y;
        return cairn_plain_normal_log(&law, x, p->m->mean + i * d);
    }
    int32_t symbol = p->data->symbols[step];
    return symbol < 0 ? 0 : cairn_log(m->emit[i * m->n_symbols + (size_t)symbol]);
}

/* Shares of the states behind each step, and the logarithms of what they are shares of. */
static cairn_em_again recall(const proving *p, proof_buffer *to, size_t sequence)
{
    const cairn_hmm *m = p->m;
    cairn_em_again sum = {0};
    size_t n = m->n_states, begin = p->data->begins[sequence], end = p->data->begins[sequence + 1];
    for (size_t t = begin; t < end; t++) {
        memcpy(to->next, m->start, n * sizeof *to->next);
        if (t > begin) memset(to->next, 0, n * sizeof *to->next);
        for (size_t i = 0; i < n && t > begin; i++)
            for (size_t j = 0; j < n; j++) to->next[j] += to->alpha[i] * m->move[i * n + j];
        for (size_t i = 0; i < n; i++)
            to->alpha[i] = cairn_log(to->next[i]) + emission(p, to, i, t);
        double log = cairn_plain_shares(to->alpha, n);
        sum.log_likelihood += log;
        sum.size += 1 + fabs(log);
    }
    return sum;
}

static void recall_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    (void)block;
    for (size_t i = begin; i < end; i++) p->found[i] = recall(p, p->buffers + worker, i);
}

static cairn_status make_buffer(cairn_context *ctx, proving *p)
{
    size_t n = p->m->n_states, d = p->m->n_numbers, workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &p->found, p->data->n + 1));
    CHECK(SCRATCH(ctx, &p->laws, n));
    for (size_t i = 0; i < n && d; i++) {
        CHECK(cairn_plain_normal_make(ctx, p->laws + i, d, false));
        cairn_plain_normal_set(p->laws + i, p->m->covariance + i * d * d, NULL);
    }
    CHECK(SCRATCH(ctx, &p->buffers, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(SCRATCH_EACH(ctx, n, &p->buffers[i].alpha, &p->buffers[i].next));
        CHECK(SCRATCH(ctx, &p->buffers[i].y, d + 1));
        if (d) CHECK(cairn_plain_normal_make(ctx, &p->buffers[i].part, d, false));
    }
    return CAIRN_OK;
}

/* Pseudo-counts are a prior, whose logarithm belongs to what rises. */
static void add_prior(cairn_em_again *sum, const cairn_hmm *m, double smooth)
{
    if (!(smooth > 0)) return;
    for (size_t i = 0; i < m->n_states; i++) {
        double log = 0;
        for (size_t j = 0; j < m->n_states; j++) log += cairn_log(m->move[i * m->n_states + j]);
        for (size_t j = 0; j < m->n_symbols; j++) log += cairn_log(m->emit[i * m->n_symbols + j]);
        sum->log_likelihood += smooth * log;
        sum->size += smooth * fabs(log);
    }
}

cairn_status cairn_hmm_again(cairn_context *ctx, cairn_em_again *out, const cairn_hmm *m,
                             const cairn_hmm_data *data, double smooth)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.m = m, .data = data};
    double cells = (double)(m->n_states + m->n_numbers);
    CHECK(make_buffer(ctx, &p));
    *out = (cairn_em_again){
        0, 0, cairn_plain_normal_rounding(p.laws, m->mean, m->n_numbers ? m->n_states : 0)};
    add_prior(out, m, smooth);
    CHECK(cairn_blocks_sized(ctx, data->n, BLOCK,
                             (double)data->begins[data->n] * cells * (double)m->n_states,
                             recall_block, &p));
    for (size_t i = 0; i < data->n; i++) {
        double weight = data->weights ? data->weights[i] : 1;
        if (!(weight > 0)) continue;
        out->log_likelihood += weight * p.found[i].log_likelihood;
        out->size += weight * p.found[i].size;
    }
    return CAIRN_OK;
}
