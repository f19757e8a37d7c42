/* SPDX-License-Identifier: MIT */
/* cairn compute leaves: what the leaves of a tree can be made to answer.
 *
 * A tree divides positives and negatives over its leaves; which leaf answers "positive" is another
 * decision. Every labelling is a point in coverage space, every order of the leaves a ranking with
 * its area. By cost the best labelling follows a rule: with c = cost(FN) / cost(FP) a leaf is
 * positive where n+ c > n-, so labels change at the values n- / n+ and L leaves have at most L + 1
 * labellings that are ever best.
 *
 * A tree may be typed with its structure, ((29,10)(1,25))((15,3)(5,62)): then every tree that
 * pruning can make of it is ranked too, and the labelling says which splits have the same label on
 * both sides. */
#include "compute/compute.h"

#include "base/memory.h"
#include "base/number.h"
#include "compute/shown.h"
#include "evaluate/plot_roc.h"
#include "stats/ranking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LEAVES = 64, ALL_LABELLINGS = 12, ALL_ORDERS = 8, MOST_PRUNINGS = 500, DEEPEST = 64 };

typedef struct leaves_params {
    const char *leaves, *at, *labels;
    double base;
} leaves_params;

static const cairn_param leaves_table[] = {
    {.name = "leaves",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(leaves_params, leaves),
     .required = true,
     .help = "positives and negatives of the leaves from left to right, 29,10;1,25;15,3, or with "
             "the structure of the tree, ((29,10)(1,25))((15,3)(5,62))"},
    CAIRN_PARAM_AS(leaves_params, at, CAIRN_TYPE_LIST, NULL,
                   "ratios cost(FN) / cost(FP) to label the leaves for"),
    CAIRN_PARAM(leaves_params, labels, NULL, NULL,
                "a labelling such as +-++, whose splits with the same label are pruned"),
    CAIRN_PARAM(leaves_params, base, "2", "(1,inf)", "base of the logarithm in scores of leaves"),
    CAIRN_PARAM_END,
};

typedef struct leaf {
    double p, n;
} leaf;

typedef struct tree_node {
    int parent;
    int first, next; /* child, sibling; -1 = none */
    int leaf;        /* its place among the leaves; -1 = inner */
    double p, n;
    int split; /* number of the split, breadth first from 1; 0 = leaf */
} tree_node;

typedef struct leaf_tree {
    leaf leaves[MOST_LEAVES];
    size_t n_leaves;
    tree_node nodes[2 * MOST_LEAVES];
    int n_nodes; /* 0 = no structure was given */
    double p, n;
} leaf_tree;

/* -- reading -- */

static cairn_status add_leaf(cairn_context *ctx, leaf_tree *t, double p, double n)
{
    if (t->n_leaves == MOST_LEAVES)
        return cairn_fail(ctx, CAIRN_USAGE, "--leaves: at most %d leaves can be looked at",
                          MOST_LEAVES);
    t->leaves[t->n_leaves++] = (leaf){p, n};
    t->p += p;
    t->n += n;
    return CAIRN_OK;
}

/* "29,10)" at *at: the counts of a leaf whose bracket is open. */
static cairn_status read_pair(cairn_context *ctx, const char *text, size_t *at, double out[2])
{
    const char *end = text + strlen(text);
    for (int i = 0; i < 2; i++) {
        const char *from = text + *at, *to = cairn_number_scan(from, end, &out[i]);
        if (!to || !(out[i] >= 0) || isinf(out[i]))
            return cairn_fail_place(ctx, text, *at,
                                    "--leaves: a count of 0 or more is expected here");
        *at = (size_t)(to - text);
        if (text[*at] != ')' && text[*at] != ',')
            return cairn_fail_place(ctx, text, *at, "--leaves: %s",
                                    i == 0 ? "a comma is expected here" : "a ) is expected");
        if ((text[*at] == ',') != (i == 0))
            return cairn_fail_place(ctx, text, *at,
                                    "--leaves: a leaf is two counts: (positives,negatives)");
        ++*at;
    }
    return CAIRN_OK;
}

static int add_node(leaf_tree *t, int parent)
{
    int at = t->n_nodes++;
    t->nodes[at] = (tree_node){.parent = parent, .first = -1, .next = -1, .leaf = -1};
    if (parent < 0) return at;
    int *link = &t->nodes[parent].first;
    while (*link >= 0) link = &t->nodes[*link].next;
    *link = at;
    return at;
}

/* Brackets inside each other; the outermost node has none of its own. */
static cairn_status read_structure(cairn_context *ctx, leaf_tree *t, const char *text)
{
    size_t at = 0, depth = 0;
    cairn_status status = CAIRN_OK;
    int node = add_node(t, -1);
    while (text[at]) {
        if (text[at] == ' ') {
            at++;
        } else if (text[at] == ')') {
            if (t->nodes[node].parent < 0 || t->nodes[node].first < 0)
                TRY(cairn_fail_place(ctx, text, at, "--leaves: this ) closes nothing"));
            node = t->nodes[node].parent;
            depth--;
            at++;
        } else if (text[at] == '(') {
            if (t->n_nodes == 2 * MOST_LEAVES || depth == DEEPEST)
                TRY(cairn_fail_place(ctx, text, at, "--leaves: the tree is too large"));
            node = add_node(t, node);
            depth++;
            at++;
            if (text[at] == '(') continue;
            double counts[2];
            TRY(read_pair(ctx, text, &at, counts));
            t->nodes[node].leaf = (int)t->n_leaves;
            TRY(add_leaf(ctx, t, counts[0], counts[1]));
            node = t->nodes[node].parent;
            depth--;
        } else {
            TRY(cairn_fail_place(ctx, text, at, "--leaves: a bracket is expected here"));
        }
    }
    if (depth) TRY(cairn_fail_place(ctx, text, at, "--leaves: a ) is missing"));
done:
    return status;
}

/* Sums of counts below every node, and numbers of the splits level by level. */
static void finish_structure(leaf_tree *t)
{
    int number = 0;
    for (int i = t->n_nodes - 1; i >= 0; i--) {
        tree_node *node = &t->nodes[i];
        if (node->leaf >= 0) {
            node->p = t->leaves[node->leaf].p;
            node->n = t->leaves[node->leaf].n;
        }
        if (node->parent >= 0) {
            t->nodes[node->parent].p += node->p;
            t->nodes[node->parent].n += node->n;
        }
    }
    for (int depth = 0; depth <= DEEPEST; depth++)
        for (int i = 0; i < t->n_nodes; i++) {
            int d = 0;
            for (int at = i; t->nodes[at].parent >= 0; at = t->nodes[at].parent) d++;
            if (d == depth && t->nodes[i].leaf < 0) t->nodes[i].split = ++number;
        }
}

static cairn_status read_leaves(cairn_context *ctx, leaf_tree *t, const char *text)
{
    double *cells;
    size_t rows, columns;
    cairn_status status;
    if (strchr(text, '(')) {
        TRY(read_structure(ctx, t, text));
        finish_structure(t);
    } else {
        TRY(cairn_read_counts(ctx, "leaves", text, &cells, &rows, &columns));
        if (columns != 2)
            TRY(cairn_fail(ctx, CAIRN_USAGE,
                           "--leaves: a leaf has two counts, positives and negatives, not %zu",
                           columns));
        for (size_t i = 0; i < rows; i++) TRY(add_leaf(ctx, t, cells[2 * i], cells[2 * i + 1]));
    }
    if (!(t->p > 0 && t->n > 0))
        TRY(cairn_fail(ctx, CAIRN_USAGE, "--leaves: there must be positives and negatives"));
done:
    return status;
}

/* -- rankings -- */

/* Leaves of a set in the order of their share of positives; leaves of the same share are one
 * segment of the curve, and their order here does not matter. */
static void sort_by_share(leaf *leaves, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            leaf a = leaves[order[at - 1]], b = leaves[i];
            if (a.p * (b.p + b.n) >= b.p * (a.p + a.n)) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* Area under the curve of leaves taken in an order. */
static double area_of(const leaf *leaves, const size_t *order, size_t n, double p, double total_n)
{
    double above = 0, area = 0;
    for (size_t i = 0; i < n; i++) {
        leaf at = leaves[order ? order[i] : i];
        area += at.n * (above + at.p / 2);
        above += at.p;
    }
    return area / (p * total_n);
}

static void add_pair(cairn_text *out, leaf at)
{
    cairn_text_add_char(out, '[');
    cairn_text_add_number(out, at.p, 6);
    cairn_text_add(out, "+,");
    cairn_text_add_number(out, at.n, 6);
    cairn_text_add(out, "-]");
}

/* -- what is shown -- */

static void show_leaves(cairn_report *out, const leaf_tree *t, double base)
{
    cairn_report_table_begin(out, "Leaves", (size_t)-1);
    cairn_report_column(out, "leaf", 'r');
    cairn_report_column(out, "positives", 'r');
    cairn_report_column(out, "negatives", 'r');
    cairn_report_column(out, "share of positives", 'r');
    cairn_report_column(out, "log ratio", 'r');
    cairn_report_column(out, "majority", 'l');
    for (size_t i = 0; i < t->n_leaves; i++) {
        leaf at = t->leaves[i];
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, at.p, 0, "leaf%zu.positives", i + 1);
        cairn_report_cell_number(out, at.n, 0, "leaf%zu.negatives", i + 1);
        cairn_report_cell_number(out, at.p / (at.p + at.n), 0, "leaf%zu.share", i + 1);
        cairn_report_cell_number(out, log(at.p / at.n) / log(base), 0, "leaf%zu.score", i + 1);
        cairn_report_cell_word(out, at.p > at.n ? "+" : "-", "leaf%zu.majority", i + 1);
    }
    cairn_report_table_end(out);
}

/* The ranking of the leaves and the corners of its curve. */
static cairn_status show_ranking(cairn_context *ctx, cairn_report *out, leaf_tree *t)
{
    size_t order[MOST_LEAVES];
    double fp = 0, tp = 0;
    cairn_text text = cairn_text_start(ctx);
    sort_by_share(t->leaves, order, t->n_leaves);
    for (size_t i = 0; i < t->n_leaves; i++) add_pair(&text, t->leaves[order[i]]);
    cairn_report_word(out, "leaves by share of positives", cairn_text_string(&text), "ranking");
    cairn_report_value(out, "area under the curve",
                       area_of(t->leaves, order, t->n_leaves, t->p, t->n), "auc");
    cairn_report_table_begin(out, "Corners of the coverage curve", (size_t)-1);
    cairn_report_column(out, "after leaf", 'l');
    cairn_report_column(out, "FP", 'r');
    cairn_report_column(out, "TP", 'r');
    for (size_t i = 0; i <= t->n_leaves; i++) {
        if (i == 0)
            cairn_report_cell(out, "none");
        else
            cairn_report_cellf(out, "%zu", order[i - 1] + 1);
        cairn_report_cell_number(out, fp, 0, "corner%zu.fp", i);
        cairn_report_cell_number(out, tp, 0, "corner%zu.tp", i);
        if (i < t->n_leaves) fp += t->leaves[order[i]].n, tp += t->leaves[order[i]].p;
    }
    cairn_report_table_end(out);
    cairn_status status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

/* Labels of the leaves that are positive at cost ratio c. */
static void label_at(const leaf_tree *t, double c, char *out)
{
    for (size_t i = 0; i < t->n_leaves; i++) {
        leaf at = t->leaves[i];
        bool positive = isinf(c) ? at.p > 0 : at.p * c > at.n;
        out[i] = positive ? '+' : '-';
    }
    out[t->n_leaves] = 0;
}

static void point_of(const leaf_tree *t, const char *labels, double *fp, double *tp)
{
    *fp = *tp = 0;
    for (size_t i = 0; i < t->n_leaves; i++)
        if (labels[i] == '+') *fp += t->leaves[i].n, *tp += t->leaves[i].p;
}

/* Labelling, its point and its accuracy, in the columns that begin_labels made. */
static void label_row(cairn_report *out, const leaf_tree *t, const char *labels, const char *name)
{
    double fp, tp;
    point_of(t, labels, &fp, &tp);
    cairn_report_cell_word(out, labels, "%s.labels", name);
    cairn_report_cell_number(out, fp, 0, "%s.fp", name);
    cairn_report_cell_number(out, tp, 0, "%s.tp", name);
    cairn_report_cell_number(out, (tp + t->n - fp) / (t->p + t->n), 0, "%s.accuracy", name);
}

static void label_columns(cairn_report *out)
{
    cairn_report_column(out, "labels", 'l');
    cairn_report_column(out, "FP", 'r');
    cairn_report_column(out, "TP", 'r');
    cairn_report_column(out, "accuracy", 'r');
}

/* The labellings that are best for some c, with their ranges. */
static void show_intervals(cairn_report *out, const leaf_tree *t)
{
    double from = 0;
    char labels[MOST_LEAVES + 1], name[32];
    cairn_report_formula(out, "positive where n₊·c > n₋,   c = cost(FN) / cost(FP)");
    cairn_report_table_begin(out, "Best labelling by cost ratio c", (size_t)-1);
    cairn_report_column(out, "c from", 'r');
    cairn_report_column(out, "to", 'r');
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
    cairn_report_table_end(out);
}

static cairn_status show_wanted(cairn_context *ctx, cairn_report *out, const leaf_tree *t,
                                const char *list)
{
    double *ratios;
    size_t n;
    char labels[MOST_LEAVES + 1], name[64], number[CAIRN_NUMBER_SIZE];
    cairn_status status;
    TRY(cairn_list_numbers(ctx, "at", list, &ratios, &n));
    cairn_report_table_begin(out, "Labelling at the given cost ratios", (size_t)-1);
    cairn_report_column(out, "c", 'r');
    label_columns(out);
    for (size_t i = 0; i < n; i++) {
        if (!(ratios[i] >= 0)) TRY(cairn_fail(ctx, CAIRN_USAGE, "--at: a cost ratio is 0 or more"));
        cairn_number_format(number, ratios[i], CAIRN_SHORTEST);
        snprintf(name, sizeof name, "at.%s", cairn_report_key(out, number));
        label_at(t, ratios[i], labels);
        cairn_report_cell(out, number);
        label_row(out, t, labels, name);
    }
    cairn_report_table_end(out);
done:
    return status;
}

static void show_labellings(cairn_report *out, const leaf_tree *t)
{
    char labels[MOST_LEAVES + 1];
    if (t->n_leaves > ALL_LABELLINGS) return;
    cairn_report_table_begin(out, "All labellings", 64);
    cairn_report_column(out, "labels", 'l');
    cairn_report_column(out, "FP", 'r');
    cairn_report_column(out, "TP", 'r');
    for (size_t code = 0; code < (size_t)1 << t->n_leaves; code++) {
        double fp, tp;
        for (size_t i = 0; i < t->n_leaves; i++)
            labels[i] = code >> (t->n_leaves - 1 - i) & 1 ? '-' : '+';
        labels[t->n_leaves] = 0;
        point_of(t, labels, &fp, &tp);
        cairn_report_cell(out, labels);
        cairn_report_cell_number(out, fp, 0, "label.%s.fp", labels);
        cairn_report_cell_number(out, tp, 0, "label.%s.tp", labels);
    }
    cairn_report_table_end(out);
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

static void show_orders(cairn_report *out, const leaf_tree *t)
{
    size_t order[MOST_LEAVES], n = t->n_leaves, count = 0;
    char best[200] = "", worst[200] = "";
    double most = -1, least = 2;
    if (n > ALL_ORDERS) return;
    for (size_t i = 0; i < n; i++) order[i] = i;
    do {
        double area = area_of(t->leaves, order, n, t->p, t->n);
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
static size_t leaves_of(const leaf_tree *t, const bool *cut, leaf *out)
{
    size_t n = 0;
    bool gone[2 * MOST_LEAVES] = {false};
    for (int i = 0; i < t->n_nodes; i++) {
        int parent = t->nodes[i].parent;
        gone[i] = parent >= 0 && (gone[parent] || cut[parent]);
        if (!gone[i] && (t->nodes[i].leaf >= 0 || cut[i]))
            out[n++] = (leaf){t->nodes[i].p, t->nodes[i].n};
    }
    return n;
}

/* The splits that are there, 1+2+3; "root" when there is none. */
static void splits_text(const leaf_tree *t, const bool *cut, char *out, size_t size)
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

static void ranking_row(cairn_report *out, const leaf_tree *t, const bool *cut)
{
    leaf found[MOST_LEAVES], *leaves = found;
    size_t order[MOST_LEAVES], n = leaves_of(t, cut, found);
    char name[200];
    cairn_text text = cairn_text_start(cairn_report_context(out));
    sort_by_share(leaves, order, n);
    for (size_t i = 0; i < n; i++) add_pair(&text, leaves[order[i]]);
    splits_text(t, cut, name, sizeof name);
    cairn_report_cell(out, name);
    cairn_report_cell_word(out, cairn_text_string(&text), "tree.%s.ranking", name);
    cairn_report_cell_number(out, area_of(leaves, order, n, t->p, t->n), 0, "tree.%s.auc", name);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* Go through all prunings: every inner node is cut or not, and below a cut nothing counts. Inner
 * nodes come before what is below them, so a counter over them that skips hidden ones does it. */
static void show_prunings(cairn_report *out, const leaf_tree *t)
{
    bool cut[2 * MOST_LEAVES] = {false};
    int inner[MOST_LEAVES], n_inner = 0;
    size_t shown = 0;
    for (int i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].leaf < 0) inner[n_inner++] = i;
    cairn_report_table_begin(out, "Trees that pruning can make", 50);
    cairn_report_column(out, "splits", 'l');
    cairn_report_column(out, "ranking", 'l');
    cairn_report_column(out, "area", 'r');
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
    cairn_report_table_end(out);
    cairn_report_value(out, "trees", (double)shown, "trees");
}

/* A labelling and what is left when splits with one label below are taken back. */
static cairn_status show_same_label(cairn_context *ctx, cairn_report *out, leaf_tree *t,
                                    const char *labels)
{
    bool cut[2 * MOST_LEAVES] = {false};
    char same[2 * MOST_LEAVES];
    leaf left[MOST_LEAVES];
    size_t order[MOST_LEAVES];
    double fp, tp;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    if (strlen(labels) != t->n_leaves || strspn(labels, "+-") != t->n_leaves)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "--labels: %zu signs + or - are needed, one per leaf, not '%s'", t->n_leaves,
                       labels));
    point_of(t, labels, &fp, &tp);
    cairn_report_value(out, "FP of the labelling", fp, "labelled.fp");
    cairn_report_value(out, "TP of the labelling", tp, "labelled.tp");
    cairn_report_value(out, "accuracy", (tp + t->n - fp) / (t->p + t->n), "labelled.accuracy");
    if (!t->n_nodes) goto done;
    for (int i = t->n_nodes - 1; i >= 0; i--) {
        const tree_node *node = &t->nodes[i];
        same[i] = node->leaf >= 0 ? labels[node->leaf] : 0;
        for (int at = node->first; node->leaf < 0 && at >= 0; at = t->nodes[at].next)
            same[i] = at == node->first || same[at] == same[i] ? same[at] : 'x';
        cut[i] = node->leaf < 0 && same[i] != 'x';
    }
    size_t n = leaves_of(t, cut, left);
    for (size_t i = 0; i < n; i++) add_pair(&text, left[i]);
    cairn_report_word(out, "leaves when splits with one label are pruned", cairn_text_string(&text),
                      "pruned.leaves");
    sort_by_share(left, order, n);
    cairn_report_value(out, "area of the ranking then", area_of(left, order, n, t->p, t->n),
                       "pruned.auc");
    TRY(cairn_text_status(&text));
done:
    cairn_text_clear(&text);
    return status;
}

/* -- picture -- */

/* The curve of the leaves by share, as points of a coverage plot. */
static cairn_status draw_points(cairn_context *ctx, cairn_report *out, leaf_tree *t)
{
    size_t order[MOST_LEAVES];
    cairn_roc_point points[MOST_LEAVES + 1];
    char names[MOST_LEAVES + 1][MOST_LEAVES + 1];
    bool front[MOST_LEAVES + 1];
    cairn_figure *figure = NULL;
    double fp = 0, tp = 0;
    sort_by_share(t->leaves, order, t->n_leaves);
    memset(names[0], '-', t->n_leaves);
    for (size_t i = 0; i <= t->n_leaves; i++) {
        if (i > 0) {
            memcpy(names[i], names[i - 1], sizeof names[i]);
            names[i][order[i - 1]] = '+';
            fp += t->leaves[order[i - 1]].n;
            tp += t->leaves[order[i - 1]].p;
        }
        names[i][t->n_leaves] = 0;
        points[i] = (cairn_roc_point){names[i], fp, tp, t->n, t->p};
        front[i] = true;
    }
    cairn_status status = cairn_plot_roc_points(ctx, &figure, points, t->n_leaves + 1, front, true);
    if (status == CAIRN_OK) cairn_report_figure(out, figure);
    return status;
}

static cairn_status leaves_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const leaves_params *p = job->params;
    leaf_tree *t = NULL;
    cairn_status status;
    TRY(SCRATCH(ctx, &t, 1));
    TRY(read_leaves(ctx, t, p->leaves));
    cairn_report_heading(out, 1, "What %zu leaves can answer", t->n_leaves);
    show_leaves(out, t, p->base);
    TRY(show_ranking(ctx, out, t));
    show_intervals(out, t);
    if (p->at) TRY(show_wanted(ctx, out, t, p->at));
    if (p->labels) TRY(show_same_label(ctx, out, t, p->labels));
    if (t->n_nodes) show_prunings(out, t);
    show_labellings(out, t);
    show_orders(out, t);
    if (t->n_leaves <= 12) TRY(draw_points(ctx, out, t));
done:
    return status;
}

const cairn_calculator cairn_compute_leaves = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "leaves",
              .title = "Labels and rankings of the leaves of a tree",
              .summary =
                  "From the positives and negatives in the leaves of a tree: the ranking by share "
                  "of positives, its coverage curve and area; the labelling of least cost for "
                  "every ratio of costs; all labellings as points of the coverage plot, all orders "
                  "with their areas; and, when the structure is typed too, the ranking of every "
                  "tree that pruning can make.",
              .references = "Ferri, Flach, Hernández-Orallo: Learning decision trees using the "
                            "area under the ROC curve, ICML 2002",
              .example = "cairn compute leaves --leaves '((29,10)(1,25))((15,3)(5,62))'",
              .params = leaves_table,
              .params_size = sizeof(leaves_params)},
    .arguments = "",
    .run = leaves_run,
};
