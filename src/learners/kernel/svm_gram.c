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

cairn_status cairn_svm_check_gram(cairn_context *ctx, const cairn_svm_fitting *f)
{
    const cairn_kernel_rows *rows = &f->rows;
    size_t n = rows->n;
    double *copy, *values;
    char least[CAIRN_NUMBER_SIZE];
    if (rows->layout != CAIRN_KERNEL_VALUES || n == 0 || n > MOST_EIGEN || f->params->go_on)
        return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &copy, cairn_product(n, n)));
    CHECK(SCRATCH_RAW(ctx, &values, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) copy[i * n + j] = value_of(rows, i, j);
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, n));
    if (values[n - 1] >= -ROUNDING * fmax(fabs(values[0]), fabs(values[n - 1]))) return CAIRN_OK;
    cairn_number_format(least, values[n - 1], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the matrix is not positive semidefinite: its smallest eigenvalue is %s, so "
                      "it holds the values of no kernel and the problem may have no single "
                      "solution; mend it, or give {go-on}",
                      least);
}
