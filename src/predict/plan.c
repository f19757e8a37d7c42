/* SPDX-License-Identifier: MIT */
/* Preparing the program of a model: which form each operation gets. */
#include "predict/plan.h"
#include "base/memory.h"
#include "kernels/row_product.h"
#include <string.h>

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
    int32_t from;     /* the inputs follow each other from here; -1 = they are gathered */
    size_t n_fused;   /* terms of the product; the others are added behind the constant */
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
    cairn_row_product(out, x, s->n_fused, s->weights, op->n_out);
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
    for (size_t k = 0; k < op->n_out; k++)
        for (size_t j = 0; j < op->n_in; j++)
            s->weights[j * op->n_out + k] = op->numbers[1][k * op->n_in + j];
    if (s->from < 0) cairn_op_work(&plan->program, op, op->n_in);
    step->own = s;
    step->clear = cairn_free;
    step->run = run_scores;
    return CAIRN_OK;
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

/* -- the whole -- */

static cairn_status plan_step(cairn_context *ctx, cairn_row_plan *plan, size_t i)
{
    cairn_operation *op = plan->program.ops[i];
    if (is_made(plan, i)) return CAIRN_OK;
    cairn_row_plan_step *step = &plan->steps[plan->n_steps++];
    *step = (cairn_row_plan_step){.run = run_ready, .op = op};
    CHECK(cairn_ready_op_new(ctx, &step->ready, op));
    if (op->kind == CAIRN_OP_AFFINE && op->fused) return plan_scores(ctx, plan, step, op);
    if (op->kind != CAIRN_OP_TREES) return CAIRN_OK;
    const double *start = start_of(plan, i);
    int32_t out = start ? plan->program.ops[i + 1]->out : op->out;
    return cairn_row_plan_trees(ctx, step, start, out);
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
    for (size_t i = 0; i < plan->program.n_ops; i++) CHECK(plan_step(ctx, plan, i));
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
