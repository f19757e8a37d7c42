/* SPDX-License-Identifier: MIT */
/* cairn draw impurity: impurities over the share of a class, and the chord of a split. The split is
 * typed, or a level column of a table. */
#include "pictures/two_classes.h"

#include "base/memory.h"
#include "base/number.h"
#include "plots/impurity_plot.h"

#include <math.h>
#include <string.h>

typedef struct impurity_picture_params {
    const char *measures, *split, *column, *of_class;
    double cut;
} impurity_picture_params;

static const cairn_param impurity_picture_table[] = {
    CAIRN_PARAM(impurity_picture_params, measures, NULL, NULL,
                "curves, separated by commas: entropy, gini, minority, sqrt_gini; all four if not "
                "given, with a split the entropy"),
    CAIRN_PARAM(impurity_picture_params, split, NULL, NULL,
                "parts of a split: counts of both classes, such as '8,2;2,8'"),
    CAIRN_PARAM_AS(impurity_picture_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: the column that divides the rows"),
    CAIRN_PARAM(impurity_picture_params, cut, CAIRN_NOT_GIVEN, NULL,
                "where a number column is cut"),
    CAIRN_PARAM(impurity_picture_params, of_class, NULL, NULL,
                "with data: the class whose share is drawn; the positive one of two if not given"),
    CAIRN_PARAM_END,
};

static cairn_status read_measures(cairn_context *ctx, const char *list, bool all,
                                  bool chosen[CAIRN_N_IMPURITIES])
{
    char **words;
    size_t n;
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++) chosen[m] = !list && (all || m == 0);
    if (!list) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, list, &words, &n));
    for (size_t i = 0; i < n; i++) {
        size_t m = 0;
        while (m < CAIRN_N_IMPURITIES && strcmp(words[i], cairn_impurity_curves[m].name) != 0) m++;
        if (m == CAIRN_N_IMPURITIES)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{measures}: '%s' is none of entropy, gini, minority, sqrt_gini",
                              words[i]);
        chosen[m] = true;
    }
    return CAIRN_OK;
}

/* Counts of the class and of the others for every level, or below and above the cut. */
static cairn_status count_parts(cairn_context *ctx, const cairn_compute_job *job, double **out,
                                size_t *n)
{
    const impurity_picture_params *p = job->params;
    cairn_two_classes classes = {0};
    size_t at;
    cairn_status status;
    if (!p->column)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column that divides the rows with {column}");
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    TRY(cairn_table_get(ctx, classes.table, p->column, &at));
    const cairn_column *column = classes.table->slots[at].column;
    bool levels = column->kind == CAIRN_LEVEL;
    if (!levels && (!column->numbers || isnan(p->cut)))
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "{column}: '%s' holds no levels; {cut NUMBER} divides a number column",
                       p->column));
    *n = levels ? column->names.n : 2;
    TRY(SCRATCH(ctx, out, 2 * *n + 2));
    for (size_t i = 0; i < column->n_rows; i++) {
        if (classes.is_positive[i] < 0 || cairn_column_is_missing(column, i)) continue;
        size_t part = levels ? (size_t)column->codes[i] : column->numbers[i] > p->cut;
        (*out)[2 * part + !classes.is_positive[i]] += classes.weights[i];
    }
done:
    cairn_table_free(classes.table);
    return status;
}

static cairn_status impurity_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const impurity_picture_params *p = job->params;
    bool chosen[CAIRN_N_IMPURITIES];
    double *parts = NULL, total = 0;
    size_t n = 0, classes = 2;
    if (p->split && job->table)
        return cairn_fail(ctx, CAIRN_USAGE, "either data or {split}, not both");
    if (p->split) CHECK(cairn_read_counts(ctx, "split", p->split, &parts, &n, &classes));
    if (classes != 2)
        return cairn_fail(ctx, CAIRN_USAGE, "{split}: a part has two counts, not %zu", classes);
    if (job->table) CHECK(count_parts(ctx, job, &parts, &n));
    for (size_t i = 0; i < 2 * n; i++) total += parts[i];
    if (n && !(total > 0))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "the parts of the split are empty"));
    CHECK(read_measures(ctx, p->measures, n == 0, chosen));
    return cairn_impurity_figure(ctx, out, chosen, parts, n);
}

const cairn_calculator cairn_picture_impurity = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "impurity",
                .also = "entropy curve, Gini curve, impurity curves",
                .title = "Impurity curves and the chord of a split",
                .summary = "Draws entropy, Gini index, minority class and square root of Gini over "
                           "the share of one of two classes. With a split, typed or a column of a "
                           "table, its parts are points of the curve, their chord is read at the "
                           "share of all rows, and the gain is the distance up to the curve.",
                .references = "Flach, Machine Learning, Cambridge University Press 2012",
                .example = "cairn draw impurity @dolphins --column gills",
                .params = impurity_picture_table,
                .params_size = sizeof(impurity_picture_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = impurity_draw,
};
