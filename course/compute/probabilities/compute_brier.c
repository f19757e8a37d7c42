/* SPDX-License-Identifier: MIT */
/* cairn compute brier: how good probabilities are. Squared error and cross-entropy, and the squared
 * error taken apart into calibration and refinement, segment by segment. */
#include "typed/class_scores.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/probabilities.h"
#include "typed/ranked.h"
#include "evaluate/judge.h"
#include "plots/calibration_plot.h"
#include "stats/distributions.h"
#include "stats/losses.h"
#include "stats/probability_loss.h"
#include "stats/smoothing.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BRIER_HALF, BRIER_FULL };

typedef struct brier_params {
    const char *actual;
    cairn_list vector, estimates;
    const char *segments, *positive;
    cairn_smoothing_option smoothing;
    cairn_class_scores_option scores;
    int brier, log;
    double level;
} brier_params;

static const cairn_choice brier_choices[] = {
    {"half", BRIER_HALF, "half the squared distance: (p - I)² for two classes"},
    {"full", BRIER_FULL, "the whole squared distance"},
    {NULL, 0, NULL},
};

static const cairn_param brier_table[] = {
    CAIRN_PARAM_CELLS(brier_params, vector, PROBABILITIES, NULL, NULL,
                      "one probability vector, typed, with --actual"),
    CAIRN_PARAM(brier_params, actual, NULL, NULL,
                "number of the actual class of --vector, the first is 1", .when = "vector"),
    CAIRN_PARAM(brier_params, segments, NULL, NULL,
                "typed segments (leaves) of two classes: [20+,40-][10+,5-][20+,5-]"),
    CAIRN_PARAM_CELLS(
        brier_params, estimates, NUMBERS, NULL, "[0,1]",
        "probability of the positive class predicted for each segment; from its counts "
        "if not given",
        .when = "segments"),
    CAIRN_PARAM(brier_params, positive, NULL, NULL,
                "with one column of probabilities: the class that they are of"),
    CAIRN_PARAM_GROUP(brier_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_GROUP(brier_params, scores, cairn_class_scores_group),
    CAIRN_PARAM_CHOICE(brier_params, brier, "half", brier_choices,
                       "squared error of a probability vector"),
    CAIRN_PARAM_CHOICE(brier_params, log, "e", cairn_log_choices,
                       "base of the logarithm in the log loss"),
    CAIRN_PARAM(brier_params, level, "0.95", "(0,1)", "level of the intervals of the means"),
    CAIRN_PARAM_END,
};

static double factor_of(const brier_params *p)
{
    return p->brier == BRIER_HALF ? 0.5 : 1;
}

/* -- one vector -- */

/* One prediction taken apart: the distance from certainty, class by class. */
static cairn_status one_vector(cairn_context *ctx, cairn_report *out, const brier_params *p,
                               bool steps)
{
    const double *vector = p->vector.values;
    double *squares, actual = NAN;
    size_t k = p->vector.n;
    CHECK(SCRATCH(ctx, &squares, k));
    if (!p->actual || !cairn_number_parse(p->actual, strlen(p->actual), &actual) ||
        !(actual >= 1 && actual <= (double)k) || actual != floor(actual))
        return cairn_fail(ctx, CAIRN_USAGE, "{actual}: the number of a class, from 1 to %zu", k);
    size_t class = (size_t)actual - 1;
    cairn_report_table_of(out, "Distance from certainty", 0, "rrrr", "class", "p", "I", "(p − I)²");
    for (size_t i = 0; i < k; i++) {
        double away = vector[i] - (i == class);
        cairn_report_cells(out, NULL, i + 1, vector[i]);
        cairn_report_cellf(out, "%d", i == class);
        cairn_report_cell_number(out, away * away, 0, "square%zu", i + 1);
        squares[i] = away * away;
    }
    cairn_report_value(
        out, p->brier == BRIER_HALF ? "squared error (half the sum)" : "squared error (the sum)",
        cairn_squared_loss(vector, k, class, factor_of(p)), "squared_error");
    cairn_report_value(out, "log loss", cairn_log_loss(vector, class, cairn_log_base(p->log), 0),
                       "log_loss");
    if (!steps) return CAIRN_OK;
    cairn_report_step_begin(out, "The sums");
    cairn_report_worked_sum(out, "Σ (p − I)²", "#", squares, 1, k,
                            cairn_squared_loss(vector, k, class, 1));
    cairn_report_worked(out, "log loss", "−log p(class) = −log # = #", vector[class],
                        cairn_log_loss(vector, class, cairn_log_base(p->log), 0));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- segments -- */

typedef struct loss_total {
    cairn_segment_loss sums;
    double log_loss;
    double squared_squares, log_squares; /* sums of the squared losses of the rows */
} loss_total;

static void segment_heads(cairn_report *out, const char *const *names, size_t k)
{
    static const char *const heads[] = {"squared error", "calibration", "refinement"};
    cairn_report_table_of(out, "Segments", 0, "r", "no.");
    for (size_t c = 0; c < k; c++) cairn_report_column(out, names[c], 'r');
    for (size_t c = 0; c < k; c++) {
        char head[80];
        snprintf(head, sizeof head, "p(%.60s)", names[c]);
        if (k > 2 || c == 0) cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < 3; i++) cairn_report_column(out, heads[i], 'r');
}

/* One line, added to the totals. With two classes the first is the positive one. */
static void show_segment(cairn_report *out, loss_total *total, const cairn_probability_segment *s,
                         size_t i, size_t k, double factor, double base)
{
    cairn_segment_loss loss = cairn_segment_loss_of(s, k, factor);
    total->sums.weight += loss.weight;
    total->sums.squared += loss.squared;
    total->sums.calibration += loss.calibration;
    total->sums.refinement += loss.refinement;
    for (size_t c = 0; c < k; c++) {
        if (!(s->counts[c] > 0)) continue;
        double log_loss = cairn_log_loss(s->predicted, c, base, 0);
        double squared = cairn_squared_loss(s->predicted, k, c, factor);
        total->log_loss += s->counts[c] * log_loss;
        total->log_squares += s->counts[c] * log_loss * log_loss;
        total->squared_squares += s->counts[c] * squared * squared;
    }
    if (!cairn_report_row_wanted(out)) return;
    cairn_report_cells(out, NULL, i + 1, cairn_cell_row(s->counts, k));
    for (size_t c = 0; c < k; c++)
        if (k > 2 || c == 0)
            cairn_report_cell_number(out, s->predicted[c], 0, "segment%zu.p%zu", i + 1, c + 1);
    cairn_report_prefix(out, "segment%zu", i + 1);
    cairn_report_cells(out, "@.squared_error @.calibration @.refinement", loss.squared,
                       loss.calibration, loss.refinement);
}

/* One term of each part of a segment's loss for every class, with the numbers put in. */
static void work_segment(cairn_report *out, const cairn_probability_segment *s, size_t i, size_t k,
                         double factor)
{
    enum { MOST_CLASSES = 10 };
    double shares[2 * MOST_CLASSES], predicted[2 * MOST_CLASSES];
    cairn_segment_loss loss = cairn_segment_loss_of(s, k, factor);
    if (k > MOST_CLASSES || !(loss.weight > 0)) return;
    for (size_t c = 0; c < k; c++) {
        double q = s->counts[c] / loss.weight;
        predicted[2 * c] = s->predicted[c], predicted[2 * c + 1] = q;
        shares[2 * c] = q, shares[2 * c + 1] = q;
    }
    cairn_report_step_begin(out, "Segment %zu", i + 1);
    for (size_t c = 0; c < k; c++)
        cairn_report_worked(out, NULL, "ṗ = # / # = #, predicted p̂ = #", s->counts[c], loss.weight,
                            shares[2 * c], s->predicted[c]);
    cairn_report_worked_sum(out, "Σ (p̂ − ṗ)²", "(# − #)²", predicted, 2, k,
                            loss.calibration / (factor * loss.weight));
    cairn_report_worked(out, "calibration",
                        factor < 1 ? "|S|/2 · Σ = #/2 · # = #" : "|S| · Σ = # · # = #", loss.weight,
                        loss.calibration / (factor * loss.weight), loss.calibration);
    cairn_report_worked_sum(out, "Σ ṗ (1 − ṗ)", "# · (1 − #)", shares, 2, k,
                            loss.refinement / (factor * loss.weight));
    cairn_report_worked(out, "refinement",
                        factor < 1 ? "|S|/2 · Σ = #/2 · # = #" : "|S| · Σ = # · # = #", loss.weight,
                        loss.refinement / (factor * loss.weight), loss.refinement);
    cairn_report_worked(out, "squared error", "calibration + refinement = # + # = #",
                        loss.calibration, loss.refinement, loss.squared);
    cairn_report_step_end(out);
}

static void work_totals(cairn_report *out, const loss_total *t)
{
    double n = t->sums.weight;
    cairn_report_step_begin(out, "The means");
    cairn_report_worked(out, "Brier score", "squared error / rows = # / # = #", t->sums.squared, n,
                        t->sums.squared / n);
    cairn_report_worked(out, "calibration", "# / # = #", t->sums.calibration, n,
                        t->sums.calibration / n);
    cairn_report_worked(out, "refinement", "# / # = #", t->sums.refinement, n,
                        t->sums.refinement / n);
    cairn_report_worked(out, "log loss", "−Σ log p(class) / rows = # / # = #", t->log_loss, n,
                        t->log_loss / n);
    cairn_report_step_end(out);
}

enum { MOST_WORKED = 10 };

/* The mean over the rows, by Student's t. */
static void mean_interval(cairn_report *out, double sum, double squares, double n, double level,
                          const char *name)
{
    double mean = sum / n, error = sqrt(fmax(0, squares / n - mean * mean) / (n - 1));
    if (!(n > 1) || isinf(sum)) return;
    double half = cairn_t_quantile(0.5 + level / 2, n - 1) * error;
    cairn_report_interval(out, (cairn_interval){fmax(0, mean - half), mean + half}, level, NULL,
                          name);
}

static void show_totals(cairn_report *out, const loss_total *t, double level)
{
    double n = t->sums.weight;
    cairn_report_value(out, "calibration loss, total", t->sums.calibration, "calibration.total");
    cairn_report_value(out, "refinement loss, total", t->sums.refinement, "refinement.total");
    cairn_report_value(out, "squared error, total", t->sums.squared, "squared_error.total");
    cairn_report_value(out, "mean squared error (Brier score)", t->sums.squared / n, "mse");
    mean_interval(out, t->sums.squared, t->squared_squares, n, level, "mse");
    cairn_report_value(out, "  of it calibration", t->sums.calibration / n, "calibration");
    cairn_report_value(out, "  of it refinement", t->sums.refinement / n, "refinement");
    cairn_report_value(out, "mean log loss", t->log_loss / n, "log_loss");
    mean_interval(out, t->log_loss, t->log_squares, n, level, "log_loss");
    if (isinf(t->log_loss))
        cairn_report_note(out, "A class that was called impossible did occur: the log loss is "
                               "infinite. {smooth} keeps estimates away from 0.");
}

/* Segments have equal predictions, by smoothing of their counts or as given. */
static cairn_status typed_segments(cairn_context *ctx, cairn_report *out, const brier_params *p,
                                   bool steps)
{
    OWNED(cairn_report_free) cairn_report *work = NULL;
    cairn_ranked ranked;
    cairn_smoothing smoothing;
    loss_total total = {0};
    const double *given = p->estimates.values;
    static const char *const names[] = {"positives", "negatives"};
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth));
    CHECK(cairn_read_one_ranked(ctx, &ranked, &(cairn_ranked_option){.segments = p->segments}, NULL,
                                "compute brier"));
    if (given)
        CHECK(cairn_list_fits(ctx, &p->estimates, "estimates", ranked.ranking.n, "segments"));
    if (steps) CHECK(cairn_report_new(ctx, &work));
    segment_heads(out, names, 2);
    for (size_t i = 0; i < ranked.ranking.n; i++) {
        const cairn_segment *s = &ranked.ranking.segments[i];
        double counts[2] = {s->positives, s->negatives}, predicted[2];
        cairn_smooth_counts(predicted, smoothing, counts, 2, NULL);
        if (given) predicted[0] = given[i], predicted[1] = 1 - given[i];
        show_segment(out, &total, &(cairn_probability_segment){predicted, counts}, i, 2,
                     factor_of(p), cairn_log_base(p->log));
        if (work && i < MOST_WORKED)
            work_segment(work, &(cairn_probability_segment){predicted, counts}, i, 2, factor_of(p));
    }
    show_totals(out, &total, p->level);
    if (work) work_totals(work, &total);
    if (work) cairn_report_append(out, work, NULL);
    return CAIRN_OK;
}

/* -- a table -- */

/* Between 0 and 1, and 1 together: other numbers have no squared error of this kind. */
static cairn_status check_probabilities(cairn_context *ctx, const cairn_class_scores *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        char text[CAIRN_NUMBER_SIZE];
        for (size_t c = 0; c < s->k; c++) {
            double p = s->scores[i * s->k + c];
            if (p < 0 || p > 1)
                return cairn_fail(ctx, CAIRN_BAD_DATA, "row %zu: '%s' is no probability (0 to 1)",
                                  i + 1, s->columns[c]);
            sum += p;
        }
        if (isnan(sum) || fabs(sum - 1) <= 1e-6) continue;
        cairn_number_format(text, sum, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu: the probabilities of the classes add up to %s, not to 1", i + 1,
                          text);
    }
    return CAIRN_OK;
}

/* Rows with the same vector of probabilities are one segment, on which calibration and
 * refinement are defined. */
static cairn_status from_table(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const brier_params *p = job->params;
    cairn_class_scores s;
    cairn_probability_quality q;
    loss_total total = {0};
    cairn_figure *figure;
    CHECK(cairn_read_class_scores(ctx, &s, &p->scores, p->positive, job->table, "brier"));
    CHECK(check_probabilities(ctx, &s));
    CHECK(cairn_probability_quality_of(ctx, &q, s.scores, s.classes, s.weights, s.n, s.k,
                                       factor_of(p), cairn_log_base(p->log), 0));
    segment_heads(out, s.names, s.k);
    for (size_t i = 0; i < q.n_segments; i++)
        show_segment(out, &total, &q.segments[i], i, s.k, factor_of(p), cairn_log_base(p->log));
    show_totals(out, &total, p->level);
    cairn_report_value(out, "segments (different vectors)", (double)q.n_segments, "segments");
    for (size_t i = 0; job->steps && i < q.n_segments && i < MOST_WORKED; i++)
        work_segment(out, &q.segments[i], i, s.k, factor_of(p));
    if (job->steps) work_totals(out, &total);
    CHECK(cairn_plot_reliability(ctx, &figure, s.scores, s.classes, s.weights, s.n, s.k, s.names,
                                 s.positive, 10));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status brier_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const brier_params *p = job->params;
    cairn_report_heading(out, 1, "Quality of probabilities");
    cairn_report_formula(out, p->brier == BRIER_HALF ? "squared error of a row = ½ Σ (pᵢ − Iᵢ)²"
                                                     : "squared error of a row = Σ (pᵢ − Iᵢ)²");
    cairn_report_formula(out, p->brier == BRIER_HALF
                                  ? "of a segment S = |S|/2 Σ (p̂ᵢ − ṗᵢ)² + |S|/2 Σ ṗᵢ(1 − ṗᵢ)"
                                  : "of a segment S = |S| Σ (p̂ᵢ − ṗᵢ)² + |S| Σ ṗᵢ(1 − ṗᵢ)");
    if (p->vector.text) return one_vector(ctx, out, p, job->steps);
    if (p->segments) return typed_segments(ctx, out, p, job->steps);
    if (job->table) return from_table(ctx, out, job);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "'compute brier' needs {segments}, {vector} with {actual}, "
                      "or DATA with probabilities and classes");
}

const cairn_calculator cairn_compute_brier = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "brier",
              .also = "Brier score, calibration loss, refinement loss",
              .about = "mean squared probability error",
              .title = "Quality of probabilities",
              .summary =
                  "Squared error (Brier score) and cross-entropy (log loss) of predicted "
                  "probabilities, and the squared error of every segment (rows with the same "
                  "prediction, such as the leaves of a tree) taken apart: calibration loss, which "
                  "better numbers would remove, and refinement loss, which only a better model "
                  "would.",
              .references =
                  "Brier: Verification of Forecasts Expressed in Terms of Probability, "
                  "Monthly Weather Review 78, 1950; Murphy: A New Vector Partition of the "
                  "Probability Score, 1973",
              .example = "cairn compute brier --segments '[20+,40-][10+,5-][20+,5-]' --smooth "
                         "laplace",
              .params = brier_table,
              .params_size = sizeof(brier_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_CLASSES,
    .run = brier_run,
};
