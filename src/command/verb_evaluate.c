/* SPDX-License-Identifier: MIT */
/* cairn evaluate: how good a learner is, by resampling, or a model, on data of its own. */
#include "command/answers.h"
#include "command/further.h"
#include "command/judging.h"
#include "command/targets.h"

#include "base/memory.h"
#include "stats/confusion.h"
#include "evaluate/clusters.h"
#include "evaluate/evaluate.h"
#include "evaluate/truth.h"
#include "model/task.h"
#include "wrappers/multi_target.h"

typedef struct evaluate_options {
    cairn_common common;
    const char *by, *test;
    double level;
    int training; /* cairn_training_error */
    int scale_on; /* scale_choice */
    const char *splits_out, *measure, *save, *figure;
    bool force;
    double class_ratio;
    bool errors;
    int shuffles, rows, undefined, stability;
    const char *truth, *cluster_distance;
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
        "list resamplings')",
        .often = true, .names = "resampling"),
    CAIRN_TEST_FILE(evaluate_options),
    CAIRN_PARAM(evaluate_options, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_CHOICE(evaluate_options, training, "auto", training_choices,
                       "judge the rows that were learned from as well, for comparison"),
    CAIRN_PARAM_WRITES(evaluate_options, splits_out,
                       "write the part of every row to this file, for --by file:"),
    CAIRN_PARAM(evaluate_options, measure, NULL, NULL,
                "further measures, separated by commas ('cairn list measures')", .often = true,
                .names = "measure"),
    CAIRN_PARAM_WRITES(evaluate_options, save,
                       "write a model of all rows to this file, with the estimate attached",
                       .often = true),
    CAIRN_SAVE_FORCE(evaluate_options),
    CAIRN_PARAM(evaluate_options, figure, NULL, NULL,
                "give only the picture of this name, such as roc or confusion; --out FILE.svg, "
                ".png or .pdf writes it"),
    CAIRN_PARAM_CHOICE(evaluate_options, scale_on, "train", scale_choices,
                       "the rows that scaling transforms are fitted on"),
    CAIRN_PARAM(evaluate_options, class_ratio, "0", "[0,inf)",
                "positives : negatives where the classifier will be used; 0 = as in the data"),
    CAIRN_PARAM(evaluate_options, shuffles, "0", "[0,1000]",
                "measure how much each column matters by shuffling it so many times among the "
                "tested rows"),
    CAIRN_PARAM(evaluate_options, errors, "no", NULL, "list the rows that are classified wrongly"),
    CAIRN_PARAM_CHOICE(evaluate_options, rows, "actual", rows_choices,
                       "what a row of the confusion table is"),
    CAIRN_PARAM_CHOICE(evaluate_options, undefined, "na", cairn_undefined_choices,
                       "what precision, recall and F are when they are 0/0"),
    CAIRN_PARAM_AS(evaluate_options, truth, CAIRN_TYPE_COLUMNS, NULL,
                   "columns that hold what is true, as 'compute generate' keeps it: the chances of "
                   "the classes, or the value before the noise; reports true and Bayes error, and "
                   "nothing is learned from them"),
    CAIRN_PARAM_AS(evaluate_options, cluster_distance, CAIRN_TYPE_SPEC, NULL,
                   "clusters: what rows are compared by ('cairn list distances'); euclidean, or "
                   "gower where columns are levels or lack cells",
                   .names = "distance"),
    CAIRN_PARAM(evaluate_options, stability, "0", "[0,100000]",
                "clusters: also whether they come again in so many samples of the rows"),
    CAIRN_PARAM_GROUP(evaluate_options, further, cairn_further_params),
    CAIRN_ROLES(evaluate_options),
    CAIRN_FITTING(evaluate_options),
    CAIRN_GIVEN(evaluate_options),
    CAIRN_READING(evaluate_options),
    CAIRN_LONG_FORM(evaluate_options),
    CAIRN_RUNNING(evaluate_options),
    CAIRN_PRINTING(evaluate_options),
    CAIRN_PARAM_END,
};

static void evaluation_title(cairn_command *c, const char *what, const char *data)
{
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 1, "Evaluation: %s on %s", what, data);
    cairn_report_for(c->report, before & CAIRN_IN_BRIEF);
    cairn_report_heading(c->report, 1, "%s on %s", what, data);
    cairn_report_for(c->report, before);
}

/* A learner, or a model that is fitted already. */
typedef struct estimate_job {
    cairn_fit_options fit;
    const cairn_model *model; /* NULL = the learner of the command */
    bool training;            /* several targets: the model was fitted to these rows */
    cairn_judge_options judge;
    bool several;
    const char *by;
    size_t n_learned; /* the first rows are learned from, the others are those of --test; 0 = there
                         are none */
} estimate_job;

/* The model that the evaluation speaks for: the same learner on all rows but those of --test. It
 * carries the estimate of the only target; of several (`e` NULL) it carries none. */
static cairn_status save_model(cairn_command *c, const cairn_evaluation *e,
                               const cairn_table *table, const cairn_fit_options *fit,
                               const estimate_job *job)
{
    const evaluate_options *options = c->options->values;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    uint32_t *rows;
    if (!options->save) return CAIRN_OK;
    if (job->n_learned) {
        CHECK(SCRATCH_RAW(c->ctx, &rows, job->n_learned));
        for (size_t i = 0; i < job->n_learned; i++) rows[i] = (uint32_t)i;
        CHECK(cairn_table_take_rows(c->ctx, &part, table, rows, job->n_learned));
        table = part;
    }
    CHECK(cairn_model_fit(c->ctx, &model, c->inner, table, fit));
    if (e) CHECK(cairn_evaluation_estimate(c->ctx, &model->estimate, e));
    CHECK(cairn_command_save(c, model, options->save));
    cairn_remark(c, "saved a model of all rows%s to %s", job->n_learned ? " of the data" : "",
                 options->save);
    return CAIRN_OK;
}

/* The table, of whose truth nothing is learned. */
static cairn_status open_table(cairn_command *c, cairn_table **out, const char *path)
{
    const evaluate_options *options = c->options->values;
    CHECK(cairn_command_table(c, out, path));
    if (options->truth) CHECK(cairn_truth_hide(c->ctx, *out, options->truth));
    return CAIRN_OK;
}

/* True and Bayes error, to follow the judgement. */
static cairn_status tell_truth(cairn_command *c, cairn_further_work *further,
                               const cairn_evaluation *e, const cairn_table *table)
{
    const evaluate_options *options = c->options->values;
    if (!options->truth) return CAIRN_OK;
    if (!further->report) CHECK(cairn_report_new(c->ctx, &further->report));
    return cairn_truth_report(c->ctx, further->report, e, table, options->truth);
}

/* -- one target -- */

/* The estimate of a learner and, with `out`, what it says. */
static cairn_status estimate_learner(cairn_command *c, void *data, size_t target,
                                     const cairn_table *table, cairn_evaluation *e,
                                     cairn_report *out)
{
    const estimate_job *job = data;
    const evaluate_options *options = c->options->values;
    SCOPED(cairn_further_clear) cairn_further_work further = {0};
    cairn_fit_options fit = job->fit;
    if (target > 0) fit.positive = NULL;
    cairn_evaluate_how how = {.by = job->by,
                              .level = options->level,
                              .fit = &fit,
                              .training = (cairn_training_error)options->training,
                              .splits_out = target ? NULL : options->splits_out,
                              .importance = (size_t)options->shuffles,
                              .judge = &job->judge,
                              .plain = job->several};
    if (out) CHECK(cairn_further_begin(c, &further, &options->further, &how));
    CHECK(cairn_evaluate_learner(c->ctx, e, c->inner, table, &how));
    if (!out) return CAIRN_OK;
    CHECK(cairn_further_finish(c, &further, &options->further, e, table, &how));
    if (!job->several) CHECK(save_model(c, e, table, &fit, job));
    CHECK(tell_truth(c, &further, e, table));
    for (size_t i = 0; i < e->n; i++) e->rows[i] -= (uint32_t)job->n_learned; /* rows of the file */
    CHECK(cairn_evaluation_judge(c->ctx, out, e, &job->judge));
    if (further.report) cairn_report_append(out, further.report, NULL);
    return CAIRN_OK;
}

/* The model, or the one inside that predicts the target of the table. */
static const cairn_model *model_for(const cairn_model *model, const cairn_table *table)
{
    cairn_multi_target_parts parts;
    if (!cairn_multi_target_look(&parts, model)) return model;
    const char *name = table->slots[cairn_table_role_column(table, CAIRN_TARGET)].name;
    for (size_t i = 0; i < parts.n; i++)
        if (cairn_same(cairn_model_target(parts.models[i])->name, name)) return parts.models[i];
    return model;
}

static cairn_status estimate_model(cairn_command *c, void *data, size_t target,
                                   const cairn_table *table, cairn_evaluation *e, cairn_report *out)
{
    const estimate_job *job = data;
    const evaluate_options *options = c->options->values;
    const cairn_model *model = model_for(job->model, table);
    SCOPED(cairn_further_clear) cairn_further_work further = {0};
    (void)target;
    CHECK(cairn_evaluate_model(c->ctx, e, model, table, options->level, (size_t)options->shuffles));
    e->training |= job->training;
    c->seconds_predict += e->seconds;
    if (!out) return CAIRN_OK;
    CHECK(tell_truth(c, &further, e, table));
    CHECK(cairn_evaluation_judge(c->ctx, out, e, &job->judge));
    if (further.report) cairn_report_append(out, further.report, NULL);
    return CAIRN_OK;
}

/* One target, or all of them. */
static cairn_status estimate_all(cairn_command *c, const cairn_targets *targets, cairn_table *table,
                                 cairn_target_estimate estimate, estimate_job *job)
{
    const char *out = c->common->printing.out;
    SCOPED(cairn_evaluation_clear) cairn_evaluation e = {0};
    if (targets->labels) {
        /* Labels have a line each and no more. */
        static const char *const names[] = {
            "learning-curve", "shares", "runs", "steps",       "shuffles", "errors", "cost-fn",
            "cost-fp",        "costs",  "rows", "class-ratio", "measure",  "figure", NULL};
        for (const char *const *name = names; *name; name++)
            if (cairn_params_is_set(c->options, *name))
                return cairn_fail(c->ctx, CAIRN_USAGE,
                                  "--%s looks at one target and is not for several labels per row; "
                                  "leave it out",
                                  *name);
    }
    job->several = targets->n > 1 || targets->labels;
    if (job->several && cairn_params_is_set(c->options, "truth"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--truth is about one target, and there are several; name one with "
                          "--target");
    if (job->several)
        return cairn_targets_evaluate(c, targets, table, job->judge.undefined, estimate, job);
    CHECK(estimate(c, job, 0, table, &e, c->report));
    if (out && cairn_out_is_data(c->ctx, out)) {
        /* The predictions, row by row, to the data file that --out names. */
        const char *path = c->common->printing.out;
        OWNED(cairn_table_free) cairn_table *rows = NULL;
        CHECK(cairn_evaluation_table(c->ctx, &rows, &e));
        CHECK(cairn_command_write(c, rows, path, NULL));
        c->out_done = true;
        cairn_remark(c, "wrote %s: the predictions, row by row", path);
    }
    return CAIRN_OK;
}

/* -- clusters -- */

/* What is about answers that are right or wrong. */
static cairn_status refuse_for_clusters(const cairn_command *c)
{
    static const char *const names[] = {
        "level",      "training",  "splits-out", "class-ratio",    "shuffles", "errors",
        "rows",       "undefined", "truth",      "learning-curve", "shares",   "runs",
        "label-mark", "cost-fn",   "cost-fp",    "costs",          "positive", NULL};
    if (cairn_params_is_set(c->options, "save"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save: 'cairn fit' saves a clustering; leave it out here");
    for (const char *const *name = names; *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s is about predictions that are right or wrong, and clusters are "
                              "neither; leave it out",
                              *name);
    return CAIRN_OK;
}

static cairn_clusters_options clusters_options(const cairn_command *c, const cairn_fit_options *fit)
{
    const evaluate_options *o = c->options->values;
    return (cairn_clusters_options){.by = cairn_params_is_set(c->options, "by") ? o->by : NULL,
                                    .distance = o->cluster_distance,
                                    .measures = o->measure,
                                    .fit = fit,
                                    .stability = (size_t)o->stability};
}

static cairn_status evaluate_clusters(cairn_command *c, const cairn_model *model)
{
    cairn_clusters_options how = clusters_options(c, NULL);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(refuse_for_clusters(c));
    CHECK(cairn_command_table(c, &table, c->words[1]));
    evaluation_title(c, c->words[0], c->words[1]);
    return cairn_evaluate_clusters(c->ctx, c->report, model, table, &how);
}

/* The way rows are compared, and whether clusters come again, are matters of clusters. */
static cairn_status refuse_cluster_distance(const cairn_command *c)
{
    const evaluate_options *o = c->options->values;
    if (o->stability)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--stability clusters samples of the rows again, and nothing is "
                          "clustered here; leave it out");
    if (!o->cluster_distance) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--cluster-distance compares the rows of clusters, and nothing is clustered "
                      "here; leave it out");
}

/* -- a learner, a model -- */

/* Several targets are judged one by one unless the learner takes them together; the note warns
 * of what --scale-on all lets through. */
static cairn_status evaluate_learner(cairn_command *c, estimate_job *job)
{
    const evaluate_options *options = c->options->values;
    cairn_targets targets;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_command_resampling(c, "by", options->by));
    CHECK(cairn_command_fit_options(c, &job->fit));
    CHECK(cairn_params_refuse_single(c->ctx, c->inner));
    job->fit.scale_on_all = options->scale_on == SCALE_ON_ALL;
    job->by = cairn_params_is_set(c->options, "by") ? options->by : NULL;
    if (options->test && (cairn_params_is_set(c->options, "by") || options->splits_out))
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--test names the rows that are judged, so --%s has nothing to part; leave "
            "one of them out",
            options->splits_out ? "splits-out" : "by");
    CHECK(open_table(c, &table, c->words[0]));
    if (cairn_learns_alone(((const cairn_learner *)c->inner->entry)->tasks, table, job->fit.task)) {
        cairn_clusters_options how = clusters_options(c, &job->fit);
        CHECK(refuse_for_clusters(c));
        if (options->test)
            return cairn_fail(
                c->ctx, CAIRN_USAGE,
                "--test judges predictions, and clusters are found: 'cairn fit %s %s "
                "--save MODEL' and 'cairn evaluate MODEL %s' judge them on other rows",
                c->inner->entry->name, c->words[0], options->test);
        double begun = cairn_seconds();
        evaluation_title(c, c->inner->entry->name, c->words[0]);
        CHECK(cairn_evaluate_clusterer(c->ctx, c->report, c->inner, table, &how));
        c->seconds_fit = cairn_seconds() - begun;
        return CAIRN_OK;
    }
    CHECK(refuse_cluster_distance(c));
    CHECK(cairn_targets_find(c, &targets, table));
    if ((targets.n > 1 && !cairn_targets_together(c->inner)) || targets.labels)
        CHECK(cairn_targets_wrap(c, &targets, &job->fit));
    double begun = cairn_seconds();
    evaluation_title(c, c->inner->entry->name, c->words[0]);
    if (options->test) {
        job->n_learned = table->n_rows;
        CHECK(cairn_command_add_test(c, &table, options->test, &job->by));
    }
    if (job->fit.scale_on_all)
        cairn_report_note(c->report,
                          "Scaling was fitted on all rows (--scale-on all): what it knows of the "
                          "held-out rows makes the estimate a little too good.");
    CHECK(estimate_all(c, &targets, table, estimate_learner, job));
    if (job->several) CHECK(save_model(c, NULL, table, &job->fit, job));
    c->seconds_fit = cairn_seconds() - begun;
    return CAIRN_OK;
}

/* Nothing is fitted, so options about fitting are refused; whether these are the training rows
 * is known by a hash of the data. */
static cairn_status evaluate_model(cairn_command *c, estimate_job *job)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_targets targets;
    /* A model that is fitted already has made these choices. */
    static const char *const settled[] = {
        "task",         "positive", "missing",   "with",
        "scale",        "strict",   "scale-on",  "with-calibration",
        "against-rest", "decide",   "reject",    "given",
        "label-mark",   "save",     "stability", NULL};
    if (cairn_params_is_set(c->options, "by"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--by holds out rows for a learner; a model that is already fitted is "
                          "judged on all rows, so leave it out");
    if (cairn_params_is_set(c->options, "test"))
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--test names the rows that a learner is judged by; a model that is already "
            "fitted is judged on its data: cairn evaluate %s %s",
            c->words[0], ((const evaluate_options *)c->options->values)->test);
    for (const char *const *name = settled; *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s says how a learner is fitted, and %s is fitted already; leave "
                              "it out, or fit the model again with it",
                              *name, c->words[0]);
    CHECK(cairn_further_refuse(c));
    CHECK(cairn_command_refuse_roles(c, "evaluate MODEL",
                                     CAIRN_READS_TARGET | CAIRN_READS_ID | CAIRN_READS_GROUP,
                                     "takes the columns that the model knows"));
    CHECK(cairn_command_model(c, &model, c->words[0]));
    if (model->task == CAIRN_CLUSTER) return evaluate_clusters(c, model);
    CHECK(refuse_cluster_distance(c));
    CHECK(open_table(c, &table, c->words[1]));
    CHECK(cairn_targets_match(c, &targets, model, table));
    job->model = model;
    if (model->learner->accepts & CAIRN_ACCEPTS_TARGETS)
        job->training = cairn_model_learned_from(model, table);
    double begun = cairn_seconds();
    c->seconds_predict = 0;
    evaluation_title(c, c->words[0], c->words[1]);
    CHECK(estimate_all(c, &targets, table, estimate_model, job));
    c->seconds_judge = cairn_seconds() - begun - c->seconds_predict;
    return CAIRN_OK;
}

static cairn_status evaluate_fill(cairn_command *c)
{
    estimate_job job = {.fit = CAIRN_FIT_OPTIONS_INIT};
    /* What can be found wrong before data is read. */
    const evaluate_options *o = c->options->values;
    if (cairn_same(o->save, "-"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save needs the name of a file: standard output is for the report");
    job.judge = (cairn_judge_options)CAIRN_JUDGE_OPTIONS_INIT;
    job.judge.class_ratio = o->class_ratio;
    job.judge.errors = o->errors;
    job.judge.rows_predicted = o->rows == 1;
    job.judge.undefined = (cairn_undefined)o->undefined;
    job.judge.measures = o->measure;
    CHECK(cairn_command_costs(c, &job.judge, c->inner));
    CHECK(cairn_command_measures(c, o->measure, NULL));
    if (c->inner)
        CHECK(evaluate_learner(c, &job));
    else
        CHECK(evaluate_model(c, &job));
    return CAIRN_OK;
}

static cairn_status evaluate_run(cairn_command *c)
{
    const evaluate_options *o = c->options->values;
    return cairn_command_figure(c, o->figure, evaluate_fill);
}

const cairn_verb cairn_verb_evaluate = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "evaluate",
              .also = "test, validate, assess, score, cross-validate, estimate the error",
              .about = "evaluating classifiers, evaluating a classifier, evaluation, methods of "
                       "evaluation, evaluation methods, classification "
                       "report, cross_val_score, how to measure it",
              .title = "How good it is on new rows",
              .summary =
                  "Estimates how well a learner does on rows that it has not seen, by fitting it "
                  "again and again with rows held out (everything that is learned, transforms "
                  "included, is learned inside each split), or judges a saved model on data. "
                  "Measures come with intervals and beside what the majority class or the mean "
                  "would give. Several targets, or several labels per row (--label-mark), are "
                  "judged one by one and together. Clusterers are judged by the shape of their "
                  "clusters and, with --target, beside that labelling. --out FILE writes the "
                  "report, or the "
                  "predictions row by row with "
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
