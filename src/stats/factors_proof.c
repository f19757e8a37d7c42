/* SPDX-License-Identifier: MIT */
/* The proof of factors: cell by cell, at about the cost of a round. */
#include "stats/factors.h"

#include "base/memory.h"

#include <math.h>

/* off (n x m) = what the product lacks of R. */
static void find_off(const cairn_factors *f, const double *r, double *off)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->m; j++) {
            double sum = 0;
            for (size_t k = 0; k < f->g; k++)
                sum += f->left[i * f->g + k] * f->weights[k] * f->right[k * f->m + j];
            off[i * f->m + j] = r[i * f->m + j] - sum;
        }
}

/* R v = s u of every part, as a part of the largest s. */
static double singular_left(const cairn_factors *f, const double *r)
{
    double most = 0, largest = 0;
    for (size_t k = 0; k < f->g; k++) {
        largest = fmax(largest, f->weights[k]);
        for (size_t i = 0; i < f->n; i++) {
            double sum = -f->weights[k] * f->left[i * f->g + k];
            for (size_t j = 0; j < f->m; j++) sum += r[i * f->m + j] * f->right[k * f->m + j];
            most = fmax(most, fabs(sum));
        }
    }
    return most > 0 ? most / largest : 0;
}

/* A number of the left factor that is 0 may only be pushed down, another not at all. */
static double conditions_left(const cairn_factors *f, const double *r, const double *off)
{
    double most = 0;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->g; k++) {
            double push = 0, size = 0;
            for (size_t j = 0; j < f->m; j++) {
                double x = f->right[k * f->m + j];
                push += off[i * f->m + j] * x;
                size += r[i * f->m + j] * x;
            }
            if (!(f->left[i * f->g + k] > 0)) push = fmax(push, 0);
            if (size > 0) most = fmax(most, fabs(push) / size);
        }
    return most;
}

cairn_status cairn_factors_prove(cairn_context *ctx, cairn_certificate *out, const cairn_factors *f,
                                 const double *r)
{
    SCOPED_SCRATCH(ctx);
    double *off, error = 0;
    CHECK(SCRATCH_RAW(ctx, &off, cairn_product(f->n, f->m)));
    find_off(f, r, off);
    for (size_t i = 0; i < f->n * f->m; i++) error += off[i] * off[i];
    double apart = fmax(f->rise, fabs(error - f->error));
    cairn_certify(out, CAIRN_PROOF_FALL, apart > 0 ? apart / f->total : 0, 1e-9);
    if (f->kind == CAIRN_FACTORS_SVD)
        cairn_certify(out, CAIRN_PROOF_RESIDUAL, singular_left(f, r), 1e-10);
    if (f->kind == CAIRN_FACTORS_NONNEGATIVE)
        cairn_certify(out, CAIRN_PROOF_CONDITIONS, conditions_left(f, r, off), INFINITY);
    return CAIRN_OK;
}
