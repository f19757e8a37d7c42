/* SPDX-License-Identifier: MIT */
/* Bayesian networks: making them, and what their graphs say. */
#include "stats/bayes_network.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/order.h"
#include "parallel/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Questions to a Bayesian network, answered exactly.
 *
 *     P(wanted, evidence) = Σ over the hidden variables Π P(variable | parents)
 *
 *  1. variables that are neither wanted nor known nor above such a one sum to 1 and are left out
 *  2. every other table becomes a factor, cut down to the rows of the evidence
 *  3. a hidden variable at a time: the factors that have it are multiplied and it is summed out
 *     (or, for the most probable explanation, the largest is taken and where it was is kept)
 *  4. what remains is multiplied
 *
 * Which variable goes next: the one whose new factor is smallest, the first of equal ones. Cost:
 * the sum of the sizes of the products, exponential in the worst case and small for trees. */

enum { MOST_SHOWN_ROWS = 64, MOST_WORKED_ROWS = 8 };

typedef struct elimination {
    const cairn_network *net;
    const cairn_network_question *question;
    cairn_factor *factors; /* room for 2 n: those in use, and gaps with `variables` NULL */
    size_t n_factors;
    bool *hidden;  /* n: still to be eliminated */
    double *sizes; /* n: of the factor that is left when it goes */
    bool *in;      /* n: room */
    size_t n_hidden;
    bool largest;         /* the most probable explanation is wanted */
    cairn_factor *chosen; /* n: with `largest`, over the others: which value of it was largest */
    size_t *went;         /* variables in the order in which they were eliminated */
    size_t n_went;
} elimination;

/* -- factors -- */

static bool has_variable(const cairn_factor *f, size_t v)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->variables[i] == (int32_t)v) return true;
    return false;
}

/* How far the entry moves when each of `n` variables takes its next value; 0 = the factor has it
 * not. */
static void find_strides(size_t *out, const int32_t *variables, size_t n, const cairn_factor *f,
                         const cairn_network *net)
{
    size_t step = 1;
    memset(out, 0, n * sizeof *out);
    for (size_t i = f->n; i-- > 0;) {
        for (size_t j = 0; j < n; j++)
            if (variables[j] == f->variables[i]) out[j] = step;
        step *= (size_t)net->n_values[f->variables[i]];
    }
}

/* Room for the variables that are marked; a table too large is refused before it is made. */
static cairn_status new_factor(cairn_context *ctx, cairn_factor *out, const cairn_network *net,
                               const bool *in)
{
    double size = 1;
    *out = (cairn_factor){0};
    CHECK(SCRATCH(ctx, &out->variables, net->n + 1));
    for (size_t v = 0; v < net->n; v++) {
        if (!in[v]) continue;
        out->variables[out->n++] = (int32_t)v;
        size *= net->n_values[v];
        if (size > CAIRN_MOST_CELLS)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the exact answer needs a table of more than %d numbers, because too "
                              "many variables depend on each other; ask by sampling, or give "
                              "variables fewer parents",
                              CAIRN_MOST_CELLS);
    }
    out->size = (size_t)size;
    return SCRATCH(ctx, &out->p, out->size);
}

/* A walk through all combinations of some variables, the last changing fastest, and where it stands
 * in several factors. */
typedef struct walk {
    const cairn_network *net;
    const int32_t *variables;
    size_t n, n_factors;
    int32_t *values; /* n */
    size_t *strides; /* n_factors x n */
    size_t *at;      /* n_factors */
} walk;

static cairn_status start_walk(cairn_context *ctx, walk *out, const cairn_network *net,
                               const int32_t *variables, size_t n, const cairn_factor *const *list,
                               size_t n_factors)
{
    *out = (walk){.net = net, .variables = variables, .n = n, .n_factors = n_factors};
    CHECK(SCRATCH(ctx, &out->values, n + 1));
    CHECK(SCRATCH(ctx, &out->strides, cairn_product(n_factors, n) + 1));
    CHECK(SCRATCH(ctx, &out->at, n_factors + 1));
    for (size_t f = 0; f < n_factors; f++)
        find_strides(out->strides + f * n, variables, n, list[f], net);
    return CAIRN_OK;
}

static void next_place(walk *w)
{
    for (size_t i = w->n; i-- > 0;) {
        bool again = ++w->values[i] == w->net->n_values[w->variables[i]];
        size_t back = again ? (size_t)w->values[i] - 1 : 0;
        for (size_t f = 0; f < w->n_factors; f++) {
            size_t stride = w->strides[f * w->n + i];
            w->at[f] = again ? w->at[f] - back * stride : w->at[f] + stride;
        }
        if (!again) return;
        w->values[i] = 0;
    }
}

/* The product of factors. */
static cairn_status multiply(cairn_context *ctx, cairn_factor *out, const cairn_network *net,
                             const cairn_factor *const *list, size_t n)
{
    bool *in;
    walk w;
    CHECK(SCRATCH(ctx, &in, net->n + 1));
    for (size_t f = 0; f < n; f++)
        for (size_t i = 0; i < list[f]->n; i++) in[list[f]->variables[i]] = true;
    CHECK(new_factor(ctx, out, net, in));
    CHECK(start_walk(ctx, &w, net, out->variables, out->n, list, n));
    for (size_t i = 0; i < out->size; i++) {
        double p = 1;
        for (size_t f = 0; f < n; f++) p *= list[f]->p[w.at[f]];
        out->p[i] = p;
        next_place(&w);
    }
    return CAIRN_OK;
}

/* Sum a variable out, or take the largest; `chosen` (may be NULL) gets which value that was. */
static cairn_status take_out(cairn_context *ctx, cairn_factor *out, cairn_factor *chosen,
                             const cairn_network *net, const cairn_factor *from, size_t v)
{
    bool *in;
    walk w;
    size_t stride, k = (size_t)net->n_values[v];
    int32_t variable = (int32_t)v;
    CHECK(SCRATCH(ctx, &in, net->n + 1));
    for (size_t i = 0; i < from->n; i++) in[from->variables[i]] = true;
    in[v] = false;
    CHECK(new_factor(ctx, out, net, in));
    if (chosen) CHECK(new_factor(ctx, chosen, net, in));
    find_strides(&stride, &variable, 1, from, net);
    CHECK(start_walk(ctx, &w, net, out->variables, out->n, &from, 1));
    for (size_t i = 0; i < out->size; i++) {
        double sum = 0, best = -1;
        for (size_t l = 0; l < k; l++) {
            double p = from->p[w.at[0] + l * stride];
            sum += p;
            if (p <= best) continue;
            best = p;
            if (chosen) chosen->p[i] = (double)l;
        }
        out->p[i] = chosen ? best : sum;
        next_place(&w);
    }
    return CAIRN_OK;
}

int64_t cairn_network_row(const cairn_network *net, size_t v, const int32_t *values)
{
    int64_t row = 0;
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++) {
        int32_t parent = net->parents[k];
        if (values[parent] < 0) return -1;
        row = row * net->n_values[parent] + values[parent];
    }
    return row;
}

/* The table of a variable where the evidence holds. */
static cairn_status cut_table(cairn_context *ctx, cairn_factor *out, const cairn_network *net,
                              size_t v, const int32_t *evidence)
{
    bool *in;
    int32_t *values;
    CHECK(SCRATCH_EACH(ctx, net->n + 1, &in, &values));
    in[v] = evidence[v] < 0;
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        in[net->parents[k]] = evidence[net->parents[k]] < 0;
    memcpy(values, evidence, net->n * sizeof *values);
    CHECK(new_factor(ctx, out, net, in));
    for (size_t i = 0; i < out->n; i++) values[out->variables[i]] = 0;
    for (size_t i = 0; i < out->size; i++) {
        size_t row = (size_t)cairn_network_row(net, v, values);
        out->p[i] = cairn_network_table(net, v)[row * (size_t)net->n_values[v] + (size_t)values[v]];
        for (size_t j = out->n; j-- > 0;) {
            int32_t variable = out->variables[j];
            if (++values[variable] < net->n_values[variable]) break;
            values[variable] = 0;
        }
    }
    return CAIRN_OK;
}

/* -- showing -- */

/* "f3(a, b)": the factors are numbered as they are made. */
static void add_name(cairn_text *text, const cairn_factor *f, size_t number,
                     const cairn_network_names *names)
{
    cairn_text_addf(text, "f%zu(", number);
    for (size_t i = 0; i < f->n; i++)
        cairn_text_addf(text, "%s%s", i ? ", " : "", names->variables[f->variables[i]]);
    cairn_text_add(text, ")");
}

/* A factor as a table: its variables, then the number. */
static void show_factor(const elimination *e, const cairn_factor *f, const char *title,
                        const char *key)
{
    cairn_report *out = e->question->steps;
    const cairn_network_names *names = e->question->names;
    cairn_report_table_of(out, title, MOST_SHOWN_ROWS, "", NULL);
    for (size_t i = 0; i < f->n; i++)
        cairn_report_column(out, names->variables[f->variables[i]], 'l');
    cairn_report_column(out, e->largest ? "largest" : "value", 'r');
    for (size_t i = 0; i < f->size; i++) {
        size_t rest = i, after = f->size;
        for (size_t j = 0; j < f->n; j++) {
            size_t k = (size_t)e->net->n_values[f->variables[j]];
            after /= k;
            cairn_report_cell(out, names->values[f->variables[j]][rest / after]);
            rest %= after;
        }
        cairn_report_cell_number(out, f->p[i], 0, "%s.%zu", key, i + 1);
    }
    cairn_report_table_end(out);
}

void cairn_network_add_head(cairn_text *out, const cairn_network *net,
                            const cairn_network_names *names, size_t v)
{
    cairn_text_addf(out, "P(%s", names->variables[v]);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        cairn_text_addf(out, "%s%s", k > net->starts[v] ? ", " : " | ",
                        names->variables[net->parents[k]]);
    cairn_text_add(out, ")");
}

/* "P(b | a) with c = x": the tables that the work begins with. */
static void show_start(const elimination *e, const bool *relevant)
{
    cairn_report *out = e->question->steps;
    const cairn_network_names *names = e->question->names;
    if (!out) return;
    cairn_report_step_begin(out, "The tables that count");
    SCOPED(cairn_text_clear) cairn_text left = cairn_text_start(cairn_report_context(out));
    for (size_t v = 0; v < e->net->n; v++)
        if (!relevant[v])
            cairn_text_addf(&left, "%s%s", left.length ? ", " : "", names->variables[v]);
    if (left.length)
        cairn_report_paragraph(out,
                               "Nothing that is wanted or known depends on %s: the sum over all "
                               "values is 1, and that is left out.",
                               cairn_text_string(&left));
    cairn_report_table_of(out, "Factors, where the evidence holds", 0, "llr", "table", "factor",
                          "numbers");
    for (size_t v = 0, i = 0; v < e->net->n; v++) {
        if (!relevant[v]) continue;
        left.length = 0;
        add_name(&left, &e->factors[i], i + 1, names);
        SCOPED(cairn_text_clear) cairn_text table = cairn_text_start(cairn_report_context(out));
        cairn_network_add_head(&table, e->net, names, v);
        cairn_report_cell(out, cairn_text_string(&table));
        cairn_report_failed(out, cairn_text_status(&table));
        cairn_report_cell(out, cairn_text_string(&left));
        cairn_report_cell_number(out, (double)e->factors[i++].size, 0, NULL);
    }
    cairn_report_table_end(out);
    cairn_report_failed(out, cairn_text_status(&left));
    cairn_report_step_end(out);
}

/* "f5(a) = max(0.2·0.9, 0.8·0.1) = 0.18" */
static cairn_status work_largest(cairn_context *ctx, const elimination *e, const char *label,
                                 const char *term, const double *numbers, size_t n, size_t k)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "max(");
    for (size_t l = 0; l < k; l++) cairn_text_addf(&text, "%s%s", l ? ", " : "", term);
    cairn_text_add(&text, ") = #");
    CHECK(cairn_text_status(&text));
    cairn_report_worked_numbers(e->question->steps, label, cairn_text_string(&text), numbers,
                                n * k + 1);
    return CAIRN_OK;
}

/* Every row of a small new factor as the sum, or the largest, of products that it is, with the
 * numbers put in; with v = n nothing was summed, and it is a product. */
static cairn_status work_rows(cairn_context *ctx, const elimination *e, size_t v,
                              const cairn_factor *const *list, size_t n, const cairn_factor *made)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text term = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    size_t k = v < e->net->n ? (size_t)e->net->n_values[v] : 1, *strides;
    int32_t variable = (int32_t)v;
    double *numbers;
    walk w;
    CHECK(SCRATCH(ctx, &strides, n + 1));
    CHECK(SCRATCH(ctx, &numbers, cairn_product(n, k) + 1));
    CHECK(start_walk(ctx, &w, e->net, made->variables, made->n, list, n));
    for (size_t f = 0; f < n; f++) {
        find_strides(&strides[f], &variable, 1, list[f], e->net);
        cairn_text_add(&term, f ? "·#" : "#");
    }
    for (size_t i = 0; i < made->size; i++) {
        label.length = 0;
        cairn_text_addf(&label, "f%zu(", e->n_factors + 1);
        for (size_t j = 0; j < made->n; j++)
            cairn_text_addf(&label, "%s%s", j ? ", " : "",
                            e->question->names->values[made->variables[j]][w.values[j]]);
        cairn_text_add(&label, ")");
        for (size_t l = 0; l < k; l++)
            for (size_t f = 0; f < n; f++)
                numbers[l * n + f] = list[f]->p[w.at[f] + l * strides[f]];
        numbers[n * k] = made->p[i];
        if (e->largest && v < e->net->n)
            CHECK(work_largest(ctx, e, cairn_text_string(&label), cairn_text_string(&term), numbers,
                               n, k));
        else
            cairn_report_worked_sum(e->question->steps, cairn_text_string(&label),
                                    cairn_text_string(&term), numbers, n, k, made->p[i]);
        next_place(&w);
    }
    CHECK(cairn_text_status(&term));
    return cairn_text_status(&label);
}

/* "f7(b) = Σ f1(a) · f2(a, b)": a new factor and those that it is made of. */
static void add_product(cairn_text *out, const elimination *e, const cairn_factor *made,
                        const char *sign, const cairn_factor *const *list, size_t n)
{
    add_name(out, made, e->n_factors + 1, e->question->names);
    cairn_text_addf(out, " = %s", sign);
    for (size_t f = 0; f < n; f++) {
        if (f) cairn_text_add(out, " · ");
        add_name(out, list[f], (size_t)(list[f] - e->factors) + 1, e->question->names);
    }
}

/* A largest of few products, which are not brought to another scale, can be written out. */
static bool is_short_list(const elimination *e, size_t v)
{
    return e->net->n_values[v] <= 6 && !e->question->shares_only;
}

/* One variable gone: which factors were multiplied, and what came of it. */
static void show_sum(const elimination *e, size_t v, const cairn_factor *const *list, size_t n,
                     const cairn_factor *made)
{
    cairn_report *out = e->question->steps;
    const cairn_network_names *names = e->question->names;
    if (!out) return;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    const char *name = names->variables[v];
    cairn_report_step_begin(out, e->largest ? "The largest over %s" : "Sum over %s", name);
    add_product(&text, e, made, e->largest ? "max " : "Σ ", list, n);
    cairn_text_addf(&text, " over %s", name);
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    bool brief = made->size <= MOST_WORKED_ROWS && (!e->largest || is_short_list(e, v));
    if (brief) cairn_report_failed(out, work_rows(cairn_report_context(out), e, v, list, n, made));
    text.length = 0;
    cairn_text_addf(&text, "factor.%s", cairn_report_key(out, name));
    show_factor(e, made, NULL, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_step_end(out);
}

/* The last product: nothing is hidden any more. */
static void show_left(const elimination *e, const cairn_factor *const *list, size_t n,
                      const cairn_factor *made)
{
    cairn_report *out = e->question->steps;
    if (!out || n == 0) return;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_report_step_begin(out, "The product of what is left");
    add_product(&text, e, made, "", list, n);
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    if (n > 1 && made->size <= MOST_WORKED_ROWS)
        cairn_report_failed(out, work_rows(cairn_report_context(out), e, e->net->n, list, n, made));
    show_factor(e, made, NULL, "left");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_step_end(out);
}

/* -- elimination -- */

/* Divide by the largest number, unless all are 0, and note by what. */
static void bring_to_one(const elimination *e, cairn_factor *f)
{
    double largest = 0, *scale = e->question->log_scale;
    for (size_t i = 0; i < f->size; i++) largest = f->p[i] > largest ? f->p[i] : largest;
    for (size_t i = 0; i < f->size && largest > 0; i++) f->p[i] /= largest;
    if (scale && largest > 0) *scale += cairn_log(largest);
}

/* Size of the factor that is left when v is taken out. */
static double size_without(const elimination *e, size_t v)
{
    double size = 1;
    bool *in = e->in;
    memset(in, 0, e->net->n * sizeof *in);
    for (size_t f = 0; f < e->n_factors; f++) {
        const cairn_factor *factor = &e->factors[f];
        if (!factor->variables || !has_variable(factor, v)) continue;
        for (size_t i = 0; i < factor->n; i++) {
            size_t w = (size_t)factor->variables[i];
            if (!in[w] && w != v) size *= e->net->n_values[w];
            in[w] = true;
        }
    }
    return size;
}

/* The hidden variable whose sum makes the smallest factor. */
static size_t choose_next(const elimination *e)
{
    size_t best = e->net->n;
    for (size_t v = 0; v < e->net->n; v++)
        if (e->hidden[v] && (best == e->net->n || e->sizes[v] < e->sizes[best])) best = v;
    return best;
}

/* Multiply the factors that have v, or with v = n all that are left, into one. */
static cairn_status gather(cairn_context *ctx, cairn_factor *out, elimination *e, size_t v,
                           const cairn_factor ***list, size_t *n)
{
    CHECK(SCRATCH(ctx, list, e->n_factors + 1));
    *n = 0;
    for (size_t f = 0; f < e->n_factors; f++) {
        const cairn_factor *factor = &e->factors[f];
        if (factor->variables && (v == e->net->n || has_variable(factor, v)))
            (*list)[(*n)++] = factor;
    }
    return multiply(ctx, out, e->net, *list, *n);
}

/* One factor takes the place of all that speak of v; a sum over v, or the largest where `largest`
 * says so. */
static cairn_status eliminate(cairn_context *ctx, elimination *e, size_t v)
{
    const cairn_factor **list;
    cairn_factor product, made;
    size_t n;
    CHECK(gather(ctx, &product, e, v, &list, &n));
    CHECK(take_out(ctx, &made, e->largest ? &e->chosen[v] : NULL, e->net, &product, v));
    show_sum(e, v, list, n, &made);
    if (e->question->shares_only) bring_to_one(e, &made);
    for (size_t f = 0; f < e->n_factors; f++)
        if (e->factors[f].variables && has_variable(&e->factors[f], v))
            e->factors[f].variables = NULL;
    e->factors[e->n_factors++] = made;
    for (size_t i = 0; i < made.n; i++) /* the others have the factors that they had */
        e->sizes[made.variables[i]] = size_without(e, (size_t)made.variables[i]);
    e->hidden[v] = false;
    e->n_hidden--;
    e->went[e->n_went++] = v;
    return CAIRN_OK;
}

/* Take away again and again a variable whose parents are all gone, the lowest number first; what
 * remains when there is none lies on circles or behind them. */
static cairn_status sort_parents_first(cairn_context *ctx, size_t **out, size_t *n_sorted,
                                       bool **taken, const cairn_network *net)
{
    CHECK(SCRATCH_EACH(ctx, net->n + 1, out, taken));
    *n_sorted = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t v = 0; v < net->n; v++) {
            if ((*taken)[v]) continue;
            size_t waiting = 0;
            for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
                waiting += !(*taken)[net->parents[k]];
            if (waiting) continue;
            (*taken)[v] = moved = true;
            (*out)[(*n_sorted)++] = v;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_network_order(cairn_context *ctx, size_t **out, const cairn_network *net)
{
    size_t n_sorted;
    bool *taken;
    return sort_parents_first(ctx, out, &n_sorted, &taken, net);
}

/* Which variables are ancestors of a marked one or marked themselves, in place. */
static void network_ancestors(const cairn_network *net, bool *marked, const size_t *order)
{
    for (size_t i = net->n; i-- > 0;) {
        size_t v = order[i];
        for (int32_t k = net->starts[v]; marked[v] && k < net->starts[v + 1]; k++)
            marked[net->parents[k]] = true;
    }
}

/* Factors of the tables that count, and which variables are to go. With `largest` all tables do,
 * since every variable gets a value. */
static cairn_status begin(cairn_context *ctx, elimination *e)
{
    const cairn_network *net = e->net;
    const cairn_network_question *q = e->question;
    size_t *order;
    bool *relevant;
    if (q->log_scale) *q->log_scale = 0;
    CHECK(cairn_network_order(ctx, &order, net));
    CHECK(SCRATCH_EACH(ctx, net->n + 1, &relevant, &e->hidden, &e->sizes, &e->in, &e->went,
                       &e->chosen));
    CHECK(SCRATCH(ctx, &e->factors, 2 * net->n + 1));
    for (size_t v = 0; v < net->n; v++) relevant[v] = e->largest || q->evidence[v] >= 0;
    for (size_t i = 0; i < q->n_wanted && !e->largest; i++) relevant[q->wanted[i]] = true;
    network_ancestors(net, relevant, order);
    for (size_t v = 0; v < net->n; v++) {
        if (!relevant[v]) continue;
        e->hidden[v] = q->evidence[v] < 0;
        CHECK(cut_table(ctx, &e->factors[e->n_factors], net, v, q->evidence));
        if (q->shares_only) bring_to_one(e, &e->factors[e->n_factors]);
        e->n_factors++;
    }
    for (size_t i = 0; i < q->n_wanted && !e->largest; i++) e->hidden[q->wanted[i]] = false;
    for (size_t v = 0; v < net->n; v++) {
        e->n_hidden += e->hidden[v];
        if (e->hidden[v]) e->sizes[v] = size_without(e, v);
    }
    show_start(e, relevant);
    return CAIRN_OK;
}

static cairn_status run(cairn_context *ctx, elimination *e, cairn_factor *last)
{
    const cairn_factor **list;
    size_t n;
    CHECK(begin(ctx, e));
    while (e->n_hidden) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(eliminate(ctx, e, choose_next(e)));
    }
    CHECK(gather(ctx, last, e, e->net->n, &list, &n));
    if (!e->largest) show_left(e, list, n, last);
    return CAIRN_OK;
}

cairn_status cairn_network_ask(cairn_context *ctx, cairn_factor *out, const cairn_network *net,
                               const cairn_network_question *question)
{
    elimination e = {.net = net, .question = question};
    return run(ctx, &e, out);
}

/* Values are found in the opposite order: what was eliminated last depends on nothing that is still
 * open. */
cairn_status cairn_network_explain(cairn_context *ctx, int32_t *values, double *log_p,
                                   const cairn_network *net, const cairn_network_question *question)
{
    SCOPED_SCRATCH(ctx);
    elimination e = {.net = net, .question = question, .largest = true};
    cairn_factor last;
    CHECK(run(ctx, &e, &last));
    memcpy(values, question->evidence, net->n * sizeof *values);
    for (size_t i = e.n_went; i-- > 0;) {
        const cairn_factor *chosen = &e.chosen[e.went[i]];
        size_t at = 0;
        for (size_t j = 0; j < chosen->n; j++)
            at = at * (size_t)net->n_values[chosen->variables[j]] +
                 (size_t)values[chosen->variables[j]];
        values[e.went[i]] = (int32_t)chosen->p[at];
    }
    *log_p = 0;
    for (size_t v = 0; v < net->n; v++) {
        size_t row = (size_t)cairn_network_row(net, v, values), k = (size_t)net->n_values[v];
        *log_p += cairn_log(cairn_network_table(net, v)[row * k + (size_t)values[v]]);
    }
    return CAIRN_OK;
}

void cairn_network_clear(cairn_network *net)
{
    cairn_free(net->n_values);
    cairn_free(net->starts);
    cairn_free(net->parents);
    cairn_free(net->cells);
    cairn_free(net->p);
    *net = (cairn_network){0};
}

/* -- making -- */

static int compare_arcs(const void *a, const void *b)
{
    const cairn_arc *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Arcs sorted by their ends become lists of parents; equal neighbours count once. */
static cairn_status set_parents(cairn_context *ctx, cairn_network *net, const cairn_arc *arcs,
                                size_t n_arcs)
{
    cairn_arc *sorted;
    size_t kept = 0;
    CHECK(SCRATCH_RAW(ctx, &sorted, n_arcs + 1));
    if (n_arcs) memcpy(sorted, arcs, n_arcs * sizeof *arcs);
    qsort(sorted, n_arcs, sizeof *sorted, compare_arcs);
    CHECK(NEW(ctx, &net->starts, net->n + 1));
    CHECK(NEW(ctx, &net->parents, n_arcs));
    for (size_t i = 0; i < n_arcs; i++) {
        if (i && !compare_arcs(&sorted[i], &sorted[i - 1])) continue;
        net->parents[kept++] = sorted[i].from;
        net->starts[sorted[i].to + 1]++;
    }
    for (size_t v = 0; v < net->n; v++) net->starts[v + 1] += net->starts[v];
    return CAIRN_OK;
}

/* Where the tables begin; `large` gets the first variable whose table is too large, else -1. */
static cairn_status set_cells(cairn_context *ctx, cairn_network *net, ptrdiff_t *large)
{
    *large = -1;
    CHECK(NEW(ctx, &net->cells, net->n + 1));
    for (size_t v = 0; v < net->n && *large < 0; v++) {
        double size = net->n_values[v];
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            size *= net->n_values[net->parents[k]];
        if ((double)net->cells[v] + size > CAIRN_MOST_CELLS)
            *large = (ptrdiff_t)v;
        else
            net->cells[v + 1] = net->cells[v] + (int64_t)size;
    }
    return CAIRN_OK;
}

/* "a -> b -> c -> a": from a variable that is left, parents that are left lead into the circle, and
 * the way back through it is written in the direction of the arcs. */
static cairn_status fail_circle(cairn_context *ctx, const cairn_network *net, const bool *taken,
                                const cairn_network_names *names)
{
    SCOPED(cairn_text_clear) cairn_text way = cairn_text_start(ctx);
    size_t *path, n = 0, v = 0, first = 0;
    bool *met;
    CHECK(SCRATCH_EACH(ctx, net->n + 1, &path, &met));
    while (taken[v]) v++;
    while (!met[v]) {
        met[v] = true;
        path[n++] = v;
        int32_t k = net->starts[v];
        while (taken[net->parents[k]]) k++;
        v = (size_t)net->parents[k];
    }
    while (path[first] != v) first++;
    cairn_text_add(&way, names->variables[v]);
    for (size_t i = n; i-- > first;) cairn_text_addf(&way, " -> %s", names->variables[path[i]]);
    CHECK(cairn_text_status(&way));
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the arcs go round in a circle: %s; a Bayesian network has none, so take one "
                      "of these arcs away or turn it round",
                      cairn_text_string(&way));
}

static cairn_status check_ends(cairn_context *ctx, size_t n, const cairn_arc *arcs, size_t n_arcs,
                               const cairn_network_names *names)
{
    for (size_t i = 0; i < n_arcs; i++) {
        if (arcs[i].from < 0 || arcs[i].to < 0 || (size_t)arcs[i].from >= n ||
            (size_t)arcs[i].to >= n)
            return cairn_fail(ctx, CAIRN_INTERNAL, "an arc leads to no variable");
        if (arcs[i].from == arcs[i].to)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' has an arc to itself; a variable cannot be its own parent",
                              names->variables[arcs[i].from]);
    }
    return CAIRN_OK;
}

cairn_status cairn_network_make(cairn_context *ctx, cairn_network *out, size_t n,
                                const int32_t *n_values, const cairn_arc *arcs, size_t n_arcs,
                                const cairn_network_names *names)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_network_clear) cairn_network net = {.n = n};
    size_t *order, n_sorted;
    bool *taken;
    ptrdiff_t large;
    CHECK(check_ends(ctx, n, arcs, n_arcs, names));
    CHECK(NEW(ctx, &net.n_values, n));
    if (n) memcpy(net.n_values, n_values, n * sizeof *n_values);
    CHECK(set_parents(ctx, &net, arcs, n_arcs));
    CHECK(sort_parents_first(ctx, &order, &n_sorted, &taken, &net));
    if (n_sorted < n) return fail_circle(ctx, &net, taken, names);
    CHECK(set_cells(ctx, &net, &large));
    if (large >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table of '%s' and its %zu parents is too large (more than %d "
                          "numbers in all); give it fewer parents, or these fewer values",
                          names->variables[large], cairn_network_n_parents(&net, (size_t)large),
                          CAIRN_MOST_CELLS);
    CHECK(NEW(ctx, &net.p, (size_t)net.cells[n]));
    *out = net;
    net = (cairn_network){0};
    return CAIRN_OK;
}

/* Whether the lists of parents are lists of variables, ascending. */
static bool has_lists(const cairn_network *net)
{
    if (net->starts[0] != 0) return false;
    for (size_t v = 0; v < net->n; v++) /* all of them before a list is looked at */
        if (net->starts[v + 1] < net->starts[v] || net->n_values[v] < 1) return false;
    for (size_t v = 0; v < net->n; v++) {
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++) {
            if (net->parents[k] < 0 || (size_t)net->parents[k] >= net->n) return false;
            if (k > net->starts[v] && net->parents[k] <= net->parents[k - 1]) return false;
        }
    }
    return true;
}

cairn_status cairn_network_restore(cairn_context *ctx, cairn_network *net, bool *sound)
{
    SCOPED_SCRATCH(ctx);
    size_t *order, n_sorted;
    bool *taken;
    ptrdiff_t large;
    *sound = has_lists(net);
    if (!*sound) return CAIRN_OK;
    CHECK(sort_parents_first(ctx, &order, &n_sorted, &taken, net));
    CHECK(set_cells(ctx, net, &large));
    *sound = n_sorted == net->n && large < 0;
    return CAIRN_OK;
}

/* -- tables -- */

int32_t cairn_network_row_value(const cairn_network *net, size_t v, size_t row, size_t k)
{
    size_t last = cairn_network_n_parents(net, v);
    for (size_t i = last; i-- > k + 1;)
        row /= (size_t)net->n_values[net->parents[net->starts[v] + (int32_t)i]];
    return (int32_t)(row % (size_t)net->n_values[net->parents[net->starts[v] + (int32_t)k]]);
}

double cairn_network_parameters(const cairn_network *net)
{
    double sum = 0;
    for (size_t v = 0; v < net->n; v++)
        sum += (double)(net->n_values[v] - 1) * (double)cairn_network_rows(net, v);
    return sum;
}

double cairn_network_joint(const cairn_network *net, const int32_t *values)
{
    double p = 1;
    for (size_t v = 0; v < net->n; v++) {
        size_t row = (size_t)cairn_network_row(net, v, values);
        p *= cairn_network_table(net, v)[row * (size_t)net->n_values[v] + (size_t)values[v]];
    }
    return p;
}

/* -- the graph -- */

/* A ball that rolls over the arcs: it came to a variable from one of its children (up) or from one
 * of its parents (down). */
typedef struct ball {
    const cairn_network *net;
    const bool *known;
    bool *opens; /* known, or with a known descendant: lets it through between two parents */
    bool *up, *down;
    size_t *waiting; /* variable x 2 + whether it goes down */
    size_t n_waiting;
} ball;

static void roll(ball *b, size_t v, bool down)
{
    bool *seen = down ? b->down : b->up;
    if (seen[v]) return;
    seen[v] = true;
    b->waiting[b->n_waiting++] = 2 * v + down;
}

static void roll_to_children(ball *b, size_t v)
{
    for (size_t child = 0; child < b->net->n; child++)
        for (int32_t k = b->net->starts[child]; k < b->net->starts[child + 1]; k++)
            if (b->net->parents[k] == (int32_t)v) roll(b, child, true);
}

/* Chains and forks are open unless the middle is known; two arcs that meet are open when where they
 * meet, or something below it, is known. */
cairn_status cairn_network_separates(cairn_context *ctx, bool *out, const cairn_network *net,
                                     size_t a, size_t b, const bool *known, bool *reached)
{
    SCOPED_SCRATCH(ctx);
    ball rolling = {.net = net, .known = known};
    size_t *order;
    CHECK(cairn_network_order(ctx, &order, net));
    CHECK(SCRATCH_EACH(ctx, net->n + 1, &rolling.opens, &rolling.up, &rolling.down));
    CHECK(SCRATCH(ctx, &rolling.waiting, 2 * net->n + 2));
    memcpy(rolling.opens, known, net->n * sizeof *known);
    network_ancestors(net, rolling.opens, order);
    roll(&rolling, a, false);
    while (rolling.n_waiting) {
        size_t at = rolling.waiting[--rolling.n_waiting], v = at / 2;
        bool down = at % 2;
        if (!known[v]) roll_to_children(&rolling, v);
        if (down ? rolling.opens[v] : !known[v]) {
            for (int32_t k = rolling.net->starts[v]; k < rolling.net->starts[v + 1]; k++)
                roll(&rolling, (size_t)rolling.net->parents[k], false);
        }
    }
    for (size_t v = 0; v < net->n && reached; v++)
        reached[v] = !known[v] && (rolling.up[v] || rolling.down[v]);
    *out = known[b] || !(rolling.up[b] || rolling.down[b]);
    return CAIRN_OK;
}

/* -- rows drawn from a Bayesian network, and estimates from them -- */

enum { SAMPLES = 4096 }; /* of a block, which has a stream of its own */

static int32_t draw_value(const double *p, size_t n, cairn_random *random)
{
    double u = cairn_random_uniform(random), sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        sum += p[i];
        if (p[i] > 0) last = i;
        if (u < sum) return (int32_t)i;
    }
    return (int32_t)last; /* the sum fell short of 1 by rounding */
}

/* A row by forward sampling: each variable is drawn from its table, parents first. Values that are
 * given in `evidence` (may be NULL) are taken as they are, and the probability of these, given
 * their parents, is the weight that is returned. */
static double network_draw(const cairn_network *net, const size_t *order, const int32_t *evidence,
                           cairn_random *random, int32_t *values)
{
    double weight = 1;
    for (size_t i = 0; i < net->n; i++) {
        size_t v = order[i], k = (size_t)net->n_values[v];
        const double *p =
            cairn_network_table(net, v) + (size_t)cairn_network_row(net, v, values) * k;
        bool fixed = evidence && evidence[v] >= 0;
        values[v] = fixed ? evidence[v] : draw_value(p, k, random);
        if (fixed) weight *= p[values[v]];
    }
    return weight;
}

cairn_status cairn_network_draw_rows(cairn_context *ctx, int32_t **codes, const cairn_network *net,
                                     size_t n_rows, cairn_random *random)
{
    int32_t *values;
    size_t *order;
    CHECK(SCRATCH(ctx, codes, cairn_product(n_rows, net->n) + 1));
    CHECK(SCRATCH(ctx, &values, net->n + 1));
    CHECK(cairn_network_order(ctx, &order, net));
    for (size_t i = 0; i < n_rows; i++) {
        if (i % SAMPLES == 0) CHECK(cairn_tick(ctx, "drawing", (double)i, (double)n_rows));
        network_draw(net, order, NULL, random, values);
        for (size_t v = 0; v < net->n; v++) (*codes)[v * n_rows + i] = values[v];
    }
    return CAIRN_OK;
}

/* Sums of one block: weights per value, of all, of squares, and how many agreed. */
typedef struct sampling {
    const cairn_network *net;
    const size_t *order;
    const int32_t *evidence;
    size_t variable, n_sums;
    bool weighted;
    uint64_t seed, stream;
    int32_t *values; /* n for each worker */
    double *sums;    /* a row of n_sums for each block */
} sampling;

static bool agrees(const int32_t *values, const int32_t *evidence, size_t n)
{
    for (size_t v = 0; v < n; v++)
        if (evidence[v] >= 0 && values[v] != evidence[v]) return false;
    return true;
}

/* Samples of one block, whose stream makes them the same for any number of threads. */
static void sample_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sampling *s = data;
    const cairn_network *net = s->net;
    size_t k = (size_t)net->n_values[s->variable];
    int32_t *values = s->values + (size_t)worker * net->n;
    double *sums = s->sums + block * s->n_sums;
    cairn_random random;
    cairn_random_start(&random, s->seed, s->stream + block);
    for (size_t i = begin; i < end; i++) {
        double w = network_draw(net, s->order, s->weighted ? s->evidence : NULL, &random, values);
        if (!s->weighted && !agrees(values, s->evidence, net->n)) continue;
        sums[values[s->variable]] += w;
        sums[k] += w;
        sums[k + 1] += w * w;
        sums[k + 2] += 1;
    }
}

cairn_status cairn_network_estimated(cairn_context *ctx, cairn_network_estimate *out,
                                     const cairn_network *net, size_t variable,
                                     const int32_t *evidence, size_t n, bool weighted,
                                     uint64_t stream)
{
    size_t k = (size_t)net->n_values[variable], n_blocks = cairn_block_count(n, SAMPLES), *order;
    sampling s = {.net = net, .evidence = evidence, .variable = variable, .n_sums = k + 3};
    s.weighted = weighted;
    s.seed = cairn_context_seed(ctx);
    s.stream = stream;
    *out = (cairn_network_estimate){0};
    CHECK(cairn_network_order(ctx, &order, net));
    s.order = order;
    CHECK(SCRATCH(ctx, &out->p, k));
    CHECK(SCRATCH(ctx, &s.values, cairn_product((size_t)cairn_workers(ctx), net->n)));
    CHECK(SCRATCH(ctx, &s.sums, cairn_product(n_blocks + 1, s.n_sums)));
    CHECK(cairn_blocks(ctx, n, SAMPLES, sample_block, &s));
    double *all = s.sums + n_blocks * s.n_sums;
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < s.n_sums; i++) all[i] += s.sums[b * s.n_sums + i];
    for (size_t l = 0; l < k; l++) out->p[l] = all[k] > 0 ? all[l] / all[k] : NAN;
    out->weight = all[k];
    out->effective = all[k + 1] > 0 ? all[k] * all[k] / all[k + 1] : 0;
    out->n_agreeing = (size_t)all[k + 2];
    return CAIRN_OK;
}

/* -- tables and the picture of a Bayesian network -- */

enum { MOST_ROWS = 32, ROWS_IN_NODE = 12, VALUES_IN_NODE = 6 };

static void show_row(cairn_report *out, const cairn_network *net, const cairn_network_names *names,
                     size_t v, size_t row)
{
    SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(cairn_report_context(out));
    const char *name = cairn_report_key(out, names->variables[v]);
    size_t n_values = (size_t)net->n_values[v];
    /* "p.alarm.true.false": the values of the parents, in their order. */
    for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
        const char *value = names->values[parent][cairn_network_row_value(net, v, row, k)];
        cairn_text_addf(&key, ".%s", cairn_report_key(out, value));
    }
    for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
        cairn_report_cell(out, names->values[parent][cairn_network_row_value(net, v, row, k)]);
    }
    for (size_t l = 0; l < n_values; l++)
        cairn_report_cell_number(out, cairn_network_table(net, v)[row * n_values + l], 0,
                                 "p.%s.%s%s", name, cairn_report_key(out, names->values[v][l]),
                                 cairn_text_string(&key));
    cairn_report_failed(out, cairn_text_status(&key));
}

void cairn_network_show_table(cairn_report *out, const cairn_network *net,
                              const cairn_network_names *names, size_t v)
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(cairn_report_context(out));
    if (!out) return;
    cairn_network_add_head(&title, net, names, v);
    cairn_report_table_of(out, cairn_text_string(&title), MOST_ROWS, "", NULL);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        cairn_report_column(out, names->variables[net->parents[k]], 'l');
    for (int32_t l = 0; l < net->n_values[v]; l++)
        cairn_report_column(out, names->values[v][l], 'r');
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) show_row(out, net, names, v, row);
    cairn_report_table_end(out);
    cairn_report_failed(out, cairn_text_status(&title));
}

/* -- the picture -- */

/* How much of a table a node of the picture shows. */
typedef struct node_table {
    size_t n_values; /* of two values the first alone, named in the head */
    size_t n_rows, n_parents;
} node_table;

static node_table table_of(const cairn_network *net, size_t v)
{
    size_t k = (size_t)net->n_values[v], rows = cairn_network_rows(net, v);
    node_table t = {.n_values = k == 2 ? 1 : k, .n_rows = rows};
    t.n_parents = cairn_network_n_parents(net, v);
    if (t.n_values > VALUES_IN_NODE) t.n_values = VALUES_IN_NODE;
    if (rows > ROWS_IN_NODE) t.n_rows = ROWS_IN_NODE;
    return t;
}

static void add_rest(cairn_text *out, size_t n, const char *what)
{
    if (n) cairn_text_addf(out, "\nand %zu more %s%s", n, what, n == 1 ? "" : "s");
}

/* The name of a variable and its table, of a large one the beginning. */
static void add_node_text(cairn_text *out, const cairn_network *net,
                          const cairn_network_names *names, size_t v)
{
    node_table t = table_of(net, v);
    size_t rows = cairn_network_rows(net, v), k = (size_t)net->n_values[v];
    cairn_text_addf(out, "%s\n", names->variables[v]);
    /* "P(alarm = true | burglary, earthquake)", or without the value "P(weather | season)". */
    cairn_text_addf(out, "P(%s", names->variables[v]);
    if (net->n_values[v] == 2) cairn_text_addf(out, " = %s", names->values[v][0]);
    for (int32_t j = net->starts[v]; j < net->starts[v + 1]; j++)
        cairn_text_addf(out, "%s%s", j > net->starts[v] ? ", " : " | ",
                        names->variables[net->parents[j]]);
    cairn_text_add(out, ")");
    if (t.n_parents == 0) {
        /* A variable without parents: a line for each value, or the probability of the first of
         * two. */
        if (net->n_values[v] == 2) {
            cairn_text_add(out, " = ");
            cairn_text_add_number(out, cairn_network_table(net, v)[0], 3);
        } else {
            cairn_text_add(out, "\nvalue\tP");
            for (size_t l = 0; l < t.n_values; l++) {
                cairn_text_addf(out, "\n%s\t", names->values[v][l]);
                cairn_text_add_number(out, cairn_network_table(net, v)[l], 3);
            }
        }
    } else {
        /* Values of the parents and of the variable as the head of columns, "burglary TAB
         * earthquake TAB P". */
        for (size_t i = 0; i < t.n_parents; i++)
            cairn_text_addf(out, "%s%s", i ? "\t" : "\n",
                            names->variables[net->parents[(size_t)net->starts[v] + i]]);
        for (size_t l = 0; l < t.n_values; l++)
            cairn_text_addf(out, "\t%s", net->n_values[v] == 2 ? "P" : names->values[v][l]);
    }
    for (size_t row = 0; row < t.n_rows && t.n_parents; row++) {
        const double *p = cairn_network_table(net, v) + row * (size_t)net->n_values[v];
        for (size_t i = 0; i < t.n_parents; i++) {
            size_t parent = (size_t)net->parents[(size_t)net->starts[v] + i];
            cairn_text_addf(out, "%s%s", i ? "\t" : "\n",
                            names->values[parent][cairn_network_row_value(net, v, row, i)]);
        }
        for (size_t l = 0; l < t.n_values; l++) {
            cairn_text_add(out, "\t");
            cairn_text_add_number(out, p[l], 3);
        }
    }
    add_rest(out, rows - t.n_rows, "row");
    if (k != 2) add_rest(out, k - t.n_values, "value");
}

cairn_status cairn_network_figure(cairn_context *ctx, cairn_figure **out, const cairn_network *net,
                                  const cairn_network_names *names, ptrdiff_t target)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_figure_new(ctx, &figure, "network", "Bayesian network"));
    for (size_t v = 0; v < net->n; v++) {
        bool marked = (ptrdiff_t)v == target;
        const cairn_order_look look = {
            .group = marked ? 0 : -1, .sides = 0, .strong = marked, .rank = -1};
        text.length = 0;
        add_node_text(&text, net, names, v);
        cairn_figure_order_node(figure, cairn_text_string(&text), &look);
    }
    for (size_t v = 0; v < net->n; v++)
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            cairn_figure_order_line(figure, net->parents[k], (int)v, false);
    cairn_figure_order_arrows(figure);
    CHECK(cairn_text_status(&text));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
