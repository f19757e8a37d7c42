/* SPDX-License-Identifier: MIT */
/* C4.5: a file stem.names that declares classes and attributes, and the rows in stem.data (or
 * stem.test). Either file of the pair may be given; the other is found beside it.
 *
 * The names file holds entries. The first lists the classes, or names the attribute that is the
 * target. Each other one is "attribute: definition", the definition being continuous (a number), a
 * list of values (a level with exactly these, in this order; [ordered] may stand before it),
 * discrete N (a level with up to N values as they come), ignore (text with the role ignored) or
 * label (text with the role id). An entry ends with a period or at the end of a line that does not
 * end in a comma; | begins a comment; a backslash keeps the next byte from being special. A row has
 * one value per attribute and then the class, which may be left out; ? is missing. */
#include "data/c45.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/format.h"
#include "data/grow.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct attribute {
    cairn_grow_column column;
    size_t most; /* discrete N; 0 = declared */
} attribute;

typedef struct reader {
    const cairn_lines *names, *data;
    cairn_map classes;  /* the first entry */
    cairn_map declared; /* names of the attributes */
    attribute *attributes;
    size_t attributes_capacity;
    attribute target; /* the class, when it is not one of the attributes */
    bool has_target;
    size_t n_rows;
    cairn_text word;
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* What ends a word of the names file. */
typedef enum { BY_COMMA, BY_COLON, BY_END } stop;

/* Past blanks, comments and, where an entry begins or goes on after a comma, line ends. */
static const char *skip_space(const cairn_lines *lines, const char *at, bool over_lines)
{
    while (at < lines->end) {
        if (*at == '|')
            at = cairn_lines_end(lines, at);
        else if (is_blank(*at) || (over_lines && *at == '\n'))
            at++;
        else
            break;
    }
    return at;
}

/* A word of the names file into r->word, runs of blanks as one. A period ends the entry only before
 * a blank, a comment or a line end, so 0.5 is a word. */
static cairn_status read_word(reader *r, const char **at, stop *how)
{
    const cairn_lines *lines = r->names;
    const char *c = *at;
    bool pending = false;
    r->word.length = 0;
    cairn_text_add_bytes(&r->word, "", 0);
    *how = BY_END;
    for (; c < lines->end && *c != '\n' && *c != '|'; c++) {
        bool last = c + 1 == lines->end || is_blank(c[1]) || c[1] == '\n' || c[1] == '|';
        if (*c == ',' || *c == ':') {
            *how = *c++ == ',' ? BY_COMMA : BY_COLON;
            break;
        }
        if (*c == '.' && last) {
            c++;
            break;
        }
        if (is_blank(*c)) {
            pending = true;
            continue;
        }
        if (pending && r->word.length) cairn_text_add_char(&r->word, ' ');
        pending = false;
        if (*c == '\\' && c + 1 < lines->end && c[1] != '\n') c++;
        cairn_text_add_char(&r->word, *c);
    }
    *at = c;
    return cairn_text_status(&r->word);
}

/* A comma-separated list up to the end of its entry, into `out`. */
static cairn_status read_list(cairn_context *ctx, reader *r, const char **at, cairn_map *out,
                              const char *name)
{
    stop how = BY_COMMA;
    size_t index;
    while (how == BY_COMMA) {
        const char *from = *at = skip_space(r->names, *at, true);
        CHECK(read_word(r, at, &how));
        if (how == BY_COLON)
            CHECK(cairn_lines_refuse(ctx, r->names, from, name,
                                     "a colon follows '%s' inside a list; end the entry before it "
                                     "with a period",
                                     r->word.bytes));
        if (!r->word.length && how == BY_END) break; /* a comma before the period */
        if (!r->word.length)
            CHECK(cairn_lines_refuse(ctx, r->names, from, name, "a value of the list is empty"));
        size_t before = out->n;
        CHECK(cairn_map_add(ctx, out, r->word.bytes, r->word.length, &index));
        if (index != before)
            CHECK(cairn_lines_refuse(ctx, r->names, from, name, "the value '%s' is declared twice",
                                     r->word.bytes));
    }
    return CAIRN_OK;
}

/* "discrete 5" as 5; 0 when it is something else. */
static size_t discrete_count(const char *word)
{
    size_t count = 0;
    if (!cairn_starts_with(word, "discrete ")) return 0;
    for (word += 9; *word >= '0' && *word <= '9' && count < 100000000; word++)
        count = count * 10 + (size_t)(*word - '0');
    return *word ? 0 : count;
}

/* A definition of one word; false when it is a list of one value. */
static bool define_by_word(attribute *a, const char *word)
{
    cairn_grow_column *column = &a->column;
    if (cairn_same(word, "continuous")) {
        column->kind = CAIRN_NUMBER;
    } else if (cairn_same(word, "ignore") || cairn_same(word, "label")) {
        column->kind = CAIRN_TEXT;
        column->role = *word == 'i' ? CAIRN_IGNORED : CAIRN_ID;
    } else if (cairn_same(word, "date") || cairn_same(word, "timestamp")) {
        column->kind = CAIRN_TIME;
    } else if (cairn_same(word, "time")) {
        column->kind = CAIRN_TIME;
        memcpy(column->pattern, "%H:%M:%S", sizeof "%H:%M:%S");
    } else {
        a->most = discrete_count(word);
        return a->most > 0;
    }
    return true;
}

/* A single word may be a type or a list of one value: the word is read ahead, and the place only
 * moves on when it was a type. */
static cairn_status read_definition(cairn_context *ctx, reader *r, attribute *a, const char **at)
{
    cairn_grow_column *column = &a->column;
    stop how;
    const char *from = *at = skip_space(r->names, *at, true), *again;
    column->kind = CAIRN_LEVEL;
    if ((size_t)(r->names->end - from) > 9 && memcmp(from, "[ordered]", 9) == 0) {
        column->ordered = true;
        from = *at = skip_space(r->names, from + 9, true);
    } else {
        again = from;
        CHECK(read_word(r, &again, &how));
        if (how == BY_END && define_by_word(a, r->word.bytes)) {
            *at = again;
            return CAIRN_OK;
        }
    }
    if (from < r->names->end && *from == '=')
        return cairn_lines_refuse(ctx, r->names, from, column->name,
                                  "attributes defined by a formula (:=) are not read; compute the "
                                  "column and declare it as continuous");
    column->declared = true;
    CHECK(read_list(ctx, r, at, &column->names, column->name));
    if (!column->names.n)
        CHECK(cairn_lines_refuse(ctx, r->names, from, column->name,
                                 "the attribute is not defined; write continuous or its values"));
    return CAIRN_OK;
}

/* The room for the attribute is taken before its name is added, so that names and attributes never
 * differ in number. */
static cairn_status read_attribute(cairn_context *ctx, reader *r, const char **at)
{
    const char *from = *at;
    stop how;
    size_t n = r->declared.n, index;
    CHECK(GROW(ctx, &r->attributes, &r->attributes_capacity, n + 1));
    CHECK(read_word(r, at, &how));
    if (how != BY_COLON || !r->word.length)
        return cairn_lines_refuse(ctx, r->names, from, NULL,
                                  "'%s' is not 'attribute: definition'; a colon is missing",
                                  r->word.bytes);
    CHECK(cairn_map_add(ctx, &r->declared, r->word.bytes, r->word.length, &index));
    if (index != n)
        return cairn_lines_refuse(ctx, r->names, from, r->word.bytes,
                                  "the attribute is declared twice; rename one");
    r->attributes[n] = (attribute){.column = {.role = CAIRN_FEATURE}};
    CHECK(cairn_copy_text(ctx, &r->attributes[n].column.name, r->word.bytes, r->word.length));
    return read_definition(ctx, r, &r->attributes[n], at);
}

/* The classes are a column of their own, unless the first entry names an attribute. */
static cairn_status choose_target(cairn_context *ctx, reader *r)
{
    const char *first = cairn_map_key(&r->classes, 0);
    int64_t found = cairn_map_find(&r->declared, first, r->classes.lengths[0]);
    if (r->classes.n == 1 && found >= 0) {
        r->attributes[found].column.role = CAIRN_TARGET;
        return CAIRN_OK;
    }
    if (cairn_map_find(&r->declared, "class", 5) >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the classes are listed and an attribute is called class; rename it",
                          r->names->name);
    cairn_grow_column *column = &r->target.column;
    column->kind = CAIRN_LEVEL;
    column->role = CAIRN_TARGET;
    column->declared = true;
    column->names = r->classes;
    r->classes = (cairn_map){0};
    r->has_target = true;
    return cairn_copy_text(ctx, &column->name, "class", 5);
}

static cairn_status read_names(cairn_context *ctx, reader *r)
{
    const char *at = skip_space(r->names, r->names->begin, true);
    CHECK(read_list(ctx, r, &at, &r->classes, NULL));
    if (!r->classes.n)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there are no classes; list them first",
                         r->names->name));
    while ((at = skip_space(r->names, at, true)) < r->names->end)
        CHECK(read_attribute(ctx, r, &at));
    if (!r->declared.n)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: no attribute is declared after the classes",
                         r->names->name));
    return choose_target(ctx, r);
}

/* -- rows -- */

static const char *candidate_value(size_t i, const void *data)
{
    const cairn_map *names = data;
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

/* Put r->word into the column. */
static cairn_status add_value(cairn_context *ctx, reader *r, attribute *a, const char *at)
{
    cairn_grow_column *column = &a->column;
    const char *word = r->word.bytes;
    const char *why;
    double number;
    if (!r->word.length || cairn_same(word, "?") || cairn_same(word, "N/A"))
        return cairn_grow_missing(ctx, column);
    if (column->kind == CAIRN_LEVEL) {
        /* Declared lists of values are closed, "discrete N" admits new values up to N; a value
         * outside is a mistake in one of the two files. */
        int64_t code = cairn_map_find(&column->names, word, r->word.length);
        size_t index = (size_t)code;
        if (code < 0 && a->most) {
            if (column->names.n >= a->most)
                return cairn_lines_refuse(ctx, r->data, at, column->name,
                                          "'%s' is one value more than the %zu that the names file "
                                          "declares; raise discrete %zu",
                                          word, a->most, a->most);
            CHECK(cairn_map_add(ctx, &column->names, word, r->word.length, &index));
        } else if (code < 0) {
            const char *near = cairn_nearest_word(word, candidate_value, &column->names);
            return cairn_lines_refuse(ctx, r->data, at, column->name,
                                      "'%.200s' is not among the declared values; %s%s%s", word,
                                      near ? "did you mean '" : "add it to the names file",
                                      near ? near : "", near ? "'?" : "");
        }
        return cairn_grow_code(ctx, column, (int32_t)index);
    }
    if (column->kind == CAIRN_TEXT) return cairn_grow_text(ctx, column, word, r->word.length);
    if (column->kind == CAIRN_TIME) {
        if (cairn_time_parse(word, r->word.length, column->pattern, &number, NULL, &why))
            return cairn_grow_number(ctx, column, number);
        return cairn_lines_refuse(ctx, r->data, at, column->name,
                                  "'%.200s' is not a time: %s; write ? where it is missing", word,
                                  why);
    }
    if (cairn_cell_number(word, r->word.length, '.', &number))
        return cairn_grow_number(ctx, column, number);
    return cairn_lines_refuse(ctx, r->data, at, column->name,
                              "'%.200s' is not a number that a table can hold; write ? where it is "
                              "missing",
                              word);
}

static attribute *attribute_at(reader *r, size_t j)
{
    if (j < r->declared.n) return &r->attributes[j];
    return r->has_target ? &r->target : NULL;
}

/* A period that ends the row is no part of its last value, unless the value is declared with it. */
static void drop_period(reader *r, const attribute *a)
{
    if (!r->word.length || r->word.bytes[r->word.length - 1] != '.') return;
    if (cairn_map_find(&a->column.names, r->word.bytes, r->word.length) >= 0) return;
    r->word.bytes[--r->word.length] = 0;
}

/* The class may be missing at the end of the row, as in files of cases to be classified; every
 * attribute must be there. */
static cairn_status read_row(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    size_t most = r->declared.n + r->has_target, j = 0;
    bool more = true;
    for (; more && j < most; j++) {
        const char *from = at;
        attribute *a = attribute_at(r, j);
        /* A value of a row into r->word; true when another follows. */
        const char *c = at;
        bool pending = false;
        r->word.length = 0;
        cairn_text_add_bytes(&r->word, "", 0);
        for (; c < end && *c != ','; c++) {
            if (is_blank(*c)) {
                pending = true;
                continue;
            }
            if (pending && r->word.length) cairn_text_add_char(&r->word, ' ');
            pending = false;
            if (*c == '\\' && c + 1 < end) c++;
            cairn_text_add_char(&r->word, *c);
        }
        at = c + 1;
        more = c < end;
        CHECK(cairn_text_status(&r->word));
        if (!more) drop_period(r, a);
        CHECK(add_value(ctx, r, a, from));
    }
    if (more)
        CHECK(cairn_lines_refuse(
            ctx, r->data, at - 1, NULL,
            "the row has more than the %zu values that the names file declares", most));
    if (j < r->declared.n)
        CHECK(cairn_lines_refuse(ctx, r->data, end, NULL,
                                 "the row has %zu values and the names file declares %zu", j,
                                 most));
    if (j < most) CHECK(cairn_grow_missing(ctx, &r->target.column));
    r->n_rows++;
    return CAIRN_OK;
}

static const char *comment_or_end(const char *at, const char *end)
{
    for (const char *c = at; c < end; c++) {
        if (*c == '\\' && c + 1 < end)
            c++;
        else if (*c == '|')
            return c;
    }
    return end;
}

static cairn_status read_rows(cairn_context *ctx, reader *r)
{
    enum { TICK_LINES = 1 << 14 };
    const cairn_lines *lines = r->data;
    double length = (double)(lines->end - lines->begin);
    for (const char *at = lines->begin; at < lines->end;) {
        const char *feed = cairn_lines_end(lines, at);
        const char *from = at, *end = cairn_lines_trim(at, comment_or_end(at, feed));
        at = feed + 1;
        if (from == end) continue;
        CHECK(read_row(ctx, r, from, end));
        if (r->n_rows % TICK_LINES == 0)
            CHECK(cairn_tick(ctx, "reading", (double)(at - lines->begin), length));
    }
    if (r->n_rows == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no row of data", lines->name));
    return CAIRN_OK;
}

static void reader_clear(reader *r)
{
    size_t n = r->declared.n < r->attributes_capacity ? r->declared.n : r->attributes_capacity;
    for (size_t j = 0; j < n; j++) cairn_grow_clear(&r->attributes[j].column);
    cairn_grow_clear(&r->target.column);
    cairn_free(r->attributes);
    cairn_map_clear(&r->classes);
    cairn_map_clear(&r->declared);
    cairn_text_clear(&r->word);
}

cairn_status cairn_c45_read(cairn_context *ctx, cairn_table **out, const cairn_lines *names,
                            const cairn_lines *data)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(reader_clear) reader r = {.names = names, .data = data, .word = cairn_text_start(ctx)};
    CHECK(read_names(ctx, &r));
    CHECK(read_rows(ctx, &r));
    CHECK(cairn_table_new(ctx, &table, r.n_rows));
    for (size_t j = 0; j < r.declared.n + r.has_target; j++)
        CHECK(cairn_grow_finish(ctx, table, &attribute_at(&r, j)->column));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- the pair of files -- */

/* Length of the path without .names, .data, .test or .cases, perhaps compressed; 0 when it has no
 * such ending. `ending` gets what it was. */
static size_t stem_length(const char *path, const char **ending)
{
    static const char *const endings[] = {".names", ".data", ".test", ".cases"};
    static const char *const coded[] = {"", ".gz", ".zst"};
    size_t length = strlen(path);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) {
            size_t own = strlen(endings[i]), more = strlen(coded[k]);
            if (length <= own + more || strcmp(path + length - more, coded[k]) != 0 ||
                memcmp(path + length - more - own, endings[i], own) != 0)
                continue;
            *ending = endings[i];
            return length - own - more;
        }
    }
    return 0;
}

/* The other file of the pair, from scratch: the one that is there, plain or compressed. */
static cairn_status find_partner(cairn_context *ctx, const char *path, bool *is_names,
                                 const char **out)
{
    static const char *const coded[] = {"", ".gz", ".zst"};
    const char *ending;
    char *partner;
    size_t stem = stem_length(path, &ending);
    if (!stem)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: C4.5 data is a pair of files, stem.names and stem.data; give the "
                          "path of one of them",
                          path);
    *is_names = cairn_same(ending, ".names");
    const char *other = *is_names ? ".data" : ".names";
    CHECK(SCRATCH(ctx, &partner, stem + 16));
    memcpy(partner, path, stem);
    for (size_t k = 3; k-- > 0;) { /* the plain name last: it stands in the message */
        memcpy(partner + stem, other, strlen(other));
        memcpy(partner + stem + strlen(other), coded[k], strlen(coded[k]) + 1);
        if (k == 0 || access(partner, R_OK) == 0) break;
    }
    *out = partner;
    return CAIRN_OK;
}

static cairn_status read_partner(cairn_context *ctx, cairn_lines *out, cairn_input **input,
                                 const char *path, const cairn_read_options *options)
{
    cairn_status status = cairn_input_open(ctx, input, path);
    if (status) {
        cairn_message_prefix(ctx, "C4.5 data is a pair of files, stem.names and stem.data");
        return status;
    }
    return cairn_lines_read(ctx, out, *input, options->encoding);
}

static cairn_status read_c45(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    cairn_status status;
    cairn_lines given = {0}, found = {0};
    cairn_input *other = NULL;
    const char *partner;
    bool is_names = false;
    TRY(find_partner(ctx, cairn_input_name(input), &is_names, &partner));
    TRY(read_partner(ctx, &found, &other, partner, options));
    TRY(cairn_lines_read(ctx, &given, input, options->encoding));
    TRY(cairn_c45_read(ctx, out, is_names ? &given : &found, is_names ? &found : &given));
done:
    cairn_lines_clear(&given);
    cairn_lines_clear(&found);
    cairn_input_close(other);
    return status;
}

/* Whether the head of a names file looks like one: many sets of data keep prose under that name.
 * The first entry has no colon and every later one does; the last line may be cut short. */
static bool looks_like_names(const char *text, size_t n)
{
    cairn_lines lines = {.name = "", .begin = text, .end = text + n};
    size_t entries = 0;
    bool goes_on = false; /* after a comma */
    for (const char *at = text, *feed; at < lines.end; at = feed + 1) {
        feed = cairn_lines_end(&lines, at);
        const char *end = cairn_lines_trim(at, comment_or_end(at, feed));
        if (end == at || feed == lines.end) continue;
        bool colon = memchr(at, ':', (size_t)(end - at));
        if (!goes_on && colon != (entries > 0)) return false;
        entries += !goes_on;
        goes_on = end[-1] == ',';
    }
    return entries > 1;
}

/* A .data file is C4.5's when a names file of that kind lies beside it; else it is just values. */
static bool detect_c45(const char *name, const char *head, size_t n)
{
    enum { LONGEST = 4096, HEAD = 1 << 14 };
    const char *ending = NULL;
    char path[LONGEST], text[HEAD];
    (void)head;
    (void)n;
    size_t stem = name ? stem_length(name, &ending) : 0;
    if (!stem || stem + 8 > LONGEST || cairn_same(ending, ".names")) return false;
    memcpy(path, name, stem);
    memcpy(path + stem, ".names", 7);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    ssize_t got = read(file, text, HEAD);
    close(file);
    return got > 0 && looks_like_names(text, (size_t)got);
}

const cairn_data_format cairn_c45_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "c45",
            .also = "C4.5 files, names file, data file",
            .title = "The pair of names and data files of C4.5",
            .summary = "The file stem.names lists the classes and declares the attributes; "
                       "stem.data or stem.test has the rows. Give the path of either. The class "
                       "becomes the target; declared values keep their order; attributes to be "
                       "ignored keep that role and a label becomes an id.",
            .example = "cairn describe golf.names",
        },
    .extensions = "names",
    .detect = detect_c45,
    .read = read_c45,
};
