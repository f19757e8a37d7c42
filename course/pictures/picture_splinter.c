/* SPDX-License-Identifier: MIT */
/* cairn draw splinter: why a row would leave its cluster. D(x) is the average length of the dashed
 * lines, to the rows that stay, minus that of the solid ones, to the splinter group. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "rows/distances.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 200, MOST_NAMED = 40 };

typedef struct splinter_params {
    int row;
    const char *splinter, *distance, *x, *y;
} splinter_params;

static const cairn_param splinter_table[] = {
    CAIRN_PARAM(splinter_params, row, "1", "[1,inf)", "number of the row x that may leave",
                .often = true),
    CAIRN_PARAM_AS(splinter_params, splinter, CAIRN_TYPE_LIST, NULL,
                   "numbers of the rows that have left already; the one with the largest average "
                   "distance to the others if not given",
                   .often = true),
    CAIRN_DISTANCE_PARAM(splinter_params),
    CAIRN_PARAM_AS(splinter_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(splinter_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_END,
};

typedef struct splinter {
    cairn_context *ctx;
    const splinter_params *p;
    const cairn_table *table;
    size_t n, row;
    double *pairs; /* all distances */
    bool *gone;    /* n: in the splinter group */
    const double *x, *y;
    double stay, leave; /* averages */
} splinter;

static double distance(const splinter *s, size_t i, size_t j)
{
    return s->pairs[i < j ? cairn_pair_at(s->n, i, j) : cairn_pair_at(s->n, j, i)];
}

/* The row that would start a splinter group: the farthest on average, the first of equal ones. */
static size_t farthest(const splinter *s)
{
    size_t best = 0;
    double most = -1;
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < s->n; j++) sum += i == j ? 0 : distance(s, i, j);
        if (sum > most * (1 + 1e-12)) best = i, most = sum;
    }
    return best;
}

static cairn_status read_group(splinter *s)
{
    double *numbers;
    size_t n, left = s->n;
    CHECK(SCRATCH(s->ctx, &s->gone, s->n));
    if (!s->p->splinter) {
        s->gone[farthest(s)] = true;
        left--;
    } else {
        CHECK(cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{splinter}"), s->p->splinter, &numbers,
                                 &n));
        for (size_t k = 0; k < n; k++) {
            if (!(numbers[k] >= 1 && numbers[k] <= (double)s->n) || numbers[k] != floor(numbers[k]))
                return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                                  "{splinter %s}: rows are numbered from 1 to %zu", s->p->splinter,
                                  s->n);
            bool *gone = &s->gone[(size_t)numbers[k] - 1];
            left -= !*gone;
            *gone = true;
        }
    }
    if (s->gone[s->row])
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "row %zu is in the splinter group itself; {row} names another one",
                          s->row + 1);
    if (left < 2 || left == s->n)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "there must be a splinter group, and rows beside row %zu that stay",
                          s->row + 1);
    return CAIRN_OK;
}

static void average(splinter *s)
{
    double sums[2] = {0}, counts[2] = {0};
    for (size_t j = 0; j < s->n; j++) {
        if (j == s->row) continue;
        sums[s->gone[j]] += distance(s, s->row, j);
        counts[s->gone[j]]++;
    }
    s->stay = sums[0] / counts[0];
    s->leave = sums[1] / counts[1];
}

static cairn_status measure(splinter *s)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    cairn_view view;
    s->n = s->table->n_rows;
    s->row = (size_t)s->p->row - 1;
    if (s->n > MOST_ROWS || s->n < 3)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA, "the picture needs 3 to %d rows, not %zu",
                          MOST_ROWS, s->n);
    if (s->row >= s->n)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA, "there is no row %zu among %zu", s->row + 1,
                          s->n);
    CHECK(cairn_view_make(s->ctx, &view, s->table, cairn_all_rows(s->table)));
    CHECK(cairn_distance_rows_open(s->ctx, &rows, &view, s->p->distance));
    CHECK(SCRATCH(s->ctx, &s->pairs, s->n * (s->n - 1) / 2));
    CHECK(cairn_distances_condensed(s->ctx, &rows, s->pairs));
    CHECK(read_group(s));
    average(s);
    return CAIRN_OK;
}

/* -- drawing -- */

static void add_lines(const splinter *s, cairn_figure *figure)
{
    for (size_t j = 0; j < s->n; j++) {
        const double x[] = {s->x[s->row], s->x[j]}, y[] = {s->y[s->row], s->y[j]};
        if (j == s->row) continue;
        if (s->gone[j])
            cairn_figure_guide(figure, x, y, 2);
        else
            cairn_figure_dashed(figure, NULL, x, y, 2);
    }
}

static cairn_status add_rows(const splinter *s, cairn_figure *figure)
{
    static const char *const names[] = {"rows that stay", "splinter group"};
    int32_t *groups;
    char number[32];
    CHECK(SCRATCH(s->ctx, &groups, s->n));
    for (size_t i = 0; i < s->n; i++) groups[i] = s->gone[i];
    cairn_figure_points(figure, s->x, s->y, groups, s->n, names, 2);
    cairn_figure_mark(figure, "x", s->x[s->row], s->y[s->row]);
    for (size_t i = 0; i < s->n && s->n <= MOST_NAMED; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        cairn_figure_label(figure, s->x[i], s->y[i], number);
    }
    return CAIRN_OK;
}

static cairn_status make_title(const splinter *s, cairn_text *out)
{
    double d = s->stay - s->leave;
    cairn_text_addf(out, "D(%zu) = ", s->row + 1);
    cairn_text_add_number(out, s->stay, 4);
    cairn_text_add(out, " (dashed) − ");
    cairn_text_add_number(out, s->leave, 4);
    cairn_text_add(out, " (solid) = ");
    cairn_text_add_number(out, d, 4);
    cairn_text_add(out, d > 0 ? ": it would go over" : ": it stays");
    return cairn_text_status(out);
}

static cairn_status splinter_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    splinter s = {.ctx = ctx, .p = job->params, .table = job->table};
    size_t columns[2];
    CHECK(cairn_picture_pair(ctx, columns, s.table, s.p->x, s.p->y));
    s.x = cairn_table_numbers(s.table, columns[0]);
    s.y = cairn_table_numbers(s.table, columns[1]);
    CHECK(measure(&s));
    CHECK(make_title(&s, &title));
    CHECK(cairn_figure_new(ctx, &figure, "splinter", cairn_text_string(&title)));
    cairn_figure_axes(figure, s.table->slots[columns[0]].name, s.table->slots[columns[1]].name);
    add_lines(&s, figure);
    CHECK(add_rows(&s, figure));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status splinter_check(cairn_context *ctx, const void *values)
{
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"),
                              ((const splinter_params *)values)->distance);
}

const cairn_calculator cairn_picture_splinter = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "splinter",
         .also = "DIANA, divisive analysis, splinter group",
         .title = "Why a row leaves its cluster",
         .summary =
             "What DIANA asks of a row x: dashed lines to the rows that stay, solid lines "
             "to those that have left. D(x) is the average length of the dashed lines minus "
             "that of the solid ones, and x goes over where it is above 0 (and the largest).",
         .references = "Kaufman and Rousseeuw: Finding Groups in Data, 1990, chapter 6",
         .example = "cairn draw splinter @kmeans-seven --row 2",
         .params = splinter_table,
         .params_size = sizeof(splinter_params),
         .check = splinter_check},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = splinter_draw,
};
