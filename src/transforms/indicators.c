/* SPDX-License-Identifier: MIT */
/* Indicators: a level column becomes one 0/1 number column per level, named "column=level"; a bag
 * column becomes one number column per item, holding its amount.
 *
 * With a reference level the first level gets no column and is what all-zero rows mean, so that a
 * linear model with an intercept has no exact dependence between its columns. A level that was not
 * seen in training, or a missing cell, gives missing values in all columns of its group. Memory:
 * 8 bytes per row and level, checked before it is taken; items where every row has a bag are lists
 * of what rows have, until somebody wants all numbers. */
#include "transforms/levels.h"
#include "data/column.h"
#include "data/item_columns.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>
#include <stdio.h>

typedef enum { KINDS_ALL, KINDS_LEVELS, KINDS_BAGS } kinds_choice;
typedef enum { AS_NUMBERS, AS_LEVELS } as_choice;
typedef enum { UNKNOWN_MISSING, UNKNOWN_ZERO } unknown_choice;

typedef struct indicators_params {
    const char *columns, *base;
    int kinds;   /* kinds_choice */
    int as;      /* as_choice */
    int unknown; /* unknown_choice */
    bool reference;
    double one, zero;
} indicators_params;

static const cairn_choice kinds_choices[] = {
    {"all", KINDS_ALL, "level and bag columns"},
    {"levels", KINDS_LEVELS, "level columns only"},
    {"bags", KINDS_BAGS, "bag columns only"},
    {0},
};
static const cairn_choice as_choices[] = {
    {"numbers", AS_NUMBERS, "the numbers one and zero"},
    {"levels", AS_LEVELS, "the levels no and yes: Boolean columns"},
    {0},
};
static const cairn_choice unknown_choices[] = {
    {"missing", UNKNOWN_MISSING, "all indicators of the column are missing"},
    {"zero", UNKNOWN_ZERO, "all of them say no"},
    {0},
};

static const cairn_param indicators_param_table[] = {
    CAIRN_PARAM_AS(indicators_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to code; all that --kinds says when not given"),
    CAIRN_PARAM_CHOICE(indicators_params, kinds, "all", kinds_choices,
                       "which kinds of column are encoded when none are named", .when = "!columns"),
    CAIRN_PARAM(indicators_params, reference, "no", NULL,
                "leave out the first level of each column, which all zeros then stand for"),
    CAIRN_PARAM(indicators_params, base, NULL, NULL,
                "the level to leave out where a column has it, in place of the first"),
    CAIRN_PARAM(indicators_params, one, "1", NULL, "value where the level is present",
                .when = "as=numbers"),
    CAIRN_PARAM(indicators_params, zero, "0", NULL, "value where it is not", .when = "as=numbers"),
    CAIRN_PARAM_CHOICE(indicators_params, as, "numbers", as_choices,
                       "what the new columns of a level column hold"),
    CAIRN_PARAM_CHOICE(indicators_params, unknown, "missing", unknown_choices,
                       "what a missing cell or a level that was not seen in training becomes"),
    CAIRN_PARAM_END,
};

enum { CODE_BLOCK = 256 };

static bool fits_bag(const cairn_column *column)
{
    return column->kind == CAIRN_BAG;
}

static bool fits_level_or_bag(const cairn_column *column)
{
    return cairn_fits_level(column) || fits_bag(column);
}

/* Remembers the levels or items of training, which fix the number of columns; those that appear
 * later get none. */
static cairn_status indicators_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const indicators_params *p = job->params;
    cairn_levelled *s = state;
    size_t n, *chosen;
    cairn_map *levels;
    bool (*fits)(const cairn_column *) = p->kinds == KINDS_LEVELS ? cairn_fits_level
                                         : p->kinds == KINDS_BAGS ? fits_bag
                                                                  : fits_level_or_bag;
    CHECK(cairn_choose_features(ctx, job->view, "indicators", p->columns, fits,
                                "a level or bag column", &chosen, &n));
    CHECK(cairn_levelled_new(ctx, s, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_levelled_add(ctx, s, job->view->names[chosen[i]], &levels));
        if (levels->n == 0)
            CHECK(cairn_map_copy(ctx, levels, &job->view->features[chosen[i]]->names));
    }
    return CAIRN_OK;
}

/* The level without a column of its own, -1 = none. */
static int64_t reference_of(const cairn_map *levels, const indicators_params *p)
{
    if (levels->n < 2) return -1;
    int64_t base = p->base ? cairn_map_find(levels, p->base, strlen(p->base)) : -1;
    return base >= 0 ? base : p->reference ? 0 : -1;
}

/* The table that is being made, the names that are taken (those of all columns that stay), and
 * empty number columns for the levels, made at once because a large block is cheaper. */
typedef struct making {
    cairn_table *table;
    cairn_map names;
    cairn_column **spare;
    size_t n_spare, n_used;
} making;

/* "column=level", with _2, _3 ... behind it when the table has that name already. */
static cairn_status add_named(cairn_context *ctx, making *m, const cairn_slot *slot,
                              const char *level, cairn_column *column)
{
    OWNED(cairn_column_drop) cairn_column *owned = column;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    size_t index;
    cairn_text_addf(&name, "%s=%s", slot->name, level);
    CHECK(cairn_free_name(&m->names, &name));
    CHECK(cairn_map_add(ctx, &m->names, name.bytes, name.length, &index));
    return cairn_table_append(ctx, m->table, name.bytes, slot->role, TAKE(owned));
}

/* The next column that says `zero` everywhere. */
static cairn_status next_indicator(cairn_context *ctx, making *m, cairn_column **out, size_t n_rows,
                                   const indicators_params *p)
{
    if (p->as == AS_LEVELS) {
        /* A Boolean column that says no everywhere. */
        OWNED(cairn_column_drop) cairn_column *column = NULL;
        size_t index;
        CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, n_rows));
        CHECK(cairn_map_add(ctx, &column->names, "no", 2, &index));
        CHECK(cairn_map_add(ctx, &column->names, "yes", 3, &index));
        *out = TAKE(column);
        return CAIRN_OK;
    }
    *out = m->spare[m->n_used];
    m->spare[m->n_used++] = NULL;
    for (size_t i = 0; p->zero != 0 && i < n_rows; i++) (*out)->numbers[i] = p->zero;
    return CAIRN_OK;
}

typedef struct code_work {
    const cairn_column *from;
    const int32_t *places;  /* per code of `from`: the column that says yes; -1 = unknown */
    cairn_column **columns; /* n_columns; NULL = the reference */
    size_t n_columns;
    size_t *n_missing; /* per block */
    const indicators_params *p;
} code_work;

static void mark(const cairn_column *column, size_t row, double number, int32_t code)
{
    if (column->kind == CAIRN_NUMBER)
        column->numbers[row] = number;
    else
        column->codes[row] = code;
}

/* Every row has one yes; the rest of the columns is as it was made. */
static void code_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const code_work *w = data;
    size_t n_missing = 0;
    bool blank = w->p->unknown == UNKNOWN_MISSING;
    for (size_t i = begin; i < end; i++) {
        int32_t code = w->from->codes[i], place = code < 0 ? -1 : w->places[code];
        n_missing += place < 0;
        for (size_t k = 0; place < 0 && blank && k < w->n_columns; k++)
            if (w->columns[k]) mark(w->columns[k], i, NAN, -1);
        if (place >= 0 && w->columns[place]) mark(w->columns[place], i, w->p->one, 1);
    }
    w->n_missing[block] = n_missing;
}

/* One column for each level but the reference, whose rows are all zero. Missing cells are missing
 * in every column unless they are to be zero. */
static cairn_status code_levels(cairn_context *ctx, making *out, const cairn_slot *slot,
                                const cairn_map *levels, const int32_t *places,
                                const indicators_params *p)
{
    size_t n_rows = slot->column->n_rows, n_missing = 0;
    size_t n_blocks = cairn_block_count(n_rows, CODE_BLOCK);
    code_work work = {.from = slot->column, .places = places, .n_columns = levels->n, .p = p};
    int64_t reference = reference_of(levels, p);
    CHECK(SCRATCH(ctx, &work.columns, levels->n + 1));
    CHECK(SCRATCH(ctx, &work.n_missing, n_blocks + 1));
    for (size_t k = 0; k < levels->n; k++) {
        if (k % 64 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        if ((int64_t)k == reference) continue;
        CHECK(next_indicator(ctx, out, &work.columns[k], n_rows, p));
        CHECK(add_named(ctx, out, slot, cairn_map_key(levels, k), work.columns[k]));
    }
    CHECK(cairn_blocks(ctx, n_rows, CODE_BLOCK, code_rows, &work));
    for (size_t b = 0; b < n_blocks; b++) n_missing += work.n_missing[b];
    for (size_t k = 0; k < levels->n; k++)
        if (work.columns[k])
            work.columns[k]->n_missing = p->unknown == UNKNOWN_ZERO ? 0 : n_missing;
    return CAIRN_OK;
}

static cairn_status check_buffer(cairn_context *ctx, size_t n_columns, size_t n_rows)
{
    char what[128];
    (void)snprintf(what, sizeof what, "making %zu columns of levels and items", n_columns);
    return cairn_memory_check(
        ctx, 8.0 * (double)n_columns * (double)n_rows, what,
        cairn_say(ctx, "leave columns with many levels out with {ignore}, or group them"));
}

/* Every item of a bag as a column of its amounts, 0 where the row lacks it: as lists of what rows
 * have (data/item_columns.h), or, where a row has no bag, filled in one pass over the bag. */
static cairn_status code_bag(cairn_context *ctx, making *out, const cairn_slot *slot,
                             const cairn_map *items, const int32_t *codes)
{
    cairn_status status = CAIRN_OK;
    const cairn_column *bag = slot->column;
    cairn_column **columns, **made = NULL;
    bool listed;
    TRY(SCRATCH_EACH(ctx, items->n + 1, &columns, &made));
    TRY(cairn_item_columns_new(ctx, made, &listed, bag, codes, items->n));
    if (!listed) {
        TRY(check_buffer(ctx, items->n, bag->n_rows));
        TRY(cairn_columns_new(ctx, made, items->n, bag->n_rows, false));
    }
    for (size_t k = 0; k < items->n; k++) {
        columns[k] = made[k];
        made[k] = NULL; /* the table's from here on */
        TRY(add_named(ctx, out, slot, cairn_map_key(items, k), columns[k]));
    }
    for (size_t i = 0; !listed && i < bag->n_rows; i++) {
        if (i % 64 == 0) TRY(cairn_tick(ctx, NULL, 0, 0));
        bool absent = bag->absent && bag->absent[i];
        for (size_t k = 0; absent && k < items->n; k++) columns[k]->numbers[i] = NAN;
        for (size_t at = bag->starts[i]; !absent && at < bag->starts[i + 1]; at++) {
            int32_t code = codes[bag->items[at]];
            if (code >= 0) columns[code]->numbers[i] = bag->amounts ? bag->amounts[at] : 1;
        }
    }
    for (size_t k = 0; !listed && k < items->n; k++) {
        if (k % 64 == 0) TRY(cairn_tick(ctx, NULL, 0, 0));
        cairn_column_count_missing(columns[k]);
    }
done:
    for (size_t k = 0; made && k < items->n; k++) cairn_column_drop(made[k]);
    return status;
}

static cairn_status code_column(cairn_context *ctx, making *out, const cairn_slot *slot,
                                const cairn_map *levels, const indicators_params *p)
{
    int32_t *places;
    if (slot->column->kind != CAIRN_BAG) CHECK(cairn_expect_kind(ctx, slot, CAIRN_LEVEL));
    CHECK(cairn_level_places(ctx, &places, levels, slot->column));
    if (slot->column->kind == CAIRN_BAG) return code_bag(ctx, out, slot, levels, places);
    return code_levels(ctx, out, slot, levels, places, p);
}

static int64_t coded_at(const cairn_levelled *s, const cairn_slot *slot)
{
    if (slot->role != CAIRN_FEATURE) return -1;
    return cairn_map_find(&s->names, slot->name, strlen(slot->name));
}

/* The new columns stand where the old one stood, so that the order of columns stays readable. */
static cairn_status indicators_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                     const void *params, const cairn_table *table)
{
    const cairn_levelled *s = state;
    cairn_status status;
    making made = {0};
    TRY(cairn_table_new(ctx, &made.table, table->n_rows));
    /* Names that are taken, and columns for all levels. */
    const indicators_params *p = params;
    size_t index, n_numbers = 0, n_all = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        int64_t at = coded_at(s, slot);
        if (at < 0) {
            TRY(cairn_map_add(ctx, &made.names, slot->name, strlen(slot->name), &index));
            continue;
        }
        if (slot->column->kind != CAIRN_BAG) n_all += s->levels[at].n;
        bool level = slot->column->kind == CAIRN_LEVEL && p->as == AS_NUMBERS;
        if (level) n_numbers += s->levels[at].n - (reference_of(&s->levels[at], p) >= 0);
    }
    if (n_all) TRY(check_buffer(ctx, n_all, table->n_rows));
    TRY(SCRATCH(ctx, &made.spare, n_numbers + 1));
    TRY(cairn_columns_new(ctx, made.spare, n_numbers, table->n_rows, true));
    made.n_spare = n_numbers;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        int64_t at = coded_at(s, slot);
        if (at < 0)
            TRY(cairn_table_append(ctx, made.table, slot->name, slot->role,
                                   cairn_column_hold(slot->column)));
        else
            TRY(code_column(ctx, &made, slot, &s->levels[at], params));
    }
    *out = made.table;
    made.table = NULL;
done:
    for (size_t i = 0; i < made.n_spare; i++) cairn_column_drop(made.spare[i]);
    cairn_map_clear(&made.names);
    cairn_table_free(made.table);
    return status;
}

static void indicators_describe(cairn_report *out, const void *state, const void *params)
{
    const cairn_levelled *s = state;
    cairn_report_table_of(out, "Indicator columns", 0, "lrl", "column", "levels",
                          "reference level");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        int64_t reference = reference_of(&s->levels[i], params);
        cairn_report_cells(out, "- indicators.$1.levels", name, (double)s->levels[i].n,
                           reference < 0 ? "none"
                                         : cairn_map_key(&s->levels[i], (size_t)reference));
    }
    cairn_report_table_end(out);
}

static const cairn_learned indicators_tables[] = {
    CAIRN_LEARNED("indicators.levels", "level of a column, in the order of the codes",
                  cairn_levelled_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_indicators = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "indicators",
              .also = "one-hot, one-hot encoding, dummy variables, dummies, indicator variables, "
                      "binarise, OneHotEncoder, one hot, get_dummies, LabelBinarizer",
              .about = "pd.get_dummies",
              .title = "Indicator columns",
              .summary =
                  "Turns every level column into 0/1 number columns, one per level, named "
                  "column=level. Learners that work on numbers get them by themselves; the report "
                  "says so. With a reference level the first level is left out and all zeros "
                  "stand for it; base= names another. one= and zero= give another coding, such as "
                  "1 and -1, and as=levels makes Boolean columns. A bag column becomes one number "
                  "column per item.",
              .references = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning",
              .example = "cairn convert @weather weather-numbers.csv --with indicators",
              .params = indicators_param_table,
              .params_size = sizeof(indicators_params)},
    .state_size = sizeof(cairn_levelled),
    .tables = indicators_tables,
    .fit = indicators_fit,
    .apply = indicators_apply,
    .lower = cairn_lower_levels,
    .describe = indicators_describe,
    .keeps = cairn_levelled_keeps,
};
