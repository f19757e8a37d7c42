/* SPDX-License-Identifier: MIT */
/* Texts of the calculators about concepts: concepts, instances, rules, hypotheses, terms, Horn
 * theories, answers, points and boxes. Any text is computed or refused with a message. The first
 * byte chooses the calculator, the rest is the text. */
#include "fuzz/fuzz.h"
#include "cairn/cairn.h"

#define TEXT NULL /* where the text stands */

typedef struct shape {
    const char *words[12];
    size_t most; /* bytes of the text: where work grows fast with them */
} shape;

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
    if (size == 0) return 0;
    const shape *s =
        &shapes[(data[0] - (data[0] >= 'a' ? 'a' : 0)) % (sizeof shapes / sizeof *shapes)];
    if (size - 1 > s->most) return 0;
    cairn_context *ctx = fuzz_context();
    char *text = fuzz_text(data + 1, size - 1);
    const char *words[12];
    int n = 0;
    for (; !s->words[n] || *s->words[n]; n++) words[n] = s->words[n] ? s->words[n] : text;
    cairn_report *report = NULL;
    if (cairn_report_new(ctx, &report)) abort();
    fuzz_check(ctx, cairn_run(ctx, report, n, words));
    cairn_report_free(report);
    free(text);
    cairn_context_free(ctx);
    return 0;
}
