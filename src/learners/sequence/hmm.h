/* SPDX-License-Identifier: MIT */
/* Markov models with named states: a chain, whose states are seen, or a hidden Markov model, of
 * which only what the states give off is seen: symbols, or vectors of numbers by a normal density.
 * And their text form:
 *
 *     # two coins behind a curtain
 *     states  fair loaded
 *     symbols H T
 *     start   0.6 0.4
 *     from fair    0.7 0.3
 *     from loaded  0.4 0.6
 *     emit fair    0.5 0.5
 *     emit loaded  0.8 0.2
 *
 * A semicolon ends a line, too. Names with blanks stand in double quotes; 1/3 is a number. Without
 * `start` all states are equally probable at first. Numbers in place of symbols: a line `mean
 * STATE x y` and a line `covariance STATE` with as many numbers (variances) or their square. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_H

#include "base/map.h"
#include "base/random.h"
#include "base/text.h"
#include "model/learner.h"
#include "report/report.h"
#include "solve/em.h"

enum { CAIRN_MOST_STATES = 4096 };

typedef struct cairn_hmm {
    size_t n_states;
    size_t n_symbols;          /* 0 = a chain, or numbers are given off */
    size_t n_numbers;          /* length of the vectors; 0 = a chain, or symbols are given off */
    cairn_map states, symbols; /* names */
    cairn_map columns;         /* names of the numbers; empty = they have none */
    double *start;             /* n_states: pi */
    double *move;              /* n_states x n_states: a_ij, from row to column */
    double *emit;              /* n_states x n_symbols: b_j(k) */
    double *mean;              /* n_states x n_numbers */
    double *covariance;        /* n_states x n_numbers x n_numbers */
} cairn_hmm;

/* Zeroed arrays of these sizes in an empty model, whose names the caller fills. */
CAIRN_CHECKED cairn_status cairn_hmm_make(cairn_context *ctx, cairn_hmm *out, size_t n_states,
                                          size_t n_symbols, size_t n_numbers);
void cairn_hmm_clear(cairn_hmm *model);

/* How many of its numbers may be chosen freely: rows of probabilities sum to 1, and where nothing
 * varies together covariances are variances. */
double cairn_hmm_free(const cairn_hmm *model);

/* The next name in [at, end): in double quotes, or up to a blank or comma. Returns what is behind
 * it, NULL at the end. */
typedef struct cairn_name {
    const char *at;
    size_t length;
} cairn_name;
const char *cairn_next_name(const char *at, const char *end, cairn_name *out);

/* Read the text form; `where` begins messages, which name the line. What it gives is checked. */
CAIRN_CHECKED cairn_status cairn_hmm_read(cairn_context *ctx, cairn_hmm *out, const char *where,
                                          const char *text, size_t length);
/* Fails when a probability is none, or when those of a row do not sum to 1, with row and sum. */
CAIRN_CHECKED cairn_status cairn_hmm_check(cairn_context *ctx, const cairn_hmm *model,
                                           const char *where);
/* The text form, which reads back as the same numbers. */
void cairn_hmm_write(cairn_text *out, const cairn_hmm *model);

/* Index of the first share of n that reaches a random number below their sum. */
size_t cairn_hmm_pick(cairn_random *random, const double *shares, size_t n);
/* n steps of the model's story: states, and what they give off, symbols or numbers (n x
 * n_numbers), whichever it has; `symbols` and `numbers` may be NULL. */
CAIRN_CHECKED cairn_status cairn_hmm_sample(cairn_context *ctx, const cairn_hmm *model,
                                            cairn_random *random, size_t n, int32_t *states,
                                            int32_t *symbols, double *numbers);

/* One sequence and a hidden Markov model, as on the board: every table whole, one number after the
 * other. For calculators, explanations and tests; hmm.h has the passes for many and long
 * sequences. */

/* What is seen of a sequence: symbols (-1 = missing), or vectors of numbers (NaN = missing). */
typedef struct cairn_hmm_seen {
    size_t n;
    const int32_t *symbols; /* n; NULL = numbers */
    const double *numbers;  /* n x n_numbers */
} cairn_hmm_seen;

/* Normal densities that are ready to be asked: ln p(x | state) = constant - |W (x - mean)|² / 2. */
typedef struct cairn_hmm_normals {
    double *whites;    /* n_states x n_numbers x n_numbers, lower triangles; scratch */
    double *constants; /* n_states */
} cairn_hmm_normals;

/* Room to fill a vector in; scratch. */
typedef struct cairn_hmm_filling {
    double *x;      /* d: the vector, with what is expected in the place of what is missing */
    double *spread; /* d x d: covariance of the missing numbers, 0 elsewhere */
    double *factor; /* d x d */
    size_t *holes;  /* d: which numbers are missing */
    size_t n_holes;
} cairn_hmm_filling;

/* ln b_j of a step for every state: 0 where nothing is seen. */
void cairn_hmm_step_logs(double *out, const cairn_hmm *model, const cairn_hmm_normals *normals,
                         const cairn_hmm_seen *seen, size_t step, cairn_hmm_filling *buffer);

/* ln P(step | steps before it) of every step, which add up to ln P(sequence); -inf from the step on
 * that nothing leads to. Two rows of the forward table are all that is kept. */
CAIRN_CHECKED cairn_status cairn_hmm_foretell(cairn_context *ctx, double *out,
                                              const cairn_hmm *model, const cairn_hmm_seen *seen);

/* All arrays are scratch, n_steps x n_states unless said otherwise. */
typedef struct cairn_hmm_tables {
    size_t n_steps, n_states;
    double *logs;     /* ln b_j(o_t) */
    double *alpha;    /* forward, divided by its sum in each step */
    double *scale;    /* n_steps: ln of those sums */
    double *beta;     /* backward, divided by the same sums */
    double *gamma;    /* P(state at t | sequence) */
    double *delta;    /* ln of the most probable path that ends so */
    int32_t *from;    /* the state before on that path; -1 = none */
    int32_t *path;    /* n_steps: Viterbi; -1 = the sequence is impossible */
    int32_t *decoded; /* n_steps: the most probable state of each step */
    double log_p, log_path;
    size_t impossible; /* the step that nothing leads to; n_steps = none */
} cairn_hmm_tables;

CAIRN_CHECKED cairn_status cairn_hmm_tables_make(cairn_context *ctx, cairn_hmm_tables *out,
                                                 const cairn_hmm *model,
                                                 const cairn_hmm_seen *seen);
/* ξ: P(i at step t and j at the next one | sequence). */
double cairn_hmm_tables_xi(const cairn_hmm_tables *tables, const cairn_hmm *model, size_t t,
                           size_t i, size_t j);

/* Vectors that states give off: their normal densities and sums, also where some of their numbers
 * are missing. Such a vector has the density of the numbers that are there; in the sums the others
 * are what the state expects of them, given these. */

/* Fails with the state whose covariance is none. */
CAIRN_CHECKED cairn_status cairn_hmm_normals_make(cairn_context *ctx, cairn_hmm_normals *out,
                                                  const cairn_hmm *model);
CAIRN_CHECKED cairn_status cairn_hmm_filling_make(cairn_context *ctx, cairn_hmm_filling *out,
                                                  size_t d);

/* How many of the d numbers are missing. */
size_t cairn_hmm_missing(const double *x, size_t d);
/* ln of the density of what is there of a vector in a state; 0 where nothing is. */
double cairn_hmm_density(const cairn_hmm *model, const cairn_hmm_normals *normals, size_t state,
                         const double *x, cairn_hmm_filling *buffer);

typedef struct cairn_hmm_sums {
    double *start;  /* n_states: sequences that begin there */
    double *move;   /* n_states x n_states */
    double *emit;   /* n_symbols x n_states: steps that give the symbol off */
    double *normal; /* n_states x (1 + d + d (d + 1) / 2): weight, sums and upper triangle of the
                       products of x - shift */
    const double *shift; /* d: subtracted from vectors, for the digits; NULL = zeros */
    size_t size;         /* of all together, which begin at `start` */
} cairn_hmm_sums;

/* Add a vector to the moments of a state; one of which nothing is there adds nothing. */
void cairn_hmm_add_vector(const cairn_hmm_sums *sums, const cairn_hmm *model,
                          const cairn_hmm_normals *normals, size_t state, const double *x,
                          double weight, cairn_hmm_filling *buffer);

/* What Baum and Welch count, as it is expected of hidden states or known, and the model that it
 * makes. */

/* Zeroed, of scratch. */
CAIRN_CHECKED cairn_status cairn_hmm_sums_make(cairn_context *ctx, cairn_hmm_sums *out,
                                               const cairn_hmm *model);
/* How many numbers they are, and where each part of them lies in `numbers`. */
size_t cairn_hmm_sums_size(const cairn_hmm *model);
cairn_hmm_sums cairn_hmm_sums_at(const cairn_hmm *model, double *numbers);

/* How covariances are made of the sums. */
typedef struct cairn_hmm_floor {
    const double *variances; /* d: no variance, in whatever direction, is smaller than what these
                                give there; NULL = they may vanish */
    bool diagonal;           /* covariances between different numbers are 0 */
} cairn_hmm_floor;

/* Likelihoods, posteriors, expected counts and most probable paths of many sequences, which may be
 * millions of steps long.
 *
 * Long sequences are cut into chunks, and eight chunks go through their steps side by side
 * (kernels/octets.h), groups of eight over all threads. What a chunk needs of its neighbours, the
 * forward numbers at its beginning and the backward numbers at its end, comes first: each chunk's
 * product of matrices, made in the same way, takes it over in one step. Chunks do not depend on the
 * number of threads. */

/* Sequences one behind the other. */
typedef struct cairn_hmm_data {
    size_t n;               /* sequences */
    const size_t *begins;   /* n + 1: steps before each */
    const int32_t *symbols; /* of all steps, -1 = missing; NULL = numbers */
    const double *numbers;  /* steps x d; NaN = missing */
    const double *weights;  /* n; NULL = ones */
} cairn_hmm_data;

/* One sequence of them. */
cairn_hmm_seen cairn_hmm_sequence(const cairn_hmm_data *data, size_t d, size_t i);

/* Room and order of work for models of one shape; all of scratch. */
typedef struct cairn_hmm_plan cairn_hmm_plan;
CAIRN_CHECKED cairn_status cairn_hmm_plan_make(cairn_context *ctx, cairn_hmm_plan **out,
                                               const cairn_hmm *model, const cairn_hmm_data *data);

/* What is wanted; NULL = not. */
typedef struct cairn_hmm_wanted {
    double *logs;         /* n: ln P of each sequence; -inf = impossible */
    cairn_hmm_sums *sums; /* expected counts, in place of what was there; of weighted
                             sequences */
    double *gamma;        /* steps x n_states: posteriors */
} cairn_hmm_wanted;

CAIRN_CHECKED cairn_status cairn_hmm_expect(cairn_context *ctx, const cairn_hmm_wanted *out,
                                            cairn_hmm_plan *plan, const cairn_hmm *model,
                                            const cairn_hmm_data *data);

/* Viterbi: the states of all steps, -1 in sequences that are impossible; logs (n, may be NULL) of
 * the paths together with their sequences. Of equal paths the one whose last state, and then the
 * one before, ... is the first. */
CAIRN_CHECKED cairn_status cairn_hmm_paths(cairn_context *ctx, int32_t *states, double *logs,
                                           const cairn_hmm *model, const cairn_hmm_data *data);

/* An iteration of Baum and Welch as on the board: where the expected counts come from, what they
 * add up to, and the parameters that they become. */

/* After an E step, before the M step. All borrowed. */
typedef struct cairn_hmm_moment {
    const cairn_hmm *model;
    const cairn_hmm_sums *sums; /* of all sequences */
    cairn_hmm_floor floor;
    double smooth;       /* added to every count of moves and symbols */
    cairn_hmm_seen seen; /* a sequence whose γ and ξ are written out ... */
    size_t number;       /* ... which is the n-th, of so many */
    size_t n_sequences;
    size_t start, iteration; /* from 0 */
    double log;              /* ln P of all sequences */
    bool last;               /* there is no M step any more */
} cairn_hmm_moment;

/* γ and ξ of the sequence, the expected counts, and the shares, means and covariances that come
 * next. Models of many states, symbols or numbers are left out. Names begin with `prefix`:
 * "gamma.1.S", "xi.1.S.T", "count.start.S", "count.move.S.T", "count.emit.S.O", "count.S". */
void cairn_hmm_work(cairn_report *out, const cairn_hmm_moment *moment, const char *prefix);

/* Hidden Markov models from sequences: by Baum and Welch where states are hidden, by counting where
 * they are known. */

typedef struct cairn_hmm_options {
    size_t starts;
    bool given;    /* begin with what is in the model, and only once */
    size_t stream; /* of random numbers */
    double smooth; /* added to every count of moves and symbols */
    double floor;  /* least variance, as a part of that of all numbers */
    bool diagonal; /* numbers of a step do not vary together */
    /* After every E step; NULL = nobody looks. */
    void (*watch)(void *data, size_t start, size_t iteration, double log);
    /* When all is learned: the first so many iterations of the start that is kept, once more. */
    void (*show)(void *data, const cairn_hmm_moment *moment);
    size_t shown;
    void *data;
    cairn_certificate *certificate; /* NULL = nobody asks */
} cairn_hmm_options;

typedef struct cairn_hmm_course {
    double log_likelihood; /* with the logarithm of the prior that `smooth` is */
    size_t best_start;
    size_t floored; /* states whose covariance met the floor at the end */
} cairn_hmm_course;

/* Baum and Welch into a model whose room is made: the best of several starts; `progress` becomes
 * its course. Fails where a sequence is impossible under a given start, and where numbers are
 * too large to have a variance. */
CAIRN_CHECKED cairn_status cairn_hmm_learn(cairn_context *ctx, cairn_hmm *model,
                                           const cairn_hmm_data *data,
                                           const cairn_hmm_options *options,
                                           cairn_progress *progress, cairn_hmm_course *out);

/* ln of the likelihood of all sequences, with the prior that `smooth` is, as proofs work it out. */
CAIRN_CHECKED cairn_status cairn_hmm_again(cairn_context *ctx, cairn_em_again *out,
                                           const cairn_hmm *model, const cairn_hmm_data *data,
                                           double smooth);

/* Shares of counts, or means and covariances, where the state of every step is known (-1 = not). Of
 * the options `smooth`, `floor` and `diagonal` count. */
CAIRN_CHECKED cairn_status cairn_hmm_count(cairn_context *ctx, cairn_hmm *model,
                                           const cairn_hmm_data *data, const int32_t *states,
                                           const cairn_hmm_options *options, cairn_hmm_sums *sums);

/* -- learned hidden Markov models: one, or one for each class -- */

/* Where the steps of a table are. */
typedef enum cairn_hmm_shape {
    CAIRN_HMM_SEQUENCES,      /* in a column of sequences: a row is a sequence */
    CAIRN_HMM_LEVEL_COLUMNS,  /* in columns of levels, from left to right: a row is a sequence */
    CAIRN_HMM_NUMBER_COLUMNS, /* in columns of numbers, from left to right */
    CAIRN_HMM_NUMBER_ROWS,    /* in the rows, from the first to the last: one sequence of vectors */
    CAIRN_HMM_LEVEL_ROWS,     /* likewise of the levels of a column */
    CAIRN_HMM_SERIES,         /* in columns of series: a row is a sequence of vectors */
    CAIRN_HMM_SHAPES
} cairn_hmm_shape;

typedef struct cairn_hmm_model {
    int32_t shape;     /* cairn_hmm_shape */
    bool known;        /* states are the classes of items */
    size_t n_models;   /* classes, or 1 */
    double *weights;   /* n_models: rows of each class */
    double *lengths;   /* n_models: mean steps of their sequences */
    cairn_hmm *models; /* n_models, of the same symbols or numbers */
} cairn_hmm_model;

/* How the models came about. */
typedef struct cairn_hmm_history {
    size_t n;                                           /* models */
    double *lengths, *iterations, *converged, *floored; /* n */
    double *values; /* log-likelihoods, model after model, `lengths` of each */
    size_t n_values;
} cairn_hmm_history;

/* Decide where the steps are; `rows` = rows may be steps. Fails where there are none. */
CAIRN_CHECKED cairn_status cairn_hmm_find_steps(cairn_context *ctx, const cairn_view *view,
                                                bool rows, int32_t *shape);
/* The steps of these rows of a view (of all in their order, where `list` is NULL); scratch. Symbols
 * that the map lacks are added to it if `grow`, else they are missing. */
CAIRN_CHECKED cairn_status cairn_hmm_read_steps(cairn_context *ctx, cairn_hmm_data *out,
                                                const cairn_view *view, int32_t shape,
                                                const uint32_t *list, size_t n, cairn_map *symbols,
                                                bool grow);
/* Numbers of a step: columns of numbers where rows are steps, or of series, 1 where columns are. */
size_t cairn_hmm_width(const cairn_view *view, int32_t shape);

/* The names of the columns that a step's numbers stand in; none where columns are the steps. */
CAIRN_CHECKED cairn_status cairn_hmm_name_numbers(cairn_context *ctx, cairn_map *out,
                                                  const cairn_schema *schema, int32_t shape);
void cairn_hmm_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_hmm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
cairn_status cairn_hmm_sample_rows(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random);
/* The name of model i: of its class, or "" where there is one. */
const char *cairn_hmm_model_name(const cairn_hmm_model *model, const cairn_job *job, size_t i);

extern const cairn_learned cairn_hmm_learned[];

/* -- hidden Markov models and their tables in reports -- */

/* Start, moves and what is given off, as tables; names of values begin with `prefix`: "start.S",
 * "move.S.S", "emit.S.O", "mean.S.1", "covariance.S.1.1". */
void cairn_hmm_report_model(cairn_report *out, const cairn_hmm *model, const char *prefix);

/* One sequence: forward, backward, posterior and Viterbi tables with the decisions, its probability
 * and logarithm. With `steps` the first of each are worked out. Names begin with `prefix`. */
void cairn_hmm_report_tables(cairn_report *out, const cairn_hmm *model, const cairn_hmm_seen *seen,
                             const cairn_hmm_tables *tables, const char *prefix, bool steps);

#endif
