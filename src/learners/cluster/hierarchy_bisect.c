/* SPDX-License-Identifier: MIT */
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
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "learners/cluster/hierarchy_divisive.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 100, SHOWN_COLUMNS = 8 };

/* What is kept of a split besides its rows. */
typedef struct account {
    double squares, after;  /* sums of squares of the whole and of its parts */
    double ward;            /* square of the height */
    uint32_t start[2];      /* rows that were the first centres */
    uint32_t rounds, level; /* level: steps from the root */
} account;

typedef struct bisection {
    cairn_context *ctx;
    const cairn_hierarchy_data *data;
    size_t n, d;
    const double *places; /* n x d */
    uint32_t *order;      /* n */
    uint32_t *part;       /* n: for putting the parts in order */
    uint8_t *side;        /* n: by row */
    cairn_split_node *splits;
    account *accounts;
    size_t n_splits;
    size_t first; /* split of the level that is under way */
} bisection;

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

static double weight(const bisection *b, uint32_t row)
{
    return b->data->weights ? b->data->weights[row] : 1;
}

/* -- one split -- */

/* Means of the rows of each side, then the sums of squares about them. */
static void find_means(const bisection *b, halves *h, const uint32_t *rows, size_t n)
{
    memset(h->centres, 0, 2 * b->d * sizeof *h->centres);
    for (int k = 0; k < 2; k++) h->weights[k] = h->squares[k] = 0, h->counts[k] = 0;
    for (size_t i = 0; i < n; i++) {
        int k = b->side[rows[i]];
        const double *x = place(b, rows[i]);
        double *centre = h->centres + (size_t)k * b->d, w = weight(b, rows[i]);
        h->weights[k] += w;
        h->counts[k]++;
        double share = w / h->weights[k];
        for (size_t j = 0; j < b->d; j++) centre[j] += share * (x[j] - centre[j]);
    }
    for (size_t i = 0; i < n; i++) {
        int k = b->side[rows[i]];
        const double *centre = h->centres + (size_t)k * b->d;
        h->squares[k] +=
            weight(b, rows[i]) * cairn_squared_distance(place(b, rows[i]), centre, b->d);
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

/* The first half of the rows on one side: where no centre divides them. */
static void halve(bisection *b, const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) b->side[rows[i]] = i >= (n + 1) / 2;
}

static bool is_divided(const bisection *b, const uint32_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (b->side[rows[i]] != b->side[rows[0]]) return true;
    return false;
}

/* Two means; a side that loses all its rows ends it, and the rows are halved. */
static void two_means(bisection *b, halves *h, const uint32_t *rows, size_t n, account *a)
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
    if (!is_divided(b, rows, n)) halve(b, rows, n);
    find_means(b, h, rows, n);
    a->after = h->squares[0] + h->squares[1];
    a->ward = 2 * h->weights[0] * h->weights[1] / (h->weights[0] + h->weights[1]) *
              cairn_squared_distance(h->centres, h->centres + b->d, b->d);
}

/* The part that holds the first row goes left; rows keep their order. */
static void separate(bisection *b, cairn_split_node *s)
{
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
}

static cairn_status split_one(cairn_context *ctx, void *data, size_t task)
{
    bisection *b = data;
    SCOPED_SCRATCH(ctx);
    cairn_split_node *s = &b->splits[b->first + task];
    account *a = &b->accounts[b->first + task];
    halves h;
    CHECK(SCRATCH_RAW(ctx, &h.centres, 2 * b->d + 1));
    two_means(b, &h, b->order + s->first, s->count, a);
    separate(b, s);
    s->height = sqrt(a->ward);
    return CAIRN_OK;
}

/* -- all of them -- */

static uint32_t add_cluster(bisection *b, uint32_t first, uint32_t count, uint32_t level)
{
    if (count < 2) return CAIRN_NO_SPLIT;
    b->splits[b->n_splits] = (cairn_split_node){.first = first, .count = count};
    b->accounts[b->n_splits] = (account){.level = level};
    return (uint32_t)b->n_splits++;
}

/* Level by level: what the splits of one level leave are the clusters of the next. */
static cairn_status split_all(bisection *b)
{
    (void)add_cluster(b, 0, (uint32_t)b->n, 0);
    for (size_t end; b->first < b->n_splits; b->first = end) {
        double work = 0;
        end = b->n_splits;
        for (size_t i = b->first; i < end; i++) work += 10.0 * b->splits[i].count * (double)b->d;
        CHECK(cairn_tick(b->ctx, "dividing", (double)b->first, (double)b->n));
        CHECK(cairn_tasks_sized(b->ctx, end - b->first, work, split_one, b));
        for (size_t i = b->first; i < end; i++) {
            cairn_split_node *s = &b->splits[i];
            uint32_t level = b->accounts[i].level + 1;
            s->left = add_cluster(b, s->first, s->kept, level);
            s->right = add_cluster(b, s->first + s->kept, s->count - s->kept, level);
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
    for (size_t i = 0; i + 1 < b->n; i++) keys[i] = b->accounts[i].squares;
    for (size_t i = 0; i + 1 < b->n; i++) {
        const cairn_split_node *s = &b->splits[i];
        if (s->left != CAIRN_NO_SPLIT) keys[s->left] = fmin(keys[s->left], keys[i]);
        if (s->right != CAIRN_NO_SPLIT) keys[s->right] = fmin(keys[s->right], keys[i]);
        sequence[i] = (uint32_t)i;
    }
    return cairn_sort_by(b->ctx, sequence, b->n - 1, sizeof *sequence, is_before, keys);
}

/* -- showing -- */

static void show_centre(cairn_report *steps, const bisection *b, const halves *h, int k,
                        size_t number)
{
    static const char *const sides[] = {"left", "right"};
    cairn_report_cell(steps, sides[k]);
    cairn_report_cell_number(steps, (double)h->counts[k], 0, "split%zu.%s.rows", number, sides[k]);
    cairn_report_cell_number(steps, h->squares[k], 0, "split%zu.%s.squares", number, sides[k]);
    for (size_t j = 0; j < b->d && j < SHOWN_COLUMNS; j++)
        cairn_report_cell_number(steps, h->centres[(size_t)k * b->d + j], 0, NULL);
}

static void show_centres(cairn_report *steps, const bisection *b, const halves *h, size_t number)
{
    cairn_report_table_of(steps, "Parts", 0, "lrr", "part", "rows", "sum of squares");
    for (size_t j = 0; j < b->d && j < SHOWN_COLUMNS; j++)
        cairn_report_column(steps, j < b->data->view->n_features ? b->data->view->names[j] : "",
                            'r');
    for (int k = 0; k < 2; k++) show_centre(steps, b, h, k, number);
    cairn_report_table_end(steps);
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
    cairn_rows_text(&text, b->data, rows, n);
    CHECK(cairn_text_status(&text));
    cairn_report_word(steps, side, cairn_text_string(&text), "split%zu.%s", number, side);
    return CAIRN_OK;
}

/* Rows of the parts, their means and what the split takes off the sum of squares; the order of the
 * rows tells the parts, also after these have been split. */
static cairn_status show_split(cairn_report *steps, bisection *b, const cairn_split_node *s,
                               const account *a, size_t number)
{
    SCOPED_SCRATCH(b->ctx);
    halves h;
    const uint32_t *rows = b->order + s->first;
    CHECK(SCRATCH_RAW(b->ctx, &h.centres, 2 * b->d + 1));
    for (size_t i = 0; i < s->count; i++) b->side[rows[i]] = i >= s->kept;
    find_means(b, &h, rows, s->count);
    cairn_report_step_begin(steps, "Split %zu: %zu rows", number, (size_t)s->count);
    cairn_report_paragraph(steps,
                           "Its sum of squares is the largest. The first centres are %s, farthest "
                           "from the mean, and %s, farthest from that; rounds: %lu.",
                           b->data->names[a->start[0]], b->data->names[a->start[1]],
                           (unsigned long)a->rounds);
    CHECK(name_part(steps, b, s->first, s->kept, "left", number));
    CHECK(name_part(steps, b, s->first + s->kept, s->count - s->kept, "right", number));
    show_centres(steps, b, &h, number);
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
    size_t n = b->n - 1, shown = n < CAIRN_SHOWN_SPLITS ? n : CAIRN_SHOWN_SPLITS;
    if (!steps) return CAIRN_OK;
    for (size_t k = 0; k < shown; k++)
        CHECK(show_split(steps, b, &b->splits[sequence[k]], &b->accounts[sequence[k]], k + 1));
    if (shown < n)
        cairn_report_paragraph(steps, "The other %zu splits are made in the same way.", n - shown);
    return CAIRN_OK;
}

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

cairn_status cairn_hierarchy_bisect(cairn_context *ctx, cairn_dendrogram *tree,
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
    CHECK(SCRATCH(ctx, &b.order, b.n));
    CHECK(SCRATCH(ctx, &b.part, b.n));
    CHECK(SCRATCH(ctx, &b.side, b.n));
    CHECK(SCRATCH(ctx, &b.splits, b.n));
    CHECK(SCRATCH(ctx, &b.accounts, b.n));
    CHECK(SCRATCH(ctx, &sequence, b.n));
    for (size_t i = 0; i < b.n; i++) b.order[i] = (uint32_t)i;
    CHECK(split_all(&b));
    if (!isfinite(b.accounts[0].squares))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the sum of squares of the rows is too large; bring the columns to a "
                          "common scale ({scale})");
    CHECK(order_splits(&b, sequence));
    CHECK(show_splits(steps, &b, sequence));
    return cairn_splits_to_tree(ctx, tree, b.order, b.splits, sequence);
}
