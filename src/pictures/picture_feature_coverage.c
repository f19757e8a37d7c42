/* SPDX-License-Identifier: MIT */
/* cairn draw feature-coverage: a number column as a ranker. The curve counts positives and
 * negatives above each threshold; hulls, their corners, and the splits at mean and median are
 * marked. */
#include "pictures/two_classes.h"
#include "transforms/coverage.h"
#include "transforms/cutscore.h"

typedef struct coverage_params {
    const char *column, *of_class;
    int score;
} coverage_params;

static const cairn_param coverage_table[] = {
    CAIRN_PARAM_AS(coverage_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM(coverage_params, of_class, NULL, NULL,
                "the positive class; the positive one of two if not given"),
    CAIRN_PARAM_CHOICE(coverage_params, score, "gain", cairn_cut_scores,
                       "what chooses the threshold that is marked"),
    CAIRN_PARAM_END,
};

/* The corner with the best score, the first of equals; NULL = there is none. */
static const cairn_corner *best_corner(const cairn_coverage *c, int score)
{
    const cairn_corner *best = NULL;
    double most = 0, all[2] = {c->ranking.positives, c->ranking.negatives};
    for (size_t i = 0; i < c->n_corners; i++) {
        const cairn_corner *t = &c->thresholds[i];
        double above[2] = {t->tp, t->fp};
        double value =
            cairn_cut_score_of(score, above, all, 2, t->tp + t->fp, all[0] + all[1], NULL);
        if (best && !(value > most + CAIRN_CUT_TIE)) continue;
        best = t;
        most = value;
    }
    return best;
}

static cairn_status coverage_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_picture_job *job)
{
    const coverage_params *p = job->params;
    cairn_two_classes classes = {0};
    cairn_status status;
    size_t column;
    cairn_sorted sorted;
    cairn_coverage coverage;
    TRY(cairn_picture_numbers(ctx, &column, job->table, "column", p->column, 0));
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    const cairn_slot *slot = &classes.table->slots[column];
    cairn_job fit = {.view = &classes.view};
    cairn_cut_source source = {.name = slot->name, .numbers = slot->column->numbers};
    TRY(cairn_sort_source(ctx, &sorted, &fit, &source, true));
    if (!sorted.n)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw", slot->name));
    TRY(cairn_coverage_make(ctx, &coverage, &sorted, classes.positive));
    TRY(cairn_coverage_figure(ctx, out, &coverage, slot->name, classes.name,
                              best_corner(&coverage, p->score)));
done:
    cairn_table_free(classes.table);
    return status;
}

const cairn_picture cairn_picture_feature_coverage = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "feature-coverage",
              .title = "A column as a ranker of two classes",
              .summary = "The coverage curve of a number column: how many positives and negatives "
                         "lie above each threshold, with upper and lower hull, the thresholds at "
                         "their corners, the splits at mean and median, and the best threshold.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012",
              .example = "cairn draw feature-coverage @breast-cancer --column mean_texture",
              .params = coverage_table,
              .params_size = sizeof(coverage_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = coverage_draw,
};
