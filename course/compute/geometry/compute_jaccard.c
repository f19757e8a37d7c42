/* SPDX-License-Identifier: MIT */
/* cairn compute jaccard: how much sets have in common, |A and B| / |A or B|, from the sets
 * themselves or from their sizes. */
#include "model/calculator.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SETS = 100 };

typedef struct jaccard_params {
    const char *sets;
    cairn_list sizes;
    double common;
} jaccard_params;

static const cairn_param jaccard_table[] = {
    CAIRN_PARAM(jaccard_params, sets, NULL, NULL,
                "the sets: words separated by blanks, sets by semicolons, with names if you like, "
                "such as 'A=red green;B=green blue'",
                .often = true),
    CAIRN_PARAM_CELLS(jaccard_params, sizes, NUMBERS, NULL, "[0,inf)",
                      "the sizes of two sets, such as 42,112", .often = true),
    CAIRN_PARAM(jaccard_params, common, CAIRN_NOT_GIVEN, "[0,inf)",
                "how many both of them have; with {sizes}"),
    CAIRN_PARAM_END,
};

typedef struct word_set {
    const char *name;
    double n;
    bool *has; /* of all words */
} word_set;

typedef struct counted {
    double a, b, both;
} counted;

static double similarity(const counted *c)
{
    double either = c->a + c->b - c->both;
    return either > 0 ? c->both / either : 1;
}

static void work(cairn_report *out, const char *a, const char *b, const counted *c)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    double either = c->a + c->b - c->both;
    cairn_text_addf(&label, "J(%s, %s)", a, b);
    cairn_report_worked(out, cairn_text_string(&label),
                        "both / (first + second − both) = # / (# + # − #) = # / # = #", c->both,
                        c->a, c->b, c->both, c->both, either, similarity(c));
    cairn_report_failed(out, cairn_text_status(&label));
}

static void show_pair(cairn_report *out, const char *a, const char *b, const counted *c,
                      const char *prefix)
{
    cairn_report_prefix(out, "%s", prefix);
    cairn_report_cells(out, "- - @both @either @jaccard @distance", a, b, c->both,
                       c->a + c->b - c->both, similarity(c), 1 - similarity(c));
}

static void begin_pairs(cairn_report *out)
{
    cairn_report_table_of(out, "Pairs", 0, "llrrrr", "set", "set", "both have", "one has",
                          "similarity", "distance");
}

/* -- sizes -- */

/* Sizes must be possible: two sets share no more than the smaller one has. */
static cairn_status from_sizes(cairn_context *ctx, cairn_report *out, const jaccard_params *p,
                               bool steps)
{
    const double *sizes = p->sizes.values;
    if (p->sizes.n != 2)
        return cairn_fail(ctx, CAIRN_USAGE, "{sizes}: two numbers from 0 on are wanted");
    if (isnan(p->common))
        return cairn_fail(ctx, CAIRN_USAGE, "{sizes} needs {common}: how many both have");
    if (p->common > fmin(sizes[0], sizes[1]))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{common}: two sets have no more in common than the smaller one has");
    counted c = {sizes[0], sizes[1], p->common};
    if (steps) {
        cairn_report_step_begin(out, "What both have, of what one has");
        work(out, "A", "B", &c);
        cairn_report_step_end(out);
    }
    begin_pairs(out);
    show_pair(out, "A", "B", &c, "");
    return CAIRN_OK;
}

/* -- sets -- */

/* The words of all sets get numbers; the text is cut in place. */
static cairn_status read_sets(cairn_context *ctx, cairn_map *words, word_set *sets, size_t *n,
                              char *text, size_t buffer)
{
    char *rest = NULL, *inner = NULL;
    for (char *one = strtok_r(text, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(one, '='), *body = equals ? equals + 1 : one;
        word_set *set = &sets[*n];
        if (*n == MOST_SETS)
            return cairn_fail(ctx, CAIRN_USAGE, "{sets}: at most %d sets are compared", MOST_SETS);
        if (equals) *equals = 0;
        set->name = equals ? one + strspn(one, " ") : NULL;
        CHECK(SCRATCH(ctx, &set->has, buffer));
        for (char *word = strtok_r(body, " ", &inner); word; word = strtok_r(NULL, " ", &inner)) {
            size_t at;
            CHECK(cairn_map_add(ctx, words, word, strlen(word), &at));
            set->n += !set->has[at];
            set->has[at] = true;
        }
        ++*n;
    }
    if (*n < 2) return cairn_fail(ctx, CAIRN_USAGE, "{sets}: two sets at least are wanted");
    return CAIRN_OK;
}

static counted count(const word_set *a, const word_set *b, size_t n_words)
{
    counted c = {.a = a->n, .b = b->n};
    for (size_t w = 0; w < n_words; w++) c.both += a->has[w] && b->has[w];
    return c;
}

/* All pairs of the sets; of two sets the values have no names in front. */
static cairn_status from_sets(cairn_context *ctx, cairn_report *out, const jaccard_params *p,
                              bool steps)
{
    SCOPED(cairn_map_clear) cairn_map words = {0};
    word_set *sets;
    char *text;
    size_t n = 0, buffer = strlen(p->sets) + 1;
    double sum = 0;
    CHECK(SCRATCH(ctx, &text, buffer));
    CHECK(SCRATCH(ctx, &sets, MOST_SETS));
    memcpy(text, p->sets, buffer);
    CHECK(read_sets(ctx, &words, sets, &n, text, buffer));
    for (size_t i = 0; i < n; i++) {
        char *name;
        if (sets[i].name) continue;
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "set%zu", i + 1);
        sets[i].name = name;
    }
    if (steps) cairn_report_step_begin(out, "What both have, of what one has");
    for (size_t i = 0; steps && i < n; i++)
        for (size_t j = i + 1; j < n && i * n + j < 20; j++) {
            counted c = count(&sets[i], &sets[j], words.n);
            work(out, sets[i].name, sets[j].name, &c);
        }
    if (steps) cairn_report_step_end(out);
    begin_pairs(out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            counted c = count(&sets[i], &sets[j], words.n);
            SCOPED(cairn_text_clear) cairn_text prefix = cairn_text_start(ctx);
            if (n > 2)
                cairn_text_addf(&prefix, "%s.%s.", cairn_report_key(out, sets[i].name),
                                cairn_report_key(out, sets[j].name));
            CHECK(cairn_text_status(&prefix));
            show_pair(out, sets[i].name, sets[j].name, &c, cairn_text_string(&prefix));
            sum += similarity(&c);
        }
    cairn_report_value(out, "mean similarity", sum / ((double)n * ((double)n - 1) / 2), "mean");
    return CAIRN_OK;
}

static cairn_status jaccard_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const jaccard_params *p = job->params;
    if (!p->sets == !p->sizes.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' takes either {sets 'A=red green;B=green blue'} or {sizes 42,112} "
                          "with {common 23}",
                          job->what);
    cairn_report_heading(out, 1, "What sets have in common");
    return p->sets ? from_sets(ctx, out, p, job->steps) : from_sizes(ctx, out, p, job->steps);
}

const cairn_calculator cairn_compute_jaccard = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "jaccard",
              .also = "Jaccard coefficient, set similarity, Tanimoto, intersection over union",
              .title = "Jaccard's coefficient of sets",
              .summary =
                  "What two sets have in common as a share of what one of them has, |A ∩ B| / |A ∪ "
                  "B|, from the sets or from their sizes; one minus it is the distance. Rows of a "
                  "table, documents and baskets are compared by 'compute distances --distance "
                  "jaccard --similarity', with the means within and between groups.",
              .references = "Jaccard, The distribution of the flora in the alpine zone, 1912",
              .example = "cairn compute jaccard --sizes 42,112 --common 23 --steps",
              .params = jaccard_table,
              .params_size = sizeof(jaccard_params)},
    .arguments = "",
    .run = jaccard_run,
};
