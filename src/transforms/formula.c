/* SPDX-License-Identifier: MIT */
/* Formula columns: name = expression over the columns that are there, in order, so that one formula
 * may use the result of another. A name that is there already is replaced and keeps its role.
 *
 * What a formula gives depends on nothing but the row, except that texts become levels: those that
 * the training rows have, a new one is missing. A formula of a model cannot read the target, which
 * new rows do not have; where a table is only converted it can. Random numbers go by the row's
 * number and the seed. Cost: one pass per formula. */
#include "data/column.h"
#include "data/expression.h"
#include "report/table_rows.h"
#include "transforms/columns.h"
#include "transforms/expression_lower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { TRUTH_LEVELS, TRUTH_NUMBERS } truth_choice;

typedef struct formula_params {
    const char *set;
    int truth; /* truth_choice */
} formula_params;

static const cairn_choice truths[] = {
    {"levels", TRUTH_LEVELS, "the levels no and yes"},
    {"numbers", TRUTH_NUMBERS, "the numbers 0 and 1"},
    {0},
};

static const cairn_param formula_param_table[] = {
    {.name = "set",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(formula_params, set),
     .help = "a column and its formula, such as ratio = a / b; 'set=' may be left out",
     .required = true,
     .repeated = true},
    CAIRN_PARAM_CHOICE(formula_params, truth, "levels", truths, "what conditions become"),
    CAIRN_PARAM_END,
};

typedef struct formula_item {
    char *name, *text;
    int32_t type;     /* cairn_value_type */
    int32_t kind;     /* cairn_kind of the column */
    cairn_map levels; /* kind LEVEL */
    cairn_faults faults;
} formula_item;

typedef struct formula_state {
    formula_item *items;
    size_t n;
} formula_state;

/* The i-th line of the settings, from scratch; NULL at the end. */
static cairn_status next_line(cairn_context *ctx, const char **lines, char **out)
{
    size_t length = strcspn(*lines, "\n");
    *out = NULL;
    if (!**lines) return CAIRN_OK;
    CHECK(SCRATCH(ctx, out, length + 1));
    memcpy(*out, *lines, length);
    *lines += length + ((*lines)[length] == '\n');
    return CAIRN_OK;
}

/* The grammar is checked before data is read. */
static cairn_status formula_check(cairn_context *ctx, const void *values)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    const char *lines = ((const formula_params *)values)->set;
    cairn_status status = CAIRN_OK;
    char *line, *name = NULL, *text;
    while (lines) {
        TRY(next_line(ctx, &lines, &line));
        if (!line) break;
        name = NULL;
        TRY(cairn_assignment_split(ctx, line, &name, &text));
        TRY(cairn_expression_check(ctx, text));
    }
done:
    if (status == CAIRN_USAGE && name) cairn_message_prefix(ctx, "formula of '%s'", name);
    if (status == CAIRN_USAGE && !name) cairn_message_prefix(ctx, "formula");
    cairn_scratch_release(ctx, mark);
    return status;
}

/* A model cannot compute with what new rows do not have. */
static cairn_status refuse_target(cairn_context *ctx, const cairn_expression *e,
                                  const cairn_table *table, const char *name)
{
    bool *used;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0) return CAIRN_OK;
    const char *target_name = table->slots[target].name;
    CHECK(SCRATCH(ctx, &used, table->n_columns));
    cairn_expression_reads(e, used);
    if (strcmp(name, target_name) == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' is the target and cannot be replaced while a model is fitted; "
                          "convert the table first, or give the column another name",
                          name);
    if (used[target])
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "it reads the target '%s', which is not known for new rows; leave it out, "
            "or convert the table first",
            target_name);
    return CAIRN_OK;
}

/* Give a computed column the kind and the levels that were fitted. */
static cairn_status settle(cairn_context *ctx, cairn_column **column, const formula_item *item)
{
    cairn_column *changed = NULL;
    int32_t *codes;
    if ((int32_t)(*column)->kind != item->kind) {
        CHECK(cairn_column_convert(ctx, &changed, *column, (cairn_kind)item->kind, item->name, NULL,
                                   NULL, NULL));
        cairn_column_drop(*column);
        *column = changed;
    }
    if (item->kind != CAIRN_LEVEL) return CAIRN_OK;
    cairn_map *names = &(*column)->names;
    CHECK(SCRATCH(ctx, &codes, names->n + 1));
    for (size_t i = 0; i < names->n; i++)
        codes[i] =
            (int32_t)cairn_map_find(&item->levels, cairn_map_key(names, i), names->lengths[i]);
    for (size_t i = 0; i < (*column)->n_rows; i++)
        if ((*column)->codes[i] >= 0) (*column)->codes[i] = codes[(*column)->codes[i]];
    cairn_map_clear(names);
    CHECK(cairn_map_copy(ctx, names, &item->levels));
    cairn_column_count_missing(*column);
    return CAIRN_OK;
}

/* The column of a formula as it comes; truths as numbers when they are wanted so. */
static cairn_status compute(cairn_context *ctx, cairn_column **out, const cairn_table *table,
                            const formula_item *item, const formula_params *p, bool fitting,
                            cairn_value_type *type, cairn_faults *faults)
{
    cairn_status status;
    cairn_expression *e = NULL;
    cairn_column *column = NULL;
    TRY(cairn_expression_new(ctx, &e, item->text, table));
    cairn_expression_salt(e, item->name);
    *type = cairn_expression_type(e);
    if (fitting) TRY(refuse_target(ctx, e, table, item->name));
    if (*type == CAIRN_VALUE_TRUTH && p->truth == TRUTH_NUMBERS) {
        TRY(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
        TRY(cairn_expression_numbers(ctx, e, column->numbers, faults));
        cairn_column_count_missing(column);
    } else {
        TRY(cairn_expression_column(ctx, e, &column, faults));
    }
    *out = column;
    column = NULL;
done:
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "formula of '%s'", item->name);
    cairn_column_drop(column);
    cairn_expression_free(e);
    return status;
}

/* Put the column at the end or in place of the one of its name; the holder passes over. */
static cairn_status put_column(cairn_context *ctx, cairn_table *table, const char *name,
                               cairn_column *column)
{
    ptrdiff_t at = cairn_table_find(table, name);
    if (at < 0) return cairn_table_add_column(ctx, table, name, CAIRN_FEATURE, column);
    cairn_table_replace_column(table, (size_t)at, column);
    return CAIRN_OK;
}

/* Levels of the training rows, in the column's order. */
static cairn_status keep_levels(cairn_context *ctx, formula_item *item, const cairn_column *column,
                                const cairn_view *view)
{
    bool *seen;
    size_t index;
    CHECK(SCRATCH(ctx, &seen, column->names.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        if (code >= 0) seen[code] = true;
    }
    for (size_t k = 0; k < column->names.n; k++)
        if (seen[k] || column->declared)
            CHECK(cairn_map_add(ctx, &item->levels, cairn_map_key(&column->names, k),
                                column->names.lengths[k], &index));
    return CAIRN_OK;
}

static cairn_status fit_item(cairn_context *ctx, formula_item *item, cairn_table *table,
                             const cairn_job *job)
{
    cairn_status status;
    cairn_column *column = NULL;
    cairn_value_type type;
    TRY(compute(ctx, &column, table, item, job->params, !job->recipe, &type, &item->faults));
    item->type = (int32_t)type;
    item->kind = (int32_t)column->kind;
    if (column->kind == CAIRN_LEVEL) TRY(keep_levels(ctx, item, column, job->view));
    TRY(settle(ctx, &column, item));
    status = put_column(ctx, table, item->name, column);
    column = NULL;
done:
    cairn_column_drop(column);
    return status;
}

/* Formulas run in order on a table that grows with each, so that a later one may use the columns of
 * those before. */
static cairn_status formula_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const char *lines = ((const formula_params *)job->params)->set;
    formula_state *s = state;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    char *line, *name, *text;
    size_t n = 1;
    for (const char *c = lines; *c; c++) n += *c == '\n';
    CHECK(NEW(ctx, &s->items, n));
    CHECK(cairn_table_share(ctx, &table, job->view->table));
    for (;;) {
        CHECK(next_line(ctx, &lines, &line));
        if (!line) break;
        formula_item *item = &s->items[s->n++];
        CHECK(cairn_assignment_split(ctx, line, &name, &text));
        CHECK(cairn_copy_text(ctx, &item->name, name, strlen(name)));
        CHECK(cairn_copy_text(ctx, &item->text, text, strlen(text)));
        CHECK(fit_item(ctx, item, table, job));
    }
    return CAIRN_OK;
}

static void warn_faults(cairn_context *ctx, const char *name, const cairn_faults *faults)
{
    char what[160];
    snprintf(what, sizeof what, "formula of '%.120s'", name);
    cairn_faults_warn(ctx, what, faults);
}

/* A formula must give the type it gave in training, whatever the new table holds: what follows was
 * fitted to that. */
static cairn_status formula_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                  const void *params, const cairn_table *table)
{
    const formula_state *s = state;
    cairn_status status;
    cairn_table *made = NULL;
    cairn_column *column = NULL;
    TRY(cairn_table_share(ctx, &made, table));
    for (size_t i = 0; i < s->n; i++) {
        cairn_value_type type;
        cairn_faults faults = {0};
        TRY(compute(ctx, &column, made, &s->items[i], params, false, &type, &faults));
        if ((int32_t)type != s->items[i].type)
            TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                           "formula of '%s': its columns are of another kind than when the model "
                           "was fitted",
                           s->items[i].name));
        warn_faults(ctx, s->items[i].name, &faults);
        TRY(settle(ctx, &column, &s->items[i]));
        status = put_column(ctx, made, s->items[i].name, column);
        column = NULL;
        if (status) goto done;
    }
    *out = made;
    made = NULL;
done:
    cairn_column_drop(column);
    cairn_table_free(made);
    return status;
}

/* Levels that are found by asking `apply` have no name here; conditions are places in the levels
 * that were fitted. */
static cairn_status lower_item(cairn_program *p, const formula_item *item, const cairn_table *table,
                               const int32_t *slots, int32_t *out)
{
    static const char *const words[] = {"no", "yes"};
    cairn_expression *e = NULL;
    cairn_status status;
    double codes[3] = {NAN, NAN, NAN};
    *out = -1;
    if (item->type == CAIRN_VALUE_TEXT) return CAIRN_OK;
    TRY(cairn_expression_new(p->ctx, &e, item->text, table));
    TRY(cairn_lower_expression(p, e, slots, out));
    for (size_t i = 0; item->kind == CAIRN_LEVEL && i < 2; i++) {
        int64_t code = cairn_map_find(&item->levels, words[i], strlen(words[i]));
        if (code >= 0) codes[i] = (double)code;
    }
    if (item->kind == CAIRN_LEVEL) TRY(cairn_lower_lookup(p, *out, 2, 1, codes, codes + 2, out));
    TRY(cairn_program_put(p, item->name, *out));
done:
    cairn_expression_free(e);
    return status;
}

/* The formulas in order on a table of one row, whose columns say what the next one may read. */
static cairn_status formula_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const formula_state *s = state;
    cairn_context *ctx = out->ctx;
    cairn_table *table = NULL;
    int32_t *slots, made;
    cairn_status status;
    TRY(cairn_program_probe(out, &table));
    TRY(SCRATCH(ctx, &slots, table->n_columns + s->n));
    for (size_t i = 0, at = 0; i < out->now.n_fields; i++)
        if (out->now.fields[i].role == CAIRN_FEATURE) slots[at++] = out->slots[i];
    for (size_t i = 0; i < s->n; i++) {
        const formula_item *item = &s->items[i];
        cairn_column *column;
        cairn_value_type type;
        cairn_faults faults = {0};
        TRY(lower_item(out, item, table, slots, &made));
        TRY(compute(ctx, &column, table, item, job->params, false, &type, &faults));
        status = settle(ctx, &column, item);
        if (status) cairn_column_drop(column);
        if (!status) status = put_column(ctx, table, item->name, column);
        if (status) goto done;
        slots[cairn_table_find(table, item->name)] = made;
    }
done:
    cairn_table_free(table);
    return status;
}

/* Faults, such as a division by zero, are counted in the table and told by kind below it, because a
 * missing value does not say where it came from. */
static void formula_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const formula_state *s = state;
    cairn_report_table_of(out, "Formula columns", 0, "lllr", "column", "kind", "formula",
                          "rows without a value");
    for (size_t i = 0; i < s->n; i++) {
        const formula_item *item = &s->items[i];
        const char *key = cairn_report_key(out, item->name);
        cairn_report_prefix(out, "formula.%s", key);
        cairn_report_cells(out, "- @.kind @.text @.faults", item->name,
                           cairn_kind_name((cairn_kind)item->kind), item->text,
                           (double)cairn_faults_total(&item->faults));
    }
    cairn_report_table_end(out);
    for (size_t i = 0; i < s->n; i++)
        for (int f = 0; f < CAIRN_N_FAULTS; f++)
            if (s->items[i].faults.n[f])
                cairn_report_note(out, "'%s': %s in %zu row%s, which is missing there.",
                                  s->items[i].name, cairn_fault_name((cairn_fault)f),
                                  s->items[i].faults.n[f], s->items[i].faults.n[f] == 1 ? "" : "s");
}

static cairn_status archive_faults(cairn_archive *a, void *kept, const void *around)
{
    formula_item *item = kept;
    (void)around;
    for (int f = 0; f < CAIRN_N_FAULTS; f++) {
        CHECK(cairn_archive_size(a, "faults", &item->faults.n[f], SIZE_MAX));
        CHECK(cairn_archive_size(a, "first", &item->faults.first[f], SIZE_MAX));
    }
    if (!item->name || !item->text ||
        (item->kind != CAIRN_NUMBER && item->kind != CAIRN_LEVEL && item->kind != CAIRN_TEXT &&
         item->kind != CAIRN_TIME))
        return cairn_archive_damaged(a, "a formula column has no name, text or kind");
    return CAIRN_OK;
}

static const cairn_kept item_keeps[] = {
    KEEP(formula_item, name, text, type, kind, levels),
    KEEP_BY(archive_faults),
    KEEP_END,
};

static const cairn_kept formula_keeps[] = {
    KEEP_SIZE(formula_state, n, 65536),
    KEEP_PARTS(formula_state, items, "n", .rows = item_keeps),
    KEEP_END,
};

const cairn_transform cairn_formula = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "formula",
              .also = "computed column, derived column, feature engineering, mutate",
              .title = "Computed columns",
              .summary =
                  "Computes columns from others by formulas such as z=(x-1)^2, total=sum(a,b,c) or "
                  "adult=age>=18; a later formula may use an earlier one, and a name that is there "
                  "already is replaced. Numbers stay numbers, conditions become the levels no and "
                  "yes, texts become levels. A division by zero or the logarithm of a negative "
                  "number gives a missing value, which is counted. docs/expressions.md has the "
                  "language.",
              .references = "Hand, Mannila and Smyth, Principles of Data Mining",
              .example = "cairn fit linear @regression-line --with 'formula:z=(x-1)^2' "
                         "--with drop:x",
              .params = formula_param_table,
              .params_size = sizeof(formula_params),
              .check = formula_check,
              .assigns = true},
    .state_size = sizeof(formula_state),
    .fit = formula_fit,
    .apply = formula_apply,
    .lower = formula_lower,
    .describe = formula_describe,
    .keeps = formula_keeps,
};
