/* SPDX-License-Identifier: MIT */
/* Layout of an order in rows (the method of Sugiyama, Tagawa and Toda):
 *
 * 1. Rows: a box stands one row above the highest of those below it; one with at least as many
 *    lines upwards as downwards is then drawn up to those above it.
 * 2. Lines that pass a row get a place in it, so that they go around the boxes.
 * 3. Rows are sorted by the mean place of the neighbours, downwards and upwards in turn; the order
 *    with the fewest crossings is kept, the given one unless another is better, and neighbours
 *    change places as long as that helps.
 * 4. Within a row every item wants to stand at the mean of its neighbours; the least squares
 *    solution that keeps order and distances is an isotonic regression, found by joining blocks.
 *
 * All choices depend on the order of boxes and links only. Cost: sweeps x (links + passed rows). */
#include "draw/orderlayout.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 24, EXCHANGES = 12, MOVES = 16, MOST_PASSED = 4000000, MOST_EXCHANGED = 20000 };

static const double bend_width = 6;

typedef struct item {
    int rank;
    size_t place; /* in its row */
    double width, x;
} item;

/* Neighbours of the items in one direction: those of i are list[start[i]] to list[start[i + 1]]. */
typedef struct side {
    size_t *start;
    size_t *list;
} side;

typedef struct sheet {
    item *items; /* boxes, then the places of passing lines */
    size_t n;
    side up, down;
    size_t **rows, *row_n;
    size_t n_rows, widest;
    size_t *tree;    /* widest + 1: counts of places, for crossings */
    double *options; /* widest */
    size_t *saved;   /* n places */
} sheet;

/* -- rows -- */

/* A box lies above all that it is linked to below: the longest path from the bottom. More rounds
 * than boxes mean a circle, which an order cannot have. */
static cairn_status find_ranks(cairn_context *ctx, cairn_order_layout *o)
{
    bool changed = true;
    for (size_t i = 0; i < o->n; i++)
        if (o->boxes[i].rank < 0) o->boxes[i].rank = 0;
    for (size_t round = 0; changed; round++) {
        changed = false;
        if (round > o->n)
            return cairn_fail(ctx, CAIRN_INTERNAL, "the links of an order go round in a circle");
        for (size_t k = 0; k < o->n_links; k++) {
            cairn_order_box *upper = &o->boxes[o->links[k].upper];
            const cairn_order_box *lower = &o->boxes[o->links[k].lower];
            if (upper->rank > lower->rank) continue;
            upper->rank = lower->rank + 1;
            changed = true;
        }
    }
    return CAIRN_OK;
}

/* Boxes that hang on those above them go up to them. */
static cairn_status draw_up(cairn_context *ctx, cairn_order_layout *o)
{
    int *balance, *buffer;
    CHECK(SCRATCH_EACH(ctx, o->n, &balance, &buffer));
    for (size_t k = 0; k < o->n_links; k++) {
        balance[o->links[k].lower]++;
        balance[o->links[k].upper]--;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < o->n; i++) buffer[i] = INT32_MAX;
        for (size_t k = 0; k < o->n_links; k++) {
            int least = o->boxes[o->links[k].upper].rank - 1, *at = &buffer[o->links[k].lower];
            if (least < *at) *at = least;
        }
        for (size_t i = 0; i < o->n; i++) {
            if (balance[i] < 0 || buffer[i] == INT32_MAX || buffer[i] <= o->boxes[i].rank) continue;
            o->boxes[i].rank = buffer[i];
            changed = true;
        }
    }
    return CAIRN_OK;
}

/* -- the sheet -- */

static cairn_status count_items(cairn_context *ctx, sheet *s, const cairn_order_layout *o,
                                size_t *n_segments)
{
    size_t passed = 0;
    for (size_t k = 0; k < o->n_links; k++) {
        const cairn_order_link *link = &o->links[k];
        passed += (size_t)(o->boxes[link->upper].rank - o->boxes[link->lower].rank - 1);
    }
    if (passed > MOST_PASSED)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the order has too many long lines to be drawn");
    s->n = o->n + passed;
    *n_segments = o->n_links + passed;
    return CAIRN_OK;
}

/* Turn pairs (from, to) into lists by `from`. */
static cairn_status make_side(cairn_context *ctx, side *out, size_t n, const size_t *from,
                              const size_t *to, size_t n_pairs)
{
    size_t *at;
    CHECK(SCRATCH(ctx, &out->start, n + 1));
    CHECK(SCRATCH(ctx, &out->list, n_pairs));
    CHECK(SCRATCH(ctx, &at, n));
    for (size_t k = 0; k < n_pairs; k++) out->start[from[k] + 1]++;
    for (size_t i = 0; i < n; i++) {
        out->start[i + 1] += out->start[i];
        at[i] = out->start[i];
    }
    for (size_t k = 0; k < n_pairs; k++) out->list[at[from[k]]++] = to[k];
    return CAIRN_OK;
}

/* Cut the links at the rows that they pass. */
static cairn_status cut_links(cairn_context *ctx, sheet *s, const cairn_order_layout *o,
                              size_t n_segments)
{
    size_t *upper, *lower, next = o->n, at = 0;
    CHECK(SCRATCH_EACH(ctx, n_segments, &upper, &lower));
    for (size_t k = 0; k < o->n_links; k++) {
        size_t from = (size_t)o->links[k].upper, to = (size_t)o->links[k].lower;
        for (int r = s->items[from].rank - 1; r > s->items[to].rank; r--) {
            s->items[next] = (item){.rank = r, .width = bend_width};
            upper[at] = from;
            lower[at++] = next;
            from = next++;
        }
        upper[at] = from;
        lower[at++] = to;
    }
    CHECK(make_side(ctx, &s->down, s->n, upper, lower, n_segments));
    return make_side(ctx, &s->up, s->n, lower, upper, n_segments);
}

/* Items of a rank are one row of the sheet, in the order given; rows lie behind each other in one
 * array. */
static cairn_status fill_rows(cairn_context *ctx, sheet *s)
{
    size_t *all, *start;
    for (size_t i = 0; i < s->n; i++)
        if ((size_t)s->items[i].rank >= s->n_rows) s->n_rows = (size_t)s->items[i].rank + 1;
    CHECK(SCRATCH_EACH(ctx, s->n_rows, &s->rows, &s->row_n));
    CHECK(SCRATCH(ctx, &all, s->n));
    CHECK(SCRATCH(ctx, &start, s->n_rows + 1));
    for (size_t i = 0; i < s->n; i++) start[s->items[i].rank + 1]++;
    for (size_t r = 0; r < s->n_rows; r++) {
        start[r + 1] += start[r];
        s->rows[r] = all + start[r];
    }
    for (size_t i = 0; i < s->n; i++) {
        int r = s->items[i].rank;
        s->items[i].place = s->row_n[r]++;
        s->rows[r][s->items[i].place] = i;
        if (s->row_n[r] > s->widest) s->widest = s->row_n[r];
    }
    CHECK(SCRATCH(ctx, &s->tree, s->widest + 2));
    CHECK(SCRATCH(ctx, &s->options, s->widest + 1));
    return SCRATCH(ctx, &s->saved, s->n);
}

/* -- crossings -- */

/* How many of the counted places lie behind `place`; a Fenwick tree over the places. */
static size_t counted_behind(const sheet *s, size_t place, size_t total)
{
    size_t before = 0;
    for (size_t i = place + 1; i > 0; i -= i & (~i + 1)) before += s->tree[i];
    return total - before;
}

static void count_place(const sheet *s, size_t place, size_t size)
{
    for (size_t i = place + 1; i <= size; i += i & (~i + 1)) s->tree[i]++;
}

/* Crossings between a row and the one below it. */
static double row_crossings(const sheet *s, size_t row)
{
    size_t size = s->row_n[row - 1], total = 0;
    double crossings = 0;
    for (size_t i = 0; i <= size; i++) s->tree[i] = 0;
    for (size_t k = 0; k < s->row_n[row]; k++) {
        size_t i = s->rows[row][k], from = s->down.start[i], to = s->down.start[i + 1];
        for (size_t j = from; j < to; j++)
            crossings += (double)counted_behind(s, s->items[s->down.list[j]].place, total);
        for (size_t j = from; j < to; j++) count_place(s, s->items[s->down.list[j]].place, size);
        total += to - from;
    }
    return crossings;
}

static double all_crossings(const sheet *s)
{
    double crossings = 0;
    for (size_t r = 1; r < s->n_rows; r++) crossings += row_crossings(s, r);
    return crossings;
}

typedef struct wanted {
    double at;
    size_t place, number;
} wanted;

static int by_options(const void *a, const void *b)
{
    const wanted *p = a, *q = b;
    if (p->at != q->at) return p->at < q->at ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

/* Crossings of the lines of two items of a row when a stands before b. */
static size_t pair_crossings(const sheet *s, const side *to, size_t a, size_t b)
{
    size_t crossings = 0;
    for (size_t j = to->start[a]; j < to->start[a + 1]; j++)
        for (size_t k = to->start[b]; k < to->start[b + 1]; k++)
            crossings += s->items[to->list[j]].place > s->items[to->list[k]].place;
    return crossings;
}

/* Neighbours change places where that saves crossings. */
static bool exchange(sheet *s)
{
    bool changed = false;
    for (size_t r = 0; r < s->n_rows; r++)
        for (size_t k = 1; k < s->row_n[r]; k++) {
            size_t a = s->rows[r][k - 1], b = s->rows[r][k];
            size_t now = pair_crossings(s, &s->up, a, b) + pair_crossings(s, &s->down, a, b);
            size_t then = pair_crossings(s, &s->up, b, a) + pair_crossings(s, &s->down, b, a);
            if (then >= now) continue;
            s->rows[r][k - 1] = b;
            s->rows[r][k] = a;
            s->items[b].place = k - 1;
            s->items[a].place = k;
            changed = true;
        }
    return changed;
}

static void keep(sheet *s)
{
    for (size_t i = 0; i < s->n; i++) s->saved[i] = s->items[i].place;
}

/* Sweeps up and down sort each row by the places of its neighbours and keep the order with the
 * fewest crossings; exchanges of neighbours then improve it where the sheet is small. */
static cairn_status uncross(cairn_context *ctx, sheet *s)
{
    wanted *buffer;
    double best = all_crossings(s);
    CHECK(SCRATCH(ctx, &buffer, s->widest));
    keep(s);
    for (int sweep = 0; sweep < SWEEPS && best > 0; sweep++) {
        for (size_t k = 1; k < s->n_rows; k++) {
            size_t r = sweep % 2 ? k : s->n_rows - 1 - k;
            /* Sort a row by the mean place of its neighbours; an item without any keeps its
             * share of the way. */
            const side *to = sweep % 2 ? &s->down : &s->up;
            size_t other_n = s->row_n[sweep % 2 ? r - 1 : r + 1];
            size_t n = s->row_n[r];
            for (size_t l = 0; l < n; l++) {
                size_t i = s->rows[r][l], from = to->start[i], end = to->start[i + 1];
                double sum = 0;
                for (size_t j = from; j < end; j++) sum += (double)s->items[to->list[j]].place;
                double at = end > from ? sum / (double)(end - from)
                                       : ((double)l + 0.5) * (double)other_n / (double)n - 0.5;
                buffer[l] = (wanted){at, l, i};
            }
            qsort(buffer, n, sizeof *buffer, by_options);
            for (size_t l = 0; l < n; l++) {
                s->rows[r][l] = buffer[l].number;
                s->items[buffer[l].number].place = l;
            }
        }
        double now = all_crossings(s);
        if (now >= best) continue;
        best = now;
        keep(s);
    }
    for (size_t i = 0; i < s->n; i++) {
        s->items[i].place = s->saved[i];
        s->rows[s->items[i].rank][s->saved[i]] = i;
    }
    if (s->up.start[s->n] <= MOST_EXCHANGED)
        for (int round = 0; round < EXCHANGES && exchange(s);) round++;
    return CAIRN_OK;
}

/* -- places -- */

typedef struct block {
    double sum, weight; /* of wishes less the room before each item */
    size_t end;
} block;

/* The places nearest to the wishes that keep the order and the distances. */
static void place_row(sheet *s, size_t row, const double *weights, double gap, block *blocks)
{
    size_t n = s->row_n[row], n_blocks = 0;
    double buffer = 0;
    for (size_t k = 0; k < n; k++) {
        const item *at = &s->items[s->rows[row][k]];
        if (k) buffer += (s->items[s->rows[row][k - 1]].width + at->width) / 2 + gap;
        blocks[n_blocks++] = (block){(s->options[k] - buffer) * weights[k], weights[k], k + 1};
        while (n_blocks > 1) {
            block *last = &blocks[n_blocks - 1], *before = last - 1;
            if (before->sum / before->weight <= last->sum / last->weight) break;
            before->sum += last->sum;
            before->weight += last->weight;
            before->end = last->end;
            n_blocks--;
        }
    }
    buffer = 0;
    for (size_t k = 0, b = 0; k < n; k++) {
        item *at = &s->items[s->rows[row][k]];
        if (k) buffer += (s->items[s->rows[row][k - 1]].width + at->width) / 2 + gap;
        while (k >= blocks[b].end) b++;
        at->x = blocks[b].sum / blocks[b].weight + buffer;
    }
}

/* Sum and number of the neighbours' places. */
static size_t add_neighbours(const sheet *s, const side *to, size_t i, double *sum)
{
    for (size_t j = to->start[i]; j < to->start[i + 1]; j++) *sum += s->items[to->list[j]].x;
    return to->start[i + 1] - to->start[i];
}

/* Rows are moved towards their neighbours' places, first from one side in turn and later from both,
 * so that links become straight without boxes overlapping. */
static cairn_status spread(cairn_context *ctx, sheet *s, double gap)
{
    double *weights, left = INFINITY;
    block *blocks;
    CHECK(SCRATCH_EACH(ctx, s->widest + 1, &weights, &blocks));
    for (size_t r = 0; r < s->n_rows; r++) { /* packed, the middle over 0 */
        for (size_t k = 0; k < s->row_n[r]; k++) s->options[k] = 0, weights[k] = 1;
        place_row(s, r, weights, gap, blocks);
    }
    for (int move = 0; move < MOVES; move++)
        for (size_t k = 0; k < s->n_rows; k++) {
            size_t r = move % 2 ? k : s->n_rows - 1 - k;
            bool late = move >= MOVES / 2;
            /* Move a row to its neighbours above, below, or on both sides. */
            bool above = move % 2 == 0 || late;
            bool below = move % 2 || late;
            for (size_t j = 0; j < s->row_n[r]; j++) {
                size_t i = s->rows[r][j], n = 0;
                double sum = 0;
                if (above) n += add_neighbours(s, &s->up, i, &sum);
                if (below) n += add_neighbours(s, &s->down, i, &sum);
                s->options[j] = n ? sum / (double)n : s->items[i].x;
                weights[j] = n ? (double)n : 0.05;
                if (s->items[i].width == bend_width)
                    weights[j] *= 3; /* long lines should be straight */
            }
            place_row(s, r, weights, gap, blocks);
        }
    for (size_t i = 0; i < s->n; i++) left = fmin(left, s->items[i].x - s->items[i].width / 2);
    for (size_t i = 0; i < s->n; i++) s->items[i].x -= left;
    return CAIRN_OK;
}

/* -- the answer -- */

/* Items past the boxes are the bends of links that pass a row; they come in the order of the links,
 * as they were made. */
static cairn_status read_places(cairn_context *ctx, cairn_order_layout *o, const sheet *s)
{
    size_t next = o->n;
    o->n_rows = s->n_rows;
    CHECK(SCRATCH_EACH(ctx, s->n_rows, &o->row_top, &o->row_depth));
    for (size_t i = 0; i < o->n; i++) {
        double *depth = &o->row_depth[o->boxes[i].rank];
        *depth = fmax(*depth, o->boxes[i].height);
    }
    double top = 0;
    for (size_t i = 0; i < s->n; i++)
        o->width = fmax(o->width, s->items[i].x + s->items[i].width / 2);
    double gap = fmin(fmax(o->row_gap, o->width / 22), 4 * o->row_gap);
    for (size_t r = s->n_rows; r-- > 0;) {
        o->row_top[r] = top;
        top += o->row_depth[r] + gap;
    }
    o->height = s->n_rows ? top - gap : 0;
    for (size_t i = 0; i < o->n; i++) {
        cairn_order_box *box = &o->boxes[i];
        box->x = s->items[i].x;
        box->y = o->row_top[box->rank] + (o->row_depth[box->rank] - box->height) / 2;
    }
    for (size_t k = 0; k < o->n_links; k++) {
        cairn_order_link *link = &o->links[k];
        link->n_bends = (size_t)(o->boxes[link->upper].rank - o->boxes[link->lower].rank - 1);
        CHECK(SCRATCH(ctx, &link->bends, link->n_bends));
        for (size_t i = 0; i < link->n_bends; i++) link->bends[i] = s->items[next++].x;
    }
    return CAIRN_OK;
}

cairn_status cairn_order_place(cairn_context *ctx, cairn_order_layout *order)
{
    sheet s = {0};
    CHECK(find_ranks(ctx, order));
    CHECK(draw_up(ctx, order));
    /* No row stays empty. */
    int *row, top = 0, next = 0;
    for (size_t i = 0; i < order->n; i++)
        if (order->boxes[i].rank > top) top = order->boxes[i].rank;
    CHECK(SCRATCH(ctx, &row, (size_t)top + 1));
    for (size_t i = 0; i < order->n; i++) row[order->boxes[i].rank] = 1;
    for (int r = 0; r <= top; r++) row[r] = row[r] ? next++ : -1;
    for (size_t i = 0; i < order->n; i++) order->boxes[i].rank = row[order->boxes[i].rank];
    size_t n_segments = 0;
    CHECK(count_items(ctx, &s, order, &n_segments));
    CHECK(SCRATCH(ctx, &s.items, s.n));
    for (size_t i = 0; i < order->n; i++)
        s.items[i] = (item){.rank = order->boxes[i].rank, .width = order->boxes[i].width};
    CHECK(cut_links(ctx, &s, order, n_segments));
    CHECK(fill_rows(ctx, &s));
    CHECK(uncross(ctx, &s));
    CHECK(spread(ctx, &s, order->gap));
    return read_places(ctx, order, &s);
}
