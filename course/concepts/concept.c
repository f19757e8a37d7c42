/* SPDX-License-Identifier: MIT */
/* Single concepts and lists of them. */
#include "concepts/concepts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool cairn_concept_covers(const cairn_domain *domain, const uint64_t *concept, const int32_t *codes)
{
    for (size_t j = 0; j < domain->n; j++)
        if (!(concept[j] >> codes[j] & 1)) return false;
    return true;
}

bool cairn_concept_is_empty(const cairn_domain *domain, const uint64_t *concept)
{
    for (size_t j = 0; j < domain->n; j++)
        if (!concept[j]) return true;
    return false;
}

bool cairn_concept_includes(const cairn_domain *domain, const uint64_t *a, const uint64_t *b)
{
    if (cairn_concept_is_empty(domain, b)) return true;
    for (size_t j = 0; j < domain->n; j++)
        if (b[j] & ~a[j]) return false;
    return true;
}

bool cairn_concept_equals(const cairn_domain *domain, const uint64_t *a, const uint64_t *b)
{
    return cairn_concept_includes(domain, a, b) && cairn_concept_includes(domain, b, a);
}

void cairn_concept_any(const cairn_domain *domain, uint64_t *out)
{
    for (size_t j = 0; j < domain->n; j++) out[j] = domain->attributes[j].any;
}

void cairn_concept_of(const cairn_domain *domain, uint64_t *out, const int32_t *codes)
{
    for (size_t j = 0; j < domain->n; j++) out[j] = (uint64_t)1 << codes[j];
}

/* All bits from the lowest to the highest one that is set. */
static uint64_t filled(uint64_t mask)
{
    int low = __builtin_ctzll(mask), high = 63 - __builtin_clzll(mask);
    return (((uint64_t)1 << high) - ((uint64_t)1 << low)) | (uint64_t)1 << high;
}

/* The least set of the language that contains the mask, which is not empty. */
static uint64_t closed_mask(const cairn_domain *domain, const cairn_attribute *a, uint64_t mask)
{
    if (mask & ~a->seen) return a->any;
    if (a->interval) return filled(mask);
    if (!domain->disjunction && (mask & (mask - 1))) return a->any;
    return mask;
}

void cairn_concept_join(const cairn_domain *domain, uint64_t *out, const uint64_t *a,
                        const uint64_t *b)
{
    size_t bytes = domain->n * sizeof *out;
    if (cairn_concept_is_empty(domain, a)) {
        memmove(out, b, bytes);
    } else if (cairn_concept_is_empty(domain, b)) {
        memmove(out, a, bytes);
    } else {
        for (size_t j = 0; j < domain->n; j++)
            out[j] = closed_mask(domain, &domain->attributes[j], a[j] | b[j]);
    }
}

size_t cairn_concept_conditions(const cairn_domain *domain, const uint64_t *concept)
{
    size_t n = 0;
    for (size_t j = 0; j < domain->n; j++) n += concept[j] != domain->attributes[j].any;
    return n;
}

static double volume_of(const uint64_t *concept, size_t n)
{
    double volume = 1;
    for (size_t j = 0; j < n; j++) volume *= __builtin_popcountll(concept[j]);
    return volume;
}

double cairn_concept_volume(const cairn_domain *domain, const uint64_t *concept)
{
    return volume_of(concept, domain->n);
}

void cairn_concepts_clear(cairn_concepts *list)
{
    cairn_free(list->masks);
    *list = (cairn_concepts){0};
}

cairn_status cairn_concepts_add(cairn_context *ctx, cairn_concepts *list,
                                const cairn_domain *domain, const uint64_t *concept)
{
    list->width = domain->n;
    CHECK(GROW(ctx, &list->masks, &list->capacity, (list->n + 1) * domain->n));
    memcpy(cairn_concepts_at(list, list->n++), concept, domain->n * sizeof *concept);
    return CAIRN_OK;
}

void cairn_concepts_keep_maximal(cairn_concepts *list, const cairn_domain *domain, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < list->n; i++) {
        const uint64_t *c = cairn_concepts_at(list, i);
        bool wanted = true;
        for (size_t k = 0; k < kept && wanted; k++)
            wanted = !cairn_concept_includes(domain, cairn_concepts_at(list, k), c);
        for (size_t k = i + 1; k < list->n && wanted; k++) {
            const uint64_t *other = cairn_concepts_at(list, k);
            wanted = !cairn_concept_includes(domain, other, c) ||
                     cairn_concept_includes(domain, c, other);
        }
        if (wanted) memmove(cairn_concepts_at(list, kept++), c, list->width * sizeof *c);
    }
    list->n = kept;
}

void cairn_concepts_maximal(cairn_concepts *list, const cairn_domain *domain)
{
    cairn_concepts_keep_maximal(list, domain, 0);
}

typedef struct ordered {
    double volume;
    size_t at;
} ordered;

static int by_volume(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    if (x->volume != y->volume) return x->volume < y->volume ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

cairn_status cairn_concepts_sort(cairn_context *ctx, cairn_concepts *list)
{
    SCOPED_SCRATCH(ctx);
    ordered *order;
    uint64_t *copy;
    CHECK(SCRATCH(ctx, &order, list->n));
    CHECK(SCRATCH_RAW(ctx, &copy, list->n * list->width));
    for (size_t i = 0; i < list->n; i++)
        order[i] = (ordered){volume_of(cairn_concepts_at(list, i), list->width), i};
    if (list->n) {
        qsort(order, list->n, sizeof *order, by_volume);
        memcpy(copy, list->masks, list->n * list->width * sizeof *copy);
    }
    for (size_t i = 0; i < list->n; i++)
        memcpy(cairn_concepts_at(list, i), copy + order[i].at * list->width,
               list->width * sizeof *copy);
    return CAIRN_OK;
}
