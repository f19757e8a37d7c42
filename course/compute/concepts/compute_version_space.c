/* SPDX-License-Identifier: MIT */
/* cairn compute version-space: all hypotheses of a language that agree with every example, found in
 * three ways that must meet.
 *
 * Find-S generalises one hypothesis as little as possible at each positive example. Candidate
 * elimination keeps the boundaries S and G. List-then-eliminate strikes from the list of all
 * hypotheses what the next example contradicts. In the language of all sets of instances nothing
 * can be said about an instance that was not seen: each is in half of the members. */
#include "compute/concepts/concept_steps.h"
#include "compute/concepts/lattice.h"

#include "base/functions.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct version_params {
    int language;
    cairn_concept_option concepts;
    const char *predict, *hypothesis;
    bool members, empty;
    double limit;
} version_params;

enum { SHOWN_STEPS = 50, SHOWN_WRONG = 50 };
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

/* How many hypotheses are left after each example, from the list of all; sizes has room for n + 1.
 */
static cairn_status eliminate(cairn_context *ctx, double *sizes, const cairn_domain *domain,
                              const cairn_examples *e, const version_params *p)
{
    SCOPED_SCRATCH(ctx);
    cairn_walk walk;
    size_t *distinct, n;
    CHECK(cairn_examples_distinct(ctx, &distinct, &n, domain, e));
    CHECK(cairn_walk_start(ctx, &walk, domain, NULL, p->limit,
                           cairn_say(ctx, "{limit} allows more")));
    for (double done = 0; cairn_walk_next(&walk); done++) {
        size_t i = 0;
        if (fmod(done, 4096) == 0) CHECK(cairn_tick(ctx, "hypotheses", done, walk.size));
        while (i < n && e->positive[distinct[i]] ==
                            cairn_concept_covers(domain, walk.concept,
                                                 cairn_example(e, domain, distinct[i])))
            i++;
        sizes[i < n ? distinct[i] : e->n]++;
    }
    if (p->empty) {
        size_t i = 0;
        while (i < e->n && !e->positive[i]) i++;
        sizes[i]++;
    }
    for (size_t i = e->n; i-- > 0;) sizes[i] += sizes[i + 1];
    return CAIRN_OK;
}

/* The same without a list, for the first examples; NaN where that takes too long. */
static cairn_status count_left(cairn_context *ctx, double *sizes, const cairn_concept_data *data,
                               const version_params *p)
{
    SCOPED_SCRATCH(ctx);
    const cairn_domain *domain = &data->domain;
    cairn_examples some = data->examples;
    uint64_t *special, *instance;
    bool positive = false;
    CHECK(SCRATCH_EACH(ctx, domain->n, &special, &instance));
    for (size_t i = 0; i <= data->examples.n; i++) sizes[i] = NAN;
    for (some.n = 0; some.n <= data->examples.n && some.n <= SHOWN_STEPS; some.n++) {
        if (some.n && some.positive[some.n - 1]) {
            cairn_concept_of(domain, instance, cairn_example(&some, domain, some.n - 1));
            cairn_concept_join(domain, special, special, instance);
            positive = true;
        }
        CHECK(cairn_version_count(ctx, &sizes[some.n], domain, &some, special));
        if (isnan(sizes[some.n])) break;
        sizes[some.n] += p->empty && !positive;
    }
    return CAIRN_OK;
}

/* -- the trace -- */

/* The general boundary may be long, so the cell of the table shows its first members, while all
 * are named. */
static cairn_status general_words(cairn_context *ctx, cairn_report *out, const char **joined,
                                  const cairn_concept_data *data, const cairn_boundaries *b,
                                  const char *prefix)
{
    const cairn_concepts *general = &b->general;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (b->too_many) cairn_text_addf(&text, "not known (%zu)", b->too_many);
    for (size_t g = 0; g < general->n; g++) {
        const char *word;
        CHECK(cairn_concept_word(ctx, &word, data, cairn_concepts_at(general, g)));
        cairn_report_hidden_word(out, word, "%sg%zu", prefix, g + 1);
        if (g == 8) cairn_text_addf(&text, "; ... (%zu)", general->n);
        if (g < 8) cairn_text_addf(&text, "%s%s", g ? "; " : "", word);
    }
    cairn_report_hidden(out, b->too_many ? NAN : (double)general->n, "%sg.count", prefix);
    if (!general->n && !b->too_many) cairn_text_add(&text, "∅");
    CHECK(cairn_text_status(&text));
    char *copy;
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *joined = copy;
    return CAIRN_OK;
}

static cairn_status trace_row(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                              const cairn_boundaries *b, const uint64_t *find_s, size_t step,
                              double size)
{
    const char *s, *g, *f;
    char prefix[40];
    snprintf(prefix, sizeof prefix, "step%zu.", step);
    CHECK(cairn_concept_word(ctx, &f, data, find_s));
    CHECK(cairn_concept_word(ctx, &s, data, b->special));
    CHECK(general_words(ctx, out, &g, data, b, prefix));
    cairn_report_prefix(out, "%s", prefix);
    cairn_report_cells(out, "- - @find_s @s @g @size", step ? data->examples.names[step - 1] : "",
                       !step                               ? ""
                       : data->examples.positive[step - 1] ? "+"
                                                           : "−",
                       f, b->collapsed ? "∅" : s, g, size);
    return CAIRN_OK;
}

/* All examples in order; `b` is what is left in the end, `find_s` the hypothesis of Find-S. */
static cairn_status trace(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                          cairn_boundaries *b, uint64_t *find_s, const double *sizes,
                          size_t collapse)
{
    const cairn_domain *domain = &data->domain;
    uint64_t *instance;
    CHECK(SCRATCH(ctx, &instance, domain->n));
    cairn_report_table_of(out, "After each example", 0, "lclllr", "example", "class", "Find-S", "S",
                          "G", "consistent");
    CHECK(trace_row(ctx, out, data, b, find_s, 0, sizes ? sizes[0] : NAN));
    for (size_t i = 0; i < data->examples.n; i++) {
        const int32_t *codes = cairn_example(&data->examples, domain, i);
        CHECK(cairn_boundaries_add(ctx, b, domain, codes, data->examples.positive[i]));
        if (i == collapse && b->too_many) {
            b->too_many = 0;
            b->collapsed = true;
        }
        if (data->examples.positive[i]) {
            cairn_concept_of(domain, instance, codes);
            cairn_concept_join(domain, find_s, find_s, instance);
        }
        if (cairn_report_row_wanted(out))
            CHECK(trace_row(ctx, out, data, b, find_s, i + 1, sizes ? sizes[i + 1] : NAN));
    }
    return CAIRN_OK;
}

/* The same for all of them, as far as they are shown and something is left. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data)
{
    SCOPED(cairn_boundaries_clear) cairn_boundaries b = {0};
    CHECK(cairn_boundaries_start(ctx, &b, &data->domain));
    for (size_t i = 0; i < data->examples.n && i < CAIRN_CONCEPT_STEPS; i++)
        if (!b.too_many && !b.collapsed) {
            /* Candidate elimination at one example: S and G before it, and what becomes of them. */
            SCOPED(cairn_concepts_clear) cairn_concepts before = {.width = data->domain.n};
            const int32_t *codes = cairn_example(&data->examples, &data->domain, i);
            char prefix[40];
            bool positive = data->examples.positive[i];
            snprintf(prefix, sizeof prefix, "work%zu", i + 1);
            cairn_report_step_begin(out, "Example %s is %s", data->examples.names[i],
                                    positive ? "positive" : "negative");
            for (size_t g = 0; g < b.general.n; g++)
                CHECK(cairn_concepts_add(ctx, &before, &data->domain,
                                         cairn_concepts_at(&b.general, g)));
            if (positive) CHECK(cairn_steps_join(ctx, out, data, b.special, codes, prefix));
            if (positive) CHECK(cairn_steps_keep(ctx, out, data, &before, codes));
            CHECK(cairn_boundaries_add(ctx, &b, &data->domain, codes, positive));
            if (!positive)
                CHECK(cairn_steps_exclude(ctx, out, data, &before, &b.general, b.special, codes));
            cairn_report_step_end(out);
        }
    cairn_steps_rest(out, data->examples.n);
    return CAIRN_OK;
}

/* -- what came out -- */

/* Here a number is as far from its neighbour as from any other; ranges of numbers are concepts of
 * other calculators. */
static void point_to_shapes(cairn_report *out, const cairn_table *table)
{
    bool numbers = false;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        numbers |= slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
    }
    if (!numbers) return;
    cairn_report_note(out, "A hypothesis says one number or any, never a range; 'cairn compute "
                           "version-line' has ranges of one column of numbers, 'cairn compute "
                           "version-boxes' boxes of several.");
}

static void show_conflict(cairn_report *out, const cairn_concept_data *data,
                          const cairn_conflict *conflict, const cairn_table *table)
{
    const cairn_examples *e = &data->examples;
    cairn_report_note(
        out,
        conflict->same ? "The version space is empty from example %s on: %s is positive and %s "
                         "negative, and they are the same instance (noise in the data)."
                       : "The version space is empty from example %s on: whatever covers the "
                         "positive examples up to %s also covers the negative example %s. There is "
                         "noise in the data, or the language is too poor for the concept.",
        e->names[conflict->at], e->names[conflict->positive], e->names[conflict->negative]);
    if (!conflict->same) point_to_shapes(out, table);
    cairn_report_hidden_word(out, e->names[conflict->at], "collapsed.at");
    cairn_report_hidden_word(out, e->names[conflict->positive], "collapsed.positive");
    cairn_report_hidden_word(out, e->names[conflict->negative], "collapsed.negative");
}

/* S and G bound the space: it has converged when they are the same concept. A boundary too large
 * to be compared is told, not cut. */
static cairn_status show_boundaries(cairn_context *ctx, cairn_report *out,
                                    const cairn_concept_data *data, const cairn_boundaries *b)
{
    const char *word;
    bool converged = b->general.n == 1 && cairn_concept_equals(&data->domain, b->special,
                                                               cairn_concepts_at(&b->general, 0));
    CHECK(cairn_concept_word(ctx, &word, data, b->special));
    cairn_report_word(out, "S, the most special", word, "s");
    for (size_t g = 0; g < b->general.n && g < 50; g++) {
        CHECK(cairn_concept_word(ctx, &word, data, cairn_concepts_at(&b->general, g)));
        cairn_report_word(out, "G, the most general", word, "g%zu", g + 1);
    }
    cairn_report_hidden(out, b->too_many ? NAN : (double)b->general.n, "g.count");
    if (b->too_many)
        cairn_report_note(out,
                          "The general boundary is not shown: %zu hypotheses at one step were too "
                          "many to compare with each other (at most %d). S, the answers and the "
                          "counts need no list of them. Fewer columns, or positive examples first, "
                          "keep it small.",
                          b->too_many, CAIRN_GENERAL_MOST);
    if (converged)
        cairn_report_note(out,
                          "S and G have met: one hypothesis is left, and more examples can only "
                          "contradict it.");
    cairn_report_hidden(out, converged, "converged");
    return CAIRN_OK;
}

/* Who votes: the members, listed or only counted, and hypotheses that were chosen. */
typedef struct votes {
    const cairn_concepts *members; /* NULL = not listed */
    double n_members;              /* NaN = not known */
    bool empty_member;
    const cairn_concepts *chosen;
    uint64_t *work;
} votes;

/* A line of the table of predictions. */
static cairn_status decide(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                           const cairn_boundaries *b, const votes *v, const int32_t *codes,
                           const char *name, size_t number)
{
    static const char *const words[] = {"unknown", "no", "yes"};
    int answer = cairn_boundaries_decide(b, &data->domain, &data->examples, codes, v->work);
    double share = answer;
    if (answer < 0) {
        /* The share of the members that cover an instance about which they disagree. */
        double yes = 0;
        share = NAN;
        if (v->members) {
            for (size_t i = 0; i < v->members->n; i++)
                yes += cairn_concept_covers(&data->domain, cairn_concepts_at(v->members, i), codes);
        } else if (!isnan(v->n_members)) {
            cairn_concept_of(&data->domain, v->work, codes);
            cairn_concept_join(&data->domain, v->work, v->work, b->special);
            CHECK(cairn_version_count(ctx, &yes, &data->domain, &data->examples, v->work));
        }
        share = yes / v->n_members;
    }
    cairn_report_prefix(out, "predict%zu", number);
    cairn_report_cells(out, "- @ @.share", name, words[answer + 1], share);
    for (size_t h = 0; h < v->chosen->n; h++)
        cairn_report_cell_word(
            out,
            cairn_concept_covers(&data->domain, cairn_concepts_at(v->chosen, h), codes) ? "yes"
                                                                                        : "no",
            "predict%zu.hypothesis%zu", number, h + 1);
    return CAIRN_OK;
}

/* Rows of the table without a class are predicted too, before the typed ones, in one numbering. */
static cairn_status predict(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                            const cairn_boundaries *b, const votes *v, const char *typed)
{
    const char *const *lines = NULL;
    size_t number = 0;
    int32_t *codes;
    if (!typed && !data->others.n) return CAIRN_OK;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    CHECK(SCRATCH(ctx, &codes, data->domain.n));
    cairn_report_table_of(out, "New instances: yes or no when all members agree", 0, "llr",
                          "instance", "answer", "share of votes for yes");
    for (size_t h = 0; h < v->chosen->n; h++) {
        char title[32];
        snprintf(title, sizeof title, "given %zu", h + 1);
        cairn_report_column(out, title, 'l');
    }
    for (size_t i = 0; i < data->others.n; i++)
        CHECK(decide(ctx, out, data, b, v, cairn_example(&data->others, &data->domain, i),
                     data->others.names[i], ++number));
    for (size_t i = 0; lines[i]; i++) {
        CHECK(cairn_domain_instance(ctx, codes, &data->domain, lines[i]));
        CHECK(decide(ctx, out, data, b, v, codes, lines[i], ++number));
    }
    return CAIRN_OK;
}

static bool next_instance(const cairn_domain *domain, int32_t *codes)
{
    for (size_t j = domain->n; j-- > 0;) {
        if ((size_t)++codes[j] < domain->attributes[j].n_values) return true;
        codes[j] = 0;
    }
    return false;
}

/* The instances of the examples: for each one its number among the different ones. */
static cairn_status number_instances(cairn_context *ctx, cairn_map *seen, size_t **numbers,
                                     const cairn_domain *domain, const cairn_examples *e)
{
    CHECK(SCRATCH(ctx, numbers, e->n));
    for (size_t i = 0; i < e->n; i++)
        CHECK(cairn_map_add(ctx, seen, (const char *)cairn_example(e, domain, i),
                            domain->n * sizeof *e->codes, &(*numbers)[i]));
    return CAIRN_OK;
}

/* How many of the instances that were not seen the boundaries decide. */
static cairn_status decide_unseen(cairn_context *ctx, cairn_report *out,
                                  const cairn_concept_data *data, const cairn_boundaries *b,
                                  double limit)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    size_t *numbers;
    double counts[3] = {0, 0, 0}, instances = cairn_domain_instances(&data->domain);
    CHECK(number_instances(ctx, &seen, &numbers, &data->domain, &data->examples));
    if (instances <= limit) {
        /* Look at all instances that were not seen: counts of unknown, no and yes. */
        const cairn_domain *domain = &data->domain;
        uint64_t *work;
        int32_t *codes;
        size_t done = 0;
        CHECK(SCRATCH_EACH(ctx, domain->n, &codes, &work));
        do {
            if (done++ % 1024 == 0)
                CHECK(cairn_tick(ctx, "instances", (double)done, cairn_domain_instances(domain)));
            if (cairn_map_find(&seen, (const char *)codes, domain->n * sizeof *codes) < 0)
                counts[cairn_boundaries_decide(b, domain, &data->examples, codes, work) + 1]++;
        } while (next_instance(domain, codes));
    } else {
        /* The same counts from the boundaries alone; NaN when they are too many to be counted. */
        const cairn_domain *domain = &data->domain;
        const cairn_examples *e = &data->examples;
        size_t *distinct, n;
        double yes = 1, no = NAN, of_class[2] = {0, 0};
        CHECK(cairn_examples_distinct(ctx, &distinct, &n, domain, e));
        for (size_t i = 0; i < n; i++) of_class[e->positive[distinct[i]]]++;
        for (size_t j = 0; j < domain->n; j++)
            yes *= __builtin_popcountll(b->special[j] & domain->attributes[j].seen);
        if (!b->too_many) CHECK(cairn_count_uncovered(ctx, &no, domain, &b->general));
        counts[0] = cairn_domain_instances(domain) - yes - no;
        counts[1] = no - of_class[0];
        counts[2] = yes - of_class[1];
    }
    cairn_report_value(out, "instances not seen", instances - (double)seen.n, "unseen");
    cairn_report_value(out, "of them decided: yes", counts[2], "unseen.yes");
    cairn_report_value(out, "of them decided: no", counts[1], "unseen.no");
    cairn_report_value(out, "of them unknown", counts[0], "unseen.unknown");
    return CAIRN_OK;
}

/* Hypotheses that were typed: are they members, and what do they say? */
static cairn_status look_at(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                            const version_params *p, cairn_concepts *chosen)
{
    const cairn_examples *e = &data->examples;
    cairn_status status;
    const char *const *lines;
    uint64_t *concept;
    TRY(cairn_list_lines(ctx, p->hypothesis, &lines));
    TRY(SCRATCH(ctx, &concept, data->domain.n));
    cairn_report_table_of(out, "Hypotheses that were given", 0, "lll", "hypothesis", "member",
                          "wrong about");
    for (size_t h = 0; lines[h]; h++) {
        cairn_text wrong = cairn_text_start(ctx);
        const char *word;
        size_t n = 0;
        TRY(cairn_concept_parse(ctx, concept, &data->domain, lines[h]));
        TRY(cairn_concepts_add(ctx, chosen, &data->domain, concept));
        TRY(cairn_concept_word(ctx, &word, data, concept));
        for (size_t i = 0; i < e->n; i++) {
            if (cairn_concept_covers(&data->domain, concept, cairn_example(e, &data->domain, i)) ==
                e->positive[i])
                continue;
            if (n < SHOWN_WRONG) cairn_text_addf(&wrong, "%s%s", n ? " " : "", e->names[i]);
            n++;
        }
        if (n > SHOWN_WRONG) cairn_text_addf(&wrong, " ... (%zu)", n);
        cairn_report_cell_word(out, word, "hypothesis%zu", h + 1);
        cairn_report_cell_word(out, n ? "no" : "yes", "hypothesis%zu.member", h + 1);
        cairn_report_cell_word(out, cairn_text_string(&wrong), "hypothesis%zu.wrong", h + 1);
        status = cairn_text_status(&wrong);
        cairn_text_clear(&wrong);
        if (status) goto done;
    }
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
    double log2_size = cairn_domain_concepts_log2(domain);
    if (log2_size > 53)
        cairn_report_value(out, "log2 of the hypotheses", log2_size, "hypotheses.log2");
}

/* List the members, or count them when there may be too many. */
static cairn_status show_members(cairn_context *ctx, cairn_report *out,
                                 const cairn_concept_data *data, const cairn_boundaries *b,
                                 const version_params *p, cairn_concepts *members, votes *v)
{
    bool listed = p->members && cairn_domain_concepts_above(&data->domain, b->special) <= p->limit;
    v->empty_member = p->empty && cairn_concept_is_empty(&data->domain, b->special);
    if (!listed) {
        CHECK(cairn_version_count(ctx, &v->n_members, &data->domain, &data->examples, b->special));
        v->n_members += v->empty_member;
        if (!isnan(v->n_members)) cairn_report_value(out, "members", v->n_members, "members");
        if (p->members)
            cairn_report_note(out, isnan(v->n_members)
                                       ? "The members are too many to be listed or counted; "
                                         "everything else needs S and G only."
                                       : "The members were counted and not listed; {limit} allows "
                                         "longer lists.");
        return CAIRN_OK;
    }
    CHECK(
        cairn_version_members(ctx, members, &data->domain, &data->examples, b->special, p->limit));
    v->members = members;
    v->n_members = (double)(members->n + v->empty_member);
    cairn_report_value(out, "members", v->n_members, "members");
    CHECK(
        cairn_concepts_show(ctx, out, data, members, "Members, the most special first", "member"));
    return cairn_lattice_draw(
        ctx, out, &(cairn_lattice){.data = data, .list = members, .colour = CAIRN_LATTICE_VERSION},
        "version-space", "Members of the version space");
}

/* The size of the space comes from listing all concepts where {limit} allows, else from
 * counting; both must agree with the boundaries. */
static cairn_status version_of_concepts(cairn_context *ctx, cairn_report *out,
                                        const cairn_concept_data *data,
                                        const cairn_compute_job *job)
{
    const version_params *p = job->params;
    SCOPED(cairn_boundaries_clear) cairn_boundaries b = {0};
    cairn_conflict conflict = {0};
    uint64_t *find_s;
    double *sizes;
    bool collapsed;
    CHECK(cairn_boundaries_start(ctx, &b, &data->domain));
    CHECK(SCRATCH(ctx, &find_s, data->domain.n));
    CHECK(SCRATCH(ctx, &sizes, data->examples.n + 1));
    CHECK(cairn_find_conflict(ctx, &collapsed, &conflict, &data->domain, &data->examples));
    show_sizes(out, data, p->empty);
    if (cairn_domain_concepts(&data->domain) <= p->limit)
        CHECK(eliminate(ctx, sizes, &data->domain, &data->examples, p));
    else
        CHECK(count_left(ctx, sizes, data, p));
    if (job->steps) CHECK(work(ctx, out, data));
    CHECK(trace(ctx, out, data, &b, find_s, sizes, collapsed ? conflict.at : SIZE_MAX));
    cairn_report_hidden(out, b.collapsed, "empty");
    if (b.collapsed) {
        cairn_report_value(out, "members", 0, "members");
        if (collapsed) show_conflict(out, data, &conflict, job->table);
    }
    /* Members, answers, and what can be decided. */
    SCOPED(cairn_concepts_clear) cairn_concepts chosen = {.width = data->domain.n};
    SCOPED(cairn_concepts_clear) cairn_concepts members = {.width = data->domain.n};
    votes v = {.chosen = &chosen};
    CHECK(SCRATCH(ctx, &v.work, data->domain.n));
    if (!b.collapsed) {
        CHECK(show_boundaries(ctx, out, data, &b));
        CHECK(show_members(ctx, out, data, &b, p, &members, &v));
    }
    if (p->hypothesis) CHECK(look_at(ctx, out, data, p, &chosen));
    if (b.collapsed) return CAIRN_OK;
    CHECK(predict(ctx, out, data, &b, &v, p->predict));
    return decide_unseen(ctx, out, data, &b, p->limit);
}

/* -- all sets of instances -- */

/* The examples as instances of the language of all sets. */
typedef struct subset_data {
    cairn_map seen;     /* different instances */
    size_t *numbers;    /* of each example */
    size_t *first;      /* example of each instance */
    size_t conflict[2]; /* examples of one instance with different classes */
    double instances, positives;
    bool collapsed;
} subset_data;

/* Equal instances count once; the first pair of equal ones with different classes makes the
 * space empty. */
static cairn_status read_subsets(cairn_context *ctx, subset_data *s, const cairn_concept_data *data)
{
    const cairn_examples *e = &data->examples;
    size_t known = 0;
    s->instances = cairn_domain_instances(&data->domain);
    CHECK(number_instances(ctx, &s->seen, &s->numbers, &data->domain, e));
    CHECK(SCRATCH(ctx, &s->first, s->seen.n));
    for (size_t i = 0; i < e->n; i++) {
        if (s->numbers[i] == known) {
            s->first[known++] = i;
            s->positives += e->positive[i];
        } else if (!s->collapsed && e->positive[s->first[s->numbers[i]]] != e->positive[i]) {
            s->collapsed = true;
            s->conflict[0] = s->first[s->numbers[i]];
            s->conflict[1] = i;
        }
    }
    return CAIRN_OK;
}

/* log2 of the number of sets of instances that are left after each example; -inf = none. */
static void shrink_subsets(cairn_report *out, const cairn_concept_data *data, const subset_data *s)
{
    double left = s->instances;
    const cairn_examples *e = &data->examples;
    cairn_report_table_of(out, "After each example", 0, "lcrr", "example", "class",
                          "log2 of the consistent sets", "consistent sets");
    for (size_t i = 0; i <= e->n; i++) {
        if (i && s->first[s->numbers[i - 1]] == i - 1) left--;
        if (i && s->collapsed && i - 1 == s->conflict[1]) left = -INFINITY;
        if (!cairn_report_row_wanted(out)) continue;
        cairn_report_prefix(out, "step%zu", i);
        cairn_report_cells(out, "- - @.log2 @.size:12", i ? e->names[i - 1] : "",
                           !i                   ? ""
                           : e->positive[i - 1] ? "+"
                                                : "−",
                           left, cairn_exp2(left));
    }
    cairn_report_value(out, "members", cairn_exp2(left), "members");
    cairn_report_value(out, "log2 of the members", left, "members.log2");
}

/* How many sets of instances there are, and that each instance that is seen halves them. */
static void work_subsets(cairn_report *out, const cairn_concept_data *data, const subset_data *s)
{
    SCOPED(cairn_text_clear) cairn_text product = cairn_text_start(cairn_report_context(out));
    for (size_t j = 0; j < data->domain.n; j++)
        cairn_text_addf(&product, "%s%zu", j ? " · " : "", data->domain.attributes[j].n_values);
    cairn_text_add(&product, " = #");
    cairn_report_step_begin(out, "Sets of instances");
    cairn_report_worked(out, "|X|", cairn_text_string(&product), s->instances);
    cairn_report_worked(out, "|H|", "2^|X| = 2^#", s->instances);
    cairn_report_worked(out, "consistent",
                        s->collapsed ? "2^(|X| − seen) = 2^(# − #), were there no contradiction"
                                     : "2^(|X| − seen) = 2^(# − #)",
                        s->instances, (double)s->seen.n);
    cairn_report_failed(out, cairn_text_status(&product));
    cairn_report_step_end(out);
}

/* Seen instances have their class, of others half of the members say yes. */
static cairn_status predict_subsets(cairn_context *ctx, cairn_report *out,
                                    const cairn_concept_data *data, const subset_data *s,
                                    const char *typed)
{
    const char *const *lines;
    size_t number = 0, width = data->domain.n * sizeof *data->examples.codes;
    int32_t *codes;
    if (!typed && !data->others.n) return CAIRN_OK;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    CHECK(SCRATCH(ctx, &codes, data->domain.n));
    cairn_report_table_of(out, "Instances: yes or no when all members agree", 0, "llr", "instance",
                          "answer", "share of votes for yes");
    for (size_t i = 0; i < data->others.n || lines[i - data->others.n]; i++) {
        bool typed_one = i >= data->others.n;
        const char *name = typed_one ? lines[i - data->others.n] : data->others.names[i];
        if (typed_one)
            CHECK(cairn_domain_instance(ctx, codes, &data->domain, name));
        else
            memcpy(codes, cairn_example(&data->others, &data->domain, i), width);
        int64_t at = cairn_map_find(&s->seen, (const char *)codes, width);
        bool yes = at >= 0 && data->examples.positive[s->first[at]];
        cairn_report_prefix(out, "predict%zu", ++number);
        cairn_report_cells(out, "- @", name, at < 0 ? "unknown" : yes ? "yes" : "no");
        cairn_report_cell_number(out, at < 0 ? 0.5 : yes, 0, "predict%zu.share", number);
    }
    return CAIRN_OK;
}

/* All sets of instances as hypotheses: the unbiased learner, which decides nothing about what it
 * has not seen. */
static cairn_status version_of_subsets(cairn_context *ctx, cairn_report *out,
                                       const cairn_concept_data *data, const version_params *p,
                                       bool steps)
{
    cairn_status status;
    subset_data s = {0};
    cairn_concepts chosen = {.width = data->domain.n};
    TRY(read_subsets(ctx, &s, data));
    double unseen = s.instances - (double)s.seen.n;
    cairn_report_word(out, "concept", data->positive, "positive");
    cairn_report_value(out, "examples", (double)data->examples.n, "examples");
    cairn_report_value(out, "different instances among them", (double)s.seen.n,
                       "examples.distinct");
    cairn_report_value(out, "possible instances", s.instances, "instances");
    cairn_report_value(out, "hypotheses: sets of instances", cairn_exp2(s.instances), "hypotheses");
    cairn_report_value(out, "log2 of the hypotheses", s.instances, "hypotheses.log2");
    if (steps) work_subsets(out, data, &s);
    shrink_subsets(out, data, &s);
    cairn_report_hidden(out, s.collapsed, "empty");
    if (p->hypothesis) TRY(look_at(ctx, out, data, p, &chosen));
    if (s.collapsed) {
        show_conflict(
            out, data,
            &(cairn_conflict){.at = s.conflict[1],
                              .positive = s.conflict[!data->examples.positive[s.conflict[0]]],
                              .negative = s.conflict[data->examples.positive[s.conflict[0]]],
                              .same = true},
            NULL);
        goto done;
    }
    cairn_report_value(out, "instances in S, the positive examples", s.positives, "s.instances");
    cairn_report_value(out, "instances in G, all but the negative examples", unseen + s.positives,
                       "g.instances");
    TRY(predict_subsets(ctx, out, data, &s, p->predict));
    cairn_report_value(out, "instances not seen", unseen, "unseen");
    cairn_report_value(out, "of them decided", 0, "unseen.decided");
    cairn_report_value(out, "of them unknown", unseen, "unseen.unknown");
    cairn_report_value(out, "share of votes for yes at each of them", unseen > 0 ? 0.5 : NAN,
                       "unseen.share");
    cairn_report_note(out, "Every instance that was not seen is in exactly half of the members: "
                           "without a bias nothing can be learnt about it.");
done:
    cairn_map_clear(&s.seen);
    cairn_concepts_clear(&chosen);
    return status;
}

static cairn_status version_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const version_params *p = job->params;
    cairn_concept_data data;
    CHECK(cairn_concept_data_read(ctx, &data, &p->concepts, p->language != LANGUAGE_CONJUNCTIONS,
                                  false, job->table, "compute version-space"));
    cairn_report_heading(out, 1, "Version space of '%s = %s'", data.target, data.positive);
    if (p->language == LANGUAGE_SUBSETS) {
        CHECK(version_of_subsets(ctx, out, &data, p, job->steps));
    } else {
        CHECK(version_of_concepts(ctx, out, &data, job));
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_space = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-space",
              .also = "candidate elimination, candidate-elimination, S-set and G-set, boundary "
                      "sets, Mitchell",
              .about = "list-then-eliminate",
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
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = version_run,
};
