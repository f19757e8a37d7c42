/* SPDX-License-Identifier: MIT */
/* Workbooks of Excel (.xlsx): a zip of XML parts, unpacked by libzip and parsed by expat as they
 * come. xl/workbook.xml names the sheets, its relations say in which parts they are, styles tell
 * which numbers are dates, shared strings hold the texts. Nothing in the file is trusted: parts are
 * measured while they are unpacked, and document types, which could make entities of entities, are
 * refused. See data/workbook_module.h. */
#include "cairn/base.h"
#include "data/workbook_module.h"
#include <ctype.h>
#include <expat.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum {
    MOST_ROWS = 1048576,
    MOST_COLUMNS = 16384,
    MOST_STYLES = 1 << 16,
    MOST_TEXT = 1 << 20, /* bytes of a cell */
    MOST_DEPTH = 64,
    PART_BYTES = 1 << 16,
    NAME_BYTES = 512,
    SMALL_PART = 1 << 24, /* what unpacks to less may be packed as tightly as it likes */
    MOST_RATIO = 200,
    MOST_PARTS = 16384,
    MOST_PARSER = 8 << 20 /* bytes that the parser may keep: names, and a tag under way */
};

/* A text that grows up to a limit. */
typedef struct buffer {
    char *bytes;
    size_t length, capacity;
} buffer;

typedef struct workbook {
    cairn_workbook_job *job;
    zip_t *zip;
    XML_Parser parser;
    cairn_workbook_end end;
    int depth;
    uint64_t unpacked; /* bytes of all parts so far */
    /* what is looked for */
    char relation[NAME_BYTES], sheet[NAME_BYTES], strings[NAME_BYTES], styles[NAME_BYTES];
    size_t wanted; /* number of the sheet, 0 = by name */
    size_t n_sheets;
    char names[NAME_BYTES]; /* of the sheets, for a message */
    /* styles */
    unsigned char *dates; /* n_dates: whether cells of that style hold dates */
    size_t n_dates;
    unsigned *date_formats; /* n_formats: numbers of formats that are dates */
    size_t n_formats;
    bool in_styles;
    /* text under way */
    buffer text;
    bool keeps, skips; /* letters belong to the text; inside what is no text */
    /* cell under way */
    size_t row, column; /* from 0 */
    bool any_row, any_cell;
    size_t style;
    char type; /* s shared, t text, b truth, e error, d date as text, n number */
    bool has_value;
} workbook;

/* -- ending -- */

__attribute__((format(printf, 3, 4))) static void stop(workbook *w, cairn_workbook_end end,
                                                       const char *format, ...)
{
    if (w->end) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->job->message, sizeof w->job->message, format, arguments);
    va_end(arguments);
    w->end = end;
    if (w->parser) XML_StopParser(w->parser, XML_FALSE);
}

/* -- XML -- */

/* The name without the prefix of its namespace. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static bool is(const char *name, const char *wanted)
{
    return strcmp(local(name), wanted) == 0;
}

static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (is(attributes[0], name)) return attributes[1];
    return NULL;
}

static void add_text(void *data, const char *letters, int n)
{
    workbook *w = data;
    buffer *b = &w->text;
    size_t length = (size_t)n;
    if (!w->keeps || w->skips || w->end) return;
    if (b->length + length > MOST_TEXT) {
        stop(w, CAIRN_WORKBOOK_BAD, "a cell holds more than %d bytes", MOST_TEXT);
        return;
    }
    if (b->length + length > b->capacity) {
        size_t capacity = 2 * (b->length + length) + 64;
        char *bytes = realloc(b->bytes, capacity);
        if (!bytes) {
            stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
            return;
        }
        b->bytes = bytes;
        b->capacity = capacity;
    }
    memcpy(b->bytes + b->length, letters, length);
    b->length += length;
}

static void refuse_doctype(void *data, const char *name, const char *system, const char *public,
                           int subset)
{
    (void)name;
    (void)system;
    (void)public;
    (void)subset;
    stop(data, CAIRN_WORKBOOK_BAD,
         "a part declares a document type with entities, which no workbook "
         "needs");
}

/* -- the parser's memory -- */

/* Bytes of the parser that this thread has; expat hands its functions nothing to keep them in. */
static _Thread_local size_t parser_bytes;

static void *parser_resize(void *block, size_t size)
{
    size_t before = block ? malloc_usable_size(block) : 0;
    if (size > MOST_PARSER || parser_bytes - before > MOST_PARSER - size) return NULL;
    void *changed = realloc(block, size);
    if (changed) parser_bytes += malloc_usable_size(changed) - before;
    return changed;
}

static void *parser_take(size_t size)
{
    return parser_resize(NULL, size);
}

static void parser_free(void *block)
{
    if (block) parser_bytes -= malloc_usable_size(block);
    free(block);
}

static XML_Parser new_parser(void)
{
    static const XML_Memory_Handling_Suite counted = {parser_take, parser_resize, parser_free};
    parser_bytes = 0;
    return XML_ParserCreate_MM(NULL, &counted, NULL);
}

/* Whether a part is larger than any workbook needs: in all, or for what it is packed into. */
static bool is_bomb(workbook *w, int64_t got, int64_t part, const zip_stat_t *about)
{
    w->unpacked += (uint64_t)got;
    bool tight = part > SMALL_PART && (!(about->valid & ZIP_STAT_COMP_SIZE) ||
                                       part / MOST_RATIO > (int64_t)about->comp_size);
    if (tight)
        stop(w, CAIRN_WORKBOOK_BAD,
             "a part unpacks to more than %d times its size, as no workbook does", MOST_RATIO);
    else if (w->unpacked > w->job->most_unpacked)
        stop(w, CAIRN_WORKBOOK_UNPACKED, "its parts unpack to more than is allowed");
    return w->end != CAIRN_WORKBOOK_DONE;
}

static void parse_bytes(workbook *w, zip_file_t *file, const zip_stat_t *about)
{
    static const char damaged[] = "its part %s is damaged or cut short: %s";
    char *bytes = malloc(PART_BYTES);
    int64_t part = 0;
    bool last = false;
    if (!bytes) stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
    while (!w->end && !last) {
        zip_int64_t got = zip_fread(file, bytes, PART_BYTES);
        last = got == 0;
        if (got < 0) {
            stop(w, CAIRN_WORKBOOK_BAD, damaged, about->name, zip_file_strerror(file));
            break;
        }
        part += got;
        if (is_bomb(w, got, part, about)) break;
        if (w->job->is_cancelled(w->job->data)) stop(w, CAIRN_WORKBOOK_CANCELLED, "interrupted");
        if (w->end) break;
        if (XML_Parse(w->parser, bytes, (int)got, last) == XML_STATUS_ERROR && !w->end) {
            enum XML_Error code = XML_GetErrorCode(w->parser);
            if (code == XML_ERROR_NO_MEMORY && parser_bytes < MOST_PARSER / 4)
                stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
            else if (code == XML_ERROR_NO_MEMORY)
                stop(w, CAIRN_WORKBOOK_BAD,
                     "its part %s has a tag so long, or names of so many kinds, that they take "
                     "more than %d bytes, as in no workbook",
                     about->name, MOST_PARSER);
            else
                stop(w, CAIRN_WORKBOOK_BAD, damaged, about->name, XML_ErrorString(code));
        }
    }
    free(bytes);
}

/* Parse a part of the zip; a part that is not there is left out unless it is needed. */
static void parse_part(workbook *w, const char *name, XML_StartElementHandler begin,
                       XML_EndElementHandler end, bool needed)
{
    zip_stat_t about;
    if (w->end) return;
    if (zip_stat(w->zip, name, 0, &about) != 0) {
        if (needed) stop(w, CAIRN_WORKBOOK_BAD, "it has no part %s; is it a workbook?", name);
        return;
    }
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE) {
        stop(w, CAIRN_WORKBOOK_BAD, "it is encrypted; save it without a password");
        return;
    }
    zip_file_t *file = zip_fopen(w->zip, name, 0);
    w->parser = file ? new_parser() : NULL;
    w->depth = 0;
    w->keeps = w->skips = false;
    w->text.length = 0;
    if (!file) {
        stop(w, CAIRN_WORKBOOK_BAD, "its part %s cannot be unpacked: %s", name,
             zip_strerror(w->zip));
    } else if (!w->parser) {
        stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
    } else {
        XML_SetUserData(w->parser, w);
        XML_SetElementHandler(w->parser, begin, end);
        XML_SetCharacterDataHandler(w->parser, add_text);
        XML_SetStartDoctypeDeclHandler(w->parser, refuse_doctype);
        parse_bytes(w, file, &about);
    }
    if (w->parser) XML_ParserFree(w->parser);
    w->parser = NULL;
    if (file) zip_fclose(file);
}

/* Every beginning of an element: not too deep. */
static bool deeper(workbook *w)
{
    if (++w->depth > MOST_DEPTH) stop(w, CAIRN_WORKBOOK_BAD, "a part is nested too deeply");
    return !w->end;
}

static void leave(void *data, const char *name)
{
    (void)name;
    ((workbook *)data)->depth--;
}

/* -- which sheet -- */

static void keep(char to[NAME_BYTES], const char *from)
{
    snprintf(to, NAME_BYTES, "%s", from ? from : "");
}

static void begin_book(void *data, const char *name, const char **attributes)
{
    workbook *w = data;
    if (!deeper(w)) return;
    if (is(name, "workbookPr")) {
        const char *value = attribute(attributes, "date1904");
        w->job->from_1904 = value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
    }
    if (!is(name, "sheet")) return;
    const char *title = attribute(attributes, "name"), *id = attribute(attributes, "id");
    const char *wanted = w->job->sheet;
    size_t listed = strlen(w->names);
    bool by_name = wanted && title && strcmp(title, wanted) == 0;
    bool by_number = ++w->n_sheets == (wanted ? w->wanted : 1);
    if (title)
        snprintf(w->names + listed, sizeof w->names - listed, "%s%s", listed ? ", " : "", title);
    if (by_name || (by_number && !*w->relation)) keep(w->relation, id);
    if (by_name) w->wanted = 0; /* a name goes before a number */
}

static void keep_target(char to[NAME_BYTES], const char *target)
{
    if (*target == '/')
        keep(to, target + 1);
    else
        snprintf(to, NAME_BYTES, "xl/%s", target);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void begin_relations(void *data, const char *name, const char **attributes)
{
    workbook *w = data;
    if (!deeper(w) || !is(name, "Relationship")) return;
    const char *id = attribute(attributes, "Id"), *type = attribute(attributes, "Type"),
               *target = attribute(attributes, "Target");
    if (!id || !type || !target) return;
    if (ends_with(type, "/sharedStrings")) keep_target(w->strings, target);
    if (ends_with(type, "/styles")) keep_target(w->styles, target);
    if (strcmp(id, w->relation) == 0) keep_target(w->sheet, target);
}

/* -- which numbers are dates -- */

/* Whether a format code writes a year or a day: outside quotes, brackets and escapes. */
static bool is_date_code(const char *code)
{
    for (; *code; code++) {
        const char *close = *code == '"' ? "\"" : *code == '[' ? "]" : NULL;
        if (close) {
            code = strpbrk(code + 1, close);
            if (!code) return false;
        } else if (*code == '\\' || *code == '_' || *code == '*') {
            if (!*++code) return false;
        } else if (strchr("yYdD", *code)) {
            return true;
        }
    }
    return false;
}

/* The formats that every program knows by number. */
static bool is_date_number(unsigned number)
{
    return (number >= 14 && number <= 17) || number == 22 || (number >= 27 && number <= 31) ||
           number == 36 || (number >= 50 && number <= 54) || number == 57 || number == 58;
}

static bool is_date_format(const workbook *w, unsigned number)
{
    for (size_t i = 0; i < w->n_formats; i++)
        if (w->date_formats[i] == number) return true;
    return is_date_number(number);
}

static unsigned small_number(const char *text)
{
    unsigned long value = text ? strtoul(text, NULL, 10) : 0;
    return value > 1000000 ? 1000000 : (unsigned)value;
}

static void note_format(workbook *w, const char **attributes)
{
    const char *code = attribute(attributes, "formatCode");
    if (!code || !is_date_code(code)) return;
    if (w->n_formats == MOST_STYLES) {
        stop(w, CAIRN_WORKBOOK_BAD, "it has more than %d formats", MOST_STYLES);
        return;
    }
    if (w->n_formats % 64 == 0) {
        unsigned *more = realloc(w->date_formats, (w->n_formats + 64) * sizeof *more);
        if (!more) {
            stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
            return;
        }
        w->date_formats = more;
    }
    w->date_formats[w->n_formats++] = small_number(attribute(attributes, "numFmtId"));
}

static void note_style(workbook *w, const char **attributes)
{
    if (w->n_dates == MOST_STYLES) {
        stop(w, CAIRN_WORKBOOK_BAD, "it has more than %d styles", MOST_STYLES);
        return;
    }
    w->dates[w->n_dates++] = is_date_format(w, small_number(attribute(attributes, "numFmtId")));
}

static void begin_styles(void *data, const char *name, const char **attributes)
{
    workbook *w = data;
    if (!deeper(w)) return;
    if (is(name, "cellXfs")) w->in_styles = true;
    if (is(name, "numFmt")) note_format(w, attributes);
    if (is(name, "xf") && w->in_styles) note_style(w, attributes);
}

static void end_styles(void *data, const char *name)
{
    workbook *w = data;
    w->depth--;
    if (is(name, "cellXfs")) w->in_styles = false;
}

/* -- letters by their numbers -- */

/* _x000D_ stands for the letter of that number, where XML would lose or not allow it. 0 = none does
 * here. */
static unsigned coded_letter(const char *text, size_t left)
{
    char digits[5], *end;
    if (left < 7 || text[0] != '_' || text[1] != 'x' || text[6] != '_') return 0;
    if (!isxdigit((unsigned char)text[2])) return 0; /* no sign or blank */
    memcpy(digits, text + 2, 4);
    digits[4] = 0;
    unsigned long letter = strtoul(digits, &end, 16);
    return *end || (letter >= 0xD800 && letter < 0xE000) ? 0 : (unsigned)letter;
}

static size_t put_letter(char *to, unsigned letter)
{
    if (letter < 0x80) {
        to[0] = (char)letter;
        return 1;
    }
    if (letter < 0x800) {
        to[0] = (char)(0xC0 | letter >> 6);
        to[1] = (char)(0x80 | (letter & 0x3F));
        return 2;
    }
    to[0] = (char)(0xE0 | letter >> 12);
    to[1] = (char)(0x80 | (letter >> 6 & 0x3F));
    to[2] = (char)(0x80 | (letter & 0x3F));
    return 3;
}

/* Put such letters in their places; the text becomes shorter. */
static void decode(buffer *b)
{
    size_t to = 0;
    if (!b->length || !memchr(b->bytes, '_', b->length)) return;
    for (size_t from = 0; from < b->length;) {
        unsigned letter = coded_letter(b->bytes + from, b->length - from);
        if (letter) {
            to += put_letter(b->bytes + to, letter);
            from += 7;
        } else {
            b->bytes[to++] = b->bytes[from++];
        }
    }
    b->length = to;
}

/* -- shared texts -- */

static void begin_strings(void *data, const char *name, const char **attributes)
{
    workbook *w = data;
    (void)attributes;
    if (!deeper(w)) return;
    if (is(name, "si")) w->text.length = 0;
    if (is(name, "t")) w->keeps = true;
    if (is(name, "rPh")) w->skips = true; /* how it is pronounced */
}

static void end_strings(void *data, const char *name)
{
    workbook *w = data;
    w->depth--;
    if (is(name, "t")) w->keeps = false;
    if (is(name, "rPh")) w->skips = false;
    if (is(name, "si")) decode(&w->text);
    if (is(name, "si") && !w->end &&
        !w->job->shared(w->job->data, w->text.bytes ? w->text.bytes : "", w->text.length))
        stop(w, CAIRN_WORKBOOK_STOPPED, "stopped");
}

/* -- cells -- */

/* Row and column of "AB12"; false when it is no such place. */
static bool read_place(const char *place, size_t *row, size_t *column)
{
    size_t r = 0, c = 0;
    for (; *place >= 'A' && *place <= 'Z' && c <= MOST_COLUMNS; place++)
        c = 26 * c + (size_t)(*place - 'A') + 1;
    for (; *place >= '0' && *place <= '9' && r <= MOST_ROWS; place++)
        r = 10 * r + (size_t)(*place - '0');
    *row = r - 1;
    *column = c - 1;
    return !*place && r >= 1 && r <= MOST_ROWS && c >= 1 && c <= MOST_COLUMNS;
}

static void begin_row(workbook *w, const char **attributes)
{
    const char *number = attribute(attributes, "r");
    size_t row = w->any_row ? w->row + 1 : 0;
    if (number) {
        char *end;
        unsigned long value = strtoul(number, &end, 10);
        if (*end || value < 1 || value - 1 < row) {
            stop(w, CAIRN_WORKBOOK_BAD, "row '%.20s' is out of place", number);
            return;
        }
        row = value - 1;
    }
    if (row >= MOST_ROWS) stop(w, CAIRN_WORKBOOK_BAD, "it has more than %d rows", MOST_ROWS);
    w->row = row;
    w->any_row = true;
    w->any_cell = false;
}

static char type_of(const char *type)
{
    if (!type || strcmp(type, "n") == 0) return 'n';
    if (strcmp(type, "s") == 0) return 's';
    return strlen(type) == 1 && strchr("bed", *type) ? *type : 't'; /* str, inlineStr */
}

static void begin_cell(workbook *w, const char **attributes)
{
    const char *place = attribute(attributes, "r"), *style = attribute(attributes, "s");
    size_t row = w->row, column = w->any_cell ? w->column + 1 : 0;
    if (place && (!read_place(place, &row, &column) || row != w->row ||
                  (w->any_cell && column <= w->column))) {
        stop(w, CAIRN_WORKBOOK_BAD, "cell '%.20s' is out of place", place);
        return;
    }
    if (!w->any_row || column >= MOST_COLUMNS) {
        stop(w, CAIRN_WORKBOOK_BAD, "a cell stands outside the rows and columns of a sheet");
        return;
    }
    w->column = column;
    w->any_cell = true;
    w->style = style ? small_number(style) : SIZE_MAX;
    w->type = type_of(attribute(attributes, "t"));
    w->text.length = 0;
    w->has_value = false;
}

static void begin_sheet(void *data, const char *name, const char **attributes)
{
    workbook *w = data;
    if (!deeper(w)) return;
    if (is(name, "row")) begin_row(w, attributes);
    if (is(name, "c")) begin_cell(w, attributes);
    if (is(name, "v") || is(name, "t")) {
        w->keeps = w->has_value = w->any_cell;
    }
    if (is(name, "rPh")) w->skips = true;
}

static cairn_workbook_type cell_type(const workbook *w)
{
    switch (w->type) {
    case 's': return CAIRN_WORKBOOK_SHARED;
    case 'b': return CAIRN_WORKBOOK_TRUTH;
    case 'e': return CAIRN_WORKBOOK_ERROR;
    case 'n':
        return w->style < w->n_dates && w->dates[w->style] ? CAIRN_WORKBOOK_DATE
                                                           : CAIRN_WORKBOOK_NUMBER;
    default: return CAIRN_WORKBOOK_TEXT;
    }
}

static void end_sheet(void *data, const char *name)
{
    workbook *w = data;
    w->depth--;
    if (is(name, "v") || is(name, "t")) w->keeps = false;
    if (is(name, "rPh")) w->skips = false;
    if (!is(name, "c") || !w->has_value || w->end) return;
    w->has_value = false;
    if (cell_type(w) == CAIRN_WORKBOOK_TEXT) decode(&w->text);
    if (!w->job->cell(w->job->data, w->row, w->column, cell_type(w),
                      w->text.bytes ? w->text.bytes : "", w->text.length))
        stop(w, CAIRN_WORKBOOK_STOPPED, "stopped");
}

/* -- the whole -- */

/* Entries of the list at the end of a zip, each of which libzip keeps: at most so many, since bytes
 * of a part may look like one. */
static size_t count_parts(const char *bytes, size_t length)
{
    static const char entry[4] = "PK\1\2";
    size_t n = 0;
    for (const char *at = bytes, *end = bytes + length;
         (at = memmem(at, (size_t)(end - at), entry, sizeof entry)); at += sizeof entry)
        n++;
    return n;
}

static void open_zip(workbook *w)
{
    static const char compound[] = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    const cairn_workbook_job *job = w->job;
    zip_error_t error;
    if (job->length >= 8 && memcmp(job->bytes, compound, 8) == 0) {
        stop(w, CAIRN_WORKBOOK_BAD,
             "it is encrypted with a password, or a workbook of the old kind "
             "(.xls); save it as .xlsx without a password");
        return;
    }
    if (job->length < 4 || memcmp(job->bytes, "PK", 2) != 0) {
        stop(w, CAIRN_WORKBOOK_BAD, "it is no zip file, as every .xlsx is");
        return;
    }
    if (count_parts(job->bytes, job->length) > MOST_PARTS) {
        stop(w, CAIRN_WORKBOOK_BAD, "it has more than %d parts, as no workbook does", MOST_PARTS);
        return;
    }
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(job->bytes, job->length, 0, &error);
    if (source) w->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (source && !w->zip) zip_source_free(source);
    if (!w->zip)
        stop(w, CAIRN_WORKBOOK_BAD, "the zip file is damaged or cut short: %s",
             zip_error_strerror(&error));
    zip_error_fini(&error);
}

static void find_sheet(workbook *w)
{
    const char *wanted = w->job->sheet;
    parse_part(w, "xl/workbook.xml", begin_book, leave, true);
    if (!w->end && !*w->relation)
        stop(w, CAIRN_WORKBOOK_NO_SHEET, "there is no sheet '%s'; there are: %s",
             wanted ? wanted : "1", w->names);
    parse_part(w, "xl/_rels/workbook.xml.rels", begin_relations, leave, true);
    if (!w->end && !*w->sheet)
        stop(w, CAIRN_WORKBOOK_BAD, "the part of the sheet is not named in its relations");
}

static cairn_workbook_end read_workbook(cairn_workbook_job *job)
{
    workbook *w = calloc(1, sizeof *w);
    cairn_workbook_end end = CAIRN_WORKBOOK_NO_MEMORY;
    if (!w) return end;
    w->job = job;
    w->dates = calloc(MOST_STYLES, 1);
    w->wanted = job->sheet ? small_number(job->sheet) : 1;
    if (!w->dates) stop(w, CAIRN_WORKBOOK_NO_MEMORY, "not enough memory");
    if (!w->end) open_zip(w);
    if (!w->end) find_sheet(w);
    if (*w->styles) parse_part(w, w->styles, begin_styles, end_styles, false);
    if (*w->strings) parse_part(w, w->strings, begin_strings, end_strings, false);
    parse_part(w, w->sheet, begin_sheet, end_sheet, true);
    end = w->end;
    if (w->zip) zip_discard(w->zip);
    free(w->text.bytes);
    free(w->dates);
    free(w->date_formats);
    free(w);
    return end;
}

extern CAIRN_API const cairn_workbook_module cairn_workbook_module_record;
CAIRN_API const cairn_workbook_module cairn_workbook_module_record = {
    .abi = CAIRN_WORKBOOK_ABI,
    .read = read_workbook,
};
