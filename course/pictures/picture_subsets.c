/* SPDX-License-Identifier: MIT */
/* cairn draw subsets: all subsets of a set. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "plots/hasse.h"
#include "compute/theory/labeling_figure.h"

#include <stdio.h>
#include <string.h>

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
    cairn_status status;
    cairn_text text = cairn_text_start(ctx);
    bool any = false;
    char *copy;
    for (size_t i = 0; i < n; i++) {
        if (!labels[i]) continue;
        cairn_text_addf(&text, "%s%s", any ? "," : "{", names[i]);
        any = true;
    }
    cairn_text_add(&text, any ? "}" : "∅");
    TRY(cairn_text_status(&text));
    TRY(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
done:
    cairn_text_clear(&text);
    return status;
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

static cairn_status subsets_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
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

const cairn_calculator cairn_picture_subsets = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
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
