/* SPDX-License-Identifier: MIT */
/* FP-growth: the transactions as a tree whose paths begin with the most frequent item, so that
 * transactions share their beginnings and a node counts how many go through it. The sets that begin
 * with an item (in the order of the search: the least frequent first) are found in the tree of the
 * paths above its nodes, and so on. */
#include "items/items.h"

#include <string.h>

typedef struct fp_node {
    uint32_t code;                 /* own code of the tree */
    uint32_t parent;               /* 0 = the root, which is node 0 */
    uint32_t child, sibling, same; /* next node of the same item; 0 = none */
    uint64_t count;
} fp_node;

typedef struct fp_tree {
    fp_node *nodes;
    size_t n, capacity;
    size_t n_items;
    uint32_t *heads;    /* n_items: first node of each item */
    uint32_t *original; /* n_items */
    uint64_t *supports; /* n_items */
} fp_tree;

typedef struct search {
    cairn_set_sink *sink;
    const cairn_mining *m;
    uint64_t *sums;
    uint32_t *renamed, *path;
} search;

static void fp_clear(fp_tree *t)
{
    cairn_free(t->nodes);
    cairn_free(t->heads);
    cairn_free(t->original);
    cairn_free(t->supports);
    *t = (fp_tree){0};
}

static cairn_status fp_start(cairn_context *ctx, fp_tree *t, size_t n_items)
{
    t->n_items = n_items;
    CHECK(NEW(ctx, &t->heads, n_items));
    CHECK(NEW(ctx, &t->original, n_items));
    CHECK(NEW(ctx, &t->supports, n_items));
    CHECK(GROW(ctx, &t->nodes, &t->capacity, 16));
    t->nodes[0] = (fp_node){.code = UINT32_MAX};
    t->n = 1;
    return CAIRN_OK;
}

/* Put a path into the tree: codes descending, which is the most frequent item first. */
static cairn_status fp_insert(cairn_context *ctx, fp_tree *t, const uint32_t *codes, size_t n,
                              uint64_t count)
{
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t next = t->nodes[at].child;
        while (next && t->nodes[next].code != codes[i]) next = t->nodes[next].sibling;
        if (!next) {
            CHECK(GROW(ctx, &t->nodes, &t->capacity, t->n + 1));
            next = (uint32_t)t->n++;
            t->nodes[next] = (fp_node){.code = codes[i],
                                       .parent = at,
                                       .sibling = t->nodes[at].child,
                                       .same = t->heads[codes[i]]};
            t->nodes[at].child = next;
            t->heads[codes[i]] = next;
        }
        t->nodes[next].count += count;
        at = next;
    }
    return CAIRN_OK;
}

/* The tree of the paths above the nodes of item i; n_items is 0 when nothing is frequent there. */
static cairn_status fp_condition(search *s, fp_tree *to, const fp_tree *from, uint32_t i)
{
    size_t n_items = 0;
    for (uint32_t node = from->heads[i]; node; node = from->nodes[node].same)
        for (uint32_t up = from->nodes[node].parent; up; up = from->nodes[up].parent)
            s->sums[from->nodes[up].code] += from->nodes[node].count;
    for (size_t j = i + 1; j < from->n_items; j++) {
        s->renamed[j] = UINT32_MAX;
        if (s->sums[j] >= s->m->options->support) s->renamed[j] = (uint32_t)n_items++;
    }
    if (n_items) CHECK(fp_start(s->sink->ctx, to, n_items));
    for (size_t j = i + 1; j < from->n_items; j++) {
        if (s->renamed[j] != UINT32_MAX) {
            to->original[s->renamed[j]] = from->original[j];
            to->supports[s->renamed[j]] = s->sums[j];
        }
        s->sums[j] = 0;
    }
    for (uint32_t node = from->heads[i]; n_items && node; node = from->nodes[node].same) {
        size_t n = 0; /* upwards the codes rise; the tree wants them falling */
        for (uint32_t up = from->nodes[node].parent; up; up = from->nodes[up].parent)
            if (s->renamed[from->nodes[up].code] != UINT32_MAX)
                s->path[n++] = s->renamed[from->nodes[up].code];
        for (size_t a = 0; a < n / 2; a++) {
            uint32_t kept = s->path[a];
            s->path[a] = s->path[n - 1 - a];
            s->path[n - 1 - a] = kept;
        }
        CHECK(fp_insert(s->sink->ctx, to, s->path, n, from->nodes[node].count));
    }
    return CAIRN_OK;
}

static cairn_status extend(search *s, const fp_tree *tree, size_t depth)
{
    const cairn_mine_options *o = s->m->options;
    SCOPED(fp_clear) fp_tree next = {0};
    for (size_t i = 0; i < tree->n_items; i++) {
        CHECK(cairn_sink_add(s->sink, depth, tree->original[i], tree->supports[i]));
        if (o->most && depth + 1 >= o->most) continue;
        CHECK(fp_condition(s, &next, tree, (uint32_t)i));
        if (next.n_items) CHECK(extend(s, &next, depth + 1));
        fp_clear(&next);
    }
    return CAIRN_OK;
}

/* All sets of which an item is the rarest one are found from its conditional tree alone, so ranges
 * of items are searched independently. */
static cairn_status mine_piece(cairn_set_sink *sink, const void *engine, size_t first, size_t last)
{
    const fp_tree *whole = engine;
    const cairn_mining *m = sink->m;
    search s = {.sink = sink, .m = m};
    fp_tree next = {0};
    cairn_status status;
    TRY(NEW(sink->ctx, &s.sums, m->n_items));
    TRY(NEW(sink->ctx, &s.renamed, m->n_items));
    TRY(NEW(sink->ctx, &s.path, m->n_items));
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(cairn_sink_add(sink, 0, (uint32_t)i, m->supports[i]));
        if (m->options->most == 1) continue;
        TRY(fp_condition(&s, &next, whole, (uint32_t)i));
        if (next.n_items) TRY(extend(&s, &next, 1));
        fp_clear(&next);
    }
done:
    fp_clear(&next);
    cairn_free(s.sums);
    cairn_free(s.renamed);
    cairn_free(s.path);
    return status;
}

enum { SHOWN_NODES = 200, SHOWN_CONDITIONS = 20, SHOWN_PATHS = 20 };

static const char *item_name(const cairn_mining *m, const fp_tree *t, uint32_t code)
{
    return cairn_map_key(&m->t->names, (size_t)m->item[t->original[code]]);
}

/* The tree as it would be drawn: children in the order they came. No larger one comes here. */
static void show_node(const cairn_mining *m, const fp_tree *t, uint32_t node, size_t depth,
                      cairn_text *text)
{
    uint32_t children[SHOWN_NODES];
    size_t n = 0;
    if (node) {
        cairn_text_add_repeat(text, ' ', 3 * (depth - 1));
        cairn_text_addf(text, "%s: %llu\n", item_name(m, t, t->nodes[node].code),
                        (unsigned long long)t->nodes[node].count);
    }
    for (uint32_t c = t->nodes[node].child; c; c = t->nodes[c].sibling) children[n++] = c;
    while (n > 0) show_node(m, t, children[--n], depth + 1, text);
}

/* The paths above the nodes of item i, most frequent item first, with their counts. */
static void show_paths(search *s, cairn_report *out, const fp_tree *t, uint32_t i)
{
    cairn_report_table_of(out, "The paths above it", SHOWN_PATHS, "lr", "path", "count");
    for (uint32_t node = t->heads[i]; node; node = t->nodes[node].same) {
        SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(s->m->ctx);
        size_t n = 0;
        for (uint32_t up = t->nodes[node].parent; up; up = t->nodes[up].parent)
            s->path[n++] = t->nodes[up].code;
        if (!n) cairn_text_add(&path, "none");
        while (n-- > 0)
            cairn_text_addf(&path, "%s%s", item_name(s->m, t, s->path[n]), n ? ", " : "");
        cairn_report_cell(out, cairn_text_string(&path));
        cairn_report_cell_number(out, (double)t->nodes[node].count, 0, NULL);
        cairn_report_failed(out, cairn_text_status(&path));
    }
    cairn_report_table_end(out);
}

/* The conditional tree of each item of a tree, and of the items of those, until `left` is used up.
 * `ending` is what the sets of this tree end with. */
static cairn_status show_conditions(search *s, const fp_tree *tree, const char *ending,
                                    size_t *left)
{
    cairn_report *out = s->m->options->steps;
    for (uint32_t i = 0; i < tree->n_items && *left; i++, --*left) {
        SCOPED(fp_clear) fp_tree next = {0};
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->m->ctx);
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(s->m->ctx);
        cairn_text_addf(&name, "%s%s%s", item_name(s->m, tree, i), *ending ? ", " : "", ending);
        CHECK(cairn_text_status(&name));
        CHECK(fp_condition(s, &next, tree, i));
        cairn_report_step_begin(out, "The conditional tree of %s", cairn_text_string(&name));
        cairn_report_value(out, "support", (double)tree->supports[i], "fp.%s",
                           cairn_report_key(out, cairn_text_string(&name)));
        show_paths(s, out, tree, i);
        if (next.n_items && next.n <= SHOWN_NODES) {
            show_node(s->m, &next, 0, 0, &text);
            CHECK(cairn_text_status(&text));
            cairn_report_verbatim(out, cairn_text_string(&text));
        } else {
            cairn_report_paragraph(out, next.n_items ? "The tree is too large to be shown."
                                                     : "No item of these paths is frequent.");
        }
        cairn_report_step_end(out);
        if (next.n_items && (!s->m->options->most || s->m->options->most > 2))
            CHECK(show_conditions(s, &next, cairn_text_string(&name), left));
        if (!*left) break;
    }
    return CAIRN_OK;
}

/* The same from the whole tree. */
static cairn_status show_all_conditions(const cairn_mining *m, const fp_tree *whole)
{
    cairn_set_sink sink = {.ctx = m->ctx, .m = m};
    search s = {.sink = &sink, .m = m};
    size_t left = SHOWN_CONDITIONS;
    if (!m->options->steps || m->options->most == 1) return CAIRN_OK;
    CHECK(SCRATCH(m->ctx, &s.sums, m->n_items));
    CHECK(SCRATCH(m->ctx, &s.renamed, m->n_items));
    CHECK(SCRATCH(m->ctx, &s.path, m->n_items));
    CHECK(show_conditions(&s, whole, "", &left));
    if (!left)
        cairn_report_note(m->options->steps, "The first %d conditional trees are shown.",
                          SHOWN_CONDITIONS);
    return CAIRN_OK;
}

/* Trees are drawn only while they can be read; the number of nodes is always told. */
static void show_tree(const cairn_mining *m, const fp_tree *t)
{
    cairn_report *out = m->options->steps;
    cairn_text text = cairn_text_start(m->ctx);
    if (!out) return;
    cairn_report_step_begin(out, "The FP tree");
    cairn_report_paragraph(out, "Items of a transaction are put in from the most frequent to the "
                                "least; a node counts the transactions that pass it.");
    cairn_report_value(out, "nodes", (double)(t->n - 1), "fp.nodes");
    if (t->n <= SHOWN_NODES) {
        show_node(m, t, 0, 0, &text);
        cairn_report_verbatim(out, cairn_text_string(&text));
    } else {
        cairn_report_note(out, "A tree of more than %d nodes is not shown.", SHOWN_NODES);
    }
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

cairn_status cairn_mine_fp(cairn_mining *m, cairn_itemsets *out)
{
    SCOPED(fp_clear) fp_tree whole = {0};
    uint32_t *path;
    CHECK(SCRATCH(m->ctx, &path, m->n_items + 1));
    CHECK(fp_start(m->ctx, &whole, m->n_items));
    for (size_t i = 0; i < m->n_items; i++) {
        whole.original[i] = (uint32_t)i;
        whole.supports[i] = m->supports[i];
    }
    for (size_t i = 0; i < m->n; i++) {
        size_t n = m->starts[i + 1] - m->starts[i];
        for (size_t j = 0; j < n; j++) path[j] = m->codes[m->starts[i + 1] - 1 - j];
        CHECK(fp_insert(m->ctx, &whole, path, n, m->counts ? m->counts[i] : 1));
    }
    show_tree(m, &whole);
    CHECK(show_all_conditions(m, &whole));
    return cairn_mine_side_by_side(m, out, mine_piece, &whole);
}
