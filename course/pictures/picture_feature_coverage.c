/* SPDX-License-Identifier: MIT */
/* cairn draw feature-coverage: a number column as a ranker. The curve counts positives and
 * negatives above each threshold; hulls, their corners, and the splits at mean and median are
 * marked. With --splits the column is cut again and again instead: every stretch of values is a box
 * along the curve, the threshold with the best score divides it, and the line of equal score
 * through it shows that the curve lies below everywhere else. */
#include "pictures/two_classes.h"

#include "base/memory.h"
#include "base/number.h"
#include "draw/contour.h"
#include "transforms/coverage.h"
#include "transforms/cutscore.h"

#include <math.h>
#include <stdio.h>

typedef struct coverage_params {
    const char *column, *of_class;
    int score, splits;
} coverage_params;

static const cairn_param coverage_table[] = {
    CAIRN_PARAM_AS(coverage_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM(coverage_params, of_class, NULL, NULL,
                "the positive class; the positive one of two if not given"),
    CAIRN_PARAM_CHOICE(coverage_params, score, "gain", cairn_cut_scores,
                       "what chooses the threshold that is marked"),
    CAIRN_PARAM(coverage_params, splits, "0", "[0,30]",
                "cut the column so often, one stretch after the other, and draw boxes and lines of "
                "equal score; 0 = hulls"),
    CAIRN_PARAM_END,
};

/* The corner with the best score, the first of equals; NULL = there is none. */
static const cairn_corner *best_corner(const cairn_feature_coverage *c, int score)
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

/* -- cut again and again -- */

/* A stretch of the ranking and its box: from (x, y), so many negatives wide and positives high. */
typedef struct stretch {
    size_t begin, end; /* segments */
    double x, y, p, n;
    int score;
    size_t cut; /* where it is best divided: segments before this one lie above; 0 = nowhere */
    double best, cut_p, cut_n;
} stretch;

static double score_at(const void *data, double x, double y)
{
    const stretch *s = data;
    double above[2] = {fmin(y, s->p), fmin(x, s->n)}, all[2] = {s->p, s->n};
    double size = above[0] + above[1], whole = s->p + s->n;
    if (!(size > 0) || !(size < whole)) return 0;
    return cairn_cut_score_of(s->score, above, all, 2, size, whole, NULL);
}

static void find_cut(stretch *s, const cairn_ranking *ranking)
{
    double p = 0, n = 0;
    s->cut = 0;
    for (size_t i = s->begin; i + 1 < s->end; i++) {
        p += ranking->segments[i].positives;
        n += ranking->segments[i].negatives;
        double value = score_at(s, n, p);
        if (!(value > (s->cut ? s->best : 0) + CAIRN_CUT_TIE)) continue;
        s->best = value;
        s->cut = i + 1;
        s->cut_p = p;
        s->cut_n = n;
    }
}

static stretch part_of(const stretch *s, bool upper)
{
    stretch part = *s;
    part.begin = upper ? s->cut : s->begin;
    part.end = upper ? s->end : s->cut;
    part.x += upper ? s->cut_n : 0;
    part.y += upper ? s->cut_p : 0;
    part.n = upper ? s->n - s->cut_n : s->cut_n;
    part.p = upper ? s->p - s->cut_p : s->cut_p;
    return part;
}

/* Stretches in the order in which they came up: level by level. */
static cairn_status add_cuts(cairn_context *ctx, cairn_figure *f, const cairn_ranking *ranking,
                             const coverage_params *p)
{
    stretch *list;
    size_t n = 1, made = 0;
    CHECK(SCRATCH(ctx, &list, 2 * (size_t)p->splits + 3));
    list[0] = (stretch){
        .end = ranking->n, .p = ranking->positives, .n = ranking->negatives, .score = p->score};
    for (size_t i = 0; i < n && made < (size_t)p->splits; i++) {
        stretch *s = &list[i];
        if (!(s->p > 0 && s->n > 0)) continue;
        find_cut(s, ranking);
        if (!s->cut) continue;
        /* The box, the line of equal score through the cut, and the threshold. */
        size_t number = ++made;
        double right = s->x + s->n, top = s->y + s->p, low, high;
        char label[64], value[CAIRN_NUMBER_SIZE];
        cairn_contour_grid grid;
        cairn_figure_guide(f, (double[]){s->x, right, right, s->x, s->x},
                           (double[]){s->y, s->y, top, top, s->y}, 5);
        CHECK(cairn_contour_sample(ctx, &grid, score_at, s, s->n, s->p, &low, &high));
        grid.x = s->x;
        grid.y = s->y;
        CHECK(cairn_contour_add(ctx, f, NULL, &grid, &s->best, 1));
        double cut = (ranking->segments[s->cut - 1].score + ranking->segments[s->cut].score) / 2;
        cairn_number_format(value, cut, 5);
        (void)snprintf(label, sizeof label, "%zu: %.24s", number, value);
        cairn_figure_label(f, s->x + s->cut_n, s->y + s->cut_p, label);
        cairn_figure_mark(f, number == 1 ? "threshold" : NULL, s->x + s->cut_n, s->y + s->cut_p);
        list[n++] = part_of(s, false);
        list[n++] = part_of(s, true);
    }
    return CAIRN_OK;
}

/* Each cut of the column is a point of the coverage curve, so that good cuts are the ones far from
 * the diagonal. */
static cairn_status cuts_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_feature_coverage *coverage, const char *column,
                                const char *positive, const coverage_params *p)
{
    const cairn_ranking *ranking = &coverage->ranking;
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, ranking->n + 1, &x, &y));
    for (size_t i = 0; i < ranking->n; i++) {
        x[i + 1] = x[i] + ranking->segments[i].negatives;
        y[i + 1] = y[i] + ranking->segments[i].positives;
    }
    CHECK(cairn_figure_new(ctx, &f, "coverage", column));
    cairn_figure_size(f, 480, 440);
    cairn_figure_axes(f, "other rows", positive);
    cairn_figure_coverage_box(f, ranking->negatives, ranking->positives);
    cairn_figure_line(f, "largest values first", x, y, ranking->n + 1);
    CHECK(add_cuts(ctx, f, ranking, p));
    *out = TAKE(f);
    return CAIRN_OK;
}

/* The column is the ranking, largest values first; either its cuts are compared or the corner that
 * scores best is shown. */
static cairn_status coverage_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const coverage_params *p = job->params;
    cairn_two_classes classes = {0};
    cairn_status status;
    size_t column;
    cairn_sorted sorted;
    cairn_feature_coverage coverage;
    TRY(cairn_picture_numbers(ctx, &column, job->table, "column", p->column, 0));
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    const cairn_slot *slot = &classes.table->slots[column];
    cairn_job fit = {.view = &classes.view};
    cairn_cut_source source = {.name = slot->name, .numbers = slot->column->numbers};
    TRY(cairn_sort_source(ctx, &sorted, &fit, &source, true));
    if (!sorted.n)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw", slot->name));
    TRY(cairn_coverage_make(ctx, &coverage, &sorted, classes.positive));
    if (p->splits)
        TRY(cuts_figure(ctx, out, &coverage, slot->name, classes.name, p));
    else
        TRY(cairn_coverage_figure(ctx, out, &coverage, slot->name, classes.name,
                                  best_corner(&coverage, p->score)));
done:
    cairn_table_free(classes.table);
    return status;
}

const cairn_calculator cairn_picture_feature_coverage = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "feature-coverage",
                .also = "ranking by one feature",
                .title = "A column as a ranker of two classes",
                .summary =
                    "The coverage curve of a number column: how many positives and negatives "
                    "lie above each threshold, with upper and lower hull, the thresholds at "
                    "their corners, the splits at mean and median, and the best threshold; or "
                    "how the column is cut again and again, as boxes along the curve.",
                .references = "Flach, Machine Learning, Cambridge University Press 2012",
                .example = "cairn draw feature-coverage @breast-cancer --column mean_texture",
                .params = coverage_table,
                .params_size = sizeof(coverage_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = coverage_draw,
};
