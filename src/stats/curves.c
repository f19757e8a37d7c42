/* SPDX-License-Identifier: MIT */
/* Reading rankings. */
#include "stats/curves.h"

#include "base/memory.h"

#include <math.h>

#define TIE 1e-12

double cairn_split_threshold(const cairn_ranking *r, size_t split)
{
    if (split == 0) return INFINITY;
    if (split >= r->n) return -INFINITY;
    double above = r->segments[split - 1].low_score, below = r->segments[split].score;
    if (isinf(above) || isinf(below)) return isinf(above) ? below : above;
    return below + (above - below) / 2;
}

cairn_operating_context cairn_operating_context_of(const cairn_ranking *r, double cost_fn,
                                                   double cost_fp, double class_ratio)
{
    cairn_operating_context c = {cost_fn, cost_fp};
    if (class_ratio > 0 && r->positives > 0 && r->negatives > 0)
        c.positive *= class_ratio / (r->positives / r->negatives);
    return c;
}

double cairn_isometric_slope(const cairn_ranking *r, cairn_operating_context c)
{
    double down = c.positive * r->positives;
    return down > 0 ? c.negative * r->negatives / down : NAN;
}

static double weighted_accuracy(const cairn_ranking *r, cairn_operating_context c, double tp,
                                double fp)
{
    double all = c.positive * r->positives + c.negative * r->negatives;
    return all > 0 ? (c.positive * tp + c.negative * (r->negatives - fp)) / all : NAN;
}

cairn_split cairn_split_at(const cairn_ranking *r, cairn_operating_context c, size_t s)
{
    cairn_split out = {.split = s};
    for (size_t i = 0; i < s && i < r->n; i++) {
        out.tp += r->segments[i].positives;
        out.fp += r->segments[i].negatives;
    }
    out.threshold = cairn_split_threshold(r, s);
    out.value = weighted_accuracy(r, c, out.tp, out.fp);
    return out;
}

cairn_status cairn_best_splits(cairn_context *ctx, cairn_split **out, size_t *n_out,
                               const cairn_ranking *r, cairn_operating_context c)
{
    cairn_status status;
    cairn_split *found;
    double all = c.positive * r->positives + c.negative * r->negatives;
    double gain = 0, best = 0, tp = 0, fp = 0; /* gain: beyond predicting all negative */
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        gain += c.positive * r->segments[i].positives - c.negative * r->segments[i].negatives;
        if (gain > best) best = gain;
    }
    /* with the sums of the first pass again, so that the same splits are counted and taken */
    gain = 0;
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0)
            gain += c.positive * r->segments[s - 1].positives -
                    c.negative * r->segments[s - 1].negatives;
        n += gain >= best - TIE * all;
    }
    TRY(SCRATCH(ctx, &found, n));
    gain = 0, n = 0;
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0) {
            const cairn_segment *last = &r->segments[s - 1];
            tp += last->positives, fp += last->negatives;
            gain += c.positive * last->positives - c.negative * last->negatives;
        }
        if (gain >= best - TIE * all)
            found[n++] = (cairn_split){s, tp, fp, cairn_split_threshold(r, s),
                                       weighted_accuracy(r, c, tp, fp)};
    }
    *out = found;
    *n_out = n;
done:
    return status;
}

/* The split of highest merit; merits nearer than TIE are equal. */
static cairn_split find_best(const cairn_ranking *r, bool youden)
{
    cairn_split best = {.threshold = INFINITY, .value = NAN};
    double tp = 0, fp = 0, up = 1 / r->positives, right = 1 / r->negatives, most = -INFINITY;
    if (!(r->positives > 0) || !(r->negatives > 0)) return best;
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0) {
            tp += r->segments[s - 1].positives;
            fp += r->segments[s - 1].negatives;
        }
        double tpr = tp * up, fpr = fp * right;
        double merit = youden ? tpr - fpr : -(fpr * fpr + (1 - tpr) * (1 - tpr));
        if (merit > most + TIE) most = merit, best = (cairn_split){.split = s, .tp = tp, .fp = fp};
    }
    double tpr = best.tp / r->positives, fpr = best.fp / r->negatives;
    best.threshold = cairn_split_threshold(r, best.split);
    best.value = youden ? tpr - fpr : hypot(fpr, 1 - tpr);
    return best;
}

cairn_split cairn_nearest_split(const cairn_ranking *r)
{
    return find_best(r, false);
}

cairn_split cairn_youden_split(const cairn_ranking *r)
{
    return find_best(r, true);
}

/* Over n + 1 splits each positive counts in the splits below it and each negative in those above:
 * by pairs, (P + n/2 - P (P+1) / (n+1) - 2 P N (1 - AUC) / (n+1)) / n. */
double cairn_expected_accuracy(const cairn_ranking *r)
{
    double p = r->positives, n = r->positives + r->negatives;
    cairn_ranking_pairs pairs = cairn_ranking_count_pairs(r);
    if (!(n > 0)) return NAN;
    double errors = pairs.wrong + pairs.tied / 2;
    return (p + n / 2 - p * (p + 1) / (n + 1) - 2 * errors / (n + 1)) / n;
}

double cairn_positives_in_best(const cairn_ranking *r, double share)
{
    double wanted = share * (r->positives + r->negatives), taken = 0, positives = 0;
    for (size_t i = 0; i < r->n && taken < wanted; i++) {
        const cairn_segment *s = &r->segments[i];
        double size = s->positives + s->negatives, left = wanted - taken;
        positives += size <= left ? s->positives : s->positives * left / size;
        taken += size;
    }
    return positives;
}

double cairn_average_precision(const cairn_ranking *r)
{
    double tp = 0, all = 0, sum = 0;
    if (!(r->positives > 0)) return NAN;
    for (size_t i = 0; i < r->n; i++) {
        tp += r->segments[i].positives;
        all += r->segments[i].positives + r->segments[i].negatives;
        if (r->segments[i].positives > 0) sum += r->segments[i].positives * (tp / all);
    }
    return sum / r->positives;
}

/* A point that walks along the normalised curve with rising fpr. */
typedef struct walker {
    const cairn_ranking *ranking;
    size_t next;
    double x, y; /* where the segment at hand begins */
} walker;

/* Lowest and highest height at x; the walker must not have passed it. */
static void heights_at(walker *w, double x, double *low, double *high)
{
    const cairn_ranking *r = w->ranking;
    *low = INFINITY;
    for (;; w->next++) {
        double dx = w->next < r->n ? r->segments[w->next].negatives / r->negatives : 0;
        double dy = w->next < r->n ? r->segments[w->next].positives / r->positives : 0;
        if (x <= w->x + TIE) *low = fmin(*low, w->y), *high = w->y;
        if (w->next >= r->n || w->x > x + TIE) return;
        if (w->x + dx > x + TIE) {
            double y = dx > 0 ? w->y + dy * fmax(0, x - w->x) / dx : w->y;
            *low = fmin(*low, y);
            *high = y;
            return;
        }
        w->x += dx, w->y += dy;
    }
}

/* Compare at the corners of one curve; false when a is below b somewhere. */
static bool not_below(const cairn_ranking *a, const cairn_ranking *b, const cairn_ranking *corners,
                      bool *above)
{
    walker wa = {a, 0, 0, 0}, wb = {b, 0, 0, 0};
    double x = 0, last = -1;
    for (size_t i = 0; i <= corners->n; i++) {
        double a_low, a_high = 0, b_low, b_high = 0;
        if (i > 0) x += corners->segments[i - 1].negatives / corners->negatives;
        if (x <= last + TIE) continue;
        last = x;
        heights_at(&wa, x, &a_low, &a_high);
        heights_at(&wb, x, &b_low, &b_high);
        if (a_low < b_low - TIE || a_high < b_high - TIE) return false;
        if (a_low > b_low + TIE || a_high > b_high + TIE) *above = true;
    }
    return true;
}

bool cairn_curve_dominates(const cairn_ranking *a, const cairn_ranking *b)
{
    bool above = false;
    return not_below(a, b, a, &above) && not_below(a, b, b, &above) && above;
}

cairn_status cairn_curve_points(cairn_context *ctx, double **x_out, double **y_out, size_t **at_out,
                                size_t *n_out, const cairn_ranking *r, size_t most)
{
    cairn_status status;
    double *x, *y, tp = 0, fp = 0;
    size_t *at, n = 0, step = most > 1 && r->n >= most ? r->n / (most - 1) + 1 : 1, next = 0;
    TRY(SCRATCH(ctx, &x, r->n / step + 3));
    TRY(SCRATCH(ctx, &y, r->n / step + 3));
    TRY(SCRATCH(ctx, &at, r->n / step + 3));
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0) {
            tp += r->segments[s - 1].positives;
            fp += r->segments[s - 1].negatives;
        }
        if (s != next && s != r->n) continue;
        x[n] = fp, y[n] = tp, at[n++] = s;
        next += step;
    }
    *x_out = x;
    *y_out = y;
    *at_out = at;
    *n_out = n;
done:
    return status;
}
