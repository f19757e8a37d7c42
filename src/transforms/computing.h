/* SPDX-License-Identifier: MIT */
/* Writing a formula down as an operation of a program: instructions on a stack.
 *
 *     cairn_computing c = cairn_computing_start(program);
 *     cairn_computing_slot(&c, x), cairn_computing_number(&c, 2), cairn_computing_do(&c, ..., 2);
 *     cairn_computing_write(&c);
 *     TRY(cairn_computing_end(&c, &slot));
 */
#ifndef CAIRN_TRANSFORMS_COMPUTING_H
#define CAIRN_TRANSFORMS_COMPUTING_H

#include "model/program.h"

/* Scratch; the first failure stays and is told by the end. */
typedef struct cairn_computing {
    cairn_program *program;
    cairn_status status;
    int32_t *codes, *in;
    double *numbers;
    size_t n_codes, n_in, n_numbers, n_out;
    size_t codes_buffer, in_buffer, numbers_buffer;
    size_t depth, deepest; /* of the stack */
} cairn_computing;

/* A stack machine: begin, then push slots and numbers. */
cairn_computing cairn_computing_start(cairn_program *program);
void cairn_computing_slot(cairn_computing *c, int32_t slot);
void cairn_computing_number(cairn_computing *c, double number);
/* One number of the last n. */
void cairn_computing_do(cairn_computing *c, int instruction, size_t n);
/* The function of that name (cairn_formula_functions) of the top; false when there is none. */
bool cairn_computing_function(cairn_computing *c, const char *name);
/* The top of the stack is the next output. */
void cairn_computing_write(cairn_computing *c);
/* Add the operation; *out is its first output. */
CAIRN_CHECKED cairn_status cairn_computing_end(cairn_computing *c, int32_t *out);

/* Slots divided by the length of their vector, in which missing numbers do not count; *first is the
 * first of the new ones. A vector of zeros stays. */
typedef enum cairn_vector_norm { CAIRN_NORM_L2, CAIRN_NORM_L1, CAIRN_NORM_MAX } cairn_vector_norm;
CAIRN_CHECKED cairn_status cairn_lower_unit(cairn_program *program, cairn_vector_norm norm,
                                            const int32_t *in, size_t n, int32_t *first);

#endif
