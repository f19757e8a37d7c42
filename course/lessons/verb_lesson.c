/* SPDX-License-Identifier: MIT */
/* cairn lesson: the course. Lists topics and lessons, runs worked examples, asks for their values,
 * varies their numbers, puts them on paper, and compares what comes out with what must come out. */
#include "command/find.h"
#include "command/lesson.h"

#include "base/memory.h"
#include "entry/query.h"
#include "report/document.h"
#include "report/table_rows.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef enum sheet_form { SHEET_NONE, SHEET_HTML, SHEET_LATEX } sheet_form;

static const cairn_choice sheet_forms[] = {
    {"none", SHEET_NONE, "no sheet"},
    {"html", SHEET_HTML, "a page to print"},
    {"latex", SHEET_LATEX, "a LaTeX document"},
    {0},
};

typedef struct lesson_options {
    cairn_common common;
    const char *topic, *answer, *files;
    bool check, ask, turn;
    int sheet;
} lesson_options;

static const cairn_param lesson_params[] = {
    CAIRN_PARAM(lesson_options, topic, NULL, NULL,
                "the lessons of this topic: listed, or with another option all of them in order"),
    CAIRN_PARAM(lesson_options, ask, "no", NULL,
                "hide the results until you have tried: the question first, asked at the terminal; "
                "on a page (--format html) behind a button",
                .when = "!check"),
    CAIRN_PARAM(lesson_options, turn, "no", NULL,
                "your turn: the same exercise with other numbers, drawn from --seed",
                .when = "!check"),
    {.name = "answer",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(lesson_options, answer),
     .help = "an answer NAME=VALUE, or NUMBER=VALUE for the number of the question; fractions and "
             "percentages are numbers",
     .repeated = true,
     .when = "ask or turn"},
    CAIRN_PARAM_CHOICE(lesson_options, sheet, "none", sheet_forms,
                       "a sheet to print: questions, room to write, answers on the last page",
                       .when = "!check,!ask"),
    {.name = "files",
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(lesson_options, files),
     .help = "write the files that the commands of the lesson read to this folder",
     .writes = true,
     .when = "!check,!ask,sheet=none"},
    CAIRN_PARAM(lesson_options, check, "no", NULL,
                "only compare with the expected values; without ID, of all lessons"),
    CAIRN_RUNNING(lesson_options),
    CAIRN_PRINTING(lesson_options),
    CAIRN_PARAM_END,
};

typedef struct tally {
    size_t lessons, commands, expectations, failed, wrong;
} tally;

/* What a run of the verb works with. */
typedef struct course {
    cairn_command *c;
    const lesson_options *options;
    cairn_chapter *topics;
    size_t n_topics;
    cairn_sheet sheet;
    tally sum;
} course;

/* One lesson on its way into the report. */
typedef struct shown {
    cairn_lesson lesson, turn;
    cairn_lesson *used; /* one of them */
    const cairn_lesson_item *item;
    const cairn_chapter *topic;
    cairn_ran *ran;
    cairn_truth *truths;
    cairn_reply *replies;
} shown;

static const char *topic_candidate(size_t i, const void *data)
{
    const course *a = data;
    return i < a->n_topics ? a->topics[i].name : NULL;
}

static cairn_status find_topic(course *a, const char *name, const cairn_chapter **out)
{
    for (size_t i = 0; i < a->n_topics; i++)
        if (strcmp(a->topics[i].name, name) == 0) {
            *out = &a->topics[i];
            return CAIRN_OK;
        }
    const char *near = cairn_nearest_word(name, topic_candidate, a);
    return cairn_fail(a->c->ctx, CAIRN_USAGE, "there is no topic '%s'; %s%s%s", name,
                      near ? "did you mean '" : "'cairn lesson' lists them", near ? near : "",
                      near ? "'?" : "");
}

/* The folder for --files, made if it is not there. */
static cairn_status make_folder(cairn_context *ctx, const char *path)
{
    enum { EVERYBODY = 0777 }; /* less what the user's mask takes off */
    if (mkdir(path, EVERYBODY) == 0 || errno == EEXIST) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: cannot make this folder: %s", path,
                      strerror(errno));
}

/* Files go where the reader says, so that the printed commands run there as they stand. */
static cairn_status write_files(course *a, const cairn_lesson *lesson)
{
    cairn_command *c = a->c;
    SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(c->ctx);
    if (lesson->n_files) CHECK(make_folder(c->ctx, a->options->files));
    for (size_t i = 0; i < lesson->n_files; i++) {
        const cairn_virtual_file *file = &lesson->files.files[i];
        path.length = 0;
        cairn_text_addf(&path, "%s/%s", a->options->files, file->name);
        CHECK(cairn_text_status(&path));
        CHECK(cairn_command_write_bytes(c, cairn_text_string(&path), file->bytes, file->length));
        cairn_report_word(c->report, "written", cairn_text_string(&path), NULL);
    }
    if (lesson->n_files == 0)
        cairn_report_paragraph(c->report, "Lesson %s needs no files: its data is built in.",
                               lesson->id);
    cairn_report_hidden(c->report, (double)lesson->n_files, "lesson.files");
    return CAIRN_OK;
}

/* Numbers drawn from the seed with which the command works and every value is there; what is drawn
 * in vain is drawn again. */
static cairn_status draw_turn(course *a, shown *s)
{
    enum { ATTEMPTS = 100 };
    cairn_context *ctx = a->c->ctx;
    bool found = false;
    s->used = &s->turn;
    for (uint64_t attempt = 0; attempt < ATTEMPTS && !found; attempt++) {
        cairn_ran_clear(s->ran, s->ran ? 1 : 0);
        cairn_lesson_clear(&s->turn);
        s->ran = NULL;
        CHECK(cairn_lesson_draw(ctx, &s->turn, &s->lesson, (uint64_t)a->c->common->running.seed,
                                attempt));
        CHECK(cairn_lesson_run(ctx, &s->turn, &s->ran));
        CHECK(cairn_lesson_truths(ctx, &s->turn, s->ran, &s->truths, &found));
        found &= !s->ran->exit_differs;
    }
    if (found) return CAIRN_OK;
    return cairn_lesson_bad(ctx, s->lesson.id, "no numbers were found for the turn: %s",
                            s->ran->message);
}

static const char *question_of(const shown *s)
{
    return s->used->question ? s->used->question : s->item->question;
}

static bool as_page(const course *a)
{
    const cairn_printing *p = &a->c->common->printing;
    cairn_format format = (cairn_format)p->format;
    if (p->out && cairn_format_of_name(p->out, &format)) return format == CAIRN_FORMAT_HTML;
    return format == CAIRN_FORMAT_HTML;
}

/* Whether somebody may be asked: the result is for a person who looks at a terminal. */
static bool asks(const course *a)
{
    return !a->options->answer && !a->c->common->printing.out && a->c->ctx->ask &&
           !cairn_params_is_set(a->c->options, "format");
}

/* The work behind the exercise, with the answers that were given beside the right ones. */
static void show_solution(course *a, shown *s, bool answered)
{
    cairn_report *out = a->c->report;
    if (!answered) cairn_report_fold_begin(out, "Show the answer");
    if (s->used->n_asked) cairn_replies_show(out, s->used, s->truths, s->replies, &a->sum.wrong);
    cairn_lesson_show_text(out, s->used);
    cairn_lesson_show_commands(out, s->used, s->ran);
    if (!answered) cairn_report_fold_end(out);
}

/* The question first; the results only when it was answered, or behind a button. */
static cairn_status show_asking(course *a, shown *s)
{
    OWNED(cairn_report_free) cairn_report *exercise = NULL;
    bool ended = true, answered = a->options->answer != NULL;
    CHECK(cairn_report_new(a->c->ctx, &exercise));
    CHECK(SCRATCH(a->c->ctx, &s->replies, s->used->n_asked + 1));
    /* Title, data and question: what a reader needs to try it. */
    cairn_lesson_show_head(exercise, s->used, s->item, s->topic);
    CHECK(cairn_lesson_show_data(a->c->ctx, exercise, s->used, false));
    cairn_lesson_show_question(exercise, s->used, question_of(s), true);
    if (s->used == &s->turn)
        cairn_report_hidden(exercise, (double)a->c->common->running.seed, "turn.seed");
    if (answered)
        CHECK(cairn_replies_given(a->c->ctx, s->used, s->truths, a->options->answer, s->replies));
    else if (asks(a)) {
        /* Let the reader answer at the terminal; *ended when there was nobody. */
        SCOPED(cairn_text_clear) cairn_text above = cairn_text_start(a->c->ctx);
        OWNED(cairn_string_free) char *text = NULL;
        CHECK(cairn_report_print(a->c->ctx, exercise, CAIRN_FORMAT_TEXT, NULL, &text));
        cairn_text_addf(&above, "%s\n", text);
        CHECK(cairn_text_status(&above));
        CHECK(cairn_replies_asked(a->c->ctx, s->used, s->truths, cairn_text_string(&above),
                                  s->replies, &ended));
    }
    if (ended) cairn_report_append(a->c->report, exercise, NULL);
    if (answered || !ended || as_page(a))
        show_solution(a, s, answered || !ended);
    else
        cairn_report_paragraph(
            a->c->report, "Check your answers with --answer NAME=VALUE, which may be repeated; "
                          "the work is shown then.");
    return CAIRN_OK;
}

static cairn_status show_whole(course *a, shown *s)
{
    cairn_report *out = a->c->report;
    cairn_lesson_show_head(out, s->used, s->item, s->topic);
    cairn_lesson_show_glance(out, s->used, question_of(s), s->ran, s->truths);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_lesson_show_text(out, s->used);
    CHECK(cairn_lesson_show_data(a->c->ctx, out, s->used, false));
    cairn_lesson_show_question(out, s->used, question_of(s), false);
    cairn_lesson_show_commands(out, s->used, s->ran);
    cairn_report_for(out, before);
    cairn_lesson_show_verdict(out, s->used, s->ran);
    return CAIRN_OK;
}

/* What the options want of one lesson. */
static cairn_status show_lesson(course *a, shown *s, bool alone)
{
    const lesson_options *o = a->options;
    cairn_report *out = a->c->report;
    /* Count what was compared. */
    a->sum.lessons++;
    for (size_t i = 0; i < s->used->n_commands; i++) {
        a->sum.commands++;
        a->sum.expectations += 1 + s->used->commands[i].n_expect;
        a->sum.failed += s->ran[i].failed + s->ran[i].exit_differs;
    }
    if (o->check) {
        for (size_t i = 0; i < s->used->n_commands; i++)
            cairn_lesson_show_differences(out, &s->used->commands[i], &s->ran[i]);
        return CAIRN_OK;
    }
    if (o->sheet) return cairn_sheet_add(a->c->ctx, &a->sheet, s->used, question_of(s), s->truths);
    CHECK(o->ask || o->turn ? show_asking(a, s) : show_whole(a, s));
    if (alone) cairn_lesson_show_neighbours(out, a->topics, a->n_topics, s->used->id);
    return CAIRN_OK;
}

static void clear_shown(shown *s)
{
    cairn_ran_clear(s->ran, s->used ? s->used->n_commands : 0);
    cairn_lesson_clear(&s->turn);
    cairn_lesson_clear(&s->lesson);
}

/* A lesson that stands in no topic is refused; with {files} nothing is run, only its files are
 * written. */
static cairn_status run_lesson(course *a, const char *id, bool alone)
{
    SCOPED_SCRATCH(a->c->ctx);
    SCOPED(clear_shown) shown s = {0};
    /* Read the lesson, run what is to be shown of it. */
    bool found;
    CHECK(cairn_lesson_read(a->c->ctx, &s.lesson, id));
    /* The place of a lesson in the course. */
    for (size_t t = 0; t < a->n_topics; t++)
        for (size_t i = 0; i < a->topics[t].n; i++)
            if (strcmp(a->topics[t].lessons[i].id, s.lesson.id) == 0) {
                s.topic = &a->topics[t];
                s.item = &a->topics[t].lessons[i];
            }
    s.used = &s.lesson;
    if (!s.item)
        CHECK(cairn_lesson_bad(a->c->ctx, s.lesson.id, "it stands in no topic"));
    else if (a->options->turn)
        CHECK(draw_turn(a, &s));
    else if (!a->options->files) {
        CHECK(cairn_lesson_run(a->c->ctx, &s.lesson, &s.ran));
        CHECK(cairn_lesson_truths(a->c->ctx, &s.lesson, s.ran, &s.truths, &found));
    }
    return a->options->files ? write_files(a, s.used) : show_lesson(a, &s, alone);
}

/* One after the other; one that cannot be checked counts as a failure. */
static cairn_status run_topic(course *a, const cairn_chapter *topic)
{
    for (size_t i = 0; i < topic->n; i++) {
        cairn_status status = run_lesson(a, topic->lessons[i].id, false);
        bool no_turn = status == CAIRN_USAGE && a->options->turn;
        if (status == CAIRN_CANCELLED || status == CAIRN_NO_MEMORY) return status;
        if (!status || no_turn) continue;
        if (!a->options->check) return status;
        cairn_report_note(a->c->report, "%s: %s", topic->lessons[i].id, cairn_message(a->c->ctx));
        a->sum.expectations++;
        a->sum.failed++;
    }
    return CAIRN_OK;
}

static cairn_status has_turn(cairn_context *ctx, const char *id, bool *out)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_lesson_clear) cairn_lesson lesson = {0};
    CHECK(cairn_lesson_read(ctx, &lesson, id));
    *out = lesson.turn != NULL;
    return CAIRN_OK;
}

/* The lessons of a topic by their questions: what a reader chooses by. */
static cairn_status list_topic(course *a, const cairn_chapter *topic)
{
    cairn_report *out = a->c->report;
    bool turn;
    cairn_report_heading(out, 1, "%s", topic->title);
    cairn_report_paragraph(out, "%s", topic->text);
    cairn_report_table_of(out, NULL, (size_t)-1, "rll", "", "lesson", "question");
    for (size_t i = 0; i < topic->n; i++) {
        const cairn_lesson_item *item = &topic->lessons[i];
        CHECK(has_turn(a->c->ctx, item->id, &turn));
        cairn_report_cells(out, NULL, i + 1, item->id);
        cairn_report_cellf(out, "%s%s", item->question, turn ? " ↻" : "");
        cairn_report_hidden_word(out, item->question, "lessons.%s",
                                 cairn_report_key(out, item->id));
    }
    cairn_report_paragraph(out, "'cairn lesson NAME' shows one of them, --ask puts the question "
                                "first, and --turn gives those with a ↻ other numbers.");
    return cairn_report_status(out);
}

/* The whole course at a glance; a topic without lessons keeps its place in the order. */
static cairn_status list_topics(course *a)
{
    cairn_report *out = a->c->report;
    cairn_report_heading(out, 1, "The course");
    cairn_report_table_of(out, NULL, (size_t)-1, "rllr", "", "topic", "what it is about",
                          "lessons");
    for (size_t i = 0; i < a->n_topics; i++) {
        const cairn_chapter *topic = &a->topics[i];
        cairn_report_cells(out, "- - topics.$2 topics.$2.lessons", i + 1, topic->name, topic->title,
                           topic->n);
    }
    cairn_report_paragraph(out, "'cairn lesson trees' lists the lessons of a topic, and 'cairn "
                                "lesson NAME' shows one of them.");
    return cairn_report_status(out);
}

/* Wrong answers and expectations that do not hold decide the exit code; answers are told first. */
static cairn_status finish(course *a)
{
    cairn_report *out = a->c->report;
    const tally *sum = &a->sum;
    cairn_report_hidden(out, (double)sum->lessons, "lesson.lessons");
    cairn_report_hidden(out, (double)sum->commands, "lesson.commands");
    cairn_report_hidden(out, (double)sum->expectations, "lesson.expectations");
    cairn_report_hidden(out, (double)sum->failed, "lesson.failed");
    cairn_report_hidden(out, (double)sum->wrong, "answers.wrong");
    if (sum->wrong)
        return cairn_fail(a->c->ctx, CAIRN_CHECK_FAILED, "%zu answer%s not right", sum->wrong,
                          sum->wrong == 1 ? " is" : "s are");
    if (sum->failed)
        return cairn_fail(a->c->ctx, CAIRN_CHECK_FAILED, "%zu of %zu expectations do not hold",
                          sum->failed, sum->expectations);
    if (a->options->check)
        cairn_report_paragraph(a->c->report, "All %zu expectations hold.", sum->expectations);
    return CAIRN_OK;
}

/* The lessons that are named, those of a topic, or all of them. */
static cairn_status run_lessons(course *a, const cairn_chapter *topic)
{
    cairn_command *c = a->c;
    for (size_t i = 0; i < c->n_words; i++) CHECK(run_lesson(a, c->words[i], c->n_words == 1));
    if (c->n_words) return CAIRN_OK;
    if (topic) return run_topic(a, topic);
    for (size_t i = 0; i < a->n_topics; i++) CHECK(run_topic(a, &a->topics[i]));
    return CAIRN_OK;
}

/* The topic that the words name or are the title of, NULL when there is none. */
static cairn_status topic_of_words(course *a, const cairn_chapter **out)
{
    const char *words;
    cairn_query query;
    if (a->c->n_words == 0) return CAIRN_OK;
    CHECK(cairn_find_join(a->c, &words));
    cairn_query_read(&query, words);
    for (size_t i = 0; !*out && i < a->n_topics; i++) {
        const char *const names[] = {a->topics[i].name, a->topics[i].title};
        for (size_t k = 0; k < 2; k++)
            if (cairn_query_match(&query, names[k], strlen(names[k])) <= CAIRN_ANSWER_WHOLE)
                *out = &a->topics[i];
    }
    return CAIRN_OK;
}

/* Lists when nothing is to be run, and makes a sheet in place of a report. */
static cairn_status lesson_run(cairn_command *c)
{
    const lesson_options *o = c->options->values;
    course a = {.c = c, .options = o};
    const cairn_chapter *topic = NULL;
    bool does = o->check || o->ask || o->turn || o->sheet || o->files, found = false;
    CHECK(cairn_lesson_topics(c->ctx, &a.topics, &a.n_topics));
    if (!does && !o->topic && !o->answer) {
        CHECK(topic_of_words(&a, &topic));
        if (topic) return list_topic(&a, topic);
        CHECK(cairn_lesson_search(c, &found));
    }
    if (found) return CAIRN_OK;
    const char *what = o->ask ? "--ask" : o->turn ? "--turn" : o->sheet ? "--sheet" : "--files";
    if (o->answer && c->n_words != 1)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--answer needs the name of one lesson");
    if ((o->ask || o->turn || o->sheet || o->files) && !c->n_words && !o->topic)
        return cairn_fail(c->ctx, CAIRN_USAGE, "%s needs the name of a lesson, or --topic", what);
    if (c->n_words && o->topic)
        return cairn_fail(c->ctx, CAIRN_USAGE, "give names of lessons or --topic, not both");
    /* warnings of commands whose results are not shown; the run gives the log back */
    if (o->check || o->ask || o->turn || o->sheet) c->ctx->log = NULL;
    if (o->topic) CHECK(find_topic(&a, o->topic, &topic));
    if (!does && !c->n_words) return topic ? list_topic(&a, topic) : list_topics(&a);
    if (o->sheet) {
        OWNED(cairn_report_free) cairn_report *questions = NULL;
        OWNED(cairn_report_free) cairn_report *answers = NULL;
        CHECK(cairn_report_new(a.c->ctx, &questions));
        CHECK(cairn_report_new(a.c->ctx, &answers));
        a.sheet = (cairn_sheet){.questions = questions, .answers = answers};
        cairn_sheet_begin(&a.sheet, topic && !a.c->n_words ? topic->title : "Exercises");
        CHECK(run_lessons(&a, topic));
        cairn_context *ctx = a.c->ctx;
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
        cairn_sheet_end(&a.sheet);
        CHECK(cairn_report_status(a.sheet.questions));
        if (a.options->sheet == SHEET_LATEX)
            cairn_report_print_latex(&text, a.sheet.questions, &options);
        else
            cairn_report_print_html(&text, a.sheet.questions, &options);
        return cairn_command_give(a.c, &text);
    }
    CHECK(run_lessons(&a, topic));
    return finish(&a);
}

const cairn_verb cairn_verb_lesson = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "lesson",
              .also = "tutorial, exercise, course, worked example, learn by example",
              .about = "examples, exercises",
              .title = "Worked examples",
              .summary =
                  "The course. Without ID its topics are listed, with the name of a topic its "
                  "lessons; other WORDS that are no ID list the lessons about them. With ID it "
                  "runs a worked "
                  "example: its place in the course, some sentences, the data, the question, the "
                  "commands with all their steps and pictures, and whether the numbers are those "
                  "that the example must give. --ask puts the question "
                  "first and checks what you type, --turn does so with other numbers, --sheet "
                  "makes a sheet to print. --check only compares and ends with code 1 when "
                  "something differs, as does a wrong answer.",
              .example = "cairn lesson entropy-curve",
              .params = lesson_params,
              .params_size = sizeof(lesson_options)},
    .arguments = "[ID|WORDS...]",
    .least = 0,
    .most = 1000,
    .run = lesson_run,
};
