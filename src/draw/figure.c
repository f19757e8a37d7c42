/* SPDX-License-Identifier: MIT */
/* Building a figure: everything is copied, names are made safe to print, and the first failure
 * sticks. */
#include "draw/figure.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/figure_data.h"
#include "draw/order.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_GROUPS = 1000 };

static bool is_usable(const cairn_figure *figure)
{
    return figure && figure->status == CAIRN_OK;
}

/* A letter as it is shown; line ends and tabs stay in text of several lines and are blanks in
 * others; U+FFFE and U+FFFF, which XML may not hold, become U+FFFD. */
static void add_clean_letter(cairn_text *text, const char *at, const char *shown, bool lines)
{
    bool reserved = strcmp(shown, "\xEF\xBF\xBE") == 0 || strcmp(shown, "\xEF\xBF\xBF") == 0;
    if (*at == '\n' || *at == '\t')
        cairn_text_add_char(text, lines ? *at : ' ');
    else
        cairn_text_add(text, reserved ? "\xEF\xBF\xBD" : shown);
}

static cairn_status copy_clean(cairn_context *ctx, char **out, const char *string, bool lines)
{
    cairn_text text = cairn_text_start(ctx);
    size_t length = string ? strlen(string) : 0;
    char shown[CAIRN_SHOWN_SIZE];
    for (size_t at = 0, step; at < length; at += step) {
        step = cairn_letter_shown(shown, string + at, length - at);
        add_clean_letter(&text, string + at, shown, lines);
    }
    return cairn_text_take(&text, out);
}

static cairn_status copy_label(cairn_context *ctx, char **out, const char *string)
{
    return string ? copy_clean(ctx, out, string, false) : CAIRN_OK;
}

static cairn_status copy_names(cairn_context *ctx, char ***out, const char *const *names, size_t n)
{
    cairn_status status = NEW(ctx, out, n);
    for (size_t i = 0; i < n && !status; i++)
        status = copy_clean(ctx, &(*out)[i], names && names[i] ? names[i] : "", false);
    return status;
}

static cairn_status copy_numbers(cairn_context *ctx, double **out, const double *numbers, size_t n)
{
    cairn_status status = NEW_RAW(ctx, out, n);
    if (!status && n) memcpy(*out, numbers, n * sizeof **out);
    return status;
}

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; names && i < n; i++) cairn_free(names[i]);
    cairn_free(names);
}

cairn_status cairn_figure_new(cairn_context *ctx, cairn_figure **out, const char *name,
                              const char *title)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(NEW(ctx, &figure, 1));
    figure->ctx = ctx;
    figure->x_range = figure->y_range = (cairn_figure_range){NAN, NAN};
    CHECK(copy_clean(ctx, &figure->name, name, false));
    CHECK(copy_clean(ctx, &figure->title, title, false));
    *out = TAKE(figure);
    return CAIRN_OK;
}

static void clear_heat(cairn_heat *heat)
{
    cairn_free(heat->values);
    free_names(heat->row_names, heat->n_rows);
    free_names(heat->column_names, heat->n_columns);
    for (size_t i = 0; i < heat->n_keys; i++) cairn_free(heat->keys[i]);
    *heat = (cairn_heat){0};
}

static void clear_dendro(cairn_dendro *dendro)
{
    for (size_t i = 0; i < dendro->n; i++) cairn_free((char *)dendro->branches[i].text);
    FREE_EACH(dendro->branches, (char *)dendro->look.note);
    *dendro = (cairn_dendro){0};
}

static void clear_series(cairn_series *series)
{
    FREE_EACH(series->label, series->x, series->y, series->high, series->group);
    free_names(series->names, series->n_names);
}

static void clear_node(cairn_figure_node *node)
{
    FREE_EACH(node->edge, node->text, node->shares);
}

void cairn_figure_free(cairn_figure *figure)
{
    if (!figure) return;
    for (size_t i = 0; i < figure->n_series; i++) clear_series(&figure->series[i]);
    for (size_t i = 0; i < figure->n_nodes; i++) clear_node(&figure->nodes[i]);
    for (size_t i = 0; i < figure->n_order_nodes; i++) cairn_free(figure->order_nodes[i].text);
    for (size_t i = 0; i < figure->n_order_keys; i++) cairn_free(figure->order_keys[i].label);
    FREE_EACH(figure->order_nodes, figure->order_lines, figure->order_keys, figure->series,
              figure->nodes);
    free_names(figure->categories, figure->n_categories);
    free_names(figure->y_names, figure->n_y_names);
    free_names(figure->tree_groups, figure->n_tree_groups);
    cairn_map_clear(&figure->category_map);
    cairn_free(figure->category_of_key);
    clear_heat(&figure->heat);
    clear_dendro(&figure->dendro);
    for (size_t i = 0; i < figure->n_panels; i++) cairn_figure_free(figure->panels[i]);
    FREE_EACH(figure->panels, figure->x_title, figure->y_title, figure->name, figure->title,
              figure->subtitle, figure->legend_title, figure->grey_name, figure);
}

cairn_status cairn_figure_status(const cairn_figure *figure)
{
    return figure ? figure->status : CAIRN_OK;
}

const char *cairn_figure_name(const cairn_figure *figure)
{
    return figure ? figure->name : "";
}

const char *cairn_figure_title(const cairn_figure *figure)
{
    return figure ? figure->title : "";
}

void cairn_figure_size(cairn_figure *figure, double width, double height)
{
    if (!is_usable(figure)) return;
    figure->width = width > 0 ? fmin(fmax(width, 80), 20000) : 0;
    figure->height = height > 0 ? fmin(fmax(height, 60), 20000) : 0;
    size_t columns = figure->panel_columns && figure->panel_columns < figure->n_panels
                         ? figure->panel_columns
                         : figure->n_panels;
    for (size_t i = 0; i < figure->n_panels; i++) {
        size_t rows = (figure->n_panels + columns - 1) / columns;
        cairn_figure_size(figure->panels[i], width / (double)columns, height / (double)rows);
    }
}

void cairn_figure_fixed_size(cairn_figure *figure, double width, double height)
{
    if (!is_usable(figure)) return;
    cairn_figure_size(figure, width, height);
    figure->fixed_size = true;
    for (size_t i = 0; i < figure->n_panels; i++) figure->panels[i]->fixed_size = true;
}

void cairn_figure_columns(cairn_figure *figure, size_t columns)
{
    if (is_usable(figure)) figure->panel_columns = columns;
}

void cairn_figure_marking(cairn_figure *figure, cairn_marking marking)
{
    if (is_usable(figure)) figure->marking = marking;
}

void cairn_figure_panel(cairn_figure *figure, cairn_figure *panel)
{
    if (is_usable(figure)) {
        if (!panel || panel->status)
            figure->status = panel ? panel->status : CAIRN_INTERNAL;
        else
            figure->status =
                GROW(figure->ctx, &figure->panels, &figure->panels_capacity, figure->n_panels + 1);
        if (!figure->status) {
            figure->panels[figure->n_panels++] = panel;
            panel = NULL;
        }
    }
    cairn_figure_free(panel);
}

static void set_label(cairn_figure *figure, char **field, const char *string)
{
    cairn_free(*field);
    *field = NULL;
    figure->status = copy_label(figure->ctx, field, string);
}

void cairn_figure_axes(cairn_figure *figure, const char *x_title, const char *y_title)
{
    if (is_usable(figure)) set_label(figure, &figure->x_title, x_title);
    if (is_usable(figure)) set_label(figure, &figure->y_title, y_title);
}

void cairn_figure_retitle(cairn_figure *figure, const char *title)
{
    char *copy = NULL;
    if (!is_usable(figure)) return;
    figure->status = copy_clean(figure->ctx, &copy, title, false);
    if (figure->status) return;
    cairn_free(figure->title);
    figure->title = copy;
}

static void set_text(cairn_figure *figure, char **to, const char *text)
{
    char *copy = NULL;
    if (!is_usable(figure)) return;
    if (text && *text) figure->status = copy_clean(figure->ctx, &copy, text, false);
    if (figure->status) return;
    cairn_free(*to);
    *to = copy;
}

void cairn_figure_subtitle(cairn_figure *figure, const char *subtitle)
{
    if (figure) set_text(figure, &figure->subtitle, subtitle);
}

const char *cairn_figure_subtitle_of(const cairn_figure *figure)
{
    return figure && figure->subtitle ? figure->subtitle : "";
}

void cairn_figure_legend_title(cairn_figure *figure, const char *title)
{
    if (figure) set_text(figure, &figure->legend_title, title);
}

void cairn_figure_grey_name(cairn_figure *figure, const char *name)
{
    if (figure) set_text(figure, &figure->grey_name, name);
}

void cairn_figure_in_group(cairn_figure *figure, int32_t group)
{
    if (is_usable(figure) && figure->n_series) figure->series[figure->n_series - 1].own = group + 1;
}

bool cairn_figure_has_axes(const cairn_figure *figure)
{
    bool any = false;
    for (size_t i = 0; i < figure->n_panels; i++) any |= cairn_figure_has_axes(figure->panels[i]);
    return any || (!figure->n_panels && !figure->n_nodes && !figure->n_order_nodes &&
                   !figure->has_heat && !figure->dendro.n && !figure->no_axes);
}

void cairn_figure_relabel(cairn_figure *figure, const char *x_title, const char *y_title)
{
    if (!is_usable(figure)) return;
    for (size_t i = 0; i < figure->n_panels; i++)
        cairn_figure_relabel(figure->panels[i], x_title, y_title);
    if (x_title) set_label(figure, &figure->x_title, x_title);
    if (y_title && is_usable(figure)) set_label(figure, &figure->y_title, y_title);
}

static cairn_figure_range ordered(double low, double high)
{
    return low > high ? (cairn_figure_range){high, low} : (cairn_figure_range){low, high};
}

void cairn_figure_x_range(cairn_figure *figure, double low, double high)
{
    if (is_usable(figure)) figure->x_range = ordered(low, high);
}

void cairn_figure_y_range(cairn_figure *figure, double low, double high)
{
    if (is_usable(figure)) figure->y_range = ordered(low, high);
}

void cairn_figure_scales(cairn_figure *figure, cairn_scale x, cairn_scale y)
{
    if (!is_usable(figure)) return;
    figure->x_scale = x;
    figure->y_scale = y;
}

void cairn_figure_equal_axes(cairn_figure *figure)
{
    if (is_usable(figure)) figure->equal_axes = true;
}

void cairn_figure_no_axes(cairn_figure *figure)
{
    if (is_usable(figure)) figure->no_axes = true;
}

/* A new series of `kind` with x, y and high of the given lengths (NULL stays NULL). */
static cairn_series *add_series(cairn_figure *figure, cairn_series_kind kind, const char *label,
                                size_t n)
{
    if (!is_usable(figure)) return NULL;
    figure->status =
        GROW(figure->ctx, &figure->series, &figure->series_capacity, figure->n_series + 1);
    if (figure->status) return NULL;
    cairn_series *series = &figure->series[figure->n_series++];
    *series = (cairn_series){.kind = kind, .ordinal = figure->counts[kind]++, .n = n};
    figure->status = copy_label(figure->ctx, &series->label, label);
    return figure->status ? NULL : series;
}

/* One way in for all kinds of curves: `wanted` has the options, the numbers are copied. A histogram
 * has one edge more than it has heights. */
static void add_curve(cairn_figure *figure, const cairn_series *wanted, const double *x,
                      const double *y, const double *high)
{
    cairn_series *series = add_series(figure, wanted->kind, wanted->label, wanted->n);
    cairn_status status;
    if (!series) return;
    series->dashed = wanted->dashed;
    series->guide = wanted->guide;
    series->faint = wanted->faint;
    series->arrow = wanted->arrow;
    series->thick = wanted->thick;
    series->slim = wanted->slim;
    series->beside = wanted->beside;
    series->align = wanted->align;
    series->is_area = wanted->is_area;
    series->of_group = wanted->of_group;
    series->strength = wanted->strength;
    series->square = wanted->square;
    TRY(copy_numbers(figure->ctx, &series->x, x,
                     wanted->n + (wanted->kind == CAIRN_HISTOGRAM && wanted->n > 0)));
    TRY(copy_numbers(figure->ctx, &series->y, y, wanted->n));
    if (high) TRY(copy_numbers(figure->ctx, &series->high, high, wanted->n));
done:
    figure->status = status;
}

void cairn_figure_points(cairn_figure *figure, const double *x, const double *y,
                         const int32_t *group, size_t n, const char *const *group_names,
                         size_t n_groups)
{
    cairn_status status = CAIRN_OK;
    add_curve(figure, &(cairn_series){.kind = CAIRN_POINTS, .n = n}, x, y, NULL);
    if (!is_usable(figure)) return;
    cairn_series *series = &figure->series[figure->n_series - 1];
    if (group) {
        TRY(NEW_RAW(figure->ctx, &series->group, n));
        if (n) memcpy(series->group, group, n * sizeof *group);
    }
    if (group_names && n_groups) {
        series->n_names = n_groups < MOST_GROUPS ? n_groups : MOST_GROUPS;
        TRY(copy_names(figure->ctx, &series->names, group_names, series->n_names));
    }
done:
    figure->status = status;
}

void cairn_figure_colours(cairn_figure *figure, const double *x, const double *y,
                          const uint32_t *colours, size_t n, bool cells)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_COLOURS, .n = n, .is_area = cells}, x, y, NULL);
    if (!is_usable(figure)) return;
    cairn_series *series = &figure->series[figure->n_series - 1];
    figure->status = NEW_RAW(figure->ctx, &series->group, n);
    for (size_t i = 0; figure->status == CAIRN_OK && i < n; i++)
        series->group[i] = (int32_t)(colours[i] & 0xFFFFFFU);
}

void cairn_figure_line(cairn_figure *figure, const char *label, const double *x, const double *y,
                       size_t n)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_LINE, .label = (char *)label, .n = n}, x, y,
              NULL);
}

void cairn_figure_dashed(cairn_figure *figure, const char *label, const double *x, const double *y,
                         size_t n)
{
    cairn_series wanted = {.kind = CAIRN_LINE, .label = (char *)label, .n = n, .dashed = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_beside(cairn_figure *figure, const char *label, const double *x, const double *y,
                         size_t n)
{
    cairn_series wanted = {
        .kind = CAIRN_LINE, .label = (char *)label, .n = n, .dashed = true, .beside = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_thick(cairn_figure *figure, const char *label, const double *x, const double *y,
                        size_t n)
{
    cairn_series wanted = {.kind = CAIRN_LINE, .label = (char *)label, .n = n, .thick = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_dark(cairn_figure *figure, const char *label, const double *x, const double *y,
                       size_t n)
{
    cairn_series wanted = {
        .kind = CAIRN_LINE, .label = (char *)label, .n = n, .thick = true, .slim = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_arrow(cairn_figure *figure, const char *label, const double *x, const double *y,
                        size_t n)
{
    cairn_series wanted = {.kind = CAIRN_LINE, .label = (char *)label, .n = n, .arrow = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_grey_arrow(cairn_figure *figure, const double *x, const double *y, size_t n)
{
    cairn_series wanted = {.kind = CAIRN_LINE, .n = n, .guide = true, .faint = true, .arrow = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_guide(cairn_figure *figure, const double *x, const double *y, size_t n)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_LINE, .n = n, .guide = true}, x, y, NULL);
}

void cairn_figure_faint(cairn_figure *figure, const double *x, const double *y, size_t n)
{
    cairn_series wanted = {.kind = CAIRN_LINE, .n = n, .guide = true, .faint = true};
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_coverage_box(cairn_figure *figure, double right, double top)
{
    if (!is_usable(figure)) return;
    figure->x_counts = right >= 2;
    figure->y_counts = top >= 2;
    cairn_figure_x_range(figure, -0.02 * right, 1.02 * right);
    cairn_figure_y_range(figure, -0.02 * top, 1.02 * top);
    cairn_figure_guide(figure, (double[]){0, right, right, 0, 0}, (double[]){0, 0, top, top, 0}, 5);
    cairn_figure_guide(figure, (double[]){0, right}, (double[]){0, top}, 2);
}

void cairn_figure_band(cairn_figure *figure, const char *label, const double *x, const double *low,
                       const double *high, size_t n)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_BAND, .label = (char *)label, .n = n}, x, low,
              high);
}

void cairn_figure_area(cairn_figure *figure, int32_t group, const double *x, const double *low,
                       const double *high, size_t n)
{
    cairn_figure_shade(figure, NULL, group, 0, x, low, high, n);
}

void cairn_figure_shade(cairn_figure *figure, const char *label, int32_t group, double strength,
                        const double *x, const double *low, const double *high, size_t n)
{
    cairn_series wanted = {.kind = CAIRN_BAND,
                           .label = (char *)label,
                           .n = n,
                           .is_area = true,
                           .of_group = group,
                           .strength = strength};
    add_curve(figure, &wanted, x, low, high);
}

void cairn_figure_side(cairn_figure *figure, int32_t group, double strength, const double *x,
                       const double *y, size_t n)
{
    cairn_figure_shade(figure, NULL, group, strength, x, y, NULL, n);
}

void cairn_figure_face(cairn_figure *figure, int32_t group, double strength, const double *x,
                       const double *y, size_t n)
{
    cairn_series wanted = {
        .kind = CAIRN_FACE, .n = n, .is_area = true, .of_group = group, .strength = strength};
    add_curve(figure, &wanted, x, y, NULL);
}

static void add_single(cairn_figure *figure, cairn_series_kind kind, const char *label, double x,
                       double y)
{
    add_curve(figure, &(cairn_series){.kind = kind, .label = (char *)label, .n = 1}, &x, &y, NULL);
}

void cairn_figure_shape(cairn_figure *figure, int32_t group, const double *x, const double *y,
                        size_t n)
{
    cairn_series wanted = {.kind = CAIRN_BAND, .n = n, .is_area = true, .of_group = group};
    if (group < 0) wanted.of_group = 0;
    add_curve(figure, &wanted, x, y, NULL);
}

void cairn_figure_mark(cairn_figure *figure, const char *label, double x, double y)
{
    add_single(figure, CAIRN_MARK, label, x, y);
}

void cairn_figure_square(cairn_figure *figure, const char *label, double x, double y)
{
    cairn_series wanted = {.kind = CAIRN_MARK, .label = (char *)label, .n = 1, .square = true};
    add_curve(figure, &wanted, &x, &y, NULL);
}

void cairn_figure_rule_x(cairn_figure *figure, const char *label, double at)
{
    add_single(figure, CAIRN_RULE_X, label, at, NAN);
}

void cairn_figure_rule_y(cairn_figure *figure, const char *label, double at)
{
    add_single(figure, CAIRN_RULE_Y, label, NAN, at);
}

void cairn_figure_label(cairn_figure *figure, double x, double y, const char *text)
{
    add_single(figure, CAIRN_LABEL, text ? text : "", x, y);
}

void cairn_figure_text(cairn_figure *figure, double x, double y, char align, const char *text)
{
    const char *label = text ? text : "";
    add_curve(figure,
              &(cairn_series){.kind = CAIRN_LABEL, .label = (char *)label, .n = 1, .align = align},
              &x, &y, NULL);
}

void cairn_figure_named(cairn_figure *figure, double x, double y, int32_t group, const char *text)
{
    const char *label = text ? text : "";
    cairn_series series = {.kind = CAIRN_LABEL, .n = 1, .align = 'm', .of_group = group};
    series.label = (char *)label;
    add_curve(figure, &series, &x, &y, NULL);
}

static cairn_status append_category(cairn_figure *figure, const char *name, size_t *out)
{
    OWNED(cairn_free) char *copy = NULL;
    CHECK(copy_clean(figure->ctx, &copy, name, false));
    CHECK(GROW(figure->ctx, &figure->categories, &figure->categories_capacity,
               figure->n_categories + 1));
    *out = figure->n_categories;
    figure->categories[figure->n_categories++] = copy;
    copy = NULL;
    return CAIRN_OK;
}

/* Category of the i-th bar of a series: the one in the same place if the name agrees, else the
 * first of that name, else a new one. */
static cairn_status find_category(cairn_figure *figure, const char *name, size_t i, size_t *out)
{
    if (i < figure->n_categories && cairn_same(figure->categories[i], name)) {
        *out = i;
        return CAIRN_OK;
    }
    size_t known = figure->category_map.n, key;
    CHECK(cairn_map_add(figure->ctx, &figure->category_map, name, strlen(name), &key));
    if (key < known && figure->counts[CAIRN_BARS] > 1) {
        *out = figure->category_of_key[key];
        return CAIRN_OK;
    }
    CHECK(append_category(figure, name, out));
    if (key < known) return CAIRN_OK; /* the same name twice in the first series */
    CHECK(GROW(figure->ctx, &figure->category_of_key, &figure->keys_capacity, key + 1));
    figure->category_of_key[key] = *out;
    return CAIRN_OK;
}

/* Put the newest bars or histogram on top of the one before it, when they are to be stacked. */
static void stack_on_last(cairn_figure *figure)
{
    if (!is_usable(figure) || !figure->stacked) return;
    cairn_series *top = &figure->series[figure->n_series - 1], *below = NULL;
    for (size_t s = figure->n_series - 1; s-- > 0 && !below;)
        if (figure->series[s].kind == top->kind && figure->series[s].n == top->n)
            below = &figure->series[s];
    figure->status = NEW(figure->ctx, &top->high, top->n);
    for (size_t i = 0; below && !figure->status && i < top->n; i++) {
        top->high[i] = below->y[i];
        top->y[i] += below->y[i];
    }
}

void cairn_figure_y_names(cairn_figure *figure, const char *const *names, size_t n)
{
    if (!is_usable(figure) || figure->y_names || n == 0) return;
    figure->n_y_names = n;
    figure->status = copy_names(figure->ctx, &figure->y_names, names, n);
    figure->y_range = (cairn_figure_range){-0.5, (double)n - 0.5};
}

void cairn_figure_x_names(cairn_figure *figure, const char *const *names, size_t n)
{
    size_t at;
    for (size_t i = 0; i < n && is_usable(figure); i++)
        figure->status = append_category(figure, names[i] ? names[i] : "", &at);
}

void cairn_figure_bars(cairn_figure *figure, const char *label, const char *const *categories,
                       const double *heights, size_t n)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_BARS, .label = (char *)label, .n = n}, heights,
              heights, NULL);
    if (!is_usable(figure)) return;
    cairn_series *series = &figure->series[figure->n_series - 1];
    for (size_t i = 0; i < n && !figure->status; i++) {
        size_t category = 0;
        const char *name = categories && categories[i] ? categories[i] : "";
        figure->status = find_category(figure, name, i, &category);
        series->x[i] = (double)category;
    }
    stack_on_last(figure);
}

void cairn_figure_histogram(cairn_figure *figure, const char *label, const double *edges,
                            const double *counts, size_t n)
{
    add_curve(figure, &(cairn_series){.kind = CAIRN_HISTOGRAM, .label = (char *)label, .n = n},
              edges, counts, NULL);
    stack_on_last(figure);
}

void cairn_figure_stacked(cairn_figure *figure)
{
    if (is_usable(figure)) figure->stacked = true;
}

int cairn_figure_tree_node(cairn_figure *figure, int parent, const char *edge, const char *text,
                           bool is_leaf, int32_t group, const double *shares, size_t n_shares)
{
    cairn_status status;
    if (!is_usable(figure)) return -1;
    if (parent >= (int)figure->n_nodes || (parent < 0 && figure->n_nodes > 0)) {
        figure->status = cairn_fail(figure->ctx, CAIRN_INTERNAL,
                                    "node %zu of the tree in figure '%s' has no parent %d",
                                    figure->n_nodes, figure->name, parent);
        return -1;
    }
    TRY(GROW(figure->ctx, &figure->nodes, &figure->nodes_capacity, figure->n_nodes + 1));
    cairn_figure_node *node = &figure->nodes[figure->n_nodes++];
    *node = (cairn_figure_node){.parent = parent, .is_leaf = is_leaf, .group = group};
    node->depth = parent < 0 ? 0 : figure->nodes[parent].depth + 1;
    if (edge) TRY(copy_clean(figure->ctx, &node->edge, edge, false));
    TRY(copy_clean(figure->ctx, &node->text, text, true));
    if (shares && n_shares) {
        TRY(copy_numbers(figure->ctx, &node->shares, shares, n_shares));
        node->n_shares = n_shares;
    }
done:
    figure->status = status;
    return status ? -1 : (int)figure->n_nodes - 1;
}

void cairn_figure_tree_flag(cairn_figure *figure, int node, unsigned flags)
{
    if (is_usable(figure) && node >= 0 && (size_t)node < figure->n_nodes)
        figure->nodes[node].flags |= flags;
}

void cairn_figure_tree_form(cairn_figure *figure, unsigned form)
{
    if (is_usable(figure)) figure->tree_form = form;
}

void cairn_figure_tree_groups(cairn_figure *figure, const char *const *names, size_t n)
{
    if (!is_usable(figure)) return;
    free_names(figure->tree_groups, figure->n_tree_groups);
    figure->tree_groups = NULL;
    figure->n_tree_groups = n < MOST_GROUPS ? n : MOST_GROUPS;
    figure->status = copy_names(figure->ctx, &figure->tree_groups, names, figure->n_tree_groups);
}

int cairn_figure_order_node(cairn_figure *figure, const char *text, const cairn_order_look *look)
{
    cairn_status status;
    if (!is_usable(figure)) return -1;
    TRY(GROW(figure->ctx, &figure->order_nodes, &figure->order_nodes_capacity,
             figure->n_order_nodes + 1));
    cairn_order_node *node = &figure->order_nodes[figure->n_order_nodes++];
    *node = (cairn_order_node){.look = *look};
    TRY(copy_clean(figure->ctx, &node->text, text, true));
done:
    figure->status = status;
    return status ? -1 : (int)figure->n_order_nodes - 1;
}

void cairn_figure_order_arrows(cairn_figure *figure)
{
    if (is_usable(figure)) figure->order_arrows = true;
}

void cairn_figure_order_line(cairn_figure *figure, int upper, int lower, bool path)
{
    if (!is_usable(figure)) return;
    int n = (int)figure->n_order_nodes;
    if (upper < 0 || lower < 0 || upper >= n || lower >= n || upper == lower) {
        figure->status =
            cairn_fail(figure->ctx, CAIRN_INTERNAL, "figure '%s' has no nodes %d and %d to join",
                       figure->name, upper, lower);
        return;
    }
    figure->status = GROW(figure->ctx, &figure->order_lines, &figure->order_lines_capacity,
                          figure->n_order_lines + 1);
    if (!figure->status)
        figure->order_lines[figure->n_order_lines++] = (cairn_order_line){upper, lower, path};
}

void cairn_figure_order_key(cairn_figure *figure, const char *label, const cairn_order_look *look)
{
    cairn_status status;
    if (!is_usable(figure)) return;
    TRY(GROW(figure->ctx, &figure->order_keys, &figure->order_keys_capacity,
             figure->n_order_keys + 1));
    cairn_order_key *key = &figure->order_keys[figure->n_order_keys++];
    *key = (cairn_order_key){.path = !look};
    if (look) key->look = *look;
    TRY(copy_clean(figure->ctx, &key->label, label, false));
done:
    figure->status = status;
}

void cairn_figure_heat(cairn_figure *figure, const double *values, const char *const *row_names,
                       size_t n_rows, const char *const *column_names, size_t n_columns)
{
    cairn_status status;
    if (!is_usable(figure)) return;
    cairn_heat *heat = &figure->heat;
    clear_heat(heat);
    figure->has_heat = true;
    heat->n_rows = n_rows;
    heat->n_columns = n_columns;
    TRY(copy_numbers(figure->ctx, &heat->values, values, cairn_product(n_rows, n_columns)));
    TRY(copy_names(figure->ctx, &heat->row_names, row_names, n_rows));
    TRY(copy_names(figure->ctx, &heat->column_names, column_names, n_columns));
done:
    figure->status = status;
}

void cairn_figure_heat_key(cairn_figure *figure, double value, const char *label)
{
    if (!is_usable(figure) || figure->heat.n_keys == CAIRN_MOST_HEAT_KEYS) return;
    cairn_heat *heat = &figure->heat;
    figure->status = copy_clean(figure->ctx, &heat->keys[heat->n_keys], label, false);
    if (figure->status) return;
    heat->key_values[heat->n_keys++] = value;
}

/* Fails unless what is joined comes before and is joined once: then it is a tree, and nothing that
 * draws it can go in a circle. */
static cairn_status check_branches(const cairn_figure *figure, const cairn_branch *branches,
                                   size_t n)
{
    SCOPED_SCRATCH(figure->ctx);
    uint8_t *joined;
    size_t ends = 0, joins = 0, bad = n == 0 || n > INT_MAX;
    CHECK(SCRATCH(figure->ctx, &joined, n));
    for (size_t i = 0; i < n && !bad; i++) {
        int part[] = {branches[i].left, branches[i].right};
        ends += part[0] < 0 && part[1] < 0;
        joins += part[0] >= 0 && part[1] >= 0;
        bad = !isfinite(branches[i].height);
        for (int k = 0; k < 2; k++) {
            if (part[k] < 0) continue;
            bad |= (size_t)part[k] >= i || joined[part[k]]++;
        }
    }
    if (!bad && ends + joins == n && ends == joins + 1) return CAIRN_OK;
    return cairn_fail(figure->ctx, CAIRN_INTERNAL, "the %zu branches of figure '%s' are no tree", n,
                      figure->name);
}

void cairn_figure_dendrogram(cairn_figure *figure, const cairn_branch *branches, size_t n,
                             const cairn_dendro_look *look)
{
    cairn_status status;
    char *text;
    if (!is_usable(figure)) return;
    cairn_dendro *dendro = &figure->dendro;
    clear_dendro(dendro);
    TRY(check_branches(figure, branches, n));
    TRY(NEW(figure->ctx, &dendro->branches, n));
    dendro->n = n;
    dendro->look = *look;
    dendro->look.note = NULL;
    for (size_t i = 0; i < n; i++) {
        text = NULL;
        TRY(copy_label(figure->ctx, &text, branches[i].text));
        dendro->branches[i] = branches[i];
        dendro->branches[i].text = text;
    }
    text = NULL;
    TRY(copy_label(figure->ctx, &text, look->note));
    dendro->look.note = text;
done:
    figure->status = status;
}

size_t cairn_figure_n_groups(const cairn_figure *figure)
{
    size_t most = 0;
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind != CAIRN_POINTS) continue;
        if (series->n_names > most) most = series->n_names;
        if (most == 0 && series->n) most = 1;
        for (size_t i = 0; series->group && i < series->n; i++)
            if (series->group[i] >= (int64_t)most) most = (size_t)series->group[i] + 1;
    }
    return most < MOST_GROUPS ? most : MOST_GROUPS;
}

bool cairn_figure_is_piled(const cairn_figure *figure)
{
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if ((series->kind == CAIRN_BARS || series->kind == CAIRN_HISTOGRAM) && series->n)
            return true;
    }
    return false;
}

/* Lines before this one that take a colour of the palette: guides and thick lines take none, one
 * beside another has that one's. */
static size_t coloured_lines(const cairn_figure *figure, const cairn_series *series)
{
    size_t n = 0;
    for (const cairn_series *s = figure->series; s < series; s++)
        n += s->kind == CAIRN_LINE && !s->guide && !s->faint && !s->thick && !s->beside &&
             !(s->dashed && !s->label);
    return series->beside && n ? n - 1 : n;
}

size_t cairn_series_colour(const cairn_figure *figure, const cairn_series *series)
{
    size_t at = series->kind == CAIRN_LINE ? coloured_lines(figure, series) : series->ordinal;
    if (series->kind == CAIRN_POINTS) return 0;
    if (series->own > 0) return (size_t)series->own - 1;
    if (series->is_area) return (size_t)series->of_group;
    at += cairn_figure_n_groups(figure);
    if (series->kind == CAIRN_BARS) return at;
    at += figure->counts[CAIRN_BARS];
    if (series->kind == CAIRN_HISTOGRAM) return at;
    return at + figure->counts[CAIRN_HISTOGRAM];
}
