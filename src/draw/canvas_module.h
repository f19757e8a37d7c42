/* SPDX-License-Identifier: MIT */
/* The border between the library and the cairo module: one exported record, found by name in
 * cairn-cairo.so. The module is loaded from the library's own folder and nowhere else. It needs no
 * symbol of the library and allocates nothing that it hands over. */
#ifndef CAIRN_DRAW_CANVAS_MODULE_H
#define CAIRN_DRAW_CANVAS_MODULE_H

#include "base/context.h"
#include "draw/canvas.h"

/* Raised whenever canvas.h or this header changes shape. */
#define CAIRN_CANVAS_ABI    UINT32_C(1)
#define CAIRN_CANVAS_SYMBOL "cairn_canvas_module_record"

typedef struct cairn_canvas_job {
    const char *format; /* "png" or "pdf" */
    const char *title;  /* kept in the file where the format has a place for it */
    double width, height;
    double scale; /* pixels per point */
    /* Called once with a canvas of that size. */
    void (*draw)(cairn_canvas *canvas, void *data);
    void *draw_data;
    /* Called with the finished bytes, in pieces; false stops it. */
    bool (*write)(void *data, const unsigned char *bytes, size_t length);
    void *write_data;
    /* Outlines of shapes and lengths of dashes, lent by the library. */
    size_t (*outline)(cairn_canvas_shape shape, double radius, double xy[2 * CAIRN_OUTLINE_SIZE]);
    const double (*dashes)[CAIRN_DASH_LENGTH];
} cairn_canvas_job;

typedef struct cairn_canvas_module {
    uint32_t abi; /* CAIRN_CANVAS_ABI of the headers it was built with */
    const char *name;
    /* NULL when all went well, else a sentence in static memory. */
    const char *(*render)(const cairn_canvas_job *job);
} cairn_canvas_module;

/* Load the module; the message of a failure names what is missing. It stays loaded. */
CAIRN_CHECKED cairn_status cairn_canvas_module_load(cairn_context *ctx,
                                                    const cairn_canvas_module **out);

#endif
