/* SPDX-License-Identifier: MIT */
/* cairn draw dense-points, reachability, condensed-tree: what models of dense regions know of their
 * rows. */
#include "pictures/picture.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

static cairn_status draw_points(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    return cairn_picture_of_model(ctx, out, job->model, "kinds",
                                  "core, border and noise points (dbscan of number columns, up to "
                                  "1000 rows)");
}

static cairn_status draw_reachability(cairn_context *ctx, cairn_figure **out,
                                      const cairn_compute_job *job)
{
    return cairn_picture_of_model(ctx, out, job->model, "reachability",
                                  "order of reachability (optics)");
}

static cairn_status draw_condensed(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    return cairn_picture_of_model(ctx, out, job->model, "condensed-tree",
                                  "condensed tree that splits (hdbscan)");
}

const cairn_calculator cairn_picture_condensed_tree = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "condensed-tree",
                .also = "hdbscan tree, icicle",
                .title = "Clusters over density",
                .summary = "The condensed tree of a model of hdbscan: every cluster as a bar that "
                           "becomes narrower as rows leave it with rising density, chosen clusters "
                           "in colour.",
                .example = "cairn fit hdbscan @iris --ignore species --save iris.cairn && cairn "
                           "draw condensed-tree iris.cairn --out tree.svg",
                .params = no_params},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw_condensed,
};

const cairn_calculator cairn_picture_dense_points = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "dense-points",
                .also = "core points, border points, noise, eps circles",
                .title = "Core, border and noise points",
                .summary =
                    "The rows of a model of dbscan over their first two number columns by "
                    "what they are: core, border or noise; of few rows with two columns also "
                    "the circles of radius eps around core points.",
                .example = "cairn fit dbscan @kmeans-twelve --eps 5 --min-points 3 --scale none "
                           "--save m.cairn && cairn draw dense-points m.cairn --out points.svg",
                .params = no_params},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw_points,
};

const cairn_calculator cairn_picture_reachability = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "reachability",
                .also = "reachability plot, OPTICS plot",
                .title = "Reachability in the order of density",
                .summary =
                    "The reachability of every row in the order of a model of optics: valleys "
                    "are dense regions, in the colours of their clusters.",
                .example =
                    "cairn fit optics @iris --ignore species --save iris.cairn && cairn draw "
                    "reachability iris.cairn --out reachability.svg",
                .params = no_params},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw_reachability,
};
