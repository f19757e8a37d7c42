/* SPDX-License-Identifier: MIT */
/* Reading classifiers as points. */
#include "typed/points.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static cairn_status put_point(cairn_context *ctx, cairn_roc_point *out, const char *name,
                              const double c[4])
{
    for (int i = 0; i < 4; i++)
        if (!(c[i] >= 0) || isinf(c[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "'%s': a count is finite and not negative", name);
    *out = (cairn_roc_point){name, c[2], c[0], c[2] + c[3], c[0] + c[1]};
    if (!(out->positives > 0) || !(out->negatives > 0))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' has no rows of one class: it has no place in ROC "
                          "space",
                          name);
    return CAIRN_OK;
}

/* Points are separated by semicolons, "name=tp,fn,fp,tn"; one without a name is called by its
 * number. */
static cairn_status typed_points(cairn_context *ctx, cairn_typed_points *out, const char *text)
{
    size_t n = 1;
    for (const char *p = text; *p; p++) n += *p == ';';
    CHECK(SCRATCH(ctx, &out->points, n));
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(text, ";"), head = strcspn(text, "=;");
        char *copy, *name;
        double *counts;
        size_t n_counts;
        bool named = text[head] == '=';
        CHECK(SCRATCH(ctx, &copy, length + 1));
        CHECK(SCRATCH(ctx, &name, head + 24));
        memcpy(copy, text, length);
        if (named)
            memcpy(name, text, head);
        else
            cairn_number_format(name, (double)(i + 1), 0);
        CHECK(
            cairn_list_numbers(ctx, "points", named ? copy + head + 1 : copy, &counts, &n_counts));
        if (n_counts != 4)
            return cairn_fail(ctx, CAIRN_USAGE, "{points}: '%s' needs tp,fn,fp,tn", name);
        CHECK(put_point(ctx, &out->points[i], name, counts));
        text += length + (text[length] == ';');
    }
    out->n = n;
    return CAIRN_OK;
}

static const double *count_column(const cairn_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcasecmp(table->slots[c].name, name) == 0) return cairn_table_numbers(table, c);
    return NULL;
}

/* The first column that is none of the four counts names the points; without one they are numbered.
 * */
static cairn_status table_points(cairn_context *ctx, cairn_typed_points *out,
                                 const cairn_table *table)
{
    static const char *const heads[4] = {"tp", "fn", "fp", "tn"};
    const double *columns[4];
    ptrdiff_t names = -1;
    for (int i = 0; i < 4; i++) {
        columns[i] = count_column(table, heads[i]);
        if (!columns[i])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s has no number column '%s': a point "
                              "needs tp, fn, fp and tn",
                              table->source ? table->source : "the table", heads[i]);
    }
    for (size_t c = 0; c < table->n_columns && names < 0; c++) {
        bool count = false;
        for (int i = 0; i < 4; i++) count |= strcasecmp(table->slots[c].name, heads[i]) == 0;
        if (!count) names = (ptrdiff_t)c;
    }
    CHECK(SCRATCH(ctx, &out->points, table->n_rows));
    for (size_t r = 0; r < table->n_rows; r++) {
        char *name;
        size_t length = names < 0 ? 24 : cairn_table_cell(table, (size_t)names, r, NULL, 0);
        CHECK(SCRATCH(ctx, &name, length + 24));
        if (names < 0)
            cairn_number_format(name, (double)(r + 1), 0);
        else
            cairn_table_cell(table, (size_t)names, r, name, length + 1);
        CHECK(put_point(ctx, &out->points[r], name,
                        (double[]){columns[0][r], columns[1][r], columns[2][r], columns[3][r]}));
    }
    out->n = table->n_rows;
    return CAIRN_OK;
}

bool cairn_point_dominates(const cairn_roc_point *a, const cairn_roc_point *b)
{
    double at = a->tp / a->positives, af = a->fp / a->negatives;
    double bt = b->tp / b->positives, bf = b->fp / b->negatives;
    return at >= bt && af <= bf && (at > bt || af < bf);
}

cairn_status cairn_read_points(cairn_context *ctx, cairn_typed_points *out, const char *text,
                               const cairn_table *table, const char *what)
{
    if (!text && !table)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs {points}, or DATA with tp, fn, fp and tn",
                          what);
    CHECK(text ? typed_points(ctx, out, text) : table_points(ctx, out, table));
    if (out->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no classifiers to compare");
    return CAIRN_OK;
}
