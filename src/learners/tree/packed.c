/* SPDX-License-Identifier: MIT */
/* Packing trees: see packed.h. */
#include "learners/tree/packed.h"
#include "base/memory.h"
#include "learners/tree/tree_lower.h"

/* -- making -- */

typedef struct making {
    cairn_context *ctx;
    const cairn_packed_source *from;
    cairn_packed *q;
    cairn_packed_node *nodes;
    size_t n_nodes, most_nodes;
    size_t n_ways, ways_capacity;
    bool fails; /* it has no such form */
} making;

/* Which node of the operation goes to which place. */
typedef struct pending {
    int32_t node;
    uint32_t place, tree, depth;
} pending;

static const int32_t *node_at(const making *m, int32_t node)
{
    return m->from->nodes + 4 * (size_t)node;
}

/* The input that a node asks for, as `test` holds it. */
static uint32_t input_of(const making *m, int32_t node)
{
    return (uint32_t)(m->from->in[node_at(m, node)[0]] - m->q->base) << PACKED_TEST_BITS;
}

static int32_t branches_of(const making *m, int32_t node)
{
    const int32_t *n = node_at(m, node);
    return n[1] == CAIRN_LOWER_LEVELS ? (int32_t)m->from->cuts[node] : 2;
}

/* Where a row goes that finds no child: the link of missing cells or the usual one; -1 = open. */
static int32_t other_child(const making *m, int32_t node)
{
    const int32_t *starts = m->from->surrogate_starts, *usual = m->from->usual;
    if (starts && starts[node + 1] > starts[node]) return -1;
    if (!usual || usual[node] < 0) return -1;
    return m->from->links[node_at(m, node)[2] + usual[node]];
}

static int32_t missing_child(const making *m, int32_t node)
{
    int32_t child = m->from->links[node_at(m, node)[2] + branches_of(m, node)];
    return child >= 0 ? child : other_child(m, node);
}

/* The cut as "at most": below a number is at most the one before it. */
static double cut_of(const making *m, int32_t node)
{
    double cut = m->from->cuts[node];
    return node_at(m, node)[1] == CAIRN_LOWER_BELOW ? nextafter(cut, -INFINITY) : cut;
}

/* So many places side by side; more than there are links are a sign of trees that share nodes. */
static uint32_t take_places(making *m, size_t n)
{
    uint32_t first = (uint32_t)m->n_nodes;
    if (m->n_nodes + n > m->most_nodes) m->fails = true;
    if (!m->fails) m->n_nodes += n;
    return first;
}

static cairn_status take_ways(making *m, size_t n, uint32_t **out, uint32_t *first)
{
    CHECK(GROW(m->ctx, &m->q->ways, &m->ways_capacity, m->n_ways + n));
    *first = (uint32_t)m->n_ways;
    *out = m->q->ways + m->n_ways;
    m->n_ways += n;
    return CAIRN_OK;
}

/* A cut whose missing cells go to one of its two children, or leave the way open. */
static bool is_plain_cut(const making *m, int32_t node)
{
    const int32_t *n = node_at(m, node), *links = m->from->links + n[2];
    int32_t missing = missing_child(m, node);
    return n[1] <= CAIRN_LOWER_BELOW && links[0] >= 0 && links[1] >= 0 &&
           (missing < 0 || missing == links[0] || missing == links[1]);
}

/* Children of a node get places: one for each branch that is there, and one for missing cells
 * where that is none of them. Returns how many were put on the stack. */
static size_t place_children(making *m, const pending *at, pending *stack, uint32_t *ways,
                             uint32_t *missing)
{
    const int32_t *links = m->from->links + node_at(m, at->node)[2];
    int32_t n = branches_of(m, at->node), other = missing_child(m, at->node);
    int32_t instead = other_child(m, at->node);
    size_t pushed = 0;
    *missing = PACKED_OPEN;
    for (int32_t b = 0; b <= n; b++) {
        int32_t child = b < n ? links[b] : other;
        uint32_t place = PACKED_OPEN;
        for (int32_t before = 0; before < b && b == n && place == PACKED_OPEN; before++)
            if (links[before] == child && child >= 0) place = ways[before];
        if (child >= 0 && place == PACKED_OPEN) {
            place = take_places(m, 1);
            if (m->fails) return 0;
            stack[pushed++] = (pending){child, place, at->tree, at->depth + 1};
        }
        if (b < n)
            ways[b] = place;
        else
            *missing = place;
    }
    uint32_t way = PACKED_OPEN; /* of a branch that has no child: as if the cell told nothing */
    for (int32_t b = 0; b < n && instead >= 0 && way == PACKED_OPEN; b++)
        if (links[b] == instead) way = ways[b];
    for (int32_t b = 0; b < n; b++)
        if (ways[b] == PACKED_OPEN) ways[b] = way;
    return pushed;
}

/* A branch per level, or sets of levels: the child of every level, then that of missing cells. */
static cairn_status put_table(making *m, const pending *at, const uint32_t *children,
                              uint32_t missing)
{
    const int32_t *node = node_at(m, at->node);
    bool set = node[1] == CAIRN_LOWER_SET;
    double with = m->from->cuts[at->node];
    const int32_t *sides = set ? m->from->sets + (size_t)with : NULL;
    uint32_t n = set ? (uint32_t)sides[0] : (uint32_t)with, *ways, first;
    CHECK(take_ways(m, (size_t)n + 1, &ways, &first));
    for (uint32_t l = 0; l < n; l++) {
        int32_t side = set ? sides[1 + l] - 1 : (int32_t)l;
        ways[l] = side < 0 ? missing : children[side];
    }
    ways[n] = missing;
    m->nodes[at->place] = (cairn_packed_node){
        .cut = n, .child = first, .test = input_of(m, at->node) | PACKED_BY_TABLE};
    return CAIRN_OK;
}

/* The two children of a plain cut lie side by side. */
static size_t put_cut(making *m, const pending *at, pending *stack)
{
    const int32_t *node = node_at(m, at->node);
    const int32_t *links = m->from->links + node[2];
    int32_t missing = missing_child(m, at->node);
    uint32_t first = take_places(m, 2), test = input_of(m, at->node);
    size_t input = test >> PACKED_TEST_BITS;
    if (m->fails) return 0;
    m->q->open |= missing < 0;
    if (input < m->q->first) m->q->first = input;
    if (input >= m->q->end) m->q->end = input + 1;
    m->nodes[at->place] = (cairn_packed_node){
        .cut = cut_of(m, at->node),
        .child = first,
        .test = test | (missing == links[1] ? PACKED_CUT : PACKED_CUT | PACKED_MISSING_LEFT)};
    stack[0] = (pending){links[1], first + 1, at->tree, at->depth + 1};
    stack[1] = (pending){links[0], first, at->tree, at->depth + 1};
    return 2;
}

/* One node, whose children are put on the stack. Returns how many in *pushed. */
static cairn_status put_node(making *m, const pending *at, pending *stack, uint32_t *children,
                             size_t *pushed)
{
    const int32_t *node = node_at(m, at->node);
    uint32_t missing;
    *pushed = 0;
    if (node[0] < 0) {
        /* A leaf leads to itself. */
        cairn_packed_node *to = &m->nodes[at->place];
        int32_t row = node_at(m, at->node)[3];
        *to = (cairn_packed_node){.leaf = (uint64_t)row, .child = at->place};
        if (m->from->in_turn)
            to->value = m->from->values[row];
        else if (m->q->leaves == PACKED_LEAF_ONE)
            to->value = m->from->values[(size_t)row * m->q->width + m->q->outputs[at->tree]];
        if (m->q->leaves == PACKED_LEAF_VOTE) to->leaf = (uint64_t)m->from->labels[row];
        if (m->q->single && m->q->labels) to->leaf |= (uint64_t)(uint32_t)m->q->labels[row] << 32;
        if (at->depth > m->q->depths[at->tree]) m->q->depths[at->tree] = at->depth;
        return CAIRN_OK;
    }
    if (is_plain_cut(m, at->node)) {
        *pushed = put_cut(m, at, stack);
        return CAIRN_OK;
    }
    m->q->only_cuts = false;
    m->q->uneven[at->tree] = 1;
    *pushed = place_children(m, at, stack, children, &missing);
    if (m->fails) return CAIRN_OK;
    if (node[1] == CAIRN_LOWER_LEVELS || node[1] == CAIRN_LOWER_SET)
        return put_table(m, at, children, missing);
    /* A cut or a level with a way of its own for missing cells. */
    uint32_t *ways, first;
    CHECK(take_ways(m, 3, &ways, &first));
    ways[0] = children[0];
    ways[1] = children[1];
    ways[2] = missing;
    m->nodes[at->place] = (cairn_packed_node){
        .cut = cut_of(m, at->node),
        .child = first,
        .test = input_of(m, at->node) |
                (node[1] == CAIRN_LOWER_LEVEL ? PACKED_BY_LEVEL : PACKED_BY_CUT)};
    return CAIRN_OK;
}

/* The most children that a node has, for the room of a stack. */
static size_t most_branches(const making *m)
{
    size_t most = 2;
    for (size_t i = 0; i < m->from->n_nodes; i++)
        if (node_at(m, (int32_t)i)[0] >= 0 && (size_t)branches_of(m, (int32_t)i) > most)
            most = (size_t)branches_of(m, (int32_t)i);
    return most + 1;
}

/* All trees, each from its root down, the left child first. */
static cairn_status put_trees(making *m)
{
    size_t n = 0, capacity = 0, wide = most_branches(m), pushed;
    OWNED(cairn_free) pending *stack = NULL;
    OWNED(cairn_free) uint32_t *children = NULL;
    CHECK(NEW(m->ctx, &children, wide));
    for (size_t t = 0; t < m->q->n_trees && !m->fails; t++) {
        CHECK(GROW(m->ctx, &stack, &capacity, n + 1));
        m->q->roots[t] = take_places(m, 1);
        stack[n++] = (pending){m->from->roots[t], m->q->roots[t], (uint32_t)t, 0};
        while (n > 0 && !m->fails) {
            CHECK(GROW(m->ctx, &stack, &capacity, n + wide));
            pending at = stack[--n];
            CHECK(put_node(m, &at, stack + n, children, &pushed));
            n += pushed;
        }
        uint32_t *deepest = &m->q->deepest[t / PACKED_LANES];
        if (m->q->depths[t] > *deepest) *deepest = m->q->depths[t];
    }
    return CAIRN_OK;
}

/* -- two steps at once -- */

static cairn_packed_pair leaf_pair(const cairn_packed_node *leaf, uint32_t place)
{
    return (cairn_packed_pair){.cuts = {NAN, NAN}, .leaf = leaf->leaf, .child = place};
}

/* The pair of the node `at`, whose four grandchildren get the places from `child` on and are put on
 * the stack, the last first. A child that is a leaf stands for its own children. */
static void put_pair(making *m, const pending *at, uint32_t child, pending *stack)
{
    const cairn_packed_node *top = &m->nodes[at->node];
    cairn_packed_pair *to = &m->q->pairs[at->place];
    *to = (cairn_packed_pair){.cuts = {top->cut, NAN}, .third = NAN, .child = child};
    to->inputs[0] = top->test >> PACKED_TEST_BITS;
    for (uint32_t side = 0; side < 2; side++) {
        const cairn_packed_node *below = &m->nodes[top->child + side];
        *(side ? &to->third : &to->cuts[1]) = below->test ? below->cut : NAN;
        to->inputs[1 + side] = below->test >> PACKED_TEST_BITS;
        for (uint32_t i = 0; i < 2; i++)
            stack[3 - (2 * side + i)] =
                (pending){.node = (int32_t)(below->test ? below->child + i : top->child + side),
                          .place = child + 2 * side + i};
    }
}

/* The pairs of a single tree that only cuts, from its root down. */
static cairn_status put_pairs(making *m)
{
    size_t n = 0, n_pairs = 1, capacity = 0, buffer = 0;
    OWNED(cairn_free) pending *stack = NULL;
    if (!m->q->single || !m->q->only_cuts || m->n_nodes > INT32_MAX / 4) return CAIRN_OK;
    CHECK(GROW(m->ctx, &stack, &capacity, 1));
    stack[n++] = (pending){.node = (int32_t)m->q->roots[0]};
    while (n > 0) {
        pending at = stack[--n];
        CHECK(GROW(m->ctx, &m->q->pairs, &buffer, n_pairs + 4));
        if (!m->nodes[at.node].test) {
            m->q->pairs[at.place] = leaf_pair(&m->nodes[at.node], at.place);
            continue;
        }
        CHECK(GROW(m->ctx, &stack, &capacity, n + 4));
        put_pair(m, &at, (uint32_t)n_pairs, stack + n);
        n_pairs += 4;
        n += 4;
    }
    return CAIRN_OK;
}

/* -- leaves -- */

/* The only output that a row of values adds to: width = none, width + 1 = there are several. */
static size_t only_output(const making *m, int32_t row, size_t known)
{
    size_t width = m->q->width;
    const double *values = m->from->values + (size_t)row * width;
    for (size_t k = 0; k < width; k++) {
        if (values[k] == 0 || k == known) continue;
        known = known == width ? k : width + 1;
    }
    return known;
}

/* The only output that the leaves below a node add to; a tree whose nodes are shared has none. */
static cairn_status output_below(making *m, int32_t root, pending **stack, size_t *capacity,
                                 size_t *out)
{
    const int32_t *links = m->from->links;
    size_t n = 0, visits = 0, width = m->q->width;
    CHECK(GROW(m->ctx, stack, capacity, 1));
    (*stack)[n++].node = root;
    for (*out = width; n > 0 && *out <= width;) {
        int32_t at = (*stack)[--n].node;
        const int32_t *node = node_at(m, at);
        if (node[0] < 0) {
            *out = only_output(m, node[3], *out);
            continue;
        }
        if (++visits > 4 * m->from->n_nodes) *out = width + 1;
        CHECK(GROW(m->ctx, stack, capacity, n + (size_t)branches_of(m, at) + 1));
        for (int32_t b = 0; b <= branches_of(m, at); b++)
            if (links[node[2] + b] >= 0) (*stack)[n++].node = links[node[2] + b];
    }
    return CAIRN_OK;
}

/* Whether the leaves of every tree add to one output of it alone, as in boosting. */
static cairn_status find_outputs(making *m, bool *out)
{
    OWNED(cairn_free) pending *stack = NULL;
    size_t capacity = 0, only, width = m->q->width;
    *out = true;
    for (size_t t = 0; t < m->q->n_trees && *out; t++) {
        CHECK(output_below(m, m->from->roots[t], &stack, &capacity, &only));
        *out = only <= width;
        m->q->outputs[t] = (uint32_t)(only < width ? only : 0);
    }
    return CAIRN_OK;
}

static cairn_status choose_leaves(making *m)
{
    const cairn_packed_source *from = m->from;
    bool one;
    m->q->leaves = PACKED_LEAF_ROW;
    if (from->votes) {
        m->q->leaves = PACKED_LEAF_VOTE;
        for (size_t i = 0; i < from->n_labels; i++)
            m->fails |= from->labels[i] < 0 || (size_t)from->labels[i] >= m->q->width;
        return CAIRN_OK;
    }
    if (from->in_turn) {
        m->q->leaves = PACKED_LEAF_ONE;
        for (size_t t = 0; t < from->n_trees; t++) m->q->outputs[t] = (uint32_t)(t % from->width);
        return CAIRN_OK;
    }
    if (m->q->n_trees < 2 && !m->q->start) return CAIRN_OK;
    CHECK(find_outputs(m, &one));
    if (one) m->q->leaves = PACKED_LEAF_ONE;
    return CAIRN_OK;
}

/* -- the whole -- */

/* The first slot among the inputs, and how many there are from there to the last. */
static size_t span_inputs(making *m)
{
    const cairn_packed_source *from = m->from;
    int32_t first = INT32_MAX, last = 0;
    for (size_t i = 0; i < from->n_in; i++) {
        if (from->in[i] < 0) continue;
        first = from->in[i] < first ? from->in[i] : first;
        last = from->in[i] > last ? from->in[i] : last;
    }
    m->q->base = first < last ? first : last;
    return (size_t)(last - m->q->base) + 1;
}

/* `fails` says that packed nodes cannot hold the trees, for which another way is then needed. */
static cairn_status make_trees(making *m)
{
    const cairn_packed_source *from = m->from;
    size_t n_inner = 0, n_trees = from->n_trees;
    for (size_t i = 0; i < from->n_nodes; i++) {
        const int32_t *node = node_at(m, (int32_t)i);
        n_inner += node[0] >= 0;
        m->fails |= node[0] >= 0 && node[1] == CAIRN_LOWER_BELOW && from->cuts[i] == -INFINITY;
    }
    m->most_nodes = n_trees + from->n_links;
    m->fails |= span_inputs(m) >> (32 - PACKED_TEST_BITS) || m->most_nodes >= PACKED_OPEN ||
                (n_inner == 0 && m->q->single);
    if (m->fails) return CAIRN_OK;
    CHECK(NEW_EACH(m->ctx, n_trees, &m->q->roots, &m->q->depths, &m->q->outputs, &m->q->uneven));
    CHECK(NEW(m->ctx, &m->q->deepest, n_trees / PACKED_LANES + 1));
    CHECK(NEW_RAW(m->ctx, &m->nodes, m->most_nodes));
    m->q->nodes = m->nodes;
    CHECK(choose_leaves(m));
    if (!m->fails) CHECK(put_trees(m));
    if (m->fails) return CAIRN_OK;
    if (m->q->first > m->q->end) m->q->first = m->q->end;
    CHECK(put_pairs(m));
    m->q->n_nodes = m->n_nodes;
    return RESIZE(m->ctx, &m->q->nodes, m->n_nodes);
}

void cairn_packed_free(cairn_packed *q)
{
    if (!q) return;
    FREE_EACH(q->nodes, q->pairs, q->roots, q->depths, q->deepest, q->outputs, q->uneven, q->ways,
              q);
}

cairn_status cairn_packed_make(cairn_context *ctx, cairn_packed **out,
                               const cairn_packed_source *from)
{
    OWNED(cairn_packed_free) cairn_packed *q = NULL;
    *out = NULL;
    CHECK(NEW(ctx, &q, 1));
    *q = (cairn_packed){.n_trees = from->n_trees,
                        .width = from->width,
                        .only_cuts = true,
                        .single = from->single,
                        .first = SIZE_MAX,
                        .values = from->values,
                        .labels = from->labels,
                        .start = from->start};
    making m = {.ctx = ctx, .from = from, .q = q};
    CHECK(make_trees(&m));
    if (!m.fails) *out = TAKE(q);
    return CAIRN_OK;
}

/* -- asking -- */

bool cairn_packed_sum(const cairn_packed *q, const cairn_packed_rows *rows, double *sums,
                      size_t step, size_t output_step)
{
    uint32_t at[PACKED_LANES];
    for (size_t r = 0; r < rows->n; r++)
        for (size_t k = 0; k < q->width; k++)
            sums[r * step + k * output_step] = q->start ? q->start[k] : 0;
    for (size_t t = 0; t < q->n_trees; t++)
        for (size_t r = 0, n; r < rows->n; r += n) {
            n = rows->n - r < PACKED_LANES ? rows->n - r : PACKED_LANES;
            bool found = rows->complete ? packed_leaves_of(q, t, rows, r, n, true, at)
                                        : packed_leaves_of(q, t, rows, r, n, false, at);
            if (!found) return false;
            for (size_t l = 0; l < n; l++)
                packed_add_leaf(q, t, at[l], sums + (r + l) * step, output_step);
        }
    return true;
}
