/* SPDX-License-Identifier: MIT */
/* Texts of the calculators about concepts: concepts, instances, rules, hypotheses, terms, Horn
 * theories, answers, points and boxes. */
#include "fuzz/fuzz_run.h"

static const shape shapes[] = {
    {{"compute", "version-space", "@enjoysport", "--hypothesis", TEXT, ""}, SIZE_MAX},
    {{"compute", "version-space", "@enjoysport", "--predict", TEXT, ""}, SIZE_MAX},
    {{"compute", "specialise", "@dolphins", "--language", "disjunction", "--start", TEXT, ""},
     SIZE_MAX},
    {{"compute", "unify", "--terms", TEXT, ""}, SIZE_MAX},
    {{"compute", "unify", "--vars", "upper", "--apart", "--terms", TEXT, ""}, SIZE_MAX},
    {{"compute", "horn", "--theory", TEXT, ""}, 64},
    {{"compute", "horn", "--variables", "a,b,c", "--answers", TEXT, ""}, SIZE_MAX},
    {{"compute", "horn", "--theory", "a & b -> c", "--examples", TEXT, ""}, SIZE_MAX},
    {{"compute", "consistency", "@pass-fail", "--rule", TEXT, ""}, SIZE_MAX},
    {{"compute", "consistency", "@pass-fail", "--free", "M", "--limit", "1000", "--rule", TEXT, ""},
     SIZE_MAX},
    {{"compute", "generality", "--limit", "1000", "--hypothesis", "x > 1", "--hypothesis", TEXT,
      ""},
     SIZE_MAX},
    {{"compute", "shatter", "--points", TEXT, ""}, 24},
    {{"compute", "version-boxes", "@family-car", "--box", TEXT, ""}, SIZE_MAX},
    {{"compute", "version-discs", "@disc-points", "--centre", TEXT, ""}, SIZE_MAX},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text_of(shapes, sizeof shapes / sizeof *shapes, data, size);
    return 0;
}
