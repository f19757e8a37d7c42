/* SPDX-License-Identifier: MIT */
/* One command line from words to a filled report: find the verb, read its options, set up the
 * context for the time of the run, call the verb, write what --out asks for. */
#include "command/find.h"
#include "command/judging.h"

#include "base/call.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/options.h"
#include "entry/query.h"
#include "kernels/level.h"
#include "report/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_WARNINGS = 50, SCREEN_LINES = 30 };

/* Names of a stranger's columns and files are in it, as in a warning. */
void cairn_remark(const cairn_command *c, const char *format, ...)
{
    cairn_text text = cairn_text_start(c->ctx), shown = cairn_text_start(c->ctx);
    va_list arguments;
    if (!c->ctx->log) return;
    va_start(arguments, format);
    cairn_text_addv(&text, format, arguments);
    va_end(arguments);
    cairn_text_add_shown(&shown, cairn_text_string(&text), text.length);
    c->ctx->log(CAIRN_LOG_INFO, cairn_text_string(&shown), c->ctx->log_data);
    cairn_text_clear(&shown);
    cairn_text_clear(&text);
}

/* The format that the report is written in, wherever it goes. */
static cairn_format report_format(const cairn_command *c)
{
    const cairn_printing *p = &c->common->printing;
    cairn_format format = (cairn_format)p->format;
    if (p->out && !cairn_params_is_set(c->options, "format"))
        (void)cairn_format_of_name(p->out, &format);
    return format;
}

/* Warnings are handed on and kept for the page, the first of them: a file with a fault in each of
 * its columns or rows would bury everything else. */
static void keep_warning(cairn_log_level level, const char *message, void *data)
{
    cairn_command *c = data;
    if (level == CAIRN_LOG_WARNING && ++c->n_warnings > MOST_WARNINGS) return;
    if (level == CAIRN_LOG_WARNING && report_format(c) == CAIRN_FORMAT_HTML)
        cairn_text_add_bytes(&c->warnings, message, strlen(message) + 1);
    if (c->log) c->log(level, message, c->log_data);
}

/* How many warnings were left out, at the end of the run. */
static void count_warnings(cairn_command *c)
{
    if (c->n_warnings <= MOST_WARNINGS) return;
    char text[80];
    size_t more = c->n_warnings - MOST_WARNINGS;
    snprintf(text, sizeof text, "%zu more warning%s not shown", more, more > 1 ? "s are" : " is");
    if (report_format(c) == CAIRN_FORMAT_HTML)
        cairn_text_add_bytes(&c->warnings, text, strlen(text) + 1);
    if (c->log) c->log(CAIRN_LOG_WARNING, text, c->log_data);
    c->n_warnings = 0;
}

/* Seed, threads, memory and limits as the options say; what they were comes back after the run. */
static cairn_status apply_running(cairn_command *c)
{
    const cairn_running *r = &c->common->running;
    size_t bytes;
    if (cairn_params_is_set(c->options, "seed")) cairn_context_set_seed(c->ctx, (uint64_t)r->seed);
    if (cairn_params_is_set(c->options, "threads")) cairn_context_set_threads(c->ctx, r->threads);
    if (r->memory) {
        if (!cairn_size_parse(r->memory, &bytes) || bytes == 0)
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--memory must be a size such as 500M or 4G, not '%s'", r->memory);
        cairn_context_set_memory(c->ctx, bytes);
    }
    if (r->limits) CHECK(cairn_limits_read(c->ctx, r->limits));
    const char *out = c->common->printing.out;
    if (cairn_same(out, "-") || cairn_same(out, "/dev/stdout"))
        ((cairn_common *)c->options->values)->printing.out = NULL; /* where it goes anyway */
    if (c->common->printing.quiet) {
        c->ctx->log = NULL;
        c->ctx->progress = NULL;
    }
    /* A page is read long after the terminal was closed, so it keeps the warnings of its run. */
    if (report_format(c) == CAIRN_FORMAT_HTML || c->ctx->log) {
        c->warnings = cairn_text_start(c->ctx);
        c->log = c->ctx->log;
        c->log_data = c->ctx->log_data;
        c->ctx->log = keep_warning;
        c->ctx->log_data = c;
    }
    return CAIRN_OK;
}

/* Only what was measured is shown; peak memory is that of the whole process. */
static void add_timings(cairn_command *c)
{
    const struct {
        const char *what;
        double seconds;
        const char *name;
    } all[] = {
        {"Reading, seconds", c->seconds_read, "time.read"},
        {"Fitting, seconds", c->seconds_fit, "time.fit"},
        {"Computing, seconds", c->seconds_compute, "time.compute"},
        {"Predicting, seconds", c->seconds_predict, "time.predict"},
        {"Judging, seconds", c->seconds_judge, "time.judge"},
        {"Transforming, seconds", c->seconds_transform, "time.transform"},
    };
    struct rusage usage;
    if (!c->common->running.timings) return;
    cairn_report_heading(c->report, 2, "Time and memory");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].seconds >= 0)
            cairn_report_value(c->report, all[i].what, all[i].seconds, "%s", all[i].name);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        cairn_report_value(c->report, "Peak memory, bytes", 1024.0 * (double)usage.ru_maxrss,
                           "memory.peak");
}

/* The report, its pictures or the document to the file that --out names. */
static cairn_status write_out(cairn_command *c, const char *path)
{
    OWNED(cairn_string_free) char *text = NULL;
    if (!c->has_document && cairn_picture_format(path)) return cairn_command_write_figures(c, path);
    if (c->has_document) {
        CHECK(cairn_command_write_bytes(c, path, c->document, c->document_length));
    } else {
        CHECK(cairn_report_print(c->ctx, c->report, report_format(c), NULL, &text));
        CHECK(cairn_command_write_bytes(c, path, text, strlen(text)));
    }
    /* A report in a file whose ending is none of a report's may have been meant to be the model. */
    cairn_format named;
    bool meant = c->has_document || cairn_params_is_set(c->options, "format") ||
                 cairn_format_of_name(path, &named) || !cairn_params_has(&c->verb->entry, "save") ||
                 cairn_params_is_set(c->options, "save");
    if (meant)
        cairn_remark(c, "wrote %s", path);
    else
        cairn_remark(c, "wrote the report to %s; --save FILE writes the model", path);
    return CAIRN_OK;
}

/* After the verb: what is printed, and where to. */
static cairn_status finish(cairn_command *c, cairn_run_output *output)
{
    const cairn_printing *p = &c->common->printing;
    const char *saved =
        cairn_params_has(&c->verb->entry, "save") ? cairn_params_text(c->options, "save") : NULL;
    bool written = p->out && !c->out_done;
    /* What --where did, for those who read the report later. */
    const cairn_filtered *w = &c->where;
    if (w->n_kept + w->n_dropped != 0) {
        cairn_report_note(c->report, "%zu of %zu rows were kept by --where %s%s", w->n_kept,
                          w->n_kept + w->n_dropped, c->common->reading.where,
                          w->n_undecided ? "; rows for which the condition is missing are dropped"
                                         : "");
        cairn_report_hidden(c->report, (double)w->n_kept, "where.kept");
        cairn_report_hidden(c->report, (double)w->n_dropped, "where.dropped");
        cairn_report_hidden(c->report, (double)w->n_undecided, "where.undecided");
    }
    add_timings(c);
    count_warnings(c);
    if (c->report && !c->report->more) cairn_report_more(c->report, "{full}");
    /* What a page tells about its run: the command and what was warned of. */
    if (report_format(c) == CAIRN_FORMAT_HTML && !c->help) {
        cairn_report_run(c->report, c->line);
        for (size_t at = 0; at < c->warnings.length;) {
            const char *message = c->warnings.bytes + at;
            cairn_report_page_warning(c->report, message);
            at += strlen(message) + 1;
        }
        cairn_report_failed(c->report, cairn_text_status(&c->warnings));
    }
    CHECK(cairn_report_status(c->report));
    if (written && !c->has_document && cairn_out_is_data(c->ctx, p->out) &&
        !cairn_params_is_set(c->options, "format"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--out %s: there is no table to write; the report %s", p->out,
                          *p->out == '@' ? "comes back by itself"
                                         : "goes to a file that ends with .html, .json, .md or "
                                           ".txt");
    if (written) CHECK(write_out(c, p->out));
    if (!output) return CAIRN_OK;
    output->format = (cairn_format)p->format;
    output->lines = p->full ? 0 : SCREEN_LINES;
    output->silent = written || c->no_report || (p->quiet && (p->out || saved));
    bool printed = c->has_document && (!written || cairn_out_is_standard(p->out));
    if (printed) {
        output->silent = false;
        output->document = c->document;
        output->length = c->document_length;
        output->rows = p->full ? 0 : c->document_rows;
        c->document = NULL;
    }
    return CAIRN_OK;
}

/* Files of a lesson that had to be put on the disk are called what the lesson calls them. */
static cairn_status name_files(const cairn_command *c)
{
    SCOPED(cairn_text_clear) cairn_text folder = cairn_text_start(c->ctx);
    if (!c->files || !c->files->folder) return CAIRN_OK;
    cairn_text_addf(&folder, "%s/", c->files->folder);
    CHECK(cairn_text_status(&folder));
    cairn_report_leave_out(c->report, cairn_text_string(&folder));
    return CAIRN_OK;
}

/* Whether the report is asked for in a length that it cannot have. */
static cairn_status check_length(const cairn_command *c)
{
    const cairn_printing *p = &c->common->printing;
    if (!p->brief) return CAIRN_OK;
    if (p->full)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--brief asks for the first screen and --full for everything; give one "
                          "of them");
    if (report_format(c) != CAIRN_FORMAT_TEXT || (p->out && !cairn_out_is_data(c->ctx, p->out)))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--brief is about text on the screen; files, pages and JSON have "
                          "everything, so leave it out");
    return CAIRN_OK;
}

/* What is said while the words are read, kept until it is known whether to say it. */
typedef struct early_log {
    cairn_log_function log;
    void *data;
    cairn_text lines; /* each a letter for its level and a text that ends with a 0 */
} early_log;

static void keep_early(cairn_log_level level, const char *message, void *data)
{
    early_log *early = data;
    cairn_text_add_char(&early->lines, (char)('0' + level));
    cairn_text_add_bytes(&early->lines, message, strlen(message) + 1);
}

static void tell_early(const cairn_command *c, early_log *early)
{
    for (size_t at = 0;
         c->ctx->log && !cairn_text_status(&early->lines) && at < early->lines.length;) {
        const char *line = early->lines.bytes + at;
        c->ctx->log((cairn_log_level)(*line - '0'), line + 1, c->ctx->log_data);
        at += strlen(line) + 1;
    }
    cairn_text_clear(&early->lines);
}

/* Read the words and settle what --quiet and the like say; then what was noted is told. */
static cairn_status read_command(cairn_command *c, const cairn_verb *verb, int argc,
                                 const char *const *argv)
{
    early_log early = {c->ctx->log, c->ctx->log_data, cairn_text_start(c->ctx)};
    if (early.log) {
        c->ctx->log = keep_early;
        c->ctx->log_data = &early;
    }
    cairn_status status = cairn_command_parse(c, verb, argc, argv);
    c->ctx->log = early.log;
    c->ctx->log_data = early.data;
    if (!status && !c->help) status = apply_running(c);
    tell_early(c, &early);
    return status;
}

/* A failed check is a result and not an error: its report is still written, and the status comes
 * back afterwards. */
static cairn_status run_verb(cairn_command *c, cairn_run_output *output, const cairn_verb *verb,
                             int argc, const char *const *argv)
{
    cairn_status status, checked = CAIRN_OK;
    TRY(read_command(c, verb, argc, argv));
    if (c->help) {
        TRY(cairn_help_command(c->ctx, c->report, verb, c->inner ? c->inner->entry : NULL,
                               c->help_all));
    } else {
        /* Before the work begins: an ending that contradicts --format. */
        const cairn_printing *p = &c->common->printing;
        cairn_format named;
        if (p->out && cairn_params_is_set(c->options, "format")) {
            if (cairn_format_of_name(p->out, &named) && (int)named != p->format) {
                TRY(cairn_fail(
                    c->ctx, CAIRN_USAGE,
                    "--format %s contradicts the ending of --out %s; leave --format out or choose "
                    "another ending",
                    cairn_params_text(c->options, "format"), p->out));
            }
        }
        TRY(check_length(c));
        TRY(cairn_command_check_places(c));
        checked = verb->run(c);
        if (checked && checked != CAIRN_CHECK_FAILED) return checked;
    }
    TRY(name_files(c));
    TRY(finish(c, output));
    status = checked;
done:
    return status;
}

static const char *first_option(size_t i, const void *data)
{
    static const char *const options[] = {"--help", "--version", NULL};
    (void)data;
    return i < 2 ? options[i] : NULL;
}

/* What stands in the place of the verb, though it is none. */
static cairn_status refuse_option(cairn_context *ctx, const char *word)
{
    bool version = strcmp(word, "-V") == 0 || strcmp(word, "-v") == 0;
    const char *near = version ? "--version" : cairn_nearest_word(word, first_option, NULL);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no option '%s'; did you mean %s?", word,
                          near);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "the verb comes first, as in 'cairn fit tree @weather'; '%s' stands in its "
                      "place",
                      word);
}

static void warn_of_kernels(cairn_context *ctx)
{
    const char *word = cairn_kernel_refused();
    if (word) cairn_warn(ctx, "CAIRN_KERNELS says '%s'; kernels: %s", word, cairn_kernels());
}

/* Data or a model where the verb should be. */
static cairn_status refuse_file(cairn_context *ctx, const char *word)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    cairn_text_add_shell(&line, word, strlen(word));
    CHECK(cairn_text_status(&line));
    return cairn_fail(ctx, CAIRN_USAGE,
                      "the verb comes first: cairn describe%s shows what it holds",
                      cairn_text_string(&line));
}

/* A word that is no entry, but that there is a page about. */
static cairn_status refuse_topic(cairn_context *ctx, cairn_entry_kind kind, const char *word)
{
    const cairn_topic *topic = NULL;
    if (!cairn_entry_known(ctx, kind, word)) topic = cairn_topic_find(word);
    if (!topic) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "there is no %s '%s', but 'cairn help %s' is about it, with commands such as "
                      "'%.*s'",
                      cairn_entry_kind_name(kind), word, topic->name,
                      (int)strcspn(topic->commands, "\n"), topic->commands);
}

/* Help and version need no verb; the verb for completion is not in the registry, so that no list
 * shows it. */
static cairn_status run_words(cairn_command *c, cairn_run_output *output, int argc,
                              const char *const *argv)
{
    const cairn_entry *entry;
    for (int i = 0; i < argc; i++)
        if (!argv || !argv[i])
            return cairn_fail(c->ctx, CAIRN_USAGE, "word %d of the command is NULL", i + 1);
    warn_of_kernels(c->ctx);
    if (argc <= 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
        return cairn_help_overview(c->report);
    if (strcmp(argv[0], "--version") == 0) {
        cairn_report_word(c->report, "cairn", cairn_version(), "version");
        cairn_report_word(c->report, "kernels", cairn_kernels(), "kernels");
        cairn_report_word(c->report, "same bits", cairn_same_bits(), "same_bits");
        return cairn_report_status(c->report);
    }
    if (argv[0][0] == '-') return refuse_option(c->ctx, argv[0]);
    if (strcmp(argv[0], "version") == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "there is no verb 'version'; did you mean "
                          "--version?");
    if (strcmp(argv[0], cairn_verb_complete.entry.name) == 0)
        return run_verb(c, output, &cairn_verb_complete, argc, argv);
    if (!cairn_entry_known(c->ctx, CAIRN_ENTRY_VERB, argv[0]) &&
        (argv[0][0] == '@' || cairn_command_has_file(c, argv[0])))
        return refuse_file(c->ctx, argv[0]);
    CHECK(refuse_topic(c->ctx, CAIRN_ENTRY_VERB, argv[0]));
    CHECK(cairn_entry_get(c->ctx, &entry, CAIRN_ENTRY_VERB, argv[0]));
    cairn_entry_kind inner = ((const cairn_verb *)entry)->inner_kind;
    if (argc > 1 && inner && *argv[1] != '-') CHECK(refuse_topic(c->ctx, inner, argv[1]));
    return run_verb(c, output, (const cairn_verb *)entry, argc, argv);
}

/* One command line with files or objects of its own; what the context was comes back. */
static cairn_status run_line(cairn_context *ctx, cairn_report *report, cairn_run_output *given,
                             cairn_virtual_files *files, cairn_objects *objects, int argc,
                             const char *const *argv)
{
    cairn_run_output own = CAIRN_RUN_OUTPUT_INIT, *output = given ? &own : NULL;
    CHECK(cairn_options_take(ctx, &own, sizeof own, given, "cairn_run_output"));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_context before = *ctx;
    size_t limit = cairn_memory_limit(ctx);
    cairn_limits limits = cairn_limits_now(ctx);
    ctx->options = true;
    ctx->objects = objects;
    ctx->n_notes = 0;
    cairn_command c = {.ctx = ctx,
                       .report = report,
                       .files = files,
                       .seconds_read = -1,
                       .seconds_fit = -1,
                       .seconds_predict = -1,
                       .seconds_judge = -1,
                       .seconds_transform = -1,
                       .seconds_compute = -1};
    cairn_status status = run_words(&c, output, argc, argv);
    if (given && (!status || status == CAIRN_CHECK_FAILED)) {
        /* What is printed, as much as the caller's struct can hold. */
        if (!CAIRN_OPTIONS_HAVE(given, length)) {
            cairn_string_free(own.document);
            own.document = NULL;
        }
        cairn_options_give(given, &own, sizeof own);
    }
    count_warnings(&c); /* of a run that failed */
    cairn_text_clear(&c.warnings);
    cairn_command_clear(&c);
    ctx->threads = before.threads;
    ctx->seed = before.seed;
    ctx->options = before.options;
    ctx->objects = before.objects;
    ctx->log = before.log;
    ctx->log_data = before.log_data;
    ctx->progress = before.progress;
    cairn_context_set_memory(ctx, limit);
    cairn_limits_restore(ctx, &limits);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_run_files(cairn_context *ctx, cairn_report *report, cairn_run_output *output,
                             cairn_virtual_files *files, int argc, const char *const *argv)
{
    return run_line(ctx, report, output, files, NULL, argc, argv);
}

cairn_status cairn_run_with(cairn_context *ctx, cairn_report *report, cairn_run_output *output,
                            cairn_objects *objects, int argc, const char *const *argv)
{
    PUBLIC_CALL(ctx);
    return run_line(ctx, report, output, NULL, objects, argc, argv);
}

cairn_status cairn_run_printing(cairn_context *ctx, cairn_report *report, cairn_run_output *output,
                                int argc, const char *const *argv)
{
    PUBLIC_CALL(ctx);
    return cairn_run_files(ctx, report, output, NULL, argc, argv);
}

cairn_status cairn_run(cairn_context *ctx, cairn_report *report, int argc, const char *const *argv)
{
    PUBLIC_CALL(ctx);
    return cairn_run_files(ctx, report, NULL, NULL, argc, argv);
}
