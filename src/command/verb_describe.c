/* SPDX-License-Identifier: MIT */
/* cairn describe: what a data file holds, column by column, or what a model is. */
#include "cairn/learned.h"
#include "command/answers.h"
#include "command/describe.h"
#include "base/memory.h"
#include "data/target_labels.h"
#include "model/task.h"
#include "report/table_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const cairn_choice correlation_choices[] = {
    {"pearson", CAIRN_PEARSON, "of the values"},
    {"spearman", CAIRN_SPEARMAN, "of their ranks"},
    {"both", CAIRN_BOTH_CORRELATIONS, "one after the other"},
    {NULL, 0, NULL},
};

static const cairn_param describe_params[] = {
    CAIRN_PARAM(cairn_describe_how, show, "default", NULL,
                "sections of a data file, separated by commas: columns, figures, checks, "
                "statistics, shape, levels, target, correlation, covariance, pairs, rows, all; the "
                "default is all but covariance",
                .often = true),
    CAIRN_PARAM_AS(cairn_describe_how, by, CAIRN_TYPE_COLUMNS, NULL,
                   "statistics for each level of this column as well; target = the target",
                   .often = true),
    CAIRN_PARAM_AS(cairn_describe_how, against, CAIRN_TYPE_FILE, NULL,
                   "another data file: whether its columns have the same distributions"),
    CAIRN_PARAM_CHOICE(cairn_describe_how, divisor, "n-1", cairn_divisors,
                       "what variances, deviations and covariances divide by"),
    CAIRN_PARAM_CHOICE(cairn_describe_how, quantile, "linear", cairn_quantile_rules,
                       "how quantiles are read between the values"),
    CAIRN_PARAM_CHOICE(cairn_describe_how, correlation, "pearson", correlation_choices,
                       "correlation of number columns"),
    CAIRN_PARAM(cairn_describe_how, label_mark, NULL, NULL,
                "what stands between the labels of a target with several in one cell, such as ';': "
                "the labels are counted one by one"),
    CAIRN_PARAM(cairn_describe_how, columns, "100", "[0,inf)",
                "most columns that a table lists; 0 = all"),
    CAIRN_PARAM(cairn_describe_how, figures, "24", "[0,1000]",
                "most columns that are drawn on pages"),
    CAIRN_PARAM(cairn_describe_how, rows, "5", "[0,inf)", "number of first rows to show"),
    CAIRN_ROLES(cairn_describe_how),
    CAIRN_READING(cairn_describe_how),
    CAIRN_LONG_FORM(cairn_describe_how),
    CAIRN_RUNNING(cairn_describe_how),
    CAIRN_PRINTING(cairn_describe_how),
    CAIRN_PARAM_END,
};

enum { MOST_FIRST_COLUMNS = 12, LEAST_OF_CHECKS = 13 };

static bool is_number(const cairn_slot *slot)
{
    return slot->column->kind == CAIRN_NUMBER || slot->column->kind == CAIRN_TIME;
}

/* A few rows tell more about a file than statistics do; wide tables show their first columns. */
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
    if (columns < table->n_columns)
        cairn_report_paragraph(report, "%zu more column%s not shown.", table->n_columns - columns,
                               table->n_columns - columns == 1 ? " is" : "s are");
}

/* Whether the reader decided that the first line holds no names: only then a cell is read there. */
static bool has_made_up_names(const cairn_describing *d)
{
    char name[32];
    if (d->options->common.reading.header >= 0) return false;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        snprintf(name, sizeof name, "column%zu", i + 1);
        if (strcmp(d->table->slots[i].name, name) != 0) return false;
    }
    return d->table->n_columns > 0;
}

static void head(cairn_describing *d)
{
    double missing = 0;
    unsigned lengths = CAIRN_IN_BOTH;
    for (size_t i = 0; i < d->table->n_columns; i++)
        missing += (double)d->table->slots[i].column->n_missing;
    if (!cairn_params_is_set(d->command->options, "show")) lengths = CAIRN_IN_FULL;
    unsigned before = cairn_report_only(d->report, lengths);
    cairn_report_value(d->report, "rows", (double)d->table->n_rows, "rows");
    cairn_report_value(d->report, "columns", (double)d->table->n_columns, "columns");
    cairn_report_value(d->report, "missing cells", missing, "missing");
    if (has_made_up_names(d))
        cairn_report_word(d->report, "header", "none: the first line is taken as data", "header");
    if (d->target >= 0)
        cairn_report_word(d->report, "target", d->table->slots[d->target].name, "target");
    double total = 0;
    for (size_t i = 0; d->weights && i < d->table->n_rows; i++) total += d->weights[i];
    if (d->weights) cairn_report_value(d->report, "sum of weights", total, "weight");
    cairn_report_for(d->report, before);
}

/* --label-mark: the cells of the target are cut as 'fit' cuts them, in a copy of the table. */
static cairn_status describe_labels(cairn_describing *d)
{
    OWNED(cairn_table_free) cairn_table *labelled = NULL;
    const char *mark = d->options->label_mark;
    size_t n = cairn_table_role_count(d->table, CAIRN_TARGET);
    if (!mark) return CAIRN_OK;
    if (n != 1)
        return cairn_fail(d->ctx, CAIRN_USAGE,
                          "--label-mark cuts the cells of one target, and there %s; name one with "
                          "--target",
                          n ? "are several" : "is none");
    const char *name = d->table->slots[d->target].name;
    CHECK(cairn_table_share(d->ctx, &labelled, d->table));
    CHECK(cairn_labels_split(d->ctx, labelled, (size_t)d->target, mark, NULL, NULL));
    cairn_report_heading(d->report, 2, "Labels of '%s'", name);
    /* One line for each label of a target with several in a cell: how many rows have it. */
    double rows = 0, labels = 0;
    for (size_t r = 0; r < d->table->n_rows; r++)
        if (!cairn_column_is_missing(d->table->slots[d->target].column, r))
            rows += d->weights ? d->weights[r] : 1;
    cairn_report_table_of(d->report, NULL, 0, "lrr", "label", "rows", "share of the rows");
    for (size_t i = 0; i < labelled->n_columns; i++) {
        const cairn_slot *slot = &labelled->slots[i];
        double count = 0;
        if (slot->role != CAIRN_TARGET) continue;
        for (size_t r = 0; r < labelled->n_rows; r++)
            if (slot->column->codes[r] == 1) count += d->weights ? d->weights[r] : 1;
        const char *label = cairn_label_name(slot->name, name);
        cairn_report_cells(d->report, "- label.$1 label.$1.share", label, count,
                           rows > 0 ? count / rows : NAN);
        labels += count;
    }
    cairn_report_value(d->report, "labels per row", rows > 0 ? labels / rows : NAN,
                       "labels.per_row");
    return CAIRN_OK;
}

/* The order of the page; facts come first because every section reads them. Weights have the
 * same role in the file compared with. */
static cairn_status write_sections(cairn_describing *d)
{
    const cairn_describe_how *options = d->options;
    OWNED(cairn_table_free) cairn_table *other = NULL;
    CHECK(cairn_describe_facts(d));
    d->brief = !cairn_params_is_set(d->command->options, "show");
    unsigned before = CAIRN_IN_BOTH, sections = CAIRN_IN_BOTH;
    if (d->brief) {
        cairn_describe_glance(d);
        cairn_report_clip_begin(d->report, LEAST_OF_CHECKS);
        sections = CAIRN_IN_FULL | CAIRN_NOTES;
    }
    before = cairn_report_only(d->report, sections);
    if (d->show & CAIRN_SHOW_COLUMNS) cairn_describe_columns(d);
    if (d->show & CAIRN_SHOW_FIGURES) CHECK(cairn_describe_figures(d));
    if (d->show & CAIRN_SHOW_CHECKS) CHECK(cairn_describe_checks(d));
    if (options->against) {
        cairn_report_for(d->report, before);
        CHECK(cairn_command_read(d->command, &other, options->against));
        ptrdiff_t weight = cairn_table_role_column(d->table, CAIRN_WEIGHT);
        if (weight >= 0 && cairn_table_find(other, d->table->slots[weight].name) >= 0)
            CHECK(cairn_table_set_role(d->ctx, other, d->table->slots[weight].name, CAIRN_WEIGHT));
        CHECK(cairn_describe_against(d, other, options->against));
        (void)cairn_report_only(d->report, sections);
    }
    if (d->show & CAIRN_SHOW_STATISTICS) cairn_describe_statistics(d);
    if (d->show & CAIRN_SHOW_SHAPE) cairn_describe_shape(d);
    if (d->show & CAIRN_SHOW_LEVELS) CHECK(cairn_describe_levels(d));
    if (options->by) {
        cairn_report_for(d->report, before);
        CHECK(cairn_describe_by(d, options->by));
        (void)cairn_report_only(d->report, sections);
    }
    if (d->show & CAIRN_SHOW_TARGET) CHECK(cairn_describe_target(d));
    if (d->show & (CAIRN_SHOW_CORRELATION | CAIRN_SHOW_COVARIANCE | CAIRN_SHOW_CHECKS))
        CHECK(cairn_describe_correlations(d));
    if (d->show & CAIRN_SHOW_PAIRS) CHECK(cairn_describe_pairs(d));
    if (d->show & CAIRN_SHOW_ROWS) first_rows(d->report, d->table, (size_t)options->rows);
    if (d->brief) cairn_report_clip_end(d->report);
    cairn_report_for(d->report, before);
    return CAIRN_OK;
}

/* A target of few whole numbers is described as 'fit' takes it: as classes. */
static cairn_status decide_target(cairn_command *c, cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    cairn_decision decided = {0};
    if (at < 0 || cairn_table_role_count(table, CAIRN_TARGET) > 1) return CAIRN_OK;
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_NUMBER || column->n_missing == column->n_rows) return CAIRN_OK;
    cairn_status status = cairn_task_decide(c->ctx, &decided, table, CAIRN_TASK_AUTO);
    if (status == CAIRN_OK && decided.task == CAIRN_CLASSIFY)
        cairn_report_paragraph(c->report, "%s.", decided.why);
    cairn_free(decided.why);
    return status;
}

static cairn_status describe_data(cairn_command *c)
{
    const cairn_describe_how *options = c->options->values;
    cairn_describing d = {.ctx = c->ctx, .command = c, .report = c->report, .options = options};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_view view;
    CHECK(cairn_describe_sections(c->ctx, options->show, &d.show));
    CHECK(cairn_command_table(c, &table, c->words[0]));
    cairn_report_heading(c->report, 1, "%s", c->words[0]);
    CHECK(decide_target(c, table));
    CHECK(cairn_view_make(c->ctx, &view, table, cairn_all_rows(table)));
    d.table = table;
    d.weights = view.row_weights;
    d.target = cairn_table_role_column(table, CAIRN_TARGET);
    d.limit = options->columns ? (size_t)options->columns : (size_t)-1;
    head(&d);
    CHECK(describe_labels(&d));
    return write_sections(&d);
}

/* -- models -- */

static void schema_table(cairn_report *report, const cairn_schema *schema)
{
    cairn_report_heading(report, 2, "Columns it was trained on");
    cairn_report_table_of(report, NULL, 0, "lllr", "column", "role", "kind", "levels");
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        cairn_report_cells(report, NULL, field->name, cairn_role_name((cairn_role)field->role),
                           cairn_kind_name((cairn_kind)field->kind));
        if (field->kind == CAIRN_LEVEL)
            cairn_report_cellf(report, "%zu", field->names.n);
        else
            cairn_report_cell(report, "");
    }
}

/* How tables for the model are read, where that was said. */
static void reading_lines(cairn_report *out, const cairn_model *model)
{
    static const char *const ways[] = {"fail", "skip", "pad"};
    if (model->marks) cairn_report_word(out, "marks of missing cells", model->marks, "model.marks");
    if (model->only_marks)
        cairn_report_word(out, "usual marks of missing cells", "do not count", "model.usual_marks");
    if (model->decimal)
        cairn_report_word(out, "decimal mark", model->decimal == ',' ? "," : ".", "model.decimal");
    if (model->thousands)
        cairn_report_word(out, "mark between thousands", (char[]){(char)model->thousands, 0},
                          "model.thousands");
    if (model->skip)
        cairn_report_value(out, "lines before the header", (double)model->skip, "model.skip");
    if (model->comment) cairn_report_word(out, "mark of comments", model->comment, "model.comment");
    if (model->bad_lines)
        cairn_report_word(out, "lines with other cells", ways[model->bad_lines], "model.bad_lines");
}

/* What there is for programs to read, beside the description for people. */
static void tables_line(cairn_report *out, const cairn_model *model, const char *path)
{
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(cairn_report_context(out));
    const char *name;
    for (size_t i = 0; (name = cairn_model_table_name(model, i)); i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", name);
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_report_heading(out, 2, "Tables");
    cairn_report_paragraph(out,
                           "What the model knows can be had as tables: cairn export %s "
                           "--table NAME.",
                           path);
    cairn_report_word(out, "tables", cairn_text_string(&names), "model.tables");
}

static cairn_status describe_model(cairn_command *c)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    char hash[32];
    CHECK(cairn_command_refuse_reading(c, "describe MODEL", 0));
    CHECK(cairn_command_load(c, &model, c->words[0]));
    cairn_report_heading(c->report, 1, "%s %s", model->learner ? "Model" : "Recipe", c->words[0]);
    cairn_model_run_card(c->report, model);
    if (model->command && *model->command)
        cairn_report_word(c->report, "command", model->command, "model.command");
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    reading_lines(c->report, model);
    snprintf(hash, sizeof hash, "%016" PRIx64, model->data_hash);
    cairn_report_word(c->report, "hash of the data", hash, "model.data_hash");
    schema_table(c->report, &model->schema);
    cairn_report_for(c->report, before);
    CHECK(cairn_model_describe(c->ctx, c->report, model));
    (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    tables_line(c->report, model, c->words[0]);
    cairn_report_for(c->report, before);
    return CAIRN_OK;
}

static cairn_status describe_run(cairn_command *c)
{
    bool is_model = false;
    /* memory that ran out is told when the file itself is read, with its name */
    if (cairn_command_is_model(c, c->words[0], &is_model) != CAIRN_OK) is_model = false;
    return is_model ? describe_model(c) : describe_data(c);
}

const cairn_verb cairn_verb_describe = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "describe",
              .also = "summary, summarise, explore, profile, inspect, info, EDA, exploratory data "
                      "analysis, show, print",
              .about = "head, str, nrow, dim, how many rows, df.shape, value_counts, value counts, "
                       "correlation, covariance, "
                       "correlation coefficient, covariance matrix, correlation matrix",
              .title = "What a data file or a model holds",
              .summary =
                  "For a data file: columns with their kinds, scales, roles and domains; checks "
                  "(duplicate and contradictory rows, constant, equal and id-like columns, missing "
                  "cells, skewed classes, outliers); the statistics that each kind permits; counts "
                  "of levels; association with the target, correlations and contingency; all by "
                  "weights when there is a weight column, and as a page with a picture of every "
                  "column (--out FILE.html). --against compares it with a second file. For a "
                  "model: how and from what it was made, the columns it needs, and what it "
                  "learned.",
              .example = "cairn describe @iris",
              .params = describe_params,
              .params_size = sizeof(cairn_describe_how)},
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .run = describe_run,
};
