/* SPDX-License-Identifier: MIT */
/* Reading a tree that was written by hand.
 *
 * Lines come one after the other; a stack keeps the nodes that are open, by indentation. A line
 * that is indented like an open node is a further branch of it; one that is indented more opens
 * the node at the end of the branch before it. When all lines are read, the branches of every node
 * are checked to be one question. */
#include "learners/tree/tree_plan.h"
#include "learners/tree/tree.h"

#include "base/number.h"
#include <math.h>
#include <string.h>

enum { NO_FORM = -1 };

typedef struct plan_branch {
    cairn_condition condition;
    int32_t child; /* -1 = not seen yet */
    int32_t next;  /* of the same node, -1 = the last */
} plan_branch;

typedef struct draft {
    cairn_plan_node node;
    int32_t first, last; /* branches */
} draft;

typedef struct open_level {
    size_t indent;
    int32_t node;
} open_level;

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    const cairn_job *job;
    draft *drafts;
    plan_branch *branches;
    open_level *open;
    size_t n_drafts, n_branches, n_open;
    int form; /* cairn_tree_cut, or NO_FORM as long as no cut was seen */
    bool missing_branch;
    cairn_map parts;     /* names of the parts that the file has */
    int32_t *part_nodes; /* of each its node; -1 = no answer named it yet */
    int32_t part;        /* the one whose first line comes next, -1 = none */
} reader;

static int32_t new_node(reader *r, cairn_plan_kind kind)
{
    r->drafts[r->n_drafts] =
        (draft){.node = {.kind = kind, .column = -1, .level = -1, .label = -1, .number = NAN},
                .first = -1,
                .last = -1};
    return (int32_t)r->n_drafts++;
}

/* -- lines -- */

static bool has_class(const reader *r, const char *name)
{
    const cairn_field *target = cairn_schema_target(r->job->schema);
    return target && cairn_map_find(&target->names, name, strlen(name)) >= 0;
}

/* -- parts that are written by themselves -- */

/* "@12:" alone on a line */
static bool heads_part(const cairn_word *word)
{
    return word->kind == CAIRN_WORD_NAME && !word->quoted && word->text[0] == '@' &&
           cairn_word_is(word + 1, ":") && word[2].kind == CAIRN_WORD_LINE;
}

static cairn_status find_parts(reader *r, const cairn_word *words)
{
    size_t index;
    for (const cairn_word *w = words; w->kind != CAIRN_WORD_END; w++) {
        if (!w->starts_line || !heads_part(w)) continue;
        if (cairn_map_find(&r->parts, w->text, strlen(w->text)) >= 0)
            CHECK(cairn_given_fail(r->ctx, r->given, w->at, "there is a part %s above", w->text));
        CHECK(cairn_map_add(r->ctx, &r->parts, w->text, strlen(w->text), &index));
    }
    CHECK(SCRATCH(r->ctx, &r->part_nodes, r->parts.n + 1));
    for (size_t i = 0; i < r->parts.n; i++) r->part_nodes[i] = -1;
    return CAIRN_OK;
}

/* Whether the last part has lines. */
static cairn_status check_part(reader *r, size_t at)
{
    if (r->part < 0) return CAIRN_OK;
    return cairn_given_fail(r->ctx, r->given, at, "the part before this has no lines");
}

/* "no", "3.5", "?", "reject", "..." or the name of a part */
static cairn_status read_leaf(reader *r, const cairn_word *word, int32_t *out)
{
    char shown[80];
    int64_t part = word->kind == CAIRN_WORD_NAME && !word->quoted
                       ? cairn_map_find(&r->parts, word->text, strlen(word->text))
                       : -1;
    if (part >= 0) {
        /* The answer "@12": what the part of that name says. */
        if (r->part_nodes[part] >= 0)
            CHECK(cairn_given_fail(r->ctx, r->given, word->at,
                                   "the part %s hangs below another line already", word->text));
        *out = r->part_nodes[part] = new_node(r, CAIRN_PLAN_SPLIT);
        return CAIRN_OK;
    }
    if (cairn_word_is(word, "...") || cairn_word_is(word, "…")) {
        *out = new_node(r, CAIRN_PLAN_FREE);
        return CAIRN_OK;
    }
    *out = new_node(r, CAIRN_PLAN_LEAF);
    cairn_plan_node *leaf = &r->drafts[*out].node;
    if (cairn_word_is(word, "?")) return CAIRN_OK;
    if (r->job->task == CAIRN_CLASSIFY && cairn_word_is(word, "reject") &&
        !has_class(r, "reject")) {
        leaf->reject = true;
        return CAIRN_OK;
    }
    if (r->job->task == CAIRN_CLASSIFY)
        CHECK(cairn_given_class(r->ctx, r->given, word, r->job->schema, &leaf->label));
    else if (word->kind != CAIRN_WORD_NAME ||
             !cairn_number_parse(word->text, strlen(word->text), &leaf->number) ||
             !isfinite(leaf->number))
        CHECK(
            cairn_given_fail(r->ctx, r->given, word->at,
                             "a leaf answers a number, ? (the mean of its rows) or ... (grow on), "
                             "not %s",
                             cairn_word_show(word, shown)));
    return CAIRN_OK;
}

static void add_branch(reader *r, int32_t node, const cairn_condition *condition)
{
    int32_t at = (int32_t)r->n_branches;
    draft *d = &r->drafts[node];
    r->branches[r->n_branches++] = (plan_branch){.condition = *condition, .child = -1, .next = -1};
    if (d->first < 0)
        d->first = at;
    else
        r->branches[d->last].next = at;
    d->last = at;
}

/* Whether the branch before this line was left without an answer. */
static cairn_status check_answered(reader *r, size_t at)
{
    if (r->n_branches == 0 || r->branches[r->n_branches - 1].child >= 0) return CAIRN_OK;
    return cairn_given_fail(r->ctx, r->given, at,
                            "the branch before this has neither an answer after its colon nor "
                            "lines indented below it");
}

/* One branch: its condition, a colon and then a leaf, or nothing when deeper lines go on; the
 * branch before must have got an answer by now. */
static cairn_status read_line(reader *r, const cairn_word **words)
{
    const cairn_word *at = *words;
    cairn_condition condition;
    int32_t node = -1;
    char shown[80];
    /* The node that a line indented by `indent` belongs to. */
    size_t indent = at->indent;
    while (r->n_open > 0 && r->open[r->n_open - 1].indent > indent) r->n_open--;
    if (r->n_open > 0 && r->open[r->n_open - 1].indent == indent) {
        node = r->open[r->n_open - 1].node;
    } else if (r->part >= 0) {
        node = r->part;
        r->part = -1;
        r->open[r->n_open++] = (open_level){indent, node};
    } else {
        plan_branch *above = r->n_branches ? &r->branches[r->n_branches - 1] : NULL;
        if (above && (r->n_open == 0 || above->child >= 0))
            CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                                   above->child >= 0 && r->n_open > 0
                                       ? "the branch above ends with an answer, so nothing can be "
                                         "indented below it"
                                       : "this line is indented less than the first one"));
        node = new_node(r, CAIRN_PLAN_SPLIT);
        if (above) above->child = node;
        r->open[r->n_open++] = (open_level){indent, node};
    }
    CHECK(cairn_given_condition(r->ctx, r->given, &at, r->job->schema, &condition));
    if (r->drafts[node].first >= 0) CHECK(check_answered(r, condition.at));
    add_branch(r, node, &condition);
    if (!cairn_word_is(at, ":"))
        CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                               "a colon is expected after the condition, not %s",
                               cairn_word_show(at, shown)));
    if ((++at)->kind != CAIRN_WORD_LINE) {
        int32_t leaf = -1;
        CHECK(read_leaf(r, at++, &leaf));
        r->branches[r->n_branches - 1].child = leaf;
    }
    if (at->kind != CAIRN_WORD_LINE)
        CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                               "the line should end here, not go on with %s",
                               cairn_word_show(at, shown)));
    *words = at + 1;
    return CAIRN_OK;
}

/* -- questions -- */

static cairn_status fail_at(reader *r, const plan_branch *b, const char *what)
{
    return cairn_given_fail(r->ctx, r->given, b->condition.at, "%s", what);
}

static cairn_status set_links(reader *r, cairn_plan_node *node, size_t n_branches)
{
    node->n_links = n_branches + 1;
    CHECK(SCRATCH(r->ctx, &node->links, node->n_links));
    for (size_t i = 0; i < node->n_links; i++) node->links[i] = -1;
    return CAIRN_OK;
}

static cairn_status put_link(reader *r, cairn_plan_node *node, size_t branch, const plan_branch *b)
{
    if (node->links[branch] >= 0)
        return fail_at(r, b, "this branch was there already in the lines above");
    node->links[branch] = b->child;
    return CAIRN_OK;
}

/* One branch per value, or one value and the rest. */
static cairn_status ask_levels(reader *r, draft *d, const plan_branch *first)
{
    cairn_plan_node *node = &d->node;
    const cairn_condition *c = &first->condition;
    bool binary = false;
    for (int32_t b = d->first; b >= 0; b = r->branches[b].next)
        binary |= r->branches[b].condition.relation == CAIRN_UNEQUAL;
    node->test = binary ? CAIRN_TEST_LEVEL : CAIRN_TEST_LEVELS;
    if (binary && c->relation != CAIRN_IS_MISSING) node->level = c->levels[0];
    CHECK(set_links(r, node, binary ? 2 : c->field->names.n));
    for (int32_t at = d->first; at >= 0; at = r->branches[at].next) {
        const plan_branch *b = &r->branches[at];
        bool unequal = b->condition.relation == CAIRN_UNEQUAL;
        if (b->condition.relation == CAIRN_IS_MISSING) {
            CHECK(put_link(r, node, node->n_links - 1, b));
            continue;
        }
        if (b->condition.relation > CAIRN_UNEQUAL || b->condition.n_levels != 1)
            CHECK(fail_at(r, b, "a tree asks for one value at a time: = value or != value"));
        if (binary && b->condition.levels[0] != node->level)
            CHECK(fail_at(r, b, "beside = VALUE and != VALUE of the same value nothing else fits"));
        CHECK(put_link(r, node, binary ? (size_t)unequal : (size_t)b->condition.levels[0], b));
    }
    return CAIRN_OK;
}

/* Two sets of values. */
static cairn_status ask_set(reader *r, draft *d, const plan_branch *first)
{
    cairn_plan_node *node = &d->node;
    size_t n = 0;
    node->test = CAIRN_TEST_SET;
    node->n_sides = first->condition.field->names.n;
    CHECK(SCRATCH(r->ctx, &node->sides, node->n_sides));
    CHECK(set_links(r, node, 2));
    for (int32_t at = d->first; at >= 0; at = r->branches[at].next) {
        const plan_branch *b = &r->branches[at];
        if (b->condition.relation == CAIRN_IS_MISSING) {
            CHECK(put_link(r, node, 2, b));
            continue;
        }
        if (b->condition.relation > CAIRN_UNEQUAL || n == 2)
            CHECK(fail_at(r, b, "a node that asks for sets of values has two of them"));
        /* Give the levels of a branch their side; those of "!=" are all but the ones that it
         * names. */
        uint8_t side = (uint8_t)(n + 1);
        bool unequal = b->condition.relation == CAIRN_UNEQUAL;
        for (size_t v = 0; v < node->n_sides; v++) {
            bool named = false;
            for (size_t i = 0; i < b->condition.n_levels; i++)
                named |= b->condition.levels[i] == (int32_t)v;
            if (named == unequal) continue;
            if (node->sides[v])
                CHECK(
                    fail_at(r, b, "a value of this set is in the set of the other branch as well"));
            node->sides[v] = side;
        }
        CHECK(put_link(r, node, n++, b));
    }
    if (n < 2) CHECK(fail_at(r, first, "the other set of values is missing"));
    return CAIRN_OK;
}

static bool asks_for_sets(const reader *r, const draft *d)
{
    bool sets = false;
    for (int32_t b = d->first; b >= 0; b = r->branches[b].next)
        sets |= r->branches[b].condition.relation <= CAIRN_UNEQUAL &&
                r->branches[b].condition.n_levels > 1;
    return sets;
}

/* Below the cut, and the rest. */
static cairn_status ask_cut(reader *r, draft *d)
{
    cairn_plan_node *node = &d->node;
    bool seen = false;
    node->test = CAIRN_TEST_CUT;
    CHECK(set_links(r, node, 2));
    for (int32_t at = d->first; at >= 0; at = r->branches[at].next) {
        const plan_branch *b = &r->branches[at];
        cairn_relation relation = b->condition.relation;
        if (relation == CAIRN_IS_MISSING) {
            CHECK(put_link(r, node, 2, b));
            continue;
        }
        if (relation == CAIRN_EQUAL || relation == CAIRN_UNEQUAL)
            CHECK(fail_at(r, b, "numbers and ordered values are cut by <= and >, or by < and >="));
        double number = b->condition.n_levels ? b->condition.levels[0] : b->condition.number;
        if (seen && number != node->cut)
            CHECK(fail_at(r, b, "both sides of a cut name the same number"));
        node->cut = number;
        seen = true;
        int form =
            relation == CAIRN_BELOW || relation == CAIRN_AT_LEAST ? CAIRN_TREE_LT : CAIRN_TREE_LE;
        if (r->form != NO_FORM && r->form != form)
            CHECK(fail_at(r, b,
                          "the lines above cut by the other form; use <= and >, or < and "
                          ">=, throughout"));
        r->form = form;
        CHECK(put_link(r, node, relation == CAIRN_ABOVE || relation == CAIRN_AT_LEAST, b));
    }
    if (node->links[0] < 0 || node->links[1] < 0)
        CHECK(fail_at(r, &r->branches[d->first], "the other side of this cut is missing"));
    return CAIRN_OK;
}

static cairn_status ask(reader *r, draft *d)
{
    const plan_branch *first = &r->branches[d->first];
    for (int32_t at = first->next; at >= 0; at = r->branches[at].next)
        if (r->branches[at].condition.column != first->condition.column)
            CHECK(
                fail_at(r, &r->branches[at], "lines of the same indentation ask the same column"));
    d->node.column = (int32_t)first->condition.column;
    bool levels = first->condition.field->kind == CAIRN_LEVEL && !first->condition.field->ordered;
    if (levels && asks_for_sets(r, d))
        CHECK(ask_set(r, d, first));
    else if (levels)
        CHECK(ask_levels(r, d, first));
    else
        CHECK(ask_cut(r, d));
    r->missing_branch |= d->node.links[d->node.n_links - 1] >= 0;
    return CAIRN_OK;
}

/* -- the whole -- */

/* A file of a single word is a tree of one leaf; all else are lines of branches and heads of
 * parts, and no branch may end without an answer. */
static cairn_status read_lines(reader *r, const cairn_word *words)
{
    if (words[0].kind == CAIRN_WORD_END)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s: there is no tree in this file",
                          r->given->name);
    if (words[1].kind == CAIRN_WORD_LINE && words[2].kind == CAIRN_WORD_END) {
        int32_t leaf;
        return read_leaf(r, words, &leaf);
    }
    size_t last = words->at;
    while (words->kind != CAIRN_WORD_END) {
        last = words->at;
        if (!heads_part(words)) {
            CHECK(read_line(r, &words));
            continue;
        }
        if (r->n_branches) CHECK(check_answered(r, words->at));
        /* The line "@12:". A part stands below the line that names it, so that none can be in
         * itself. */
        CHECK(check_part(r, words->at));
        r->part = r->part_nodes[cairn_map_find(&r->parts, words->text, strlen(words->text))];
        if (r->part < 0)
            CHECK(cairn_given_fail(r->ctx, r->given, words->at, "no line above has the answer %s",
                                   words->text));
        r->n_open = 0;
        words += 3;
    }
    CHECK(check_part(r, last));
    return check_answered(r, r->branches[r->n_branches - 1].condition.at);
}

cairn_status cairn_plan_read(cairn_context *ctx, cairn_tree_plan *out, const cairn_given *given,
                             const cairn_job *job, cairn_tree_cut *form, bool *missing_branch)
{
    reader r = {.ctx = ctx, .given = given, .job = job, .form = NO_FORM, .part = -1};
    cairn_word *words = NULL;
    size_t n_lines = 1;
    cairn_status status;
    TRY(cairn_given_words(ctx, given, &words));
    for (const cairn_word *w = words; w->kind != CAIRN_WORD_END; w++)
        n_lines += w->kind == CAIRN_WORD_LINE;
    TRY(SCRATCH(ctx, &r.drafts, 2 * n_lines));
    TRY(SCRATCH_EACH(ctx, n_lines, &r.branches, &r.open));
    TRY(find_parts(&r, words));
    TRY(read_lines(&r, words));
    TRY(SCRATCH(ctx, &out->nodes, r.n_drafts));
    out->n = r.n_drafts;
    for (size_t i = 0; i < r.n_drafts; i++) {
        if (r.drafts[i].node.kind == CAIRN_PLAN_SPLIT) TRY(ask(&r, &r.drafts[i]));
        out->nodes[i] = r.drafts[i].node;
    }
    if (r.form != NO_FORM && (r.form == CAIRN_TREE_LT) != (*form == CAIRN_TREE_LT))
        *form = (cairn_tree_cut)r.form; /* a midpoint is written with <= as well */
    *missing_branch = r.missing_branch;
done:
    cairn_map_clear(&r.parts);
    return status;
}
