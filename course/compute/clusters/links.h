/* SPDX-License-Identifier: MIT */
/* Pairs of rows that must be in one cluster, or must not. */
#ifndef CAIRN_COMPUTE_CLUSTERS_LINKS_H
#define CAIRN_COMPUTE_CLUSTERS_LINKS_H

#include "model/calculator.h"

/* A group of parameters. */
typedef struct cairn_links_options {
    const char *must_link, *cannot_link; /* typed: 1,2;4,5 */
    const char *links;                   /* a file with the columns first, second and link */
} cairn_links_options;

extern const cairn_param cairn_links_group[];

typedef struct cairn_row_link {
    size_t first, second; /* rows, from 0 */
    bool must;
} cairn_row_link;

typedef struct cairn_row_links {
    cairn_row_link *links; /* scratch */
    size_t n;
} cairn_row_links;

/* Rows are named by number, from 1, of n_rows. */
CAIRN_CHECKED cairn_status cairn_links_read(cairn_context *ctx, cairn_row_links *out,
                                            const cairn_links_options *options, size_t n_rows);
/* How many hold for these clusters (codes of all rows, -1 = in none, together with nobody), and
 * those that are violated. Nothing where there are none. */
void cairn_links_show(cairn_report *out, const cairn_row_links *links, const int32_t *clusters,
                      const char *const *names);

#endif
