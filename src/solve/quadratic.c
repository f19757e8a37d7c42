/* SPDX-License-Identifier: MIT */
/* Quadratic functions as objectives. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "solve/objective.h"
#include <string.h>

static cairn_status look(cairn_context *ctx, void *data, const double *x, double *value,
                         double *gradient, double *hessian)
{
    const cairn_quadratic *q = data;
    size_t n = q->n;
    double sum = q->value;
    (void)ctx;
    if (hessian) memcpy(hessian, q->hessian, n * n * sizeof *hessian);
    for (size_t j = 0; j < n; j++) {
        double ridge = q->ridges ? q->ridges[j] : 0;
        double slope = cairn_dot(q->hessian + j * n, x, n) + ridge * x[j];
        sum += x[j] * (q->gradient[j] + slope / 2);
        if (gradient) gradient[j] = q->gradient[j] + slope;
        if (hessian) hessian[j * (n + 1)] += ridge;
    }
    *value = sum;
    return CAIRN_OK;
}

cairn_objective cairn_quadratic_objective(const cairn_quadratic *quadratic)
{
    return (cairn_objective){.n = quadratic->n, .data = (void *)quadratic, .look = look};
}

cairn_status cairn_quadratic_of(cairn_context *ctx, cairn_quadratic *out,
                                const cairn_objective *objective)
{
    size_t n = objective->n;
    double *zeros, *gradient, *hessian, value;
    CHECK(SCRATCH_EACH(ctx, n + 1, &zeros, &gradient));
    CHECK(SCRATCH(ctx, &hessian, cairn_product(n, n) + 1));
    CHECK(objective->look(ctx, objective->data, zeros, &value, gradient, hessian));
    *out = (cairn_quadratic){n, value, gradient, hessian, NULL};
    return CAIRN_OK;
}
