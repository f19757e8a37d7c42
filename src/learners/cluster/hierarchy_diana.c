/* SPDX-License-Identifier: MIT */
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
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/cluster/hierarchy_divisive.h"
#include <math.h>
#include <string.h>

static const double tolerance = 1e-12;
enum { FEW_ROWS = 8 }; /* of so few the numbers are put in */

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
    int32_t *room;     /* for one thread */
    double *line;      /* n: distances of one row from the rows of a cluster */
    uint32_t *order;   /* n */
    uint32_t *part;    /* n: for putting the parts in order */
    uint32_t *cluster; /* n: the split that each row waits for; CAIRN_NO_SPLIT = none */
    wide *own, *other; /* n: sums of distances to what is left, and to the splinter group */
    bool *moved;       /* n: it is in the splinter group */
    double *far;       /* n: largest distance within its cluster, or a bound of it */
    uint32_t *far_at;  /* n: the row at that distance */
    cairn_split_node *splits;
    uint32_t (*ends)[2]; /* per split: two rows at the distance of its diameter */
    size_t n_splits;
    cairn_report *steps;
} diana;

static double weight(const diana *d, size_t row)
{
    return d->data->weights ? d->data->weights[row] : 1;
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

static double distance(const diana *d, size_t i, size_t j)
{
    if (i == j) return 0;
    if (d->pairs) return d->pairs[i < j ? cairn_pair_at(d->n, i, j) : cairn_pair_at(d->n, j, i)];
    return cairn_distance_pair(d->data->rows, i, d->data->rows, j, d->room);
}

/* line[k] = distance of the row from rows[k]. */
static void measure(diana *d, size_t row, const uint32_t *rows, size_t n)
{
    if (!d->pairs)
        cairn_distances_alone(d->data->rows, rows, n, d->data->rows, row, 1, d->line, 1, d->room);
    for (size_t k = 0; d->pairs && k < n; k++) d->line[k] = distance(d, row, rows[k]);
}

/* -- diameters -- */

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

/* Bounds are made exact from the largest on, until the largest is. */
static double find_diameter(diana *d, const cairn_split_node *s, uint32_t split)
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

/* -- one split -- */

/* What a round looks at: rows that are left, and the weights of the two sides. */
typedef struct sides {
    const uint32_t *rows;
    size_t n, n_left;
    double left, splinter;
} sides;

/* Average distance to the others on its side. */
static double average_own(const diana *d, const sides *s, uint32_t row)
{
    return value(&d->own[row]) / (s->left - weight(d, row));
}

static double gain(const diana *d, const sides *s, uint32_t row)
{
    return average_own(d, s, row) - value(&d->other[row]) / s->splinter;
}

/* The row that goes over in this round, and the number of rows that are as good. */
static uint32_t choose(const diana *d, const sides *s, double *best, size_t *tied)
{
    uint32_t chosen = CAIRN_NO_SPLIT;
    bool first = s->splinter == 0;
    for (size_t k = 0; k < s->n; k++) {
        uint32_t row = s->rows[k];
        if (d->moved[row]) continue;
        double own = average_own(d, s, row), at = first ? own : gain(d, s, row);
        double slack = tolerance * fabs(own);
        bool as_good = chosen != CAIRN_NO_SPLIT && fabs(at - *best) <= slack;
        bool better = chosen == CAIRN_NO_SPLIT || (!as_good && at > *best);
        if (as_good) ++*tied;
        if (better) *tied = 1;
        if (better || (as_good && d->last)) chosen = row;
        if (better) *best = at;
    }
    return chosen;
}

static void move(diana *d, sides *s, uint32_t row)
{
    double w = weight(d, row);
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

/* -- showing -- */

static cairn_status set_text(diana *d, cairn_text *out, const uint32_t *rows, size_t n)
{
    cairn_rows_text(out, d->data, rows, n);
    return cairn_text_status(out);
}

/* "(9 + 3 + 6)/3 = 6" of the rows on one side of a row. */
static cairn_status show_average(diana *d, const sides *s, uint32_t row, bool splinter)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(d->ctx);
    double over = splinter ? s->splinter : s->left - weight(d, row);
    double average = splinter ? value(&d->other[row]) / over : average_own(d, s, row);
    const char *between = "";
    bool few = s->n <= FEW_ROWS, several = (splinter ? s->n - s->n_left : s->n_left - 1) > 1;
    if (few && several) cairn_text_add_char(&text, '(');
    for (size_t k = 0; k < s->n && few; k++) {
        uint32_t y = s->rows[k];
        if (y == row || d->moved[y] != splinter) continue;
        cairn_text_add(&text, between);
        if (weight(d, y) != 1) {
            cairn_text_add_number(&text, weight(d, y), 6);
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

static cairn_status show_start(diana *d, const cairn_split_node *s, uint32_t split)
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

static cairn_status show_parts(diana *d, const cairn_split_node *s)
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

/* -- splitting -- */

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
static void separate(diana *d, cairn_split_node *s)
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

/* A part of several rows waits to be split itself. */
static uint32_t add_cluster(diana *d, size_t *n_nodes, uint32_t first, uint32_t count)
{
    uint32_t at = count > 1 ? (uint32_t)*n_nodes : CAIRN_NO_SPLIT;
    for (size_t k = 0; k < count; k++) d->cluster[d->order[first + k]] = at;
    if (count == 1) return at;
    d->splits[at] = (cairn_split_node){.first = first, .count = count};
    d->splits[at].height = find_diameter(d, &d->splits[at], at);
    ++*n_nodes;
    return at;
}

/* The next cluster to be split: the largest diameter, the first in the order of rows among equal
 * ones. */
static uint32_t next_cluster(const diana *d, const bool *done, size_t n_nodes)
{
    uint32_t best = CAIRN_NO_SPLIT;
    for (uint32_t i = 0; i < n_nodes; i++) {
        if (done[i]) continue;
        if (best == CAIRN_NO_SPLIT) {
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

static cairn_status split_all(diana *d, uint32_t *sequence)
{
    size_t n_nodes = 0;
    bool *done;
    CHECK(SCRATCH(d->ctx, &done, d->n));
    (void)add_cluster(d, &n_nodes, 0, (uint32_t)d->n);
    for (size_t k = 0; k + 1 < d->n; k++) {
        uint32_t at = next_cluster(d, done, n_nodes);
        cairn_split_node *s = &d->splits[at];
        bool show = d->steps && k < CAIRN_SHOWN_SPLITS;
        sides two = {.rows = d->order + s->first, .n = s->count, .n_left = s->count};
        for (size_t i = 0; i < s->count; i++) two.left += weight(d, two.rows[i]);
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

/* Sums of distances and the farthest row of each row, once for all. */
static cairn_status start(diana *d)
{
    for (uint32_t i = 0; i < d->n; i++) d->order[i] = i;
    for (uint32_t i = 0; i < d->n; i++) {
        CHECK(cairn_tick(d->ctx, "distances", i, (double)d->n));
        find_far(d, i, d->order, d->n);
        for (size_t k = 0; k < d->n; k++)
            if (k != i) add(&d->own[i], weight(d, k) * d->line[k]);
        if (!isfinite(value(&d->own[i])))
            return cairn_fail(d->ctx, CAIRN_BAD_DATA,
                              "the distances of row %s from the others add up to too much; scale "
                              "the columns, or the distances",
                              d->data->names[i]);
    }
    return CAIRN_OK;
}

static cairn_status make_room(diana *d)
{
    size_t n = d->n, pairs = n * (n - 1) / 2;
    bool keep = (double)pairs * 8 < 0.4 * (double)cairn_memory_available(d->ctx);
    CHECK(SCRATCH(d->ctx, &d->line, n));
    CHECK(SCRATCH(d->ctx, &d->order, n));
    CHECK(SCRATCH(d->ctx, &d->part, n));
    CHECK(SCRATCH(d->ctx, &d->cluster, n));
    CHECK(SCRATCH(d->ctx, &d->own, n));
    CHECK(SCRATCH(d->ctx, &d->other, n));
    CHECK(SCRATCH(d->ctx, &d->moved, n));
    CHECK(SCRATCH(d->ctx, &d->far, n));
    CHECK(SCRATCH(d->ctx, &d->far_at, n));
    CHECK(SCRATCH(d->ctx, &d->splits, n));
    CHECK(SCRATCH(d->ctx, &d->ends, n));
    CHECK(SCRATCH(d->ctx, &d->room, cairn_distance_room(d->data->rows, d->data->rows) + 1));
    if (!keep) return CAIRN_OK;
    CHECK(SCRATCH_RAW(d->ctx, &d->pairs, pairs));
    return cairn_distances_condensed(d->ctx, d->data->rows, d->pairs);
}

cairn_status cairn_hierarchy_diana(cairn_context *ctx, cairn_dendrogram *tree,
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
    CHECK(make_room(&d));
    CHECK(SCRATCH(ctx, &sequence, d.n));
    CHECK(start(&d));
    CHECK(split_all(&d, sequence));
    if (steps && d.n > CAIRN_SHOWN_SPLITS + 1)
        cairn_report_paragraph(steps, "The other %zu splits are made in the same way.",
                               d.n - 1 - CAIRN_SHOWN_SPLITS);
    return cairn_splits_to_tree(ctx, tree, d.order, d.splits, sequence);
}
