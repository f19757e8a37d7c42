/* SPDX-License-Identifier: MIT */
/* cairn draw calibration, reliability, triangle and losses: pictures of probabilities. */
#include "typed/class_scores.h"
#include "typed/ranked.h"
#include "typed/shown.h"
#include "plots/calibration_plot.h"
#include "plots/losses_plot.h"
#include "plots/triangle_plot.h"
#include "pictures/picture.h"
#include "stats/losses.h"
#include "stats/multiclass.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* -- maps -- */

typedef struct calibration_params {
    cairn_ranked_option ranked;
    bool isotonic, logistic, platt, beta, laplace, steps;
} calibration_params;

static const cairn_param calibration_table[] = {
    CAIRN_PARAM_GROUP(calibration_params, ranked, cairn_ranked_group),
    CAIRN_PARAM(calibration_params, isotonic, "no", NULL,
                "shares of positives on the convex hull; drawn if no map is chosen"),
    CAIRN_PARAM(calibration_params, logistic, "no", NULL, "from class means and one variance"),
    CAIRN_PARAM(calibration_params, platt, "no", NULL, "the most likely logistic curve"),
    CAIRN_PARAM(calibration_params, beta, "no", NULL, "the most likely beta curve"),
    CAIRN_PARAM(calibration_params, laplace, "no", NULL, "isotonic with Laplace's correction"),
    CAIRN_PARAM(calibration_params, steps, "no", NULL, "isotonic with steps, not lines"),
    CAIRN_PARAM_END,
};

enum { MAPS = CAIRN_CALIBRATE_BETA + 1 };

/* Without a choice the isotonic map is drawn; several maps share one picture and then need their
 * names. */
static cairn_status calibration_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    static const char *const names[MAPS] = {"isotonic", "logistic", "most likely logistic", "beta"};
    const calibration_params *p = job->params;
    bool wanted[MAPS] = {p->isotonic, p->logistic, p->platt, p->beta};
    cairn_calibration maps[MAPS];
    cairn_calibration_curve curves[MAPS];
    cairn_ranked ranked;
    size_t n = 0;
    cairn_status status;
    memset(maps, 0, sizeof maps);
    if (!p->isotonic && !p->logistic && !p->platt && !p->beta) wanted[0] = true;
    TRY(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "draw calibration"));
    for (int m = 0; m < MAPS; m++) {
        if (!wanted[m]) continue;
        cairn_calibration_options o = {
            .kind = (cairn_calibration_kind)m, .laplace = p->laplace, .steps = p->steps};
        TRY(cairn_calibration_fit_ranking(ctx, &maps[m], &o, &ranked.ranking));
        curves[n++] = (cairn_calibration_curve){&maps[m], names[m]};
    }
    TRY(cairn_plot_calibration(ctx, out, curves, n, &ranked.ranking, ranked.name, n > 1));
done:
    for (int m = 0; m < MAPS; m++) cairn_calibration_clear(&maps[m]);
    return status;
}

const cairn_calculator cairn_picture_calibration = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "calibration",
                .also = "calibration curve, calibration map, isotonic regression",
                .title = "Calibration maps",
                .summary = "Probability against score: isotonic plateaus, logistic and beta curves "
                           "over the rows of both classes; with several maps the scores where each "
                           "crosses one half.",
                .references = "Zadrozny, Elkan: Transforming Classifier Scores into Accurate "
                              "Multiclass Probability Estimates, KDD 2002",
                .example = "cairn draw calibration @weight-diabetes --isotonic --logistic --platt",
                .params = calibration_table,
                .params_size = sizeof(calibration_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = calibration_draw,
};

/* -- reliability -- */

typedef struct reliability_params {
    cairn_class_scores_option scores;
    const char *positive;
    int bins;
} reliability_params;

static const cairn_param reliability_table[] = {
    CAIRN_PARAM_GROUP(reliability_params, scores, cairn_class_scores_group),
    CAIRN_PARAM(reliability_params, positive, NULL, NULL,
                "with one column of probabilities, or several models or files: the class that they "
                "are of"),
    CAIRN_PARAM(reliability_params, bins, "10", "[2,1000]", "number of equally wide bins"),
    CAIRN_PARAM_END,
};

/* The class whose probability is drawn when there are several models or files. */
static cairn_status choose_class(cairn_context *ctx, size_t *out, const cairn_class_scores *s,
                                 const char *positive)
{
    *out = (size_t)s->positive;
    if (s->k == 2) return CAIRN_OK;
    for (size_t i = 0; i < s->k && positive; i++)
        if (cairn_same(s->names[i], positive)) {
            *out = i;
            return CAIRN_OK;
        }
    if (positive)
        return cairn_fail(ctx, CAIRN_USAGE, "{positive}: there is no class '%s'", positive);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "several models of %zu classes are compared by one of them: {positive} names "
                      "it",
                      s->k);
}

/* Several models or files: one line each, of the positive class. */
static cairn_status draw_several(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const reliability_params *p = job->params;
    cairn_reliability *lines;
    const char *class = NULL;
    char share[160];
    CHECK(SCRATCH(ctx, &lines, job->tables.n));
    for (size_t t = 0; t < job->tables.n; t++) {
        const cairn_table *table = job->tables.list[t];
        cairn_class_scores s;
        double *chance;
        int32_t *happened;
        size_t which;
        CHECK(cairn_read_class_scores(ctx, &s, &p->scores, p->positive, table, "reliability"));
        CHECK(choose_class(ctx, &which, &s, p->positive));
        CHECK(SCRATCH_EACH(ctx, s.n, &chance, &happened));
        for (size_t r = 0; r < s.n; r++) {
            chance[r] = s.scores[r * s.k + which];
            happened[r] = s.classes[r] < 0 ? -1 : (size_t)s.classes[r] == which;
        }
        lines[t] = (cairn_reliability){chance, happened, s.weights, s.n, NULL};
        CHECK(cairn_source_name(ctx, &lines[t].name, table));
        class = s.names[which];
    }
    snprintf(share, sizeof share, "share of %.120s", class);
    return cairn_plot_reliabilities(ctx, out, lines, job->tables.n, share, (size_t)p->bins);
}

static cairn_status reliability_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    const reliability_params *p = job->params;
    cairn_class_scores s;
    if (job->tables.n > 1) return draw_several(ctx, out, job);
    CHECK(cairn_read_class_scores(ctx, &s, &p->scores, p->positive, job->table, "reliability"));
    return cairn_plot_reliability(ctx, out, s.scores, s.classes, s.weights, s.n, s.k, s.names,
                                  s.positive, (size_t)p->bins);
}

const cairn_calculator cairn_picture_reliability = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "reliability",
                .also = "calibration plot, reliability curve",
                .title = "Reliability diagram",
                .summary = "How often a class occurs among the rows for which about the same "
                           "probability was predicted; on the diagonal predictions are calibrated. "
                           "Several models or files of predictions stand in one picture.",
                .references = "Murphy, Winkler: Reliability of Subjective Probability Forecasts of "
                              "Precipitation and Temperature, 1977",
                .example = "cairn draw reliability @roc-scores",
                .params = reliability_table,
                .params_size = sizeof(reliability_params)},
    .arguments = "[MODEL ...] DATA ...",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_CLASSES,
    .draw = reliability_draw,
};

/* -- triangle -- */

typedef struct triangle_params {
    cairn_class_scores_option scores;
    bool tuned;
    const char *weights;
} triangle_params;

static const cairn_param triangle_table[] = {
    CAIRN_PARAM_GROUP(triangle_params, scores, cairn_class_scores_group),
    CAIRN_PARAM(triangle_params, tuned, "no", NULL,
                "draw the decision lines for weights tuned on these rows"),
    CAIRN_PARAM_AS(triangle_params, weights, CAIRN_TYPE_LIST, NULL,
                   "draw the decision lines for these three weights"),
    CAIRN_PARAM_END,
};

/* Weights move the borders between the three classes: given ones, or with `tuned` those that make
 * the fewest mistakes. */
static cairn_status triangle_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const triangle_params *p = job->params;
    cairn_class_scores s;
    double *weights = NULL;
    size_t n = 3;
    CHECK(cairn_read_class_scores(ctx, &s, &p->scores, NULL, job->table, "triangle"));
    if (s.k != 3)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a triangle needs three classes; there are %zu",
                          s.k);
    if (p->weights) CHECK(cairn_list_numbers(ctx, "weights", p->weights, &weights, &n));
    if (n != 3) return cairn_fail(ctx, CAIRN_USAGE, "{weights}: three numbers, one per class");
    if (p->tuned && !weights) {
        CHECK(SCRATCH(ctx, &weights, 3));
        CHECK(cairn_reweight_classes(ctx, weights, s.scores, s.classes, s.weights, s.n, 3, NULL,
                                     NULL, NULL));
    }
    return cairn_plot_triangle(ctx, out, s.scores, s.classes, s.n, s.names, weights);
}

const cairn_calculator cairn_picture_triangle = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "triangle",
                .also = "ternary plot, simplex, three-class probabilities",
                .title = "Probability triangle",
                .summary = "Probabilities of three classes as points of an equilateral triangle, "
                           "coloured by their class, with the lines where the decision changes for "
                           "equal and for adjusted weights.",
                .references = "Flach: Machine Learning, 2012, chapter 3",
                .example = "cairn draw triangle @scores-three --tuned",
                .params = triangle_table,
                .params_size = sizeof(triangle_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_CLASSES,
    .draw = triangle_draw,
};

/* -- losses -- */

typedef struct losses_params {
    double from, to;
    int log;
} losses_params;

static const cairn_param losses_table[] = {
    CAIRN_PARAM(losses_params, from, "-2", NULL, "lowest margin"),
    CAIRN_PARAM(losses_params, to, "2", NULL, "highest margin"),
    CAIRN_PARAM_CHOICE(losses_params, log, "2", cairn_log_choices,
                       "base of the logarithm in the logistic loss"),
    CAIRN_PARAM_END,
};

static cairn_status losses_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const losses_params *p = job->params;
    if (!(p->from < p->to)) return cairn_fail(ctx, CAIRN_USAGE, "{from} must be less than {to}");
    return cairn_plot_losses(ctx, out, cairn_log_base(p->log), p->from, p->to);
}

const cairn_calculator cairn_picture_losses = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "losses",
                .also = "hinge loss, loss functions, margin",
                .title = "Losses against the margin",
                .summary =
                    "0–1, hinge, logistic, exponential, squared and truncated squared loss as "
                    "functions of the margin.",
                .references =
                    "Rosasco et al.: Are Loss Functions All the Same?, Neural Computation "
                    "16, 2004",
                .example = "cairn draw losses --from -2 --to 2",
                .params = losses_table,
                .params_size = sizeof(losses_params)},
    .arguments = "",
    .draw = losses_draw,
};
