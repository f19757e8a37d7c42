/* SPDX-License-Identifier: MIT */
/* The measures. Rows count by weight; a row without an answer counts as wrong for classes and is
 * left out for numbers. */
#include "evaluate/measure.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "evaluate/judge.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/curves.h"
#include "stats/probability_loss.h"
#include "stats/quantile.h"
#include "stats/significance.h"
#include <math.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* -- classes -- */

double cairn_share_right(const cairn_evaluation *e, const int32_t *answers, size_t begin,
                         size_t end)
{
    double right = 0, total = 0;
    for (size_t i = begin; i < end; i++) {
        total += e->weights[i];
        if (cairn_is_right(e, answers, i)) right += e->weights[i];
    }
    return total > 0 ? right / total : NAN;
}

static cairn_status accuracy(cairn_context *ctx, double *out, const cairn_evaluation *e,
                             size_t begin, size_t end)
{
    (void)ctx;
    *out = cairn_share_right(e, e->predicted, begin, end);
    return CAIRN_OK;
}

static cairn_status error_rate(cairn_context *ctx, double *out, const cairn_evaluation *e,
                               size_t begin, size_t end)
{
    cairn_status status = accuracy(ctx, out, e, begin, end);
    *out = 1 - *out;
    return status;
}

cairn_status cairn_count_classes(cairn_context *ctx, cairn_class_counts **out,
                                 const cairn_evaluation *e, size_t begin, size_t end)
{
    cairn_class_counts *counts;
    CHECK(SCRATCH(ctx, &counts, e->classes.n + 1));
    for (size_t i = begin; i < end; i++) {
        double w = e->weights[i];
        if (e->actual[i] >= 0) counts[e->actual[i]].actual += w;
        if (e->predicted[i] >= 0) counts[e->predicted[i]].predicted += w;
        if (cairn_is_right(e, e->predicted, i)) counts[e->actual[i]].right += w;
    }
    *out = counts;
    return CAIRN_OK;
}

/* A measure of single classes: of the positive one when there is one, else the plain mean over the
 * classes that have rows and where it is defined, as in the table of the classes. */
static cairn_status over_classes(cairn_context *ctx, double *out, const cairn_evaluation *e,
                                 size_t begin, size_t end, double (*of)(cairn_class_counts c),
                                 bool positive_only)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_class_counts *counts;
    double sum = 0, n = 0;
    TRY(cairn_count_classes(ctx, &counts, e, begin, end));
    if (positive_only && e->positive >= 0) {
        *out = of(counts[e->positive]);
        goto done;
    }
    for (size_t c = 0; c < e->classes.n; c++) {
        double value = counts[c].actual > 0 ? of(counts[c]) : NAN;
        if (isnan(value)) continue;
        sum += value;
        n++;
    }
    *out = n > 0 ? sum / n : NAN;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static double precision_of(cairn_class_counts c)
{
    return c.predicted > 0 ? c.right / c.predicted : NAN;
}

static double recall_of(cairn_class_counts c)
{
    return c.actual > 0 ? c.right / c.actual : NAN;
}

static double f1_of(cairn_class_counts c)
{
    return c.actual + c.predicted > 0 ? 2 * c.right / (c.actual + c.predicted) : NAN;
}

static cairn_status average_recall(cairn_context *ctx, double *out, const cairn_evaluation *e,
                                   size_t begin, size_t end)
{
    return over_classes(ctx, out, e, begin, end, recall_of, false);
}

static cairn_status precision(cairn_context *ctx, double *out, const cairn_evaluation *e,
                              size_t begin, size_t end)
{
    return over_classes(ctx, out, e, begin, end, precision_of, true);
}

static cairn_status recall(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                           size_t end)
{
    return over_classes(ctx, out, e, begin, end, recall_of, true);
}

static cairn_status f1(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                       size_t end)
{
    return over_classes(ctx, out, e, begin, end, f1_of, true);
}

/* How answers and classes go together beyond chance. Rows without an answer are like an answer of
 * their own that is never right. */
typedef struct agreement_sums {
    double total, right;
    double products;          /* of the weights of a class and of its answers */
    double actual, predicted; /* squares of these */
} agreement_sums;

static cairn_status sum_agreement(cairn_context *ctx, agreement_sums *out,
                                  const cairn_evaluation *e, size_t begin, size_t end)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_class_counts *counts;
    cairn_status status;
    double known = 0, answered = 0;
    *out = (agreement_sums){0};
    TRY(cairn_count_classes(ctx, &counts, e, begin, end));
    for (size_t i = begin; i < end; i++) out->total += e->weights[i];
    for (size_t c = 0; c < e->classes.n; c++) {
        out->right += counts[c].right;
        out->products += counts[c].actual * counts[c].predicted;
        out->actual += counts[c].actual * counts[c].actual;
        out->predicted += counts[c].predicted * counts[c].predicted;
        known += counts[c].actual;
        answered += counts[c].predicted;
    }
    out->actual += (out->total - known) * (out->total - known);
    out->predicted += (out->total - answered) * (out->total - answered);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status kappa(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                          size_t end)
{
    agreement_sums s;
    cairn_status status = sum_agreement(ctx, &s, e, begin, end);
    double room = s.total * s.total - s.products;
    *out = room > 0 ? (s.total * s.right - s.products) / room : NAN;
    return status;
}

static cairn_status mcc(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                        size_t end)
{
    agreement_sums s;
    cairn_status status = sum_agreement(ctx, &s, e, begin, end);
    double all = s.total * s.total, spread = (all - s.actual) * (all - s.predicted);
    *out = spread > 0 ? (s.total * s.right - s.products) / sqrt(spread) : NAN;
    return status;
}

/* What a curve of class c against the rest is worth. */
static cairn_status rank_and_read(cairn_context *ctx, double *out, const cairn_evaluation *e,
                                  size_t begin, size_t end, size_t c,
                                  double (*of)(const cairn_ranking *ranking))
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_ranking ranking;
    TRY(cairn_rank_class(ctx, &ranking, e, begin, end, c));
    *out = of(&ranking);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Of the positive class; with more classes the mean of one against the rest, by class shares. */
static cairn_status over_rankings(cairn_context *ctx, double *out, const cairn_evaluation *e,
                                  size_t begin, size_t end,
                                  double (*of)(const cairn_ranking *ranking))
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_class_counts *counts;
    double sum = 0, total = 0, value;
    if (e->positive >= 0) return rank_and_read(ctx, out, e, begin, end, (size_t)e->positive, of);
    TRY(cairn_count_classes(ctx, &counts, e, begin, end));
    for (size_t c = 0; c < e->classes.n; c++) {
        if (counts[c].actual == 0) continue;
        TRY(rank_and_read(ctx, &value, e, begin, end, c, of));
        if (isnan(value)) continue;
        sum += counts[c].actual * value;
        total += counts[c].actual;
    }
    *out = total > 0 ? sum / total : NAN;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status auc(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                        size_t end)
{
    return over_rankings(ctx, out, e, begin, end, cairn_ranking_auc);
}

static cairn_status average_precision(cairn_context *ctx, double *out, const cairn_evaluation *e,
                                      size_t begin, size_t end)
{
    return over_rankings(ctx, out, e, begin, end, cairn_average_precision);
}

/* Rows of a class that the model does not know have no probability to judge: they are left out, as
 * they are of the rankings. */
static cairn_status brier(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                          size_t end)
{
    size_t k = e->classes.n;
    double sum = 0, total = 0;
    (void)ctx;
    for (size_t i = begin; i < end; i++) {
        if (e->actual[i] < 0) continue;
        sum += e->weights[i] *
               cairn_squared_loss(e->scores + i * k, k, (size_t)e->actual[i], CAIRN_BRIER_FACTOR);
        total += e->weights[i];
    }
    *out = total > 0 ? sum / total : NAN;
    return CAIRN_OK;
}

static cairn_status log_loss(cairn_context *ctx, double *out, const cairn_evaluation *e,
                             size_t begin, size_t end)
{
    size_t k = e->classes.n;
    double sum = 0, total = 0;
    (void)ctx;
    for (size_t i = begin; i < end; i++) {
        if (e->actual[i] < 0) continue;
        sum += e->weights[i] *
               cairn_log_loss(e->scores + i * k, (size_t)e->actual[i], M_E, CAIRN_LEAST_CHANCE);
        total += e->weights[i];
    }
    *out = total > 0 ? sum / total : NAN;
    return CAIRN_OK;
}

/* -- numbers -- */

typedef struct number_sums {
    double weight, squares, absolute, mean, spread;
} number_sums;

static number_sums sum_numbers(const cairn_evaluation *e, size_t begin, size_t end)
{
    number_sums s = {0};
    for (size_t i = begin; i < end; i++) {
        double w = e->weights[i], y = e->actual_number[i], error = e->predicted_number[i] - y;
        if (isnan(error) || w == 0) continue;
        s.weight += w;
        s.squares += w * error * error;
        s.absolute += w * fabs(error);
        double step = y - s.mean;
        s.mean += step * w / s.weight;
        s.spread += w * step * (y - s.mean);
    }
    return s;
}

static cairn_status mse(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                        size_t end)
{
    number_sums s = sum_numbers(e, begin, end);
    (void)ctx;
    *out = s.weight > 0 ? s.squares / s.weight : NAN;
    return CAIRN_OK;
}

static cairn_status rmse(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                         size_t end)
{
    cairn_status status = mse(ctx, out, e, begin, end);
    *out = sqrt(*out);
    return status;
}

static cairn_status mae(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                        size_t end)
{
    number_sums s = sum_numbers(e, begin, end);
    (void)ctx;
    *out = s.weight > 0 ? s.absolute / s.weight : NAN;
    return CAIRN_OK;
}

static cairn_status r2(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                       size_t end)
{
    number_sums s = sum_numbers(e, begin, end);
    (void)ctx;
    *out = s.spread > 0 ? 1 - s.squares / s.spread : NAN;
    return CAIRN_OK;
}

/* -- look-up -- */

cairn_status cairn_measure_get(cairn_context *ctx, const cairn_measure **out, const char *name,
                               const cairn_evaluation *e)
{
    const cairn_entry *entry;
    if (!name) name = e->task == CAIRN_CLASSIFY ? "accuracy" : "mse";
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    const cairn_measure *measure = (const cairn_measure *)entry;
    if (measure->task != e->task)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "--measure %s judges %s, and '%s' is predicted as %s",
                         name, measure->task == CAIRN_CLASSIFY ? "classes" : "numbers", e->target,
                         e->task == CAIRN_CLASSIFY ? "a class" : "a number"));
    if (measure->needs_scores && !e->scores)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "--measure %s needs scores, and %s gives none", name,
                         e->learner));
    *out = measure;
    return CAIRN_OK;
}

cairn_status cairn_measure_splits(cairn_context *ctx, const cairn_measure *measure,
                                  const cairn_evaluation *e, double *out)
{
    for (size_t s = 0; s < e->n_splits; s++) {
        out[s] = NAN;
        if (e->starts[s + 1] > e->starts[s])
            CHECK(measure->value(ctx, &out[s], e, e->starts[s], e->starts[s + 1]));
    }
    return CAIRN_OK;
}

/* -- over the splits -- */

double cairn_split_share(const cairn_evaluation *e)
{
    double test = (double)(e->starts[1] - e->starts[0]);
    return e->n_trained > 0 ? test / (double)e->n_trained : 0;
}

/* -- one set of rows: bootstrap -- */

enum { REPLICATES = 500, FEW_REPLICATES = 100, PER_TASK = 25, MANY_ROWS = 1000000 };

typedef struct boot_work {
    const cairn_measure *measure;
    const cairn_evaluation *e;
    double *values; /* REPLICATES */
} boot_work;

/* Room for the predictions of a sample, of the kind that there are. */
static cairn_status sample_room(cairn_context *ctx, cairn_evaluation *out,
                                const cairn_evaluation *e, bool scores)
{
    *out = *e;
    CHECK(SCRATCH_RAW(ctx, &out->weights, e->n));
    if (e->actual) CHECK(SCRATCH_RAW(ctx, &out->actual, e->n));
    if (e->predicted) CHECK(SCRATCH_RAW(ctx, &out->predicted, e->n));
    if (!scores) out->scores = NULL;
    if (out->scores) CHECK(SCRATCH_RAW(ctx, &out->scores, cairn_product(e->n, e->classes.n)));
    if (e->actual_number) CHECK(SCRATCH_RAW(ctx, &out->actual_number, e->n));
    if (e->predicted_number) CHECK(SCRATCH_RAW(ctx, &out->predicted_number, e->n));
    return CAIRN_OK;
}

static void draw_sample(cairn_evaluation *out, const cairn_evaluation *e, cairn_random *random)
{
    size_t k = e->classes.n;
    for (size_t i = 0; i < e->n; i++) {
        size_t from = (size_t)cairn_random_below(random, e->n);
        out->weights[i] = e->weights[from];
        if (e->actual) out->actual[i] = e->actual[from];
        if (e->predicted) out->predicted[i] = e->predicted[from];
        for (size_t c = 0; out->scores && c < k; c++)
            out->scores[i * k + c] = e->scores[from * k + c];
        if (e->actual_number) out->actual_number[i] = e->actual_number[from];
        if (e->predicted_number) out->predicted_number[i] = e->predicted_number[from];
    }
}

static cairn_status measure_samples(cairn_context *ctx, void *data, size_t task)
{
    const boot_work *w = data;
    cairn_evaluation sample;
    CHECK(sample_room(ctx, &sample, w->e, w->measure->needs_scores));
    for (size_t b = task * PER_TASK; b < (task + 1) * PER_TASK; b++) {
        cairn_random random;
        cairn_random_start(&random, cairn_context_seed(ctx), (UINT64_C(0xB007) << 48) + b);
        draw_sample(&sample, w->e, &random);
        CHECK(w->measure->value(ctx, &w->values[b], &sample, 0, sample.n));
    }
    return CAIRN_OK;
}

/* The middle of what the measure is in samples of the rows, as large as they are. */
static cairn_status bootstrap_interval(cairn_context *ctx, cairn_measured *out,
                                       const cairn_measure *measure, const cairn_evaluation *e)
{
    boot_work work = {measure, e, NULL};
    size_t n = 0, samples = e->n < MANY_ROWS ? REPLICATES : FEW_REPLICATES;
    if (e->n < 2 || isnan(out->value)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &work.values, samples));
    CHECK(cairn_tasks_sized(ctx, samples / PER_TASK, 10 * (double)samples * (double)e->n,
                            measure_samples, &work));
    for (size_t b = 0; b < samples; b++)
        if (!isnan(work.values[b])) work.values[n++] = work.values[b];
    if (n < 2) return CAIRN_OK;
    CHECK(cairn_sort_numbers(ctx, work.values, n));
    out->low = cairn_quantile(work.values, n, (1 - e->level) / 2, CAIRN_QUANTILE_LINEAR);
    out->high = cairn_quantile(work.values, n, (1 + e->level) / 2, CAIRN_QUANTILE_LINEAR);
    return CAIRN_OK;
}

cairn_status cairn_measure_all(cairn_context *ctx, cairn_measured *out,
                               const cairn_measure *measure, const cairn_evaluation *e,
                               double *splits)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_t_test t;
    double *values;
    size_t n = 0;
    *out = (cairn_measured){NAN, NAN, NAN, NAN, NAN};
    TRY(SCRATCH(ctx, &values, e->n_splits + 1));
    TRY(measure->value(ctx, &out->value, e, 0, e->n));
    TRY(cairn_measure_splits(ctx, measure, e, values));
    for (size_t s = 0; s < e->n_splits; s++) {
        if (splits) splits[s] = values[s];
        if (!isnan(values[s])) values[n++] = values[s];
    }
    if (n == 0) goto done;
    cairn_t_test_of(&t, values, n, cairn_split_share(e), e->level);
    double half = (t.interval.high - t.interval.low) / 2;
    out->mean = t.mean;
    out->sd = n > 1 ? t.deviation : NAN;
    if (n < 2) {
        if (e->n_splits == 1) TRY(bootstrap_interval(ctx, out, measure, e));
        goto done;
    }
    bool from_zero = measure->is_share || measure->lower_better; /* errors are not negative */
    out->low = from_zero ? fmax(0, out->value - half) : out->value - half;
    bool to_one = measure->is_share || measure->at_most_one;
    out->high = to_one ? fmin(1, out->value + half) : out->value + half;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* An accuracy or a mean squared error in the terms of the measure. */
static double in_terms(double value, const cairn_measure *measure)
{
    if (cairn_same(measure->entry.name, "error")) return 1 - value;
    return cairn_same(measure->entry.name, "rmse") ? sqrt(value) : value;
}

cairn_measured cairn_measured_training(const cairn_evaluation *e, const cairn_measure *measure)
{
    cairn_measured out = {NAN, NAN, NAN, NAN, NAN};
    double sum = 0, squares = 0, n = 0;
    for (size_t s = 0; e->training_measures && s < e->n_splits; s++)
        if (!isnan(e->training_measures[s])) {
            double value = in_terms(e->training_measures[s], measure), step;
            n++;
            step = value - sum / fmax(1, n - 1);
            sum += value;
            if (n > 1) squares += step * (value - sum / n);
        }
    if (n > 0) out.value = out.mean = sum / n;
    if (n > 1) out.sd = sqrt(squares / (n - 1));
    return out;
}

double cairn_measured_baseline(const cairn_evaluation *e, const cairn_measure *measure)
{
    double sum = 0, total = 0;
    if (e->task == CAIRN_CLASSIFY)
        return in_terms(cairn_share_right(e, e->baseline, 0, e->n), measure);
    for (size_t i = 0; i < e->n; i++) {
        double error = e->baseline_number[i] - e->actual_number[i];
        sum += e->weights[i] * error * error;
        total += e->weights[i];
    }
    return total > 0 ? in_terms(sum / total, measure) : NAN;
}

/* -- records -- */

const cairn_measure cairn_measure_accuracy = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "accuracy",
              .title = "Share of right answers",
              .summary = "The share of rows that are classified rightly, by weight.",
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
    .value = auc,
};

const cairn_measure cairn_measure_average_precision = {
    .entry =
        {.kind = CAIRN_ENTRY_MEASURE,
         .name = "average-precision",
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
    .value = average_precision,
};

const cairn_measure cairn_measure_average_recall = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "average-recall",
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
              .title = "Precision",
              .summary = "The share of rows called positive that are; with more than two classes "
                         "the plain mean "
                         "over the classes.",
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
              .title = "Root of the mean squared error",
              .summary = "The square root of the mean squared error: in the units of the target.",
              .references = "Flach: Machine Learning, 2012",
              .example = "cairn compare majority tree --on @used-cars --measure rmse",
              .params = no_params},
    .task = CAIRN_REGRESS,
    .lower_better = true,
    .value = rmse,
};
