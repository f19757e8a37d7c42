/* SPDX-License-Identifier: MIT */
/* The figures of a report to files. */
#include "command/judging.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* How many figures of the same name come before this one. */
static size_t count_before(const cairn_report *report, size_t i)
{
    const char *name = cairn_figure_name(cairn_report_figure_at(report, i));
    size_t n = 0;
    for (size_t j = 0; j < i; j++)
        n += cairn_same(cairn_figure_name(cairn_report_figure_at(report, j)), name);
    return n;
}

cairn_status cairn_command_write_figures(cairn_command *c, const char *path)
{
    size_t n = cairn_report_figure_count(c->report), stem = strlen(path) - 4;
    if (n == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--out %s: this report has no picture; .html, .md, .json and .txt take "
                          "the report",
                          path);
    if (n > 1 && cairn_out_is_standard(path))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--out %s: standard output takes one picture, and this report has %zu; "
                          "name a file, and each gets one of its own",
                          path, n);
    for (size_t i = 0; i < n; i++) {
        const cairn_figure *figure = cairn_report_figure_at(c->report, i);
        const char *name = cairn_figure_name(figure);
        size_t before = count_before(c->report, i), buffer = strlen(path) + strlen(name) + 32;
        char *own, number[24] = "";
        CHECK(SCRATCH(c->ctx, &own, buffer));
        if (before) snprintf(number, sizeof number, "-%zu", before + 1);
        if (n == 1)
            memcpy(own, path, strlen(path));
        else
            snprintf(own, buffer, "%.*s-%s%s%s", (int)stem, path, name, number, path + stem);
        CHECK(cairn_command_write_picture(c, figure, own));
    }
    return CAIRN_OK;
}
