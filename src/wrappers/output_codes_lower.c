/* SPDX-License-Identifier: MIT */
/* Many classes from two as a program: scores of the models, votes or distances, the largest. */
#include "transforms/computing.h"
#include "wrappers/output_codes.h"

/* The score of a model from its answer: slots of p(+) and p(−), or the sign of its code. */
static cairn_status lower_score(cairn_program *p, const cairn_model *model, int32_t *out)
{
    double half = model->learner->traits & CAIRN_GIVES_PROBABILITIES ? 1 : 0.5;
    double weights[] = {-half, half}, zero = 0;
    CHECK(cairn_program_member(p, model));
    if (model->learner->gives_scores && p->answer.scores >= 0) {
        int32_t in[] = {p->answer.scores, p->answer.scores + 1};
        return cairn_lower_affine(p, in, 2, 1, &zero, weights, NULL, out);
    }
    double two = 2, minus = -1;
    return cairn_lower_affine(p, &p->answer.code, 1, 1, &minus, &two, NULL, out);
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

cairn_status cairn_many_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_many_model *m = model;
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    int32_t *scores, values, sums, tied;
    cairn_decoding how;
    CHECK(cairn_many_decoding(out->ctx, &how, m->scheme, job->params));
    if (k != m->n_classes) return cairn_program_refuse(out, "some class had no training row");
    if (how.decoder > CAIRN_DECODE_LARGEST || how.decoder == CAIRN_DECODE_LOSS || n < k - 1 ||
        (how.decoder == CAIRN_DECODE_LARGEST && n != k) || how.tie == CAIRN_TIE_RANDOM)
        return cairn_program_refuse(out, "this way of decoding has no closed form here; decode by "
                                         "vote, distance or the largest score");
    CHECK(SCRATCH(out->ctx, &scores, n + 1));
    for (size_t i = 0; i < n; i++) CHECK(lower_score(out, m->models[i], &scores[i]));
    if (how.decoder == CAIRN_DECODE_LARGEST) {
        double *zeros, *ones;
        CHECK(SCRATCH(out->ctx, &zeros, k + 1));
        CHECK(SCRATCH(out->ctx, &ones, k * k));
        for (size_t j = 0; j < k; j++) ones[j * k + j] = 1;
        CHECK(cairn_lower_affine(out, scores, k, k, zeros, ones, NULL, &values));
    } else {
        CHECK(lower_values(out, m, how.decoder, scores, &values));
    }
    tied = values;
    if (how.decoder == CAIRN_DECODE_VOTE && how.tie == CAIRN_TIE_SCORE) {
        CHECK(lower_values(out, m, CAIRN_DECODE_LARGEST, scores, &sums));
        CHECK(lower_tie(out, k, values, sums, &tied));
    }
    out->answer = (cairn_program_answer){.code = -1, .number = -1, .scores = values, .n_scores = k};
    return cairn_lower_largest(out, tied, k, &out->answer.code);
}
