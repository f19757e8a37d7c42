/* SPDX-License-Identifier: MIT */
/* The inside of a report, for the printers: blocks in order, tables and figures by number, values
 * in order of arrival with a map from name to number. All strings live in the report's chunks and
 * never move, so that appending one report to another only hands the chunks over. */
#ifndef CAIRN_REPORT_DOCUMENT_H
#define CAIRN_REPORT_DOCUMENT_H

#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "report/report.h"

typedef enum cairn_block_kind {
    CAIRN_BLOCK_HEADING,
    CAIRN_BLOCK_PARAGRAPH,
    CAIRN_BLOCK_NOTE,
    CAIRN_BLOCK_FORMULA,
    CAIRN_BLOCK_VERBATIM,
    CAIRN_BLOCK_NUMBER, /* a value line */
    CAIRN_BLOCK_WORD,   /* a value line whose value is text */
    CAIRN_BLOCK_TABLE,
    CAIRN_BLOCK_FIGURE,
    CAIRN_BLOCK_STEP,
    CAIRN_BLOCK_SPACE, /* lines to write on: `index` of them */
    CAIRN_BLOCK_PAGE,  /* what follows begins a page of paper */
    CAIRN_BLOCK_STEP_END,
    CAIRN_BLOCK_CHAPTER,
    CAIRN_BLOCK_FOLD,
    CAIRN_BLOCK_FOLD_END,
    CAIRN_BLOCK_CLIP,
    CAIRN_BLOCK_CLIP_END
} cairn_block_kind;

typedef struct cairn_block {
    cairn_block_kind kind;
    int level;        /* of a heading: 1 to 3; of a figure or note: 1 = for pages only */
    unsigned lengths; /* CAIRN_IN_BRIEF, CAIRN_IN_FULL or both */
    size_t index; /* of the table or figure; of a value's name plus 1, 0 = it has none; of a clip:
                         lines at least */
    const char *text; /* text, title or label; NULL for tables, figures and ends */
    const char *word; /* value of a CAIRN_BLOCK_WORD */
    double number;    /* value of a CAIRN_BLOCK_NUMBER */
} cairn_block;

typedef struct cairn_shown_cell {
    const char *text; /* NULL = a number */
    double number;
    int digits; /* significant digits, at least 1 */
} cairn_shown_cell;

typedef struct cairn_report_column_head {
    const char *head;
    char align; /* 'l', 'r' or 'c' */
} cairn_report_column_head;

typedef struct cairn_report_table {
    const char *title; /* NULL = none */
    cairn_report_column_head *columns;
    size_t n_columns, columns_capacity;
    cairn_shown_cell *cells; /* n_rows x n_columns once the table has ended */
    size_t n_cells, cells_capacity;
    size_t *marked; /* numbers of the marked rows, ascending; may name one row that never came */
    size_t n_marked, marked_capacity;
    size_t limit;     /* rows that are kept */
    size_t n_rows;    /* rows kept */
    size_t n_seen;    /* rows given */
    size_t at;        /* column of the next cell */
    unsigned lengths; /* of its block */
} cairn_report_table;

typedef struct cairn_value {
    const char *word; /* NULL = a number */
    double number;
} cairn_value;

typedef struct cairn_report_chunk cairn_report_chunk;

struct cairn_report {
    cairn_context *ctx; /* of the builder; printers use their own */
    cairn_status status;
    cairn_report_chunk *chunks; /* the newest first */
    cairn_text buffer;          /* formatting */
    cairn_text prefix, name;    /* of values in tables: report/table_rows.h */
    cairn_block *blocks;
    size_t n_blocks, blocks_capacity;
    cairn_report_table *tables;
    size_t n_tables, tables_capacity;
    cairn_figure **figures;
    size_t n_figures, figures_capacity;
    cairn_figure_taker take_figure; /* who gets the figures in place of the report; NULL = nobody */
    void *taker;
    cairn_map names;
    cairn_value *values; /* names.n */
    size_t values_capacity;
    cairn_map parts;   /* what cairn_report_key was asked for */
    const char **keys; /* parts.n answers */
    size_t keys_capacity;
    const char *run;  /* the command that was run, for pages; NULL = not said */
    const char *more; /* beside --full in the last line of the brief form; NULL = nothing */
    unsigned lengths; /* of what is added */
    bool left_out;    /* of a report that is printed in brief: there was more */
    size_t open_steps;
    bool table_is_open; /* the last of tables */
};

/* Add text as a part of the name of a value: see cairn_report_key. */
void cairn_report_add_key(cairn_text *out, const char *part);

/* Leave out `part` wherever it stands in a text, such as a folder that nobody else can see. */
void cairn_report_leave_out(cairn_report *report, const char *part);

/* The first heading of level 1, NULL when there is none; and its text, then "". */
const cairn_block *cairn_report_title_block(const cairn_report *report);
const char *cairn_report_title(const cairn_report *report);

/* Whether a block says what text and Markdown show otherwise, so that only pages have it. */
bool cairn_block_is_for_pages(const cairn_block *block);
/* Whether row `row` is marked; `next` is a cursor that starts at 0 while rows go in order. */
bool cairn_table_row_marked(const cairn_report_table *table, size_t row, size_t *next);
/* Number of kept rows that are marked. */
size_t cairn_table_marked_rows(const cairn_report_table *table);

/* Whether a block only says how others lie together: it shows nothing but on pages and paper. */
bool cairn_block_is_bracket(const cairn_block *block);

/* Position in the tree of steps while blocks are walked in order. Zeroed = before the first. */
typedef struct cairn_outline {
    cairn_context *ctx;
    size_t *counts; /* steps so far at each depth; depth + 1 are in use */
    size_t capacity;
    size_t depth; /* open steps */
    size_t total; /* steps so far */
    cairn_status status;
} cairn_outline;

/* Free the counts; it stands before the first step again. */
void cairn_outline_clear(cairn_outline *outline);
/* Follow a block; only steps and their ends matter. False when memory is out. */
bool cairn_outline_follow(cairn_outline *outline, const cairn_block *block);
/* Add the number of the innermost open step: "2" or "2.1"; very deep ones leave the middle out. */
void cairn_outline_add_label(const cairn_outline *outline, cairn_text *out);

/* Numbers of a table as text, the same in text, Markdown and HTML. */
typedef struct cairn_column_style {
    bool has_numbers;
    bool has_words;
    int decimals;         /* for all numbers of the column, or -1: each by its significant digits */
    size_t before, after; /* widest part up to the point, and from the point on */
} cairn_column_style;

/* How the numbers of one column are best shown; `digits` replaces those of the cells unless 0. */
cairn_column_style cairn_column_examine(const cairn_report_table *table, size_t column, int digits);
/* Write one number of that column. Returns the width of the part before the point. */
size_t cairn_cell_format(char out[CAIRN_NUMBER_SIZE], const cairn_column_style *style,
                         const cairn_shown_cell *cell, int digits);
/* A number by itself: n/a, inf, whole numbers in full, others with `digits` digits. */
size_t cairn_number_show(char out[CAIRN_NUMBER_SIZE], double number, int digits);
/* 1234567 as "1,234,567". */
void cairn_text_add_count(cairn_text *text, size_t count);
/* "and 1,234 more rows" */
void cairn_text_add_more_rows(cairn_text *text, const cairn_report_table *table);

/* The printers. `options` is complete and in range. */
void cairn_report_print_text(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options);
void cairn_report_print_json(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options);
void cairn_report_print_markdown(cairn_text *out, const cairn_report *report,
                                 const cairn_print_options *options);
/* For paper: headings, texts, tables and space; figures are left out. */
void cairn_report_print_latex(cairn_text *out, const cairn_report *report,
                              const cairn_print_options *options);
void cairn_report_print_html(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options);

#endif
