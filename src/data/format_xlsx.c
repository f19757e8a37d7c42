/* SPDX-License-Identifier: MIT */
/* Workbooks of Excel: one sheet as a table.
 *
 * The module hands over the cells of the sheet; they are written down as the lines of a CSV file,
 * line n for row n of the sheet, and read as such. So header, kinds, marks of missing cells, lines
 * to skip and the rest are those of CSV. Rows end at their last cell: the others are filled up. */
#include "base/limits.h"
#include "base/memory.h"
#include "base/module.h"
#include "base/number.h"
#include "base/text.h"
#include "data/csv.h"
#include "data/workbook_module.h"
#include "data/xlsx_write.h"
#include <math.h>
#include <string.h>

enum { DAY = 86400, MOST_COLUMNS = 16384 };

static const cairn_module xlsx_module = {
    .file = "cairn-xlsx.so",
    .symbol = CAIRN_WORKBOOK_SYMBOL,
    .abi = CAIRN_WORKBOOK_ABI,
    .purpose = "workbooks (.xlsx)",
    .package = "libzip4 and libexpat1",
    .build = "libzip-dev and libexpat1-dev",
};

typedef struct sheet_lines {
    cairn_context *ctx;
    const char *name;
    const cairn_read_options *options;
    const cairn_workbook_job *job;
    cairn_status status; /* of what went wrong in here */
    cairn_text shared;   /* the shared texts, one after the other */
    size_t *ends;        /* where each of them ends */
    size_t n_shared, ends_capacity;
    cairn_text lines;
    size_t row, column; /* under way; cells of the row so far */
    size_t commas;      /* between them */
    size_t line_start;
    size_t widest;    /* cells of the longest row */
    size_t gap;       /* behind the first row, where blanks wait for commas; 0 = no row yet */
    size_t gap_cells; /* of that row */
    size_t n_unsaved; /* formulas without a result */
} sheet_lines;

/* -- cells -- */

static cairn_status refuse(const sheet_lines *s, const char *text, size_t length, const char *why)
{
    char letters[4] = "";
    size_t n = 0;
    for (size_t c = s->column + 1; c > 0 && n < 3; c = (c - 1) / 26) {
        memmove(letters + 1, letters, n++);
        letters[0] = (char)('A' + (c - 1) % 26);
    }
    return cairn_fail(s->ctx, CAIRN_BAD_DATA, "%s, cell %s%zu: '%.*s' %s", s->name, letters,
                      s->row + 1, (int)(length < 60 ? length : 60), text, why);
}

static void add_quoted(cairn_text *lines, const char *text, size_t length)
{
    cairn_text_add_char(lines, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') cairn_text_add_char(lines, '"');
        cairn_text_add_char(lines, text[i]);
    }
    cairn_text_add_char(lines, '"');
}

static cairn_status add_shared(sheet_lines *s, const char *text, size_t length)
{
    double number;
    if (!cairn_number_parse(text, length, &number) || !(number >= 0) ||
        number >= (double)s->n_shared || number != floor(number))
        return refuse(s, text, length, "is none of the shared texts; the file is damaged");
    size_t i = (size_t)number, from = i ? s->ends[i - 1] : 0;
    add_quoted(&s->lines, s->shared.bytes + from, s->ends[i] - from);
    return CAIRN_OK;
}

/* Cells become a line of CSV, which the CSV reader then guesses kinds from; texts are always
 * quoted, so that they stay texts. */
static cairn_status add_cell(sheet_lines *s, cairn_workbook_type type, const char *text,
                             size_t length)
{
    double number;
    switch (type) {
    case CAIRN_WORKBOOK_ERROR: /* missing, in a row that is there */
        add_quoted(&s->lines, "", 0);
        return CAIRN_OK;
    case CAIRN_WORKBOOK_TEXT: add_quoted(&s->lines, text, length); return CAIRN_OK;
    case CAIRN_WORKBOOK_SHARED: return add_shared(s, text, length);
    case CAIRN_WORKBOOK_TRUTH:
        cairn_text_add(&s->lines, length == 1 && *text == '1' ? "true" : "false");
        return CAIRN_OK;
    default: break;
    }
    if (length == 0) { /* a formula that no program has computed yet */
        s->n_unsaved++;
        add_quoted(&s->lines, "", 0);
        return CAIRN_OK;
    }
    if (!cairn_number_parse(text, length, &number) || !isfinite(number))
        return refuse(s, text, length, "is not a number; the file is damaged");
    if (type == CAIRN_WORKBOOK_DATE) {
        /* Days to a date. Those before March 1900 are counted from the day after, since the
         * first program of this kind took 1900 for a leap year. */
        char time[CAIRN_TIME_SIZE];
        double first = s->job->from_1904 ? cairn_time_of_date(1904, 1, 1)
                                         : cairn_time_of_date(1899, 12, number < 60 ? 31 : 30);
        double seconds = first + round(number * DAY * 1000) / 1000;
        cairn_calendar parts;
        if (number < 0 || !cairn_time_parts(seconds, &parts))
            return refuse(s, text, length, "is no date of the years 1900 to 9999");
        cairn_text_add_bytes(&s->lines, time, cairn_time_format(time, seconds, NULL));
        return CAIRN_OK;
    }
    cairn_text_add_bytes(&s->lines, text, length);
    return CAIRN_OK;
}

/* -- lines -- */

/* Whether the line that was written is one of the table: then it tells the number of columns, and
 * those that only later rows have must fit in. */
static bool is_first(const sheet_lines *s)
{
    const char *comment = s->options->comment;
    if (s->gap || s->column == 0 || s->row < s->options->skip) return false;
    const char *line = cairn_text_string(&s->lines) + s->line_start;
    return !comment || !*comment || !cairn_starts_with(*line == '"' ? line + 1 : line, comment);
}

static void end_line(sheet_lines *s)
{
    if (s->lines.status) return;
    if (is_first(s)) {
        s->gap = s->lines.length;
        s->gap_cells = s->column;
        cairn_text_add_repeat(&s->lines, ' ', MOST_COLUMNS);
    }
    if (s->gap && s->column > s->widest) s->widest = s->column;
    cairn_text_add_char(&s->lines, '\n');
    s->row++;
    s->column = s->commas = 0;
    s->line_start = s->lines.length;
}

static bool take_shared(void *data, const char *text, size_t length)
{
    sheet_lines *s = data;
    cairn_status status = GROW(s->ctx, &s->ends, &s->ends_capacity, s->n_shared + 1);
    cairn_text_add_bytes(&s->shared, text, length);
    if (!status) status = cairn_text_status(&s->shared);
    if (!status) s->ends[s->n_shared++] = s->shared.length;
    s->status = status;
    return !status;
}

static bool take_cell(void *data, size_t row, size_t column, cairn_workbook_type type,
                      const char *text, size_t length)
{
    sheet_lines *s = data;
    cairn_status status = CAIRN_OK;
    while (s->row < row) end_line(s);
    for (; s->commas < column; s->commas++) cairn_text_add_char(&s->lines, ',');
    s->column = column;
    TRY(add_cell(s, type, text, length));
    s->column = column + 1;
    TRY(cairn_text_status(&s->lines));
done:
    s->status = status;
    return !status;
}

/* -- the whole -- */

static bool is_cancelled(const void *data)
{
    return cairn_is_cancelled(((const sheet_lines *)data)->ctx);
}

static cairn_status how_it_ended(const sheet_lines *s, cairn_workbook_end end)
{
    switch (end) {
    case CAIRN_WORKBOOK_DONE: return CAIRN_OK;
    case CAIRN_WORKBOOK_STOPPED: return s->status;
    case CAIRN_WORKBOOK_CANCELLED: return cairn_fail(s->ctx, CAIRN_CANCELLED, "interrupted");
    case CAIRN_WORKBOOK_NO_MEMORY:
        return cairn_fail(s->ctx, CAIRN_NO_MEMORY, "%s: not enough memory", s->name);
    case CAIRN_WORKBOOK_UNPACKED:
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "%s: the workbook unpacks to more than is allowed: %s", s->name,
                          cairn_limit_said(s->ctx, CAIRN_LIMIT_UNPACKED, 0));
    case CAIRN_WORKBOOK_NO_SHEET:
        return cairn_fail(s->ctx, CAIRN_USAGE, "%s: %s", s->name, s->job->message);
    default: return cairn_fail(s->ctx, CAIRN_BAD_DATA, "%s: %s", s->name, s->job->message);
    }
}

/* The lines of a sheet as a table. Numbers have a point, whatever the texts have. */
static cairn_status read_lines(sheet_lines *s, cairn_table **out)
{
    cairn_read_options options = *s->options;
    end_line(s);
    CHECK(cairn_text_status(&s->lines));
    if (!s->gap)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "%s: the sheet is empty; name another with {sheet}", s->name);
    memset(s->lines.bytes + s->gap, ',', s->widest - s->gap_cells);
    cairn_text_clear(&s->shared);
    if (s->n_unsaved)
        cairn_warn(s->ctx,
                   "%s: %zu formula%s no saved result and %s missing; open the file in a program "
                   "that computes it, and save it",
                   s->name, s->n_unsaved, s->n_unsaved == 1 ? " has" : "s have",
                   s->n_unsaved == 1 ? "is" : "are");
    options.separator = ',';
    options.decimal = '.';
    options.thousands = options.thousands == '.' ? 0 : options.thousands;
    options.bad_lines = CAIRN_BAD_LINES_PAD;
    return cairn_csv_read_lines(s->ctx, out, s->name, s->lines.bytes, s->lines.length, &options);
}

/* The module unpacks the workbook and hands over cells; lines are made of them and read as a CSV
 * file, so both formats guess alike. */
static cairn_status read_xlsx(cairn_context *ctx, cairn_table **out, cairn_input *input,
                              const cairn_read_options *options)
{
    cairn_status status;
    const void *record;
    char *bytes = NULL;
    cairn_workbook_job job = {
        .shared = take_shared, .cell = take_cell, .is_cancelled = is_cancelled};
    sheet_lines s = {.ctx = ctx,
                     .name = cairn_input_name(input),
                     .options = options,
                     .job = &job,
                     .shared = cairn_text_start(ctx),
                     .lines = cairn_text_start(ctx)};
    TRY(cairn_module_load(ctx, &record, &xlsx_module));
    TRY(cairn_input_read_all(ctx, input, &bytes, &job.length));
    job.bytes = bytes;
    job.sheet = options->sheet;
    job.data = &s;
    job.most_unpacked = cairn_context_limit(ctx, CAIRN_LIMIT_UNPACKED);
    TRY(how_it_ended(&s, ((const cairn_workbook_module *)record)->read(&job)));
    cairn_free(bytes);
    bytes = NULL;
    TRY(read_lines(&s, out));
done:
    FREE_EACH(bytes, s.ends);
    cairn_text_clear(&s.shared);
    cairn_text_clear(&s.lines);
    return status;
}

/* A zip file whose first part has a name of those that workbooks begin with. */
static bool is_workbook(const char *name, const char *head, size_t n)
{
    static const char *const parts[] = {"[Content_Types].xml", "_rels/", "docProps/", "xl/"};
    (void)name;
    if (n < 64 || memcmp(head, "PK\x03\x04", 4) != 0) return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memcmp(head + 30, parts[i], strlen(parts[i])) == 0) return true;
    return false;
}

const cairn_data_format cairn_xlsx_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "xlsx",
            .title = "A sheet of an Excel workbook",
            .summary =
                "Reads one sheet: the first, or the one that FILE.xlsx#NAME or --sheet names by "
                "name or number. Rows and header are taken as those of a csv file. Formulas count "
                "by their last result, cells with an error are missing, numbers with a format of "
                "dates are times, which needs the module cairn-xlsx.so. Written is a workbook of "
                "one "
                "sheet: numbers, dates, truths and texts as such, missing cells empty, no text "
                "ever "
                "a formula.",
            .example = "cairn convert @iris iris.xlsx",
        },
    .extensions = "xlsx xlsm",
    .heeds = "skip comment thousands",
    .detect = is_workbook,
    .read = read_xlsx,
    .write = cairn_xlsx_write,
};
