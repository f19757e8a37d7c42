/* SPDX-License-Identifier: MIT */
/* Members as a program: their programs one after the other, then the vote or the mean. */
#include "transforms/computing.h"
#include "wrappers/members.h"

cairn_status cairn_member_lower_code(cairn_program *out, const cairn_model *model, int32_t *code)
{
    CHECK(cairn_program_member(out, model));
    *code = out->answer.code;
    if (*code >= 0) return CAIRN_OK;
    return cairn_lower_largest(out, out->answer.scores, out->answer.n_scores, code);
}

/* Push 1 where the class in the slot is c. */
static void push_vote(cairn_computing *c, int32_t code, size_t j, double weight)
{
    cairn_computing_slot(c, code);
    cairn_computing_number(c, (double)j);
    cairn_computing_do(c, CAIRN_DO_EQUAL, 2);
    cairn_computing_number(c, weight);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
}

static void push_share(cairn_computing *c, int32_t scores, size_t j, double weight)
{
    cairn_computing_slot(c, scores + (int32_t)j);
    cairn_computing_number(c, weight);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
}

/* Where a member's answer is found. */
typedef struct member_answer {
    int32_t first;    /* slot of its class, or of its first score */
    bool scored;      /* it is a score */
    int32_t *classes; /* its codes of the classes; NULL = the same */
} member_answer;

/* Totals of all classes. */
static cairn_status lower_totals(cairn_program *p, const cairn_members *members,
                                 cairn_combining rule, const member_answer *answers, size_t k,
                                 int32_t *out)
{
    bool weighs = rule.vote == CAIRN_VOTE_WEIGHTED || rule.vote == CAIRN_VOTE_PROBABILITIES;
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < members->n; i++) {
            const member_answer *a = &answers[i];
            double weight = weighs ? members->weights[i] : 1;
            size_t own = a->classes ? (size_t)a->classes[j] : j;
            if (a->scored)
                push_share(&c, a->first, own, weight);
            else
                push_vote(&c, a->first, own, weight);
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, members->n);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

static void push_all(cairn_computing *c, int32_t totals, size_t k, int instruction)
{
    for (size_t j = 0; j < k; j++) cairn_computing_slot(c, totals + (int32_t)j);
    cairn_computing_do(c, instruction, k);
}

/* Totals as shares, and which of them are as good as the largest. */
static cairn_status lower_shares(cairn_program *p, int32_t totals, size_t k, int32_t *shares,
                                 int32_t *best)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, totals + (int32_t)j);
        push_all(&c, totals, k, CAIRN_DO_SUM);
        cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, shares));
    c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, totals + (int32_t)j);
        push_all(&c, totals, k, CAIRN_DO_MAX);
        push_all(&c, totals, k, CAIRN_DO_SUM);
        cairn_computing_number(&c, CAIRN_POLL_ROUNDING);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        cairn_computing_do(&c, CAIRN_DO_GREATER_EQUAL, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, best);
}

/* The winner, -2 without a majority where one is asked for, -1 where nobody has an answer. */
static cairn_status lower_winner(cairn_program *p, int32_t totals, size_t k, int32_t first,
                                 double half, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    push_all(&c, totals, k, CAIRN_DO_SUM);
    cairn_computing_number(&c, 0);
    cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    if (half > 0) {
        push_all(&c, totals, k, CAIRN_DO_MAX);
        cairn_computing_number(&c, half);
        cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    }
    cairn_computing_slot(&c, first);
    if (half > 0) cairn_computing_number(&c, -2);
    if (half > 0) cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_number(&c, -1);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, out);
}

/* Totals of the classes from the answers of all members; the first of the largest wins. */
static cairn_status lower_vote(cairn_program *p, const cairn_members *members, cairn_combining rule,
                               const cairn_job *job)
{
    bool shares = rule.vote == CAIRN_VOTE_PROBABILITIES;
    member_answer *answers;
    int32_t totals, scores, best, first, code;
    size_t k = job->n_classes;
    CHECK(SCRATCH(p->ctx, &answers, members->n + 1));
    for (size_t i = 0; i < members->n; i++) {
        member_answer *a = &answers[i];
        CHECK(cairn_member_lower_code(p, members->models[i], &a->first));
        a->scored = shares && p->answer.scores >= 0 && members->models[i]->learner->gives_scores;
        if (a->scored) a->first = p->answer.scores;
        CHECK(cairn_member_classes(p->ctx, &a->classes, members->models[i], job));
    }
    CHECK(lower_totals(p, members, rule, answers, k, &totals));
    CHECK(lower_shares(p, totals, k, &scores, &best));
    CHECK(cairn_lower_largest(p, best, k, &first));
    CHECK(lower_winner(p, totals, k, first,
                       rule.vote == CAIRN_VOTE_MAJORITY ? (double)members->n / 2 : 0, &code));
    p->answer = (cairn_program_answer){.code = code, .number = -1, .scores = scores, .n_scores = k};
    return CAIRN_OK;
}

static cairn_status lower_mean(cairn_program *p, const cairn_members *members, cairn_combining rule)
{
    int32_t *numbers, out;
    double *weights, sum = 0, zero = 0;
    CHECK(SCRATCH(p->ctx, &numbers, members->n + 1));
    CHECK(SCRATCH(p->ctx, &weights, members->n + 1));
    for (size_t i = 0; i < members->n; i++) {
        weights[i] = rule.average == CAIRN_AVERAGE_WEIGHTED ? members->weights[i] : 1;
        sum += weights[i];
        CHECK(cairn_program_member(p, members->models[i]));
        numbers[i] = p->answer.number;
    }
    for (size_t i = 0; i < members->n; i++) weights[i] /= sum;
    CHECK(cairn_lower_affine(p, numbers, members->n, 1, &zero, weights, NULL, &out));
    p->answer = (cairn_program_answer){.code = -1, .number = out, .scores = -1};
    return CAIRN_OK;
}

cairn_status cairn_members_lower(cairn_program *out, const cairn_members *members,
                                 cairn_combining rule, const cairn_job *job)
{
    if (job->task == CAIRN_CLASSIFY) return lower_vote(out, members, rule, job);
    if (rule.average == CAIRN_AVERAGE_MEDIAN)
        return cairn_program_refuse(
            out, "%s",
            cairn_say(out->ctx, "a program has no operation for the median of its members; fit it "
                                "with {average mean}"));
    return lower_mean(out, members, rule);
}
