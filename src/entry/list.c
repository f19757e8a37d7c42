/* SPDX-License-Identifier: MIT */
/* Lists as text: "a,b,c", with quotes and brackets keeping commas together. */
#include "base/memory.h"
#include "entry/entry.h"
#include "entry/split.h"
#include <stdio.h>
#include <string.h>

const char *cairn_split_next(const char *at, char separator)
{
    int depth = 0;
    for (bool quoted = false; *at; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth -= depth > 0;
        else if (*at == separator && depth == 0)
            break;
    }
    return at;
}

/* The item without blanks around it and, when it is wholly quoted, without quotes. */
static cairn_status keep_item(cairn_context *ctx, char **out, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    if (to - from >= 2 && from[0] == '"' && to[-1] == '"') {
        from++;
        to--;
    }
    size_t length = (size_t)(to - from);
    cairn_status status = SCRATCH(ctx, out, length + 1);
    if (status == CAIRN_OK && length) memcpy(*out, from, length);
    return status;
}

/* "(a,b)" is the list a,b: brackets around all of it keep it together inside a spec. */
static cairn_status without_brackets(cairn_context *ctx, const char **list)
{
    size_t length = strlen(*list);
    char *inside;
    if (length < 2 || **list != '(' || (*list)[length - 1] != ')') return CAIRN_OK;
    int depth = 0;
    for (size_t i = 0; i + 1 < length; i++) {
        depth += (*list)[i] == '(' ? 1 : (*list)[i] == ')' ? -1 : 0;
        if (depth == 0) return CAIRN_OK; /* the first one closes before the end */
    }
    cairn_status status = SCRATCH(ctx, &inside, length - 1);
    if (status) return status;
    memcpy(inside, *list + 1, length - 2);
    *list = inside;
    return CAIRN_OK;
}

cairn_status cairn_split_list(cairn_context *ctx, const char *list, char ***out, size_t *n)
{
    size_t count = 0, at = 0;
    char **items;
    const char *p = list;
    while (*p && (count++, *(p = cairn_split_next(p, ',')))) p++;
    if (p > list && p[-1] == ',') count++;
    CHECK(SCRATCH(ctx, &items, count + 1));
    for (p = list; at < count; at++) {
        const char *end = cairn_split_next(p, ',');
        CHECK(keep_item(ctx, &items[at], p, end));
        p = *end ? end + 1 : end;
    }
    *out = items;
    *n = count;
    return CAIRN_OK;
}

cairn_status cairn_list_split(cairn_context *ctx, const char *list, char ***out, size_t *n)
{
    cairn_status status = without_brackets(ctx, &list);
    return status ? status : cairn_split_list(ctx, list, out, n);
}

cairn_status cairn_list_lines(cairn_context *ctx, const char *lines, const char *const **out)
{
    static const char *const none[] = {NULL};
    const char **list = NULL;
    char *copy = NULL;
    size_t n = 1, length = lines ? strlen(lines) : 0;
    *out = none;
    if (!lines) return CAIRN_OK;
    for (const char *p = lines; *p; p++) n += *p == '\n';
    CHECK(SCRATCH(ctx, &list, n + 1));
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, lines, length);
    for (size_t i = 0; i < n; i++) {
        list[i] = copy;
        copy += strcspn(copy, "\n");
        *copy++ = 0;
    }
    *out = list;
    return CAIRN_OK;
}

cairn_status cairn_names_differ(cairn_context *ctx, const char *const *names, size_t n,
                                const char *option)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[k], names[i]) == 0)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{%s}: '%s' stands there twice, as %zu and %zu; every one has a "
                                  "name of its own",
                                  option, names[i], k + 1, i + 1);
    return CAIRN_OK;
}

cairn_status cairn_read_names(cairn_context *ctx, const char ***out, const char *list, size_t n,
                              const char *option, const char *prefix)
{
    char **names;
    size_t given = 0;
    CHECK(SCRATCH(ctx, out, n + 1));
    if (list) CHECK(cairn_list_split(ctx, list, &names, &given));
    if (list && given != n)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} names %zu, but the number of %s is %zu", option,
                          given, option, n);
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "%s%zu", prefix, i + 1);
        (*out)[i] = list ? names[i] : name;
    }
    return cairn_names_differ(ctx, *out, n, option);
}
