/* SPDX-License-Identifier: MIT */
/* Drawing of neurons and networks, with the pieces that plots are made of. A label on an arrow
 * stands in a gap of it; those of arrows to different nodes stand at different places between the
 * layers, so that they do not meet. */
#include "plots/neuron_plot.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In units of the plot, of which one is SCALE points long: the radius of a disc, how far nodes of a
 * layer stand apart, how much lower a text must begin to stand in the middle, and half the width of
 * one of its letters. */
static const double radius = 0.27, rows_apart = 0.92, text_down = 0.1, half_letter = 0.042;
static const double turn = 6.283185307179586;

enum { OUTLINE = 48, SCALE = 90, SHOWN = 8, MOST_LETTERS = 14, DOTS = -1, BIAS = -2 };
enum { OF_INPUT, OF_NODE, OF_OUTPUT, OF_BIAS }; /* groups of colours */

typedef struct point {
    double x, y;
} point;

typedef struct sheet {
    cairn_context *ctx;
    cairn_figure *figure;
    point low, high;     /* corners of what is drawn */
    cairn_status status; /* the first failure */
} sheet;

static void keep_buffer(sheet *s, point at, double wide, double high)
{
    s->low = (point){fmin(s->low.x, at.x - wide), fmin(s->low.y, at.y - high)};
    s->high = (point){fmax(s->high.x, at.x + wide), fmax(s->high.y, at.y + high)};
}

/* The name, or its first letters and dots. */
static void write_text(sheet *s, point at, char align, const char *name)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(s->ctx);
    size_t cells, used = 0, i = 0;
    bool cut = cairn_text_width(name) > MOST_LETTERS;
    while (name[i] && (!cut || used < MOST_LETTERS - 1)) {
        i += cairn_text_letter(name + i, &cells);
        used += cells;
    }
    cairn_text_addf(&text, cut ? "%.*s…" : "%.*s", (int)i, name);
    cairn_figure_text(s->figure, at.x, at.y - text_down, align, cairn_text_string(&text));
    if (!s->status) s->status = cairn_text_status(&text);
    double wide = half_letter * (double)(used + cut) + 0.05;
    keep_buffer(s,
                (point){at.x + (align == 'l'   ? wide
                                : align == 'r' ? -wide
                                               : 0),
                        at.y},
                wide, 0.1);
}

static void write_number(sheet *s, point at, char align, const char *before, double number)
{
    char digits[CAIRN_NUMBER_SIZE], text[CAIRN_NUMBER_SIZE + 20];
    cairn_number_format(digits, number, 4);
    snprintf(text, sizeof text, "%.16s%s", before, digits);
    write_text(s, at, align, text);
}

/* An oval as wide as its name needs. */
static double half_width(const char *name)
{
    size_t width = cairn_text_width(name);
    if (width > MOST_LETTERS) width = MOST_LETTERS;
    return fmax(radius, half_letter * (double)width + 0.1);
}

static void draw_disc(sheet *s, point at, int32_t group, const char *name)
{
    double x[OUTLINE], y[OUTLINE], wide = half_width(name);
    for (int k = 0; k < OUTLINE; k++) {
        x[k] = at.x + wide * cairn_cos(turn * k / OUTLINE);
        y[k] = at.y + radius * cairn_sin(turn * k / OUTLINE);
    }
    cairn_figure_shape(s->figure, group, x, y, OUTLINE);
    keep_buffer(s, at, wide + 0.06, radius + 0.06);
    write_text(s, at, 'c', name);
}

static void draw_box(sheet *s, point at, int32_t group, const char *name)
{
    double wide = half_width(name), high = radius;
    const double x[] = {at.x - wide, at.x + wide, at.x + wide, at.x - wide};
    const double y[] = {at.y - high, at.y - high, at.y + high, at.y + high};
    cairn_figure_shape(s->figure, group, x, y, 4);
    keep_buffer(s, at, wide + 0.06, high + 0.06);
    write_text(s, at, 'c', name);
}

/* Where the straight way from a node to `towards` leaves it. */
static point edge_of(point at, double wide, point towards)
{
    double dx = towards.x - at.x, dy = towards.y - at.y;
    double t = 1 / sqrt(dx * dx / (wide * wide) + dy * dy / (radius * radius));
    return (point){at.x + t * dx, at.y + t * dy};
}

static point between(point a, point b, double t)
{
    return (point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static void draw_arrow(sheet *s, point from, point to)
{
    const double x[] = {from.x, to.x}, y[] = {from.y, to.y};
    cairn_figure_grey_arrow(s->figure, x, y, 2);
}

static void draw_line(sheet *s, point from, point to)
{
    const double x[] = {from.x, to.x}, y[] = {from.y, to.y};
    cairn_figure_faint(s->figure, x, y, 2);
}

/* An arrow from edge to edge, its label (NULL = none) in a gap at the part t of its way. */
static void draw_link(sheet *s, point a, double wide_a, point b, double wide_b, double t,
                      const char *label)
{
    point from = edge_of(a, wide_a, b), to = edge_of(b, wide_b, a), at = between(from, to, t);
    if (!label || !*label) {
        draw_arrow(s, from, to);
        return;
    }
    double dx = fabs(to.x - from.x), dy = fabs(to.y - from.y), length = sqrt(dx * dx + dy * dy);
    double wide = half_letter * (double)cairn_text_width(label) + 0.04, high = 0.12;
    double gap =
        fmin(dx > 0 ? wide * length / dx : INFINITY, dy > 0 ? high * length / dy : INFINITY);
    draw_line(s, from, between(from, to, fmax(0, t - gap / length)));
    draw_arrow(s, between(from, to, fmin(0.95, t + gap / length)), to);
    write_text(s, at, 'c', label);
}

/* The figure with its size, unless something failed. */
static cairn_status end_sheet(sheet *s, cairn_figure **out)
{
    if (s->status) {
        cairn_figure_free(s->figure);
        return s->status;
    }
    cairn_figure_x_range(s->figure, s->low.x - 0.05, s->high.x + 0.05);
    cairn_figure_y_range(s->figure, s->low.y - 0.05, s->high.y + 0.05);
    cairn_figure_size(s->figure, SCALE * (s->high.x - s->low.x + 0.1) + 40,
                      SCALE * (s->high.y - s->low.y + 0.1) + 60);
    *out = s->figure;
    return CAIRN_OK;
}

static cairn_status start_sheet(cairn_context *ctx, sheet *s, const char *name, const char *title)
{
    *s = (sheet){.ctx = ctx, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    CHECK(cairn_figure_new(ctx, &s->figure, name, title));
    cairn_figure_no_axes(s->figure);
    cairn_figure_equal_axes(s->figure);
    return CAIRN_OK;
}

/* -- one neuron -- */

/* Input number i of n + 1, the constant 1 first: its disc, its value, its arrow. */
static void draw_input(sheet *s, const cairn_neuron_scene *n, size_t i, point sum, double wide)
{
    point at = {0, ((double)n->n / 2 - (double)i) * rows_apart};
    char label[CAIRN_NUMBER_SIZE];
    const char *name = i ? n->inputs[i - 1] : "1";
    cairn_number_format(label, i ? n->weights[i - 1] : n->bias, 4);
    draw_disc(s, at, i ? OF_INPUT : OF_BIAS, name);
    if (n->x && i)
        write_number(s, (point){at.x - half_width(name) - 0.08, at.y}, 'r', "", n->x[i - 1]);
    draw_link(s, at, half_width(name), sum, wide, 0.42, label);
}

/* "0.5498", or y where no inputs are given, at the end of the last arrow. */
static void draw_output(sheet *s, const cairn_neuron_scene *n, point from, double wide)
{
    point to = {from.x + wide + 0.75, from.y};
    draw_arrow(s, (point){from.x + wide, from.y}, to);
    to.x += 0.08;
    if (n->x)
        write_number(s, to, 'l', "y = ", n->output);
    else
        write_text(s, to, 'l', "y");
}

cairn_status cairn_neuron_plot(cairn_context *ctx, cairn_figure **out, const cairn_neuron_scene *n)
{
    sheet s;
    const char *name = n->detailed ? "Σ" : n->function;
    double wide = half_width(name);
    point sum = {2.4 + 0.12 * (double)n->n + wide, 0};
    if (n->n > CAIRN_MOST_DRAWN_NODES)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d inputs can be drawn, and there are %zu",
                          CAIRN_MOST_DRAWN_NODES, n->n);
    CHECK(start_sheet(ctx, &s, "neuron", "A neuron"));
    for (size_t i = 0; i <= n->n; i++) draw_input(&s, n, i, sum, wide);
    draw_disc(&s, sum, OF_NODE, name);
    if (n->detailed) {
        double box = half_width(n->function);
        point f = {sum.x + wide + 1.1 + box, 0};
        draw_arrow(&s, (point){sum.x + wide, 0}, (point){f.x - box, 0});
        if (n->x)
            write_number(&s, (point){sum.x + wide + 0.5, 0.16}, 'c', "", n->net);
        else
            write_text(&s, (point){sum.x + wide + 0.5, 0.16}, 'c', "net");
        draw_box(&s, f, OF_OUTPUT, n->function);
        draw_output(&s, n, f, box);
    } else {
        draw_output(&s, n, sum, wide);
    }
    return end_sheet(&s, out);
}

/* -- layers -- */

/* What is drawn of a layer: numbers of nodes, or DOTS in place of some, or BIAS. */
typedef struct column {
    int nodes[SHOWN + 2];
    size_t n;
    double x, wide; /* of the widest node */
} column;

typedef struct network {
    sheet s;
    const cairn_layers_scene *scene;
    column columns[CAIRN_MOST_DRAWN_LAYERS + 1]; /* the inputs first */
} network;

static size_t size_of(const cairn_layers_scene *n, size_t l)
{
    return l ? n->layers->list[l - 1].n_out : n->layers->n_in;
}

/* A letter with numbers below it. */
static void write_indexed(char *out, size_t size, char letter, const size_t *numbers, size_t n)
{
    size_t used = (size_t)snprintf(out, size, "%c", letter);
    for (size_t i = 0; i < n; i++) {
        char digits[24];
        snprintf(digits, sizeof digits, "%s%zu",
                 i && (numbers[i] > 9 || numbers[i - 1] > 9) ? "," : "", numbers[i]);
        for (const char *d = digits; *d && used + 4 < size; d++)
            used += (size_t)(*d == ',' ? snprintf(out + used, size - used, ",")
                                       : snprintf(out + used, size - used, "\xe2\x82%c",
                                                  0x80 + (*d - '0')));
    }
}

static const char *name_of(const network *net, size_t l, int node, char buffer[64])
{
    const cairn_layers_scene *n = net->scene;
    if (node == DOTS) return "⋮";
    if (node == BIAS) return "1";
    if (n->notation) {
        write_indexed(buffer, 64, 'Y', (const size_t[]){l, (size_t)node + 1}, 2);
        return buffer;
    }
    return l ? n->nodes[l - 1][node] : n->inputs[node];
}

/* The first nodes and the last of a large layer; a constant on top where biases are nodes. */
static void choose_nodes(network *net, size_t l)
{
    column *c = &net->columns[l];
    size_t n = size_of(net->scene, l);
    char buffer[64];
    if (net->scene->biases == CAIRN_BIASES_NODES && l < net->scene->layers->n)
        c->nodes[c->n++] = BIAS;
    for (size_t j = 0; j < n; j++) {
        if (n <= SHOWN || j + 2 < SHOWN || j + 1 == n) c->nodes[c->n++] = (int)j;
        if (n > SHOWN && j + 2 == SHOWN) c->nodes[c->n++] = DOTS;
    }
    for (size_t k = 0; k < c->n; k++)
        c->wide = fmax(c->wide, half_width(name_of(net, l, c->nodes[k], buffer)));
}

static point place_of(const network *net, size_t l, size_t k)
{
    const column *c = &net->columns[l];
    bool crowded = net->scene->x && net->scene->biases == CAIRN_BIASES_NUMBERS;
    return (point){c->x, (((double)c->n - 1) / 2 - (double)k) * (crowded ? 1.2 : 1) * rows_apart};
}

/* The arrow from node k of layer l to node j of the next one. */
static void draw_weight(network *net, size_t l, size_t k, size_t j)
{
    const cairn_layers_scene *n = net->scene;
    const column *from = &net->columns[l], *to = &net->columns[l + 1];
    const cairn_neural_layer *layer = &n->layers->list[l];
    char label[64] = "", buffer[64], other[64];
    if (from->nodes[k] == DOTS || to->nodes[j] < 0) return;
    size_t node = (size_t)to->nodes[j];
    size_t input = from->nodes[k] == BIAS ? layer->n_in : (size_t)from->nodes[k];
    if (n->notation && !n->bare)
        write_indexed(label, sizeof label, 'W',
                      (const size_t[]){l + 1, node + 1, input == layer->n_in ? 0 : input + 1}, 3);
    else if (n->weights)
        cairn_number_format(label, n->weights[layer->first + node * (layer->n_in + 1) + input], 3);
    double part = to->n > 1 ? 0.18 + 0.56 * (double)j / (double)(to->n - 1) : 0.45;
    draw_link(&net->s, place_of(net, l, k), half_width(name_of(net, l, from->nodes[k], buffer)),
              place_of(net, l + 1, j), half_width(name_of(net, l + 1, to->nodes[j], other)), part,
              label);
}

/* The node with its output above it and its bias below. */
static void draw_node(network *net, size_t l, size_t k, size_t before)
{
    const cairn_layers_scene *n = net->scene;
    point at = place_of(net, l, k);
    char buffer[64];
    int node = net->columns[l].nodes[k];
    const char *name = name_of(net, l, node, buffer);
    if (node == DOTS) {
        write_text(&net->s, at, 'c', name);
        return;
    }
    draw_disc(&net->s, at,
              node == BIAS        ? OF_BIAS
              : !l                ? OF_INPUT
              : l == n->layers->n ? OF_OUTPUT
                                  : OF_NODE,
              name);
    if (node == BIAS) return;
    if (n->x && (!l || n->outs))
        write_number(&net->s, (point){at.x, at.y + radius + 0.1}, 'c', "",
                     l ? n->outs[before + (size_t)node] : n->x[node]);
    if (l && n->biases == CAIRN_BIASES_NUMBERS && n->weights) {
        const cairn_neural_layer *layer = &n->layers->list[l - 1];
        write_number(&net->s, (point){at.x, at.y - radius - 0.12}, 'c', "b ",
                     n->weights[layer->first + (size_t)node * (layer->n_in + 1) + layer->n_in]);
    }
}

/* What comes out, and the target beside it. */
static void draw_end(network *net, size_t k)
{
    const cairn_layers_scene *n = net->scene;
    size_t l = n->layers->n;
    int node = net->columns[l].nodes[k];
    point at = place_of(net, l, k);
    char buffer[64], text[40];
    if (node < 0) return;
    double wide = half_width(name_of(net, l, node, buffer));
    draw_arrow(&net->s, (point){at.x + wide, at.y}, (point){at.x + wide + 0.5, at.y});
    if (!n->targets) {
        keep_buffer(&net->s, (point){at.x + wide + 0.5, at.y}, 0.05, 0.05);
        return;
    }
    snprintf(text, sizeof text, "t = %.30s", n->targets[node]);
    write_text(&net->s, (point){at.x + wide + 0.6, at.y}, 'l', text);
}

static void draw_network(network *net)
{
    size_t n = net->scene->layers->n, before = 0;
    for (size_t l = 0; l < n; l++)
        for (size_t k = 0; k < net->columns[l].n; k++)
            for (size_t j = 0; j < net->columns[l + 1].n; j++) draw_weight(net, l, k, j);
    for (size_t l = 0; l <= n; l++) {
        for (size_t k = 0; k < net->columns[l].n; k++) draw_node(net, l, k, before);
        if (l) before += size_of(net->scene, l);
    }
    for (size_t k = 0; k < net->columns[n].n; k++) draw_end(net, k);
}

cairn_status cairn_layers_plot(cairn_context *ctx, cairn_figure **out,
                               const cairn_layers_scene *scene)
{
    network *net;
    SCOPED_SCRATCH(ctx);
    if (scene->layers->n > CAIRN_MOST_DRAWN_LAYERS)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d layers can be drawn, and there are %zu",
                          CAIRN_MOST_DRAWN_LAYERS, scene->layers->n);
    CHECK(SCRATCH(ctx, &net, 1));
    net->scene = scene;
    CHECK(start_sheet(ctx, &net->s, "neural-network", "A network"));
    /* Room between two layers grows with the nodes that arrows lead to, whose labels stand
     * beside each other. */
    for (size_t l = 0; l <= net->scene->layers->n; l++) {
        column *c = &net->columns[l];
        bool labels = !net->scene->bare && (net->scene->weights || net->scene->notation);
        choose_nodes(net, l);
        if (!l) continue;
        c->x = net->columns[l - 1].x + net->columns[l - 1].wide + c->wide +
               (labels ? fmax(1.3, 0.75 * (double)c->n + 0.3) : 1.3);
    }
    draw_network(net);
    return end_sheet(&net->s, out);
}
