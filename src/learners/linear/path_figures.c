/* SPDX-License-Identifier: MIT */
/* Pictures of a path over the strength of a penalty: see path_figures.h. */
#include "learners/linear/path_figures.h"
#include "base/memory.h"
#include "rows/matrix.h"
#include <math.h>

size_t cairn_path_largest(const double *sizes, size_t n, int32_t out[CAIRN_PATH_LINES])
{
    size_t m = 0;
    for (size_t j = 0; j < n; j++) {
        size_t at = m;
        while (at > 0 && sizes[j] > sizes[out[at - 1]]) at--;
        if (at == CAIRN_PATH_LINES || !(sizes[j] > 0)) continue;
        if (m < CAIRN_PATH_LINES) m++;
        for (size_t i = m - 1; i > at; i--) out[i] = out[i - 1];
        out[at] = (int32_t)j;
    }
    return m;
}

/* How many of the falling strengths are above 0. */
static size_t count_positive(const double *strengths, size_t n)
{
    while (n > 0 && !(strengths[n - 1] > 0)) n--;
    return n;
}

cairn_status cairn_path_figure(cairn_context *ctx, cairn_figure **out,
                               const cairn_path_lines *lines)
{
    SCOPED_SCRATCH(ctx);
    size_t n = count_positive(lines->strengths, lines->n);
    double *y;
    CHECK(SCRATCH(ctx, &y, n + 1));
    CHECK(cairn_figure_new(ctx, out, "path", lines->title));
    cairn_figure_axes(*out, "strength λ", lines->y_title);
    cairn_figure_scales(*out, CAIRN_SCALE_LOG, CAIRN_SCALE_LINEAR);
    for (size_t j = 0; j < lines->n_lines; j++) {
        for (size_t i = 0; i < n; i++) y[i] = lines->values[i * lines->n_lines + j];
        cairn_figure_line(*out, lines->names[j], lines->strengths, y, n);
    }
    if (lines->used > 0) cairn_figure_rule_x(*out, "used", lines->used);
    return cairn_figure_status(*out);
}

cairn_status cairn_validation_figure(cairn_context *ctx, cairn_figure **out,
                                     const cairn_validation_curve *curve)
{
    SCOPED_SCRATCH(ctx);
    size_t n = count_positive(curve->strengths, curve->n);
    double *low, *high;
    CHECK(SCRATCH_EACH(ctx, n + 1, &low, &high));
    for (size_t i = 0; i < n; i++) {
        double error = isnan(curve->errors[i]) ? 0 : curve->errors[i];
        low[i] = curve->means[i] - error;
        high[i] = curve->means[i] + error;
    }
    CHECK(cairn_figure_new(ctx, out, "validation", curve->title));
    cairn_figure_axes(*out, "strength λ", curve->y_title);
    cairn_figure_scales(*out, CAIRN_SCALE_LOG, CAIRN_SCALE_LINEAR);
    cairn_figure_band(*out, "± one standard error", curve->strengths, low, high, n);
    cairn_figure_line(*out, "held-out rows", curve->strengths, curve->means, n);
    if (curve->chosen < n) cairn_figure_rule_x(*out, "chosen", curve->strengths[curve->chosen]);
    return cairn_figure_status(*out);
}

cairn_status cairn_squares_path_figure(cairn_context *ctx, cairn_figure **out,
                                       const cairn_squares_path *path, const cairn_schema *schema)
{
    SCOPED_SCRATCH(ctx);
    const char *const *all, **names;
    if (path->n < 2 || !path->n_traced) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &all, schema));
    CHECK(SCRATCH(ctx, &names, path->n_traced + 1));
    for (size_t t = 0; t < path->n_traced; t++) names[t] = all[path->traced[t]];
    cairn_path_lines lines = {.n = path->n, .n_lines = path->n_traced, .names = names};
    lines.strengths = path->strengths;
    lines.values = path->traces;
    lines.title = "Coefficients over the strength of the penalty";
    lines.y_title = "coefficient";
    lines.used = path->strengths[path->chosen];
    return cairn_path_figure(ctx, out, &lines);
}

cairn_status cairn_squares_held_figure(cairn_context *ctx, cairn_figure **out,
                                       const cairn_squares_path *path)
{
    if (path->n < 2 || !path->means) return CAIRN_OK;
    cairn_validation_curve curve = {.n = path->n, .chosen = path->chosen};
    curve.strengths = path->strengths;
    curve.means = path->means;
    curve.errors = path->errors;
    curve.title = "Squared error of held-out rows";
    curve.y_title = "mean squared error";
    return cairn_validation_figure(ctx, out, &curve);
}

cairn_status cairn_squares_draw(cairn_context *ctx, cairn_figure **out, cairn_squares_read read,
                                const cairn_job *job, bool held)
{
    cairn_squares_path path;
    if (!job->history) return CAIRN_OK;
    CHECK(read(ctx, job->history, &path));
    return held ? cairn_squares_held_figure(ctx, out, &path)
                : cairn_squares_path_figure(ctx, out, &path, job->schema);
}

void cairn_squares_show(cairn_report *out, cairn_squares_read read, const cairn_job *job, bool page)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    if (!ctx) return;
    cairn_describe_figure(out, cairn_squares_draw(ctx, &figure, read, job, false), &figure, page);
    cairn_describe_figure(out, cairn_squares_draw(ctx, &figure, read, job, true), &figure, false);
}
