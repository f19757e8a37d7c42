/* SPDX-License-Identifier: MIT */
/* Questions to a table of outcomes and the way it is typed: any text is answered or refused with a
 * message, and a probability lies between 0 and 1. */
#include "fuzz/fuzz.h"
#include "typed/outcomes.h"

#include <string.h>

static void ask(cairn_context *ctx, const char *text, const cairn_outcomes *o)
{
    cairn_event_query q;
    cairn_status status = cairn_event_query_read(ctx, &q, "query", text, o->table);
    fuzz_check(ctx, status);
    if (status || q.whole) return;
    double both = cairn_event_probability(o, q.holds, q.known);
    double given = cairn_event_probability(o, q.known, NULL);
    if (!(both >= 0 && both <= given + 1e-12 && given <= 1 + 1e-12)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    char *text = fuzz_text(data, size);
    cairn_outcomes o = {0}, typed = {0};
    cairn_outcomes_option known = {.variables = "rain,day=work/free/it's,n=1/2",
                                   .table = "0.1,0.1,0.1,0.1,0.1,0,0.1,0.1,0.1,0.1,0.1,0"};
    if (cairn_outcomes_read(ctx, &o, &known, NULL, "fuzz")) abort();
    ask(ctx, text, &o);
    const char *end = strchr(text, ';');
    char *variables = fuzz_text(data, end ? (size_t)(end - text) : size);
    cairn_outcomes_option option = {.variables = variables, .table = end ? end + 1 : "0.5,0.5"};
    fuzz_check(ctx, cairn_outcomes_read(ctx, &typed, &option, NULL, "fuzz"));
    cairn_outcomes_clear(&typed);
    cairn_outcomes_clear(&o);
    free(variables);
    free(text);
    fuzz_end();
    return 0;
}
