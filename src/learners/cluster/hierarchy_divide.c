/* SPDX-License-Identifier: MIT */
/* Clusters that are divided: DIANA, and bisecting by 2-means. What was divided first is merged
 * last. */
#include "learners/cluster/hierarchy.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

/* A part that is a single row is not split. */
enum { NO_SPLIT = UINT32_MAX };

typedef struct split_node {
    uint32_t first, count; /* rows of the cluster */
    uint32_t kept;         /* how many of them are its left part */
    uint32_t left, right;  /* splits of the parts, NO_SPLIT = single rows */
    double height;
} split_node;

/* Splits that are shown among the steps. */
enum { SHOWN_SPLITS = 30 };

/* The number of a part of a split: a row, or the merge that its own split becomes. */
static uint32_t part_number(const uint32_t *order, const uint32_t *number, uint32_t split,
                            uint32_t first)
{
    return split == NO_SPLIT ? order[first] : number[split];
}

/* Fill the merges of the tree: the splits (n_leaves - 1) in the order `sequence` (NULL = as they
 * stand), in which a part comes after the whole, the first as the last merge. */
static cairn_status splits_to_tree(cairn_context *ctx, cairn_dendrogram *tree,
                                   const uint32_t *order, const split_node *splits,
                                   const uint32_t *sequence)
{
    SCOPED_SCRATCH(ctx);
    size_t n = tree->n_leaves;
    uint32_t *number; /* of each split: the cluster that it takes apart */
    CHECK(SCRATCH(ctx, &number, n));
    for (size_t k = 0; k + 1 < n; k++)
        number[sequence ? sequence[k] : k] = (uint32_t)(n + (n - 2 - k));
    for (size_t k = 0; k + 1 < n; k++) {
        const split_node *s = &splits[k];
        tree->merges[number[k] - n] = (cairn_merge){
            .left = part_number(order, number, s->left, s->first),
            .right = part_number(order, number, s->right, s->first + s->kept),
            .height = s->height,
        };
    }
    return cairn_dendrogram_complete(ctx, tree);
}

static double weight(const cairn_hierarchy_data *data, uint32_t row)
{
    return data->weights ? data->weights[row] : 1;
}

/* Splits that are not among the steps. */
static void tell_others(cairn_report *steps, size_t n_splits)
{
    if (n_splits > SHOWN_SPLITS)
        cairn_report_paragraph(steps, "The other %zu splits are made in the same way.",
                               n_splits - SHOWN_SPLITS);
}

/* "{a, b, c}" of rows[0 .. n-1], by their names; of more than a dozen the first and how many. */
static void rows_text(cairn_text *out, const cairn_hierarchy_data *data, const uint32_t *rows,
                      size_t n)
{
    enum { MOST = 12 };
    size_t shown = n <= MOST ? n : MOST;
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < shown; i++)
        cairn_text_addf(out, "%s%s", i ? ", " : "", data->names[rows[i]]);
    if (shown < n) cairn_text_addf(out, ", … %zu more", n - shown);
    cairn_text_add_char(out, '}');
}

/* DIANA: clusters are divided from the whole down to single rows.
 *
 * 1. Of the clusters that there are, the one with the largest diameter (the largest distance of two
 *    of its rows) is split next, the first of equal ones; its diameter is the height.
 * 2. The row whose average distance to the others is largest starts the splinter group.
 * 3. For every row x that is left, D_x is its average distance to the others that are left minus
 *    that to the splinter group; the row with the largest D_x goes over, while that is above 0.
 * 4. What is left and the splinter group are the parts, in this order.
 *
 * Rows that are equally far (to 1e-12) make a tie: the first or the last is taken, the others are
 * told. Weights count in the averages as so many rows.
 *
 * Sums of distances are kept from split to split: a row that goes over is subtracted from the one
 * side and added to the other, in twice the digits, so that a split costs the size of the cluster
 * times that of the splinter group and rounding never decides. The row that is farthest from each
 * is kept, too, and looked for again only where it has gone to the other part. Distances of all
 * pairs are kept where they fit into memory, else they are computed again.
 *
 * Source: Kaufman and Rousseeuw, Finding Groups in Data (1990), chapter 6. */

/* A sum and what was lost in its rounding. */
typedef struct wide {
    double high, low;
} wide;

typedef struct diana {
    cairn_context *ctx;
    const cairn_hierarchy_data *data;
    size_t n;
    bool last;         /* ties go to the last row */
    double *pairs;     /* all distances; NULL = they are computed when they are asked for */
    int32_t *buffer;   /* for one thread */
    double *line;      /* n: distances of one row from the rows of a cluster */
    uint32_t *order;   /* n */
    uint32_t *part;    /* n: for putting the parts in order */
    uint32_t *cluster; /* n: the split that each row waits for; NO_SPLIT = none */
    wide *own, *other; /* n: sums of distances to what is left, and to the splinter group */
    bool *moved;       /* n: it is in the splinter group */
    double *far;       /* n: largest distance within its cluster, or a bound of it */
    uint32_t *far_at;  /* n: the row at that distance */
    split_node *splits;
    uint32_t (*ends)[2]; /* per split: two rows at the distance of its diameter */
    size_t n_splits;
    cairn_report *steps;
} diana;

/* All distances are kept where they take less than two fifths of the free memory; else they are
 * computed when they are needed. */
static cairn_status make_buffer(diana *d)
{
    size_t n = d->n, pairs = n * (n - 1) / 2;
    bool keep = (double)pairs * 8 < 0.4 * (double)cairn_memory_available(d->ctx);
    CHECK(SCRATCH_EACH(d->ctx, n, &d->line, &d->order, &d->part, &d->cluster, &d->own, &d->other,
                       &d->moved, &d->far, &d->far_at, &d->splits, &d->ends));
    CHECK(SCRATCH(d->ctx, &d->buffer, cairn_distance_buffer(d->data->rows, d->data->rows) + 1));
    if (!keep) return CAIRN_OK;
    CHECK(SCRATCH_RAW(d->ctx, &d->pairs, pairs));
    return cairn_distances_condensed(d->ctx, d->data->rows, d->pairs);
}

static double distance(const diana *d, size_t i, size_t j)
{
    if (i == j) return 0;
    if (d->pairs) return d->pairs[i < j ? cairn_pair_at(d->n, i, j) : cairn_pair_at(d->n, j, i)];
    return cairn_distance_pair(d->data->rows, i, d->data->rows, j, d->buffer);
}

/* line[k] = distance of the row from rows[k]. */
static void measure(diana *d, size_t row, const uint32_t *rows, size_t n)
{
    if (!d->pairs)
        cairn_distances_alone(d->data->rows, rows, n, d->data->rows, row, 1, d->line, 1, d->buffer);
    for (size_t k = 0; d->pairs && k < n; k++) d->line[k] = distance(d, row, rows[k]);
}

static void find_far(diana *d, uint32_t row, const uint32_t *rows, size_t n)
{
    measure(d, row, rows, n);
    d->far[row] = -1;
    for (size_t k = 0; k < n; k++) {
        if (rows[k] == row || !(d->line[k] > d->far[row])) continue;
        d->far[row] = d->line[k];
        d->far_at[row] = rows[k];
    }
}

static void add(wide *sum, double term)
{
    double total = sum->high + term, rest = total - sum->high;
    sum->low += (sum->high - (total - rest)) + (term - rest);
    sum->high = total;
}

static double value(const wide *sum)
{
    return sum->high + sum->low;
}

/* Sums of distances and the farthest row of each row, once for all. */
static cairn_status start(diana *d)
{
    for (uint32_t i = 0; i < d->n; i++) d->order[i] = i;
    for (uint32_t i = 0; i < d->n; i++) {
        CHECK(cairn_tick(d->ctx, "distances", i, (double)d->n));
        find_far(d, i, d->order, d->n);
        for (uint32_t k = 0; k < d->n; k++)
            if (k != i) add(&d->own[i], weight(d->data, k) * d->line[k]);
        if (!isfinite(value(&d->own[i])))
            return cairn_fail(d->ctx, CAIRN_BAD_DATA,
                              "the distances of row %s from the others add up to too much; scale "
                              "the columns, or the distances",
                              d->data->names[i]);
    }
    return CAIRN_OK;
}

/* Bounds are made exact from the largest on, until the largest is. */
static double find_diameter(diana *d, const split_node *s, uint32_t split)
{
    const uint32_t *rows = d->order + s->first;
    for (;;) {
        uint32_t best = rows[0];
        for (size_t k = 1; k < s->count; k++)
            if (d->far[rows[k]] > d->far[best]) best = rows[k];
        if (d->cluster[d->far_at[best]] == split) {
            uint32_t other = d->far_at[best];
            d->ends[split][0] = best < other ? best : other;
            d->ends[split][1] = best < other ? other : best;
            return d->far[best];
        }
        find_far(d, best, rows, s->count);
    }
}

/* A part of several rows waits to be split itself. */
static uint32_t add_cluster(diana *d, size_t *n_nodes, uint32_t first, uint32_t count)
{
    uint32_t at = count > 1 ? (uint32_t)*n_nodes : NO_SPLIT;
    for (size_t k = 0; k < count; k++) d->cluster[d->order[first + k]] = at;
    if (count == 1) return at;
    d->splits[at] = (split_node){.first = first, .count = count};
    d->splits[at].height = find_diameter(d, &d->splits[at], at);
    ++*n_nodes;
    return at;
}

static const double tolerance = 1e-12;

/* The next cluster to be split: the largest diameter, the first in the order of rows among equal
 * ones. */
static uint32_t next_cluster(const diana *d, const bool *done, size_t n_nodes)
{
    uint32_t best = NO_SPLIT;
    for (uint32_t i = 0; i < n_nodes; i++) {
        if (done[i]) continue;
        if (best == NO_SPLIT) {
            best = i;
            continue;
        }
        double slack = tolerance * d->splits[best].height;
        double more = d->splits[i].height - d->splits[best].height;
        if (more > slack || (more >= -slack && d->splits[i].first < d->splits[best].first))
            best = i;
    }
    return best;
}

/* What a round looks at: rows that are left, and the weights of the two sides. */
typedef struct sides {
    const uint32_t *rows;
    size_t n, n_left;
    double left, splinter;
} sides;

static cairn_status set_text(diana *d, cairn_text *out, const uint32_t *rows, size_t n)
{
    rows_text(out, d->data, rows, n);
    return cairn_text_status(out);
}

static cairn_status show_start(diana *d, const split_node *s, uint32_t split)
{
    SCOPED(cairn_text_clear) cairn_text set = cairn_text_start(d->ctx);
    CHECK(set_text(d, &set, d->order + s->first, s->count));
    cairn_report_step_begin(d->steps, "Split %zu: %s", d->n_splits, cairn_text_string(&set));
    cairn_report_hidden_word(d->steps, cairn_text_string(&set), "split%zu.cluster", d->n_splits);
    cairn_report_worked(d->steps, NULL, "diameter = largest distance = #", s->height);
    cairn_report_hidden(d->steps, s->height, "split%zu.diameter", d->n_splits);
    cairn_report_paragraph(d->steps, "It is that of %s and %s, and the height of the split.",
                           d->data->names[d->ends[split][0]], d->data->names[d->ends[split][1]]);
    return CAIRN_OK;
}

/* Average distance to the others on its side. */
static double average_own(const diana *d, const sides *s, uint32_t row)
{
    return value(&d->own[row]) / (s->left - weight(d->data, row));
}

static double gain(const diana *d, const sides *s, uint32_t row)
{
    return average_own(d, s, row) - value(&d->other[row]) / s->splinter;
}

/* The row that goes over in this round, and the number of rows that are as good. */
static uint32_t choose(const diana *d, const sides *s, double *best, size_t *tied)
{
    uint32_t chosen = NO_SPLIT;
    bool first = s->splinter == 0;
    for (size_t k = 0; k < s->n; k++) {
        uint32_t row = s->rows[k];
        if (d->moved[row]) continue;
        double own = average_own(d, s, row), at = first ? own : gain(d, s, row);
        double slack = tolerance * fabs(own);
        bool as_good = chosen != NO_SPLIT && fabs(at - *best) <= slack;
        bool better = chosen == NO_SPLIT || (!as_good && at > *best);
        if (as_good) ++*tied;
        if (better) *tied = 1;
        if (better || (as_good && d->last)) chosen = row;
        if (better) *best = at;
    }
    return chosen;
}

enum { FEW_ROWS = 8 }; /* of so few the numbers are put in */

/* "(9 + 3 + 6)/3 = 6" of the rows on one side of a row. */
static cairn_status show_average(diana *d, const sides *s, uint32_t row, bool splinter)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(d->ctx);
    double over = splinter ? s->splinter : s->left - weight(d->data, row);
    double average = splinter ? value(&d->other[row]) / over : average_own(d, s, row);
    const char *between = "";
    bool few = s->n <= FEW_ROWS, several = (splinter ? s->n - s->n_left : s->n_left - 1) > 1;
    if (few && several) cairn_text_add_char(&text, '(');
    for (size_t k = 0; k < s->n && few; k++) {
        uint32_t y = s->rows[k];
        if (y == row || d->moved[y] != splinter) continue;
        cairn_text_add(&text, between);
        if (weight(d->data, y) != 1) {
            cairn_text_add_number(&text, weight(d->data, y), 6);
            cairn_text_add(&text, "·");
        }
        cairn_text_add_number(&text, distance(d, row, y), 6);
        between = " + ";
    }
    if (few) {
        cairn_text_add(&text, several ? ")/" : "/");
        cairn_text_add_number(&text, over, 6);
        cairn_text_add(&text, " = ");
    }
    cairn_text_add_number(&text, average, 6);
    cairn_report_cell(d->steps, cairn_text_string(&text));
    return cairn_text_status(&text);
}

static cairn_status show_row(diana *d, const sides *s, uint32_t row, size_t round, bool chosen)
{
    const char *name = d->data->names[row], *key = cairn_report_key(d->steps, name);
    cairn_report_cell(d->steps, name);
    if (chosen) cairn_report_row_mark(d->steps);
    if (round == 1) {
        double average = average_own(d, s, row);
        CHECK(show_average(d, s, row, false));
        cairn_report_hidden(d->steps, average, "split%zu.average.%s", d->n_splits, key);
        return CAIRN_OK;
    }
    CHECK(show_average(d, s, row, false));
    CHECK(show_average(d, s, row, true));
    cairn_report_cell_number(d->steps, gain(d, s, row), 0, "split%zu.round%zu.d.%s", d->n_splits,
                             round, key);
    return CAIRN_OK;
}

/* Rows that are as good as the chosen one. */
static cairn_status show_ties(diana *d, const sides *s, uint32_t chosen, double best, size_t round)
{
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(d->ctx);
    for (size_t k = 0; k < s->n; k++) {
        uint32_t row = s->rows[k];
        if (d->moved[row]) continue;
        double own = average_own(d, s, row), at = round == 1 ? own : gain(d, s, row);
        if (fabs(at - best) > tolerance * fabs(own)) continue;
        cairn_text_addf(&names, "%s%s", names.length ? ", " : "", d->data->names[row]);
    }
    cairn_report_paragraph(d->steps, "%s are tied; the %s, %s, is taken.",
                           cairn_text_string(&names), d->last ? "last" : "first",
                           d->data->names[chosen]);
    cairn_report_hidden_word(d->steps, cairn_text_string(&names), "split%zu.round%zu.tied",
                             d->n_splits, round);
    return cairn_text_status(&names);
}

/* `goes` is false in the last round, where no row is nearer to the splinter group than to the
 * rest. */
static cairn_status show_round(diana *d, const sides *s, uint32_t chosen, double best, size_t tied,
                               size_t round, bool goes)
{
    if (round == 1) {
        cairn_report_table_of(d->steps, "Average distances to the others", 0, "ll", "row",
                              "average");
    } else {
        cairn_report_formula(d->steps, "D(x) = average d(x, the others that are left) − average "
                                       "d(x, splinter group)");
        cairn_report_table_of(d->steps, NULL, 0, "lllr", "row", "to the others", "to the splinter",
                              "D");
    }
    for (size_t k = 0; k < s->n; k++)
        if (!d->moved[s->rows[k]])
            CHECK(show_row(d, s, s->rows[k], round, goes && s->rows[k] == chosen));
    cairn_report_table_end(d->steps);
    if (!goes) {
        cairn_report_paragraph(d->steps, "No D is above 0: the split is done.");
        return CAIRN_OK;
    }
    if (tied > 1) CHECK(show_ties(d, s, chosen, best, round));
    cairn_report_word(d->steps, round == 1 ? "starts the splinter group" : "goes over",
                      d->data->names[chosen], "split%zu.round%zu.moved", d->n_splits, round);
    return CAIRN_OK;
}

static void move(diana *d, sides *s, uint32_t row)
{
    double w = weight(d->data, row);
    measure(d, row, s->rows, s->n);
    for (size_t k = 0; k < s->n; k++) {
        if (s->rows[k] == row) continue;
        add(&d->own[s->rows[k]], -w * d->line[k]);
        add(&d->other[s->rows[k]], w * d->line[k]);
    }
    d->moved[row] = true;
    s->left -= w;
    s->splinter += w;
    s->n_left--;
}

/* Rows go over until no D is above 0; returns whether that is shown. */
static cairn_status divide(diana *d, sides *s, bool show)
{
    for (size_t round = 1; s->n_left > 1; round++) {
        double best = 0;
        size_t tied = 0;
        uint32_t row = choose(d, s, &best, &tied);
        bool goes = round == 1 || best > tolerance * fabs(average_own(d, s, row));
        if (show) CHECK(show_round(d, s, row, best, tied, round, goes));
        if (!goes) break;
        move(d, s, row);
        CHECK(cairn_tick(d->ctx, "dividing", (double)d->n_splits, (double)d->n));
    }
    return CAIRN_OK;
}

/* Put what is left before the splinter group, and begin the sums anew. */
static void separate(diana *d, split_node *s)
{
    uint32_t *rows = d->order + s->first;
    size_t kept = 0, gone = 0;
    for (size_t k = 0; k < s->count; k++)
        if (d->moved[rows[k]])
            d->part[gone++] = rows[k];
        else
            rows[kept++] = rows[k];
    memcpy(rows + kept, d->part, gone * sizeof *rows);
    s->kept = (uint32_t)kept;
    for (size_t k = 0; k < s->count; k++) {
        uint32_t row = rows[k];
        if (k >= kept) d->own[row] = d->other[row];
        d->other[row] = (wide){0, 0};
        d->moved[row] = false;
    }
}

static cairn_status show_parts(diana *d, const split_node *s)
{
    SCOPED(cairn_text_clear) cairn_text left = cairn_text_start(d->ctx);
    SCOPED(cairn_text_clear) cairn_text right = cairn_text_start(d->ctx);
    CHECK(set_text(d, &left, d->order + s->first, s->kept));
    CHECK(set_text(d, &right, d->order + s->first + s->kept, s->count - s->kept));
    cairn_report_word(d->steps, "what is left", cairn_text_string(&left), "split%zu.left",
                      d->n_splits);
    cairn_report_word(d->steps, "splinter group", cairn_text_string(&right), "split%zu.right",
                      d->n_splits);
    cairn_report_step_end(d->steps);
    return CAIRN_OK;
}

/* All n - 1 splits down to single rows; `sequence` tells the order in which they are made. */
static cairn_status split_all(diana *d, uint32_t *sequence)
{
    size_t n_nodes = 0;
    bool *done;
    CHECK(SCRATCH(d->ctx, &done, d->n));
    (void)add_cluster(d, &n_nodes, 0, (uint32_t)d->n);
    for (size_t k = 0; k + 1 < d->n; k++) {
        uint32_t at = next_cluster(d, done, n_nodes);
        split_node *s = &d->splits[at];
        bool show = d->steps && k < SHOWN_SPLITS;
        sides two = {.rows = d->order + s->first, .n = s->count, .n_left = s->count};
        for (size_t i = 0; i < s->count; i++) two.left += weight(d->data, two.rows[i]);
        sequence[k] = at;
        done[at] = true;
        d->n_splits = k + 1;
        if (show) CHECK(show_start(d, s, at));
        CHECK(divide(d, &two, show));
        separate(d, s);
        if (show) CHECK(show_parts(d, s));
        s->left = add_cluster(d, &n_nodes, s->first, s->kept);
        s->right = add_cluster(d, &n_nodes, s->first + s->kept, s->count - s->kept);
    }
    return CAIRN_OK;
}

static cairn_status hierarchy_diana(cairn_context *ctx, cairn_dendrogram *tree,
                                    const cairn_hierarchy_data *data,
                                    const cairn_hierarchy_params *params, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    diana d = {.ctx = ctx,
               .data = data,
               .n = data->n,
               .last = params->tie == CAIRN_HIERARCHY_LAST,
               .steps = steps};
    uint32_t *sequence;
    CHECK(make_buffer(&d));
    CHECK(SCRATCH(ctx, &sequence, d.n));
    CHECK(start(&d));
    CHECK(split_all(&d, sequence));
    tell_others(steps, d.n - 1);
    return splits_to_tree(ctx, tree, d.order, d.splits, sequence);
}

/* Bisecting: clusters are divided in two by 2-means, from the whole down to single rows.
 *
 * 1. Of the clusters that there are, the one with the largest sum of squares about its mean is
 *    split next.
 * 2. The first two centres are the row that is farthest from the mean, and the row farthest from
 *    that one (the first of equal ones).
 * 3. Rows go to the nearer centre (a tie to the first), centres to the means of their rows, until
 *    no row changes its side or 100 rounds were made. Rows that all lie in one place are halved.
 * 4. The part of the first row of the cluster stands left.
 *
 * The height of a split is Ward's distance of the parts, √(2 |A||B| / (|A| + |B|)) |a − b| for
 * means a and b, whose square is twice what the split takes off the sum of squares. Such heights
 * need not fall from a cluster to its parts: the tree may have inversions.
 *
 * A part has a smaller sum of squares than the whole, so clusters can be split in any order and are
 * put in the order of rule 1 at the end: those of one level are split side by side. The cost of a
 * level is a few passes over the rows; a balanced tree has log n levels.
 *
 * Source: Steinbach, Karypis and Kumar, A comparison of document clustering techniques (2000). */

/* 2-means needs places whose mean is one: rows of numbers compared by differences squared. */
static cairn_status check_places(cairn_context *ctx, const cairn_hierarchy_data *data)
{
    const cairn_distance_rows *rows = data->rows;
    if (rows->given)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{method bisecting} needs the rows, not their distances, since it takes "
                          "means; {method diana} works with distances alone");
    if (rows->metric.family != CAIRN_BY_SQUARES || rows->points.n_items || rows->points.n_texts ||
        !rows->points.width)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{method bisecting} takes means, which the distance %s has none of; use "
                          "{distance euclidean}, or {method diana} for any distance",
                          rows->metric.spec);
    return CAIRN_OK;
}

/* What is kept of a split besides its rows. */
typedef struct history {
    double squares, after;  /* sums of squares of the whole and of its parts */
    double ward;            /* square of the height */
    uint32_t start[2];      /* rows that were the first centres */
    uint32_t rounds, level; /* level: steps from the root */
} history;

typedef struct bisection {
    cairn_context *ctx;
    const cairn_hierarchy_data *data;
    size_t n, d;
    const double *places; /* n x d */
    uint32_t *order;      /* n */
    uint32_t *part;       /* n: for putting the parts in order */
    uint8_t *side;        /* n: by row */
    split_node *splits;
    history *histories;
    size_t n_splits;
    size_t first; /* split of the level that is under way */
} bisection;

static uint32_t add_part(bisection *b, uint32_t first, uint32_t count, uint32_t level)
{
    if (count < 2) return NO_SPLIT;
    b->splits[b->n_splits] = (split_node){.first = first, .count = count};
    b->histories[b->n_splits] = (history){.level = level};
    return (uint32_t)b->n_splits++;
}

/* Two centres with what lies at them. */
typedef struct halves {
    double *centres; /* 2 x d */
    double weights[2], squares[2];
    size_t counts[2];
} halves;

static const double *place(const bisection *b, uint32_t row)
{
    return b->places + (size_t)row * b->d;
}

/* Means of the rows of each side, then the sums of squares about them. */
static void find_means(const bisection *b, halves *h, const uint32_t *rows, size_t n)
{
    memset(h->centres, 0, 2 * b->d * sizeof *h->centres);
    for (int k = 0; k < 2; k++) h->weights[k] = h->squares[k] = 0, h->counts[k] = 0;
    for (size_t i = 0; i < n; i++) {
        int k = b->side[rows[i]];
        const double *x = place(b, rows[i]);
        double *centre = h->centres + (size_t)k * b->d, w = weight(b->data, rows[i]);
        h->weights[k] += w;
        h->counts[k]++;
        double share = w / h->weights[k];
        for (size_t j = 0; j < b->d; j++) centre[j] += share * (x[j] - centre[j]);
    }
    for (size_t i = 0; i < n; i++) {
        int k = b->side[rows[i]];
        const double *centre = h->centres + (size_t)k * b->d;
        h->squares[k] +=
            weight(b->data, rows[i]) * cairn_squared_distance(place(b, rows[i]), centre, b->d);
    }
}

static uint32_t farthest(const bisection *b, const double *from, const uint32_t *rows, size_t n)
{
    uint32_t best = rows[0];
    double most = -1;
    for (size_t i = 0; i < n; i++) {
        double square = cairn_squared_distance(place(b, rows[i]), from, b->d);
        if (square > most * (1 + 1e-12)) {
            most = square;
            best = rows[i];
        }
    }
    return best;
}

enum { MOST_ROUNDS = 100, SHOWN_COLUMNS = 8 };

/* Every row to the nearer centre; returns how many changed their side. */
static size_t assign(bisection *b, const halves *h, const uint32_t *rows, size_t n)
{
    size_t changes = 0;
    for (size_t i = 0; i < n; i++) {
        const double *x = place(b, rows[i]);
        double first = cairn_squared_distance(x, h->centres, b->d);
        double second = cairn_squared_distance(x, h->centres + b->d, b->d);
        uint8_t side = second < first * (1 - 1e-12);
        changes += side != b->side[rows[i]];
        b->side[rows[i]] = side;
    }
    return changes;
}

static bool is_divided(const bisection *b, const uint32_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (b->side[rows[i]] != b->side[rows[0]]) return true;
    return false;
}

/* Two means; a side that loses all its rows ends it, and the rows are halved. */
static void two_means(bisection *b, halves *h, const uint32_t *rows, size_t n, history *a)
{
    for (size_t i = 0; i < n; i++) b->side[rows[i]] = 0;
    find_means(b, h, rows, n);
    a->squares = h->squares[0];
    a->start[0] = farthest(b, h->centres, rows, n);
    a->start[1] = farthest(b, place(b, a->start[0]), rows, n);
    memcpy(h->centres, place(b, a->start[0]), b->d * sizeof *h->centres);
    memcpy(h->centres + b->d, place(b, a->start[1]), b->d * sizeof *h->centres);
    for (; a->rounds < MOST_ROUNDS; a->rounds++) {
        size_t changes = assign(b, h, rows, n);
        if (!is_divided(b, rows, n) || (a->rounds && changes == 0)) break;
        find_means(b, h, rows, n);
    }
    if (!is_divided(b, rows, n)) {
        /* The first half of the rows on one side: where no centre divides them. */
        for (size_t i = 0; i < n; i++) b->side[rows[i]] = i >= (n + 1) / 2;
    }
    find_means(b, h, rows, n);
    a->after = h->squares[0] + h->squares[1];
    a->ward = 2 * h->weights[0] * h->weights[1] / (h->weights[0] + h->weights[1]) *
              cairn_squared_distance(h->centres, h->centres + b->d, b->d);
}

static cairn_status split_one(cairn_context *ctx, void *data, size_t task)
{
    bisection *b = data;
    SCOPED_SCRATCH(ctx);
    split_node *s = &b->splits[b->first + task];
    history *a = &b->histories[b->first + task];
    halves h;
    CHECK(SCRATCH_RAW(ctx, &h.centres, 2 * b->d + 1));
    two_means(b, &h, b->order + s->first, s->count, a);
    /* The part that holds the first row goes left; rows keep their order. */
    uint32_t *rows = b->order + s->first, *part = b->part + s->first;
    uint8_t left = b->side[rows[0]];
    size_t kept = 0, gone = 0;
    for (size_t i = 0; i < s->count; i++)
        if (b->side[rows[i]] == left)
            rows[kept++] = rows[i];
        else
            part[gone++] = rows[i];
    memcpy(rows + kept, part, gone * sizeof *rows);
    s->kept = (uint32_t)kept;
    s->height = sqrt(a->ward);
    return CAIRN_OK;
}

/* Level by level: what the splits of one level leave are the clusters of the next. */
static cairn_status bisect_all(bisection *b)
{
    (void)add_part(b, 0, (uint32_t)b->n, 0);
    for (size_t end; b->first < b->n_splits; b->first = end) {
        double work = 0;
        end = b->n_splits;
        for (size_t i = b->first; i < end; i++) work += 10.0 * b->splits[i].count * (double)b->d;
        CHECK(cairn_tick(b->ctx, "dividing", (double)b->first, (double)b->n));
        CHECK(cairn_tasks_sized(b->ctx, end - b->first, work, split_one, b));
        for (size_t i = b->first; i < end; i++) {
            split_node *s = &b->splits[i];
            uint32_t level = b->histories[i].level + 1;
            s->left = add_part(b, s->first, s->kept, level);
            s->right = add_part(b, s->first + s->kept, s->count - s->kept, level);
        }
    }
    return CAIRN_OK;
}

/* Larger sums of squares first; of equal ones that which came first, so that wholes come before
 * their parts. */
static bool is_before(const void *x, const void *y, const void *data)
{
    const double *keys = data;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    return keys[i] > keys[j] || (keys[i] == keys[j] && i < j);
}

/* Rounding may not lift the sum of squares of a part above that of the whole. */
static cairn_status order_splits(bisection *b, uint32_t *sequence)
{
    double *keys;
    CHECK(SCRATCH(b->ctx, &keys, b->n));
    for (size_t i = 0; i + 1 < b->n; i++) keys[i] = b->histories[i].squares;
    for (size_t i = 0; i + 1 < b->n; i++) {
        const split_node *s = &b->splits[i];
        if (s->left != NO_SPLIT) keys[s->left] = fmin(keys[s->left], keys[i]);
        if (s->right != NO_SPLIT) keys[s->right] = fmin(keys[s->right], keys[i]);
        sequence[i] = (uint32_t)i;
    }
    return cairn_sort_by(b->ctx, sequence, b->n - 1, sizeof *sequence, is_before, keys);
}

static bool is_smaller(const void *a, const void *b, const void *data)
{
    (void)data;
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

/* The rows of a part in the order of the table. */
static cairn_status name_part(cairn_report *steps, const bisection *b, uint32_t first, size_t n,
                              const char *side, size_t number)
{
    SCOPED_SCRATCH(b->ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(b->ctx);
    uint32_t *rows;
    CHECK(SCRATCH_RAW(b->ctx, &rows, n));
    memcpy(rows, b->order + first, n * sizeof *rows);
    CHECK(cairn_sort_by(b->ctx, rows, n, sizeof *rows, is_smaller, NULL));
    rows_text(&text, b->data, rows, n);
    CHECK(cairn_text_status(&text));
    cairn_report_word(steps, side, cairn_text_string(&text), "split%zu.%s", number, side);
    return CAIRN_OK;
}

/* Rows of the parts, their means and what the split takes off the sum of squares; the order of the
 * rows tells the parts, also after these have been split. */
static cairn_status show_split(cairn_report *steps, bisection *b, const split_node *s,
                               const history *a, size_t number)
{
    SCOPED_SCRATCH(b->ctx);
    halves h;
    const uint32_t *rows = b->order + s->first;
    CHECK(SCRATCH_RAW(b->ctx, &h.centres, 2 * b->d + 1));
    for (size_t i = 0; i < s->count; i++) b->side[rows[i]] = i >= s->kept;
    find_means(b, &h, rows, s->count);
    cairn_report_step_begin(steps, "Split %zu: %zu row%s", number, (size_t)s->count,
                            s->count == 1 ? "" : "s");
    cairn_report_paragraph(steps,
                           "Its sum of squares is the largest. The first centres are %s, farthest "
                           "from the mean, and %s, farthest from that; rounds: %lu.",
                           b->data->names[a->start[0]], b->data->names[a->start[1]],
                           (unsigned long)a->rounds);
    CHECK(name_part(steps, b, s->first, s->kept, "left", number));
    CHECK(name_part(steps, b, s->first + s->kept, s->count - s->kept, "right", number));
    cairn_report_table_of(steps, "Parts", 0, "lrr", "part", "rows", "sum of squares");
    for (size_t j = 0; j < b->d && j < SHOWN_COLUMNS; j++)
        cairn_report_column(steps, j < b->data->view->n_features ? b->data->view->names[j] : "",
                            'r');
    for (int k = 0; k < 2; k++) {
        static const char *const side_names[] = {"left", "right"};
        cairn_report_prefix(steps, "split%zu.%s", number, side_names[k]);
        cairn_report_cells(steps, "- @.rows @.squares", side_names[k], (double)h.counts[k],
                           h.squares[k]);
        for (size_t j = 0; j < b->d && j < SHOWN_COLUMNS; j++)
            cairn_report_cell_number(steps, h.centres[(size_t)k * b->d + j], 0, NULL);
    }
    cairn_report_table_end(steps);
    cairn_report_worked(steps, "taken off the sum of squares", "# − (# + #) = #", a->squares,
                        h.squares[0], h.squares[1], a->squares - a->after);
    cairn_report_worked(steps, "height", "√(2 · # · # / (# + #)) · # = #", h.weights[0],
                        h.weights[1], h.weights[0], h.weights[1],
                        sqrt(cairn_squared_distance(h.centres, h.centres + b->d, b->d)), s->height);
    cairn_report_hidden(steps, s->height, "split%zu.height", number);
    cairn_report_hidden(steps, a->squares, "split%zu.squares", number);
    cairn_report_step_end(steps);
    return CAIRN_OK;
}

static cairn_status show_splits(cairn_report *steps, bisection *b, const uint32_t *sequence)
{
    size_t n = b->n - 1, shown = n < SHOWN_SPLITS ? n : SHOWN_SPLITS;
    if (!steps) return CAIRN_OK;
    for (size_t k = 0; k < shown; k++)
        CHECK(show_split(steps, b, &b->splits[sequence[k]], &b->histories[sequence[k]], k + 1));
    tell_others(steps, n);
    return CAIRN_OK;
}

/* Splits are made level by level and then put in order, the largest sum of squares first. */
static cairn_status hierarchy_bisect(cairn_context *ctx, cairn_dendrogram *tree,
                                     const cairn_hierarchy_data *data, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    CHECK(check_places(ctx, data));
    bisection b = {.ctx = ctx,
                   .data = data,
                   .n = data->n,
                   .d = data->rows->points.width,
                   .places = data->rows->points.places};
    uint32_t *sequence;
    CHECK(SCRATCH_EACH(ctx, b.n, &b.order, &b.part, &b.side, &b.splits, &b.histories, &sequence));
    for (size_t i = 0; i < b.n; i++) b.order[i] = (uint32_t)i;
    CHECK(bisect_all(&b));
    if (!isfinite(b.histories[0].squares))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the sum of squares of the rows is too large; bring the columns to a "
                          "common scale ({scale})");
    CHECK(order_splits(&b, sequence));
    CHECK(show_splits(steps, &b, sequence));
    return splits_to_tree(ctx, tree, b.order, b.splits, sequence);
}

cairn_status cairn_hierarchy_divide(cairn_context *ctx, cairn_dendrogram *tree,
                                    const cairn_hierarchy_data *data,
                                    const cairn_hierarchy_params *params, cairn_report *steps)
{
    if (data->n < 2) return CAIRN_OK;
    if (params->method == CAIRN_HIERARCHY_DIANA)
        return hierarchy_diana(ctx, tree, data, params, steps);
    return hierarchy_bisect(ctx, tree, data, steps);
}
