/* SPDX-License-Identifier: MIT */
/* cairn fit: learn a model, show the work, say what was learned, save it. */
#include "base/number.h"
#include "command/prediction.h"
#include "command/scores.h"
#include "command/targets.h"
#include "command/unlabelled.h"
#include "model/model_objects.h"

#include <string.h>

typedef struct fit_options {
    cairn_common common;
    bool steps;
    bool history;
    const char *save, *from;
    bool force;
    int64_t chunk;
} fit_options;

static const cairn_param fit_params[] = {
    CAIRN_ROLES(fit_options),
    CAIRN_FITTING(fit_options),
    CAIRN_GIVEN(fit_options),
    CAIRN_PARAM(fit_options, steps, "no", NULL, "show every step of the calculation",
                .often = true),
    CAIRN_PARAM_WRITES(fit_options, save, "write the model to this file", .often = true),
    CAIRN_SAVE_FORCE(fit_options),
    CAIRN_PARAM(fit_options, history, "yes", NULL,
                "keep how the model came about (curves, a sample of the rows, training measures) "
                "beside it; without, the model alone is kept, which is all that predicting needs"),
    CAIRN_PARAM_AS(fit_options, from, CAIRN_TYPE_FILE, NULL,
                   "a saved model of this learner, which takes these rows in as well: settings and "
                   "transforms stay as they are"),
    CAIRN_PARAM(fit_options, chunk, "0", "[0,inf)",
                "read so many rows at a time, from a csv file or a pipe, and add them to the "
                "model, so that memory stays small; 0 = all at once"),
    CAIRN_READING(fit_options),
    CAIRN_LONG_FORM(fit_options),
    CAIRN_RUNNING(fit_options),
    CAIRN_PRINTING(fit_options),
    CAIRN_PARAM_END,
};

/* The fitted labels or values of the training rows to the data file that --out names. */
static cairn_status write_fitted(cairn_command *c, const cairn_model *model,
                                 const cairn_table *table)
{
    const char *path = c->common->printing.out;
    cairn_output_options options = {.label = true, .all_extra = true, .fitted = true};
    cairn_prediction prediction;
    OWNED(cairn_table_free) cairn_table *fitted = NULL;
    CHECK(cairn_predict_table(c, &fitted, &prediction, model, table, &options));
    cairn_prediction_clear(&prediction);
    CHECK(cairn_command_write(c, fitted, path, NULL));
    c->out_done = true;
    size_t n = cairn_table_rows(fitted);
    cairn_remark(c, "wrote %s: %zu row%s with what the model says about %s", path, n,
                 n == 1 ? "" : "s", n == 1 ? "it" : "them");
    return CAIRN_OK;
}

/* Weights are counts of rows. Shares that add up to 1 make a table of one row: hardly meant. */
static void warn_of_shares(const cairn_command *c, const cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_WEIGHT);
    char value[CAIRN_NUMBER_SIZE];
    double sum = 0;
    size_t n = 0;
    if (at < 0 || table->slots[at].column->kind != CAIRN_NUMBER) return;
    const double *weights = table->slots[at].column->numbers;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (!(weights[i] > 0)) continue;
        sum += weights[i];
        n++;
    }
    if (2 * sum >= (double)n) return;
    cairn_number_format(value, sum, 4);
    cairn_warn(c->ctx,
               "the weights in column '%s' add up to %s over %zu rows: a weight is a count of "
               "rows, so standard errors, tests and least sizes see only so many; if they are "
               "shares, multiply them so that they add up to the number of rows",
               table->slots[at].name, value, n);
}

/* Fit with the steps, if any, in a report of their own: the run card comes before them. */
/* What a model that was written by hand says about rows without labels becomes their labels. */
static cairn_status label_rows(cairn_command *c, cairn_table *table,
                               const cairn_fit_options *options)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options quiet = *options;
    cairn_log_function log = c->ctx->log;
    quiet.steps = NULL;
    c->ctx->log = NULL; /* the second reading warns of the same */
    cairn_status status = cairn_model_fit(c->ctx, &model, c->inner, table, &quiet);
    c->ctx->log = log;
    CHECK(status);
    return cairn_unlabelled_answer(c, table, model);
}

static cairn_status fit_model(cairn_command *c, cairn_model **out, cairn_report *steps,
                              cairn_table *table)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_targets targets;
    double begun;
    CHECK(cairn_command_fit_options(c, &options));
    CHECK(cairn_targets_find(c, &targets, table));
    if (targets.labels || (targets.n > 1 && cairn_targets_together(c->inner)))
        CHECK(cairn_targets_wrap(c, &targets, &options));
    options.steps = steps;
    options.no_history = !((const fit_options *)c->options->values)->history;
    warn_of_shares(c, table);
    begun = cairn_seconds();
    if (c->unlabelled) CHECK(label_rows(c, table, &options));
    CHECK(cairn_model_fit(c->ctx, out, c->inner, table, &options));
    c->seconds_fit = cairn_seconds() - begun;
    return CAIRN_OK;
}

/* The work that was asked for; of a large model its beginning in brief. */
static void show_steps(cairn_report *out, cairn_report *steps)
{
    enum { STEPS = 300 }; /* lines */
    if (!steps) return;
    cairn_report_heading(out, 2, "Steps");
    cairn_report_clip_begin(out, STEPS);
    cairn_report_append(out, steps, NULL);
    cairn_report_clip_end(out);
}

static cairn_status fill_report(cairn_command *c, const cairn_model *model, cairn_report *steps,
                                const cairn_table *table)
{
    cairn_report_heading(c->report, 1, "%s: %s", c->inner->entry->title, c->words[0]);
    cairn_model_run_card(c->report, model);
    show_steps(c->report, steps);
    CHECK(cairn_model_describe(c->ctx, c->report, model));
    if (c->unlabelled) {
        cairn_report_note(c->report, "The rows have no labels: what is counted are the model's own "
                                     "answers, so nothing is said about errors.");
        return CAIRN_OK;
    }
    return cairn_report_training(c, model, table);
}

/* -- models that take in more rows -- */

/* Options that were decided when the model was first fitted. */
static cairn_status check_from(const cairn_command *c)
{
    static const char *const first[] = {"formula", "task",   "positive",     "missing",
                                        "with",    "scale",  "strict",       "with-calibration",
                                        "decide",  "costs",  "cost-fn",      "cost-fp",
                                        "given",   "reject", "against-rest", NULL};
    for (const char *const *name = first; *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s was decided when the model was first fitted; leave it out "
                              "beside --from",
                              *name);
    for (size_t i = 0; i < c->inner->n_rows; i++) {
        char option[64];
        if (!c->inner->texts[i]) continue;
        cairn_option_name(option, cairn_params_row(c->inner->entry, i, NULL)->name);
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--%s is a setting of the model that --from names; leave it out, or fit "
                          "a new model",
                          option);
    }
    return CAIRN_OK;
}

/* An object of the caller is not written to: what takes more rows in is a copy of it. */
static cairn_status own_model(cairn_command *c, cairn_model **model, const char *name)
{
    cairn_model *copy;
    CHECK(cairn_model_copy(c->ctx, &copy, *model, name));
    if (c->reads_for == *model) c->reads_for = copy;
    cairn_model_free(*model);
    *model = copy;
    return CAIRN_OK;
}

/* What such a learner knows cannot be brought up to date with some rows alone; name those whose
 * models can. */
static cairn_status refuse_more_rows(cairn_context *ctx, const cairn_learner *learner,
                                     const char *option)
{
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == CAIRN_ENTRY_LEARNER && ((const cairn_learner *)entries[i])->update)
            cairn_text_addf(&names, "%s%s", found++ ? ", " : "", entries[i]->name);
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status =
            cairn_fail(ctx, CAIRN_USAGE,
                       "%s needs all rows at once, since old rows change what new ones mean to "
                       "it; leave out %s and fit it to all rows (taking rows in bit by bit: "
                       "%s)",
                       learner->entry.name, option, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* Options that need all rows at once. */
static cairn_status check_chunk(const cairn_command *c, const cairn_fit_options *fitting)
{
    const fit_options *options = c->options->values;
    const cairn_learner *learner = (const cairn_learner *)c->inner->entry;
    const char *out = options->common.printing.out;
    if (!learner->update)
        return refuse_more_rows(c->ctx, learner, options->from ? "--from" : "--chunk");
    if (options->common.fitting.label_mark)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "several labels per row need all rows at once; leave out %s",
                          options->from ? "--from" : "--chunk");
    if (!options->chunk) return CAIRN_OK;
    if (options->steps || cairn_params_ask_steps(c->inner) ||
        (out && cairn_out_is_data(c->ctx, out)) || options->common.fitting.given)
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--steps, --given and --out with a data file need all rows at once; leave "
            "out --chunk");
    if (fitting->around && fitting->around[0])
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "a learner inside another one needs all rows at once; leave out --chunk");
    return CAIRN_OK;
}

/* Fit with the first table, add the others. */
static cairn_status take_in(cairn_command *c, cairn_model **model, const cairn_table *table,
                            cairn_fit_options *options)
{
    double begun = cairn_seconds();
    if (cairn_table_role_count(table, CAIRN_TARGET) > 1)
        CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                         "several targets need all rows at once; name one with --target, or leave "
                         "out --chunk and --from"));
    if (*model)
        CHECK(cairn_model_update(c->ctx, *model, table, options));
    else
        CHECK(cairn_model_fit(c->ctx, model, c->inner, table, options));
    c->seconds_fit = (c->seconds_fit > 0 ? c->seconds_fit : 0) + cairn_seconds() - begun;
    return CAIRN_OK;
}

/* The first chunk makes the model and its schema, later ones must fit into it; a single class is
 * an error only when all rows have been seen. */
static cairn_status take_chunks(cairn_command *c, cairn_model **model, cairn_fit_options *options,
                                size_t n_rows)
{
    cairn_chunks *chunks = NULL;
    cairn_table *table = NULL;
    cairn_status status;
    options->more_follow = true;
    TRY(cairn_command_open_chunks(c, &chunks, c->words[0]));
    for (;;) {
        size_t before = cairn_chunks_rows(chunks);
        TRY(cairn_tick(c->ctx, "rows", (double)before, 0));
        TRY(cairn_command_next_chunk(c, chunks, n_rows, &table));
        if (!table) break;
        status = take_in(c, model, table, options);
        if (status)
            cairn_message_prefix(c->ctx, "in the chunk of rows %zu to %zu", before + 1,
                                 cairn_chunks_rows(chunks));
        TRY(status);
        cairn_chunks_expect(chunks, &(*model)->schema);
        if (before == 0 && (*model)->n_chain && !((const fit_options *)c->options->values)->from)
            cairn_warn(c->ctx,
                       "the transforms are fitted on the first %zu rows and applied to the others",
                       cairn_chunks_rows(chunks));
        cairn_table_free(table);
        table = NULL;
    }
    if (!*model) TRY(cairn_fail(c->ctx, CAIRN_BAD_DATA, "there is no row to learn from"));
    if ((*model)->task == CAIRN_CLASSIFY && (*model)->n_classes < 2)
        TRY(cairn_fail(c->ctx, CAIRN_BAD_DATA,
                       "the target '%s' has one class only, so there is nothing to learn; choose "
                       "another --target",
                       cairn_model_target(*model)->name));
done:
    cairn_table_free(table);
    cairn_chunks_close(chunks);
    return status;
}

/* --from and --chunk: the model grows. */
static cairn_status grow_run(cairn_command *c, cairn_model **model, cairn_report *steps,
                             cairn_table **table)
{
    const fit_options *options = c->options->values;
    cairn_fit_options fitting = CAIRN_FIT_OPTIONS_INIT;
    size_t before = 0;
    CHECK(cairn_command_fit_options(c, &fitting));
    CHECK(check_chunk(c, &fitting));
    if (options->from) {
        const char *path = options->from;
        CHECK(check_from(c));
        CHECK(cairn_command_model(c, model, path));
        if (&(*model)->learner->entry != c->inner->entry)
            CHECK(cairn_fail(c->ctx, CAIRN_USAGE, "--from %s holds a model of %s, not of %s", path,
                             (*model)->learner->entry.name, c->inner->entry->name));
        if (*path == '@') CHECK(own_model(c, model, path));
    }
    if (*model) before = (*model)->n_rows;
    fitting.steps = steps;
    if (options->chunk) {
        CHECK(take_chunks(c, model, &fitting, (size_t)options->chunk));
    } else {
        CHECK(cairn_command_table(c, table, c->words[0]));
        CHECK(take_in(c, model, *table, &fitting));
    }
    cairn_report_heading(c->report, 1, "%s: %s", c->inner->entry->title, c->words[0]);
    cairn_model_run_card(c->report, *model);
    cairn_report_value(c->report, "rows that were added", (double)((*model)->n_rows - before),
                       "model.added");
    show_steps(c->report, steps);
    return cairn_model_describe(c->ctx, c->report, *model);
}

/* Names and files are checked before the data are read, and the model is saved after the report
 * is complete. */
static cairn_status fit_run(cairn_command *c)
{
    const fit_options *options = c->options->values;
    const char *out = options->common.printing.out;
    cairn_fit_options checked = CAIRN_FIT_OPTIONS_INIT;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    if (cairn_same(options->save, "-"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--save needs the name of a file: standard output "
                          "is for the report");
    CHECK(cairn_command_fit_options(c, &checked)); /* wrong names are found before data is read */
    if (options->steps || cairn_params_ask_steps(c->inner)) CHECK(cairn_report_new(c->ctx, &steps));
    if (options->from || options->chunk) {
        CHECK(grow_run(c, &model, steps, &table));
    } else {
        CHECK(cairn_command_table(c, &table, c->words[0]));
        CHECK(fit_model(c, &model, steps, table));
        CHECK(fill_report(c, model, steps, table));
    }
    if (options->save) {
        CHECK(cairn_command_save(c, model, options->save));
        cairn_remark(c, "saved the model to %s", options->save);
    }
    if (out && cairn_out_is_data(c->ctx, out)) CHECK(write_fitted(c, model, table));
    return CAIRN_OK;
}

const cairn_verb cairn_verb_fit = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "fit",
              .also = "train, learn, build, estimate a model, learning",
              .about = "training, training a model, hand-written model",
              .title = "Learn a model",
              .summary =
                  "Learns a model from the rows of a table. The report says what was decided "
                  "(which column is predicted, as classes or as a number), what was learned, and "
                  "how well the model repeats its own training rows, which is an optimistic "
                  "measure: cairn evaluate gives an honest one. Several targets (--target a,b), or "
                  "several labels in one cell (--label-mark ';'), get a model each. With --steps "
                  "the whole calculation "
                  "is shown. The parameters of the learner are options too: cairn fit tree --help "
                  "lists them. --out FILE writes the report (html, json, md, txt) or, when it "
                  "names a data file (csv, arff ...), what the model says about the training rows. "
                  "Learners that work by counts and sums, and kmeans, can take in more rows later "
                  "(--from "
                  "MODEL) or read them in pieces, from a pipe too (--chunk N).",
              .example = "cairn fit tree @weather --steps",
              .params = fit_params,
              .params_size = sizeof(fit_options)},
    .arguments = "LEARNER DATA",
    .least = 2,
    .most = 2,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_LEARNER,
    .settled = "from",
    .run = fit_run,
};
