/* SPDX-License-Identifier: MIT */
/* The program: a terminal, signals, progress and exit codes around cairn_run_printing().
 *
 * Results go to standard output, everything else to standard error. The first Ctrl-C asks the
 * library to stop, the second kills. When the reader of a pipe goes away the program ends as if by
 * SIGPIPE, without a word. */
#include <cairn/cairn.h>

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_FILE_ERROR = 5, EXIT_NO_MEMORY = 6 };

/* The one context, for the signal handler. */
static cairn_context *volatile running;

static void stop(int number)
{
    (void)number;
    if (running) cairn_context_cancel(running);
}

/* Whether whoever started the program wants it to outlive its terminal, as nohup does. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return number == SIGHUP && sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

/* The handler is taken off as it is called, so a second signal ends the program at once. */
static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = SA_RESETHAND; /* and reading from a pipe is interrupted */
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!is_ignored(ends[i])) sigaction(ends[i], &action, NULL);
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action,
              NULL); /* writing past a limit fails and is told as other failures */
}

typedef struct terminal {
    bool escapes;       /* it may be sent codes, not only text */
    int shown;          /* length of the progress line that stands there; 0 = none */
    double begun, last; /* when the program started, when progress was last drawn */
    char phase[48];     /* the work that is under way, and when and where it was first seen */
    double phase_begun, phase_first, phase_share;
    char *line; /* the last answer to a question */
    size_t buffer;
} terminal;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void wipe_progress(terminal *t)
{
    if (t->shown && t->escapes)
        fputs("\r\033[K", stderr);
    else if (t->shown)
        fprintf(stderr, "\r%*s\r", t->shown, "");
    t->shown = 0;
}

static void show_log(cairn_log_level level, const char *message, void *data)
{
    if (level == CAIRN_LOG_DEBUG) return;
    wipe_progress(data);
    fprintf(stderr, level == CAIRN_LOG_WARNING ? "cairn: warning: %s\n" : "cairn: %s\n", message);
}

/* Cells of a line of a stream, or what COLUMNS says where it is no terminal. */
static int line_width(int stream)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long given = columns ? strtol(columns, NULL, 10) : 0;
    if (isatty(stream) && ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return given >= 20 && given <= 1000 ? (int)given : 80;
}

/* Seconds that the work still takes at its pace so far, -1 while that is a guess. Work is what is
 * named before the first number; the clock starts again with other work or when it starts over. */
static double time_left(terminal *t, const char *what, double share, double now)
{
    int length = (int)strcspn(what, "0123456789,");
    char phase[sizeof t->phase];
    snprintf(phase, sizeof phase, "%.*s", length, what);
    if (strcmp(phase, t->phase) != 0 || share < t->phase_share) {
        memcpy(t->phase, phase, sizeof phase);
        t->phase_begun = now;
        t->phase_first = share;
    }
    t->phase_share = share;
    double gone = now - t->phase_begun, gained = share - t->phase_first;
    return gone < 1 || gained < 0.01 ? -1 : gone * (1 - share) / gained;
}

/* One line that is drawn over, at most ten times a second; nothing for work that is soon done. */
static void show_progress(const char *what, double done, double total, void *data)
{
    terminal *t = data;
    char line[256], left[48] = "";
    double now = seconds(), rest = total > 0 ? time_left(t, what, done / total, now) : -1;
    if (now - t->begun < 0.3 || now - t->last < 0.1) return;
    if (rest >= 0 && rest < 360000)
        snprintf(left, sizeof left, ", %d:%02d left", (int)rest / 60, (int)rest % 60);
    if (total > 0)
        snprintf(line, sizeof line, "%s: %.0f %%%s", what, 100 * done / total, left);
    else
        snprintf(line, sizeof line, "%s: %.0f", what, done);
    wipe_progress(t);
    t->last = now;
    t->shown = fprintf(stderr, "%.*s", line_width(STDERR_FILENO) - 1, line);
    fflush(stderr);
}

/* A line of standard input. What a pipe answers is shown behind the question, as if typed. */
static const char *ask(const char *question, void *data)
{
    terminal *t = data;
    wipe_progress(t);
    fputs(question, stderr);
    fflush(stderr);
    ssize_t length = getline(&t->line, &t->buffer, stdin);
    if (length < 0) {
        fputc('\n', stderr);
        return NULL;
    }
    if (length > 0 && t->line[length - 1] == '\n') t->line[--length] = 0;
    if (length > 0 && t->line[length - 1] == '\r') t->line[--length] = 0;
    if (!isatty(STDIN_FILENO)) fprintf(stderr, "%s\n", t->line);
    return t->line;
}

/* Whether a stream is a terminal that may be sent escape codes. */
static bool takes_escapes(int stream)
{
    const char *none = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    if (none && *none) return false;
    return isatty(stream) && !(kind && strcmp(kind, "dumb") == 0);
}

/* Everything to standard output, or the reason why not. */
static int put(const char *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, stdout) == length && fflush(stdout) == 0) return 0;
    if (errno == EPIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "cairn: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_FILE_ERROR;
}

/* Rows of a table as CSV: lines whose ends stand in no quotes. The first `most` end at *end. */
static size_t count_rows(const char *bytes, size_t length, size_t most, size_t *end)
{
    size_t n = 0;
    bool quoted = false;
    *end = length;
    for (size_t i = 0; i < length; i++) {
        quoted ^= bytes[i] == '"';
        if (bytes[i] != '\n' || quoted) continue;
        if (++n == most) *end = i + 1;
    }
    return n;
}

/* Bytes that are meant for a file: spelt out where a person would see them, and of a long table the
 * first rows. */
static int put_document(cairn_context *ctx, const cairn_run_output *output)
{
    char *shown = NULL;
    size_t end = output->length, rows = 0;
    if (!isatty(STDOUT_FILENO)) return put(output->document, output->length);
    if (output->rows) rows = count_rows(output->document, output->length, output->rows + 1, &end);
    cairn_status status = cairn_text_shown(ctx, output->document, end, &shown);
    if (status) {
        fprintf(stderr, "cairn: %s\n", cairn_message(ctx));
        return cairn_status_exit_code(status);
    }
    int code = put(shown, strlen(shown));
    cairn_string_free(shown);
    if (end < output->length)
        fprintf(stderr,
                "cairn: the first %zu of %zu rows; --full shows all, --out FILE.csv "
                "keeps them\n",
                output->rows, rows - 1);
    return code;
}

/* Lines of the terminal that standard output is; SIZE_MAX where it is none. */
static size_t screen_lines(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row)
        return SIZE_MAX;
    return size.ws_row;
}

/* A text that is longer than the screen goes through the reader's pager. False: there is none, it
 * is not needed, or it could not be started, and nothing was shown. */
static bool put_paged(const char *text)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* exit codes of the shell */
    const char *pager = getenv("PAGER");
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    if (!pager || !*pager || lines < screen_lines()) return false;
    setenv("LESS", "FRX", 0); /* colours as they are, and the text stays when less has ended */
    signal(SIGPIPE, SIG_DFL); /* of the pager */
    FILE *out = popen(pager, "w");
    signal(SIGPIPE, SIG_IGN); /* a pager may be left before the end */
    if (out) fputs(text, out);
    int status = out ? pclose(out) : -1;
    int code = status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (status != -1 && code != NOT_EXECUTABLE && code != NOT_FOUND) return true;
    fprintf(stderr,
            "cairn: the pager '%s' (PAGER) cannot be started; the text follows without it\n",
            pager);
    return false;
}

static int print_report(cairn_context *ctx, const cairn_report *report,
                        const cairn_run_output *output)
{
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *text = NULL;
    options.width = line_width(STDOUT_FILENO);
    options.colour = takes_escapes(STDOUT_FILENO);
    options.lines = output->lines;
    cairn_status status = cairn_report_print(ctx, report, output->format, &options, &text);
    if (status) {
        fprintf(stderr, "cairn: %s\n", cairn_message(ctx));
        return cairn_status_exit_code(status);
    }
    int code = put_paged(text) ? 0 : put(text, strlen(text));
    cairn_string_free(text);
    return code;
}

static int run(cairn_context *ctx, cairn_report *report, terminal *t, int argc,
               const char *const *argv)
{
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    int code = 0;
    cairn_status status = cairn_run_printing(ctx, report, &output, argc, argv);
    wipe_progress(t);
    if (status == CAIRN_OK || status == CAIRN_CHECK_FAILED) {
        if (output.document)
            code = put_document(ctx, &output);
        else if (!output.silent)
            code = print_report(ctx, report, &output);
    }
    if (status) fprintf(stderr, "cairn: %s\n", cairn_message(ctx));
    cairn_string_free(output.document);
    return status ? cairn_status_exit_code(status) : code;
}

/* Under a limit, large blocks go back to the system as they are freed, for what is free in between
 * counts for whoever set the limit. It costs a tenth of the time of short runs, so not always. */
static void keep_no_free_memory(int argc, char **argv)
{
    bool limited = false;
    for (int i = 1; i < argc; i++) limited |= strncmp(argv[i], "--memory", 8) == 0;
#ifdef M_MMAP_THRESHOLD
    if (limited) mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        char lines[256];
        int length = snprintf(lines, sizeof lines, "cairn %s\nkernels: %s\nsame bits: %s\n",
                              cairn_version(), cairn_kernels(), cairn_same_bits());
        return put(lines, (size_t)length);
    }
    keep_no_free_memory(argc, argv);
    terminal t = {.escapes = takes_escapes(STDERR_FILENO), .begun = seconds()};
    cairn_context *ctx = NULL;
    cairn_report *report = NULL;
    if (cairn_context_new(&ctx, NULL) || cairn_report_new(ctx, &report)) {
        fputs("cairn: not enough memory to start\n", stderr);
        cairn_context_free(ctx);
        return EXIT_NO_MEMORY;
    }
    cairn_context_set_log(ctx, show_log, &t);
    if (isatty(STDERR_FILENO)) cairn_context_set_progress(ctx, show_progress, &t);
    cairn_context_set_ask(ctx, ask, &t);
    running = ctx;
    catch_signals();
    int code = run(ctx, report, &t, argc - 1, (const char *const *)argv + 1);
    running = NULL;
    cairn_report_free(report);
    cairn_context_free(ctx);
    free(t.line);
    return code;
}
