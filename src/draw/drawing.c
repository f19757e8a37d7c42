/* SPDX-License-Identifier: MIT */
/* From a figure to a picture: which kind it is, how large, and onto which canvas. */
#include "base/memory.h"
#include "base/number.h"
#include "draw/plot.h"
#include "draw/svg.h"
#include <math.h>

/* A figure that failed while it was built says so again. */
cairn_status cairn_drawing_check(cairn_context *ctx, const cairn_figure *figure)
{
    if (!figure) return cairn_fail(ctx, CAIRN_INTERNAL, "there is no figure to draw");
    if (figure->status == CAIRN_NO_MEMORY) {
        char limit[CAIRN_NUMBER_SIZE];
        cairn_size_format(limit, (double)cairn_memory_limit(ctx));
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "there was no memory for figure '%s'%s%s",
                          figure->name, cairn_memory_limit(ctx) ? " within the limit of " : "",
                          cairn_memory_limit(ctx) ? limit : "");
    }
    if (figure->status)
        return cairn_fail(ctx, figure->status, "figure '%s' could not be built", figure->name);
    return CAIRN_OK;
}

static cairn_status prepare_kind(cairn_drawing *drawing)
{
    const cairn_figure *figure = drawing->figure;
    if (figure->n_panels) return cairn_panels_prepare(drawing);
    if (figure->n_nodes) return cairn_treeplot_prepare(drawing);
    if (figure->n_order_nodes) return cairn_orderplot_prepare(drawing);
    if (figure->has_heat) return cairn_heatplot_prepare(drawing);
    if (figure->dendro.n) return cairn_dendroplot_prepare(drawing);
    return cairn_plot_prepare(drawing);
}

/* The size is whole, so that paper and pixels end at the same place in every format. */
cairn_status cairn_drawing_prepare(cairn_context *ctx, cairn_drawing *drawing,
                                   const cairn_figure *figure)
{
    CHECK(cairn_drawing_check(ctx, figure));
    *drawing = (cairn_drawing){.ctx = ctx, .figure = figure};
    CHECK(prepare_kind(drawing));
    drawing->width = ceil(drawing->width - 1e-6);
    drawing->height = ceil(drawing->height - 1e-6);
    return CAIRN_OK;
}

cairn_status cairn_drawing_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    cairn_style paper = cairn_fill_style(0xFFFFFF);
    canvas->rectangle(canvas, (cairn_box){0, 0, canvas->width, canvas->height}, 0, &paper);
    cairn_draw_title(drawing->ctx, canvas, drawing->figure);
    if (canvas->status) return canvas->status;
    if (drawing->panels) return cairn_panels_draw(drawing, canvas);
    if (drawing->tree) return cairn_treeplot_draw(drawing, canvas);
    if (drawing->order) return cairn_orderplot_draw(drawing, canvas);
    if (drawing->heat) return cairn_heatplot_draw(drawing, canvas);
    if (drawing->dendro) return cairn_dendroplot_draw(drawing, canvas);
    return cairn_plot_draw(drawing, canvas);
}

cairn_status cairn_figure_extent(cairn_context *ctx, const cairn_figure *figure, double *width)
{
    SCOPED_SCRATCH(ctx);
    cairn_drawing drawing;
    CHECK(cairn_drawing_prepare(ctx, &drawing, figure));
    *width = drawing.width;
    return CAIRN_OK;
}

cairn_status cairn_figure_svg(cairn_context *ctx, const cairn_figure *figure, char **out)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_drawing drawing;
    cairn_svg svg = {0};
    cairn_status status;
    TRY(cairn_drawing_prepare(ctx, &drawing, figure));
    cairn_svg_start(ctx, &svg, drawing.width, drawing.height,
                    *figure->title ? figure->title : figure->name);
    status = cairn_drawing_draw(&drawing, &svg.canvas);
    if (status) svg.canvas.status = status;
    TRY(cairn_svg_finish(&svg, out));
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
