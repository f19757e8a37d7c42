/* SPDX-License-Identifier: MIT */
/* Described members: see member_plan.h. */
#include "wrappers/member_plan.h"
#include "base/number.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

const cairn_param cairn_member_table[] = {
    {.name = "learner",
     .was = "member",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(cairn_member_params, member),
     .help = "a learner, such as knn or (tree:max-depth=3,min-leaf=2); given several times, in "
             "order",
     .repeated = true,
     .often = true},
    {.name = "model",
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(cairn_member_params, model),
     .help = "a saved model, which is taken as it is; may be given several times",
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(
        cairn_member_params,
        "a transform that comes before every learner; may be given several times, in order"),
    CAIRN_PARAM_AS(cairn_member_params, members_file, CAIRN_TYPE_FILE, NULL,
                   "a table that describes members, one in each row, with some of the columns "
                   "learner, model, with, columns, rows, sample, seed and weight"),
    CAIRN_PARAM_END,
};

/* -- reading -- */

enum { MOST_INSIDE = 16 }; /* members of members */

static bool is_too_deep(const char *spec)
{
    int depth = 0, most = 0;
    for (; *spec; spec++) {
        depth += *spec == '(' ? 1 : *spec == ')' ? -1 : 0;
        if (depth > most) most = depth;
    }
    return most > MOST_INSIDE;
}

/* The learner of a spec, which may stand in brackets. */
static cairn_status open_learner(cairn_context *ctx, cairn_params **out, const char *spec)
{
    size_t length = strlen(spec);
    bool bracketed = length > 1 && spec[0] == '(' && spec[length - 1] == ')';
    char *inside;
    SCOPED_SCRATCH(ctx);
    if (is_too_deep(spec))
        return cairn_fail(ctx, CAIRN_USAGE, "members have members more than %d deep", MOST_INSIDE);
    CHECK(SCRATCH(ctx, &inside, length + 1));
    memcpy(inside, spec + bracketed, length - 2 * (size_t)bracketed);
    return cairn_params_from_spec(ctx, out, CAIRN_ENTRY_LEARNER, inside);
}

static cairn_status add_plan(cairn_context *ctx, cairn_member_plans *plans, const char *spec,
                             const char *model, const cairn_params *transforms)
{
    cairn_member_plan *plan = &plans->list[plans->n++];
    *plan = (cairn_member_plan){.model = model, .seed = NAN, .weight = NAN};
    CHECK(cairn_params_copy_list(ctx, &plan->transforms, transforms));
    if (!spec) return CAIRN_OK;
    CHECK(open_learner(ctx, &plan->learner, spec));
    return cairn_params_check(ctx, plan->learner);
}

/* A cell as text that stays; NULL = there is none. */
static cairn_status read_cell(cairn_context *ctx, char **out, const cairn_table *table,
                              const char *column, size_t row)
{
    ptrdiff_t at = cairn_table_find(table, column);
    *out = NULL;
    if (at < 0 || cairn_column_is_missing(table->slots[at].column, row)) return CAIRN_OK;
    size_t length = cairn_column_cell(table->slots[at].column, row, NULL, 0);
    CHECK(SCRATCH(ctx, out, length + 1));
    (void)cairn_column_cell(table->slots[at].column, row, *out, length + 1);
    if (!**out) *out = NULL;
    return CAIRN_OK;
}

/* A number of the file, at least 0 and not more than `most`. */
static cairn_status read_amount(cairn_context *ctx, double *out, const cairn_table *table,
                                const char *column, size_t row, double most)
{
    char *cell;
    CHECK(read_cell(ctx, &cell, table, column, row));
    if (!cell) return CAIRN_OK;
    if (!cairn_number_parse(cell, strlen(cell), out) || !(*out >= 0 && *out <= most))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: the %s '%s' is no number from 0%s",
                          table->source ? table->source : "members", row + 1, column, cell,
                          most == 1 ? " to 1" : "");
    return CAIRN_OK;
}

/* The transforms of a cell, with ; between them, in place of those of all members. */
static cairn_status read_transforms(cairn_context *ctx, cairn_member_plan *plan, char *cell)
{
    const char *const *specs;
    if (!cell) return CAIRN_OK;
    for (char *at = cell; *at; at++)
        if (*at == ';') *at = '\n';
    CHECK(cairn_list_lines(ctx, cell, &specs));
    cairn_params_free(plan->transforms);
    plan->transforms = NULL;
    return cairn_params_append_specs(ctx, &plan->transforms, CAIRN_ENTRY_TRANSFORM, specs);
}

/* One row of a description file becomes one member; what is wrong names file and row. */
static cairn_status read_row(cairn_context *ctx, cairn_member_plans *plans,
                             const cairn_table *table, const cairn_params *transforms, size_t row)
{
    char *learner, *model, *own, *columns, *rows;
    const char *file = table->source ? table->source : "members";
    CHECK(read_cell(ctx, &learner, table, "learner", row));
    CHECK(read_cell(ctx, &model, table, "model", row));
    CHECK(read_cell(ctx, &own, table, "with", row));
    CHECK(read_cell(ctx, &columns, table, "columns", row));
    CHECK(read_cell(ctx, &rows, table, "rows", row));
    if (!learner == !model)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, row %zu: a member is a learner or a saved model; give one of them",
                          file, row + 1);
    cairn_member_plan *plan = &plans->list[plans->n];
    cairn_status status = add_plan(ctx, plans, learner, model, transforms);
    if (status == CAIRN_OK) status = read_transforms(ctx, plan, own);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s, row %zu", file, row + 1);
    CHECK(status);
    plan->columns = columns;
    plan->rows = rows;
    CHECK(read_amount(ctx, &plan->sample, table, "sample", row, 1));
    static const double most = 9007199254740992; /* 2^53: whole numbers up to here are exact */
    CHECK(read_amount(ctx, &plan->seed, table, "seed", row, most));
    if (!isnan(plan->seed) && plan->seed != floor(plan->seed)) {
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: the seed is no whole number",
                          table->source ? table->source : "members", row + 1);
    }
    return read_amount(ctx, &plan->weight, table, "weight", row, INFINITY);
}

static const char *const plan_columns[] = {"learner", "model",  "with", "columns",
                                           "rows",    "sample", "seed", "weight"};

/* A column that nobody reads would be a wish that is not fulfilled. */
static cairn_status check_columns(cairn_context *ctx, const cairn_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        bool known = false;
        for (size_t i = 0; i < sizeof plan_columns / sizeof *plan_columns; i++)
            known |= strcmp(table->slots[c].name, plan_columns[i]) == 0;
        if (!known)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: there is a column '%s'; members are described by learner, "
                              "model, with, columns, rows, sample, seed and weight",
                              table->source ? table->source : "members", table->slots[c].name);
    }
    return CAIRN_OK;
}

static size_t count_lines(const char *const *lines)
{
    size_t n = 0;
    while (lines[n]) n++;
    return n;
}

cairn_status cairn_member_plans_open(cairn_context *ctx, cairn_member_plans *out, const char *who,
                                     const cairn_member_params *p, const char *usual)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char *const *specs, *const *models;
    bool none = !p->member && !p->model && !p->members_file;
    *out = (cairn_member_plans){.who = who};
    CHECK(cairn_list_lines(ctx, none ? usual : p->member, &specs));
    CHECK(cairn_list_lines(ctx, p->model, &models));
    if (p->members_file) CHECK(cairn_table_read(ctx, &table, p->members_file, NULL));
    if (table) CHECK(check_columns(ctx, table));
    size_t n = count_lines(specs) + count_lines(models) + (table ? table->n_rows : 0);
    if (n > CAIRN_MOST_MEMBERS)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: there are %zu members; at most %d are allowed",
                          who, n, CAIRN_MOST_MEMBERS);
    if (n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no member", who);
    CHECK(SCRATCH(ctx, &out->list, n + 1));
    for (; *specs; specs++) CHECK(add_plan(ctx, out, *specs, NULL, p->transforms));
    for (; *models; models++) CHECK(add_plan(ctx, out, NULL, *models, NULL));
    for (size_t i = 0; table && i < table->n_rows; i++)
        CHECK(read_row(ctx, out, table, p->transforms, i));
    return CAIRN_OK;
}

void cairn_member_plans_close(cairn_member_plans *plans)
{
    for (size_t i = 0; i < plans->n; i++) {
        cairn_params_free(plans->list[i].learner);
        cairn_params_free(plans->list[i].transforms);
    }
    plans->n = 0;
}

cairn_status cairn_member_plans_check(cairn_context *ctx, const char *who,
                                      const cairn_member_params *p)
{
    SCOPED_SCRATCH(ctx);
    const char *const *specs;
    CHECK(cairn_list_lines(ctx, p->member, &specs));
    for (; *specs; specs++) {
        OWNED(cairn_params_free) cairn_params *learner = NULL;
        cairn_status status = open_learner(ctx, &learner, *specs);
        if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s", who);
        CHECK(status);
        cairn_wrapper_params wrapper = {
            .base = *specs, .learner = learner, .transforms = p->transforms};
        CHECK(cairn_wrapper_check(ctx, who, &wrapper, NULL));
    }
    return CAIRN_OK;
}

cairn_status cairn_member_plans_tasks(cairn_context *ctx, const cairn_member_params *p,
                                      const char *usual, unsigned *out)
{
    SCOPED_SCRATCH(ctx);
    const char *const *specs;
    bool none = !p->member && !p->model && !p->members_file;
    *out = CAIRN_CLASSIFY | CAIRN_REGRESS;
    CHECK(cairn_list_lines(ctx, none ? usual : p->member, &specs));
    for (; *specs; specs++) {
        OWNED(cairn_params_free) cairn_params *learner = NULL;
        unsigned tasks;
        CHECK(open_learner(ctx, &learner, *specs));
        CHECK(cairn_learner_tasks(ctx, (const cairn_learner *)learner->entry, learner->values,
                                  &tasks));
        *out &= tasks;
    }
    return CAIRN_OK;
}

/* -- saved models -- */

/* A saved model answers the same question: target, task and classes by name. */
static cairn_status check_target(cairn_context *ctx, const cairn_model *model,
                                 const cairn_member_plan *plan, const cairn_job *job)
{
    const cairn_field *target = cairn_model_target(model);
    int32_t *classes;
    if (!model->learner || !model->learner->predict || !target)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' predicts nothing", plan->model);
    if (strcmp(target->name, job->view->target_name) != 0 || model->task != job->task)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA, "'%s' predicts '%s' as %s, where '%s' is to be predicted as %s",
            plan->model, target->name, model->task == CAIRN_REGRESS ? "a number" : "a class",
            job->view->target_name, job->task == CAIRN_REGRESS ? "a number" : "a class");
    CHECK(cairn_member_classes(ctx, &classes, model, job));
    for (size_t c = 0; classes && c < job->n_classes; c++)
        if (classes[c] < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' does not know the class '%s' of '%s'",
                              plan->model, cairn_map_key(&job->view->target->names, c),
                              target->name);
    if (model->n_classes != job->n_classes)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' knows %zu classes of '%s', the data has %zu",
                          plan->model, model->n_classes, target->name, job->n_classes);
    return CAIRN_OK;
}

static cairn_status load_member(cairn_context *ctx, cairn_model **out,
                                const cairn_member_plan *plan, const cairn_job *job)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    CHECK(cairn_model_load(ctx, &model, plan->model));
    CHECK(check_target(ctx, model, plan, job));
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        if (field->role == CAIRN_FEATURE && cairn_table_find(job->view->table, field->name) < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' needs the column '%s', which the data "
                              "does not have",
                              plan->model, field->name);
    }
    *out = TAKE(model);
    return CAIRN_OK;
}

/* -- fitting -- */

/* Turn off the columns that are not in the list. */
static cairn_status keep_columns(cairn_context *ctx, cairn_table *table, const char *list)
{
    char **names;
    size_t n, at, kept = 0;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    for (size_t i = 0; i < n; i++) CHECK(cairn_table_get(ctx, table, names[i], &at));
    for (size_t c = 0; c < table->n_columns; c++) {
        bool keep = false;
        for (size_t i = 0; i < n; i++) keep |= strcmp(table->slots[c].name, names[i]) == 0;
        if (table->slots[c].role != CAIRN_FEATURE) continue;
        if (!keep) table->slots[c].role = CAIRN_IGNORED;
        kept += keep;
    }
    if (!kept) return cairn_fail(ctx, CAIRN_USAGE, "columns '%s': none is a feature", list);
    return CAIRN_OK;
}

static double row_weight(cairn_rows rows, size_t i)
{
    return rows.weights ? rows.weights[i] : 1;
}

/* Those of the rows that stand in the list, each as often as it stands there: a sample with
 * replacement can be given. */
static cairn_status keep_rows(cairn_context *ctx, cairn_rows *rows, const char *list, size_t n_rows)
{
    uint32_t *listed, *indices, *wanted;
    double *weights;
    size_t n_listed, buffer = 0, n = 0;
    CHECK(cairn_row_list(ctx, &listed, &n_listed, list, n_rows));
    CHECK(SCRATCH(ctx, &wanted, n_rows + 1));
    for (size_t i = 0; i < n_listed; i++) wanted[listed[i]]++;
    for (size_t i = 0; i < rows->n; i++) buffer += wanted[rows->indices ? rows->indices[i] : i];
    CHECK(SCRATCH_RAW_EACH(ctx, buffer + 1, &indices, &weights));
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->indices ? rows->indices[i] : i;
        for (uint32_t j = 0; j < wanted[row]; j++) {
            weights[n] = row_weight(*rows, i);
            indices[n++] = (uint32_t)row;
        }
    }
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "none of the rows %s is there to be learned from",
                          list);
    *rows = (cairn_rows){.indices = indices, .n = n, .weights = rows->weights ? weights : NULL};
    return CAIRN_OK;
}

/* A sample with replacement, in the order of the rows. */
static cairn_status draw_rows(cairn_context *ctx, cairn_rows *rows, double share, size_t member)
{
    size_t size = (size_t)ceil(share * (double)rows->n), n = 0;
    uint32_t *counts, *indices;
    double *weights;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), member);
    CHECK(SCRATCH(ctx, &counts, rows->n + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, size + 1, &indices, &weights));
    for (size_t i = 0; i < size; i++) counts[cairn_random_below(&random, rows->n)]++;
    for (size_t i = 0; i < rows->n; i++)
        for (uint32_t j = 0; j < counts[i]; j++) {
            weights[n] = row_weight(*rows, i);
            indices[n++] = rows->indices ? rows->indices[i] : (uint32_t)i;
        }
    *rows = (cairn_rows){.indices = indices, .n = n, .weights = rows->weights ? weights : NULL};
    return CAIRN_OK;
}

static cairn_status fit_plan(cairn_context *ctx, cairn_model **out, const cairn_member_plans *plans,
                             size_t i, const cairn_job *job, cairn_rows rows, cairn_report *steps)
{
    const cairn_member_plan *plan = &plans->list[i];
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    cairn_wrapper_params wrapper = {.base = plan->learner->entry->name,
                                    .learner = plan->learner,
                                    .transforms = plan->transforms};
    CHECK(cairn_nested_open(ctx, &nested, plans->who, &wrapper, job, false));
    if (plan->columns) CHECK(keep_columns(ctx, nested.table, plan->columns));
    if (plan->rows) CHECK(keep_rows(ctx, &rows, plan->rows, nested.table->n_rows));
    if (plan->sample > 0) CHECK(draw_rows(ctx, &rows, plan->sample, i));
    return cairn_member_fit_rows(ctx, out, &nested, nested.table, rows, steps);
}

cairn_status cairn_member_plan_fit(cairn_context *ctx, cairn_model **out,
                                   const cairn_member_plans *plans, size_t i, const cairn_job *job,
                                   cairn_rows rows, cairn_report *steps)
{
    const cairn_member_plan *plan = &plans->list[i];
    uint64_t seed = ctx->seed;
    if (plan->model) return load_member(ctx, out, plan, job);
    if (!isnan(plan->seed)) ctx->seed = (uint64_t)plan->seed;
    cairn_status status = fit_plan(ctx, out, plans, i, job, rows, steps);
    ctx->seed = seed;
    return status;
}
