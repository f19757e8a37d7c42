/* SPDX-License-Identifier: MIT */
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
#include "stats/bayes_network.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>

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

/* The table of a variable where the evidence holds. */
static cairn_status cut_table(cairn_context *ctx, cairn_factor *out, const cairn_network *net,
                              size_t v, const int32_t *evidence)
{
    bool *in;
    int32_t *values;
    CHECK(SCRATCH(ctx, &in, net->n + 1));
    CHECK(SCRATCH(ctx, &values, net->n + 1));
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
    CHECK(SCRATCH(ctx, &relevant, net->n + 1));
    CHECK(SCRATCH(ctx, &e->hidden, net->n + 1));
    CHECK(SCRATCH(ctx, &e->sizes, net->n + 1));
    CHECK(SCRATCH(ctx, &e->in, net->n + 1));
    CHECK(SCRATCH(ctx, &e->went, net->n + 1));
    CHECK(SCRATCH(ctx, &e->chosen, net->n + 1));
    CHECK(SCRATCH(ctx, &e->factors, 2 * net->n + 1));
    for (size_t v = 0; v < net->n; v++) relevant[v] = e->largest || q->evidence[v] >= 0;
    for (size_t i = 0; i < q->n_wanted && !e->largest; i++) relevant[q->wanted[i]] = true;
    cairn_network_ancestors(net, relevant, order);
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
