/* SPDX-License-Identifier: MIT */
/* What pictures share: choosing columns, figures of models, a word about great width. */
#include "pictures/picture.h"

#include "plots/skew.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/shape.h"
#include <math.h>
#include <stdarg.h>

cairn_status cairn_picture_new(cairn_context *ctx, cairn_figure **out, const char *name,
                               const cairn_table *table, const char *format, ...)
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    va_list arguments;
    va_start(arguments, format);
    cairn_text_addv(&title, format, arguments);
    va_end(arguments);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_figure_new(ctx, out, name, cairn_text_string(&title)));
    if (table) cairn_figure_subtitle(*out, table->source);
    return CAIRN_OK;
}

void cairn_picture_legend(cairn_figure *figure, const cairn_groups *groups)
{
    cairn_figure_legend_title(figure, groups->column);
    if (groups->n) cairn_figure_grey_name(figure, "missing");
}

cairn_status cairn_picture_groups(cairn_context *ctx, cairn_groups *out, const cairn_table *table,
                                  const char *name)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    size_t at;
    *out = (cairn_groups){0};
    if (cairn_same(name, "none")) return CAIRN_OK;
    if (name)
        CHECK(cairn_table_get(ctx, table, name, &at));
    else if (target < 0 || table->slots[target].column->kind != CAIRN_LEVEL)
        return CAIRN_OK;
    else
        at = (size_t)target;
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{colour}: '%s' holds no levels; {kinds \"%s=level\"} takes its values "
                          "as levels",
                          table->slots[at].name, table->slots[at].name);
    CHECK(SCRATCH(ctx, &out->names, column->names.n + 1));
    for (size_t i = 0; i < column->names.n; i++) out->names[i] = cairn_map_key(&column->names, i);
    out->n = column->names.n;
    out->codes = column->codes;
    out->column = table->slots[at].name;
    return CAIRN_OK;
}

cairn_status cairn_picture_numbers(cairn_context *ctx, size_t *out, const cairn_table *table,
                                   const char *option, const char *name, size_t i)
{
    if (name) {
        cairn_status status = cairn_table_get(ctx, table, name, out);
        if (status) return status;
        if (cairn_table_numbers(table, *out)) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' holds %s, not numbers", option, name,
                          cairn_kind_plural(cairn_table_kind(table, *out)));
    }
    size_t seen = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && cairn_table_numbers(table, c) && seen++ == i) {
            *out = c;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu number columns, too few for this picture",
                      table->source ? table->source : "the table", seen);
}

cairn_status cairn_picture_pair(cairn_context *ctx, size_t out[2], const cairn_table *table,
                                const char *x, const char *y)
{
    if (table->shape == CAIRN_SHAPE_DISTANCES)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a matrix of distances has no columns that rows can be drawn over");
    CHECK(cairn_picture_numbers(ctx, &out[0], table, "x", x, 0));
    CHECK(cairn_picture_numbers(ctx, &out[1], table, "y", y, x ? 0 : 1));
    if (!y && out[0] == out[1]) CHECK(cairn_picture_numbers(ctx, &out[1], table, "y", NULL, 1));
    if (out[0] != out[1]) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{x} and {y} name the same column");
}

cairn_scale cairn_picture_scale(const cairn_table *table, size_t column)
{
    return cairn_table_kind(table, column) == CAIRN_TIME ? CAIRN_SCALE_TIME : CAIRN_SCALE_LINEAR;
}

cairn_status cairn_picture_column_of(cairn_context *ctx, cairn_picture_column *out,
                                     const cairn_table *table, const char *column,
                                     const char *colour)
{
    cairn_status status;
    cairn_view view;
    size_t at;
    TRY(cairn_picture_numbers(ctx, &at, table, "column", column, 0));
    TRY(cairn_picture_groups(ctx, &out->groups, table, colour));
    TRY(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    out->name = table->slots[at].name;
    out->scale = cairn_picture_scale(table, at);
    out->pattern = out->scale == CAIRN_SCALE_TIME ? table->slots[at].column->pattern : NULL;
    out->values = cairn_table_numbers(table, at);
    out->weights = view.row_weights;
    out->n_rows = table->n_rows;
    TRY(cairn_sample_make(ctx, &out->sample, out->values, out->weights, out->n_rows,
                          (cairn_part){NULL, 0}));
    if (!out->sample.n)
        status = cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw", out->name);
done:
    return status;
}

const cairn_choice cairn_picture_logs[] = {
    {"auto", CAIRN_LOG_AUTO, "where the column is very skewed, and with a word"},
    {"no", CAIRN_LOG_NO, "the values as they are"},
    {"yes", CAIRN_LOG_YES, "logarithms"},
    {NULL, 0, NULL},
};

cairn_status cairn_picture_unskew(cairn_context *ctx, cairn_picture_column *c, int choice,
                                  bool *logs, double *cut, cairn_figure *figure)
{
    SCOPED(cairn_text_clear) cairn_text below = cairn_text_start(ctx);
    bool positive = c->sample.values[0] > 0, skewed = !c->pattern && cairn_skew_is(&c->sample);
    const char *under = cairn_figure_subtitle_of(figure);
    double *values;
    *cut = NAN;
    *logs = choice == CAIRN_LOG_YES || (choice == CAIRN_LOG_AUTO && skewed && positive);
    if (*logs && !positive)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{log}: '%s' has values of 0 or less, which have no logarithm", c->name);
    if (!*logs && !(choice == CAIRN_LOG_AUTO && skewed)) return CAIRN_OK;
    cairn_text_addf(&below, "%s%s", under, *under ? "; " : "");
    if (*logs) {
        CHECK(SCRATCH_RAW(ctx, &values, c->n_rows + 1));
        for (size_t i = 0; i < c->n_rows; i++) values[i] = cairn_log10(c->values[i]);
        c->values = values;
        CHECK(cairn_sample_make(ctx, &c->sample, c->values, c->weights, c->n_rows,
                                (cairn_part){NULL, 0}));
        c->scale = CAIRN_SCALE_LOG;
        cairn_text_addf(&below, "%slogarithmic scale", skewed ? "skewed, so on a " : "");
    } else {
        *cut = cairn_skew_cut(&below, &c->sample);
    }
    CHECK(cairn_text_status(&below));
    cairn_figure_subtitle(figure, cairn_text_string(&below));
    return cairn_figure_status(figure);
}

cairn_status cairn_picture_of_model(cairn_context *ctx, cairn_figure **out,
                                    const cairn_model *model, const char *name, const char *what)
{
    CHECK(cairn_model_draw(ctx, out, model, name, NULL, 0));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "a model of %s has no %s to draw",
                      cairn_model_learner(model), what);
}

cairn_status cairn_picture_warn_wide(cairn_context *ctx, const cairn_figure *figure,
                                     const char *remedy)
{
    double width = 0;
    cairn_status status = cairn_figure_extent(ctx, figure, &width);
    if (!status && width > CAIRN_PICTURE_COMFORT)
        cairn_warn(ctx, "in a file the picture is %d points wide; %s make it smaller", (int)width,
                   remedy);
    return status;
}
