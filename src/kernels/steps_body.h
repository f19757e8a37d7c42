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

/* Means that fade away become 0 before they are so small that every operation on them takes a
 * hundred times as long; next to 1e-8 in the divisor they have long ceased to count. */
static TARGET void NAMED(adam)(float *restrict w, float *restrict first, float *restrict second,
                               const float *restrict g, size_t n, float eta, float quick)
{
    for (size_t i = 0; i < n; i++) {
        float slope = __builtin_fabsf(g[i]) < 1e-15f ? 0 : g[i];
        float a = 0.9f * first[i] + 0.1f * slope;
        float b = 0.999f * second[i] + 0.001f * (slope * slope);
        a = __builtin_fabsf(a) < 1e-20f ? 0 : a;
        b = b < 1e-30f ? 0 : b;
        first[i] = a;
        second[i] = b;
        w[i] += eta * a / (__builtin_sqrtf(b * quick) + 1e-8f);
    }
}

static TARGET void NAMED(adam_doubles)(double *restrict w, double *restrict first,
                                       double *restrict second, const double *restrict g, size_t n,
                                       double eta, double slow, double quick)
{
    for (size_t i = 0; i < n; i++) {
        first[i] = 0.9 * first[i] + 0.1 * g[i];
        second[i] = 0.999 * second[i] + 0.001 * g[i] * g[i];
        w[i] += eta * (first[i] / slow) / (__builtin_sqrt(second[i] / quick) + 1e-8);
    }
}
