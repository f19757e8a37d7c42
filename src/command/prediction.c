/* SPDX-License-Identifier: MIT */
/* The table that predict writes: the columns that name rows, then label, scores and further outputs
 * as --output chooses. */
#include "command/prediction.h"

#include "base/memory.h"
#include "reshape/keys.h"
#include "wrappers/multi_target.h"

#include <string.h>

/* Names that --output knows for a model: the i-th, NULL at the end. */
static const char *output_name(size_t i, const void *data)
{
    static const char *const always[] = {"label", "scores", "all"};
    const cairn_output *outputs = ((const cairn_model *)data)->learner->outputs;
    if (i < 3) return always[i];
    for (i -= 3; outputs && outputs->name; outputs++)
        if (i-- == 0) return outputs->name;
    return NULL;
}

static cairn_status unknown_output(cairn_context *ctx, const cairn_model *model, const char *name)
{
    const char *near = cairn_nearest_word(name, output_name, model), *other;
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "--output: %s gives no '%s'; did you mean '%s'?",
                          model->learner->entry.name, name, near);
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; (other = output_name(i, model)); i++)
        cairn_text_addf(&names, i ? ", %s" : "%s", other);
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "--output: %s gives no '%s'; there are %s",
                            model->learner->entry.name, name, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

static bool is_extra(const cairn_model *model, const char *name)
{
    const cairn_output *o = model->learner->outputs;
    for (; o && o->name; o++)
        if (strcmp(o->name, name) == 0) return true;
    return false;
}

/* The answer, also by the word that lists and help have for it. */
static bool is_label(const cairn_learner *learner, const char *name)
{
    if (strcmp(name, "class") == 0) return learner->tasks & CAIRN_CLASSIFY;
    if (strcmp(name, "number") == 0) return learner->tasks & CAIRN_REGRESS;
    if (strcmp(name, "cluster") == 0) return learner->tasks & CAIRN_CLUSTER;
    return strcmp(name, "label") == 0;
}

/* The scores, which are called probabilities where they are some. */
static bool is_scores(const cairn_model *model, const char *name)
{
    if (strcmp(name, "probabilities") == 0)
        return cairn_learner_gives_probabilities(model->learner, model->params->values);
    return strcmp(name, "scores") == 0;
}

cairn_status cairn_output_parse(cairn_command *c, cairn_output_options *out,
                                const cairn_model *model, const char *list)
{
    char **names;
    size_t n;
    *out = (cairn_output_options){0};
    CHECK(cairn_list_split(c->ctx, list, &names, &n));
    CHECK(SCRATCH(c->ctx, &out->extra, n + 1));
    for (size_t i = 0; i < n; i++) {
        bool all = strcmp(names[i], "all") == 0;
        bool extra = is_extra(model, names[i]);
        bool label = !extra && is_label(model->learner, names[i]);
        bool scores = !extra && is_scores(model, names[i]);
        if (scores && !model->learner->gives_scores)
            return cairn_fail(c->ctx, CAIRN_USAGE, "--output: %s gives no scores",
                              model->learner->entry.name);
        out->label |= all || label;
        out->scores |= (all && model->learner->gives_scores) || scores;
        out->all_extra |= all;
        if (all || label || scores) continue;
        if (!extra) return unknown_output(c->ctx, model, names[i]);
        out->extra[out->n_extra++] = names[i];
    }
    return CAIRN_OK;
}

/* Names of the columns that named rows when the model was fitted. */
static cairn_status id_names(cairn_context *ctx, cairn_map *out, const cairn_model *model)
{
    size_t index;
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        if (field->role == CAIRN_ID)
            CHECK(cairn_map_add(ctx, out, field->name, strlen(field->name), &index));
    }
    return CAIRN_OK;
}

static cairn_status share(cairn_context *ctx, cairn_table *out, const cairn_slot *slot)
{
    if (cairn_table_find(out, slot->name) >= 0) return CAIRN_OK;
    return cairn_table_add_column(ctx, out, slot->name, CAIRN_FEATURE,
                                  cairn_column_hold(slot->column));
}

/* Put the wished columns of `all` (label, scores, extra: in this order) into `out`. */
static cairn_status choose(cairn_context *ctx, cairn_table *out, const cairn_table *all,
                           const cairn_prediction *p, const cairn_output_options *options)
{
    size_t n_extra = p->extra ? p->extra->n_columns : 0;
    size_t first_extra = all->n_columns - n_extra;
    for (size_t i = 0; i < all->n_columns; i++) {
        bool wanted = i == 0            ? options->label
                      : i < first_extra ? options->scores
                                        : options->all_extra;
        for (size_t e = 0; i >= first_extra && e < options->n_extra; e++)
            wanted |= strcmp(all->slots[i].name, options->extra[e]) == 0;
        if (wanted) CHECK(share(ctx, out, &all->slots[i]));
    }
    for (size_t e = 0; e < options->n_extra; e++)
        if (cairn_table_find(all, options->extra[e]) < 0)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "--output %s: the learner has it, but not for a model of this kind",
                              options->extra[e]);
    return CAIRN_OK;
}

/* Predict the rows and put the wished columns into `out`. */
static cairn_status predict_and_choose(cairn_command *c, cairn_table *out,
                                       cairn_prediction *prediction, const cairn_model *model,
                                       const cairn_table *table,
                                       const cairn_output_options *options, cairn_match *match)
{
    cairn_predict_wants wants = {.scores = options->scores,
                                 .extra = options->all_extra || options->n_extra,
                                 .fitted = options->fitted};
    cairn_multi_target_parts parts;
    OWNED(cairn_table_free) cairn_table *all = NULL;
    if (cairn_multi_target_look(&parts, model)) {
        cairn_multi_wants several = {options->label || options->n_extra, options->scores,
                                     options->all_extra};
        CHECK(cairn_multi_target_answer(c->ctx, &all, model, table, several, match));
        for (size_t i = 0; i < all->n_columns; i++) CHECK(share(c->ctx, out, &all->slots[i]));
        return CAIRN_OK;
    }
    CHECK(cairn_model_predict_rows(c->ctx, prediction, model, table, cairn_all_rows(table), wants,
                                   match));
    CHECK(cairn_prediction_table(c->ctx, &all, model, prediction, options->scores));
    return choose(c->ctx, out, all, prediction, options);
}

static void tell_rejected(cairn_command *c, const cairn_prediction *p)
{
    size_t n = 0;
    for (size_t i = 0; p->codes && i < p->n_rows; i++) n += p->codes[i] == -2;
    if (!n) return;
    cairn_remark(c, "%zu row%s no answer: the model rejects %s", n, n == 1 ? " gets" : "s get",
                 n == 1 ? "it" : "them");
    cairn_report_hidden(c->report, (double)n, "rejected");
}

/* Whether all cells have at most one word. */
static bool has_single_steps(const cairn_table *table, size_t column)
{
    const cairn_column *cells = table->slots[column].column;
    char text[256];
    if (cells->kind == CAIRN_LEVEL || cells->kind == CAIRN_NUMBER) return true;
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_table_cell(table, column, i, text, sizeof text);
        if (strchr(text, ' ')) return false;
    }
    return true;
}

/* The column of the data with the steps of the model's sequences or series; -1 = it has none, or
 * there are rows with several steps. */
static ptrdiff_t find_single_steps(const cairn_schema *schema, const cairn_table *table)
{
    for (size_t f = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        bool steps = field->kind == CAIRN_SEQUENCE || field->kind == CAIRN_SERIES;
        ptrdiff_t at =
            steps && field->role == CAIRN_FEATURE ? cairn_table_find(table, field->name) : -1;
        if (at >= 0) return has_single_steps(table, (size_t)at) ? at : -1;
    }
    return -1;
}

/* A model of sequences that a column names must not take the rows of one, a step each, for
 * sequences of their own: the column repeats, and no row has more than a step. */
static cairn_status refuse_long_form(cairn_command *c, const cairn_model *model,
                                     const cairn_table *table)
{
    SCOPED_SCRATCH(c->ctx);
    ptrdiff_t id = cairn_schema_role(&model->schema, CAIRN_ID);
    cairn_row_groups groups;
    if (id < 0 || c->common->long_form.sequence) return CAIRN_OK;
    const char *name = model->schema.fields[id].name;
    ptrdiff_t names = cairn_table_find(table, name);
    ptrdiff_t steps = names < 0 ? -1 : find_single_steps(&model->schema, table);
    if (steps < 0) return CAIRN_OK;
    CHECK(cairn_group_rows(c->ctx, &groups, table, &(size_t){(size_t)names}, 1));
    if (groups.n_groups == table->n_rows) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                      "the model reads sequences that '%s' names, but here it names %zu for %zu "
                      "rows, each with one step in '%s'; add --sequence %s and what else the model "
                      "was fitted with: %s",
                      name, groups.n_groups, table->n_rows, table->slots[steps].name, name,
                      model->command ? model->command : "--order COLUMN");
}

cairn_status cairn_predict_table(cairn_command *c, cairn_table **out, cairn_prediction *prediction,
                                 const cairn_model *model, const cairn_table *table,
                                 const cairn_output_options *options)
{
    cairn_table *chosen = NULL;
    cairn_map ids = {0};
    cairn_match match = {.first_field = -1};
    cairn_status status;
    *prediction = (cairn_prediction){0};
    double begun = cairn_seconds();
    TRY(refuse_long_form(c, model, table));
    TRY(cairn_table_new(c->ctx, &chosen, table->n_rows));
    TRY(id_names(c->ctx, &ids, model));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role == CAIRN_ID || cairn_map_find(&ids, slot->name, strlen(slot->name)) >= 0)
            TRY(share(c->ctx, chosen, slot));
    }
    TRY(predict_and_choose(c, chosen, prediction, model, table, options, &match));
    c->seconds_predict = cairn_seconds() - begun;
    cairn_warn_unseen(c->ctx, &model->schema, &match);
    tell_rejected(c, prediction);
    *out = chosen;
    chosen = NULL;
done:
    if (status) cairn_prediction_clear(prediction);
    cairn_map_clear(&ids);
    cairn_table_free(chosen);
    return status;
}
