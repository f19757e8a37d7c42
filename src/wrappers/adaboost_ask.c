/* SPDX-License-Identifier: MIT */
/* Answers of adaboost: votes, or sums of logarithms of probabilities, for rows and as programs. */
#include "base/functions.h"
#include "transforms/computing.h"
#include "wrappers/adaboost.h"
#include <math.h>

#define LEAST_SHARE 1e-10

void cairn_ada_contribution(double *out, const double *shares, size_t k)
{
    double mean = 0;
    for (size_t c = 0; c < k; c++) {
        out[c] = cairn_log(shares[c] > LEAST_SHARE ? shares[c] : LEAST_SHARE);
        mean += out[c];
    }
    mean /= (double)k;
    for (size_t c = 0; c < k; c++) out[c] = (double)(k - 1) * (out[c] - mean);
}

/* Sums of contributions are (k − 1) times logarithms of products of probabilities. */
void cairn_ada_shares(double *out, const double *sums, size_t k)
{
    double most = sums[0], all = 0;
    for (size_t c = 1; c < k; c++)
        if (sums[c] > most) most = sums[c];
    for (size_t c = 0; c < k; c++) all += out[c] = cairn_exp((sums[c] - most) / (double)(k - 1));
    for (size_t c = 0; c < k; c++) out[c] /= all;
}

static cairn_combining rule_of(const cairn_job *job)
{
    const cairn_ada_params *p = job->params;
    return (cairn_combining){.vote =
                                 p->form == CAIRN_ADA_REAL ? CAIRN_VOTE_PROBABILITIES : p->vote};
}

static bool is_real(const cairn_job *job)
{
    return ((const cairn_ada_params *)job->params)->form == CAIRN_ADA_REAL;
}

/* -- rows -- */

typedef struct real_work {
    const cairn_members *members;
    size_t k;
    double *sums, *shares;
    cairn_prediction *out;
} real_work;

/* The sums of row r; false when no member has an answer. */
static bool sum_row(const real_work *w, const cairn_members_said *said, size_t r)
{
    bool known = false;
    for (size_t c = 0; c < w->k; c++) w->sums[c] = 0;
    for (size_t i = 0; i < w->members->n; i++) {
        const double *cells = said->cells + (i * said->n + r) * w->k;
        if (isnan(cells[0])) continue;
        known = true;
        cairn_ada_contribution(w->shares, cells, w->k);
        for (size_t c = 0; c < w->k; c++) w->sums[c] += w->members->weights[i] * w->shares[c];
    }
    return known;
}

static cairn_status answer_rows(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    const real_work *w = data;
    (void)ctx;
    for (size_t r = 0; r < said->n; r++) {
        size_t at = said->first + r, best = 0;
        bool known = sum_row(w, said, r);
        cairn_ada_shares(w->shares, w->sums, w->k);
        for (size_t c = 1; c < w->k; c++)
            if (w->shares[c] > w->shares[best]) best = c;
        if (w->out->codes) w->out->codes[at] = known ? (int32_t)best : -1;
        for (size_t c = 0; w->out->scores && c < w->k; c++)
            w->out->scores[at * w->k + c] = known ? w->shares[c] : (double)NAN;
    }
    return CAIRN_OK;
}

cairn_status cairn_ada_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    real_work w = {.members = members, .k = job->n_classes, .out = out};
    if (!is_real(job)) return cairn_members_predict(ctx, out, members, rule_of(job), job);
    CHECK(SCRATCH_RAW_EACH(ctx, w.k + 1, &w.sums, &w.shares));
    out->codes_set = true;
    return cairn_members_ask(ctx, members, rule_of(job), job, NULL, answer_rows, &w);
}

void cairn_ada_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_members_explain(out, &((const cairn_ada_model *)model)->members, rule_of(job), job, row);
    if (is_real(job))
        cairn_report_note(out, "The answer is the class with the largest product of probabilities, "
                               "not with the largest sum.");
}

/* -- programs -- */

/* weight · ln max(p, least); a member without an answer adds nothing. */
static void push_logarithm(cairn_computing *c, int32_t slot, double weight)
{
    cairn_computing_slot(c, slot);
    cairn_computing_number(c, 1);
    cairn_computing_do(c, CAIRN_DO_COALESCE, 2);
    cairn_computing_number(c, LEAST_SHARE);
    cairn_computing_do(c, CAIRN_DO_MAX, 2);
    (void)cairn_computing_function(c, "log");
    cairn_computing_number(c, weight);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
}

/* Logarithms of the products of probabilities, then their shares. */
static cairn_status lower_real(cairn_program *p, const cairn_members *members, size_t k)
{
    int32_t *firsts, *in, *places, sums, code;
    cairn_operation *op;
    CHECK(SCRATCH(p->ctx, &firsts, members->n + 1));
    CHECK(SCRATCH(p->ctx, &in, k + 1));
    for (size_t i = 0; i < members->n; i++) {
        CHECK(cairn_program_member(p, members->models[i]));
        if (p->answer.scores < 0) return cairn_program_refuse(p, "a member gives no probabilities");
        firsts[i] = p->answer.scores;
    }
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < members->n; i++)
            push_logarithm(&c, firsts[i] + (int32_t)j, members->weights[i]);
        cairn_computing_do(&c, CAIRN_DO_SUM, members->n);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, &sums));
    for (size_t j = 0; j < k; j++) in[j] = sums + (int32_t)j;
    CHECK(cairn_program_add(p, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(p, op, 0, k, &places));
    for (size_t j = 0; j < k; j++) places[j] = (int32_t)j;
    CHECK(cairn_lower_largest(p, op->out, k, &code));
    p->answer =
        (cairn_program_answer){.code = code, .number = -1, .scores = op->out, .n_scores = k};
    return CAIRN_OK;
}

cairn_status cairn_ada_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    if (is_real(job)) return lower_real(out, members, job->n_classes);
    return cairn_members_lower(out, members, rule_of(job), job);
}
