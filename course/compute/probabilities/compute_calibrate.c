/* SPDX-License-Identifier: MIT */
/* cairn compute calibrate: from scores to probabilities, by the convex hull, by class means and a
 * common variance, or by the most likely curve; side by side when asked for all. */
#include "typed/ranked.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "plots/calibration_plot.h"
#include "plots/curve_steps.h"
#include "stats/calibration.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHOD_ALL = CAIRN_CALIBRATE_BETA + 1, N_METHODS = CAIRN_CALIBRATE_BETA + 1 };

typedef struct calibrate_params {
    cairn_ranked_option ranked;
    int method, map, collinear, pooled;
    bool laplace;
    double class_ratio;
    cairn_list at, gamma, centre;
} calibrate_params;

static const cairn_choice method_choices[] = {
    {"isotonic", CAIRN_CALIBRATE_ISOTONIC, "shares of positives on the convex hull"},
    {"logistic", CAIRN_CALIBRATE_LOGISTIC, "from the class means and one common variance"},
    {"platt", CAIRN_CALIBRATE_PLATT, "the most likely logistic curve (logistic regression)"},
    {"beta", CAIRN_CALIBRATE_BETA, "the most likely beta curve, for scores from 0 to 1"},
    {"all", METHOD_ALL, "isotonic, logistic and platt side by side, beta where the scores allow"},
    {NULL, 0, NULL},
};
static const cairn_choice map_choices[] = {
    {"linear", 0, "straight lines between the plateaus of the isotonic map"},
    {"steps", 1, "a step in the middle between them"},
    {NULL, 0, NULL},
};
static const cairn_choice collinear_choices[] = {
    {"merge", 0, "segments of the hull with the same share become one"},
    {"keep", 1, "they stay apart"},
    {NULL, 0, NULL},
};
static const cairn_choice pooled_choices[] = {
    {"ml", 0, "the common variance divides by n"},
    {"unbiased", 1, "it divides by n - 2"},
    {NULL, 0, NULL},
};

static const cairn_param calibrate_table[] = {
    CAIRN_PARAM_GROUP(calibrate_params, ranked, cairn_ranked_group),
    CAIRN_PARAM_CHOICE(calibrate_params, method, "isotonic", method_choices, "the map"),
    CAIRN_PARAM_CHOICE(calibrate_params, map, "linear", map_choices,
                       "what happens between plateaus", .when = "method=isotonic|all"),
    CAIRN_PARAM(calibrate_params, laplace, "no", NULL,
                "isotonic: (n+ + 1) / (n + 2) per segment; platt, beta: targets moved inwards "
                "likewise",
                .when = "method=isotonic|platt|beta|all"),
    CAIRN_PARAM_CHOICE(calibrate_params, collinear, "merge", collinear_choices,
                       "segments with the same share", .when = "method=isotonic|all"),
    CAIRN_PARAM_CHOICE(calibrate_params, pooled, "ml", pooled_choices,
                       "how the common variance is estimated", .when = "method=logistic|all"),
    CAIRN_PARAM(calibrate_params, class_ratio, "1", "(0,inf)",
                "positives for one negative that are assumed", .when = "method=logistic|all"),
    CAIRN_PARAM_CELLS(calibrate_params, at, NUMBERS, NULL, NULL,
                      "scores for which the probability is reported"),
    CAIRN_PARAM_CELLS(calibrate_params, gamma, NUMBERS, NULL, NULL,
                      "logistic without data: slopes of the curves"),
    CAIRN_PARAM_CELLS(calibrate_params, centre, NUMBERS, NULL, NULL,
                      "logistic without data: scores where the curves cross 1/2"),
    CAIRN_PARAM_END,
};

static const char *const method_names[N_METHODS] = {"isotonic", "logistic", "platt", "beta"};

enum { MOST_WORKED = 5 };

/* What a map does to a score, from the formula to the probability. */
static void work_score(cairn_report *out, const cairn_calibration *m, double d)
{
    double p = cairn_calibration_apply(m, d), clr = m->options.class_ratio, lr = 0;
    switch (m->options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: cairn_report_worked(out, "isotonic", "p(#) = #", d, p); break;
    case CAIRN_CALIBRATE_LOGISTIC:
        lr = cairn_exp(m->gamma * (d - m->centre));
        cairn_report_worked(out, "LR", "exp(γ (d − d₀)) = exp(# · (# − #)) = #", m->gamma, d,
                            m->centre, lr);
        cairn_report_worked(out, "logistic", "LR / (LR + 1/clr) = # / (# + 1/#) = #", lr, lr,
                            clr > 0 ? clr : 1, p);
        break;
    case CAIRN_CALIBRATE_PLATT:
        cairn_report_worked(out, "platt",
                            "1 / (1 + exp(−(a s + b))) = 1 / (1 + exp(−(# · # + #))) = #", m->a, d,
                            m->b, p);
        break;
    case CAIRN_CALIBRATE_BETA:
        cairn_report_worked(out, "log-odds",
                            "a ln s − b ln(1 − s) + c = # · ln # − # · ln(1 − #) + # = #", m->a, d,
                            m->b, d, m->c, cairn_log(p / (1 - p)));
        cairn_report_worked(out, "beta", "1 / (1 + exp(−log-odds)) = #", p);
        break;
    }
}

/* -- curves from given numbers -- */

/* Curves with parameters of the user's own, to see what slope and centre do; nothing is fitted. */
static cairn_status given_curves(cairn_context *ctx, cairn_report *out, const calibrate_params *p,
                                 bool steps)
{
    cairn_status status;
    const double *gamma = p->gamma.values, *centre = p->centre.values, *at = p->at.values;
    size_t n_gamma = p->gamma.n, n_centre = p->centre.n, n_at = p->at.n;
    if (!centre || !at) return cairn_fail(ctx, CAIRN_USAGE, "{gamma} needs {centre} and {at}");
    cairn_report_formula(out, "LR = exp(γ (d − d₀)),  p = LR / (LR + 1/clr)");
    cairn_report_table_of(out, "Logistic curves", (size_t)-1, "r", "score d");
    for (size_t g = 0; g < n_gamma; g++)
        for (size_t c = 0; c < n_centre; c++) {
            cairn_text head = cairn_text_start(ctx);
            cairn_text_add(&head, "γ=");
            cairn_text_add_number(&head, gamma[g], 4);
            cairn_text_add(&head, " d₀=");
            cairn_text_add_number(&head, centre[c], 4);
            cairn_report_column(out, cairn_text_string(&head), 'r');
            status = cairn_text_status(&head);
            cairn_text_clear(&head);
            if (status) goto done;
        }
    for (size_t i = 0; i < n_at; i++) {
        cairn_report_cell_number(out, at[i], 0, NULL);
        for (size_t g = 0; g < n_gamma; g++)
            for (size_t c = 0; c < n_centre; c++) {
                cairn_calibration map = {
                    .options = {.kind = CAIRN_CALIBRATE_LOGISTIC, .class_ratio = p->class_ratio},
                    .gamma = gamma[g],
                    .centre = centre[c]};
                cairn_report_cell_number(out, cairn_calibration_apply(&map, at[i]), 0,
                                         "curve%zu.%zu", g * n_centre + c + 1, i + 1);
            }
    }
    for (size_t i = 0; steps && i < n_at && i < MOST_WORKED; i++) {
        cairn_calibration map = {
            .options = {.kind = CAIRN_CALIBRATE_LOGISTIC, .class_ratio = p->class_ratio},
            .gamma = gamma[0],
            .centre = centre[0]};
        cairn_report_step_begin(out, "The first curve, score %zu", i + 1);
        work_score(out, &map, at[i]);
        cairn_report_step_end(out);
    }
done:
    return status;
}

/* -- what each map is -- */

static void show_isotonic(cairn_report *out, const cairn_calibration *m)
{
    cairn_report_table_of(out, "Isotonic map: plateaus, best first", 0, "rrrr", "piece", "from",
                          "to", "probability");
    for (size_t i = 0; i < m->n && cairn_report_row_wanted(out); i++) {
        size_t at = m->n - 1 - i;
        cairn_report_cells(out, "- isotonic.piece$1.low isotonic.piece$1.high isotonic.piece$1.p",
                           i + 1, m->low[at], m->high[at], m->value[at]);
    }
    cairn_report_hidden(out, (double)m->n, "isotonic.pieces");
}

/* The slope and the centre with the class means and the common variance put in. */
static void work_logistic(cairn_report *out, const cairn_calibration *m)
{
    cairn_report_step_begin(out, "The logistic map");
    cairn_report_worked(out, "γ", "(mean₊ − mean₋) / variance = (# − #) / # = #", m->positive_mean,
                        m->negative_mean, m->variance, m->gamma);
    cairn_report_worked(out, "d₀", "(mean₊ + mean₋) / 2 = (# + #) / 2 = #", m->positive_mean,
                        m->negative_mean, m->centre);
    cairn_report_step_end(out);
}

/* The work: pooling for the isotonic map, the formulas of the others, and the first scores. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const calibrate_params *p,
                              const cairn_calibration *maps, const bool *fitted,
                              const cairn_ranking *r)
{
    const double *at = p->at.values;
    size_t n = at ? p->at.n : r->n;
    if (fitted[CAIRN_CALIBRATE_ISOTONIC]) CHECK(cairn_steps_hull(ctx, out, r, p->collinear == 1));
    if (fitted[CAIRN_CALIBRATE_LOGISTIC]) work_logistic(out, &maps[CAIRN_CALIBRATE_LOGISTIC]);
    for (size_t i = 0; i < n && i < MOST_WORKED; i++) {
        double score = at ? at[i] : r->segments[i].score;
        char text[CAIRN_NUMBER_SIZE];
        cairn_number_format(text, score, 6);
        cairn_report_step_begin(out, "The score %s", text);
        for (size_t m = 0; m < N_METHODS; m++)
            if (fitted[m]) work_score(out, &maps[m], score);
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

static void show_logistic(cairn_report *out, const cairn_calibration *m)
{
    cairn_report_heading(out, 3, "Logistic calibration");
    cairn_report_formula(out, "γ = (mean₊ − mean₋) / variance,  d₀ = (mean₊ + mean₋) / 2");
    cairn_report_formula(out, "LR = exp(γ (d − d₀)),  p = LR / (LR + 1/clr)");
    cairn_report_value(out, "mean of the positives", m->positive_mean, "logistic.mean_positive");
    cairn_report_value(out, "mean of the negatives", m->negative_mean, "logistic.mean_negative");
    cairn_report_value(out, "common variance", m->variance, "logistic.variance");
    cairn_report_value(out, "slope γ", m->gamma, "logistic.gamma");
    cairn_report_value(out, "centre d₀", m->centre, "logistic.centre");
}

static void show_likely(cairn_report *out, const cairn_calibration *m, const char *name)
{
    bool beta = m->options.kind == CAIRN_CALIBRATE_BETA;
    cairn_report_heading(out, 3, beta ? "Beta calibration" : "The most likely logistic curve");
    cairn_report_formula(out, beta ? "log-odds = a ln s − b ln(1−s) + c"
                                   : "p = 1 / (1 + exp(−(a s + b)))");
    cairn_report_value(out, "a", m->a, "%s.a", name);
    cairn_report_value(out, "b", m->b, "%s.b", name);
    if (beta) cairn_report_value(out, "c", m->c, "%s.c", name);
    cairn_report_value(out, "log-likelihood of the classes", m->log_likelihood, "%s.log_likelihood",
                       name);
}

static void show_map(cairn_report *out, const cairn_calibration *m)
{
    switch (m->options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: show_isotonic(out, m); break;
    case CAIRN_CALIBRATE_LOGISTIC: show_logistic(out, m); break;
    case CAIRN_CALIBRATE_PLATT:
    case CAIRN_CALIBRATE_BETA: show_likely(out, m, method_names[m->options.kind]); break;
    }
}

/* Mean predicted probability over the rows of the ranking, and mean squared error. */
static void judge_map(cairn_report *out, const cairn_calibration *m, const cairn_ranking *r,
                      const char *name)
{
    double sum = 0, squares = 0, all = r->positives + r->negatives;
    for (size_t i = 0; i < r->n; i++) {
        const cairn_segment *s = &r->segments[i];
        double p = cairn_calibration_apply(m, s->score);
        sum += (s->positives + s->negatives) * p;
        squares += s->positives * (1 - p) * (1 - p) + s->negatives * p * p;
    }
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "@.threshold @.mean_predicted @.brier",
                       cairn_calibration_threshold(m, 0.5), sum / all, squares / all);
}

static void show_comparison(cairn_report *out, const cairn_calibration *maps, const bool *fitted,
                            const cairn_ranking *r)
{
    cairn_report_table_of(out, "Maps on these rows", 0, "lrrr", "map", "threshold at 1/2",
                          "mean predicted", "Brier score");
    for (size_t m = 0; m < N_METHODS; m++) {
        if (!fitted[m]) continue;
        cairn_report_cell(out, method_names[m]);
        judge_map(out, &maps[m], r, method_names[m]);
    }
}

/* The rows as they are with a column of probabilities per map, for --out. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const char *score, bool low, const cairn_calibration *maps,
                                const bool *fitted)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *values;
    size_t at;
    CHECK(cairn_table_get(ctx, table, score, &at));
    const double *scores = cairn_table_numbers(table, at);
    CHECK(cairn_table_share(ctx, &made, table));
    CHECK(SCRATCH_RAW(ctx, &values, table->n_rows));
    for (size_t m = 0; m < N_METHODS; m++) {
        char name[32];
        if (!fitted[m]) continue;
        snprintf(name, sizeof name, "p_%s", method_names[m]);
        for (size_t r = 0; r < table->n_rows; r++)
            values[r] = cairn_calibration_apply(&maps[m], low ? -scores[r] : scores[r]);
        CHECK(cairn_table_put_numbers(ctx, made, name, values));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The probabilities of every score, or of the scores of --at. */
static cairn_status show_values(cairn_report *out, const calibrate_params *p,
                                const cairn_calibration *maps, const bool *fitted,
                                const cairn_ranking *r)
{
    const double *at = p->at.values;
    size_t n = at ? p->at.n : r->n;
    cairn_report_table_of(out, "Calibrated scores", n <= 100 ? (size_t)-1 : 0, "r", "score");
    for (size_t m = 0; m < N_METHODS; m++)
        if (fitted[m]) cairn_report_column(out, method_names[m], 'r');
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        double score = at ? at[i] : r->segments[i].score;
        cairn_report_cell_number(out, score, 0, "at%zu.score", i + 1);
        for (size_t m = 0; m < N_METHODS; m++)
            if (fitted[m])
                cairn_report_cell_number(out, cairn_calibration_apply(&maps[m], score), 0,
                                         "at%zu.%s", i + 1, method_names[m]);
    }
    return CAIRN_OK;
}

/* Asked for all methods, one that has no solution here is told and passed over; asked for alone,
 * it is an error. */
static cairn_status fit_maps(cairn_context *ctx, cairn_report *out, cairn_calibration *maps,
                             bool *fitted, const calibrate_params *p, const cairn_ranking *r)
{
    cairn_status status = CAIRN_OK;
    bool unit = r->segments[0].score <= 1 && r->segments[r->n - 1].score >= 0;
    for (int m = 0; m < N_METHODS; m++) {
        if (p->method != METHOD_ALL && p->method != m) continue;
        if (p->method == METHOD_ALL && m == CAIRN_CALIBRATE_BETA && !unit) continue;
        cairn_calibration_options o = {.kind = (cairn_calibration_kind)m,
                                       .steps = p->map == 1,
                                       .laplace = p->laplace,
                                       .keep_collinear = p->collinear == 1,
                                       .unbiased = p->pooled == 1,
                                       .class_ratio = p->class_ratio};
        status = cairn_calibration_fit_ranking(ctx, &maps[m], &o, r);
        if (status == CAIRN_NO_SOLUTION && p->method == METHOD_ALL) {
            cairn_report_note(out, "%s: %s.", method_names[m], cairn_message(ctx));
            status = CAIRN_OK;
            continue;
        }
        if (status) break;
        fitted[m] = true;
    }
    return status;
}

/* Every map, their errors side by side, and the hull, whose area no calibration that keeps the
 * order can beat. */
static cairn_status show_all(cairn_context *ctx, cairn_report *out, const calibrate_params *p,
                             const cairn_ranked *ranked, const cairn_calibration *maps,
                             const bool *fitted)
{
    cairn_calibration_curve curves[N_METHODS];
    cairn_figure *figure;
    cairn_ranking hull;
    size_t n = 0;
    for (int m = 0; m < N_METHODS; m++) {
        if (!fitted[m]) continue;
        show_map(out, &maps[m]);
        curves[n++] = (cairn_calibration_curve){&maps[m], method_names[m]};
    }
    show_comparison(out, maps, fitted, &ranked->ranking);
    CHECK(cairn_ranking_hull(ctx, &hull, &ranked->ranking, p->collinear == 1));
    cairn_report_value(out, "area under the curve", cairn_ranking_auc(&ranked->ranking), "auc");
    cairn_report_value(out, "area under its hull", cairn_ranking_auc(&hull), "hull.auc");
    CHECK(show_values(out, p, maps, fitted, &ranked->ranking));
    CHECK(cairn_plot_calibration(ctx, &figure, curves, n, &ranked->ranking, ranked->name, true));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* Maps are cleared whichever of them were fitted; a file is written only for scores of a table. */
static cairn_status calibrate_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const calibrate_params *p = job->params;
    cairn_calibration maps[N_METHODS];
    bool fitted[N_METHODS] = {false};
    cairn_ranked ranked;
    cairn_status status;
    memset(maps, 0, sizeof maps);
    cairn_report_heading(out, 1, "From scores to probabilities");
    if (p->gamma.text) return given_curves(ctx, out, p, job->steps);
    TRY(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "compute calibrate"));
    cairn_show_ranked(out, &ranked);
    TRY(fit_maps(ctx, out, maps, fitted, p, &ranked.ranking));
    TRY(show_all(ctx, out, p, &ranked, maps, fitted));
    if (job->steps) TRY(show_work(ctx, out, p, maps, fitted, &ranked.ranking));
    if (job->result && job->table && ranked.positive)
        TRY(make_result(ctx, job->result, job->table, ranked.name, p->ranked.low, maps, fitted));
done:
    for (int m = 0; m < N_METHODS; m++) cairn_calibration_clear(&maps[m]);
    return status;
}

const cairn_calculator cairn_compute_calibrate = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "calibrate",
         .also = "Platt scaling (method=platt), isotonic regression (method=isotonic), pool "
                 "adjacent violators, PAV, calibration map",
         .about = "logistic calibration, calibrating a classifier, probabilities from linear "
                  "classifiers",
         .title = "From scores to probabilities",
         .summary =
             "Calibration maps of a score: isotonic (the shares of positives on the convex "
             "hull of the ROC curve), logistic (from the class means and a common variance), "
             "the most likely logistic curve, and beta; with their thresholds at 1/2 and the "
             "calibrated value of every score or of those given by --at. --out FILE.csv writes "
             "the rows with their probabilities. With --gamma and --centre it evaluates logistic "
             "curves without data.",
         .references = "Zadrozny, Elkan: Transforming Classifier Scores into Accurate "
                       "Multiclass Probability Estimates, KDD 2002; Platt: Probabilistic "
                       "Outputs for Support Vector Machines, 1999; Kull, Silva Filho, Flach: "
                       "Beta Calibration, AISTATS 2017",
         .example = "cairn compute calibrate @weight-diabetes --method all --at 80,100",
         .params = calibrate_table,
         .params_size = sizeof(calibrate_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_SCORES,
    .run = calibrate_run,
};
