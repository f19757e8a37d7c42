/* SPDX-License-Identifier: MIT */
/* Markov chains: learning by counts, steps, closed classes and their stationary distributions. */
#include "learners/sequence/markov_chain.h"

#include "base/memory.h"
#include "kernels/kernels.h"

#include <math.h>

/* -- learning -- */

const cairn_choice cairn_unvisited_choices[] = {
    {"error", CAIRN_UNVISITED_ERROR, "fail and name the state"},
    {"uniform", CAIRN_UNVISITED_UNIFORM, "all states are equally probable after it"},
    {"smooth", CAIRN_UNVISITED_SMOOTH,
     "smooth the counts of all states: as 'smooth' says, or one more of each where it says none"},
    {0},
};

const cairn_param cairn_markov_params[] = {
    CAIRN_PARAM_GROUP(cairn_markov_option, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_CHOICE(cairn_markov_option, unvisited, "error", cairn_unvisited_choices,
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
    CHECK(SCRATCH(ctx, &open, s->n_groups));
    CHECK(SCRATCH(ctx, &number, s->n_groups));
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

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
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
            } else
                period =
                    common_divisor(here > level[j] ? here - level[j] : level[j] - here, period);
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
    CHECK(SCRATCH(ctx, &out->of, s.n));
    CHECK(SCRATCH(ctx, &out->shares, s.n));
    CHECK(SCRATCH(ctx, &out->period, s.n));
    CHECK(SCRATCH(ctx, &s.order, s.n));
    CHECK(SCRATCH(ctx, &s.stack, s.n));
    CHECK(SCRATCH(ctx, &s.next, s.n));
    CHECK(SCRATCH(ctx, &s.visited, s.n));
    CHECK(SCRATCH(ctx, &s.group, s.n));
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
