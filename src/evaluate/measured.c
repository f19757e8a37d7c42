/* SPDX-License-Identifier: MIT */
/* Measures over the splits of an evaluation: see measured.h. */
#include "evaluate/measured.h"
#include "base/number.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/quantile.h"
#include "stats/significance.h"

/* -- look-up -- */

cairn_status cairn_measure_get(cairn_context *ctx, const cairn_measure **out, const char *name,
                               const cairn_evaluation *e)
{
    const cairn_entry *entry;
    if (!name) name = cairn_measure_usual(e->task)->entry.name;
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    const cairn_measure *measure = (const cairn_measure *)entry;
    if (measure->task != e->task)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{measure %s} judges %s, and '%s' is predicted as %s",
                         name, cairn_task_answers(measure->task), e->target,
                         e->task == CAIRN_CLASSIFY ? "a class" : "a number"));
    if (measure->needs_scores && !e->scores)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{measure %s} needs scores, and %s gives none", name,
                         e->learner));
    if (measure->ranks && e->single)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{measure %s} compares the scores of different rows, and leave-one-out "
                         "makes each by another model; {by cv:10} has rows to compare",
                         name));
    *out = measure;
    return CAIRN_OK;
}

cairn_status cairn_measure_splits(cairn_context *ctx, const cairn_measure *measure,
                                  const cairn_evaluation *e, double *out)
{
    for (size_t s = 0; s < e->n_splits; s++) {
        out[s] = NAN;
        cairn_judged part = cairn_evaluation_split(e, s);
        if (part.n) CHECK(measure->value(ctx, &out[s], &part));
    }
    return CAIRN_OK;
}

/* -- one set of rows: bootstrap -- */

enum { REPLICATES = 500, FEW_REPLICATES = 100, PER_TASK = 25, MANY_ROWS = 1000000 };

typedef struct boot_work {
    const cairn_measure *measure;
    const cairn_judged *judged;
    double *values; /* REPLICATES */
} boot_work;

/* Arrays of a sample, of the kinds that there are. */
typedef struct sample_buffer {
    double *weights, *scores, *actual_number, *predicted_number;
    int32_t *actual, *predicted;
} sample_buffer;

/* Room for rows drawn with repeats, taken once for all draws of a bootstrap; without scores
 * where the measure does not need them. */
static cairn_status make_sample(cairn_context *ctx, sample_buffer *buffer, cairn_judged *out,
                                const cairn_judged *j, bool scores)
{
    *buffer = (sample_buffer){0};
    CHECK(SCRATCH_RAW(ctx, &buffer->weights, j->n));
    if (j->actual) CHECK(SCRATCH_RAW(ctx, &buffer->actual, j->n));
    if (j->predicted) CHECK(SCRATCH_RAW(ctx, &buffer->predicted, j->n));
    if (scores && j->scores)
        CHECK(SCRATCH_RAW(ctx, &buffer->scores, cairn_product(j->n, j->n_classes)));
    if (j->actual_number) CHECK(SCRATCH_RAW(ctx, &buffer->actual_number, j->n));
    if (j->predicted_number) CHECK(SCRATCH_RAW(ctx, &buffer->predicted_number, j->n));
    *out = *j;
    out->weights = buffer->weights;
    out->actual = buffer->actual;
    out->predicted = buffer->predicted;
    out->scores = buffer->scores;
    out->actual_number = buffer->actual_number;
    out->predicted_number = buffer->predicted_number;
    return CAIRN_OK;
}

static void put_row(sample_buffer *buffer, size_t to, const cairn_judged *j, size_t from)
{
    size_t k = j->n_classes;
    buffer->weights[to] = cairn_judged_weight(j, from);
    if (buffer->actual) buffer->actual[to] = j->actual[from];
    if (buffer->predicted) buffer->predicted[to] = j->predicted[from];
    for (size_t c = 0; buffer->scores && c < k; c++)
        buffer->scores[to * k + c] = j->scores[from * k + c];
    if (buffer->actual_number) buffer->actual_number[to] = j->actual_number[from];
    if (buffer->predicted_number) buffer->predicted_number[to] = j->predicted_number[from];
}

static cairn_status measure_samples(cairn_context *ctx, void *data, size_t task)
{
    const boot_work *w = data;
    const cairn_judged *j = w->judged;
    sample_buffer buffer;
    cairn_judged sample;
    CHECK(make_sample(ctx, &buffer, &sample, j, w->measure->needs_scores));
    for (size_t b = task * PER_TASK; b < (task + 1) * PER_TASK; b++) {
        cairn_random random;
        cairn_random_start(&random, cairn_context_seed(ctx), (UINT64_C(0xB007) << 48) + b);
        for (size_t i = 0; i < j->n; i++)
            put_row(&buffer, i, j, (size_t)cairn_random_below(&random, j->n));
        CHECK(w->measure->value(ctx, &w->values[b], &sample));
    }
    return CAIRN_OK;
}

/* The middle of what the measure is in samples of the rows, as large as they are. */
static cairn_status bootstrap_interval(cairn_context *ctx, cairn_measured *out,
                                       const cairn_measure *measure, const cairn_judged *j,
                                       double level)
{
    boot_work work = {measure, j, NULL};
    size_t n = 0, samples = j->n < MANY_ROWS ? REPLICATES : FEW_REPLICATES;
    if (j->n < 2 || isnan(out->value)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &work.values, samples));
    CHECK(cairn_tasks_sized(ctx, samples / PER_TASK, 10 * (double)samples * (double)j->n,
                            measure_samples, &work));
    for (size_t b = 0; b < samples; b++)
        if (!isnan(work.values[b])) work.values[n++] = work.values[b];
    if (n < 2) return CAIRN_OK;
    CHECK(cairn_sort_numbers(ctx, work.values, n));
    out->low = cairn_quantile(work.values, n, (1 - level) / 2, CAIRN_QUANTILE_LINEAR);
    out->high = cairn_quantile(work.values, n, (1 + level) / 2, CAIRN_QUANTILE_LINEAR);
    return CAIRN_OK;
}

cairn_status cairn_measure_all(cairn_context *ctx, cairn_measured *out,
                               const cairn_measure *measure, const cairn_evaluation *e,
                               double *splits)
{
    SCOPED_SCRATCH(ctx);
    cairn_t_test t;
    double *values;
    size_t n = 0;
    *out = (cairn_measured){NAN, NAN, NAN, NAN, NAN};
    CHECK(SCRATCH(ctx, &values, e->n_splits + 1));
    cairn_judged all = cairn_evaluation_judged(e);
    CHECK(measure->value(ctx, &out->value, &all));
    CHECK(cairn_measure_splits(ctx, measure, e, values));
    for (size_t s = 0; s < e->n_splits; s++) {
        if (splits) splits[s] = values[s];
        if (!isnan(values[s])) values[n++] = values[s];
    }
    if (n == 0) return CAIRN_OK;
    cairn_t_test_of(&t, values, n, e->share, e->level);
    double half = (t.interval.high - t.interval.low) / 2;
    out->mean = t.mean;
    out->sd = n > 1 ? t.deviation : NAN;
    if (n < 2) {
        if (e->n_splits == 1) CHECK(bootstrap_interval(ctx, out, measure, &all, e->level));
        return CAIRN_OK;
    }
    bool from_zero = measure->is_share || measure->lower_better; /* errors are not negative */
    out->low = from_zero ? fmax(0, out->value - half) : out->value - half;
    bool to_one = measure->is_share || measure->at_most_one;
    out->high = to_one ? fmin(1, out->value + half) : out->value + half;
    return CAIRN_OK;
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
    if (n > 1) out.sd = cairn_number_left(sqrt(squares / (n - 1)), out.mean);
    return out;
}

double cairn_measured_baseline(const cairn_evaluation *e, const cairn_measure *measure)
{
    cairn_judged baseline = cairn_evaluation_baseline(e);
    return in_terms(cairn_judged_usual(&baseline), measure);
}

cairn_over_splits cairn_look_over(const double *values, size_t stride, size_t n_splits)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t s = 0; s < n_splits; s++) {
        double value = values[s * stride];
        if (isnan(value)) continue;
        double step = value - sum / fmax(1, n++);
        sum += value;
        if (n > 1) squares += step * (value - sum / n);
    }
    return (cairn_over_splits){n, n > 0 ? sum / n : NAN, n > 1 ? sqrt(squares / (n - 1)) : NAN};
}
