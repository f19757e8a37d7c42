/* SPDX-License-Identifier: MIT */
/* Domains: the attributes of concepts, made from the columns of a table. */
#include "concepts/concepts.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "entry/entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTEGERS = 20 };

static cairn_status too_many(cairn_context *ctx, const char *name, size_t n)
{
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the column '%s' has %zu different values, and concepts take at most %d; group "
        "them (transform discretise) or leave the column out with {ignore %s}",
        name, n, CAIRN_CONCEPT_VALUES, name);
}

static cairn_status take_levels(cairn_context *ctx, cairn_attribute *out,
                                const cairn_column *column)
{
    out->n_values = column->names.n;
    if (out->n_values > CAIRN_CONCEPT_VALUES) return too_many(ctx, out->name, out->n_values);
    CHECK(SCRATCH(ctx, &out->values, out->n_values));
    for (size_t v = 0; v < out->n_values; v++) out->values[v] = cairn_map_key(&column->names, v);
    return CAIRN_OK;
}

/* Ascending, each once; returns how many. */
static size_t sort_numbers(double *numbers, size_t n)
{
    size_t kept = 0;
    if (n) qsort(numbers, n, sizeof *numbers, cairn_by_number);
    for (size_t i = 0; i < n; i++)
        if (!i || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    return kept;
}

/* The numbers that were the lowest or highest of the positive rows when they came. */
static size_t take_records(double *out, const cairn_view *view, const cairn_column *column,
                           const int8_t *classes)
{
    double low = INFINITY, high = -INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = column->numbers[cairn_view_row(view, i)];
        if (isnan(x) || (classes && classes[i] != 1) || (x >= low && x <= high)) continue;
        low = fmin(low, x);
        high = fmax(high, x);
        out[n++] = x;
    }
    return sort_numbers(out, n);
}

/* The different numbers of a column, ascending. For intervals of very many numbers those that
 * bound one, with a value for each run between them. */
static cairn_status take_numbers(cairn_context *ctx, cairn_attribute *out, const cairn_view *view,
                                 const cairn_column *column, const int8_t *classes)
{
    double *numbers;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &numbers, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = column->numbers[cairn_view_row(view, i)];
        if (!isnan(x)) numbers[n++] = x;
    }
    size_t n_numbers = sort_numbers(numbers, n), different = n_numbers;
    out->coarse = out->interval && n_numbers > CAIRN_CONCEPT_VALUES;
    if (out->coarse) n_numbers = take_records(numbers, view, column, classes);
    out->n_values = out->coarse ? 2 * n_numbers + 1 : n_numbers;
    if (out->coarse && out->n_values > CAIRN_CONCEPT_VALUES)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the interval of the column '%s' would be widened %zu times, and at most "
            "%d steps can be followed; shuffle the rows, group the numbers (transform "
            "discretise) or leave the column out with {ignore %s}",
            out->name, n_numbers, CAIRN_CONCEPT_VALUES / 2, out->name);
    if (out->n_values > CAIRN_CONCEPT_VALUES) return too_many(ctx, out->name, different);
    out->numbers = numbers;
    CHECK(SCRATCH(ctx, &out->values, out->n_values));
    for (size_t v = 0; v < out->n_values; v++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        if (!out->coarse || v % 2)
            cairn_number_format(name, numbers[out->coarse ? v / 2 : v], CAIRN_SHORTEST);
        out->values[v] = name;
    }
    return CAIRN_OK;
}

/* Whole numbers, at most 20 different ones: they can be told one by one. */
static bool holds_few_integers(const cairn_view *view, const cairn_column *column)
{
    double seen[MOST_INTEGERS];
    size_t n = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = column->numbers[cairn_view_row(view, i)];
        size_t k = 0;
        if (isnan(x)) continue;
        if (x != rint(x) || isinf(x)) return false;
        while (k < n && seen[k] != x) k++;
        if (k == MOST_INTEGERS) return false;
        if (k == n) seen[n++] = x;
    }
    return true;
}

cairn_status cairn_domain_make(cairn_context *ctx, cairn_domain *out, const cairn_view *view,
                               const cairn_language *language)
{
    *out = (cairn_domain){.n = view->n_features, .disjunction = language->disjunction};
    if (!out->n)
        return cairn_fail(ctx, CAIRN_USAGE, "concepts need at least one column beside the target");
    CHECK(SCRATCH(ctx, &out->attributes, out->n));
    for (size_t j = 0; j < out->n; j++) {
        cairn_attribute *a = &out->attributes[j];
        const cairn_column *column = view->features[j];
        a->name = view->names[j];
        a->interval = column->kind == CAIRN_NUMBER && language->intervals;
        if (a->interval)
            CHECK(take_numbers(ctx, a, view, column, language->classes));
        else if (column->kind == CAIRN_NUMBER && holds_few_integers(view, column))
            CHECK(take_numbers(ctx, a, view, column, NULL));
        else if (column->kind == CAIRN_LEVEL)
            CHECK(take_levels(ctx, a, column));
        else
            CHECK(
                cairn_fail(ctx, CAIRN_BAD_DATA,
                           "the column '%s' holds %s, and concepts are about levels (or few whole "
                           "numbers); {kinds "
                           "\"%s=level\"} takes its values as levels, {ignore %s} leaves it out",
                           a->name, cairn_kind_plural(column->kind), a->name, a->name));
        if (!a->n_values)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "the column '%s' has no values", a->name));
        a->seen = ((uint64_t)1 << a->n_values) - 1;
        bool open = language->unseen == CAIRN_UNSEEN_ALL ||
                    (language->unseen == CAIRN_UNSEEN_SINGLE && a->n_values == 1) || a->interval;
        a->any = open ? a->seen | (uint64_t)1 << a->n_values : a->seen;
    }
    return CAIRN_OK;
}

static int32_t find_number(const cairn_attribute *a, double x)
{
    size_t below = 0, n = a->coarse ? a->n_values / 2 : a->n_values;
    if (isnan(x)) return -1;
    while (below < n && a->numbers[below] < x) below++;
    bool equal = below < n && a->numbers[below] == x;
    if (a->coarse) return (int32_t)(2 * below + equal);
    return equal ? (int32_t)below : -1;
}

cairn_status cairn_domain_codes(cairn_context *ctx, int32_t **out, const cairn_domain *domain,
                                const cairn_view *view)
{
    CHECK(SCRATCH(ctx, out, cairn_product(view->rows.n, domain->n)));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        for (size_t j = 0; j < domain->n; j++) {
            const cairn_column *column = view->features[j];
            int32_t code = column->kind == CAIRN_LEVEL
                               ? column->codes[row]
                               : find_number(&domain->attributes[j], column->numbers[row]);
            if (code < 0)
                CHECK(
                    cairn_fail(ctx, CAIRN_BAD_DATA,
                               "%s: row %zu has no value in the column '%s', and a concept cannot "
                               "tell whether it covers it; fill it (transform impute), drop such "
                               "rows ({where '`%s` is not missing'}) or the column ({ignore %s})",
                               view->table->source ? view->table->source : "the table", row + 1,
                               view->names[j], view->names[j], view->names[j]));
            (*out)[i * domain->n + j] = code;
        }
    }
    return CAIRN_OK;
}

static const char *value_name(size_t i, const void *data)
{
    const cairn_attribute *a = data;
    return i < a->n_values ? a->values[i] : NULL;
}

const char *cairn_nearest_value(const cairn_attribute *attribute, const char *word)
{
    return cairn_nearest_word(word, value_name, attribute);
}

cairn_status cairn_domain_instance(cairn_context *ctx, int32_t *out, const cairn_domain *domain,
                                   const char *text)
{
    char **items;
    size_t n;
    CHECK(cairn_list_split(ctx, text, &items, &n));
    if (n != domain->n)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "'%s' has %zu values; an instance has one for each of the "
                         "%zu columns, separated by commas",
                         text, n, domain->n));
    for (size_t j = 0; j < n; j++) {
        const cairn_attribute *a = &domain->attributes[j];
        out[j] = -1;
        for (size_t v = 0; v < a->n_values && out[j] < 0; v++)
            if (cairn_same(a->values[v], items[j])) out[j] = (int32_t)v;
        if (out[j] < 0 && a->any != a->seen && cairn_same(items[j], "*"))
            out[j] = (int32_t)a->n_values;
        if (out[j] < 0) {
            const char *near = cairn_nearest_value(a, items[j]);
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "the column '%s' has no value '%s'%s%s%s", a->name,
                             items[j], near ? "; did you mean '" : "", near ? near : "",
                             near ? "'?" : ""));
        }
    }
    return CAIRN_OK;
}
