/* SPDX-License-Identifier: MIT */
/* Where two classes are equally probable. With A = Σ⁻¹ the logarithm of prior times density of a
 * class is x'(−A/2)x + (Aμ)·x + constant; the boundary is where those of two classes are equal. */
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include <math.h>

#define FLAT     1e-10 /* a curvature, in deviations of the columns, that counts as none */
#define ROUNDING 1e-15 /* what is left of a sum by it, beside its terms */

bool cairn_gaussian_two(const cairn_gaussian_model *m, const cairn_job *job, size_t *a, size_t *b)
{
    size_t n = 0, found[2] = {0};
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        if (n < 2) found[n] = c;
        n++;
    }
    if (n != 2) return false;
    bool first = job->positive >= 0 && (size_t)job->positive == found[0];
    *a = found[!first];
    *b = found[first];
    return true;
}

/* -- kinds -- */

/* Roots of q t² + l t + c, rising, where it changes its sign. */
static size_t roots_of(double q, double l, double c, double out[2])
{
    if (q == 0) {
        if (l == 0) return 0;
        out[0] = -c / l;
        return 1;
    }
    double inside = l * l - 4 * q * c;
    if (!(inside > 0)) return 0;
    double s = -(l + copysign(sqrt(inside), l)) / 2;
    double t = s / q, u = c / s;
    out[0] = fmin(t, u);
    out[1] = fmax(t, u);
    return 2;
}

/* One column: in t = x − mean of class b, where little is lost to large means. */
static void find_roots(cairn_gaussian_boundary *out, const cairn_gaussian_model *m)
{
    double mean = m->means[out->b], q = out->is_linear ? 0 : out->quadratic[0];
    double apart = m->means[out->a] - mean, va = cairn_gaussian_entry(m, out->a, 0, 0);
    if (m->constant[0]) va = 1;
    double l = apart / va, c = m->log_bases[out->a] - m->log_bases[out->b] - apart * apart / va / 2;
    out->n_roots = roots_of(q, l, c, out->roots);
    for (size_t i = 0; i < out->n_roots; i++) out->roots[i] += mean;
    out->kind = out->n_roots == 2   ? "two points"
                : out->n_roots == 1 ? "one point"
                                    : "nowhere: one class is more probable everywhere";
}

/* Kind of the conic ax² + 2bxy + dy² + ex + fy + c = 0 in columns of about the same size. */
static const char *conic(double a, double b, double d, double e, double f, double c)
{
    double size = fmax(fmax(fabs(a), fabs(d)), fabs(b)), det = a * d - b * b;
    double least = FLAT * size;
    if (fabs(det) > least * size) { /* the value at the centre decides */
        double x = (b * f - d * e) / det / 2, y = (b * e - a * f) / det / 2;
        double at = c + (e * x + f * y) / 2, none = 1e-9 * (fabs(c) + fabs(e * x) + fabs(f * y));
        if (det < 0) return fabs(at) <= none ? "two crossing lines" : "hyperbola";
        if (fabs(at) <= none) return "one point";
        if ((at > 0) == (a > 0)) return "nowhere: one class is more probable everywhere";
        return fabs(a - d) <= least && fabs(b) <= least ? "circle" : "ellipse";
    }
    /* one curvature is 0: along its direction (u, v) the form is linear */
    double u = fabs(a) > fabs(d) ? -b : d, v = fabs(a) > fabs(d) ? a : -b;
    if (fabs(e * u + f * v) > 1e-9 * (fabs(e * u) + fabs(f * v))) return "parabola";
    double along = fabs(a) > fabs(d) ? e : f, square = fabs(a) > fabs(d) ? a : d;
    double inside = along * along - 4 * square * c;
    return inside > 0 ? "two parallel lines" : "nowhere: one class is more probable everywhere";
}

static const char *kind_of(const cairn_gaussian_boundary *b, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    bool flat = true;
    for (size_t j = 0; j < p; j++) flat &= b->linear[j] == 0;
    if (b->is_linear && flat) return "nowhere: one class is more probable everywhere";
    if (p == 2) {
        double s = sqrt(cairn_gaussian_entry(m, b->a, 0, 0) + cairn_gaussian_entry(m, b->b, 0, 0));
        double t = sqrt(cairn_gaussian_entry(m, b->a, 1, 1) + cairn_gaussian_entry(m, b->b, 1, 1));
        if (b->is_linear) return "line";
        const char *kind =
            conic(b->quadratic[0] * s * s, b->quadratic[1] * s * t, b->quadratic[3] * t * t,
                  b->linear[0] * s, b->linear[1] * t, b->constant);
        bool round = fabs(b->quadratic[0] - b->quadratic[3]) <= FLAT * fabs(b->quadratic[0]) &&
                     fabs(b->quadratic[1]) <= FLAT * fabs(b->quadratic[0]);
        if (kind[0] == 'e' || kind[0] == 'c') return round ? "circle" : "ellipse";
        return kind;
    }
    if (b->is_linear) return p == 3 ? "plane" : "hyperplane";
    return "quadratic surface";
}

/* Whether no element of Q, measured in deviations, is more than rounding. */
static bool is_flat(const cairn_gaussian_boundary *b, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) {
            double s = cairn_gaussian_entry(m, b->a, i, i), t = cairn_gaussian_entry(m, b->a, j, j);
            if (fabs(b->quadratic[i * p + j]) * sqrt(s * t) > FLAT) return false;
        }
    return true;
}

cairn_status cairn_gaussian_boundary_of(cairn_context *ctx, cairn_gaussian_boundary *out,
                                        const cairn_gaussian_model *m, size_t a, size_t b)
{
    size_t p = m->n_columns;
    double *first, *second;
    *out = (cairn_gaussian_boundary){.a = a, .b = b};
    CHECK(SCRATCH(ctx, &first, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &second, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &out->quadratic, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &out->linear, p + 1));
    cairn_gaussian_inverse(m, a, first);
    cairn_gaussian_inverse(m, b, second);
    out->constant = m->log_bases[a] - m->log_bases[b];
    for (size_t i = 0; i < p; i++) {
        double size = 0;
        for (size_t j = 0; j < p; j++) {
            double mine = first[i * p + j] * m->means[a * p + j];
            double other = second[i * p + j] * m->means[b * p + j];
            out->quadratic[i * p + j] = (second[i * p + j] - first[i * p + j]) / 2;
            out->linear[i] += mine - other;
            out->constant -= (m->means[a * p + i] * mine - m->means[b * p + i] * other) / 2;
            size += fabs(mine) + fabs(other);
        }
        if (fabs(out->linear[i]) <= ROUNDING * size) out->linear[i] = 0;
    }
    out->is_linear = m->n_factors == 1 || is_flat(out, m);
    if (p == 1)
        find_roots(out, m);
    else
        out->kind = kind_of(out, m);
    return CAIRN_OK;
}
