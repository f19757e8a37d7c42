/* SPDX-License-Identifier: MIT */
/* Support vector machines of a given matrix: whether it can be one of kernel values. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/linalg.h"
#include "learners/kernel/svm_fit.h"
#include <math.h>

enum { MOST_EIGEN = 3000 };
#define ROUNDING 1e-8

static double value_of(const cairn_kernel_rows *rows, size_t i, size_t j)
{
    return rows->dense[i * rows->n_terms + (size_t)rows->columns[j]];
}

/* The matrix whose eigenvalues are wanted; n = 0 where none are. */
static cairn_status copy_matrix(cairn_context *ctx, const cairn_svm_fitting *f, double **out,
                                size_t *n)
{
    const cairn_kernel_rows *rows = &f->rows;
    bool given = rows->layout == CAIRN_KERNEL_VALUES;
    bool sigmoid = !given && cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_SIGMOID;
    *n = (given && rows->n <= MOST_EIGEN) || (sigmoid && rows->n <= CAIRN_SVM_EXACT) ? rows->n : 0;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(*n, *n) + 1));
    if (sigmoid && *n) return cairn_kernel_gram(ctx, &f->kernel, rows, false, *out);
    for (size_t i = 0; i < *n; i++)
        for (size_t j = 0; j < *n; j++) (*out)[i * *n + j] = value_of(rows, i, j);
    return CAIRN_OK;
}

cairn_status cairn_svm_check_gram(cairn_context *ctx, cairn_svm_fitting *f)
{
    size_t n;
    double *copy, *values;
    char least[CAIRN_NUMBER_SIZE], most[CAIRN_NUMBER_SIZE];
    SCOPED_SCRATCH(ctx);
    CHECK(copy_matrix(ctx, f, &copy, &n));
    if (n == 0) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &values, n));
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, n));
    if (values[n - 1] >= -ROUNDING * fmax(fabs(values[0]), fabs(values[n - 1]))) return CAIRN_OK;
    f->least_eigenvalue = values[n - 1];
    cairn_number_format(least, values[n - 1], 6);
    cairn_number_format(most, values[0], 6);
    if (f->rows.layout != CAIRN_KERNEL_VALUES || f->params->go_on) {
        cairn_warn(ctx,
                   "svm: the matrix of kernel values is not positive semidefinite: its eigenvalues "
                   "go from %s to %s, so that the problem is not convex; what is found fulfils the "
                   "conditions, but there may be other solutions, and the two objectives need not "
                   "meet",
                   least, most);
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the matrix is not positive semidefinite: its smallest eigenvalue is %s, so "
                      "it holds the values of no kernel and the problem may have no single "
                      "solution; mend it, or give {go-on}",
                      least);
}
