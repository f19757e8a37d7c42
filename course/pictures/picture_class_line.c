/* SPDX-License-Identifier: MIT */
/* cairn draw class-line: least squares as a classifier of one number. The two classes are coded as
 * two numbers, a line is fitted to the codes, and where it passes half-way between them lies the
 * threshold. */
#include "pictures/two_classes.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>

typedef struct class_line_params {
    const char *column, *of_class, *codes;
} class_line_params;

static const cairn_param class_line_table[] = {
    CAIRN_PARAM_AS(class_line_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM(class_line_params, of_class, NULL, NULL,
                "the class with the first code; the positive one of two if not given"),
    CAIRN_PARAM_AS(class_line_params, codes, CAIRN_TYPE_LIST, "1,-1",
                   "the numbers that stand for the class and for the rest"),
    CAIRN_PARAM_END,
};

typedef struct fit {
    double means[2]; /* of the class, of the rest */
    double slope, intercept, threshold;
    double low, high; /* of the column */
} fit;

/* Weighted least squares of the codes on the column. */
static cairn_status fit_line(cairn_context *ctx, fit *out, const cairn_two_classes *c,
                             const double *x, const double *codes, const char *name)
{
    double weight[2] = {0, 0}, sum[2] = {0, 0}, xx = 0, xy = 0;
    *out = (fit){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (c->is_positive[i] < 0 || !isfinite(x[i]) || !(c->weights[i] > 0)) continue;
        weight[!c->is_positive[i]] += c->weights[i];
        sum[!c->is_positive[i]] += c->weights[i] * x[i];
        out->low = fmin(out->low, x[i]);
        out->high = fmax(out->high, x[i]);
    }
    if (weight[0] == 0 || weight[1] == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has values of one class only", name);
    double total = weight[0] + weight[1], mean_x = (sum[0] + sum[1]) / total;
    double mean_y = (weight[0] * codes[0] + weight[1] * codes[1]) / total;
    for (int k = 0; k < 2; k++) out->means[k] = sum[k] / weight[k];
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (c->is_positive[i] < 0 || !isfinite(x[i]) || !(c->weights[i] > 0)) continue;
        double y = codes[!c->is_positive[i]];
        xx += c->weights[i] * (x[i] - mean_x) * (x[i] - mean_x);
        xy += c->weights[i] * (x[i] - mean_x) * (y - mean_y);
    }
    if (!(xx > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "all values of column '%s' are the same", name);
    out->slope = xy / xx;
    out->intercept = mean_y - out->slope * mean_x;
    out->threshold = ((codes[0] + codes[1]) / 2 - out->intercept) / out->slope;
    return CAIRN_OK;
}

static cairn_status add_rows(cairn_context *ctx, cairn_figure *figure, const cairn_two_classes *c,
                             const double *values, const double *codes)
{
    double *x, *y;
    int32_t *group;
    size_t n = 0, n_rows = c->table->n_rows;
    CHECK(SCRATCH_EACH(ctx, n_rows, &x, &y, &group));
    for (size_t i = 0; i < n_rows; i++) {
        if (c->is_positive[i] < 0 || !isfinite(values[i])) continue;
        x[n] = values[i];
        y[n] = codes[!c->is_positive[i]];
        group[n++] = c->group[c->is_positive[i]];
    }
    cairn_figure_points(figure, x, y, group, n, c->group_names, c->n_groups);
    return CAIRN_OK;
}

/* The line, the means of both classes, and the cross-hair at the threshold. */
static void add_fit(cairn_figure *figure, const fit *f, const double *codes)
{
    char text[160], a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
    double buffer = 0.05 * (f->high - f->low);
    double x[2] = {f->low - buffer, f->high + buffer};
    double y[2] = {f->intercept + f->slope * x[0], f->intercept + f->slope * x[1]};
    cairn_number_format(a, f->slope, 4);
    cairn_number_format(b, fabs(f->intercept), 4);
    snprintf(text, sizeof text, "%s x %s %s", a, f->intercept < 0 ? "-" : "+", b);
    cairn_figure_line(figure, text, x, y, 2);
    for (int k = 0; k < 2; k++) cairn_figure_mark(figure, "class mean", f->means[k], codes[k]);
    if (isfinite(f->threshold)) {
        cairn_number_format(a, f->threshold, 5);
        snprintf(text, sizeof text, "threshold %s", a);
        cairn_figure_rule_x(figure, text, f->threshold);
    }
    cairn_figure_rule_y(figure, NULL, (codes[0] + codes[1]) / 2);
}

/* A class written as two numbers makes classification a regression; the codes may be any two
 * different ones, as only the threshold between them matters. */
static cairn_status class_line_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const class_line_params *p = job->params;
    cairn_two_classes classes = {0};
    cairn_status status;
    double *codes;
    size_t column, n;
    fit f;
    TRY(cairn_list_numbers(ctx, "codes", p->codes, &codes, &n));
    if (n != 2 || !isfinite(codes[0]) || !isfinite(codes[1]) || codes[0] == codes[1])
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{codes %s}: two different numbers", p->codes));
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    TRY(cairn_picture_numbers(ctx, &column, classes.table, "column", p->column, 0));
    const double *x = cairn_table_numbers(classes.table, column);
    const char *name = classes.table->slots[column].name;
    TRY(fit_line(ctx, &f, &classes, x, codes, name));
    TRY(cairn_picture_new(ctx, out, "class-line", job->table, "Least squares as a classifier"));
    cairn_figure_axes(*out, name, "code of the class");
    TRY(add_rows(ctx, *out, &classes, x, codes));
    add_fit(*out, &f, codes);
done:
    cairn_table_free(classes.table);
    return status;
}

const cairn_calculator cairn_picture_class_line = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "class-line",
                .title = "Least squares as a classifier of one number",
                .summary =
                    "Two classes of a number column at the heights of their codes, the least "
                    "squares line through them, both class means, and a cross-hair where the "
                    "line is half-way between the codes: the threshold.",
                .example = "cairn draw class-line @weight-diabetes --out line.svg",
                .params = class_line_table,
                .params_size = sizeof(class_line_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = class_line_draw,
};
