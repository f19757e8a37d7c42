/* SPDX-License-Identifier: MIT */
/* The columns of a model formula (model/model_formula.h): what stands right of ~ as features.
 *
 * Method: a variable is a number column, an expression, levels, or an orthogonal polynomial
 * p_0 = 1, p_1 = x - a_0, p_(j+1) = (x - a_j) p_j - (n_j / n_(j-1)) p_(j-1) with
 * a_j = <x p_j, p_j> / n_j, n_j = <p_j, p_j> over the training rows and their weights, divided by
 * the root of n_j. A term is the product of its variables: one column for every choice of a part of
 * each, the parts of the first changing fastest. Levels are coded by contrasts (all but the first)
 * where the rule of cairn_formula_contrasts says so, else by all of them. A column that stands
 * alone stays as it is: learners that want numbers get its levels as indicators with the same
 * reference. Features that the formula does not name are left out.
 *
 * Cost: a pass per variable and per column. A missing value or a level that was not seen makes the
 * columns of its terms missing. */
#include "base/number.h"
#include "data/column.h"
#include "data/expression.h"
#include "parallel/parallel.h"
#include "transforms/columns.h"
#include "transforms/computing.h"
#include "transforms/expand.h"
#include "transforms/expression_lower.h"
#include "transforms/levels.h"
#include "model/model_formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROW_BLOCK = 4096, WHOLE = -1 };

typedef struct design_params {
    const char *formula;
} design_params;

static const cairn_param design_param_table[] = {
    {.name = "formula",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(design_params, formula),
     .help = "terms as in a*b + poly(x,2) + log(z), with or without 'target ~' before them",
     .required = true},
    CAIRN_PARAM_END,
};

typedef struct design_variable {
    char *name;
    char *expression; /* NULL = the column of that name */
    int32_t kind;     /* cairn_variable_kind */
    bool levelled;
    bool raw;
    int32_t degree; /* POLY; else 1 */
    cairn_map levels;
    double *centres; /* POLY: degree */
    double *norms;   /* POLY: degree + 1 */
} design_variable;

/* A column that is made. With part WHOLE it is the variable's column as it is. */
typedef struct design_column {
    size_t n;
    int32_t variables[CAIRN_MOST_CROSSED];
    int32_t parts[CAIRN_MOST_CROSSED]; /* level, or degree - 1, or 0 */
} design_column;

/* A target that is learned as a function of its column. */
typedef struct design_target {
    char *column, *name, *expression; /* NULL = the target is a column as it is */
    cairn_undo undo;
} design_target;

typedef struct design_state {
    design_target target;
    design_variable *variables;
    size_t n_variables;
    design_column *columns; /* names.n */
    cairn_map names;
} design_state;

/* -- values of variables -- */

typedef struct design_values {
    const double *numbers; /* of a variable that has them; of a polynomial degree x n_rows */
    const int32_t *codes;  /* places among the levels; -1 = missing */
    cairn_column *made;    /* that the numbers lie in; NULL = in the table or in scratch */
} design_values;

typedef struct poly_work {
    const design_variable *v;
    const double *x;
    double *out;
    size_t n;
} poly_work;

static void poly_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const poly_work *w = data;
    const design_variable *v = w->v;
    for (size_t i = begin; i < end; i++) {
        double before = 0, now = 1;
        for (int32_t k = 0; k < v->degree; k++) {
            double shift = v->raw ? 0 : v->centres[k];
            double share = v->raw || k == 0 ? 0 : v->norms[k] / v->norms[k - 1];
            double next = (w->x[i] - shift) * now - share * before;
            before = now;
            now = next;
            w->out[(size_t)k * w->n + i] = v->raw ? now : now / sqrt(v->norms[k + 1]);
        }
    }
}

/* What the expression of a variable gives; numbers become levels for factor(x). */
static cairn_status compute(cairn_context *ctx, cairn_column **out, const design_variable *v,
                            const cairn_table *table, cairn_faults *faults)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    OWNED(cairn_column_drop) cairn_column *column = NULL, *levels = NULL;
    CHECK(cairn_expression_new(ctx, &e, v->expression, table));
    cairn_expression_salt(e, v->name);
    CHECK(cairn_expression_column(ctx, e, &column, faults));
    bool factor = v->kind == CAIRN_VARIABLE_FACTOR && column->kind != CAIRN_LEVEL;
    if (factor || column->kind == CAIRN_TEXT) {
        CHECK(cairn_column_convert(ctx, &levels, column, CAIRN_LEVEL, v->name, NULL, NULL, NULL));
        CHECK(cairn_column_sort_levels(ctx, levels));
    }
    *out = levels ? TAKE(levels) : TAKE(column);
    return CAIRN_OK;
}

/* The column that a variable reads: the table's own, or a new one that *made holds. */
static cairn_status column_of(cairn_context *ctx, const cairn_column **out, cairn_column **made,
                              const design_variable *v, const cairn_table *table,
                              cairn_faults *faults)
{
    size_t at;
    *made = NULL;
    if (v->expression) {
        cairn_status status = compute(ctx, made, v, table, faults);
        if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s", v->name);
        *out = *made;
        return status;
    }
    CHECK(cairn_table_get(ctx, table, v->name, &at));
    *out = table->slots[at].column;
    return CAIRN_OK;
}

/* The values of a variable for all rows; `made` is dropped by the caller. */
static cairn_status find_values(cairn_context *ctx, design_values *out, const design_variable *v,
                                const cairn_table *table)
{
    const cairn_column *column;
    cairn_faults faults = {0};
    char what[160];
    CHECK(column_of(ctx, &column, &out->made, v, table, &faults));
    snprintf(what, sizeof what, "formula: %.140s", v->name);
    cairn_faults_warn(ctx, what, &faults);
    bool number = column->kind == CAIRN_NUMBER || column->kind == CAIRN_TIME;
    if (v->levelled ? column->kind != CAIRN_LEVEL : !number)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "formula: '%s' is of another kind than when the model was fitted",
                          v->name);
    if (v->levelled) {
        int32_t *places, *codes;
        CHECK(cairn_level_places(ctx, &places, &v->levels, column));
        CHECK(SCRATCH_RAW(ctx, &codes, column->n_rows + 1));
        for (size_t i = 0; i < column->n_rows; i++)
            codes[i] = column->codes[i] < 0 ? -1 : places[column->codes[i]];
        out->codes = codes;
        return CAIRN_OK;
    }
    out->numbers = column->numbers;
    if (v->kind != CAIRN_VARIABLE_POLY) return CAIRN_OK;
    const double *x = column->numbers;
    size_t n = column->n_rows;
    double *parts;
    CHECK(SCRATCH_RAW(ctx, &parts, cairn_product((size_t)v->degree, n) + 1));
    poly_work work = {v, x, parts, n};
    CHECK(cairn_blocks(ctx, n, ROW_BLOCK, poly_rows, &work));
    out->numbers = parts;
    return CAIRN_OK;
}

/* -- fitting -- */

/* Centres and norms by the recurrence at the top of the file, one degree after the other. */
static cairn_status fit_poly(cairn_context *ctx, design_variable *v, const double *x,
                             const cairn_view *view)
{
    size_t n = view->rows.n, degree = (size_t)v->degree;
    double *now, *before, *at, *weights, total = 0;
    CHECK(NEW(ctx, &v->centres, degree));
    CHECK(NEW(ctx, &v->norms, degree + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &now, &before, &at, &weights));
    for (size_t i = 0; i < n; i++) {
        at[i] = x[cairn_view_row(view, i)];
        bool known = isfinite(at[i]);
        weights[i] = known ? cairn_view_weight(view, i) : 0;
        if (!known) at[i] = 0;
        now[i] = 1;
        total += weights[i];
    }
    v->norms[0] = total;
    double largest = 0;
    for (size_t k = 0; k < degree; k++) {
        double sum = 0, norm = 0, size = 0, share = k ? v->norms[k] / v->norms[k - 1] : 0;
        for (size_t i = 0; i < n; i++) sum += weights[i] * at[i] * now[i] * now[i];
        v->centres[k] = v->norms[k] > 0 ? sum / v->norms[k] : 0;
        for (size_t i = 0; i < n; i++) {
            double next = (at[i] - v->centres[k]) * now[i] - share * before[i];
            size += weights[i] * at[i] * at[i] * now[i] * now[i];
            norm += weights[i] * next * next;
            before[i] = now[i];
            now[i] = next;
        }
        v->norms[k + 1] = norm;
        largest = fmax(size, largest);
        if (!(norm > 1e-24 * size))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "formula: %s needs more than %zu different values in the training "
                              "rows; lower its degree",
                              v->name, k + 1);
    }
    return CAIRN_OK;
}

/* The kind of a variable's values, its levels and its polynomial. */
static cairn_status fit_variable(cairn_context *ctx, design_variable *v, const cairn_job *job,
                                 const cairn_formula_variable *from)
{
    const cairn_column *column;
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    cairn_faults faults = {0};
    v->kind = (int32_t)from->kind;
    v->degree = from->kind == CAIRN_VARIABLE_POLY ? from->degree : 1;
    v->raw = from->raw;
    CHECK(cairn_copy_text(ctx, &v->name, from->name, strlen(from->name)));
    if (from->expression)
        CHECK(cairn_copy_text(ctx, &v->expression, from->expression, strlen(from->expression)));
    CHECK(column_of(ctx, &column, &made, v, job->view->table, &faults));
    v->levelled = column->kind == CAIRN_LEVEL;
    if (v->levelled) CHECK(cairn_map_copy(ctx, &v->levels, &column->names));
    if (v->kind != CAIRN_VARIABLE_POLY) return CAIRN_OK;
    if (column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "formula: %s needs numbers, but '%s' has levels",
                          v->name, v->expression);
    return v->raw ? CAIRN_OK : fit_poly(ctx, v, column->numbers, job->view);
}

/* The first term with levels, and its first variable with levels: without a constant, all levels of
 * that one get a column. */
static bool is_first_levelled(const design_state *s, const cairn_model_formula *f, size_t term,
                              int32_t variable)
{
    for (size_t t = 0; t <= term; t++)
        for (size_t i = 0; i < f->terms[t].n; i++)
            if (s->variables[f->terms[t].variables[i]].levelled)
                return t == term && f->terms[t].variables[i] == variable;
    return false;
}

/* Parts of a product are joined by a colon; a level stands behind =, a power behind the name. */
static cairn_status add_column(cairn_context *ctx, design_state *s, size_t *buffer,
                               const design_column *column)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    CHECK(GROW(ctx, &s->columns, buffer, s->names.n + 1));
    s->columns[s->names.n] = *column;
    for (size_t i = 0; i < column->n; i++) {
        const design_variable *v = &s->variables[column->variables[i]];
        cairn_text_add(&name, i ? ":" : "");
        if (column->parts[i] == WHOLE)
            cairn_text_add(&name, v->name);
        else {
            int32_t part = column->parts[i];
            cairn_text_add(&name, v->name);
            if (v->levelled)
                cairn_text_addf(&name, "=%s", cairn_map_key(&v->levels, (size_t)part));
            else if (v->kind == CAIRN_VARIABLE_POLY)
                cairn_text_addf(&name, "%d", (int)part + 1);
        }
    }
    return cairn_expand_name(ctx, &s->names, &name, "design");
}

/* All columns of a term. */
static cairn_status add_term(cairn_context *ctx, design_state *s, size_t *buffer,
                             const cairn_model_formula *f, size_t term, const cairn_table *table)
{
    const cairn_formula_term *t = &f->terms[term];
    int32_t first[CAIRN_MOST_CROSSED], n[CAIRN_MOST_CROSSED];
    design_column column = {.n = t->n};
    double total = 1;
    for (size_t i = 0; i < t->n; i++) {
        const design_variable *v = &s->variables[t->variables[i]];
        bool full = !f->intercept && is_first_levelled(s, f, term, t->variables[i]);
        bool contrasts = v->levelled && !full && cairn_formula_contrasts(f, term, t->variables[i]);
        column.variables[i] = t->variables[i];
        first[i] = contrasts;
        n[i] = v->levelled ? (int32_t)v->levels.n : v->degree;
        if (t->n == 1 && v->kind == CAIRN_VARIABLE_COLUMN && (!v->levelled || contrasts)) {
            column.parts[0] = WHOLE;
            return add_column(ctx, s, buffer, &column);
        }
        if (t->n > 1) {
            /* Numbers and levels can be multiplied. */
            ptrdiff_t at = v->expression ? -1 : cairn_table_find(table, v->name);
            cairn_kind kind = at < 0 ? CAIRN_NUMBER : table->slots[at].column->kind;
            if (kind != CAIRN_NUMBER && kind != CAIRN_LEVEL) {
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "formula: '%s' holds %s, which cannot be multiplied with other columns; "
                    "make numbers or levels of it first",
                    v->name, cairn_kind_plural(kind));
            }
        }
        column.parts[i] = first[i];
        total *= n[i] > first[i] ? n[i] - first[i] : 0;
    }
    CHECK(cairn_expand_check(ctx, "design", (double)s->names.n + total, table->n_rows));
    for (size_t made = 0; made < (size_t)total; made++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(add_column(ctx, s, buffer, &column));
        for (size_t i = 0; i < t->n && ++column.parts[i] == n[i]; i++) column.parts[i] = first[i];
    }
    return CAIRN_OK;
}

/* All offsets together are one column that learners know by its name. */
static cairn_status add_offset(cairn_context *ctx, design_state *s, size_t *buffer,
                               const cairn_model_formula *f, const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text sum = cairn_text_start(ctx);
    char name[] = "(offset)";
    cairn_formula_variable v = {.kind = CAIRN_VARIABLE_EXPRESSION, .name = name};
    design_column column = {.n = 1, .variables = {(int32_t)s->n_variables}};
    if (!f->n_offsets) return CAIRN_OK;
    for (size_t i = 0; i < f->n_offsets; i++)
        cairn_text_addf(&sum, "%s(%s)", i ? " + " : "", f->offsets[i].expression);
    CHECK(cairn_text_status(&sum));
    v.expression = sum.bytes;
    CHECK(fit_variable(ctx, &s->variables[s->n_variables++], job, &v));
    if (s->variables[s->n_variables - 1].levelled)
        return cairn_fail(ctx, CAIRN_USAGE, "formula: an offset is a number, not a level");
    return add_column(ctx, s, buffer, &column);
}

/* The function of the target for all rows. */
static cairn_status compute_target(cairn_context *ctx, cairn_column **out, const design_target *t,
                                   const cairn_table *table)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    cairn_faults faults = {0};
    CHECK(cairn_expression_new(ctx, &e, t->expression, table));
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    CHECK(cairn_expression_numbers(ctx, e, column->numbers, &faults));
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Every value must have a function value from which it comes back. */
static cairn_status check_target(cairn_context *ctx, const design_target *t, const cairn_job *job)
{
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    const cairn_view *view = job->view;
    size_t at;
    CHECK(cairn_table_get(ctx, view->table, t->column, &at));
    const cairn_column *raw = view->table->slots[at].column;
    if (raw->kind != CAIRN_NUMBER || job->task == CAIRN_CLASSIFY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "formula: %s needs a target that is predicted as a number; say {task "
                          "regress}, or name the column alone",
                          t->name);
    CHECK(compute_target(ctx, &made, t, view->table));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double y = raw->numbers[row], value = made->numbers[row];
        char number[CAIRN_NUMBER_SIZE];
        if (isnan(y)) continue;
        bool back = fabs(cairn_undo_of(&t->undo, value) - y) <= 1e-6 * fmax(fabs(y), 1e-100);
        if (isfinite(value) && (back || y == cairn_undo_of(&t->undo, value))) continue;
        cairn_number_format(number, y, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "formula: %s of '%s' = %s in row %zu %s; leave such rows out by {where}, "
                          "or choose another function",
                          t->name, t->column, number, row + 1,
                          isfinite(value) ? "cannot be undone: another value gives the same"
                                          : "is no number");
    }
    return CAIRN_OK;
}

static cairn_status fit_target(cairn_context *ctx, design_target *t, const cairn_model_formula *f,
                               const cairn_job *job)
{
    if (!f->target_expression) return CAIRN_OK;
    CHECK(cairn_copy_text(ctx, &t->column, f->target, strlen(f->target)));
    CHECK(cairn_copy_text(ctx, &t->name, f->target_name, strlen(f->target_name)));
    CHECK(cairn_copy_text(ctx, &t->expression, f->target_expression, strlen(f->target_expression)));
    t->undo = f->target_undo;
    return check_target(ctx, t, job);
}

/* What the formula names are features, which new rows have. */
static cairn_status check_features(cairn_context *ctx, cairn_model_formula *f,
                                   const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    bool *used;
    if (!f->target && target >= 0) f->target = table->slots[target].name;
    CHECK(SCRATCH(ctx, &used, table->n_columns + 1));
    CHECK(cairn_model_formula_reads(ctx, f, table, used));
    for (size_t i = 0; i < table->n_columns; i++)
        if (used[i] && table->slots[i].role != CAIRN_FEATURE)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "formula: '%s' is no feature but %s; give it no other role",
                              table->slots[i].name, cairn_role_name(table->slots[i].role));
    return CAIRN_OK;
}

static cairn_status design_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const design_params *p = job->params;
    const cairn_table *table = job->view->table;
    design_state *s = state;
    cairn_model_formula f;
    size_t buffer = 0;
    CHECK(cairn_model_formula_of_table(ctx, &f, p->formula, table));
    CHECK(check_features(ctx, &f, table));
    CHECK(fit_target(ctx, &s->target, &f, job));
    CHECK(NEW(ctx, &s->variables, f.n_variables + 1));
    for (size_t i = 0; i < f.n_variables; i++)
        CHECK(fit_variable(ctx, &s->variables[s->n_variables++], job, &f.variables[i]));
    for (size_t t = 0; t < f.n_terms; t++) CHECK(add_term(ctx, s, &buffer, &f, t, table));
    return add_offset(ctx, s, &buffer, &f, job);
}

/* The grammar is checked before data is read. */
static cairn_status design_check(cairn_context *ctx, const void *values)
{
    SCOPED_SCRATCH(ctx);
    cairn_model_formula f;
    return cairn_model_formula_read(ctx, &f, ((const design_params *)values)->formula, NULL, 0);
}

/* -- applying -- */

typedef struct product_work {
    const design_state *state;
    const design_values *values;
    const design_column *column;
    double *out;
    size_t n;
} product_work;

static void multiply_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const product_work *w = data;
    for (size_t i = begin; i < end; i++) w->out[i] = 1;
    for (size_t k = 0; k < w->column->n; k++) {
        const design_values *v = &w->values[w->column->variables[k]];
        int32_t part = w->column->parts[k];
        const double *numbers = v->codes ? NULL : v->numbers + (size_t)part * w->n;
        for (size_t i = begin; numbers && i < end; i++) w->out[i] *= numbers[i];
        for (size_t i = begin; v->codes && i < end; i++)
            w->out[i] = v->codes[i] < 0 ? NAN : v->codes[i] == part ? w->out[i] : 0 * w->out[i];
    }
}

static cairn_status make_column(cairn_context *ctx, const design_state *s,
                                const design_values *values, const design_column *column,
                                const char *name, cairn_table *out, const cairn_table *table)
{
    size_t at;
    if (column->n == 1 && column->parts[0] == WHOLE) {
        CHECK(cairn_table_get(ctx, table, s->variables[column->variables[0]].name, &at));
        return cairn_table_add_column(ctx, out, name, CAIRN_FEATURE,
                                      cairn_column_hold(table->slots[at].column));
    }
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    CHECK(cairn_column_new(ctx, &made, CAIRN_NUMBER, table->n_rows));
    product_work work = {s, values, column, made->numbers, table->n_rows};
    CHECK(cairn_blocks(ctx, table->n_rows, ROW_BLOCK, multiply_rows, &work));
    cairn_column_count_missing(made);
    return cairn_table_add_column(ctx, out, name, CAIRN_FEATURE, TAKE(made));
}

/* A column that is no feature stays as it is, but for the target of which a function is learned. */
static cairn_status pass_on(cairn_context *ctx, const design_state *s, cairn_table *out,
                            const cairn_table *table, size_t at)
{
    const cairn_slot *slot = &table->slots[at];
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    bool target = s->target.column && strcmp(slot->name, s->target.column) == 0;
    if (!target)
        return cairn_table_add_column(ctx, out, slot->name, slot->role,
                                      cairn_column_hold(slot->column));
    CHECK(compute_target(ctx, &made, &s->target, table));
    return cairn_table_add_column(ctx, out, s->target.name, slot->role, TAKE(made));
}

static void design_invert(const void *state, const void *params, double *numbers, size_t n)
{
    const design_state *s = state;
    (void)params;
    if (!s->target.column) return;
    for (size_t i = 0; i < n; i++) numbers[i] = cairn_undo_of(&s->target.undo, numbers[i]);
}

/* The columns of the formula take the place of the features; what has another role stays. */
static cairn_status design_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    (void)params;
    const design_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    design_values *values = NULL;
    cairn_status status;
    TRY(SCRATCH(ctx, &values, s->n_variables + 1));
    /* Which variables are multiplied; others are columns that only pass through. */
    bool *needed;
    TRY(SCRATCH(ctx, &needed, s->n_variables + 1));
    for (size_t c = 0; c < s->names.n; c++)
        for (size_t i = 0; i < s->columns[c].n; i++)
            if (s->columns[c].parts[i] != WHOLE) needed[s->columns[c].variables[i]] = true;
    for (size_t i = 0; i < s->n_variables; i++)
        if (needed[i]) TRY(find_values(ctx, &values[i], &s->variables[i], table));
    TRY(cairn_table_new(ctx, &made, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role != CAIRN_FEATURE) TRY(pass_on(ctx, s, made, table, i));
    for (size_t c = 0; c < s->names.n; c++)
        TRY(make_column(ctx, s, values, &s->columns[c], cairn_map_key(&s->names, c), made, table));
    *out = TAKE(made);
done:
    for (size_t i = 0; values && i < s->n_variables; i++) cairn_column_drop(values[i].made);
    return status;
}

/* -- as operations on a row -- */

/* Indicators of all levels of a variable, NaN for a missing one. `names` are the levels of the
 * codes in the slot. */
static cairn_status lower_levels(cairn_program *p, const design_variable *v, int32_t slot,
                                 const char *const *names, size_t n, int32_t *out)
{
    size_t n_levels = v->levels.n;
    double *table, *otherwise;
    CHECK(SCRATCH(p->ctx, &table, cairn_product(n, n_levels) + 1));
    CHECK(SCRATCH(p->ctx, &otherwise, n_levels + 1));
    for (size_t k = 0; k < n_levels; k++) otherwise[k] = NAN;
    for (size_t c = 0; c < n; c++) {
        int64_t place = cairn_map_find(&v->levels, names[c], strlen(names[c]));
        for (size_t k = 0; k < n_levels; k++)
            table[c * n_levels + k] = place < 0 ? NAN : (int64_t)k == place;
    }
    return cairn_lower_lookup(p, slot, n, n_levels, table, otherwise, out);
}

/* One operation per degree, as a later one reads what an earlier one made. */
static cairn_status lower_poly(cairn_program *p, const design_variable *v, int32_t x, int32_t *out)
{
    int32_t monic[CAIRN_MOST_POLY + 1];
    cairn_computing c;
    for (int32_t k = 0; k < v->degree; k++) {
        c = cairn_computing_start(p);
        cairn_computing_slot(&c, x);
        cairn_computing_number(&c, v->raw ? 0 : v->centres[k]);
        cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        if (k) cairn_computing_slot(&c, monic[k - 1]);
        if (k) cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        if (k && !v->raw) {
            cairn_computing_number(&c, v->norms[k] / v->norms[k - 1]);
            if (k > 1) cairn_computing_slot(&c, monic[k - 2]);
            if (k > 1) cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
            cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        }
        cairn_computing_write(&c);
        CHECK(cairn_computing_end(&c, &monic[k]));
    }
    c = cairn_computing_start(p);
    for (int32_t k = 0; k < v->degree; k++) {
        cairn_computing_slot(&c, monic[k]);
        if (!v->raw) cairn_computing_number(&c, sqrt(v->norms[k + 1]));
        if (!v->raw) cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

typedef struct lowering {
    cairn_program *program;
    cairn_table *probe;
    const int32_t *slots; /* of the columns of the probe */
} lowering;

/* The first slot of the parts of a variable. */
static cairn_status lower_variable(const lowering *l, const design_variable *v, int32_t *out)
{
    static const char *const truths[] = {"no", "yes"};
    const cairn_schema *now = &l->program->now;
    const char **names;
    int32_t slot = 0;
    if (v->expression) {
        /* The slot of what an expression gives: a number, or a truth as 0 and 1. */
        OWNED(cairn_expression_free) cairn_expression *e = NULL;
        CHECK(cairn_expression_new(l->program->ctx, &e, v->expression, l->probe));
        bool text = cairn_expression_type(e) == CAIRN_VALUE_TEXT;
        if (text || v->kind == CAIRN_VARIABLE_FACTOR)
            CHECK(
                cairn_program_refuse(l->program, "the levels of %s are found from texts", v->name));
        else
            CHECK(cairn_lower_expression(l->program, e, l->slots, &slot));
    } else
        CHECK(cairn_program_column(l->program, v->name, &slot));
    if (v->kind == CAIRN_VARIABLE_POLY) return lower_poly(l->program, v, slot, out);
    *out = slot;
    if (!v->levelled) return CAIRN_OK;
    if (v->expression) return lower_levels(l->program, v, slot, truths, 2, out);
    for (size_t i = 0; i < now->n_fields; i++) {
        const cairn_field *field = &now->fields[i];
        if (strcmp(field->name, v->name) != 0) continue;
        CHECK(SCRATCH(l->program->ctx, &names, field->names.n + 1));
        for (size_t k = 0; k < field->names.n; k++) names[k] = cairn_map_key(&field->names, k);
        return lower_levels(l->program, v, slot, names, field->names.n, out);
    }
    return CAIRN_OK;
}

/* A variable of several columns is computed once; columns taken as they are need nothing. */
static cairn_status lower_columns(const lowering *l, const design_state *s)
{
    int32_t *first, slot;
    CHECK(SCRATCH(l->program->ctx, &first, s->n_variables + 1));
    for (size_t i = 0; i < s->n_variables; i++) first[i] = -1;
    for (size_t c = 0; c < s->names.n; c++) {
        const design_column *column = &s->columns[c];
        cairn_computing made = cairn_computing_start(l->program);
        if (column->parts[0] == WHOLE) continue;
        for (size_t i = 0; i < column->n; i++) {
            int32_t at = column->variables[i];
            if (first[at] < 0) CHECK(lower_variable(l, &s->variables[at], &first[at]));
            cairn_computing_slot(&made, first[at] + column->parts[i]);
            if (i) cairn_computing_do(&made, CAIRN_DO_MULTIPLY, 2);
        }
        cairn_computing_write(&made);
        CHECK(cairn_computing_end(&made, &slot));
        CHECK(cairn_program_put(l->program, cairn_map_key(&s->names, c), slot));
    }
    return CAIRN_OK;
}

static cairn_status design_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    (void)job;
    OWNED(cairn_table_free) cairn_table *probe = NULL;
    int32_t *slots;
    CHECK(cairn_program_probe(out, &probe));
    CHECK(SCRATCH(out->ctx, &slots, probe->n_columns + 1));
    for (size_t i = 0, at = 0; i < out->now.n_fields; i++)
        if (out->now.fields[i].role == CAIRN_FEATURE) slots[at++] = out->slots[i];
    lowering l = {out, probe, slots};
    return lower_columns(&l, state);
}

/* One step of the way back from a function of the target. */
static cairn_status lower_step(cairn_program *p, const cairn_undo_step *step, int32_t *slot)
{
    static const int instructions[] = {
        [CAIRN_UNDO_ADD] = CAIRN_DO_SUM,         [CAIRN_UNDO_FROM] = CAIRN_DO_SUBTRACT,
        [CAIRN_UNDO_TIMES] = CAIRN_DO_MULTIPLY,  [CAIRN_UNDO_DIVIDE] = CAIRN_DO_DIVIDE,
        [CAIRN_UNDO_INTO] = CAIRN_DO_DIVIDE,     [CAIRN_UNDO_POWER] = CAIRN_DO_POWER,
        [CAIRN_UNDO_ODD_POWER] = CAIRN_DO_POWER, [CAIRN_UNDO_BASE] = CAIRN_DO_POWER};
    static const char *const functions[] = {[CAIRN_UNDO_EXP] = "exp",
                                            [CAIRN_UNDO_EXPM1] = "expm1",
                                            [CAIRN_UNDO_LOG] = "log",
                                            [CAIRN_UNDO_LOG1P] = "log1p"};
    cairn_computing c = cairn_computing_start(p);
    cairn_undo_kind kind = step->kind;
    bool ahead = kind == CAIRN_UNDO_FROM || kind == CAIRN_UNDO_INTO || kind == CAIRN_UNDO_BASE;
    if (ahead) cairn_computing_number(&c, step->number);
    cairn_computing_slot(&c, *slot);
    if (kind >= CAIRN_UNDO_EXP) (void)cairn_computing_function(&c, functions[kind]);
    if (kind == CAIRN_UNDO_ODD_POWER) (void)cairn_computing_function(&c, "abs");
    if (kind == CAIRN_UNDO_POWER) {
        cairn_computing_number(&c, 0);
        cairn_computing_do(&c, CAIRN_DO_MAX, 2);
    }
    if (kind < CAIRN_UNDO_EXP && !ahead) cairn_computing_number(&c, step->number);
    if (kind < CAIRN_UNDO_EXP) cairn_computing_do(&c, instructions[kind], 2);
    if (kind == CAIRN_UNDO_ODD_POWER) {
        cairn_computing_slot(&c, *slot);
        (void)cairn_computing_function(&c, "sign");
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
    }
    cairn_computing_write(&c);
    return cairn_computing_end(&c, slot);
}

static cairn_status design_lower_invert(const void *state, cairn_program *out, int32_t *number)
{
    const design_target *t = &((const design_state *)state)->target;
    for (size_t i = 0; t->column && i < t->undo.n; i++)
        CHECK(lower_step(out, &t->undo.steps[i], number));
    return CAIRN_OK;
}

/* -- showing and keeping -- */

static void design_describe(cairn_report *out, const void *state, const void *params)
{
    const design_state *s = state;
    cairn_report_word(out, "terms", ((const design_params *)params)->formula, "design.formula");
    if (s->target.column) {
        /* Which function of the target is learned, and how answers come back from it. */
        cairn_text back = cairn_text_start(cairn_report_context(out));
        cairn_undo_add(&back, &s->target.undo, "answer");
        cairn_report_word(out, "learned", s->target.name, "design.target");
        cairn_report_word(out, "brought back by", cairn_text_string(&back), "design.back");
        cairn_report_note(
            out,
            "The model learns %s, and what it says of coefficients and errors is in its "
            "units; predictions are brought back to '%s'.",
            s->target.name, s->target.column);
        cairn_text_clear(&back);
    }
    cairn_expand_describe(out, "design", s->n_variables, s->names.n);
    for (size_t i = 0; i < s->n_variables; i++) {
        const design_variable *v = &s->variables[i];
        if (v->levelled && v->levels.n)
            cairn_report_note(out, "The reference level of '%s' is '%s'.", v->name,
                              cairn_map_key(&v->levels, 0));
    }
}

static cairn_status check_variable(cairn_archive *a, const void *variable, const void *around)
{
    const design_variable *v = variable;
    bool poly = v->kind == CAIRN_VARIABLE_POLY;
    (void)around;
    if (!v->name || v->kind < 0 || v->kind > CAIRN_VARIABLE_POLY || v->degree < 1 ||
        v->degree > CAIRN_MOST_POLY || (!poly && v->degree != 1) || (poly && v->levelled) ||
        (v->kind != CAIRN_VARIABLE_COLUMN) != (v->expression != NULL))
        return cairn_archive_damaged(a, "a variable of the formula is none");
    return CAIRN_OK;
}

static cairn_status archive_norms(cairn_archive *a, void *variable, const void *around)
{
    design_variable *v = variable;
    (void)around;
    if (v->kind != CAIRN_VARIABLE_POLY || v->raw) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "centres", &v->centres, (size_t)v->degree));
    return cairn_archive_reals(a, "norms", &v->norms, (size_t)v->degree + 1);
}

static const cairn_kept variable_keeps[] = {
    KEEP(design_variable, name, expression, kind, levelled, raw, degree, levels),
    KEEP_CHECK(check_variable),
    KEEP_BY(archive_norms),
    KEEP_OWNED(design_variable, centres),
    KEEP_OWNED(design_variable, norms),
    KEEP_END,
};

/* Whatever a column names must exist; only a column of the table, by itself, is taken whole. */
static cairn_status archive_column(cairn_archive *a, void *kept, const void *around)
{
    design_column *column = kept;
    const design_state *s = around;
    CHECK(cairn_archive_size(a, "n", &column->n, CAIRN_MOST_CROSSED));
    for (size_t i = 0; i < column->n; i++) {
        CHECK(cairn_archive_int(a, "variable", &column->variables[i]));
        CHECK(cairn_archive_int(a, "part", &column->parts[i]));
        int32_t at = column->variables[i], part = column->parts[i];
        bool there = at >= 0 && (size_t)at < s->n_variables;
        const design_variable *v = there ? &s->variables[at] : NULL;
        int64_t n = !v ? 0 : v->levelled ? (int64_t)v->levels.n : v->degree;
        bool whole = part == WHOLE && column->n == 1 && v && !v->expression;
        if (!there || (!whole && (part < 0 || part >= n)))
            CHECK(cairn_archive_damaged(a, "a column of the formula has no variable"));
    }
    if (column->n == 0) CHECK(cairn_archive_damaged(a, "a column of the formula is empty"));
    return CAIRN_OK;
}

static const cairn_kept column_keeps[] = {KEEP_BY(archive_column), KEEP_END};

/* The way back is found again from the expression. */
static cairn_status find_undo(cairn_archive *a, void *state, const void *around)
{
    cairn_context *ctx = cairn_archive_context(a);
    design_target *t = &((design_state *)state)->target;
    char *column;
    (void)around;
    if (!cairn_archive_reading(a) || !t->column) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    bool whole = t->name && t->expression;
    if (!whole || cairn_expression_undo(ctx, &t->undo, &column, t->expression) ||
        strcmp(column, t->column) != 0)
        return cairn_archive_damaged(a, "the function of the target is none");
    return CAIRN_OK;
}

static const cairn_kept design_keeps[] = {
    KEEP_AS(design_state, target.column, .name = "target", .since = 15),
    KEEP_AS(design_state, target.name, .name = "target_name", .since = 15),
    KEEP_AS(design_state, target.expression, .name = "target_expression", .since = 15),
    KEEP_BY(find_undo),
    KEEP_SIZE(design_state, n_variables, 1 << 20),
    KEEP_PARTS(design_state, variables, "n_variables", .rows = variable_keeps),
    KEEP(design_state, names),
    KEEP_PARTS(design_state, columns, "names", .rows = column_keeps),
    KEEP_END,
};

const cairn_transform cairn_design = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "design",
              .also = "model formula, formula interface, design matrix, model matrix, "
                      "interactions, contrasts, patsy",
              .title = "Columns of a model formula",
              .summary =
                  "Makes the columns that the terms of a model formula stand for: a*b is a, b and "
                  "their product, a:b the product alone, (a+b)^2 both and their product, poly(x,2) "
                  "orthogonal polynomials, log(x) and I(x^2) whatever is computed, factor(x) a "
                  "number taken as levels, . all features, -a what is left out. Levels are coded "
                  "against their first level wherever the model has the term without them. "
                  "Features that the formula does not name are left out. Left of ~ may stand a "
                  "function of the target, such as log(y): it is learned, and answers are brought "
                  "back. The option --formula of "
                  "fit, evaluate, compare and tune chooses the target as well.",
              .references = "Wilkinson and Rogers, Symbolic description of factorial models for "
                            "analysis of variance (1973); Chambers and Hastie, Statistical Models "
                            "in S",
              .example = "cairn fit linear @used-cars --target price --with 'design:age*distance'",
              .params = design_param_table,
              .params_size = sizeof(design_params),
              .check = design_check},
    .state_size = sizeof(design_state),
    .wants_complete = true,
    .fit = design_fit,
    .apply = design_apply,
    .lower = design_lower,
    .invert = design_invert,
    .lower_invert = design_lower_invert,
    .describe = design_describe,
    .keeps = design_keeps,
};
