/* SPDX-License-Identifier: MIT */
/* Reading lessons. A lesson that does not follow the format is refused as a whole, with the place
 * of the mistake, so that no expectation is ever skipped in silence. */
#include "command/find.h"
#include "command/lesson.h"

#include "base/bundle.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cairn_status cairn_lesson_bad(cairn_context *ctx, const char *id, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "lesson %s: %s", id, what);
}

cairn_status cairn_lesson_strings(cairn_context *ctx, const char *id, const cairn_json *array,
                                  const char ***out, size_t *n)
{
    *n = cairn_json_size(array);
    CHECK(SCRATCH(ctx, out, *n + 1));
    for (size_t i = 0; i < *n; i++) {
        (*out)[i] = cairn_json_string(cairn_json_at(array, i));
        if (!(*out)[i]) return cairn_lesson_bad(ctx, id, "a list of texts holds something else");
    }
    return CAIRN_OK;
}

/* A number, null for undefined, or the texts inf and -inf. */
static bool read_number(const cairn_json *value, double *out)
{
    const char *text = cairn_json_string(value);
    if (cairn_json_number(value, out)) return true;
    *out = NAN;
    if (cairn_json_is_null(value)) return true;
    if (cairn_same(text, "inf")) *out = INFINITY;
    if (cairn_same(text, "-inf")) *out = -INFINITY;
    return isinf(*out);
}

/* Members that it does not know are refused: a misspelt one would let an expectation pass
 * unseen. */
static cairn_status read_expectation(cairn_context *ctx, const char *id, const cairn_json *object,
                                     cairn_expectation *out)
{
    const cairn_json *number = cairn_json_get(object, "number"), *value;
    const char *key;
    *out = (cairn_expectation){.value = cairn_json_string(cairn_json_get(object, "value")),
                               .key = cairn_json_string(cairn_json_get(object, "key")),
                               .text = cairn_json_string(cairn_json_get(object, "text")),
                               .number = NAN,
                               .tolerance = 1e-6};
    for (size_t i = 0; (key = cairn_json_member(object, i, &value)); i++)
        if (!cairn_same(key, "value") && !cairn_same(key, "key") && !cairn_same(key, "text") &&
            !cairn_same(key, "number") && !cairn_same(key, "tolerance"))
            return cairn_lesson_bad(ctx, id, "an expectation has no member '%s'", key);
    if (!out->value) return cairn_lesson_bad(ctx, id, "an expectation does not name its value");
    if (!number == !out->text)
        return cairn_lesson_bad(ctx, id, "'%s' needs either number or text", out->value);
    if (number && !read_number(number, &out->number))
        return cairn_lesson_bad(ctx, id, "'%s': number is not a number", out->value);
    value = cairn_json_get(object, "tolerance");
    if (value && (!cairn_json_number(value, &out->tolerance) || !(out->tolerance >= 0)))
        return cairn_lesson_bad(ctx, id, "'%s': a tolerance is not negative", out->value);
    return CAIRN_OK;
}

static cairn_status read_command(cairn_context *ctx, const char *id, const cairn_json *object,
                                 cairn_lesson_command *out)
{
    const cairn_json *expect = cairn_json_get(object, "expect");
    size_t n;
    double code = 0;
    CHECK(cairn_lesson_strings(ctx, id, cairn_json_get(object, "run"), &out->words, &n));
    if (n == 0) return cairn_lesson_bad(ctx, id, "a command has no words in 'run'");
    out->n_words = (int)n;
    if (cairn_json_get(object, "exit") && !cairn_json_number(cairn_json_get(object, "exit"), &code))
        return cairn_lesson_bad(ctx, id, "'exit' is not a number");
    out->exit = (int)code;
    out->n_expect = cairn_json_size(expect);
    CHECK(SCRATCH(ctx, &out->expect, out->n_expect + 1));
    for (size_t i = 0; i < out->n_expect; i++)
        CHECK(read_expectation(ctx, id, cairn_json_at(expect, i), &out->expect[i]));
    return CAIRN_OK;
}

static cairn_status read_files(cairn_context *ctx, cairn_lesson *out, const cairn_json *files)
{
    const cairn_json *value;
    const char *name;
    for (size_t i = 0; (name = cairn_json_member(files, i, &value)); i++) {
        const char *bytes = cairn_json_string(value);
        if (!bytes || !*name || strchr(name, '/'))
            return cairn_lesson_bad(ctx, out->id, "'files' maps plain names to texts");
        CHECK(cairn_virtual_put(ctx, &out->files, name, bytes, strlen(bytes)));
    }
    return CAIRN_OK;
}

/* Find the first command that expects the value, so that what is asked for is also checked. */
static cairn_status find_expected(cairn_context *ctx, const cairn_lesson *lesson, cairn_asked *out)
{
    for (size_t i = 0; i < lesson->n_commands; i++)
        for (size_t j = 0; j < lesson->commands[i].n_expect; j++) {
            const cairn_expectation *e = &lesson->commands[i].expect[j];
            if (strcmp(e->value, out->value) != 0) continue;
            out->command = i;
            out->tolerance = e->tolerance;
            out->is_word = e->text != NULL;
            return CAIRN_OK;
        }
    return cairn_lesson_bad(ctx, lesson->id, "'%s' is asked for and not expected", out->value);
}

static cairn_status read_asked(cairn_context *ctx, cairn_lesson *out, const cairn_json *ask)
{
    const cairn_json *label;
    const char *name;
    out->n_asked = cairn_json_size(ask);
    CHECK(SCRATCH(ctx, &out->asked, out->n_asked + 1));
    for (size_t i = 0; (name = cairn_json_member(ask, i, &label)); i++) {
        out->asked[i] = (cairn_asked){.value = name, .label = cairn_json_string(label)};
        if (!out->asked[i].label)
            return cairn_lesson_bad(ctx, out->id, "'ask' maps names of values to texts");
        CHECK(find_expected(ctx, out, &out->asked[i]));
    }
    return CAIRN_OK;
}

/* A lesson must bear the id of its file, have a title, and hold one command at least. */
static cairn_status read_document(cairn_context *ctx, cairn_lesson *out)
{
    const cairn_json *d = out->document, *commands = cairn_json_get(d, "commands");
    out->title = cairn_json_string(cairn_json_get(d, "title"));
    out->note = cairn_json_string(cairn_json_get(d, "note"));
    if (!cairn_same(cairn_json_string(cairn_json_get(d, "id")), out->id))
        return cairn_lesson_bad(ctx, out->id, "the 'id' inside differs from the file's name");
    if (!out->title) return cairn_lesson_bad(ctx, out->id, "there is no 'title'");
    CHECK(cairn_lesson_strings(ctx, out->id, cairn_json_get(d, "text"), &out->text, &out->n_text));
    CHECK(cairn_lesson_strings(ctx, out->id, cairn_json_get(d, "aliases"), &out->aliases,
                               &out->n_aliases));
    CHECK(read_files(ctx, out, cairn_json_get(d, "files")));
    out->n_files = out->files.n;
    out->n_commands = cairn_json_size(commands);
    if (out->n_commands == 0) return cairn_lesson_bad(ctx, out->id, "there are no 'commands'");
    CHECK(SCRATCH(ctx, &out->commands, out->n_commands));
    for (size_t i = 0; i < out->n_commands; i++)
        CHECK(read_command(ctx, out->id, cairn_json_at(commands, i), &out->commands[i]));
    out->turn = cairn_json_get(d, "turn");
    return read_asked(ctx, out, cairn_json_get(d, "ask"));
}

cairn_status cairn_lesson_parse(cairn_context *ctx, cairn_lesson *out, const char *id,
                                const char *bytes, size_t length)
{
    *out = (cairn_lesson){.id = id};
    cairn_status status = cairn_json_parse(ctx, &out->document, id, bytes, length);
    if (!status) status = read_document(ctx, out);
    if (status) cairn_lesson_clear(out);
    return status;
}

#define FOLDER "lessons/"
#define ENDING ".json"

static const char *lesson_candidate(size_t i, const void *data)
{
    return ((const cairn_lesson_item *)data)[i].id;
}

/* The lesson whose name was misspelt; NULL = none. What names begin with is a subject. */
static const char *meant(const cairn_lesson_item *items, const char *words)
{
    const char *near = cairn_nearest_word(words, lesson_candidate, items);
    return near && !cairn_starts_with(near, words) ? near : NULL;
}

/* Lessons that have the word in their title, text or values, or a name that is spelt alike. */
static cairn_status unknown_lesson(cairn_context *ctx, const char *id)
{
    cairn_lesson_item *items;
    cairn_hits hits;
    CHECK(cairn_lesson_list(ctx, &items));
    const char *near = meant(items, id);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no lesson '%s'; did you mean '%s'?", id,
                          near);
    CHECK(cairn_find_lessons(ctx, &hits, id));
    if (hits.n && hits.all->score < CAIRN_SOME_WORDS)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no lesson '%s'; %s%s%s is about it%s%s%s", id,
                          hits.all[0].name, hits.n > 1 ? ", or " : "",
                          hits.n > 1 ? hits.all[1].name : "", hits.n > 2 ? "; 'cairn list " : "",
                          hits.n > 2 ? id : "", hits.n > 2 ? "' shows more" : "");
    return cairn_fail(ctx, CAIRN_USAGE, "there is no lesson '%s'; 'cairn list lessons' shows them",
                      id);
}

/* An id among the words, or one that is spelt alike, is left to who reads the lesson. */
cairn_status cairn_lesson_search(cairn_command *c, bool *found)
{
    const int misspelt = cairn_match_score(CAIRN_FOUND_NAME, CAIRN_ANSWER_NEAR);
    cairn_lesson_item *items;
    const char *words;
    cairn_hits hits;
    *found = false;
    CHECK(cairn_lesson_list(c->ctx, &items));
    for (size_t i = 0; i < c->n_words; i++)
        if (cairn_lesson_named(items, c->words[i])) return CAIRN_OK;
    if (c->n_words == 0) return CAIRN_OK;
    CHECK(cairn_find_join(c, &words));
    CHECK(cairn_find_lessons(c->ctx, &hits, words));
    if (hits.n == 0 || hits.all->score >= CAIRN_SOME_WORDS) return CAIRN_OK;
    if (hits.all->score >= misspelt && meant(items, words)) return CAIRN_OK;
    cairn_find_show(c->report, &hits, words);
    *found = true;
    return CAIRN_OK;
}

cairn_status cairn_lesson_read(cairn_context *ctx, cairn_lesson *out, const char *id)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    const char *own;
    CHECK(cairn_lesson_id(ctx, id, &own));
    if (!own) return unknown_lesson(ctx, id);
    cairn_text_addf(&name, FOLDER "%s" ENDING, own);
    CHECK(cairn_text_status(&name));
    CHECK(cairn_bundle_get(ctx, cairn_text_string(&name), &bytes, &length));
    return cairn_lesson_parse(ctx, out, own, bytes, length);
}

void cairn_lesson_clear(cairn_lesson *lesson)
{
    cairn_virtual_clear(&lesson->files);
    cairn_json_free(lesson->document);
    lesson->document = NULL;
}

static void put_text(char *out, size_t size, const char *text)
{
    size_t length = strlen(text) < size ? strlen(text) : size - 1;
    memcpy(out, text, length);
    out[length] = 0;
}

static bool text_holds(const cairn_expectation *e, const cairn_report *report,
                       const cairn_run_output *output, char *got, size_t size)
{
    const char *found = cairn_report_string(report, e->value);
    double number;
    char text[CAIRN_NUMBER_SIZE];
    if (cairn_same(e->value, "document")) found = output->document;
    if (!found && cairn_report_number(report, e->value, &number)) {
        cairn_number_format(text, number, CAIRN_SHORTEST);
        found = text;
    }
    put_text(got, size, found ? found : "there is no such value");
    return found && strcmp(found, e->text) == 0;
}

bool cairn_expectation_holds(const cairn_expectation *e, const cairn_report *report,
                             const cairn_run_output *output, char *got, size_t size)
{
    double found;
    char text[CAIRN_NUMBER_SIZE];
    if (e->text) return text_holds(e, report, output, got, size);
    if (!cairn_report_number(report, e->value, &found)) {
        const char *word = cairn_report_string(report, e->value);
        put_text(got, size, word ? word : "there is no such value");
        return false;
    }
    cairn_number_format(text, found, CAIRN_SHORTEST);
    put_text(got, size, text);
    if (isnan(e->number) || isnan(found)) return isnan(e->number) && isnan(found);
    if (isinf(e->number) || isinf(found)) return e->number == found;
    return fabs(found - e->number) <= e->tolerance * fmax(1, fabs(e->number));
}
