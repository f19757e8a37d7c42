/* SPDX-License-Identifier: MIT */
/* Keep, drop and rename features inside a chain. What is kept stays in its order; columns that are
 * no features (target, weight, id, group) always stay. New rows still need the columns that the
 * model was trained on, because a transform before may have used them. */
#include "transforms/columns.h"
#include "report/table_rows.h"
#include <string.h>

typedef struct select_params {
    const char *columns;
} select_params;

/* The names of the features that the list names. */
static cairn_status named_features(cairn_context *ctx, cairn_map *out, const cairn_job *job,
                                   const char *transform, const char *list)
{
    size_t n, *chosen, index;
    CHECK(cairn_choose_features(ctx, job->view, transform, list, cairn_fits_any, "a feature",
                                &chosen, &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, out, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

static cairn_status select_apply(cairn_context *ctx, cairn_table **out, const cairn_map *names,
                                 const cairn_table *table, bool keep)
{
    cairn_table *made = NULL;
    CHECK(cairn_table_share(ctx, &made, table));
    for (size_t i = 0; i < made->n_columns; i++) {
        const cairn_slot *slot = &made->slots[i];
        if (slot->role != CAIRN_FEATURE) continue;
        bool named = cairn_map_find(names, slot->name, strlen(slot->name)) >= 0;
        if (named != keep) cairn_table_take_out(made, i);
    }
    cairn_table_close_gaps(made);
    *out = made;
    return CAIRN_OK;
}

static void show_names(cairn_report *out, const cairn_map *names, const char *what)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < names->n && i < 50; i++)
        cairn_text_addf(&text, "%s%s", i ? ", " : "", cairn_map_key(names, i));
    if (names->n > 50) cairn_text_addf(&text, ", ... (%zu in all)", names->n);
    cairn_report_word(out, what, cairn_text_string(&text), "%s.columns", what);
    if (cairn_text_status(&text)) cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* -- keep -- */

static const cairn_param keep_param_table[] = {
    {.name = "columns",
     .type = CAIRN_TYPE_COLUMNS,
     .offset = offsetof(select_params, columns),
     .help = "the features to keep, such as (age,height)",
     .required = true},
    CAIRN_PARAM_END,
};

static cairn_status keep_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const select_params *p = job->params;
    return named_features(ctx, state, job, "keep", p->columns);
}

static cairn_status keep_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    (void)params;
    return select_apply(ctx, out, state, table, true);
}

static void keep_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    show_names(out, state, "keep");
}

static const cairn_kept names_keeps[] = {{.type = CAIRN_KEEP_MAP, .field = "names"}, KEEP_END};

const cairn_transform cairn_keep = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "keep",
              .also = "select columns, choose columns",
              .title = "Keep some features",
              .summary =
                  "Keeps the features that are named and drops all others. It can stand "
                  "anywhere in a chain, also after transforms that made new columns; target, "
                  "weight, id and group columns stay.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @iris petals.csv "
                         "--with 'keep:(petal_length,petal_width)'",
              .params = keep_param_table,
              .params_size = sizeof(select_params)},
    .state_size = sizeof(cairn_map),
    .fit = keep_fit,
    .apply = keep_apply,
    .lower = cairn_lower_levels,
    .describe = keep_describe,
    .keeps = names_keeps,
};

/* -- drop -- */

typedef enum { DROP_NAMED, DROP_TEXTS, DROP_EMPTY } drop_choice;

typedef struct drop_params {
    const char *columns;
    int which; /* drop_choice */
} drop_params;

static const cairn_choice drop_choices[] = {
    {"named", DROP_NAMED, "those that columns= names"},
    {"texts", DROP_TEXTS, "columns that hold text"},
    {"empty", DROP_EMPTY, "columns of numbers or levels without a value in any training row"},
    {0},
};

static const cairn_param drop_param_table[] = {
    CAIRN_PARAM_AS(drop_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the features to drop, such as (age,height)", .when = "which=named"),
    CAIRN_PARAM_CHOICE(drop_params, which, "named", drop_choices, "which features are dropped"),
    CAIRN_PARAM_END,
};

static cairn_status drop_check(cairn_context *ctx, const void *values)
{
    const drop_params *p = values;
    if (p->which != DROP_NAMED || p->columns) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "drop needs columns=, such as drop:(age,height), or which=texts or "
                      "which=empty");
}

static bool is_dropped(const cairn_view *view, size_t feature, drop_choice which)
{
    const cairn_column *column = view->features[feature];
    if (which == DROP_TEXTS) return column->kind == CAIRN_TEXT;
    if (!cairn_fits_number_or_level(column)) return false;
    for (size_t i = 0; i < view->rows.n; i++)
        if (!cairn_column_is_missing(column, cairn_view_row(view, i))) return false;
    return true;
}

static cairn_status drop_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const drop_params *p = job->params;
    size_t index;
    if (p->which == DROP_NAMED) return named_features(ctx, state, job, "drop", p->columns);
    for (size_t j = 0; j < job->view->n_features; j++) {
        const char *name = job->view->names[j];
        if (is_dropped(job->view, j, (drop_choice)p->which))
            CHECK(cairn_map_add(ctx, state, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

static cairn_status drop_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    (void)params;
    return select_apply(ctx, out, state, table, false);
}

static void drop_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    show_names(out, state, "drop");
}

const cairn_transform cairn_drop = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "drop",
              .also = "remove columns, leave out columns, exclude columns",
              .title = "Drop some features",
              .summary =
                  "Drops the features that are named, those that hold text, or those without "
                  "a value in any training row, and keeps all others. It can stand "
                  "anywhere in a chain, also after transforms that made new columns; "
                  "--ignore leaves columns out before the chain begins.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @iris without.csv --with drop:sepal_width",
              .params = drop_param_table,
              .params_size = sizeof(drop_params),
              .check = drop_check},
    .state_size = sizeof(cairn_map),
    .fit = drop_fit,
    .apply = drop_apply,
    .lower = cairn_lower_levels,
    .describe = drop_describe,
    .keeps = names_keeps,
};

/* -- rename -- */

typedef struct rename_params {
    const char *names;
} rename_params;

static const cairn_param rename_param_table[] = {
    {.name = "names",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(rename_params, names),
     .help = "an old and a new name, such as petal_length=length; 'names=' may be left out",
     .required = true,
     .repeated = true},
    CAIRN_PARAM_END,
};

typedef struct rename_state {
    cairn_map from, to; /* of the same number of names */
} rename_state;

/* One pair old=new, which the call cuts in two in place; both names may appear once only, or the
 * columns could not be told apart. */
static cairn_status rename_one(cairn_context *ctx, rename_state *s, const cairn_job *job,
                               char *pair)
{
    cairn_status status;
    size_t index, before = s->to.n, column;
    char *equals = strchr(pair, '=');
    if (!equals || equals == pair || !equals[1])
        return cairn_fail(ctx, CAIRN_USAGE, "rename: '%s' must be an old and a new name, old=new",
                          pair);
    *equals = '\0';
    status = cairn_table_get(ctx, job->view->table, pair, &column);
    if (status) cairn_message_prefix(ctx, "rename");
    if (status) return status;
    TRY(cairn_map_add(ctx, &s->from, pair, strlen(pair), &index));
    TRY(cairn_map_add(ctx, &s->to, equals + 1, strlen(equals + 1), &index));
    if (s->to.n == before || s->from.n != s->to.n)
        return cairn_fail(ctx, CAIRN_USAGE, "rename: '%s' is named twice", equals + 1);
done:
    return status;
}

/* All pairs are read before names are compared with the table, so that two columns may swap their
 * names. */
static cairn_status rename_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const rename_params *p = job->params;
    rename_state *s = state;
    const char *const *lists;
    char **pairs;
    size_t n;
    const cairn_table *table = job->view->table;
    CHECK(cairn_list_lines(ctx, p->names, &lists));
    for (; *lists; lists++) {
        CHECK(cairn_list_split(ctx, *lists, &pairs, &n));
        for (size_t i = 0; i < n; i++) CHECK(rename_one(ctx, s, job, pairs[i]));
    }
    for (size_t i = 0; i < s->to.n; i++) {
        const char *name = cairn_map_key(&s->to, i);
        if (cairn_table_find(table, name) >= 0 && cairn_map_find(&s->from, name, strlen(name)) < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "rename: there is a column '%s' already", name);
    }
    return CAIRN_OK;
}

static cairn_status rename_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    (void)params;
    const rename_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        int64_t at = cairn_map_find(&s->from, slot->name, strlen(slot->name));
        CHECK(cairn_table_add_column(ctx, made,
                                     at < 0 ? slot->name : cairn_map_key(&s->to, (size_t)at),
                                     slot->role, cairn_column_hold(slot->column)));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status rename_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const rename_state *s = state;
    for (size_t i = 0; i < job->schema->n_fields; i++) {
        const cairn_field *field = &job->schema->fields[i];
        int64_t at = cairn_map_find(&s->from, field->name, strlen(field->name));
        if (at < 0 || out->slots[i] < 0) continue;
        CHECK(cairn_program_put(out, cairn_map_key(&s->to, (size_t)at), out->slots[i]));
    }
    return CAIRN_OK;
}

static void rename_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const rename_state *s = state;
    cairn_report_table_of(out, "New names", 0, "ll", "old", "new");
    for (size_t i = 0; i < s->from.n; i++) {
        const char *old = cairn_map_key(&s->from, i);
        cairn_report_cells(out, "- rename.$1", old, cairn_map_key(&s->to, i));
    }
    cairn_report_table_end(out);
}

static const cairn_kept rename_keeps[] = {
    KEEP(rename_state, from, to),
    KEEP_SAME("from", "to", "old and new names do not agree"),
    KEEP_END,
};

const cairn_transform cairn_rename = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "rename",
              .also = "relabel columns",
              .title = "Rename columns",
              .summary = "Gives columns other names, also the target. New rows come with the old "
                         "names.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @iris renamed.csv --with rename:petal_length=length",
              .params = rename_param_table,
              .params_size = sizeof(rename_params),
              .assigns = true},
    .state_size = sizeof(rename_state),
    .fit = rename_fit,
    .apply = rename_apply,
    .lower = rename_lower,
    .describe = rename_describe,
    .keeps = rename_keeps,
};
