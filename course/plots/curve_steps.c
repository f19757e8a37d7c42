/* SPDX-License-Identifier: MIT */
/* The work behind ROC curves: see curve_steps.h. */
#include "plots/curve_steps.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/table_rows.h"

/* -- the area -- */

/* A segment of equal scores is one slanted piece, so ties count half in the area. */
static void show_trapezoids(cairn_report *out, const cairn_ranking *r)
{
    double tpr = 0, fpr = 0, sum = 0;
    cairn_report_step_begin(out, "The area as a sum of trapezoids");
    cairn_report_formula(out, "area of a piece = (fpr₂ − fpr₁) · (tpr₁ + tpr₂) / 2");
    cairn_report_table_of(out, NULL, 0, "rrrrrr", "piece", "from fpr", "to fpr", "from tpr",
                          "to tpr", "area");
    for (size_t i = 0; i < r->n; i++) {
        double x = fpr + r->segments[i].negatives / r->negatives;
        double y = tpr + r->segments[i].positives / r->positives, area = (x - fpr) * (tpr + y) / 2;
        sum += area;
        cairn_report_cells(out, "- - - - - steps.trapezoid.$1", i + 1, fpr, x, tpr, y, area);
        fpr = x, tpr = y;
    }
    cairn_report_worked(out, "AUC", "sum of the areas = #", sum);
    cairn_report_hidden(out, sum, "steps.trapezoids");
    cairn_report_step_end(out);
}

/* Pairs of equal scores count half: the sum agrees with that of the trapezoids. */
static void show_correct_pairs(cairn_report *out, const cairn_ranking *r)
{
    double above = 0, sum = 0;
    cairn_report_step_begin(out, "The area as a share of pairs");
    cairn_report_formula(out,
                         "correct pairs of a segment = negatives · (positives above + own / 2)");
    cairn_report_table_of(out, NULL, 0, "rrrrr", "segment", "negatives", "positives above",
                          "own positives", "correct pairs");
    for (size_t i = 0; i < r->n; i++) {
        const cairn_segment *s = &r->segments[i];
        double pairs = s->negatives * (above + s->positives / 2);
        sum += pairs;
        cairn_report_cells(out, "- - - - steps.pairs.$1", i + 1, s->negatives, above, s->positives,
                           pairs);
        above += s->positives;
    }
    cairn_report_worked(out, "AUC", "correct pairs / (Pos · Neg) = # / (# · #) = #", sum,
                        r->positives, r->negatives, sum / (r->positives * r->negatives));
    cairn_report_hidden(out, sum, "steps.correct_pairs");
    cairn_report_step_end(out);
}

void cairn_steps_auc(cairn_report *out, const cairn_ranking *ranking)
{
    if (!(ranking->positives > 0 && ranking->negatives > 0)) return;
    show_trapezoids(out, ranking);
    show_correct_pairs(out, ranking);
}

/* -- pooling -- */

typedef struct pooling {
    cairn_report *out;
    size_t n_pooled, n_seen;
} pooling;

/* "20+ 5−: 0.8" */
static void segment_cell(cairn_report *out, double positives, double negatives)
{
    char p[CAIRN_NUMBER_SIZE], n[CAIRN_NUMBER_SIZE], share[CAIRN_NUMBER_SIZE];
    cairn_number_format(p, positives, 6);
    cairn_number_format(n, negatives, 6);
    cairn_number_format(share, positives / (positives + negatives), 4);
    cairn_report_cellf(out, "%s+ %s−: %s", p, n, share);
}

/* One comparison of neighbours, a row of the table. */
static void watch_pair(void *data, const cairn_segment *a, const cairn_segment *b, bool pooled)
{
    pooling *p = data;
    double before = a->positives / (a->positives + a->negatives);
    double after = b->positives / (b->positives + b->negatives);
    p->n_seen++;
    p->n_pooled += pooled;
    if (!cairn_report_row_wanted(p->out)) return;
    if (pooled) cairn_report_row_mark(p->out);
    cairn_report_cellf(p->out, "%zu", p->n_seen);
    segment_cell(p->out, a->positives, a->negatives);
    segment_cell(p->out, b->positives, b->negatives);
    cairn_report_cell(p->out, after > before    ? "rises: pool"
                              : !pooled         ? "does not rise: stays"
                              : after == before ? "the same: pool"
                                                : "pool");
    if (pooled)
        segment_cell(p->out, a->positives + b->positives, a->negatives + b->negatives);
    else
        cairn_report_cell(p->out, "");
    cairn_report_hidden_word(p->out, pooled ? "yes" : "no", "steps.pool.%zu", p->n_seen);
}

cairn_status cairn_steps_hull(cairn_context *ctx, cairn_report *out, const cairn_ranking *ranking,
                              bool keep_collinear)
{
    SCOPED_SCRATCH(ctx);
    cairn_ranking hull;
    pooling p = {.out = out};
    cairn_report_step_begin(out, "The hull: adjacent violators are pooled");
    cairn_report_paragraph(out, "Segments come best score first, and their shares of positives "
                                "must not rise. One that is higher than the one before it is "
                                "pooled with it, and the pool is compared with the one before "
                                "that.");
    cairn_report_table_of(out, NULL, 0, "rllll", "step", "last so far", "next", "its share",
                          "pooled");
    CHECK(cairn_ranking_hull_watched(ctx, &hull, ranking, keep_collinear, watch_pair, &p));
    if (p.n_seen > 50)
        cairn_report_paragraph(out, "%zu comparisons in all, the first are listed.", p.n_seen);
    cairn_report_value(out, "pooled", (double)p.n_pooled, "steps.pooled");
    cairn_report_value(out, "segments left", (double)hull.n, "steps.segments");
    cairn_report_step_end(out);
    return CAIRN_OK;
}
