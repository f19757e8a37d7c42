/* SPDX-License-Identifier: MIT */
/* Reading rankings. */
#include "stats/curves.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"

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

cairn_curve_split cairn_split_at(const cairn_ranking *r, cairn_operating_context c, size_t s)
{
    cairn_curve_split out = {.split = s};
    for (size_t i = 0; i < s && i < r->n; i++) {
        out.tp += r->segments[i].positives;
        out.fp += r->segments[i].negatives;
    }
    out.threshold = cairn_split_threshold(r, s);
    out.value = weighted_accuracy(r, c, out.tp, out.fp);
    return out;
}

cairn_status cairn_best_splits(cairn_context *ctx, cairn_curve_split **out, size_t *n_out,
                               const cairn_ranking *r, cairn_operating_context c)
{
    cairn_curve_split *found;
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
    CHECK(SCRATCH(ctx, &found, n));
    gain = 0, n = 0;
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0) {
            const cairn_segment *last = &r->segments[s - 1];
            tp += last->positives, fp += last->negatives;
            gain += c.positive * last->positives - c.negative * last->negatives;
        }
        if (gain >= best - TIE * all)
            found[n++] = (cairn_curve_split){s, tp, fp, cairn_split_threshold(r, s),
                                             weighted_accuracy(r, c, tp, fp)};
    }
    *out = found;
    *n_out = n;
    return CAIRN_OK;
}

/* The best split so far by a merit; of equally good ones (to TIE) the first. */
typedef struct champion {
    double merit;
    size_t split;
    double tp, fp;
} champion;

/* By two merits: minus the squared distance to (0,1), and tpr - fpr. */
typedef struct merits {
    champion nearest, youden;
    double up, right; /* one over the number of positives and of negatives */
} merits;

static merits no_merits(const cairn_ranking *r)
{
    champion none = {.merit = -INFINITY};
    return (merits){none, none, 1 / r->positives, 1 / r->negatives};
}

static inline void challenge(champion *best, double merit, size_t split, double tp, double fp)
{
    if (merit > best->merit + TIE) *best = (champion){merit, split, tp, fp};
}

static inline void judge_split(merits *m, size_t s, double tp, double fp)
{
    double tpr = tp * m->up, fpr = fp * m->right;
    challenge(&m->nearest, -(fpr * fpr + (1 - tpr) * (1 - tpr)), s, tp, fp);
    challenge(&m->youden, tpr - fpr, s, tp, fp);
}

/* Threshold and value of a split that was found. */
static cairn_curve_split finish_split(const cairn_ranking *r, const champion *c, bool youden)
{
    double tpr = c->tp / r->positives, fpr = c->fp / r->negatives;
    return (cairn_curve_split){.split = c->split,
                               .tp = c->tp,
                               .fp = c->fp,
                               .threshold = cairn_split_threshold(r, c->split),
                               .value = youden ? tpr - fpr : cairn_hypot(fpr, 1 - tpr)};
}

static cairn_curve_split find_best(const cairn_ranking *r, bool youden)
{
    merits m = no_merits(r);
    double tp = 0, fp = 0;
    if (!(r->positives > 0) || !(r->negatives > 0))
        return (cairn_curve_split){.threshold = INFINITY, .value = NAN};
    judge_split(&m, 0, 0, 0);
    for (size_t i = 0; i < r->n; i++) {
        tp += r->segments[i].positives;
        fp += r->segments[i].negatives;
        judge_split(&m, i + 1, tp, fp);
    }
    return finish_split(r, youden ? &m.youden : &m.nearest, youden);
}

cairn_curve_split cairn_nearest_split(const cairn_ranking *r)
{
    return find_best(r, false);
}

cairn_curve_split cairn_youden_split(const cairn_ranking *r)
{
    return find_best(r, true);
}

/* The least area that m positives and n negatives that are ranked without an error do not speak
 * against, by Newcombe's variance of an area t: the root of 1 - t = z sqrt(V(t)). */
static double least_perfect_area(double m, double n, double z)
{
    double low = 0, high = 1, others = (m + n) / 2 - 1;
    for (int i = 0; i < 100; i++) {
        double t = (low + high) / 2;
        double v = t * (1 - t) / (m * n) * (1 + others * ((1 - t) / (2 - t) + t / (1 + t)));
        if (1 - t > z * sqrt(v))
            low = t;
        else
            high = t;
    }
    return high;
}

const char *cairn_auc_interval_name(double auc)
{
    return auc > 0 && auc < 1 ? "DeLong" : "Newcombe";
}

cairn_interval cairn_auc_interval(const cairn_ranking *r, double auc, double repeats, double level)
{
    double above = 0, below = 0, positives = 0, negatives = 0;
    double m = r->positives / repeats, n = r->negatives / repeats;
    double z = cairn_normal_quantile_upper((1 - level) / 2);
    if (!(m > 1) || !(n > 1)) return (cairn_interval){NAN, NAN};
    if (auc >= 1) return (cairn_interval){least_perfect_area(m, n, z), 1};
    if (auc <= 0) return (cairn_interval){0, 1 - least_perfect_area(m, n, z)};
    for (size_t s = 0; s < r->n; s++) {
        const cairn_segment *g = &r->segments[s];
        /* share of negatives that a positive of this segment beats, and of positives above it */
        double wins = 1 - (negatives + g->negatives / 2) / r->negatives;
        double beaten = (positives + g->positives / 2) / r->positives;
        above += g->positives * (wins - auc) * (wins - auc);
        below += g->negatives * (beaten - auc) * (beaten - auc);
        positives += g->positives;
        negatives += g->negatives;
    }
    double half = z * sqrt(above / r->positives / (m - 1) + below / r->negatives / (n - 1));
    return (cairn_interval){fmax(0, auc - half), fmin(1, auc + half)};
}

/* -- difference of two areas -- */

/* Positives and negatives that stand above each segment. */
typedef struct placing {
    cairn_ranking ranking;
    double *positives, *negatives; /* n + 1 running sums */
    double auc;
} placing;

static cairn_status make_placing(cairn_context *ctx, placing *out, const double *scores,
                                 const int8_t *classes, const double *weights, size_t n)
{
    CHECK(cairn_ranking_make(ctx, &out->ranking, scores, classes, weights, n));
    const cairn_ranking *r = &out->ranking;
    CHECK(SCRATCH(ctx, &out->positives, r->n + 1));
    CHECK(SCRATCH(ctx, &out->negatives, r->n + 1));
    for (size_t i = 0; i < r->n; i++) {
        out->positives[i + 1] = out->positives[i] + r->segments[i].positives;
        out->negatives[i + 1] = out->negatives[i] + r->segments[i].negatives;
    }
    out->auc = cairn_ranking_auc(r);
    return CAIRN_OK;
}

/* Share of the other class that a row of this score is on the right side of, ties as halves. */
static double place_of(const placing *p, double score, bool positive)
{
    const cairn_ranking *r = &p->ranking;
    size_t low = 0, high = r->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->segments[middle].score > score)
            low = middle + 1;
        else
            high = middle;
    }
    if (positive) return 1 - (p->negatives[low] + r->segments[low].negatives / 2) / r->negatives;
    return (p->positives[low] + r->segments[low].positives / 2) / r->positives;
}

cairn_status cairn_auc_difference_of(cairn_context *ctx, cairn_auc_difference *out, const double *a,
                                     const double *b, const int8_t *classes, const double *weights,
                                     size_t n, double level)
{
    placing first, second;
    double squares[2] = {0, 0};
    *out = (cairn_auc_difference){NAN, NAN, NAN, NAN, {NAN, NAN}};
    CHECK(make_placing(ctx, &first, a, classes, weights, n));
    CHECK(make_placing(ctx, &second, b, classes, weights, n));
    double sizes[2] = {first.ranking.negatives, first.ranking.positives};
    if (!(sizes[0] > 1) || !(sizes[1] > 1)) return CAIRN_OK;
    out->difference = first.auc - second.auc;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        if ((classes[i] != 0 && classes[i] != 1) || !(w > 0)) continue;
        double apart = place_of(&first, a[i], classes[i] == 1) -
                       place_of(&second, b[i], classes[i] == 1) - out->difference;
        squares[classes[i]] += w * apart * apart;
    }
    double variance =
        squares[0] / (sizes[0] - 1) / sizes[0] + squares[1] / (sizes[1] - 1) / sizes[1];
    double half = cairn_normal_quantile_upper((1 - level) / 2) * sqrt(variance);
    out->error = sqrt(variance);
    out->interval =
        (cairn_interval){fmax(-1, out->difference - half), fmin(1, out->difference + half)};
    if (out->error > 1e-14) {
        out->z = out->difference / out->error;
        out->p = fmin(1, 2 * cairn_normal_upper(fabs(out->z)));
    }
    return CAIRN_OK;
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

/* -- passes over blocks of segments -- */

enum { BLOCK = 1 << 15 };

typedef struct block_reading {
    double positives, negatives; /* of the block, then of all blocks before it */
    cairn_ranking_pairs pairs;
    double precision; /* sum of positives times precision */
    merits merits;
} block_reading;

typedef struct reading_work {
    const cairn_ranking *ranking;
    block_reading *blocks;
    size_t step; /* curve points: every how many splits */
    double *x, *y;
    size_t *at;
} reading_work;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    reading_work *w = data;
    double positives = 0, negatives = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        positives += w->ranking->segments[i].positives;
        negatives += w->ranking->segments[i].negatives;
    }
    w->blocks[block].positives = positives;
    w->blocks[block].negatives = negatives;
}

/* The sums of all blocks before each. */
static cairn_status sum_before(cairn_context *ctx, reading_work *w)
{
    size_t n_blocks = cairn_block_count(w->ranking->n, BLOCK);
    double positives = 0, negatives = 0;
    CHECK(SCRATCH(ctx, &w->blocks, n_blocks));
    CHECK(cairn_blocks(ctx, w->ranking->n, BLOCK, sum_block, w));
    for (size_t b = 0; b < n_blocks; b++) {
        double p = w->blocks[b].positives, n = w->blocks[b].negatives;
        w->blocks[b].positives = positives;
        w->blocks[b].negatives = negatives;
        positives += p, negatives += n;
    }
    return CAIRN_OK;
}

/* Begins with the counts that the blocks before it add up to; pairs, precision and the best splits
 * are found in the same pass. */
static void read_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    reading_work *w = data;
    block_reading *b = &w->blocks[block];
    double tp = b->positives, fp = b->negatives;
    (void)worker;
    merits m = no_merits(w->ranking);
    cairn_ranking_pairs pairs = {0, 0};
    double precision = 0;
    for (size_t i = begin; i < end; i++) {
        double p = w->ranking->segments[i].positives, n = w->ranking->segments[i].negatives;
        pairs.wrong += p * fp;
        pairs.tied += p * n;
        tp += p, fp += n;
        if (p > 0) precision += p * (tp / (tp + fp));
        judge_split(&m, i + 1, tp, fp);
    }
    b->merits = m;
    b->pairs = pairs;
    b->precision = precision;
}

cairn_status cairn_ranking_read(cairn_context *ctx, cairn_ranking_reading *out,
                                const cairn_ranking *r)
{
    SCOPED_SCRATCH(ctx);
    cairn_ranking_reading reading = {.average_precision = 0};
    reading_work w = {.ranking = r};
    merits m = no_merits(r);
    double all = r->positives * r->negatives;
    CHECK(sum_before(ctx, &w));
    CHECK(cairn_blocks(ctx, r->n, BLOCK, read_block, &w));
    if (all > 0) judge_split(&m, 0, 0, 0);
    for (size_t b = 0; b < cairn_block_count(r->n, BLOCK); b++) {
        const block_reading *block = &w.blocks[b];
        reading.pairs.wrong += block->pairs.wrong;
        reading.pairs.tied += block->pairs.tied;
        reading.average_precision += block->precision;
        const champion *near = &block->merits.nearest, *youden = &block->merits.youden;
        challenge(&m.nearest, near->merit, near->split, near->tp, near->fp);
        challenge(&m.youden, youden->merit, youden->split, youden->tp, youden->fp);
    }
    const cairn_curve_split none = {.threshold = INFINITY, .value = NAN};
    reading.auc = all > 0 ? (all - reading.pairs.wrong - reading.pairs.tied / 2) / all : NAN;
    reading.average_precision = r->positives > 0 ? reading.average_precision / r->positives : NAN;
    reading.nearest = all > 0 ? finish_split(r, &m.nearest, false) : none;
    reading.youden = all > 0 ? finish_split(r, &m.youden, true) : none;
    *out = reading;
    return CAIRN_OK;
}

static void take_points(void *data, size_t block, size_t begin, size_t end, int worker)
{
    reading_work *w = data;
    double tp = w->blocks[block].positives, fp = w->blocks[block].negatives;
    size_t next = (begin / w->step + 1) * w->step; /* the first split after the block's begin */
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        tp += w->ranking->segments[i].positives;
        fp += w->ranking->segments[i].negatives;
        if (i + 1 != next) continue;
        w->x[next / w->step] = fp;
        w->y[next / w->step] = tp;
        w->at[next / w->step] = next;
        next += w->step;
    }
}

cairn_status cairn_curve_points(cairn_context *ctx, double **x_out, double **y_out, size_t **at_out,
                                size_t *n_out, const cairn_ranking *r, size_t most)
{
    reading_work w = {.ranking = r, .step = most > 1 && r->n >= most ? r->n / (most - 1) + 1 : 1};
    size_t n = r->n / w.step + 1;
    CHECK(SCRATCH(ctx, &w.x, n + 1));
    CHECK(SCRATCH(ctx, &w.y, n + 1));
    CHECK(SCRATCH(ctx, &w.at, n + 1));
    CHECK(sum_before(ctx, &w));
    CHECK(cairn_blocks(ctx, r->n, BLOCK, take_points, &w));
    if (w.at[n - 1] != r->n) { /* the end, exactly */
        w.x[n] = r->negatives, w.y[n] = r->positives, w.at[n] = r->n;
        n++;
    }
    *x_out = w.x;
    *y_out = w.y;
    *at_out = w.at;
    *n_out = n;
    return CAIRN_OK;
}
