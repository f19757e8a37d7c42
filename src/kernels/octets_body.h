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

/* 1 / c, and no infinity where c is next to nothing. */
KERNEL eight NAMED(invert)(eight c)
{
    eight tiny = eight_of(4 * DBL_MIN), one = eight_of(1);
    c = NAMED(eight_where_less)(c, tiny, tiny, c);
    EACH_PART(p) one.part[p] /= c.part[p];
    return one;
}

/* The exponent of the running product moves into a whole number, so that it never underflows. */
KERNEL void NAMED(split)(eight *product, words *exponent)
{
    EACH_PART(p)
    {
        words bits = (words)product->part[p];
        exponent[p] += (bits >> 52) - 1023;
        product->part[p] = (vec)((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    }
}

/* sum_i from[i] move[i][j], or sum_j move[j][i] from[i] with the strides exchanged */
KERNEL eight NAMED(weigh)(const double *from, const double *move, size_t stride, size_t n)
{
    eight sum = eight_of(0);
    for (size_t i = 0; i < n; i++)
        sum = eight_multiply_add(eight_of(move[i * stride]), eight_at(from + 8 * i), sum);
    return sum;
}

static TARGET void NAMED(octet_forward)(double *restrict alpha, double *restrict inverse,
                                        cairn_octet_scale *scale, const double *restrict first,
                                        const double *restrict b, const double *restrict move,
                                        const double *restrict lengths, size_t n, size_t steps)
{
    eight product = eight_of(1), least = eight_of(INFINITY), ends = eight_at(lengths);
    words exponent[PARTS] = {0};
    for (size_t t = 0; t < steps; t++) {
        double *to = alpha + t * n * 8;
        eight sum = eight_of(0), now = eight_of((double)t);
        for (size_t j = 0; j < n; j++) {
            eight x = t ? NAMED(weigh)(to - n * 8, move + j, n, n) : eight_at(first + 8 * j);
            x = NAMED(times)(x, eight_at(b + (t * n + j) * 8));
            NAMED(put)(to + 8 * j, x);
            sum = eight_add(sum, x);
        }
        eight over = NAMED(invert)(sum);
        NAMED(put)(inverse + 8 * t, over);
        for (size_t j = 0; j < n; j++)
            NAMED(put)(to + 8 * j, NAMED(times)(eight_at(to + 8 * j), over));
        sum = NAMED(eight_where_less)(now, ends, sum, eight_of(1));
        least = NAMED(eight_where_less)(sum, least, sum, least);
        product = NAMED(times)(product, sum);
        NAMED(split)(&product, exponent);
    }
    NAMED(put)(scale->mantissa, product);
    NAMED(put)(scale->least, least);
    memcpy(scale->exponent, exponent, sizeof exponent);
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
    double *beta = pass->room, *w = pass->room + 8 * n;
    eight ends = eight_at(pass->lengths), most = eight_of(1e300); /* 0 times it is 0 */
    for (size_t j = 0; j < n; j++) NAMED(put)(w + 8 * j, eight_of(0));
    for (size_t t = steps; t-- > 0;) {
        const double *alpha = pass->alpha + t * n * 8, *b = pass->b + t * n * 8;
        const double *from = t ? alpha - n * 8 : pass->before;
        eight factor = NAMED(eight_where_less)(eight_of((double)t), ends,
                                               eight_at(pass->inverse + 8 * t), eight_of(0));
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
