/* SPDX-License-Identifier: MIT */
/* Calibrated: the scores of another learner turned into probabilities that can be trusted.
 *
 *  1. part the training rows by the inner resampling; every part is scored by a model of the
 *     others, so that no score comes from a model that has seen the row
 *  2. fit a map from score to probability on these scores: one for the positive of two classes,
 *     one per class against the rest for more
 *  3. fit the learner on all training rows; its scores go through the maps, and the probabilities
 *     of more than two classes are divided by their sum (shares of the training rows when all
 *     are 0)
 *
 * A plateau of few rows, all of one class, would answer 0 or 1 and be infinitely wrong the first
 * time that it is wrong: Laplace's correction is taken unless it is switched off.
 *
 * Ties between classes go to the first class. A class that no held-out row has gets probability 0.
 * Cost: one model per inner split and one more, and sorting the held-out scores. */
#include "base/functions.h"
#include "learners/linear/planes.h"
#include "model/model.h"
#include "model/kept_parts.h"
#include "report/table_rows.h"
#include "stats/calibration.h"
#include "stats/probability_loss.h"
#include "wrappers/nested.h"
#include <math.h>
#include <string.h>

enum { BINS = 10, BIN_NUMBERS = 3, CURVE_POINTS = 200, MOST_CLASSES = 1 << 28, MOST_SHOWN = 8 };

typedef enum { LAPLACE_AUTO, LAPLACE_YES, LAPLACE_NO } laplace_choice;
typedef enum { POOLED_ML, POOLED_UNBIASED } pooled_choice;
typedef enum { MAP_LINEAR, MAP_STEPS } map_choice;

typedef struct calibrated_params {
    cairn_wrapper_params wrapper;
    const char *inner;
    int method, laplace, map, pooled;
    double ratio;
} calibrated_params;

static const cairn_choice methods[] = {
    {"isotonic", CAIRN_CALIBRATE_ISOTONIC, "shares on plateaus that rise with the score"},
    {"logistic", CAIRN_CALIBRATE_LOGISTIC, "a curve from class means and a common variance"},
    {"platt", CAIRN_CALIBRATE_PLATT, "a logistic curve of highest likelihood"},
    {"beta", CAIRN_CALIBRATE_BETA, "a three-parameter curve for scores from 0 to 1"},
    {0},
};
static const cairn_choice laplaces[] = {
    {"auto", LAPLACE_AUTO, "yes; of logistic there is none"},
    {"yes", LAPLACE_YES, "(n+ + 1)/(n + 2) on plateaus; targets off 0 and 1 for curves"},
    {"no", LAPLACE_NO, "plain shares and targets"},
    {0},
};
static const cairn_choice maps[] = {
    {"linear", MAP_LINEAR, "straight lines between plateaus"},
    {"steps", MAP_STEPS, "a step in the middle of the gap"},
    {0},
};
static const cairn_choice pooleds[] = {
    {"ml", POOLED_ML, "squares divided by the rows"},
    {"unbiased", POOLED_UNBIASED, "by the rows less two"},
    {0},
};

static const cairn_param calibrated_param_table[] = {
    CAIRN_WRAPPER(calibrated_params),
    CAIRN_PARAM_CHOICE(calibrated_params, method, "isotonic", methods,
                       "how scores become probabilities"),
    CAIRN_PARAM_AS(calibrated_params, inner, CAIRN_TYPE_SPEC, "cv:5",
                   "inner resampling, whose held-out rows train the map", .names = "resampling"),
    CAIRN_PARAM_CHOICE(calibrated_params, laplace, "auto", laplaces, "Laplace's correction",
                       .when = "method=isotonic|platt|beta"),
    CAIRN_PARAM_CHOICE(calibrated_params, map, "linear", maps, "between isotonic plateaus",
                       .when = "method=isotonic"),
    CAIRN_PARAM_CHOICE(calibrated_params, pooled, "ml", pooleds, "common variance of the classes",
                       .when = "method=logistic"),
    CAIRN_PARAM_CALLED("class_ratio", calibrated_params, ratio, "0", "[0,inf)",
                       "positives to negatives to assume; 0 = as in the training rows",
                       .when = "method=logistic", .was = "ratio"),
    CAIRN_PARAM_END,
};

/* The map of one class. */
typedef struct class_map {
    int32_t class;
    bool absent; /* no held-out row is of the class, or all are: `constant` */
    double constant;
    cairn_calibration curve; /* otherwise */
    double *bins;            /* BINS x (mean score, share of the class, weight), by score */
} class_map;

typedef struct calibrated_model {
    size_t n_classes;
    size_t n_maps; /* 1 for two classes, else n_classes */
    class_map *maps;
    double *shares; /* n_classes: of the held-out rows */
    double held_out, unanswered;
    double before, after; /* squared error of the held-out rows; `after` by the map made of them */
    cairn_model *base;
} calibrated_model;

static cairn_status calibrated_check(cairn_context *ctx, const void *values)
{
    const calibrated_params *p = values;
    return cairn_wrapper_check(ctx, "calibrated", &p->wrapper, p->inner);
}

/* -- applying -- */

static double map_apply(const class_map *m, double score)
{
    return m->absent && !isnan(score) ? m->constant : cairn_calibration_apply(&m->curve, score);
}

/* Scores of one row become probabilities, in place. */
static void map_row(const calibrated_model *m, double *row)
{
    double sum = 0;
    if (m->n_maps == 1) {
        size_t class = (size_t)m->maps[0].class;
        row[class] = map_apply(&m->maps[0], row[class]);
        row[1 - class] = 1 - row[class];
        return;
    }
    for (size_t c = 0; c < m->n_classes; c++) sum += row[c] = map_apply(&m->maps[c], row[c]);
    for (size_t c = 0; c < m->n_classes; c++) row[c] = sum == 0 ? m->shares[c] : row[c] / sum;
}

/* -- fitting -- */

/* Ten bins of equal weight in order of the score: what the map is to follow. */
static cairn_status make_bins(cairn_context *ctx, class_map *m, const cairn_ranking *ranking)
{
    cairn_status status = NEW(ctx, &m->bins, BINS * BIN_NUMBERS);
    double total = ranking->positives + ranking->negatives, sum = 0;
    if (status) return status;
    for (size_t i = 0; i < ranking->n; i++) {
        const cairn_segment *s = &ranking->segments[i];
        double w = s->positives + s->negatives, middle = sum + w / 2;
        size_t bin = (size_t)fmin(BINS - 1, BINS * middle / total);
        double *b = m->bins + bin * BIN_NUMBERS;
        b[0] += w * s->score;
        b[1] += s->positives;
        b[2] += w;
        sum += w;
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        double *b = m->bins + bin * BIN_NUMBERS;
        if (b[2] > 0) b[0] /= b[2], b[1] /= b[2];
    }
    return CAIRN_OK;
}

/* -- proof -- */

/* Isotonic: a plateau is the share of its rows, shares do not fall as scores rise, and within a
 * plateau no rows with the highest scores have a larger share than all of it, which would make two
 * of it. */
static void prove_plateaus(cairn_certificate *proof, const cairn_calibration *c,
                           const cairn_ranking *r)
{
    double left = 0, after = 1;
    for (size_t i = 0, plateau = c->n; i < r->n;) {
        double positives = 0, all = 0, part = 0, above = 0;
        size_t begin = i;
        if (plateau-- == 0) left = INFINITY;
        if (left == INFINITY) break;
        for (; i < r->n && r->segments[i].score >= c->low[plateau]; i++) {
            positives += r->segments[i].positives;
            all += r->segments[i].positives + r->segments[i].negatives;
        }
        double share = positives / all;
        double value = c->options.laplace ? (positives + 1) / (all + 2) : share;
        left = fmax(left, fmax(share - after, fabs(value - c->value[plateau])));
        if (i == begin) left = INFINITY;
        for (size_t k = begin; k < i; k++) {
            part += r->segments[k].positives;
            above += r->segments[k].positives + r->segments[k].negatives;
            left = fmax(left, (part - share * above) / all);
        }
        after = share;
    }
    cairn_certify(proof, CAIRN_PROOF_CONDITIONS, left, 1e-9);
}

/* Platt and beta: the likelihood has no slope by a weight, or falls with one that may not be
 * negative and is 0. */
static void prove_curve(cairn_certificate *proof, const cairn_calibration *c,
                        const cairn_ranking *r)
{
    const double edge = 1e-15; /* of scores of beta maps */
    bool beta = c->options.kind == CAIRN_CALIBRATE_BETA, smooth = c->options.laplace;
    double high = smooth ? (r->positives + 1) / (r->positives + 2) : 1;
    double low = smooth ? 1 / (r->negatives + 2) : 0, total = r->positives + r->negatives;
    double mean[2] = {0, 0}, slope[3] = {0, 0, 0}, square[3] = {0, 0, 0}, rest = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < r->n; i++) {
            const cairn_segment *s = &r->segments[i];
            double all = s->positives + s->negatives, score = s->score;
            double x[3] = {beta ? cairn_log(fmax(score, edge)) : score,
                           beta ? -cairn_log(fmax(1 - score, edge)) : 0, 1};
            for (int k = 0; k < 2 && round == 0; k++) mean[k] += all / total * x[k];
            if (round == 0) continue;
            double wanted = s->positives * high + s->negatives * low;
            double left = wanted - all * cairn_calibration_apply(c, score);
            rest += (wanted * wanted + all * all) / all;
            for (int k = 0; k < 3; k++) {
                double z = k < 2 ? x[k] - mean[k] : 1;
                slope[k] += left * z;
                square[k] += all * z * z;
            }
        }
    for (int k = 0; k < 3; k++) {
        bool held = beta && k < 2 && (k ? c->b : c->a) == 0;
        double left = held ? fmax(0, slope[k]) : fabs(slope[k]);
        double size = sqrt(square[k]) * sqrt(rest);
        if (size > 0) cairn_certify(proof, CAIRN_PROOF_GRADIENT, left / size, 1e-6);
    }
}

/* A class that is always or never there has no curve: its map is a constant, and the model says
 * so. */
static cairn_status fit_map(cairn_context *ctx, class_map *m, const cairn_held_out *held,
                            const cairn_job *job)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_ranking ranking;
    TRY(cairn_judged_ranking(ctx, &ranking, &held->judged, (size_t)m->class));
    TRY(make_bins(ctx, m, &ranking));
    m->absent = !(ranking.positives > 0) || !(ranking.negatives > 0);
    m->constant = ranking.positives > 0;
    if (m->absent) goto done;
    const calibrated_params *p = job->params;
    cairn_calibration_options options = (cairn_calibration_options){
        .kind = (cairn_calibration_kind)p->method,
        .steps = p->map == MAP_STEPS,
        .laplace = p->laplace != LAPLACE_NO,
        .unbiased = p->pooled == POOLED_UNBIASED,
        .class_ratio = p->ratio > 0 ? p->ratio : ranking.positives / ranking.negatives,
    };
    TRY(cairn_calibration_fit_ranking(ctx, &m->curve, &options, &ranking));
    if (options.kind == CAIRN_CALIBRATE_ISOTONIC)
        prove_plateaus(job->certificate, &m->curve, &ranking);
    else if (options.kind != CAIRN_CALIBRATE_LOGISTIC)
        prove_curve(job->certificate, &m->curve, &ranking);
done:
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "calibrated: class '%s'",
                             cairn_level_name(job->view->target, m->class));
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Weighted shares of the classes; at least two classes must be there. */
static cairn_status count_shares(cairn_context *ctx, calibrated_model *m,
                                 const cairn_held_out *held)
{
    double total = 0;
    size_t present = 0;
    cairn_status status = NEW(ctx, &m->shares, m->n_classes);
    if (status) return status;
    for (size_t i = 0; i < held->judged.n; i++) {
        m->shares[held->judged.actual[i]] += held->judged.weights[i];
        total += held->judged.weights[i];
    }
    for (size_t c = 0; c < m->n_classes; c++) {
        present += m->shares[c] > 0;
        m->shares[c] /= total;
    }
    if (present < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "calibrated: the held-out rows are all of one class, so there is "
                          "nothing to calibrate");
    m->held_out = (double)held->judged.n;
    m->unanswered = (double)held->n_unanswered;
    return CAIRN_OK;
}

static double mean_squared_loss(const double *scores, const cairn_held_out *held)
{
    double sum = 0, total = 0;
    size_t k = held->judged.n_classes;
    for (size_t i = 0; i < held->judged.n; i++) {
        sum +=
            held->judged.weights[i] *
            cairn_squared_loss(scores + i * k, k, (size_t)held->judged.actual[i], k == 2 ? 0.5 : 1);
        total += held->judged.weights[i];
    }
    return sum / total;
}

/* Two classes need one map, of the positive one. The losses before and after are those of held-out
 * rows. */
static cairn_status make_maps(cairn_context *ctx, calibrated_model *m, const cairn_job *job,
                              const cairn_held_out *held)
{
    bool two = job->n_classes == 2 && job->positive >= 0;
    m->n_classes = job->n_classes;
    CHECK(count_shares(ctx, m, held));
    CHECK(NEW(ctx, &m->maps, two ? 1 : m->n_classes));
    m->n_maps = two ? 1 : m->n_classes;
    for (size_t i = 0; i < m->n_maps; i++) {
        m->maps[i].class = two ? job->positive : (int32_t)i;
        CHECK(fit_map(ctx, &m->maps[i], held, job));
    }
    double *mapped;
    size_t n = held->judged.n * held->judged.n_classes;
    CHECK(SCRATCH_RAW(ctx, &mapped, n + 1));
    memcpy(mapped, held->judged.scores, n * sizeof *mapped);
    for (size_t i = 0; i < held->judged.n; i++) map_row(m, mapped + i * held->judged.n_classes);
    m->before = mean_squared_loss(held->judged.scores, held);
    m->after = mean_squared_loss(mapped, held);
    return CAIRN_OK;
}

/* -- showing -- */

static void show_isotonic(cairn_report *out, const cairn_calibration *c, const char *key)
{
    cairn_report_table_of(out, "Score to probability", 0, "rrr", "from score", "to score",
                          "probability");
    for (size_t i = 0; i < c->n; i++) {
        cairn_report_prefix(out, "calibrated.%s.piece%zu", key, i + 1);
        cairn_report_cells(out, "@.from @.to @.probability", c->low[i], c->high[i], c->value[i]);
    }
    cairn_report_table_end(out);
}

static void show_logistic(cairn_report *out, const cairn_calibration *c, const char *key)
{
    cairn_report_formula(out, "LR = exp(γ (s − s0)), p = LR / (LR + 1/ratio)");
    cairn_report_value(out, "mean score of the class", c->positive_mean,
                       "calibrated.%s.positive_mean", key);
    cairn_report_value(out, "mean score of the rest", c->negative_mean,
                       "calibrated.%s.negative_mean", key);
    cairn_report_value(out, "common variance", c->variance, "calibrated.%s.variance", key);
    cairn_report_value(out, "γ", c->gamma, "calibrated.%s.gamma", key);
    cairn_report_value(out, "s0", c->centre, "calibrated.%s.centre", key);
    cairn_report_value(out, "ratio", c->options.class_ratio, "calibrated.%s.ratio", key);
}

static void show_likelihood(cairn_report *out, const cairn_calibration *c, const char *key)
{
    bool beta = c->options.kind == CAIRN_CALIBRATE_BETA;
    cairn_report_formula(out, beta ? "p = 1 / (1 + exp(−(a ln s − b ln(1 − s) + c)))"
                                   : "p = 1 / (1 + exp(−(a s + b)))");
    cairn_report_value(out, "a", c->a, "calibrated.%s.a", key);
    cairn_report_value(out, "b", c->b, "calibrated.%s.b", key);
    if (beta) cairn_report_value(out, "c", c->c, "calibrated.%s.c", key);
    cairn_report_value(out, "log-likelihood", c->log_likelihood, "calibrated.%s.log_likelihood",
                       key);
}

static const char *class_name(const cairn_job *job, int32_t class)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    return at < 0 ? "?" : cairn_map_key(&job->schema->fields[at].names, (size_t) class);
}

static void show_map(cairn_report *out, const class_map *m, const char *name)
{
    const char *key = cairn_report_key(out, name);
    cairn_report_heading(out, 3, "Probability of %s", name);
    if (m->absent) {
        cairn_report_value(out, "always", m->constant, "calibrated.%s.constant", key);
        return;
    }
    switch (m->curve.options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: show_isotonic(out, &m->curve, key); break;
    case CAIRN_CALIBRATE_LOGISTIC: show_logistic(out, &m->curve, key); break;
    default: show_likelihood(out, &m->curve, key);
    }
}

/* Observed shares in bins of the held-out scores, and the map through them. */
static void add_curve(cairn_figure *f, const class_map *m, const char *name, bool only)
{
    double x[CURVE_POINTS + 1], y[CURVE_POINTS + 1], at[BINS], share[BINS];
    size_t n = 0;
    for (size_t b = 0; b < BINS; b++) {
        const double *bin = m->bins + b * BIN_NUMBERS;
        if (!(bin[2] > 0)) continue;
        at[n] = bin[0];
        share[n++] = bin[1];
    }
    if (n == 0) return;
    double low = fmin(0, at[n - 1]), high = fmax(1, at[0]); /* bins begin with the best */
    for (size_t i = 0; i <= CURVE_POINTS; i++) {
        x[i] = low + (high - low) * (double)i / CURVE_POINTS;
        y[i] = map_apply(m, x[i]);
    }
    cairn_figure_line(f, only ? "map" : name, x, y, CURVE_POINTS + 1);
    if (only) {
        static const char *const names[] = {"held-out rows, in tenths"};
        cairn_figure_points(f, at, share, NULL, n, names, 1);
    }
}

static void show_figure(cairn_report *out, const calibrated_model *m, const cairn_job *job)
{
    cairn_figure *f;
    const double ends[] = {0, 1};
    cairn_status status =
        cairn_figure_new(cairn_report_context(out), &f, "calibration", "Score and probability");
    if (status) {
        cairn_report_failed(out, status);
        return;
    }
    cairn_figure_axes(f, "score of the base", "probability");
    cairn_figure_y_range(f, 0, 1);
    for (size_t i = 0; i < m->n_maps && i < MOST_SHOWN; i++)
        add_curve(f, &m->maps[i], class_name(job, m->maps[i].class), m->n_maps == 1);
    cairn_figure_dashed(f, "score = probability", ends, ends, 2);
    cairn_report_figure(out, f);
}

/* A plane's score is its distance times the length of w, so that γ depends on the length; by
 * distance it does not. */
static void show_by_distance(cairn_report *out, const calibrated_model *m, const cairn_job *job)
{
    const class_map *map = &m->maps[0];
    const cairn_calibration *c = &map->curve;
    if (m->n_maps != 1 || map->absent || c->options.kind != CAIRN_CALIBRATE_LOGISTIC) return;
    if (m->base->learner->archive != cairn_class_planes_archive) return;
    const cairn_class_planes *plane = m->base->state;
    double length = plane->n_present == 2 ? cairn_class_planes_length(plane, 0, 1) : 0;
    const char *key = cairn_report_key(out, class_name(job, map->class));
    if (!(length > 0)) return;
    cairn_report_formula(out,
                         "by the distance from the plane, d = s / ‖w‖:  LR = exp(γ‖w‖ (d − d₀))");
    cairn_report_value(out, "length ‖w‖", length, "calibrated.%s.length", key);
    cairn_report_value(out, "γ per distance, γ‖w‖", c->gamma * length,
                       "calibrated.%s.distance.gamma", key);
    cairn_report_value(out, "d₀ = s0/‖w‖", c->centre / length, "calibrated.%s.distance.centre",
                       key);
}

/* Squared errors before and after come from the rows that made the maps; the note warns that the
 * second is optimistic. */
static void show_maps(cairn_report *out, const calibrated_model *m, const cairn_job *job)
{
    const calibrated_params *p = job->params;
    if (!out) return;
    cairn_report_word(out, "method", methods[p->method].name, "calibrated.method");
    cairn_report_word(out, "held out by", p->inner, "calibrated.inner");
    cairn_report_value(out, "held-out scores", m->held_out, "calibrated.held_out");
    if (m->unanswered > 0)
        cairn_report_value(out, "rows without a score", m->unanswered, "calibrated.unanswered");
    cairn_report_value(out, "squared error of the scores", m->before, "calibrated.brier.before");
    cairn_report_value(out, "squared error of the probabilities", m->after,
                       "calibrated.brier.after");
    cairn_report_note(out, "The second number is measured on the rows that made the map; cairn "
                           "evaluate gives an honest one.");
    for (size_t i = 0; i < m->n_maps && i < MOST_SHOWN; i++)
        show_map(out, &m->maps[i], class_name(job, m->maps[i].class));
    if (m->n_maps > MOST_SHOWN)
        cairn_report_note(out, "%zu more maps are not shown.", m->n_maps - MOST_SHOWN);
    if (m->base) show_by_distance(out, m, job);
    show_figure(out, m, job);
}

static const cairn_model *calibrated_base(const void *model)
{
    return ((const calibrated_model *)model)->base;
}

static void calibrated_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const calibrated_model *m = model;
    const calibrated_params *p = job->params;
    cairn_report_word(out, "base", p->wrapper.base, "calibrated.base");
    show_maps(out, m, job);
    cairn_nested_describe(out, m->base, "base", "The wrapped model");
}

/* Held-out scores beside what the maps make of them; the marks of the maps follow. */
static void show_steps(cairn_report *steps, const calibrated_model *m, const cairn_job *job,
                       const cairn_held_out *held)
{
    if (!steps) return;
    cairn_report_step_begin(steps, "calibrated: map the held-out scores");
    cairn_report_table_of(steps, "Held-out scores", 30, "rl", "row", "class");
    for (size_t i = 0; i < m->n_maps && i < MOST_SHOWN; i++) {
        cairn_report_columns(steps, "rr", class_name(job, m->maps[i].class), "→");
    }
    for (size_t i = 0; i < held->judged.n && (i < 1000 || cairn_report_row_wanted(steps)); i++) {
        cairn_report_cells(steps, NULL, (unsigned)held->rows[i] + 1,
                           cairn_level_name(job->view->target, held->judged.actual[i]));
        for (size_t k = 0; k < m->n_maps && k < MOST_SHOWN; k++) {
            double score =
                held->judged.scores[i * held->judged.n_classes + (size_t)m->maps[k].class];
            cairn_report_cells(steps, "-:5 -:5", score, map_apply(&m->maps[k], score));
        }
    }
    cairn_report_table_end(steps);
    show_maps(steps, m, job);
    cairn_report_step_end(steps);
}

/* -- the learner -- */

static cairn_status calibrated_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    calibrated_model *m = model;
    const calibrated_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    cairn_held_out held;
    CHECK(cairn_nested_open(ctx, &nested, "calibrated", &p->wrapper, job, true));
    CHECK(cairn_hold_out(ctx, &held, &nested, p->inner));
    CHECK(make_maps(ctx, m, job, &held));
    show_steps(job->steps, m, job, &held);
    return cairn_nested_fit(ctx, &m->base, &nested);
}

/* The class is decided anew by the mapped probabilities; a row without a score keeps the answer
 * of the base. */
static cairn_status calibrated_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                       const cairn_job *job)
{
    const calibrated_model *m = model;
    SCOPED(cairn_prediction_clear) cairn_prediction base = {0};
    CHECK(cairn_nested_ask(ctx, &base, m->base, job, true));
    for (size_t i = 0; i < out->n_rows; i++) {
        double *row = base.scores + i * m->n_classes;
        size_t best = 0;
        map_row(m, row);
        for (size_t c = 1; c < m->n_classes; c++)
            if (row[c] > row[best]) best = c;
        out->codes[i] = isnan(row[best]) ? base.codes[i] : (int32_t)best;
    }
    out->codes_set = true;
    if (out->scores)
        memcpy(out->scores, base.scores, out->n_rows * m->n_classes * sizeof *out->scores);
    return CAIRN_OK;
}

/* -- as a program -- */

/* The probabilities of all classes from those of each map; slots of the maps in `mapped`. */
static cairn_status lower_shares(cairn_program *p, const calibrated_model *m, int32_t *mapped)
{
    double one[2] = {0}, sides[2] = {1, 1};
    cairn_operation *op;
    if (m->n_maps > 1) {
        CHECK(cairn_program_add(p, CAIRN_OP_SHARES, mapped, m->n_classes, m->n_classes, &op));
        p->answer.scores = op->out;
        return cairn_op_copy_numbers(p, op, 0, m->shares, m->n_classes);
    }
    size_t other = 1 - (size_t)m->maps[0].class;
    one[other] = 1;
    sides[other] = -1;
    return cairn_lower_affine(p, mapped, 1, 2, one, sides, NULL, &p->answer.scores);
}

/* The largest probability is the answer; the flag set on that last operation says that there is
 * none where the probabilities are not known. */
static cairn_status calibrated_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const calibrated_model *m = model;
    int32_t *mapped;
    cairn_operation *op;
    (void)job;
    CHECK(cairn_program_member(out, m->base));
    CHECK(SCRATCH(out->ctx, &mapped, m->n_maps + 1));
    for (size_t k = 0; k < m->n_maps; k++) {
        int32_t in = out->answer.scores + m->maps[k].class;
        CHECK(cairn_program_add(out, CAIRN_OP_CALIBRATE, &in, 1, 1, &op));
        /* Tables of the curve of one class. */
        const class_map *map = &m->maps[k];
        const cairn_calibration *c = &map->curve;
        const cairn_calibration_options *o = &c->options;
        double ratio = o->class_ratio > 0 ? o->class_ratio : 1;
        double logistic[] = {c->gamma, c->centre, ratio}, fitted[] = {c->a, c->b, c->c};
        if (map->absent) {
            op->sizes[0] = 5;
            CHECK(cairn_op_copy_numbers(out, op, 3, &map->constant, 1));
        } else {
            op->sizes[0] = o->kind == CAIRN_CALIBRATE_ISOTONIC   ? o->steps
                           : o->kind == CAIRN_CALIBRATE_LOGISTIC ? 2
                           : o->kind == CAIRN_CALIBRATE_PLATT    ? 3
                                                                 : 4;
            op->sizes[1] = (int32_t)c->n;
            if (o->kind != CAIRN_CALIBRATE_ISOTONIC) {
                CHECK(cairn_op_copy_numbers(out, op, 3, op->sizes[0] == 2 ? logistic : fitted, 3));
            } else {
                CHECK(cairn_op_copy_numbers(out, op, 0, c->low, c->n));
                CHECK(cairn_op_copy_numbers(out, op, 1, c->high, c->n));
                CHECK(cairn_op_copy_numbers(out, op, 2, c->value, c->n));
            }
        }
        mapped[k] = op->out;
    }
    CHECK(lower_shares(out, m, mapped));
    CHECK(cairn_lower_largest(out, out->answer.scores, m->n_classes, &out->answer.code));
    out->ops[out->n_ops - 1]->sizes[0] = 1;
    return CAIRN_OK;
}

static const cairn_kept map_keeps[] = {
    KEEP(class_map, class, absent, constant),
    KEEP_ARRAYS(class_map, "30", bins), /* BINS * BIN_NUMBERS */
    KEEP_PART(class_map, curve, .part = &cairn_kept_calibration, .when = "!absent"),
    KEEP_END,
};

static const cairn_kept calibrated_keeps[] = {
    KEEP_SIZE(calibrated_model, n_classes, MOST_CLASSES, .name = "classes"),
    KEEP_SIZE_IN(calibrated_model, n_maps, "n_classes", .name = "maps"),
    KEEP_ARRAYS(calibrated_model, "n_classes", shares),
    KEEP(calibrated_model, held_out, unanswered, before, after),
    KEEP_PARTS(calibrated_model, maps, "n_maps", .rows = map_keeps),
    KEEP_PART(calibrated_model, base, .part = &cairn_kept_model),
    KEEP_END,
};

/* Two classes may share one map, else there is one for each, in their order; anything else is
 * damage. */
static cairn_status calibrated_check_loaded(cairn_archive *a, const void *model,
                                            const cairn_job *job)
{
    const calibrated_model *m = model;
    if (m->n_maps != m->n_classes && (m->n_classes != 2 || m->n_maps != 1))
        return cairn_archive_damaged(a, "%zu maps for %zu classes", m->n_maps, m->n_classes);
    for (size_t i = 0; i < m->n_maps; i++)
        if (m->maps[i].class < 0 || (size_t)m->maps[i].class >= m->n_classes ||
            (m->n_maps > 1 && (size_t)m->maps[i].class != i))
            return cairn_archive_damaged(a, "a map is of no class");
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the maps are of other classes than the target");
    return cairn_nested_check_loaded(a, m->base, job, true);
}

static double map_parameters(const class_map *m)
{
    if (m->absent) return 1;
    switch (m->curve.options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: return 3 * (double)m->curve.n;
    case CAIRN_CALIBRATE_BETA: return 3;
    default: return 2;
    }
}

static cairn_model_size calibrated_size(const void *model)
{
    const calibrated_model *m = model;
    cairn_model_size size = cairn_model_size_of(m->base);
    for (size_t i = 0; i < m->n_maps; i++) {
        size.parameters += map_parameters(&m->maps[i]);
        size.grows |= m->maps[i].curve.options.kind == CAIRN_CALIBRATE_ISOTONIC;
    }
    return size;
}

const cairn_learner cairn_calibrated = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "calibrated",
              .also = "probability calibration, Platt scaling (method=platt), isotonic calibration "
                      "(method=isotonic), beta calibration (method=beta), CalibratedClassifierCV",
              .title = "Calibrated probabilities",
              .summary =
                  "Wraps a learner whose scores are not to be taken at their word: a map from "
                  "score to probability is trained on scores of rows that an inner resampling "
                  "holds out, and the scores of the learner, fitted on all training rows, go "
                  "through it. Isotonic plateaus, a logistic curve from class means, Platt's "
                  "curve or a beta curve; with more than two classes one map per class against "
                  "the rest. cairn fit LEARNER DATA --with-calibration METHOD does the same.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012; Platt, "
                            "Probabilistic outputs for support vector machines (1999); Zadrozny "
                            "and Elkan, Transforming classifier scores into accurate multiclass "
                            "probability estimates (2002)",
              .example = "cairn fit calibrated @titanic --learner tree --method platt",
              .params = calibrated_param_table,
              .params_size = sizeof(calibrated_params),
              .check = calibrated_check},
    .space = "method=isotonic,platt,beta",
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE | CAIRN_GIVES_PROBABILITIES,
    CAIRN_WRAPPER_RECORD(calibrated),
    .size = calibrated_size,
    .base = calibrated_base,
};
