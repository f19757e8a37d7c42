/* SPDX-License-Identifier: MIT */
/* The pictures that models draw of themselves, by name. */
#include "model/chain.h"

void cairn_describe_figure(cairn_report *out, cairn_status made, cairn_figure **figure, bool page)
{
    cairn_report_failed(out, made);
    if (made)
        cairn_figure_free(*figure);
    else if (*figure && page)
        cairn_report_page_figure(out, *figure);
    else if (*figure)
        cairn_report_figure(out, *figure);
    *figure = NULL;
}

/* The figure of the model, or else of the one that it wraps, which *model then is. */
static const cairn_model_figure *find(const cairn_model **model, const char *name)
{
    while (*model && (*model)->learner) {
        const cairn_learner *learner = (*model)->learner;
        for (const cairn_model_figure *f = learner->figures; f && f->name; f++)
            if (cairn_same(f->name, name)) return f;
        *model = learner->base ? learner->base((*model)->state) : NULL;
    }
    return NULL;
}

/* The row as the learner sees it, and its picture. */
static cairn_status draw_row(cairn_context *ctx, cairn_figure **out, const cairn_model_figure *f,
                             const cairn_model *model, const cairn_table *table, uint32_t row)
{
    cairn_table *part = NULL, *rows = NULL, *inner = NULL;
    cairn_match match = {0};
    cairn_view view;
    cairn_job job = cairn_model_job(model);
    cairn_status status;
    TRY(cairn_table_take_rows(ctx, &part, table, &row, 1));
    TRY(cairn_schema_match(ctx, &rows, &model->schema, part, false, &match));
    TRY(cairn_chain_apply(ctx, model, &inner, rows));
    TRY(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    view.target = NULL;
    job.view = &view;
    TRY(f->make(ctx, out, model->state, &job));
done:
    cairn_table_free(part);
    cairn_table_free(rows);
    cairn_table_free(inner);
    return status;
}

cairn_status cairn_model_draw(cairn_context *ctx, cairn_figure **out, const cairn_model *model,
                              const char *name, const cairn_table *table, uint32_t row)
{
    const cairn_model_figure *figure = find(&model, name);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    *out = NULL;
    if (!figure) return CAIRN_OK;
    if (figure->of_row && table) {
        status = draw_row(ctx, out, figure, model, table, row);
    } else if (!figure->of_row) {
        cairn_job job = cairn_model_job(model);
        job.history = model->history;
        job.described = model;
        status = figure->make(ctx, out, model->state, &job);
    }
    if (status) {
        cairn_figure_free(*out);
        *out = NULL;
    }
    cairn_scratch_release(ctx, mark);
    return status;
}
