/* SPDX-License-Identifier: MIT */
/* Counting without a list: members of a version space, and instances that no hypothesis covers.
 *
 * A hypothesis is chosen attribute by attribute, and each choice leaves some of the negatives
 * covered. Choices that leave the same ones need not be told apart: a table holds, for each set of
 * negatives that may still be covered, in how many ways one comes there. Once nothing is covered
 * all further choices are free. The table has no more entries than there are choices so far, and
 * mostly far fewer. Instances that no hypothesis of a list covers are counted in the same way, with
 * values in place of sets and hypotheses in place of negatives. */
#include "concepts/concepts.h"

#include "base/functions.h"
#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 200000, MOST_WORDS = 1 << 22, MOST_OBSTACLES = 4096, MOST_PRESENT = 12 };

/* What can be chosen for one attribute. */
typedef struct stage {
    uint64_t *kept;  /* of each option, the obstacles that it leaves: n x words */
    double *weights; /* how many choices are like this */
    size_t n;
} stage;

typedef struct race {
    stage *stages;
    size_t n_stages, n_obstacles, words;
    size_t most;      /* states at a time */
    double *totals;   /* ways from each stage on, whatever is left */
    uint64_t *doomed; /* of each stage, the obstacles that no later choice removes */
} race;

static cairn_status start_race(cairn_context *ctx, race *out, size_t n_stages, size_t n_obstacles)
{
    *out = (race){.n_stages = n_stages, .n_obstacles = n_obstacles, .words = n_obstacles / 64 + 1};
    out->most = out->words < MOST_WORDS / MOST_STATES ? MOST_STATES : MOST_WORDS / out->words;
    CHECK(SCRATCH(ctx, &out->stages, n_stages));
    CHECK(SCRATCH(ctx, &out->totals, n_stages + 1));
    return SCRATCH(ctx, &out->doomed, (n_stages + 1) * out->words);
}

static cairn_status start_stage(cairn_context *ctx, race *r, size_t j, size_t buffer)
{
    CHECK(SCRATCH(ctx, &r->stages[j].kept, cairn_product(buffer, r->words)));
    return SCRATCH(ctx, &r->stages[j].weights, buffer);
}

/* One more option; its obstacles are all gone at first. */
static uint64_t *add_option(race *r, size_t j, double weight)
{
    stage *s = &r->stages[j];
    s->weights[s->n] = weight;
    return s->kept + s->n++ * r->words;
}

static void keep_obstacle(uint64_t *kept, size_t i)
{
    kept[i / 64] |= (uint64_t)1 << i % 64;
}

static void prepare(race *r)
{
    uint64_t *doomed = r->doomed + r->n_stages * r->words;
    r->totals[r->n_stages] = 1;
    for (size_t i = 0; i < r->n_obstacles; i++) keep_obstacle(doomed, i);
    for (size_t j = r->n_stages; j-- > 0;) {
        const stage *s = &r->stages[j];
        double total = 0;
        memcpy(doomed - r->words, doomed, r->words * sizeof *doomed);
        doomed -= r->words;
        for (size_t o = 0; o < s->n; o++) {
            total += s->weights[o];
            for (size_t w = 0; w < r->words; w++) doomed[w] &= s->kept[o * r->words + w];
        }
        r->totals[j] = total * r->totals[j + 1];
    }
}

/* The sets of obstacles that may be left, and in how many ways. */
typedef struct states {
    cairn_map sets;
    double *ways;
    size_t capacity;
} states;

static void clear_states(states *s)
{
    cairn_map_clear(&s->sets);
    cairn_free(s->ways);
    *s = (states){0};
}

static cairn_status add_ways(cairn_context *ctx, states *s, const uint64_t *set, size_t words,
                             double ways)
{
    size_t at, before = s->sets.n;
    CHECK(cairn_map_add(ctx, &s->sets, (const char *)set, words * sizeof *set, &at));
    CHECK(GROW(ctx, &s->ways, &s->capacity, s->sets.n));
    if (s->sets.n > before) s->ways[at] = 0;
    s->ways[at] += ways;
    return CAIRN_OK;
}

/* All choices of stage j from all states; ways that leave nothing are added to `done`. */
static cairn_status run_stage(cairn_context *ctx, const race *r, size_t j, const states *now,
                              states *next, uint64_t *left, double *free_ways)
{
    const stage *s = &r->stages[j];
    const uint64_t *doomed = r->doomed + (j + 1) * r->words;
    uint64_t *from = left + r->words;
    for (size_t i = 0; i < now->sets.n; i++) {
        if (i % 1024 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        memcpy(from, cairn_map_key(&now->sets, i), r->words * sizeof *from);
        for (size_t o = 0; o < s->n; o++) {
            uint64_t any = 0, lost = 0;
            for (size_t w = 0; w < r->words; w++) {
                left[w] = from[w] & s->kept[o * r->words + w];
                any |= left[w];
                lost |= left[w] & doomed[w];
            }
            double ways = now->ways[i] * s->weights[o];
            if (!any)
                *free_ways += ways * r->totals[j + 1];
            else if (!lost)
                CHECK(add_ways(ctx, next, left, r->words, ways));
        }
        if (next->sets.n > r->most) break;
    }
    return CAIRN_OK;
}

/* Ways through all stages that leave no obstacle; NaN when there are too many states. */
static cairn_status count_ways(cairn_context *ctx, race *r, double *out)
{
    SCOPED(clear_states) states next = {0};
    SCOPED(clear_states) states now = {0};
    uint64_t *left;
    prepare(r);
    *out = r->totals[0];
    if (!r->n_obstacles) return CAIRN_OK;
    *out = 0;
    CHECK(SCRATCH(ctx, &left, 2 * r->words));
    for (size_t i = 0; i < r->n_obstacles; i++) keep_obstacle(left, i);
    CHECK(add_ways(ctx, &now, left, r->words, 1));
    for (size_t j = 0; j < r->n_stages; j++) {
        CHECK(run_stage(ctx, r, j, &now, &next, left, out));
        clear_states(&now);
        now = next;
        next = (states){0};
        if (now.sets.n > r->most) {
            *out = NAN;
            break;
        }
    }
    return CAIRN_OK;
}

/* -- members -- */

/* What stands in the way of a generalisation of `special`: for each negative its values, -1 where
 * `special` allows them. Each once. Fails to be of use (too_many) when there are very many. */
static cairn_status find_obstacles(cairn_context *ctx, int32_t **out, size_t *n, bool *too_many,
                                   const cairn_domain *domain, const cairn_examples *e,
                                   const uint64_t *special)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    int32_t *one;
    size_t at;
    bool any = !cairn_concept_is_empty(domain, special);
    CHECK(SCRATCH(ctx, &one, domain->n));
    for (size_t i = 0; i < e->n && seen.n <= MOST_OBSTACLES; i++) {
        if (e->positive[i]) continue;
        const int32_t *codes = cairn_example(e, domain, i);
        for (size_t j = 0; j < domain->n; j++)
            one[j] = any && (special[j] >> codes[j] & 1) ? -1 : codes[j];
        CHECK(cairn_map_add(ctx, &seen, (const char *)one, domain->n * sizeof *one, &at));
    }
    *n = seen.n;
    *too_many = seen.n > MOST_OBSTACLES;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(seen.n, domain->n)));
    for (size_t i = 0; i < seen.n; i++)
        memcpy(*out + i * domain->n, cairn_map_key(&seen, i), domain->n * sizeof *one);
    return CAIRN_OK;
}

/* Whether everything that covers b also covers a. */
static bool is_nearer(const int32_t *a, const int32_t *b, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (a[j] >= 0 && a[j] != b[j]) return false;
    return true;
}

/* Leave out what needs no excluding because something nearer must be excluded. */
static size_t keep_nearest(int32_t *obstacles, size_t n, size_t width)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const int32_t *b = obstacles + i * width;
        bool wanted = true;
        for (size_t k = 0; k < kept && wanted; k++)
            wanted = !is_nearer(obstacles + k * width, b, width);
        for (size_t k = i + 1; k < n && wanted; k++)
            wanted = !is_nearer(obstacles + k * width, b, width);
        if (wanted) memmove(obstacles + kept++ * width, b, width * sizeof *b);
    }
    return kept;
}

static void keep_where(const race *r, uint64_t *kept, const int32_t *obstacles, size_t width,
                       size_t j, uint64_t mask, bool all)
{
    for (size_t i = 0; i < r->n_obstacles; i++) {
        int32_t code = obstacles[i * width + j];
        if (all || code < 0 || (mask >> code & 1)) keep_obstacle(kept, i);
    }
}

/* The sets of attribute j that contain `above` (0 = all that hold something). */
static cairn_status set_stage(cairn_context *ctx, race *r, const cairn_domain *domain, size_t j,
                              uint64_t above, const int32_t *obstacles, bool *too_many)
{
    const cairn_attribute *a = &domain->attributes[j];
    uint64_t present = 0, single = a->any == a->seen && a->n_values == 1;
    for (size_t i = 0; i < r->n_obstacles; i++)
        if (obstacles[i * domain->n + j] >= 0)
            present |= (uint64_t)1 << obstacles[i * domain->n + j];
    uint64_t near = present & ~above;
    int n_near = __builtin_popcountll(near);
    double absent = __builtin_popcountll(a->seen & ~above & ~present);
    *too_many = domain->disjunction && n_near > MOST_PRESENT;
    if (*too_many) return CAIRN_OK;
    CHECK(
        start_stage(ctx, r, j, domain->disjunction ? ((size_t)1 << n_near) + 1 : a->n_values + 2));
    if (domain->disjunction && above != a->any) {
        uint64_t part = 0;
        do {
            double weight = cairn_exp2(absent) - (!above && !part);
            keep_where(r, add_option(r, j, weight), obstacles, domain->n, j, above | part, false);
            part = (part - near) & near;
        } while (part);
    } else if (above && above != a->any) {
        keep_where(r, add_option(r, j, 1), obstacles, domain->n, j, above, false);
    } else if (!above) {
        for (uint64_t rest = present; rest; rest &= rest - 1)
            keep_where(r, add_option(r, j, 1), obstacles, domain->n, j, rest & -rest, false);
        if (absent > 0) add_option(r, j, absent);
    }
    bool any = above == a->any || (domain->disjunction ? a->any != a->seen : !single);
    if (any) keep_where(r, add_option(r, j, 1), obstacles, domain->n, j, 0, true);
    return CAIRN_OK;
}

cairn_status cairn_version_count(cairn_context *ctx, double *out, const cairn_domain *domain,
                                 const cairn_examples *e, const uint64_t *special)
{
    SCOPED_SCRATCH(ctx);
    int32_t *obstacles;
    size_t n;
    race r;
    bool too_many;
    *out = NAN;
    CHECK(find_obstacles(ctx, &obstacles, &n, &too_many, domain, e, special));
    if (too_many) return CAIRN_OK;
    n = keep_nearest(obstacles, n, domain->n);
    CHECK(start_race(ctx, &r, domain->n, n));
    bool any = !cairn_concept_is_empty(domain, special);
    for (size_t j = 0; j < domain->n; j++) {
        CHECK(set_stage(ctx, &r, domain, j, any ? special[j] : 0, obstacles, &too_many));
        if (too_many) return CAIRN_OK;
    }
    return count_ways(ctx, &r, out);
}

/* -- instances -- */

cairn_status cairn_count_uncovered(cairn_context *ctx, double *out, const cairn_domain *domain,
                                   const cairn_concepts *list)
{
    SCOPED_SCRATCH(ctx);
    race r;
    *out = NAN;
    if (list->n > MOST_OBSTACLES) return CAIRN_OK;
    CHECK(start_race(ctx, &r, domain->n, list->n));
    for (size_t j = 0; j < domain->n; j++) {
        CHECK(start_stage(ctx, &r, j, domain->attributes[j].n_values));
        for (size_t v = 0; v < domain->attributes[j].n_values; v++) {
            uint64_t *kept = add_option(&r, j, 1);
            for (size_t i = 0; i < list->n; i++)
                if (cairn_concepts_at(list, i)[j] >> v & 1) keep_obstacle(kept, i);
        }
    }
    return count_ways(ctx, &r, out);
}
