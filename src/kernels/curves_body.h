/* SPDX-License-Identifier: MIT */
/* Functions of many numbers at one level for one type; included by curves_levels.h. */
#include "kernels/real_vectors.h"

#include "kernels/exp_body.h"
#include "kernels/log_body.h"
#include "kernels/tanh_body.h"

/* The last numbers go through a whole vector: rounding must not depend on a number's place. */
#define EACH(name, of)                                                                             \
    static TARGET void NAMED(name)(REAL * out, const REAL *x, size_t n)                            \
    {                                                                                              \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES) STORE(out + i, NAMED(of)(LOAD(x + i)));                 \
        if (i == n) return;                                                                        \
        REAL rest[LANES] = {0};                                                                    \
        for (size_t l = 0; i + l < n; l++) rest[l] = x[i + l];                                     \
        STORE(rest, NAMED(of)(LOAD(rest)));                                                        \
        for (size_t l = 0; i + l < n; l++) out[i + l] = rest[l];                                   \
    }
EACH(exp_each, exp_vec)
EACH(log_each, log_vec)
EACH(tanh_each, tanh_vec)
#undef EACH

static const curves NAMED(curves) = {NAMED(exp_each), NAMED(log_each), NAMED(tanh_each)};

#undef FUSE
#undef SPLAT
#undef STORE
#undef LOAD
#undef uwords
#undef words
#undef vec
#undef KERNEL
