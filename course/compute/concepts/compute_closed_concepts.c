/* SPDX-License-Identifier: MIT */
/* cairn compute closed-concepts: the closure of a concept is the least general generalisation of
 * all examples that it covers, of both classes; a concept that is its own closure is closed.
 * Concepts with the same closure cover the same examples, so that only closed ones need to be
 * looked at. */
#include "compute/concepts/concept_steps.h"
#include "compute/concepts/lattice.h"

#include "base/memory.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct closed_params {
    cairn_language_option option;
    const char *concept;
    double limit;
} closed_params;

static const cairn_param closed_table[] = {
    CAIRN_PARAM_GROUP(closed_params, option, cairn_language_group),
    {.name = "concept",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(closed_params, concept),
     .help = "a concept whose closure is wanted",
     .repeated = true},
    CAIRN_PARAM(closed_params, limit, "1e6", "[1,1e9]", "most concepts to look at one by one"),
    CAIRN_PARAM_END,
};

typedef struct found {
    cairn_concepts closed, complete, closed_complete, consistent;
} found;

static void found_clear(found *f)
{
    cairn_concepts_clear(&f->closed);
    cairn_concepts_clear(&f->complete);
    cairn_concepts_clear(&f->closed_complete);
    cairn_concepts_clear(&f->consistent);
}

/* Look at every concept of the language. */
static cairn_status find_closed(cairn_context *ctx, found *f, const cairn_concept_data *data,
                                double limit)
{
    const cairn_domain *domain = &data->domain;
    size_t positives = 0;
    cairn_walk walk;
    cairn_closure c;
    for (size_t i = 0; i < data->examples.n; i++) positives += data->examples.positive[i];
    CHECK(cairn_closure_new(ctx, &c, domain));
    CHECK(cairn_walk_start(
        ctx, &walk, domain, NULL, limit,
        cairn_say(ctx, "use fewer columns, {language conjunctions}, or allow more with {limit}")));
    for (double done = 0; cairn_walk_next(&walk); done++) {
        if (fmod(done, 1024) == 0) CHECK(cairn_tick(ctx, "concepts", done, walk.size));
        cairn_close_concept(&c, data, walk.concept);
        bool complete = positives && c.n_positive == positives;
        if (complete) CHECK(cairn_concepts_add(ctx, &f->complete, domain, walk.concept));
        if (c.n_positive + c.n_negative == 0 || !cairn_concept_equals(domain, c.join, walk.concept))
            continue;
        CHECK(cairn_concepts_add(ctx, &f->closed, domain, walk.concept));
        if (complete) CHECK(cairn_concepts_add(ctx, &f->closed_complete, domain, walk.concept));
        if (!c.n_negative) CHECK(cairn_concepts_add(ctx, &f->consistent, domain, walk.concept));
    }
    cairn_concepts_maximal(&f->consistent, domain);
    CHECK(cairn_concepts_sort(ctx, &f->closed));
    CHECK(cairn_concepts_sort(ctx, &f->complete));
    return cairn_concepts_sort(ctx, &f->closed_complete);
}

/* Concepts of the user's own with their closures: those that differ cover the same examples
 * although they read differently. */
static cairn_status show_given(cairn_context *ctx, cairn_report *out,
                               const cairn_concept_data *data, const char *given)
{
    const char *const *lines;
    uint64_t *concept;
    cairn_closure c;
    CHECK(cairn_list_lines(ctx, given, &lines));
    CHECK(SCRATCH(ctx, &concept, data->domain.n));
    CHECK(cairn_closure_new(ctx, &c, &data->domain));
    cairn_report_table_of(out, "Closures", 0, "llll", "concept", "covers", "closure", "closed");
    for (size_t i = 0; lines[i]; i++) {
        const char *word, *covered, *closed;
        size_t n;
        CHECK(cairn_concept_parse(ctx, concept, &data->domain, lines[i]));
        cairn_close_concept(&c, data, concept);
        CHECK(cairn_concept_word(ctx, &word, data, concept));
        CHECK(cairn_concept_word(ctx, &closed, data, c.join));
        CHECK(cairn_concept_covered(ctx, &covered, &n, data, concept, -1));
        bool same = cairn_concept_equals(&data->domain, concept, c.join);
        cairn_report_prefix(out, "concept%zu", i + 1);
        cairn_report_cells(out, "@ @.covered @.closure @.closed", word, covered, closed,
                           same ? "yes" : "no");
    }
    return CAIRN_OK;
}

/* The closures of the given concepts, or of the complete ones, worked out. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                         const cairn_concepts *complete, const char *given)
{
    const char *const *lines = NULL;
    uint64_t *concept;
    size_t n = complete->n;
    char prefix[40];
    CHECK(SCRATCH(ctx, &concept, data->domain.n));
    if (given) {
        CHECK(cairn_list_lines(ctx, given, &lines));
        for (n = 0; lines[n];) n++;
    }
    for (size_t i = 0; i < n && i < CAIRN_CONCEPT_STEPS; i++) {
        if (given) CHECK(cairn_concept_parse(ctx, concept, &data->domain, lines[i]));
        snprintf(prefix, sizeof prefix, "closure%zu", i + 1);
        CHECK(cairn_steps_close(ctx, out, data, given ? concept : cairn_concepts_at(complete, i),
                                prefix));
    }
    cairn_steps_rest(out, n);
    return CAIRN_OK;
}

/* Complete, closed and consistent concepts come from one walk over all concepts, whose number
 * {limit} bounds. */
static cairn_status closed_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const closed_params *p = job->params;
    cairn_concept_data data;
    SCOPED(found_clear) found f = {0};
    CHECK(cairn_language_data_read(ctx, &data, &p->option, false, job->table,
                                   "compute closed-concepts"));
    f.closed.width = f.complete.width = f.closed_complete.width = f.consistent.width =
        data.domain.n;
    cairn_report_heading(out, 1, "Closed concepts of '%s = %s'", data.target, data.positive);
    if (p->concept) CHECK(show_given(ctx, out, &data, p->concept));
    CHECK(find_closed(ctx, &f, &data, p->limit));
    cairn_report_value(out, "concepts that cover something", cairn_domain_concepts(&data.domain),
                       "concepts");
    cairn_report_value(out, "closed concepts that cover an example", (double)f.closed.n,
                       "closed.count");
    if (job->steps) CHECK(work(ctx, out, &data, &f.complete, p->concept));
    CHECK(cairn_concepts_show(ctx, out, &data, &f.complete, "Complete concepts", "complete"));
    CHECK(cairn_concepts_show(ctx, out, &data, &f.closed_complete,
                              "Complete concepts that are closed", "closed_complete"));
    CHECK(cairn_concepts_show(ctx, out, &data, &f.consistent,
                              "Most general closed concepts without a negative", "consistent"));
    return cairn_lattice_draw(
        ctx, out,
        &(cairn_lattice){.data = &data, .list = &f.closed, .caption = CAIRN_CAPTION_COUNTS},
        "closed", "Closed concepts");
}

const cairn_calculator cairn_compute_closed_concepts = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "closed-concepts",
              .also = "formal concept analysis, closure, Galois connection, concept lattice",
              .title = "Closed concepts",
              .summary =
                  "The closure of a concept is what all examples that it covers, of both "
                  "classes, have in common. Shows the closures of given concepts, how many "
                  "concepts are their own closure, which of those that cover all positive "
                  "examples are, and the most general closed concepts that cover no negative "
                  "example.",
              .references = "Ganter, Wille: Formal Concept Analysis, 1999",
              .example = "cairn compute closed-concepts @dolphins --language disjunction",
              .params = closed_table,
              .params_size = sizeof(closed_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = closed_run,
};
