/* SPDX-License-Identifier: MIT */
/* Which tables a model can tell, and making one of them. Names are those of constant records, so
 * that none has to be kept: a wrapper's are the second names of the tables of its members. */
#include "base/call.h"
#include "base/options.h"
#include "base/text.h"
#include "model/chain.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include <stdio.h>
#include <string.h>

/* What every model can tell, whatever its learner: the facts of cairn/learned.h and the tables of
 * columns, levels, features, classes, parameters, transforms, members and labels. */

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
        cairn_ledger_cells(out, field->name, cairn_kind_name((cairn_kind)field->kind),
                           cairn_role_name((cairn_role)field->role), (double)field->names.n,
                           yes_no(field->ordered));
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
            cairn_ledger_cells(out, schema->fields[i].name, (double)code,
                               cairn_map_key(&schema->fields[i].names, code));
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
    for (size_t code = 0; code < n; code++)
        cairn_ledger_cells(out, (double)code, cairn_model_class(model, code),
                           yes_no((int32_t)code == job->positive));
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
        cairn_ledger_cells(out, name, cairn_type_name(row->type),
                           cairn_model_param(model, row->name),
                           cairn_same(row->initial, CAIRN_NOT_GIVEN) ? NULL : row->initial,
                           yes_no(params->texts[i]), yes_no(!cairn_params_idle(params, row->name)));
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
        cairn_ledger_cells(out, (double)i + 1, m->chain[i].transform->entry.name);
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
        cairn_ledger_cells(out, (double)i + 1, cairn_model_learner(member));
        if (member->params)
            write_spec(out, member->params);
        else
            cairn_ledger_missing(out);
        cairn_ledger_cells(out, cairn_model_target_name(member),
                           (double)cairn_model_input_count(member), (double)member->n_rows);
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

/* Pieces of tables that learners share: see learned.h. */

/* Whether the cells of a feature are levels in the table. */
static bool is_level(const cairn_field *field, bool levels)
{
    return levels && field && field->kind == CAIRN_LEVEL;
}

void cairn_learned_features(cairn_ledger *out, const cairn_job *job, size_t n, bool levels)
{
    size_t at = 0;
    for (size_t j = 0; j < n; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        cairn_ledger_column(out, is_level(field, levels) ? CAIRN_LEVEL : CAIRN_NUMBER,
                            field ? field->name : "?");
    }
}

void cairn_learned_place(cairn_ledger *out, const cairn_job *job, const double *values, size_t n,
                         bool levels)
{
    size_t at = 0;
    for (size_t j = 0; j < n; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        double x = values[j];
        if (is_level(field, levels)) {
            bool known = x >= 0 && x < (double)field->names.n;
            cairn_ledger_word(out, known ? cairn_map_key(&field->names, (size_t)x) : NULL);
            continue;
        }
        if (field && job->described) (void)cairn_chain_restore(job->described, field->name, &x);
        cairn_ledger_number(out, x);
    }
}

const char *cairn_learned_class(const cairn_job *job, int64_t class)
{
    const cairn_field *target = cairn_schema_target(job->schema);
    bool known = target && class >= 0 && (size_t) class < target->names.n;
    return known ? cairn_map_key(&target->names, (size_t) class) : NULL;
}

enum { MOST_TABLES = 128 };

/* The distinct names of a model's tables, in order. */
typedef struct offers {
    size_t n;
    const char *names[MOST_TABLES], *helps[MOST_TABLES];
} offers;

/* What a table is made from. */
typedef struct teller {
    const cairn_model *model;
    const cairn_learned *tables;
    const void *state; /* what their functions get */
    cairn_job job;
    size_t step; /* place of the transform, from 1; 0 = it is none */
} teller;

const cairn_model *cairn_model_member(const cairn_model *model, size_t i)
{
    const cairn_learner *learner = model->learner;
    if (!learner) return NULL;
    if (learner->member) return learner->member(model->state, i);
    return learner->base && i == 0 ? learner->base(model->state) : NULL;
}

/* The i-th of those that have tables: the learner, the model as such, then each transform. */
static bool teller_at(const cairn_model *model, size_t i, teller *out)
{
    *out = (teller){.model = model, .job = cairn_model_job(model)};
    out->job.history = model->history;
    out->job.described = model;
    if (i == 0) {
        out->tables = model->learner ? model->learner->tables : NULL;
        out->state = model->state;
    } else if (i == 1) {
        out->tables = cairn_learned_common;
        out->state = model;
    } else if (i - 2 < model->n_chain) {
        const cairn_link *link = &model->chain[i - 2];
        out->tables = link->transform->tables;
        out->state = link->state;
        out->job.params = link->params->values;
        out->job.schema = NULL;
        out->step = i - 1;
    }
    return i - 2 < model->n_chain || i < 2;
}

static bool has(const teller *who, const cairn_learned *table)
{
    return !table->has || table->has(who->state, &who->job);
}

/* -- what there is -- */

static void offer(offers *list, const char *name, const char *help)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->names[i] == name || strcmp(list->names[i], name) == 0) return;
    if (list->n == MOST_TABLES) return;
    list->names[list->n] = name;
    list->helps[list->n++] = help;
}

/* Add the tables of a model, under their first names or, for a member of a wrapper, the second. */
static void add_offers(offers *list, const cairn_model *model, bool inside)
{
    teller who;
    const cairn_model *member;
    for (size_t i = 0; teller_at(model, i, &who); i++)
        for (const cairn_learned *t = who.tables; t && t->name; t++)
            if (has(&who, t)) offer(list, inside ? t->inside : t->name, t->help);
    for (size_t i = 0; (member = cairn_model_member(model, i)); i++) add_offers(list, member, true);
}

size_t cairn_model_table_count(const cairn_model *model)
{
    offers list = {0};
    add_offers(&list, model, false);
    return list.n;
}

const char *cairn_model_table_name(const cairn_model *model, size_t i)
{
    offers list = {0};
    add_offers(&list, model, false);
    return i < list.n ? list.names[i] : NULL;
}

const char *cairn_model_table_help(const cairn_model *model, size_t i)
{
    offers list = {0};
    add_offers(&list, model, false);
    return i < list.n ? list.helps[i] : NULL;
}

/* -- making one -- */

typedef struct request {
    const char *name;
    cairn_ledger *out;
    size_t member, step; /* leads; SIZE_MAX = there is none yet */
    bool found;
} request;

/* Set the cell of a column in front, which the first to need it adds. */
static void lead(request *r, size_t *which, const char *column, const char *cell)
{
    if (*which == SIZE_MAX)
        *which = cairn_ledger_lead(r->out, column, cell);
    else
        cairn_ledger_lead_cell(r->out, *which, cell);
}

/* Write the table of a model, and of the members inside it: `path` is the number of a member,
 * such as "3.1"; NULL for the model that was asked. */
static void write_model(request *r, const cairn_model *model, const char *path)
{
    teller who;
    const cairn_model *member;
    char inner[sizeof r->out->lead_cells[0]];
    for (size_t i = 0; teller_at(model, i, &who); i++) {
        /* Write what one part of a model has under the name. */
        char step[24];
        for (const cairn_learned *t = who.tables; t && t->name; t++) {
            if (strcmp(path ? t->inside : t->name, r->name) != 0 || !has(&who, t)) continue;
            r->found = true;
            if (path) lead(r, &r->member, "member", path);
            snprintf(step, sizeof step, "%zu", who.step);
            if (who.step) lead(r, &r->step, "step", step);
            t->write(r->out, who.state, &who.job);
        }
    }
    for (size_t i = 0; (member = cairn_model_member(model, i)); i++) {
        snprintf(inner, sizeof inner, "%.30s%s%zu", path ? path : "", path ? "." : "", i + 1);
        write_model(r, member, inner);
    }
}

cairn_status cairn_model_table(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                               const char *name)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    request r = {.name = name, .out = &ledger, .member = SIZE_MAX, .step = SIZE_MAX};
    write_model(&r, model, NULL);
    if (!r.found) {
        SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
        offers known = {0};
        add_offers(&known, model, false);
        for (size_t i = 0; i < known.n; i++)
            cairn_text_addf(&list, "%s%s", i ? ", " : "", known.names[i]);
        CHECK(cairn_text_status(&list));
        return cairn_fail(ctx, CAIRN_USAGE, "%s%s has no table '%s'; it has %s",
                          model->learner ? "this model of " : "this recipe",
                          model->learner ? model->learner->entry.name : "", name,
                          cairn_text_string(&list));
    }
    return cairn_ledger_table(&ledger, out);
}
