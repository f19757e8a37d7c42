/* SPDX-License-Identifier: MIT */
/* cairn draw scatter-matrix: every pair of columns against each other, each column's distribution
 * on the diagonal. Levels stand at whole numbers; points among them are spread a little, by the
 * number of the row, so that they do not hide each other. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "stats/frequency.h"

#include <math.h>

typedef struct matrix_params {
    const char *columns, *colour;
    int most, bins;
} matrix_params;

static const cairn_param matrix_table[] = {
    CAIRN_PARAM_AS(matrix_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns, of numbers, times or levels; the first features if not given"),
    CAIRN_PARAM_AS(matrix_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column that chooses the colours, or none; the target if not given"),
    CAIRN_PARAM(matrix_params, most, "6", "[2,12]", "columns that are drawn at the most",
                .when = "!columns"),
    CAIRN_PARAM(matrix_params, bins, "0", "[0,200]",
                "number of bins of the histograms; 0 = by Sturges' rule"),
    CAIRN_PARAM_END,
};

enum { MOST_COLUMNS = 12, SIDE = 160 };

typedef struct matrix {
    const cairn_table *table;
    const matrix_params *p;
    size_t columns[MOST_COLUMNS], n;
    cairn_groups groups;
    double *values[MOST_COLUMNS]; /* numbers, or codes that are spread */
} matrix;

static bool is_drawable(const cairn_table *table, size_t column)
{
    return cairn_table_numbers(table, column) || table->slots[column].column->kind == CAIRN_LEVEL;
}

/* The named columns, or the first features that can be drawn. */
static cairn_status choose(cairn_context *ctx, matrix *m)
{
    const cairn_table *table = m->table;
    char **names;
    size_t n_names, left = 0;
    if (m->p->columns) {
        CHECK(cairn_list_split(ctx, m->p->columns, &names, &n_names));
        if (n_names > MOST_COLUMNS)
            return cairn_fail(ctx, CAIRN_USAGE, "{columns}: at most %d are drawn, not %zu",
                              (int)MOST_COLUMNS, n_names);
        for (size_t i = 0; i < n_names; i++) {
            CHECK(cairn_table_get(ctx, table, names[i], &m->columns[i]));
            if (!is_drawable(table, m->columns[i]))
                return cairn_fail(ctx, CAIRN_USAGE, "{columns}: '%s' holds %s", names[i],
                                  cairn_kind_plural(cairn_table_kind(table, m->columns[i])));
        }
        m->n = n_names;
    }
    for (size_t c = 0; c < table->n_columns && !m->p->columns; c++) {
        if (table->slots[c].role != CAIRN_FEATURE || !is_drawable(table, c)) continue;
        if (m->n < (size_t)m->p->most)
            m->columns[m->n++] = c;
        else
            left++;
    }
    if (left) cairn_warn(ctx, "%zu more columns are not drawn; {columns} chooses", left);
    if (m->n == 0 || table->n_rows == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no columns to draw",
                          table->source ? table->source : "the table");
    return CAIRN_OK;
}

/* Multiples of the golden ratio fill an interval evenly. */
static cairn_status spread(cairn_context *ctx, matrix *m)
{
    const double golden = 0.61803398874989485, buffer = 0.5;
    for (size_t i = 0; i < m->n; i++) {
        const cairn_column *column = m->table->slots[m->columns[i]].column;
        CHECK(SCRATCH_RAW(ctx, &m->values[i], m->table->n_rows));
        const double *numbers = cairn_table_numbers(m->table, m->columns[i]);
        for (size_t r = 0; r < m->table->n_rows; r++) {
            double at = golden * (double)(r + 1) * (double)(i + 1);
            if (numbers)
                m->values[i][r] = numbers[r];
            else
                m->values[i][r] =
                    column->codes[r] < 0 ? NAN : column->codes[r] + buffer * (at - floor(at) - 0.5);
        }
    }
    return CAIRN_OK;
}

static cairn_status level_names(cairn_context *ctx, const cairn_column *column, const char ***out)
{
    CHECK(SCRATCH(ctx, out, column->names.n + 1));
    for (size_t l = 0; l < column->names.n; l++) (*out)[l] = cairn_map_key(&column->names, l);
    return CAIRN_OK;
}

/* The panel in the upper right corner has the legend; levels are shown by their names. */
static cairn_status add_pair(cairn_context *ctx, matrix *m, cairn_figure *panel, size_t row,
                             size_t at)
{
    const cairn_column *x = m->table->slots[m->columns[at]].column;
    const cairn_column *y = m->table->slots[m->columns[row]].column;
    const char **names;
    bool legend = row == 0 && at == m->n - 1;
    if (x->kind == CAIRN_LEVEL) {
        CHECK(level_names(ctx, x, &names));
        cairn_figure_x_names(panel, names, x->names.n);
    }
    if (y->kind == CAIRN_LEVEL) {
        CHECK(level_names(ctx, y, &names));
        cairn_figure_y_names(panel, names, y->names.n);
    }
    cairn_figure_points(panel, m->values[at], m->values[row], m->groups.codes, m->table->n_rows,
                        legend ? m->groups.names : NULL, legend ? m->groups.n : 0);
    cairn_figure_scales(panel, cairn_picture_scale(m->table, m->columns[at]),
                        cairn_picture_scale(m->table, m->columns[row]));
    return CAIRN_OK;
}

/* How often each level of a column occurs, or its histogram, for one group (-1 = all rows). */
static cairn_status add_part(cairn_context *ctx, matrix *m, cairn_figure *panel, size_t at,
                             const cairn_bins *bins, int32_t group)
{
    const cairn_column *column = m->table->slots[m->columns[at]].column;
    cairn_part part = {group < 0 ? NULL : m->groups.codes, group};
    double *counts;
    const char **names;
    if (column->kind == CAIRN_LEVEL) {
        CHECK(level_names(ctx, column, &names));
        CHECK(SCRATCH(ctx, &counts, column->names.n + 1));
        for (size_t r = 0; r < m->table->n_rows; r++)
            if (column->codes[r] >= 0 && (group < 0 || m->groups.codes[r] == group))
                counts[column->codes[r]]++;
        cairn_figure_bars(panel, NULL, names, counts, column->names.n);
        return CAIRN_OK;
    }
    cairn_sample sample;
    CHECK(cairn_sample_make(ctx, &sample, cairn_table_numbers(m->table, m->columns[at]), NULL,
                            m->table->n_rows, part));
    CHECK(SCRATCH(ctx, &counts, bins->n));
    cairn_bins_count(counts, bins, &sample);
    cairn_figure_histogram(panel, NULL, bins->edges, counts, bins->n);
    return CAIRN_OK;
}

static cairn_status add_diagonal(cairn_context *ctx, matrix *m, cairn_figure *panel, size_t at)
{
    const cairn_column *column = m->table->slots[m->columns[at]].column;
    cairn_bin_options options = {.bins = m->p->bins};
    cairn_bins bins = {0};
    if (column->kind != CAIRN_LEVEL) {
        cairn_sample sample;
        CHECK(cairn_sample_make(ctx, &sample, cairn_table_numbers(m->table, m->columns[at]), NULL,
                                m->table->n_rows, (cairn_part){NULL, 0}));
        if (!sample.n) return CAIRN_OK;
        CHECK(cairn_bins_show(ctx, &bins, &options, &sample));
    }
    if (m->groups.n > 1) cairn_figure_stacked(panel);
    for (size_t g = 0; g < m->groups.n; g++) CHECK(add_part(ctx, m, panel, at, &bins, (int32_t)g));
    if (!m->groups.n) CHECK(add_part(ctx, m, panel, at, &bins, -1));
    cairn_figure_scales(panel, cairn_picture_scale(m->table, m->columns[at]), CAIRN_SCALE_LINEAR);
    return CAIRN_OK;
}

static cairn_status matrix_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    matrix m = {.table = job->table, .p = job->params};
    CHECK(choose(ctx, &m));
    CHECK(cairn_picture_groups(ctx, &m.groups, m.table, m.p->colour));
    CHECK(spread(ctx, &m));
    CHECK(cairn_picture_new(ctx, out, "scatter-matrix", m.table, "Every pair of columns"));
    for (size_t row = 0; row < m.n; row++)
        for (size_t at = 0; at < m.n; at++) {
            /* Names of columns stand at the left and at the bottom of the matrix. All panels
             * have one size: the one with the legend grows to the right of its plot. */
            cairn_figure *all = *out;
            cairn_figure *panel = NULL;
            cairn_status status;
            CHECK(cairn_figure_new(ctx, &panel, "panel", NULL));
            cairn_figure_size(panel, SIDE + (at == 0 ? 22 : 0), SIDE + (row + 1 == m.n ? 18 : 0));
            cairn_figure_axes(panel, row + 1 == m.n ? m.table->slots[m.columns[at]].name : NULL,
                              at == 0 ? m.table->slots[m.columns[row]].name : NULL);
            status =
                row == at ? add_diagonal(ctx, &m, panel, at) : add_pair(ctx, &m, panel, row, at);
            cairn_figure_panel(all, panel);
            CHECK(status);
        }
    cairn_figure_columns(*out, m.n);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_scatter_matrix = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "scatter-matrix",
                .also = "scatterplot matrix, SPLOM, pairs plot, pair plot",
                .title = "Every pair of columns",
                .summary =
                    "A grid of scatter plots, one for each pair of columns, with the histogram (or "
                    "the bars of the levels) of each column on the diagonal, coloured by the "
                    "target or by --colour. Numbers, times and levels are drawn; points of levels "
                    "are spread a little.",
                .references = "Chambers, Cleveland, Kleiner, Tukey: Graphical Methods for Data "
                              "Analysis, 1983",
                .example = "cairn draw scatter-matrix @iris --out iris.svg",
                .params = matrix_table,
                .params_size = sizeof(matrix_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = matrix_draw,
};
