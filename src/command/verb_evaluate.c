/* SPDX-License-Identifier: MIT */
/* cairn evaluate: how good a learner is, by resampling, or a model, on data of its own. */
#include "command/further.h"
#include "command/judging.h"

#include "base/memory.h"
#include "compute/labels.h"
#include "evaluate/evaluate.h"
#include "evaluate/truth.h"

typedef struct evaluate_options {
    cairn_common common;
    const char *by;
    double level;
    int training; /* cairn_training_error */
    int scale_on; /* scale_choice */
    const char *splits_out, *measure, *save, *figure;
    double class_ratio;
    bool errors;
    int importance, rows, undefined;
    const char *truth;
    cairn_further further;
} evaluate_options;

typedef enum { SCALE_ON_TRAIN, SCALE_ON_ALL } scale_choice;

static const cairn_choice scale_choices[] = {
    {"train", SCALE_ON_TRAIN, "the rows that are learned from"},
    {"all", SCALE_ON_ALL,
     "all rows, once; the held-out rows have then helped, so the estimate leaks"},
    {0},
};

static const cairn_choice rows_choices[] = {
    {"actual", 0, "the class that it has"},
    {"predicted", 1, "the class that it was said to have"},
    {0},
};

static const cairn_choice training_choices[] = {
    {"auto", CAIRN_TRAINING_AUTO, "where it costs at most 20 predictions of the whole table"},
    {"no", CAIRN_TRAINING_NO, "leave it out"},
    {"yes", CAIRN_TRAINING_YES, "always"},
    {0},
};

static const cairn_param evaluate_params[] = {
    CAIRN_PARAM_AS(
        evaluate_options, by, CAIRN_TYPE_SPEC, "cv:10",
        "how rows are held out: cv:K, holdout:SHARE, boot:N, loo, 5x2 or file:PATH ('cairn "
        "list resamplings')"),
    CAIRN_PARAM(evaluate_options, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_CHOICE(evaluate_options, training, "auto", training_choices,
                       "judge the rows that were learned from as well, for comparison"),
    CAIRN_PARAM_AS(evaluate_options, splits_out, CAIRN_TYPE_FILE, NULL,
                   "write the part of every row to this file, for --by file:"),
    CAIRN_PARAM(evaluate_options, measure, NULL, NULL,
                "further measures, separated by commas ('cairn list measures')"),
    CAIRN_PARAM_AS(evaluate_options, save, CAIRN_TYPE_FILE, NULL,
                   "write a model of all rows to this file, with the estimate attached"),
    CAIRN_PARAM(evaluate_options, figure, NULL, NULL,
                "give only the picture of this name, such as roc or confusion; --out FILE.svg, "
                ".png or .pdf writes it"),
    CAIRN_PARAM_CHOICE(evaluate_options, scale_on, "train", scale_choices,
                       "the rows that scaling transforms are fitted on"),
    CAIRN_PARAM(evaluate_options, class_ratio, "0", "[0,inf)",
                "positives : negatives where the classifier will be used; 0 = as in the data"),
    CAIRN_PARAM(evaluate_options, importance, "0", "[0,1000]",
                "measure how much each column matters by shuffling it so many times among the "
                "tested rows"),
    CAIRN_PARAM(evaluate_options, errors, "no", NULL, "list the rows that are classified wrongly"),
    CAIRN_PARAM_CHOICE(evaluate_options, rows, "actual", rows_choices,
                       "what a row of the confusion table is"),
    CAIRN_PARAM_CHOICE(evaluate_options, undefined, "na", cairn_undefined_choices,
                       "what precision, recall and F are when they are 0/0"),
    CAIRN_PARAM_AS(evaluate_options, truth, CAIRN_TYPE_COLUMNS, NULL,
                   "columns that hold what is true, as 'compute generate' keeps it: the chances of "
                   "the classes, or the value before the noise; tells true and Bayes error, and "
                   "nothing is learned from them"),
    CAIRN_PARAM_GROUP(evaluate_options, further, cairn_further_params),
    CAIRN_ROLES(evaluate_options),
    CAIRN_FITTING(evaluate_options),
    CAIRN_GIVEN(evaluate_options),
    CAIRN_READING(evaluate_options),
    CAIRN_RUNNING(evaluate_options),
    CAIRN_PRINTING(evaluate_options),
    CAIRN_PARAM_END,
};

/* A model that is fitted already has made these choices. */
static cairn_status refuse_fitting(const cairn_command *c)
{
    static const char *const settled[] = {"task",     "positive",         "missing",      "with",
                                          "scale-on", "with-calibration", "against-rest", "decide",
                                          "given",    "label-mark",       "save",         NULL};
    if (cairn_params_is_set(c->options, "by"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--by holds out rows for a learner; a model that is already fitted is "
                          "judged on all rows, so leave it out");
    for (const char *const *name = settled; *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s says how a learner is fitted, and %s is fitted already; leave "
                              "it out, or fit the model again with it",
                              *name, c->words[0]);
    return CAIRN_OK;
}

/* The model that the evaluation speaks for: the same learner on all rows. */
static cairn_status save_model(cairn_command *c, const cairn_evaluation *e,
                               const cairn_table *table, const cairn_fit_options *fit)
{
    const evaluate_options *options = c->options->values;
    cairn_model *model = NULL;
    cairn_status status = CAIRN_OK;
    if (!options->save) goto done;
    TRY(cairn_model_fit(c->ctx, &model, c->inner, table, fit));
    TRY(cairn_evaluation_estimate(c->ctx, &model->estimate, e));
    TRY(cairn_command_save(c, model, options->save));
    cairn_remark(c, "saved a model of all rows to %s", options->save);
done:
    cairn_model_free(model);
    return status;
}

/* The table, of whose truth nothing is learned. */
static cairn_status open_table(cairn_command *c, cairn_table **out, const char *path)
{
    const evaluate_options *options = c->options->values;
    cairn_status status;
    TRY(cairn_command_table(c, out, path));
    if (options->truth) TRY(cairn_truth_hide(c->ctx, *out, options->truth));
done:
    return status;
}

/* True and Bayes error, to follow the judgement. */
static cairn_status tell_truth(cairn_command *c, cairn_further_work *further,
                               const cairn_evaluation *e, const cairn_table *table)
{
    const evaluate_options *options = c->options->values;
    cairn_status status = CAIRN_OK;
    if (!options->truth) return CAIRN_OK;
    if (!further->report) TRY(cairn_report_new(c->ctx, &further->report));
    TRY(cairn_truth_report(c->ctx, further->report, e, table, options->truth));
done:
    return status;
}

static cairn_status evaluate_learner(cairn_command *c, cairn_evaluation *out,
                                     cairn_further_work *further)
{
    const evaluate_options *options = c->options->values;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = NULL;
    cairn_status status;
    TRY(cairn_command_resampling(c, "by", options->by));
    TRY(cairn_command_fit_options(c, &fit));
    fit.scale_on_all = options->scale_on == SCALE_ON_ALL;
    TRY(open_table(c, &table, c->words[0]));
    double begun = cairn_seconds();
    cairn_evaluate_options how = {.by = options->by,
                                  .level = options->level,
                                  .fit = &fit,
                                  .training = (cairn_training_error)options->training,
                                  .splits_out = options->splits_out,
                                  .importance = (size_t)options->importance};
    TRY(cairn_further_begin(c, further, &options->further, &how));
    TRY(cairn_evaluate_learner(c->ctx, out, c->inner, table, &how));
    TRY(cairn_further_finish(c, further, &options->further, out, table, &how));
    TRY(save_model(c, out, table, &fit));
    TRY(tell_truth(c, further, out, table));
    c->seconds_fit = cairn_seconds() - begun;
    cairn_report_heading(c->report, 1, "Evaluation: %s on %s", c->inner->entry->name, c->words[0]);
    if (fit.scale_on_all)
        cairn_report_note(c->report,
                          "Scaling was fitted on all rows (--scale-on all): what it knows of the "
                          "held-out rows makes the estimate a little too good.");
done:
    cairn_table_free(table);
    return status;
}

static cairn_status evaluate_model(cairn_command *c, cairn_evaluation *out,
                                   cairn_further_work *further)
{
    const evaluate_options *options = c->options->values;
    cairn_model *model = NULL;
    cairn_table *table = NULL;
    cairn_status status;
    TRY(refuse_fitting(c));
    TRY(cairn_further_refuse(c));
    TRY(cairn_command_model(c, &model, c->words[0]));
    TRY(open_table(c, &table, c->words[1]));
    double begun = cairn_seconds();
    TRY(cairn_evaluate_model(c->ctx, out, model, table, options->level,
                             (size_t)options->importance));
    TRY(tell_truth(c, further, out, table));
    c->seconds_predict = cairn_seconds() - begun;
    cairn_report_heading(c->report, 1, "Evaluation: %s on %s", c->words[0], c->words[1]);
done:
    cairn_table_free(table);
    cairn_model_free(model);
    return status;
}

/* The predictions, row by row, to the data file that --out names. */
static cairn_status write_predictions(cairn_command *c, const cairn_evaluation *evaluation)
{
    const char *path = c->common->printing.out;
    cairn_table *rows = NULL;
    cairn_status status;
    TRY(cairn_evaluation_table(c->ctx, &rows, evaluation));
    TRY(cairn_command_write(c, rows, path, NULL));
    c->out_done = true;
    cairn_remark(c, "wrote %s: the predictions, row by row", path);
done:
    cairn_table_free(rows);
    return status;
}

static cairn_status judge_options(cairn_command *c, cairn_judge_options *out)
{
    const evaluate_options *o = c->options->values;
    *out = (cairn_judge_options)CAIRN_JUDGE_OPTIONS_INIT;
    out->class_ratio = o->class_ratio;
    out->errors = o->errors;
    out->rows_predicted = o->rows == 1;
    out->undefined = (cairn_undefined)o->undefined;
    out->measures = o->measure;
    return cairn_command_costs(c, out, c->inner);
}

/* What can be found wrong before data is read. */
static cairn_status check_options(cairn_command *c, cairn_judge_options *judge)
{
    const evaluate_options *o = c->options->values;
    cairn_status status;
    if (cairn_same(o->save, "-"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save needs the name of a file: standard output is for the report");
    TRY(judge_options(c, judge));
    TRY(cairn_command_measures(c, o->measure, NULL));
done:
    return status;
}

static cairn_status evaluate_fill(cairn_command *c)
{
    const char *out = c->common->printing.out;
    cairn_evaluation evaluation = {0};
    cairn_judge_options judge;
    cairn_further_work further = {0};
    cairn_status status;
    TRY(check_options(c, &judge));
    if (c->inner)
        TRY(evaluate_learner(c, &evaluation, &further));
    else
        TRY(evaluate_model(c, &evaluation, &further));
    TRY(cairn_evaluation_judge(c->ctx, c->report, &evaluation, &judge));
    if (further.report) cairn_report_append(c->report, further.report, NULL);
    if (out && cairn_out_is_data(out)) TRY(write_predictions(c, &evaluation));
done:
    cairn_further_clear(&further);
    cairn_evaluation_clear(&evaluation);
    return status;
}

static cairn_status evaluate_run(cairn_command *c)
{
    const evaluate_options *o = c->options->values;
    return cairn_command_figure(c, o->figure, evaluate_fill);
}

const cairn_verb cairn_verb_evaluate = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "evaluate",
              .title = "How good it is on new rows",
              .summary =
                  "Estimates how well a learner does on rows that it has not seen, by fitting it "
                  "again and again with rows held out (everything that is learned, transforms "
                  "included, is learned inside each split), or judges a saved model on data. "
                  "Measures come with intervals and beside what the majority class or the mean "
                  "would give. --out FILE writes the report, or the predictions row by row with "
                  "their scores when it names a data file. --save writes a model of all rows "
                  "that carries the estimate.",
              .example = "cairn evaluate tree @iris --by cv:10",
              .params = evaluate_params,
              .params_size = sizeof(evaluate_options)},
    .arguments = "LEARNER|MODEL DATA",
    .least = 2,
    .most = 2,
    .inner = CAIRN_INNER_OR_FILE,
    .inner_kind = CAIRN_ENTRY_LEARNER,
    .run = evaluate_run,
};
