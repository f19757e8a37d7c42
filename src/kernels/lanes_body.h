/* SPDX-License-Identifier: MIT */
/* Sparse rows against eight vectors at one level. Two running sums, of entries in turn, hide the
 * latency of the addition. */

#define AHEAD 24 /* entries, an even number */

KERNEL void NAMED(put_eight)(double *to, eight e)
{
    EACH_PART(p) STORE(to + p * LANES, e.part[p]);
}

static TARGET void NAMED(lanes_dot)(double *restrict out, const int32_t *restrict items,
                                    const double *restrict values, size_t n,
                                    const double *restrict w)
{
    eight even = eight_of(0), odd = even;
    size_t e = 0;
    for (; e + 2 <= n; e += 2) {
        size_t ahead = e + AHEAD + 1 < n ? e + AHEAD : n - 2; /* weights are far away */
        __builtin_prefetch(w + (size_t)items[ahead] * 8);
        __builtin_prefetch(w + (size_t)items[ahead + 1] * 8);
        even = eight_multiply_add(eight_of(values[e]), eight_at(w + (size_t)items[e] * 8), even);
        odd = eight_multiply_add(eight_of(values[e + 1]), eight_at(w + (size_t)items[e + 1] * 8),
                                 odd);
    }
    if (e < n)
        even = eight_multiply_add(eight_of(values[e]), eight_at(w + (size_t)items[e] * 8), even);
    NAMED(put_eight)(out, eight_add(even, odd));
}

static TARGET void NAMED(lanes_add)(double *restrict w, const int32_t *restrict items,
                                    const double *restrict values, size_t n,
                                    const double *restrict by)
{
    eight factor = eight_at(by);
    for (size_t e = 0; e < n; e++) {
        double *to = w + (size_t)items[e] * 8;
        NAMED(put_eight)(to, eight_multiply_add(eight_of(values[e]), factor, eight_at(to)));
    }
}

#undef AHEAD
