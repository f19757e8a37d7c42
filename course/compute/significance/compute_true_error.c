/* SPDX-License-Identifier: MIT */
/* cairn compute true-error: how far errors that are measured lie from the true one.
 *
 * The true error of a model is the chance that it is wrong about a row that comes from where the
 * others came from (for numbers: its expected squared error). It cannot be seen in data, but when
 * the distribution is known it can be simulated:
 *
 *   1. draw rows from the distribution, once, and deal them out: one large set of fresh rows, and
 *      for each run a training set and a test set;
 *   2. fit the learner to each training set;
 *   3. count its errors on the training rows, on the test rows (with an interval), and on the fresh
 *      rows, of which there are so many that their mean is taken for the true error.
 *
 * Over the runs: the mean of an estimate less the true error is its bias, its deviation its spread,
 * and the share of intervals that hold the true error their coverage.
 *
 * Sources: Mitchell, Machine Learning, 1997, chapter 5. */
#include "base/memory.h"
#include "base/random.h"
#include "compute/statistics/generate.h"
#include "typed/shown.h"
#include "model/model.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

typedef struct true_error_params {
    cairn_generate_params data;
    const char *learner, *with;
    const cairn_params *transforms; /* what `with` stands for */
    int64_t test, fresh;
    int runs;
    double level;
} true_error_params;

static const cairn_param true_error_table[] = {
    CAIRN_PARAM_AS(true_error_params, learner, CAIRN_TYPE_SPEC, "tree",
                   "the learner with its parameters, such as tree:max-depth=3", .names = "learner"),
    CAIRN_PARAM_TRANSFORMS(
        true_error_params,
        "a transform that comes before the learner; may be given several times, in order"),
    CAIRN_PARAM(true_error_params, test, "100", "[2,100000000]", "rows of a test set"),
    CAIRN_PARAM(true_error_params, fresh, "20000", "[100,100000000]",
                "fresh rows, whose mean is taken for the true error"),
    CAIRN_PARAM(true_error_params, runs, "20", "[1,100000]", "training and test sets"),
    CAIRN_PARAM(true_error_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_GROUP(true_error_params, data, cairn_generate_group),
    CAIRN_PARAM_END,
};

/* A mean loss with its interval. */
typedef struct estimate {
    double mean, low, high;
} estimate;

typedef struct outcome {
    estimate train, test, fresh;
} outcome;

typedef struct study {
    const true_error_params *p;
    const cairn_params *learner;
    cairn_table *table;
    const cairn_column *target;
    const uint32_t *order; /* fresh rows first, then those of the runs */
    size_t n_train, n_test, n_fresh;
    outcome *outcomes; /* one per run */
} study;

/* -- one run -- */

/* The error of a model on some rows with its interval: of a share for classes, by Student's t
 * for squared errors. */
static cairn_status judge(cairn_context *ctx, estimate *out, const study *s,
                          const cairn_model *model, const uint32_t *rows, size_t n)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match;
    double sum = 0, squares = 0;
    CHECK(cairn_model_predict_rows(ctx, &p, model, s->table, (cairn_rows){rows, n, NULL},
                                   (cairn_predict_wants){0}, &match));
    for (size_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        double loss;
        if (p.codes) {
            loss = p.codes[i] != s->target->codes[row];
        } else {
            double error = p.numbers[i] - s->target->numbers[row];
            loss = error * error;
        }
        sum += loss;
        squares += loss * loss;
    }
    double count = (double)n, mean = sum / count;
    cairn_interval interval;
    if (p.codes) {
        cairn_share_interval(mean, count, s->p->level, &interval);
    } else {
        double error = sqrt(fmax(0, squares / count - mean * mean) / (count - 1));
        double half = cairn_t_quantile(0.5 + s->p->level / 2, count - 1) * error;
        interval = (cairn_interval){fmax(0, mean - half), mean + half};
    }
    *out = (estimate){mean, interval.low, interval.high};
    return CAIRN_OK;
}

/* Training, test and fresh rows are disjoint parts of one long table, so that runs are
 * independent of each other. */
static cairn_status do_run(cairn_context *ctx, void *data, size_t run)
{
    study *s = data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_log_function log = ctx->log;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model = NULL;
    const uint32_t *train = s->order + s->n_fresh + run * (s->n_train + s->n_test);
    outcome *o = &s->outcomes[run];
    cairn_status status;
    TRY(cairn_tick(ctx, "runs", (double)run, (double)s->p->runs));
    ctx->log = NULL; /* one warning per run would bury everything else */
    fit.task = s->target->kind == CAIRN_LEVEL ? CAIRN_CLASSIFY : CAIRN_REGRESS;
    fit.transforms = s->p->transforms;
    TRY(cairn_model_fit_rows(ctx, &model, s->learner, s->table,
                             (cairn_rows){train, s->n_train, NULL}, &fit));
    TRY(judge(ctx, &o->train, s, model, train, s->n_train));
    TRY(judge(ctx, &o->test, s, model, train + s->n_train, s->n_test));
    TRY(judge(ctx, &o->fresh, s, model, s->order, s->n_fresh));
done:
    ctx->log = log;
    cairn_model_free(model);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- rows -- */

/* All rows in one draw, so that shapes with a random truth keep it, and their random order. */
static cairn_status draw_rows(cairn_context *ctx, study *s, cairn_generated *known,
                              const char *shape)
{
    cairn_generate_params data = s->p->data;
    cairn_random random;
    size_t *order;
    uint32_t *rows;
    double all = (double)s->n_fresh + (double)s->p->runs * (double)(s->n_train + s->n_test);
    if (data.at || data.design == CAIRN_DESIGN_GRID)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{at} and {design grid} fix the rows; here they have to be drawn at "
                          "random");
    if (all > 4e9)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "these are more than 4,000,000,000 rows; use fewer {runs} or {fresh}");
    data.rows = (int64_t)all;
    data.truth = false;
    CHECK(cairn_generate(ctx, &s->table, known, shape, &data));
    CHECK(SCRATCH_RAW_EACH(ctx, s->table->n_rows, &order, &rows));
    for (size_t i = 0; i < s->table->n_rows; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), 0x7275);
    cairn_random_shuffle(&random, order, s->table->n_rows);
    for (size_t i = 0; i < s->table->n_rows; i++) rows[i] = (uint32_t)order[i];
    s->order = rows;
    s->target = s->table->slots[cairn_table_role_column(s->table, CAIRN_TARGET)].column;
    return CAIRN_OK;
}

/* -- the report -- */

static bool holds(const outcome *o)
{
    return o->test.low <= o->fresh.mean && o->fresh.mean <= o->test.high;
}

static void show_runs(cairn_report *out, const study *s)
{
    cairn_report_table_of(out, "Runs", 20, "rrrrrrl", "run", "on training rows", "on test rows",
                          "low", "high", "true", "inside");
    for (size_t r = 0; r < (size_t)s->p->runs && cairn_report_row_wanted(out); r++) {
        const outcome *o = &s->outcomes[r];
        cairn_report_cells(
            out,
            "- run$1.training:5 run$1.test:5 run$1.low:5 run$1.high:5 run$1.true:5 run$1.inside",
            r + 1, o->train.mean, o->test.mean, o->test.low, o->test.high, o->fresh.mean,
            holds(o) ? "yes" : "no");
    }
}

/* Mean and deviation (n − 1) of differences to the true error, or of the estimate itself. */
static void mean_of(const study *s, size_t offset, bool from_true, double *mean, double *deviation)
{
    double sum = 0, squares = 0, n = s->p->runs;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < (size_t)s->p->runs; r++) {
            const outcome *o = &s->outcomes[r];
            const estimate *e = (const estimate *)((const char *)o + offset);
            double x = e->mean - (from_true ? o->fresh.mean : 0);
            if (pass == 0)
                sum += x / n;
            else
                squares += (x - sum) * (x - sum);
        }
    *mean = sum;
    *deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
}

/* The bias of the training error is what the table is about; that of the test error should be
 * about 0. */
static void show_estimates(cairn_report *out, const study *s)
{
    const struct {
        const char *title, *name;
        size_t offset;
    } rows[] = {{"on the training rows (optimistic)", "training", offsetof(outcome, train)},
                {"on the test rows", "test", offsetof(outcome, test)},
                {"true (fresh rows)", "true", offsetof(outcome, fresh)}};
    cairn_report_table_of(out, "Over the runs", 0, "lrrr", "error", "mean", "deviation",
                          "bias: mean less the true one");
    for (size_t i = 0; i < 3; i++) {
        double mean, deviation, bias, unused;
        mean_of(s, rows[i].offset, false, &mean, &deviation);
        mean_of(s, rows[i].offset, true, &bias, &unused);
        cairn_report_prefix(out, "%s", rows[i].name);
        cairn_report_cells(out, "- @.mean @.deviation @.bias", rows[i].title, mean, deviation,
                           bias);
    }
}

/* An interval of 95 % should hold the true error in 95 % of the runs; that share is itself an
 * estimate. */
static void show_coverage(cairn_report *out, const study *s)
{
    double inside = 0, n = s->p->runs, scatter, bias;
    cairn_interval interval;
    for (size_t r = 0; r < (size_t)s->p->runs; r++) inside += holds(&s->outcomes[r]);
    mean_of(s, offsetof(outcome, test), true, &bias, &scatter);
    cairn_share_interval(inside / n, n, s->p->level, &interval);
    cairn_report_value(out, "share of intervals that hold the true error", inside / n, "coverage");
    cairn_report_hidden(out, interval.low, "coverage.low");
    cairn_report_hidden(out, interval.high, "coverage.high");
    cairn_report_value(out, "level that was asked for", s->p->level, "level");
    cairn_report_value(out, "deviation of the test error around the true one", scatter,
                       "test.scatter");
    if (s->target->kind != CAIRN_LEVEL) return;
    double expected = 0;
    for (size_t r = 0; r < (size_t)s->p->runs; r++) {
        double e = s->outcomes[r].fresh.mean;
        expected += e * (1 - e) / (double)s->n_test / n;
    }
    cairn_report_value(out, "√(e (1 − e) / n), what it should be", sqrt(expected),
                       "test.expected_scatter");
}

/* The biases and the share of intervals that hold with their numbers put in, and how the intervals
 * of the first runs come about. */
static void show_work(cairn_report *out, const study *s)
{
    enum { MOST_WORKED = 5 };
    double test, truth, unused, inside = 0, n = s->p->runs;
    mean_of(s, offsetof(outcome, test), false, &test, &unused);
    mean_of(s, offsetof(outcome, fresh), false, &truth, &unused);
    cairn_report_step_begin(out, "The first runs");
    for (size_t r = 0; r < (size_t)s->p->runs; r++) {
        const outcome *o = &s->outcomes[r];
        inside += holds(o);
        if (r >= MOST_WORKED) continue;
        if (s->target->kind == CAIRN_LEVEL)
            cairn_report_worked(out, NULL, "run #: e = # / # = #, deviation √(# · # / #) = #",
                                (double)r + 1, o->test.mean * (double)s->n_test, (double)s->n_test,
                                o->test.mean, o->test.mean, 1 - o->test.mean, (double)s->n_test,
                                sqrt(o->test.mean * (1 - o->test.mean) / (double)s->n_test));
        cairn_report_worked(out, NULL,
                            holds(o) ? "[#, #] holds the true #" : "[#, #] misses the true #",
                            o->test.low, o->test.high, o->fresh.mean);
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Over the runs");
    cairn_report_worked(out, "bias of the test error", "mean − true = # − # = #", test, truth,
                        test - truth);
    cairn_report_worked(out, "intervals that hold", "# / # = #", inside, n, inside / n);
    cairn_report_step_end(out);
}

/* At most 50 runs, as more would be a blur. */
static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const study *s)
{
    cairn_figure *f;
    size_t n = (size_t)s->p->runs < 50 ? (size_t)s->p->runs : 50;
    double *x, *low, *high, *test, *truth, *train;
    CHECK(SCRATCH_EACH(ctx, n, &x, &low, &high, &test, &truth, &train));
    for (size_t r = 0; r < n; r++) {
        const outcome *o = &s->outcomes[r];
        x[r] = (double)(r + 1);
        low[r] = o->test.low, high[r] = o->test.high;
        test[r] = o->test.mean, truth[r] = o->fresh.mean, train[r] = o->train.mean;
    }
    CHECK(cairn_figure_new(ctx, &f, "true-error", "Measured and true errors"));
    cairn_figure_axes(f, "run", s->target->kind == CAIRN_LEVEL ? "error" : "mean squared error");
    cairn_figure_band(f, "interval", x, low, high, n);
    cairn_figure_line(f, "test rows", x, test, n);
    cairn_figure_line(f, "true", x, truth, n);
    cairn_figure_dashed(f, "training rows", x, train, n);
    cairn_report_figure(out, f);
    return CAIRN_OK;
}

/* Rows come from a distribution that is known, since only then there is a true error to compare
 * with. */
static cairn_status true_error_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const true_error_params *p = job->params;
    study s = {.p = p,
               .n_train = (size_t)p->data.rows,
               .n_test = (size_t)p->test,
               .n_fresh = (size_t)p->fresh};
    cairn_params *learner = NULL;
    cairn_generated known;
    cairn_status status;
    TRY(cairn_params_from_spec(ctx, &learner, CAIRN_ENTRY_LEARNER, p->learner));
    s.learner = learner;
    TRY(SCRATCH(ctx, &s.outcomes, (size_t)p->runs));
    TRY(draw_rows(ctx, &s, &known, job->word));
    TRY(cairn_tasks(ctx, (size_t)p->runs, do_run, &s));
    cairn_report_heading(out, 1, "True error of %s on %s", p->learner, job->word);
    cairn_report_formula(out, s.target->kind == CAIRN_LEVEL
                                  ? "true error = P(model(x) ≠ class of x), x as the others"
                                  : "true error = E (model(x) − y)², x as the others");
    double bayes = isnan(known.bayes_error) ? known.bayes_error_rows : known.bayes_error;
    cairn_report_value(out, "training rows of a run", (double)s.n_train, "rows.training");
    cairn_report_value(out, "test rows of a run", (double)s.n_test, "rows.test");
    cairn_report_value(out, "fresh rows", (double)s.n_fresh, "rows.fresh");
    cairn_report_value(out, "runs", s.p->runs, "runs");
    if (s.target->kind != CAIRN_LEVEL && !isnan(known.noise_variance))
        cairn_report_value(out, "least error that is possible: variance of the noise",
                           known.noise_variance, "least");
    if (s.target->kind == CAIRN_LEVEL && !isnan(bayes))
        cairn_report_value(out, "least error that is possible: Bayes error", bayes, "least");
    show_runs(out, &s);
    show_estimates(out, &s);
    show_coverage(out, &s);
    if (job->steps) show_work(out, &s);
    cairn_report_paragraph(out, "An estimate is unbiased when model and rows are independent: the "
                                "training rows are not, because the model was fitted to them. The "
                                "fewer test rows, the wider their errors scatter.");
    TRY(add_figure(ctx, out, &s));
done:
    cairn_params_free(learner);
    cairn_table_free(s.table);
    return status;
}

const cairn_calculator cairn_compute_true_error = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "true-error",
              .also = "generalisation error, true risk, simulation of the error",
              .about = "sample error, Bayes error",
              .title = "True error by simulation",
              .summary =
                  "Fits a learner again and again to rows drawn from a known distribution (the "
                  "shapes of 'compute generate') and compares its errors on training rows and on "
                  "test rows with the true error, measured on many fresh rows: the bias of each "
                  "estimate, its scatter, and how often the interval of the test error holds the "
                  "true one. --rows is the size of a training set.",
              .references = "Mitchell: Machine Learning, 1997, chapter 5",
              .example = "cairn compute true-error clouds --means '0,0;1,1' --sd 1 --rows 50 "
                         "--learner tree:max-depth=2 --runs 10 --fresh 2000",
              .params = true_error_table,
              .params_size = sizeof(true_error_params)},
    .arguments = "SHAPE",
    .takes_word = true,
    .run = true_error_run,
};
