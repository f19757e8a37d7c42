/* SPDX-License-Identifier: MIT */
/* Gradient boosting of trees: the model, and the parts of the learner that make, ask and show it.
 *
 * Columns are the features that are no bags, and behind them the items of the bags (the terms of
 * rows/matrix.h): an item is a number, 0 where a row does not hold it.
 *
 * A model is a sum: a constant for every output (one, or one per class), and trees whose leaves add
 * to an output. Inner nodes of all trees lie in one array, in the order in which they were split; a
 * reference to a child is the number of a node, or ~i for leaf i. */
#ifndef CAIRN_LEARNERS_BOOST_BOOST_H
#define CAIRN_LEARNERS_BOOST_BOOST_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

/* -- the model -- */

typedef enum cairn_boost_loss_kind {
    CAIRN_BOOST_AUTO,
    CAIRN_BOOST_SQUARED,
    CAIRN_BOOST_ABSOLUTE,
    CAIRN_BOOST_HUBER,
    CAIRN_BOOST_QUANTILE,
    CAIRN_BOOST_POISSON,
    CAIRN_BOOST_LOGISTIC,
    CAIRN_BOOST_SOFTMAX
} cairn_boost_loss_kind;

/* Of int32_t alone: it is archived as such. */
typedef struct cairn_boost_node {
    int32_t column;
    int32_t left, right;   /* references: at most the cut, or in the set; and the rest */
    int32_t set;           /* levels: where its entries begin in `sets`; -1 = a cut */
    int32_t missing_right; /* where missing cells go, and levels that no row of the node had */
} cairn_boost_node;
enum { CAIRN_BOOST_NODE_INTS = 5 };
/* Most columns, trees, nodes and leaves. */
enum { CAIRN_BOOST_MOST = INT32_MAX / 4 };

typedef struct cairn_boost_model {
    size_t n_columns, n_classes, n_outputs; /* n_classes 0 = numbers */
    int32_t loss;                           /* cairn_boost_loss_kind, not AUTO */
    int32_t positive;                       /* LOGISTIC: the class whose log odds are summed up */
    uint8_t *is_number; /* n_columns: 0 = levels, 1 = numbers, 2 = ordered levels, cut by place */
    double *start;      /* n_outputs */
    size_t n_trees, n_nodes, n_leaves, n_sets;
    int32_t *roots; /* n_trees references; tree t adds to output t % n_outputs */
    cairn_boost_node *nodes;
    double *cuts;   /* n_nodes */
    double *values; /* n_leaves, shrunken */
    int32_t *sets;  /* n_sets: of every set the number of levels, then 1 = left, 2 = right, 0 = not
                       seen for each */
    size_t nodes_buffer, cuts_buffer, leaves_buffer, sets_buffer, roots_buffer; /* while it grows */
} cairn_boost_model;

/* How it came about. */
typedef struct cairn_boost_history {
    size_t n_rounds; /* that were made; the model keeps those up to the best one */
    size_t kept;
    double n_held; /* rows that were held out; below 0: in turn, to choose the number of rounds, and
                      then learned from like the others */
    double *curve; /* n_rounds + 1: mean loss of the training rows */
    double *held;  /* n_rounds + 1: of the rows held out; NULL = none were */
    size_t n_columns;
    double *gains;  /* n_columns: what the splits of a column gained */
    double *splits; /* n_columns: and how many there are */
    size_t curve_buffer, held_buffer;
} cairn_boost_history;

/* -- parameters -- */

typedef enum cairn_boost_order { CAIRN_BOOST_SECOND, CAIRN_BOOST_FIRST } cairn_boost_order;
typedef enum cairn_boost_grow { CAIRN_BOOST_BEST, CAIRN_BOOST_DEPTH } cairn_boost_grow;

typedef struct cairn_boost_params {
    int rounds, loss, order, grow, max_leaves, max_depth, bins, patience;
    double eta, level, min_leaf, min_hessian, min_gain, l1, l2, level_smoothing;
    double row_share, column_share, hold_out;
    const char *monotone, *interact, *class_weight, *start;
} cairn_boost_params;

/* -- what is learned from -- */

/* Codes of a lane, which is a byte of every row (boost_codes.c). */
enum { CAIRN_BOOST_CODES = 256 };
/* So much memory is for bins of leaves that wait. */
enum { CAIRN_BOOST_KEPT_BYTES = 1 << 28 };
/* No list, or no code. */
#define CAIRN_BOOST_NONE UINT32_MAX

typedef struct cairn_boost_column {
    bool is_number;       /* codes are cut; else they are levels */
    int monotone;         /* 1 = answers may only rise, -1 = only fall, 0 = free */
    uint32_t n_codes;     /* code n_codes is a missing cell */
    uint32_t lane;        /* where its codes are, unless it has quads */
    uint8_t *part;        /* NULL, or its code by the codes of a lane that it shares */
    const uint8_t *codes; /* n rows: of its lane; NULL = it has none */
    uint32_t *quads;      /* n rows: codes of a column with too many for a lane; else NULL */
    const double *values, *highs; /* of numbers, see cairn_binned_column */
    size_t first;                 /* the first bin of its lane, or of itself, in a histogram; of a
                                     list: among the bins of items */
    size_t order;                 /* levels: where its part of the arrays of levels begins */
    uint32_t list;                /* items: that of the rows that hold it; else NONE */
    uint32_t zero;                /* of a list: the code of rows without it; NONE = there is none */
    uint32_t bag;                 /* items: their bag */
} cairn_boost_column;

/* First and second derivative, with the weight in them, and the weight. */
typedef struct cairn_boost_total {
    double g, h, w;
} cairn_boost_total;

/* The same of a row, or added up, in whole numbers, of which sums do not depend on the order and
 * differences are exact. The weight has the lowest bits of `hw`, the second derivative the rest. */
typedef struct cairn_boost_bin {
    int64_t g;
    uint64_t hw;
} cairn_boost_bin;

/* The bins of a node: those of lanes, and of items. */
typedef struct cairn_boost_bins {
    cairn_boost_bin *lanes, *items;
    uint64_t *touched; /* a bit for each bin of items that is not 0; NULL = any may be */
} cairn_boost_bins;

/* Large samples of bounded derivatives are counted in one word: from the highest bits on the first
 * derivative, the second, and 1 for the row. So many rows can be added up in it. */
enum {
    CAIRN_BOOST_WORD_ROWS = 1 << 13,
    CAIRN_BOOST_WORD_W = 14, /* bits of the rows */
    CAIRN_BOOST_WORD_H = 24, /* bits of the second derivative */
    CAIRN_BOOST_WORD_MOST_G = 4095,
    CAIRN_BOOST_WORD_MOST_H = 2047
};

/* Some lanes, as many as have their words in the nearest cache. */
enum { CAIRN_BOOST_PANEL = 14 };
typedef struct cairn_boost_panel {
    size_t first, width; /* its lanes */
    uint8_t *codes;      /* n x width, row by row */
    bool fits;           /* no code has more rows than can be added up in a word */
} cairn_boost_panel;

/* Items of bags (boost_items.c). A list has the rows that hold an item, ascending; the lists of
 * rows whose bag is missing come last. Bins of items are apart from those of lanes; a leaf of few
 * rows adds up in `passing`, where the bins that it touches are noted. */
typedef struct cairn_boost_items {
    size_t n, n_bags;             /* items of all bags */
    const cairn_column **bags;    /* n_bags */
    size_t *firsts;               /* n_bags + 1: the first item of each */
    cairn_binned_column *columns; /* n: with codes when many rows hold the item; owned */
    uint32_t *zeros;              /* n: code of 0 */
    uint8_t *alive;               /* n: 1 = can be tested */
    size_t n_live;
    uint32_t *live;                      /* n_live: those that can, ascending */
    size_t n_lists, n_listed, n_entries; /* with those of missing bags, and without */
    size_t *starts;                      /* while items are coded: lists of all of them; owned */
    size_t *kept;                        /* n_lists + 1: where lists begin */
    uint32_t *rows;                      /* n_entries; owned */
    uint8_t *codes;                      /* n_entries; owned */
    size_t *list_bins;                   /* n_lists + 1: the first bin of each */
    size_t n_bins, missing_bins;         /* all, and those before the bins of missing bags */
    uint32_t *bin_live;       /* missing_bins: of whose codes they are, as a place in `live` */
    size_t *row_starts;       /* n + 1 */
    uint32_t *row_bins;       /* n_entries: ascending in a row; owned */
    cairn_boost_bin *passing; /* n_bins, 0 while no leaf is looked at; owned */
    uint64_t *touched;        /* a bit for each of them */
    double *gains;            /* n_live: while a leaf is searched */
    uint32_t *places;         /* 3 n: of rows, while a leaf is divided */
    cairn_boost_bin **made;   /* n_made: bins for leaves of many rows; each is owned */
    cairn_boost_bin **pool;   /* n_free: those that no leaf has */
    size_t n_made, n_free, most_made;
} cairn_boost_items;

/* What whole numbers count. */
typedef struct cairn_boost_units {
    double g, h, w; /* powers of 2, or 0 when there is nothing to count */
    int bits;       /* of the weight */
} cairn_boost_units;

/* A round is made from these; what is not owned by it is scratch. */
typedef struct cairn_boost_work {
    const cairn_boost_params *params;
    const cairn_job *job;
    const cairn_binned *data;
    cairn_boost_model *model;
    cairn_boost_history *history;
    cairn_boost_loss_kind loss;
    size_t n, n_outputs, n_columns, n_bins;
    size_t n_dense;              /* columns that are no items; these come behind them */
    cairn_boost_column *columns; /* n_columns */
    cairn_boost_items items;
    const char *const *names; /* n_columns; NULL = not needed */
    size_t n_lanes, n_panels, n_orders;
    cairn_boost_panel *panels;
    uint8_t *codes;        /* n x n_lanes: those of the panels; owned */
    uint32_t *lane_codes;  /* n_lanes: codes of a lane that columns share */
    double *weights;       /* n */
    bool weighted;         /* some weight is not 1 */
    const double *numbers; /* n: the target; NULL = classes */
    const int32_t *classes;
    double *scores;             /* n_outputs x n: the sums so far; owned */
    cairn_boost_units units;    /* of the gradients */
    cairn_boost_bin *gradients; /* n: derivatives of one output; owned; NULL = words */
    int64_t *words;             /* n; owned */
    size_t stride;              /* SOFTMAX: n filled up */
    double *shares;             /* SOFTMAX: n_outputs x stride */
    double *logs;               /* SOFTMAX: stride, ln of the sum of exp of the scores */
    double delta;               /* HUBER: residuals beyond it count as this */
    uint8_t *held;              /* n: 1 = held out; NULL = none is */
    size_t most, patience;      /* rounds, and those that may be no better for the rows held out */
    int part;                   /* that is held out to choose the rounds; -1 = by the parameters */
    uint32_t *rows;             /* n: the rows of the tree at hand, leaf by leaf; owned */
    size_t n_rows;
    uint32_t *space;        /* n; owned */
    cairn_boost_bin **more; /* per worker but the first: n_bins, to add up a part of the rows */
    int64_t **buffers;      /* per worker: the same of words, for all lanes; NULL = no words */
    uint8_t *barred;        /* n_columns: 1 = not drawn for this tree */
    uint64_t *sets;         /* n_columns: a bit for each set of {interact} that the column is in;
                               NULL = all may stand together */
    uint64_t seed;
    size_t round;
} cairn_boost_work;

static inline uint64_t cairn_boost_weight(const cairn_boost_work *work, cairn_boost_bin bin)
{
    return bin.hw & ((UINT64_C(1) << work->units.bits) - 1);
}

static inline cairn_boost_total cairn_boost_total_of(const cairn_boost_work *work,
                                                     cairn_boost_bin bin)
{
    const cairn_boost_units *units = &work->units;
    return (cairn_boost_total){(double)bin.g * units->g, (double)(bin.hw >> units->bits) * units->h,
                               (double)cairn_boost_weight(work, bin) * units->w};
}

/* The numbers of a word. */
static inline cairn_boost_bin cairn_boost_unpack(const cairn_boost_work *work, int64_t word)
{
    uint64_t bits = (uint64_t)word,
             h = bits >> CAIRN_BOOST_WORD_W & ((1 << CAIRN_BOOST_WORD_H) - 1);
    return (cairn_boost_bin){word >> (CAIRN_BOOST_WORD_H + CAIRN_BOOST_WORD_W),
                             h << work->units.bits | (bits & ((1 << CAIRN_BOOST_WORD_W) - 1))};
}

/* The derivatives of a row. */
static inline cairn_boost_bin cairn_boost_gradient(const cairn_boost_work *work, size_t row)
{
    return work->words ? cairn_boost_unpack(work, work->words[row]) : work->gradients[row];
}

/* -- codes (boost_codes.c) -- */

/* Columns of the binned rows, in lanes. */
CAIRN_CHECKED cairn_status cairn_boost_take_columns(cairn_context *ctx, cairn_boost_work *work);

/* -- items of bags (boost_items.c, boost_sparse.c) -- */

/* Codes and lists of the items, before columns are taken; where their bins are, afterwards. */
CAIRN_CHECKED cairn_status cairn_boost_make_items(cairn_context *ctx, cairn_boost_work *work);
CAIRN_CHECKED cairn_status cairn_boost_place_items(cairn_context *ctx, cairn_boost_work *work);
void cairn_boost_clear_items(cairn_boost_items *items);
/* Code of a row in a column that is a list. */
uint32_t cairn_boost_item_code(const cairn_boost_work *work, const cairn_boost_column *column,
                               size_t row);
/* Add up the derivatives of n rows in the bins of items. With `touched` both are 0 before, and
 * cairn_boost_forget makes them so again. */
CAIRN_CHECKED cairn_status cairn_boost_count_items(cairn_context *ctx, const cairn_boost_work *work,
                                                   cairn_boost_bins bins, const uint32_t *rows,
                                                   size_t n);
void cairn_boost_forget(const cairn_boost_work *work, cairn_boost_bins bins);
/* Take the bins of a part off. */
void cairn_boost_subtract_items(const cairn_boost_work *work, cairn_boost_bin *from,
                                cairn_boost_bins part);
/* Divide n rows, ascending, by a list: those that go left (by code) come first, both in their
 * order. Returns how many go left. */
size_t cairn_boost_divide_list(const cairn_boost_work *work, const cairn_boost_column *column,
                               const uint8_t *lefts, uint32_t *rows, size_t n);

/* Code of a row in a column. */
static inline uint32_t cairn_boost_code(const cairn_boost_work *work,
                                        const cairn_boost_column *column, size_t row)
{
    if (column->list != CAIRN_BOOST_NONE) return cairn_boost_item_code(work, column, row);
    if (column->quads) return column->quads[row];
    uint8_t code = column->codes[row];
    return column->part ? column->part[code] : code;
}

/* -- losses (boost_loss.c) -- */

/* A number of rows filled up to whole groups, as kernels take them. */
size_t cairn_boost_filled(size_t n);
/* What the loss is called, and how messages and steps write it. */
const char *cairn_boost_loss_name(cairn_boost_loss_kind loss);
/* The constant that the sums begin with, for every output. */
CAIRN_CHECKED cairn_status cairn_boost_begin(cairn_context *ctx, cairn_boost_work *work,
                                             double *start);
/* At new sums, before derivatives and loss: what all outputs share. */
CAIRN_CHECKED cairn_status cairn_boost_prepare(cairn_context *ctx, cairn_boost_work *work);
/* What weights are counted in, before the first round. */
CAIRN_CHECKED cairn_status cairn_boost_weigh(cairn_context *ctx, cairn_boost_work *work);
/* The weight of a row in them. */
uint64_t cairn_boost_whole_weight(const cairn_boost_work *work, size_t row);
/* Whether derivatives are bounded and rows so many that they are counted in words. */
bool cairn_boost_uses_words(const cairn_boost_work *work);
/* First and second derivatives at the sums so far, times the weights of the rows, in whole numbers
 * and with their units. */
CAIRN_CHECKED cairn_status cairn_boost_derive(cairn_context *ctx, cairn_boost_work *work,
                                              size_t output);
/* Whether leaves are found from their rows, not from the sums of derivatives. */
bool cairn_boost_asks_rows(const cairn_boost_work *work);
/* Then: what n rows of a leaf should get. */
CAIRN_CHECKED cairn_status cairn_boost_leaf_of_rows(cairn_context *ctx, double *out,
                                                    const cairn_boost_work *work,
                                                    const uint32_t *rows, size_t n, size_t output);
/* Mean loss of the rows that are held out, or of the others. */
CAIRN_CHECKED cairn_status cairn_boost_mean_loss(cairn_context *ctx, const cairn_boost_work *work,
                                                 bool held, double *out);
/* Sums of a row (step apart) to the answer: a number, or shares of classes. */
void cairn_boost_answer(const cairn_boost_model *model, const double *sums, size_t step,
                        double *out);
/* -- search (boost_search.c) -- */

typedef struct cairn_boost_split {
    bool found;
    int32_t column;
    uint32_t code;      /* numbers: the last code on the left */
    uint32_t next;      /* and the first that rows have on the right */
    bool missing_right; /* where missing cells go */
    double gain;
    cairn_boost_bin left, right;
    double left_value, right_value;
} cairn_boost_split;

/* What constraints leave to a leaf. */
typedef struct cairn_boost_limits {
    double low, high; /* for its value */
    uint64_t sets;    /* of {interact}: those that have all columns tested above it */
    bool tested;      /* there are such columns */
    int32_t only;     /* a column of no set, which stands alone; -1 = none is above */
} cairn_boost_limits;

/* Whether a leaf may be split by a column, beside those that are tested above it. */
static inline bool cairn_boost_may_test(const cairn_boost_work *work,
                                        const cairn_boost_limits *limits, size_t column)
{
    if (!work->sets || !limits->tested) return true;
    if (limits->only >= 0 || !work->sets[column]) return (size_t)limits->only == column;
    return work->sets[column] & limits->sets;
}

/* The least weight of a leaf, in whole numbers. */
uint64_t cairn_boost_least(const cairn_boost_work *work);
/* Add up the derivatives of n rows in the bins of the lanes, and of columns with quads that are not
 * barred. */
CAIRN_CHECKED cairn_status cairn_boost_count(cairn_context *ctx, const cairn_boost_work *work,
                                             cairn_boost_bin *bins, const uint32_t *rows, size_t n);
/* The best split of a node from its bins. `sides` (n_orders) gets 1 = left, 2 = right, 0 = no row
 * for every level of the column that was chosen, at its order. */
CAIRN_CHECKED cairn_status cairn_boost_search(cairn_context *ctx, const cairn_boost_work *work,
                                              cairn_boost_bins bins, cairn_boost_bin total,
                                              cairn_boost_limits limits, cairn_boost_split *out,
                                              uint8_t *sides);
/* Every split that a node of n rows may have, column by column, in the order in which they are
 * tried. `levels` is NULL for a cut; else the first split->code of them go left. */
typedef void cairn_boost_each(void *data, const cairn_boost_split *split, const uint32_t *levels);
CAIRN_CHECKED cairn_status cairn_boost_candidates(cairn_context *ctx, const cairn_boost_work *work,
                                                  const uint32_t *rows, size_t n,
                                                  cairn_boost_bin total, cairn_boost_limits limits,
                                                  cairn_boost_each *each, void *data);
/* A sum nearer to 0 by l1, which it does not pass. */
double cairn_boost_shrunk(double g, double l1);
/* What a leaf with these sums answers, before shrinkage, and what it is worth. */
double cairn_boost_value(const cairn_boost_params *p, cairn_boost_total sums,
                         cairn_boost_limits limits);
double cairn_boost_worth(const cairn_boost_params *p, cairn_boost_total sums,
                         cairn_boost_limits limits);

/* -- growing (boost_grow.c) -- */

/* Grow one tree for an output on work->rows, put it at the end of the model and add it to the
 * scores of all rows. */
CAIRN_CHECKED cairn_status cairn_boost_grow_tree(cairn_context *ctx, cairn_boost_work *work,
                                                 size_t output);

/* The number that a split of a number column compares with: halfway between the rows of both
 * sides. Where only missing cells are on the right, all numbers go left (DBL_MAX). */
double cairn_boost_cut(const cairn_boost_column *column, const cairn_boost_split *split);

/* -- asking (boost_ask.c) -- */

/* Start and trees of n rows of the view's table: n_outputs x n sums. */
CAIRN_CHECKED cairn_status cairn_boost_sums(cairn_context *ctx, const cairn_boost_model *m,
                                            const cairn_job *job, const uint32_t *rows, size_t n,
                                            double *sums);
CAIRN_CHECKED cairn_status cairn_boost_predict(cairn_context *ctx, cairn_prediction *out,
                                               const void *model, const cairn_job *job);

/* -- file (boost_file.c) -- */

CAIRN_CHECKED cairn_status cairn_boost_archive(cairn_archive *archive, void *model);
CAIRN_CHECKED cairn_status cairn_boost_archive_history(cairn_archive *archive, void *history,
                                                       const void *model);
CAIRN_CHECKED cairn_status cairn_boost_check(cairn_archive *archive, const void *model,
                                             const cairn_job *job);
void cairn_boost_clear(void *model);
void cairn_boost_clear_history(void *history);

/* -- showing (boost_show.c) -- */

/* A node of n rows whose split has been chosen, the number-th of its tree. */
typedef struct cairn_boost_choice {
    size_t number, output;
    const uint32_t *rows;
    size_t n;
    cairn_boost_bin sums;
    cairn_boost_limits limits;
    const cairn_boost_split *split;
} cairn_boost_choice;

/* Steps: the start; of a round its begin, its splits as they are made, the tree that was put last
 * with the sums after it; the losses. */
void cairn_boost_show_start(const cairn_boost_work *work);
void cairn_boost_show_round(const cairn_boost_work *work, size_t output);
void cairn_boost_show_split(const cairn_boost_work *work, const cairn_boost_choice *choice);
void cairn_boost_show_tree(const cairn_boost_work *work, size_t output, size_t first_leaf,
                           const uint32_t *leaf_begins);
void cairn_boost_show_loss(const cairn_boost_work *work);
void cairn_boost_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_boost_figures[];

/* The trees in the tables of CAIRN_OP_TREES: inner nodes, and behind them the leaves. */
typedef struct cairn_boost_arrays {
    int32_t *roots; /* n_trees */
    int32_t *nodes; /* 4 x (n_nodes + n_leaves) */
    int32_t *links; /* 3 x n_nodes */
    int32_t *usual; /* n_nodes + n_leaves */
    double *cuts;   /* likewise; those of leaves are left alone */
} cairn_boost_arrays;
void cairn_boost_pack(const cairn_boost_model *model, const cairn_boost_arrays *to);

/* The model as a program (model/program.h). */
CAIRN_CHECKED cairn_status cairn_boost_lower(const void *model, const cairn_job *job,
                                             cairn_program *out);

extern const cairn_learned cairn_boost_tables[];

#endif
