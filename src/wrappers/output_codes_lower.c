/* SPDX-License-Identifier: MIT */
/* Many classes from two as a program: scores of the models, votes or distances, the largest. */
#include "base/functions.h"
#include "transforms/computing.h"
#include "wrappers/output_codes.h"

enum { REJECTED = -2 };

/* The score of a model from its answer: slots of p(+) and p(−), or the sign of its code. */
static cairn_status lower_score(cairn_program *p, const cairn_model *model, int32_t *out)
{
    double half =
        cairn_learner_gives_probabilities(model->learner, model->params->values) ? 1 : 0.5;
    double weights[] = {-half, half}, zero = 0;
    CHECK(cairn_program_member(p, model));
    if (model->learner->gives_scores && p->answer.scores >= 0) {
        int32_t in[] = {p->answer.scores, p->answer.scores + 1};
        return cairn_lower_affine(p, in, 2, 1, &zero, weights, NULL, out);
    }
    double two = 2, minus = -1;
    return cairn_lower_affine(p, &p->answer.code, 1, 1, &minus, &two, NULL, out);
}

/* The loss of the margin on top of the stack; see cairn_margin_loss. */
static void lower_loss(cairn_computing *c, cairn_loss loss)
{
    bool one_side = loss == CAIRN_LOSS_HINGE || loss == CAIRN_LOSS_SQUARED_ONE_SIDE;
    bool square = loss == CAIRN_LOSS_SQUARED || loss == CAIRN_LOSS_SQUARED_ONE_SIDE;
    if (loss == CAIRN_LOSS_ZERO_ONE) {
        cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_GREATER, 2);
        cairn_computing_do(c, CAIRN_DO_NOT, 1);
        return;
    }
    cairn_computing_number(c, -700);
    cairn_computing_do(c, CAIRN_DO_MAX, 2);
    cairn_computing_number(c, -1);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
    if (one_side || square) {
        cairn_computing_number(c, 1);
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        if (one_side) cairn_computing_number(c, 0);
        if (one_side) cairn_computing_do(c, CAIRN_DO_MAX, 2);
        if (square) (void)cairn_computing_function(c, "square");
        return;
    }
    (void)cairn_computing_function(c, "exp");
    if (loss == CAIRN_LOSS_EXPONENTIAL) return;
    (void)cairn_computing_function(c, "log1p");
    cairn_computing_number(c, cairn_log(2));
    cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
}

/* Losses of all classes with their sign turned; a model that knows nothing of a class costs 1. */
static cairn_status lower_losses(cairn_program *p, const cairn_many_model *m, cairn_loss loss,
                                 const int32_t *scores, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    size_t n = m->matrix.n_models;
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        cairn_computing_number(&c, -1);
        for (size_t i = 0; i < n; i++) {
            cairn_computing_slot(&c, scores[i]);
            cairn_computing_number(&c, m->matrix.codes[j * n + i]);
            cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
            lower_loss(&c, loss);
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, n);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* One model per class, or for all but the last, which has 0. */
static cairn_status lower_own(cairn_program *p, size_t k, size_t n, const int32_t *scores,
                              int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        if (j < n)
            cairn_computing_slot(&c, scores[j]);
        else
            cairn_computing_number(&c, 0);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

static void push_fires(cairn_computing *c, int32_t score)
{
    cairn_computing_slot(c, score);
    cairn_computing_number(c, 0);
    cairn_computing_do(c, CAIRN_DO_GREATER, 2);
}

/* The first model that fires, else the last class. */
static cairn_status lower_order(cairn_program *p, size_t k, size_t n, const int32_t *scores,
                                int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t i = 0; i < n; i++) {
        push_fires(&c, scores[i]);
        cairn_computing_number(&c, (double)i);
    }
    cairn_computing_number(&c, (double)k - 1);
    for (size_t i = 0; i < n; i++) cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, out);
}

/* The only model that fires; none stands for the last class where that has no model; else the row
 * is rejected. */
static cairn_status lower_unique(cairn_program *p, size_t k, size_t n, const int32_t *scores,
                                 int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    int32_t fired;
    for (size_t i = 0; i < n; i++) push_fires(&c, scores[i]);
    cairn_computing_do(&c, CAIRN_DO_SUM, n);
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &fired));
    c = cairn_computing_start(p);
    cairn_computing_slot(&c, fired);
    cairn_computing_number(&c, 1);
    cairn_computing_do(&c, CAIRN_DO_EQUAL, 2);
    for (size_t i = 0; i < n; i++) {
        push_fires(&c, scores[i]);
        cairn_computing_number(&c, (double)i);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
    }
    cairn_computing_do(&c, CAIRN_DO_SUM, n);
    push_fires(&c, fired);
    cairn_computing_number(&c, REJECTED);
    cairn_computing_number(&c, n < k ? (double)k - 1 : REJECTED);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, out);
}

/* Votes, distances with their sign turned, or sums of scores of all classes. */
static cairn_status lower_values(cairn_program *p, const cairn_many_model *m,
                                 cairn_code_decoder decoder, const int32_t *scores, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    size_t n = m->matrix.n_models;
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        size_t terms = 1;
        cairn_computing_number(&c, 0);
        for (size_t i = 0; i < n; i++) {
            double code = m->matrix.codes[j * n + i];
            bool distance = decoder == CAIRN_DECODE_DISTANCE;
            if (code == 0 && !distance) continue;
            terms++;
            cairn_computing_slot(&c, scores[i]);
            if (decoder == CAIRN_DECODE_LARGEST) {
                cairn_computing_number(&c, code);
                cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
                continue;
            }
            cairn_computing_number(&c, 0);
            cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
            cairn_computing_number(&c, distance ? -(1 - code) / 2 : code > 0);
            cairn_computing_number(&c, distance ? -(1 + code) / 2 : code < 0);
            cairn_computing_do(&c, CAIRN_DO_IF, 3);
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, terms);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* Of the classes with the most votes that with the larger sum of scores keeps it, the others get a
 * number below all. */
static cairn_status lower_tie(cairn_program *p, size_t k, int32_t votes, int32_t sums, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, votes + (int32_t)j);
        for (size_t l = 0; l < k; l++) cairn_computing_slot(&c, votes + (int32_t)l);
        cairn_computing_do(&c, CAIRN_DO_MAX, k);
        cairn_computing_do(&c, CAIRN_DO_GREATER_EQUAL, 2);
        cairn_computing_slot(&c, sums + (int32_t)j);
        cairn_computing_number(&c, -1e300);
        cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* What the classes are compared by. */
static cairn_status lower_compared(cairn_program *p, const cairn_many_model *m,
                                   const cairn_decoding *how, const int32_t *scores, int32_t *out)
{
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    if (how->decoder >= CAIRN_DECODE_LARGEST) return lower_own(p, k, n, scores, out);
    if (how->decoder == CAIRN_DECODE_LOSS) return lower_losses(p, m, how->loss, scores, out);
    return lower_values(p, m, how->decoder, scores, out);
}

static cairn_status lower_code(cairn_program *p, const cairn_many_model *m,
                               const cairn_decoding *how, const int32_t *scores, int32_t values)
{
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    int32_t sums, *code = &p->answer.code;
    if (how->decoder == CAIRN_DECODE_ORDER) return lower_order(p, k, n, scores, code);
    if (how->decoder == CAIRN_DECODE_UNIQUE) return lower_unique(p, k, n, scores, code);
    if (how->decoder == CAIRN_DECODE_VOTE && how->tie == CAIRN_TIE_SCORE) {
        CHECK(lower_values(p, m, CAIRN_DECODE_LARGEST, scores, &sums));
        CHECK(lower_tie(p, k, values, sums, &values));
    }
    return cairn_lower_largest(p, values, k, code);
}

cairn_status cairn_many_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_many_model *m = model;
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    int32_t *scores, values;
    cairn_decoding how;
    CHECK(cairn_many_decoding(out->ctx, &how, m->scheme, job->params));
    if (k != m->n_classes) return cairn_program_refuse(out, "some class had no training row");
    if (how.decoder == CAIRN_DECODE_VOTE && how.tie == CAIRN_TIE_RANDOM)
        return cairn_program_refuse(out, "equal votes are settled by chance, which a program has "
                                         "none of; fit it with another vote-tie");
    CHECK(SCRATCH(out->ctx, &scores, n + 1));
    for (size_t i = 0; i < n; i++) CHECK(lower_score(out, m->models[i], &scores[i]));
    CHECK(lower_compared(out, m, &how, scores, &values));
    out->answer = (cairn_program_answer){.code = -1, .number = -1, .scores = values, .n_scores = k};
    return lower_code(out, m, &how, scores, values);
}
