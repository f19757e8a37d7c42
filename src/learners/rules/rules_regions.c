/* SPDX-License-Identifier: MIT */
/* Where unordered rules contradict each other and where none fires.
 *
 * Only the columns that rules mention matter, and of a number column only on which side of the
 * numbers in the conditions a value lies. So there are finitely many regions: every combination of
 * a level or an interval of each of these columns. Each is tried on all rules. */
#include "learners/rules/rules.h"

#include "draw/canvas.h"
#include "draw/plot.h"
#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REGIONS = 512, MOST_DRAWN = 64, MOST_PAIRED = 100, MOST_TRIED = 1 << 16 };

/* A cut of a number column: before the number (it belongs above) or after it. */
typedef struct cut {
    double at;
    bool after;
} cut;

/* A column that rules mention. */
typedef struct axis {
    size_t column;
    const cairn_field *field;
    cut *cuts; /* number columns, ascending */
    size_t n_cuts, n_pieces;
} axis;

const char *cairn_overlap_word(const cairn_rules *m, const uint8_t *pattern)
{
    int32_t label = -1;
    size_t n = 0, last = m->n_rules - 1;
    for (size_t r = 0; (r = cairn_pattern_next(pattern, r, last)) < last; r++) {
        if (n++ && label != m->labels[r]) return "conflict";
        label = m->labels[r];
    }
    return n == 0 ? "none" : n == 1 ? "one" : "agree";
}

const char *cairn_overlap_of_row(const cairn_matcher *matcher, size_t view_row)
{
    const cairn_rules *m = matcher->rules;
    cairn_rule_walk walk = cairn_rule_walk_start(matcher, view_row);
    size_t first = cairn_rule_walk_next(&walk);
    if (first + 1 == m->n_rules) return "none";
    size_t next = cairn_rule_walk_next(&walk);
    if (next + 1 == m->n_rules) return "one";
    for (; next + 1 < m->n_rules; next = cairn_rule_walk_next(&walk))
        if (m->labels[next] != m->labels[first]) return "conflict";
    return "agree";
}

void cairn_pattern_add_classes(cairn_text *out, const cairn_rules *m, const uint8_t *pattern,
                               const cairn_schema *schema)
{
    bool any = false;
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        bool again = !cairn_pattern_has(pattern, r);
        for (size_t q = 0; q < r && !again; q++)
            again = cairn_pattern_has(pattern, q) && m->labels[q] == m->labels[r];
        if (again) continue;
        cairn_text_addf(out, "%s%s", any ? ", " : "", cairn_schema_class(schema, m->labels[r]));
        any = true;
    }
    if (!any) cairn_text_add(out, "none");
}

/* -- axes -- */

static int by_place(const void *a, const void *b)
{
    const cut *p = a, *q = b;
    if (p->at != q->at) return p->at < q->at ? -1 : 1;
    return (int)p->after - (int)q->after;
}

/* A cut is just before or just after its number; equality needs both, so that the number is a
 * piece of its own. */
static cairn_status make_cuts(cairn_context *ctx, axis *x, const cairn_rules *m)
{
    size_t n = 0;
    CHECK(SCRATCH(ctx, &x->cuts, 2 * m->n_literals));
    for (size_t l = 0; l < m->n_literals; l++) {
        cairn_relation relation = (cairn_relation)m->relations[l];
        bool both = relation == CAIRN_EQUAL || relation == CAIRN_UNEQUAL;
        if ((size_t)m->columns[l] != x->column || relation == CAIRN_IS_MISSING) continue;
        if (both || relation == CAIRN_BELOW || relation == CAIRN_AT_LEAST)
            x->cuts[n++] = (cut){m->numbers[l], false};
        if (both || relation == CAIRN_AT_MOST || relation == CAIRN_ABOVE)
            x->cuts[n++] = (cut){m->numbers[l], true};
    }
    if (n) qsort(x->cuts, n, sizeof *x->cuts, by_place);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_place(&x->cuts[i], &x->cuts[x->n_cuts - 1]) != 0)
            x->cuts[x->n_cuts++] = x->cuts[i];
    x->n_pieces = x->n_cuts + 1;
    return CAIRN_OK;
}

static cairn_status make_axes(cairn_context *ctx, axis **out, size_t *n, const cairn_rules *m,
                              const cairn_schema *schema)
{
    *n = 0;
    CHECK(SCRATCH(ctx, out, m->n_columns));
    for (size_t c = 0; c < m->n_columns; c++) {
        bool mentioned = false;
        for (size_t l = 0; l < m->n_literals; l++) mentioned |= (size_t)m->columns[l] == c;
        if (!mentioned) continue;
        axis *x = &(*out)[(*n)++];
        *x = (axis){.column = c, .field = cairn_schema_feature(schema, c)};
        if (m->is_number[c])
            CHECK(make_cuts(ctx, x, m));
        else
            x->n_pieces = x->field ? x->field->names.n : 0;
    }
    return CAIRN_OK;
}

/* A number inside piece i. */
static double inside(const axis *x, size_t i)
{
    const cut *low = x->cuts && i > 0 ? &x->cuts[i - 1] : NULL, *high = NULL;
    if (i < x->n_cuts) high = &x->cuts[i];
    if (low && !low->after) return low->at;
    if (high && high->after) return high->at;
    if (low && high) return low->at + (high->at - low->at) / 2;
    return low ? nextafter(low->at, INFINITY) : high ? nextafter(high->at, -INFINITY) : 0;
}

/* Writes an interval with its bounds open or closed as the conditions have them. */
static void add_piece(cairn_text *out, const axis *x, size_t i)
{
    const char *name = x->field ? x->field->name : "?";
    const cut *low = x->cuts && i > 0 ? &x->cuts[i - 1] : NULL, *high = NULL;
    if (i < x->n_cuts) high = &x->cuts[i];
    if (!x->cuts) {
        cairn_text_addf(out, "%s = %s", name, x->field ? cairn_map_key(&x->field->names, i) : "?");
    } else if (low && high && low->at == high->at) {
        cairn_text_addf(out, "%s = ", name);
        cairn_text_add_number(out, low->at, CAIRN_SHORTEST);
    } else {
        if (low && high) {
            cairn_text_add_number(out, low->at, CAIRN_SHORTEST);
            cairn_text_add(out, low->after ? " < " : " <= ");
        }
        cairn_text_add(out, name);
        if (!high && low) cairn_text_add(out, low->after ? " > " : " >= ");
        if (high) cairn_text_add(out, high->after ? " <= " : " < ");
        if (high || low) cairn_text_add_number(out, high ? high->at : low->at, CAIRN_SHORTEST);
    }
}

/* -- regions -- */

static void region_pattern(uint8_t *out, const cairn_rules *m, const axis *axes, size_t n,
                           const size_t *place)
{
    memset(out, 0, m->n_bytes);
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        bool fires = true;
        for (int32_t l = m->starts[r]; l < m->starts[r + 1] && fires; l++) {
            size_t a = 0;
            while (a < n && axes[a].column != (size_t)m->columns[l]) a++;
            fires = a < n && cairn_literal_meets(m, (size_t)l, (int32_t)place[a],
                                                 axes[a].cuts ? inside(&axes[a], place[a]) : NAN);
        }
        if (fires) out[r / 8] |= (uint8_t)(1u << (r % 8));
    }
}

/* The pieces of region i. */
static void set_place(size_t *place, const axis *axes, size_t n, size_t i)
{
    for (size_t a = n; a-- > 0;) {
        size_t pieces = axes[a].n_pieces ? axes[a].n_pieces : 1;
        place[a] = i % pieces;
        i /= pieces;
    }
}

static size_t regions_of(const axis *axes, size_t n)
{
    size_t total = 1;
    for (size_t a = 0; a < n; a++) total = cairn_product(total, axes[a].n_pieces);
    return total;
}

/* The piece that the cell of a row lies in; -1 = it is missing. */
static ptrdiff_t piece_of(const axis *x, const cairn_column *column, size_t row)
{
    size_t i = 0;
    if (cairn_column_is_missing(column, row)) return -1;
    if (!x->cuts) return column->codes[row];
    double number = column->numbers[row];
    while (i < x->n_cuts && (x->cuts[i].after ? number > x->cuts[i].at : number >= x->cuts[i].at))
        i++;
    return (ptrdiff_t)i;
}

cairn_status cairn_rules_count_regions(cairn_context *ctx, const cairn_rules *m,
                                       const cairn_job *job)
{
    cairn_rules_history *history = job->history;
    axis *axes = NULL;
    size_t n = 0;
    CHECK(make_axes(ctx, &axes, &n, m, job->schema));
    size_t total = regions_of(axes, n);
    if (total == 0 || total > MOST_REGIONS) return NEW(ctx, &history->regions, 0);
    CHECK(NEW(ctx, &history->regions, total));
    history->n_regions = total;
    for (size_t i = 0; i < job->view->rows.n; i++) {
        size_t row = cairn_view_row(job->view, i), region = 0;
        ptrdiff_t piece = 0;
        for (size_t a = 0; a < n && piece >= 0; a++) {
            piece = piece_of(&axes[a], job->view->features[axes[a].column], row);
            region = region * axes[a].n_pieces + (piece < 0 ? 0 : (size_t)piece);
        }
        if (piece >= 0) history->regions[region] += cairn_view_weight(job->view, i);
    }
    return CAIRN_OK;
}

static cairn_status archive_regions(cairn_archive *archive, void *history, const void *model)
{
    cairn_rules_history *a = history;
    (void)model;
    CHECK(cairn_archive_size(archive, "regions", &a->n_regions, MOST_REGIONS));
    return cairn_archive_reals(archive, "region", &a->regions, a->n_regions);
}

static void clear_regions(void *history)
{
    cairn_free(((cairn_rules_history *)history)->regions);
}

/* Files before version 9 do not have it. */
static cairn_status archive_rules_alone(cairn_archive *archive, void *model, void *history)
{
    (void)history;
    return cairn_rules_archive(archive, model);
}

const cairn_history cairn_rules_histories = {
    .size = sizeof(cairn_rules_history),
    .archive = archive_regions,
    .clear = clear_regions,
    .archive_together = archive_rules_alone,
};

static double rows_of(const cairn_rules *m, const uint8_t *pattern)
{
    int64_t at = cairn_map_find(&m->patterns, (const char *)pattern, m->n_bytes);
    double sum = 0;
    for (size_t l = 0; at >= 0 && l < m->n_classes; l++)
        sum += m->pattern_counts[(size_t)at * m->n_classes + l];
    return sum;
}

/* One line of the table; `rows` is NULL where nobody counted them. */
static void show_region(cairn_report *out, const cairn_rules *m, const uint8_t *pattern,
                        const char *where, size_t number, const double *rows,
                        const cairn_schema *schema)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    const char *word = cairn_overlap_word(m, pattern);
    cairn_report_cell_word(out, where, "region%zu.where", number);
    cairn_pattern_add_name(&text, m, pattern);
    cairn_report_cell_word(out, cairn_text_string(&text), "region%zu.rules", number);
    text.length = 0;
    cairn_pattern_add_classes(&text, m, pattern, schema);
    cairn_report_cell_word(out, cairn_text_string(&text), "region%zu.classes", number);
    if (rows) cairn_report_cell_number(out, *rows, 6, "region%zu.rows", number);
    cairn_report_cell_word(out,
                           strcmp(word, "none") == 0       ? "no rule fires"
                           : strcmp(word, "conflict") == 0 ? "rules contradict"
                                                           : "",
                           "region%zu.verdict", number);
    cairn_report_text_end(out, &text);
}

/* -- pairs of rules, where there are too many regions -- */

/* Whether some value of a column meets the conditions of both rules about it. */
static bool meet_on(const cairn_rules *m, size_t a, size_t b, const axis *x)
{
    for (size_t i = 0; i < x->n_pieces; i++) {
        bool all = true;
        for (size_t side = 0; side < 2 && all; side++) {
            size_t r = side ? b : a;
            for (int32_t l = m->starts[r]; l < m->starts[r + 1] && all; l++)
                if ((size_t)m->columns[l] == x->column)
                    all =
                        cairn_literal_meets(m, (size_t)l, (int32_t)i, x->cuts ? inside(x, i) : NAN);
        }
        if (all) return true;
    }
    return false;
}

static double rows_of_both(const cairn_rules *m, size_t a, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < m->patterns.n; i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        if (cairn_pattern_has(pattern, a) && cairn_pattern_has(pattern, b))
            sum += rows_of(m, pattern);
    }
    return sum;
}

/* Pairs of rules of different classes that can fire together. */
static void show_pairs(cairn_report *out, const cairn_rules *m, const axis *axes, size_t n,
                       const cairn_schema *schema)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t pairs = 0;
    cairn_report_table_of(out, "Pairs of rules that can contradict each other", 0, "llr", "rules",
                          "where", "training rows");
    for (size_t a = 0; a + 1 < m->n_rules; a++)
        for (size_t b = a + 1; b + 1 < m->n_rules; b++) {
            char names[2][CAIRN_RULE_NAME];
            bool meet = m->labels[a] != m->labels[b];
            for (size_t i = 0; i < n && meet; i++) meet = meet_on(m, a, b, &axes[i]);
            if (!meet) continue;
            pairs++;
            cairn_rule_name(names[0], m, a);
            cairn_rule_name(names[1], m, b);
            text.length = 0;
            cairn_text_addf(&text, "%s, %s", names[0], names[1]);
            cairn_report_cell_word(out, cairn_text_string(&text), "pair%zu.rules", pairs);
            text.length = 0;
            cairn_rule_add_body(&text, m, a, schema);
            cairn_text_add(&text, " & ");
            cairn_rule_add_body(&text, m, b, schema);
            cairn_report_cell_word(out, cairn_text_string(&text), "pair%zu.where", pairs);
            cairn_report_cell_number(out, rows_of_both(m, a, b), 6, "pair%zu.rows", pairs);
        }
    cairn_report_value(out, "pairs of rules that can contradict", (double)pairs, "pairs");
    cairn_report_text_end(out, &text);
}

/* -- lists: rules that never answer -- */

/* Mark the rules of a list that are the first to fire in some region. */
static cairn_status mark_reached(cairn_context *ctx, uint8_t *reached, const cairn_rules *m,
                                 const axis *axes, size_t n, size_t total)
{
    size_t *place = NULL;
    uint8_t *pattern = NULL;
    CHECK(SCRATCH(ctx, &place, n));
    CHECK(SCRATCH(ctx, &pattern, m->n_bytes));
    for (size_t i = 0; i < total; i++) {
        size_t first = 0;
        set_place(place, axes, n, i);
        region_pattern(pattern, m, axes, n, place);
        while (first + 1 < m->n_rules && !cairn_pattern_has(pattern, first)) first++;
        reached[first] = 1;
    }
    return CAIRN_OK;
}

/* Whether rule r asks for a missing cell, which no region has. */
static bool asks_for_missing(const cairn_rules *m, size_t r)
{
    for (int32_t l = m->starts[r]; l < m->starts[r + 1]; l++)
        if (m->relations[l] == CAIRN_IS_MISSING) return true;
    return false;
}

void cairn_rules_show_idle(cairn_report *out, const cairn_rules *m, const cairn_schema *schema)
{
    cairn_context *ctx = cairn_report_context(out);
    axis *axes = NULL;
    uint8_t *reached = NULL;
    size_t n = 0, total = 1, idle = 0;
    bool suspect = false;
    cairn_status status = CAIRN_OK;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    for (size_t r = 0; out && r + 1 < m->n_rules; r++) {
        double sum = 0;
        for (size_t l = 0; l < m->n_classes; l++) sum += m->segments[r * m->n_classes + l];
        suspect |= !(sum > 0);
    }
    if (!suspect || m->n_rules > MOST_REGIONS) goto done;
    TRY(make_axes(ctx, &axes, &n, m, schema));
    for (size_t a = 0; a < n; a++) total = cairn_product(total, axes[a].n_pieces);
    if (total > MOST_TRIED) goto done;
    TRY(SCRATCH(ctx, &reached, m->n_rules));
    TRY(mark_reached(ctx, reached, m, axes, n, total));
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        char name[CAIRN_RULE_NAME];
        if (reached[r] || asks_for_missing(m, r)) continue;
        cairn_rule_name(name, m, r);
        cairn_report_hidden_word(out, name, "idle%zu", ++idle);
        cairn_report_paragraph(out,
                               "Rule %s never answers, missing cells aside: rules before it "
                               "fire wherever its conditions can hold, or these exclude each "
                               "other.",
                               name);
    }
    cairn_report_hidden(out, (double)idle, "idle");
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* How many training rows lie where rules contradict or where none fires. */
static void show_totals(cairn_report *out, const cairn_rules *m)
{
    double conflict = 0, gap = 0;
    for (size_t i = 0; i < m->patterns.n; i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        const char *word = cairn_overlap_word(m, pattern);
        if (strcmp(word, "conflict") == 0) conflict += rows_of(m, pattern);
        if (strcmp(word, "none") == 0) gap += rows_of(m, pattern);
    }
    cairn_report_value(out, "training rows where rules contradict", conflict, "conflict.rows");
    cairn_report_value(out, "training rows where no rule fires", gap, "gap.rows");
}

/* All regions, with the rules that fire there; `counts`: their rows, NULL = not known. */
static cairn_status show_table(cairn_context *ctx, cairn_report *out, const cairn_rules *m,
                               const axis *axes, size_t n, size_t total, const double *counts,
                               const cairn_schema *schema)
{
    size_t *place = NULL, conflicts = 0, gaps = 0;
    uint8_t *pattern = NULL;
    SCOPED(cairn_text_clear) cairn_text where = cairn_text_start(ctx);
    CHECK(SCRATCH(ctx, &place, n));
    CHECK(SCRATCH(ctx, &pattern, m->n_bytes));
    cairn_report_table_of(out, "Regions", MOST_REGIONS, "lll", "where", "rules that fire",
                          "classes");
    if (counts) cairn_report_column(out, "training rows", 'r');
    cairn_report_column(out, "", 'l');
    for (size_t i = 0; i < total; i++) {
        where.length = 0;
        set_place(place, axes, n, i);
        for (size_t a = 0; a < n; a++) {
            if (a) cairn_text_add(&where, " & ");
            add_piece(&where, &axes[a], place[a]);
        }
        region_pattern(pattern, m, axes, n, place);
        conflicts += strcmp(cairn_overlap_word(m, pattern), "conflict") == 0;
        gaps += strcmp(cairn_overlap_word(m, pattern), "none") == 0;
        show_region(out, m, pattern, cairn_text_string(&where), i + 1, counts ? &counts[i] : NULL,
                    schema);
    }
    cairn_report_value(out, "regions where rules contradict", (double)conflicts, "conflicts");
    cairn_report_value(out, "regions where no rule fires", (double)gaps, "gaps");
    if (conflicts || gaps)
        cairn_report_paragraph(
            out, "Ways out: an order of the rules (rule-list, or {overlap first}), averaged "
                 "coverages ({overlap average}), a rule tree ({overlap tree}), and a last line "
                 "'otherwise CLASS' where no rule fires.");
    return cairn_text_status(&where);
}

/* -- the picture: one or two columns -- */

/* The half of a cell below (or above) its diagonal, or all of it, in the colour of a class. */
static void fill(cairn_figure *figure, double x, double y, int32_t label, char part)
{
    double low[2] = {y, y}, high[2] = {y + 1, y + 1};
    if (part == 'l') high[0] = y;
    if (part == 'u') low[1] = y + 1;
    cairn_figure_area(figure, label, (double[]){x, x + 1}, low, high, 2);
}

/* The rules and the classes of a cell in one line, or in two where they need more than `buffer`
 * points; what is still too long is shortened. */
static cairn_status write_cell(cairn_context *ctx, cairn_figure *figure, double x, double y,
                               const char *rules, const char *classes, double buffer)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    const char *upper, *lower;
    cairn_text_addf(&line, *classes ? "%s: %s" : "%s%s", rules, classes);
    CHECK(cairn_text_status(&line));
    bool one = !*classes || cairn_measure(cairn_text_string(&line), 10, false) <= buffer;
    CHECK(cairn_fit_text(ctx, &upper, one ? cairn_text_string(&line) : rules, 10, false, buffer));
    CHECK(cairn_fit_text(ctx, &lower, classes, 10, false, buffer));
    cairn_figure_text(figure, x + 0.5, y + (one ? 0.45 : 0.56), 'c', upper);
    if (!one) cairn_figure_text(figure, x + 0.5, y + 0.32, 'c', lower);
    return CAIRN_OK;
}

static void draw_cell(cairn_figure *figure, const cairn_rules *m, const uint8_t *pattern, double x,
                      double y)
{
    int32_t first = -1, other = -1;
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        if (!cairn_pattern_has(pattern, r)) continue;
        if (first < 0) first = m->labels[r];
        if (m->labels[r] != first && other < 0) other = m->labels[r];
    }
    if (first >= 0) fill(figure, x, y, first, other >= 0 ? 'l' : 'a');
    if (other >= 0) fill(figure, x, y, other, 'u');
    cairn_figure_guide(figure, (double[]){x, x + 1, x + 1, x, x}, (double[]){y, y, y + 1, y + 1, y},
                       5);
}

/* Names of the pieces beside the cells. */
static void draw_names(cairn_figure *figure, cairn_text *text, const axis *x, const axis *y)
{
    for (size_t i = 0; i < x->n_pieces; i++) {
        text->length = 0;
        add_piece(text, x, i);
        cairn_figure_text(figure, (double)i + 0.5, -0.25, 'c', cairn_text_string(text));
    }
    for (size_t i = 0; y && i < y->n_pieces; i++) {
        text->length = 0;
        add_piece(text, y, i);
        cairn_figure_text(figure, -0.08, (double)i + 0.45, 'r', cairn_text_string(text));
    }
}

/* Points that the widest name of a piece takes. */
static double widest_name(cairn_text *text, const axis *a)
{
    double widest = 0;
    for (size_t i = 0; i < a->n_pieces; i++) {
        text->length = 0;
        add_piece(text, a, i);
        widest = fmax(widest, cairn_measure(cairn_text_string(text), 10, false));
    }
    return widest;
}

/* A range and a size in which the names beside and below the cells have room; returns the points
 * that a cell has across. */
static double set_size(cairn_figure *figure, cairn_text *text, const axis *x, const axis *y,
                       double widest)
{
    double wide = (double)x->n_pieces, high = y ? (double)y->n_pieces : 1;
    double unit = fmin(fmax(120, fmax(widest, widest_name(text, x)) + 14), 260);
    double left = y ? widest_name(text, y) / unit + 0.15 : 0.1;
    cairn_figure_x_range(figure, -left, wide + 0.1);
    cairn_figure_y_range(figure, -0.5, high + 0.1);
    double width = fmin(1600, 40 + unit * (wide + left + 0.1));
    cairn_figure_size(figure, width, fmin(1200, 60 + 80 * (high + 0.6)));
    return (width - 40) / (wide + left + 0.1);
}

/* A cell for each region that the conditions cut out; classes stand only where a rule fires. */
static cairn_status draw_regions(cairn_context *ctx, cairn_figure **out, const cairn_rules *m,
                                 const axis *axes, size_t n, const cairn_schema *schema)
{
    const axis *x = &axes[0], *y = n > 1 ? &axes[1] : NULL;
    size_t height = y ? y->n_pieces : 1;
    uint8_t *pattern = NULL;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text classes = cairn_text_start(ctx);
    CHECK(SCRATCH(ctx, &pattern, m->n_bytes));
    CHECK(cairn_figure_new(ctx, &figure, "rule-regions", "Regions of the rules"));
    cairn_figure_no_axes(figure);
    memset(pattern, 0xFF, m->n_bytes);
    cairn_pattern_add_classes(&classes, m, pattern, schema);
    double widest = cairn_measure(cairn_text_string(&classes), 10, false);
    double buffer = set_size(figure, &text, x, y, widest) - 8;
    for (size_t i = 0; i < x->n_pieces * height; i++) {
        size_t place[2] = {i / height, i % height};
        region_pattern(pattern, m, axes, n, place);
        bool fires = strcmp(cairn_overlap_word(m, pattern), "none") != 0;
        text.length = classes.length = 0;
        cairn_pattern_add_name(&text, m, pattern);
        if (fires) cairn_pattern_add_classes(&classes, m, pattern, schema);
        draw_cell(figure, m, pattern, (double)place[0], (double)place[1]);
        CHECK(write_cell(ctx, figure, (double)place[0], (double)place[1], cairn_text_string(&text),
                         fires ? cairn_text_string(&classes) : "", buffer));
    }
    draw_names(figure, &text, x, y);
    CHECK(cairn_text_status(&text));
    CHECK(cairn_text_status(&classes));
    *out = TAKE(figure);
    return CAIRN_OK;
}

cairn_status cairn_rules_draw_regions(cairn_context *ctx, cairn_figure **out, const cairn_rules *m,
                                      const cairn_schema *schema)
{
    axis *axes = NULL;
    size_t n = 0;
    *out = NULL;
    if (m->ordered || m->n_rules < 2) return CAIRN_OK;
    CHECK(make_axes(ctx, &axes, &n, m, schema));
    size_t total = regions_of(axes, n);
    if (!axes || (n != 1 && n != 2) || total == 0 || total > MOST_DRAWN) return CAIRN_OK;
    return draw_regions(ctx, out, m, axes, n, schema);
}

void cairn_rules_show_regions(cairn_report *out, const cairn_rules *m,
                              const cairn_rules_history *history, const cairn_schema *schema)
{
    cairn_context *ctx = cairn_report_context(out);
    axis *axes = NULL;
    size_t n = 0, total;
    cairn_status status;
    if (!out || m->n_rules < 2) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_heading(out, 2, "Conflicts and gaps");
    TRY(make_axes(ctx, &axes, &n, m, schema));
    total = regions_of(axes, n);
    bool counted = history && history->n_regions == total;
    if (total <= MOST_REGIONS)
        TRY(show_table(ctx, out, m, axes, n, total, counted ? history->regions : NULL, schema));
    else
        cairn_report_paragraph(out,
                               "The columns of the conditions have too many combinations of "
                               "values to list (more than %d).",
                               MOST_REGIONS);
    if (total > MOST_REGIONS && m->n_rules <= MOST_PAIRED) show_pairs(out, m, axes, n, schema);
    show_totals(out, m);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}
