/* SPDX-License-Identifier: MIT */
/* Logistic regression for two classes, softmax regression for more.
 *
 * Problem: minimise the cross-entropy Σ w_i (−ln p(class of row i)), p_k ∝ exp(w_k·x), plus a
 * penalty λ (mix Σ |w| + (1 − mix) Σ w²/2) that spares the intercepts. A row weight counts as so
 * many equal rows.
 *
 * Method: Newton's method with the whole Hessian for up to a thousand weights (logistic_newton.c),
 * else Newton's method whose linear systems are solved by conjugate gradients (logistic_cg.c), or,
 * on request, gradient ascent row by row (logistic_ascent.c). The choice depends on the data only
 * and the first two end at the same minimum.
 *
 * Choices: of two classes the positive one has the vector of weights. Of more classes the last one
 * is pinned to 0 when there is no penalty; with one, all classes have a vector and the penalty
 * settles what is open. Classes without a row get the probability 0. Ties between classes go to the
 * first class. When the classes can be separated and there is no penalty, no optimum exists: it is
 * said so, and a ridge is used unless told otherwise: of strength 1 in the spreads of the columns,
 * or as much weaker as it takes to have all rows right.
 *
 * Sources: Bishop, Pattern Recognition and Machine Learning (2006), 4.3; Albert and Anderson, On
 * the existence of maximum likelihood estimates (1984); Lin, Weng and Keerthi, Trust region Newton
 * methods for large-scale logistic regression (2008); Friedman, Hastie and Tibshirani,
 * Regularization paths (2010). */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_forms.h"
#include "learners/linear/logistic_path.h"
#include "learners/linear/logistic_steps.h"
#include "parallel/parallel.h"
#include "rows/slopes.h"
#include "stats/class_weights.h"
#include <math.h>
#include <string.h>

/* Logistic and softmax regression as a program: scores of the classes, then probabilities. */

cairn_status cairn_logistic_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_logistic_model *m = model;
    int32_t first = 0, *in;
    cairn_operation *op;
    CHECK(cairn_class_planes_lower_scores(m, out, &first));
    CHECK(SCRATCH(out->ctx, &in, m->n_vectors + 1));
    for (size_t k = 0; k < m->n_vectors; k++) in[k] = first + (int32_t)k;
    bool two = m->n_vectors == 1 && m->pinned;
    CHECK(cairn_program_add(out, two ? CAIRN_OP_LOGISTIC : CAIRN_OP_SOFTMAX, in, m->n_vectors,
                            job->n_classes, &op));
    if (!two) op->sizes[0] = m->pinned;
    op->fused = !two;
    CHECK(cairn_op_copy_codes(out, op, 0, m->classes, m->n_present));
    out->answer.scores = op->out;
    return CAIRN_OK;
}

/* Logistic regression in the model file: the history of the weights. */

static cairn_status archive_shares(cairn_archive *a, cairn_logistic_history *history,
                                   const cairn_logistic_model *m)
{
    CHECK(cairn_archive_reals(a, "shares", &history->shares, m->n_present));
    return cairn_archive_reals(a, "means", &history->means, m->n_present);
}

static cairn_status archive_errors(cairn_archive *a, cairn_logistic_history *history,
                                   const cairn_logistic_model *m)
{
    bool errors = history->errors != NULL;
    CHECK(cairn_archive_bool(a, "has_errors", &errors));
    if (errors)
        CHECK(cairn_archive_reals(a, "errors", &history->errors,
                                  cairn_product(m->n_terms + 1, m->n_vectors)));
    CHECK(cairn_archive_bytes(a, "aliased", &history->aliased, m->n_terms));
    return cairn_archive_text(a, "relations", &history->relations);
}

static cairn_status archive_way(cairn_archive *a, cairn_logistic_history *history)
{
    CHECK(cairn_archive_int(a, "solver", &history->solver));
    CHECK(cairn_archive_int(a, "penalty", &history->penalty));
    if (history->solver < CAIRN_LOGISTIC_NEWTON || history->solver > CAIRN_LOGISTIC_GIVEN ||
        history->penalty < CAIRN_PENALTY_NONE || history->penalty > CAIRN_PENALTY_ELASTIC)
        CHECK(cairn_archive_damaged(a, "there is no such solver or penalty"));
    CHECK(cairn_archive_bool(a, "forced", &history->forced));
    CHECK(cairn_archive_real(a, "ridge", &history->ridge));
    CHECK(cairn_archive_real(a, "lasso", &history->lasso));
    CHECK(cairn_archive_int(a, "separation", &history->separation));
    return cairn_archive_text(a, "separators", &history->separators);
}

static cairn_status archive_course(cairn_archive *a, cairn_logistic_history *history)
{
    CHECK(cairn_archive_real(a, "total", &history->total));
    CHECK(cairn_archive_real(a, "loss", &history->loss));
    CHECK(cairn_archive_real(a, "objective", &history->objective));
    CHECK(cairn_archive_real(a, "null_loss", &history->null_loss));
    CHECK(cairn_archive_real(a, "accuracy", &history->accuracy));
    CHECK(cairn_archive_real(a, "moment", &history->moment));
    CHECK(cairn_archive_size(a, "iterations", &history->iterations, SIZE_MAX));
    CHECK(cairn_archive_size(a, "products", &history->products, SIZE_MAX));
    CHECK(cairn_archive_bool(a, "converged", &history->converged));
    CHECK(cairn_archive_real(a, "expected", &history->expected));
    CHECK(cairn_archive_size(a, "n_curve", &history->n_curve, 20000000));
    return cairn_archive_reals(a, "curve", &history->curve, history->n_curve);
}

static cairn_status archive_sample(cairn_archive *a, cairn_logistic_history *history,
                                   const cairn_logistic_model *m)
{
    CHECK(cairn_archive_size(a, "n_sample", &history->n_sample, CAIRN_LOGISTIC_SAMPLE));
    if (history->n_sample == 0) return CAIRN_OK;
    if (m->n_terms != 1 || m->n_vectors != 1)
        CHECK(cairn_archive_damaged(a, "there are rows of a single term, but not one term"));
    CHECK(cairn_archive_reals(a, "inputs", &history->inputs, history->n_sample));
    return cairn_archive_reals(a, "outcomes", &history->outcomes, history->n_sample);
}

/* The path; what it traces must be weights of the model. */
static cairn_status archive_path(cairn_archive *a, cairn_logistic_history *history,
                                 const cairn_logistic_model *m)
{
    bool held = history->path_held != NULL;
    CHECK(cairn_archive_size(a, "n_path", &history->n_path, 1000));
    size_t n = history->n_path;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "path_strengths", &history->path_strengths, n));
    CHECK(cairn_archive_reals(a, "path_losses", &history->path_losses, n));
    CHECK(cairn_archive_reals(a, "path_sizes", &history->path_sizes, n));
    CHECK(cairn_archive_bool(a, "path_has_held", &held));
    if (held) CHECK(cairn_archive_reals(a, "path_held", &history->path_held, n));
    if (held) CHECK(cairn_archive_reals(a, "path_errors", &history->path_errors, n));
    CHECK(cairn_archive_size(a, "n_traced", &history->n_traced, 64));
    CHECK(cairn_archive_ints(a, "traced", &history->traced, history->n_traced));
    for (size_t i = 0; i < history->n_traced; i++)
        if (history->traced[i] < 0 || (size_t)history->traced[i] >= m->n_terms * m->n_vectors)
            CHECK(cairn_archive_damaged(a, "the path traces weight %d", history->traced[i]));
    CHECK(cairn_archive_reals(a, "traces", &history->traces, cairn_product(n, history->n_traced)));
    CHECK(cairn_archive_size(a, "chosen", &history->chosen, n));
    if (held && history->chosen == n)
        CHECK(cairn_archive_damaged(a, "no strength of the path was chosen"));
    return CAIRN_OK;
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_logistic_history *history = data;
    CHECK(archive_shares(a, history, model));
    CHECK(archive_errors(a, history, model));
    CHECK(archive_way(a, history));
    CHECK(archive_course(a, history));
    CHECK(archive_sample(a, history, model));
    return archive_path(a, history, model);
}

/* Files before version 10. */
static cairn_status archive_together(cairn_archive *a, void *model, void *data)
{
    cairn_logistic_history *history = data;
    size_t n_rows;
    CHECK(cairn_class_planes_archive_classes(a, model));
    CHECK(archive_shares(a, history, model));
    CHECK(cairn_class_planes_archive_weights(a, model));
    CHECK(archive_errors(a, history, model));
    CHECK(archive_way(a, history));
    CHECK(cairn_archive_size(a, "n_rows", &n_rows, SIZE_MAX));
    CHECK(archive_course(a, history));
    CHECK(archive_sample(a, history, model));
    return archive_path(a, history, model);
}

/* Leaves an empty history, which may be cleared again or filled. */
static void clear_history(void *data)
{
    cairn_logistic_history *history = data;
    FREE_EACH(history->errors, history->aliased, history->relations, history->separators,
              history->shares, history->means, history->curve, history->path_strengths,
              history->path_losses, history->path_sizes, history->path_held, history->path_errors,
              history->traced, history->traces, history->inputs, history->outcomes);
    *history = (cairn_logistic_history){0};
}

const cairn_history cairn_logistic_histories = {
    .size = sizeof(cairn_logistic_history),
    .since = 10,
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_history,
    .clear = clear_history,
    .archive_together = archive_together,
};

enum {
    NEWTON_WEIGHTS = 1000, /* most weights for a whole Hessian */
    MOST_SEPARATORS = 10
};

/* How weak a ridge may become so that classes that can be told apart are. */
static const double LEAST_RIDGE = 1e-6;

static const cairn_choice penalties[] = {
    {"auto", CAIRN_PENALTY_AUTO,
     "l2 when a strength is given, for bags, and for more terms than rows; else none"},
    {"none", CAIRN_PENALTY_NONE, "maximum likelihood, with standard errors"},
    {"l2", CAIRN_PENALTY_L2, "ridge: λ Σ w²/2"},
    {"l1", CAIRN_PENALTY_L1, "lasso: λ Σ |w|, which sets weights to 0"},
    {"elastic", CAIRN_PENALTY_ELASTIC, "both, by --mix"},
    {0},
};
static const cairn_choice solvers[] = {
    {"auto", CAIRN_LOGISTIC_AUTO, "newton up to 1000 weights, else cg"},
    {"newton", CAIRN_LOGISTIC_NEWTON, "Newton's method with the whole Hessian (IRLS)"},
    {"cg", CAIRN_LOGISTIC_CG, "Newton's method by conjugate gradients"},
    {"ascent", CAIRN_LOGISTIC_ASCENT, "gradient ascent w += eta (y − p) x"},
    {0},
};
static const cairn_choice gauges[] = {
    {"auto", CAIRN_GAUGE_AUTO, "pin without a penalty, ridge with one"},
    {"pin", CAIRN_GAUGE_PIN, "the last class has weights 0"},
    {"ridge", CAIRN_GAUGE_RIDGE, "every class has weights, the penalty settles the rest"},
    {0},
};
const cairn_choice cairn_intercept_choices[] = {
    {"minus", CAIRN_INTERCEPT_MINUS, "the boundary is written w·x − t = 0"},
    {"plus", CAIRN_INTERCEPT_PLUS, "w·x + w0 = 0"},
    {"none", CAIRN_INTERCEPT_NONE, "there is no intercept"},
    {0},
};
static const cairn_choice signs[] = {
    {"+", 0, "p = 1/(1 + exp(−w·x))"},
    {"-", 1, "p = 1/(1 + exp(c·x)): the exponent belongs to the other class, signs are reversed"},
    {0},
};
static const cairn_choice separables[] = {
    {"ridge", CAIRN_SEPARABLE_RIDGE,
     "an L2 penalty makes an optimum: in spreads of the columns, weak enough to separate"},
    {"stop", CAIRN_SEPARABLE_STOP, "the weights at which it was noticed"},
    {"fail", CAIRN_SEPARABLE_FAIL, "an error"},
    {0},
};
static const cairn_choice choosing[] = {
    {"best", 0, "the least cross-entropy of held-out rows"},
    {"one-se", 1, "the strongest penalty within one standard error of it"},
    {0},
};

static const cairn_param logistic_params[] = {
    CAIRN_PARAM_CHOICE(cairn_logistic_params, penalty, "auto", penalties,
                       "what is added to the cross-entropy", .often = true),
    CAIRN_PARAM_CALLED("lambda", cairn_logistic_params, strength, NULL, NULL,
                       "strength λ of the penalty (scikit-learn's 1/C), or cv = chosen by "
                       "cross-validation; 1 unless given",
                       .often = true, .was = "strength"),
    CAIRN_PARAM(cairn_logistic_params, mix, "0.5", "[0,1]", "share of the L1 penalty",
                .when = "penalty=elastic"),
    CAIRN_PARAM(cairn_logistic_params, path, "0", "[0,1000]",
                "number of strengths of the path, from one that leaves no weight; 0 = none, or 30 "
                "with cv",
                .when = "!solver=ascent"),
    CAIRN_PARAM(cairn_logistic_params, path_ratio, "0.0001", "(0,1)",
                "last strength of the path over its first", .when = "path or lambda=cv"),
    CAIRN_PARAM(cairn_logistic_params, folds, "10", "[2,1000]", "parts of the cross-validation",
                .when = "lambda=cv"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, choose, "best", choosing,
                       "which strength cross-validation takes", .when = "lambda=cv"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, solver, "auto", solvers, "how the optimum is found",
                       .often = true),
    CAIRN_PARAM_CHOICE(
        cairn_logistic_params, gauge, "auto", gauges,
        "more than two classes: which of the weight vectors with the same probabilities is taken"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, intercept, "minus", cairn_intercept_choices,
                       "whether there is an intercept, and on which side it is written"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, logit_sign, "+", signs,
                       "two classes: sign of the exponent in what is shown"),
    CAIRN_PARAM(cairn_logistic_params, class_weight, NULL, NULL,
                "balanced = every class counts the same, or a weight per class in their order, "
                "such as 1,5",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, if_separable, "ridge", separables,
                       "no penalty, and the classes can be separated: what is given",
                       .when = "!penalty=l2|l1|elastic"),
    CAIRN_PARAM(cairn_logistic_params, max_iter, "100", "[1,100000]", "most iterations",
                .when = "!solver=ascent", .often = true),
    CAIRN_PARAM(cairn_logistic_params, tolerance, CAIRN_NOT_GIVEN, "(0,1)",
                "end when a step is expected to lower the objective by less than this part of it; "
                "1e-14 for newton, 1e-8 for cg, 1e-6 for ascent unless given"),
    CAIRN_PARAM(cairn_logistic_params, max_step, "0", "[0,inf)",
                "largest change of a weight in one step, in scaled columns; 0 = any",
                .when = "solver=auto|newton"),
    CAIRN_PARAM_AS(cairn_logistic_params, init, CAIRN_TYPE_LIST, NULL,
                   "weights to start from, the intercept first, class after class; all 0 unless "
                   "given"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, protocol, "batch", cairn_protocol_choices,
                       "which rows are taken", .when = "solver=ascent"),
    CAIRN_PARAM_CHOICE(cairn_logistic_params, update, "row", cairn_update_choices,
                       "when the weights change", .when = "solver=ascent"),
    CAIRN_PARAM(cairn_logistic_params, eta, "0.1", "(0,inf)", "learning rate",
                .when = "solver=ascent"),
    CAIRN_PARAM(cairn_logistic_params, epochs, "100", "[1,10000000]", "most epochs",
                .when = "solver=ascent,!protocol=online"),
    CAIRN_PARAM(cairn_logistic_params, level, "0.95", "(0,1)", "level of the intervals",
                .often = true),
    CAIRN_PARAM_END,
};

/* -- what is asked for -- */

static bool by_validation(const cairn_logistic_params *p)
{
    return cairn_same(p->strength, "cv");
}

/* Combinations that contradict each other are refused before the data are read: a penalty with
 * none, and an ascent that cannot set a weight to 0. */
static cairn_status logistic_check_params(cairn_context *ctx, const void *values)
{
    const cairn_logistic_params *p = values;
    double strength = 0;
    if (p->strength && !by_validation(p) &&
        (!cairn_number_parse(p->strength, strlen(p->strength), &strength) || !(strength >= 0) ||
         isinf(strength)))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{lambda} must be a number of at least 0 or cv, not '%s'", p->strength));
    if (p->strength && p->penalty == CAIRN_PENALTY_NONE && (by_validation(p) || strength > 0))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{lambda %s} asks for a penalty, {penalty none} for no penalty; leave one "
                         "of them out",
                         p->strength));
    if (p->solver == CAIRN_LOGISTIC_ASCENT &&
        (p->penalty == CAIRN_PENALTY_L1 || p->penalty == CAIRN_PENALTY_ELASTIC))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "gradient ascent never sets a weight to 0; use {penalty l2} or another "
                         "{solver}"));
    if (p->solver == CAIRN_LOGISTIC_ASCENT && (by_validation(p) || p->path))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "a path of strengths needs {solver newton} or cg, not ascent"));
    return cairn_class_weights_check(ctx, "{class-weight}", p->class_weight, "balanced");
}

/* A penalty compares weights, so the columns must be comparable; not those of weights to start
 * from, which are typed in the units of the data. */
static unsigned logistic_accepts(const void *params)
{
    const cairn_logistic_params *p = params;
    unsigned accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
                       CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE;
    bool penalised = p->penalty == CAIRN_PENALTY_AUTO ? p->strength || p->path
                                                      : p->penalty != CAIRN_PENALTY_NONE;
    return penalised && !p->init ? accepts | CAIRN_WANTS_SCALING : accepts;
}

/* Everything that is decided before solving. */
typedef struct decision {
    cairn_logistic_plan plan;
    cairn_logistic_solver solver;
    cairn_logistic_penalty penalty;
    double strength, mix;
    size_t n_terms;
} decision;

static size_t count_terms(const cairn_view *view, bool *bags)
{
    size_t n = 0;
    *bags = false;
    for (size_t j = 0; j < view->n_features; j++) {
        bool bag = view->features[j]->kind == CAIRN_BAG;
        n += bag ? view->features[j]->names.n : 1;
        *bags |= bag;
    }
    return n;
}

/* "balanced" gives each class the same total weight and leaves the sum as it was, so that a
 * penalty keeps its meaning. */
static cairn_status read_class_weights(cairn_context *ctx, decision *out, const cairn_job *job)
{
    const cairn_logistic_params *p = job->params;
    const cairn_view *view = job->view;
    double *weights, total = 0;
    if (!p->class_weight) return CAIRN_OK;
    if (cairn_same(p->class_weight, "balanced")) {
        CHECK(SCRATCH(ctx, &weights, job->n_classes + 1));
        for (size_t i = 0; i < view->rows.n; i++) {
            double w = cairn_view_weight(view, i);
            weights[view->target->codes[cairn_view_row(view, i)]] += w;
            total += w;
        }
        cairn_class_weights_balance(weights, job->n_classes, total);
    } else {
        CHECK(cairn_class_weights_given(ctx, &weights, "{class-weight}", p->class_weight,
                                        job->n_classes));
    }
    out->plan.class_weights = weights;
    return CAIRN_OK;
}

/* All that is left to the program: a penalty where there are more terms than rows, Newton's
 * method up to NEWTON_WEIGHTS weights, and which class is pinned. */
static cairn_status decide(cairn_context *ctx, decision *out, const cairn_job *job)
{
    const cairn_logistic_params *p = job->params;
    bool bags;
    *out = (decision){.penalty = (cairn_logistic_penalty)p->penalty};
    out->n_terms = count_terms(job->view, &bags);
    CHECK(cairn_class_planes_classes(ctx, &out->plan.classes, &out->plan.n_present, job, false));
    CHECK(read_class_weights(ctx, out, job));
    bool wide = out->n_terms > job->view->rows.n;
    if (out->penalty == CAIRN_PENALTY_AUTO)
        out->penalty =
            p->strength || p->path || bags || wide ? CAIRN_PENALTY_L2 : CAIRN_PENALTY_NONE;
    out->strength = out->penalty == CAIRN_PENALTY_NONE ? 0 : 1;
    if (p->strength && !by_validation(p))
        cairn_number_parse(p->strength, strlen(p->strength), &out->strength);
    if (out->strength == 0) out->penalty = CAIRN_PENALTY_NONE;
    out->mix = out->penalty == CAIRN_PENALTY_L1        ? 1
               : out->penalty == CAIRN_PENALTY_ELASTIC ? p->mix
                                                       : 0;
    out->plan.schema = job->schema;
    out->plan.penalised = out->penalty != CAIRN_PENALTY_NONE;
    out->plan.intercept = p->intercept != CAIRN_INTERCEPT_NONE;
    bool pin = p->gauge == CAIRN_GAUGE_PIN ||
               (p->gauge == CAIRN_GAUGE_AUTO && out->penalty == CAIRN_PENALTY_NONE);
    out->plan.pinned = pin || out->plan.n_present == 2;
    if (!out->plan.pinned && out->penalty == CAIRN_PENALTY_NONE)
        CHECK(cairn_fail(
            ctx, CAIRN_USAGE,
            "{gauge ridge} needs a penalty, which settles what the data leave open; give "
            "a {lambda} or use {gauge pin}"));
    double m =
        ((double)out->n_terms + 1) * ((double)out->plan.n_present - (out->plan.pinned ? 1 : 0));
    out->solver = (cairn_logistic_solver)p->solver;
    if (out->solver == CAIRN_LOGISTIC_AUTO)
        out->solver = m <= NEWTON_WEIGHTS ? CAIRN_LOGISTIC_NEWTON : CAIRN_LOGISTIC_CG;
    out->plan.n_terms = out->n_terms;
    out->plan.sparse =
        out->solver == CAIRN_LOGISTIC_CG || (out->solver == CAIRN_LOGISTIC_ASCENT && bags);
    if (p->logit_sign && out->plan.n_present > 2)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "{logit-sign -} is for two classes; the target '%s' has %zu",
                         job->view->target_name, out->plan.n_present));
    return CAIRN_OK;
}

/* -- solving -- */

/* Whether no two classes overlap in a column: it alone gives the answer away then. `low` and `high`
 * have room for the classes. */
static bool separates_alone(const cairn_logistic_data *d, size_t column, double *low, double *high)
{
    for (size_t k = 0; k < d->n_classes; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < d->x.n; i++) {
        if (!(d->weights[i] > 0)) continue;
        double value = d->x.columns[column][cairn_view_row(d->x.view, i)];
        low[d->answers[i]] = fmin(low[d->answers[i]], value);
        high[d->answers[i]] = fmax(high[d->answers[i]], value);
    }
    for (size_t k = 0; k < d->n_classes; k++)
        for (size_t other = 0; other < k; other++)
            if (low[k] <= high[other] && low[other] <= high[k]) return false;
    return true;
}

/* The column that separates alone if there is one, else those with the largest part in the
 * direction that separates. */
static cairn_status name_separators(cairn_context *ctx, const cairn_logistic_fit *fit, char **out)
{
    const cairn_logistic_data *d = fit->data;
    SCOPED(cairn_text_clear) cairn_text buffer = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double *sizes, *low, *high, most = 0;
    size_t n = 0;
    bool alone = false;
    CHECK(SCRATCH(ctx, &sizes, d->x.n_terms + 1));
    CHECK(SCRATCH_EACH(ctx, d->n_classes, &low, &high));
    for (size_t t = 0; t < d->x.n_dense && d->x.ones && !alone; t++) {
        alone = fit->separation == CAIRN_SEPARATION_COMPLETE && separates_alone(d, t, low, high);
        most = sizes[t] = alone;
    }
    for (size_t t = 0; t < d->x.n_terms && !alone; t++) {
        for (size_t k = 0; k < d->n_vectors; k++)
            sizes[t] = fmax(sizes[t], fabs(fit->direction[t * d->stride + k]));
        most = fmax(most, sizes[t]);
    }
    for (size_t t = 0; t < d->x.n_terms; t++) {
        if (!(sizes[t] >= 0.01 * most) || most == 0) continue;
        if (n == MOST_SEPARATORS) cairn_text_add(&text, ", …");
        if (n++ >= MOST_SEPARATORS) break;
        cairn_text_addf(&text, "%s%s", n > 1 ? ", " : "",
                        cairn_term_name(&buffer, d->schema, d->x.n_dense, t));
    }
    CHECK(cairn_text_status(&buffer));
    CHECK(cairn_text_status(&text));
    if (n) CHECK(cairn_text_take(&text, out));
    return CAIRN_OK;
}

static cairn_status solve(cairn_context *ctx, cairn_logistic_fit *fit, const decision *how,
                          const cairn_logistic_params *p)
{
    fit->progress.tolerance = !isnan(p->tolerance)                   ? p->tolerance
                              : how->solver == CAIRN_LOGISTIC_NEWTON ? 1e-14
                              : how->solver == CAIRN_LOGISTIC_CG     ? 1e-8
                                                                     : 1e-6;
    if (how->solver == CAIRN_LOGISTIC_NEWTON) return cairn_logistic_newton(ctx, fit);
    if (how->solver == CAIRN_LOGISTIC_CG) return cairn_logistic_cg(ctx, fit);
    return cairn_logistic_ascent(ctx, fit, p);
}

/* A fit that is ready to be solved. */
static cairn_status prepare_fit(cairn_context *ctx, cairn_logistic_fit *fit,
                                cairn_logistic_data *data, const decision *how,
                                const cairn_job *job)
{
    const cairn_logistic_params *p = job->params;
    bool ascent = how->solver == CAIRN_LOGISTIC_ASCENT;
    CHECK(cairn_logistic_fit_make(ctx, fit, data, ascent ? p->epochs : p->max_iter));
    fit->max_step = p->max_step;
    fit->check_terms = true;
    fit->steps = job->steps;
    cairn_logistic_set_penalty(fit, how->strength * (1 - how->mix), how->strength * how->mix);
    return CAIRN_OK;
}

/* Separable classes have no optimum without a penalty: do what the user chose. With a ridge all
 * begins anew, also the gauge. */
static cairn_status settle_separation(cairn_context *ctx, cairn_logistic_history *history,
                                      cairn_logistic_data *data, cairn_logistic_fit *fit,
                                      decision *how, const cairn_job *job)
{
    const cairn_logistic_params *p = job->params;
    const char *kind = fit->separation == CAIRN_SEPARATION_COMPLETE ? "" : "almost ";
    if (!fit->separation) return CAIRN_OK;
    history->separation = fit->separation;
    CHECK(name_separators(ctx, fit, &history->separators));
    const char *columns = history->separators ? history->separators : "the intercept";
    if (p->if_separable == CAIRN_SEPARABLE_FAIL)
        CHECK(
            cairn_fail(ctx, CAIRN_NO_SOLUTION,
                       "the classes can be %sseparated by %s, so the likelihood grows for ever and "
                       "there are no weights of maximum likelihood; give a {lambda} (ridge), or "
                       "leave columns out",
                       kind, columns));
    if (p->if_separable == CAIRN_SEPARABLE_STOP) return CAIRN_OK;
    if (fit->steps) {
        cairn_report_step_begin(fit->steps, "The classes can be %sseparated: begin again", kind);
        cairn_report_paragraph(fit->steps,
                               "The weights of %s would grow for ever. A ridge of strength 1 of "
                               "the weights times the spreads of their columns gives the "
                               "objective a minimum.",
                               columns);
        cairn_report_step_end(fit->steps);
    }
    cairn_free(fit->relations);
    fit->relations = NULL;
    history->forced = true;
    how->penalty = CAIRN_PENALTY_L2;
    how->strength = 1;
    how->plan.penalised = true;
    how->plan.pinned = how->plan.n_present == 2 || p->gauge == CAIRN_GAUGE_PIN;
    CHECK(cairn_logistic_data_make(ctx, data, job->view, &how->plan));
    /* Weights are measured in the spreads of their columns: a column in small numbers needs a large
     * weight to separate. Where the ridge still keeps classes together that can be told apart, it
     * is made weaker. */
    const double *spreads;
    CHECK(cairn_logistic_spreads(ctx, data, &spreads));
    for (;; how->strength /= 10) {
        CHECK(prepare_fit(ctx, fit, data, how, job));
        fit->spreads = spreads;
        cairn_logistic_set_penalty(fit, how->strength, 0);
        CHECK(solve(ctx, fit, how, p));
        bool right = fit->scored.counts[CAIRN_COUNT_RIGHT] >= data->total * (1 - 1e-12);
        if (right || history->separation != CAIRN_SEPARATION_COMPLETE ||
            how->strength <= LEAST_RIDGE || fit->steps || !fit->progress.converged)
            return CAIRN_OK;
    }
}

/* Weights are given in the columns' own units, class by class with the intercept first, and are
 * taken to the scale of the solver. */
static cairn_status read_start(cairn_context *ctx, cairn_logistic_fit *fit, const char *list)
{
    const cairn_logistic_data *d = fit->data;
    size_t n, m = d->n_vectors, skip = d->x.ones ? 1 : 0;
    double *given, *weights;
    if (!list) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{init}"), list, &given, &n));
    if (n != d->x.width * m)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "{init} gives %zu weights, there are %zu", n,
                         d->x.width * m));
    CHECK(SCRATCH(ctx, &weights, (d->x.n_terms + 1) * m));
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < d->x.width; i++) {
            size_t t = i < skip ? d->x.n_terms : i - skip;
            if (!isfinite(given[k * d->x.width + i]))
                CHECK(cairn_fail(ctx, CAIRN_USAGE, "{init}: weights must be finite"));
            weights[t * m + k] = given[k * d->x.width + i];
        }
    cairn_matrix_from_raw(&d->x, weights, m, fit->place.x, d->stride);
    return CAIRN_OK;
}

/* -- keeping -- */

static bool are_finite(const double *x, size_t n)
{
    bool fine = true;
    for (size_t i = 0; i < n; i++) fine = fine && isfinite(x[i]);
    return fine;
}

/* Room for the model and its history; what the classes alone tell. */
static cairn_status model_allocate(cairn_context *ctx, cairn_logistic_model *m,
                                   cairn_logistic_history *history, const cairn_logistic_data *d,
                                   const cairn_job *job)
{
    history->total = d->total;
    CHECK(cairn_class_planes_new(ctx, m, job, d->classes, d->n_classes, d->pinned, d->x.ones));
    CHECK(NEW(ctx, &history->aliased, m->n_terms));
    CHECK(NEW_EACH(ctx, m->n_present, &history->shares, &history->means));
    for (size_t k = 0; k < m->n_present; k++) {
        history->shares[k] = d->class_totals[k] / d->total;
        if (history->shares[k] > 0)
            history->null_loss -= d->class_totals[k] * cairn_log(history->shares[k]);
    }
    if (!m->intercept) history->null_loss = d->total * cairn_log((double)m->n_present);
    return CAIRN_OK;
}

/* What holds at the optimum: mean probabilities are shares, and the objective has no slope. */
static cairn_status keep_checks(cairn_context *ctx, const cairn_logistic_model *m,
                                cairn_logistic_history *history, const cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    size_t nv = m->n_vectors;
    double *slopes, rest = 1;
    CHECK(SCRATCH(ctx, &slopes, (d->x.n_terms + 1) * nv));
    CHECK(cairn_logistic_raw_slopes(ctx, fit, slopes));
    for (size_t k = 0; k < m->n_present; k++) {
        history->means[k] = NAN;
        if (!d->x.ones) continue;
        history->means[k] = rest;
        if (k < nv)
            rest -= history->means[k] =
                history->shares[k] + slopes[d->x.n_terms * nv + k] / d->total;
    }
    for (size_t t = 0; t < d->x.width; t++)
        for (size_t k = 0; k < nv; k++) {
            double w = m->weights[t * nv + k], slope = slopes[t * nv + k];
            if (t < d->x.n_terms && history->aliased[t]) continue;
            if (t < d->x.n_terms) {
                slope += cairn_logistic_ridge(fit, t) * w;
                if (w == 0)
                    slope = fmax(0, fabs(slope) - fit->lasso);
                else
                    slope += w > 0 ? fit->lasso : -fit->lasso;
            }
            history->moment = fmax(history->moment, fabs(slope));
        }
    return CAIRN_OK;
}

/* Where the solver ended and how it came there. */
static cairn_status keep_course(cairn_context *ctx, cairn_logistic_history *history,
                                cairn_logistic_fit *fit, const decision *how)
{
    const cairn_logistic_data *d = fit->data;
    history->solver = (int32_t)how->solver;
    history->penalty = (int32_t)how->penalty;
    history->ridge = fit->ridge;
    history->lasso = fit->lasso;
    history->loss = fit->scored.sum;
    history->objective = fit->place.value;
    history->accuracy = fit->scored.counts[CAIRN_COUNT_RIGHT] / d->total;
    history->iterations = fit->progress.iterations;
    history->products = fit->scored.products;
    history->converged = fit->progress.converged;
    history->expected = fit->progress.expected;
    history->relations = fit->relations;
    fit->relations = NULL;
    for (size_t t = 0; t < d->x.n_terms; t++) history->aliased[t] = fit->fixed[t];
    history->n_curve = fit->progress.n_values;
    CHECK(NEW(ctx, &history->curve, history->n_curve));
    memcpy(history->curve, fit->progress.values, history->n_curve * sizeof *history->curve);
    return CAIRN_OK;
}

/* The weights, and the history of them. */
static cairn_status keep_fit(cairn_context *ctx, cairn_logistic_model *m,
                             cairn_logistic_history *history, cairn_logistic_fit *fit,
                             const decision *how)
{
    size_t size = cairn_product(m->n_terms + 1, m->n_vectors);
    cairn_logistic_raw(fit, fit->place.x, m->weights);
    /* Intercepts that may be shifted together are shifted so that they sum to 0. */
    double *last = m->weights + m->n_terms * m->n_vectors, sum = 0;
    for (size_t k = 0; k < m->n_vectors; k++) sum += last[k];
    for (size_t k = 0; k < m->n_vectors && !m->pinned; k++) last[k] -= sum / (double)m->n_vectors;
    if (!are_finite(m->weights, size)) CHECK(cairn_logistic_check_finite(ctx, fit->data));
    CHECK(keep_course(ctx, history, fit, how));
    CHECK(keep_checks(ctx, m, history, fit));
    /* Rows for the S-curve of one number and two classes. */
    const cairn_logistic_data *d = fit->data;
    size_t step = d->x.n / CAIRN_LOGISTIC_SAMPLE + (d->x.n % CAIRN_LOGISTIC_SAMPLE != 0);
    if (d->x.n_terms == 1 && d->x.n_dense == 1 && d->n_classes == 2) {
        history->n_sample = (d->x.n + step - 1) / step;
        CHECK(NEW_EACH(ctx, history->n_sample, &history->inputs, &history->outcomes));
        for (size_t i = 0; i < history->n_sample; i++) {
            history->inputs[i] = d->x.columns[0][cairn_view_row(d->x.view, i * step)];
            history->outcomes[i] = d->answers[i * step] == 0;
        }
    }
    if (fit->place.hessian && how->solver == CAIRN_LOGISTIC_NEWTON && fit->ridge == 0 &&
        fit->lasso == 0 && !fit->separation) {
        CHECK(NEW(ctx, &history->errors, size));
        CHECK(cairn_logistic_errors(ctx, fit, history->errors));
    }
    return CAIRN_OK;
}

/* -- proof -- */

/* Slopes of -ln p(class) by the scores, p_k less 1 for the class of the row; that of the class is
 * the sum of the others, so that nothing is lost where it is nearly sure. */
static void proof_rows(const void *data, size_t first, size_t n, const double *scores,
                       double *slopes, double *bends, double *sizes)
{
    const cairn_logistic_data *d = data;
    size_t m = d->n_vectors;
    for (size_t i = 0; i < n; i++) {
        const double *a = scores + i * m;
        double *out = slopes + i * m, most = d->pinned ? 0 : a[0], sum = 0, others = 0;
        size_t answer = (size_t)d->answers[first + i];
        for (size_t k = 0; k < m; k++) most = fmax(most, a[k]);
        for (size_t k = 0; k < m; k++) sum += out[k] = cairn_exp(a[k] - most);
        if (d->pinned) sum += others = cairn_exp(-most);
        if (answer == m) others = 0;
        for (size_t k = 0; k < m; k++) others += k == answer ? 0 : out[k];
        for (size_t k = 0; k < m; k++) {
            double p = out[k] / sum, left = k == answer ? others / sum : 1 - p;
            bends[i * m + k] = p * left;
            out[k] = k == answer ? -others / sum : p;
            sizes[i * m + k] = fabs(out[k]);
        }
    }
}

/* The objective has no slope. Weights of classes that can be separated grow for ever, and steps of
 * a fixed length end near the minimum: there the slope is told and not judged. Conjugate gradients
 * come as near as their tolerance asks. */
static cairn_status certify(cairn_context *ctx, const cairn_logistic_model *m,
                            const cairn_logistic_history *history, const cairn_logistic_fit *fit,
                            const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    cairn_certificate *c = job->certificate;
    cairn_slopes s = {.view = job->view, .weights = m->weights, .n_scores = m->n_vectors};
    double *ridges, *lassos;
    bool open = history->solver == CAIRN_LOGISTIC_ASCENT || fit->separation;
    if (!c || m->n_vectors == 0) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, m->n_terms + 1, &ridges, &lassos));
    for (size_t t = 0; t < m->n_terms; t++) {
        ridges[t] = cairn_logistic_ridge(fit, t);
        lassos[t] = fit->lasso;
    }
    s.row_weights = fit->data->weights;
    s.constant = m->intercept;
    s.ridges = ridges;
    s.lassos = lassos;
    s.fixed = history->aliased;
    s.rows = proof_rows;
    s.data = fit->data;
    c->limited |= !history->converged;
    c->remedy = !history->converged ? "raise {max-iter}"
                : history->solver == CAIRN_LOGISTIC_CG
                    ? "take {solver newton}, or a smaller {tolerance}"
                    : NULL;
    double bound = fmax(1e-6, 10 * sqrt(fit->progress.tolerance));
    return cairn_slopes_certify(ctx, c, CAIRN_PROOF_GRADIENT, &s, open ? INFINITY : bound);
}

/* The model with its history. */
static cairn_status fit_both(cairn_context *ctx, cairn_logistic_model *m,
                             cairn_logistic_history *history, const cairn_job *job)
{
    const cairn_logistic_params *p = job->params;
    cairn_logistic_data data;
    cairn_logistic_fit fit = {0};
    decision how;
    cairn_status status;

    TRY(decide(ctx, &how, job));
    TRY(cairn_logistic_data_make(ctx, &data, job->view, &how.plan));
    if (p->path || by_validation(p))
        TRY(cairn_logistic_path(ctx, history, &how.plan, how.solver, how.mix, job, &how.strength));
    TRY(prepare_fit(ctx, &fit, &data, &how, job));
    TRY(read_start(ctx, &fit, p->init));
    TRY(solve(ctx, &fit, &how, p));
    TRY(settle_separation(ctx, history, &data, &fit, &how, job));
    TRY(model_allocate(ctx, m, history, &data, job));
    if (job->steps) TRY(cairn_logistic_show_rows(ctx, &fit));
    TRY(keep_fit(ctx, m, history, &fit, &how));
    TRY(certify(ctx, m, history, &fit, job));
done:
    cairn_free(fit.relations);
    return status;
}

static cairn_status logistic_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_logistic_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    cairn_logistic_histories.clear(&own);
    return status;
}

/* -- weights that are given -- */

/* What has no meaning when the weights are there already. */
static cairn_status check_given(cairn_context *ctx, const cairn_logistic_params *p)
{
    const struct {
        bool given;
        const char *option;
    } others[] = {{p->strength, "lambda"},
                  {p->penalty > CAIRN_PENALTY_NONE, "penalty"},
                  {p->path, "path"},
                  {p->init, "init"},
                  {p->solver != CAIRN_LOGISTIC_AUTO, "solver"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{given} takes the weights as they are; leave out {%s}",
                              others[i].option);
    return CAIRN_OK;
}

/* The weights of a text; how they do on the rows is found out as after gradient ascent. */
static cairn_status read_both(cairn_context *ctx, cairn_logistic_model *m,
                              cairn_logistic_history *history, const cairn_job *job,
                              const cairn_given *given)
{
    cairn_logistic_params none = *(const cairn_logistic_params *)job->params;
    cairn_logistic_data data;
    cairn_logistic_fit fit = {0};
    decision how = {.penalty = CAIRN_PENALTY_NONE, .solver = CAIRN_LOGISTIC_ASCENT};
    double *by_class, *weights;
    bool *named;
    CHECK(check_given(ctx, &none));
    CHECK(cairn_class_planes_classes(ctx, &how.plan.classes, &how.plan.n_present, job, true));
    CHECK(read_class_weights(ctx, &how, job));
    how.plan.schema = job->schema;
    how.plan.n_terms = count_terms(job->view, &how.plan.sparse);
    how.plan.intercept = none.intercept != CAIRN_INTERCEPT_NONE;
    CHECK(cairn_logistic_read_weights(ctx, given, job, &how.plan, &by_class, &named));
    how.plan.pinned = how.plan.n_present == 2 || !named[how.plan.n_present - 1];
    CHECK(cairn_logistic_data_make(ctx, &data, job->view, &how.plan));
    CHECK(prepare_fit(ctx, &fit, &data, &how, job));
    /* Weights of the vectors from those of the classes: of two classes, and where the last one
     * has none, the others are relative to the last. */
    size_t nv = data.n_vectors, width = data.x.n_terms + 1;
    CHECK(SCRATCH(ctx, &weights, cairn_product(width, nv)));
    for (size_t t = 0; t < width; t++)
        for (size_t k = 0; k < nv; k++)
            (weights)[t * nv + k] = by_class[k * width + t] -
                                    (data.pinned ? by_class[(data.n_classes - 1) * width + t] : 0);
    cairn_matrix_from_raw(&data.x, weights, data.n_vectors, fit.place.x, data.stride);
    fit.steps = NULL;
    none.epochs = 0;
    CHECK(cairn_logistic_ascent(ctx, &fit, &none));
    if (!isfinite(fit.scored.sum) || !are_finite(weights, (data.x.n_terms + 1) * data.n_vectors))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: with these weights the scores of the rows are beyond all numbers; "
                         "give smaller weights",
                         given->name));
    fit.steps = job->steps;
    fit.progress.converged = true;
    how.solver = CAIRN_LOGISTIC_GIVEN;
    CHECK(model_allocate(ctx, m, history, &data, job));
    if (job->steps) CHECK(cairn_logistic_show_rows(ctx, &fit));
    CHECK(keep_fit(ctx, m, history, &fit, &how));
    memcpy(m->weights, weights, (m->n_terms + 1) * m->n_vectors * sizeof *weights);
    return CAIRN_OK;
}

static cairn_status logistic_read(cairn_context *ctx, void *model, const cairn_job *job,
                                  const cairn_given *given)
{
    cairn_logistic_history own = {0};
    cairn_status status = read_both(ctx, model, job->history ? job->history : &own, job, given);
    cairn_logistic_histories.clear(&own);
    return status;
}

/* -- predicting -- */

typedef struct prediction_run {
    const cairn_logistic_model *m;
    cairn_row_matrix x;
    double *scores; /* the prediction's */
} prediction_run;

/* Scores of row i when some of them are beyond all numbers: the class with the largest score has
 * all of the probability. */
static void bound_scores(const prediction_run *run, size_t i, double *scores)
{
    const cairn_logistic_model *m = run->m;
    double most = m->pinned ? 0 : -INFINITY;
    cairn_matrix_small_scores(&run->x, i, m->weights, m->n_vectors, scores);
    for (size_t k = 0; k < m->n_vectors; k++) most = fmax(most, scores[k]);
    for (size_t k = 0; k < m->n_vectors; k++)
        scores[k] = scores[k] < most ? -1e4 : most > 0 ? 1e4 : 0;
}

/* Probabilities of all classes of the target from the scores of one row. */
static void put_row(const cairn_logistic_model *m, double *scores, double *out)
{
    double margin, rest = 1;
    if (m->n_vectors == 1 && m->pinned) {
        /* Of two classes both are exact, also where the other one is rounded to 1. */
        double score = scores[0];
        double e = cairn_exp(-fabs(score)), near = 1 / (1 + e), far = e / (1 + e);
        out[m->classes[0]] = score >= 0 ? near : isnan(score) ? score : far;
        out[m->classes[1]] = score > 0 ? far : isnan(score) ? score : near;
        return;
    }
    cairn_softmax(scores, m->n_vectors, m->pinned, 0, &margin);
    for (size_t k = 0; k < m->n_vectors; k++) {
        out[m->classes[k]] = scores[k];
        rest -= scores[k];
    }
    if (m->pinned) out[m->classes[m->n_present - 1]] = rest > 0 ? rest : isnan(rest) ? rest : 0;
}

static void predict_piece(void *data, const cairn_piece *piece, double *sums)
{
    const prediction_run *run = data;
    const cairn_logistic_model *m = run->m;
    double *scores = piece->buffer;
    (void)sums;
    cairn_matrix_scores(&run->x, piece, m->weights, m->n_vectors);
    for (size_t i = 0; i < piece->n; i++) {
        double *row = scores + i * m->n_vectors;
        if (!are_finite(row, m->n_vectors)) bound_scores(run, piece->first + i, row);
        put_row(m, row, run->scores + (piece->first + i) * m->n_classes);
    }
}

cairn_status cairn_logistic_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    prediction_run run = {.m = model, .scores = out->scores};
    cairn_matrix_options options = {.apart = true, .n_terms = run.m->n_terms};
    cairn_row_sum sum = {.piece = predict_piece, .unread = true, .data = &run};
    if (out->extra) CHECK(cairn_class_planes_add_distance(ctx, out->extra, model, job->view));
    if (!out->scores) return CAIRN_OK;
    options.buffer = run.m->n_dense + run.m->n_vectors;
    options.scores = run.m->n_vectors;
    CHECK(cairn_matrix_open(ctx, &run.x, job->view, &options));
    if (run.x.n_dense != run.m->n_dense)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu number columns, the data %zu",
                          run.m->n_dense, run.x.n_dense);
    return cairn_matrix_sum(ctx, &run.x, &sum, NULL);
}

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_logistic_history *history = job->history;
    cairn_class_planes_write(out, model, job, history ? history->errors : NULL);
}

static const cairn_learned logistic_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                                CAIRN_LEARNED_END};

const cairn_learner cairn_logistic = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "logistic",
            .also =
                "logit, softmax regression, multinomial regression, maximum entropy classifier, "
                "logistic classifier, LogisticRegression, logistic regression classifier, multinom",
            .about = "SGDClassifier, iterative reweighted least squares, iteratively reweighted "
                     "least squares, IRLS",
            .title = "Logistic and softmax regression",
            .summary =
                "Models the probability of each class: its log-odds are a constant plus a weighted "
                "sum of the features. The weights have the largest likelihood, or the least "
                "cross-entropy plus an L2 or L1 penalty. Without a penalty every weight comes with "
                "its standard error, test and odds ratio. Numbers and bags of words, two classes "
                "and many; the steps show every iteration of Newton's method. Where the classes "
                "can be separated, where columns depend on each other, and where it did not "
                "converge, the report says so.",
            .references =
                "Bishop, Pattern Recognition and Machine Learning (2006); Albert and Anderson, On "
                "the existence of maximum likelihood estimates (1984); Lin, Weng and Keerthi, "
                "Trust region Newton methods for large-scale logistic regression (2008); Friedman, "
                "Hastie and Tibshirani, Regularization paths for generalized linear models (2010)",
            .example = "cairn fit logistic @three-classes-mixed --steps",
            .params = logistic_params,
            .params_size = sizeof(cairn_logistic_params),
            .check = logistic_check_params,
        },
    .tasks = CAIRN_CLASSIFY,
    .space = "penalty=none,l2,l1\n"
             "strength=10,1,0.1",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE,
    .accepts_with = logistic_accepts,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .reports = CAIRN_REPORTS_ACCURACY,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_logistic_model),
    .tables = logistic_tables,
    .gives_scores = true,
    .outputs = cairn_class_planes_outputs,
    .fit = logistic_fit,
    .read = logistic_read,
    .forms = cairn_logistic_forms,
    .lower = cairn_logistic_lower,
    .predict = cairn_logistic_predict,
    .describe = cairn_logistic_describe,
    .figures = cairn_logistic_figures,
    .keeps_means = true,
    .explain = cairn_logistic_explain,
    .history = &cairn_logistic_histories,
    .archive = cairn_class_planes_archive,
    .check = cairn_class_planes_check,
    .clear = cairn_class_planes_clear,
    .size = cairn_class_planes_size,
};
