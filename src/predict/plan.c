/* SPDX-License-Identifier: MIT */
/* Preparing the program of a model: which form each operation gets. */
#include "predict/plan.h"
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/row_product.h"
#include "rows/row_losses.h"
#include <math.h>

static void run_ready(const cairn_row_plan_step *step, double *v)
{
    cairn_ready_op_run(step->ready, v);
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
    int32_t from;   /* the inputs follow each other from here; -1 = they are gathered */
    size_t n_fused; /* terms of the product; the others are added behind the constant */
    cairn_row_product product;
    double weights[]; /* n_in x n_out */
} scores;

/* The product of the first terms, the constants, and the other terms one by one: as the rows of a
 * table are scored (rows/matrix.h). */
static void run_scores(const cairn_row_plan_step *step, double *v)
{
    const cairn_operation *op = step->op;
    const scores *s = step->own;
    double *out = v + op->out;
    double *x = v + (s->from < 0 ? op->work : s->from);
    for (size_t j = 0; s->from < 0 && j < op->n_in; j++) x[j] = v[op->in[j]];
    s->product(out, x, s->n_fused, s->weights, op->n_out);
    for (size_t k = 0; k < op->n_out; k++) out[k] += op->numbers[0][k];
    for (size_t j = s->n_fused; j < op->n_in; j++) {
        const double *weights = s->weights + j * op->n_out;
        for (size_t k = 0; x[j] != 0 && k < op->n_out; k++) out[k] += x[j] * weights[k];
    }
}

static cairn_status plan_scores(cairn_context *ctx, cairn_row_plan *plan, cairn_row_plan_step *step,
                                cairn_operation *op)
{
    void *block;
    size_t n = cairn_product(op->n_in, op->n_out);
    CHECK(cairn_new(ctx, &block, sizeof(scores) + cairn_product(n, sizeof(double)), 1, true));
    scores *s = block;
    s->from = run_of(op->in, op->n_in);
    s->n_fused = (size_t)op->fused;
    s->product = cairn_row_product_for(op->n_out);
    for (size_t k = 0; k < op->n_out; k++)
        for (size_t j = 0; j < op->n_in; j++)
            s->weights[j * op->n_out + k] = op->numbers[1][k * op->n_in + j];
    if (s->from < 0) cairn_op_work(&plan->program, op, op->n_in);
    step->own = s;
    step->clear = cairn_free;
    step->run = run_scores;
    return CAIRN_OK;
}

/* -- probabilities of classes -- */

/* As logistic regression makes them of its scores. */
static void run_softmax(const cairn_row_plan_step *step, double *v)
{
    const cairn_operation *op = step->op;
    const int32_t *places = op->codes[0];
    double *shares = v + op->work, *out = v + op->out, margin, rest = 1;
    for (size_t i = 0; i < op->n_in; i++) shares[i] = v[op->in[i]];
    for (size_t i = 0; i < op->n_out; i++) out[i] = 0;
    (void)cairn_softmax(shares, op->n_in, op->sizes[0], 0, &margin);
    for (size_t i = 0; i < op->n_in; i++) {
        out[places[i]] = shares[i];
        rest -= shares[i];
    }
    if (op->sizes[0]) out[places[op->n_in]] = rest > 0 || isnan(rest) ? rest : 0;
}

/* -- numbers that lie side by side -- */

typedef struct fills {
    int32_t from, out;
    size_t n;
    double instead[]; /* n */
} fills;

static void run_fill(const cairn_row_plan_step *step, double *v)
{
    const fills *f = step->own;
    const double *restrict x = v + f->from, *restrict instead = f->instead;
    double *restrict out = v + f->out;
    for (size_t i = 0; i < f->n; i++) out[i] = x[i] == x[i] ? x[i] : instead[i];
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
    f->from = step->op->in[0];
    f->out = step->op->out;
    for (size_t i = first; i < first + n_ops; i++)
        for (size_t k = 0; k < plan->program.ops[i]->n_in; k++)
            f->instead[f->n++] = plan->program.ops[i]->numbers[0][k];
    step->own = f;
    step->clear = cairn_free;
    step->run = run_fill;
    return CAIRN_OK;
}

static void run_scale(const cairn_row_plan_step *step, double *v)
{
    const cairn_operation *op = step->op;
    const double *restrict x = v + op->in[0], *restrict parts = op->numbers[0];
    const double *restrict centres = op->numbers[1], *restrict spreads = op->numbers[2];
    const double *restrict factors = op->numbers[3], *restrict lows = op->numbers[4];
    const double *restrict highs = op->numbers[5];
    double *restrict out = v + op->out;
    for (size_t i = 0; i < op->n_out; i++) {
        double y = factors[i] * ((x[i] * parts[i] - centres[i]) / spreads[i]);
        y = y < lows[i] ? lows[i] : y;
        out[i] = y > highs[i] ? highs[i] : y;
    }
}

/* The answers as they are, unless one of the cells that are looked at is missing. */
static void run_blank(const cairn_row_plan_step *step, double *v)
{
    const cairn_operation *op = step->op;
    size_t n = (size_t)op->sizes[0];
    const double *x = v + op->in[0];
    int missing = 0;
    for (size_t i = 0; i < n; i++) missing |= x[i] != x[i];
    for (size_t i = 0; i < op->n_out; i++)
        v[op->out + (int32_t)i] = missing ? op->numbers[0][i] : v[op->in[n + i]];
}

/* The loop for inputs that lie side by side; NULL = the operation has none. */
static void (*side_by_side(const cairn_operation *op))(const cairn_row_plan_step *, double *)
{
    size_t n = op->kind == CAIRN_OP_BLANK ? (size_t)op->sizes[0] : op->n_in;
    if (n == 0 || run_of(op->in, n) < 0) return NULL;
    switch (op->kind) {
    case CAIRN_OP_SCALE: return run_scale;
    case CAIRN_OP_BLANK: return run_blank;
    default: return NULL;
    }
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

/* As the program does it, without the step over the exported form. */
static void run_logistic(const cairn_row_plan_step *step, double *v)
{
    const cairn_operation *op = step->op;
    double a = v[op->in[0]], e = cairn_exp(-fabs(a)), *out = v + op->out;
    for (size_t i = 0; i < op->n_out; i++) out[i] = 0;
    out[op->codes[0][0]] = a >= 0 ? 1 / (1 + e) : e / (1 + e);
    out[op->codes[0][1]] = a >= 0 ? e / (1 + e) : 1 / (1 + e);
}

/* -- the whole -- */

/* The form of the operation at *at, which moves behind the operations that are in it. */
static cairn_status plan_step(cairn_context *ctx, cairn_row_plan *plan, size_t *at)
{
    size_t i = (*at)++, n_fills, n_slots;
    cairn_operation *op = plan->program.ops[i];
    if (is_made(plan, i)) return CAIRN_OK;
    cairn_row_plan_step *step = &plan->steps[plan->n_steps++];
    *step = (cairn_row_plan_step){.run = run_ready, .op = op};
    CHECK(cairn_ready_op_new(ctx, &step->ready, op));
    if ((n_fills = count_fills(&plan->program, i, &n_slots)) > 0) {
        *at = i + n_fills;
        return plan_fills(ctx, plan, step, i, n_fills, n_slots);
    }
    if (op->kind == CAIRN_OP_AFFINE && op->fused) return plan_scores(ctx, plan, step, op);
    if (op->kind == CAIRN_OP_SOFTMAX && op->fused && !op->numbers[0]) {
        cairn_op_work(&plan->program, op, op->n_in);
        step->run = run_softmax;
    }
    if (op->kind == CAIRN_OP_LOGISTIC) step->run = run_logistic;
    if (side_by_side(op)) step->run = side_by_side(op);
    if (op->kind != CAIRN_OP_TREES) return CAIRN_OK;
    const double *start = start_of(plan, i);
    int32_t out = start ? plan->program.ops[i + 1]->out : op->out;
    return cairn_row_plan_trees(ctx, step, start, out);
}

/* Whether an operation takes a microsecond or more for a row, so that many rows are answered sooner
 * by the learner itself, which works on blocks of them. */
static bool is_heavy(const cairn_operation *op)
{
    switch (op->kind) {
    case CAIRN_OP_TREES: return op->sizes[0] > 16;
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
    for (size_t i = 0; i < plan->program.n_ops; i++) plan->heavy |= is_heavy(plan->program.ops[i]);
    plan->answer = plan->program.answer;
    CHECK(drop_blank(ctx, plan));
    plan->n_slots = plan->program.n_slots;
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
    cairn_free(plan->steps);
    cairn_program_clear(&plan->program);
    cairn_free(plan);
}
