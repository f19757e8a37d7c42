/* SPDX-License-Identifier: MIT */
/* cairn compute split: every score of a partition, from a typed table of counts or for each level
 * column of a data table against its target. */
#include "compute/compute.h"

#include "base/memory.h"
#include "data/view.h"
#include "stats/impurity.h"

#include <stdio.h>

typedef struct split_params {
    const char *table;
    double cell_add;
} split_params;

static const cairn_param split_table[] = {
    CAIRN_PARAM(split_params, table, NULL, NULL,
                "counts: one row per part, separated by semicolons, one column per class, "
                "separated by commas, such as 3,2;4,0;2,3"),
    CAIRN_PARAM(split_params, cell_add, "0", "[0,inf)", "added to every cell before the scores"),
    CAIRN_PARAM_END,
};

typedef struct contingency {
    const double *cells; /* n_parts x n_classes */
    size_t n_parts, n_classes;
    const char *const *parts, *const *classes; /* names; NULL = numbers */
} contingency;

static void cell_name(cairn_report *out, const char *const *names, size_t i)
{
    if (names)
        cairn_report_cell(out, names[i]);
    else
        cairn_report_cellf(out, "%zu", i + 1);
}

/* The counts with the impurity of each part and their weighted averages. */
static void show_counts(cairn_report *out, const contingency *t, const char *prefix)
{
    cairn_report_table_begin(out, "Counts and impurity of each part", 0);
    cairn_report_column(out, "part", 'l');
    for (size_t k = 0; k < t->n_classes; k++) {
        char head[32];
        snprintf(head, sizeof head, "class %zu", k + 1);
        cairn_report_column(out, t->classes ? t->classes[k] : head, 'r');
    }
    cairn_report_column(out, "entropy", 'r');
    cairn_report_column(out, "Gini", 'r');
    cairn_report_column(out, "minority", 'r');
    cairn_report_column(out, "√Gini", 'r');
    for (size_t i = 0; i < t->n_parts; i++) {
        const double *row = t->cells + i * t->n_classes;
        cell_name(out, t->parts, i);
        for (size_t k = 0; k < t->n_classes; k++) cairn_report_cell_number(out, row[k], 0, NULL);
        cairn_report_cell_number(out, cairn_entropy(row, t->n_classes), 0, "%spart%zu.entropy",
                                 prefix, i + 1);
        cairn_report_cell_number(out, cairn_gini(row, t->n_classes), 0, "%spart%zu.gini", prefix,
                                 i + 1);
        cairn_report_cell_number(out, cairn_minority(row, t->n_classes), 0, "%spart%zu.minority",
                                 prefix, i + 1);
        cairn_report_cell_number(out, cairn_sqrt_gini(row, t->n_classes), 0, "%spart%zu.sqrt_gini",
                                 prefix, i + 1);
    }
    cairn_report_table_end(out);
}

/* The weighted averages of the four impurities after the split. */
static void show_averages(cairn_report *out, const contingency *t, const char *prefix)
{
    static const struct {
        const char *label, *name;
        cairn_impurity kind;
    } rows[] = {{"average entropy of the parts", "entropy_after", CAIRN_ENTROPY},
                {"Gini split index", "gini_after", CAIRN_GINI},
                {"average minority share", "minority_after", CAIRN_MINORITY},
                {"average square root of Gini", "sqrt_gini_after", CAIRN_SQRT_GINI}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cairn_report_value(out, rows[i].label,
                           cairn_impurity_after(rows[i].kind, t->cells, t->n_parts, t->n_classes),
                           "%s%s", prefix, rows[i].name);
}

static void show_scores(cairn_report *out, const cairn_split_scores *s, const char *prefix)
{
    const struct {
        const char *label, *name;
        double value;
    } rows[] = {{"entropy before", "entropy", s->entropy},
                {"Gini before", "gini", s->gini},
                {"information gain", "gain", s->gain},
                {"split information", "split_information", s->split_information},
                {"gain ratio", "gain_ratio", s->gain_ratio},
                {"Gini reduction", "gini_reduction", s->gini_reduction},
                {"minority reduction", "minority_reduction", s->minority_reduction},
                {"√Gini reduction", "sqrt_gini_reduction", s->sqrt_gini_reduction},
                {"chi-squared", "chi_squared", s->chi_squared},
                {"chi-squared / N", "chi_squared_share", s->chi_squared_share},
                {"degrees of freedom", "degrees", (double)s->degrees}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cairn_report_value(out, rows[i].label, rows[i].value, "%s%s", prefix, rows[i].name);
}

static void show_split(cairn_report *out, const contingency *t, double cell_add, const char *prefix)
{
    cairn_split_scores scores;
    cairn_split_scores_of(&scores, t->cells, t->n_parts, t->n_classes, cell_add);
    show_counts(out, t, prefix);
    show_averages(out, t, prefix);
    show_scores(out, &scores, prefix);
}

/* -- every column of a table -- */

/* Counts of a level column against the target; missing cells are left out. */
static cairn_status count_column(cairn_context *ctx, contingency *out, const cairn_column *column,
                                 const cairn_view *view)
{
    cairn_status status;
    double *cells;
    const char **parts, **classes;
    size_t n_parts = column->names.n, n_classes = view->target->names.n;
    TRY(SCRATCH(ctx, &cells, cairn_product(n_parts, n_classes)));
    TRY(SCRATCH(ctx, &parts, n_parts));
    TRY(SCRATCH(ctx, &classes, n_classes));
    for (size_t i = 0; i < n_parts; i++) parts[i] = cairn_map_key(&column->names, i);
    for (size_t k = 0; k < n_classes; k++) classes[k] = cairn_map_key(&view->target->names, k);
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t part = column->codes[row], class = view->target->codes[row];
        if (part >= 0 && class >= 0)
            cells[(size_t)part * n_classes + (size_t) class] += cairn_view_weight(view, i);
    }
    *out = (contingency){cells, n_parts, n_classes, parts, classes};
done:
    return status;
}

/* A line of the ranking for one column. */
static void rank_column(cairn_report *out, const char *name, const cairn_split_scores *s,
                        double gini_after, size_t n_parts)
{
    const char *key = cairn_report_key(out, name);
    cairn_report_cell(out, name);
    cairn_report_cellf(out, "%zu", n_parts);
    cairn_report_cell_number(out, s->gain, 0, "gain.%s", key);
    cairn_report_cell_number(out, s->split_information, 0, "split_information.%s", key);
    cairn_report_cell_number(out, s->gain_ratio, 0, "gain_ratio.%s", key);
    cairn_report_cell_number(out, s->gini_reduction, 0, "gini_reduction.%s", key);
    cairn_report_cell_number(out, gini_after, 0, "gini_after.%s", key);
    cairn_report_cell_number(out, s->chi_squared, 0, "chi_squared.%s", key);
}

static void begin_ranking(cairn_report *out)
{
    static const char *const heads[] = {"parts", "gain",       "split info", "ratio",
                                        "ΔGini", "Gini split", "chi²"};
    cairn_report_table_begin(out, "Scores of every column", (size_t)-1);
    cairn_report_column(out, "column", 'l');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
}

/* Columns that lead by the three usual scores; of equal ones the first. */
typedef struct leaders {
    const char *gain, *ratio, *gini;
    double best_gain, best_ratio, best_gini;
} leaders;

/* Scores nearer than this are equal, as in the tree. */
#define TIE 1e-12

static void note_leaders(leaders *l, const char *name, const cairn_split_scores *s,
                         double gini_after)
{
    if (!l->gain || s->gain > l->best_gain + TIE) l->gain = name, l->best_gain = s->gain;
    if (!l->ratio || s->gain_ratio > l->best_ratio + TIE)
        l->ratio = name, l->best_ratio = s->gain_ratio;
    if (!l->gini || gini_after < l->best_gini - TIE) l->gini = name, l->best_gini = gini_after;
}

static void show_leaders(cairn_report *out, const leaders *l)
{
    if (!l->gain) return;
    cairn_report_word(out, "largest gain", l->gain, "best.gain");
    cairn_report_word(out, "largest gain ratio", l->ratio, "best.gain_ratio");
    cairn_report_word(out, "smallest Gini split", l->gini, "best.gini");
}

/* A ranking of the columns, then each in full when the steps are wanted. */
static cairn_status split_columns(cairn_context *ctx, cairn_report *out, const cairn_view *view,
                                  double cell_add, bool steps)
{
    cairn_status status = CAIRN_OK;
    contingency *tables;
    size_t skipped = 0;
    leaders best = {0};
    TRY(SCRATCH(ctx, &tables, view->n_features));
    begin_ranking(out);
    for (size_t i = 0; i < view->n_features; i++) {
        cairn_split_scores scores;
        contingency *t = &tables[i];
        if (view->features[i]->kind != CAIRN_LEVEL) {
            skipped++;
            continue;
        }
        TRY(count_column(ctx, t, view->features[i], view));
        cairn_split_scores_of(&scores, t->cells, t->n_parts, t->n_classes, cell_add);
        double gini = cairn_impurity_after(CAIRN_GINI, t->cells, t->n_parts, t->n_classes);
        rank_column(out, view->names[i], &scores, gini, t->n_parts);
        note_leaders(&best, view->names[i], &scores, gini);
    }
    cairn_report_table_end(out);
    show_leaders(out, &best);
    for (size_t i = 0; i < view->n_features; i++)
        if (tables[i].n_parts == view->rows.n && view->rows.n > 2)
            cairn_report_note(out,
                              "'%s' has as many levels as there are rows: it sorts them out one "
                              "by one and says nothing about new rows.",
                              view->names[i]);
    if (skipped)
        cairn_report_note(out,
                          "%zu number columns have no parts of their own and are left out; --kinds "
                          "COLUMN=level takes their values as levels.",
                          skipped);
    for (size_t i = 0; i < view->n_features; i++) {
        cairn_text prefix = cairn_text_start(ctx);
        if (!tables[i].cells) continue;
        cairn_text_addf(&prefix, "%s.", cairn_report_key(out, view->names[i]));
        status = cairn_text_status(&prefix);
        if (status == CAIRN_OK && steps) {
            cairn_report_step_begin(out, "%s", view->names[i]);
            show_split(out, &tables[i], cell_add, cairn_text_string(&prefix));
            cairn_report_step_end(out);
        }
        cairn_text_clear(&prefix);
        if (status) goto done;
    }
done:
    return status;
}

static cairn_status split_data(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const split_params *p = job->params;
    cairn_status status;
    cairn_view view;
    TRY(cairn_view_make(ctx, &view, job->table, cairn_all_rows(job->table)));
    if (!view.target)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the classes with --target");
    if (view.target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds numbers, not classes; --kinds \"%s=level\" takes "
                          "its values as classes",
                          view.target_name, view.target_name);
    cairn_report_heading(out, 1, "How well each column sorts out '%s'", view.target_name);
    TRY(split_columns(ctx, out, &view, p->cell_add, job->steps));
done:
    return status;
}

static cairn_status split_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const split_params *p = job->params;
    cairn_status status;
    contingency t = {0};
    double *cells;
    if (job->table) return split_data(ctx, out, job);
    if (!p->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute split' needs --table, or DATA with a "
                          "target");
    TRY(cairn_read_counts(ctx, "table", p->table, &cells, &t.n_parts, &t.n_classes));
    t.cells = cells;
    cairn_report_heading(out, 1, "Scores of a split");
    cairn_report_formula(out, "gain = H(before) − Σ size/N · H(part)");
    cairn_report_formula(out, "gain ratio = gain / H(sizes of the parts)");
    show_split(out, &t, p->cell_add, "");
done:
    return status;
}

const cairn_calculator cairn_compute_split = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "split",
              .title = "Scores of a split",
              .summary =
                  "Information gain, split information, gain ratio, Gini reduction and split "
                  "index, chi-squared and more for a partition that is typed as a table of "
                  "counts, or for every level column of a table against its target; with "
                  "--steps each column's counts are shown.",
              .references =
                  "Quinlan: Induction of Decision Trees, Machine Learning 1, 1986; Quinlan: "
                  "C4.5, 1993; Breiman et al.: Classification and Regression Trees, 1984",
              .example = "cairn compute split --table '3,2;4,0;2,3'",
              .params = split_table,
              .params_size = sizeof(split_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = split_run,
};
