/* SPDX-License-Identifier: MIT */
/* The method of Nelder and Mead: a simplex of n + 1 places whose worst one is reflected through the
 * middle of the others, farther or less far as it pays, or which shrinks towards the best. */
#include "solve/downhill.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct simplex {
    const cairn_valley *f;
    size_t n;
    double *places; /* n + 1 rows of n, the best first */
    double *values; /* n + 1, ascending */
    double *middle, *tried, *farther, *swap;
} simplex;

static cairn_status look(cairn_context *ctx, const simplex *s, const double *x, double *out)
{
    CHECK(s->f->value(ctx, s->f->data, x, out));
    if (isnan(*out)) *out = INFINITY;
    return CAIRN_OK;
}

/* Puts the last place where its value belongs; of equal ones the older stays in front. */
static void settle(simplex *s)
{
    size_t n = s->n, at = n;
    double value = s->values[n];
    memcpy(s->swap, s->places + n * n, n * sizeof(double));
    for (; at > 0 && s->values[at - 1] > value; at--) {
        s->values[at] = s->values[at - 1];
        memcpy(s->places + at * n, s->places + (at - 1) * n, n * sizeof(double));
    }
    s->values[at] = value;
    memcpy(s->places + at * n, s->swap, n * sizeof(double));
}

/* Insertion of all places, after many of them have changed. */
static void sort(simplex *s)
{
    size_t n = s->n;
    for (size_t end = 1; end <= n; end++)
        for (size_t at = end; at > 0 && s->values[at - 1] > s->values[at]; at--) {
            double value = s->values[at], *here = s->places + at * n, *before = here - n;
            s->values[at] = s->values[at - 1];
            s->values[at - 1] = value;
            memcpy(s->swap, here, n * sizeof(double));
            memcpy(here, before, n * sizeof(double));
            memcpy(before, s->swap, n * sizeof(double));
        }
}

static cairn_status spread_out(cairn_context *ctx, simplex *s, const double *x)
{
    size_t n = s->n;
    for (size_t i = 0; i <= n; i++) {
        double *place = s->places + i * n;
        memcpy(place, x, n * sizeof(double));
        if (i) place[i - 1] += x[i - 1] != 0 ? 0.1 * x[i - 1] : 0.1;
        CHECK(look(ctx, s, place, &s->values[i]));
    }
    sort(s);
    return CAIRN_OK;
}

/* The value at the place that lies `part` of the way from the worst through the middle. */
static cairn_status try_at(cairn_context *ctx, const simplex *s, double part, double *place,
                           double *value)
{
    const double *worst = s->places + s->n * s->n;
    for (size_t j = 0; j < s->n; j++) place[j] = s->middle[j] + part * (s->middle[j] - worst[j]);
    return look(ctx, s, place, value);
}

static void replace_worst(simplex *s, const double *place, double value)
{
    memcpy(s->places + s->n * s->n, place, s->n * sizeof(double));
    s->values[s->n] = value;
    settle(s);
}

/* Reflect; farther out where that is the best so far; half the way, on the better side, where it
 * is still the worst; shrink where nothing helps. */
static cairn_status one_step(cairn_context *ctx, simplex *s)
{
    size_t n = s->n;
    double reflected, other;
    for (size_t j = 0; j < n; j++) {
        s->middle[j] = 0;
        for (size_t i = 0; i < n; i++) s->middle[j] += s->places[i * n + j] / (double)n;
    }
    CHECK(try_at(ctx, s, 1, s->tried, &reflected));
    if (reflected < s->values[0]) {
        CHECK(try_at(ctx, s, 2, s->farther, &other));
        bool pays = other < reflected;
        replace_worst(s, pays ? s->farther : s->tried, pays ? other : reflected);
        return CAIRN_OK;
    }
    if (n > 1 && reflected < s->values[n - 1]) {
        replace_worst(s, s->tried, reflected);
        return CAIRN_OK;
    }
    CHECK(try_at(ctx, s, reflected < s->values[n] ? 0.5 : -0.5, s->farther, &other));
    if (other < fmin(reflected, s->values[n])) {
        replace_worst(s, s->farther, other);
        return CAIRN_OK;
    }
    for (size_t i = 1; i <= s->n; i++) {
        double *place = s->places + i * s->n;
        for (size_t j = 0; j < s->n; j++) place[j] = s->places[j] + (place[j] - s->places[j]) / 2;
        CHECK(look(ctx, s, place, &s->values[i]));
    }
    sort(s);
    return CAIRN_OK;
}

/* The largest distance of a place from the best, beside the size of that. */
static double extent(const simplex *s)
{
    double most = 0;
    for (size_t i = 1; i <= s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            most = fmax(most, fabs(s->places[i * s->n + j] - s->places[j]) /
                                  fmax(fabs(s->places[j]), 1e-3));
    return most;
}

cairn_status cairn_downhill(cairn_context *ctx, const cairn_valley *f, double *x, double *value,
                            cairn_progress *progress)
{
    size_t n = f->n;
    simplex s = {.f = f, .n = n};
    CHECK(SCRATCH(ctx, &s.places, (n + 1) * n));
    CHECK(SCRATCH(ctx, &s.values, n + 1));
    CHECK(SCRATCH(ctx, &s.middle, 4 * n));
    s.tried = s.middle + n, s.farther = s.tried + n, s.swap = s.farther + n;
    CHECK(look(ctx, &s, x, value));
    CHECK(cairn_progress_start(ctx, progress, *value));
    for (bool better = true; better;) {
        CHECK(spread_out(ctx, &s, x));
        progress->converged = false;
        while (cairn_progress_goes_on(progress)) {
            CHECK(one_step(ctx, &s));
            CHECK(cairn_progress_next(ctx, progress, s.values[0], NAN, 0));
            progress->converged = extent(&s) <= progress->tolerance;
        }
        better = progress->converged && s.values[0] < *value - 1e-12 * fabs(*value);
        if (s.values[0] <= *value) memcpy(x, s.places, n * sizeof *x);
        *value = fmin(*value, s.values[0]);
    }
    return CAIRN_OK;
}
