/* SPDX-License-Identifier: MIT */
/* cairn compute leaves: what the leaves of a tree can be made to answer.
 *
 * A tree divides positives and negatives over its leaves; which leaf answers "positive" is another
 * decision. Every labelling is a point in coverage space, every order of the leaves a ranking with
 * its area. By cost the best labelling follows a rule: with c = cost(FN) / cost(FP) a leaf is
 * positive where n+ c > n-, so labels change at the values n- / n+ and L leaves have at most L + 1
 * labellings that are ever best.
 *
 * A tree may be typed with its structure, ((29,10)(1,25))((15,3)(5,62)), or come from a model: then
 * its curve is reported after every split, every tree that pruning can make of it is ranked, and
 * the labelling says which splits have the same label on both sides. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "compute/trees/leaf_tree.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ALL_LABELLINGS = 12,
    ALL_ORDERS = 8,
    MOST_PRUNINGS = 500,
    MOST_STAGES = 200,
    LISTED_LEAVES = 12,
    DRAWN_STAGES = 8,
    DRAWN_LABELLINGS = 6
};

typedef struct leaves_params {
    const char *leaves, *labels, *positive;
    cairn_list at;
    double base, score_add, class_ratio;
    int order;
} leaves_params;

static const cairn_param leaves_table[] = {
    CAIRN_PARAM(leaves_params, leaves, NULL, NULL,
                "without a model: positives and negatives of the leaves from left to right, "
                "29,10;1,25;15,3, or with the structure of the tree, "
                "((29,10)(1,25))((15,3)(5,62))"),
    CAIRN_PARAM_CELLS(leaves_params, at, NUMBERS, NULL, "[0,inf)",
                      "ratios cost(FN) / cost(FP) to label the leaves for"),
    CAIRN_PARAM(leaves_params, class_ratio, CAIRN_NOT_GIVEN, "(0,inf)",
                "positives per negative where the tree will be used, if it is not as in the "
                "leaves; the ratios of --at count in proportion"),
    CAIRN_PARAM(leaves_params, labels, NULL, NULL,
                "a labelling such as +-++, whose splits with the same label are pruned"),
    CAIRN_PARAM_CALLED("log", leaves_params, base, "2", "(1,inf)",
                       "base of the logarithm in scores of leaves", .was = "base"),
    CAIRN_PARAM(leaves_params, score_add, "0", "[0,inf)",
                "added to both counts of a score, which is infinite where one of them is 0"),
    CAIRN_PARAM(leaves_params, positive, NULL, NULL,
                "of a model: the class that counts as positive, against all others"),
    CAIRN_PARAM_CHOICE(leaves_params, order, "levels", cairn_growth_orders,
                       "which splits come first when the tree grows"),
    CAIRN_PARAM_END,
};

/* -- what is shown -- */

static void show_leaves(cairn_report *out, const cairn_leaf_tree *t, const leaves_params *p)
{
    double add = p->score_add;
    cairn_report_table_of(out, "Leaves", MOST_STAGES, "rrrrrrl", "leaf", "positives", "negatives",
                          "share of positives", "log ratio", "n₋/n₊", "majority");
    for (size_t i = 0; i < t->n_leaves; i++) {
        cairn_leaf at = t->leaves[i];
        cairn_report_cells(out,
                           "- leaf$1.positives leaf$1.negatives leaf$1.share leaf$1.score "
                           "leaf$1.breakpoint leaf$1.majority",
                           i + 1, at.p, at.n, at.p / (at.p + at.n),
                           cairn_log((at.p + add) / (at.n + add)) / cairn_log(p->base), at.n / at.p,
                           at.p > at.n ? "+" : "-");
    }
}

/* The scores of the leaves with the counts put in, and the area leaf by leaf. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_leaf_tree *t,
                         const leaves_params *p)
{
    size_t *order;
    double above = 0, area = 0;
    CHECK(SCRATCH(ctx, &order, t->n_leaves));
    cairn_leaves_sort(t->leaves, order, t->n_leaves);
    cairn_report_step_begin(out, "Scores of the leaves");
    for (size_t i = 0; i < t->n_leaves && i < LISTED_LEAVES; i++) {
        cairn_leaf at = t->leaves[i];
        double add = p->score_add, score = cairn_log((at.p + add) / (at.n + add));
        double base = p->base, ratio = score / cairn_log(base);
        char label[48];
        snprintf(label, sizeof label, "share of leaf %zu", i + 1);
        cairn_report_worked(out, label, "# / (# + #) = #", at.p, at.p, at.n, at.p / (at.p + at.n));
        snprintf(label, sizeof label, "log ratio of leaf %zu", i + 1);
        if (add > 0)
            cairn_report_worked(out, label, "log#((# + #) / (# + #)) = #", base, at.p, add, at.n,
                                add, ratio);
        else
            cairn_report_worked(out, label, "log#(# / #) = #", base, at.p, at.n, ratio);
    }
    if (t->n_leaves > LISTED_LEAVES)
        cairn_report_note(out, "The first %d of %zu leaves are shown.", LISTED_LEAVES, t->n_leaves);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The area under the curve");
    cairn_report_formula(out, "area = Σ n₋ · (P + n₊ / 2) / (positives · negatives)");
    cairn_report_table_of(out, "Leaf by leaf", MOST_STAGES, "rrrrr", "leaf", "positives above, P",
                          "n₊", "n₋", "n₋ · (P + n₊ / 2)");
    for (size_t i = 0; i < t->n_leaves; i++) {
        cairn_leaf at = t->leaves[order[i]];
        double term = at.n * (above + at.p / 2);
        cairn_report_cells(out, "- - - - area.leaf$1", order[i] + 1, above, at.p, at.n, term);
        above += at.p;
        area += term;
    }
    if (t->p > 0 && t->n > 0)
        cairn_report_worked(out, "area", "# / (# · #) = #", area, t->p, t->n, area / (t->p * t->n));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The ranking of the leaves and the corners of its curve. */
static cairn_status show_ranking(cairn_context *ctx, cairn_report *out, cairn_leaf_tree *t)
{
    size_t *order;
    double fp = 0, tp = 0;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = SCRATCH(ctx, &order, t->n_leaves);
    if (status) return status;
    cairn_leaves_sort(t->leaves, order, t->n_leaves);
    for (size_t i = 0; i < t->n_leaves; i++) cairn_leaf_add(&text, t->leaves[order[i]]);
    cairn_report_word(out, "leaves by share of positives", cairn_text_string(&text), "ranking");
    cairn_report_value(out, "area under the curve",
                       cairn_leaves_area(t->leaves, order, t->n_leaves, t->p, t->n), "auc");
    cairn_report_table_of(out, "Corners of the coverage curve", MOST_STAGES, "lrr", "after leaf",
                          "FP", "TP");
    for (size_t i = 0; i <= t->n_leaves; i++) {
        if (i == 0)
            cairn_report_cell(out, "none");
        else
            cairn_report_cellf(out, "%zu", order[i - 1] + 1);
        cairn_report_cell_number(out, fp, 0, "corner%zu.fp", i);
        cairn_report_cell_number(out, tp, 0, "corner%zu.tp", i);
        if (i < t->n_leaves) fp += t->leaves[order[i]].n, tp += t->leaves[order[i]].p;
    }
    status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

/* -- growth -- */

/* The leaves of one stage: how many, in which order, and the corners of their curve. */
static void show_stage(cairn_report *out, const cairn_leaf_tree *t, const cairn_leaf_stage *stage,
                       size_t k, int divided)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    double fp = 0, tp = 0;
    cairn_report_cellf(out, "%zu", k);
    if (divided < 0) {
        cairn_report_cell(out, "");
    } else {
        cairn_leaf_add(&text, (cairn_leaf){t->nodes[divided].p, t->nodes[divided].n});
        cairn_report_cellf(out, "node %d %s", divided + 1, cairn_text_string(&text));
        cairn_report_hidden(out, divided + 1, "growth%zu.node", k);
    }
    text.length = 0;
    for (size_t i = 0; i < stage->n; i++) {
        cairn_leaf at = stage->leaves[stage->order[i]];
        if (i < LISTED_LEAVES) cairn_leaf_add(&text, at);
        if (i >= CAIRN_MOST_LEAVES) continue;
        fp += at.n;
        tp += at.p;
        cairn_report_hidden(out, fp, "growth%zu.corner%zu.fp", k, i + 1);
        cairn_report_hidden(out, tp, "growth%zu.corner%zu.tp", k, i + 1);
    }
    if (stage->n > LISTED_LEAVES) cairn_text_add(&text, " ...");
    cairn_report_prefix(out, "growth%zu", k);
    cairn_report_cells(out, "@.leaves @.ranking @.auc", (double)stage->n, cairn_text_string(&text),
                       stage->auc);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* The curve after every split, in the order of growth. */
static cairn_status show_growth(cairn_context *ctx, cairn_report *out, const cairn_leaf_tree *t,
                                int order)
{
    cairn_leaf_stage stage;
    uint32_t *splits;
    size_t n;
    bool *split;
    CHECK(cairn_leaf_stage_make(ctx, &stage, t));
    CHECK(SCRATCH(ctx, &split, (size_t)t->n_nodes));
    CHECK(cairn_leaf_tree_growth(ctx, &splits, &n, MOST_STAGES, t, order));
    cairn_report_table_of(out, "The curve as the tree grows", MOST_STAGES + 1, "rlrlr", "splits",
                          "divided last", "leaves", "ranking", "area");
    for (size_t k = 0; k <= n; k++) {
        if (k > 0) split[splits[k - 1]] = true;
        cairn_leaf_stage_fill(&stage, t, split);
        show_stage(out, t, &stage, k, k > 0 ? (int)splits[k - 1] : -1);
    }
    cairn_report_hidden(out, (double)n, "growth.splits");
    return CAIRN_OK;
}

/* Labels of the leaves that are positive at cost ratio c. */
static void label_at(const cairn_leaf_tree *t, double c, char *out)
{
    for (size_t i = 0; i < t->n_leaves; i++) {
        cairn_leaf at = t->leaves[i];
        bool positive = isinf(c) ? at.p > 0 : at.p * c > at.n;
        out[i] = positive ? '+' : '-';
    }
    out[t->n_leaves] = 0;
}

static void point_of(const cairn_leaf_tree *t, const char *labels, double *fp, double *tp)
{
    *fp = *tp = 0;
    for (size_t i = 0; i < t->n_leaves; i++)
        if (labels[i] == '+') *fp += t->leaves[i].n, *tp += t->leaves[i].p;
}

/* Labelling, its point and its accuracy, in the columns that begin_labels made. */
static void label_row(cairn_report *out, const cairn_leaf_tree *t, const char *labels,
                      const char *name)
{
    double fp, tp;
    point_of(t, labels, &fp, &tp);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "@.labels @.fp @.tp @.accuracy", labels, fp, tp,
                       (tp + t->n - fp) / (t->p + t->n));
}

static void label_columns(cairn_report *out)
{
    cairn_report_columns(out, "lrrr", "labels", "FP", "TP", "accuracy");
}

/* The labellings that are best for some c, with their ranges. */
static void show_intervals(cairn_report *out, const cairn_leaf_tree *t)
{
    double from = 0;
    char labels[CAIRN_MOST_LEAVES + 1], name[32];
    cairn_report_formula(out, "positive where n₊·c > n₋,   c = cost(FN) / cost(FP)");
    cairn_report_table_of(out, "Best labelling by cost ratio c", (size_t)-1, "rr", "c from", "to");
    label_columns(out);
    for (size_t i = 1; i <= t->n_leaves + 1; i++) {
        double to = INFINITY;
        for (size_t j = 0; j < t->n_leaves; j++) {
            double change = t->leaves[j].n / t->leaves[j].p; /* 0/0 never changes */
            if (change > from && change < to) to = change;
        }
        label_at(t, isinf(to) ? INFINITY : to, labels); /* ties at `to` are still negative */
        snprintf(name, sizeof name, "interval%zu", i);
        cairn_report_cell_number(out, from, 0, "%s.from", name);
        cairn_report_cell_number(out, to, 0, "%s.to", name);
        label_row(out, t, labels, name);
        if (isinf(to)) break;
        from = to;
    }
}

/* What a change of the classes' ratio multiplies every cost ratio by. */
static double ratio_shift(const cairn_leaf_tree *t, const leaves_params *p)
{
    return isnan(p->class_ratio) ? 1 : p->class_ratio * t->n / t->p;
}

static void show_labellings(cairn_report *out, const cairn_leaf_tree *t)
{
    char labels[CAIRN_MOST_LEAVES + 1];
    if (t->n_leaves > ALL_LABELLINGS) return;
    cairn_report_table_of(out, "All labellings", 64, "lrr", "labels", "FP", "TP");
    for (size_t code = 0; code < (size_t)1 << t->n_leaves; code++) {
        double fp, tp;
        for (size_t i = 0; i < t->n_leaves; i++)
            labels[i] = code >> (t->n_leaves - 1 - i) & 1 ? '-' : '+';
        labels[t->n_leaves] = 0;
        point_of(t, labels, &fp, &tp);
        cairn_report_prefix(out, "label.%s", labels);
        cairn_report_cells(out, "- @.fp @.tp", labels, fp, tp);
    }
    cairn_report_value(out, "labellings", ldexp(1, (int)t->n_leaves), "labellings");
}

/* The next order in the dictionary of orders; false after the last. */
static bool next_order(size_t *order, size_t n)
{
    size_t i = n, j = n;
    while (i > 1 && order[i - 2] >= order[i - 1]) i--;
    if (i < 2) return false;
    while (order[j - 1] <= order[i - 2]) j--;
    size_t kept = order[i - 2];
    order[i - 2] = order[j - 1];
    order[j - 1] = kept;
    for (size_t a = i - 1, b = n - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

static void order_text(char *out, size_t size, const size_t *order, size_t n)
{
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < n && used + 8 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%zu", i ? "," : "", order[i] + 1);
}

/* All orders are tried for few leaves: the best is that by the share of positives, which this
 * proves by trying. */
static void show_orders(cairn_report *out, const cairn_leaf_tree *t)
{
    size_t order[CAIRN_MOST_LEAVES], n = t->n_leaves, count = 0;
    char best[200] = "", worst[200] = "";
    double most = -1, least = 2;
    if (n > ALL_ORDERS) return;
    for (size_t i = 0; i < n; i++) order[i] = i;
    do {
        double area = cairn_leaves_area(t->leaves, order, n, t->p, t->n);
        count++;
        if (area > most + 1e-12) most = area, order_text(best, sizeof best, order, n);
        if (area < least - 1e-12) least = area, order_text(worst, sizeof worst, order, n);
    } while (next_order(order, n));
    cairn_report_value(out, "orders of the leaves", (double)count, "orders");
    cairn_report_value(out, "largest area", most, "orders.best.auc");
    cairn_report_word(out, "  of the order", best, "orders.best");
    cairn_report_value(out, "smallest area", least, "orders.worst.auc");
    cairn_report_word(out, "  of the order", worst, "orders.worst");
}

/* -- trees that pruning can make -- */

/* The nodes that are leaves when some inner nodes are cut: those whose ancestors are all open. */
static size_t leaves_of(const cairn_leaf_tree *t, const bool *cut, cairn_leaf *out)
{
    size_t n = 0;
    bool gone[2 * CAIRN_MOST_LEAVES] = {false};
    for (int i = 0; i < t->n_nodes; i++) {
        int parent = t->nodes[i].parent;
        gone[i] = parent >= 0 && (gone[parent] || cut[parent]);
        if (!gone[i] && (t->nodes[i].leaf >= 0 || cut[i]))
            out[n++] = (cairn_leaf){t->nodes[i].p, t->nodes[i].n};
    }
    return n;
}

/* The splits that are there, 1+2+3; "root" when there is none. */
static void splits_text(const cairn_leaf_tree *t, const bool *cut, char *out, size_t size)
{
    size_t used = 0;
    snprintf(out, size, "root");
    for (int s = 1; s <= t->n_nodes; s++)
        for (int i = 0; i < t->n_nodes; i++) {
            bool there = t->nodes[i].split == s && !cut[i];
            for (int at = t->nodes[i].parent; at >= 0; at = t->nodes[at].parent)
                there = there && !cut[at];
            if (there && used + 8 < size)
                used += (size_t)snprintf(out + used, size - used, "%s%d", used ? "+" : "", s);
        }
}

static void ranking_row(cairn_report *out, const cairn_leaf_tree *t, const bool *cut)
{
    cairn_leaf found[CAIRN_MOST_LEAVES], *leaves = found;
    size_t order[CAIRN_MOST_LEAVES], n = leaves_of(t, cut, found);
    char name[200];
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_leaves_sort(leaves, order, n);
    for (size_t i = 0; i < n; i++) cairn_leaf_add(&text, leaves[order[i]]);
    splits_text(t, cut, name, sizeof name);
    cairn_report_prefix(out, "tree.%s", name);
    cairn_report_cells(out, "- @.ranking @.auc", name, cairn_text_string(&text),
                       cairn_leaves_area(leaves, order, n, t->p, t->n));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* Go through all prunings: every inner node is cut or not, and below a cut nothing counts. Inner
 * nodes come before what is below them, so a counter over them that skips hidden ones does it. */
static void show_prunings(cairn_report *out, const cairn_leaf_tree *t)
{
    bool cut[2 * CAIRN_MOST_LEAVES] = {false};
    int inner[CAIRN_MOST_LEAVES], n_inner = 0;
    size_t shown = 0;
    for (int i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].leaf < 0) inner[n_inner++] = i;
    cairn_report_table_of(out, "Trees that pruning can make", 50, "llr", "splits", "ranking",
                          "area");
    for (int i = 0; i < n_inner; i++) cut[inner[i]] = true;
    for (;;) {
        ranking_row(out, t, cut);
        if (++shown == MOST_PRUNINGS) break;
        int at = n_inner - 1; /* open the last node that is shut and reachable; shut those after */
        for (; at >= 0; at--) {
            bool reachable = true;
            for (int up = t->nodes[inner[at]].parent; up >= 0; up = t->nodes[up].parent)
                reachable &= !cut[up];
            if (cut[inner[at]] && reachable) break;
            cut[inner[at]] = true;
        }
        if (at < 0) break;
        cut[inner[at]] = false;
    }
    cairn_report_value(out, "trees", (double)shown, "trees");
}

/* A labelling and what is left when splits with one label below are taken back. */
static cairn_status show_same_label(cairn_context *ctx, cairn_report *out, cairn_leaf_tree *t,
                                    const char *labels)
{
    bool cut[2 * CAIRN_MOST_LEAVES] = {false};
    cairn_leaf left[CAIRN_MOST_LEAVES];
    size_t order[CAIRN_MOST_LEAVES];
    double fp, tp;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (strlen(labels) != t->n_leaves || strspn(labels, "+-") != t->n_leaves || t->n_nodes)
        CHECK(cairn_same_label_cuts(ctx, cut, t, labels));
    point_of(t, labels, &fp, &tp);
    cairn_report_value(out, "FP of the labelling", fp, "labelled.fp");
    cairn_report_value(out, "TP of the labelling", tp, "labelled.tp");
    cairn_report_value(out, "accuracy", (tp + t->n - fp) / (t->p + t->n), "labelled.accuracy");
    if (!t->n_nodes) return CAIRN_OK;
    size_t n = leaves_of(t, cut, left);
    for (size_t i = 0; i < n; i++) cairn_leaf_add(&text, left[i]);
    cairn_report_word(out, "leaves when splits with one label are pruned", cairn_text_string(&text),
                      "pruned.leaves");
    cairn_leaves_sort(left, order, n);
    cairn_report_value(out, "area of the ranking then",
                       cairn_leaves_area(left, order, n, t->p, t->n), "pruned.auc");
    return cairn_text_status(&text);
}

/* -- pictures -- */

/* Pictures of the tree need its nodes, that of all labellings few leaves. */
static cairn_status draw(cairn_context *ctx, cairn_report *out, const cairn_leaf_tree *t,
                         const leaves_params *p)
{
    cairn_figure *figure = NULL;
    if (t->n_nodes > 1) {
        CHECK(cairn_leaf_tree_figure(ctx, &figure, t));
        cairn_report_figure(out, figure);
        CHECK(cairn_growth_figure(ctx, &figure, t, p->order, DRAWN_STAGES, false));
        cairn_report_page_figure(out, figure);
    }
    if (t->n_nodes > 1 && p->labels) {
        CHECK(cairn_same_label_figure(ctx, &figure, t, p->labels));
        cairn_report_page_figure(out, figure);
    }
    if (t->n_leaves <= DRAWN_LABELLINGS) {
        CHECK(cairn_labellings_figure(ctx, &figure, t));
        cairn_report_figure(out, figure);
    }
    return CAIRN_OK;
}

/* Labellings are 2 to the number of leaves, so they are for small trees; ranking and growth are
 * for any. */
static cairn_status leaves_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const leaves_params *p = job->params;
    cairn_leaf_tree tree, *t = &tree;
    CHECK(cairn_leaf_tree_find(ctx, t, p->leaves, job->model, p->positive));
    cairn_report_heading(out, 1, "What %zu leaves can answer", t->n_leaves);
    if (t->positive) cairn_report_word(out, "positive class", t->positive, "positive");
    show_leaves(out, t, p);
    if (job->steps) CHECK(work(ctx, out, t, p));
    CHECK(show_ranking(ctx, out, t));
    if (t->n_nodes) CHECK(show_growth(ctx, out, t, p->order));
    if (t->n_leaves > CAIRN_MOST_LEAVES) {
        cairn_report_note(out, "Labellings are reported for at most %d leaves.", CAIRN_MOST_LEAVES);
    } else {
        show_intervals(out, t);
        if (p->at.text) {
            /* A class ratio in use that differs from the one here acts like a cost, so both are
             * put into one ratio. */
            const double *ratios = p->at.values, shift = ratio_shift(t, p);
            size_t n = p->at.n;
            char labels[CAIRN_MOST_LEAVES + 1], name[64], number[CAIRN_NUMBER_SIZE];
            if (!isnan(p->class_ratio)) {
                cairn_report_formula(
                    out, "c = cost(FN) / cost(FP) · class ratio in use / class ratio here");
                cairn_report_value(out, "class ratio in use / here", shift, "class_shift");
            }
            cairn_report_table_of(out, "Labelling at the given cost ratios", (size_t)-1, "r",
                                  isnan(p->class_ratio) ? "c" : "cost ratio");
            if (!isnan(p->class_ratio)) cairn_report_column(out, "c", 'r');
            label_columns(out);
            for (size_t i = 0; i < n; i++) {
                cairn_number_format(number, ratios[i], CAIRN_SHORTEST);
                snprintf(name, sizeof name, "at.%s", cairn_report_key(out, number));
                label_at(t, ratios[i] * shift, labels);
                cairn_report_cell(out, number);
                if (!isnan(p->class_ratio))
                    cairn_report_cell_number(out, ratios[i] * shift, 0, "%s.c", name);
                label_row(out, t, labels, name);
            }
        }
        if (p->labels) CHECK(show_same_label(ctx, out, t, p->labels));
        if (t->n_nodes) show_prunings(out, t);
        show_labellings(out, t);
        show_orders(out, t);
    }
    return draw(ctx, out, t, p);
}

const cairn_calculator cairn_compute_leaves = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "leaves",
         .also = "leaf labels, probability estimation tree, rankings of leaves",
         .about =
             "scoring tree, ranking tree, labelling of leaves, leaf node, choosing a labelling",
         .title = "Labels and rankings of the leaves of a tree",
         .summary =
             "From the positives and negatives in the leaves of a tree, typed or of a model: the "
             "ranking by share of positives, its coverage curve and area; the labelling of "
             "least cost for every ratio of costs; all labellings as points of the coverage "
             "plot, all orders with their areas; and, when the structure is known too, the "
             "curve after every split and the ranking of every tree that pruning can make.",
         .references = "Ferri, Flach, Hernández-Orallo: Learning decision trees using the "
                       "area under the ROC curve, ICML 2002",
         .example = "cairn compute leaves --leaves '((29,10)(1,25))((15,3)(5,62))'",
         .params = leaves_table,
         .params_size = sizeof(leaves_params)},
    .arguments = "[MODEL]",
    .takes_model = true,
    .run = leaves_run,
};
