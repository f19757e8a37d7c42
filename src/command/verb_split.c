/* SPDX-License-Identifier: MIT */
/* cairn split: the rows of a table into files, one to learn from, one to test on and, where it is
 * asked for, one to choose by. The parts are those of the resampling holdout. */
#include "command/command.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "model/task.h"
#include "report/table_rows.h"
#include "reshape/keys.h"
#include "resample/resample.h"

#include <math.h>
#include <stdio.h>

typedef struct split_options {
    cairn_common common;
    const char *train, *test, *validation;
    double share, validation_share;
    const char *time, *stratify;
    bool shuffle;
} split_options;

static const cairn_param split_params[] = {
    CAIRN_PARAM_WRITES(split_options, train, "write the rows to learn from to this file",
                       .required = true, .often = true),
    CAIRN_PARAM_WRITES(split_options, test, "write the rows to test on to this file",
                       .required = true, .often = true),
    CAIRN_PARAM_WRITES(split_options, validation,
                       "write rows to choose by, which are in neither of the others, to this file",
                       .often = true),
    CAIRN_PARAM(split_options, share, "0.25", "(0,1)", "share of the rows to test on",
                .often = true),
    CAIRN_PARAM(split_options, validation_share, "0.25", "(0,1)", "share of the rows to choose by",
                .when = "validation"),
    CAIRN_PARAM_AS(split_options, stratify, CAIRN_TYPE_COLUMNS, NULL,
                   "the column whose values all parts have in the same shares, or none; the target "
                   "if it has classes",
                   .when = "shuffle,!time", .often = true),
    CAIRN_PARAM_AS(split_options, time, CAIRN_TYPE_COLUMNS, NULL,
                   "the column of the order in time: the last rows are tested on, those before "
                   "them chosen by, and the first learned from",
                   .often = true),
    CAIRN_PARAM(split_options, shuffle, "yes", NULL,
                "rows are drawn; no tests the last rows of the table", .when = "!time"),
    CAIRN_ROLES(split_options),
    CAIRN_READING(split_options),
    CAIRN_RUNNING(split_options),
    CAIRN_PRINTING(split_options),
    CAIRN_PARAM_END,
};

enum { PART_TRAIN, PART_TEST, PART_VALIDATION, PARTS };
static const char *const part_names[] = {"train", "test", "validation"};

typedef struct splitting {
    const split_options *options;
    cairn_table *table; /* as it is read */
    cairn_table *coded; /* the same, with the columns below as levels */
    ptrdiff_t stratum, time, group;
    cairn_plan_job job;
    uint32_t *rows[PARTS];
    size_t n[PARTS];
} splitting;

/* -- what the rows are parted by -- */

static cairn_status find_column(cairn_command *c, const splitting *s, const char *name,
                                const char *option, ptrdiff_t *out)
{
    size_t *columns, n;
    *out = -1;
    if (!name) return CAIRN_OK;
    CHECK(cairn_pick_columns(c->ctx, &columns, &n, s->table, name));
    if (n != 1)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--%s takes one column, and '%s' are %zu", option,
                          name, n);
    *out = (ptrdiff_t)columns[0];
    return CAIRN_OK;
}

/* The codes of a column as levels; rows without a value are one more. */
static cairn_status code_column(cairn_command *c, splitting *s, ptrdiff_t at, const int32_t **codes,
                                size_t *n_codes)
{
    int32_t *found;
    CHECK(cairn_table_change_kind(c->ctx, s->coded, (size_t)at, CAIRN_LEVEL));
    const cairn_column *column = s->coded->slots[at].column;
    CHECK(SCRATCH_RAW(c->ctx, &found, column->n_rows + 1));
    for (size_t i = 0; i < column->n_rows; i++)
        found[i] = column->codes[i] < 0 ? (int32_t)column->names.n : column->codes[i];
    *codes = found;
    *n_codes = column->names.n + 1;
    return CAIRN_OK;
}

/* The column of --stratify, or a target of classes. */
static cairn_status find_stratum(cairn_command *c, splitting *s)
{
    const split_options *o = s->options;
    ptrdiff_t target = cairn_table_role_column(s->table, CAIRN_TARGET);
    bool none = cairn_same(o->stratify, "none") && cairn_table_find(s->table, "none") < 0;
    s->stratum = -1;
    if (none || !o->shuffle || o->time) return CAIRN_OK;
    CHECK(find_column(c, s, o->stratify, "stratify", &s->stratum));
    if (!o->stratify && target >= 0) {
        const cairn_column *column = s->table->slots[target].column;
        size_t n;
        if (column->kind == CAIRN_LEVEL || cairn_looks_like_classes(column, &n))
            s->stratum = target;
    }
    if (s->stratum < 0) return CAIRN_OK;
    const cairn_slot *slot = &s->table->slots[s->stratum];
    CHECK(code_column(c, s, s->stratum, &s->job.classes, &s->job.n_classes));
    if (s->job.n_classes <= slot->column->n_rows / 2 + 1) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--stratify %s: the column has %zu values for %zu rows, which no parts can "
                      "have in the same shares; name a column of few values, or cut this one into "
                      "bins first (cairn convert --with bins)",
                      slot->name, s->job.n_classes - 1, slot->column->n_rows);
}

/* Rows by time: numbers, times, or ordered levels. */
static cairn_status find_times(cairn_command *c, splitting *s)
{
    double *times;
    CHECK(find_column(c, s, s->options->time, "time", &s->time));
    if (s->time < 0) return CAIRN_OK;
    const cairn_slot *slot = &s->table->slots[s->time];
    const cairn_column *column = slot->column;
    if (!column->numbers && !(column->codes && column->ordered))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--time %s: a column of %ss has no order; --kinds '%s=time(%%Y-%%m-%%d)' "
                          "reads it as times of that form",
                          slot->name, cairn_kind_name(column->kind), slot->name);
    CHECK(SCRATCH_RAW(c->ctx, &times, column->n_rows + 1));
    for (size_t i = 0; i < column->n_rows; i++)
        times[i] = column->numbers        ? column->numbers[i]
                   : column->codes[i] < 0 ? NAN
                                          : column->codes[i];
    s->job.times = times;
    return CAIRN_OK;
}

/* -- the parts -- */

/* The rows of every part, in the order of the table. */
static cairn_status part_rows(cairn_command *c, splitting *s)
{
    const split_options *o = s->options;
    SCOPED(cairn_text_clear) cairn_text spec = cairn_text_start(c->ctx);
    cairn_plan plan;
    uint32_t *rows;
    CHECK(SCRATCH_RAW(c->ctx, &rows, s->table->n_rows + 1));
    for (size_t i = 0; i < s->table->n_rows; i++) rows[i] = (uint32_t)i;
    s->job.rows = rows;
    s->job.n = s->table->n_rows;
    cairn_text_add(&spec, "holdout:share=");
    cairn_text_add_number(&spec, o->share, CAIRN_SHORTEST);
    cairn_text_add(&spec, ",validation=");
    cairn_text_add_number(&spec, o->validation ? o->validation_share : 0, CAIRN_SHORTEST);
    if (o->time || !o->shuffle) cairn_text_add(&spec, o->time ? ",time=yes" : ",shuffle=no");
    CHECK(cairn_text_status(&spec));
    CHECK(cairn_plan_make(c->ctx, &plan, cairn_text_string(&spec), s->job));
    for (size_t p = 0; p < PARTS; p++) CHECK(SCRATCH_RAW(c->ctx, &s->rows[p], plan.n + 1));
    for (size_t i = 0; i < plan.n; i++) {
        size_t part = plan.folds[i] == CAIRN_FOLD_ASIDE ? PART_VALIDATION
                      : plan.folds[i] == 0              ? PART_TEST
                                                        : PART_TRAIN;
        s->rows[part][s->n[part]++] = (uint32_t)i;
    }
    for (size_t p = 0; p < PARTS; p++)
        if (!s->n[p] && (p != PART_VALIDATION || o->validation))
            return cairn_fail(
                c->ctx, CAIRN_BAD_DATA, "%s gets no row: %zu rows%s are too few for these shares",
                part_names[p], s->table->n_rows, s->job.groups ? " in whole groups" : "");
    return CAIRN_OK;
}

static cairn_status write_part(cairn_command *c, const splitting *s, size_t part, const char *path)
{
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    if (!path) return CAIRN_OK;
    CHECK(cairn_table_take_rows(c->ctx, &rows, s->table, s->rows[part], s->n[part]));
    CHECK(cairn_command_write(c, rows, path, NULL));
    cairn_remark(c, "wrote %s: %zu row%s", path, s->n[part], s->n[part] == 1 ? "" : "s");
    return CAIRN_OK;
}

/* -- showing -- */

/* How many rows of a value a part has. */
static double count_value(const splitting *s, size_t part, int32_t value)
{
    double n = 0;
    for (size_t i = 0; i < s->n[part]; i++) n += s->job.classes[s->rows[part][i]] == value;
    return n;
}

static void show_strata(cairn_report *out, const splitting *s)
{
    const cairn_slot *slot = &s->coded->slots[s->stratum];
    cairn_report_table_of(out, "Shares of the values", 30, "l", slot->name);
    for (size_t p = 0; p < PARTS; p++)
        if (s->n[p]) cairn_report_column(out, part_names[p], 'r');
    for (size_t v = 0; v < slot->column->names.n; v++) {
        const char *name = cairn_map_key(&slot->column->names, v);
        cairn_report_cell(out, name);
        for (size_t p = 0; p < PARTS; p++)
            if (s->n[p])
                cairn_report_cell_number(out, count_value(s, p, (int32_t)v) / (double)s->n[p], 3,
                                         "%s.share.%s", part_names[p], cairn_report_key(out, name));
    }
}

/* First and last time of a part, as the table writes them. */
static void show_times(cairn_report *out, const splitting *s, size_t part)
{
    uint32_t first = s->rows[part][0], last = first;
    char from[64], to[64];
    for (size_t i = 0; i < s->n[part]; i++) {
        uint32_t row = s->rows[part][i];
        if (s->job.times[row] < s->job.times[first]) first = row;
        if (s->job.times[row] > s->job.times[last]) last = row;
    }
    cairn_table_cell(s->table, (size_t)s->time, first, from, sizeof from);
    cairn_table_cell(s->table, (size_t)s->time, last, to, sizeof to);
    cairn_report_cell_word(out, from, "%s.from", part_names[part]);
    cairn_report_cell_word(out, to, "%s.to", part_names[part]);
}

static size_t count_groups(cairn_context *ctx, const splitting *s, size_t part)
{
    uint8_t *seen;
    size_t n = 0;
    if (SCRATCH(ctx, &seen, s->job.n_groups + 1)) return 0;
    for (size_t i = 0; i < s->n[part]; i++) {
        int32_t group = s->job.groups[s->rows[part][i]];
        n += !seen[group];
        seen[group] = 1;
    }
    return n;
}

/* The parts, and what they have of groups, times and strata. */
static void show_parts(cairn_command *c, const splitting *s)
{
    const split_options *o = s->options;
    const char *const files[PARTS] = {o->train, o->test, o->validation};
    cairn_report *out = c->report;
    cairn_report_heading(out, 1, "Parts of %s", c->words[0]);
    cairn_report_word(out, "rows are",
                      o->time      ? "in the order of time: the last ones are tested on"
                      : o->shuffle ? "drawn"
                                   : "in the order of the table: the last ones are tested on",
                      "order");
    if (s->group >= 0)
        cairn_report_word(out, "kept together", s->table->slots[s->group].name, "group");
    cairn_report_table_of(out, "Parts", 0, "lrrl", "part", "rows", "share", "file");
    if (s->job.groups) cairn_report_column(out, "groups", 'r');
    if (s->job.times) cairn_report_columns(out, "ll", "from", "to");
    for (size_t p = 0; p < PARTS; p++) {
        if (!s->n[p]) continue;
        cairn_report_prefix(out, "%s", part_names[p]);
        cairn_report_cells(out, "- @.rows @.share:4 @.file", part_names[p], (double)s->n[p],
                           (double)s->n[p] / (double)s->table->n_rows, files[p]);
        if (s->job.groups)
            cairn_report_cell_number(out, (double)count_groups(c->ctx, s, p), 0, "%s.groups",
                                     part_names[p]);
        if (s->job.times) show_times(out, s, p);
    }
    if (s->stratum >= 0) show_strata(out, s);
    if (s->stratum >= 0 && s->job.groups)
        cairn_report_note(out, "Groups stay whole, so the shares of the values are as they come.");
}

/* Options that have no use together are refused by their conditions; groups go with neither time
 * nor the order of the table. */
static cairn_status split_run(cairn_command *c)
{
    const split_options *o = c->options->values;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_table_free) cairn_table *coded = NULL;
    splitting s = {.options = o};
    if (o->share + (o->validation ? o->validation_share : 0) >= 1)
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--share and --validation-share leave no row to learn from: together they "
            "are below 1");
    CHECK(cairn_command_table(c, &table, c->words[0]));
    CHECK(cairn_table_share(c->ctx, &coded, table));
    s.table = table;
    s.coded = coded;
    s.group = cairn_table_role_column(table, CAIRN_GROUP);
    CHECK(find_times(c, &s));
    CHECK(find_stratum(c, &s));
    if (s.group >= 0) {
        const cairn_slot *slot = &table->slots[s.group];
        if (slot->column->n_missing)
            return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                              "the group column '%s' has %zu missing cell%s", slot->name,
                              slot->column->n_missing, slot->column->n_missing == 1 ? "" : "s");
        CHECK(code_column(c, &s, s.group, &s.job.groups, &s.job.n_groups));
    }
    CHECK(part_rows(c, &s));
    show_parts(c, &s);
    CHECK(write_part(c, &s, PART_TRAIN, o->train));
    CHECK(write_part(c, &s, PART_TEST, o->test));
    return write_part(c, &s, PART_VALIDATION, o->validation);
}

const cairn_verb cairn_verb_split = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "split",
              .also = "train test split, train_test_split, hold-out files, partition the rows, "
                      "training set, test set, validation set, createDataPartition",
              .title = "The rows of a table into files",
              .summary =
                  "Writes the rows of a table to two files, one to learn from and one to test on, "
                  "and with --validation to a third one to choose by. Rows are drawn, with the "
                  "classes of the target (or the values of --stratify) in the same shares in every "
                  "part; --time tests the latest rows, and --group keeps rows of a group together. "
                  "The same seed draws the same rows. evaluate, compare and tune take the second "
                  "file by --test, and do without files by --by holdout:0.25.",
              .example = "cairn split @titanic --train train.csv --test test.csv --share 0.3",
              .params = split_params,
              .params_size = sizeof(split_options)},
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .run = split_run,
};
