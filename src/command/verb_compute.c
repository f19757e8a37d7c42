/* SPDX-License-Identifier: MIT */
/* cairn compute: calculators on typed numbers or on a table. */
#include "command/answers.h"
#include "base/need.h"

#include <stdio.h>

typedef struct compute_options {
    cairn_common common;
    bool steps;
} compute_options;

static const cairn_param compute_params[] = {
    CAIRN_PARAM(compute_options, steps, "no", NULL, "show every step of the calculation",
                .often = true),
    CAIRN_ROLES(compute_options),
    CAIRN_READING(compute_options),
    CAIRN_RUNNING(compute_options),
    CAIRN_PRINTING(compute_options),
    CAIRN_PARAM_END,
};

/* The table that the calculator made to the data file that --out names. */
static cairn_status write_result(cairn_command *c, const cairn_table *result, const char *path)
{
    CHECK(cairn_command_write_measures(c, result, path, NULL));
    c->out_done = true;
    cairn_remark(c, "wrote %s: %zu row%s, %zu column%s", path, result->n_rows,
                 result->n_rows == 1 ? "" : "s", result->n_columns,
                 result->n_columns == 1 ? "" : "s");
    return CAIRN_OK;
}

/* The model that stands alone, or before the data. */
static cairn_status read_model(cairn_command *c, const cairn_calculator *calculator,
                               cairn_model **out)
{
    bool data = calculator->takes_data || calculator->needs_data, model = c->n_words > 0;
    if (data && model) CHECK(cairn_command_is_model(c, c->words[0], &model));
    if (!model) return CAIRN_OK;
    CHECK(cairn_command_model(c, out, c->words[0]));
    c->words++, c->given++, c->n_words--;
    return CAIRN_OK;
}

/* The record of the calculator says what it takes; words that it has no use for are refused,
 * never left unread. */
static cairn_status compute_run(cairn_command *c)
{
    const compute_options *options = c->options->values;
    const cairn_calculator *calculator = cairn_calculator_of(c->inner->entry);
    const char *out = options->common.printing.out;
    SCOPED(cairn_sources_clear) cairn_sources sources = {0};
    OWNED(cairn_table_free) cairn_table *result = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    const char *word = calculator->takes_word && c->n_words ? c->words[0] : NULL;
    char what[96];
    double begun;
    if (calculator->takes_word && !c->n_words)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'compute %s' needs a word: cairn compute %s %s ...",
                          calculator->entry.name, calculator->entry.name, calculator->arguments);
    bool takes_data = calculator->takes_data || calculator->needs_data;
    if (c->n_words && !takes_data && !calculator->takes_word && !calculator->takes_model)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'compute %s' takes options only, not '%s'",
                          calculator->entry.name, c->words[0]);
    snprintf(what, sizeof what, "compute %s", calculator->entry.name);
    if (calculator->takes_model) CHECK(read_model(c, calculator, &model));
    if (calculator->needs_data && !c->n_words)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' needs DATA", what);
    if (takes_data)
        CHECK(cairn_command_sources(c, &sources,
                                    &(cairn_wanted_sources){what, calculator->several,
                                                            calculator->answers,
                                                            calculator->baskets}));
    else if (c->n_words > calculator->takes_word)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' does not know what to do with '%s'", what,
                          c->words[calculator->takes_word]);
    CHECK(cairn_sources_refuse_unread(c, what, calculator->reads, &sources));
    if (word) CHECK(cairn_virtual_real(c->ctx, c->files, &word));
    cairn_compute_job job = {.what = what,
                             .params = c->inner->values,
                             .table = sources.n ? sources.list[0] : NULL,
                             .tables = {(const cairn_table *const *)sources.list, sources.n},
                             .steps = options->steps,
                             .result = out && cairn_out_is_data(c->ctx, out) ? &result : NULL,
                             .word = word,
                             .model = model};
    begun = cairn_seconds();
    CHECK(cairn_need_said(c->ctx, calculator->run(c->ctx, c->report, &job), CAIRN_SMALLER_TABLE,
                          "computing %s", what));
    c->seconds_compute = cairn_seconds() - begun;
    if (sources.training)
        cairn_report_note(c->report,
                          "The model was fitted to these very rows, so this is optimistic.");
    if (result) CHECK(write_result(c, result, out));
    return CAIRN_OK;
}

const cairn_verb cairn_verb_compute = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "compute",
              .also = "calculate, calculator, calc, work out",
              .title = "Calculators",
              .summary = "Small calculations on numbers that are typed, on a table, or on what "
                         "models say about one: 'cairn list "
                         "calculators' names them, 'cairn compute TOPIC --help' shows the options "
                         "of one. --out FILE writes the report (html, json, md, txt) or, when it "
                         "names a data file (csv, arff ...), the table that the calculator makes.",
              .example = "cairn compute impurity --counts 9,5",
              .params = compute_params,
              .params_size = sizeof(compute_options)},
    .arguments = "TOPIC [MODEL ...] [DATA ...]",
    .least = 1,
    .most = 34,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_CALCULATOR,
    .run = compute_run,
};
