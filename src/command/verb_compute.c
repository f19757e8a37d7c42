/* SPDX-License-Identifier: MIT */
/* cairn compute: calculators on typed numbers or on a table. */
#include "command/command.h"

#include "compute/compute.h"

typedef struct compute_options {
    cairn_common common;
    bool steps;
} compute_options;

static const cairn_param compute_params[] = {
    CAIRN_PARAM(compute_options, steps, "no", NULL, "show every step of the calculation"),
    CAIRN_ROLES(compute_options),
    CAIRN_READING(compute_options),
    CAIRN_RUNNING(compute_options),
    CAIRN_PRINTING(compute_options),
    CAIRN_PARAM_END,
};

static cairn_status compute_run(cairn_command *c)
{
    const compute_options *options = c->options->values;
    const cairn_calculator *calculator = (const cairn_calculator *)c->inner->entry;
    cairn_table *table = NULL;
    cairn_status status;
    if (c->n_words && !calculator->takes_data)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'compute %s' takes options only, not '%s'",
                          calculator->entry.name, c->words[0]);
    if (c->n_words) TRY(cairn_command_table(c, &table, c->words[0]));
    cairn_compute_job job = {c->inner->values, table, options->steps};
    double begun = cairn_seconds();
    TRY(calculator->run(c->ctx, c->report, &job));
    c->seconds_compute = cairn_seconds() - begun;
done:
    cairn_table_free(table);
    return status;
}

const cairn_verb cairn_verb_compute = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "compute",
              .title = "Calculators",
              .summary = "Small calculations on numbers that are typed, or on a table: 'cairn list "
                         "calculators' names them, 'cairn compute TOPIC --help' shows the options "
                         "of one.",
              .example = "cairn compute impurity --counts 9,5",
              .params = compute_params,
              .params_size = sizeof(compute_options)},
    .arguments = "TOPIC [DATA]",
    .least = 1,
    .most = 2,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_CALCULATOR,
    .run = compute_run,
};
