/* SPDX-License-Identifier: MIT */
/* cairn compute network: a Bayesian network, typed or read, and what it answers.
 *
 *     P(x1, ..., xn) = Π P(xi | parents of xi)
 *     P(a | e)       = P(a, e) / P(e), both as sums over the hidden variables, which are eliminated
 *                      one after the other (stats/bayes_network.c)
 *
 * What is known may be any proposition; values that are joined by `and` cut the tables down before
 * anything is summed. */
#include "model/model.h"
#include "model/calculator.h"
#include "model/network_text.h"
#include "typed/outcomes.h"

#include "base/file.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* Products of more tables than this may underflow, and are brought to a largest number of 1. */
enum { MOST_UNSCALED = 100 };

typedef enum { BY_ELIMINATION, BY_WEIGHTING, BY_REJECTION } answer_method;

typedef struct network_params {
    const char *query, *explain, *separated;
    int method; /* answer_method */
    int samples, draw;
} network_params;

static const cairn_choice methods[] = {
    {"exact", BY_ELIMINATION, "variable elimination"},
    {"weighting", BY_WEIGHTING, "samples with the evidence fixed, weighted by its likelihood"},
    {"rejection", BY_REJECTION, "samples, of which those that disagree with the evidence go"},
    {0},
};

static const cairn_param network_table[] = {
    {.name = "query",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(network_params, query),
     .help = "a question, such as 'P(burglary | john, not mary)' or, for the whole distribution "
             "of a variable, 'P(weather | wet)'",
     .often = true,
     .repeated = true},
    CAIRN_PARAM(network_params, explain, NULL, NULL,
                "what is known, such as 'john, not mary' (or 'nothing'): the most probable values "
                "of all other variables",
                .often = true),
    {.name = "separated",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(network_params, separated),
     .help = "whether two variables are d-separated by others, such as 'john, mary | alarm'",
     .repeated = true},
    CAIRN_PARAM_CHOICE(network_params, method, "exact", methods, "how questions are answered"),
    CAIRN_PARAM(network_params, samples, "100000", "[1,1e9]", "how many samples are drawn",
                .when = "method=weighting|rejection"),
    CAIRN_PARAM(network_params, draw, "0", "[0,1e8]",
                "rows to draw from the network by forward sampling, for --out"),
    CAIRN_PARAM_END,
};

static const cairn_param picture_table[] = {CAIRN_PARAM_END};

/* The network and what is asked of it. */
typedef struct work {
    cairn_typed_network typed;
    const cairn_compute_job *job;
    cairn_report *out;
} work;

static void clear_work(work *w)
{
    cairn_typed_network_clear(&w->typed);
}

/* -- reading -- */

/* The network of a model, in the notation in which its learner writes it down. */
static cairn_status read_model(cairn_context *ctx, cairn_typed_network *out, const char *name,
                               const char *bytes, size_t length)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_model_load_memory(ctx, &model, name, bytes, length));
    if (!model->learner || strcmp(model->learner->entry.name, "bayes-net") != 0)
        return cairn_fail(ctx, CAIRN_USAGE, "%s is no model of bayes-net, and has no network",
                          name);
    const cairn_job job = cairn_model_job(model);
    model->learner->forms[0].write(&text, model->state, &job);
    CHECK(cairn_text_status(&text));
    const cairn_given given = {name, cairn_text_string(&text), text.length};
    return cairn_network_read(ctx, out, &given, NULL, NULL, 0);
}

/* A network that is typed has signs that names of files have not. A model begins with letters of
 * its own, and its target is the last variable; else there is none (-1). */
static cairn_status read_network(cairn_context *ctx, cairn_typed_network *out, const char *word,
                                 ptrdiff_t *target)
{
    static const char magic[] = "CAIRNMDL";
    OWNED(cairn_free) char *text = NULL;
    cairn_given given = {"the network", word, strlen(word)};
    if (!strstr(word, "->") && !strchr(word, '=')) {
        CHECK(cairn_file_read_all(ctx, word, &text, &given.length));
        given.name = word;
        given.text = text;
    }
    *target = -1;
    if (!text || strncmp(text, magic, strlen(magic)) != 0)
        return cairn_network_read(ctx, out, &given, NULL, NULL, 0);
    CHECK(read_model(ctx, out, word, text, given.length));
    *target = (ptrdiff_t)out->net.n - 1;
    return CAIRN_OK;
}

/* -- questions -- */

/* A question taken apart. */
typedef struct question {
    const char *text, *event, *given;
    int32_t *evidence; /* n */
    int32_t *wanted;   /* n_wanted, ascending */
    size_t n_wanted;
    cairn_factor answer; /* over the wanted variables, with the evidence */
} question;

/* One row with a value for every variable: what is typed is held against it, so that a name that
 * is not there is found, and the nearest that is. */
static cairn_status check_names(cairn_context *ctx, const work *w, const question *q)
{
    OWNED(cairn_table_free) cairn_table *all = NULL;
    const cairn_network *net = &w->typed.net;
    cairn_event_query query;
    const int32_t first = 0;
    CHECK(cairn_table_new(ctx, &all, 1));
    for (size_t v = 0; v < net->n; v++)
        CHECK(cairn_table_add_levels(ctx, all, w->typed.names.variables[v], &first,
                                     w->typed.names.values[v], (size_t)net->n_values[v]));
    return cairn_event_query_read(ctx, &query, cairn_say(ctx, "{query}"), q->text, all);
}

static bool is_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (unsigned char)c >= 128;
}

/* Mark the variables that a text names: bare words, or what stands in quotes or brackets. A word
 * too many does no harm. */
static void mark_named(bool *named, const work *w, const char *text)
{
    while (*text) {
        char close = *text == '[' ? ']' : strchr("'\"`", *text) ? *text : 0;
        const char *begin = text + (close != 0), *end = begin;
        while (*end && (close ? *end != close : is_in_name(*end))) end++;
        ptrdiff_t v =
            cairn_network_find(&w->typed.names, w->typed.net.n, begin, (size_t)(end - begin));
        if (v >= 0) named[v] = true;
        text = end > begin ? end : begin;
        if (*text && (close || end == begin)) text++;
    }
}

static cairn_status read_question(cairn_context *ctx, const work *w, question *q)
{
    size_t n = w->typed.net.n;
    bool *named, simple = false;
    CHECK(SCRATCH_EACH(ctx, n + 1, &named, &q->evidence, &q->wanted));
    for (size_t v = 0; v < n; v++) q->evidence[v] = CAIRN_UNOBSERVED;
    CHECK(check_names(ctx, w, q));
    if (q->given)
        CHECK(cairn_network_evidence(ctx, q->evidence, &simple, cairn_say(ctx, "{query}"), q->given,
                                     &w->typed.net, &w->typed.names));
    mark_named(named, w, q->event);
    if (q->given && !simple) mark_named(named, w, q->given);
    for (size_t v = 0; v < n; v++)
        if (named[v] && q->evidence[v] < 0) q->wanted[q->n_wanted++] = (int32_t)v;
    return CAIRN_OK;
}

static double sum_of(const cairn_factor *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->size; i++) sum += f->p[i];
    return sum;
}

/* What is known may be possible, but too improbable for a number: then the shares are right. */
static cairn_status ask_for_shares(cairn_context *ctx, const work *w, question *q)
{
    const cairn_network_question asked = {
        .evidence = q->evidence, .wanted = q->wanted, .n_wanted = q->n_wanted, .shares_only = true};
    CHECK(cairn_network_ask(ctx, &q->answer, &w->typed.net, &asked));
    if (sum_of(&q->answer) > 0)
        cairn_report_paragraph(w->out, "What is known has a probability below the least number; "
                                       "the largest one is shown as 1.");
    return CAIRN_OK;
}

/* The steps are made apart, so that their values get the number of the question. */
static cairn_status ask_exactly(cairn_context *ctx, const work *w, question *q, size_t number)
{
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    SCOPED(cairn_text_clear) cairn_text prefix = cairn_text_start(ctx);
    if (w->job->steps) CHECK(cairn_report_new(ctx, &steps));
    const cairn_network_question asked = {.evidence = q->evidence,
                                          .wanted = q->wanted,
                                          .n_wanted = q->n_wanted,
                                          .steps = steps,
                                          .names = &w->typed.names};
    CHECK(cairn_network_ask(ctx, &q->answer, &w->typed.net, &asked));
    cairn_text_addf(&prefix, "query%zu", number);
    CHECK(cairn_text_status(&prefix));
    if (steps) cairn_report_append(w->out, steps, cairn_text_string(&prefix));
    return sum_of(&q->answer) > 0 ? CAIRN_OK : ask_for_shares(ctx, w, q);
}

/* Estimates take the place of the exact factor of the one variable that is asked for. */
static cairn_status ask_by_samples(cairn_context *ctx, const work *w, question *q, size_t number)
{
    const network_params *p = w->job->params;
    cairn_network_estimate estimate;
    if (q->n_wanted != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{query}: samples answer questions about one variable, given values of "
                          "others; '%s' asks for %zu. Use {method exact}",
                          q->text, q->n_wanted);
    CHECK(cairn_network_estimated(ctx, &estimate, &w->typed.net, (size_t)q->wanted[0], q->evidence,
                                  (size_t)p->samples, p->method == BY_WEIGHTING,
                                  (uint64_t)number << 32));
    q->answer =
        (cairn_factor){1, q->wanted, (size_t)w->typed.net.n_values[q->wanted[0]], estimate.p};
    cairn_report_value(w->out, "samples", p->samples, "query%zu.samples", number);
    cairn_report_value(w->out, "that agree with the evidence", (double)estimate.n_agreeing,
                       "query%zu.agreeing", number);
    cairn_report_value(w->out, "worth as many independent ones", estimate.effective,
                       "query%zu.effective", number);
    for (size_t l = 0; l < q->answer.size; l++) estimate.p[l] *= estimate.weight / p->samples;
    if (estimate.weight > 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "{query}: no sample agrees with '%s'; draw more ({samples}) or use {method "
                      "exact}",
                      q->given ? q->given : "");
}

/* Every value of the variable, brought to 1. */
static void show_distribution(const work *w, const question *q, const cairn_outcomes *o,
                              const cairn_event_query *query, size_t number)
{
    const cairn_column *column = o->table->slots[query->variable].column;
    double given = cairn_event_probability(o, query->known, NULL);
    cairn_report_table_of(w->out, NULL, 0, "lrr", q->event, q->given ? "with what is known" : "sum",
                          "probability");
    for (size_t l = 0; l < column->names.n; l++) {
        const char *value = cairn_map_key(&column->names, l);
        double p = 0;
        for (size_t i = 0; i < o->table->n_rows; i++)
            if (column->codes[i] == (int32_t)l && query->known[i] > 0) p += o->p[i];
        cairn_report_prefix(w->out, "query%zu", number);
        cairn_report_cells(w->out, "- @.joint.$1 @.$1", value, p, p / given);
    }
}

/* The factor as a table of outcomes, over which the proposition and what is known are summed. */
static cairn_status show_answer(cairn_context *ctx, const work *w, const question *q, size_t number)
{
    SCOPED(cairn_outcomes_clear) cairn_outcomes o = {0};
    cairn_event_query query;
    /* The answer as a table of outcomes, with a column for each variable that has evidence. */
    const cairn_network *net = &w->typed.net;
    const cairn_factor *f = &q->answer;
    size_t after = f->size;
    int32_t *codes;
    CHECK(SCRATCH(ctx, &codes, f->size + 1));
    CHECK(cairn_table_new(ctx, &o.table, f->size));
    for (size_t v = 0, at = 0; v < net->n; v++) {
        bool wanted = at < f->n && f->variables[at] == (int32_t)v;
        if (!wanted && q->evidence[v] < 0) continue;
        size_t k = (size_t)net->n_values[v];
        if (wanted) after /= k, at++;
        for (size_t i = 0; i < f->size; i++)
            codes[i] = wanted ? (int32_t)(i / after % k) : q->evidence[v];
        CHECK(cairn_table_add_levels(ctx, o.table, w->typed.names.variables[v], codes,
                                     w->typed.names.values[v], k));
    }
    o.p = f->p;
    CHECK(cairn_event_query_read(ctx, &query, cairn_say(ctx, "{query}"), q->text, o.table));
    double given = cairn_event_probability(&o, query.known, NULL);
    if (!(given > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{query}: '%s' has the probability 0, and nothing can be said of what "
                          "follows from it",
                          q->given ? q->given : q->event);
    if (query.variable >= 0) show_distribution(w, q, &o, &query, number);
    cairn_report_hidden(w->out, given, "query%zu.given", number);
    if (query.whole) return CAIRN_OK;
    double both = cairn_event_probability(&o, query.holds, query.known);
    cairn_report_hidden(w->out, both, "query%zu.both", number);
    if (q->given && w->job->steps)
        cairn_report_worked(w->out, q->text, "# / # = #", both, given, both / given);
    cairn_report_value(w->out, "probability", both / given, "query%zu.p", number);
    return CAIRN_OK;
}

static cairn_status answer(cairn_context *ctx, const work *w, const char *text, size_t number)
{
    const network_params *p = w->job->params;
    question q = {.text = text};
    CHECK(cairn_event_split(ctx, &q.event, &q.given, cairn_say(ctx, "{query}"), text));
    CHECK(read_question(ctx, w, &q));
    cairn_report_heading(w->out, 2, "%s", text);
    if (p->method == BY_ELIMINATION)
        CHECK(ask_exactly(ctx, w, &q, number));
    else
        CHECK(ask_by_samples(ctx, w, &q, number));
    return show_answer(ctx, w, &q, number);
}

/* -- the most probable explanation -- */

/* What is known must be values: a proposition that leaves some open has no one explanation. */
static cairn_status explain(cairn_context *ctx, const work *w, const char *known)
{
    const cairn_network *net = &w->typed.net;
    const cairn_network_names *names = &w->typed.names;
    int32_t *evidence, *values;
    double log_p;
    bool simple = true;
    CHECK(SCRATCH_EACH(ctx, net->n + 1, &evidence, &values));
    for (size_t v = 0; v < net->n; v++) evidence[v] = CAIRN_UNOBSERVED;
    if (strcmp(known, "nothing"))
        CHECK(cairn_network_evidence(ctx, evidence, &simple, cairn_say(ctx, "{explain}"), known,
                                     net, names));
    if (!simple)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{explain}: '%s' is no list of values, such as 'a, not b, c = value'",
                          known);
    cairn_report_heading(w->out, 2, "The most probable explanation of %s", known);
    const cairn_network_question asked = {.evidence = evidence,
                                          .steps = w->job->steps ? w->out : NULL,
                                          .names = names,
                                          .shares_only = net->n > MOST_UNSCALED};
    CHECK(cairn_network_explain(ctx, values, &log_p, net, &asked));
    if (isinf(log_p))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{explain}: '%s' has the probability 0, and nothing explains it", known);
    cairn_report_table_of(w->out, NULL, 0, "lll", "variable", "value", "");
    for (size_t v = 0; v < net->n; v++) {
        cairn_report_cells(w->out, "- explain.$1", names->variables[v], names->values[v][values[v]],
                           evidence[v] >= 0 ? "known" : "");
    }
    cairn_report_value(w->out, "joint probability", cairn_exp(log_p), "explain.p");
    cairn_report_hidden(w->out, log_p, "explain.log_p");
    return CAIRN_OK;
}

/* -- d-separation -- */

static const char *variable_name(size_t i, const void *data)
{
    const work *w = data;
    return i < w->typed.net.n ? w->typed.names.variables[i] : NULL;
}

static cairn_status find_variable(cairn_context *ctx, const work *w, const char *name, size_t *out)
{
    ptrdiff_t v = cairn_network_find(&w->typed.names, w->typed.net.n, name, strlen(name));
    const char *near = v < 0 ? cairn_nearest_word(name, variable_name, w) : NULL;
    if (v < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{separated}: there is no variable '%s'%s%s%s", name,
                          near ? "; is it '" : "", near ? near : "", near ? "'?" : "");
    *out = (size_t)v;
    return CAIRN_OK;
}

/* Read 'a, b | c, d' and say whether the graph alone makes a and b independent. */
static cairn_status show_separated(cairn_context *ctx, const work *w, const char *text,
                                   size_t number)
{
    const char *event, *given;
    char **pair, **others = NULL;
    size_t n, n_others = 0, a, b, v;
    bool *known, separated;
    CHECK(cairn_event_split(ctx, &event, &given, cairn_say(ctx, "{separated}"), text));
    CHECK(cairn_list_split(ctx, event, &pair, &n));
    if (given) CHECK(cairn_list_split(ctx, given, &others, &n_others));
    if (n != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{separated}: '%s' names %zu variables; two are compared, 'a, b | c, d'",
                          text, n);
    CHECK(find_variable(ctx, w, pair[0], &a));
    CHECK(find_variable(ctx, w, pair[1], &b));
    CHECK(SCRATCH(ctx, &known, w->typed.net.n + 1));
    for (size_t i = 0; i < n_others; i++) {
        CHECK(find_variable(ctx, w, others[i], &v));
        known[v] = true;
    }
    if (a == b || known[a] || known[b])
        return cairn_fail(ctx, CAIRN_USAGE, "{separated}: '%s' names a variable twice", text);
    CHECK(cairn_network_separates(ctx, &separated, &w->typed.net, a, b, known, NULL));
    cairn_report_paragraph(w->out, "%s and %s are %sd-separated%s%s: %s", pair[0], pair[1],
                           separated ? "" : "not ", given ? " by " : "", given ? given : "",
                           separated
                               ? "every way between them is blocked, and they are independent"
                               : "a way between them is open, and they may depend on each other");
    cairn_report_hidden(w->out, separated, "separated%zu", number);
    return CAIRN_OK;
}

/* -- the network -- */

/* The joint as a product, and how many numbers it takes as against a table of all outcomes. */
static void show_network(const work *w)
{
    const cairn_network *net = &w->typed.net;
    double outcomes = 1;
    SCOPED(cairn_text_clear) cairn_text product = cairn_text_start(cairn_report_context(w->out));
    for (size_t v = 0; v < net->n; v++) {
        outcomes *= net->n_values[v];
        if (v) cairn_text_add(&product, " · ");
        cairn_network_add_head(&product, net, &w->typed.names, v);
    }
    cairn_report_formula(w->out, "P(all) = %s", cairn_text_string(&product));
    cairn_report_failed(w->out, cairn_text_status(&product));
    cairn_report_value(w->out, "variables", (double)net->n, "variables");
    cairn_report_value(w->out, "arcs", net->starts[net->n], "arcs");
    cairn_report_value(w->out, "free numbers", cairn_network_parameters(net), "parameters");
    cairn_report_value(w->out, "free numbers of the whole joint table", outcomes - 1,
                       "joint_parameters");
    for (size_t v = 0; v < net->n; v++) cairn_network_show_table(w->out, net, &w->typed.names, v);
}

/* Rows drawn from the network, as the table of the result. */
static cairn_status draw_rows(cairn_context *ctx, const work *w, size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_network *net = &w->typed.net;
    int32_t *codes;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    CHECK(cairn_network_draw_rows(ctx, &codes, net, n, &random));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t v = 0; v < net->n; v++)
        CHECK(cairn_table_add_levels(ctx, table, w->typed.names.variables[v], codes + v * n,
                                     w->typed.names.values[v], (size_t)net->n_values[v]));
    cairn_report_value(w->out, "rows drawn", (double)n, "drawn");
    if (w->job->result) *w->job->result = TAKE(table);
    return CAIRN_OK;
}

static cairn_status network_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const network_params *p = job->params;
    SCOPED(clear_work) work w = {.job = job, .out = out};
    const char *const *queries, *const *separations;
    cairn_figure *figure;
    ptrdiff_t target;
    CHECK(read_network(ctx, &w.typed, job->word, &target));
    CHECK(cairn_list_lines(ctx, p->query, &queries));
    CHECK(cairn_list_lines(ctx, p->separated, &separations));
    cairn_report_heading(out, 1, "Bayesian network");
    show_network(&w);
    CHECK(cairn_network_figure(ctx, &figure, &w.typed.net, &w.typed.names, target));
    cairn_report_page_figure(out, figure);
    for (size_t i = 0; queries[i]; i++) CHECK(answer(ctx, &w, queries[i], i + 1));
    if (p->explain) CHECK(explain(ctx, &w, p->explain));
    for (size_t i = 0; separations[i]; i++) CHECK(show_separated(ctx, &w, separations[i], i + 1));
    return p->draw ? draw_rows(ctx, &w, (size_t)p->draw) : CAIRN_OK;
}

static cairn_status network_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    SCOPED(cairn_typed_network_clear) cairn_typed_network typed = {0};
    ptrdiff_t target;
    CHECK(read_network(ctx, &typed, job->word, &target));
    return cairn_network_figure(ctx, out, &typed.net, &typed.names, target);
}

#define NETWORK_EXAMPLE                                                                            \
    "'rain -> wet; sprinkler -> wet; P(rain) = 0.2; P(sprinkler) = 0.1; P(wet | rain) = 0.9; "     \
    "P(wet | not rain, sprinkler) = 0.8; P(wet | not rain, not sprinkler) = 0.01'"

const cairn_calculator cairn_compute_network = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "network",
              .also = "Bayesian network, belief network, Bayes net, variable elimination, most "
                      "probable explanation, d-separation, likelihood weighting, forward sampling, "
                      "conditional probability table",
              .title = "Questions to a Bayesian network",
              .summary =
                  "A network of causes and effects with a table P(variable | parents) for each, "
                  "typed or in a file, answers questions such as P(burglary | john, not mary): "
                  "exactly by variable elimination, whose factors and sums --steps writes out, or "
                  "by samples. It also gives the most probable explanation of what is known, says "
                  "which variables are d-separated, and draws rows.",
              .references =
                  "Pearl: Probabilistic Reasoning in Intelligent Systems, 1988; Zhang and "
                  "Poole: Exploiting Causal Independence in Bayesian Network Inference, "
                  "JAIR 5, 1996; Shachter and Peot: Simulation Approaches to General "
                  "Probabilistic Inference on Belief Networks, 1989",
              .example =
                  "cairn compute network " NETWORK_EXAMPLE " --query 'P(rain | wet)' --steps",
              .params = network_table,
              .params_size = sizeof(network_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "network",
                .also = "Bayesian network, belief network, graph of dependencies, directed graph",
                .title = "A Bayesian network with its tables",
                .summary = "Draws the graph of a network, parents above their children, with the "
                           "table of each variable in its node where that is small. The network is "
                           "typed, in a file as 'cairn compute network' reads it, or in a model of "
                           "bayes-net.",
                .example = "cairn draw network " NETWORK_EXAMPLE " --out wet.svg",
                .params = picture_table},
    .arguments = "FILE",
    .takes_word = true,
    .run = network_run,
    .draw = network_draw,
};
