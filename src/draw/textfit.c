/* SPDX-License-Identifier: MIT */
/* Text that has to fit: cutting with an ellipsis, wrapping titles.
 *
 * Long text loses its middle, not its end: names of columns and classes often begin alike and
 * differ in their last letters. */
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include <string.h>

/* The end of the text that takes at most `buffer`: where it begins. No room holds more than a few
 * hundred letters, so that the search begins there. */
static const char *ending(const char *text, double size, bool bold, double buffer)
{
    enum { MOST = 512 };
    size_t length = strlen(text), skip = length > MOST ? length - MOST : 0;
    while (skip > 0 && ((unsigned char)text[skip] & 0xC0) == 0x80) skip--;
    text += skip;
    while (*text && cairn_measure(text, size, bold) > buffer) {
        size_t cells;
        text += cairn_text_letter(text, &cells);
    }
    while (*text == ' ') text++;
    return text;
}

cairn_status cairn_fit_text(cairn_context *ctx, const char **out, const char *text, double size,
                            bool bold, double buffer)
{
    size_t cut = cairn_measure_fit(text, size, bold, buffer);
    if (!text[cut]) {
        *out = text;
        return CAIRN_OK;
    }
    const char *end = ending(text + cut, size, bold, buffer / 3);
    cut = cairn_measure_fit(text, size, bold, buffer - cairn_measure(end, size, bold));
    size_t rest = strlen(end);
    char *copy;
    cairn_status status = SCRATCH_RAW(ctx, &copy, cut + rest + 4);
    if (status) return status;
    while (cut > 0 && text[cut - 1] == ' ') cut--;
    memcpy(copy, text, cut);
    memcpy(copy + cut, "…", 3);
    memcpy(copy + cut + 3, end, rest + 1);
    *out = copy;
    return CAIRN_OK;
}

void cairn_draw_fitted(cairn_context *ctx, cairn_canvas *canvas, double x, double y,
                       const char *text, const cairn_font *font, double buffer)
{
    const char *fitted = "";
    if (canvas->status) return;
    canvas->status = cairn_fit_text(ctx, &fitted, text, font->size, font->bold, buffer);
    if (!canvas->status) canvas->text(canvas, x, y, fitted, font);
}

/* Length of the longest run of whole words that fits; of one word at least. */
static size_t line_length(const char *text, double size, bool bold, double buffer)
{
    size_t fits = cairn_measure_fit(text, size, bold, buffer + size), best = 0;
    if (!text[fits]) return fits;
    for (size_t i = 0; text[i] && (i <= fits || best == 0); i++)
        if (text[i] == ' ' && i > 0) best = i;
    return best ? best : strlen(text);
}

size_t cairn_wrap(const char *text, double size, bool bold, double buffer,
                  size_t start[CAIRN_TITLE_LINES], size_t length[CAIRN_TITLE_LINES])
{
    size_t n = 0, at = 0;
    while (text[at] == ' ') at++;
    while (text[at] && n < CAIRN_TITLE_LINES) {
        start[n] = at;
        length[n] = n + 1 == CAIRN_TITLE_LINES ? strlen(text + at)
                                               : line_length(text + at, size, bold, buffer);
        at += length[n++];
        while (text[at] == ' ') at++;
    }
    return n;
}

bool cairn_next_line(cairn_plot_lines *lines, const char **start, size_t *length)
{
    if (!lines->at) return false;
    const char *end = strchr(lines->at, '\n');
    *start = lines->at;
    *length = end ? (size_t)(end - lines->at) : strlen(lines->at);
    lines->at = end ? end + 1 : NULL;
    lines->number++;
    return true;
}

/* Letters begin at bytes that continue no other. */
static bool begins_letter(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

void cairn_names_common(char *const *names, size_t n, size_t *first, size_t *last)
{
    *first = *last = 0;
    if (n < 2) return;
    size_t least = SIZE_MAX, from = strlen(names[0]), till = from;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(names[i]), a = 0, b = 0, first_length = strlen(names[0]);
        while (a < from && a < length && names[i][a] == names[0][a]) a++;
        while (b < till && b < length && names[i][length - 1 - b] == names[0][first_length - 1 - b])
            b++;
        from = a, till = b;
        if (length < least) least = length;
    }
    while (from > 0 && !begins_letter(names[0][from])) from--;
    while (till > 0 && !begins_letter(names[0][strlen(names[0]) - till])) till--;
    if (from + till >= least) till = 0; /* one name is no more than the beginning of the others */
    if (from >= least) from = 0;
    *first = from;
    *last = till;
}

cairn_status cairn_fit_name(cairn_context *ctx, const char **out, const char *name, size_t first,
                            size_t last, double size, double buffer)
{
    enum { WORTH = 3 };
    size_t length = strlen(name);
    char *part;
    *out = name;
    if (cairn_measure(name, size, false) <= buffer || first + last < WORTH ||
        first + last >= length)
        return cairn_fit_text(ctx, out, name, size, false, buffer);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (first < WORTH) first = 0;
    if (last < WORTH) last = 0;
    cairn_text_addf(&text, "%s%.*s%s", first ? "…" : "", (int)(length - first - last), name + first,
                    last ? "…" : "");
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &part, text.length + 1));
    memcpy(part, cairn_text_string(&text), text.length);
    return cairn_fit_text(ctx, out, part, size, false, buffer);
}

enum { TITLE_LINE = 17, SUBTITLE_LINE = 13 };

double cairn_title_height(const cairn_figure *figure, double width)
{
    size_t start[CAIRN_TITLE_LINES], length[CAIRN_TITLE_LINES], n, more = 0;
    n = cairn_wrap(figure->title, CAIRN_TITLE_SIZE, true, width - 24, start, length);
    if (figure->subtitle)
        more = cairn_wrap(figure->subtitle, CAIRN_TICK_SIZE, false, width - 24, start, length);
    return n || more ? 8 + TITLE_LINE * (double)n + SUBTITLE_LINE * (double)more : 0;
}

/* The lines of a text from a base line on. */
static void draw_lines(cairn_context *ctx, cairn_canvas *canvas, const char *text,
                       const cairn_font *font, double y, double line)
{
    size_t start[CAIRN_TITLE_LINES], length[CAIRN_TITLE_LINES];
    double buffer = canvas->width - 24;
    size_t n = cairn_wrap(text, font->size, font->bold, buffer, start, length);
    for (size_t i = 0; i < n && !canvas->status; i++) {
        char *part;
        canvas->status = SCRATCH(ctx, &part, length[i] + 1);
        if (canvas->status) return;
        memcpy(part, text + start[i], length[i]);
        cairn_draw_fitted(ctx, canvas, 12, y + line * (double)i, part, font, buffer);
    }
}

void cairn_draw_title(cairn_context *ctx, cairn_canvas *canvas, const cairn_figure *figure)
{
    size_t start[CAIRN_TITLE_LINES], length[CAIRN_TITLE_LINES];
    cairn_font font = cairn_plain_font(CAIRN_TITLE_SIZE, CAIRN_START);
    cairn_font small = cairn_plain_font(CAIRN_TICK_SIZE, CAIRN_START);
    size_t n = cairn_wrap(figure->title, CAIRN_TITLE_SIZE, true, canvas->width - 24, start, length);
    font.bold = true;
    font.colour = 0x1A1A1A;
    small.colour = CAIRN_QUIET;
    draw_lines(ctx, canvas, figure->title, &font, 20, TITLE_LINE);
    if (figure->subtitle)
        draw_lines(ctx, canvas, figure->subtitle, &small, 17 + TITLE_LINE * (double)n,
                   SUBTITLE_LINE);
}
