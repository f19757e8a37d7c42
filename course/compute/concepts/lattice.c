/* SPDX-License-Identifier: MIT */
/* Lists of concepts as pictures of their order, their closures, and paths through them. */
#include "compute/concepts/lattice.h"

#include "base/map.h"
#include "base/memory.h"
#include "plots/hasse.h"

#include <stdio.h>
#include <string.h>

/* -- closures -- */

cairn_status cairn_closure_new(cairn_context *ctx, cairn_closure *out, const cairn_domain *domain)
{
    CHECK(SCRATCH(ctx, &out->join, domain->n));
    return SCRATCH(ctx, &out->instance, domain->n);
}

void cairn_close_concept(cairn_closure *c, const cairn_concept_data *data, const uint64_t *concept)
{
    const cairn_examples *e = &data->examples;
    memset(c->join, 0, data->domain.n * sizeof *c->join);
    c->n_positive = c->n_negative = 0;
    for (size_t i = 0; i < e->n; i++) {
        const int32_t *codes = cairn_example(e, &data->domain, i);
        if (!cairn_concept_covers(&data->domain, concept, codes)) continue;
        cairn_concept_of(&data->domain, c->instance, codes);
        cairn_concept_join(&data->domain, c->join, c->join, c->instance);
        *(e->positive[i] ? &c->n_positive : &c->n_negative) += 1;
    }
}

cairn_coverage cairn_cover(const cairn_concept_data *data, const uint64_t *concept)
{
    const cairn_examples *e = &data->examples;
    cairn_coverage c = {0, 0};
    for (size_t i = 0; i < e->n; i++)
        if (cairn_concept_covers(&data->domain, concept, cairn_example(e, &data->domain, i)))
            *(e->positive[i] ? &c.positives : &c.negatives) += 1;
    return c;
}

/* -- paths -- */

static cairn_status read_path(cairn_context *ctx, cairn_concepts *out,
                              const cairn_concept_data *data, const char *typed)
{
    const char *const *lines;
    uint64_t *concept;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    CHECK(SCRATCH(ctx, &concept, data->domain.n));
    for (size_t i = 0; lines[i]; i++) {
        CHECK(cairn_concept_parse(ctx, concept, &data->domain, lines[i]));
        if (i && !cairn_concept_includes(&data->domain, concept, cairn_concepts_at(out, i - 1)))
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{path}: '%s' is not more general than '%s' before it; a path goes "
                             "from special to general",
                             lines[i], lines[i - 1]));
        CHECK(cairn_concepts_add(ctx, out, &data->domain, concept));
    }
    return CAIRN_OK;
}

/* Room for a step of the walk. */
typedef struct climb {
    uint64_t *best, *instance, *join;
    cairn_map tried; /* joins: many examples lead to the same one */
} climb;

/* The next concept: joined with one more example so that the fewest negatives are covered, then
 * the most positives, then the least volume, then the first. Not found when all are covered. */
static cairn_status step_up(cairn_context *ctx, const cairn_concept_data *data, const uint64_t *now,
                            climb *s, bool *found)
{
    const cairn_examples *e = &data->examples;
    const cairn_domain *domain = &data->domain;
    cairn_coverage chosen = {.negatives = SIZE_MAX};
    size_t bytes = domain->n * sizeof *s->join, at;
    *found = false;
    cairn_map_clear(&s->tried);
    for (size_t i = 0; i < e->n; i++) {
        const int32_t *codes = cairn_example(e, domain, i);
        if (cairn_concept_covers(domain, now, codes)) continue;
        cairn_concept_of(domain, s->instance, codes);
        cairn_concept_join(domain, s->join, now, s->instance);
        size_t before = s->tried.n;
        CHECK(cairn_map_add(ctx, &s->tried, (const char *)s->join, bytes, &at));
        if (s->tried.n == before) continue;
        CHECK(cairn_tick(ctx, "examples", (double)i, (double)e->n));
        /* What a concept covers, given up at more negatives than `most`. */
        const uint64_t *concept = s->join;
        size_t most = chosen.negatives;
        cairn_coverage c = {0, 0};
        for (size_t j = 0; j < e->n && c.negatives <= most; j++)
            if (cairn_concept_covers(&data->domain, concept, cairn_example(e, &data->domain, j)))
                *(e->positive[j] ? &c.positives : &c.negatives) += 1;
        bool better = c.negatives < chosen.negatives;
        if (c.negatives == chosen.negatives)
            better = c.positives > chosen.positives ||
                     (c.positives == chosen.positives && cairn_concept_volume(domain, s->join) <
                                                             cairn_concept_volume(domain, s->best));
        if (!better) continue;
        *found = true;
        chosen = c;
        memcpy(s->best, s->join, bytes);
    }
    return CAIRN_OK;
}

static cairn_status find_start(cairn_context *ctx, size_t *out, const cairn_examples *e,
                               const char *from)
{
    for (*out = 0; *out < e->n; ++*out)
        if (from ? cairn_same(e->names[*out], from) : e->positive[*out]) return CAIRN_OK;
    if (from) return cairn_fail(ctx, CAIRN_USAGE, "{from}: there is no example '%s'", from);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no positive example to begin with");
}

/* From one example upwards, each time joined with the example that costs the fewest negatives,
 * until all examples are covered. */
static cairn_status walk_path(cairn_context *ctx, cairn_concepts *out,
                              const cairn_concept_data *data, const char *from)
{
    cairn_status status;
    climb s = {0};
    uint64_t *now;
    size_t start;
    bool found;
    TRY(find_start(ctx, &start, &data->examples, from));
    TRY(SCRATCH_EACH(ctx, data->domain.n, &now, &s.best, &s.instance, &s.join));
    cairn_concept_of(&data->domain, now, cairn_example(&data->examples, &data->domain, start));
    TRY(cairn_concepts_add(ctx, out, &data->domain, now));
    for (;;) {
        TRY(step_up(ctx, data, now, &s, &found));
        if (!found) break;
        memcpy(now, s.best, data->domain.n * sizeof *now);
        TRY(cairn_concepts_add(ctx, out, &data->domain, now));
    }
done:
    cairn_map_clear(&s.tried);
    return status;
}

cairn_status cairn_concept_path(cairn_context *ctx, cairn_concepts *out,
                                const cairn_concept_data *data, const char *typed, const char *from)
{
    if (typed && from)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the concepts with {path} or walk with {from}, not both");
    return typed ? read_path(ctx, out, data, typed) : walk_path(ctx, out, data, from);
}

cairn_status cairn_path_curve(cairn_context *ctx, cairn_figure **out,
                              const cairn_concept_data *data, const cairn_concepts *path)
{
    double *x, *y;
    size_t n = path->n + 2;
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    CHECK(cairn_figure_new(ctx, out, "coverage", "Coverage curve of the path"));
    cairn_figure_axes(*out, "negatives covered", "positives covered");
    for (size_t i = 0; i < path->n; i++) {
        cairn_coverage c = cairn_cover(data, cairn_concepts_at(path, i));
        x[i + 1] = (double)c.negatives;
        y[i + 1] = (double)c.positives;
    }
    for (size_t k = 0; k < data->examples.n; k++)
        *(data->examples.positive[k] ? &y[n - 1] : &x[n - 1]) += 1;
    cairn_figure_line(*out, NULL, x, y, n);
    for (size_t i = 0; i < path->n && i < 26; i++) {
        char label[2] = {(char)('A' + i), 0};
        if (i + 1 < path->n && x[i + 1] == x[i + 2] && y[i + 1] == y[i + 2]) continue;
        /* right below the point, where the curve does not go */
        cairn_figure_text(*out, x[i + 1] + 0.015 * x[n - 1], y[i + 1] - 0.075 * y[n - 1], 'l',
                          label);
    }
    return CAIRN_OK;
}

/* -- pictures -- */

cairn_status cairn_concept_lines(cairn_context *ctx, const char **out, const char *word)
{
    char *copy;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &copy, strlen(word) + 1));
    for (; *word; word++) {
        bool joint = cairn_starts_with(word, " & ");
        copy[n++] = joint ? '\n' : *word;
        if (joint) word += 2;
    }
    *out = copy;
    return CAIRN_OK;
}

/* What a node says: the concept, and below it what it covers. */
static cairn_status node_text(cairn_context *ctx, const char **out, const cairn_lattice *l,
                              const uint64_t *concept)
{
    cairn_coverage c = cairn_cover(l->data, concept);
    const char *word, *names = "";
    char counts[64], *text;
    size_t n;
    CHECK(cairn_concept_word(ctx, &word, l->data, concept));
    CHECK(cairn_concept_lines(ctx, &word, word));
    *out = word;
    if (l->caption == CAIRN_CAPTION_NONE) return CAIRN_OK;
    snprintf(counts, sizeof counts, "%zu+ %zu−", c.positives, c.negatives);
    if (l->caption == CAIRN_CAPTION_NAMES) {
        CHECK(cairn_concept_covered(ctx, &names, &n, l->data, concept, -1));
        if (!n) names = "—";
    } else {
        names = counts;
    }
    size_t size = strlen(word) + strlen(names) + 2;
    CHECK(SCRATCH(ctx, &text, size));
    snprintf(text, size, "%s\n%s", word, names);
    *out = text;
    return CAIRN_OK;
}

/* "A: " in front of a step of the path. */
static cairn_status add_letter(cairn_context *ctx, const char **text, const cairn_lattice *l,
                               const uint64_t *concept)
{
    char *with;
    for (size_t k = 0; k < l->path->n && k < 26; k++) {
        if (!cairn_concept_equals(&l->data->domain, cairn_concepts_at(l->path, k), concept))
            continue;
        size_t size = strlen(*text) + 4;
        CHECK(SCRATCH(ctx, &with, size));
        snprintf(with, size, "%c: %s", (char)('A' + k), *text);
        *text = with;
        break;
    }
    return CAIRN_OK;
}

static const char *const coverage_names[] = {"covers positives only", "covers negatives only",
                                             "covers both classes"};
static const char *const version_names[] = {"in the version space", "covers a negative",
                                            "misses a positive"};
static const char *const closed_names[] = {"closed"};
static const char *const path_names[] = {"on the path"};

/* The colour of a concept; -1 is grey. */
static int32_t colour_of(const cairn_lattice *l, const uint64_t *concept, size_t n_positives,
                         cairn_closure *closure)
{
    const cairn_domain *domain = &l->data->domain;
    cairn_close_concept(closure, l->data, concept);
    bool positive = closure->n_positive, negative = closure->n_negative;
    bool complete = closure->n_positive == n_positives;
    switch (l->colour) {
    case CAIRN_LATTICE_COVERAGE: return positive && negative ? 2 : positive ? 0 : negative ? 1 : -1;
    case CAIRN_LATTICE_VERSION: return complete && !negative ? 0 : complete ? 1 : negative ? -1 : 2;
    case CAIRN_LATTICE_CLOSED:
        return (positive || negative) && cairn_concept_equals(domain, closure->join, concept) ? 0
                                                                                              : -1;
    case CAIRN_LATTICE_PATH:
        for (size_t i = 0; l->path && i < l->path->n; i++)
            if (cairn_concept_equals(domain, cairn_concepts_at(l->path, i), concept)) return 0;
        return -1;
    case CAIRN_LATTICE_PLAIN: break;
    }
    return -1;
}

/* Colours are groups of the picture: what each means, and what a concept of no group is. */
static void set_groups(cairn_hasse *order, cairn_lattice_colour colour)
{
    switch (colour) {
    case CAIRN_LATTICE_COVERAGE:
        order->group_names = coverage_names;
        order->n_groups = 3;
        order->none_is = "covers no example";
        break;
    case CAIRN_LATTICE_VERSION:
        order->group_names = version_names;
        order->n_groups = 3;
        order->none_is = "misses a positive and covers a negative";
        break;
    case CAIRN_LATTICE_CLOSED:
        order->group_names = closed_names;
        order->n_groups = 1;
        order->none_is = "not closed";
        break;
    case CAIRN_LATTICE_PATH:
        order->group_names = path_names;
        order->n_groups = 1;
        break;
    case CAIRN_LATTICE_PLAIN: break;
    }
}

/* Where the steps of the path stand in the list; steps that are not there are passed over. */
static cairn_status find_path(cairn_context *ctx, cairn_hasse *order, const cairn_lattice *l)
{
    size_t *steps;
    if (!l->path) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &steps, l->path->n));
    for (size_t k = 0; k < l->path->n; k++)
        for (size_t i = 0; i < l->list->n; i++)
            if (cairn_concept_equals(&l->data->domain, cairn_concepts_at(l->path, k),
                                     cairn_concepts_at(l->list, i))) {
                if (!order->n_path || steps[order->n_path - 1] != i) steps[order->n_path++] = i;
                break;
            }
    order->path = steps;
    return CAIRN_OK;
}

/* Members that no other member lies above, or below. */
static void mark_borders(bool *strong, const cairn_hasse *order)
{
    for (size_t i = 0; i < order->n; i++) {
        bool higher = false, lower = false;
        for (size_t k = 0; k < order->n && order->groups[i] == 0; k++) {
            if (order->groups[k] != 0) continue;
            higher = higher || order->above[k * order->n + i];
            lower = lower || order->above[i * order->n + k];
        }
        strong[i] = order->groups[i] == 0 && (!higher || !lower);
    }
}

cairn_status cairn_lattice_figure(cairn_context *ctx, cairn_figure **out, const cairn_lattice *l,
                                  const char *name, const char *title)
{
    const cairn_domain *domain = &l->data->domain;
    cairn_hasse order = {.n = l->list->n};
    size_t n = order.n, n_positives = 0;
    const char **texts;
    bool *above, *strong;
    int32_t *groups;
    int *ranks;
    cairn_closure closure;
    CHECK(SCRATCH(ctx, &texts, n));
    CHECK(SCRATCH(ctx, &above, cairn_product(n, n)));
    CHECK(SCRATCH_EACH(ctx, n, &strong, &groups, &ranks));
    CHECK(cairn_closure_new(ctx, &closure, domain));
    for (size_t i = 0; i < l->data->examples.n; i++) n_positives += l->data->examples.positive[i];
    for (size_t i = 0; i < n; i++) {
        const uint64_t *c = cairn_concepts_at(l->list, i);
        CHECK(node_text(ctx, &texts[i], l, c));
        if (l->path && l->letters) CHECK(add_letter(ctx, &texts[i], l, c));
        groups[i] = colour_of(l, c, n_positives, &closure);
        ranks[i] =
            domain->disjunction ? -1 : (int)(domain->n - cairn_concept_conditions(domain, c));
        for (size_t k = 0; k < n; k++)
            above[i * n + k] =
                i != k && cairn_concept_includes(domain, c, cairn_concepts_at(l->list, k));
    }
    order.texts = texts;
    order.above = above;
    order.groups = groups;
    order.ranks = ranks;
    set_groups(&order, l->colour);
    if (l->colour == CAIRN_LATTICE_VERSION) {
        mark_borders(strong, &order);
        order.strong = strong;
        order.strong_is = "S and G, its boundaries";
    }
    CHECK(find_path(ctx, &order, l));
    return cairn_hasse_figure(ctx, out, &order, name, title);
}

cairn_status cairn_lattice_draw(cairn_context *ctx, cairn_report *out, const cairn_lattice *l,
                                const char *name, const char *title)
{
    cairn_figure *figure;
    if (!l->list->n || l->list->n > CAIRN_HASSE_MOST) return CAIRN_OK;
    CHECK(cairn_lattice_figure(ctx, &figure, l, name, title));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}
