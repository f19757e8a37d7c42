/* SPDX-License-Identifier: MIT */
/* Calibrate: a feature becomes what it says about a class by itself, as a probability or as
 * log-odds.
 *
 *     categorical  level -> share of the class among the rows that have it, smoothed if wanted
 *     logistic     number -> log-odds gamma (x - mid), gamma = (mean+ - mean-) / variance, mid the
 *                  middle of the two class means, one common variance. The sum of the log-odds of
 *                  several columns is 0 on the boundary of naive Bayes with normal densities.
 *     isotonic     number -> share of the class on the hull segments of the column as a ranker
 *
 * With more than two classes and no class named, each class gets a column of its own, against the
 * rest. A column that does not vary says nothing: log-odds 0. Missing cells stay missing unless
 * told otherwise. Everything is fitted on the training rows only. Cost: sorting for numbers, one
 * pass for levels. */
#include "transforms/columns.h"
#include "base/functions.h"
#include "base/number.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/calibration.h"
#include "stats/smoothing.h"
#include "transforms/computing.h"
#include "transforms/cuts.h"
#include <math.h>
#include <string.h>

typedef enum { METHOD_AUTO, METHOD_CATEGORICAL, METHOD_LOGISTIC, METHOD_ISOTONIC } calibrate_method;
typedef enum { OUTPUT_PROBABILITY, OUTPUT_LOG_ODDS } calibrate_output;
typedef enum { POOLED_ML, POOLED_UNBIASED } pooled_variance;
typedef enum { DIRECTION_AUTO, DIRECTION_RISING, DIRECTION_FALLING } calibrate_direction;
typedef enum { MAP_LINEAR, MAP_STEPS } map_form;
typedef enum { COLLINEAR_MERGE, COLLINEAR_KEEP } collinear_choice;
typedef enum { MISSING_KEEP, MISSING_PRIOR, MISSING_OWN } missing_choice;

typedef struct calibrate_params {
    const char *columns;
    int method, output;
    const char *smooth;
    int pooled, direction, map, collinear;
    double class_ratio;
    const char *of_class;
    bool keep;
    int missing;
} calibrate_params;

static const cairn_choice methods[] = {
    {"auto", METHOD_AUTO, "categorical for levels, logistic for numbers"},
    {"categorical", METHOD_CATEGORICAL, "share of the class per level"},
    {"logistic", METHOD_LOGISTIC, "from the class means and a common variance"},
    {"isotonic", METHOD_ISOTONIC, "plateaus that rise or fall with the number or ordered level"},
    {0},
};
static const cairn_choice outputs[] = {
    {"probability", OUTPUT_PROBABILITY, "of the class"},
    {"log-odds", OUTPUT_LOG_ODDS, "ln(p / (1 − p))"},
    {0},
};
static const cairn_choice pooleds[] = {
    {"ml", POOLED_ML, "squares divided by the rows"},
    {"unbiased", POOLED_UNBIASED, "by the rows less two"},
    {0},
};
static const cairn_choice directions[] = {
    {"auto", DIRECTION_AUTO, "whichever ranks the training rows better"},
    {"rising", DIRECTION_RISING, "the probability rises with the number"},
    {"falling", DIRECTION_FALLING, "the probability falls with the number"},
    {0},
};
static const cairn_choice maps[] = {
    {"linear", MAP_LINEAR, "straight lines between plateaus"},
    {"steps", MAP_STEPS, "a step in the middle of the gap"},
    {0},
};
static const cairn_choice collinears[] = {
    {"merge", COLLINEAR_MERGE, "pooled"},
    {"keep", COLLINEAR_KEEP, "left apart"},
    {0},
};
static const cairn_choice missings[] = {
    {"keep", MISSING_KEEP, "stay missing"},
    {"prior", MISSING_PRIOR, "get the share of the class among all rows"},
    {"own", MISSING_OWN, "get the share of the class among the rows that lack the cell"},
    {0},
};

static const cairn_param calibrate_param_table[] = {
    CAIRN_PARAM_CHOICE(calibrate_params, method, "auto", methods,
                       "how values become probabilities"),
    CAIRN_PARAM_AS(calibrate_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to calibrate; all that the method can use when not given"),
    CAIRN_PARAM_CHOICE(calibrate_params, output, "probability", outputs, "what the column holds"),
    CAIRN_PARAM(calibrate_params, smooth, NULL, NULL,
                "of shares: none, laplace = (n+ + 1)/(n + 2), lambda:X = (n+ + X)/(n + 2X), m:X = "
                "(n+ + X p)/(n + X) with p the share among all rows; none for probabilities and "
                "laplace for log-odds when not given",
                .when = "!method=logistic"),
    CAIRN_PARAM_CHOICE(calibrate_params, pooled, "ml", pooleds,
                       "common variance of logistic calibration", .when = "method=auto|logistic"),
    CAIRN_PARAM_CHOICE(calibrate_params, direction, "auto", directions, "of the values",
                       .when = "method=isotonic"),
    CAIRN_PARAM_CHOICE(calibrate_params, map, "linear", maps, "between the plateaus",
                       .when = "method=isotonic"),
    CAIRN_PARAM_CHOICE(calibrate_params, collinear, "merge", collinears,
                       "neighbouring plateaus of the same height", .when = "method=isotonic"),
    CAIRN_PARAM(calibrate_params, class_ratio, "0", "[0,inf)",
                "positives to negatives to assume; 0 = 1 for logistic, that of the training rows "
                "for the others"),
    CAIRN_PARAM(calibrate_params, of_class, NULL, NULL,
                "the class whose probability is meant; the positive one of two, and each of more"),
    CAIRN_PARAM(calibrate_params, keep, "no", NULL,
                "leave the column as it is and add a new one, NAME_calibrated"),
    CAIRN_PARAM_CHOICE(calibrate_params, missing, "keep", missings, "what missing cells do"),
    CAIRN_PARAM_END,
};

/* The smoothing that was asked for, or the usual one: log-odds of 0 and 1 would be infinite. */
static cairn_status read_smoothing(cairn_context *ctx, const calibrate_params *p,
                                   cairn_smoothing *out)
{
    const char *usual = p->output == OUTPUT_LOG_ODDS ? "laplace" : "none";
    cairn_status status = cairn_smoothing_read(ctx, out, p->smooth ? p->smooth : usual);
    if (status) cairn_message_prefix(ctx, "calibrate");
    if (status) return status;
    bool simple = out->kind != CAIRN_SMOOTH_LAMBDA && out->kind != CAIRN_SMOOTH_M;
    if (p->method == METHOD_ISOTONIC && !simple)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "calibrate: isotonic calibration is smoothed by none or laplace, not by "
                          "'%s'",
                          p->smooth);
    return CAIRN_OK;
}

static cairn_status calibrate_check(cairn_context *ctx, const void *values)
{
    cairn_smoothing smoothing;
    return read_smoothing(ctx, values, &smoothing);
}

/* One column against one class. */
typedef struct calibrate_map {
    int32_t kind;      /* calibrate_method, never AUTO; a number column that says nothing is
                          LOGISTIC with gamma 0 */
    double *positives; /* CATEGORICAL: per level */
    double *totals;    /* likewise */
    double *shares;    /* likewise, smoothed */
    cairn_calibration curve;
    double all_positives, all_rows; /* training weights where the cell is there */
    double missing;                 /* probability of a missing cell; NaN = stays missing */
} calibrate_map;

typedef struct calibrate_state {
    cairn_map names;     /* columns */
    cairn_map *levels;   /* names.n: levels of level columns */
    cairn_map classes;   /* those that get a column */
    calibrate_map *maps; /* names.n x classes.n */
    bool one_class;      /* the column is replaced; else each class has a column of its own */
} calibrate_state;

/* -- values -- */

static double log_odds_of(const calibrate_map *m, const calibrate_params *p, double share)
{
    double shift = 0;
    double observed = m->all_positives / (m->all_rows - m->all_positives);
    if (p->class_ratio > 0 && m->kind != METHOD_LOGISTIC)
        shift = cairn_log(p->class_ratio / observed);
    return cairn_log(share / (1 - share)) + shift;
}

static double logistic_log_odds(const calibrate_map *m, const calibrate_params *p, double x)
{
    double slope = m->curve.gamma == 0 ? 0 : m->curve.gamma * (x - m->curve.centre);
    return slope + (p->class_ratio > 0 ? cairn_log(p->class_ratio) : 0);
}

static double finish(const calibrate_map *m, const calibrate_params *p, double share)
{
    if (p->output == OUTPUT_PROBABILITY && p->class_ratio == 0) return share;
    double odds = log_odds_of(m, p, share);
    return p->output == OUTPUT_LOG_ODDS ? odds : 1 / (1 + cairn_exp(-odds));
}

static double number_value(const calibrate_map *m, const calibrate_params *p, double x)
{
    if (isnan(x)) return isnan(m->missing) ? NAN : finish(m, p, m->missing);
    if (m->kind == METHOD_ISOTONIC) return finish(m, p, cairn_calibration_apply(&m->curve, x));
    double odds = logistic_log_odds(m, p, x);
    return p->output == OUTPUT_LOG_ODDS ? odds : 1 / (1 + cairn_exp(-odds));
}

static double level_value(const calibrate_map *m, const calibrate_params *p, int32_t code)
{
    if (code >= 0 && !isnan(m->shares[code])) return finish(m, p, m->shares[code]);
    return isnan(m->missing) ? NAN : finish(m, p, m->missing);
}

/* A number, or the place of an ordered level; NaN = missing. */
static double place_of(const cairn_column *column, size_t row)
{
    if (column->kind == CAIRN_NUMBER) return column->numbers[row];
    return column->codes[row] < 0 ? NAN : column->codes[row];
}

static double cell_value(const calibrate_map *m, const calibrate_params *p,
                         const cairn_column *column, size_t row)
{
    return m->kind == METHOD_CATEGORICAL ? level_value(m, p, column->codes[row])
                                         : number_value(m, p, place_of(column, row));
}

/* -- fitting -- */

typedef struct calibrate_work {
    const cairn_job *job;
    const calibrate_params *p;
    calibrate_state *s;
    const size_t *chosen;      /* features */
    const int32_t *class_code; /* per class that gets a column */
    cairn_smoothing smooth;
} calibrate_work;

static double smoothed(const cairn_smoothing *s, double positives, double rows, double share)
{
    const double prior[] = {share, 1 - share};
    return cairn_smoothed(*s, positives, rows, 2, prior, 0);
}

static cairn_status infinite(cairn_context *ctx, const char *column, const char *value, bool all)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "calibrate: %s rows with %s in column '%s' are of the class, so its log-odds "
                      "are infinite; smooth=laplace keeps them finite",
                      all ? "all" : "no", value, column);
}

/* The share of the class by level; where log-odds are wanted, a level that has the class always or
 * never is refused here, because its value would be infinite. */
static cairn_status fit_levels(cairn_context *ctx, const calibrate_work *work, calibrate_map *m,
                               size_t feature, int32_t class)
{
    const cairn_view *view = work->job->view;
    const cairn_column *column = view->features[feature];
    size_t n = column->names.n;
    CHECK(NEW_EACH(ctx, n, &m->positives, &m->totals, &m->shares));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t level = column->codes[row], code = view->target->codes[row];
        if (level < 0 || code < 0) continue;
        double w = cairn_view_weight(view, i);
        m->totals[level] += w;
        if (code == class) m->positives[level] += w;
    }
    for (size_t k = 0; k < n; k++) {
        double prior = m->all_positives / m->all_rows;
        double share = smoothed(&work->smooth, m->positives[k], m->totals[k], prior);
        m->shares[k] = m->totals[k] > 0 ? share : NAN; /* never seen: as good as missing */
        bool finite = !(m->totals[k] > 0) || (share > 0 && share < 1);
        if (work->p->output == OUTPUT_LOG_ODDS && !finite)
            return infinite(ctx, view->names[feature], cairn_map_key(&column->names, k),
                            share > 0.5);
    }
    return CAIRN_OK;
}

static cairn_status check_plateaus(cairn_context *ctx, const calibrate_work *work,
                                   const calibrate_map *m, const char *column)
{
    for (size_t i = 0; work->p->output == OUTPUT_LOG_ODDS && i < m->curve.n; i++) {
        char value[CAIRN_NUMBER_SIZE];
        if (m->curve.value[i] > 0 && m->curve.value[i] < 1) continue;
        cairn_number_format(value, m->curve.low[i], 6);
        return infinite(ctx, column, value, m->curve.value[i] > 0.5);
    }
    return CAIRN_OK;
}

/* A column without two different values, or with one class only, says nothing about the class: its
 * map is flat. Without a given direction the AUC decides between rising and falling. */
static cairn_status fit_numbers(cairn_context *ctx, const calibrate_work *work, calibrate_map *m,
                                size_t feature, int32_t class)
{
    cairn_status status;
    const calibrate_params *p = work->p;
    cairn_ranking ranking;
    cairn_calibration_options options = {
        .kind = m->kind == METHOD_ISOTONIC ? CAIRN_CALIBRATE_ISOTONIC : CAIRN_CALIBRATE_LOGISTIC,
        .steps = p->map == MAP_STEPS,
        .laplace = work->smooth.kind != CAIRN_SMOOTH_NONE,
        .keep_collinear = p->collinear == COLLINEAR_KEEP,
        .falling = p->direction == DIRECTION_FALLING,
        .unbiased = p->pooled == POOLED_UNBIASED,
        .class_ratio = p->class_ratio,
    };
    /* Values, classes and weights of the rows that have both. */
    const cairn_view *view = work->job->view;
    const cairn_column *column = view->features[feature];
    double *scores, *weights;
    int8_t *classes;
    size_t n = 0;
    TRY(SCRATCH_RAW_EACH(ctx, view->rows.n, &scores, &weights, &classes));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        scores[n] = place_of(column, row);
        if (isnan(scores[n]) || view->target->codes[row] < 0 || !(w > 0)) continue;
        weights[n] = w;
        classes[n++] = view->target->codes[row] == class;
    }
    TRY(cairn_ranking_make(ctx, &ranking, scores, classes, weights, n));
    if (ranking.n < 2 || !(ranking.positives > 0) || !(ranking.negatives > 0)) {
        m->kind = METHOD_LOGISTIC; /* it says nothing about the class */
        m->curve.options.kind = CAIRN_CALIBRATE_LOGISTIC;
        m->curve.centre = ranking.n ? ranking.segments[0].score : 0;
        m->curve.positive_mean = m->curve.negative_mean = m->curve.centre;
        goto done;
    }
    if (p->direction == DIRECTION_AUTO) options.falling = cairn_ranking_auc(&ranking) < 0.5;
    status = cairn_calibration_fit_ranking(ctx, &m->curve, &options, &ranking);
    if (status == CAIRN_BAD_DATA)
        cairn_message_prefix(ctx, "calibrate: column '%s'", work->job->view->names[feature]);
    TRY(status);
    if (m->kind == METHOD_ISOTONIC)
        TRY(check_plateaus(ctx, work, m, work->job->view->names[feature]));
done:
    return status;
}

/* One task is one column against one class; the kind is decided for each column from what it holds
 * unless the user wants isotonic maps. */
static cairn_status fit_map(cairn_context *ctx, void *data, size_t task)
{
    const calibrate_work *work = data;
    calibrate_state *s = work->s;
    SCOPED_SCRATCH(ctx);
    size_t feature = work->chosen[task / s->classes.n];
    int32_t class = work->class_code[task % s->classes.n];
    calibrate_map *m = &s->maps[task];
    const cairn_column *column = work->job->view->features[feature];
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    m->kind = work->p->method == METHOD_ISOTONIC ? METHOD_ISOTONIC
              : column->kind == CAIRN_LEVEL      ? METHOD_CATEGORICAL
                                                 : METHOD_LOGISTIC;
    /* Weights of the class and of all rows, of rows with the cell and of rows without. */
    const cairn_view *view = work->job->view;
    double gone = 0, gone_positives = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t code = view->target->codes[row];
        double w = cairn_view_weight(view, i);
        if (code < 0) continue;
        bool missing = cairn_column_is_missing(column, row);
        *(missing ? &gone : &m->all_rows) += w;
        if (code == class) *(missing ? &gone_positives : &m->all_positives) += w;
    }
    double prior = (m->all_positives + gone_positives) / (m->all_rows + gone);
    m->missing = NAN;
    if (work->p->missing == MISSING_PRIOR || (work->p->missing == MISSING_OWN && gone == 0))
        m->missing = prior;
    else if (work->p->missing == MISSING_OWN)
        m->missing = smoothed(&work->smooth, gone_positives, gone, prior);
    if (m->kind == METHOD_CATEGORICAL)
        CHECK(fit_levels(ctx, work, m, feature, class));
    else
        CHECK(fit_numbers(ctx, work, m, feature, class));
    return CAIRN_OK;
}

/* -- showing -- */

/* Prefix of the names of a column's values: "calibrate.x" or "calibrate.x.CLASS". */
static const char *map_key(cairn_report *out, const calibrate_state *s, size_t column, size_t class)
{
    cairn_text text;
    const char *key = "";
    if (!out) return key;
    text = cairn_text_start(cairn_report_context(out));
    cairn_text_add(&text, cairn_map_key(&s->names, column));
    if (!s->one_class) cairn_text_addf(&text, "_%s", cairn_map_key(&s->classes, class));
    if (cairn_text_status(&text))
        cairn_report_failed(out, cairn_text_status(&text));
    else
        key = cairn_report_key(out, cairn_text_string(&text));
    cairn_text_clear(&text);
    return key;
}

static void describe_levels(cairn_report *out, const calibrate_map *m, const calibrate_params *p,
                            const cairn_map *levels, const char *key)
{
    cairn_report_table_of(out, NULL, 0, "lrrr", "value", "of the class", "rows", "becomes");
    for (size_t k = 0; k < levels->n; k++) {
        const char *level = cairn_report_key(out, cairn_map_key(levels, k));
        cairn_report_prefix(out, "calibrate.%s.%s", key, level);
        cairn_report_cells(out, "- @.positives @.rows", cairn_map_key(levels, k), m->positives[k],
                           m->totals[k]);
        cairn_report_cell_number(out, level_value(m, p, (int32_t)k), 0, "calibrate.%s.%s", key,
                                 level);
    }
    cairn_report_table_end(out);
}

/* An end of a plateau: a number, or the name of an ordered level. */
static void plateau_end(cairn_report *out, double at, const cairn_map *levels, const char *key,
                        size_t i, const char *end)
{
    if (!levels->n)
        cairn_report_cell_number(out, at, 0, "calibrate.%s.piece%zu.%s", key, i + 1, end);
    else
        cairn_report_cell_word(
            out, at >= 0 && at < (double)levels->n ? cairn_map_key(levels, (size_t)at) : "?",
            "calibrate.%s.piece%zu.%s", key, i + 1, end);
}

static void describe_isotonic(cairn_report *out, const calibrate_map *m, const calibrate_params *p,
                              const cairn_map *levels, const char *key)
{
    const cairn_calibration *c = &m->curve;
    cairn_report_word(out, "direction", c->options.falling ? "falling" : "rising",
                      "calibrate.%s.direction", key);
    cairn_report_table_of(out, NULL, 0, "rrrr", "from", "to", "share", "becomes");
    for (size_t i = 0; i < c->n; i++) {
        plateau_end(out, c->low[i], levels, key, i, "from");
        plateau_end(out, c->high[i], levels, key, i, "to");
        cairn_report_cell_number(out, c->value[i], 0, "calibrate.%s.piece%zu.share", key, i + 1);
        cairn_report_cell_number(out, finish(m, p, c->value[i]), 0, "calibrate.%s.piece%zu", key,
                                 i + 1);
    }
    cairn_report_table_end(out);
}

/* A map for each column and class, at most 50 of them: a table of many columns would bury the rest
 * of the report. */
static void calibrate_describe(cairn_report *out, const void *state, const void *params)
{
    const calibrate_state *s = state;
    const calibrate_params *p = params;
    enum { MOST_MAPS = 50 };
    cairn_report_word(out, "output", p->output == OUTPUT_LOG_ODDS ? "log-odds" : "probability",
                      "calibrate.output");
    size_t n = s->names.n * s->classes.n;
    for (size_t t = 0; t < n && t < MOST_MAPS; t++) {
        size_t column = t / s->classes.n, class = t % s->classes.n;
        const calibrate_map *m = &s->maps[t];
        const char *key = map_key(out, s, column, class);
        cairn_report_heading(out, 3, "%s, class %s", cairn_map_key(&s->names, column),
                             cairn_map_key(&s->classes, class));
        if (m->kind == METHOD_CATEGORICAL)
            describe_levels(out, m, p, &s->levels[column], key);
        else if (m->kind == METHOD_LOGISTIC) {
            /* Besides the parameters it shows the curve at the two means and between them,
                 * where a reader can check it by hand. */
            const cairn_calibration *c = &m->curve;
            static const char *const places[] = {"negative mean", "midpoint", "positive mean"};
            static const char *const names[] = {"at_negative_mean", "at_midpoint",
                                                "at_positive_mean"};
            const double at[] = {c->negative_mean, c->centre, c->positive_mean};
            cairn_report_formula(out, "log-odds = γ (x − mid), γ = (mean₊ − mean₋) / σ²");
            cairn_report_value(out, "mean of the class", c->positive_mean,
                               "calibrate.%s.positive_mean", key);
            cairn_report_value(out, "mean of the others", c->negative_mean,
                               "calibrate.%s.negative_mean", key);
            cairn_report_value(out, "common variance", c->variance, "calibrate.%s.variance", key);
            cairn_report_value(out, "γ", c->gamma, "calibrate.%s.gamma", key);
            cairn_report_value(out, "midpoint", c->centre, "calibrate.%s.midpoint", key);
            cairn_report_table_of(out, NULL, 0, "lrrr", "", "x", "log-odds", "probability");
            for (size_t i = 0; i < 3; i++) {
                double odds = logistic_log_odds(m, p, at[i]);
                cairn_report_prefix(out, "calibrate.%s.%s", key, names[i]);
                cairn_report_cells(out, "- - @.log_odds @.probability", places[i], at[i], odds,
                                   1 / (1 + cairn_exp(-odds)));
            }
            cairn_report_table_end(out);
        } else
            describe_isotonic(out, m, p, &s->levels[column], key);
    }
    if (n > MOST_MAPS) cairn_report_note(out, "%zu more maps are not shown.", n - MOST_MAPS);
    if (n == 0) cairn_report_paragraph(out, "There is no column to calibrate.");
}

/* The value of a map in a row of the table, as log-odds or as the output says. */
static double row_value(const calibrate_work *work, size_t map, size_t row, int output)
{
    calibrate_params p = *work->p;
    const calibrate_map *m = &work->s->maps[map];
    const cairn_column *column = work->job->view->features[work->chosen[map / work->s->classes.n]];
    p.output = output;
    return cell_value(m, &p, column, row);
}

/* Puts each training value beside what it became, in both scales whatever is put out; past the
 * first thousand rows only while the table keeps them. */
static void show_rows(cairn_report *out, const calibrate_work *work, size_t map)
{
    const cairn_view *view = work->job->view;
    const calibrate_state *s = work->s;
    size_t column = map / s->classes.n;
    const cairn_column *from = view->features[work->chosen[column]];
    const char *key = map_key(out, s, column, map % s->classes.n);
    cairn_report_table_of(out, "The column and what it says", 0, "rrrr", "row",
                          cairn_map_key(&s->names, column), "log-odds", "probability");
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        cairn_report_cellf(out, "%zu", row + 1);
        if (from->kind == CAIRN_LEVEL)
            cairn_report_cell(out, cairn_level_name(from, from->codes[row]));
        else
            cairn_report_cell_number(out, from->numbers[row], 0, NULL);
        cairn_report_cell_number(out, row_value(work, map, row, OUTPUT_LOG_ODDS), 0,
                                 "calibrate.%s.row%zu.log_odds", key, row + 1);
        cairn_report_cell_number(out, row_value(work, map, row, OUTPUT_PROBABILITY), 0,
                                 "calibrate.%s.row%zu.probability", key, row + 1);
        if (i > 1000 && !cairn_report_row_wanted(out)) break;
    }
    cairn_report_table_end(out);
}

/* The boundary on which the log-odds of logistic columns sum to 0, scaled so that the first column
 * has weight 1. */
static void show_boundary(cairn_report *out, const calibrate_work *work)
{
    const calibrate_state *s = work->s;
    double first = 0, constant = 0;
    for (size_t j = 0; j < s->names.n; j++) {
        if (s->maps[j].kind != METHOD_LOGISTIC) return;
        if (first == 0) first = s->maps[j].curve.gamma;
        constant += s->maps[j].curve.gamma * s->maps[j].curve.centre;
    }
    if (first == 0) return;
    constant -= work->p->class_ratio > 0 ? cairn_log(work->p->class_ratio) : 0;
    cairn_report_paragraph(out, "The log-odds sum to 0 where the weighted columns sum to a "
                                "constant: the boundary of naive Bayes with normal densities.");
    for (size_t j = 0; j < s->names.n; j++)
        cairn_report_value(out, cairn_map_key(&s->names, j), s->maps[j].curve.gamma / first,
                           "calibrate.boundary.%s", map_key(out, s, j, 0));
    cairn_report_value(out, "sum on the boundary", constant / first, "calibrate.boundary.constant");
}

/* With one class meant, log-odds of several columns may be added as naive Bayes does; the sign of
 * the sum is then a classification. Nothing is shown otherwise. */
static void show_sums(cairn_report *out, const calibrate_work *work)
{
    const cairn_view *view = work->job->view;
    const calibrate_state *s = work->s;
    const char *positive = cairn_map_key(&s->classes, 0), *other = "other";
    if (s->classes.n != 1 || s->names.n < 2) return;
    if (view->target->names.n == 2) other = cairn_level_name(view->target, 1 - work->class_code[0]);
    cairn_report_step_begin(out, "calibrate: all columns together");
    show_boundary(out, work);
    cairn_report_table_of(out, "Sum of the log-odds", 0, "rrl", "row", "sum", "says");
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double sum = 0;
        for (size_t j = 0; j < s->names.n; j++) sum += row_value(work, j, row, OUTPUT_LOG_ODDS);
        const char *says = sum > 0 ? positive : sum < 0 ? other : "n/a";
        cairn_report_cells(out, "- calibrate.row$1.sum calibrate.row$1.class", row + 1, sum, says);
        if (i > 1000 && !cairn_report_row_wanted(out)) break;
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- the transform -- */

static bool fits_categorical(const cairn_column *column)
{
    return column->kind == CAIRN_LEVEL;
}

static bool fits_order(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER || (column->kind == CAIRN_LEVEL && column->ordered);
}

/* The classes that get a column: the one that is meant, or all of more than two. */
static cairn_status choose_classes(cairn_context *ctx, calibrate_state *s, const cairn_job *job,
                                   const calibrate_params *p, int32_t **codes)
{
    const cairn_column *target = job->view->target;
    int32_t one;
    size_t index;
    CHECK(SCRATCH(ctx, codes, target->names.n + 1));
    CHECK(cairn_choose_class(ctx, job, "calibrate", p->of_class, &one));
    s->one_class = one >= 0;
    for (size_t k = 0; k < target->names.n; k++) {
        if (one >= 0 && k != (size_t)one) continue;
        (*codes)[s->classes.n] = (int32_t)k;
        CHECK(cairn_map_add(ctx, &s->classes, cairn_map_key(&target->names, k),
                            target->names.lengths[k], &index));
    }
    return CAIRN_OK;
}

/* Maps are fitted side by side and shown one after another when all are there, so that the history
 * does not depend on threads. */
static cairn_status calibrate_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const calibrate_params *p = job->params;
    calibrate_state *s = state;
    calibrate_work work = {.job = job, .p = p, .s = s};
    size_t n, *chosen, index;
    int32_t *codes;
    CHECK(cairn_need_classes(ctx, job, "calibrate"));
    CHECK(read_smoothing(ctx, p, &work.smooth));
    static const struct {
        bool (*fits)(const cairn_column *column);
        const char *wanted;
    } kinds[] = {[METHOD_AUTO] = {cairn_fits_number_or_level, "a number or level column"},
                 [METHOD_CATEGORICAL] = {fits_categorical, "a level column"},
                 [METHOD_LOGISTIC] = {cairn_fits_number, "a number column"},
                 [METHOD_ISOTONIC] = {fits_order, "a number column or ordered levels"}};
    CHECK(cairn_choose_features(ctx, job->view, "calibrate", p->columns, kinds[p->method].fits,
                                kinds[p->method].wanted, &chosen, &n));
    CHECK(choose_classes(ctx, s, job, p, &codes));
    work.chosen = chosen;
    work.class_code = codes;
    CHECK(NEW(ctx, &s->levels, n));
    CHECK(NEW(ctx, &s->maps, cairn_product(n, s->classes.n)));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        if (index != i)
            return cairn_fail(ctx, CAIRN_USAGE, "calibrate: column '%s' is named twice", name);
        if (job->view->features[chosen[i]]->kind == CAIRN_LEVEL)
            CHECK(cairn_map_copy(ctx, &s->levels[i], &job->view->features[chosen[i]]->names));
    }
    size_t n_maps = n * s->classes.n;
    CHECK(cairn_tasks_sized(ctx, n_maps, 50.0 * (double)n_maps * (double)job->view->rows.n, fit_map,
                            &work));
    for (size_t t = 0; job->steps && t < n_maps; t++) {
        cairn_report_step_begin(job->steps, "calibrate: %s, class %s",
                                cairn_map_key(&s->names, t / s->classes.n),
                                cairn_map_key(&s->classes, t % s->classes.n));
        show_rows(job->steps, &work, t);
        cairn_report_step_end(job->steps);
    }
    if (job->steps) show_sums(job->steps, &work);
    return CAIRN_OK;
}

typedef struct apply_work {
    const calibrate_state *s;
    const calibrate_params *p;
    const cairn_table *table;
    const size_t *at;
    cairn_column **made;
} apply_work;

static cairn_status apply_map(cairn_context *ctx, void *data, size_t t)
{
    const apply_work *work = data;
    const cairn_column *from = work->table->slots[work->at[t / work->s->classes.n]].column;
    const calibrate_map *m = &work->s->maps[t];
    cairn_column *column;
    cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows);
    if (status) return status;
    for (size_t i = 0; i < from->n_rows; i++) column->numbers[i] = cell_value(m, work->p, from, i);
    cairn_column_count_missing(column);
    work->made[t] = column;
    return CAIRN_OK;
}

/* The name of the column that map t makes. */
static cairn_text made_name(cairn_context *ctx, const calibrate_state *s, size_t t, bool keep)
{
    cairn_text name = cairn_text_start(ctx);
    cairn_text_add(&name, cairn_map_key(&s->names, t / s->classes.n));
    if (!s->one_class)
        cairn_text_addf(&name, "_%s", cairn_map_key(&s->classes, t % s->classes.n));
    else if (keep)
        cairn_text_add(&name, "_calibrated");
    return name;
}

/* A map of one class takes the place of its score; those of several are added, and the scores go
 * unless {keep} holds them. */
static cairn_status place_made(cairn_context *ctx, cairn_table *table, const apply_work *work)
{
    const calibrate_state *s = work->s;
    bool replace = s->one_class && !work->p->keep;
    for (size_t t = 0; t < s->names.n * s->classes.n; t++) {
        if (replace) {
            cairn_table_replace_column(table, work->at[t], work->made[t]);
            work->made[t] = NULL;
        } else {
            /* Add the new column of map t under its name; the holder passes over. */
            cairn_column *column = work->made[t];
            cairn_text name = made_name(ctx, work->s, t, true);
            work->made[t] = NULL;
            CHECK(cairn_add_made(ctx, table, &name, column));
        }
    }
    for (size_t i = 0; !s->one_class && !work->p->keep && i < s->names.n; i++) {
        ptrdiff_t at = cairn_table_find(table, cairn_map_key(&s->names, i));
        if (at >= 0) cairn_table_remove_column(table, (size_t)at);
    }
    return CAIRN_OK;
}

/* Kinds and numbers of levels are compared with those of the fit before any map runs, because maps
 * index by level without looking. */
static cairn_status calibrate_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                    const void *params, const cairn_table *table)
{
    const calibrate_state *s = state;
    cairn_status status;
    cairn_table *copy = NULL;
    size_t n = s->names.n, n_maps = n * s->classes.n, *at;
    apply_work work = {s, params, table, NULL, NULL};
    TRY(cairn_table_share(ctx, &copy, table));
    TRY(SCRATCH(ctx, &at, n + 1));
    TRY(SCRATCH(ctx, &work.made, n_maps + 1));
    work.at = at;
    for (size_t i = 0, place = 0; i < n; i++) {
        TRY(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &place));
        bool levels = s->maps[i * s->classes.n].kind == METHOD_CATEGORICAL || s->levels[i].n;
        TRY(cairn_expect_kind(ctx, &table->slots[place], levels ? CAIRN_LEVEL : CAIRN_NUMBER));
        if (levels && table->slots[place].column->names.n != s->levels[i].n)
            TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                           "the model is damaged: column '%s' has %zu levels, calibrate knows %zu",
                           table->slots[place].name, table->slots[place].column->names.n,
                           s->levels[i].n));
        at[i] = place;
    }
    TRY(cairn_tasks_sized(ctx, n_maps, 20.0 * (double)n_maps * (double)table->n_rows, apply_map,
                          &work));
    TRY(place_made(ctx, copy, &work));
    *out = copy;
    return CAIRN_OK;
done:
    for (size_t i = 0; work.made && i < n_maps; i++) cairn_column_drop(work.made[i]);
    cairn_table_free(copy);
    return status;
}

/* Plateaus; shares of 0 and 1 have no odds, so they are refused where odds are needed. */
static cairn_status lower_plateaus(cairn_program *out, const calibrate_map *m,
                                   const calibrate_params *p, int32_t in, int32_t *share)
{
    const cairn_calibration *curve = &m->curve;
    cairn_operation *op;
    for (size_t i = 0; i < curve->n && (p->output == OUTPUT_LOG_ODDS || p->class_ratio > 0); i++)
        if (!(curve->value[i] > 0 && curve->value[i] < 1))
            return cairn_program_refuse(out, "a share of 0 or 1 has infinite log-odds");
    CHECK(cairn_program_add(out, CAIRN_OP_CALIBRATE, &in, 1, 1, &op));
    op->sizes[0] = curve->options.steps;
    op->sizes[1] = (int32_t)curve->n;
    *share = op->out;
    CHECK(cairn_op_copy_numbers(out, op, 0, curve->low, curve->n));
    CHECK(cairn_op_copy_numbers(out, op, 1, curve->high, curve->n));
    return cairn_op_copy_numbers(out, op, 2, curve->value, curve->n);
}

/* The value of a number column. */
static cairn_status lower_number(cairn_program *out, const calibrate_map *m,
                                 const calibrate_params *p, int32_t in, int32_t *slot)
{
    cairn_computing c = cairn_computing_start(out);
    int32_t share = 0;
    if (m->kind == METHOD_ISOTONIC) {
        CHECK(lower_plateaus(out, m, p, in, &share));
        /* ln of the odds of a share in (0, 1), with the shift of log_odds_of; then what is put
         * out. */
        cairn_computing_slot(&c, share);
        if (p->output == OUTPUT_LOG_ODDS || p->class_ratio > 0) {
            cairn_computing_number(&c, 1);
            cairn_computing_slot(&c, share);
            cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
            cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
            (void)cairn_computing_function(&c, "log");
            cairn_computing_number(&c, log_odds_of(m, p, 0.5));
            cairn_computing_do(&c, CAIRN_DO_SUM, 2);
            if (p->output == OUTPUT_PROBABILITY) (void)cairn_computing_function(&c, "sigmoid");
        }
    } else {
        cairn_computing_slot(&c, in);
        cairn_computing_number(&c, m->curve.gamma == 0 ? 0 : m->curve.centre);
        cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        cairn_computing_number(&c, m->curve.gamma);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_number(&c, p->class_ratio > 0 ? cairn_log(p->class_ratio) : 0);
        cairn_computing_do(&c, CAIRN_DO_SUM, 2);
        if (p->output == OUTPUT_PROBABILITY) (void)cairn_computing_function(&c, "sigmoid");
    }
    cairn_computing_number(&c, number_value(m, p, NAN));
    cairn_computing_do(&c, CAIRN_DO_COALESCE, 2);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, slot);
}

/* Numbers; what becomes of levels is asked of `apply`. */
static cairn_status calibrate_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const calibrate_state *s = state;
    const calibrate_params *p = job->params;
    int32_t in, slot;
    for (size_t t = 0; t < s->names.n * s->classes.n; t++) {
        size_t i = t / s->classes.n;
        if (s->maps[t].kind == METHOD_CATEGORICAL || s->levels[i].n) continue;
        CHECK(cairn_program_column(out, cairn_map_key(&s->names, i), &in));
        CHECK(lower_number(out, &s->maps[t], p, in, &slot));
        cairn_text name = made_name(out->ctx, s, t, p->keep);
        cairn_status status = cairn_text_status(&name);
        if (!status) status = cairn_program_put(out, cairn_text_string(&name), slot);
        cairn_text_clear(&name);
        CHECK(status);
    }
    return CAIRN_OK;
}

static cairn_status archive_map(cairn_archive *a, calibrate_map *m, size_t n_levels)
{
    CHECK(cairn_archive_int(a, "kind", &m->kind));
    if (m->kind < METHOD_CATEGORICAL || m->kind > METHOD_ISOTONIC)
        CHECK(cairn_archive_damaged(a, "there is no calibration %d", (int)m->kind));
    CHECK(cairn_archive_real(a, "all_positives", &m->all_positives));
    CHECK(cairn_archive_real(a, "all_rows", &m->all_rows));
    CHECK(cairn_archive_real(a, "missing", &m->missing));
    if (m->kind == METHOD_CATEGORICAL) {
        CHECK(cairn_archive_reals(a, "positives", &m->positives, n_levels));
        CHECK(cairn_archive_reals(a, "totals", &m->totals, n_levels));
        CHECK(cairn_archive_reals(a, "shares", &m->shares, n_levels));
    } else {
        CHECK(cairn_calibration_archive(a, &m->curve));
    }
    return CAIRN_OK;
}

/* Maps lie column by column, one for each class; all maps of a column must be of levels or none,
 * since apply asks the first one only. */
static cairn_status archive_maps(cairn_archive *a, void *state, const void *around)
{
    calibrate_state *s = state;
    size_t k = s->classes.n;
    (void)around;
    if (s->one_class && k != 1)
        return cairn_archive_damaged(a, "one class is meant, %zu are named", k);
    if (cairn_archive_reading(a))
        CHECK(NEW(cairn_archive_context(a), &s->maps, cairn_product(s->names.n, k)));
    for (size_t t = 0; t < s->names.n * k; t++) {
        CHECK(archive_map(a, &s->maps[t], s->levels[t / k].n));
        if ((s->maps[t].kind == METHOD_CATEGORICAL) !=
            (s->maps[t - t % k].kind == METHOD_CATEGORICAL))
            return cairn_archive_damaged(a, "a column is calibrated in two ways");
    }
    return CAIRN_OK;
}

static void clear_maps(void *state)
{
    calibrate_state *s = state;
    for (size_t t = 0; s->maps && t < s->names.n * s->classes.n; t++) {
        FREE_EACH(s->maps[t].positives, s->maps[t].totals, s->maps[t].shares);
        cairn_calibration_clear(&s->maps[t].curve);
    }
    cairn_free(s->maps);
}

static const cairn_kept calibrate_keeps[] = {
    KEEP(calibrate_state, names, classes, one_class),
    KEEP_MAPS(calibrate_state, levels, "names"),
    KEEP_BY(archive_maps, .clear = clear_maps),
    KEEP_END,
};

const cairn_transform cairn_calibrate = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "calibrate",
              .also = "feature calibration, target encoding, likelihood encoding",
              .title = "Features as probabilities of a class",
              .summary =
                  "Replaces each value of a feature by what it says about the class: the share of "
                  "the class among the rows with that level, a logistic curve through the class "
                  "means of a number column, or isotonic plateaus. The result is a probability or "
                  "log-odds, so that level columns can enter linear models and columns of "
                  "different units can be added up. Fitted on training rows only, also inside "
                  "cross-validation.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012",
              .example = "cairn fit tree @titanic --with calibrate:columns=sex",
              .params = calibrate_param_table,
              .params_size = sizeof(calibrate_params),
              .check = calibrate_check},
    .state_size = sizeof(calibrate_state),
    .fit = calibrate_fit,
    .apply = calibrate_apply,
    .lower = calibrate_lower,
    .describe = calibrate_describe,
    .keeps = calibrate_keeps,
};
