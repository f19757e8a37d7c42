/* SPDX-License-Identifier: MIT */
/* The passes of adaboost over its rows: what the last model answers, its error, the next weights,
 * and how well all models so far answer. Blocks of rows run side by side, and their sums are joined
 * in the order of the blocks. */
#include "base/functions.h"
#include "learners/tree/tree.h"
#include "parallel/parallel.h"
#include "wrappers/adaboost.h"
#include <math.h>
#include <string.h>

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
cairn_status cairn_ada_ask(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_rows *rows,
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

cairn_status cairn_ada_error(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_round *round)
{
    cairn_ada_rows rows = w->learned;
    row_pass pass = {.w = w, .rows = &rows};
    double sums[2];
    CHECK(run_pass(ctx, &pass, sum_errors, sums));
    round->epsilon = sums[1] > 0 ? sums[0] / sums[1] : (double)NAN;
    round->sum = sums[1];
    return CAIRN_OK;
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

cairn_status cairn_ada_weigh(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_round *round)
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

cairn_status cairn_ada_judge(cairn_context *ctx, const cairn_ada_work *w, cairn_ada_rows *rows,
                             size_t member, double *error)
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
