/* SPDX-License-Identifier: MIT */
/* cairn compute rescaling: what scaling does to distances between rows.
 *
 * The mean squared Euclidean distance of two rows is twice the sum of the variances, so a column's
 * share of it is its share of that sum: the column in the smallest unit rules. Shown are the shares
 * before and after the transforms, how many rows have another nearest row and how many of the k
 * nearest stay, and how often the nearest row is of the same class. Of equally near rows the first
 * counts. Rows with a missing number are left out; of many rows an even sample is taken, since the
 * work grows with their square. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/view.h"
#include "model/chain.h"
#include "report/table_rows.h"
#include "stats/distance.h"

#include <math.h>
#include <string.h>

typedef struct rescaling_params {
    const char *with, *distance;
    const cairn_params *transforms; /* what `with` stands for */
    int neighbours;
    int most;
} rescaling_params;

static const cairn_param rescaling_table[] = {
    CAIRN_PARAM_TRANSFORMS(
        rescaling_params,
        "the transforms to compare with the columns as they are, such as scale:range or "
        "polar; scale when not given; in order"),
    CAIRN_PARAM_AS(rescaling_params, distance, CAIRN_TYPE_SPEC, "euclidean",
                   "the distance between rows (cairn list distances)", .names = "distance"),
    CAIRN_PARAM_CALLED("k", rescaling_params, neighbours, "5", "[1,1000]",
                       "number of nearest rows that are compared", .was = "neighbours"),
    CAIRN_PARAM(rescaling_params, most, "1000", "[3,5000]",
                "rows that are compared; of more an even sample is taken"),
    CAIRN_PARAM_END,
};

/* One of the two sides. */
typedef struct side {
    cairn_table *table;
    cairn_view view;
    double *distances; /* n x n */
    size_t *near;      /* n x k: the nearest rows in order */
    double *shares;    /* n_features: of the sum of variances */
    double *deviations;
} side;

/* The number features and the target of the rows that have them all; at most `most` of them. */
static cairn_status take_rows(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              size_t most, size_t *complete, uint32_t **numbers)
{
    OWNED(cairn_table_free) cairn_table *narrow = NULL;
    uint32_t *rows;
    size_t n = 0;
    CHECK(cairn_table_new(ctx, &narrow, table->n_rows));
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    *numbers = rows;
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_slot *slot = &table->slots[c];
        bool number = slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
        if (!number && slot->role != CAIRN_TARGET) continue;
        CHECK(cairn_table_add_column(ctx, narrow, slot->name, slot->role,
                                     cairn_column_hold(slot->column)));
    }
    for (size_t i = 0; i < table->n_rows; i++) {
        bool whole = true;
        for (size_t c = 0; c < narrow->n_columns && whole; c++)
            whole = narrow->slots[c].role == CAIRN_TARGET ||
                    !cairn_column_is_missing(narrow->slots[c].column, i);
        if (whole) rows[n++] = (uint32_t)i;
    }
    *complete = n;
    if (n > most) {
        for (size_t i = 0; i < most; i++) rows[i] = rows[i * n / most];
        n = most;
    }
    return cairn_table_take_rows(ctx, out, narrow, rows, n);
}

static void find_shares(side *s)
{
    double total = 0;
    size_t n = s->view.rows.n;
    for (size_t j = 0; j < s->view.n_features; j++) {
        const double *x = s->view.features[j]->numbers;
        double mean = 0, squares = 0;
        for (size_t i = 0; x && i < n; i++) mean += x[i] / (double)n;
        for (size_t i = 0; x && i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
        s->deviations[j] = sqrt(squares / (double)n);
        s->shares[j] = squares;
        total += squares;
    }
    for (size_t j = 0; j < s->view.n_features; j++) s->shares[j] /= total;
}

/* The k nearest of every row, itself left out, by insertion. */
static void find_near(side *s, size_t k)
{
    size_t n = s->view.rows.n;
    for (size_t i = 0; i < n; i++) {
        const double *d = s->distances + i * n;
        size_t *near = s->near + i * k, count = 0;
        for (size_t j = 0; j < n; j++) {
            if (j == i || (count == k && !(d[j] < d[near[k - 1]]))) continue;
            size_t at = count < k ? count++ : k - 1;
            for (; at > 0 && d[j] < d[near[at - 1]]; at--) near[at] = near[at - 1];
            near[at] = j;
        }
    }
}

static cairn_status measure(cairn_context *ctx, side *s, const char *distance, size_t k)
{
    CHECK(cairn_view_make(ctx, &s->view, s->table, cairn_all_rows(s->table)));
    size_t n = s->view.rows.n;
    if (s->view.n_features == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no number feature is left to measure distances by; 'compute rescaling' "
                          "needs columns of numbers");
    CHECK(SCRATCH_EACH(ctx, s->view.n_features, &s->shares, &s->deviations));
    CHECK(SCRATCH_RAW(ctx, &s->distances, cairn_product(n, n)));
    CHECK(SCRATCH(ctx, &s->near, cairn_product(n, k)));
    find_shares(s);
    CHECK(cairn_distance_matrix(ctx, s->distances, &s->view, distance, NULL));
    find_near(s, k);
    return CAIRN_OK;
}

static void show_shares(cairn_report *out, const side *s, const char *title, const char *name)
{
    size_t top = 0;
    cairn_report_table_of(out, title, 30, "lrr", "column", "deviation", "share");
    for (size_t j = 0; j < s->view.n_features; j++) {
        const char *key =
            cairn_report_row_wanted(out) ? cairn_report_key(out, s->view.names[j]) : "";
        if (s->shares[j] > s->shares[top]) top = j;
        cairn_report_prefix(out, "%s.%s", name, key);
        cairn_report_cells(out, "- @.deviation:5 @.share:4", s->view.names[j], s->deviations[j],
                           s->shares[j]);
    }
    cairn_report_hidden_word(out, s->view.names[top], "%s.largest", name);
    cairn_report_hidden(out, s->shares[top], "%s.largest_share", name);
}

/* Share of the rows whose nearest row has the same class. */
static double agreement(const side *s, size_t k)
{
    const cairn_column *target = s->view.target;
    double same = 0, known = 0;
    for (size_t i = 0; i < s->view.rows.n; i++) {
        int32_t mine = target->codes[i], other = target->codes[s->near[i * k]];
        if (mine < 0 || other < 0) continue;
        known++;
        same += mine == other;
    }
    return same / known;
}

static double shared_neighbours(const size_t *a, const size_t *b, size_t k)
{
    double n = 0;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) n += a[i] == b[j];
    return n;
}

/* Whether scaling helps is seen by the class of the nearest rows, before and after. */
static void show_neighbours(cairn_report *out, const side *before, const side *after, size_t k)
{
    size_t n = before->view.rows.n;
    double changed = 0, kept = 0;
    for (size_t i = 0; i < n; i++) {
        changed += before->near[i * k] != after->near[i * k];
        kept += shared_neighbours(before->near + i * k, after->near + i * k, k);
    }
    cairn_report_heading(out, 2, "Nearest rows");
    cairn_report_value(out, "rows with another nearest row", changed / (double)n,
                       "neighbours.changed");
    cairn_report_value(out, "nearest rows looked at", (double)k, "neighbours");
    cairn_report_value(out, "share of them that stay", kept / (double)(n * k), "neighbours.kept");
    if (!before->view.target || before->view.target->kind != CAIRN_LEVEL) return;
    cairn_report_value(out, "nearest of the same class, before", agreement(before, k),
                       "agreement.before");
    cairn_report_value(out, "nearest of the same class, after", agreement(after, k),
                       "agreement.after");
}

/* Nearest rows by their numbers in the table, so that they can be looked up. */
static void show_rows(cairn_report *out, const side *before, const side *after, size_t k,
                      const uint32_t *rows)
{
    enum { SHOWN_ROWS = 10 };
    static const char *const heads[] = {"row", "nearest before", "distance", "nearest after",
                                        "distance"};
    size_t n = before->view.rows.n;
    cairn_report_table_begin(out, "The first rows", SHOWN_ROWS);
    for (size_t h = 0; h < 5; h++) cairn_report_column(out, heads[h], 'r');
    for (size_t i = 0; i < n; i++) {
        size_t a = before->near[i * k], b = after->near[i * k];
        unsigned row = rows[i] + 1;
        cairn_report_cellf(out, "%u", row);
        cairn_report_prefix(out, "row%u", row);
        cairn_report_cells(out, "@.before @.before.distance:5 @.after @.after.distance:5",
                           (double)rows[a] + 1, before->distances[i * n + a], (double)rows[b] + 1,
                           after->distances[i * n + b]);
    }
}

/* The share of every column as a part of the sum of variances. */
static void work_shares(cairn_report *out, const side *s, const char *title)
{
    enum { MOST_WORKED = 20 };
    double total = 0;
    for (size_t j = 0; j < s->view.n_features; j++) total += s->deviations[j] * s->deviations[j];
    cairn_report_step_begin(out, "%s", title);
    cairn_report_worked(out, "Σ variance", "sum of the squared deviations = #", total);
    cairn_report_worked(out, "mean of d²", "2 · # = #", total, 2 * total);
    for (size_t j = 0; j < s->view.n_features && j < MOST_WORKED; j++)
        cairn_report_worked(out, s->view.names[j], "#² / # = # / # = #", s->deviations[j], total,
                            s->deviations[j] * s->deviations[j], total, s->shares[j]);
    cairn_report_step_end(out);
}

/* Bars of the shares, when both sides have the same columns and few of them. */
static cairn_status draw_shares(cairn_context *ctx, cairn_report *out, const side *before,
                                const side *after)
{
    enum { MOST_BARS = 12 };
    cairn_figure *figure = NULL;
    size_t n = before->view.n_features;
    if (n != after->view.n_features || n > MOST_BARS) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, "rescaling", "Share of the mean squared distance"));
    cairn_figure_axes(figure, NULL, "share");
    cairn_figure_bars(figure, "before", before->view.names, before->shares, n);
    cairn_figure_bars(figure, "after", before->view.names, after->shares, n);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* Both sides must have the same rows, or nothing could be compared; rows with a missing number
 * are left out of both. */
static cairn_status rescaling_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const rescaling_params *p = job->params;
    cairn_params *usual = NULL;
    side before = {0}, after = {0};
    uint32_t *rows;
    size_t complete, k = (size_t)p->neighbours;
    cairn_status status;
    if (!job->table) return cairn_fail(ctx, CAIRN_USAGE, "'compute rescaling' needs DATA");
    if (!p->transforms) TRY(cairn_params_from_spec(ctx, &usual, CAIRN_ENTRY_TRANSFORM, "scale"));
    TRY(take_rows(ctx, &before.table, job->table, (size_t)p->most, &complete, &rows));
    size_t n = before.table->n_rows;
    if (n < 3)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                       "only %zu row%s all number features; fill missing cells first (cairn "
                       "convert IN OUT {with impute})",
                       n, n == 1 ? " has" : "s have"));
    if (k > n - 1) k = n - 1;
    TRY(cairn_transforms_run(ctx, &after.table, before.table, usual ? usual : p->transforms, NULL));
    if (after.table->n_rows != n)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "{with} makes %zu rows of %zu; only transforms that keep the rows can be "
                       "compared",
                       after.table->n_rows, n));
    TRY(measure(ctx, &before, p->distance, k));
    TRY(measure(ctx, &after, p->distance, k));
    cairn_report_heading(out, 1, "What scaling does to the distances in %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_value(out, "rows compared", (double)n, "rows");
    cairn_report_hidden(out, (double)complete, "complete");
    cairn_report_word(out, "distance", p->distance, "distance");
    cairn_report_formula(out, "mean of d² = 2 · Σ variance,   share = variance / Σ variance");
    show_shares(out, &before, "Share of the mean squared distance, as the columns are", "before");
    show_shares(out, &after, "The same after the transforms", "after");
    TRY(draw_shares(ctx, out, &before, &after));
    show_neighbours(out, &before, &after, k);
    show_rows(out, &before, &after, k, rows);
    if (job->steps) {
        work_shares(out, &before, "Shares of the columns as they are");
        work_shares(out, &after, "Shares after the transforms");
    }
    if (complete > n)
        cairn_report_paragraph(out,
                               "These are %zu of %zu rows without missing numbers, evenly "
                               "taken ({most}).",
                               n, complete);
done:
    cairn_params_free(usual);
    cairn_table_free(before.table);
    cairn_table_free(after.table);
    return status;
}

const cairn_calculator cairn_compute_rescaling = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "rescaling",
              .also = "effect of scaling, scaling of distances",
              .about = "scale-sensitivity",
              .title = "What scaling does to distances",
              .summary =
                  "How much each number column counts in the distances between rows, as it is and "
                  "after scaling or any other transforms (--with), and what that changes: how many "
                  "rows get another nearest row, how many of the nearest stay, and how often the "
                  "nearest row is of the same class. Methods that measure distances (nearest "
                  "neighbours, k-means, support vectors with bells) see the table through them.",
              .references = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning",
              .example = "cairn compute rescaling @wine",
              .params = rescaling_table,
              .params_size = sizeof(rescaling_params)},
    .arguments = "DATA",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = rescaling_run,
};
