/* SPDX-License-Identifier: MIT */
/* Chains over contexts: see markov_contexts.h. */
#include "learners/sequence/markov_contexts.h"

#include "base/functions.h"
#include "base/memory.h"
#include "data/column.h"

double cairn_markov_share(const cairn_markov_model *m, size_t class, size_t context, size_t symbol)
{
    return cairn_exp(m->logs[(class * m->n_contexts + context) * m->n_symbols + symbol]);
}

size_t cairn_markov_after(const cairn_markov_model *m, size_t context, size_t symbol)
{
    return (context * (m->n_symbols + 1) + symbol) % m->n_contexts;
}

void cairn_markov_contexts_clear(cairn_markov_contexts *c)
{
    cairn_hmm_clear(&c->chain);
    cairn_free(c->last);
    cairn_free(c->shorter);
    cairn_free(c->contexts);
    *c = (cairn_markov_contexts){0};
}

/* -- which contexts -- */

/* A walk over all contexts that the chain can come to. */
typedef struct context_walk {
    const cairn_markov_model *m;
    size_t class;
    uint8_t *reached; /* n_contexts; scratch */
    uint32_t *stack;  /* CAIRN_MOST_STATES: contexts whose successors are not looked at yet */
    size_t depth, n;
} context_walk;

static cairn_status fail_many(cairn_context *ctx, const cairn_markov_model *m)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the chain of order %d over %zu states comes to more than %d contexts, which "
                      "is too much for the long run; choose a smaller order",
                      m->order, m->n_symbols, CAIRN_MOST_STATES);
}

static cairn_status reach(cairn_context *ctx, context_walk *w, size_t context)
{
    for (size_t s = 0; s < w->m->n_symbols; s++) {
        size_t next = cairn_markov_after(w->m, context, s);
        if (w->reached[next] || !(cairn_markov_share(w->m, w->class, context, s) > 0)) continue;
        if (++w->n > CAIRN_MOST_STATES) return fail_many(ctx, w->m);
        w->reached[next] = 1;
        w->stack[w->depth++] = (uint32_t)next;
    }
    return CAIRN_OK;
}

static cairn_status find_contexts(cairn_context *ctx, context_walk *w)
{
    CHECK(SCRATCH(ctx, &w->reached, w->m->n_contexts));
    CHECK(SCRATCH_RAW(ctx, &w->stack, CAIRN_MOST_STATES));
    CHECK(reach(ctx, w, w->m->n_contexts - 1));
    while (w->depth) CHECK(reach(ctx, w, w->stack[--w->depth]));
    return CAIRN_OK;
}

/* How many steps a context has: the others are the place before the first one. */
static int32_t length_of(const cairn_markov_model *m, size_t context)
{
    int32_t length = 0;
    for (int32_t k = 0; k < m->order; k++, context /= m->n_symbols + 1)
        length += context % (m->n_symbols + 1) < m->n_symbols;
    return length;
}

/* -- the chain -- */

static cairn_status add_name(cairn_context *ctx, cairn_hmm *chain, const cairn_markov_model *m,
                             size_t context, bool shorter)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    size_t base = m->n_symbols + 1, place = m->n_contexts / base, index;
    if (shorter) cairn_text_add(&name, "start");
    for (; place; place /= base) {
        size_t digit = context / place % base;
        if (digit == m->n_symbols) continue;
        cairn_text_addf(&name, name.length ? " %s" : "%s", cairn_map_key(&m->symbols, digit));
    }
    while (cairn_map_find(&chain->states, cairn_text_string(&name), name.length) >= 0)
        cairn_text_add(&name, "'"); /* names with blanks may read alike */
    CHECK(cairn_text_status(&name));
    return cairn_map_add(ctx, &chain->states, cairn_text_string(&name), name.length, &index);
}

static cairn_status make_room(cairn_context *ctx, cairn_markov_contexts *out, size_t n)
{
    CHECK(cairn_hmm_make(ctx, &out->chain, n, 0, 0));
    CHECK(NEW(ctx, &out->last, n));
    CHECK(NEW(ctx, &out->shorter, n));
    return NEW(ctx, &out->contexts, n);
}

/* Moves between the contexts that are there. */
static cairn_status fill_chain(cairn_context *ctx, cairn_markov_contexts *out,
                               const context_walk *w)
{
    const cairn_markov_model *m = w->m;
    size_t n = out->chain.n_states;
    uint32_t *place;
    CHECK(SCRATCH(ctx, &place, m->n_contexts));
    for (size_t i = 0; i < n; i++) place[out->contexts[i]] = (uint32_t)i;
    for (size_t s = 0; s < m->n_symbols; s++) {
        size_t begin = m->n_contexts - 1, first = cairn_markov_after(m, begin, s);
        if (w->reached[first])
            out->chain.start[place[first]] = cairn_markov_share(m, w->class, begin, s);
        for (size_t i = 0; i < n; i++) {
            size_t next = cairn_markov_after(m, out->contexts[i], s);
            if (w->reached[next])
                out->chain.move[i * n + place[next]] =
                    cairn_markov_share(m, w->class, out->contexts[i], s);
        }
    }
    return CAIRN_OK;
}

static cairn_status expand(cairn_context *ctx, cairn_markov_contexts *out,
                           const cairn_markov_model *m, size_t class)
{
    SCOPED_SCRATCH(ctx);
    context_walk w = {.m = m, .class = class};
    size_t n = 0;
    CHECK(find_contexts(ctx, &w));
    CHECK(make_room(ctx, out, w.n));
    for (int32_t length = 1; length <= m->order; length++)
        for (size_t k = 0; k < m->n_contexts; k++) {
            if (!w.reached[k] || length_of(m, k) != length) continue;
            CHECK(add_name(ctx, &out->chain, m, k, length < m->order));
            out->last[n] = (int32_t)(k % (m->n_symbols + 1));
            out->shorter[n] = length < m->order;
            out->contexts[n++] = k;
        }
    return fill_chain(ctx, out, &w);
}

/* Of order 0 and 1: symbols are the states, whether the chain comes to them or not. */
static cairn_status take_symbols(cairn_context *ctx, cairn_markov_contexts *out,
                                 const cairn_markov_model *m, size_t class)
{
    size_t n = m->n_symbols;
    if (n > CAIRN_MOST_STATES) return fail_many(ctx, m);
    CHECK(make_room(ctx, out, n));
    CHECK(cairn_map_copy(ctx, &out->chain.states, &m->symbols));
    for (size_t i = 0; i < n; i++) {
        out->last[i] = (int32_t)i;
        out->contexts[i] = m->order ? i : 0;
        out->chain.start[i] = cairn_markov_share(m, class, m->n_contexts - 1, i);
        for (size_t s = 0; s < n; s++)
            out->chain.move[i * n + s] = cairn_markov_share(m, class, out->contexts[i], s);
    }
    return CAIRN_OK;
}

cairn_status cairn_markov_expand(cairn_context *ctx, cairn_markov_contexts *out,
                                 const cairn_markov_model *m, size_t class)
{
    *out = (cairn_markov_contexts){0};
    cairn_status status =
        m->order > 1 ? expand(ctx, out, m, class) : take_symbols(ctx, out, m, class);
    if (status != CAIRN_OK) cairn_markov_contexts_clear(out);
    return status;
}
