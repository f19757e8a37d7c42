/* SPDX-License-Identifier: MIT */
/* Cost-sensitive: another decision from the same scores.
 *
 *     costs      the class of least expected cost, Σ_i p(i) · cost(i, j) over the classes i, by
 *                the probabilities of the wrapped learner; of equal ones the first class. Of two
 *                classes that is the positive one from p(+) = cost(FP) / (cost(FP) + cost(FN)) on
 *     threshold  two classes: positive when the score of the positive class is at least X
 *     tuned      two classes: X is the threshold of least cost on scores of rows that an inner
 *                resampling holds out (of most right answers when both errors cost alike). Of
 *                equally good ones the nearest to cost(FP) / (cost(FP) + cost(FN)), then the
 *                higher
 *
 * With `reject`, a row whose answer is expected to cost more than that gets none: it is rejected
 * (Chow's rule; with equal costs of 1, when the probability of the answer is below 1 − reject).
 *
 * Scores and probabilities stay as they are. Expected costs are as good as the probabilities: wrap
 * a calibrated learner. Cost: that of the wrapped learner; tuning fits one model more per split.
 */
#include "model/kept_parts.h"
#include "base/number.h"
#include "base/need.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/curves.h"
#include "stats/cost_matrix.h"
#include "wrappers/nested.h"
#include <math.h>
#include <string.h>

enum { MOST_CLASSES = 1 << 14 };

typedef struct cost_params {
    cairn_wrapper_params wrapper;
    const char *costs, *threshold, *inner;
    double cost_fn, cost_fp, reject;
} cost_params;

static const cairn_param cost_param_table[] = {
    CAIRN_WRAPPER(cost_params),
    CAIRN_PARAM(cost_params, cost_fn, "1", "[0,inf)",
                "two classes: cost of a false negative, a positive row that is missed"),
    CAIRN_PARAM(cost_params, cost_fp, "1", "[0,inf)",
                "two classes: cost of a false positive, a negative row that is taken for one"),
    CAIRN_PARAM(cost_params, costs, NULL, NULL,
                "cost of each decision, one row per actual class and one column per predicted "
                "class in the order of the classes, such as [0,10;1,0]"),
    CAIRN_PARAM(cost_params, threshold, NULL, NULL,
                "two classes: least score of the positive class that is taken as positive, or "
                "tuned = the best one for held-out rows"),
    CAIRN_PARAM(cost_params, reject, CAIRN_NOT_GIVEN, "[0,inf)",
                "cost of giving no answer: rows whose answer is expected to cost more are "
                "rejected; none is if not given"),
    CAIRN_PARAM_AS(cost_params, inner, CAIRN_TYPE_SPEC, "cv:5",
                   "inner resampling, whose held-out rows tune the threshold",
                   .when = "threshold=tuned", .names = "resampling"),
    CAIRN_PARAM_END,
};

typedef enum { RULE_COSTS, RULE_THRESHOLD, RULE_TUNED } decision_rule;

typedef struct cost_model {
    int32_t rule; /* decision_rule */
    size_t n_classes;
    double *costs; /* n_classes x n_classes, rows actual */
    int32_t positive;
    double threshold;
    double held_out;    /* TUNED: rows that were held out, by weight */
    double plain, best; /* TUNED: their mean cost by expected cost, and by the threshold */
    cairn_model *base;
} cost_model;

/* Costs are given in one of two ways; costs that are all 0 would make every decision as good as
 * any. */
static cairn_status cost_check(cairn_context *ctx, const void *values)
{
    const cost_params *p = values;
    SCOPED_SCRATCH(ctx);
    double x;
    CHECK(cairn_wrapper_check(ctx, "cost-sensitive", &p->wrapper, p->inner));
    if (p->costs && (p->cost_fn != 1 || p->cost_fp != 1))
        CHECK(
            cairn_fail(ctx, CAIRN_USAGE,
                       "cost-sensitive: {costs} says everything that {cost-fn} and {cost-fp} say; "
                       "give one or the other"));
    if (p->cost_fn == 0 && p->cost_fp == 0)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "cost-sensitive: {cost-fn} and {cost-fp} are both 0, so every decision is "
                         "as good as any other"));
    if (p->costs) CHECK(cairn_costs_read(ctx, NULL, p->costs, NULL));
    if (p->threshold && !cairn_same(p->threshold, "tuned") &&
        !cairn_number_parse(p->threshold, strlen(p->threshold), &x))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "cost-sensitive: {threshold} must be a number or tuned, not '%s'",
                         p->threshold));
    return CAIRN_OK;
}

/* -- costs -- */

/* All errors cost 1 where nothing was said; two costs are for two classes only, as else it is
 * unclear which error is meant. */
static cairn_status make_costs(cairn_context *ctx, cost_model *m, const cairn_job *job)
{
    const cost_params *p = job->params;
    m->n_classes = job->n_classes;
    m->positive = job->positive;
    CHECK(NEW_MATRIX(ctx, &m->costs, m->n_classes, m->n_classes,
                     "the cost of every class in place of every other", CAIRN_FEWER_CLASSES));
    if (p->costs) {
        double *cells;
        CHECK(cairn_costs_read(ctx, &cells, p->costs, &job->view->target->names));
        memcpy(m->costs, cells, m->n_classes * m->n_classes * sizeof *cells);
        return CAIRN_OK;
    }
    if (m->positive < 0 && (p->cost_fn != 1 || p->cost_fp != 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{cost-fn} and {cost-fp} are for two classes, '%s' has %zu; give {costs} "
                          "or name two classes",
                          job->view->target_name, m->n_classes);
    for (size_t i = 0; i < m->n_classes; i++)
        for (size_t j = 0; j < m->n_classes; j++)
            m->costs[i * m->n_classes + j] = i == j                      ? 0
                                             : m->positive < 0           ? 1
                                             : (int32_t)i == m->positive ? p->cost_fn
                                                                         : p->cost_fp;
    return CAIRN_OK;
}

/* What a wrong answer costs more than the right one, for a positive and a negative row. */
static void two_costs(const cost_model *m, double *fn, double *fp)
{
    size_t pos = (size_t)m->positive, neg = 1 - pos;
    *fn = m->costs[pos * 2 + neg] - m->costs[pos * 2 + pos];
    *fp = m->costs[neg * 2 + pos] - m->costs[neg * 2 + neg];
}

/* The probability from which on `positive` is the cheaper answer. */
static double cost_threshold(const cost_model *m)
{
    double fn, fp;
    two_costs(m, &fn, &fp);
    return fp / (fp + fn);
}

static double expected_cost(const cost_model *m, const double *p, size_t decision)
{
    double sum = 0;
    for (size_t i = 0; i < m->n_classes; i++) sum += p[i] * m->costs[i * m->n_classes + decision];
    return sum;
}

/* The expected costs of some decisions side by side: the classes that are out of the question are
 * passed over once for all of them, and the matrix is read as it lies. */
enum { SIDE_BY_SIDE = 256 };

static int32_t cheapest(const cost_model *m, const double *p)
{
    size_t best = 0;
    double least = INFINITY, sums[SIDE_BY_SIDE];
    for (size_t first = 0; first < m->n_classes; first += SIDE_BY_SIDE) {
        size_t left = m->n_classes - first, n = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE;
        for (size_t j = 0; j < n; j++) sums[j] = 0;
        for (size_t i = 0; i < m->n_classes; i++) {
            const double *row = m->costs + i * m->n_classes + first;
            if (p[i] == 0) continue;
            for (size_t j = 0; j < n; j++) sums[j] += p[i] * row[j];
        }
        if (first == 0 && isnan(sums[0])) return -1;
        for (size_t j = 0; j < n; j++)
            if (sums[j] < least) least = sums[j], best = first + j;
    }
    return (int32_t)best;
}

static int32_t decide(const cost_model *m, const double *scores)
{
    if (m->rule == RULE_COSTS) return cheapest(m, scores);
    double score = scores[m->positive];
    if (isnan(score)) return -1;
    return score >= m->threshold ? m->positive : 1 - m->positive;
}

/* The answer, or -2 where giving none is cheaper. */
static int32_t decide_or_reject(const cost_model *m, const double *scores, double reject)
{
    int32_t code = decide(m, scores);
    if (code < 0 || isnan(reject)) return code;
    return expected_cost(m, scores, (size_t)code) > reject ? -2 : code;
}

/* -- the threshold -- */

/* Mean cost of the decisions about held-out rows. */
static double mean_cost(const cost_model *m, const cairn_held_out *held)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < held->judged.n; i++) {
        int32_t code = decide(m, held->judged.scores + i * held->judged.n_classes);
        sum +=
            held->judged.weights[i] *
            m->costs[(size_t)held->judged.actual[i] * m->n_classes + (size_t)(code < 0 ? 0 : code)];
        total += held->judged.weights[i];
    }
    return sum / total;
}

static void show_tuning(cairn_report *out, const cost_model *m, const cairn_ranking *r,
                        cairn_operating_context context)
{
    if (!out) return;
    cairn_report_paragraph(out, "One threshold between every two neighbouring scores.");
    cairn_report_formula(out, "cost = FN · cost(FN) + FP · cost(FP)");
    cairn_report_table_of(out, "Thresholds", 0, "rrrr", "score at least", "FN", "FP", "cost");
    for (size_t s = 0; s <= r->n && (s < 1000 || cairn_report_row_wanted(out)); s++) {
        cairn_curve_split at = cairn_split_at(r, context, s);
        double fn = r->positives - at.tp;
        if (at.threshold == m->threshold) cairn_report_row_mark(out);
        cairn_report_cells(out, "-:5", at.threshold, fn, at.fp,
                           fn * context.positive + at.fp * context.negative);
    }
    cairn_report_table_end(out);
}

/* Of equally cheap thresholds the one nearest to that of expected cost is taken, so that tuning
 * moves no farther than the rows ask. */
static cairn_status tune(cairn_context *ctx, cost_model *m, const cairn_job *job,
                         const cairn_nested *nested, const char *by)
{
    cairn_held_out held;
    cairn_ranking ranking;
    cairn_curve_split *splits;
    size_t n;
    double fn, fp;
    CHECK(cairn_hold_out(ctx, &held, nested, by));
    CHECK(cairn_judged_ranking(ctx, &ranking, &held.judged, (size_t)m->positive));
    two_costs(m, &fn, &fp);
    if (!(fn > 0) || !(fp >= 0))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "cost-sensitive: a threshold can only be tuned when a "
                         "false negative costs more than a right answer"));
    cairn_operating_context context = cairn_operating_context_of(&ranking, fn, fp, 0);
    CHECK(cairn_best_splits(ctx, &splits, &n, &ranking, context));
    size_t best = 0;
    double wanted = cost_threshold(m);
    for (size_t i = 1; i < n; i++)
        if (fabs(splits[i].threshold - wanted) < fabs(splits[best].threshold - wanted)) best = i;
    m->held_out = ranking.positives + ranking.negatives;
    m->rule = RULE_COSTS;
    m->plain = mean_cost(m, &held);
    m->rule = RULE_TUNED;
    m->threshold = splits[best].threshold;
    m->best = mean_cost(m, &held);
    cairn_report_step_begin(job->steps, "cost-sensitive: tune the threshold on held-out scores");
    show_tuning(job->steps, m, &ranking, context);
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

static cairn_status set_rule(cairn_context *ctx, cost_model *m, const cairn_job *job,
                             const cairn_nested *nested)
{
    const cost_params *p = job->params;
    m->rule = RULE_COSTS;
    if (!p->threshold) return CAIRN_OK;
    if (m->positive < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{threshold} is for two classes, '%s' has %zu",
                          job->view->target_name, m->n_classes);
    if (cairn_same(p->threshold, "tuned")) return tune(ctx, m, job, nested, p->inner);
    m->rule = RULE_THRESHOLD;
    if (!cairn_number_parse(p->threshold, strlen(p->threshold), &m->threshold))
        return cost_check(ctx, p);
    return CAIRN_OK;
}

/* -- showing -- */

static const char *class_name(const cairn_job *job, size_t class)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    return at < 0 ? "?" : cairn_map_key(&job->schema->fields[at].names, class);
}

static void show_costs(cairn_report *out, const cost_model *m, const cairn_job *job)
{
    enum { MOST_SHOWN = 20 };
    size_t k = m->n_classes < MOST_SHOWN ? m->n_classes : MOST_SHOWN;
    cairn_report_table_of(out, "Costs, rows actual, columns predicted", 0, "l", "");
    for (size_t j = 0; j < k; j++) cairn_report_column(out, class_name(job, j), 'r');
    for (size_t i = 0; i < k; i++) {
        cairn_report_cell(out, class_name(job, i));
        for (size_t j = 0; j < k; j++)
            cairn_report_cell_number(out, m->costs[i * m->n_classes + j], 0, "cost.%s.%s",
                                     cairn_report_key(out, class_name(job, i)),
                                     cairn_report_key(out, class_name(job, j)));
    }
    cairn_report_table_end(out);
    if (k < m->n_classes)
        cairn_report_note(out, "%zu more classes are not shown.", m->n_classes - k);
}

/* Of two classes the expected cost is a threshold too, which is easier to read than a matrix. */
static void show_rule(cairn_report *out, const cost_model *m, const cairn_job *job)
{
    static const char *const names[] = {"least expected cost", "fixed threshold",
                                        "tuned threshold"};
    cairn_report_word(out, "decision by", names[m->rule], "decision.rule");
    if (m->rule == RULE_COSTS) {
        cairn_report_formula(out, "answer = argmin_j Σ_i p(i) · cost(i, j)");
        if (m->positive >= 0)
            cairn_report_value(out, "positive from this probability on", cost_threshold(m),
                               "decision.threshold");
        return;
    }
    cairn_report_formula(out, "%s when its score ≥ threshold",
                         class_name(job, (size_t)m->positive));
    cairn_report_value(out, "threshold", m->threshold, "decision.threshold");
    if (m->rule != RULE_TUNED) return;
    cairn_report_value(out, "weight of the held-out rows", m->held_out, "decision.held_out");
    cairn_report_value(out, "their mean cost by expected cost", m->plain, "decision.cost.expected");
    cairn_report_value(out, "their mean cost by the threshold", m->best, "decision.cost.tuned");
}

static const cairn_model *cost_base(const void *model)
{
    return ((const cost_model *)model)->base;
}

static void cost_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cost_model *m = model;
    const cost_params *p = job->params;
    cairn_report_word(out, "base", p->wrapper.base, "decision.base");
    show_costs(out, m, job);
    show_rule(out, m, job);
    if (!isnan(p->reject)) {
        cairn_report_formula(out, "no answer when Σ_i p(i) · cost(i, answer) > cost of none");
        cairn_report_value(out, "cost of no answer", p->reject, "decision.reject");
    }
    cairn_nested_describe(out, m->base, "base", "The wrapped model");
}

/* -- the learner -- */

static cairn_status cost_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cost_model *m = model;
    const cost_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    CHECK(cairn_nested_open(ctx, &nested, "cost-sensitive", &p->wrapper, job, true));
    CHECK(make_costs(ctx, m, job));
    CHECK(set_rule(ctx, m, job, &nested));
    return cairn_nested_fit(ctx, &m->base, &nested);
}

/* Least expected cost takes the square of the number of classes for every row. */
enum { DECISION_BLOCK = 64 };

typedef struct decision_work {
    const cost_model *model;
    const double *scores; /* rows x classes */
    double reject;
    int32_t *codes;
} decision_work;

static void decide_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const decision_work *w = data;
    for (size_t i = begin; i < end; i++)
        w->codes[i] = decide_or_reject(w->model, w->scores + i * w->model->n_classes, w->reject);
}

/* Only decisions differ from the base: the scores are handed on as they are. */
static cairn_status cost_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cost_model *m = model;
    const cost_params *p = job->params;
    SCOPED(cairn_prediction_clear) cairn_prediction base = {0};
    CHECK(cairn_nested_ask(ctx, &base, m->base, job, true));
    decision_work work = {m, base.scores, p->reject, out->codes};
    double cells = (double)m->n_classes * (double)m->n_classes * (double)out->n_rows;
    CHECK(cairn_blocks_sized(ctx, out->n_rows, DECISION_BLOCK, cells, decide_block, &work));
    out->codes_set = true;
    if (out->scores)
        memcpy(out->scores, base.scores, out->n_rows * m->n_classes * sizeof *out->scores);
    return CAIRN_OK;
}

/* The matrix of costs, the threshold and the limit of rejecting go into one operation, which
 * decides like decide_block. */
static cairn_status cost_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cost_model *m = model;
    const cost_params *p = job->params;
    double pair[2] = {m->threshold, p->reject};
    size_t k = m->n_classes;
    int32_t *in;
    cairn_operation *op;
    CHECK(cairn_program_member(out, m->base));
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = out->answer.scores + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_DECIDE, in, k, 1, &op));
    op->sizes[0] = m->rule != RULE_COSTS;
    op->sizes[1] = m->positive < 0 ? 0 : m->positive;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->costs, cairn_product(k, k)));
    CHECK(cairn_op_copy_numbers(out, op, 1, pair, 2));
    out->answer.code = op->out;
    return CAIRN_OK;
}

static const cairn_kept cost_keeps[] = {
    KEEP_CHOICE(cost_model, rule, RULE_COSTS, RULE_TUNED, "there is no such decision rule"),
    KEEP_SIZE(cost_model, n_classes, MOST_CLASSES, .name = "classes"),
    KEEP_ARRAYS(cost_model, "n_classes*n_classes", costs),
    KEEP_CHOICE(cost_model, positive, -1, 1, "there is no such decision rule"),
    KEEP(cost_model, threshold, held_out, plain, best),
    KEEP_PART(cost_model, base, .part = &cairn_kept_model),
    KEEP_END,
};

static cairn_status cost_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cost_model *m = model;
    if (m->positive >= 0 ? m->n_classes != 2 : m->rule != RULE_COSTS)
        return cairn_archive_damaged(a, "there is no such decision rule");
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the costs are of other classes than the target");
    return cairn_nested_check_loaded(a, m->base, job, true);
}

static cairn_model_size cost_size(const void *model)
{
    const cost_model *m = model;
    cairn_model_size size = cairn_model_size_of(m->base);
    size.parameters += m->rule == RULE_TUNED;
    return size;
}

enum { COST_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE | CAIRN_MAY_ABSTAIN };

static unsigned cost_traits(const void *params)
{
    return cairn_wrapper_traits(COST_TRAITS, &((const cost_params *)params)->wrapper);
}

const cairn_learner cairn_cost_sensitive = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "cost-sensitive",
              .also = "cost-sensitive learning, reject option, threshold moving",
              .title = "Decisions by cost or threshold",
              .summary =
                  "Wraps a learner and decides anew from its scores: the class of least expected "
                  "cost when errors cost differently, or, for two classes, the positive one from "
                  "a threshold on, which may be tuned on scores of rows that an inner resampling "
                  "holds out. With a cost of no answer, rows whose answer is expected to cost more "
                  "are rejected. Scores are not changed. Expected costs need honest probabilities: "
                  "add --with-calibration. cairn fit LEARNER DATA --decide costs --cost-fn 5 does "
                  "the same.",
              .references = "Elkan, The foundations of cost-sensitive learning, IJCAI (2001)",
              .example = "cairn fit cost-sensitive @titanic --learner tree --cost-fn 5",
              .params = cost_param_table,
              .params_size = sizeof(cost_params),
              .check = cost_check},
    .traits = COST_TRAITS,
    CAIRN_WRAPPER_RECORD(cost),
    .size = cost_size,
    .base = cost_base,
    .traits_with = cost_traits,
};
