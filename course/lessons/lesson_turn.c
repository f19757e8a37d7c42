/* SPDX-License-Identifier: MIT */
/* "Your turn": the exercise of a lesson with other numbers.
 *
 * The lesson says by data what may vary: named variables, each a number between two limits, a list
 * of such numbers, or words from a list. Their names stand in braces in the question, in the files
 * and in the words of a command; the values that are asked for come from the command's report. What
 * is drawn depends on the seed, the lesson and the number of the attempt alone. */
#include "command/lesson.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { MOST_DRAWN = 64, DIGITS = 12 };

/* What may be drawn for one variable: from + i * step for i < n_choices, or words. */
typedef struct variable {
    const char *name;
    double from, step;
    const cairn_json *words; /* NULL = numbers */
    size_t n_choices, count;
    bool distinct, sorted;
} variable;

typedef struct drawn {
    const char **names;
    char **texts;
    size_t n;
} drawn;

static double number_of(const cairn_json *object, const char *key, double otherwise)
{
    double value;
    return cairn_json_number(cairn_json_get(object, key), &value) ? value : otherwise;
}

static bool is_yes(const cairn_json *object, const char *key)
{
    return cairn_same(cairn_json_string(cairn_json_get(object, key)), "yes");
}

/* What may be drawn; limits that hold no value are refused before anything is drawn. */
static cairn_status read_variable(cairn_context *ctx, const char *id, const char *name,
                                  const cairn_json *object, variable *out)
{
    double to = number_of(object, "to", NAN), count = number_of(object, "count", 1);
    *out = (variable){.name = name,
                      .from = number_of(object, "from", NAN),
                      .step = number_of(object, "step", 1),
                      .words = cairn_json_get(object, "of"),
                      .distinct = is_yes(object, "distinct"),
                      .sorted = is_yes(object, "sorted")};
    double choices = out->words ? (double)cairn_json_size(out->words)
                                : floor((to - out->from) / out->step + 1.5);
    if (!(choices >= 1 && choices <= 1e6 && count >= 1 && count <= MOST_DRAWN))
        return cairn_lesson_bad(ctx, id, "the variable '%s' has no values", name);
    out->n_choices = (size_t)choices;
    out->count = (size_t)count;
    if (out->distinct && out->count > out->n_choices)
        return cairn_lesson_bad(ctx, id, "the variable '%s' has too few values", name);
    return CAIRN_OK;
}

/* The variable's text: its values, separated by commas. */
static cairn_status draw_text(cairn_context *ctx, cairn_random *random, const variable *v,
                              char **out)
{
    size_t choices[MOST_DRAWN];
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    /* Numbers of choices, in order of size if so wanted. */
    for (size_t i = 0; i < v->count; i++) {
        bool again = true;
        while (again) {
            choices[i] = (size_t)cairn_random_below(random, v->n_choices);
            again = false;
            for (size_t j = 0; v->distinct && j < i; j++) again |= choices[j] == choices[i];
        }
    }
    for (size_t i = 1; v->sorted && i < v->count; i++)
        for (size_t j = i; j > 0 && choices[j - 1] > choices[j]; j--) {
            size_t larger = choices[j - 1];
            choices[j - 1] = choices[j];
            choices[j] = larger;
        }
    for (size_t i = 0; i < v->count; i++) {
        const char *word = cairn_json_string(cairn_json_at(v->words, choices[i]));
        if (i) cairn_text_add_char(&text, ',');
        if (v->words)
            cairn_text_add(&text, word ? word : "");
        else
            cairn_text_add_number(&text, v->from + v->step * (double)choices[i], DIGITS);
    }
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH_RAW(ctx, out, text.length + 1));
    memcpy(*out, cairn_text_string(&text), text.length + 1);
    return CAIRN_OK;
}

static cairn_status draw_all(cairn_context *ctx, const char *id, const cairn_json *vary,
                             cairn_random *random, drawn *out)
{
    const cairn_json *object;
    const char *name;
    out->n = cairn_json_size(vary);
    CHECK(SCRATCH(ctx, &out->names, out->n + 1));
    CHECK(SCRATCH(ctx, &out->texts, out->n + 1));
    for (size_t i = 0; (name = cairn_json_member(vary, i, &object)); i++) {
        variable v;
        CHECK(read_variable(ctx, id, name, object, &v));
        out->names[i] = name;
        CHECK(draw_text(ctx, random, &v, &out->texts[i]));
    }
    return CAIRN_OK;
}

/* The value of the variable whose name in braces begins at `at`; NULL when there is none. */
static const char *value_at(const drawn *d, const char *at, size_t *length)
{
    for (size_t i = 0; i < d->n; i++) {
        size_t n = strlen(d->names[i]);
        if (*at == '{' && strncmp(at + 1, d->names[i], n) == 0 && at[n + 1] == '}') {
            *length = n + 2;
            return d->texts[i];
        }
    }
    return NULL;
}

/* A value as it stands in a command, or with a blank behind each comma, as in a sentence. */
static void add_value(cairn_text *text, const char *value, bool sentence)
{
    for (; *value; value++) {
        cairn_text_add_char(text, *value);
        if (sentence && *value == ',') cairn_text_add_char(text, ' ');
    }
}

/* The text with values in place of names in braces; other braces stay. */
static cairn_status fill(cairn_context *ctx, const drawn *d, const char *from, bool sentence,
                         const char **out)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char *kept;
    while (*from) {
        size_t length = 1;
        const char *value = value_at(d, from, &length);
        if (value)
            add_value(&text, value, sentence);
        else
            cairn_text_add_char(&text, *from);
        from += length;
    }
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH_RAW(ctx, &kept, text.length + 1));
    *out = memcpy(kept, cairn_text_string(&text), text.length + 1);
    return CAIRN_OK;
}

static cairn_status fill_command(cairn_context *ctx, const char *id, const drawn *d,
                                 const cairn_json *run, cairn_lesson_command *out)
{
    size_t n;
    CHECK(cairn_lesson_strings(ctx, id, run, &out->words, &n));
    if (n == 0) return cairn_lesson_bad(ctx, id, "the turn has no words in 'run'");
    out->n_words = (int)n;
    for (size_t i = 0; i < n; i++) CHECK(fill(ctx, d, out->words[i], false, &out->words[i]));
    return CAIRN_OK;
}

static cairn_status fill_files(cairn_context *ctx, const char *id, const drawn *d,
                               const cairn_json *files, cairn_virtual_files *out)
{
    const cairn_json *value;
    const char *name, *bytes;
    for (size_t i = 0; (name = cairn_json_member(files, i, &value)); i++) {
        if (!cairn_json_string(value) || !*name || strchr(name, '/'))
            return cairn_lesson_bad(ctx, id, "'files' maps plain names to texts");
        CHECK(fill(ctx, d, cairn_json_string(value), false, &bytes));
        CHECK(cairn_virtual_put(ctx, out, name, bytes, strlen(bytes)));
    }
    return CAIRN_OK;
}

static cairn_status fill_asked(cairn_context *ctx, const char *id, const cairn_json *ask,
                               cairn_lesson *out)
{
    const cairn_json *label;
    const char *name;
    out->n_asked = cairn_json_size(ask);
    if (out->n_asked == 0) return cairn_lesson_bad(ctx, id, "the turn asks for nothing");
    CHECK(SCRATCH(ctx, &out->asked, out->n_asked + 1));
    for (size_t i = 0; (name = cairn_json_member(ask, i, &label)); i++) {
        out->asked[i] = (cairn_asked){name, cairn_json_string(label), .tolerance = 1e-6};
        if (!out->asked[i].label)
            return cairn_lesson_bad(ctx, id, "'ask' maps names of values to texts");
    }
    return CAIRN_OK;
}

/* Question, files, command and what is asked for, with the values that were drawn. */
static cairn_status fill_lesson(cairn_context *ctx, cairn_lesson *out, const cairn_json *turn,
                                const drawn *d)
{
    const char *id = out->id, *question = cairn_json_string(cairn_json_get(turn, "question"));
    if (!question) return cairn_lesson_bad(ctx, id, "the turn has no 'question'");
    CHECK(fill(ctx, d, question, true, &out->question));
    CHECK(fill_files(ctx, id, d, cairn_json_get(turn, "files"), &out->files));
    out->n_files = out->files.n;
    CHECK(SCRATCH(ctx, &out->commands, 1));
    CHECK(fill_command(ctx, id, d, cairn_json_get(turn, "run"), out->commands));
    return fill_asked(ctx, id, cairn_json_get(turn, "ask"), out);
}

cairn_status cairn_lesson_draw(cairn_context *ctx, cairn_lesson *out, const cairn_lesson *lesson,
                               uint64_t seed, uint64_t attempt)
{
    const char *id = lesson->id;
    cairn_random random;
    drawn d;
    *out = (cairn_lesson){.id = id, .title = lesson->title, .n_commands = 1};
    if (!lesson->turn)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "lesson %s has no exercise with other numbers; 'cairn lesson --topic "
                          "TOPIC' marks the lessons that have one",
                          id);
    /* the first name that it had, so that a seed gives the same numbers under any */
    const char *first = lesson->n_aliases ? lesson->aliases[0] : id;
    cairn_random_start(&random, seed, cairn_hash(first, strlen(first), attempt));
    CHECK(draw_all(ctx, id, cairn_json_get(lesson->turn, "vary"), &random, &d));
    cairn_status status = fill_lesson(ctx, out, lesson->turn, &d);
    if (status) cairn_lesson_clear(out);
    return status;
}
