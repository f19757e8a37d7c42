/* SPDX-License-Identifier: MIT */
/* cairn draw item-lattice: sets of items in the order of inclusion, the smaller set higher, since
 * it is held by more transactions. The outline tells the support, the colour whether the set is
 * frequent, maximal or closed. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "plots/hasse.h"
#include "typed/transaction_data.h"

#include <stdio.h>
#include <string.h>

enum { SHOW_ALL, SHOW_FREQUENT, SHOW_CLOSED, SHOW_MAXIMAL };
enum { COLOUR_MAXIMAL, COLOUR_CLOSED, COLOUR_NONE };
enum { SHAPES_SUPPORT, SHAPES_BOX };

typedef struct item_params {
    double support;
    int show, colour, shapes, max_size, most;
    bool empty, counts;
    const char *present, *with;
    const cairn_params *transforms;
} item_params;

static const cairn_choice show_choices[] = {
    {"all", SHOW_ALL, "every set that occurs"},
    {"frequent", SHOW_FREQUENT, "those with the support"},
    {"closed", SHOW_CLOSED, "those that no larger set with the same support contains"},
    {"maximal", SHOW_MAXIMAL, "the frequent ones that no larger frequent set contains"},
    {NULL, 0, NULL}};

static const cairn_choice colour_choices[] = {
    {"maximal", COLOUR_MAXIMAL, "maximal, other frequent, rare"},
    {"closed", COLOUR_CLOSED, "closed or not, and rare ones"},
    {"none", COLOUR_NONE, "all alike"},
    {NULL, 0, NULL}};

static const cairn_choice shape_choices[] = {
    {"support", SHAPES_SUPPORT,
     "dotted oval 1, dashed oval 2, from 3 to 8 so many corners, oval above"},
    {"box", SHAPES_BOX, "boxes"},
    {NULL, 0, NULL}};

static const cairn_param item_table[] = {
    CAIRN_PARAM(item_params, support, "1", "(0,inf)", CAIRN_SUPPORT_HELP),
    CAIRN_PARAM_CHOICE(item_params, show, "all", show_choices, "which sets"),
    CAIRN_PARAM_CHOICE(item_params, colour, "maximal", colour_choices, "what colours show"),
    CAIRN_PARAM_CHOICE(item_params, shapes, "support", shape_choices, "what outlines show"),
    CAIRN_PARAM(item_params, max_size, "0", "[0,inf)", "most items of a set; 0 = no limit"),
    CAIRN_PARAM(item_params, present, NULL, NULL, CAIRN_PRESENT_HELP),
    CAIRN_ITEMS_WITH(item_params),
    CAIRN_PARAM(item_params, empty, "yes", NULL, "draw the empty set, too"),
    CAIRN_PARAM(item_params, counts, "yes", NULL, "write the support below the items"),
    CAIRN_PARAM(item_params, most, "300", "[1,1000]", "most sets to draw"),
    CAIRN_PARAM_END,
};

/* -- which sets -- */

static size_t set_size(const cairn_itemsets *s, size_t i)
{
    return s->starts[i + 1] - s->starts[i];
}

/* Whether the set a holds all of the set b; items ascend. */
static bool holds(const cairn_itemsets *s, size_t a, size_t b)
{
    size_t at = s->starts[a];
    for (size_t k = s->starts[b]; k < s->starts[b + 1]; k++) {
        while (at < s->starts[a + 1] && s->items[at] < s->items[k]) at++;
        if (at == s->starts[a + 1] || s->items[at] != s->items[k]) return false;
        at++;
    }
    return true;
}

static bool is_shown(const item_params *p, const cairn_itemsets *s, size_t i, uint8_t marks,
                     uint64_t support)
{
    if (!p->empty && set_size(s, i) == 0) return false;
    if (p->show == SHOW_CLOSED) return marks & CAIRN_SET_CLOSED;
    if (p->show == SHOW_MAXIMAL) return marks & CAIRN_SET_MAXIMAL;
    return p->show == SHOW_ALL || s->supports[i] >= support;
}

/* -- nodes -- */

static cairn_status node_text(cairn_context *ctx, const char **out, const cairn_transactions *t,
                              const cairn_itemsets *s, size_t i, bool counts)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char *copy;
    if (set_size(s, i) == 0) cairn_text_add(&text, "∅");
    for (size_t k = s->starts[i]; k < s->starts[i + 1]; k++)
        cairn_text_addf(&text, "%s%s", k > s->starts[i] ? "\n" : "",
                        cairn_map_key(&t->names, (size_t)s->items[k]));
    if (counts) cairn_text_addf(&text, "\n%llu", (unsigned long long)s->supports[i]);
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, cairn_text_string(&text), text.length);
    *out = copy;
    return CAIRN_OK;
}

static const char *const maximal_names[] = {"frequent", "", "maximal frequent"};
static const char *const closed_names[] = {"frequent, not closed", "", "closed and frequent"};

/* Sets that are not frequent are grey. */
static int32_t colour_of(const item_params *p, uint64_t support, uint64_t least, uint8_t marks)
{
    if (p->colour == COLOUR_NONE || support < least) return -1;
    return marks & (p->colour == COLOUR_CLOSED ? CAIRN_SET_CLOSED : CAIRN_SET_MAXIMAL) ? 2 : 0;
}

/* A line of the legend for every outline that occurs. */
static void add_outlines(cairn_figure *figure, const int *sides, size_t n)
{
    for (int k = 1; k <= 9; k++) {
        char label[64];
        bool used = false;
        for (size_t i = 0; i < n && !used; i++) used = sides[i] == k;
        if (!used) continue;
        snprintf(label, sizeof label, "held by %d%s", k,
                 k == 9   ? " or more"
                 : k == 1 ? " transaction"
                          : " transactions");
        cairn_figure_order_key(figure, label, &(cairn_order_look){.group = -1, .sides = k});
    }
}

/* Sets stand by size, the smallest at the top, and the number of sides of a node tells small
 * supports; sets that are not frequent may be shown and have no colour. */
static cairn_status draw_sets(cairn_context *ctx, cairn_figure **out, const cairn_transactions *t,
                              const cairn_itemsets *s, const uint8_t *marks, const size_t *shown,
                              size_t n, uint64_t support, const item_params *p, const char *title)
{
    const char **texts;
    bool *above;
    int32_t *groups;
    int *sides, *ranks;
    size_t largest = 0;
    bool shapes = false; /* outlines that differ */
    CHECK(SCRATCH(ctx, &texts, n));
    CHECK(SCRATCH(ctx, &above, cairn_product(n, n)));
    CHECK(SCRATCH_EACH(ctx, n, &groups, &sides, &ranks));
    for (size_t i = 0; i < n; i++)
        if (set_size(s, shown[i]) > largest) largest = set_size(s, shown[i]);
    for (size_t i = 0; i < n; i++) {
        uint64_t held = s->supports[shown[i]];
        CHECK(node_text(ctx, &texts[i], t, s, shown[i], p->counts));
        groups[i] = colour_of(p, held, support, marks[shown[i]]);
        sides[i] = held < 9 ? (int)held : 9;
        shapes = shapes || (held < 9 && p->shapes == SHAPES_SUPPORT);
        ranks[i] = (int)(largest - set_size(s, shown[i]));
        for (size_t k = 0; k < n; k++)
            above[i * n + k] =
                set_size(s, shown[k]) > set_size(s, shown[i]) && holds(s, shown[k], shown[i]);
    }
    cairn_hasse order = {.n = n,
                         .texts = texts,
                         .above = above,
                         .groups = groups,
                         .group_names = p->colour == COLOUR_CLOSED ? closed_names : maximal_names,
                         .n_groups = p->colour == COLOUR_NONE ? 0 : 3,
                         .none_is = p->colour == COLOUR_NONE ? NULL : "not frequent",
                         .sides = shapes ? sides : NULL,
                         .ranks = ranks};
    CHECK(cairn_hasse_figure(ctx, out, &order, "item-lattice", title));
    if (shapes) add_outlines(*out, sides, n);
    return CAIRN_OK;
}

enum { MOST_ITEMS = 12 }; /* all of whose sets are looked at */

/* The sets to choose from, with their marks; all that occur, or those with the support. */
static cairn_status find_sets(cairn_context *ctx, cairn_itemsets *sets, uint8_t **marks,
                              const cairn_transactions *t, uint64_t support, const item_params *p)
{
    bool all = p->show == SHOW_ALL;
    cairn_mine_options options = {
        .support = all ? 1 : support, .most = (size_t)p->max_size, .empty = true, .marks = !all};
    if (all && t->n_items > MOST_ITEMS)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%zu items have too many sets to draw them all; take {show frequent}, "
                         "closed or maximal with a high {support}, or keep up to %d items with "
                         "{features}",
                         t->n_items, MOST_ITEMS));
    CHECK(cairn_mine(ctx, sets, t, &options));
    if (all) {
        /* Closed among all sets, maximal among those with the support: what supersets say. */
        CHECK(SCRATCH(ctx, marks, sets->n));
        for (size_t i = 0; i < sets->n; i++) {
            bool closed = true, maximal = sets->supports[i] >= support;
            for (size_t k = 0; k < sets->n && (closed || maximal); k++) {
                if (set_size(sets, k) <= set_size(sets, i) || !holds(sets, k, i)) continue;
                if (sets->supports[k] == sets->supports[i]) closed = false;
                if (sets->supports[k] >= support) maximal = false;
            }
            (*marks)[i] =
                (uint8_t)((closed ? CAIRN_SET_CLOSED : 0) | (maximal ? CAIRN_SET_MAXIMAL : 0));
        }
    } else
        *marks = sets->marks;
    return CAIRN_OK;
}

/* What is shown is decided before the number of nodes is checked, because a lattice of all sets is
 * rarely readable and options thin it out. */
static cairn_status item_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const item_params *p = job->params;
    SCOPED(cairn_transactions_clear) cairn_transactions t = {0};
    SCOPED(cairn_itemsets_clear) cairn_itemsets sets = {0};
    uint64_t support;
    uint8_t *marks;
    size_t *shown, n = 0;
    char title[160], number[CAIRN_NUMBER_SIZE];
    CHECK(cairn_read_present(ctx, &t, job->table, p->present, p->transforms));
    CHECK(cairn_support_count(ctx, &support, p->support, t.total));
    CHECK(find_sets(ctx, &sets, &marks, &t, support, p));
    CHECK(SCRATCH(ctx, &shown, sets.n));
    for (size_t i = 0; i < sets.n; i++)
        if (is_shown(p, &sets, i, marks[i], support)) shown[n++] = i;
    if (n > (size_t)p->most) {
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%zu item sets are too many to draw; at most %d are. Raise {support} with "
            "{show frequent}, take {show closed} or {show maximal}, limit them with "
            "{max-size}, or raise {most}",
            n, p->most);
    }
    if (!n) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "no item set is left to draw"));
    cairn_number_format(number, (double)t.total, CAIRN_SHORTEST);
    snprintf(title, sizeof title, "Item sets of %s transactions, support from %llu", number,
             (unsigned long long)support);
    CHECK(draw_sets(ctx, out, &t, &sets, marks, shown, n, support, p, title));
    return cairn_picture_warn_wide(
        ctx, *out, cairn_say(ctx, "a larger {support}, {show closed} or {max-size}"));
}

const cairn_calculator cairn_picture_item_lattice = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "item-lattice",
         .also = "itemset lattice, subset lattice with supports",
         .title = "Lattice of item sets",
         .summary =
             "A Hasse diagram of the item sets of a table, a bag or a basket file: the "
             "smaller set stands higher, since more transactions hold it. The outline "
             "shows by how many corners how many transactions hold a set (a dotted oval for "
             "one, a dashed one for two), colours show frequent, maximal or closed sets. All "
             "sets that occur are drawn, or the frequent, closed or maximal ones; what is too "
             "large to draw is refused with its size.",
         .references = "Pasquier, Bastide, Taouil, Lakhal: Discovering frequent closed "
                       "itemsets for association rules, 1999",
         .example = "cairn draw item-lattice @baskets --support 3 --out baskets.svg",
         .params = item_table,
         .params_size = sizeof(item_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .baskets = true,
    .draw = item_draw,
};
