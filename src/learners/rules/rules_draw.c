/* SPDX-License-Identifier: MIT */
/* Pictures of rules as trees: a list branches to the right, a set asks all its rules one after the
 * other (rule tree). */
#include "learners/rules/rules.h"

#include <string.h>

enum { MOST_DRAWN = 24, MOST_TREE_RULES = 6, MOST_CLASSES = 8 };

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
    enum { MOST_WAYS = 1 << MOST_TREE_RULES };
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

cairn_status cairn_rules_draw_tree(cairn_context *ctx, cairn_figure **out, const cairn_rules *m,
                                   const cairn_schema *schema, cairn_rule_overlap overlap)
{
    drawing d = {.ctx = ctx, .m = m, .schema = schema};
    bool tree = !m->ordered && overlap == CAIRN_OVERLAP_TREE;
    const char *names[MOST_CLASSES];
    *out = NULL;
    if (m->n_rules < 2 || m->n_classes > MOST_CLASSES || m->n_rules > MOST_DRAWN + 1 ||
        (tree ? m->n_rules > MOST_TREE_RULES + 1 : !m->ordered))
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
