/* SPDX-License-Identifier: MIT */
/* Typed functions are computed as columns of a table that holds their variables. */
#include "typed/typed_functions.h"

#include "base/memory.h"
#include "data/expression.h"
#include "data/table.h"
#include "entry/entry.h"

#include <stdlib.h>
#include <string.h>

/* A name ends at the first sign if that is an '=' that compares nothing. */
static cairn_status take_apart(cairn_context *ctx, cairn_typed_function *out, const char *line)
{
    size_t end = strcspn(line, "=<>!(+*/^");
    char *name;
    *out = (cairn_typed_function){line, line};
    if (end == 0 || line[end] != '=' || line[end + 1] == '=') return CAIRN_OK;
    out->expression = line + end + 1;
    while (line[end - 1] == ' ' && end > 1) end--;
    CHECK(SCRATCH(ctx, &name, end + 1));
    memcpy(name, line, end);
    out->name = name;
    return CAIRN_OK;
}

cairn_status cairn_functions_read(cairn_context *ctx, cairn_typed_function **out, size_t *n,
                                  const char *lines)
{
    const char *const *list;
    CHECK(cairn_list_lines(ctx, lines, &list));
    for (*n = 0; list[*n];) ++*n;
    CHECK(SCRATCH(ctx, out, *n + 1));
    for (size_t i = 0; i < *n; i++) CHECK(take_apart(ctx, &(*out)[i], list[i]));
    return CAIRN_OK;
}

/* Letter by letter, but runs of digits by the number that they are. */
static int compare_names(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    static const char digits[] = "0123456789";
    while (*a && *b) {
        size_t n = strspn(a, digits), m = strspn(b, digits);
        if (n && m && n != m) return n < m ? -1 : 1;
        if (*a != *b) break;
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

cairn_status cairn_function_names(cairn_context *ctx, const char ***out, size_t *n,
                                  const char *expression, const char *option)
{
    SCOPED(cairn_map_clear) cairn_map names = {0};
    cairn_status status = cairn_expression_names(ctx, &names, expression, NULL);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "{%s}", option);
    CHECK(status);
    CHECK(SCRATCH(ctx, out, names.n + 1));
    for (size_t i = 0; i < names.n; i++) {
        const char *name = cairn_map_key(&names, i);
        char *copy;
        CHECK(SCRATCH(ctx, &copy, strlen(name) + 1));
        memcpy(copy, name, strlen(name));
        (*out)[i] = copy;
    }
    *n = names.n;
    if (*n > 1) qsort(*out, *n, sizeof **out, compare_names);
    return CAIRN_OK;
}

cairn_status cairn_function_values(cairn_context *ctx, double *out, const char *expression,
                                   const cairn_variables *variables, const char *option)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    cairn_faults faults = {0};
    CHECK(cairn_table_new(ctx, &table, variables->n));
    for (size_t v = 0; v < variables->n_variables; v++)
        CHECK(cairn_table_put_numbers(ctx, table, variables->names[v], variables->columns[v]));
    cairn_status status = cairn_expression_new(ctx, &e, expression, table);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "{%s}", option);
    CHECK(status);
    if (cairn_expression_type(e) == CAIRN_VALUE_TEXT)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' gives a text, but a number is needed",
                          option, expression);
    return cairn_expression_numbers(ctx, e, out, &faults);
}
