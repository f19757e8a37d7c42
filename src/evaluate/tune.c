/* SPDX-License-Identifier: MIT */
/* The search: every point is judged by the inner resampling; of equal ones the simpler wins.
 *
 *     grid      all points
 *     random    some points drawn at random, each from a random stream of its own
 *     halving   all points (or some drawn ones) on few rows; the best 1/factor of them go on to
 *               factor times as many, until all rows are used (successive halving)
 *
 * "Simpler" is fewer learned parameters, then the earlier point: values are typed from simple to
 * flexible. With the one-standard-error rule the simplest point wins whose value is within one
 * standard error of the best. A point that cannot be fitted is noted and never wins. */
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "evaluate/cluster_splits.h"
#include "evaluate/overfit.h"
#include "evaluate/tune.h"
#include "evaluate/glance.h"
#include "model/task.h"
#include "report/table_rows.h"
#include "stats/significance.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a search found: the table of trials and its picture. */

enum { MOST_CELLS = 400 };

/* The marked trial is the chosen one; trials that halving left early show how many rows they were
 * judged on. A clusterer that leaves rows out must show how many: the others look the better for
 * it. */
static void show_trials(cairn_report *out, const cairn_search *s)
{
    const char *measure = s->measure->entry.name;
    bool clusters = s->measure->task == CAIRN_CLUSTER;
    cairn_report_table_begin(out, "Trials", 0);
    for (size_t a = 0; a < s->space->n; a++) cairn_report_column(out, s->space->axes[a].name, 'l');
    cairn_report_columns(out, "rr", measure, "standard error");
    if (clusters)
        cairn_report_columns(out, "rr", "clusters", "rows in none");
    else
        cairn_report_column(
            out, s->measure->task == CAIRN_CLASSIFY ? "training accuracy" : "training mse", 'r');
    cairn_report_column(out, "parameters", 'r');
    if (s->n_rounds > 1) cairn_report_column(out, "rows", 'r');
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (i == s->best) cairn_report_row_mark(out);
        for (size_t a = 0; a < s->space->n; a++)
            cairn_report_cell(out, t->values[a] ? t->values[a] : "");
        cairn_report_prefix(out, "trial%zu", i + 1);
        cairn_report_cell_number(out, t->value, 5, "trial%zu.%s", i + 1, measure);
        cairn_report_cells(
            out, "@.error:3 @.clusters:4 @.without:5 @.training:5 @.parameters @.rows", t->error,
            cairn_cell_if(clusters, t->clusters), cairn_cell_if(clusters, t->without),
            cairn_cell_if(!clusters, t->training), t->parameters,
            cairn_cell_if(s->n_rounds > 1, (double)t->rows));
    }
}

static bool is_number(const char *text, double *out)
{
    return text && cairn_number_parse(text, strlen(text), out) && isfinite(*out);
}

static bool all_numbers(const cairn_search *s, size_t axis)
{
    double x;
    for (size_t i = 0; i < s->n; i++)
        if (!is_number(s->trials[i].values[axis], &x)) return false;
    return true;
}

/* -- a curve over one number -- */

typedef struct curve_point {
    double x, value, low, high, training;
} curve_point;

static void draw_points(cairn_figure *figure, const cairn_search *s, double *columns,
                        const curve_point *points, size_t n)
{
    double *x = columns, *value = x + n, *low = value + n, *high = low + n, *training = high + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].x;
        value[i] = points[i].value;
        low[i] = points[i].low;
        high[i] = points[i].high;
        training[i] = points[i].training;
    }
    cairn_figure_band(figure, "± one standard error", x, low, high, n);
    cairn_figure_line(figure,
                      s->measure->task == CAIRN_CLUSTER ? s->measure->entry.name : "held-out rows",
                      x, value, n);
    if (cairn_overfit_comparable(s)) cairn_figure_dashed(figure, "training rows", x, training, n);
    cairn_overfit overfit = cairn_overfit_find(s);
    double turn;
    if (overfit.found && is_number(s->trials[overfit.against].values[0], &turn))
        cairn_figure_rule_x(figure, "turning point", turn);
}

/* For one number parameter: training and held-out values over it. Only trials of the last round
 * are comparable. */
static cairn_status curve_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure = NULL;
    const cairn_space_axis *axis = &s->space->axes[0];
    curve_point *points;
    double *columns, best;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &points, s->n));
    CHECK(SCRATCH(ctx, &columns, 5 * s->n));
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        double x, error = isnan(t->error) ? 0 : t->error;
        if (!is_number(t->values[0], &x) || isnan(t->value) || t->round < s->n_rounds) continue;
        points[n++] = (curve_point){x, t->value, t->value - error, t->value + error, t->training};
    }
    if (n < 2) return CAIRN_OK;
    /* Trials in the order of the parameter; few enough for insertion. */
    for (size_t i = 1; i < n; i++) {
        curve_point point = points[i];
        size_t at = i;
        for (; at > 0 && points[at - 1].x > point.x; at--) points[at] = points[at - 1];
        points[at] = point;
    }
    CHECK(cairn_figure_new(ctx, &figure, "search",
                           s->measure->task == CAIRN_CLUSTER ? s->measure->entry.title
                                                             : "Training and held-out rows"));
    cairn_figure_axes(figure, axis->name, s->measure->entry.name);
    if (axis->log && points[0].x > 0)
        cairn_figure_scales(figure, CAIRN_SCALE_LOG, CAIRN_SCALE_LINEAR);
    draw_points(figure, s, columns, points, n);
    if (is_number(s->trials[s->best].values[0], &best))
        cairn_figure_mark(figure, "chosen", best, s->trials[s->best].value);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* -- a map over two parameters -- */

static size_t value_index(const cairn_space_axis *axis, const char *value)
{
    for (size_t v = 0; v < axis->n; v++)
        if (value && strcmp(axis->values[v], value) == 0) return v;
    return axis->n;
}

static cairn_status map_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure;
    const cairn_space_axis *rows = &s->space->axes[0], *columns = &s->space->axes[1];
    double *values;
    CHECK(SCRATCH(ctx, &values, rows->n * columns->n));
    for (size_t i = 0; i < rows->n * columns->n; i++) values[i] = NAN;
    for (size_t i = 0; i < s->n; i++) {
        size_t r = value_index(rows, s->trials[i].values[0]);
        size_t c = value_index(columns, s->trials[i].values[1]);
        if (r < rows->n && c < columns->n) values[r * columns->n + c] = s->trials[i].value;
    }
    CHECK(cairn_figure_new(ctx, &figure, "search", s->measure->entry.title));
    cairn_figure_heat(figure, values, rows->values, rows->n, columns->values, columns->n);
    cairn_figure_axes(figure, columns->name, rows->name);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* -- all trials in order -- */

/* For several parameters there is no axis, so trials are shown in their order, by which a search
 * that still improves is seen. */
static cairn_status order_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure;
    double *x, *value;
    size_t n = 0;
    CHECK(SCRATCH_EACH(ctx, s->n, &x, &value));
    for (size_t i = 0; i < s->n; i++) {
        if (isnan(s->trials[i].value)) continue;
        x[n] = (double)i + 1;
        value[n++] = s->trials[i].value;
    }
    if (n < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, "search", "All trials"));
    cairn_figure_axes(figure, "trial", s->measure->entry.name);
    cairn_figure_points(figure, x, value, NULL, n, NULL, 0);
    cairn_figure_mark(figure, "chosen", (double)s->best + 1, s->trials[s->best].value);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_search_report(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    SCOPED_SCRATCH(ctx);
    const cairn_trial *best = &s->trials[s->best];
    const cairn_space *space = s->space;
    show_trials(out, s);
    cairn_report_word(out, "chosen", best->label, "best");
    cairn_report_hidden(out, (double)s->best + 1, "best.trial");
    for (size_t a = 0; a < space->n; a++)
        if (best->values[a])
            cairn_report_hidden_word(out, best->values[a], "best.%s",
                                     cairn_report_key(out, space->axes[a].name));
    cairn_report_value(out,
                       s->measure->task == CAIRN_CLUSTER ? "its value"
                       : s->chosen_apart                 ? "its value on the validation rows"
                                                         : "its value over the inner splits",
                       best->value, "best.value");
    if (best->without > 0)
        cairn_report_note(out,
                          "The chosen point leaves rows in no cluster, and the shape of the others "
                          "is measured without them; compare the points in that, too.");
    cairn_report_hidden(out, (double)s->n_tied, "best.tied");
    if (s->n_tied)
        cairn_report_note(
            out,
            s->n_tied == 1 ? "%zu other point is as good, and the number of learned parameters "
                             "does not say which is simpler: the one that was typed first was "
                             "taken, so type values from simple to flexible."
                           : "%zu other points are as good, and the number of learned parameters "
                             "does not say which is simpler: the one that was typed first was "
                             "taken, so type values from simple to flexible.",
            s->n_tied);
    if (s->n_failed)
        cairn_report_note(out, "%zu of %zu points could not be fitted; the first: %s", s->n_failed,
                          s->n, s->first_failure ? s->first_failure : "see an earlier run");
    cairn_overfit_report(out, s);
    if (space->n == 1 && all_numbers(s, 0))
        CHECK(curve_figure(ctx, out, s));
    else if (space->n == 2 && (double)space->axes[0].n * (double)space->axes[1].n <= MOST_CELLS &&
             s->n == space->axes[0].n * space->axes[1].n)
        CHECK(map_figure(ctx, out, s));
    else
        CHECK(order_figure(ctx, out, s));
    return CAIRN_OK;
}

/* A value of the measure as brief reports show it: squared errors in the units of the target. */
static void show_value(char out[CAIRN_NUMBER_SIZE], const cairn_search *s, double value)
{
    if (cairn_same(s->measure->entry.name, "mse")) value = sqrt(value);
    if (s->measure->is_share || s->measure->at_most_one)
        cairn_share_shown(out, value);
    else
        cairn_amount_shown(out, value);
}

/* Trials of the last round, the chosen one first and then by value; the first `most` of them. */
static size_t rank_trials(size_t *order, size_t most, const cairn_search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t at = n;
        if (isnan(s->trials[i].value) || s->trials[i].round < s->n_rounds) continue;
        for (; at > 0 && order[at - 1] != s->best; at--) {
            double value = s->trials[i].value, other = s->trials[order[at - 1]].value;
            bool better = s->measure->lower_better ? value < other : value > other;
            if (!better && i != s->best) break;
        }
        if (at >= most) continue;
        n = n < most ? n + 1 : n;
        memmove(order + at + 1, order + at, (n - at - 1) * sizeof *order);
        order[at] = i;
    }
    return n;
}

/* The honest estimate by the measure of the search, with the interval that `evaluate` gives where
 * the measure has it. */
static cairn_status say_honest(cairn_context *ctx, cairn_report *out, const cairn_search *s,
                               const cairn_evaluation *e)
{
    const char *name = s->measure->entry.name, *how;
    char shown[CAIRN_NUMBER_SIZE], low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    char percent[CAIRN_NUMBER_SIZE];
    cairn_judged judged = cairn_evaluation_judged(e);
    cairn_interval interval;
    double value;
    CHECK(s->measure->value(ctx, &value, &judged));
    CHECK(cairn_evaluation_interval(ctx, &interval, &how, e));
    show_value(shown, s, value);
    cairn_report_cells(out, NULL, "on new rows", shown);
    if (cairn_same(name, "accuracy") || cairn_same(name, "mse") || cairn_same(name, "rmse")) {
        (cairn_same(name, "accuracy") ? cairn_share_shown : cairn_amount_shown)(low, interval.low);
        (cairn_same(name, "accuracy") ? cairn_share_shown : cairn_amount_shown)(high,
                                                                                interval.high);
        cairn_number_format(percent, 100 * e->level, 4);
        cairn_report_cellf(out, "%s%%: %s to %s (%s), on rows kept apart", percent, low, high, how);
    } else {
        cairn_report_cell(out, "on rows kept apart");
    }
    return CAIRN_OK;
}

static cairn_status fill_glance(cairn_context *ctx, cairn_report *out, const cairn_search *s,
                                const cairn_evaluation *honest)
{
    enum { MOST = 8 };
    size_t order[MOST + 1], n = rank_trials(order, MOST, s);
    const char *name = cairn_same(s->measure->entry.name, "mse") ? "rmse" : s->measure->entry.name;
    char shown[CAIRN_NUMBER_SIZE];
    if (honest) cairn_glance_rows(out, honest);
    cairn_report_paragraph(out, "Best setting: %s", s->trials[s->best].label);
    cairn_report_table_of(out, NULL, 0, "lrl", "", "", "");
    if (honest) CHECK(say_honest(ctx, out, s, honest));
    show_value(shown, s, s->trials[s->best].value);
    cairn_report_cells(out, NULL, "in the search", shown);
    cairn_report_cellf(out,
                       s->measure->task == CAIRN_CLUSTER && !honest
                           ? "%s"
                           : "%s, optimistic: it was chosen for that",
                       name);
    if (n > 1) {
        show_value(shown, s, s->trials[order[1]].value);
        cairn_report_cells(out, NULL, "runner-up", shown, s->trials[order[1]].label);
    }
    cairn_report_table_of(out, NULL, 0, "lr", "the best of the search", name);
    for (size_t i = 0; i < n; i++) {
        show_value(shown, s, s->trials[order[i]].value);
        cairn_report_cells(out, NULL, s->trials[order[i]].label, shown);
    }
    cairn_report_table_end(out);
    if (n < s->n)
        cairn_report_paragraph(out, "%zu points were tried%s.", s->n,
                               s->n_failed ? ", and some could not be fitted" : "");
    cairn_report_more(out, "{full} (all points, splits) · {figure search} · {save FILE}");
    return CAIRN_OK;
}

cairn_status cairn_search_glance(cairn_context *ctx, cairn_report *out, const cairn_search *s,
                                 const cairn_evaluation *honest)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    cairn_status status = fill_glance(ctx, out, s, honest);
    cairn_report_for(out, before);
    return status;
}

/* How a search came to its choice: every point in every split, means, and the rule. */

enum { MOST_SPLITS = 10, MOST_WORKED = 10 };

static size_t most_splits(const cairn_search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->trials[i].n_splits > n) n = s->trials[i].n_splits;
    return n;
}

/* A row per point and a column per split; what a journal answered has no splits. */
static void show_splits(cairn_report *out, const cairn_search *s)
{
    size_t n = most_splits(s), shown = n < MOST_SPLITS ? n : MOST_SPLITS;
    cairn_report_step_begin(out, "Every point in every split");
    cairn_report_table_of(out, s->measure->entry.title, 0, "l", "point");
    for (size_t k = 0; k < shown; k++) {
        char head[32];
        snprintf(head, sizeof head, "%zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "rr", "mean", "all rows");
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (i == s->best) cairn_report_row_mark(out);
        cairn_report_cell(out, t->label);
        for (size_t k = 0; k < shown; k++)
            cairn_report_cell_number(out, k < t->n_splits ? t->splits[k] : NAN, 4,
                                     "trial%zu.split%zu", i + 1, k + 1);
        cairn_report_cells(out, "trial#.mean:5 -:5", t->mean, t->value);
    }
    if (shown < n) cairn_report_paragraph(out, "%zu more splits are not listed.", n - shown);
    cairn_report_paragraph(out, "'mean' averages the splits; 'all rows' takes the held-out rows of "
                                "all splits together, and is what points are compared by.");
    cairn_report_step_end(out);
}

static void show_mean(cairn_report *out, const cairn_trial *t)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t k = 0; k < t->n_splits; k++)
        if (!isnan(t->splits[k])) sum += t->splits[k], n++;
    for (size_t k = 0; k < t->n_splits; k++)
        if (!isnan(t->splits[k])) squares += (t->splits[k] - t->mean) * (t->splits[k] - t->mean);
    if (!n) return;
    cairn_report_step_begin(out, "%s", t->label);
    cairn_report_worked_sum(out, "sum", "#", t->splits, 1, t->n_splits, sum);
    cairn_report_worked(out, "mean", "# / # = #", sum, (double)n, t->mean);
    if (n > 1)
        cairn_report_worked(out, "standard error",
                            "√(Σ (value − mean)² / (k − 1)) / √k = √(# / #) / √# = #", squares,
                            (double)n - 1, (double)n, t->error);
    cairn_report_step_end(out);
}

/* How far each point is behind the best value, and what the rule makes of it. */
static void show_choice(cairn_report *out, const cairn_search *s)
{
    const cairn_trial *top = &s->trials[s->top];
    bool one = s->choose == CAIRN_CHOOSE_ONE_SE && !isnan(top->error);
    double reach = one ? top->error : 0;
    cairn_report_step_begin(out, "The choice");
    if (one)
        cairn_report_worked(out, "bound",
                            s->measure->lower_better ? "best + its standard error = # + # = #"
                                                     : "best − its standard error = # − # = #",
                            top->value, reach,
                            s->measure->lower_better ? top->value + reach : top->value - reach);
    cairn_report_table_of(out, NULL, 0, "lrrrl", "point", "value", "behind the best", "parameters",
                          "");
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        double behind = s->measure->lower_better ? t->value - top->value : top->value - t->value;
        bool in = t->round == s->n_rounds && behind <= reach + 1e-12 * fmax(1, fabs(top->value));
        if (i == s->best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- - trial#.behind:4", t->label, t->value, behind, t->parameters,
                           i == s->best             ? "chosen"
                           : isnan(t->value)        ? "could not be fitted"
                           : t->round < s->n_rounds ? "left behind in an earlier round"
                           : in                     ? "as good, not simpler"
                                                    : "");
    }
    cairn_report_paragraph(out,
                           "%s Of those, the one with the fewest learned parameters wins, and of "
                           "equally simple ones the one that was typed first.",
                           one ? "Points up to the bound are as good as the best."
                               : "Points whose value is the best one, but for rounding, are tied.");
    cairn_report_step_end(out);
}

void cairn_search_steps(cairn_report *out, const cairn_search *s)
{
    if (most_splits(s)) show_splits(out, s);
    for (size_t i = 0; i < s->n && i < MOST_WORKED; i++) show_mean(out, &s->trials[i]);
    show_choice(out, s);
}

enum { MOST_TRIALS = 100000 };

/* -- points to try -- */

/* A point without the values that do nothing there, by its name. */
static cairn_status name_trial(cairn_context *ctx, cairn_trial *t, const cairn_space *space,
                               const cairn_params *params)
{
    CHECK(cairn_space_trim(ctx, space, params, t->values));
    t->value = t->error = t->training = t->parameters = t->mean = NAN;
    t->clusters = t->without = NAN;
    return cairn_space_label(ctx, space, t->values, &t->label);
}

/* Different points, of a grid of `size` (0 = drawn at random): one that came before is left out,
 * which at random means drawn again, until a space of few points has no others. */
static cairn_status take_trials(cairn_context *ctx, cairn_search *s, const cairn_params *params,
                                size_t size, size_t tries)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    size_t most = size ? size : 50 * tries + 1000;
    s->n = 0;
    for (size_t stream = 0; s->n < tries && stream < most; stream++) {
        cairn_trial *t = &s->trials[s->n];
        size_t index;
        CHECK(SCRATCH(ctx, &t->values, s->space->n));
        if (size)
            cairn_space_point(s->space, stream, t->values);
        else
            CHECK(cairn_space_draw(ctx, s->space, stream, t->values));
        CHECK(name_trial(ctx, t, s->space, params));
        CHECK(cairn_map_add(ctx, &seen, t->label, strlen(t->label), &index));
        s->n += index == s->n;
    }
    return CAIRN_OK;
}

static cairn_status list_trials(cairn_context *ctx, cairn_search *s, const cairn_params *params,
                                const cairn_tune_how *options)
{
    double size = cairn_space_size(s->space);
    bool drawn = options->search == CAIRN_SEARCH_RANDOM ||
                 (options->search == CAIRN_SEARCH_HALVING && options->tries > 0);
    if (!drawn && size > MOST_TRIALS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the grid has more than %d points; use {search random} or fewer values",
                          MOST_TRIALS);
    size_t most = drawn ? options->tries : (size_t)size;
    CHECK(SCRATCH(ctx, &s->trials, most));
    return take_trials(ctx, s, params, drawn ? 0 : most, most);
}

/* -- judging one -- */

typedef struct judge_work {
    cairn_search *search;
    const cairn_params *params;
    const cairn_table *table;
    const cairn_tune_how *options;
    cairn_journal *journal;
    const char *scope;
} judge_work;

/* Mean of the values of splits and its standard error; the values themselves with `keep`. */
static cairn_status summarise_splits(cairn_context *ctx, cairn_trial *t, const double *splits,
                                     size_t n, bool keep)
{
    double *known;
    cairn_t_test test;
    size_t counted = 0;
    CHECK(SCRATCH(ctx, &known, n + 1));
    if (keep) {
        CHECK(SCRATCH(ctx, &t->splits, n));
        memcpy(t->splits, splits, n * sizeof *splits);
        t->n_splits = n;
    }
    for (size_t s = 0; s < n; s++)
        if (!isnan(splits[s])) known[counted++] = splits[s];
    cairn_t_test_of(&test, known, counted, 0, 0.95);
    t->error = test.error;
    t->mean = test.mean;
    return CAIRN_OK;
}

/* Mean of the training measures and standard error of the mean over the splits. */
static cairn_status summarise(cairn_context *ctx, cairn_trial *t, const cairn_measure *measure,
                              const cairn_evaluation *e, bool keep)
{
    double *splits, sum = 0, n = 0;
    CHECK(SCRATCH(ctx, &splits, e->n_splits + 1));
    cairn_judged all = cairn_evaluation_judged(e);
    CHECK(measure->value(ctx, &t->value, &all));
    CHECK(cairn_measure_splits(ctx, measure, e, splits));
    CHECK(summarise_splits(ctx, t, splits, e->n_splits, keep));
    for (size_t s = 0; e->training_measures && s < e->n_splits; s++)
        if (!isnan(e->training_measures[s])) sum += e->training_measures[s], n++;
    t->training = n > 0 ? sum / n : NAN;
    return CAIRN_OK;
}

static cairn_status count_parameters(cairn_context *ctx, cairn_trial *t,
                                     const cairn_settings *settings, const cairn_table *table,
                                     const cairn_fit_options *fit)
{
    cairn_model *model = NULL;
    const cairn_learner *learner = (const cairn_learner *)settings->params->entry;
    if (!cairn_learner_counts(learner)) return CAIRN_OK;
    cairn_status status =
        cairn_model_fit_rows(ctx, &model, settings->params, table, cairn_all_rows(table), fit);
    if (status == CAIRN_OK) t->parameters = cairn_model_size_of(model).parameters;
    cairn_model_free(model);
    return status;
}

/* A failure of one point (k larger than the rows, say) does not end the search. */
static cairn_status forgive(cairn_context *ctx, cairn_search *s, cairn_status status)
{
    if (status != CAIRN_BAD_DATA && status != CAIRN_NO_SOLUTION && status != CAIRN_USAGE)
        return status;
    s->n_failed++;
    if (s->first_failure) return CAIRN_OK;
    const char *message = cairn_message(ctx);
    char *copy;
    cairn_status copied = SCRATCH(ctx, &copy, strlen(message) + 1);
    if (copied) return copied;
    memcpy(copy, message, strlen(message));
    s->first_failure = copy;
    return CAIRN_OK;
}

/* Clusters of all rows, or the mean over the splits: of held-out rows where there is a rule for
 * them. */
static cairn_status evaluate_clusters(cairn_context *ctx, const judge_work *w, cairn_trial *t,
                                      const cairn_settings *settings, const cairn_table *table,
                                      const cairn_fit_options *fit)
{
    cairn_cluster_job job = {.params = settings->params,
                             .table = table,
                             .fit = fit,
                             .distance = w->options->cluster_distance,
                             .measures = &w->search->measure,
                             .n_measures = 1,
                             .own = cairn_clusters_own_rows(settings->params)};
    cairn_clusters_seen *seen;
    cairn_plan plan = {0};
    double *values;
    size_t n = 0;
    if (w->options->by) {
        CHECK(cairn_cluster_plan(ctx, &plan, w->options->by, table));
        n = cairn_plan_splits(&plan);
    }
    CHECK(SCRATCH_EACH(ctx, n + 1, &seen, &values));
    if (n) {
        CHECK(cairn_cluster_splits(ctx, values, seen, &job, &plan));
        CHECK(summarise_splits(ctx, t, values, n, w->options->steps));
        t->value = t->mean;
    } else {
        CHECK(cairn_cluster_whole(ctx, &t->value, seen, NULL, &job));
        n = 1;
    }
    t->clusters = t->without = 0;
    for (size_t s = 0; s < n; s++) {
        t->clusters += (double)seen[s].n_clusters / (double)n;
        t->without += (double)seen[s].n_without / (double)n;
    }
    return CAIRN_OK;
}

/* All points meet the same splits of the inner resampling; the size of the model decides between
 * equal ones. */
static cairn_status evaluate_trial(cairn_context *ctx, const judge_work *w, cairn_trial *t,
                                   const cairn_table *table)
{
    cairn_status status;
    cairn_settings settings = {0};
    cairn_evaluation e = {0};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_search *s = w->search;
    cairn_log_function log = ctx->log;
    if (w->options->fit) fit = *w->options->fit;
    TRY(cairn_space_settings(ctx, s->space, t->values, w->params, &settings));
    fit.with = NULL;
    fit.transforms = settings.transforms;
    fit.steps = NULL;
    cairn_evaluate_how how = {.by = w->options->by, .fit = &fit, .choosing = true};
    ctx->log = NULL; /* warnings of every point would bury everything else */
    if (s->measure->task == CAIRN_CLUSTER) {
        TRY(evaluate_clusters(ctx, w, t, &settings, table, &fit));
        TRY(count_parameters(ctx, t, &settings, table, &fit));
        goto done;
    }
    TRY(cairn_evaluate_learner(ctx, &e, settings.params, table, &how));
    TRY(cairn_measure_get(ctx, &s->measure, s->measure->entry.name, &e));
    TRY(summarise(ctx, t, s->measure, &e, w->options->steps));
    s->chosen_apart = e.chosen_apart;
    TRY(count_parameters(ctx, t, &settings, table, &fit));
done:
    ctx->log = log;
    cairn_evaluation_clear(&e);
    cairn_settings_clear(&settings);
    return status;
}

/* From the journal, or by evaluating. */
static cairn_status judge_trial(cairn_context *ctx, const judge_work *w, cairn_trial *t,
                                const cairn_table *table)
{
    cairn_status status;
    cairn_text key = cairn_text_start(ctx);
    const double *found;
    cairn_text_addf(&key, "%s %zu %s", w->scope, table->n_rows, t->label);
    TRY(cairn_text_status(&key));
    t->rows = table->n_rows;
    if ((found = cairn_journal_find(w->journal, cairn_text_string(&key)))) {
        t->mean = NAN, t->n_splits = 0;
        t->value = found[0], t->error = found[1], t->training = found[2], t->parameters = found[3];
        w->search->n_failed += isnan(t->value) && found[4] > 0;
        goto done;
    }
    size_t failed = w->search->n_failed;
    t->value = t->error = t->training = t->parameters = NAN;
    status = evaluate_trial(ctx, w, t, table);
    if (status) TRY(forgive(ctx, w->search, status));
    double numbers[CAIRN_JOURNAL_NUMBERS] = {t->value, t->error, t->training, t->parameters,
                                             (double)(w->search->n_failed - failed)};
    TRY(cairn_journal_add(ctx, w->journal, cairn_text_string(&key), numbers));
done:
    cairn_text_clear(&key);
    return status;
}

/* -- choosing -- */

/* Whether trial a is to be preferred to b. */
static bool is_better(const cairn_search *s, size_t a, size_t b)
{
    const cairn_trial *x = &s->trials[a], *y = &s->trials[b];
    if (isnan(x->value) || isnan(y->value)) return !isnan(x->value);
    double gain = s->measure->lower_better ? y->value - x->value : x->value - y->value;
    if (fabs(gain) > 1e-12 * fmax(1, fabs(y->value))) return gain > 0;
    if (x->parameters != y->parameters && !isnan(x->parameters) && !isnan(y->parameters))
        return x->parameters < y->parameters;
    return a < b;
}

static bool is_simpler(const cairn_search *s, size_t a, size_t b)
{
    const cairn_trial *x = &s->trials[a], *y = &s->trials[b];
    if (x->parameters != y->parameters && !isnan(x->parameters) && !isnan(y->parameters))
        return x->parameters < y->parameters;
    return a < b;
}

/* Trials that took part in the last round. */
static size_t choose_trial(const cairn_search *s, cairn_choosing rule)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++)
        if (s->trials[i].round == s->n_rounds && (best == SIZE_MAX || is_better(s, i, best)))
            best = i;
    if (rule == CAIRN_CHOOSE_BEST || isnan(s->trials[best].error)) return best;
    double reach = s->trials[best].error, top = s->trials[best].value;
    size_t simplest = best;
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        double loss = s->measure->lower_better ? t->value - top : top - t->value;
        if (t->round == s->n_rounds && loss <= reach && is_simpler(s, i, simplest)) simplest = i;
    }
    return simplest;
}

/* Other trials of the last round with the value of the chosen one that are no more complex. */
static size_t count_ties(const cairn_search *s)
{
    const cairn_trial *best = &s->trials[s->best];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (i == s->best || t->round != s->n_rounds || isnan(t->value)) continue;
        bool as_good = fabs(t->value - best->value) <= 1e-12 * fmax(1, fabs(best->value));
        bool simpler = !isnan(best->parameters) && t->parameters > best->parameters;
        n += as_good && !simpler;
    }
    return n;
}

/* -- rounds -- */

/* A random part of the rows, in table order; the same for all points of a round. */
static cairn_status take_some(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              size_t n)
{
    size_t *order;
    uint32_t *rows;
    bool *taken;
    cairn_random random;
    CHECK(SCRATCH_EACH(ctx, table->n_rows, &order, &taken));
    CHECK(SCRATCH(ctx, &rows, n));
    for (size_t i = 0; i < table->n_rows; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(1) << 40);
    cairn_random_shuffle(&random, order, table->n_rows);
    for (size_t i = 0; i < n; i++) taken[order[i]] = true;
    for (size_t i = 0, at = 0; i < table->n_rows; i++)
        if (taken[i]) rows[at++] = (uint32_t)i;
    return cairn_table_take_rows(ctx, out, table, rows, n);
}

/* One round: all trials that are still in, on n rows. */
static cairn_status run_round(cairn_context *ctx, const judge_work *w, size_t n)
{
    OWNED(cairn_table_free) cairn_table *some = NULL;
    cairn_search *s = w->search;
    char what[40] = "trials"; /* of a later round they are work of its own */
    SCOPED(cairn_phase_end) cairn_phase phase;
    cairn_phase_begin(ctx, &phase, (double)s->n);
    if (++s->n_rounds > 1) snprintf(what, sizeof what, "round %zu, trials", s->n_rounds);
    if (n < w->table->n_rows) CHECK(take_some(ctx, &some, w->table, n));
    for (size_t i = 0; i < s->n; i++) {
        if (s->trials[i].out) continue;
        CHECK(cairn_tick(ctx, what, (double)i, (double)s->n));
        CHECK(judge_trial(ctx, w, &s->trials[i], some ? some : w->table));
        s->trials[i].round = s->n_rounds;
    }
    return CAIRN_OK;
}

/* Only the best `n` go on. */
static cairn_status drop_worst(cairn_context *ctx, cairn_search *s, size_t n)
{
    bool *kept;
    CHECK(SCRATCH(ctx, &kept, s->n));
    for (size_t k = 0; k < n; k++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < s->n; i++)
            if (!kept[i] && !s->trials[i].out && (best == SIZE_MAX || is_better(s, i, best)))
                best = i;
        if (best != SIZE_MAX) kept[best] = true;
    }
    for (size_t i = 0; i < s->n; i++) s->trials[i].out = !kept[i];
    return CAIRN_OK;
}

/* The first round has as few rows as the number of rounds allows. */
static size_t first_rows(const cairn_tune_how *o, size_t all, size_t n)
{
    double rows = (double)all;
    for (double left = (double)n; left > 1 && rows / o->factor >= (double)o->least_rows;
         left = ceil(left / o->factor))
        rows /= o->factor;
    return (size_t)rows;
}

static cairn_status run_halving(cairn_context *ctx, const judge_work *w)
{
    cairn_search *s = w->search;
    double factor = w->options->factor;
    size_t all = w->table->n_rows, rows = first_rows(w->options, all, s->n), left = s->n;
    for (;;) {
        CHECK(run_round(ctx, w, rows));
        if (rows >= all) break;
        left = (size_t)ceil((double)left / factor);
        CHECK(drop_worst(ctx, s, left));
        /* the last one left goes straight to all rows */
        bool enough = left == 1 || (double)rows * factor * 1.02 >= (double)all;
        size_t more = (size_t)((double)rows * factor);
        rows = enough ? all : more > rows ? more : rows + 1; /* few rows and a small factor */
    }
    return CAIRN_OK;
}

/* The measure that was asked for, or the usual one of the task. */
static cairn_status find_measure(cairn_context *ctx, const cairn_measure **out,
                                 const cairn_params *params, const cairn_table *table,
                                 const cairn_tune_how *options)
{
    cairn_status status;
    cairn_table *copy = NULL;
    const cairn_entry *entry;
    cairn_decision decided = {.learner = (const cairn_learner *)params->entry, .params = params};
    const char *name = options->measure;
    TRY(cairn_table_share(ctx, &copy, table));
    TRY(cairn_task_decide(ctx, &decided, copy,
                          options->fit ? options->fit->task : CAIRN_TASK_AUTO));
    if (decided.task == CAIRN_LABEL_ITEMS) decided.task = CAIRN_CLASSIFY; /* items are classified */
    if (!name) name = cairn_measure_usual(decided.task)->entry.name;
    TRY(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    *out = (const cairn_measure *)entry;
    if ((*out)->task != decided.task && decided.task == CAIRN_CLUSTER)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{measure %s} judges %s, and clusters are found", name,
                       cairn_task_answers((*out)->task)));
    if ((*out)->needs_classes && cairn_table_role_column(table, CAIRN_TARGET) < 0)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "{measure %s} compares clusters with a labelling that is known; name its "
                       "column with {target}",
                       name));
    if ((*out)->task != decided.task)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "{measure %s} judges %s; %s, and {task %s} settles it otherwise", name,
                       cairn_task_answers((*out)->task), decided.why,
                       (*out)->task == CAIRN_CLASSIFY ? "classify" : "regress"));
done:
    cairn_free(decided.why);
    cairn_table_free(copy);
    return status;
}

cairn_status cairn_search_run(cairn_context *ctx, cairn_search *out, const cairn_space *space,
                              const cairn_params *params, const cairn_table *table,
                              const cairn_tune_how *options, cairn_journal *journal,
                              const char *scope)
{
    *out = (cairn_search){.space = space};
    CHECK(find_measure(ctx, &out->measure, params, table, options));
    CHECK(list_trials(ctx, out, params, options));
    judge_work work = {out, params, table, options, journal, scope};
    if (options->search == CAIRN_SEARCH_HALVING)
        CHECK(run_halving(ctx, &work));
    else
        CHECK(run_round(ctx, &work, table->n_rows));
    out->choose = options->choose;
    out->top = choose_trial(out, CAIRN_CHOOSE_BEST);
    out->best = choose_trial(out, options->choose);
    out->n_tied = count_ties(out);
    if (isnan(out->trials[out->best].value))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "no point of the search could be fitted; the first: %s",
                         out->first_failure ? out->first_failure : "its measure is undefined"));
    return CAIRN_OK;
}
