/* SPDX-License-Identifier: MIT */
/* Order and unorder: give level columns an order of their levels, or take it away.
 *
 * The order is the one given, that of the share of positives (or of the mean of a number target)
 * of each level in the training rows, that of the weights of the levels, or that of their names
 * (numbers by size, others by bytes). Ties keep the order that there was; levels without training
 * rows come last. */
#include "transforms/levels.h"
#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { ORDER_GIVEN, ORDER_TARGET, ORDER_COUNT, ORDER_NAME } order_by;

typedef struct order_params {
    const char *columns, *order;
    int by; /* order_by */
    bool descending;
} order_params;

static const cairn_choice order_choices[] = {
    {"given", ORDER_GIVEN, "the order= that is given, or the one in which the levels are known"},
    {"target", ORDER_TARGET, "by the share of positives, or by the mean of a number target"},
    {"count", ORDER_COUNT, "by the number of rows"},
    {"name", ORDER_NAME, "numbers by size, other names by their letters"},
    {0},
};

static const cairn_param order_param_table[] = {
    CAIRN_PARAM_CHOICE(order_params, by, "given", order_choices, "what decides the order"),
    CAIRN_PARAM_AS(order_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to order; all level features when not given"),
    CAIRN_PARAM(order_params, order, NULL, NULL,
                "the levels from low to high, such as (low,medium,high)", .when = "by=given"),
    CAIRN_PARAM(order_params, descending, "no", NULL, "turn the order round"),
    CAIRN_PARAM_END,
};

/* The places of the levels in the order that was given. */
static cairn_status given_values(cairn_context *ctx, const order_params *p, const char *name,
                                 const cairn_column *column, double *values)
{
    char **names;
    size_t n;
    for (size_t k = 0; k < column->names.n; k++) values[k] = (double)k;
    if (!p->order) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, p->order, &names, &n));
    for (size_t k = 0; k < column->names.n; k++) {
        size_t at = 0;
        while (at < n && strcmp(names[at], cairn_map_key(&column->names, k)) != 0) at++;
        if (at == n)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "order: level '%s' of column '%s' has no place in order=%s; add it",
                              cairn_map_key(&column->names, k), name, p->order);
        values[k] = (double)at;
    }
    return CAIRN_OK;
}

typedef struct named {
    const char *name;
    double number; /* NaN = not a number */
    size_t code;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    bool numbers = !isnan(x->number) && !isnan(y->number);
    int c = numbers ? (x->number > y->number) - (x->number < y->number) : strcmp(x->name, y->name);
    return c ? c : (x->code > y->code) - (x->code < y->code);
}

/* Ranks of the names: numbers before words. */
static cairn_status name_values(cairn_context *ctx, const cairn_map *names, double *values)
{
    named *list;
    bool numbers = true;
    CHECK(SCRATCH(ctx, &list, names->n + 1));
    for (size_t k = 0; k < names->n; k++) {
        list[k] = (named){.name = cairn_map_key(names, k), .code = k};
        if (!cairn_number_parse(list[k].name, names->lengths[k], &list[k].number)) numbers = false;
    }
    for (size_t k = 0; !numbers && k < names->n; k++) list[k].number = NAN;
    qsort(list, names->n, sizeof *list, by_name);
    for (size_t k = 0; k < names->n; k++) values[list[k].code] = (double)k;
    return CAIRN_OK;
}

/* Shows what the order was decided by, the rows and for `target` the share, next to the place it
 * led to. */
static void show_order(const cairn_job *job, const order_params *p, const char *column,
                       const cairn_map *levels, const double *weights, const double *values,
                       const size_t *order)
{
    char head[200];
    cairn_report *out = job->steps;
    if (!out) return;
    const char *key = cairn_report_key(out, column);
    if (p->by == ORDER_TARGET) cairn_share_name(job, head, sizeof head);
    cairn_report_table_of(out, column, 0, "rlr", "place", "level", "rows");
    if (p->by == ORDER_TARGET) cairn_report_column(out, head, 'r');
    for (size_t i = 0; i < levels->n; i++) {
        const char *level = cairn_map_key(levels, order[i]);
        const char *level_key = cairn_report_key(out, level);
        cairn_report_prefix(out, "order.%s.%s", key, level_key);
        cairn_report_cells(out, "@.place - @.rows", (double)(i + 1), level, weights[order[i]]);
        if (p->by == ORDER_TARGET)
            cairn_report_cell_number(out, values[order[i]], 0, "order.%s.%s.share", key, level_key);
    }
    cairn_report_table_end(out);
}

/* Every way to order becomes a number for each level, sorted once; levels of equal value keep the
 * order they had. */
static cairn_status order_column(cairn_context *ctx, const cairn_job *job, size_t feature,
                                 cairn_map *out)
{
    const order_params *p = job->params;
    const cairn_column *column = job->view->features[feature];
    size_t n = column->names.n, *order, index;
    double *values, *weights, *keys;
    CHECK(cairn_level_weights(ctx, job->view, column, &weights));
    CHECK(SCRATCH_EACH(ctx, n + 1, &values, &keys));
    switch ((order_by)p->by) {
    case ORDER_GIVEN: CHECK(given_values(ctx, p, job->view->names[feature], column, values)); break;
    case ORDER_TARGET:
        CHECK(cairn_level_shares(ctx, job, "order", feature, &weights, &values));
        break;
    case ORDER_COUNT: memcpy(values, weights, n * sizeof *values); break;
    case ORDER_NAME: CHECK(name_values(ctx, &column->names, values)); break;
    }
    for (size_t k = 0; k < n; k++) keys[k] = p->descending ? -values[k] : values[k];
    CHECK(cairn_level_order(ctx, keys, n, &order));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_map_add(ctx, out, cairn_map_key(&column->names, order[i]),
                            column->names.lengths[order[i]], &index));
    show_order(job, p, job->view->names[feature], &column->names, weights, values, order);
    return CAIRN_OK;
}

static cairn_status order_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const order_params *p = job->params;
    cairn_levelled *s = state;
    size_t n, *chosen;
    cairn_map *levels;
    CHECK(cairn_choose_features(ctx, job->view, "order", p->columns, cairn_fits_level,
                                "a level column", &chosen, &n));
    CHECK(cairn_levelled_new(ctx, s, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_levelled_add(ctx, s, job->view->names[chosen[i]], &levels));
        CHECK(order_column(ctx, job, chosen[i], levels));
    }
    return CAIRN_OK;
}

static cairn_status set_order(cairn_context *ctx, cairn_table **out, const cairn_levelled *s,
                              const cairn_table *table, bool ordered)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        int32_t *places;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_LEVEL));
        CHECK(cairn_level_places(ctx, &places, &s->levels[i], copy->slots[at].column));
        CHECK(cairn_relevel(ctx, &column, copy->slots[at].column, &s->levels[i], places, ordered));
        cairn_table_replace_column(copy, at, column);
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

static cairn_status order_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    (void)params;
    return set_order(ctx, out, state, table, true);
}

/* `between` shows whether the order has a meaning, as in "low < high", or is a mere list; 50 levels
 * suffice. */
static void show_levels(cairn_report *out, const cairn_levelled *s, const char *title,
                        const char *between, const char *prefix)
{
    cairn_report_table_of(out, title, 0, "ll", "column", "levels");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        cairn_text text = cairn_text_start(cairn_report_context(out));
        for (size_t k = 0; k < s->levels[i].n && k < 50; k++) {
            if (k) cairn_text_add(&text, between);
            cairn_text_add(&text, cairn_map_key(&s->levels[i], k));
        }
        if (s->levels[i].n > 50) cairn_text_addf(&text, "%s…", between);
        cairn_report_cell(out, name);
        cairn_report_cell_word(out, cairn_text_string(&text), "%s.%s", prefix,
                               cairn_report_key(out, name));
        if (cairn_text_status(&text)) cairn_report_failed(out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_table_end(out);
}

static void order_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    show_levels(out, state, "From low to high", " < ", "order");
}

const cairn_transform cairn_order = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "order",
              .also = "ordinal, ordered factor, sort levels",
              .title = "Order levels",
              .summary =
                  "Makes categorical columns ordinal: their levels get an order from low to high, "
                  "given, or found from the share of positives (the mean of a number target), the "
                  "number of rows or the names. Learners and transforms that use an order "
                  "(thresholds, codes, monotone grouping) then see it.",
              .references = "Flach, Machine Learning",
              .example =
                  "cairn convert @weather weather-ordered.csv --with order:by=target --steps",
              .params = order_param_table,
              .params_size = sizeof(order_params)},
    .state_size = sizeof(cairn_levelled),
    .fit = order_fit,
    .apply = order_apply,
    .lower = cairn_lower_levels,
    .describe = order_describe,
    .keeps = cairn_levelled_keeps,
};

/* -- unorder -- */

typedef struct unorder_params {
    const char *columns;
} unorder_params;

static const cairn_param unorder_param_table[] = {
    CAIRN_PARAM_AS(unorder_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns; all ordered level features when not given"),
    CAIRN_PARAM_END,
};

static bool fits_ordered(const cairn_column *column)
{
    return column->kind == CAIRN_LEVEL && column->ordered;
}

static cairn_status unorder_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const unorder_params *p = job->params;
    cairn_levelled *s = state;
    size_t n, *chosen, index;
    cairn_map *levels;
    CHECK(cairn_choose_features(ctx, job->view, "unorder", p->columns,
                                p->columns ? cairn_fits_level : fits_ordered,
                                "a level column with an order", &chosen, &n));
    CHECK(cairn_levelled_new(ctx, s, n));
    for (size_t i = 0; i < n; i++) {
        const cairn_map *names = &job->view->features[chosen[i]]->names;
        CHECK(cairn_levelled_add(ctx, s, job->view->names[chosen[i]], &levels));
        for (size_t k = 0; k < names->n; k++)
            CHECK(cairn_map_add(ctx, levels, cairn_map_key(names, k), names->lengths[k], &index));
    }
    return CAIRN_OK;
}

static cairn_status unorder_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                  const void *params, const cairn_table *table)
{
    (void)params;
    return set_order(ctx, out, state, table, false);
}

static void unorder_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const cairn_levelled *s = state;
    show_levels(out, state, "Levels without an order", ", ", "unorder");
    cairn_report_hidden(out, (double)s->names.n, "unorder.columns");
}

const cairn_transform cairn_unorder = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "unorder",
              .also = "nominal, unordered factor",
              .title = "Forget the order of levels",
              .summary =
                  "Makes ordinal columns categorical: the levels stay, their order no longer "
                  "means anything.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @weather weather-plain.csv --with order:by=name "
                         "--with unorder",
              .params = unorder_param_table,
              .params_size = sizeof(unorder_params)},
    .state_size = sizeof(cairn_levelled),
    .fit = unorder_fit,
    .apply = unorder_apply,
    .lower = cairn_lower_levels,
    .describe = unorder_describe,
    .keeps = cairn_levelled_keeps,
};
