/* SPDX-License-Identifier: MIT */
/* cairn draw strip: a column on its number line, with classes, cut points, named parts, shaded
 * intervals and class means. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/time.h"
#include "plots/number_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct strip_params {
    const char *column, *colour, *cuts, *parts, *shade;
    double low, high;
    int marks;
    bool means;
} strip_params;

static const cairn_param strip_table[] = {
    CAIRN_PARAM_AS(strip_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(strip_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: the classes, or none; the target if not given"),
    CAIRN_PARAM_CHOICE(strip_params, marks, "shapes", cairn_marking_choices,
                       "how the first two classes are marked"),
    CAIRN_PARAM_AS(strip_params, cuts, CAIRN_TYPE_LIST, NULL,
                   "cut points to mark, ascending; their values stand on the axis"),
    CAIRN_PARAM_AS(strip_params, parts, CAIRN_TYPE_LIST, NULL,
                   "names of the parts between the cut points, one more than these",
                   .when = "cuts"),
    {.name = "shade",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(strip_params, shade),
     .help = "an interval to shade: low,high",
     .repeated = true},
    CAIRN_PARAM(strip_params, means, "no", NULL, "mark the mean of each class"),
    CAIRN_PARAM(strip_params, low, CAIRN_NOT_GIVEN, NULL, "where the axis begins"),
    CAIRN_PARAM(strip_params, high, CAIRN_NOT_GIVEN, NULL, "where the axis ends"),
    CAIRN_PARAM_END,
};

/* Cut points divide the line into one part more than there are points, and each part may have a
 * name. */
static cairn_status read_cuts(cairn_context *ctx, cairn_number_line *line, const strip_params *p)
{
    double *cuts;
    char **parts;
    size_t n_parts;
    if (p->cuts) {
        CHECK(cairn_list_numbers(ctx, "cuts", p->cuts, &cuts, &line->n_cuts));
        for (size_t i = 0; i < line->n_cuts; i++)
            if (!isfinite(cuts[i]) || (i && cuts[i] <= cuts[i - 1]))
                CHECK(cairn_fail(ctx, CAIRN_USAGE, "{cuts %s}: ascending numbers are needed",
                                 p->cuts));
        line->cuts = cuts;
    }
    if (!p->parts) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, p->parts, &parts, &n_parts));
    if (n_parts != line->n_cuts + 1)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{parts}: %zu names for the %zu parts that %zu cut points make", n_parts,
                         line->n_cuts + 1, line->n_cuts));
    line->parts = (const char *const *)parts;
    return CAIRN_OK;
}

/* The weighted mean of every class, as a mark with its value. */
static cairn_status find_means(cairn_context *ctx, cairn_number_line *line,
                               const cairn_picture_column *c)
{
    cairn_marked *marks;
    size_t n_groups = c->groups.n ? c->groups.n : 1;
    double *sum, *weight;
    char(*texts)[240];
    CHECK(SCRATCH_EACH(ctx, n_groups, &marks, &sum, &weight, &texts));
    for (size_t i = 0; i < c->n_rows; i++) {
        int32_t g = c->groups.codes ? c->groups.codes[i] : 0;
        double w = c->weights ? c->weights[i] : 1;
        if (g < 0 || !isfinite(c->values[i])) continue;
        sum[g] += w * c->values[i];
        weight[g] += w;
    }
    for (size_t g = 0; g < n_groups; g++) {
        char number[CAIRN_TIME_SIZE];
        if (!(weight[g] > 0)) continue;
        if (c->scale == CAIRN_SCALE_TIME)
            cairn_time_format(number, floor(sum[g] / weight[g]), NULL);
        else
            cairn_number_format(number, sum[g] / weight[g], 6);
        snprintf(texts[g], sizeof texts[g], "mean%s%.60s: %s", c->groups.n ? " of " : "",
                 c->groups.n ? c->groups.names[g] : "", number);
        marks[line->n_marks++] = (cairn_marked){sum[g] / weight[g], texts[g]};
    }
    line->marks = marks;
    return CAIRN_OK;
}

/* Works with and without a table: cuts and intervals alone make a picture of the line itself. */
static cairn_status strip_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const strip_params *p = job->params;
    cairn_number_line line = {.low = p->low,
                              .high = p->high,
                              .marking = (cairn_marking)p->marks,
                              .span_label = "interval"};
    cairn_picture_column c = {0};
    CHECK(read_cuts(ctx, &line, p));
    /* Each line is one shaded interval low,high; an infinite end leaves it open on that side. */
    const char *typed = p->shade;
    const char *const *lines;
    cairn_span *spans;
    size_t n = 0;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    while (lines[n]) n++;
    CHECK(SCRATCH(ctx, &spans, n));
    for (size_t i = 0; i < n; i++) {
        double *ends;
        size_t two;
        CHECK(cairn_list_numbers(ctx, "shade", lines[i], &ends, &two));
        if (two != 2 || !(ends[0] <= ends[1]))
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{shade %s}: two numbers low,high", lines[i]));
        spans[i] = (cairn_span){.low = ends[0], .high = ends[1]};
    }
    line.spans = spans;
    line.n_spans = n;
    if (p->low >= p->high)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{low} has to be smaller than {high}"));
    if (job->table) {
        CHECK(cairn_picture_column_of(ctx, &c, job->table, p->column, p->colour));
        line.x = c.values;
        line.n = c.n_rows;
        line.groups = c.groups.codes;
        line.group_names = (const char *const *)c.groups.names;
        line.n_groups = c.groups.n;
        line.axis = c.name;
        line.scale = c.scale;
        if (!c.groups.n) line.marking = CAIRN_MARKING_SHAPES;
        if (p->means) CHECK(find_means(ctx, &line, &c));
    } else if (!line.n_cuts && !line.n_spans) {
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "nothing to draw: name a table, or give {cuts} or {shade}"));
    }
    return cairn_number_line_figure(ctx, out, &line, "strip", job->table ? job->table->source : "");
}

const cairn_calculator cairn_picture_strip = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "strip",
                .also = "number line, strip plot, dot plot",
                .title = "A number line",
                .summary =
                    "The values of a number column on a line, equal ones on each other, in the "
                    "marks of their classes; with cut points and names of the parts between "
                    "them, shaded intervals and class means. Without a table the axis with "
                    "its cut points alone.",
                .example = "cairn draw strip @weight-diabetes --means --out weights.svg",
                .params = strip_table,
                .params_size = sizeof(strip_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = strip_draw,
};
