/* SPDX-License-Identifier: MIT */
/* Figures of a report by their names. */
#ifndef CAIRN_TESTS_FIGURES_H
#define CAIRN_TESTS_FIGURES_H

#include "report/report.h"
#include <string.h>

/* The first figure of that name, which stays the report's; NULL = there is none. */
static inline const cairn_figure *find_figure(const cairn_report *report, const char *name)
{
    const cairn_figure *figure = NULL;
    for (size_t i = 0; (figure = cairn_report_figure_at(report, i)); i++)
        if (strcmp(cairn_figure_name(figure), name) == 0) return figure;
    return NULL;
}

#endif
