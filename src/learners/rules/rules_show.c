/* SPDX-License-Identifier: MIT */
/* Rules with their coverages, what they say where they overlap, and the rankings that they make as
 * a list, as a set and as a tree. */
#include "learners/rules/rules.h"

#include "model/explain.h"
#include "report/table_rows.h"
#include "stats/ranking.h"
#include <math.h>
#include <string.h>

enum { MOST_CLASSES = 8, MOST_TREE_RULES = 10, MOST_ROWS = 50 };

static double sum_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum;
}

/* -- the rules -- */

static void rules_head(cairn_report *out, const cairn_rules *m, const cairn_schema *schema)
{
    cairn_report_table_of(out, NULL, 200, "lll", "rule", "if", "then");
    if (m->n_classes > MOST_CLASSES) {
        cairn_report_column(out, "rows", 'r');
    } else {
        for (size_t l = 0; l < m->n_classes; l++)
            cairn_report_column(out, cairn_schema_class(schema, (int32_t)l), 'r');
    }
    cairn_report_column(out, m->positive >= 0 ? "p(+)" : "p(then)", 'r');
    if (m->positive >= 0) cairn_report_column(out, "odds", 'r');
}

static void show_counts(cairn_report *out, const cairn_rules *m, size_t rule,
                        const cairn_schema *schema)
{
    const double *counts = cairn_rule_counts(m, rule, false);
    size_t k = m->n_classes;
    if (k > MOST_CLASSES)
        cairn_report_cell_number(out, sum_of(counts, k), 6, "rule%zu.rows", rule + 1);
    for (size_t l = 0; l < k; l++) {
        const char *key = cairn_report_key(out, cairn_schema_class(schema, (int32_t)l));
        if (k <= MOST_CLASSES)
            cairn_report_cell_number(out, counts[l], 6, "rule%zu.count.%s", rule + 1, key);
        cairn_report_hidden(out, m->whole[rule * k + l], "rule%zu.covers.%s", rule + 1, key);
    }
}

/* Probabilities are of the positive class where there is one, so that rules of both classes can
 * be compared. */
static void show_rules(cairn_report *out, const cairn_rules *m, const cairn_schema *schema,
                       cairn_smoothing smoothing, double *shares)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    rules_head(out, m, schema);
    for (size_t r = 0; r < m->n_rules; r++) {
        char name[CAIRN_RULE_NAME];
        int32_t label = m->positive >= 0 ? m->positive : m->labels[r];
        cairn_rule_name(name, m, r);
        text.length = 0;
        cairn_rule_add_body(&text, m, r, schema);
        cairn_report_prefix(out, "rule%zu", r + 1);
        cairn_report_cells(out, "@.name @.if @.then", name, cairn_text_string(&text),
                           cairn_schema_class(schema, m->labels[r]));
        show_counts(out, m, r, schema);
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

static part make_part(const cairn_rules *m, const double *counts)
{
    size_t positive = (size_t)m->positive;
    return (part){.positives = counts[positive], .negatives = counts[1 - positive]};
}

/* The share of positives by its own counts. Sums of weights are rounded off. */
static double own_share(const part *p, cairn_smoothing smoothing)
{
    return cairn_smoothed(smoothing, p->positives, p->positives + p->negatives, 2, NULL, 0);
}

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
        part p = make_part(m, list ? m->segments + i * 2 : m->pattern_counts + i * 2);
        p.rule = i;
        if (!list) p.pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        if (!(p.positives + p.negatives > 0)) continue;
        if (as == AS_SET)
            cairn_pattern_shares(shares, shares + 2, m, p.pattern, overlap, smoothing);
        else if (list && m->stated[i] >= 0)
            cairn_rule_shares(shares, m, i, true, smoothing);
        else
            shares[m->positive] = own_share(&p, smoothing);
        p.score = round(shares[m->positive] * 1e12) / 1e12;
        out->list[out->n++] = p;
    }
    return CAIRN_OK;
}

static cairn_status rank_parts(cairn_context *ctx, cairn_ranking *out, const parts *p)
{
    double *scores = NULL, *weights = NULL;
    int8_t *classes = NULL;
    CHECK(SCRATCH(ctx, &scores, 2 * p->n));
    CHECK(SCRATCH(ctx, &weights, 2 * p->n));
    CHECK(SCRATCH(ctx, &classes, 2 * p->n));
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

/* The coverage curve of a ranking. */
static cairn_status draw_curve(cairn_context *ctx, cairn_figure *figure,
                               const cairn_ranking *ranking, const char *label)
{
    double *x = NULL, *y = NULL;
    CHECK(SCRATCH(ctx, &x, ranking->n + 1));
    CHECK(SCRATCH(ctx, &y, ranking->n + 1));
    for (size_t i = 0; i < ranking->n; i++) {
        x[i + 1] = x[i] + ranking->segments[i].negatives;
        y[i + 1] = y[i] + ranking->segments[i].positives;
    }
    cairn_figure_line(figure, label, x, y, ranking->n + 1);
    return CAIRN_OK;
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
    CHECK(draw_curve(ctx, figure, &ranking, key));
    return cairn_text_status(&text);
}

/* A coverage plot with its box and diagonal. */
static cairn_status new_plot(cairn_context *ctx, cairn_figure **out, const cairn_rules *m)
{
    const double *all = m->whole + 2 * (m->n_rules - 1);
    double p = all[m->positive], n = all[1 - m->positive];
    CHECK(cairn_figure_new(ctx, out, "rule-curves", "Coverage curves of the rules"));
    cairn_figure_axes(*out, "negatives", "positives");
    cairn_figure_x_range(*out, -0.02 * n, 1.02 * n);
    cairn_figure_y_range(*out, -0.02 * p, 1.02 * p);
    cairn_figure_guide(*out, (double[]){0, n}, (double[]){0, p}, 2);
    return CAIRN_OK;
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
    CHECK(new_plot(ctx, figure, m));
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

/* The average coverage of the rules that fire. */
static void show_average(cairn_report *out, const cairn_rules *m, const uint8_t *pattern,
                         const char *key, const cairn_schema *schema)
{
    for (size_t l = 0; l < m->n_classes; l++) {
        double sum = 0;
        size_t n = 0;
        for (size_t r = 0; r + 1 < m->n_rules; r++) {
            if (!cairn_pattern_has(pattern, r)) continue;
            sum += m->whole[r * m->n_classes + l];
            n++;
        }
        cairn_report_cell_number(out, n ? sum / (double)n : NAN, 6, "overlap.%s.average.%s", key,
                                 cairn_report_key(out, cairn_schema_class(schema, (int32_t)l)));
    }
}

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
        show_average(out, m, pattern, key, schema);
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
        cairn_rules_show_regions(out, m, job->account, job->schema);
        status = cairn_rules_draw_regions(ctx, &figure, m, job->schema);
        cairn_describe_figure(out, status, &figure, true);
    }
    status = cairn_rules_draw_tree(ctx, &figure, m, job->schema, overlap);
    cairn_describe_figure(out, status, &figure, true);
    status = show_rankings(ctx, out, &figure, m, overlap, smoothing);
    cairn_describe_figure(out, status, &figure, true);
    status = cairn_rules_show_orders(ctx, out, &figure, m);
    cairn_describe_figure(out, status, &figure, true);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

static cairn_status make_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    return cairn_rules_draw_tree(ctx, out, model, job->schema, cairn_rules_overlap(model, job));
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
    return cairn_rules_show_orders(ctx, NULL, out, model);
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
