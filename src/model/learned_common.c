/* SPDX-License-Identifier: MIT */
/* What every model can tell, whatever its learner: the facts of cairn/learned.h and the tables of
 * columns, levels, features, classes, parameters, transforms, members and labels. */
#include "model/learned.h"

#include "base/call.h"
#include "base/options.h"
#include "base/text.h"
#include <string.h>

/* -- facts -- */

/* The field whose names are the classes; NULL when there are none. */
static const cairn_field *class_field(const cairn_model *model)
{
    return model->n_classes && model->learner ? cairn_model_target(model) : NULL;
}

size_t cairn_model_class_count(const cairn_model *model)
{
    return class_field(model) ? model->n_classes : 0;
}

const char *cairn_model_class(const cairn_model *model, size_t code)
{
    const cairn_field *field = class_field(model);
    return field && code < field->names.n && code < model->n_classes
               ? cairn_map_key(&field->names, code)
               : NULL;
}

const char *cairn_model_class_type(const cairn_model *model)
{
    return model->class_type;
}

cairn_status cairn_model_set_class_type(cairn_context *ctx, cairn_model *model, const char *type)
{
    PUBLIC_CALL(ctx);
    char *copy = NULL;
    if (type) {
        if (cairn_utf8_check(type, strlen(type)) < strlen(type))
            return cairn_fail(ctx, CAIRN_USAGE, "the type of the classes is not UTF-8");
        CHECK(cairn_copy_text(ctx, &copy, type, strlen(type)));
    }
    cairn_free(model->class_type);
    model->class_type = copy;
    return CAIRN_OK;
}

const char *cairn_model_target_name(const cairn_model *model)
{
    ptrdiff_t target = cairn_schema_role(&model->schema, CAIRN_TARGET);
    return target < 0 ? NULL : model->schema.fields[target].name;
}

size_t cairn_model_input_count(const cairn_model *model)
{
    size_t n = 0, at = 0;
    while (cairn_schema_next_feature(&model->schema, &at)) n++;
    return n;
}

bool cairn_model_input(const cairn_model *model, size_t i, cairn_input_info *out)
{
    const cairn_field *field = cairn_schema_feature(&model->schema, i);
    if (!field) return false;
    cairn_input_info info = {.name = field->name,
                             .kind = (cairn_kind)field->kind,
                             .ordered = field->ordered,
                             .level_count = field->names.n};
    return cairn_options_fill(out, &info, sizeof info);
}

const char *cairn_model_input_level(const cairn_model *model, size_t i, size_t code)
{
    const cairn_field *field = cairn_schema_feature(&model->schema, i);
    return field && code < field->names.n ? cairn_map_key(&field->names, code) : NULL;
}

const char *cairn_model_param(const cairn_model *model, const char *name)
{
    const char *value = model->params ? cairn_params_text(model->params, name) : NULL;
    return cairn_same(value, CAIRN_NOT_GIVEN) ? NULL : value;
}

/* -- tables -- */

static const char *yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static bool has_learner(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_model *)model)->learner;
}

static void write_fields(cairn_ledger *out, const cairn_schema *schema, const char *head)
{
    cairn_ledger_columns(out, "tllnl", head, "kind", "role", "levels", "ordered");
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        cairn_ledger_word(out, field->name);
        cairn_ledger_word(out, cairn_kind_name((cairn_kind)field->kind));
        cairn_ledger_word(out, cairn_role_name((cairn_role)field->role));
        cairn_ledger_number(out, (double)field->names.n);
        cairn_ledger_word(out, yes_no(field->ordered));
    }
}

static void write_columns(cairn_ledger *out, const void *model, const cairn_job *job)
{
    (void)job;
    write_fields(out, &((const cairn_model *)model)->schema, "column");
}

static void write_features(cairn_ledger *out, const void *model, const cairn_job *job)
{
    (void)job;
    write_fields(out, &((const cairn_model *)model)->inner, "feature");
}

static void write_levels(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_schema *schema = &((const cairn_model *)model)->schema;
    (void)job;
    cairn_ledger_columns(out, "lnt", "column", "code", "level");
    for (size_t i = 0; i < schema->n_fields; i++)
        for (size_t code = 0; code < schema->fields[i].names.n; code++) {
            cairn_ledger_word(out, schema->fields[i].name);
            cairn_ledger_number(out, (double)code);
            cairn_ledger_word(out, cairn_map_key(&schema->fields[i].names, code));
        }
}

static bool has_classes(const void *model, const cairn_job *job)
{
    (void)job;
    return cairn_model_class_count(model) > 0;
}

static void write_classes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    size_t n = cairn_model_class_count(model);
    cairn_ledger_columns(out, "ntl", "code", "class", "positive");
    for (size_t code = 0; code < n; code++) {
        cairn_ledger_number(out, (double)code);
        cairn_ledger_word(out, cairn_model_class(model, code));
        cairn_ledger_word(out, yes_no((int32_t)code == job->positive));
    }
}

static void write_parameters(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_params *params = ((const cairn_model *)model)->params;
    const cairn_param *row;
    char name[64];
    (void)job;
    cairn_ledger_columns(out, "tlttll", "parameter", "type", "value", "default", "set", "counts");
    for (size_t i = 0; (row = cairn_params_row(params->entry, i, NULL)); i++) {
        cairn_option_name(name, row->name);
        cairn_ledger_word(out, name);
        cairn_ledger_word(out, cairn_type_name(row->type));
        cairn_ledger_word(out, cairn_model_param(model, row->name));
        cairn_ledger_word(out, cairn_same(row->initial, CAIRN_NOT_GIVEN) ? NULL : row->initial);
        cairn_ledger_word(out, yes_no(params->texts[i]));
        cairn_ledger_word(out, yes_no(!cairn_params_idle(params, row->name)));
    }
}

/* The settings as a spec, or the failure. */
static void write_spec(cairn_ledger *out, const cairn_params *params)
{
    OWNED(cairn_free) char *spec = NULL;
    cairn_ledger_failed(out, cairn_params_spec(out->ctx, params, &spec));
    cairn_ledger_word(out, spec);
}

static void write_transforms(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nltl", "place", "transform", "settings", "automatic");
    for (size_t i = 0; i < m->n_chain; i++) {
        cairn_ledger_number(out, (double)i + 1);
        cairn_ledger_word(out, m->chain[i].transform->entry.name);
        write_spec(out, m->chain[i].params);
        cairn_ledger_word(out, yes_no(m->chain[i].automatic));
    }
}

static bool has_members(const void *model, const cairn_job *job)
{
    (void)job;
    return cairn_model_member(model, 0);
}

static void write_members(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_model *member;
    (void)job;
    cairn_ledger_columns(out, "nltlnn", "number", "learner", "settings", "target", "inputs",
                         "rows");
    for (size_t i = 0; (member = cairn_model_member(model, i)); i++) {
        cairn_ledger_number(out, (double)i + 1);
        cairn_ledger_word(out, cairn_model_learner(member));
        if (member->params)
            write_spec(out, member->params);
        else
            cairn_ledger_missing(out);
        cairn_ledger_word(out, cairn_model_target_name(member));
        cairn_ledger_number(out, (double)cairn_model_input_count(member));
        cairn_ledger_number(out, (double)member->n_rows);
    }
}

static bool has_labels(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_model *)model)->fitted.n > 0;
}

static void write_labels(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_fitted *fitted = &((const cairn_model *)model)->fitted;
    (void)job;
    cairn_ledger_columns(out, "nn", "row", "cluster");
    for (size_t i = 0; i < fitted->n; i++) {
        cairn_ledger_number(out, (double)i + 1);
        if (fitted->codes[i] < 0)
            cairn_ledger_missing(out);
        else
            cairn_ledger_number(out, fitted->codes[i] + 1);
    }
}

const cairn_learned cairn_learned_common[] = {
    CAIRN_LEARNED("members", "model inside this one", write_members, .has = has_members),
    CAIRN_LEARNED("labels", "row of the table that it was fitted to, and its cluster", write_labels,
                  .has = has_labels),
    CAIRN_LEARNED("classes", "class, in the order of codes and scores", write_classes,
                  .has = has_classes),
    CAIRN_LEARNED("columns", "column of the table that it was fitted to", write_columns),
    CAIRN_LEARNED("levels", "level of a column, or item of a bag or sequence", write_levels),
    CAIRN_LEARNED("features", "column that the learner saw, behind the transforms", write_features,
                  .has = has_learner),
    CAIRN_LEARNED("parameters", "parameter of the learner", write_parameters, .has = has_learner),
    CAIRN_LEARNED("transforms", "transform before the learner, in order", write_transforms),
    CAIRN_LEARNED_END};
