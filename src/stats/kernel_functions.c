/* SPDX-License-Identifier: MIT */
/* Kernel functions. Texts write the width of the Gaussian kernel and the constants of the others in
 * several ways; here all are parameters of one record per kernel. */
#include "stats/kernel_functions.h"
#include "kernels/kernels.h"
#include "base/functions.h"
#include <math.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

static double linear_value(const void *params, double product)
{
    (void)params;
    return product;
}

/* -- polynomial -- */

typedef struct poly_params {
    int degree;
    double scale, offset;
} poly_params;

static const cairn_param poly_table[] = {
    CAIRN_PARAM(poly_params, degree, "2", "[1,100]", "power"),
    CAIRN_PARAM(poly_params, scale, "1", "(0,inf)", "factor of the inner product"),
    CAIRN_PARAM(poly_params, offset, "0", NULL, "what is added to it"),
    CAIRN_PARAM_END,
};

static double poly_value(const void *params, double product)
{
    const poly_params *p = params;
    double base = p->scale * product + p->offset, value = 1;
    for (int i = 0; i < p->degree; i++) value *= base;
    return value;
}

/* -- Gaussian -- */

typedef struct rbf_params {
    double gamma, sigma, variance;
} rbf_params;

static const cairn_param rbf_table[] = {
    CAIRN_PARAM(rbf_params, gamma, CAIRN_NOT_GIVEN, "(0,inf)",
                "k = exp(-gamma d^2); 1 if no width is given"),
    CAIRN_PARAM(rbf_params, sigma, CAIRN_NOT_GIVEN, "(0,inf)", "k = exp(-d^2 / (2 sigma^2))"),
    CAIRN_PARAM(rbf_params, variance, CAIRN_NOT_GIVEN, "(0,inf)", "k = exp(-d^2 / (2 variance))"),
    CAIRN_PARAM_END,
};

static cairn_status rbf_check(cairn_context *ctx, const void *values)
{
    const rbf_params *p = values;
    int given = !isnan(p->gamma) + !isnan(p->sigma) + !isnan(p->variance);
    if (given <= 1) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "gamma, sigma and variance are three ways to say one width; give one");
}

static double rbf_value(const void *params, double square)
{
    const rbf_params *p = params;
    double gamma = !isnan(p->gamma)      ? p->gamma
                   : !isnan(p->sigma)    ? 0.5 / (p->sigma * p->sigma)
                   : !isnan(p->variance) ? 0.5 / p->variance
                                         : 1;
    return cairn_exp(-gamma * square);
}

/* -- Laplacian -- */

typedef struct laplace_params {
    double sigma;
} laplace_params;

static const cairn_param laplace_table[] = {
    CAIRN_PARAM(laplace_params, sigma, "1", "(0,inf)", "k = exp(-d / sigma)"),
    CAIRN_PARAM_END,
};

static double laplace_value(const void *params, double square)
{
    const laplace_params *p = params;
    return cairn_exp(-sqrt(square) / p->sigma);
}

/* -- sigmoid -- */

typedef struct sigmoid_params {
    double scale, offset;
} sigmoid_params;

static const cairn_param sigmoid_table[] = {
    CAIRN_PARAM(sigmoid_params, scale, "1", NULL, "factor of the inner product"),
    CAIRN_PARAM(sigmoid_params, offset, "0", NULL, "what is added to it"),
    CAIRN_PARAM_END,
};

static double sigmoid_value(const void *params, double product)
{
    const sigmoid_params *p = params;
    return cairn_tanh(p->scale * product + p->offset);
}

/* -- use -- */

cairn_status cairn_kernel_open(cairn_context *ctx, cairn_kernel_use *out, const char *option,
                               const char *spec)
{
    cairn_status status;
    cairn_params *params = NULL;
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_KERNEL, spec));
    TRY(cairn_params_check(ctx, params));
    *out = (cairn_kernel_use){(const cairn_kernel *)params->entry, params};
    return CAIRN_OK;
done:
    cairn_params_free(params);
    cairn_message_prefix(ctx, "%s", option);
    return status;
}

void cairn_kernel_close(cairn_kernel_use *use)
{
    cairn_params_free(use->params);
    *use = (cairn_kernel_use){0};
}

double cairn_kernel_value(const cairn_kernel_use *use, const double *a, const double *b, size_t n)
{
    double together =
        use->kernel->of_distance ? cairn_squared_distance(a, b, n) : cairn_dot(a, b, n);
    return use->kernel->value(use->params->values, together);
}

/* -- windows -- */

const cairn_choice cairn_windows[] = {
    {"gaussian", CAIRN_WINDOW_GAUSSIAN, "exp(-u²/2)"},
    {"epanechnikov", CAIRN_WINDOW_EPANECHNIKOV, "1 - u² within the width"},
    {"tricube", CAIRN_WINDOW_TRICUBE, "(1 - u³)³ within the width"},
    {"triangle", CAIRN_WINDOW_TRIANGLE, "1 - u within the width"},
    {0},
};

double cairn_window_weight(cairn_window window, double u)
{
    double rest = 1 - u * u * u;
    if (window == CAIRN_WINDOW_GAUSSIAN) return cairn_exp(-0.5 * u * u);
    if (!(u < 1)) return 0;
    switch (window) {
    case CAIRN_WINDOW_EPANECHNIKOV: return 1 - u * u;
    case CAIRN_WINDOW_TRICUBE: return rest * rest * rest;
    default: return 1 - u;
    }
}

/* -- records -- */

const cairn_kernel cairn_kernel_laplace = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "laplace",
              .also = "Laplacian kernel, exponential kernel",
              .title = "Laplacian kernel",
              .summary = "exp(-d / sigma) of the Euclidean distance d: falls faster near 0 than "
                         "the Gaussian kernel and slower far away.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:laplace:sigma=2",
              .params = laplace_table,
              .params_size = sizeof(laplace_params)},
    .of_distance = true,
    .value = laplace_value,
};

const cairn_kernel cairn_kernel_linear = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "linear",
              .also = "dot product, inner product",
              .title = "Inner product",
              .summary = "The inner product x.y itself; a kernel method with it is the plain one.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:linear",
              .params = no_params},
    .value = linear_value,
};

const cairn_kernel cairn_kernel_poly = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "poly",
              .also = "polynomial kernel",
              .title = "Polynomial kernel",
              .summary = "(scale x.y + offset)^degree: the inner product of all products of up to "
                         "so many columns (of exactly so many with offset 0).",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:poly:degree=2,offset=1",
              .params = poly_table,
              .params_size = sizeof(poly_params)},
    .value = poly_value,
};

const cairn_kernel cairn_kernel_rbf = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "rbf",
              .also = "Gaussian kernel, radial basis function, squared exponential",
              .title = "Gaussian kernel",
              .summary = "exp(-gamma d^2) of the Euclidean distance d; the width may be given as "
                         "gamma, as sigma (2 sigma^2 below) or as a variance (2 variance below).",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:rbf:gamma=0.5",
              .params = rbf_table,
              .params_size = sizeof(rbf_params),
              .check = rbf_check},
    .of_distance = true,
    .value = rbf_value,
};

const cairn_kernel cairn_kernel_sigmoid = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "sigmoid",
              .also = "tanh kernel, hyperbolic tangent kernel",
              .title = "Sigmoid kernel",
              .summary = "tanh(scale x.y + offset). Not an inner product for all constants: its "
                         "matrix may have negative eigenvalues.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:sigmoid:scale=0.01",
              .params = sigmoid_table,
              .params_size = sizeof(sigmoid_params)},
    .may_be_negative = true,
    .value = sigmoid_value,
};
