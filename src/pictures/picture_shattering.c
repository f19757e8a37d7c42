/* SPDX-License-Identifier: MIT */
/* cairn draw shattering and subsets: every labeling of a few points in a panel of its own, with the
 * line, box or interval that produces it or "impossible"; all subsets of a set. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "compute/dichotomies.h"
#include "compute/hasse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOW_ALL, SHOW_POSSIBLE, SHOW_IMPOSSIBLE };
enum { MOST_POINTS = 64, MOST_TRIED = 65536 };

typedef struct shattering_params {
    const char *points, *labeling;
    int class, labels, show, most;
    bool empty;
} shattering_params;

static const cairn_choice show_choices[] = {
    {"all", SHOW_ALL, "every labeling"},
    {"possible", SHOW_POSSIBLE, "those that a hypothesis produces"},
    {"impossible", SHOW_IMPOSSIBLE, "those that none produces"},
    {NULL, 0, NULL}};

static const cairn_param shattering_table[] = {
    CAIRN_PARAM(shattering_params, points, NULL, NULL,
                "points separated by ; with coordinates separated by commas, such as 0,0;1,0;0,1; "
                "for classes on a line also 1,2,3"),
    CAIRN_PARAM_CHOICE(shattering_params, class, "linear", cairn_hypotheses_choices,
                       "the hypotheses"),
    CAIRN_PARAM(shattering_params, labels, "0", "[0,10]",
                "number of labels (threshold, linear, list); 0 = two, or those of the list"),
    CAIRN_PARAM(shattering_params, labeling, NULL, NULL,
                "draw this labeling only, a digit for each point such as 101"),
    CAIRN_PARAM_CHOICE(shattering_params, show, "all", show_choices, "which labelings"),
    CAIRN_PARAM(shattering_params, empty, "yes", NULL,
                "the contradiction is one of the conjunctions"),
    CAIRN_PARAM(shattering_params, most, "64", "[1,512]", "most panels to draw"),
    CAIRN_PARAM_END,
};

/* -- one panel -- */

/* Where the points stand: on their line, in their plane, or else around a circle. */
typedef struct places {
    double *x, *y;
    size_t n;
    double low[2], high[2]; /* the frame */
    bool line, plane;
    size_t lines; /* most lines of words below a panel */
} places;

static void around(places *p)
{
    const double pi = acos(-1);
    for (size_t i = 0; i < p->n; i++) {
        double angle = 2 * pi * (double)i / (double)p->n;
        p->x[i] = p->n > 1 ? sin(angle) : 0;
        p->y[i] = p->n > 1 ? cos(angle) : 0;
    }
}

static void find_frame(places *p)
{
    for (int j = 0; j < 2; j++) {
        const double *at = j ? p->y : p->x;
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < p->n; i++) low = fmin(low, at[i]), high = fmax(high, at[i]);
        double room = high > low ? 0.3 * (high - low) : 1;
        p->low[j] = low - room;
        p->high[j] = high + room;
    }
}

static cairn_status find_places(cairn_context *ctx, places *out, const cairn_instances *at)
{
    cairn_status status;
    out->n = at->n;
    TRY(SCRATCH(ctx, &out->x, at->n));
    TRY(SCRATCH(ctx, &out->y, at->n));
    bool geometry = at->kind != CAIRN_CONJUNCTIONS && at->kind != CAIRN_LISTED;
    out->line = geometry && at->p == 1;
    out->plane = geometry && at->p == 2;
    for (size_t i = 0; i < at->n; i++) {
        out->x[i] = at->x[i * at->p];
        if (out->plane) out->y[i] = at->x[i * at->p + 1];
    }
    if (!out->line && !out->plane) around(out);
    find_frame(out);
done:
    return status;
}

/* Between low and high on a line, or all the rest. */
static void draw_interval(cairn_figure *figure, const places *p, const cairn_witness *w)
{
    double low = fmin(fmax(w->low[0], p->low[0]), p->high[0]);
    double high = fmin(fmax(w->high[0], p->low[0]), p->high[0]);
    double spans[2][2] = {{low, high}, {p->high[0], p->high[0]}};
    if (w->complement) {
        spans[0][0] = p->low[0];
        spans[0][1] = low;
        spans[1][0] = high;
    }
    for (int i = 0; i < 2; i++) {
        double bottom[2] = {-0.45, -0.45}, top[2] = {0.45, 0.45};
        if (spans[i][1] > spans[i][0]) cairn_figure_area(figure, 1, spans[i], bottom, top, 2);
        for (int end = 0; end < 2; end++) {
            double x[2] = {spans[i][end], spans[i][end]}, y[2] = {-0.45, 0.45};
            if (x[0] > p->low[0] && x[0] < p->high[0] && spans[i][1] > spans[i][0])
                cairn_figure_guide(figure, x, y, 2);
        }
    }
}

/* The box, widened a little where it is a point or a side. */
static void draw_box(cairn_figure *figure, const places *p, const cairn_witness *w)
{
    double s[2][2];
    for (int j = 0; j < 2; j++) {
        double room = 0.06 * (p->high[j] - p->low[j]);
        s[j][0] = fmin(fmax(w->low[j] - room, p->low[j]), p->high[j]);
        s[j][1] = fmin(fmax(w->high[j] + room, p->low[j]), p->high[j]);
    }
    double x[5] = {s[0][0], s[0][1], s[0][1], s[0][0], s[0][0]};
    double y[5] = {s[1][0], s[1][0], s[1][1], s[1][1], s[1][0]};
    double low[2] = {s[1][0], s[1][0]}, high[2] = {s[1][1], s[1][1]};
    if (s[0][1] <= s[0][0] || s[1][1] <= s[1][0]) return;
    cairn_figure_area(figure, 1, s[0], low, high, 2);
    cairn_figure_guide(figure, x, y, 5);
}

/* The part of the line v[0] x + v[1] y + v[2] = 0 that lies in the frame. */
static void draw_border(cairn_figure *figure, const places *p, const double *v)
{
    double x[4], y[4];
    size_t n = 0;
    for (int k = 0; k < 4 && n < 2; k++) {
        double side = k % 2 ? p->high[k / 2] : p->low[k / 2], other = v[1 - k / 2];
        if (other == 0) continue;
        double at = -(v[k / 2] * side + v[2]) / other;
        if (at < p->low[1 - k / 2] || at > p->high[1 - k / 2]) continue;
        x[n] = k < 2 ? side : at;
        y[n] = k < 2 ? at : side;
        if (n && x[0] == x[1] && y[0] == y[1]) continue; /* through a corner */
        n++;
    }
    if (n == 2) cairn_figure_guide(figure, x, y, 2);
}

enum { SLICES = 65 };

/* The half-plane in the frame, and its line. */
static void draw_half_plane(cairn_figure *figure, const places *p, const cairn_witness *w)
{
    double x[SLICES], low[SLICES], high[SLICES];
    const double *v = w->w;
    if (v[1] == 0) { /* upright, or everything or nothing */
        bool all = v[0] == 0;
        double at = all ? p->low[0] : -v[2] / v[0];
        if (all && v[2] <= 0) return;
        x[0] = all || v[0] > 0 ? fmax(at, p->low[0]) : p->low[0];
        x[1] = all || v[0] > 0 ? p->high[0] : fmin(at, p->high[0]);
        low[0] = low[1] = p->low[1];
        high[0] = high[1] = p->high[1];
        if (x[1] > x[0]) cairn_figure_area(figure, 1, x, low, high, 2);
        if (!all) draw_border(figure, p, v);
        return;
    }
    for (int i = 0; i < SLICES; i++) {
        x[i] = p->low[0] + (p->high[0] - p->low[0]) * i / (SLICES - 1);
        double y = fmin(fmax(-(v[0] * x[i] + v[2]) / v[1], p->low[1]), p->high[1]);
        low[i] = v[1] > 0 ? y : p->low[1];
        high[i] = v[1] > 0 ? p->high[1] : y;
    }
    cairn_figure_area(figure, 1, x, low, high, SLICES);
    draw_border(figure, p, v);
}

static void draw_witness(cairn_figure *figure, const cairn_instances *at, const places *p,
                         const cairn_witness *w)
{
    if (!w->known) return;
    if (at->kind == CAIRN_LINEAR && at->p == 1) { /* w x + c > 0 on a line */
        cairn_witness half = {.known = true, .low = {-INFINITY}, .high = {INFINITY}};
        if (w->w[0] == 0 && w->w[1] <= 0) half.high[0] = -INFINITY;
        if (w->w[0] > 0) half.low[0] = -w->w[1] / w->w[0];
        if (w->w[0] < 0) half.high[0] = -w->w[1] / w->w[0];
        draw_interval(figure, p, &half);
    } else if (at->kind == CAIRN_LINEAR) {
        draw_half_plane(figure, p, w);
    } else if (at->p == 2) {
        draw_box(figure, p, w);
    } else {
        draw_interval(figure, p, w);
    }
}

/* Segments between points of the same label: no line keeps crossing ones apart. */
static void join_equal(cairn_figure *figure, const places *p, const int *labels)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < i; k++) {
            double x[2] = {p->x[i], p->x[k]}, y[2] = {p->y[i], p->y[k]};
            if (labels[i] == labels[k]) cairn_figure_dashed(figure, NULL, x, y, 2);
        }
}

/* "{m, g}": the points with label 1; with more labels the digits. */
static void panel_title(cairn_text *out, const cairn_instances *at, const int *labels,
                        bool realised)
{
    bool any = false;
    if (at->n_labels > 2)
        for (size_t i = 0; i < at->n; i++) cairn_text_addf(out, "%d", labels[i]);
    if (at->n_labels == 2) {
        cairn_text_add_char(out, '{');
        for (size_t i = 0; i < at->n; i++) {
            if (!labels[i]) continue;
            cairn_text_addf(out, "%s%s", any ? "," : "", at->names[i]);
            any = true;
        }
        cairn_text_add_char(out, '}');
    }
    if (!realised) cairn_text_add(out, " impossible");
}

enum { LINE_LETTERS = 26, MOST_LINES = 4 };

/* The next line of the words: as many whole ones as fit; all that is left in the last line. */
static size_t next_line(const char *words, size_t number)
{
    size_t best = 0, n = strlen(words);
    if (n <= LINE_LETTERS || number + 1 == MOST_LINES) return n;
    for (size_t i = 1; i < n && (i <= LINE_LETTERS || !best); i++)
        if (words[i] == ' ') best = i;
    return best ? best : n;
}

static size_t count_lines(const char *words)
{
    size_t n = 0;
    while (*words) {
        words += next_line(words, n++);
        while (*words == ' ') words++;
    }
    return n;
}

static double line_height(const places *p)
{
    return p->line ? 0.62 : 0.17 * (p->high[1] - p->low[1]);
}

/* The words below the frame. */
static cairn_status add_words(cairn_context *ctx, cairn_figure *panel, const places *p,
                              const char *words)
{
    cairn_status status = CAIRN_OK;
    for (size_t n = 0; *words; n++) {
        size_t length = next_line(words, n);
        char *copy;
        TRY(SCRATCH(ctx, &copy, length + 1));
        memcpy(copy, words, length);
        cairn_figure_text(panel, (p->low[0] + p->high[0]) / 2,
                          p->low[1] - line_height(p) * ((double)n + 1.3), 'c', copy);
        words += length;
        while (*words == ' ') words++;
    }
done:
    return status;
}

static cairn_status panel_new(cairn_context *ctx, cairn_figure **out, const places *p,
                              const char *title, const int *labels, bool two)
{
    cairn_status status;
    int32_t groups[MOST_POINTS];
    TRY(cairn_figure_new(ctx, out, "labeling", title));
    cairn_figure_no_axes(*out);
    if (two) cairn_figure_marking(*out, CAIRN_MARKING_HOLLOW);
    double room = line_height(p) * ((double)p->lines + 0.4);
    cairn_figure_size(*out, 176, (p->line ? 84 : 136) + 15 * (double)p->lines);
    cairn_figure_x_range(*out, p->low[0], p->high[0]);
    cairn_figure_y_range(*out, p->low[1] - room, p->high[1]);
    double frame_x[5] = {p->low[0], p->high[0], p->high[0], p->low[0], p->low[0]};
    double frame_y[5] = {p->low[1], p->low[1], p->high[1], p->high[1], p->low[1]};
    if (p->line) {
        frame_y[0] = frame_y[1] = 0;
        cairn_figure_guide(*out, frame_x, frame_y, 2);
    } else {
        cairn_figure_guide(*out, frame_x, frame_y, 5);
    }
    for (size_t i = 0; i < p->n; i++) groups[i] = labels[i];
    cairn_figure_points(*out, p->x, p->y, groups, p->n, NULL, 0);
done:
    return status;
}

static cairn_status add_panel(cairn_context *ctx, cairn_figure *figure, const cairn_instances *at,
                              places *p, const int *labels, int show, size_t *shown)
{
    cairn_status status;
    cairn_figure *panel = NULL;
    cairn_text words = cairn_text_start(ctx), title = cairn_text_start(ctx);
    cairn_witness witness;
    bool realised;
    TRY(cairn_labeling_realised(ctx, at, labels, &realised, &words, &witness));
    if ((show == SHOW_POSSIBLE && !realised) || (show == SHOW_IMPOSSIBLE && realised)) goto done;
    panel_title(&title, at, labels, realised);
    TRY(cairn_text_status(&words));
    TRY(cairn_text_status(&title));
    ++*shown;
    if (!figure) {
        size_t lines = count_lines(cairn_text_string(&words));
        if (lines > p->lines) p->lines = lines;
        goto done;
    }
    TRY(panel_new(ctx, &panel, p, cairn_text_string(&title), labels, at->n_labels == 2));
    if (realised)
        draw_witness(panel, at, p, &witness);
    else if (at->kind == CAIRN_LINEAR && p->plane)
        join_equal(panel, p, labels);
    for (size_t i = 0; i < at->n && !p->line; i++)
        cairn_figure_label(panel, p->x[i], p->y[i], at->names[i]);
    TRY(add_words(ctx, panel, p, cairn_text_string(&words)));
    cairn_figure_panel(figure, panel);
    panel = NULL;
done:
    cairn_figure_free(panel);
    cairn_text_clear(&words);
    cairn_text_clear(&title);
    return status;
}

/* -- all panels -- */

static cairn_status read_labeling(cairn_context *ctx, int *labels, const cairn_instances *at,
                                  const char *text)
{
    if (strlen(text) != at->n)
        return cairn_fail(ctx, CAIRN_USAGE, "--labeling %s: %zu digits for %zu points", text,
                          strlen(text), at->n);
    for (size_t i = 0; i < at->n; i++) {
        labels[i] = text[i] - '0';
        if (labels[i] < 0 || labels[i] >= at->n_labels)
            return cairn_fail(ctx, CAIRN_USAGE, "--labeling %s: labels are 0 to %d", text,
                              at->n_labels - 1);
    }
    return CAIRN_OK;
}

static cairn_status count_labelings(cairn_context *ctx, size_t *out, const cairn_instances *at)
{
    *out = 1;
    for (size_t i = 0; i < at->n; i++) {
        *out *= (size_t)at->n_labels;
        if (*out > MOST_TRIED)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%zu points have more than %d labelings, too many to draw; a part "
                              "of the points that is not shattered settles it, or draw one with "
                              "--labeling",
                              at->n, MOST_TRIED);
    }
    return CAIRN_OK;
}

/* All that are wanted; without a figure they are only counted. */
static cairn_status add_panels(cairn_context *ctx, cairn_figure *figure, const cairn_instances *at,
                               places *p, size_t total, int show, size_t *shown)
{
    cairn_status status = CAIRN_OK;
    int labels[MOST_POINTS] = {0};
    *shown = 0;
    for (size_t code = 0; code < total; code++) {
        if (code % 256 == 0) TRY(cairn_tick(ctx, "labelings", (double)code, (double)total));
        cairn_labeling_of(at, code, labels);
        TRY(add_panel(ctx, figure, at, p, labels, show, shown));
    }
done:
    return status;
}

static cairn_status shattering_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_picture_job *job)
{
    const shattering_params *p = job->params;
    cairn_instances at;
    places where = {0};
    cairn_status status;
    size_t total, shown = 0;
    int labels[MOST_POINTS] = {0};
    if (p->labels == 1) return cairn_fail(ctx, CAIRN_USAGE, "--labels: two or more are needed");
    TRY(cairn_instances_read(ctx, &at, (cairn_hypotheses)p->class, p->points, job->table, p->labels,
                             p->empty));
    TRY(find_places(ctx, &where, &at));
    TRY(cairn_figure_new(ctx, out, "shattering",
                         at.n_labels == 2 ? "Labelings: 1 solid, 0 hollow" : "Labelings"));
    if (p->labeling) {
        TRY(read_labeling(ctx, labels, &at, p->labeling));
        where.lines = 2;
        TRY(add_panel(ctx, *out, &at, &where, labels, SHOW_ALL, &shown));
        cairn_figure_size(*out, 300, 260);
        goto done;
    }
    TRY(count_labelings(ctx, &total, &at));
    TRY(add_panels(ctx, NULL, &at, &where, total, p->show, &shown));
    if (shown > (size_t)p->most)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "%zu labelings are to be drawn, at most %d are; take fewer points, --show "
                       "%s, one of them with --labeling, or raise --most",
                       shown, p->most, p->show == SHOW_IMPOSSIBLE ? "possible" : "impossible"));
    if (!shown)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "no labeling is %s; --show all draws every one",
                       p->show == SHOW_IMPOSSIBLE ? "impossible" : "possible"));
    cairn_figure_columns(*out, shown > 16 ? 8 : 4);
    TRY(add_panels(ctx, *out, &at, &where, total, p->show, &shown));
done:
    return status;
}

const cairn_picture cairn_picture_shattering = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "shattering",
              .title = "All labelings of a few points",
              .summary =
                  "A panel for every labeling of a few points, with the half-plane, box, interval "
                  "or other hypothesis of the class that produces it, or why it is impossible. "
                  "The points are shattered when no panel says so. Points on a line and in the "
                  "plane stand in their places, others around a circle.",
              .references = "Vapnik, Chervonenkis: On the uniform convergence of relative "
                            "frequencies, 1971",
              .example = "cairn draw shattering --points '0,0;1,0;0,1' --out lines.svg",
              .params = shattering_table,
              .params_size = sizeof(shattering_params)},
    .arguments = "[DATA]",
    .takes_table = true,
    .draw = shattering_draw,
};

/* -- subsets -- */

enum { FORM_PANELS, FORM_LATTICE };
enum { MOST_ELEMENTS = 8 };

typedef struct subsets_params {
    const char *of;
    int form;
} subsets_params;

static const cairn_choice form_choices[] = {
    {"panels", FORM_PANELS, "a panel for each, its members solid"},
    {"lattice", FORM_LATTICE, "a Hasse diagram, the larger set higher"},
    {NULL, 0, NULL}};

static const cairn_param subsets_table[] = {
    CAIRN_PARAM_AS(subsets_params, of, CAIRN_TYPE_LIST, "a,b,c",
                   "the elements, separated by commas"),
    CAIRN_PARAM_CHOICE(subsets_params, form, "panels", form_choices, "how they are drawn"),
    CAIRN_PARAM_END,
};

/* Members of subset `code` as labels, its name as text; smaller sets come first. */
static cairn_status subset_name(cairn_context *ctx, const char **out, char *const *names,
                                const int *labels, size_t n)
{
    cairn_status status;
    cairn_text text = cairn_text_start(ctx);
    bool any = false;
    char *copy;
    for (size_t i = 0; i < n; i++) {
        if (!labels[i]) continue;
        cairn_text_addf(&text, "%s%s", any ? "," : "{", names[i]);
        any = true;
    }
    cairn_text_add(&text, any ? "}" : "∅");
    TRY(cairn_text_status(&text));
    TRY(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
done:
    cairn_text_clear(&text);
    return status;
}

/* Codes of the subsets by size, then in the order of their members. */
static size_t order_subsets(size_t *codes, size_t n)
{
    size_t count = 0;
    for (size_t size = 0; size <= n; size++)
        for (size_t code = (size_t)1 << n; code-- > 0;) {
            size_t members = 0;
            for (size_t i = 0; i < n; i++) members += code >> i & 1;
            if (members == size) codes[count++] = code;
        }
    return count;
}

static cairn_status draw_lattice(cairn_context *ctx, cairn_figure **out, const char *const *texts,
                                 const size_t *codes, size_t n)
{
    cairn_status status;
    bool *above;
    TRY(SCRATCH(ctx, &above, n * n));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            above[i * n + k] = i != k && (codes[i] & codes[k]) == codes[k];
    TRY(cairn_hasse_figure(ctx, out, &(cairn_hasse){.n = n, .texts = texts, .above = above},
                           "subsets", "All subsets"));
done:
    return status;
}

static cairn_status draw_panels(cairn_context *ctx, cairn_figure **out, char *const *names,
                                size_t n_names, const char *const *texts, const size_t *codes,
                                size_t n)
{
    cairn_status status;
    places p = {.n = n_names};
    int labels[MOST_ELEMENTS] = {0};
    TRY(SCRATCH(ctx, &p.x, n_names));
    TRY(SCRATCH(ctx, &p.y, n_names));
    around(&p);
    find_frame(&p);
    TRY(cairn_figure_new(ctx, out, "subsets", "All subsets: members solid"));
    cairn_figure_columns(*out, n > 16 ? 8 : 4);
    for (size_t k = 0; k < n; k++) {
        cairn_figure *panel = NULL;
        for (size_t i = 0; i < n_names; i++) labels[i] = (int)(codes[k] >> (n_names - 1 - i) & 1);
        TRY(panel_new(ctx, &panel, &p, texts[k], labels, true));
        for (size_t i = 0; i < n_names; i++) cairn_figure_label(panel, p.x[i], p.y[i], names[i]);
        cairn_figure_panel(*out, panel);
    }
done:
    return status;
}

static cairn_status subsets_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_picture_job *job)
{
    const subsets_params *p = job->params;
    cairn_status status;
    char **names;
    const char **texts;
    size_t n_names, *codes, n;
    int labels[MOST_ELEMENTS] = {0};
    TRY(cairn_list_split(ctx, p->of, &names, &n_names));
    if (!n_names || n_names > MOST_ELEMENTS)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "--of: from one to %d elements; %zu have 2^%zu subsets",
                       MOST_ELEMENTS, n_names, n_names));
    TRY(SCRATCH(ctx, &codes, (size_t)1 << n_names));
    n = order_subsets(codes, n_names);
    TRY(SCRATCH(ctx, &texts, n));
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n_names; i++) labels[i] = (int)(codes[k] >> (n_names - 1 - i) & 1);
        TRY(subset_name(ctx, &texts[k], names, labels, n_names));
    }
    if (p->form == FORM_LATTICE)
        TRY(draw_lattice(ctx, out, texts, codes, n));
    else
        TRY(draw_panels(ctx, out, names, n_names, texts, codes, n));
done:
    return status;
}

const cairn_picture cairn_picture_subsets = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "subsets",
              .title = "All subsets of a set",
              .summary =
                  "Every subset of up to eight elements, the smaller ones first: a panel for "
                  "each with its members solid, or a Hasse diagram of all.",
              .example = "cairn draw subsets --of a,b,c --out subsets.svg",
              .params = subsets_table,
              .params_size = sizeof(subsets_params)},
    .arguments = "",
    .draw = subsets_draw,
};
