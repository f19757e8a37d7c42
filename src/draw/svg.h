/* SPDX-License-Identifier: MIT */
/* A canvas that writes an SVG document. */
#ifndef CAIRN_DRAW_SVG_H
#define CAIRN_DRAW_SVG_H

#include "base/text.h"
#include "draw/canvas.h"

typedef struct cairn_svg {
    cairn_canvas canvas; /* first, so that a canvas is its svg */
    cairn_text text;
    bool is_open;           /* the path written last waits for more lines of its style */
    cairn_style open_style; /* that style */
    double at[2];           /* where the path written last ended, in hundredths */
    char letter;            /* its command under way */
} cairn_svg;

/* Start a document; `title` is for people who hear it read. */
void cairn_svg_start(cairn_context *ctx, cairn_svg *svg, double width, double height,
                     const char *title);
/* End it and hand over the text; frees everything in any case. */
CAIRN_CHECKED cairn_status cairn_svg_finish(cairn_svg *svg, char **out);

#endif
