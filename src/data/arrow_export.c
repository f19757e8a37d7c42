/* SPDX-License-Identifier: MIT */
/* Tables as arrays of the Arrow C data interface.
 *
 * Every array node holds the column whose buffers it shares and frees what was made for it alone
 * (validity bits, converted times, names of levels). A parent releases the children that nobody
 * moved away. */
#include "base/call.h"
#include "base/memory.h"
#include "cairn/arrow.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

enum { MOST_BUFFERS = 3 };

/* -- schemas -- */

typedef struct schema_data {
    char *name;
    struct ArrowSchema **children;
} schema_data;

static void release_schema(struct ArrowSchema *schema)
{
    schema_data *data = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = data->children[i];
        if (child && child->release) child->release(child);
        cairn_free(child);
    }
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    cairn_free(schema->dictionary);
    cairn_free(data->children);
    cairn_free(data->name);
    cairn_free(data);
    schema->release = NULL;
}

/* From here on the schema can be released. */
static cairn_status begin_schema(cairn_context *ctx, struct ArrowSchema *out, const char *format,
                                 const char *name, size_t n_children)
{
    cairn_status status;
    schema_data *data = NULL;
    *out = (struct ArrowSchema){0};
    TRY(NEW(ctx, &data, 1));
    TRY(cairn_copy_text(ctx, &data->name, name, strlen(name)));
    TRY(NEW(ctx, &data->children, n_children));
    *out = (struct ArrowSchema){.format = format,
                                .name = data->name,
                                .n_children = (int64_t)n_children,
                                .children = data->children,
                                .release = release_schema,
                                .private_data = data};
    return CAIRN_OK;
done:
    if (data) cairn_free(data->name);
    cairn_free(data);
    return status;
}

/* Whether all times are midnight: then days say it all. */
static bool is_dates(const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++) {
        double days = column->numbers[i] / 86400;
        if (days == days && (days != floor(days) || fabs(days) > INT32_MAX)) return false;
    }
    return true;
}

static const char *column_format(const cairn_column *column)
{
    switch (column->kind) {
    case CAIRN_NUMBER: return "g";
    case CAIRN_LEVEL: return "i";
    case CAIRN_TEXT: return "U";
    case CAIRN_TIME: return is_dates(column) ? "tdD" : "tsu:UTC";
    default: return NULL;
    }
}

static cairn_status column_schema(cairn_context *ctx, struct ArrowSchema *out,
                                  const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    CHECK(begin_schema(ctx, out, column_format(column), slot->name, 0));
    out->flags = ARROW_FLAG_NULLABLE;
    if (column->kind != CAIRN_LEVEL) return CAIRN_OK;
    if (column->ordered) out->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    CHECK(NEW(ctx, &out->dictionary, 1));
    return begin_schema(ctx, out->dictionary, "u", "", 0);
}

static cairn_status table_schema(cairn_context *ctx, struct ArrowSchema *out,
                                 const cairn_table *table)
{
    CHECK(begin_schema(ctx, out, "+s", "", table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) {
        CHECK(NEW(ctx, &out->children[j], 1));
        CHECK(column_schema(ctx, out->children[j], &table->slots[j]));
    }
    return CAIRN_OK;
}

/* -- arrays -- */

typedef struct array_data {
    cairn_column *column; /* whose buffers are shared; NULL when none are */
    const void *buffers[MOST_BUFFERS];
    void *made[MOST_BUFFERS]; /* buffers that belong to the array */
    struct ArrowArray **children;
} array_data;

static void release_array(struct ArrowArray *array)
{
    array_data *data = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = data->children[i];
        if (child && child->release) child->release(child);
        cairn_free(child);
    }
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    cairn_free(array->dictionary);
    cairn_column_drop(data->column);
    for (size_t i = 0; i < MOST_BUFFERS; i++) cairn_free(data->made[i]);
    cairn_free(data->children);
    cairn_free(data);
    array->release = NULL;
}

/* From here on the array can be released, even half filled: what fails later leaves the cleaning to
 * the release callback. */
static cairn_status begin_array(cairn_context *ctx, struct ArrowArray *out, size_t length,
                                size_t n_buffers, size_t n_children)
{
    cairn_status status;
    array_data *data = NULL;
    *out = (struct ArrowArray){0};
    TRY(NEW(ctx, &data, 1));
    TRY(NEW(ctx, &data->children, n_children));
    *out = (struct ArrowArray){.length = (int64_t)length,
                               .n_buffers = (int64_t)n_buffers,
                               .n_children = (int64_t)n_children,
                               .buffers = data->buffers,
                               .children = data->children,
                               .release = release_array,
                               .private_data = data};
    return CAIRN_OK;
done:
    cairn_free(data);
    return status;
}

/* The names of levels as an array of text. */
static cairn_status make_names(cairn_context *ctx, struct ArrowArray *out, const char *column,
                               const cairn_map *names)
{
    int32_t *starts;
    char *bytes;
    size_t total = 0;
    CHECK(begin_array(ctx, out, names->n, 3, 0));
    array_data *data = out->private_data;
    for (size_t i = 0; i < names->n; i++) total += names->lengths[i];
    if (total > INT32_MAX)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (level): its names take more than 2 GB, which an Arrow "
                          "dictionary cannot hold; change its kind to text",
                          column);
    CHECK(NEW(ctx, &starts, names->n + 1));
    data->buffers[1] = data->made[1] = starts;
    CHECK(NEW(ctx, &bytes, total + 1));
    data->buffers[2] = data->made[2] = bytes;
    for (size_t i = 0; i < names->n; i++) {
        memcpy(bytes + starts[i], cairn_map_key(names, i), names->lengths[i]);
        starts[i + 1] = starts[i] + (int32_t)names->lengths[i];
    }
    return CAIRN_OK;
}

/* Seconds as days. */
static cairn_status make_dates(cairn_context *ctx, array_data *data, const cairn_column *column)
{
    int32_t *days;
    cairn_status status = NEW(ctx, &days, column->n_rows);
    if (status) return status;
    for (size_t i = 0; i < column->n_rows; i++)
        if (!isnan(column->numbers[i])) days[i] = (int32_t)(column->numbers[i] / 86400);
    data->buffers[1] = data->made[1] = days;
    return CAIRN_OK;
}

/* Seconds as whole microseconds. */
static cairn_status make_times(cairn_context *ctx, array_data *data, const cairn_column *column)
{
    int64_t *times;
    cairn_status status;
    if (is_dates(column)) return make_dates(ctx, data, column);
    status = NEW(ctx, &times, column->n_rows);
    if (status) return status;
    for (size_t i = 0; i < column->n_rows; i++) {
        double micro = round(column->numbers[i] * 1e6);
        if (micro >= -9.2e18 && micro <= 9.2e18) times[i] = (int64_t)micro;
    }
    data->buffers[1] = data->made[1] = times;
    return CAIRN_OK;
}

/* Buffers of the column are handed out as they are and the array holds the column; only validity
 * bits, times and the names of levels are made anew. */
static cairn_status column_array(cairn_context *ctx, struct ArrowArray *out, const cairn_slot *slot)
{
    cairn_column *column = slot->column;
    bool is_text = column->kind == CAIRN_TEXT;
    CHECK(begin_array(ctx, out, column->n_rows, is_text ? 3 : 2, 0));
    array_data *data = out->private_data;
    data->column = cairn_column_hold(column);
    /* One bit per row, set where there is a value; none at all when every row has one. */
    uint8_t *bits;
    out->null_count = (int64_t)column->n_missing;
    if (column->n_missing) {
        cairn_status status = NEW(ctx, &bits, column->n_rows / 8 + 1);
        if (status) return status;
        for (size_t i = 0; i < column->n_rows; i++)
            if (!cairn_column_is_missing(column, i)) bits[i / 8] |= (uint8_t)(1u << i % 8);
        data->buffers[0] = data->made[0] = bits;
    }
    if (column->kind == CAIRN_NUMBER) {
        data->buffers[1] = column->numbers;
    } else if (column->kind == CAIRN_TIME) {
        CHECK(make_times(ctx, data, column));
    } else if (is_text) {
        _Static_assert(sizeof *column->starts == sizeof(int64_t), "offsets are shared as they are");
        data->buffers[1] = column->starts;
        data->buffers[2] = column->bytes ? column->bytes : "";
    } else {
        data->buffers[1] = column->codes;
        CHECK(NEW(ctx, &out->dictionary, 1));
        CHECK(make_names(ctx, out->dictionary, slot->name, &column->names));
    }
    return CAIRN_OK;
}

static cairn_status table_array(cairn_context *ctx, struct ArrowArray *out,
                                const cairn_table *table)
{
    CHECK(begin_array(ctx, out, table->n_rows, 1, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) {
        CHECK(NEW(ctx, &out->children[j], 1));
        CHECK(column_array(ctx, out->children[j], &table->slots[j]));
    }
    return CAIRN_OK;
}

cairn_status cairn_table_to_arrow(cairn_context *ctx, const cairn_table *table,
                                  struct ArrowSchema *schema, struct ArrowArray *array)
{
    PUBLIC_CALL(ctx);
    cairn_status status;
    struct ArrowSchema made_schema = {0};
    struct ArrowArray made_array = {0};
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (column_format(slot->column)) continue;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (%s): it cannot be handed over through Arrow; change its "
                          "kind or leave it out",
                          slot->name, cairn_kind_name(slot->column->kind));
    }
    TRY(table_schema(ctx, &made_schema, table));
    TRY(table_array(ctx, &made_array, table));
    *schema = made_schema;
    *array = made_array;
    return CAIRN_OK;
done:
    if (made_schema.release) made_schema.release(&made_schema);
    if (made_array.release) made_array.release(&made_array);
    return status;
}
