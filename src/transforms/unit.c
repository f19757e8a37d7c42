/* SPDX-License-Identifier: MIT */
/* Unit: every row divided by its length, so that only its direction counts: the usual thing to do
 * with bags of words before dot products and angles.
 *
 * Each bag column is a vector of its own; the number columns chosen form one vector together. The
 * length is the sum of |x| (l1), the square root of the sum of squares (l2) or the largest |x|
 * (max). Missing cells do not count and stay missing; a row of zeros stays as it is. Nothing is
 * learned but the names of the columns. */
#include "transforms/columns.h"
#include "transforms/computing.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

typedef enum {
    NORM_L2 = CAIRN_NORM_L2,
    NORM_L1 = CAIRN_NORM_L1,
    NORM_MAX = CAIRN_NORM_MAX
} norm_choice;

typedef struct unit_params {
    const char *columns;
    int norm; /* norm_choice */
} unit_params;

static const cairn_choice norms[] = {
    {"l2", NORM_L2, "the square root of the sum of squares"},
    {"l1", NORM_L1, "the sum of absolute values"},
    {"max", NORM_MAX, "the largest absolute value"},
    {0},
};

static const cairn_param unit_param_table[] = {
    CAIRN_PARAM_CHOICE(unit_params, norm, "l2", norms, "the length that becomes 1"),
    CAIRN_PARAM_AS(unit_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns; all number and bag features when not given"),
    CAIRN_PARAM_END,
};

enum { ROW_BLOCK = 1 << 12 };

static bool fits(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER || column->kind == CAIRN_BAG;
}

static cairn_status unit_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const unit_params *p = job->params;
    cairn_map *names = state;
    size_t n, *chosen, index;
    CHECK(cairn_choose_features(ctx, job->view, "unit", p->columns, fits, "a number or bag column",
                                &chosen, &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, names, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

/* One more number in a length that is not finished; NaN is passed over. */
static double lengthen(double length, double x, int norm)
{
    if (isnan(x)) return length;
    if (norm == NORM_MAX) return fabs(x) > length ? fabs(x) : length;
    return length + (norm == NORM_L1 ? fabs(x) : x * x);
}

static double finish(double length, int norm)
{
    if (norm == NORM_L2) length = sqrt(length);
    return length > 0 ? length : 1;
}

typedef struct unit_work {
    cairn_column **numbers; /* n_numbers new columns, filled with the old numbers */
    size_t n_numbers;
    cairn_column **bags;
    size_t n_bags;
    int norm;
} unit_work;

/* The numbers of a row are one vector together, each bag one by itself; a row of zeros has a length
 * that leaves it as it is. */
static void divide_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const unit_work *w = data;
    for (size_t i = begin; i < end; i++) {
        double length = 0;
        for (size_t c = 0; c < w->n_numbers; c++)
            length = lengthen(length, w->numbers[c]->numbers[i], w->norm);
        length = finish(length, w->norm);
        for (size_t c = 0; c < w->n_numbers; c++) w->numbers[c]->numbers[i] /= length;
    }
    for (size_t b = 0; b < w->n_bags; b++) {
        cairn_column *bag = w->bags[b];
        for (size_t i = begin; i < end; i++) {
            double length = 0;
            for (size_t at = bag->starts[i]; at < bag->starts[i + 1]; at++)
                length = lengthen(length, bag->amounts[at], w->norm);
            length = finish(length, w->norm);
            for (size_t at = bag->starts[i]; at < bag->starts[i + 1]; at++)
                bag->amounts[at] /= length;
        }
    }
}

/* A copy that can be written to; a bag gets amounts. */
static cairn_status writable(cairn_context *ctx, cairn_column **out, const cairn_column *from)
{
    cairn_column *column = NULL;
    if (from->kind == CAIRN_BAG) return cairn_bag_copy(ctx, out, from);
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows));
    if (from->n_rows) memcpy(column->numbers, from->numbers, from->n_rows * sizeof *from->numbers);
    column->n_missing = from->n_missing;
    *out = column;
    return CAIRN_OK;
}

/* Columns are copied before they are divided in place, because the table given may share them with
 * others. */
static cairn_status unit_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    const unit_params *p = params;
    const cairn_map *names = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    unit_work work = {.norm = p->norm};
    CHECK(SCRATCH_EACH(ctx, names->n + 1, &work.numbers, &work.bags));
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < names->n; i++) {
        cairn_column *column;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(names, i), &at));
        if (copy->slots[at].column->kind != CAIRN_BAG)
            CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_NUMBER));
        CHECK(writable(ctx, &column, copy->slots[at].column));
        cairn_table_replace_column(copy, at, column);
        if (column->kind == CAIRN_BAG)
            work.bags[work.n_bags++] = column;
        else
            work.numbers[work.n_numbers++] = column;
    }
    CHECK(cairn_blocks(ctx, table->n_rows, ROW_BLOCK, divide_rows, &work));
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* A bag is a vector, and all numbers are one. */
static cairn_status unit_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const cairn_map *names = state;
    cairn_vector_norm norm = (cairn_vector_norm)((const unit_params *)job->params)->norm;
    int32_t *numbers, *items, first;
    size_t n = 0;
    CHECK(SCRATCH(out->ctx, &numbers, names->n + 1));
    for (size_t i = 0; i < out->now.n_fields; i++) {
        const cairn_field *field = &out->now.fields[i];
        if (cairn_map_find(names, field->name, strlen(field->name)) < 0) continue;
        if (out->slots[i] < 0) CHECK(cairn_program_refuse(out, "it cannot read '%s'", field->name));
        numbers[n] = out->slots[i];
        n += field->kind != CAIRN_BAG;
        if (field->kind != CAIRN_BAG || field->names.n == 0) continue;
        CHECK(SCRATCH(out->ctx, &items, field->names.n));
        for (size_t k = 0; k < field->names.n; k++) items[k] = out->slots[i] + (int32_t)k;
        CHECK(cairn_lower_unit(out, norm, items, field->names.n, &first));
        CHECK(cairn_program_put(out, field->name, first));
    }
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_lower_unit(out, norm, numbers, n, &first));
    for (size_t i = 0; i < out->now.n_fields; i++) {
        const cairn_field *field = &out->now.fields[i];
        if (field->kind == CAIRN_BAG || cairn_map_find(names, field->name, strlen(field->name)) < 0)
            continue;
        CHECK(cairn_program_put(out, field->name, first++));
    }
    return CAIRN_OK;
}

static void unit_describe(cairn_report *out, const void *state, const void *params)
{
    const unit_params *p = params;
    const cairn_map *names = state;
    cairn_report_formula(out, p->norm == NORM_L2   ? "x' = x / √(Σ xⱼ²)"
                              : p->norm == NORM_L1 ? "x' = x / Σ |xⱼ|"
                                                   : "x' = x / max |xⱼ|");
    cairn_report_value(out, "columns", (double)names->n, "unit.columns");
}

static const cairn_kept unit_keeps[] = {{.type = CAIRN_KEEP_MAP, .field = "names"}, KEEP_END};

const cairn_transform cairn_unit = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "unit",
              .also = "unit length, row normalisation, unit vectors, Normalizer",
              .title = "Rows of length 1",
              .summary =
                  "Divides every row by its length, so that rows are compared by direction and not "
                  "by size: the sum of absolute values, the Euclidean length or the largest "
                  "absolute value becomes 1. Each bag is a vector of its own, the number columns "
                  "form one together. A row of zeros stays as it is.",
              .references = "Manning, Raghavan and Schuetze, Introduction to Information Retrieval",
              .example = "cairn convert @iris iris-unit.csv --with unit:norm=l1",
              .params = unit_param_table,
              .params_size = sizeof(unit_params)},
    .state_size = sizeof(cairn_map),
    .sets_scale = true,
    .fit = unit_fit,
    .apply = unit_apply,
    .lower = unit_lower,
    .describe = unit_describe,
    .keeps = unit_keeps,
};
