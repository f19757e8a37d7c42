/* SPDX-License-Identifier: MIT */
/* A graph of ONNX while it is written: nodes and constants are appended, tensors are numbers. All
 * numbers are doubles and all shapes begin with the rows of a batch. Written after the field numbers
 * of onnx.proto3 and the operators of version 17 (ai.onnx.ml 3). */
#ifndef CAIRN_EXPORT_ONNX_H
#define CAIRN_EXPORT_ONNX_H

#include "base/memory.h"
#include "export/export.h"

/* Types of tensors. */
enum { ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_BOOL = 9, ONNX_DOUBLE = 11 };

/* Columns of a tensor of the graph that hold slots of the program. */
typedef struct onnx_place {
    int tensor;
    int32_t column;
} onnx_place;

/* A constant, written at the end if a node has asked for it. */
typedef struct onnx_constant {
    int tensor;
    cairn_text written;
} onnx_constant;

typedef struct onnx_graph {
    cairn_text nodes;   /* fields of GraphProto */
    onnx_place *places; /* of the slots that have been written; scratch */
    int32_t *widths;    /* columns of the tensor that a slot stands in; scratch */
    onnx_constant *constants;
    size_t n_constants, room_constants;
    bool *used; /* tensors that nodes read */
    size_t room_used;
    int n;     /* tensors so far */
    int rows;  /* the number of rows, a vector of one number */
    int zeros; /* a column of zeros */
    cairn_program *program;
} onnx_graph;

/* Put the constants into the graph and free what it holds but for its nodes. */
void onnx_finish(onnx_graph *g);

/* Zeroed scratch memory; false = it could not be had, or anything failed before. */
#define ONNX_ROOM(g, out, n) onnx_good(g, SCRATCH((g)->nodes.ctx, out, n))
bool onnx_good(onnx_graph *g, cairn_status status);

/* -- messages of protobuf -- */

void onnx_put_number(cairn_text *out, int field, uint64_t number);
void onnx_put_bytes(cairn_text *out, int field, const void *bytes, size_t n);
void onnx_put_text(cairn_text *out, int field, const char *text);
/* The message becomes a field of `out` and is cleared. */
void onnx_put_message(cairn_text *out, int field, cairn_text *message);

/* -- attributes of a node, appended to a text; a node takes the text and clears it -- */

void onnx_attribute_int(cairn_text *to, const char *name, int64_t value);
void onnx_attribute_ints(cairn_text *to, const char *name, const int64_t *values, size_t n);
void onnx_attribute_text(cairn_text *to, const char *name, const char *value);
void onnx_attribute_texts(cairn_text *to, const char *name, const char *const *values, size_t n);
void onnx_attribute_doubles(cairn_text *to, const char *name, const double *values, size_t n);

/* -- constants -- */

/* Doubles of 1 or 2 dimensions; n_rows 0: a vector. */
int onnx_numbers(onnx_graph *g, const double *values, size_t n_rows, size_t n_columns);
int onnx_number(onnx_graph *g, double value);
/* A number as a column: onnxruntime joins a product of matrices and a constant factor to one
 * operation, whose factor is a float. */
int onnx_unfused(onnx_graph *g, double value);
int onnx_wholes(onnx_graph *g, const int64_t *values, size_t n);
int onnx_texts(onnx_graph *g, const char *const *values, size_t n);

/* -- nodes; each returns its first output -- */

/* `attributes` may be NULL; operators of ai.onnx.ml are known by their name. */
int onnx_node(onnx_graph *g, const char *op, cairn_text *attributes, int n_in, ...);
/* The same with two outputs; the second is the tensor behind the first. */
int onnx_pair(onnx_graph *g, const char *op, cairn_text *attributes, int a, int b);
int onnx_one(onnx_graph *g, const char *op, int a);
int onnx_two(onnx_graph *g, const char *op, int a, int b);
int onnx_where(onnx_graph *g, int condition, int yes, int no);
int onnx_cast(onnx_graph *g, int a, int type);
int onnx_gather(onnx_graph *g, int table, int at, int axis);
/* ReduceSum, ReduceMax, ReduceMin, ArgMax, ArgMin along the columns, which stay as one column. */
int onnx_along(onnx_graph *g, const char *op, int a);
/* Columns `from` to `to` - 1. */
int onnx_columns(onnx_graph *g, int a, size_t from, size_t to);
int onnx_join(onnx_graph *g, const int *tensors, size_t n, int axis);
/* A vector of n numbers for every row. */
int onnx_spread(onnx_graph *g, int vector, size_t n);
/* Numbers of another shape; -1 stands for what is left. */
int onnx_shaped(onnx_graph *g, int a, const int64_t *shape, size_t n);

/* The slots as columns of one tensor. */
int onnx_slots(onnx_graph *g, const int32_t *slots, size_t n);
int onnx_inputs(onnx_graph *g, const cairn_operation *op);

/* A named input or output of the graph: rows, or rows x columns where `columns` is not 0. */
void onnx_value(onnx_graph *g, bool is_output, const char *name, int type, int64_t columns);
/* The input of this name as a tensor, whose number was taken before. */
void onnx_reader(onnx_graph *g, int tensor, const char *name);
/* Another name for a tensor. */
void onnx_name(onnx_graph *g, int tensor, const char *name);

/* The operations; each returns the tensor of what the operation writes. */
int onnx_operation(onnx_graph *g, const cairn_operation *op);
int onnx_trees(onnx_graph *g, const cairn_operation *op);

#endif
