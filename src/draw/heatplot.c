/* SPDX-License-Identifier: MIT */
/* Heat maps: one coloured cell per value, the value printed in it when there is room. Values of one
 * sign run from white to blue; values of both signs from vermilion over white (zero) to blue. Maps
 * with more than 100 rows or columns show the means of blocks. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include <math.h>

enum { MOST_CELLS = 100 };

struct cairn_heat_picture {
    size_t n_rows, n_columns;       /* of cells drawn */
    size_t row_block, column_block; /* values per cell */
    double *values;                 /* n_rows x n_columns */
    double low, high;               /* of the finite values */
    int decimals;                   /* that all values are printed with; -1 = each as it needs */
    cairn_box area;
    double cell_width, cell_height;
    double row_buffer, column_buffer; /* for the names */
    bool slanted, with_text, reduced;
    size_t row_step, column_step; /* every how many names are shown */
};

static size_t block_size(size_t n)
{
    return n > MOST_CELLS ? (n + MOST_CELLS - 1) / MOST_CELLS : 1;
}

/* Mean of the finite values in a block; NaN when there are none. An infinity alone stays one. */
static double block_mean(const cairn_heat *heat, const struct cairn_heat_picture *map, size_t row,
                         size_t column)
{
    double sum = 0, n = 0;
    if (map->row_block == 1 && map->column_block == 1)
        return heat->values[row * heat->n_columns + column];
    for (size_t r = row * map->row_block; r < (row + 1) * map->row_block && r < heat->n_rows; r++)
        for (size_t c = column * map->column_block;
             c < (column + 1) * map->column_block && c < heat->n_columns; c++) {
            double value = heat->values[r * heat->n_columns + c];
            if (!isfinite(value)) continue;
            sum += (value - sum) / ++n;
        }
    return n > 0 ? sum : NAN;
}

static bool all_whole_at(const struct cairn_heat_picture *map, double unit)
{
    for (size_t i = 0; i < map->n_rows * map->n_columns; i++) {
        double scaled = map->values[i] * unit;
        if (isfinite(scaled) && fabs(scaled - round(scaled)) > 1e-6) return false;
    }
    return true;
}

/* Three significant digits of the largest value, fewer where they would all be zeros. */
static int choose_decimals(const struct cairn_heat_picture *map)
{
    double size = fmax(fabs(map->low), fabs(map->high));
    if (isnan(size) || size >= 1e5 || (size > 0 && size < 1e-3)) return -1;
    int most = size >= 100 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 5;
    for (int decimals = 0; decimals < most; decimals++)
        if (all_whole_at(map, cairn_pow(10, decimals))) return decimals;
    return most;
}

static void write_value(const struct cairn_heat_picture *map, char out[CAIRN_NUMBER_SIZE],
                        double value)
{
    if (map->decimals >= 0 && isfinite(value))
        cairn_label_fixed(out, value, map->decimals);
    else
        cairn_label_number(out, value, 3);
}

static cairn_status gather_values(cairn_context *ctx, struct cairn_heat_picture *map,
                                  const cairn_heat *heat)
{
    map->row_block = block_size(heat->n_rows);
    map->column_block = block_size(heat->n_columns);
    map->reduced = map->row_block > 1 || map->column_block > 1;
    map->n_rows = (heat->n_rows + map->row_block - 1) / map->row_block;
    map->n_columns = (heat->n_columns + map->column_block - 1) / map->column_block;
    map->low = map->high = NAN;
    CHECK(SCRATCH_RAW(ctx, &map->values, map->n_rows * map->n_columns));
    for (size_t r = 0; r < map->n_rows; r++)
        for (size_t c = 0; c < map->n_columns; c++) {
            double value = block_mean(heat, map, r, c);
            map->values[r * map->n_columns + c] = value;
            cairn_range_include(&map->low, &map->high, value, CAIRN_SCALE_LINEAR);
        }
    map->decimals = choose_decimals(map);
    return CAIRN_OK;
}

static double widest_name(char *const *names, size_t n)
{
    double widest = 0;
    for (size_t i = 0; i < n; i++)
        widest = fmax(widest, cairn_measure(names[i], CAIRN_TICK_SIZE, false));
    return widest;
}

static double widest_value(const struct cairn_heat_picture *map)
{
    double widest = 0;
    char text[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < map->n_rows * map->n_columns; i++) {
        write_value(map, text, map->values[i]);
        widest = fmax(widest, cairn_measure(text, CAIRN_TICK_SIZE, false));
    }
    return widest;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* What the legend or the key of colours takes to the right of the cells; 0 where the values are
 * printed. */
static double scale_buffer(const struct cairn_heat_picture *map, const cairn_heat *heat)
{
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    double widest = 0;
    for (size_t i = 0; i < heat->n_keys; i++)
        widest = fmax(widest, cairn_measure(heat->keys[i], CAIRN_CAPTION_SIZE, false));
    if (heat->n_keys) return 32 + widest;
    if (map->with_text || isnan(map->low)) return 0;
    cairn_label_number(low, map->low, 3);
    cairn_label_number(high, map->high, 3);
    return 27 + fmax(30, fmax(cairn_measure(low, CAIRN_CAPTION_SIZE, false),
                              cairn_measure(high, CAIRN_CAPTION_SIZE, false)));
}

/* Room for names depends on the size of cells, which depends on the room: a second round settles
 * it. */
static void measure_map(cairn_drawing *drawing, struct cairn_heat_picture *map)
{
    const cairn_figure *figure = drawing->figure;
    const cairn_heat *heat = &figure->heat;
    double names = widest_name(heat->column_names, heat->n_columns);
    double head = fmax(cairn_title_height(figure, fmax(figure->width, 320)) + 8, 12);
    double width = figure->width > 0 ? figure->width : 480;
    double height = figure->height > 0 ? figure->height : 320;
    map->row_buffer = fmin(widest_name(heat->row_names, heat->n_rows), 150);
    double left = 14 + map->row_buffer + 8 + (figure->y_title ? 17 : 0), right = 16;
    double foot = 8 + 18 + (figure->x_title ? 17 : 0) + (map->reduced ? 14 : 0);
    double scale = scale_buffer(map, heat);
    for (int round = 0; round < 2; round++) {
        /* Cells as large as the room allows, within what looks well. */
        double buffer_x = width - left - right - scale;
        double buffer_y = height - head - foot;
        double columns = fmax((double)map->n_columns, 1), rows = fmax((double)map->n_rows, 1);
        double need = widest_value(map) + 10;
        double least_x = columns * need <= 1000 ? need : fmin(12, 600 / columns);
        double least_y = rows * 20 <= 1000 ? 20 : fmin(12, 600 / rows);
        map->cell_width = figure->width > 0 ? fmax(buffer_x / columns, 0.5)
                                            : clamp(buffer_x / columns, least_x, 84);
        map->cell_height =
            figure->height > 0 ? fmax(buffer_y / rows, 0.5) : clamp(buffer_y / rows, least_y, 48);
        map->with_text = map->cell_width >= need - 4 && map->cell_height >= 14;
        map->slanted = names + 6 > map->cell_width;
        map->column_buffer = map->slanted ? fmin(names, 110) : names;
        double slant = map->slanted ? 0.7071 * map->column_buffer : 0;
        foot = 8 + 18 + slant + (figure->x_title ? 17 : 0) + (map->reduced ? 14 : 0);
        left = fmax(left, slant + 12 - map->cell_width / 2);
        scale = scale_buffer(map, heat);
    }
    map->column_step = (size_t)fmax(1, ceil((map->slanted ? 15 : 0) / map->cell_width));
    map->row_step = (size_t)fmax(1, ceil(13 / map->cell_height));
    map->area = (cairn_box){left, head, map->cell_width * (double)map->n_columns,
                            map->cell_height * (double)map->n_rows};
    double title = fmin(cairn_measure(figure->title, CAIRN_TITLE_SIZE, true) + 28, 480);
    drawing->width = fmax(fmax(left + map->area.width + right + scale, title), figure->width);
    drawing->height = fmax(head + map->area.height + foot, figure->height);
}

cairn_status cairn_heatplot_prepare(cairn_drawing *drawing)
{
    struct cairn_heat_picture *map;
    CHECK(SCRATCH(drawing->ctx, &map, 1));
    CHECK(gather_values(drawing->ctx, map, &drawing->figure->heat));
    map->with_text = true;
    measure_map(drawing, map);
    drawing->heat = map;
    return CAIRN_OK;
}

static cairn_colour heat_colour(const struct cairn_heat_picture *map, double value)
{
    const cairn_colour blue = 0x08519C, red = 0xC44E00, white = 0xFCFCFC;
    if (isnan(value)) return 0xDDDDDD;
    if (map->low < 0 && map->high > 0) {
        double most = fmax(-map->low, map->high);
        double share = clamp(value / most, -1, 1);
        return cairn_mix(white, share < 0 ? red : blue, fabs(share));
    }
    double span = map->high - map->low;
    double low = map->low, high = map->high;
    if (low >= 0 && low < high / 2) low = 0; /* counts begin at white */
    if (!(span > 0)) return cairn_mix(white, blue, map->high == 0 ? 0 : 0.5);
    double share = clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
    if (map->high <= 0) return cairn_mix(white, red, 1 - share);
    return cairn_mix(white, blue, share);
}

/* Cells have a white rim only where they are large enough to lose it; a missing value is grey with
 * a dash, off the scale of colours. */
static void draw_cell(const struct cairn_heat_picture *map, cairn_canvas *canvas, size_t row,
                      size_t column)
{
    double value = map->values[row * map->n_columns + column];
    cairn_style style = cairn_fill_style(heat_colour(map, value));
    cairn_box box = {map->area.x + map->cell_width * (double)column,
                     map->area.y + map->cell_height * (double)row, map->cell_width,
                     map->cell_height};
    if (map->cell_width > 10 && map->cell_height > 10) {
        style.stroke = 0xFFFFFF;
        style.width = 1;
    }
    canvas->rectangle(canvas, box, 0, &style);
    if (!map->with_text) return;
    char text[CAIRN_NUMBER_SIZE] = "–";
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_MIDDLE);
    font.colour = cairn_contrast(style.fill);
    if (!isnan(value)) write_value(map, text, value);
    canvas->text(canvas, box.x + box.width / 2, box.y + box.height / 2 + 3.6, text, &font);
}

/* Names that do not fit side by side are slanted, and when even these would touch only every so
 * many are written. */
static void draw_names(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_heat_picture *map = drawing->heat;
    const cairn_heat *heat = &drawing->figure->heat;
    cairn_font font = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_END);
    double bottom = map->area.y + map->area.height;
    for (size_t r = 0; r < map->n_rows; r += map->row_step)
        cairn_draw_fitted(drawing->ctx, canvas, map->area.x - 7,
                          map->area.y + map->cell_height * ((double)r + 0.5) + 3.6,
                          heat->row_names[r * map->row_block], &font, map->row_buffer);
    font.align = map->slanted ? CAIRN_END : CAIRN_MIDDLE;
    font.angle = map->slanted ? 45 : 0;
    for (size_t c = 0; c < map->n_columns; c += map->column_step) {
        double x = map->area.x + map->cell_width * ((double)c + 0.5);
        cairn_draw_fitted(drawing->ctx, canvas, x + (map->slanted ? 4 : 0),
                          bottom + (map->slanted ? 12 : 15),
                          heat->column_names[c * map->column_block], &font, map->column_buffer);
    }
}

/* A map with more cells than can be seen was reduced to means; the note below it says of how many.
 * */
static void draw_titles(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_heat_picture *map = drawing->heat;
    const cairn_figure *figure = drawing->figure;
    cairn_font font = cairn_plain_font(CAIRN_AXIS_SIZE, CAIRN_MIDDLE);
    cairn_box area = map->area;
    double slant = map->slanted ? 0.7071 * map->column_buffer : 0;
    if (figure->x_title)
        cairn_draw_fitted(drawing->ctx, canvas, area.x + area.width / 2,
                          area.y + area.height + slant + 33, figure->x_title, &font,
                          canvas->width - 16);
    font.angle = 90;
    double middle = area.y + area.height / 2;
    if (figure->y_title)
        cairn_draw_fitted(drawing->ctx, canvas, area.x - map->row_buffer - 16, middle,
                          figure->y_title, &font,
                          2 * fmin(area.height / 2 + 4, canvas->height - 4 - middle));
    font.angle = 0;
    font.size = CAIRN_CAPTION_SIZE;
    font.align = CAIRN_END;
    font.colour = CAIRN_QUIET;
    if (!map->reduced) return;
    char text[120] = "";
    size_t at = 0;
    const size_t numbers[] = {map->row_block, map->column_block};
    const char *const words[] = {"each cell is the mean of ", " x ", " values"};
    for (int i = 0; i < 3; i++) {
        for (const char *p = words[i]; *p; p++) text[at++] = *p;
        if (i < 2) at += cairn_number_format(text + at, (double)numbers[i], 12);
    }
    text[at] = 0;
    cairn_draw_fitted(drawing->ctx, canvas, canvas->width - 8, canvas->height - 6, text, &font,
                      canvas->width - 16);
}

/* What values stand for, below each other. */
static void draw_keys(const struct cairn_heat_picture *map, const cairn_heat *heat,
                      cairn_canvas *canvas)
{
    cairn_font font = cairn_plain_font(CAIRN_CAPTION_SIZE, CAIRN_START);
    double x = map->area.x + map->area.width + 14;
    for (size_t i = 0; i < heat->n_keys; i++) {
        double y = map->area.y + 15 * (double)i;
        cairn_style style = cairn_fill_style(heat_colour(map, heat->key_values[i]));
        style.stroke = 0xC8C8C8;
        style.width = 0.8;
        canvas->rectangle(canvas, (cairn_box){x, y, 10, 10}, 0, &style);
        canvas->text(canvas, x + 14, y + 8.5, heat->keys[i], &font);
    }
}

/* A key of colours where the values are not printed. */
static void draw_scale(const struct cairn_heat_picture *map, cairn_canvas *canvas)
{
    enum { STEPS = 24 };
    if (map->with_text || isnan(map->low)) return;
    double x = map->area.x + map->area.width + 14, y = map->area.y;
    double height = fmin(map->area.height, 120);
    cairn_font font = cairn_plain_font(CAIRN_CAPTION_SIZE, CAIRN_START);
    for (int i = 0; i < STEPS; i++) {
        double share = 1 - (i + 0.5) / STEPS;
        double value = map->low * (1 - share) + map->high * share;
        cairn_style style = cairn_fill_style(heat_colour(map, value));
        canvas->rectangle(canvas, (cairn_box){x, y + height * i / STEPS, 10, height / STEPS + 0.3},
                          0, &style);
    }
    char text[CAIRN_NUMBER_SIZE];
    cairn_label_number(text, map->high, 3);
    canvas->text(canvas, x + 13, y + 8, text, &font);
    cairn_label_number(text, map->low, 3);
    canvas->text(canvas, x + 13, y + height, text, &font);
}

cairn_status cairn_heatplot_draw(cairn_drawing *drawing, cairn_canvas *canvas)
{
    const struct cairn_heat_picture *map = drawing->heat;
    for (size_t r = 0; r < map->n_rows; r++)
        for (size_t c = 0; c < map->n_columns; c++) draw_cell(map, canvas, r, c);
    cairn_style frame = cairn_line_style(0xC8C8C8, 0.8);
    canvas->rectangle(canvas, map->area, 0, &frame);
    draw_names(drawing, canvas);
    draw_titles(drawing, canvas);
    if (drawing->figure->heat.n_keys)
        draw_keys(map, &drawing->figure->heat, canvas);
    else
        draw_scale(map, canvas);
    return canvas->status;
}
