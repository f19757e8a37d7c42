/* SPDX-License-Identifier: MIT */
/* Kernels of texts, which are runs of letters. */
#include "stats/edit_distance.h"
#include "stats/kernel_functions.h"
#include <string.h>

/* -- runs of letters -- */

int cairn_letters_compare(const int32_t *a, const int32_t *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Move item `at` of a heap down to where it belongs. */
static void sift(int32_t *order, size_t at, size_t n, const int32_t *letters, size_t length)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n &&
            cairn_letters_compare(letters + order[child], letters + order[child + 1], length) < 0)
            child++;
        if (cairn_letters_compare(letters + order[at], letters + order[child], length) >= 0) return;
        int32_t kept = order[at];
        order[at] = order[child];
        order[child] = kept;
    }
}

size_t cairn_letters_sort(int32_t *order, const int32_t *letters, size_t n, size_t length)
{
    size_t runs = n < length ? 0 : n - length + 1;
    for (size_t i = 0; i < runs; i++) order[i] = (int32_t)i;
    for (size_t i = runs / 2; i-- > 0;) sift(order, i, runs, letters, length);
    for (size_t left = runs; left > 1;) {
        int32_t kept = order[0];
        order[0] = order[--left];
        order[left] = kept;
        sift(order, 0, left, letters, length);
    }
    return runs;
}

/* Items of the sorted list from `at` on that are the same run. */
static size_t count_same(const cairn_letters *a, size_t at, size_t runs, size_t length)
{
    size_t n = 1;
    while (at + n < runs && cairn_letters_compare(a->letters + a->order[at],
                                                  a->letters + a->order[at + n], length) == 0)
        n++;
    return n;
}

static double spectrum(const cairn_letters *a, const cairn_letters *b, size_t length)
{
    size_t n_a = a->n < length ? 0 : a->n - length + 1, n_b = b->n < length ? 0 : b->n - length + 1;
    double sum = 0;
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        int order =
            cairn_letters_compare(a->letters + a->order[i], b->letters + b->order[j], length);
        size_t same_a = order <= 0 ? count_same(a, i, n_a, length) : 0;
        size_t same_b = order >= 0 ? count_same(b, j, n_b, length) : 0;
        sum += (double)same_a * (double)same_b;
        i += same_a;
        j += same_b;
    }
    return sum;
}

/* -- subsequences -- */

/* reach[i * (n_b + 1) + j]: sum over common subsequences of i letters of a's and b's first letters,
 * of decay to the power of the letters from their first one to the ends. A letter of a at a time is
 * added; longer subsequences first, as they need the shorter ones from before it. */
static double subsequences(const cairn_letters *a, const cairn_letters *b, size_t length,
                           double decay, double *reach)
{
    size_t width = b->n + 1;
    double sum = 0, both = decay * decay;
    memset(reach, 0, length * width * sizeof *reach);
    for (size_t j = 0; j < width; j++) reach[j] = 1;
    for (size_t r = 0; r < a->n; r++) {
        const double *last = reach + (length - 1) * width;
        for (size_t j = 0; j < b->n; j++)
            if (a->letters[r] == b->letters[j]) sum += both * last[j];
        for (size_t i = length - 1; i > 0; i--) {
            double *to = reach + i * width, along = 0;
            const double *shorter = to - width;
            for (size_t j = 0; j < b->n; j++) {
                along *= decay;
                if (a->letters[r] == b->letters[j]) along += both * shorter[j];
                to[j + 1] = decay * to[j + 1] + along;
            }
        }
    }
    return sum;
}

/* -- use -- */

size_t cairn_text_kernel_room(const cairn_kernel *kernel, size_t longest)
{
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SPECTRUM) return 0;
    return (longest + 1) * (kernel->length > 1 ? (size_t)kernel->length : 1);
}

double cairn_text_kernel(const cairn_kernel *kernel, const cairn_letters *a, const cairn_letters *b,
                         double *room)
{
    size_t shorter = a->n < b->n ? a->n : b->n;
    int order = cairn_letters_compare(a->letters, b->letters, shorter);
    bool exchange = order > 0 || (order == 0 && a->n > b->n);
    const cairn_letters *first = exchange ? b : a, *second = exchange ? a : b;
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_SPECTRUM: return spectrum(first, second, (size_t)kernel->length);
    case CAIRN_KERNEL_SUBSEQUENCE:
        return subsequences(first, second, (size_t)kernel->length, kernel->decay, room);
    default:
        return (double)cairn_edit_distance(first->letters, first->n, second->letters, second->n,
                                           (int32_t *)(void *)room);
    }
}
