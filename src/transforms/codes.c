/* SPDX-License-Identifier: MIT */
/* Codes: a level column becomes one number column of the places of its levels in their order: 0, 1,
 * 2 ... An order that is not given is that of the levels as they are known; `order` before it gives
 * another. Missing cells and levels that training did not know stay missing, or get a number of
 * their own. */
#include "transforms/levels.h"
#include "data/column.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

typedef struct codes_params {
    const char *columns, *order, *unknown;
    double first, step;
} codes_params;

static const cairn_param codes_param_table[] = {
    CAIRN_PARAM_AS(codes_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to code; all level features when not given"),
    CAIRN_PARAM(codes_params, order, NULL, NULL,
                "the levels from low to high, such as (low,medium,high)"),
    CAIRN_PARAM(codes_params, first, "0", NULL, "number of the first level"),
    CAIRN_PARAM(codes_params, step, "1", NULL, "from one level to the next"),
    CAIRN_PARAM_AS(codes_params, unknown, CAIRN_TYPE_LIST, NULL,
                   "number for missing cells and unknown levels, such as -1; they stay missing if "
                   "not given"),
    CAIRN_PARAM_END,
};

static cairn_status given_levels(cairn_context *ctx, const char *name, const char *list,
                                 const cairn_column *column, cairn_map *out)
{
    char **names;
    size_t n, index;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_map_add(ctx, out, names[i], strlen(names[i]), &index));
    for (size_t k = 0; k < column->names.n; k++)
        if (cairn_map_find(out, cairn_map_key(&column->names, k), column->names.lengths[k]) < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "codes: level '%s' of column '%s' has no place in order=%s; add it",
                              cairn_map_key(&column->names, k), name, list);
    return CAIRN_OK;
}

/* Remembers which level has which number: the order of the column, or the one that was given;
 * `unknown` is only checked here and read again when it is applied. */
static cairn_status codes_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const codes_params *p = job->params;
    cairn_levelled *s = state;
    size_t n, *chosen;
    double *unknown;
    cairn_map *levels;
    if (p->unknown) CHECK(cairn_list_numbers(ctx, "unknown", p->unknown, &unknown, &n));
    if (p->unknown && n != 1)
        return cairn_fail(ctx, CAIRN_USAGE, "codes: unknown= takes one number, not %zu", n);
    CHECK(cairn_choose_features(ctx, job->view, "codes", p->columns, cairn_fits_level,
                                "a level column", &chosen, &n));
    CHECK(cairn_levelled_new(ctx, s, n));
    for (size_t i = 0; i < n; i++) {
        const cairn_column *column = job->view->features[chosen[i]];
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_levelled_add(ctx, s, name, &levels));
        if (p->order)
            CHECK(given_levels(ctx, name, p->order, column, levels));
        else
            CHECK(cairn_map_copy(ctx, levels, &column->names));
    }
    return CAIRN_OK;
}

static cairn_status code_numbers(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                                 const cairn_map *levels, const codes_params *p, double unknown)
{
    cairn_column *column = NULL;
    int32_t *places;
    CHECK(cairn_level_places(ctx, &places, levels, from));
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows));
    for (size_t i = 0; i < from->n_rows; i++) {
        int32_t place = from->codes[i] < 0 ? -1 : places[from->codes[i]];
        column->numbers[i] = place >= 0 ? p->first + p->step * place : unknown;
    }
    cairn_column_count_missing(column);
    *out = column;
    return CAIRN_OK;
}

/* Levels are looked up by name in what was learned, as a new table may number them otherwise; those
 * never seen become `unknown`, or missing without it. */
static cairn_status codes_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const codes_params *p = params;
    const cairn_levelled *s = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    double *unknown = NULL;
    size_t n_unknown = 0;
    if (p->unknown) CHECK(cairn_list_numbers(ctx, "unknown", p->unknown, &unknown, &n_unknown));
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_LEVEL));
        CHECK(code_numbers(ctx, &column, copy->slots[at].column, &s->levels[i], p,
                           n_unknown ? unknown[0] : NAN));
        cairn_table_replace_column(copy, at, column);
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

static void codes_describe(cairn_report *out, const void *state, const void *params)
{
    const codes_params *p = params;
    const cairn_levelled *s = state;
    cairn_report_table_of(out, "Codes", 0, "llr", "column", "level", "number");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i), *key = cairn_report_key(out, name);
        for (size_t k = 0; k < s->levels[i].n; k++) {
            const char *level = cairn_map_key(&s->levels[i], k);
            bool wanted = cairn_report_row_wanted(out);
            cairn_report_cells(out, NULL, k ? "" : name, level);
            cairn_report_cell_number(out, p->first + p->step * (double)k, 0, "codes.%s.%s", key,
                                     wanted ? cairn_report_key(out, level) : "");
        }
    }
    cairn_report_table_end(out);
}

static const cairn_learned codes_tables[] = {
    CAIRN_LEARNED("codes.levels", "level of a column, in the order of the codes",
                  cairn_levelled_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_codes = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "codes",
         .also = "ordinal encoding, label encoding, integer encoding, OrdinalEncoder, LabelEncoder",
         .about = "factor codes",
         .title = "Codes of levels",
         .summary = "Turns every level column into one number column that holds the place of the "
                    "level in its order: 0, 1, 2 and so on. It suits ordered levels; for levels "
                    "without an order, indicators say no more than is true.",
         .references = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning",
         .example = "cairn convert @weather weather-codes.csv --with codes",
         .params = codes_param_table,
         .params_size = sizeof(codes_params)},
    .state_size = sizeof(cairn_levelled),
    .tables = codes_tables,
    .fit = codes_fit,
    .apply = codes_apply,
    .lower = cairn_lower_levels,
    .describe = codes_describe,
    .keeps = cairn_levelled_keeps,
};
