/* SPDX-License-Identifier: MIT */
/* What a mixture shows: its components, the choice of their number, the starts, and step by step
 * responsibilities and what is made of them. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "decompose/linalg.h"
#include "learners/cluster/course_report.h"
#include "learners/density/mixture.h"
#include "parallel/sort.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

/* Mixtures as pictures: of one number column the density and its components, of two the ellipses of
 * the components at one and two deviations. */

enum { GRID = 200, NEAR = 29, TURN = 64, DRAWN_ROWS = 500, DRAWN_COMPONENTS = 20, MOST_BINS = 30 };

static const double two_pi = 6.283185307179586477;

/* Weight times density of component c at x, of one number column. */
static double part_density(const cairn_mixture_model *m, size_t c, double x)
{
    double v = cairn_mixture_covariance_in_units(m, c, 0, 0);
    double u = x - cairn_mixture_mean_in_units(m, c, 0);
    return m->values[c] * cairn_exp(-0.5 * u * u / v) / sqrt(two_pi * v);
}

/* Places in order, GRID equally spaced ones that hold three and a half deviations of each component
 * and NEAR around each mean, so that no peak is stepped over, however narrow it is. */
static cairn_status place_grid(cairn_context *ctx, double **out, size_t *n,
                               const cairn_mixture_model *m)
{
    size_t near = m->k < DRAWN_COMPONENTS ? m->k : DRAWN_COMPONENTS;
    double low = INFINITY, high = -INFINITY;
    *n = GRID + NEAR * near;
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t c = 0; c < m->k; c++) {
        double sd = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
        double mean = cairn_mixture_mean_in_units(m, c, 0);
        low = fmin(low, mean - 3.5 * sd);
        high = fmax(high, mean + 3.5 * sd);
        for (int i = 0; c < near && i < NEAR; i++) {
            int step = i - NEAR / 2;
            (*out)[GRID + NEAR * c + (size_t)i] = mean + sd * 0.25 * step;
        }
    }
    for (size_t i = 0; i < GRID; i++) (*out)[i] = low + (high - low) * (double)i / (GRID - 1);
    return cairn_sort_numbers(ctx, *out, *n);
}

/* The rows as a histogram of the area 1. */
static void draw_histogram(cairn_figure *figure, const cairn_mixture_rows *rows)
{
    double low = INFINITY, high = -INFINITY, total = 0, heights[MOST_BINS] = {0};
    size_t n = (size_t)fmin(MOST_BINS, ceil(sqrt((double)rows->n)));
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->columns[0][cairn_view_row(rows->view, i)];
        low = fmin(low, x), high = fmax(high, x);
        if (!isnan(x)) total += rows->weights[i];
    }
    double width = (high - low) / (double)n;
    if (!(width > 0) || !(total > 0)) return;
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->columns[0][cairn_view_row(rows->view, i)];
        if (isnan(x)) continue;
        size_t bin = (size_t)((x - low) / width);
        heights[bin < n ? bin : n - 1] += rows->weights[i] / (total * width);
    }
    /* Bars of the heights as one grey area behind the curves, which so keep their colours. */
    double x[2 * MOST_BINS], top[2 * MOST_BINS], bottom[2 * MOST_BINS] = {0};
    for (size_t b = 0; b < 2 * n; b++) {
        size_t edge = (b + 1) / 2;
        x[b] = low + width * (double)edge;
        top[b] = heights[b / 2];
    }
    cairn_figure_shade(figure, "rows", -1, 0.5, x, bottom, top, 2 * n);
}

/* The ellipse of component c at so many deviations: L (cos, sin) with the factor L L' = S. */
static void draw_ellipse(cairn_figure *figure, const cairn_mixture_model *m, size_t c,
                         double deviations)
{
    double xs[TURN + 1], ys[TURN + 1];
    double a = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
    double b = cairn_mixture_covariance_in_units(m, c, 0, 1) / a;
    double d = sqrt(fmax(0, cairn_mixture_covariance_in_units(m, c, 1, 1) - b * b));
    for (size_t i = 0; i <= TURN; i++) {
        double turn = two_pi * (double)i / TURN;
        double u = deviations * cairn_cos(turn), v = deviations * cairn_sin(turn);
        xs[i] = cairn_mixture_mean_in_units(m, c, 0) + a * u;
        ys[i] = cairn_mixture_mean_in_units(m, c, 1) + b * u + d * v;
    }
    if (deviations > 1)
        cairn_figure_shape(figure, (int32_t)c, xs, ys, TURN);
    else
        cairn_figure_guide(figure, xs, ys, TURN + 1);
}

/* Some rows as points, each in the colour of its likeliest component; one with a missing number has
 * no place. */
static cairn_status draw_rows(cairn_context *ctx, cairn_figure *figure,
                              const cairn_mixture_model *m, const cairn_mixture_rows *rows)
{
    cairn_mixture_rows some = *rows;
    cairn_mixture_answer answer = {0};
    double *x, *y;
    if (some.n > DRAWN_ROWS) some.n = DRAWN_ROWS;
    CHECK(SCRATCH_EACH(ctx, some.n, &x, &y, &answer.codes));
    CHECK(cairn_mixture_answers(ctx, &answer, m, &some));
    size_t n = 0;
    for (size_t i = 0; i < some.n; i++) {
        x[n] = rows->columns[0][cairn_view_row(rows->view, i)];
        y[n] = rows->columns[1][cairn_view_row(rows->view, i)];
        answer.codes[n] = answer.codes[i];
        n += !isnan(x[n]) && !isnan(y[n]);
    }
    cairn_figure_points(figure, x, y, answer.codes, n, NULL, 0);
    return CAIRN_OK;
}

/* Of one number column the densities, of two the ellipses, with the rows where they are given;
 * else *out is left alone. `columns` are the names of the number columns. */
static cairn_status cairn_mixture_draw(cairn_context *ctx, cairn_figure **out, const char *name,
                                       const char *title, const cairn_mixture_model *m,
                                       const char *const *columns, const cairn_mixture_rows *rows)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED_SCRATCH(ctx);
    if (m->d == 0 || m->d > 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, name, title));
    cairn_figure_axes(figure, columns[0], m->d > 1 ? columns[1] : "density");
    if (m->d == 1 && rows) draw_histogram(figure, rows);
    if (m->d == 1) {
        /* The mixture as a dark line, and over it, so that they are seen, its components. */
        double *x, *y, *sum;
        size_t n;
        char label[32];
        CHECK(place_grid(ctx, &x, &n, m));
        CHECK(SCRATCH_EACH(ctx, n, &y, &sum));
        for (size_t c = 0; c < m->k; c++)
            for (size_t i = 0; i < n; i++) sum[i] += part_density(m, c, x[i]);
        cairn_figure_thick(figure, "mixture", x, sum, n);
        for (size_t c = 0; c < m->k && c < DRAWN_COMPONENTS; c++) {
            for (size_t i = 0; i < n; i++) y[i] = part_density(m, c, x[i]);
            snprintf(label, sizeof label, "component %zu", c + 1);
            cairn_figure_dashed(figure, label, x, y, n);
        }
    }
    if (m->d == 2 && rows) CHECK(draw_rows(ctx, figure, m, rows));
    for (size_t c = 0; m->d == 2 && c < m->k && c < DRAWN_COMPONENTS; c++) {
        /* Component c as its ellipses and mean, named in the legend by an area without size. */
        double x = cairn_mixture_mean_in_units(m, c, 0), y = cairn_mixture_mean_in_units(m, c, 1);
        bool last = c + 1 == m->k || c + 1 == DRAWN_COMPONENTS;
        char label[32];
        snprintf(label, sizeof label, "component %zu", c + 1);
        cairn_figure_shade(figure, label, (int32_t)c, 1, &x, &y, &y, 1);
        draw_ellipse(figure, m, c, 2);
        draw_ellipse(figure, m, c, 1);
        cairn_figure_mark(figure, last ? "mean, 1 and 2 deviations" : NULL, x, y);
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* The picture of a model with so many number columns. */
static cairn_status draw_model(cairn_context *ctx, cairn_figure **out, const char *name,
                               const cairn_mixture_model *m, const cairn_job *job, size_t d)
{
    const char *columns[2] = {NULL};
    size_t at = 0, n = 0;
    if (m->d != d) return CAIRN_OK;
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!m->levels[j]) columns[n++] = field->name;
    }
    return cairn_mixture_draw(ctx, out, name, "The mixture", m, columns, NULL);
}

static cairn_status draw_densities(cairn_context *ctx, cairn_figure **out, const void *model,
                                   const cairn_job *job)
{
    return draw_model(ctx, out, "densities", model, job, 1);
}

static cairn_status draw_contours(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    return draw_model(ctx, out, "contours", model, job, 2);
}

const cairn_model_figure cairn_mixture_figures[] = {
    {.name = "densities", .make = draw_densities},
    {.name = "contours", .make = draw_contours},
    {0},
};

enum {
    STEP_ROWS = 50,
    FULL_STEPS = 3,
    SHOWN_COLUMNS = 10,
    SHOWN_COMPONENTS = 20,
    SHOWN_LEVELS = 12,
    WORKED_ROWS = 2
};

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* -- parameters as tables, of a step or of the model -- */

typedef struct showing {
    cairn_report *out;
    const cairn_mixture_model *m;
    const char **names;       /* of the features */
    const cairn_map **levels; /* names of the levels of each feature */
    const char *prefix;       /* "iteration3." or "" */
} showing;

/* The feature that number column j is. */
static const char *number_name(const showing *s, size_t j)
{
    for (size_t f = 0; f < s->m->n_columns; f++)
        if (s->m->levels[f] == 0 && j-- == 0) return s->names[f];
    return "?";
}

/* Weights and means in the units of the columns; of many columns the last are only named. */
static void show_means(const showing *s, const char *title)
{
    const cairn_mixture_model *m = s->m;
    size_t shown = at_most(m->d, SHOWN_COLUMNS);
    cairn_report_table_of(s->out, title, CAIRN_MIXTURE_MOST, "rr", "component", "weight");
    for (size_t j = 0; j < shown; j++) cairn_report_column(s->out, number_name(s, j), 'r');
    for (size_t c = 0; c < m->k; c++) {
        cairn_report_cellf(s->out, "%zu", c + 1);
        cairn_report_cell_number(s->out, m->values[c], 0, "%sweight.%zu", s->prefix, c + 1);
        for (size_t j = 0; j < m->d; j++) {
            const char *key = cairn_report_key(s->out, number_name(s, j));
            double mean = cairn_mixture_mean_in_units(m, c, j);
            if (j < shown)
                cairn_report_cell_number(s->out, mean, 0, "%smean.%zu.%s", s->prefix, c + 1, key);
            else
                cairn_report_hidden(s->out, mean, "%smean.%zu.%s", s->prefix, c + 1, key);
        }
    }
    cairn_report_table_end(s->out);
}

/* Variances of the columns, which every form of covariance has, and their roots. */
static void show_variances(const showing *s)
{
    const cairn_mixture_model *m = s->m;
    size_t shown = at_most(m->d, SHOWN_COLUMNS);
    if (m->d == 0) return;
    cairn_report_table_of(s->out, "Variances (divisor N)", CAIRN_MIXTURE_MOST, "r", "component");
    for (size_t j = 0; j < shown; j++) cairn_report_column(s->out, number_name(s, j), 'r');
    for (size_t c = 0; c < m->k; c++) {
        cairn_report_cellf(s->out, "%zu", c + 1);
        for (size_t j = 0; j < m->d; j++) {
            const char *key = cairn_report_key(s->out, number_name(s, j));
            double v = cairn_mixture_covariance_in_units(m, c, j, j);
            if (j < shown)
                cairn_report_cell_number(s->out, v, 0, "%svariance.%zu.%s", s->prefix, c + 1, key);
            else
                cairn_report_hidden(s->out, v, "%svariance.%zu.%s", s->prefix, c + 1, key);
            cairn_report_hidden(s->out, sqrt(v), "%ssd.%zu.%s", s->prefix, c + 1, key);
        }
    }
    cairn_report_table_end(s->out);
}

/* A picture of the parameters, where there is one. */
static void show_picture(cairn_context *ctx, const showing *s, const char *name, const char *title,
                         const cairn_mixture_rows *rows)
{
    const char *columns[2] = {number_name(s, 0), number_name(s, 1)};
    cairn_figure *figure = NULL;
    cairn_status status = cairn_mixture_draw(ctx, &figure, name, title, s->m, columns, rows);
    if (figure)
        cairn_report_figure(s->out, figure);
    else
        cairn_report_failed(s->out, status);
}

/* Only few columns and components are shown, in the units of the data; tied ones have one
 * matrix. */
static void show_covariances(const showing *s)
{
    const cairn_mixture_model *m = s->m;
    size_t n = m->form == CAIRN_MIXTURE_TIED ? 1 : at_most(m->k, SHOWN_COMPONENTS);
    if (!cairn_mixture_is_matrix(m) || m->d < 2 || m->d > SHOWN_COLUMNS) return;
    for (size_t c = 0; c < n; c++) {
        /* The covariance matrix of one component, or of all. */
        char title[80];
        snprintf(title, sizeof title, "Covariances of component %zu", c + 1);
        cairn_report_table_of(
            s->out, m->form == CAIRN_MIXTURE_TIED ? "Covariances of all components" : title,
            SHOWN_COLUMNS, "l", "");
        for (size_t j = 0; j < m->d; j++) cairn_report_column(s->out, number_name(s, j), 'r');
        for (size_t i = 0; i < m->d; i++) {
            const char *name = number_name(s, i), *first = cairn_report_key(s->out, name);
            cairn_report_cell(s->out, name);
            for (size_t j = 0; j < m->d; j++)
                cairn_report_cell_number(s->out, cairn_mixture_covariance_in_units(m, c, i, j), 0,
                                         "%scovariance.%zu.%s.%s", s->prefix, c + 1, first,
                                         cairn_report_key(s->out, number_name(s, j)));
        }
        cairn_report_table_end(s->out);
    }
}

/* Probabilities of the levels, a line for each. */
static void show_levels(const showing *s)
{
    const cairn_mixture_model *m = s->m;
    const double *p = cairn_mixture_levels(m);
    size_t shown = at_most(m->k, SHOWN_COMPONENTS);
    char head[32];
    if (m->n_levels == 0) return;
    cairn_report_table_of(s->out, "Probabilities of levels", 200, "ll", "column", "level");
    for (size_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "component %zu", c + 1);
        cairn_report_column(s->out, head, 'r');
    }
    for (size_t j = 0; j < m->n_columns; j++)
        for (size_t l = 0; l < (size_t)m->levels[j]; l++, p += m->k) {
            const char *level = l < s->levels[j]->n ? cairn_map_key(s->levels[j], l) : "?";
            const char *name = cairn_report_key(s->out, s->names[j]);
            cairn_report_cells(s->out, NULL, s->names[j], level);
            for (size_t c = 0; c < shown; c++)
                cairn_report_cell_number(s->out, p[c], 0, "%slevel.%zu.%s.%s", s->prefix, c + 1,
                                         name, cairn_report_key(s->out, level));
        }
    cairn_report_table_end(s->out);
}

/* -- steps -- */

static cairn_status show_parameters(cairn_context *ctx, const cairn_mixture_run *run,
                                    const char *title, size_t iteration)
{
    SCOPED_SCRATCH(ctx);
    char prefix[40], of[40];
    const cairn_view *view = run->rows->view;
    showing s = {.out = run->steps, .m = run->m, .names = view->names, .prefix = prefix};
    CHECK(SCRATCH(ctx, &s.levels, view->n_features + 1));
    for (size_t j = 0; j < view->n_features; j++) s.levels[j] = &view->features[j]->names;
    snprintf(prefix, sizeof prefix, "iteration%zu.", iteration);
    show_means(&s, title);
    show_variances(&s);
    show_covariances(&s);
    show_levels(&s);
    snprintf(prefix, sizeof prefix, "iteration%zu", iteration);
    snprintf(of, sizeof of, "After iteration %zu", iteration);
    show_picture(ctx, &s, prefix, iteration ? of : title, run->rows);
    return CAIRN_OK;
}

/* Responsibilities of the first rows. */
static void show_rows(const cairn_mixture_run *run, size_t n, const double *r, const double *logs)
{
    size_t k = run->m->k, shown = at_most(k, SHOWN_COMPONENTS);
    cairn_report *out = run->steps;
    char head[32];
    cairn_report_table_of(out, "Responsibilities", STEP_ROWS, "rr", "row", "density p(x)");
    for (size_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "r of %zu", c + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < n; i++) {
        size_t number = cairn_view_row(run->rows->view, i) + 1;
        cairn_report_cellf(out, "%zu", number);
        cairn_report_cell_number(out, cairn_exp(logs[i]), 0, "iteration%zu.density.%zu",
                                 run->iteration, number);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, r[i * k + c], 0, "iteration%zu.responsibility.%zu.%zu",
                                     run->iteration, number, c + 1);
    }
    cairn_report_table_end(out);
    if (run->rows->n > n)
        cairn_report_paragraph(out, "and %zu more row%s", run->rows->n - n,
                               run->rows->n - n == 1 ? "" : "s");
}

/* Whether the densities of row i can be written on a board: no number is missing, and there are not
 * too many columns. */
static bool is_workable(const cairn_mixture_run *run, size_t i)
{
    size_t row = cairn_view_row(run->rows->view, i);
    bool whole = run->m->n_columns <= SHOWN_COLUMNS;
    for (size_t j = 0; j < run->m->d; j++) whole = whole && !isnan(run->rows->columns[j][row]);
    return whole;
}

static const double least_apart = 1e-13; /* of a difference, in deviations of the column */

/* The number column j of row i less the mean of component c. */
static double apart(const cairn_mixture_run *run, size_t c, size_t j, size_t i)
{
    size_t row = cairn_view_row(run->rows->view, i);
    double x = run->rows->columns[j][row] - cairn_mixture_mean_in_units(run->m, c, j);
    return fabs(x) > least_apart * run->m->scale[j] ? x : 0;
}

/* The squared distance of row i from the mean of component c, by variances or, of two columns, by
 * the inverse of the covariances. */
static void work_distance(const cairn_mixture_run *run, size_t c, size_t i, double squared)
{
    const cairn_mixture_model *m = run->m;
    size_t row = cairn_view_row(run->rows->view, i);
    double terms[3 * SHOWN_COLUMNS];
    char label[64];
    snprintf(label, sizeof label, "row %zu, D² of %zu", row + 1, c + 1);
    if (!cairn_mixture_is_matrix(m)) {
        for (size_t j = 0; j < m->d; j++) {
            terms[3 * j] = run->rows->columns[j][row];
            terms[3 * j + 1] = cairn_mixture_mean_in_units(m, c, j);
            terms[3 * j + 2] = cairn_mixture_covariance_in_units(m, c, j, j);
        }
        cairn_report_worked_sum(run->steps, label, "(# − #)²/#", terms, 3, m->d, squared);
    } else if (m->d == 2) {
        const double *p = run->scorer.precision + c * 4, u = m->scale[0], v = m->scale[1];
        double x = apart(run, c, 0, i), y = apart(run, c, 1, i);
        cairn_report_worked(run->steps, label, "#·#² + 2·#·#·# + #·#² = #", p[0] / u / u, x,
                            p[1] / u / v, x, y, p[3] / v / v, y, squared);
    }
}

/* The density of component c at row i: of one number written out, of several by the distance from
 * the mean, times the probability of each level. */
static cairn_status work_density(cairn_context *ctx, const cairn_mixture_run *run, size_t c,
                                 size_t i, double density)
{
    const cairn_mixture_model *m = run->m;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double numbers[5 + SHOWN_COLUMNS], levels = 1;
    double peak = cairn_exp(run->scorer.constants[c]) / m->values[c];
    size_t n = 0, number = cairn_view_row(run->rows->view, i) + 1, first = m->d == 1 ? 4 : 2;
    char label[64];
    if (m->d == 0) first = 0;
    for (size_t j = 0; j < run->rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(run->rows, j, i);
        size_t at = run->rows->level_starts[j] + (size_t)(code < 0 ? 0 : code);
        if (code >= 0) numbers[first + n++] = cairn_mixture_levels(m)[at * m->k + c];
        if (code >= 0) levels *= numbers[first + n - 1];
    }
    double variance = m->d ? cairn_mixture_covariance_in_units(m, c, 0, 0) : 0;
    double squared = -2 * cairn_log(density / levels / peak);
    if (m->d == 1) {
        const double normal[4] = {run->rows->columns[0][number - 1],
                                  cairn_mixture_mean_in_units(m, c, 0), variance, variance};
        for (size_t k = 0; k < 4; k++) numbers[k] = normal[k];
        cairn_text_add(&text, "exp(−(# − #)² / (2·#)) / √(2π·#)");
    } else if (m->d > 1) {
        work_distance(run, c, i, squared);
        numbers[0] = peak, numbers[1] = squared;
        cairn_text_add(&text, "#·exp(−½·#)");
    }
    for (size_t k = 0; k < n; k++) cairn_text_add(&text, first + k ? "·#" : "#");
    if (first + n == 0) cairn_text_add(&text, "1, since all its cells are missing,");
    cairn_text_add(&text, " = #");
    numbers[first + n] = density;
    snprintf(label, sizeof label, "row %zu, p_%zu(x)", number, c + 1);
    cairn_report_worked_numbers(run->steps, label, cairn_text_string(&text), numbers,
                                first + n + 1);
    return cairn_text_status(&text);
}

/* The densities of the components at the first rows that have all numbers. */
static cairn_status work_densities(cairn_context *ctx, const cairn_mixture_run *run, size_t n,
                                   const double *r, const double *logs)
{
    const cairn_mixture_model *m = run->m;
    size_t n_worked = 0;
    for (size_t i = 0; i < n && n_worked < WORKED_ROWS; i++) {
        double p = cairn_exp(logs[i]);
        if (!is_workable(run, i) || !(p > 0)) continue;
        if (n_worked++ == 0) {
            /* What a component says of a row. */
            const char *normal = m->d == 0   ? ""
                                 : m->d == 1 ? "exp(−(x − m_c)² / (2 S_c)) / √(2π S_c)"
                                             : "exp(−½ D²) / √((2π)ᵈ |S_c|)";
            cairn_report_formula(run->steps, "p_c(x) = %s%s%s%s", normal,
                                 m->d && m->n_levels ? " · " : "",
                                 m->n_levels ? "Π P_c(level)" : "",
                                 m->d > 1 ? ",  D² = (x − m_c)ᵀ S_c⁻¹ (x − m_c)" : "");
        }
        for (size_t c = 0; c < at_most(m->k, SHOWN_COMPONENTS); c++) {
            double share = r[i * m->k + c];
            if (!(m->values[c] > 0 && share > 0)) continue;
            CHECK(work_density(ctx, run, c, i, share * p / m->values[c]));
        }
    }
    return CAIRN_OK;
}

/* Missing cells of the first rows as the components expect them. */
static cairn_status show_gaps(cairn_context *ctx, const cairn_mixture_run *run, size_t n)
{
    size_t shown = at_most(run->m->k, SHOWN_COMPONENTS);
    cairn_mixture_buffer buffer;
    char head[32];
    if (run->rows->plain || run->m->d == 0) return CAIRN_OK;
    CHECK(cairn_mixture_buffer_make(ctx, &buffer, &run->scorer));
    cairn_report_table_of(run->steps, "Missing cells as the components expect them", STEP_ROWS,
                          "rl", "row", "column");
    for (size_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "component %zu", c + 1);
        cairn_report_column(run->steps, head, 'r');
    }
    for (size_t i = 0; i < n; i++) {
        /* What the components expect in the missing cells of row i, given its other numbers. */
        const cairn_mixture_model *m = run->m;
        cairn_report *out = run->steps;
        size_t number = cairn_view_row(run->rows->view, i) + 1, n_gaps;
        for (size_t j = 0; j < m->d; j++) {
            const char *name = run->rows->view->names[run->rows->number_columns[j]];
            cairn_mixture_read(run->rows, i, buffer.row);
            if (!isnan(buffer.row[j])) continue;
            cairn_report_cells(out, NULL, number, name);
            for (size_t c = 0; c < at_most(m->k, SHOWN_COMPONENTS); c++) {
                cairn_mixture_read(run->rows, i, buffer.row);
                cairn_mixture_fill(&run->scorer, c, &buffer, &n_gaps);
                cairn_report_cell_number(out, m->shift[j] + m->scale[j] * buffer.filled[j], 0,
                                         "iteration%zu.expected.%zu.%s.%zu", run->iteration, number,
                                         cairn_report_key(out, name), c + 1);
            }
        }
    }
    cairn_report_table_end(run->steps);
    return CAIRN_OK;
}

/* The first row's responsibilities with their numbers, as on a board. */
static void work_first_row(const cairn_mixture_run *run, const double *r, double log_density)
{
    double p = cairn_exp(log_density);
    char label[32];
    cairn_report_formula(run->steps, "r_c(x) = w_c p_c(x) / Σ_b w_b p_b(x)");
    for (size_t c = 0; c < at_most(run->m->k, SHOWN_COMPONENTS); c++) {
        double w = run->m->values[c];
        snprintf(label, sizeof label, "row 1, r of %zu", c + 1);
        cairn_report_worked(run->steps, label, "# · # / # = #", w, w > 0 ? r[c] * p / w : 0, p,
                            r[c]);
    }
}

void cairn_mixture_show_expected(cairn_context *ctx, const cairn_mixture_run *run,
                                 double log_likelihood)
{
    cairn_report *out = run->steps;
    cairn_mixture_rows some = *run->rows;
    cairn_mixture_answer answer = {0};
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    some.n = at_most(some.n, STEP_ROWS);
    if (run->iteration >= FULL_STEPS) {
        cairn_report_hidden(out, log_likelihood, "iteration%zu.log_likelihood", run->iteration);
        return;
    }
    cairn_report_step_begin(out, "Iteration %zu, E: who is responsible for each row",
                            run->iteration);
    if (run->iteration == 0) cairn_report_failed(out, show_parameters(ctx, run, "The start", 0));
    TRY(SCRATCH(ctx, &answer.scores, cairn_product(some.n, run->m->k)));
    TRY(SCRATCH(ctx, &answer.logs, some.n));
    TRY(cairn_mixture_answers(ctx, &answer, run->m, &some));
    TRY(work_densities(ctx, run, some.n, answer.scores, answer.logs));
    work_first_row(run, answer.scores, answer.logs[0]);
    show_rows(run, some.n, answer.scores, answer.logs);
    TRY(show_gaps(ctx, run, some.n));
    cairn_report_formula(out, "ln L = Σ_i ln p(x_i)");
    cairn_report_value(out, "log-likelihood", log_likelihood, "iteration%zu.log_likelihood",
                       run->iteration);
done:
    cairn_report_step_end(out);
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* The variance of column j in component c, and the floor where it had to be raised to that. */
static void work_variance(const cairn_mixture_run *run, size_t c, size_t j, const char *label)
{
    const cairn_mixture_model *m = run->m;
    double n = cairn_mixture_share(run, c), sum = cairn_mixture_sum(run, c, j);
    double squares = cairn_mixture_product(run, c, j, j) - (n > 0 ? sum / n * sum : 0);
    double v = cairn_mixture_covariance_in_units(m, c, j, j), unit = m->scale[j] * m->scale[j];
    double rounding = 1e-13 * fabs(cairn_mixture_product(run, c, j, j)) * unit;
    squares = squares * unit > rounding ? squares * unit : 0;
    if (n > 0 && run->floored && squares / n < v * (1 - 1e-6))
        cairn_report_worked(run->steps, label,
                            "Σ r (x − mean)² / N_c = # / # = #, raised to # by the floor", squares,
                            n, squares / n, v);
    else
        cairn_report_worked(run->steps, label, "Σ r (x − mean)² / N_c = # / # = #", v * n, n, v);
}

/* The name of level column j. */
static const char *level_column(const cairn_mixture_rows *rows, size_t j)
{
    for (size_t f = 0; f < rows->view->n_features; f++)
        if (rows->view->features[f] == rows->level_columns[j]) return rows->view->names[f];
    return "?";
}

/* Shares of the levels of level column j in component c, and the floor where it acts. */
static void work_shares(const cairn_mixture_run *run, size_t c, size_t j)
{
    const cairn_mixture_rows *rows = run->rows;
    size_t k = run->m->k, begin = rows->level_starts[j], end = rows->level_starts[j + 1];
    const double *counts = run->sums + 1 + run->n_moments, *p = cairn_mixture_levels(run->m);
    double total = 0, rounding = 1e-9;
    char label[200];
    for (size_t l = begin; l < end; l++) total += counts[l * k + c];
    for (size_t l = begin; l < end && end - begin <= SHOWN_LEVELS && total > 0; l++) {
        double count = counts[l * k + c], share = count / total, kept = p[l * k + c];
        snprintf(label, sizeof label, "P_%zu(%.80s = %.80s)", c + 1, level_column(rows, j),
                 cairn_level_name(rows->level_columns[j], (int32_t)(l - begin)));
        if (fabs(share - kept) > kept * rounding)
            cairn_report_worked(run->steps, label,
                                share < kept
                                    ? "Σ r of its rows / Σ r = # / # = #, raised to # by the floor"
                                    : "Σ r of its rows / Σ r = # / # = #, lowered to # since the "
                                      "floor raises others",
                                count, total, share, kept);
        else
            cairn_report_worked(run->steps, label, "Σ r of its rows / Σ r = # / # = #", count,
                                total, kept);
    }
}

/* Sums of one component, and what they become. */
static void work_component(const cairn_mixture_run *run, size_t c)
{
    const cairn_mixture_model *m = run->m;
    cairn_report *out = run->steps;
    double n = cairn_mixture_share(run, c);
    showing s = {.out = out, .m = m, .names = run->rows->view->names, .prefix = ""};
    char label[160];
    cairn_report_value(out, "N, the sum of responsibilities", n, "iteration%zu.n.%zu",
                       run->iteration, c + 1);
    snprintf(label, sizeof label, "weight of %zu", c + 1);
    cairn_report_worked(out, label, "N_c / N = # / # = #", n, run->weight, m->values[c]);
    for (size_t j = 0; j < at_most(m->d, SHOWN_COLUMNS); j++) {
        double mean = cairn_mixture_mean_in_units(m, c, j);
        snprintf(label, sizeof label, "mean of %zu, %.80s", c + 1, number_name(&s, j));
        cairn_report_worked(out, label, "Σ r x / N_c = # / # = #", mean * n, n, mean);
        if (m->form == CAIRN_MIXTURE_TIED || m->form == CAIRN_MIXTURE_SPHERICAL) continue;
        snprintf(label, sizeof label, "variance of %zu, %.80s", c + 1, number_name(&s, j));
        work_variance(run, c, j, label);
    }
    for (size_t j = 0; j < at_most(run->rows->n_level_columns, SHOWN_COLUMNS); j++)
        work_shares(run, c, j);
}

/* Of later steps only the numbers are named. */
static void note_step(const cairn_mixture_run *run)
{
    const cairn_mixture_model *m = run->m;
    cairn_report *out = run->steps;
    size_t r = run->iteration;
    if (r == FULL_STEPS + 1)
        cairn_report_paragraph(out, "The steps that follow are of the same kind.");
    for (size_t c = 0; c < m->k; c++) {
        cairn_report_hidden(out, m->values[c], "iteration%zu.weight.%zu", r, c + 1);
        for (size_t j = 0; j < at_most(m->d, SHOWN_COLUMNS); j++) {
            const char *name = run->rows->view->names[run->rows->number_columns[j]];
            const char *key = cairn_report_key(out, name);
            cairn_report_hidden(out, cairn_mixture_mean_in_units(m, c, j),
                                "iteration%zu.mean.%zu.%s", r, c + 1, key);
            cairn_report_hidden(out, cairn_mixture_covariance_in_units(m, c, j, j),
                                "iteration%zu.variance.%zu.%s", r, c + 1, key);
        }
    }
}

void cairn_mixture_show_step(cairn_context *ctx, const cairn_mixture_run *run)
{
    cairn_report *out = run->steps;
    if (run->iteration > FULL_STEPS) {
        note_step(run);
        return;
    }
    cairn_report_step_begin(out,
                            "Iteration %zu, M: the parameters that these responsibilities make "
                            "likeliest",
                            run->iteration);
    if (run->m->n_levels)
        cairn_report_formula(out, "P_c(level) = Σ r over its rows / Σ r over all rows that have a "
                                  "level");
    if (run->m->d == 0)
        cairn_report_formula(out, "N_c = Σ r,  w_c = N_c / N");
    else
        cairn_report_formula(out, "N_c = Σ r,  w_c = N_c / N,  m_c = Σ r x / N_c,  "
                                  "S_c = Σ r (x − m_c)(x − m_c)' / N_c with the new mean");
    for (size_t c = 0; c < at_most(run->m->k, SHOWN_COMPONENTS); c++) work_component(run, c);
    cairn_report_failed(out, show_parameters(ctx, run, "New parameters", run->iteration));
    if (run->floored)
        cairn_report_paragraph(out, "%lld component%s stopped at the floor of the variance.",
                               (long long)run->floored, run->floored == 1 ? "" : "s");
    cairn_report_step_end(out);
}

/* -- the description -- */

static void show_sizes(cairn_report *out, const cairn_mixture_history *history, size_t k)
{
    cairn_report_table_of(out, "Rows of the components", CAIRN_MIXTURE_MOST, "rrr", "component",
                          "responsibilities", "rows whose likeliest it is");
    for (size_t c = 0; c < k; c++)
        cairn_report_cells(out, "- n.$1 hard.$1", c + 1, history->sizes[c], history->hard[c]);
    cairn_report_table_end(out);
}

static void show_choices(cairn_report *out, const cairn_mixture_history *history, size_t k)
{
    bool held = history->n_choices && !isnan(history->choices[3]);
    if (!history->n_choices) return;
    cairn_report_table_of(out, "Numbers of components", CAIRN_MIXTURE_MOST, "rrr", "components",
                          "log-likelihood", "BIC");
    if (held) cairn_report_column(out, "held-out mean log density", 'r');
    for (size_t i = 0; i < history->n_choices; i++) {
        const double *line = history->choices + 4 * i;
        int number = (int)line[0];
        if ((size_t)number == k) cairn_report_row_mark(out);
        cairn_report_cells(out, "- components$1.log_likelihood components$1.bic", number, line[1],
                           line[2]);
        if (held) cairn_report_cell_number(out, line[3], 0, "components%d.held_out", number);
    }
    cairn_report_table_end(out);
}

/* Columns that take part in a direction in which component c has no more variance than the
 * floor. */
static cairn_status mark_low(cairn_context *ctx, const cairn_mixture_model *m, size_t c,
                             double floor, bool *low)
{
    const double above = 1 + 1e-6, part = 0.1;
    size_t d = m->d;
    double *copy, *values, *vectors;
    SCOPED_SCRATCH(ctx);
    if (!cairn_mixture_is_matrix(m)) {
        for (size_t j = 0; j < d; j++)
            low[j] |= cairn_mixture_covariance(m, c, j, j) <= floor * above;
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(d, d), &copy, &vectors));
    CHECK(SCRATCH_RAW(ctx, &values, d));
    for (size_t i = 0; i < d * d; i++) copy[i] = cairn_mixture_covariance(m, c, i / d, i % d);
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, copy, d));
    for (size_t v = 0; v < d; v++)
        for (size_t j = 0; values[v] <= floor * above && j < d; j++)
            low[j] |= fabs(vectors[v * d + j]) >= part;
    return CAIRN_OK;
}

/* Which columns have no variance of their own left in some component. */
static cairn_status note_floor(cairn_context *ctx, const showing *s,
                               const cairn_mixture_params *params)
{
    const cairn_mixture_model *m = s->m;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool *low;
    size_t n = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &low, m->d));
    for (size_t c = 0; c < m->k; c++) CHECK(mark_low(ctx, m, c, params->floor, low));
    for (size_t j = 0; j < m->d; j++) {
        if (!low[j] || n++ >= SHOWN_COLUMNS) continue;
        cairn_text_addf(&text, "%s'%s'", n > 1 ? ", " : "", number_name(s, j));
    }
    if (n > SHOWN_COLUMNS) cairn_text_addf(&text, " and %zu more", n - SHOWN_COLUMNS);
    CHECK(cairn_text_status(&text));
    if (n == 1)
        cairn_report_note(s->out, "In such a component the column %s has one value.",
                          cairn_text_string(&text));
    if (n > 1)
        cairn_report_note(s->out,
                          "In such a component these columns depend on each other, or have one "
                          "value: %s.",
                          cairn_text_string(&text));
    return cairn_text_status(&text);
}

/* How well the mixture fits, and what a reader should doubt: no end, a floor, constant columns. */
static void show_outcome(cairn_report *out, const cairn_mixture_model *m,
                         const cairn_mixture_history *history, const cairn_mixture_params *params)
{
    bool once = params->protocol == CAIRN_PROTOCOL_ONLINE;
    double free = cairn_mixture_free(m), log_likelihood = history->log_likelihood;
    cairn_report_value(out, "components", (double)m->k, "components");
    cairn_report_value(out, "log-likelihood", log_likelihood, "log_likelihood");
    cairn_report_value(out, "free parameters", free, "free_parameters");
    cairn_report_value(out, "AIC", 2 * free - 2 * log_likelihood, "aic");
    cairn_report_value(out, "BIC", free * cairn_log(history->weight) - 2 * log_likelihood, "bic");
    cairn_report_value(out, "iterations", (double)history->iterations, "iterations");
    cairn_report_word(out, "converged", history->converged ? "yes" : "no", "converged");
    if (once)
        cairn_report_note(out, "Every row was seen once, in order, after a start at drawn rows: "
                               "{protocol random} and {protocol batch} go on to the nearest "
                               "maximum.");
    if (!history->converged && !once)
        cairn_report_note(out,
                          "The log-likelihood was still rising after %lld iterations; raise "
                          "{max-iter} to let it settle.",
                          (long long)history->iterations);
    /* Components at the floor, and what helps against it: fewer of them where there are several,
     * no covariances where there are any. */
    bool several = m->k > 1, matrix = cairn_mixture_is_matrix(m) && m->d > 1;
    const char *help = several && matrix ? " Fewer {components} or {covariance diagonal} may help."
                       : several         ? " Fewer {components} may help."
                       : matrix          ? " {covariance diagonal} may help."
                                         : "";
    cairn_context *ctx = cairn_report_context(out);
    if (history->floored && ctx) {
        if (several)
            cairn_report_note(
                out,
                "%lld of the components %s at the floor of the variance ({floor}): such "
                "a component may have collapsed on equal rows, and its density says "
                "little.%s",
                (long long)history->floored, history->floored == 1 ? "is" : "are",
                cairn_say(ctx, help));
        else
            cairn_report_note(
                out,
                "The component is at the floor of the variance ({floor}): in some direction all "
                "rows are alike, and its density says little.%s",
                cairn_say(ctx, help));
    }
    cairn_report_hidden(out, (double)history->floored, "floored");
    if (history->n_constant)
        cairn_report_note(out,
                          "%zu number column%s one value only; the variance there is the "
                          "floor.",
                          history->n_constant, history->n_constant == 1 ? " has" : "s have");
}

/* Hills and valleys of the density of one number column. */
static void show_turns(cairn_context *ctx, const showing *s)
{
    double *at, *heights;
    size_t n;
    SCOPED_SCRATCH(ctx);
    if (s->m->d != 1) return;
    cairn_status status = cairn_mixture_turns(ctx, s->m, &at, &heights, &n);
    cairn_report_failed(s->out, status);
    if (status != CAIRN_OK) return;
    cairn_report_table_of(s->out, "Modes and antimodes", 50, "lrr", "", number_name(s, 0),
                          "density");
    for (size_t i = 0; i < n; i++) {
        const char *kind = i % 2 ? "antimode" : "mode";
        cairn_report_cell(s->out, kind);
        cairn_report_cell_number(s->out, at[i], 0, "%s%zu", kind, i / 2 + 1);
        cairn_report_cell_number(s->out, heights[i], 0, "%s%zu.density", kind, i / 2 + 1);
    }
    cairn_report_table_end(s->out);
}

static void show_least(cairn_report *out, const cairn_mixture_history *history)
{
    cairn_report_table_of(out, "Rows that fit least", CAIRN_MIXTURE_LEAST, "rr", "row",
                          "ln density");
    for (size_t i = 0; i < history->n_least; i++) {
        const double *line = history->least + 2 * i;
        cairn_report_cell_number(out, line[0], 0, "least%zu.row", i + 1);
        cairn_report_cell_number(out, line[1], 0, "least%zu.log_density", i + 1);
    }
    cairn_report_table_end(out);
}

static void note_rows(cairn_report *out, const cairn_mixture_history *history, size_t k)
{
    for (size_t i = 0; i < history->n_kept; i++) {
        const double *line = history->kept + i * (k + 1);
        for (size_t c = 0; c < k; c++)
            cairn_report_hidden(out, line[c], "responsibility.%zu.%zu", i + 1, c + 1);
        cairn_report_hidden(out, line[k], "log_density.%zu", i + 1);
    }
}

/* Where the starts ended: different configurations may be stationary. */
static void show_starts(cairn_report *out, const cairn_mixture_history *history)
{
    if (history->n_starts > 1) {
        cairn_report_table_of(out, "Starts", 20, "rr", "start", "log-likelihood");
        for (size_t s = 0; s < history->n_starts; s++) {
            if ((int32_t)s == history->best_start) cairn_report_row_mark(out);
            cairn_report_cells(out, "- start$1.log_likelihood", s + 1, history->start_ends[s]);
        }
        cairn_report_table_end(out);
        cairn_report_hidden(out, history->best_start + 1.0, "best_start");
    }
}

/* Iteration by iteration, of the best start. */
static void show_course(cairn_report *out, const cairn_mixture_history *history)
{
    cairn_report_table_of(out, "Iterations", 20, "rrr", "iteration", "log-likelihood", "gain");
    for (size_t i = 0; i < history->n_values; i++) {
        cairn_report_cells(out, "- course.$1.log_likelihood", i, history->values[i]);
        if (i)
            cairn_report_cell_number(out, history->values[i] - history->values[i - 1], 0,
                                     "course.%zu.gain", i);
        else
            cairn_report_cell(out, "");
    }
    cairn_report_table_end(out);
    cairn_draw_costs(out, "Log-likelihood by iterations", "iterations", "log-likelihood",
                     history->values, history->n_values);
}

static cairn_status name_features(cairn_context *ctx, showing *s, const cairn_schema *schema)
{
    size_t at = 0;
    CHECK(SCRATCH_EACH(ctx, s->m->n_columns + 1, &s->names, &s->levels));
    for (size_t j = 0; j < s->m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        s->names[j] = field->name;
        s->levels[j] = &field->names;
    }
    return CAIRN_OK;
}

void cairn_mixture_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    const cairn_mixture_history *history = job->history;
    cairn_context *ctx = cairn_report_context(out);
    showing s = {.out = out, .m = m, .prefix = ""};
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = name_features(ctx, &s, job->schema);
    if (status == CAIRN_OK) {
        cairn_report_heading(out, 2, "Mixture");
        if (history) show_outcome(out, m, history, job->params);
        if (history && history->floored) status = note_floor(ctx, &s, job->params);
        if (history) show_choices(out, history, m->k);
        show_means(&s, "Components: weights and means");
        show_variances(&s);
        show_covariances(&s);
        show_levels(&s);
        show_picture(ctx, &s, "mixture", "The mixture", NULL);
        show_turns(ctx, &s);
        if (history) show_sizes(out, history, m->k);
        if (history) show_least(out, history);
        if (history) show_starts(out, history);
        if (history) show_course(out, history);
        if (history) note_rows(out, history, m->k);
    }
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* Weight times density of each component, and the responsibilities that they are parts of. */
void cairn_mixture_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_mixture_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    cairn_mixture_answer answer = {0};
    cairn_mixture_rows rows;
    cairn_status status;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(cairn_mixture_rows_open(ctx, &rows, job->view, m));
    TRY(SCRATCH(ctx, &answer.scores, cairn_product(rows.n, m->k)));
    TRY(SCRATCH(ctx, &answer.logs, rows.n));
    TRY(cairn_mixture_answers(ctx, &answer, m, &rows));
    const double *r = answer.scores + row * m->k;
    cairn_report_table_of(out, "Components", 0, "rrr", "component", "ln (weight · density)",
                          "responsibility");
    for (size_t c = 0; c < m->k; c++)
        cairn_report_cells(out, "- log_joint.$1:6 responsibility.$1:6", c + 1,
                           answer.logs[row] + cairn_log(r[c]), r[c]);
    cairn_report_table_end(out);
    cairn_report_value(out, "ln p(x)", answer.logs[row], "log_density");
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}
