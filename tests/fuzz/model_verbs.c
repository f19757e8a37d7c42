/* SPDX-License-Identifier: MIT */
/* Every verb that opens a model, on model files changed at random with right checksums. Execution
 * number K draws a file of FOLDER, changes it (mutate.h) and runs a command line on it and on rows
 * that fit its columns, all by the seed K. A child does the work, so that what ends it is one
 * finding and the campaign goes on behind it; a finding is a crash, a report of a sanitizer, a
 * failure without a message, 5 seconds of processor time, or more memory than the limit allows.
 *
 * Usage: model_verbs FOLDER COUNT STATE   go on to execution COUNT from where STATE stands
 *        model_verbs FOLDER COUNT         from the first one, and keep nothing
 *        model_verbs FOLDER =K            execution K alone, here; its files stay behind */
#include "fuzz/mutate.h"
#include "cairn/cairn.h"
#include "entry/entry.h"
#include "export/export.h"
#include "model/calculator.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>
#endif
#endif

enum {
    MOST_WORDS = 12,
    LONGEST_PATH = 4096,
    ROWS = 7,
    LONGEST_SECONDS = 5,
    MEMORY = 64 << 20,
    SLACK = 16 << 20, /* for what libraries and the standard streams hold beside the context */
    LEAKS_EVERY = 2000
};

#define MODEL   "m.cairn"
#define DATA    "d.csv"
#define LEARNER "LEARNER"
#define TARGET  "TARGET"

static const char *const verbs[] = {"describe", "predict", "evaluate", "export",
                                    "draw",     "compute", "fit",      "convert"};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

/* Commands that every model is tried with; beside them come the forms of export, and the pictures
 * and calculators that take models. */
static const char *const shapes[][MOST_WORDS] = {
    {"describe", MODEL},
    {"predict", MODEL, DATA},
    {"predict", MODEL, DATA, "--output", "all"},
    {"predict", MODEL, DATA, "--explain"},
    {"evaluate", MODEL, DATA},
    {"evaluate", MODEL, DATA, "--target", TARGET},
    {"fit", LEARNER, DATA, "--from", MODEL},
    {"fit", LEARNER, DATA, "--from", MODEL, "--save", "n.cairn"},
    {"fit", "vote", DATA, "--model", MODEL, "--target", TARGET},
    {"compute", "description-length", DATA, "--models", MODEL, "--target", TARGET},
    {"draw", "surface", DATA, "--model", MODEL, "--target", TARGET},
    {"draw", "scatter", DATA, "--model", MODEL, "--target", TARGET},
    {"convert", DATA, "o.csv", "--recipe", MODEL},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* A model of the folder, and what it is asked with. */
typedef struct source {
    char *name;
    const cairn_learner *learner; /* NULL = a recipe */
    char target[256];
    char *rows;         /* CSV of its own columns */
    uint32_t *answered; /* numbers of the commands that the file as it is answers */
    size_t n_answered;
    file content;
} source;

/* What the parent sees of the child. */
typedef struct progress {
    volatile uint64_t now;
    volatile double began; /* processor seconds of the child */
    uint64_t next, findings;
    uint64_t answered[N_VERBS], refused[N_VERBS];
} progress;

typedef struct campaign {
    source *sources;
    size_t n_sources;
    const cairn_calculator *pictures[512], *topics[512];
    size_t n_pictures, n_topics;
    progress *seen;
    const char *state; /* where counts are kept, and beside it what is found; may be NULL */
} campaign;

/* -- memory -- */
#ifdef WATCHED
static size_t live, most_live;

static void count_new(const volatile void *block, size_t size)
{
    (void)block;
    live += size;
    if (live > most_live) most_live = live;
}

static void count_free(const volatile void *block)
{
    size_t size = block ? __sanitizer_get_allocated_size(block) : 0;
    live -= size < live ? size : live;
}

static void watch_memory(void)
{
    if (!__sanitizer_install_malloc_and_free_hooks(count_new, count_free)) abort();
}
#endif

/* -- sources -- */

/* A cell of a row made up for a column: numbers good, large and missing, each level in turn. */
static void add_cell(cairn_text *text, const cairn_field *field, size_t row, size_t column)
{
    static const char *const numbers[ROWS] = {"0", "1.5", "-2", "", "7", "1e300", "3"};
    static const char *const texts[ROWS] = {"a", "some words here", "", "b", "7", "words", "a"};
    size_t turn = (row + column) % ROWS;
    if (field->kind == CAIRN_NUMBER)
        cairn_text_add(text, numbers[turn]);
    else if (field->kind == CAIRN_LEVEL && field->names.n && turn != 4)
        cairn_text_add_csv(text, cairn_map_key(&field->names, (row + column) % field->names.n));
    else if (field->kind != CAIRN_LEVEL)
        cairn_text_add(text, texts[turn]);
}

/* Rows of a model's own columns as CSV; the caller frees. */
static char *rows_of(cairn_context *ctx, const cairn_model *model)
{
    cairn_text text = cairn_text_start(ctx);
    char *rows = NULL;
    for (size_t row = 0; row <= ROWS; row++)
        for (size_t i = 0; i < model->schema.n_fields; i++) {
            const cairn_field *field = &model->schema.fields[i];
            if (row == 0)
                cairn_text_add_csv(&text, field->name);
            else
                add_cell(&text, field, row - 1, i);
            cairn_text_add(&text, i + 1 < model->schema.n_fields ? "," : "\n");
        }
    return cairn_text_take(&text, &rows) ? NULL : rows;
}

/* Read a model of the folder; false for what is none. */
static bool read_source(source *s, const char *folder, const char *name)
{
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (*name == '.' || !read_file(&s->content, path)) return false;
    list_items(&s->content);
    cairn_context *ctx = fuzz_new_context();
    cairn_model *model = NULL;
    bool loads =
        cairn_model_load_memory(ctx, &model, name, s->content.bytes, s->content.size) == CAIRN_OK &&
        s->content.n_items;
    if (loads) {
        s->name = strdup(name);
        s->rows = rows_of(ctx, model);
        s->learner = model->learner;
        ptrdiff_t target = cairn_schema_role(&model->schema, CAIRN_TARGET);
        snprintf(s->target, sizeof s->target, "%s",
                 target < 0 ? "none" : model->schema.fields[target].name);
    }
    cairn_model_free(model);
    cairn_context_free(ctx);
    return loads && s->name && s->rows;
}

static void read_sources(campaign *c, const char *folder)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, NULL, alphasort);
    c->sources = calloc(n > 0 ? (size_t)n : 1, sizeof *c->sources);
    if (!c->sources) abort();
    for (int i = 0; i < n; i++) {
        if (read_source(&c->sources[c->n_sources], folder, names[i]->d_name)) c->n_sources++;
        free(names[i]);
    }
    free(names);
}

/* Pictures and calculators to which a model can be given. */
static void list_calculators(campaign *c)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_PICTURE && entries[i]->kind != CAIRN_ENTRY_CALCULATOR)
            continue;
        const cairn_calculator *one = cairn_calculator_of(entries[i]);
        if (!one->needs_model && !one->takes_model && !one->answers && !one->takes_word) continue;
        if (entries[i]->kind == CAIRN_ENTRY_PICTURE)
            c->pictures[c->n_pictures++] = one;
        else
            c->topics[c->n_topics++] = one;
    }
}

/* -- one execution -- */
typedef struct execution {
    const source *from;
    const char *words[MOST_WORDS];
    int n_words;
    cairn_format format;
    bool own_rows; /* rows of the columns that the changed file names */
    file changed;
} execution;

static void add_word(execution *e, const char *word)
{
    const cairn_learner *learner = e->from->learner;
    if (strcmp(word, LEARNER) == 0) word = learner ? learner->entry.name : "majority";
    if (strcmp(word, TARGET) == 0) word = e->from->target;
    e->words[e->n_words++] = word;
}

/* The words of a picture or calculator: its name, the model, then rows when it takes some. A plane
 * is looked at in few places: what a model says in more of them takes a third of all the time. */
static void add_calculator(execution *e, const cairn_calculator *one, bool draws)
{
    add_word(e, draws ? "draw" : "compute");
    add_word(e, draws ? one->picture.name : one->entry.name);
    add_word(e, MODEL);
    if (one->needs_data || one->takes_data || one->answers) add_word(e, DATA);
    if (draws && cairn_params_has(&one->picture, "grid")) {
        add_word(e, "--grid");
        add_word(e, "12");
    }
}

/* Command number `at` of those that a source can be asked; false behind the last. */
static bool set_words(const campaign *c, execution *e, size_t at)
{
    cairn_form_help forms[CAIRN_MOST_FORMS];
    size_t n_forms = e->from->learner ? cairn_export_forms(forms, e->from->learner) : 0;
    e->n_words = 0;
    if (at < N_SHAPES) {
        for (size_t i = 0; shapes[at][i]; i++) add_word(e, shapes[at][i]);
    } else if ((at -= N_SHAPES) < 2 * n_forms) {
        const char *const words[] = {"export", MODEL, "--to", forms[at / 2].name, "--rows", DATA};
        for (size_t i = 0; i < (at % 2 ? 6 : 4); i++) add_word(e, words[i]);
    } else if ((at -= 2 * n_forms) < c->n_pictures) {
        add_calculator(e, c->pictures[at], true);
    } else if ((at -= c->n_pictures) < c->n_topics) {
        add_calculator(e, c->topics[at], false);
    } else {
        return false;
    }
    return true;
}

static void copy_content(execution *e)
{
    const file *content = &e->from->content;
    e->changed.n_items = content->n_items;
    memcpy(e->changed.items, content->items, content->n_items * sizeof *content->items);
    e->changed.size = content->size;
    e->changed.bytes = malloc(content->size);
    if (!e->changed.bytes) abort();
    memcpy(e->changed.bytes, content->bytes, content->size);
}

/* Everything about execution k, by its number alone; mostly a command that the file answers before
 * it is changed. The caller frees changed.bytes. */
static void draw_execution(const campaign *c, execution *e, uint64_t k)
{
    static const cairn_format formats[] = {CAIRN_FORMAT_TEXT, CAIRN_FORMAT_TEXT, CAIRN_FORMAT_JSON,
                                           CAIRN_FORMAT_MARKDOWN, CAIRN_FORMAT_HTML};
    cairn_random random;
    cairn_random_start(&random, k, 20);
    e->from = &c->sources[draw(&random, c->n_sources)];
    if (e->from->n_answered && draw(&random, 16))
        set_words(c, e, e->from->answered[draw(&random, e->from->n_answered)]);
    else
        while (!set_words(c, e, draw(&random, N_SHAPES + c->n_pictures + c->n_topics))) {
        }
    e->format = formats[draw(&random, sizeof formats / sizeof *formats)];
    e->own_rows = draw(&random, 4) == 0;
    copy_content(e);
    mutate(&e->changed, &random);
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || write(out, bytes, size) != (ssize_t)size || close(out)) abort();
}

static void write_files(const execution *e)
{
    char *rows = NULL;
    write_whole(MODEL, e->changed.bytes, e->changed.size);
    if (e->own_rows) {
        cairn_context *ctx = fuzz_begin();
        cairn_model *model = NULL;
        if (!cairn_model_load_memory(ctx, &model, MODEL, e->changed.bytes, e->changed.size))
            rows = rows_of(ctx, model);
        cairn_model_free(model);
        const char *text = rows ? rows : e->from->rows;
        write_whole(DATA, text, strlen(text));
        cairn_string_free(rows);
        fuzz_end();
    } else {
        write_whole(DATA, e->from->rows, strlen(e->from->rows));
    }
}

/* Run the words and print what came out; whether they were answered. */
static bool run_words(const execution *e)
{
    cairn_context *ctx = fuzz_begin();
    cairn_report *report = NULL;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    char *text = NULL;
    cairn_context_set_memory(ctx, MEMORY);
    if (cairn_report_new(ctx, &report)) abort();
    cairn_status status = cairn_run_printing(ctx, report, &output, e->n_words, e->words);
    fuzz_check(ctx, status);
    bool answered = status == CAIRN_OK;
    if (answered && !output.document)
        fuzz_check(ctx, cairn_report_print(ctx, report, e->format, NULL, &text));
    cairn_string_free(text);
    cairn_string_free(output.document);
    cairn_report_free(report);
    fuzz_end();
    return answered;
}

static bool execute(execution *e)
{
    write_files(e);
#ifdef WATCHED
    size_t before = most_live = live;
#endif
    bool answered = run_words(e);
#ifdef WATCHED
    if (most_live - before > MEMORY + SLACK) {
        fprintf(stderr, "%zu bytes were held at once\n", most_live - before);
        abort();
    }
#endif
    free(e->changed.bytes);
    return answered;
}

/* Learn which commands each file answers as it is. */
static void probe_sources(campaign *c)
{
    static execution e;
    for (size_t i = 0; i < c->n_sources; i++) {
        source *s = &c->sources[i];
        e.from = s;
        s->answered =
            calloc(N_SHAPES + 2 * CAIRN_MOST_FORMS + c->n_pictures + c->n_topics, sizeof(uint32_t));
        if (!s->answered) abort();
        for (uint32_t at = 0; set_words(c, &e, at); at++) {
            copy_content(&e);
            if (execute(&e)) s->answered[s->n_answered++] = at;
        }
    }
}

/* -- the child -- */
static double processor_seconds(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t verb_of(const execution *e)
{
    size_t verb = 0;
    while (verb + 1 < N_VERBS && strcmp(verbs[verb], e->words[0]) != 0) verb++;
    return verb;
}

static void work(campaign *c, uint64_t end)
{
    static execution e;
    progress *p = c->seen;
#ifdef WATCHED
    watch_memory();
#endif
    for (uint64_t k = p->next; k < end; k++) {
        p->began = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
        p->now = k;
        draw_execution(c, &e, k);
        if (execute(&e))
            p->answered[verb_of(&e)]++;
        else
            p->refused[verb_of(&e)]++;
        p->next = k + 1;
#ifdef WATCHED
        if (k % LEAKS_EVERY == LEAKS_EVERY - 1 && __lsan_do_recoverable_leak_check()) _exit(1);
#endif
    }
    _exit(0);
}

/* -- the parent -- */
static void print_words(const execution *e)
{
    fprintf(stderr, "cairn");
    for (int i = 0; i < e->n_words; i++) fprintf(stderr, " %s", e->words[i]);
    fprintf(stderr, " (%s)\n", e->from->name);
}

/* Say what was found and keep the model and its rows. */
static void keep_finding(campaign *c, const char *what)
{
    static execution e;
    char path[LONGEST_PATH];
    uint64_t k = c->seen->now;
    draw_execution(c, &e, k);
    fprintf(stderr, "FINDING %s: execution %llu: ", what, (unsigned long long)k);
    print_words(&e);
    if (c->state) {
        snprintf(path, sizeof path, "%s-%llu.cairn", c->state, (unsigned long long)k);
        write_whole(path, e.changed.bytes, e.changed.size);
    }
    free(e.changed.bytes);
    c->seen->findings++;
    c->seen->refused[verb_of(&e)]++;
    c->seen->next = k + 1;
}

static void save_state(const campaign *c)
{
    char made[LONGEST_PATH];
    snprintf(made, sizeof made, "%s.new", c->state);
    FILE *out = fopen(made, "w");
    if (!out) abort();
    fprintf(out, "%llu executions, %llu findings\n", (unsigned long long)c->seen->next,
            (unsigned long long)c->seen->findings);
    for (size_t i = 0; i < N_VERBS; i++)
        fprintf(out, "%llu answered %llu refused %s\n", (unsigned long long)c->seen->answered[i],
                (unsigned long long)c->seen->refused[i], verbs[i]);
    if (fclose(out) || rename(made, c->state)) abort();
}

/* Wait for the child; what it came to, NULL = it did all of its work. */
static const char *watch(const campaign *c, pid_t child)
{
    clockid_t clock;
    bool timed = clock_getcpuclockid(child, &clock) == 0;
    const char *what = NULL;
    int status;
    for (size_t turn = 1; waitpid(child, &status, WNOHANG) == 0; turn++) {
        usleep(50000);
        if (c->state && turn % 100 == 0) save_state(c);
        uint64_t now = c->seen->now;
        if (!timed || what) continue;
        if (processor_seconds(clock) - c->seen->began > LONGEST_SECONDS && now == c->seen->now) {
            what = "hang";
            kill(child, SIGABRT);
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
    return what ? what : WIFSIGNALED(status) ? "crash" : "report";
}

/* Take up what an earlier campaign left. */
static void load_state(campaign *c, const char *path)
{
    FILE *in = fopen(path, "r");
    unsigned long long next, findings, a, b;
    if (!in) return;
    if (fscanf(in, "%llu executions, %llu findings\n", &next, &findings) == 2) {
        c->seen->next = next;
        c->seen->findings = findings;
        for (size_t i = 0;
             i < N_VERBS && fscanf(in, "%llu answered %llu refused%*[^\n]\n", &a, &b) == 2; i++) {
            c->seen->answered[i] = a;
            c->seen->refused[i] = b;
        }
    }
    fclose(in);
}

static void run_campaign(campaign *c, uint64_t end)
{
    if (c->state) load_state(c, c->state);
    while (c->seen->next < end) {
        uint64_t batch = c->seen->next + 20000;
        pid_t child = fork();
        if (child < 0) abort();
        if (child == 0) work(c, batch < end ? batch : end);
        const char *what = watch(c, child);
        if (what) keep_finding(c, what);
        if (c->state) save_state(c);
    }
    printf("%llu executions, %llu findings\n", (unsigned long long)c->seen->next,
           (unsigned long long)c->seen->findings);
}

static void run_alone(const campaign *c, uint64_t k)
{
    static execution e;
    draw_execution(c, &e, k);
    print_words(&e);
    printf("%s\n", execute(&e) ? "answered" : "refused");
}

/* A folder of its own where files cost little. */
static void enter_folder(char *made, size_t size)
{
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(made, size, "%s/cairn-verbs-XXXXXX", base);
    if (!mkdtemp(made) || chdir(made)) abort();
}

static void leave_folder(const char *made)
{
    static const char *const names[] = {MODEL, DATA, "n.cairn", "o.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(names[i]);
    if (chdir("/") || rmdir(made)) fprintf(stderr, "%s is not empty\n", made);
}

/* A path that holds in other folders; the caller frees. */
static char *whole_path(const char *path)
{
    char *here = *path == '/' ? strdup("") : getcwd(NULL, 0);
    size_t size = here ? strlen(here) + strlen(path) + 2 : 0;
    char *whole = here ? malloc(size) : NULL;
    if (whole) snprintf(whole, size, "%s%s%s", here, *here ? "/" : "", path);
    free(here);
    return whole;
}

int main(int argc, char **argv)
{
    static campaign c;
    char folder[LONGEST_PATH], *state = NULL;
    if (argc < 3) return 2;
    read_sources(&c, argv[1]);
    list_calculators(&c);
    c.seen = mmap(NULL, sizeof *c.seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.seen == MAP_FAILED || !c.n_sources) return 1;
    if (argc > 3 && !(state = whole_path(argv[3]))) return 1;
    enter_folder(folder, sizeof folder);
    probe_sources(&c);
    if (*argv[2] == '=') {
        run_alone(&c, strtoull(argv[2] + 1, NULL, 10));
        fprintf(stderr, "its files are in %s\n", folder);
        return 0;
    }
    c.state = state;
    run_campaign(&c, strtoull(argv[2], NULL, 10));
    leave_folder(folder);
    free(state);
    return c.seen->findings ? 1 : 0;
}
