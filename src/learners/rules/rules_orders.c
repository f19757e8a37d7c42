/* SPDX-License-Identifier: MIT */
/* What the order of a list does to its ranking, and what no order can do.
 *
 * Each order of the rules divides the training rows among them in its own way, and has its own area
 * under the curve. What a rule tree can answer, either class in each of its leaves, makes points of
 * the coverage plot; they are looked for among all that lists can answer: any order, and for each
 * rule either class. */
#include "learners/rules/rules.h"

#include "stats/ranking.h"
#include <math.h>
#include <string.h>

enum { MOST_ORDERED = 5, MOST_DRAWN = 3, MOST_LEAVES = 10, MOST_POINTS = 1 << MOST_LEAVES };

typedef struct point {
    double fp, tp;
    bool reached;
} point;

typedef struct segment {
    double positives, negatives;
} segment;

/* The next order in the sense of a dictionary; false after the last. */
static bool next_order(size_t *order, size_t n)
{
    size_t i = n - 1, j = n - 1;
    while (i > 0 && order[i - 1] > order[i]) i--;
    if (i == 0) return false;
    while (order[j] < order[i - 1]) j--;
    size_t held = order[i - 1];
    order[i - 1] = order[j];
    order[j] = held;
    for (j = n - 1; i < j; i++, j--) {
        held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
    return true;
}

/* Rows of each place of the order; the last place is for rows without a rule. */
static void divide(segment *out, const cairn_rules *m, const size_t *order, size_t n)
{
    size_t positive = (size_t)m->positive;
    memset(out, 0, (n + 1) * sizeof *out);
    for (size_t i = 0; i < m->patterns.n; i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        size_t at = 0;
        while (at < n && !cairn_pattern_has(pattern, order[at])) at++;
        out[at].positives += m->pattern_counts[2 * i + positive];
        out[at].negatives += m->pattern_counts[2 * i + 1 - positive];
    }
}

/* Area when segments are sorted by their share of positives: pairs in the right order, and half
 * of those in the same segment or in segments of the same share. */
static double area(const segment *s, size_t n)
{
    double right = 0, p = 0, q = 0;
    for (size_t i = 0; i < n; i++) {
        p += s[i].positives;
        q += s[i].negatives;
        for (size_t j = 0; j < n; j++) {
            double a = s[i].positives * s[j].negatives, b = s[j].positives * s[i].negatives;
            right += a > b + 1e-9 ? a : a < b - 1e-9 ? 0 : a / 2;
        }
    }
    return right / (p * q);
}

/* Mark the points that some choice of segments as positive makes. */
static void mark_reached(point *points, size_t n_points, const segment *s, size_t n)
{
    for (size_t choice = 0; choice >> n == 0; choice++) {
        double fp = 0, tp = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(choice >> i & 1)) continue;
            fp += s[i].negatives;
            tp += s[i].positives;
        }
        for (size_t i = 0; i < n_points; i++)
            points[i].reached |= fabs(points[i].fp - fp) < 1e-9 && fabs(points[i].tp - tp) < 1e-9;
    }
}

/* All points that the leaves of the rule tree make, each once. */
static size_t tree_points(point *out, const cairn_rules *m)
{
    size_t leaves = m->patterns.n, positive = (size_t)m->positive, n = 0;
    for (size_t choice = 0; choice >> leaves == 0; choice++) {
        point made = {0, 0, false};
        bool known = false;
        for (size_t i = 0; i < leaves; i++) {
            if (!(choice >> i & 1)) continue;
            made.tp += m->pattern_counts[2 * i + positive];
            made.fp += m->pattern_counts[2 * i + 1 - positive];
        }
        for (size_t i = 0; i < n && !known; i++)
            known = fabs(out[i].fp - made.fp) < 1e-9 && fabs(out[i].tp - made.tp) < 1e-9;
        if (!known) out[n++] = made;
    }
    return n;
}

static void show_points(cairn_report *out, const point *points, size_t n)
{
    size_t missed = 0;
    cairn_report_table_of(out, "Points of the rule tree that no order of the list reaches", 0, "rr",
                          "FP", "TP");
    for (size_t i = 0; i < n; i++) {
        if (points[i].reached) continue;
        missed++;
        cairn_report_cell_number(out, points[i].fp, 6, "missed%zu.fp", missed);
        cairn_report_cell_number(out, points[i].tp, 6, "missed%zu.tp", missed);
    }
    cairn_report_value(out, "points that the rule tree can make", (double)n, "tree.points");
    cairn_report_value(out, "of them out of reach of lists", (double)missed, "orders.missed");
}

/* The curve of an order: its segments by their share of positives. */
static void draw_order(cairn_figure *f, const char *name, const segment *s, size_t n)
{
    size_t order[MOST_ORDERED + 1];
    double x[MOST_ORDERED + 2] = {0}, y[MOST_ORDERED + 2] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            const segment *a = &s[order[at - 1]];
            bool empty = a->positives + a->negatives == 0;
            if (!empty && a->positives * s[i].negatives >= s[i].positives * a->negatives) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (size_t i = 0; i < n; i++) {
        x[i + 1] = x[i] + s[order[i]].negatives;
        y[i + 1] = y[i] + s[order[i]].positives;
    }
    cairn_figure_line(f, name, x, y, n + 1);
}

/* All that the rule tree can answer, in two groups. */
static cairn_status draw_points(cairn_context *ctx, cairn_figure *f, const point *points, size_t n)
{
    static const char *const names[] = {"a list answers so, too", "only the rule tree"};
    double *x, *y;
    int32_t *group;
    CHECK(SCRATCH(ctx, &x, n + 1));
    CHECK(SCRATCH(ctx, &y, n + 1));
    CHECK(SCRATCH(ctx, &group, n + 1));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].fp;
        y[i] = points[i].tp;
        group[i] = !points[i].reached;
    }
    cairn_figure_points(f, x, y, group, n, names, 2);
    return CAIRN_OK;
}

/* An empty plot for the curves of few orders; none when there are too many. */
static cairn_status new_plot(cairn_context *ctx, cairn_figure **out, const cairn_rules *m, size_t n)
{
    const double *all = m->whole + 2 * (m->n_rules - 1);
    if (n > MOST_DRAWN) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, out, "rule-orders", "The rules as lists in all orders"));
    cairn_figure_size(*out, 520, 400);
    cairn_figure_axes(*out, "negatives", "positives");
    cairn_figure_coverage_box(*out, all[1 - m->positive], all[m->positive]);
    return CAIRN_OK;
}

cairn_status cairn_rules_show_orders(cairn_context *ctx, cairn_report *out, cairn_figure **figure,
                                     const cairn_rules *m)
{
    size_t order[MOST_ORDERED], n = m->n_rules - 1, n_points;
    segment segments[MOST_ORDERED + 1];
    point points[MOST_POINTS];
    bool few = m->patterns.n <= MOST_LEAVES;
    double best = -1;
    *figure = NULL;
    if (m->ordered || m->positive < 0 || n < 2 || n > MOST_ORDERED || m->patterns.n == 0)
        return CAIRN_OK;
    CHECK(new_plot(ctx, figure, m, n));
    for (size_t i = 0; i < n; i++) order[i] = i;
    n_points = few ? tree_points(points, m) : 0;
    cairn_report_heading(out, 2, "Orders of the rules as a list");
    cairn_report_table_of(out, NULL, 24, "lr", "order", "area under the curve");
    do {
        char name[MOST_ORDERED + 1] = "";
        for (size_t i = 0; i < n; i++) name[i] = (char)('A' + order[i]);
        divide(segments, m, order, n);
        double auc = area(segments, n + 1);
        best = fmax(best, auc);
        draw_order(*figure, name, segments, n + 1);
        mark_reached(points, n_points, segments, n + 1);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, auc, 6, "order.%s.auc", name);
    } while (next_order(order, n));
    cairn_report_value(out, "largest area", best, "orders.best");
    if (few) show_points(out, points, n_points);
    if (*figure && few) CHECK(draw_points(ctx, *figure, points, n_points));
    return CAIRN_OK;
}
