/* SPDX-License-Identifier: MIT */
/* cairn predict: apply a saved model to rows. */
#include "command/answers.h"
#include "command/prediction.h"
#include "command/scores.h"

#include "base/memory.h"
#include "explain/shapley_report.h"
#include "wrappers/multi_target.h"

#include <string.h>

enum {
    EXPLAINED_ROWS = 10, /* unless --rows says which */
    SHOWN_ROWS = 10      /* on a terminal */
};

typedef struct predict_options {
    cairn_common common;
    const char *output;
    bool explain, unanswered, force;
    int explain_by, draws;
    const char *row, *rows, *background;
} predict_options;

enum { BY_AUTO, BY_COLUMNS, BY_SHAPLEY };

static const cairn_choice explain_choices[] = {
    {"auto", BY_AUTO,
     "path, terms or distances where the learner knows them, else shapley where these are exact, "
     "else columns"},
    {"columns", BY_COLUMNS, "exchange one column at a time, for any learner"},
    {"shapley", BY_SHAPLEY,
     "Shapley values, which add up to the answer: exact for sums of trees or columns, else from "
     "draws"},
    {0},
};

static const cairn_param predict_params[] = {
    CAIRN_PARAM(predict_options, output, "label", NULL,
                "what to write, separated by commas: label (or class, number, cluster), scores (or "
                "probabilities), further outputs of the learner "
                "by name, or all",
                .often = true),
    {.name = "row",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(predict_options, row),
     .help = "a typed row in place of DATA: columns and their values, such as 'age=30,sex=male'; "
             "the others are missing",
     .repeated = true,
     .often = true},
    CAIRN_PARAM(predict_options, unanswered, "no", NULL,
                "answer only the rows whose target is missing in the data", .when = "!row"),
    CAIRN_PARAM(predict_options, explain, "no", NULL,
                "give the reasons for the predictions, as a report", .often = true),
    CAIRN_PARAM(predict_options, rows, NULL, NULL,
                "the rows, such as 1,5,7-9; the first 10 when not given", .when = "explain"),
    CAIRN_PARAM_CHOICE(predict_options, explain_by, "auto", explain_choices,
                       "where the reasons come from", .when = "explain"),
    CAIRN_PARAM_AS(predict_options, background, CAIRN_TYPE_FILE, NULL,
                   "data whose values are exchanged with those of the row; when not given the "
                   "training rows that the model keeps, or without these the data predicted",
                   .when = "explain"),
    CAIRN_PARAM(predict_options, draws, "50", "[1,100000]",
                "at most so many rows of the background, drawn with --seed", .when = "explain"),
    CAIRN_TABLE_FORCE(predict_options),
    CAIRN_ROLES(predict_options),
    CAIRN_READING(predict_options),
    CAIRN_LONG_FORM(predict_options),
    CAIRN_RUNNING(predict_options),
    CAIRN_PRINTING(predict_options),
    CAIRN_PARAM_END,
};

/* One cell of a table of predictions, with the name "column.row". */
static void report_cell(cairn_report *report, const cairn_table *table, size_t column, size_t row)
{
    const char *key = cairn_report_key(report, table->slots[column].name);
    const double *numbers = cairn_table_numbers(table, column);
    char text[256];
    if (numbers) {
        cairn_report_cell_number(report, numbers[row], 0, "%s.%zu", key, row + 1);
        return;
    }
    cairn_table_cell(table, column, row, text, sizeof text);
    cairn_report_cell_word(report, text, "%s.%zu", key, row + 1);
}

/* The predictions as a table of the report: all rows for programs, the first for people. */
static void report_predictions(cairn_command *c, const cairn_table *table)
{
    bool json = c->common->printing.format == CAIRN_FORMAT_JSON ||
                (c->common->printing.out && cairn_ends_with(c->common->printing.out, ".json"));
    cairn_report_heading(c->report, 1, "Predictions of %s for %s", c->words[0],
                         c->n_words > 1 ? c->words[1] : "what was typed");
    cairn_report_value(c->report, "rows", (double)table->n_rows, "rows");
    bool explains = ((const predict_options *)c->options->values)->explain;
    /* The reasons for rows that are named begin with the answer; in brief that is enough. */
    bool named = ((const predict_options *)c->options->values)->rows != NULL;
    unsigned before = cairn_report_only(c->report, named ? CAIRN_IN_FULL : CAIRN_IN_BOTH);
    cairn_report_table_begin(c->report, NULL, json || c->files ? (size_t)-1 : explains ? 10 : 0);
    bool numbered = cairn_table_find(table, "row") >= 0; /* by the table itself */
    if (!numbered) cairn_report_column(c->report, "row", 'r');
    for (size_t i = 0; i < table->n_columns; i++)
        cairn_report_column(c->report, table->slots[i].name,
                            cairn_table_numbers(table, i) ? 'r' : 'l');
    for (size_t row = 0; row < table->n_rows && cairn_report_row_wanted(c->report); row++) {
        if (!numbered) cairn_report_cellf(c->report, "%zu", row + 1);
        for (size_t i = 0; i < table->n_columns; i++) report_cell(c->report, table, i, row);
    }
    cairn_report_table_end(c->report);
    cairn_report_for(c->report, before);
}

/* -- rows that wait for an answer -- */

/* The number of every row in the file, when no column names them. */
static cairn_status add_row_numbers(cairn_context *ctx, cairn_table *table, const uint32_t *rows,
                                    const cairn_model *model)
{
    double *numbers;
    bool named = cairn_table_role_count(table, CAIRN_ID) || cairn_table_find(table, "row") >= 0;
    for (size_t i = 0; i < model->schema.n_fields; i++)
        named |= model->schema.fields[i].role == CAIRN_ID &&
                 cairn_table_find(table, model->schema.fields[i].name) >= 0;
    if (named) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &numbers, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) numbers[i] = (double)rows[i] + 1;
    CHECK(cairn_table_put_numbers(ctx, table, "row", numbers));
    return cairn_table_set_role(ctx, table, "row", CAIRN_ID);
}

/* Keep the rows that lack a target. */
static cairn_status keep_unanswered(cairn_command *c, cairn_table **table, const cairn_model *model)
{
    const cairn_table *all = *table;
    OWNED(cairn_table_free) cairn_table *kept = NULL;
    bool *targets;
    uint32_t *rows;
    size_t n = 0;
    /* The columns of the data that hold what the model predicts. */
    size_t found = 0;
    const char *name = NULL;
    cairn_multi_target_parts parts;
    cairn_multi_target_look(&parts, model);
    CHECK(SCRATCH(c->ctx, &targets, all->n_columns + 1));
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        if (model->schema.fields[i].role != CAIRN_TARGET) continue;
        name = parts.labels ? parts.labels : model->schema.fields[i].name;
        ptrdiff_t at = cairn_table_find(all, name);
        if (at < 0) continue;
        (targets)[at] = true;
        found++;
    }
    if (!name)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--unanswered: %s has no target",
                          cairn_model_learner(model));
    if (!found)
        return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                          "--unanswered: %s has no column '%s', so all its rows wait for an "
                          "answer; leave the option out",
                          c->words[1], name);
    CHECK(SCRATCH(c->ctx, &rows, all->n_rows + 1));
    for (size_t i = 0; i < all->n_rows; i++) {
        bool waits = false;
        for (size_t k = 0; k < all->n_columns; k++)
            waits |= targets[k] && cairn_column_is_missing(all->slots[k].column, i);
        if (waits) rows[n++] = (uint32_t)i;
    }
    CHECK(cairn_table_take_rows(c->ctx, &kept, all, rows, n));
    CHECK(add_row_numbers(c->ctx, kept, rows, model));
    cairn_remark(c, "%zu of %zu rows wait%s for an answer and get%s one; the others are left out",
                 n, all->n_rows, n == 1 ? "s" : "", n == 1 ? "s" : "");
    cairn_report_hidden(c->report, (double)n, "waiting");
    cairn_table_free(*table);
    *table = TAKE(kept);
    return CAIRN_OK;
}

/* The learner's own reasons come first, then values that add up, then exchanged columns. */
static cairn_status explain_model(cairn_command *c, cairn_report *out, const cairn_model *model,
                                  const cairn_table *table, const cairn_explain_how *how)
{
    int by = ((const predict_options *)c->options->values)->explain_by;
    bool shapley = by == BY_SHAPLEY;
    if (by == BY_AUTO && model->learner && !model->learner->explain)
        CHECK(cairn_shapley_is_exact(c->ctx, model, &shapley));
    return shapley ? cairn_shapley_explain(c->ctx, out, model, table, how)
                   : cairn_model_explain(c->ctx, out, model, table, how);
}

/* Reasons of the model, or of every model inside it. */
static cairn_status explain_targets(cairn_command *c, const cairn_model *model,
                                    const cairn_table *table, const cairn_explain_how *how)
{
    cairn_multi_target_parts parts;
    OWNED(cairn_report_free) cairn_report *part = NULL;
    if (!cairn_multi_target_look(&parts, model))
        return explain_model(c, c->report, model, table, how);
    for (size_t i = 0; i < parts.n; i++) {
        const char *name = cairn_model_target(parts.models[i])->name;
        CHECK(cairn_report_new(c->ctx, &part));
        CHECK(explain_model(c, part, parts.models[i], table, how));
        cairn_report_heading(c->report, 2, "Target: %s", name);
        cairn_report_append(c->report, part, cairn_report_key(c->report, name));
        cairn_report_free(part);
        part = NULL;
    }
    return CAIRN_OK;
}

/* Explaining is slow, so without --rows only the first rows are; the text says so. */
static cairn_status explain(cairn_command *c, const cairn_model *model, const cairn_table *table)
{
    const predict_options *options = c->options->values;
    cairn_table *background = NULL;
    cairn_status status;
    uint32_t *rows;
    size_t n = table->n_rows < EXPLAINED_ROWS ? table->n_rows : EXPLAINED_ROWS;
    if (options->rows) {
        status = cairn_row_list(c->ctx, &rows, &n, options->rows, table->n_rows);
        if (status) cairn_message_prefix(c->ctx, "--rows");
        if (status) return status;
    } else {
        TRY(SCRATCH(c->ctx, &rows, n + 1));
        for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)i;
    }
    if (options->background) TRY(cairn_command_read(c, &background, options->background));
    if (background && !background->n_rows)
        TRY(cairn_fail(c->ctx, CAIRN_BAD_DATA, "--background %s has no rows", options->background));
    cairn_explain_how how = {.rows = rows,
                             .n_rows = n,
                             .by_columns = options->explain_by == BY_COLUMNS,
                             .background = background,
                             .keeper = model,
                             .draws = (size_t)options->draws};
    TRY(explain_targets(c, model, table, &how));
    if (!options->rows && table->n_rows > n)
        cairn_report_paragraph(c->report,
                               "These are the first %zu of %zu rows; --rows names others.", n,
                               table->n_rows);
done:
    cairn_table_free(background);
    return status;
}

/* -- rows that are typed -- */

static const char *feature_candidate(size_t i, const void *data)
{
    const cairn_model *model = data;
    const cairn_field *field = cairn_schema_feature(&model->schema, i);
    return field ? field->name : NULL;
}

/* One line "age=30,sex=male" as a line of CSV with a cell for each feature; which were given is
 * added up in `given`. */
static cairn_status add_typed_row(cairn_context *ctx, cairn_text *out, const cairn_model *model,
                                  const char *line, bool *given)
{
    char **pairs;
    const char **values;
    size_t n, n_features = 0;
    while (feature_candidate(n_features, model)) n_features++;
    CHECK(cairn_list_split(ctx, line, &pairs, &n));
    CHECK(SCRATCH(ctx, &values, n_features));
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(pairs[i], '=');
        if (!equals)
            return cairn_fail(ctx, CAIRN_USAGE, "--row: '%s' should read COLUMN=VALUE", pairs[i]);
        *equals = 0;
        for (char *end = equals; end > pairs[i] && end[-1] == ' ';) *--end = 0;
        size_t f = 0;
        while (f < n_features && strcmp(feature_candidate(f, model), pairs[i]) != 0) f++;
        const char *near =
            f < n_features ? NULL : cairn_nearest_word(pairs[i], feature_candidate, model);
        if (f == n_features)
            return cairn_fail(ctx, CAIRN_USAGE, "--row: the model knows no feature '%s'%s%s%s",
                              pairs[i], near ? "; did you mean '" : "", near ? near : "",
                              near ? "'?" : "");
        if (values[f])
            return cairn_fail(ctx, CAIRN_USAGE, "--row: '%s' stands there twice", pairs[i]);
        char *value = equals + 1 + strspn(equals + 1, " ");
        size_t length = strlen(value);
        bool quoted =
            length > 1 && (*value == '"' || *value == '\'') && value[length - 1] == *value;
        if (quoted) value[length - 1] = 0;
        values[f] = value + quoted;
        given[f] = true;
    }
    for (size_t f = 0; f < n_features; f++) {
        if (f) cairn_text_add_char(out, ',');
        cairn_text_add_csv(out, values[f] ? values[f] : "?");
    }
    cairn_text_add_char(out, '\n');
    return CAIRN_OK;
}

static cairn_status read_typed_rows(cairn_command *c, cairn_table **out, const cairn_model *model,
                                    const char *typed)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(c->ctx);
    SCOPED(cairn_text_clear) cairn_text lacks = cairn_text_start(c->ctx);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    const char *const *lines;
    bool *given;
    size_t n = 0;
    CHECK(cairn_list_lines(c->ctx, typed, &lines));
    for (; feature_candidate(n, model); n++) {
        if (n) cairn_text_add_char(&text, ',');
        cairn_text_add_csv(&text, feature_candidate(n, model));
    }
    cairn_text_add_char(&text, '\n');
    CHECK(SCRATCH(c->ctx, &given, n + 1));
    for (; *lines; lines++) CHECK(add_typed_row(c->ctx, &text, model, *lines, given));
    for (size_t f = 0; f < n; f++)
        if (!given[f])
            cairn_text_addf(&lacks, "%s%s", lacks.length ? ", " : "", feature_candidate(f, model));
    CHECK(cairn_text_status(&text));
    CHECK(cairn_text_status(&lacks));
    if (lacks.length) cairn_remark(c, "missing in what was typed: %s", cairn_text_string(&lacks));
    cairn_model_reading(model, &options);
    options.expected = &model->schema;
    options.separator = ',';
    options.header = 1;
    options.skip = 0;
    return cairn_table_read_memory(c->ctx, out, "--row", cairn_text_string(&text), text.length,
                                   &options);
}

/* What is asked for is checked against the options and the model before the data are read. */
static cairn_status predict_run(cairn_command *c)
{
    const predict_options *options = c->options->values;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_table_free) cairn_table *result = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_output_options wanted;
    /* --format is for a report, a data file is for the predictions: one --out cannot be both. */
    const char *out = c->common->printing.out;
    if (out && cairn_params_is_set(c->options, "format") && cairn_out_is_data(c->ctx, out)) {
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--format %s asks for a report, but --out %s names a data file; leave "
                          "--format out or choose another ending",
                          cairn_params_text(c->options, "format"), out);
    }
    CHECK(cairn_command_check_reading(c));
    CHECK(cairn_command_model(c, &model, c->words[0]));
    /* The model knows its columns. Its own target may be named again, and with --sequence
     * columns are ignored before rows become sequences. */
    const cairn_field *target = cairn_model_target(model);
    const char *asked = c->common->roles.target;
    unsigned reads = CAIRN_READS_ID;
    if (asked && target && cairn_same(asked, target->name)) reads |= CAIRN_READS_TARGET;
    if (c->common->long_form.sequence) reads |= CAIRN_READS_FEATURES;
    CHECK(
        cairn_command_refuse_roles(c, "predict", reads, "takes the columns that the model knows"));
    CHECK(cairn_output_parse(c, &wanted, model, options->output));
    if (options->row ? c->n_words > 1 : c->n_words < 2)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          options->row ? "'predict' takes DATA or --row, not both"
                                       : "'predict' needs DATA, or a typed row: --row "
                                         "'COLUMN=VALUE,COLUMN=VALUE'");
    if (options->row)
        CHECK(read_typed_rows(c, &table, model, options->row));
    else
        CHECK(cairn_command_table(c, &table, c->words[1]));
    if (options->unanswered) CHECK(keep_unanswered(c, &table, model));
    CHECK(cairn_predict_table(c, &result, &prediction, model, table, &wanted));
    if (!options->unanswered) CHECK(cairn_remark_scores(c, model, table, &prediction));
    /* As CSV to standard output, as a data file, or as a report. */
    const cairn_printing *p = &c->common->printing;
    bool explains = ((const predict_options *)c->options->values)->explain;
    bool report = cairn_params_is_set(c->options, "format") || c->files || explains ||
                  (p->out && cairn_out_is_report(p->out));
    if (report) report_predictions(c, result);
    if (p->out && !cairn_out_is_report(p->out) && !cairn_params_is_set(c->options, "format")) {
        CHECK(cairn_command_write(c, result, p->out, NULL));
        c->out_done = true;
        c->no_report = !explains;
        cairn_remark(c, "wrote %s: %zu row%s", p->out, result->n_rows,
                     result->n_rows == 1 ? "" : "s");
    } else if (!report) {
        CHECK(cairn_command_write(c, result, "-", "csv"));
        c->document_rows = SHOWN_ROWS;
    }
    if (options->explain) CHECK(explain(c, model, table));
    return CAIRN_OK;
}

const cairn_verb cairn_verb_predict = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "predict",
              .also = "apply, classify, inference, forecast, label new rows",
              .about = "predict_proba, predict probabilities, explain a prediction",
              .title = "Apply a model to rows",
              .summary =
                  "Applies a model that cairn fit --save wrote. Columns are found by name, in any "
                  "order; levels that were not seen in training count as missing and are counted "
                  "on standard error. The answer is CSV on standard output, or the file that --out "
                  "names, in the format of its ending. Columns that name rows (--id) come first. "
                  "When the data holds the true values, a short comparison goes to standard error. "
                  "--unanswered answers the rows whose target is missing, and no others; --row "
                  "answers a row that is typed. "
                  "--explain tells the reasons row by row: the path through a tree, the terms of a "
                  "sum, the distances to centres, and for every other learner what happens when "
                  "one column after the other gets the values of other rows.",
              .example = "cairn fit tree @weather --save weather.cairn && "
                         "cairn predict weather.cairn @weather",
              .params = predict_params,
              .params_size = sizeof(predict_options)},
    .arguments = "MODEL [DATA]",
    .least = 1,
    .most = 2,
    .run = predict_run,
};
