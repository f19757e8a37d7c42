/* SPDX-License-Identifier: MIT */
/* A graph of ONNX while it is written: nodes and constants are appended, tensors are numbers. All
 * numbers are doubles and all shapes begin with the rows of a batch. Written after the field
 * numbers of onnx.proto3 and the operators of version 17 (ai.onnx.ml 3). */
#ifndef CAIRN_EXPORT_ONNX_H
#define CAIRN_EXPORT_ONNX_H

#include "base/memory.h"
#include "export/export.h"

/* Types of tensors. */
enum { ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_BOOL = 9, ONNX_DOUBLE = 11 };

/* Columns of a tensor of the graph that hold slots of the program. */
typedef struct cairn_onnx_place {
    int tensor;
    int32_t column;
} cairn_onnx_place;

/* A constant, written at the end if a node has asked for it. */
typedef struct cairn_onnx_constant {
    int tensor;
    cairn_text written;
} cairn_onnx_constant;

typedef struct cairn_onnx_graph {
    cairn_text nodes;         /* fields of GraphProto */
    cairn_onnx_place *places; /* of the slots that have been written; scratch */
    int32_t *widths;          /* columns of the tensor that a slot stands in; scratch */
    cairn_onnx_constant *constants;
    size_t n_constants, room_constants;
    bool *used; /* tensors that nodes read */
    size_t room_used;
    int n;     /* tensors so far */
    int rows;  /* the number of rows, a vector of one number */
    int zeros; /* a column of zeros */
    cairn_program *program;
} cairn_onnx_graph;

/* Put the constants into the graph and free what it holds but for its nodes. */
void cairn_onnx_finish(cairn_onnx_graph *g);

/* Zeroed scratch memory; false = it could not be had, or anything failed before. */
#define ONNX_ROOM(g, out, n) cairn_onnx_good(g, SCRATCH((g)->nodes.ctx, out, n))
bool cairn_onnx_good(cairn_onnx_graph *g, cairn_status status);

/* -- messages of protobuf -- */

void cairn_onnx_put_number(cairn_text *out, int field, uint64_t number);
void cairn_onnx_put_bytes(cairn_text *out, int field, const void *bytes, size_t n);
void cairn_onnx_put_text(cairn_text *out, int field, const char *text);
/* The message becomes a field of `out` and is cleared. */
void cairn_onnx_put_message(cairn_text *out, int field, cairn_text *message);

/* -- attributes of a node, appended to a text; a node takes the text and clears it -- */

void cairn_onnx_attribute_int(cairn_text *to, const char *name, int64_t value);
void cairn_onnx_attribute_ints(cairn_text *to, const char *name, const int64_t *values, size_t n);
void cairn_onnx_attribute_text(cairn_text *to, const char *name, const char *value);
void cairn_onnx_attribute_texts(cairn_text *to, const char *name, const char *const *values,
                                size_t n);
void cairn_onnx_attribute_doubles(cairn_text *to, const char *name, const double *values, size_t n);

/* -- constants -- */

/* Doubles of 1 or 2 dimensions; n_rows 0: a vector. */
int cairn_onnx_numbers(cairn_onnx_graph *g, const double *values, size_t n_rows, size_t n_columns);
int cairn_onnx_number(cairn_onnx_graph *g, double value);
/* A number as a column: onnxruntime joins a product of matrices and a constant factor to one
 * operation, whose factor is a float. */
int cairn_onnx_unfused(cairn_onnx_graph *g, double value);
int cairn_onnx_wholes(cairn_onnx_graph *g, const int64_t *values, size_t n);
int cairn_onnx_texts(cairn_onnx_graph *g, const char *const *values, size_t n);

/* -- nodes; each returns its first output -- */

/* `attributes` may be NULL; operators of ai.onnx.ml are known by their name. */
int cairn_onnx_node(cairn_onnx_graph *g, const char *op, cairn_text *attributes, int n_in, ...);
/* The same with two outputs; the second is the tensor behind the first. */
int cairn_onnx_pair(cairn_onnx_graph *g, const char *op, cairn_text *attributes, int a, int b);
int cairn_onnx_one(cairn_onnx_graph *g, const char *op, int a);
int cairn_onnx_two(cairn_onnx_graph *g, const char *op, int a, int b);
int cairn_onnx_where(cairn_onnx_graph *g, int condition, int yes, int no);
int cairn_onnx_cast(cairn_onnx_graph *g, int a, int type);
int cairn_onnx_gather(cairn_onnx_graph *g, int table, int at, int axis);
/* ReduceSum, ReduceMax, ReduceMin, ArgMax, ArgMin along the columns, which stay as one column. */
int cairn_onnx_along(cairn_onnx_graph *g, const char *op, int a);
/* Columns `from` to `to` - 1. */
int cairn_onnx_columns(cairn_onnx_graph *g, int a, size_t from, size_t to);
int cairn_onnx_join(cairn_onnx_graph *g, const int *tensors, size_t n, int axis);
/* A vector of n numbers for every row. */
int cairn_onnx_spread(cairn_onnx_graph *g, int vector, size_t n);
/* Numbers of another shape; -1 stands for what is left. */
int cairn_onnx_shaped(cairn_onnx_graph *g, int a, const int64_t *shape, size_t n);

/* The slots as columns of one tensor. */
int cairn_onnx_slots(cairn_onnx_graph *g, const int32_t *slots, size_t n);
int cairn_onnx_inputs(cairn_onnx_graph *g, const cairn_operation *op);

/* A named input or output of the graph: rows, or rows x columns where `columns` is not 0. */
void cairn_onnx_value(cairn_onnx_graph *g, bool is_output, const char *name, int type,
                      int64_t columns);
/* The input of this name as a tensor, whose number was taken before. */
void cairn_onnx_reader(cairn_onnx_graph *g, int tensor, const char *name);
/* Another name for a tensor. */
void cairn_onnx_name(cairn_onnx_graph *g, int tensor, const char *name);

/* The operations; each returns the tensor of what the operation writes. */
int cairn_onnx_operation(cairn_onnx_graph *g, const cairn_operation *op);
int cairn_onnx_trees(cairn_onnx_graph *g, const cairn_operation *op);

#endif
