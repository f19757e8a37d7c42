/* SPDX-License-Identifier: MIT */
/* What a command uses of its table, known from its options before the table is read: formats that
 * store columns apart read no others. Where an option might name columns in a way that is not seen
 * here, all are read. */
#include "command/command.h"

#include "base/memory.h"
#include "data/wanted.h"
#include "entry/rows.h"
#include "model/model_formula.h"

#include <string.h>

typedef struct name_list {
    cairn_context *ctx;
    const char **names; /* scratch */
    size_t n, capacity;
} name_list;

static cairn_status add_name(name_list *list, const char *name)
{
    if (list->n == list->capacity) {
        const char **more;
        size_t capacity = 2 * list->capacity + 16;
        CHECK(SCRATCH(list->ctx, &more, capacity));
        if (list->n) memcpy(more, list->names, list->n * sizeof *more);
        list->names = more;
        list->capacity = capacity;
    }
    list->names[list->n++] = name;
    return CAIRN_OK;
}

static cairn_status add_list(name_list *list, const char *text)
{
    char **names;
    size_t n;
    if (!text) return CAIRN_OK;
    CHECK(cairn_list_split(list->ctx, text, &names, &n));
    for (size_t i = 0; i < n; i++) CHECK(add_name(list, names[i]));
    return CAIRN_OK;
}

/* The names that an expression reads, *open where it reads others, too. A text that is none tells
 * its own fault later. */
static cairn_status add_expression(name_list *list, const char *text, bool *open)
{
    SCOPED(cairn_map_clear) cairn_map names = {0};
    char *name;
    if (!text || cairn_expression_check(list->ctx, text)) return CAIRN_OK;
    CHECK(cairn_expression_names(list->ctx, &names, text, open));
    for (size_t i = 0; i < names.n; i++) {
        CHECK(SCRATCH(list->ctx, &name, names.lengths[i] + 1));
        memcpy(name, cairn_map_key(&names, i), names.lengths[i]);
        CHECK(add_name(list, name));
    }
    return CAIRN_OK;
}

/* The columns that options name; *open where one is set that may name some in its own way. `texts`
 * says whether options of mere text do. Roles and --where are looked at by themselves. */
static cairn_status add_options(name_list *list, const cairn_params *params, bool texts, bool *open)
{
    cairn_row_walk rows = cairn_rows_of(params->entry);
    for (size_t i = 0; i < params->n_rows; i++) {
        const cairn_param *row = cairn_next_row(&rows, NULL);
        const char *typed = params->texts[i];
        if (!typed || cairn_same(row->name, "features") || cairn_same(row->name, "ignore") ||
            cairn_same(row->name, "target"))
            continue;
        if (row->type == CAIRN_TYPE_COLUMNS)
            CHECK(add_list(list, typed));
        else if (texts && (row->type == CAIRN_TYPE_TEXT || row->type == CAIRN_TYPE_SPEC))
            *open = true;
    }
    return CAIRN_OK;
}

/* A target may be computed. */
static cairn_status add_target(name_list *list, const cairn_command *c, bool *open)
{
    const char *typed = c->common->roles.target ? cairn_params_text(c->options, "target") : NULL;
    char *name, *text;
    if (!typed) return CAIRN_OK;
    if (!strchr(typed, '=')) return add_list(list, typed);
    if (cairn_assignment_split(c->ctx, typed, &name, &text)) return CAIRN_OK;
    CHECK(add_name(list, typed));
    return add_expression(list, text, open);
}

/* What a formula reads; nothing where it is none, which is told later, or has a dot. */
static cairn_status add_formula(name_list *list, const char *text, bool *open)
{
    cairn_model_formula f;
    if (cairn_model_formula_read(list->ctx, &f, text, NULL, 0) || f.all || f.n_offsets) {
        *open = true;
        return CAIRN_OK;
    }
    if (f.target) CHECK(add_name(list, f.target));
    for (size_t i = 0; i < f.n_variables; i++) {
        const cairn_formula_variable *v = &f.variables[i];
        if (v->expression)
            CHECK(add_expression(list, v->expression, open));
        else
            CHECK(add_name(list, v->name));
    }
    return CAIRN_OK;
}

/* Verbs that leave alone what is neither a feature nor has another part to play. */
static bool leaves_alone(const cairn_command *c)
{
    static const cairn_verb *const verbs[] = {
        &cairn_verb_fit,  &cairn_verb_evaluate, &cairn_verb_compare,  &cairn_verb_tune,
        &cairn_verb_draw, &cairn_verb_compute,  &cairn_verb_describe, &cairn_verb_convert};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (c->verb == verbs[i]) return true;
    return false;
}

/* A model takes its features by name, and what else it knows where that is there. */
static cairn_status want_of_model(const cairn_command *c, cairn_wanted *out)
{
    name_list only = {.ctx = c->ctx}, also = {.ctx = c->ctx};
    const cairn_schema *schema = c->expected.n_fields ? &c->expected : &c->reads_for->schema;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        CHECK(add_name(field->role == CAIRN_FEATURE ? &only : &also, field->name));
    }
    CHECK(add_list(&also, c->common->roles.id));
    out->only = only.names;
    out->n_only = only.n;
    out->also = also.names;
    out->n_also = also.n;
    return CAIRN_OK;
}

/* Features that are named leave out all others, columns to be ignored themselves; with neither,
 * everything may be used. */
static cairn_status want_by_options(const cairn_command *c, cairn_wanted *out)
{
    const cairn_roles *r = &c->common->roles;
    const char *formula = c->common->fitting.formula;
    name_list only = {.ctx = c->ctx}, also = {.ctx = c->ctx}, without = {.ctx = c->ctx};
    bool open = false;
    if (!r->features && !r->ignore && !formula) return CAIRN_OK;
    CHECK(add_list(&only, r->features));
    if (formula) CHECK(add_formula(&only, formula, &open));
    CHECK(add_list(&without, r->ignore));
    CHECK(add_target(&also, c, &open));
    CHECK(add_options(&also, c->options, false, &open));
    if (c->inner) CHECK(add_options(&also, c->inner, true, &open));
    for (const cairn_params *t = c->common->fitting.transforms; t; t = t->next) {
        open |= t->entry->assigns;
        CHECK(add_options(&also, t, true, &open));
    }
    CHECK(add_expression(&also, c->common->reading.where, &open));
    if (open) return CAIRN_OK;
    out->only = only.names;
    out->n_only = only.n;
    out->also = also.names;
    out->n_also = also.n;
    out->without = without.names;
    out->n_without = without.n;
    return CAIRN_OK;
}

cairn_status cairn_command_wanted(cairn_command *c, cairn_wanted *out)
{
    *out = (cairn_wanted){.narrowed = &c->narrowed};
    c->narrowed = false;
    if (cairn_params_is_set(c->options, "as") || c->common->long_form.sequence) return CAIRN_OK;
    if (cairn_params_has(c->options->entry, "recipe") && cairn_params_is_set(c->options, "recipe"))
        return CAIRN_OK;
    if (c->verb == &cairn_verb_predict && c->reads_for)
        CHECK(want_of_model(c, out));
    else if (leaves_alone(c) && !c->reads_for)
        CHECK(want_by_options(c, out));
    out->where = c->common->reading.where;
    return CAIRN_OK;
}
