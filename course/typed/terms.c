/* SPDX-License-Identifier: MIT */
/* First-order terms. Equal terms are stored once, so that equality is that of numbers.
 *
 * Unification joins classes of terms that have to be equal (union-find): joining two compound terms
 * joins their arguments. A class with two different symbols cannot be unified, and neither can one
 * that holds itself below an argument, which a search for cycles finds at the end (the occurs
 * check). This takes about linear time, also where the unified term, written out, is exponentially
 * long. Nothing recurses deeper than the nesting that reading allows. */
#include "typed/terms.h"

#include "base/limits.h"
#include "typed/shown.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 400, LONGEST_SHOWN = 4000, DEEPEST_SHOWN = 1000 };

void cairn_terms_clear(cairn_terms *terms)
{
    cairn_map_clear(&terms->names);
    FREE_EACH(terms->list, terms->arguments, terms->slots);
    *terms = (cairn_terms){0};
}

/* -- store -- */

static uint64_t hash_of(int32_t name, const uint32_t *arguments, size_t n)
{
    uint64_t h = (uint64_t)name * 0x9E3779B97F4A7C15u + n;
    for (size_t i = 0; i < n; i++) {
        h ^= arguments[i];
        h *= 0xFF51AFD7ED558CCDu;
        h ^= h >> 33;
    }
    return h ^ h >> 29;
}

static cairn_status more_slots(cairn_terms *terms)
{
    size_t n = terms->n_slots ? 2 * terms->n_slots : 64;
    uint32_t *slots;
    CHECK(NEW(terms->ctx, &slots, n));
    for (size_t i = 0; i < terms->n; i++) {
        const cairn_term *t = &terms->list[i];
        size_t at = hash_of(t->name, terms->arguments + t->first, t->n_arguments) & (n - 1);
        while (slots[at]) at = (at + 1) & (n - 1);
        slots[at] = (uint32_t)i + 1;
    }
    cairn_free(terms->slots);
    terms->slots = slots;
    terms->n_slots = n;
    return CAIRN_OK;
}

/* The number of the term, which is stored if it is new. */
static cairn_status intern(cairn_terms *terms, uint32_t *out, int32_t name, bool variable,
                           const uint32_t *arguments, size_t n)
{
    if (2 * (terms->n + 1) > terms->n_slots) CHECK(more_slots(terms));
    size_t at = hash_of(name, arguments, n) & (terms->n_slots - 1);
    for (; terms->slots[at]; at = (at + 1) & (terms->n_slots - 1)) {
        const cairn_term *t = &terms->list[terms->slots[at] - 1];
        if (t->name != name || t->variable != variable || t->n_arguments != n) continue;
        if (n && memcmp(terms->arguments + t->first, arguments, n * sizeof *arguments) != 0)
            continue;
        *out = terms->slots[at] - 1;
        return CAIRN_OK;
    }
    CHECK(GROW(terms->ctx, &terms->list, &terms->capacity, terms->n + 1));
    CHECK(GROW(terms->ctx, &terms->arguments, &terms->arguments_capacity,
               terms->n_arguments + n + 1));
    if (n) memcpy(terms->arguments + terms->n_arguments, arguments, n * sizeof *arguments);
    terms->list[terms->n] = (cairn_term){name, variable, (uint32_t)n, terms->n_arguments};
    terms->n_arguments += n;
    *out = (uint32_t)terms->n;
    terms->slots[at] = (uint32_t)++terms->n;
    return CAIRN_OK;
}

/* -- reading -- */

typedef struct reader {
    cairn_terms *terms;
    const char *text, *option;
    size_t at, length;
    int apart;
    uint32_t *stack; /* arguments of the terms that are open */
    size_t n_stack, stack_capacity;
} reader;

static cairn_status bad_term(const reader *r, size_t at, const char *what)
{
    return cairn_fail_place(r->terms->ctx, r->text, at, "{%s}: %s", r->option, what);
}

static void skip_blanks(reader *r)
{
    while (r->text[r->at] == ' ' || r->text[r->at] == '\t' || r->text[r->at] == '\n') r->at++;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '\'' || (unsigned char)c >= 0x80;
}

/* A name that stands alone is a variable by its first letter. */
static bool is_variable(const cairn_terms *terms, char first)
{
    if (terms->upper) return (first >= 'A' && first <= 'Z') || first == '_';
    return first >= 'a' && first <= 'z';
}

static cairn_status name_number(reader *r, int32_t *out, size_t from, bool variable)
{
    size_t index;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(r->terms->ctx);
    cairn_text_add_bytes(&name, r->text + from, r->at - from);
    if (variable && r->apart > 0) cairn_text_addf(&name, "_%d", r->apart);
    CHECK(cairn_text_status(&name));
    CHECK(cairn_map_add(r->terms->ctx, &r->terms->names, name.bytes, name.length, &index));
    *out = (int32_t)index;
    return CAIRN_OK;
}

/* Arguments are collected on a stack that is shared by all depths, and the finished term takes
 * their place; equal terms are stored once. */
static cairn_status read_term(reader *r, int depth)
{
    uint32_t term;
    int32_t name;
    skip_blanks(r);
    size_t from = r->at, base = r->n_stack;
    if (depth > DEEPEST) CHECK(bad_term(r, r->at, "terms are nested more than 400 deep here"));
    while (is_letter(r->text[r->at])) r->at++;
    size_t end = r->at;
    if (end == from) CHECK(bad_term(r, r->at, "a name is expected here"));
    skip_blanks(r);
    bool compound = r->text[r->at] == '(';
    bool variable = !compound && is_variable(r->terms, r->text[from]);
    size_t after_name = r->at;
    r->at = end;
    CHECK(name_number(r, &name, from, variable));
    r->at = after_name;
    if (compound) {
        do {
            r->at++;
            CHECK(read_term(r, depth + 1));
            skip_blanks(r);
        } while (r->text[r->at] == ',');
        if (r->text[r->at] != ')') CHECK(bad_term(r, r->at, "a comma or ) is expected here"));
        r->at++;
    }
    CHECK(intern(r->terms, &term, name, variable, r->stack ? r->stack + base : NULL,
                 r->n_stack - base));
    r->n_stack = base;
    cairn_status status = GROW(r->terms->ctx, &r->stack, &r->stack_capacity, r->n_stack + 1);
    if (status == CAIRN_OK) r->stack[r->n_stack++] = term;
    return status;
}

cairn_status cairn_term_read(cairn_terms *terms, uint32_t *out, const char *text, size_t *at,
                             int apart, const char *option)
{
    reader r = {terms, text, option, *at, strlen(text), apart, NULL, 0, 0};
    cairn_status status;
    if (r.length > cairn_context_limit(terms->ctx, CAIRN_LIMIT_EXPRESSION))
        TRY(cairn_fail(terms->ctx, CAIRN_USAGE, "{%s}: terms of %zu bytes are too long: %s", option,
                       r.length, cairn_limit_said(terms->ctx, CAIRN_LIMIT_EXPRESSION, r.length)));
    TRY(read_term(&r, 1));
    skip_blanks(&r);
    if (r.text[r.at] && r.text[r.at] != ';')
        TRY(bad_term(&r, r.at, "the term ends before this; terms are separated by ;"));
    *out = r.stack[0];
    *at = r.at;
done:
    cairn_free(r.stack);
    return status;
}

/* -- unification -- */

static uint32_t find(const cairn_unifier *u, uint32_t term)
{
    while (u->parent[term] != term) {
        u->parent[term] = u->parent[u->parent[term]];
        term = u->parent[term];
    }
    return term;
}

typedef struct pair {
    uint32_t a, b;
} pair;

typedef struct pair_stack {
    pair *items;
    size_t n, capacity;
} pair_stack;

static cairn_status push_pair(cairn_context *ctx, pair_stack *stack, uint32_t a, uint32_t b)
{
    cairn_status status = GROW(ctx, &stack->items, &stack->capacity, stack->n + 1);
    if (status == CAIRN_OK) stack->items[stack->n++] = (pair){a, b};
    return status;
}

static const char *name_of(const cairn_terms *terms, uint32_t term)
{
    return cairn_map_key(&terms->names, (size_t)terms->list[term].name);
}

/* Join the classes of two terms; what follows for their arguments goes on the stack. */
static cairn_status join(cairn_terms *terms, cairn_unifier *u, pair_stack *stack, pair at)
{
    uint32_t a = find(u, at.a), b = find(u, at.b);
    if (a == b) return CAIRN_OK;
    uint32_t s = u->schema[a], t = u->schema[b];
    const cairn_term *left = &terms->list[s], *right = &terms->list[t];
    if (left->variable && !(right->variable && s < t)) { /* of two variables the earlier stays */
        u->parent[a] = b;
        return CAIRN_OK;
    }
    u->parent[b] = a;
    if (right->variable) return CAIRN_OK;
    if (left->name != right->name || left->n_arguments != right->n_arguments) {
        u->unified = false;
        snprintf(u->reason, sizeof u->reason, "%.100s with %u argument%s is not %.100s with %u",
                 name_of(terms, s), terms->list[s].n_arguments,
                 terms->list[s].n_arguments == 1 ? "" : "s", name_of(terms, t),
                 terms->list[t].n_arguments);
        if (terms->list[s].n_arguments == 0 && terms->list[t].n_arguments == 0)
            snprintf(u->reason, sizeof u->reason, "%.100s is not %.100s", name_of(terms, s),
                     name_of(terms, t));
        return CAIRN_OK;
    }
    for (uint32_t i = left->n_arguments; i-- > 0;)
        CHECK(push_pair(terms->ctx, stack, terms->arguments[left->first + i],
                        terms->arguments[right->first + i]));
    return CAIRN_OK;
}

/* A class below itself: depth first with a stack of (term, next argument). */
static cairn_status find_cycle(cairn_terms *terms, cairn_unifier *u)
{
    unsigned char *state; /* 1 = open, 2 = done */
    pair_stack stack = {0};
    cairn_status status;
    TRY(SCRATCH(terms->ctx, &state, terms->n));
    for (uint32_t start = 0; start < terms->n && u->unified; start++) {
        uint32_t root = find(u, start);
        if (state[root]) continue;
        state[root] = 1;
        TRY(push_pair(terms->ctx, &stack, root, 0));
        while (stack.n > 0 && u->unified) {
            pair *top = &stack.items[stack.n - 1];
            const cairn_term *t = &terms->list[u->schema[top->a]];
            if (top->b == t->n_arguments) {
                state[top->a] = 2;
                stack.n--;
                continue;
            }
            uint32_t below = find(u, terms->arguments[t->first + top->b++]);
            if (state[below] == 1) {
                u->unified = false;
                const char *name = name_of(terms, u->schema[below]);
                for (uint32_t i = 0; i < terms->n; i++)
                    if (terms->list[i].variable && find(u, i) == below) name = name_of(terms, i);
                snprintf(u->reason, sizeof u->reason,
                         "%.100s would have to stand for a term that holds it (occurs check)",
                         name);
            } else if (state[below] == 0) {
                state[below] = 1;
                TRY(push_pair(terms->ctx, &stack, below, 0));
            }
        }
        stack.n = 0;
    }
done:
    cairn_free(stack.items);
    return status;
}

cairn_status cairn_terms_unify(cairn_terms *terms, cairn_unifier *out, const uint32_t *list,
                               size_t n, bool occurs_check)
{
    pair_stack stack = {0};
    cairn_status status;
    *out = (cairn_unifier){.unified = true};
    TRY(SCRATCH_EACH(terms->ctx, terms->n, &out->parent, &out->schema));
    for (uint32_t i = 0; i < terms->n; i++) out->parent[i] = out->schema[i] = i;
    for (size_t k = 1; k < n && out->unified; k++) {
        TRY(push_pair(terms->ctx, &stack, list[0], list[k]));
        while (stack.n > 0 && out->unified) TRY(join(terms, out, &stack, stack.items[--stack.n]));
    }
    if (out->unified && occurs_check) TRY(find_cycle(terms, out));
done:
    cairn_free(stack.items);
    return status;
}

/* -- writing -- */

static void add_term(cairn_text *out, const cairn_terms *terms, const cairn_unifier *unifier,
                     uint32_t term, int depth)
{
    if (unifier) term = unifier->schema[find(unifier, term)];
    const cairn_term *t = &terms->list[term];
    if (depth > DEEPEST_SHOWN || out->length > LONGEST_SHOWN) {
        cairn_text_add(out, "…");
        return;
    }
    cairn_text_add(out, name_of(terms, term));
    if (t->n_arguments == 0) return;
    for (uint32_t i = 0; i < t->n_arguments; i++) {
        cairn_text_add(out, i ? ", " : "(");
        add_term(out, terms, unifier, terms->arguments[t->first + i], depth + 1);
        if (out->length > LONGEST_SHOWN) break;
    }
    cairn_text_add_char(out, ')');
}

void cairn_term_add(cairn_text *out, const cairn_terms *terms, const cairn_unifier *unifier,
                    uint32_t term)
{
    add_term(out, terms, unifier, term, 0);
}

/* -- generalisation -- */

typedef struct generaliser {
    cairn_terms *terms;
    size_t n; /* terms side by side */
    uint32_t *tuples;
    size_t n_tuples, tuples_capacity; /* in tuples of n */
    bool *kept;                       /* variables that all terms have at the same place */
    size_t n_kept;
} generaliser;

/* First pass: collect what differs and which variables stay. `place` has one term each. */
static cairn_status collect(generaliser *g, const uint32_t *place, int depth)
{
    const cairn_term *first = &g->terms->list[place[0]];
    bool same = true, alike = true;
    uint32_t *below;
    for (size_t k = 1; k < g->n; k++) {
        const cairn_term *t = &g->terms->list[place[k]];
        same = same && place[k] == place[0];
        alike = alike && t->name == first->name && t->n_arguments == first->n_arguments &&
                t->variable == first->variable;
    }
    if (alike && first->n_arguments > 0) {
        cairn_scratch_mark mark = cairn_scratch_now(g->terms->ctx);
        CHECK(SCRATCH(g->terms->ctx, &below, g->n));
        for (uint32_t i = 0; i < first->n_arguments; i++) {
            for (size_t k = 0; k < g->n; k++)
                below[k] = g->terms->arguments[g->terms->list[place[k]].first + i];
            CHECK(collect(g, below, depth + 1));
        }
        cairn_scratch_release(g->terms->ctx, mark);
        return CAIRN_OK;
    }
    if (same) {
        if (first->variable) g->kept[place[0]] = true;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < g->n_tuples; i++)
        if (memcmp(g->tuples + i * g->n, place, g->n * sizeof *place) == 0) return CAIRN_OK;
    CHECK(GROW(g->terms->ctx, &g->tuples, &g->tuples_capacity, (g->n_tuples + 1) * g->n));
    memcpy(g->tuples + g->n_tuples++ * g->n, place, g->n * sizeof *place);
    return CAIRN_OK;
}

/* The next of x, y, z, u, v, w, x1, x2 ... that no kept variable has. */
static cairn_status new_variable(generaliser *g, uint32_t *out, size_t *next)
{
    cairn_terms *terms = g->terms;
    for (;; ++*next) {
        static const char letters[] = "xyzuvw", capitals[] = "XYZUVW";
        char name[32];
        size_t index;
        const char *from = terms->upper ? capitals : letters;
        if (*next < 6)
            snprintf(name, sizeof name, "%c", from[*next]);
        else
            snprintf(name, sizeof name, "%c%zu", from[0], *next - 5);
        CHECK(cairn_map_add(terms->ctx, &terms->names, name, strlen(name), &index));
        CHECK(intern(terms, out, (int32_t)index, true, NULL, 0));
        if (*out >= g->n_kept || !g->kept[*out]) break;
    }
    ++*next;
    return CAIRN_OK;
}

/* Second pass: the generalisation itself. */
static cairn_status rebuild(generaliser *g, const cairn_generalised *variables,
                            const uint32_t *place, uint32_t *out)
{
    cairn_term first = g->terms->list[place[0]];
    bool alike = true;
    uint32_t *below, *made;
    for (size_t i = 0; i < g->n_tuples; i++)
        if (memcmp(variables[i].stands_for, place, g->n * sizeof *place) == 0) {
            *out = variables[i].variable;
            return CAIRN_OK;
        }
    for (size_t k = 1; k < g->n; k++) alike = alike && place[k] == place[0];
    if (alike) {
        *out = place[0];
        return CAIRN_OK;
    }
    cairn_scratch_mark mark = cairn_scratch_now(g->terms->ctx);
    CHECK(SCRATCH(g->terms->ctx, &below, g->n));
    CHECK(SCRATCH(g->terms->ctx, &made, (size_t)first.n_arguments));
    for (uint32_t i = 0; i < first.n_arguments; i++) {
        for (size_t k = 0; k < g->n; k++)
            below[k] = g->terms->arguments[g->terms->list[place[k]].first + i];
        CHECK(rebuild(g, variables, below, &made[i]));
    }
    CHECK(intern(g->terms, out, first.name, false, made, first.n_arguments));
    cairn_scratch_release(g->terms->ctx, mark);
    return CAIRN_OK;
}

cairn_status cairn_terms_generalise(cairn_terms *terms, uint32_t *out,
                                    cairn_generalised **variables, size_t *n_variables,
                                    const uint32_t *list, size_t n)
{
    generaliser g = {.terms = terms, .n = n, .n_kept = terms->n};
    size_t next = 0;
    uint32_t *kept_tuples;
    cairn_status status;
    TRY(SCRATCH(terms->ctx, &g.kept, terms->n));
    TRY(collect(&g, list, 0));
    TRY(SCRATCH(terms->ctx, variables, g.n_tuples));
    TRY(SCRATCH(terms->ctx, &kept_tuples, cairn_product(g.n_tuples, n)));
    if (g.n_tuples) memcpy(kept_tuples, g.tuples, g.n_tuples * n * sizeof *kept_tuples);
    for (size_t i = 0; i < g.n_tuples; i++) {
        (*variables)[i].stands_for = kept_tuples + i * n;
        TRY(new_variable(&g, &(*variables)[i].variable, &next));
    }
    TRY(rebuild(&g, *variables, list, out));
    *n_variables = g.n_tuples;
done:
    cairn_free(g.tuples);
    return status;
}
