/* SPDX-License-Identifier: MIT */
/* Networks of neurons as text: any text is read or refused with a message; what was read is written
 * so that it is read again as the same network. */
#include "fuzz/fuzz.h"
#include "base/memory.h"
#include "model/weights_text.h"

static void same_names(const cairn_neural_text *a, const cairn_neural_text *b)
{
    for (size_t i = 0; i < a->layers.n_in; i++)
        if (strcmp(a->names.inputs[i], b->names.inputs[i]) != 0) abort();
    for (size_t l = 0; l < a->layers.n; l++)
        for (size_t j = 0; j < a->layers.list[l].n_out; j++)
            if (strcmp(a->names.nodes[l][j], b->names.nodes[l][j]) != 0) abort();
}

/* What is written is the same network, whose inputs are called as before. */
static void write_again(cairn_context *ctx, const cairn_neural_text *first)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_neural_text again;
    cairn_neural_text_write(&text, &first->layers, first->weights, &first->names);
    const cairn_given given = {"again", cairn_text_string(&text), text.length};
    cairn_status status = cairn_text_status(&text);
    if (!status)
        status =
            cairn_neural_text_read(ctx, &again, &given, first->names.inputs, first->layers.n_in);
    if (status == CAIRN_NO_MEMORY) return;
    if (status || again.layers.n != first->layers.n) abort();
    if (again.layers.n_weights != first->layers.n_weights) abort();
    for (size_t i = 0; i < first->layers.n_weights; i++)
        if (again.weights[i] != first->weights[i]) abort();
    same_names(first, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    char *text = fuzz_text(data, size);
    const cairn_given given = {"fuzz", text, size};
    cairn_neural_text typed;
    cairn_status status = cairn_neural_text_read(ctx, &typed, &given, NULL, 0);
    fuzz_check(ctx, status);
    if (!status) write_again(ctx, &typed);
    free(text);
    fuzz_end();
    return 0;
}
