/* SPDX-License-Identifier: MIT */
/* cairn compute impurity: how mixed a set of classes is, from its counts or from a column of a
 * table (of numbers: their variance), and the curves of the four measures over the share p of the
 * first of two classes. */
#include "base/functions.h"
#include "model/calculator.h"

#include "base/memory.h"
#include "plots/impurity_plot.h"
#include "stats/losses.h"

#include <math.h>
#include <stdio.h>

typedef struct impurity_params {
    const char *column, *by;
    cairn_list at, counts;
    int log;
} impurity_params;

static const cairn_param impurity_table[] = {
    CAIRN_PARAM_CELLS(
        impurity_params, counts, COUNTS, NULL, NULL,
        "counts of the classes, such as 9,5; several sets are separated by semicolons"),
    CAIRN_PARAM_AS(impurity_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "column of DATA; its target if not given"),
    CAIRN_PARAM_AS(impurity_params, by, CAIRN_TYPE_COLUMNS, NULL,
                   "level column of DATA that divides it into subsets"),
    CAIRN_PARAM_CELLS(
        impurity_params, at, NUMBERS, NULL, "[0,1]",
        "shares p of the first of two classes at which the measures are given, such as "
        "0,0.1,0.5; draws the curves"),
    CAIRN_PARAM_CHOICE(impurity_params, log, "2", cairn_log_choices,
                       "base of the logarithm in the entropy"),
    CAIRN_PARAM_END,
};

/* What is shown, and how. */
typedef struct showing {
    cairn_report *out;
    double log_base;
    bool steps;
} showing;

static double measure(const showing *s, cairn_impurity kind, const double *counts, size_t n)
{
    return cairn_impurity_of(kind, counts, n) /
           (kind == CAIRN_ENTROPY ? cairn_log2(s->log_base) : 1);
}

static const char *title_of(const showing *s, size_t measure)
{
    const cairn_impurity_curve *curve = &cairn_impurity_curves[measure];
    if (curve->kind != CAIRN_ENTROPY || s->log_base == 2) return curve->title;
    return s->log_base == 10 ? "entropy (base 10)" : "entropy (nats)";
}

/* The four measures of a set; with steps each with its numbers put in. */
static void show_measures(const showing *s, const double *counts, size_t n, const char *prefix)
{
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++) {
        cairn_impurity kind = cairn_impurity_curves[m].kind;
        double total = 0, value = measure(s, kind, counts, n);
        for (size_t l = 0; l < n; l++) total += counts[l];
        if (s->steps && total > 0) {
            cairn_text text = cairn_text_start(cairn_report_context(s->out));
            cairn_text_addf(&text, "%s = ", title_of(s, m));
            cairn_impurity_add_terms(&text, kind, counts, n, s->log_base);
            cairn_text_add(&text, " = ");
            cairn_text_add_number(&text, value, 6);
            cairn_report_formula(s->out, "%s", cairn_text_string(&text));
            cairn_report_failed(s->out, cairn_text_status(&text));
            cairn_text_clear(&text);
        }
        cairn_report_value(s->out, title_of(s, m), total > 0 ? value : NAN, "%s%s", prefix,
                           cairn_impurity_curves[m].name);
    }
}

/* One set: its shares and the four measures, named after it when there are several sets. */
static void one_set(const showing *s, const double *counts, size_t n, size_t set, bool several)
{
    cairn_report *out = s->out;
    double total = 0;
    char prefix[32] = "";
    for (size_t i = 0; i < n; i++) total += counts[i];
    if (several) {
        cairn_report_heading(out, 3, "Set %zu", set);
        snprintf(prefix, sizeof prefix, "set%zu.", set);
    }
    cairn_report_table_of(out, NULL, 0, "rrr", "class", "count", "share");
    for (size_t i = 0; i < n; i++) {
        cairn_report_prefix(out, "%sshare", prefix);
        cairn_report_cells(out, "- - @.$1", i + 1, counts[i], total > 0 ? counts[i] / total : NAN);
    }
    show_measures(s, counts, n, prefix);
    cairn_report_hidden(out, measure(s, CAIRN_ENTROPY, counts, n) / 2, "%sentropy_half", prefix);
}

/* -- a column of a table -- */

/* Rows of one level of the column that divides; all rows for level -1. */
typedef struct subset {
    const cairn_table *table;
    const cairn_column *column, *by;
    const double *weights; /* NULL = all 1 */
    int32_t level;
} subset;

/* Weight of a row; 0 when it does not belong or its cell is missing. */
static double row_weight(const subset *s, size_t row)
{
    if (s->by && s->level >= 0 && s->by->codes[row] != s->level) return 0;
    if (cairn_column_is_missing(s->column, row)) return 0;
    return s->weights ? s->weights[row] : 1;
}

/* Counts are by weight; classes without rows are listed with share 0. */
static void show_classes(const showing *show, const subset *s, double *counts)
{
    cairn_report *out = show->out;
    const cairn_map *names = &s->column->names;
    double total = 0;
    for (size_t l = 0; l < names->n; l++) counts[l] = 0;
    for (size_t i = 0; i < s->column->n_rows; i++) {
        double w = row_weight(s, i);
        if (!(w > 0)) continue;
        counts[s->column->codes[i]] += w;
        total += w;
    }
    cairn_report_table_of(out, NULL, 200, "lrr", "class", "count", "share");
    for (size_t l = 0; l < names->n && cairn_report_row_wanted(out); l++) {
        cairn_report_cells(out, "- count.$1 share.$1", cairn_map_key(names, l), counts[l],
                           total > 0 ? counts[l] / total : NAN);
    }
    cairn_report_hidden(out, total, "n");
    show_measures(show, counts, names->n, "");
}

static void show_numbers(cairn_report *out, const subset *s)
{
    double total = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < s->column->n_rows; i++) {
        double w = row_weight(s, i);
        if (!(w > 0)) continue;
        total += w;
        sum += w * s->column->numbers[i];
    }
    for (size_t i = 0; i < s->column->n_rows; i++) {
        double w = row_weight(s, i), away = s->column->numbers[i] - sum / total;
        if (w > 0) squares += w * away * away;
    }
    cairn_report_value(out, "numbers", total, "n");
    cairn_report_value(out, "mean", sum / total, "mean");
    cairn_report_value(out, "sum of squares", squares, "sse");
    cairn_report_value(out, "variance (divisor n)", squares / total, "variance");
}

static cairn_status show_subset(cairn_context *ctx, const showing *show, const subset *s)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    double *counts = NULL;
    const char *name = s->level >= 0 ? cairn_map_key(&s->by->names, (size_t)s->level) : NULL;
    CHECK(SCRATCH(ctx, &counts, s->column->names.n + 1));
    CHECK(cairn_report_new(ctx, &part));
    if (name) cairn_report_heading(part, 2, "%s", name);
    if (s->column->kind == CAIRN_LEVEL)
        show_classes(&(showing){part, show->log_base, show->steps}, s, counts);
    else
        show_numbers(part, s);
    cairn_report_append(show->out, part, name ? cairn_report_key(show->out, name) : NULL);
    return CAIRN_OK;
}

static cairn_status look_up(cairn_context *ctx, const cairn_column **out, const cairn_table *table,
                            const char *name, bool levels)
{
    size_t at;
    CHECK(cairn_table_get(ctx, table, name, &at));
    *out = table->slots[at].column;
    if ((*out)->kind != CAIRN_LEVEL && (levels || (*out)->kind != CAIRN_NUMBER))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "'%s' holds %s; choose a column of levels%s, or declare "
                         "it with {kinds \"%s=level\"}",
                         name, cairn_kind_plural((*out)->kind), levels ? "" : " or numbers", name));
    return CAIRN_OK;
}

static cairn_status show_table(cairn_context *ctx, const showing *show, const impurity_params *p,
                               const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    ptrdiff_t weight = cairn_table_role_column(table, CAIRN_WEIGHT);
    subset s = {.table = table, .level = -1};
    if (!p->column && target < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column with {column} or {target}");
    CHECK(look_up(ctx, &s.column, table, p->column ? p->column : table->slots[target].name, false));
    if (p->by) CHECK(look_up(ctx, &s.by, table, p->by, true));
    if (weight >= 0) s.weights = table->slots[weight].column->numbers;
    if (s.column->kind == CAIRN_NUMBER) cairn_report_formula(show->out, "Var = Σ (y − mean)² / n");
    CHECK(show_subset(ctx, show, &s));
    for (size_t l = 0; s.by && l < s.by->names.n; l++) {
        s.level = (int32_t)l;
        CHECK(show_subset(ctx, show, &s));
    }
    return CAIRN_OK;
}

/* Half the entropy is shown too, since scaled so it has the same maximum as the others. */
static cairn_status grid(cairn_context *ctx, const showing *show, const cairn_list *list)
{
    cairn_report *out = show->out;
    const double *p = list->values;
    size_t n = list->n;
    cairn_report_heading(out, 2, "Two classes, by the share p of the first");
    cairn_report_table_of(out, NULL, (size_t)-1, "r", "p");
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++)
        cairn_report_column(out, title_of(show, m), 'r');
    cairn_report_column(out, "entropy / 2", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, p[i], 0, "p.%zu", i + 1);
        const double counts[] = {p[i], 1 - p[i]};
        for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++)
            cairn_report_cell_number(out, measure(show, cairn_impurity_curves[m].kind, counts, 2),
                                     0, "at.%s.%zu", cairn_impurity_curves[m].name, i + 1);
        cairn_report_cell_number(out, measure(show, CAIRN_ENTROPY, counts, 2) / 2, 0,
                                 "at.entropy_half.%zu", i + 1);
    }
    static const bool all[CAIRN_N_IMPURITIES] = {true, true, true, true};
    cairn_figure *figure = NULL;
    cairn_status status = cairn_impurity_figure(ctx, &figure, all, NULL, 0);
    if (status == CAIRN_OK) cairn_report_figure(out, figure);
    return status;
}

/* Counts, a column and a grid of shares may all be asked for at once; formulas follow the base
 * of the logarithm. */
static cairn_status impurity_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const impurity_params *p = job->params;
    showing show = {out, cairn_log_base(p->log), job->steps};
    if (!p->counts.text && !p->at.text && !job->table)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute impurity' needs DATA, {counts} or {at}");
    cairn_report_heading(out, 1, "Impurity");
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++)
        if (cairn_impurity_curves[m].kind == CAIRN_ENTROPY && show.log_base != 2)
            cairn_report_formula(out, "H = − Σ p · %s p", show.log_base == 10 ? "log10" : "ln");
        else
            cairn_report_formula(out, "%s", cairn_impurity_curves[m].formula);
    for (size_t i = 0, k = p->counts.columns; i < p->counts.rows; i++)
        one_set(&show, p->counts.values + i * k, k, i + 1, p->counts.rows > 1);
    if (job->table) CHECK(show_table(ctx, &show, p, job->table));
    if (p->at.text) CHECK(grid(ctx, &show, &p->at));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_impurity = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "impurity",
              .also = "entropy, Gini, Gini index, Gini impurity, information content, minority "
                      "class, uncertainty, Shannon",
              .title = "Impurity of a set of classes",
              .summary =
                  "Entropy (in bits unless --log says otherwise), Gini index, minority class and "
                  "square root of Gini of "
                  "class counts that are typed or come from a column of DATA, of all rows, "
                  "of some (--where) or of every subset that a column makes (--by); numbers "
                  "have their variance. 'cairn compute density' has entropies of continuous "
                  "columns. With --at the four measures of two classes are tabulated "
                  "over the share p of the first and drawn. --steps puts the numbers into the "
                  "formulas.",
              .references =
                  "Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, "
                  "1984; Flach: Machine Learning, 2012, chapter 5",
              .example = "cairn compute impurity --counts 9,5",
              .params = impurity_table,
              .params_size = sizeof(impurity_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = impurity_run,
};
