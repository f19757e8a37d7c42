/* SPDX-License-Identifier: MIT */
/* Merge: starts with many small bins and joins neighbours, from the bottom up.
 *
 *     chi        (chi-merge) join the two neighbouring bins that differ least in their classes,
 *                again and again, until the least difference is significant or few enough bins are
 *                left. Consecutive bins that hold one and the same class only are joined first.
 *     monotone   pool neighbours until the share of one class rises (or falls) from each bin to the
 *                next: the operation that makes the convex hull of a ranking.
 *
 * The first bins are the distinct values, or equally wide. The difference is chi-squared (lowest
 * first; its critical value has as many degrees of freedom as classes less one) or another score.
 * Of equal differences, within 1e-12, the leftmost pair is joined. Pairs stand in a heap: the cost
 * is that of sorting, and classes x log(bins) per merge. */
#include "transforms/cuts.h"
#include "transforms/cutscore.h"
#include "base/number.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "stats/ranking.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { METHOD_CHI, METHOD_MONOTONE } merge_method;
typedef enum { DIRECTION_AUTO, DIRECTION_RISING, DIRECTION_FALLING } direction;
typedef enum { COLLINEAR_MERGE, COLLINEAR_KEEP } collinear_choice;

enum { AUTO_BINS = 20, SHOWN_BINS = 30, MOST_INITIAL = 1000000 };

typedef struct merge_params {
    const char *columns;
    int method;
    int score;
    double alpha, max_score;
    int bins, most;
    bool join_pure;
    int initial;
    double width;
    int direction, collinear;
    const char *of_class;
    cairn_cut_form form;
} merge_params;

static const cairn_choice methods[] = {
    {"chi", METHOD_CHI, "join the pair that differs least until all differ enough"},
    {"monotone", METHOD_MONOTONE, "pool until the share of a class only rises or only falls"},
    {0},
};
static const cairn_choice directions[] = {
    {"auto", DIRECTION_AUTO, "whichever the column as a ranking does better"},
    {"rising", DIRECTION_RISING, "the share of the class rises with the column"},
    {"falling", DIRECTION_FALLING, "the share of the class falls with the column"},
    {0},
};
static const cairn_choice collinears[] = {
    {"merge", COLLINEAR_MERGE, "pooled"},
    {"keep", COLLINEAR_KEEP, "left apart"},
    {0},
};

static const cairn_param merge_param_table[] = {
    CAIRN_PARAM_CHOICE(merge_params, method, "chi", methods, "what is joined"),
    CAIRN_PARAM_AS(merge_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to cut, of numbers or ordered levels; all of these when not given"),
    CAIRN_PARAM_CHOICE(merge_params, score, "chi2", cairn_cut_scores, "how neighbours are compared",
                       .when = "method=chi"),
    CAIRN_PARAM(merge_params, alpha, "0.05", "(0,1)",
                "stop when the least chi-squared is significant at this level",
                .when = "method=chi,score=chi2,!bins,!max_score"),
    CAIRN_PARAM(merge_params, max_score, "0", "[0,inf)",
                "stop when the least score is above this; needed by scores other than chi2, which "
                "have no critical value; 0 = alpha decides",
                .when = "method=chi,!bins"),
    CAIRN_PARAM(merge_params, bins, "0", "[0,inf)",
                "stop at this number of bins, whatever alpha says; 0 = alpha decides",
                .when = "method=chi"),
    CAIRN_PARAM(merge_params, most, "100", "[0,inf)",
                "go on until there are at most so many bins, whatever alpha says; 0 = any number",
                .when = "method=chi,!bins"),
    CAIRN_PARAM(merge_params, join_pure, "yes", NULL,
                "first join neighbours that hold one and the same class only",
                .when = "method=chi"),
    CAIRN_PARAM(merge_params, initial, "-1", "[-1,1000000]",
                "number of equally wide bins to begin with; 0 = every distinct value is a bin; -1 "
                "= 0 for chi, and 20 for monotone unless there are fewer values",
                .when = "!bin_width"),
    CAIRN_PARAM_CALLED(
        "bin_width", merge_params, width, "0", "[0,inf)",
        "begin with bins of this width, with borders at its multiples; 0 = see initial",
        .was = "width"),
    CAIRN_PARAM_CHOICE(merge_params, direction, "auto", directions, "of the shares",
                       .when = "method=monotone"),
    CAIRN_PARAM_CHOICE(merge_params, collinear, "merge", collinears,
                       "neighbours with the same share", .when = "method=monotone"),
    CAIRN_PARAM(merge_params, of_class, NULL, NULL,
                "the class whose share counts; the positive one of two", .when = "method=monotone"),
    CAIRN_PARAM_GROUP(merge_params, form, cairn_cut_form_params),
    CAIRN_PARAM_END,
};

static cairn_status merge_check(cairn_context *ctx, const void *values)
{
    const merge_params *p = values;
    if (p->method == METHOD_CHI && p->score != CAIRN_CUT_CHI2 && p->bins == 0 && p->max_score == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "merge: score=%s has no critical value; say where to stop with bins or "
                          "max-score",
                          cairn_cut_score_name(p->score));
    return CAIRN_OK;
}

/* The bins of one column, in order; `next` links those that are left. */
typedef struct pile {
    size_t n, n_classes;
    double *low, *high;    /* n: first and last value */
    double *edge;          /* n: cut above the bin; NaN = in the middle of the gap */
    double *counts;        /* n x n_classes */
    double *weight;        /* n */
    uint32_t *next, *prev; /* n; UINT32_MAX = none */
    size_t left;           /* bins that are left */
} pile;

static const uint32_t none = UINT32_MAX;

/* -- first bins -- */

/* Which of the equally wide bins a value falls into, and its upper edge. */
typedef struct grid {
    double origin, width; /* width 0 = no grid */
    double n;
} grid;

static double grid_bin(const grid *g, double x)
{
    double bin = ceil((x - g->origin) / g->width) - 1; /* a bin holds its upper end */
    return fmin(fmax(bin, 0), g->n - 1);
}

/* Decides the first bins: a given width counts from a multiple of itself, a number of bins from the
 * least value, and without either every different value is a bin. */
static cairn_status make_grid(cairn_context *ctx, grid *out, const merge_params *p,
                              const cairn_sorted *s, const char *column)
{
    double low = s->values[0], high = s->values[s->n - 1];
    int initial = p->initial;
    *out = (grid){0};
    if (initial < 0 && p->method == METHOD_MONOTONE && s->n_distinct > AUTO_BINS)
        initial = AUTO_BINS;
    bool wanted = (p->width > 0 || initial > 0) && high > low;
    if (wanted && !(isfinite(low) && isfinite(high)))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "merge: column '%s' has infinite values, which equally wide bins cannot "
                          "hold; use initial=0",
                          column);
    if (!wanted) return CAIRN_OK;
    out->origin = p->width > 0 ? floor(low / p->width) * p->width : low;
    out->width = p->width > 0 ? p->width : (high - low) / initial;
    out->n = p->width > 0 ? fmax(1, ceil((high - out->origin) / out->width)) : initial;
    if (!(out->n <= MOST_INITIAL) || !(out->width > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "merge: more than a million bins of that width fit into column '%s'; "
                          "choose a larger width",
                          column);
    return CAIRN_OK;
}

static bool same_bin(const grid *g, double a, double b)
{
    return g->width > 0 ? grid_bin(g, a) == grid_bin(g, b) : a == b;
}

/* The number of first bins is counted before anything is taken, so that the limit of memory can
 * refuse with the remedy that helps. */
static cairn_status pile_buffer(cairn_context *ctx, pile *out, const cairn_sorted *s, const grid *g,
                                const char *column)
{
    cairn_status status;
    for (size_t i = 0; i < s->n; i++)
        out->n += i == 0 || !same_bin(g, s->values[i - 1], s->values[i]);
    status = cairn_memory_check(ctx, 8.0 * (double)out->n * (double)(out->n_classes + 6),
                                "merging the bins of a column",
                                "begin with fewer bins by merge:initial=1000");
    if (status) cairn_message_prefix(ctx, "column '%s'", column);
    TRY(status);
    TRY(SCRATCH_RAW_EACH(ctx, out->n, &out->low, &out->high, &out->edge));
    TRY(SCRATCH(ctx, &out->weight, out->n));
    TRY(SCRATCH(ctx, &out->counts, cairn_product(out->n, out->n_classes)));
    TRY(SCRATCH_RAW_EACH(ctx, out->n, &out->next, &out->prev));
done:
    return status;
}

/* Join bin b with the one after it. */
static void join(pile *p, uint32_t b)
{
    uint32_t gone = p->next[b];
    for (size_t k = 0; k < p->n_classes; k++)
        p->counts[b * p->n_classes + k] += p->counts[gone * p->n_classes + k];
    p->weight[b] += p->weight[gone];
    p->high[b] = p->high[gone];
    p->edge[b] = p->edge[gone];
    p->next[b] = p->next[gone];
    if (p->next[b] != none) p->prev[p->next[b]] = b;
    p->left--;
}

/* The only class of a bin, or -1. */
static ptrdiff_t only_class(const pile *p, uint32_t b)
{
    ptrdiff_t found = -1;
    for (size_t k = 0; k < p->n_classes; k++) {
        if (!(p->counts[b * p->n_classes + k] > 0)) continue;
        if (found >= 0) return -1;
        found = (ptrdiff_t)k;
    }
    return found;
}

/* -- the heap of pairs: bin b stands for b and its successor -- */

/* Keys lie in the heap itself, and a node has four children: fewer trips to memory. */
typedef struct heap_item {
    double key; /* the score without its last bits */
    uint32_t bin;
} heap_item;

enum { CHILDREN = 4 };

typedef struct heap {
    const merge_params *params;
    pile *p;
    double *score;    /* by bin */
    heap_item *items; /* the least key first */
    uint32_t *place;  /* of a bin in items */
    double *both;     /* classes: working memory */
    size_t n;
    double critical; /* stop above it */
} heap;

/* The last bits go, so that equal scores are equal however they were computed. */
static double without_noise(double score)
{
    union {
        double number;
        uint64_t bits;
    } u = {.number = score};
    u.bits = (u.bits + 0x800) & ~(uint64_t)0xFFF;
    return u.number;
}

static double pair_score(const heap *h, uint32_t b)
{
    const pile *p = h->p;
    const double *left = p->counts + b * p->n_classes;
    const double *right = p->counts + p->next[b] * p->n_classes;
    for (size_t k = 0; k < p->n_classes; k++) h->both[k] = left[k] + right[k];
    return cairn_cut_score_of(h->params->score, left, h->both, p->n_classes, p->weight[b],
                              p->weight[b] + p->weight[p->next[b]], NULL);
}

static bool before(heap_item a, heap_item b)
{
    return a.key < b.key || (a.key == b.key && a.bin < b.bin);
}

static void put(heap *h, size_t at, heap_item item)
{
    h->items[at] = item;
    h->place[item.bin] = (uint32_t)at;
}

static void sift(heap *h, size_t at)
{
    heap_item item = h->items[at];
    for (; at > 0 && before(item, h->items[(at - 1) / CHILDREN]); at = (at - 1) / CHILDREN)
        put(h, at, h->items[(at - 1) / CHILDREN]);
    for (size_t child; (child = CHILDREN * at + 1) < h->n; at = child) {
        size_t end = child + CHILDREN < h->n ? child + CHILDREN : h->n;
        for (size_t c = child + 1; c < end; c++)
            if (before(h->items[c], h->items[child])) child = c;
        if (!before(h->items[child], item)) break;
        put(h, at, h->items[child]);
    }
    put(h, at, item);
}

static void heap_drop(heap *h, uint32_t bin)
{
    size_t at = h->place[bin];
    heap_item last = h->items[--h->n];
    if (last.bin == bin) return;
    put(h, at, last);
    sift(h, at);
}

static void heap_update(heap *h, uint32_t bin)
{
    h->score[bin] = pair_score(h, bin);
    h->items[h->place[bin]].key = without_noise(h->score[bin]);
    sift(h, h->place[bin]);
}

/* Join the pair of bin b and look at its new neighbours. */
static void join_pair(heap *h, uint32_t b)
{
    uint32_t gone = h->p->next[b];
    bool last = h->p->next[gone] == none;
    if (!last) heap_drop(h, gone);
    join(h->p, b);
    if (last)
        heap_drop(h, b);
    else
        heap_update(h, b);
    if (h->p->prev[b] != none) heap_update(h, h->p->prev[b]);
}

/* -- showing -- */

typedef struct shown {
    cairn_report *out;
    const char *key;
    const cairn_column *target;
} shown;

static void range_cell(cairn_report *out, double low, double high)
{
    char a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
    cairn_number_format(a, low, 6);
    cairn_number_format(b, high, 6);
    if (low == high)
        cairn_report_cell(out, a);
    else
        cairn_report_cellf(out, "%s..%s", a, b);
}

/* Shown before the pair is joined, with the pair marked; rounds with many bins are left out, as
 * only the last ones are worth reading. */
static void show_round(const shown *show, const heap *h, size_t round, uint32_t chosen)
{
    const pile *p = h->p;
    cairn_report *out = show->out;
    char title[64];
    size_t number = 0;
    if (!out || p->left > SHOWN_BINS) return;
    snprintf(title, sizeof title, chosen == none ? "Round %zu: no more" : "Round %zu", round);
    cairn_report_table_of(out, title, 0, "rl", "bin", "values");
    for (size_t k = 0; k < p->n_classes; k++)
        cairn_report_column(out, cairn_level_name(show->target, (int32_t)k), 'r');
    cairn_report_column(out, "with the next", 'r');
    for (uint32_t b = 0; b != none; b = p->next[b]) {
        cairn_report_cellf(out, "%zu", ++number);
        range_cell(out, p->low[b], p->high[b]);
        for (size_t k = 0; k < p->n_classes; k++)
            cairn_report_cell_number(
                out, p->counts[b * p->n_classes + k], 0, "merge.%s.round%zu.bin%zu.%s", show->key,
                round, number, cairn_report_key(out, cairn_level_name(show->target, (int32_t)k)));
        if (b == chosen) {
            cairn_report_row_mark(out);
            cairn_report_hidden(out, (double)number, "merge.%s.round%zu.joined", show->key, round);
        }
        if (p->next[b] == none)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, h->score[b], 0, "merge.%s.round%zu.score%zu", show->key,
                                     round, number);
    }
    cairn_report_table_end(out);
}

/* -- chi-merge -- */

static bool enough(const heap *h)
{
    const merge_params *p = h->params;
    if (h->n == 0) return true;
    if (p->bins > 0) return h->p->left <= (size_t)p->bins;
    if (p->most > 0 && h->p->left > (size_t)p->most) return false;
    return h->score[h->items[0].bin] > h->critical;
}

/* Joins the pair with the smallest chi-square until it reaches the critical value or the wanted
 * number of bins; pure neighbours may be joined first. */
static cairn_status merge_chi(cairn_context *ctx, pile *p, const merge_params *params,
                              const shown *show)
{
    heap h = {.params = params, .p = p};
    size_t round = 1, unseen = 0;
    if (params->join_pure) {
        for (uint32_t b = 0; b != none;) {
            uint32_t next = p->next[b];
            ptrdiff_t class = next == none ? -1 : only_class(p, b);
            if (class >= 0 && class == only_class(p, next))
                join(p, b);
            else
                b = next;
        }
    }
    double classes = 0;
    if (params->max_score > 0) {
        h.critical = params->max_score;
    } else {
        for (size_t k = 0; k < p->n_classes; k++) {
            double sum = 0;
            for (uint32_t b = 0; b != none && sum == 0; b = p->next[b])
                sum += p->counts[b * p->n_classes + k];
            classes += sum > 0;
        }
        h.critical = classes > 1 ? cairn_chi2_quantile_upper(params->alpha, classes - 1) : 0;
    }
    CHECK(SCRATCH_EACH(ctx, h.p->n, &h.score, &h.items, &h.place));
    CHECK(SCRATCH(ctx, &h.both, h.p->n_classes));
    for (uint32_t b = 0; b != none && h.p->next[b] != none; b = h.p->next[b]) {
        h.score[b] = pair_score(&h, b);
        put(&h, h.n++, (heap_item){without_noise(h.score[b]), b});
    }
    for (size_t i = h.n; i-- > 0;) sift(&h, i);
    if (params->bins == 0)
        cairn_report_value(show->out, "critical value", h.critical, "merge.%s.critical", show->key);
    for (; !enough(&h); round++) {
        uint32_t best = h.items[0].bin;
        show_round(show, &h, round, best);
        unseen += p->left > SHOWN_BINS;
        if (round % 4096 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        join_pair(&h, best);
    }
    if (unseen)
        cairn_report_note(show->out, "%zu rounds with more than %d bins are not shown.", unseen,
                          SHOWN_BINS);
    show_round(show, &h, round, none);
    cairn_report_hidden(show->out, (double)round - 1, "merge.%s.merges", show->key);
    return CAIRN_OK;
}

/* -- monotone pooling -- */

/* Called before and after pooling; `word` tells the values of the two tables apart by name. */
static void show_shares(const shown *show, const pile *p, size_t class, const char *title,
                        const char *word)
{
    cairn_report *out = show->out;
    size_t number = 0;
    if (!out) return;
    cairn_report_table_of(out, title, 0, "rlrrr", "bin", "values",
                          cairn_level_name(show->target, (int32_t) class), "others", "share");
    for (uint32_t b = 0; b != none; b = p->next[b]) {
        double count = p->counts[b * p->n_classes + class];
        cairn_report_cellf(out, "%zu", ++number);
        range_cell(out, p->low[b], p->high[b]);
        cairn_report_prefix(out, "merge.%s.%s%zu", show->key, word, number);
        cairn_report_cells(out, "@.positives @.negatives @.share", count, p->weight[b] - count,
                           count / p->weight[b]);
    }
    cairn_report_table_end(out);
}

/* The bins as a ranking, best first. */
static void rank_bins(cairn_ranking *out, const pile *p, size_t class, bool falling)
{
    out->n = p->n;
    out->positives = out->negatives = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t b = falling ? i : p->n - 1 - i;
        double count = p->counts[b * p->n_classes + class];
        double score = falling ? -(double)b : (double)b;
        out->segments[i] = (cairn_segment){score, score, count, fmax(0, p->weight[b] - count)};
        out->positives += out->segments[i].positives;
        out->negatives += out->segments[i].negatives;
    }
}

/* Bins that violate the order of shares are pooled by the convex hull of the ROC curve, which is
 * the same as isotonic regression; scores of the ranking are places of bins. */
static cairn_status merge_monotone(cairn_context *ctx, pile *p, const merge_params *params,
                                   size_t class, const shown *show)
{
    cairn_ranking ranking = {0}, hull;
    bool falling = params->direction == DIRECTION_FALLING;
    CHECK(SCRATCH(ctx, &ranking.segments, p->n));
    rank_bins(&ranking, p, class, falling);
    if (params->direction == DIRECTION_AUTO && cairn_ranking_auc(&ranking) < 0.5) {
        falling = true;
        rank_bins(&ranking, p, class, falling);
    }
    cairn_report_word(show->out, "direction", falling ? "falling" : "rising", "merge.%s.direction",
                      show->key);
    show_shares(show, p, class, "First bins", "first");
    CHECK(cairn_ranking_hull(ctx, &hull, &ranking, params->collinear == COLLINEAR_KEEP));
    for (size_t i = 0; i < hull.n; i++) {
        double low = hull.segments[i].low_score, high = hull.segments[i].score;
        uint32_t first = (uint32_t)(falling ? -high : low),
                 last = (uint32_t)(falling ? -low : high);
        while (p->next[first] != none && p->next[first] <= last) join(p, first);
    }
    show_shares(show, p, class, "Pooled bins", "group");
    /* "8+9+10": which of the first bins each pooled one is made of. */
    size_t number = 0;
    if (show->out) {
        for (uint32_t b = 0; b != none; b = p->next[b]) {
            cairn_text text = cairn_text_start(cairn_report_context(show->out));
            uint32_t end = p->next[b] == none ? (uint32_t)p->n : p->next[b];
            for (uint32_t i = b; i < end; i++)
                cairn_text_addf(&text, "%s%u", i > b ? "+" : "", i + 1);
            if (cairn_text_status(&text)) cairn_report_failed(show->out, cairn_text_status(&text));
            cairn_report_hidden_word(show->out, cairn_text_string(&text), "merge.%s.group%zu",
                                     show->key, ++number);
            cairn_text_clear(&text);
        }
    }
    return CAIRN_OK;
}

/* -- the transform -- */

typedef struct merge_work {
    const merge_params *params;
    int32_t class;
} merge_work;

static cairn_status keep_cuts(cairn_context *ctx, cairn_cuts *out, const pile *p)
{
    double *at;
    uint8_t *below;
    size_t n = 0;
    CHECK(SCRATCH_EACH(ctx, p->left + 1, &at, &below));
    for (uint32_t b = 0; p->n && b != none && p->next[b] != none; b = p->next[b]) {
        below[n] = 1;
        /* rounding may put an edge on the wrong side of a value next to it */
        bool fits = p->edge[b] >= p->high[b] && p->edge[b] < p->low[p->next[b]];
        at[n++] = fits ? p->edge[b] : cairn_number_between(p->high[b], p->low[p->next[b]]);
    }
    return cairn_cuts_set(ctx, out, at, below, n);
}

/* A column without a value gets no cut, and all its rows fall into one bin. */
static cairn_status find_cuts(cairn_context *ctx, cairn_cuts *out, const void *data,
                              const cairn_job *job, const cairn_cut_source *source)
{
    const merge_work *work = data;
    const merge_params *params = work->params;
    shown show = {job->steps, cairn_report_key(job->steps, source->name), job->view->target};
    cairn_sorted sorted;
    grid g;
    pile p = {.n_classes = job->view->target->names.n};
    CHECK(cairn_sort_source(ctx, &sorted, job, source, true));
    if (sorted.n) {
        CHECK(make_grid(ctx, &g, params, &sorted, source->name));
        /* Sorted values go into bins of the grid; empty bins of it never exist, and a bin
         * without grid has no edge (NaN), so that the cut falls between values. */
        const char *column = source->name;
        size_t at = 0;
        CHECK(pile_buffer(ctx, &p, &sorted, &g, column));
        for (size_t i = 0; i < sorted.n; i++) {
            double w = sorted.weights ? sorted.weights[i] : 1, x = sorted.values[i];
            if (i == 0 || !same_bin(&g, sorted.values[i - 1], x)) {
                at += i > 0;
                p.low[at] = x;
                p.edge[at] = g.width > 0 ? g.origin + (grid_bin(&g, x) + 1) * g.width : NAN;
            }
            p.high[at] = x;
            p.counts[at * p.n_classes + (size_t)sorted.classes[i]] += w;
            p.weight[at] += w;
        }
        p.left = p.n;
        for (size_t b = 0; b < p.n; b++) {
            p.next[b] = b + 1 < p.n ? (uint32_t)(b + 1) : none;
            p.prev[b] = b ? (uint32_t)(b - 1) : none;
        }
        if (params->method == METHOD_CHI)
            CHECK(merge_chi(ctx, &p, params, &show));
        else
            CHECK(merge_monotone(ctx, &p, params, (size_t)work->class, &show));
    }
    return keep_cuts(ctx, out, &p);
}

static cairn_status merge_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const merge_params *p = job->params;
    merge_work work = {.params = p, .class = -1};
    cairn_cut_source *sources;
    size_t n;
    CHECK(cairn_need_classes(ctx, job, "merge"));
    CHECK(cairn_choose_class(ctx, job, "merge", p->of_class, &work.class));
    if (p->method == METHOD_MONOTONE && work.class < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "merge: the target '%s' has %zu class%s; say with of-class whose share "
                          "is to rise",
                          job->view->target_name, job->view->target->names.n,
                          job->view->target->names.n == 1 ? "" : "es");
    CHECK(cairn_cut_sources(ctx, job, "merge", p->columns, true, &sources, &n));
    return cairn_cutting_fit(ctx, state, job, "merge", sources, n, &p->form, NULL, find_cuts,
                             &work);
}

static cairn_status merge_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const merge_params *p = params;
    return cairn_cutting_apply(ctx, out, state, &p->form, table);
}

static cairn_status merge_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const merge_params *p = job->params;
    return cairn_cutting_lower(out, state, &p->form);
}

static void merge_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_cutting_describe(out, state, "merge");
}

static const cairn_learned merge_tables[] = {
    CAIRN_LEARNED("merge.bins", "bin of a column; the ends of the first and last are missing",
                  cairn_cutting_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_merge = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "merge",
              .also = "ChiMerge, bottom-up discretisation, agglomerative merging",
              .title = "Join neighbouring bins that are alike",
              .summary =
                  "Cuts a number column from the bottom up: every value (or narrow bin) begins as "
                  "a bin of its own, and neighbours are joined. Method chi joins the pair whose "
                  "classes differ least until all neighbours differ significantly; method "
                  "monotone pools bins until the share of the positive class rises or falls "
                  "throughout.",
              .references = "Kerber, ChiMerge: discretization of numeric attributes, AAAI 1992",
              .example = "cairn fit tree @discretise --with merge:alpha=0.1 --steps",
              .params = merge_param_table,
              .params_size = sizeof(merge_params),
              .check = merge_check},
    .state_size = sizeof(cairn_cutting),
    .tables = merge_tables,
    .fit = merge_fit,
    .apply = merge_apply,
    .lower = merge_lower,
    .describe = merge_describe,
    .keeps = cairn_cutting_keeps,
};
