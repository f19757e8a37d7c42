/* SPDX-License-Identifier: MIT */
/* Formulas as operations of a program. */
#include "transforms/computing.h"
#include "base/memory.h"
#include <string.h>

/* Room for one more in an array of scratch that doubles. */
#define BUFFER(C, ARRAY, N, CAPACITY)                                                              \
    do {                                                                                           \
        if ((C)->N < (C)->CAPACITY || (C)->status) break;                                          \
        size_t more = 2 * (C)->CAPACITY + 32;                                                      \
        void *old = (C)->ARRAY;                                                                    \
        (C)->status = SCRATCH_RAW((C)->program->ctx, &(C)->ARRAY, more);                           \
        if (!(C)->status && old) memcpy((C)->ARRAY, old, (C)->N * sizeof *(C)->ARRAY);             \
        if (!(C)->status) (C)->CAPACITY = more;                                                    \
    } while (0)

cairn_computing cairn_computing_start(cairn_program *program)
{
    return (cairn_computing){.program = program};
}

/* An instruction that takes so many numbers from the stack and may put one there. */
static void add(cairn_computing *c, int instruction, size_t with, size_t takes, size_t puts)
{
    BUFFER(c, codes, n_codes, codes_buffer); /* of pairs */
    if (c->status) return;
    c->codes[c->n_codes++] = instruction;
    c->codes[c->n_codes++] = (int32_t)with;
    c->depth += puts;
    c->depth -= takes;
    if (c->depth + takes > c->deepest) c->deepest = c->depth + takes;
}

void cairn_computing_slot(cairn_computing *c, int32_t slot)
{
    size_t i = 0;
    while (i < c->n_in && c->in[i] != slot) i++;
    if (i == c->n_in) {
        BUFFER(c, in, n_in, in_buffer);
        if (c->status) return;
        c->in[c->n_in++] = slot;
    }
    add(c, CAIRN_DO_SLOT, i, 0, 1);
}

void cairn_computing_number(cairn_computing *c, double number)
{
    BUFFER(c, numbers, n_numbers, numbers_buffer);
    if (c->status) return;
    c->numbers[c->n_numbers++] = number;
    add(c, CAIRN_DO_NUMBER, c->n_numbers - 1, 0, 1);
}

void cairn_computing_do(cairn_computing *c, int instruction, size_t n)
{
    add(c, instruction, n, n, 1);
}

bool cairn_computing_function(cairn_computing *c, const char *name)
{
    for (int i = 0; cairn_formula_functions[i]; i++) {
        if (strcmp(cairn_formula_functions[i], name) != 0) continue;
        cairn_computing_do(c, CAIRN_DO_ONE + i, 1);
        return true;
    }
    return false;
}

void cairn_computing_write(cairn_computing *c)
{
    add(c, CAIRN_DO_WRITE, c->n_out++, 1, 0);
}

cairn_status cairn_computing_end(cairn_computing *c, int32_t *out)
{
    cairn_operation *op;
    CHECK(c->status);
    CHECK(cairn_program_add(c->program, CAIRN_OP_COMPUTE, c->in, c->n_in, c->n_out, &op));
    op->sizes[0] = (int32_t)(c->n_codes / 2);
    CHECK(cairn_op_copy_codes(c->program, op, 0, c->codes, c->n_codes));
    CHECK(cairn_op_copy_numbers(c->program, op, 0, c->numbers, c->n_numbers));
    cairn_op_work(c->program, op, c->deepest + 1);
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_lower_unit(cairn_program *p, cairn_vector_norm norm, const int32_t *in, size_t n,
                              int32_t *first)
{
    cairn_computing c = cairn_computing_start(p);
    int32_t length;
    for (size_t i = 0; i < n; i++) {
        cairn_computing_slot(&c, in[i]);
        cairn_computing_number(&c, 0);
        cairn_computing_do(&c, CAIRN_DO_COALESCE, 2);
        (void)cairn_computing_function(&c, norm == CAIRN_NORM_L2 ? "square" : "abs");
    }
    cairn_computing_do(&c, norm == CAIRN_NORM_MAX ? CAIRN_DO_MAX : CAIRN_DO_SUM, n);
    if (norm == CAIRN_NORM_L2) (void)cairn_computing_function(&c, "sqrt");
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &length));
    c = cairn_computing_start(p);
    for (size_t i = 0; i < n; i++) {
        cairn_computing_slot(&c, in[i]);
        cairn_computing_slot(&c, length);
        cairn_computing_number(&c, 0);
        cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
        cairn_computing_slot(&c, length);
        cairn_computing_number(&c, 1);
        cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, first);
}
