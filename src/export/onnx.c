/* SPDX-License-Identifier: MIT */
#include "export/onnx.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cairn_onnx_good(cairn_onnx_graph *g, cairn_status status)
{
    if (status != CAIRN_OK) g->nodes.status = status;
    return g->nodes.status == CAIRN_OK;
}

/* -- messages -- */

static void put_varint(cairn_text *out, uint64_t v)
{
    for (; v > 127; v >>= 7) cairn_text_add_char(out, (char)(128 | (v & 127)));
    cairn_text_add_char(out, (char)v);
}

static void put_key(cairn_text *out, int field, unsigned wire)
{
    put_varint(out, (uint64_t)field << 3 | wire);
}

void cairn_onnx_put_number(cairn_text *out, int field, uint64_t number)
{
    put_key(out, field, 0);
    put_varint(out, number);
}

void cairn_onnx_put_bytes(cairn_text *out, int field, const void *bytes, size_t n)
{
    put_key(out, field, 2);
    put_varint(out, n);
    cairn_text_add_bytes(out, bytes, n);
}

void cairn_onnx_put_text(cairn_text *out, int field, const char *text)
{
    cairn_onnx_put_bytes(out, field, text, strlen(text));
}

void cairn_onnx_put_message(cairn_text *out, int field, cairn_text *message)
{
    if (message->status != CAIRN_OK) out->status = message->status;
    cairn_onnx_put_bytes(out, field, cairn_text_string(message), message->length);
    cairn_text_clear(message);
}

/* -- tensors -- */

/* A TensorProto but for its cells: dimensions, type, name. */
static cairn_text tensor_head(cairn_context *ctx, const char *name, int type, const size_t *shape,
                              size_t n)
{
    cairn_text tensor = cairn_text_start(ctx);
    for (size_t i = 0; i < n; i++) cairn_onnx_put_number(&tensor, 1, shape[i]);
    cairn_onnx_put_number(&tensor, 2, (uint64_t)type);
    if (*name) cairn_onnx_put_text(&tensor, 8, name);
    return tensor;
}

/* -- attributes -- */

enum { A_INT = 2, A_TEXT = 3, A_TENSOR = 4, A_INTS = 7, A_TEXTS = 8 };

static cairn_text attribute_head(const cairn_text *to, const char *name, int type)
{
    cairn_text attribute = cairn_text_start(to->ctx);
    cairn_onnx_put_text(&attribute, 1, name);
    cairn_onnx_put_number(&attribute, 20, (uint64_t)type);
    return attribute;
}

void cairn_onnx_attribute_int(cairn_text *to, const char *name, int64_t value)
{
    cairn_text attribute = attribute_head(to, name, A_INT);
    cairn_onnx_put_number(&attribute, 3, (uint64_t)value);
    cairn_onnx_put_message(to, 5, &attribute);
}

void cairn_onnx_attribute_ints(cairn_text *to, const char *name, const int64_t *values, size_t n)
{
    cairn_text attribute = attribute_head(to, name, A_INTS), packed = cairn_text_start(to->ctx);
    for (size_t i = 0; i < n; i++) put_varint(&packed, (uint64_t)values[i]);
    cairn_onnx_put_message(&attribute, 8, &packed);
    cairn_onnx_put_message(to, 5, &attribute);
}

void cairn_onnx_attribute_text(cairn_text *to, const char *name, const char *value)
{
    cairn_text attribute = attribute_head(to, name, A_TEXT);
    cairn_onnx_put_text(&attribute, 4, value);
    cairn_onnx_put_message(to, 5, &attribute);
}

void cairn_onnx_attribute_texts(cairn_text *to, const char *name, const char *const *values,
                                size_t n)
{
    cairn_text attribute = attribute_head(to, name, A_TEXTS);
    for (size_t i = 0; i < n; i++) cairn_onnx_put_text(&attribute, 9, values[i]);
    cairn_onnx_put_message(to, 5, &attribute);
}

void cairn_onnx_attribute_doubles(cairn_text *to, const char *name, const double *values, size_t n)
{
    cairn_text attribute = attribute_head(to, name, A_TENSOR);
    cairn_text tensor = tensor_head(to->ctx, "", ONNX_DOUBLE, &n, 1);
    cairn_onnx_put_bytes(&tensor, 9, values, n * sizeof *values);
    cairn_onnx_put_message(&attribute, 5, &tensor);
    cairn_onnx_put_message(to, 5, &attribute);
}

/* -- constants -- */

enum { NAME = 24 };

static void name_of(char out[NAME], int tensor)
{
    (void)snprintf(out, NAME, "cairn.%d", tensor);
}

/* A constant is kept until the end, as not every one is asked for. */
static int keep_constant(cairn_onnx_graph *g, cairn_text *tensor)
{
    cairn_status status = GROW(g->nodes.ctx, &g->constants, &g->room_constants, g->n_constants + 1);
    if (status == CAIRN_OK) status = tensor->status;
    if (status != CAIRN_OK) {
        cairn_text_clear(tensor);
        g->nodes.status = status;
    } else {
        g->constants[g->n_constants++] = (cairn_onnx_constant){g->n, *tensor};
    }
    return g->n++;
}

void cairn_onnx_finish(cairn_onnx_graph *g)
{
    for (size_t i = 0; i < g->n_constants; i++) {
        int tensor = g->constants[i].tensor;
        if ((size_t)tensor < g->room_used && g->used[tensor])
            cairn_onnx_put_message(&g->nodes, 5, &g->constants[i].written);
        else
            cairn_text_clear(&g->constants[i].written);
    }
    cairn_free(g->constants);
    cairn_free(g->used);
}

/* GROW leaves what is new as it is. */
static void mark_used(cairn_onnx_graph *g, int tensor)
{
    size_t before = g->room_used;
    if ((size_t)tensor >= before) {
        if (!cairn_onnx_good(g, GROW(g->nodes.ctx, &g->used, &g->room_used, (size_t)tensor + 1)))
            return;
        memset(g->used + before, 0, g->room_used - before);
    }
    g->used[tensor] = true;
}

static int put_tensor(cairn_onnx_graph *g, int type, const size_t *shape, size_t n,
                      const void *cells, size_t bytes)
{
    char name[NAME];
    name_of(name, g->n);
    cairn_text tensor = tensor_head(g->nodes.ctx, name, type, shape, n);
    cairn_onnx_put_bytes(&tensor, 9, cells, bytes);
    return keep_constant(g, &tensor);
}

int cairn_onnx_numbers(cairn_onnx_graph *g, const double *values, size_t n_rows, size_t n_columns)
{
    size_t shape[2] = {n_rows, n_columns}, n = n_rows ? n_rows * n_columns : n_columns;
    return put_tensor(g, ONNX_DOUBLE, n_rows ? shape : shape + 1, n_rows ? 2 : 1, values,
                      n * sizeof *values);
}

int cairn_onnx_number(cairn_onnx_graph *g, double value)
{
    return cairn_onnx_numbers(g, &value, 0, 1);
}

int cairn_onnx_wholes(cairn_onnx_graph *g, const int64_t *values, size_t n)
{
    return put_tensor(g, ONNX_INT64, &n, 1, values, n * sizeof *values);
}

int cairn_onnx_texts(cairn_onnx_graph *g, const char *const *values, size_t n)
{
    char name[NAME];
    name_of(name, g->n);
    cairn_text tensor = tensor_head(g->nodes.ctx, name, ONNX_STRING, &n, 1);
    for (size_t i = 0; i < n; i++) cairn_onnx_put_text(&tensor, 6, values[i]);
    return keep_constant(g, &tensor);
}

/* -- nodes -- */

static bool of_ml(const char *op)
{
    return strcmp(op, "TreeEnsembleRegressor") == 0 || strcmp(op, "LabelEncoder") == 0;
}

/* The node with its inputs; names of nodes must differ, and those of outputs do. */
static void put_node(cairn_onnx_graph *g, const char *op, cairn_text *attributes, const int *in,
                     size_t n, const char *out, const char *second)
{
    cairn_text node = cairn_text_start(g->nodes.ctx);
    char name[NAME];
    for (size_t i = 0; i < n; i++) {
        name_of(name, in[i]);
        cairn_onnx_put_text(&node, 1, name);
        mark_used(g, in[i]);
    }
    cairn_onnx_put_text(&node, 2, out);
    if (second) cairn_onnx_put_text(&node, 2, second);
    cairn_onnx_put_text(&node, 3, out);
    cairn_onnx_put_text(&node, 4, op);
    if (attributes) {
        if (attributes->status != CAIRN_OK) g->nodes.status = attributes->status;
        cairn_text_add_bytes(&node, cairn_text_string(attributes), attributes->length);
        cairn_text_clear(attributes);
    }
    if (of_ml(op)) cairn_onnx_put_text(&node, 7, "ai.onnx.ml");
    cairn_onnx_put_message(&g->nodes, 1, &node);
}

static int add_node(cairn_onnx_graph *g, const char *op, cairn_text *attributes, const int *in,
                    size_t n)
{
    char out[NAME];
    name_of(out, g->n);
    put_node(g, op, attributes, in, n, out, NULL);
    return g->n++;
}

int cairn_onnx_pair(cairn_onnx_graph *g, const char *op, cairn_text *attributes, int a, int b)
{
    char first[NAME], second[NAME];
    int in[] = {a, b};
    name_of(first, g->n);
    name_of(second, g->n + 1);
    put_node(g, op, attributes, in, 2, first, second);
    g->n += 2;
    return g->n - 2;
}

int cairn_onnx_node(cairn_onnx_graph *g, const char *op, cairn_text *attributes, int n_in, ...)
{
    int in[8];
    va_list given;
    va_start(given, n_in);
    for (int i = 0; i < n_in; i++) in[i] = va_arg(given, int);
    va_end(given);
    return add_node(g, op, attributes, in, (size_t)n_in);
}

int cairn_onnx_one(cairn_onnx_graph *g, const char *op, int a)
{
    return cairn_onnx_node(g, op, NULL, 1, a);
}

int cairn_onnx_two(cairn_onnx_graph *g, const char *op, int a, int b)
{
    return cairn_onnx_node(g, op, NULL, 2, a, b);
}

int cairn_onnx_unfused(cairn_onnx_graph *g, double value)
{
    return cairn_onnx_two(g, "Add", g->zeros, cairn_onnx_number(g, value));
}

int cairn_onnx_where(cairn_onnx_graph *g, int condition, int yes, int no)
{
    return cairn_onnx_node(g, "Where", NULL, 3, condition, yes, no);
}

int cairn_onnx_cast(cairn_onnx_graph *g, int a, int type)
{
    cairn_text to = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&to, "to", type);
    return cairn_onnx_node(g, "Cast", &to, 1, a);
}

int cairn_onnx_gather(cairn_onnx_graph *g, int table, int at, int axis)
{
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "axis", axis);
    return cairn_onnx_node(g, "Gather", &along, 2, table, at);
}

int cairn_onnx_along(cairn_onnx_graph *g, const char *op, int a)
{
    static const int64_t last[] = {-1};
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "keepdims", 1);
    if (strcmp(op, "ReduceSum") == 0)
        return cairn_onnx_node(g, op, &along, 2, a, cairn_onnx_wholes(g, last, 1));
    if (strncmp(op, "Arg", 3) == 0)
        cairn_onnx_attribute_int(&along, "axis", -1);
    else
        cairn_onnx_attribute_ints(&along, "axes", last, 1);
    return cairn_onnx_node(g, op, &along, 1, a);
}

int cairn_onnx_columns(cairn_onnx_graph *g, int a, size_t from, size_t to)
{
    int64_t begin[] = {(int64_t)from}, end[] = {(int64_t)to}, axis[] = {1};
    return cairn_onnx_node(g, "Slice", NULL, 4, a, cairn_onnx_wholes(g, begin, 1),
                           cairn_onnx_wholes(g, end, 1), cairn_onnx_wholes(g, axis, 1));
}

int cairn_onnx_join(cairn_onnx_graph *g, const int *tensors, size_t n, int axis)
{
    cairn_text along = cairn_text_start(g->nodes.ctx);
    if (n == 1) return tensors[0];
    cairn_onnx_attribute_int(&along, "axis", axis);
    return add_node(g, "Concat", &along, tensors, n);
}

int cairn_onnx_spread(cairn_onnx_graph *g, int vector, size_t n)
{
    int64_t width[] = {(int64_t)n};
    int shape[] = {g->rows, cairn_onnx_wholes(g, width, 1)};
    return cairn_onnx_two(g, "Expand", vector, cairn_onnx_join(g, shape, 2, 0));
}

int cairn_onnx_shaped(cairn_onnx_graph *g, int a, const int64_t *shape, size_t n)
{
    return cairn_onnx_two(g, "Reshape", a, cairn_onnx_wholes(g, shape, n));
}

/* -- slots -- */

/* The run of columns of one tensor that the slots begin with. */
static size_t run_of(const cairn_onnx_graph *g, const int32_t *slots, size_t n)
{
    size_t run = 1;
    while (run < n && g->places[slots[run]].tensor == g->places[slots[0]].tensor) run++;
    return run;
}

/* Some columns of a tensor, or all of it. */
static int take_columns(cairn_onnx_graph *g, const int32_t *slots, size_t n)
{
    int64_t *at;
    const cairn_onnx_place *p = g->places;
    int tensor = p[slots[0]].tensor;
    bool all = n == (size_t)g->widths[slots[0]];
    for (size_t i = 0; all && i < n; i++) all = p[slots[i]].column == (int32_t)i;
    if (all) return tensor;
    if (!ONNX_ROOM(g, &at, n)) return tensor;
    for (size_t i = 0; i < n; i++) at[i] = p[slots[i]].column;
    return cairn_onnx_gather(g, tensor, cairn_onnx_wholes(g, at, n), 1);
}

int cairn_onnx_slots(cairn_onnx_graph *g, const int32_t *slots, size_t n)
{
    int *parts;
    size_t n_parts = 0, from = 0;
    if (!ONNX_ROOM(g, &parts, n + 1)) return 0;
    while (from < n) {
        size_t run = run_of(g, slots + from, n - from);
        parts[n_parts++] = take_columns(g, slots + from, run);
        from += run;
    }
    return cairn_onnx_join(g, parts, n_parts, 1);
}

int cairn_onnx_inputs(cairn_onnx_graph *g, const cairn_operation *op)
{
    return cairn_onnx_slots(g, op->in, op->n_in);
}

/* -- inputs and outputs -- */

void cairn_onnx_value(cairn_onnx_graph *g, bool is_output, const char *name, int type,
                      int64_t columns)
{
    cairn_context *ctx = g->nodes.ctx;
    cairn_text value = cairn_text_start(ctx), kind = cairn_text_start(ctx);
    cairn_text tensor = cairn_text_start(ctx), shape = cairn_text_start(ctx);
    for (int i = 0; i < (columns ? 2 : 1); i++) {
        cairn_text size = cairn_text_start(ctx);
        if (i)
            cairn_onnx_put_number(&size, 1, (uint64_t)columns);
        else
            cairn_onnx_put_text(&size, 2, "rows");
        cairn_onnx_put_message(&shape, 1, &size);
    }
    cairn_onnx_put_number(&tensor, 1, (uint64_t)type);
    cairn_onnx_put_message(&tensor, 2, &shape);
    cairn_onnx_put_message(&kind, 1, &tensor);
    cairn_onnx_put_text(&value, 1, name);
    cairn_onnx_put_message(&value, 2, &kind);
    cairn_onnx_put_message(&g->nodes, is_output ? 12 : 11, &value);
}

void cairn_onnx_name(cairn_onnx_graph *g, int tensor, const char *name)
{
    put_node(g, "Identity", NULL, &tensor, 1, name, NULL);
}

void cairn_onnx_reader(cairn_onnx_graph *g, int tensor, const char *name)
{
    char own[NAME];
    cairn_text node = cairn_text_start(g->nodes.ctx);
    name_of(own, tensor);
    cairn_onnx_put_text(&node, 1, name);
    cairn_onnx_put_text(&node, 2, own);
    cairn_onnx_put_text(&node, 3, own);
    cairn_onnx_put_text(&node, 4, "Identity");
    cairn_onnx_put_message(&g->nodes, 1, &node);
}
