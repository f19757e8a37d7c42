/* SPDX-License-Identifier: MIT */
/* cairn compute generalise: the least general generalisation of the positive examples, one by one,
 * and where it stands among all concepts that include some or all of them. */
#include "compute/concepts/concept_steps.h"
#include "compute/concepts/lattice.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct generalise_params {
    cairn_language_option option;
    bool lattice;
    double limit;
} generalise_params;

static const cairn_param generalise_table[] = {
    CAIRN_PARAM_GROUP(generalise_params, option, cairn_language_group),
    CAIRN_PARAM(generalise_params, lattice, "yes", NULL,
                "count the concepts that include some and all of the examples"),
    CAIRN_PARAM(generalise_params, limit, "1e6", "[1,1e9]", "most concepts to look at one by one"),
    CAIRN_PARAM_END,
};

/* H after each positive example. */
static cairn_status trace(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                          uint64_t *join)
{
    const cairn_examples *e = &data->examples;
    uint64_t *instance;
    size_t step = 0;
    CHECK(SCRATCH(ctx, &instance, data->domain.n));
    cairn_report_table_of(out, "After each positive example", 0, "ll", "example",
                          "least general generalisation");
    for (size_t i = 0; i < e->n; i++) {
        const char *word;
        if (!e->positive[i]) continue;
        cairn_concept_of(&data->domain, instance, cairn_example(e, &data->domain, i));
        cairn_concept_join(&data->domain, join, join, instance);
        step++;
        if (!cairn_report_row_wanted(out)) continue;
        CHECK(cairn_concept_word(ctx, &word, data, join));
        cairn_report_cell(out, e->names[i]);
        cairn_report_cell_word(out, word, "step%zu", step);
    }
    return CAIRN_OK;
}

/* What each positive example changes, column by column. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data)
{
    const cairn_examples *e = &data->examples;
    uint64_t *join, *instance;
    size_t step = 0;
    CHECK(SCRATCH_EACH(ctx, data->domain.n, &join, &instance));
    for (size_t i = 0; i < e->n; i++) {
        const int32_t *codes = cairn_example(e, &data->domain, i);
        char prefix[40];
        if (!e->positive[i] || step++ >= CAIRN_CONCEPT_STEPS) continue;
        snprintf(prefix, sizeof prefix, "step%zu", step);
        cairn_report_step_begin(out, "Positive example %s", e->names[i]);
        CHECK(cairn_steps_join(ctx, out, data, join, codes, prefix));
        cairn_report_step_end(out);
        cairn_concept_of(&data->domain, instance, codes);
        cairn_concept_join(&data->domain, join, join, instance);
    }
    cairn_steps_rest(out, step);
    return CAIRN_OK;
}

/* Counts of concepts by their number of conditions: all, above some positive, above all. */
static cairn_status count_lattice(cairn_context *ctx, cairn_report *out,
                                  const cairn_concept_data *data, const uint64_t *join,
                                  double limit)
{
    const cairn_domain *domain = &data->domain;
    const cairn_examples *e = &data->examples;
    cairn_walk walk;
    double *counts, sums[3] = {0, 0, 0};
    CHECK(cairn_walk_start(
        ctx, &walk, domain, NULL, limit,
        cairn_say(ctx, "{no-lattice} leaves the counts out, {limit} allows more")));
    CHECK(SCRATCH(ctx, &counts, 3 * (domain->n + 1)));
    for (double done = 0; cairn_walk_next(&walk); done++) {
        double *row = counts + 3 * cairn_concept_conditions(domain, walk.concept);
        bool some = false;
        if (fmod(done, 4096) == 0) CHECK(cairn_tick(ctx, "concepts", done, walk.size));
        for (size_t i = 0; i < e->n && !some; i++)
            some = e->positive[i] &&
                   cairn_concept_covers(domain, walk.concept, cairn_example(e, domain, i));
        row[0]++;
        row[1] += some;
        row[2] += some && cairn_concept_includes(domain, walk.concept, join);
    }
    cairn_report_table_of(out, "Concepts by their number of conditions", 0, "rrrr", "conditions",
                          "concepts", "that cover a positive", "that cover all positives");
    for (size_t k = 0; k <= domain->n; k++) {
        static const char *const names[3] = {"all", "some", "every"};
        cairn_report_cellf(out, "%zu", k);
        for (size_t c = 0; c < 3; c++) {
            cairn_report_cell_number(out, counts[3 * k + c], 0, "level%zu.%s", k, names[c]);
            sums[c] += counts[3 * k + c];
        }
    }
    cairn_report_value(out, "possible instances", cairn_domain_instances(domain), "instances");
    cairn_report_value(out, "concepts that cover something", sums[0], "concepts");
    cairn_report_value(out, "that cover at least one positive", sums[1], "concepts.some");
    cairn_report_value(out, "that cover all positives", sums[2], "concepts.every");
    return CAIRN_OK;
}

/* The concepts above the least general one, as a table and as a picture. */
static cairn_status show_above(cairn_context *ctx, cairn_report *out,
                               const cairn_concept_data *data, const uint64_t *join, double limit)
{
    SCOPED(cairn_concepts_clear) cairn_concepts above = {.width = data->domain.n};
    cairn_walk walk;
    CHECK(cairn_walk_start(ctx, &walk, &data->domain, join, limit,
                           cairn_say(ctx, "{no-lattice} leaves them out, {limit} allows more")));
    while (cairn_walk_next(&walk))
        CHECK(cairn_concepts_add(ctx, &above, &data->domain, walk.concept));
    CHECK(cairn_concepts_sort(ctx, &above));
    CHECK(
        cairn_concepts_show(ctx, out, data, &above, "Concepts that cover all positives", "above"));
    return cairn_lattice_draw(
        ctx, out, &(cairn_lattice){.data = data, .list = &above, .caption = CAIRN_CAPTION_COUNTS},
        "lattice", "Concepts that cover all positives");
}

/* The lattice is walked only without number columns and within {limit}; beyond it the sizes are
 * computed instead of listed. */
static cairn_status generalise_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const generalise_params *p = job->params;
    cairn_concept_data data;
    uint64_t *join;
    const char *word, *covered;
    size_t n;
    CHECK(cairn_language_data_read(ctx, &data, &p->option, true, job->table, "compute generalise"));
    cairn_report_heading(out, 1, "Least general generalisation of '%s = %s'", data.target,
                         data.positive);
    CHECK(SCRATCH(ctx, &join, data.domain.n));
    if (job->steps) CHECK(work(ctx, out, &data));
    CHECK(trace(ctx, out, &data, join));
    CHECK(cairn_concept_word(ctx, &word, &data, join));
    cairn_report_word(out, "least general generalisation", word, "lgg");
    CHECK(cairn_concept_covered(ctx, &covered, &n, &data, join, 0));
    cairn_report_value(out, "negative examples that it covers", (double)n, "lgg.negatives");
    if (n) cairn_report_word(out, "namely", covered, "lgg.covered_negatives");
    bool numbers = false;
    for (size_t j = 0; j < data.domain.n; j++) numbers |= data.domain.attributes[j].interval;
    if (!p->lattice || numbers || cairn_concept_is_empty(&data.domain, join)) return CAIRN_OK;
    bool counted = cairn_domain_concepts(&data.domain) <= p->limit;
    bool listed = cairn_domain_concepts_above(&data.domain, join) <= p->limit;
    if (counted) CHECK(count_lattice(ctx, out, &data, join, p->limit));
    if (listed) CHECK(show_above(ctx, out, &data, join, p->limit));
    if (!counted || !listed) {
        cairn_report_value(out, "possible instances", cairn_domain_instances(&data.domain),
                           "instances");
        cairn_report_value(out, "concepts that cover something",
                           cairn_domain_concepts(&data.domain), "concepts");
        cairn_report_value(out, "that cover all positives",
                           cairn_domain_concepts_above(&data.domain, join), "concepts.every");
        cairn_report_note(out,
                          "The lattice is too large to be looked at one by one; {limit} allows "
                          "more.");
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_generalise = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "generalise",
              .also = "LGG, least general generalisation, Find-S, find-s, most specific hypothesis",
              .about = "conjunctive concepts",
              .title = "Least general generalisation of examples",
              .summary =
                  "Takes the positive examples one by one and keeps what they have in common: "
                  "equal values in the language of conjunctions, the union of the values with "
                  "internal disjunction (a column whose values are all allowed is dropped), "
                  "the interval for number columns. Shows the concept after each example, the "
                  "negative examples that it covers, and the lattice above it.",
              .references = "Plotkin: A note on inductive generalization, 1970",
              .example = "cairn compute generalise @dolphins --notation literals",
              .params = generalise_table,
              .params_size = sizeof(generalise_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = generalise_run,
};
