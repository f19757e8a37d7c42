/* SPDX-License-Identifier: MIT */
/* Tables as arrays of the Arrow C data interface.
 *
 * Every array holds the column whose buffers it shares; made for it alone are validity bits,
 * converted times and names. What Arrow has no word for stands in notes beside the schema
 * (arrow_notes.h), so that nothing is lost on the way back. */
#include "base/call.h"
#include "base/memory.h"
#include "data/arrow.h"
#include "data/arrow_nodes.h"
#include "data/arrow_notes.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

/* -- schemas -- */

bool cairn_arrow_is_dates(const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++) {
        double days = column->numbers[i] / 86400;
        if (days == days && (days != floor(days) || fabs(days) > INT32_MAX)) return false;
    }
    return true;
}

/* Lists have offsets of 64 bits, as columns have; a bag with amounts is a map of its items. */
static const char *column_format(const cairn_column *column)
{
    switch (column->kind) {
    case CAIRN_NUMBER: return "g";
    case CAIRN_LEVEL: return "i";
    case CAIRN_TEXT: return "U";
    case CAIRN_TIME: return cairn_arrow_is_dates(column) ? "tdD" : "tsu:UTC";
    case CAIRN_BAG: return column->amounts ? "+m" : "+L";
    case CAIRN_SEQUENCE:
    case CAIRN_SERIES: return "+L";
    default: return NULL;
    }
}

/* Codes of a dictionary of texts. */
static cairn_status code_schema(cairn_context *ctx, struct ArrowSchema *schema, bool ordered)
{
    schema->flags = ARROW_FLAG_NULLABLE | (ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0);
    return cairn_arrow_schema_dictionary(ctx, schema, "u");
}

static cairn_status column_schema(cairn_context *ctx, struct ArrowSchema *parent, size_t j,
                                  const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    const char *format = column_format(column);
    CHECK(cairn_arrow_schema_child(ctx, parent, j, format, slot->name, format[0] == '+'));
    struct ArrowSchema *schema = parent->children[j];
    schema->flags = ARROW_FLAG_NULLABLE;
    if (column->kind == CAIRN_LEVEL) CHECK(code_schema(ctx, schema, column->ordered));
    if (column->kind == CAIRN_SERIES) {
        CHECK(cairn_arrow_schema_child(ctx, schema, 0, "g", "item", 0));
        schema->children[0]->flags = ARROW_FLAG_NULLABLE;
    } else if (cairn_same(format, "+L")) {
        CHECK(cairn_arrow_schema_child(ctx, schema, 0, "i", "item", 0));
        CHECK(code_schema(ctx, schema->children[0], false));
    } else if (cairn_same(format, "+m")) {
        CHECK(cairn_arrow_schema_child(ctx, schema, 0, "+s", "entries", 2));
        CHECK(cairn_arrow_schema_child(ctx, schema->children[0], 0, "i", "key", 0));
        CHECK(code_schema(ctx, schema->children[0]->children[0], false));
        schema->children[0]->children[0]->flags = 0;
        CHECK(cairn_arrow_schema_child(ctx, schema->children[0], 1, "g", "value", 0));
    }
    return cairn_arrow_write_notes(ctx, schema, slot);
}

static cairn_status table_schema(cairn_context *ctx, struct ArrowSchema *out,
                                 const cairn_table *table)
{
    CHECK(cairn_arrow_schema(ctx, out, "+s", "", table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++)
        CHECK(column_schema(ctx, out, j, &table->slots[j]));
    return CAIRN_OK;
}

/* -- arrays -- */

static void drop_column(void *column)
{
    cairn_column_drop(column);
}

/* The names of levels or items as an array of text. */
static cairn_status make_names(cairn_context *ctx, struct ArrowArray *array, const char *column,
                               const cairn_map *names)
{
    int32_t *starts;
    char *bytes;
    size_t total = 0;
    CHECK(cairn_arrow_array_dictionary(ctx, array, names->n, 3));
    for (size_t i = 0; i < names->n; i++) total += names->lengths[i];
    if (total > INT32_MAX)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (level): its names take more than 2 GB, which an Arrow "
                          "dictionary cannot hold; change its kind to text",
                          column);
    CHECK(cairn_arrow_own(ctx, array->dictionary, 1, (names->n + 1) * sizeof *starts, &starts));
    CHECK(cairn_arrow_own(ctx, array->dictionary, 2, total + 1, &bytes));
    for (size_t i = 0; i < names->n; i++) {
        memcpy(bytes + starts[i], cairn_map_key(names, i), names->lengths[i]);
        starts[i + 1] = starts[i] + (int32_t)names->lengths[i];
    }
    return CAIRN_OK;
}

/* Seconds as days, or as whole microseconds. */
static cairn_status make_times(cairn_context *ctx, struct ArrowArray *array,
                               const cairn_column *column)
{
    int32_t *days;
    int64_t *times;
    if (cairn_arrow_is_dates(column)) {
        CHECK(cairn_arrow_own(ctx, array, 1, column->n_rows * sizeof *days, &days));
        for (size_t i = 0; i < column->n_rows; i++)
            if (!isnan(column->numbers[i])) days[i] = (int32_t)(column->numbers[i] / 86400);
        return CAIRN_OK;
    }
    CHECK(cairn_arrow_own(ctx, array, 1, column->n_rows * sizeof *times, &times));
    for (size_t i = 0; i < column->n_rows; i++) {
        double micro = round(column->numbers[i] * 1e6);
        if (micro >= -9.2e18 && micro <= 9.2e18) times[i] = (int64_t)micro;
    }
    return CAIRN_OK;
}

/* One bit per row, set where there is a value. */
static cairn_status make_validity(cairn_context *ctx, struct ArrowArray *array, size_t n,
                                  bool (*is_missing)(const cairn_column *column, size_t i),
                                  const cairn_column *column)
{
    uint8_t *bits;
    CHECK(cairn_arrow_own(ctx, array, 0, n / 8 + 1, &bits));
    for (size_t i = 0; i < n; i++)
        if (!is_missing(column, i)) bits[i / 8] |= (uint8_t)(1u << i % 8);
    return CAIRN_OK;
}

static bool item_is_missing(const cairn_column *column, size_t i)
{
    return column->items ? column->items[i] < 0 : isnan(column->amounts[i]);
}

/* Items by their codes, of `parent`'s child i. */
static cairn_status make_items(cairn_context *ctx, struct ArrowArray *parent, size_t i,
                               cairn_column *column, const char *name, size_t n)
{
    CHECK(cairn_arrow_array_child(ctx, parent, i, n, 2, 0));
    struct ArrowArray *items = parent->children[i];
    cairn_arrow_lend(items, drop_column, cairn_column_hold(column));
    cairn_arrow_buffer(items, 1, column->items ? (const void *)column->items : column->amounts);
    for (size_t k = 0; k < n; k++) items->null_count += item_is_missing(column, k);
    if (items->null_count) CHECK(make_validity(ctx, items, n, item_is_missing, column));
    return column->items ? make_names(ctx, items, name, &column->names) : CAIRN_OK;
}

/* What a cell of several things holds, below the offsets of the cells. */
static cairn_status make_lists(cairn_context *ctx, struct ArrowArray *array, cairn_column *column,
                               const char *name)
{
    size_t n = column->starts[column->n_rows];
    if (column->kind != CAIRN_BAG || !column->amounts)
        return make_items(ctx, array, 0, column, name, n);
    CHECK(cairn_arrow_array_child(ctx, array, 0, n, 1, 2));
    struct ArrowArray *entries = array->children[0];
    CHECK(make_items(ctx, entries, 0, column, name, n));
    CHECK(cairn_arrow_array_child(ctx, entries, 1, n, 2, 0));
    cairn_arrow_lend(entries->children[1], drop_column, cairn_column_hold(column));
    cairn_arrow_buffer(entries->children[1], 1, column->amounts);
    return CAIRN_OK;
}

/* Offsets of 64 bits as they are; maps have offsets of 32 bits only. */
static cairn_status make_offsets(cairn_context *ctx, struct ArrowArray *array,
                                 const cairn_column *column, const char *name)
{
    int32_t *small;
    _Static_assert(sizeof *column->starts == sizeof(int64_t), "offsets are shared as they are");
    cairn_arrow_buffer(array, 1, column->starts);
    if (column->kind != CAIRN_BAG || !column->amounts) return CAIRN_OK;
    if (column->starts[column->n_rows] > INT32_MAX)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (bag): more than 2147483647 items with amounts, which an "
                          "Arrow map cannot hold; write fewer rows",
                          name);
    CHECK(cairn_arrow_own(ctx, array, 1, (column->n_rows + 1) * sizeof *small, &small));
    for (size_t i = 0; i <= column->n_rows; i++) small[i] = (int32_t)column->starts[i];
    return CAIRN_OK;
}

/* Buffers of the column are handed out as they are and the array holds the column. */
static cairn_status column_array(cairn_context *ctx, struct ArrowArray *parent, size_t j,
                                 const cairn_slot *slot)
{
    cairn_column *column = slot->column;
    bool is_text = column->kind == CAIRN_TEXT,
         is_many = cairn_kind_is_many(column->kind) && !is_text;
    CHECK(cairn_arrow_array_child(ctx, parent, j, column->n_rows, is_text ? 3 : 2, is_many));
    struct ArrowArray *array = parent->children[j];
    cairn_arrow_lend(array, drop_column, cairn_column_hold(column));
    array->null_count = (int64_t)column->n_missing;
    if (column->n_missing)
        CHECK(make_validity(ctx, array, column->n_rows, cairn_column_is_missing, column));
    switch (column->kind) {
    case CAIRN_NUMBER: cairn_arrow_buffer(array, 1, column->numbers); return CAIRN_OK;
    case CAIRN_TIME: return make_times(ctx, array, column);
    case CAIRN_LEVEL:
        cairn_arrow_buffer(array, 1, column->codes);
        return make_names(ctx, array, slot->name, &column->names);
    case CAIRN_TEXT:
        cairn_arrow_buffer(array, 1, column->starts);
        cairn_arrow_buffer(array, 2, column->bytes ? column->bytes : "");
        return CAIRN_OK;
    default:
        CHECK(make_offsets(ctx, array, column, slot->name));
        return make_lists(ctx, array, column, slot->name);
    }
}

static cairn_status table_array(cairn_context *ctx, struct ArrowArray *out,
                                const cairn_table *table)
{
    CHECK(cairn_arrow_array(ctx, out, table->n_rows, 1, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++)
        CHECK(column_array(ctx, out, j, &table->slots[j]));
    return CAIRN_OK;
}

cairn_status cairn_table_to_arrow(cairn_context *ctx, const cairn_table *table,
                                  struct ArrowSchema *schema, struct ArrowArray *array)
{
    PUBLIC_CALL(ctx);
    cairn_status status;
    struct ArrowSchema made_schema = {0};
    struct ArrowArray made_array = {0};
    TRY(table_schema(ctx, &made_schema, table));
    TRY(table_array(ctx, &made_array, table));
    *schema = made_schema;
    *array = made_array;
    return CAIRN_OK;
done:
    cairn_arrow_schema_drop(&made_schema);
    cairn_arrow_array_drop(&made_array);
    return status;
}
