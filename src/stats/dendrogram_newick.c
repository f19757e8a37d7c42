/* SPDX-License-Identifier: MIT */
/* Newick: a tree is a leaf, or trees in brackets with commas between them, each followed by a name
 * and, after a colon, the length of the branch that leads to it; a semicolon ends it.
 *
 * The text is read in one pass without recursion: trees that are complete wait on a pile until the
 * bracket closes that holds them. A node lies as high as the longest way from it to a leaf; where a
 * text has no lengths, one above the highest of what it joins. */
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- reading -- */

/* A complete tree: a leaf (node >= 0) or merge -1 - node. */
typedef struct subtree {
    int64_t node;
    double height, steps; /* by lengths, and by counting */
    double length;        /* of the branch above it */
} subtree;

/* A merge as it was read; its height by lengths and by counting. */
typedef struct draft {
    int64_t left, right;
    double height, steps;
} draft;

typedef struct reader {
    cairn_context *ctx;
    const char *name, *text;
    size_t at, length;
    subtree *pile;
    size_t n_pile, pile_capacity;
    size_t *open; /* where the trees of each open bracket begin on the pile */
    size_t n_open, open_capacity;
    draft *drafts;
    size_t n_drafts, drafts_capacity;
    cairn_map leaves;
    cairn_text word; /* the name that was read last */
    size_t n_lengths, n_without, without_at;
    cairn_newick_notes notes;
} reader;

static void clear_reader(reader *r)
{
    cairn_free(r->pile);
    cairn_free(r->open);
    cairn_free(r->drafts);
    cairn_map_clear(&r->leaves);
    cairn_text_clear(&r->word);
}

/* Fail with the line that the place is in. */
CAIRN_PRINTF(3, 4)
static cairn_status refuse(const reader *r, size_t at, const char *format, ...)
{
    size_t line = 1, begin = 0, end;
    va_list arguments;
    for (size_t i = 0; i < at && i < r->length; i++) {
        if (r->text[i] != '\n') continue;
        line++;
        begin = i + 1;
    }
    for (end = begin; end < r->length && r->text[end] != '\n'; end++) continue;
    va_start(arguments, format);
    cairn_status status = cairn_fail_placev(r->ctx, CAIRN_BAD_DATA, r->text + begin, end - begin,
                                            at - begin, format, arguments);
    va_end(arguments);
    if (status == CAIRN_BAD_DATA)
        cairn_message_prefix(r->ctx, "%s, line %zu, column %zu", r->name, line, at - begin + 1);
    return status;
}

/* Past blanks and comments, which may hold comments. */
static cairn_status skip(reader *r)
{
    size_t depth = 0, begin = 0;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (c == '[' && depth++ == 0) begin = r->at;
        if (depth == 0 && !strchr(" \t\r\n\v\f", c)) return CAIRN_OK;
        if (c == 0) return refuse(r, r->at, "a zero byte in the tree");
        if (c == ']' && depth) depth--;
    }
    if (depth) return refuse(r, begin, "this comment has no end; a ] is missing");
    return CAIRN_OK;
}

static char next(const reader *r)
{
    return r->at < r->length ? r->text[r->at] : 0;
}

static cairn_status read_quoted(reader *r)
{
    size_t begin = r->at++;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (c == '\'' && (r->at + 1 == r->length || r->text[r->at + 1] != '\'')) {
            r->at++;
            return CAIRN_OK;
        }
        if (c == 0) return refuse(r, r->at, "a zero byte in the tree");
        if (c == '\'') r->at++;
        cairn_text_add_char(&r->word, c);
    }
    return refuse(r, begin, "this name has no end; a ' is missing");
}

/* A name into `word`, which stays empty where there is none. */
static cairn_status read_name(reader *r)
{
    cairn_text_clear(&r->word);
    CHECK(skip(r));
    size_t begin = r->at;
    if (next(r) == '\'')
        CHECK(read_quoted(r));
    else
        while (r->at < r->length && r->text[r->at] &&
               !strchr("()[]:;,' \t\r\n\v\f", r->text[r->at]))
            cairn_text_add_char(&r->word, r->text[r->at++]);
    CHECK(cairn_text_status(&r->word));
    if (cairn_utf8_check(cairn_text_string(&r->word), r->word.length) < r->word.length)
        return refuse(r, begin, "this name is not UTF-8");
    return skip(r);
}

/* What stands behind a subtree: the name of an inner node is of no use here, the length is. */
static cairn_status read_length(reader *r, subtree *tree)
{
    double length;
    CHECK(skip(r));
    if (next(r) != ':') {
        if (r->n_without++ == 0) r->without_at = r->at;
        return CAIRN_OK;
    }
    r->at++;
    CHECK(skip(r));
    const char *end = cairn_number_scan(r->text + r->at, r->text + r->length, &length);
    if (!end) return refuse(r, r->at, "the length of a branch is expected here");
    if (!isfinite(length)) return refuse(r, r->at, "this length is too large");
    r->at = (size_t)(end - r->text);
    tree->length += length;
    r->n_lengths++;
    return skip(r);
}

static cairn_status add_leaf(reader *r)
{
    size_t begin, index, n = r->leaves.n;
    char number[32];
    CHECK(skip(r));
    begin = r->at;
    CHECK(read_name(r));
    if (r->word.length == 0) {
        snprintf(number, sizeof number, "leaf %zu", n + 1);
        cairn_text_add(&r->word, number);
        r->notes.n_unnamed++;
        CHECK(cairn_text_status(&r->word));
    }
    CHECK(cairn_map_add(r->ctx, &r->leaves, r->word.bytes, r->word.length, &index));
    if (index < n)
        return refuse(r, begin, "two leaves are called '%s'; names of leaves must differ",
                      cairn_text_string(&r->word));
    CHECK(GROW(r->ctx, &r->pile, &r->pile_capacity, r->n_pile + 1));
    r->pile[r->n_pile++] = (subtree){.node = (int64_t)n};
    return CAIRN_OK;
}

/* How high the branches of a bracket lead, and whether they lead equally high. */
static void measure(reader *r, const subtree *parts, size_t n, subtree *out)
{
    double low = INFINITY;
    *out = (subtree){.height = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double height = parts[i].height + parts[i].length;
        low = fmin(low, height);
        out->height = fmax(out->height, height);
        out->steps = fmax(out->steps, parts[i].steps + 1);
    }
    r->notes.uneven = fmax(r->notes.uneven, out->height - low);
}

/* The trees since the bracket was opened become one. */
static cairn_status close_bracket(reader *r)
{
    size_t first = r->open[--r->n_open], n = r->n_pile - first;
    subtree *parts = r->pile + first, joined;
    r->n_pile = first + 1;
    r->notes.n_single += n == 1;
    r->notes.n_many += n > 2;
    if (n == 1) return CAIRN_OK; /* its length is added to the next one */
    measure(r, parts, n, &joined);
    if (!isfinite(joined.height))
        return refuse(r, r->at - 1, "the lengths below this bracket add up to too much");
    joined.node = parts[0].node;
    for (size_t i = 1; i < n; i++) {
        CHECK(GROW(r->ctx, &r->drafts, &r->drafts_capacity, r->n_drafts + 1));
        r->drafts[r->n_drafts++] = (draft){joined.node, parts[i].node, joined.height, joined.steps};
        joined.node = -(int64_t)r->n_drafts;
    }
    parts[0] = joined;
    return CAIRN_OK;
}

/* Brackets that open, then a leaf. */
static cairn_status read_first(reader *r)
{
    CHECK(skip(r));
    while (next(r) == '(') {
        CHECK(GROW(r->ctx, &r->open, &r->open_capacity, r->n_open + 1));
        r->open[r->n_open++] = r->n_pile;
        r->at++;
        CHECK(skip(r));
    }
    return add_leaf(r);
}

/* What follows a complete subtree: a comma, closing brackets, the end. */
static cairn_status read_rest(reader *r, bool *ended)
{
    for (;;) {
        if (r->n_open || next(r) == ':') CHECK(read_length(r, &r->pile[r->n_pile - 1]));
        char c = next(r);
        if (c == ';' && r->n_open)
            return refuse(r, r->at, "the tree ends here, but %zu bracket%s still open", r->n_open,
                          r->n_open == 1 ? " is" : "s are");
        if ((c == ')' || c == ',') && !r->n_open)
            return refuse(r, r->at, "no bracket is open here; a ; ends the tree");
        if (c != ')' && c != ',' && c != ';')
            return refuse(r, r->at, "%s",
                          r->at >= r->length ? "the tree has no end; a ; is missing"
                                             : "expected is , ) ; or : and a length; names with "
                                               "blanks stand in single quotes");
        r->at++;
        *ended = c == ';';
        if (c != ')') return CAIRN_OK;
        CHECK(close_bracket(r));
        CHECK(read_name(r));
    }
}

static cairn_status read_tree(reader *r)
{
    bool ended = false;
    if (r->length >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) r->at = 3;
    CHECK(skip(r));
    if (r->at == r->length) return refuse(r, r->at, "there is no tree");
    while (!ended) {
        CHECK(cairn_tick(r->ctx, NULL, 0, 0));
        CHECK(read_first(r));
        CHECK(read_rest(r, &ended));
    }
    CHECK(skip(r));
    if (r->at < r->length) return refuse(r, r->at, "something follows the tree; one tree is read");
    if (r->n_lengths && r->n_without)
        return refuse(r, r->without_at,
                      "a branch without a length where others have one; give all of them or none");
    return CAIRN_OK;
}

/* -- from what was read to a tree -- */

/* Merges are put in the order of their heights, what they join first: the key is the highest merge
 * below or at it, equals stay as they were read, parts before the whole. */
typedef struct ranked {
    double key;
    size_t draft;
} ranked;

static bool is_lower(const void *a, const void *b, const void *data)
{
    (void)data;
    return ((const ranked *)a)->key < ((const ranked *)b)->key;
}

static double part_key(const ranked *order, int64_t node)
{
    return node < 0 ? order[-1 - node].key : -INFINITY;
}

static cairn_status order_drafts(const reader *r, ranked **out)
{
    CHECK(SCRATCH(r->ctx, out, r->n_drafts + 1));
    for (size_t i = 0; i < r->n_drafts; i++) {
        const draft *d = &r->drafts[i];
        double height = r->notes.no_lengths ? d->steps : d->height;
        double below = fmax(part_key(*out, d->left), part_key(*out, d->right));
        (*out)[i] = (ranked){fmax(height, below), i};
    }
    return cairn_sort_by(r->ctx, *out, r->n_drafts, sizeof **out, is_lower, NULL);
}

static cairn_status copy_names(cairn_context *ctx, cairn_dendrogram *tree, const cairn_map *names)
{
    CHECK(NEW(ctx, &tree->names, tree->n_leaves));
    for (size_t i = 0; names->lengths && i < tree->n_leaves; i++)
        CHECK(cairn_copy_text(ctx, &tree->names[i], cairn_map_key(names, i), names->lengths[i]));
    return CAIRN_OK;
}

static cairn_status build(const reader *r, cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(r->ctx);
    ranked *order;
    uint32_t *number;
    size_t n = r->leaves.n;
    CHECK(cairn_dendrogram_new(r->ctx, tree, n));
    CHECK(copy_names(r->ctx, tree, &r->leaves));
    CHECK(order_drafts(r, &order));
    CHECK(SCRATCH(r->ctx, &number, r->n_drafts + 1));
    for (size_t k = 0; k < r->n_drafts; k++) number[order[k].draft] = (uint32_t)(n + k);
    for (size_t k = 0; k < r->n_drafts; k++) {
        const draft *d = &r->drafts[order[k].draft];
        tree->merges[k] = (cairn_merge){
            .left = d->left < 0 ? number[-1 - d->left] : (uint32_t)d->left,
            .right = d->right < 0 ? number[-1 - d->right] : (uint32_t)d->right,
            .height = r->notes.no_lengths ? d->steps : d->height,
        };
    }
    return cairn_dendrogram_complete(r->ctx, tree);
}

cairn_status cairn_newick_read(cairn_context *ctx, cairn_dendrogram *out, cairn_newick_notes *notes,
                               const char *name, const char *text, size_t length)
{
    SCOPED(clear_reader)
    reader r = {.ctx = ctx, .name = name, .text = text, .length = length};
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    r.word = cairn_text_start(ctx);
    CHECK(read_tree(&r));
    r.notes.no_lengths = r.n_lengths == 0;
    CHECK(build(&r, &tree));
    if (r.notes.no_lengths || r.notes.uneven <= 1e-9 * fabs(cairn_dendrogram_top(&tree)))
        r.notes.uneven = 0;
    *notes = r.notes;
    *out = tree;
    tree = (cairn_dendrogram){0};
    return CAIRN_OK;
}

void cairn_newick_warn(cairn_context *ctx, const cairn_newick_notes *notes, const char *name)
{
    char uneven[CAIRN_NUMBER_SIZE];
    cairn_number_format(uneven, notes->uneven, 6);
    if (notes->no_lengths)
        cairn_warn(ctx, "%s: the tree has no lengths; a merge lies 1 above what it joins", name);
    if (notes->uneven > 0)
        cairn_warn(ctx,
                   "%s: the leaves do not all lie at the same depth (branches of a node differ by "
                   "up to %s); a merge lies as high as its longest way to a leaf",
                   name, uneven);
    if (notes->n_many)
        cairn_warn(ctx,
                   "%s: %zu node%s more than two branches; these are joined one after the other "
                   "at the same height",
                   name, notes->n_many, notes->n_many == 1 ? " has" : "s have");
    if (notes->n_single)
        cairn_warn(ctx, "%s: %zu node%s a single branch; left out, lengths added up", name,
                   notes->n_single, notes->n_single == 1 ? " has" : "s have");
    if (notes->n_unnamed)
        cairn_warn(ctx, "%s: %zu %s no name; called by %s", name, notes->n_unnamed,
                   notes->n_unnamed == 1 ? "leaf has" : "leaves have",
                   notes->n_unnamed == 1 ? "its number" : "their numbers");
}

/* -- writing -- */

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
              strchr("._-+#/", *c) || (unsigned char)*c >= 0x80))
            return false;
    return *name != 0;
}

static void add_name(cairn_text *out, const char *name)
{
    if (is_plain(name)) {
        cairn_text_add(out, name);
        return;
    }
    cairn_text_add_char(out, '\'');
    for (const char *c = name; *c; c++) {
        if (*c == '\'') cairn_text_add_char(out, '\'');
        cairn_text_add_char(out, *c);
    }
    cairn_text_add_char(out, '\'');
}

/* A cluster that is to be written, and what has been written of it: nothing, its left part. */
typedef struct pending {
    uint32_t cluster;
    uint32_t parent;
    int stage;
} pending;

static void add_length(cairn_text *out, const cairn_dendrogram *tree, const pending *p)
{
    if (p->parent == p->cluster) return;
    cairn_text_add_char(out, ':');
    cairn_text_add_number(
        out, cairn_dendrogram_height(tree, p->parent) - cairn_dendrogram_height(tree, p->cluster),
        CAIRN_SHORTEST);
}

/* One step on the way through the tree; returns the new depth of the pile. */
static size_t write_step(cairn_text *out, const cairn_dendrogram *tree, pending *pile, size_t depth)
{
    static const char marks[] = {'(', ',', ')'};
    char room[CAIRN_LEAF_NAME];
    pending *p = &pile[depth - 1];
    if (p->cluster < tree->n_leaves) {
        add_name(out, cairn_leaf_name(tree, p->cluster, room));
        add_length(out, tree, p);
        return depth - 1;
    }
    const cairn_merge *m = &tree->merges[p->cluster - tree->n_leaves];
    cairn_text_add_char(out, marks[p->stage]);
    if (p->stage == 2) {
        add_length(out, tree, p);
        return depth - 1;
    }
    pile[depth] = (pending){p->stage ? m->right : m->left, p->cluster, 0};
    p->stage++;
    return depth + 1;
}

void cairn_newick_write(cairn_text *out, const cairn_dendrogram *tree)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    pending *pile;
    size_t depth = 1;
    cairn_status status = SCRATCH(out->ctx, &pile, tree->n_leaves + 1);
    if (status) {
        if (!out->status) out->status = status;
        return;
    }
    uint32_t root = (uint32_t)(2 * tree->n_leaves - 2);
    pile[0] = (pending){root, root, 0};
    while (depth && !out->status) depth = write_step(out, tree, pile, depth);
    cairn_text_add(out, ";\n");
    cairn_scratch_release(out->ctx, mark);
}

void cairn_dendrogram_json(cairn_text *out, const cairn_dendrogram *tree)
{
    char room[CAIRN_LEAF_NAME];
    cairn_text_add(out, "{\"leaves\":[");
    for (size_t i = 0; i < tree->n_leaves; i++) {
        if (i) cairn_text_add_char(out, ',');
        cairn_text_add_json(out, cairn_leaf_name(tree, i, room));
    }
    cairn_text_add(out, "],\"weights\":");
    cairn_text_add(out, tree->weights ? "[" : "null");
    for (size_t i = 0; tree->weights && i < tree->n_leaves; i++) {
        if (i) cairn_text_add_char(out, ',');
        cairn_text_add_number(out, tree->weights[i], CAIRN_SHORTEST);
    }
    cairn_text_add(out, tree->weights ? "],\"merges\":[" : ",\"merges\":[");
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) {
        const cairn_merge *m = &tree->merges[i];
        cairn_text_addf(out, "%s\n{\"left\":%lu,\"right\":%lu,\"height\":", i ? "," : "",
                        (unsigned long)m->left, (unsigned long)m->right);
        cairn_text_add_number(out, m->height, CAIRN_SHORTEST);
        cairn_text_add(out, ",\"size\":");
        cairn_text_add_number(out, m->size, CAIRN_SHORTEST);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, "]}\n");
}
