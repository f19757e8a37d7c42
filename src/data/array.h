/* SPDX-License-Identifier: MIT */
/* Arrays of binary numbers (npy, idx) as number columns. */
#ifndef CAIRN_DATA_ARRAY_H
#define CAIRN_DATA_ARRAY_H

#include "base/file.h"
#include "data/table.h"

typedef struct cairn_array {
    char type;      /* 'b' truth values, 'i' and 'u' whole numbers, 'f' reals */
    size_t width;   /* bytes of a number: 1, 2, 4 or 8 */
    bool big;       /* the most significant byte comes first */
    bool by_column; /* numbers of a column lie side by side, not those of a row */
    double seconds; /* above 0: times, counted in units of so many seconds since 1970; the least
                       number is a missing one */
    size_t n_rows, n_columns;
    const char *prefix; /* column j is called prefix and j + first */
    size_t first;
} cairn_array;

/* Turns `n` numbers in the machine's byte order, `stride` bytes apart, into doubles. */
typedef void (*cairn_decoder)(double *out, const char *in, size_t stride, size_t n);
/* For a type and a width as above; NULL when there is no such type. */
cairn_decoder cairn_array_decoder(char type, size_t width);

/* Read exactly `size` bytes; fewer fail with "the file is cut short". */
CAIRN_CHECKED cairn_status cairn_array_fetch(cairn_context *ctx, cairn_input *input, void *out,
                                             size_t size);

/* An input whose size is known: the given one, or all of it unpacked into memory. The caller closes
 * *inner (NULL when it is the given one) and then frees *bytes. */
CAIRN_CHECKED cairn_status cairn_array_sized(cairn_context *ctx, cairn_input **use,
                                             cairn_input *input, cairn_input **inner, char **bytes);

/* A table of the numbers that follow at the position of a sized input, which is `offset` bytes from
 * its beginning. The size of the rest must be that of the array, and is checked before memory is
 * taken. Infinities fail; not-a-number is missing. */
CAIRN_CHECKED cairn_status cairn_array_read(cairn_context *ctx, cairn_table **out,
                                            cairn_input *input, size_t offset,
                                            const cairn_array *array);

#endif
