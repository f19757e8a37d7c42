/* SPDX-License-Identifier: MIT */
/* Pixel features: shape numbers of pictures whose pixels are columns.
 *
 *  1. a pixel is ink when it is above the threshold (or below, for dark ink on bright paper); the
 *     threshold is given, or lies in the middle between the least and the largest training pixel
 *  2. ink: share of ink; components: connected parts of ink, over 8 neighbours or 4; loops: parts
 *     of paper, connected the other way, that do not reach the border; euler: components less
 *     loops; width, height, aspect (width / height) of the smallest rectangle around the ink; x, y:
 *     centre of the ink as a share of the width and height; rows, columns: ink of each row and
 *     column of pixels as a share; bits: every pixel as 0 or 1
 *
 * A picture without ink has no rectangle: its aspect and centre are missing. A missing pixel makes
 * all features of its picture missing. Cost: linear in the pixels. */
#include "base/number.h"
#include "parallel/parallel.h"
#include "transforms/columns.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

typedef enum { INK_BRIGHT, INK_DARK } ink_choice;
typedef enum { CONNECT_8, CONNECT_4 } connect_choice;

typedef struct pixel_params {
    const char *columns;
    int width;
    const char *threshold;
    int ink;     /* ink_choice */
    int connect; /* connect_choice */
    const char *features;
    bool keep;
} pixel_params;

static const cairn_choice ink_choices[] = {
    {"bright", INK_BRIGHT, "values above the threshold are ink"},
    {"dark", INK_DARK, "values below it are ink"},
    {0},
};

static const cairn_choice connect_choices[] = {
    {"8", CONNECT_8, "pixels that touch at a side or corner belong together"},
    {"4", CONNECT_4, "only those that touch at a side do"},
    {0},
};

static const cairn_param pixel_param_table[] = {
    CAIRN_PARAM_AS(pixel_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the pixels, row by row; all number features when not given"),
    CAIRN_PARAM(pixel_params, width, "0", "[0,inf)",
                "pixels in a row of the picture; 0 = the picture is square"),
    CAIRN_PARAM_AS(pixel_params, threshold, CAIRN_TYPE_TEXT, NULL,
                   "value that parts ink from paper; the middle of the training values when not "
                   "given"),
    CAIRN_PARAM_CHOICE(pixel_params, ink, "bright", ink_choices, "what is ink"),
    CAIRN_PARAM_CHOICE(pixel_params, connect, "8", connect_choices, "neighbours of an ink pixel"),
    CAIRN_PARAM_AS(pixel_params, features, CAIRN_TYPE_TEXT, "ink,components,loops,aspect",
                   "which of ink, components, loops, euler, width, height, aspect, x, y, rows, "
                   "columns, bits"),
    CAIRN_PARAM(pixel_params, keep, "no", NULL, "keep the pixels beside the features"),
    CAIRN_PARAM_END,
};

typedef enum {
    SHAPE_INK,
    SHAPE_COMPONENTS,
    SHAPE_LOOPS,
    SHAPE_EULER,
    SHAPE_WIDTH,
    SHAPE_HEIGHT,
    SHAPE_ASPECT,
    SHAPE_X,
    SHAPE_Y,
    SHAPE_ROWS,
    SHAPE_COLUMNS,
    SHAPE_BITS
} shape;

static const char *const shape_names[] = {"ink",   "components", "loops",   "euler",
                                          "width", "height",     "aspect",  "x",
                                          "y",     "rows",       "columns", "bits"};
enum { N_SHAPES = sizeof shape_names / sizeof *shape_names };

typedef struct pixel_state {
    cairn_map names; /* of the pixel columns, row by row; empty = nothing to do */
    size_t width, height;
    double threshold;
} pixel_state;

static const char *shape_candidate(size_t i, const void *data)
{
    (void)data;
    return i < N_SHAPES ? shape_names[i] : NULL;
}

/* The features asked for, in order; from scratch. */
static cairn_status list_shapes(cairn_context *ctx, const char *list, shape **out, size_t *n)
{
    char **items;
    CHECK(cairn_list_split(ctx, list, &items, n));
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t i = 0; i < *n; i++) {
        size_t k = 0;
        while (k < N_SHAPES && strcmp(shape_names[k], items[i]) != 0) k++;
        (*out)[i] = (shape)k;
        if (k < N_SHAPES) continue;
        const char *near = cairn_nearest_word(items[i], shape_candidate, NULL);
        return cairn_fail(ctx, CAIRN_USAGE, "pixel-features: there is no feature '%s'%s%s%s",
                          items[i], near ? "; did you mean '" : "", near ? near : "",
                          near ? "'?" : "");
    }
    return CAIRN_OK;
}

static cairn_status pixel_check(cairn_context *ctx, const void *values)
{
    SCOPED_SCRATCH(ctx);
    const pixel_params *p = values;
    shape *shapes;
    size_t n;
    double threshold;
    CHECK(list_shapes(ctx, p->features, &shapes, &n));
    if (p->threshold && (!cairn_number_parse(p->threshold, strlen(p->threshold), &threshold) ||
                         !isfinite(threshold)))
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "pixel-features: threshold must be a number, not '%s'",
                         p->threshold));
    return CAIRN_OK;
}

/* -- one picture -- */

/* A picture as bits, and working memory for its parts. */
typedef struct picture {
    size_t width, height;
    uint8_t *ink;    /* height x width */
    uint8_t *seen;   /* the same */
    uint32_t *stack; /* the same */
} picture;

/* Visit the part that pixel `at` belongs to; tells whether it reaches the border. */
static bool flood(picture *p, size_t at, bool corners)
{
    static const int dx[] = {1, -1, 0, 0, 1, 1, -1, -1}, dy[] = {0, 0, 1, -1, 1, -1, 1, -1};
    size_t depth = 0;
    uint8_t colour = p->ink[at];
    bool border = false;
    p->seen[at] = 1;
    p->stack[depth++] = (uint32_t)at;
    while (depth) {
        size_t here = p->stack[--depth], x = here % p->width, y = here / p->width;
        border |= x == 0 || y == 0 || x + 1 == p->width || y + 1 == p->height;
        for (int k = 0; k < (corners ? 8 : 4); k++) {
            size_t nx = x + (size_t)dx[k], ny = y + (size_t)dy[k];
            if (nx >= p->width || ny >= p->height) continue; /* wraps below 0, too */
            size_t next = ny * p->width + nx;
            if (p->seen[next] || p->ink[next] != colour) continue;
            p->seen[next] = 1;
            p->stack[depth++] = (uint32_t)next;
        }
    }
    return border;
}

typedef struct shape_numbers {
    double ink, components, loops;
    double left, right, top, bottom; /* of the rectangle; left > right when there is no ink */
    double sum_x, sum_y;
} shape_numbers;

/* Ink joins across corners just where the ground does not: a closed line parts the ground. */
static shape_numbers measure(picture *p, bool corners)
{
    shape_numbers s = {
        .left = (double)p->width, .right = -1, .top = (double)p->height, .bottom = -1};
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            if (!p->ink[y * p->width + x]) continue;
            s.ink++;
            s.left = fmin(s.left, (double)x);
            s.right = fmax(s.right, (double)x);
            s.top = fmin(s.top, (double)y);
            s.bottom = fmax(s.bottom, (double)y);
            s.sum_x += (double)x + 0.5;
            s.sum_y += (double)y + 0.5;
        }
    size_t n = p->width * p->height;
    memset(p->seen, 0, n);
    for (size_t i = 0; i < n; i++) {
        if (p->seen[i]) continue;
        bool border = flood(p, i, p->ink[i] ? corners : !corners);
        s.components += p->ink[i];
        s.loops += !p->ink[i] && !border;
    }
    return s;
}

static double number_of(const picture *p, const shape_numbers *s, shape which)
{
    double width = s->ink > 0 ? s->right - s->left + 1 : 0;
    double height = s->ink > 0 ? s->bottom - s->top + 1 : 0;
    switch (which) {
    case SHAPE_INK: return s->ink / ((double)p->width * (double)p->height);
    case SHAPE_COMPONENTS: return s->components;
    case SHAPE_LOOPS: return s->loops;
    case SHAPE_EULER: return s->components - s->loops;
    case SHAPE_WIDTH: return width;
    case SHAPE_HEIGHT: return height;
    case SHAPE_ASPECT: return s->ink > 0 ? width / height : NAN;
    case SHAPE_X: return s->ink > 0 ? s->sum_x / s->ink / (double)p->width : NAN;
    default: return s->ink > 0 ? s->sum_y / s->ink / (double)p->height : NAN;
    }
}

/* -- all pictures -- */

typedef struct pixel_work {
    const pixel_state *state;
    const pixel_params *params;
    const shape *shapes;
    size_t n_shapes, n_rows;
    const double **pixels; /* names.n columns */
    double **out;
} pixel_work;

static size_t shape_width(const pixel_state *s, shape which)
{
    return which == SHAPE_ROWS      ? s->height
           : which == SHAPE_COLUMNS ? s->width
           : which == SHAPE_BITS    ? s->width * s->height
                                    : 1;
}

/* The ink of a row; false when a pixel is missing. */
static bool load_picture(picture *p, const pixel_work *work, size_t row)
{
    bool dark = work->params->ink == INK_DARK;
    for (size_t k = 0; k < p->width * p->height; k++) {
        double value = work->pixels[k][row];
        if (isnan(value)) return false;
        p->ink[k] = dark ? value < work->state->threshold : value > work->state->threshold;
    }
    return true;
}

/* Shares of ink along the rows or columns, or the bits themselves. */
static void fill_many(const picture *p, shape which, double **out, size_t row)
{
    for (size_t k = 0; which == SHAPE_BITS && k < p->width * p->height; k++)
        out[k][row] = p->ink[k];
    if (which == SHAPE_BITS) return;
    size_t lines = which == SHAPE_ROWS ? p->height : p->width;
    size_t length = which == SHAPE_ROWS ? p->width : p->height;
    for (size_t i = 0; i < lines; i++) {
        size_t sum = 0;
        for (size_t k = 0; k < length; k++)
            sum += p->ink[which == SHAPE_ROWS ? i * p->width + k : k * p->width + i];
        out[i][row] = (double)sum / (double)length;
    }
}

static void fill_row(picture *p, const pixel_work *work, size_t row)
{
    bool whole = load_picture(p, work, row);
    shape_numbers s = {0};
    size_t at = 0;
    if (whole) s = measure(p, work->params->connect == CONNECT_8);
    for (size_t i = 0; i < work->n_shapes; i++) {
        shape which = work->shapes[i];
        size_t n = shape_width(work->state, which);
        for (size_t k = 0; !whole && k < n; k++) work->out[at + k][row] = NAN;
        if (whole && which >= SHAPE_ROWS)
            fill_many(p, which, work->out + at, row);
        else if (whole)
            work->out[at][row] = number_of(p, &s, which);
        at += n;
    }
}

static cairn_status fill_block(cairn_context *ctx, void *data, size_t block)
{
    const pixel_work *work = data;
    size_t n = work->state->names.n, end = (block + 1) * BLOCK_ROWS;
    picture p = {.width = work->state->width, .height = work->state->height};
    CHECK(SCRATCH_RAW_EACH(ctx, n, &p.ink, &p.seen, &p.stack));
    if (end > work->n_rows) end = work->n_rows;
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        fill_row(&p, work, i);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* "pixels:ink", "pixels:row3" ... */
static void name_shape(char out[48], shape which, size_t k)
{
    if (which == SHAPE_ROWS)
        snprintf(out, 48, "pixels:row%zu", k + 1);
    else if (which == SHAPE_COLUMNS)
        snprintf(out, 48, "pixels:column%zu", k + 1);
    else if (which == SHAPE_BITS)
        snprintf(out, 48, "pixels:bit%zu", k);
    else
        snprintf(out, 48, "pixels:%s", shape_names[which]);
}

/* Put the features at the end of `out`, whose rows are those of the table. */
static cairn_status add_features(cairn_context *ctx, cairn_table *out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const pixel_state *s = state;
    const pixel_params *p = params;
    pixel_work work = {.state = s, .params = p, .n_rows = table->n_rows};
    shape *shapes;
    SCOPED(cairn_numbers_clear) cairn_made_numbers made = {0};
    size_t n = 0, at = 0;
    char name[48];
    CHECK(list_shapes(ctx, p->features, &shapes, &work.n_shapes));
    work.shapes = shapes;
    for (size_t i = 0; i < work.n_shapes; i++) n += shape_width(s, shapes[i]);
    CHECK(cairn_find_numbers(ctx, &work.pixels, table, &s->names));
    CHECK(cairn_numbers_make(ctx, &made, n, table->n_rows));
    work.out = made.numbers;
    CHECK(cairn_tasks(ctx, cairn_block_count(table->n_rows, BLOCK_ROWS), fill_block, &work));
    for (size_t i = 0; i < work.n_shapes; i++)
        for (size_t k = 0; k < shape_width(s, shapes[i]); k++, at++) {
            name_shape(name, shapes[i], k);
            CHECK(cairn_numbers_give(ctx, &made, at, out, name));
        }
    return CAIRN_OK;
}

/* -- fitting -- */

static cairn_status find_size(cairn_context *ctx, pixel_state *s, size_t n, int wanted)
{
    size_t width = (size_t)wanted;
    if (!width) width = (size_t)(sqrt((double)n) + 0.5);
    if (!wanted && width * width != n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "pixel-features: %zu pixels are no square picture; give the width, or "
                          "name the pixel columns with columns",
                          n);
    if (n % width)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "pixel-features: %zu pixels are not width x height for width %zu; give "
                          "another width, or name the pixel columns with columns",
                          n, width);
    s->width = width;
    s->height = n / width;
    return CAIRN_OK;
}

/* The middle between the least and the largest training pixel. */
static double middle_of(const cairn_view *view, const size_t *chosen, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < view->rows.n; i++) {
            double value = view->features[chosen[k]]->numbers[cairn_view_row(view, i)];
            if (isnan(value) || cairn_view_weight(view, i) == 0) continue;
            low = fmin(low, value);
            high = fmax(high, value);
        }
    return low <= high ? low + (high - low) / 2 : 0;
}

/* Draws the first picture, if it is small enough to be read, next to the features of all: the
 * numbers are about a shape that can be seen. */
static cairn_status show_steps(cairn_context *ctx, const cairn_job *job, const pixel_state *s)
{
    enum { LARGEST = 80 };
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_report *out = job->steps;
    CHECK(cairn_table_new(ctx, &made, job->view->table->n_rows));
    CHECK(add_features(ctx, made, s, job->params, job->view->table));
    cairn_report_step_begin(out, "Shapes of %zu x %zu pictures", s->width, s->height);
    if (s->width <= LARGEST && s->height <= LARGEST && job->view->rows.n) {
        /* The first picture in letters. */
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        pixel_work work = {.state = s, .params = job->params};
        picture p = {.width = s->width, .height = s->height};
        size_t row = cairn_view_row(job->view, 0);
        CHECK(cairn_find_numbers(ctx, &work.pixels, job->view->table, &s->names));
        CHECK(SCRATCH(ctx, &p.ink, s->names.n));
        if (load_picture(&p, &work, row)) {
            for (size_t y = 0; y < p.height; y++) {
                for (size_t x = 0; x < p.width; x++)
                    cairn_text_add_char(&text, p.ink[y * p.width + x] ? '#' : '.');
                cairn_text_add_char(&text, '\n');
            }
            CHECK(cairn_text_status(&text));
            cairn_report_paragraph(job->steps, "The picture of row %zu:", row + 1);
            cairn_report_verbatim(job->steps, cairn_text_string(&text));
        }
    }
    cairn_show_made(out, "pixel-features", job->view, made, strlen("pixels:"));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status pixel_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const pixel_params *p = job->params;
    pixel_state *s = state;
    size_t n, *chosen;
    CHECK(cairn_choose_features(ctx, job->view, "pixel-features", p->columns, cairn_fits_number,
                                "a number column", &chosen, &n));
    if (n == 0) return CAIRN_OK;
    CHECK(find_size(ctx, s, n, p->width));
    CHECK(cairn_keep_names(ctx, &s->names, job->view, chosen, n));
    if (p->threshold)
        (void)cairn_number_parse(p->threshold, strlen(p->threshold), &s->threshold);
    else
        s->threshold = middle_of(job->view, chosen, n);
    if (job->steps) CHECK(show_steps(ctx, job, s));
    return CAIRN_OK;
}

static cairn_status pixel_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const pixel_params *p = params;
    const pixel_state *s = state;
    return cairn_columns_replaced(ctx, out, &s->names, p->keep, add_features, state, params, table);
}

static void pixel_describe(cairn_report *out, const void *state, const void *params)
{
    const pixel_params *p = params;
    const pixel_state *s = state;
    if (s->names.n == 0) return;
    cairn_report_value(out, "width of the pictures", (double)s->width, "pixel-features.width");
    cairn_report_value(out, "height", (double)s->height, "pixel-features.height");
    cairn_report_value(out, p->ink == INK_DARK ? "ink is below" : "ink is above", s->threshold,
                       "pixel-features.threshold");
}

static const cairn_kept pixel_keeps[] = {
    KEEP(pixel_state, names),
    KEEP_SIZE_IN(pixel_state, width, "names"),
    KEEP_SIZE_IN(pixel_state, height, "names"),
    KEEP(pixel_state, threshold),
    KEEP_SAME("width*height", "names", "the pixels are not width x height"),
    KEEP_END,
};

const cairn_transform cairn_pixel_features = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "pixel-features",
              .also = "image features, picture features",
              .title = "Features of pictures",
              .summary =
                  "Makes shape numbers of pictures whose pixels are columns: the share of ink, the "
                  "number of connected parts, of loops, their difference (Euler number), the size "
                  "and aspect ratio of the rectangle around the ink, its centre, the ink of every "
                  "row and column of pixels, or the pixels as bits. They take the place of the "
                  "pixels as columns pixels:FEATURE.",
              .references = "Gonzalez and Woods, Digital Image Processing",
              .example = "cairn fit tree @digits --with pixel-features --max-depth 4",
              .params = pixel_param_table,
              .params_size = sizeof(pixel_params),
              .check = pixel_check},
    .state_size = sizeof(pixel_state),
    .fit = pixel_fit,
    .apply = pixel_apply,
    .describe = pixel_describe,
    .keeps = pixel_keeps,
};
