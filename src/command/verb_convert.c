/* SPDX-License-Identifier: MIT */
/* cairn convert: from one format to another, with transforms on the way. */
#include "command/command.h"

#include "base/memory.h"
#include "data/format.h"

#include <string.h>

typedef struct convert_options {
    cairn_common common;
    const char *to;
    const char *with;
} convert_options;

static const cairn_param convert_params[] = {
    CAIRN_PARAM(convert_options, to, NULL, NULL,
                "format of the output (see cairn list formats); chosen by its ending if not given"),
    {.name = "with",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(convert_options, with),
     .help = "a transform to fit on the table and apply, such as standardise",
     .repeated = true},
    CAIRN_ROLES(convert_options),
    CAIRN_READING(convert_options),
    CAIRN_RUNNING(convert_options),
    {.name = "quiet",
     .type = CAIRN_TYPE_BOOL,
     .offset = offsetof(convert_options, common.printing.quiet),
     .initial = "no",
     .help = "no remarks"},
    CAIRN_PARAM_END,
};

/* Fit one transform on the table and put its result in the table's place. */
static cairn_status apply_one(cairn_command *c, cairn_table **table, const char *spec)
{
    cairn_scratch_mark mark = cairn_scratch_now(c->ctx);
    cairn_params *params = NULL;
    cairn_table *changed = NULL;
    cairn_schema schema = {0};
    cairn_view view;
    char *state = NULL;
    const cairn_transform *transform = NULL;
    cairn_status status;
    TRY(cairn_params_from_spec(c->ctx, &params, CAIRN_ENTRY_TRANSFORM, spec));
    TRY(cairn_params_check(c->ctx, params));
    transform = (const cairn_transform *)params->entry;
    TRY(cairn_schema_from_table(c->ctx, &schema, *table));
    TRY(cairn_view_make(c->ctx, &view, *table, cairn_all_rows(*table)));
    TRY(NEW(c->ctx, &state, transform->state_size));
    cairn_job job = {.params = params->values, .view = &view, .schema = &schema, .positive = -1};
    TRY(transform->fit(c->ctx, state, &job));
    TRY(transform->apply(c->ctx, &changed, state, params->values, *table));
    cairn_table_free(*table);
    *table = changed;
done:
    if (state && transform->clear) transform->clear(state);
    cairn_free(state);
    cairn_schema_clear(&schema);
    cairn_params_free(params);
    cairn_scratch_release(c->ctx, mark);
    return status;
}

static cairn_status apply_all(cairn_command *c, cairn_table **table, const char *with)
{
    cairn_status status = CAIRN_OK;
    while (with && *with) {
        size_t length = strcspn(with, "\n");
        char *spec;
        TRY(SCRATCH(c->ctx, &spec, length + 1));
        memcpy(spec, with, length);
        TRY(apply_one(c, table, spec));
        with += length + (with[length] == '\n');
    }
done:
    return status;
}

/* Columns that the options tell to ignore are not written. */
static void drop_ignored(cairn_table *table)
{
    for (size_t i = table->n_columns; i-- > 0;)
        if (table->slots[i].role == CAIRN_IGNORED) cairn_table_remove_column(table, i);
}

static cairn_status check_format(cairn_command *c, const char *to, const char *path)
{
    const cairn_entry *format;
    if (to) return cairn_entry_get(c->ctx, &format, CAIRN_ENTRY_FORMAT, to);
    if (strcmp(path, "-") == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "standard output has no ending: choose a format with --to, such as csv");
    if (!cairn_format_by_name(path))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s: the ending names no format; choose one with --to ('cairn list "
                          "formats' shows them)",
                          path);
    return CAIRN_OK;
}

static cairn_status convert_run(cairn_command *c)
{
    const convert_options *options = c->options->values;
    const char *out = c->words[1];
    cairn_table *table = NULL;
    cairn_status status;
    TRY(check_format(c, options->to, out));
    TRY(cairn_command_table(c, &table, c->words[0]));
    TRY(apply_all(c, &table, options->with));
    drop_ignored(table);
    TRY(cairn_command_write(c, table, out, options->to));
    c->no_report = true;
    cairn_report_value(c->report, "rows", (double)table->n_rows, "rows");
    cairn_report_value(c->report, "columns", (double)table->n_columns, "columns");
    if (strcmp(out, "-") != 0)
        cairn_remark(c, "wrote %s: %zu row%s, %zu column%s", out, table->n_rows,
                     table->n_rows == 1 ? "" : "s", table->n_columns,
                     table->n_columns == 1 ? "" : "s");
done:
    cairn_table_free(table);
    return status;
}

const cairn_verb cairn_verb_convert = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "convert",
              .title = "From one data format to another",
              .summary =
                  "Reads a table and writes it in the format of the output's ending, or of --to; "
                  "'-' is standard output. Transforms (--with) are fitted on the table and applied "
                  "on the way; columns named by --ignore are left out.",
              .example = "cairn convert @iris iris.arff",
              .params = convert_params,
              .params_size = sizeof(convert_options)},
    .arguments = "IN OUT",
    .least = 2,
    .most = 2,
    .run = convert_run,
};
