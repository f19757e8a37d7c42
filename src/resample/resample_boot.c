/* SPDX-License-Identifier: MIT */
/* Bootstrap: learn from rows drawn with replacement, test on those that were not drawn.
 *
 * A row is left out of n draws with a chance of about 0.368, so a replicate learns from 63.2 per
 * cent of the rows and is a little pessimistic; the .632 estimate mixes it with the training error,
 * which is optimistic. Classes are drawn in their shares when stratified; with groups, whole groups
 * are drawn. An urn draws a handful of different rows together and puts them back. */
#include "resample/resample.h"
#include "base/memory.h"
#include "base/random.h"
#include <math.h>

typedef struct boot_params {
    int replicates;
    double size;
    int urn;
    bool stratified;
} boot_params;

static const cairn_param boot_param_table[] = {
    CAIRN_PARAM(boot_params, replicates, "200", "[1,100000]", "number of samples"),
    CAIRN_PARAM(boot_params, size, "1", "(0,100]",
                "rows (or groups) drawn, as a share of all of them"),
    CAIRN_PARAM(boot_params, urn, "1", "[1,inf)",
                "rows (or groups) drawn together before they are returned; 1 = every one is "
                "returned at once"),
    CAIRN_PARAM(boot_params, stratified, "no", NULL, "draw each class in its share"),
    CAIRN_PARAM_END,
};

/* The positions of one class, of all rows, or of all groups. */
typedef struct stratum {
    size_t *positions;
    size_t n, n_draws;
} stratum;

/* Draw handfuls of `urn` different positions: a partial shuffle of the list. */
static void draw_rows(cairn_random *random, int32_t *times, stratum *s, size_t urn)
{
    size_t left = s->n_draws;
    while (left > 0) {
        size_t handful = urn < left ? urn : left;
        for (size_t i = 0; i < handful; i++) {
            size_t at = i + (size_t)cairn_random_below(random, s->n - i);
            size_t position = s->positions[at];
            s->positions[at] = s->positions[i];
            s->positions[i] = position;
            times[position]++;
        }
        left -= handful;
    }
}

/* How many are drawn of n, at least one. */
static size_t count_draws(size_t n, double size)
{
    size_t draws = (size_t)floor((double)n * size + 0.5);
    return n && !draws ? 1 : draws;
}

/* Rows of each class one after the other; a single stratum without classes. */
static cairn_status make_strata(cairn_context *ctx, stratum **out, size_t *n_strata,
                                const cairn_plan_job *job, const boot_params *p)
{
    bool by_class = p->stratified && job->classes;
    size_t n = by_class ? job->n_classes : 1, *positions;
    stratum *strata;
    CHECK(SCRATCH(ctx, &strata, n));
    CHECK(SCRATCH(ctx, &positions, job->n + 1));
    for (size_t i = 0; i < job->n; i++) strata[by_class ? job->classes[job->rows[i]] : 0].n++;
    for (size_t c = 0, at = 0; c < n; at += strata[c++].n) strata[c].positions = positions + at;
    for (size_t c = 0; c < n; c++) {
        strata[c].n_draws = count_draws(strata[c].n, p->size);
        strata[c].n = 0;
    }
    for (size_t i = 0; i < job->n; i++) {
        stratum *s = &strata[by_class ? job->classes[job->rows[i]] : 0];
        s->positions[s->n++] = i;
    }
    *out = strata;
    *n_strata = n;
    return CAIRN_OK;
}

/* Whole groups: all rows of a drawn group count as often as it was drawn. */
static cairn_status draw_groups(cairn_context *ctx, cairn_random *random, int32_t *times,
                                const cairn_plan_job *job, const boot_params *p)
{
    int32_t *drawn;
    stratum all = {.n = job->n_groups, .n_draws = count_draws(job->n_groups, p->size)};
    size_t urn = (size_t)p->urn < all.n ? (size_t)p->urn : all.n;
    CHECK(SCRATCH_EACH(ctx, all.n, &drawn, &all.positions));
    for (size_t g = 0; g < all.n; g++) all.positions[g] = g;
    draw_rows(random, drawn, &all, urn);
    for (size_t i = 0; i < job->n; i++) times[i] = drawn[job->groups[job->rows[i]]];
    return CAIRN_OK;
}

static cairn_status draw_replicate(cairn_context *ctx, int32_t *times, const cairn_plan_job *job,
                                   const boot_params *p, size_t replicate)
{
    SCOPED_SCRATCH(ctx);
    cairn_random random;
    stratum *strata;
    size_t n_strata;
    for (size_t i = 0; i < job->n; i++) times[i] = 0;
    cairn_random_start(&random, cairn_context_seed(ctx), replicate);
    if (job->groups) {
        return draw_groups(ctx, &random, times, job, p);
    }
    CHECK(make_strata(ctx, &strata, &n_strata, job, p));
    for (size_t c = 0; c < n_strata; c++) {
        size_t urn = (size_t)p->urn < strata[c].n ? (size_t)p->urn : strata[c].n;
        if (strata[c].n) draw_rows(&random, times, &strata[c], urn);
    }
    return CAIRN_OK;
}

static cairn_status boot_plan(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job)
{
    const boot_params *p = job->params;
    if (job->n < 2 || (job->groups && job->n_groups < 2))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "boot needs at least two %s",
                          job->groups ? "groups" : "rows");
    if (job->groups && p->stratified)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{by boot}: stratified=yes draws the rows of each class, and {group} "
                          "draws whole groups; leave one of them out");
    CHECK(cairn_plan_buffer(ctx, out, job, (size_t)p->replicates, 1));
    out->draws = true;
    for (size_t r = 0; r < out->n_repeats; r++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(draw_replicate(ctx, out->folds + r * job->n, job, p, r));
    }
    return CAIRN_OK;
}

const cairn_resampling cairn_boot = {
    .entry = {.kind = CAIRN_ENTRY_RESAMPLING,
              .name = "boot",
              .also = "bootstrap, bootstrapping, .632",
              .title = "Bootstrap",
              .summary =
                  "Learns from as many rows as there are, drawn with replacement, and tests on "
                  "the rows that were not drawn; 200 times unless told otherwise. The report adds "
                  "the .632 and .632+ estimates, which mix in the training error. --by boot:50 or "
                  "--by boot:100,size=0.5.",
              .references = "Efron and Tibshirani, Improvements on cross-validation: the .632+ "
                            "bootstrap method, JASA 92 (1997)",
              .example = "cairn evaluate tree @iris --by boot:50",
              .params = boot_param_table,
              .params_size = sizeof(boot_params)},
    .plan = boot_plan,
};
