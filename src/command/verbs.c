/* SPDX-License-Identifier: MIT */
/* The verbs as functions: options become the words of a command, tables and models its objects, and
 * cairn_run_with() does the rest. So a function and the command of its name cannot disagree.
 *
 * A call is built like a text: what fails first is remembered, and the rest does nothing. */
#include "cairn/verbs.h"

#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/options.h"
#include "base/text.h"
#include "data/objects.h"
#include "model/calculator.h"
#include "report/report.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define OUT_TABLE "@out-table"
#define OUT_MODEL "@out-model"

typedef struct call {
    cairn_context *ctx;
    const char *function;
    cairn_status status;
    cairn_objects *own;    /* what the caller handed over, and places for the results */
    cairn_objects *around; /* further objects of the caller; borrowed, may be NULL */
    const char **words;
    size_t n, capacity;
    cairn_log_function log; /* the context's, while the command runs */
    void *log_data;
} call;

static void call_clear(call *c)
{
    cairn_objects_free(c->own);
    cairn_free(c->words);
}

static void add_word(call *c, const char *word)
{
    if (c->status) return;
    c->status = GROW(c->ctx, &c->words, &c->capacity, c->n + 1);
    if (!c->status) c->words[c->n++] = word;
}

/* Texts of words live as long as the scratch of the function that builds the call. */
static void add_option(call *c, const char *option, const char *value)
{
    char *word;
    if (c->status || !value) return;
    size_t size = strlen(option) + strlen(value) + 4;
    c->status = SCRATCH(c->ctx, &word, size);
    if (c->status) return;
    snprintf(word, size, "--%s=%s", option, value);
    add_word(c, word);
}

/* -- fields of options that are options of the command -- */

typedef enum field_type { FIELD_TEXT, FIELD_REAL, FIELD_COUNT, FIELD_FLAG, FIELD_LIST } field_type;

typedef struct field {
    const char *option;
    size_t offset;
    field_type type;
} field;

/* The field's type selects how it is written. */
#define TYPE_OF(S, NAME)                                                                           \
    _Generic(((S *)0)->NAME, bool                                                                  \
             : FIELD_FLAG, size_t                                                                  \
             : FIELD_COUNT, double                                                                 \
             : FIELD_REAL, const char *                                                            \
             : FIELD_TEXT, const char *const *                                                     \
             : FIELD_LIST)
#define FIELD(S, NAME, OPTION)                                                                     \
    {                                                                                              \
        OPTION, offsetof(S, NAME), TYPE_OF(S, NAME)                                                \
    }
#define FIELD_END                                                                                  \
    {                                                                                              \
        NULL, 0, FIELD_TEXT                                                                        \
    }

static void add_number(call *c, const char *option, double value)
{
    char text[CAIRN_NUMBER_SIZE];
    cairn_number_format(text, value, CAIRN_SHORTEST);
    if (value != 0) add_option(c, option, text);
}

static void add_list(call *c, const char *option, const char *const *values)
{
    for (; values && *values; values++) add_option(c, option, *values);
}

/* What is NULL, 0 or false is left to the command. */
static void add_fields(call *c, const void *options, const field *fields)
{
    for (; fields->option; fields++) {
        const void *at = (const char *)options + fields->offset;
        switch (fields->type) {
        case FIELD_TEXT: add_option(c, fields->option, *(const char *const *)at); break;
        case FIELD_REAL: add_number(c, fields->option, *(const double *)at); break;
        case FIELD_COUNT: add_number(c, fields->option, (double)*(const size_t *)at); break;
        case FIELD_FLAG: add_option(c, fields->option, *(const bool *)at ? "yes" : NULL); break;
        case FIELD_LIST: add_list(c, fields->option, *(const char *const *const *)at); break;
        }
    }
}

/* The words of the caller; "--" would make words of the options and objects behind it. */
static void add_more(call *c, const char *const *more)
{
    for (; more && *more && !c->status; more++) {
        add_word(c, *more);
        if (strcmp(*more, "--") == 0)
            c->status = cairn_fail(c->ctx, CAIRN_USAGE,
                                   "%s: '--' has no place among the further words; a word that "
                                   "begins with a minus stands behind its option, option=-1",
                                   c->function);
    }
}

/* A learner, a calculator or a picture, which stands before its options. */
static void add_entry(call *c, const char *word, const char *what)
{
    if (c->status) return;
    if (!word || !*word || *word == '-')
        c->status =
            cairn_fail(c->ctx, CAIRN_USAGE, "%s needs the name of a %s, not %s%s%s", c->function,
                       what, word ? "'" : "", word ? word : "NULL", word ? "'" : "");
    else
        add_word(c, word);
}

/* From here on every word is one, whatever it begins with. */
static void begin_words(call *c)
{
    add_word(c, "--");
}

/* "@name" as a word of the command; number 1 is the name itself, 2 is name2. */
static const char *object_word(call *c, const char *name, size_t number)
{
    char *word, digits[24] = "";
    if (c->status) return "";
    if (number > 1) snprintf(digits, sizeof digits, "%zu", number);
    size_t size = strlen(name) + sizeof digits + 2;
    c->status = SCRATCH(c->ctx, &word, size);
    if (c->status) return "";
    snprintf(word, size, "@%s%s", name + (*name == '@'), digits);
    if (cairn_objects_find(c->own, word))
        c->status = cairn_fail(c->ctx, CAIRN_USAGE,
                               "%s: two objects would be called '%s'; choose another name",
                               c->function, word);
    return word;
}

static const char *put_table(call *c, const char *name, size_t number, const cairn_table *table)
{
    const char *word = object_word(c, name, number);
    if (c->status) return "";
    c->status = table ? cairn_objects_put_table(c->ctx, c->own, word, table)
                      : cairn_fail(c->ctx, CAIRN_USAGE, "%s needs a table, not NULL", c->function);
    return word;
}

static const char *put_model(call *c, const char *name, size_t number, const cairn_model *model)
{
    const char *word = object_word(c, name, number);
    if (c->status) return "";
    c->status = model ? cairn_objects_put_model(c->ctx, c->own, word, model)
                      : cairn_fail(c->ctx, CAIRN_USAGE, "%s needs a model, not NULL", c->function);
    return word;
}

/* A place of our own for a result, so that it does not go to the caller's objects. */
static void want(call *c, const char *option, const char *place, bool wanted)
{
    cairn_object *object;
    if (c->status || !wanted) return;
    c->status = cairn_objects_place(c->ctx, c->own, place, &object);
    add_option(c, option, place);
}

static call call_begin(cairn_context *ctx, const char *function, const char *verb,
                       cairn_objects *around)
{
    call c = {.ctx = ctx, .function = function, .around = around};
    c.status = cairn_objects_new(ctx, &c.own);
    add_word(&c, verb);
    return c;
}

/* A message of the command line names options as they are typed there, --max-depth; in one for a
 * caller in C they stand in quotes, 'max-depth', which takes as many bytes. A command in quotes
 * stays one. */
static void say_plainly(char *message)
{
    bool quoted = false;
    for (char *at = message; *at; at++) {
        bool begins = at == message || strchr(" (\n", at[-1]);
        if (*at == '\'') quoted = quoted ? at[1] >= 'a' && at[1] <= 'z' : begins;
        if (quoted || !begins || strncmp(at, "--", 2) != 0 || at[2] < 'a' || at[2] > 'z') continue;
        size_t length = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
        at[0] = '\'';
        memmove(at + 1, at + 2, length);
        at[length + 1] = '\'';
        at += length + 1;
    }
}

/* Warnings and remarks on their way to the caller's log. */
static void log_plainly(cairn_log_level level, const char *message, void *data)
{
    const call *c = data;
    cairn_text text = cairn_text_start(c->ctx);
    cairn_text_add(&text, message);
    bool copied = cairn_text_status(&text) == CAIRN_OK && text.bytes;
    if (copied) say_plainly(text.bytes);
    c->log(level, copied ? text.bytes : message, c->log_data);
    cairn_text_clear(&text);
}

/* The command itself, with what its log and its message say made plain. */
static cairn_status run_plainly(call *c, cairn_report *report, cairn_run_output *output)
{
    cairn_context *ctx = c->ctx;
    c->log = ctx->log;
    c->log_data = ctx->log_data;
    if (c->log) cairn_context_set_log(ctx, log_plainly, c);
    c->own->around = c->around;
    cairn_status status = cairn_run_with(ctx, report, output, c->own, (int)c->n, c->words);
    c->own->around = NULL;
    cairn_context_set_log(ctx, c->log, c->log_data);
    if (status && status != CAIRN_CHECK_FAILED) say_plainly(ctx->message);
    return status;
}

static cairn_status run_call(call *c, cairn_report *report, cairn_run_output *output)
{
    OWNED(cairn_report_free) cairn_report *unread = NULL;
    CHECK(c->status);
    if (c->n > INT_MAX) return cairn_fail(c->ctx, CAIRN_USAGE, "%s: too many words", c->function);
    if (!report) CHECK(cairn_report_new(c->ctx, &unread));
    return run_plainly(c, report ? report : unread, output);
}

/* Run, and hand the results out; either place may be NULL. */
static cairn_status run_for(call *c, cairn_report *report, cairn_table **table, cairn_model **model)
{
    cairn_status status = run_call(c, report, NULL);
    if (status && status != CAIRN_CHECK_FAILED) return status;
    if (table) *table = cairn_objects_take_table(c->own, OUT_TABLE);
    if (model) *model = cairn_objects_take_model(c->own, OUT_MODEL);
    return status;
}

static const char *name_or(const char *name, const char *usual)
{
    return name ? name : usual;
}

static const field evaluate_fields[] = {
    FIELD(cairn_evaluate_options, by, "by"),
    FIELD(cairn_evaluate_options, measures, "measure"),
    FIELD(cairn_evaluate_options, with, "with"),
    FIELD(cairn_evaluate_options, missing, "missing"),
    FIELD(cairn_evaluate_options, positive, "positive"),
    FIELD(cairn_evaluate_options, level, "level"),
    FIELD(cairn_evaluate_options, shuffles, "shuffles"),
    FIELD_END,
};

cairn_status cairn_evaluate(cairn_context *ctx, cairn_report *report, const char *learner,
                            const cairn_table *table, const cairn_evaluate_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_evaluate_options o = CAIRN_EVALUATE_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_evaluate_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_evaluate", "evaluate", o.objects);
    if (o.model && learner)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "cairn_evaluate judges the learner '%s' or a model, not both; leave one "
                          "of them NULL",
                          learner);
    if (o.model)
        add_word(&c, put_model(&c, "model", 1, o.model));
    else
        add_entry(&c, learner, "learner");
    add_fields(&c, &o, evaluate_fields);
    want(&c, "out", OUT_TABLE, o.out_table);
    want(&c, "save", OUT_MODEL, o.out_model);
    add_more(&c, o.more);
    begin_words(&c);
    add_word(&c, put_table(&c, name_or(o.name, "data"), 1, table));
    return run_for(&c, report, o.out_table, o.out_model);
}

static const field compare_fields[] = {
    FIELD(cairn_compare_options, by, "by"),
    FIELD(cairn_compare_options, measure, "measure"),
    FIELD(cairn_compare_options, with, "with"),
    FIELD(cairn_compare_options, missing, "missing"),
    FIELD(cairn_compare_options, positive, "positive"),
    FIELD(cairn_compare_options, control, "control"),
    FIELD(cairn_compare_options, alpha, "alpha"),
    FIELD(cairn_compare_options, steps, "steps"),
    FIELD_END,
};

cairn_status cairn_compare(cairn_context *ctx, cairn_report *report, const char *const *learners,
                           const cairn_table *const *tables, const cairn_compare_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_compare_options o = CAIRN_COMPARE_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_compare_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_compare", "compare", o.objects);
    if (!learners || !tables)
        return cairn_fail(ctx, CAIRN_USAGE, "cairn_compare needs a list of %s, not NULL",
                          learners ? "tables" : "learners");
    for (; *learners; learners++) add_entry(&c, *learners, "learner");
    for (size_t i = 0; tables[i]; i++)
        add_option(&c, "on",
                   o.names ? put_table(&c, name_or(o.names[i], ""), 1, tables[i])
                           : put_table(&c, "data", i + 1, tables[i]));
    add_fields(&c, &o, compare_fields);
    want(&c, "out", OUT_TABLE, o.out_table);
    add_more(&c, o.more);
    return run_for(&c, report, o.out_table, NULL);
}

static const field tune_fields[] = {
    FIELD(cairn_tune_options, search, "search"),
    FIELD(cairn_tune_options, tries, "tries"),
    FIELD(cairn_tune_options, choose, "choose"),
    FIELD(cairn_tune_options, by, "by"),
    FIELD(cairn_tune_options, outer, "outer"),
    FIELD(cairn_tune_options, measure, "measure"),
    FIELD(cairn_tune_options, with, "with"),
    FIELD(cairn_tune_options, missing, "missing"),
    FIELD(cairn_tune_options, positive, "positive"),
    FIELD(cairn_tune_options, steps, "steps"),
    FIELD_END,
};

cairn_status cairn_tune(cairn_context *ctx, cairn_report *report, const char *learner,
                        const char *const *over, const cairn_table *table,
                        const cairn_tune_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_tune_options o = CAIRN_TUNE_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_tune_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_tune", "tune", o.objects);
    add_entry(&c, learner, "learner");
    add_list(&c, "over", over);
    add_fields(&c, &o, tune_fields);
    want(&c, "save", OUT_MODEL, o.out_model);
    add_more(&c, o.more);
    begin_words(&c);
    add_word(&c, put_table(&c, name_or(o.name, "data"), 1, table));
    return run_for(&c, report, NULL, o.out_model);
}

/* What a calculator or a picture is about: a word, models, the table and further ones. */
typedef struct subjects {
    const char *word, *name;
    const cairn_model *const *models;
    const cairn_table *table;
    const cairn_table *const *tables;
} subjects;

static void add_subjects(call *c, const subjects *s)
{
    const char *name = name_or(s->name, "data");
    begin_words(c);
    if (s->word) add_word(c, s->word);
    for (size_t i = 0; s->models && s->models[i]; i++)
        add_word(c, put_model(c, "model", i + 1, s->models[i]));
    if (s->table) add_word(c, put_table(c, name, 1, s->table));
    for (size_t i = 0; s->tables && s->tables[i]; i++)
        add_word(c, put_table(c, name, i + 1 + (s->table != NULL), s->tables[i]));
}

static const field compute_fields[] = {
    FIELD(cairn_compute_options, steps, "steps"),
    FIELD_END,
};

cairn_status cairn_compute(cairn_context *ctx, cairn_report *report, const char *calculator,
                           const cairn_table *table, const cairn_compute_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_compute_options o = CAIRN_COMPUTE_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_compute_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_compute", "compute", o.objects);
    add_entry(&c, calculator, "calculator");
    add_fields(&c, &o, compute_fields);
    want(&c, "out", OUT_TABLE, o.out_table);
    add_more(&c, o.more);
    add_subjects(&c, &(subjects){o.word, o.name, o.models, table, o.tables});
    return run_for(&c, report, o.out_table, NULL);
}

static const field describe_fields[] = {
    FIELD(cairn_describe_options, show, "show"),
    FIELD(cairn_describe_options, by, "by"),
    FIELD_END,
};

cairn_status cairn_describe(cairn_context *ctx, cairn_report *report, const cairn_table *table,
                            const cairn_describe_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_describe_options o = CAIRN_DESCRIBE_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_describe_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_describe", "describe", o.objects);
    if (o.model && table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "cairn_describe is about a table or a model, not both; leave one of them "
                          "NULL");
    add_fields(&c, &o, describe_fields);
    if (o.against) add_option(&c, "against", put_table(&c, "other", 1, o.against));
    add_more(&c, o.more);
    begin_words(&c);
    add_word(&c, o.model ? put_model(&c, name_or(o.name, "model"), 1, o.model)
                         : put_table(&c, name_or(o.name, "data"), 1, table));
    return run_call(&c, report, NULL);
}

/* The name of a picture on standard output, NULL where there is to be none. */
static cairn_status document_name(cairn_context *ctx, const char *format, bool wanted,
                                  const char **out)
{
    static const char *const names[] = {"-.svg", "-.png", "-.pdf"};
    *out = NULL;
    for (size_t i = 0; i < 3; i++)
        if (!format || strcmp(format, names[i] + 2) == 0) {
            *out = wanted ? names[i] : NULL;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_USAGE,
                      "cairn_draw: the format of a picture is svg, png or pdf, not "
                      "'%s'",
                      format);
}

static const field draw_fields[] = {
    FIELD(cairn_draw_options, title, "title"),     FIELD(cairn_draw_options, x_label, "x-label"),
    FIELD(cairn_draw_options, y_label, "y-label"), FIELD(cairn_draw_options, width, "width"),
    FIELD(cairn_draw_options, height, "height"),   FIELD_END,
};

cairn_status cairn_draw(cairn_context *ctx, cairn_report *report, cairn_run_output *output,
                        const char *picture, const cairn_table *table,
                        const cairn_draw_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_draw_options o = CAIRN_DRAW_OPTIONS_INIT;
    const char *out;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_draw_options"));
    CHECK(document_name(ctx, o.format, output != NULL, &out));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_draw", "draw", o.objects);
    add_entry(&c, picture, "picture");
    add_option(&c, "out", out);
    add_fields(&c, &o, draw_fields);
    add_more(&c, o.more);
    add_subjects(&c, &(subjects){o.word, o.name, o.models, table, o.tables});
    return run_call(&c, report, output);
}

static const field explain_fields[] = {
    FIELD(cairn_explain_options, rows, "rows"),
    FIELD(cairn_explain_options, by, "explain-by"),
    FIELD(cairn_explain_options, draws, "draws"),
    FIELD(cairn_explain_options, output, "output"),
    FIELD_END,
};

cairn_status cairn_explain(cairn_context *ctx, cairn_report *report, const cairn_model *model,
                           const cairn_table *table, const cairn_explain_options *options)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_explain_options o = CAIRN_EXPLAIN_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &o, sizeof o, options, "cairn_explain_options"));
    SCOPED(call_clear) call c = call_begin(ctx, "cairn_explain", "predict", o.objects);
    add_option(&c, "explain", "yes");
    add_fields(&c, &o, explain_fields);
    if (o.background) add_option(&c, "background", put_table(&c, "background", 1, o.background));
    want(&c, "out", OUT_TABLE, o.out_table);
    add_more(&c, o.more);
    begin_words(&c);
    add_word(&c, put_model(&c, "model", 1, model));
    add_word(&c, put_table(&c, name_or(o.name, "data"), 1, table));
    return run_for(&c, report, o.out_table, NULL);
}

cairn_status cairn_table_generate(cairn_context *ctx, cairn_table **out, const char *shape,
                                  const char *settings)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_params_free) cairn_params *params = NULL;
    SCOPED(cairn_text_clear) cairn_text spec = cairn_text_start(ctx);
    cairn_text_addf(&spec, "generate:%s", settings ? settings : "");
    CHECK(cairn_text_status(&spec));
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_CALCULATOR, cairn_text_string(&spec)));
    CHECK(cairn_params_check(ctx, params));
    cairn_compute_job job = {
        .what = "compute generate", .params = params->values, .word = shape, .result = out};
    return cairn_calculator_of(params->entry)->run(ctx, NULL, &job);
}
