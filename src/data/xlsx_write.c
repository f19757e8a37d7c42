/* SPDX-License-Identifier: MIT */
/* A table as the one sheet of a workbook (ECMA-376, SpreadsheetML).
 *
 * Names of columns and levels are shared texts, each of which stands in the file once; other texts
 * stand in their cells. A text is a text, whatever it begins with: no cell is ever a formula. Times
 * are numbers of days since the end of 1899, with a format that shows a date; where such numbers
 * would not bring all times of a column back, it is written as text. A missing cell is none. What a
 * sheet cannot hold is refused before anything is written. */
#include "data/xlsx_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/zip_write.h"
#include "data/column.h"
#include "data/csv.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_ROWS = 1048576, /* with the header */
    MOST_COLUMNS = 16384,
    MOST_LETTERS = 32767, /* of a cell, in UTF-16 */
    PIECE = 1 << 16,
    TICK_ROWS = 1 << 10,
    DAY = 86400
};
#define MOST_NUMBER 9.99999999999999e307

typedef enum sheet_cell {
    CELL_NUMBER,
    CELL_DATE,
    CELL_TIME,
    CELL_FINE_TIME, /* with thousandths of a second */
    CELL_TRUTH,
    CELL_SHARED,
    CELL_TEXT
} sheet_cell;

typedef struct sheet_column {
    sheet_cell type;
    size_t shared;   /* the first of its levels among the shared texts */
    char letters[4]; /* A, B, ... XFD */
} sheet_column;

typedef struct sheet {
    cairn_context *ctx;
    const cairn_table *table;
    sheet_column *columns;
    size_t n_shared;
    cairn_zip zip;
    cairn_text xml;  /* on its way */
    cairn_text cell; /* one that has no text of its own */
} sheet;

/* -- times -- */

/* Days as a workbook counts them. It takes 1900 for a leap year, so those before March of it are
 * counted from a day later. */
static double days_of(double seconds)
{
    static const double march = -2203891200.0; /* 1900-03-01 */
    double first = cairn_time_of_date(1899, 12, seconds < march ? 31 : 30);
    return (seconds - first) / DAY;
}

/* Whether a time comes back from its days, which are read to a thousandth of a second. */
static bool comes_back(double seconds)
{
    double days = days_of(seconds);
    double first = cairn_time_of_date(1899, 12, days < 60 ? 31 : 30);
    return days >= 1 && first + round(days * DAY * 1000) / 1000 == seconds;
}

static sheet_cell type_of_times(cairn_context *ctx, const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    sheet_cell type = CELL_DATE;
    for (size_t i = 0; i < column->n_rows; i++) {
        double seconds = column->numbers[i];
        if (isnan(seconds)) continue;
        if (!comes_back(seconds)) {
            cairn_warn(ctx,
                       "column '%s' has times before 1900, or with more than thousandths of a "
                       "second, which no sheet has; it is written as text",
                       slot->name);
            return CELL_TEXT;
        }
        if (type == CELL_DATE && fmod(seconds, DAY) != 0) type = CELL_TIME;
        if (seconds != floor(seconds)) type = CELL_FINE_TIME;
    }
    return type;
}

/* -- what a sheet can hold -- */

/* The place of the first byte that XML cannot have, `length` when there is none. */
static size_t find_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool allowed = c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
        bool last = c == 0xEF && i + 2 < length && (unsigned char)text[i + 1] == 0xBF &&
                    (unsigned char)text[i + 2] >= 0xBE; /* U+FFFE, U+FFFF */
        if (!allowed || last) return i;
    }
    return length;
}

static size_t count_utf16(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        n += (c & 0xC0) != 0x80;
        n += c >= 0xF0;
    }
    return n;
}

/* Texts that are too long, or have letters that XML cannot have. `row` counts from 0; SIZE_MAX =
 * the text is a name. */
static cairn_status check_text(const sheet *s, size_t j, size_t row, const char *text,
                               size_t length)
{
    char where[64] = "its name";
    size_t control = find_control(text, length);
    if (control == length && (length <= MOST_LETTERS || count_utf16(text, length) <= MOST_LETTERS))
        return CAIRN_OK;
    if (row != SIZE_MAX) snprintf(where, sizeof where, "row %zu", row + 1);
    if (control == length)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "column '%.100s', %s: %zu letters are more than the %d that a cell of a "
                          "sheet holds; write csv or parquet",
                          s->table->slots[j].name, where, count_utf16(text, length), MOST_LETTERS);
    return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                      "column '%.100s', %s: letter %zu is the control character 0x%02X, which no "
                      "sheet holds; write csv or parquet",
                      s->table->slots[j].name, where, count_utf16(text, control) + 1,
                      (unsigned)(unsigned char)text[control]);
}

/* The text of a cell that is no number and no level; it lives until the next call. */
static cairn_status text_of(sheet *s, size_t j, size_t row, const char **text, size_t *length)
{
    const cairn_column *column = s->table->slots[j].column;
    if (column->kind == CAIRN_TEXT) {
        *text = column->bytes + column->starts[row];
        *length = column->starts[row + 1] - column->starts[row];
        return CAIRN_OK;
    }
    size_t n = cairn_column_cell(column, row, NULL, 0);
    s->cell.length = 0;
    char *to = cairn_text_buffer(&s->cell, n + 1);
    CHECK(cairn_text_status(&s->cell));
    *length = cairn_column_cell(column, row, to, n + 1);
    *text = to;
    return CAIRN_OK;
}

/* The row of a level's first cell, for messages; SIZE_MAX when it has none. */
static size_t first_row(const cairn_column *column, size_t code)
{
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0 && (size_t)column->codes[i] == code) return i;
    return SIZE_MAX;
}

static cairn_status check_cells(sheet *s, size_t j)
{
    const cairn_column *column = s->table->slots[j].column;
    const char *text;
    size_t length;
    for (size_t i = 0; s->columns[j].type == CELL_TEXT && i < column->n_rows; i++) {
        if (cairn_column_is_missing(column, i)) continue;
        CHECK(text_of(s, j, i, &text, &length));
        CHECK(check_text(s, j, i, text, length));
    }
    for (size_t code = 0; s->columns[j].type == CELL_SHARED && code < column->names.n; code++) {
        text = cairn_map_key(&column->names, code);
        length = column->names.lengths[code];
        if (find_control(text, length) == length && length <= MOST_LETTERS) continue;
        CHECK(check_text(s, j, first_row(column, code), text, length));
    }
    for (size_t i = 0; s->columns[j].type == CELL_NUMBER && i < column->n_rows; i++) {
        char number[CAIRN_NUMBER_SIZE + 1];
        if (!(fabs(column->numbers[i]) > MOST_NUMBER)) continue;
        number[cairn_number_format(number, column->numbers[i], CAIRN_SHORTEST)] = 0;
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "column '%.100s', row %zu: %s is beyond the numbers of a sheet; write "
                          "csv or parquet",
                          s->table->slots[j].name, i + 1, number);
    }
    return CAIRN_OK;
}

static cairn_status check_size(cairn_context *ctx, const cairn_table *table)
{
    if (table->n_rows >= MOST_ROWS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows are more than the %d that a sheet has below its header; write "
                          "csv or parquet, or fewer rows",
                          table->n_rows, MOST_ROWS - 1);
    if (table->n_columns > MOST_COLUMNS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu columns are more than the %d of a sheet; write csv or parquet, or "
                          "fewer columns",
                          table->n_columns, MOST_COLUMNS);
    return CAIRN_OK;
}

static sheet_cell type_of(cairn_context *ctx, const cairn_slot *slot)
{
    switch (slot->column->kind) {
    case CAIRN_NUMBER: return CELL_NUMBER;
    case CAIRN_TIME: return type_of_times(ctx, slot);
    case CAIRN_LEVEL: return cairn_column_has_truths(slot->column) ? CELL_TRUTH : CELL_SHARED;
    default: return CELL_TEXT;
    }
}

static void name_column(char out[4], size_t j)
{
    char letters[4];
    size_t n = 0;
    for (size_t c = j + 1; c > 0; c = (c - 1) / 26) letters[n++] = (char)('A' + (c - 1) % 26);
    for (size_t i = 0; i < n; i++) out[i] = letters[n - 1 - i];
    out[n] = 0;
}

/* Names are the first of the shared texts, levels follow. */
static cairn_status look_at_columns(sheet *s)
{
    CHECK(SCRATCH(s->ctx, &s->columns, s->table->n_columns));
    s->n_shared = s->table->n_columns;
    for (size_t j = 0; j < s->table->n_columns; j++) {
        const cairn_slot *slot = &s->table->slots[j];
        sheet_column *c = &s->columns[j];
        c->type = type_of(s->ctx, slot);
        name_column(c->letters, j);
        c->shared = s->n_shared;
        if (c->type == CELL_SHARED) s->n_shared += slot->column->names.n;
        CHECK(check_text(s, j, SIZE_MAX, slot->name, strlen(slot->name)));
        CHECK(check_cells(s, j));
    }
    return CAIRN_OK;
}

/* -- XML -- */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* What a reader would take for a letter by its number, as _x000D_. */
static bool looks_coded(const char *text, size_t left)
{
    return left >= 7 && text[0] == '_' && text[1] == 'x' && is_hex(text[2]) && is_hex(text[3]) &&
           is_hex(text[4]) && is_hex(text[5]) && text[6] == '_';
}

static void add_text(cairn_text *xml, const char *text, size_t length)
{
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        const char *code = text[i] == '&'                      ? "&amp;"
                           : text[i] == '<'                    ? "&lt;"
                           : text[i] == '>'                    ? "&gt;"
                           : text[i] == '\r'                   ? "_x000D_" /* else a new line */
                           : looks_coded(text + i, length - i) ? "_x005F_"
                                                               : NULL;
        if (!code) continue;
        cairn_text_add_bytes(xml, text + from, i - from);
        cairn_text_add(xml, code);
        from = i + 1;
    }
    cairn_text_add_bytes(xml, text + from, length - from);
}

static cairn_status flush(sheet *s)
{
    CHECK(cairn_text_status(&s->xml));
    CHECK(cairn_zip_add(s->ctx, &s->zip, s->xml.bytes, s->xml.length));
    s->xml.length = 0;
    return CAIRN_OK;
}

static cairn_status add_part(sheet *s, const char *name, const char *xml)
{
    CHECK(cairn_zip_begin(s->ctx, &s->zip, name));
    cairn_text_add(&s->xml, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n");
    cairn_text_add(&s->xml, xml);
    return flush(s);
}

#define SCHEMAS "http://schemas.openxmlformats.org/"
#define MAIN    "xmlns=\"" SCHEMAS "spreadsheetml/2006/main\""
#define OFFICE  SCHEMAS "officeDocument/2006/relationships"
#define PACKAGE SCHEMAS "package/2006/"
#define CONTENT "application/vnd.openxmlformats-officedocument.spreadsheetml."
#define OVERRIDE(part, type)                                                                       \
    "<Override PartName=\"" part "\" ContentType=\"" CONTENT type "+xml\"/>"
#define RELATION(id, type, part)                                                                   \
    "<Relationship Id=\"" id "\" Type=\"" OFFICE "/" type "\" Target=\"" part "\"/>"

/* What every workbook has: which part is what, the sheet's name, and formats for times. */
static cairn_status add_frame(sheet *s)
{
    CHECK(add_part(s, "[Content_Types].xml",
                   "<Types xmlns=\"" PACKAGE "content-types\">"
                   "<Default Extension=\"rels\" "
                   "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                   "<Default Extension=\"xml\" ContentType=\"application/xml\"/>" OVERRIDE(
                       "/xl/workbook.xml", "sheet.main")
                       OVERRIDE("/xl/worksheets/sheet1.xml", "worksheet")
                           OVERRIDE("/xl/styles.xml", "styles")
                               OVERRIDE("/xl/sharedStrings.xml", "sharedStrings") "</Types>"));
    CHECK(add_part(s, "_rels/.rels",
                   "<Relationships xmlns=\"" PACKAGE "relationships\">" RELATION(
                       "rId1", "officeDocument", "xl/workbook.xml") "</Relationships>"));
    CHECK(add_part(s, "xl/workbook.xml",
                   "<workbook " MAIN " xmlns:r=\"" OFFICE
                   "\"><bookViews><workbookView/></bookViews>"
                   "<sheets><sheet name=\"Sheet1\" sheetId=\"1\" r:id=\"rId1\"/></sheets>"
                   "</workbook>"));
    CHECK(add_part(s, "xl/_rels/workbook.xml.rels",
                   "<Relationships xmlns=\"" PACKAGE
                   "relationships\">" RELATION("rId1", "worksheet", "worksheets/sheet1.xml")
                       RELATION("rId2", "styles", "styles.xml") RELATION(
                           "rId3", "sharedStrings", "sharedStrings.xml") "</Relationships>"));
    return add_part(
        s, "xl/styles.xml",
        "<styleSheet " MAIN "><numFmts count=\"3\">"
        "<numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>"
        "<numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/>"
        "<numFmt numFmtId=\"166\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss.000\"/></numFmts>"
        "<fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
        "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
        "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
        "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
        "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
        "</cellStyleXfs><cellXfs count=\"4\">"
        "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
        "<xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
        "applyNumberFormat=\"1\"/>"
        "<xf numFmtId=\"165\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
        "applyNumberFormat=\"1\"/>"
        "<xf numFmtId=\"166\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
        "applyNumberFormat=\"1\"/></cellXfs>"
        "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" "
        "builtinId=\"0\"/></cellStyles>"
        "</styleSheet>");
}

static void add_shared(sheet *s, const char *text, size_t length)
{
    cairn_text_add(&s->xml, "<si><t xml:space=\"preserve\">");
    add_text(&s->xml, text, length);
    cairn_text_add(&s->xml, "</t></si>");
}

static cairn_status add_shared_texts(sheet *s)
{
    CHECK(add_part(s, "xl/sharedStrings.xml", "<sst " MAIN));
    cairn_text_addf(&s->xml, " uniqueCount=\"%zu\">", s->n_shared);
    for (size_t j = 0; j < s->table->n_columns; j++)
        add_shared(s, s->table->slots[j].name, strlen(s->table->slots[j].name));
    for (size_t j = 0; j < s->table->n_columns; j++) {
        const cairn_map *names = &s->table->slots[j].column->names;
        for (size_t i = 0; s->columns[j].type == CELL_SHARED && i < names->n; i++) {
            add_shared(s, cairn_map_key(names, i), names->lengths[i]);
            if (s->xml.length > PIECE) CHECK(flush(s));
        }
    }
    cairn_text_add(&s->xml, "</sst>");
    return flush(s);
}

/* -- the sheet -- */

static void open_cell(sheet *s, size_t j, size_t row, const char *attributes)
{
    cairn_text_add(&s->xml, "<c r=\"");
    cairn_text_add(&s->xml, s->columns[j].letters);
    cairn_text_add_number(&s->xml, (double)(row + 1), CAIRN_SHORTEST);
    cairn_text_add_char(&s->xml, '"');
    cairn_text_add(&s->xml, attributes);
    cairn_text_add(&s->xml, "><v>");
}

static void add_number_cell(sheet *s, size_t j, size_t row, const char *attributes, double number)
{
    open_cell(s, j, row, attributes);
    cairn_text_add_number(&s->xml, number, CAIRN_SHORTEST);
    cairn_text_add(&s->xml, "</v></c>");
}

static void add_text_cell(sheet *s, size_t j, size_t row, const char *text, size_t length)
{
    cairn_text_addf(&s->xml, "<c r=\"%s%zu\" t=\"inlineStr\"><is><t xml:space=\"preserve\">",
                    s->columns[j].letters, row + 1);
    add_text(&s->xml, text, length);
    cairn_text_add(&s->xml, "</t></is></c>");
}

/* A cell that is not missing; `row` counts the header as 0. */
static cairn_status add_cell(sheet *s, size_t j, size_t row)
{
    static const char *const attributes[] = {
        [CELL_NUMBER] = "",        [CELL_DATE] = " s=\"1\"",
        [CELL_TIME] = " s=\"2\"",  [CELL_FINE_TIME] = " s=\"3\"",
        [CELL_TRUTH] = " t=\"b\"", [CELL_SHARED] = " t=\"s\""};
    const cairn_column *column = s->table->slots[j].column;
    const sheet_column *c = &s->columns[j];
    const char *text;
    size_t length, i = row - 1;
    double number;
    switch (c->type) {
    case CELL_TEXT:
        CHECK(text_of(s, j, i, &text, &length));
        add_text_cell(s, j, row, text, length);
        return CAIRN_OK;
    case CELL_NUMBER: number = column->numbers[i]; break;
    case CELL_TRUTH: number = column->codes[i]; break;
    case CELL_SHARED: number = (double)(c->shared + (size_t)column->codes[i]); break;
    default: number = days_of(column->numbers[i]); break;
    }
    add_number_cell(s, j, row, attributes[c->type], number);
    return CAIRN_OK;
}

/* A row in which every cell is missing has an empty text, or it would be none. */
static cairn_status add_row(sheet *s, size_t row)
{
    bool any = false;
    cairn_text_add(&s->xml, "<row r=\"");
    cairn_text_add_number(&s->xml, (double)(row + 1), CAIRN_SHORTEST);
    cairn_text_add(&s->xml, "\">");
    for (size_t j = 0; j < s->table->n_columns; j++) {
        if (row && cairn_column_is_missing(s->table->slots[j].column, row - 1)) continue;
        any = true;
        if (row)
            CHECK(add_cell(s, j, row));
        else
            add_number_cell(s, j, 0, " t=\"s\"", (double)j);
    }
    if (!any) add_text_cell(s, 0, row, "", 0);
    cairn_text_add(&s->xml, "</row>");
    return s->xml.length > PIECE ? flush(s) : CAIRN_OK;
}

/* Columns of times are as wide as their cells, which would show as ### otherwise. */
static void add_widths(sheet *s)
{
    bool any = false;
    for (size_t j = 0; j < s->table->n_columns; j++) {
        sheet_cell type = s->columns[j].type;
        if (type != CELL_DATE && type != CELL_TIME && type != CELL_FINE_TIME) continue;
        if (!any) cairn_text_add(&s->xml, "<cols>");
        any = true;
        cairn_text_addf(&s->xml, "<col min=\"%zu\" max=\"%zu\" width=\"%d\" customWidth=\"1\"/>",
                        j + 1, j + 1, type == CELL_DATE ? 12 : 24);
    }
    if (any) cairn_text_add(&s->xml, "</cols>");
}

static cairn_status add_sheet(sheet *s)
{
    const cairn_table *table = s->table;
    CHECK(add_part(s, "xl/worksheets/sheet1.xml", "<worksheet " MAIN ">"));
    cairn_text_addf(&s->xml, "<dimension ref=\"A1:%s%zu\"/>",
                    table->n_columns ? s->columns[table->n_columns - 1].letters : "A",
                    table->n_rows + 1);
    cairn_text_add(&s->xml, "<sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" "
                            "topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>"
                            "</sheetView></sheetViews>");
    add_widths(s);
    cairn_text_add(&s->xml, "<sheetData>");
    for (size_t row = 0; row <= table->n_rows; row++) {
        CHECK(add_row(s, row));
        if (row % TICK_ROWS == 0)
            CHECK(cairn_tick(s->ctx, "writing", (double)row, (double)table->n_rows));
    }
    cairn_text_add(&s->xml, "</sheetData></worksheet>");
    return flush(s);
}

cairn_status cairn_xlsx_write(cairn_context *ctx, const cairn_table *table, cairn_output_file *file)
{
    SCOPED_SCRATCH(ctx);
    cairn_status status;
    sheet s = {.ctx = ctx,
               .table = table,
               .zip = {.file = file},
               .xml = cairn_text_start(ctx),
               .cell = cairn_text_start(ctx)};
    TRY(check_size(ctx, table));
    TRY(cairn_csv_check(ctx, table));
    TRY(look_at_columns(&s));
    TRY(add_frame(&s));
    TRY(add_shared_texts(&s));
    TRY(add_sheet(&s));
    TRY(cairn_zip_end(ctx, &s.zip));
done:
    cairn_zip_clear(&s.zip);
    cairn_text_clear(&s.xml);
    cairn_text_clear(&s.cell);
    return status;
}
