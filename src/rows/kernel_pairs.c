/* SPDX-License-Identifier: MIT */
/* Kernel values one by one, for rows that are no matrix of numbers, and what of a kernel a product
 * of matrices is told. */
#include "rows/kernel.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

bool cairn_kernel_by_product(const cairn_kernel *kernel, const cairn_kernel_rows *rows)
{
    bool numbers = rows->layout == CAIRN_KERNEL_DENSE || rows->layout == CAIRN_KERNEL_FLOATS;
    return numbers && !kernel->manhattan;
}

/* The inner product is finished, too: a product that is not might be summed in other blocks when
 * other rows are asked for with it. */
cairn_kernel_finish cairn_kernel_finish_of(const cairn_kernel *kernel)
{
    cairn_kernel_finish out = {.finish = CAIRN_FINISH_POLYNOMIAL, .gamma = 1, .degree = 1};
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_RBF: out.finish = CAIRN_FINISH_GAUSSIAN; break;
    case CAIRN_KERNEL_LAPLACE: out.finish = CAIRN_FINISH_LAPLACIAN; break;
    case CAIRN_KERNEL_SIGMOID: out.finish = CAIRN_FINISH_TANH; break;
    case CAIRN_KERNEL_POLY: out.degree = kernel->degree; break;
    default: return out;
    }
    bool of_distance = kernel->function->of_distance;
    out.gamma = of_distance ? kernel->gamma : kernel->factor;
    out.shift = kernel->offset;
    return out;
}

size_t cairn_kernel_pairs_room(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                               const cairn_kernel_rows *b)
{
    if (a->layout == CAIRN_KERNEL_SPARSE) return a->n_terms;
    if (a->layout != CAIRN_KERNEL_LETTERS) return 0;
    size_t x = a->texts.longest, y = b->texts.longest;
    return cairn_text_kernel_room(kernel, x > y ? x : y);
}

/* Inner products, or squared distances, of a row that is written out and sparse rows. */
static void sparse_pairs(const double *row, double norm, bool apart, const cairn_kernel_rows *b,
                         size_t first, size_t n, double *out)
{
    for (size_t j = first; j < first + n; j++) {
        double sum = 0;
        for (size_t e = b->starts[j]; e < b->starts[j + 1]; e++)
            sum += b->values[e] * row[b->items[e]];
        out[j - first] = apart ? fmax(0, norm + b->norms[j] - 2 * sum) : sum;
    }
}

/* The sum of absolute differences of two sparse rows, by their terms in order. */
static double sparse_manhattan(const cairn_kernel_rows *a, size_t i, const cairn_kernel_rows *b,
                               size_t j)
{
    size_t x = a->starts[i], y = b->starts[j], x_end = a->starts[i + 1], y_end = b->starts[j + 1];
    double sum = 0;
    while (x < x_end || y < y_end) {
        int32_t left = x < x_end ? a->items[x] : INT32_MAX;
        int32_t right = y < y_end ? b->items[y] : INT32_MAX;
        double u = left <= right ? a->values[x] : 0, v = right <= left ? b->values[y] : 0;
        sum += fabs(u - v);
        x += left <= right;
        y += right <= left;
    }
    return sum;
}

static double manhattan(const cairn_kernel_rows *a, size_t i, const cairn_kernel_rows *b, size_t j)
{
    size_t width = a->n_terms;
    if (a->layout == CAIRN_KERNEL_SPARSE) return sparse_manhattan(a, i, b, j);
    return cairn_absolute_distance(a->dense + i * width, b->dense + j * width, width);
}

/* The kernel's values in place of what rows have together. */
static void finish(const cairn_kernel *kernel, double *x, size_t n)
{
    double gamma = kernel->gamma;
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_LAPLACE:
        for (size_t j = 0; j < n; j++) x[j] = -gamma * (kernel->manhattan ? x[j] : sqrt(x[j]));
        cairn_exp_each(x, x, n);
        return;
    case CAIRN_KERNEL_RBF:
        for (size_t j = 0; j < n; j++) x[j] *= -gamma;
        cairn_exp_each(x, x, n);
        return;
    case CAIRN_KERNEL_SIGMOID:
        for (size_t j = 0; j < n; j++) x[j] = kernel->factor * x[j] + kernel->offset;
        cairn_tanh_each(x, x, n);
        return;
    case CAIRN_KERNEL_POLY:
        for (size_t j = 0; j < n; j++) x[j] = cairn_kernel_together(kernel, x[j]);
        return;
    default: return;
    }
}

void cairn_kernel_pairs(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                        const cairn_kernel_rows *b, size_t first, size_t n, double *out,
                        double *room)
{
    if (a->layout == CAIRN_KERNEL_VALUES) {
        const double *row = a->dense + i * a->n_terms;
        for (size_t j = 0; j < n; j++) out[j] = row[b->columns[first + j]];
        return;
    }
    if (a->layout == CAIRN_KERNEL_LETTERS) {
        for (size_t j = 0; j < n; j++)
            out[j] = cairn_kernel_texts_value(kernel, a, i, b, first + j, room);
        return;
    }
    if (kernel->manhattan) {
        for (size_t j = 0; j < n; j++) out[j] = manhattan(a, i, b, first + j);
    } else {
        memset(room, 0, a->n_terms * sizeof *room);
        for (size_t e = a->starts[i]; e < a->starts[i + 1]; e++) room[a->items[e]] = a->values[e];
        sparse_pairs(room, a->norms[i], kernel->function->of_distance, b, first, n, out);
    }
    finish(kernel, out, n);
}
