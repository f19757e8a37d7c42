/* SPDX-License-Identifier: MIT */
/* Loading the cairo module, and rendering a figure through it. */
#include "draw/module.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that this code lies in: the shared library, or the program it was linked into, whose
 * recorded name need not be its path. */
static bool own_path(char out[PATH_MAX])
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1((void *)cairn_version, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const char *name = *map->l_name ? map->l_name : "/proc/self/exe";
    return realpath(name, out) != NULL;
}

/* Path of the module beside the library, or in the folder cairn/ beside it; empty if neither is
 * there. */
static cairn_status find_module(cairn_context *ctx, cairn_text *path, char folder[PATH_MAX])
{
    static const char *const names[] = {"/cairn-cairo.so", "/cairn/cairn-cairo.so"};
    if (!own_path(folder))
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "the library's folder is unknown");
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cairn_text_clear(path);
        cairn_text_add(path, folder);
        cairn_text_add(path, names[i]);
        if (cairn_text_status(path)) return cairn_text_status(path);
        if (access(cairn_text_string(path), R_OK) == 0) return CAIRN_OK;
    }
    cairn_text_clear(path);
    return CAIRN_OK;
}

static cairn_status open_module(cairn_context *ctx, const cairn_canvas_module **out,
                                const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return cairn_fail(ctx, CAIRN_FILE_ERROR,
                          "%s cannot be loaded (%s); install the Debian package libcairo2 for png "
                          "and pdf, or write svg",
                          path, dlerror());
    const cairn_canvas_module *module = dlsym(handle, CAIRN_CANVAS_SYMBOL);
    if (!module || module->abi != CAIRN_CANVAS_ABI)
        return cairn_fail(ctx, CAIRN_FILE_ERROR,
                          "%s belongs to another version of Cairn; install the one that came with "
                          "this library",
                          path);
    *out = module;
    return CAIRN_OK;
}

cairn_status cairn_canvas_module_load(cairn_context *ctx, const cairn_canvas_module **out)
{
    cairn_text path = cairn_text_start(ctx);
    char folder[PATH_MAX];
    cairn_status status;
    TRY(find_module(ctx, &path, folder));
    if (!path.length) {
        status = cairn_fail(ctx, CAIRN_FILE_ERROR,
                            "png and pdf need the module cairn-cairo.so, which is not in %s; it is "
                            "built when the Debian package libcairo2-dev is there and runs with "
                            "libcairo2; svg needs neither",
                            folder);
        goto done;
    }
    TRY(open_module(ctx, out, cairn_text_string(&path)));
done:
    cairn_text_clear(&path);
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
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_text bytes = cairn_text_start(ctx);
    const cairn_canvas_module *module = NULL;
    cairn_drawing drawing;
    cairn_status status;
    if (!cairn_same(format, "png") && !cairn_same(format, "pdf")) {
        status = cairn_fail(ctx, CAIRN_USAGE, "a picture is rendered as png or pdf, not as %s",
                            format ? format : "nothing");
        goto done;
    }
    TRY(cairn_drawing_prepare(ctx, &drawing, figure));
    TRY(cairn_canvas_module_load(ctx, &module));
    TRY(run_module(&drawing, module, format, &bytes));
    size_t size = bytes.length;
    TRY(cairn_text_take(&bytes, out));
    *length = size;
done:
    cairn_text_clear(&bytes);
    cairn_scratch_release(ctx, mark);
    return status;
}
