/* SPDX-License-Identifier: MIT */
/* cairn draw forest: pictures that a random forest draws of itself. */
#include "pictures/picture.h"

typedef struct forest_params {
    int part, row;
} forest_params;

enum { PART_TREES, PART_OOB, PART_IMPORTANCE, PART_MAP, PART_VOTE };

static const cairn_choice parts[] = {
    {"trees", PART_TREES, "the first trees side by side, down to a small depth"},
    {"oob", PART_OOB, "the out-of-bag error by the number of trees"},
    {"importance", PART_IMPORTANCE, "the importance of the columns"},
    {"map", PART_MAP, "rows by their proximities (forest-cluster)"},
    {"vote", PART_VOTE, "the way of a row of DATA through the first trees, and all votes"},
    {NULL, 0, NULL},
};

static const cairn_param forest_table[] = {
    CAIRN_PARAM_CHOICE(forest_params, part, "trees", parts, "what is drawn"),
    CAIRN_PARAM(forest_params, row, "1", "[1,inf)", "the number of the row", .when = "part=vote"),
    CAIRN_PARAM_END,
};

/* The row that the vote is about. */
static cairn_status check_row(cairn_context *ctx, const cairn_compute_job *job)
{
    const forest_params *p = job->params;
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{part vote} needs the data of the row: cairn draw forest MODEL DATA");
    if ((size_t)p->row > job->table->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{row %d}: the table has %zu rows", p->row,
                          job->table->n_rows);
    return CAIRN_OK;
}

/* The pictures are those of the model's own report, or of the explanation of a row, so they are
 * made in one place only. */
static cairn_status forest_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    static const char *const names[] = {"forest", "oob", "importance", "map", "vote"};
    const forest_params *p = job->params;
    if (p->part == PART_VOTE) CHECK(check_row(ctx, job));
    CHECK(cairn_model_draw(ctx, out, job->model, names[p->part], job->table, (uint32_t)p->row - 1));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "this model of %s has no picture {part %s}",
                      cairn_model_learner(job->model), parts[p->part].name);
}

const cairn_calculator cairn_picture_forest = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "forest",
                .also = "variable importance, feature importance, out-of-bag error, proximities",
                .title = "Pictures of a random forest",
                .summary =
                    "Draws the first trees of a forest side by side, the way of a row through "
                    "them with the votes of all trees, how the out-of-bag error falls with "
                    "the number of trees, the importance of the columns, or the map of a "
                    "clustering by proximities.",
                .example = "cairn fit forest @iris --target species --save iris.cairn && "
                           "cairn draw forest iris.cairn --out iris.svg",
                .params = forest_table,
                .params_size = sizeof(forest_params)},
    .arguments = "MODEL [DATA]",
    .needs_model = true,
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = forest_draw,
};
