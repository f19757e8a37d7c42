/* SPDX-License-Identifier: MIT */
/* Surrogate splits.
 *
 * The rows of a node whose cell is known go left or right. Of every other column the test is sought
 * that sends most of them the same way: for numbers every cut is tried in both directions, of
 * levels each takes the side that most of its rows take. A test counts when it sends more rows
 * correctly than sending all of them to the heavier branch would; the best ones are kept in order,
 * of equals the first column. Rows in which both cells are known are compared; a column that is
 * often missing itself so gets fewer rows right.
 *
 * Cost: that of a further search of all columns per node. */
#include "learners/tree/grow/surrogate.h"
#include <string.h>

cairn_status cairn_surrogates_make(cairn_context *ctx, cairn_surrogates *out,
                                   const cairn_binned *data, size_t most)
{
    size_t codes = 1;
    for (size_t c = 0; c < data->n_columns; c++)
        if (!data->columns[c].is_number && data->columns[c].n_codes > codes)
            codes = data->columns[c].n_codes;
    *out = (cairn_surrogates){.most = most};
    CHECK(SCRATCH(ctx, &out->found, most + 1));
    for (size_t i = 0; i <= most; i++) CHECK(SCRATCH(ctx, &out->found[i].sides, codes));
    return SCRATCH(ctx, &out->levels, 2 * codes);
}

/* Put a candidate, which is the entry behind the last one, where it belongs. */
static void keep(cairn_surrogates *s, double least)
{
    cairn_surrogate_test fresh = s->found[s->n];
    size_t at = s->n;
    if (!(fresh.right > least)) return;
    for (; at > 0 && fresh.right > s->found[at - 1].right + CAIRN_TREE_TIE; at--)
        s->found[at] = s->found[at - 1]; /* every entry has memory for a set, also the last one */
    s->found[at] = fresh;
    if (s->n < s->most) s->n++;
}

/* Rows that a test must send correctly to be kept. */
static double wanted(const cairn_surrogates *s, double least)
{
    double last = s->n == s->most ? s->found[s->n - 1].right : 0;
    return last > least ? last : least;
}

/* Entries that both columns know as keys, all others as code n_codes; their weights by branch. */
static void gather(const cairn_binned *data, const cairn_node_rows *node, size_t c,
                   const int32_t *branch, cairn_split_space *space, double weights[2])
{
    uint32_t n_codes = data->columns[c].n_codes;
    cairn_node_gather(data, c, node, space->keys);
    weights[0] = weights[1] = 0;
    for (size_t i = 0; i < node->n; i++) {
        if (branch[i] < 0) space->keys[i] = n_codes;
        if (space->keys[i] < n_codes) weights[branch[i]] += cairn_entry_weight(data, node, i);
    }
}

/* The cut that sends most rows the way the split sent them, in either direction; a column too
 * often missing to be kept is left before the sorting. */
static void try_cuts(cairn_surrogates *s, const cairn_binned *data, const cairn_node_rows *node,
                     size_t c, const int32_t *branch, cairn_split_space *space, double least)
{
    uint32_t n_codes = data->columns[c].n_codes;
    cairn_surrogate_test *out = &s->found[s->n];
    double weights[2], below[2] = {0, 0};
    gather(data, node, c, branch, space, weights);
    if (!(weights[0] + weights[1] > wanted(s, least))) return; /* even if it sent all of them so */
    cairn_split_sort(space, node->n);
    *out =
        (cairn_surrogate_test){.column = (int32_t)c, .test = CAIRN_TEST_CUT, .sides = out->sides};
    for (size_t i = 0; i + 1 < node->n; i++) {
        uint32_t at = (uint32_t)space->pairs[i], code = (uint32_t)(space->pairs[i] >> 32);
        uint32_t next = (uint32_t)(space->pairs[i + 1] >> 32);
        if (next == n_codes) break;
        below[branch[at]] += cairn_entry_weight(data, node, at);
        if (next == code) continue;
        double straight = below[0] + weights[1] - below[1];
        double crossed = weights[0] + weights[1] - straight;
        double right = crossed > straight + CAIRN_TREE_TIE ? crossed : straight;
        if (!(right > out->right + CAIRN_TREE_TIE)) continue;
        out->right = right;
        out->flipped = right == crossed && crossed != straight;
        out->code = code;
        out->next = next;
    }
    out->agreement = out->right / (weights[0] + weights[1]);
    keep(s, least);
}

/* Each level takes the side of most of its rows, a level with equally many the heavier side of
 * the node; 0 marks a level that did not occur and cannot stand in. */
static void try_levels(cairn_surrogates *s, const cairn_binned *data, const cairn_node_rows *node,
                       size_t c, const int32_t *branch, cairn_split_space *space, double least)
{
    uint32_t n_codes = data->columns[c].n_codes;
    cairn_surrogate_test *out = &s->found[s->n];
    double weights[2];
    gather(data, node, c, branch, space, weights);
    *out =
        (cairn_surrogate_test){.column = (int32_t)c, .test = CAIRN_TEST_SET, .sides = out->sides};
    memset(s->levels, 0, 2 * (size_t)n_codes * sizeof *s->levels);
    for (size_t i = 0; i < node->n; i++)
        if (space->keys[i] < n_codes)
            s->levels[2 * space->keys[i] + (uint32_t)branch[i]] +=
                cairn_entry_weight(data, node, i);
    for (size_t v = 0; v < n_codes; v++) {
        double left = s->levels[2 * v], right = s->levels[2 * v + 1];
        bool to_right = right > left || (right == left && weights[1] > weights[0]);
        out->sides[v] = left + right > 0 ? (uint8_t)(1 + to_right) : 0;
        out->right += to_right ? right : left;
    }
    out->agreement = out->right / (weights[0] + weights[1]);
    keep(s, least);
}

void cairn_surrogates_find(cairn_surrogates *s, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node,
                           int32_t column, const int32_t *branch, cairn_split_space *space)
{
    double weights[2] = {0, 0};
    s->n = 0;
    if (s->most == 0) return;
    for (size_t i = 0; i < node->n; i++)
        if (branch[i] >= 0) weights[branch[i]] += cairn_entry_weight(data, node, i);
    double least = weights[0] > weights[1] ? weights[0] : weights[1];
    least += CAIRN_TREE_TIE * least;
    for (size_t c = 0; c < data->n_columns; c++) {
        if ((int32_t)c == column || (options->barred && options->barred[c])) continue;
        if (data->columns[c].is_number)
            try_cuts(s, data, node, c, branch, space, least);
        else
            try_levels(s, data, node, c, branch, space, least);
    }
}

void cairn_surrogates_send(const cairn_surrogates *s, const cairn_binned *data,
                           const cairn_node_rows *node, int32_t *branch, int32_t usual,
                           cairn_split_space *space)
{
    for (size_t j = 0; j < s->n; j++) {
        const cairn_surrogate_test *t = &s->found[j];
        uint32_t n_codes = data->columns[t->column].n_codes;
        cairn_binned_gather(data, (size_t)t->column, node->rows, node->n, space->keys);
        for (size_t i = 0; i < node->n; i++) {
            uint32_t code = space->keys[i];
            if (branch[i] >= 0 || code >= n_codes) continue;
            if (t->test == CAIRN_TEST_CUT)
                branch[i] = (code >= t->next) ^ t->flipped;
            else if (t->sides[code])
                branch[i] = t->sides[code] == 2;
        }
    }
    for (size_t i = 0; i < node->n; i++)
        if (branch[i] < 0) branch[i] = usual;
}

cairn_status cairn_surrogates_store(cairn_context *ctx, const cairn_surrogates *s,
                                    cairn_tree_model *tree, cairn_tree_node *node,
                                    const cairn_binned *data, cairn_tree_cut form)
{
    CHECK(GROW(ctx, &tree->surrogates, &tree->surrogates_capacity, tree->n_surrogates + s->n));
    node->surrogates = (uint32_t)tree->n_surrogates;
    node->n_surrogates = (uint8_t)s->n;
    for (size_t i = 0; i < s->n; i++) {
        const cairn_surrogate_test *t = &s->found[i];
        const cairn_binned_column *column = &data->columns[t->column];
        cairn_surrogate *out = &tree->surrogates[tree->n_surrogates];
        *out = (cairn_surrogate){
            .column = t->column, .test = t->test, .flipped = t->flipped, .agreement = t->agreement};
        if (t->test == CAIRN_TEST_CUT) {
            out->cut = cairn_cut_between(column, t->code, t->next, form);
        } else {
            out->n_levels = column->n_codes;
            CHECK(cairn_tree_add_set(ctx, tree, t->sides, column->n_codes, &out->level));
        }
        tree->n_surrogates++;
    }
    return CAIRN_OK;
}
