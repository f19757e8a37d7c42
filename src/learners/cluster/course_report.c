/* SPDX-License-Identifier: MIT */
/* Costs by starts and by rounds: see course_report.h. */
#include "learners/cluster/course_report.h"

#include "base/memory.h"
#include "report/table_rows.h"

void cairn_show_starts(cairn_report *out, const char *title, const char *word, const double *costs,
                       size_t n, int32_t best)
{
    if (n < 2) return;
    cairn_report_table_of(out, title, 20, "rr", word, "cost");
    for (size_t s = 0; s < n; s++) {
        if ((int32_t)s == best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- start$1.cost", s + 1, costs[s]);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, best + 1.0, "best_start");
}

static cairn_status make_figure(cairn_context *ctx, cairn_figure **figure, const char *title,
                                const char *counted, const char *cost, const double *costs,
                                size_t n)
{
    SCOPED_SCRATCH(ctx);
    double *x;
    CHECK(SCRATCH(ctx, &x, n));
    for (size_t i = 0; i < n; i++) x[i] = (double)i;
    CHECK(cairn_figure_new(ctx, figure, "cost", title));
    cairn_figure_axes(*figure, counted, cost);
    cairn_figure_line(*figure, NULL, x, costs, n);
    cairn_figure_points(*figure, x, costs, NULL, n, NULL, 0);
    return CAIRN_OK;
}

void cairn_draw_costs(cairn_report *out, const char *title, const char *counted, const char *cost,
                      const double *costs, size_t n)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    if (!ctx || n < 2) return;
    cairn_status status = make_figure(ctx, &figure, title, counted, cost, costs, n);
    if (status)
        cairn_report_failed(out, status);
    else
        cairn_report_figure(out, figure);
}
