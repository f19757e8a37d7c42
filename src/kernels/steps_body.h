/* SPDX-License-Identifier: MIT */
/* Plain loops, which the compilers turn into vectors of the level: nothing is summed and nothing
 * fused, so there is no order that could differ. */

static TARGET void NAMED(plain)(float *restrict w, const float *restrict g, size_t n, float eta)
{
    for (size_t i = 0; i < n; i++) w[i] += eta * g[i];
}

static TARGET void NAMED(momentum)(float *restrict w, float *restrict u, const float *restrict g,
                                   size_t n, float eta, float mu)
{
    for (size_t i = 0; i < n; i++) {
        u[i] = mu * u[i] + eta * g[i];
        w[i] += u[i];
    }
}

static TARGET void NAMED(nesterov)(float *restrict w, float *restrict u, const float *restrict g,
                                   size_t n, float eta, float mu)
{
    for (size_t i = 0; i < n; i++) {
        float step = eta * g[i];
        u[i] = mu * u[i] + step;
        w[i] += mu * u[i] + step;
    }
}

static TARGET void NAMED(adam)(float *restrict w, float *restrict first, float *restrict second,
                               const float *restrict g, size_t n, float eta, float quick)
{
    for (size_t i = 0; i < n; i++) {
        first[i] = 0.9f * first[i] + 0.1f * g[i];
        second[i] = 0.999f * second[i] + 0.001f * (g[i] * g[i]);
        w[i] += eta * first[i] / (__builtin_sqrtf(second[i] * quick) + 1e-8f);
    }
}
