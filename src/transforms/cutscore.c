/* SPDX-License-Identifier: MIT */
/* Scores of a cut: see cutscore.h. */
#include "transforms/cutscore.h"
#include "base/functions.h"
#include <math.h>

const cairn_choice cairn_cut_scores[] = {
    {"gain", CAIRN_CUT_GAIN, "information gain in bits"},
    {"ratio", CAIRN_CUT_RATIO, "gain divided by the entropy of the sizes"},
    {"gini", CAIRN_CUT_GINI, "what the Gini index falls by"},
    {"minority", CAIRN_CUT_MINORITY, "what the minority share falls by"},
    {"sqrt-gini", CAIRN_CUT_SQRT_GINI, "what the root of Gini falls by; class sizes matter less"},
    {"chi2", CAIRN_CUT_CHI2, "chi-squared of the two sides"},
    {"bernoulli", CAIRN_CUT_BERNOULLI, "scatter of the classes in units of their variance"},
    {0},
};

const char *cairn_cut_score_name(int score)
{
    return cairn_cut_scores[score].name;
}

cairn_status cairn_cut_logs(cairn_context *ctx, const double **out, const cairn_view *view)
{
    double *logs;
    *out = NULL;
    if (cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &logs, view->rows.n + 1));
    for (size_t c = 1; c <= view->rows.n; c++) logs[c] = (double)c * cairn_log2((double)c);
    *out = logs;
    return CAIRN_OK;
}

static double log_of(const double *logs, double c)
{
    if (!(c > 0)) return 0;
    return logs ? logs[(size_t)c] : c * cairn_log2(c);
}

static double gain_of(const double *left, const double *all, size_t n_classes, double nl, double n,
                      const double *logs)
{
    double inside = log_of(logs, n) - log_of(logs, nl) - log_of(logs, n - nl);
    for (size_t k = 0; k < n_classes; k++)
        inside += log_of(logs, left[k]) + log_of(logs, all[k] - left[k]) - log_of(logs, all[k]);
    return inside / n;
}

/* Sum over the classes of (left - expected)^2 / scale, times n / (nl nr). */
static double scatter_of(int score, const double *left, const double *all, size_t n_classes,
                         double nl, double n)
{
    double sum = 0;
    for (size_t k = 0; k < n_classes; k++) {
        double share = all[k] / n, away = left[k] - nl * share, scale = 1;
        if (score == CAIRN_CUT_CHI2) scale = share;
        if (score == CAIRN_CUT_BERNOULLI) scale = share * (1 - share);
        if (scale > 0) sum += away * away / scale;
    }
    sum *= n / (nl * (n - nl));
    return score == CAIRN_CUT_GINI ? sum / n : sum;
}

static double minority_of(const double *left, const double *all, size_t n_classes, double n)
{
    double l = 0, r = 0, a = 0;
    for (size_t k = 0; k < n_classes; k++) {
        l = fmax(l, left[k]);
        r = fmax(r, all[k] - left[k]);
        a = fmax(a, all[k]);
    }
    return (l + r - a) / n;
}

static double sqrt_gini_of(const double *left, const double *all, size_t n_classes, double nl,
                           double n)
{
    double sum = 0, nr = n - nl;
    for (size_t k = 0; k < n_classes; k++) {
        double right = fmax(0, all[k] - left[k]);
        sum += sqrt(all[k] * fmax(0, n - all[k])) - sqrt(left[k] * fmax(0, nl - left[k])) -
               sqrt(right * fmax(0, nr - right));
    }
    return sum / (2 * n);
}

double cairn_cut_score_of(int kind, const double *left, const double *all, size_t n_classes,
                          double nl, double n, const double *logs)
{
    double score = 0;
    switch ((cairn_cut_score)kind) {
    case CAIRN_CUT_GAIN:
    case CAIRN_CUT_RATIO: score = gain_of(left, all, n_classes, nl, n, logs); break;
    case CAIRN_CUT_MINORITY: score = minority_of(left, all, n_classes, n); break;
    case CAIRN_CUT_SQRT_GINI: score = sqrt_gini_of(left, all, n_classes, nl, n); break;
    case CAIRN_CUT_GINI:
    case CAIRN_CUT_CHI2:
    case CAIRN_CUT_BERNOULLI: score = scatter_of(kind, left, all, n_classes, nl, n); break;
    }
    if (score < CAIRN_CUT_TIE) return 0;
    if (kind != CAIRN_CUT_RATIO) return score;
    return score * n / (log_of(logs, n) - log_of(logs, nl) - log_of(logs, n - nl));
}
