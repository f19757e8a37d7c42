/* SPDX-License-Identifier: MIT */
/* Version spaces by their boundaries.
 *
 * Both languages have a least general generalisation of any two concepts, so the special boundary
 * is one concept, the join of the positives, and the version space is empty just when it covers a
 * negative. The general boundary is specialised as little as possible whenever it covers a
 * negative; what does not include the special boundary is dropped at once, and in the end what is
 * less general than another. */
#include "concepts/concepts.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

cairn_status cairn_examples_distinct(cairn_context *ctx, size_t **out, size_t *n,
                                     const cairn_domain *domain, const cairn_examples *e)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    int32_t *one;
    size_t at;
    *n = 0;
    CHECK(SCRATCH(ctx, out, e->n));
    CHECK(SCRATCH(ctx, &one, domain->n + 1));
    for (size_t i = 0; i < e->n; i++) {
        memcpy(one, cairn_example(e, domain, i), domain->n * sizeof *one);
        one[domain->n] = e->positive[i];
        CHECK(cairn_map_add(ctx, &seen, (const char *)one, (domain->n + 1) * sizeof *one, &at));
        if (at == *n) (*out)[(*n)++] = i;
    }
    return CAIRN_OK;
}

cairn_status cairn_boundaries_start(cairn_context *ctx, cairn_boundaries *out,
                                    const cairn_domain *domain)
{
    uint64_t *any;
    *out = (cairn_boundaries){0};
    CHECK(SCRATCH_EACH(ctx, domain->n, &out->special, &any));
    cairn_concept_any(domain, any);
    return cairn_concepts_add(ctx, &out->general, domain, any);
}

void cairn_boundaries_clear(cairn_boundaries *boundaries)
{
    cairn_concepts_clear(&boundaries->general);
}

/* The concepts just below c that do not cover the instance and include `above`. */
static cairn_status add_below(cairn_context *ctx, cairn_concepts *out, const cairn_domain *domain,
                              const uint64_t *c, const uint64_t *above, const int32_t *codes,
                              uint64_t *work)
{
    memcpy(work, c, domain->n * sizeof *work);
    for (size_t j = 0; j < domain->n; j++) {
        const cairn_attribute *a = &domain->attributes[j];
        uint64_t rest = c[j] & a->seen & ~((uint64_t)1 << codes[j]);
        if (domain->disjunction) {
            work[j] = rest;
            if (rest && (!above || cairn_concept_includes(domain, work, above)))
                CHECK(cairn_concepts_add(ctx, out, domain, work));
        } else if (c[j] == a->any) {
            for (size_t v = 0; v < a->n_values; v++) {
                work[j] = (uint64_t)1 << v;
                if ((rest & work[j]) && (!above || cairn_concept_includes(domain, work, above)))
                    CHECK(cairn_concepts_add(ctx, out, domain, work));
            }
        }
        work[j] = c[j];
    }
    return CAIRN_OK;
}

/* Replace the members of the list, of which none includes another, that cover the instance by what
 * is just below them. Lists that become too long stay as they were: `too_many` is their length. */
static cairn_status exclude(cairn_context *ctx, cairn_concepts *list, const cairn_domain *domain,
                            const uint64_t *above, const int32_t *codes, size_t *too_many)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_concepts_clear) cairn_concepts next = {.width = domain->n};
    uint64_t *work;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(SCRATCH(ctx, &work, domain->n));
    for (size_t i = 0; i < list->n; i++)
        if (!cairn_concept_covers(domain, cairn_concepts_at(list, i), codes))
            CHECK(cairn_concepts_add(ctx, &next, domain, cairn_concepts_at(list, i)));
    size_t untouched = next.n;
    if (untouched == list->n) return CAIRN_OK;
    for (size_t i = 0; i < list->n; i++)
        if (cairn_concept_covers(domain, cairn_concepts_at(list, i), codes))
            CHECK(add_below(ctx, &next, domain, cairn_concepts_at(list, i), above, codes, work));
    *too_many = next.n > CAIRN_GENERAL_MOST ? next.n : 0;
    if (*too_many) return CAIRN_OK;
    cairn_concepts_keep_maximal(&next, domain, untouched);
    cairn_concepts_clear(list);
    *list = next;
    next = (cairn_concepts){0};
    return CAIRN_OK;
}

static void keep_including(cairn_concepts *list, const cairn_domain *domain, const uint64_t *above)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        const uint64_t *c = cairn_concepts_at(list, i);
        if (cairn_concept_includes(domain, c, above))
            memmove(cairn_concepts_at(list, kept++), c, list->width * sizeof *c);
    }
    list->n = kept;
}

cairn_status cairn_boundaries_add(cairn_context *ctx, cairn_boundaries *boundaries,
                                  const cairn_domain *domain, const int32_t *codes, bool positive)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *instance;
    if (boundaries->collapsed) return CAIRN_OK;
    if (positive) {
        CHECK(SCRATCH(ctx, &instance, domain->n));
        cairn_concept_of(domain, instance, codes);
        cairn_concept_join(domain, boundaries->special, boundaries->special, instance);
        keep_including(&boundaries->general, domain, boundaries->special);
    } else if (boundaries->too_many) {
        return CAIRN_OK;
    } else if (!cairn_concept_is_empty(domain, boundaries->special) &&
               cairn_concept_covers(domain, boundaries->special, codes)) {
        boundaries->general.n = 0;
    } else {
        bool any_positive = !cairn_concept_is_empty(domain, boundaries->special);
        CHECK(exclude(ctx, &boundaries->general, domain, any_positive ? boundaries->special : NULL,
                      codes, &boundaries->too_many));
    }
    if (boundaries->too_many) {
        boundaries->general.n = 0;
        return CAIRN_OK;
    }
    /* The last negative may leave nothing but the empty concept, which covers no positive. */
    if (!boundaries->general.n && cairn_concept_is_empty(domain, boundaries->special) && !positive)
        CHECK(cairn_concepts_add(ctx, &boundaries->general, domain, boundaries->special));
    boundaries->collapsed = !boundaries->general.n;
    return CAIRN_OK;
}

cairn_status cairn_specialise(cairn_context *ctx, cairn_concepts *out, const cairn_domain *domain,
                              const uint64_t *from, const uint64_t *above,
                              const int32_t *const *negatives, size_t n)
{
    CHECK(cairn_concepts_add(ctx, out, domain, from));
    for (size_t i = 0; i < n; i++) {
        size_t too_many = 0;
        CHECK(exclude(ctx, out, domain, above, negatives[i], &too_many));
        if (too_many)
            CHECK(cairn_fail(
                ctx, CAIRN_NO_SOLUTION,
                "%zu concepts after %zu of %zu negative examples are too many to compare "
                "with each other (at most %d); use fewer columns or begin with a more "
                "special concept ({start})",
                too_many, i + 1, n, CAIRN_GENERAL_MOST));
    }
    return CAIRN_OK;
}

/* The first of the examples up to `last` that is negative and covered. */
static bool covered_negative(const cairn_domain *domain, const cairn_examples *e,
                             const uint64_t *concept, size_t last, size_t *out)
{
    for (*out = 0; *out < last; ++*out)
        if (!e->positive[*out] &&
            cairn_concept_covers(domain, concept, cairn_example(e, domain, *out)))
            return true;
    return false;
}

/* The positive example that made the join of the positives cover this instance. */
static void blame_positive(const cairn_domain *domain, const cairn_examples *e, size_t negative,
                           uint64_t *join, uint64_t *instance, size_t *out)
{
    memset(join, 0, domain->n * sizeof *join);
    for (*out = 0; *out < e->n; ++*out) {
        if (!e->positive[*out]) continue;
        cairn_concept_of(domain, instance, cairn_example(e, domain, *out));
        cairn_concept_join(domain, join, join, instance);
        if (cairn_concept_covers(domain, join, cairn_example(e, domain, negative))) return;
    }
}

cairn_status cairn_find_conflict(cairn_context *ctx, bool *found, cairn_conflict *out,
                                 const cairn_domain *domain, const cairn_examples *e)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *join, *instance;
    *found = false;
    CHECK(SCRATCH_EACH(ctx, domain->n, &join, &instance));
    for (size_t i = 0; i < e->n && !*found; i++) {
        const int32_t *codes = cairn_example(e, domain, i);
        out->at = i;
        if (e->positive[i]) {
            bool known =
                !cairn_concept_is_empty(domain, join) && cairn_concept_covers(domain, join, codes);
            if (known) continue; /* the join stays as it is */
            cairn_concept_of(domain, instance, codes);
            cairn_concept_join(domain, join, join, instance);
            *found = covered_negative(domain, e, join, i, &out->negative);
            out->positive = i;
        } else if (!cairn_concept_is_empty(domain, join) &&
                   cairn_concept_covers(domain, join, codes)) {
            *found = true;
            out->negative = i;
            blame_positive(domain, e, i, join, instance, &out->positive);
        }
    }
    if (*found)
        out->same = !memcmp(cairn_example(e, domain, out->negative),
                            cairn_example(e, domain, out->positive), domain->n * sizeof *e->codes);
    return CAIRN_OK;
}

int cairn_boundaries_decide(const cairn_boundaries *boundaries, const cairn_domain *domain,
                            const cairn_examples *e, const int32_t *codes, uint64_t *work)
{
    const uint64_t *special = boundaries->special;
    size_t covered;
    if (!cairn_concept_is_empty(domain, special) && cairn_concept_covers(domain, special, codes))
        return 1;
    if (boundaries->too_many) { /* does the least general that covers it cover a negative? */
        cairn_concept_of(domain, work, codes);
        cairn_concept_join(domain, work, work, special);
        return covered_negative(domain, e, work, e->n, &covered) ? 0 : -1;
    }
    for (size_t i = 0; i < boundaries->general.n; i++)
        if (cairn_concept_covers(domain, cairn_concepts_at(&boundaries->general, i), codes))
            return -1;
    return 0;
}

cairn_status cairn_version_members(cairn_context *ctx, cairn_concepts *out,
                                   const cairn_domain *domain, const cairn_examples *e,
                                   const uint64_t *special, double limit)
{
    cairn_walk walk;
    size_t *distinct, n;
    double done = 0;
    CHECK(cairn_examples_distinct(ctx, &distinct, &n, domain, e));
    CHECK(cairn_walk_start(
        ctx, &walk, domain, special, limit,
        cairn_say(ctx, "{no-members} shows the boundaries only, {limit} allows more")));
    while (cairn_walk_next(&walk)) {
        bool consistent = true;
        if (fmod(done++, 4096) == 0) CHECK(cairn_tick(ctx, "hypotheses", done, walk.size));
        for (size_t i = 0; i < n && consistent; i++)
            consistent =
                e->positive[distinct[i]] ==
                cairn_concept_covers(domain, walk.concept, cairn_example(e, domain, distinct[i]));
        if (consistent) CHECK(cairn_concepts_add(ctx, out, domain, walk.concept));
    }
    return cairn_concepts_sort(ctx, out);
}
