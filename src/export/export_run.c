/* SPDX-License-Identifier: MIT */
/* Running a program inside the library, by the very code that is exported. */
#include "export/export.h"
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

void cairn_program_run(const cairn_program *program, double *v)
{
    for (size_t i = 0; i < program->n_ops; i++) {
        const cairn_operation *op = program->ops[i];
        step s = {.n_in = (int)op->n_in,
                  .out = op->out,
                  .n_out = (int)op->n_out,
                  .work = op->work,
                  .in = op->in};
        for (size_t k = 0; k < CAIRN_OP_SIZES; k++) s.n[k] = op->sizes[k];
        for (size_t k = 0; k < CAIRN_OP_CODES; k++) s.codes[k] = op->codes[k];
        for (size_t k = 0; k < CAIRN_OP_NUMBERS; k++) s.numbers[k] = op->numbers[k];
        runners[op->kind](&s, v);
    }
}
