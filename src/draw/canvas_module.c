/* SPDX-License-Identifier: MIT */
/* Loading the cairo module, and rendering a figure through it. */
#include "draw/canvas_module.h"
#include "base/memory.h"
#include "base/module.h"
#include "base/text.h"
#include "draw/plot.h"
#include <string.h>

static const cairn_module cairo = {
    .file = "cairn-cairo.so",
    .symbol = CAIRN_CANVAS_SYMBOL,
    .abi = CAIRN_CANVAS_ABI,
    .purpose = "png and pdf",
    .package = "libcairo2",
    .build = "libcairo2-dev",
    .instead = "svg needs neither",
};

cairn_status cairn_canvas_module_load(cairn_context *ctx, const cairn_canvas_module **out)
{
    const void *record;
    cairn_status status = cairn_module_load(ctx, &record, &cairo);
    if (!status) *out = record;
    return status;
}

static void draw_on(cairn_canvas *canvas, void *data)
{
    cairn_status status = cairn_drawing_draw(data, canvas);
    if (status) canvas->status = status;
}

static bool keep_bytes(void *data, const unsigned char *bytes, size_t length)
{
    cairn_text *text = data;
    cairn_text_add_bytes(text, (const char *)bytes, length);
    return cairn_text_status(text) == CAIRN_OK;
}

/* The module draws through the same callbacks as our own formats, so a picture is the same in all
 * of them; the scale of 2 makes pixels sharp on fine screens. */
static cairn_status run_module(cairn_drawing *drawing, const cairn_canvas_module *module,
                               const char *format, cairn_text *bytes)
{
    const cairn_figure *figure = drawing->figure;
    cairn_canvas_job job = {.format = format,
                            .title = *figure->title ? figure->title : figure->name,
                            .width = drawing->width,
                            .height = drawing->height,
                            .scale = 2,
                            .draw = draw_on,
                            .draw_data = drawing,
                            .write = keep_bytes,
                            .write_data = bytes,
                            .outline = cairn_shape_outline,
                            .dashes = cairn_dash_table};
    const char *problem = module->render(&job);
    if (cairn_text_status(bytes)) return cairn_text_status(bytes);
    if (!problem) return CAIRN_OK;
    return cairn_fail(drawing->ctx, CAIRN_FILE_ERROR, "figure '%s' could not be rendered as %s: %s",
                      figure->name, format, problem);
}

cairn_status cairn_figure_render(cairn_context *ctx, const cairn_figure *figure, const char *format,
                                 char **out, size_t *length)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    const cairn_canvas_module *module = NULL;
    cairn_drawing drawing;
    if (!cairn_same(format, "png") && !cairn_same(format, "pdf")) {
        return cairn_fail(ctx, CAIRN_USAGE, "a picture is rendered as png or pdf, not as %s",
                          format ? format : "nothing");
    }
    CHECK(cairn_drawing_prepare(ctx, &drawing, figure));
    CHECK(cairn_canvas_module_load(ctx, &module));
    CHECK(run_module(&drawing, module, format, &bytes));
    size_t size = bytes.length;
    CHECK(cairn_text_take(&bytes, out));
    *length = size;
    return CAIRN_OK;
}
