/* SPDX-License-Identifier: MIT */
/* Asking a model over the plane of two columns, and tracing where it changes its answer. */
#include "pictures/slice.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/time.h"
#include "evaluate/importance.h"
#include "model/judged_rows.h"
#include <math.h>
#include <string.h>

double cairn_slice_edge(const cairn_model_slice *g, int axis, size_t i)
{
    return g->low[axis] + g->step[axis] * (double)i;
}

double cairn_slice_centre(const cairn_model_slice *g, int axis, size_t i)
{
    return g->low[axis] + g->step[axis] * ((double)i + 0.5);
}

/* -- the table of the grid -- */

static cairn_status set_range(cairn_context *ctx, cairn_model_slice *g, int axis, size_t column)
{
    const cairn_table *table = g->table;
    const double *numbers = cairn_table_numbers(table, column);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (isnan(numbers[i])) continue;
        low = fmin(low, numbers[i]);
        high = fmax(high, numbers[i]);
    }
    if (!(low <= high))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw",
                          table->slots[column].name);
    double pad = high > low ? 0.06 * (high - low) : 1;
    g->low[axis] = low - pad;
    g->step[axis] = (high - low + 2 * pad) / (double)g->n;
    return CAIRN_OK;
}

static double mean_of(const double *numbers, size_t n)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(numbers[i])) continue;
        sum += numbers[i];
        count++;
    }
    return count ? sum / (double)count : NAN;
}

/* The most common level, the first of equals; -1 when all are missing. */
static cairn_status mode_of(cairn_context *ctx, const cairn_column *column, int32_t *out)
{
    size_t *counts;
    CHECK(SCRATCH(ctx, &counts, column->names.n));
    *out = -1;
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0) counts[column->codes[i]]++;
    for (size_t k = 0; k < column->names.n; k++)
        if (counts[k] && (*out < 0 || counts[k] > counts[*out])) *out = (int32_t)k;
    return CAIRN_OK;
}

/* What --at says about the column; NULL = nothing. */
static const char *find_held(char **held, size_t n, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (strncmp(held[i], name, length) == 0 && held[i][length] == '=')
            return held[i] + length + 1;
    return NULL;
}

static cairn_status check_held(cairn_context *ctx, char **held, size_t n, const cairn_table *table)
{
    for (size_t i = 0; i < n; i++) {
        char *equals = strrchr(held[i], '=');
        if (!equals || equals == held[i])
            return cairn_fail(ctx, CAIRN_USAGE, "{at}: '%s' is not of the form COLUMN=VALUE",
                              held[i]);
        size_t found;
        *equals = '\0';
        cairn_status status = cairn_table_get(ctx, table, held[i], &found);
        *equals = '=';
        if (status) return status;
    }
    return CAIRN_OK;
}

/* One column of the table of the places. Texts, bags and sequences are those of the first row. */
static cairn_status make_column(cairn_context *ctx, cairn_column **out, const cairn_model_slice *g,
                                const cairn_places *asked, const cairn_table *table, size_t at,
                                const char *wanted, const uint32_t *zeros)
{
    const cairn_slot *slot = &table->slots[at];
    size_t n = asked->n;
    double number = NAN;
    int32_t code = -1;
    cairn_column *column = NULL;
    bool is_axis = at == g->x || at == g->y;
    if (slot->column->numbers && !is_axis) {
        number = mean_of(slot->column->numbers, slot->column->n_rows);
        if (wanted && !cairn_number_parse(wanted, strlen(wanted), &number)) {
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{at}: '%s' is not a number, but '%s' holds numbers", wanted,
                              slot->name);
        }
    }
    if (slot->column->codes) {
        if (!wanted) {
            CHECK(mode_of(ctx, slot->column, &code));
        } else {
            code = (int32_t)cairn_map_find(&slot->column->names, wanted, strlen(wanted));
            if (!(code >= 0)) {
                return cairn_fail(ctx, CAIRN_USAGE, "{at}: '%s' has no level '%s'", slot->name,
                                  wanted);
            }
        }
    }
    CHECK(cairn_column_take(ctx, &column, slot->column, zeros, n));
    for (size_t i = 0; i < n; i++) {
        if (column->codes) column->codes[i] = code;
        if (!column->numbers) continue;
        column->numbers[i] = at == g->x ? asked->x[i] : at == g->y ? asked->y[i] : number;
    }
    cairn_column_count_missing(column);
    *out = column;
    return CAIRN_OK;
}

/* All columns besides the two drawn are held at one value, a given or a typical one. */
cairn_status cairn_slice_ask(cairn_context *ctx, cairn_prediction *out, const cairn_model_slice *g,
                             const cairn_places *asked, cairn_predict_wants wants)
{
    const cairn_table *table = g->table;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_match match;
    uint32_t *zeros;
    char **held = NULL;
    size_t n_held = 0;
    if (table->n_rows == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "the table has no rows");
    if (g->at) CHECK(cairn_list_split(ctx, g->at, &held, &n_held));
    CHECK(check_held(ctx, held, n_held, table));
    CHECK(SCRATCH(ctx, &zeros, asked->n));
    CHECK(cairn_table_new(ctx, &made, asked->n));
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_slot *slot = &table->slots[c];
        cairn_column *column;
        if (slot->role == CAIRN_TARGET) continue;
        CHECK(make_column(ctx, &column, g, asked, table, c, find_held(held, n_held, slot->name),
                          zeros));
        CHECK(cairn_table_add_column(ctx, made, slot->name, slot->role, column));
    }
    return cairn_model_predict_rows(ctx, out, g->model, made, cairn_all_rows(made), wants, &match);
}

cairn_status cairn_slice_ask_all(cairn_context *ctx, cairn_prediction *out,
                                 const cairn_model_slice *g, cairn_predict_wants wants)
{
    cairn_places asked;
    CHECK(cairn_places_new(ctx, &asked, g->n * g->n));
    for (size_t j = 0; j < g->n; j++)
        for (size_t i = 0; i < g->n; i++)
            cairn_places_add(&asked, cairn_slice_centre(g, 0, i), cairn_slice_centre(g, 1, j));
    return cairn_slice_ask(ctx, out, g, &asked, wants);
}

cairn_status cairn_places_new(cairn_context *ctx, cairn_places *out, size_t most)
{
    out->n = 0;
    CHECK(SCRATCH_RAW(ctx, &out->x, most));
    return SCRATCH_RAW(ctx, &out->y, most);
}

void cairn_places_add(cairn_places *places, double x, double y)
{
    places->x[places->n] = x;
    places->y[places->n++] = y;
}

/* -- columns, range, learners -- */

cairn_status cairn_slice_range(cairn_context *ctx, cairn_model_slice *plane)
{
    CHECK(set_range(ctx, plane, 0, plane->x));
    return set_range(ctx, plane, 1, plane->y);
}

/* The number features of the model among the columns of the table, in the order of the model. */
static cairn_status model_numbers(cairn_context *ctx, const cairn_model_slice *plane, size_t **out,
                                  size_t *n)
{
    const cairn_schema *schema = &plane->model->schema;
    CHECK(SCRATCH(ctx, out, schema->n_fields + 1));
    *n = 0;
    for (size_t f = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        ptrdiff_t at = cairn_table_find(plane->table, field->name);
        if (field->role != CAIRN_FEATURE || field->kind != CAIRN_NUMBER || at < 0) continue;
        if (cairn_table_numbers(plane->table, (size_t)at)) (*out)[(*n)++] = (size_t)at;
    }
    return CAIRN_OK;
}

/* What is lost when a column is shuffled among some of the rows; 0 where that cannot be told, as of
 * clusters and of rows without a target. */
static cairn_status weigh_columns(cairn_context *ctx, const cairn_model_slice *plane,
                                  const size_t *columns, size_t n, double *losses)
{
    enum { MOST_ROWS = 500, SHUFFLES = 3 };
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    const cairn_field *target = cairn_model_target(plane->model);
    uint32_t *rows;
    double *all;
    size_t n_rows = 0, step = plane->table->n_rows / MOST_ROWS + 1;
    bool judged = plane->model->task == CAIRN_CLASSIFY || plane->model->task == CAIRN_REGRESS;
    if (!judged || !target || cairn_table_find(plane->table, target->name) < 0) return CAIRN_OK;
    CHECK(cairn_model_truth(ctx, &matched, plane->model, plane->table, NULL));
    ptrdiff_t at = cairn_table_role_column(matched, CAIRN_TARGET);
    CHECK(SCRATCH_RAW(ctx, &rows, matched->n_rows / step + 1));
    CHECK(SCRATCH_RAW(ctx, &all, matched->n_columns + 1));
    for (size_t i = 0; at >= 0 && i < matched->n_rows; i += step)
        if (!cairn_column_is_missing(matched->slots[at].column, i)) rows[n_rows++] = (uint32_t)i;
    if (n_rows < 2) return CAIRN_OK;
    CHECK(cairn_importance_of(ctx, all, plane->model, matched,
                              (cairn_rows){.indices = rows, .n = n_rows}, SHUFFLES, 0));
    for (size_t k = 0; k < n; k++) {
        ptrdiff_t found = cairn_table_find(matched, plane->table->slots[columns[k]].name);
        if (found >= 0 && all[found] > 0) losses[k] = all[found];
    }
    return CAIRN_OK;
}

/* The two number features that the model loses most without, in its order; one that was named is
 * not among them. */
static cairn_status most_used(cairn_context *ctx, const cairn_model_slice *plane, const char *named,
                              const char *out[2])
{
    size_t *columns, n, kept = 0, best[2] = {SIZE_MAX, SIZE_MAX};
    double *losses;
    if (!plane->model) return CAIRN_OK;
    CHECK(model_numbers(ctx, plane, &columns, &n));
    for (size_t k = 0; k < n; k++)
        if (!cairn_same(plane->table->slots[columns[k]].name, named)) columns[kept++] = columns[k];
    CHECK(SCRATCH(ctx, &losses, kept + 1));
    if (kept > 2 || (named && kept > 1)) CHECK(weigh_columns(ctx, plane, columns, kept, losses));
    for (size_t k = 0; k < kept; k++) {
        if (best[0] == SIZE_MAX || losses[k] > losses[best[0]])
            best[1] = best[0], best[0] = k;
        else if (best[1] == SIZE_MAX || losses[k] > losses[best[1]])
            best[1] = k;
    }
    if (!named && best[1] < best[0] && best[1] != SIZE_MAX) {
        size_t first = best[1];
        best[1] = best[0], best[0] = first;
    }
    for (int i = 0; i < 2; i++)
        if (best[i] != SIZE_MAX) out[i] = plane->table->slots[columns[best[i]]].name;
    return CAIRN_OK;
}

cairn_status cairn_slice_columns(cairn_context *ctx, cairn_model_slice *plane, const char *x,
                                 const char *y)
{
    const char *used[2] = {NULL, NULL};
    size_t at[2];
    if (!x || !y) CHECK(most_used(ctx, plane, x ? x : y, used));
    if (x && !y) used[1] = used[0];
    CHECK(cairn_picture_pair(ctx, at, plane->table, x ? x : used[0], y ? y : used[1]));
    plane->x = at[0];
    plane->y = at[1];
    return CAIRN_OK;
}

/* Where one column is held, as it is written. */
static cairn_status held_at(cairn_context *ctx, const cairn_slot *slot, const char *wanted,
                            cairn_text *text)
{
    const cairn_column *column = slot->column;
    int32_t code;
    cairn_text_addf(text, "%s ", slot->name);
    if (wanted)
        cairn_text_add(text, wanted);
    else if (column->numbers && column->kind == CAIRN_TIME) {
        char time[CAIRN_TIME_SIZE];
        cairn_time_format(time, mean_of(column->numbers, column->n_rows), column->pattern);
        cairn_text_add(text, time);
    } else if (column->numbers)
        cairn_text_add_number(text, mean_of(column->numbers, column->n_rows), 4);
    else if (column->codes) {
        CHECK(mode_of(ctx, column, &code));
        cairn_text_add(text, code < 0 ? "missing" : cairn_map_key(&column->names, (size_t)code));
    } else
        cairn_text_add(text, "as in the first row");
    return CAIRN_OK;
}

cairn_status cairn_slice_held(cairn_context *ctx, const cairn_model_slice *plane, cairn_text *text)
{
    enum { MOST_NAMED = 6 };
    size_t n = 0, n_held = 0;
    char **held = NULL;
    if (!plane->model) return CAIRN_OK;
    const cairn_schema *schema = &plane->model->schema;
    if (plane->at) CHECK(cairn_list_split(ctx, plane->at, &held, &n_held));
    for (size_t f = 0; f < schema->n_fields; f++) {
        ptrdiff_t at = cairn_table_find(plane->table, schema->fields[f].name);
        if (schema->fields[f].role != CAIRN_FEATURE || at < 0 || (size_t)at == plane->x ||
            (size_t)at == plane->y)
            continue;
        if (n++ >= MOST_NAMED) continue;
        const cairn_slot *slot = &plane->table->slots[at];
        cairn_text_add(text, n > 1 ? ", " : "held: ");
        CHECK(held_at(ctx, slot, find_held(held, n_held, slot->name), text));
    }
    if (n > MOST_NAMED) cairn_text_addf(text, " and %zu more", n - MOST_NAMED);
    return cairn_text_status(text);
}

cairn_status cairn_slice_table(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               size_t x, size_t y)
{
    CHECK(cairn_table_share(ctx, out, table));
    for (size_t c = 0; c < (*out)->n_columns; c++)
        if ((*out)->slots[c].role == CAIRN_FEATURE) (*out)->slots[c].role = CAIRN_IGNORED;
    (*out)->slots[x].role = (*out)->slots[y].role = CAIRN_FEATURE;
    return CAIRN_OK;
}

static cairn_status fit(cairn_context *ctx, cairn_model **out, const cairn_table *table,
                        const char *spec, const cairn_params *transforms)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    if (cairn_table_role_column(table, CAIRN_TARGET) < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "a learner needs a target; name it with {target}");
    options.transforms = transforms;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    return cairn_model_fit(ctx, out, params, table, &options);
}

cairn_status cairn_slice_fit(cairn_context *ctx, cairn_model **out, const cairn_table *table,
                             size_t x, size_t y, const char *spec, const cairn_params *transforms)
{
    OWNED(cairn_table_free) cairn_table *own = NULL;
    CHECK(cairn_slice_table(ctx, &own, table, x, y));
    return fit(ctx, out, own, spec, transforms);
}

cairn_status cairn_slice_fit_all(cairn_context *ctx, cairn_model **out, const cairn_table *table,
                                 const char *spec)
{
    return fit(ctx, out, table, spec, NULL);
}

bool cairn_scores_are_probabilities(const cairn_prediction *said)
{
    for (size_t k = 0; k < said->n_rows; k++) {
        double sum = 0;
        for (size_t c = 0; c < said->n_classes; c++) {
            double score = said->scores[k * said->n_classes + c];
            if (!(score >= 0)) return false;
            sum += score;
        }
        if (!(fabs(sum - 1) < 1e-6)) return false;
    }
    return true;
}

cairn_status cairn_slice_class(cairn_context *ctx, size_t *out, const cairn_model *model,
                               const char *name)
{
    const cairn_field *target = cairn_model_target(model);
    *out = model->positive >= 0 ? (size_t)model->positive : 0;
    if (!name || !target || target->kind != CAIRN_LEVEL) return CAIRN_OK;
    int64_t found = cairn_map_find(&target->names, name, strlen(name));
    if (found < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{of-class}: '%s' has no class '%s'", target->name,
                          name);
    *out = (size_t)found;
    return CAIRN_OK;
}

/* -- boundaries -- */

bool cairn_two_values(const double *numbers, size_t n, double value[2])
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(numbers[i]) || (found > 0 && numbers[i] == value[0]) ||
            (found > 1 && numbers[i] == value[1]))
            continue;
        if (found == 2) return false;
        value[found++] = numbers[i];
    }
    return found == 2;
}

/* Lines under way, which grow by those of one pair of classes after the other. */
typedef struct tracing {
    const cairn_model_slice *plane;
    const cairn_prediction *said;
    bool by_scores; /* the largest score has the answer everywhere */
    double *values; /* n x n */
    cairn_contour *out;
} tracing;

/* Whether the scores say what the codes say: thresholds and costs may choose another class. */
static bool scores_decide(const cairn_prediction *said)
{
    if (!said->scores) return false;
    for (size_t k = 0; k < said->n_rows; k++) {
        const double *scores = said->scores + k * said->n_classes;
        if (said->codes[k] < 0) continue;
        for (size_t c = 0; c < said->n_classes; c++)
            if (!(scores[c] <= scores[said->codes[k]]) || !isfinite(scores[c])) return false;
    }
    return true;
}

/* Whether places of both classes lie around a place: where three classes meet, the line between two
 * of them is to end there, not a cell before. */
static bool is_between(const tracing *t, size_t k, int32_t a, int32_t b)
{
    size_t n = t->plane->n, row = k / n, column = k % n;
    bool found_a = false, found_b = false;
    for (size_t j = row ? row - 1 : 0; j <= row + 1 && j < n; j++)
        for (size_t i = column ? column - 1 : 0; i <= column + 1 && i < n; i++) {
            found_a |= t->said->codes[j * n + i] == a;
            found_b |= t->said->codes[j * n + i] == b;
        }
    return found_a && found_b;
}

static cairn_status append(cairn_context *ctx, tracing *t, double level)
{
    cairn_contour one;
    const cairn_model_slice *g = t->plane;
    cairn_contour_grid grid = (cairn_contour_grid){
        t->values,  g->n,      g->n, cairn_slice_centre(g, 0, 0), cairn_slice_centre(g, 1, 0),
        g->step[0], g->step[1]};
    CHECK(cairn_contour_trace(ctx, &one, &grid, level));
    return cairn_contour_join(ctx, t->out, &one);
}

/* Boundaries by pairs of classes. Scores place them exactly if they decide the answers;
 * otherwise only the answers themselves, 1 or -1, are known. */
static cairn_status trace_classes(cairn_context *ctx, tracing *t)
{
    int32_t n = 0;
    for (size_t k = 0; k < t->said->n_rows; k++)
        if (t->said->codes[k] >= n) n = t->said->codes[k] + 1;
    t->by_scores = scores_decide(t->said);
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = a + 1; b < n; b++) {
            /* How far class a is ahead of b; missing where neither is the answer, unless both
             * are near. */
            const cairn_prediction *said = t->said;
            for (size_t k = 0; k < said->n_rows; k++) {
                int32_t code = said->codes[k];
                const double *scores = t->by_scores ? said->scores + k * said->n_classes : NULL;
                double ahead = scores ? scores[a] - scores[b] : 1;
                if (code == a || code == b)
                    t->values[k] = code == a ? fabs(ahead) : -fabs(ahead);
                else
                    t->values[k] = is_between(t, k, a, b) ? ahead : NAN;
            }
            CHECK(append(ctx, t, 0));
        }
    return CAIRN_OK;
}

cairn_status cairn_slice_boundary(cairn_context *ctx, cairn_contour *out,
                                  const cairn_model_slice *plane)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    tracing t = {.plane = plane, .said = &said, .out = out};
    double value[2];
    *out = (cairn_contour){0};
    CHECK(SCRATCH_RAW(ctx, &t.values, plane->n * plane->n));
    CHECK(cairn_slice_ask_all(ctx, &said, plane, (cairn_predict_wants){.scores = true}));
    if (said.codes) return trace_classes(ctx, &t);
    const cairn_field *field = cairn_model_target(plane->model);
    ptrdiff_t at = field ? cairn_table_find(plane->table, field->name) : -1;
    const double *target = at < 0 ? NULL : cairn_table_numbers(plane->table, (size_t)at);
    if (!target || !cairn_two_values(target, plane->table->n_rows, value))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s predicts numbers, which have no boundary in the plane; 'draw "
                          "regions' draws their lines of equal value",
                          cairn_model_learner(plane->model));
    memcpy(t.values, said.numbers, plane->n * plane->n * sizeof *t.values);
    return append(ctx, &t, (value[0] + value[1]) / 2);
}
