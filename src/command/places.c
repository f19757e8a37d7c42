/* SPDX-License-Identifier: MIT */
/* The files that a command reads and writes, looked at before the work begins: nothing that is
 * written may be something that is read, or be written twice, and a model replaces no file that is
 * none. Files are told apart by device and inode, not by name; those that are not there yet by
 * their folder and name. */
#include "command/judging.h"

#include "base/memory.h"
#include "data/objects.h"
#include "data/source.h"
#include "entry/rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct place {
    const char *option; /* NULL = a word */
    const char *path;   /* as typed; scratch */
    const char *name;   /* behind the last slash, of a file that is not there */
    bool written, exists;
    dev_t device; /* of the file, or of its folder */
    ino_t inode;
} place;

typedef struct places {
    cairn_context *ctx;
    place *all; /* scratch: growing leaves the old ones behind */
    size_t n, capacity;
} places;

/* Which file the path leads to; false for what no file can be lost by: pipes, devices, folders. */
static bool identify(cairn_context *ctx, place *p)
{
    struct stat about;
    const char *slash = strrchr(p->path, '/');
    size_t length = slash ? (size_t)(slash - p->path) + 1 : 2;
    char *folder;
    p->exists = stat(p->path, &about) == 0;
    if (p->exists && !S_ISREG(about.st_mode)) return false;
    if (!p->exists) {
        if (SCRATCH(ctx, &folder, length + 1)) return false; /* told by whoever needs more */
        memcpy(folder, slash ? p->path : "./", length);
        if (stat(folder, &about) != 0) return false;
        p->name = slash ? slash + 1 : p->path;
    }
    p->device = about.st_dev;
    p->inode = about.st_ino;
    return true;
}

static cairn_status keep_place(places *all, const place *p)
{
    if (all->n == all->capacity) {
        place *grown;
        CHECK(SCRATCH(all->ctx, &grown, 2 * all->capacity + 8));
        if (all->n) memcpy(grown, all->all, all->n * sizeof *grown);
        all->all = grown;
        all->capacity = 2 * all->capacity + 8;
    }
    all->all[all->n++] = *p;
    return CAIRN_OK;
}

/* A name that begins with @ is written to where a program gave objects, and takes a table or a
 * model: anything else needs a file. An object of this name is replaced. */
static cairn_status check_object(cairn_context *ctx, const char *option, const char *path)
{
    char shown[64] = "";
    bool takes = !option || strcmp(option, "save") == 0 || strcmp(option, "out") == 0;
    if (option) cairn_option_name(shown, option);
    if (!ctx->objects)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s%s%s%s: a name that begins with @ is that of built-in data, or of an "
                          "object of a calling program, and there is none here; write ./%s for a "
                          "file of this name",
                          *shown ? "--" : "", shown, *shown ? " " : "", path, path);
    if (!takes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--%s %s: this goes to a file; only --save and --out put a model or a "
                          "table among the objects",
                          shown, path);
    return cairn_objects_check(ctx, path);
}

/* Standard streams, built-in data and what is not a file cannot collide; a file to be read that
 * is not there is told by the reader. */
static cairn_status add_place(places *all, const char *option, const char *path, size_t length,
                              bool written)
{
    place p = {.option = option, .written = written};
    char *copy;
    CHECK(SCRATCH(all->ctx, &copy, length + 1));
    memcpy(copy, path, length);
    p.path = copy;
    bool standard = strcmp(copy, "-") == 0 || cairn_out_is_standard(copy);
    bool file = length && !standard && *copy != '@' && !cairn_source_find(copy);
    if (*copy == '@' && written) {
        CHECK(check_object(all->ctx, option, copy));
        p.name = copy;
        return keep_place(all, &p);
    }
    if (!file || !identify(all->ctx, &p) || (!written && !p.exists)) return CAIRN_OK;
    return keep_place(all, &p);
}

static cairn_status add_params(places *all, const cairn_params *params);

/* The files that a spec such as bag:stop_file=words.txt names. What it spells wrongly is told by
 * whoever uses it. */
static cairn_status add_spec(places *all, const char *spec, size_t length)
{
    static const cairn_entry_kind kinds[] = {CAIRN_ENTRY_TRANSFORM, CAIRN_ENTRY_RESAMPLING,
                                             CAIRN_ENTRY_LEARNER};
    char *copy, name[64];
    size_t n = strcspn(spec, ":\n");
    CHECK(SCRATCH(all->ctx, &copy, length + 1));
    memcpy(copy, spec, length);
    if (n >= length || n >= sizeof name) return CAIRN_OK; /* without parameters */
    snprintf(name, sizeof name, "%.*s", (int)n, spec);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cairn_params *params = NULL;
        if (!cairn_entry_find(all->ctx, kinds[i], name)) continue;
        cairn_status status = cairn_params_from_spec(all->ctx, &params, kinds[i], copy);
        if (status == CAIRN_OK) status = add_params(all, params);
        cairn_params_free(params);
        return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
    }
    return CAIRN_OK;
}

/* Every line of every parameter that names a file or an entry with parameters. */
static cairn_status add_params(places *all, const cairn_params *params)
{
    if (!params) return CAIRN_OK;
    cairn_row_walk rows = cairn_rows_of(params->entry);
    for (size_t i = 0; i < params->n_rows; i++) {
        const cairn_param *row = cairn_next_row(&rows, NULL);
        const char *value = params->texts[i];
        if (row->type != CAIRN_TYPE_FILE && row->type != CAIRN_TYPE_SPEC) continue;
        while (value && *value) {
            size_t length = row->repeated ? strcspn(value, "\n") : strlen(value);
            if (row->type == CAIRN_TYPE_FILE)
                CHECK(add_place(all, row->name, value, length, row->writes));
            else
                CHECK(add_spec(all, value, length));
            value += length + (value[length] == '\n');
        }
    }
    return CAIRN_OK;
}

/* A word, and the files that are read beside it: x.names with x.data. */
static cairn_status add_word(places *all, const char *word, bool written)
{
    static const char *const endings[] = {".names", ".data", ".test"};
    const char *dot = strrchr(word, '.');
    CHECK(add_place(all, NULL, word, strlen(word), written));
    for (size_t i = 0; dot && !written && i < 3; i++) {
        char *beside;
        if (strcmp(dot, endings[i]) != 0) continue;
        for (size_t k = 0; k < 3; k++) {
            size_t stem = (size_t)(dot - word), length = stem + strlen(endings[k]);
            CHECK(SCRATCH(all->ctx, &beside, length + 1));
            memcpy(beside, word, stem);
            memcpy(beside + stem, endings[k], length - stem);
            CHECK(add_place(all, NULL, beside, length, false));
        }
    }
    return CAIRN_OK;
}

static bool is_same(const place *a, const place *b)
{
    return a->exists == b->exists && a->device == b->device && a->inode == b->inode &&
           (a->exists || strcmp(a->name, b->name) == 0);
}

/* A model that takes more rows in may be saved in its own place: it holds what it held before. */
static bool is_continued(const place *out, const place *in)
{
    return out->option && in->option && strcmp(out->option, "save") == 0 &&
           strcmp(in->option, "from") == 0;
}

static cairn_status refuse(cairn_context *ctx, const place *out, const place *other)
{
    char option[64] = "", by[64] = "";
    if (out->option) cairn_option_name(option, out->option);
    if (other->option) cairn_option_name(by, other->option);
    if (!other->written)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s%s%s%s is the input '%s', which would be lost; write to another file",
                          *option ? "--" : "", option, *option ? " " : "", out->path, other->path);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s%s%s%s is written by %s%s%s, too, and one of both would be lost; write to "
                      "another file",
                      *option ? "--" : "", option, *option ? " " : "", out->path, *by ? "--" : "'",
                      *by ? by : other->path, *by ? "" : "'");
}

/* A model is named by --save, where a slip of the completion gives the name of the data or of a
 * text; such a file is replaced with --force only. An empty one holds nothing to lose. */
static cairn_status check_saved(const cairn_command *c)
{
    struct stat about;
    bool is_model;
    if (!cairn_params_has(c->options->entry, "force") ||
        !cairn_params_has(c->options->entry, "save"))
        return CAIRN_OK;
    const char *path = cairn_params_text(c->options, "save");
    if (!path || cairn_same(cairn_params_text(c->options, "force"), "yes")) return CAIRN_OK;
    bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    if (!is_file) return CAIRN_OK;
    CHECK(cairn_command_is_model(c, path, &is_model));
    if (is_model) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--save %s: there is a file of this name that is no model; name another one, "
                      "or say --force to replace it",
                      path);
}

cairn_status cairn_command_check_places(const cairn_command *c)
{
    places all = {.ctx = c->ctx};
    if (c->files) return CAIRN_OK; /* files in memory, each of which is kept */
    for (size_t i = 0; i < c->n_words; i++)
        CHECK(add_word(&all, c->given[i], c->verb->writes_word == i + 1));
    CHECK(add_params(&all, c->inner));
    CHECK(add_params(&all, c->options));
    for (size_t i = 0; i < all.n; i++) {
        if (!all.all[i].written) continue;
        for (size_t k = 0; k < all.n; k++) {
            const place *out = &all.all[i], *other = &all.all[k];
            if (k == i || (other->written && k > i) || !is_same(out, other)) continue;
            if (!is_continued(out, other)) return refuse(c->ctx, out, other);
        }
    }
    return check_saved(c);
}
