/* SPDX-License-Identifier: MIT */
/* cairn draw: a picture of data, of a model, or of both, to a file or in the terminal. */
#include "command/answers.h"
#include "command/judging.h"

#include "base/number.h"
#include "wrappers/multi_target.h"

#include <stdio.h>
#include <string.h>

typedef struct draw_options {
    cairn_common common;
    double width, height;
    const char *title, *x_label, *y_label, *size;
} draw_options;

static const cairn_param draw_params[] = {
    CAIRN_PARAM(draw_options, title, NULL, NULL, "what stands above the picture", .often = true),
    CAIRN_PARAM(draw_options, x_label, NULL, NULL, "what stands below the horizontal axis"),
    CAIRN_PARAM(draw_options, y_label, NULL, NULL, "what stands beside the vertical axis"),
    CAIRN_PARAM(draw_options, width, CAIRN_NOT_GIVEN, "[40,10000]",
                "width in points; as the picture needs if not given", .often = true),
    CAIRN_PARAM(draw_options, height, CAIRN_NOT_GIVEN, "[40,10000]",
                "height in points; as the picture needs if not given", .often = true),
    CAIRN_PARAM(draw_options, size, NULL, NULL, "width and height in points at once: 640x480",
                .when = "!width,!height"),
    CAIRN_ROLES(draw_options),
    CAIRN_READING(draw_options),
    CAIRN_RUNNING(draw_options),
    CAIRN_PRINTING(draw_options),
    CAIRN_PARAM_END,
};

/* A model and perhaps a table, or tables, perhaps made of the answers of models. */
static cairn_status read_sources(cairn_command *c, const cairn_calculator *picture,
                                 const char *what, cairn_model **model, cairn_sources *sources)
{
    size_t least = (size_t)picture->needs_model + picture->needs_data;
    size_t most = picture->several || picture->answers
                      ? SIZE_MAX
                      : least + picture->takes_data + picture->takes_model;
    if (c->n_words < least || c->n_words > most)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' takes %s", what,
                          *picture->arguments ? picture->arguments : "options only");
    bool named = picture->needs_model || (picture->takes_model && c->n_words > picture->needs_data);
    if (named && picture->takes_model && picture->takes_data) /* either may stand first */
        CHECK(cairn_command_is_model(c, c->words[0], &named));
    if (named) {
        CHECK(cairn_command_model(c, model, c->words[0]));
        c->words++, c->given++, c->n_words--;
    }
    return cairn_command_sources(
        c, sources,
        &(cairn_wanted_sources){what, picture->several, picture->answers, picture->baskets});
}

/* The target that a picture of a model of several targets is about: the one that --target names, or
 * the first, which is said. */
static cairn_status pick_target(cairn_command *c, const cairn_model *model, const cairn_model **out)
{
    cairn_multi_target_parts parts;
    const char *wanted =
        cairn_params_is_set(c->options, "target") ? cairn_params_text(c->options, "target") : NULL;
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(c->ctx);
    *out = model;
    if (!model || !cairn_multi_target_look(&parts, model) || parts.n == 0) return CAIRN_OK;
    *out = wanted ? NULL : parts.models[0];
    for (size_t i = 0; i < parts.n; i++) {
        const char *name = cairn_model_target(parts.models[i])->name;
        if (wanted && cairn_same(name, wanted)) *out = parts.models[i];
        cairn_text_addf(&names, "%s%s", i ? ", " : "", name);
    }
    CHECK(cairn_text_status(&names));
    if (!*out)
        CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                         "--target %s: the model has the targets %s; name one of them", wanted,
                         cairn_text_string(&names)));
    if (!wanted && parts.n > 1)
        cairn_remark(c, "drawn is '%s', the first target of the model; --target chooses among %s",
                     cairn_model_target(*out)->name, cairn_text_string(&names));
    return CAIRN_OK;
}

/* The size in points that the options ask for, 0 = none. */
static cairn_status wanted_size(cairn_command *c, double *width, double *height)
{
    const draw_options *o = c->options->values;
    *width = o->width > 0 ? o->width : 0;
    *height = o->height > 0 ? o->height : 0;
    if (!o->size) return CAIRN_OK;
    size_t mark = strcspn(o->size, "x");
    const char *second = o->size + mark + (o->size[mark] == 'x');
    if (cairn_number_parse(o->size, mark, width) &&
        cairn_number_parse(second, strlen(second), height) && *width >= 40 && *width <= 10000 &&
        *height >= 40 && *height <= 10000)
        return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--size %s: two numbers from 40 to 10000 with an x between them, such as "
                      "640x480",
                      o->size);
}

/* A picture that is called like its data only says what it is, too; answers of a model about the
 * rows that it was fitted to are called so. */
static cairn_status caption(cairn_command *c, cairn_figure *figure, const cairn_calculator *picture,
                            const cairn_sources *sources)
{
    static const char optimistic[] = "of training rows, so optimistic";
    SCOPED(cairn_text_clear) cairn_text below = cairn_text_start(c->ctx);
    const char *source = sources->n ? sources->list[0]->source : NULL;
    const char *title = cairn_figure_title(figure), *under = cairn_figure_subtitle_of(figure);
    if (source && (!*title || strcmp(title, source) == 0)) {
        if (*title && !*under) cairn_text_add(&below, source);
        if (*title) cairn_figure_retitle(figure, picture->picture.title);
    }
    if (!below.length) cairn_text_add(&below, under);
    if (sources->training) cairn_text_addf(&below, "%s%s", below.length ? "; " : "", optimistic);
    CHECK(cairn_text_status(&below));
    if (below.length) cairn_figure_subtitle(figure, cairn_text_string(&below));
    return cairn_figure_status(figure);
}

/* Title, labels and size as the options say. */
static cairn_status dress(cairn_command *c, cairn_figure *figure)
{
    const draw_options *o = c->options->values;
    double width, height;
    if ((o->x_label || o->y_label) && !cairn_figure_has_axes(figure))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--%s: 'draw %s' has no axes here; --title stands above the picture",
                          o->x_label ? "x-label" : "y-label", c->inner->entry->name);
    if (o->title) cairn_figure_retitle(figure, o->title);
    cairn_figure_relabel(figure, o->x_label, o->y_label);
    CHECK(wanted_size(c, &width, &height));
    if (width > 0 || height > 0)
        cairn_figure_fixed_size(figure, width > 0 ? width : 480, height > 0 ? height : 320);
    return cairn_figure_status(figure);
}

/* The figure goes into the report as well, which shows it as letters in a terminal; a size that
 * is given holds for both. */
static cairn_status draw_run(cairn_command *c)
{
    const draw_options *options = c->options->values;
    const cairn_calculator *picture = cairn_calculator_of(c->inner->entry);
    const char *out = options->common.printing.out;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    const cairn_model *drawn = NULL;
    SCOPED(cairn_sources_clear) cairn_sources sources = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const char *word;
    char what[96];
    snprintf(what, sizeof what, "draw %s", picture->picture.name);
    if (out && !cairn_picture_format(out) && !cairn_out_is_report(out) &&
        strcmp(out, "/dev/null") != 0 && !cairn_params_is_set(c->options, "format")) {
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--out %s: a picture ends with .svg, .png or .pdf, a page with .html",
                          out);
    }
    /* The word that says what is to be drawn is taken off those that name models and data. */
    word = NULL;
    if (picture->takes_word) {
        if (!c->n_words)
            return cairn_fail(c->ctx, CAIRN_USAGE, "'draw %s' needs a word: cairn draw %s %s ...",
                              picture->picture.name, picture->picture.name, picture->arguments);
        word = c->words[0];
        c->words++, c->given++, c->n_words--;
        CHECK(cairn_virtual_real(c->ctx, c->files, &word));
    }
    CHECK(read_sources(c, picture, what, &model, &sources));
    CHECK(pick_target(c, model, &drawn));
    sources.chosen = drawn != model;
    CHECK(cairn_sources_refuse_unread(c, what, picture->reads, &sources));
    cairn_compute_job job = {.what = what,
                             .params = c->inner->values,
                             .table = sources.n ? sources.list[0] : NULL,
                             .tables = {(const cairn_table *const *)sources.list, sources.n},
                             .word = word,
                             .model = drawn};
    CHECK(picture->draw(c->ctx, &figure, &job));
    CHECK(caption(c, figure, picture, &sources));
    CHECK(dress(c, figure));
    if (out && cairn_picture_format(out)) CHECK(cairn_command_write_picture(c, figure, out));
    cairn_report_figure(c->report, figure);
    figure = NULL;
    return CAIRN_OK;
}

const cairn_verb cairn_verb_draw = {
    .entry =
        {.kind = CAIRN_ENTRY_VERB,
         .name = "draw",
         .also = "plot, chart, visualise, picture, graph, figure, diagram",
         .about = "ggplot, ggplot2, matplotlib, seaborn, plotly",
         .title = "Draw a picture",
         .summary =
             "Draws a picture of data, of a model, or of both ('cairn list pictures' names "
             "them). --out FILE.svg, FILE.png or FILE.pdf writes it, -.svg to standard output; "
             "without --out it is drawn in the terminal. Where that makes sense several models or "
             "data files "
             "are drawn into one picture.",
         .example = "cairn draw scatter @iris --out iris.svg",
         .params = draw_params,
         .params_size = sizeof(draw_options)},
    .arguments = "PICTURE [MODEL ...] [DATA ...]",
    .least = 1,
    .most = 34,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_PICTURE,
    .run = draw_run,
};
