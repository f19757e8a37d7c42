/* SPDX-License-Identifier: MIT */
/* cairn draw map: labelled rows in a plane such that similar rows lie close together. */
#include "pictures/picture.h"

#include "compute/matrices/rowmap.h"

static cairn_status map_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    cairn_rowmap map;
    CHECK(cairn_rowmap_make(ctx, &map, job->table, job->params, 2, false));
    return cairn_rowmap_figure(ctx, out, &map, job->table->source);
}

const cairn_picture cairn_picture_map = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "map",
              .also = "MDS plot, map of distances",
              .title = "Map of rows",
              .summary = "Rows as labelled points in a plane, placed by classical scaling of their "
                         "distances, which are measured between the rows of a table or given as a "
                         "matrix (--as distances); coloured by the target or by --colour.",
              .references = "Gower: Some distance properties of latent root and vector methods, "
                            "Biometrika 53, 1966",
              .example = "cairn draw map @mlm",
              .params = cairn_rowmap_table,
              .params_size = sizeof(cairn_rowmap_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = map_draw,
};
