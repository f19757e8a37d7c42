/* SPDX-License-Identifier: MIT */
/* Impute: missing cells are filled with a value learned from the training rows: the mean or the
 * median of a number column, the most common level of a level column, or a level of its own.
 *
 * Ties between levels go to the first. A column without any value cannot be filled and fails with
 * advice. Columns that have nothing to fill are shared, not copied. Cost: one or two passes. */
#include "transforms/columns.h"
#include <math.h>
#include <string.h>
#include <stdlib.h>

typedef enum { FILL_MEAN, FILL_MEDIAN, FILL_ZERO } number_fill;
typedef enum { FILL_MODE, FILL_NEW } level_fill;

typedef struct impute_params {
    const char *columns;
    int numbers; /* number_fill */
    int levels;  /* level_fill */
} impute_params;

static const cairn_choice number_fills[] = {
    {"mean", FILL_MEAN, "the weighted mean of the training rows"},
    {"median", FILL_MEDIAN, "the middle value, which outliers do not move"},
    {"zero", FILL_ZERO, "the number 0"},
    {0},
};
static const cairn_choice level_fills[] = {
    {"mode", FILL_MODE, "the most common level, the first of equals"},
    {"new", FILL_NEW, "a level of its own, called (missing)"},
    {0},
};

static const cairn_param impute_param_table[] = {
    CAIRN_PARAM_AS(impute_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to fill; all number and level features when not given"),
    CAIRN_PARAM_CHOICE(impute_params, numbers, "mean", number_fills, "what fills number columns"),
    CAIRN_PARAM_CHOICE(impute_params, levels, "mode", level_fills, "what fills level columns"),
    CAIRN_PARAM_END,
};

static const char new_level[] = "(missing)";

typedef struct impute_state {
    cairn_map names;   /* of the columns */
    uint8_t *is_level; /* names.n */
    double *numbers;   /* names.n: what fills a number column */
    cairn_map *words;  /* names.n: one key, the level that fills */
    int64_t n_filled;  /* cells of the training rows */
} impute_state;

typedef struct weighted_value {
    double value, weight;
} weighted_value;

static int compare_values(const void *a, const void *b)
{
    double x = ((const weighted_value *)a)->value, y = ((const weighted_value *)b)->value;
    return (x > y) - (x < y);
}

/* Weighted median: the mean of the two middle values where the halves are equal. */
static cairn_status median_of(cairn_context *ctx, const cairn_view *view, size_t feature,
                              double *out)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    weighted_value *values;
    size_t n = 0;
    double total = 0, below = 0;
    TRY(SCRATCH_RAW(ctx, &values, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = view->features[feature]->numbers[cairn_view_row(view, i)];
        double w = cairn_view_weight(view, i);
        if (isnan(x) || w <= 0) continue;
        values[n++] = (weighted_value){x, w};
        total += w;
    }
    qsort(values, n, sizeof *values, compare_values);
    *out = NAN;
    for (size_t i = 0; i < n; i++) {
        below += values[i].weight;
        if (below < total / 2) continue;
        bool even = below == total / 2 && i + 1 < n;
        *out = even ? (values[i].value + values[i + 1].value) / 2 : values[i].value;
        break;
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status fill_number(cairn_context *ctx, const cairn_view *view, size_t feature, int how,
                                double mean, double *out)
{
    cairn_status status = CAIRN_OK;
    *out = how == FILL_ZERO ? 0 : mean;
    if (how == FILL_MEDIAN) TRY(median_of(ctx, view, feature, out));
    if (isnan(*out))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' has no value in any training row, so nothing can fill it; "
                          "leave it out with --ignore \"%s\"",
                          view->names[feature], view->names[feature]);
done:
    return status;
}

static cairn_status fill_level(cairn_context *ctx, const cairn_view *view, size_t feature, int how,
                               cairn_map *out)
{
    cairn_status status;
    double *weights;
    size_t best = 0, index;
    const cairn_column *column = view->features[feature];
    if (how == FILL_NEW) return cairn_map_add(ctx, out, new_level, sizeof new_level - 1, &index);
    TRY(SCRATCH(ctx, &weights, column->names.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        if (code >= 0) weights[code] += cairn_view_weight(view, i);
    }
    for (size_t k = 1; k < column->names.n; k++)
        if (weights[k] > weights[best]) best = k;
    if (column->names.n == 0 || weights[best] <= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' has no value in any training row, so nothing can fill it; "
                          "leave it out with --ignore \"%s\"",
                          view->names[feature], view->names[feature]);
    TRY(cairn_map_add(ctx, out, cairn_map_key(&column->names, best), column->names.lengths[best],
                      &index));
done:
    return status;
}

static int64_t count_missing(const cairn_view *view, size_t feature)
{
    int64_t n = 0;
    if (!view->features[feature]->n_missing) return 0;
    for (size_t i = 0; i < view->rows.n; i++)
        n += cairn_column_is_missing(view->features[feature], cairn_view_row(view, i));
    return n;
}

static cairn_status impute_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const impute_params *p = job->params;
    impute_state *s = state;
    const cairn_view *view = job->view;
    cairn_status status;
    size_t n, *chosen, index;
    double *means;
    TRY(cairn_choose_features(ctx, view, "impute", p->columns, cairn_fits_number_or_level,
                              "a number or level column", &chosen, &n));
    TRY(SCRATCH(ctx, &means, n));
    if (p->numbers == FILL_MEAN) TRY(cairn_column_means(ctx, view, chosen, n, means));
    TRY(NEW(ctx, &s->is_level, n));
    TRY(NEW(ctx, &s->numbers, n));
    TRY(NEW(ctx, &s->words, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = view->names[chosen[i]];
        TRY(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        s->is_level[index] = view->features[chosen[i]]->kind == CAIRN_LEVEL;
        s->n_filled += count_missing(view, chosen[i]);
        if (s->is_level[index])
            TRY(fill_level(ctx, view, chosen[i], p->levels, &s->words[index]));
        else
            TRY(fill_number(ctx, view, chosen[i], p->numbers, means[i], &s->numbers[index]));
    }
done:
    return status;
}

static cairn_status filled_numbers(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                                   double fill)
{
    cairn_status status = cairn_column_new(ctx, out, CAIRN_NUMBER, from->n_rows);
    for (size_t i = 0; status == CAIRN_OK && i < from->n_rows; i++)
        (*out)->numbers[i] = isnan(from->numbers[i]) ? fill : from->numbers[i];
    return status;
}

static cairn_status filled_levels(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                                  const cairn_map *word)
{
    cairn_status status;
    cairn_column *column = NULL;
    size_t fill;
    TRY(cairn_column_new(ctx, &column, CAIRN_LEVEL, from->n_rows));
    column->ordered = from->ordered;
    column->declared = from->declared;
    for (size_t k = 0; k < from->names.n; k++)
        TRY(cairn_map_add(ctx, &column->names, cairn_map_key(&from->names, k),
                          from->names.lengths[k], &fill));
    TRY(cairn_map_add(ctx, &column->names, cairn_map_key(word, 0), word->lengths[0], &fill));
    for (size_t i = 0; i < from->n_rows; i++)
        column->codes[i] = from->codes[i] < 0 ? (int32_t)fill : from->codes[i];
    *out = column;
    return CAIRN_OK;
done:
    cairn_column_drop(column);
    return status;
}

static cairn_status impute_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const impute_params *p = params;
    const impute_state *s = state;
    cairn_status status;
    cairn_table *copy = NULL;
    TRY(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column = NULL;
        TRY(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        const cairn_column *from = copy->slots[at].column;
        TRY(cairn_expect_kind(ctx, &copy->slots[at], s->is_level[i] ? CAIRN_LEVEL : CAIRN_NUMBER));
        bool adds_level = s->is_level[i] && p->levels == FILL_NEW;
        if (!from->n_missing && !adds_level) continue;
        if (s->is_level[i])
            TRY(filled_levels(ctx, &column, from, &s->words[i]));
        else
            TRY(filled_numbers(ctx, &column, from, s->numbers[i]));
        cairn_table_replace_column(copy, at, column);
    }
    *out = copy;
    return CAIRN_OK;
done:
    cairn_table_free(copy);
    return status;
}

/* Nothing was missing in training: the values are for new rows and stay out of sight. */
static bool impute_idle(cairn_report *out, const void *state)
{
    const impute_state *s = state;
    if (s->n_filled) return false;
    cairn_report_hidden(out, 0, "impute.cells");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->names, i));
        if (s->is_level[i])
            cairn_report_hidden_word(out, cairn_map_key(&s->words[i], 0), "impute.%s", key);
        else
            cairn_report_hidden(out, s->numbers[i], "impute.%s", key);
    }
    return true;
}

static void show_fills(cairn_report *out, const impute_state *s)
{
    cairn_report_value(out, "training cells filled", (double)s->n_filled, "impute.cells");
    cairn_report_table_begin(out, "Missing cells become", 0);
    cairn_report_column(out, "column", 'l');
    cairn_report_column(out, "value", 'r');
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        const char *key = cairn_report_key(out, name);
        cairn_report_cell(out, name);
        if (s->is_level[i])
            cairn_report_cell_word(out, cairn_map_key(&s->words[i], 0), "impute.%s", key);
        else
            cairn_report_cell_number(out, s->numbers[i], 0, "impute.%s", key);
    }
    cairn_report_table_end(out);
}

static void impute_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    if (impute_idle(out, state))
        cairn_report_paragraph(out,
                               "No training cell was missing. In new rows a missing cell becomes "
                               "what the training rows suggest (mean, median or most common "
                               "level).");
    else
        show_fills(out, state);
}

static cairn_status impute_archive(cairn_archive *a, void *state)
{
    impute_state *s = state;
    cairn_status status;
    TRY(cairn_archive_map(a, "names", &s->names));
    TRY(cairn_archive_int64(a, "filled", &s->n_filled));
    TRY(cairn_archive_bytes(a, "is_level", &s->is_level, s->names.n));
    TRY(cairn_archive_reals(a, "numbers", &s->numbers, s->names.n));
    if (cairn_archive_reading(a)) TRY(NEW(cairn_archive_context(a), &s->words, s->names.n));
    for (size_t i = 0; i < s->names.n; i++) {
        TRY(cairn_archive_map(a, "word", &s->words[i]));
        if (s->is_level[i] > 1 || (s->is_level[i] && s->words[i].n != 1))
            TRY(cairn_archive_damaged(a, "a column has no value to fill it"));
    }
done:
    return status;
}

static void impute_clear(void *state)
{
    impute_state *s = state;
    for (size_t i = 0; s->words && i < s->names.n; i++) cairn_map_clear(&s->words[i]);
    cairn_free(s->words);
    cairn_free(s->is_level);
    cairn_free(s->numbers);
    cairn_map_clear(&s->names);
}

const cairn_transform cairn_impute = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "impute",
              .title = "Fill missing cells",
              .summary =
                  "Fills missing cells with a value learned from the training rows: mean, median "
                  "or 0 for numbers, the most common level or a level of its own for levels. "
                  "Learners that cannot work with missing cells get it by themselves; the report "
                  "says so and how many cells were filled.",
              .references = "Little and Rubin, Statistical Analysis with Missing Data",
              .example = "cairn convert @titanic titanic-filled.csv --with impute:numbers=median",
              .params = impute_param_table,
              .params_size = sizeof(impute_params)},
    .state_size = sizeof(impute_state),
    .fit = impute_fit,
    .apply = impute_apply,
    .describe = impute_describe,
    .idle = impute_idle,
    .archive = impute_archive,
    .clear = impute_clear,
};
