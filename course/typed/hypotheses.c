/* SPDX-License-Identifier: MIT */
/* Typed conditions and what they cover. The instances tried are every combination of the values
 * that matter, which for a number column are the numbers that occur in the conditions, one between
 * each two of them and one beyond each end, and for a level column its levels. That is exact as
 * long as every comparison is between a column and a number or a level. */
#include "typed/hypotheses.h"

#include "concepts/concepts.h"
#include "typed/rule_text.h"

#include "base/memory.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "data/expression.h"
#include "data/view.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of all hypotheses, between them, and beyond. */
static cairn_status number_values(cairn_context *ctx, const cairn_typed *h, double **out, size_t *n)
{
    size_t buffer = 1, kept = 0, count = 0;
    double *constants;
    for (size_t i = 0; i < h->n; i++) buffer += strlen(h->conditions[i]) + 1;
    CHECK(SCRATCH(ctx, &constants, buffer));
    for (size_t i = 0; i < h->n; i++) {
        cairn_token *tokens;
        size_t n_tokens;
        CHECK(cairn_rule_tokens(ctx, h->conditions[i], &tokens, &n_tokens));
        for (size_t k = 0; k < n_tokens; k++) {
            bool minus = k && h->conditions[i][tokens[k - 1].begin] == '-';
            if (tokens[k].kind == CAIRN_TOKEN_NUMBER)
                constants[count++] = minus ? -tokens[k].number : tokens[k].number;
        }
    }
    if (!count) constants[count++] = 0;
    qsort(constants, count, sizeof *constants, cairn_by_number);
    for (size_t i = 0; i < count; i++)
        if (!i || constants[i] != constants[kept - 1]) constants[kept++] = constants[i];
    CHECK(SCRATCH(ctx, out, 2 * kept + 1));
    *n = 0;
    for (size_t i = 0; i + 1 < kept; i++)
        (*out)[(*n)++] = cairn_number_between(constants[i], constants[i + 1]);
    for (size_t i = 0; i < kept; i++) (*out)[(*n)++] = constants[i];
    double step = 1 + (constants[kept - 1] - constants[0]);
    (*out)[(*n)++] = constants[0] - step;
    (*out)[(*n)++] = constants[kept - 1] + step;
    return CAIRN_OK;
}

static bool has_variable(const cairn_typed *h, const char *name)
{
    for (size_t i = 0; i < h->n_variables; i++)
        if (cairn_same(h->variables[i].name, name)) return true;
    return false;
}

/* The columns that the hypotheses speak of, in the order of their first mention. */
static cairn_status find_variables(cairn_context *ctx, cairn_typed *h, const cairn_table *table)
{
    size_t buffer = 1;
    for (size_t i = 0; i < h->n; i++) buffer += strlen(h->conditions[i]);
    CHECK(SCRATCH(ctx, &h->variables, buffer));
    for (size_t i = 0; i < h->n; i++) {
        cairn_token *tokens;
        size_t n;
        CHECK(cairn_rule_tokens(ctx, h->conditions[i], &tokens, &n));
        for (size_t k = 0; k < n; k++) {
            bool call = k + 1 < n && tokens[k + 1].kind == CAIRN_TOKEN_OPEN;
            if (tokens[k].kind != CAIRN_TOKEN_NAME || call || has_variable(h, tokens[k].name))
                continue;
            cairn_variable *v = &h->variables[h->n_variables++];
            v->name = tokens[k].name;
            if (table) {
                size_t at;
                CHECK(cairn_table_get(ctx, table, v->name, &at));
                if (table->slots[at].column->kind == CAIRN_LEVEL)
                    v->levels = table->slots[at].column;
            }
            if (v->levels)
                v->n = v->levels->names.n;
            else
                CHECK(number_values(ctx, h, &v->values, &v->n));
        }
    }
    return CAIRN_OK;
}

/* All combinations of the values as a table; the first variable changes slowest. */
static cairn_status make_instances(cairn_context *ctx, cairn_table **out, const cairn_typed *h,
                                   size_t n_instances)
{
    size_t block = n_instances;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_table_new(ctx, &table, n_instances));
    for (size_t j = 0; j < h->n_variables; j++) {
        const cairn_variable *v = &h->variables[j];
        block /= v->n;
        CHECK(cairn_column_new(ctx, &column, v->levels ? CAIRN_LEVEL : CAIRN_NUMBER, n_instances));
        for (size_t i = 0; i < n_instances; i++) {
            size_t value = i / block % v->n;
            if (v->levels)
                column->codes[i] = (int32_t)value;
            else
                column->numbers[i] = v->values[value];
        }
        for (size_t k = 0; v->levels && k < v->n; k++) {
            const char *name = cairn_map_key(&v->levels->names, k);
            size_t index;
            CHECK(cairn_map_add(ctx, &column->names, name, strlen(name), &index));
        }
        cairn_column *given = column;
        column = NULL;
        CHECK(cairn_table_add_column(ctx, table, v->name, CAIRN_FEATURE, given));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The truth of a condition for every row. */
static cairn_status evaluate(cairn_context *ctx, double *out, const char *condition,
                             const cairn_table *table)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    cairn_faults faults = {{0}, {0}};
    CHECK(cairn_expression_new(ctx, &e, condition, table));
    if (cairn_expression_type(e) != CAIRN_VALUE_TRUTH)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "'%s' is no condition: nothing is compared", condition));
    return cairn_expression_numbers(ctx, e, out, &faults);
}

cairn_status cairn_typed_try_all(cairn_context *ctx, cairn_typed *h, double limit)
{
    OWNED(cairn_table_free) cairn_table *instances = NULL;
    double size = 1;
    for (size_t j = 0; j < h->n_variables; j++) size *= (double)h->variables[j].n;
    if (size > limit) {
        char text[CAIRN_NUMBER_SIZE];
        cairn_number_format(text, size, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s instances are too many to try; compare fewer hypotheses at once or "
                          "allow more with {limit}",
                          text);
    }
    h->n_instances = (size_t)size;
    CHECK(make_instances(ctx, &instances, h, h->n_instances));
    CHECK(SCRATCH(ctx, &h->truth, cairn_product(h->n, h->n_instances)));
    for (size_t i = 0; i < h->n; i++)
        CHECK(evaluate(ctx, h->truth + i * h->n_instances, h->conditions[i], instances));
    return CAIRN_OK;
}

cairn_status cairn_typed_try_rows(cairn_context *ctx, cairn_typed *h, const cairn_table *table)
{
    h->n_instances = table->n_rows;
    CHECK(SCRATCH(ctx, &h->truth, cairn_product(h->n, h->n_instances)));
    for (size_t i = 0; i < h->n; i++)
        CHECK(evaluate(ctx, h->truth + i * h->n_instances, h->conditions[i], table));
    return CAIRN_OK;
}

/* -- vectors: a place for each feature -- */

/* One place as a condition: "`outlook` = \"sunny\" or ..."; nothing for any value. */
static cairn_status add_place(cairn_context *ctx, cairn_text *out, const cairn_view *view, size_t j,
                              char *place)
{
    bool number = view->features[j]->kind == CAIRN_NUMBER, first = true;
    if (cairn_same(place, "?")) return CAIRN_OK;
    cairn_text_add(out, out->length ? " and (" : "(");
    for (char *value = place, *bar; value; value = bar ? bar + 1 : NULL, first = false) {
        double x;
        bar = strchr(value, '|');
        if (bar) *bar = 0;
        if (cairn_same(value, "∅")) {
            cairn_text_add(out, "0 = 1");
            continue;
        }
        if (number && !cairn_number_parse(value, strlen(value), &x))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{hypothesis}: '%s' is no number for the column '%s'", value,
                              view->names[j]);
        if (!number && cairn_map_find(&view->features[j]->names, value, strlen(value)) < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "{hypothesis}: the column '%s' has no value '%s'",
                              view->names[j], value);
        cairn_text_addf(out, number ? "%s`%s` = %s" : "%s`%s` = \"%s\"", first ? "" : " or ",
                        view->names[j], value);
    }
    cairn_text_add(out, ")");
    return CAIRN_OK;
}

/* The condition that a vector stands for, `length` bytes from `first` on; scratch. */
static cairn_status vector_condition(cairn_context *ctx, const char **out, const char *text,
                                     size_t first, size_t length, const cairn_table *table)
{
    SCOPED(cairn_text_clear) cairn_text condition = cairn_text_start(ctx);
    cairn_view view;
    char *inner, **places;
    size_t n;
    CHECK(SCRATCH(ctx, &inner, length + 1));
    memcpy(inner, text + first, length);
    CHECK(cairn_list_split(ctx, inner, &places, &n));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    if (n != view.n_features)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{hypothesis %s}: %zu places; there is one for each of the %zu features",
                          text, n, view.n_features);
    for (size_t j = 0; j < n; j++) {
        cairn_kind kind = view.features[j]->kind;
        if (kind != CAIRN_NUMBER && kind != CAIRN_LEVEL)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the column '%s' holds neither numbers nor levels; leave it out with "
                              "{ignore}",
                              view.names[j]);
        CHECK(add_place(ctx, &condition, &view, j, places[j]));
    }
    if (!condition.length) cairn_text_add(&condition, "1 = 1");
    CHECK(cairn_text_status(&condition));
    CHECK(SCRATCH(ctx, &inner, condition.length + 1));
    memcpy(inner, cairn_text_string(&condition), condition.length);
    *out = inner;
    return CAIRN_OK;
}

cairn_status cairn_typed_read(cairn_context *ctx, cairn_typed *out, const char *typed, size_t least,
                              const cairn_table *table)
{
    *out = (cairn_typed){0};
    CHECK(cairn_list_lines(ctx, typed, &out->texts));
    while (out->texts[out->n]) out->n++;
    if (out->n < least || out->n > CAIRN_MOST_TYPED)
        return cairn_fail(ctx, CAIRN_USAGE, "give {hypothesis %s} (at most %d)",
                          least > 1 ? "two times or more" : "at least once", CAIRN_MOST_TYPED);
    CHECK(SCRATCH(ctx, &out->conditions, out->n));
    for (size_t i = 0; i < out->n; i++) {
        cairn_rule rule;
        const char *text = out->texts[i];
        size_t first, length;
        if (table && cairn_vector_inside(text, &first, &length))
            CHECK(vector_condition(ctx, &text, text, first, length, table));
        CHECK(cairn_rule_read(ctx, &rule, text, table));
        out->conditions[i] = rule.condition;
    }
    return find_variables(ctx, out, table);
}

size_t cairn_typed_witness(const cairn_typed *h, size_t i, size_t k)
{
    const double *a = h->truth + i * h->n_instances, *b = h->truth + k * h->n_instances;
    size_t at = 0;
    while (at < h->n_instances && !(a[at] == 1 && b[at] != 1)) at++;
    return at;
}

void cairn_typed_add_instance(cairn_text *out, const cairn_typed *h, size_t at)
{
    size_t block = h->n_instances;
    if (at == h->n_instances) return;
    for (size_t j = 0; j < h->n_variables; j++) {
        const cairn_variable *v = &h->variables[j];
        block /= v->n;
        cairn_text_addf(out, "%s%s=", j ? ", " : "", v->name);
        if (v->levels)
            cairn_text_add(out, cairn_map_key(&v->levels->names, at / block % v->n));
        else
            cairn_text_add_number(out, v->values[at / block % v->n], CAIRN_SHORTEST);
    }
}

cairn_status cairn_typed_order(cairn_context *ctx, const cairn_typed *h, bool **out)
{
    size_t none = h->n_instances;
    CHECK(SCRATCH(ctx, out, cairn_product(h->n, h->n)));
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = 0; k < h->n; k++)
            (*out)[i * h->n + k] =
                cairn_typed_witness(h, k, i) == none && cairn_typed_witness(h, i, k) != none;
    return CAIRN_OK;
}
