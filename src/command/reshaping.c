/* SPDX-License-Identifier: MIT */
/* Making a table of a table on the way from one file to another. The order of the steps is fixed
 * (docs/reshape.md): join, unpivot, group or pivot, distinct, sample, sort, limit. */
#include "command/reshaping.h"

#include "base/text.h"
#include "cairn/reshape.h"

#include <math.h>
#include <string.h>

static const cairn_choice join_kinds[] = {
    {"inner", CAIRN_JOIN_INNER, "rows that have a partner"},
    {"left", CAIRN_JOIN_LEFT, "all rows, with missing cells where there is no partner"},
    {"right", CAIRN_JOIN_RIGHT, "rows that have a partner, and the other file's that have none"},
    {"full", CAIRN_JOIN_FULL, "all rows of both"},
    {"semi", CAIRN_JOIN_SEMI, "rows that have a partner, without the other file's columns"},
    {"anti", CAIRN_JOIN_ANTI, "rows that have none"},
    {0},
};

const cairn_param cairn_reshaping_params[] = {
    CAIRN_PARAM_AS(cairn_reshaping, join, CAIRN_TYPE_FILE, NULL,
                   "put the columns of this file beside those of the table where the columns of "
                   "--on are equal (docs/reshape.md has all the steps and their order)"),
    CAIRN_PARAM(cairn_reshaping, on, NULL, NULL,
                "the columns that must be equal, such as id,day or id=customer where the file's "
                "column is called customer",
                .when = "join"),
    CAIRN_PARAM_CHOICE(cairn_reshaping, how, "inner", join_kinds, "which rows the join keeps",
                       .when = "join"),
    CAIRN_PARAM(cairn_reshaping, suffix, "_2", NULL,
                "what is put behind names of the joined file that the table has as well",
                .when = "join"),
    CAIRN_PARAM(cairn_reshaping, match_missing, "no", NULL,
                "a missing key is equal to a missing key; otherwise it has no partner",
                .when = "join"),
    CAIRN_PARAM(cairn_reshaping, join_kinds, NULL, NULL,
                "kinds of columns of the joined file, as --kinds says those of the table",
                .when = "join"),
    CAIRN_PARAM_AS(cairn_reshaping, unpivot, CAIRN_TYPE_COLUMNS, NULL,
                   "make a row of every cell of these columns; * stands for all that have no other "
                   "role than feature"),
    CAIRN_PARAM(cairn_reshaping, names_to, "name", NULL,
                "the new column for the names of the columns", .when = "unpivot"),
    CAIRN_PARAM(cairn_reshaping, values_to, "value", NULL, "the new column for their cells",
                .when = "unpivot"),
    CAIRN_PARAM(cairn_reshaping, drop_missing, "no", NULL, "make no rows of missing cells",
                .when = "unpivot"),
    CAIRN_PARAM_AS(cairn_reshaping, group_by, CAIRN_TYPE_COLUMNS, NULL,
                   "make one row of all rows that are equal in these columns; with --pivot, the "
                   "columns that tell the new rows apart"),
    CAIRN_PARAM(cairn_reshaping, aggregate, NULL, NULL,
                "what to compute for each group, such as 'n=count(), mean(price), "
                "p90=quantile(price,0.9)'; count() if not given; without --group-by for the whole "
                "table"),
    CAIRN_PARAM_AS(cairn_reshaping, pivot, CAIRN_TYPE_COLUMNS, NULL,
                   "make a column of every value of this column; --values or --aggregate says what "
                   "it holds"),
    CAIRN_PARAM_AS(cairn_reshaping, values, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns whose cells go into the new columns", .when = "pivot"),
    CAIRN_PARAM(cairn_reshaping, distinct, "no", NULL, "keep the first of equal rows"),
    CAIRN_PARAM_AS(cairn_reshaping, distinct_by, CAIRN_TYPE_COLUMNS, NULL,
                   "keep the first of rows that are equal in these columns"),
    CAIRN_PARAM(cairn_reshaping, sample, CAIRN_NOT_GIVEN, "(0,inf)",
                "keep so many rows, or below 1 this share of them, drawn by --seed and left in "
                "their order"),
    CAIRN_PARAM_AS(cairn_reshaping, sort, CAIRN_TYPE_COLUMNS, NULL,
                   "order the rows by these columns; -COLUMN or COLUMN:desc puts high values "
                   "first"),
    CAIRN_PARAM(cairn_reshaping, limit, "-1", "[-1,inf)", "keep the first rows, so many; -1 = all"),
    CAIRN_PARAM_END,
};

cairn_status cairn_reshaping_check(const cairn_command *c, const cairn_reshaping *o)
{
    if (o->join && !o->on)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--join needs --on with the columns that must be equal, such as --on id");
    if (o->join && cairn_params_is_set(c->options, "as"))
        return cairn_fail(c->ctx, CAIRN_USAGE, "--join is for tables: leave out --as");
    if (o->pivot && !o->values == !o->aggregate)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--pivot needs either --values COLUMNS, whose cells the new columns "
                          "hold, or --aggregate, such as --aggregate 'mean(price)'");
    if (o->sample >= 1 && o->sample != floor(o->sample))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--sample is a whole number of rows or a share below 1, not %s",
                          cairn_params_text(c->options, "sample"));
    if (o->distinct && o->distinct_by)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--distinct looks at all columns and --distinct-by at some: leave one "
                          "out");
    return CAIRN_OK;
}

void cairn_reshaping_drop_ignored(cairn_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_IGNORED) cairn_table_take_out(table, i);
    cairn_table_close_gaps(table);
}

/* -- joining -- */

/* The other file is read as the table is, but for what belongs to one file: kinds of columns, the
 * format, the separator, the header and --where. */
static cairn_status read_other(cairn_command *c, cairn_table **out, const cairn_reshaping *o)
{
    const cairn_reading *r = &c->common->reading;
    const cairn_virtual_file *file = cairn_virtual_find(c->files, o->join);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    double begun = cairn_seconds();
    options.decimal = r->decimal ? *r->decimal : 0;
    options.missing = r->missing_mark;
    options.only_marks = r->only_marks;
    options.encoding = r->encoding;
    options.time_format = r->time_format;
    options.kinds = o->join_kinds;
    if (file)
        CHECK(cairn_table_read_memory(c->ctx, out, o->join, file->bytes, file->length, &options));
    else
        CHECK(cairn_table_read(c->ctx, out, o->join, &options));
    c->seconds_read += cairn_seconds() - begun;
    return CAIRN_OK;
}

/* What was matched on both sides, for the log and the report. */
static void tell_join(cairn_command *c, const cairn_reshaping *o, const cairn_join_counts *n,
                      size_t rows)
{
    const struct {
        const char *label, *name;
        size_t n;
    } all[] = {{"Rows with a partner", "join.left.matched", n->left_matched},
               {"Rows without", "join.left.unmatched", n->left_unmatched},
               {"Rows with several partners", "join.left.several", n->left_several},
               {"The file's rows with a partner", "join.right.matched", n->right_matched},
               {"The file's rows without", "join.right.unmatched", n->right_unmatched},
               {"Keys in several rows of both", "join.many", n->many_to_many},
               {"Pairs", "join.pairs", n->pairs},
               {"Rows after the join", "join.rows", rows}};
    cairn_remark(c,
                 "join: %zu of %zu rows have a partner in %s, %zu of %zu rows of it are met; %zu "
                 "row%s out",
                 n->left_matched, n->left_matched + n->left_unmatched, o->join, n->right_matched,
                 n->right_matched + n->right_unmatched, rows, rows == 1 ? " comes" : "s come");
    if (n->many_to_many)
        cairn_remark(c, "join: %zu key%s in several rows of both files, and every pair makes a row",
                     n->many_to_many, n->many_to_many == 1 ? " stands" : "s stand");
    cairn_report_heading(c->report, 2, "Join with %s", o->join);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cairn_report_value(c->report, all[i].label, (double)all[i].n, "%s", all[i].name);
}

static void count_time(cairn_command *c, double begun)
{
    if (c->seconds_transform < 0) c->seconds_transform = 0;
    c->seconds_transform += cairn_seconds() - begun;
}

/* Join the table with the second file, which is gone before anything else is made. */
static cairn_status join_other(cairn_command *c, cairn_table **table, const cairn_reshaping *o)
{
    cairn_join_options how = CAIRN_JOIN_OPTIONS_INIT;
    cairn_join_counts counts;
    cairn_table *joined;
    OWNED(cairn_table_free) cairn_table *other = NULL;
    double begun;
    how.kind = (cairn_join_kind)o->how;
    how.suffix = o->suffix;
    how.match_missing = o->match_missing;
    CHECK(read_other(c, &other, o));
    begun = cairn_seconds();
    CHECK(cairn_table_join(c->ctx, &joined, *table, other, o->on, &how, &counts));
    count_time(c, begun);
    tell_join(c, o, &counts, joined->n_rows);
    cairn_table_free(*table);
    *table = joined;
    return CAIRN_OK;
}

/* Roles are given after the join, since the options may name columns of either file. */
cairn_status cairn_reshaping_read(cairn_command *c, cairn_table **out, const char *path,
                                  const cairn_reshaping *o)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    if (!o->join) return cairn_command_table(c, out, path);
    CHECK(cairn_command_read(c, &table, path));
    CHECK(join_other(c, &table, o));
    CHECK(cairn_command_roles(c, table));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- the other steps -- */

static cairn_status do_unpivot(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               const cairn_reshaping *o)
{
    return cairn_table_unpivot(ctx, out, table, o->unpivot, o->names_to, o->values_to,
                               o->drop_missing);
}

static cairn_status do_group(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                             const cairn_reshaping *o)
{
    return cairn_table_aggregate(ctx, out, table, o->group_by, o->aggregate);
}

static cairn_status do_pivot(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                             const cairn_reshaping *o)
{
    return cairn_table_pivot(ctx, out, table, o->pivot, o->values, o->group_by, o->aggregate);
}

static cairn_status do_distinct(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const cairn_reshaping *o)
{
    return cairn_table_distinct(ctx, out, table, o->distinct_by);
}

static cairn_status do_sample(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              const cairn_reshaping *o)
{
    double n = o->sample < 1 ? floor(o->sample * (double)table->n_rows + 0.5) : o->sample;
    return cairn_table_sample(ctx, out, table,
                              n < (double)table->n_rows ? (size_t)n : table->n_rows);
}

static cairn_status do_sort(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                            const cairn_reshaping *o)
{
    return cairn_table_sort(ctx, out, table, o->sort);
}

static cairn_status do_limit(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                             const cairn_reshaping *o)
{
    return cairn_table_limit(ctx, out, table, (size_t)o->limit);
}

typedef struct step {
    const char *name; /* also the option, for messages */
    bool wanted;
    cairn_status (*run)(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                        const cairn_reshaping *options);
} step;

/* One step in the table's place, its time counted and what it did told. */
static cairn_status run_step(cairn_command *c, cairn_table **table, const cairn_reshaping *o,
                             const step *s)
{
    double begun = cairn_seconds();
    cairn_table *made;
    cairn_status status = s->run(c->ctx, &made, *table, o);
    if (status == CAIRN_USAGE || status == CAIRN_BAD_DATA)
        cairn_message_prefix(c->ctx, "--%s", s->name);
    CHECK(status);
    count_time(c, begun);
    cairn_remark(c, "%s: %zu rows and %zu columns become %zu and %zu", s->name, (*table)->n_rows,
                 (*table)->n_columns, made->n_rows, made->n_columns);
    cairn_report_heading(c->report, 2, "Step %s", s->name);
    cairn_report_value(c->report, "Rows before", (double)(*table)->n_rows, "%s.rows.before",
                       s->name);
    cairn_report_value(c->report, "Rows after", (double)made->n_rows, "%s.rows.after", s->name);
    cairn_report_value(c->report, "Columns after", (double)made->n_columns, "%s.columns.after",
                       s->name);
    cairn_table_free(*table);
    *table = made;
    return CAIRN_OK;
}

cairn_status cairn_reshaping_run(cairn_command *c, cairn_table **table, const cairn_reshaping *o)
{
    const step steps[] = {
        {"unpivot", o->unpivot != NULL, do_unpivot},
        {"group-by", !o->pivot && o->group_by, do_group},
        {"aggregate", !o->pivot && !o->group_by && o->aggregate, do_group},
        {"pivot", o->pivot != NULL, do_pivot},
        {"distinct", o->distinct, do_distinct},
        {"distinct-by", o->distinct_by != NULL, do_distinct},
        {"sample", o->sample > 0, do_sample},
        {"sort", o->sort != NULL, do_sort},
        {"limit", o->limit >= 0, do_limit},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!steps[i].wanted) continue;
        cairn_reshaping_drop_ignored(*table);
        CHECK(run_step(c, table, o, &steps[i]));
    }
    return CAIRN_OK;
}
