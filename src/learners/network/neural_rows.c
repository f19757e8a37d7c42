/* SPDX-License-Identifier: MIT */
/* The rows of a network: features as they are, targets as what its outputs should be. */
#include "base/memory.h"
#include "base/need.h"
#include "base/number.h"
#include "learners/network/neural.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { PACKED_ROWS = 256 };

cairn_status cairn_neural_targets(cairn_context *ctx, cairn_neural_target **out, size_t *n,
                                  size_t *n_out, const cairn_schema *schema, bool one_of_two)
{
    *n = *n_out = 0;
    CHECK(SCRATCH(ctx, out, schema->n_fields + 1));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_TARGET) continue;
        size_t outputs = field->kind == CAIRN_LEVEL ? field->names.n : 1;
        if (outputs == 2 && one_of_two) outputs = 1;
        size_t at = (*n)++;
        for (; at && strcmp((*out)[at - 1].field->name, field->name) > 0; at--)
            (*out)[at] = (*out)[at - 1];
        (*out)[at] = (cairn_neural_target){.field = field, .n = outputs, .leads = *n == 1};
    }
    for (size_t t = 0; t < *n; t++) {
        (*out)[t].first = *n_out;
        *n_out += (*out)[t].n;
    }
    return CAIRN_OK;
}

cairn_status cairn_neural_model_targets(cairn_context *ctx, cairn_neural_target **out, size_t *n,
                                        const cairn_schema *schema,
                                        const cairn_neural_layers *layers,
                                        const cairn_neural_target **lead)
{
    const cairn_neural_layer *last = cairn_neural_layers_last(layers);
    size_t n_out;
    CHECK(cairn_neural_targets(ctx, out, n, &n_out, schema, !last->activation.f->together));
    if (n_out != last->n_out) CHECK(cairn_neural_targets(ctx, out, n, &n_out, schema, false));
    *lead = NULL;
    for (size_t t = 0; t < *n && n_out == last->n_out; t++)
        if ((*out)[t].leads) *lead = &(*out)[t];
    return CAIRN_OK;
}

size_t cairn_neural_yes(const cairn_neural_target *target, int32_t positive)
{
    return target->leads && positive >= 0 ? (size_t)positive : 1;
}

static cairn_status find_columns(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_table *table = run->job->view->table;
    for (size_t t = 0; t < run->n_targets; t++) {
        const char *name = run->list[t].field->name;
        ptrdiff_t at = cairn_table_find(table, name);
        if (at < 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no column '%s'", name);
        run->list[t].column = table->slots[at].column;
    }
    return CAIRN_OK;
}

/* What output k of a target should be for a table row. */
static double wanted(const cairn_neural_run *run, const cairn_neural_target *target, size_t k,
                     size_t row)
{
    const cairn_neural_model *m = run->model;
    if (target->field->kind != CAIRN_LEVEL) return target->column->numbers[row];
    size_t code = (size_t)target->column->codes[row];
    if (target->n == 1 && target->field->names.n == 2)
        return code == cairn_neural_yes(target, run->job->positive) ? m->high : m->low;
    return code == k ? m->high : m->low;
}

/* Targets as the outputs should be; a row without one of them has no weight. */
static cairn_status read_targets(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_view *view = run->job->view;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        run->by[i] = cairn_view_weight(view, i);
        for (size_t t = 0; t < run->n_targets; t++) {
            const cairn_neural_target *target = &run->list[t];
            bool missing = cairn_column_is_missing(target->column, row);
            if (missing) run->by[i] = 0;
            for (size_t k = 0; k < target->n && !missing; k++) {
                double number = wanted(run, target, k, row);
                if (!isfinite(number))
                    return cairn_refuse_number(ctx, target->field->name, row, number);
                run->targets[i * run->n_out + target->first + k] = number;
            }
        }
    }
    return CAIRN_OK;
}

/* Shift and unit of a number target; of rows that are all the same, its value and 1. */
static void find_unit(cairn_neural_run *run, size_t k, bool standard)
{
    double low = INFINITY, high = -INFINITY, sum = 0, squares = 0, total = 0;
    const double *t = run->targets + k;
    for (size_t i = 0; i < run->x.n; i++) {
        if (!(run->by[i] > 0)) continue;
        low = fmin(low, t[i * run->n_out]);
        high = fmax(high, t[i * run->n_out]);
        total += run->by[i];
        sum += run->by[i] * (t[i * run->n_out] / 2);
    }
    double mean = 2 * (sum / total), half = high / 2 - low / 2;
    for (size_t i = 0; standard && half > 0 && i < run->x.n; i++) {
        double away = (t[i * run->n_out] - mean) / half;
        if (run->by[i] > 0) squares += run->by[i] * away * away;
    }
    double spread = standard ? half * sqrt(squares / total) : half / 10;
    run->model->shift[k] = standard ? mean : low / 2 + high / 2;
    run->model->unit[k] = spread > 0 && isfinite(spread) ? spread : 1;
}

/* Numbers are brought to the units of the outputs. */
static void scale_targets(cairn_neural_run *run)
{
    int units = run->params->target_scale;
    const char *output = cairn_neural_layers_last(&run->model->layers)->activation.f->name;
    if (run->again) units = CAIRN_NEURAL_UNITS_NONE; /* those of the model are kept */
    if (units == CAIRN_NEURAL_UNITS_AUTO && run->reason == CAIRN_NEURAL_READ)
        units = CAIRN_NEURAL_UNITS_NONE; /* weights by hand are for the numbers as they are */
    if (units == CAIRN_NEURAL_UNITS_AUTO)
        units =
            strcmp(output, "linear") == 0 ? CAIRN_NEURAL_UNITS_STANDARD : CAIRN_NEURAL_UNITS_NONE;
    for (size_t t = 0; t < run->n_targets; t++) {
        size_t k = run->list[t].first;
        if (run->list[t].field->kind == CAIRN_LEVEL) continue;
        if (units != CAIRN_NEURAL_UNITS_NONE)
            find_unit(run, k, units == CAIRN_NEURAL_UNITS_STANDARD);
        for (size_t i = 0; i < run->x.n; i++) {
            double *number = &run->targets[i * run->n_out + k];
            *number = (*number - run->model->shift[k]) / run->model->unit[k];
        }
    }
}

/* The same for who reads the steps; warnings of models inside others are not told. */
static void note_unreachable(cairn_report *out, const cairn_neural_target *target, double number,
                             const char *value, const char *ends)
{
    cairn_report_hidden(out, number, "unreachable.%s", cairn_report_key(out, target->field->name));
    cairn_report_note(out,
                      "The target '%s' has a value of %s, which an output %s never reaches: choose "
                      "{output linear}, or bring the target into that range.",
                      target->field->name, value, ends);
}

/* "between 0 and 1", "above 0" or "below 1". */
static void write_ends(cairn_text *out, double low, double high)
{
    bool both = isfinite(low) && isfinite(high);
    cairn_text_add(out, both ? "between " : isfinite(low) ? "above " : "below ");
    if (isfinite(low)) cairn_text_add_number(out, low, 6);
    if (both) cairn_text_add(out, " and ");
    if (isfinite(high)) cairn_text_add_number(out, high, 6);
}

/* The first row whose target an output never reaches; NULL = there is none. */
static const double *find_unreachable(const cairn_neural_run *run, size_t t, double low,
                                      double high, size_t *row)
{
    for (size_t i = 0; i < run->x.n; i++) {
        const double *number = &run->targets[i * run->n_out + run->list[t].first];
        if (!(run->by[i] > 0) || (*number >= low && *number <= high)) continue;
        *row = cairn_view_row(run->job->view, i);
        return number;
    }
    return NULL;
}

/* A target that the output can never reach is worth a warning: the network will go on trying. */
static cairn_status warn_unreachable(cairn_context *ctx, const cairn_neural_run *run)
{
    const cairn_activated *a = &cairn_neural_layers_last(&run->model->layers)->activation;
    double low, high;
    size_t row;
    SCOPED(cairn_text_clear) cairn_text ends = cairn_text_start(ctx);
    a->f->range(a->p, &low, &high);
    write_ends(&ends, low, high);
    CHECK(cairn_text_status(&ends));
    for (size_t t = 0; t < run->n_targets; t++) {
        const double *number = find_unreachable(run, t, low, high, &row);
        char value[CAIRN_NUMBER_SIZE];
        if (!number) continue;
        cairn_number_format(value, *number, 6);
        if (run->job->steps)
            note_unreachable(run->job->steps, &run->list[t], *number, value,
                             cairn_text_string(&ends));
        cairn_warn(ctx,
                   "the target '%s' is %s in row %zu, but the output function %s stays %s: it is "
                   "never reached; choose {output linear}, or bring the target into that range",
                   run->list[t].field->name, value, row + 1, a->f->name, cairn_text_string(&ends));
    }
    return CAIRN_OK;
}

/* Rows without weight are not learned from; some of the others are held out, drawn by the seed. */
static cairn_status divide_rows(cairn_context *ctx, cairn_neural_run *run)
{
    size_t n = 0;
    cairn_random random;
    CHECK(SCRATCH(ctx, &run->order, run->x.n + 1));
    for (size_t i = 0; i < run->x.n; i++)
        if (run->by[i] > 0) run->order[n++] = i;
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: network needs at least one row with a "
                          "positive weight and all targets");
    run->n_held = (size_t)((double)n * run->params->held);
    if (run->params->held > 0 && (run->n_held == 0 || run->n_held == n)) {
        char share[CAIRN_NUMBER_SIZE];
        cairn_number_format(share, run->params->held, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{held} %s of %zu row%s leaves no row to %s; change it, or leave it out",
                          share, n, n == 1 ? "" : "s", run->n_held ? "learn from" : "hold out");
    }
    cairn_random_start(&random, cairn_context_seed(ctx), 1);
    if (run->n_held) cairn_random_shuffle(&random, run->order, n);
    run->n_train = n - run->n_held;
    for (size_t i = 0; i < run->n_train; i++) run->total += run->by[run->order[i]];
    return CAIRN_OK;
}

/* Everything about the rows that stays the same while the network learns. */
cairn_status cairn_neural_open_rows(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_view *view = run->job->view;
    CHECK(SCRATCH_MATRIX(ctx, &run->targets, view->rows.n, run->n_out,
                         "the target of every row for every output", CAIRN_FEWER_CLASSES));
    CHECK(SCRATCH(ctx, &run->by, view->rows.n + 1));
    CHECK(find_columns(ctx, run));
    CHECK(read_targets(ctx, run));
    CHECK(divide_rows(ctx, run));
    scale_targets(run);
    return warn_unreachable(ctx, run);
}

typedef struct packing {
    const cairn_row_matrix *x;
    double *out;
} packing;

static void pack(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const packing *p = data;
    (void)block, (void)worker;
    cairn_matrix_rows(p->x, begin, end - begin, p->out + begin * p->x->n_terms);
}

cairn_status cairn_neural_pack_rows(cairn_context *ctx, cairn_neural_run *run)
{
    double bytes = 8 * (double)run->x.n * (double)run->n_in;
    packing p = {.x = &run->x};
    if (bytes > (double)cairn_memory_available(ctx) / 4) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p.out, cairn_product(run->x.n, run->n_in) + 1));
    run->packed = p.out;
    return cairn_blocks_sized(ctx, run->x.n, PACKED_ROWS, bytes / 8, pack, &p);
}

void cairn_neural_take_targets(cairn_neural_run *run, const size_t *rows, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        memcpy(run->t + i * run->n_out, run->targets + rows[i] * run->n_out,
               run->n_out * sizeof *run->t);
        run->v[i] = run->by[rows[i]];
    }
}

void cairn_neural_take_rows(cairn_neural_run *run, const size_t *rows, size_t m)
{
    size_t n_in = run->n_in;
    for (size_t i = 0; i < m; i++)
        if (run->packed)
            memcpy(run->z + i * n_in, run->packed + rows[i] * n_in, n_in * sizeof *run->z);
        else
            cairn_matrix_rows(&run->x, rows[i], 1, run->z + i * n_in);
    cairn_neural_take_targets(run, rows, m);
}
