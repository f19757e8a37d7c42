/* SPDX-License-Identifier: MIT */
/* Recode: columns of one kind become another kind. What is possible follows from the two kinds:
 *
 *   to            from quantitative   from ordinal   from categorical   from Boolean
 *   quantitative  normalise           calibrate      calibrate          calibrate
 *   ordinal       discretise          -              order              order
 *   categorical   discretise          unorder        group              -
 *   Boolean       threshold           threshold      binarise           -
 *
 * Each of these is a transform of its own (scale, calibrate, discretise or bins, order, unorder,
 * group, threshold, indicators), which does the work; recode chooses it column by column. A
 * quantitative column holds numbers, an ordinal one ordered levels, a Boolean one two levels
 * without an order, a categorical one other levels. */
#include "model/kept_parts.h"
#include "model/chain.h"
#include "transforms/columns.h"
#include <string.h>

typedef enum { QUANTITATIVE, ORDINAL, CATEGORICAL, BOOLEAN, N_SORTS } sort;
typedef enum {
    BY_AUTO,
    BY_NORMALISE,
    BY_CALIBRATE,
    BY_DISCRETISE,
    BY_ORDER,
    BY_UNORDER,
    BY_GROUP,
    BY_THRESHOLD,
    BY_BINARISE,
    N_OPERATIONS
} operation;

typedef struct recode_params {
    int to; /* sort */
    const char *columns, *settings;
    int by; /* operation */
} recode_params;

static const cairn_choice sorts[] = {
    {"quantitative", QUANTITATIVE, "numbers"},
    {"ordinal", ORDINAL, "levels with an order"},
    {"categorical", CATEGORICAL, "levels without an order"},
    {"boolean", BOOLEAN, "two levels"},
    {0},
};
static const cairn_choice operations[] = {
    {"auto", BY_AUTO, "the one that the two kinds allow"},
    {"normalise", BY_NORMALISE, "numbers on a common scale (scale)"},
    {"calibrate", BY_CALIBRATE, "numbers that say how likely the positive class is (calibrate)"},
    {"discretise", BY_DISCRETISE, "intervals of numbers (discretise with a target, else bins)"},
    {"order", BY_ORDER, "an order of the levels (order)"},
    {"unorder", BY_UNORDER, "levels without their order (unorder)"},
    {"group", BY_GROUP, "fewer levels (group)"},
    {"threshold", BY_THRESHOLD,
     "above or below a value (threshold with a target, else the median by bins)"},
    {"binarise", BY_BINARISE, "one Boolean column for each level (indicators)"},
    {0},
};

static const cairn_param recode_param_table[] = {
    CAIRN_PARAM_CHOICE(recode_params, to, NULL, sorts, "the kind that the columns become"),
    CAIRN_PARAM_AS(recode_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to change; all features of numbers and levels that are not of that "
                   "kind when not given"),
    CAIRN_PARAM_CHOICE(recode_params, by, "auto", operations, "the operation"),
    CAIRN_PARAM(recode_params, settings, NULL, NULL,
                "parameters of the transform that does it, such as (method=range,factor=10)"),
    CAIRN_PARAM_END,
};

/* What turns a column of one kind into another; BY_AUTO = nothing can. */
static const operation table_of_operations[N_SORTS][N_SORTS] = {
    [QUANTITATIVE] = {BY_NORMALISE, BY_CALIBRATE, BY_CALIBRATE, BY_CALIBRATE},
    [ORDINAL] = {BY_DISCRETISE, BY_AUTO, BY_ORDER, BY_ORDER},
    [CATEGORICAL] = {BY_DISCRETISE, BY_UNORDER, BY_GROUP, BY_AUTO},
    [BOOLEAN] = {BY_THRESHOLD, BY_THRESHOLD, BY_BINARISE, BY_AUTO},
};

typedef struct recode_state {
    cairn_link *links;
    size_t n_links;
} recode_state;

enum { MOST_RECODE_LINKS = 64 };

static sort sort_of(const cairn_column *column)
{
    if (column->kind == CAIRN_NUMBER) return QUANTITATIVE;
    if (column->ordered) return ORDINAL;
    return column->names.n == 2 ? BOOLEAN : CATEGORICAL;
}

/* Which operation the column gets, BY_AUTO = it stays as it is. */
static cairn_status choose(cairn_context *ctx, const recode_params *p, const char *name,
                           const cairn_column *column, operation *out)
{
    sort from = sort_of(column), to = (sort)p->to;
    operation can = table_of_operations[to][from];
    *out = can;
    if (from == to && !p->columns && p->by == BY_AUTO) *out = BY_AUTO;
    if (p->by == BY_AUTO || (operation)p->by == can) return CAIRN_OK;
    if (!p->columns) { /* asked for one operation: columns that it does not suit are left alone */
        *out = BY_AUTO;
        return CAIRN_OK;
    }
    if (can == BY_AUTO)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "recode: column '%s' is %s already and cannot become %s by %s", name,
                          sorts[from].name, sorts[to].name, operations[p->by].name);
    return cairn_fail(
        ctx, CAIRN_BAD_DATA, "recode: column '%s' is %s; it becomes %s by %s, not by %s", name,
        sorts[from].name, sorts[to].name, operations[can].name, operations[p->by].name);
}

/* An operation that no kind of column has on the way to the wanted one. */
static cairn_status recode_check(cairn_context *ctx, const void *values)
{
    const recode_params *p = values;
    cairn_text ways = cairn_text_start(ctx);
    cairn_status status;
    bool found = p->by == BY_AUTO, used[N_OPERATIONS] = {false};
    for (int from = 0; from < N_SORTS; from++) {
        operation by = table_of_operations[p->to][from];
        found |= (operation)p->by == by;
        if (by == BY_AUTO || used[by]) continue;
        used[by] = true;
        cairn_text_addf(&ways, "%s%s", ways.length ? " or " : "", operations[by].name);
    }
    status = cairn_text_status(&ways);
    if (status == CAIRN_OK && !found)
        status = cairn_fail(ctx, CAIRN_USAGE, "recode: no column becomes %s by %s, but by %s",
                            sorts[p->to].name, operations[p->by].name, cairn_text_string(&ways));
    cairn_text_clear(&ways);
    return status;
}

static const char *transform_for(operation by, const cairn_job *job)
{
    bool classes = job->task == CAIRN_CLASSIFY;
    switch (by) {
    case BY_NORMALISE: return "scale";
    case BY_CALIBRATE: return "calibrate";
    case BY_DISCRETISE: return classes ? "discretise" : "bins";
    case BY_ORDER: return "order";
    case BY_UNORDER: return "unorder";
    case BY_GROUP: return "group";
    case BY_THRESHOLD: return classes ? "threshold" : "bins:method=median";
    case BY_BINARISE: return "indicators:as=levels";
    default: return NULL;
    }
}

/* Fit the next transform on *table and, when another follows, replace it by what that makes. */
static cairn_status add_link(cairn_context *ctx, recode_state *s, const cairn_job *job,
                             cairn_table **table, const char *name, const char *settings,
                             const char *columns)
{
    cairn_table *next;
    CHECK(RESIZE(ctx, &s->links, s->n_links + 1));
    s->links[s->n_links] = (cairn_link){0};
    cairn_link *link = &s->links[s->n_links++];
    /* Open the transform with the settings that the user typed and the columns that it is for. */
    cairn_text spec = cairn_text_start(ctx);
    size_t length = settings ? strlen(settings) : 0;
    bool bracketed = length >= 2 && settings[0] == '(' && settings[length - 1] == ')';
    cairn_text_add(&spec, name);
    if (length) cairn_text_add(&spec, strchr(name, ':') ? "," : ":");
    if (length) cairn_text_add_bytes(&spec, settings + bracketed, length - 2 * (size_t)bracketed);
    cairn_params *params;
    cairn_status status = cairn_text_status(&spec);
    if (status == CAIRN_OK)
        status =
            cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_TRANSFORM, cairn_text_string(&spec));
    if (status == CAIRN_OK) status = cairn_link_open(ctx, link, params);
    if (status == CAIRN_OK) status = cairn_params_set(ctx, link->params, "columns", columns);
    cairn_text_clear(&spec);
    CHECK(status);
    CHECK(cairn_link_fit(ctx, link, job, *table, job->view->rows));
    CHECK(cairn_link_apply(ctx, link, &next, *table, false));
    cairn_table_free(*table);
    *table = next;
    return CAIRN_OK;
}

/* One operation on the columns that get it; the intervals of a categorical column lose their
 * order. */
static cairn_status run_operation(cairn_context *ctx, recode_state *s, const cairn_job *job,
                                  cairn_table **table, operation by, const char *list)
{
    const recode_params *p = job->params;
    CHECK(add_link(ctx, s, job, table, transform_for(by, job), p->settings, list));
    if (by == BY_DISCRETISE && p->to == CATEGORICAL)
        CHECK(add_link(ctx, s, job, table, "unorder", NULL, list));
    return CAIRN_OK;
}

/* Each column is given the operation that suits it, and each operation runs once for all of its
 * columns on what those before it made. */
static cairn_status recode_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const recode_params *p = job->params;
    recode_state *s = state;
    const cairn_view *view = job->view;
    size_t n, *chosen;
    operation *by;
    OWNED(cairn_table_free) cairn_table *now = NULL;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    CHECK(cairn_choose_features(ctx, view, "recode", p->columns, cairn_fits_number_or_level,
                                "a number or level column", &chosen, &n));
    CHECK(SCRATCH(ctx, &by, n + 1));
    for (size_t i = 0; i < n; i++)
        CHECK(choose(ctx, p, view->names[chosen[i]], view->features[chosen[i]], &by[i]));
    CHECK(cairn_table_share(ctx, &now, view->table));
    for (int o = BY_AUTO + 1; o < N_OPERATIONS; o++) {
        cairn_text_clear(&list);
        list = cairn_text_start(ctx);
        for (size_t i = 0; i < n; i++)
            if (by[i] == (operation)o) {
                const char *name = view->names[chosen[i]];
                if (list.length) cairn_text_add_char(&list, ',');
                cairn_text_addf(&list, "\"%s\"", name);
            }
        CHECK(cairn_text_status(&list));
        if (list.length)
            CHECK(run_operation(ctx, s, job, &now, (operation)o, cairn_text_string(&list)));
    }
    if (s->n_links == 0)
        cairn_warn(ctx, "recode changes nothing: no feature becomes %s%s%s", sorts[p->to].name,
                   p->by == BY_AUTO ? "" : " by ", p->by == BY_AUTO ? "" : operations[p->by].name);
    return CAIRN_OK;
}

static cairn_status recode_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    (void)params;
    const recode_state *s = state;
    cairn_table *next;
    OWNED(cairn_table_free) cairn_table *now = NULL;
    CHECK(cairn_table_share(ctx, &now, table));
    for (size_t i = 0; i < s->n_links; i++) {
        CHECK(cairn_link_apply(ctx, &s->links[i], &next, now, false));
        cairn_table_free(now);
        now = next;
    }
    *out = TAKE(now);
    return CAIRN_OK;
}

static cairn_status recode_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const recode_state *s = state;
    (void)job;
    return cairn_program_links(out, s->links, s->n_links);
}

static void recode_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const recode_state *s = state;
    cairn_report_value(out, "transforms chosen", (double)s->n_links, "recode.transforms");
    for (size_t i = 0; i < s->n_links; i++) {
        const cairn_link *link = &s->links[i];
        cairn_report_heading(out, 3, "%s", link->transform->entry.title);
        cairn_report_hidden_word(out, link->transform->entry.name, "recode.transform%zu", i + 1);
        if (link->transform->describe)
            link->transform->describe(out, link->state, link->params->values);
    }
}

static const cairn_kept recode_keeps[] = {
    KEEP_SIZE(recode_state, n_links, MOST_RECODE_LINKS, .name = "links"),
    KEEP_PARTS(recode_state, links, "n_links", .part = &cairn_kept_link),
    KEEP_END,
};

const cairn_transform cairn_recode = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "recode",
              .also = "change of kind, feature transformation, change type",
              .title = "Change the kind of columns",
              .summary =
                  "Turns columns of one kind into another. The two kinds decide how: numbers are "
                  "normalised, levels calibrated to become quantitative; numbers are discretised, "
                  "levels ordered to become ordinal; numbers are discretised, ordered levels lose "
                  "their order and categories are grouped to become categorical; numbers and "
                  "ordered levels get a threshold, categories one column for each level to become "
                  "Boolean. The transform that does the work can be used by its own name, with "
                  "all its parameters.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @iris iris-levels.csv --with recode:to=categorical --steps",
              .params = recode_param_table,
              .params_size = sizeof(recode_params),
              .check = recode_check},
    .state_size = sizeof(recode_state),
    .fit = recode_fit,
    .apply = recode_apply,
    .lower = recode_lower,
    .describe = recode_describe,
    .keeps = recode_keeps,
};
