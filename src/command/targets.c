/* SPDX-License-Identifier: MIT */
/* Commands on several targets: labels are parted, the learner is wrapped, and an evaluation is made
 * target by target. */
#include "command/targets.h"

#include "base/memory.h"
#include "data/target_labels.h"
#include "evaluate/several.h"
#include "wrappers/multi_target.h"

#include <string.h>

/* -- which they are -- */

cairn_status cairn_targets_find(cairn_command *c, cairn_targets *out, cairn_table *table)
{
    const char *mark = c->common->fitting.label_mark;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    *out = (cairn_targets){.n = cairn_table_role_count(table, CAIRN_TARGET)};
    if (mark && out->n != 1)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--label-mark cuts the cells of one target, and there %s; name one with "
                          "--target",
                          out->n ? "are several" : "is none");
    bool several = out->n > 1 || mark;
    if (several && c->common->fitting.positive)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--positive names a class of one target, and there are several answers "
                          "per row; leave it out, or name one --target");
    if (out->n != 1 || (!mark && table->slots[at].column->kind != CAIRN_BAG)) return CAIRN_OK;
    out->labels = table->slots[at].name;
    out->mark = mark ? mark : ";";
    CHECK(cairn_labels_split(c->ctx, table, (size_t)at, out->mark, NULL, NULL));
    out->n = cairn_table_role_count(table, CAIRN_TARGET);
    return CAIRN_OK;
}

cairn_status cairn_targets_wrap(cairn_command *c, const cairn_targets *targets,
                                cairn_fit_options *options)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    CHECK(cairn_params_new(c->ctx, &params, "multi-target"));
    if (targets->labels) {
        CHECK(cairn_params_set(c->ctx, params, "labels", targets->labels));
        CHECK(cairn_params_set(c->ctx, params, "mark", targets->mark));
    }
    return cairn_command_wrap(c, options, TAKE(params));
}

bool cairn_targets_together(const cairn_params *params)
{
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    unsigned accepts = cairn_learner_accepts(learner, params->values);
    return (accepts & CAIRN_ACCEPTS_TARGETS) && !(accepts & CAIRN_ACCEPTS_RAW) &&
           (learner->tasks & (CAIRN_CLASSIFY | CAIRN_REGRESS));
}

/* The columns of new data that the model's targets are. */
static cairn_status name_targets(cairn_command *c, const cairn_multi_target_parts *parts,
                                 cairn_table *table)
{
    for (size_t i = 0; i < parts->n; i++) {
        const char *name = cairn_model_target(parts->models[i])->name;
        ptrdiff_t at = cairn_table_find(table, name);
        if (at < 0)
            return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                              "there is no column '%s' to compare the predictions with", name);
        table->slots[at].role = CAIRN_TARGET;
    }
    return CAIRN_OK;
}

cairn_status cairn_targets_match(cairn_command *c, cairn_targets *out, const cairn_model *model,
                                 cairn_table *table)
{
    cairn_multi_target_parts parts;
    SCOPED(cairn_map_clear) cairn_map known = {0};
    cairn_unknown_labels unknown = {0};
    size_t index;
    *out = (cairn_targets){.n = 1};
    if (!cairn_multi_target_look(&parts, model)) return CAIRN_OK;
    *out = (cairn_targets){parts.n, parts.labels, parts.mark, NULL};
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_TARGET) table->slots[i].role = CAIRN_IGNORED;
    if (!parts.labels) {
        CHECK(name_targets(c, &parts, table));
        return CAIRN_OK;
    }
    ptrdiff_t at = cairn_table_find(table, parts.labels);
    if (at < 0)
        CHECK(cairn_fail(c->ctx, CAIRN_BAD_DATA,
                         "there is no column '%s' to compare the predicted labels with",
                         parts.labels));
    for (size_t i = 0; i < parts.n; i++) {
        const char *label =
            cairn_label_name(cairn_model_target(parts.models[i])->name, parts.labels);
        CHECK(cairn_map_add(c->ctx, &known, label, strlen(label), &index));
    }
    CHECK(cairn_labels_split(c->ctx, table, (size_t)at, parts.mark, &known, &unknown));
    out->unknown = unknown.rows;
    if (unknown.n)
        cairn_warn(
            c->ctx,
            "%zu label%s in '%s' that training has not seen: there is no answer about %s, and "
            "such a row cannot match exactly",
            unknown.n, unknown.n == 1 ? "" : "s", parts.labels, unknown.n == 1 ? "it" : "them");
    return CAIRN_OK;
}

/* -- evaluating -- */

typedef struct target_run {
    const cairn_targets *targets;
    cairn_table *table;
    cairn_target_estimate estimate;
    void *data;
    cairn_evaluation *list; /* targets->n */
} target_run;

/* The column of target t is the only target. */
static cairn_status run_one(cairn_command *c, const target_run *run, size_t t, size_t column)
{
    cairn_status status;
    cairn_table *one = NULL;
    cairn_report *part = NULL;
    const char *name = run->table->slots[column].name;
    TRY(cairn_table_share(c->ctx, &one, run->table));
    if (c->inner && cairn_targets_together(c->inner) && !run->targets->labels)
        cairn_table_lead_target(one, column);
    else
        cairn_table_only_target(one, column);
    if (!run->targets->labels) TRY(cairn_report_new(c->ctx, &part));
    TRY(run->estimate(c, run->data, t, one, &run->list[t], part));
    if (!part) goto done;
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL | CAIRN_NOTES);
    cairn_report_heading(c->report, 2, "Target: %s", name);
    cairn_report_append(c->report, part, cairn_report_key(c->report, name));
    cairn_report_for(c->report, before);
done:
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(c->ctx, "target '%s'", name);
    cairn_report_free(part);
    cairn_table_free(one);
    return status;
}

static cairn_status write_all(cairn_command *c, const cairn_several *several)
{
    const char *path = c->common->printing.out;
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    CHECK(cairn_several_table(c->ctx, &rows, several));
    CHECK(cairn_command_write(c, rows, path, NULL));
    c->out_done = true;
    cairn_remark(c, "wrote %s: the predictions of all targets, row by row", path);
    return CAIRN_OK;
}

cairn_status cairn_targets_evaluate(cairn_command *c, const cairn_targets *targets,
                                    cairn_table *table, cairn_undefined undefined,
                                    cairn_target_estimate estimate, void *data)
{
    cairn_status status;
    const char *out = c->common->printing.out;
    target_run run = {targets, table, estimate, data, NULL};
    TRY(NEW(c->ctx, &run.list, targets->n));
    for (size_t i = 0, t = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_TARGET) TRY(run_one(c, &run, t++, i));
    cairn_several several = {run.list, targets->n, targets->labels, targets->unknown, undefined};
    TRY(cairn_several_judge(c->ctx, c->report, &several));
    if (out && cairn_out_is_data(c->ctx, out)) TRY(write_all(c, &several));
done:
    for (size_t t = 0; run.list && t < targets->n; t++) cairn_evaluation_clear(&run.list[t]);
    cairn_free(run.list);
    return status;
}
