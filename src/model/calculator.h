/* SPDX-License-Identifier: MIT */
/* Calculators: small computations on typed numbers or on a table, for `cairn compute`, and figures
 * of a table, of a model, or of both, for `cairn draw`. */
#ifndef CAIRN_MODEL_CALCULATOR_H
#define CAIRN_MODEL_CALCULATOR_H

#include "cairn/model.h"
#include "data/table.h"
#include "entry/entry.h"
#include "report/table_rows.h"

/* What stands beside the target in a table that is made of the answers of models. */
typedef enum cairn_answers {
    CAIRN_ANSWERS_NONE,    /* no models are taken */
    CAIRN_ANSWERS_SCORES,  /* for each model a column with its score of the positive class */
    CAIRN_ANSWERS_CLASSES, /* a table per model: a score of each class, named p(CLASS) */
    CAIRN_ANSWERS_LABELS,  /* one model: its answers as the column 'predicted' */
    CAIRN_ANSWERS_PAIR,    /* two models: their answers as the columns 'first' and 'second' */
    CAIRN_ANSWERS_NUMBERS, /* one model: predicted numbers as the column 'predicted' */
    CAIRN_ANSWERS_POINTS,  /* a row for each model: its name, tp, fn, fp and tn */
    CAIRN_ANSWERS_EITHER   /* CLASSES, or where the models predict a number a table per model with
                              it as the column 'predicted'; the target may be unknown */
} cairn_answers;

/* Options about the roles of columns that a calculator has a use for; others are refused. */
enum {
    CAIRN_READS_TARGET = 1,   /* --target, --against-rest */
    CAIRN_READS_WEIGHT = 2,   /* --weight: how much a row counts, or a result that takes it along */
    CAIRN_READS_FEATURES = 4, /* --features, --ignore */
    CAIRN_READS_ID = 8,       /* --id */
    CAIRN_READS_GROUP = 16,   /* --group */
    /* what is not named by options of its own is taken by its role, so that these matter alike */
    CAIRN_READS_COLUMNS = CAIRN_READS_FEATURES | CAIRN_READS_ID | CAIRN_READS_GROUP,
    CAIRN_READS_ROLES = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT
};

/* The tables that a command named. */
typedef struct cairn_tables {
    const cairn_table *const *list;
    size_t n;
} cairn_tables;

/* What a calculator works on. All borrowed. */
typedef struct cairn_compute_job {
    const char *what;         /* "compute roc", for messages */
    const void *params;       /* the calculator's parameter struct */
    const cairn_table *table; /* NULL when the command named no data */
    cairn_tables tables;      /* the same, with others behind it where the record takes several */
    bool steps;               /* show the work */
    cairn_table **result;     /* a calculator whose answer is a table leaves it here, for --out;
                                 NULL = not wanted */
    const char *word;         /* what takes_word asked for; else NULL */
    const cairn_model *model; /* when one was named; else NULL */
} cairn_compute_job;

/* One topic: a calculation, a picture, or both where they are the same thing, with the same
 * parameters and the same data. */
typedef struct cairn_calculator {
    cairn_entry entry;     /* kind CAIRN_ENTRY_CALCULATOR: cairn compute; empty = it only draws */
    cairn_entry picture;   /* kind CAIRN_ENTRY_PICTURE: cairn draw; empty = it only computes */
    const char *arguments; /* "[DATA]", "MODEL [DATA]" or "" */
    bool needs_data;       /* must be given a table */
    bool takes_data;       /* may be given a table; its options can stand in for it */
    unsigned reads;        /* CAIRN_READS_...: roles of the table's columns that it looks at */
    bool needs_model;      /* must be given a model, before the table */
    bool takes_model;      /* may be given a model; its options can stand in for it */
    bool takes_word;       /* needs a word, which says what is to be done */
    bool baskets;          /* the table is of transactions: see cairn_seems_baskets */
    bool several;          /* compares what several tables or models say */
    cairn_answers answers; /* what a table made of the answers of models has to hold */
    cairn_status (*run)(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job);
    cairn_status (*draw)(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job);
} cairn_calculator;

/* The record of an entry of either kind. */
static inline const cairn_calculator *cairn_calculator_of(const cairn_entry *entry)
{
    size_t offset = entry->kind == CAIRN_ENTRY_PICTURE ? offsetof(cairn_calculator, picture) : 0;
    return (const cairn_calculator *)(const void *)((const char *)entry - offset);
}

#endif
