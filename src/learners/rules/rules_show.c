/* SPDX-License-Identifier: MIT */
/* Rules with their coverages, what they say where they overlap, and the rankings that they make as
 * a list, as a set and as a tree. */
#include "learners/rules/rules.h"
#include "model/explain.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include "stats/ranking.h"
#include <math.h>
#include <string.h>

/* Rules as tables: the rules, and their conditions one by one. */

/* Rows of ordered rules are those that no earlier rule took; otherwise all that a rule covers. */
static void write_rules(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "ntnlln", "rule", "if", "conditions", "then", "stated",
                         "probability");
    for (size_t l = 0; l < m->n_classes; l++) {
        text.length = 0;
        cairn_text_addf(&text, "rows(%s)", cairn_learned_class(job, (int64_t)l));
        cairn_ledger_column(out, CAIRN_NUMBER, cairn_text_string(&text));
    }
    for (size_t r = 0; r < m->n_rules; r++) {
        text.length = 0;
        cairn_rule_add_body(&text, m, r, job->schema);
        cairn_ledger_cells(out, (double)r + 1, cairn_text_string(&text),
                           m->starts[r + 1] - m->starts[r], cairn_learned_class(job, m->labels[r]),
                           cairn_learned_class(job, m->stated ? m->stated[r] : -1),
                           m->stated && m->stated[r] >= 0 ? m->probabilities[r] : NAN);
        const double *rows = m->ordered ? m->segments : m->whole;
        for (size_t l = 0; l < m->n_classes; l++)
            cairn_ledger_number(out, rows ? rows[r * m->n_classes + l] : NAN);
    }
    cairn_ledger_failed(out, cairn_text_status(&text));
}

/* The levels of a condition, as a line of a CSV file. */
static void add_levels(cairn_text *text, const cairn_rules *m, size_t literal,
                       const cairn_field *field)
{
    for (int32_t i = m->level_starts[literal]; i < m->level_starts[literal + 1]; i++) {
        size_t level = (size_t)m->levels[i];
        if (text->length) cairn_text_add_char(text, ',');
        cairn_text_add_csv(text,
                           level < field->names.n ? cairn_map_key(&field->names, level) : "?");
    }
}

/* The kind of the column decides whether a condition has a number or levels; one about missing
 * values has no number. */
static void write_conditions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">=", "missing"};
    const cairn_rules *m = model;
    SCOPED(cairn_text_clear) cairn_text levels = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "nllnt", "rule", "column", "sign", "number", "levels");
    for (size_t r = 0; r < m->n_rules; r++)
        for (size_t i = (size_t)m->starts[r]; i < (size_t)m->starts[r + 1]; i++) {
            const cairn_field *field = cairn_schema_feature(job->schema, (size_t)m->columns[i]);
            bool number = field && field->kind != CAIRN_LEVEL;
            levels.length = 0;
            if (field && !number) add_levels(&levels, m, i, field);
            cairn_ledger_cells(out, (double)r + 1, field ? field->name : NULL,
                               signs[m->relations[i]],
                               number && m->relations[i] != CAIRN_IS_MISSING ? m->numbers[i] : NAN,
                               levels.length ? cairn_text_string(&levels) : NULL);
        }
    cairn_ledger_failed(out, cairn_text_status(&levels));
}

const cairn_learned cairn_rules_tables[] = {
    CAIRN_LEARNED("rules", "rule: its conditions, its class, and the rows that it answers",
                  write_rules),
    CAIRN_LEARNED("conditions", "condition of a rule", write_conditions), CAIRN_LEARNED_END};

/* Pictures of rules as trees: a list branches to the right, a set asks all its rules one after the
 * other (rule tree). */

enum { MOST_DRAWN = 24, MOST_TREE_DRAWN = 6, MOST_CLASSES = 8 };

typedef struct drawing {
    cairn_context *ctx;
    cairn_figure *figure;
    const cairn_rules *m;
    const cairn_schema *schema;
    cairn_status status; /* of texts */
} drawing;

static int draw_node(drawing *d, int parent, const char *edge, cairn_text *text, bool leaf,
                     int32_t label, const double *counts)
{
    size_t k = d->m->n_classes;
    if (counts && k <= MOST_CLASSES) {
        cairn_text_add_char(text, '\n');
        for (size_t l = 0; l < k; l++) {
            cairn_text_add(text, l ? ", " : "[");
            cairn_text_add_number(text, counts[l], 6);
        }
        cairn_text_add_char(text, ']');
    }
    int made = cairn_figure_tree_node(d->figure, parent, edge, cairn_text_string(text), leaf, label,
                                      NULL, 0);
    if (d->status == CAIRN_OK) d->status = cairn_text_status(text);
    cairn_text_clear(text);
    return made;
}

static int draw_leaf(drawing *d, int parent, const char *edge, int32_t label, const double *counts)
{
    cairn_text text = cairn_text_start(d->ctx);
    cairn_text_add(&text, cairn_schema_class(d->schema, label));
    return draw_node(d, parent, edge, &text, true, label, counts);
}

static void draw_list(drawing *d)
{
    const cairn_rules *m = d->m;
    int at = -1;
    for (size_t r = 0; r < m->n_rules; r++) {
        const char *edge = r ? "no" : "";
        const double *counts = cairn_rule_counts(m, r, true);
        if (r + 1 == m->n_rules) {
            draw_leaf(d, at, edge, m->labels[r], counts);
            break;
        }
        cairn_text text = cairn_text_start(d->ctx);
        cairn_rule_add_body(&text, m, r, d->schema);
        at = draw_node(d, at, edge, &text, false, -1, NULL);
        draw_leaf(d, at, "yes", m->labels[r], counts);
    }
}

/* Counts of the training rows in which the first `depth` rules fire as the bits of `way` say. */
static bool way_counts(double *out, const cairn_rules *m, size_t way, size_t depth)
{
    size_t k = m->n_classes;
    double total = 0;
    memset(out, 0, k * sizeof *out);
    for (size_t i = 0; i < m->patterns.n; i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        bool alike = true;
        for (size_t r = 0; r < depth; r++)
            alike &= cairn_pattern_has(pattern, r) == (way >> (depth - 1 - r) & 1);
        for (size_t l = 0; alike && l < k; l++) total += out[l] += m->pattern_counts[i * k + l];
    }
    return total > 0;
}

/* Level by level: `way` has a bit for each rule above, 1 = it fires. */
static void draw_tree(drawing *d)
{
    enum { MOST_WAYS = 1 << MOST_TREE_DRAWN };
    const cairn_rules *m = d->m;
    size_t n = m->n_rules - 1;
    double counts[MOST_CLASSES];
    int above[MOST_WAYS], here[MOST_WAYS];
    for (size_t depth = 0; depth <= n; depth++) {
        for (size_t back = 0; back >> depth == 0; back++) {
            size_t way = ((size_t)1 << depth) - 1 - back; /* what fires stands to the left */
            int parent = depth ? above[way >> 1] : -1;
            const char *edge = depth == 0 ? "" : way & 1 ? "yes" : "no";
            here[way] = -1;
            if ((depth && parent < 0) || !way_counts(counts, m, way, depth)) continue;
            if (depth == n) {
                size_t best = 0;
                for (size_t l = 1; l < m->n_classes; l++)
                    if (counts[l] > counts[best]) best = l;
                here[way] = draw_leaf(d, parent, edge, (int32_t)best, counts);
            } else {
                cairn_text text = cairn_text_start(d->ctx);
                cairn_rule_add_body(&text, m, depth, d->schema);
                here[way] = draw_node(d, parent, edge, &text, false, -1, counts);
            }
        }
        memcpy(above, here, sizeof above);
    }
}

/* A figure "tree": the list as a right-branching tree, or the rule tree of a set; NULL where there
 * are too many rules or classes. */
static cairn_status rules_draw_tree(cairn_context *ctx, cairn_figure **out, const cairn_rules *m,
                                    const cairn_schema *schema, cairn_rule_overlap overlap)
{
    drawing d = {.ctx = ctx, .m = m, .schema = schema};
    bool tree = !m->ordered && overlap == CAIRN_OVERLAP_TREE;
    const char *names[MOST_CLASSES];
    *out = NULL;
    if (m->n_rules < 2 || m->n_classes > MOST_CLASSES || m->n_rules > MOST_DRAWN + 1 ||
        (tree ? m->n_rules > MOST_TREE_DRAWN + 1 : !m->ordered))
        return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &d.figure, "tree", tree ? "Rule tree" : "Rule list as a tree"));
    for (size_t l = 0; l < m->n_classes; l++) names[l] = cairn_schema_class(schema, (int32_t)l);
    cairn_figure_tree_groups(d.figure, names, m->n_classes);
    if (tree)
        draw_tree(&d);
    else
        draw_list(&d);
    *out = d.figure;
    return d.status;
}

/* What the order of a list does to its ranking, and what no order can do.
 *
 * Each order of the rules divides the training rows among them in its own way, and has its own area
 * under the curve. What a rule tree can answer, either class in each of its leaves, makes points of
 * the coverage plot; they are looked for among all that lists can answer: any order, and for each
 * rule either class. */

enum { MOST_ORDERED = 5, MOST_ORDERS_DRAWN = 3, MOST_LEAVES = 10, MOST_POINTS = 1 << MOST_LEAVES };

typedef struct point {
    double fp, tp;
    bool reached;
} point;

typedef struct segment {
    double positives, negatives;
} segment;

/* The next order in the sense of a dictionary; false after the last. */
static bool next_order(size_t *order, size_t n)
{
    size_t i = n - 1, j = n - 1;
    while (i > 0 && order[i - 1] > order[i]) i--;
    if (i == 0) return false;
    while (order[j] < order[i - 1]) j--;
    size_t held = order[i - 1];
    order[i - 1] = order[j];
    order[j] = held;
    for (j = n - 1; i < j; i++, j--) {
        held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
    return true;
}

/* Area when segments are sorted by their share of positives: pairs in the right order, and half
 * of those in the same segment or in segments of the same share. */
static double area(const segment *s, size_t n)
{
    double right = 0, p = 0, q = 0;
    for (size_t i = 0; i < n; i++) {
        p += s[i].positives;
        q += s[i].negatives;
        for (size_t j = 0; j < n; j++) {
            double a = s[i].positives * s[j].negatives, b = s[j].positives * s[i].negatives;
            right += a > b + 1e-9 ? a : a < b - 1e-9 ? 0 : a / 2;
        }
    }
    return right / (p * q);
}

/* Mark the points that some choice of segments as positive makes. */
static void mark_reached(point *points, size_t n_points, const segment *s, size_t n)
{
    for (size_t choice = 0; choice >> n == 0; choice++) {
        double fp = 0, tp = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(choice >> i & 1)) continue;
            fp += s[i].negatives;
            tp += s[i].positives;
        }
        for (size_t i = 0; i < n_points; i++)
            points[i].reached |= fabs(points[i].fp - fp) < 1e-9 && fabs(points[i].tp - tp) < 1e-9;
    }
}

/* All points that the leaves of the rule tree make, each once. */
static size_t tree_points(point *out, const cairn_rules *m)
{
    size_t leaves = m->patterns.n, positive = (size_t)m->positive, n = 0;
    for (size_t choice = 0; choice >> leaves == 0; choice++) {
        point made = {0, 0, false};
        bool known = false;
        for (size_t i = 0; i < leaves; i++) {
            if (!(choice >> i & 1)) continue;
            made.tp += m->pattern_counts[2 * i + positive];
            made.fp += m->pattern_counts[2 * i + 1 - positive];
        }
        for (size_t i = 0; i < n && !known; i++)
            known = fabs(out[i].fp - made.fp) < 1e-9 && fabs(out[i].tp - made.tp) < 1e-9;
        if (!known) out[n++] = made;
    }
    return n;
}

static void show_points(cairn_report *out, const point *points, size_t n)
{
    size_t missed = 0;
    cairn_report_table_of(out, "Points of the rule tree that no order of the list reaches", 0, "rr",
                          "FP", "TP");
    for (size_t i = 0; i < n; i++) {
        if (points[i].reached) continue;
        missed++;
        cairn_report_cell_number(out, points[i].fp, 6, "missed%zu.fp", missed);
        cairn_report_cell_number(out, points[i].tp, 6, "missed%zu.tp", missed);
    }
    cairn_report_value(out, "points that the rule tree can make", (double)n, "tree.points");
    cairn_report_value(out, "of them out of reach of lists", (double)missed, "orders.missed");
}

/* The curve of an order: its segments by their share of positives. */
static void draw_order(cairn_figure *f, const char *name, const segment *s, size_t n)
{
    size_t order[MOST_ORDERED + 1];
    double x[MOST_ORDERED + 2] = {0}, y[MOST_ORDERED + 2] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            const segment *a = &s[order[at - 1]];
            bool empty = a->positives + a->negatives == 0;
            if (!empty && a->positives * s[i].negatives >= s[i].positives * a->negatives) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (size_t i = 0; i < n; i++) {
        x[i + 1] = x[i] + s[order[i]].negatives;
        y[i + 1] = y[i] + s[order[i]].positives;
    }
    cairn_figure_line(f, name, x, y, n + 1);
}

/* All that the rule tree can answer, in two groups. */
static cairn_status draw_points(cairn_context *ctx, cairn_figure *f, const point *points, size_t n)
{
    static const char *const names[] = {"a list answers so, too", "only the rule tree"};
    double *x, *y;
    int32_t *group;
    CHECK(SCRATCH_EACH(ctx, n + 1, &x, &y, &group));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].fp;
        y[i] = points[i].tp;
        group[i] = !points[i].reached;
    }
    cairn_figure_points(f, x, y, group, n, names, 2);
    return CAIRN_OK;
}

/* Two classes, few rules: areas of all orders, and points of the rule tree that none reaches; the
 * curves of few orders as a figure "rule-orders", NULL where there are too many. `out` may be
 * NULL. */
static cairn_status rules_show_orders(cairn_context *ctx, cairn_report *out, cairn_figure **figure,
                                      const cairn_rules *m)
{
    size_t order[MOST_ORDERED], n = m->n_rules - 1, n_points;
    segment segments[MOST_ORDERED + 1];
    point points[MOST_POINTS];
    bool few = m->patterns.n <= MOST_LEAVES;
    double best = -1;
    *figure = NULL;
    if (m->ordered || m->positive < 0 || n < 2 || n > MOST_ORDERED || m->patterns.n == 0)
        return CAIRN_OK;
    /* An empty plot for the curves of few orders; none when there are too many. */
    const double *all = m->whole + 2 * (m->n_rules - 1);
    if (!(n > MOST_ORDERS_DRAWN)) {
        CHECK(cairn_figure_new(ctx, figure, "rule-orders", "The rules as lists in all orders"));
        cairn_figure_size(*figure, 520, 400);
        cairn_figure_axes(*figure, "negatives", "positives");
        cairn_figure_coverage_box(*figure, all[1 - m->positive], all[m->positive]);
    }
    for (size_t i = 0; i < n; i++) order[i] = i;
    n_points = few ? tree_points(points, m) : 0;
    cairn_report_heading(out, 2, "Orders of the rules as a list");
    cairn_report_table_of(out, NULL, 24, "lr", "order", "area under the curve");
    do {
        char name[MOST_ORDERED + 1] = "";
        for (size_t i = 0; i < n; i++) name[i] = (char)('A' + order[i]);
        /* Rows of each place of the order; the last place is for rows without a rule. */
        size_t positive = (size_t)m->positive;
        memset(segments, 0, (n + 1) * sizeof *segments);
        for (size_t i = 0; i < m->patterns.n; i++) {
            const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
            size_t at = 0;
            while (at < n && !cairn_pattern_has(pattern, order[at])) at++;
            segments[at].positives += m->pattern_counts[2 * i + positive];
            segments[at].negatives += m->pattern_counts[2 * i + 1 - positive];
        }
        double auc = area(segments, n + 1);
        best = fmax(best, auc);
        draw_order(*figure, name, segments, n + 1);
        mark_reached(points, n_points, segments, n + 1);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, auc, 6, "order.%s.auc", name);
    } while (next_order(order, n));
    cairn_report_value(out, "largest area", best, "orders.best");
    if (few) show_points(out, points, n_points);
    if (*figure && few) CHECK(draw_points(ctx, *figure, points, n_points));
    return CAIRN_OK;
}

enum { MOST_TREE_RULES = 10, MOST_ROWS = 50 };

static double sum_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum;
}

/* -- the rules -- */

/* Probabilities are of the positive class where there is one, so that rules of both classes can
 * be compared. */
static void show_rules(cairn_report *out, const cairn_rules *m, const cairn_schema *schema,
                       cairn_smoothing smoothing, double *shares)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_report_table_of(out, NULL, 200, "lll", "rule", "if", "then");
    if (m->n_classes > MOST_CLASSES) {
        cairn_report_column(out, "rows", 'r');
    } else {
        for (size_t l = 0; l < m->n_classes; l++)
            cairn_report_column(out, cairn_schema_class(schema, (int32_t)l), 'r');
    }
    cairn_report_column(out, m->positive >= 0 ? "p(+)" : "p(then)", 'r');
    if (m->positive >= 0) cairn_report_column(out, "odds", 'r');
    for (size_t r = 0; r < m->n_rules; r++) {
        char name[CAIRN_RULE_NAME];
        int32_t label = m->positive >= 0 ? m->positive : m->labels[r];
        cairn_rule_name(name, m, r);
        text.length = 0;
        cairn_rule_add_body(&text, m, r, schema);
        cairn_report_prefix(out, "rule%zu", r + 1);
        cairn_report_cells(out, "@.name @.if @.then", name, cairn_text_string(&text),
                           cairn_schema_class(schema, m->labels[r]));
        const double *counts = cairn_rule_counts(m, r, false);
        size_t k = m->n_classes;
        if (k > MOST_CLASSES)
            cairn_report_cell_number(out, sum_of(counts, k), 6, "rule%zu.rows", r + 1);
        for (size_t l = 0; l < k; l++) {
            const char *key = cairn_report_key(out, cairn_schema_class(schema, (int32_t)l));
            if (k <= MOST_CLASSES)
                cairn_report_cell_number(out, counts[l], 6, "rule%zu.count.%s", r + 1, key);
            cairn_report_hidden(out, m->whole[r * k + l], "rule%zu.covers.%s", r + 1, key);
        }
        cairn_rule_shares(shares, m, r, false, smoothing);
        cairn_report_cells(out, "@.p @.odds", shares[label],
                           cairn_cell_if(m->positive >= 0, shares[label] / (1 - shares[label])));
    }
    cairn_report_hidden(out, (double)m->n_rules - 1, "rules");
    cairn_report_text_end(out, &text);
}

/* -- rankings -- */

typedef enum ranked_as { AS_LIST, AS_SET, AS_TREE } ranked_as;

/* Rows that get the same score for the same reason. */
typedef struct part {
    double score, positives, negatives;
    size_t rule;            /* AS_LIST */
    const uint8_t *pattern; /* else */
} part;

typedef struct parts {
    part *list;
    size_t n;
} parts;

/* Rows that get the same score are one segment of the ranking; scores are rounded, so that equal
 * ones in theory are equal here. */
static cairn_status make_parts(cairn_context *ctx, parts *out, const cairn_rules *m, ranked_as as,
                               cairn_rule_overlap overlap, cairn_smoothing smoothing)
{
    bool list = as == AS_LIST;
    size_t n = list ? m->n_rules : m->patterns.n;
    double *shares = NULL;
    *out = (parts){0};
    CHECK(SCRATCH(ctx, &out->list, n));
    CHECK(SCRATCH(ctx, &shares, 2 * m->n_classes));
    for (size_t i = 0; i < n; i++) {
        const double *counts = list ? m->segments + i * 2 : m->pattern_counts + i * 2;
        size_t positive = (size_t)m->positive;
        part p = (part){.positives = counts[positive], .negatives = counts[1 - positive]};
        p.rule = i;
        if (!list) p.pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        if (!(p.positives + p.negatives > 0)) continue;
        if (as == AS_SET)
            cairn_pattern_shares(shares, shares + 2, m, p.pattern, overlap, smoothing);
        else if (list && m->stated[i] >= 0)
            cairn_rule_shares(shares, m, i, true, smoothing);
        else {
            /* The share of positives by its own counts. Sums of weights are rounded off. */
            shares[m->positive] =
                cairn_smoothed(smoothing, p.positives, p.positives + p.negatives, 2, NULL, 0);
        }
        p.score = round(shares[m->positive] * 1e12) / 1e12;
        out->list[out->n++] = p;
    }
    return CAIRN_OK;
}

static cairn_status rank_parts(cairn_context *ctx, cairn_ranking *out, const parts *p)
{
    double *scores = NULL, *weights = NULL;
    int8_t *classes = NULL;
    CHECK(SCRATCH_EACH(ctx, 2 * p->n, &scores, &weights, &classes));
    for (size_t i = 0; i < 2 * p->n; i++) {
        scores[i] = p->list[i / 2].score;
        classes[i] = i % 2 == 0;
        weights[i] = i % 2 == 0 ? p->list[i / 2].positives : p->list[i / 2].negatives;
    }
    return cairn_ranking_make(ctx, out, scores, classes, weights, 2 * p->n);
}

/* "B", "AB, C": what shares a segment. */
static void add_members(cairn_text *text, const cairn_rules *m, const parts *p, double score,
                        bool list)
{
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        char name[CAIRN_RULE_NAME];
        if (p->list[i].score != score) continue;
        if (any) cairn_text_add(text, ", ");
        any = true;
        if (list) {
            cairn_rule_name(name, m, p->list[i].rule);
            cairn_text_add(text, name);
        } else {
            cairn_pattern_add_name(text, m, p->list[i].pattern);
        }
    }
}

/* Segments from the best score down with the counts so far, which are the corners of the ROC
 * curve. */
static cairn_status show_ranking(cairn_context *ctx, cairn_report *out, const cairn_rules *m,
                                 ranked_as as, cairn_rule_overlap overlap,
                                 cairn_smoothing smoothing, const char *key, const char *title,
                                 cairn_figure *figure)
{
    parts p;
    cairn_ranking ranking;
    double fp = 0, tp = 0;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(make_parts(ctx, &p, m, as, overlap, smoothing));
    CHECK(rank_parts(ctx, &ranking, &p));
    cairn_report_table_of(out, title, 0, "lrrrrr", as == AS_LIST ? "rules" : "rules that fire",
                          "p(+)", "+", "−", "TP so far", "FP so far");
    cairn_report_prefix(out, "%s", key);
    for (size_t i = 0; i < ranking.n; i++) {
        const cairn_segment *s = &ranking.segments[i];
        text.length = 0;
        add_members(&text, m, &p, s->score, as == AS_LIST);
        tp += s->positives;
        fp += s->negatives;
        cairn_report_cells(out,
                           "@.segment#.rules @.segment#.p @.segment#.positives "
                           "@.segment#.negatives @.point#.tp @.point#.fp",
                           cairn_text_string(&text), s->score, s->positives, s->negatives, tp, fp);
    }
    cairn_report_hidden(out, (double)ranking.n, "%s.segments", key);
    cairn_report_value(out, "area under the curve", cairn_ranking_auc(&ranking), "%s.auc", key);
    /* The coverage curve of a ranking. */
    double *x = NULL, *y = NULL;
    CHECK(SCRATCH_EACH(ctx, ranking.n + 1, &x, &y));
    for (size_t i = 0; i < ranking.n; i++) {
        x[i + 1] = x[i] + ranking.segments[i].negatives;
        y[i + 1] = y[i] + ranking.segments[i].positives;
    }
    cairn_figure_line(figure, key, x, y, ranking.n + 1);
    return cairn_text_status(&text);
}

/* As a list by its segments; a set as a list, as a set and as a rule tree. The curves go into the
 * figure "rule-curves"; `out` may be NULL. */
static cairn_status show_rankings(cairn_context *ctx, cairn_report *out, cairn_figure **figure,
                                  const cairn_rules *m, cairn_rule_overlap overlap,
                                  cairn_smoothing smoothing)
{
    *figure = NULL;
    if (m->positive < 0) return CAIRN_OK;
    cairn_report_heading(out, 2, "As a ranker of the training rows");
    /* A coverage plot with its box and diagonal. */
    const double *all = m->whole + 2 * (m->n_rules - 1);
    double p = all[m->positive], n = all[1 - m->positive];
    CHECK(cairn_figure_new(ctx, figure, "rule-curves", "Coverage curves of the rules"));
    cairn_figure_axes(*figure, "negatives", "positives");
    cairn_figure_x_range(*figure, -0.02 * n, 1.02 * n);
    cairn_figure_y_range(*figure, -0.02 * p, 1.02 * p);
    cairn_figure_guide(*figure, (double[]){0, n}, (double[]){0, p}, 2);
    if (m->ordered)
        return show_ranking(ctx, out, m, AS_LIST, overlap, smoothing, "ranking",
                            "Segments: the rows of each rule, best first", *figure);
    if (overlap == CAIRN_OVERLAP_FIRST || overlap == CAIRN_OVERLAP_TREE)
        overlap = CAIRN_OVERLAP_AVERAGE;
    CHECK(show_ranking(ctx, out, m, AS_LIST, overlap, smoothing, "list",
                       "As a list in this order: a row belongs to the first rule that fires",
                       *figure));
    CHECK(show_ranking(ctx, out, m, AS_SET, overlap, smoothing, "set",
                       "As a set: coverages of the rules that fire are put together", *figure));
    return show_ranking(ctx, out, m, AS_TREE, overlap, smoothing, "tree",
                        "As a rule tree: every combination has its own rows", *figure);
}

/* -- overlaps -- */

/* Counts of rows that meet exactly these rules, what the rules' coverages average to, and what
 * is answered. */
static void show_overlaps(cairn_report *out, const cairn_rules *m, const cairn_schema *schema,
                          cairn_rule_overlap overlap, cairn_smoothing smoothing, double *shares)
{
    size_t k = m->n_classes;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    if (k > MOST_CLASSES) return;
    cairn_report_heading(out, 2, "Rules that fire together");
    cairn_report_table_of(out, NULL, 0, "l", "rules");
    for (size_t l = 0; l < k; l++)
        cairn_report_column(out, cairn_schema_class(schema, (int32_t)l), 'r');
    for (size_t l = 0; l < 2 * k; l++) {
        text.length = 0;
        cairn_text_addf(&text, l < k ? "%s average" : "p(%s)",
                        cairn_schema_class(schema, (int32_t)(l % k)));
        cairn_report_column(out, cairn_text_string(&text), 'r');
    }
    for (size_t i = 0; i < m->patterns.n && cairn_report_row_wanted(out); i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        text.length = 0;
        cairn_pattern_add_name(&text, m, pattern);
        const char *key = cairn_report_key(out, cairn_text_string(&text));
        cairn_pattern_shares(shares, shares + k, m, pattern, overlap, smoothing);
        cairn_report_cells(out, "- overlap.$1.count.$0", cairn_text_string(&text),
                           cairn_cell_row(m->pattern_counts + i * k, k));
        /* The average coverage of the rules that fire. */
        for (size_t l = 0; l < m->n_classes; l++) {
            double sum = 0;
            size_t n = 0;
            for (size_t r = 0; r + 1 < m->n_rules; r++) {
                if (!cairn_pattern_has(pattern, r)) continue;
                sum += m->whole[r * m->n_classes + l];
                n++;
            }
            cairn_report_cell_number(out, n ? sum / (double)n : NAN, 6, "overlap.%s.average.%s",
                                     key,
                                     cairn_report_key(out, cairn_schema_class(schema, (int32_t)l)));
        }
        for (size_t l = 0; l < k; l++)
            cairn_report_cell_number(out, shares[l], 6, "overlap.%s.p.%s", key,
                                     cairn_report_key(out, cairn_schema_class(schema, (int32_t)l)));
    }
    cairn_report_text_end(out, &text);
}

/* -- the rule tree -- */

static bool begins_alike(const uint8_t *pattern, const bool *path, size_t depth)
{
    for (size_t r = 0; r < depth; r++)
        if (cairn_pattern_has(pattern, r) != path[r]) return false;
    return true;
}

/* Counts of the rows whose first `depth` rules fire as on the path; false when there are none. */
static bool node_counts(double *out, const cairn_rules *m, const bool *path, size_t depth)
{
    size_t k = m->n_classes;
    memset(out, 0, k * sizeof *out);
    for (size_t i = 0; i < m->patterns.n; i++)
        if (begins_alike((const uint8_t *)cairn_map_key(&m->patterns, i), path, depth))
            for (size_t l = 0; l < k; l++) out[l] += m->pattern_counts[i * k + l];
    return sum_of(out, k) > 0;
}

static void add_node(cairn_text *text, const cairn_rules *m, const bool *path, size_t depth,
                     const double *counts)
{
    cairn_text_add_repeat(text, ' ', 4 * depth);
    if (depth)
        cairn_text_addf(text, "%s%c: ", path[depth - 1] ? "" : "not ", (char)('A' + depth - 1));
    cairn_text_add_char(text, '[');
    for (size_t l = 0; l < m->n_classes; l++) {
        if (l) cairn_text_add(text, ", ");
        cairn_text_add_number(text, counts[l], 6);
    }
    cairn_text_add(text, "]\n");
}

/* Every way through the tests that some row goes, depth first: the bits of `way` from the highest
 * say which rules do not fire. Of a way only the nodes are new that the way before did not have. */
static void show_tree(cairn_report *out, const cairn_rules *m, double *counts)
{
    size_t n = m->n_rules - 1;
    bool path[MOST_TREE_RULES] = {false}, before[MOST_TREE_RULES] = {false}, any = false;
    if (n == 0 || n > MOST_TREE_RULES) return;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_report_heading(out, 2, "Rule tree");
    for (size_t way = 0; way >> n == 0; way++) {
        size_t alike = 0;
        for (size_t r = 0; r < n; r++) path[r] = !(way >> (n - 1 - r) & 1);
        if (!node_counts(counts, m, path, n)) continue;
        while (any && path[alike] == before[alike]) alike++;
        for (size_t depth = any ? alike + 1 : 0; depth <= n; depth++)
            if (node_counts(counts, m, path, depth)) add_node(&text, m, path, depth, counts);
        memcpy(before, path, sizeof before);
        any = true;
    }
    cairn_report_verbatim(out, cairn_text_string(&text));
    cairn_report_text_end(out, &text);
}

/* -- the whole -- */

void cairn_rules_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    cairn_figure *figure = NULL;
    cairn_rule_overlap overlap = cairn_rules_overlap(m, job);
    cairn_smoothing smoothing = cairn_rules_smoothing(job);
    cairn_context *ctx = cairn_report_context(out);
    double *shares = NULL;
    cairn_status status;
    if (!out) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(SCRATCH(ctx, &shares, 2 * m->n_classes));
    cairn_report_heading(out, 2, m->ordered ? "Rules, the first that fires answers" : "Rules");
    show_rules(out, m, job->schema, smoothing, shares);
    if (m->ordered) cairn_rules_show_idle(out, m, job->schema);
    if (!m->ordered) {
        show_overlaps(out, m, job->schema, overlap, smoothing, shares);
        if (overlap == CAIRN_OVERLAP_TREE) show_tree(out, m, shares);
        cairn_rules_show_regions(out, m, job->history, job->schema);
        status = cairn_rules_draw_regions(ctx, &figure, m, job->schema);
        cairn_describe_figure(out, status, &figure, true);
    }
    status = rules_draw_tree(ctx, &figure, m, job->schema, overlap);
    cairn_describe_figure(out, status, &figure, true);
    status = show_rankings(ctx, out, &figure, m, overlap, smoothing);
    cairn_describe_figure(out, status, &figure, true);
    status = rules_show_orders(ctx, out, &figure, m);
    cairn_describe_figure(out, status, &figure, true);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

static cairn_status make_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    return rules_draw_tree(ctx, out, model, job->schema, cairn_rules_overlap(model, job));
}

static cairn_status make_regions(cairn_context *ctx, cairn_figure **out, const void *model,
                                 const cairn_job *job)
{
    return cairn_rules_draw_regions(ctx, out, model, job->schema);
}

static cairn_status make_curves(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    return show_rankings(ctx, NULL, out, model, cairn_rules_overlap(model, job),
                         cairn_rules_smoothing(job));
}

static cairn_status make_orders(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    (void)job;
    return rules_show_orders(ctx, NULL, out, model);
}

const cairn_model_figure cairn_rules_figures[] = {
    {.name = "tree", .make = make_tree},
    {.name = "rule-regions", .make = make_regions},
    {.name = "rule-curves", .make = make_curves},
    {.name = "rule-orders", .make = make_orders},
    {.name = NULL},
};

void cairn_rules_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_rules *m = model;
    cairn_rule_overlap overlap = cairn_rules_overlap(m, job);
    cairn_smoothing smoothing = cairn_rules_smoothing(job);
    cairn_context *ctx = cairn_report_context(out);
    size_t at = cairn_view_row(job->view, row), shown = 0;
    uint8_t *pattern = NULL;
    double *shares = NULL;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(SCRATCH(ctx, &pattern, m->n_bytes));
    TRY(SCRATCH(ctx, &shares, 2 * m->n_classes));
    cairn_rules_pattern(pattern, m, job->view, at);
    size_t first = 0;
    while (first + 1 < m->n_rules && !cairn_pattern_has(pattern, first)) first++;
    cairn_report_table_of(out, m->ordered ? "The rule that answers" : "Rules that fire", 0, "lll",
                          "rule", "if", "then");
    for (size_t r = first; r < m->n_rules; r++) {
        char name[CAIRN_RULE_NAME];
        bool fires =
            r == first || (!m->ordered && r + 1 < m->n_rules && cairn_pattern_has(pattern, r));
        if (!fires) continue;
        shown++;
        cairn_rule_name(name, m, r);
        text.length = 0;
        cairn_rule_add_body(&text, m, r, job->schema);
        cairn_report_prefix(out, "fires%zu", shown);
        cairn_report_cells(out, "@.rule @.if @.then", name, cairn_text_string(&text),
                           cairn_schema_class(job->schema, m->labels[r]));
    }
    if (m->ordered)
        cairn_rule_shares(shares, m, first, true, smoothing);
    else
        cairn_pattern_shares(shares, shares + m->n_classes, m, pattern, overlap, smoothing);
    for (size_t l = 0; l < m->n_classes && l < MOST_CLASSES; l++) {
        const char *name = cairn_schema_class(job->schema, (int32_t)l);
        text.length = 0;
        cairn_text_addf(&text, "p(%s)", name);
        cairn_report_value(out, cairn_text_string(&text), shares[l], "p.%s",
                           cairn_report_key(out, name));
    }
    if (m->positive >= 0)
        cairn_report_value(out, "odds of the positive class",
                           shares[m->positive] / (1 - shares[m->positive]), "odds");
    TRY(cairn_text_status(&text));
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&text);
    cairn_scratch_release(ctx, mark);
}

cairn_status cairn_rules_show_rows(cairn_context *ctx, cairn_report *out, const cairn_rules *m,
                                   const cairn_job *job)
{
    uint8_t *pattern = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(SCRATCH(ctx, &pattern, m->n_bytes));
    cairn_report_step_begin(out, "The rules that fire in each row");
    cairn_report_table_of(out, NULL, MOST_ROWS, "rlll", "row", "rules", "classes", "");
    for (size_t i = 0; i < job->view->rows.n; i++) {
        size_t row = cairn_view_row(job->view, i);
        cairn_rules_pattern(pattern, m, job->view, row);
        cairn_report_cell_number(out, (double)row + 1, 0, NULL);
        text.length = 0;
        cairn_pattern_add_name(&text, m, pattern);
        cairn_report_cell_word(out, cairn_text_string(&text), "row%zu.rules", row + 1);
        text.length = 0;
        cairn_pattern_add_classes(&text, m, pattern, job->schema);
        cairn_report_cell_word(out, cairn_text_string(&text), "row%zu.classes", row + 1);
        cairn_report_cell_word(out, cairn_overlap_word(m, pattern), "row%zu.overlap", row + 1);
    }
    cairn_report_step_end(out);
    return cairn_text_status(&text);
}
