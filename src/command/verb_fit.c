/* SPDX-License-Identifier: MIT */
/* cairn fit: learn a model, show the work, say what was learned, save it. */
#include "command/prediction.h"
#include "command/scores.h"

#include <string.h>

typedef struct fit_options {
    cairn_common common;
    bool steps;
    const char *save;
} fit_options;

static const cairn_param fit_params[] = {
    CAIRN_ROLES(fit_options),
    CAIRN_FITTING(fit_options),
    CAIRN_GIVEN(fit_options),
    CAIRN_PARAM(fit_options, steps, "no", NULL, "show every step of the calculation"),
    CAIRN_PARAM_AS(fit_options, save, CAIRN_TYPE_FILE, NULL, "write the model to this file"),
    CAIRN_READING(fit_options),
    CAIRN_RUNNING(fit_options),
    CAIRN_PRINTING(fit_options),
    CAIRN_PARAM_END,
};

/* The fitted labels or values of the training rows to the data file that --out names. */
static cairn_status write_fitted(cairn_command *c, const cairn_model *model,
                                 const cairn_table *table)
{
    const char *path = c->common->printing.out;
    cairn_output_wish wish = {.label = true, .all_extra = true};
    cairn_prediction prediction;
    cairn_table *fitted = NULL;
    cairn_status status;
    TRY(cairn_predict_table(c, &fitted, &prediction, model, table, &wish));
    cairn_prediction_clear(&prediction);
    TRY(cairn_command_write(c, fitted, path, NULL));
    c->out_done = true;
    size_t n = cairn_table_rows(fitted);
    cairn_remark(c, "wrote %s: %zu row%s with what the model says about %s", path, n,
                 n == 1 ? "" : "s", n == 1 ? "it" : "them");
done:
    cairn_table_free(fitted);
    return status;
}

/* Fit with the steps, if any, in a report of their own: the run card comes before them. */
static cairn_status fit_model(cairn_command *c, cairn_model **out, cairn_report *steps,
                              const cairn_table *table)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    double begun;
    TRY(cairn_command_fit_options(c, &options));
    options.steps = steps;
    begun = cairn_seconds();
    TRY(cairn_model_fit(c->ctx, out, c->inner, table, &options));
    c->seconds_fit = cairn_seconds() - begun;
done:
    return status;
}

static cairn_status fill_report(cairn_command *c, const cairn_model *model, cairn_report *steps,
                                const cairn_table *table)
{
    cairn_status status;
    cairn_report_heading(c->report, 1, "%s: %s", c->inner->entry->title, c->words[0]);
    cairn_model_run_card(c->report, model);
    if (steps) {
        cairn_report_heading(c->report, 2, "Steps");
        cairn_report_append(c->report, steps, NULL);
    }
    TRY(cairn_model_describe(c->ctx, c->report, model));
    TRY(cairn_report_training(c, model, table));
done:
    return status;
}

static cairn_status fit_run(cairn_command *c)
{
    const fit_options *options = c->options->values;
    const char *out = options->common.printing.out;
    cairn_fit_options checked = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    cairn_report *steps = NULL;
    cairn_status status;
    if (cairn_same(options->save, "-"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save needs the name of a file: standard output "
                          "is for the report");
    TRY(cairn_command_fit_options(c, &checked)); /* wrong names are found before data is read */
    TRY(cairn_command_table(c, &table, c->words[0]));
    if (options->steps) TRY(cairn_report_new(c->ctx, &steps));
    TRY(fit_model(c, &model, steps, table));
    TRY(fill_report(c, model, steps, table));
    if (options->save) {
        TRY(cairn_command_save(c, model, options->save));
        cairn_remark(c, "saved the model to %s", options->save);
    }
    if (out && cairn_out_is_data(out)) TRY(write_fitted(c, model, table));
done:
    cairn_report_free(steps);
    cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

const cairn_verb cairn_verb_fit = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "fit",
              .title = "Learn a model",
              .summary =
                  "Learns a model from the rows of a table. The report says what was decided "
                  "(which column is predicted, as classes or as a number), what was learned, and "
                  "how well the model repeats its own training rows, which is an optimistic "
                  "measure: cairn evaluate gives an honest one. With --steps the whole calculation "
                  "is shown. The parameters of the learner are options too: cairn fit tree --help "
                  "lists them. --out FILE writes the report (html, json, md, txt) or, when it "
                  "names a data file (csv, arff ...), what the model says about the training rows.",
              .example = "cairn fit tree @weather --steps",
              .params = fit_params,
              .params_size = sizeof(fit_options)},
    .arguments = "LEARNER DATA",
    .least = 2,
    .most = 2,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_LEARNER,
    .run = fit_run,
};
