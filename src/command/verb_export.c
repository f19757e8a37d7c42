/* SPDX-License-Identifier: MIT */
/* cairn export: a model in a form that other programs, or people, read. */
#include "command/command.h"

#include <string.h>

typedef struct export_options {
    cairn_common common;
    const char *to;
} export_options;

static const cairn_param export_params[] = {
    CAIRN_PARAM(export_options, to, "text", NULL,
                "the form; those that a model has are listed by 'cairn help' with its learner"),
    CAIRN_RUNNING(export_options),
    CAIRN_PRINTING(export_options),
    CAIRN_PARAM_END,
};

/* Without --out it goes to standard output, alone. */
static cairn_status give(cairn_command *c, const char *written)
{
    const char *out = c->common->printing.out;
    if (out && strcmp(out, "-") != 0) {
        CHECK(cairn_command_write_bytes(c, out, written, strlen(written)));
        c->out_done = c->no_report = true;
        cairn_remark(c, "wrote %s", out);
    } else {
        cairn_text text = cairn_text_start(c->ctx);
        cairn_text_add(&text, written);
        CHECK(cairn_command_give(c, &text));
    }
    return CAIRN_OK;
}

static cairn_status export_run(cairn_command *c)
{
    const export_options *options = c->options->values;
    cairn_model *model = NULL;
    char *written = NULL;
    cairn_status status;
    if (c->common->printing.format != CAIRN_FORMAT_TEXT)
        TRY(cairn_fail(c->ctx, CAIRN_USAGE,
                       "export writes the model itself, in the form of --to, and no report that "
                       "--format could print; leave --format out"));
    TRY(cairn_command_model(c, &model, c->words[0]));
    TRY(cairn_model_export(c->ctx, model, options->to, &written));
    TRY(give(c, written));
done:
    cairn_string_free(written);
    cairn_model_free(model);
    return status;
}

const cairn_verb cairn_verb_export = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "export",
              .title = "Write a model down",
              .summary = "Writes a model in another form: as the text that --given reads again, as "
                         "rules, as a graph, as program code. Which forms there are depends on the "
                         "learner; its help lists them. The text goes to --out, or to standard "
                         "output.",
              .example = "cairn fit tree @weather --save weather.cairn && "
                         "cairn export weather.cairn --to text",
              .params = export_params,
              .params_size = sizeof(export_options)},
    .arguments = "MODEL",
    .least = 1,
    .most = 1,
    .run = export_run,
};
