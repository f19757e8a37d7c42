/* SPDX-License-Identifier: MIT */
/* A module of another version, which the library must refuse. */
#include "draw/canvas_module.h"

static const char *render(const cairn_canvas_job *job)
{
    (void)job;
    return "this must never run";
}

extern CAIRN_API const cairn_canvas_module cairn_canvas_module_record;
CAIRN_API const cairn_canvas_module cairn_canvas_module_record = {
    .abi = CAIRN_CANVAS_ABI + 1, .name = "foreign", .render = render};
