/* SPDX-License-Identifier: MIT */
/* SVG, written by hand: small, without ids (so that several pictures can stand in one page), and
 * the same bytes every time. Clipping is a nested <svg>. Numbers have at most two decimals. A path
 * goes from point to point in steps of tenths, without points that lie on the way; lines of one
 * style that follow each other are one path. */
#include "draw/svg.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

#define FONTS "Helvetica Neue,Helvetica,Arial,DejaVu Sans,Liberation Sans,sans-serif"

/* The text, ready for another element: a path that waited for more lines is ended. */
static cairn_text *text_of(cairn_canvas *canvas)
{
    cairn_svg *svg = (cairn_svg *)canvas;
    if (svg->is_open) cairn_text_add(&svg->text, "\"/>\n");
    svg->is_open = false;
    return &svg->text;
}

/* What is not finite or far outside is held at the border. */
static double held(double number)
{
    return number > -1e6 ? fmin(number, 1e6) : -1e6;
}

/* At most two decimals, without zeros that say nothing: .5, 12, -3.25. */
static void add_coordinate(cairn_text *text, double number)
{
    char digits[CAIRN_NUMBER_SIZE], *from = digits;
    size_t n = cairn_number_fixed(digits, held(number), 2);
    while (digits[n - 1] == '0') n--;
    if (digits[n - 1] == '.') n--;
    if (*from == '-') cairn_text_add_char(text, *from++), n--;
    if (*from == '0' && n > 1) from++, n--;
    cairn_text_add_bytes(text, from, n);
}

static void add_attribute(cairn_text *text, const char *name, double number)
{
    cairn_text_addf(text, " %s=\"", name);
    add_coordinate(text, number);
    cairn_text_add_char(text, '"');
}

static void add_colour(cairn_text *text, const char *name, cairn_colour colour)
{
    cairn_text_addf(text, " %s=\"#%06x\"", name, (unsigned)colour);
}

/* The document says once that what names no colour is not filled. */
static void add_style(cairn_text *text, const cairn_style *style)
{
    if (style->fill != CAIRN_NO_COLOUR) add_colour(text, "fill", style->fill);
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

/* -- paths -- */

/* Places of a path are whole numbers of a hundredth, so that its steps add up exactly: tenths, or
 * hundredths for the outline of a mark, which is small. */
enum { PARTS = 100, HUNDREDTH = 1, TENTH = 10 };

static double to_parts(double number, double unit)
{
    return unit * floor(held(number) * PARTS / unit + 0.5);
}

/* A number of a command; between numbers a sign is as good as a blank. */
static void add_number(cairn_text *text, double parts, bool is_first)
{
    if (!is_first && parts >= 0) cairn_text_add_char(text, ' ');
    add_coordinate(text, parts / PARTS);
}

static void add_start(cairn_svg *svg, const double *xy, double unit)
{
    for (int a = 0; a < 2; a++) svg->at[a] = to_parts(xy[a], unit);
    cairn_text_add_char(&svg->text, svg->letter = 'M');
    add_number(&svg->text, svg->at[0], true);
    add_number(&svg->text, svg->at[1], false);
}

static void add_step(cairn_svg *svg, const double *xy, double unit)
{
    double step[2];
    for (int a = 0; a < 2; a++) step[a] = to_parts(xy[a], unit) - svg->at[a];
    if (step[0] == 0 && step[1] == 0) return;
    char letter = step[1] == 0 ? 'h' : step[0] == 0 ? 'v' : 'l';
    bool is_first = letter != svg->letter;
    if (is_first) cairn_text_add_char(&svg->text, svg->letter = letter);
    if (letter != 'v') add_number(&svg->text, step[0], is_first);
    if (letter != 'h') add_number(&svg->text, step[1], is_first && letter == 'v');
    for (int a = 0; a < 2; a++) svg->at[a] += step[a];
}

/* Whether a point lies nearly on the straight way between two others. */
static bool is_on_way(const double *p, const double *from, const double *to, double slack)
{
    double x = p[0] - from[0], y = p[1] - from[1], dx = to[0] - from[0], dy = to[1] - from[1];
    double square = dx * dx + dy * dy;
    double share = square > 0 ? fmin(fmax((x * dx + y * dy) / square, 0), 1) : 0;
    x -= share * dx, y -= share * dy;
    return x * x + y * y <= slack * slack;
}

/* The last point that a straight line from point `i` reaches while all between lie on it. The reach
 * is bounded, since every point on the way is looked at for each further one. */
static size_t reach(const double *xy, size_t n, size_t i, double slack)
{
    enum { FARTHEST = 64 };
    size_t end = i + 1;
    for (; end + 1 < n && end < i + FARTHEST; end++)
        for (size_t k = i + 1; k <= end; k++)
            if (!is_on_way(xy + 2 * k, xy + 2 * i, xy + 2 * (end + 1), slack)) return end;
    return end;
}

/* The points of a path; one that begins where the last ended goes on from there if it may. */
static void add_points(cairn_svg *svg, const double *xy, size_t n, double unit, bool goes_on)
{
    double slack = 0.5 * unit / PARTS;
    bool is_there =
        goes_on && to_parts(xy[0], unit) == svg->at[0] && to_parts(xy[1], unit) == svg->at[1];
    if (!is_there) add_start(svg, xy, unit);
    for (size_t i = 0; i + 1 < n;) {
        i = reach(xy, n, i, slack);
        add_step(svg, xy + 2 * i, unit);
    }
}

static bool is_same_style(const cairn_style *a, const cairn_style *b)
{
    return a->stroke == b->stroke && a->fill == b->fill && a->width == b->width &&
           a->dash == b->dash && a->opacity == b->opacity;
}

/* A line is left open for those that follow it: where nothing is filled and nothing shines through,
 * they look the same as one path. Dashes begin anew in each. */
static void svg_path(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                     const cairn_style *style)
{
    cairn_svg *svg = (cairn_svg *)canvas;
    if (n == 0) return;
    bool is_line = !closed && style->fill == CAIRN_NO_COLOUR && style->opacity >= 1;
    if (svg->is_open && is_line && is_same_style(style, &svg->open_style)) {
        add_points(svg, xy, n, TENTH, style->dash == 0);
        return;
    }
    cairn_text *text = text_of(canvas);
    cairn_text_add(text, "<path");
    add_style(text, style);
    cairn_text_add(text, " d=\"");
    add_points(svg, xy, n, TENTH, false);
    if (closed) cairn_text_add_char(text, 'z');
    svg->open_style = *style;
    if (is_line)
        svg->is_open = true;
    else
        cairn_text_add(text, "\"/>\n");
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

/* The style stands once on a group; places are tenths. */
static void svg_marks(cairn_canvas *canvas, cairn_canvas_shape shape, double radius,
                      const double *xy, size_t n, const cairn_style *style)
{
    cairn_svg *svg = (cairn_svg *)canvas;
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
        const double at[] = {to_parts(xy[2 * i], TENTH) / PARTS,
                             to_parts(xy[2 * i + 1], TENTH) / PARTS};
        if (corners == 0) {
            add_circle(text, at[0], at[1], radius);
        } else {
            for (size_t j = 0; j < 2 * corners; j++) moved[j] = at[j % 2] + outline[j];
            cairn_text_add(text, "<path d=\"");
            add_points(svg, moved, corners, HUNDREDTH, false);
            cairn_text_add(text, "z\"");
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
    cairn_text_add(text,
                   "\" role=\"img\" fill=\"none\" stroke-linejoin=\"round\" font-family=\"" FONTS
                   "\">\n<title>");
    cairn_text_add_html(text, title);
    cairn_text_add(text, "</title>\n");
}

cairn_status cairn_svg_finish(cairn_svg *svg, char **out)
{
    cairn_text_add(text_of(&svg->canvas), "</svg>\n");
    if (svg->canvas.status) {
        cairn_text_clear(&svg->text);
        return svg->canvas.status;
    }
    return cairn_text_take(&svg->text, out);
}
