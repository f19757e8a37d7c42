/* SPDX-License-Identifier: MIT */
/* Tables that are written row by row: see ledger.h. */
#include "data/ledger.h"

#include "base/text.h"
#include "data/column.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

cairn_ledger cairn_ledger_start(cairn_context *ctx)
{
    return (cairn_ledger){.ctx = ctx};
}

void cairn_ledger_clear(cairn_ledger *ledger)
{
    for (size_t i = 0; i < ledger->names.n; i++) cairn_grow_clear(&ledger->columns[i]);
    FREE_EACH(ledger->columns, ledger->sections);
    cairn_map_clear(&ledger->names);
    cairn_free(ledger->open);
    *ledger = cairn_ledger_start(ledger->ctx);
}

void cairn_ledger_failed(cairn_ledger *ledger, cairn_status status)
{
    if (ledger->status == CAIRN_OK) ledger->status = status;
}

/* Remember the status of a call; whether it went well. */
static bool keep(cairn_ledger *ledger, cairn_status status)
{
    cairn_ledger_failed(ledger, status);
    return status == CAIRN_OK;
}

/* -- columns -- */

/* A new column at the end, whose name is not taken. */
static cairn_status add_column(cairn_ledger *ledger, cairn_kind kind, const char *name)
{
    size_t i = ledger->names.n;
    cairn_grow_column column = {.kind = kind, .role = CAIRN_FEATURE};
    CHECK(GROW(ledger->ctx, &ledger->columns, &ledger->columns_capacity, i + 1));
    CHECK(GROW(ledger->ctx, &ledger->sections, &ledger->sections_capacity, i + 1));
    CHECK(cairn_copy_text(ledger->ctx, &column.name, name, strlen(name)));
    cairn_status status =
        cairn_map_add(ledger->ctx, &ledger->names, name, strlen(name), &(size_t){0});
    if (status) cairn_free(column.name);
    if (status) return status;
    ledger->columns[i] = column;
    ledger->sections[i] = 0;
    return CAIRN_OK;
}

size_t cairn_ledger_lead(cairn_ledger *ledger, const char *name, const char *cell)
{
    size_t lead = ledger->n_leads;
    if (ledger->status || !keep(ledger, add_column(ledger, CAIRN_LEVEL, name))) return lead;
    ledger->n_leads++;
    cairn_ledger_lead_cell(ledger, lead, cell);
    return lead;
}

void cairn_ledger_lead_cell(cairn_ledger *ledger, size_t lead, const char *cell)
{
    if (lead >= ledger->n_leads) return;
    snprintf(ledger->lead_cells[lead], sizeof ledger->lead_cells[lead], "%s", cell);
}

void cairn_ledger_begin(cairn_ledger *ledger)
{
    ledger->section++;
    ledger->n_open = 0;
    ledger->at = 0;
}

/* Whether the rows of this section may have the column of the name: it is new, or it is of the kind
 * and none of theirs yet. */
static bool is_free(const cairn_ledger *ledger, cairn_kind kind, const cairn_text *name, int64_t *i)
{
    *i = cairn_map_find(&ledger->names, cairn_text_string(name), name->length);
    if (*i < 0) return true;
    return (size_t)*i >= ledger->n_leads && ledger->columns[*i].kind == kind &&
           ledger->sections[*i] != ledger->section;
}

/* Open a column under its name or, where that is not free, under the first of name_2, name_3 ...
 * that is. */
static cairn_status open_column(cairn_ledger *ledger, cairn_kind kind, const char *name)
{
    SCOPED(cairn_text_clear) cairn_text wanted = cairn_text_start(ledger->ctx);
    cairn_text_add(&wanted, *name ? name : "column");
    size_t length = wanted.length;
    int64_t column = -1;
    CHECK(cairn_text_status(&wanted));
    for (size_t i = 2; !is_free(ledger, kind, &wanted, &column); i++) {
        wanted.length = length;
        cairn_text_addf(&wanted, "_%zu", i);
        CHECK(cairn_text_status(&wanted));
    }
    CHECK(GROW(ledger->ctx, &ledger->open, &ledger->open_capacity, ledger->n_open + 1));
    if (column < 0) {
        column = (int64_t)ledger->names.n;
        CHECK(add_column(ledger, kind, cairn_text_string(&wanted)));
    }
    ledger->sections[column] = ledger->section;
    ledger->open[ledger->n_open++] = (size_t)column;
    return CAIRN_OK;
}

void cairn_ledger_column(cairn_ledger *ledger, cairn_kind kind, const char *name)
{
    if (ledger->status == CAIRN_OK) (void)keep(ledger, open_column(ledger, kind, name));
}

void cairn_ledger_heads(cairn_ledger *ledger, const char *kinds, const char *const *names)
{
    cairn_ledger_begin(ledger);
    for (size_t i = 0; kinds[i]; i++) {
        cairn_kind kind = kinds[i] == 'n'   ? CAIRN_NUMBER
                          : kinds[i] == 'l' ? CAIRN_LEVEL
                                            : CAIRN_TEXT;
        cairn_ledger_column(ledger, kind, names[i]);
    }
}

/* -- cells -- */

/* Missing cells of a column for the rows before that do not have it. */
static cairn_status pad(cairn_ledger *ledger, cairn_grow_column *column)
{
    while (column->n_rows < ledger->n_rows) CHECK(cairn_grow_missing(ledger->ctx, column));
    return CAIRN_OK;
}

static cairn_status put_word(cairn_ledger *ledger, cairn_grow_column *column, const char *word)
{
    size_t code;
    if (!word) return cairn_grow_missing(ledger->ctx, column);
    if (column->kind == CAIRN_TEXT) return cairn_grow_text(ledger->ctx, column, word, strlen(word));
    CHECK(cairn_map_add(ledger->ctx, &column->names, word, strlen(word), &code));
    return cairn_grow_code(ledger->ctx, column, (int32_t)code);
}

/* A number or a word into the next column; missing where that is of the other kind. */
static cairn_status put_cell(cairn_ledger *ledger, double number, const char *word, bool is_number)
{
    if (ledger->at == 0) {
        for (size_t i = 0; i < ledger->n_leads; i++) {
            CHECK(pad(ledger, &ledger->columns[i]));
            CHECK(put_word(ledger, &ledger->columns[i], ledger->lead_cells[i]));
        }
    }
    cairn_grow_column *column = &ledger->columns[ledger->open[ledger->at]];
    CHECK(pad(ledger, column));
    if (is_number && column->kind == CAIRN_NUMBER)
        CHECK(cairn_grow_number(ledger->ctx, column, isfinite(number) ? number : NAN));
    else if (!is_number && column->kind != CAIRN_NUMBER)
        CHECK(put_word(ledger, column, word));
    else
        CHECK(cairn_grow_missing(ledger->ctx, column));
    if (++ledger->at == ledger->n_open) ledger->at = 0, ledger->n_rows++;
    return CAIRN_OK;
}

void cairn_ledger_number(cairn_ledger *ledger, double number)
{
    if (ledger->status == CAIRN_OK && ledger->n_open)
        (void)keep(ledger, put_cell(ledger, number, NULL, true));
}

void cairn_ledger_word(cairn_ledger *ledger, const char *word)
{
    if (ledger->status == CAIRN_OK && ledger->n_open)
        (void)keep(ledger, put_cell(ledger, 0, word, false));
}

void cairn_ledger_wordf(cairn_ledger *ledger, const char *format, ...)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ledger->ctx);
    va_list arguments;
    va_start(arguments, format);
    cairn_text_addv(&text, format, arguments);
    va_end(arguments);
    if (keep(ledger, cairn_text_status(&text))) cairn_ledger_word(ledger, cairn_text_string(&text));
}

void cairn_ledger_missing(cairn_ledger *ledger)
{
    cairn_ledger_word(ledger, NULL);
}

void cairn_ledger_numbers(cairn_ledger *ledger, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) cairn_ledger_number(ledger, numbers[i]);
}

void cairn_ledger_add_cells(cairn_ledger *ledger, const cairn_row_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i].kind == CAIRN_ROW_TEXT)
            cairn_ledger_word(ledger, cells[i].text);
        else if (cells[i].kind == CAIRN_ROW_NUMBERS)
            cairn_ledger_numbers(ledger, cells[i].numbers, cells[i].n);
        else
            cairn_ledger_number(ledger, cells[i].number);
}

cairn_status cairn_ledger_table(cairn_ledger *ledger, cairn_table **out)
{
    CHECK(ledger->status);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ledger->ctx, &table, ledger->n_rows));
    for (size_t i = 0; i < ledger->names.n; i++) {
        /* The column goes into the table; one without rows has arrays of none. */
        cairn_grow_column *column = &ledger->columns[i];
        cairn_column *empty;
        CHECK(pad(ledger, column));
        if (ledger->n_rows) {
            CHECK(cairn_grow_finish(ledger->ctx, table, column));
        } else {
            CHECK(cairn_column_new(ledger->ctx, &empty, column->kind, 0));
            CHECK(cairn_table_append(ledger->ctx, table, column->name, column->role, empty));
        }
    }
    cairn_ledger_clear(ledger);
    *out = TAKE(table);
    return CAIRN_OK;
}
