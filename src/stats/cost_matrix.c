/* SPDX-License-Identifier: MIT */
/* Costs as text: see cost_matrix.h. */
#include "stats/cost_matrix.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"

#include <math.h>
#include <string.h>

static cairn_status check_square(cairn_context *ctx, size_t rows, size_t columns,
                                 const cairn_map *classes)
{
    if (rows != columns)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs} has %zu rows and %zu columns; there is one of each per class",
                          rows, columns);
    if (!classes || rows == classes->n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{costs} is a %zu x %zu table, but there are %zu classes; one row per actual "
                      "and one column per predicted class, in the order of the confusion table, or "
                      "by name as in '%s>%s=5'",
                      rows, columns, classes->n, cairn_map_key(classes, 0),
                      cairn_map_key(classes, classes->n > 1));
}

/* The class of that name, blanks at the ends aside. */
static int64_t find_class(const cairn_map *classes, const char *name, size_t length)
{
    while (length && *name == ' ') name++, length--;
    while (length && name[length - 1] == ' ') length--;
    return cairn_map_find(classes, name, length);
}

/* "ACTUAL>PREDICTED" as two classes: a name may hold the mark itself, so that every place of it is
 * tried. */
static bool read_pair(const cairn_map *classes, const char *text, size_t length, size_t pair[2])
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '>') continue;
        int64_t actual = find_class(classes, text, i);
        int64_t predicted = find_class(classes, text + i + 1, length - i - 1);
        if (actual < 0 || predicted < 0) continue;
        pair[0] = (size_t)actual;
        pair[1] = (size_t)predicted;
        return true;
    }
    return false;
}

/* Class names may hold '=', so the last one in the item separates; without `classes` only the form
 * is checked, because they are not known yet. */
static cairn_status read_item(cairn_context *ctx, double *costs, const char *item, size_t length,
                              const cairn_map *classes)
{
    const char *equals = NULL;
    double cost;
    size_t pair[2];
    for (size_t i = 0; i < length; i++)
        if (item[i] == '=') equals = item + i;
    size_t left = equals ? (size_t)(equals - item) : 0;
    bool number = equals && memchr(item, '>', left) &&
                  cairn_number_parse(equals + 1, length - left - 1, &cost);
    if (!number || !(cost >= 0) || isinf(cost))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs}: '%.*s' is not ACTUAL>PREDICTED=COST with a number that is not "
                          "negative",
                          (int)length, item);
    if (!classes) return CAIRN_OK;
    if (!read_pair(classes, item, left, pair))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs}: '%.*s' does not name two classes; they are called '%s', '%s'%s",
                          (int)left, item, cairn_map_key(classes, 0),
                          cairn_map_key(classes, classes->n > 1), classes->n > 2 ? " ..." : "");
    costs[pair[0] * classes->n + pair[1]] = cost;
    return CAIRN_OK;
}

static cairn_status read_named(cairn_context *ctx, double *costs, const char *text,
                               const cairn_map *classes)
{
    bool bracketed = *text == '[' && text[strlen(text) - 1] == ']';
    size_t length = strlen(text) - 2 * (size_t)bracketed;
    text += bracketed;
    for (size_t i = 0, end; i < length; i = end + 1) {
        for (end = i; end < length && text[end] != ';';) end++;
        if (strspn(text + i, " ") >= end - i) continue;
        CHECK(read_item(ctx, costs, text + i, end - i, classes));
    }
    return CAIRN_OK;
}

cairn_status cairn_costs_read(cairn_context *ctx, double **out, const char *text,
                              const cairn_map *classes)
{
    size_t rows, columns, k = classes ? classes->n : 0;
    double *costs;
    if (!strchr(text, '>')) {
        CHECK(cairn_read_counts(ctx, "costs", text, &costs, &rows, &columns));
        CHECK(check_square(ctx, rows, columns, classes));
        if (classes) *out = costs;
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &costs, cairn_product(k, k) + 1));
    for (size_t a = 0; a < k; a++)
        for (size_t p = 0; p < k; p++) costs[a * k + p] = a != p;
    CHECK(read_named(ctx, costs, text, classes));
    if (classes) *out = costs;
    return CAIRN_OK;
}
