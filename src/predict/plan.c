/* SPDX-License-Identifier: MIT */
/* Preparing the program of a model: which form each operation gets. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/row_product.h"
#include "predict/plan.h"
#include "rows/row_losses.h"
#include <math.h>

/* The short way of rows without a missing cell.
 *
 * Where no cell is missing, what is filled is the cell itself and no answer is left blank. Such
 * slots are other names of the slots behind them; steps that read the whole of their inputs from
 * one place (reads_x) are led to the caller's row, and from the answers backwards only the steps
 * that are still needed are kept. */

typedef struct shortening {
    const cairn_row_plan *plan;
    int32_t *alias; /* n_slots: the slot that holds the same number in a complete row */
    bool *needed;   /* n_slots: somebody reads it */
} shortening;

/* The slot of an input: fills of several operations are one step. */
static int32_t slot_in(const cairn_row_plan_step *step, size_t i)
{
    bool filled = step->op->kind == CAIRN_OP_FILL && step->own;
    return filled ? step->from + (int32_t)i : step->op->in[i];
}

static bool is_raw(const shortening *s, int32_t slot)
{
    return (size_t)s->alias[slot] < s->plan->n_inputs;
}

/* -- other names -- */

/* Answers that are never left blank, because all cells that are looked at are the caller's. */
static void name_answers(shortening *s, const cairn_row_plan_step *step)
{
    size_t n = (size_t)step->op->sizes[0];
    for (size_t i = 0; i < n; i++)
        if (!is_raw(s, step->op->in[i])) return;
    for (size_t i = 0; i < step->n_out; i++)
        s->alias[step->out + (int32_t)i] = s->alias[step->op->in[n + i]];
}

/* -- answers -- */

/* Where n slots have their other names, if those follow each other as they do. */
static int32_t real_slots(const shortening *s, int32_t first, size_t n)
{
    if (first < 0 || n == 0) return first;
    for (size_t i = 1; i < n; i++)
        if (s->alias[first + (int32_t)i] != s->alias[first] + (int32_t)i) return first;
    return s->alias[first];
}

static void need(shortening *s, int32_t first, size_t n)
{
    for (size_t i = 0; first >= 0 && i < n; i++) s->needed[(size_t)first + i] = true;
}

/* -- steps -- */

/* Whether one of n slots is needed. */
static bool is_needed(const shortening *s, int32_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s->needed[(size_t)first + i]) return true;
    return false;
}

/* Whether all that a step reads lies in the caller's row as it does among the slots. */
static bool reads_row(const shortening *s, const cairn_row_plan_step *step)
{
    if (!step->reads_x || step->n_in == 0) return false;
    int32_t shift = step->from - s->alias[step->from];
    for (size_t i = 0; i < step->n_in; i++) {
        int32_t slot = slot_in(step, i);
        if (!is_raw(s, slot) || slot - s->alias[slot] != shift) return false;
    }
    return is_raw(s, step->from);
}

/* The form of a step; `last` = only its last output is asked for. */
static cairn_row_form choose_form(const cairn_row_plan_step *step, bool raw, bool last)
{
    if (last && step->code.one) return step->code;
    if (last && raw && step->complete_code.one) return step->complete_code;
    return raw && step->complete.one ? step->complete : step->any;
}

/* From the answers back to the row. */
static cairn_status shorten_plan(cairn_context *ctx, shortening *s, cairn_quick_plan *out,
                                 bool scores)
{
    size_t n = s->plan->n_steps, at = n;
    CHECK(NEW(ctx, &out->steps, n));
    for (size_t i = 0; i < s->plan->program.n_slots; i++) s->needed[i] = false;
    cairn_program_answer a = s->plan->answer;
    a.code = real_slots(s, a.code, 1);
    a.number = real_slots(s, a.number, 1);
    a.scores = real_slots(s, a.scores, a.n_scores);
    need(s, a.code, 1);
    need(s, a.number, 1);
    if (scores) need(s, a.scores, a.n_scores);
    out->answer = a;
    for (size_t i = n; i-- > 0;) {
        const cairn_row_plan_step *step = &s->plan->steps[i];
        if (is_needed(s, step->out, step->n_out)) {
            /* A step of the short way, and what it needs. */
            const cairn_row_plan_step *before = step->before, *reader = step;
            bool last = !is_needed(s, step->out, step->n_out - 1);
            cairn_quick_step quick = {.step = step, .raw = reads_row(s, step), .from = step->from};
            quick.form = choose_form(step, quick.raw, last);
            if (quick.raw) quick.from = s->alias[step->from];
            if (last && before) reader = before;
            for (size_t j = 0; !quick.raw && j < reader->n_in; j++)
                s->needed[slot_in(reader, j)] = true;
            out->steps[--at] = quick;
        }
    }
    for (size_t i = at; i < n; i++) out->steps[i - at] = out->steps[i];
    out->n_steps = n - at;
    out->copies = is_needed(s, 0, s->plan->n_inputs);
    return CAIRN_OK;
}

/* The short ways, after all steps are there. */
static cairn_status cairn_row_plan_shorten(cairn_context *ctx, cairn_row_plan *plan)
{
    SCOPED_SCRATCH(ctx);
    shortening s = {.plan = plan};
    CHECK(SCRATCH_EACH(ctx, plan->program.n_slots, &s.alias, &s.needed));
    for (size_t i = 0; i < s.plan->program.n_slots; i++) s.alias[i] = (int32_t)i;
    for (size_t i = 0; i < s.plan->n_steps; i++) {
        const cairn_row_plan_step *step = &s.plan->steps[i];
        if (step->op->kind == CAIRN_OP_FILL) {
            for (size_t j = 0; j < step->n_out; j++)
                if (is_raw(&s, slot_in(step, j)))
                    s.alias[step->out + (int32_t)j] = s.alias[slot_in(step, j)];
        }
        if (step->op->kind == CAIRN_OP_BLANK) name_answers(&s, step);
    }
    for (int with = 0; with < 2; with++)
        CHECK(shorten_plan(ctx, &s, &plan->quick[with], with != 0));
    return CAIRN_OK;
}

/* -- running -- */

bool cairn_quick_plan_run_all(const cairn_quick_plan *plan, const cairn_row_block *rows)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const cairn_quick_step *s = &plan->steps[i];
        cairn_row_block own = *rows;
        if (!s->raw) own.x_step = (ptrdiff_t)rows->width;
        own.x = (s->raw ? rows->x : rows->v) + s->from;
        if (s->form.all) {
            if (!s->form.all(s->step, &own)) return false;
            continue;
        }
        for (size_t r = 0; r < rows->n; r++)
            if (!s->form.one(s->step, own.x + (ptrdiff_t)r * own.x_step, own.v + r * own.width))
                return false;
    }
    return true;
}

static bool run_ready(const cairn_row_plan_step *step, const double *x, double *v)
{
    (void)x;
    cairn_ready_op_run(step->ready, v);
    return true;
}

/* The first of n slots that follow each other, -1 = they do not. */
static int32_t run_of(const int32_t *slots, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (slots[i] != slots[0] + (int32_t)i) return -1;
    return n ? slots[0] : -1;
}

/* -- linear scores -- */

typedef struct scores {
    bool gathers;   /* the inputs do not follow each other */
    size_t n_fused; /* terms of the product; the others are added behind the constant */
    cairn_row_product product;
    cairn_few_rows_product products;
    double weights[]; /* n_in x n_out */
} scores;

/* What comes behind the product of a row: the constants, and the other terms one by one, as the
 * rows of a table are scored (rows/matrix.h). */
static inline void finish_scores(const cairn_row_plan_step *step, const double *x, double *out)
{
    const cairn_operation *op = step->op;
    const scores *s = step->own;
    for (size_t k = 0; k < op->n_out; k++) out[k] += op->numbers[0][k];
    for (size_t j = s->n_fused; j < op->n_in; j++) {
        const double *weights = s->weights + j * op->n_out;
        for (size_t k = 0; x[j] != 0 && k < op->n_out; k++) out[k] += x[j] * weights[k];
    }
}

static bool run_scores(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *op = step->op;
    const scores *s = step->own;
    double *out = v + op->out, *gathered = v + op->work;
    for (size_t j = 0; s->gathers && j < op->n_in; j++) gathered[j] = v[op->in[j]];
    if (s->gathers) x = gathered;
    s->product(out, x, s->n_fused, s->weights, op->n_out);
    finish_scores(step, x, out);
    return true;
}

static bool run_scores_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    const cairn_operation *op = step->op;
    const scores *s = step->own;
    cairn_few_rows few = {.x = rows->x,
                          .x_step = rows->x_step,
                          .out = rows->v + op->out,
                          .out_step = rows->width,
                          .n = rows->n};
    s->products(&few, s->n_fused, s->weights, op->n_out);
    for (size_t r = 0; r < rows->n; r++)
        finish_scores(step, rows->x + (ptrdiff_t)r * rows->x_step, few.out + r * rows->width);
    return true;
}

/* Inputs that stand side by side are read where they are, for many rows at once too; others are
 * gathered first. */
static cairn_status plan_scores(cairn_context *ctx, cairn_row_plan *plan, cairn_row_plan_step *step,
                                cairn_operation *op)
{
    void *block;
    size_t n = cairn_product(op->n_in, op->n_out);
    CHECK(cairn_new(ctx, &block, sizeof(scores) + cairn_product(n, sizeof(double)), 1, true));
    scores *s = block;
    s->gathers = run_of(op->in, op->n_in) < 0;
    s->n_fused = (size_t)op->fused;
    s->product = cairn_row_product_for(op->n_out);
    s->products = cairn_few_rows_product_for(op->n_out);
    for (size_t k = 0; k < op->n_out; k++)
        for (size_t j = 0; j < op->n_in; j++)
            s->weights[j * op->n_out + k] = op->numbers[1][k * op->n_in + j];
    if (s->gathers) cairn_op_work(&plan->program, op, op->n_in);
    step->own = s;
    step->clear = cairn_free;
    step->any.one = run_scores;
    step->reads_x = !s->gathers;
    step->from = s->gathers ? 0 : op->in[0];
    if (step->reads_x) step->any.all = run_scores_all;
    return CAIRN_OK;
}

/* -- sums as programs make them -- */

enum {
    SUMS = 8
}; /* rows that are summed at a time: while one sum is waited for the others go on */

/* n rows of a block from `first` on, the terms one by one behind the constant. */
static inline void sum_rows(const cairn_operation *op, const cairn_row_block *rows, size_t first,
                            size_t n)
{
    const double *x = rows->x + (ptrdiff_t)first * rows->x_step, *centres = op->numbers[2];
    double *out = rows->v + first * rows->width + op->out, sums[SUMS];
    for (size_t k = 0; k < op->n_out; k++) {
        const double *weights = op->numbers[1] + k * op->n_in;
        for (size_t r = 0; r < n; r++) sums[r] = op->numbers[0][k];
        for (size_t j = 0; j < op->n_in; j++) {
            double centre = centres ? centres[j] : 0;
            for (size_t r = 0; r < n; r++)
                sums[r] += weights[j] * (x[(ptrdiff_t)r * rows->x_step + (ptrdiff_t)j] - centre);
        }
        for (size_t r = 0; r < n; r++) out[r * rows->width + k] = sums[r];
    }
}

static bool run_sums(const cairn_row_plan_step *step, const double *x, double *v)
{
    cairn_row_block row = {.x = x, .v = v, .n = 1};
    sum_rows(step->op, &row, 0, 1);
    return true;
}

static bool run_sums_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    size_t r = 0;
    for (; r + SUMS <= rows->n; r += SUMS) sum_rows(step->op, rows, r, SUMS);
    for (; r < rows->n; r++) sum_rows(step->op, rows, r, 1);
    return true;
}

static void plan_sums(cairn_row_plan_step *step)
{
    const cairn_operation *op = step->op;
    if (run_of(op->in, op->n_in) < 0) return;
    step->any = (cairn_row_form){run_sums, run_sums_all};
    step->reads_x = true;
    step->from = op->in[0];
}

/* -- probabilities of classes -- */

/* As logistic regression makes them of its scores. */
static bool run_softmax(const cairn_row_plan_step *step, const double *x, double *v)
{
    (void)x;
    const cairn_operation *op = step->op;
    const int32_t *places = op->codes[0];
    double *shares = v + op->work, *out = v + op->out, rest = 1;
    for (size_t i = 0; i < op->n_in; i++) shares[i] = v[op->in[i]];
    for (size_t i = 0; i < op->n_out; i++) out[i] = 0;
    cairn_softmax_shares(shares, op->n_in, op->sizes[0]);
    for (size_t i = 0; i < op->n_in; i++) {
        out[places[i]] = shares[i];
        rest -= shares[i];
    }
    if (op->sizes[0]) out[places[op->n_in]] = rest > 0 || isnan(rest) ? rest : 0;
    return true;
}

/* As the program does it, without the step over the exported form. */
static bool run_logistic(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *op = step->op;
    double a = v[op->in[0]], e = cairn_exp(-fabs(a)), *out = v + op->out;
    bool second = !(a >= 0); /* whose side a row is on is not to be guessed: no branch */
    (void)x;
    for (size_t i = 0; op->n_out > 2 && i < op->n_out; i++) out[i] = 0;
    out[op->codes[0][second]] = 1 / (1 + e);
    out[op->codes[0][!second]] = e / (1 + e);
    return true;
}

/* -- the class of the largest probability -- */

/* Scores that differ by more give probabilities that differ by far more than rounding does. */
static const double SURE = 1e-6;
enum { MOST_SURE = 1000 }; /* classes up to which that holds */

static bool run_largest(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *op = step->op;
    size_t best = 0;
    for (size_t i = 1; i < op->n_in; i++)
        if (x[i] > x[best]) best = i;
    v[op->out] = op->sizes[0] && isnan(x[best]) ? -1 : (double)best;
    return true;
}

/* Where two probabilities may be equal, or are none: by them. */
static bool largest_of_shares(const cairn_row_plan_step *step, double *v)
{
    (void)step->before->any.one(step->before, v + step->before->from, v);
    return run_largest(step, v + step->from, v);
}

/* The class of two from their score, without the exponential. */
static bool quick_of_two(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *logistic = step->before->op;
    double a = v[logistic->in[0]];
    (void)x;
    if (!(fabs(a) > SURE)) return largest_of_shares(step, v);
    v[step->out] = logistic->codes[0][a < 0];
    return true;
}

/* The class of several from their scores, without the exponentials. */
static bool quick_of_several(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *op = step->before->op;
    bool pinned = op->sizes[0], odd = false;
    double most = pinned ? 0 : -INFINITY, second = -INFINITY;
    size_t best = op->n_in;
    (void)x;
    for (size_t i = 0; i < op->n_in; i++) {
        double score = v[op->in[i]];
        odd |= !(score < INFINITY);
        second = score > most ? most : score > second ? score : second;
        best = score > most ? i : best;
        most = score > most ? score : most;
    }
    if (odd || !(most - second > SURE)) return largest_of_shares(step, v);
    v[step->out] = op->codes[0][best];
    return true;
}

/* The largest of probabilities that the step before makes of scores: where only it is asked for,
 * the scores tell. */
static void plan_largest(cairn_row_plan_step *step, const cairn_row_plan_step *before)
{
    const cairn_operation *op = step->op, *made = before ? before->op : NULL;
    if (run_of(op->in, op->n_in) < 0) return;
    step->any.one = run_largest;
    step->reads_x = true;
    step->from = op->in[0];
    if (!made || made->out != op->in[0] || made->n_out != op->n_in) return;
    if (made->kind == CAIRN_OP_LOGISTIC) step->code.one = quick_of_two;
    if (made->kind == CAIRN_OP_SOFTMAX && made->n_in < MOST_SURE) step->code.one = quick_of_several;
    if (step->code.one) step->before = before;
}

/* -- numbers that lie side by side -- */

typedef struct fills {
    size_t n;
    double instead[]; /* n */
} fills;

static bool run_fill(const cairn_row_plan_step *step, const double *x, double *v)
{
    const fills *f = step->own;
    const double *restrict from = x, *restrict instead = f->instead;
    double *restrict out = v + step->out;
    for (size_t i = 0; i < f->n; i++) out[i] = from[i] == from[i] ? from[i] : instead[i];
    return true;
}

/* How many operations from `first` on fill slots that lie side by side, and how many slots. */
static size_t count_fills(const cairn_program *p, size_t first, size_t *n_slots)
{
    size_t n = 0;
    *n_slots = 0;
    for (size_t i = first; i < p->n_ops && p->ops[i]->kind == CAIRN_OP_FILL; i++, n++) {
        const cairn_operation *op = p->ops[i], *before = n ? p->ops[i - 1] : NULL;
        if (run_of(op->in, op->n_in) < 0) break;
        if (before && (op->in[0] != before->in[0] + (int32_t)before->n_in ||
                       op->out != before->out + (int32_t)before->n_in))
            break;
        *n_slots += op->n_in;
    }
    return n;
}

/* Columns are filled one by one; together they are one step. */
static cairn_status plan_fills(cairn_context *ctx, cairn_row_plan *plan, cairn_row_plan_step *step,
                               size_t first, size_t n_ops, size_t n_slots)
{
    void *block;
    CHECK(cairn_new(ctx, &block, sizeof(fills) + n_slots * sizeof(double), 1, true));
    fills *f = block;
    for (size_t i = first; i < first + n_ops; i++)
        for (size_t k = 0; k < plan->program.ops[i]->n_in; k++)
            f->instead[f->n++] = plan->program.ops[i]->numbers[0][k];
    step->own = f;
    step->clear = cairn_free;
    step->any.one = run_fill;
    step->reads_x = true;
    step->from = step->op->in[0];
    step->n_in = step->n_out = n_slots;
    return CAIRN_OK;
}

static bool run_scale(const cairn_row_plan_step *step, const double *from, double *v)
{
    const cairn_operation *op = step->op;
    const double *restrict x = from, *restrict parts = op->numbers[0];
    const double *restrict centres = op->numbers[1], *restrict spreads = op->numbers[2];
    const double *restrict factors = op->numbers[3], *restrict lows = op->numbers[4];
    const double *restrict highs = op->numbers[5];
    double *restrict out = v + op->out;
    for (size_t i = 0; i < op->n_out; i++) {
        double y = factors[i] * ((x[i] * parts[i] - centres[i]) / spreads[i]);
        y = y < lows[i] ? lows[i] : y;
        out[i] = y > highs[i] ? highs[i] : y;
    }
    return true;
}

/* The answers as they are, unless one of the cells that are looked at is missing. */
static bool run_blank(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_operation *op = step->op;
    size_t n = (size_t)op->sizes[0];
    int missing = 0;
    for (size_t i = 0; i < n; i++) missing |= x[i] != x[i];
    for (size_t i = 0; i < op->n_out; i++)
        v[op->out + (int32_t)i] = missing ? op->numbers[0][i] : v[op->in[n + i]];
    return true;
}

/* Operations whose inputs lie side by side have loops. */
static void plan_side_by_side(cairn_row_plan_step *step)
{
    const cairn_operation *op = step->op;
    bool scale = op->kind == CAIRN_OP_SCALE, blank = op->kind == CAIRN_OP_BLANK;
    size_t n = blank ? (size_t)op->sizes[0] : op->n_in;
    if ((!scale && !blank) || n == 0 || run_of(op->in, n) < 0) return;
    step->any.one = scale ? run_scale : run_blank;
    step->reads_x = scale; /* the answers that are left blank lie elsewhere */
    step->from = op->in[0];
}

/* -- sums that trees begin with -- */

/* The constants that a sum of two vectors adds to what the operation before it wrote: then that may
 * begin with them, as boosting does. NULL = the sum is another one. */
static const double *start_of(const cairn_row_plan *plan, size_t trees)
{
    if (trees == 0 || trees + 1 >= plan->program.n_ops) return NULL;
    const cairn_operation *before = plan->program.ops[trees - 1], *op = plan->program.ops[trees];
    const cairn_operation *sum = plan->program.ops[trees + 1];
    size_t k = op->n_out;
    if (before->kind != CAIRN_OP_CONSTANT || sum->kind != CAIRN_OP_SUM || before->n_out != k ||
        sum->n_out != k || sum->n_in != 2 * k)
        return NULL;
    bool same = run_of(sum->in, k) == before->out && run_of(sum->in + k, k) == op->out;
    return same ? before->numbers[0] : NULL;
}

/* Whether the operation is a sum that the trees before it have made. */
static bool is_made(const cairn_row_plan *plan, size_t i)
{
    const cairn_row_plan_step *before = i ? &plan->steps[plan->n_steps - 1] : NULL;
    return before && before->own && before->op == plan->program.ops[i - 1] &&
           before->op->kind == CAIRN_OP_TREES && start_of(plan, i - 1);
}

/* -- rows without an answer -- */

/* Marks the slots that are filled where their cell is missing. */
static void mark_filled(const cairn_program *p, bool *filled)
{
    for (size_t i = 0; i < p->n_ops; i++) {
        const cairn_operation *op = p->ops[i];
        for (size_t k = 0; op->kind == CAIRN_OP_FILL && k < op->n_out; k++)
            filled[(size_t)op->out + k] = !isnan(op->numbers[0][k]);
    }
}

/* A last operation that leaves rows with missing cells without an answer has nothing to do where
 * all of them are filled: the answers are then those that it would have copied. */
static cairn_status drop_blank(cairn_context *ctx, cairn_row_plan *plan)
{
    SCOPED_SCRATCH(ctx);
    cairn_program_answer *a = &plan->answer;
    const cairn_operation *op = plan->n_steps ? plan->steps[plan->n_steps - 1].op : NULL;
    bool *filled;
    if (!op || op->kind != CAIRN_OP_BLANK) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &filled, plan->program.n_slots));
    mark_filled(&plan->program, filled);
    size_t n = (size_t)op->sizes[0];
    for (size_t i = 0; i < n; i++)
        if (!filled[op->in[i]]) return CAIRN_OK;
    if (a->code >= 0) a->code = op->in[n + (size_t)(a->code - op->out)];
    if (a->number >= 0) a->number = op->in[n + (size_t)(a->number - op->out)];
    if (a->scores >= 0) a->scores = op->in[n + (size_t)(a->scores - op->out)];
    plan->n_steps--;
    cairn_free(plan->steps[plan->n_steps].ready);
    return CAIRN_OK;
}

/* -- the whole -- */

/* The form of the operation at *at, which moves behind the operations that are in it. */
static cairn_status plan_step(cairn_context *ctx, cairn_row_plan *plan, size_t *at)
{
    size_t i = (*at)++, n_fills, n_slots;
    cairn_operation *op = plan->program.ops[i];
    if (is_made(plan, i)) return CAIRN_OK;
    cairn_row_plan_step *step = &plan->steps[plan->n_steps++];
    *step = (cairn_row_plan_step){
        .any.one = run_ready, .op = op, .n_in = op->n_in, .out = op->out, .n_out = op->n_out};
    CHECK(cairn_ready_op_new(ctx, &step->ready, op));
    if ((n_fills = count_fills(&plan->program, i, &n_slots)) > 0) {
        *at = i + n_fills;
        return plan_fills(ctx, plan, step, i, n_fills, n_slots);
    }
    if (op->kind == CAIRN_OP_AFFINE && op->fused) return plan_scores(ctx, plan, step, op);
    if (op->kind == CAIRN_OP_AFFINE) plan_sums(step);
    if (op->kind == CAIRN_OP_SOFTMAX && op->fused && !op->numbers[0]) {
        cairn_op_work(&plan->program, op, op->n_in);
        step->any.one = run_softmax;
    }
    if (op->kind == CAIRN_OP_LOGISTIC) step->any.one = run_logistic;
    if (op->kind == CAIRN_OP_LARGEST)
        plan_largest(step, plan->n_steps > 1 ? &plan->steps[plan->n_steps - 2] : NULL);
    plan_side_by_side(step);
    if (op->kind != CAIRN_OP_TREES) return CAIRN_OK;
    const double *start = start_of(plan, i);
    int32_t out = start ? plan->program.ops[i + 1]->out : op->out;
    return cairn_row_plan_trees(ctx, step, start, out);
}

/* Whether a step takes a microsecond or more for a row, so that many rows are answered sooner by
 * the learner itself, which works on blocks of them. */
static bool is_heavy(const cairn_row_plan_step *step)
{
    const cairn_operation *op = step->op;
    switch (op->kind) {
    case CAIRN_OP_TREES: return step->own ? step->heavy : op->sizes[0] > 16;
    case CAIRN_OP_AFFINE: return op->n_in * op->n_out > 2000;
    case CAIRN_OP_NEAREST: return op->n_in * (size_t)op->sizes[0] > 2000;
    case CAIRN_OP_NEIGHBOURS:
    case CAIRN_OP_KERNELS:
    case CAIRN_OP_KERNEL:
    case CAIRN_OP_GAUSSIANS: return true;
    default: return false;
    }
}

/* A program that could not be made, where memory was not the reason: there is none. */
static cairn_status read_program(cairn_context *ctx, cairn_program *out, const cairn_model *model,
                                 bool *made)
{
    cairn_status status = cairn_program_of(ctx, out, model);
    *made = status == CAIRN_OK;
    if (status == CAIRN_NO_MEMORY || status == CAIRN_CANCELLED || status == CAIRN_INTERNAL)
        return status;
    if (status) ctx->message[0] = '\0';
    return CAIRN_OK;
}

cairn_status cairn_row_plan_new(cairn_context *ctx, cairn_row_plan **out, const cairn_model *model)
{
    OWNED(cairn_row_plan_free) cairn_row_plan *plan = NULL;
    bool made;
    *out = NULL;
    CHECK(NEW(ctx, &plan, 1));
    CHECK(read_program(ctx, &plan->program, model, &made));
    if (!made) return CAIRN_OK;
    CHECK(NEW(ctx, &plan->steps, plan->program.n_ops));
    for (size_t i = 0; i < plan->program.n_ops;) CHECK(plan_step(ctx, plan, &i));
    for (size_t i = 0; i < plan->n_steps; i++) plan->heavy |= is_heavy(&plan->steps[i]);
    plan->answer = plan->program.answer;
    CHECK(drop_blank(ctx, plan));
    plan->n_slots = plan->program.n_slots;
    plan->n_inputs = plan->program.inputs.n_fields;
    CHECK(cairn_row_plan_shorten(ctx, plan));
    *out = TAKE(plan);
    return CAIRN_OK;
}

void cairn_row_plan_free(cairn_row_plan *plan)
{
    if (!plan) return;
    for (size_t i = 0; i < plan->n_steps; i++) {
        cairn_free(plan->steps[i].ready);
        if (plan->steps[i].clear) plan->steps[i].clear(plan->steps[i].own);
    }
    for (int with = 0; with < 2; with++) cairn_free(plan->quick[with].steps);
    cairn_free(plan->steps);
    cairn_program_clear(&plan->program);
    cairn_free(plan);
}
