/* SPDX-License-Identifier: MIT */
/* cairn describe DATA --against OTHER: whether two files (training and test, last year and this)
 * could come from the same distribution, column by column. Numbers are compared by the test of
 * Kolmogorov and Smirnov, levels by chi-squared over the levels of both; besides, what OTHER has
 * that DATA has never seen: new levels, numbers outside the range, missing cells. */
#include "command/describe.h"

#include "base/memory.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/contingency.h"

#include <math.h>
#include <string.h>

#define LEVEL 0.05 /* of all columns together */

typedef struct comparison {
    const cairn_slot *ours, *theirs; /* theirs NULL = OTHER lacks the column */
    bool comparable;
    double statistic, p_value; /* distance, or chi-squared */
    double strength;           /* distance, or Cramér's V */
    double mean_shift;         /* numbers: difference of means in sd of DATA */
    size_t n_new, n_outside;   /* cells with new levels; numbers outside the range */
    const char *new_level;     /* the first of them */
    double missing_shift;      /* share missing in OTHER less that in DATA */
} comparison;

typedef struct against_work {
    const cairn_describing *d;
    comparison *all;
    const double *weights; /* of OTHER */
} against_work;

/* Strength is the Kolmogorov-Smirnov distance; numbers outside the range of the first file are
 * counted, since a model has never seen such. */
static cairn_status compare_numbers(cairn_context *ctx, const against_work *w, comparison *c)
{
    SCOPED_SCRATCH(ctx);
    const cairn_part all = {NULL, 0};
    const cairn_column *a = c->ours->column, *b = c->theirs->column;
    cairn_sample x, y;
    cairn_summary s, t;
    cairn_ks ks;
    CHECK(cairn_sample_make(ctx, &x, a->numbers, w->d->weights, a->n_rows, all));
    CHECK(cairn_sample_make(ctx, &y, b->numbers, w->weights, b->n_rows, all));
    CHECK(cairn_ks_test(ctx, &ks, &x, &y));
    cairn_summarise(&s, &x, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
    cairn_summarise(&t, &y, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
    c->comparable = x.n && y.n;
    c->statistic = c->strength = ks.distance;
    c->p_value = ks.p_value;
    c->mean_shift = s.sd > 0 ? (t.mean - s.mean) / s.sd : NAN;
    if (x.n)
        c->n_outside =
            cairn_sample_place(&y, s.min, false) + y.n - cairn_sample_place(&y, s.max, true);
    return CAIRN_OK;
}

/* Two rows of counts, one per file, over the levels of both. */
static cairn_status compare_levels(cairn_context *ctx, const against_work *w, comparison *c)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *a = c->ours->column, *b = c->theirs->column;
    size_t n = a->names.n, width = n + b->names.n;
    cairn_contingency t;
    double *cells;
    size_t *place;
    CHECK(SCRATCH(ctx, &cells, 2 * width + 1));
    CHECK(SCRATCH(ctx, &place, b->names.n + 1));
    for (size_t k = 0; k < b->names.n; k++) {
        int64_t known = cairn_map_find(&a->names, cairn_map_key(&b->names, k), b->names.lengths[k]);
        place[k] = known < 0 ? n + k : (size_t)known;
    }
    for (size_t i = 0; i < a->n_rows; i++)
        if (a->codes[i] >= 0) cells[a->codes[i]] += cairn_describe_weight(w->d, i);
    for (size_t i = 0; i < b->n_rows; i++)
        if (b->codes[i] >= 0) {
            size_t at = place[b->codes[i]];
            cells[width + at] += w->weights ? w->weights[i] : 1;
            if (at < n && (cells[at] > 0 || a->declared)) continue;
            if (!c->n_new++) c->new_level = cairn_map_key(&b->names, (size_t)b->codes[i]);
        }
    CHECK(cairn_contingency_make(ctx, &t, cells, 2, width));
    c->comparable = true;
    c->statistic = t.chi_squared;
    c->strength = t.cramer_v;
    c->p_value = t.p_value;
    c->mean_shift = NAN;
    return CAIRN_OK;
}

static cairn_status compare_column(cairn_context *ctx, void *data, size_t i)
{
    const against_work *w = data;
    comparison *c = &w->all[i];
    if (!c->ours || !c->theirs) return CAIRN_OK;
    const cairn_column *a = c->ours->column, *b = c->theirs->column;
    c->missing_shift = (double)b->n_missing / fmax((double)b->n_rows, 1) -
                       (double)a->n_missing / fmax((double)a->n_rows, 1);
    if (a->numbers && b->numbers) return compare_numbers(ctx, w, c);
    if (a->kind == CAIRN_LEVEL && b->kind == CAIRN_LEVEL) return compare_levels(ctx, w, c);
    return CAIRN_OK;
}

/* Columns by name; those that only one file has are told. */
static void match_columns(cairn_describing *d, comparison *all, const cairn_table *other,
                          const char *name)
{
    size_t lacking = 0, extra = 0;
    const char *first_lacking = NULL, *first_extra = NULL;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_slot *slot = &d->table->slots[i];
        if (!cairn_describe_learns(slot)) continue;
        ptrdiff_t at = cairn_table_find(other, slot->name);
        all[i].ours = slot;
        if (at >= 0) all[i].theirs = &other->slots[at];
        if (at < 0 && slot->role == CAIRN_FEATURE && !lacking++) first_lacking = slot->name;
    }
    for (size_t i = 0; i < other->n_columns; i++)
        if (cairn_table_find(d->table, other->slots[i].name) < 0 && !extra++)
            first_extra = other->slots[i].name;
    if (lacking)
        cairn_report_note(d->report, "%s lacks %zu column%s: '%s'%s.", name, lacking,
                          lacking == 1 ? "" : "s", first_lacking, lacking > 1 ? " and others" : "");
    if (extra)
        cairn_report_note(d->report, "%s has %zu column%s more: '%s'%s.", name, extra,
                          extra == 1 ? "" : "s", first_extra, extra > 1 ? " and others" : "");
}

static void tell_new_cells(cairn_describing *d, const comparison *c)
{
    if (c->n_new)
        cairn_report_note(d->report,
                          "'%s' has %zu cell%s with levels that the first file lacks, "
                          "such as '%s'.",
                          c->ours->name, c->n_new, c->n_new == 1 ? "" : "s", c->new_level);
    if (c->theirs && !c->comparable && c->ours->column->kind != c->theirs->column->kind)
        cairn_report_note(d->report,
                          "'%s' holds %s in one file and %s in the other; --kinds makes "
                          "them alike.",
                          c->ours->name, cairn_kind_name(c->ours->column->kind),
                          cairn_kind_name(c->theirs->column->kind));
}

/* Each p-value is multiplied by the number of columns (Bonferroni): among many columns some
 * differ by chance. */
static void show_comparisons(cairn_describing *d, const comparison *all, size_t n)
{
    static const char *const heads[] = {"column",  "test",       "value",          "strength",
                                        "p-value", "mean shift", "new or outside", "missing shift"};
    size_t compared = 0, differing = 0;
    for (size_t i = 0; i < n; i++) compared += all[i].comparable;
    cairn_report_table_begin(d->report, NULL, d->limit);
    for (size_t h = 0; h < 8; h++) cairn_report_column(d->report, heads[h], h < 2 ? 'l' : 'r');
    for (size_t i = 0; i < n; i++) {
        if (!all[i].comparable) continue;
        bool differs = all[i].p_value * (double)compared < LEVEL;
        differing += differs;
        /* One column for two kinds of news: numbers outside the range, or levels that the first
         * file has not. */
        const comparison *c = &all[i];
        cairn_report *r = d->report;
        const char *key = cairn_report_key(r, c->ours->name);
        bool numbers = c->ours->column->numbers != NULL;
        cairn_report_cell(r, c->ours->name);
        if (differs) cairn_report_row_mark(r);
        cairn_report_prefix(r, "%s", key);
        cairn_report_cells(r, "- against.statistic.@:5 against.strength.@:3 against.p_value.@:3",
                           numbers ? "KS distance" : "χ²", c->statistic, c->strength, c->p_value);
        if (numbers)
            cairn_report_cell_number(r, c->mean_shift, 3, "against.mean_shift.%s", key);
        else
            cairn_report_cell(r, "n/a");
        cairn_report_cell_number(r, (double)(numbers ? c->n_outside : c->n_new), 0,
                                 numbers ? "against.outside.%s" : "against.new_levels.%s", key);
        cairn_report_cell_number(r, c->missing_shift, 3, "against.missing_shift.%s", key);
    }
    cairn_report_hidden(d->report, (double)compared, "against.compared");
    cairn_report_hidden(d->report, (double)differing, "against.differing");
    cairn_report_paragraph(
        d->report,
        "The mean shift is in standard deviations of the first file. Strength runs from 0 (alike) "
        "to 1: the largest distance between the distribution functions, or Cramér's V.");
    if (differing)
        cairn_report_note(d->report,
                          "%zu of %zu columns differ by more than chance allows (marked; p below "
                          "%s after counting all columns): the files do not look like samples of "
                          "the same distribution.",
                          differing, compared, "0.05");
    else
        cairn_report_paragraph(d->report, "None of %zu columns differs by more than chance allows.",
                               compared);
    for (size_t i = 0, reported = 0; i < n && reported < 10; i++) {
        reported += all[i].n_new > 0;
        tell_new_cells(d, &all[i]);
    }
}

cairn_status cairn_describe_against(cairn_describing *d, const cairn_table *other, const char *name)
{
    against_work w = {.d = d};
    cairn_view view;
    size_t n = d->table->n_columns;
    CHECK(cairn_view_make(d->ctx, &view, other, cairn_all_rows(other)));
    w.weights = view.row_weights;
    CHECK(SCRATCH(d->ctx, &w.all, n + 1));
    cairn_report_heading(d->report, 2, "Against %s", name);
    cairn_report_value(d->report, "rows there", (double)other->n_rows, "against.rows");
    match_columns(d, w.all, other, name);
    CHECK(cairn_tasks_sized(d->ctx, n, 40.0 * (double)n * (double)d->table->n_rows, compare_column,
                            &w));
    show_comparisons(d, w.all, n);
    return CAIRN_OK;
}
