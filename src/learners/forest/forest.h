/* SPDX-License-Identifier: MIT */
/* A random forest in memory, and the parts of the learner that make, ask and show it.
 *
 * Trees are kept small, because there are many of them. Only inner nodes are stored, 8 bytes each,
 * in depth-first order; a reference to a child is the number of an inner node, or a leaf with its
 * answer in it. Cuts are ranks among all cuts that the forest makes in a column, so a row is binned
 * once (how many cuts lie below its number) and every test then compares two whole numbers. */
#ifndef CAIRN_LEARNERS_FOREST_FOREST_H
#define CAIRN_LEARNERS_FOREST_FOREST_H

#include "base/random.h"
#include "learners/tree/tree.h"
#include "model/learner.h"

/* -- the model -- */

/* A reference with this bit is a leaf; the other bits are a class, or (classes + i) for the i-th
 * mixed leaf of the tree, or for a number as target the place of the mean. */
#define CAIRN_FOREST_LEAF UINT32_C(0x80000000)
/* No child. */
#define CAIRN_FOREST_NONE UINT32_MAX
/* A missing cell in a binned row. */
#define CAIRN_FOREST_MISSING UINT32_MAX

/* Parts of `test`. */
#define CAIRN_FOREST_COLUMN UINT32_C(0x1FFFFFFF)
#define CAIRN_FOREST_WIDE   UINT32_C(0x80000000) /* the children are in the links of the tree */
#define CAIRN_FOREST_LEVEL  UINT32_C(0x40000000) /* one level against the rest */
#define CAIRN_FOREST_RIGHT  UINT32_C(0x20000000) /* the right branch is the usual one */

typedef struct cairn_forest_node {
    uint32_t test;  /* column and flags */
    uint32_t rank;  /* a number goes left when at most so many cuts lie below it; LEVEL: the level;
                      a branch per level: the usual branch */
    uint32_t left;  /* WIDE: first of its links, one per branch and one for missing cells */
    uint32_t right; /* WIDE: number of branches */
} cairn_forest_node;

/* A node at rest, see forest_small.c. */
typedef struct cairn_forest_small {
    uint32_t test;  /* flags above; the rest is a column and a rank, or only a column */
    uint32_t other; /* the child that is not the next node; two answers; a place in `pairs` */
} cairn_forest_small;

#define CAIRN_SMALL_SWAP         UINT32_C(0x80000000) /* the next node is the right child */
#define CAIRN_SMALL_BOTH         UINT32_C(0x40000000) /* both children are leaves */
#define CAIRN_SMALL_APART        UINT32_C(0x20000000) /* `other` is a place in `pairs` */
#define CAIRN_SMALL_WIDE         UINT32_C(0x10000000) /* as in large nodes */
#define CAIRN_SMALL_LEVEL        UINT32_C(0x08000000)
#define CAIRN_SMALL_RIGHT        UINT32_C(0x04000000)
#define CAIRN_SMALL_TEST         UINT32_C(0x03FFFFFF)
#define CAIRN_SMALL_RANK         UINT32_C(0x0000FFFF)
#define CAIRN_SMALL_COLUMN_SHIFT 16
#define CAIRN_SMALL_ANSWER_BITS  15 /* two answers in one reference */
#define CAIRN_SMALL_ANSWER       ((UINT32_C(1) << CAIRN_SMALL_ANSWER_BITS) - 1)

typedef struct cairn_forest_pair {
    uint32_t left, right;
} cairn_forest_pair;

typedef struct cairn_forest_tree {
    uint32_t root; /* reference */
    size_t n_nodes, n_links, n_mixed, n_shares, n_means;
    cairn_forest_node *nodes;  /* while the tree is made or changed, else NULL; then: */
    cairn_forest_small *small; /* n_nodes */
    cairn_forest_pair *pairs;  /* n_pairs: references of nodes that do not fit into `other` */
    uint32_t *ranks;           /* n_nodes: when they do not fit into the tests; else NULL */
    size_t n_pairs;
    uint32_t *links;        /* children of wide nodes */
    double *cuts;           /* while the forest grows: its own cuts, column by column, ascending; */
    uint32_t *cut_starts;   /* n_columns + 1; ranks of nodes are those among them */
    double *parts;          /* n_nodes: share of the left branch; NULL = not needed */
    double *link_parts;     /* n_links: share of each branch; likewise */
    uint32_t *mixed_starts; /* n_mixed + 1: entries of the two below */
    int32_t *mixed_classes; /* n_shares: the leaf's answer first */
    double *mixed_shares;   /* n_shares */
    double *means;          /* n_means */
    int32_t depth;          /* of the deepest leaf */
    size_t n_leaves;
} cairn_forest_tree;

/* What rows say that a tree has not seen. */
typedef struct cairn_forest_oob {
    bool known;
    double weight; /* of rows that some tree has not seen */
    double error;  /* share of wrong answers, or mean squared error */
    double low, high;
    double r2;      /* numbers */
    double *curve;  /* n_trees: the error after each tree; NaN while no row is judged */
    double *matrix; /* classes x classes: true class, answer; NULL = there are too many */
} cairn_forest_oob;

/* Most classes whose answers are counted in a table. */
enum { CAIRN_FOREST_MATRIX = 4096 };

/* What proximities tell of the training rows; empty unless asked for. */
typedef struct cairn_forest_extras {
    size_t n_outliers;
    int32_t *outlier_rows;    /* n_outliers: rows of the table, the strangest first ... */
    double *outlier_scores;   /* ... and how strange they are */
    int32_t *outlier_classes; /* n_outliers; NULL = numbers, or a file that has none */
    size_t n_filled;          /* missing cells that were filled */
    size_t n_prototypes;      /* 0 or n_classes */
    int32_t *prototype_size;  /* n_prototypes: rows that it stands for, 0 = none was found */
    double *prototypes;       /* n_prototypes x n_columns x 3: median and quartiles, or the most
                                frequent level (and NaN) */
} cairn_forest_extras;

typedef struct cairn_forest_model {
    size_t n_columns, n_classes, n_trees; /* n_classes 0 = numbers */
    uint8_t *is_number; /* n_columns: 0 = levels, 1 = numbers, 2 = ordered levels, cut by place */
    int32_t cut_form, missing; /* cairn_tree_cut, cairn_tree_missing */
    int32_t combine;           /* cairn_forest_combine */
    size_t drawn;              /* columns drawn, at every node or for every tree */
    cairn_forest_tree *trees;
    double *cuts;         /* all cuts, column by column, ascending */
    uint32_t *cut_starts; /* n_columns + 1 */
    double low, high;     /* numbers: least and greatest target */
} cairn_forest_model;

/* How it came about, and what its rows tell. */
typedef struct cairn_forest_history {
    double *impurity;       /* n_columns: mean reduction per tree */
    double *permutation;    /* n_columns: mean rise of the error; NULL = not asked for */
    double *permutation_se; /* n_columns */
    cairn_forest_oob oob;
    cairn_forest_extras extras;
} cairn_forest_history;

typedef enum cairn_forest_combine { CAIRN_FOREST_VOTES, CAIRN_FOREST_SHARES } cairn_forest_combine;

/* -- parameters -- */

enum { CAIRN_FOREST_PER_NODE, CAIRN_FOREST_PER_TREE };
enum { CAIRN_FOREST_WITH, CAIRN_FOREST_WITHOUT, CAIRN_FOREST_ALL, CAIRN_FOREST_EVEN };
typedef enum cairn_forest_weighting {
    CAIRN_FOREST_AS_THEY_ARE,
    CAIRN_FOREST_BALANCED,
    CAIRN_FOREST_BALANCED_TREE,
    CAIRN_FOREST_GIVEN
} cairn_forest_weighting;
enum { CAIRN_FOREST_IMPURITY, CAIRN_FOREST_PERMUTATION, CAIRN_FOREST_NO_IMPORTANCE };

typedef struct cairn_forest_params {
    int trees, subset, mtry, sample, cuts, combine, importance;
    int outliers, prototypes, interactions, fill_rounds;
    double sample_share;
    bool oob;
    const char *class_weights; /* none, balanced, tree, or a number for every class */
    const char *oob_file, *proximity_file, *filled_file;
    cairn_smoothing_option smoothing;
    cairn_tree_settings tree;
} cairn_forest_params;

/* Which of the ways `class_weights` asks for. */
cairn_forest_weighting cairn_forest_weighting_of(const cairn_forest_params *params);

/* -- growing -- */

typedef struct cairn_forest_growth {
    cairn_forest_model *forest;
    cairn_forest_history *history;
    const cairn_binned *data;
    const cairn_forest_params *params;
    const cairn_job *job;
    cairn_grow_options options;
    uint64_t seed;
    size_t n_sample;    /* rows drawn for a tree */
    uint32_t *by_class; /* rows ordered by class, for even samples */
    size_t *class_starts;
    double *factors;  /* weight of every class; NULL = 1 */
    size_t bag_words; /* words per tree in `bags` */
    uint64_t *bags;   /* n_trees x bag_words: rows that a tree has seen */
    double *gains;    /* n_trees x n_columns */
} cairn_forest_growth;

/* Grow all trees of the forest; arrays of the growth are scratch. */
CAIRN_CHECKED cairn_status cairn_forest_grow(cairn_context *ctx, cairn_forest_growth *growth);

/* Whether the tree has seen the row when it was grown; only where bags were noted. */
static inline bool cairn_forest_in_bag(const cairn_forest_growth *growth, size_t tree, size_t row)
{
    return growth->bags[tree * growth->bag_words + row / 64] >> (row % 64) & 1;
}

/* -- trees -- */

/* A grown tree in the small form, the shares of classes in its leaves smoothed. `gains` (n_columns)
 * gets what each column reduced. */
CAIRN_CHECKED cairn_status cairn_forest_pack(cairn_context *ctx, cairn_forest_tree *out,
                                             const cairn_tree_model *tree,
                                             cairn_smoothing smoothing, double *gains);
/* The cuts of all trees as ranks. */
CAIRN_CHECKED cairn_status cairn_forest_rank(cairn_context *ctx, cairn_forest_model *forest);
/* Bring a tree into its small form, and back into the large one to change it. */
CAIRN_CHECKED cairn_status cairn_forest_settle(cairn_context *ctx, cairn_forest_tree *tree,
                                               size_t n_columns);
CAIRN_CHECKED cairn_status cairn_forest_spread(cairn_context *ctx, cairn_forest_tree *tree);
/* A node of a tree in either form. */
cairn_forest_node cairn_forest_node_at(const cairn_forest_tree *tree, size_t i);
/* The left or right reference of a small node that is BOTH or WIDE. */
uint32_t cairn_forest_answer(const cairn_forest_tree *tree, cairn_forest_small node, bool right);

/* Column and rank of small node i. */
static inline uint32_t cairn_small_column(const cairn_forest_tree *tree, size_t i)
{
    uint32_t test = tree->small[i].test & CAIRN_SMALL_TEST;
    return tree->ranks ? test : test >> CAIRN_SMALL_COLUMN_SHIFT;
}

static inline uint32_t cairn_small_rank(const cairn_forest_tree *tree, size_t i)
{
    return tree->ranks ? tree->ranks[i] : tree->small[i].test & CAIRN_SMALL_RANK;
}

/* The answer on one side (1 = right) when both are in one reference, found without a branch, and
 * when they are apart. */
static inline uint32_t cairn_small_answer(uint32_t other, uint32_t right)
{
    uint32_t shift = CAIRN_SMALL_ANSWER_BITS & (0 - right);
    return CAIRN_FOREST_LEAF | (other >> shift & CAIRN_SMALL_ANSWER);
}

static inline uint32_t cairn_small_apart(const cairn_forest_tree *tree, uint32_t other,
                                         uint32_t right)
{
    cairn_forest_pair pair = tree->pairs[other & ~CAIRN_FOREST_LEAF];
    return right ? pair.right : pair.left;
}

/* Memory that a tree takes. */
double cairn_forest_tree_bytes(const cairn_forest_tree *tree);
void cairn_forest_clear(cairn_forest_model *forest);
void cairn_forest_clear_history(void *history);
CAIRN_CHECKED cairn_status cairn_forest_archive(cairn_archive *archive, cairn_forest_model *forest);
CAIRN_CHECKED cairn_status cairn_forest_archive_history(cairn_archive *archive, void *history,
                                                        const void *model);

/* Whether the features of a loaded model are those that the forest was grown on. */
CAIRN_CHECKED cairn_status cairn_forest_check_fields(cairn_archive *archive,
                                                     const cairn_forest_model *forest,
                                                     const cairn_job *job);
cairn_model_size cairn_forest_size(const cairn_forest_model *forest);

/* -- asking -- */

/* Rows of a view as codes, row-major, n_columns each. */
void cairn_forest_code_rows(uint32_t *codes, const cairn_forest_model *forest,
                            const cairn_view *view, size_t first, size_t n);
/* For binned training data: the code of every code of the data, per column (NULL = the same).
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_forest_code_maps(cairn_context *ctx, uint32_t ***out,
                                                  const cairn_forest_model *forest,
                                                  const cairn_binned *data);
/* Rows first .. first+n-1 of the data; `space` has room for n, `rows` too. */
void cairn_forest_code_data(uint32_t *codes, const cairn_forest_model *forest,
                            const cairn_binned *data, uint32_t *const *maps, size_t first, size_t n,
                            uint32_t *rows, uint32_t *space);

/* A block of binned rows, arranged so that neighbours take similar ways through the trees. */
typedef struct cairn_forest_rows {
    uint32_t *codes;  /* rows as they come */
    uint32_t *sorted; /* rows as they are asked */
    uint32_t *order;  /* row of the block that each of these is */
    uint32_t *places, *counts;
} cairn_forest_rows;
/* Room for n rows. Scratch. */
CAIRN_CHECKED cairn_status cairn_forest_rows_make(cairn_context *ctx, cairn_forest_rows *out,
                                                  const cairn_forest_model *forest, size_t n);
/* Arrange n rows that were binned into `codes`. */
void cairn_forest_arrange(cairn_forest_rows *rows, const cairn_forest_model *forest, size_t n);

/* How many of n rows are binned and asked together, when there should be so many parts. The more
 * rows, the better: a tree is brought into the cache once for all of them. */
size_t cairn_forest_block_rows(const cairn_forest_model *forest, size_t n, size_t parts);
/* Parts where what is added up must not depend on the number of threads. */
enum { CAIRN_FOREST_PARTS = 8 };

/* Working memory for asking trees. */
typedef struct cairn_forest_pending {
    uint32_t at;
    double share;
} cairn_forest_pending;
typedef struct cairn_forest_space {
    cairn_forest_pending *stack;
    double *sums; /* n_classes, at least 1 */
} cairn_forest_space;
/* Enough for the widest tree of the forest; scratch, one for each worker. */
CAIRN_CHECKED cairn_status cairn_forest_space_make(cairn_context *ctx, cairn_forest_space *out,
                                                   const cairn_forest_model *forest);

/* The leaf that one row reaches, as a reference; NONE when a missing cell sends it down several
 * branches. `place` (may be NULL) gets a number that only this leaf of the tree has. */
uint32_t cairn_forest_leaf(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                           const uint32_t *row, size_t *place);
/* The child of inner node `at` that a row goes to; NONE = all of them. */
uint32_t cairn_forest_step(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                           uint32_t at, const uint32_t *row);
/* Whether no cell is missing. */
bool cairn_forest_complete(const uint32_t *codes, size_t n);
/* The leaves of many rows: leaves[i] for row rows[i] of the block. `complete` says that no cell of
 * the block is missing. */
void cairn_forest_leaves(uint32_t *leaves, const cairn_forest_model *forest,
                         const cairn_forest_tree *tree, const uint32_t *codes, const uint32_t *rows,
                         size_t n, bool complete);
/* Add what a tree says about a row whose leaf is known to the sums of its classes (or to the one
 * number). */
void cairn_forest_add(double *sums, const cairn_forest_model *forest, const cairn_forest_tree *tree,
                      uint32_t leaf, const uint32_t *row, const cairn_forest_space *space);

/* Count the tests that a tree asks a row, by column (n_columns); below a test that sends it down
 * several branches they count by their shares. */
void cairn_forest_count_tests(double *tests, const cairn_forest_model *forest,
                              const cairn_forest_tree *tree, const uint32_t *row,
                              const cairn_forest_space *space);

/* The answers of the whole forest, and how far its trees agree. */
CAIRN_CHECKED cairn_status cairn_forest_ask(cairn_context *ctx, cairn_prediction *out,
                                            const cairn_forest_model *forest,
                                            const cairn_view *view);

/* -- out of bag -- */

/* Errors of rows by the trees that have not seen them. `votes` (n_rows x max(1, classes)) and
 * `asked` (n_rows: how many trees) may be NULL. */
CAIRN_CHECKED cairn_status cairn_forest_judge(cairn_context *ctx, const cairn_forest_growth *growth,
                                              double *votes, double *asked);
/* The answers of the trees that have not seen a row, as a table in a file. */
CAIRN_CHECKED cairn_status cairn_forest_write_oob(cairn_context *ctx,
                                                  const cairn_forest_growth *growth,
                                                  const double *votes, const double *asked,
                                                  const char *path);
/* What exchanging the cells of a column among those rows does to the error. */
CAIRN_CHECKED cairn_status cairn_forest_permute(cairn_context *ctx,
                                                const cairn_forest_growth *growth);

/* -- proximities -- */

/* The leaves of all rows of the data in all trees. */
typedef struct cairn_proximities {
    size_t n, n_trees;
    uint32_t *leaf;   /* n_trees x n: number of the leaf of each row */
    uint32_t *starts; /* n_trees x (n + 1): where its rows begin in `rows` */
    uint32_t *rows;   /* n_trees x n: rows ordered by leaf */
} cairn_proximities;

/* Scratch. */
CAIRN_CHECKED cairn_status cairn_proximities_make(cairn_context *ctx, cairn_proximities *out,
                                                  const cairn_forest_model *forest,
                                                  const cairn_binned *data);
/* In how many trees every row shares its leaf with row i: `counts` has n zeros before and after
 * (the caller sets those of `near` back), `near` gets the rows that are not 0. Returns how many. */
size_t cairn_proximities_of(const cairn_proximities *p, size_t i, uint32_t *counts, uint32_t *near);
/* Outliers, prototypes, the matrix and filled cells, as the parameters ask. */
CAIRN_CHECKED cairn_status cairn_forest_relate(cairn_context *ctx,
                                               const cairn_forest_growth *growth);
/* Fill the missing cells of the training rows and write the table. */
CAIRN_CHECKED cairn_status cairn_forest_fill(cairn_context *ctx, const cairn_forest_growth *growth);
/* Code the rows of a view and grow a forest on them: what fitting does before it judges. The caller
 * clears `forest` and `data`, also after a failure; the growth is scratch. `history` may be
 * NULL. */
CAIRN_CHECKED cairn_status cairn_forest_raise(cairn_context *ctx, cairn_forest_growth *growth,
                                              cairn_binned *data, cairn_forest_model *forest,
                                              cairn_forest_history *history, const cairn_job *job,
                                              const cairn_forest_params *params, uint64_t seed);

/* -- showing -- */

/* The table, which may be NULL, and the figure "importance"; neither where it is not known. */
CAIRN_CHECKED cairn_status cairn_forest_show_importance(cairn_context *ctx, cairn_report *out,
                                                        cairn_figure **figure,
                                                        const cairn_forest_history *history,
                                                        const cairn_forest_model *forest,
                                                        const cairn_schema *schema);
/* "forest", "oob", "importance", "vote" */
extern const cairn_model_figure cairn_forest_figures[];
/* Functions of the learner's record. */
void cairn_forest_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_forest_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* The rows (counts[i] times row i) and, for subspaces, the columns of a tree. */
void cairn_forest_show_bag(cairn_report *out, const cairn_forest_growth *growth,
                           const uint32_t *counts, const uint8_t *barred);
/* What the trees that have not seen a row say about it. */
void cairn_forest_show_votes(cairn_report *out, const cairn_forest_growth *growth,
                             const double *votes, const double *asked);

/* The model as a program (model/program.h). */
CAIRN_CHECKED cairn_status cairn_forest_lower(const void *model, const cairn_job *job,
                                              cairn_program *out);

/* Its nodes as rows of a table, and the tables of the learner's record. */
void cairn_forest_write_nodes(struct cairn_ledger *out, const cairn_forest_model *forest,
                              const cairn_job *job);
extern const cairn_learned cairn_forest_tables[];

#endif
