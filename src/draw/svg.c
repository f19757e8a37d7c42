/* SPDX-License-Identifier: MIT */
/* SVG, written by hand: small, without ids (so that several pictures can stand in one page), and
 * the same bytes every time. Numbers have at most two decimals. Clipping is a nested <svg>. */
#include "draw/svg.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

#define FONTS "Helvetica Neue,Helvetica,Arial,DejaVu Sans,Liberation Sans,sans-serif"

static cairn_text *text_of(cairn_canvas *canvas)
{
    return &((cairn_svg *)canvas)->text;
}

/* Two decimals without trailing zeros; what is not finite or far outside is held at the border. */
static void add_coordinate(cairn_text *text, double number)
{
    char digits[CAIRN_NUMBER_SIZE];
    if (!(number > -1e6)) number = -1e6;
    if (number > 1e6) number = 1e6;
    size_t n = cairn_number_fixed(digits, number, 2);
    while (digits[n - 1] == '0') n--;
    if (digits[n - 1] == '.') n--;
    cairn_text_add_bytes(text, digits, n);
}

static void add_attribute(cairn_text *text, const char *name, double number)
{
    cairn_text_addf(text, " %s=\"", name);
    add_coordinate(text, number);
    cairn_text_add_char(text, '"');
}

static void add_colour(cairn_text *text, const char *name, cairn_colour colour)
{
    if (colour == CAIRN_NO_COLOUR)
        cairn_text_addf(text, " %s=\"none\"", name);
    else
        cairn_text_addf(text, " %s=\"#%06x\"", name, (unsigned)colour);
}

static void add_style(cairn_text *text, const cairn_style *style)
{
    add_colour(text, "fill", style->fill);
    if (style->stroke != CAIRN_NO_COLOUR) {
        add_colour(text, "stroke", style->stroke);
        add_attribute(text, "stroke-width", style->width);
        if (style->dash > 0) {
            const double *dash = cairn_dash_table[(style->dash - 1) % CAIRN_N_DASHES];
            cairn_text_add(text, " stroke-dasharray=\"");
            for (int i = 0; i < CAIRN_DASH_LENGTH && dash[i] > 0; i++) {
                if (i) cairn_text_add_char(text, ' ');
                add_coordinate(text, dash[i]);
            }
            cairn_text_add_char(text, '"');
        }
    }
    if (style->opacity < 1) add_attribute(text, "opacity", style->opacity);
}

static void add_point(cairn_text *text, char letter, double x, double y)
{
    cairn_text_add_char(text, letter);
    add_coordinate(text, x);
    cairn_text_add_char(text, ' ');
    add_coordinate(text, y);
}

static void add_path_data(cairn_text *text, const double *xy, size_t n, bool closed)
{
    cairn_text_add(text, " d=\"");
    for (size_t i = 0; i < n; i++) add_point(text, i ? 'L' : 'M', xy[2 * i], xy[2 * i + 1]);
    cairn_text_add(text, closed ? "Z\"" : "\"");
}

static void svg_path(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                     const cairn_style *style)
{
    cairn_text *text = text_of(canvas);
    if (n == 0) return;
    cairn_text_add(text, "<path");
    add_path_data(text, xy, n, closed);
    add_style(text, style);
    if (style->stroke != CAIRN_NO_COLOUR && n > 2)
        cairn_text_add(text, " stroke-linejoin=\"round\"");
    cairn_text_add(text, "/>\n");
}

static void add_box(cairn_text *text, cairn_box box)
{
    add_attribute(text, "x", box.x);
    add_attribute(text, "y", box.y);
    add_attribute(text, "width", fmax(box.width, 0));
    add_attribute(text, "height", fmax(box.height, 0));
}

static void svg_rectangle(cairn_canvas *canvas, cairn_box box, double radius,
                          const cairn_style *style)
{
    cairn_text *text = text_of(canvas);
    cairn_text_add(text, "<rect");
    add_box(text, box);
    if (radius > 0) add_attribute(text, "rx", radius);
    add_style(text, style);
    cairn_text_add(text, "/>\n");
}

static void add_circle(cairn_text *text, double x, double y, double radius)
{
    cairn_text_add(text, "<circle");
    add_attribute(text, "cx", x);
    add_attribute(text, "cy", y);
    add_attribute(text, "r", radius);
}

static void svg_circle(cairn_canvas *canvas, double x, double y, double radius,
                       const cairn_style *style)
{
    cairn_text *text = text_of(canvas);
    add_circle(text, x, y, radius);
    add_style(text, style);
    cairn_text_add(text, "/>\n");
}

/* The style stands once on a group. */
static void svg_marks(cairn_canvas *canvas, cairn_canvas_shape shape, double radius,
                      const double *xy, size_t n, const cairn_style *style)
{
    cairn_text *text = text_of(canvas);
    double outline[2 * CAIRN_OUTLINE_SIZE] = {0}, moved[2 * CAIRN_OUTLINE_SIZE] = {0};
    size_t corners = cairn_shape_outline(shape, radius, outline);
    if (n == 0) return;
    cairn_style shared = *style;
    shared.opacity = 1; /* on a group it would blend the group as a whole */
    cairn_text_add(text, "<g");
    add_style(text, &shared);
    if (style->opacity < 1) add_attribute(text, "fill-opacity", style->opacity);
    cairn_text_add(text, ">\n");
    for (size_t i = 0; i < n; i++) {
        if (corners == 0) {
            add_circle(text, xy[2 * i], xy[2 * i + 1], radius);
        } else {
            for (size_t j = 0; j < 2 * corners; j++) moved[j] = xy[2 * i + j % 2] + outline[j];
            cairn_text_add(text, "<path");
            add_path_data(text, moved, corners, true);
        }
        cairn_text_add(text, "/>\n");
    }
    cairn_text_add(text, "</g>\n");
}

/* Attributes at their usual value are left out, as a plot has hundreds of texts; angles turn the
 * other way in SVG. */
static void svg_text(cairn_canvas *canvas, double x, double y, const char *string,
                     const cairn_font *font)
{
    static const char *const anchors[] = {
        [CAIRN_START] = "start", [CAIRN_MIDDLE] = "middle", [CAIRN_END] = "end"};
    cairn_text *text = text_of(canvas);
    if (!*string) return;
    cairn_text_add(text, "<text");
    add_attribute(text, "x", x);
    add_attribute(text, "y", y);
    add_attribute(text, "font-size", font->size);
    add_colour(text, "fill", font->colour);
    if (font->align != CAIRN_START)
        cairn_text_addf(text, " text-anchor=\"%s\"", anchors[font->align]);
    if (font->bold) cairn_text_add(text, " font-weight=\"bold\"");
    if (font->angle != 0) {
        cairn_text_add(text, " transform=\"rotate(");
        add_coordinate(text, -font->angle);
        cairn_text_add_char(text, ' ');
        add_coordinate(text, x);
        cairn_text_add_char(text, ' ');
        add_coordinate(text, y);
        cairn_text_add(text, ")\"");
    }
    cairn_text_add_char(text, '>');
    cairn_text_add_html(text, string);
    cairn_text_add(text, "</text>\n");
}

static void svg_clip(cairn_canvas *canvas, cairn_box box)
{
    cairn_text *text = text_of(canvas);
    cairn_text_add(text, "<svg");
    add_box(text, box);
    cairn_text_add(text, " viewBox=\"");
    const double numbers[] = {box.x, box.y, fmax(box.width, 0), fmax(box.height, 0)};
    for (int i = 0; i < 4; i++) {
        if (i) cairn_text_add_char(text, ' ');
        add_coordinate(text, numbers[i]);
    }
    cairn_text_add(text, "\">\n");
}

static void svg_unclip(cairn_canvas *canvas)
{
    cairn_text_add(text_of(canvas), "</svg>\n");
}

void cairn_svg_start(cairn_context *ctx, cairn_svg *svg, double width, double height,
                     const char *title)
{
    *svg = (cairn_svg){.canvas = {.width = width,
                                  .height = height,
                                  .path = svg_path,
                                  .rectangle = svg_rectangle,
                                  .circle = svg_circle,
                                  .marks = svg_marks,
                                  .text = svg_text,
                                  .clip = svg_clip,
                                  .unclip = svg_unclip},
                       .text = cairn_text_start(ctx)};
    cairn_text *text = &svg->text;
    cairn_text_add(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    add_attribute(text, "width", width);
    add_attribute(text, "height", height);
    cairn_text_add(text, " viewBox=\"0 0 ");
    add_coordinate(text, width);
    cairn_text_add_char(text, ' ');
    add_coordinate(text, height);
    cairn_text_add(text, "\" role=\"img\" font-family=\"" FONTS "\">\n<title>");
    cairn_text_add_html(text, title);
    cairn_text_add(text, "</title>\n");
}

cairn_status cairn_svg_finish(cairn_svg *svg, char **out)
{
    cairn_text_add(&svg->text, "</svg>\n");
    if (svg->canvas.status) {
        cairn_text_clear(&svg->text);
        return svg->canvas.status;
    }
    return cairn_text_take(&svg->text, out);
}
