/* SPDX-License-Identifier: MIT */
/* Kernel functions k(x, y): inner products in another space, as records. Each is a function of one
 * number that two rows have together, their inner product or their squared distance, so that a
 * whole matrix of them comes from a matrix of products. */
#ifndef CAIRN_STATS_KERNEL_FUNCTIONS_H
#define CAIRN_STATS_KERNEL_FUNCTIONS_H

#include "base/archive.h"
#include "entry/entry.h"

typedef struct cairn_kernel {
    cairn_entry entry;    /* kind CAIRN_ENTRY_KERNEL */
    bool of_distance;     /* of |x - y|^2; otherwise of x.y */
    bool may_be_negative; /* its Gram matrix may have negative eigenvalues */
    double (*value)(const void *params, double together);
} cairn_kernel;

/* A kernel with its parameters. */
typedef struct cairn_kernel_use {
    const cairn_kernel *kernel;
    cairn_params *params;
} cairn_kernel_use;

/* From a spec such as "poly:degree=3,offset=1"; `option` begins the message of a failure. */
CAIRN_CHECKED cairn_status cairn_kernel_open(cairn_context *ctx, cairn_kernel_use *out,
                                             const char *option, const char *spec);
void cairn_kernel_close(cairn_kernel_use *use);

/* k(a, b) of two rows of n numbers. */
double cairn_kernel_value(const cairn_kernel_use *use, const double *a, const double *b, size_t n);

/* -- windows: how the weight of a point falls with its distance u, in widths -- */

typedef enum cairn_window {
    CAIRN_WINDOW_GAUSSIAN,     /* exp(-u^2 / 2) */
    CAIRN_WINDOW_EPANECHNIKOV, /* 1 - u^2 within 1 */
    CAIRN_WINDOW_TRICUBE,      /* (1 - u^3)^3 within 1 */
    CAIRN_WINDOW_TRIANGLE      /* 1 - u within 1 */
} cairn_window;

extern const cairn_choice cairn_windows[];
double cairn_window_weight(cairn_window window, double u);

#endif
