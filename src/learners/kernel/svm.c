/* SPDX-License-Identifier: MIT */
/* Support vector machines: what can be set, and the record.
 *
 * Problem, for classes y = ±1: minimise |w|²/2 + C Σ ξ_i where y_i f(x_i) >= 1 - ξ_i and ξ_i >= 0,
 * with f(x) = w·φ(x) + b; for numbers ξ_i is how far y_i is from f(x_i) beyond epsilon. The dual
 * problem knows the rows by their kernel values only: solve/pairs.h. */
#include "learners/kernel/svm.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm_fit.h"
#include "stats/class_weights.h"
#include <math.h>

static const cairn_choice types[] = {
    {"c", CAIRN_SVM_C, "the errors cost C; numbers: beyond epsilon"},
    {"nu", CAIRN_SVM_NU,
     "nu bounds the share of errors from above and of support vectors from below"},
    {"one-class", CAIRN_SVM_ONE_CLASS,
     "a target of one class, or none: rows that are unlike it are rejected, in training about the "
     "share nu"},
    {0},
};
static const cairn_choice schemes[] = {
    {"pairs", CAIRN_SVM_PAIRS, "a machine for every two classes; they vote"},
    {"rest", CAIRN_SVM_REST,
     "a machine for every class against all others; the largest score wins"},
    {0},
};
static const cairn_choice solvers[] = {
    {"auto", CAIRN_SVM_AUTO,
     "exact up to 200 rows of a machine; else primal for linear machines of up to 300 columns, "
     "rows "
     "for linear ones of classes and more than 20,000 rows, pairs for all others"},
    {"exact", CAIRN_SVM_EXACTLY, "an active set, exact but for rounding; up to 1,000 rows"},
    {"pairs", CAIRN_SVM_BY_PAIRS, "two rows at a time, any kernel"},
    {"primal", CAIRN_SVM_BY_PRIMAL,
     "linear kernel: Newton's method over the weights, for many rows and fewer columns"},
    {"rows", CAIRN_SVM_BY_ROWS,
     "classes and linear kernel: row by row; the constant is a column of ones and counts in |w|"},
    {0},
};
static const cairn_choice losses[] = {
    {"hinge", CAIRN_SVM_HINGE, "C Σ ξ"},
    {"squared", CAIRN_SVM_SQUARED, "C Σ ξ², by {solver primal} or {solver rows}"},
    {0},
};
static const cairn_choice sides[] = {
    {"minus", CAIRN_SVM_MINUS, "the boundary is written w·x − t = 0"},
    {"plus", CAIRN_SVM_PLUS, "w·x + b = 0"},
    {0},
};
static const cairn_choice margins[] = {
    {"half", CAIRN_SVM_HALF, "from the boundary to the nearest row, 1/|w|"},
    {"full", CAIRN_SVM_FULL, "the width of the street, 2/|w|"},
    {0},
};
static const cairn_choice biases[] = {
    {"free", CAIRN_SVM_FREE, "mean over the free support vectors, else the middle of the interval"},
    {"midpoint", CAIRN_SVM_MIDPOINT, "middle between the extreme scores of the two classes"},
    {"first", CAIRN_SVM_FIRST, "the first free support vector"},
    {0},
};
static const cairn_choice whos[] = {
    {"alpha", CAIRN_SVM_ALPHA, "rows with α > 0"},
    {"margin", CAIRN_SVM_ON_MARGIN, "all rows on the margin"},
    {0},
};

static const cairn_param svm_params[] = {
    CAIRN_PARAM(cairn_svm_params, c, "1", "(0,inf]",
                "cost C of an error; inf = hard margin, no errors", .when = "!type=one-class",
                .often = true),
    CAIRN_KERNEL(cairn_svm_params),
    CAIRN_PARAM_CHOICE(cairn_svm_params, type, "c", types, "what is asked of the errors",
                       .often = true),
    CAIRN_PARAM(cairn_svm_params, nu, "0.5", "(0,1]", "share of errors and support vectors",
                .when = "type=nu|one-class"),
    CAIRN_PARAM(cairn_svm_params, epsilon, "0.1", "[0,inf)",
                "numbers: half the width of the tube in which errors cost nothing",
                .when = "type=c", .often = true),
    CAIRN_PARAM(cairn_svm_params, class_weight, NULL, NULL,
                "balanced = every class counts the same, or a factor of C per class in their "
                "order, such as 1,5"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, classes, "pairs", schemes,
                       "more than two classes: what the machines tell apart"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, loss, "hinge", losses, "what errors cost",
                       .when = "type=c"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, solver, "auto", solvers, "how the solution is found"),
    CAIRN_PARAM(cairn_svm_params, tolerance, "0", "[0,1)",
                "largest violation of the optimality conditions at the end; 0 = 1e-7 up to 5,000 "
                "rows of a machine, else 0.001"),
    CAIRN_PARAM(cairn_svm_params, max_iter, "10000000", "[1,inf)", "most steps of a machine"),
    CAIRN_PARAM(
        cairn_svm_params, cache, "0", "[0,inf)",
        "megabytes for rows of the kernel matrix; 0 = 100, or 1024 rows where these are more"),
    CAIRN_PARAM(cairn_svm_params, shrinking, "yes", NULL,
                "set rows aside that are likely to stay as they are"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, intercept, "minus", sides,
                       "on which side the intercept is written"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, margin, "half", margins, "what is called the margin"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, bias_from, "free", biases,
                       "which rows the intercept is taken from"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, sv, "alpha", whos,
                       "which rows are called support vectors"),
    CAIRN_PARAM(cairn_svm_params, slack_power, "1", "[1,10]",
                "power k of the slacks' sum: C (Σ ξ)^k is what errors cost"),
    CAIRN_PARAM(cairn_svm_params, go_on, "no", NULL,
                "go on with a given matrix that has negative eigenvalues",
                .when = "kernel=precomputed"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_svm_params *p = values;
    CHECK(cairn_kernel_check(ctx, &p->kernel));
    return cairn_class_weights_check(ctx, "{class-weight}", p->class_weight, "balanced");
}

static unsigned svm_accepts(const void *params)
{
    const cairn_svm_params *p = params;
    return cairn_kernel_accepts(&p->kernel) | CAIRN_ACCEPTS_ONE_CLASS |
           (p->type == CAIRN_SVM_ONE_CLASS ? CAIRN_WANTS_ONE_CLASS : 0);
}

static cairn_model_size svm_size(const void *model)
{
    const cairn_svm_model *m = model;
    double each = m->weights ? (double)m->n_terms + 1 : (double)m->vectors.n + 1;
    return (cairn_model_size){.parameters = each * (double)m->n_machines, .grows = !m->weights};
}

static double svm_pieces(const void *model)
{
    return (double)((const cairn_svm_model *)model)->vectors.n;
}

static const cairn_output svm_outputs[] = {
    {"distance", "classes: signed distance from the boundary in the space of the kernel, of two "
                 "classes positive on the side of the positive one; of more from the nearest "
                 "boundary around the answer"},
    {0},
};

const cairn_learner cairn_svm = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "svm",
            .also =
                "support vector machine, SVC, SVR, maximum margin classifier, nu-SVC (type=nu), "
                "support vector regression, kernel SVM, one-class SVM (type=one-class), novelty "
                "detection, outlier detection",
            .title = "Support vector machine",
            .summary =
                "Separates two classes by the boundary with the widest margin, in the space of a "
                "kernel; errors cost C each, by how far they are on the wrong side. More classes "
                "are told apart in pairs, which vote, or one against the rest. Numbers are fitted "
                "by a tube of half width epsilon, outside of which errors cost C. The answer is a "
                "sum over the support vectors, the rows on the margin or beyond it. Columns are "
                "standardised first unless --scale says otherwise.",
            .references = "Cortes and Vapnik, Support-vector networks (1995); Schölkopf, Smola, "
                          "Williamson and Bartlett, New support vector algorithms (2000); Fan, "
                          "Chen and Lin, Working set selection using second order information for "
                          "training support vector machines (2005)",
            .example = "cairn fit svm @iris --kernel rbf --c 10",
            .params = svm_params,
            .params_size = sizeof(cairn_svm_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_KERNEL_ACCEPTS | CAIRN_ACCEPTS_ONE_CLASS,
    .accepts_with = svm_accepts,
    .traits =
        CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING | CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_svm_model),
    .tables = cairn_svm_tables,
    .account = &cairn_svm_story,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = svm_outputs,
    .fit = cairn_svm_fit,
    .lower = cairn_svm_lower,
    .predict = cairn_svm_predict,
    .describe = cairn_svm_describe,
    .explain = cairn_svm_explain,
    .figures = cairn_svm_figures,
    .archive = cairn_svm_archive,
    .check = cairn_svm_check,
    .clear = cairn_svm_clear,
    .size = svm_size,
    .pieces = svm_pieces,
    .pieces_name = "support vectors",
};
