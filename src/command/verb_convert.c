/* SPDX-License-Identifier: MIT */
/* cairn convert: from one format to another, with transforms on the way. */
#include "command/reshaping.h"

#include "base/memory.h"
#include "data/format.h"
#include "data/source.h"

#include <string.h>

typedef struct convert_options {
    cairn_common common;
    const char *to, *save, *recipe;
    bool force;
    bool steps;
    cairn_reshaping reshaping;
} convert_options;

static const cairn_param convert_params[] = {
    CAIRN_PARAM(convert_options, to, NULL, NULL,
                "format of the output (see cairn list formats); chosen by its ending if not given",
                .often = true, .names = "format"),
    {.name = "with",
     .names = "transform",
     .often = true,
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(convert_options, common.fitting.with),
     .help = "a transform to fit on the table and apply, such as standardise; may be given several "
             "times, in order",
     .object = offsetof(convert_options, common.fitting.transforms),
     .object_kind = CAIRN_ENTRY_TRANSFORM,
     .repeated = true},
    CAIRN_PARAM_WRITES(convert_options, save,
                       "write the fitted transforms to this file, a recipe for other tables"),
    CAIRN_SAVE_FORCE(convert_options),
    CAIRN_PARAM_AS(convert_options, recipe, CAIRN_TYPE_FILE, NULL,
                   "apply the transforms of this recipe or model, as they were fitted"),
    CAIRN_PARAM(convert_options, steps, "no", NULL,
                "show what the transforms do, step by step, and the first rows that come out"),
    CAIRN_PARAM_GROUP(convert_options, reshaping, cairn_reshaping_params),
    CAIRN_ROLES(convert_options),
    {.name = "task",
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(convert_options, common.fitting.task),
     .initial = "auto",
     .choices = cairn_task_choices,
     .help = "what the target is for, where a transform looks at it"},
    {.name = "positive",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(convert_options, common.fitting.positive),
     .help = "the class that counts as positive, where a transform looks at it"},
    CAIRN_READING(convert_options),
    CAIRN_LONG_FORM(convert_options),
    CAIRN_RUNNING(convert_options),
    {.name = "format",
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(convert_options, common.printing.format),
     .initial = "text",
     .choices = cairn_format_choices,
     .help = "how the report of --steps or --timings is printed"},
    {.name = "quiet",
     .type = CAIRN_TYPE_BOOL,
     .offset = offsetof(convert_options, common.printing.quiet),
     .initial = "no",
     .help = "no remarks"},
    CAIRN_PARAM_END,
};

enum { SHOWN_ROWS = 20 };

/* Fit the transforms on the table and put what they make in its place. */
static cairn_status fit_recipe(cairn_command *c, cairn_table **table)
{
    const convert_options *o = c->options->values;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    OWNED(cairn_model_free) cairn_model *recipe = NULL;
    cairn_table *made;
    double begun;
    CHECK(cairn_command_fit_options(c, &options));
    options.steps = o->steps ? c->report : NULL;
    begun = cairn_seconds();
    CHECK(cairn_recipe_fit(c->ctx, &recipe, &made, *table, &options));
    c->seconds_transform =
        (c->seconds_transform > 0 ? c->seconds_transform : 0) + cairn_seconds() - begun;
    cairn_table_free(*table);
    *table = made;
    CHECK(cairn_model_describe(c->ctx, c->report, recipe));
    if (o->save) {
        CHECK(cairn_command_save(c, recipe, o->save));
        cairn_remark(c, "saved the recipe to %s", o->save);
    }
    return CAIRN_OK;
}

static cairn_status check_options(cairn_command *c, const char *out)
{
    const convert_options *o = c->options->values;
    cairn_fit_options checked = CAIRN_FIT_OPTIONS_INIT;
    if (o->recipe && (o->common.fitting.with || o->save))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--recipe applies transforms that are fitted already; leave out %s",
                          o->save ? "--save" : "--with");
    if (o->save && !o->common.fitting.with)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save keeps the transforms of --with, and there are none");
    if ((o->steps || o->common.running.timings) && strcmp(out, "-") == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--%s prints a report on standard output, so the table needs the name of "
                          "a file",
                          o->steps ? "steps" : "timings");
    return cairn_command_fit_options(c, &checked); /* wrong names are found before data is read */
}

static cairn_status check_format(cairn_command *c, const char *to, const char *path)
{
    const cairn_entry *format;
    if (to) return cairn_entry_get(c->ctx, &format, CAIRN_ENTRY_FORMAT, to);
    if (strcmp(path, "-") == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "standard output has no ending: choose a format with --to, such as csv");
    if (*path != '@' && !cairn_format_by_name(c->ctx, path) && !cairn_source_find(path))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s: the ending names no format; choose one with --to ('cairn list "
                          "formats' shows them)",
                          path);
    return CAIRN_OK;
}

/* Options and format are checked before the data are read; a report is shown only where steps or
 * timings ask for it, since the table may go to standard output. */
static cairn_status convert_run(cairn_command *c)
{
    const convert_options *options = c->options->values;
    const char *out = c->words[1];
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_model_free) cairn_model *recipe = NULL;
    CHECK(check_format(c, options->to, out));
    CHECK(check_options(c, out));
    CHECK(cairn_reshaping_check(c, &options->reshaping));
    if (options->recipe) CHECK(cairn_command_load(c, &recipe, options->recipe));
    cairn_report_heading(c->report, 1, "%s", c->words[0]);
    CHECK(cairn_reshaping_read(c, &table, c->words[0], &options->reshaping));
    CHECK(cairn_reshaping_run(c, &table, &options->reshaping));
    if (recipe) {
        cairn_table *made;
        double begun = cairn_seconds();
        CHECK(cairn_recipe_apply(c->ctx, &made, recipe, table));
        c->seconds_transform =
            (c->seconds_transform > 0 ? c->seconds_transform : 0) + cairn_seconds() - begun;
        cairn_table_free(table);
        table = made;
        CHECK(cairn_model_describe(c->ctx, c->report, recipe));
    } else if (c->common->fitting.with)
        CHECK(fit_recipe(c, &table));
    cairn_reshaping_drop_ignored(table);
    if (options->steps) cairn_report_rows(c->report, table, "What comes out", SHOWN_ROWS, true);
    CHECK(cairn_command_write(c, table, out, options->to));
    c->no_report = !options->steps && !options->common.running.timings;
    cairn_report_value(c->report, "rows", (double)table->n_rows, "rows");
    cairn_report_value(c->report, "columns", (double)table->n_columns, "columns");
    if (strcmp(out, "-") != 0)
        cairn_remark(c, "wrote %s: %zu row%s, %zu column%s", out, table->n_rows,
                     table->n_rows == 1 ? "" : "s", table->n_columns,
                     table->n_columns == 1 ? "" : "s");
    return CAIRN_OK;
}

const cairn_verb cairn_verb_convert = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "convert",
              .also = "transform data, preprocess, prepare, import, save as",
              .about = "groupby, group by, aggregate, join tables, merge tables, pivot table, "
                       "melt, concat, unpivot, reshape, dropna, distinct, drop duplicates, filter "
                       "rows, where, order by, sort_values, sort rows, sample rows, count rows, "
                       "wide to long, "
                       "long to wide, SQL query, tapply, average by group, remove rows",
              .title = "From one data format to another",
              .summary =
                  "Reads a table and writes it in the format of the output's ending, or of --to; "
                  "'-' is standard output. Transforms (--with) are fitted on the table and applied "
                  "on the way; --save keeps them as a recipe, and --recipe applies it to another "
                  "table with the numbers that were learned from the first. Columns named by "
                  "--ignore are left out. Before the transforms the table can be joined with "
                  "another, unpivoted, grouped or pivoted, made distinct, sampled, sorted and cut, "
                  "always in this order.",
              .example = "cairn convert @iris iris.arff",
              .params = convert_params,
              .params_size = sizeof(convert_options)},
    .arguments = "IN OUT",
    .least = 2,
    .most = 2,
    .writes_word = 2,
    .run = convert_run,
};
