/* SPDX-License-Identifier: MIT */
/* The proof of k-means: where the rounds end, every row is in the cluster of its nearest centre (no
 * swap of its cluster gains anything) and every centre is the mean of its rows (the normal
 * equations Σ w (x − c) = 0; on the sphere, c has the direction of Σ w x).
 *
 * One pass over the rows with a search of its own; with very many rows and clusters every
 * so-many-th
 * row is searched, the means are always those of all rows. Rows that were taken one by one or in
 * batches promise neither: then it is told and not judged. */
#include "base/memory.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <string.h>

static const double MOST_WORK = 4e8; /* of the search: rows x clusters x columns */

enum { GAIN, COST, CLUSTERS }; /* sums: two, then of each cluster its weight and pulls by column */

typedef struct proving {
    const cairn_kmeans_run *run;
    size_t every; /* so-many-th row is searched */
} proving;

static double *of_cluster(double *sums, size_t d, size_t c)
{
    return sums + CLUSTERS + c * (1 + 2 * d);
}

/* What row x of weight w pulls at its centre by. */
static void add_pull(const proving *p, double *sums, const double *x, double w, size_t c)
{
    size_t d = p->run->data->d;
    const double *centre = p->run->centres + c * d;
    double *of = of_cluster(sums, d, c);
    of[0] += w;
    for (size_t j = 0; j < d; j++) {
        double off = w * (x[j] - centre[j]);
        of[1 + 2 * j] += off;
        of[2 + 2 * j] += fabs(off);
    }
}

static double square_to(const proving *p, const double *x, size_t c)
{
    size_t d = p->run->data->d;
    const double *centre = p->run->centres + c * d;
    double sum = 0;
    for (size_t j = 0; j < d; j++) sum += (x[j] - centre[j]) * (x[j] - centre[j]);
    return sum;
}

static void prove_piece(void *data, const cairn_piece *piece, double *sums)
{
    const proving *p = data;
    size_t d = p->run->data->d;
    for (size_t i = 0; i < piece->n; i++) {
        double w = piece->weights ? piece->weights[i] : 1, own, least;
        size_t c = (size_t)p->run->assign[piece->first + i];
        const double *x = piece->z + i * d;
        if (!(w > 0)) continue;
        add_pull(p, sums, x, w, c);
        own = least = square_to(p, x, c);
        sums[COST] += w * own;
        for (size_t e = 0; e < p->run->k && (piece->first + i) % p->every == 0; e++)
            least = fmin(least, square_to(p, x, e));
        sums[GAIN] += w * (own - least);
    }
}

/* What is left of the equations of a centre, as a part of what pulls at it; numbers of the size of
 * the centre have digits enough for a part in 1e14 of it. */
static double pull_left(const cairn_kmeans_run *run, double *sums, size_t c)
{
    size_t d = run->data->d;
    const double *of = of_cluster(sums, d, c), *centre = run->centres + c * d;
    double along = 0, most = 0, length = 0, weight = of[0], size = 0;
    for (size_t j = 0; j < d; j++) {
        along += (of[1 + 2 * j] + weight * centre[j]) * centre[j];
        length += centre[j] * centre[j];
        size += fabs(centre[j]);
    }
    for (size_t j = 0; j < d; j++) {
        double left = of[1 + 2 * j], apart = of[2 + 2 * j] + 1e-6 * weight * fabs(centre[j]);
        if (run->data->spherical && length > 0) {
            left += weight * centre[j] - along * centre[j];
            apart += 1e-6 * weight * size;
        }
        if (apart > 0) most = fmax(most, fabs(left) / apart);
    }
    return most;
}

cairn_status cairn_kmeans_prove(cairn_context *ctx, cairn_certificate *out,
                                const cairn_kmeans_run *run, const cairn_kmeans_params *params,
                                bool converged)
{
    SCOPED_SCRATCH(ctx);
    const cairn_kmeans_data *data = run->data;
    proving p = {.run = run};
    cairn_row_sum sum = {
        .size = CLUSTERS + run->k * (1 + 2 * data->d), .piece = prove_piece, .data = &p};
    bool rounds = params->exact || params->protocol == CAIRN_PROTOCOL_BATCH;
    double *sums, work = (double)data->n * (double)run->k * (double)data->d, left = 0;
    if (!out) return CAIRN_OK;
    p.every = 1 + (size_t)(work / MOST_WORK);
    CHECK(SCRATCH(ctx, &sums, sum.size));
    CHECK(cairn_matrix_sum(ctx, &data->x, &sum, sums));
    for (size_t c = 0; c < run->k; c++)
        if (of_cluster(sums, data->d, c)[0] > 0) left = fmax(left, pull_left(run, sums, c));
    double gain = sums[GAIN] > 0 ? sums[GAIN] / sums[COST] : 0;
    cairn_certify(out, CAIRN_PROOF_SWAP, gain, 1e-9);
    cairn_certify(out, CAIRN_PROOF_RESIDUAL, left,
                  rounds && (params->exact || !(params->tolerance > 0)) ? 1e-8 : INFINITY);
    out->limited |= rounds && !converged;
    out->remedy = "raise {max-iter}";
    return CAIRN_OK;
}
