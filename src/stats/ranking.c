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
#include "stats/ranking.h"

#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"

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
    for (int class = 0; class < 2; class ++) {
        cairn_free(split.keys[class]);
        cairn_free(split.weight_bits[class]);
    }
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
