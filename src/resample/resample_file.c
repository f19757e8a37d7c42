/* SPDX-License-Identifier: MIT */
/* Given splits: a table that says for every row which part it belongs to.
 *
 * Each column of the file that is not an id is one repeat, with as many rows as the data. A column
 * of the words train, test, validation (or unused) is a hold-out: test rows are tested once, train
 * rows are learned from, the rest is neither. Any other values number the folds of a
 * cross-validation, each tested once. Columns called draws1, draws2 and so on are a bootstrap: how
 * often each row is learned from, 0 = it is tested. A file with the columns row and split lists row
 * numbers (from 1) with their part; rows that it does not list are learned from. */
#include "resample/resample.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/table.h"
#include <math.h>
#include <string.h>

typedef struct file_params {
    const char *path;
} file_params;

static const cairn_param file_param_table[] = {
    {.name = "path",
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(file_params, path),
     .help = "table with the part of every row",
     .required = true},
    CAIRN_PARAM_END,
};

/* The part that a level's name stands for: 0 test, 1 train, below 0 neither; 2 = some fold. */
static int32_t part_of(const char *name)
{
    if (cairn_same(name, "test")) return 0;
    if (cairn_same(name, "train")) return 1;
    if (cairn_same(name, "validation")) return CAIRN_FOLD_ASIDE;
    if (cairn_same(name, "unused") || cairn_same(name, "")) return CAIRN_FOLD_UNUSED;
    return 2;
}

static bool is_holdout(const cairn_column *column)
{
    bool tests = false;
    for (size_t c = 0; c < column->names.n; c++) {
        int32_t part = part_of(cairn_map_key(&column->names, c));
        if (part == 2) return false;
        tests |= part == 0;
    }
    return tests;
}

/* Part of a table row; missing cells are neither learned from nor tested. */
static int32_t part_at(const cairn_column *column, size_t row, bool holdout)
{
    int32_t code = column->codes[row];
    if (code < 0) return -1;
    return holdout ? part_of(cairn_map_key(&column->names, (size_t)code)) : code;
}

static cairn_status check_rows(cairn_context *ctx, const char *path, const cairn_table *splits,
                               const cairn_plan_job *job)
{
    uint32_t last = job->rows[job->n - 1];
    if (splits->n_rows > last) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s has %zu rows, but row %u of the data needs a part too; one line for "
                      "every row, or the columns row and split",
                      path, splits->n_rows, (unsigned)last + 1);
}

/* A list of rows becomes a column with a part for each: those not listed are learned from. */
static cairn_status spread_list(cairn_context *ctx, cairn_table **table, size_t n_rows,
                                const char *path)
{
    OWNED(cairn_table_free) cairn_table *spread = NULL;
    int32_t *codes;
    static const char *const names[] = {"test", "train", "validation"};
    ptrdiff_t row = cairn_table_find(*table, "row"), split = cairn_table_find(*table, "split");
    if (row < 0 || split < 0 || (*table)->slots[row].column->kind != CAIRN_NUMBER) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, *table, (size_t)split, CAIRN_LEVEL));
    const cairn_column *rows = (*table)->slots[row].column;
    const cairn_column *parts = (*table)->slots[split].column;
    CHECK(SCRATCH(ctx, &codes, n_rows + 1));
    for (size_t i = 0; i < n_rows; i++) codes[i] = 1;
    for (size_t i = 0; i < (*table)->n_rows; i++) {
        double at = rows->numbers[i];
        int32_t part = part_at(parts, i, true);
        if (!(at >= 1 && at <= (double)n_rows && at == floor(at)) || part == 2)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "%s, line %zu: a row number from 1 to %zu and one of train, test and "
                             "validation are needed",
                             path, i + 2, n_rows));
        codes[(size_t)at - 1] = part < 0 ? 2 : part;
    }
    CHECK(cairn_table_new(ctx, &spread, n_rows));
    CHECK(cairn_table_add_levels(ctx, spread, "split", codes, names, 3));
    cairn_table_free(*table);
    *table = TAKE(spread);
    return CAIRN_OK;
}

static cairn_status take_column(cairn_context *ctx, int32_t *folds, const cairn_plan_job *job,
                                const cairn_slot *slot, const char *path, size_t n_tested)
{
    bool holdout = is_holdout(slot->column);
    size_t n_test = 0, n_train = 0;
    if ((holdout ? 1 : slot->column->names.n) != n_tested)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: column '%s' has another number of parts than the first one", path,
                          slot->name);
    for (size_t i = 0; i < job->n; i++) {
        folds[i] = part_at(slot->column, job->rows[i], holdout);
        n_test += folds[i] == 0;
        n_train += folds[i] > 0;
    }
    if (n_test && n_train) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' leaves no row to %s", path, slot->name,
                      n_test ? "learn from" : "test on");
}

/* Columns that name the rows part nothing. */
static bool is_part(const cairn_slot *slot)
{
    return slot->role != CAIRN_ID && !cairn_same(slot->name, "row");
}

/* All columns are numbers of draws. */
static bool is_bootstrap(const cairn_table *splits)
{
    size_t n = 0;
    for (size_t j = 0; j < splits->n_columns; j++) {
        const cairn_slot *slot = &splits->slots[j];
        if (!is_part(slot)) continue;
        if (strncmp(slot->name, "draws", 5) != 0 || slot->column->kind != CAIRN_NUMBER)
            return false;
        n++;
    }
    return n > 0;
}

static cairn_status take_draws(cairn_context *ctx, int32_t *folds, const cairn_plan_job *job,
                               const cairn_slot *slot, const char *path)
{
    size_t n_test = 0, n_train = 0;
    for (size_t i = 0; i < job->n; i++) {
        double draws = slot->column->numbers[job->rows[i]];
        if (!(draws >= 0 && draws <= 1e6 && draws == floor(draws)))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s, row %u: '%s' has no number of draws (a whole number, 0 = "
                              "tested)",
                              path, (unsigned)job->rows[i] + 1, slot->name);
        folds[i] = (int32_t)draws;
        n_test += folds[i] == 0;
        n_train += folds[i] > 0;
    }
    if (n_test && n_train) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' leaves no row to %s", path, slot->name,
                      n_test ? "learn from" : "test on");
}

static cairn_status draw_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job,
                              const cairn_table *splits, const char *path)
{
    size_t n = 0;
    for (size_t j = 0; j < splits->n_columns; j++) n += is_part(&splits->slots[j]);
    CHECK(cairn_plan_buffer(ctx, out, job, n, 1));
    out->draws = out->ordered = true;
    for (size_t j = 0, r = 0; j < splits->n_columns; j++)
        if (is_part(&splits->slots[j]))
            CHECK(take_draws(ctx, out->folds + r++ * job->n, job, &splits->slots[j], path));
    return CAIRN_OK;
}

/* The first column decides how many folds there are, the others must agree; a file counts as
 * ordered, since whoever made it knew the times. */
static cairn_status file_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const file_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *splits = NULL;
    size_t n = 0, n_tested = 0;
    CHECK(cairn_table_read(ctx, &splits, p->path, NULL));
    CHECK(spread_list(ctx, &splits, job->n ? (size_t)job->rows[job->n - 1] + 1 : 0, p->path));
    CHECK(check_rows(ctx, p->path, splits, job));
    if (is_bootstrap(splits)) {
        return draw_plan(ctx, out, job, splits, p->path);
    }
    for (size_t j = 0; j < splits->n_columns; j++) {
        if (!is_part(&splits->slots[j])) continue;
        CHECK(cairn_table_change_kind(ctx, splits, j, CAIRN_LEVEL));
        const cairn_column *column = splits->slots[j].column;
        if (n++ == 0) n_tested = is_holdout(column) ? 1 : column->names.n;
    }
    if (n == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no column that parts the rows", p->path));
    CHECK(cairn_plan_buffer(ctx, out, job, n, n_tested));
    out->ordered = true; /* whoever made the file knew what for */
    for (size_t j = 0, r = 0; j < splits->n_columns; j++) {
        if (!is_part(&splits->slots[j])) continue;
        CHECK(
            take_column(ctx, out->folds + r++ * job->n, job, &splits->slots[j], p->path, n_tested));
    }
    return CAIRN_OK;
}

const cairn_resampling cairn_file_splits = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "file",
              .also = "given folds, train and test file",
              .title = "Given splits",
              .summary =
                  "Takes the parts from a file: a column with a fold name, or with train, test "
                  "and validation, for every row of the data; several columns are several "
                  "repeats; columns draws1, draws2 ... say how often each row is learned from. A "
                  "file with the columns row and split lists only some rows. "
                  "--splits-out of evaluate writes such a file. --by file:parts.csv.",
              .references = "Every comparison that publishes its splits can be repeated with them",
              .example = "cairn evaluate tree @iris --by cv:5 --splits-out parts.csv",
              .params = file_param_table,
              .params_size = sizeof(file_params)},
    .plan = file_plan,
};
