/* SPDX-License-Identifier: MIT */
/* Layers of neurons whose weights lie in strips, for training in single precision: the nodes of a
 * strip side by side, input after input, so that neither a forward pass nor a sum of slopes has to
 * turn or copy them, and whoever works on a strip works on memory of its own. Rows of inputs are
 * read where they lie, each by a pointer.
 *
 * The numbers are those of products.h, by the rule that is written there: a strip is another place
 * for the operands of a product, not another sum. */
#ifndef CAIRN_KERNELS_STRIPS_H
#define CAIRN_KERNELS_STRIPS_H

#include <stddef.h>

enum { CAIRN_STRIP_NARROW = 16, CAIRN_STRIP_WIDE = 32 };

typedef struct cairn_strip {
    size_t width; /* nodes that it has room for, narrow or wide: weights[input * width + node] */
    size_t n;     /* nodes that there are, at most so many */
    size_t n_in;
} cairn_strip;

/* nets[i * step + node] += Σ weights[input * width + node] x[i][input] for m rows. */
void cairn_strip_nets(const cairn_strip *strip, const float *weights, const float *const *x,
                      size_t m, float *nets, size_t step);

/* slopes[(input - from) * width + node] = Σ deltas[i * width + node] x[i][input] over m rows, for
 * the inputs [from, to). Nodes that there are not have no slope. */
void cairn_strip_slopes(const cairn_strip *strip, const float *const *x, size_t m, size_t from,
                        size_t to, const float *deltas, float *slopes);

#endif
