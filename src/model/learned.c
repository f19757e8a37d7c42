/* SPDX-License-Identifier: MIT */
/* Which tables a model can tell, and making one of them. Names are those of constant records, so
 * that none has to be kept: a wrapper's are the second names of the tables of its members. */
#include "model/learned.h"

#include "base/call.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>

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
    out->job.account = model->account;
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

/* Write what one part of a model has under the name. */
static void write_tables(request *r, const teller *who, const char *path)
{
    char step[24];
    for (const cairn_learned *t = who->tables; t && t->name; t++) {
        if (strcmp(path ? t->inside : t->name, r->name) != 0 || !has(who, t)) continue;
        r->found = true;
        if (path) lead(r, &r->member, "member", path);
        snprintf(step, sizeof step, "%zu", who->step);
        if (who->step) lead(r, &r->step, "step", step);
        t->write(r->out, who->state, &who->job);
    }
}

/* Write the table of a model, and of the members inside it: `path` is the number of a member,
 * such as "3.1"; NULL for the model that was asked. */
static void write_model(request *r, const cairn_model *model, const char *path)
{
    teller who;
    const cairn_model *member;
    char inner[sizeof r->out->lead_cells[0]];
    for (size_t i = 0; teller_at(model, i, &who); i++) write_tables(r, &who, path);
    for (size_t i = 0; (member = cairn_model_member(model, i)); i++) {
        snprintf(inner, sizeof inner, "%.30s%s%zu", path ? path : "", path ? "." : "", i + 1);
        write_model(r, member, inner);
    }
}

static cairn_status refuse(cairn_context *ctx, const cairn_model *model, const char *name)
{
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

cairn_status cairn_model_table(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                               const char *name)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    request r = {.name = name, .out = &ledger, .member = SIZE_MAX, .step = SIZE_MAX};
    write_model(&r, model, NULL);
    if (!r.found) return refuse(ctx, model, name);
    return cairn_ledger_table(&ledger, out);
}
