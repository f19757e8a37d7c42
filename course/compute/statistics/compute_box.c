/* SPDX-License-Identifier: MIT */
/* cairn compute box and cairn draw box: quartiles, whiskers and outliers of numbers, by group. */
#include "typed/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "plots/box_plot.h"
#include "plots/skew.h"

#include <math.h>

typedef struct box_params {
    cairn_numbers_options numbers;
    int quantile;
    double reach;
    bool notches, means, points;
} box_params;

static const cairn_param box_table[] = {
    CAIRN_PARAM_GROUP(box_params, numbers, cairn_numbers_params),
    CAIRN_PARAM(box_params, reach, "1.5", "[0,inf)",
                "whiskers end at the last value within so many interquartile ranges of the box; 0 "
                "= at the extremes"),
    CAIRN_PARAM_CHOICE(box_params, quantile, "linear", cairn_quantile_rules,
                       "how quartiles are read between the values"),
    CAIRN_PARAM(box_params, notches, "no", NULL,
                "notch the boxes at median ± 1.57 IQR/√n: medians whose notches do not overlap "
                "differ"),
    CAIRN_PARAM(box_params, means, "no", NULL, "mark the means in the picture"),
    CAIRN_PARAM(box_params, points, "no", NULL,
                "all values as points in the picture, not only those outside the whiskers"),
    CAIRN_PARAM_END,
};

/* What both commands begin with. */
typedef struct boxes {
    cairn_numbers numbers;
    const char *by;
    cairn_five_numbers *list;
    size_t n;
} boxes;

static cairn_status read_boxes(cairn_context *ctx, boxes *out, const cairn_compute_job *job)
{
    const box_params *p = job->params;
    cairn_sample *samples;
    CHECK(cairn_grouped_numbers(ctx, &out->numbers, &p->numbers, job->table, "box", &out->by));
    CHECK(cairn_group_samples(ctx, &samples, &out->n, &out->numbers));
    CHECK(SCRATCH(ctx, &out->list, out->n));
    for (size_t g = 0; g < out->n; g++)
        cairn_five_numbers_of(&out->list[g], &samples[g], (cairn_quantile_rule)p->quantile,
                              p->reach);
    return CAIRN_OK;
}

static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const boxes *b,
                                const box_params *p, const char *source)
{
    cairn_box_look look = {.notches = p->notches, .means = p->means, .points = p->points};
    CHECK(cairn_plot_boxes(ctx, out, b->list, b->numbers.codes ? b->numbers.groups : NULL, b->n,
                           look));
    cairn_figure_retitle(*out, "Box plot of a column");
    cairn_figure_subtitle(*out, source);
    cairn_figure_axes(*out, b->by, b->numbers.name);
    if (!b->numbers.is_time)
        return cairn_skew_frame(ctx, *out, b->numbers.values, b->numbers.n, !p->notches);
    cairn_figure_scales(*out, CAIRN_SCALE_LINEAR, CAIRN_SCALE_TIME);
    return CAIRN_OK;
}

static cairn_status box_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    boxes b = {0};
    CHECK(read_boxes(ctx, &b, job));
    return make_figure(ctx, out, &b, job->params, job->table ? job->table->source : NULL);
}

/* Names of values begin with the group, where there are groups. */
static void cell(cairn_report *out, const boxes *b, size_t g, double value, const char *name)
{
    if (b->numbers.codes)
        cairn_report_cell_number(out, value, 0, "%s.%s",
                                 cairn_report_key(out, b->numbers.groups[g]), name);
    else
        cairn_report_cell_number(out, value, 0, "%s", name);
}

static void hide(cairn_report *out, const boxes *b, size_t g, double value, const char *name,
                 size_t i)
{
    const char *group = b->numbers.codes ? cairn_report_key(out, b->numbers.groups[g]) : "";
    const char *dot = *group ? "." : "";
    if (i)
        cairn_report_hidden(out, value, "%s%s%s.%zu", group, dot, name, i);
    else
        cairn_report_hidden(out, value, "%s%s%s", group, dot, name);
}

/* Values outside the whiskers have hidden names, the first 1000 of a group. */
static void show_table(cairn_report *out, const boxes *b)
{
    cairn_report_table_of(out, NULL, CAIRN_MOST_BOXES, "lrrrrrrrrr", "group", "n", "least",
                          "whisker", "Q1", "median", "Q3", "whisker", "largest", "outside");
    for (size_t g = 0; g < b->n; g++) {
        const cairn_five_numbers *f = &b->list[g];
        size_t shown = 0;
        cairn_report_cell(out, b->numbers.codes ? b->numbers.groups[g] : "all");
        cell(out, b, g, (double)f->sample.n, "n");
        cell(out, b, g, f->s.min, "min");
        cell(out, b, g, f->low, "whisker_low");
        cell(out, b, g, f->s.q1, "q1");
        cell(out, b, g, f->s.median, "median");
        cell(out, b, g, f->s.q3, "q3");
        cell(out, b, g, f->high, "whisker_high");
        cell(out, b, g, f->s.max, "max");
        cell(out, b, g, (double)(f->n_below + f->n_above), "outliers");
        hide(out, b, g, f->s.mean, "mean", 0);
        hide(out, b, g, f->s.iqr, "iqr", 0);
        hide(out, b, g, f->notch_low, "notch_low", 0);
        hide(out, b, g, f->notch_high, "notch_high", 0);
        for (size_t i = 0; i < f->sample.n && shown < 1000; i++)
            if (i < f->n_below || i >= f->sample.n - f->n_above)
                hide(out, b, g, f->sample.values[i], "outlier", ++shown);
    }
}

/* The fences with the numbers put in. */
static cairn_status show_fences(cairn_context *ctx, cairn_report *out, const boxes *b, double reach)
{
    cairn_text text = cairn_text_start(ctx);
    for (size_t g = 0; g < b->n && g < 20; g++) {
        const cairn_five_numbers *f = &b->list[g];
        const double parts[] = {f->s.q3,      f->s.q1, f->s.iqr, f->s.q1,  reach,        f->s.iqr,
                                f->fence_low, f->s.q3, reach,    f->s.iqr, f->fence_high};
        static const char *const words[] = {"IQR = ", " − ",   " = ", ";  fences: ", " − ", " · ",
                                            " = ",    " and ", " + ", " · ",         " = "};
        if (!f->sample.n) continue;
        text.length = 0;
        if (b->numbers.codes) cairn_text_addf(&text, "%s: ", b->numbers.groups[g]);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            cairn_text_add(&text, words[i]);
            cairn_text_add_number(&text, parts[i], 6);
        }
        cairn_report_formula(out, "%s", cairn_text_string(&text));
    }
    cairn_status status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

static cairn_status box_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const box_params *p = job->params;
    boxes b = {0};
    cairn_figure *figure = NULL;
    CHECK(read_boxes(ctx, &b, job));
    cairn_report_heading(out, 1, "Box plot of %s", b.numbers.name);
    if (p->reach > 0) {
        char reach[CAIRN_NUMBER_SIZE];
        cairn_number_format(reach, p->reach, 6);
        cairn_report_formula(out, "whiskers: the last values in [Q1 − %s · IQR, Q3 + %s · IQR]",
                             reach, reach);
    }
    if (job->steps && p->reach > 0) CHECK(show_fences(ctx, out, &b, p->reach));
    show_table(out, &b);
    CHECK(make_figure(ctx, &figure, &b, p, NULL));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_box = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "box",
              .also = "box plot, five number summary, whiskers, fences, Tukey outliers",
              .title = "Quartiles, whiskers and outliers",
              .summary = "What a box plot shows of numbers, typed or a column of DATA: the "
                         "quartiles, the ends of the whiskers, the values outside of them, and the "
                         "interval of the median that notches mark; by the groups of --by or of a "
                         "target that holds levels. Weights count like repeated rows. --steps "
                         "writes the fences out.",
              .references = "Tukey: Exploratory Data Analysis, 1977; McGill, Tukey, Larsen: "
                            "Variations of Box Plots, The American Statistician 32, 1978",
              .example = "cairn compute box --values 1,2,3,4,5,6,7,30 --steps",
              .params = box_table,
              .params_size = sizeof(box_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "box",
                .also = "box plot, boxplot, box and whisker plot, notched box plot",
                .title = "Box plot of a column",
                .summary = "A box from the first to the third quartile of a number column with a "
                           "line at the median, whiskers to the last values that are not outliers, "
                           "and the outliers as points; one box for each level of --by, or of a "
                           "target that holds levels.",
                .references = "Tukey: Exploratory Data Analysis, 1977; McGill, Tukey, Larsen: "
                              "Variations of Box Plots, The American Statistician 32, 1978",
                .example = "cairn draw box @iris --column sepal_width --notches",
                .params = box_table,
                .params_size = sizeof(box_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = box_run,
    .draw = box_draw,
};
