/* SPDX-License-Identifier: MIT */
/* Candidates are counted column by column: levels in a table of level by class, numbers along
 * their order, in which every place between two values is a cut. Of a number column the best cut of
 * either direction is a candidate. A column is used once in a rule (a number once from below and
 * once from above), and a condition that all covered rows meet is none. */
#include "learners/rules/rule_search.h"

#include "base/number.h"
#include "learners/tree/tree.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-12
enum { FEW = 16 };

/* -- rows -- */

typedef struct placed {
    double x;
    uint32_t row;
} placed;

static int by_value(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static cairn_status gather_numbers(cairn_context *ctx, cairn_rule_rows *out, size_t c,
                                   const cairn_column *column, const uint32_t *table_rows)
{
    size_t n = 0;
    placed *sorted = NULL;
    cairn_scratch_mark mark;
    cairn_status status;
    TRY(SCRATCH_RAW(ctx, &out->numbers[c], out->n));
    TRY(SCRATCH_RAW(ctx, &out->orders[c], out->n));
    mark = cairn_scratch_now(ctx);
    TRY(SCRATCH_RAW(ctx, &sorted, out->n));
    for (size_t i = 0; i < out->n; i++) {
        out->numbers[c][i] = column->numbers[table_rows[i]];
        if (!isnan(out->numbers[c][i])) sorted[n++] = (placed){out->numbers[c][i], (uint32_t)i};
    }
    if (n) qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++) out->orders[c][i] = sorted[i].row;
    out->n_ordered[c] = n;
    cairn_scratch_release(ctx, mark);
done:
    return status;
}

cairn_status cairn_rule_rows_make(cairn_context *ctx, cairn_rule_rows *out, const cairn_job *job)
{
    const cairn_view *view = job->view;
    uint32_t *table_rows = NULL;
    cairn_status status;
    *out = (cairn_rule_rows){
        .n_columns = view->n_features, .n_classes = job->n_classes, .schema = job->schema};
    TRY(cairn_memory_check(ctx, (double)view->rows.n * (12 * (double)view->n_features + 40),
                           "learning rules", "raise --memory, or use fewer rows or columns"));
    TRY(SCRATCH_RAW(ctx, &table_rows, view->rows.n));
    TRY(SCRATCH_RAW(ctx, &out->classes, view->rows.n));
    TRY(SCRATCH_RAW(ctx, &out->weights, view->rows.n));
    TRY(SCRATCH(ctx, &out->codes, out->n_columns));
    TRY(SCRATCH(ctx, &out->numbers, out->n_columns));
    TRY(SCRATCH(ctx, &out->orders, out->n_columns));
    TRY(SCRATCH(ctx, &out->n_ordered, out->n_columns));
    TRY(SCRATCH(ctx, &out->n_levels, out->n_columns));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double weight = cairn_view_weight(view, i);
        if (!(weight > 0) || view->target->codes[row] < 0) continue;
        table_rows[out->n] = (uint32_t)row;
        out->classes[out->n] = view->target->codes[row];
        out->weights[out->n++] = weight;
    }
    for (size_t c = 0; c < out->n_columns; c++) {
        const cairn_column *column = view->features[c];
        if (column->kind != CAIRN_LEVEL) {
            TRY(gather_numbers(ctx, out, c, column, table_rows));
            continue;
        }
        out->n_levels[c] = column->names.n;
        TRY(SCRATCH_RAW(ctx, &out->codes[c], out->n));
        for (size_t i = 0; i < out->n; i++) out->codes[c][i] = column->codes[table_rows[i]];
    }
done:
    return status;
}

bool cairn_literal_holds(const cairn_literal *literal, const cairn_rule_rows *rows, size_t row)
{
    if (literal->relation == CAIRN_EQUAL)
        return rows->codes[literal->column][row] == literal->level;
    double x = rows->numbers[literal->column][row];
    return literal->relation == CAIRN_AT_MOST ? x <= literal->number : x > literal->number;
}

void cairn_literal_add(cairn_text *out, const cairn_literal *literal, const cairn_schema *schema)
{
    int32_t level = literal->level;
    cairn_condition c = {.column = (size_t)literal->column,
                         .relation = literal->relation,
                         .number = literal->number,
                         .levels = &level,
                         .n_levels = literal->relation == CAIRN_EQUAL};
    cairn_condition_add(out, &c, schema);
}

/* -- candidates of one conjunction -- */

typedef struct expansion {
    const cairn_rule_search *search;
    const cairn_conjunction *from;
    const double *left;   /* by class: rows at the start of the rule */
    const uint8_t *marks; /* rows of `from` */
    const size_t *slots;  /* n_columns + 1: first candidate of each column */
    cairn_literal *out;   /* candidates */
    double *counts;       /* candidates x n_classes */
    double **tables;      /* per worker: 4 n_classes */
    placed **sorted; /* per worker, where sorting few rows beats going through all; else NULL */
} expansion;

static size_t largest(const double *values, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (values[i] > values[best]) best = i;
    return best;
}

/* Score a candidate whose counts and rows are known. */
static void judge(const expansion *e, cairn_literal *literal, const double *counts)
{
    const cairn_rule_search *s = e->search;
    size_t k = s->rows->n_classes, class = largest(counts, k);
    double total = 0;
    for (size_t l = 0; l < k; l++) total += counts[l];
    literal->cover = s->goal < 0 ? total : counts[s->goal];
    literal->rare = e->left[class];
    if (literal->n_rows == 0 || literal->n_rows == e->from->n_rows || !(literal->cover > 0) ||
        literal->cover < s->least_cover) {
        literal->score = -INFINITY;
        return;
    }
    literal->score = s->score(s->data, counts, e->from->counts, k);
}

static bool used(const cairn_conjunction *from, int32_t column, cairn_relation relation)
{
    for (size_t i = 0; i < from->n_literals; i++)
        if (from->literals[i].column == column && from->literals[i].relation == relation)
            return true;
    return false;
}

static void expand_levels(const expansion *e, size_t c)
{
    const cairn_rule_rows *rows = e->search->rows;
    size_t k = rows->n_classes, first = e->slots[c];
    const int32_t *codes = rows->codes[c];
    for (size_t i = 0; i < e->from->n_rows; i++) {
        uint32_t row = e->from->rows[i];
        if (codes[row] < 0) continue;
        size_t slot = first + (size_t)codes[row];
        e->counts[slot * k + (size_t)rows->classes[row]] += rows->weights[row];
        e->out[slot].n_rows++;
    }
    for (size_t l = 0; l < rows->n_levels[c]; l++) {
        cairn_literal *literal = &e->out[first + l];
        literal->column = (int32_t)c;
        literal->relation = CAIRN_EQUAL;
        literal->level = (int32_t)l;
        judge(e, literal, e->counts + (first + l) * k);
        if (e->search->seed_row >= 0 && codes[e->search->seed_row] != (int32_t)l)
            literal->score = -INFINITY;
    }
}

static bool better(const cairn_rule_search *s, const cairn_literal *a, const cairn_literal *b)
{
    double scale = fmax(1, fmax(fabs(a->score), fabs(b->score)));
    if (isinf(b->score)) return !isinf(a->score);
    if (isinf(a->score)) return false;
    if (fabs(a->score - b->score) > SAME * scale) return a->score > b->score;
    if (s->tie == CAIRN_TIE_FIRST) return false;
    if (fabs(a->cover - b->cover) > SAME * fmax(1, a->cover)) return a->cover > b->cover;
    return s->tie == CAIRN_TIE_RARE && a->rare < b->rare - SAME;
}

/* Take a cut when it beats what the column has. */
static void try_cut(const expansion *e, size_t slot, cairn_literal literal, const double *counts)
{
    size_t k = e->search->rows->n_classes;
    judge(e, &literal, counts);
    if (e->out[slot].n_rows > 0 && !better(e->search, &literal, &e->out[slot])) return;
    if (isinf(literal.score) && e->out[slot].n_rows > 0) return;
    e->out[slot] = literal;
    memcpy(e->counts + slot * k, counts, k * sizeof *counts);
}

static bool seed_allows(const expansion *e, size_t c, cairn_relation relation, double cut)
{
    if (e->search->seed_row < 0) return true;
    double x = e->search->rows->numbers[c][e->search->seed_row];
    return relation == CAIRN_AT_MOST ? x <= cut : x > cut;
}

/* Both directions of a cut behind n_below of n rows. */
static void try_both(const expansion *e, size_t c, double cut, const size_t n[2],
                     const double *below, const double *above)
{
    cairn_literal literal = {
        .column = (int32_t)c, .relation = CAIRN_AT_MOST, .number = cut, .n_rows = n[0]};
    bool again = e->search->again;
    if ((again || !used(e->from, (int32_t)c, CAIRN_AT_MOST)) &&
        seed_allows(e, c, CAIRN_AT_MOST, cut))
        try_cut(e, e->slots[c], literal, below);
    literal.relation = CAIRN_ABOVE;
    literal.n_rows = n[1] - n[0];
    if ((again || !used(e->from, (int32_t)c, CAIRN_ABOVE)) && seed_allows(e, c, CAIRN_ABOVE, cut))
        try_cut(e, e->slots[c] + 1, literal, above);
}

/* A cut that waits for the rows of the value behind it: between values of one and the same class it
 * is never the best, whatever the score, for that is best at an end of such a stretch. */
typedef struct waiting_cut {
    bool there, sparing; /* sparing = such cuts can be left out */
    double cut;
    size_t n[2];    /* rows below it, rows in all */
    int32_t before; /* class of the value before the cut, -1 = several */
    double *counts; /* below, above */
} waiting_cut;

static void settle(const expansion *e, size_t c, waiting_cut *w, int32_t behind)
{
    size_t k = e->search->rows->n_classes;
    if (w->there && !(w->sparing && w->before >= 0 && w->before == behind))
        try_both(e, c, w->cut, w->n, w->counts, w->counts + k);
    w->there = false;
}

/* Rows of the conjunction with a value, sorted when they are few, and their counts. */
static size_t gather(const expansion *e, size_t c, placed *sorted, double *counts)
{
    const cairn_rule_rows *rows = e->search->rows;
    size_t n = 0;
    for (size_t i = 0; i < e->from->n_rows; i++) {
        uint32_t row = e->from->rows[i];
        if (isnan(rows->numbers[c][row])) continue;
        counts[rows->classes[row]] += rows->weights[row];
        if (sorted) sorted[n] = (placed){rows->numbers[c][row], row};
        n++;
    }
    if (sorted && n) qsort(sorted, n, sizeof *sorted, by_value);
    return n;
}

static void expand_numbers(const expansion *e, size_t c, int worker)
{
    const cairn_rule_search *s = e->search;
    const cairn_rule_rows *rows = s->rows;
    size_t k = rows->n_classes, n_below = 0, n;
    placed *sorted = e->sorted ? e->sorted[worker] : NULL;
    double *below = e->tables[worker], *above = below + k, last = NAN;
    waiting_cut waiting = {.counts = below + 2 * k,
                           .sparing = s->tie != CAIRN_TIE_FIRST && s->seed_row < 0 &&
                                      (s->goal >= 0 || !(s->least_cover > 0))};
    int32_t class = -1; /* of the rows with the same value */
    memset(below, 0, 2 * k * sizeof *below);
    n = gather(e, c, sorted, above);
    for (size_t i = 0; n_below < n; i++) {
        uint32_t row = sorted ? sorted[i].row : rows->orders[c][i];
        double x = rows->numbers[c][row];
        if (!sorted && !e->marks[row]) continue;
        int32_t own = rows->classes[row];
        if (n_below > 0 && x > last) {
            settle(e, c, &waiting, class);
            memcpy(waiting.counts, below, 2 * k * sizeof *below);
            waiting.there = true;
            waiting.cut = cairn_number_between(last, x);
            waiting.n[0] = n_below;
            waiting.n[1] = n;
            waiting.before = class;
            class = own;
        }
        class = n_below == 0 || class == own ? own : -1;
        below[own] += rows->weights[row];
        above[own] -= rows->weights[row];
        if (fabs(above[own]) < SAME) above[own] = 0;
        n_below++;
        last = x;
    }
    settle(e, c, &waiting, class);
}

static void expand_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const expansion *e = data;
    (void)block;
    for (size_t c = begin; c < end; c++) {
        if (e->search->rows->codes[c]) {
            if (!used(e->from, (int32_t)c, CAIRN_EQUAL)) expand_levels(e, c);
        } else {
            expand_numbers(e, c, worker);
        }
    }
}

static cairn_status make_slots(cairn_context *ctx, const cairn_rule_rows *rows, size_t **out)
{
    cairn_status status;
    TRY(SCRATCH(ctx, out, rows->n_columns + 1));
    for (size_t c = 0; c < rows->n_columns; c++)
        (*out)[c + 1] = (*out)[c] + (rows->codes[c] ? rows->n_levels[c] : 2);
done:
    return status;
}

static cairn_status expand(cairn_context *ctx, expansion *e, uint8_t *marks)
{
    const cairn_rule_rows *rows = e->search->rows;
    size_t n = e->slots[rows->n_columns], workers = (size_t)cairn_workers(ctx);
    cairn_status status;
    TRY(SCRATCH(ctx, &e->out, n));
    TRY(SCRATCH(ctx, &e->counts, cairn_product(n, rows->n_classes)));
    TRY(SCRATCH(ctx, &e->tables, workers));
    for (size_t w = 0; w < workers; w++) TRY(SCRATCH(ctx, &e->tables[w], 4 * rows->n_classes));
    if (e->from->n_rows < rows->n / FEW) {
        TRY(SCRATCH(ctx, &e->sorted, workers));
        for (size_t w = 0; w < workers; w++) TRY(SCRATCH_RAW(ctx, &e->sorted[w], e->from->n_rows));
    }
    for (size_t i = 0; i < n; i++) e->out[i].score = -INFINITY;
    for (size_t i = 0; i < e->from->n_rows; i++) marks[e->from->rows[i]] = 1;
    e->marks = marks;
    TRY(cairn_blocks_sized(ctx, rows->n_columns, 1,
                           (double)rows->n_columns * (double)e->from->n_rows, expand_columns, e));
    for (size_t i = 0; i < e->from->n_rows; i++) marks[e->from->rows[i]] = 0;
done:
    return status;
}

/* -- steps -- */

/* The candidates as points of the coverage plot of the rows that are refined, the chosen one marked
 * and joined with the corner by the line of equal shares. */
static void draw_candidates(const cairn_rule_search *s, const expansion *e, size_t chosen)
{
    enum { MOST = 40 };
    cairn_report *out = s->steps;
    cairn_context *ctx = cairn_report_context(out);
    size_t n = e->slots[s->rows->n_columns], shown = 0, up = (size_t)s->upward;
    double width = e->from->counts[1 - up], height = e->from->counts[up], x[MOST], y[MOST];
    cairn_figure *figure = NULL;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < n; i++) shown += e->out[i].n_rows > 0;
    if (shown == 0 || shown > MOST || !(width > 0) || !(height > 0)) goto done;
    TRY(cairn_figure_new(ctx, &figure, "literals", "Conditions in the coverage plot"));
    cairn_figure_axes(figure, cairn_tree_class(s->rows->schema, (int32_t)(1 - up)),
                      cairn_tree_class(s->rows->schema, s->upward));
    cairn_figure_x_range(figure, -0.02 * width, 1.02 * width);
    cairn_figure_y_range(figure, -0.02 * height, 1.02 * height);
    cairn_figure_guide(figure, (double[]){0, width}, (double[]){0, height}, 2);
    shown = 0;
    for (size_t i = 0; i < n; i++) {
        if (e->out[i].n_rows == 0) continue;
        x[shown] = e->counts[2 * i + 1 - up];
        y[shown] = e->counts[2 * i + up];
        text.length = 0;
        cairn_literal_add(&text, &e->out[i], s->rows->schema);
        cairn_figure_label(figure, x[shown], y[shown], cairn_text_string(&text));
        if (i == chosen) {
            cairn_figure_mark(figure, NULL, x[shown], y[shown]);
            cairn_figure_dashed(figure, "equal shares", (double[]){0, x[shown]},
                                (double[]){0, y[shown]}, 2);
        }
        shown++;
    }
    cairn_figure_points(figure, x, y, NULL, shown, NULL, 0);
    TRY(cairn_text_status(&text));
    cairn_report_page_figure(out, figure);
    figure = NULL;
done:
    cairn_report_failed(out, status);
    cairn_figure_free(figure);
    cairn_text_clear(&text);
}

static void show_candidates(const cairn_rule_search *s, const expansion *e, size_t step,
                            size_t chosen)
{
    cairn_report *out = s->steps;
    size_t k = s->rows->n_classes, n = e->slots[s->rows->n_columns];
    if (!out) return;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < e->from->n_literals; i++) {
        if (i) cairn_text_add(&text, " & ");
        cairn_literal_add(&text, &e->from->literals[i], s->rows->schema);
    }
    if (e->from->n_literals)
        cairn_report_paragraph(out,
                               "Conditions that can be added to %s:", cairn_text_string(&text));
    else
        cairn_report_paragraph(out, "Conditions that the rule can begin with:");
    cairn_report_table_begin(out, NULL, 100);
    cairn_report_column(out, "condition", 'l');
    for (size_t l = 0; l < k; l++)
        cairn_report_column(out, cairn_tree_class(s->rows->schema, (int32_t)l), 'r');
    cairn_report_column(out, s->score_name, 'r');
    for (size_t i = 0; i < n; i++) {
        if (e->out[i].n_rows == 0) continue;
        text.length = 0;
        cairn_literal_add(&text, &e->out[i], s->rows->schema);
        if (i == chosen) cairn_report_row_mark(out);
        cairn_report_cell(out, cairn_text_string(&text));
        const char *key = cairn_report_key(out, cairn_text_string(&text));
        for (size_t l = 0; l < k; l++)
            cairn_report_cell_number(
                out, e->counts[i * k + l], 6, "%s.step%zu.%s.count.%s", s->prefix, step, key,
                cairn_report_key(out, cairn_tree_class(s->rows->schema, (int32_t)l)));
        double score = s->score(s->data, e->counts + i * k, e->from->counts, k);
        cairn_report_cell_number(out, score == 0 ? 0 : score, 6, "%s.step%zu.%s.score", s->prefix,
                                 step, key);
        if (i == chosen)
            cairn_report_hidden_word(out, cairn_text_string(&text), "%s.step%zu.chosen", s->prefix,
                                     step);
    }
    cairn_report_table_end(out);
    if (s->upward >= 0) draw_candidates(s, e, chosen);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* -- the search -- */

static void count_rows(cairn_conjunction *c, const cairn_rule_rows *rows)
{
    memset(c->counts, 0, rows->n_classes * sizeof *c->counts);
    for (size_t i = 0; i < c->n_rows; i++)
        c->counts[rows->classes[c->rows[i]]] += rows->weights[c->rows[i]];
}

/* Whether only the wanted class is left. */
static bool is_pure(const cairn_rule_search *s, const cairn_conjunction *c)
{
    size_t present = 0;
    bool other = false;
    for (size_t l = 0; l < s->rows->n_classes; l++) {
        present += c->counts[l] > 0;
        other |= c->counts[l] > 0 && (int32_t)l != s->goal;
    }
    return s->goal < 0 ? present <= 1 : !other;
}

static void close_if_done(const cairn_rule_search *s, cairn_conjunction *c)
{
    c->closed |= is_pure(s, c) || (s->most_literals && c->n_literals >= s->most_literals);
}

static cairn_status refine(cairn_context *ctx, cairn_conjunction *out, const cairn_rule_search *s,
                           const cairn_conjunction *from, const cairn_literal *literal)
{
    cairn_status status;
    *out = (cairn_conjunction){.n_literals = from->n_literals + 1,
                               .score = literal->score,
                               .cover = literal->cover,
                               .rare = literal->rare};
    TRY(SCRATCH_RAW(ctx, &out->literals, out->n_literals));
    if (from->n_literals)
        memcpy(out->literals, from->literals, from->n_literals * sizeof *out->literals);
    out->literals[from->n_literals] = *literal;
    TRY(SCRATCH_RAW(ctx, &out->rows, literal->n_rows));
    TRY(SCRATCH(ctx, &out->counts, s->rows->n_classes));
    for (size_t i = 0; i < from->n_rows && out->n_rows < literal->n_rows; i++)
        if (cairn_literal_holds(literal, s->rows, from->rows[i]))
            out->rows[out->n_rows++] = from->rows[i];
    count_rows(out, s->rows);
    close_if_done(s, out);
done:
    return status;
}

/* A place in the pool: a conjunction as it is, or with one more literal. */
typedef struct entry {
    size_t from;
    cairn_literal literal; /* its score, cover and rare are those of the whole */
    bool as_is;
} entry;

/* Insert by rank; the first stays before its equals. */
static void offer(const cairn_rule_search *s, entry *pool, size_t *n, entry item)
{
    size_t at = *n;
    while (at > 0 && better(s, &item.literal, &pool[at - 1].literal)) at--;
    if (at >= s->beam) return;
    if (*n < s->beam) (*n)++;
    for (size_t i = *n - 1; i > at; i--) pool[i] = pool[i - 1];
    pool[at] = item;
}

static bool same_rows(const cairn_conjunction *a, const cairn_conjunction *b)
{
    return a->n_rows == b->n_rows && memcmp(a->rows, b->rows, a->n_rows * sizeof *a->rows) == 0;
}

typedef struct beam_state {
    cairn_conjunction *now, *next; /* beam */
    size_t n;
    entry *pool;
    size_t *slots;
    uint8_t *marks;
    double *left;
    size_t step;
} beam_state;

/* One more condition for every open conjunction of the beam. */
static cairn_status widen(cairn_context *ctx, const cairn_rule_search *s, beam_state *b)
{
    size_t n_pool = 0, n_next = 0, n_slots = b->slots[s->rows->n_columns];
    cairn_status status = CAIRN_OK;
    b->step++;
    for (size_t i = 0; i < b->n; i++) {
        cairn_conjunction *from = &b->now[i];
        if (!from->closed) {
            expansion e = {.search = s, .from = from, .left = b->left, .slots = b->slots};
            size_t best = n_slots;
            TRY(expand(ctx, &e, b->marks));
            for (size_t j = 0; j < n_slots; j++) {
                if (e.out[j].n_rows == 0 || isinf(e.out[j].score)) continue;
                offer(s, b->pool, &n_pool, (entry){.from = i, .literal = e.out[j]});
                if (best == n_slots || better(s, &e.out[j], &e.out[best])) best = j;
            }
            show_candidates(s, &e, b->step, best);
            from->closed = best == n_slots;
        }
        if (from->closed)
            offer(s, b->pool, &n_pool,
                  (entry){.from = i,
                          .literal = {.score = from->score,
                                      .cover = from->cover,
                                      .rare = from->rare,
                                      .n_rows = from->n_rows},
                          .as_is = true});
    }
    for (size_t i = 0; i < n_pool; i++) {
        cairn_conjunction *made = &b->next[n_next];
        bool known = false;
        if (b->pool[i].as_is)
            *made = b->now[b->pool[i].from];
        else
            TRY(refine(ctx, made, s, &b->now[b->pool[i].from], &b->pool[i].literal));
        for (size_t j = 0; j < n_next; j++) known |= same_rows(&b->next[j], made);
        n_next += !known;
    }
    cairn_conjunction *held = b->now;
    b->now = b->next;
    b->next = held;
    b->n = n_next;
done:
    return status;
}

cairn_status cairn_rule_find(cairn_context *ctx, cairn_conjunction *out, const cairn_rule_search *s,
                             const uint32_t *rows, size_t n)
{
    beam_state b = {.n = 1};
    cairn_status status;
    TRY(SCRATCH(ctx, &b.now, s->beam + 1));
    TRY(SCRATCH(ctx, &b.next, s->beam + 1));
    TRY(SCRATCH(ctx, &b.pool, s->beam));
    TRY(SCRATCH(ctx, &b.marks, s->rows->n));
    TRY(SCRATCH(ctx, &b.left, s->rows->n_classes));
    TRY(make_slots(ctx, s->rows, &b.slots));
    cairn_conjunction *root = &b.now[0];
    *root = (cairn_conjunction){.n_rows = n, .score = -INFINITY};
    TRY(SCRATCH_RAW(ctx, &root->rows, n));
    memcpy(root->rows, rows, n * sizeof *rows);
    root->counts = b.left;
    count_rows(root, s->rows);
    close_if_done(s, root);
    while (!b.now[0].closed) TRY(widen(ctx, s, &b));
    *out = b.now[0];
done:
    return status;
}

/* -- what is kept -- */

cairn_status cairn_kept_add(cairn_context *ctx, cairn_kept_rules *kept,
                            const cairn_conjunction *found, int32_t label)
{
    cairn_status status;
    TRY(GROW(ctx, &kept->literals, &kept->literal_room, kept->n_literals + found->n_literals + 1));
    TRY(GROW(ctx, &kept->rules, &kept->rule_room, kept->n + 1));
    if (found->n_literals)
        memcpy(kept->literals + kept->n_literals, found->literals,
               found->n_literals * sizeof *found->literals);
    kept->rules[kept->n++] = (cairn_kept_rule){kept->n_literals, found->n_literals, label};
    kept->n_literals += found->n_literals;
done:
    return status;
}

void cairn_kept_clear(cairn_kept_rules *kept)
{
    cairn_free(kept->literals);
    cairn_free(kept->rules);
}

cairn_status cairn_kept_drafts(cairn_context *ctx, cairn_rule_draft **out,
                               const cairn_kept_rules *kept)
{
    cairn_condition *conditions = NULL;
    int32_t *levels = NULL;
    cairn_status status;
    TRY(SCRATCH(ctx, out, kept->n + 1));
    TRY(SCRATCH(ctx, &conditions, kept->n_literals));
    TRY(SCRATCH(ctx, &levels, kept->n_literals));
    for (size_t i = 0; i < kept->n_literals; i++) {
        const cairn_literal *literal = &kept->literals[i];
        levels[i] = literal->level;
        conditions[i] = (cairn_condition){.column = (size_t)literal->column,
                                          .relation = literal->relation,
                                          .number = literal->number,
                                          .levels = &levels[i],
                                          .n_levels = literal->relation == CAIRN_EQUAL};
    }
    for (size_t r = 0; r < kept->n; r++)
        (*out)[r] = (cairn_rule_draft){.body = conditions + kept->rules[r].first,
                                       .n = kept->rules[r].n,
                                       .label = kept->rules[r].label,
                                       .stated = -1};
    (*out)[kept->n] = (cairn_rule_draft){.label = -1, .stated = -1};
done:
    return status;
}

size_t cairn_rows_without(uint32_t *rows, size_t n, const cairn_conjunction *found,
                          const cairn_rule_rows *data, int32_t only)
{
    size_t left = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        bool covered = at < found->n_rows && found->rows[at] == rows[i];
        at += covered;
        if (!covered || (only >= 0 && data->classes[rows[i]] != only)) rows[left++] = rows[i];
    }
    return left;
}

void cairn_rule_show_found(cairn_report *out, const cairn_conjunction *found,
                           const cairn_rule_rows *rows, size_t number, int32_t label)
{
    if (!out) return;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < found->n_literals; i++) {
        if (i) cairn_text_add(&text, " & ");
        cairn_literal_add(&text, &found->literals[i], rows->schema);
    }
    cairn_text_addf(&text, " then %s. It covers", cairn_tree_class(rows->schema, label));
    for (size_t l = 0, shown = 0; l < rows->n_classes; l++) {
        if (found->counts[l] == 0) continue;
        cairn_text_addf(&text, "%s %s ", shown++ ? "," : "",
                        cairn_tree_class(rows->schema, (int32_t)l));
        cairn_text_add_number(&text, found->counts[l], 6);
    }
    cairn_report_paragraph(out, "Rule %zu: if %s.", number, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}
