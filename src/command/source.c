/* SPDX-License-Identifier: MIT */
/* What the words of a command name: tables, models, files to write. All of it goes to memory first
 * when the command has files there. */
#include "command/command.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/expression.h"
#include "data/format.h"
#include "entry/query.h"
#include "entry/rows.h"
#include "data/objects.h"
#include "data/odd_numbers.h"
#include "data/row_names.h"
#include "command/unlabelled.h"
#include "data/target_labels.h"
#include "data/source.h"
#include "data/shape.h"
#include "model/model_formula.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One byte that separates cells, from its letter or its name. */
static cairn_status separator_of(cairn_context *ctx, const char *text, char *out)
{
    static const struct {
        const char *name;
        char byte;
    } names[] = {{"tab", '\t'},  {"\\t", '\t'},      {"blank", ' '}, {"space", ' '},
                 {"comma", ','}, {"semicolon", ';'}, {"bar", '|'},   {"colon", ':'}};
    if (!text) return CAIRN_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, text) == 0) {
            *out = names[i].byte;
            return CAIRN_OK;
        }
    if (strlen(text) != 1 || (unsigned char)*text >= 128)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--separator must be one character, tab or blank, not '%s'", text);
    *out = *text;
    return CAIRN_OK;
}

/* One byte between thousands. */
static cairn_status thousands_of(cairn_context *ctx, const char *text, char *out)
{
    if (!text) return CAIRN_OK;
    bool blank = cairn_same(text, "blank") || cairn_same(text, "space");
    if (!blank && (strlen(text) != 1 || !strchr(",.'_ ", *text)))
        return cairn_fail(ctx, CAIRN_USAGE, "--thousands must be one of , . ' _ or blank, not '%s'",
                          text);
    *out = blank ? ' ' : *text;
    return CAIRN_OK;
}

/* The model that data is read for decides how, unless an option was given for this run: a later
 * line overrides an earlier one. */
static cairn_status read_options(const cairn_command *c, cairn_read_options *out)
{
    const cairn_reading *r = &c->common->reading;
    cairn_status status = CAIRN_OK;
    const cairn_entry *format;
    if (r->input_format) TRY(cairn_entry_get(c->ctx, &format, CAIRN_ENTRY_FORMAT, r->input_format));
    if (r->decimal && !cairn_same(r->decimal, ".") && !cairn_same(r->decimal, ","))
        return cairn_fail(c->ctx, CAIRN_USAGE, "--decimal must be . or , but not '%s'", r->decimal);
    TRY(separator_of(c->ctx, r->separator, &out->separator));
    TRY(thousands_of(c->ctx, r->thousands, &out->thousands));
    out->skip = (size_t)r->skip;
    out->comment = r->comment;
    out->bad_lines = r->bad_lines;
    out->sheet = r->sheet;
    out->format = r->input_format;
    out->decimal = r->decimal ? *r->decimal : 0;
    out->header = r->header;
    out->transpose = r->transpose;
    out->missing = r->missing_mark;
    out->only_marks = r->only_marks;
    out->encoding = r->encoding;
    out->kinds = r->kinds;
    out->time_format = r->time_format;
    if (r->time_format) TRY(cairn_time_check_pattern(c->ctx, r->time_format));
    if (c->reads_for) cairn_model_reading(c->reads_for, out);
    if (cairn_params_is_set(c->options, "skip")) out->skip = (size_t)r->skip;
    if (cairn_params_is_set(c->options, "bad_lines")) out->bad_lines = r->bad_lines;
    if (c->expected.n_fields) out->expected = &c->expected;
    if (r->where) {
        status = cairn_expression_check(c->ctx, r->where);
        if (status == CAIRN_USAGE) cairn_message_prefix(c->ctx, "--where");
    }
done:
    return status;
}

/* The rows that --where keeps, in the table's place. A `part` of the data may lose all its rows. */
static cairn_status keep_where(cairn_command *c, cairn_table **table, bool part)
{
    const char *where = c->common->reading.where;
    cairn_filtered found;
    cairn_table *kept = NULL;
    cairn_status status = CAIRN_OK;
    if (!where) return CAIRN_OK;
    TRY(cairn_table_where(c->ctx, &kept, *table, where, &found));
    if (found.n_kept == 0 && found.n_dropped && !part)
        TRY(cairn_fail(c->ctx, CAIRN_BAD_DATA, "%s keeps none of the %zu rows%s", where,
                       found.n_dropped,
                       found.n_undecided == found.n_dropped
                           ? ": a value that it needs is missing in all of them"
                           : ""));
    if (!part)
        cairn_remark(
            c, "--where keeps %zu of %zu rows%s", found.n_kept, found.n_kept + found.n_dropped,
            found.n_undecided ? "; where the condition is missing the row is dropped" : "");
    c->where.n_kept += found.n_kept;
    c->where.n_dropped += found.n_dropped;
    c->where.n_undecided += found.n_undecided;
    cairn_table_free(*table);
    *table = kept;
    kept = NULL;
done:
    if (status == CAIRN_USAGE || status == CAIRN_BAD_DATA) cairn_message_prefix(c->ctx, "--where");
    cairn_table_free(kept);
    return status;
}

/* Rows that are steps become rows that are sequences, with --sequence. */
static cairn_status gather_steps(cairn_command *c, cairn_table **table)
{
    const cairn_long_form *form = &c->common->long_form;
    const char *ignored = c->common->roles.ignore;
    cairn_table *gathered;
    if (!form->sequence) return CAIRN_OK;
    if (ignored) CHECK(cairn_table_set_roles(c->ctx, *table, ignored, CAIRN_IGNORED));
    CHECK(cairn_table_gather_steps(c->ctx, &gathered, *table, form));
    cairn_table_free(*table);
    *table = gathered;
    return CAIRN_OK;
}

cairn_status cairn_command_check_reading(const cairn_command *command)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    return read_options(command, &options);
}

const char *cairn_command_given(const cairn_command *c, const char *word)
{
    for (size_t i = 0; i < c->n_words; i++)
        if (c->words[i] == word) return c->given[i];
    return word;
}

/* Where transactions are wanted, a file whose lines seem to be some is read as such. */
static cairn_status guess_baskets(cairn_command *c, cairn_read_options *options, const char *path)
{
    const cairn_virtual_file *file = cairn_virtual_find(c->files, path);
    cairn_input *input = NULL;
    struct stat about;
    bool seems = false;
    cairn_status status = CAIRN_OK;
    if (!c->baskets || options->format || options->header == 1 || options->separator) goto done;
    if (file)
        TRY(cairn_input_memory(c->ctx, &input, path, file->bytes, file->length));
    else if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        TRY(cairn_input_open(c->ctx, &input, path));
    if (input) TRY(cairn_seems_baskets(c->ctx, &seems, input));
    if (!seems) goto done;
    options->format = cairn_basket_format.entry.name;
    cairn_remark(c, "%s is read as a file of baskets; --input-format csv takes it as a table",
                 path);
done:
    cairn_input_close(input);
    return status;
}

/* What the reader said, unless the file is a model: then that is what is wrong with it. */
static cairn_status explain_bad_data(cairn_command *c, const char *path)
{
    bool model = false;
    SCOPED(cairn_text_clear) cairn_text said = cairn_text_start(c->ctx);
    cairn_text_add(&said, cairn_message(c->ctx));
    CHECK(cairn_command_is_model(c, path, &model));
    if (model)
        CHECK(cairn_fail(c->ctx, CAIRN_BAD_DATA,
                         "%s is a Cairn model, but data is needed here; a model comes first, as in "
                         "'cairn predict MODEL DATA'",
                         path));
    CHECK(cairn_text_status(&said));
    return cairn_fail(c->ctx, CAIRN_BAD_DATA, "%s", cairn_text_string(&said));
}

/* Options for lines of text that were given for this run, but not for data like this. Where several
 * files are read, one before it may have had a use for them. */
static cairn_status refuse_idle(cairn_command *c, const cairn_table *table, const char *path)
{
    static const struct {
        const char *parameter, *option;
    } text[] = {{"separator", "separator"},
                {"skip", "skip"},
                {"comment", "comment"},
                {"thousands", "thousands"},
                {"bad_lines", "bad-lines"}};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        bool *heeded = &c->heeded[i];
        if (!cairn_params_is_set(c->options, text[i].parameter)) continue;
        *heeded |= cairn_format_heeds(table->format, text[i].option);
        if (*heeded) continue;
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--%s is about text in lines and does nothing for %s, which is %s%s; leave "
            "it out",
            text[i].option, path,
            table->format                               ? "of the format "
            : cairn_objects_find(c->ctx->objects, path) ? "a table in memory"
            : *path == '@'                              ? "built in"
                                                        : "a database",
            table->format ? table->format->entry.name : "");
    }
    return CAIRN_OK;
}

/* Counts that are typed in the place of a file, such as [9+,5-], where an option takes them. */
static cairn_status refuse_counts(const cairn_command *c, const char *path)
{
    static const char *const options[] = {"table", "counts"};
    struct stat about;
    if (*path != '[' || stat(path, &about) == 0 || !c->inner) return CAIRN_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (cairn_params_has(c->inner->entry, options[i]))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "%s is no file; counts are typed behind an option: --%s '%s'", path,
                              options[i], path);
    return CAIRN_OK;
}

static cairn_status read_table(cairn_command *c, cairn_table **out, const char *path,
                               const cairn_wanted *wanted)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_status status;
    double begun = cairn_seconds();
    const cairn_virtual_file *file = cairn_virtual_find(c->files, path);
    cairn_table *table = NULL;
    TRY(refuse_counts(c, path));
    TRY(read_options(c, &options));
    options.wanted = wanted;
    TRY(guess_baskets(c, &options, path));
    if (file)
        TRY(cairn_table_read_memory(c->ctx, &table, path, file->bytes, file->length, &options));
    else
        TRY(cairn_table_read(c->ctx, &table, cairn_command_given(c, path), &options));
    TRY(refuse_idle(c, table, path));
    TRY(keep_where(c, &table, false));
    TRY(gather_steps(c, &table));
    c->seconds_read = (c->seconds_read > 0 ? c->seconds_read : 0) + cairn_seconds() - begun;
    *out = table;
    table = NULL;
done:
    cairn_table_free(table);
    if (status == CAIRN_NO_MEMORY && !strstr(cairn_message(c->ctx), path))
        cairn_message_prefix(c->ctx, "%s", path);
    if (status != CAIRN_BAD_DATA) return status;
    cairn_status reported = explain_bad_data(c, path);
    return reported ? reported : status;
}

cairn_status cairn_command_read(cairn_command *c, cairn_table **out, const char *path)
{
    return read_table(c, out, path, NULL);
}

/* Up to `most` bytes of a regular file, whole lines where it is cut; scratch. */
static cairn_status read_bytes(cairn_context *ctx, const char *path, size_t most, char **out,
                               size_t *length)
{
    cairn_input *input = NULL;
    size_t got = 1;
    cairn_status status;
    *length = 0;
    TRY(SCRATCH(ctx, out, most + 1));
    TRY(cairn_input_open(ctx, &input, path));
    while (got && *length < most) {
        TRY(cairn_input_read(ctx, input, *out + *length, most - *length, &got));
        *length += got;
    }
    while (*length == most && most && (*out)[most - 1] != '\n') *length = --most;
done:
    cairn_input_close(input);
    return status;
}

cairn_status cairn_command_read_start(cairn_command *c, cairn_table **out, const char *path)
{
    enum { START = 1 << 18 };
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    struct stat about;
    char *bytes;
    size_t length;
    CHECK(read_options(c, &options));
    if (*path == '@') return cairn_table_read(c->ctx, out, path, &options);
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return cairn_fail(c->ctx, CAIRN_FILE_ERROR, "%s is no regular file", path);
    CHECK(read_bytes(c->ctx, path, START, &bytes, &length));
    return cairn_table_read_memory(c->ctx, out, path, bytes, length, &options);
}

/* Take a role away from every column that has it. */
static cairn_status drop_role(cairn_context *ctx, cairn_table *table, cairn_role role)
{
    for (size_t i = 0; i < cairn_table_columns(table); i++)
        if (cairn_table_role(table, i) == role)
            CHECK(cairn_table_set_role(ctx, table, cairn_table_name(table, i), CAIRN_FEATURE));
    return CAIRN_OK;
}

/* --target none: a column that is so by habit is one like the others. So with --id none. */
static bool names_none(const cairn_table *table, const char *columns)
{
    return columns && cairn_same(columns, "none") && cairn_table_find(table, columns) < 0;
}

/* A learner that needs no target may learn from the column that is one by habit; what the user says
 * is the target stays it. */
static cairn_status free_target(const cairn_command *c, cairn_table *table, const char *features)
{
    SCOPED_SCRATCH(c->ctx);
    char **names;
    size_t n, column;
    bool needless = c->inner && c->inner->entry->kind == CAIRN_ENTRY_LEARNER &&
                    ((const cairn_learner *)c->inner->entry)->tasks == CAIRN_CLUSTER;
    if (!needless || c->common->roles.target) return CAIRN_OK;
    CHECK(cairn_list_split(c->ctx, features, &names, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(c->ctx, table, names[i], &column));
        if (cairn_table_role(table, column) == CAIRN_TARGET)
            CHECK(cairn_table_set_role(c->ctx, table, names[i], CAIRN_FEATURE));
    }
    return CAIRN_OK;
}

/* With --features, every other feature is ignored; a column that names rows is learned from when it
 * is asked for by name. */
static cairn_status keep_features(cairn_context *ctx, cairn_table *table, const char *list)
{
    SCOPED_SCRATCH(ctx);
    char **names;
    size_t n, column;
    bool *kept;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    CHECK(SCRATCH(ctx, &kept, cairn_table_columns(table)));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(ctx, table, names[i], &column));
        cairn_role role = cairn_table_role(table, column);
        if (role == CAIRN_TARGET || role == CAIRN_WEIGHT || role == CAIRN_GROUP)
            CHECK(
                cairn_fail(ctx, CAIRN_USAGE,
                           "--features names '%s', which is the %s: a column cannot be both; leave "
                           "it out, or name another --%s",
                           names[i], cairn_role_name(role), cairn_role_name(role)));
        kept[column] = true;
    }
    for (size_t i = 0; i < cairn_table_columns(table); i++) {
        cairn_role role = cairn_table_role(table, i);
        bool feature = role == CAIRN_FEATURE;
        if (kept[i] != feature && (feature || role == CAIRN_IGNORED || role == CAIRN_ID))
            CHECK(cairn_table_set_role(ctx, table, cairn_table_name(table, i),
                                       kept[i] ? CAIRN_FEATURE : CAIRN_IGNORED));
    }
    return CAIRN_OK;
}

/* Give a role to the columns of a list, and note which option names each; two that name the same
 * one contradict each other. Columns to be ignored may have been left out when the table was
 * read. */
static cairn_status give_role(cairn_command *c, const char **claims, cairn_table *table,
                              const char *list, const char *option, cairn_role role)
{
    char **names;
    size_t n, column;
    CHECK(cairn_list_split(c->ctx, list, &names, &n));
    for (size_t i = 0; i < n; i++) {
        if (role == CAIRN_IGNORED && c->narrowed && cairn_table_find(table, names[i]) < 0) continue;
        CHECK(cairn_table_get(c->ctx, table, names[i], &column));
        if (claims[column] && claims[column] != option)
            CHECK(
                cairn_fail(c->ctx, CAIRN_USAGE,
                           "--%s and --%s both name '%s': a column has one part to play, so leave "
                           "one of them out",
                           claims[column], option, names[i]));
        claims[column] = option;
    }
    for (size_t i = 0; i < n; i++)
        if (cairn_table_find(table, names[i]) >= 0)
            CHECK(cairn_table_set_role(c->ctx, table, names[i], role));
    return CAIRN_OK;
}

/* --against-rest: the target as one class and all others. */
static cairn_status ask_for_one(cairn_context *ctx, cairn_table *table, const char *level,
                                bool part)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--against-rest %s needs a target that has this value: say --target "
                          "COLUMN",
                          level);
    if (cairn_table_role_count(table, CAIRN_TARGET) > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--against-rest names a value of one target, but there are several; "
                          "name one with --target");
    return cairn_table_against_rest(ctx, table, (size_t)at, level, part);
}

/* A weight or a group is one column, and weights are numbers; who asked for something else would
 * not find out where nobody looks at it. */
static cairn_status check_single(cairn_context *ctx, const cairn_table *table, cairn_role role,
                                 const char *option)
{
    ptrdiff_t at = cairn_table_role_column(table, role);
    if (cairn_table_role_count(table, role) > 1)
        return cairn_fail(ctx, CAIRN_USAGE, "--%s takes one column", option);
    bool number = at < 0 || table->slots[at].column->kind == CAIRN_NUMBER;
    return role == CAIRN_WEIGHT && !number ? cairn_check_weights(ctx, &table->slots[at]) : CAIRN_OK;
}

/* -- targets that are computed -- */

/* The features that an expression reads, for a warning: a model that sees them sees the target. */
static cairn_status tell_read(cairn_command *c, const cairn_expression *e, const cairn_table *table,
                              const char *target)
{
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(c->ctx);
    bool *used;
    CHECK(SCRATCH(c->ctx, &used, table->n_columns + 1));
    cairn_expression_reads(e, used);
    for (size_t j = 0; j < table->n_columns; j++)
        if (used[j] && table->slots[j].role == CAIRN_FEATURE)
            cairn_text_addf(&names, "%s%s", names.length ? "," : "", table->slots[j].name);
    CHECK(cairn_text_status(&names));
    if (names.length)
        cairn_warn(c->ctx,
                   "the target '%s' is computed from %s, and a model that sees this sees the "
                   "target; {ignore %s} leaves it out",
                   target, cairn_text_string(&names), cairn_text_string(&names));
    return CAIRN_OK;
}

/* --target 'adult = age >= 18': the column is computed and becomes the target, by its name from
 * then on. */
static cairn_status compute_target(cairn_command *c, cairn_expression **out, cairn_table *table)
{
    cairn_roles *r = &((cairn_common *)c->options->values)->roles;
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    char *name, *text;
    cairn_column *column;
    cairn_faults faults = {{0}, {0}};
    const char *typed = r->target ? cairn_params_text(c->options, "target") : NULL;
    if (!typed || !strchr(typed, '=') || cairn_table_find(table, typed) >= 0) return CAIRN_OK;
    cairn_status status = cairn_assignment_split(c->ctx, typed, &name, &text);
    if (!status) status = cairn_expression_new(c->ctx, &e, text, table);
    if (status == CAIRN_USAGE) cairn_message_prefix(c->ctx, "--target");
    CHECK(status);
    if (cairn_table_find(table, name) >= 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--target: there is a column '%s' already; give what is computed another "
                          "name",
                          name);
    CHECK(cairn_expression_column(c->ctx, e, &column, &faults));
    CHECK(cairn_table_add_column(c->ctx, table, name, CAIRN_FEATURE, column));
    table->slots[table->n_columns - 1].role = CAIRN_TARGET;
    cairn_faults_warn(c->ctx, name, &faults);
    *out = TAKE(e);
    if (!c->computed_target)
        CHECK(cairn_copy_text(c->ctx, &c->computed_target, name, strlen(name)));
    r->target = c->computed_target;
    return CAIRN_OK;
}

/* A target that only a formula among the transforms would make is not there when it is needed. */
static cairn_status refuse_formula_target(const cairn_command *c, const cairn_table *table)
{
    const char *target = c->common->roles.target;
    if (!target || cairn_table_find(table, target) >= 0) return CAIRN_OK;
    for (const cairn_params *t = c->common->fitting.transforms; t; t = t->next) {
        const char *const *lines;
        if (!t->entry->assigns) continue;
        CHECK(cairn_list_lines(c->ctx, cairn_params_text(t, "set"), &lines));
        for (; *lines; lines++) {
            char *name, *text;
            CHECK(cairn_assignment_split(c->ctx, *lines, &name, &text));
            if (cairn_same(name, target))
                return cairn_fail(c->ctx, CAIRN_USAGE,
                                  "the target '%s' is a formula among the transforms, which make "
                                  "features; --target '%s=%s' computes it before",
                                  target, name, text);
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_command_roles(cairn_command *c, cairn_table *table)
{
    const cairn_roles *r = &c->common->roles;
    OWNED(cairn_expression_free) cairn_expression *computed = NULL;
    CHECK(compute_target(c, &computed, table));
    CHECK(refuse_formula_target(c, table));
    const struct {
        const char *option, *columns;
        cairn_role role;
    } given[] = {{"target", r->target, CAIRN_TARGET},
                 {"weight", r->weight, CAIRN_WEIGHT},
                 {"group", r->group, CAIRN_GROUP},
                 {"id", r->id, CAIRN_ID},
                 {"ignore", r->ignore, CAIRN_IGNORED}};
    SCOPED_SCRATCH(c->ctx);
    const char **claims;
    CHECK(cairn_unlabelled_make(c, table, &c->unlabelled));
    CHECK(SCRATCH(c->ctx, &claims, cairn_table_columns(table)));
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i].columns) continue;
        bool replaces = given[i].role != CAIRN_ID && given[i].role != CAIRN_IGNORED;
        bool can_lack = given[i].role == CAIRN_TARGET || given[i].role == CAIRN_ID;
        if (can_lack && names_none(table, given[i].columns)) {
            CHECK(drop_role(c->ctx, table, given[i].role));
            continue;
        }
        if (replaces) CHECK(drop_role(c->ctx, table, given[i].role));
        CHECK(give_role(c, claims, table, given[i].columns, given[i].option, given[i].role));
        if (given[i].role == CAIRN_WEIGHT || given[i].role == CAIRN_GROUP)
            CHECK(check_single(c->ctx, table, given[i].role, given[i].option));
    }
    if (r->features) {
        CHECK(free_target(c, table, r->features));
        CHECK(keep_features(c->ctx, table, r->features));
    }
    if (c->common->fitting.formula) {
        cairn_status status = cairn_model_formula_roles(c->ctx, table, c->common->fitting.formula);
        if (status == CAIRN_USAGE) cairn_message_prefix(c->ctx, "--formula");
        CHECK(status);
    }
    if (r->against_rest)
        CHECK(
            ask_for_one(c->ctx, table, r->against_rest, cairn_params_is_set(c->options, "chunk")));
    if (computed) CHECK(tell_read(c, computed, table, r->target));
    return CAIRN_OK;
}

/* Columns that an option of a calculator or picture names are meant as they are. */
static cairn_status mark_asked(cairn_command *c, cairn_table *table)
{
    if (!c->inner) return CAIRN_OK;
    cairn_row_walk rows = cairn_rows_of(c->inner->entry);
    for (size_t i = 0; i < c->inner->n_rows; i++) {
        const cairn_param *row = cairn_next_row(&rows, NULL);
        char **names;
        size_t n;
        if (row->type != CAIRN_TYPE_COLUMNS || !c->inner->texts[i]) continue;
        CHECK(cairn_list_split(c->ctx, c->inner->texts[i], &names, &n));
        for (size_t k = 0; k < n; k++) {
            ptrdiff_t at = cairn_table_find(table, names[k]);
            if (at >= 0) table->slots[at].chosen = CAIRN_ROLE_SAID;
        }
    }
    return CAIRN_OK;
}

/* Whether transforms work on the columns that are there, not only on those that an expression
 * names. */
static bool transforms_columns(const cairn_command *c)
{
    for (const cairn_params *t = c->common->fitting.transforms; t; t = t->next)
        if (!t->entry->assigns) return true;
    return false;
}

/* Columns that name or number the rows are no features, unless the user speaks of names, of
 * features or of a matrix. What reads columns as numbers of whatever kind must be surer of it than
 * what learns; descriptions, predictions and files that are not transformed have all columns. */
static cairn_status name_rows(cairn_command *c, cairn_table *table)
{
    const cairn_roles *r = &c->common->roles;
    bool learns = c->verb == &cairn_verb_fit || c->verb == &cairn_verb_evaluate ||
                  c->verb == &cairn_verb_compare || c->verb == &cairn_verb_tune;
    bool changes = c->verb == &cairn_verb_convert && transforms_columns(c);
    bool reads = changes || c->verb == &cairn_verb_compute || c->verb == &cairn_verb_draw;
    bool said = c->reads_for /* whose schema knows the roles */ || r->features ||
                c->common->fitting.formula;
    bool shaped = cairn_params_is_set(c->options, "as");
    if (!said && !shaped && (learns || reads || c->verb == &cairn_verb_describe))
        CHECK(cairn_table_find_distances(c->ctx, table, learns));
    said |= r->id || (cairn_shape)table->shape != CAIRN_SHAPE_TABLE ||
            (shaped && c->common->reading.as != CAIRN_SHAPE_TABLE);
    for (size_t i = 0; said && i < table->n_columns; i++) table->slots[i].chosen = CAIRN_ROLE_SAID;
    if (said || (!learns && !reads)) return CAIRN_OK;
    if (reads) CHECK(mark_asked(c, table));
    return cairn_table_name_rows(c->ctx, table, learns ? CAIRN_NAMED_LIKELY : CAIRN_NAMED_BY_WORDS);
}

/* Counts are unfolded before roles are given, since the options name the columns that come of it;
 * of a matrix, the roles say which columns are not part of it. */
cairn_status cairn_command_table(cairn_command *c, cairn_table **out, const char *path)
{
    cairn_shape shape = (cairn_shape)c->common->reading.as;
    bool given = cairn_params_is_set(c->options, "as");
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_wanted wanted;
    CHECK(cairn_command_wanted(c, &wanted));
    CHECK(read_table(c, &table, path, &wanted));
    if (shape == CAIRN_SHAPE_COUNTS) CHECK(cairn_table_reshape(c->ctx, &table, shape));
    CHECK(cairn_command_roles(c, table));
    if (given && shape != CAIRN_SHAPE_COUNTS) CHECK(cairn_table_reshape(c->ctx, &table, shape));
    CHECK(name_rows(c, table));
    /* Waking threads costs more than a small table: use one unless the user says otherwise. What
     * comes out does not depend on it, and the run gives the setting back. */
    double cells = (double)table->n_rows * (double)table->n_columns;
    bool small = cells < (c->verb == &cairn_verb_evaluate ? 5e3 : 5e4);
    if (small && !cairn_params_is_set(c->options, "threads")) cairn_context_set_threads(c->ctx, 1);
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_command_open_chunks(cairn_command *c, cairn_chunks **out, const char *path)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    const cairn_virtual_file *file = cairn_virtual_find(c->files, path);
    cairn_input *input = NULL;
    if (*path == '@' || cairn_source_find(path) || cairn_params_is_set(c->options, "as") ||
        c->common->long_form.sequence)
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--chunk reads the rows of a csv file or a pipe; leave it out for %s, databases, --as "
            "and --sequence",
            cairn_objects_find(c->ctx->objects, path) ? "tables in memory" : "built-in data");
    CHECK(read_options(c, &options));
    if (file)
        CHECK(cairn_input_memory(c->ctx, &input, path, file->bytes, file->length));
    else
        CHECK(cairn_input_open(c->ctx, &input, path));
    return cairn_chunks_open(c->ctx, out, input, &options);
}

cairn_status cairn_command_next_chunk(cairn_command *c, cairn_chunks *chunks, size_t n_rows,
                                      cairn_table **out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double begun = cairn_seconds();
    do {
        cairn_table_free(table);
        CHECK(cairn_chunks_next(c->ctx, chunks, n_rows, &table));
        if (table) CHECK(refuse_idle(c, table, table->source));
        if (table) CHECK(keep_where(c, &table, true));
    } while (table && table->n_rows == 0);
    if (table) CHECK(cairn_command_roles(c, table));
    c->seconds_read = (c->seconds_read > 0 ? c->seconds_read : 0) + cairn_seconds() - begun;
    *out = TAKE(table);
    return CAIRN_OK;
}

bool cairn_command_has_file(const cairn_command *c, const char *path)
{
    if (c->ctx->objects && *path == '@') return true; /* what is not there is told by its reader */
    return cairn_virtual_find(c->files, path) || access(path, F_OK) == 0;
}

static cairn_status load_model(cairn_command *c, cairn_model **out, const char *path)
{
    const cairn_virtual_file *file = cairn_virtual_find(c->files, path);
    if (file) return cairn_model_load_memory(c->ctx, out, path, file->bytes, file->length);
    if (*path == '@' && !c->ctx->objects)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s is built-in data, but a model is needed here: a file that 'cairn fit "
                          "... --save FILE' wrote",
                          path);
    if (access(path, F_OK) != 0 && cairn_entry_known(c->ctx, CAIRN_ENTRY_LEARNER, path))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s is a learner, but a model is needed here: a file that 'cairn fit %s "
                          "DATA --save FILE' wrote",
                          path, path);
    return cairn_model_load(c->ctx, out, path);
}

/* Tables that are read from now on are for this model, too. What two models know of a column they
 * know alike, or the first one is right. */
static cairn_status read_for(cairn_command *c, const cairn_model *model)
{
    cairn_field *fields;
    if (!c->reads_for) {
        c->reads_for = model;
        return CAIRN_OK;
    }
    const cairn_schema *before = c->expected.n_fields ? &c->expected : &c->reads_for->schema;
    size_t n = before->n_fields, more = model->schema.n_fields;
    CHECK(SCRATCH(c->ctx, &fields, n + more + 1));
    if (n) memcpy(fields, before->fields, n * sizeof *fields);
    if (more) memcpy(fields + n, model->schema.fields, more * sizeof *fields);
    c->expected = (cairn_schema){fields, n + more};
    return CAIRN_OK;
}

cairn_status cairn_command_load(cairn_command *c, cairn_model **out, const char *path)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    CHECK(load_model(c, &model, path));
    CHECK(read_for(c, model));
    *out = TAKE(model);
    return CAIRN_OK;
}

cairn_status cairn_command_model(cairn_command *c, cairn_model **out, const char *path)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    CHECK(load_model(c, &model, path));
    if (!model->learner)
        CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                         "%s is a recipe of transforms without a learner; 'cairn convert IN OUT "
                         "--recipe %s' applies it",
                         path, path));
    CHECK(read_for(c, model));
    *out = TAKE(model);
    return CAIRN_OK;
}

cairn_status cairn_command_save(cairn_command *c, const cairn_model *model, const char *path)
{
    if (*path == '@' && c->ctx->objects)
        return cairn_objects_put_model(c->ctx, c->ctx->objects, path, model);
    if (!c->files) return cairn_model_save(c->ctx, model, path);
    OWNED(cairn_string_free) char *bytes = NULL;
    size_t length;
    CHECK(cairn_model_save_memory(c->ctx, model, &bytes, &length));
    return cairn_virtual_put(c->ctx, c->files, path, bytes, length);
}

cairn_status cairn_command_is_model(const cairn_command *c, const char *path, bool *out)
{
    static const char magic[] = "CAIRNMDL";
    char head[8] = "";
    const cairn_virtual_file *file = cairn_virtual_find(c->files, path);
    cairn_input *input;
    struct stat about;
    size_t got = 0;
    cairn_status status;
    *out = (file && file->length >= 8 && memcmp(file->bytes, magic, 8) == 0) ||
           cairn_objects_model(c->ctx->objects, path);
    /* what a pipe has given is gone: it is left to the one who reads it as data */
    if (*out || file || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return CAIRN_OK;
    /* what cannot be read is told by whoever reads it */
    status = cairn_input_open(c->ctx, &input, path);
    if (status) return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
    status = cairn_input_read(c->ctx, input, head, sizeof head, &got);
    cairn_input_close(input);
    *out = !status && got == 8 && memcmp(head, magic, 8) == 0;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status cairn_command_give(cairn_command *c, cairn_text *text)
{
    size_t length = text->length;
    cairn_status status = cairn_text_take(text, &c->document);
    if (status) return status;
    c->document_length = length;
    c->has_document = true;
    return CAIRN_OK;
}

bool cairn_out_is_data(const cairn_context *ctx, const char *path)
{
    cairn_format report;
    if (*path == '@') return true;
    return !cairn_format_of_name(path, &report) && cairn_format_by_name(ctx, path);
}

/* The writer for a path, before anything is opened. */
static cairn_status writer_for(cairn_context *ctx, const cairn_data_format **out, const char *path,
                               const char *format)
{
    if (format)
        CHECK(cairn_format_get(ctx, out, format));
    else if (!(*out = cairn_format_by_name(ctx, path)))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: the ending names no format; 'cairn list formats' shows them, and "
                          "--to chooses one",
                          path);
    if (!cairn_format_writes(*out))
        return cairn_fail(ctx, CAIRN_USAGE, "%s: the format %s can be read but not written", path,
                          (*out)->entry.name);
    return CAIRN_OK;
}

static cairn_status write_source(cairn_command *c, const cairn_table *table, const char *path,
                                 const char *format)
{
    if (format)
        return cairn_fail(c->ctx, CAIRN_USAGE, "%s: a database has no format; leave out '%s'", path,
                          format);
    if (c->files)
        return cairn_fail(c->ctx, CAIRN_USAGE, "%s: databases cannot be written to memory", path);
    bool asks = cairn_params_has(c->options->entry, "force");
    bool goes = asks && cairn_same(cairn_params_text(c->options, "force"), "yes");
    return cairn_source_write(c->ctx, table, cairn_command_given(c, path),
                              goes   ? CAIRN_EXISTING_GOES
                              : asks ? CAIRN_EXISTING_ASKS
                                     : CAIRN_EXISTING_STAYS);
}

static cairn_status put_table(cairn_command *c, const cairn_table *table, const char *path,
                              const char *format)
{
    if (format)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s: a table in memory has no format; leave out '%s'", path, format);
    return cairn_objects_put_table(c->ctx, c->ctx->objects, path, table);
}

cairn_status cairn_command_write_measures(cairn_command *c, const cairn_table *table,
                                          const char *path, const char *format)
{
    bool to_document = strcmp(path, "-") == 0;
    const cairn_data_format *writer;
    cairn_text bytes = cairn_text_start(c->ctx);
    cairn_output_file *file = NULL;
    cairn_status status;
    if (*path == '@' && c->ctx->objects) return put_table(c, table, path, format);
    if (cairn_source_find(path)) return write_source(c, table, path, format);
    TRY(writer_for(c->ctx, &writer, path, format));
    if (to_document || c->files)
        TRY(cairn_output_memory(c->ctx, &file, &bytes));
    else
        TRY(cairn_output_open(c->ctx, &file, path));
    TRY(cairn_format_write(c->ctx, writer, table, file));
    status = cairn_output_commit(c->ctx, file);
    file = NULL;
    if (status) goto done;
    if (to_document)
        TRY(cairn_command_give(c, &bytes));
    else if (c->files)
        TRY(cairn_virtual_put(c->ctx, c->files, path, cairn_text_string(&bytes), bytes.length));
done:
    cairn_output_abort(file);
    cairn_text_clear(&bytes);
    return status;
}

cairn_status cairn_command_write(cairn_command *c, const cairn_table *table, const char *path,
                                 const char *format)
{
    CHECK(cairn_table_finite(c->ctx, table, path));
    return cairn_command_write_measures(c, table, path, format);
}

cairn_status cairn_command_write_bytes(cairn_command *c, const char *path, const char *bytes,
                                       size_t length)
{
    if (*path == '@' && c->ctx->objects)
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "%s: the objects are tables and models, and this is neither; leave it out, "
            "and it comes with the output of the run, or name a file",
            path);
    if (c->files) return cairn_virtual_put(c->ctx, c->files, path, bytes, length);
    return cairn_file_write_all(c->ctx, path, bytes, length);
}

bool cairn_format_of_name(const char *path, cairn_format *out)
{
    static const struct {
        const char *ending;
        cairn_format format;
    } endings[] = {{".html", CAIRN_FORMAT_HTML},         {".htm", CAIRN_FORMAT_HTML},
                   {".json", CAIRN_FORMAT_JSON},         {".md", CAIRN_FORMAT_MARKDOWN},
                   {".markdown", CAIRN_FORMAT_MARKDOWN}, {".txt", CAIRN_FORMAT_TEXT}};
    if (*path == '@') return false; /* an object, whatever its name ends with */
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (cairn_ends_with(path, endings[i].ending)) {
            *out = endings[i].format;
            return true;
        }
    return false;
}

bool cairn_out_is_report(const char *path)
{
    cairn_format format;
    return cairn_format_of_name(path, &format);
}

/* "platt" or "platt,inner=cv:10": values of the learner calibrated, its method first. */
static cairn_status open_calibration(cairn_context *ctx, cairn_params **out, const char *text)
{
    cairn_status status;
    cairn_text spec = cairn_text_start(ctx);
    size_t first = strcspn(text, ",");
    bool named = memchr(text, '=', first) != NULL;
    cairn_text_addf(&spec, "calibrated:%s%s", named ? "" : "method=", text);
    TRY(cairn_text_status(&spec));
    TRY(cairn_params_from_spec(ctx, out, CAIRN_ENTRY_LEARNER, cairn_text_string(&spec)));
done:
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "--with-calibration");
    cairn_text_clear(&spec);
    return status;
}

/* Options about costs are short for the wrapper cost-sensitive, which is set up here with them. */
static cairn_status set_costs(cairn_context *ctx, cairn_params **out, const cairn_fitting *f)
{
    char number[CAIRN_NUMBER_SIZE];
    CHECK(cairn_params_new(ctx, out, "cost-sensitive"));
    if (f->costs) CHECK(cairn_params_set(ctx, *out, "costs", f->costs));
    if (f->decide && !cairn_same(f->decide, "costs"))
        CHECK(cairn_params_set(ctx, *out, "threshold", f->decide));
    if (!isnan(f->cost_fn)) {
        cairn_number_format(number, f->cost_fn, CAIRN_SHORTEST);
        CHECK(cairn_params_set(ctx, *out, "cost_fn", number));
    }
    if (!isnan(f->cost_fp)) {
        cairn_number_format(number, f->cost_fp, CAIRN_SHORTEST);
        CHECK(cairn_params_set(ctx, *out, "cost_fp", number));
    }
    if (!isnan(f->reject)) {
        cairn_number_format(number, f->reject, CAIRN_SHORTEST);
        CHECK(cairn_params_set(ctx, *out, "reject", number));
    }
    return CAIRN_OK;
}

/* The answer of least cost as the options want it; nothing is left of it on failure. */
static cairn_status open_costs(cairn_context *ctx, cairn_params **out, const cairn_fitting *f)
{
    *out = NULL;
    cairn_status status = set_costs(ctx, out, f);
    if (status) cairn_params_free(*out);
    return status;
}

cairn_status cairn_command_wrap(cairn_command *c, cairn_fit_options *options, cairn_params *wrapper)
{
    const cairn_params **list;
    size_t n = 0;
    cairn_status status = GROW(c->ctx, &c->wrappers, &c->wrapper_capacity, c->n_wrappers + 1);
    if (status) {
        cairn_params_free(wrapper);
        return status;
    }
    c->wrappers[c->n_wrappers++] = wrapper;
    while (options->around && options->around[n]) n++;
    CHECK(SCRATCH(c->ctx, &list, n + 2));
    for (size_t i = 0; i < n; i++) list[i] = options->around[i];
    list[n] = wrapper;
    options->around = list;
    return cairn_params_check(c->ctx, wrapper);
}

/* The wrappers that the options ask for, the innermost first. */
static cairn_status list_around(cairn_command *c, cairn_fit_options *out)
{
    const cairn_fitting *f = &c->common->fitting;
    cairn_params *wrapper = NULL;
    if (f->with_calibration) {
        CHECK(open_calibration(c->ctx, &wrapper, f->with_calibration));
        CHECK(cairn_command_wrap(c, out, wrapper));
    }
    bool costs = f->costs || cairn_params_is_set(c->options, "cost_fn") ||
                 cairn_params_is_set(c->options, "cost_fp");
    if (f->decide || cairn_params_is_set(c->options, "reject")) {
        cairn_status status = open_costs(c->ctx, &wrapper, f);
        if (status) return status;
        return cairn_command_wrap(c, out, wrapper);
    }
    if (costs && c->verb != &cairn_verb_evaluate &&
        c->verb != &cairn_verb_compare) /* which judge by them */
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "costs change nothing by themselves; --decide costs gives the answer of "
                          "least expected cost, --decide tuned finds the best threshold");
    return CAIRN_OK;
}

/* What --formula and --with and, after them, --scale ask for. */
static cairn_status list_transforms(cairn_context *ctx, const cairn_fitting *f, cairn_params **out)
{
    OWNED(cairn_params_free) cairn_params *all = NULL;
    cairn_params *behind;
    if (f->formula) {
        CHECK(cairn_params_from_spec(ctx, &all, CAIRN_ENTRY_TRANSFORM, "design"));
        CHECK(cairn_params_set(ctx, all, "formula", f->formula));
    }
    CHECK(cairn_scaled_with(ctx, f->transforms, f->scale, &behind));
    cairn_params_append(&all, behind);
    *out = TAKE(all);
    return CAIRN_OK;
}

/* A formula without a constant, or with an offset, is a setting of the learner. */
static cairn_status set_by_formula(cairn_command *c, const char *parameter, const char *value,
                                   const char *what)
{
    if (c->inner && cairn_params_has(c->inner->entry, parameter))
        return cairn_params_set(c->ctx, c->inner, parameter, value);
    return cairn_fail(c->ctx, CAIRN_USAGE, "--formula: %s%s; leave it out of the formula",
                      c->inner ? c->inner->entry->name : "a comparison of learners", what);
}

/* What a formula says beside its columns, and options that say the same otherwise. */
static cairn_status heed_formula(cairn_command *c)
{
    SCOPED_SCRATCH(c->ctx);
    const cairn_roles *r = &c->common->roles;
    const char *text = c->common->fitting.formula;
    cairn_model_formula formula;
    if (!text) return CAIRN_OK;
    cairn_status status = cairn_model_formula_read(c->ctx, &formula, text, NULL, 0);
    if (status == CAIRN_USAGE) cairn_message_prefix(c->ctx, "--formula");
    CHECK(status);
    if ((formula.target && r->target) || r->features)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--formula chooses %s itself; leave out --%s",
                          r->features ? "the features" : "the target",
                          r->features ? "features" : "target");
    if (!formula.intercept)
        CHECK(set_by_formula(c, "intercept", "no", " has no constant term that -1 takes away"));
    if (formula.n_offsets) CHECK(set_by_formula(c, "offset", "(offset)", " takes no offset"));
    return CAIRN_OK;
}

cairn_status cairn_command_fit_options(cairn_command *c, cairn_fit_options *out)
{
    static const char *const policies[] = {NULL, "fail", "drop", "impute"};
    const cairn_fitting *f = &c->common->fitting;
    cairn_read_options *reading;
    if (f->label_mark && c->verb != &cairn_verb_fit && c->verb != &cairn_verb_evaluate)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "cairn %s takes one target at a time, so --label-mark has no place here; "
                          "'cairn evaluate' judges several labels per row",
                          c->verb->entry.name);
    out->task = (cairn_task)f->task;
    out->positive = f->positive;
    out->missing = policies[f->missing];
    out->command = c->line;
    out->given = f->given;
    CHECK(SCRATCH(c->ctx, &reading, 1));
    *reading = (cairn_read_options)CAIRN_READ_OPTIONS_INIT;
    CHECK(read_options(c, reading));
    out->reading = reading;
    out->strict = f->strict;
    CHECK(heed_formula(c));
    if (!c->transforms) CHECK(list_transforms(c->ctx, f, &c->transforms));
    out->transforms = c->transforms;
    return list_around(c, out);
}
