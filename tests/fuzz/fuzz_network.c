/* SPDX-License-Identifier: MIT */
/* Bayesian networks as text: any text is read or refused with a message; what was read is written
 * so that it can be read again, and its answers are probabilities. Behind a % stands what is known
 * (values of its variables). */
#include "fuzz/fuzz.h"
#include "base/memory.h"
#include "model/network_text.h"

#include <math.h>

enum { MOST_ASKED = 40 };

static void ask(cairn_context *ctx, const cairn_typed_network *t, const char *known)
{
    const cairn_network *net = &t->net;
    int32_t *evidence, wanted = (int32_t)net->n - 1;
    bool simple = true;
    cairn_factor answer;
    if (net->n > MOST_ASKED || SCRATCH(ctx, &evidence, net->n + 1)) return;
    for (size_t v = 0; v < net->n; v++) evidence[v] = CAIRN_UNOBSERVED;
    if (known)
        fuzz_check(ctx,
                   cairn_network_evidence(ctx, evidence, &simple, "known", known, net, &t->names));
    evidence[wanted] = CAIRN_UNOBSERVED;
    const cairn_network_question q = {
        .evidence = evidence, .wanted = &wanted, .n_wanted = 1, .names = &t->names};
    cairn_status status = cairn_network_ask(ctx, &answer, net, &q);
    fuzz_check(ctx, status);
    double sum = 0;
    for (size_t i = 0; !status && i < answer.size; i++) sum += answer.p[i];
    if (!(sum >= 0 && sum <= 1.001)) abort();
}

/* What is written is the same network. */
static void write_again(cairn_context *ctx, const cairn_typed_network *t)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_typed_network again = {0};
    cairn_network_write(&text, &t->net, &t->names);
    const cairn_given given = {"again", cairn_text_string(&text), text.length};
    cairn_status status = cairn_text_status(&text);
    if (!status) status = cairn_network_read(ctx, &again, &given, NULL, NULL, 0);
    if (status && status != CAIRN_NO_MEMORY) abort();
    for (size_t v = 0; !status && v < t->net.n; v++)
        if (strcmp(t->names.variables[v], again.names.variables[v]) != 0) abort();
    for (int64_t i = 0; !status && i < t->net.cells[t->net.n]; i++)
        if (!(fabs(t->net.p[i] - again.net.p[i]) < 1e-12)) abort();
    cairn_typed_network_clear(&again);
    cairn_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    const uint8_t *mark = size ? memchr(data, '%', size) : NULL;
    size_t length = mark ? (size_t)(mark - data) : size;
    char *text = fuzz_text(data, length);
    char *known = mark ? fuzz_text(mark + 1, size - length - 1) : NULL;
    const cairn_given given = {"fuzz", text, length};
    cairn_typed_network typed = {0};
    cairn_status status = cairn_network_read(ctx, &typed, &given, NULL, NULL, 0);
    fuzz_check(ctx, status);
    if (!status) ask(ctx, &typed, known);
    if (!status) write_again(ctx, &typed);
    cairn_typed_network_clear(&typed);
    free(known);
    free(text);
    fuzz_end();
    return 0;
}
