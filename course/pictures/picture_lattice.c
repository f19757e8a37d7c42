/* SPDX-License-Identifier: MIT */
/* cairn draw lattice: the hypotheses about columns of levels in the order of generality, all of
 * them or those that the examples leave, coloured by what they cover. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "plots/hasse.h"
#include "compute/concepts/lattice.h"

#include <math.h>
#include <stdio.h>

enum {
    SHOW_EXAMPLES,
    SHOW_ALL,
    SHOW_POSITIVES,
    SHOW_COMPLETE,
    SHOW_CONSISTENT,
    SHOW_VERSION,
    SHOW_CLOSED,
    SHOW_PATH
};

enum { COLOUR_AUTO = -1 };

typedef struct lattice_params {
    cairn_language_option option;
    int show, colour, caption, most;
    const char *path, *from;
    bool walk, curve;
    double limit;
} lattice_params;

static const cairn_choice show_choices[] = {
    {"examples", SHOW_EXAMPLES, "those that cover at least one example"},
    {"all", SHOW_ALL, "every concept of the language, with or without examples"},
    {"positives", SHOW_POSITIVES, "those that cover at least one positive example"},
    {"complete", SHOW_COMPLETE, "those that cover all positive examples"},
    {"consistent", SHOW_CONSISTENT, "those that cover a positive and no negative example"},
    {"version-space", SHOW_VERSION, "those that cover all positive and no negative examples"},
    {"closed", SHOW_CLOSED, "those that are what the examples they cover have in common"},
    {"path", SHOW_PATH, "those of the path only"},
    {NULL, 0, NULL}};

static const cairn_choice colour_choices[] = {
    {"auto", COLOUR_AUTO, "path where one is drawn, else coverage"},
    {"coverage", CAIRN_LATTICE_COVERAGE, "covers positives only, negatives only, both, nothing"},
    {"version-space", CAIRN_LATTICE_VERSION,
     "consistent ones, and what is wrong with the others; S and G have thick outlines"},
    {"closed", CAIRN_LATTICE_CLOSED, "closed or not"},
    {"path", CAIRN_LATTICE_PATH, "on the path or not"},
    {"none", CAIRN_LATTICE_PLAIN, "all alike"},
    {NULL, 0, NULL}};

static const cairn_choice caption_choices[] = {
    {"none", CAIRN_CAPTION_NONE, "the concept alone"},
    {"counts", CAIRN_CAPTION_COUNTS, "how many positive and negative examples it covers"},
    {"names", CAIRN_CAPTION_NAMES, "which examples it covers"},
    {NULL, 0, NULL}};

static const cairn_param lattice_table[] = {
    CAIRN_PARAM_CHOICE(lattice_params, show, "examples", show_choices, "which concepts"),
    CAIRN_PARAM_CHOICE(lattice_params, colour, "auto", colour_choices, "what colours show"),
    CAIRN_PARAM_CHOICE(lattice_params, caption, "none", caption_choices,
                       "what stands below a concept"),
    CAIRN_PARAM_GROUP(lattice_params, option, cairn_language_group),
    {.name = "path",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(lattice_params, path),
     .help = "a concept of a path to mark, the most special one first",
     .repeated = true},
    CAIRN_PARAM(lattice_params, walk, "no", NULL,
                "mark the path upwards from an example that takes in the fewest negatives"),
    CAIRN_PARAM(
        lattice_params, from, NULL, NULL,
        "the example to begin the walk with, by its id or row number; the first positive one "
        "unless given"),
    CAIRN_PARAM(lattice_params, curve, "no", NULL,
                "draw the coverage curve of the path beside the lattice"),
    CAIRN_PARAM(lattice_params, most, "300", "[1,1000]", "most concepts to draw"),
    CAIRN_PARAM(lattice_params, limit, "1e6", "[1,1e9]", "most concepts to look at one by one"),
    CAIRN_PARAM_END,
};

static bool is_shown(int show, const cairn_domain *domain, const cairn_closure *c,
                     const uint64_t *concept, size_t n_positives)
{
    bool complete = n_positives && c->n_positive == n_positives;
    switch (show) {
    case SHOW_EXAMPLES: return c->n_positive + c->n_negative > 0;
    case SHOW_POSITIVES: return c->n_positive > 0;
    case SHOW_COMPLETE: return complete;
    case SHOW_CONSISTENT: return c->n_positive > 0 && !c->n_negative;
    case SHOW_VERSION: return complete && !c->n_negative;
    case SHOW_CLOSED:
        return c->n_positive + c->n_negative > 0 && cairn_concept_equals(domain, c->join, concept);
    default: return true;
    }
}

/* The most special ones first, as the walk meets them. */
static cairn_status choose(cairn_context *ctx, cairn_concepts *out, const cairn_concept_data *data,
                           const lattice_params *p)
{
    const cairn_domain *domain = &data->domain;
    size_t positives = 0, shown = 0;
    cairn_walk walk;
    cairn_closure c;
    for (size_t i = 0; i < data->examples.n; i++) positives += data->examples.positive[i];
    CHECK(cairn_closure_new(ctx, &c, domain));
    CHECK(cairn_walk_start(
        ctx, &walk, domain, NULL, p->limit,
        cairn_say(ctx, domain->disjunction
                           ? "use fewer columns ({features}) or {language conjunctions}"
                           : "use fewer columns ({features})")));
    for (double done = 0; cairn_walk_next(&walk); done++) {
        if (fmod(done, 1024) == 0) CHECK(cairn_tick(ctx, "concepts", done, walk.size));
        cairn_close_concept(&c, data, walk.concept);
        if (!is_shown(p->show, domain, &c, walk.concept, positives)) continue;
        if (shown++ < (size_t)p->most) CHECK(cairn_concepts_add(ctx, out, domain, walk.concept));
    }
    if (shown > (size_t)p->most) {
        char all[CAIRN_NUMBER_SIZE];
        cairn_number_format(all, cairn_domain_concepts(domain), CAIRN_SHORTEST);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the lattice has %s concepts, and %zu of them were to be drawn; at most %d "
            "are. Take fewer columns with {features}, fewer rows with {where}, {show "
            "version-space} or {show closed}%s, or raise {most}",
            all, shown, p->most,
            cairn_say(ctx, domain->disjunction ? ", {language conjunctions}" : ""));
    }
    if (!shown)
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       p->show == SHOW_VERSION
                           ? "no concept covers all positive and no negative examples: the version "
                             "space is empty ('compute version-space' says which examples clash)"
                           : "no concept is left to draw"));
    return cairn_concepts_sort(ctx, out);
}

static void write_title(char *out, size_t size, const cairn_concept_data *data, int show)
{
    static const char *const what[] = {
        [SHOW_EXAMPLES] = "Concepts that cover an example of",
        [SHOW_ALL] = "All concepts about",
        [SHOW_POSITIVES] = "Concepts that cover a positive example of",
        [SHOW_COMPLETE] = "Concepts that cover all positive examples of",
        [SHOW_CONSISTENT] = "Concepts that cover no negative example of",
        [SHOW_VERSION] = "Version space of",
        [SHOW_CLOSED] = "Closed concepts about",
        [SHOW_PATH] = "A path of concepts about"};
    snprintf(out, size, "%s '%s = %s'", what[show], data->target, data->positive);
}

/* A path through the lattice is found when an option needs it; with its coverage curve the letters
 * along the path connect the two panels. */
static cairn_status lattice_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const lattice_params *p = job->params;
    cairn_concept_data data;
    SCOPED(cairn_concepts_clear) cairn_concepts path = {0};
    SCOPED(cairn_concepts_clear) cairn_concepts list = {0};
    OWNED(cairn_figure_free) cairn_figure *curve = NULL;
    OWNED(cairn_figure_free) cairn_figure *lattice = NULL;
    char title[300];
    bool wants_path = p->path || p->walk || p->from || p->curve || p->show == SHOW_PATH;
    CHECK(cairn_language_data_read(ctx, &data, &p->option, false, job->table, "draw lattice"));
    list.width = path.width = data.domain.n;
    if (wants_path) CHECK(cairn_concept_path(ctx, &path, &data, p->path, p->from));
    cairn_lattice l = {.data = &data,
                       .list = p->show == SHOW_PATH ? &path : &list,
                       .path = wants_path ? &path : NULL,
                       .letters = p->curve,
                       .colour = p->colour == COLOUR_AUTO
                                     ? (wants_path && p->show != SHOW_PATH ? CAIRN_LATTICE_PATH
                                                                           : CAIRN_LATTICE_COVERAGE)
                                     : (cairn_lattice_colour)p->colour,
                       .caption = (cairn_caption)p->caption};
    if (p->show != SHOW_PATH) CHECK(choose(ctx, &list, &data, p));
    write_title(title, sizeof title, &data, p->show);
    CHECK(cairn_lattice_figure(ctx, p->curve ? &lattice : out, &l, "lattice", title));
    CHECK(cairn_picture_warn_wide(ctx, p->curve ? lattice : *out,
                                  cairn_say(ctx,
                                            "{show version-space}, {show closed} or fewer columns "
                                            "({features})")));
    if (p->curve) {
        CHECK(cairn_path_curve(ctx, &curve, &data, &path));
        cairn_figure_size(curve, 380, 300);
        CHECK(cairn_figure_new(ctx, out, "lattice", ""));
        cairn_figure_panel(*out, lattice);
        cairn_figure_panel(*out, curve);
        lattice = curve = NULL;
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_lattice = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "lattice",
         .also = "Hasse diagram, concept lattice, version space picture",
         .title = "Lattice of concepts",
         .summary =
             "A Hasse diagram of the concepts over columns of levels: the more general "
             "stands higher (further left where that would be too wide), and lines join "
             "neighbours. All concepts, those that the data "
             "leaves, the version space with its boundaries, closed concepts, or a path; "
             "conjunctions or with internal disjunction. Colours show which classes a concept "
             "covers, whether it is consistent, closed, or on the path. A lattice too large "
             "to draw is refused with its size.",
         .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982; "
                       "Ganter, Wille: Formal Concept Analysis, 1999; Sugiyama, Tagawa, Toda: "
                       "Methods for visual understanding of hierarchical system structures, "
                       "1981",
         .example = "cairn draw lattice @enjoysport --show version-space --colour "
                    "version-space --out sport.svg",
         .params = lattice_table,
         .params_size = sizeof(lattice_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = lattice_draw,
};
