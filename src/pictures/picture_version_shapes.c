/* SPDX-License-Identifier: MIT */
/* cairn draw version-line, version-boxes and version-discs: what labelled points leave of a class
 * of shapes, as the calculators of the same names find it. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "compute/concepts/shape_figures.h"

/* -- thresholds on a line -- */

typedef struct line_params {
    int form, marks;
    const char *positive;
} line_params;

static const cairn_param line_table[] = {
    CAIRN_PARAM_CHOICE(line_params, form, "at-least", cairn_form_choices + 1,
                       "what a hypothesis says"),
    CAIRN_PARAM(line_params, positive, NULL, NULL, "the class on the side of the threshold"),
    CAIRN_PARAM_CHOICE(line_params, marks, "hollow", cairn_marking_choices,
                       "how the two classes are marked"),
    CAIRN_PARAM_END,
};

static cairn_status line_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    const line_params *p = job->params;
    cairn_shape_data data;
    cairn_thresholds t;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 1, p->positive, "draw version-line"));
    cairn_thresholds_find(&t, &data.points, 0, (cairn_side)p->form);
    return cairn_thresholds_figure(ctx, out, &data, &t, (cairn_side)p->form,
                                   (cairn_marking)p->marks);
}

const cairn_picture cairn_picture_version_line = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "version-line",
              .also = "thresholds on a line",
              .title = "Thresholds that agree with labelled numbers",
              .summary = "The numbers of a column on their line, the positive ones hollow and the "
                         "others solid, and the interval of the thresholds m shaded that tell the "
                         "classes apart; a round bracket leaves its end out. Nothing is shaded "
                         "when no threshold does.",
              .example = "cairn draw version-line @threshold --out threshold.svg",
              .params = line_table,
              .params_size = sizeof(line_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = line_draw,
};

/* -- boxes -- */

typedef struct boxes_params {
    int show, marks;
    bool shade;
    const char *positive, *box;
} boxes_params;

enum { SHOW_BOTH, SHOW_TIGHTEST, SHOW_LARGEST, SHOW_NONE };

static const cairn_choice show_choices[] = {
    {"both", SHOW_BOTH, "the tightest box S and the largest boxes G"},
    {"tightest", SHOW_TIGHTEST, "the smallest box around the positive points"},
    {"largest", SHOW_LARGEST, "all largest boxes without a negative point"},
    {"none", SHOW_NONE, "the points and the typed boxes alone"},
    {NULL, 0, NULL}};

static const cairn_param boxes_table[] = {
    CAIRN_PARAM_CHOICE(boxes_params, show, "both", show_choices, "which boundaries"),
    CAIRN_PARAM(boxes_params, shade, "yes", NULL, "shade the region between S and G"),
    CAIRN_PARAM(boxes_params, positive, NULL, NULL, "the class inside the boxes"),
    {.name = "box",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(boxes_params, box),
     .help = "a hypothesis to draw: low,high of both columns in turn, -inf and inf without a bound",
     .repeated = true},
    CAIRN_PARAM_CHOICE(boxes_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked"),
    CAIRN_PARAM_END,
};

/* The largest boxes exist only if the tightest one holds no negative point; otherwise the version
 * space is empty and only the tightest is drawn. */
static cairn_status boxes_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    const boxes_params *p = job->params;
    cairn_shape_data data;
    SCOPED(cairn_boxes_clear) cairn_boxes typed = {0};
    SCOPED(cairn_boxes_clear) cairn_boxes general = {0};
    double special[4];
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 2, p->positive, "draw version-boxes"));
    if (!data.points.n) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    CHECK(cairn_boxes_read(ctx, &typed, p->box, 2));
    bool any = cairn_box_tightest(special, &data.points), inside = false;
    for (size_t i = 0; i < data.points.n && any; i++)
        inside = inside || (!data.points.positive[i] &&
                            cairn_box_holds(special, 2, data.points.x + 2 * i, true));
    cairn_boxes_look look = {
        .special = any && (p->show == SHOW_BOTH || p->show == SHOW_TIGHTEST) ? special : NULL,
        .typed = &typed,
        .shade = p->shade && p->show == SHOW_BOTH,
        .marking = (cairn_marking)p->marks};
    if (!inside && (p->show == SHOW_BOTH || p->show == SHOW_LARGEST)) {
        CHECK(cairn_boxes_largest(ctx, &general, &data.points, any ? special : NULL,
                                  CAIRN_BOXES_MOST));
        look.general = &general;
    }
    return cairn_boxes_figure(ctx, out, &data, &look);
}

const cairn_picture cairn_picture_version_boxes = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "version-boxes",
              .also = "axis-parallel rectangles",
              .title = "Boxes that hold one class only",
              .summary = "Points of two number columns with the tightest box around the positive "
                         "ones, the largest boxes that hold them and no negative point (dashed), "
                         "and the region between shaded; typed boxes are drawn as hypotheses. "
                         "When a negative point lies in the tightest box there is no largest one.",
              .example = "cairn draw version-boxes @family-car --out cars.svg",
              .params = boxes_table,
              .params_size = sizeof(boxes_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = boxes_draw,
};

/* -- discs -- */

typedef struct discs_params {
    int marks;
    const char *positive, *centre;
} discs_params;

static const cairn_param discs_table[] = {
    CAIRN_PARAM(discs_params, positive, NULL, NULL, "the class inside the discs"),
    {.name = "centre",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(discs_params, centre),
     .help = "a centre x,y: its smallest circle is drawn, and the one it has to stay inside",
     .repeated = true},
    CAIRN_PARAM_CHOICE(discs_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked"),
    CAIRN_PARAM_END,
};

static cairn_status discs_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    const discs_params *p = job->params;
    cairn_shape_data data;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 2, p->positive, "draw version-discs"));
    if (!data.points.n) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    return cairn_discs_figure(ctx, out, &data, p->centre, (cairn_marking)p->marks);
}

const cairn_picture cairn_picture_version_discs = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "version-discs",
              .also = "circles that hold one class",
              .title = "Discs that hold one class only",
              .summary = "Points of two number columns with the smallest disc around the positive "
                         "ones and the region shaded from which a disc can hold every positive and "
                         "no negative point; for a typed centre the smallest circle and the one it "
                         "has to stay inside.",
              .example = "cairn draw version-discs @disc-points --centre 9,10 --out discs.svg",
              .params = discs_table,
              .params_size = sizeof(discs_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = discs_draw,
};
