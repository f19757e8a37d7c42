/* SPDX-License-Identifier: MIT */
/* Item sets that occur together: transactions, frequent sets, rules between them.
 *
 * The support of a set is the weight of the transactions that hold all its items. Every engine
 * visits the same search tree: items in the order of rising support (of equal ones the first name
 * first), a set is extended by later items only. So every set is met once, all engines find the
 * same sets in the same order, and they differ in how supports are counted. */
#ifndef CAIRN_ITEMS_ITEMS_H
#define CAIRN_ITEMS_ITEMS_H

#include "base/memory.h"
#include "base/text.h"
#include "data/view.h"
#include "report/table_rows.h"

/* -- transactions -- */

typedef struct cairn_transactions {
    size_t n, n_items;
    size_t *starts;   /* n + 1 */
    int32_t *items;   /* ascending within a transaction */
    uint32_t *counts; /* n: how often each transaction stands in the data; NULL = once */
    uint64_t total;   /* of all counts */
    uint32_t *rows;   /* n: table row */
    cairn_map names;  /* n_items */
} cairn_transactions;

/* From a view: the items of its bag columns; of number columns that hold 0 and 1 the names of those
 * that are 1; of level columns "column=level". A missing cell has no item. Weights must be whole
 * numbers. Free it with cairn_transactions_clear, also after a failure. */
CAIRN_CHECKED cairn_status cairn_transactions_make(cairn_context *ctx, cairn_transactions *out,
                                                   const cairn_view *view);
/* The same, but where `present` is given a level column is one item, named like the column, of the
 * rows whose cell is that level: tables of yes and no. */
CAIRN_CHECKED cairn_status cairn_transactions_present(cairn_context *ctx, cairn_transactions *out,
                                                      const cairn_view *view, const char *present);
void cairn_transactions_clear(cairn_transactions *t);

/* -- item sets -- */

typedef enum cairn_miner {
    CAIRN_MINE_AUTO,
    CAIRN_MINE_APRIORI,
    CAIRN_MINE_BREADTH,
    CAIRN_MINE_ECLAT,
    CAIRN_MINE_FP_GROWTH,
    CAIRN_MINE_LISTS
} cairn_miner;

enum { CAIRN_SET_CLOSED = 1, CAIRN_SET_MAXIMAL = 2 };

/* Sets one after the other; the items of a set ascend. */
typedef struct cairn_itemsets {
    size_t n;
    size_t *starts;     /* n + 1 */
    int32_t *items;     /* item numbers of the transactions */
    uint64_t *supports; /* n */
    uint8_t *marks;     /* n: CAIRN_SET_CLOSED | CAIRN_SET_MAXIMAL; NULL = not found out */
    cairn_miner miner;  /* the engine that found them */
} cairn_itemsets;

typedef struct cairn_mine_options {
    cairn_miner miner;
    uint64_t support;    /* least, at least 1 */
    size_t most;         /* items of a set; 0 = no limit */
    bool empty;          /* the empty set as well */
    bool marks;          /* which sets are closed and maximal */
    bool force;          /* go on however many sets there are */
    cairn_report *steps; /* NULL = no steps */
} cairn_mine_options;

/* All sets with at least the support, the same for every miner; free them with
 * cairn_itemsets_clear. */
CAIRN_CHECKED cairn_status cairn_mine(cairn_context *ctx, cairn_itemsets *out,
                                      const cairn_transactions *t,
                                      const cairn_mine_options *options);
/* About how many sets there are, without finding them. */
CAIRN_CHECKED cairn_status cairn_mine_estimate(cairn_context *ctx, double *out,
                                               const cairn_transactions *t,
                                               const cairn_mine_options *options);
void cairn_itemsets_clear(cairn_itemsets *sets);
/* Keep the sets that have all of these marks and at least `least` items. */
void cairn_itemsets_keep(cairn_itemsets *sets, uint8_t marks, size_t least);
const char *cairn_miner_name(cairn_miner miner);

/* Where the sets are, by their items; for lookups of supports. */
typedef struct cairn_set_index {
    const cairn_itemsets *sets;
    uint64_t *keys; /* per item */
    uint32_t *slots;
    size_t n_slots;
} cairn_set_index;
/* Scratch. */
CAIRN_CHECKED cairn_status cairn_set_index_make(cairn_context *ctx, cairn_set_index *out,
                                                const cairn_itemsets *sets, size_t n_items);
uint64_t cairn_set_key(const cairn_set_index *index, const int32_t *items, size_t n);
/* The set, or SIZE_MAX. Items ascend; `key` is their cairn_set_key. */
size_t cairn_set_find(const cairn_set_index *index, const int32_t *items, size_t n, uint64_t key);

/* "{beer, crisps}" */
void cairn_items_add(cairn_text *out, const cairn_transactions *t, const int32_t *items, size_t n);

/* -- for the engines -- */

/* Items that are frequent, in the order of the search, and the transactions in these codes. */
typedef struct cairn_mining {
    cairn_context *ctx;
    const cairn_transactions *t;
    const cairn_mine_options *options;
    size_t n_items;     /* frequent ones */
    int32_t *item;      /* n_items: item number by code */
    uint64_t *supports; /* n_items */
    size_t n;           /* transactions with a frequent item */
    size_t *starts;     /* n + 1 */
    uint32_t *codes;    /* ascending within a transaction */
    uint32_t *counts;   /* n; NULL = all 1 */
    size_t memory_most; /* that may be in use while sets are found */
} cairn_mining;

/* A set is a code more than an earlier set: the last one before it that has so many codes as
 * `depth` says. */
typedef struct cairn_found_set {
    uint32_t code, depth;
    uint64_t support;
} cairn_found_set;

/* A place for found sets; each task of an engine has its own. */
typedef struct cairn_set_sink {
    cairn_context *ctx;
    const cairn_mining *m;
    cairn_found_set *found; /* depth first: every set stands behind its prefix */
    size_t n, capacity;
    size_t estimate_at; /* so many sets make it worth while to ask how many there will be */
} cairn_set_sink;

/* An empty place, and putting a found set there: `code` behind the first `depth` codes of the one
 * before. */
cairn_set_sink cairn_sink_start(cairn_context *ctx, const cairn_mining *m);
CAIRN_CHECKED cairn_status cairn_sink_add(cairn_set_sink *sink, size_t depth, uint32_t code,
                                          uint64_t support);
/* The sets from number `first` on once more, with the code left out that stands before them all,
 * which all transactions of the rest of their prefix hold. */
CAIRN_CHECKED cairn_status cairn_sink_repeat(cairn_set_sink *sink, size_t first);

/* Refuse to go on when the sets would not fit into memory. For engines that keep their sets
 * elsewhere: `n` is how many there are. */
CAIRN_CHECKED cairn_status cairn_mining_check(cairn_context *ctx, const cairn_mining *m, size_t n,
                                              size_t *estimate_at);
CAIRN_CHECKED cairn_status cairn_mining_estimate(cairn_context *ctx, const cairn_mining *m,
                                                 double *out);

/* Find the sets that begin with the codes first .. last - 1; such pieces are worked on side by
 * side. */
typedef cairn_status (*cairn_mine_piece)(cairn_set_sink *sink, const void *engine, size_t first,
                                         size_t last);

/* `out` holds the empty set or nothing, found sets go behind it. */
CAIRN_CHECKED cairn_status cairn_mine_levels(cairn_mining *m, cairn_itemsets *out);
/* Run `function` for all first codes and join what they find in order. */
CAIRN_CHECKED cairn_status cairn_mine_side_by_side(cairn_mining *m, cairn_itemsets *out,
                                                   cairn_mine_piece function, const void *engine);
/* Put the sets of sinks behind each other, behind the sets of `out`; the sinks are emptied. */
CAIRN_CHECKED cairn_status cairn_sinks_join(cairn_mining *m, cairn_itemsets *out,
                                            cairn_set_sink *sinks, size_t n);
void cairn_sink_clear(cairn_set_sink *sink);
/* With steps: the transactions of the items and of the first sets. */
void cairn_show_lists(const cairn_mining *m, const cairn_itemsets *sets);

/* -- association rules -- */

typedef struct cairn_association {
    size_t body; /* set number, SIZE_MAX = the empty set */
    size_t both; /* set number of body and head together */
    size_t head; /* set number */
    uint64_t support, body_support, head_support;
    double confidence, lift, leverage, conviction, p_value;
} cairn_association;

/* More rules than this are made only when it is forced. */
#define CAIRN_MANY_RULES 5e6

typedef struct cairn_rule_options {
    double confidence; /* least, inclusive */
    double lift;       /* least; NaN = any */
    bool above_chance; /* lift above 1 */
    size_t most_head;  /* items of a head; 0 = no limit */
    bool empty_body;   /* rules that always hold, true -> head */
    bool only_better;  /* drop rules that are no better than one with a smaller body */
    double level;      /* drop rules whose p-value is larger; NaN = none */
    bool force;        /* go on however many rules there are */
} cairn_rule_options;

/* Rules from the frequent sets, which must hold all subsets of each; scratch, in the order of
 * falling confidence, then support, then as the sets come. */
CAIRN_CHECKED cairn_status cairn_associations(cairn_context *ctx, cairn_association **out,
                                              size_t *n, const cairn_transactions *t,
                                              const cairn_itemsets *sets,
                                              const cairn_rule_options *options);

#endif
