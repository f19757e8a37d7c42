/* SPDX-License-Identifier: MIT */
/* Eight sequences side by side at one level. Lanes never meet, so that the bits are those of one
 * sequence alone. */

KERNEL void NAMED(put)(double *to, eight e)
{
    EACH_PART(p) STORE(to + p * LANES, e.part[p]);
}

KERNEL eight NAMED(times)(eight a, eight b)
{
    EACH_PART(p) a.part[p] *= b.part[p];
    return a;
}

/* In every lane: a < b ? x : y */
KERNEL eight NAMED(eight_where_less)(eight a, eight b, eight x, eight y)
{
    EACH_PART(p) x.part[p] = where_less(a.part[p], b.part[p], x.part[p], y.part[p]);
    return x;
}

/* The power of 2 that brings a sum to [1, 2), and -1 times its exponent. */
KERNEL vec NAMED(even_out)(vec sum, words *exponent)
{
    words bits = (words)sum & 0x7ff0000000000000;
    *exponent = (bits >> 52) - 1023;
    return (vec)(0x7fe0000000000000 - bits);
}

/* Whether a lane ends with this step. */
KERNEL bool NAMED(any_last)(eight now, eight ends)
{
    eight last = eight_subtract(ends, now);
    double lanes[8];
    bool any = false;
    NAMED(put)(lanes, last);
    for (int l = 0; l < 8; l++) any = any || lanes[l] == 1;
    return any;
}

/* sum_i from[i] move[i][j], or sum_j move[j][i] from[i] with the strides exchanged */
KERNEL eight NAMED(weigh)(const double *from, const double *move, size_t stride, size_t n)
{
    eight sum = eight_of(0);
    for (size_t i = 0; i < n; i++)
        sum = eight_multiply_add(eight_of(move[i * stride]), eight_at(from + 8 * i), sum);
    return sum;
}

/* One step of one chain: `factor` is what the sum before asks for, so that nobody waits for the sum
 * of this step. Returns that. */
KERNEL eight NAMED(step)(double *restrict to, const double *restrict from, const double *restrict b,
                         const double *restrict move, size_t n, eight factor)
{
    eight sum = eight_of(0);
    for (size_t j = 0; j < n; j++) {
        eight x = NAMED(weigh)(from, move + j, n, n);
        x = NAMED(times)(x, NAMED(times)(eight_at(b + j * 8), factor));
        NAMED(put)(to + 8 * j, x);
        sum = eight_add(sum, x);
    }
    return sum;
}

/* Sum and exponents of lanes that have not ended. */
KERNEL void NAMED(note)(cairn_octet_scale *scale, eight sum, const words *exponent, eight ends,
                        size_t t)
{
    vec now = splat((double)t);
    EACH_PART(p)
    {
        int64_t *total = scale->exponent + p * LANES; /* which has no alignment of a vector */
        words live = now < ends.part[p];
        double *last = scale->sum + p * LANES;
        words before;
        memcpy(&before, total, sizeof before);
        before += exponent[p] & live;
        memcpy(total, &before, sizeof before);
        STORE(last, where_less(now, ends.part[p], sum.part[p], LOAD(last)));
    }
}

static TARGET void NAMED(octet_forward)(double *restrict alpha, double *restrict factors,
                                        cairn_octet_scale *scale, const double *restrict first,
                                        const double *restrict b, const double *restrict move,
                                        const double *restrict lengths, size_t n, size_t steps)
{
    eight sum = eight_of(0), factor = eight_of(1), ends = eight_at(lengths);
    words exponent[PARTS] = {0};
    memset(scale, 0, sizeof *scale);
    for (size_t t = 0; t < steps; t++) {
        double *to = alpha + t * n * 8;
        NAMED(put)(factors + 8 * t, factor);
        if (t) {
            sum = NAMED(step)(to, to - n * 8, b + t * n * 8, move, n, factor);
        } else {
            for (size_t j = 0; j < n; j++) {
                eight x = NAMED(times)(eight_at(first + 8 * j), eight_at(b + 8 * j));
                NAMED(put)(to + 8 * j, x);
                sum = eight_add(sum, x);
            }
        }
        NAMED(note)(scale, sum, exponent, ends, t);
        EACH_PART(p) factor.part[p] = NAMED(even_out)(sum.part[p], &exponent[p]);
    }
}

/* The rows take each step together: chains that do not wait for each other. */
static TARGET void NAMED(octet_transfer)(double *restrict rows, cairn_octet_scale *scales,
                                         const double *restrict b, const double *restrict move,
                                         const double *restrict lengths, size_t n, size_t steps,
                                         double *restrict buffer)
{
    eight ends = eight_at(lengths);
    double *from = buffer, *to = buffer + n * n * 8;
    memset(scales, 0, n * sizeof *scales);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            eight x = i == j ? eight_at(b + 8 * j) : eight_of(0);
            NAMED(put)(from + (i * n + j) * 8, x);
            NAMED(put)(rows + (i * n + j) * 8, x);
            if (i == j) NAMED(put)(scales[i].sum, x);
        }
    for (size_t t = 1; t < steps; t++) {
        for (size_t i = 0; i < n; i++) {
            words exponent[PARTS];
            eight factor = eight_at(scales[i].sum), sum;
            EACH_PART(p) factor.part[p] = NAMED(even_out)(factor.part[p], &exponent[p]);
            sum = NAMED(step)(to + i * n * 8, from + i * n * 8, b + t * n * 8, move, n, factor);
            NAMED(note)(&scales[i], sum, exponent, ends, t);
        }
        eight now = eight_of((double)t);
        double *swap = from;
        from = to;
        to = swap;
        if (!NAMED(any_last)(now, ends)) continue;
        for (size_t k = 0; k < n * n; k++) {
            eight x = eight_at(from + k * 8), old = eight_at(rows + k * 8);
            NAMED(put)(rows + k * 8, NAMED(eight_where_less)(now, ends, x, old));
        }
    }
}

/* beta of step t into `beta`: the last where a sequence ends, what `w` gives elsewhere. */
KERNEL void NAMED(step_back)(double *restrict beta, const double *restrict w,
                             const cairn_octet_pass *pass, size_t n, size_t t)
{
    eight next = eight_of((double)t + 1), ends = eight_at(pass->lengths);
    for (size_t i = 0; i < n; i++) {
        eight x = NAMED(weigh)(w, pass->move + i * n, 1, n);
        x = NAMED(eight_where_less)(next, ends, x, eight_at(pass->last + 8 * i));
        NAMED(put)(beta + 8 * i, x);
    }
}

static TARGET void NAMED(octet_backward)(double *restrict gamma, double *restrict sums,
                                         const cairn_octet_pass *pass, size_t n, size_t steps)
{
    double *beta = pass->buffer, *w = pass->buffer + 8 * n;
    eight ends = eight_at(pass->lengths), most = eight_of(1e300); /* 0 times it is 0 */
    for (size_t j = 0; j < n; j++) NAMED(put)(w + 8 * j, eight_of(0));
    for (size_t t = steps; t-- > 0;) {
        const double *alpha = pass->alpha + t * n * 8, *b = pass->b + t * n * 8;
        const double *from = t ? alpha - n * 8 : pass->before;
        eight factor = NAMED(eight_where_less)(eight_of((double)t), ends,
                                               eight_at(pass->factors + 8 * t), eight_of(0));
        NAMED(step_back)(beta, w, pass, n, t);
        for (size_t j = 0; j < n; j++) {
            eight x = eight_at(beta + 8 * j);
            NAMED(put)(gamma + (t * n + j) * 8, NAMED(times)(eight_at(alpha + 8 * j), x));
            x = NAMED(times)(NAMED(times)(x, eight_at(b + 8 * j)), factor);
            NAMED(put)(w + 8 * j, NAMED(eight_where_less)(x, most, x, most));
        }
        if (!sums) continue;
        for (size_t i = 0; i < n; i++) {
            eight a = eight_at(from + 8 * i);
            for (size_t j = 0; j < n; j++) {
                double *to = sums + (i * n + j) * 8;
                NAMED(put)(to, eight_multiply_add(a, eight_at(w + 8 * j), eight_at(to)));
            }
        }
    }
}

/* |W (x - mean)|² of one state */
KERNEL eight NAMED(squared_length)(const double *x, const double *mean, const double *white,
                                   size_t d)
{
    eight total = eight_of(0);
    for (size_t k = 0; k < d; k++) {
        eight z = eight_of(0);
        for (size_t l = 0; l <= k; l++)
            z = eight_multiply_add(eight_of(white[k * d + l]),
                                   eight_subtract(eight_at(x + 8 * l), eight_of(mean[l])), z);
        total = eight_multiply_add(z, z, total);
    }
    return total;
}

static TARGET void NAMED(octet_normal_logs)(double *restrict out, const double *restrict x,
                                            const double *restrict means,
                                            const double *restrict whites,
                                            const double *restrict constants, size_t n, size_t d,
                                            size_t steps)
{
    for (size_t t = 0; t < steps; t++)
        for (size_t i = 0; i < n; i++) {
            eight square =
                NAMED(squared_length)(x + t * d * 8, means + i * d, whites + i * d * d, d);
            NAMED(put)
            (out + (t * n + i) * 8,
             eight_multiply_add(eight_of(-0.5), square, eight_of(constants[i])));
        }
}

static TARGET void NAMED(octet_less_top)(double *restrict b, double *restrict tops, size_t n,
                                         size_t steps)
{
    for (size_t t = 0; t < steps; t++) {
        double *at = b + t * n * 8;
        eight top = eight_at(at);
        for (size_t j = 1; j < n; j++) {
            eight x = eight_at(at + 8 * j);
            top = NAMED(eight_where_less)(top, x, x, top);
        }
        top = NAMED(eight_where_less)(top, eight_of(-DBL_MAX), eight_of(0), top);
        NAMED(put)(tops + 8 * t, top);
        for (size_t j = 0; j < n; j++)
            NAMED(put)(at + 8 * j, eight_subtract(eight_at(at + 8 * j), top));
    }
}

static TARGET void NAMED(octet_moments_add)(double *restrict sums, const double *restrict gamma,
                                            const double *restrict x, size_t n, size_t d,
                                            size_t steps)
{
    size_t width = 1 + d + d * (d + 1) / 2;
    for (size_t t = 0; t < steps; t++)
        for (size_t i = 0; i < n; i++) {
            const double *at = x + t * d * 8;
            double *to = sums + i * width * 8;
            eight share = eight_at(gamma + (t * n + i) * 8);
            NAMED(put)(to, eight_add(eight_at(to), share));
            double *square = to + (1 + d) * 8;
            for (size_t k = 0; k < d; k++) {
                eight part = NAMED(times)(share, eight_at(at + 8 * k));
                to += 8;
                NAMED(put)(to, eight_add(eight_at(to), part));
                for (size_t l = k; l < d; l++, square += 8) NAMED(put)
                (square, eight_multiply_add(part, eight_at(at + 8 * l), eight_at(square)));
            }
        }
}
