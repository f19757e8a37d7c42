/* SPDX-License-Identifier: MIT */
/* Classes by linear scores: the model of every classifier whose classes have scores w_k·x + b_k and
 * whose answer is the largest of them. Two classes need one vector: the plane w·x + b = 0 between
 * them, with the positive class, which is class 0, on the positive side. A learner finds the
 * weights and tells how; the rest of its record is here.
 *
 * Distances are those from the boundary, with a sign: of two classes positive on the positive side,
 * of more the distance of a row from the nearest plane where its class ends. */
#ifndef CAIRN_LEARNERS_PLANES_H
#define CAIRN_LEARNERS_PLANES_H

#include "model/learner.h"
#include "rows/matrix.h"

typedef struct cairn_class_planes {
    size_t n_dense, n_terms;
    size_t n_classes; /* levels of the target */
    size_t n_present; /* that occur in the training rows */
    size_t n_vectors; /* n_present, or one less: the last class is pinned, its score is 0 */
    bool intercept, pinned;
    int32_t *classes; /* n_present codes in the order of the vectors */
    double *weights;  /* (n_terms + 1) x n_vectors, the constants last */
} cairn_class_planes;

typedef enum { CAIRN_PLANE_MINUS, CAIRN_PLANE_PLUS, CAIRN_PLANE_NONE } cairn_plane_side;
typedef enum {
    CAIRN_AT_ZERO_NEGATIVE,
    CAIRN_AT_ZERO_NEITHER,
    CAIRN_AT_ZERO_POSITIVE,
    CAIRN_AT_ZERO_REJECT
} cairn_at_zero;

/* First in the parameter struct of a learner whose model this is. */
typedef struct cairn_class_planes_params {
    int intercept; /* cairn_plane_side */
    int at_zero;   /* cairn_at_zero */
} cairn_class_planes_params;

extern const cairn_param cairn_class_planes_table[];
#define CAIRN_CLASS_PLANES(S) CAIRN_PARAM_GROUP(S, planes, cairn_class_planes_table)

enum {
    CAIRN_CLASS_PLANES_ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS |
                                 CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_NO_FEATURES |
                                 CAIRN_WANTS_REFERENCE
};

/* Scores that are no more than this part of the largest weight count as 0. */
#define CAIRN_PLANE_TOLERANCE 1e-12

/* -- making one -- */

/* Codes of the classes with a row of positive weight, or of all, in the order of the vectors: of
 * two the positive one, else the second, leads. Scratch. */
CAIRN_CHECKED cairn_status cairn_class_planes_classes(cairn_context *ctx, const int32_t **out,
                                                      size_t *n, const cairn_job *job, bool all);
/* Room for the weights, all 0; `pinned` is always so for two classes. */
CAIRN_CHECKED cairn_status cairn_class_planes_new(cairn_context *ctx, cairn_class_planes *out,
                                                  const cairn_job *job, const int32_t *classes,
                                                  size_t n_present, bool pinned, bool intercept);
/* The weights of a text that the user gives, as those of logistic regression are written. */
CAIRN_CHECKED cairn_status cairn_class_planes_read(cairn_context *ctx, cairn_class_planes *out,
                                                   const cairn_job *job, const cairn_given *given,
                                                   bool intercept);
/* Fails where a weight is no number: the largest number of the rows is named. */
CAIRN_CHECKED cairn_status cairn_class_planes_check_finite(cairn_context *ctx,
                                                           const cairn_class_planes *m,
                                                           const cairn_view *view);

/* -- what the rows say of it -- */

typedef struct cairn_class_planes_tally {
    double accuracy;   /* on the training rows */
    double *distances; /* n_present: mean distance of the rows of a class; owned */
} cairn_class_planes_tally;

CAIRN_CHECKED cairn_status cairn_class_planes_judge(cairn_context *ctx,
                                                    cairn_class_planes_tally *out,
                                                    const cairn_class_planes *m,
                                                    const cairn_job *job, cairn_at_zero at_zero);
CAIRN_CHECKED cairn_status cairn_class_planes_tally_archive(cairn_archive *a,
                                                            cairn_class_planes_tally *tally,
                                                            const cairn_class_planes *m);

/* Length of the vector that belongs to the boundary between classes k and l. */
double cairn_class_planes_length(const cairn_class_planes *m, size_t k, size_t l);

/* -- showing -- */

/* Name of class k, borrowed from the schema. */
const char *cairn_class_planes_class(const cairn_class_planes *m, const cairn_job *job, size_t k);
/* Equations, coefficients, and of two classes length, threshold and distance of the plane from the
 * origin; with a tally how the rows lie. */
void cairn_class_planes_show(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                             cairn_plane_side side, const cairn_class_planes_tally *tally);

/* Of two classes the length of the vector and the distance of the boundary from the origin. */
void cairn_class_planes_show_place(cairn_report *out, const cairn_class_planes *m);

/* -- predicting -- */

/* The column `distance` alone, for a learner that answers otherwise. */
CAIRN_CHECKED cairn_status cairn_class_planes_add_distance(cairn_context *ctx, cairn_table *extra,
                                                           const cairn_class_planes *m,
                                                           const cairn_view *view);
extern const cairn_output cairn_class_planes_outputs[];

/* For the learner's record; `model` is a cairn_class_planes, and the parameters begin with
 * cairn_class_planes_params. */
CAIRN_CHECKED cairn_status cairn_class_planes_predict(cairn_context *ctx, cairn_prediction *out,
                                                      const void *model, const cairn_job *job);
void cairn_class_planes_explain(cairn_report *out, const void *model, const cairn_job *job,
                                size_t row);
CAIRN_CHECKED cairn_status cairn_class_planes_archive(cairn_archive *archive, void *model);
/* Its two parts, for files that have something between them. */
CAIRN_CHECKED cairn_status cairn_class_planes_archive_classes(cairn_archive *archive,
                                                              cairn_class_planes *m);
CAIRN_CHECKED cairn_status cairn_class_planes_archive_weights(cairn_archive *archive,
                                                              cairn_class_planes *m);
CAIRN_CHECKED cairn_status cairn_class_planes_check(cairn_archive *archive, const void *model,
                                                    const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_class_planes_lower(const void *model, const cairn_job *job,
                                                    cairn_program *out);
/* Scores, one for each vector; *out is the first slot. */
CAIRN_CHECKED cairn_status cairn_class_planes_lower_scores(const cairn_class_planes *m,
                                                           cairn_program *program, int32_t *out);
void cairn_class_planes_clear(void *model);
cairn_model_size cairn_class_planes_size(const void *model);
extern const cairn_export_form cairn_class_planes_forms[];
extern const cairn_learned cairn_class_planes_tables[];

/* What the record of a learner whose model is a cairn_class_planes has in common with others. */
#define CAIRN_CLASS_PLANES_RECORD                                                                  \
    .tasks = CAIRN_CLASSIFY, .accepts = CAIRN_CLASS_PLANES_ACCEPTS,                                \
    .reports = CAIRN_REPORTS_ACCURACY, .model_size = sizeof(cairn_class_planes),                   \
    .tables = cairn_class_planes_tables, .gives_scores = true, .sets_codes = true,                 \
    .outputs = cairn_class_planes_outputs, .forms = cairn_class_planes_forms,                      \
    .explain = cairn_class_planes_explain, .archive = cairn_class_planes_archive,                  \
    .check = cairn_class_planes_check, .clear = cairn_class_planes_clear,                          \
    .size = cairn_class_planes_size

/* The coefficients in the units of the data, where a transform changed them and they are few. */
void cairn_class_planes_show_raw(cairn_report *out, const cairn_class_planes *planes,
                                 const cairn_job *job);
/* The table of coefficients, of a class after the other; `errors` are their standard errors, NULL =
 * not known. */
void cairn_class_planes_write(struct cairn_ledger *out, const cairn_class_planes *m,
                              const cairn_job *job, const double *errors);

#endif
