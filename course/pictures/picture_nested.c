/* SPDX-License-Identifier: MIT */
/* cairn draw nested: hypotheses as sets of instances, each a closed curve around the rows that it
 * covers.
 *
 * A region is what lies inside of some sets and outside of all others; it holds its rows as a small
 * grid, and the sets that lie in it. Sets of one region that overlap stand side by side with their
 * common rows between them, so a chain of such overlaps can be drawn, and any nesting. Of three
 * that overlap one another the third lies across the first two. What cannot be drawn so is
 * refused. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "typed/concept_data.h"
#include "typed/hypotheses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SETS = 12, MOST_ROWS = 300, MOST_NAMED = 40 };

/* In units of one row's cell. */
static const double pad = 0.45, head = 0.75, step_in = 0.32, unit = 27;

typedef struct nested_params {
    const char *hypothesis, *positive;
    bool names;
} nested_params;

static const cairn_param nested_table[] = {
    {.name = "hypothesis",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(nested_params, hypothesis),
     .help = "a condition such as \"x >= 20\"; repeat it for more sets",
     .repeated = true,
     .required = true},
    CAIRN_PARAM(nested_params, positive, NULL, NULL,
                "the class marked +; the positive one of two if not given"),
    CAIRN_PARAM(nested_params, names, "yes", NULL, "write the id or number of each row"),
    CAIRN_PARAM_END,
};

typedef struct set {
    char label[32];      /* "h1", or "h1, h3" when both cover the same rows */
    const char *text;    /* the first condition */
    uint32_t bit, above; /* itself, and the sets that hold it */
    size_t size;
    double left, right, top, bottom;
    bool placed;
} set;

typedef struct sheet {
    set sets[MOST_SETS];
    size_t n_sets;
    uint32_t *pattern; /* of each row: the sets it is in */
    double *x, *y;     /* its place; y grows downwards */
    bool *placed;
    size_t n_rows;
    bool tangled;
} sheet;

/* -- sets -- */

/* Hypotheses that cover the same rows share one outline with both names; rows then know by bits
 * which sets they are in. */
static cairn_status make_sets(cairn_context *ctx, sheet *s, const cairn_typed *h)
{
    for (size_t i = 0; i < h->n; i++) {
        size_t k = 0, none = h->n_instances, size = 0;
        const double *truth = h->truth + i * h->n_instances;
        for (size_t r = 0; r < h->n_instances; r++) size += truth[r] == 1;
        if (!size)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' covers no row, so there is nothing to draw", h->texts[i]);
        while (k < s->n_sets &&
               (s->sets[k].size != size || cairn_typed_witness(h, i, s->sets[k].bit) != none))
            k++;
        if (k < s->n_sets) {
            size_t length = strlen(s->sets[k].label);
            snprintf(s->sets[k].label + length, sizeof s->sets[k].label - length, ", h%zu", i + 1);
            continue;
        }
        if (k == MOST_SETS)
            return cairn_fail(ctx, CAIRN_USAGE, "more than %d different sets are too many to draw",
                              MOST_SETS);
        s->sets[k] = (set){.text = h->texts[i], .bit = (uint32_t)i, .size = size};
        snprintf(s->sets[k].label, sizeof s->sets[k].label, "h%zu", i + 1);
        s->n_sets++;
    }
    for (size_t k = 0; k < s->n_sets; k++) /* until here `bit` was the number of the hypothesis */
        for (size_t r = 0; r < s->n_rows; r++)
            if (h->truth[s->sets[k].bit * h->n_instances + r] == 1)
                s->pattern[r] |= UINT32_C(1) << k;
    for (size_t k = 0; k < s->n_sets; k++) s->sets[k].bit = UINT32_C(1) << k;
    return CAIRN_OK;
}

static size_t common(const sheet *s, uint32_t both)
{
    size_t n = 0;
    for (size_t r = 0; r < s->n_rows; r++) n += (s->pattern[r] & both) == both;
    return n;
}

/* Neither holds the other and they share rows. */
static bool overlap(const sheet *s, const set *a, const set *b)
{
    return a != b && !(a->above & b->bit) && !(b->above & a->bit) && common(s, a->bit | b->bit);
}

/* -- places -- */

typedef struct extent {
    double width, height;
} extent;

static extent lay_region(sheet *s, uint32_t mask, double x, double y, bool place);

static extent lay_rows(sheet *s, uint32_t mask, double x, double y, bool place)
{
    size_t n = 0, at = 0;
    for (size_t r = 0; r < s->n_rows; r++) n += s->pattern[r] == mask;
    if (!n) return (extent){0, 0};
    size_t columns = (size_t)ceil(sqrt(1.4 * (double)n));
    for (size_t r = 0; r < s->n_rows && place; r++) {
        if (s->pattern[r] != mask) continue;
        size_t line = at / columns;
        s->x[r] = x + (double)(at % columns) + 0.5;
        s->y[r] = y + (double)line + 0.6;
        s->placed[r] = true;
        at++;
    }
    size_t lines = (n + columns - 1) / columns;
    return (extent){(double)(n < columns ? n : columns), (double)lines};
}

/* A chain of sets of which neighbours overlap: own part, common part, own part ... */
static extent lay_chain(sheet *s, const size_t *chain, size_t n, double x, double y, bool place)
{
    double at = x, height = 0.4;
    for (int round = place ? 0 : 1; round < 2; round++) {
        bool now = place && round == 1;
        at = x;
        for (size_t i = 0; i < n; i++) {
            set *own = &s->sets[chain[i]], *next = i + 1 < n ? &s->sets[chain[i + 1]] : NULL;
            double inside = y + head + pad;
            extent e = lay_region(s, own->above | own->bit, at + pad, inside, now);
            if (now && i == 0) own->left = at;
            at += fmax(e.width, 0.4) + 2 * pad;
            height = fmax(height, e.height);
            if (next) {
                e = lay_region(s, own->above | next->above | own->bit | next->bit, at + pad, inside,
                               now);
                if (now) next->left = at;
                at += fmax(e.width, 0.4) + 2 * pad;
                height = fmax(height, e.height);
            }
            if (!now) continue;
            own->right = at;
            own->top = y + (i % 2 ? step_in : 0);
            own->bottom = y + head + height + 2 * pad - (i % 2 ? step_in : 0);
            own->placed = true;
        }
    }
    return (extent){at - x, head + height + 2 * pad};
}

/* The chain that begins with a set; fails silently (tangled) when it branches or closes. */
static size_t find_chain(sheet *s, set *start, bool *used, size_t *chain)
{
    size_t n = 0;
    for (set *at = start; at;) {
        set *next = NULL;
        chain[n] = (size_t)(at - s->sets);
        used[chain[n++]] = true;
        for (size_t k = 0; k < s->n_sets; k++) {
            set *other = &s->sets[k];
            if (other->above != at->above || used[k] || !overlap(s, at, other)) continue;
            if (next) s->tangled = true;
            next = other;
        }
        at = next;
    }
    return n;
}

/* Sets of the region that overlap with one other set at most begin a chain. */
static bool begins(const sheet *s, const set *own)
{
    size_t n = 0;
    for (size_t k = 0; k < s->n_sets; k++)
        n += s->sets[k].above == own->above && overlap(s, own, &s->sets[k]);
    return n < 2;
}

/* The two sets of the same region that overlap with a set, with each other and with no other. */
static bool find_three(const sheet *s, const set *own, size_t three[3])
{
    size_t n = 1;
    three[0] = (size_t)(own - s->sets);
    for (size_t k = 0; k < s->n_sets; k++) {
        if (s->sets[k].above != own->above || !overlap(s, own, &s->sets[k])) continue;
        if (n == 3) return false;
        three[n++] = k;
    }
    if (n < 3 || !overlap(s, &s->sets[three[1]], &s->sets[three[2]])) return false;
    for (size_t k = 0; k < s->n_sets; k++)
        for (size_t i = 1; i < 3; i++)
            if (k != three[0] && k != three[3 - i] && s->sets[k].above == own->above &&
                overlap(s, &s->sets[three[i]], &s->sets[k]))
                return false;
    return true;
}

static void put_set(set *own, double left, double right, double top, double bottom)
{
    own->left = left;
    own->right = right;
    own->top = top;
    own->bottom = bottom;
    own->placed = true;
}

/* Three sets that overlap one another: two rows of cells, the lower one in the third set.
 *
 *     A only    A and B    B only
 *     A and C   all three  B and C   C only */
static extent lay_three(sheet *s, const size_t three[3], double x, double y, bool place)
{
    set *a = &s->sets[three[0]], *b = &s->sets[three[1]], *c = &s->sets[three[2]];
    uint32_t both = a->bit | b->bit;
    const uint32_t cells[2][4] = {{a->bit, both, b->bit, 0},
                                  {a->bit | c->bit, both | c->bit, b->bit | c->bit, c->bit}};
    double lefts[5] = {x}, tops[3] = {y + head + pad};
    for (size_t i = 0; i < 4; i++) {
        double width = 0.4;
        for (size_t j = i == 3; j < 2; j++)
            width = fmax(width, lay_region(s, a->above | cells[j][i], 0, 0, false).width);
        lefts[i + 1] = lefts[i] + width + 2 * pad;
    }
    for (size_t j = 0; j < 2; j++) {
        double height = 0.4;
        for (size_t i = 0; i < 3 + j; i++)
            height = fmax(height, lay_region(s, a->above | cells[j][i], 0, 0, false).height);
        tops[j + 1] = tops[j] + height + (j ? 2 * pad : head + 2 * pad);
    }
    for (size_t j = 0; j < 2 && place; j++)
        for (size_t i = 0; i < 3 + j; i++)
            lay_region(s, a->above | cells[j][i], lefts[i] + pad, tops[j], true);
    if (place) {
        put_set(a, x, lefts[2], y, tops[2]);
        put_set(b, lefts[1], lefts[3], y + step_in, tops[2] + step_in);
        put_set(c, x + step_in, lefts[4], tops[1] - head - pad, tops[2] - step_in);
    }
    return (extent){lefts[4] - x, tops[2] + step_in - y};
}

/* Lays out what lies directly within `mask`: its own rows, then chains of overlapping sets and
 * triples side by side. Called first to measure and again to place. */
static extent lay_region(sheet *s, uint32_t mask, double x, double y, bool place)
{
    bool used[MOST_SETS] = {false};
    size_t chain[MOST_SETS] = {0};
    extent all = lay_rows(s, mask, x, y, place);
    for (size_t k = 0; k < s->n_sets; k++) {
        set *own = &s->sets[k];
        double gap = all.width > 0 ? 0.35 : 0;
        extent e;
        if (own->above != mask || used[k]) continue;
        if (begins(s, own)) {
            size_t n = find_chain(s, own, used, chain);
            e = lay_chain(s, chain, n, x + all.width + gap, y, place);
        } else if (find_three(s, own, chain)) {
            for (size_t i = 0; i < 3; i++) used[chain[i]] = true;
            e = lay_three(s, chain, x + all.width + gap, y, place);
        } else {
            continue;
        }
        all.width += gap + e.width;
        all.height = fmax(all.height, e.height);
    }
    return all;
}

static cairn_status lay_out(cairn_context *ctx, sheet *s, extent *out)
{
    *out = lay_region(s, 0, pad, head, true);
    for (size_t r = 0; r < s->n_rows; r++) s->tangled = s->tangled || !s->placed[r];
    for (size_t k = 0; k < s->n_sets; k++) s->tangled = s->tangled || !s->sets[k].placed;
    if (s->tangled)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "these sets overlap too much to be drawn: a chain of overlaps and three sets that "
            "overlap one another have a place, this has none; leave out a {hypothesis}, or see "
            "their order with 'draw hypotheses'");
    out->width += 2 * pad;
    out->height += head + pad;
    return CAIRN_OK;
}

/* -- drawing -- */

enum { ARC = 9 };

/* A box with round corners as a closed line. */
static void draw_round(cairn_figure *figure, const char *label, double left, double right,
                       double top, double bottom)
{
    double x[4 * ARC + 1], y[4 * ARC + 1];
    double radius = fmin(0.9, 0.45 * fmin(right - left, bottom - top));
    const double quarter = M_PI_2;
    for (int corner = 0; corner < 4; corner++)
        for (int i = 0; i < ARC; i++) {
            double angle = quarter * (corner + (double)i / (ARC - 1));
            bool is_right = corner == 0 || corner == 3, is_top = corner < 2;
            x[corner * ARC + i] =
                (is_right ? right - radius : left + radius) + radius * cairn_cos(angle);
            y[corner * ARC + i] =
                (is_top ? -top - radius : -bottom + radius) + radius * cairn_sin(angle);
        }
    x[4 * ARC] = x[0];
    y[4 * ARC] = y[0];
    if (label)
        cairn_figure_line(figure, label, x, y, 4 * ARC + 1);
    else
        cairn_figure_guide(figure, x, y, 4 * ARC + 1);
}

/* With a class as target, rows are signs of it; names only while there are few rows. */
static cairn_status add_rows(cairn_context *ctx, cairn_figure *figure, const sheet *s,
                             const cairn_table *table, const nested_params *p)
{
    cairn_view view;
    int8_t *classes = NULL;
    int32_t *group;
    double *y;
    const char **names, *positive = NULL;
    char label[120];
    CHECK(SCRATCH_EACH(ctx, s->n_rows, &group, &y));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    bool labelled = view.target && view.target->kind == CAIRN_LEVEL;
    if (labelled)
        CHECK(cairn_read_positive(ctx, &view, p->positive, "draw nested", &classes, &positive));
    for (size_t r = 0; r < s->n_rows; r++) {
        group[r] = !labelled ? 0 : classes[r] < 0 ? -1 : !classes[r];
        y[r] = -s->y[r];
    }
    if (labelled) snprintf(label, sizeof label, "%.50s = %.50s", view.target_name, positive);
    const char *groups[2] = {label, "other"};
    if (labelled) cairn_figure_marking(figure, CAIRN_MARKING_SIGNS);
    cairn_figure_points(figure, s->x, y, group, s->n_rows, labelled ? groups : NULL,
                        labelled ? 2 : 0);
    CHECK(cairn_row_names(ctx, table, &names));
    for (size_t r = 0; r < s->n_rows && p->names && s->n_rows <= MOST_NAMED; r++)
        cairn_figure_text(figure, s->x[r], y[r] + 0.16, 'c', names[r]);
    return CAIRN_OK;
}

/* Each hypothesis is an outline around the rows that it covers, so more general ones enclose the
 * more special; the places of rows mean nothing else. */
static cairn_status nested_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const nested_params *p = job->params;
    cairn_typed h;
    sheet s = {.n_rows = job->table->n_rows};
    extent all;
    if (!s.n_rows || s.n_rows > MOST_ROWS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows; from one to %d can be drawn as instances ({where} takes a "
                          "part of them)",
                          s.n_rows, MOST_ROWS);
    CHECK(cairn_typed_read(ctx, &h, p->hypothesis, 1, job->table));
    CHECK(cairn_typed_try_rows(ctx, &h, job->table));
    CHECK(SCRATCH_EACH(ctx, s.n_rows, &s.pattern, &s.x, &s.y, &s.placed));
    CHECK(make_sets(ctx, &s, &h));
    for (size_t i = 0; i < s.n_sets; i++)
        for (size_t k = 0; k < s.n_sets; k++)
            if (s.sets[k].size > s.sets[i].size &&
                common(&s, s.sets[i].bit | s.sets[k].bit) == s.sets[i].size)
                s.sets[i].above |= s.sets[k].bit;
    CHECK(lay_out(ctx, &s, &all));
    CHECK(cairn_figure_new(ctx, out, "nested", "Hypotheses as sets of instances"));
    cairn_figure_no_axes(*out);
    draw_round(*out, NULL, 0, all.width, 0, all.height);
    cairn_figure_text(*out, 0.5, -0.85, 'l', "X");
    CHECK(add_rows(ctx, *out, &s, job->table, p));
    for (size_t k = 0; k < s.n_sets; k++) {
        const set *own = &s.sets[k];
        char label[200];
        snprintf(label, sizeof label, "%s: %.150s", own->label, own->text);
        draw_round(*out, label, own->left, own->right, own->top, own->bottom);
        cairn_figure_text(*out, own->left + 0.35, -own->top - 0.8, 'l', own->label);
    }
    cairn_figure_size(*out, fmax(260, all.width * unit + 60), fmax(160, all.height * unit + 70));
    cairn_figure_x_range(*out, -0.2, all.width + 0.2);
    cairn_figure_y_range(*out, -all.height - 0.2, 0.2);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_nested = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "nested",
                .also = "Venn diagram, nested sets",
                .title = "Hypotheses as sets of instances",
                .summary =
                    "The rows of a table as instances, + and - by their class, and around them "
                    "a closed curve for each hypothesis: the more general one holds the more "
                    "special one. Sets that overlap stand side by side with their common rows "
                    "between them, a third one across two others; what is too tangled for that is "
                    "refused.",
                .example =
                    "cairn draw nested @threshold --hypothesis 'x >= 19' --hypothesis 'x >= 25' "
                    "--out sets.svg",
                .params = nested_table,
                .params_size = sizeof(nested_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = nested_draw,
};
