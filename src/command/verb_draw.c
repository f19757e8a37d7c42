/* SPDX-License-Identifier: MIT */
/* cairn draw: a picture of data, of a model, or of both, to a file or in the terminal. */
#include "command/answers.h"
#include "command/judging.h"

#include "pictures/picture.h"
#include "wrappers/multi_target.h"

#include <stdio.h>

typedef struct draw_options {
    cairn_common common;
    double width, height;
} draw_options;

static const cairn_param draw_params[] = {
    CAIRN_PARAM(draw_options, width, "0", "[0,10000]", "width in points; 0 = as the picture needs",
                .often = true),
    CAIRN_PARAM(draw_options, height, "0", "[0,10000]",
                "height in points; 0 = as the picture needs", .often = true),
    CAIRN_ROLES(draw_options),
    CAIRN_READING(draw_options),
    CAIRN_RUNNING(draw_options),
    CAIRN_PRINTING(draw_options),
    CAIRN_PARAM_END,
};

static cairn_status check_out(cairn_command *c, const char *out)
{
    if (!out || cairn_picture_format(out) || cairn_out_is_report(out) ||
        cairn_params_is_set(c->options, "format"))
        return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--out %s: a picture ends with .svg, .png or .pdf, a page with .html", out);
}

/* A model and perhaps a table, or tables, perhaps made of the answers of models. */
static cairn_status read_sources(cairn_command *c, const cairn_picture *picture,
                                 cairn_model **model, cairn_sources *sources)
{
    char what[96];
    size_t least = (size_t)picture->needs_model + picture->needs_table;
    size_t most = picture->several || picture->answers
                      ? SIZE_MAX
                      : least + picture->takes_table + picture->takes_model;
    snprintf(what, sizeof what, "draw %s", picture->entry.name);
    if (c->n_words < least || c->n_words > most)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' takes %s", what,
                          *picture->arguments ? picture->arguments : "options only");
    if (picture->needs_model || (picture->takes_model && c->n_words)) {
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

/* The figure goes into the report as well, which shows it as letters in a terminal; a size that
 * is given holds for both. */
static cairn_status draw_run(cairn_command *c)
{
    const draw_options *options = c->options->values;
    const cairn_picture *picture = (const cairn_picture *)c->inner->entry;
    const char *out = options->common.printing.out;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    const cairn_model *drawn = NULL;
    SCOPED(cairn_sources_clear) cairn_sources sources = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(check_out(c, out));
    CHECK(read_sources(c, picture, &model, &sources));
    CHECK(pick_target(c, model, &drawn));
    cairn_picture_job job = {c->inner->values,
                             sources.n ? sources.list[0] : NULL,
                             {(const cairn_table *const *)sources.list, sources.n},
                             drawn};
    CHECK(picture->draw(c->ctx, &figure, &job));
    if (options->width > 0 || options->height > 0)
        cairn_figure_fixed_size(figure, options->width > 0 ? options->width : 480,
                                options->height > 0 ? options->height : 320);
    CHECK(cairn_figure_status(figure));
    if (out && cairn_picture_format(out)) CHECK(cairn_command_write_picture(c, figure, out));
    cairn_report_figure(c->report, figure);
    figure = NULL;
    return CAIRN_OK;
}

const cairn_verb cairn_verb_draw = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "draw",
              .also = "plot, chart, visualise, picture, graph, figure, diagram",
              .title = "Draw a picture",
              .summary =
                  "Draws a picture of data, of a model, or of both ('cairn list pictures' names "
                  "them). --out FILE.svg, FILE.png or FILE.pdf writes it; without --out it is "
                  "drawn in the terminal. Where that makes sense several models or data files "
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
