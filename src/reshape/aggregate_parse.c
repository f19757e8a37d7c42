/* SPDX-License-Identifier: MIT */
/* Reading "n=count(), mean(price), p90=quantile(price, 0.9)". */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "entry/entry.h"
#include "reshape/aggregate.h"

#include <string.h>

static const char *candidate(size_t i, const void *data)
{
    const cairn_aggregate *aggregate = cairn_aggregate_at(i);
    (void)data;
    return aggregate ? aggregate->name : NULL;
}

static cairn_status find_aggregate(cairn_context *ctx, const cairn_aggregate **out,
                                   const char *name)
{
    *out = cairn_aggregate_find(name);
    if (*out) return CAIRN_OK;
    const char *near = cairn_nearest_word(name, candidate, NULL);
    cairn_text list = cairn_text_start(ctx);
    for (size_t i = 0; cairn_aggregate_at(i); i++)
        cairn_text_addf(&list, "%s%s", i ? ", " : "", cairn_aggregate_at(i)->name);
    cairn_status status = cairn_text_status(&list);
    if (status == CAIRN_OK && near)
        status = cairn_fail(ctx, CAIRN_USAGE, "there is no aggregate '%s'; did you mean '%s'?",
                            name, near);
    else if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "there is no aggregate '%s'; there are %s", name,
                            cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

static char *trim(char *text)
{
    size_t length;
    while (*text == ' ' || *text == '\t') text++;
    length = strlen(text);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) text[--length] = 0;
    if (length >= 2 && *text == '"' && text[length - 1] == '"') {
        text[length - 1] = 0;
        text++;
    }
    return text;
}

/* The column between the brackets. */
static cairn_status take_column(cairn_context *ctx, cairn_aggregate_use *use,
                                const cairn_table *table, char *arguments, const char *item)
{
    const cairn_aggregate *a = use->aggregate;
    const char *name;
    size_t column;
    use->column = -1;
    if (a->parameter) {
        /* Take the number behind the last comma off the arguments. */
        char *comma = strrchr(arguments, ',');
        const char *number = comma ? trim(comma + 1) : NULL;
        if (!comma || !cairn_number_parse(number, strlen(number), &use->parameter) ||
            !(use->parameter >= 0 && use->parameter <= 1))
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "'%s': %s takes a column and a number from 0 to 1, as in %s(price, 0.9)", item,
                use->aggregate->name, use->aggregate->name);
        *comma = 0;
    }
    name = trim(arguments);
    if (!*name && (a->optional || !a->kinds)) return CAIRN_OK;
    if (!*name || !a->kinds)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s': %s takes %s", item, a->name,
                          a->kinds ? "a column" : "no column");
    CHECK(cairn_table_get(ctx, table, name, &column));
    use->column = (ptrdiff_t)column;
    /* An aggregate that compares takes levels only if these have an order; otherwise the message
     * lists the kinds that it takes. */
    const cairn_slot *slot = &table->slots[column];
    static const cairn_kind kinds[] = {CAIRN_NUMBER, CAIRN_TIME, CAIRN_LEVEL, CAIRN_TEXT};
    cairn_kind kind = slot->column->kind;
    bool taken = a->kinds >> kind & 1;
    if (taken && !(a->ordered && kind == CAIRN_LEVEL && !slot->column->ordered)) return CAIRN_OK;
    if (taken)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s(%s): the levels of '%s' have no order; {kinds %s=ordered(low,high)} "
                          "declares one",
                          a->name, slot->name, slot->name, slot->name);
    cairn_text list = cairn_text_start(ctx);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (a->kinds >> kinds[i] & 1)
            cairn_text_addf(&list, "%s%s", list.length ? ", " : "", cairn_kind_plural(kinds[i]));
    cairn_status status = cairn_text_status(&list);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "%s(%s): '%s' is a %s column; %s is of %s", a->name,
                            slot->name, slot->name, cairn_kind_name(kind), a->name,
                            cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

/* Reads "name=aggregate(column)", or makes the name when it is left out; the equals sign is looked
 * for before the bracket only, as column names may hold one. */
static cairn_status parse_item(cairn_context *ctx, cairn_aggregate_use *use,
                               const cairn_table *table, const char *item)
{
    size_t length = strlen(item);
    char *text, *open, *equals;
    CHECK(SCRATCH(ctx, &text, length + 1));
    memcpy(text, item, length);
    open = strchr(text, '(');
    if (!open || text[length - 1] != ')')
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' is no aggregate; write them as in n=count(), mean(price)", item);
    *open = 0;
    text[length - 1] = 0;
    equals = strchr(text, '=');
    if (equals) *equals = 0;
    CHECK(find_aggregate(ctx, &use->aggregate, trim(equals ? equals + 1 : text)));
    CHECK(take_column(ctx, use, table, open + 1, item));
    if (!equals) {
        /* "count", "mean_price", "quantile_price_0.9". */
        char number[CAIRN_NUMBER_SIZE];
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
        char *copy;
        cairn_text_add(&name, use->aggregate->name);
        if (use->column >= 0) cairn_text_addf(&name, "_%s", table->slots[use->column].name);
        cairn_number_format(number, use->parameter, CAIRN_SHORTEST);
        if (use->aggregate->parameter) cairn_text_addf(&name, "_%s", number);
        CHECK(cairn_text_status(&name));
        CHECK(SCRATCH(ctx, &copy, name.length + 1));
        memcpy(copy, name.bytes, name.length);
        use->name = copy;
        return CAIRN_OK;
    }
    use->name = trim(text);
    if (!*use->name) return cairn_fail(ctx, CAIRN_USAGE, "'%s' gives an empty name", item);
    return CAIRN_OK;
}

cairn_status cairn_aggregates_parse(cairn_context *ctx, cairn_aggregate_use **out, size_t *n,
                                    const cairn_table *table, const char *text)
{
    cairn_aggregate_use *uses;
    char **items;
    CHECK(cairn_list_split(ctx, text, &items, n));
    if (!*n) return cairn_fail(ctx, CAIRN_USAGE, "{aggregate} names nothing to compute");
    CHECK(SCRATCH(ctx, &uses, *n));
    for (size_t i = 0; i < *n; i++) CHECK(parse_item(ctx, &uses[i], table, items[i]));
    *out = uses;
    return CAIRN_OK;
}
