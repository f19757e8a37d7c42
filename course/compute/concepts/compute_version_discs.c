/* SPDX-License-Identifier: MIT */
/* cairn compute version-discs: the closed discs of the plane that hold all positive points and no
 * negative one. A centre c is admissible when max d(c, positive) < min d(c, negative); its radii
 * are those between. */
#include "compute/concepts/shape_figures.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

typedef struct discs_params {
    const char *positive, *centre;
    int64_t limit;
    int marks;
} discs_params;

static const cairn_param discs_table[] = {
    CAIRN_PARAM(discs_params, positive, NULL, NULL, "the class inside the discs"),
    {.name = "centre",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(discs_params, centre),
     .help =
         "a centre x,y whose radii are wanted; the picture has the smallest circle around it, and "
         "the one it has to stay inside",
     .repeated = true},
    CAIRN_PARAM(discs_params, limit, "5000", "[3,1000000]",
                "most corners of the region of centres; finding n of them takes up to n^2 steps"),
    CAIRN_PARAM_CHOICE(discs_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

/* An empty region is explained by the pair of rows whose half-plane left nothing, as the last of
 * many constraints. */
static void show_centres(cairn_report *out, const cairn_shape_data *data, const cairn_centres *c)
{
    cairn_report_hidden(out, c->empty, "empty");
    if (c->empty) {
        cairn_report_note(
            out,
            "No disc fits: no centre is nearer to every positive point than to any "
            "negative one. Nothing was left when the positive row %s had to be nearer "
            "than the negative row %s.",
            data->names[c->positive], data->names[c->negative]);
        cairn_report_hidden_word(out, data->names[c->positive], "collapsed.positive");
        cairn_report_hidden_word(out, data->names[c->negative], "collapsed.negative");
        return;
    }
    cairn_report_table_of(out, "Corners of the region of admissible centres (without its border)",
                          0, "rrr", "", data->columns[0], data->columns[1]);
    for (size_t i = 0; i < c->n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, c->x[i], 0, "corner%zu.x", i + 1);
        cairn_report_cell_number(out, c->y[i], 0, "corner%zu.y", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)c->n, "corner.count");
    cairn_report_word(out, "unbounded", c->unbounded ? "yes" : "no", "unbounded");
}

static void show_smallest(cairn_report *out, const cairn_shape_data *data, const cairn_disc *disc)
{
    double low, high;
    if (isnan(disc->radius)) return;
    cairn_disc_radii(&data->points, disc->x, disc->y, &low, &high);
    cairn_report_value(out, "smallest disc of the positive points: x", disc->x, "smallest.x");
    cairn_report_value(out, "y", disc->y, "smallest.y");
    cairn_report_value(out, "radius", disc->radius, "smallest.radius");
    cairn_report_word(out, "without a negative point", high > disc->radius ? "yes" : "no",
                      "smallest.consistent");
}

/* A centre may have any radius from its farthest positive point up to, but without, its nearest
 * negative one. */
static cairn_status show_radii(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data,
                               const char *centres)
{
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, centres, &lines));
    cairn_report_table_of(out,
                          "Radii: from the farthest positive point, below the nearest negative", 0,
                          "lrrl", "centre", "from", "below", "admissible");
    for (size_t i = 0; lines[i]; i++) {
        double *c, low, high;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        if (n != 2) CHECK(cairn_fail(ctx, CAIRN_USAGE, "{centre %s}: two numbers x,y", lines[i]));
        cairn_disc_radii(&data->points, c[0], c[1], &low, &high);
        cairn_report_cell(out, lines[i]);
        cairn_report_cell_number(out, low, 0, "centre%zu.low", i + 1);
        cairn_report_cell_number(out, high, 0, "centre%zu.high", i + 1);
        cairn_report_cell_word(out, low < high ? "yes" : "no", "centre%zu.admissible", i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* The distances of all points from a centre; the two that bound the radius are marked. */
static void work_centre(cairn_report *out, const cairn_shape_data *data, double x, double y,
                        const char *name)
{
    const cairn_labelled *points = &data->points;
    double low, high;
    cairn_disc_radii(points, x, y, &low, &high);
    cairn_report_step_begin(out, "Distances from the centre of %s", name);
    cairn_report_worked(out, "d", "√((x − #)² + (y − #)²)", x, y);
    cairn_report_table_of(out, "Distances", 0, "lcrrr", "row", "class", data->columns[0],
                          data->columns[1], "d");
    for (size_t i = 0; i < points->n; i++) {
        double a = points->x[2 * i], b = points->x[2 * i + 1];
        double d = sqrt((a - x) * (a - x) + (b - y) * (b - y));
        cairn_report_cell(out, data->names[i]);
        cairn_report_cell(out, points->positive[i] ? "+" : "−");
        cairn_report_cell_number(out, a, 0, NULL);
        cairn_report_cell_number(out, b, 0, NULL);
        if (points->positive[i] ? d >= low : d <= high) cairn_report_row_mark(out);
        cairn_report_cell_number(out, d, 0, "%s.d%zu", name, i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_worked(out, NULL, low < high ? "# ≤ r < #" : "# ≤ r < #: none", low, high);
    cairn_report_step_end(out);
}

/* The work for the smallest disc and for each centre that was typed. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data,
                         const cairn_disc *smallest, const char *centres)
{
    const char *const *lines;
    char name[40];
    if (!isnan(smallest->radius)) work_centre(out, data, smallest->x, smallest->y, "smallest");
    CHECK(cairn_list_lines(ctx, centres, &lines));
    for (size_t i = 0; lines[i]; i++) {
        double *c;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        snprintf(name, sizeof name, "centre%zu", i + 1);
        work_centre(out, data, c[0], c[1], name);
    }
    return CAIRN_OK;
}

static cairn_status discs_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const discs_params *p = job->params;
    cairn_shape_data data;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    if (!data.points.n) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    return cairn_discs_figure(ctx, out, &data, p->centre, (cairn_marking)p->marks);
}

static cairn_status discs_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const discs_params *p = job->params;
    cairn_shape_data data;
    cairn_centres centres;
    cairn_disc disc;
    cairn_figure *figure;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    cairn_report_heading(out, 1, "Discs for '%s = %s'", data.target, data.positive);
    cairn_report_formula(out, "max d(c, positive) ≤ r < min d(c, negative)");
    CHECK(cairn_centres_find(ctx, &centres, &data.points, (size_t)p->limit));
    CHECK(cairn_disc_smallest(ctx, &disc, &data.points));
    show_centres(out, &data, &centres);
    show_smallest(out, &data, &disc);
    if (p->centre) CHECK(show_radii(ctx, out, &data, p->centre));
    if (job->steps) CHECK(work(ctx, out, &data, &disc, p->centre));
    if (!data.points.n) return CAIRN_OK;
    CHECK(cairn_discs_figure(ctx, &figure, &data, p->centre, (cairn_marking)p->marks));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_discs = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-discs",
              .also = "circles that hold one class",
              .title = "Discs that hold one class only",
              .summary = "For two number columns and two classes: the closed discs that hold every "
                         "positive point and no negative one. Shows the polygon of their centres, "
                         "the radii that go with a given centre, and the smallest disc around the "
                         "positive points.",
              .references = "Welzl: Smallest enclosing disks, 1991",
              .example = "cairn compute version-discs @disc-points --centre 9,10",
              .params = discs_table,
              .params_size = sizeof(discs_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "version-discs",
                .also = "circles that hold one class",
                .title = "Discs that hold one class only",
                .summary =
                    "Points of two number columns with the smallest disc around the positive "
                    "ones and the region shaded from which a disc can hold every positive and "
                    "no negative point; for a typed centre the smallest circle and the one it "
                    "has to stay inside.",
                .example = "cairn draw version-discs @disc-points --centre 9,10 --out discs.svg",
                .params = discs_table,
                .params_size = sizeof(discs_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = discs_run,
    .draw = discs_draw,
};
