/* SPDX-License-Identifier: MIT */
/* cairn describe: what a data file holds, column by column, or what a model is. */
#include "command/command.h"

#include "base/memory.h"
#include "parallel/parallel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct describe_options {
    cairn_common common;
    int rows;
} describe_options;

static const cairn_param describe_params[] = {
    CAIRN_PARAM(describe_options, rows, "5", "[0,inf)", "number of first rows to show"),
    CAIRN_ROLES(describe_options),
    CAIRN_READING(describe_options),
    CAIRN_RUNNING(describe_options),
    CAIRN_PRINTING(describe_options),
    CAIRN_PARAM_END,
};

enum { MOST_LEVELS = 12, MOST_FIRST_COLUMNS = 12 };

/* -- numbers -- */

typedef struct number_summary {
    size_t n; /* finite values */
    double mean, sd, quartile[5];
    bool distinct, whole; /* all different; all whole */
} number_summary;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Linear interpolation between the ordered values. */
static double quantile(const double *sorted, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* Mean and deviation in two passes, quartiles from a sorted copy. */
static cairn_status summarise(cairn_context *ctx, number_summary *out, const double *values,
                              size_t n_rows)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double *sorted, sum = 0, squares = 0;
    size_t n = 0;
    cairn_status status;
    *out = (number_summary){.mean = NAN, .sd = NAN, .distinct = true, .whole = true};
    for (int i = 0; i < 5; i++) out->quartile[i] = NAN;
    TRY(SCRATCH_RAW(ctx, &sorted, n_rows + 1));
    for (size_t i = 0; i < n_rows; i++)
        if (!isnan(values[i])) sorted[n++] = values[i];
    out->n = n;
    if (n == 0) goto done;
    for (size_t i = 0; i < n; i++) sum += sorted[i];
    out->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
    if (n > 1) out->sd = sqrt(squares / (double)(n - 1));
    qsort(sorted, n, sizeof *sorted, by_value);
    for (int i = 0; i < 5; i++) out->quartile[i] = quantile(sorted, n, i / 4.0);
    for (size_t i = 0; i < n; i++) {
        out->whole &= sorted[i] == floor(sorted[i]);
        if (i) out->distinct &= sorted[i] != sorted[i - 1];
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static void begin_numbers(cairn_report *report)
{
    static const char *const heads[] = {"n",  "missing", "mean", "sd", "min",
                                        "q1", "median",  "q3",   "max"};
    cairn_report_heading(report, 2, "Number columns");
    cairn_report_table_begin(report, NULL, (size_t)-1);
    cairn_report_column(report, "column", 'l');
    cairn_report_column(report, "role", 'l');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(report, heads[i], 'r');
}

static void number_row(cairn_report *report, const cairn_slot *slot, const number_summary *s)
{
    static const char *const names[] = {"min", "q1", "median", "q3", "max"};
    const char *key = cairn_report_key(report, slot->name);
    cairn_report_cell(report, slot->name);
    cairn_report_cell(report, cairn_role_name(slot->role));
    cairn_report_cell_number(report, (double)s->n, 0, "n.%s", key);
    cairn_report_cell_number(report, (double)slot->column->n_missing, 0, "missing.%s", key);
    cairn_report_cell_number(report, s->mean, 5, "mean.%s", key);
    cairn_report_cell_number(report, s->sd, 5, "sd.%s", key);
    for (int i = 0; i < 5; i++)
        cairn_report_cell_number(report, s->quartile[i], 5, "%s.%s", names[i], key);
}

static bool is_number(const cairn_slot *slot)
{
    return slot->column->kind == CAIRN_NUMBER || slot->column->kind == CAIRN_TIME;
}

/* A remark on a column that is of no use for learning, or none. */
static void warn_column(cairn_report *report, const cairn_slot *slot, bool constant, bool id_like)
{
    const cairn_column *column = slot->column;
    if (slot->role != CAIRN_FEATURE) return;
    if (column->n_missing == column->n_rows)
        cairn_report_note(report, "'%s' is missing in every row; --ignore it.", slot->name);
    else if (constant)
        cairn_report_note(report,
                          "'%s' has the same value in every row; nothing can be learned "
                          "from it.",
                          slot->name);
    else if (id_like)
        cairn_report_note(report,
                          "'%s' differs in every row, so it seems to name the rows; --id %s keeps "
                          "it from being learned from.",
                          slot->name, slot->name);
}

typedef struct summary_work {
    const cairn_table *table;
    number_summary *all; /* per column */
} summary_work;

static cairn_status summarise_column(cairn_context *ctx, void *data, size_t i)
{
    const summary_work *work = data;
    const cairn_slot *slot = &work->table->slots[i];
    cairn_status status = CAIRN_OK;
    if (!is_number(slot)) return CAIRN_OK;
    TRY(cairn_tick(ctx, "columns", (double)i, (double)work->table->n_columns));
    TRY(summarise(ctx, &work->all[i], slot->column->numbers, work->table->n_rows));
done:
    return status;
}

static cairn_status describe_numbers(cairn_command *c, const cairn_table *table)
{
    cairn_status status = CAIRN_OK;
    number_summary *all;
    size_t n = 0;
    TRY(SCRATCH(c->ctx, &all, table->n_columns + 1));
    summary_work work = {table, all};
    TRY(cairn_tasks(c->ctx, table->n_columns, summarise_column, &work));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (!is_number(slot)) continue;
        if (n++ == 0) begin_numbers(c->report);
        number_row(c->report, slot, &all[i]);
    }
    if (!n) goto done;
    cairn_report_table_end(c->report);
    cairn_report_paragraph(c->report, "sd divides by n - 1; quartiles are interpolated linearly.");
    for (size_t i = 0; i < table->n_columns; i++) {
        const number_summary *s = &all[i];
        if (!is_number(&table->slots[i])) continue;
        bool steps = s->whole && s->distinct && s->quartile[4] - s->quartile[0] == (double)s->n - 1;
        warn_column(c->report, &table->slots[i], s->n > 1 && s->quartile[0] == s->quartile[4],
                    s->n >= 10 && s->n == table->n_rows && steps);
    }
done:
    return status;
}

/* -- levels -- */

typedef struct level_count {
    size_t code, n;
} level_count;

/* Most frequent first, then by code. */
static int by_count(const void *a, const void *b)
{
    const level_count *x = a, *y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return x->code < y->code ? -1 : x->code > y->code;
}

static cairn_status count_levels(cairn_context *ctx, const cairn_column *column, level_count **out)
{
    cairn_status status;
    TRY(SCRATCH(ctx, out, column->names.n + 1));
    for (size_t i = 0; i < column->names.n; i++) (*out)[i].code = i;
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0) (*out)[column->codes[i]].n++;
    qsort(*out, column->names.n, sizeof **out, by_count);
done:
    return status;
}

/* "sunny 5, rainy 5, overcast 4" */
static cairn_status level_cell(cairn_command *c, const cairn_slot *slot, const level_count *counts)
{
    const cairn_map *names = &slot->column->names;
    cairn_text text = cairn_text_start(c->ctx);
    const char *key = cairn_report_key(c->report, slot->name);
    for (size_t i = 0; i < names->n; i++) {
        const char *level = cairn_map_key(names, counts[i].code);
        if (i < MOST_LEVELS) cairn_text_addf(&text, i ? ", %s %zu" : "%s %zu", level, counts[i].n);
        if (i < 200)
            cairn_report_hidden(c->report, (double)counts[i].n, "count.%s.%s", key,
                                cairn_report_key(c->report, level));
    }
    if (names->n > MOST_LEVELS) cairn_text_addf(&text, " and %zu more", names->n - MOST_LEVELS);
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK) cairn_report_cell(c->report, cairn_text_string(&text));
    cairn_text_clear(&text);
    return status;
}

static cairn_status level_row(cairn_command *c, const cairn_slot *slot, const level_count *counts)
{
    const cairn_column *column = slot->column;
    const char *key = cairn_report_key(c->report, slot->name);
    cairn_report_cell(c->report, slot->name);
    cairn_report_cell(c->report, cairn_role_name(slot->role));
    cairn_report_cell_number(c->report, (double)(column->n_rows - column->n_missing), 0, "n.%s",
                             key);
    cairn_report_cell_number(c->report, (double)column->n_missing, 0, "missing.%s", key);
    cairn_report_cell_number(c->report, (double)column->names.n, 0, "levels.%s", key);
    return level_cell(c, slot, counts);
}

static cairn_status describe_levels(cairn_command *c, const cairn_table *table)
{
    static const char *const heads[] = {"n", "missing", "levels"};
    cairn_status status = CAIRN_OK;
    level_count **counts;
    size_t n = 0;
    TRY(SCRATCH(c->ctx, &counts, table->n_columns + 1));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->column->kind != CAIRN_LEVEL) continue;
        if (n++ == 0) {
            cairn_report_heading(c->report, 2, "Level columns");
            cairn_report_table_begin(c->report, NULL, (size_t)-1);
            cairn_report_column(c->report, "column", 'l');
            cairn_report_column(c->report, "role", 'l');
            for (size_t h = 0; h < 3; h++) cairn_report_column(c->report, heads[h], 'r');
            cairn_report_column(c->report, "counts", 'l');
        }
        TRY(count_levels(c->ctx, slot->column, &counts[i]));
        TRY(level_row(c, slot, counts[i]));
    }
    if (!n) goto done;
    cairn_report_table_end(c->report);
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_column *column = table->slots[i].column;
        if (column->kind != CAIRN_LEVEL || !column->names.n) continue;
        size_t there = column->n_rows - column->n_missing;
        bool constant = there > 1 && counts[i][0].n == there;
        bool each = there >= 10 && there == column->n_rows && counts[i][0].n == 1;
        warn_column(c->report, &table->slots[i], constant, each);
    }
done:
    return status;
}

/* -- the rest -- */

static void describe_others(cairn_report *report, const cairn_table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        const char *key = cairn_report_key(report, slot->name);
        if (is_number(slot) || slot->column->kind == CAIRN_LEVEL) continue;
        if (n++ == 0) {
            cairn_report_heading(report, 2, "Other columns");
            cairn_report_table_begin(report, NULL, (size_t)-1);
            cairn_report_column(report, "column", 'l');
            cairn_report_column(report, "role", 'l');
            cairn_report_column(report, "kind", 'l');
            cairn_report_column(report, "n", 'r');
            cairn_report_column(report, "missing", 'r');
            cairn_report_column(report, "items", 'r');
        }
        cairn_report_cell(report, slot->name);
        cairn_report_cell(report, cairn_role_name(slot->role));
        cairn_report_cell(report, cairn_kind_name(slot->column->kind));
        cairn_report_cell_number(report, (double)(slot->column->n_rows - slot->column->n_missing),
                                 0, "n.%s", key);
        cairn_report_cell_number(report, (double)slot->column->n_missing, 0, "missing.%s", key);
        if (slot->column->kind == CAIRN_TEXT)
            cairn_report_cell(report, "");
        else
            cairn_report_cell_number(report, (double)slot->column->names.n, 0, "items.%s", key);
    }
    if (n) cairn_report_table_end(report);
}

static void first_rows(cairn_report *report, const cairn_table *table, size_t wanted)
{
    size_t columns = table->n_columns < MOST_FIRST_COLUMNS ? table->n_columns : MOST_FIRST_COLUMNS;
    size_t rows = table->n_rows < wanted ? table->n_rows : wanted;
    char text[64];
    if (!rows || !columns) return;
    cairn_report_heading(report, 2, "First rows");
    cairn_report_table_begin(report, NULL, (size_t)-1);
    for (size_t i = 0; i < columns; i++)
        cairn_report_column(report, table->slots[i].name, is_number(&table->slots[i]) ? 'r' : 'l');
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < columns; i++) {
            cairn_table_cell(table, i, row, text, sizeof text);
            cairn_report_cell(report, text);
        }
    cairn_report_table_end(report);
    if (columns < table->n_columns)
        cairn_report_paragraph(report, "%zu more column%s not shown.", table->n_columns - columns,
                               table->n_columns - columns == 1 ? " is" : "s are");
}

static void head(cairn_report *report, const cairn_table *table, const char *name)
{
    double missing = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        missing += (double)table->slots[i].column->n_missing;
    cairn_report_heading(report, 1, "%s", name);
    cairn_report_value(report, "rows", (double)table->n_rows, "rows");
    cairn_report_value(report, "columns", (double)table->n_columns, "columns");
    cairn_report_value(report, "missing cells", missing, "missing");
}

static cairn_status describe_data(cairn_command *c)
{
    const describe_options *options = c->options->values;
    cairn_table *table = NULL;
    cairn_status status;
    TRY(cairn_command_table(c, &table, c->words[0]));
    head(c->report, table, c->words[0]);
    TRY(describe_numbers(c, table));
    TRY(describe_levels(c, table));
    describe_others(c->report, table);
    first_rows(c->report, table, (size_t)options->rows);
done:
    cairn_table_free(table);
    return status;
}

/* -- models -- */

static void schema_table(cairn_report *report, const cairn_schema *schema)
{
    cairn_report_heading(report, 2, "Columns it was trained on");
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_column(report, "column", 'l');
    cairn_report_column(report, "role", 'l');
    cairn_report_column(report, "kind", 'l');
    cairn_report_column(report, "levels", 'r');
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        cairn_report_cell(report, field->name);
        cairn_report_cell(report, cairn_role_name((cairn_role)field->role));
        cairn_report_cell(report, cairn_kind_name((cairn_kind)field->kind));
        if (field->kind == CAIRN_LEVEL)
            cairn_report_cellf(report, "%zu", field->names.n);
        else
            cairn_report_cell(report, "");
    }
    cairn_report_table_end(report);
}

static cairn_status describe_model(cairn_command *c)
{
    cairn_model *model = NULL;
    char hash[32];
    cairn_status status;
    TRY(cairn_command_load(c, &model, c->words[0]));
    cairn_report_heading(c->report, 1, "%s %s", model->learner ? "Model" : "Recipe", c->words[0]);
    cairn_model_run_card(c->report, model);
    if (model->command && *model->command)
        cairn_report_word(c->report, "command", model->command, "model.command");
    snprintf(hash, sizeof hash, "%016" PRIx64, model->data_hash);
    cairn_report_word(c->report, "hash of the data", hash, "model.data_hash");
    schema_table(c->report, &model->schema);
    TRY(cairn_model_describe(c->ctx, c->report, model));
done:
    cairn_model_free(model);
    return status;
}

static cairn_status describe_run(cairn_command *c)
{
    return cairn_command_is_model(c, c->words[0]) ? describe_model(c) : describe_data(c);
}

const cairn_verb cairn_verb_describe = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "describe",
              .title = "What a data file or a model holds",
              .summary =
                  "For a data file: rows, columns with their kinds and roles, missing cells, the "
                  "usual statistics of number columns, the counts of levels, and warnings about "
                  "columns that say nothing or only name the rows. For a model: how and from what "
                  "it was made, the columns it needs, and what it learned.",
              .example = "cairn describe @iris",
              .params = describe_params,
              .params_size = sizeof(describe_options)},
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .run = describe_run,
};
