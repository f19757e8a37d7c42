/* SPDX-License-Identifier: MIT */
/* A fitted model as a small program: operations one after the other on one row of numbers.
 *
 * A row is an array of slots. The first slots are the raw columns: numbers as they are, levels as
 * their codes, NaN for a missing cell or a level that training did not know. Every operation reads
 * slots and writes slots of its own. Learners and transforms write themselves down as operations
 * (`lower` in their records); src/export makes C, JSON and graphs of them, and runs them.
 *
 * What the operations do, and what their tables mean, is told in docs/export.md and done in
 * src/export/runtime.h; names of tables are in cairn_op_forms. */
#ifndef CAIRN_MODEL_PROGRAM_H
#define CAIRN_MODEL_PROGRAM_H

#include "data/schema.h"

typedef struct cairn_model cairn_model;
typedef struct cairn_job cairn_job;
typedef struct cairn_link cairn_link;

typedef enum cairn_op_kind {
    CAIRN_OP_CONSTANT,   /* numbers that are always the same */
    CAIRN_OP_FILL,       /* missing cells get a value */
    CAIRN_OP_SCALE,      /* each number by itself: factor (x - centre) / spread, between two ends */
    CAIRN_OP_AFFINE,     /* constants + weights (x - centres) */
    CAIRN_OP_PRODUCTS,   /* products of powers */
    CAIRN_OP_COMPUTE,    /* a formula: instructions one after the other */
    CAIRN_OP_CALENDAR,   /* the parts of a time */
    CAIRN_OP_LOOKUP,     /* a row of a table for every level */
    CAIRN_OP_CUTS,       /* the place of a number among cuts, or among known values */
    CAIRN_OP_TREES,      /* one tree or several */
    CAIRN_OP_RULES,      /* if, then */
    CAIRN_OP_NEAREST,    /* the nearest of some centres */
    CAIRN_OP_NEIGHBOURS, /* the nearest rows of a table decide */
    CAIRN_OP_KERNELS,    /* sums of coefficients times kernels with the rows of a table */
    CAIRN_OP_VOTES,      /* votes of machines for pairs of classes */
    CAIRN_OP_NORMAL,     /* logarithms of normal densities */
    CAIRN_OP_GAUSSIANS,  /* logarithms of normal densities of several columns together */
    CAIRN_OP_KERNEL,     /* logarithms of kernel densities */
    CAIRN_OP_COUNTS,     /* counts of words times the logarithms of their probabilities */
    CAIRN_OP_SUM,        /* vectors added up */
    CAIRN_OP_SOFTMAX,    /* scores to probabilities */
    CAIRN_OP_LOGISTIC,   /* one score to two probabilities */
    CAIRN_OP_CALIBRATE,  /* a score through a curve that rises */
    CAIRN_OP_SHARES,     /* numbers divided by their sum */
    CAIRN_OP_DECIDE,     /* the cheapest decision */
    CAIRN_OP_LARGEST,    /* the first of the largest */
    CAIRN_OP_BLANK,      /* no answer where a cell is missing */
    CAIRN_OP_KINDS
} cairn_op_kind;

enum { CAIRN_OP_SIZES = 8, CAIRN_OP_CODES = 12, CAIRN_OP_NUMBERS = 8 };

/* Instructions of a formula, on a stack of numbers; each is followed by the number that is told. */
typedef enum cairn_instruction {
    CAIRN_DO_SLOT,   /* put an input on the stack: which */
    CAIRN_DO_NUMBER, /* put a number there: which */
    CAIRN_DO_WRITE,  /* take the top of the stack to an output: which */
    /* the last so many numbers become one: how many */
    CAIRN_DO_SUM,
    CAIRN_DO_MIN,
    CAIRN_DO_MAX,
    CAIRN_DO_VARIANCE,
    CAIRN_DO_COUNT,    /* how many are not missing */
    CAIRN_DO_COALESCE, /* the first that is not missing */
    CAIRN_DO_AND,
    CAIRN_DO_OR,
    CAIRN_DO_IF,
    CAIRN_DO_SUBTRACT,
    CAIRN_DO_MULTIPLY,
    CAIRN_DO_DIVIDE,
    CAIRN_DO_MOD,
    CAIRN_DO_POWER,
    CAIRN_DO_ATAN2,
    CAIRN_DO_HYPOT,
    CAIRN_DO_ROUND,
    CAIRN_DO_EQUAL,
    CAIRN_DO_UNEQUAL,
    CAIRN_DO_LESS,
    CAIRN_DO_LESS_EQUAL,
    CAIRN_DO_GREATER,
    CAIRN_DO_GREATER_EQUAL,
    /* of one number: 1 */
    CAIRN_DO_MISSING,
    CAIRN_DO_NOT,
    CAIRN_DO_FINITE, /* infinite numbers are missing */
    CAIRN_DO_ONE     /* and what follows: functions in the order of cairn_formula_functions */
} cairn_instruction;
extern const char *const cairn_formula_functions[]; /* names; NULL ends the list */

/* What an operation of parts of a time writes, in this order. */
typedef enum cairn_calendar_part {
    CAIRN_PART_YEAR,
    CAIRN_PART_QUARTER,
    CAIRN_PART_MONTH,
    CAIRN_PART_WEEK,
    CAIRN_PART_DAY,
    CAIRN_PART_WEEKDAY,
    CAIRN_PART_YEARDAY,
    CAIRN_PART_WEEKEND,
    CAIRN_PART_HOUR,
    CAIRN_PART_MINUTE,
    CAIRN_PART_SECOND,
    CAIRN_PART_WEEKS, /* of its year */
    CAIRN_PART_DAYS,  /* of its month */
    CAIRN_PART_YEARDAYS,
    CAIRN_PARTS
} cairn_calendar_part;

/* What an operation is called, and its sizes and tables; NULL ends a list. */
typedef struct cairn_op_form {
    const char *name;
    const char *sizes[CAIRN_OP_SIZES + 1];
    const char *codes[CAIRN_OP_CODES + 1];
    const char *numbers[CAIRN_OP_NUMBERS + 1];
} cairn_op_form;
extern const cairn_op_form cairn_op_forms[CAIRN_OP_KINDS];

typedef struct cairn_operation {
    cairn_op_kind kind;
    size_t n_in, n_out;
    int32_t *in;          /* n_in slots */
    int32_t out;          /* the first of n_out slots that follow each other */
    int32_t work, n_work; /* slots for its own use */
    int32_t fused;        /* how `predict` sums, where that is not what programs that are written
                             down do. AFFINE: a product (kernels/products.h) of the first so many
                             terms, then the constant and the other terms. SOFTMAX: 1 = as
                             cairn_softmax (rows/row_losses.h) does */
    int32_t sizes[CAIRN_OP_SIZES];
    size_t n_codes[CAIRN_OP_CODES], n_numbers[CAIRN_OP_NUMBERS]; /* lengths of the tables */
    int32_t *codes[CAIRN_OP_CODES];
    double *numbers[CAIRN_OP_NUMBERS];
} cairn_operation;

/* Where the answers are: first slots, -1 = there is none. A code is -1 unknown, -2 rejected. */
typedef struct cairn_program_answer {
    int32_t code, number, scores;
    size_t n_scores;
} cairn_program_answer;

typedef struct cairn_program {
    cairn_context *ctx;
    const char *part;    /* the learner or transform that is being written down; for messages */
    cairn_schema raw;    /* the raw columns */
    cairn_schema inputs; /* the same as numbers and levels, input i being slot i: a bag is a number
                            for each of its items, how much of it there is */
    cairn_operation **ops;
    size_t n_ops, ops_capacity;
    size_t n_slots;
    /* the table as the operations so far leave it: its columns and their slots (of a bag, that of
     * its first item; -1 = programs cannot read it) */
    cairn_schema now;
    int32_t *slots;
    /* while a transform writes itself down: the columns that it made */
    cairn_map made;
    int32_t *made_slots;
    size_t made_capacity;
    int32_t fresh; /* ... and slots of new columns whose names it does not tell, in their order */
    size_t n_fresh;
    bool replayed; /* ... it is made of others, and the table is already what they make of it */
    cairn_program_answer answer;
    double rounding; /* by which answers may differ from the model's, which sums in another order;
                        0 = by hardly anything */
} cairn_program;

/* -- the whole -- */

/* The program of a model: chain, learner, and what becomes of the answer. A part that has no closed
 * form fails (CAIRN_USAGE) and is named. *out is cleared by the caller, also after a failure. */
CAIRN_CHECKED cairn_status cairn_program_of(cairn_context *ctx, cairn_program *out,
                                            const cairn_model *model);
void cairn_program_clear(cairn_program *program);

/* For a learner that is made of models: one of them, on the same columns; afterwards the answer is
 * its answer. */
CAIRN_CHECKED cairn_status cairn_program_member(cairn_program *program, const cairn_model *model);
/* For a transform that is made of others: all of them. */
CAIRN_CHECKED cairn_status cairn_program_links(cairn_program *program, const cairn_link *links,
                                               size_t n);

/* -- for `lower` -- */

/* Add an operation that reads n_in slots and writes n_out new ones; its tables are still empty. */
CAIRN_CHECKED cairn_status cairn_program_add(cairn_program *program, cairn_op_kind kind,
                                             const int32_t *in, size_t n_in, size_t n_out,
                                             cairn_operation **out);
/* Table `at` of an operation, n zeros. */
CAIRN_CHECKED cairn_status cairn_op_codes(cairn_program *program, cairn_operation *op, size_t at,
                                          size_t n, int32_t **out);
CAIRN_CHECKED cairn_status cairn_op_numbers(cairn_program *program, cairn_operation *op, size_t at,
                                            size_t n, double **out);
/* The same, copied. */
CAIRN_CHECKED cairn_status cairn_op_copy_codes(cairn_program *program, cairn_operation *op,
                                               size_t at, const int32_t *codes, size_t n);
CAIRN_CHECKED cairn_status cairn_op_copy_numbers(cairn_program *program, cairn_operation *op,
                                                 size_t at, const double *numbers, size_t n);
/* Slots for the work of an operation. */
void cairn_op_work(cairn_program *program, cairn_operation *op, size_t n);

/* Slots of the features in the order of the learner's view; scratch. */
CAIRN_CHECKED cairn_status cairn_program_features(cairn_program *program, int32_t **out, size_t *n);
/* The same with the items of bags, which come behind all other columns. */
CAIRN_CHECKED cairn_status cairn_program_terms(cairn_program *program, int32_t **out, size_t *n);
/* The slot of a column of the table as it stands; a column that is not there fails. */
CAIRN_CHECKED cairn_status cairn_program_column(cairn_program *program, const char *name,
                                                int32_t *out);
/* The column `name` of the table that a transform makes is in this slot. Columns that it does not
 * name stay as they are, or are functions of one level column each, which are found by asking
 * `apply`. */
CAIRN_CHECKED cairn_status cairn_program_put(cairn_program *program, const char *name,
                                             int32_t slot);
/* The same for several columns that follow each other. */
CAIRN_CHECKED cairn_status cairn_program_put_all(cairn_program *program, const cairn_map *names,
                                                 int32_t first);
/* The columns of that table that have no name of before are in these slots, in their order. */
void cairn_program_put_new(cairn_program *program, int32_t first, size_t n);
/* Slots of the named columns; scratch. */
CAIRN_CHECKED cairn_status cairn_program_columns(cairn_program *program, const cairn_map *names,
                                                 int32_t **out);
/* A table of one row with the columns as they stand; the caller frees it. */
CAIRN_CHECKED cairn_status cairn_program_probe(cairn_program *program, cairn_table **out);
/* Fail: this has no closed form. The name of the learner or transform is put in front. */
CAIRN_CHECKED CAIRN_PRINTF(2, 3) cairn_status
    cairn_program_refuse(cairn_program *program, const char *format, ...);

/* -- operations that several need; *out is the first slot they write -- */

/* Numbers that depend on no row. */
CAIRN_CHECKED cairn_status cairn_lower_constants(cairn_program *program, const double *numbers,
                                                 size_t n, int32_t *out);
/* constants[k] + sum of weights[k * n_in + j] (x[j] - centres[j]); `centres` may be NULL. */
CAIRN_CHECKED cairn_status cairn_lower_affine(cairn_program *program, const int32_t *in,
                                              size_t n_in, size_t n_out, const double *constants,
                                              const double *weights, const double *centres,
                                              int32_t *out);
/* A linear model that answers a number, on all features and items of bags: all of `lower` for such
 * a learner. */
CAIRN_CHECKED cairn_status cairn_lower_linear(cairn_program *program, double constant,
                                              const double *weights, const double *centres);
/* Row x of an n x n_out table for level x, `otherwise` (n_out) for a missing cell. */
CAIRN_CHECKED cairn_status cairn_lower_lookup(cairn_program *program, int32_t in, size_t n,
                                              size_t n_out, const double *table,
                                              const double *otherwise, int32_t *out);
/* The sum of vectors of n slots each. */
CAIRN_CHECKED cairn_status cairn_lower_sum(cairn_program *program, const int32_t *firsts,
                                           size_t n_vectors, size_t n, int32_t *out);
/* The first largest of n slots. */
CAIRN_CHECKED cairn_status cairn_lower_largest(cairn_program *program, int32_t first, size_t n,
                                               int32_t *out);
/* `lower` of transforms that only look at levels, or leave columns out: nothing but what
 * cairn_program_put says of columns that are not named. */
CAIRN_CHECKED cairn_status cairn_lower_levels(const void *state, const cairn_job *job,
                                              cairn_program *out);

#endif
