/* SPDX-License-Identifier: MIT */
/* Trees of clusters, shared by the parts of the learner `hierarchy`. */
#ifndef CAIRN_LEARNERS_CLUSTER_HIERARCHY_H
#define CAIRN_LEARNERS_CLUSTER_HIERARCHY_H

#include "kernels/linkage.h"
#include "model/learner.h"
#include "rows/distances.h"
#include "stats/dendrogram.h"

/* How the tree is made. */
enum { CAIRN_HIERARCHY_AGGLOMERATIVE, CAIRN_HIERARCHY_BISECTING, CAIRN_HIERARCHY_DIANA };
/* How far two clusters are from each other. */
typedef enum cairn_linkage {
    CAIRN_LINKAGE_SINGLE,
    CAIRN_LINKAGE_COMPLETE,
    CAIRN_LINKAGE_AVERAGE,
    CAIRN_LINKAGE_WEIGHTED,
    CAIRN_LINKAGE_CENTROID,
    CAIRN_LINKAGE_MEDIAN,
    CAIRN_LINKAGE_WARD
} cairn_linkage;

enum { CAIRN_HIERARCHY_FIRST, CAIRN_HIERARCHY_LAST }; /* ties */

typedef struct cairn_hierarchy_params {
    int method;
    int linkage;
    const char *distance;
    int clusters;  /* 0 = not given */
    double height; /* NaN = not given */
    int tie;
} cairn_hierarchy_params;

/* How far a new row is from a cluster of the cut. */
typedef enum cairn_hierarchy_rule {
    CAIRN_RULE_NEAREST,  /* the distance of its nearest row */
    CAIRN_RULE_FARTHEST, /* of its farthest row */
    CAIRN_RULE_MEAN,     /* the mean distance, by shares */
    CAIRN_RULE_CENTRE,   /* the distance of its centre */
    CAIRN_RULE_WARD      /* the same, times sqrt(2 s / (s + 1)) for a cluster of size s */
} cairn_hierarchy_rule;

typedef struct cairn_hierarchy_model {
    cairn_dendrogram tree;
    int32_t method, linkage, tie;
    size_t n_clusters;
    double cut;       /* height of the cut; NaN = the tree was not cut */
    int64_t n_hidden; /* merges that the cut at a height undid though they are lower */
    int32_t *codes;   /* n_leaves: cluster in the cut */
    double *sizes;    /* n_clusters */
    double *heights;  /* n_clusters: of the cluster in the tree */
    int32_t rule;     /* cairn_hierarchy_rule */
    bool centres;     /* the rows are centres, one per cluster; else they are the leaves */
    cairn_distance_rows rows;
    double *shares;  /* n_leaves: of a leaf in its cluster; NULL = not needed */
    double *spreads; /* n_clusters: mean squared distance of the leaves from the centre, for
                           centres that are known by distances only; NULL = not needed */
} cairn_hierarchy_model;

/* How the tree came about, and how its cuts lie in the data. */
typedef struct cairn_hierarchy_history {
    int64_t tied;      /* merges with another pair as near; -1 = not counted */
    bool at_least;     /* there may be more */
    double silhouette; /* mean over the rows of the cut; NaN = not known */
    size_t n_cuts;
    double *cuts;       /* n_cuts: mean silhouettes of the cuts into 2, 3 ... clusters */
    size_t n_diameters; /* n_clusters, or 0 */
    double *diameters;  /* largest distance inside a cluster of the cut */
} cairn_hierarchy_history;

/* The rows that become leaves: those of the view, all of positive weight. Borrowed. */
typedef struct cairn_hierarchy_data {
    const cairn_view *view;
    size_t n;
    const cairn_distance_rows *rows; /* n */
    const double *weights;           /* n; NULL = all 1 */
    const char *const *names;        /* n: what the steps call them */
} cairn_hierarchy_data;

/* The two divisive methods, from the whole to single rows. `tree` has its leaves and weights and
 * room for the merges, which are filled in; `steps` may be NULL. */
CAIRN_CHECKED cairn_status cairn_hierarchy_divide(cairn_context *ctx, cairn_dendrogram *tree,
                                                  const cairn_hierarchy_data *data,
                                                  const cairn_hierarchy_params *params,
                                                  cairn_report *steps);

/* All merges by the linkage. */
CAIRN_CHECKED cairn_status cairn_hierarchy_join(cairn_context *ctx, cairn_dendrogram *tree,
                                                const cairn_hierarchy_data *data,
                                                const cairn_hierarchy_params *params,
                                                cairn_hierarchy_history *history,
                                                cairn_report *steps);
/* For every cluster of the tree that of the cut in which it lies, else -1. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_nodes(cairn_context *ctx, int32_t **out,
                                                 const cairn_hierarchy_model *model);
/* The rule in words. */
const char *cairn_hierarchy_rule_said(const cairn_hierarchy_model *model);

/* Functions of the learner's record. */
void cairn_hierarchy_describe(cairn_report *out, const void *model, const cairn_job *job);

/* -- the tree written down and drawn (hierarchy_show.c) -- */

extern const cairn_export_form cairn_hierarchy_forms[];
extern const cairn_model_figure cairn_hierarchy_figures[];
/* The cut of the model, with the clusters of the tree that it leaves. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_cut(cairn_context *ctx, cairn_cut *out,
                                               const cairn_hierarchy_model *model);
/* What heights are: "distance", "diameter". */
const char *cairn_hierarchy_height(const cairn_hierarchy_model *model);

extern const cairn_learned cairn_hierarchy_tables[];

/* Clusters that are joined, pair by pair, until one is left: what the agglomerative methods of the
 * learner `hierarchy` share.
 *
 * A cluster lies in a slot. For every slot a bound is kept that no other cluster is nearer than,
 * and a cluster at that distance: as long as that one lives, the bound is the distance itself. A
 * row of distances is made only for clusters whose neighbour is gone when their bound is about the
 * least of all. Where rows come from is a record: stored rows that learn of joins when they are
 * looked at, or places of centres. Values are squared distances for Ward, centroids and medians. */

typedef struct cairn_joiner cairn_joiner;

typedef struct cairn_join_source {
    /* out (n, at most CAIRN_QUERIES): the values of the slots' clusters to all slots, infinite for
     * themselves and for slots without a cluster. Valid until the worker's next call. Any number of
     * workers, each for other slots. */
    void (*rows)(cairn_joiner *joiner, const uint32_t *slots, size_t n, int worker,
                 const double **out);
    /* Room for that row, so that it stays. NULL = rows do not stay. */
    cairn_status (*keep)(cairn_context *ctx, cairn_joiner *joiner, size_t slot);
    bool (*kept)(const cairn_joiner *joiner, size_t slot);
    /* The value of a pair. */
    double (*between)(cairn_joiner *joiner, size_t a, size_t b);
    /* Put both into one of the two slots, which is *into; the sizes are still the parts'. */
    cairn_status (*join)(cairn_context *ctx, cairn_joiner *joiner, size_t a, size_t b,
                         size_t *into);
    /* The cluster of one slot goes to another; NULL = slots without a cluster stay until `pack`. */
    void (*move)(cairn_joiner *joiner, size_t from, size_t to);
    /* Slots with a cluster move together: `from` (live), which may be put in another order. */
    cairn_status (*pack)(cairn_context *ctx, cairn_joiner *joiner, uint32_t *from);
} cairn_join_source;

struct cairn_joiner {
    const cairn_join_source *source;
    void *state; /* the source's */
    cairn_dendrogram *tree;
    cairn_linkage linkage;
    cairn_joining joining;
    bool squared;      /* values are squares of heights */
    bool last;         /* ties go to the last pair */
    bool reverses;     /* a joined cluster may be nearer than its parts */
    size_t n;          /* leaves */
    size_t width;      /* slots in use */
    size_t live;       /* clusters */
    size_t made;       /* merges */
    uint32_t *ids;     /* width: number of the cluster in the tree */
    double *sizes;     /* width: 0 without a cluster */
    double *bounds;    /* width: infinite without one */
    uint32_t *nearest; /* width: a cluster at that value, or one that is gone */
    uint32_t *slots;   /* 2 n: where a cluster lies */
    uint32_t *found;   /* workers x n */
    uint32_t *batch;   /* slots that are looked at together */
    double reach;      /* how far above the least bound they are taken */
    double work;       /* about how much a row costs, in elementary steps per slot */
    double *spare;     /* n */
    double keep_all;   /* up to so many bytes rows of all leaves are measured once and kept */
    size_t n_tied;     /* merges with another pair as near */
    size_t n_others;   /* the last merge: slots of such pairs, beside its own */
    /* Bounds and neighbours of all leaves; NULL = their rows are looked at. */
    cairn_status (*start)(cairn_context *ctx, cairn_joiner *joiner);
    /* Before every merge; NULL = nobody looks on. */
    cairn_status (*watch)(cairn_context *ctx, cairn_joiner *joiner, size_t a, size_t b, void *data);
    void *watcher;
};

enum {
    CAIRN_NO_SLOT = UINT32_MAX,
    CAIRN_COUNTED_TIES = 512 /* up to so many leaves all ties are looked up and counted */
};

/* Leaves of the tree in slots of their own; the caller sets source and state. Scratch. */
CAIRN_CHECKED cairn_status cairn_joiner_make(cairn_context *ctx, cairn_joiner *out,
                                             cairn_dendrogram *tree,
                                             const cairn_hierarchy_params *params);
/* All merges. */
CAIRN_CHECKED cairn_status cairn_joiner_run(cairn_context *ctx, cairn_joiner *joiner);
/* One row. */
const double *cairn_joiner_row(cairn_joiner *joiner, size_t slot, int worker);
CAIRN_CHECKED cairn_status cairn_stored_rows_open(cairn_context *ctx, cairn_joiner *joiner,
                                                  const cairn_hierarchy_data *data);
void cairn_stored_rows_close(cairn_joiner *joiner);
/* Whether the distance is the Euclidean one of places, so that centres stand for clusters. */
bool cairn_hierarchy_has_places(const cairn_distance_rows *rows);

/* Centres of clusters for Ward, centroids and medians. Scratch. */
CAIRN_CHECKED cairn_status cairn_centre_rows_open(cairn_context *ctx, cairn_joiner *joiner,
                                                  const cairn_hierarchy_data *data);

/* Shows every merge of few clusters among the steps. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_watch(cairn_context *ctx, cairn_joiner *joiner,
                                                 cairn_report *steps);

/* Single linkage by a minimum spanning tree, in memory that grows with the rows; the second where
 * the rows have places. */
CAIRN_CHECKED cairn_status cairn_hierarchy_span(cairn_context *ctx, cairn_dendrogram *tree,
                                                const cairn_hierarchy_data *data);

/* Proofs of trees of clusters: that merges have the heights of what they join, that nothing nearer
 * was there to be joined, and that heights rise where the linkage promises it. Shared by
 * `hierarchy` and `hdbscan`. */

typedef struct cairn_merges_asked {
    const cairn_dendrogram *tree;
    const cairn_distance_rows *rows; /* its leaves */
    cairn_linkage linkage;
    const double *core; /* a distance is no less than these of its two rows; NULL = 0 */
    bool splits;        /* made by splitting: heights are those of the linkage, or for complete
                           linkage of the wider part, but nearer clusters may be apart */
} cairn_merges_asked;

/* A NULL certificate is nobody who asks. */
CAIRN_CHECKED cairn_status cairn_merges_prove(cairn_context *ctx, cairn_certificate *out,
                                              const cairn_merges_asked *asked);

#endif
