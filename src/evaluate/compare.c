/* SPDX-License-Identifier: MIT */
/* Running a contest and saying who won.
 *
 * The splits depend on the seed, the rows and the classes only, so every learner meets the same
 * ones and their results can be compared split by split. Three tests stand side by side for each
 * pair: Student's t over the splits, which takes them for independent; the same corrected for the
 * overlap of the training sets (Nadeau and Bengio), which the verdict goes by; and Wilcoxon's,
 * which looks at ranks only. For classes, McNemar's test compares the answers row by row. */
#include "evaluate/compare.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "evaluate/rank_report.h"
#include <math.h>

void cairn_contest_clear(cairn_contest *c)
{
    for (size_t i = 0; c->evaluations && i < c->n_learners; i++)
        cairn_evaluation_clear(&c->evaluations[i]);
    cairn_free(c->evaluations);
    cairn_free(c->overall);
    cairn_free(c->splits);
    cairn_free(c->sizes);
    *c = (cairn_contest){0};
}

/* The size of a model of all rows, where learners have one. */
static cairn_status measure_size(cairn_context *ctx, cairn_model_size *out,
                                 const cairn_params *params, const cairn_table *table,
                                 const cairn_fit_options *options)
{
    cairn_log_function log = ctx->log;
    cairn_model *model = NULL;
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    *out = (cairn_model_size){.parameters = NAN};
    if (!learner->size) return CAIRN_OK;
    ctx->log = NULL; /* the splits have been warned about already */
    cairn_status status =
        cairn_model_fit_rows(ctx, &model, params, table, cairn_all_rows(table), options);
    ctx->log = log;
    if (status == CAIRN_OK) *out = cairn_model_size_of(model);
    cairn_model_free(model);
    return status;
}

/* Test rows over training rows, from the first split. */
static double split_share(const cairn_evaluation *e)
{
    double test = (double)(e->starts[1] - e->starts[0]);
    double train = e->bootstrap ? (double)e->n_rows : (double)e->n_rows - test;
    return train > 0 ? test / train : 0;
}

static cairn_status run_learner(cairn_context *ctx, cairn_contest *c, size_t i,
                                const cairn_table *table, const cairn_evaluate_options *options,
                                const char *measure)
{
    cairn_status status;
    cairn_evaluation *e = &c->evaluations[i];
    TRY(cairn_evaluate_learner(ctx, e, c->learners[i].params, table, options));
    if (i == 0) {
        TRY(cairn_measure_get(ctx, &c->measure, measure, e));
        c->n_splits = e->n_splits;
        c->share = split_share(e);
        TRY(NEW(ctx, &c->splits, cairn_product(c->n_learners, c->n_splits)));
    }
    if (e->task != c->measure->task)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "%s and %s do not predict the same kind of thing; "
                       "--task classify or --task regress settles it",
                       c->learners[0].name, c->learners[i].name));
    if (c->measure->needs_scores && !e->scores)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "--measure %s needs scores, and %s gives none",
                       c->measure->entry.name, c->learners[i].name));
    TRY(c->measure->value(ctx, &c->overall[i], e, 0, e->n));
    TRY(cairn_measure_splits(ctx, c->measure, e, c->splits + i * c->n_splits));
    TRY(measure_size(ctx, &c->sizes[i], c->learners[i].params, table, options->fit));
done:
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "%s on %s", c->learners[i].name, c->data);
    return status;
}

cairn_status cairn_contest_run(cairn_context *ctx, cairn_contest *out,
                               const cairn_contestant *learners, size_t n, const char *data,
                               const cairn_table *table, const cairn_evaluate_options *options,
                               const char *measure)
{
    cairn_status status;
    *out = (cairn_contest){.data = data, .learners = learners, .n_learners = n};
    TRY(NEW(ctx, &out->evaluations, n));
    TRY(NEW(ctx, &out->overall, n));
    TRY(NEW(ctx, &out->sizes, n));
    for (size_t i = 0; i < n; i++) TRY(run_learner(ctx, out, i, table, options, measure));
done:
    if (status) cairn_contest_clear(out);
    return status;
}

/* -- the report -- */

static double mean_training(const cairn_evaluation *e)
{
    double sum = 0, n = 0;
    for (size_t s = 0; e->training_measures && s < e->n_splits; s++)
        if (!isnan(e->training_measures[s])) sum += e->training_measures[s], n++;
    return n > 0 ? sum / n : NAN;
}

/* The usual measure of the answer that looks at no feature. */
static double baseline_of(const cairn_evaluation *e)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < e->n; i++) {
        double w = e->weights[i];
        if (e->task == CAIRN_CLASSIFY) {
            sum += e->baseline[i] == e->actual[i] ? w : 0;
        } else {
            double error = e->baseline_number[i] - e->actual_number[i];
            sum += w * error * error;
        }
        total += w;
    }
    return total > 0 ? sum / total : NAN;
}

static size_t best_learner(const cairn_contest *c)
{
    size_t best = 0;
    for (size_t i = 1; i < c->n_learners; i++)
        if (c->measure->lower_better ? c->overall[i] < c->overall[best]
                                     : c->overall[i] > c->overall[best])
            best = i;
    return best;
}

static void show_learners(cairn_report *out, const cairn_contest *c, double alpha,
                          const char *prefix)
{
    const char *measure = c->measure->entry.name;
    size_t best = best_learner(c);
    cairn_report_table_begin(out, NULL, (size_t)-1);
    cairn_report_column(out, "learner", 'l');
    cairn_report_column(out, measure, 'r');
    cairn_report_column(out, "low", 'r');
    cairn_report_column(out, "high", 'r');
    cairn_report_column(out, "sd", 'r');
    cairn_report_column(
        out, c->measure->task == CAIRN_CLASSIFY ? "training accuracy" : "training mse", 'r');
    cairn_report_column(out, "parameters", 'r');
    for (size_t i = 0; i < c->n_learners; i++) {
        const char *key = cairn_report_key(out, c->learners[i].name);
        cairn_t_test t;
        cairn_t_test_of(&t, c->splits + i * c->n_splits, c->n_splits, c->share, 1 - alpha);
        double half = (t.interval.high - t.interval.low) / 2, middle = c->overall[i];
        double low = c->measure->is_share ? fmax(0, middle - half) : middle - half;
        double high = c->measure->is_share ? fmin(1, middle + half) : middle + half;
        if (i == best) cairn_report_row_mark(out);
        cairn_report_hidden(out, t.mean, "%s%s.mean", prefix, key);
        cairn_report_cell(out, c->learners[i].name);
        cairn_report_cell_number(out, c->overall[i], 5, "%s%s.%s", prefix, key, measure);
        cairn_report_cell_number(out, low, 4, "%s%s.low", prefix, key);
        cairn_report_cell_number(out, high, 4, "%s%s.high", prefix, key);
        cairn_report_cell_number(out, t.deviation, 4, "%s%s.sd", prefix, key);
        cairn_report_cell_number(out, mean_training(&c->evaluations[i]), 4, "%s%s.training", prefix,
                                 key);
        cairn_report_cell_number(out, c->sizes[i].parameters, 6, "%s%s.parameters", prefix, key);
    }
    cairn_report_table_end(out);
    cairn_report_value(out,
                       c->measure->task == CAIRN_CLASSIFY
                           ? "baseline accuracy (majority class)"
                           : "baseline mean squared error (mean of the target)",
                       baseline_of(&c->evaluations[0]), "%sbaseline", prefix);
    cairn_report_hidden_word(out, c->learners[best].name, "%sbest", prefix);
}

static void count_disagreements(const cairn_contest *c, size_t a, size_t b, double *first,
                                double *second)
{
    const cairn_evaluation *x = &c->evaluations[a], *y = &c->evaluations[b];
    *first = *second = 0;
    for (size_t i = 0; i < x->n && i < y->n; i++) {
        bool right_x = x->predicted[i] == x->actual[i], right_y = y->predicted[i] == y->actual[i];
        *first += right_x && !right_y;
        *second += right_y && !right_x;
    }
}

/* McNemar's test wants every row once. */
static bool can_mcnemar(const cairn_contest *c)
{
    return c->measure->task == CAIRN_CLASSIFY && c->evaluations[0].n_repeats == 1;
}

static cairn_status show_pair(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                              size_t a, size_t b, double alpha, double *d, const char *prefix)
{
    cairn_status status;
    cairn_t_test plain, corrected;
    cairn_wilcoxon w;
    cairn_mcnemar m;
    double first, second;
    size_t n = 0;
    const char *x = cairn_report_key(out, c->learners[a].name);
    const char *y = cairn_report_key(out, c->learners[b].name);
    for (size_t s = 0; s < c->n_splits; s++) {
        double difference = c->splits[a * c->n_splits + s] - c->splits[b * c->n_splits + s];
        if (!isnan(difference)) d[n++] = difference;
    }
    cairn_t_test_of(&plain, d, n, 0, 1 - alpha);
    cairn_t_test_of(&corrected, d, n, c->share, 1 - alpha);
    TRY(cairn_wilcoxon_of(ctx, &w, NULL, d, n, alpha, CAIRN_EXACT_AUTO));
    if (corrected.p_two <= alpha) cairn_report_row_mark(out);
    cairn_report_hidden_word(out, corrected.p_two <= alpha ? "yes" : "no", "%s%s-%s.significant",
                             prefix, x, y);
    cairn_report_cellf(out, "%s − %s", c->learners[a].name, c->learners[b].name);
    cairn_report_cell_number(out, plain.mean, 4, "%s%s-%s.difference", prefix, x, y);
    cairn_report_cell_number(out, plain.p_two, 4, "%s%s-%s.p.t", prefix, x, y);
    cairn_report_cell_number(out, corrected.p_two, 4, "%s%s-%s.p.corrected", prefix, x, y);
    if (can_mcnemar(c)) {
        count_disagreements(c, a, b, &first, &second);
        cairn_mcnemar_of(&m, first, second);
        cairn_report_cell_number(out, w.p, 4, "%s%s-%s.p.wilcoxon", prefix, x, y);
        cairn_report_cell_number(out, m.exact_p, 4, "%s%s-%s.p.mcnemar", prefix, x, y);
    } else {
        cairn_report_cell_number(out, w.p, 4, "%s%s-%s.p.wilcoxon", prefix, x, y);
    }
done:
    return status;
}

static cairn_status show_pairs(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                               double alpha, const char *prefix)
{
    cairn_status status;
    double *d;
    TRY(SCRATCH(ctx, &d, c->n_splits + 1));
    cairn_report_table_begin(out, "Pairs: mean difference over the splits, p-values", (size_t)-1);
    cairn_report_column(out, "pair", 'l');
    cairn_report_column(out, "difference", 'r');
    cairn_report_column(out, "t", 'r');
    cairn_report_column(out, "corrected t", 'r');
    cairn_report_column(out, "Wilcoxon", 'r');
    if (can_mcnemar(c)) cairn_report_column(out, "McNemar", 'r');
    for (size_t a = 0; a < c->n_learners; a++)
        for (size_t b = a + 1; b < c->n_learners; b++)
            TRY(show_pair(ctx, out, c, a, b, alpha, d, prefix));
    cairn_report_table_end(out);
done:
    return status;
}

/* The two tests that are made for five halvings. */
static void show_five_by_two(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    double d[10];
    for (size_t a = 0; a < c->n_learners; a++)
        for (size_t b = a + 1; b < c->n_learners; b++) {
            cairn_five_by_two f;
            const char *x = cairn_report_key(out, c->learners[a].name);
            const char *y = cairn_report_key(out, c->learners[b].name);
            for (size_t s = 0; s < 10; s++) d[s] = c->splits[a * 10 + s] - c->splits[b * 10 + s];
            cairn_five_by_two_of(&f, d);
            cairn_report_paragraph(out, "%s and %s by 5 x 2:", c->learners[a].name,
                                   c->learners[b].name);
            cairn_report_value(out, "t with 5 degrees of freedom", f.t, "%s%s-%s.5x2.t", prefix, x,
                               y);
            cairn_report_value(out, "p", f.p_t, "%s%s-%s.p.5x2_t", prefix, x, y);
            cairn_report_value(out, "F with 10 and 5", f.f, "%s%s-%s.5x2.f", prefix, x, y);
            cairn_report_value(out, "p", f.p_f, "%s%s-%s.p.5x2_f", prefix, x, y);
        }
}

cairn_status cairn_contest_report(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                  double alpha, const char *prefix)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    const cairn_evaluation *e = &c->evaluations[0];
    cairn_report_paragraph(out, "%s.", e->decision);
    cairn_report_value(out, "rows", (double)e->n_rows, "%srows", prefix);
    cairn_report_value(out, "splits", (double)c->n_splits, "%ssplits", prefix);
    show_learners(out, c, alpha, prefix);
    if (c->n_learners > 1 && c->n_splits > 1) TRY(show_pairs(ctx, out, c, alpha, prefix));
    if (c->n_learners > 1 && cairn_same(e->by, "5x2")) show_five_by_two(out, c, prefix);
done:
    cairn_scratch_release(ctx, mark);
    return status ? status : cairn_report_status(out);
}
