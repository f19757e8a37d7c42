/* SPDX-License-Identifier: MIT */
/* Scores for several classes. */
#include "stats/multiclass.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/ranking.h"

#include <math.h>

/* -- areas -- */

typedef struct auc_work {
    const double *scores;
    const int32_t *classes;
    const double *weights;
    size_t n, k;
    const size_t *counts; /* k: rows of each class */
    double *areas;        /* k x k; on the diagonal a class against all others */
} auc_work;

/* Area of class i = task / k against class j = task % k, or against all others when they are the
 * same. Only the rows that count are ranked. */
static cairn_status one_area(cairn_context *ctx, void *data, size_t task)
{
    const auc_work *w = data;
    SCOPED_SCRATCH(ctx);
    cairn_ranking ranking;
    size_t i = task / w->k, j = task % w->k, n = 0, room = w->counts[i] + w->counts[j];
    double *column, *weights = NULL;
    int8_t *sides;
    if (i == j) room = w->n;
    CHECK(SCRATCH_RAW(ctx, &column, room + 1));
    CHECK(SCRATCH_RAW(ctx, &sides, room + 1));
    if (w->weights) CHECK(SCRATCH_RAW(ctx, &weights, room + 1));
    for (size_t r = 0; r < w->n; r++) {
        int32_t class = w->classes[r];
        if (class < 0 || (size_t) class >= w->k) continue;
        if (i != j && (size_t) class != i && (size_t) class != j) continue;
        if (weights) weights[n] = w->weights[r];
        sides[n] = (size_t) class == i;
        column[n++] = w->scores[r * w->k + i];
    }
    CHECK(cairn_ranking_make(ctx, &ranking, column, sides, weights, n));
    w->areas[task] = cairn_ranking_auc(&ranking);
    return CAIRN_OK;
}

typedef struct mean {
    double sum, weight;
} mean;

static void add(mean *m, double value, double weight)
{
    if (isnan(value) || !(weight > 0)) return;
    m->sum += value * weight;
    m->weight += weight;
}

static double mean_of(mean m)
{
    return m.weight > 0 ? m.sum / m.weight : NAN;
}

/* Means over classes and over pairs of classes, plain and weighted by sizes, by pairs of rows and
 * by sums of sizes; what has no AUC drops out. */
void cairn_multiclass_auc_average(cairn_multiclass_auc *a)
{
    mean rest = {0, 0}, rest_weighted = {0, 0}, one = {0, 0}, pairs = {0, 0}, shares = {0, 0};
    for (size_t i = 0; i < a->k; i++) {
        add(&rest, a->against_rest[i], 1);
        add(&rest_weighted, a->against_rest[i], a->sizes[i]);
        for (size_t j = 0; j < a->k; j++) {
            double value = a->against_one[i * a->k + j];
            add(&one, value, 1);
            add(&pairs, value, a->sizes[i] * a->sizes[j]);
            add(&shares, value, a->sizes[i] + a->sizes[j]);
        }
    }
    a->rest_mean = mean_of(rest);
    a->rest_weighted = mean_of(rest_weighted);
    a->one_mean = mean_of(one);
    a->one_pairs = mean_of(pairs);
    a->one_shares = mean_of(shares);
}

cairn_status cairn_multiclass_auc_of(cairn_context *ctx, cairn_multiclass_auc *out,
                                     const double *scores, const int32_t *classes,
                                     const double *weights, size_t n, size_t k)
{
    cairn_multiclass_auc a = {.k = k};
    size_t *counts;
    CHECK(SCRATCH(ctx, &a.sizes, k));
    CHECK(SCRATCH(ctx, &a.against_rest, k));
    CHECK(SCRATCH(ctx, &a.against_one, cairn_product(k, k)));
    CHECK(SCRATCH(ctx, &counts, k));
    for (size_t r = 0; r < n; r++)
        if (classes[r] >= 0 && (size_t)classes[r] < k) {
            a.sizes[classes[r]] += weights ? weights[r] : 1;
            counts[classes[r]]++;
        }
    auc_work work = {scores, classes, weights, n, k, counts, a.against_one};
    CHECK(cairn_tasks_sized(ctx, cairn_product(k, k), 20 * (double)n * (double)k, one_area, &work));
    for (size_t i = 0; i < k; i++) {
        a.against_rest[i] = a.against_one[i * k + i];
        a.against_one[i * k + i] = NAN;
    }
    cairn_multiclass_auc_average(&a);
    *out = a;
    return CAIRN_OK;
}

/* -- coverage counts -- */

void cairn_coverage_scores(double *out, const double *fires, const double *counts, size_t n,
                           size_t m, size_t k)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++) {
            double sum = 0;
            for (size_t r = 0; r < m; r++) sum += fires[i * m + r] * counts[r * k + c];
            out[i * k + c] = sum;
        }
}

/* -- weights of the classes -- */

int32_t cairn_weighted_decision(const double *scores, const double *weights, size_t k)
{
    size_t best = 0;
    for (size_t i = 1; i < k; i++)
        if (weights[i] * scores[i] > weights[best] * scores[best]) best = i;
    return (int32_t)best;
}

typedef struct reweighting {
    const double *scores, *row_weights, *costs;
    const int32_t *classes;
    const size_t *order;
    size_t n, k;
    double *weights;     /* k */
    uint64_t *keys, *at; /* n: rows by the weight from which they go to the class at hand */
    double *change;      /* n: what each row's cost changes by then */
    const cairn_reweight_watch *watch; /* NULL = nobody looks */
    size_t class;                      /* at hand */
} reweighting;

static double cost_of(const reweighting *w, size_t actual, size_t said)
{
    return w->costs ? w->costs[actual * w->k + said] : actual != said;
}

/* The class among the first `n_done` that wins a row, and its weighted score. */
static size_t winner(const reweighting *w, const double *s, size_t n_done, double *value)
{
    size_t best = w->order[0];
    for (size_t t = 1; t < n_done; t++)
        if (w->weights[w->order[t]] * s[w->order[t]] > w->weights[best] * s[best])
            best = w->order[t];
    *value = w->weights[best] * s[best];
    return best;
}

/* Rows of the classes tuned so far and of the class at hand, with the weight from which on each is
 * given to that class. Returns their number. */
static size_t collect_rows(reweighting *w, size_t step, const bool *known)
{
    size_t n = 0, class = w->order[step];
    for (size_t r = 0; r < w->n; r++) {
        int32_t actual = w->classes[r];
        const double *s = w->scores + r * w->k;
        double value;
        if (actual < 0 || (size_t)actual >= w->k || !known[actual]) continue;
        size_t before = winner(w, s, step, &value);
        if (!(s[class] > 0)) continue; /* no weight gives it to the class */
        w->change[r] = (w->row_weights ? w->row_weights[r] : 1) *
                       (cost_of(w, (size_t)actual, class) - cost_of(w, (size_t)actual, before));
        w->keys[n] = cairn_order_key(value / s[class]);
        w->at[n++] = r;
    }
    return n;
}

/* Distance of a weight from 1: how many times it is larger or smaller. */
static double away_from_one(double weight)
{
    return weight > 0 ? fabs(cairn_log(weight)) : INFINITY;
}

/* Between neighbouring places the cost is constant; take the middle of the cheapest stretch. */
static double cheapest_weight(const reweighting *w, size_t n)
{
    double cost = 0, best_cost = INFINITY, best = 1;
    for (size_t i = 0; i <= n; i++) {
        double low = i > 0 ? cairn_order_number(w->keys[i - 1]) : 0;
        double high = i < n ? cairn_order_number(w->keys[i]) : INFINITY;
        if (i > 0) cost += w->change[w->at[i - 1]];
        if (i > 0 && i < n && low == high) continue;
        double middle = low <= 1 && 1 < high && low < 1 ? 1
                        : isinf(high)                   ? (low > 0 ? 2 * low : 1)
                                                        : low + (high - low) / 2;
        if (w->watch) w->watch->candidate(w->watch->data, w->class, low, high, middle, cost);
        bool better = cost < best_cost - 1e-12;
        bool equal = !better && cost <= best_cost + 1e-12;
        if (better || (equal && away_from_one(middle) < away_from_one(best)))
            best_cost = better ? cost : best_cost, best = middle;
    }
    return best;
}

cairn_status cairn_reweight_classes(cairn_context *ctx, double *out, const double *scores,
                                    const int32_t *classes, const double *weights, size_t n,
                                    size_t k, const size_t *order, const double *costs,
                                    const cairn_reweight_watch *watch)
{
    reweighting w = {scores, weights, costs, classes, order, n, k, out, NULL, NULL, NULL, watch, 0};
    size_t *plain;
    bool *known;
    for (size_t i = 0; i < n * k; i++)
        if (!(scores[i] >= 0) || isinf(scores[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu has a score that is negative or no finite number: weights "
                              "of classes need scores from 0 up",
                              i / k + 1);
    CHECK(SCRATCH(ctx, &plain, k));
    CHECK(SCRATCH(ctx, &known, k));
    CHECK(SCRATCH(ctx, &w.keys, n));
    CHECK(SCRATCH(ctx, &w.at, n));
    CHECK(SCRATCH(ctx, &w.change, n));
    for (size_t i = 0; i < k; i++) plain[i] = i;
    if (!w.order) w.order = plain;
    out[w.order[0]] = 1;
    known[w.order[0]] = true;
    for (size_t step = 1; step < k; step++) {
        known[w.order[step]] = true;
        size_t n_rows = collect_rows(&w, step, known);
        w.class = w.order[step];
        CHECK(cairn_sort_keys(ctx, w.keys, w.at, n_rows));
        out[w.order[step]] = cheapest_weight(&w, n_rows);
    }
    return CAIRN_OK;
}
