/* SPDX-License-Identifier: MIT */
/* cairn compute contingency: what a table of counts, typed or made of two level columns, says about
 * how rows and columns go together. */
#include "data/shape.h"
#include "model/calculator.h"
#include "typed/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"
#include "stats/contingency.h"

#include <math.h>
#include <stdio.h>

typedef struct contingency_params {
    const char *rows, *columns;
    cairn_list table;
    double mark;
} contingency_params;

static const cairn_param contingency_table[] = {
    CAIRN_PARAM_CELLS(contingency_params, table, COUNTS, NULL, NULL,
                      "counts: rows separated by semicolons, cells by commas, such as 3,2;4,0"),
    CAIRN_PARAM_AS(contingency_params, rows, CAIRN_TYPE_COLUMNS, NULL,
                   "level column of DATA for the rows; the first feature if not given"),
    CAIRN_PARAM_AS(contingency_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "level column of DATA for the columns; the target if not given"),
    CAIRN_PARAM(contingency_params, mark, "50", "[0,inf)",
                "mark cells whose relative Quetelet index is at least so many per cent, up or "
                "down"),
    CAIRN_PARAM_END,
};

/* A table with the names of its rows and columns; NULL = numbers. */
typedef struct named_table {
    cairn_contingency t;
    const char *const *rows, *const *columns;
    const char *row_title, *column_title;
} named_table;

static void begin_table(cairn_report *out, const named_table *n, const char *title)
{
    char head[CAIRN_NUMBER_SIZE + 8];
    cairn_report_table_of(out, title, 100, "l", n->row_title);
    for (size_t j = 0; j < n->t.n_columns; j++) {
        snprintf(head, sizeof head, "%zu", j + 1);
        cairn_report_column(out, n->columns ? n->columns[j] : head, 'r');
    }
}

static void row_name(cairn_report *out, const named_table *n, size_t i)
{
    if (n->rows)
        cairn_report_cell(out, n->rows[i]);
    else
        cairn_report_cellf(out, "%zu", i + 1);
}

/* Counts, or shares of the total, with their margins. */
static void show_counts(cairn_report *out, const named_table *n, double unit, const char *title,
                        const char *name)
{
    const cairn_contingency *t = &n->t;
    begin_table(out, n, title);
    cairn_report_column(out, "total", 'r');
    for (size_t i = 0; i < t->n_rows; i++) {
        row_name(out, n, i);
        for (size_t j = 0; j < t->n_columns; j++)
            cairn_report_cell_number(out, t->cells[i * t->n_columns + j] / unit, 0, "%s.%zu.%zu",
                                     name, i + 1, j + 1);
        cairn_report_cell_number(out, t->row_totals[i] / unit, 0, "%s.%zu.total", name, i + 1);
    }
    cairn_report_cell(out, "total");
    for (size_t j = 0; j < t->n_columns; j++)
        cairn_report_cell_number(out, t->column_totals[j] / unit, 0, "%s.total.%zu", name, j + 1);
    cairn_report_cell_number(out, t->total / unit, 0, "%s.total", name);
}

static void show_expected(cairn_report *out, const named_table *n)
{
    const cairn_contingency *t = &n->t;
    begin_table(out, n,
                "Expected if rows and columns were independent: row total × column total "
                "/ N");
    for (size_t i = 0; i < t->n_rows; i++) {
        row_name(out, n, i);
        for (size_t j = 0; j < t->n_columns; j++)
            cairn_report_cell_number(out, cairn_contingency_expected(t, i, j), 0,
                                     "expected.%zu.%zu", i + 1, j + 1);
    }
}

static void show_contributions(cairn_report *out, const named_table *n)
{
    const cairn_contingency *t = &n->t;
    begin_table(out, n, "Parts of chi-squared: (observed − expected)² / expected");
    for (size_t i = 0; i < t->n_rows; i++) {
        row_name(out, n, i);
        for (size_t j = 0; j < t->n_columns; j++) {
            double e = cairn_contingency_expected(t, i, j), o = t->cells[i * t->n_columns + j];
            cairn_report_cell_number(out, e > 0 ? (o - e) * (o - e) / e : NAN, 0,
                                     "contribution.%zu.%zu", i + 1, j + 1);
        }
    }
}

/* Per cent with a mark where the change is big: the values keep their names. */
static void show_relative(cairn_report *out, const named_table *n, double mark)
{
    const cairn_contingency *t = &n->t;
    begin_table(out, n, "Relative Quetelet index in per cent: P(column | row) / P(column) − 1");
    for (size_t i = 0; i < t->n_rows; i++) {
        row_name(out, n, i);
        for (size_t j = 0; j < t->n_columns; j++) {
            double q = cairn_quetelet_relative(t, i, j);
            char text[CAIRN_NUMBER_SIZE];
            cairn_number_fixed(text, 100 * q, 1);
            cairn_report_hidden(out, q, "quetelet.%zu.%zu", i + 1, j + 1);
            if (isnan(q))
                cairn_report_cell(out, "n/a");
            else
                cairn_report_cellf(out, "%s%s%%%s", q > 0 ? "+" : "", text,
                                   100 * fabs(q) < mark ? "  "
                                   : q > 0              ? " ▲"
                                                        : " ▼");
        }
    }
}

/* The approximation of chi-squared is poor where cells are expected to hold few; more than a
 * fifth of such cells is told. */
static void show_numbers(cairn_report *out, const cairn_contingency *t)
{
    cairn_report_formula(out, "χ² = Σ (observed − expected)² / expected");
    cairn_report_value(out, "N", t->total, "n");
    cairn_report_value(out, "chi-squared", t->chi_squared, "chi_squared");
    cairn_report_value(out, "degrees of freedom", (double)t->degrees, "degrees");
    cairn_report_value(out, "p-value", t->p_value, "p_value");
    cairn_report_value(out, "χ²/N, average relative index", t->share, "chi_squared_share");
    cairn_report_value(out, "Gini reduction, average absolute", t->gini_reduction,
                       "gini_reduction");
    cairn_report_value(out, "Cramér's V", t->cramer_v, "cramer_v");
    cairn_report_value(out, "least expected count", t->least_expected, "least_expected");
    cairn_report_hidden(out, (double)t->n_small_expected, "small_expected");
    if (t->n_small_expected * 5 > t->n_cells)
        cairn_report_note(out,
                          "%zu of %zu cells are expected to hold fewer than 5: the p-value is "
                          "only rough.",
                          t->n_small_expected, t->n_cells);
}

/* The first cells of the table with their numbers put in, then the sum. */
static void show_work(cairn_report *out, const named_table *n)
{
    enum { MOST_WORKED = 12 };
    const cairn_contingency *t = &n->t;
    size_t shown = 0;
    cairn_report_step_begin(out, "Parts of chi-squared, cell by cell");
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t j = 0; j < t->n_columns && shown < MOST_WORKED; j++) {
            double e = cairn_contingency_expected(t, i, j), o = t->cells[i * t->n_columns + j];
            if (!(e > 0)) continue;
            shown++;
            cairn_report_worked(out, NULL,
                                "cell (#, #): expected # · # / # = #, part (# − #)² / # = #",
                                (double)i + 1, (double)j + 1, t->row_totals[i], t->column_totals[j],
                                t->total, e, o, e, e, (o - e) * (o - e) / e);
        }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "What is made of the sum");
    cairn_report_worked(out, "χ²", "sum of the parts = #", t->chi_squared);
    cairn_report_worked(out, "degrees of freedom", "(rows − 1) · (columns − 1) = #",
                        (double)t->degrees);
    cairn_report_worked(out, "p", "P(χ² > #) = #", t->chi_squared, t->p_value);
    cairn_report_worked(out, "χ² / N", "# / # = #", t->chi_squared, t->total, t->share);
    if (t->cramer_v > 0)
        cairn_report_worked(out, "Cramér's V", "√(χ² / (N · (smaller side − 1))) = √(# / #) = #",
                            t->chi_squared, t->chi_squared / (t->cramer_v * t->cramer_v),
                            t->cramer_v);
    cairn_report_step_end(out);
}

static void show_table(cairn_report *out, const named_table *n, double mark)
{
    char text[CAIRN_NUMBER_SIZE];
    show_counts(out, n, 1, "Counts", "count");
    show_counts(out, n, n->t.total, "Shares of N", "share");
    show_expected(out, n);
    show_contributions(out, n);
    show_numbers(out, &n->t);
    cairn_number_format(text, mark, 6);
    show_relative(out, n, mark);
    cairn_report_paragraph(out,
                           "▲ and ▼ mark changes by %s%% and more. Averaged over the table "
                           "with the shares, the relative index is χ² / N and the absolute "
                           "one the Gini reduction.",
                           text);
    const cairn_contingency *t = &n->t;
    begin_table(out, n, "Absolute Quetelet index: P(column | row) − P(column)");
    for (size_t i = 0; i < t->n_rows; i++) {
        row_name(out, n, i);
        for (size_t j = 0; j < t->n_columns; j++)
            cairn_report_cell_number(out, cairn_quetelet_absolute(t, i, j), 0,
                                     "quetelet_absolute.%zu.%zu", i + 1, j + 1);
    }
}

/* -- from two columns -- */

static cairn_status level_column(cairn_context *ctx, size_t *out, const cairn_table *table,
                                 const char *option, const char *name, ptrdiff_t preset)
{
    if (name)
        CHECK(cairn_table_get(ctx, table, name, out));
    else if (preset >= 0)
        *out = (size_t)preset;
    else
        return cairn_fail(ctx, CAIRN_USAGE, "name the level column of the %s with {%s}", option,
                          option);
    const char *found = table->slots[*out].name;
    if (table->slots[*out].column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: '%s' holds no levels; {kinds \"%s=level\"} takes its values as "
                          "levels",
                          option, found, found);
    return CAIRN_OK;
}

/* The first column of levels behind another (-1 = of all). */
static ptrdiff_t next_levels(const cairn_table *table, ptrdiff_t before)
{
    for (size_t i = (size_t)(before + 1); i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE && table->slots[i].column->kind == CAIRN_LEVEL)
            return (ptrdiff_t)i;
    return -1;
}

/* Whether the table has no second column to count by, and besides names of its rows nothing but
 * counts: two columns or more of whole numbers from 0 on. */
static bool seems_counts(const cairn_table *table)
{
    ptrdiff_t first = next_levels(table, -1);
    size_t n = 0;
    if (cairn_table_role_column(table, CAIRN_TARGET) >= 0) return false;
    if (first >= 0 && next_levels(table, first) >= 0) return false;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        const double *numbers = cairn_table_numbers(table, j);
        if (slot->role != CAIRN_FEATURE || (ptrdiff_t)j == first) continue;
        if (!numbers) return false;
        for (size_t i = 0; i < table->n_rows; i++)
            if (!(numbers[i] >= 0) || numbers[i] != floor(numbers[i])) return false;
        n++;
    }
    return n > 1;
}

static cairn_status names_of(cairn_context *ctx, const char *const **out, const cairn_map *map)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, map->n + 1));
    for (size_t i = 0; i < map->n; i++) names[i] = cairn_map_key(map, i);
    *out = names;
    return CAIRN_OK;
}

/* Rows where one of the two is missing are in no cell; a table too large for memory is refused
 * by its size. */
static cairn_status of_columns(cairn_context *ctx, named_table *out, const cairn_table *table,
                               const contingency_params *p)
{
    cairn_view view;
    double *cells;
    size_t a, b;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET), first = next_levels(table, -1);
    CHECK(level_column(ctx, &a, table, "rows", p->rows, first));
    CHECK(level_column(ctx, &b, table, "columns", p->columns,
                       target >= 0 ? target : next_levels(table, (ptrdiff_t)a)));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    const cairn_column *rows = table->slots[a].column, *columns = table->slots[b].column;
    size_t width = columns->names.n;
    CHECK(cairn_memory_check(ctx, (double)rows->names.n * (double)width * sizeof(double),
                             "the table of counts", "choose columns with fewer levels"));
    CHECK(SCRATCH(ctx, &cells, cairn_product(rows->names.n, width)));
    for (size_t i = 0; i < table->n_rows; i++)
        if (rows->codes[i] >= 0 && columns->codes[i] >= 0)
            cells[(size_t)rows->codes[i] * width + (size_t)columns->codes[i]] +=
                cairn_view_weight(&view, i);
    CHECK(names_of(ctx, &out->rows, &rows->names));
    CHECK(names_of(ctx, &out->columns, &columns->names));
    out->row_title = table->slots[a].name;
    out->column_title = table->slots[b].name;
    return cairn_contingency_make(ctx, &out->t, cells, rows->names.n, width);
}

/* A table that is of counts already. */
static cairn_status of_counts(cairn_context *ctx, named_table *out, const cairn_table *table)
{
    cairn_named_matrix m;
    CHECK(cairn_named_matrix_read(ctx, &m, table));
    out->rows = m.rows;
    out->columns = m.columns;
    out->row_title = m.row_title;
    out->column_title = "columns";
    return cairn_contingency_make(ctx, &out->t, m.values, m.n, m.m);
}

/* Typed counts or two columns of a table, never both. */
static cairn_status contingency_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    const contingency_params *p = job->params;
    named_table n = {.row_title = "row"};
    if (job->table && p->table.text)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute contingency' takes either {table} or DATA");
    if (job->table) {
        bool open = !p->rows && !p->columns;
        bool counts = open && job->table->shape == CAIRN_SHAPE_COUNTS;
        if (open && !counts && seems_counts(job->table)) {
            cairn_warn(ctx,
                       "the numbers are taken as counts of a table, since there are no two columns "
                       "of levels; {as counts} says so, {rows} and {columns} name columns");
            counts = true;
        }
        CHECK(counts ? of_counts(ctx, &n, job->table) : of_columns(ctx, &n, job->table, p));
        cairn_report_heading(out, 1, "%s against %s", n.row_title, n.column_title);
    } else if (p->table.text) {
        CHECK(cairn_contingency_make(ctx, &n.t, p->table.values, p->table.rows, p->table.columns));
        cairn_report_heading(out, 1, "A table of counts");
    } else {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute contingency' needs {table}, or DATA with {rows} and {columns}");
    }
    show_table(out, &n, p->mark);
    if (job->steps) show_work(out, &n);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_contingency = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "contingency",
              .also = "chi-square test, cross table, crosstab, odds ratio, Cramer V, independence, "
                      "mutual information of a table",
              .about = "measuring correlation for classification trees, chi-squared, chisq.test, "
                       "table, Quetelet index",
              .title = "Statistics of a contingency table",
              .summary =
                  "For a typed table of counts or two level columns: margins and shares, expected "
                  "counts, chi-squared with its parts, degrees of freedom and p-value, chi-squared "
                  "/ N, Cramér's V, and Quetelet's indices, relative and absolute, per cell and "
                  "averaged, with big changes marked. Zero cells are fine; empty rows and columns "
                  "do not count.",
              .references = "Pearson, 1900; Quetelet, 1832; Mirkin: Eleven Ways to Look at the "
                            "Chi-Squared Coefficient for Contingency Tables, 2001",
              .example = "cairn compute contingency --table '20,5;10,15'",
              .params = contingency_table,
              .params_size = sizeof(contingency_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = contingency_run,
};
