/* SPDX-License-Identifier: MIT */
/* Sparse matrices times dense ones, for few columns on the dense side (classes). */
#include "kernels/kernels.h"
#include <stdbool.h>

#define KERNEL_BODY "kernels/sparse_body.h"
#include "kernels/each_level.h"

void cairn_sparse_times(double *out, size_t stride, const cairn_sparse *s, const double *w)
{
    if (stride != 1) {
        CHOOSE(sparse_times)(out, stride, s, w);
        return;
    }
    for (size_t i = 0; i < s->n_items; i++) {
        double factor = w[s->items[i]];
        for (size_t e = s->starts[i]; e < s->starts[i + 1]; e++)
            out[s->rows[e]] += s->values[e] * factor;
    }
}

void cairn_sparse_transposed(double *out, size_t stride, const cairn_sparse *s, const double *r)
{
    if (stride != 1) {
        CHOOSE(sparse_transposed)(out, stride, s, r);
        return;
    }
    for (size_t i = 0; i < s->n_items; i++) {
        double even = 0, odd = 0;
        size_t e = s->starts[i], end = s->starts[i + 1];
        for (; e + 2 <= end; e += 2) {
            even += s->values[e] * r[s->rows[e]];
            odd += s->values[e + 1] * r[s->rows[e + 1]];
        }
        if (e < end) even += s->values[e] * r[s->rows[e]];
        out[s->items[i]] += even + odd;
    }
}
