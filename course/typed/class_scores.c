/* SPDX-License-Identifier: MIT */
/* Reading scores of several classes. */
#include "typed/class_scores.h"

#include "base/memory.h"
#include "typed/labels.h"
#include "typed/numbers.h"
#include "data/shape.h"
#include "data/view.h"

#include <math.h>
#include <string.h>

const cairn_param cairn_class_scores_group[] = {
    CAIRN_PARAM_AS(cairn_class_scores_option, scores, CAIRN_TYPE_COLUMNS, NULL,
                   "columns with one score per class, named like the classes or in their order; "
                   "all number columns if not given"),
    CAIRN_PARAM_END,
};

bool cairn_is_score_of(const char *column, const char *class)
{
    static const char *const heads[] = {"p(", "score("};
    size_t length = strlen(class);
    if (cairn_same(column, class)) return true;
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        size_t skip = strlen(heads[h]);
        if (strncmp(column, heads[h], skip) == 0 && strncmp(column + skip, class, length) == 0 &&
            cairn_same(column + skip + length, ")"))
            return true;
    }
    return false;
}

/* One column per class by its name; false when a class has none. */
static bool find_by_name(size_t *out, const cairn_table *table, const char *const *names, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        bool found = false;
        for (size_t c = 0; c < table->n_columns && !found; c++) {
            found = table->slots[c].role == CAIRN_FEATURE &&
                    cairn_is_score_of(table->slots[c].name, names[i]);
            if (found) out[i] = c;
        }
        if (!found) return false;
    }
    return true;
}

/* The number columns, or with as many features as classes all of them: what is no number in them
 * is told by its row. */
static void guess_columns(size_t *out, size_t *n, const cairn_table *table, size_t k)
{
    size_t features = 0;
    for (size_t c = 0; c < table->n_columns; c++) features += table->slots[c].role == CAIRN_FEATURE;
    bool all = features == k || (features == 1 && k == 2);
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && (all || cairn_table_numbers(table, c)))
            out[(*n)++] = c;
}

/* Numbers of the columns to be used. */
static cairn_status find_columns(cairn_context *ctx, size_t **out, size_t *n,
                                 const cairn_table *table, const char *wanted,
                                 const char *const *classes, size_t k)
{
    char **names;
    *n = 0;
    CHECK(SCRATCH(ctx, out, table->n_columns + 1));
    if (!wanted && k <= table->n_columns && find_by_name(*out, table, classes, k)) {
        *n = k;
        return CAIRN_OK;
    }
    if (!wanted) {
        guess_columns(*out, n, table, k);
        return CAIRN_OK;
    }
    size_t n_names;
    CHECK(cairn_list_split(ctx, wanted, &names, &n_names));
    if (n_names > table->n_columns)
        return cairn_fail(ctx, CAIRN_USAGE, "{scores} names more columns than there are");
    for (size_t i = 0; i < n_names; i++) CHECK(cairn_table_get(ctx, table, names[i], &(*out)[i]));
    *n = n_names;
    return CAIRN_OK;
}

/* Which column belongs to each class: by name when all are found so, else by place. */
static void match_classes(size_t *of_class, const cairn_table *table, const size_t *columns,
                          const char *const *names, size_t k)
{
    size_t found = 0;
    for (size_t i = 0; i < k; i++)
        for (size_t c = 0; c < k; c++)
            if (cairn_is_score_of(table->slots[columns[c]].name, names[i]))
                of_class[i] = columns[c], found++;
    if (found == k) return;
    for (size_t i = 0; i < k; i++) of_class[i] = columns[i];
}

static cairn_status fill_scores(cairn_context *ctx, cairn_class_scores *out,
                                const cairn_table *table, const size_t *of_class, bool one,
                                size_t positive)
{
    CHECK(SCRATCH_RAW(ctx, &out->scores, cairn_product(out->n, out->k)));
    for (size_t i = 0; i < out->k; i++) {
        const double *numbers;
        CHECK(cairn_number_column(ctx, &numbers, table, of_class[i], "scores"));
        bool rest = one && i != positive;
        out->columns[i] = table->slots[of_class[i]].name;
        for (size_t r = 0; r < out->n; r++) {
            if (isnan(numbers[r]) && out->classes[r] >= 0)
                return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: '%s' is not a number",
                                  table->source ? table->source : "the table", r + 1,
                                  out->columns[i]);
            out->scores[r * out->k + i] = rest ? 1 - numbers[r] : numbers[r];
        }
    }
    return CAIRN_OK;
}

/* The target's classes, and weights. */
static cairn_status read_target(cairn_context *ctx, cairn_class_scores *out,
                                const cairn_table *table, double sizes[2])
{
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    if (!view.target)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the classes with {target}");
    if (view.target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds numbers, not classes; {kinds \"%s=level\"} takes "
                          "its values as classes",
                          view.target_name, view.target_name);
    out->n = table->n_rows;
    out->k = view.target->names.n;
    out->classes = view.target->codes;
    out->weights = view.row_weights;
    CHECK(SCRATCH_EACH(ctx, out->k, &out->names, &out->columns));
    for (size_t i = 0; i < out->k; i++) out->names[i] = cairn_map_key(&view.target->names, i);
    for (size_t r = 0; r < out->n; r++)
        if (out->classes[r] >= 0 && out->classes[r] < 2) sizes[out->classes[r]] += 1;
    return CAIRN_OK;
}

cairn_status cairn_read_class_scores(cairn_context *ctx, cairn_class_scores *out,
                                     const cairn_class_scores_option *option, const char *positive,
                                     const cairn_table *table, const char *topic)
{
    double sizes[2] = {0, 0};
    size_t *columns, *of_class, n, at = 0;
    *out = (cairn_class_scores){0};
    if (!table)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute %s' needs DATA with scores and classes",
                          topic);
    if (table->shape == CAIRN_SHAPE_COUNTS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s is a table of counts: it says how often, and 'compute %s' needs "
                          "scores of single rows; 'compute confusion' reads such a table",
                          table->source ? table->source : "the table", topic);
    CHECK(read_target(ctx, out, table, sizes));
    if (out->k < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s has rows of one class only: nothing can be judged, and areas under "
                          "curves are undefined",
                          table->source ? table->source : "the table");
    CHECK(find_columns(ctx, &columns, &n, table, option->scores, out->names, out->k));
    bool one = n == 1 && out->k == 2;
    if (n != out->k && !one)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there are %zu classes and %zu columns of scores: name one per class, in "
                          "their order, with {scores}",
                          out->k, n);
    CHECK(SCRATCH(ctx, &of_class, out->k));
    out->positive = -1;
    if (out->k == 2) {
        const char *const names[2] = {out->names[0], out->names[1]};
        CHECK(cairn_choose_positive(ctx, &at, names, sizes, positive));
        out->positive = (int32_t)at;
    }
    if (one) {
        of_class[0] = of_class[1] = columns[0];
    } else {
        match_classes(of_class, table, columns, out->names, out->k);
    }
    return fill_scores(ctx, out, table, of_class, one, at);
}
