/* SPDX-License-Identifier: MIT */
/* Indicators: a level column becomes one 0/1 number column per level, named "column=level"; a bag
 * column becomes one number column per item, holding its amount.
 *
 * With a reference level the first level gets no column and is what all-zero rows mean, so that a
 * linear model with an intercept has no exact dependence between its columns. A level that was not
 * seen in training, or a missing cell, gives missing values in all columns of its group. Memory:
 * 8 bytes per row and level, checked before it is taken. */
#include "transforms/columns.h"
#include <math.h>
#include <string.h>
#include <stdio.h>

typedef enum { KINDS_ALL, KINDS_LEVELS, KINDS_BAGS } kinds_choice;

typedef struct indicators_params {
    const char *columns;
    int kinds; /* kinds_choice */
    bool reference;
    double one, zero;
} indicators_params;

static const cairn_choice kinds_choices[] = {
    {"all", KINDS_ALL, "level and bag columns"},
    {"levels", KINDS_LEVELS, "level columns only"},
    {"bags", KINDS_BAGS, "bag columns only"},
    {0},
};

static const cairn_param indicators_param_table[] = {
    CAIRN_PARAM_AS(indicators_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to code; all that --kinds says when not given"),
    CAIRN_PARAM_CHOICE(indicators_params, kinds, "all", kinds_choices,
                       "which kinds of column are coded when none are named"),
    CAIRN_PARAM(indicators_params, reference, "no", NULL,
                "leave out the first level of each column, which all zeros then stand for"),
    CAIRN_PARAM(indicators_params, one, "1", NULL, "value where the level is present"),
    CAIRN_PARAM(indicators_params, zero, "0", NULL, "value where it is not"),
    CAIRN_PARAM_END,
};

typedef struct indicators_state {
    cairn_map names;   /* of the coded columns */
    cairn_map *levels; /* names.n: their level names */
} indicators_state;

static cairn_status keep_levels(cairn_context *ctx, cairn_map *out, const cairn_map *levels)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    for (size_t i = 0; i < levels->n; i++)
        TRY(cairn_map_add(ctx, out, cairn_map_key(levels, i), levels->lengths[i], &index));
done:
    return status;
}

static bool fits_bag(const cairn_column *column)
{
    return column->kind == CAIRN_BAG;
}

static bool fits_level_or_bag(const cairn_column *column)
{
    return cairn_fits_level(column) || fits_bag(column);
}

static cairn_status indicators_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const indicators_params *p = job->params;
    indicators_state *s = state;
    cairn_status status;
    size_t n, *chosen, index;
    bool (*fits)(const cairn_column *) = p->kinds == KINDS_LEVELS ? cairn_fits_level
                                         : p->kinds == KINDS_BAGS ? fits_bag
                                                                  : fits_level_or_bag;
    TRY(cairn_choose_features(ctx, job->view, "indicators", p->columns, fits,
                              "a level or bag column", &chosen, &n));
    TRY(NEW(ctx, &s->levels, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        TRY(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        TRY(keep_levels(ctx, &s->levels[index], &job->view->features[chosen[i]]->names));
    }
done:
    return status;
}

/* Code in the fitted levels for each code of the column at hand. */
static cairn_status recode(cairn_context *ctx, int32_t **out, const cairn_map *levels,
                           const cairn_column *column)
{
    cairn_status status = SCRATCH(ctx, out, column->names.n + 1);
    for (size_t i = 0; status == CAIRN_OK && i < column->names.n; i++)
        (*out)[i] = (int32_t)cairn_map_find(levels, cairn_map_key(&column->names, i),
                                            column->names.lengths[i]);
    return status;
}

/* "column=level", with _2, _3 ... behind it when the table has that name already. */
static cairn_status add_named(cairn_context *ctx, cairn_table *table, const cairn_slot *slot,
                              const char *level, cairn_column *column)
{
    char *name;
    size_t room = strlen(slot->name) + strlen(level) + 24;
    cairn_status status = SCRATCH(ctx, &name, room);
    if (status) {
        cairn_column_drop(column);
        return status;
    }
    snprintf(name, room, "%s=%s", slot->name, level);
    for (int copy = 2; cairn_table_find(table, name) >= 0; copy++)
        snprintf(name, room, "%s=%s_%d", slot->name, level, copy);
    return cairn_table_add_column(ctx, table, name, slot->role, column);
}

static cairn_status add_indicator(cairn_context *ctx, cairn_table *table, const cairn_slot *slot,
                                  const char *level, const int32_t *codes, int32_t wanted,
                                  const indicators_params *p)
{
    cairn_status status;
    cairn_column *column = NULL;
    TRY(cairn_column_new(ctx, &column, CAIRN_NUMBER, slot->column->n_rows));
    for (size_t i = 0; i < column->n_rows; i++) {
        int32_t code = slot->column->codes[i] < 0 ? -1 : codes[slot->column->codes[i]];
        column->numbers[i] = code < 0 ? NAN : code == wanted ? p->one : p->zero;
    }
    cairn_column_count_missing(column);
    TRY(add_named(ctx, table, slot, level, column));
done:
    return status;
}

/* Every item of a bag as a column of its amounts, 0 where the row lacks it. All columns are made
 * first and filled in one pass over the bag. */
static cairn_status code_bag(cairn_context *ctx, cairn_table *out, const cairn_slot *slot,
                             const cairn_map *items, const int32_t *codes)
{
    cairn_status status = CAIRN_OK;
    const cairn_column *bag = slot->column;
    cairn_column **columns;
    TRY(SCRATCH(ctx, &columns, items->n + 1));
    for (size_t k = 0; k < items->n; k++) {
        TRY(cairn_column_new(ctx, &columns[k], CAIRN_NUMBER, bag->n_rows));
        TRY(add_named(ctx, out, slot, cairn_map_key(items, k), columns[k]));
    }
    for (size_t i = 0; i < bag->n_rows; i++) {
        bool absent = bag->absent && bag->absent[i];
        for (size_t k = 0; absent && k < items->n; k++) columns[k]->numbers[i] = NAN;
        for (size_t at = bag->starts[i]; !absent && at < bag->starts[i + 1]; at++) {
            int32_t code = codes[bag->items[at]];
            if (code >= 0) columns[code]->numbers[i] = bag->amounts ? bag->amounts[at] : 1;
        }
    }
    for (size_t k = 0; k < items->n; k++) cairn_column_count_missing(columns[k]);
done:
    return status;
}

static cairn_status code_column(cairn_context *ctx, cairn_table *out, const cairn_slot *slot,
                                const cairn_map *levels, const indicators_params *p)
{
    cairn_status status;
    int32_t *codes;
    double bytes = 8.0 * (double)levels->n * (double)slot->column->n_rows;
    char what[128];
    if (slot->column->kind != CAIRN_BAG) TRY(cairn_expect_kind(ctx, slot, CAIRN_LEVEL));
    snprintf(what, sizeof what, "making columns of the %zu levels of '%.60s'", levels->n,
             slot->name);
    TRY(cairn_memory_check(ctx, bytes, what, "leave the column out with --ignore"));
    TRY(recode(ctx, &codes, levels, slot->column));
    if (slot->column->kind == CAIRN_BAG) return code_bag(ctx, out, slot, levels, codes);
    for (size_t k = p->reference && levels->n > 1; k < levels->n; k++)
        TRY(add_indicator(ctx, out, slot, cairn_map_key(levels, k), codes, (int32_t)k, p));
done:
    return status;
}

/* The new columns stand where the level column stood. */
static cairn_status indicators_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                     const void *params, const cairn_table *table)
{
    const indicators_state *s = state;
    cairn_status status;
    cairn_table *made = NULL;
    TRY(cairn_table_new(ctx, &made, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        int64_t at = slot->role == CAIRN_FEATURE
                         ? cairn_map_find(&s->names, slot->name, strlen(slot->name))
                         : -1;
        if (at < 0)
            TRY(cairn_table_add_column(ctx, made, slot->name, slot->role,
                                       cairn_column_hold(slot->column)));
        else
            TRY(code_column(ctx, made, slot, &s->levels[at], params));
    }
    *out = made;
    return CAIRN_OK;
done:
    cairn_table_free(made);
    return status;
}

static void indicators_describe(cairn_report *out, const void *state, const void *params)
{
    const indicators_params *p = params;
    const indicators_state *s = state;
    cairn_report_table_begin(out, "Indicator columns", 0);
    cairn_report_column(out, "column", 'l');
    cairn_report_column(out, "levels", 'r');
    cairn_report_column(out, "reference level", 'l');
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        bool has = p->reference && s->levels[i].n > 1;
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, (double)s->levels[i].n, 0, "indicators.%s.levels",
                                 cairn_report_key(out, name));
        cairn_report_cell(out, has ? cairn_map_key(&s->levels[i], 0) : "none");
    }
    cairn_report_table_end(out);
}

static cairn_status indicators_archive(cairn_archive *a, void *state)
{
    indicators_state *s = state;
    cairn_status status;
    TRY(cairn_archive_map(a, "names", &s->names));
    if (cairn_archive_reading(a)) TRY(NEW(cairn_archive_context(a), &s->levels, s->names.n));
    for (size_t i = 0; i < s->names.n; i++) TRY(cairn_archive_map(a, "levels", &s->levels[i]));
done:
    return status;
}

static void indicators_clear(void *state)
{
    indicators_state *s = state;
    for (size_t i = 0; s->levels && i < s->names.n; i++) cairn_map_clear(&s->levels[i]);
    cairn_free(s->levels);
    cairn_map_clear(&s->names);
}

const cairn_transform cairn_indicators = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "indicators",
              .title = "Indicator columns",
              .summary =
                  "Turns every level column into 0/1 number columns, one per level, named "
                  "column=level. Learners that work on numbers get them by themselves; the report "
                  "says so. With a reference level the first level is left out and all zeros "
                  "stand for it. --one and --zero give another coding, such as 1 and -1.",
              .references = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning",
              .example = "cairn convert @weather weather-numbers.csv --with indicators",
              .params = indicators_param_table,
              .params_size = sizeof(indicators_params)},
    .state_size = sizeof(indicators_state),
    .fit = indicators_fit,
    .apply = indicators_apply,
    .describe = indicators_describe,
    .archive = indicators_archive,
    .clear = indicators_clear,
};
