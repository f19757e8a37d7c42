/* SPDX-License-Identifier: MIT */
/* cairn compute z-table, draw z-table: the table of the standard normal distribution as books print
 * it, whose rows are z to one decimal place and whose columns are the second, and beside it z for
 * the levels of confidence. */
#include "model/calculator.h"

#include "base/number.h"
#include "draw/figure.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdio.h>

typedef enum z_part { BELOW, ABOVE, MIDDLE, BETWEEN, OUTSIDE } z_part;

typedef struct z_params {
    int part;
    double from, to;
    int digits;
} z_params;

static const cairn_choice parts[] = {
    {"below", BELOW, "P(Z ≤ z), the area to the left"},
    {"above", ABOVE, "P(Z > z), the area to the right"},
    {"middle", MIDDLE, "P(0 ≤ Z ≤ z), from the middle on"},
    {"between", BETWEEN, "P(−z ≤ Z ≤ z), on both sides of the middle"},
    {"outside", OUTSIDE, "P(|Z| > z), both tails"},
    {0},
};

static const cairn_param z_table[] = {
    CAIRN_PARAM_CHOICE(z_params, part, "below", parts, "which area the table holds", .often = true),
    CAIRN_PARAM(z_params, from, "0", "[0,9]",
                "first z; below 0 the areas are those above 0, the other way round", .often = true),
    CAIRN_PARAM(z_params, to, "3.4", "[0,9]", "z of the last row", .often = true),
    CAIRN_PARAM(z_params, digits, "4", "[2,9]", "digits behind the point"),
    CAIRN_PARAM_END,
};

enum { COLUMNS = 10, MOST_ROWS = 181 };

static const double levels[] = {0.5, 0.68, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999};
enum { LEVELS = sizeof levels / sizeof *levels };

static double area_of(z_part part, double z)
{
    double below = cairn_normal_lower(z), above = cairn_normal_upper(z);
    switch (part) {
    case BELOW: return below;
    case ABOVE: return above;
    case MIDDLE: return 0.5 - above;
    case BETWEEN: return fmax(0, 1 - 2 * above);
    case OUTSIDE: return fmin(1, 2 * above);
    }
    return NAN;
}

/* Rows in tenths. */
static cairn_status read_rows(cairn_context *ctx, const z_params *p, int *first, int *last)
{
    *first = (int)floor(p->from * 10 + 0.5);
    *last = (int)floor(p->to * 10 + 0.5);
    if (*last >= *first) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{to} is below {from}: there is no row between them");
}

static double z_of(int tenths, int hundredths)
{
    return (tenths * 10 + hundredths) / 100.0;
}

/* As books print it: .9750. */
static void write_area(char text[CAIRN_NUMBER_SIZE], double area, int digits)
{
    char whole[CAIRN_NUMBER_SIZE];
    cairn_number_fixed(whole, area, digits);
    snprintf(text, CAIRN_NUMBER_SIZE, "%s", whole + (whole[0] == '0'));
}

static void show_table(cairn_report *out, const z_params *p, int first, int last)
{
    char text[CAIRN_NUMBER_SIZE];
    cairn_report_table_of(out, parts[p->part].help, 0, "l", "z");
    for (int c = 0; c < COLUMNS; c++) {
        snprintf(text, sizeof text, ".%02d", c);
        cairn_report_column(out, text, 'r');
    }
    for (int row = first; row <= last; row++) {
        cairn_number_fixed(text, row / 10.0, 1);
        cairn_report_cell(out, text);
        for (int c = 0; c < COLUMNS; c++) {
            double z = z_of(row, c), area = area_of((z_part)p->part, z);
            write_area(text, area, p->digits);
            cairn_report_cell(out, text);
            char name[CAIRN_NUMBER_SIZE];
            cairn_number_fixed(name, z, 2);
            cairn_report_hidden(out, area, "area.%s", name);
        }
    }
    cairn_report_table_end(out);
}

static void show_levels(cairn_report *out)
{
    char name[CAIRN_NUMBER_SIZE];
    cairn_report_table_of(out, "z of levels of confidence", 0, "rrr", "level", "z, two-sided",
                          "z, one-sided");
    for (size_t i = 0; i < LEVELS; i++) {
        cairn_number_format(name, 100 * levels[i], 4);
        cairn_report_cellf(out, "%s %%", name);
        cairn_report_cell_number(out, cairn_normal_quantile((1 + levels[i]) / 2), 4, "z.%s", name);
        cairn_report_cell_number(out, cairn_normal_quantile(levels[i]), 4, "one_sided.%s", name);
    }
    cairn_report_table_end(out);
}

/* -- the calculation of one cell -- */

/* The cell that is explained: 1.96, which everybody knows, or that of column .06 in the row in the
 * middle. */
static double shown_cell(int first, int last)
{
    bool known = first <= 19 && last >= 19;
    return z_of(known ? 19 : first + (last - first) / 2, 6);
}

/* The area from 0 to z as a series, whose terms are all positive: term by term until the sum does
 * not change any more. */
static double show_series(cairn_report *out, double z)
{
    enum { SHOWN = 12 };
    double density = cairn_normal_density(z), term = z, sum = 0;
    cairn_report_formula(out, "P(0 ≤ Z ≤ z) = f(z) · (z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + …)");
    cairn_report_table_of(out, "Each term is the one before times z² / (2k + 1)", SHOWN, "rrrr",
                          "k", "term", "sum", "f(z) · sum");
    for (int k = 0; sum + term > sum; k++, term *= z * z / (2 * k + 1)) {
        sum += term;
        cairn_report_cells(out, "- -:5 -:6 -:6", (double)k, term, sum, density * sum);
    }
    cairn_report_table_end(out);
    return sum;
}

/* From the area between 0 and z to the area that the table holds, by symmetry. */
static void show_symmetry(cairn_report *out, z_part part, double z, double middle)
{
    double area = area_of(part, z);
    switch (part) {
    case BELOW:
        cairn_report_worked(out, NULL, "P(Z ≤ #) = 1/2 + P(0 ≤ Z ≤ #) = 1/2 + # = #", z, z, middle,
                            area);
        break;
    case ABOVE:
        cairn_report_worked(out, NULL, "P(Z > #) = 1/2 − P(0 ≤ Z ≤ #) = 1/2 − # = #", z, z, middle,
                            cairn_number_left(0.5 - middle, 0.5));
        break;
    case MIDDLE: break;
    case BETWEEN:
        cairn_report_worked(out, NULL, "P(−# ≤ Z ≤ #) = 2 · P(0 ≤ Z ≤ #) = 2 · # = #", z, z, z,
                            middle, area);
        break;
    case OUTSIDE:
        cairn_report_worked(out, NULL, "P(|Z| > #) = 1 − 2 · P(0 ≤ Z ≤ #) = 1 − 2 · # = #", z, z,
                            middle, cairn_number_left(1 - 2 * middle, 1));
        break;
    }
}

static void show_work(cairn_report *out, const z_params *p, int first, int last)
{
    char text[CAIRN_NUMBER_SIZE], name[CAIRN_NUMBER_SIZE];
    z_part part = (z_part)p->part;
    double z = shown_cell(first, last), density = cairn_normal_density(z);
    cairn_report_step_begin(out, "A cell: the height of the bell");
    cairn_report_formula(out, "f(z) = exp(−z² / 2) / √(2π)");
    cairn_report_worked(out, NULL, "f(#) = exp(−#² / 2) / √(2π) = #", z, z, density);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The area under it");
    double sum = show_series(out, z), middle = density * sum;
    cairn_report_worked(out, NULL, "P(0 ≤ Z ≤ #) = # · # = #", z, density, sum, middle);
    show_symmetry(out, part, z, middle);
    write_area(text, area_of(part, z), p->digits);
    cairn_number_fixed(name, z, 2);
    cairn_report_paragraph(out, "The cell of %s holds %s.", name, text);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "A level of confidence, read backwards");
    cairn_report_paragraph(out, "Of 95 per cent between −z and z, 2.5 per cent lie above z, so "
                                "0.975 lie below it: the table has the z at which that is so.");
    double z95 = cairn_normal_quantile(0.975);
    cairn_report_worked(out, NULL, "P(Z ≤ #) = # = 1 − (1 − 0.95) / 2", z95,
                        cairn_normal_lower(z95));
    cairn_report_step_end(out);
}

static cairn_status z_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const z_params *p = job->params;
    char text[CAIRN_NUMBER_SIZE];
    int first, last;
    CHECK(read_rows(ctx, p, &first, &last));
    cairn_report_heading(out, 1, "Table of the standard normal distribution");
    show_table(out, p, first, last);
    show_levels(out);
    cairn_number_fixed(text, shown_cell(first, last), 2);
    cairn_report_paragraph(out,
                           "The row has z to one decimal place, the column its second: %s stands "
                           "in row %.3s, column .06.",
                           text, text);
    if (job->steps) show_work(out, p, first, last);
    return CAIRN_OK;
}

/* -- the picture -- */

/* The bell, with the area that the cells hold for z = 1.2 shaded. */
static cairn_status draw_bell(cairn_context *ctx, cairn_figure **out, z_part part)
{
    enum { STEPS = 161 };
    const double example = 1.2;
    double x[STEPS], y[STEPS], zero[STEPS] = {0};
    CHECK(cairn_figure_new(ctx, out, "bell", parts[part].help));
    cairn_figure_axes(*out, "z", "density");
    for (int i = 0; i < STEPS; i++) {
        x[i] = -4 + i * 0.05;
        y[i] = cairn_normal_density(x[i]);
    }
    int centre = STEPS / 2, z = centre + 24; /* of 1.2 */
    int ranges[][2] = {[BELOW] = {0, z},
                       [ABOVE] = {z, STEPS - 1},
                       [MIDDLE] = {centre, z},
                       [BETWEEN] = {centre - 24, z},
                       [OUTSIDE] = {z, STEPS - 1}};
    int begin = ranges[part][0], end = ranges[part][1];
    cairn_figure_area(*out, 0, x + begin, zero, y + begin, (size_t)(end - begin + 1));
    if (part == OUTSIDE) cairn_figure_area(*out, 0, x, zero, y, (size_t)(centre - 24 + 1));
    cairn_figure_dark(*out, NULL, x, y, STEPS);
    cairn_figure_rule_x(*out, "z", example);
    cairn_figure_size(*out, 420, 180);
    return CAIRN_OK;
}

/* The cells as text; every fifth row stands on grey, so that the eye keeps its row. */
static cairn_status draw_cells(cairn_context *ctx, cairn_figure **out, const z_params *p)
{
    int first, last;
    char text[CAIRN_NUMBER_SIZE];
    CHECK(read_rows(ctx, p, &first, &last));
    double top = last - first + 2, wide = COLUMNS + 0.5;
    CHECK(cairn_figure_new(ctx, out, "table", "Rows: z to one decimal place; columns: its second"));
    cairn_figure_no_axes(*out);
    for (int c = 0; c < COLUMNS; c++) {
        snprintf(text, sizeof text, ".%02d", c);
        cairn_figure_text(*out, c + 1, top - 0.4, 'c', text);
    }
    for (int row = first; row <= last; row++) {
        double y = last - row + 0.6, low = y - 0.1, high = y + 0.9;
        double x[] = {-0.5, wide, wide, -0.5}, box[] = {low, low, high, high};
        if (row % 5 == 0) cairn_figure_side(*out, -1, 0.1, x, box, 4);
        cairn_number_fixed(text, row / 10.0, 1);
        cairn_figure_text(*out, 0, y, 'c', text);
        for (int c = 0; c < COLUMNS; c++) {
            write_area(text, area_of((z_part)p->part, z_of(row, c)), p->digits);
            cairn_figure_text(*out, c + 1, y, 'c', text);
        }
    }
    cairn_figure_x_range(*out, -0.5, wide);
    cairn_figure_y_range(*out, 0.2, top + 0.4);
    cairn_figure_size(*out, 60 + COLUMNS * (20 + 7 * p->digits), 40 + top * 18);
    return CAIRN_OK;
}

static cairn_status z_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const z_params *p = job->params;
    cairn_figure *panel = NULL;
    CHECK(cairn_figure_new(ctx, out, "z-table", "Table of the standard normal distribution"));
    CHECK(draw_bell(ctx, &panel, (z_part)p->part));
    cairn_figure_panel(*out, panel);
    CHECK(draw_cells(ctx, &panel, p));
    cairn_figure_panel(*out, panel);
    cairn_figure_columns(*out, 1);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_z_table = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "z-table",
              .also = "table of z, standard normal table, normal table, z table, table of the "
                      "normal distribution",
              .title = "Table of the standard normal distribution",
              .summary = "Areas under the bell by z, row by row as books print them: below z, "
                         "above, from the middle, between −z and z, or outside; and z for the "
                         "usual levels of confidence. 'compute distribution normal' has any z and "
                         "any level.",
              .example = "cairn compute z-table --from 1.5 --to 2.5 --steps",
              .params = z_table,
              .params_size = sizeof(z_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "z-table",
                .also = "table of z, standard normal table, normal table",
                .title = "Table of the standard normal distribution",
                .summary = "The table with the bell above it, on which its area is shaded.",
                .example = "cairn draw z-table --to 2.9 --out z-table.svg",
                .params = z_table,
                .params_size = sizeof(z_params)},
    .arguments = "",
    .run = z_run,
    .draw = z_draw,
};
