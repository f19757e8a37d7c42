/* SPDX-License-Identifier: MIT */
/* The legend: its entries, its measure, its drawing. Entries that look and read the same are kept
 * once. */
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include <math.h>

static const double row_height = 15, key_width = 26, column_gap = 14;

static bool is_known(const cairn_legend *legend, const cairn_legend_entry *entry)
{
    for (size_t i = 0; i < legend->n; i++) {
        const cairn_legend_entry *known = &legend->entries[i];
        if (known->key == entry->key && known->colour == entry->colour &&
            known->shape == entry->shape && known->dash == entry->dash &&
            cairn_same(known->label, entry->label))
            return true;
    }
    return false;
}

static cairn_status add_entry(cairn_context *ctx, cairn_legend *legend, cairn_legend_entry entry)
{
    if (!entry.label || !*entry.label) return CAIRN_OK;
    if (legend->n < 100 && is_known(legend, &entry)) return CAIRN_OK;
    if (legend->n == legend->capacity) {
        cairn_legend_entry *more;
        size_t capacity = legend->capacity * 2 + 16;
        cairn_status status = SCRATCH(ctx, &more, capacity);
        if (status) return status;
        for (size_t i = 0; i < legend->n; i++) more[i] = legend->entries[i];
        legend->entries = more;
        legend->capacity = capacity;
    }
    legend->entries[legend->n++] = entry;
    return CAIRN_OK;
}

/* What the groups are values of; an entry without a label is left out. */
static cairn_legend_entry head_entry(const cairn_figure *figure)
{
    return (cairn_legend_entry){
        .key = CAIRN_KEY_HEAD, .label = figure->legend_title, .colour = CAIRN_INK, .group = -1};
}

static cairn_status add_groups(cairn_context *ctx, cairn_legend *legend, cairn_key key,
                               const cairn_figure *figure, const cairn_series *series,
                               char *const *names, size_t n)
{
    cairn_status status = CAIRN_OK;
    if (n && figure->legend_title) status = add_entry(ctx, legend, head_entry(figure));
    for (size_t g = 0; g < n && !status; g++)
        status = add_entry(
            ctx, legend,
            (cairn_legend_entry){.key = key,
                                 .label = names[g],
                                 .colour = key == CAIRN_KEY_FILL ? cairn_group_fill((int64_t)g)
                                                                 : cairn_group_colour((int64_t)g),
                                 .shape = cairn_marking_shape(figure->marking, (int64_t)g),
                                 .marking = figure->marking,
                                 .opacity = 1,
                                 .group = (int64_t)g,
                                 .series = series});
    for (size_t i = 0; n && figure->grey_name && series && series->group && i < series->n; i++) {
        if (status || series->group[i] >= 0) continue;
        status = add_entry(ctx, legend,
                           (cairn_legend_entry){.key = key,
                                                .label = figure->grey_name,
                                                .colour = cairn_group_colour(-1),
                                                .shape = cairn_marking_shape(figure->marking, -1),
                                                .marking = figure->marking,
                                                .opacity = 1,
                                                .group = -1,
                                                .series = series});
        break;
    }
    return status;
}

/* The key must look like what it stands for: the same dash, opacity and shape as draw the series.
 * */
static cairn_legend_entry series_entry(const cairn_figure *figure, const cairn_series *series)
{
    int64_t at = (int64_t)cairn_series_colour(figure, series);
    cairn_legend_entry entry = {.label = series->label,
                                .colour = cairn_group_colour(at),
                                .opacity = 1,
                                .group = -1,
                                .series = series};
    switch (series->kind) {
    case CAIRN_LINE:
        entry.key = CAIRN_KEY_LINE;
        entry.dash = cairn_line_dash(figure, series);
        if (series->thick) entry.colour = CAIRN_INK;
        break;
    case CAIRN_BAND:
        entry.key = CAIRN_KEY_FILL;
        entry.opacity = series->strength > 0 ? series->strength : 0.25;
        break;
    case CAIRN_RULE_X:
    case CAIRN_RULE_Y:
        entry.key = CAIRN_KEY_LINE;
        entry.colour = CAIRN_QUIET;
        entry.dash = 1 + (int)(series->ordinal % CAIRN_N_DASHES);
        break;
    case CAIRN_HISTOGRAM:
        entry.key = CAIRN_KEY_FILL;
        entry.opacity = figure->counts[CAIRN_HISTOGRAM] > 1 && !figure->stacked ? 0.6 : 0.85;
        break;
    case CAIRN_MARK:
        entry.key = CAIRN_KEY_RING;
        entry.shape = cairn_mark_shape(figure, series);
        entry.colour = 0x1A1A1A;
        break;
    default: entry.key = CAIRN_KEY_FILL;
    }
    if (series->kind == CAIRN_HISTOGRAM || series->kind == CAIRN_BARS)
        entry.colour = cairn_group_fill(at);
    return entry;
}

cairn_status cairn_legend_collect(cairn_context *ctx, cairn_legend *legend,
                                  const cairn_figure *figure)
{
    bool headed = false;
    *legend = (cairn_legend){0};
    CHECK(add_groups(ctx, legend, CAIRN_KEY_FILL, figure, NULL, figure->tree_groups,
                     figure->n_tree_groups));
    for (size_t s = 0; s < figure->n_series; s++) {
        const cairn_series *series = &figure->series[s];
        if (series->kind == CAIRN_POINTS)
            CHECK(add_groups(ctx, legend, CAIRN_KEY_MARK, figure, series, series->names,
                             series->n_names));
        else if (series->kind != CAIRN_LABEL) {
            if (series->own && !headed) CHECK(add_entry(ctx, legend, head_entry(figure)));
            headed |= series->own > 0;
            CHECK(add_entry(ctx, legend, series_entry(figure, series)));
        }
    }
    for (size_t k = 0; k < figure->n_order_keys; k++) {
        const cairn_order_key *key = &figure->order_keys[k];
        CHECK(add_entry(ctx, legend,
                        (cairn_legend_entry){.key = key->path ? CAIRN_KEY_LINE : CAIRN_KEY_NODE,
                                             .label = key->label,
                                             .colour = CAIRN_INK,
                                             .opacity = 1,
                                             .group = -1,
                                             .look = key->look}));
    }
    legend->n_shown = legend->n < CAIRN_MOST_KEYS ? legend->n : CAIRN_MOST_KEYS;
    return CAIRN_OK;
}

/* Rows when there are `columns`, with the line that counts the rest. */
static size_t rows_for(const cairn_legend *legend, size_t columns)
{
    size_t cells = legend->n_shown + (legend->n_shown < legend->n);
    return (cells + columns - 1) / columns;
}

void cairn_legend_measure(cairn_legend *legend, double width, double height)
{
    double widest =
        legend->n_shown < legend->n ? cairn_measure("… 0000 more", CAIRN_TICK_SIZE, false) : 16;
    for (size_t i = 0; i < legend->n; i++)
        widest = fmax(widest, cairn_measure(legend->entries[i].label, CAIRN_TICK_SIZE, false));
    legend->column_width = fmin(key_width + widest + column_gap, fmax(width - 8, 40));
    size_t most_columns = (size_t)fmax(1, floor((width - 8) / legend->column_width));
    size_t most_rows = (size_t)fmax(1, floor((height - 8) / row_height));
    legend->n_columns = 1;
    while (legend->n_columns < most_columns && rows_for(legend, legend->n_columns) > most_rows)
        legend->n_columns++;
    if (rows_for(legend, legend->n_columns) > most_rows)
        legend->n_shown = most_rows * legend->n_columns - (most_rows * legend->n_columns > 1);
    legend->box.width = legend->column_width * (double)legend->n_columns - column_gap + 16;
    legend->box.height = row_height * (double)rows_for(legend, legend->n_columns) + 8;
}

void cairn_legend_fit(cairn_legend *legend, double width)
{
    size_t wanted = legend->n_shown;
    for (size_t rows = 1; rows <= wanted; rows++) {
        legend->n_shown = wanted;
        cairn_legend_measure(legend, width, row_height * (double)rows + 8);
        if (legend->n_shown == wanted) return;
    }
}

/* All keys are 20 wide, so that labels line up whatever mixture of lines, marks and fills they
 * have. */
static void draw_key(cairn_canvas *canvas, const cairn_legend_entry *entry, double x, double y)
{
    cairn_style style = cairn_line_style(entry->colour, 1.8);
    const double line[] = {x, y, x + 20, y}, middle[] = {x + 10, y};
    style.dash = entry->dash;
    switch (entry->key) {
    case CAIRN_KEY_LINE: canvas->path(canvas, line, 2, false, &style); break;
    case CAIRN_KEY_RING: cairn_draw_ring(canvas, entry->shape, x + 10, y, 5, &style); break;
    case CAIRN_KEY_MARK:
        style = cairn_marking_style(entry->marking, entry->group, 0);
        style.opacity = 1;
        canvas->marks(canvas, entry->shape, entry->marking == CAIRN_MARKING_SIGNS ? 5 : 3.8, middle,
                      1, &style);
        break;
    case CAIRN_KEY_NODE:
        cairn_draw_outline(canvas, &entry->look, (cairn_box){x, y - 5.5, 20, 11});
        break;
    case CAIRN_KEY_HEAD: break;
    case CAIRN_KEY_FILL:
        style = cairn_fill_style(entry->colour);
        style.opacity = entry->opacity;
        canvas->rectangle(canvas, (cairn_box){x + 4, y - 5, 13, 10}, 2, &style);
    }
}

void cairn_legend_draw(cairn_context *ctx, cairn_canvas *canvas, const cairn_legend *legend)
{
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_START);
    size_t rows = rows_for(legend, legend->n_columns);
    if (legend->framed) {
        cairn_style frame = cairn_line_style(0xD0D0D0, 0.8);
        frame.fill = 0xFFFFFF;
        frame.opacity = 0.92;
        canvas->rectangle(canvas, legend->box, 3, &frame);
    }
    for (size_t i = 0; i < legend->n_shown + (legend->n_shown < legend->n); i++) {
        size_t column = i / rows;
        double x = legend->box.x + 6 + legend->column_width * (double)column;
        double y = legend->box.y + 4 + row_height * ((double)(i % rows) + 0.5);
        double buffer = legend->column_width - key_width - column_gap + 4;
        char more[CAIRN_NUMBER_SIZE + 16] = "… ";
        const char *label = more;
        bool head = i < legend->n_shown && legend->entries[i].key == CAIRN_KEY_HEAD;
        font.bold = head;
        if (i < legend->n_shown) {
            draw_key(canvas, &legend->entries[i], x, y);
            label = legend->entries[i].label;
        } else {
            size_t end = 4 + cairn_number_format(more + 4, (double)(legend->n - i), 9);
            for (const char *p = " more"; *p; p++) more[end++] = *p;
        }
        cairn_draw_fitted(ctx, canvas, head ? x : x + key_width, y + 3.5, label, &font,
                          head ? buffer + key_width : buffer);
    }
}
