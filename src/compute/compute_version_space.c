/* SPDX-License-Identifier: MIT */
/* cairn compute version-space: all hypotheses of a language that agree with every example, found in
 * three ways that must meet.
 *
 * Find-S generalises one hypothesis as little as possible at each positive example. Candidate
 * elimination keeps the boundaries S and G. List-then-eliminate strikes from the list of all
 * hypotheses what the next example contradicts. In the language of all sets of instances nothing
 * can be said about an instance that was not seen: each is in half of the members. */
#include "compute/lattice.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct version_params {
    int language;
    cairn_concept_option concepts;
    const char *predict, *hypothesis;
    bool members, empty;
    double limit;
} version_params;

enum { LANGUAGE_CONJUNCTIONS, LANGUAGE_DISJUNCTION, LANGUAGE_SUBSETS };

static const cairn_choice language_choices[] = {
    {"conjunctions", LANGUAGE_CONJUNCTIONS, "a value or any for each column"},
    {"disjunction", LANGUAGE_DISJUNCTION, "a set of values for each column (internal disjunction)"},
    {"subsets", LANGUAGE_SUBSETS, "every set of instances is a hypothesis: no bias at all"},
    {NULL, 0, NULL}};

static const cairn_param version_table[] = {
    CAIRN_PARAM_CHOICE(version_params, language, "conjunctions", language_choices,
                       "what hypotheses can say"),
    CAIRN_PARAM_GROUP(version_params, concepts, cairn_concept_group),
    {.name = "predict",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(version_params, predict),
     .help = "a new instance to decide: its values in the order of the columns, separated by "
             "commas; rows of the table without a class are decided as well",
     .repeated = true},
    {.name = "hypothesis",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(version_params, hypothesis),
     .help = "a hypothesis to look at: whether it is a member, what it covers and predicts",
     .repeated = true},
    CAIRN_PARAM(version_params, members, "yes", NULL,
                "list the members; no = only what the boundaries tell"),
    CAIRN_PARAM(version_params, empty, "yes", NULL,
                "the hypothesis that covers nothing counts as well"),
    CAIRN_PARAM(version_params, limit, "1e6", "[1,1e9]", "most hypotheses to look at one by one"),
    CAIRN_PARAM_END,
};

/* -- elimination from the list of all -- */

/* How many hypotheses are left after each example; sizes has room for n + 1. */
static cairn_status eliminate(cairn_context *ctx, double *sizes, const cairn_domain *domain,
                              const cairn_examples *e, const version_params *p)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_walk walk;
    TRY(cairn_walk_start(ctx, &walk, domain, NULL, p->limit, "--limit allows more"));
    for (double done = 0; cairn_walk_next(&walk); done++) {
        size_t i = 0;
        if (fmod(done, 4096) == 0) TRY(cairn_tick(ctx, "hypotheses", done, walk.size));
        while (i < e->n && e->positive[i] == cairn_concept_covers(domain, walk.concept,
                                                                  cairn_example(e, domain, i)))
            i++;
        sizes[i]++;
    }
    if (p->empty) {
        size_t i = 0;
        while (i < e->n && !e->positive[i]) i++;
        sizes[i]++;
    }
    for (size_t i = e->n; i-- > 0;) sizes[i] += sizes[i + 1];
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- the trace -- */

static cairn_status general_words(cairn_context *ctx, cairn_report *out, const char **joined,
                                  const cairn_concept_data *data, const cairn_concepts *general,
                                  const char *prefix)
{
    cairn_status status = CAIRN_OK;
    cairn_text text = cairn_text_start(ctx);
    for (size_t g = 0; g < general->n; g++) {
        const char *word;
        TRY(cairn_concept_word(ctx, &word, data, cairn_concepts_at(general, g)));
        cairn_report_hidden_word(out, word, "%sg%zu", prefix, g + 1);
        if (g == 8) cairn_text_addf(&text, "; ... (%zu)", general->n);
        if (g < 8) cairn_text_addf(&text, "%s%s", g ? "; " : "", word);
    }
    cairn_report_hidden(out, (double)general->n, "%sg.count", prefix);
    if (!general->n) cairn_text_add(&text, "∅");
    TRY(cairn_text_status(&text));
    char *copy;
    TRY(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *joined = copy;
done:
    cairn_text_clear(&text);
    return status;
}

static cairn_status trace_row(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                              const cairn_boundaries *b, const uint64_t *find_s, size_t step,
                              double size)
{
    cairn_status status;
    const char *s, *g, *f;
    char prefix[40];
    snprintf(prefix, sizeof prefix, "step%zu.", step);
    TRY(cairn_concept_word(ctx, &f, data, find_s));
    TRY(cairn_concept_word(ctx, &s, data, b->special));
    TRY(general_words(ctx, out, &g, data, &b->general, prefix));
    cairn_report_cell(out, step ? data->examples.names[step - 1] : "");
    cairn_report_cell(out, !step ? "" : data->examples.positive[step - 1] ? "+" : "−");
    cairn_report_cell_word(out, f, "%sfind_s", prefix);
    cairn_report_cell_word(out, b->collapsed ? "∅" : s, "%ss", prefix);
    cairn_report_cell_word(out, g, "%sg", prefix);
    cairn_report_cell_number(out, size, 0, "%ssize", prefix);
done:
    return status;
}

static void begin_trace(cairn_report *out)
{
    cairn_report_table_begin(out, "After each example", 0);
    cairn_report_column(out, "example", 'l');
    cairn_report_column(out, "class", 'c');
    cairn_report_column(out, "Find-S", 'l');
    cairn_report_column(out, "S", 'l');
    cairn_report_column(out, "G", 'l');
    cairn_report_column(out, "consistent", 'r');
}

/* All examples in order; `b` is what is left in the end, `find_s` the hypothesis of Find-S. */
static cairn_status trace(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                          cairn_boundaries *b, uint64_t *find_s, const double *sizes)
{
    const cairn_domain *domain = &data->domain;
    cairn_status status;
    uint64_t *instance;
    TRY(SCRATCH(ctx, &instance, domain->n));
    begin_trace(out);
    TRY(trace_row(ctx, out, data, b, find_s, 0, sizes ? sizes[0] : NAN));
    for (size_t i = 0; i < data->examples.n; i++) {
        const int32_t *codes = cairn_example(&data->examples, domain, i);
        TRY(cairn_boundaries_add(ctx, b, domain, codes, data->examples.positive[i]));
        if (data->examples.positive[i]) {
            cairn_concept_of(domain, instance, codes);
            cairn_concept_join(domain, find_s, find_s, instance);
        }
        if (cairn_report_row_wanted(out))
            TRY(trace_row(ctx, out, data, b, find_s, i + 1, sizes ? sizes[i + 1] : NAN));
    }
    cairn_report_table_end(out);
done:
    return status;
}

/* -- what came out -- */

static cairn_status show_conflict(cairn_context *ctx, cairn_report *out,
                                  const cairn_concept_data *data)
{
    const cairn_examples *e = &data->examples;
    cairn_conflict conflict = {0};
    cairn_status status;
    bool found;
    TRY(cairn_find_conflict(ctx, &found, &conflict, &data->domain, e));
    if (!found) goto done;
    cairn_report_note(
        out,
        conflict.same ? "The version space is empty from example %s on: %s is positive and %s "
                        "negative, and they are the same instance (noise in the data)."
                      : "The version space is empty from example %s on: whatever covers the "
                        "positive examples up to %s also covers the negative example %s. There is "
                        "noise in the data, or the language is too poor for the concept.",
        e->names[conflict.at], e->names[conflict.positive], e->names[conflict.negative]);
    cairn_report_hidden_word(out, e->names[conflict.at], "collapsed.at");
    cairn_report_hidden_word(out, e->names[conflict.positive], "collapsed.positive");
    cairn_report_hidden_word(out, e->names[conflict.negative], "collapsed.negative");
done:
    return status;
}

static cairn_status show_boundaries(cairn_context *ctx, cairn_report *out,
                                    const cairn_concept_data *data, const cairn_boundaries *b)
{
    cairn_status status;
    const char *word;
    bool converged = b->general.n == 1 && cairn_concept_equals(&data->domain, b->special,
                                                               cairn_concepts_at(&b->general, 0));
    TRY(cairn_concept_word(ctx, &word, data, b->special));
    cairn_report_word(out, "S, the most special", word, "s");
    for (size_t g = 0; g < b->general.n && g < 50; g++) {
        TRY(cairn_concept_word(ctx, &word, data, cairn_concepts_at(&b->general, g)));
        cairn_report_word(out, "G, the most general", word, "g%zu", g + 1);
    }
    cairn_report_hidden(out, (double)b->general.n, "g.count");
    if (converged)
        cairn_report_note(out,
                          "S and G have met: one hypothesis is left, and more examples can only "
                          "contradict it.");
    cairn_report_hidden(out, converged, "converged");
done:
    return status;
}

typedef struct votes {
    const cairn_concepts *members; /* NULL = not listed */
    bool empty_member;
} votes;

/* A line of the table of predictions. */
static void decide(cairn_report *out, const cairn_concept_data *data, const cairn_boundaries *b,
                   const votes *v, const int32_t *codes, const char *name, size_t number)
{
    int answer = cairn_boundaries_decide(b, &data->domain, codes);
    double share = answer >= 0 ? answer : NAN;
    if (v->members) {
        size_t yes = 0, n = v->members->n + v->empty_member;
        for (size_t i = 0; i < v->members->n; i++)
            yes += cairn_concept_covers(&data->domain, cairn_concepts_at(v->members, i), codes);
        share = n ? (double)yes / (double)n : NAN;
    }
    cairn_report_cell(out, name);
    cairn_report_cell_word(out,
                           answer < 0 ? "unknown"
                           : answer   ? "yes"
                                      : "no",
                           "predict%zu", number);
    cairn_report_cell_number(out, share, 0, "predict%zu.share", number);
}

static cairn_status predict(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                            const cairn_boundaries *b, const votes *v, const char *typed)
{
    cairn_status status = CAIRN_OK;
    const char *const *lines = NULL;
    size_t number = 0;
    int32_t *codes;
    if (!typed && !data->others.n) return CAIRN_OK;
    TRY(cairn_list_lines(ctx, typed, &lines));
    TRY(SCRATCH(ctx, &codes, data->domain.n));
    cairn_report_table_begin(out, "New instances: yes or no when all members agree", 0);
    cairn_report_column(out, "instance", 'l');
    cairn_report_column(out, "answer", 'l');
    cairn_report_column(out, "share of votes for yes", 'r');
    for (size_t i = 0; i < data->others.n; i++)
        decide(out, data, b, v, cairn_example(&data->others, &data->domain, i),
               data->others.names[i], ++number);
    for (size_t i = 0; lines && lines[i]; i++) {
        TRY(cairn_domain_instance(ctx, codes, &data->domain, lines[i]));
        decide(out, data, b, v, codes, lines[i], ++number);
    }
    cairn_report_table_end(out);
done:
    return status;
}

static bool next_instance(const cairn_domain *domain, int32_t *codes)
{
    for (size_t j = domain->n; j-- > 0;) {
        if ((size_t)++codes[j] < domain->attributes[j].n_values) return true;
        codes[j] = 0;
    }
    return false;
}

/* The place of an instance among all, for domains with less than 2^53 of them. */
static uint64_t instance_number(const cairn_domain *domain, const int32_t *codes)
{
    uint64_t number = 0;
    for (size_t j = 0; j < domain->n; j++)
        number = number * domain->attributes[j].n_values + (uint64_t)codes[j];
    return number;
}

typedef struct numbered {
    uint64_t instance;
    size_t example;
} numbered;

static int by_instance(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
    return (x->example > y->example) - (x->example < y->example);
}

/* The examples by instance. */
static cairn_status number_examples(cairn_context *ctx, numbered **out,
                                    const cairn_concept_data *data)
{
    cairn_status status;
    TRY(SCRATCH(ctx, out, data->examples.n));
    for (size_t i = 0; i < data->examples.n; i++)
        (*out)[i] = (numbered){
            instance_number(&data->domain, cairn_example(&data->examples, &data->domain, i)), i};
    if (data->examples.n) qsort(*out, data->examples.n, sizeof **out, by_instance);
done:
    return status;
}

/* How many of the instances that were not seen the boundaries decide. */
static cairn_status decide_unseen(cairn_context *ctx, cairn_report *out,
                                  const cairn_concept_data *data, const cairn_boundaries *b,
                                  double limit)
{
    cairn_status status;
    numbered *seen;
    int32_t *codes;
    double counts[3] = {0, 0, 0};
    size_t at = 0;
    if (cairn_domain_instances(&data->domain) > limit) return CAIRN_OK;
    TRY(number_examples(ctx, &seen, data));
    TRY(SCRATCH(ctx, &codes, data->domain.n));
    uint64_t number = 0;
    do {
        bool known = at < data->examples.n && seen[at].instance == number;
        while (at < data->examples.n && seen[at].instance == number) at++;
        if (!known) counts[cairn_boundaries_decide(b, &data->domain, codes) + 1]++;
        number++;
    } while (next_instance(&data->domain, codes));
    cairn_report_value(out, "instances not seen", counts[0] + counts[1] + counts[2], "unseen");
    cairn_report_value(out, "of them decided: yes", counts[2], "unseen.yes");
    cairn_report_value(out, "of them decided: no", counts[1], "unseen.no");
    cairn_report_value(out, "of them unknown", counts[0], "unseen.unknown");
done:
    return status;
}

/* Hypotheses that were typed: are they members, and what do they say? */
static cairn_status look_at(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                            const version_params *p)
{
    const cairn_examples *e = &data->examples;
    cairn_status status;
    const char *const *lines;
    uint64_t *concept;
    TRY(cairn_list_lines(ctx, p->hypothesis, &lines));
    TRY(SCRATCH(ctx, &concept, data->domain.n));
    cairn_report_table_begin(out, "Hypotheses that were given", 0);
    cairn_report_column(out, "hypothesis", 'l');
    cairn_report_column(out, "member", 'l');
    cairn_report_column(out, "wrong about", 'l');
    for (size_t h = 0; lines[h]; h++) {
        cairn_text wrong = cairn_text_start(ctx);
        const char *word;
        size_t n = 0;
        TRY(cairn_concept_parse(ctx, concept, &data->domain, lines[h]));
        TRY(cairn_concept_word(ctx, &word, data, concept));
        for (size_t i = 0; i < e->n; i++) {
            if (cairn_concept_covers(&data->domain, concept, cairn_example(e, &data->domain, i)) ==
                e->positive[i])
                continue;
            cairn_text_addf(&wrong, "%s%s", n++ ? " " : "", e->names[i]);
        }
        cairn_report_cell_word(out, word, "hypothesis%zu", h + 1);
        cairn_report_cell_word(out, n ? "no" : "yes", "hypothesis%zu.member", h + 1);
        cairn_report_cell_word(out, cairn_text_string(&wrong), "hypothesis%zu.wrong", h + 1);
        status = cairn_text_status(&wrong);
        cairn_text_clear(&wrong);
        if (status) goto done;
    }
    cairn_report_table_end(out);
done:
    return status;
}

/* -- the two kinds of language -- */

static void show_sizes(cairn_report *out, const cairn_concept_data *data, bool empty)
{
    const cairn_domain *domain = &data->domain;
    for (size_t j = 0; j < domain->n; j++)
        cairn_report_hidden(out, (double)domain->attributes[j].n_values, "values.%s",
                            cairn_report_key(out, domain->attributes[j].name));
    cairn_report_word(out, "concept", data->positive, "positive");
    cairn_report_value(out, "examples", (double)data->examples.n, "examples");
    cairn_report_value(out, "possible instances", cairn_domain_instances(domain), "instances");
    cairn_report_value(out, empty ? "hypotheses, with the empty one" : "hypotheses",
                       cairn_domain_concepts(domain) + empty, "hypotheses");
}

static cairn_status show_members(cairn_context *ctx, cairn_report *out,
                                 const cairn_concept_data *data, const cairn_boundaries *b,
                                 const version_params *p)
{
    cairn_status status;
    cairn_concepts members = {.width = data->domain.n};
    votes v = {.empty_member = p->empty && cairn_concept_is_empty(&data->domain, b->special)};
    if (p->members) {
        TRY(cairn_version_members(ctx, &members, &data->domain, &data->examples, b->special,
                                  p->limit));
        v.members = &members;
        cairn_report_value(out, "members", (double)(members.n + v.empty_member), "members");
        TRY(cairn_concepts_show(ctx, out, data, &members, "Members, the most special first",
                                "member"));
        TRY(cairn_concepts_draw(ctx, out, data, &members, "version-space",
                                "Members of the version space"));
    }
    TRY(predict(ctx, out, data, b, &v, p->predict));
    TRY(decide_unseen(ctx, out, data, b, p->limit));
done:
    cairn_concepts_clear(&members);
    return status;
}

static cairn_status version_of_concepts(cairn_context *ctx, cairn_report *out,
                                        const cairn_concept_data *data, const version_params *p)
{
    cairn_status status;
    cairn_boundaries b = {0};
    uint64_t *find_s;
    double *sizes = NULL;
    bool listed = cairn_domain_concepts(&data->domain) <= p->limit;
    TRY(cairn_boundaries_start(ctx, &b, &data->domain));
    TRY(SCRATCH(ctx, &find_s, data->domain.n));
    show_sizes(out, data, p->empty);
    if (listed) {
        TRY(SCRATCH(ctx, &sizes, data->examples.n + 1));
        TRY(eliminate(ctx, sizes, &data->domain, &data->examples, p));
    } else {
        cairn_report_note(out,
                          "There are too many hypotheses to strike them from a list one by one; "
                          "the boundaries need no list. --limit allows more.");
    }
    TRY(trace(ctx, out, data, &b, find_s, sizes));
    cairn_report_hidden(out, b.collapsed, "empty");
    if (b.collapsed) {
        cairn_report_value(out, "members", 0, "members");
        TRY(show_conflict(ctx, out, data));
    } else {
        TRY(show_boundaries(ctx, out, data, &b));
        TRY(show_members(ctx, out, data, &b, p));
    }
    if (p->hypothesis) TRY(look_at(ctx, out, data, p));
done:
    cairn_boundaries_clear(&b);
    return status;
}

/* Two examples of the same instance with different classes, the first such in the order of the
 * data; false when there are none. */
static bool find_contradiction(const cairn_examples *e, const numbered *order, size_t *first,
                               size_t *second)
{
    bool found = false;
    for (size_t i = 1; i < e->n; i++) {
        size_t a = order[i - 1].example, b = order[i].example;
        if (order[i].instance != order[i - 1].instance || e->positive[a] == e->positive[b])
            continue;
        if (found && b >= *second) continue;
        found = true;
        *first = a;
        *second = b;
    }
    return found;
}

/* log2 of the number of sets of instances that are left after each example; -inf = none. */
static cairn_status shrink_subsets(cairn_context *ctx, cairn_report *out,
                                   const cairn_concept_data *data, const numbered *order,
                                   size_t collapse)
{
    cairn_status status;
    bool *repeated;
    double left = cairn_domain_instances(&data->domain);
    TRY(SCRATCH(ctx, &repeated, data->examples.n));
    for (size_t i = 1; i < data->examples.n; i++)
        repeated[order[i].example] = order[i].instance == order[i - 1].instance;
    cairn_report_table_begin(out, "After each example", 0);
    cairn_report_column(out, "example", 'l');
    cairn_report_column(out, "class", 'c');
    cairn_report_column(out, "log2 of the consistent sets", 'r');
    cairn_report_column(out, "consistent sets", 'r');
    for (size_t i = 0; i <= data->examples.n; i++) {
        if (i && !repeated[i - 1]) left--;
        if (i > collapse) left = -INFINITY;
        cairn_report_cell(out, i ? data->examples.names[i - 1] : "");
        cairn_report_cell(out, !i ? "" : data->examples.positive[i - 1] ? "+" : "−");
        cairn_report_cell_number(out, left, 0, "step%zu.log2", i);
        cairn_report_cell_number(out, exp2(left), 12, "step%zu.size", i);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "members", exp2(left), "members");
    cairn_report_value(out, "log2 of the members", left, "members.log2");
done:
    return status;
}

static cairn_status version_of_subsets(cairn_context *ctx, cairn_report *out,
                                       const cairn_concept_data *data)
{
    cairn_status status;
    double instances = cairn_domain_instances(&data->domain), positives = 0, distinct = 0;
    numbered *order;
    size_t first = 0, second = data->examples.n;
    if (instances > 0x1p53)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there are more than 2^53 possible instances, too "
                          "many for their sets; use fewer columns");
    TRY(number_examples(ctx, &order, data));
    bool collapsed = find_contradiction(&data->examples, order, &first, &second);
    cairn_report_word(out, "concept", data->positive, "positive");
    cairn_report_value(out, "possible instances", instances, "instances");
    cairn_report_value(out, "hypotheses: sets of instances", exp2(instances), "hypotheses");
    cairn_report_value(out, "log2 of the hypotheses", instances, "hypotheses.log2");
    TRY(shrink_subsets(ctx, out, data, order, collapsed ? second : data->examples.n));
    cairn_report_hidden(out, collapsed, "empty");
    if (collapsed) {
        cairn_report_note(out,
                          "The version space is empty from example %s on: %s and %s are the "
                          "same instance with different classes.",
                          data->examples.names[second], data->examples.names[first],
                          data->examples.names[second]);
        goto done;
    }
    for (size_t i = 0; i < data->examples.n; i++) {
        if (i && order[i].instance == order[i - 1].instance) continue;
        distinct++;
        positives += data->examples.positive[order[i].example];
    }
    cairn_report_value(out, "instances in S, the positive examples", positives, "s.instances");
    cairn_report_value(out, "instances in G, all but the negative examples",
                       instances - distinct + positives, "g.instances");
    cairn_report_value(out, "instances not seen", instances - distinct, "unseen");
    cairn_report_value(out, "of them decided", 0, "unseen.decided");
    cairn_report_value(out, "of them unknown", instances - distinct, "unseen.unknown");
    cairn_report_value(out, "share of votes for yes at each of them",
                       instances > distinct ? 0.5 : NAN, "unseen.share");
    cairn_report_note(out, "Every instance that was not seen is in exactly half of the members: "
                           "without a bias nothing can be learnt about it.");
done:
    return status;
}

static cairn_status version_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const version_params *p = job->params;
    cairn_concept_data data;
    cairn_status status;
    TRY(cairn_concept_data_read(ctx, &data, &p->concepts, p->language == LANGUAGE_DISJUNCTION,
                                false, job->table, "compute version-space"));
    cairn_report_heading(out, 1, "Version space of '%s = %s'", data.target, data.positive);
    if (p->language == LANGUAGE_SUBSETS) {
        if (p->predict || p->hypothesis)
            TRY(cairn_fail(ctx, CAIRN_USAGE,
                           "--language subsets: half of the members say yes to every instance that "
                           "was not seen, so --predict and --hypothesis need another language"));
        TRY(version_of_subsets(ctx, out, &data));
    } else {
        TRY(version_of_concepts(ctx, out, &data, p));
    }
done:
    return status;
}

const cairn_calculator cairn_compute_version_space = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-space",
              .title = "Version space of a table",
              .summary =
                  "All hypotheses that agree with every example, for columns of levels. After "
                  "each example: the hypothesis of Find-S, the boundaries S and G of "
                  "candidate elimination, and how many of all hypotheses are left. Then the "
                  "members, the answers to new instances (yes or no when all members agree, "
                  "else unknown, with the share of the votes), and how many of the instances "
                  "that were not seen can be decided. When nothing is left, the pair of "
                  "examples is named that cannot both be right.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute version-space @enjoysport",
              .params = version_table,
              .params_size = sizeof(version_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = version_run,
};
