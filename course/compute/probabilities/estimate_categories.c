/* SPDX-License-Identifier: MIT */
/* The categorical law of greatest likelihood: every category has the probability of its share, of
 * counts that are typed or of a column of levels. */
#include "compute/probabilities/estimators.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"

#include <math.h>
#include <string.h>

typedef struct category {
    const char *name;
    double count;
} category;

typedef struct categories {
    category *list;
    size_t n;
    double total;
} categories;

static cairn_status read_counts(cairn_context *ctx, categories *out, const char *counts)
{
    char **items;
    CHECK(cairn_list_split(ctx, counts, &items, &out->n));
    CHECK(SCRATCH(ctx, &out->list, out->n + 1));
    for (size_t i = 0; i < out->n; i++) {
        char *mark = strchr(items[i], '=');
        double *count = &out->list[i].count;
        if (!mark || mark == items[i] || !cairn_number_parse(mark + 1, strlen(mark + 1), count) ||
            !(*count >= 0 && isfinite(*count)))
            return cairn_fail(ctx, CAIRN_USAGE, "{counts}: '%s' is not NAME=COUNT", items[i]);
        *mark = 0;
        out->list[i].name = items[i];
    }
    return CAIRN_OK;
}

/* The named column, else the target, else the first one that holds levels. */
static cairn_status find_levels(cairn_context *ctx, const cairn_table *table, const char *name,
                                size_t *out)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (name) return cairn_table_get(ctx, table, name, out);
    if (target >= 0 && cairn_table_kind(table, (size_t)target) == CAIRN_LEVEL) {
        *out = (size_t)target;
        return CAIRN_OK;
    }
    for (*out = 0; *out < table->n_columns; ++*out)
        if (cairn_table_kind(table, *out) == CAIRN_LEVEL) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no column holds levels; {kinds \"COLUMN=level\"} takes values as levels");
}

static cairn_status count_column(cairn_context *ctx, categories *out, const cairn_table *table,
                                 const char *name)
{
    cairn_view view;
    size_t at;
    CHECK(find_levels(ctx, table, name, &at));
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{column}: '%s' holds no levels; {kinds \"%s=level\"} takes its values "
                          "as levels",
                          table->slots[at].name, table->slots[at].name);
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    out->n = column->names.n;
    CHECK(SCRATCH(ctx, &out->list, out->n + 1));
    for (size_t k = 0; k < out->n; k++) out->list[k].name = cairn_map_key(&column->names, k);
    for (size_t i = 0; i < table->n_rows; i++)
        if (column->codes[i] >= 0)
            out->list[column->codes[i]].count += view.row_weights ? view.row_weights[i] : 1;
    return CAIRN_OK;
}

static void show_work(cairn_report *out, const categories *c, double likelihood)
{
    cairn_report_step_begin(out, "Where the likelihood is the greatest");
    cairn_report_formula(out, "L(p) = Σ nₖ ln pₖ  under  Σ pₖ = 1");
    cairn_report_formula(out, "slope: nₖ / pₖ = λ for every k, hence pₖ = nₖ / n");
    for (size_t i = 0; i < c->n; i++)
        cairn_report_worked(out, c->list[i].name, "# / # = #", c->list[i].count, c->total,
                            c->list[i].count / c->total);
    cairn_report_worked(out, "L", "#", likelihood);
    cairn_report_step_end(out);
}

static void show_categories(cairn_report *out, const categories *c, bool steps)
{
    double sum = 0;
    cairn_report_table_of(out, "Estimates", 0, "lrr", "category", "count", "probability");
    for (size_t i = 0; i < c->n; i++) {
        double p = c->list[i].count / c->total;
        if (p > 0) sum += c->list[i].count * cairn_log(p);
        cairn_report_cell(out, c->list[i].name);
        cairn_report_cell_number(out, c->list[i].count, 0, NULL);
        cairn_report_cell_number(out, p, 0, "estimate.%s", cairn_report_key(out, c->list[i].name));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "values", c->total, "n");
    cairn_report_value(out, "log-likelihood", sum, "log-likelihood");
    if (steps) show_work(out, c, sum);
}

cairn_status cairn_estimate_categories(cairn_context *ctx, cairn_report *out,
                                       const cairn_compute_job *job, const char *counts,
                                       const char *column)
{
    categories c = {0};
    if (counts)
        CHECK(read_counts(ctx, &c, counts));
    else if (job->table)
        CHECK(count_column(ctx, &c, job->table, column));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a categorical law needs {counts fish=2,bird=3}, or DATA with a column "
                          "of levels");
    for (size_t i = 0; i < c.n; i++) c.total += c.list[i].count;
    if (!(c.total > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "nothing was counted");
    if (!isfinite(c.total)) return cairn_fail_overflow(ctx);
    cairn_report_heading(out, 1, "Maximum likelihood: categorical");
    show_categories(out, &c, job->steps);
    return CAIRN_OK;
}
