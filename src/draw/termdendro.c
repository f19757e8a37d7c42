/* SPDX-License-Identifier: MIT */
/* Dendrograms in letters: one line (or some columns) for an end, lines of box letters to the joins.
 * Lines are gathered as directions in which a cell is left, so that crossings come out right
 * whatever is drawn first. */
#include "base/memory.h"
#include "draw/dendrolayout.h"
#include "draw/terminal.h"
#include <math.h>
#include <stdio.h>

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };
enum { MOST_NAME = 24, MOST_LETTERS = 12, DEPTH_ROWS = 16 };

typedef struct letter_tree {
    cairn_dendro_layout layout;
    cairn_axis axis;
    size_t depth;  /* cells of the axis of heights */
    size_t name;   /* cells of the names */
    size_t pitch;  /* cells from one end to the next */
    size_t length; /* cells that all ends take */
    bool across, last;
    size_t *cell;  /* of each branch, along the ends */
    uint8_t *mask; /* length x depth directions */
    int16_t *colour;
} letter_tree;

static const char *const box_letters[16] = {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤",
                                            "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};

/* -- lines, as if the ends stood below each other with the root on the right -- */

static size_t column_of(const letter_tree *t, double height)
{
    const cairn_dendro_layout *o = &t->layout;
    double at =
        cairn_axis_place(&t->axis, o->tree->look.ranks ? cairn_dendro_rank(o, height) : height);
    return at > 0 ? (size_t)fmin(floor(at + 0.5), (double)t->depth - 1) : 0;
}

static void leave(letter_tree *t, size_t row, size_t column, int directions, int32_t group)
{
    size_t at = row * t->depth + column;
    t->mask[at] |= (uint8_t)directions;
    t->colour[at] = (int16_t)(group < 0 ? CAIRN_PLAIN : group % 1000);
}

static void draw_stem(letter_tree *t, int i, size_t to)
{
    const cairn_branch *b = &t->layout.tree->branches[i];
    size_t from = b->left < 0 ? 0 : column_of(t, b->height), row = t->cell[i];
    size_t low = from < to ? from : to, high = from < to ? to : from;
    for (size_t c = low; c < high; c++) {
        leave(t, row, c, RIGHT, b->group);
        leave(t, row, c + 1, LEFT, b->group);
    }
}

static void draw_join(letter_tree *t, size_t i)
{
    const cairn_branch *b = &t->layout.tree->branches[i];
    size_t column = column_of(t, b->height);
    draw_stem(t, b->left, column);
    draw_stem(t, b->right, column);
    for (size_t r = t->cell[b->left]; r < t->cell[b->right]; r++) {
        leave(t, r, column, DOWN, b->group);
        leave(t, r + 1, column, UP, b->group);
    }
}

static cairn_status draw_lines(cairn_context *ctx, letter_tree *t)
{
    const cairn_dendro *tree = t->layout.tree;
    CHECK(SCRATCH(ctx, &t->cell, tree->n));
    CHECK(SCRATCH_EACH(ctx, t->length * t->depth, &t->mask, &t->colour));
    /* A join is left at the middle of its line, or just before it. */
    const cairn_dendro_layout *o = &t->layout;
    for (size_t k = 0; k < o->n_ends; k++) t->cell[o->ends[k]] = k * t->pitch + (t->pitch - 1) / 2;
    for (size_t i = 0; i < o->n; i++) {
        const cairn_branch *b = &o->tree->branches[i];
        if (b->left >= 0) t->cell[i] = (t->cell[b->left] + t->cell[b->right]) / 2;
    }
    for (size_t i = tree->n; i-- > 0;)
        if (tree->branches[i].left >= 0) draw_join(t, i);
    return CAIRN_OK;
}

/* -- onto the grid, turned as the root wants it -- */

/* The directions of a cell when the root is not on the right. */
static int turned(int mask, bool across, bool last)
{
    int to_ends = mask & LEFT, to_root = mask & RIGHT, before = mask & UP, after = mask & DOWN;
    if (across && !last) return mask;
    if (across)
        return (to_ends ? RIGHT : 0) | (to_root ? LEFT : 0) | (before ? UP : 0) |
               (after ? DOWN : 0);
    return (to_ends ? (last ? DOWN : UP) : 0) | (to_root ? (last ? UP : DOWN) : 0) |
           (before ? LEFT : 0) | (after ? RIGHT : 0);
}

/* Where the names, then the lines begin on the grid. */
static size_t line_start(const letter_tree *t)
{
    return t->last ? 0 : t->across ? t->name + 1 : 1;
}

static void put_cell(const letter_tree *t, cairn_grid *grid, size_t along, size_t height,
                     const char *letter, int colour)
{
    size_t depth = line_start(t) + (t->last ? t->depth - 1 - height : height);
    cairn_grid_letter(grid, (double)(t->across ? depth : along),
                      (double)(t->across ? along : depth), letter, colour);
}

static void put_name(const letter_tree *t, cairn_grid *grid, size_t k)
{
    const cairn_dendro_layout *o = &t->layout;
    const char *text = o->tree->branches[o->ends[k]].text;
    size_t along = t->cell[o->ends[k]], width = text ? cairn_text_width(text) : 0;
    if (!text) return;
    if (width > t->name) width = t->name;
    if (t->across && t->last)
        cairn_grid_text(grid, t->depth + 1, along, text, t->name, CAIRN_PLAIN);
    else if (t->across)
        cairn_grid_text(grid, t->name - width, along, text, t->name, CAIRN_PLAIN);
    else
        cairn_grid_text(grid, along >= width / 2 ? along - width / 2 : 0, t->last ? t->depth : 0,
                        text, t->name, CAIRN_PLAIN);
}

static cairn_status put_all(cairn_context *ctx, const letter_tree *t, const cairn_figure *figure,
                            bool colour, cairn_text *out)
{
    cairn_grid grid;
    size_t names = t->across ? t->name + 1 : 1;
    CHECK(cairn_grid_start(ctx, &grid, t->across ? t->depth + names : t->length + t->name,
                           t->across ? t->length : t->depth + names));
    /* Cuts go between the lines, which keep their letters. */
    for (size_t s = 0; s < figure->n_series; s++) {
        if (figure->series[s].kind != CAIRN_RULE_Y) continue;
        size_t column = column_of(t, figure->series[s].y[0]);
        for (size_t r = 0; r < t->length; r++)
            if (!t->mask[r * t->depth + column])
                put_cell(t, &grid, r, column, t->across ? "┊" : "┈", -1);
    }
    for (size_t r = 0; r < t->length; r++)
        for (size_t c = 0; c < t->depth; c++) {
            size_t at = r * t->depth + c;
            if (t->mask[at])
                put_cell(t, &grid, r, c, box_letters[turned(t->mask[at], t->across, t->last)],
                         t->colour[at]);
        }
    for (size_t k = 0; k < t->layout.n_ends; k++) put_name(t, &grid, k);
    cairn_grid_write(&grid, out, colour);
    return CAIRN_OK;
}

/* -- measuring -- */

/* Ends stand beside each other only where all their names find room so. */
static void measure(letter_tree *t, const cairn_figure *figure, size_t columns)
{
    const cairn_dendro_layout *o = &t->layout;
    cairn_root_side root = figure->dendro.look.root;
    double low = fmin(o->low, 0), high = o->high > low ? o->high : low + 1;
    size_t widest = 1;
    for (size_t k = 0; k < o->n_ends; k++) {
        const char *text = o->tree->branches[o->ends[k]].text;
        size_t width = text ? cairn_text_width(text) : 0;
        if (width > widest) widest = width;
    }
    t->name = widest;
    t->across = root == CAIRN_ROOT_LEFT || root == CAIRN_ROOT_RIGHT || t->name > MOST_LETTERS ||
                (t->name + 1) * o->n_ends > columns;
    t->last = root == CAIRN_ROOT_TOP || root == CAIRN_ROOT_LEFT;
    if (t->across && root != CAIRN_ROOT_LEFT) t->last = false;
    if (t->name > MOST_NAME) t->name = MOST_NAME;
    if (t->across && t->name > columns / 2) t->name = columns / 2;
    t->pitch = t->across ? 1 : t->name + 1 > 3 ? t->name + 1 : 3;
    if (!t->across && t->pitch * o->n_ends > columns) t->pitch = t->name + 1;
    t->length = t->pitch * o->n_ends;
    t->depth = t->across ? columns - t->name - 1 : DEPTH_ROWS;
    if (o->tree->look.ranks)
        t->axis = (cairn_axis){.low = 0, .high = fmax((double)o->n_levels, 1)};
    else
        cairn_axis_fit(&t->axis, CAIRN_SCALE_LINEAR, NAN, NAN, low, high, 0, 0);
    t->axis.from = 0;
    t->axis.to = (double)t->depth - 1;
}

/* A line of ticks below ends that stand below each other. */
static cairn_status add_axis(cairn_context *ctx, letter_tree *t, cairn_text *out)
{
    cairn_grid grid;
    size_t columns = t->depth + t->name + 1, free = 0;
    CHECK(cairn_grid_start(ctx, &grid, columns, 1));
    cairn_axis_ticks(&t->axis, (int)(t->depth / 12) + 1);
    for (size_t k = 0; k < t->axis.n_ticks; k++) {
        size_t i = t->last ? t->axis.n_ticks - 1 - k : k,
               width = cairn_text_width(t->axis.labels[i]);
        size_t at = (size_t)fmax(cairn_axis_place(&t->axis, t->axis.ticks[i]) + 0.5, 0);
        if (at >= t->depth) continue;
        at = line_start(t) + (t->last ? t->depth - 1 - at : at);
        at = at >= width / 2 ? at - width / 2 : 0;
        if (at < free || at + width > columns) continue;
        cairn_grid_text(&grid, at, 0, t->axis.labels[i], width, CAIRN_PLAIN);
        free = at + width + 1;
    }
    cairn_grid_write(&grid, out, false);
    return CAIRN_OK;
}

cairn_status cairn_terminal_dendrogram(cairn_context *ctx, const cairn_figure *figure,
                                       size_t columns, bool colour, cairn_text *out)
{
    letter_tree t = {0};
    CHECK(cairn_dendro_place(ctx, &t.layout, &figure->dendro));
    measure(&t, figure, columns);
    CHECK(draw_lines(ctx, &t));
    CHECK(put_all(ctx, &t, figure, colour, out));
    bool scale = !figure->dendro.look.no_axis && !figure->dendro.look.ranks;
    if (scale && t.across) CHECK(add_axis(ctx, &t, out));
    if (scale && !t.across) {
        /* What the axis says, for ends that stand beside each other. */
        char high[CAIRN_NUMBER_SIZE], line[200];
        cairn_label_number(high, t.layout.high, 6);
        snprintf(line, sizeof line, "%.100s up to %s", figure->y_title ? figure->y_title : "height",
                 high);
        cairn_add_line(out, line, columns);
    }
    if (figure->dendro.look.note) cairn_add_line(out, figure->dendro.look.note, columns);
    CHECK(cairn_terminal_legend(ctx, figure, columns, colour, false, out));
    return cairn_text_status(out);
}
