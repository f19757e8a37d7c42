/* SPDX-License-Identifier: MIT */
/* Kernel functions k(x, y): inner products in another space, as records. Each is a function of one
 * number that two rows have together, their inner product or their distance, so that a whole matrix
 * of them comes from a matrix of products (rows/kernel.h). */
#ifndef CAIRN_STATS_KERNEL_FUNCTIONS_H
#define CAIRN_STATS_KERNEL_FUNCTIONS_H

#include "base/archive.h"
#include "entry/entry.h"

typedef enum cairn_kernel_kind {
    CAIRN_KERNEL_LINEAR,      /* x.y */
    CAIRN_KERNEL_POLY,        /* (factor x.y + offset)^degree */
    CAIRN_KERNEL_RBF,         /* exp(-gamma d^2) */
    CAIRN_KERNEL_LAPLACE,     /* exp(-gamma d), gamma = 1 / sigma */
    CAIRN_KERNEL_SIGMOID,     /* tanh(factor x.y + offset) */
    CAIRN_KERNEL_GIVEN,       /* a matrix that holds the values; no record */
    CAIRN_KERNEL_SPECTRUM,    /* texts: runs of letters in common */
    CAIRN_KERNEL_SUBSEQUENCE, /* texts: letters in the same order, with gaps */
    CAIRN_KERNEL_EDIT,        /* texts: exp(-gamma edits) */
    CAIRN_N_KERNELS
} cairn_kernel_kind;

/* What is set about a kernel. A width that was not given is NaN. */
typedef struct cairn_kernel_params {
    int kernel; /* cairn_kernel_kind */
    double gamma, sigma, variance;
    double factor, offset;
    int degree;
    bool manhattan;
    int length; /* of runs and subsequences */
    double decay;
    bool normalise;
} cairn_kernel_params;

/* The rows of a method's parameter table: --kernel and whatever counts with it. The struct has a
 * field `cairn_kernel_params kernel`, and the entry's check calls cairn_kernel_check. */
extern const cairn_param cairn_kernel_table[];
#define CAIRN_KERNEL(S) CAIRN_PARAM_GROUP(S, kernel, cairn_kernel_table)
/* Fails (CAIRN_USAGE) when a width is given twice. */
CAIRN_CHECKED cairn_status cairn_kernel_check(cairn_context *ctx, const cairn_kernel_params *p);

typedef struct cairn_kernel cairn_kernel;

typedef struct cairn_kernel_function {
    cairn_entry entry; /* kind CAIRN_ENTRY_KERNEL, parameters are rows of cairn_kernel_params */
    cairn_kernel_kind kind;
    const char *formula;  /* of rows x and y, as it is shown among the steps */
    bool of_distance;     /* of |x - y|^2; otherwise of x.y */
    bool of_texts;        /* of letters; there is no `value` then */
    bool may_be_negative; /* its Gram matrix may have negative eigenvalues */
    double (*value)(const cairn_kernel *kernel, double together);
} cairn_kernel_function;

/* A kernel that is ready for use: a plain value, nothing to be freed. */
struct cairn_kernel {
    const cairn_kernel_function *function; /* NULL = the values are given */
    double gamma;                          /* rbf, laplace, edit */
    double factor, offset;                 /* poly, sigmoid */
    int degree;
    bool manhattan; /* laplace: of the sum of absolute differences */
    bool usual;     /* gamma was not given: it is 1 / number of terms, or 1 */
    int length;     /* spectrum, subsequence */
    double decay;   /* subsequence: factor for every letter from first to last */
    bool normalise; /* spectrum, subsequence: divided by the lengths of both */
};

/* `n_terms`: columns that rows have, whose inverse is the usual gamma; 0 = it is 1. */
cairn_kernel cairn_kernel_of(const cairn_kernel_params *params, size_t n_terms);
static inline cairn_kernel_kind cairn_kernel_kind_of(const cairn_kernel *kernel)
{
    return kernel->function ? kernel->function->kind : CAIRN_KERNEL_GIVEN;
}
/* From a spec such as "poly:degree=3,offset=1"; `option` begins the message of a failure. */
CAIRN_CHECKED cairn_status cairn_kernel_open(cairn_context *ctx, cairn_kernel *out,
                                             const char *option, const char *spec);
/* Which one it is, with its numbers; checked on reading. */
CAIRN_CHECKED cairn_status cairn_kernel_archive(cairn_archive *archive, cairn_kernel *kernel);

/* k(a, b) of two rows of n numbers, and by what they have together: their inner product, or their
 * squared distance (with `manhattan` the sum of absolute differences). */
double cairn_kernel_value(const cairn_kernel *kernel, const double *a, const double *b, size_t n);
double cairn_kernel_together(const cairn_kernel *kernel, double together);

/* -- texts -- */

typedef struct cairn_letters {
    const int32_t *letters;
    size_t n;
    const int32_t *order; /* spectrum: where its runs begin, sorted by run */
} cairn_letters;

/* Order of two runs of `length` letters: below 0, 0 or above. */
int cairn_letters_compare(const int32_t *a, const int32_t *b, size_t length);
/* Sort the runs of `length` letters; returns how many there are, n - length + 1 or none. */
size_t cairn_letters_sort(int32_t *order, const int32_t *letters, size_t n, size_t length);
/* k(a, b), not divided by lengths; edit: the number of edits. `buffer` has _buffer numbers for
 * texts of at most so many letters. Exactly symmetric. */
double cairn_text_kernel(const cairn_kernel *kernel, const cairn_letters *a, const cairn_letters *b,
                         double *buffer);
size_t cairn_text_kernel_buffer(const cairn_kernel *kernel, size_t longest);

/* -- windows: how the weight of a point falls with its distance u, in widths -- */

typedef enum cairn_window {
    CAIRN_WINDOW_GAUSSIAN,     /* exp(-u^2 / 2) */
    CAIRN_WINDOW_EPANECHNIKOV, /* 1 - u^2 within 1 */
    CAIRN_WINDOW_TRICUBE,      /* (1 - u^3)^3 within 1 */
    CAIRN_WINDOW_TRIANGLE      /* 1 - u within 1 */
} cairn_window;

extern const cairn_choice cairn_windows[];
double cairn_window_weight(cairn_window window, double u);

/* A value to be shown: that of a sum which is 0 but for rounding is 0. `lengths` are those of the
 * two rows multiplied. */
double cairn_kernel_left(const cairn_kernel *kernel, double value, double lengths);

#endif
