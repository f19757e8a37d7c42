/* SPDX-License-Identifier: MIT */
/* The inside of a set of named tables and models. While a command runs its context points to the
 * set, so that "@name" means the same wherever a table is read or a model is loaded. */
#ifndef CAIRN_DATA_OBJECTS_H
#define CAIRN_DATA_OBJECTS_H

#include "base/memory.h"
#include "cairn/objects.h"

enum { CAIRN_OBJECT_NAME = 128 }; /* bytes of a name with its end */

/* Both pointers NULL: a place that waits for a result. */
typedef struct cairn_object {
    char name[CAIRN_OBJECT_NAME];
    cairn_table *table; /* owned; its columns are shared */
    cairn_model *model; /* one of its holders */
} cairn_object;

struct cairn_objects {
    cairn_object *list;
    size_t n, capacity;
    struct cairn_objects *around; /* asked for names that this set lacks, and given what has no
                                     place in it; borrowed, NULL = none */
};

CAIRN_CAN_OWN(cairn_objects_free, cairn_objects)

/* The object of that name (with or without '@') in the set or in those around it, or NULL. Both may
 * be NULL. */
cairn_object *cairn_objects_find(const cairn_objects *objects, const char *name);
/* Whether it can be a name: CAIRN_USAGE with the reason. */
CAIRN_CHECKED cairn_status cairn_objects_check(cairn_context *ctx, const char *name);
/* The place of an object of that name, made where there is none. It may hold something. */
CAIRN_CHECKED cairn_status cairn_objects_place(cairn_context *ctx, cairn_objects *objects,
                                               const char *name, cairn_object **out);
/* Let go of what the object holds. */
void cairn_object_clear(cairn_object *object);
/* The i-th name of a set and of those around it, NULL at the end. */
const char *cairn_objects_candidate(const cairn_objects *objects, size_t i);

/* The table '@name' of the context's objects as one of the caller's own, which shares its columns;
 * *out stays NULL when there is no object of that name. A model is refused. */
CAIRN_CHECKED cairn_status cairn_objects_read(cairn_context *ctx, cairn_table **out,
                                              const char *name);

#endif
