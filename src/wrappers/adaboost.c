/* SPDX-License-Identifier: MIT */
/* AdaBoost: one learner fitted again and again to the same rows, which weigh more where the models
 * so far were wrong; the models vote by how good they were.
 *
 * Method, for k classes:
 * 1. Every row weighs 1/n (or its share of the weights that are given).
 * 2. A model is fitted to the rows with these weights. Its error ε is the weight of the rows that
 *    it gets wrong.
 * 3. A model that is no better than chance, ε ≥ 1 − 1/k, is dropped, and there are no more rounds.
 * 4. Its vote weighs α = ½ (ln((1 − ε) / ε) + ln(k − 1)). Weights of rows that it gets wrong are
 *    multiplied by e^α / Z, the others by e^(−α) / Z, where Z makes them sum to 1: with two classes
 *    that is a division by 2ε and by 2(1 − ε), and half of the weight is on the errors.
 * 5. Back to 2. The answer is the class whose voters weigh most.
 *
 * The real form takes probabilities p of the models: a model adds h(c) = (k − 1) (ln p(c) − mean of
 * ln p) to the sum of class c, and the weight of a row of class y is multiplied by
 * e^(−h(y) / (k − 1)).
 *
 * Choices: unless another base is given, stumps have the least weighted error of two classes. Of
 * more classes a stump that names two of them says little by its error, and Gini's index looks at
 * all of them; so with probabilities. A model without errors would have infinitely many votes, so
 * it answers alone. When the
 * first model is no better than chance it answers alone as well, with a warning. Probabilities
 * below 1e-10 count as that. The base gets weights that sum to what the rows weigh, so that counts
 * of rows (smoothing, least sizes) keep their meaning; one that takes no weights gets rows that are
 * drawn by weight. Missing answers are wrong ones. With rows held out, the rounds up to the best
 * answers for them are kept.
 *
 * Cost: a fit and a prediction of the base per round. Sources: Freund and Schapire, A
 * decision-theoretic generalization of on-line learning (1997); Schapire and Singer, Improved
 * boosting algorithms (1999); Zhu and others, Multi-class AdaBoost (2009). */
#include "base/functions.h"
#include "base/need.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "learners/tree/tree.h"
#include "parallel/parallel.h"
#include "solve/progress.h"
#include "solve/solvers.h"
#include "transforms/computing.h"
#include "wrappers/adaboost.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers of adaboost: votes, or sums of logarithms of probabilities, for rows and as programs. */

#define LEAST_SHARE 1e-10

/* What a vector of probabilities adds to the sums of the classes (SAMME.R). */
static void cairn_ada_contribution(double *out, const double *shares, size_t k)
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
static void cairn_ada_shares(double *out, const double *sums, size_t k)
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

/* Members without an answer for a row are passed over; a row that none of them answers has none.
 * Of equal shares the first class wins. */
static cairn_status answer_rows(cairn_context *ctx, void *data, const cairn_members_said *said)
{
    const real_work *w = data;
    (void)ctx;
    for (size_t r = 0; r < said->n; r++) {
        size_t at = said->first + r, best = 0;
        /* The sums of row r; false when no member has an answer. */
        bool known = false;
        for (size_t c = 0; c < w->k; c++) w->sums[c] = 0;
        for (size_t i = 0; i < w->members->n; i++) {
            const double *cells = said->cells + (i * said->n + r) * w->k;
            if (isnan(cells[0])) continue;
            known = true;
            cairn_ada_contribution(w->shares, cells, w->k);
            for (size_t c = 0; c < w->k; c++) w->sums[c] += w->members->weights[i] * w->shares[c];
        }
        cairn_ada_shares(w->shares, w->sums, w->k);
        for (size_t c = 1; c < w->k; c++)
            if (w->shares[c] > w->shares[best]) best = c;
        if (w->out->codes) w->out->codes[at] = known ? (int32_t)best : -1;
        for (size_t c = 0; w->out->scores && c < w->k; c++)
            w->out->scores[at * w->k + c] = known ? w->shares[c] : (double)NAN;
    }
    return CAIRN_OK;
}

static cairn_status cairn_ada_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                      const cairn_job *job)
{
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    real_work w = {.members = members, .k = job->n_classes, .out = out};
    if (!is_real(job)) return cairn_members_predict(ctx, out, members, rule_of(job), job);
    CHECK(SCRATCH_RAW_EACH(ctx, w.k + 1, &w.sums, &w.shares));
    out->codes_set = true;
    return cairn_members_ask(ctx, members, rule_of(job), job, NULL, answer_rows, &w);
}

static void cairn_ada_explain(cairn_report *out, const void *model, const cairn_job *job,
                              size_t row)
{
    cairn_members_explain(out, &((const cairn_ada_model *)model)->members, rule_of(job), job, row);
    if (is_real(job))
        cairn_report_note(out, "The answer is the class with the largest product of probabilities, "
                               "not with the largest sum.");
}

/* -- programs -- */

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
        for (size_t i = 0; i < members->n; i++) {
            /* weight · ln max(p, least); a member without an answer adds nothing. */
            int32_t slot = firsts[i] + (int32_t)j;
            double weight = members->weights[i];
            cairn_computing_slot(&c, slot);
            cairn_computing_number(&c, 1);
            cairn_computing_do(&c, CAIRN_DO_COALESCE, 2);
            cairn_computing_number(&c, LEAST_SHARE);
            cairn_computing_do(&c, CAIRN_DO_MAX, 2);
            (void)cairn_computing_function(&c, "log");
            cairn_computing_number(&c, weight);
            cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        }
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

static cairn_status cairn_ada_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    if (is_real(job)) return lower_real(out, members, job->n_classes);
    return cairn_members_lower(out, members, rule_of(job), job);
}

/* The passes of adaboost over its rows: what the last model answers, its error, the next weights,
 * and how well all models so far answer. Blocks of rows run side by side, and their sums are joined
 * in the order of the blocks. */

enum { BLOCK = 1 << 15 };

/* -- asking -- */

static int32_t first_largest(const double *shares, size_t k)
{
    size_t best = 0;
    if (isnan(shares[0])) return -1;
    for (size_t c = 1; c < k; c++)
        if (shares[c] > shares[best]) best = c;
    return (int32_t)best;
}

/* The answers about rows that differ in nothing but their side are those of one row of each. */
static cairn_status answer_sides(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_rows *rows,
                                 const cairn_model *model, const uint8_t *sides)
{
    uint32_t asked[2] = {rows->rows[0], rows->rows[0]};
    bool seen[2] = {false, false};
    int32_t codes[2];
    double *said;
    for (size_t i = 0; i < rows->n && !(seen[0] && seen[1]); i++) {
        if (seen[sides[i]]) continue;
        seen[sides[i]] = true;
        asked[sides[i]] = rows->rows[i];
    }
    CHECK(SCRATCH_RAW(ctx, &said, 2 * w->width));
    cairn_rows two = {.indices = asked, .n = 2};
    CHECK(cairn_member_answers(ctx, said, w->width, model, w->job, two));
    for (size_t s = 0; s < 2; s++)
        codes[s] = w->width > 1     ? first_largest(said + s * w->k, w->k)
                   : isnan(said[s]) ? -1
                                    : (int32_t)said[s];
    for (size_t i = 0; i < rows->n; i++) rows->answers[i] = codes[sides[i]];
    for (size_t i = 0; w->width > 1 && i < rows->n; i++)
        memcpy(rows->said + i * w->k, said + sides[i] * w->k, w->k * sizeof *said);
    return CAIRN_OK;
}

/* Stumps are not asked about every row: the codes that they were grown from say the side. */
static cairn_status cairn_ada_ask(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_rows *rows,
                                  size_t member)
{
    SCOPED_SCRATCH(ctx);
    const cairn_model *model = w->model->members.models[member];
    cairn_rows all = {.indices = rows->rows, .n = rows->n};
    double *said = rows->said;
    uint8_t *sides;
    bool found = false;
    if (rows == &w->learned && w->nested.shared) {
        CHECK(SCRATCH_RAW(ctx, &sides, rows->n + 1));
        CHECK(cairn_tree_sides(ctx, sides, &found, rows->n, w->nested.shared, model));
        if (found) return answer_sides(ctx, w, rows, model, sides);
    }
    if (!said) CHECK(SCRATCH_RAW(ctx, &said, rows->n + 1));
    CHECK(cairn_member_answers(ctx, said, w->width, model, w->job, all));
    for (size_t i = 0; i < rows->n; i++)
        rows->answers[i] = w->width > 1     ? first_largest(said + i * w->k, w->k)
                           : isnan(said[i]) ? -1
                                            : (int32_t)said[i];
    return CAIRN_OK;
}

/* -- passes -- */

typedef struct row_pass {
    const cairn_ada_work *w;
    cairn_ada_rows *rows;
    const cairn_ada_round *round;
    double vote;
    double needed; /* votes that an answer must exceed */
    double *h;     /* workers x k */
    double *parts; /* blocks x 2: what they add up */
} row_pass;

/* Run a pass; `sums` gets the two sums of all blocks. */
static cairn_status run_pass(cairn_context *ctx, row_pass *pass, cairn_block_function function,
                             double sums[2])
{
    SCOPED_SCRATCH(ctx);
    size_t n = pass->rows->n, blocks = cairn_block_count(n, BLOCK), k = pass->w->k;
    CHECK(SCRATCH(ctx, &pass->parts, 2 * blocks + 2));
    CHECK(SCRATCH_RAW(ctx, &pass->h, cairn_product((size_t)cairn_workers(ctx), k) + 1));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, (double)n * (double)pass->w->width, function, pass));
    sums[0] = sums[1] = 0;
    for (size_t b = 0; b < blocks; b++) {
        sums[0] += pass->parts[2 * b];
        sums[1] += pass->parts[2 * b + 1];
    }
    return CAIRN_OK;
}

static void sum_errors(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const row_pass *pass = data;
    const double *weights = pass->w->weights;
    double wrong = 0, all = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        all += weights[i];
        wrong += pass->rows->answers[i] != pass->rows->actual[i] ? weights[i] : 0;
    }
    pass->parts[2 * block] = wrong;
    pass->parts[2 * block + 1] = all;
}

/* -- weighing -- */

static void weigh_votes(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const row_pass *pass = data;
    const cairn_ada_work *w = pass->w;
    double scale = w->total / pass->round->sum;
    double right = pass->round->right * scale, wrong = pass->round->wrong * scale;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        w->next[i] =
            w->weights[i] * (pass->rows->answers[i] == pass->rows->actual[i] ? right : wrong);
}

/* By how much the weight of a row is multiplied, before the sum is what it was again. */
static double own_factor(const cairn_ada_work *w, size_t i, double *h)
{
    const double *said = w->learned.said + i * w->k;
    if (isnan(said[0])) return 1;
    cairn_ada_contribution(h, said, w->k);
    return cairn_exp(-w->params->eta * h[w->learned.actual[i]] / (double)(w->k - 1));
}

static void weigh_shares(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const row_pass *pass = data;
    const cairn_ada_work *w = pass->w;
    double *h = pass->h + (size_t)worker * w->k, sum = 0;
    for (size_t i = begin; i < end; i++) sum += w->next[i] = w->weights[i] * own_factor(w, i, h);
    pass->parts[2 * block] = sum;
}

/* The weights of the next round; the real form learns Z on the way. */
static cairn_status cairn_ada_weigh(cairn_context *ctx, const cairn_ada_work *w,
                                    cairn_ada_round *round)
{
    cairn_ada_rows rows = w->learned;
    row_pass pass = {.w = w, .rows = &rows, .round = round};
    double sums[2];
    if (w->width == 1) return run_pass(ctx, &pass, weigh_votes, sums);
    CHECK(run_pass(ctx, &pass, weigh_shares, sums));
    round->z = sums[0] / round->sum;
    for (size_t i = 0; sums[0] > 0 && i < rows.n; i++) w->next[i] *= w->total / sums[0];
    return CAIRN_OK;
}

/* -- judging -- */

/* One more vote: the class that gets it may become the leader. */
static inline void count_vote(cairn_ada_rows *rows, size_t i, size_t k, double vote)
{
    int32_t class = rows->answers[i], leader = rows->leaders[i];
    if (class < 0) return;
    double *sums = rows->sums + i * k;
    sums[class] += vote;
    double slack = CAIRN_POLL_ROUNDING * sums[leader];
    if (sums[class] > sums[leader] + slack ||
        (class < leader && sums[class] >= sums[leader] - slack))
        rows->leaders[i] = class;
}

static void add_shares(const row_pass *pass, size_t i, double *h)
{
    size_t k = pass->w->k;
    const double *said = pass->rows->said + i * k;
    double *sums = pass->rows->sums + i * k;
    if (isnan(said[0])) return;
    cairn_ada_contribution(h, said, k);
    for (size_t c = 0; c < k; c++) sums[c] += pass->vote * h[c];
    pass->rows->leaders[i] = first_largest(sums, k);
}

/* By majority, a leader without more than half of the votes is no answer. */
static bool answered_rightly(const row_pass *pass, size_t i)
{
    const cairn_ada_rows *rows = pass->rows;
    int32_t leader = rows->leaders[i];
    return leader == rows->actual[i] && rows->sums[i * pass->w->k + (size_t)leader] > pass->needed;
}

static void judge_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const row_pass *pass = data;
    cairn_ada_rows *rows = pass->rows;
    double wrong = 0, all = 0;
    for (size_t i = begin; i < end; i++) {
        if (pass->w->width == 1)
            count_vote(rows, i, pass->w->k, pass->vote);
        else
            add_shares(pass, i, pass->h + (size_t)worker * pass->w->k);
        all += rows->given[i];
        wrong += answered_rightly(pass, i) ? 0 : rows->given[i];
    }
    pass->parts[2 * block] = wrong;
    pass->parts[2 * block + 1] = all;
}

/* Add what the last model, which is member `member`, said to the sums; the share by weight of the
 * rows that all members so far answer wrongly, or not at all. */
static cairn_status cairn_ada_judge(cairn_context *ctx, const cairn_ada_work *w,
                                    cairn_ada_rows *rows, size_t member, double *error)
{
    bool real = w->params->form == CAIRN_ADA_REAL;
    bool weighs = real || w->params->vote == CAIRN_VOTE_WEIGHTED;
    bool half = !real && w->params->vote == CAIRN_VOTE_MAJORITY;
    row_pass pass = {.w = w,
                     .rows = rows,
                     .vote = weighs ? w->model->members.weights[member] : 1,
                     .needed = half ? (double)(member + 1) / 2 : -INFINITY};
    double sums[2];
    CHECK(run_pass(ctx, &pass, judge_rows, sums));
    *error = sums[1] > 0 ? sums[0] / sums[1] : (double)NAN;
    return CAIRN_OK;
}

static const cairn_choice form_choices[] = {
    {"discrete", CAIRN_ADA_DISCRETE, "models vote for a class; of more than two classes SAMME"},
    {"m1", CAIRN_ADA_M1, "the formulas of two classes for any number of them: errors below 1/2"},
    {"real", CAIRN_ADA_REAL,
     "models give probabilities, whose logarithms are added; of more than two classes SAMME.R"},
    {0},
};
static const cairn_choice vote_choices[] = {
    {"weighted", CAIRN_VOTE_WEIGHTED, "the class whose voters weigh the most"},
    {"plurality", CAIRN_VOTE_PLURALITY, "one model, one vote"},
    {"majority", CAIRN_VOTE_MAJORITY, "more than half of the models, else no answer"},
    {0},
};
static const cairn_choice sampling_choices[] = {
    {"auto", CAIRN_ADA_IF_NEEDED, "if the base takes no weights"},
    {"always", CAIRN_ADA_ALWAYS, "whatever the base takes"},
    {0},
};
static const cairn_choice protocol_choices[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all, by their weights, as {resample} says"},
    {"random", CAIRN_PROTOCOL_RANDOM, "as many as there are, drawn by their weights, with repeats"},
    {"online", CAIRN_PROTOCOL_ONLINE,
     "is refused: a round weighs every row by how the rounds before it answered that row, which a "
     "row that is seen once cannot be"},
    {0},
};
/* Stumps of the least weighted error, which is what the method asks of its models. */
#define STUMP "tree:max-depth=1,impurity=minority"
static const cairn_param base_table[] = {
    CAIRN_WRAPPER_BASE(STUMP),
    CAIRN_WRAPPER_WITH,
    CAIRN_PARAM_END,
};

static const cairn_param ada_param_table[] = {
    CAIRN_PARAM_GROUP(cairn_ada_params, wrapper, base_table),
    CAIRN_PARAM(cairn_ada_params, rounds, "50", "[1,65536]", "most models", .often = true),
    CAIRN_PARAM_CHOICE(cairn_ada_params, form, "discrete", form_choices,
                       "what models say and what it is worth", .often = true),
    CAIRN_PARAM(cairn_ada_params, eta, "1", "(0,1]",
                "learning rate: how much of the weight of a vote is taken"),
    CAIRN_PARAM_CHOICE(cairn_ada_params, vote, "weighted", vote_choices,
                       "how the votes become an answer; of equal classes the first wins",
                       .when = "!form=real"),
    CAIRN_PARAM_CHOICE(cairn_ada_params, resample, "auto", sampling_choices,
                       "draw rows by their weights, with replacement, in place of weighing them",
                       .when = "protocol=batch"),
    CAIRN_PARAM_CHOICE(cairn_ada_params, protocol, "batch", protocol_choices,
                       "which rows a round takes"),
    CAIRN_PARAM(cairn_ada_params, hold_out, "0", "[0,1)",
                "share of the rows that judge every round; the rounds up to the best are kept",
                .often = true),
    CAIRN_PARAM(cairn_ada_params, patience, "10", "[1,inf)",
                "stop after so many rounds that were not better for the rows held out",
                .when = "!hold_out=0"),
    CAIRN_PARAM_END,
};

static cairn_status ada_check(cairn_context *ctx, const void *values)
{
    const cairn_ada_params *p = values;
    if (p->protocol == CAIRN_PROTOCOL_ONLINE)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{protocol online}: a round of boosting weighs every row by how the "
                          "rounds before it answered that row, and a row that is seen once has "
                          "only one of them; {protocol random} draws the rows of every round, and "
                          "'perceptron', 'logistic' and 'bayes' learn from rows seen once");
    return cairn_wrapper_check(ctx, "adaboost", &p->wrapper, NULL);
}

/* -- the rows -- */

static cairn_status take_rows(cairn_context *ctx, cairn_ada_rows *out, const cairn_job *job,
                              const uint32_t *positions, size_t n)
{
    out->n = n;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &out->rows, &out->actual, &out->given));
    for (size_t i = 0; i < n; i++) {
        out->rows[i] = (uint32_t)cairn_view_row(job->view, positions[i]);
        out->actual[i] = job->view->target->codes[out->rows[i]];
        out->given[i] = cairn_view_weight(job->view, positions[i]);
    }
    return CAIRN_OK;
}

/* Every row is held out with that probability; both parts stay in the order of the rows. */
static cairn_status part_rows(cairn_context *ctx, cairn_ada_work *w)
{
    size_t n = w->job->view->rows.n, learned = 0, held = 0;
    double share = w->params->hold_out;
    uint32_t *first, *second;
    cairn_random random;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &first, &second));
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_MAX);
    for (size_t i = 0; i < n; i++)
        if (share > 0 && cairn_random_uniform(&random) < share)
            second[held++] = (uint32_t)i;
        else
            first[learned++] = (uint32_t)i;
    if (share > 0 && (held == 0 || learned == 0)) {
        char value[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, share, CAIRN_SHORTEST);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "adaboost: {hold-out %s} of %zu rows leaves none to %s; give more rows or "
            "another share",
            value, n, held ? "learn from" : "judge by");
    }
    CHECK(take_rows(ctx, &w->learned, w->job, first, learned));
    return take_rows(ctx, &w->held, w->job, second, held);
}

/* Room for answers, and for the sums of those that are judged by them. */
static cairn_status start_answers(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_rows *rows,
                                  bool judged)
{
    static const char *const what = "the score of every row for every class";
    CHECK(SCRATCH_RAW(ctx, &rows->answers, rows->n + 1));
    if (w->width > 1)
        CHECK(SCRATCH_MATRIX(ctx, &rows->said, rows->n, w->k, what, CAIRN_FEWER_CLASSES));
    if (!judged) return CAIRN_OK;
    CHECK(SCRATCH_MATRIX(ctx, &rows->sums, rows->n, w->k, what, CAIRN_FEWER_CLASSES));
    return SCRATCH(ctx, &rows->leaders, rows->n + 1);
}

/* -- a model -- */

/* The base on the rows with the weights of the round. Its warnings would come again with every
 * model, so that only the first one's are heard. */
static cairn_status fit_base(cairn_context *ctx, cairn_ada_work *w, size_t round,
                             cairn_report *part)
{
    cairn_members *members = &w->model->members;
    cairn_rows rows = {.indices = w->learned.rows, .n = w->learned.n, .weights = w->weights};
    cairn_log_function log = ctx->log;
    if (w->resampled) {
        /* Rows drawn by weight: n points of the sum of all weights, from a stream of the round. */
        size_t n = w->learned.n;
        double sum = 0;
        cairn_random random;
        cairn_random_start(&random, cairn_context_seed(ctx), round);
        for (size_t i = 0; i < n; i++) w->next[i] = sum += w->weights[i];
        for (size_t i = 0; i < n; i++) {
            double point = cairn_random_uniform(&random) * sum;
            size_t low = 0, high = n - 1; /* the first whose sum is above the point */
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (w->next[middle] > point)
                    high = middle;
                else
                    low = middle + 1;
            }
            w->drawn[i] = w->learned.rows[low];
        }
        rows = (cairn_rows){.indices = w->drawn, .n = w->learned.n};
    }
    if (round > 1) ctx->log = NULL;
    cairn_status status = cairn_member_fit_rows(ctx, &members->models[round - 1], &w->nested,
                                                w->nested.table, rows, part);
    ctx->log = log;
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "adaboost: round %zu", round);
    CHECK(status);
    members->n = round;
    return CAIRN_OK;
}

/* -- a round -- */

/* Classes in the formulas. */
static double classes_of(const cairn_ada_work *w)
{
    return w->params->form == CAIRN_ADA_M1 ? 2 : (double)w->k;
}

static double chance(const cairn_ada_work *w)
{
    return 1 - 1 / classes_of(w);
}

/* Models from `n` on are forgotten. */
static void keep_first(cairn_ada_work *w, size_t n)
{
    cairn_members *members = &w->model->members;
    for (size_t i = n; i < members->n; i++) {
        cairn_model_free(members->models[i]);
        members->models[i] = NULL;
    }
    members->n = n;
}

/* One round: fit, ask, decide, weigh anew. *end says what follows. */
static cairn_status run_round(cairn_context *ctx, cairn_ada_work *w, cairn_ada_round *r,
                              cairn_ada_end *end)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_members *members = &w->model->members;
    bool shown = w->job->steps && r->number <= CAIRN_MEMBERS_SHOWN;
    if (shown) CHECK(cairn_report_new(ctx, &part));
    CHECK(fit_base(ctx, w, r->number, part));
    CHECK(cairn_ada_ask(ctx, w, &w->learned, r->number - 1));
    /* The error of the last model and the sum of the weights. */
    cairn_ada_rows rows = w->learned;
    row_pass pass = {.w = w, .rows = &rows};
    double sums[2];
    CHECK(run_pass(ctx, &pass, sum_errors, sums));
    r->epsilon = sums[1] > 0 ? sums[0] / sums[1] : (double)NAN;
    r->sum = sums[1];
    r->alpha = w->params->eta;
    r->wrong = r->right = r->z = NAN;
    if (w->width == 1) {
        double e = r->epsilon;
        r->alpha = w->params->eta * 0.5 * (cairn_log((1 - e) / e) + cairn_log(classes_of(w) - 1));
        double up = cairn_exp(r->alpha), down = cairn_exp(-r->alpha);
        r->z = e > 0 && e < 1 ? (1 - e) * down + e * up : 0; /* as ε gets there */
        r->wrong = up / r->z;
        r->right = down / r->z;
    }
    CHECK(cairn_ada_weigh(ctx, w, r));
    /* What the error means: whether the model stays and whether there are more rounds. */
    bool stays = w->width > 1 && fabs(r->z - 1) < 1e-12; /* equal probabilities: nothing changes */
    bool useless = stays || !(r->epsilon < chance(w));
    if (useless)
        *end = r->number > 1 ? CAIRN_ADA_CHANCE : CAIRN_ADA_ONLY_CHANCE;
    else
        *end = r->epsilon > 0 ? CAIRN_ADA_ALL_ROUNDS : CAIRN_ADA_PERFECT;
    bool goes_on = *end == CAIRN_ADA_ALL_ROUNDS;
    if (shown) cairn_ada_show_round(w, r, goes_on, part);
    members->weights[r->number - 1] = goes_on || w->width > 1 ? r->alpha : 1;
    if (goes_on) {
        double *next = w->next;
        w->next = w->weights;
        w->weights = next;
    }
    return CAIRN_OK;
}

/* -- all rounds -- */

/* What the end of the rounds means for the models. */
static void settle(cairn_context *ctx, cairn_ada_work *w, cairn_ada_end end, double epsilon)
{
    size_t n = w->model->members.n;
    if (w->history) w->history->end = (int32_t)end;
    if (end == CAIRN_ADA_CHANCE) {
        if (w->history) w->history->last = epsilon;
        keep_first(w, n - 1);
    } else if (end == CAIRN_ADA_PERFECT && w->width == 1) {
        /* The last model answers alone. */
        cairn_members *members = &w->model->members;
        cairn_model *last = members->models[members->n - 1];
        for (size_t i = 0; i + 1 < members->n; i++) cairn_model_free(members->models[i]);
        for (size_t i = 0; i < members->n; i++) members->models[i] = NULL;
        members->models[0] = last;
        members->weights[0] = 1;
        members->n = 1;
    } else if (end == CAIRN_ADA_ONLY_CHANCE) {
        cairn_warn(ctx,
                   "adaboost: the first model is no better than chance, so there is nothing to "
                   "boost and it answers alone; choose another {learner}");
    }
}

/* Rounds until one of the reasons to stop. The rounds up to the best for rows held out stay. */
static cairn_status run_rounds(cairn_context *ctx, cairn_ada_work *w)
{
    size_t most = (size_t)w->params->rounds;
    cairn_progress progress = {.what = "adaboost", .most = most, .tolerance = 0, .keep = 1};
    cairn_ada_end end = CAIRN_ADA_ALL_ROUNDS;
    cairn_ada_round r = {0};
    double held;
    if (w->held.n) progress.patience = (size_t)w->params->patience;
    CHECK(cairn_progress_start(ctx, &progress, 1));
    while (cairn_progress_goes_on(&progress) && end == CAIRN_ADA_ALL_ROUNDS) {
        r.number = progress.iterations + 1;
        CHECK(run_round(ctx, w, &r, &end));
        if (end == CAIRN_ADA_CHANCE) break;
        cairn_ada_history *a = w->history;
        if (a) {
            a->epsilon[r.number - 1] = r.epsilon;
            a->alpha[r.number - 1] = r.alpha;
            a->z[r.number - 1] = r.z;
            a->n = r.number;
        }
        /* After a round: how well all models so far answer. */
        size_t round = r.number;
        held = NAN;
        if (a) CHECK(cairn_ada_judge(ctx, w, &w->learned, round - 1, &a->error[round - 1]));
        if (w->held.n) {
            CHECK(cairn_ada_ask(ctx, w, &w->held, round - 1));
            CHECK(cairn_ada_judge(ctx, w, &w->held, round - 1, &held));
        }
        if (a) a->held[round - 1] = held;
        CHECK(cairn_progress_next(ctx, &progress, r.epsilon, NAN, 1));
        if (w->held.n) cairn_progress_held(&progress, held);
    }
    bool patient = end == CAIRN_ADA_ALL_ROUNDS || end == CAIRN_ADA_CHANCE;
    settle(ctx, w, end, r.epsilon);
    if (!w->held.n || !patient || !progress.best_iteration) return CAIRN_OK;
    if (progress.converged && w->history) w->history->end = CAIRN_ADA_PATIENCE;
    keep_first(w, progress.best_iteration);
    return CAIRN_OK;
}

/* -- the history -- */

/* The sums of the models that stayed, and how well they answer. */
static cairn_status sum_again(cairn_context *ctx, cairn_ada_work *w, cairn_ada_rows *rows,
                              double *error)
{
    memset(rows->sums, 0, rows->n * w->k * sizeof(double));
    memset(rows->leaders, 0, rows->n * sizeof *rows->leaders);
    for (size_t i = 0; i < w->model->members.n; i++) {
        CHECK(cairn_ada_ask(ctx, w, rows, i));
        CHECK(cairn_ada_judge(ctx, w, rows, i, error));
    }
    return CAIRN_OK;
}

/* Quantiles of the margins, the least and the largest among them. */
static cairn_status keep_margins(cairn_context *ctx, cairn_ada_work *w)
{
    cairn_ada_history *a = w->history;
    size_t n = w->learned.n, kept = n < CAIRN_ADA_MOST_MARGINS ? n : CAIRN_ADA_MOST_MARGINS;
    double *margins = w->next, *shares; /* there are no further rounds */
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &shares, w->k + 1));
    for (size_t i = 0; i < n; i++) {
        /* By how much the share of the row's class is above the best other one. */
        const double *sums = w->learned.sums + i * w->k;
        size_t actual = (size_t)w->learned.actual[i];
        double other = -INFINITY, all = 0;
        if (w->width > 1)
            cairn_ada_shares(shares, sums, w->k);
        else
            for (size_t c = 0; c < w->k; c++) all += sums[c];
        for (size_t c = 0; w->width == 1 && c < w->k; c++) shares[c] = all > 0 ? sums[c] / all : 0;
        for (size_t c = 0; c < w->k; c++)
            if (c != actual && shares[c] > other) other = shares[c];
        margins[i] = shares[actual] - other;
    }
    qsort(margins, n, sizeof *margins, cairn_by_number);
    CHECK(NEW(ctx, &a->margins, kept));
    for (size_t i = 0; i < kept; i++)
        a->margins[i] = margins[kept > 1 ? i * (n - 1) / (kept - 1) : 0];
    a->n_margins = kept;
    return CAIRN_OK;
}

/* Rows that weigh most after the last round, the first of equal ones. */
static cairn_status keep_heaviest(cairn_context *ctx, cairn_ada_work *w)
{
    cairn_ada_history *a = w->history;
    size_t n = w->learned.n, kept = n < CAIRN_ADA_HEAVIEST ? n : CAIRN_ADA_HEAVIEST;
    CHECK(NEW_EACH(ctx, kept, &a->heavy_rows, &a->heavy_weights));
    for (size_t i = 0; i < n; i++) {
        size_t at = a->n_heavy;
        while (at > 0 && w->weights[i] / w->total > a->heavy_weights[at - 1]) at--;
        if (at == kept) continue;
        size_t moved = (a->n_heavy < kept ? a->n_heavy : kept - 1) - at;
        memmove(a->heavy_rows + at + 1, a->heavy_rows + at, moved * sizeof(double));
        memmove(a->heavy_weights + at + 1, a->heavy_weights + at, moved * sizeof(double));
        a->heavy_rows[at] = (double)w->learned.rows[i] + 1;
        a->heavy_weights[at] = w->weights[i] / w->total;
        if (a->n_heavy < kept) a->n_heavy++;
    }
    return CAIRN_OK;
}

/* -- the learner -- */

/* Weights come from the round alone. */
static void hide_weight_column(cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_WEIGHT);
    if (at >= 0) table->slots[at].role = CAIRN_IGNORED;
}

/* The real form needs probabilities; a base without weights is given rows that are drawn. */
static cairn_status check_base(cairn_context *ctx, cairn_ada_work *w)
{
    const cairn_params *base = w->params->wrapper.learner;
    const cairn_learner *record = (const cairn_learner *)base->entry;
    bool weighs = cairn_learner_accepts(record, base->values) & CAIRN_ACCEPTS_WEIGHTS;
    bool drawn =
        w->params->resample == CAIRN_ADA_ALWAYS || w->params->protocol == CAIRN_PROTOCOL_RANDOM;
    w->resampled = drawn || !weighs;
    if (!weighs && !drawn)
        cairn_warn(ctx, "adaboost: %s takes no weights, so rows are drawn by their weights instead",
                   record->entry.name);
    if (w->params->form != CAIRN_ADA_REAL ||
        cairn_learner_gives_probabilities(record, base->values))
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "adaboost: {form real} needs probabilities, which %s does not give; wrap it "
                      "in 'calibrated', or take {form discrete}",
                      record->entry.name);
}

/* Rows, weights and room first; the history is filled after the rounds, of the models that stay. */
static cairn_status boost(cairn_context *ctx, cairn_ada_work *w)
{
    cairn_ada_history *a = w->history;
    size_t rounds = (size_t)w->params->rounds;
    CHECK(part_rows(ctx, w));
    /* The weights of the first round. */
    size_t n = w->learned.n;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &w->weights, &w->next));
    if (w->resampled) CHECK(SCRATCH_RAW(ctx, &w->drawn, n + 1));
    for (size_t i = 0; i < n; i++) w->total += w->learned.given[i];
    if (!(w->total > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "adaboost: the rows that are left to learn from weigh nothing; give "
                          "another {hold-out} share");
    memcpy(w->weights, w->learned.given, n * sizeof *w->weights);
    CHECK(start_answers(ctx, w, &w->learned, a != NULL));
    CHECK(start_answers(ctx, w, &w->held, true));
    CHECK(cairn_members_buffer(ctx, &w->model->members, rounds));
    w->model->members.n = 0; /* as many as are made */
    if (a) {
        CHECK(NEW_EACH(ctx, rounds, &a->epsilon, &a->alpha, &a->z, &a->error, &a->held));
    }
    /* What the base makes of the rows that is the same in all rounds is made once. */
    cairn_shared shared = {0};
    cairn_view view = *w->job->view;
    view.rows = (cairn_rows){.indices = w->learned.rows, .n = w->learned.n};
    cairn_status status = cairn_members_share(ctx, &w->nested, &shared, &view);
    if (!status) status = run_rounds(ctx, w);
    cairn_members_unshare(&w->nested);
    CHECK(status);
    if (!a) return CAIRN_OK;
    a->resampled = w->resampled;
    a->n_held = (double)w->held.n;
    /* Errors of all rounds are those of the model, unless some of their models were left out. */
    a->training_error = a->error[a->n - 1];
    a->held_error = a->held[a->n - 1];
    if (w->model->members.n != a->n) {
        CHECK(sum_again(ctx, w, &w->learned, &a->training_error));
        if (w->held.n) CHECK(sum_again(ctx, w, &w->held, &a->held_error));
    }
    CHECK(keep_heaviest(ctx, w));
    return keep_margins(ctx, w);
}

/* The stumps that nobody asked for, of more than two classes or of probabilities; NULL = the base
 * as it is. The caller frees them. */
static cairn_status choose_stumps(cairn_context *ctx, cairn_params **out, const cairn_ada_work *w)
{
    *out = NULL;
    if (strcmp(w->params->wrapper.base, STUMP) != 0 || (w->k <= 2 && w->width == 1))
        return CAIRN_OK;
    CHECK(cairn_params_copy(ctx, out, w->params->wrapper.learner));
    return cairn_params_set(ctx, *out, "impurity", "gini");
}

/* The weights of a round are the only ones that the base may see, so the column of weights is
 * hidden. */
static cairn_status ada_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_ada_params *p = job->params;
    bool real = p->form == CAIRN_ADA_REAL;
    OWNED(cairn_params_free) cairn_params *stumps = NULL;
    cairn_ada_work w = {.job = job,
                        .params = p,
                        .model = model,
                        .history = job->history,
                        .k = job->n_classes,
                        .width = real ? job->n_classes : 1};
    CHECK(check_base(ctx, &w));
    CHECK(cairn_nested_open(ctx, &w.nested, "adaboost", &p->wrapper, job, real));
    hide_weight_column(w.nested.table);
    cairn_status status = choose_stumps(ctx, &stumps, &w);
    if (stumps) w.nested.params = stumps;
    if (!status) status = boost(ctx, &w);
    cairn_nested_close(&w.nested);
    return status;
}

/* -- the record -- */

static cairn_status ada_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_ada_params *p = job->params;
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    CHECK(cairn_members_check_loaded(a, members, job));
    for (size_t i = 0; p->form == CAIRN_ADA_REAL && i < members->n; i++)
        if (!members->models[i]->learner->gives_scores)
            return cairn_archive_damaged(a, "a member gives no probabilities");
    return CAIRN_OK;
}

static const cairn_kept ada_keeps[] = {
    KEEP_PART(cairn_ada_model, members, .rows = cairn_members_keeps),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {
    KEEP_SIZE(cairn_ada_history, n, CAIRN_MOST_MEMBERS, .name = "rounds"),
    KEEP_CHOICE(cairn_ada_history, end, 0, CAIRN_ADA_ENDS - 1, "the rounds end in no known way"),
    KEEP(cairn_ada_history, resampled, last, training_error, held_error, n_held),
    KEEP_ARRAYS(cairn_ada_history, "n", epsilon, alpha, z, error, held),
    KEEP_SIZE(cairn_ada_history, n_margins, CAIRN_ADA_MOST_MARGINS),
    KEEP_ARRAYS(cairn_ada_history, "n_margins", margins),
    KEEP_SIZE(cairn_ada_history, n_heavy, CAIRN_ADA_HEAVIEST),
    KEEP_ARRAYS(cairn_ada_history, "n_heavy", heavy_rows, heavy_weights),
    KEEP_END,
};

static const cairn_history ada_histories = {
    .size = sizeof(cairn_ada_history),
    .keeps = history_keeps,
    .reports = CAIRN_REPORTS_ACCURACY,
};

enum {
    ADA_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE | CAIRN_GIVES_PROBABILITIES
};

static unsigned ada_traits(const void *params)
{
    const cairn_ada_params *p = params;
    bool abstains = p->form != CAIRN_ADA_REAL && p->vote == CAIRN_VOTE_MAJORITY;
    return ADA_TRAITS | (abstains ? CAIRN_MAY_ABSTAIN : 0);
}

const cairn_learner cairn_adaboost = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "adaboost",
              .also = "boosting, boosted stumps, decision stumps, SAMME, SAMME.R, discrete "
                      "AdaBoost, real AdaBoost, AdaBoost.M1, AdaBoostClassifier, AdaBoostM1",
              .about = "LogitBoost",
              .title = "AdaBoost",
              .summary =
                  "Fits a learner again and again to the same rows, which weigh more where the "
                  "models so far were wrong, and lets the models vote by how good they were. "
                  "The base may be weak, as long as it is better than chance: without options it "
                  "is a stump, a tree of one test. Two classes or more, by votes or by "
                  "probabilities (--form). A base that takes no weights gets rows that are drawn "
                  "by weight. It makes up for what a base is too simple to say; wrong labels get "
                  "more and more weight.",
              .references =
                  "Freund and Schapire, A decision-theoretic generalization of on-line learning "
                  "and an application to boosting (1997); Zhu, Zou, Rosset and Hastie, "
                  "Multi-class AdaBoost (2009)",
              .example = "cairn fit adaboost @breast-cancer --rounds 20",
              .params = ada_param_table,
              .params_size = sizeof(cairn_ada_params),
              .check = ada_check},
    .tasks = CAIRN_CLASSIFY,
    .space = "rounds=10,25,50,100",
    .accepts = CAIRN_WRAPPER_ACCEPTS,
    .traits = ADA_TRAITS,
    .reports = CAIRN_REPORTS_ACCURACY,
    .model_size = sizeof(cairn_ada_model),
    .tables = cairn_members_tables,
    .member = cairn_members_first,
    .history = &ada_histories,
    .gives_scores = true,
    .sets_codes = true,
    .fit = ada_fit,
    .lower = cairn_ada_lower,
    .predict = cairn_ada_predict,
    .describe = cairn_ada_describe,
    .figures = cairn_ada_figures,
    .explain = cairn_ada_explain,
    .keeps = ada_keeps,
    .parameters = "members.n", /* their votes */
    .check = ada_check_loaded,
    .traits_with = ada_traits,
};

const cairn_members *cairn_adaboost_members(const cairn_model *model)
{
    return model->learner == &cairn_adaboost ? &((const cairn_ada_model *)model->state)->members
                                             : NULL;
}
