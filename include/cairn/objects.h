/* SPDX-License-Identifier: MIT */
/* Tables and models of a program, by name. A set of them is handed to cairn_run_with(), where
 * "@name" means the table or the model of that name wherever a command takes data or a model, and
 * where a command puts what it makes: --save @model, --out @table.
 *
 * A name has letters, digits, '-', '_' and '.' and at most 127 bytes; it may be given with the '@'
 * in front or without. An object hides built-in data of the same name. A set serves one calling
 * thread at a time. */
#ifndef CAIRN_OBJECTS_H
#define CAIRN_OBJECTS_H

#include "cairn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_objects cairn_objects;

/* An empty set. The caller frees it with cairn_objects_free, before or after the context. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_objects_new(cairn_context *ctx, cairn_objects **out);

/* Free a set and let go of what it holds; NULL is accepted. Tables and models that were put in stay
 * with their owners. */
CAIRN_API void cairn_objects_free(cairn_objects *objects);

/* Put a table into the set, in place of what has this name there. Its columns are shared and not
 * copied, with the roles that they have now; the table stays the caller's, who may change its roles
 * or free it at any time. A name that cannot be one, or a table that is NULL, is CAIRN_USAGE. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_objects_put_table(cairn_context *ctx,
                                                             cairn_objects *objects,
                                                             const char *name,
                                                             const cairn_table *table);

/* Put a model or a recipe into the set, in place of what has this name there. It is held and not
 * copied, and no command writes to it: `fit --from @name` goes on with a copy. The model stays the
 * caller's, who may free it at any time; cairn_model_update refuses it as long as the set, or an
 * ensemble that was made of it, holds it too. A name that cannot be one, or a model that is NULL,
 * is CAIRN_USAGE. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_objects_put_model(cairn_context *ctx,
                                                             cairn_objects *objects,
                                                             const char *name,
                                                             const cairn_model *model);

/* The table or the model of that name, NULL when there is none or the object is of the other kind.
 * Borrowed: valid until the object is replaced, taken or dropped, or the set is freed. */
CAIRN_API const cairn_table *cairn_objects_table(const cairn_objects *objects, const char *name);
CAIRN_API const cairn_model *cairn_objects_model(const cairn_objects *objects, const char *name);

/* Take the table or the model of that name out of the set: the caller frees it, with
 * cairn_table_free or cairn_model_free. NULL when there is none or the object is of the other kind,
 * which then stays. A model that was put in by the caller is the caller's own once more, counted
 * twice: each holder frees it. */
CAIRN_API CAIRN_CHECKED cairn_table *cairn_objects_take_table(cairn_objects *objects,
                                                              const char *name);
CAIRN_API CAIRN_CHECKED cairn_model *cairn_objects_take_model(cairn_objects *objects,
                                                              const char *name);

/* Let go of the object of that name; nothing when there is none. */
CAIRN_API void cairn_objects_drop(cairn_objects *objects, const char *name);

/* How many objects there are, and the name of the i-th without '@', in the order in which the names
 * first came; NULL behind the last. Borrowed until the set is changed. */
CAIRN_API size_t cairn_objects_count(const cairn_objects *objects);
CAIRN_API const char *cairn_objects_name(const cairn_objects *objects, size_t i);

#ifdef __cplusplus
}
#endif
#endif
