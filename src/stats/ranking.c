/* SPDX-License-Identifier: MIT */
/* Rankings of two classes by a score.
 *
 * Making one: the scores of the positives and those of the negatives go into two arrays of keys
 * whose whole-number order is that of falling scores; each is sorted (parallel/sort.h); the two are
 * merged, equal keys into one segment. The merge is cut into parts at every PART-th key of the
 * longer array, so parts work side by side and never share a segment.
 *
 * The hull: pool adjacent violators within fixed blocks of segments, then once more over what the
 * blocks have left; pooling pieces first does not change the hull of the whole. */
#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/curves.h"
#include "stats/distributions.h"
#include "stats/ranking.h"

#include <math.h>
#include <string.h>

enum { ROWS = 1 << 15, PART = 1 << 15, HULL_BLOCK = 1 << 15 };

/* -- scores to sorted keys -- */

typedef struct split_block {
    size_t n[2];      /* rows of each class, then where the block's rows begin */
    size_t bad_score; /* first row whose score is no number; SIZE_MAX = none */
    size_t bad_weight;
} split_block;

typedef struct split_work {
    const double *scores, *weights;
    const int8_t *classes;
    split_block *blocks;
    uint64_t *keys[2], *weight_bits[2];
} split_work;

static bool counts(const split_work *w, size_t i)
{
    return (w->classes[i] == 0 || w->classes[i] == 1) && !(w->weights && w->weights[i] == 0);
}

static void count_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    split_work *w = data;
    split_block b = {{0, 0}, SIZE_MAX, SIZE_MAX};
    (void)worker;
    for (size_t i = end; i-- > begin;) {
        if (!counts(w, i)) continue;
        b.n[w->classes[i]]++;
        if (isnan(w->scores[i])) b.bad_score = i;
        if (w->weights && !(w->weights[i] >= 0 && w->weights[i] < INFINITY)) b.bad_weight = i;
    }
    w->blocks[block] = b;
}

static void split_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    split_work *w = data;
    size_t at[2] = {w->blocks[block].n[0], w->blocks[block].n[1]};
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        if (!counts(w, i)) continue;
        size_t class = w->classes[i] == 1;
        w->keys[class][at[class]] = ~cairn_order_key(w->scores[i]);
        if (w->weights) memcpy(&w->weight_bits[class][at[class]], &w->weights[i], sizeof(double));
        at[class]++;
    }
}

/* Check the rows and turn the counts of the blocks into the places where their rows begin. */
static cairn_status place_blocks(cairn_context *ctx, split_work *w, size_t n_blocks, size_t n[2])
{
    n[0] = n[1] = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        split_block *block = &w->blocks[b];
        if (block->bad_score != SIZE_MAX)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "the score of row %zu is not a number",
                              block->bad_score + 1);
        if (block->bad_weight != SIZE_MAX)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the weight of row %zu is negative or not a finite number",
                              block->bad_weight + 1);
        for (int class = 0; class < 2; class ++) {
            size_t count = block->n[class];
            block->n[class] = n[class];
            n[class] += count;
        }
    }
    return CAIRN_OK;
}

/* Sorted keys (and weights) of each class. */
static cairn_status sort_classes(cairn_context *ctx, split_work *w, size_t n_rows, size_t n[2])
{
    size_t n_blocks = cairn_block_count(n_rows, ROWS);
    CHECK(SCRATCH_RAW(ctx, &w->blocks, n_blocks));
    CHECK(cairn_blocks_sized(ctx, n_rows, ROWS, 2 * (double)n_rows, count_rows, w));
    CHECK(place_blocks(ctx, w, n_blocks, n));
    for (int class = 0; class < 2; class ++) {
        CHECK(NEW_RAW(ctx, &w->keys[class], n[class]));
        if (w->weights) CHECK(NEW_RAW(ctx, &w->weight_bits[class], n[class]));
    }
    CHECK(cairn_blocks_sized(ctx, n_rows, ROWS, 2 * (double)n_rows, split_rows, w));
    for (int class = 0; class < 2; class ++)
        CHECK(cairn_sort_keys(ctx, w->keys[class], w->weight_bits[class], n[class]));
    return CAIRN_OK;
}

/* -- merging -- */

typedef struct merge_part {
    size_t begin[2]; /* in the keys of each class */
    size_t segment;  /* first counts, then where the part's segments begin */
} merge_part;

typedef struct merge_work {
    const uint64_t *keys[2], *weight_bits[2];
    merge_part *parts; /* one more than there are: the end */
    cairn_segment *segments;
} merge_work;

/* The first of n ascending keys that is not below `key`. */
static size_t lower_bound(const uint64_t *keys, size_t n, uint64_t key)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        bool right = keys[low + half] < key;
        low = right ? low + half + 1 : low;
        n = right ? n - half - 1 : half;
    }
    return low;
}

/* Counts how many different scores each part of the merge has, so that the parts can write their
 * segments without waiting for each other. */
static void count_segments(void *data, size_t block, size_t begin, size_t end, int worker)
{
    merge_work *w = data;
    (void)block;
    (void)worker;
    for (size_t p = begin; p < end; p++) {
        const uint64_t *a = w->keys[0], *b = w->keys[1];
        size_t i = w->parts[p].begin[0], i_end = w->parts[p + 1].begin[0];
        size_t j = w->parts[p].begin[1], j_end = w->parts[p + 1].begin[1];
        size_t count = 0;
        uint64_t last = 0;
        bool any = false;
        while (i < i_end && j < j_end) {
            uint64_t key = a[i] < b[j] ? a[i] : b[j];
            i += a[i] == key;
            j += b[j] == key;
            count += !any | (key != last);
            last = key;
            any = true;
        }
        for (; i < i_end; i++, any = true) count += !any | (a[i] != last), last = a[i];
        for (; j < j_end; j++, any = true) count += !any | (b[j] != last), last = b[j];
        w->parts[p].segment = count;
    }
}

static void put_segment(cairn_segment *out, uint64_t key, double positives, double negatives)
{
    double score = cairn_order_number(~key);
    *out = (cairn_segment){score, score, positives, negatives};
}

/* Merge a part of unweighted rows. Every step writes the segment at hand anew, so that no branch
 * depends on the classes. */
static void merge_counts(const merge_work *w, size_t p)
{
    const uint64_t *a = w->keys[0], *b = w->keys[1];
    size_t i = w->parts[p].begin[0], i_end = w->parts[p + 1].begin[0];
    size_t j = w->parts[p].begin[1], j_end = w->parts[p + 1].begin[1];
    cairn_segment *to = w->segments + w->parts[p].segment, *next = to;
    size_t i_start = i, j_start = j; /* of the segment at hand */
    uint64_t last = 0;
    while (i < i_end && j < j_end) {
        uint64_t key = a[i] < b[j] ? a[i] : b[j];
        bool fresh = next == to || key != last;
        i_start = fresh ? i : i_start;
        j_start = fresh ? j : j_start;
        next += fresh;
        i += a[i] == key;
        j += b[j] == key;
        put_segment(next - 1, key, (double)(j - j_start), (double)(i - i_start));
        last = key;
    }
    while (i < i_end || j < j_end) {
        uint64_t key = i < i_end ? a[i] : b[j];
        if (next == to || key != last) i_start = i, j_start = j, next++;
        *(i < i_end ? &i : &j) += 1;
        put_segment(next - 1, key, (double)(j - j_start), (double)(i - i_start));
        last = key;
    }
}

/* The same with weights, added up in the order of the rows. */
static void merge_weights(const merge_work *w, size_t p)
{
    size_t at[2] = {w->parts[p].begin[0], w->parts[p].begin[1]};
    const size_t *end = w->parts[p + 1].begin;
    cairn_segment *next = w->segments + w->parts[p].segment;
    while (at[0] < end[0] || at[1] < end[1]) {
        uint64_t key = UINT64_MAX;
        double sums[2] = {0, 0};
        for (int c = 0; c < 2; c++)
            if (at[c] < end[c] && w->keys[c][at[c]] < key) key = w->keys[c][at[c]];
        for (int c = 0; c < 2; c++) {
            for (; at[c] < end[c] && w->keys[c][at[c]] == key; at[c]++) {
                double weight;
                memcpy(&weight, &w->weight_bits[c][at[c]], sizeof weight);
                sums[c] += weight;
            }
        }
        put_segment(next++, key, sums[1], sums[0]);
    }
}

static void merge_parts(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const merge_work *w = data;
    (void)block;
    (void)worker;
    for (size_t p = begin; p < end; p++) {
        if (w->weight_bits[0])
            merge_weights(w, p);
        else
            merge_counts(w, p);
    }
}

/* Cut both arrays at every PART-th key of the longer one. */
static void cut_parts(merge_work *w, const size_t n[2], size_t n_parts)
{
    int longer = n[1] > n[0];
    for (size_t p = 0; p < n_parts; p++) {
        uint64_t key = w->keys[longer][p * PART];
        for (int c = 0; c < 2; c++)
            w->parts[p].begin[c] = p == 0 ? 0 : lower_bound(w->keys[c], n[c], key);
    }
    for (int c = 0; c < 2; c++) w->parts[n_parts].begin[c] = n[c];
}

static cairn_status merge_classes(cairn_context *ctx, cairn_ranking *out, merge_work *w,
                                  const size_t n[2])
{
    size_t n_parts = cairn_block_count(n[0] > n[1] ? n[0] : n[1], PART), n_segments = 0;
    double work = 4 * (double)(n[0] + n[1]);
    CHECK(SCRATCH_RAW(ctx, &w->parts, n_parts + 1));
    cut_parts(w, n, n_parts);
    CHECK(cairn_blocks_sized(ctx, n_parts, 1, work, count_segments, w));
    for (size_t p = 0; p < n_parts; p++) {
        size_t count = w->parts[p].segment;
        w->parts[p].segment = n_segments;
        n_segments += count;
    }
    CHECK(SCRATCH_RAW(ctx, &w->segments, n_segments));
    CHECK(cairn_blocks_sized(ctx, n_parts, 1, work, merge_parts, w));
    out->segments = w->segments;
    out->n = n_segments;
    return CAIRN_OK;
}

/* Totals of a weighted ranking, added up in order. */
static void sum_segments(cairn_ranking *r)
{
    r->positives = r->negatives = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->positives += r->segments[i].positives;
        r->negatives += r->segments[i].negatives;
    }
}

cairn_status cairn_ranking_make(cairn_context *ctx, cairn_ranking *out, const double *scores,
                                const int8_t *classes, const double *weights, size_t n_rows)
{
    cairn_status status;
    cairn_ranking ranking = {0};
    split_work split = {.scores = scores, .weights = weights, .classes = classes};
    size_t n[2];
    TRY(sort_classes(ctx, &split, n_rows, n));
    merge_work merge = {.keys = {split.keys[0], split.keys[1]},
                        .weight_bits = {split.weight_bits[0], split.weight_bits[1]}};
    TRY(merge_classes(ctx, &ranking, &merge, n));
    ranking.positives = (double)n[1];
    ranking.negatives = (double)n[0];
    if (weights) sum_segments(&ranking);
    *out = ranking;
done:
    for (int class = 0; class < 2; class ++) FREE_EACH(split.keys[class], split.weight_bits[class]);
    return status;
}

/* -- pairs and the area -- */

cairn_ranking_pairs cairn_ranking_count_pairs(const cairn_ranking *ranking)
{
    cairn_ranking_pairs pairs = {0, 0};
    double negatives = 0;
    for (size_t i = 0; i < ranking->n; i++) {
        const cairn_segment *s = &ranking->segments[i];
        pairs.wrong += s->positives * negatives;
        pairs.tied += s->positives * s->negatives;
        negatives += s->negatives;
    }
    return pairs;
}

double cairn_ranking_auc(const cairn_ranking *ranking)
{
    double all = ranking->positives * ranking->negatives;
    if (!(all > 0)) return NAN;
    cairn_ranking_pairs pairs = cairn_ranking_count_pairs(ranking);
    return (all - pairs.wrong - pairs.tied / 2) / all;
}

/* -- hulls -- */

typedef struct hull_work {
    const cairn_segment *from;
    cairn_segment *to; /* every block pools its segments to where they were */
    size_t *counts;    /* of the segments that each block has left */
    bool lower, keep_collinear;
    cairn_pool_watch watch; /* NULL = nobody looks */
    void *watch_data;
} hull_work;

/* Whether two neighbours belong together: the share of positives rises (falls in a lower hull), or
 * stays the same. */
static bool violates(const cairn_segment *a, const cairn_segment *b, bool lower,
                     bool keep_collinear)
{
    double before = a->positives * b->negatives, after = b->positives * a->negatives;
    if (a->positives + a->negatives == 0 || b->positives + b->negatives == 0) return true;
    if (before == after) return !keep_collinear;
    return lower ? before > after : after > before;
}

/* Add a segment to n pooled ones; their new number. */
static size_t pool(const hull_work *w, cairn_segment *pooled, size_t n, const cairn_segment *s)
{
    cairn_segment next = *s;
    while (n > 0) {
        bool together = violates(&pooled[n - 1], &next, w->lower, w->keep_collinear);
        if (w->watch) w->watch(w->watch_data, &pooled[n - 1], &next, together);
        if (!together) break;
        n--;
        next.score = pooled[n].score;
        next.positives += pooled[n].positives;
        next.negatives += pooled[n].negatives;
    }
    pooled[n] = next;
    return n + 1;
}

static void pool_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    hull_work *w = data;
    size_t n = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) n = pool(w, w->to + begin, n, &w->from[i]);
    w->counts[block] = n;
}

static cairn_status hull(cairn_context *ctx, cairn_ranking *out, const cairn_ranking *ranking,
                         hull_work *w)
{
    size_t n_blocks = cairn_block_count(ranking->n, HULL_BLOCK), n = 0;
    w->from = ranking->segments;
    CHECK(SCRATCH_RAW(ctx, &w->to, ranking->n));
    CHECK(SCRATCH(ctx, &w->counts, n_blocks));
    CHECK(cairn_blocks(ctx, ranking->n, HULL_BLOCK, pool_block, w));
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < w->counts[b]; i++) n = pool(w, w->to, n, &w->to[b * HULL_BLOCK + i]);
    *out = (cairn_ranking){w->to, n, ranking->positives, ranking->negatives};
    return CAIRN_OK;
}

cairn_status cairn_ranking_hull(cairn_context *ctx, cairn_ranking *out,
                                const cairn_ranking *ranking, bool keep_collinear)
{
    hull_work w = {.keep_collinear = keep_collinear};
    return hull(ctx, out, ranking, &w);
}

cairn_status cairn_ranking_hull_watched(cairn_context *ctx, cairn_ranking *out,
                                        const cairn_ranking *ranking, bool keep_collinear,
                                        cairn_pool_watch watch, void *data)
{
    hull_work w = {.keep_collinear = keep_collinear, .watch = watch, .watch_data = data};
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &w.to, ranking->n));
    for (size_t i = 0; i < ranking->n; i++) n = pool(&w, w.to, n, &ranking->segments[i]);
    *out = (cairn_ranking){w.to, n, ranking->positives, ranking->negatives};
    return CAIRN_OK;
}

cairn_status cairn_ranking_lower_hull(cairn_context *ctx, cairn_ranking *out,
                                      const cairn_ranking *ranking, bool keep_collinear)
{
    hull_work w = {.lower = true, .keep_collinear = keep_collinear};
    return hull(ctx, out, ranking, &w);
}

/* -- reading rankings -- */

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
    CHECK(SCRATCH_EACH(ctx, r->n + 1, &out->positives, &out->negatives));
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
    CHECK(SCRATCH_EACH(ctx, n + 1, &w.x, &w.y, &w.at));
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
