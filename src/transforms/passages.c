/* SPDX-License-Identifier: MIT */
/* Shared passages. The longest common run of words is found by halving: when a run of length k is
 * shared, so is one of every smaller length. For a length, the runs of one text go into a
 * dictionary by their hash and those of the other are looked up; a hit is compared word by word.
 * Cost: (words of both) times the logarithm of their number. */
#include "transforms/passages.h"
#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

/* Of the sums over runs of words; odd. */
enum { FACTOR = 0x2545F491 };

void cairn_passage_clear(cairn_passage *p)
{
    FREE_EACH(p->hashes, p->joined);
    *p = (cairn_passage){0};
}

static cairn_status keep_word(void *data, const char *word, size_t length)
{
    cairn_passage *p = data;
    CHECK(GROW(p->ctx, &p->hashes, &p->capacity, p->n + 1));
    CHECK(GROW(p->ctx, &p->joined, &p->joined_capacity, p->length + length + 2));
    p->hashes[p->n++] = cairn_hash(word, length, 0);
    memcpy(p->joined + p->length, word, length);
    p->length += length;
    p->joined[p->length++] = ' ';
    return CAIRN_OK;
}

cairn_status cairn_passage_read(cairn_passage *out, cairn_tokeniser *tokeniser, const char *text,
                                size_t length)
{
    out->ctx = tokeniser->ctx;
    out->n = 0;
    out->length = 1;
    CHECK(GROW(out->ctx, &out->joined, &out->joined_capacity, 1));
    out->joined[0] = ' ';
    return cairn_tokenise(tokeniser, text, length, keep_word, out);
}

uint64_t cairn_passage_hash(const cairn_passage *p, size_t first, size_t n)
{
    return cairn_hash(p->hashes + first, n * sizeof *p->hashes, 1);
}

/* Sums that give the hash of any run in constant time: sums[i] covers the first i words. */
static cairn_status make_sums(cairn_context *ctx, const cairn_passage *p, uint64_t **out)
{
    cairn_status status = SCRATCH_RAW(ctx, out, p->n + 1);
    if (status) return status;
    (*out)[0] = 0;
    for (size_t i = 0; i < p->n; i++) (*out)[i + 1] = (*out)[i] * FACTOR + p->hashes[i];
    return CAIRN_OK;
}

typedef struct run_search {
    const cairn_passage *a, *b;
    uint64_t *sums_a, *sums_b;
    uint64_t *powers; /* of the factor, by length */
} run_search;

static uint64_t run_hash(const uint64_t *sums, const uint64_t *powers, size_t first, size_t n)
{
    return sums[first + n] - sums[first] * powers[n];
}

/* Whether a run of n words stands in both. */
static cairn_status is_shared(cairn_context *ctx, const run_search *s, size_t n, bool *out)
{
    SCOPED(cairn_map_clear) cairn_map runs = {0};
    size_t index;
    OWNED(cairn_free) size_t *places = NULL;
    CHECK(NEW_RAW(ctx, &places, s->a->n + 1));
    *out = false;
    for (size_t i = 0; i + n <= s->a->n; i++) {
        uint64_t hash = run_hash(s->sums_a, s->powers, i, n);
        CHECK(cairn_map_add(ctx, &runs, (const char *)&hash, sizeof hash, &index));
        if (index + 1 == runs.n) places[index] = i;
    }
    for (size_t i = 0; i + n <= s->b->n && !*out; i++) {
        uint64_t hash = run_hash(s->sums_b, s->powers, i, n);
        int64_t at = cairn_map_find(&runs, (const char *)&hash, sizeof hash);
        *out = at >= 0 &&
               memcmp(s->a->hashes + places[at], s->b->hashes + i, n * sizeof *s->a->hashes) == 0;
    }
    return CAIRN_OK;
}

cairn_status cairn_passage_longest(cairn_context *ctx, const cairn_passage *a,
                                   const cairn_passage *b, size_t *out)
{
    SCOPED_SCRATCH(ctx);
    size_t low = 0, high = a->n < b->n ? a->n : b->n;
    run_search search = {.a = a, .b = b};
    size_t longest = high;
    CHECK(make_sums(ctx, a, &search.sums_a));
    CHECK(make_sums(ctx, b, &search.sums_b));
    CHECK(SCRATCH_RAW(ctx, &search.powers, high + 1));
    search.powers[0] = 1;
    for (size_t i = 0; i < longest; i++) search.powers[i + 1] = search.powers[i] * FACTOR;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        bool shared;
        CHECK(is_shared(ctx, &search, middle, &shared));
        if (shared)
            low = middle;
        else
            high = middle - 1;
    }
    *out = low;
    return CAIRN_OK;
}
