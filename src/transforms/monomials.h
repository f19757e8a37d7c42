/* SPDX-License-Identifier: MIT */
/* Products of columns: the terms of polynomials and of exact feature maps. */
#ifndef CAIRN_TRANSFORMS_MONOMIALS_H
#define CAIRN_TRANSFORMS_MONOMIALS_H

#include "transforms/columns.h"

/* Terms as ascending column numbers, a power being repeated: x0^2 x1 is 0 0 1. */
typedef struct cairn_monomials {
    size_t n_columns;
    size_t n;         /* terms */
    int32_t *factors; /* n x degree, -1 fills up */
    int32_t degree;   /* the highest */
} cairn_monomials;

typedef enum cairn_monomial_set {
    CAIRN_MONOMIALS_ALL,      /* x1^2, x1 x2, x2^2: by column, as one writes them */
    CAIRN_MONOMIALS_DISTINCT, /* products of different columns */
    CAIRN_MONOMIALS_POWERS    /* powers of one column */
} cairn_monomial_set;

/* How many terms of exactly that degree there are; infinite when they cannot be counted. */
double cairn_monomial_count(cairn_monomial_set set, size_t n_columns, int degree);

/* All terms of degree `low` to `high`, by degree; freed by cairn_monomials_clear. */
CAIRN_CHECKED cairn_status cairn_monomials_make(cairn_context *ctx, cairn_monomials *out,
                                                cairn_monomial_set set, size_t n_columns, int low,
                                                int high);
void cairn_monomials_clear(cairn_monomials *terms);
extern const cairn_kept cairn_monomials_keeps[];

/* "x^2*y" from the names of the columns; "1" for the empty term. */
void cairn_monomial_name(cairn_text *out, const cairn_monomials *terms, size_t term,
                         const cairn_map *names);

/* Compute every term times its coefficient (NULL = 1) from the columns, side by side. `out` has one
 * column of numbers per term. */
CAIRN_CHECKED cairn_status cairn_monomials_compute(cairn_context *ctx, const cairn_monomials *terms,
                                                   const double *coefficients,
                                                   const double *const *columns, size_t n_rows,
                                                   double *const *out);

/* The same as an operation on a row; `made` names the new columns. */
CAIRN_CHECKED cairn_status cairn_monomials_lower(cairn_program *program,
                                                 const cairn_monomials *terms,
                                                 const double *coefficients,
                                                 const cairn_map *columns, const cairn_map *made);

#endif
