/* SPDX-License-Identifier: MIT */
/* A table that is written row by row, by code that would otherwise be mostly error handling: a
 * ledger remembers its first failure and ignores what comes afterwards, and whoever makes the table
 * of it is told.
 *
 * Several writers may fill one ledger, each with columns of its own: cells go to the column of the
 * name and kind, and rows that do not have it are missing there. */
#ifndef CAIRN_DATA_LEDGER_H
#define CAIRN_DATA_LEDGER_H

#include "data/grow.h"
#include "report/table_rows.h"

enum { CAIRN_LEDGER_LEADS = 2 };

typedef struct cairn_ledger {
    cairn_context *ctx;
    cairn_status status;
    cairn_grow_column *columns; /* names.n */
    size_t columns_capacity;
    cairn_map names;
    size_t *sections; /* names.n: the last section of rows that has the column */
    size_t section, sections_capacity;
    size_t n_rows; /* that are complete */
    size_t *open;  /* the columns that the rows have now, in the order of their cells */
    size_t n_open, open_capacity;
    size_t at; /* cells that the row under way has */
    /* Columns in front of all others, which no writer knows of, and their cell in every row. */
    const char *leads[CAIRN_LEDGER_LEADS];
    char lead_cells[CAIRN_LEDGER_LEADS][48];
    size_t n_leads;
} cairn_ledger;

/* An empty ledger; free it with cairn_ledger_clear. */
cairn_ledger cairn_ledger_start(cairn_context *ctx);
void cairn_ledger_clear(cairn_ledger *ledger);
/* Remember a failure, unless there is one already. */
void cairn_ledger_failed(cairn_ledger *ledger, cairn_status status);

/* Before the first column: a column of levels in front of all others. `cell` is what the rows that
 * follow have there; returns its number for cairn_ledger_lead_cell. */
size_t cairn_ledger_lead(cairn_ledger *ledger, const char *name, const char *cell);
void cairn_ledger_lead_cell(cairn_ledger *ledger, size_t lead, const char *cell);

/* The rows that follow have other columns: give them by the next two, before the first cell. */
void cairn_ledger_begin(cairn_ledger *ledger);
/* A column of the rows that follow. A name that they have already gets _2, _3 ... behind it. */
void cairn_ledger_column(cairn_ledger *ledger, cairn_kind kind, const char *name);
/* Begin, and the columns whose names follow, as many as `kinds` has letters: n number, l level, t
 * text, as in (&out, "ln", "term", "coefficient"). */
#define cairn_ledger_columns(ledger, kinds, ...)                                                   \
    cairn_ledger_heads(ledger, kinds, (const char *const[]){__VA_ARGS__})
void cairn_ledger_heads(cairn_ledger *ledger, const char *kinds, const char *const *names);

/* The next cell; the row ends with its last one. A number that is not finite is missing, and so is
 * a word that is NULL. */
void cairn_ledger_number(cairn_ledger *ledger, double number);
void cairn_ledger_word(cairn_ledger *ledger, const char *word);
CAIRN_PRINTF(2, 3) void cairn_ledger_wordf(cairn_ledger *ledger, const char *format, ...);
void cairn_ledger_missing(cairn_ledger *ledger);
/* One to twelve cells at once: texts, numbers and counts, as said in report/table_rows.h. */
#define cairn_ledger_cells(ledger, ...) cairn_ledger_add_cells(ledger, CAIRN_CELLS(__VA_ARGS__))
void cairn_ledger_add_cells(cairn_ledger *ledger, const cairn_row_cell *cells, size_t n);
/* So many cells at once. */
void cairn_ledger_numbers(cairn_ledger *ledger, const double *numbers, size_t n);

/* What was written, as a table of the caller's; the ledger is empty afterwards. */
CAIRN_CHECKED cairn_status cairn_ledger_table(cairn_ledger *ledger, cairn_table **out);

#endif
