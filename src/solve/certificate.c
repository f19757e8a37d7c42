/* SPDX-License-Identifier: MIT */
/* What is left of the conditions of an answer: kept, judged, shown. */
#include "solve/certificate.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

static const struct {
    const char *name;  /* of the value, behind "certificate." */
    const char *title; /* what it is */
    const char *of;    /* what it is a part of */
} proofs[CAIRN_N_PROOFS] = {
    [CAIRN_PROOF_GAP] = {"gap", "duality gap", "the objective"},
    [CAIRN_PROOF_CONDITIONS] = {"conditions", "largest violation of the Kuhn-Tucker conditions",
                                "the numbers in them"},
    [CAIRN_PROOF_GRADIENT] = {"gradient", "gradient", "the terms that it is the sum of"},
    [CAIRN_PROOF_CURVATURE] = {"curvature", "curvature downwards", "the largest curvature"},
    [CAIRN_PROOF_RESIDUAL] = {"residual", "what is left of the normal equations",
                              "the terms that they are sums of"},
    [CAIRN_PROOF_FALL] = {"fall", "largest fall of the likelihood", "its size"},
    [CAIRN_PROOF_SWAP] = {"swap", "gain of the best swap", "the cost"},
    [CAIRN_PROOF_MERGES] = {"merges", "largest disagreement of the merges", "their heights"},
};

static bool has(const cairn_certificate *c, int proof)
{
    return c->has & 1 << proof;
}

/* Not a number is not proved. */
static bool is_proved(const cairn_certificate *c, int proof)
{
    return c->left[proof] <= c->bound[proof];
}

void cairn_certify(cairn_certificate *c, cairn_proof proof, double left, double bound)
{
    if (!c) return;
    if (isnan(left)) left = INFINITY;
    if (has(c, proof) && left / bound <= c->left[proof] / c->bound[proof]) return;
    c->has |= 1 << proof;
    c->left[proof] = left;
    c->bound[proof] = bound;
}

void cairn_certify_part(cairn_certificate *c, const cairn_certificate *part)
{
    for (int p = 0; c && p < CAIRN_N_PROOFS; p++)
        if (has(part, p)) cairn_certify(c, (cairn_proof)p, part->left[p], part->bound[p]);
    if (c) c->limited |= part->limited;
    if (c && !c->remedy) c->remedy = part->remedy;
}

cairn_status cairn_certificate_judge(cairn_context *ctx, const cairn_certificate *c,
                                     const char *what)
{
    for (int p = 0; p < CAIRN_N_PROOFS; p++) {
        char left[CAIRN_NUMBER_SIZE], bound[CAIRN_NUMBER_SIZE];
        const char *remedy = c->remedy ? cairn_say(ctx, c->remedy) : "";
        const char *mark = c->remedy ? "; " : "";
        if (!has(c, p) || is_proved(c, p)) continue;
        cairn_number_format(left, c->left[p], 2);
        cairn_number_format(bound, c->bound[p], 2);
        if (!c->limited)
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "%s: the answer that was found is not the one that is sought: %s is "
                              "%s of %s, and at most %s is rounding%s%s",
                              what, proofs[p].title, left, proofs[p].of, bound, mark, remedy);
        cairn_warn(ctx, "%s was ended by a limit before its end: %s is %s of %s, wanted is %s%s%s",
                   what, proofs[p].title, left, proofs[p].of, bound, mark, remedy);
    }
    return CAIRN_OK;
}

/* The next power of ten: digits of what is left are those of rounding. */
static void add_left(cairn_text *text, double left)
{
    double power = 1;
    int exponent = 0;
    if (left >= 1 || left <= 0) {
        cairn_text_add_number(text, left, 2);
        return;
    }
    for (; left <= power / 10; power /= 10) exponent--;
    cairn_text_addf(text, "at most 1e%d", exponent);
}

void cairn_certificate_report(cairn_report *out, const cairn_certificate *c)
{
    if (!out || !c->has) return;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    for (int p = 0; p < CAIRN_N_PROOFS; p++) {
        if (!has(c, p)) continue;
        cairn_text_addf(&text, "%s%s ", text.length ? "; " : "", proofs[p].title);
        add_left(&text, c->left[p]);
        cairn_text_addf(&text, " of %s", proofs[p].of);
        if (isinf(c->bound[p])) cairn_text_add(&text, ", told and not judged");
        if (!is_proved(c, p)) {
            cairn_text_add(&text, ", NOT within ");
            cairn_text_add_number(&text, c->bound[p], 2);
        }
        cairn_report_hidden(out, c->left[p], "certificate.%s", proofs[p].name);
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_word(out, "certificate", cairn_text_string(&text), NULL);
}

cairn_status cairn_certificate_archive(cairn_archive *a, cairn_certificate *c)
{
    CHECK(cairn_archive_int(a, "proofs", &c->has));
    if (c->has < 0 || c->has >= 1 << CAIRN_N_PROOFS)
        return cairn_archive_damaged(a, "it has proofs that are not known");
    for (int p = 0; p < CAIRN_N_PROOFS; p++) {
        if (!has(c, p)) continue;
        CHECK(cairn_archive_real(a, "left", &c->left[p]));
        CHECK(cairn_archive_real(a, "bound", &c->bound[p]));
        if (!(c->left[p] >= 0 && c->bound[p] >= 0))
            return cairn_archive_damaged(a, "what is left of a proof is not a size");
    }
    return CAIRN_OK;
}
