/* SPDX-License-Identifier: MIT */
/* What measures share: see judged.h. */
#include "stats/judged.h"

#include "base/memory.h"

cairn_judged cairn_judged_part(const cairn_judged *judged, size_t begin, size_t end)
{
    cairn_judged out = *judged;
    out.n = end - begin;
    if (out.weights) out.weights += begin;
    if (out.units) out.units += begin;
    if (out.actual) out.actual += begin;
    if (out.predicted) out.predicted += begin;
    if (out.scores) out.scores += begin * out.n_classes;
    if (out.actual_number) out.actual_number += begin;
    if (out.predicted_number) out.predicted_number += begin;
    out.space_at += begin;
    if (out.logs) out.logs += begin;
    if (out.steps) out.steps += begin;
    return out;
}

cairn_judged cairn_judged_with(const cairn_judged *judged, const int32_t *codes,
                               const double *numbers)
{
    cairn_judged out = *judged;
    out.scores = NULL;
    out.predicted = codes;
    out.predicted_number = numbers;
    return out;
}

double cairn_judged_accuracy(const cairn_judged *j)
{
    double right = 0, total = 0;
    for (size_t i = 0; i < j->n; i++) {
        total += cairn_judged_weight(j, i);
        if (cairn_judged_right(j, i)) right += cairn_judged_weight(j, i);
    }
    return total > 0 ? right / total : NAN;
}

double cairn_judged_whole_accuracy(const cairn_judged *j)
{
    double right = 0, total = 0;
    for (size_t begin = 0, end; begin < j->n; begin = end) {
        bool all = true;
        for (end = begin; end < j->n && j->units[end] == j->units[begin]; end++)
            all &= cairn_judged_right(j, end);
        total += cairn_judged_weight(j, begin);
        if (all) right += cairn_judged_weight(j, begin);
    }
    return total > 0 ? right / total : NAN;
}

size_t cairn_judged_unanswered(const cairn_judged *j)
{
    size_t n = 0;
    for (size_t i = 0; i < j->n; i++) n += !cairn_judged_answered(j, i);
    return n;
}

cairn_status cairn_judged_effective(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double sum = 0, squares = 0, *of_unit = NULL;
    size_t n_units = 0;
    for (size_t i = 0; j->units && i < j->n; i++)
        if (j->units[i] >= n_units) n_units = (size_t)j->units[i] + 1;
    CHECK(SCRATCH(ctx, &of_unit, n_units + 1));
    for (size_t i = 0; i < j->n; i++) {
        double w = cairn_judged_weight(j, i);
        if (!j->n_classes && !cairn_judged_answered(j, i)) continue;
        sum += w;
        if (j->units)
            of_unit[j->units[i]] += w;
        else
            squares += w * w;
    }
    for (size_t u = 0; u < n_units; u++) squares += of_unit[u] * of_unit[u];
    *out = squares > 0 ? sum * sum / squares : 0;
    if (!j->units && j->repeats > 1) *out /= j->repeats; /* a unit holds its repeats already */
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

cairn_status cairn_judged_counts(cairn_context *ctx, cairn_class_counts **out,
                                 const cairn_judged *j)
{
    cairn_class_counts *counts;
    CHECK(SCRATCH(ctx, &counts, j->n_classes + 1));
    for (size_t i = 0; i < j->n; i++) {
        double w = cairn_judged_weight(j, i);
        if (j->actual[i] >= 0) counts[j->actual[i]].actual += w;
        if (j->predicted[i] >= 0) counts[j->predicted[i]].predicted += w;
        if (cairn_judged_right(j, i)) counts[j->actual[i]].right += w;
    }
    *out = counts;
    return CAIRN_OK;
}

/* -- scores -- */

cairn_status cairn_judged_ranking(cairn_context *ctx, cairn_ranking *out, const cairn_judged *j,
                                  size_t class)
{
    double *scores;
    int8_t *classes;
    CHECK(SCRATCH_RAW_EACH(ctx, j->n + 1, &scores, &classes));
    for (size_t i = 0; i < j->n; i++) {
        double score = j->scores[i * j->n_classes + class];
        scores[i] = isnan(score) ? -INFINITY : score; /* no answer: last in every ranking */
        classes[i] = j->actual[i] < 0 ? -1 : (size_t)j->actual[i] == class;
    }
    return cairn_ranking_make(ctx, out, scores, classes, j->weights, j->n);
}

bool cairn_judged_has_scores(const cairn_judged *j)
{
    if (!j->scores || j->n == 0 || j->n_classes < 2) return false;
    for (size_t i = 0; i < j->n * j->n_classes; i++)
        if (isnan(j->scores[i])) return false; /* a row without an answer has no scores either */
    return true;
}

bool cairn_judged_has_probabilities(const cairn_judged *j)
{
    size_t k = j->n_classes;
    for (size_t i = 0; i < j->n; i++) {
        double sum = 0;
        for (size_t c = 0; c < k; c++) {
            double p = j->scores[i * k + c];
            if (!(p >= -1e-9 && p <= 1 + 1e-9)) return false;
            sum += p;
        }
        if (fabs(sum - 1) > 1e-6) return false;
    }
    return true;
}

/* -- costs -- */

/* Largest of n numbers, at least 0. */
static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, x[i]);
    return most;
}

cairn_status cairn_judged_cost(cairn_context *ctx, cairn_cost *out, const cairn_judged *j,
                               const double *costs)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t k = j->n_classes;
    double weight = 0, most = 0, highest = largest(costs, k * k), *constant;
    *out = (cairn_cost){0};
    CHECK(SCRATCH(ctx, &constant, k + 1)); /* what giving one answer to all rows costs */
    for (size_t i = 0; i < j->n; i++) {
        const double *row = costs + (size_t)(j->actual[i] < 0 ? 0 : j->actual[i]) * k;
        double w = cairn_judged_weight(j, i);
        if (j->actual[i] < 0) continue;
        out->total += w * (j->predicted[i] < 0 ? highest : row[j->predicted[i]]);
        for (size_t c = 0; c < k; c++) constant[c] += w * row[c];
        most += w * largest(row, k);
        weight += w;
    }
    for (size_t c = 1; c < k; c++)
        if (constant[c] < constant[out->cheapest]) out->cheapest = c;
    out->mean = weight > 0 ? out->total / weight : NAN;
    out->baseline = weight > 0 ? constant[out->cheapest] / weight : NAN;
    out->error = most > 0 ? out->total / most : NAN;
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}
