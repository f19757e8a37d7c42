/* SPDX-License-Identifier: MIT */
/* cairn compute specialise: the most general concepts that cover no negative example.
 *
 * From a start concept, what covers a negative example is replaced by its least specialisations
 * that do not, negative by negative; what is less general than another is dropped.
 *
 * The plain recursion takes all least specialisations of a concept that covers a negative, whether
 * they exclude it or not, and drops nothing. Everything that covers a negative is met by it on the
 * way down, so it returns the consistent concepts with a neighbour above that is not. */
#include "compute/concepts/concept_steps.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct specialise_params {
    cairn_language_option option;
    const char *start;
    double limit;
} specialise_params;

static const cairn_param specialise_table[] = {
    CAIRN_PARAM_GROUP(specialise_params, option, cairn_language_group),
    CAIRN_PARAM(specialise_params, start, "true", NULL, "the concept to begin with"),
    CAIRN_PARAM(specialise_params, limit, "1e5", "[1,1e8]",
                "most concepts among which the results of the plain recursion are counted"),
    CAIRN_PARAM_END,
};

/* The least general concept that covers the positives, and whether it is consistent. */
static cairn_status show_complete(cairn_context *ctx, cairn_report *out,
                                  const cairn_concept_data *data)
{
    const cairn_examples *e = &data->examples;
    uint64_t *join, *instance;
    const char *word, *covered;
    size_t n;
    CHECK(SCRATCH_EACH(ctx, data->domain.n, &join, &instance));
    for (size_t i = 0; i < e->n; i++) {
        if (!e->positive[i]) continue;
        cairn_concept_of(&data->domain, instance, cairn_example(e, &data->domain, i));
        cairn_concept_join(&data->domain, join, join, instance);
    }
    CHECK(cairn_concept_word(ctx, &word, data, join));
    CHECK(cairn_concept_covered(ctx, &covered, &n, data, join, 0));
    cairn_report_word(out, "least general complete concept", word, "lgg");
    cairn_report_word(out, "negative examples that it covers", covered, "lgg.covered_negatives");
    cairn_report_hidden(out, (double)n, "lgg.negatives");
    if (n)
        cairn_report_note(out,
                          "It covers a negative example: no concept of this language is complete "
                          "and consistent.");
    return CAIRN_OK;
}

/* -- what the plain recursion returns -- */

typedef struct recursion {
    const cairn_domain *domain;
    const int32_t *const *negatives;
    size_t n;
    const uint64_t *start;
    uint64_t *work;
} recursion;

static bool is_consistent(const recursion *r, const uint64_t *concept)
{
    for (size_t i = 0; i < r->n; i++)
        if (cairn_concept_covers(r->domain, concept, r->negatives[i])) return false;
    return true;
}

/* Whether a neighbour just above, not beyond the start, covers a negative. */
static bool has_inconsistent_parent(recursion *r, const uint64_t *concept)
{
    memcpy(r->work, concept, r->domain->n * sizeof *concept);
    for (size_t j = 0; j < r->domain->n; j++) {
        const cairn_attribute *a = &r->domain->attributes[j];
        uint64_t free = r->start[j] & ~concept[j] & a -> seen;
        bool to_any = r->start[j] == a->any && concept[j] != a->any;
        if (r->domain->disjunction && free) {
            for (uint64_t left = free; left; left &= left - 1) {
                r->work[j] = concept[j] | (left & -left);
                if (r->work[j] == a->seen && a->any == a->seen) r->work[j] = a->any;
                if (!is_consistent(r, r->work)) return true;
            }
        } else if (to_any) {
            r->work[j] = a->any;
            if (!is_consistent(r, r->work)) return true;
        }
        r->work[j] = concept[j];
    }
    return false;
}

static cairn_status show_recursion(cairn_context *ctx, cairn_report *out, recursion *r,
                                   double limit)
{
    cairn_walk walk;
    double found = 0, done = 0;
    if (cairn_domain_concepts(r->domain) > limit) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &r->work, r->domain->n));
    CHECK(cairn_walk_start(ctx, &walk, r->domain, NULL, limit, ""));
    while (cairn_walk_next(&walk)) {
        if (fmod(done++, 1024) == 0) CHECK(cairn_tick(ctx, "concepts", done, walk.size));
        if (!cairn_concept_includes(r->domain, r->start, walk.concept)) continue;
        if (!is_consistent(r, walk.concept)) continue;
        found += cairn_concept_equals(r->domain, r->start, walk.concept) ||
                 has_inconsistent_parent(r, walk.concept);
    }
    cairn_report_value(out, "results of the plain recursion, before less general ones are dropped",
                       found, "recursion.count");
    return CAIRN_OK;
}

/* What each negative example changes. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                         const recursion *r)
{
    size_t k = 0;
    for (size_t i = 0; i < data->examples.n; i++) {
        SCOPED(cairn_concepts_clear) cairn_concepts before = {.width = data->domain.n};
        SCOPED(cairn_concepts_clear) cairn_concepts after = {.width = data->domain.n};
        if (data->examples.positive[i] || k++ >= CAIRN_CONCEPT_STEPS) continue;
        CHECK(cairn_specialise(ctx, &before, r->domain, r->start, NULL, r->negatives, k - 1));
        CHECK(cairn_specialise(ctx, &after, r->domain, r->start, NULL, r->negatives, k));
        cairn_report_step_begin(out, "Negative example %s", data->examples.names[i]);
        CHECK(cairn_steps_exclude(ctx, out, data, &before, &after, NULL, r->negatives[k - 1]));
        cairn_report_value(out, "most general concepts now", (double)after.n, "step%zu.count", k);
        cairn_report_step_end(out);
    }
    cairn_steps_rest(out, k);
    return CAIRN_OK;
}

/* Concepts without a positive are counted apart: they are consistent and yet of no use. */
static cairn_status specialise_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const specialise_params *p = job->params;
    cairn_concept_data data;
    SCOPED(cairn_concepts_clear) cairn_concepts found = {0};
    uint64_t *start;
    const int32_t **negatives;
    size_t n = 0, idle = 0;
    CHECK(
        cairn_language_data_read(ctx, &data, &p->option, false, job->table, "compute specialise"));
    cairn_report_heading(out, 1, "Most general consistent concepts for '%s = %s'", data.target,
                         data.positive);
    CHECK(SCRATCH(ctx, &start, data.domain.n));
    CHECK(cairn_concept_parse(ctx, start, &data.domain, p->start));
    CHECK(SCRATCH(ctx, &negatives, data.examples.n));
    for (size_t i = 0; i < data.examples.n; i++)
        if (!data.examples.positive[i])
            negatives[n++] = cairn_example(&data.examples, &data.domain, i);
    CHECK(show_complete(ctx, out, &data));
    recursion plain = {&data.domain, negatives, n, start, NULL};
    if (job->steps) CHECK(work(ctx, out, &data, &plain));
    found.width = data.domain.n;
    CHECK(cairn_specialise(ctx, &found, &data.domain, start, NULL, negatives, n));
    CHECK(cairn_concepts_show(ctx, out, &data, &found, "Most general concepts without a negative",
                              "general"));
    for (size_t i = 0; i < found.n; i++) {
        const char *covered;
        size_t covers;
        CHECK(
            cairn_concept_covered(ctx, &covered, &covers, &data, cairn_concepts_at(&found, i), 1));
        idle += !covers;
    }
    CHECK(show_recursion(ctx, out, &plain, p->limit));
    cairn_report_value(out, "most general consistent concepts", (double)found.n, "general.count");
    cairn_report_value(out, "of them without a positive", (double)idle, "general.idle");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_specialise = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "specialise",
              .also = "most general hypothesis, general boundary, G-set",
              .about = "most general consistent specialisation, minimal specialisation, consistent "
                       "specialisations",
              .title = "Most general consistent concepts",
              .summary = "Specialises a concept as little as possible until it covers no negative "
                         "example: in every column a value is demanded (conjunctions) or one value "
                         "is taken away (internal disjunction). All results that are not less "
                         "general than another are shown with the examples that they cover, beside "
                         "the least general concept that covers all positive examples.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute specialise @dolphins --language disjunction",
              .params = specialise_table,
              .params_size = sizeof(specialise_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = specialise_run,
};
