/* SPDX-License-Identifier: MIT */
/* The coverage curve of a column: see coverage.h. Among all thresholds those at corners of a hull
 * are the only ones that some costs or some concave score can prefer. */
#include "transforms/coverage.h"
#include "base/number.h"
#include "stats/quantile.h"
#include <math.h>

/* Distinct values, highest first, with their positives and negatives. */
static cairn_status rank_values(cairn_context *ctx, cairn_ranking *out, const cairn_sorted *s,
                                int32_t class)
{
    *out = (cairn_ranking){0};
    CHECK(SCRATCH(ctx, &out->segments, s->n_distinct + 1));
    for (size_t i = s->n; i-- > 0;) {
        double w = s->weights ? s->weights[i] : 1, x = s->values[i];
        if (i + 1 == s->n || s->values[i + 1] != x)
            out->segments[out->n++] = (cairn_segment){x, x, 0, 0};
        cairn_segment *segment = &out->segments[out->n - 1];
        if (s->classes[i] == class)
            segment->positives += w;
        else
            segment->negatives += w;
    }
    for (size_t i = 0; i < out->n; i++) {
        out->positives += out->segments[i].positives;
        out->negatives += out->segments[i].negatives;
    }
    return CAIRN_OK;
}

/* A threshold at every corner of the hull but its ends. */
static void add_corners(cairn_feature_coverage *c, const cairn_ranking *hull, bool upper)
{
    double tp = 0, fp = 0;
    for (size_t i = 0; i + 1 < hull->n; i++) {
        const cairn_segment *above = &hull->segments[i], *below = &hull->segments[i + 1];
        tp += above->positives;
        fp += above->negatives;
        c->thresholds[c->n++] =
            (cairn_corner){.cut = cairn_number_between(below->score, above->low_score),
                           .below = true,
                           .tp = tp,
                           .fp = fp,
                           .upper = upper,
                           .name = upper ? "upper hull" : "lower hull"};
    }
}

static void add_given(cairn_feature_coverage *c, double cut, const char *name)
{
    cairn_corner t = {.cut = cut, .below = true, .name = name};
    for (size_t i = 0; i < c->ranking.n && c->ranking.segments[i].score > cut; i++) {
        t.tp += c->ranking.segments[i].positives;
        t.fp += c->ranking.segments[i].negatives;
    }
    t.upper = t.tp * c->ranking.negatives >= t.fp * c->ranking.positives;
    c->thresholds[c->n++] = t;
}

cairn_status cairn_coverage_make(cairn_context *ctx, cairn_feature_coverage *out,
                                 const cairn_sorted *s, int32_t class)
{
    double sum = 0;
    *out = (cairn_feature_coverage){0};
    CHECK(rank_values(ctx, &out->ranking, s, class));
    CHECK(cairn_ranking_hull(ctx, &out->upper, &out->ranking, false));
    CHECK(cairn_ranking_lower_hull(ctx, &out->lower, &out->ranking, false));
    CHECK(SCRATCH(ctx, &out->thresholds, out->upper.n + out->lower.n + 3));
    add_corners(out, &out->upper, true);
    add_corners(out, &out->lower, false);
    out->n_corners = out->n;
    if (s->n == 0) return CAIRN_OK;
    for (size_t i = 0; i < s->n; i++) sum += s->values[i] * (s->weights ? s->weights[i] : 1);
    if (!s->places) add_given(out, sum / s->total, "mean");
    add_given(out, cairn_weighted_quantile(s->values, s->weights, s->n, 0.5, CAIRN_QUANTILE_LINEAR),
              "median");
    return CAIRN_OK;
}

/* Running sums of a ranking as a curve from (0,0); xy has room for 2 (n + 1). */
static cairn_status curve(cairn_context *ctx, double **x, double **y, const cairn_ranking *r)
{
    CHECK(SCRATCH_EACH(ctx, r->n + 1, x, y));
    for (size_t i = 0; i < r->n; i++) {
        (*x)[i + 1] = (*x)[i] + r->segments[i].negatives;
        (*y)[i + 1] = (*y)[i] + r->segments[i].positives;
    }
    return CAIRN_OK;
}

/* Thresholds beside the corners, unless they are too close to the one before. */
static void label_corners(cairn_figure *figure, const cairn_feature_coverage *c)
{
    const double apart = 0.08; /* of the height or width */
    double x = -1, y = -1;
    for (size_t i = 0; i < c->n_corners; i++) {
        char text[CAIRN_NUMBER_SIZE];
        bool near = fabs(c->thresholds[i].fp - x) < apart * c->ranking.negatives &&
                    fabs(c->thresholds[i].tp - y) < apart * c->ranking.positives;
        bool last = c->thresholds[i].fp > 0.97 * c->ranking.negatives &&
                    c->thresholds[i].tp > 0.97 * c->ranking.positives; /* no room beside it */
        if (near || last) continue;
        x = c->thresholds[i].fp;
        y = c->thresholds[i].tp;
        cairn_number_format(text, c->thresholds[i].cut, 4);
        /* inside the hull, where the curve is not */
        bool upper = c->thresholds[i].upper;
        double right = (upper ? 0.012 : -0.012) * c->ranking.negatives;
        double up = (upper ? -0.055 : 0.01) * c->ranking.positives;
        cairn_figure_text(figure, x + right, y + up, upper ? 'l' : 'r', text);
    }
}

cairn_status cairn_coverage_figure(cairn_context *ctx, cairn_figure **out,
                                   const cairn_feature_coverage *c, const char *column,
                                   const char *positive, const cairn_corner *chosen)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text axis = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    double *x, *y;
    double ends[2][2] = {{0, c->ranking.negatives}, {0, c->ranking.positives}};
    cairn_text_addf(&title, "Coverage curve of %s", column);
    cairn_text_addf(&axis, "rows of class %s", positive);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_text_status(&axis));
    CHECK(cairn_figure_new(ctx, &figure, "coverage", cairn_text_string(&title)));
    cairn_figure_size(figure, 480, 440);
    cairn_figure_axes(figure, "other rows", cairn_text_string(&axis));
    cairn_figure_x_range(figure, -0.02 * c->ranking.negatives, 1.02 * c->ranking.negatives);
    cairn_figure_y_range(figure, -0.02 * c->ranking.positives, 1.02 * c->ranking.positives);
    CHECK(curve(ctx, &x, &y, &c->ranking));
    cairn_figure_line(figure, "largest values first", x, y, c->ranking.n + 1);
    CHECK(curve(ctx, &x, &y, &c->upper));
    cairn_figure_dashed(figure, "upper hull", x, y, c->upper.n + 1);
    CHECK(curve(ctx, &x, &y, &c->lower));
    cairn_figure_dashed(figure, "lower hull", x, y, c->lower.n + 1);
    cairn_figure_dashed(figure, NULL, ends[0], ends[1], 2);
    label_corners(figure, c);
    static const char *const names[] = {"mean split", "median split"};
    double px[2], py[2];
    int32_t groups[2] = {0, 1};
    size_t n_given = c->n - c->n_corners; /* ordered levels have no mean */
    for (size_t i = 0; i < n_given; i++) {
        px[i] = c->thresholds[c->n_corners + i].fp;
        py[i] = c->thresholds[c->n_corners + i].tp;
    }
    if (n_given) cairn_figure_points(figure, px, py, groups, n_given, names + 2 - n_given, n_given);
    if (chosen) cairn_figure_mark(figure, "chosen", chosen->fp, chosen->tp);
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
