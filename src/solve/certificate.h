/* SPDX-License-Identifier: MIT */
/* Proofs of answers: what is left of the conditions that an answer must fulfil, worked out from the
 * problem and the answer alone, by code that no solver uses. A learner hands what it finds to
 * job->certificate; the model keeps it, the report shows it, and an answer that is not proved is
 * refused, or warned of where the limit of iterations ended the work.
 *
 *     cairn_certify(job->certificate, CAIRN_PROOF_GAP, (primal - dual) / fabs(primal), 1e-6);
 *     job->certificate->limited |= !progress.converged;
 *     job->certificate->remedy = "raise {max-iter}";
 */
#ifndef CAIRN_SOLVE_CERTIFICATE_H
#define CAIRN_SOLVE_CERTIFICATE_H

#include "base/archive.h"
#include "report/report.h"

/* Each is relative to what certificate.c says it is a part of. Their numbers are in model files. */
typedef enum cairn_proof {
    CAIRN_PROOF_GAP,
    CAIRN_PROOF_CONDITIONS,
    CAIRN_PROOF_GRADIENT,
    CAIRN_PROOF_CURVATURE,
    CAIRN_PROOF_RESIDUAL,
    CAIRN_PROOF_FALL,
    CAIRN_PROOF_SWAP,
    CAIRN_PROOF_MERGES,
    CAIRN_N_PROOFS
} cairn_proof;

/* Zeroed, it says nothing. */
typedef struct cairn_certificate {
    int32_t has;                  /* a bit for each proof */
    double left[CAIRN_N_PROOFS];  /* the largest that was found */
    double bound[CAIRN_N_PROOFS]; /* what is still rounding; infinite = told, but not judged */
    bool limited;                 /* a limit that the user may raise ended the work */
    const char *remedy; /* what helps, with marks: "raise {max-iter}"; NULL = nothing known */
} cairn_certificate;

/* What is left of one more part of the answer: the part with the largest left / bound counts. Not a
 * number is more than any bound. A NULL certificate is nobody who asks. */
void cairn_certify(cairn_certificate *c, cairn_proof proof, double left, double bound);

/* The same for all that is known of a part, such as the model of one of several targets. */
void cairn_certify_part(cairn_certificate *c, const cairn_certificate *part);

/* Fails with CAIRN_NO_SOLUTION where something is above its bound; where a limit ended the work
 * that is a warning. `what` is who found the answer: "svm". */
CAIRN_CHECKED cairn_status cairn_certificate_judge(cairn_context *ctx, const cairn_certificate *c,
                                                   const char *what);
/* One line, and the values certificate.gap, certificate.conditions and so on. */
void cairn_certificate_report(cairn_report *out, const cairn_certificate *c);
CAIRN_CHECKED cairn_status cairn_certificate_archive(cairn_archive *a, cairn_certificate *c);

#endif
