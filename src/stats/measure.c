/* SPDX-License-Identifier: MIT */
/* The measures. Rows count by weight; a row without an answer counts as wrong for classes and is
 * left out for numbers. */
#include "base/functions.h"
#include "stats/measure.h"

#include "base/memory.h"
#include "stats/clustering.h"
#include "stats/curves.h"
#include "stats/errors.h"
#include "stats/probability_loss.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* -- classes -- */

static cairn_status accuracy(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = cairn_judged_accuracy(j);
    return CAIRN_OK;
}

static cairn_status error_rate(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_status status = accuracy(ctx, out, j);
    *out = 1 - *out;
    return status;
}

/* A measure of single classes: of the positive one when there is one, else the plain mean over the
 * classes that have rows, as in the table of the classes. */
static cairn_status over_classes(cairn_context *ctx, double *out, const cairn_judged *j,
                                 double (*of)(cairn_class_counts c), bool positive_only)
{
    SCOPED_SCRATCH(ctx);
    cairn_class_counts *counts;
    double sum = 0, n = 0;
    CHECK(cairn_judged_counts(ctx, &counts, j));
    if (positive_only && j->positive >= 0) {
        *out = of(counts[j->positive]);
        return CAIRN_OK;
    }
    for (size_t c = 0; c < j->n_classes; c++) {
        double value = counts[c].actual > 0 ? of(counts[c]) : NAN;
        if (isnan(value)) continue;
        sum += value;
        n++;
    }
    *out = n > 0 ? sum / n : NAN;
    return CAIRN_OK;
}

/* A class that has rows and is never predicted has the precision 0: were it left out, never naming
 * a rare class would pay. */
static double precision_of(cairn_class_counts c)
{
    if (!(c.predicted > 0)) return c.actual > 0 ? 0 : NAN;
    return c.right / c.predicted;
}

static double recall_of(cairn_class_counts c)
{
    return c.actual > 0 ? c.right / c.actual : NAN;
}

static double f1_of(cairn_class_counts c)
{
    return c.actual + c.predicted > 0 ? 2 * c.right / (c.actual + c.predicted) : NAN;
}

static cairn_status average_recall(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_classes(ctx, out, j, recall_of, false);
}

static cairn_status precision(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_classes(ctx, out, j, precision_of, true);
}

static cairn_status recall(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_classes(ctx, out, j, recall_of, true);
}

static cairn_status f1(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_classes(ctx, out, j, f1_of, true);
}

/* How answers and classes go together beyond chance. Rows without an answer are like an answer of
 * their own that is never right. */
typedef struct agreement_sums {
    double total, right;
    double products;          /* of the weights of a class and of its answers */
    double actual, predicted; /* squares of these */
} agreement_sums;

/* Rows without a known class or an answer form a class of their own on each side: they count in the
 * totals and agree with nothing. */
static cairn_status sum_agreement(cairn_context *ctx, agreement_sums *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    cairn_class_counts *counts;
    double known = 0, answered = 0;
    *out = (agreement_sums){0};
    CHECK(cairn_judged_counts(ctx, &counts, j));
    for (size_t i = 0; i < j->n; i++) out->total += cairn_judged_weight(j, i);
    for (size_t c = 0; c < j->n_classes; c++) {
        out->right += counts[c].right;
        out->products += counts[c].actual * counts[c].predicted;
        out->actual += counts[c].actual * counts[c].actual;
        out->predicted += counts[c].predicted * counts[c].predicted;
        known += counts[c].actual;
        answered += counts[c].predicted;
    }
    out->actual += (out->total - known) * (out->total - known);
    out->predicted += (out->total - answered) * (out->total - answered);
    return CAIRN_OK;
}

static cairn_status kappa(cairn_context *ctx, double *out, const cairn_judged *j)
{
    agreement_sums s;
    cairn_status status = sum_agreement(ctx, &s, j);
    double buffer = s.total * s.total - s.products;
    *out = buffer > 0 ? (s.total * s.right - s.products) / buffer : NAN;
    return status;
}

static cairn_status mcc(cairn_context *ctx, double *out, const cairn_judged *j)
{
    agreement_sums s;
    cairn_status status = sum_agreement(ctx, &s, j);
    double all = s.total * s.total, spread = (all - s.actual) * (all - s.predicted);
    *out = spread > 0 ? (s.total * s.right - s.products) / sqrt(spread) : NAN;
    return status;
}

/* What a curve of class c against the rest is worth. */
static cairn_status rank_and_read(cairn_context *ctx, double *out, const cairn_judged *j, size_t c,
                                  double (*of)(const cairn_ranking *ranking))
{
    SCOPED_SCRATCH(ctx);
    cairn_ranking ranking;
    CHECK(cairn_judged_ranking(ctx, &ranking, j, c));
    *out = of(&ranking);
    return CAIRN_OK;
}

/* Of the positive class; with more classes the mean of one against the rest, by class shares. */
static cairn_status over_rankings(cairn_context *ctx, double *out, const cairn_judged *j,
                                  double (*of)(const cairn_ranking *ranking))
{
    SCOPED_SCRATCH(ctx);
    cairn_class_counts *counts;
    double sum = 0, total = 0, value;
    if (j->positive >= 0) return rank_and_read(ctx, out, j, (size_t)j->positive, of);
    CHECK(cairn_judged_counts(ctx, &counts, j));
    for (size_t c = 0; c < j->n_classes; c++) {
        if (counts[c].actual == 0) continue;
        CHECK(rank_and_read(ctx, &value, j, c, of));
        if (isnan(value)) continue;
        sum += counts[c].actual * value;
        total += counts[c].actual;
    }
    *out = total > 0 ? sum / total : NAN;
    return CAIRN_OK;
}

static cairn_status auc(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_rankings(ctx, out, j, cairn_ranking_auc);
}

static cairn_status average_precision(cairn_context *ctx, double *out, const cairn_judged *j)
{
    return over_rankings(ctx, out, j, cairn_average_precision);
}

/* Mean of a loss of the probabilities of each row. Rows of a class that the model does not know
 * have none to judge and are left out, as they are of the rankings; a row without an answer has
 * lost as much as it can. */
static double mean_loss(const cairn_judged *j,
                        double (*of)(const double *p, size_t k, size_t actual), double worst)
{
    size_t k = j->n_classes;
    double sum = 0, total = 0;
    for (size_t i = 0; i < j->n; i++) {
        if (j->actual[i] < 0) continue;
        double loss = of(j->scores + i * k, k, (size_t)j->actual[i]);
        sum += cairn_judged_weight(j, i) * (isnan(loss) ? worst : loss);
        total += cairn_judged_weight(j, i);
    }
    return total > 0 ? sum / total : NAN;
}

static double squared_loss(const double *p, size_t k, size_t actual)
{
    return cairn_squared_loss(p, k, actual, CAIRN_BRIER_FACTOR);
}

static double natural_log_loss(const double *p, size_t k, size_t actual)
{
    (void)k;
    return cairn_log_loss(p, actual, cairn_exp(1), CAIRN_LEAST_CHANCE);
}

static cairn_status brier(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = mean_loss(j, squared_loss, 2 * CAIRN_BRIER_FACTOR);
    return CAIRN_OK;
}

static cairn_status log_loss(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = mean_loss(j, natural_log_loss, -cairn_log(CAIRN_LEAST_CHANCE));
    return CAIRN_OK;
}

/* -- numbers -- */

static cairn_errors errors_of(const cairn_judged *j)
{
    cairn_errors errors;
    cairn_errors_of(&errors, j->actual_number, j->predicted_number, j->weights, j->n);
    return errors;
}

static cairn_status mse(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = errors_of(j).mse;
    return CAIRN_OK;
}

static cairn_status rmse(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = errors_of(j).rmse;
    return CAIRN_OK;
}

static cairn_status mae(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = errors_of(j).mae;
    return CAIRN_OK;
}

static cairn_status r2(cairn_context *ctx, double *out, const cairn_judged *j)
{
    (void)ctx;
    *out = errors_of(j).r2;
    return CAIRN_OK;
}

double cairn_judged_usual(const cairn_judged *j)
{
    return j->n_classes ? cairn_judged_accuracy(j) : errors_of(j).mse;
}

/* -- records -- */

const cairn_measure cairn_measure_accuracy = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "accuracy",
              .also =
                  "proportion correct, hit rate, success rate, accuracy_score, predictive accuracy",
              .title = "Share of right answers",
              .summary = "The share of rows that are classified correctly, by weight.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure accuracy",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .value = accuracy,
};

const cairn_measure cairn_measure_auc = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "auc",
              .also = "AUROC, area under the curve, ROC AUC, c-statistic, concordance",
              .title = "Area under the ROC curve",
              .summary =
                  "The chance that a positive row is ranked above a negative one, ties half. With "
                  "more than "
                  "two classes the mean of each class against the rest, weighted by class shares.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure auc",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .needs_scores = true,
    .ranks = true,
    .value = auc,
};

const cairn_measure cairn_measure_average_precision = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "average-precision",
         .also = "macro precision, macro-averaged precision",
         .title = "Average precision",
         .summary =
             "The area under the precision-recall curve, as the sum of the precision at every "
             "distinct score times the recall that it adds; of the positive class, or with more "
             "than two the mean of each class against the rest, by class shares. Guessing gets the "
             "share of the class.",
         .references = "Flach: Machine Learning, 2012",
         .example = "cairn compare majority tree --on @iris --measure average-precision",
         .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .needs_scores = true,
    .ranks = true,
    .value = average_precision,
};

const cairn_measure cairn_measure_average_recall = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "average-recall",
              .also = "balanced accuracy, macro recall, macro-averaged recall",
              .title = "Average recall",
              .summary = "The plain mean of the recalls of all classes: accuracy as it would be if "
                         "the classes were "
                         "equally frequent.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure average-recall",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .value = average_recall,
};

const cairn_measure cairn_measure_brier = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "brier",
              .also = "Brier score, quadratic loss, probability score",
              .title = "Squared error of probabilities",
              .summary = "Half the squared distance of the predicted probabilities from the truth.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure brier",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .lower_better = true,
    .is_share = true,
    .needs_scores = true,
    .value = brier,
};

const cairn_measure cairn_measure_error = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "error",
              .also = "error rate, misclassification rate, zero-one loss",
              .title = "Share of wrong answers",
              .summary = "The share of rows that are classified wrongly, by weight.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure error",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .lower_better = true,
    .is_share = true,
    .value = error_rate,
};

const cairn_measure cairn_measure_f1 = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "f1",
         .also = "F-score, F1 score, F-measure",
         .title = "F measure",
         .summary =
             "The harmonic mean of precision and recall of the positive class; with more than two "
             "classes the plain mean over the classes.",
         .references = "Flach: Machine Learning, 2012",
         .example = "cairn compare majority tree --on @iris --measure f1",
         .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .value = f1,
};

const cairn_measure cairn_measure_kappa = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "kappa",
         .also = "Cohen's kappa, chance-corrected agreement",
         .title = "Agreement beyond chance",
         .summary =
             "Cohen's kappa: by how much the share of right answers exceeds what answers dealt to "
             "the rows at random would get, as a part of what they leave. 1 is perfect, 0 chance, "
             "less than 0 worse.",
         .references = "Cohen: A coefficient of agreement for nominal scales, 1960",
         .example = "cairn compare majority tree --on @iris --measure kappa",
         .params = no_params},
    .task = CAIRN_CLASSIFY,
    .at_most_one = true,
    .value = kappa,
};

const cairn_measure cairn_measure_log_loss = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "log-loss",
              .also = "cross-entropy, log loss, logarithmic score, deviance",
              .title = "Logarithmic loss",
              .summary = "The mean of minus the natural logarithm of the probability given to the "
                         "true class; a "
                         "probability of 0 is taken as 1e-15.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure log-loss",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .lower_better = true,
    .needs_scores = true,
    .value = log_loss,
};

const cairn_measure cairn_measure_mae = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "mae",
              .also = "absolute error, L1 error",
              .title = "Mean absolute error",
              .summary = "The mean distance of the predictions from the truth.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @used-cars --measure mae",
              .params = no_params},
    .task = CAIRN_REGRESS,
    .lower_better = true,
    .value = mae,
};

const cairn_measure cairn_measure_mcc = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "mcc",
         .also = "Matthews correlation, phi coefficient",
         .title = "Correlation of answers and classes",
         .summary =
             "Matthews' correlation coefficient, for any number of classes: 1 is perfect, 0 what "
             "answers without a look at the row get, also where one class is rare. Undefined when "
             "all rows have one class or get one answer.",
         .references = "Matthews 1975; Gorodkin 2004 for more than two classes",
         .example = "cairn compare bayes tree --on @iris --measure mcc",
         .params = no_params},
    .task = CAIRN_CLASSIFY,
    .at_most_one = true,
    .value = mcc,
};

const cairn_measure cairn_measure_mse = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "mse",
              .also = "squared error, quadratic error",
              .title = "Mean squared error",
              .summary = "The mean squared distance of the predictions from the truth.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @used-cars --measure mse",
              .params = no_params},
    .task = CAIRN_REGRESS,
    .lower_better = true,
    .value = mse,
};

const cairn_measure cairn_measure_precision = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "precision",
              .also = "positive predictive value, PPV",
              .title = "Precision",
              .summary = "The share of rows called positive that are; with more than two classes "
                         "the plain mean "
                         "over the classes that have rows. 0 for one that is never predicted.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure precision",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .value = precision,
};

const cairn_measure cairn_measure_r2 = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "r2",
              .also = "R squared, coefficient of determination, explained variance",
              .title = "Explained share of the variance",
              .summary = "One less the squared error over that of the mean of the tested rows.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @used-cars --measure r2",
              .params = no_params},
    .task = CAIRN_REGRESS,
    .at_most_one = true,
    .value = r2,
};

const cairn_measure cairn_measure_recall = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "recall",
              .also = "sensitivity, true positive rate, TPR",
              .title = "Recall",
              .summary = "The share of positive rows that are called so; with more than two "
                         "classes the plain mean "
                         "over the classes.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @iris --measure recall",
              .params = no_params},
    .task = CAIRN_CLASSIFY,
    .is_share = true,
    .value = recall,
};

const cairn_measure cairn_measure_rmse = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "rmse",
              .also = "root mean squared error, RMS error",
              .title = "Root of the mean squared error",
              .summary = "The square root of the mean squared error: in the units of the target.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @used-cars --measure rmse",
              .params = no_params},
    .task = CAIRN_REGRESS,
    .lower_better = true,
    .value = rmse,
};

const cairn_measure *cairn_measure_usual(cairn_task task)
{
    if (task == CAIRN_CLUSTER) return &cairn_measure_silhouette;
    return task == CAIRN_REGRESS ? &cairn_measure_mse : &cairn_measure_accuracy;
}
