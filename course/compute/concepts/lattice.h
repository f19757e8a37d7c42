/* SPDX-License-Identifier: MIT */
/* Lists of concepts as pictures of their order, their closures, and paths through them. */
#ifndef CAIRN_COMPUTE_CONCEPTS_LATTICE_H
#define CAIRN_COMPUTE_CONCEPTS_LATTICE_H

#include "typed/concept_data.h"

/* What all examples that a concept covers have in common. */
typedef struct cairn_closure {
    uint64_t *join, *instance;     /* scratch; join is the closure */
    size_t n_positive, n_negative; /* examples covered */
} cairn_closure;

/* Room for one closure at a time, scratch; closing a concept fills it, and overwrites what was
 * there. */
CAIRN_CHECKED cairn_status cairn_closure_new(cairn_context *ctx, cairn_closure *out,
                                             const cairn_domain *domain);
void cairn_close_concept(cairn_closure *c, const cairn_concept_data *data, const uint64_t *concept);

typedef struct cairn_coverage {
    size_t positives, negatives;
} cairn_coverage;

/* Counts each example that the concept covers. */
cairn_coverage cairn_cover(const cairn_concept_data *data, const uint64_t *concept);

/* Ever more general concepts: those of the lines `typed` (options --path), or a walk from the
 * example `from` (option --from; NULL = the first positive one). */
CAIRN_CHECKED cairn_status cairn_concept_path(cairn_context *ctx, cairn_concepts *out,
                                              const cairn_concept_data *data, const char *typed,
                                              const char *from);

/* Its coverage curve: the negatives and positives that its concepts cover, the first one A. */
CAIRN_CHECKED cairn_status cairn_path_curve(cairn_context *ctx, cairn_figure **out,
                                            const cairn_concept_data *data,
                                            const cairn_concepts *path);

/* The conditions of a concept on a line each; scratch. */
CAIRN_CHECKED cairn_status cairn_concept_lines(cairn_context *ctx, const char **out,
                                               const char *word);

typedef enum cairn_lattice_colour {
    CAIRN_LATTICE_COVERAGE,
    CAIRN_LATTICE_VERSION,
    CAIRN_LATTICE_CLOSED,
    CAIRN_LATTICE_PATH,
    CAIRN_LATTICE_PLAIN
} cairn_lattice_colour;

typedef enum cairn_caption {
    CAIRN_CAPTION_NONE,
    CAIRN_CAPTION_COUNTS,
    CAIRN_CAPTION_NAMES
} cairn_caption;

typedef struct cairn_lattice {
    const cairn_concept_data *data;
    const cairn_concepts *list;
    const cairn_concepts *path; /* NULL = none */
    bool letters;               /* A, B ... at the steps of the path, as beside its curve */
    cairn_lattice_colour colour;
    cairn_caption caption; /* what stands below a concept */
} cairn_lattice;

/* The diagram of the order, the more general concept above; the caller owns the figure. Costs a
 * comparison for each pair of concepts. */
CAIRN_CHECKED cairn_status cairn_lattice_figure(cairn_context *ctx, cairn_figure **out,
                                                const cairn_lattice *l, const char *name,
                                                const char *title);

/* The same as a picture on pages; nothing when there are too many concepts to read. */
CAIRN_CHECKED cairn_status cairn_lattice_draw(cairn_context *ctx, cairn_report *out,
                                              const cairn_lattice *l, const char *name,
                                              const char *title);

#endif
