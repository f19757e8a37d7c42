/* SPDX-License-Identifier: MIT */
/* Pictures of one size as rows of a table: what the readers of PNM files, of text grids and of
 * folders share. */
#ifndef CAIRN_DATA_PICTURES_H
#define CAIRN_DATA_PICTURES_H

#include "data/table.h"

/* A zeroed one is empty. */
typedef struct cairn_pictures {
    size_t n, width, height;
    double *pixels; /* n x height x width */
    size_t capacity;
} cairn_pictures;

/* Free the pixels; it is empty and can be used again. */
void cairn_pictures_clear(cairn_pictures *pictures);
/* Whether bytes begin like a PBM or PGM file. */
bool cairn_pnm_detect(const char *head, size_t n);
/* Add the pictures of a PBM or PGM file. They must be of one size. */
CAIRN_CHECKED cairn_status cairn_pnm_parse(cairn_context *ctx, cairn_pictures *out,
                                           const char *name, const char *bytes, size_t length);
/* A table with a row per picture and the pixels, row by row, in columns p0, p1, ... */
CAIRN_CHECKED cairn_status cairn_pictures_table(cairn_context *ctx, cairn_table **out,
                                                const char *name, const cairn_pictures *pictures);

#endif
