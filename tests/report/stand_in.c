/* SPDX-License-Identifier: MIT */
/* Figures that are never made: links the report's tests while src/draw is not there. */
#include "draw/figure.h"

void cairn_figure_free(cairn_figure *figure)
{
    (void)figure;
}

cairn_status cairn_figure_status(const cairn_figure *figure)
{
    return figure ? CAIRN_INTERNAL : CAIRN_OK;
}

const char *cairn_figure_name(const cairn_figure *figure)
{
    (void)figure;
    return "";
}

const char *cairn_figure_title(const cairn_figure *figure)
{
    (void)figure;
    return "";
}

cairn_status cairn_figure_svg(cairn_context *ctx, const cairn_figure *figure, char **out)
{
    (void)figure, (void)out;
    return cairn_fail(ctx, CAIRN_INTERNAL, "no figures here");
}

cairn_status cairn_figure_terminal(cairn_context *ctx, const cairn_figure *figure, int columns,
                                   bool colour, char **out)
{
    (void)figure, (void)columns, (void)colour, (void)out;
    return cairn_fail(ctx, CAIRN_INTERNAL, "no figures here");
}
