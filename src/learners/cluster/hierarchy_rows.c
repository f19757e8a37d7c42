/* SPDX-License-Identifier: MIT */
/* Rows of distances between clusters, for any distance.
 *
 * The row of a leaf is measured when it is first looked at, and kept once it is to be looked at
 * again; that of a joined cluster takes the place of one of its parts'. Joins of other clusters are
 * listed, and a row goes through the list when it is looked at: all that it needs is in the row
 * itself, so nothing is ever written across rows, and memory is read side by side. From time to
 * time the slots without a cluster are left out (an epoch ends); a row does that, too, when it is
 * looked at. A leaf that is measured later gets the means, the largest or the least of the points
 * of every cluster at once, so that its row is no longer than the others.
 *
 * Memory: at most n rows of n numbers, about a quarter of that for most data, since a join frees a
 * row, and many leaves are joined before all are looked at. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/hierarchy_join.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

typedef struct kept_row {
    double *values; /* NULL = not kept */
    uint32_t epoch;
    uint32_t joined; /* joins that it knows */
} kept_row;

typedef struct epoch {
    size_t n_joins; /* when it ended, of all */
    size_t n_kept;
    uint32_t *kept; /* n_kept: slots that went on */
} epoch;

struct cairn_stored_rows {
    const cairn_hierarchy_data *data;
    cairn_tiled_places places; /* Euclidean distances are made of these */
    bool by_places;
    bool layered; /* rows of leaves have the values of clusters; else those of all leaves */
    cairn_cluster_points points;
    kept_row *rows;  /* width */
    kept_row *moved; /* n */
    double **free;   /* rows that are not in use */
    size_t n_free;
    double **slabs; /* blocks of rows */
    size_t n_slabs, room_slabs;
    cairn_column_joins joins; /* n - 1 */
    size_t n_joins;
    epoch *epochs;
    size_t n_epochs, room_epochs;
    double *passing;  /* workers x CAIRN_QUERIES x row: rows that are not kept */
    double *measured; /* workers x CAIRN_QUERIES x row: values of all leaves */
    double *spare;    /* workers x row */
    size_t row;       /* room of a row of all leaves */
    int32_t *room;    /* workers x n_room */
    size_t n_room;
};

/* -- rows of leaves -- */

static void square(double *row, size_t n)
{
    for (size_t i = 0; i < n; i++) row[i] *= row[i];
}

/* Ward's distance of two leaves of other weights than 1 is that of so many equal rows. */
static void weigh(const cairn_stored_rows *s, double *row, size_t leaf, size_t n)
{
    const double *weights = s->data->weights;
    if (weights) cairn_ward_squares(row, weights, weights[leaf], n);
}

/* The distances of leaves that are no plain sums of squares, to all leaves. */
static void measure_others(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                           size_t n, int worker)
{
    const cairn_stored_rows *s = j->state;
    const cairn_distance_rows *from = s->data->rows;
    for (size_t q = 0; q < n; q++) {
        cairn_distances_alone(from, leaves + q, 1, from, 0, j->n, rows[q], j->n,
                              s->room + (size_t)worker * s->n_room);
        if (j->squared) square(rows[q], j->n);
    }
}

/* The places of some leaves. */
static const double *place_queries(const cairn_stored_rows *s, const uint32_t *leaves, size_t n,
                                   int worker)
{
    size_t d = s->places.n_columns;
    double *queries = s->places.queries + (size_t)worker * CAIRN_QUERIES * d;
    for (size_t q = 0; q < n; q++)
        memcpy(queries + q * d, s->data->rows->points.places + leaves[q] * d, d * sizeof *queries);
    return queries;
}

/* The values of some leaves to all leaves. */
static void measure_leaves(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                           size_t n, int worker)
{
    const cairn_stored_rows *s = j->state;
    if (!s->by_places)
        measure_others(j, rows, leaves, n, worker);
    else
        (j->squared ? cairn_squares_to : cairn_distances_to)(
            rows, s->places.tiles, place_queries(s, leaves, n, worker), n, s->places.n_columns,
            cairn_tiled(j->n));
    for (size_t q = 0; q < n; q++) {
        if (j->linkage == CAIRN_LINKAGE_WARD) weigh(s, rows[q], leaves[q], j->n);
        rows[q][leaves[q]] = INFINITY;
    }
}

/* Values to clusters, of leaves that have places: so few points at a time that what is measured
 * stays near. */
static void join_places(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                        size_t n, int worker)
{
    enum { POINTS = 1024 };
    const cairn_stored_rows *s = j->state;
    const double *queries = place_queries(s, leaves, n, worker);
    size_t d = s->places.n_columns, layer = 0, next = 0;
    double *some[CAIRN_QUERIES];
    for (size_t q = 0; q < n; q++)
        some[q] = s->measured + ((size_t)worker * CAIRN_QUERIES + q) * s->row;
    for (size_t begin = 0; begin < j->n; begin += POINTS, layer = next) {
        size_t end = j->n - begin < POINTS ? j->n : begin + POINTS;
        cairn_distances_to(some, s->places.tiles + begin * d, queries, n, d,
                           cairn_tiled(end - begin));
        for (size_t q = 0; q < n; q++)
            next = cairn_join_layers(rows[q], some[q], begin, end, &s->points.layers, layer,
                                     j->joining);
    }
}

/* The same of leaves with any distance. */
static void join_others(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                        size_t n, int worker)
{
    const cairn_stored_rows *s = j->state;
    double *all = s->measured + (size_t)worker * CAIRN_QUERIES * s->row;
    double *sorted = s->spare + (size_t)worker * s->row;
    for (size_t q = 0; q < n; q++) {
        measure_others(j, &all, leaves + q, 1, worker);
        cairn_gather(sorted, all, s->points.points, j->n);
        cairn_join_layers(rows[q], sorted, 0, j->n, &s->points.layers, 0, j->joining);
    }
}

/* Rows of leaves as they are when this epoch begins. */
static void make_rows(const cairn_joiner *j, double *const *rows, const uint32_t *leaves, size_t n,
                      int worker)
{
    const cairn_stored_rows *s = j->state;
    if (!s->layered || s->n_epochs == 0) {
        measure_leaves(j, rows, leaves, n, worker);
        return;
    }
    (s->by_places ? join_places : join_others)(j, rows, leaves, n, worker);
    for (size_t q = 0; q < n; q++) rows[q][s->points.slots[leaves[q]]] = INFINITY;
}

/* -- joins -- */

/* The row after the joins up to number `end`; `own` is the size of its cluster. */
static void learn_joins(const cairn_joiner *j, kept_row *row, size_t end, double own, size_t n)
{
    const cairn_stored_rows *s = j->state;
    cairn_join_columns(row->values, &s->joins, row->joined, end, own, n);
    row->joined = (uint32_t)end;
}

static void catch_up(const cairn_joiner *j, kept_row *row, double own, int worker)
{
    const cairn_stored_rows *s = j->state;
    double *spare = s->spare + (size_t)worker * s->row;
    for (; row->epoch < s->n_epochs; row->epoch++) {
        const epoch *e = s->epochs + row->epoch;
        learn_joins(j, row, e->n_joins, own, row->epoch ? e[-1].n_kept : j->n);
        cairn_gather(spare, row->values, e->kept, e->n_kept);
        memcpy(row->values, spare, e->n_kept * sizeof *spare);
    }
    learn_joins(j, row, s->n_joins, own, j->width);
}

/* A row as it is when this epoch begins. */
static void start_epoch(const cairn_stored_rows *s, kept_row *row)
{
    row->epoch = (uint32_t)s->n_epochs;
    row->joined = s->n_epochs ? (uint32_t)s->epochs[s->n_epochs - 1].n_joins : 0;
}

/* Rows that are kept catch up with the joins; those of leaves that are not are measured first, in
 * their own room if they have been given some. */
static void stored_make(cairn_joiner *j, const uint32_t *slots, size_t n, int worker,
                        const double **out)
{
    cairn_stored_rows *s = j->state;
    kept_row passing[CAIRN_QUERIES] = {0}, *rows[CAIRN_QUERIES];
    double *fresh[CAIRN_QUERIES];
    uint32_t leaves[CAIRN_QUERIES];
    size_t n_fresh = 0;
    for (size_t q = 0; q < n; q++) {
        rows[q] = s->rows[slots[q]].values ? &s->rows[slots[q]] : &passing[q];
        if (rows[q]->values && rows[q]->epoch != CAIRN_NO_SLOT) continue;
        if (!rows[q]->values)
            rows[q]->values = s->passing + ((size_t)worker * CAIRN_QUERIES + q) * s->row;
        *rows[q] = (kept_row){.values = rows[q]->values};
        if (s->layered) start_epoch(s, rows[q]);
        fresh[n_fresh] = rows[q]->values;
        leaves[n_fresh++] = j->ids[slots[q]];
    }
    if (n_fresh) make_rows(j, fresh, leaves, n_fresh, worker);
    for (size_t q = 0; q < n; q++) {
        catch_up(j, rows[q], j->sizes[slots[q]], worker);
        out[q] = rows[q]->values;
    }
}

static bool stored_kept(const cairn_joiner *j, size_t slot)
{
    const cairn_stored_rows *s = j->state;
    return s->rows[slot].values != NULL;
}

/* A block of rows that are not in use, each as long as a row is by now. */
static cairn_status add_slab(cairn_context *ctx, cairn_stored_rows *s)
{
    enum { SLAB = 1 << 22 }; /* numbers */
    bool shorter = s->layered && s->n_epochs;
    size_t row = shorter ? cairn_tiled(s->epochs[s->n_epochs - 1].n_kept) : s->row;
    size_t n = row < SLAB / 2 ? SLAB / row : 1;
    double *slab;
    if (n > s->data->n) n = s->data->n;
    CHECK(GROW(ctx, &s->slabs, &s->room_slabs, s->n_slabs + 1));
    CHECK(NEW_RAW(ctx, &slab, cairn_product(n, row)));
    s->slabs[s->n_slabs++] = slab;
    for (size_t i = n; i-- > 0;) s->free[s->n_free++] = slab + i * row;
    return CAIRN_OK;
}

/* Room for a row, from those that joins have freed if there is one. Its epoch says that nothing is
 * in it yet. */
static cairn_status stored_keep(cairn_context *ctx, cairn_joiner *j, size_t slot)
{
    cairn_stored_rows *s = j->state;
    kept_row *row = s->rows + slot;
    if (row->values) return CAIRN_OK;
    if (s->n_free == 0) CHECK(add_slab(ctx, s));
    *row = (kept_row){.values = s->free[--s->n_free], .epoch = CAIRN_NO_SLOT};
    return CAIRN_OK;
}

static double stored_between(cairn_joiner *j, size_t a, size_t b)
{
    const cairn_stored_rows *s = j->state;
    return s->rows[a].values ? cairn_joiner_row(j, a, 0)[b] : cairn_joiner_row(j, b, 0)[a];
}

/* Note the join of slots x and y, whose value is `between`. */
static void note_join(const cairn_joiner *j, cairn_column_joins *joins, size_t at, size_t x,
                      size_t y, double between)
{
    double a = j->sizes[x], b = j->sizes[y];
    bool by_size = j->linkage == CAIRN_LINKAGE_AVERAGE || j->linkage == CAIRN_LINKAGE_CENTROID;
    joins->columns[2 * at] = (uint32_t)x;
    joins->columns[2 * at + 1] = (uint32_t)y;
    joins->a[at] = by_size ? a / (a + b) : 0.5;
    joins->shift[at] = joins->shifted ? -joins->a[at] * (1 - joins->a[at]) * between : 0;
    if (j->joining != CAIRN_JOIN_WARD) return;
    joins->a[at] = a;
    joins->b[at] = b;
    joins->shift[at] = between;
}

static cairn_status stored_join(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b,
                                size_t *into)
{
    cairn_stored_rows *s = j->state;
    size_t x = s->rows[a].values || !s->rows[b].values ? a : b, y = x == a ? b : a;
    CHECK(stored_keep(ctx, j, x));
    (void)cairn_joiner_row(j, x, 0);
    const double *other = cairn_joiner_row(j, y, 0);
    double *row = s->rows[x].values;
    note_join(j, &s->joins, s->n_joins, x, y, row[y]);
    cairn_join_rows(row, other, &s->joins, s->n_joins++, j->sizes, j->width);
    row[x] = row[y] = INFINITY;
    s->rows[x].joined = (uint32_t)s->n_joins;
    if (s->rows[y].values) s->free[s->n_free++] = s->rows[y].values;
    s->rows[y].values = NULL;
    *into = x;
    return CAIRN_OK;
}

/* Rows of the slots that stay. */
static void move_rows(cairn_stored_rows *s, const uint32_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) s->moved[i] = s->rows[from[i]];
    memcpy(s->rows, s->moved, n * sizeof *s->rows);
}

static cairn_status stored_pack(cairn_context *ctx, cairn_joiner *j, uint32_t *from)
{
    cairn_stored_rows *s = j->state;
    CHECK(GROW(ctx, &s->epochs, &s->room_epochs, s->n_epochs + 1));
    epoch *e = s->epochs + s->n_epochs;
    size_t before = s->n_epochs ? e[-1].n_joins : 0;
    *e = (epoch){.n_joins = s->n_joins, .n_kept = j->live};
    CHECK(NEW_RAW(ctx, &e->kept, j->live));
    s->n_epochs++;
    if (s->layered) {
        cairn_cluster_points_pack(&s->points, j, &s->joins, before, s->n_joins, from);
        if (s->by_places) cairn_tiled_places_fill(&s->places, s->data->rows, s->points.points);
    }
    memcpy(e->kept, from, j->live * sizeof *from);
    move_rows(s, from, j->live);
    return CAIRN_OK;
}

static const cairn_join_source stored_source = {
    .rows = stored_make,
    .keep = stored_keep,
    .kept = stored_kept,
    .between = stored_between,
    .join = stored_join,
    .pack = stored_pack,
};

/* -- opening -- */

/* Rows that cannot be compared have no place in a tree. */
static cairn_status check_pairs(cairn_context *ctx, const cairn_stored_rows *s)
{
    const cairn_distance_rows *rows = s->data->rows;
    if (rows->given || s->by_places || !(rows->metric.distance->takes & CAIRN_DISTANCE_MISSING))
        return CAIRN_OK;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < i; k++)
            if (isnan(cairn_distance_pair(rows, k, rows, i, s->room)))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "rows %lu and %lu have no column in which both are known, so "
                                  "they have no distance; fill missing cells ({missing}) or leave "
                                  "such rows out",
                                  (unsigned long)rows->numbers[k] + 1,
                                  (unsigned long)rows->numbers[i] + 1);
    return CAIRN_OK;
}

static cairn_status check_memory(cairn_context *ctx, size_t n)
{
    return cairn_distances_fit(
        ctx, n, 8,
        cairn_say(ctx, "{linkage single}, and of Euclidean distances ward, centroid and median, "
                       "need memory for the rows only, or take a sample of the rows"));
}

static cairn_status make_joins(cairn_context *ctx, const cairn_joiner *j, cairn_column_joins *out)
{
    *out = (cairn_column_joins){.joining = j->joining,
                                .shifted = j->linkage == CAIRN_LINKAGE_CENTROID ||
                                           j->linkage == CAIRN_LINKAGE_MEDIAN};
    CHECK(SCRATCH_RAW(ctx, &out->columns, 2 * j->n));
    CHECK(SCRATCH_RAW(ctx, &out->a, j->n));
    CHECK(SCRATCH_RAW(ctx, &out->shift, j->n));
    if (j->joining == CAIRN_JOIN_WARD) CHECK(SCRATCH_RAW(ctx, &out->b, j->n));
    return CAIRN_OK;
}

/* Nearest leaves of all leaves, without their rows where floats can tell which. */
static cairn_status start_leaves(cairn_context *ctx, cairn_joiner *j)
{
    SCOPED_SCRATCH(ctx);
    const cairn_stored_rows *s = j->state;
    cairn_float_places floats;
    CHECK(cairn_float_places_make(ctx, &floats, s->data->rows));
    if (!cairn_float_places_serve(&floats)) return cairn_joiner_look(ctx, j);
    return cairn_nearest_leaves(ctx, j, s->data->rows, &s->places, &floats);
}

/* Room for what every worker makes, and for rows. */
static cairn_status make_room(cairn_context *ctx, const cairn_joiner *j, cairn_stored_rows *s)
{
    size_t n = j->n, workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &s->rows, n));
    CHECK(SCRATCH(ctx, &s->moved, n));
    CHECK(SCRATCH(ctx, &s->free, 2 * n));
    CHECK(make_joins(ctx, j, &s->joins));
    CHECK(SCRATCH_RAW(ctx, &s->passing, cairn_product(workers * CAIRN_QUERIES, s->row)));
    CHECK(SCRATCH_RAW(ctx, &s->measured, cairn_product(workers * CAIRN_QUERIES, s->row)));
    CHECK(SCRATCH_RAW(ctx, &s->spare, cairn_product(workers, s->row)));
    CHECK(SCRATCH_RAW(ctx, &s->room, cairn_product(workers, s->n_room) + 1));
    return CAIRN_OK;
}

cairn_status cairn_stored_rows_open(cairn_context *ctx, cairn_joiner *j,
                                    const cairn_hierarchy_data *data)
{
    size_t n = data->n;
    cairn_stored_rows *s;
    CHECK(check_memory(ctx, n));
    CHECK(SCRATCH(ctx, &s, 1));
    j->source = &stored_source;
    j->state = s;
    s->data = data;
    s->by_places = cairn_hierarchy_has_places(data->rows);
    s->n_room = cairn_distance_room(data->rows, data->rows);
    s->row = cairn_tiled(n);
    if (s->by_places) CHECK(cairn_tiled_places_make(ctx, &s->places, data->rows));
    CHECK(make_room(ctx, j, s));
    CHECK(check_pairs(ctx, s));
    double bytes = (double)n * (double)s->row * sizeof(double);
    if (bytes <= j->keep_all && bytes < 0.5 * (double)cairn_memory_available(ctx)) {
        for (size_t i = 0; i < n; i++) CHECK(stored_keep(ctx, j, i));
        return CAIRN_OK;
    }
    s->layered = !j->squared;
    if (s->layered) CHECK(cairn_cluster_points_make(ctx, &s->points, n));
    if (s->layered && s->by_places) j->start = start_leaves;
    return CAIRN_OK;
}

void cairn_stored_rows_close(cairn_joiner *j)
{
    cairn_stored_rows *s = j->source == &stored_source ? j->state : NULL;
    if (!s) return;
    for (size_t i = 0; i < s->n_slabs; i++) cairn_free(s->slabs[i]);
    for (size_t i = 0; i < s->n_epochs; i++) cairn_free(s->epochs[i].kept);
    cairn_free(s->slabs);
    cairn_free(s->epochs);
    j->state = NULL;
    j->source = NULL;
}
