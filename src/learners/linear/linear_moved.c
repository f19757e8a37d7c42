/* SPDX-License-Identifier: MIT */
/* What one row does to a line: the fit of one feature before and after the row is moved to another
 * place or left out, both lines in one picture. The rows come from the account, which keeps all of
 * them while they are few; weights are not kept, so rows must count once each. */
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include "learners/linear/linear.h"
#include <math.h>
#include <string.h>

typedef struct line {
    double intercept, slope, r2;
} line;

cairn_status cairn_read_moved(cairn_context *ctx, cairn_moved *out, const char *text, size_t n)
{
    const char *colon = strchr(text, ':');
    double row = 0, *place;
    size_t numbers = 0;
    bool known = colon && cairn_number_parse(text, (size_t)(colon - text), &row) && row >= 1 &&
                 row == floor(row);
    if (!known || !colon[1])
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{move %s}: a row and where it goes, such as 5:30,2 for the place x, y, or "
            "5:out",
            text);
    if (row > (double)n)
        return cairn_fail(ctx, CAIRN_USAGE, "{move %s}: there are %zu rows", text, n);
    *out = (cairn_moved){.row = (size_t)row - 1, .out = cairn_same(colon + 1, "out")};
    if (out->out) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{move}"), colon + 1, &place, &numbers));
    if (numbers != 2 || !isfinite(place[0]) || !isfinite(place[1]))
        return cairn_fail(ctx, CAIRN_USAGE, "{move %s}: the new place is two numbers x,y", text);
    out->x = place[0];
    out->y = place[1];
    return CAIRN_OK;
}

/* Least squares of one feature, sums about the means. */
static line fit_line(const double *x, const double *y, size_t n, bool intercept)
{
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; intercept && i < n; i++) mx += x[i] / (double)n, my += y[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    double slope = xx > 0 ? xy / xx : 0;
    return (line){my - slope * mx, slope, yy > 0 ? slope * xy / yy : NAN};
}

static cairn_status draw_lines(cairn_report *out, const double *x, const double *y, size_t n,
                               const line lines[2], const char *const names[2])
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    double ends[2] = {INFINITY, -INFINITY}, heights[2][2];
    for (size_t i = 0; i < n; i++) {
        ends[0] = fmin(ends[0], x[i]);
        ends[1] = fmax(ends[1], x[i]);
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t e = 0; e < 2; e++)
            heights[k][e] = lines[k].intercept + lines[k].slope * ends[e];
    CHECK(cairn_figure_new(ctx, &figure, "moved", "The line before and after"));
    cairn_figure_axes(figure, names[0], names[1]);
    cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    cairn_figure_dashed(figure, "before", ends, heights[0], 2);
    cairn_figure_line(figure, "after", ends, heights[1], 2);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static void show_lines(cairn_report *out, const line lines[2])
{
    static const char *const names[] = {"intercept", "slope", "r2"};
    static const char *const labels[] = {"intercept", "slope", "R²"};
    cairn_report_table_of(out, NULL, 0, "lrrr", "", "before", "after", "change");
    for (size_t i = 0; i < 3; i++) {
        const line *a = &lines[0], *b = &lines[1];
        double before = i == 0 ? a->intercept : i == 1 ? a->slope : a->r2;
        double after = i == 0 ? b->intercept : i == 1 ? b->slope : b->r2;
        cairn_report_cell(out, labels[i]);
        cairn_report_cell_number(out, before, 0, "moved.before.%s", names[i]);
        cairn_report_cell_number(out, after, 0, "moved.%s", names[i]);
        cairn_report_cell_number(out, after - before, 0, NULL);
    }
    cairn_report_table_end(out);
}

cairn_status cairn_linear_show_moved(cairn_report *out, const cairn_linear_model *m,
                                     const cairn_linear_account *account,
                                     const char *const names[2], const char *text)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    size_t n = account->n_sample, left = 0;
    double *x, *y;
    cairn_moved move;
    line lines[2];
    if (!account->inputs || n != account->n_rows || m->total != (double)n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{move} shows two lines: it needs one feature, rows without weights, and "
                          "at most %d of them",
                          CAIRN_LINEAR_SAMPLE);
    CHECK(cairn_read_moved(ctx, &move, text, n));
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, n));
    for (size_t i = 0; i < n; i++) y[i] = account->fitted[i] + account->residuals[i];
    lines[0] = fit_line(account->inputs, y, n, m->intercept);
    for (size_t i = 0; i < n; i++) {
        if (i == move.row && move.out) continue;
        x[left] = i == move.row ? move.x : account->inputs[i];
        y[left++] = i == move.row ? move.y : y[i];
    }
    lines[1] = fit_line(x, y, left, m->intercept);
    cairn_report_heading(out, 3, move.out ? "Without row %zu" : "With row %zu moved", move.row + 1);
    show_lines(out, lines);
    return draw_lines(out, x, y, left, lines, names);
}
