/* SPDX-License-Identifier: MIT */
/* Naive Bayes, the inside. A model is a prior and a list of parts. A part looks at one column (or
 * at several number columns that make one bag) and knows how likely what it sees is in each class;
 * the parts are taken as independent within a class, so their logarithms add up.
 *
 * bayes_count.c decides the parts, adds rows to their counts and moments, and makes room for levels
 * and classes that come with later rows; bayes.c makes logarithms of these and applies them to
 * rows; bayes_show.c shows the work. */
#ifndef CAIRN_LEARNERS_BAYES_BAYES_H
#define CAIRN_LEARNERS_BAYES_BAYES_H

#include "model/learner.h"
#include "stats/density.h"
#include "stats/frequency.h"
#include "stats/smoothing.h"

typedef enum cairn_bayes_density {
    CAIRN_BAYES_CATEGORICAL, /* levels, or numbers whose distinct values are taken as levels */
    CAIRN_BAYES_BERNOULLI,   /* there or not: words of a bag, numbers above 0 */
    CAIRN_BAYES_MULTINOMIAL, /* words drawn from the bag of the class */
    CAIRN_BAYES_GAUSSIAN,
    CAIRN_BAYES_HISTOGRAM, /* density over bins */
    CAIRN_BAYES_KERNEL,
    CAIRN_BAYES_BINNED, /* probability of bins */
    CAIRN_BAYES_DENSITIES
} cairn_bayes_density;

typedef enum { CAIRN_ABSENT_COUNT, CAIRN_ABSENT_IGNORE } cairn_bayes_absent;
typedef enum { CAIRN_TERMS_OCCURRENCES, CAIRN_TERMS_DOCUMENTS } cairn_bayes_terms;
typedef enum { CAIRN_SMOOTH_UNIFORM, CAIRN_SMOOTH_OVERALL } cairn_bayes_smooth_prior;

typedef struct cairn_bayes_params {
    const char *density, *smooth, *prior;
    int smooth_prior; /* cairn_bayes_smooth_prior */
    int divisor;      /* cairn_divisor */
    double least_variance, least_of_largest, add_variance;
    int absent, terms;
    double score_scale;
    bool coefficient;
    int log; /* base of the scores that are shown: 0 = e */
    cairn_density_options kernel;
    cairn_bin_options bins;
    int top;
} cairn_bayes_params;

typedef struct cairn_bayes_part {
    int32_t density;
    bool of_numbers; /* number columns; else a level or a bag column */
    size_t n_features;
    int32_t *features;    /* n_features columns of the view: one, but for a bag made of numbers */
    size_t n_values;      /* levels, values, bins, words; 1 for a Bernoulli number, else 0 */
    double *counts;       /* n_values x n_classes: weight of the rows, or of the words */
    double *totals;       /* n_classes: weight of the rows that have a value; of all words */
    double *means;        /* n_classes: Gaussian */
    double *squares;      /* n_classes: Gaussian, sums of squared deviations from the means */
    double *places;       /* values (n_values) of a categorical number, edges (n_values + 1) */
    bool closed_right;    /* of the bins */
    size_t n_kept;        /* kernel: training values, those of a class together, ascending */
    double *kept;         /* n_kept */
    double *kept_weights; /* n_kept */
    double *kept_of;      /* n_classes: how many of them each class has */

    /* made from the above by cairn_bayes_make_tables */
    double *logs;    /* n_values x n_classes: ln of the factor, see bayes.c */
    double *base;    /* n_classes: what every row gets */
    double *rates;   /* n_classes: Gaussian: 1 / (sd sqrt 2); kernel: the bandwidth */
    double *centres; /* n_classes: Gaussian: mean in force */
    double floor;    /* kernel: least density */
    bool has_musts;  /* Bernoulli bag: some word is in every training row of a class */
    bool idle;       /* tells nothing: a constant column */
    size_t n_raised; /* Gaussian: classes whose variance was raised */
    double pooled_mean, pooled_variance; /* Gaussian: over all classes, by n */
} cairn_bayes_part;

typedef struct cairn_bayes_model {
    size_t n_classes, n_features, n_parts;
    double *classes; /* n_classes: weight of the training rows */
    cairn_bayes_part *parts;

    /* settings that the tables are made by */
    int32_t smooth_kind; /* cairn_smoothing_kind, -1 = by the density */
    double smooth_amount;
    int32_t smooth_prior, divisor, absent, terms, kernel, bandwidth_rule, prior_kind;
    double *given_prior; /* n_given */
    size_t n_given;
    double least_variance, least_of_largest, add_variance, score_scale, bandwidth;
    bool coefficient;

    double *log_prior; /* n_classes; -inf: no training row */
    double added;      /* to every variance */
    double least;      /* variance of any column, by the largest one */
    /* the Gaussian parts side by side: n_normal columns */
    size_t n_normal;
    size_t *normal_parts;
    double *normal_means, *normal_rates, *normal_base; /* n_classes x n_normal */
} cairn_bayes_model;

typedef enum {
    CAIRN_PRIOR_EMPIRICAL,
    CAIRN_PRIOR_UNIFORM,
    CAIRN_PRIOR_NONE,
    CAIRN_PRIOR_GIVEN
} cairn_bayes_prior;

extern const char *const cairn_bayes_density_names[CAIRN_BAYES_DENSITIES];

/* Column f of the view. */
const cairn_field *cairn_bayes_field(const cairn_schema *schema, size_t feature);
/* All of them, in the view's order; scratch. */
CAIRN_CHECKED cairn_status cairn_bayes_fields(cairn_context *ctx, const cairn_field ***out,
                                              const cairn_schema *schema);
const char *cairn_bayes_class(const cairn_schema *schema, size_t c);

/* -- bayes_count.c -- */
/* Refuse a --density or --prior that cannot be read; data is not needed. */
CAIRN_CHECKED cairn_status cairn_bayes_check(cairn_context *ctx, const void *params);
/* What a {prior} says: its kind, and the numbers of a list (scratch; they add up to 1). */
CAIRN_CHECKED cairn_status cairn_bayes_read_prior(cairn_context *ctx, const char *text,
                                                  int32_t *kind, double **list, size_t *n);
/* Settings and parts with room for their counts; nothing is counted yet. */
CAIRN_CHECKED cairn_status cairn_bayes_plan(cairn_context *ctx, cairn_bayes_model *m,
                                            const cairn_job *job);

/* -- bayes_count.c -- */
/* Add the rows of the view to the counts. */
CAIRN_CHECKED cairn_status cairn_bayes_count(cairn_context *ctx, cairn_bayes_model *m,
                                             const cairn_job *job);

/* -- bayes_count.c -- */
/* Make room for classes, levels and values that are new in the job. */
CAIRN_CHECKED cairn_status cairn_bayes_grow(cairn_context *ctx, cairn_bayes_model *m,
                                            const cairn_job *job);
/* The smoothing of a part. */
cairn_smoothing cairn_bayes_smoothing(const cairn_bayes_model *m, const cairn_bayes_part *part);
/* P(value | class), or for a Bernoulli part P(there | class). */
double cairn_bayes_probability(const cairn_bayes_model *m, const cairn_bayes_part *part,
                               size_t value, size_t c);
/* The variance in force of a Gaussian part that has its tables, and what the rows of the class
 * have. */
double cairn_bayes_variance(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c);
/* Whether the rows of the class vary too little, so that the variance in force is the least one. */
bool cairn_bayes_is_raised(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c);
/* Mean and variance (by n) of a Gaussian part over all classes. */
void cairn_bayes_pooled(const cairn_bayes_model *m, const cairn_bayes_part *part, double *mean,
                        double *variance);
/* ln of the density of a kernel part at m points (ascending), n_points x n_classes. */
CAIRN_CHECKED cairn_status cairn_bayes_kernel_logs(cairn_context *ctx, double *out,
                                                   const cairn_bayes_model *m,
                                                   const cairn_bayes_part *part,
                                                   const double *points, size_t n_points);
/* The value of a part that a number falls on, -1 = none. */
ptrdiff_t cairn_bayes_place(const cairn_bayes_part *part, double x);

/* -- bayes.c -- */
/* ln(prior x product of factors) of every row of the view and every class: n x n_classes. */
CAIRN_CHECKED cairn_status cairn_bayes_scores(cairn_context *ctx, double *out,
                                              const cairn_bayes_model *m, const cairn_view *view);
/* The logarithms of one part for one row, n_classes; false when the part is skipped there. */
CAIRN_CHECKED cairn_status cairn_bayes_factors(cairn_context *ctx, double *out, bool *there,
                                               const cairn_bayes_model *m,
                                               const cairn_bayes_part *part, const cairn_view *view,
                                               size_t row);
/* Scores into probabilities, in place; returns ln of their sum. When every class is impossible the
 * probabilities are the shares of the classes and -inf is returned. */
double cairn_bayes_posterior(double *scores, const cairn_bayes_model *m);

/* -- bayes_count.c -- */
CAIRN_CHECKED cairn_status cairn_bayes_sample(cairn_context *ctx, cairn_table *out,
                                              const void *model, const cairn_job *job,
                                              cairn_random *random);

/* -- bayes_count.c -- */
extern const cairn_export_form cairn_bayes_forms[];

/* -- showing -- */
void cairn_bayes_steps(cairn_context *ctx, const cairn_bayes_model *m, const cairn_job *job);
void cairn_bayes_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_bayes_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* The name of the part: its column, or "counts" for a bag made of number columns. */
const char *cairn_bayes_part_name(const cairn_bayes_part *part, const cairn_job *job);
/* The name of a value: level, number, interval or word; `text` is cleared first. */
const char *cairn_bayes_value_name(cairn_text *text, const cairn_bayes_part *part,
                                   const cairn_job *job, size_t value);

extern const cairn_learned cairn_bayes_tables[];

#endif
