/* SPDX-License-Identifier: MIT */
/* Cutting columns into bins: see cuts.h. A cut belongs to the bin below it or to the one above, so
 * that 50 can start a bin and 70 end it. Bins are named by their intervals, "(5..7]", with six
 * digits unless two names would be the same. */
#include "data/ledger.h"
#include "transforms/cuts.h"
#include "base/number.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

enum { MOST_CUTS = 1 << 24 };

static const cairn_choice outputs[] = {
    {"levels", CAIRN_CUT_LEVELS, "ordered levels named by their intervals"},
    {"codes", CAIRN_CUT_CODES, "numbers 1, 2, 3 ..."},
    {0},
};
static const cairn_choice missings[] = {
    {"keep", 0, "stay missing"},
    {"bin", 1, "get a bin of their own, called (missing)"},
    {0},
};

const cairn_param cairn_cut_form_params[] = {
    CAIRN_PARAM(cairn_cut_form, keep, "no", NULL,
                "leave the column as it is and put the bins into a new one, NAME_bin"),
    CAIRN_PARAM_CHOICE(cairn_cut_form, output, "levels", outputs, "what the bins become"),
    {.name = "missing",
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(cairn_cut_form, missing_bin),
     .initial = "keep",
     .choices = missings,
     .help = "what missing cells do"},
    CAIRN_PARAM_END,
};

static const char missing_label[] = "(missing)";

/* -- sources -- */

static bool fits_ordered(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER || (column->kind == CAIRN_LEVEL && column->ordered);
}

cairn_status cairn_cut_sources(cairn_context *ctx, const cairn_job *job, const char *transform,
                               const char *list, bool levels, cairn_cut_source **out, size_t *n)
{
    cairn_cut_source *sources;
    const cairn_view *view = job->view;
    size_t *chosen;
    CHECK(cairn_choose_features(
        ctx, view, transform, list, levels ? fits_ordered : cairn_fits_number,
        levels ? "a number column or ordered levels" : "a number column", &chosen, n));
    CHECK(SCRATCH(ctx, &sources, *n + 1));
    for (size_t i = 0; i < *n; i++) {
        const cairn_column *column = view->features[chosen[i]];
        sources[i].name = view->names[chosen[i]];
        sources[i].numbers = column->numbers;
        if (column->kind != CAIRN_LEVEL) continue;
        sources[i].levels = &column->names;
        CHECK(cairn_column_places(ctx, &sources[i].numbers, column));
    }
    *out = sources;
    return CAIRN_OK;
}

cairn_status cairn_need_classes(cairn_context *ctx, const cairn_job *job, const char *transform)
{
    const cairn_view *view = job->view;
    if (!view->target)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s looks at the classes of the rows; name the target with {target}",
                          transform);
    if (view->target->kind != CAIRN_LEVEL || job->task == CAIRN_REGRESS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s needs classes, but the target '%s' holds %s; {task classify} or "
                          "{kinds %s=level} makes classes of it",
                          transform, view->target_name, cairn_kind_plural(view->target->kind),
                          view->target_name);
    return CAIRN_OK;
}

cairn_status cairn_choose_class(cairn_context *ctx, const cairn_job *job, const char *transform,
                                const char *name, int32_t *out)
{
    const cairn_column *target = job->view->target;
    *out = target->names.n == 2 ? job->positive : -1;
    if (!name) return CAIRN_OK;
    int64_t code = cairn_map_find(&target->names, name, strlen(name));
    if (code < 0) return cairn_no_class(ctx, transform, &target->names, name);
    *out = (int32_t)code;
    return CAIRN_OK;
}

cairn_status cairn_sort_source(cairn_context *ctx, cairn_sorted *out, const cairn_job *job,
                               const cairn_cut_source *source, bool classes)
{
    const cairn_view *view = job->view;
    uint64_t *keys, *items;
    size_t n = 0;
    bool weighted = cairn_view_is_weighted(view);
    *out = (cairn_sorted){.places = source->levels != NULL};
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n, &keys, &items));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (isnan(source->numbers[row]) || (classes && view->target->codes[row] < 0)) continue;
        if (weighted && !(cairn_view_weight(view, i) > 0)) continue;
        keys[n] = cairn_order_key(source->numbers[row]);
        /* without weights the class itself moves along, which saves looking it up */
        items[n++] = weighted || !classes ? i : (uint64_t)view->target->codes[row];
    }
    CHECK(cairn_sort_keys(ctx, keys, items, n));
    CHECK(SCRATCH_RAW(ctx, &out->values, n));
    if (classes) CHECK(SCRATCH_RAW(ctx, &out->classes, n));
    if (weighted) CHECK(SCRATCH_RAW(ctx, &out->weights, n));
    for (size_t i = 0; i < n; i++) {
        out->values[i] = cairn_order_number(keys[i]);
        out->n_distinct += i == 0 || keys[i] != keys[i - 1];
        if (weighted) out->weights[i] = cairn_view_weight(view, items[i]);
        if (classes)
            out->classes[i] =
                weighted ? view->target->codes[cairn_view_row(view, items[i])] : (int32_t)items[i];
        out->total += weighted ? out->weights[i] : 1;
    }
    out->n = n;
    return CAIRN_OK;
}

/* -- one column -- */

cairn_status cairn_cuts_set(cairn_context *ctx, cairn_cuts *out, const double *at,
                            const uint8_t *below, size_t n)
{
    CHECK(NEW_EACH(ctx, n, &out->at, &out->below));
    for (size_t i = 0; i < n; i++) {
        out->at[i] = at[i];
        out->below[i] = below[i];
    }
    out->n = n;
    return CAIRN_OK;
}

size_t cairn_cuts_bin(const cairn_cuts *cuts, double x)
{
    size_t low = 0, high = cuts->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool above = x > cuts->at[middle] || (x == cuts->at[middle] && !cuts->below[middle]);
        if (above)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* "(5..7]" of bin i. */
static void interval_label(cairn_text *out, const cairn_cuts *c, size_t i, int digits)
{
    if (c->n == 0) {
        cairn_text_add(out, "all");
    } else if (i == 0) {
        cairn_text_add(out, c->below[0] ? "<=" : "<");
        cairn_text_add_number(out, c->at[0], digits);
    } else if (i == c->n) {
        cairn_text_add(out, c->below[i - 1] ? ">" : ">=");
        cairn_text_add_number(out, c->at[i - 1], digits);
    } else {
        cairn_text_add_char(out, c->below[i - 1] ? '(' : '[');
        cairn_text_add_number(out, c->at[i - 1], digits);
        cairn_text_add(out, "..");
        cairn_text_add_number(out, c->at[i], digits);
        cairn_text_add_char(out, c->below[i] ? ']' : ')');
    }
}

/* Name the bins; false in *distinct when two names are the same. */
static cairn_status label_intervals(cairn_context *ctx, cairn_cuts *c, const cairn_map *levels,
                                    int digits, bool *distinct)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    cairn_map_clear(&c->labels);
    *distinct = true;
    for (size_t i = 0; i <= c->n && *distinct; i++) {
        cairn_text label = cairn_text_start(ctx);
        if (levels) {
            /* "low+middle" of bin i. */
            size_t written = 0;
            for (size_t k = 0; k < levels->n; k++)
                if (cairn_cuts_bin(c, (double)k) == i)
                    cairn_text_addf(&label, "%s%s", written++ ? "+" : "", cairn_map_key(levels, k));
        } else
            interval_label(&label, c, i, digits);
        status = cairn_text_status(&label);
        if (status == CAIRN_OK)
            status =
                cairn_map_add(ctx, &c->labels, cairn_text_string(&label), label.length, &index);
        cairn_text_clear(&label);
        TRY(status);
        *distinct = index == i;
    }
done:
    return status;
}

static cairn_status label_given(cairn_context *ctx, cairn_cuts *c, const char *transform,
                                const char *column, const char *labels)
{
    char **names;
    size_t n, index;
    CHECK(cairn_list_split(ctx, labels, &names, &n));
    if (n != c->n + 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: column '%s' is cut into %zu bins, but labels=%s names %zu; give one "
                          "label per bin",
                          transform, column, c->n + 1, labels, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_map_add(ctx, &c->labels, names[i], strlen(names[i]), &index));
        if (index != i)
            return cairn_fail(ctx, CAIRN_USAGE, "%s: the label '%s' is given twice", transform,
                              names[i]);
    }
    return CAIRN_OK;
}

static cairn_status label_bins(cairn_context *ctx, cairn_cuts *c, const char *transform,
                               const cairn_cut_source *source, const char *labels, bool missing_bin)
{
    bool distinct;
    size_t index;
    if (labels) {
        CHECK(label_given(ctx, c, transform, source->name, labels));
    } else {
        CHECK(label_intervals(ctx, c, source->levels, 6, &distinct));
        if (!distinct) CHECK(label_intervals(ctx, c, source->levels, CAIRN_SHORTEST, &distinct));
    }
    if (missing_bin)
        CHECK(cairn_map_add(ctx, &c->labels, missing_label, sizeof missing_label - 1, &index));
    return CAIRN_OK;
}

static size_t group_count(const cairn_cutting *s)
{
    return s->classes.n ? s->classes.n : 1;
}

/* Weights of the training rows by bin and class, and means of a number target. */
static cairn_status count_bins(cairn_context *ctx, const cairn_cutting *s, cairn_cuts *c,
                               const cairn_job *job, const cairn_cut_source *source)
{
    const cairn_view *view = job->view;
    size_t groups = group_count(s), n_bins = c->labels.n;
    CHECK(NEW(ctx, &c->counts, cairn_product(n_bins, groups)));
    if (s->has_means) CHECK(NEW(ctx, &c->means, n_bins));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), bin = c->n + 1, group = 0;
        if (!isnan(source->numbers[row])) bin = cairn_cuts_bin(c, source->numbers[row]);
        if (bin >= n_bins) continue;
        double w = cairn_view_weight(view, i);
        if (s->classes.n) {
            if (view->target->codes[row] < 0) continue;
            group = (size_t)view->target->codes[row];
        } else if (s->has_means) {
            if (isnan(view->target->numbers[row])) continue;
            c->means[bin] += w * view->target->numbers[row];
        }
        c->counts[bin * groups + group] += w;
    }
    for (size_t b = 0; s->has_means && b < n_bins; b++) c->means[b] /= c->counts[b];
    return CAIRN_OK;
}

/* -- all columns -- */

typedef struct fit_work {
    cairn_cutting *cutting;
    const cairn_job *job;
    const char *transform;
    const cairn_cut_source *sources;
    const cairn_cut_form *form;
    const char *labels;
    cairn_cut_finder find;
    const void *data;
} fit_work;

static cairn_status fit_column(cairn_context *ctx, void *data, size_t i)
{
    const fit_work *work = data;
    const cairn_cut_source *source = &work->sources[i];
    cairn_cuts *cuts = &work->cutting->cuts[i];
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    cuts->of_levels = source->levels != NULL;
    CHECK(work->find(ctx, cuts, work->data, work->job, source));
    CHECK(label_bins(ctx, cuts, work->transform, source, work->labels, work->form->missing_bin));
    return count_bins(ctx, work->cutting, cuts, work->job, source);
}

/* The column before and after, for the eye. */
static void show_recoded(cairn_report *out, const fit_work *work, size_t i)
{
    const cairn_view *view = work->job->view;
    const cairn_cuts *cuts = &work->cutting->cuts[i];
    const cairn_cut_source *source = &work->sources[i];
    const char *key = cairn_report_key(out, source->name);
    cairn_report_table_of(out, "The column and its bins", 0, "rrrl", "row", source->name, "bin",
                          "label");
    if (work->cutting->classes.n) cairn_report_column(out, view->target_name, 'l');
    for (size_t k = 0; k < view->rows.n; k++) {
        size_t row = cairn_view_row(view, k), bin = cuts->n + 1;
        double x = source->numbers[row];
        if (!isnan(x)) bin = cairn_cuts_bin(cuts, x);
        bool there = bin < cuts->labels.n;
        cairn_report_cellf(out, "%zu", row + 1);
        if (source->levels && !isnan(x))
            cairn_report_cell(out, cairn_map_key(source->levels, (size_t)x));
        else
            cairn_report_cell_number(out, x, 0, NULL);
        cairn_report_cell_number(out, there ? (double)bin + 1 : NAN, 0, "%s.%s.row%zu.bin",
                                 work->transform, key, row + 1);
        cairn_report_cell_word(out, there ? cairn_map_key(&cuts->labels, bin) : "n/a",
                               "%s.%s.row%zu", work->transform, key, row + 1);
        if (work->cutting->classes.n)
            cairn_report_cell(out, cairn_level_name(view->target, view->target->codes[row]));
        if (!cairn_report_row_wanted(out) && k > 1000) break;
    }
    cairn_report_table_end(out);
}

static cairn_status keep_classes(cairn_context *ctx, cairn_cutting *s, const cairn_job *job)
{
    size_t index;
    const cairn_column *target = job->view->target;
    s->has_means = target && target->kind == CAIRN_NUMBER;
    for (size_t k = 0; target && target->kind == CAIRN_LEVEL && k < target->names.n; k++)
        CHECK(cairn_map_add(ctx, &s->classes, cairn_map_key(&target->names, k),
                            target->names.lengths[k], &index));
    return CAIRN_OK;
}

cairn_status cairn_cutting_fit(cairn_context *ctx, cairn_cutting *out, const cairn_job *job,
                               const char *transform, const cairn_cut_source *sources, size_t n,
                               const cairn_cut_form *form, const char *labels,
                               cairn_cut_finder find, const void *data)
{
    cairn_status status;
    size_t index;
    fit_work work = {out, job, transform, sources, form, labels, find, data};
    TRY(keep_classes(ctx, out, job));
    TRY(NEW(ctx, &out->cuts, n));
    for (size_t i = 0; i < n; i++) {
        TRY(cairn_map_add(ctx, &out->names, sources[i].name, strlen(sources[i].name), &index));
        if (index != i)
            return cairn_fail(ctx, CAIRN_USAGE, "%s: column '%s' is named twice", transform,
                              sources[i].name);
    }
    for (size_t i = 0; job->steps && i < n; i++) {
        cairn_report_step_begin(job->steps, "%s: %s", transform, sources[i].name);
        status = fit_column(ctx, &work, i);
        if (status == CAIRN_OK) show_recoded(job->steps, &work, i);
        cairn_report_step_end(job->steps);
        TRY(status);
    }
    if (!job->steps)
        TRY(cairn_tasks_sized(ctx, n, 50.0 * (double)n * (double)job->view->rows.n, fit_column,
                              &work));
done:
    return status;
}

/* -- applying -- */

cairn_status cairn_cuts_column(cairn_context *ctx, cairn_column **out, const cairn_cuts *c,
                               const cairn_cut_form *form, const double *numbers, size_t n)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t index;
    bool levels = form->output == CAIRN_CUT_LEVELS;
    CHECK(cairn_column_new(ctx, &column, levels ? CAIRN_LEVEL : CAIRN_NUMBER, n));
    if (levels) {
        column->ordered = column->declared = true;
        for (size_t k = 0; k < c->labels.n; k++)
            CHECK(cairn_map_add(ctx, &column->names, cairn_map_key(&c->labels, k),
                                c->labels.lengths[k], &index));
        int32_t missing = c->labels.n > c->n + 1 ? (int32_t)c->n + 1 : -1;
        for (size_t i = 0; i < column->n_rows; i++)
            column->codes[i] = isnan(numbers[i]) ? missing : (int32_t)cairn_cuts_bin(c, numbers[i]);
    } else {
        double missing = c->labels.n > c->n + 1 ? (double)c->n + 2 : NAN;
        for (size_t i = 0; i < column->n_rows; i++)
            column->numbers[i] =
                isnan(numbers[i]) ? missing : (double)cairn_cuts_bin(c, numbers[i]) + 1;
    }
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

typedef struct apply_work {
    const cairn_cutting *cutting;
    const cairn_cut_form *form;
    const cairn_table *table;
    const size_t *at;
    cairn_column **made;
} apply_work;

static cairn_status apply_column(cairn_context *ctx, void *data, size_t i)
{
    const apply_work *work = data;
    const cairn_column *from = work->table->slots[work->at[i]].column;
    const double *numbers = from->numbers;
    SCOPED_SCRATCH(ctx);
    if (from->kind == CAIRN_LEVEL) CHECK(cairn_column_places(ctx, &numbers, from));
    return cairn_cuts_column(ctx, &work->made[i], &work->cutting->cuts[i], work->form, numbers,
                             from->n_rows);
}

/* Put the new columns into the table, in place of the old ones or at the end. */
static cairn_status place_columns(cairn_context *ctx, cairn_table *table, const apply_work *work,
                                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cairn_column *column = work->made[i];
        work->made[i] = NULL;
        if (!work->form->keep) {
            cairn_table_replace_column(table, work->at[i], column);
            continue;
        }
        cairn_text name = cairn_text_start(ctx);
        cairn_text_addf(&name, "%s_bin", cairn_map_key(&work->cutting->names, i));
        CHECK(cairn_add_made(ctx, table, &name, column));
    }
    return CAIRN_OK;
}

cairn_status cairn_cutting_apply(cairn_context *ctx, cairn_table **out, const cairn_cutting *s,
                                 const cairn_cut_form *form, const cairn_table *table)
{
    cairn_status status;
    cairn_table *copy = NULL;
    size_t n = s->names.n, *at;
    apply_work work = {s, form, table, NULL, NULL};
    TRY(cairn_table_share(ctx, &copy, table));
    TRY(SCRATCH_EACH(ctx, n + 1, &at, &work.made));
    work.at = at;
    for (size_t i = 0, place = 0; i < n; i++) {
        TRY(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &place));
        TRY(cairn_expect_kind(ctx, &table->slots[place],
                              s->cuts[i].of_levels ? CAIRN_LEVEL : CAIRN_NUMBER));
        at[i] = place;
    }
    TRY(cairn_tasks_sized(ctx, n, 10.0 * (double)n * (double)table->n_rows, apply_column, &work));
    TRY(place_columns(ctx, copy, &work, n));
    *out = copy;
    return CAIRN_OK;
done:
    for (size_t i = 0; work.made && i < n; i++) cairn_column_drop(work.made[i]);
    cairn_table_free(copy);
    return status;
}

/* -- as operations -- */

/* The bin of one column, with missing cells in their own where they have one. */
static cairn_status lower_bin(cairn_program *p, const cairn_cuts *c, const cairn_cut_form *form,
                              int32_t *slot)
{
    bool codes = form->output == CAIRN_CUT_CODES;
    double missing = (double)c->n + (codes ? 2 : 1), one = 1;
    int32_t *below;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CUTS, slot, 1, 1, &op));
    op->sizes[0] = (int32_t)c->n;
    CHECK(cairn_op_codes(p, op, 0, c->n, &below));
    for (size_t i = 0; i < c->n; i++) below[i] = c->below[i];
    CHECK(cairn_op_copy_numbers(p, op, 0, c->at, c->n));
    *slot = op->out;
    if (codes) CHECK(cairn_lower_affine(p, slot, 1, 1, &one, &one, NULL, slot));
    if (c->labels.n <= c->n + 1) return CAIRN_OK;
    CHECK(cairn_program_add(p, CAIRN_OP_FILL, slot, 1, 1, &op));
    *slot = op->out;
    return cairn_op_copy_numbers(p, op, 0, &missing, 1);
}

cairn_status cairn_cutting_lower(cairn_program *p, const cairn_cutting *s,
                                 const cairn_cut_form *form)
{
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        int32_t slot;
        if (s->cuts[i].of_levels) continue; /* found by asking */
        CHECK(cairn_program_column(p, name, &slot));
        CHECK(lower_bin(p, &s->cuts[i], form, &slot));
        cairn_text made = cairn_text_start(p->ctx);
        cairn_text_addf(&made, "%s%s", name, form->keep ? "_bin" : "");
        cairn_status status = cairn_text_status(&made);
        if (status == CAIRN_OK) status = cairn_program_put(p, cairn_text_string(&made), slot);
        cairn_text_clear(&made);
        CHECK(status);
    }
    return CAIRN_OK;
}

/* -- showing, keeping -- */

/* Shared by all transforms that cut numbers, hence the prefix of value names as a parameter;
 * without classes the rows of a bin are one group. The cuts have names without being shown. */
static void describe_column(cairn_report *out, const cairn_cutting *s, size_t i,
                            const char *transform)
{
    const cairn_cuts *c = &s->cuts[i];
    const char *name = cairn_map_key(&s->names, i), *key = cairn_report_key(out, name);
    size_t groups = group_count(s);
    cairn_report_table_of(out, name, 0, "rl", "bin", "label");
    for (size_t k = 0; k < s->classes.n; k++)
        cairn_report_column(out, cairn_map_key(&s->classes, k), 'r');
    cairn_report_column(out, "rows", 'r');
    if (s->has_means) cairn_report_column(out, "mean of target", 'r');
    for (size_t b = 0; b < c->labels.n; b++) {
        double sum = 0;
        cairn_report_cellf(out, "%zu", b + 1);
        cairn_report_cell_word(out, cairn_map_key(&c->labels, b), "%s.%s.bin%zu.label", transform,
                               key, b + 1);
        for (size_t k = 0; k < groups; k++) sum += c->counts[b * groups + k];
        for (size_t k = 0; k < s->classes.n; k++)
            cairn_report_cell_number(out, c->counts[b * groups + k], 0, "%s.%s.bin%zu.%s",
                                     transform, key, b + 1,
                                     cairn_report_key(out, cairn_map_key(&s->classes, k)));
        cairn_report_cell_number(out, sum, 0, "%s.%s.bin%zu.rows", transform, key, b + 1);
        if (s->has_means)
            cairn_report_cell_number(out, c->means[b], 0, "%s.%s.bin%zu.mean", transform, key,
                                     b + 1);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)c->n + 1, "%s.%s.bins", transform, key);
    for (size_t k = 0; k < c->n && k < 1000; k++)
        cairn_report_hidden(out, c->at[k], "%s.%s.cut%zu", transform, key, k + 1);
}

void cairn_cutting_describe(cairn_report *out, const cairn_cutting *s, const char *transform)
{
    enum { MOST_TABLES = 50 };
    for (size_t i = 0; i < s->names.n && i < MOST_TABLES; i++)
        describe_column(out, s, i, transform);
    if (s->names.n > MOST_TABLES)
        cairn_report_note(out, "%zu more columns are cut likewise.", s->names.n - MOST_TABLES);
    if (s->names.n == 0) cairn_report_paragraph(out, "There is no column to cut.");
}

/* Cuts ascend, flags are flags, labels are as many as bins. */
static cairn_status check_cuts(cairn_archive *a, const void *cuts, const void *around)
{
    const cairn_cuts *c = cuts;
    (void)around;
    if (c->labels.n != c->n + 1 && c->labels.n != c->n + 2)
        return cairn_archive_damaged(a, "a column has other labels than bins");
    for (size_t i = 0; i < c->n; i++) {
        bool good = !isnan(c->at[i]) && c->below[i] <= 1 && (i == 0 || c->at[i] >= c->at[i - 1]);
        if (!good) return cairn_archive_damaged(a, "the cuts of a column are not in order");
    }
    return CAIRN_OK;
}

static const cairn_kept cuts_keeps[] = {
    KEEP_SIZE(cairn_cuts, n, MOST_CUTS),
    KEEP(cairn_cuts, of_levels),
    KEEP_ARRAYS(cairn_cuts, "n", at, below),
    KEEP(cairn_cuts, labels),
    KEEP_CHECK(check_cuts),
    KEEP_ARRAY(cairn_cuts, counts, "labels*classes", .when = "classes"),
    KEEP_ARRAY(cairn_cuts, counts, "labels", .when = "!classes"),
    KEEP_ARRAY(cairn_cuts, means, "labels", .when = "has_means"),
    KEEP_END,
};

const cairn_kept cairn_cutting_keeps[] = {
    KEEP(cairn_cutting, names, classes, has_means),
    KEEP_PARTS(cairn_cutting, cuts, "names", .rows = cuts_keeps),
    KEEP_END,
};

void cairn_cutting_write(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_cutting *s = state;
    (void)job;
    cairn_ledger_columns(out, "tnnnt", "column", "bin", "low", "high", "label");
    for (size_t i = 0; i < s->names.n; i++)
        for (size_t b = 0; b < s->cuts[i].labels.n; b++) {
            const cairn_cuts *cuts = &s->cuts[i];
            cairn_ledger_cells(out, cairn_map_key(&s->names, i), (double)b + 1,
                               b > 0 && b <= cuts->n ? cuts->at[b - 1] : NAN,
                               b < cuts->n ? cuts->at[b] : NAN, cairn_map_key(&cuts->labels, b));
        }
}
