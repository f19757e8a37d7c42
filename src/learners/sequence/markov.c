/* SPDX-License-Identifier: MIT */
/* Markov: one chain for each class; a sequence belongs to the class that makes
 *
 *     ln P(c) + Σ ln P(q_t | q_t-1 ... q_t-k, c)
 *
 * largest. The chain of a class is counted from its sequences: P(s | context) is the share of s
 * among the steps that follow the context, smoothed. What stands before the first step is part of
 * the context, so that the first steps have probabilities of their own (pi) in a chain of any order
 * k; order 0 counts symbols without their order.
 *
 * Symbols that training did not have, and the steps whose context holds one, are left out of the
 * sum in all classes alike. A sequence that is impossible in every class gets the shares of the
 * classes. The length of a sequence says nothing. Cost: steps for fitting, times classes for
 * predicting; a table of classes x (symbols + 1)^order x symbols.
 *
 * markov-chain is the same with one chain for all rows, which tells how probable a row is. */
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "base/memory.h"
#include "data/column.h"
#include "kernels/kernels.h"
#include "model/sample.h"

#include <math.h>
#include <string.h>

/* Markov chains: learning by counts, steps, closed classes and their stationary distributions. */

/* -- learning -- */

static const cairn_choice unvisited_choices[] = {
    {"error", CAIRN_UNVISITED_ERROR, "fail and name the state"},
    {"uniform", CAIRN_UNVISITED_UNIFORM, "all states are equally probable after it"},
    {"smooth", CAIRN_UNVISITED_SMOOTH,
     "smooth the counts of all states: as 'smooth' says, or one more of each where it says none"},
    {0},
};

const cairn_param cairn_markov_params[] = {
    CAIRN_PARAM_GROUP(cairn_markov_option, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_CHOICE(cairn_markov_option, unvisited, "error", unvisited_choices,
                       "a state that no sequence ever leaves"),
    CAIRN_PARAM_END,
};

void cairn_markov_count(cairn_markov_counts *counts, size_t n_states, const int32_t *items,
                        size_t n, double weight)
{
    if (n && items[0] >= 0) counts->start[items[0]] += weight;
    for (size_t t = 1; t < n; t++)
        if (items[t - 1] >= 0 && items[t] >= 0)
            counts->move[(size_t)items[t - 1] * n_states + (size_t)items[t]] += weight;
}

cairn_status cairn_markov_smoothing(cairn_context *ctx, cairn_smoothing *out,
                                    const cairn_markov_option *option)
{
    CHECK(cairn_smoothing_read(ctx, out, option->smoothing.smooth));
    if (out->kind == CAIRN_SMOOTH_BITS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{smooth bits} is for yes and no, and a chain goes to one of several "
                          "states; choose laplace, lambda:X or m:X");
    if (option->unvisited == CAIRN_UNVISITED_SMOOTH && out->kind == CAIRN_SMOOTH_NONE)
        out->kind = CAIRN_SMOOTH_LAPLACE;
    return CAIRN_OK;
}

void cairn_markov_show_share(cairn_report *out, const char *label, cairn_smoothing smoothing,
                             const double *counts, size_t n, size_t at, double share)
{
    double k = (double)n, total = cairn_sum(counts, n), more = 1;
    if (smoothing.kind == CAIRN_SMOOTH_LAMBDA) more = smoothing.amount;
    if (smoothing.kind == CAIRN_SMOOTH_M) more = smoothing.amount / k;
    if (smoothing.kind != CAIRN_SMOOTH_NONE)
        cairn_report_worked(out, label, "(# + #) / (# + #·#) = #", counts[at], more, total, k, more,
                            share);
    else if (total > 0)
        cairn_report_worked(out, label, "# / # = #", counts[at], total, share);
    else
        cairn_report_worked(out, label, "1 / # = #", k, share);
}

cairn_status cairn_markov_fit(cairn_context *ctx, cairn_hmm *chain,
                              const cairn_markov_counts *counts, const cairn_markov_option *option)
{
    size_t n = chain->n_states;
    cairn_smoothing smoothing;
    CHECK(cairn_markov_smoothing(ctx, &smoothing, option));
    cairn_smooth_counts(chain->start, smoothing, counts->start, n, NULL);
    for (size_t i = 0; i < n; i++) {
        double *row = chain->move + i * n;
        cairn_smooth_counts(row, smoothing, counts->move + i * n, n, NULL);
        if (!isnan(row[0])) continue;
        if (option->unvisited == CAIRN_UNVISITED_ERROR)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "state '%s' is never left, so that nothing says what follows it; "
                              "choose {unvisited uniform} or {unvisited smooth}",
                              cairn_map_key(&chain->states, i));
        for (size_t j = 0; j < n; j++) row[j] = 1 / (double)n;
    }
    if (isnan(chain->start[0]))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no sequence begins with a state");
    return CAIRN_OK;
}

/* -- steps -- */

void cairn_markov_step(const cairn_hmm *chain, const double *now, double *next)
{
    size_t n = chain->n_states;
    for (size_t j = 0; j < n; j++) next[j] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) next[j] += now[i] * chain->move[i * n + j];
}

/* -- closed classes -- */

typedef struct class_search {
    const cairn_hmm *chain;
    size_t n;
    uint32_t *order, *stack, *next; /* n each: states by the end of their visit; place in a row */
    bool *visited;                  /* n */
    int32_t *group;                 /* n: states that lead to each other; -1 = none yet */
    size_t n_groups;
} class_search;

static bool leads(const class_search *s, size_t i, size_t j)
{
    return s->chain->move[i * s->n + j] > 0;
}

/* Visit all states along the moves and note them in the order in which their visits end. */
static void order_states(class_search *s)
{
    size_t done = 0;
    for (size_t first = 0; first < s->n; first++) {
        size_t depth = 0;
        if (s->visited[first]) continue;
        s->visited[first] = true;
        s->stack[depth++] = (uint32_t)first;
        while (depth) {
            size_t i = s->stack[depth - 1], j = s->next[i];
            while (j < s->n && (s->visited[j] || !leads(s, i, j))) j++;
            s->next[i] = (uint32_t)j;
            if (j == s->n) {
                s->order[done++] = (uint32_t)i;
                depth--;
                continue;
            }
            s->visited[j] = true;
            s->stack[depth++] = (uint32_t)j;
        }
    }
}

/* Against the moves, from the state whose visit ended last: what is reached leads to each other. */
static void group_states(class_search *s)
{
    for (size_t i = 0; i < s->n; i++) s->group[i] = -1;
    for (size_t k = s->n; k-- > 0;) {
        size_t depth = 0;
        int32_t group = (int32_t)s->n_groups;
        if (s->group[s->order[k]] >= 0) continue;
        s->n_groups++;
        s->group[s->order[k]] = group;
        s->stack[depth++] = s->order[k];
        while (depth) {
            size_t j = s->stack[--depth];
            for (size_t i = 0; i < s->n; i++) {
                if (s->group[i] >= 0 || !leads(s, i, j)) continue;
                s->group[i] = group;
                s->stack[depth++] = (uint32_t)i;
            }
        }
    }
}

/* Number the groups that nothing leaves by their first states. */
static cairn_status keep_closed(cairn_context *ctx, const class_search *s,
                                cairn_closed_classes *out)
{
    bool *open;
    int32_t *number;
    CHECK(SCRATCH_EACH(ctx, s->n_groups, &open, &number));
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            if (leads(s, i, j) && s->group[i] != s->group[j]) open[s->group[i]] = true;
    for (size_t i = 0; i < s->n; i++) {
        int32_t group = s->group[i];
        if (!open[group] && !number[group]) number[group] = (int32_t)++out->n;
        out->of[i] = open[group] ? CAIRN_PASSING : number[group] - 1;
    }
    return CAIRN_OK;
}

/* The common divisor of the lengths of all ways back: of level(i) + 1 - level(j) over the moves. */
static size_t find_period(const cairn_hmm *chain, const uint32_t *members, size_t m,
                          uint32_t *queue, size_t *level)
{
    size_t n = chain->n_states, period = 0, head = 0, tail = 0;
    for (size_t k = 0; k < m; k++) level[members[k]] = SIZE_MAX;
    level[members[0]] = 0;
    queue[tail++] = members[0];
    while (head < tail) {
        size_t i = queue[head++];
        for (size_t k = 0; k < m; k++) {
            size_t j = members[k], here = level[i] + 1;
            if (!(chain->move[i * n + j] > 0)) continue;
            if (level[j] == SIZE_MAX) {
                level[j] = here;
                queue[tail++] = (uint32_t)j;
            } else {
                size_t a = here > level[j] ? here - level[j] : level[j] - here;
                size_t b = period;
                while (b) {
                    size_t rest = a % b;
                    a = b;
                    b = rest;
                }
                period = a;
            }
        }
    }
    return period;
}

/* The stationary distribution of m states by elimination of one after the other (Grassmann, Taksar
 * and Heyman), which never subtracts and so keeps its digits. `a` (m x m) is destroyed. */
static cairn_status eliminate(cairn_context *ctx, double *a, size_t m, double *shares)
{
    double sum = 1;
    for (size_t k = m; k-- > 1;) {
        double out = 0;
        if (k % 64 == 0) CHECK(cairn_tick(ctx, "states", (double)(m - k), (double)m));
        for (size_t j = 0; j < k; j++) out += a[k * m + j];
        if (!(out > 0))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "probabilities are too small to tell the stationary distribution");
        for (size_t i = 0; i < k; i++) {
            double share = a[i * m + k] /= out;
            for (size_t j = 0; j < k && share > 0; j++) a[i * m + j] += share * a[k * m + j];
        }
    }
    shares[0] = 1;
    for (size_t k = 1; k < m; k++) {
        shares[k] = 0;
        for (size_t i = 0; i < k; i++) shares[k] += shares[i] * a[i * m + k];
        sum += shares[k];
    }
    for (size_t k = 0; k < m; k++) shares[k] /= sum;
    return CAIRN_OK;
}

/* Period and stationary distribution of class c. */
static cairn_status solve_class(cairn_context *ctx, const cairn_hmm *chain,
                                cairn_closed_classes *out, size_t c)
{
    SCOPED_SCRATCH(ctx);
    size_t n = chain->n_states, m = 0, *level;
    uint32_t *members, *queue;
    double *a, *shares;
    CHECK(SCRATCH_RAW(ctx, &members, n));
    for (size_t i = 0; i < n; i++)
        if (out->of[i] == (int32_t)c) members[m++] = (uint32_t)i;
    CHECK(SCRATCH_RAW(ctx, &queue, m));
    CHECK(SCRATCH_RAW(ctx, &level, n));
    CHECK(SCRATCH_RAW(ctx, &shares, m));
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(m, m)));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            a[i * m + j] = chain->move[(size_t)members[i] * n + members[j]];
    out->period[c] = find_period(chain, members, m, queue, level);
    CHECK(eliminate(ctx, a, m, shares));
    for (size_t i = 0; i < m; i++) out->shares[members[i]] = shares[i];
    return CAIRN_OK;
}

cairn_status cairn_markov_closed(cairn_context *ctx, const cairn_hmm *chain,
                                 cairn_closed_classes *out)
{
    class_search s = {.chain = chain, .n = chain->n_states};
    *out = (cairn_closed_classes){0};
    CHECK(SCRATCH_EACH(ctx, s.n, &out->of, &out->shares, &out->period, &s.order, &s.stack, &s.next,
                       &s.visited, &s.group));
    order_states(&s);
    group_states(&s);
    CHECK(keep_closed(ctx, &s, out));
    for (size_t c = 0; c < out->n; c++) CHECK(solve_class(ctx, chain, out, c));
    return CAIRN_OK;
}

void cairn_markov_prove(cairn_certificate *out, const cairn_hmm *chain,
                        const cairn_closed_classes *classes)
{
    size_t n = chain->n_states;
    double total = 0;
    for (size_t j = 0; j < n; j++) {
        double comes = 0, here = classes->shares[j];
        for (size_t i = 0; i < n; i++) comes += classes->shares[i] * chain->move[i * n + j];
        total += here;
        if (comes != here)
            cairn_certify(out, CAIRN_PROOF_RESIDUAL, fabs(comes - here) / (comes + here), 1e-9);
    }
    cairn_certify(out, CAIRN_PROOF_RESIDUAL, fabs(total / (double)classes->n - 1), 1e-9);
}

/* Marks the states that can come to a marked one without passing through a goal. */
static void mark_before(const cairn_hmm *chain, const int32_t *goal, bool *marked, uint32_t *queue)
{
    size_t n = chain->n_states, head = 0, tail = 0;
    for (size_t i = 0; i < n; i++)
        if (marked[i]) queue[tail++] = (uint32_t)i;
    while (head < tail) {
        size_t j = queue[head++];
        for (size_t i = 0; i < n; i++) {
            if (marked[i] || goal[i] >= 0 || !(chain->move[i * n + j] > 0)) continue;
            marked[i] = true;
            queue[tail++] = (uint32_t)i;
        }
    }
}

/* The m states that pass are taken out one after the other, which needs no subtraction: what a
 * state did by way of the one that goes is what it does itself from then on. Rows of `a` have
 * `width` numbers: moves among the m states, then to each goal, then to where there is no way back
 * from, and last the steps spent. Afterwards the goals and steps of row k are those of state k. */
static cairn_status eliminate_passing(cairn_context *ctx, double *a, size_t m, size_t width)
{
    for (size_t k = m; k-- > 0;) {
        double out = 0, *row = a + k * width;
        if (k % 64 == 0) CHECK(cairn_tick(ctx, "states", (double)(m - k), (double)m));
        for (size_t j = 0; j < width - 1; j++)
            if (j < k || j >= m) out += row[j];
        if (!(out > 0))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "probabilities are too small to tell when states are come to");
        for (size_t j = 0; j < width; j++)
            if (j < k || j >= m) row[j] /= out;
        for (size_t i = 0; i < k; i++) {
            double share = a[i * width + k];
            for (size_t j = 0; j < width && share > 0; j++)
                if (j < k || j >= m) a[i * width + j] += share * row[j];
        }
    }
    for (size_t k = 1; k < m; k++)
        for (size_t i = 0; i < k; i++) {
            double share = a[k * width + i];
            for (size_t j = m; j < width && share > 0; j++)
                a[k * width + j] += share * a[i * width + j];
        }
    return CAIRN_OK;
}

cairn_status cairn_markov_passage(cairn_context *ctx, const cairn_hmm *chain, const int32_t *goal,
                                  size_t n_goals, double *reached, double *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = chain->n_states, m = 0, width;
    uint32_t *states, *queue;
    bool *comes, *strays; /* may come to a goal; may come to where no way leads to one */
    double *a;
    CHECK(SCRATCH_EACH(ctx, n, &comes, &strays));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &states, &queue));
    for (size_t i = 0; i < n; i++) comes[i] = goal[i] >= 0;
    mark_before(chain, goal, comes, queue);
    for (size_t i = 0; i < n; i++) {
        strays[i] = !comes[i];
        if (comes[i] && goal[i] < 0) states[m++] = (uint32_t)i;
    }
    mark_before(chain, goal, strays, queue);
    width = m + n_goals + 2;
    CHECK(SCRATCH(ctx, &a, cairn_product(m, width) + 1));
    for (size_t k = 0; k < m; k++) {
        const double *move = chain->move + states[k] * n;
        double *row = a + k * width;
        for (size_t l = 0; l < m; l++) row[l] = move[states[l]];
        for (size_t j = 0; j < n; j++)
            if (goal[j] >= 0)
                row[m + (size_t)goal[j]] += move[j];
            else if (!comes[j])
                row[m + n_goals] += move[j];
        row[width - 1] = 1;
    }
    CHECK(eliminate_passing(ctx, a, m, width));
    for (size_t i = 0, k = 0; i < n; i++) {
        const double *row = k < m && states[k] == i ? a + k++ * width : NULL;
        for (size_t g = 0; g < n_goals; g++)
            reached[i * n_goals + g] = row ? row[m + g] : goal[i] == (int32_t)g;
        steps[i] = strays[i] ? INFINITY : row ? row[width - 1] : 0;
    }
    return CAIRN_OK;
}

/* -- chains over contexts -- */

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

static cairn_status make_buffer(cairn_context *ctx, cairn_markov_contexts *out, size_t n)
{
    CHECK(cairn_hmm_make(ctx, &out->chain, n, 0, 0));
    CHECK(NEW_EACH(ctx, n, &out->last, &out->shorter));
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

/* Only contexts that the chain can come to, those of fewer steps first. */
static cairn_status expand(cairn_context *ctx, cairn_markov_contexts *out,
                           const cairn_markov_model *m, size_t class)
{
    SCOPED_SCRATCH(ctx);
    context_walk w = {.m = m, .class = class};
    size_t n = 0;
    CHECK(SCRATCH(ctx, &w.reached, w.m->n_contexts));
    CHECK(SCRATCH_RAW(ctx, &w.stack, CAIRN_MOST_STATES));
    CHECK(reach(ctx, &w, w.m->n_contexts - 1));
    while (w.depth) CHECK(reach(ctx, &w, w.stack[--w.depth]));
    CHECK(make_buffer(ctx, out, w.n));
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
    CHECK(make_buffer(ctx, out, n));
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

/* -- steps of rows and walks through contexts -- */

/* The symbol of every code of a column. */
static cairn_status translate(cairn_context *ctx, const cairn_column *column, cairn_map *symbols,
                              bool grow, int32_t **out)
{
    size_t n = column->names.n, index;
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t k = 0; k < n; k++) {
        const char *name = cairn_map_key(&column->names, k);
        if (grow) CHECK(cairn_map_add(ctx, symbols, name, strlen(name), &index));
        (*out)[k] = (int32_t)cairn_map_find(symbols, name, strlen(name));
    }
    return CAIRN_OK;
}

static size_t longest_row(const cairn_markov_steps *steps)
{
    size_t most = steps->view->n_features;
    cairn_sequence run;
    for (size_t i = 0; steps->sequence >= 0 && i < steps->view->rows.n; i++) {
        cairn_view_sequences(steps->view, (size_t)steps->sequence, i, 1, &run);
        if (run.n > most) most = run.n;
    }
    return most;
}

/* Whether there is another word after a space. */
static bool has_words(const char *name)
{
    const char *space = strpbrk(name, " \t");
    return space && space[strspn(space, " \t")];
}

void cairn_markov_warn_words(cairn_context *ctx, const char *name, const cairn_column *column)
{
    size_t n = 0, example = 0;
    for (size_t k = column->names.n; k-- > 0;) {
        if (!has_words(cairn_map_key(&column->names, k))) continue;
        example = k;
        n++;
    }
    if (!n || 2 * n < column->names.n) return;
    cairn_warn(ctx,
               "cells of '%s' have several words, such as '%.60s', and each cell is taken for one "
               "step; {kinds %s=sequence} takes the words for the steps",
               name, cairn_map_key(&column->names, example), name);
}

cairn_status cairn_markov_open(cairn_context *ctx, cairn_markov_steps *out, const cairn_view *view,
                               cairn_map *symbols, bool grow)
{
    size_t n = 0;
    *out = (cairn_markov_steps){view, cairn_view_first(view, CAIRN_SEQUENCE), NULL, NULL};
    CHECK(SCRATCH(ctx, &out->symbol_of, view->n_features + 1));
    for (size_t f = 0; f < view->n_features; f++) {
        bool steps = out->sequence >= 0 ? (ptrdiff_t)f == out->sequence
                                        : view->features[f]->kind == CAIRN_LEVEL;
        if (!steps) continue;
        n++;
        if (grow && out->sequence < 0)
            cairn_markov_warn_words(ctx, view->names[f], view->features[f]);
        CHECK(translate(ctx, view->features[f], symbols, grow, &out->symbol_of[f]));
    }
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "markov needs a column of sequences, or columns of levels for the steps; "
                          "declare one with {kinds COLUMN=sequence}");
    return SCRATCH_RAW(ctx, &out->row, longest_row(out) + 1);
}

size_t cairn_markov_row(const cairn_markov_steps *steps, size_t i)
{
    const cairn_view *view = steps->view;
    size_t n = 0;
    if (steps->sequence >= 0) {
        const int32_t *symbol_of = steps->symbol_of[steps->sequence];
        cairn_sequence run;
        cairn_view_sequences(view, (size_t)steps->sequence, i, 1, &run);
        for (n = 0; n < run.n; n++) steps->row[n] = run.items[n] < 0 ? -1 : symbol_of[run.items[n]];
        return n;
    }
    for (size_t f = 0; f < view->n_features; f++) {
        if (!steps->symbol_of[f]) continue;
        int32_t code = view->features[f]->codes[cairn_view_row(view, i)];
        steps->row[n++] = code < 0 ? -1 : steps->symbol_of[f][code];
    }
    return n;
}

cairn_markov_walk cairn_markov_begin(const cairn_markov_model *m)
{
    return (cairn_markov_walk){m->n_contexts - 1, 0};
}

size_t cairn_markov_go(const cairn_markov_model *m, cairn_markov_walk *walk, int32_t symbol)
{
    size_t digit = symbol < 0 ? 0 : (size_t)symbol;
    size_t before = symbol < 0 || walk->unknown ? SIZE_MAX : walk->context;
    walk->context = (walk->context * (m->n_symbols + 1) + digit) % m->n_contexts;
    if (symbol < 0)
        walk->unknown = m->order;
    else if (walk->unknown)
        walk->unknown--;
    return before;
}

void cairn_markov_name(cairn_text *out, const cairn_markov_model *m, size_t context)
{
    size_t base = m->n_symbols + 1, place = m->n_contexts / base;
    bool any = false;
    for (int32_t k = 0; k < m->order; k++, place /= base) {
        size_t digit = context / place % base;
        if (digit == m->n_symbols) continue;
        cairn_text_addf(out, any ? ", %s" : "%s", cairn_map_key(&m->symbols, digit));
        any = true;
    }
    if (!any) cairn_text_add(out, m->order ? "start" : "any");
}

double cairn_markov_free(const cairn_markov_model *m)
{
    size_t seen = 1; /* the start, the last of them */
    for (size_t k = 0; k + 1 < m->n_contexts; k++) seen += m->seen[k];
    return (double)(m->n_classes * seen * (m->n_symbols - 1));
}

const char *cairn_markov_class(const cairn_job *job, size_t class)
{
    if (job->task == CAIRN_CLUSTER) return "chain";
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    return at < 0 ? "?" : cairn_map_key(&job->schema->fields[at].names, class);
}

/* Rows drawn from the chains of markov: a class, then step after step by its chain. A chain says
 * nothing of how long it goes on, so that a sequence gets the mean length of those of its class. */

typedef struct drawing {
    const cairn_markov_model *m;
    cairn_random *random;
    const int32_t *classes; /* of the rows */
    double *shares;         /* n_symbols: room */
    const cairn_sample_notes *notes;
} drawing;

/* The code that a field has for each symbol, -1 = none. Scratch. */
static cairn_status code_symbols(cairn_context *ctx, int32_t **out, const cairn_markov_model *m,
                                 const cairn_field *field)
{
    CHECK(SCRATCH_RAW(ctx, out, m->n_symbols));
    for (size_t s = 0; s < m->n_symbols; s++)
        (*out)[s] = (int32_t)cairn_map_find(&field->names, cairn_map_key(&m->symbols, s),
                                            m->symbols.lengths[s]);
    return CAIRN_OK;
}

/* "after sunny: u = 0.3, cumulated ..."; `random` is as it was before the step. */
static void note_step(cairn_report *note, const drawing *d, const cairn_markov_walk *walk,
                      cairn_random random)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(note));
    cairn_text_add(&text, "after ");
    cairn_markov_name(&text, d->m, walk->context);
    cairn_sample_say(note, cairn_text_string(&text), cairn_random_uniform(&random), d->shares,
                     d->m->n_symbols, &d->m->symbols);
    cairn_report_failed(note, cairn_text_status(&text));
}

/* The next step of a walk, as a code of its field; symbols that the field does not have are not
 * drawn. */
static int32_t draw_step(const drawing *d, cairn_markov_walk *walk, size_t class,
                         const int32_t *code_of, cairn_report *note)
{
    const cairn_markov_model *m = d->m;
    const double *logs = m->logs + (class * m->n_contexts + walk->context) * m->n_symbols;
    double sum = 0;
    for (size_t s = 0; s < m->n_symbols; s++) {
        d->shares[s] = code_of[s] < 0 ? 0 : cairn_exp(logs[s]);
        sum += d->shares[s];
    }
    for (size_t s = 0; !(sum > 0) && s < m->n_symbols; s++) d->shares[s] = code_of[s] >= 0;
    if (note) note_step(note, d, walk, *d->random);
    size_t symbol = cairn_sample_one(d->random, d->shares, m->n_symbols);
    cairn_markov_go(m, walk, (int32_t)symbol);
    return code_of[symbol];
}

/* The note of a row as long as its steps are shown. */
static cairn_report *note_of(const drawing *d, size_t row, size_t step)
{
    cairn_report *note = cairn_sample_note(d->notes, row);
    if (note && step == CAIRN_SAMPLE_STEPS) cairn_report_paragraph(note, "and so on");
    return step < CAIRN_SAMPLE_STEPS ? note : NULL;
}

/* The mean number of steps of the rows of a class. */
static size_t mean_length(const cairn_markov_model *m, size_t class)
{
    const double *counts = m->counts + class * m->n_contexts * m->n_symbols;
    double steps = 0;
    for (size_t k = 0; k < m->n_contexts * m->n_symbols; k++) steps += counts[k];
    return m->weights[class] > 0 ? (size_t)floor(steps / m->weights[class] + 0.5) : 0;
}

/* All starts are known before the first step is drawn. */
static cairn_status draw_sequences(cairn_context *ctx, cairn_table *out, const drawing *d,
                                   const cairn_field *field)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *code_of;
    size_t at = 0, *lengths;
    CHECK(code_symbols(ctx, &code_of, d->m, field));
    CHECK(SCRATCH_RAW(ctx, &lengths, d->m->n_classes));
    for (size_t c = 0; c < d->m->n_classes; c++) lengths[c] = mean_length(d->m, c);
    CHECK(cairn_column_new(ctx, &column, CAIRN_SEQUENCE, out->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    for (size_t i = 0; i < out->n_rows; i++)
        column->starts[i + 1] = column->starts[i] + lengths[d->classes[i]];
    CHECK(NEW_RAW(ctx, &column->items, column->starts[out->n_rows] + 1));
    for (size_t i = 0; i < out->n_rows; i++) {
        cairn_markov_walk walk = cairn_markov_begin(d->m);
        for (size_t step = 0; at < column->starts[i + 1]; step++)
            column->items[at++] =
                draw_step(d, &walk, (size_t)d->classes[i], code_of, note_of(d, i, step));
    }
    return cairn_table_add_column(ctx, out, field->name, CAIRN_FEATURE, TAKE(column));
}

/* The first column of sequences holds all steps; without one each column of levels is a step. */
static cairn_status draw_columns(cairn_context *ctx, cairn_table *out, const drawing *d,
                                 const cairn_schema *schema)
{
    for (size_t f = 0; f < schema->n_fields; f++)
        if (schema->fields[f].role == CAIRN_FEATURE && schema->fields[f].kind == CAIRN_SEQUENCE)
            return draw_sequences(ctx, out, d, &schema->fields[f]);
    /* Columns of levels are the steps from left to right. */
    cairn_markov_walk *walks;
    int32_t *codes;
    CHECK(SCRATCH_RAW_EACH(ctx, out->n_rows, &walks, &codes));
    for (size_t i = 0; i < out->n_rows; i++) walks[i] = cairn_markov_begin(d->m);
    for (size_t f = 0, step = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        int32_t *code_of;
        if (field->role != CAIRN_FEATURE || field->kind != CAIRN_LEVEL) continue;
        CHECK(code_symbols(ctx, &code_of, d->m, field));
        for (size_t i = 0; i < out->n_rows; i++)
            codes[i] = field->names.n ? draw_step(d, &walks[i], (size_t)d->classes[i], code_of,
                                                  note_of(d, i, step))
                                      : -1;
        step++;
        CHECK(cairn_sample_add_levels(ctx, out, field, codes));
    }
    return CAIRN_OK;
}

/* Without classes every row is drawn from the one chain that there is. */
static cairn_status markov_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                  const cairn_job *job, cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    const cairn_markov_model *m = model;
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    int32_t *classes;
    drawing d = {.m = m, .random = random, .notes = &notes};
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, out->n_rows));
    CHECK(SCRATCH(ctx, &d.shares, m->n_symbols));
    if (job->task == CAIRN_CLUSTER)
        CHECK(SCRATCH(ctx, &classes, out->n_rows + 1));
    else
        CHECK(cairn_sample_classes(ctx, &classes, out, job, m->weights, m->n_classes, random,
                                   &notes));
    d.classes = classes;
    CHECK(draw_columns(ctx, out, &d, job->schema));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}

/* Chains of classes as a program, where the steps stand in columns of levels: a step and those that
 * it depends on are one place in a table of logarithms, which are added up and made probabilities.
 * A missing cell adds nothing, nor do the steps that depend on it. */

enum { MOST_PLACES = 1 << 20 };

/* The columns of the steps, from left to right. Scratch. */
typedef struct step_columns {
    const cairn_field **fields;
    int32_t *slots;
    size_t n;
} step_columns;

/* The columns of levels that hold the steps; steps in a sequence cannot be read by a program. */
static cairn_status find_columns(cairn_program *p, const cairn_job *job, step_columns *out)
{
    int32_t *slots;
    size_t n, feature = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++)
        if (job->schema->fields[i].role == CAIRN_FEATURE &&
            job->schema->fields[i].kind == CAIRN_SEQUENCE)
            return cairn_program_refuse(p,
                                        "its steps stand in the sequences of '%s', and a program "
                                        "reads numbers and levels",
                                        job->schema->fields[i].name);
    CHECK(cairn_program_features(p, &slots, &n));
    CHECK(SCRATCH_EACH(p->ctx, n + 1, &out->fields, &out->slots));
    for (size_t i = 0; i < job->schema->n_fields && feature < n; i++) {
        const cairn_field *field = &job->schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind == CAIRN_LEVEL && field->names.n) {
            out->fields[out->n] = field;
            out->slots[out->n++] = slots[feature];
        }
        feature++;
    }
    return CAIRN_OK;
}

/* The logarithms of one place: the levels of columns first .. last, the last changing fastest. */
static void fill_place(const cairn_markov_model *m, const step_columns *c, size_t first,
                       size_t last, size_t place, double *out)
{
    size_t context = m->n_contexts - 1, span = 1;
    for (size_t t = first + 1; t <= last; t++) span *= c->fields[t]->names.n;
    for (size_t t = first; t <= last; t++) {
        size_t level = place / span % c->fields[t]->names.n;
        int64_t symbol = cairn_map_find(&m->symbols, cairn_map_key(&c->fields[t]->names, level),
                                        c->fields[t]->names.lengths[level]);
        if (symbol < 0) return; /* a level that training did not have */
        for (size_t k = 0; k < m->n_classes && t == last; k++)
            out[k] = m->logs[(k * m->n_contexts + context) * m->n_symbols + (size_t)symbol];
        context = cairn_markov_after(m, context, (size_t)symbol);
        if (t < last) span /= c->fields[t + 1]->names.n;
    }
}

/* Step t: a row of logarithms for everything that it and the steps before it can be. */
static cairn_status lower_step(cairn_program *p, const cairn_markov_model *m, const step_columns *c,
                               size_t t, int32_t *out)
{
    SCOPED_SCRATCH(p->ctx);
    size_t order = (size_t)m->order, first = t > order ? t - order : 0, n = 1,
           classes = m->n_classes;
    double weights[16], constant = 0, *table, *none;
    int32_t place;
    for (size_t k = t + 1; k-- > first;) {
        weights[k - first] = (double)n;
        n *= c->fields[k]->names.n;
        if (n * classes > MOST_PLACES)
            return cairn_program_refuse(p, "its table of what follows what is too large; chains of "
                                           "a smaller order have smaller ones");
    }
    CHECK(cairn_lower_affine(p, c->slots + first, t + 1 - first, 1, &constant, weights, NULL,
                             &place));
    CHECK(SCRATCH(p->ctx, &table, n * classes));
    CHECK(SCRATCH(p->ctx, &none, classes));
    for (size_t k = 0; k < n; k++) fill_place(m, c, first, t, k, table + k * classes);
    return cairn_lower_lookup(p, place, n, classes, table, none, out);
}

/* The chains as a program; refused where steps stand in sequences. */
static cairn_status markov_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_markov_model *m = model;
    step_columns columns = {0};
    double *priors;
    int32_t *firsts, sum;
    CHECK(find_columns(out, job, &columns));
    CHECK(SCRATCH(out->ctx, &priors, m->n_classes));
    CHECK(SCRATCH(out->ctx, &firsts, columns.n + 1));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_log(m->weights[c]);
    CHECK(cairn_lower_constants(out, priors, m->n_classes, &firsts[0]));
    for (size_t t = 0; t < columns.n; t++) CHECK(lower_step(out, m, &columns, t, &firsts[t + 1]));
    CHECK(cairn_lower_sum(out, firsts, columns.n + 1, m->n_classes, &sum));
    /* Sums to probabilities; the shares of the classes where none can have such a row. */
    size_t k = m->n_classes;
    int32_t *in, *places;
    double *shares, total = 0;
    cairn_operation *op;
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    CHECK(cairn_op_numbers(out, op, 0, k, &shares));
    for (size_t c = 0; c < k; c++) total += m->weights[c];
    for (size_t c = 0; c < k; c++) {
        places[c] = (int32_t)c;
        shares[c] = m->weights[c] / total;
    }
    out->answer.scores = op->out;
    return CAIRN_OK;
}

enum { MOST_CELLS = 1 << 26 };

typedef struct markov_params {
    int chain_order;
    const char *smooth;
    int unvisited;
} markov_params;

static const cairn_param markov_table[] = {
    CAIRN_PARAM(markov_params, chain_order, "1", "[0,8]",
                "order of the chain: how many steps back the next one depends on", .often = true),
    CAIRN_PARAM(markov_params, smooth, "laplace", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out evenly)",
                .often = true),
    CAIRN_PARAM_CHOICE(markov_params, unvisited, "error", unvisited_choices,
                       "a state that no sequence of a class ever leaves, without smoothing",
                       .when = "smooth=none"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* How many contexts there are; fails when the tables would be too large. */
static cairn_status set_contexts(cairn_context *ctx, cairn_markov_model *m)
{
    double cells = (double)m->n_classes * (double)m->n_symbols;
    m->n_contexts = 1;
    for (int32_t k = 0; k < m->order; k++) {
        cells *= (double)m->n_symbols + 1;
        if (cells > MOST_CELLS)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "a chain of order %d over %zu states and %zu classes is too large; "
                              "choose a smaller {chain-order}",
                              m->order, m->n_symbols, m->n_classes);
        m->n_contexts *= m->n_symbols + 1;
    }
    return CAIRN_OK;
}

cairn_status cairn_markov_make(cairn_context *ctx, cairn_markov_model *m)
{
    CHECK(set_contexts(ctx, m));
    CHECK(NEW(ctx, &m->weights, m->n_classes));
    CHECK(NEW(ctx, &m->counts, m->n_classes * m->n_contexts * m->n_symbols));
    return NEW(ctx, &m->seen, m->n_contexts);
}

void cairn_markov_add(cairn_markov_model *m, size_t class, const int32_t *items, size_t n,
                      double weight)
{
    double *counts = m->counts + class * m->n_contexts * m->n_symbols;
    cairn_markov_walk walk = cairn_markov_begin(m);
    m->weights[class] += weight;
    if (!(weight > 0)) return;
    for (size_t t = 0; t < n; t++) {
        size_t context = cairn_markov_go(m, &walk, items[t]);
        if (context != SIZE_MAX) counts[context * m->n_symbols + (size_t)items[t]] += weight;
        if (!walk.unknown) m->seen[walk.context] = 1;
    }
}

cairn_status cairn_markov_choose(cairn_context *ctx, cairn_markov_model *m, int order,
                                 const cairn_markov_option *option)
{
    cairn_smoothing smoothing;
    CHECK(cairn_markov_smoothing(ctx, &smoothing, option));
    m->order = order;
    m->smoothing = (int32_t)smoothing.kind;
    m->amount = smoothing.amount;
    m->unvisited = option->unvisited;
    return CAIRN_OK;
}

/* Rows without steps say nothing, which is said. */
static void warn_empty(cairn_context *ctx, const cairn_markov_steps *steps, const char *what)
{
    size_t n = 0;
    if (steps->sequence < 0) return;
    for (size_t i = 0; i < steps->view->rows.n; i++) n += !cairn_markov_row(steps, i);
    if (n)
        cairn_warn(ctx, "%zu of %zu sequences %s empty: %s", n, steps->view->rows.n,
                   n == 1 ? "is" : "are", what);
}

/* A context that is seen somewhere and never left in a class that has rows. */
static cairn_status fail_unvisited(cairn_context *ctx, const cairn_markov_model *m, size_t context,
                                   size_t class, const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    cairn_markov_name(&name, m, context);
    CHECK(cairn_text_status(&name));
    bool single = job->task == CAIRN_CLUSTER;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "'%s' is never left%s%s%s, so that nothing says what follows it; "
                      "choose {unvisited uniform}, {unvisited smooth} or another {smooth}",
                      cairn_text_string(&name), single ? "" : " in class '",
                      single ? "" : cairn_markov_class(job, class), single ? "" : "'");
}

cairn_status cairn_markov_finish(cairn_context *ctx, cairn_markov_model *m, const cairn_job *job)
{
    cairn_smoothing smoothing = {(cairn_smoothing_kind)m->smoothing, m->amount};
    size_t n = m->n_symbols, rows = m->n_classes * m->n_contexts;
    if (!m->logs) CHECK(NEW(ctx, &m->logs, rows * n));
    for (size_t r = 0; r < rows; r++) {
        double *to = m->logs + r * n;
        size_t context = r % m->n_contexts, class = r / m->n_contexts;
        cairn_smooth_counts(to, smoothing, m->counts + r * n, n, NULL);
        bool undefined = isnan(to[0]);
        if (undefined && job && m->seen[context] && m->weights[class] > 0 &&
            m->unvisited == CAIRN_UNVISITED_ERROR)
            return fail_unvisited(ctx, m, context, class, job);
        for (size_t s = 0; s < n; s++) to[s] = cairn_log(undefined ? 1 / (double)n : to[s]);
    }
    return CAIRN_OK;
}

/* Symbols are found first, since they say how large the tables are; then rows are counted. */
static cairn_status markov_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_markov_model *m = model;
    cairn_markov_steps steps;
    const markov_params *p = job->params;
    cairn_markov_option option = {.smoothing = {p->smooth}, .unvisited = p->unvisited};
    CHECK(cairn_markov_choose(ctx, m, p->chain_order, &option));
    CHECK(cairn_markov_open(ctx, &steps, job->view, &m->symbols, true));
    m->n_symbols = m->symbols.n;
    m->n_classes = job->task == CAIRN_CLUSTER ? 1 : job->n_classes;
    if (!m->n_symbols)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "all sequences are empty; there is nothing to count");
    if (m->order) {
        /* A chain learns from what follows what, of which rows with one step say nothing. */
        const cairn_view *view = steps.view;
        size_t n = 0, at = 0, longest = 0;
        for (size_t f = 0; f < view->n_features; f++)
            if (steps.symbol_of[f] && !n++) at = f;
        for (size_t i = 0; i < view->rows.n && longest < 2; i++) {
            size_t length = cairn_markov_row(&steps, i);
            if (length > longest) longest = length;
        }
        if (longest == 1) {
            cairn_warn(
                ctx,
                "every row has one step, its cell of '%s', so that nothing is learned of what "
                "follows what; where a row is a step of a longer sequence, say which one with "
                "{sequence COLUMN}",
                view->names[at]);
        }
    }
    warn_empty(ctx, &steps, "that says nothing of the chain");
    CHECK(cairn_markov_make(ctx, m));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)job->view->rows.n));
        const cairn_view *view = steps.view;
        size_t class = view->target ? (size_t)view->target->codes[cairn_view_row(view, i)] : 0;
        size_t n = cairn_markov_row(&steps, i);
        cairn_markov_add(m, class, steps.row, n, cairn_view_weight(view, i));
    }
    CHECK(cairn_markov_finish(ctx, m, job));
    if (job->steps) cairn_markov_show(job->steps, m, job);
    return CAIRN_OK;
}

/* -- predicting -- */

/* ln P(c) + ln P(row | c) of every class; returns how many steps that is of. */
static size_t score_row(const cairn_markov_model *m, const cairn_markov_steps *steps, size_t i,
                        double *scores)
{
    size_t n = cairn_markov_row(steps, i), table = m->n_contexts * m->n_symbols, known = 0;
    cairn_markov_walk walk = cairn_markov_begin(m);
    for (size_t c = 0; c < m->n_classes; c++) scores[c] = cairn_log(m->weights[c]);
    for (size_t t = 0; t < n; t++) {
        size_t context = cairn_markov_go(m, &walk, steps->row[t]);
        if (context == SIZE_MAX) continue;
        const double *logs = m->logs + context * m->n_symbols + (size_t)steps->row[t];
        for (size_t c = 0; c < m->n_classes; c++) scores[c] += logs[c * table];
        known++;
    }
    return known;
}

/* Scores become shares of 1; where all are impossible those of the classes. */
static void share_scores(const cairn_markov_model *m, double *scores)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < m->n_classes; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < m->n_classes; c++) {
        scores[c] = isinf(most) ? m->weights[c] : cairn_exp(scores[c] - most);
        sum += scores[c];
    }
    for (size_t c = 0; c < m->n_classes; c++) scores[c] /= sum;
}

static cairn_status markov_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_markov_model *m = model;
    cairn_markov_steps steps;
    cairn_map symbols = m->symbols; /* looked at only */
    CHECK(cairn_markov_open(ctx, &steps, job->view, &symbols, false));
    warn_empty(ctx, &steps, "the shares of the classes are their answer");
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 64 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        score_row(m, &steps, i, out->scores + i * m->n_classes);
        share_scores(m, out->scores + i * m->n_classes);
    }
    return CAIRN_OK;
}

/* One chain has one cluster; what it says of a row is ln P(row). */
static cairn_status chain_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const cairn_markov_model *m = model;
    cairn_markov_steps steps;
    cairn_map symbols = m->symbols; /* looked at only */
    double *logs, *known;
    CHECK(cairn_markov_open(ctx, &steps, job->view, &symbols, false));
    CHECK(SCRATCH_EACH(ctx, out->n_rows + 1, &logs, &known));
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        known[i] = (double)score_row(m, &steps, i, &logs[i]);
        logs[i] -= cairn_log(m->weights[0]);
        if (out->scores) out->scores[i] = 1;
    }
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_likelihood", logs));
    return cairn_table_put_numbers(ctx, out->extra, "steps", known);
}

/* -- keeping -- */

static cairn_status check_counts(cairn_archive *a, const cairn_markov_model *m)
{
    double total = 0;
    for (size_t i = 0; i < m->n_classes * m->n_contexts * m->n_symbols; i++)
        if (!(m->counts[i] >= 0) || isinf(m->counts[i]))
            return cairn_archive_damaged(a, "a count of a chain is not a number");
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->weights[c] >= 0)) return cairn_archive_damaged(a, "a class has a negative weight");
        total += m->weights[c];
    }
    return total > 0 && isfinite(total) && m->amount >= 0 && isfinite(m->amount)
               ? CAIRN_OK
               : cairn_archive_damaged(a, "the chains have no weight");
}

/* Counts are kept, and logarithms are made from them again. */
static cairn_status markov_archive(cairn_archive *a, void *model)
{
    cairn_markov_model *m = model;
    CHECK(cairn_archive_int(a, "order", &m->order));
    CHECK(cairn_archive_map(a, "symbols", &m->symbols));
    CHECK(cairn_archive_size(a, "n_symbols", &m->n_symbols, MOST_CELLS));
    CHECK(cairn_archive_size(a, "classes", &m->n_classes, MOST_CELLS));
    CHECK(cairn_archive_int(a, "smoothing", &m->smoothing));
    CHECK(cairn_archive_real(a, "amount", &m->amount));
    CHECK(cairn_archive_int(a, "unvisited", &m->unvisited));
    if (cairn_archive_reading(a)) {
        if (m->order < 0 || m->order > 8 || !m->n_symbols || !m->n_classes || m->smoothing < 0 ||
            m->smoothing >= CAIRN_SMOOTH_BITS || m->n_symbols != m->symbols.n) {
            CHECK(cairn_archive_damaged(a, "the chains have impossible sizes"));
        } else {
            cairn_status fits = set_contexts(cairn_archive_context(a), m);
            CHECK(fits == CAIRN_OK ? fits : cairn_archive_damaged(a, "the chains are too large"));
        }
    }
    CHECK(cairn_archive_reals(a, "weights", &m->weights, m->n_classes));
    CHECK(
        cairn_archive_reals(a, "counts", &m->counts, m->n_classes * m->n_contexts * m->n_symbols));
    CHECK(cairn_archive_bytes(a, "seen", &m->seen, m->n_contexts));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    CHECK(check_counts(a, m));
    return cairn_markov_finish(cairn_archive_context(a), m, NULL);
}

static cairn_status markov_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    return m->n_classes == (job->task == CAIRN_CLUSTER ? 1 : job->n_classes)
               ? CAIRN_OK
               : cairn_archive_damaged(a, "the learner has other classes than the target");
}

void cairn_markov_model_clear(void *model)
{
    cairn_markov_model *m = model;
    cairn_map_clear(&m->symbols);
    cairn_free(m->weights);
    cairn_free(m->counts);
    cairn_free(m->seen);
    cairn_free(m->logs);
}

static cairn_model_size markov_size(const void *model)
{
    const cairn_markov_model *m = model;
    return (cairn_model_size){cairn_markov_free(m), false};
}

static size_t chain_clusters(const void *model)
{
    return ((const cairn_markov_model *)model)->n_classes;
}

static const cairn_output chain_outputs[] = {
    {"log_likelihood", "logarithm of the probability of a row"},
    {"steps", "steps of the row that are known, and so are those that they depend on"},
    {0},
};

const cairn_learner cairn_markov_chain_learner = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "markov-chain",
              .also = "n-gram model, bigram model of sequences, sequence density, likelihood of "
                      "sequences, simulate sequences",
              .title = "Markov chain of all rows",
              .summary =
                  "Learns how probable every state is after the last ones, by shares of counts, "
                  "and tells how probable a row is. The steps stand in a column of sequences, or "
                  "in columns of levels from left to right. Other columns are not looked at. "
                  "There is one cluster, which all rows belong to. Sequences are drawn by 'cairn "
                  "compute sample'; 'cairn compute chain MODEL' tells the long run and forecasts.",
              .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                            "77 (1989)",
              .example = "cairn fit markov-chain @weather --features outlook,temperature,humidity "
                         "--steps",
              .params = markov_table,
              .params_size = sizeof(markov_params)},
    .tasks = CAIRN_CLUSTER,
    .space = "chain-order=0,1,2",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING,
    .aims = "that the steps of the rows follow each other as probably as can be",
    .model_size = sizeof(cairn_markov_model),
    .tables = cairn_markov_tables,
    .gives_scores = true,
    .outputs = chain_outputs,
    .forms = cairn_markov_forms,
    .fit = markov_fit,
    .predict = chain_predict,
    .describe = cairn_markov_describe,
    .sample = markov_sample,
    .archive = markov_archive,
    .check = markov_check,
    .clear = cairn_markov_model_clear,
    .size = markov_size,
    .clusters = chain_clusters,
};

const cairn_learner cairn_markov_learner = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "markov",
              .also =
                  "Markov chain classifier, Markov model per class, n-gram classifier, sequence "
                  "classifier, order of a chain, bigram model (chain-order=1), trigram model "
                  "(chain-order=2)",
              .title = "Markov chain for each class",
              .summary =
                  "Learns for each class how probable every state is after the last ones, by "
                  "shares of counts, and gives a sequence to the class whose chain makes it "
                  "most probable. The steps stand in a column of sequences, or in columns of "
                  "levels from left to right. Other columns are not looked at. 'cairn "
                  "compute chain MODEL' answers questions about the chain of a class.",
              .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                            "77 (1989)",
              .example =
                  "cairn fit markov @weather --features outlook,temperature,humidity --steps",
              .params = markov_table,
              .params_size = sizeof(markov_params)},
    .tasks = CAIRN_CLASSIFY,
    .space = "chain-order=0,1,2",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_ONE_CLASS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_markov_model),
    .tables = cairn_markov_tables,
    .gives_scores = true,
    .forms = cairn_markov_forms,
    .fit = markov_fit,
    .lower = markov_lower,
    .predict = markov_predict,
    .describe = cairn_markov_describe,
    .explain = cairn_markov_explain,
    .sample = markov_sample,
    .archive = markov_archive,
    .check = markov_check,
    .clear = cairn_markov_model_clear,
    .size = markov_size,
};
