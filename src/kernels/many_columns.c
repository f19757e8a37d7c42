/* SPDX-License-Identifier: MIT */
/* Columns of a matrix against one vector, four columns at a time. */
#include "kernels/many_columns.h"
#include "kernels/level.h"
#include "kernels/unroll.h"
#include <stdbool.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAMED(name) JOIN(name, LEVEL)

typedef void (*sweep_function)(double *y, double *t, const double *a, size_t lda, const double *s,
                               const double *x, size_t n);
typedef struct column_kernels {
    sweep_function axpy[2], dot[2], both[2]; /* one column, four columns */
    void (*rotate)(double *x, double *y, double c, double s, size_t n);
} column_kernels;

#define LEVEL generic
#define LANES 2
#define TARGET
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET

#if defined(__x86_64__)
#define LEVEL  avx2
#define LANES  4
#define TARGET __attribute__((target("avx2")))
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET
#define LEVEL  avx512
#define LANES  8
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET
#endif

static const column_kernels *chosen(void)
{
#if defined(__x86_64__)
    static const column_kernels *const all[] = {&columns_generic, &columns_avx2, &columns_avx512};
    return all[cairn_kernel_level()];
#else
    return &columns_generic;
#endif
}

void cairn_columns_dot(double *out, const double *a, size_t lead, const double *x, size_t n,
                       size_t n_columns)
{
    const column_kernels *k = chosen();
    for (size_t j = 0, columns; j < n_columns; j += columns) {
        columns = n_columns - j >= 4 ? 4 : 1;
        k->dot[columns == 4](NULL, out + j, a + j * lead, lead, NULL, x, n);
    }
}

void cairn_columns_add(double *y, const double *a, size_t lead, const double *s, size_t n,
                       size_t n_columns)
{
    const column_kernels *k = chosen();
    for (size_t j = 0, columns; j < n_columns; j += columns) {
        columns = n_columns - j >= 4 ? 4 : 1;
        k->axpy[columns == 4](y, NULL, a + j * lead, lead, s + j, NULL, n);
    }
}

/* out += A x for the square on the diagonal within `rows` rows from j on; `t` holds what the rest
 * of these rows gives. */
static void add_diagonal(double *out, const double *a, size_t lead, size_t j, size_t rows,
                         const double *x, const double *t)
{
    for (size_t c = 0; c < rows; c++) {
        const double *row = a + (j + c) * lead + j;
        out[j + c] += t[c] + row[c] * x[j + c];
        for (size_t r = c + 1; r < rows; r++) {
            out[j + r] += row[r] * x[j + c];
            out[j + c] += row[r] * x[j + r];
        }
    }
}

/* Four rows at a time: their square on the diagonal by hand, the rest in one sweep. */
void cairn_symmetric_times(double *out, const double *a, size_t lead, const double *x, size_t n,
                           size_t from, size_t to)
{
    const column_kernels *k = chosen();
    double t[4];
    memset(out, 0, n * sizeof *out);
    for (size_t j = from, rows; j < to; j += rows) {
        rows = to - j >= 4 ? 4 : 1;
        size_t next = j + rows;
        k->both[rows == 4](out + next, t, a + j * lead + next, lead, x + j, x + next, n - next);
        add_diagonal(out, a, lead, j, rows, x, t);
    }
}

void cairn_rotate(double *x, double *y, double c, double s, size_t n)
{
    chosen()->rotate(x, y, c, s, n);
}
