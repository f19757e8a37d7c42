/* SPDX-License-Identifier: MIT */
/* Reading search spaces and walking over them. */
#include "evaluate/space.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "entry/other_name.h"
#include <math.h>
#include <string.h>

enum { MOST_VALUES = 10000, MOST_LOOKED_AT = 1000 };

static cairn_status copy_part(cairn_context *ctx, const char *text, size_t length, char **out)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    CHECK(SCRATCH(ctx, out, length + 1));
    memcpy(*out, text, length);
    return CAIRN_OK;
}

/* -- values -- */

/* low:high, low:high:step, low:high:xFACTOR; false when the text is none of these. */
static bool read_range(const char *text, cairn_space_axis *axis, double *step)
{
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!first) return false;
    size_t length = second ? (size_t)(second - first - 1) : strlen(first + 1);
    if (!cairn_number_parse(text, (size_t)(first - text), &axis->low)) return false;
    if (!cairn_number_parse(first + 1, length, &axis->high)) return false;
    *step = 1;
    axis->log = second && second[1] == 'x';
    if (second && !cairn_number_parse(second + 1 + axis->log, strlen(second + 1 + axis->log), step))
        return false;
    axis->is_range = true;
    return axis->log ? *step > 1 && axis->low > 0 : *step > 0;
}

/* Values separated by commas, or by bars for whole transforms, which hold commas themselves. */
static cairn_status list_values(cairn_context *ctx, cairn_space_axis *axis, const char *text)
{
    cairn_status status;
    char **items;
    if (axis->param) {
        TRY(cairn_list_split(ctx, text, &items, &axis->n));
        axis->values = (const char **)items;
    } else {
        size_t n = 1;
        for (const char *p = text; *p; p++) n += *p == '|';
        TRY(SCRATCH(ctx, &axis->values, n));
        while (axis->n < n) {
            char *item;
            size_t length = strcspn(text, "|");
            TRY(copy_part(ctx, text, length, &item));
            axis->values[axis->n++] = item;
            text += length + (text[length] == '|');
        }
    }
    if (axis->n == 0)
        status = cairn_fail(ctx, CAIRN_USAGE, "{over %s}: there are no values", axis->name);
done:
    return status;
}

/* -- names -- */

static const cairn_param *find_param(const cairn_entry *entry, const char *name)
{
    const cairn_param *row;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        char option[64];
        cairn_option_name(option, row->name);
        if (cairn_same(option, name) || cairn_same(row->name, name)) return row;
    }
    return NULL;
}

/* The first transform of this name in a list; NULL = there is none. */
static const cairn_params *find_transform(const cairn_params *list, const char *name)
{
    while (list && !cairn_same(list->entry->name, name)) list = list->next;
    return list;
}

/* Which entry the axis is about, and its parameter. */
static cairn_status resolve(cairn_context *ctx, cairn_space_axis *axis, const cairn_entry *learner,
                            const cairn_params *transforms)
{
    const char *dot = strchr(axis->name, '.');
    const cairn_entry *entry = learner;
    char *transform;
    if (cairn_same(axis->name, "with")) return CAIRN_OK;
    axis->param = axis->name;
    if (dot) {
        CHECK(copy_part(ctx, axis->name, (size_t)(dot - axis->name), &transform));
        const cairn_params *found = find_transform(transforms, transform);
        if (!found)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{over %s}...: there is no {with %s} whose parameter could be varied",
                              transform, transform);
        entry = found->entry;
        axis->transform = transform;
        axis->param = dot + 1;
    }
    const cairn_param *row = find_param(entry, axis->param);
    const char *other = row ? NULL : cairn_other_name(axis->param, entry).first;
    if (other) {
        char *option;
        CHECK(SCRATCH(ctx, &option, 64));
        cairn_option_name(option, other);
        cairn_note_once(ctx, "%s is called %s here", axis->param, option);
        row = find_param(entry, other);
        axis->param = option;
        if (!dot) axis->name = option;
    }
    if (!row)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{over}: %s has no parameter '%s'; 'cairn help %s' lists them",
                         entry->name, axis->param, entry->name));
    axis->whole = row->type == CAIRN_TYPE_INT || row->type == CAIRN_TYPE_INT64;
    return CAIRN_OK;
}

/* A range a:b is read as numbers only for a known number parameter; everything else is a list,
 * in which each value may be a word. */
static cairn_status parse_axis(cairn_context *ctx, cairn_space_axis *axis, const char *line,
                               const cairn_entry *learner, const cairn_params *transforms)
{
    const char *equals = strchr(line, '=');
    char *name;
    double step;
    if (!equals || equals == line)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{over '%s'}: write a parameter and its values, such as "
                          "max-depth=1,2,4 or max-depth=1:10",
                          line);
    CHECK(copy_part(ctx, line, (size_t)(equals - line), &name));
    axis->name = name;
    CHECK(resolve(ctx, axis, learner, transforms));
    if (axis->param && read_range(equals + 1, axis, &step)) {
        /* Numbers of a range: a + i step, or a factor^i, up to b. */
        double count = axis->log ? cairn_log(axis->high / axis->low) / cairn_log(step)
                                 : (axis->high - axis->low) / step;
        if (!(count >= 0 && count < MOST_VALUES))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{over %s}: the range is empty or has more than %d values; write "
                              "low:high:step or low:high:xFACTOR",
                              axis->name, MOST_VALUES);
        axis->n = (size_t)floor(count + 1e-9) + 1;
        CHECK(SCRATCH(ctx, &axis->values, axis->n));
        for (size_t i = 0; i < axis->n; i++) {
            char *text;
            double value =
                axis->log ? axis->low * cairn_pow(step, (double)i) : axis->low + (double)i * step;
            CHECK(SCRATCH(ctx, &text, CAIRN_NUMBER_SIZE));
            cairn_number_format(text, axis->whole ? round(value) : value, axis->whole ? 0 : 12);
            axis->values[i] = text;
        }
    } else
        CHECK(list_values(ctx, axis, equals + 1));
    return CAIRN_OK;
}

/* -- points -- */

double cairn_space_size(const cairn_space *space)
{
    double size = 1;
    for (size_t a = 0; a < space->n; a++) size *= (double)space->axes[a].n;
    return size;
}

void cairn_space_point(const cairn_space *space, size_t i, const char **values)
{
    for (size_t a = space->n; a-- > 0;) {
        values[a] = space->axes[a].values[i % space->axes[a].n];
        i /= space->axes[a].n;
    }
}

cairn_status cairn_space_draw(cairn_context *ctx, const cairn_space *space, size_t stream,
                              const char **values)
{
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), stream);
    for (size_t a = 0; a < space->n; a++) {
        const cairn_space_axis *axis = &space->axes[a];
        double u = cairn_random_uniform(&random);
        if (!axis->is_range) {
            values[a] = axis->values[(size_t)(u * (double)axis->n)];
            continue;
        }
        char *text;
        double top = axis->whole ? axis->high + 1 : axis->high;
        double value = axis->log ? axis->low * cairn_pow(top / axis->low, u)
                                 : axis->low + u * (top - axis->low);
        if (axis->whole) value = fmin(floor(value), axis->high);
        CHECK(SCRATCH(ctx, &text, CAIRN_NUMBER_SIZE));
        cairn_number_format(text, value, axis->whole ? 0 : 6);
        values[a] = text;
    }
    return CAIRN_OK;
}

/* The settings that an axis is about, among those of a point; NULL = it is about a whole
 * transform. */
static cairn_params *varied(const cairn_space_axis *axis, const cairn_settings *at)
{
    if (!axis->param) return NULL;
    if (!axis->transform) return at->params;
    return (cairn_params *)find_transform(at->transforms, axis->transform);
}

/* Settings of a point as they are, with what does nothing there. */
static cairn_status raw_settings(cairn_context *ctx, const cairn_space *space,
                                 const char *const *values, const cairn_params *params,
                                 cairn_settings *out)
{
    SCOPED(cairn_settings_clear) cairn_settings at = {0};
    CHECK(cairn_params_copy(ctx, &at.params, params));
    CHECK(cairn_params_copy_list(ctx, &at.transforms, space->transforms));
    for (size_t a = 0; a < space->n; a++) {
        const cairn_space_axis *axis = &space->axes[a];
        if (!values[a]) continue;
        if (axis->param)
            CHECK(cairn_params_set(ctx, varied(axis, &at), axis->param, values[a]));
        else if (!cairn_same(values[a], "none"))
            CHECK(cairn_params_append_specs(ctx, &at.transforms, CAIRN_ENTRY_TRANSFORM,
                                            (const char *const[]){values[a], NULL}));
    }
    *out = at;
    at = (cairn_settings){0};
    return CAIRN_OK;
}

cairn_status cairn_space_settings(cairn_context *ctx, const cairn_space *space,
                                  const char *const *values, const cairn_params *params,
                                  cairn_settings *out)
{
    SCOPED(cairn_settings_clear) cairn_settings at = {0};
    CHECK(raw_settings(ctx, space, values, params, &at));
    CHECK(cairn_params_drop_idle(ctx, at.params));
    for (size_t a = 0; a < space->n; a++)
        if (space->axes[a].transform)
            CHECK(cairn_params_drop_idle(ctx, varied(&space->axes[a], &at)));
    *out = at;
    at = (cairn_settings){0};
    return CAIRN_OK;
}

/* Whether the value of an axis counts in the settings of a point. */
static bool axis_counts(const cairn_space_axis *axis, const cairn_settings *at)
{
    return !axis->param || cairn_params_is_set(varied(axis, at), axis->param);
}

cairn_status cairn_space_trim(cairn_context *ctx, const cairn_space *space,
                              const cairn_params *params, const char **values)
{
    SCOPED(cairn_settings_clear) cairn_settings at = {0};
    CHECK(cairn_space_settings(ctx, space, values, params, &at));
    for (size_t a = 0; a < space->n; a++)
        if (!axis_counts(&space->axes[a], &at)) values[a] = NULL;
    return CAIRN_OK;
}

/* Mark the axes and the rows of `params` that count at a point. */
static cairn_status note_counting(cairn_context *ctx, const cairn_space *space,
                                  const cairn_params *params, const char *const *values,
                                  bool *counts, bool *set)
{
    SCOPED(cairn_settings_clear) cairn_settings at = {0};
    CHECK(cairn_space_settings(ctx, space, values, params, &at));
    for (size_t a = 0; a < space->n; a++) counts[a] |= axis_counts(&space->axes[a], &at);
    for (size_t r = 0; r < params->n_rows; r++) set[r] |= at.params->texts[r] != NULL;
    return CAIRN_OK;
}

/* The message about what does nothing at a point. */
static cairn_status refuse_point(cairn_context *ctx, const cairn_space *space,
                                 const cairn_params *params, const char *const *values)
{
    SCOPED(cairn_settings_clear) cairn_settings at = {0};
    CHECK(raw_settings(ctx, space, values, params, &at));
    CHECK(cairn_params_refuse_idle(ctx, at.params));
    for (const cairn_params *t = at.transforms; t; t = t->next)
        CHECK(cairn_params_refuse_idle(ctx, t));
    return CAIRN_OK;
}

/* -- the whole space -- */

/* Every value is tried, one after the other in the same settings, so that a wrong one is found
 * before data is read. */
static cairn_status check_values(cairn_context *ctx, const cairn_space *space,
                                 const cairn_params *given)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    SCOPED(cairn_settings_clear) cairn_settings settings = {0};
    const char **values;
    CHECK(cairn_params_for(ctx, &params, given->entry));
    CHECK(SCRATCH(ctx, &values, space->n));
    cairn_space_point(space, 0, values);
    CHECK(raw_settings(ctx, space, values, params, &settings));
    for (size_t a = 0; a < space->n; a++)
        for (size_t v = 1; v < space->axes[a].n; v++) {
            /* A value is one that its parameter or list of transforms takes. */
            const cairn_space_axis *axis = &space->axes[a];
            const char *value = space->axes[a].values[v];
            OWNED(cairn_params_free) cairn_params *transforms = NULL;
            if (axis->param)
                CHECK(cairn_params_set(ctx, varied(axis, &settings), axis->param, value));
            else if (!cairn_same(value, "none")) {
                CHECK(cairn_params_append_specs(ctx, &transforms, CAIRN_ENTRY_TRANSFORM,
                                                (const char *const[]){value, NULL}));
            }
        }
    return CAIRN_OK;
}

/* What is varied or set and counts at no point is refused like an option that does nothing. */
static cairn_status check_counting(cairn_context *ctx, const cairn_space *space,
                                   const cairn_params *params)
{
    const char **values;
    bool *counts, *set, all = false;
    if (cairn_space_size(space) > MOST_LOOKED_AT) return CAIRN_OK;
    size_t n = (size_t)cairn_space_size(space);
    CHECK(SCRATCH_EACH(ctx, space->n, &values, &counts));
    CHECK(SCRATCH(ctx, &set, params->n_rows));
    for (size_t i = 0; i < n && !all; i++) {
        cairn_space_point(space, i, values);
        CHECK(note_counting(ctx, space, params, values, counts, set));
        all = true;
        for (size_t a = 0; a < space->n; a++) all &= counts[a];
        for (size_t r = 0; r < params->n_rows; r++) all &= set[r] || !params->texts[r];
    }
    cairn_space_point(space, 0, values);
    return all ? CAIRN_OK : refuse_point(ctx, space, params, values);
}

/* An axis for each line. */
static cairn_status read_axes(cairn_context *ctx, cairn_space *out, const char *over,
                              const cairn_entry *learner, const cairn_params *transforms)
{
    size_t n = 1;
    for (const char *p = over; *p; p++) n += *p == '\n';
    *out = (cairn_space){.transforms = transforms};
    CHECK(SCRATCH(ctx, &out->axes, n));
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(over, "\n");
        char *line;
        CHECK(copy_part(ctx, over, length, &line));
        CHECK(parse_axis(ctx, &out->axes[out->n++], line, learner, transforms));
        over += length + (over[length] == '\n');
    }
    return CAIRN_OK;
}

cairn_status cairn_space_parse(cairn_context *ctx, cairn_space *out, const char *over,
                               const cairn_params *params, const cairn_params *transforms)
{
    CHECK(read_axes(ctx, out, over, params->entry, transforms));
    CHECK(check_values(ctx, out, params));
    return check_counting(ctx, out, params);
}

/* The lines of a declared space whose axes are wanted. */
static cairn_status wanted_lines(cairn_context *ctx, const char *declared, const bool *wanted,
                                 const char **out)
{
    SCOPED(cairn_text_clear) cairn_text lines = cairn_text_start(ctx);
    char *copy;
    for (size_t a = 0; *declared; a++) {
        size_t length = strcspn(declared, "\n");
        if (wanted[a])
            cairn_text_addf(&lines, "%s%.*s", lines.length ? "\n" : "", (int)length, declared);
        declared += length + (declared[length] == '\n');
    }
    CHECK(cairn_text_status(&lines));
    CHECK(copy_part(ctx, cairn_text_string(&lines), lines.length, &copy));
    *out = copy;
    return CAIRN_OK;
}

cairn_status cairn_space_usual(cairn_context *ctx, cairn_space *out, const char **over,
                               const cairn_params *params, const cairn_params *transforms)
{
    const char *declared = ((const cairn_learner *)params->entry)->space;
    const char *name = params->entry->name, **values;
    cairn_space all;
    bool *counts, *set;
    size_t left = 0;
    if (!declared)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "%s has no parameter that is worth a search by itself; {over NAME=VALUES} "
            "says what is varied ('cairn help %s' lists what there is)",
            name, name);
    CHECK(read_axes(ctx, &all, declared, params->entry, transforms));
    CHECK(SCRATCH_EACH(ctx, all.n, &values, &counts));
    CHECK(SCRATCH(ctx, &set, params->n_rows + 1));
    for (size_t i = 0; i < (size_t)cairn_space_size(&all); i++) {
        cairn_space_point(&all, i, values);
        for (size_t a = 0; a < all.n; a++)
            if (cairn_params_is_set(params, all.axes[a].param)) values[a] = NULL;
        CHECK(note_counting(ctx, &all, params, values, counts, set));
    }
    for (size_t a = 0; a < all.n; a++) {
        counts[a] &= !cairn_params_is_set(params, all.axes[a].param);
        left += counts[a];
    }
    if (!left)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "all that %s would be searched over is set, or does nothing with what is "
                          "set; {over NAME=VALUES} says what else is varied",
                          name);
    CHECK(wanted_lines(ctx, declared, counts, over));
    return cairn_space_parse(ctx, out, *over, params, transforms);
}

cairn_status cairn_space_label(cairn_context *ctx, const cairn_space *space,
                               const char *const *values, const char **out)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char *label;
    for (size_t a = 0; a < space->n; a++)
        if (values[a])
            cairn_text_addf(&text, "%s%s=%s", text.length ? ", " : "", space->axes[a].name,
                            values[a]);
    CHECK(cairn_text_status(&text));
    CHECK(copy_part(ctx, cairn_text_string(&text), text.length, &label));
    *out = label;
    return CAIRN_OK;
}
