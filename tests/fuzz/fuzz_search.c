/* SPDX-License-Identifier: MIT */
/* Texts whose answer is a search: grids of settings, and words that help looks for. They take ten
 * times as long as other options, so they have a harness of their own. */
#include "fuzz/fuzz_run.h"

static const shape shapes[] = {
    {{"tune", "tree", "@weather", "--by", "holdout:0.3", "--over", TEXT, ""}, 16},
    {{"help", TEXT, ""}, SIZE_MAX},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text_of(shapes, sizeof shapes / sizeof *shapes, data, size);
    return 0;
}
