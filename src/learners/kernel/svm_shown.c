/* SPDX-License-Identifier: MIT */
/* Slacks, groups, objectives and equations of a solved support vector machine: see svm_shown.h. */
#include "learners/kernel/svm_shown.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "rows/matrix.h"

#include <math.h>
#include <stdio.h>

enum { MOST_FACTOR = 1000 };

static cairn_status make_prefix(cairn_context *ctx, const char **out, size_t n, size_t k)
{
    char *prefix;
    CHECK(SCRATCH(ctx, &prefix, 40));
    if (n > 1) snprintf(prefix, 40, "machine%zu.", k + 1);
    *out = prefix;
    return CAIRN_OK;
}

cairn_status cairn_svm_shown_of(cairn_context *ctx, cairn_svm_shown *out,
                                const cairn_svm_model *model, const cairn_svm_account *account,
                                const cairn_job *job, size_t k)
{
    const cairn_svm_machine *one = &account->machines[k];
    double squared = 0, size = 1;
    *out = (cairn_svm_shown){.model = model,
                             .one = one,
                             .params = job->params,
                             .job = job,
                             .k = k,
                             .numbers = model->task == CAIRN_REGRESS};
    for (size_t i = 0; i < one->n; i++)
        squared += one->betas[i] * (one->scores[i] - model->constants[k]);
    out->norm = sqrt(fmax(squared, 0));
    for (size_t i = 0; i < one->n; i++) size = fmax(size, fabs(one->targets[i]));
    out->tolerance = fmax(1e-8 * size, one->gap);
    CHECK(make_prefix(ctx, &out->prefix, account->n_machines, k));
    return cairn_term_names(ctx, &out->terms, job->schema);
}

cairn_svm_group cairn_svm_group_of(const cairn_svm_shown *s, size_t i)
{
    double alpha = fabs(s->one->betas[i]);
    if (alpha <= 1e-8 * fmin(1, s->one->bounds[i])) return CAIRN_SVM_ZERO;
    if (s->params->loss == CAIRN_SVM_SQUARED) return CAIRN_SVM_INSIDE;
    return alpha >= s->one->bounds[i] * (1 - 1e-12) ? CAIRN_SVM_AT_BOUND : CAIRN_SVM_INSIDE;
}

double cairn_svm_functional(const cairn_svm_shown *s, size_t i)
{
    return s->one->targets[i] * s->one->scores[i];
}

double cairn_svm_residual(const cairn_svm_shown *s, size_t i)
{
    return s->one->targets[i] - s->one->scores[i];
}

double cairn_svm_slack(const cairn_svm_shown *s, size_t i)
{
    double over =
        s->numbers ? fabs(cairn_svm_residual(s, i)) - s->one->rho : 1 - cairn_svm_functional(s, i);
    return over > s->tolerance ? over : 0;
}

bool cairn_svm_on_margin(const cairn_svm_shown *s, size_t i)
{
    double over =
        s->numbers ? fabs(cairn_svm_residual(s, i)) - s->one->rho : 1 - cairn_svm_functional(s, i);
    return fabs(over) <= s->tolerance;
}

const char *cairn_svm_state(const cairn_svm_shown *s, size_t i)
{
    double functional = cairn_svm_functional(s, i);
    if (cairn_svm_on_margin(s, i)) return s->numbers ? "on tube" : "on margin";
    if (cairn_svm_slack(s, i) == 0) return s->numbers ? "in tube" : "ok";
    if (s->numbers) return "outside";
    if (fabs(functional) <= s->tolerance) return "on boundary";
    return functional > 0 ? "in margin" : "misclassified";
}

double cairn_svm_slack_sum(const cairn_svm_shown *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->one->n; i++) sum += cairn_svm_slack(s, i);
    return sum;
}

/* The bounds of C S^k are the weights times C k S^(k-1), with S the sum of the slacks: so Σ bound ξ
 * is k times the cost, and what the dual takes off k - 1 times. */
double cairn_svm_primal(const cairn_svm_shown *s)
{
    double cost = 0;
    bool squared = s->params->loss == CAIRN_SVM_SQUARED;
    for (size_t i = 0; i < s->one->n; i++) {
        double slack = cairn_svm_slack(s, i);
        if (slack > 0) cost += s->one->bounds[i] * (squared ? slack * slack : slack);
    }
    cost /= s->params->slack_power;
    return s->norm * s->norm / 2 + cost;
}

double cairn_svm_dual(const cairn_svm_shown *s)
{
    double sum = -s->norm * s->norm / 2;
    for (size_t i = 0; i < s->one->n; i++)
        sum += s->one->betas[i] * s->one->targets[i] -
               s->numbers * s->one->rho * fabs(s->one->betas[i]);
    for (size_t i = 0; s->params->loss == CAIRN_SVM_SQUARED && i < s->one->n; i++)
        sum -= s->one->betas[i] * s->one->betas[i] / (4 * s->one->bounds[i]);
    for (size_t i = 0; s->params->slack_power > 1 && i < s->one->n; i++) {
        double k = s->params->slack_power, slack = cairn_svm_slack(s, i);
        if (slack > 0) sum -= (k - 1) / k * s->one->bounds[i] * slack;
    }
    return sum;
}

/* How far a row is from what its group asks for: α = 0 outside or on the margin, 0 < α < C on it,
 * α = C on it or inside. */
static double kkt_of(const cairn_svm_shown *s, size_t i)
{
    double over =
        s->numbers ? fabs(cairn_svm_residual(s, i)) - s->one->rho : 1 - cairn_svm_functional(s, i);
    if (s->params->loss == CAIRN_SVM_SQUARED)
        return fabs(fmax(over, 0) - fabs(s->one->betas[i]) / (2 * s->one->bounds[i]));
    switch (cairn_svm_group_of(s, i)) {
    case CAIRN_SVM_ZERO: return fmax(over, 0);
    case CAIRN_SVM_INSIDE: return fabs(over);
    case CAIRN_SVM_AT_BOUND: return fmax(-over, 0);
    }
    return 0;
}

double cairn_svm_kkt(const cairn_svm_shown *s, size_t *row)
{
    double worst = 0;
    *row = 0;
    for (size_t i = 0; i < s->one->n; i++)
        if (kkt_of(s, i) > worst) {
            worst = kkt_of(s, i);
            *row = i;
        }
    return worst;
}

bool cairn_svm_gap_is_closed(const cairn_svm_shown *s, double primal, double dual)
{
    double allowed = 1e-6 * primal, unit = s->numbers ? fmax(1, s->one->rho) : 1;
    bool width = s->numbers && s->params->type == CAIRN_SVM_NU; /* it costs, too */
    for (size_t i = 0; i < s->one->n; i++) {
        double alpha = fabs(s->one->betas[i]), bound = s->one->bounds[i];
        allowed += s->tolerance * unit * (isfinite(bound) ? fmax(alpha, bound - alpha) : alpha);
        if (width) allowed += 1e-6 * s->params->nu * bound * s->one->rho;
    }
    return fabs(primal - dual) <= allowed;
}

double cairn_svm_weight(const cairn_svm_shown *s, size_t term)
{
    double weight = s->model->weights[term * s->model->n_machines + s->k];
    return fabs(weight) > 1e-14 * s->norm ? weight : 0;
}

bool cairn_svm_integers(const cairn_svm_shown *s, double *out)
{
    size_t n = s->model->n_terms;
    double least = INFINITY, first = 0;
    for (size_t t = 0; t < n; t++) {
        double size = fabs(cairn_svm_weight(s, t));
        if (size > 1e-9 * s->norm) least = fmin(least, size);
        if (size > 1e-9 * s->norm && first == 0) first = cairn_svm_weight(s, t);
    }
    if (isinf(least)) return false;
    for (int factor = 1; factor <= MOST_FACTOR; factor++) {
        double by = factor / least * (first < 0 ? -1 : 1);
        bool whole = true;
        for (size_t t = 0; whole && t < n; t++) {
            out[t] = round(cairn_svm_weight(s, t) * by);
            whole = fabs(cairn_svm_weight(s, t) * by - out[t]) <= 1e-7 && fabs(out[t]) <= 1e4;
        }
        out[n] = s->model->constants[s->k] * by;
        if (whole) return true;
    }
    return false;
}

void cairn_svm_add_equation(cairn_text *text, const cairn_svm_shown *s, const double *plane,
                            double level)
{
    bool any = false;
    double size = fabs(plane[s->model->n_terms]);
    for (size_t t = 0; t < s->model->n_terms; t++) size = fmax(size, fabs(plane[t]));
    for (size_t t = 0; t < s->model->n_terms; t++)
        if (fabs(plane[t]) > 1e-12 * size) cairn_add_term(text, &any, plane[t], s->terms[t], true);
    if (fabs(plane[s->model->n_terms]) > 1e-12 * size || !any)
        cairn_add_term(text, &any, plane[s->model->n_terms], NULL, false);
    if (isnan(level)) return;
    cairn_text_add(text, " = ");
    cairn_text_add_number(text, level, 6);
}

const char *cairn_svm_row_name(const cairn_svm_shown *s, size_t i, char *room)
{
    snprintf(room, 24, "%d", (int)s->one->rows[i] + 1);
    return room;
}
