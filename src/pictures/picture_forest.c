/* SPDX-License-Identifier: MIT */
/* cairn draw forest: pictures of a random forest, as its description has them. */
#include "pictures/picture.h"

#include "model/explain.h"

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

/* What the model says about one row. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_picture_job *job)
{
    const forest_params *p = job->params;
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{part vote} needs the data of the row: cairn draw forest MODEL DATA");
    if ((size_t)p->row > job->table->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{row %d}: the table has %zu rows", p->row,
                          job->table->n_rows);
    uint32_t row = (uint32_t)p->row - 1;
    return cairn_model_explain(ctx, out, job->model, job->table,
                               &(cairn_explain_options){.rows = &row, .n_rows = 1});
}

/* The pictures are those of the model's own report, or of the explanation of a row, so they are
 * made in one place only. */
static cairn_status forest_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_picture_job *job)
{
    static const char *const names[] = {"forest", "oob", "importance", "map", "vote"};
    const forest_params *p = job->params;
    cairn_report *description = NULL;
    cairn_status status;
    TRY(cairn_report_new(ctx, &description));
    if (p->part == PART_VOTE)
        TRY(explain_row(ctx, description, job));
    else
        TRY(cairn_model_describe(ctx, description, job->model));
    *out = cairn_report_take_figure(description, names[p->part]);
    if (!*out)
        status = cairn_fail(ctx, CAIRN_USAGE, "this model of %s has no picture {part %s}",
                            cairn_model_learner(job->model), parts[p->part].name);
done:
    cairn_report_free(description);
    return status;
}

const cairn_picture cairn_picture_forest = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "forest",
              .also = "variable importance, feature importance, out-of-bag error, proximities",
              .title = "Pictures of a random forest",
              .summary = "Draws the first trees of a forest side by side, the way of a row through "
                         "them with the votes of all trees, how the out-of-bag error falls with "
                         "the number of trees, the importance of the columns, or the map of a "
                         "clustering by proximities.",
              .example = "cairn fit forest @iris --target species --save iris.cairn && "
                         "cairn draw forest iris.cairn --out iris.svg",
              .params = forest_table,
              .params_size = sizeof(forest_params)},
    .arguments = "MODEL [DATA]",
    .needs_model = true,
    .takes_table = true,
    .draw = forest_draw,
};
