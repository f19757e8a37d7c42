/* SPDX-License-Identifier: MIT */
/* What a model learned, as tables: coefficients, nodes, rules, centres and so on, whole, and what
 * it was made of: classes, columns, parameters, transforms. */
#ifndef CAIRN_LEARNED_H
#define CAIRN_LEARNED_H

#include "cairn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many tables the model can tell. Every model has "columns", "levels" and "transforms"; one
 * with a learner also "parameters" and "features" (what the learner saw, after the transforms), a
 * classifier "classes", a clustering of the rows that it was fitted to "labels". What else there is
 * depends on the learner: "coefficients" of linear models, "nodes" of trees and forests, "rules",
 * "centres" and so on.
 * Transforms before the learner tell theirs under their own name, "pca.components", with the place
 * of the transform in a column "step". A wrapper has "members", and the tables of the models inside
 * it as "members.nodes", with the number of the member in a column "member" ("3", or "3.1" where
 * members have members). */
CAIRN_API size_t cairn_model_table_count(const cairn_model *model);

/* The name of the i-th table; NULL at the end. Borrowed. */
CAIRN_API const char *cairn_model_table_name(const cairn_model *model, size_t i);

/* What the i-th table has a row for, in a few words; NULL at the end. Borrowed. */
CAIRN_API const char *cairn_model_table_help(const cairn_model *model, size_t i);

/* The table of that name, all rows of it, freed by the caller. Numbers that are not defined or not
 * finite are missing. CAIRN_USAGE when the model has no table of the name; the message lists those
 * that it has. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_table(cairn_context *ctx, cairn_table **out,
                                                       const cairn_model *model, const char *name);

/* How many classes a classifier tells apart, or an item of a sequence may have; else 0. */
CAIRN_API size_t cairn_model_class_count(const cairn_model *model);

/* The name of the class with that code, in the order of the scores; NULL when there is none.
 * Borrowed. */
CAIRN_API const char *cairn_model_class(const cairn_model *model, size_t code);

/* What the classes are to a program beyond their names: "number" when the target held numbers, or
 * what cairn_model_set_class_type said; NULL = names and nothing else. Borrowed. */
CAIRN_API const char *cairn_model_class_type(const cairn_model *model);

/* Say what the classes are to the program, in words of its own ("bool"): the model and its file
 * keep them, and the library does not read them. NULL = names and nothing else. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_set_class_type(cairn_context *ctx,
                                                                cairn_model *model,
                                                                const char *type);

/* The name of the target (of several, the first); NULL when there is none. Borrowed. */
CAIRN_API const char *cairn_model_target_name(const cairn_model *model);

/* A column that a model is asked about. */
typedef struct cairn_input_info {
    size_t size;        /* sizeof(cairn_input_info) */
    const char *name;   /* borrowed */
    cairn_kind kind;    /* of the column in training */
    bool ordered;       /* the order of its levels means something */
    size_t level_count; /* levels, or items of a bag or sequence; else 0 */
} cairn_input_info;

#define CAIRN_INPUT_INFO_INIT                                                                      \
    {                                                                                              \
        sizeof(cairn_input_info), NULL, CAIRN_NUMBER, false, 0                                     \
    }

/* How many columns the model was fitted to, the target and others that are no features left out. */
CAIRN_API size_t cairn_model_input_count(const cairn_model *model);

/* Fill *out, which was begun with CAIRN_INPUT_INFO_INIT, with the i-th input. False when there are
 * fewer, or its size is less than that of the first field. */
CAIRN_API bool cairn_model_input(const cairn_model *model, size_t i, cairn_input_info *out);

/* The name of a level, or item, of the i-th input; NULL when there is none. Borrowed. */
CAIRN_API const char *cairn_model_input_level(const cairn_model *model, size_t i, size_t code);

/* The value that a parameter of the model's learner has ("max-depth"), as text: the default where
 * it was not set. NULL when there is no such parameter, or it has no value. Borrowed. */
CAIRN_API const char *cairn_model_param(const cairn_model *model, const char *name);

/* The distances between all rows of a table, by its features and the distance of that name
 * ("euclidean", "minkowski:p=3", "gower"; NULL = euclidean): a square table of columns row1, row2
 * and so on, freed by the caller, which learners take as distances (cairn_table_as). Rows that
 * cannot be compared are missing. Fails with CAIRN_USAGE when there is no such distance,
 * CAIRN_BAD_DATA where it does not take the kinds of the columns, CAIRN_NO_MEMORY where the matrix
 * does not fit. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_distances(cairn_context *ctx, cairn_table **out,
                                                           const cairn_table *table,
                                                           const char *distance);

/* The nearest training rows of every row of a table, for a model of knn (or a wrapper around one):
 * a table, freed by the caller, with the number of the query, the rank of the neighbour, its row in
 * the table that the model was fitted to (all from 1), the distance, and its class or number. There
 * are as many neighbours as the parameter k says. CAIRN_USAGE for models of other learners. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_neighbours(cairn_context *ctx, cairn_table **out,
                                                            const cairn_model *model,
                                                            const cairn_table *table);

#ifdef __cplusplus
}
#endif
#endif
