/* SPDX-License-Identifier: MIT */
/* Running a program inside the library, by the very code that is exported, but with the library's
 * own functions: their last bits do not depend on the processor. */
#include "base/functions.h"
#include "base/memory.h"
#include "export/export.h"
#include <math.h>
#define exp    cairn_exp
#define expm1  cairn_expm1
#define log    cairn_log
#define log2   cairn_log2
#define log10  cairn_log10
#define log1p  cairn_log1p
#define pow    cairn_pow
#define cbrt   cairn_cbrt
#define sin    cairn_sin
#define cos    cairn_cos
#define tan    cairn_tan
#define asin   cairn_asin
#define acos   cairn_acos
#define atan   cairn_atan
#define atan2  cairn_atan2
#define sinh   cairn_sinh
#define cosh   cairn_cosh
#define tanh   cairn_tanh
#define hypot  cairn_hypot
#define erf    cairn_erf
#define lgamma cairn_lgamma
#include "export/runtime.h"

typedef void (*runner)(const step *s, double *v);

static const runner runners[CAIRN_OP_KINDS] = {
    [CAIRN_OP_CONSTANT] = step_constant,
    [CAIRN_OP_FILL] = step_fill,
    [CAIRN_OP_SCALE] = step_scale,
    [CAIRN_OP_AFFINE] = step_affine,
    [CAIRN_OP_PRODUCTS] = step_products,
    [CAIRN_OP_LOOKUP] = step_lookup,
    [CAIRN_OP_COMPUTE] = step_compute,
    [CAIRN_OP_CALENDAR] = step_calendar,
    [CAIRN_OP_CUTS] = step_cuts,
    [CAIRN_OP_TREES] = step_trees,
    [CAIRN_OP_RULES] = step_rules,
    [CAIRN_OP_NEAREST] = step_nearest,
    [CAIRN_OP_NORMAL] = step_normal,
    [CAIRN_OP_NEIGHBOURS] = step_neighbours,
    [CAIRN_OP_KERNEL] = step_kernel,
    [CAIRN_OP_COUNTS] = step_counts,
    [CAIRN_OP_SUM] = step_sum,
    [CAIRN_OP_SOFTMAX] = step_softmax,
    [CAIRN_OP_LARGEST] = step_largest,
    [CAIRN_OP_LOGISTIC] = step_logistic,
    [CAIRN_OP_BLANK] = step_blank,
    [CAIRN_OP_CALIBRATE] = step_calibrate,
    [CAIRN_OP_SHARES] = step_shares,
    [CAIRN_OP_DECIDE] = step_decide,
    [CAIRN_OP_VOTES] = step_votes,
    [CAIRN_OP_KERNELS] = step_kernels,
    [CAIRN_OP_GAUSSIANS] = step_gaussians,
};

struct cairn_ready_op {
    runner run;
    step with;
};

static cairn_ready_op ready_op(const cairn_operation *op)
{
    cairn_ready_op ready = {.run = runners[op->kind],
                            .with = {.n_in = (int)op->n_in,
                                     .out = op->out,
                                     .n_out = (int)op->n_out,
                                     .work = op->work,
                                     .in = op->in}};
    for (size_t k = 0; k < CAIRN_OP_SIZES; k++) ready.with.n[k] = op->sizes[k];
    for (size_t k = 0; k < CAIRN_OP_CODES; k++) ready.with.codes[k] = op->codes[k];
    for (size_t k = 0; k < CAIRN_OP_NUMBERS; k++) ready.with.numbers[k] = op->numbers[k];
    return ready;
}

cairn_status cairn_ready_op_new(cairn_context *ctx, cairn_ready_op **out, const cairn_operation *op)
{
    CHECK(NEW(ctx, out, 1));
    **out = ready_op(op);
    return CAIRN_OK;
}

void cairn_ready_op_run(const cairn_ready_op *op, double *v)
{
    op->run(&op->with, v);
}

void cairn_program_run(const cairn_program *program, double *v)
{
    for (size_t i = 0; i < program->n_ops; i++) {
        cairn_ready_op op = ready_op(program->ops[i]);
        cairn_ready_op_run(&op, v);
    }
}
