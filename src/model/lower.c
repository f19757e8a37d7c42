/* SPDX-License-Identifier: MIT */
/* The program of a model: its chain link by link, its learner, and what predicting does with the
 * answer.
 *
 * What a transform makes of levels need not be told by the transform. Where a new column is a
 * function of one level column, `apply` is asked about every level and about a missing cell, and
 * the answers become a table: it cannot disagree with `apply`. */
#include "base/memory.h"
#include "base/text.h"
#include "model/chain.h"
#include <math.h>
#include <string.h>

/* -- tables to ask with -- */

static cairn_status probe_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                 bool varies, size_t n_rows, double number)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t index;
    CHECK(cairn_column_new(ctx, &column, (cairn_kind)field->kind, n_rows));
    column->ordered = field->ordered;
    column->declared = field->declared;
    for (size_t l = 0; l < field->names.n; l++)
        CHECK(cairn_map_add(ctx, &column->names, cairn_map_key(&field->names, l),
                            field->names.lengths[l], &index));
    for (size_t i = 0; i < n_rows && column->numbers; i++) column->numbers[i] = number;
    for (size_t i = 0; i < n_rows && column->codes; i++)
        column->codes[i] = varies && i + 1 < n_rows ? (int32_t)i : -1;
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Field `vary` runs over all its levels and a missing cell, all other levels are missing and all
 * numbers the same; `vary` = n_fields: one row in which no field varies. */
static cairn_status probe_table(cairn_context *ctx, cairn_table **out, const cairn_schema *schema,
                                size_t vary, double number)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t n_rows = vary < schema->n_fields ? schema->fields[vary].names.n + 1 : 1;
    CHECK(cairn_table_new(ctx, &table, n_rows));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        cairn_column *column;
        if (field->role != CAIRN_FEATURE) continue;
        CHECK(probe_column(ctx, &column, field, i == vary, n_rows, number));
        CHECK(cairn_table_add_column(ctx, table, field->name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* What the link makes of such a table. */
static cairn_status ask(cairn_program *p, cairn_table **out, const cairn_link *link, size_t vary,
                        double number)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(probe_table(p->ctx, &table, &p->now, vary, number));
    return cairn_link_apply(p->ctx, link, out, table, false);
}

cairn_status cairn_program_probe(cairn_program *p, cairn_table **out)
{
    return probe_table(p->ctx, out, &p->now, p->now.n_fields, 1);
}

static double cell(const cairn_column *column, size_t row)
{
    if (column->numbers) return column->numbers[row];
    return column->codes[row] < 0 ? NAN : column->codes[row];
}

static bool varies(const cairn_column *column)
{
    for (size_t i = 1; i < column->n_rows; i++) {
        double a = cell(column, 0), b = cell(column, i);
        if (a != b && !(isnan(a) && isnan(b))) return true;
    }
    return false;
}

/* -- columns after a transform -- */

typedef struct settling {
    cairn_program *p;
    const cairn_link *link;
    cairn_schema next;
    int32_t *slots; /* next.n_fields; -1 = not known yet */
    bool *known;    /* next.n_fields */
} settling;

static ptrdiff_t find_field(const cairn_schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (strcmp(schema->fields[i].name, name) == 0) return (ptrdiff_t)i;
    return -1;
}

/* The same level for the same level, and missing for missing: nothing to do. */
static bool is_same(const cairn_column *column, const cairn_field *from)
{
    if (column->kind != CAIRN_LEVEL || column->names.n < from->names.n) return false;
    for (size_t i = 0; i < from->names.n; i++)
        if (column->codes[i] != (int32_t)i) return false;
    return column->codes[from->names.n] < 0;
}

/* The columns that depend on level column `from`, as one table. */
static cairn_status settle_levels(settling *s, size_t from, const cairn_table *answers)
{
    const cairn_field *field = &s->p->now.fields[from];
    size_t n = field->names.n, n_out = 0, *of;
    double *table;
    int32_t first;
    CHECK(SCRATCH(s->p->ctx, &of, answers->n_columns + 1));
    for (size_t i = 0; i < answers->n_columns; i++) {
        const cairn_column *column = answers->slots[i].column;
        if (s->known[i] || !varies(column)) continue;
        s->known[i] = true;
        if (is_same(column, field))
            s->slots[i] = s->p->slots[from];
        else
            of[n_out++] = i;
    }
    if (n_out == 0) return CAIRN_OK;
    CHECK(SCRATCH(s->p->ctx, &table, cairn_product(n + 1, n_out)));
    for (size_t l = 0; l <= n; l++)
        for (size_t k = 0; k < n_out; k++)
            table[l * n_out + k] = cell(answers->slots[of[k]].column, l);
    CHECK(cairn_lower_lookup(s->p, s->p->slots[from], n, n_out, table, table + n * n_out, &first));
    for (size_t k = 0; k < n_out; k++) s->slots[of[k]] = first + (int32_t)k;
    return CAIRN_OK;
}

static bool all_known(const settling *s)
{
    for (size_t i = 0; i < s->next.n_fields; i++)
        if (!s->known[i]) return false;
    return true;
}

/* Whether there are columns that cannot be asked about. */
static bool has_others(const cairn_schema *schema)
{
    for (size_t i = 0; i < schema->n_fields; i++) {
        int32_t kind = schema->fields[i].kind;
        if (kind != CAIRN_NUMBER && kind != CAIRN_LEVEL && kind != CAIRN_TIME) return true;
    }
    return false;
}

/* Find the slot of every column that the link makes. */
static cairn_status settle(settling *s)
{
    cairn_program *p = s->p;
    OWNED(cairn_table_free) cairn_table *answers = NULL;
    CHECK(ask(p, &answers, s->link, p->now.n_fields, 1));
    CHECK(cairn_schema_from_table(p->ctx, &s->next, answers));
    CHECK(NEW(p->ctx, &s->slots, s->next.n_fields));
    CHECK(SCRATCH(p->ctx, &s->known, s->next.n_fields + 1));
    /* Columns that the transform told, and those of no levels that keep their name: they stay. */
    size_t fresh = 0;
    for (size_t i = 0; i < s->next.n_fields; i++) {
        const cairn_field *field = &s->next.fields[i];
        int64_t made = cairn_map_find(&p->made, field->name, strlen(field->name));
        ptrdiff_t before = find_field(&p->now, field->name);
        s->slots[i] = -1;
        if (made >= 0) {
            s->slots[i] = p->made_slots[made];
            s->known[i] = true;
        } else if (before >= 0 && field->kind != CAIRN_LEVEL &&
                   field->kind == p->now.fields[before].kind) {
            s->slots[i] = p->slots[before];
            s->known[i] = true;
        } else if (before < 0 && fresh < p->n_fresh) {
            s->slots[i] = p->fresh + (int32_t)fresh++;
            s->known[i] = true;
        }
    }
    for (size_t from = 0; from < p->now.n_fields && !all_known(s); from++) {
        if (p->now.fields[from].kind != CAIRN_LEVEL || p->slots[from] < 0) continue;
        cairn_table_free(answers);
        answers = NULL;
        CHECK(ask(p, &answers, s->link, from, 1));
        CHECK(settle_levels(s, from, answers));
    }
    /* Columns that depend on nothing: neither on levels nor on numbers, which are others now. */
    OWNED(cairn_table_free) cairn_table *others = NULL;
    if (all_known(s)) return CAIRN_OK;
    CHECK(ask(s->p, &others, s->link, s->p->now.n_fields, -7.25));
    for (size_t i = 0; i < answers->n_columns; i++) {
        const cairn_column *column = answers->slots[i].column, *other = others->slots[i].column;
        if (s->known[i]) continue;
        bool plain = column->numbers || column->codes;
        double value = plain ? cell(column, 0) : NAN, again = plain ? cell(other, 0) : NAN;
        if (!plain || has_others(&s->p->now) || (value != again && !isnan(value)))
            CHECK(cairn_program_refuse(s->p, "its column '%s' has no closed form",
                                       answers->slots[i].name));
        CHECK(cairn_lower_constants(s->p, &value, 1, &s->slots[i]));
    }
    return CAIRN_OK;
}

/* A link that acts on training rows only is no part of predicting; what the link did to the
 * columns becomes the schema of the next. */
static cairn_status lower_link(cairn_program *p, const cairn_link *link)
{
    settling s = {.p = p, .link = link};
    const char *part = p->part;
    cairn_status status = CAIRN_OK;
    p->part = link->transform->entry.name;
    if (cairn_link_acting(link) == CAIRN_ACTS_ON_TRAIN) goto done;
    if (!link->transform->lower) {
        status = cairn_program_refuse(p, "there is no operation for what it does");
        goto done;
    }
    cairn_map_clear(&p->made);
    p->n_fresh = 0;
    p->replayed = false;
    cairn_job job = {.params = link->params->values, .schema = &p->now};
    TRY(link->transform->lower(link->state, &job, p));
    if (p->replayed) goto done;
    TRY(settle(&s));
    cairn_schema_clear(&p->now);
    cairn_free(p->slots);
    p->now = s.next;
    p->slots = s.slots;
    s.next = (cairn_schema){0};
    s.slots = NULL;
done:
    cairn_schema_clear(&s.next);
    cairn_free(s.slots);
    p->part = part;
    return status;
}

cairn_status cairn_program_links(cairn_program *p, const cairn_link *links, size_t n)
{
    for (size_t i = 0; i < n; i++) CHECK(lower_link(p, &links[i]));
    p->replayed = true;
    return CAIRN_OK;
}

/* -- the answer -- */

/* Back into the units of the target before a link. What a transform does there is a line unless it
 * says otherwise, so two of its points say all of it. */
static cairn_status invert_link(cairn_program *p, const cairn_link *link)
{
    double ends[2] = {0, 1};
    if (!link->transform->invert) return CAIRN_OK;
    if (link->transform->lower_invert)
        return link->transform->lower_invert(link->state, p, &p->answer.number);
    link->transform->invert(link->state, link->params->values, ends, 2);
    double slope = ends[1] - ends[0];
    if (ends[0] == 0 && slope == 1) return CAIRN_OK;
    return cairn_lower_affine(p, &p->answer.number, 1, 1, ends, &slope, NULL, &p->answer.number);
}

/* Rows with a missing cell that the learner cannot use get no answer. */
static cairn_status finish_missing(cairn_program *p, const cairn_model *model)
{
    cairn_program_answer *a = &p->answer;
    int32_t *in, *features;
    size_t n_features, n;
    double *instead;
    cairn_operation *op;
    if (cairn_model_accepts(model) & (CAIRN_ACCEPTS_MISSING | CAIRN_IGNORES_FEATURES))
        return CAIRN_OK;
    CHECK(cairn_program_terms(p, &features, &n_features));
    n = n_features;
    CHECK(SCRATCH(p->ctx, &in, n_features + a->n_scores + 3));
    memcpy(in, features, n_features * sizeof *in);
    if (a->code >= 0) in[n++] = a->code;
    if (a->number >= 0) in[n++] = a->number;
    for (size_t k = 0; a->scores >= 0 && k < a->n_scores; k++) in[n++] = a->scores + (int32_t)k;
    CHECK(cairn_program_add(p, CAIRN_OP_BLANK, in, n, n - n_features, &op));
    op->sizes[0] = (int32_t)n_features;
    CHECK(cairn_op_numbers(p, op, 0, n - n_features, &instead));
    for (size_t i = 0; i < n - n_features; i++) instead[i] = i == 0 && a->code >= 0 ? -1 : NAN;
    int32_t at = op->out;
    if (a->code >= 0) a->code = at++;
    if (a->number >= 0) a->number = at++;
    if (a->scores >= 0) a->scores = at;
    return CAIRN_OK;
}

/* -- models -- */

/* The next feature of a schema from `at` on; n_fields when there is none. */
static size_t next_feature(const cairn_schema *schema, size_t at)
{
    while (at < schema->n_fields && schema->fields[at].role != CAIRN_FEATURE) at++;
    return at;
}

/* The columns that the links were lowered to are those that the learner was fitted on, as applying
 * the chain to a table demands it: only a damaged model says otherwise. */
static cairn_status check_inner(const cairn_program *p, const cairn_schema *inner)
{
    size_t at = 0, i = 0;
    for (;; at++, i++) {
        at = next_feature(&p->now, at);
        i = next_feature(inner, i);
        if (at == p->now.n_fields || i == inner->n_fields) break;
        const cairn_field *now = &p->now.fields[at], *field = &inner->fields[i];
        if (strcmp(now->name, field->name) != 0 || now->kind != field->kind ||
            now->names.n > field->names.n)
            break;
    }
    if (at == p->now.n_fields && i == inner->n_fields) return CAIRN_OK;
    return cairn_chain_damaged(p->ctx);
}

/* After the learner's own operations come those of predicting: the class of the largest score,
 * the number in the units of the target, no answer where a cell is missing. */
static cairn_status lower_model(cairn_program *p, const cairn_model *model)
{
    const char *part = p->part;
    cairn_status status;
    if (!model->learner) return cairn_program_refuse(p, "a recipe has no answer");
    CHECK(cairn_program_links(p, model->chain, model->n_chain));
    CHECK(check_inner(p, &model->inner));
    p->part = model->learner->entry.name;
    p->answer = (cairn_program_answer){.code = -1, .number = -1, .scores = -1};
    p->answer.n_scores = model->n_classes;
    cairn_job job = cairn_model_job(model);
    if (!model->learner->lower) {
        status = cairn_program_refuse(p, "there is no operation for what it does");
        goto done;
    }
    TRY(model->learner->lower(model->state, &job, p));
    /* Scores and code as in cairn_model_predict_rows: the first largest score is the code. */
    cairn_program_answer *a = &p->answer;
    if (model->task != CAIRN_REGRESS && !(a->code >= 0) && !(a->scores < 0)) {
        TRY(cairn_lower_largest(p, a->scores, a->n_scores, &a->code));
    }
    if (!(p->answer.number < 0)) {
        for (size_t i = model->n_chain; i-- > 0;) TRY(invert_link(p, &model->chain[i]));
    }
    TRY(finish_missing(p, model));
done:
    p->part = part;
    return status;
}

/* The columns of the member's schema, found by name; codes of levels are those of the member. */
static cairn_status member_columns(cairn_program *p, const cairn_schema *schema, int32_t **out)
{
    OWNED(cairn_free) int32_t *slots = NULL;
    double *places, missing = NAN;
    CHECK(NEW(p->ctx, &slots, schema->n_fields));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        ptrdiff_t at = find_field(&p->now, field->name);
        slots[i] = at < 0 ? -1 : p->slots[at];
        if (field->kind == CAIRN_BAG && at >= 0 && p->now.fields[at].names.n != field->names.n)
            slots[i] = -1; /* other items than the member's */
        if (at < 0 || field->kind != CAIRN_LEVEL || slots[i] < 0) continue;
        const cairn_map *from = &p->now.fields[at].names;
        bool same = true;
        CHECK(SCRATCH(p->ctx, &places, from->n + 1));
        for (size_t l = 0; l < from->n; l++) {
            int64_t place = cairn_map_find(&field->names, cairn_map_key(from, l), from->lengths[l]);
            places[l] = place < 0 ? NAN : (double)place;
            same &= place == (int64_t)l;
        }
        if (!same) CHECK(cairn_lower_lookup(p, slots[i], from->n, 1, places, &missing, &slots[i]));
    }
    *out = TAKE(slots);
    return CAIRN_OK;
}

cairn_status cairn_program_member(cairn_program *p, const cairn_model *model)
{
    cairn_schema now = p->now, own = {0};
    int32_t *slots = p->slots, *of = NULL;
    cairn_table *table = NULL;
    cairn_status status;
    TRY(probe_table(p->ctx, &table, &model->schema, model->schema.n_fields, 1));
    TRY(cairn_schema_from_table(p->ctx, &own, table));
    TRY(member_columns(p, &own, &of));
    p->now = own;
    p->slots = of;
    status = lower_model(p, model);
    cairn_schema_clear(&p->now);
    cairn_free(p->slots);
    p->now = now;
    p->slots = slots;
    own = (cairn_schema){0};
done:
    cairn_schema_clear(&own);
    cairn_table_free(table);
    return status;
}

/* A number for each item of a bag. */
static cairn_status add_items(cairn_context *ctx, cairn_table *table, const cairn_field *bag)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    double nothing = 0;
    for (size_t k = 0; k < bag->names.n; k++) {
        cairn_text_clear(&name);
        name = cairn_text_start(ctx);
        cairn_text_addf(&name, "%s=%s", bag->name, cairn_map_key(&bag->names, k));
        CHECK(cairn_text_status(&name));
        CHECK(cairn_table_put_numbers(ctx, table, cairn_text_string(&name), &nothing));
    }
    return CAIRN_OK;
}

/* What the program reads, and the slots of the raw columns there. */
static cairn_status make_inputs(cairn_program *p)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(NEW(p->ctx, &p->slots, p->raw.n_fields));
    CHECK(cairn_table_new(p->ctx, &table, 1));
    for (size_t i = 0; i < p->raw.n_fields; i++) {
        const cairn_field *field = &p->raw.fields[i];
        bool read = field->kind != CAIRN_TEXT && field->kind != CAIRN_SEQUENCE &&
                    field->kind != CAIRN_SERIES;
        cairn_column *column;
        p->slots[i] = read ? (int32_t)table->n_columns : -1;
        if (field->kind == CAIRN_BAG) {
            CHECK(add_items(p->ctx, table, field));
            continue;
        }
        CHECK(probe_column(p->ctx, &column, field, false, 1, 1));
        CHECK(cairn_table_add_column(p->ctx, table, field->name, CAIRN_FEATURE, column));
    }
    p->n_slots = table->n_columns;
    return cairn_schema_from_table(p->ctx, &p->inputs, table);
}

cairn_status cairn_program_of(cairn_context *ctx, cairn_program *out, const cairn_model *model)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    *out = (cairn_program){.ctx = ctx};
    CHECK(probe_table(ctx, &table, &model->schema, model->schema.n_fields, 1));
    CHECK(cairn_schema_from_table(ctx, &out->raw, table));
    CHECK(cairn_schema_from_table(ctx, &out->now, table));
    CHECK(make_inputs(out));
    return lower_model(out, model);
}
