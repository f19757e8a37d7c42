/* SPDX-License-Identifier: MIT */
/* One class against the rest, and several labels in one cell: see target_labels.h. */
#include "data/target_labels.h"
#include "base/text.h"
#include "data/column.h"
#include <string.h>

enum { MOST_LABELS = 10000 };

/* -- one class against the rest -- */

static const char *level_candidate(size_t i, const void *data)
{
    const cairn_map *names = data;
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

static cairn_status refuse_level(cairn_context *ctx, const cairn_table *table, const char *column,
                                 const cairn_map *names, const char *level)
{
    const char *near = cairn_nearest_word(level, level_candidate, names);
    cairn_text list = cairn_text_start(ctx);
    cairn_add_names(&list, names);
    cairn_status status = cairn_text_status(&list);
    if (status == CAIRN_OK)
        status = cairn_fail(
            ctx, CAIRN_USAGE, "{against-rest}: '%s' of %s never has the value '%s'; %s%s%s", column,
            table->source ? table->source : "the table", level, near ? "did you mean '" : "it has ",
            near ? near : cairn_text_string(&list), near ? "'?" : "");
    cairn_text_clear(&list);
    return status;
}

cairn_status cairn_table_against_rest(cairn_context *ctx, cairn_table *table, size_t column,
                                      const char *level, bool part)
{
    const cairn_slot *slot = &table->slots[column];
    cairn_kind kind = slot->column->kind;
    OWNED(cairn_column_drop) cairn_column *levels = NULL;
    OWNED(cairn_column_drop) cairn_column *two = NULL;
    size_t code;
    if (strcmp(level, CAIRN_OTHERS) == 0)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{against-rest} needs a value of '%s'; %s is what the rest is called",
                         slot->name, CAIRN_OTHERS));
    if (kind != CAIRN_LEVEL && kind != CAIRN_NUMBER && kind != CAIRN_TEXT)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{against-rest}: '%s' holds %s, not classes; choose another {target}",
                         slot->name, cairn_kind_name(kind)));
    if (kind == CAIRN_LEVEL)
        levels = cairn_column_hold(slot->column);
    else
        CHECK(cairn_column_convert(ctx, &levels, slot->column, CAIRN_LEVEL, slot->name,
                                   table->source, NULL, NULL));
    int64_t wanted = cairn_map_find(&levels->names, level, strlen(level));
    if (wanted < 0 && !part) CHECK(refuse_level(ctx, table, slot->name, &levels->names, level));
    CHECK(cairn_column_new(ctx, &two, CAIRN_LEVEL, levels->n_rows));
    CHECK(cairn_map_add(ctx, &two->names, level, strlen(level), &code));
    CHECK(cairn_map_add(ctx, &two->names, CAIRN_OTHERS, strlen(CAIRN_OTHERS), &code));
    for (size_t i = 0; i < levels->n_rows; i++)
        two->codes[i] = levels->codes[i] < 0 ? -1 : levels->codes[i] != (int32_t)wanted;
    two->declared = true;
    cairn_column_count_missing(two);
    cairn_table_replace_column(table, column, two);
    two = NULL;
    return CAIRN_OK;
}

/* -- several labels in one cell -- */

/* The labels of all rows: items starts[i] .. starts[i+1]-1 of row i. */
typedef struct label_lists {
    cairn_map names;
    cairn_unknown_labels *unknown; /* not NULL: names are the known ones, and no others are added */
    size_t row;                    /* being read */
    size_t *starts;                /* n_rows + 1; scratch */
    int32_t *items;
    size_t n, capacity;
} label_lists;

static cairn_status add_label(cairn_context *ctx, label_lists *lists, const char *label,
                              size_t length)
{
    size_t code;
    int64_t found = cairn_map_find(&lists->names, label, length);
    if (found < 0 && lists->unknown) {
        lists->unknown->n++;
        lists->unknown->rows[lists->row] = true;
        return CAIRN_OK;
    }
    if (found < 0) {
        CHECK(cairn_map_add(ctx, &lists->names, label, length, &code));
        found = (int64_t)code;
    }
    CHECK(GROW(ctx, &lists->items, &lists->capacity, lists->n + 1));
    lists->items[lists->n++] = (int32_t)found;
    return CAIRN_OK;
}

/* Cut one cell at the mark. */
static cairn_status cut_cell(cairn_context *ctx, label_lists *lists, const char *cell,
                             size_t length, const char *mark)
{
    size_t step = strlen(mark);
    const char *end = cell + length;
    for (const char *from = cell; from <= end;) {
        const char *stop = memmem(from, (size_t)(end - from), mark, step);
        const char *next = stop ? stop + step : end + 1, *last = stop ? stop : end;
        while (from < last && *from == ' ') from++;
        while (last > from && last[-1] == ' ') last--;
        if (last > from) CHECK(add_label(ctx, lists, from, (size_t)(last - from)));
        from = next;
    }
    return CAIRN_OK;
}

static cairn_status read_bag(cairn_context *ctx, label_lists *lists, const cairn_column *bag)
{
    for (size_t i = 0; i < bag->n_rows; i++) {
        lists->starts[lists->row = i] = lists->n;
        for (size_t k = bag->starts[i]; k < bag->starts[i + 1]; k++) {
            size_t item = (size_t)bag->items[k];
            if (bag->amounts && !(bag->amounts[k] > 0)) continue;
            CHECK(
                add_label(ctx, lists, cairn_map_key(&bag->names, item), bag->names.lengths[item]));
        }
    }
    lists->starts[bag->n_rows] = lists->n;
    return CAIRN_OK;
}

static cairn_status read_cells(cairn_context *ctx, label_lists *lists, const cairn_column *column,
                               const char *name, const char *source, const char *mark)
{
    OWNED(cairn_column_drop) cairn_column *text = NULL;
    if (column->kind == CAIRN_TEXT)
        text = cairn_column_hold((cairn_column *)column);
    else
        CHECK(cairn_column_convert(ctx, &text, column, CAIRN_TEXT, name, source, NULL, NULL));
    for (size_t i = 0; i < text->n_rows; i++) {
        lists->starts[lists->row = i] = lists->n;
        if (cairn_column_is_missing(text, i)) continue;
        CHECK(cut_cell(ctx, lists, text->bytes + text->starts[i],
                       text->starts[i + 1] - text->starts[i], mark));
    }
    lists->starts[text->n_rows] = lists->n;
    return CAIRN_OK;
}

/* A column of no for every label, missing where the cell is. */
static cairn_status add_targets(cairn_context *ctx, cairn_table *table, const char *target,
                                const cairn_column *cells, const cairn_map *names)
{
    static const char *const answers[] = {"no", "yes"};
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t code;
    for (size_t k = 0; k < names->n; k++) {
        CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, cells->n_rows));
        for (size_t a = 0; a < 2; a++)
            CHECK(cairn_map_add(ctx, &column->names, answers[a], strlen(answers[a]), &code));
        column->declared = true;
        for (size_t i = 0; i < cells->n_rows; i++)
            column->codes[i] = cairn_column_is_missing(cells, i) ? -1 : 0;
        cairn_column_count_missing(column);
        cairn_text_clear(&name);
        name = cairn_text_start(ctx);
        cairn_text_addf(&name, "%s=%s", target, cairn_map_key(names, k));
        CHECK(cairn_text_status(&name));
        cairn_column *added = column;
        column = NULL;
        CHECK(cairn_table_add_column(ctx, table, cairn_text_string(&name), CAIRN_TARGET, added));
    }
    return CAIRN_OK;
}

static cairn_status check_labels(cairn_context *ctx, const cairn_table *table, const char *column,
                                 const cairn_map *names)
{
    const char *source = table->source ? table->source : "the table";
    if (names->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, column '%s': no row has a label", source,
                          column);
    if (names->n > MOST_LABELS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, column '%s' has %zu labels, more than %d: every one would get a "
                          "model of its own; leave out the rare ones",
                          source, column, names->n, (int)MOST_LABELS);
    return CAIRN_OK;
}

cairn_status cairn_labels_split(cairn_context *ctx, cairn_table *table, size_t column,
                                const char *mark, const cairn_map *known,
                                cairn_unknown_labels *unknown)
{
    cairn_status status;
    label_lists lists = {.unknown = unknown};
    cairn_column *cells = cairn_column_hold(table->slots[column].column);
    const char *name = table->slots[column].name;
    size_t first = table->n_columns;
    if (cells->kind != CAIRN_BAG && (!mark || !*mark))
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "{label-mark} must name what stands between labels, such as ';'"));
    if (known) {
        TRY(cairn_map_copy(ctx, &lists.names, known));
        *unknown = (cairn_unknown_labels){0};
        TRY(SCRATCH(ctx, &unknown->rows, table->n_rows + 1));
    }
    TRY(SCRATCH(ctx, &lists.starts, table->n_rows + 1));
    if (cells->kind == CAIRN_BAG)
        TRY(read_bag(ctx, &lists, cells));
    else
        TRY(read_cells(ctx, &lists, cells, name, table->source, mark));
    TRY(check_labels(ctx, table, name, &lists.names));
    TRY(add_targets(ctx, table, name, cells, &lists.names));
    table->slots[column].role = CAIRN_IGNORED;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t k = lists.starts[i]; k < lists.starts[i + 1]; k++)
            table->slots[first + (size_t)lists.items[k]].column->codes[i] = 1;
done:
    cairn_map_clear(&lists.names);
    cairn_free(lists.items);
    cairn_column_drop(cells);
    return status;
}

const char *cairn_label_name(const char *target, const char *column)
{
    size_t length = strlen(column);
    bool made = strncmp(target, column, length) == 0 && target[length] == '=';
    return made ? target + length + 1 : target;
}
