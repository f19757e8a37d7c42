/* SPDX-License-Identifier: MIT */
/* All concepts of a domain, or all generalisations of one, in a fixed order: the last attribute
 * changes fastest, and each goes from special to general. */
#include "concepts/concepts.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>

static int bits(uint64_t mask)
{
    return __builtin_popcountll(mask);
}

/* How many sets of the language contain `above` (0 = all that hold something). */
static double count_options(const cairn_domain *domain, const cairn_attribute *a, uint64_t above)
{
    double open = a->any != a->seen, n = (double)a->n_values;
    if (above == a->any || (n == 1 && !open)) return 1;
    if (!domain->disjunction) {
        if (above) return 2;
        return n + 1;
    }
    if (above) return cairn_exp2(bits(a->seen & ~above)) + open;
    return cairn_exp2(n) - 1 + open;
}

static double count_all(const cairn_domain *domain, const uint64_t *above)
{
    double size = 1;
    for (size_t j = 0; j < domain->n; j++)
        size *= count_options(domain, &domain->attributes[j], above ? above[j] : 0);
    return size;
}

double cairn_domain_concepts(const cairn_domain *domain)
{
    return count_all(domain, NULL);
}

double cairn_domain_concepts_above(const cairn_domain *domain, const uint64_t *above)
{
    return count_all(domain, cairn_concept_is_empty(domain, above) ? NULL : above);
}

double cairn_domain_concepts_log2(const cairn_domain *domain)
{
    double sum = 0;
    for (size_t j = 0; j < domain->n; j++)
        sum += cairn_log2(count_options(domain, &domain->attributes[j], 0));
    return sum;
}

double cairn_domain_instances(const cairn_domain *domain)
{
    double size = 1;
    for (size_t j = 0; j < domain->n; j++) size *= (double)domain->attributes[j].n_values;
    return size;
}

/* The sets of an attribute that contain `above`, small ones first as their numbers go. */
static cairn_status list_options(cairn_context *ctx, cairn_walk *walk, size_t j, uint64_t above)
{
    const cairn_attribute *a = &walk->domain->attributes[j];
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &walk->options[j], (size_t)count_options(walk->domain, a, above)));
    if (above == a->any || (a->n_values == 1 && a->any == a->seen)) {
        walk->options[j][n++] = a->any;
    } else if (walk->domain->disjunction) {
        uint64_t free = a->seen & ~above, part = 0;
        do { /* the subsets of `free` in ascending order */
            if (above | part) walk->options[j][n++] = above | part;
            part = (part - free) & free;
        } while (part);
        if (a->any != a->seen) walk->options[j][n++] = a->any;
    } else {
        if (above)
            walk->options[j][n++] = above;
        else
            for (size_t v = 0; v < a->n_values; v++) walk->options[j][n++] = (uint64_t)1 << v;
        walk->options[j][n++] = a->any;
    }
    walk->n_options[j] = n;
    return CAIRN_OK;
}

cairn_status cairn_walk_start(cairn_context *ctx, cairn_walk *out, const cairn_domain *domain,
                              const uint64_t *above, double limit, const char *advice)
{
    if (above && cairn_concept_is_empty(domain, above)) above = NULL;
    *out = (cairn_walk){.domain = domain, .size = count_all(domain, above)};
    if (out->size > limit) {
        char size[CAIRN_NUMBER_SIZE], most[CAIRN_NUMBER_SIZE];
        cairn_number_format(size, out->size, 6);
        cairn_number_format(most, limit, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s hypotheses are too many to look at one by one (at most %s); %s", size,
                          most, advice);
    }
    CHECK(SCRATCH_EACH(ctx, domain->n, &out->options, &out->n_options, &out->at, &out->concept));
    for (size_t j = 0; j < domain->n; j++) {
        CHECK(list_options(ctx, out, j, above ? above[j] : 0));
        out->concept[j] = out->options[j][0];
    }
    return CAIRN_OK;
}

bool cairn_walk_next(cairn_walk *walk)
{
    if (!walk->begun) return walk->begun = true;
    for (size_t j = walk->domain->n; j-- > 0;) {
        bool more = ++walk->at[j] < walk->n_options[j];
        if (!more) walk->at[j] = 0;
        walk->concept[j] = walk->options[j][walk->at[j]];
        if (more) return true;
    }
    return false;
}
