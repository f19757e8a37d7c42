/* SPDX-License-Identifier: MIT */
/* cairn draw shattering and subsets: every labeling of a few points in a panel of its own, with the
 * line, box or interval that produces it or "impossible"; all subsets of a set. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "plots/hasse.h"
#include "compute/theory/labeling_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIED = 65536 };

typedef struct shattering_params {
    const char *points, *labeling;
    int class, labels, show, most;
    bool empty;
} shattering_params;

static const cairn_choice show_choices[] = {
    {"all", CAIRN_LABELINGS_ALL, "every labeling"},
    {"possible", CAIRN_LABELINGS_POSSIBLE, "those that a hypothesis produces"},
    {"impossible", CAIRN_LABELINGS_IMPOSSIBLE, "those that none produces"},
    {NULL, 0, NULL}};

static const cairn_param shattering_table[] = {
    CAIRN_PARAM(shattering_params, points, NULL, NULL,
                "points separated by ; with coordinates separated by commas, such as 0,0;1,0;0,1; "
                "for classes on a line also 1,2,3"),
    CAIRN_PARAM_CHOICE(shattering_params, class, "linear", cairn_hypotheses_choices,
                       "the hypotheses"),
    CAIRN_PARAM(shattering_params, labels, "0", "[0,10]",
                "number of labels (threshold, linear, list); 0 = two, or those of the list"),
    CAIRN_PARAM(shattering_params, labeling, NULL, NULL,
                "draw this labeling only, a digit for each point such as 101"),
    CAIRN_PARAM_CHOICE(shattering_params, show, "all", show_choices, "which labelings",
                       .when = "!labeling"),
    CAIRN_PARAM(shattering_params, empty, "yes", NULL,
                "the contradiction is one of the conjunctions"),
    CAIRN_PARAM(shattering_params, most, "64", "[1,512]", "most panels to draw"),
    CAIRN_PARAM_END,
};

/* -- all panels -- */

static cairn_status read_labeling(cairn_context *ctx, int *labels, const cairn_instances *at,
                                  const char *text)
{
    if (strlen(text) != at->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{labeling %s}: %zu digits for %zu points", text,
                          strlen(text), at->n);
    for (size_t i = 0; i < at->n; i++) {
        labels[i] = text[i] - '0';
        if (labels[i] < 0 || labels[i] >= at->n_labels)
            return cairn_fail(ctx, CAIRN_USAGE, "{labeling %s}: labels are 0 to %d", text,
                              at->n_labels - 1);
    }
    return CAIRN_OK;
}

static cairn_status count_labelings(cairn_context *ctx, size_t *out, const cairn_instances *at)
{
    *out = 1;
    for (size_t i = 0; i < at->n; i++) {
        *out *= (size_t)at->n_labels;
        if (*out > MOST_TRIED)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%zu points have more than %d labelings, too many to draw; a part "
                              "of the points that is not shattered settles it, or draw one with "
                              "{labeling}",
                              at->n, MOST_TRIED);
    }
    return CAIRN_OK;
}

/* Either one given labeling, or all of those that are possible, impossible or both; too many are
 * refused with what makes them fewer. */
static cairn_status shattering_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_picture_job *job)
{
    const shattering_params *p = job->params;
    cairn_instances at;
    size_t total, shown = 0;
    int labels[CAIRN_MOST_LABELLED_POINTS] = {0};
    if (p->labels == 1) return cairn_fail(ctx, CAIRN_USAGE, "{labels}: two or more are needed");
    CHECK(cairn_instances_read(ctx, &at, (cairn_hypotheses)p->class, p->points, job->table,
                               p->labels, p->empty));
    if (p->labeling) {
        CHECK(read_labeling(ctx, labels, &at, p->labeling));
        CHECK(cairn_labeling_figure(ctx, out, &at, labels));
        return CAIRN_OK;
    }
    CHECK(count_labelings(ctx, &total, &at));
    CHECK(cairn_labelings_figure(ctx, out, &at, total, (cairn_labelings_shown)p->show,
                                 (size_t)p->most, &shown));
    if (shown > (size_t)p->most)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu labelings are to be drawn, at most %d are; take fewer points, {show "
                         "%s}, one of them with {labeling}, or raise {most}",
                         shown, p->most,
                         p->show == CAIRN_LABELINGS_IMPOSSIBLE ? "possible" : "impossible"));
    if (!shown)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "no labeling is %s; {show all} draws every one",
                         p->show == CAIRN_LABELINGS_IMPOSSIBLE ? "impossible" : "possible"));
    return CAIRN_OK;
}

const cairn_picture cairn_picture_shattering = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "shattering",
              .also = "labellings of points",
              .title = "All labelings of a few points",
              .summary =
                  "A panel for every labeling of a few points, with the half-plane, box, interval "
                  "or other hypothesis of the class that produces it, or why it is impossible. "
                  "The points are shattered when no panel says so. Points on a line and in the "
                  "plane stand in their places, others around a circle.",
              .references = "Vapnik, Chervonenkis: On the uniform convergence of relative "
                            "frequencies, 1971",
              .example = "cairn draw shattering --points '0,0;1,0;0,1' --out lines.svg",
              .params = shattering_table,
              .params_size = sizeof(shattering_params)},
    .arguments = "[DATA]",
    .takes_table = true,
    .draw = shattering_draw,
};

/* -- subsets -- */

enum { FORM_PANELS, FORM_LATTICE };
enum { MOST_ELEMENTS = 8 };

typedef struct subsets_params {
    const char *of;
    int form;
} subsets_params;

static const cairn_choice form_choices[] = {
    {"panels", FORM_PANELS, "a panel for each, its members solid"},
    {"lattice", FORM_LATTICE, "a Hasse diagram, the larger set higher"},
    {NULL, 0, NULL}};

static const cairn_param subsets_table[] = {
    CAIRN_PARAM_AS(subsets_params, of, CAIRN_TYPE_LIST, "a,b,c",
                   "the elements, separated by commas"),
    CAIRN_PARAM_CHOICE(subsets_params, form, "panels", form_choices, "how they are drawn"),
    CAIRN_PARAM_END,
};

/* Members of subset `code` as labels, its name as text; smaller sets come first. */
static cairn_status subset_name(cairn_context *ctx, const char **out, char *const *names,
                                const int *labels, size_t n)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool any = false;
    char *copy;
    for (size_t i = 0; i < n; i++) {
        if (!labels[i]) continue;
        cairn_text_addf(&text, "%s%s", any ? "," : "{", names[i]);
        any = true;
    }
    cairn_text_add(&text, any ? "}" : "∅");
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
    return CAIRN_OK;
}

/* Codes of the subsets by size, then in the order of their members. */
static size_t order_subsets(size_t *codes, size_t n)
{
    size_t count = 0;
    for (size_t size = 0; size <= n; size++)
        for (size_t code = (size_t)1 << n; code-- > 0;) {
            size_t members = 0;
            for (size_t i = 0; i < n; i++) members += code >> i & 1;
            if (members == size) codes[count++] = code;
        }
    return count;
}

static cairn_status draw_lattice(cairn_context *ctx, cairn_figure **out, const char *const *texts,
                                 const size_t *codes, size_t n)
{
    bool *above;
    CHECK(SCRATCH(ctx, &above, n * n));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            above[i * n + k] = i != k && (codes[i] & codes[k]) == codes[k];
    return cairn_hasse_figure(ctx, out, &(cairn_hasse){.n = n, .texts = texts, .above = above},
                              "subsets", "All subsets");
}

static cairn_status draw_panels(cairn_context *ctx, cairn_figure **out, char *const *names,
                                size_t n_names, const char *const *texts, const size_t *codes,
                                size_t n)
{
    cairn_labeling_places p;
    int labels[MOST_ELEMENTS] = {0};
    CHECK(cairn_labeling_around(ctx, &p, n_names));
    CHECK(cairn_figure_new(ctx, out, "subsets", "All subsets: members solid"));
    cairn_figure_columns(*out, n > 16 ? 8 : 4);
    for (size_t k = 0; k < n; k++) {
        cairn_figure *panel = NULL;
        for (size_t i = 0; i < n_names; i++) labels[i] = (int)(codes[k] >> (n_names - 1 - i) & 1);
        CHECK(cairn_labeling_panel(ctx, &panel, &p, texts[k], labels, true));
        for (size_t i = 0; i < n_names; i++) cairn_figure_label(panel, p.x[i], p.y[i], names[i]);
        cairn_figure_panel(*out, panel);
    }
    return CAIRN_OK;
}

/* Subsets are labelings with two labels; they come by size, and the lattice and the panels are two
 * views of the same list. */
static cairn_status subsets_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_picture_job *job)
{
    const subsets_params *p = job->params;
    char **names;
    const char **texts;
    size_t n_names, *codes, n;
    int labels[MOST_ELEMENTS] = {0};
    CHECK(cairn_list_split(ctx, p->of, &names, &n_names));
    if (!n_names || n_names > MOST_ELEMENTS)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{of}: from one to %d elements; %zu have 2^%zu subsets",
                         MOST_ELEMENTS, n_names, n_names));
    CHECK(SCRATCH(ctx, &codes, (size_t)1 << n_names));
    n = order_subsets(codes, n_names);
    CHECK(SCRATCH(ctx, &texts, n));
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n_names; i++) labels[i] = (int)(codes[k] >> (n_names - 1 - i) & 1);
        CHECK(subset_name(ctx, &texts[k], names, labels, n_names));
    }
    if (p->form == FORM_LATTICE)
        CHECK(draw_lattice(ctx, out, texts, codes, n));
    else
        CHECK(draw_panels(ctx, out, names, n_names, texts, codes, n));
    return CAIRN_OK;
}

const cairn_picture cairn_picture_subsets = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "subsets",
              .also = "power set, lattice of subsets",
              .title = "All subsets of a set",
              .summary =
                  "Every subset of up to eight elements, the smaller ones first: a panel for "
                  "each with its members solid, or a Hasse diagram of all.",
              .example = "cairn draw subsets --of a,b,c --out subsets.svg",
              .params = subsets_table,
              .params_size = sizeof(subsets_params)},
    .arguments = "",
    .draw = subsets_draw,
};
