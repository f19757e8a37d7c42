/* SPDX-License-Identifier: MIT */
/* What the order of OPTICS tells and draws. */
#include "base/memory.h"
#include "learners/cluster/optics.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_ROWS = 30, SHOWN_CLUSTERS = 50, PLACES = 1000 };

/* -- tables -- */

static void show_clusters(cairn_report *out, size_t n_clusters, const cairn_optics_account *s)
{
    size_t noise = 0;
    for (size_t i = 0; i < s->n; i++) noise += s->clusters[i] < 0;
    cairn_report_value(out, "noise", (double)noise, "noise");
    if (n_clusters == 0) {
        cairn_report_note(out, "No cluster was found: all rows are noise.");
        return;
    }
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rr", "cluster", "size");
    for (size_t c = 0; c < n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, s->sizes[c], 0, "cluster%zu.size", c + 1);
    }
    cairn_report_table_end(out);
}

/* The order with what it was made by; of many rows the first, and no values. */
static void show_order(cairn_report *out, const cairn_optics_account *s)
{
    bool named = s->n <= CAIRN_DENSITY_SAMPLE;
    cairn_report_table_of(out, "Order", SHOWN_ROWS, "rrrrll", "place", "row", "core distance",
                          "reachability", "from row", "cluster");
    for (size_t i = 0; i < s->n && (named || i <= SHOWN_ROWS); i++) {
        int32_t row = s->rows[i] + 1;
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, row, 0, named ? "order.%zu" : NULL, i + 1);
        cairn_density_cell(out, s->core[i], named ? "core.%d" : NULL, row);
        cairn_density_cell(out, s->reach[i], named ? "reach.%d" : NULL, row);
        if (named) cairn_report_hidden(out, s->clusters[i] + 1.0, "assign.%d", row);
        if (s->from[i] >= 0)
            cairn_report_cellf(out, "%d", s->from[i] + 1);
        else
            cairn_report_cell(out, "-");
        if (s->clusters[i] >= 0)
            cairn_report_cellf(out, "%d", s->clusters[i] + 1);
        else
            cairn_report_cell(out, "none");
    }
    cairn_report_table_end(out);
}

/* -- pictures -- */

static cairn_status draw_clusters(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_optics_account *s = job->account;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const cairn_optics_model *)model)->n_clusters, job);
}

/* Heights of places of the plot, each the highest of `step` rows; what is infinite stands a little
 * above the rest. */
static void plot_heights(const cairn_optics_account *s, size_t step, double *heights, size_t n)
{
    double top = 0;
    for (size_t i = 0; i < s->n; i++)
        if (isfinite(s->reach[i]) && s->reach[i] > top) top = s->reach[i];
    for (size_t i = 0; i < n; i++) {
        heights[i] = 0;
        for (size_t j = i * step; j < (i + 1) * step && j < s->n; j++)
            heights[i] = fmax(heights[i], isfinite(s->reach[j]) ? s->reach[j] : 1.1 * top);
    }
}

/* Whether nothing before one of the rows of a place lies within eps of it. */
static bool is_infinite(const cairn_optics_account *s, size_t place, size_t step)
{
    for (size_t j = place * step; j < (place + 1) * step && j < s->n; j++)
        if (!isfinite(s->reach[j])) return true;
    return false;
}

/* Bars that would have no end say so; of very many, the first. */
static void mark_infinite(cairn_figure *figure, const cairn_optics_account *s, size_t step,
                          const double *heights, size_t n)
{
    enum { MOST_MARKED = 40 };
    double top = 0;
    for (size_t i = 0, marked = 0; i < n; i++) {
        top = fmax(top, heights[i]);
        if (!is_infinite(s, i, step) || marked++ == MOST_MARKED) continue;
        cairn_figure_text(figure, ((double)i + 0.5) * (double)step + 0.5, heights[i], 'c', "∞");
    }
    if (top > 0) cairn_figure_y_range(figure, 0, 1.08 * top);
}

/* Bars of neighbouring places of one cluster are one area. */
static void draw_runs(cairn_figure *figure, const cairn_optics_account *s, size_t step,
                      const double *heights, size_t n, double *x)
{
    double *low = x + 2 * n, *high = x + 4 * n;
    for (size_t begin = 0, end; begin < n; begin = end) {
        int32_t cluster = s->clusters[begin * step];
        char label[32];
        size_t m = 0;
        for (end = begin; end < n && s->clusters[end * step] == cluster; end++)
            for (size_t side = 0; side < 2; side++, m++) {
                x[m] = (double)((end + side) * step) + 0.5;
                low[m] = 0, high[m] = heights[end];
            }
        snprintf(label, sizeof label, "cluster %d", cluster + 1);
        cairn_figure_shade(figure, cluster < 0 ? NULL : label, cluster, 0.8, x, low, high, m);
    }
}

/* Areas in the colours of clusters, and their outline for terminals, which have no areas. */
static cairn_status draw_plot(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    const cairn_optics_account *s = job->account;
    const cairn_optics_params *p = job->params;
    (void)model;
    *out = NULL;
    if (!s || s->n < 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    size_t step = (s->n + PLACES - 1) / PLACES, n = (s->n + step - 1) / step;
    double *heights, *x;
    CHECK(SCRATCH(ctx, &heights, n));
    CHECK(SCRATCH(ctx, &x, 6 * n));
    plot_heights(s, step, heights, n);
    CHECK(cairn_figure_new(ctx, out, "reachability", "Reachability in the order of OPTICS"));
    cairn_figure_axes(*out, "place in the order", "reachability");
    mark_infinite(*out, s, step, heights, n);
    draw_runs(*out, s, step, heights, n, x);
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = (double)(i * step) + 0.5, x[2 * i + 1] = (double)((i + 1) * step) + 0.5;
        x[2 * n + 2 * i] = x[2 * n + 2 * i + 1] = heights[i];
    }
    cairn_figure_guide(*out, x, x + 2 * n, 2 * n);
    if (!isnan(p->cut)) cairn_figure_rule_y(*out, "cut", p->cut);
    return CAIRN_OK;
}

const cairn_model_figure cairn_optics_figures[] = {
    {"reachability", draw_plot, false},
    {"clusters", draw_clusters, false},
    {0},
};

void cairn_optics_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_optics_model *m = model;
    const cairn_optics_account *s = job->account;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "OPTICS");
    cairn_report_value(out, "clusters", (double)m->n_clusters, "clusters");
    if (!s) return;
    show_clusters(out, m->n_clusters, s);
    show_order(out, s);
    for (const cairn_model_figure *f = cairn_optics_figures; f->name; f++) {
        cairn_figure *figure = NULL;
        cairn_status made = f->make(ctx, &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
}
