/* SPDX-License-Identifier: MIT */
/* What the functions of a program's own records see of a job, and how they show their work: see
 * cairn/plugin.h. */
#include "cairn/plugin.h"
#include "model/own.h"
#include <math.h>
#include <string.h>

/* -- the job -- */

const void *cairn_job_settings(const cairn_job *job)
{
    return job->params;
}

cairn_task cairn_job_task(const cairn_job *job)
{
    return job->task;
}

size_t cairn_job_rows(const cairn_job *job)
{
    return job->view ? job->view->rows.n : 0;
}

size_t cairn_job_columns(const cairn_job *job)
{
    size_t n = 0;
    if (job->view) return job->view->n_features;
    for (size_t at = 0; job->schema && cairn_schema_next_feature(job->schema, &at);) n++;
    return n;
}

/* The field of a feature where there are no rows; NULL = there are fewer. */
static const cairn_field *field_of(const cairn_job *job, size_t column)
{
    return job->schema ? cairn_schema_feature(job->schema, column) : NULL;
}

/* The feature itself where there are rows; NULL = there are fewer, or none. */
static const cairn_column *feature_of(const cairn_job *job, size_t column)
{
    return job->view && column < job->view->n_features ? job->view->features[column] : NULL;
}

const char *cairn_job_column(const cairn_job *job, size_t column)
{
    if (feature_of(job, column)) return job->view->names[column];
    const cairn_field *field = job->view ? NULL : field_of(job, column);
    return field ? field->name : NULL;
}

cairn_kind cairn_job_kind(const cairn_job *job, size_t column)
{
    const cairn_column *feature = feature_of(job, column);
    if (feature) return feature->kind;
    const cairn_field *field = job->view ? NULL : field_of(job, column);
    return field ? (cairn_kind)field->kind : CAIRN_NUMBER;
}

/* The names of a feature's levels; NULL = it has none. */
static const cairn_map *levels_of(const cairn_job *job, size_t column)
{
    if (cairn_job_kind(job, column) != CAIRN_LEVEL) return NULL;
    const cairn_column *feature = feature_of(job, column);
    return feature ? &feature->names : &field_of(job, column)->names;
}

size_t cairn_job_level_count(const cairn_job *job, size_t column)
{
    const cairn_map *levels = levels_of(job, column);
    return levels ? levels->n : 0;
}

const char *cairn_job_level(const cairn_job *job, size_t column, size_t code)
{
    const cairn_map *levels = levels_of(job, column);
    return levels && code < levels->n ? cairn_map_key(levels, code) : NULL;
}

size_t cairn_job_class_count(const cairn_job *job)
{
    return job->n_classes;
}

const char *cairn_job_class(const cairn_job *job, size_t code)
{
    if (!job->schema || code >= job->n_classes) return NULL;
    return cairn_schema_class(job->schema, (int32_t)code);
}

int32_t cairn_job_positive(const cairn_job *job)
{
    return job->n_classes == 2 ? job->positive : -1;
}

cairn_report *cairn_job_steps(const cairn_job *job)
{
    return job->steps;
}

/* -- its rows -- */

/* How many of the rows from `first` on there are, at most n. */
static size_t rows_there(const cairn_job *job, size_t first, size_t n)
{
    size_t all = cairn_job_rows(job);
    return first >= all ? 0 : n < all - first ? n : all - first;
}

/* One feature of those rows into every `width`-th place. */
static void read_feature(const cairn_view *view, size_t j, size_t first, size_t n, double *out)
{
    const cairn_column *feature = view->features[j];
    size_t width = view->n_features;
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, first + i);
        double value = NAN;
        if (feature->kind == CAIRN_LEVEL)
            value = feature->codes[row] < 0 ? NAN : feature->codes[row];
        else if (feature->numbers)
            value = feature->numbers[row];
        out[i * width + j] = value;
    }
}

void cairn_job_read(const cairn_job *job, size_t first, size_t n, double *out)
{
    enum { ROWS = 64 }; /* at a time, so that what is written stays in the cache */
    size_t width = cairn_job_columns(job), there = rows_there(job, first, n);
    for (size_t i = there * width; i < n * width; i++) out[i] = NAN;
    for (size_t begin = 0; begin < there; begin += ROWS) {
        size_t some = there - begin < ROWS ? there - begin : ROWS;
        for (size_t j = 0; j < width; j++)
            read_feature(job->view, j, first + begin, some, out + begin * width);
    }
}

void cairn_job_target_codes(const cairn_job *job, size_t first, size_t n, int32_t *out)
{
    const cairn_column *target = job->view ? job->view->target : NULL;
    size_t there = target && target->kind == CAIRN_LEVEL ? rows_there(job, first, n) : 0;
    if (there) cairn_view_target_codes(job->view, first, there, out);
    for (size_t i = there; i < n; i++) out[i] = -1;
}

void cairn_job_target_numbers(const cairn_job *job, size_t first, size_t n, double *out)
{
    const cairn_column *target = job->view ? job->view->target : NULL;
    size_t there = target && target->numbers ? rows_there(job, first, n) : 0;
    if (there) cairn_view_target_numbers(job->view, first, there, out);
    for (size_t i = there; i < n; i++) out[i] = NAN;
}

void cairn_job_weights(const cairn_job *job, size_t first, size_t n, double *out)
{
    size_t there = rows_there(job, first, n);
    if (there) cairn_view_weights(job->view, first, there, out);
    for (size_t i = there; i < n; i++) out[i] = NAN;
}

const cairn_table *cairn_job_table(const cairn_job *job)
{
    return job->view ? job->view->table : NULL;
}

size_t cairn_job_row(const cairn_job *job, size_t i)
{
    return i < cairn_job_rows(job) ? cairn_view_row(job->view, i) : 0;
}

ptrdiff_t cairn_job_place(const cairn_job *job, size_t column)
{
    return feature_of(job, column) ? cairn_table_find(job->view->table, job->view->names[column])
                                   : -1;
}

/* -- reports -- */

void cairn_show_heading(cairn_report *report, int level, const char *text)
{
    int most = level > 4 ? 4 : level;
    if (report) cairn_report_heading(report, most < 1 ? 1 : most, "%s", text);
}

void cairn_show_paragraph(cairn_report *report, const char *text)
{
    if (report) cairn_report_paragraph(report, "%s", text);
}

void cairn_show_formula(cairn_report *report, const char *text)
{
    if (report) cairn_report_formula(report, "%s", text);
}

void cairn_show_number(cairn_report *report, const char *label, double value, const char *name)
{
    if (!report) return;
    if (name)
        cairn_report_value(report, label, value, "%s", name);
    else
        cairn_report_value(report, label, value, NULL);
}

void cairn_show_word(cairn_report *report, const char *label, const char *word, const char *name)
{
    if (!report) return;
    if (name)
        cairn_report_word(report, label, word, "%s", name);
    else
        cairn_report_word(report, label, word, NULL);
}

/* A cell of a table that is shown, with its dotted name where the table has one. */
static void show_cell(cairn_report *report, const cairn_table *table, size_t j, size_t i,
                      const char *name)
{
    char cell[256];
    const double *numbers = cairn_table_numbers(table, j);
    bool plain = numbers && cairn_table_kind(table, j) == CAIRN_NUMBER;
    const char *key = name ? cairn_report_key(report, cairn_table_name(table, j)) : NULL;
    (void)cairn_table_cell(table, j, i, cell, sizeof cell);
    if (plain && name)
        cairn_report_cell_number(report, numbers[i], 0, "%s.%zu.%s", name, i + 1, key);
    else if (plain)
        cairn_report_cell_number(report, numbers[i], 0, NULL);
    else if (name)
        cairn_report_cell_word(report, cell, "%s.%zu.%s", name, i + 1, key);
    else
        cairn_report_cell(report, cell);
}

void cairn_show_table(cairn_report *report, const char *title, const cairn_table *table,
                      const char *name)
{
    enum { SHOWN = 50 };
    size_t n_columns = cairn_table_columns(table);
    if (!report || n_columns == 0) return;
    cairn_report_table_begin(report, title, SHOWN);
    for (size_t j = 0; j < n_columns; j++)
        cairn_report_column(report, cairn_table_name(table, j),
                            cairn_table_kind(table, j) == CAIRN_NUMBER ? 'r' : 'l');
    for (size_t i = 0; i < cairn_table_rows(table); i++)
        for (size_t j = 0; j < n_columns; j++) show_cell(report, table, j, i, name);
    cairn_report_table_end(report);
}
