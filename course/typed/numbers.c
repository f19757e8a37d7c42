/* SPDX-License-Identifier: MIT */
/* Numbers that are typed or come from a column. */
#include "typed/numbers.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"

#include <math.h>
#include <string.h>

const cairn_param cairn_numbers_params[] = {
    CAIRN_PARAM_CELLS(cairn_numbers_options, values, ANY, NULL, NULL,
                      "the numbers, such as 3,5,5,8; nan = missing"),
    CAIRN_PARAM_CELLS(cairn_numbers_options, weights, NUMBERS, NULL, "[0,inf)",
                      "a weight for each of the values"),
    CAIRN_PARAM_CELLS(cairn_numbers_options, groups, NAMES, NULL, NULL,
                      "a group for each of the values, such as a,a,b,b"),
    CAIRN_PARAM_AS(cairn_numbers_options, column, CAIRN_TYPE_COLUMNS, NULL,
                   "number column of DATA; the first one if not given"),
    CAIRN_PARAM_AS(cairn_numbers_options, by, CAIRN_TYPE_COLUMNS, NULL,
                   "level column of DATA that makes the groups"),
    CAIRN_PARAM_END,
};

/* Cells of a column that are no numbers: how many, and the first; and how many there are in all. */
typedef struct wrong_cells {
    size_t n, all, row;
    char first[64];
} wrong_cells;

static wrong_cells find_wrong_cells(const cairn_table *table, size_t column)
{
    wrong_cells found = {0};
    for (size_t r = 0; r < table->n_rows; r++) {
        char cell[64];
        double number;
        if (cairn_column_is_missing(table->slots[column].column, r)) continue;
        size_t length = cairn_table_cell(table, column, r, cell, sizeof cell);
        found.all++;
        if (length < sizeof cell && cairn_number_parse(cell, length, &number)) continue;
        if (found.n++ > 0) continue;
        found.row = r;
        memcpy(found.first, cell, sizeof cell);
    }
    return found;
}

cairn_status cairn_number_column(cairn_context *ctx, const double **out, const cairn_table *table,
                                 size_t column, const char *option)
{
    const char *name = table->slots[column].name;
    cairn_kind kind = cairn_table_kind(table, column);
    wrong_cells wrong = {0};
    *out = cairn_table_numbers(table, column);
    if (*out) return CAIRN_OK;
    if (kind == CAIRN_LEVEL || kind == CAIRN_TEXT) wrong = find_wrong_cells(table, column);
    if (wrong.n > 0 && 2 * wrong.n <= wrong.all) /* numbers with a few slips among them */
        return cairn_fail(
            ctx, CAIRN_BAD_DATA, "%s, row %zu: '%s' holds '%.40s', which is not a number",
            table->source ? table->source : "the table", wrong.row + 1, name, wrong.first);
    if (wrong.n > 0)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{%s}: '%s' holds %s, not numbers (row %zu: '%.40s'); name another column", option,
            name, cairn_kind_name(kind), wrong.row + 1, wrong.first);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{%s}: '%s' holds %s, not numbers; {kinds \"%s=number\"} reads its cells as "
                      "numbers",
                      option, name, cairn_kind_name(kind), name);
}

static cairn_status fits(cairn_context *ctx, const cairn_list *list, const char *option, size_t n)
{
    if (list->n == n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{%s} has %zu entries for %zu values", option, list->n, n);
}

/* Words become codes in the order in which they first appear. */
static cairn_status typed_groups(cairn_context *ctx, cairn_numbers *out, const cairn_list *list)
{
    SCOPED(cairn_map_clear) cairn_map map = {0};
    const char *const *words = list->names, **names;
    int32_t *codes;
    size_t n = list->n, code;
    CHECK(fits(ctx, list, "groups", out->n));
    CHECK(SCRATCH_EACH(ctx, n, &codes, &names));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_map_add(ctx, &map, words[i], strlen(words[i]), &code));
        codes[i] = (int32_t)code;
        if (!names[code]) names[code] = words[i];
    }
    out->codes = codes;
    out->groups = names;
    out->n_groups = map.n;
    return CAIRN_OK;
}

static cairn_status find_column(cairn_context *ctx, const cairn_table *table, const char *name,
                                size_t *out)
{
    if (name) return cairn_table_get(ctx, table, name, out);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < table->n_columns; i++) {
            cairn_role role = table->slots[i].role;
            if (!cairn_table_numbers(table, i)) continue;
            if (pass == 0 ? role != CAIRN_FEATURE : role != CAIRN_TARGET) continue;
            *out = i;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no number column",
                      table->source ? table->source : "the table");
}

static cairn_status column_groups(cairn_context *ctx, cairn_numbers *out, const cairn_table *table,
                                  const char *by)
{
    const char **names;
    size_t at;
    CHECK(cairn_table_get(ctx, table, by, &at));
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{by}: '%s' holds no levels; {kinds \"%s=level\"} takes its values as "
                          "levels",
                          by, by);
    CHECK(SCRATCH(ctx, &names, column->names.n + 1));
    for (size_t i = 0; i < column->names.n; i++) names[i] = cairn_map_key(&column->names, i);
    out->codes = column->codes;
    out->groups = names;
    out->n_groups = column->names.n;
    return CAIRN_OK;
}

static cairn_status column_numbers(cairn_context *ctx, cairn_numbers *out,
                                   const cairn_numbers_options *options, const cairn_table *table)
{
    cairn_view view;
    size_t at;
    if (options->weights.text || options->groups.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights} and {groups} go with {values}; a table has "
                          "{weight COLUMN} and {by COLUMN}");
    CHECK(find_column(ctx, table, options->column, &at));
    out->name = table->slots[at].name;
    CHECK(cairn_number_column(ctx, &out->values, table, at, "column"));
    out->n = table->n_rows;
    out->is_time = cairn_table_kind(table, at) == CAIRN_TIME;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    out->weights = view.row_weights;
    if (options->by) CHECK(column_groups(ctx, out, table, options->by));
    return CAIRN_OK;
}

cairn_status cairn_numbers_get(cairn_context *ctx, cairn_numbers *out,
                               const cairn_numbers_options *options, const cairn_table *table,
                               const char *what)
{
    *out = (cairn_numbers){0};
    if (options->values.text && table)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute %s' takes either {values} or DATA", what);
    if (options->values.text) {
        /* Options that name columns are refused here, because typed values have none. */
        if (options->column || options->by)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{column} and {by name} columns of DATA; typed values "
                              "have {groups}");
        out->name = "the values";
        out->values = options->values.values;
        out->n = options->values.n;
        out->weights = options->weights.values;
        if (out->weights) CHECK(fits(ctx, &options->weights, "weights", out->n));
        if (options->groups.text) CHECK(typed_groups(ctx, out, &options->groups));
        return CAIRN_OK;
    }
    if (table) return column_numbers(ctx, out, options, table);
    return cairn_fail(ctx, CAIRN_USAGE, "'compute %s' needs {values}, or DATA with {column}", what);
}

cairn_status cairn_numbers_sample(cairn_context *ctx, cairn_sample *out,
                                  const cairn_numbers *numbers, int32_t group)
{
    cairn_part part = {group >= 0 ? numbers->codes : NULL, group};
    return cairn_sample_make(ctx, out, numbers->values, numbers->weights, numbers->n, part);
}

void cairn_note_overflow(cairn_report *out, double result)
{
    if (!isinf(result)) return;
    cairn_report_note(out,
                      "The numbers are so large that their differences or squares overflow: inf "
                      "stands for what is beyond the largest number. Divide them by a power of "
                      "ten.");
}

cairn_status cairn_grouped_numbers(cairn_context *ctx, cairn_numbers *out,
                                   const cairn_numbers_options *options, const cairn_table *table,
                                   const char *what, const char **by)
{
    cairn_numbers_options wanted = *options;
    ptrdiff_t target = table ? cairn_table_role_column(table, CAIRN_TARGET) : -1;
    if (cairn_same(wanted.by, "none"))
        wanted.by = NULL;
    else if (!wanted.by && !wanted.values.text && target >= 0 &&
             cairn_table_kind(table, (size_t)target) == CAIRN_LEVEL)
        wanted.by = table->slots[target].name;
    *by = wanted.by ? wanted.by : wanted.groups.text ? "group" : NULL;
    CHECK(cairn_numbers_get(ctx, out, &wanted, table, what));
    if (out->n_groups > CAIRN_MOST_BOXES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu groups are too many to stand side by side (%d at the most); {by} "
                          "names another column, or none",
                          out->n_groups, (int)CAIRN_MOST_BOXES);
    return CAIRN_OK;
}

cairn_status cairn_group_samples(cairn_context *ctx, cairn_sample **out, size_t *n,
                                 const cairn_numbers *numbers)
{
    size_t values = 0;
    *n = numbers->codes ? numbers->n_groups : 1;
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t g = 0; g < *n; g++) {
        CHECK(cairn_numbers_sample(ctx, &(*out)[g], numbers, numbers->codes ? (int32_t)g : -1));
        values += (*out)[g].n;
    }
    if (!values)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: every value is missing", numbers->name);
    return CAIRN_OK;
}

/* -- a matrix with names -- */

/* The names of one row, joined; scratch. */
static cairn_status row_name(cairn_context *ctx, const char **out, const cairn_table *table,
                             ptrdiff_t id, size_t row)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char *copy;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        bool names = id >= 0 ? j == (size_t)id : slot->column->kind == CAIRN_LEVEL;
        size_t length = names ? cairn_table_cell(table, j, row, NULL, 0) : 0;
        if (!names) continue;
        CHECK(SCRATCH(ctx, &copy, length + 1));
        cairn_table_cell(table, j, row, copy, length + 1);
        cairn_text_addf(&text, "%s%s", text.length ? ", " : "", copy);
    }
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
    return CAIRN_OK;
}

cairn_status cairn_named_matrix_read(cairn_context *ctx, cairn_named_matrix *out,
                                     const cairn_table *table)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID), levels = -1;
    size_t at = 0;
    *out = (cairn_named_matrix){.n = table->n_rows, .row_title = "row"};
    for (size_t j = 0; j < table->n_columns; j++) {
        if (levels < 0 && table->slots[j].column->kind == CAIRN_LEVEL) levels = (ptrdiff_t)j;
        out->m += table->slots[j].role == CAIRN_FEATURE && cairn_table_numbers(table, j);
    }
    if (!out->m || !out->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no columns of numbers",
                          table->source ? table->source : "the table");
    CHECK(SCRATCH(ctx, &out->values, cairn_product(out->n, out->m)));
    CHECK(SCRATCH(ctx, &out->columns, out->m));
    for (size_t j = 0; j < table->n_columns; j++) {
        const double *numbers = cairn_table_numbers(table, j);
        if (table->slots[j].role != CAIRN_FEATURE || !numbers) continue;
        out->columns[at] = table->slots[j].name;
        for (size_t i = 0; i < out->n; i++) {
            out->values[i * out->m + at] = numbers[i];
            if (!isfinite(numbers[i]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s, row %zu, column '%s': the number is missing or infinite",
                                  table->source ? table->source : "the table", i + 1,
                                  out->columns[at]);
        }
        at++;
    }
    if (id < 0 && levels < 0) return CAIRN_OK;
    out->row_title = table->slots[id >= 0 ? id : levels].name;
    CHECK(SCRATCH(ctx, &out->rows, out->n));
    for (size_t i = 0; i < out->n; i++) CHECK(row_name(ctx, &out->rows[i], table, id, i));
    return CAIRN_OK;
}

cairn_status cairn_named_matrix_text(cairn_context *ctx, const char **out,
                                     const cairn_named_matrix *m, bool named)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char number[CAIRN_NUMBER_SIZE], *copy;
    for (size_t i = 0; i < m->n; i++) {
        if (i) cairn_text_add(&text, ";");
        if (named && m->rows) cairn_text_addf(&text, "%s=", m->rows[i]);
        for (size_t j = 0; j < m->m; j++) {
            cairn_number_format(number, m->values[i * m->m + j], CAIRN_SHORTEST);
            cairn_text_addf(&text, "%s%s", j ? "," : "", number);
        }
    }
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
    return CAIRN_OK;
}
