/* SPDX-License-Identifier: MIT */
/* Bias and variance: how far a learner's average answer is from the truth, and how much its answers
 * scatter when the training set is another one.
 *
 *     E (f − f̂)² = (f − E f̂)² + Var f̂       total = bias² + variance
 *
 * Two ways to other training sets:
 *
 *     simulation   with --formula: x is drawn evenly between --low and --high, y = f(x) plus normal
 *                  noise; the truth is known on a grid of x, and the noise is told apart
 *     resampling   from a table: bootstrap samples of its rows; each row is judged by the samples
 *                  that left it out, against its own target, so that noise counts as bias
 *
 * For classes the analogue counts votes: the main answer at a point is the most frequent one (ties
 * go to the first class), bias is 1 where it is wrong, variance the share of answers that differ
 * from it. Where the main answer is right variance adds to the error, where it is wrong it may
 * help.
 *
 * Sample s uses stream s of the seed, so the same samples serve every setting of --over.
 *
 * Sources: Geman, Bienenstock, Doursat, Neural networks and the bias/variance dilemma (1992);
 * Domingos, A unified bias-variance decomposition (2000). */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "model/calculator.h"
#include "data/expression.h"
#include "evaluate/space.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct bias_variance_params {
    const char *learner, *with, *over, *formula;
    const cairn_params *transforms; /* what `with` stands for */
    double noise, low, high;
    int size, points, samples;
} bias_variance_params;

static const cairn_param bias_variance_table[] = {
    CAIRN_PARAM_AS(bias_variance_params, learner, CAIRN_TYPE_SPEC, "linear",
                   "the learner with its parameters, such as tree:max-depth=3", .names = "learner"),
    CAIRN_PARAM_TRANSFORMS(
        bias_variance_params,
        "a transform that comes before the learner, such as basis:degree=3; may be given "
        "several times, in order"),
    CAIRN_PARAM(bias_variance_params, over, NULL, NULL,
                "a parameter to vary, such as max-depth=1,2,4 or basis.degree=1:9"),
    CAIRN_PARAM(bias_variance_params, formula, NULL, NULL,
                "the truth as a formula of x, such as sin(x); without DATA"),
    CAIRN_PARAM(bias_variance_params, noise, "0.3", "[0,inf)",
                "standard deviation of what is added to the truth", .when = "formula"),
    CAIRN_PARAM(bias_variance_params, low, "0", NULL, "least x", .when = "formula"),
    CAIRN_PARAM(bias_variance_params, high, "1", NULL, "largest x", .when = "formula"),
    CAIRN_PARAM(bias_variance_params, size, "30", "[2,1000000]", "rows of a training set",
                .when = "formula"),
    CAIRN_PARAM(bias_variance_params, points, "50", "[1,100000]",
                "places between low and high where the answers are judged", .when = "formula"),
    CAIRN_PARAM(bias_variance_params, samples, "100", "[2,100000]", "training sets"),
    CAIRN_PARAM_END,
};

/* What is judged where, and the answers of one setting. */
typedef struct study {
    const bias_variance_params *p;
    cairn_table *table;  /* of the data, target in its final kind; NULL in a simulation */
    cairn_table *places; /* rows to predict; the table itself when it is one */
    cairn_task task;
    size_t n;          /* places */
    size_t n_classes;  /* CLASSIFY */
    double *x;         /* n, in a simulation */
    double *truth;     /* n: f or the target; class codes */
    double *answers;   /* samples x n; NaN = not asked */
    cairn_settings at; /* of the setting that is studied */
    size_t n_failed;
    cairn_report *work; /* NULL = not shown */
} study;

/* Averages over the places. */
typedef struct parts {
    double bias, variance, total;
    double helpful, harmful; /* CLASSIFY: variance where the main answer is wrong, and right */
    size_t n;                /* places with answers */
} parts;

/* -- training sets -- */

static cairn_status formula_values(cairn_context *ctx, const char *formula, cairn_table *table,
                                   double *out)
{
    OWNED(cairn_expression_free) cairn_expression *expression = NULL;
    cairn_faults faults = {0};
    CHECK(cairn_expression_new(ctx, &expression, formula, table));
    if (cairn_expression_type(expression) != CAIRN_VALUE_NUMBER)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{formula} must give a number, such as sin(x)"));
    CHECK(cairn_expression_numbers(ctx, expression, out, &faults));
    for (size_t i = 0; i < table->n_rows; i++)
        if (!isfinite(out[i]))
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "{formula} has no value at every x between {low} and {high}; choose "
                             "them so that it has"));
    return CAIRN_OK;
}

/* A table of x and y = f(x) + noise. */
static cairn_status simulate(cairn_context *ctx, cairn_table **out, const bias_variance_params *p,
                             size_t sample)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_random random;
    double *x, *y;
    size_t n = (size_t)p->size;
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    cairn_random_start(&random, cairn_context_seed(ctx), sample);
    for (size_t i = 0; i < n; i++)
        x[i] = p->low + (p->high - p->low) * cairn_random_uniform(&random);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(cairn_table_put_numbers(ctx, table, "x", x));
    CHECK(formula_values(ctx, p->formula, table, y));
    for (size_t i = 0; i < n; i++) y[i] += p->noise * cairn_random_normal(&random);
    CHECK(cairn_table_put_numbers(ctx, table, "y", y));
    CHECK(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Rows drawn with replacement; `drawn` marks them. */
static cairn_status draw_rows(cairn_context *ctx, cairn_rows *out, uint8_t *drawn, const study *s,
                              size_t sample)
{
    cairn_random random;
    uint32_t *rows, *known;
    size_t n = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, s->n + 1, &rows, &known));
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->truth[i])) known[n++] = (uint32_t)i;
    cairn_random_start(&random, cairn_context_seed(ctx), sample);
    for (size_t i = 0; i < n; i++) {
        rows[i] = known[cairn_random_below(&random, n)];
        drawn[rows[i]] = 1;
    }
    *out = (cairn_rows){rows, n, NULL};
    return CAIRN_OK;
}

/* One training set and the answers of its model; rows that it was trained on are left out, since
 * they say nothing about new ones. */
static cairn_status answer_sample(cairn_context *ctx, void *data, size_t sample)
{
    study *s = data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_log_function log = ctx->log;
    cairn_status status;
    cairn_table *made = NULL;
    cairn_model *model = NULL;
    cairn_prediction p = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {0};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_rows rows = {0};
    uint8_t *drawn;
    double *answers = s->answers + sample * s->n;
    TRY(cairn_tick(ctx, "samples", (double)sample, (double)s->p->samples));
    ctx->log = NULL; /* one warning per sample would bury everything else */
    fit.task = s->task;
    fit.transforms = s->at.transforms;
    TRY(SCRATCH(ctx, &drawn, s->n + 1));
    if (s->table)
        TRY(draw_rows(ctx, &rows, drawn, s, sample));
    else
        TRY(simulate(ctx, &made, s->p, sample));
    if (made) rows = cairn_all_rows(made);
    TRY(cairn_model_fit_rows(ctx, &model, s->at.params, made ? made : s->table, rows, &fit));
    TRY(cairn_model_predict_rows(ctx, &p, model, s->places, cairn_all_rows(s->places), wants,
                                 &match));
    for (size_t i = 0; i < s->n; i++)
        answers[i] = drawn[i] || isnan(s->truth[i]) ? NAN : p.numbers ? p.numbers[i] : p.codes[i];
done:
    ctx->log = log;
    cairn_prediction_clear(&p);
    cairn_model_free(model);
    cairn_table_free(made);
    cairn_scratch_release(ctx, mark);
    if (status && status != CAIRN_CANCELLED && status != CAIRN_NO_MEMORY)
        cairn_message_prefix(ctx, "training set %zu", sample + 1);
    return status;
}

/* -- what the answers say -- */

/* Bias is how far the mean answer is from the truth, variance how far answers are from their
 * mean; they add up to the squared error. */
static parts split_numbers(const study *s, size_t place, double *mean)
{
    parts out = {0};
    double sum = 0, scatter = 0, error = 0, n = 0;
    for (size_t k = 0; k < (size_t)s->p->samples; k++) {
        double a = s->answers[k * s->n + place];
        if (isnan(a)) continue;
        sum += a;
        n++;
    }
    *mean = n > 0 ? sum / n : NAN;
    for (size_t k = 0; n > 0 && k < (size_t)s->p->samples; k++) {
        double a = s->answers[k * s->n + place];
        if (isnan(a)) continue;
        scatter += (a - *mean) * (a - *mean);
        error += (a - s->truth[place]) * (a - s->truth[place]);
    }
    out.n = n > 0;
    if (!out.n) return out;
    out.bias = (s->truth[place] - *mean) * (s->truth[place] - *mean);
    out.variance = scatter / n;
    out.total = error / n;
    return out;
}

/* For classes the main answer takes the place of the mean; variance then hurts where the main
 * answer is right and helps where it is wrong. */
static parts split_votes(const study *s, size_t place, double *votes)
{
    parts out = {0};
    double n = 0;
    size_t main = 0, truth = (size_t)s->truth[place];
    memset(votes, 0, s->n_classes * sizeof *votes);
    for (size_t k = 0; k < (size_t)s->p->samples; k++) {
        double a = s->answers[k * s->n + place];
        if (isnan(a)) continue;
        n++;
        if (a >= 0) votes[(size_t)a]++;
    }
    if (n == 0) return out;
    for (size_t c = 1; c < s->n_classes; c++)
        if (votes[c] > votes[main]) main = c;
    out.n = 1;
    out.bias = main != truth;
    out.variance = 1 - votes[main] / n;
    out.total = 1 - votes[truth] / n;
    *(main == truth ? &out.harmful : &out.helpful) = out.variance;
    return out;
}

/* Averages over the places; `by_place` (n, or NULL) gets each of them, `means` the mean answers. */
static cairn_status take_parts(cairn_context *ctx, parts *out, const study *s, parts *by_place,
                               double *means)
{
    double *votes, mean = NAN;
    *out = (parts){0};
    CHECK(SCRATCH(ctx, &votes, s->n_classes + 1));
    for (size_t i = 0; i < s->n; i++) {
        parts here = {0};
        if (!isnan(s->truth[i]))
            here =
                s->task == CAIRN_CLASSIFY ? split_votes(s, i, votes) : split_numbers(s, i, &mean);
        if (by_place) by_place[i] = here;
        if (means) means[i] = mean;
        if (!here.n) continue;
        out->n++;
        out->bias += here.bias;
        out->variance += here.variance;
        out->total += here.total;
        out->helpful += here.helpful;
        out->harmful += here.harmful;
    }
    double n = (double)out->n;
    if (n > 0) {
        out->bias /= n;
        out->variance /= n;
        out->total /= n;
        out->helpful /= n;
        out->harmful /= n;
    }
    return CAIRN_OK;
}

/* -- the report -- */

static void show_formula(cairn_report *out, const study *s)
{
    if (s->task == CAIRN_CLASSIFY)
        cairn_report_formula(out,
                             "bias = [main answer ≠ truth], variance = share of answers ≠ main "
                             "answer");
    else
        cairn_report_formula(out, "E (f − f̂)² = (f − E f̂)² + Var f̂   (total = bias² + variance)");
    cairn_report_value(out, "training sets", s->p->samples, "samples");
    if (s->table)
        cairn_report_paragraph(out, "Training sets are bootstrap samples of the rows; each row is "
                                    "judged by those that left it out. The truth is the row's own "
                                    "target, so its noise counts as bias.");
}

/* One row of the table of settings; names begin with the setting when there are several. */
static void show_parts(cairn_report *out, const study *s, const parts *p, const char *label,
                       const char *prefix, bool mark)
{
    bool votes = s->task == CAIRN_CLASSIFY, noisy = !s->table;
    double noise = s->p->noise * s->p->noise;
    cairn_report_cell(out, label);
    cairn_report_cell_number(out, p->bias, 5, "%s%s", prefix, votes ? "bias" : "bias2");
    cairn_report_cell_number(out, p->variance, 5, "%svariance", prefix);
    if (votes) cairn_report_cell_number(out, p->harmful, 5, "%svariance.harmful", prefix);
    if (votes) cairn_report_cell_number(out, p->helpful, 5, "%svariance.helpful", prefix);
    if (mark) cairn_report_row_mark(out);
    cairn_report_cell_number(out, p->total, 5, "%stotal", prefix);
    if (noisy) cairn_report_cell_number(out, p->total + noise, 5, "%sexpected", prefix);
}

static void begin_table(cairn_report *out, const study *s)
{
    bool votes = s->task == CAIRN_CLASSIFY;
    cairn_report_table_of(out, "Averages over the places", 0, "lrr", "setting",
                          votes ? "bias" : "bias²", "variance");
    if (votes) cairn_report_column(out, "where right", 'r');
    if (votes) cairn_report_column(out, "where wrong", 'r');
    cairn_report_column(out, votes ? "error" : "total", 'r');
    if (!s->table) cairn_report_column(out, "with noise", 'r');
}

/* The dashed line is the sum of the other two for numbers; for shares of classes it is not. */
static void draw_parts(cairn_context *ctx, cairn_report *out, const char *title, const char *axis,
                       const double *x, const parts *parts_of, size_t n, bool votes)
{
    cairn_figure *figure = NULL;
    cairn_status status;
    double *bias, *variance, *total;
    TRY(SCRATCH_EACH(ctx, n, &bias, &variance, &total));
    for (size_t i = 0; i < n; i++) {
        bias[i] = parts_of[i].bias;
        variance[i] = parts_of[i].variance;
        total[i] = parts_of[i].total;
    }
    TRY(cairn_figure_new(ctx, &figure, "bias-variance", title));
    cairn_figure_axes(figure, axis, votes ? "share" : "squared error");
    cairn_figure_line(figure, votes ? "bias" : "bias²", x, bias, n);
    cairn_figure_line(figure, "variance", x, variance, n);
    cairn_figure_dashed(figure, votes ? "error" : "total", x, total, n);
    cairn_report_figure(out, figure);
done:
    cairn_report_failed(out, status);
}

/* -- dartboards --
 *
 * A training set is a shot: its errors at two places are where the dart hits, the truth is the
 * middle. Bias moves all darts away from it, variance scatters them. */

enum { MOST_BOARDS = 4, RING_POINTS = 72 };

typedef struct boards {
    double *shots[MOST_BOARDS]; /* samples x 2 */
    const char *labels[MOST_BOARDS];
    size_t n;
} boards;

/* Which settings of n have a board: all, or four spread evenly with both ends. */
static bool has_board(size_t i, size_t n)
{
    if (n <= MOST_BOARDS) return true;
    for (size_t k = 0; k < MOST_BOARDS; k++)
        if (i == (k * (n - 1) + (MOST_BOARDS - 1) / 2) / (MOST_BOARDS - 1)) return true;
    return false;
}

/* Keep the errors of the setting that was just studied, at one and two thirds of the places. */
static cairn_status keep_shots(cairn_context *ctx, boards *b, const study *s, const char *label)
{
    size_t at[2] = {s->n / 3, 2 * s->n / 3}, n = (size_t)s->p->samples;
    if (s->table || s->n < 3 || b->n == MOST_BOARDS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &b->shots[b->n], 2 * n));
    for (size_t k = 0; k < n; k++)
        for (int side = 0; side < 2; side++)
            b->shots[b->n][2 * k + (size_t)side] =
                s->answers[k * s->n + at[side]] - s->truth[at[side]];
    b->labels[b->n++] = label;
    return CAIRN_OK;
}

static void draw_ring(cairn_figure *f, double radius)
{
    double x[RING_POINTS + 1], y[RING_POINTS + 1];
    for (int i = 0; i <= RING_POINTS; i++) {
        double angle = 2 * 3.141592653589793 * i / RING_POINTS;
        x[i] = radius * cairn_cos(angle);
        y[i] = radius * cairn_sin(angle);
    }
    cairn_figure_guide(f, x, y, RING_POINTS + 1);
}

/* Errors at two places as shots at a target: bias is off the centre, variance is scatter. */
static cairn_status draw_board(cairn_context *ctx, cairn_figure **out, const study *s,
                               const double *shots, const char *label, double reach)
{
    cairn_figure *f;
    size_t n = (size_t)s->p->samples;
    double *x, *y, mean[2] = {0, 0};
    char axes[2][64], number[CAIRN_NUMBER_SIZE];
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    for (size_t k = 0; k < n; k++) {
        x[k] = shots[2 * k], y[k] = shots[2 * k + 1];
        mean[0] += x[k] / (double)n, mean[1] += y[k] / (double)n;
    }
    for (int side = 0; side < 2; side++) {
        cairn_number_format(number, s->x[(size_t)(side + 1) * s->n / 3], 3);
        snprintf(axes[side], sizeof axes[side], "error at x = %s", number);
    }
    CHECK(cairn_figure_new(ctx, &f, "dartboard", label));
    cairn_figure_size(f, 240, 240);
    cairn_figure_axes(f, axes[0], axes[1]);
    cairn_figure_x_range(f, -reach, reach);
    cairn_figure_y_range(f, -reach, reach);
    cairn_figure_equal_axes(f);
    for (int ring = 1; ring <= 3; ring++) draw_ring(f, reach * ring / 3);
    cairn_figure_points(f, x, y, NULL, n, NULL, 0);
    cairn_figure_mark(f, "mean", mean[0], mean[1]);
    *out = f;
    return CAIRN_OK;
}

/* All boards side by side, to one scale. */
static cairn_status show_boards(cairn_context *ctx, cairn_report *out, const study *s,
                                const boards *b)
{
    cairn_figure *board;
    OWNED(cairn_figure_free) cairn_figure *whole = NULL;
    double reach = 0;
    if (!b->n) return CAIRN_OK;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < 2 * (size_t)s->p->samples; k++)
            reach = fmax(reach, fabs(b->shots[i][k]));
    if (!(reach > 0)) return CAIRN_OK;
    CHECK(
        cairn_figure_new(ctx, &whole, "dartboards", "Errors of every training set at two places"));
    for (size_t i = 0; i < b->n; i++) {
        CHECK(draw_board(ctx, &board, s, b->shots[i], b->labels[i], 1.05 * reach));
        cairn_figure_panel(whole, board);
    }
    cairn_report_page_figure(out, whole);
    whole = NULL;
    return CAIRN_OK;
}

/* A simulation with one setting: place by place. */
static cairn_status show_places(cairn_context *ctx, cairn_report *out, const study *s)
{
    static const char *const heads[] = {"x", "truth", "mean answer", "bias²", "variance", "total"};
    parts *by_place, all;
    double *means;
    CHECK(SCRATCH_EACH(ctx, s->n, &by_place, &means));
    CHECK(take_parts(ctx, &all, s, by_place, means));
    cairn_report_table_begin(out, "By x", 0);
    for (size_t k = 0; k < 6; k++) cairn_report_column(out, heads[k], 'r');
    for (size_t i = 0; i < s->n && cairn_report_row_wanted(out); i++) {
        cairn_report_prefix(out, "x%zu", i + 1);
        cairn_report_cells(out, "@:4 @.truth:4 @.mean:4 @.bias2:4 @.variance:4 @.total:4", s->x[i],
                           s->truth[i], means[i], by_place[i].bias, by_place[i].variance,
                           by_place[i].total);
    }
    if (s->n < 2) return CAIRN_OK;
    /* The truth, the mean answer and a deviation around it, over x. */
    cairn_figure *figure = NULL;
    double *low, *high;
    CHECK(SCRATCH_EACH(ctx, s->n, &low, &high));
    for (size_t i = 0; i < s->n; i++) {
        low[i] = means[i] - sqrt(by_place[i].variance);
        high[i] = means[i] + sqrt(by_place[i].variance);
    }
    CHECK(cairn_figure_new(ctx, &figure, "answers", "Truth and answers"));
    cairn_figure_axes(figure, "x", "y");
    cairn_figure_band(figure, "± one deviation", s->x, low, high, s->n);
    cairn_figure_line(figure, "mean answer", s->x, means, s->n);
    cairn_figure_dashed(figure, "truth", s->x, s->truth, s->n);
    cairn_report_figure(out, figure);
    draw_parts(ctx, out, "Bias and variance over x", "x", s->x, by_place, s->n, false);
    return CAIRN_OK;
}

/* -- the work -- */

/* The answers of all training sets at one place: their mean, and the two parts of the error. */
static void work_numbers(cairn_context *ctx, const study *s, size_t place)
{
    double mean, sum = 0, *answers;
    size_t n = 0;
    parts here = split_numbers(s, place, &mean);
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &answers, (size_t)s->p->samples);
    if (status) return cairn_report_failed(s->work, status);
    for (size_t k = 0; k < (size_t)s->p->samples; k++) {
        double a = s->answers[k * s->n + place];
        if (!isnan(a)) sum += answers[n++] = a;
    }
    cairn_report_worked_sum(s->work, "sum of the answers", "#", answers, 1, n, sum);
    cairn_report_worked(s->work, "E f̂", "# / # = #", sum, (double)n, mean);
    cairn_report_worked(s->work, "bias²", "(f − E f̂)² = (# − #)² = #", s->truth[place], mean,
                        here.bias);
    cairn_report_worked(s->work, "variance", "Σ (f̂ − E f̂)² / n = # / # = #",
                        here.variance * (double)n, (double)n, here.variance);
    cairn_report_worked(s->work, "total", "bias² + variance = # + # = #", here.bias, here.variance,
                        here.total);
}

/* One place in the middle stands for all; then the averages over the places. */
static void work_setting(cairn_context *ctx, const study *s, const parts *all, const char *label)
{
    double mean;
    size_t place = s->n / 2;
    if (!s->work || !s->n) return;
    while (place + 1 < s->n && (isnan(s->truth[place]) || !split_numbers(s, place, &mean).n))
        place++;
    cairn_report_step_begin(s->work, "%s, at place %zu of %zu", label, place + 1, s->n);
    if (s->task == CAIRN_CLASSIFY) {
        /* The votes of a place: which answer is the main one, and how many are others. */
        double right = 0, n = 0;
        for (size_t k = 0; k < (size_t)s->p->samples; k++) {
            double a = s->answers[k * s->n + place];
            if (isnan(a)) continue;
            n++;
            right += a == s->truth[place];
        }
        cairn_report_worked(s->work, "error at this row", "wrong answers / answers = # / # = #",
                            n - right, n, (n - right) / n);
    } else
        work_numbers(ctx, s, place);
    if (s->task == CAIRN_CLASSIFY)
        cairn_report_worked(s->work, "error over the places",
                            "bias + variance where right − what variance mends = # + # − # = #",
                            all->bias, all->harmful, all->bias + all->harmful - all->total,
                            all->total);
    else
        cairn_report_worked(s->work, "average over the places", "bias² + variance = # + # = #",
                            all->bias, all->variance, all->total);
    cairn_report_step_end(s->work);
}

/* -- the settings -- */

static cairn_status study_setting(cairn_context *ctx, study *s, parts *out)
{
    CHECK(cairn_tasks(ctx, (size_t)s->p->samples, answer_sample, s));
    return take_parts(ctx, out, s, NULL, NULL);
}

/* Every setting meets the same training sets; the curve is drawn only if the values are numbers
 * that rise. */
static cairn_status over_settings(cairn_context *ctx, cairn_report *out, study *s,
                                  const cairn_space *space, const cairn_params *params)
{
    cairn_status status;
    const char *value, *label;
    size_t n = space->axes[0].n, best = 0, numeric = 0;
    parts *found;
    double *x;
    const char **labels;
    boards b = {0};
    TRY(SCRATCH_EACH(ctx, n + 1, &found, &x, &labels));
    for (size_t i = 0; i < n; i++) {
        cairn_space_point(space, i, &value);
        TRY(cairn_space_label(ctx, space, &value, &label));
        TRY(cairn_space_settings(ctx, space, &value, params, &s->at));
        status = study_setting(ctx, s, &found[i]);
        cairn_settings_clear(&s->at);
        if (status) goto done;
        work_setting(ctx, s, &found[i], label);
        if (has_board(i, n)) TRY(keep_shots(ctx, &b, s, label));
        labels[i] = label;
        numeric += cairn_number_parse(value, strlen(value), &x[i]) && (!i || x[i] > x[i - 1]);
        if (found[i].total < found[best].total) best = i;
    }
    begin_table(out, s);
    for (size_t i = 0; i < n; i++) {
        char prefix[40];
        snprintf(prefix, sizeof prefix, "setting%zu.", i + 1);
        show_parts(out, s, &found[i], labels[i], prefix, i == best);
    }
    cairn_report_word(out, "least total", labels[best], "best");
    if (numeric == n && n > 1)
        draw_parts(ctx, out, "Bias and variance over complexity", space->axes[0].name, x, found, n,
                   s->task == CAIRN_CLASSIFY);
    TRY(show_boards(ctx, out, s, &b));
done:
    return status;
}

static cairn_status one_setting(cairn_context *ctx, cairn_report *out, study *s,
                                const cairn_params *params)
{
    parts found;
    boards b = {0};
    CHECK(cairn_params_copy(ctx, &s->at.params, params));
    CHECK(cairn_params_copy_list(ctx, &s->at.transforms, s->p->transforms));
    CHECK(study_setting(ctx, s, &found));
    work_setting(ctx, s, &found, s->p->learner);
    begin_table(out, s);
    show_parts(out, s, &found, s->p->learner, "", false);
    if (!s->table) CHECK(show_places(ctx, out, s));
    CHECK(keep_shots(ctx, &b, s, s->p->learner));
    return show_boards(ctx, out, s, &b);
}

/* -- what is studied -- */

static cairn_status set_up_simulation(cairn_context *ctx, study *s, const cairn_params *params)
{
    const bias_variance_params *p = s->p;
    if (!(p->low < p->high)) CHECK(cairn_fail(ctx, CAIRN_USAGE, "{low} must be less than {high}"));
    if (!(((const cairn_learner *)params->entry)->tasks & CAIRN_REGRESS))
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "%s does not predict numbers, which {formula} gives",
                         params->entry->name));
    s->n = (size_t)p->points;
    s->task = CAIRN_REGRESS;
    CHECK(SCRATCH_EACH(ctx, s->n, &s->x, &s->truth));
    for (size_t i = 0; i < s->n; i++)
        s->x[i] = s->n == 1 ? (p->low + p->high) / 2
                            : p->low + (p->high - p->low) * (double)i / (double)(s->n - 1);
    CHECK(cairn_table_new(ctx, &s->places, s->n));
    CHECK(cairn_table_put_numbers(ctx, s->places, "x", s->x));
    return formula_values(ctx, p->formula, s->places, s->truth);
}

/* Without a known truth the target itself stands for it, so noise counts as bias. */
static cairn_status set_up_table(cairn_context *ctx, study *s, const cairn_params *params,
                                 const cairn_table *table)
{
    cairn_status status;
    cairn_decision decided = {.learner = (const cairn_learner *)params->entry, .params = params};
    if (!(decided.learner->tasks & (CAIRN_CLASSIFY | CAIRN_REGRESS)))
        return cairn_fail(ctx, CAIRN_USAGE, "%s has no answer in a row to be right or wrong about",
                          params->entry->name);
    TRY(cairn_table_share(ctx, &s->table, table));
    TRY(cairn_task_decide(ctx, &decided, s->table, CAIRN_TASK_AUTO));
    s->places = s->table;
    s->task = decided.task;
    s->n = s->table->n_rows;
    const cairn_column *target =
        s->table->slots[cairn_table_role_column(s->table, CAIRN_TARGET)].column;
    TRY(SCRATCH(ctx, &s->truth, s->n + 1));
    s->n_classes = s->task == CAIRN_CLASSIFY ? target->names.n : 0;
    for (size_t i = 0; i < s->n; i++) {
        s->truth[i] = s->n_classes ? target->codes[i] : target->numbers[i];
        if (cairn_column_is_missing(target, i)) s->truth[i] = NAN;
    }
done:
    cairn_free(decided.why);
    return status;
}

/* Either rows of a table drawn again and again, or rows simulated from a formula, whose truth is
 * known. */
static cairn_status bias_variance_run(cairn_context *ctx, cairn_report *out,
                                      const cairn_compute_job *job)
{
    const bias_variance_params *p = job->params;
    cairn_status status;
    cairn_params *params = NULL;
    cairn_space space = {0};
    study s = {.p = p};
    if (!job->table == !p->formula)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute bias-variance' needs either DATA or {formula}, such as "
                          "{formula 'sin(6*x)'}");
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, p->learner));
    if (job->steps) TRY(cairn_report_new(ctx, &s.work));
    if (p->over) TRY(cairn_space_parse(ctx, &space, p->over, params, p->transforms));
    if (p->over && space.n != 1)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{over} varies one parameter here, not %zu", space.n));
    if (job->table)
        TRY(set_up_table(ctx, &s, params, job->table));
    else
        TRY(set_up_simulation(ctx, &s, params));
    TRY(cairn_memory_check(ctx, 8.0 * (double)s.n * p->samples, "keeping all answers",
                           cairn_say(ctx, "use fewer {samples} or rows")));
    TRY(SCRATCH(ctx, &s.answers, cairn_product(s.n, (size_t)p->samples)));
    cairn_report_heading(out, 1, "Bias and variance of %s", p->learner);
    show_formula(out, &s);
    if (space.axes)
        TRY(over_settings(ctx, out, &s, &space, params));
    else
        TRY(one_setting(ctx, out, &s, params));
    if (s.work) cairn_report_append(out, s.work, NULL);
done:
    cairn_settings_clear(&s.at);
    cairn_report_free(s.work);
    cairn_params_free(params);
    if (s.places != s.table) cairn_table_free(s.places);
    cairn_table_free(s.table);
    return status;
}

const cairn_calculator cairn_compute_bias_variance = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "bias-variance",
              .also = "bias-variance decomposition, bias, variance of a learner, bias-variance "
                      "dilemma",
              .title = "Bias and variance of a learner",
              .summary =
                  "Fits a learner to many training sets and takes its error apart: how far the "
                  "mean answer is from the truth (bias) and how much the answers scatter "
                  "(variance). Training sets are simulated from a formula, or bootstrap samples "
                  "of a table; for classes votes take the place of means. --over varies a "
                  "parameter and draws the parts against it.",
              .references = "Geman et al., Neural networks and the bias/variance dilemma, 1992; "
                            "Domingos, A unified bias-variance decomposition, 2000",
              .example = "cairn compute bias-variance --formula 'sin(6*x)' --learner tree "
                         "--over max-depth=1,2,3,5 --samples 20",
              .params = bias_variance_table,
              .params_size = sizeof(bias_variance_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = bias_variance_run,
};
