/* SPDX-License-Identifier: MIT */
/* The best medoids of a few rows, by trying all sets of k of them: rows rise within a set, and what
 * a set of fewer rows leaves between every row and the nearest of them is handed on. */
#include "base/memory.h"
#include "base/number.h"
#include "learners/cluster/kmedoids.h"
#include <math.h>
#include <string.h>

static const double MOST_WORK = 2e9;

typedef struct search {
    cairn_context *ctx;
    const cairn_medoid_rows *x;
    size_t k;
    uint32_t *rows;  /* k: the set so far */
    uint32_t *found; /* k: the best set */
    double *near;    /* (k + 1) x n: distance to the nearest of the first so many rows of the set */
    double best, optima;
    uint64_t steps;
    cairn_kmedoids_steps *shown;
} search;

/* A whole set; equally good ones are counted and the first of them is kept. */
static void judge(search *s)
{
    const double *near = s->near + s->k * s->x->n;
    double cost = 0;
    for (size_t i = 0; i < s->x->n; i++) cost += cairn_medoid_weight(s->x, i) * near[i];
    cairn_kmedoids_show_set(s->shown, s->x, s->rows, s->k, cost);
    if (isfinite(s->best) && cairn_medoids_tie(cost, s->best, s->best)) {
        s->optima++;
        return;
    }
    if (!(cost < s->best)) return;
    s->best = cost;
    s->optima = 1;
    memcpy(s->found, s->rows, s->k * sizeof *s->found);
}

/* Row number `depth` of the set is one from `from` on. */
static cairn_status extend(search *s, size_t depth, size_t from)
{
    size_t n = s->x->n;
    const double *before = s->near + depth * n;
    double *near = s->near + (depth + 1) * n;
    if (depth == s->k) {
        judge(s);
        return ++s->steps % 4096 ? CAIRN_OK : cairn_tick(s->ctx, "all sets", 0, 1);
    }
    for (size_t row = from; row + (s->k - depth) <= n; row++) {
        const double *line = s->x->lines[row];
        s->rows[depth] = (uint32_t)row;
        for (size_t i = 0; i < n; i++) near[i] = fmin(before[i], line[i]);
        CHECK(extend(s, depth + 1, row + 1));
    }
    return CAIRN_OK;
}

/* The number of sets is counted before the search: beyond the limit the program would seem to
 * hang. */
static cairn_status check_sets(cairn_context *ctx, size_t n, size_t k, double *sets)
{
    char count[CAIRN_NUMBER_SIZE];
    *sets = 1;
    for (size_t c = 0; c < k; c++) *sets = *sets * (double)(n - c) / (double)(c + 1);
    *sets = floor(*sets + 0.5);
    if (*sets * (double)n <= MOST_WORK && k <= 64) return CAIRN_OK;
    cairn_number_format(count, *sets, 3);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "{exact} would try %s sets of %zu medoids among %zu rows, which takes too "
                      "long; leave it out or use fewer rows",
                      count, k, n);
}

cairn_status cairn_kmedoids_exact(cairn_context *ctx, cairn_medoids *m,
                                  cairn_kmedoids_account *account, cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->x->n;
    search s = {.ctx = ctx, .x = m->x, .k = m->k, .best = INFINITY, .shown = steps};
    CHECK(check_sets(ctx, n, m->k, &account->sets));
    CHECK(SCRATCH_EACH(ctx, m->k, &s.rows, &s.found));
    CHECK(SCRATCH_RAW(ctx, &s.near, cairn_product(m->k + 1, n)));
    for (size_t i = 0; i < n; i++) s.near[i] = INFINITY;
    cairn_report_step_begin(steps->out, "All sets of medoids");
    cairn_report_formula(steps->out, "Q = Σ distance of a row to the nearest medoid");
    cairn_report_table_of(steps->out, "Cost of every set", 0, "lr", "medoids (rows)", "Q");
    CHECK(extend(&s, 0, 0));
    cairn_report_table_end(steps->out);
    cairn_report_step_end(steps->out);
    memcpy(m->rows, s.found, m->k * sizeof *m->rows);
    account->optima = s.optima;
    return cairn_medoids_assign(ctx, m);
}
