/* SPDX-License-Identifier: MIT */
/* cairn describe DATA: what the parts share. The facts of every column are found once, side by
 * side; then each section of the report is written from them. Values are named STATISTIC.COLUMN:
 * mean.age, missing.age, count.colour.red. */
#ifndef CAIRN_COMMAND_DESCRIBE_H
#define CAIRN_COMMAND_DESCRIBE_H

#include "command/command.h"
#include "data/view.h"
#include "stats/frequency.h"
#include "stats/summary.h"

typedef struct cairn_describe_how {
    cairn_common common;
    int rows, columns, figures;
    const char *show, *by, *against, *label_mark;
    int divisor, quantile, correlation;
} cairn_describe_how;

enum { CAIRN_PEARSON, CAIRN_SPEARMAN, CAIRN_BOTH_CORRELATIONS };

/* Sections that --show names. */
enum {
    CAIRN_SHOW_COLUMNS = 1,
    CAIRN_SHOW_STATISTICS = 2,
    CAIRN_SHOW_SHAPE = 4,
    CAIRN_SHOW_LEVELS = 8,
    CAIRN_SHOW_TARGET = 16,
    CAIRN_SHOW_CORRELATION = 32,
    CAIRN_SHOW_COVARIANCE = 64,
    CAIRN_SHOW_PAIRS = 128,
    CAIRN_SHOW_CHECKS = 256,
    CAIRN_SHOW_ROWS = 512,
    CAIRN_SHOW_FIGURES = 1024
};

/* What kind of statistics a column permits. */
typedef enum cairn_measurement {
    CAIRN_NO_STATISTICS, /* text, bags, sequences */
    CAIRN_BOOLEAN,       /* two levels: the mode */
    CAIRN_CATEGORICAL,   /* the mode */
    CAIRN_ORDINAL,       /* and the median and quantiles */
    CAIRN_QUANTITATIVE   /* and everything that adds and multiplies */
} cairn_measurement;

enum { CAIRN_FACT_BARS = 10 };

typedef struct cairn_column_facts {
    cairn_measurement measurement;
    size_t n;                     /* rows with a value */
    cairn_summary summary;        /* of numbers; of an ordinal column's codes */
    double quantiles[3];          /* ordinal: codes of Q1, median, Q3 */
    double bars[CAIRN_FACT_BARS]; /* a small histogram, or the levels as the domain lists them */
    size_t n_bars;
    double *counts;           /* levels: weight of each code */
    uint32_t *order;          /* levels: codes, the heaviest first */
    size_t n_used;            /* levels that occur */
    size_t n_outliers, n_far; /* beyond 1.5 and 3 IQR of the quartiles */
    double fences[2];         /* at 1.5 IQR */
    size_t n_infinite;
    size_t n_texts, n_top,
        top_row;   /* text: distinct values, rows of the commonest, its first row */
    uint64_t hash; /* of the values, for finding equal columns */
    struct cairn_small_picture *picture; /* to be drawn on pages; NULL = not */
} cairn_column_facts;

typedef struct cairn_describing {
    cairn_context *ctx;
    cairn_command *command;
    cairn_report *report;
    const cairn_describe_how *options;
    unsigned show;
    const cairn_table *table;
    const double *weights;     /* per row; NULL = all 1 */
    ptrdiff_t target;          /* column, -1 = none */
    size_t limit;              /* rows of tables that list columns */
    cairn_column_facts *facts; /* per column */
    bool brief;                /* the report has a brief form: no sections were asked for */
} cairn_describing;

/* What --show asks for; fails on a word that is no section. */
CAIRN_CHECKED cairn_status cairn_describe_sections(cairn_context *ctx, const char *list,
                                                   unsigned *out);
/* Choose the columns that are drawn; before their facts are found. */
CAIRN_CHECKED cairn_status cairn_describe_choose_figures(cairn_describing *d);
/* Histogram and curve of a number column from its sample, while it is at hand. */
CAIRN_CHECKED cairn_status cairn_describe_picture(cairn_context *ctx, const cairn_describing *d,
                                                  size_t column, const cairn_sample *sample);
/* Find the facts of all columns of a table (scratch). */
CAIRN_CHECKED cairn_status cairn_describe_facts(cairn_describing *d);

/* Whether a column takes part in learning: a feature or a target. */
bool cairn_describe_learns(const cairn_slot *slot);
/* A number of a column: times as dates, numbers with `digits` digits. */
void cairn_describe_cell(cairn_describing *d, const cairn_slot *slot, double value, int digits,
                         const char *statistic);
/* Weight of a row. */
static inline double cairn_describe_weight(const cairn_describing *d, size_t row)
{
    return d->weights ? d->weights[row] : 1;
}

/* In brief: every column on a line, what the target holds. */
void cairn_describe_glance(cairn_describing *d);
/* The sections, in the order of the report. */
void cairn_describe_columns(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_figures(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_checks(cairn_describing *d);
void cairn_describe_statistics(cairn_describing *d);
void cairn_describe_shape(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_levels(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_by(cairn_describing *d, const char *column);
CAIRN_CHECKED cairn_status cairn_describe_target(cairn_describing *d);
/* Columns that tell the classes by one split. */
CAIRN_CHECKED cairn_status cairn_describe_leaks(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_correlations(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_pairs(cairn_describing *d);
CAIRN_CHECKED cairn_status cairn_describe_against(cairn_describing *d, const cairn_table *other,
                                                  const char *name);

#endif
