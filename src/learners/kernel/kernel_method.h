/* SPDX-License-Identifier: MIT */
/* What learners share that compare rows by a kernel (rows/kernel.h). */
#ifndef CAIRN_LEARNERS_KERNEL_METHOD_H
#define CAIRN_LEARNERS_KERNEL_METHOD_H

#include "model/learner.h"
#include "rows/kernel.h"

/* What columns may be like depends on the kernel; for `accepts_with`. */
unsigned cairn_kernel_accepts(const cairn_kernel_params *params);
enum { /* with the usual kernel */
       CAIRN_KERNEL_ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_WEIGHTS |
                              CAIRN_ACCEPTS_GRAM | CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING
};

/* Lines of a description: the kernel, its formula and its numbers, and that gamma is the usual one
 * of so many terms. Values kernel, gamma, factor, offset, degree. */
void cairn_kernel_show(cairn_report *out, const cairn_kernel *kernel, size_t n_terms);

/* For `explain`: the score of row `row` of the job's view, term by term, c_i k(x_i, x); of many
 * terms the largest. `numbers` are the training rows that the model's rows are, from 0; NULL =
 * their order. Values rowI.kernel, rowI.term, constant, score. */
void cairn_kernel_explain_score(cairn_report *out, const cairn_kernel *kernel,
                                const cairn_kernel_rows *rows, const double *coefficients,
                                double constant, const uint32_t *numbers, const cairn_job *job,
                                size_t row);

/* The same for all m scores, under the names of the classes where there are several. */
void cairn_kernel_explain(cairn_report *out, const cairn_kernel *kernel,
                          const cairn_kernel_rows *rows, const double *coefficients, size_t m,
                          const double *constants, const uint32_t *numbers, const cairn_job *job,
                          size_t row);

/* A step with the matrix of all pairs of n rows, n x n: values gram.rowI.rowJ. Nothing of more than
 * 12 rows. */
void cairn_kernel_show_gram(cairn_report *out, const cairn_kernel *kernel, const double *gram,
                            size_t n, bool constant);

/* The weights that the linear kernel of numbers stands for, Σ c_i x_i; scratch. */
CAIRN_CHECKED cairn_status cairn_kernel_primal(cairn_context *ctx, double **out,
                                               const cairn_kernel_rows *rows,
                                               const double *coefficients);

/* For `lower`: the scores (constants + Σ c_i k(x_i, x), the coefficients of a score together) as an
 * operation; *out is the first of their m slots. Kernels of texts and given ones are refused. */
CAIRN_CHECKED cairn_status cairn_kernel_lower(cairn_program *program, const cairn_kernel *kernel,
                                              const cairn_kernel_rows *rows,
                                              const double *coefficients, size_t m,
                                              const double *constants, int32_t *out);
/* The answer of a classifier: m scores of as many classes, or one, which is that of the class
 * `positive` of two; that of the other is less it. */
CAIRN_CHECKED cairn_status cairn_kernel_lower_classes(cairn_program *program, int32_t first,
                                                      size_t m, int32_t positive);

/* For `check`: whether the rows of a model are such rows as the schema has. */
CAIRN_CHECKED cairn_status cairn_kernel_rows_check(cairn_archive *archive, const cairn_job *job,
                                                   const cairn_kernel_rows *rows);

/* The table "support-vectors": a row for each of the model's rows and each of its m scores that it
 * has a coefficient in. `names` are those of the scores, with NULL for a number; `numbers` are the
 * training rows, from 0; NULL = not known. */
void cairn_kernel_write(struct cairn_ledger *out, const cairn_job *job,
                        const cairn_kernel_rows *rows, const double *coefficients, size_t m,
                        const char *const *names, const int32_t *numbers);
/* The constants of the scores. */
void cairn_kernel_write_constants(struct cairn_ledger *out, const double *constants, size_t m,
                                  const char *const *names);
/* Names of m scores of classes, scratch: of one that of the class `positive`; NULL of a number. */
CAIRN_CHECKED cairn_status cairn_kernel_score_names(cairn_context *ctx, const char ***out, size_t m,
                                                    int32_t positive, const cairn_job *job);

#endif
