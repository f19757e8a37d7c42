/* SPDX-License-Identifier: MIT */
/* PNG and PDF through cairo: a canvas whose functions are cairo calls, and one exported record.
 * The canvas lives on the stack of render(); all bytes go out through the job's write function. */
#include "draw/canvas_module.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <string.h>

typedef struct cairo_canvas {
    cairn_canvas canvas; /* first, so that a canvas is its cairo canvas */
    cairo_t *cr;
    const cairn_canvas_job *job;
} cairo_canvas;

static void set_colour(cairo_t *cr, cairn_colour colour, double opacity)
{
    cairo_set_source_rgba(cr, ((colour >> 16) & 0xFF) / 255.0, ((colour >> 8) & 0xFF) / 255.0,
                          (colour & 0xFF) / 255.0, opacity);
}

static void set_dash(const cairo_canvas *c, int dash)
{
    int n = 0;
    const double *lengths = NULL;
    if (dash > 0) {
        lengths = c->job->dashes[(dash - 1) % CAIRN_N_DASHES];
        while (n < CAIRN_DASH_LENGTH && lengths[n] > 0) n++;
    }
    cairo_set_dash(c->cr, lengths, n, 0);
}

/* Fill and stroke the current path. */
static void paint(const cairo_canvas *c, const cairn_style *style)
{
    if (style->fill != CAIRN_NO_COLOUR) {
        set_colour(c->cr, style->fill, style->opacity);
        cairo_fill_preserve(c->cr);
    }
    if (style->stroke != CAIRN_NO_COLOUR) {
        set_colour(c->cr, style->stroke, style->opacity);
        cairo_set_line_width(c->cr, style->width);
        set_dash(c, style->dash);
        cairo_stroke_preserve(c->cr);
    }
    cairo_new_path(c->cr);
}

static void add_path(cairo_t *cr, const double *xy, size_t n, bool closed, double dx, double dy)
{
    for (size_t i = 0; i < n; i++) {
        double x = fmin(fmax(xy[2 * i] + dx, -1e6), 1e6);
        double y = fmin(fmax(xy[2 * i + 1] + dy, -1e6), 1e6);
        cairo_line_to(cr, x, y);
    }
    if (closed) cairo_close_path(cr);
}

static void cairo_canvas_path(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                              const cairn_style *style)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    cairo_new_path(c->cr);
    add_path(c->cr, xy, n, closed, 0, 0);
    paint(c, style);
}

static void cairo_canvas_rectangle(cairn_canvas *canvas, cairn_box box, double radius,
                                   const cairn_style *style)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    double width = fmax(box.width, 0), height = fmax(box.height, 0);
    double r = fmin(radius, fmin(width, height) / 2), quarter = acos(-1) / 2;
    cairo_new_path(c->cr);
    if (r > 0) {
        cairo_arc(c->cr, box.x + width - r, box.y + r, r, -quarter, 0);
        cairo_arc(c->cr, box.x + width - r, box.y + height - r, r, 0, quarter);
        cairo_arc(c->cr, box.x + r, box.y + height - r, r, quarter, 2 * quarter);
        cairo_arc(c->cr, box.x + r, box.y + r, r, 2 * quarter, 3 * quarter);
        cairo_close_path(c->cr);
    } else {
        cairo_rectangle(c->cr, box.x, box.y, width, height);
    }
    paint(c, style);
}

static void cairo_canvas_circle(cairn_canvas *canvas, double x, double y, double radius,
                                const cairn_style *style)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    cairo_new_path(c->cr);
    cairo_arc(c->cr, x, y, radius, 0, 2 * acos(-1));
    paint(c, style);
}

static void cairo_canvas_marks(cairn_canvas *canvas, cairn_canvas_shape shape, double radius,
                               const double *xy, size_t n, const cairn_style *style)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    double outline[2 * CAIRN_OUTLINE_SIZE];
    size_t corners = c->job->outline(shape, radius, outline);
    for (size_t i = 0; i < n; i++) {
        if (corners == 0) {
            cairo_canvas_circle(canvas, xy[2 * i], xy[2 * i + 1], radius, style);
        } else {
            cairo_new_path(c->cr);
            add_path(c->cr, outline, corners, true, xy[2 * i], xy[2 * i + 1]);
            paint(c, style);
        }
    }
}

static void cairo_canvas_text(cairn_canvas *canvas, double x, double y, const char *text,
                              const cairn_font *font)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    cairo_text_extents_t extents;
    if (!*text) return;
    cairo_select_font_face(c->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c->cr, font->size);
    cairo_text_extents(c->cr, text, &extents);
    double shift = font->align == CAIRN_MIDDLE ? 0.5 : font->align == CAIRN_END ? 1 : 0;
    cairo_save(c->cr);
    cairo_translate(c->cr, x, y);
    cairo_rotate(c->cr, -font->angle * acos(-1) / 180);
    set_colour(c->cr, font->colour, 1);
    cairo_move_to(c->cr, -shift * extents.x_advance, 0);
    cairo_show_text(c->cr, text);
    cairo_restore(c->cr);
    cairo_new_path(c->cr);
}

static void cairo_canvas_clip(cairn_canvas *canvas, cairn_box box)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    cairo_save(c->cr);
    cairo_rectangle(c->cr, box.x, box.y, fmax(box.width, 0), fmax(box.height, 0));
    cairo_clip(c->cr);
}

static void cairo_canvas_unclip(cairn_canvas *canvas)
{
    cairo_restore(((cairo_canvas *)canvas)->cr);
}

static cairo_status_t write_bytes(void *data, const unsigned char *bytes, unsigned length)
{
    const cairn_canvas_job *job = data;
    return job->write(job->write_data, bytes, length) ? CAIRO_STATUS_SUCCESS
                                                      : CAIRO_STATUS_WRITE_ERROR;
}

static const char *message_of(cairo_status_t status)
{
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

static const char *draw_job(cairo_surface_t *surface, const cairn_canvas_job *job, double scale)
{
    cairo_canvas c = {.canvas = {.width = job->width,
                                 .height = job->height,
                                 .path = cairo_canvas_path,
                                 .rectangle = cairo_canvas_rectangle,
                                 .circle = cairo_canvas_circle,
                                 .marks = cairo_canvas_marks,
                                 .text = cairo_canvas_text,
                                 .clip = cairo_canvas_clip,
                                 .unclip = cairo_canvas_unclip},
                      .cr = cairo_create(surface),
                      .job = job};
    set_colour(c.cr, 0xFFFFFF, 1);
    cairo_paint(c.cr);
    cairo_scale(c.cr, scale, scale);
    cairo_set_line_join(c.cr, CAIRO_LINE_JOIN_ROUND);
    job->draw(&c.canvas, job->draw_data);
    const char *problem = message_of(cairo_status(c.cr));
    if (!problem && c.canvas.status) problem = "the drawing failed";
    cairo_destroy(c.cr);
    return problem;
}

/* An image has at most 16,000 pixels a side; a larger picture gets fewer pixels per point, and its
 * last row or column may then be a part of one: the sheet is white before anything is drawn. */
static const char *render_png(const cairn_canvas_job *job)
{
    double scale = fmin(job->scale, 16000 / fmax(job->width, job->height));
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)ceil(job->width * scale), (int)ceil(job->height * scale));
    const char *problem = message_of(cairo_surface_status(surface));
    if (!problem) problem = draw_job(surface, job, scale);
    if (!problem)
        problem = message_of(cairo_surface_write_to_png_stream(surface, write_bytes, (void *)job));
    cairo_surface_destroy(surface);
    return problem;
}

/* The date of creation is left out, so that the same figure gives the same bytes. */
static const char *render_pdf(const cairn_canvas_job *job)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(write_bytes, (void *)job, job->width, job->height);
    const char *problem = message_of(cairo_surface_status(surface));
    if (!problem) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, job->title);
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Cairn");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
        problem = draw_job(surface, job, 1);
    }
    cairo_surface_finish(surface);
    if (!problem) problem = message_of(cairo_surface_status(surface));
    cairo_surface_destroy(surface);
    return problem;
}

static const char *render(const cairn_canvas_job *job)
{
    return strcmp(job->format, "pdf") == 0 ? render_pdf(job) : render_png(job);
}

extern CAIRN_API const cairn_canvas_module cairn_canvas_module_record;
CAIRN_API const cairn_canvas_module cairn_canvas_module_record = {
    .abi = CAIRN_CANVAS_ABI, .name = "cairo", .render = render};
